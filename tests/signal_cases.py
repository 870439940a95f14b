"""Calls of every public function of `fft` and `signal`, whose arguments are the arrays that it is differentiable in."""

from __future__ import annotations

from functools import partial

import numpy as np

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
SOS = sa.asarray([[0.5, 0.2, 0.1, -0.4, 0.3], [1.0, 0.3, 0.2, 0.2, 0.1]])
B, A = sa.asarray([0.5, 0.2, -0.3]), sa.asarray([1.2, -0.4, 0.3])
ZPK = sa.asarray([0.3 + 0.2j, -0.6 + 0.1j]), sa.asarray([0.5 + 0.1j, 0.3 - 0.4j]), sa.asarray(0.7)
ORDERS = 0.2, 0.3, 1.0, 40.0
T = sa.asarray(np.linspace(0.05, 0.95, 7))
N = lambda *xs: [sa.asarray(float(x)) for x in xs]
C = X + 1j * X[::-1]
sections = lambda c: sa.concat([c[:, :3], sa.ones((2, 1), device=c.device), c[:, 3:]], 1)
times = lambda f, *args, **kwargs: lambda x: x * f(*args, **kwargs).to(x.device)
pairs = lambda r: sa.concat([r, sa.conj(r)])
SFT = signal.ShortTimeFFT(WINDOW, 4, 1.0)

# name: a list of a function and its arguments, all of which are inputs of the recording.
CASES = {
    "fft": {
        **{
            name: [(getattr(fft, name), X), (getattr(fft, name), Z)]
            for name in ("fft", "ifft", "fftshift", "ifftshift")
        },
        **{
            name: [(getattr(fft, name), Z)]
            for name in ("irfft", "hfft", "fft2", "ifft2", "fftn", "ifftn", "irfft2", "irfftn", "hfft2", "hfftn")
        },
        **{name: [(getattr(fft, name), X)] for name in ("rfft", "ihfft", "rfft2", "rfftn", "ihfft2", "ihfftn")},
        **{
            name: [(partial(getattr(fft, name), type=t, norm="ortho"), EVEN) for t in (1, 2, 3, 4)]
            for name in ("dct", "idct", "dst", "idst", "dctn", "idctn", "dstn", "idstn")
        },
        "mdct": [(fft.mdct, EVEN)],
        "imdct": [(fft.imdct, EVEN)],
        "fftfreq": [(lambda d: fft.fftfreq(7, d), *N(0.5))],
        "rfftfreq": [(lambda d: fft.rfftfreq(7, d), *N(0.5))],
        "czt": [(lambda x, w, a: fft.czt(x, 5, w, a), EVEN, sa.asarray(0.9 - 0.4j), sa.asarray(1.1 + 0.2j))],
        "czt_points": [(lambda w, a: fft.czt_points(5, w, a), sa.asarray(0.9 - 0.4j), sa.asarray(1.1 + 0.2j))],
        "zoom_fft": [(lambda x, f: fft.zoom_fft(x, f, 5), X, sa.asarray([0.2, 0.5]))],
        "fht": [(fft.fht, X, *N(0.1, 0.5, 0.2, 0.1)), (lambda x: fft.fht(x, 0.1, 1.0), X)],
        "ifht": [(fft.ifht, X, *N(0.1, 0.5, 0.2, 0.1))],
        "fhtoffset": [(fft.fhtoffset, *N(0.1, 2.0, 0.5, 0.1))],
    },
    "windows": {
        **{
            name: [
                (times(getattr(windows, name), 8), EVEN),
                (times(getattr(windows, name), 8, sym=False), EVEN),
            ]
            for name in (
                "barthann",
                "bartlett",
                "blackman",
                "blackmanharris",
                "bohman",
                "boxcar",
                "cosine",
                "flattop",
                "hamming",
                "hann",
                "lanczos",
                "nuttall",
                "parzen",
                "triang",
            )
        },
        "chebwin": [(lambda a: windows.chebwin(9, a), *N(60))],
        "dpss": [
            (lambda w: windows.dpss(9, w, 3, return_ratios=True), *N(2.2)),
            (lambda w: windows.dpss(8, w, sym=False), *N(2)),
            (lambda w: windows.dpss(8, w, norm="subsample"), *N(2)),
            (times(windows.dpss, 8, 2.5), EVEN),
        ],
        "exponential": [(lambda c, t: windows.exponential(9, c, t, sym=False), *N(3.3, 2))],
        "gaussian": [(lambda s: windows.gaussian(9, s), *N(2))],
        "general_cosine": [(lambda a: windows.general_cosine(9, a), H)],
        "general_gaussian": [(lambda p, s: windows.general_gaussian(9, p, s), *N(1.5, 2))],
        "general_hamming": [(lambda a: windows.general_hamming(9, a), *N(0.6))],
        "get_window": [
            (lambda b: windows.get_window(("kaiser", b), 9), *N(3)),
            (lambda a: windows.get_window(("tukey", a), 9), *N(0.4)),
        ],
        "kaiser": [(lambda b: windows.kaiser(9, b), *N(3))],
        "kaiser_bessel_derived": [(lambda b: windows.kaiser_bessel_derived(8, b), *N(3))],
        "taylor": [(lambda s: windows.taylor(9, sll=s), *N(30))],
        "tukey": [(lambda a: windows.tukey(9, a), *N(0.4)), (lambda a: windows.tukey(9, a, False), *N(0.7))],
    },
    "signal": {
        "ShortTimeFFT": [
            (lambda x, w: signal.ShortTimeFFT(w, 4, 1.0, scale_to="psd").stft(x), X, WINDOW),
            (lambda x, w: (s := signal.ShortTimeFFT(w, 4, 1.0)).istft(s.stft(x), k1=60), X, WINDOW),
            (lambda x, w: signal.ShortTimeFFT(w, 4, 1.0, fft_mode="centered").spectrogram(x), C, WINDOW),
        ],
        "allpole": [
            (signal.allpole, H / 9, X),
            (lambda a, x: signal.allpole(a, x, varying=True), H[:, None] / 9, X[:, :5]),
            (lambda a, x: signal.allpole(a, x, varying=True), Z.T / 9, C[:, :5]),
        ],
        "beamform": [(signal.beamform, Z.T[:, :4] * 1.0, sa.ones((4, 5, 3)) * Z[:, :, None])],
        "bessel": [
            (lambda w: signal.bessel(3, w), *N(0.3)),
            (lambda w: signal.bessel(3, w, norm="mag", output="sos"), *N(0.3)),
        ],
        "besselap": [(lambda x: x * signal.besselap(3)[1].to(x.device), *N(0.3))],
        "bilinear": [(signal.bilinear, B, A, *N(2))],
        "bilinear_zpk": [(signal.bilinear_zpk, *ZPK, *N(2))],
        "buttap": [(lambda x: x * signal.buttap(3)[1].to(x.device), *N(0.3))],
        "butter": [
            (lambda c: signal.butter(3, c, "band"), sa.asarray([0.2, 0.6])),
            (lambda c: signal.butter(3, c, "bandstop", output="sos"), sa.asarray([0.2, 0.6])),
        ],
        "buttord": [(lambda *t: signal.buttord(*t)[1], *N(*ORDERS))],
        "cheb1ap": [(lambda r: signal.cheb1ap(3, r), *N(1))],
        "cheb1ord": [(lambda *t: signal.cheb1ord(*t)[1], *N(*ORDERS))],
        "cheb2ap": [(lambda r: signal.cheb2ap(3, r), *N(40))],
        "cheb2ord": [(lambda *t: signal.cheb2ord(*t)[1], *N(*ORDERS))],
        "cheby1": [(lambda r, w: signal.cheby1(4, r, w, output="sos"), *N(1, 0.3))],
        "cheby2": [(lambda r, w: signal.cheby2(4, r, w), *N(40, 0.3))],
        "chirp": [
            (lambda f, m=m: signal.chirp(sa.arange(5.0, device=f.device), f, 3.0, 2.0, m), *N(1))
            for m in ("linear", "quadratic", "logarithmic", "hyperbolic")
        ],
        "closest_STFT_dual_window": [(lambda w, d: signal.closest_STFT_dual_window(w, 4, d), WINDOW + 0.2, WINDOW)],
        "coherence": [
            (lambda x: signal.coherence(x[0], x[1], nperseg=16), X),
            (lambda x: signal.coherence(x[0], x[1], nperseg=16), C),
        ],
        "convolution_matrix": [
            (lambda h: signal.convolution_matrix(h, 4), H),
            (lambda h: signal.convolution_matrix(h, 4, "same"), Z[0]),
        ],
        "convolve": [
            (lambda x, h: signal.convolve(x[0], h), X, H),
            (lambda x, h: signal.convolve(x, h[None], method="fft"), X, H),
            (lambda x, h: signal.convolve(x[0], h), C, Z[0]),
        ],
        "convolve2d": [(lambda x: signal.convolve2d(x, x[:, :3], boundary="wrap"), X), (signal.convolve2d, Z, H[None])],
        "correlate": [
            (lambda x, h: signal.correlate(x[0], h, "same"), X, H),
            (lambda x, h: signal.correlate(x, h), C[0], Z[0]),
            (lambda x, h: signal.correlate(x, h, method="fft"), Z, Z[:2, :2]),
        ],
        "correlate2d": [
            (lambda x: signal.correlate2d(x, x[:, :3], boundary="symm"), X),
            (lambda x, h: signal.correlate2d(x, h, "same"), Z, Z[:2, :2]),
        ],
        "csd": [
            (lambda x: signal.csd(x[0], x[1], nperseg=16, average="median"), X),
            (lambda x: signal.csd(x[0], x[1], nperseg=16, return_onesided=False), C),
        ],
        "cwt": [(lambda x, w: signal.cwt(x[0], signal.ricker, w), X, sa.asarray([1.03, 2.53]))],
        "decimate": [
            (lambda x: signal.decimate(x, 2), X),
            (lambda x: signal.decimate(x, 2, ftype="fir"), X),
            (lambda x: signal.decimate(x, 2, zero_phase=False), C),
        ],
        "deconvolve": [(signal.deconvolve, H, A), (signal.deconvolve, Z[0], A)],
        "detrend": [(signal.detrend, X), (lambda x: signal.detrend(x, bp=[20, 40]), X), (signal.detrend, C)],
        "ellip": [
            (lambda r, w: signal.ellip(3, r, 40.0, w, output="zpk"), *N(1, 0.3)),
            (lambda s: signal.ellip(4, 1.0, s, 0.3), *N(40)),
        ],
        "ellipap": [(lambda r, s: signal.ellipap(3, r, s), *N(1, 40))],
        "ellipord": [(lambda *t: signal.ellipord(*t)[1], *N(*ORDERS))],
        "envelope": [
            (signal.envelope, X),
            (lambda z: signal.envelope(z, (None, None), squared=True, residual=None), C),
        ],
        "fftconvolve": [
            (lambda x, h: signal.fftconvolve(x, h[None]), X, H),
            (lambda x, h: signal.fftconvolve(x, h, "same"), Z, Z[:2]),
        ],
        "filtfilt": [
            (signal.filtfilt, B, A, X),
            (lambda b, a, x: signal.filtfilt(b, a, x, method="gust"), B, A, X),
            (lambda b, a, x: signal.filtfilt(b, a, x, padtype="even"), B, A, C),
        ],
        "findfreqs": [
            (lambda x, b, a: x * signal.findfreqs(b, a, 5), *N(1), B, A),
            (lambda x, z, p: x * signal.findfreqs(z, p, 5, "zp"), *N(1), *ZPK[:2]),
        ],
        "firls": [
            (
                lambda b, d, w: signal.firls(7, b, d, weight=w),
                sa.asarray([0.05, 0.3, 0.5, 0.9]),
                sa.asarray([1.0, 1.2, 0.3, 0.1]),
                sa.asarray([1.0, 2.0]),
            )
        ],
        "firwin": [
            (lambda c: signal.firwin(11, c, pass_zero=False), sa.asarray([0.2, 0.6])),
            (lambda c, w: signal.firwin(11, c, width=w), *N(0.3, 0.1)),
        ],
        "firwin2": [
            (
                lambda f, g: signal.firwin2(11, sa.concat([sa.zeros(1), f, f, sa.ones(1)]), g),
                sa.asarray([0.41]),
                sa.asarray([1.0, 0.9, 0.2, 0.1]),
            ),
            (lambda f: signal.firwin2(8, sa.concat([sa.zeros(1), f, sa.ones(1)]), [1.0, 0.7, 0.0]), sa.asarray([0.41])),
        ],
        "freqs": [(lambda b, a, w: signal.freqs(b, a, w), B, A, T)],
        "freqs_zpk": [(signal.freqs_zpk, *ZPK, T)],
        "freqz": [
            (lambda b, a: signal.freqz(b, a, 16), B, A),
            (signal.freqz, B, A, T),
            (lambda b, a: signal.freqz(b, a, 7), Z[0], Z[1]),
        ],
        "freqz_sos": [(lambda c, w: signal.freqz_sos(sections(c), w), SOS, T)],
        "freqz_zpk": [(signal.freqz_zpk, *ZPK, T)],
        "gausspulse": [(lambda t, f: signal.gausspulse(t, f, retquad=True, retenv=True), T, *N(5))],
        "goertzel": [(signal.goertzel, X, T), (signal.goertzel, C, T)],
        "griffin_lim": [(lambda s: signal.griffin_lim(s, SFT, 20, n_iter=2), MAGNITUDES)],
        "group_delay": [(lambda b, a: signal.group_delay((b, a), 8), B, A)],
        "harmonic_percussive": [(lambda s: signal.harmonic_percussive(s, (5, 1)), MAGNITUDES)],
        "hilbert": [(signal.hilbert, X), (lambda x: signal.hilbert(x, 33, axis=0), X)],
        "hilbert2": [(signal.hilbert2, X)],
        "hz_to_mel": [(lambda f, s=s: signal.hz_to_mel(f, s), T * 4000) for s in ("htk", "slaney")],
        "iirdesign": [
            (lambda *t: signal.iirdesign(*t, output="sos"), *N(*ORDERS)),
            (lambda *t: signal.iirdesign(*t, ftype="cheby2"), *N(*ORDERS)),
        ],
        "iirfilter": [(lambda w: signal.iirfilter(2, w, ftype="butter"), sa.asarray([0.2, 0.6]))],
        "iirnotch": [(signal.iirnotch, *N(0.3, 20))],
        "iirpeak": [(signal.iirpeak, *N(0.3, 20))],
        "istft": [
            (lambda x: signal.istft(signal.stft(x, nperseg=16)[2], nperseg=16), X),
            (
                lambda x: signal.istft(
                    signal.stft(x, nperseg=16, return_onesided=False)[2], nperseg=16, input_onesided=False
                ),
                C,
            ),
        ],
        "kaiser_atten": [(lambda w: signal.kaiser_atten(9, w), *N(0.3))],
        "kaiser_beta": [(signal.kaiser_beta, *N(30)), (signal.kaiser_beta, *N(60))],
        "lfilter": [
            (signal.lfilter, B, A, X),
            (lambda b, a, x, zi: signal.lfilter(b, a, x, zi=zi), B, A, X[0], H[:2]),
            (signal.lfilter, Z[0, :3], A, C),
            (
                lambda b, a, x: signal.lfilter(b[:, None], a[:, None], x),
                EVEN[:, :3],
                EVEN[:, 4:6] / 9 + np.array([1.0, 0.0]),
                X,
            ),
        ],
        "lfilter_zi": [(signal.lfilter_zi, B, A), (signal.lfilter_zi, Z[0, :3], A)],
        "lfiltic": [(signal.lfiltic, B, A, H[:2], H[2:4]), (signal.lfiltic, B, A, Z[0, :2], Z[1, :2])],
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
        "mel_filter_bank": [(lambda a, b: signal.mel_filter_bank(4, 64, 8000.0, a, b), *N(131, 3517))],
        "mel_spectrogram": [(lambda x: signal.mel_spectrogram(x, 100.0, n_fft=16, n_mels=6), X)],
        "mel_to_hz": [(lambda m, s=s: signal.mel_to_hz(m, s), T * 50) for s in ("htk", "slaney")],
        "mfcc": [(lambda x: signal.mfcc(x, 100.0, 3, n_fft=16, n_mels=6), X)],
        "minimum_phase": [
            (signal.minimum_phase, signal.firwin(7, 0.5)),
            (lambda h: signal.minimum_phase(h, "hilbert"), signal.firwin(7, 0.5)),
        ],
        "morlet2": [(lambda s, w: signal.morlet2(9, s, w), *N(2, 5))],
        "mvdr": [
            (
                lambda z, m, s=s: signal.mvdr(z, m, solution=s),
                SPECTRA,
                sa.full((4, 6), 0.4) + 0.1 * sa.sin(sa.arange(6.0)),
            )
            for s in ("ref_channel", "stv_evd", "stv_power")
        ],
        "mvdr_weights": [(lambda s, n: signal.mvdr_weights(s, n, 1), *COVARIANCES)],
        "normalize": [(signal.normalize, B, A)],
        "oaconvolve": [
            (lambda x, h: signal.oaconvolve(x, h[None], axes=-1), X, H),
            (lambda x, h: signal.oaconvolve(x, h, axes=-1), C, Z[:1]),
        ],
        "order_filter": [(lambda x: signal.order_filter(x, np.ones((1, 3)), 1), X)],
        "periodogram": [
            (lambda x, fs: signal.periodogram(x, fs, "hann"), X, *N(2)),
            (lambda x: signal.periodogram(x, detrend="linear", return_onesided=False), C),
        ],
        "resample": [
            (lambda x: signal.resample(x, 37, axis=1, window="hann"), X),
            (lambda x: signal.resample(x, 37, axis=1), C),
            (lambda x: signal.resample(x, 90, axis=1), X),
        ],
        "resample_poly": [
            *(
                (lambda x, p=p: signal.resample_poly(x, 3, 2, axis=1, padtype=p), X)
                for p in ("line", "constant", "median")
            ),
            (lambda x: signal.resample_poly(x, 2, 3, axis=1), C),
        ],
        "ricker": [(lambda a: signal.ricker(9, a), *N(2))],
        "savgol_coeffs": [(lambda d: signal.savgol_coeffs(7, 2, 1, d), *N(0.5))],
        "savgol_filter": [
            (lambda x: signal.savgol_filter(x, 7, 2), X),
            (lambda x: signal.savgol_filter(x, 5, 3, deriv=1, mode="nearest"), X),
        ],
        "sawtooth": [(signal.sawtooth, T * 9, *N(0.3))],
        "sos2tf": [(lambda c: signal.sos2tf(sections(c)), SOS)],
        "sos2zpk": [(lambda c: signal.sos2zpk(sections(c)), SOS)],
        "sosfilt": [
            (lambda c, x: signal.sosfilt(sections(c), x), SOS, X),
            (lambda c, x, zi: signal.sosfilt(sections(c), x, zi=zi), SOS, C[0], Z[:2, :2]),
        ],
        "sosfilt_zi": [(lambda c: signal.sosfilt_zi(sections(c)), SOS)],
        "sosfiltfilt": [
            (lambda c, x: signal.sosfiltfilt(sections(c), x), SOS, X),
            (lambda c, x: signal.sosfiltfilt(sections(c), x, padlen=3), SOS, C[0]),
        ],
        "sosfreqz": [(lambda c, w: signal.sosfreqz(sections(c), w), SOS, T)],
        "spatial_covariance": [
            (
                lambda z, m: signal.spatial_covariance(z, m, (sa.matmul(p := PAIR.to(z.device), sa.conj(p.mT)), 2.0)),
                SPECTRA,
                sa.full((4, 6), 0.4),
            )
        ],
        "spectrogram": [
            *((lambda x, m=m: signal.spectrogram(x, nperseg=16, mode=m), X) for m in ("psd", "magnitude", "phase")),
            (lambda x: signal.spectrogram(x, nperseg=16, mode="complex", return_onesided=False), C),
        ],
        "square": [(signal.square, T * 9, *N(0.3))],
        "stft": [
            (lambda x, w: signal.stft(x, 1.0, w, 16), X, WINDOW),
            (lambda x: signal.stft(x, nperseg=16, return_onesided=False), C),
        ],
        "sweep_poly": [(signal.sweep_poly, T, H)],
        "tf2sos": [(lambda b: signal.tf2sos(b, [1.0, 0.2, 0.5]), sa.asarray([1.0, -0.4, 0.7])), (signal.tf2sos, B, A)],
        "tf2zpk": [(signal.tf2zpk, sa.asarray([1.0, -0.4, 0.7, 0.1]), A)],
        "torch_istft": [(lambda x: signal.torch_istft(signal.torch_stft(x, 16, window="hann"), 16, window="hann"), X)],
        "torch_stft": [
            (lambda x, w: signal.torch_stft(x, 16, window=w), X, WINDOW),
            (lambda x, w: signal.torch_stft(x, 16, window=w), C, WINDOW),
        ],
        "unit_impulse": [(lambda x: x * signal.unit_impulse(8, 3).to(x.device), EVEN)],
        "upfirdn": [
            (lambda h, x: signal.upfirdn(h, x, 3, 2), H, X),
            (lambda h, x: signal.upfirdn(h, x, 2, 3, mode="reflect"), Z[0], C),
        ],
        "welch": [
            (lambda x, fs, w: signal.welch(x, fs, w), X, *N(2), WINDOW),
            (lambda x: signal.welch(x, nperseg=16, return_onesided=False), C),
        ],
        "wiener": [(lambda x: signal.wiener(x[0], 5), X)],
        "zpk2sos": [(lambda z, p, k: signal.zpk2sos(pairs(z), pairs(p), k), *ZPK)],
        "zpk2tf": [(lambda z, p, k: signal.zpk2tf(pairs(z), pairs(p), k), *ZPK), (signal.zpk2tf, *ZPK)],
    },
}
