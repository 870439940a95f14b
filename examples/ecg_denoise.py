"""A filter learned by gradient descent cleans a recorded electrocardiogram of mains hum and baseline wander.

The filter is a gain on the spectrum, piecewise linear over frequency, with a free value at each of 199 knots. Its values are
fitted on the first 24 seconds, where the clean signal is known, and judged on the last 16. The data and their licence are
described in data/README.md.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import scipy.fft
import scipy.optimize
import scipy.signal

import sciarray as sa

mpl.use("Agg")
import matplotlib.pyplot as plt

RATE = 360.0
MAINS = 50.0
TRAIN = 24 * int(RATE)
# The ends of a stretch see the other end through the circular transform and do not count.
EDGE = int(RATE)
SMOOTHNESS = 1e-6
# Knots of the gain in Hz: every 0.1 Hz where wander and heart meet, every 1 Hz above.
KNOTS = np.concatenate([np.arange(0.0, 2.0, 0.1), np.arange(2.0, RATE / 2 + 1.0)])


def load_reference() -> np.ndarray:
    """The recording in mV without its own drift below 0.5 Hz."""
    samples = np.load(Path(__file__).parent / "data" / "mitdb208_mlii.npy")
    high_pass = scipy.signal.butter(2, 0.5, "highpass", fs=RATE, output="sos")
    return scipy.signal.sosfiltfilt(high_pass, (samples - 1024) / 200.0)


def disturbance(n: int, rng: np.random.Generator) -> np.ndarray:
    """Mains hum with its third harmonic and a wandering frequency, baseline wander, and electrode noise, in mV."""
    t = np.arange(n) / RATE
    slow = scipy.signal.butter(2, 0.3, fs=RATE, output="sos")
    phase = 2 * np.pi * np.cumsum(MAINS + 0.02 * np.cumsum(rng.standard_normal(n)) / np.sqrt(n)) / RATE
    hum = 0.30 * np.sin(phase + 1.0) * (1 + 0.1 * np.sin(0.3 * t)) + 0.10 * np.sin(3 * phase)
    drift = scipy.signal.sosfiltfilt(slow, np.cumsum(rng.standard_normal(n)))
    wander = 0.4 * drift / drift.std() + 0.3 * np.sin(2 * np.pi * 0.25 * t + rng.uniform(0, 6))
    return hum + wander + 0.02 * rng.standard_normal(n)


def hat_functions(frequencies: np.ndarray) -> np.ndarray:
    """The weights of the knots at each frequency, of shape (frequencies, knots)."""
    return np.stack([np.interp(frequencies, KNOTS, unit) for unit in np.eye(len(KNOTS))], axis=-1)


@dataclass
class Stretch:
    """A stretch of signal with what the loss needs of it, in sciarray and in NumPy."""

    noisy: np.ndarray
    clean: np.ndarray

    def __post_init__(self) -> None:
        n = len(self.noisy)
        self.spectrum = scipy.fft.rfft(self.noisy)
        self.weights = hat_functions(scipy.fft.rfftfreq(n, 1 / RATE))
        self.arrays = {name: sa.asarray(getattr(self, name)) for name in ("spectrum", "weights", "clean")}


def denoise(theta: sa.Array, s: Stretch) -> sa.Array:
    """The stretch filtered with a zero-phase gain between 0 and 1."""
    gain = 0.5 + 0.5 * sa.tanh(s.arrays["weights"] @ theta)
    return sa.fft.irfft(gain * s.arrays["spectrum"], n=len(s.noisy))


def loss(theta: sa.Array, s: Stretch) -> sa.Array:
    """Mean squared error away from the ends, plus a penalty on the curvature of the gain."""
    error = (denoise(theta, s) - s.arrays["clean"])[EDGE:-EDGE]
    curvature = theta[2:] - 2.0 * theta[1:-1] + theta[:-2]
    return sa.square(error).sum() / error.size + SMOOTHNESS * sa.square(curvature).sum()


def numpy_loss(theta: np.ndarray, s: Stretch) -> float:
    """The same in NumPy and SciPy."""
    gain = 0.5 + 0.5 * np.tanh(s.weights @ theta)
    error = (scipy.fft.irfft(gain * s.spectrum, n=len(s.noisy)) - s.clean)[EDGE:-EDGE]
    curvature = theta[2:] - 2.0 * theta[1:-1] + theta[:-2]
    return float(np.mean(error**2) + SMOOTHNESS * np.sum(curvature**2))


def hand_made(noisy: np.ndarray) -> np.ndarray:
    """What one would design by hand: notches at the mains frequency and its harmonic, and a high-pass at 0.5 Hz."""
    y = scipy.signal.sosfiltfilt(scipy.signal.butter(2, 0.5, "highpass", fs=RATE, output="sos"), noisy)
    for f in (MAINS, 3 * MAINS):
        y = scipy.signal.filtfilt(*scipy.signal.iirnotch(f, 30.0, fs=RATE), y)
    return y


def snr(y: np.ndarray, clean: np.ndarray) -> float:
    """Signal-to-noise ratio in dB, away from the ends."""
    inside = slice(EDGE, -EDGE)
    return 10 * np.log10(np.sum(clean[inside] ** 2) / np.sum((y - clean)[inside] ** 2))


def seconds(f: Callable[[], Any], least: float = 1.0) -> float:
    """Shortest of at least three runs."""
    best, spent, runs = np.inf, 0.0, 0
    while spent < least or runs < 3:
        start = time.perf_counter()
        f()
        elapsed = time.perf_counter() - start
        best, spent, runs = min(best, elapsed), spent + elapsed, runs + 1
    return best


def compare(
    differences: Callable[[], np.ndarray],
    gradient: Callable[[Any], Any],
    params: Any,
    flattened: Callable[[Any], np.ndarray] = lambda g: np.asarray(g).ravel(),
    least: float = 1.0,
) -> None:
    """Prints how long value and gradient take by finite differences and by sciarray, and how far the gradients are apart."""
    recorded = sa.record(gradient)
    distance = np.abs(differences() - flattened(gradient(params)[1])).max()
    times = {
        "NumPy/SciPy, finite differences": seconds(differences, least),
        "sciarray": seconds(lambda: gradient(params)),
        "sciarray, recorded": seconds(lambda: recorded(params)),
    }
    slowest = max(times.values())
    print("\nValue and gradient, per step")
    for name, s in times.items():
        print(f"  {name:<34} {1e3 * s:8.3f} ms   {slowest / s:6.1f}x")
    print(f"  largest difference of the two gradients: {distance:.1e}")


def draw(path: Path, held: Stretch, cleaned: np.ndarray, theta: np.ndarray, values: list[float]) -> None:
    """Raw, cleaned and reference signals, the learned response and the loss."""
    span = slice(4 * int(RATE), 10 * int(RATE))
    t = np.arange(len(held.noisy))[span] / RATE + TRAIN / RATE
    plt.rcParams.update(
        {"font.size": 9, "axes.spines.top": False, "axes.spines.right": False, "axes.titlelocation": "left"}
    )
    figure = plt.figure(figsize=(11, 8.2), layout="constrained")
    grid = figure.add_gridspec(3, 4)

    before = figure.add_subplot(grid[0, :])
    before.plot(t, held.noisy[span], color="tab:red", lw=0.6, label="raw")
    before.plot(t, held.clean[span], color="black", lw=0.9, label="reference")
    before.set_title(f"Held-out signal with mains hum and baseline wander: {snr(held.noisy, held.clean):.1f} dB")

    after = figure.add_subplot(grid[1, :], sharex=before)
    after.plot(t, held.clean[span], color="black", lw=1.8, alpha=0.35, label="reference")
    after.plot(t, cleaned[span], color="tab:blue", lw=0.8, label="cleaned")
    after.set_title(f"Cleaned by the learned filter: {snr(cleaned, held.clean):.1f} dB")
    after.set_xlabel("time (s)")
    after.margins(x=0)
    for axes in (before, after):
        axes.set_ylabel("mV")
        axes.legend(loc="upper right", ncols=2, frameon=False)

    f = np.linspace(0, RATE / 2, 7201)
    gain = 20 * np.log10(0.5 + 0.5 * np.tanh(hat_functions(f) @ theta))
    response = figure.add_subplot(grid[2, :2])
    response.plot(f, gain, color="tab:blue", lw=1)
    for k, name in ((1, "mains"), (3, "3rd harmonic")):
        response.axvline(k * MAINS, color="tab:red", lw=0.6, ls=":")
        response.annotate(f" {name}", (k * MAINS, -53), color="tab:red", fontsize=8)
    response.set(xlabel="frequency (Hz)", ylabel="gain (dB)", ylim=(-55, 3), xlim=(0, RATE / 2))
    response.set_title("Learned frequency response")
    low = figure.add_subplot(grid[2, 2], sharey=response)
    low.plot(f[f <= 2], gain[f <= 2], color="tab:blue", lw=1)
    low.axvspan(0, 0.5, color="tab:red", alpha=0.08, lw=0)
    low.annotate("wander", (0.1, -6), color="tab:red", fontsize=8)
    low.set(xlabel="frequency (Hz)", xlim=(0, 2), title="below 2 Hz")

    history = figure.add_subplot(grid[2, 3])
    history.semilogy(np.arange(1, len(values) + 1), values, color="tab:blue", lw=1)
    history.set(xlabel="step", title="loss on the training part")
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=130)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--output", type=Path, default=Path("build/ecg_denoise.png"))
    options = parser.parse_args()

    clean = load_reference()
    noisy = clean + disturbance(len(clean), np.random.default_rng(7))
    train, held = Stretch(noisy[:TRAIN], clean[:TRAIN]), Stretch(noisy[TRAIN:], clean[TRAIN:])
    print(f"Fitting a gain of {len(KNOTS)} knots to {len(train.noisy)} samples of electrocardiogram")

    values: list[float] = []
    result = sa.optim.minimize(
        lambda theta: loss(theta, train),
        sa.full(len(KNOTS), 1.0),
        sa.optim.Adam(0.1),
        options.steps,
        callback=lambda step, value, theta: values.append(float(value)),
        progress=True,
        record=True,
    )
    theta = np.asarray(result.params)
    cleaned = np.asarray(denoise(result.params, held))

    raw = snr(held.noisy, held.clean)
    print("\nSignal-to-noise ratio on the held-out part")
    for name, y in (
        ("raw", held.noisy),
        ("notches and high-pass by hand", hand_made(held.noisy)),
        ("learned", cleaned),
    ):
        gained = snr(y, held.clean) - raw
        print(f"  {name:<30} {snr(y, held.clean):6.1f} dB" + (f"   gain {gained:4.1f} dB" if gained else ""))

    compare(
        lambda: scipy.optimize.approx_fprime(theta, numpy_loss, 1e-6, train),
        sa.value_and_grad(lambda theta: loss(theta, train)),
        result.params,
    )

    draw(options.output, held, cleaned, theta, values)
    print(f"\nPicture: {options.output}")


if __name__ == "__main__":
    main()
