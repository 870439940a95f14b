"""The training step of ecg_denoise.py as one program: value, gradient and Adam's update replayed without Python.

The step assigns to the parameters and to Adam's moments in place, so the recording is the whole step. The recorded and the
unrecorded run end at the same bits; the program is then written to a file, and what is read back goes on training.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from ecg_denoise import KNOTS, TRAIN, Stretch, disturbance, load_reference, loss

import sciarray as sa


class Training:
    """Parameters, the state of the optimizer, and the step that changes both in place."""

    def __init__(self, stretch: Stretch, rate: float = 0.1) -> None:
        self.stretch = stretch
        self.theta = sa.full(len(KNOTS), 1.0)
        self.optimizer = sa.optim.Adam(rate)
        self.state = self.optimizer.init(self.theta)

    def step(self) -> sa.Array:
        with sa.name_scope("loss"):
            value, g = sa.value_and_grad(lambda theta: loss(theta, self.stretch))(self.theta)
        with sa.name_scope("adam"):
            after = self.optimizer.update(g, self.state, self.theta)
        sa.graph.assign((self.theta, self.state), after)
        return value


def train(step: Callable[[], sa.Array], steps: int) -> tuple[list[float], float]:
    """The losses, and the seconds of a step after the first."""
    losses = [float(step())]
    start = time.perf_counter()
    losses += [float(step()) for _ in range(steps - 1)]
    return losses, (time.perf_counter() - start) / max(steps - 1, 1)


def resumed(graph: sa.graph.Graph, path: Path) -> tuple[Callable[[], sa.Array], list[Any]]:
    """The program through a file: its step, and the arrays that it updates."""
    graph.save(path)
    loaded = sa.graph.load(path)
    loaded.verify()
    return lambda: loaded()[0], [x for _, x in loaded.captured()]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--output", type=Path, default=Path("build/record_training.zip"))
    options = parser.parse_args()

    clean = load_reference()[:TRAIN]
    stretch = Stretch(clean + disturbance(len(clean), np.random.default_rng(7)), clean)
    eager, recorded = Training(stretch), Training(stretch)
    plain, plain_seconds = train(eager.step, options.steps)
    step = sa.record(recorded.step)
    replayed, seconds = train(step, options.steps)
    (graph,) = step.graphs

    print(f"{options.steps} steps of Adam on {len(clean)} samples, {len(KNOTS)} parameters")
    print(f"  unrecorded  {1e3 * plain_seconds:6.2f} ms a step, loss {plain[-1]:.3e}")
    print(f"  recorded    {1e3 * seconds:6.2f} ms a step, loss {replayed[-1]:.3e}")
    same = np.array_equal(eager.theta, recorded.theta)
    print(f"  the parameters are {'equal bit for bit' if same else 'different'}")
    print(f"The program has {len(graph.nodes())} nodes in {graph.n_steps} steps")
    for name, size in graph.memory().items():
        print(f"  {name:<10} {size / 1e6:6.2f} MB")
    print("Where the time goes")
    for name, _, spent, _ in sorted(graph.profile().steps, key=lambda s: -s[2])[:5]:
        print(f"  {1e6 * spent:8.0f} us  {name if len(name) < 80 else name[:76] + ' ...'}")

    options.output.parent.mkdir(parents=True, exist_ok=True)
    again, _ = resumed(graph, options.output)
    losses, _ = train(again, 50)
    same = losses == train(step, 50)[0]
    print(
        f"{options.output} goes on for 50 steps to a loss of {losses[-1]:.3e}, {'as' if same else 'unlike'} the original"
    )


if __name__ == "__main__":
    main()
