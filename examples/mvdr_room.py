"""A beamformer with four microphones in a simulated room keeps a voice and lets little of two noises through.

Room: images of the sources behind the walls, up to the sixth order. Voice: a pulse train of moving pitch through moving
resonances, with pauses. A mask on the short-time spectrum says where the voice is; from the masked covariances follow the
weights (MVDR). The mask compares the level at each point with a threshold and with the loudness of the slice; its parameters
are fitted by gradient descent through the beamformer, linear solves included, on the first half, and judged on the second.
"""

from __future__ import annotations

import argparse
from itertools import product
from pathlib import Path

import matplotlib as mpl
import numpy as np
import scipy.signal

import sciarray as sa

mpl.use("Agg")
import matplotlib.pyplot as plt

RATE = 16000
SECONDS = 8
SPEED = 343.0
ROOM = np.array([6.0, 5.0, 3.0])
REFLECTION = 0.4
ORDER = 6
MICROPHONES = np.array([[2.9 + 0.1 * i, 1.5, 1.4] for i in range(4)])
VOICE = np.array([2.4, 2.4, 1.5])
NOISES = np.array([[5.0, 3.0, 1.2], [3.6, 4.5, 2.0]])
SIZE, HOP = 1024, 256
TRANSFORM = sa.signal.ShortTimeFFT(sa.signal.windows.hann(SIZE, sym=False), HOP, RATE)
FREQUENCIES = SIZE // 2 + 1
SOLUTIONS = ("ref_channel", "stv_evd", "stv_power")


def impulse_responses(source: np.ndarray, length: int = 6000) -> np.ndarray:
    """From a source to the microphones, (4, length); J. Allen, D. Berkley, J. Acoust. Soc. Am. 65 (1979)."""
    spectrum = np.zeros((len(MICROPHONES), length // 2 + 1), dtype=complex)
    w = 2j * np.pi * np.arange(length // 2 + 1) * RATE / length
    for cell in product(range(-ORDER, ORDER + 1), repeat=3):
        if np.abs(cell).sum() > ORDER:
            continue
        # Behind an odd number of walls the room is mirrored.
        n = np.array(cell)
        image = np.where(n % 2 == 0, source, ROOM - source) + n * ROOM
        distance = np.linalg.norm(image - MICROPHONES, axis=1)[:, None]
        spectrum += REFLECTION ** np.abs(n).sum() / distance * np.exp(-w * distance / SPEED)
    return np.fft.irfft(spectrum, length)


def voice(rng: np.random.Generator) -> np.ndarray:
    """Vowels with pauses: pulses of moving pitch through two resonances that jump from vowel to vowel."""
    n = RATE * SECONDS
    t = np.arange(n) / RATE
    pitch = 120 + 25 * np.sin(2 * np.pi * 0.4 * t) + 8 * np.sin(2 * np.pi * 2.1 * t)
    pulses = np.diff(np.floor(np.cumsum(pitch) / RATE), prepend=0.0)
    y = np.zeros(n)
    at = 0
    while at < n:
        length = int(RATE * rng.uniform(0.15, 0.4))
        part = slice(at, min(at + length, n))
        x = pulses[part] + 0.01 * rng.standard_normal(part.stop - part.start)
        for f, q in ((rng.uniform(300, 800), 6), (rng.uniform(900, 2300), 9), (2900.0, 10)):
            x = x + 3 * scipy.signal.lfilter(*scipy.signal.iirpeak(f, q, fs=RATE), x)
        y[part] = x * np.hanning(part.stop - part.start) * rng.uniform(0.6, 1.0)
        at += length + int(RATE * rng.choice([0.02, 0.05, 0.3]))
    return y / y.std()


def scene(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """What the microphones get of the voice and of the noises, each (4, samples)."""
    n = RATE * SECONDS
    place = lambda x, source: scipy.signal.fftconvolve(x[None], impulse_responses(source), axes=1)[:, :n]
    clean = place(voice(rng), VOICE)
    pink = scipy.signal.lfilter([1.0], [1.0, -0.9], rng.standard_normal((len(NOISES), n)), axis=1)
    noise = sum(place(x, source) for x, source in zip(pink, NOISES))
    noise *= clean[0].std() / noise[0].std()
    return clean, noise + 0.01 * clean[0].std() * rng.standard_normal(noise.shape)


def spectra(x: np.ndarray) -> sa.Array:
    return TRANSFORM.stft(sa.asarray(x))


def mask(theta: dict[str, sa.Array], x: sa.Array) -> sa.Array:
    """Where the voice is, (frequencies, slices): by the level at the first microphone there and in the whole slice."""
    level = sa.log(sa.square(sa.real(x[0])) + sa.square(sa.imag(x[0])) + 1e-12)
    level = level - sa.mean(level, axis=-1, keepdims=True)
    loudness = theta["weights"] @ level / FREQUENCIES
    return sa.special.expit(sa.exp(theta["slope"]) * (level + loudness - theta["threshold"][:, None]))


def start() -> dict[str, sa.Array]:
    return {"threshold": sa.zeros(FREQUENCIES), "weights": sa.zeros(FREQUENCIES), "slope": sa.asarray(0.0)}


def beam(theta: dict[str, sa.Array], x: sa.Array, solution: str = "ref_channel") -> sa.Array:
    """The weights (frequencies, 4) from the masked covariances."""
    m = mask(theta, x)
    voice, noise = (sa.signal.spatial_covariance(x, part)[0] for part in (m, 1.0 - m))
    return sa.signal.mvdr_weights(voice, noise, solution=solution, diag_loading=1e-4)


def energy(z: sa.Array) -> sa.Array:
    return (sa.square(sa.real(z)) + sa.square(sa.imag(z))).sum()


def loss(theta: dict[str, sa.Array], x: sa.Array, clean: sa.Array) -> sa.Array:
    """The part of the beam that is not the voice at the first microphone, in dB relative to that."""
    y = sa.signal.beamform(beam(theta, x), x)
    return 10.0 * sa.log10(energy(y - clean[0]) / energy(clean[0]))


def applied(w: sa.Array, x: np.ndarray) -> np.ndarray:
    return np.asarray(TRANSFORM.istft(sa.signal.beamform(w, spectra(x)), k1=x.shape[-1]))


def ratio(clean: np.ndarray, noise: np.ndarray) -> float:
    """Of the powers of voice and noise, in dB."""
    return 10 * np.log10(np.sum(clean**2) / np.sum(noise**2))


def fit(x: np.ndarray, clean: np.ndarray, steps: int) -> tuple[dict[str, sa.Array], list[float]]:
    values: list[float] = []
    mixed, wanted = spectra(x), spectra(clean)
    result = sa.optim.minimize(
        lambda theta: loss(theta, mixed, wanted),
        start(),
        sa.optim.Adam(0.1),
        steps,
        callback=lambda step, value, theta: values.append(float(value)),
        record=True,
    )
    return result.params, values


def pattern(w: np.ndarray, frequency: float) -> tuple[np.ndarray, np.ndarray]:
    """Angles in the plane of the room and the gain in dB for plane waves from there."""
    angles = np.linspace(0, 2 * np.pi, 361)
    direction = np.stack([np.cos(angles), np.sin(angles), 0 * angles])
    delay = -(MICROPHONES - MICROPHONES[0]) @ direction / SPEED
    steering = np.exp(-2j * np.pi * frequency * delay)
    k = round(frequency * SIZE / RATE)
    return angles, 20 * np.log10(np.abs(w[k].conj() @ steering) + 1e-6)


def draw(path: Path, clean: np.ndarray, x: np.ndarray, y: np.ndarray, w: np.ndarray, values: list[float]) -> None:
    plt.rcParams.update(
        {"font.size": 9, "axes.spines.top": False, "axes.spines.right": False, "axes.titlelocation": "left"}
    )
    figure = plt.figure(figsize=(11, 8), layout="constrained")
    grid = figure.add_gridspec(2, 6)
    for i, (name, signal) in enumerate((("first microphone", x), ("beam", y), ("voice alone", clean))):
        part = np.abs(np.asarray(spectra(signal[: 2 * RATE])))[: FREQUENCIES // 2]
        axes = figure.add_subplot(grid[0, 2 * i : 2 * i + 2])
        axes.imshow(
            20 * np.log10(part / np.abs(clean).max() + 1e-6),
            origin="lower",
            aspect="auto",
            extent=(0, 2, 0, RATE / 4000),
            vmin=-40,
            vmax=20,
            cmap="magma",
        )
        axes.set(xlabel="time (s)", ylabel="frequency (kHz)" if i == 0 else "", title=name)
    room = figure.add_subplot(grid[1, :2])
    room.plot(*MICROPHONES[:, :2].T, "k.", ms=4, label="microphones")
    room.plot(*VOICE[:2], "o", color="tab:blue", label="voice")
    room.plot(*NOISES[:, :2].T, "x", color="tab:red", label="noises")
    room.set(xlim=(0, ROOM[0]), ylim=(0, ROOM[1]), aspect="equal", title="Room (m)")
    room.legend(frameon=False, loc="lower left")
    polar = figure.add_subplot(grid[1, 2:4], projection="polar")
    for f, colour in ((800.0, "tab:purple"), (1600.0, "tab:green")):
        angles, gain = pattern(w, f)
        polar.plot(angles, np.maximum(gain, -30), color=colour, lw=1, label=f"{f:.0f} Hz")
    for place, colour in ((VOICE, "tab:blue"), *((s, "tab:red") for s in NOISES)):
        toward = place - MICROPHONES[0]
        polar.axvline(np.arctan2(toward[1], toward[0]), color=colour, lw=1, ls=":")
    polar.set_title("Gain (dB); direct paths dotted")
    polar.legend(frameon=False, loc="lower left", bbox_to_anchor=(-0.1, -0.15))
    history = figure.add_subplot(grid[1, 4:])
    history.plot(np.arange(1, len(values) + 1), values, color="tab:blue", lw=1)
    history.set(xlabel="step", title="loss on the training part (dB)")
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=130)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--output", type=Path, default=Path("build/mvdr_room.png"))
    options = parser.parse_args()

    clean, noise = scene(np.random.default_rng(5))
    half = clean.shape[1] // 2
    print(f"Fitting the {2 * FREQUENCIES + 1} parameters of a mask through the beamformer")
    theta, values = fit((clean + noise)[:, :half], clean[:, :half], options.steps)

    clean, noise = clean[:, half:], noise[:, half:]
    x = spectra(clean + noise)
    print("\nPower of the voice to that of the noise on the second half")
    print(f"  {'first microphone':<28} {ratio(clean[0], noise[0]):6.1f} dB")
    for name, parameters in (("before the fit", start()), ("learned", theta)):
        for solution in SOLUTIONS:
            w = beam(parameters, x, solution)
            print(f"  {name + ', ' + solution:<36} {ratio(applied(w, clean), applied(w, noise)):6.1f} dB")
    # What the masks are measured by: covariances of voice and noise alone.
    covariances = (sa.signal.spatial_covariance(spectra(part))[0] for part in (clean, noise))
    w = sa.signal.mvdr_weights(*covariances, diag_loading=1e-4)
    print(f"  {'voice and noise known apart':<36} {ratio(applied(w, clean), applied(w, noise)):6.1f} dB")

    w = beam(theta, x)
    draw(options.output, clean[0], (clean + noise)[0], applied(w, clean + noise), np.asarray(w), values)
    print(f"\nPicture: {options.output}")


if __name__ == "__main__":
    main()
