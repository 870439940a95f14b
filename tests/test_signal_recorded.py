"""Every public function of `fft` and `signal`, recorded, replayed with other numbers, saved and loaded, equals the eager one."""

from __future__ import annotations

import numpy as np
import pytest

import sciarray as sa
from sciarray import fft, signal
from sciarray.signal import windows

RNG = np.random.default_rng(0)
X = sa.asarray(RNG.normal(size=(2, 60)))
EVEN = sa.asarray(RNG.normal(size=(4, 8)))
Z = sa.asarray(RNG.normal(size=(4, 5)) + 1j * RNG.normal(size=(4, 5)))
H = sa.asarray(RNG.normal(size=5))
WINDOW = sa.asarray(np.hanning(18)[1:-1])
SPECTRA = sa.asarray(RNG.normal(size=(3, 4, 6)) + 1j * RNG.normal(size=(3, 4, 6)))
PAIR = sa.permute_dims(SPECTRA, (1, 0, 2))
COVARIANCES = [sa.matmul(s, sa.linalg.matrix_transpose(sa.conj(s))) for s in (SPECTRA, SPECTRA[..., ::-1] * 2 + 1)]
MAGNITUDES = sa.abs(sa.asarray(RNG.normal(size=(9, 8)))) + 0.1
SOS = sa.asarray([[0.5, 0.2, 0.1, 1.0, -0.4, 0.3], [1.0, 0.3, 0.2, 1.0, 0.2, 0.1]])
B, A = sa.asarray([0.5, 0.2, -0.3]), sa.asarray([1.2, -0.4, 0.3])
ZPK = sa.asarray([0.3 + 0.2j, 0.3 - 0.2j]), sa.asarray([0.5 + 0.1j, 0.5 - 0.1j]), sa.asarray(0.7)
ORDERS = 0.2, 0.3, 1.0, 40.0
T = sa.asarray(np.linspace(0.05, 0.95, 7))
N = lambda *xs: [sa.asarray(float(x)) for x in xs]
SFT = signal.ShortTimeFFT(WINDOW, 4, 1.0)

# name: a list of a function and its arguments, all of which are inputs of the recording.
CASES = {
    "fft": {
        **{name: [(getattr(fft, name), X), (getattr(fft, name), Z)] for name in ("fft", "ifft", "fftshift", "ifftshift")},
        **{name: [(getattr(fft, name), Z)] for name in ("irfft", "hfft", "fft2", "ifft2", "fftn", "ifftn", "irfft2",
                                                         "irfftn", "hfft2", "hfftn")},
        **{name: [(getattr(fft, name), X)] for name in ("rfft", "ihfft", "rfft2", "rfftn", "ihfft2", "ihfftn")},
        **{name: [(lambda x, f=getattr(fft, name), t=t: f(x, t, norm="ortho"), EVEN) for t in (1, 2, 3, 4)]
           for name in ("dct", "idct", "dst", "idst", "dctn", "idctn", "dstn", "idstn")},
        "mdct": [(fft.mdct, EVEN)],
        "imdct": [(fft.imdct, EVEN)],
        "fftfreq": [(lambda d: fft.fftfreq(7, d), *N(0.5))],
        "rfftfreq": [(lambda d: fft.rfftfreq(7, d), *N(0.5))],
        "czt": [(lambda x, w, a: fft.czt(x, 5, w, a), X, sa.asarray(0.9 - 0.4j), sa.asarray(1.1 + 0.2j))],
        "czt_points": [(lambda w, a: fft.czt_points(5, w, a), sa.asarray(0.9 - 0.4j), sa.asarray(1.1 + 0.2j))],
        "zoom_fft": [(lambda x, f: fft.zoom_fft(x, f, 5), X, sa.asarray([0.2, 0.5]))],
        "fht": [(fft.fht, X, *N(0.1, 0.5, 0.2, 0.1)), (lambda x: fft.fht(x, 0.1, 1.0), X)],
        "ifht": [(fft.ifht, X, *N(0.1, 0.5, 0.2, 0.1))],
        "fhtoffset": [(fft.fhtoffset, *N(0.1, 2.0, 0.5, 0.1))],
    },
    "windows": {
        **{name: [(lambda x, f=getattr(windows, name): x * f(8), EVEN), (lambda x, f=getattr(windows, name): x * f(8, sym=False), EVEN)]
           for name in ("barthann", "bartlett", "blackman", "blackmanharris", "bohman", "boxcar", "cosine", "flattop", "hamming",
                        "hann", "lanczos", "nuttall", "parzen", "triang")},
        "chebwin": [(lambda a: windows.chebwin(9, a), *N(60))],
        "dpss": [(lambda w: windows.dpss(9, w, 3, return_ratios=True), *N(2.2)), (lambda w: windows.dpss(8, w, sym=False), *N(2)),
                 (lambda w: windows.dpss(8, w, norm="subsample"), *N(2)), (lambda x: x * windows.dpss(8, 2.5), EVEN)],
        "exponential": [(lambda c, t: windows.exponential(9, c, t, sym=False), *N(3, 2))],
        "gaussian": [(lambda s: windows.gaussian(9, s), *N(2))],
        "general_cosine": [(lambda a: windows.general_cosine(9, a), H)],
        "general_gaussian": [(lambda p, s: windows.general_gaussian(9, p, s), *N(1.5, 2))],
        "general_hamming": [(lambda a: windows.general_hamming(9, a), *N(0.6))],
        "get_window": [(lambda b: windows.get_window(("kaiser", b), 9), *N(3)), (lambda a: windows.get_window(("tukey", a), 9), *N(0.4))],
        "kaiser": [(lambda b: windows.kaiser(9, b), *N(3))],
        "kaiser_bessel_derived": [(lambda b: windows.kaiser_bessel_derived(8, b), *N(3))],
        "taylor": [(lambda s: windows.taylor(9, sll=s), *N(30))],
        "tukey": [(lambda a: windows.tukey(9, a), *N(0.4)), (lambda a: windows.tukey(9, a, False), *N(0.7))],
    },
    "signal": {
        "ShortTimeFFT": [(lambda x, w: signal.ShortTimeFFT(w, 4, 1.0, scale_to="psd").stft(x), X, WINDOW),
                         (lambda x, w: (s := signal.ShortTimeFFT(w, 4, 1.0)).istft(s.stft(x), k1=60), X, WINDOW)],
        "allpole": [(signal.allpole, H / 9, X), (lambda a, x: signal.allpole(a, x, varying=True), H[:, None] / 9, X[:, :5])],
        "beamform": [(signal.beamform, Z.T[:, :4] * 1.0, sa.ones((4, 5, 3)) * Z[:, :, None])],
        "bessel": [(lambda w: signal.bessel(3, w), *N(0.3)), (lambda w: signal.bessel(3, w, norm="mag", output="sos"), *N(0.3))],
        "besselap": [(lambda x: x * signal.besselap(3)[1], *N(0.3))],
        "bilinear": [(signal.bilinear, B, A, *N(2))],
        "bilinear_zpk": [(signal.bilinear_zpk, *ZPK, *N(2))],
        "buttap": [(lambda x: x * signal.buttap(3)[1], *N(0.3))],
        "butter": [(lambda c: signal.butter(3, c, "band"), sa.asarray([0.2, 0.6])),
                   (lambda c: signal.butter(3, c, "bandstop", output="sos"), sa.asarray([0.2, 0.6]))],
        "buttord": [(lambda x: x * signal.buttord(*ORDERS)[1], *N(1))],
        "cheb1ap": [(lambda r: signal.cheb1ap(3, r), *N(1))],
        "cheb1ord": [(lambda x: x * signal.cheb1ord(*ORDERS)[1], *N(1))],
        "cheb2ap": [(lambda r: signal.cheb2ap(3, r), *N(40))],
        "cheb2ord": [(lambda x: x * signal.cheb2ord(*ORDERS)[1], *N(1))],
        "cheby1": [(lambda r, w: signal.cheby1(4, r, w, output="sos"), *N(1, 0.3))],
        "cheby2": [(lambda r, w: signal.cheby2(4, r, w), *N(40, 0.3))],
        "chirp": [(lambda f: signal.chirp(np.arange(5.0), f, 3.0, 2.0, method), *N(1)) for method in ("linear", "quadratic",
                  "logarithmic", "hyperbolic")],
        "closest_STFT_dual_window": [(lambda w, d: signal.closest_STFT_dual_window(w, 4, d), WINDOW + 0.2, WINDOW)],
        "coherence": [(lambda x: signal.coherence(x[0], x[1], nperseg=16), X)],
        "convolution_matrix": [(lambda h: signal.convolution_matrix(h, 4), H)],
        "convolve": [(lambda x, h: signal.convolve(x[0], h), X, H), (lambda x, h: signal.convolve(x, h[None], method="fft"), X, H)],
        "convolve2d": [(lambda x: signal.convolve2d(x, x[:, :3], boundary="wrap"), X)],
        "correlate": [(lambda x, h: signal.correlate(x[0], h, "same"), X, H)],
        "correlate2d": [(lambda x: signal.correlate2d(x, x[:, :3], boundary="symm"), X)],
        "csd": [(lambda x: signal.csd(x[0], x[1], nperseg=16, average="median"), X)],
        "cwt": [(lambda x, w: signal.cwt(x[0], signal.ricker, w), X, sa.asarray([1.0, 2.5]))],
        "decimate": [(lambda x: signal.decimate(x, 2), X), (lambda x: signal.decimate(x, 2, ftype="fir"), X)],
        "deconvolve": [(signal.deconvolve, H, A)],
        "detrend": [(signal.detrend, X), (lambda x: signal.detrend(x, bp=[20, 40]), X)],
        "ellip": [(lambda r, w: signal.ellip(3, r, 40.0, w, output="zpk"), *N(1, 0.3)), (lambda s: signal.ellip(4, 1.0, s, 0.3), *N(40))],
        "ellipap": [(lambda r, s: signal.ellipap(3, r, s), *N(1, 40))],
        "ellipord": [(lambda x: x * signal.ellipord(*ORDERS)[1], *N(1))],
        "envelope": [(signal.envelope, X)],
        "fftconvolve": [(lambda x, h: signal.fftconvolve(x, h[None]), X, H)],
        "filtfilt": [(signal.filtfilt, B, A, X), (lambda b, a, x: signal.filtfilt(b, a, x, method="gust"), B, A, X)],
        "findfreqs": [(lambda x: x * signal.findfreqs([1.0], [1.0, 8.0, 25.0], 5), *N(1))],
        "firls": [(lambda d, w: signal.firls(7, [0, 0.3, 0.5, 1], d, weight=w), sa.asarray([1.0, 1, 0, 0]), sa.asarray([1.0, 2.0]))],
        "firwin": [(lambda c: signal.firwin(11, c, pass_zero=False), sa.asarray([0.2, 0.6])),
                   (lambda c, w: signal.firwin(11, c, width=w), *N(0.3, 0.1))],
        "firwin2": [(lambda g: signal.firwin2(11, [0, 0.4, 1], g), sa.asarray([1.0, 1.0, 0.0]))],
        "freqs": [(lambda b, a, w: signal.freqs(b, a, w), B, A, T)],
        "freqs_zpk": [(signal.freqs_zpk, *ZPK, T)],
        "freqz": [(lambda b, a: signal.freqz(b, a, 16), B, A), (signal.freqz, B, A, T)],
        "freqz_sos": [(signal.freqz_sos, SOS, T)],
        "freqz_zpk": [(signal.freqz_zpk, *ZPK, T)],
        "gausspulse": [(lambda t, f: signal.gausspulse(t, f, retquad=True, retenv=True), T, *N(5))],
        "goertzel": [(signal.goertzel, X, T)],
        "griffin_lim": [(lambda s: signal.griffin_lim(s, SFT, 20, n_iter=2), MAGNITUDES)],
        "group_delay": [(lambda b, a: signal.group_delay((b, a), 8), B, A)],
        "harmonic_percussive": [(lambda s: signal.harmonic_percussive(s, (5, 1)), MAGNITUDES)],
        "hilbert": [(signal.hilbert, X)],
        "hilbert2": [(signal.hilbert2, X)],
        "hz_to_mel": [(lambda f: signal.hz_to_mel(f, s), T * 4000) for s in ("htk", "slaney")],
        "iirdesign": [(lambda x: signal.sosfilt(signal.iirdesign(*ORDERS, output="sos"), x), X)],
        "iirfilter": [(lambda w: signal.iirfilter(2, w, ftype="butter"), sa.asarray([0.2, 0.6]))],
        "iirnotch": [(signal.iirnotch, *N(0.3, 20))],
        "iirpeak": [(signal.iirpeak, *N(0.3, 20))],
        "istft": [(lambda x: signal.istft(signal.stft(x, nperseg=16)[2], nperseg=16), X)],
        "kaiser_atten": [(lambda w: signal.kaiser_atten(9, w), *N(0.3))],
        "kaiser_beta": [(signal.kaiser_beta, *N(30)), (signal.kaiser_beta, *N(60))],
        "lfilter": [(signal.lfilter, B, A, X), (lambda b, a, x, zi: signal.lfilter(b, a, x, zi=zi), B, A, X[0], H[:2])],
        "lfilter_zi": [(signal.lfilter_zi, B, A)],
        "lfiltic": [(signal.lfiltic, B, A, H[:2], H[2:4])],
        "lombscargle": [(lambda x, w: signal.lombscargle(x[0], x[1], w, floating_mean=True), X, T)],
        "lp2bp": [(signal.lp2bp, B, A, *N(1, 0.5))],
        "lp2bp_zpk": [(signal.lp2bp_zpk, *ZPK, *N(1, 0.5))],
        "lp2bs": [(signal.lp2bs, B, A, *N(1, 0.5))],
        "lp2bs_zpk": [(signal.lp2bs_zpk, *ZPK, *N(1, 0.5))],
        "lp2hp": [(signal.lp2hp, B, A, *N(0.5))],
        "lp2hp_zpk": [(signal.lp2hp_zpk, *ZPK, *N(0.5))],
        "lp2lp": [(signal.lp2lp, B, A, *N(0.5))],
        "lp2lp_zpk": [(signal.lp2lp_zpk, *ZPK, *N(0.5))],
        "medfilt": [(lambda x: signal.medfilt(x, (1, 5)), X)],
        "medfilt2d": [(signal.medfilt2d, MAGNITUDES)],
        "mel_filter_bank": [(lambda a, b: signal.mel_filter_bank(4, 64, 8000.0, a, b), *N(100, 3500))],
        "mel_spectrogram": [(lambda x: signal.mel_spectrogram(x, 100.0, n_fft=16, n_mels=6), X)],
        "mel_to_hz": [(lambda m: signal.mel_to_hz(m, s), T * 50) for s in ("htk", "slaney")],
        "mfcc": [(lambda x: signal.mfcc(x, 100.0, 3, n_fft=16, n_mels=6), X)],
        "minimum_phase": [(signal.minimum_phase, signal.firwin(7, 0.5)), (lambda h: signal.minimum_phase(h, "hilbert"), signal.firwin(7, 0.5))],
        "morlet2": [(lambda s, w: signal.morlet2(9, s, w), *N(2, 5))],
        "mvdr": [(lambda z, m: signal.mvdr(z, m, solution=s), SPECTRA, sa.full((4, 6), 0.4) + 0.1 * sa.sin(sa.arange(6.0)))
                 for s in ("ref_channel", "stv_evd", "stv_power")],
        "mvdr_weights": [(lambda s, n: signal.mvdr_weights(s, n, 1), *COVARIANCES)],
        "normalize": [(signal.normalize, B, A)],
        "oaconvolve": [(lambda x, h: signal.oaconvolve(x, h[None], axes=-1), X, H)],
        "order_filter": [(lambda x: signal.order_filter(x, np.ones((1, 3)), 1), X)],
        "periodogram": [(lambda x, fs: signal.periodogram(x, fs, "hann"), X, *N(2))],
        "resample": [(lambda x: signal.resample(x, 37, axis=1, window="hann"), X)],
        "resample_poly": [(lambda x: signal.resample_poly(x, 3, 2, axis=1, padtype=p), X) for p in ("line", "constant", "median")],
        "ricker": [(lambda a: signal.ricker(9, a), *N(2))],
        "savgol_coeffs": [(lambda d: signal.savgol_coeffs(7, 2, 1, d), *N(0.5))],
        "savgol_filter": [(lambda x: signal.savgol_filter(x, 7, 2), X)],
        "sawtooth": [(signal.sawtooth, T * 9, *N(0.3))],
        "sos2tf": [(signal.sos2tf, SOS)],
        "sos2zpk": [(signal.sos2zpk, SOS)],
        "sosfilt": [(signal.sosfilt, SOS, X), (lambda s, x, zi: signal.sosfilt(s, x, zi=zi), SOS, X[0], EVEN[:2, :2])],
        "sosfilt_zi": [(signal.sosfilt_zi, SOS)],
        "sosfiltfilt": [(signal.sosfiltfilt, SOS, X)],
        "sosfreqz": [(signal.sosfreqz, SOS, T)],
        "spatial_covariance": [(lambda z, m: signal.spatial_covariance(z, m, (sa.matmul(PAIR, sa.conj(PAIR.mT)), 2.0)), SPECTRA, sa.full((4, 6), 0.4))],
        "spectrogram": [(lambda x: signal.spectrogram(x, nperseg=16, mode=m), X) for m in ("psd", "magnitude", "phase")],
        "square": [(signal.square, T * 9, *N(0.3))],
        "stft": [(lambda x, w: signal.stft(x, 1.0, w, 16), X, WINDOW)],
        "sweep_poly": [(signal.sweep_poly, T, H)],
        "tf2sos": [(lambda b: signal.tf2sos(b, [1.0, 0.2, 0.5]), sa.asarray([1.0, -0.4, 0.7])), (signal.tf2sos, B, A)],
        "tf2zpk": [(signal.tf2zpk, sa.asarray([1.0, -0.4, 0.7, 0.1]), A)],
        "torch_istft": [(lambda x: signal.torch_istft(signal.torch_stft(x, 16, window="hann"), 16, window="hann"), X)],
        "torch_stft": [(lambda x, w: signal.torch_stft(x, 16, window=w), X, WINDOW)],
        "unit_impulse": [(lambda x: x * signal.unit_impulse(8, 3), EVEN)],
        "upfirdn": [(lambda h, x: signal.upfirdn(h, x, 3, 2), H, X)],
        "welch": [(lambda x, fs, w: signal.welch(x, fs, w), X, *N(2), WINDOW)],
        "wiener": [(lambda x: signal.wiener(x[0], 5), X)],
        "zpk2sos": [(signal.zpk2sos, *ZPK)],
        "zpk2tf": [(signal.zpk2tf, *ZPK)],
    },
}  # fmt: skip

# What no program computes: plain numbers from plain numbers, and results whose shape depends on values.
NOT_RECORDED = {
    "fft": {"get_workers", "next_fast_len", "prev_fast_len", "set_workers"},
    "windows": set(),
    "signal": {"BadCoefficients", "argrelextrema", "argrelmax", "argrelmin", "check_COLA", "check_NOLA", "choose_conv_method",
               "correlation_lags", "czt", "czt_points", "find_peaks", "kaiserord", "peak_prominences", "peak_widths", "windows",
               "zoom_fft"},
}  # fmt: skip
# Made of `linalg.lstsq`, whose rule is Python.
NOT_SAVED = {("filtfilt", 1)}


@pytest.mark.parametrize("space", CASES)
def test_the_table_is_complete(space):
    names = set({"fft": fft, "windows": windows, "signal": signal}[space].__all__)
    assert names == CASES[space].keys() | NOT_RECORDED[space]


def flat(tree):
    return [np.asarray(v) for v in (tree if isinstance(tree, (tuple, list)) else [tree])]


def same(got, want):
    assert len(got) == len(want)
    for g, w in zip(got, want):
        assert g.dtype == w.dtype
        np.testing.assert_allclose(g, w, rtol=1e-9, atol=1e-11 * np.abs(w).max(initial=1.0))


@pytest.mark.parametrize(("space", "name"), [(space, name) for space in CASES for name in CASES[space]])
def test_replay(space, name, tmp_path):
    for k, (f, *args) in enumerate(CASES[space][name]):
        program = sa.record(f)
        for scale in (1.0, 1.1, 1.1):
            scaled = [a * scale for a in args]
            same(flat(program(*scaled)), flat(f(*scaled)))
        if (name, k) not in NOT_SAVED:
            program.graphs[0].save(tmp_path / "program.zip")
            got = sa.graph.load(tmp_path / "program.zip")(*args)
            same([np.asarray(g) for g in got], [np.asarray(g) for g in program.graphs[0](*args)])


@pytest.mark.parametrize(
    ("call", "args"),
    [
        (signal.find_peaks, [X[0]]),
        (lambda x: signal.peak_widths(x, [3]), [X[0]]),
        (signal.argrelmax, [X[0]]),
        (signal.buttord, N(*ORDERS)),
        (signal.iirdesign, N(*ORDERS)),
        (lambda f: signal.firwin2(9, f, [1.0, 0.0]), [sa.asarray([0.0, 1.0])]),
    ],
)
def test_shapes_that_depend_on_values(call, args):
    with pytest.raises(RuntimeError, match=r"\w+: the values of an argument decide on the shape of the result"):
        sa.record(call)(*args)
