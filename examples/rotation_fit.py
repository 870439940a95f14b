"""A camera finds its attitude and its lens from the stars of Orion, by gradients through a singular value decomposition.

The attitude is the rotation nearest to a free 3 x 3 matrix, U diag(1, 1, det U V^H) V^H of its singular value decomposition
(Levinson et al., An Analysis of SVD for Deep Rotation Estimation, 2020). The fit starts at the unit matrix, with three equal
singular values, where U and V have no derivatives, but the nearest rotation has. Focal length and distortion are fitted along.
Then Wahba's problem: the best rotation between two sets of directions in closed form; its derivative in the directions gives
the accuracy of the attitude. The stars and their source are described in data/README.md.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import matplotlib as mpl
import numpy as np

import sciarray as sa

mpl.use("Agg")
import matplotlib.pyplot as plt

# What the camera does not know: its rotation vector in degrees, focal length and distortion; and the noise of a star's place.
TURN, FOCAL, DISTORTION, NOISE = np.array([4.0, -6.0, 130.0]), 1850.0, -0.12, 0.5
START = {"frame": np.eye(3), "focal": np.log(1500.0), "distortion": np.array(0.0)}
Parameters = dict[str, sa.Array]


def load() -> tuple[np.ndarray, np.ndarray]:
    """Unit vectors to the stars, as seen from the middle of the field, and magnitudes."""
    table = np.loadtxt(Path(__file__).parent / "data" / "orion.csv", delimiter=",", skiprows=1)
    a, d = np.radians(table[:, 1] - 84.0), np.radians(table[:, 2] - 1.0)
    return np.stack([-np.cos(d) * np.sin(a), np.sin(d), np.cos(d) * np.cos(a)], axis=-1), table[:, 3]


def rotation_of(vector: np.ndarray) -> np.ndarray:
    """The rotation about a vector by its length in degrees (Rodrigues)."""
    x, y, z = np.radians(vector)
    return np.asarray(sa.linalg.expm(sa.asarray([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])))


def nearest_rotation(matrix: sa.Array) -> sa.Array:
    """The rotation that maximizes trace(R^T M), which is also the one at the least distance."""
    U, _, Vh = sa.linalg.svd(matrix)
    sign = sa.sign(sa.stop_gradient(sa.linalg.det(U @ Vh)))[..., None]
    return (U * sa.concat([sa.ones_like(sign), sa.ones_like(sign), sign], axis=-1)[..., None, :]) @ Vh


def project(rays: sa.Array, focal: sa.Array, distortion: sa.Array) -> sa.Array:
    """Pixels from directions in the camera's frame, with radial distortion of the first order."""
    flat = rays[..., :2] / rays[..., 2:]
    return focal * flat * (1.0 + distortion * sa.square(flat).sum(-1, keepdims=True))


def camera(p: Parameters, stars: sa.Array) -> sa.Array:
    return project(stars @ nearest_rotation(p["frame"]).mT, sa.exp(p["focal"]), p["distortion"])


def loss(p: Parameters, stars: sa.Array, image: sa.Array) -> sa.Array:
    """Mean squared distance in pixels."""
    return sa.square(camera(p, stars) - image).sum() / stars.shape[0]


def wahba(seen: sa.Array, stars: sa.Array) -> sa.Array:
    """The rotation that turns directions of stars best into those seen (Markley 1988)."""
    return nearest_rotation(seen.mT @ stars)


def angle(R: np.ndarray, S: np.ndarray) -> float:
    """Degrees between two rotations."""
    return float(np.degrees(2 * np.arcsin(np.linalg.norm(R - S) / np.sqrt(8))))


def textbook_gradient(M: np.ndarray, C: np.ndarray) -> np.ndarray:
    """The gradient of sum(C * U V^T) by way of U and V, over differences of squared singular values."""
    U, s, Vh = np.linalg.svd(M)
    with np.errstate(divide="ignore", invalid="ignore"):
        F = np.where(np.eye(3, dtype=bool), 0.0, 1.0 / (s**2 - (s**2)[:, None]))
        gU, gV = U.T @ C @ Vh.T, Vh @ C.T @ U
        return U @ (F * (gU - gU.T) * s + s[:, None] * F * (gV - gV.T)) @ Vh


def gradient_at_rotation(R: np.ndarray, C: np.ndarray) -> np.ndarray:
    """The same at a rotation, from dR = R (R^T dM - dM^T R) / 2."""
    return (C - R @ C.T @ R) / 2


def small_turn(R: sa.Array, S: sa.Array) -> sa.Array:
    """The rotation vector between two rotations that nearly agree, in radians."""
    K = R @ S.mT
    return 0.5 * sa.stack([K[..., 2, 1] - K[..., 1, 2], K[..., 0, 2] - K[..., 2, 0], K[..., 1, 0] - K[..., 0, 1]], -1)


def unprojected(image: sa.Array, focal: float, distortion: float) -> sa.Array:
    """Directions from pixels, by fixed-point steps for the distortion."""
    flat = image / focal
    straight = flat
    for _ in range(20):
        straight = flat / (1.0 + distortion * sa.square(straight).sum(-1, keepdims=True))
    rays = sa.concat([straight, sa.ones_like(straight[..., :1])], axis=-1)
    return rays / sa.linalg.vector_norm(rays, axis=-1, keepdims=True)


def draw(
    path: Path,
    pixels: dict[str, np.ndarray],
    magnitude: np.ndarray,
    values: list[float],
    turns: np.ndarray,
    sd: np.ndarray,
) -> None:
    """The stars as seen, at the start and after the fit; the loss; errors of the attitude and what the derivative predicts."""
    plt.rcParams.update(
        {"font.size": 9, "axes.spines.top": False, "axes.spines.right": False, "axes.titlelocation": "left"}
    )
    figure = plt.figure(figsize=(11, 6), layout="constrained")
    grid = figure.add_gridspec(2, 5)
    sky = figure.add_subplot(grid[:, :3])
    seen, start, fitted = (pixels[k] for k in ("seen", "start", "fitted"))
    size = 60 * 10 ** (-0.25 * magnitude)
    for a, b in zip(start, seen):
        sky.plot(*zip(a, b), color="lightgray", lw=0.6, zorder=0)
    sky.scatter(*start.T, s=size, color="silver", label="start")
    sky.scatter(*seen.T, s=size, color="black", label="seen")
    sky.scatter(*fitted.T, s=size + 60, facecolors="none", edgecolors="tab:blue", lw=0.9, label="fitted")
    sky.set(
        xlabel="pixels", ylabel="pixels", aspect="equal", title="Orion in a camera whose attitude and lens are unknown"
    )
    sky.legend(loc="upper right", frameon=False)

    history = figure.add_subplot(grid[0, 3:])
    history.semilogy(values, color="tab:blue", lw=1)
    history.axhline(2 * NOISE**2, color="gray", lw=0.6, ls=":")
    history.annotate("noise", (0, 2 * NOISE**2), color="gray", fontsize=8, va="bottom")
    history.set(xlabel="step of L-BFGS", title="mean squared distance (pixels$^2$)")

    errors = figure.add_subplot(grid[1, 3:])
    at = np.linspace(-4 * sd.max(), 4 * sd.max(), 300)
    for k, (name, color) in enumerate((("x", "tab:blue"), ("y", "tab:orange"), ("line of sight", "tab:green"))):
        errors.hist(turns[:, k], bins=120, range=(at[0], at[-1]), density=True, color=color, alpha=0.35)
        density = np.exp(-0.5 * (at / sd[k]) ** 2) / (sd[k] * np.sqrt(2 * np.pi))
        errors.plot(at, density, color=color, lw=1, label=f'about {name}: {sd[k]:.0f}"')
    errors.set(xlabel="arc seconds", yticks=[], title="errors of Wahba's attitude; lines from its derivative")
    errors.legend(loc="upper right", frameon=False)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=130)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--output", type=Path, default=Path("build/rotation_fit.png"))
    options = parser.parse_args()

    rng = np.random.default_rng(3)
    rays, magnitude = load()
    stars, truth = sa.asarray(rays), rotation_of(TURN)
    clean = np.asarray(project(stars @ sa.asarray(truth).mT, sa.asarray(FOCAL), sa.asarray(DISTORTION)))
    image = clean + NOISE * rng.standard_normal(clean.shape)
    print(f"Fitting attitude, focal length and distortion to {len(rays)} stars")

    start = {k: sa.asarray(v) for k, v in START.items()}
    values = [float(loss(start, stars, sa.asarray(image)))]
    result = sa.optim.minimize(
        lambda p: loss(p, stars, sa.asarray(image)),
        start,
        sa.optim.LBFGS(),
        options.steps,
        tol=1e-8,
        callback=lambda step, value, p: values.append(float(value)),
    )
    p = result.params
    attitude = np.asarray(nearest_rotation(p["frame"]))
    print(f"  mean squared distance {values[0]:.3g} -> {values[-1]:.3g} pixels^2 in {result.steps} steps")
    print(f"  the noise makes       {2 * NOISE**2:.3g}")
    print(f"  attitude        {3600 * angle(attitude, truth):8.1f} arc seconds from the true one")
    print(f"  focal length    {np.exp(float(p['focal'])):8.1f} pixels, true {FOCAL:.1f}")
    print(f"  distortion      {float(p['distortion']):8.4f}, true {DISTORTION:.4f}")

    C = rng.standard_normal((3, 3))
    print("\nGradient of sum(C * nearest rotation)")
    for name, M in (("three equal singular values", np.eye(3)), ("the same, turned", truth)):
        exact = gradient_at_rotation(M, C)
        ours = np.asarray(sa.grad(lambda M: (sa.asarray(C) * nearest_rotation(M)).sum())(sa.asarray(M)))
        errors = [np.abs(g - exact).max() for g in (ours, textbook_gradient(M, C))]
        print(f"  {name:<28} error {errors[0]:.0e}, by way of U and V {errors[1]:.0e}")

    # Small errors of the attitude are linear in those of the pixels.
    best = wahba(unprojected(sa.asarray(clean), FOCAL, DISTORTION), stars)
    turn = lambda pixels: small_turn(wahba(unprojected(pixels, FOCAL, DISTORTION), stars), best)
    J = np.asarray(sa.jacobian(turn)(sa.asarray(clean))).reshape(3, -1)
    sd = 206265 * NOISE * np.linalg.norm(J, axis=-1)
    turns = 206265 * np.asarray(turn(sa.asarray(clean + NOISE * rng.standard_normal((4000, *clean.shape)))))
    print("\nStandard deviation of Wahba's attitude in arc seconds, about the three axes")
    print("  by its derivative      " + "".join(f"{v:8.1f}" for v in sd))
    print(f"  in {len(turns)} noisy images   " + "".join(f"{v:8.1f}" for v in turns.std(axis=0)))

    pixels = {"seen": image, "start": np.asarray(camera(start, stars)), "fitted": np.asarray(camera(p, stars))}
    draw(options.output, pixels, magnitude, values, turns, sd)
    print(f"\nPicture: {options.output}")


if __name__ == "__main__":
    main()
