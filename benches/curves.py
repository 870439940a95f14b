"""Linear algebra over the size of matrices and the length of batches, as a picture."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from .cases import DECOMPOSITIONS, decomposition
from .libraries import Library
from .measure import Result, run
from .report import progress

SIDES = (1, 2, 3, 4, 6, 8, 12, 16, 17, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512)
BATCHES = (1, 30, 1000, 30_000)
# Elements of a batch.
LARGEST = 600_000
_COLORS = ("tab:blue", "tab:orange", "tab:green", "tab:red")
_STYLES = {"numpy": "-", "torch": "--"}
_NAMES = {"sciarray": "sciarray", "numpy": "NumPy", "torch": "PyTorch"}


def _measured(name: str, batch: int, n: int, libraries: list[Library], rounds: int, seconds: float) -> Result:
    case = decomposition(name, batch, n)
    progress(case.name)
    return run(case, libraries, rounds, seconds)


def draw(path: Path, libraries: list[Library], rounds: int, seconds: float) -> None:
    """How many times longer the peers take, one panel per function, and the time for a batch of 3 x 3 systems."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    plt.rcParams.update(
        {"font.size": 8, "axes.spines.top": False, "axes.spines.right": False, "axes.titlelocation": "left"}
    )
    figure, panels = plt.subplots(3, 3, figsize=(12, 10), layout="constrained")
    peers = [library.name for library in libraries[1:]]
    for name, axes in zip(DECOMPOSITIONS, panels.flat):
        for batch, color in zip(BATCHES, _COLORS):
            sides = [n for n in SIDES if batch * n * n <= LARGEST]
            results = [_measured(name, batch, n, libraries, rounds, seconds) for n in sides]
            for peer in peers:
                ratios = [r.ratio(peer) for r in results]
                faster = [1 / x if x else np.nan for x in ratios]
                label = f"{batch} at once" if peer == peers[0] else None
                axes.plot(sides, faster, _STYLES[peer], color=color, lw=1.1, marker=".", ms=3, label=label)
        axes.axhline(1.0, color="gray", lw=0.8)
        axes.set(xscale="log", yscale="log", title=name)
        axes.set_xticks([1, 3, 8, 16, 32, 128, 512], [1, 3, 8, 16, 32, 128, 512])
        axes.minorticks_off()
        ticks = [0.5, 1, 2, 5, 10, 20, 50]
        axes.set_yticks(ticks, [f"{t:g}x" for t in ticks])
        axes.set_ylim(0.35, 150)
        axes.grid(axis="y", lw=0.3)
    panels[0, 0].legend(frameon=False)
    for axes in panels[:, 0]:
        axes.set_ylabel("time of the peer / time of sciarray")
    for axes in panels[2, :2]:
        axes.set_xlabel("n")

    many = panels[2, 2]
    batches = [10**k for k in range(1, 7)]
    results = [_measured("solve", b, 3, libraries, rounds, seconds) for b in batches]
    for library, style, color in zip(("sciarray", *peers), ("-", "-", "--"), ("black", "gray", "gray")):
        each = [1e9 * r.times[library].min / b for r, b in zip(results, batches)]
        many.loglog(batches, each, style, color=color, marker=".", label=_NAMES[library])
    many.set(title="solve, 3 x 3: time per system", xlabel="systems at once", ylabel="ns")
    many.legend(frameon=False)
    lines = " and ".join(f"{_NAMES[p]} ({'solid' if _STYLES[p] == '-' else 'dashed'})" for p in peers)
    figure.suptitle(f"Batches of n x n matrices in double precision, against {lines}")
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=120)
    progress("")
    print(f"Picture: {path}")
