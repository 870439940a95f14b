"""A recursive equalizer learned by gradient descent flattens the measured response of a loudspeaker.

The loudspeaker is simulated, with resonances and a reflection; its impulse response is measured as one measures a real one,
by a sweep in noise and division of spectra. The equalizer is a cascade of peaking filters whose frequencies, qualities and
gains are fitted through the filtered impulse response, so the gradient runs backwards through the recursions.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import scipy.fft
import scipy.optimize
import scipy.signal
from ecg_denoise import compare

import sciarray as sa

mpl.use("Agg")
import matplotlib.pyplot as plt

RATE = 48000
TAPS = 4096
SECTIONS = 12
# Levels are compared in bands of a sixth of an octave, in this range in Hz.
RANGE = (100.0, 16000.0)
CENTRES = np.geomspace(*RANGE, 90)
Q_PENALTY = 1e-3
# Frequency in Hz, quality and gain in dB of the loudspeaker's resonances.
RESONANCES = ((120, 2, 5), (350, 1.5, -4), (1100, 4, 6), (2600, 3, -8), (5200, 5, 7), (9000, 3, -6), (14000, 2, 3))


def peaking(xp: Any, f: Any, q: Any, db: Any) -> Any:
    """Sections (n, 6) with a gain of ``db`` around ``f`` Hz; R. Bristow-Johnson, Cookbook formulae for audio equalizers."""
    w = 2 * np.pi / RATE * f
    a, alpha, c = xp.exp(np.log(10) / 40 * db), xp.sin(w) / (2 * q), -2 * xp.cos(w)
    return xp.stack([1 + alpha * a, c, 1 - alpha * a, 1 + alpha / a, c, 1 - alpha / a], axis=-1)


def loudspeaker(x: np.ndarray) -> np.ndarray:
    """What the microphone picks up: resonances, limits of the band, and a reflection after 1.1 ms."""
    f, q, db = np.array(RESONANCES, dtype=float).T
    y = scipy.signal.sosfilt(normalized(peaking(np, f, q, db)), x)
    y = scipy.signal.sosfilt(scipy.signal.butter(2, [70, 18000], "bandpass", fs=RATE, output="sos"), y)
    y[53:] += 0.15 * y[:-53]
    return y


def normalized(sos: np.ndarray) -> np.ndarray:
    return sos / sos[:, 3:4]


def measured(rng: np.random.Generator) -> np.ndarray:
    """The impulse response by an exponential sweep; A. Farina, AES 108th Convention (2000)."""
    t = np.arange(2 * RATE) / RATE
    sweep = scipy.signal.chirp(t, 20, t[-1], 22000, method="logarithmic") * np.minimum(1, (t[-1] - t) / 0.01)
    padded = np.concatenate([sweep, np.zeros(RATE // 2)])
    recorded = loudspeaker(padded) + 1e-3 * rng.standard_normal(len(padded))
    spectrum = scipy.fft.rfft(padded)
    power = np.abs(spectrum) ** 2
    h = scipy.fft.irfft(scipy.fft.rfft(recorded) * spectrum.conj() / (power + 1e-4 * power.max()), len(padded))[:TAPS]
    h[-TAPS // 4 :] *= np.hanning(TAPS // 2)[TAPS // 4 :]
    return h


def band_weights() -> np.ndarray:
    """Means over the bands, of shape (bands, frequencies)."""
    f = scipy.fft.rfftfreq(2 * TAPS, 1 / RATE)[1:]
    w = np.exp(-0.5 * (np.log2(f / CENTRES[:, None]) * 12) ** 2) / f
    return np.concatenate([np.zeros((len(CENTRES), 1)), w / w.sum(1, keepdims=True)], axis=1)


WEIGHTS = band_weights()


def start() -> np.ndarray:
    """Logarithms of frequencies and qualities, gains in units of 6 dB, of shape (3, sections)."""
    f = np.geomspace(1.2 * RANGE[0], 0.9 * RANGE[1], SECTIONS)
    return np.stack([np.log(f), np.log(2.0) + 0 * f, 0 * f])


def levels(h: sa.Array) -> sa.Array:
    """Levels of an impulse response in the bands, in dB."""
    power = sa.square(sa.abs(sa.fft.rfft(h, 2 * TAPS)))
    return 10 * sa.log10(sa.asarray(WEIGHTS) @ power)


def equalizer(theta: sa.Array) -> sa.Array:
    sos = peaking(sa, sa.exp(theta[0]), sa.exp(theta[1]), 6 * theta[2])
    return sos / sos[:, 3:4]


def loss(theta: sa.Array, h: sa.Array) -> sa.Array:
    """Variance of the levels after equalization, plus a penalty on qualities far from 1."""
    level = levels(sa.signal.sosfilt(equalizer(theta), h))
    return sa.square(level - sa.mean(level)).sum() / level.size + Q_PENALTY * sa.square(theta[1]).sum()


def numpy_loss(theta: np.ndarray, h: np.ndarray) -> float:
    """The same in NumPy and SciPy, of flat parameters."""
    f, q, g = theta.reshape(3, -1)
    y = scipy.signal.sosfilt(normalized(peaking(np, np.exp(f), np.exp(q), 6 * g)), h)
    level = 10 * np.log10(WEIGHTS @ np.abs(scipy.fft.rfft(y, 2 * TAPS)) ** 2)
    return float(np.var(level) + Q_PENALTY * np.sum(q**2))


def fit(h: np.ndarray, steps: int) -> tuple[np.ndarray, list[float]]:
    values: list[float] = []
    result = sa.optim.minimize(
        lambda theta: loss(theta, sa.asarray(h)),
        sa.asarray(start()),
        sa.optim.Adam(0.03),
        steps,
        callback=lambda step, value, theta: values.append(float(value)),
        record=True,
    )
    return np.asarray(result.params), values


def draw(path: Path, h: np.ndarray, theta: np.ndarray, values: list[float]) -> None:
    plt.rcParams.update(
        {"font.size": 9, "axes.spines.top": False, "axes.spines.right": False, "axes.titlelocation": "left"}
    )
    figure = plt.figure(figsize=(11, 7), layout="constrained")
    grid = figure.add_gridspec(2, 3)
    sos = equalizer(sa.asarray(theta))
    before, after = (np.asarray(levels(x)) for x in (sa.asarray(h), sa.signal.sosfilt(sos, h)))

    response = figure.add_subplot(grid[0, :])
    response.semilogx(
        CENTRES, before - before.mean(), color="tab:red", lw=1, label=f"measured, {before.std():.1f} dB rms"
    )
    response.semilogx(
        CENTRES, after - after.mean(), color="tab:blue", lw=1.4, label=f"equalized, {after.std():.2f} dB rms"
    )
    response.set(ylabel="level (dB)", xlim=RANGE, title="Response of the loudspeaker in bands of a sixth of an octave")
    response.legend(frameon=False, ncols=2, loc="upper center")

    f = np.geomspace(50, 20000, 600)
    single = figure.add_subplot(grid[1, :2], sharex=response)
    for section in np.asarray(sos):
        gain = sa.abs(sa.signal.freqz_sos(section[None], f, fs=RATE)[1])
        single.semilogx(f, 20 * np.log10(np.asarray(gain)), color="tab:blue", lw=0.6, alpha=0.6)
    total = sa.abs(sa.signal.freqz_sos(sos, f, fs=RATE)[1])
    single.semilogx(f, 20 * np.log10(np.asarray(total)), color="black", lw=1.2)
    single.set(xlabel="frequency (Hz)", ylabel="gain (dB)", title="The learned equalizer and its sections")

    history = figure.add_subplot(grid[1, 2])
    history.semilogy(np.arange(1, len(values) + 1), values, color="tab:blue", lw=1)
    history.set(xlabel="step", title="loss (dB squared)")
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=130)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=600)
    parser.add_argument("--output", type=Path, default=Path("build/iir_equalizer.png"))
    options = parser.parse_args()

    h = measured(np.random.default_rng(1))
    print(f"Fitting {SECTIONS} peaking filters to a measured impulse response of {TAPS} samples")
    theta, values = fit(h, options.steps)
    before, after = (np.asarray(levels(x)) for x in (sa.asarray(h), sa.signal.sosfilt(equalizer(sa.asarray(theta)), h)))
    print(f"Deviation of the levels: measured {before.std():.2f} dB rms, equalized {after.std():.2f} dB rms")

    compare(
        lambda: scipy.optimize.approx_fprime(theta.ravel(), numpy_loss, 1e-6, h),
        sa.value_and_grad(lambda theta: loss(theta, sa.asarray(h))),
        sa.asarray(theta),
    )

    draw(options.output, h, theta, values)
    print(f"\nPicture: {options.output}")


if __name__ == "__main__":
    main()
