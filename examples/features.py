"""Features of a small convolutional network, taken out of its recorded program by the names of the nodes.

The network learns to tell four shapes apart, drawn at random places and sizes with noise. The recording of its forward pass is
cut at a node in the middle; what remains is the program of the features, with everything else pruned. Rings, which the
network has never seen, form a cluster of their own in them. The cut program is drawn beside its features.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import matplotlib as mpl
import numpy as np

import sciarray as sa

mpl.use("Agg")
import matplotlib.pyplot as plt

SIZE = 16
SHAPES = ("horizontal bar", "vertical bar", "cross", "square")
UNSEEN = "ring"
CHANNELS = (6, 12)
FEATURES = "block2.pool.divide_1"


def draw(name: str, rng: np.random.Generator) -> np.ndarray:
    """One picture of a shape, (SIZE, SIZE), with noise."""
    y, x = np.mgrid[:SIZE, :SIZE]
    r = rng.uniform(3.0, 5.0)
    y, x = y - rng.uniform(5.5, 9.5), x - rng.uniform(5.5, 9.5)
    horizontal = (abs(y) < 1.0) & (abs(x) < r)
    vertical = (abs(x) < 1.0) & (abs(y) < r)
    masks = {
        "horizontal bar": horizontal,
        "vertical bar": vertical,
        "cross": horizontal | vertical,
        "square": np.maximum(abs(x), abs(y)) < 0.7 * r,
        "ring": abs(np.hypot(x, y) - r) < 1.0,
    }
    return masks[name] + 0.2 * rng.standard_normal((SIZE, SIZE))


def pictures(names: tuple[str, ...], n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """``n`` pictures, (n, SIZE, SIZE, 1), and the numbers of their shapes."""
    labels = rng.integers(0, len(names), n)
    return np.stack([draw(names[k], rng) for k in labels])[..., None], labels


@sa.leaf
def convolve(x: sa.Array, kernel: sa.Array) -> sa.Array:
    """Pictures (n, h, w, c) and a kernel (3, 3, c, d) to (n, h - 2, w - 2, d); one node of the recorded program."""
    h, w = x.shape[1] - 2, x.shape[2] - 2
    parts = [x[:, i : i + h, j : j + w] @ kernel[i, j] for i in range(3) for j in range(3)]
    return sum(parts[1:], start=parts[0])


def initial(rng: np.random.Generator) -> dict[str, dict[str, sa.Array]]:
    def normal(*shape: int) -> sa.Array:
        return sa.asarray(rng.standard_normal(shape) * np.sqrt(2.0 / np.prod(shape[:-1])))

    a, b = CHANNELS
    return {
        "block1": {"kernel": normal(3, 3, 1, a), "bias": sa.zeros(a)},
        "block2": {"kernel": normal(3, 3, a, b), "bias": sa.zeros(b)},
        "head": {"weight": normal(b, len(SHAPES)), "bias": sa.zeros(len(SHAPES))},
    }


def block(name: str, p: dict[str, sa.Array], x: sa.Array) -> sa.Array:
    with sa.name_scope(name):
        return sa.maximum(convolve(x, p["kernel"]) + p["bias"], 0.0)


def network(params: dict[str, dict[str, sa.Array]], x: sa.Array) -> sa.Array:
    """The logits of pictures."""
    x = block("block1", params["block1"], x)
    with sa.name_scope("block1.pool"):
        n, h, w, c = x.shape
        x = x.reshape((n, h // 2, 2, w // 2, 2, c)).max(axis=(2, 4))
    x = block("block2", params["block2"], x)
    with sa.name_scope("block2.pool"):
        x = x.mean(axis=(1, 2))
    with sa.name_scope("head"):
        return x @ params["head"]["weight"] + params["head"]["bias"]


def cross_entropy(params: dict[str, dict[str, sa.Array]], x: sa.Array, labels: sa.Array) -> sa.Array:
    logits = network(params, x)
    picked = sa.take_along_axis(logits, labels[:, None], axis=1)[:, 0]
    return (sa.special.logsumexp(logits, axis=1) - picked).mean()


def train(steps: int, rng: np.random.Generator) -> tuple[dict[str, dict[str, sa.Array]], list[float]]:
    """Parameters after so many steps of Adam on fresh pictures, and the losses; the step is one recorded program."""
    params = initial(rng)
    optimizer = sa.optim.Adam(0.02)
    state = optimizer.init(params)

    @sa.record
    def step(x: sa.Array, labels: sa.Array) -> sa.Array:
        value, g = sa.value_and_grad(cross_entropy)(params, x, labels)
        sa.graph.assign((params, state), optimizer.update(g, state, params))
        return value

    losses = []
    for _ in range(steps):
        x, labels = pictures(SHAPES, 64, rng)
        losses.append(float(step(x, labels)))
    return params, losses


def accuracy(params: dict[str, dict[str, sa.Array]], rng: np.random.Generator) -> float:
    x, labels = pictures(SHAPES, 500, rng)
    return float(np.mean(np.argmax(np.asarray(network(params, sa.asarray(x))), axis=1) == labels))


def separation(features: np.ndarray, unseen: np.ndarray) -> float:
    """How many of the unseen shapes lie nearer to each other's mean than to the mean of any known shape."""
    names = [*SHAPES, UNSEEN]
    means = np.stack([features[unseen == k].mean(axis=0) for k in range(len(names))])
    nearest = np.argmin(np.linalg.norm(features[:, None] - means, axis=-1), axis=1)
    return float(np.mean(nearest[unseen == len(SHAPES)] == len(SHAPES)))


def show(path: Path, x: np.ndarray, labels: np.ndarray, features: np.ndarray, losses: list[float]) -> None:
    """A picture of each shape, the loss, and the features in the plane of their largest variance."""
    names = [*SHAPES, UNSEEN]
    plt.rcParams.update({"font.size": 9, "axes.spines.top": False, "axes.spines.right": False})
    figure = plt.figure(figsize=(10, 4.6), layout="constrained")
    grid = figure.add_gridspec(5, 6)
    for k, name in enumerate(names):
        picture = figure.add_subplot(grid[k, 0])
        picture.imshow(x[labels == k][0, :, :, 0], cmap="gray")
        picture.set(xticks=[], yticks=[])
        picture.set_ylabel(name, rotation=0, ha="right", va="center")
    history = figure.add_subplot(grid[:, 1:3])
    history.semilogy(losses, lw=0.8)
    history.set(xlabel="step", title="loss")
    plane = figure.add_subplot(grid[:, 3:])
    centred = features - features.mean(axis=0)
    coordinates = centred @ np.linalg.svd(centred, full_matrices=False)[2][:2].T
    for k, name in enumerate(names):
        marker = "x" if name == UNSEEN else "o"
        label = f"{name}, never seen" if name == UNSEEN else name
        plane.scatter(*coordinates[labels == k].T, s=14, marker=marker, label=label)
    plane.set(xticks=[], yticks=[], title=f"{FEATURES}, two of {features.shape[1]} dimensions")
    plane.legend(frameon=False)
    figure.savefig(path, dpi=130)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--output", type=Path, default=Path("build/features.png"))
    options = parser.parse_args()
    rng = np.random.default_rng(0)

    params, losses = train(options.steps, rng)
    print(f"Loss {losses[0]:.3f} -> {losses[-1]:.3f}, {100 * accuracy(params, rng):.1f} % of new pictures named right")

    x, labels = pictures((*SHAPES, UNSEEN), 400, rng)
    forward = sa.record(lambda x: network(params, x))
    forward(x)
    (graph,) = forward.graphs
    print("The forward pass")
    print(graph)
    cut = graph.extract([FEATURES])
    print(f"Cut at {FEATURES}: {len(cut.nodes())} of {len(graph.nodes())} nodes")
    features = np.asarray(cut(sa.asarray(x))[0])
    print(f"{100 * separation(features, labels):.0f} % of the rings, never seen, are nearest to other rings")

    options.output.parent.mkdir(parents=True, exist_ok=True)
    show(options.output, x, labels, features, losses)
    picture = options.output.with_suffix(".svg")
    picture.write_text(cut.to_svg())
    print(f"Written: {options.output} and, the program, {picture}")


if __name__ == "__main__":
    main()
