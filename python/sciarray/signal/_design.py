"""Design of recursive filters from analog prototypes, as formulas in cut-offs and ripples.

A. Oppenheim, R. Schafer, Discrete-time signal processing, 3rd ed. (2009), chapter 7; S. Orfanidis, Lecture notes on
elliptic filter design (2006).
"""

from __future__ import annotations

from functools import lru_cache
from math import factorial, log, pi, sqrt
from operator import index
from typing import Any

import numpy as np

from .. import _core
from .._arguments import known, on_cpu
from .._core import Array
from .._creation import asarray, zeros
from .._polynomials import from_roots
from ._conversion import bilinear_zpk, lp2bp_zpk, lp2bs_zpk, lp2hp_zpk, lp2lp_zpk, zpk2sos

__all__ = [
    "bessel",
    "besselap",
    "buttap",
    "butter",
    "cheb1ap",
    "cheb2ap",
    "cheby1",
    "cheby2",
    "ellip",
    "ellipap",
    "iirfilter",
    "iirnotch",
    "iirpeak",
]

Zpk = tuple[Array, Array, Array]


def _order(name: str, N: int) -> int:
    try:
        n = index(N)
    except TypeError:
        n = int(N) if float(N).is_integer() else -1
    if n < 0:
        raise ValueError(f"{name}: the order must be an integer that is not negative, got {N}")
    return n


def _angles(n: int) -> np.ndarray:
    """Angles of the poles of a Butterworth filter from the negative real axis."""
    return pi / (2 * n) * np.arange(1 - n, n, 2)


def _nothing() -> Array:
    return zeros(0, _core.complex128)


def _product(x: Array) -> Array:
    return _core.real(_core.prod(x)) if x.size else asarray(1.0)


def _ripple(name: str, x: Any, what: str) -> Array:
    x = asarray(x, dtype=_core.float64)
    value = known(x)
    if value is not None and not value > 0:
        raise ValueError(f"{name}: {what} must be positive, got {value}")
    return x


def _excess(decibels: Array) -> Array:
    """10^(x/10) - 1, also for small x."""
    return _core.expm1(decibels * (log(10) / 10))


def buttap(N: int) -> Zpk:
    """Zeros, poles and gain of the analog Butterworth lowpass of order N with cut-off 1, where the gain is 1/sqrt(2).

    Example
    -------
    >>> z, p, k = sa.signal.buttap(1)
    >>> p, k
    (array([-1.-0.j]), array(1.))
    """
    n = _order("buttap", N)
    return _nothing(), asarray(-np.exp(1j * _angles(n))) if n else _nothing(), asarray(1.0)


@on_cpu
def cheb1ap(N: int, rp: Any) -> Zpk:
    """The analog Chebyshev lowpass of order N whose gain ripples by ``rp`` dB below 1; differentiable in ``rp``.

    Example
    -------
    >>> z, p, k = sa.signal.cheb1ap(1, 3.0)
    >>> round(float(k), 6)
    1.002377
    """
    n, rp = _order("cheb1ap", N), _ripple("cheb1ap", rp, "rp")
    if n == 0:
        return _nothing(), _nothing(), _core.exp10(-rp / 20)
    square = _excess(rp)
    mu = _core.asinh(_core.rsqrt(square)) / n
    theta = _angles(n)
    p = _core.complex(-_core.sinh(mu) * np.cos(theta), -_core.cosh(mu) * np.sin(theta))
    k = _product(-p)
    return _nothing(), p, k if n % 2 else k * _core.rsqrt(1 + square)


@on_cpu
def cheb2ap(N: int, rs: Any) -> Zpk:
    """The analog lowpass of order N, type II, whose gain ripples ``rs`` dB below 1 from frequency 1 on; differentiable in it.

    Example
    -------
    >>> z, p, k = sa.signal.cheb2ap(2, 40.0)
    >>> round(float(k), 6)
    0.01
    """
    n, rs = _order("cheb2ap", N), _ripple("cheb2ap", rs, "rs")
    if n == 0:
        return _nothing(), _nothing(), asarray(1.0)
    mu = _core.asinh(_core.sqrt(_excess(rs))) / n
    theta = _angles(n)
    z = asarray(1j / np.sin(theta[np.abs(np.arange(1 - n, n, 2)) > 0]))
    circle = _core.complex(-_core.sinh(mu) * np.cos(theta), -_core.cosh(mu) * np.sin(theta))
    p = 1 / circle
    return z, p, _product(-p) / _product(-z)


def _landen(k: Array, complement: Array) -> list[Array]:
    """Moduli of the descending Landen transformation, down to rounding, of k and sqrt(1 - k^2)."""
    out = [k]
    for _ in range(7):
        k = _core.square(out[-1] / (1 + complement))
        out.append(k)
        complement = 2 * _core.sqrt(complement) / (1 + complement)
    return out


def _quarter_period(moduli: list[Array]) -> Array:
    """The complete elliptic integral K."""
    y = asarray(pi / 2)
    for k in moduli[1:]:
        y = y * (1 + k)
    return y


def _ascended(w: Array, moduli: list[Array]) -> Array:
    """cd or sn of u K from its value at modulus 0, the cosine or sine of u pi/2."""
    for k in moduli[:0:-1]:
        w = (1 + k) * w / (1 + k * w * w)
    return w


def _thetas(log_q: Array) -> tuple[Array, Array, Array]:
    """theta_2, theta_3 and theta_4 at 0 of a nome up to exp(-pi), DLMF 20.2."""
    squares = [_core.exp(log_q * (n * n)) for n in range(1, 5)]
    t2 = 2 * _core.exp(log_q / 4) * (1 + sum(_core.exp(log_q * (n * (n + 1))) for n in range(1, 5)))
    a, b, c, d = squares
    t3, t4 = 1 + 2 * (a + b + c + d), 1 - 2 * (a - b + c - d)
    return t2, t3, t4


def _modulus(log_q: Array) -> tuple[Array, Array]:
    """The modulus of a nome and its complement, DLMF 22.2.2; nomes above exp(-pi) by their complement, DLMF 20.7.30."""
    small = log_q <= -pi
    t2, t3, t4 = _thetas(_core.where(small, log_q, pi * pi / log_q))
    k, complement = _core.square(t2 / t3), _core.square(t4 / t3)
    return _core.where(small, k, complement), _core.where(small, complement, k)


@on_cpu
def ellipap(N: int, rp: Any, rs: Any) -> Zpk:
    """The analog elliptic lowpass of order N: ripples ``rp`` dB below 1 up to frequency 1, at most ``rs`` dB below 1 beyond.

    Differentiable in both ripples.

    Example
    -------
    >>> z, p, k = sa.signal.ellipap(2, 3.0, 40.0)
    >>> round(float(k), 6)
    0.01
    """
    n, rp, rs = _order("ellipap", N), _ripple("ellipap", rp, "rp"), _ripple("ellipap", rs, "rs")
    if n == 0:
        return _nothing(), _nothing(), _core.exp10(-rp / 20)
    square = _excess(rp)
    if n == 1:
        p = -_core.rsqrt(square)
        return _nothing(), _core.astype(_core.reshape(p, 1), _core.complex128), -p
    k1 = _core.sqrt(square / _excess(rs))
    value = known(k1)
    if value is not None and not value < 1:
        raise ValueError(f"ellipap: rs must be greater than rp, got {float(rs)} and {float(rp)}")
    moduli = _landen(k1, _core.sqrt((1 - k1) * (1 + k1)))
    # The complementary period by the arithmetic-geometric mean; DLMF 22.2.1, 19.8.5.
    a, b = asarray(1.0), k1
    for _ in range(9):
        a, b = (a + b) / 2, _core.sqrt(a * b)
    k, complement = _modulus(-pi * (pi / (2 * a)) / (_quarter_period(moduli) * n))
    # sn(u K) at these are the zeros of the characteristic function; odd orders have one more at 0.
    u = np.arange(1 + n % 2, n, 2) / n
    chain = _landen(k, complement)
    cd = _ascended(asarray(np.cos((1 - u) * pi / 2)), chain)
    # sn^-1(i / eps, k1) is imaginary, and so is its image in the plane of modulus k.
    y = _core.rsqrt(square)
    for outer, inner in zip(moduli, moduli[1:]):
        y = 2 * y / ((1 + inner) * (1 + _core.sqrt(1 + _core.square(outer * y))))
    v = _core.asinh(y) / n
    # cd(u K - i v) from cos(u pi/2 - i v), with u counted from the pole nearest to the real axis.
    turn = (1 - u) * pi / 2
    w = _core.complex(_core.cosh(v) * np.cos(turn), _core.sinh(v) * np.sin(turn))
    upper = _ascended(w, chain) * 1j
    half = _core.complex(-_core.abs(_core.real(upper)), _core.abs(_core.imag(upper)))
    p = _core.concat([half, _core.conj(half)], 0)
    zero = 1 / (k * cd)
    z = _core.complex(0.0 * zero, zero)
    z = _core.concat([z, _core.conj(z)], 0)
    if n % 2:
        single = _ascended(_core.complex(0.0 * v, _core.sinh(v)), chain)
        p = _core.concat([p, _core.complex(-_core.reshape(_core.imag(single), 1), zeros(1))], 0)
    gain = _product(-p) / _product(-z)
    return z, p, gain if n % 2 else gain * _core.rsqrt(1 + square)


@lru_cache(maxsize=64)
def _bessel_poles(n: int) -> tuple[complex, ...]:
    """Roots of the reverse Bessel polynomial, by Aberth's iteration on integers scaled by 2^256."""
    bits = 256
    # DLMF 18.34.1, highest power of s first.
    c = [factorial(n + j) // (factorial(j) * factorial(n - j) * 2**j) for j in range(n + 1)]
    one = 1 << bits

    def mul(x: tuple[int, int], y: tuple[int, int]) -> tuple[int, int]:
        return (x[0] * y[0] - x[1] * y[1]) >> bits, (x[0] * y[1] + x[1] * y[0]) >> bits

    def div(x: tuple[int, int], y: tuple[int, int]) -> tuple[int, int]:
        d = y[0] * y[0] + y[1] * y[1]
        return ((x[0] * y[0] + x[1] * y[1]) << bits) // d, ((x[1] * y[0] - x[0] * y[1]) << bits) // d

    angles = pi * (np.arange(n) + 0.4) / n
    start = -0.7 * n * np.sin(angles) - 0.3 + 0.7j * n * np.cos(angles)
    roots = [(int(r.real * 2**60) << (bits - 60), int(r.imag * 2**60) << (bits - 60)) for r in start]
    for _ in range(100):
        largest = 0
        for i, r in enumerate(roots):
            value, slope = (0, 0), (0, 0)
            for coefficient in c:
                slope = mul(slope, r)
                slope = slope[0] + value[0], slope[1] + value[1]
                value = mul(value, r)
                value = value[0] + coefficient * one, value[1]
            step = div(value, slope)
            sums = (0, 0)
            for j, other in enumerate(roots):
                if j != i:
                    part = div((one, 0), (r[0] - other[0], r[1] - other[1]))
                    sums = sums[0] + part[0], sums[1] + part[1]
            product = mul(step, sums)
            step = div(step, (one - product[0], -product[1]))
            roots[i] = r[0] - step[0], r[1] - step[1]
            largest = max(largest, abs(step[0]), abs(step[1]))
        if largest < 1 << (bits - 80):
            break
    found = sorted((complex(a / one, abs(b) / one) for a, b in roots), key=lambda z: (-z.imag, z.real))
    upper = found[: n // 2 * 2 : 2]
    middle = [complex(found[-1].real)] if n % 2 else []
    return (*upper, *middle, *(z.conjugate() for z in reversed(upper)))


def besselap(N: int, norm: str = "phase") -> Zpk:
    """The analog Bessel lowpass of order N, of the flattest group delay.

    ``norm`` is "phase" (the phase is halfway at frequency 1), "delay" (delay 1 at frequency 0) or "mag" (gain -3 dB at
    frequency 1).

    Example
    -------
    >>> z, p, k = sa.signal.besselap(2, norm="delay")
    >>> k
    array(3.)
    """
    n = _order("besselap", N)
    if norm not in ("phase", "delay", "mag"):
        raise ValueError(f"besselap: norm must be 'phase', 'delay' or 'mag', got {norm!r}")
    if n == 0:
        return _nothing(), _nothing(), asarray(1.0)
    last = factorial(2 * n) // (factorial(n) * 2**n)
    p = np.asarray(_bessel_poles(n))
    if norm == "delay":
        return _nothing(), asarray(p), asarray(float(last))
    scale = last ** (-1 / n)
    if norm == "mag":
        # The frequency at which log |H|^2 = -log 2, by Newton's method on a monotone function.
        w = sqrt((2 * n - 1) * log(2))
        for _ in range(50):
            value = np.sum(np.log1p((w * w - 2 * w * p.imag) / np.abs(p) ** 2)) - log(2)
            slope = np.sum(2 * (w - p.imag) / np.abs(1j * w - p) ** 2)
            w, before = w - value / slope, w
            if abs(w - before) <= 1e-15 * w:
                break
        scale = 1 / w
    return _nothing(), asarray(p * scale), asarray(float(last) * scale**n if norm == "mag" else 1.0)


_BANDS = {
    "lowpass": "lowpass lp low l",
    "highpass": "highpass high hp h",
    "bandpass": "band bandpass pass bp",
    "bandstop": "bandstop bands stop bs",
}
_TYPES = {
    "butter": "butter butterworth",
    "cheby1": "cheby1 chebyshev1 chebyshevi",
    "cheby2": "cheby2 chebyshev2 chebyshevii",
    "ellip": "ellip elliptic cauer",
    "bessel": "bessel bessel_phase bessel_delay bessel_mag",
}


def _named(name: str, what: str, value: str, table: dict[str, str]) -> str:
    for key, names in table.items():
        if value.lower() in names.split():
            return key
    raise ValueError(f"{name}: {what} must be one of {', '.join(table)}, got {value!r}")


def _prototype(name: str, N: int, ftype: str, rp: Any, rs: Any) -> Zpk:
    kind = _named(name, "ftype", ftype, _TYPES)
    if kind in ("cheby1", "ellip") and rp is None:
        raise ValueError(f"{name}: the ripple rp is needed, got none")
    if kind in ("cheby2", "ellip") and rs is None:
        raise ValueError(f"{name}: the attenuation rs is needed, got none")
    if kind == "butter":
        return buttap(N)
    if kind == "cheby1":
        return cheb1ap(N, rp)
    if kind == "cheby2":
        return cheb2ap(N, rs)
    if kind == "ellip":
        return ellipap(N, rp, rs)
    return besselap(N, ftype.lower().partition("_")[2] or "phase")


def _designed(
    name: str, N: int, Wn: Any, rp: Any, rs: Any, btype: str, analog: bool, ftype: str, output: str, fs: Any
) -> Any:
    z, p, k = _prototype(name, N, ftype, rp, rs)
    band = _named(name, "btype", btype, _BANDS)
    if output.lower() not in ("ba", "zpk", "sos"):
        raise ValueError(f"{name}: output must be 'ba', 'zpk' or 'sos', got {output!r}")
    if fs is not None and analog:
        raise ValueError(f"{name}: an analog filter has no sampling frequency, got fs={fs}")
    count = 1 if band in ("lowpass", "highpass") else 2
    w = _core.reshape(asarray(Wn, dtype=_core.float64), -1)
    if w.size != count:
        raise ValueError(f"{name}: a {band} needs {count} critical frequencies, got {w.size}")
    if fs is not None:
        w = 2 * w / fs
    values = known(w)
    if values is not None:
        if (
            not (values > 0).all()
            or (not analog and not (values < 1).all())
            or (count == 2 and not values[0] < values[1])
        ):
            limits = "positive" if analog else "between 0 and fs / 2 (1 unless fs is given)"
            raise ValueError(f"{name}: critical frequencies must be {limits} and rising, got {np.asarray(known(Wn))}")
    if not analog:
        w = 4 * _core.tan(w * (pi / 2))
    if band == "lowpass":
        z, p, k = lp2lp_zpk(z, p, k, w[0])
    elif band == "highpass":
        z, p, k = lp2hp_zpk(z, p, k, w[0])
    else:
        centre, width = _core.sqrt(w[0] * w[1]), w[1] - w[0]
        z, p, k = (lp2bp_zpk if band == "bandpass" else lp2bs_zpk)(z, p, k, centre, width)
    if not analog:
        z, p, k = bilinear_zpk(z, p, k, 2.0)
    if output == "zpk":
        return z, p, k
    if output == "sos":
        return zpk2sos(z, p, k, analog=analog)
    return k * from_roots(z, real=True), from_roots(p, real=True)


@on_cpu
def iirfilter(
    N: int,
    Wn: Any,
    rp: Any = None,
    rs: Any = None,
    btype: str = "band",
    analog: bool = False,
    ftype: str = "butter",
    output: str = "ba",
    fs: Any = None,
) -> Any:
    """The recursive filter of order N, twice that for bands, with the critical frequencies ``Wn``.

    ``ftype`` is "butter", "cheby1", "cheby2", "ellip" or "bessel" (also "bessel_delay", "bessel_mag"); ``btype`` "lowpass",
    "highpass", "bandpass" or "bandstop". Frequencies are fractions of fs/2, in the unit of ``fs`` if that is given, or in
    rad/s for ``analog`` filters; ``rp`` and ``rs`` are ripples in dB. ``output`` is "ba", "zpk" or "sos". Differentiable in
    ``Wn``, ``rp`` and ``rs``.

    Example
    -------
    >>> b, a = sa.signal.iirfilter(1, 0.5, btype="lowpass")
    >>> b
    array([0.5, 0.5])
    """
    return _designed("iirfilter", N, Wn, rp, rs, btype, analog, ftype, output, fs)


@on_cpu
def butter(N: int, Wn: Any, btype: str = "low", analog: bool = False, output: str = "ba", fs: Any = None) -> Any:
    """A Butterworth filter: flattest at frequency 0. Arguments as in `iirfilter`.

    Example
    -------
    >>> sa.signal.butter(2, 0.25, output="sos").shape
    (1, 6)
    """
    return _designed("butter", N, Wn, None, None, btype, analog, "butter", output, fs)


@on_cpu
def cheby1(
    N: int, rp: Any, Wn: Any, btype: str = "low", analog: bool = False, output: str = "ba", fs: Any = None
) -> Any:
    """A Chebyshev filter with ripples of ``rp`` dB in the passband. Arguments as in `iirfilter`.

    Example
    -------
    >>> sa.signal.cheby1(4, 1.0, 0.25, output="sos").shape
    (2, 6)
    """
    return _designed("cheby1", N, Wn, rp, None, btype, analog, "cheby1", output, fs)


@on_cpu
def cheby2(
    N: int, rs: Any, Wn: Any, btype: str = "low", analog: bool = False, output: str = "ba", fs: Any = None
) -> Any:
    """A Chebyshev filter with ripples ``rs`` dB down in the stopband. Arguments as in `iirfilter`.

    Example
    -------
    >>> sa.signal.cheby2(4, 40.0, 0.25, output="sos").shape
    (2, 6)
    """
    return _designed("cheby2", N, Wn, None, rs, btype, analog, "cheby2", output, fs)


@on_cpu
def ellip(
    N: int, rp: Any, rs: Any, Wn: Any, btype: str = "low", analog: bool = False, output: str = "ba", fs: Any = None
) -> Any:
    """An elliptic filter, with ripples in both bands. Arguments as in `iirfilter`.

    Example
    -------
    >>> sa.signal.ellip(4, 1.0, 40.0, 0.25, output="sos").shape
    (2, 6)
    """
    return _designed("ellip", N, Wn, rp, rs, btype, analog, "ellip", output, fs)


@on_cpu
def bessel(
    N: int,
    Wn: Any,
    btype: str = "low",
    analog: bool = False,
    output: str = "ba",
    norm: str = "phase",
    fs: Any = None,
) -> Any:
    """A Bessel filter, of the flattest group delay; norms as in `besselap`. Arguments as in `iirfilter`.

    Example
    -------
    >>> sa.signal.bessel(4, 0.25, output="sos").shape
    (2, 6)
    """
    return _designed("bessel", N, Wn, None, None, btype, analog, f"bessel_{norm}", output, fs)


def _resonator(name: str, w0: Any, Q: Any, fs: Any) -> tuple[Array, Array, Array]:
    """1 + tan(bandwidth / 2), its tangent, and the cosine of the centre."""
    w = asarray(w0, dtype=_core.float64) * 2 / fs
    value = known(w)
    if value is not None and not (0 < value < 1):
        raise ValueError(f"{name}: w0 must be between 0 and fs / 2 = {fs / 2:g}, got {known(w0)}")
    beta = _core.tan(w * (pi / 2) / Q)
    return 1 + beta, beta, _core.cos(w * pi)


def iirnotch(w0: Any, Q: Any, fs: Any = 2.0) -> tuple[Array, Array]:
    """The filter of second order that takes the frequency ``w0`` out, of quality ``Q`` = w0 / bandwidth.

    Differentiable in ``w0`` and ``Q``. S. Orfanidis, Introduction to signal processing, Prentice-Hall (1996).

    Example
    -------
    >>> b, a = sa.signal.iirnotch(0.5, 1.0)
    >>> sa.round(b, 6)
    array([ 0.5, -0. ,  0.5])
    """
    total, beta, c = _resonator("iirnotch", w0, Q, fs)
    one = 1 / total
    middle = -2 * c / total
    return _column(one, middle, one), _column(0 * one + 1, middle, (1 - beta) / total)


def iirpeak(w0: Any, Q: Any, fs: Any = 2.0) -> tuple[Array, Array]:
    """The filter of second order that lets the frequency ``w0`` through, of quality ``Q`` = w0 / bandwidth.

    Differentiable in ``w0`` and ``Q``.

    Example
    -------
    >>> b, a = sa.signal.iirpeak(0.5, 1.0)
    >>> sa.round(b, 6)
    array([ 0.5,  0. , -0.5])
    """
    total, beta, c = _resonator("iirpeak", w0, Q, fs)
    gain = beta / total
    return _column(gain, 0 * gain, -gain), _column(0 * gain + 1, -2 * c / total, (1 - beta) / total)


def _column(*xs: Array) -> Array:
    return _core.concat([_core.reshape(x, 1) for x in xs], 0)
