"""Nothing in common use takes many times the time of NumPy or SciPy, as it does where the compiler makes a loop's body a call.

What sciarray reaches is measured by `make bench` and stands in docs/PERFORMANCE.md; beside other tests only factors count.
"""

from __future__ import annotations

import pytest

from benches import libraries, measure
from benches.cases import COMMON, all_cases

MOST = 4.0
GROUPS = ("elementwise/", "reduce/", "scan/", "sort/", "fft/fft c128 2^1", "signal/", "linalg/solve [1,")
NAMES = [f"special/{name} float64 [1e+06]" for name in COMMON]
CASES = [c for c in all_cases() if c.name in NAMES or c.name.startswith(GROUPS)]
CASES = [c for c in CASES if {"numpy", "scipy"} & set(c.goals) and "[1e+07]" not in c.name]


@pytest.fixture(scope="module")
def contenders() -> list[libraries.Library]:
    return libraries.load(["numpy", "scipy"], 1)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_no_multiple_of_the_peers_time(case: measure.Case, contenders: list[libraries.Library]) -> None:
    for _ in range(3):
        times = measure.run(case, contenders, 3, 0.002).times
        peers = {name: t.min for name, t in times.items() if name in ("numpy", "scipy")}
        ratio = times["sciarray"].min / min(peers.values())
        if ratio < MOST:
            return
    pytest.fail(f"{case.name} takes {ratio:.1f} times the time of the faster of {', '.join(peers)}")
