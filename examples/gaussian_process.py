"""A Gaussian process learns the carbon dioxide record of Mauna Loa up to 2010 and predicts the years since.

The covariance follows Rasmussen and Williams (Gaussian Processes for Machine Learning, 2006, section 5.4.3): a seasonal cycle
that changes slowly, irregularities of some years, and noise; the rise is a quadratic with unknown coefficients. The eleven
parameters maximize the likelihood, by L-BFGS with exact gradients through the Cholesky factor. The data and their licence are
described in data/README.md.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import matplotlib as mpl
import numpy as np
import scipy.linalg
import scipy.optimize
from ecg_denoise import compare

import sciarray as sa

mpl.use("Agg")
import matplotlib.pyplot as plt
import matplotlib.ticker

UNTIL = 2010.0
MIDDLE = 1984.0
# Logarithms of standard deviations in ppm, of lengths in years, and of shapes.
START = {
    "rise": np.log([20.0, 30.0]),
    "season": np.log([2.4, 90.0, 1.3]),
    "irregular": np.log([0.66, 1.2, 0.78]),
    "noise": np.log([0.18, 0.13, 0.19]),
}
Parameters = dict[str, sa.Array]


def load() -> tuple[np.ndarray, np.ndarray]:
    """Decimal years and monthly means in ppm."""
    table = np.loadtxt(Path(__file__).parent / "data" / "mauna_loa_co2.csv", delimiter=",", skiprows=1)
    return table[:, 0], table[:, 1]


def rise(p: Parameters, s: sa.Array, t: sa.Array) -> sa.Array:
    """Covariance of quadratics of which size and typical time are known."""
    size, length = sa.exp(p["rise"])
    return size**2 * sa.square(1.0 + (s - MIDDLE) / length * ((t - MIDDLE) / length))


def seasonal(p: Parameters, d: sa.Array) -> sa.Array:
    """Covariance of a cycle of a year, whose form is lost over the decay time."""
    size, decay, shape = sa.exp(p["season"])
    return size**2 * sa.exp(-0.5 * sa.square(d / decay) - 2.0 * sa.square(sa.sin(np.pi * d) / shape))


def irregular(p: Parameters, d: sa.Array) -> sa.Array:
    """Rational quadratic covariance, a mixture of lengths."""
    size, length, shape = sa.exp(p["irregular"])
    return size**2 * (1.0 + 0.5 * sa.square(d / length) / shape) ** -shape


def correlated_noise(p: Parameters, d: sa.Array) -> sa.Array:
    """Covariance of the noise that neighbouring months share."""
    size, length, _ = sa.exp(p["noise"])
    return size**2 * sa.exp(-0.5 * sa.square(d / length))


def covariance(p: Parameters, s: sa.Array, t: sa.Array) -> sa.Array:
    """Covariance of the signal at times that broadcast."""
    d = s - t
    return rise(p, s, t) + seasonal(p, d) + irregular(p, d)


def factor(p: Parameters, t: sa.Array) -> sa.Array:
    """The Cholesky factor of the covariance of measurements."""
    s = t[:, None]
    white = sa.exp(2.0 * p["noise"][2]) * sa.eye(t.size)
    return sa.linalg.cholesky(covariance(p, s, t) + correlated_noise(p, s - t) + white)


def loss(p: Parameters, t: sa.Array, y: sa.Array) -> sa.Array:
    """Minus the logarithm of the likelihood, per measurement."""
    L = factor(p, t)
    z = sa.linalg.solve_triangular(L, y, lower=True)
    logdet = sa.log(sa.linalg.diagonal(L)).sum()
    return (0.5 * sa.square(z).sum() + logdet) / y.size + 0.5 * np.log(2 * np.pi)


def numpy_loss(flat: np.ndarray, t: np.ndarray, y: np.ndarray) -> float:
    """The same in NumPy and SciPy, of the parameters in alphabetical order of their groups."""
    (c, a, b), (e, f, g), (h, i), (j, k, m) = np.split(np.exp(flat), [3, 6, 8])
    d = t[:, None] - t
    K = h**2 * (1 + (t[:, None] - MIDDLE) / i * ((t - MIDDLE) / i)) ** 2
    K += j**2 * np.exp(-0.5 * (d / k) ** 2 - 2.0 * (np.sin(np.pi * d) / m) ** 2)
    K += c**2 * (1.0 + 0.5 * (d / a) ** 2 / b) ** -b + e**2 * np.exp(-0.5 * (d / f) ** 2) + g**2 * np.eye(len(y))
    L = np.linalg.cholesky(K)
    z = scipy.linalg.solve_triangular(L, y, lower=True)
    return float((0.5 * z @ z + np.log(np.diag(L)).sum()) / len(y) + 0.5 * np.log(2 * np.pi))


def flattened(p: Parameters) -> np.ndarray:
    return np.concatenate([np.asarray(p[name]) for name in sorted(p)])


def predict(p: Parameters, t: np.ndarray, y: np.ndarray, at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean and standard deviation of measurements at other times."""
    known, new = sa.asarray(t), sa.asarray(at)
    L = factor(p, known)
    half = sa.linalg.solve_triangular(L, covariance(p, known[:, None], new), lower=True)
    mean = half.mT @ sa.linalg.solve_triangular(L, sa.asarray(y), lower=True)
    noise = sa.square(sa.exp(p["noise"][0])) + sa.square(sa.exp(p["noise"][2]))
    prior = covariance(p, new, new) + noise
    return np.asarray(mean), np.sqrt(np.asarray(prior - sa.square(half).sum(0)))


def draw(
    path: Path, t: np.ndarray, y: np.ndarray, at: np.ndarray, mean: np.ndarray, sd: np.ndarray, title: str
) -> None:
    """All of the record with mean and band, and the predicted years alone."""
    plt.rcParams.update(
        {"font.size": 9, "axes.spines.top": False, "axes.spines.right": False, "axes.titlelocation": "left"}
    )
    figure, (whole, part) = plt.subplots(2, 1, figsize=(11, 7.5), layout="constrained")
    for axes, since in ((whole, t[0]), (part, UNTIL - 4)):
        shown, known = at >= since, t >= since
        for k, alpha in ((1.96, 0.15), (1.0, 0.25)):
            low, high = (mean - k * sd)[shown], (mean + k * sd)[shown]
            axes.fill_between(at[shown], low, high, color="tab:blue", alpha=alpha, lw=0)
        axes.plot(at[shown], mean[shown], color="tab:blue", lw=0.9, label="mean, and bands of 68 % and 95 %")
        before = known & (t < UNTIL)
        axes.plot(t[before], y[before], ".", color="black", ms=2 if axes is whole else 4, label="learned from")
        after = known & (t >= UNTIL)
        axes.plot(t[after], y[after], ".", color="tab:red", ms=2 if axes is whole else 4, label="measured since")
        axes.axvline(UNTIL, color="gray", lw=0.6, ls=":")
        axes.set_ylabel("CO$_2$ (ppm)")
        axes.margins(x=0.01)
    whole.set_title("Carbon dioxide at Mauna Loa: a Gaussian process with eleven parameters fitted by L-BFGS")
    whole.legend(loc="upper left", frameon=False)
    part.set_title(title)
    part.set_xlabel("year")
    part.xaxis.set_major_locator(mpl.ticker.MultipleLocator(2))
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=130)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--output", type=Path, default=Path("build/gaussian_process.png"))
    options = parser.parse_args()

    t, y = load()
    known = t < UNTIL
    level = y[known].mean()
    times, values = sa.asarray(t[known]), sa.asarray(y[known] - level)
    print(f"Fitting 11 parameters to {known.sum()} months of carbon dioxide, by the likelihood")
    result = sa.optim.minimize(
        lambda p: loss(p, times, values), START, sa.optim.LBFGS(), options.steps, tol=1e-5, progress=True, record=True
    )
    p = result.params
    start = float(loss({k: sa.asarray(v) for k, v in START.items()}, times, values))
    print(f"\nMinus log likelihood per month: {start:.4f} -> {float(result.value):.4f} in {result.steps} steps")
    for name, unit in (("rise", "ppm, years"), ("season", "ppm, years, shape"), ("irregular", "ppm, years, shape"),
                       ("noise", "ppm, years; ppm")):  # fmt: skip
        print(f"  {name:<10}" + "".join(f"{v:10.3g}" for v in np.exp(np.asarray(p[name]))) + f"   ({unit})")

    mean, sd = predict(p, t[known], y[known] - level, t)
    error = (y - level - mean)[~known]
    inside = np.mean(np.abs(error) < 1.96 * sd[~known])
    print(
        f"\nPrediction of {len(error)} months since {UNTIL:.0f}: root mean square error {np.sqrt(np.mean(error**2)):.2f} ppm,"
    )
    print(f"  {100 * inside:.0f} % of them within the band of 95 %")

    flat, rest = flattened(p), (t[known], y[known] - level)
    compare(
        lambda: scipy.optimize.approx_fprime(flat, numpy_loss, 1e-6, *rest),
        sa.value_and_grad(lambda p: loss(p, times, values)),
        p,
        flattened,
    )

    title = f"The years that it has not seen: {100 * inside:.0f} % within the band of 95 %"
    draw(options.output, t, y, t, mean + level, sd, title)
    print(f"\nPicture: {options.output}")


if __name__ == "__main__":
    main()
