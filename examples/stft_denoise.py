"""A mask on the short-time spectrum, learned by gradient descent, cleans a recorded electrocardiogram of muscle noise.

Muscle noise comes in bursts and covers the frequencies of the heartbeat, so no fixed filter removes it. The mask is a smooth
threshold on the power around each point of time and frequency; the threshold of each frequency, the softness and the window
of the transform are fitted on 24 seconds, where the clean signal is known, and judged on the 16 seconds after. The data and
their licence are described in data/README.md.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import scipy.optimize
import scipy.signal
from ecg_denoise import compare

import sciarray as sa

mpl.use("Agg")
import matplotlib.pyplot as plt

RATE = 360.0
TRAIN = 24 * int(RATE)
SIZE, HOP = 96, 12
FREQUENCIES = SIZE // 2 + 1
SMOOTHNESS = 1e-5
Params = dict[str, Any]


def load_reference() -> np.ndarray:
    """The recording in mV without its own drift below 0.5 Hz and its own noise above 45 Hz."""
    samples = np.load(Path(__file__).parent / "data" / "mitdb208_mlii.npy")
    band = scipy.signal.butter(2, [0.5, 45.0], "bandpass", fs=RATE, output="sos")
    return scipy.signal.sosfiltfilt(band, (samples - 1024) / 200.0)


def muscle_noise(n: int, rng: np.random.Generator) -> np.ndarray:
    """Noise from 15 Hz up that swells and ebbs, in mV."""
    band = scipy.signal.butter(2, [15.0, 150.0], "bandpass", fs=RATE, output="sos")
    slow = scipy.signal.sosfilt(scipy.signal.butter(2, 0.3, fs=RATE, output="sos"), rng.standard_normal(n))
    strength = 0.05 + 0.3 * np.clip(slow / slow.std(), 0, None)
    return strength * scipy.signal.sosfilt(band, rng.standard_normal(n))


def start() -> Params:
    window = np.sin(np.pi * (np.arange(SIZE) + 0.5) / SIZE) ** 2
    return {"threshold": np.full(FREQUENCIES, 2.0), "softness": -0.7, "reach": -1.0, "window": np.log(window)}


def window_of(xp: Any, logarithm: Any) -> Any:
    """The window, whose mean square is 1."""
    w = xp.exp(logarithm)
    return w / xp.sqrt(xp.mean(w * w))


def mask(params: Params, power: sa.Array) -> sa.Array:
    """A gain between 0 and 1 for each point (frequencies, slices) of the short-time power."""
    # The neighbours in time count with a weight that is learned.
    weight = sa.exp(params["reach"])
    around = sa.pad(power, ((0, 0), (1, 1)), mode="edge")
    level = sa.log((power + weight * (around[:, :-2] + around[:, 2:])) / (1 + 2 * weight) + 1e-9)
    return sa.special.expit(sa.exp(params["softness"]) * (level - params["threshold"][:, None]))


def denoise(params: Params, noisy: sa.Array) -> sa.Array:
    transform = sa.signal.ShortTimeFFT(window_of(sa, params["window"]), HOP, RATE)
    spectrum = transform.stft(noisy)
    power = sa.square(sa.real(spectrum)) + sa.square(sa.imag(spectrum))
    return transform.istft(spectrum * mask(params, power), k1=noisy.shape[0])


def loss(params: Params, noisy: sa.Array, clean: sa.Array) -> sa.Array:
    """Mean squared error, plus a penalty on the slope of the threshold over frequency."""
    error = denoise(params, noisy) - clean
    slope = params["threshold"][1:] - params["threshold"][:-1]
    return sa.square(error).sum() / error.size + SMOOTHNESS * sa.square(slope).sum()


def numpy_loss(flat: np.ndarray, noisy: np.ndarray, clean: np.ndarray) -> float:
    """The same in NumPy and SciPy, of the parameters in one vector."""
    threshold, (softness, reach), window = np.split(flat, [FREQUENCIES, FREQUENCIES + 2])
    transform = scipy.signal.ShortTimeFFT(window_of(np, window), HOP, RATE)
    spectrum = transform.stft(noisy)
    power = np.abs(spectrum) ** 2
    around = np.pad(power, ((0, 0), (1, 1)), mode="edge")
    weight = np.exp(reach)
    level = np.log((power + weight * (around[:, :-2] + around[:, 2:])) / (1 + 2 * weight) + 1e-9)
    gain = 1 / (1 + np.exp(-np.exp(softness) * (level - threshold[:, None])))
    y = transform.istft(spectrum * gain, k1=len(noisy))
    return float(np.mean((y - clean) ** 2) + SMOOTHNESS * np.sum(np.diff(threshold) ** 2))


def flattened(params: Params) -> np.ndarray:
    return np.concatenate([np.asarray(params[k]).ravel() for k in ("threshold", "softness", "reach", "window")])


def fit(noisy: np.ndarray, clean: np.ndarray, steps: int) -> tuple[Params, list[float]]:
    values: list[float] = []
    result = sa.optim.minimize(
        lambda params: loss(params, sa.asarray(noisy), sa.asarray(clean)),
        {k: sa.asarray(v) for k, v in start().items()},
        sa.optim.Adam(0.1),
        steps,
        callback=lambda step, value, params: values.append(float(value)),
        record=True,
    )
    return result.params, values


def hand_made(noisy: np.ndarray, clean: np.ndarray) -> tuple[str, np.ndarray]:
    """The best Butterworth lowpass, chosen with the clean signal in view."""
    cut_offs = np.arange(10.0, 60.0, 2.0)
    filtered = [scipy.signal.sosfiltfilt(scipy.signal.butter(3, f, fs=RATE, output="sos"), noisy) for f in cut_offs]
    best = int(np.argmin([np.sum((y - clean) ** 2) for y in filtered]))
    return f"best lowpass ({cut_offs[best]:.0f} Hz)", filtered[best]


def snr(y: np.ndarray, clean: np.ndarray) -> float:
    """Signal-to-noise ratio in dB."""
    return 10 * np.log10(np.sum(clean**2) / np.sum((y - clean) ** 2))


def draw(path: Path, signals: dict[str, np.ndarray], params: Params, values: list[float]) -> None:
    """Signals, spectrogram before and after, what was learned."""
    clean = signals["reference"]
    span = slice(int(2 * RATE), int(8 * RATE))
    t = np.arange(len(clean))[span] / RATE
    plt.rcParams.update(
        {"font.size": 9, "axes.spines.top": False, "axes.spines.right": False, "axes.titlelocation": "left"}
    )
    figure = plt.figure(figsize=(11, 9), layout="constrained")
    grid = figure.add_gridspec(3, 6)
    for row, (name, colour) in enumerate((("raw", "tab:red"), ("cleaned", "tab:blue"))):
        trace = figure.add_subplot(grid[row, :4])
        trace.plot(t, clean[span], color="black", lw=1.8, alpha=0.35)
        trace.plot(t, signals[name][span], color=colour, lw=0.7)
        trace.set(ylabel="mV", xlim=(t[0], t[-1]))
        trace.set_title(f"Held-out signal, {name}: {snr(signals[name], clean):.1f} dB (reference in grey)")
        transform = sa.signal.ShortTimeFFT(window_of(sa, params["window"]), HOP, RATE)
        power = np.asarray(sa.square(sa.abs(transform.stft(sa.asarray(signals[name][span])))))
        picture = figure.add_subplot(grid[row, 4:])
        picture.imshow(
            10 * np.log10(power + 1e-9),
            origin="lower",
            aspect="auto",
            extent=(t[0], t[-1], 0, RATE / 2),
            vmin=-20,
            vmax=30,
            cmap="magma",
        )
        picture.set(ylabel="frequency (Hz)", title=f"{name}, dB")
    f = np.arange(FREQUENCIES) * RATE / SIZE
    threshold = figure.add_subplot(grid[2, :2])
    threshold.plot(f, np.asarray(params["threshold"]) * 10 / np.log(10), color="tab:blue", lw=1)
    threshold.set(xlabel="frequency (Hz)", ylabel="dB", title="Learned threshold")
    window = figure.add_subplot(grid[2, 2:4])
    window.plot(window_of(np, start()["window"]), color="black", lw=1, alpha=0.4, label="Hann")
    window.plot(window_of(np, np.asarray(params["window"])), color="tab:blue", lw=1, label="learned")
    window.set(xlabel="sample", title="Window")
    window.legend(frameon=False)
    history = figure.add_subplot(grid[2, 4:])
    history.semilogy(np.arange(1, len(values) + 1), values, color="tab:blue", lw=1)
    history.set(xlabel="step", title="loss on the training part")
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=130)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--output", type=Path, default=Path("build/stft_denoise.png"))
    options = parser.parse_args()

    clean = load_reference()
    noisy = clean + muscle_noise(len(clean), np.random.default_rng(3))
    print(f"Fitting {len(flattened(start()))} parameters to {TRAIN} samples of electrocardiogram")
    params, values = fit(noisy[:TRAIN], clean[:TRAIN], options.steps)
    held = {"raw": noisy[TRAIN:], "reference": clean[TRAIN:]}
    held["cleaned"] = np.asarray(denoise(params, sa.asarray(held["raw"])))
    name, filtered = hand_made(held["raw"], held["reference"])
    print("\nSignal-to-noise ratio on the held-out part")
    for label, y in (("raw", held["raw"]), (name, filtered), ("learned mask", held["cleaned"])):
        print(f"  {label:<24} {snr(y, held['reference']):6.1f} dB")

    arrays = sa.asarray(noisy[:TRAIN]), sa.asarray(clean[:TRAIN])
    flat = flattened(params)
    compare(
        lambda: scipy.optimize.approx_fprime(flat, numpy_loss, 1e-7, noisy[:TRAIN], clean[:TRAIN]),
        sa.value_and_grad(lambda params: loss(params, *arrays)),
        params,
        flattened,
        0.1,
    )

    draw(options.output, held, params, values)
    print(f"\nPicture: {options.output}")


if __name__ == "__main__":
    main()
