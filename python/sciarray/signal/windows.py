"""Window functions, with the names and defaults of `scipy.signal.windows`; differentiable in their parameters.

``sym=True`` makes a symmetric window, for filter design; ``sym=False`` a periodic one, for spectra: the first M of M + 1
points. The reference for shapes and names is F. Harris, On the use of windows for harmonic analysis with the discrete
Fourier transform, Proc. IEEE 66 (1978), unless another one is given.
"""

from __future__ import annotations

from collections.abc import Callable
from math import pi
from operator import index
from typing import Any

import numpy as np

from .. import _core
from .._arguments import known, on_cpu
from .._core import Array
from .._creation import asarray, ones
from .._linear import matvec
from ..fft import irfft, next_fast_len, rfft
from ..linalg import eigh

__all__ = [
    "barthann",
    "bartlett",
    "blackman",
    "blackmanharris",
    "bohman",
    "boxcar",
    "chebwin",
    "cosine",
    "dpss",
    "exponential",
    "flattop",
    "gaussian",
    "general_cosine",
    "general_gaussian",
    "general_hamming",
    "get_window",
    "hamming",
    "hann",
    "kaiser",
    "kaiser_bessel_derived",
    "lanczos",
    "nuttall",
    "parzen",
    "taylor",
    "triang",
    "tukey",
]


def _points(name: str, M: int, sym: bool, f: Callable[[int], Any]) -> Array:
    """The window ``f`` of M points; of up to one point it is 1."""
    try:
        n = index(M)
    except TypeError:
        n = int(M) if float(M).is_integer() else -1
    if n < 0:
        raise ValueError(f"{name}: M must be an integer that is not negative, got {M}")
    if n <= 1:
        return ones(n)
    return asarray(f(n)) if sym else asarray(f(n + 1))[:n]


def _centred(n: int) -> np.ndarray:
    return np.arange(n) - (n - 1) / 2


def _parameter(x: Any) -> Array:
    return asarray(x, dtype=_core.float64)


def boxcar(M: int, sym: bool = True) -> Array:
    """Ones.

    Example
    -------
    >>> sa.signal.windows.boxcar(3)
    array([1., 1., 1.])
    """
    return _points("boxcar", M, sym, ones)


def triang(M: int, sym: bool = True) -> Array:
    """A triangle whose zeros lie outside of the window.

    Example
    -------
    >>> sa.signal.windows.triang(3)
    array([0.5, 1. , 0.5])
    """
    return _points("triang", M, sym, lambda n: 1 - np.abs(_centred(n)) * 2 / (n + n % 2))


def bartlett(M: int, sym: bool = True) -> Array:
    """A triangle with zeros at its ends.

    Example
    -------
    >>> sa.signal.windows.bartlett(5)
    array([0. , 0.5, 1. , 0.5, 0. ])
    """
    return _points("bartlett", M, sym, lambda n: 1 - np.abs(_centred(n)) * 2 / (n - 1))


def parzen(M: int, sym: bool = True) -> Array:
    """The fourfold convolution of a box, made of two cubics.

    Example
    -------
    >>> sa.signal.windows.parzen(4)
    array([0.03125, 0.71875, 0.71875, 0.03125])
    """

    def f(n: int) -> np.ndarray:
        r = np.abs(_centred(n)) * 2 / n
        return np.where(r <= (n - 1) / (2 * n), 1 - 6 * r**2 * (1 - r), 2 * (1 - r) ** 3)

    return _points("parzen", M, sym, f)


def bohman(M: int, sym: bool = True) -> Array:
    """The convolution of two half periods of a cosine.

    Example
    -------
    >>> sa.signal.windows.bohman(3)
    array([0., 1., 0.])
    """

    def f(n: int) -> np.ndarray:
        r = np.abs(_centred(n))[1:-1] * 2 / (n - 1)
        return np.concatenate([[0], (1 - r) * np.cos(pi * r) + np.sin(pi * r) / pi, [0]])

    return _points("bohman", M, sym, f)


@on_cpu
def general_cosine(M: int, a: Any, sym: bool = True) -> Array:
    """``sum_k (-1)**k a_k cos(2 pi k j / (M - 1))``, differentiable in the coefficients ``a``.

    Example
    -------
    >>> sa.signal.windows.general_cosine(3, [0.5, 0.5])
    array([0., 1., 0.])
    """
    a = _parameter(a)
    if a.ndim != 1:
        raise ValueError(f"general_cosine: the coefficients must be a vector, got shape {a.shape}")

    def f(n: int) -> Array:
        angles = np.linspace(-pi, pi, n)
        return matvec(np.cos(angles[:, None] * np.arange(a.size)), a)

    return _points("general_cosine", M, sym, f)


def _cosines(name: str, M: int, a: tuple[float, ...], sym: bool) -> Array:
    def f(n: int) -> np.ndarray:
        return sum(c * np.cos(k * np.linspace(-pi, pi, n)) for k, c in enumerate(a))  # type: ignore[return-value]

    return _points(name, M, sym, f)


def blackman(M: int, sym: bool = True) -> Array:
    """Three cosine terms, with sidelobes of -58 dB.

    Example
    -------
    >>> sa.signal.windows.blackman(3)[1]
    array(1.)
    """
    return _cosines("blackman", M, (0.42, 0.5, 0.08), sym)


def nuttall(M: int, sym: bool = True) -> Array:
    """Four cosine terms, the Blackman-Harris window of Nuttall with sidelobes of -98 dB.

    A. Nuttall, Some windows with very good sidelobe behavior, IEEE Trans. ASSP 29 (1981).

    Example
    -------
    >>> sa.signal.windows.nuttall(3)[1]
    array(1.)
    """
    return _cosines("nuttall", M, (0.3635819, 0.4891775, 0.1365995, 0.0106411), sym)


def blackmanharris(M: int, sym: bool = True) -> Array:
    """Four cosine terms, with sidelobes of -92 dB.

    Example
    -------
    >>> sa.signal.windows.blackmanharris(3)[1]
    array(1.)
    """
    return _cosines("blackmanharris", M, (0.35875, 0.48829, 0.14128, 0.01168), sym)


def flattop(M: int, sym: bool = True) -> Array:
    """Five cosine terms, for reading amplitudes between frequencies.

    G. D'Antona, A. Ferrero, Digital signal processing for measurement systems, Springer (2006).

    Example
    -------
    >>> round(float(sa.signal.windows.flattop(3)[1]), 6)
    1.0
    """
    return _cosines("flattop", M, (0.21557895, 0.41663158, 0.277263158, 0.083578947, 0.006947368), sym)


def hann(M: int, sym: bool = True) -> Array:
    """A raised cosine.

    Example
    -------
    >>> sa.signal.windows.hann(5)
    array([0. , 0.5, 1. , 0.5, 0. ])
    """
    return _cosines("hann", M, (0.5, 0.5), sym)


def hamming(M: int, sym: bool = True) -> Array:
    """A raised cosine on a step, with sidelobes of -43 dB.

    Example
    -------
    >>> sa.signal.windows.hamming(3)
    array([0.08, 1.  , 0.08])
    """
    return _cosines("hamming", M, (0.54, 0.46), sym)


@on_cpu
def general_hamming(M: int, alpha: Any, sym: bool = True) -> Array:
    """``alpha - (1 - alpha) cos(2 pi j / (M - 1))``, differentiable in ``alpha``.

    Example
    -------
    >>> sa.signal.windows.general_hamming(3, 0.75)
    array([0.5, 1. , 0.5])
    """
    alpha = _parameter(alpha)
    return _points("general_hamming", M, sym, lambda n: alpha + (1 - alpha) * asarray(np.cos(np.linspace(-pi, pi, n))))


def barthann(M: int, sym: bool = True) -> Array:
    """A mixture of the windows of Bartlett and Hann.

    Y. Ha, J. Pearce, A new window and comparison to standard windows, IEEE Trans. ASSP 37 (1989).

    Example
    -------
    >>> sa.signal.windows.barthann(3)
    array([0., 1., 0.])
    """

    def f(n: int) -> np.ndarray:
        r = np.abs(_centred(n) / (n - 1))
        return 0.62 - 0.48 * r + 0.38 * np.cos(2 * pi * r)

    return _points("barthann", M, sym, f)


def cosine(M: int, sym: bool = True) -> Array:
    """Half a period of a sine.

    Example
    -------
    >>> sa.signal.windows.cosine(3)
    array([0.5, 1. , 0.5])
    """
    return _points("cosine", M, sym, lambda n: np.sin(pi / n * (np.arange(n) + 0.5)))


def lanczos(M: int, *, sym: bool = True) -> Array:
    """The main lobe of a sinc function.

    Example
    -------
    >>> sa.signal.windows.lanczos(3)
    array([0., 1., 0.])
    """
    return _points("lanczos", M, sym, lambda n: _core.sinc(_centred(n) * 2 / (n - 1)))


@on_cpu
def tukey(M: int, alpha: Any = 0.5, sym: bool = True) -> Array:
    """Flat in the middle, with halves of a raised cosine over the fraction ``alpha`` at the ends; differentiable in it.

    Example
    -------
    >>> sa.signal.windows.tukey(5, 0.5)
    array([0., 1., 1., 1., 0.])
    """
    alpha = _parameter(alpha)
    part = _core.where(_core.logical_or(alpha >= 1, alpha <= 0), 1.0, alpha)

    def f(n: int) -> Array:
        place = (n - 1) / 2 - np.abs(_centred(n))
        side = 0.5 - 0.5 * _core.cos(asarray(2 * pi / (n - 1) * place) / part)
        return _core.where(_core.logical_or(place > _core.floor(part * ((n - 1) / 2)), alpha <= 0), 1.0, side)

    return _points("tukey", M, sym, f)


@on_cpu
def gaussian(M: int, std: Any, sym: bool = True) -> Array:
    """``exp(-j**2 / (2 std**2))`` of the distance j from the middle, differentiable in ``std``.

    Example
    -------
    >>> sa.signal.windows.gaussian(3, 1.0)
    array([0.60653066, 1.        , 0.60653066])
    """
    std = _parameter(std)
    return _points("gaussian", M, sym, lambda n: _core.exp(-0.5 * _core.square(_centred(n) / std)))


@on_cpu
def general_gaussian(M: int, p: Any, sig: Any, sym: bool = True) -> Array:
    """``exp(-abs(j / sig)**(2 p) / 2)`` of the distance j from the middle, differentiable in ``p`` and ``sig``.

    Example
    -------
    >>> sa.signal.windows.general_gaussian(3, 1.0, 1.0)
    array([0.60653066, 1.        , 0.60653066])
    """
    p, sig = _parameter(p), _parameter(sig)

    def f(n: int) -> Array:
        return _core.exp(-0.5 * _core.pow(_core.abs(_centred(n) / sig), 2 * p))

    return _points("general_gaussian", M, sym, f)


@on_cpu
def exponential(M: int, center: Any = None, tau: Any = 1.0, sym: bool = True) -> Array:
    """``exp(-abs(j - center) / tau)``, centred unless a periodic window has a ``center``; differentiable in both.

    Example
    -------
    >>> sa.signal.windows.exponential(3, tau=1.0)
    array([0.36787944, 1.        , 0.36787944])
    """
    if sym and center is not None:
        raise ValueError("exponential: a symmetric window has its center in the middle, got a center beside sym=True")
    tau = _parameter(tau)

    def f(n: int) -> Array:
        place = _centred(n) if center is None else np.arange(n) - _parameter(center)
        return _core.exp(-_core.abs(place) / tau)

    return _points("exponential", M, sym, f)


@on_cpu
def kaiser(M: int, beta: Any, sym: bool = True) -> Array:
    """``I0(beta sqrt(1 - r**2)) / I0(beta)`` at r from -1 to 1, differentiable in ``beta``.

    J. Kaiser, R. Schafer, On the use of the I0-sinh window for spectrum analysis, IEEE Trans. ASSP 28 (1980).

    Example
    -------
    >>> sa.signal.windows.kaiser(3, 0.0)
    array([1., 1., 1.])
    """
    beta = _parameter(beta)

    def f(n: int) -> Array:
        height = np.sqrt(np.maximum(1 - np.square(_centred(n) * 2 / (n - 1)), 0))
        return _core.i0(beta * height) / _core.i0(beta)

    return _points("kaiser", M, sym, f)


@on_cpu
def kaiser_bessel_derived(M: int, beta: Any, *, sym: bool = True) -> Array:
    """The window of the modified discrete cosine transform made of running sums of a Kaiser window; M is even.

    Squares half a window apart sum to 1. Differentiable in ``beta``.

    Example
    -------
    >>> sa.signal.windows.kaiser_bessel_derived(2, 4.0)
    array([0.70710678, 0.70710678])
    """
    if not sym:
        raise ValueError("kaiser_bessel_derived: the window is symmetric by construction, got sym=False")
    if M % 2:
        raise ValueError(f"kaiser_bessel_derived: M must be even, got {M}")

    def f(n: int) -> Array:
        sums = _core.cumsum(kaiser(n // 2 + 1, beta), 0)
        half = _core.sqrt(sums[:-1] / sums[-1])
        return _core.concat([half, half[::-1]], 0)

    return _points("kaiser_bessel_derived", M, True, f)


def _mirrored(half: Array, n: int) -> Array:
    """A symmetric window of n points from its second half."""
    return _core.concat([half[n % 2 :][::-1], half], 0)


@on_cpu
def chebwin(M: int, at: Any, sym: bool = True) -> Array:
    """The Dolph-Chebyshev window, whose sidelobes all are ``at`` dB down; differentiable in ``at``.

    C. Dolph, A current distribution for broadside arrays which optimizes the relationship between beam width and
    side-lobe level, Proc. IRE 34 (1946).

    Example
    -------
    >>> sa.signal.windows.chebwin(3, 100.0)[1]
    array(1.)
    """
    at = _parameter(at)

    def f(n: int) -> Array:
        order = n - 1
        x0 = _core.cosh(_core.acosh(_core.exp10(_core.abs(at) / 20)) / order)
        x = x0 * asarray(np.cos(pi * np.arange(n) / n))
        inside = _core.abs(x) <= 1
        ripple = _core.cos(order * _core.acos(_core.where(inside, x, 0.0)))
        lobe = _core.cosh(order * _core.acosh(_core.where(inside, 1.0, _core.abs(x))))
        # At x < -1 the polynomial of odd order is negative.
        lobe = _core.where(_core.logical_and(x < 0, order % 2 == 1), -lobe, lobe)
        p = _core.where(inside, ripple, lobe)
        if n % 2:
            w = _core.real(_core.fft("fft", _core.astype(p, _core.complex128), n, 0, 1.0))[: (n + 1) // 2]
        else:
            turned = p * asarray(np.exp(1j * pi / n * np.arange(n)))
            w = _core.real(_core.fft("fft", turned, n, 0, 1.0))[1 : n // 2 + 1]
        w = _mirrored(w, n)
        return w / _core.max(w)

    return _points("chebwin", M, sym, f)


@on_cpu
def taylor(M: int, nbar: int = 4, sll: Any = 30, norm: bool = True, sym: bool = True) -> Array:
    """Taylor's window: about ``nbar`` sidelobes of one level, ``sll`` dB down; differentiable in ``sll``.

    W. Carrara, R. Goodman, R. Majewski, Spotlight synthetic aperture radar, Artech House (1995), appendix D.

    Example
    -------
    >>> sa.signal.windows.taylor(3)[1]
    array(1.)
    """
    nbar = index(nbar)
    a2 = _core.square(_core.acosh(_core.exp10(_parameter(sll) / 20)) / pi)
    dilation = nbar**2 / (a2 + (nbar - 0.5) ** 2)
    m = np.arange(1, nbar)
    zeros_of = a2 + asarray((m - 0.5) ** 2)
    tops = _core.prod(1 - asarray(m[:, None] ** 2.0) / dilation / zeros_of, axis=1)
    ratios = 1 - m[:, None] ** 2 / m[None, :] ** 2.0
    bottoms = 2 * np.prod(np.where(np.eye(nbar - 1, dtype=bool), 1, ratios), axis=1)
    weights = tops * asarray(np.where(m % 2, 1, -1) / bottoms)

    def f(n: int) -> Array:
        def value(j: np.ndarray) -> Array:
            return 1 + 2 * matvec(np.cos(2 * pi / n * j[:, None] * m), weights)

        w = value(_centred(n))
        return w / value(np.zeros(1)) if norm else w

    return _points("taylor", M, sym, f)


def _highest_eigenvectors(diagonal: Array, off: np.ndarray, count: int) -> Array:
    """Eigenvectors (count, n) of a symmetric tridiagonal matrix, of the highest eigenvalues downwards.

    Even ones have positive sums, and odd ones begin with a positive lobe.
    """
    n = diagonal.size
    matrix = diagonal * asarray(np.eye(n)) + asarray(np.diag(off, 1) + np.diag(off, -1))
    vectors = eigh(matrix).eigenvectors.T[::-1][:count]
    first = _core.argmax(_core.square(vectors) > max(1e-7, 1 / n), axis=1)
    lobe = vectors[asarray(np.arange(count)), first]
    lean = _core.where(asarray(np.arange(count) % 2 == 0), _core.sum(vectors, axis=1), lobe)
    return vectors * _core.where(lean < 0, -1.0, 1.0)[:, None]


@on_cpu
def dpss(
    M: int,
    NW: Any,
    Kmax: int | None = None,
    sym: bool = True,
    norm: int | str | None = None,
    return_ratios: bool = False,
) -> Any:
    """Slepian's sequences, of greatest energy in the band of ``NW / M`` around 0: (M,), or ``Kmax`` of them (Kmax, M).

    ``norm`` is 2 (unit energy), "approximate" or "subsample" (maximum 1, by a formula or by interpolation for even M). With
    ``return_ratios`` the fractions of energy in the band come second. Differentiable in ``NW``.
    D. Percival, A. Walden, Spectral analysis for physical applications, Cambridge (1993), section 8.3.

    Example
    -------
    >>> sa.signal.windows.dpss(3, 1.0)[1]
    array(1.)
    """
    norm = ("approximate" if Kmax is None else 2) if norm is None else norm
    if norm not in (2, "approximate", "subsample"):
        raise ValueError(f"dpss: norm must be 2, 'approximate' or 'subsample', got {norm!r}")
    if M <= 1:
        w = _points("dpss", M, True, ones)
        return (w, asarray(1.0) if Kmax is None else ones(1)) if return_ratios else w
    count = 1 if Kmax is None else index(Kmax)
    if not 0 < count <= M:
        raise ValueError(f"dpss: Kmax must be in [1, {M}], got {Kmax}")
    value = known(NW)
    if value is not None and not 0 < value < M / 2:
        raise ValueError(f"dpss: NW must be between 0 and M / 2 = {M / 2}, got {value}")
    n = index(M) + (not sym)
    band = _parameter(NW) / n
    j = np.arange(n)
    diagonal = asarray(_centred(n) ** 2) * _core.cos(2 * pi * band)
    w = _highest_eigenvectors(diagonal, j[1:] * (n - j[1:]) / 2.0, count)
    ratios = None
    if return_ratios:
        size = next_fast_len(2 * n - 1)
        spectrum = rfft(w, size)
        energies = irfft(_core.real(spectrum * _core.conj(spectrum)), size)[:, :n]
        weights = 2 * band * _core.sinc(2 * band * j)
        ratios = matvec(energies, _core.concat([weights[:1], 2 * weights[1:]], 0))
        ratios = ratios[0] if Kmax is None else ratios
    if norm != 2:
        w = w / _core.max(w)
        if n % 2 == 0 and norm == "approximate":
            w = w * (n**2 / (n**2 + _parameter(NW)))
        elif n % 2 == 0:
            # The maximum lies between the two middle samples.
            turns = np.exp(1j * pi * (1 - 1 / n) * np.arange(1, n // 2 + 1)) * 2
            peak = _core.sum(_core.real(rfft(w[0]) * asarray(np.concatenate([[1], turns]))))
            w = w * (n / peak)
    w = w[:, : index(M)]
    w = w[0] if Kmax is None else w
    return (w, ratios) if return_ratios else w


# Names of windows to their function and the least and greatest number of parameters.
_NAMED: dict[str, tuple[Callable[..., Array], int, int]] = {}
for _function, _least, _most, _names in (
    (barthann, 0, 0, "barthann brthan bth"),
    (bartlett, 0, 0, "bartlett bart brt"),
    (blackman, 0, 0, "blackman black blk"),
    (blackmanharris, 0, 0, "blackmanharris blackharr bkh"),
    (bohman, 0, 0, "bohman bman bmn"),
    (boxcar, 0, 0, "boxcar box ones rect rectangular"),
    (chebwin, 1, 1, "chebwin cheb"),
    (cosine, 0, 0, "cosine halfcosine"),
    (dpss, 1, 1, "dpss"),
    (exponential, 0, 2, "exponential poisson"),
    (flattop, 0, 0, "flattop flat flt"),
    (gaussian, 1, 1, "gaussian gauss gss"),
    (general_cosine, 1, 1, "general_cosine general-cosine"),
    (general_gaussian, 2, 2, "general_gaussian general-gaussian general_gauss general-gauss ggs"),
    (general_hamming, 1, 1, "general_hamming general-hamming"),
    (hamming, 0, 0, "hamming hamm ham"),
    (hann, 0, 0, "hann han"),
    (kaiser, 1, 1, "kaiser ksr"),
    (kaiser_bessel_derived, 1, 1, "kaiser_bessel_derived kaiser-bessel-derived kbd"),
    (lanczos, 0, 0, "lanczos sinc"),
    (nuttall, 0, 0, "nuttall nutl nut"),
    (parzen, 0, 0, "parzen parz par"),
    (taylor, 0, 3, "taylor taylorwin"),
    (triang, 0, 0, "triangle triang tri"),
    (tukey, 0, 1, "tukey tuk"),
):
    _NAMED |= {name.replace("-", " "): (_function, _least, _most) for name in _names.split()}
del _function, _least, _most, _names


def get_window(window: Any, Nx: int, fftbins: bool = True) -> Array:
    """The window of a name, of a tuple of name and parameters, or of a number, which is the beta of a Kaiser window.

    Periodic, for spectra, unless ``fftbins`` is False or the name ends in ``_symmetric``. Names are those of SciPy.

    Example
    -------
    >>> sa.signal.get_window(("gaussian", 1.0), 4)
    array([0.13533528, 0.60653066, 1.        , 0.60653066])
    """
    if index(Nx) < 1:
        raise ValueError(f"get_window: Nx must be at least 1, got {Nx}")
    sym = not fftbins
    if not isinstance(window, (str, tuple)):
        return kaiser(Nx, window, sym)
    name, *parameters = (window,) if isinstance(window, str) else window
    if not isinstance(name, str):
        raise ValueError(f"get_window: the first of a tuple must be a name, got {name!r}")
    base = name.removesuffix("_symmetric").removesuffix("_periodic")
    if base != name:
        sym = name.endswith("_symmetric")
    if base not in _NAMED:
        raise ValueError(f"get_window: {name!r} is not the name of a window")
    f, least, most = _NAMED[base]
    if not least <= len(parameters) <= most:
        wanted = str(least) if least == most else f"{least} to {most}"
        raise ValueError(f"get_window: {base!r} takes {wanted} parameters, got {len(parameters)}")
    return f(Nx, *parameters, sym=sym)
