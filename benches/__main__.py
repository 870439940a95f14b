"""Command line of the benchmarks."""

from __future__ import annotations

import argparse
import fnmatch
import os
import sys
from pathlib import Path


def limit_threads(threads: int) -> None:
    """Gives every library the same number of threads; to be called before any of them is imported."""
    for name in ("OMP", "OPENBLAS", "MKL", "SCIARRAY"):
        os.environ[f"{name}_NUM_THREADS"] = str(threads)
    if hasattr(os, "sched_setaffinity"):
        # XLA has no switch of its own and starts a thread per processor that it may use.
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:threads])


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benches", description=__doc__)
    parser.add_argument("--only", default="", help="cases whose names contain this, or match it as a pattern with *")
    parser.add_argument(
        "--peers", help="libraries to compare with, separated by commas; by default all that are installed"
    )
    parser.add_argument("--quick", action="store_true", help="fewer rounds: a look, not a measurement")
    parser.add_argument("--threads", type=int, default=2, help="threads for every library")
    parser.add_argument("--json", type=Path, default=Path("build/bench.json"), help="where the results are written")
    parser.add_argument(
        "--curves", type=Path, help="draws linear algebra over n and batch to this file, and nothing else"
    )
    parser.add_argument(
        "--survey",
        action="store_true",
        help="special functions over several ranges (of which --only selects) against SciPy, and nothing else",
    )
    options = parser.parse_args()
    limit_threads(options.threads)

    from . import cases, checks, libraries, measure, report

    peers = libraries.PEERS if options.peers is None else options.peers.split(",")
    unknown = sorted(set(peers) - set(libraries.PEERS))
    if unknown:
        parser.error(f"--peers: must be among {', '.join(libraries.PEERS)}, got {', '.join(unknown)}")
    contenders = libraries.load(peers, options.threads)
    pattern = options.only if "*" in options.only else f"*{options.only}*"
    pattern = pattern.replace("[", "[[]")
    chosen = [c for c in cases.all_cases() if fnmatch.fnmatchcase(c.name, pattern)]
    rounds, batch = (5, 0.002) if options.quick else (25, 0.01)
    if options.curves is not None:
        from . import curves

        curves.draw(options.curves, [c for c in contenders if c.name in ("sciarray", "numpy", "torch")], rounds, batch)
        return 0

    if options.survey:
        from . import survey

        both = [c for c in contenders if c.name in ("sciarray", "scipy")]
        if len(both) < 2:
            parser.error("--survey: needs SciPy, installed and among --peers")
        survey.report(both, pattern, rounds, batch)
        return 0

    results, missing = [], []
    for case in chosen:
        report.progress(case.name)
        result = measure.run(case, contenders, rounds, batch)
        if result.times:
            results.append(result)
        else:
            missing.append(f"{case.name}: {result.skipped['sciarray']}")
    report.progress()

    columns = [library.name for library in contenders[1:]] + ["self"]
    columns = [c for c in columns if any(c in r.times for r in results)]
    print(f"Time of sciarray, and relative to each peer (minimum / median); {options.threads} threads for all.\n")
    print(report.table(results, columns))
    for line in missing:
        print(f"not measured: {line}")
    extra: dict[str, object] = {"threads": options.threads}
    if fnmatch.fnmatchcase("import", pattern):
        extra["import_ms"] = times = checks.import_times(3 if options.quick else 10)
        print(f"\nimport sciarray: {times['sciarray']:.0f} ms, NumPy in it {times['numpy']:.0f} ms (goal 150 ms)")
    if fnmatch.fnmatchcase("determinism", pattern):
        compared, differing = checks.thread_dependent()
        extra["determinism"] = {"compared": compared, "differing": differing}
        print(f"1 and 2 threads, same bits: {len(compared) - len(differing)} of {len(compared)} {' '.join(differing)}")
    report.write_json(options.json, results, contenders, extra)
    return 0


if __name__ == "__main__":
    sys.exit(main())
