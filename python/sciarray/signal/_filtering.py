"""Recursive filters, of signals (..., n), one for all or each with its own.

A filter b/a is a convolution with b followed by the primitive ``_core.allpole``, whose derivatives are the filter run
backwards; so all derivatives, in coefficients and initial states too, are exact.
"""

from __future__ import annotations

from operator import index
from typing import Any

import numpy as np

from .. import _core
from .._arguments import all_inexact, at, inexact, known, normalize_axis
from .._core import Array
from .._creation import asarray, zeros
from .._manipulation import broadcast_shapes, moveaxis, pad, stack
from .._numeric import convolve
from ..linalg import lstsq, matrix_rank, qr
from ._conversion import sections_of
from ._convolution import fftconvolve
from ._design import cheby1
from ._extension import extended
from ._fir import firwin
from ._resampling import resample_poly, upfirdn

__all__ = [
    "allpole",
    "decimate",
    "deconvolve",
    "filtfilt",
    "lfilter",
    "lfilter_zi",
    "lfiltic",
    "sosfilt",
    "sosfilt_zi",
    "sosfiltfilt",
]

# Up to this length a convolution is summed directly, which keeps what is not finite local.
_DIRECT = 64


def _recursion(a: Array, x: Array) -> Array:
    """`_core.allpole` after broadcasting; ``a`` is (..., 1 or n, order)."""
    if a.shape[-1] == 0 or 0 in x.shape:
        return x
    lead = broadcast_shapes(a.shape[:-2], x.shape[:-1])
    return _core.allpole(_core.broadcast_to(a, (*lead, *a.shape[-2:])), _core.broadcast_to(x, (*lead, x.shape[-1])))


def allpole(a: Any, x: Any, axis: int = -1, *, varying: bool = False) -> Array:
    """``y[t] = x[t] - sum_k a[k - 1] y[t - k]`` along an axis, from rest.

    ``a`` is (..., order), or with ``varying`` (..., n, order), coefficients of their own for each sample; its leading axes
    broadcast with those of ``x`` after the axis is moved to the end. Differentiable to any order in both.

    Example
    -------
    >>> sa.signal.allpole([-0.5], [1.0, 0.0, 0.0])
    array([1.  , 0.5 , 0.25])
    """
    a, x = all_inexact("allpole", [a, x])
    axis = normalize_axis("allpole", axis, x.ndim)
    x = moveaxis(x, axis, -1)
    if a.ndim < (2 if varying else 1):
        raise ValueError(f"allpole: coefficients (..., {'n, ' * varying}order) are required, got shape {a.shape}")
    if varying and a.shape[-2] != x.shape[-1]:
        raise ValueError(f"allpole: coefficients of {x.shape[-1]} samples are required, got {a.shape[-2]}")
    return _back(_recursion(a if varying else a[..., None, :], x), axis, x.ndim)


def _back(y: Array, axis: int, ndim: int) -> Array:
    """The last axis moved to where the signal of ``ndim`` axes has its samples."""
    return moveaxis(y, -1, axis - ndim)


def _coefficients(name: str, b: Any, a: Any, x: Any = 0.0) -> tuple[Array, Array, Array]:
    """Numerator and denominator, divided by the latter's first coefficient, and a signal, in one dtype."""
    b, a, x = all_inexact(name, [b, a, x])
    b, a = (_core.reshape(v, -1) if v.ndim == 0 else v for v in (b, a))
    if 0 in (b.size, a.size):
        raise ValueError(f"{name}: coefficients must not be empty, got shapes {b.shape} and {a.shape}")
    first = known(a)
    if first is not None:
        leading = np.flatnonzero(first.reshape(-1, first.shape[-1]).any(0))
        a = a[..., int(leading[0]) :] if leading.size else a
        if not leading.size or not np.all(first[..., int(leading[0])]):
            raise ValueError(f"{name}: the denominator must not begin with 0, got {first}")
    return b / a[..., :1], a / a[..., :1], x


def _hankel(c: Array, order: int) -> Array:
    """The matrix (..., order, order) of ``c[i + j + 1]``, 0 beyond the end."""
    n = c.shape[-1]
    i = np.arange(order)
    places = i[:, None] + i + 1
    return pad(c, {-1: (0, 1)})[..., asarray(np.where(places < n, places, n))]


def _last(x: Array, count: int) -> Array:
    """The last samples, newest first, from rest before the first one."""
    n = x.shape[-1]
    x = x[..., max(n - count, 0) :][..., ::-1]
    return pad(x, {-1: (0, max(count - n, 0))})


def _applied(m: Array, x: Array) -> Array:
    return _core.sum(m * x[..., None, :], axis=-1)


def _filtered(b: Array, a: Array, x: Array, zi: Array | None) -> tuple[Array, Array]:
    """The filtered signal and the final state of the transposed direct form II, along the last axes."""
    n, taps = x.shape[-1], b.shape[-1]
    if taps <= _DIRECT:
        v = _core.fir(b, x, 0, n)
    else:
        ndim = max(b.ndim, x.ndim)
        b_wide, x_wide = (_core.reshape(u, (1,) * (ndim - u.ndim) + u.shape) for u in (b, x))
        v = fftconvolve(x_wide, b_wide, axes=-1)[..., :n] if n else b[..., :1] * x
    order = max(taps, a.shape[-1]) - 1
    if zi is not None and order:
        # The state is what the past adds to the next samples, if the recursion went on without them.
        add = zi[..., :n]
        v = v + pad(add, {-1: (0, n - add.shape[-1])})
    y = _recursion(a[..., None, 1:], v)
    if zi is None:
        return y, v
    state = _applied(_hankel(b, order), _last(x, order)) - _applied(_hankel(a, order), _last(y, order))
    if n < order:
        rest = zi[..., n:]
        state = state + pad(rest, {-1: (0, order - rest.shape[-1])})
    return y, state


def lfilter(b: Any, a: Any, x: Any, axis: int = -1, zi: Any = None) -> Any:
    """``x`` filtered along an axis by the numerator ``b`` and the denominator ``a``, from rest or from the state ``zi``.

    ``b`` and ``a`` are vectors, or (..., k): filters of their own whose leading axes broadcast with those of ``x`` after the
    axis is moved to the end. The state has ``max(len(a), len(b)) - 1`` elements in place of the samples, those of the
    transposed direct form II; the final one comes second. Differentiable to any order in everything.

    Example
    -------
    >>> sa.signal.lfilter([0.5], [1.0, -0.5], [1.0, 1.0, 1.0])
    array([0.5  , 0.75 , 0.875])
    """
    b, a, x = _coefficients("lfilter", b, a, x)
    axis = normalize_axis("lfilter", axis, x.ndim)
    x = moveaxis(x, axis, -1)
    if zi is None:
        return _back(_filtered(b, a, x, None)[0], axis, x.ndim)
    order = max(b.shape[-1], a.shape[-1]) - 1
    state = moveaxis(inexact(zi), axis - x.ndim, -1)
    if state.shape[-1] != order:
        raise ValueError(f"lfilter: zi must have {order} elements along axis {axis}, got shape {inexact(zi).shape}")
    y, final = _filtered(b, a, x, state)
    return _back(y, axis, x.ndim), _back(final, axis, x.ndim)


def _step_state(b: Array, a: Array) -> Array:
    """The state at which the response to a step has settled: the sums of what the step adds from each tap on."""
    order = max(b.shape[-1], a.shape[-1])
    b, a = (pad(v, {-1: (0, order - v.shape[-1])}) for v in (b, a))
    excess = b[..., 1:] - a[..., 1:] * b[..., :1]
    first = _core.sum(excess, axis=-1, keepdims=True) / _core.sum(a, axis=-1, keepdims=True)
    before = _core.cumsum(excess, -1) - excess
    return _core.cumsum(a, -1)[..., :-1] * first - before


def lfilter_zi(b: Any, a: Any) -> Array:
    """The state of `lfilter` that a constant input of 1 leaves as it is.

    Example
    -------
    >>> sa.signal.lfilter_zi([0.5], [1.0, -0.5])
    array([0.5])
    """
    b, a, _ = _coefficients("lfilter_zi", b, a)
    return _step_state(b, a)


def lfiltic(b: Any, a: Any, y: Any, x: Any = None) -> Array:
    """The state of `lfilter` after past outputs ``y`` and inputs ``x``, newest first; what is not given is 0.

    Example
    -------
    >>> sa.signal.lfiltic([0.5], [1.0, -0.5], [2.0])
    array([1.])
    """
    b, a, y = _coefficients("lfiltic", b, a, y)
    x = zeros(0, y.dtype) if x is None else inexact(x)
    order = max(b.shape[-1], a.shape[-1]) - 1
    past = []
    for v, count in ((x, b.shape[-1] - 1), (y, a.shape[-1] - 1)):
        if v.ndim != 1:
            raise ValueError(f"lfiltic: past values must be vectors, got shape {v.shape}")
        v = v[:count]
        past.append(pad(v, (0, order - v.shape[-1])))
    return _applied(_hankel(b, order), past[0]) - _applied(_hankel(a, order), past[1])


_EXTENSIONS = {"odd": "antireflect", "even": "reflect", "constant": "edge"}


def _there_and_back(
    name: str, x: Array, axis: int, padtype: str | None, padlen: int | None, default: int, run: Any
) -> Array:
    """``run(samples, first)`` forwards and backwards over a continued signal, along the last axis."""
    if padtype is not None and padtype not in _EXTENSIONS:
        raise ValueError(f"{name}: padtype must be 'odd', 'even', 'constant' or None, got {padtype!r}")
    edge = 0 if padtype is None else default if padlen is None else index(padlen)
    x = moveaxis(x, axis, -1)
    n = x.shape[-1]
    if edge < 0 or n <= edge:
        raise ValueError(f"{name}: the signal must have more than padlen = {edge} samples, got {n}")
    if edge:
        assert padtype is not None
        x = extended(name, x, edge, edge, _EXTENSIONS[padtype], -1)
    for _ in range(2):
        x = run(x, x[..., :1])[..., ::-1]
    return _back(x[..., edge : x.shape[-1] - edge], axis, x.ndim)


def _gustafsson(b: Array, a: Array, x: Array, irlen: int | None) -> Array:
    """Filtered forwards and backwards along the last axis, from the states for which the other order gives nearly the same.

    Both outputs are linear in the two states, so these are a least-squares solution; of a long signal only the first and
    last ``irlen`` samples are compared, where the states are felt.
    """
    n, order = x.shape[-1], max(b.shape[-1], a.shape[-1]) - 1
    if order == 0:
        return x * (b * b)
    run = lambda v: _filtered(b, a, v, None)[0]
    # What each element of a state adds to a filtered signal: the response of the recursion, delayed.
    unit = np.zeros((order, n))
    unit[np.arange(min(order, n)), np.arange(min(order, n))] = 1.0
    free = _recursion(a[..., None, 1:], asarray(unit, dtype=x.dtype, device=x.device))
    turned = free[..., ::-1]
    ahead, back = run(x), run(x[..., ::-1])
    difference = run(ahead[..., ::-1])[..., ::-1] - run(back[..., ::-1])
    # Columns for the forward state, then for the backward one.
    matrix = _core.concat([run(turned)[..., ::-1] - free, turned - run(turned)], -2)
    kept: Any = slice(None)
    if irlen is not None and 2 * irlen < n:
        kept = asarray(np.r_[:irlen, n - irlen : n])
    wanted = _core.reshape(-difference[..., kept], (-1, matrix[..., kept].shape[-1]))
    tall = matrix[..., kept].T
    if int(matrix_rank(tall)) == 2 * order:
        # Unlike lstsq, made of operations that files of recordings can hold.
        Q, R = qr(tall)
        solution = _core.solve_triangular(R, _core.matmul(_core.conj(Q).T, wanted.T), False, False, False)
    else:
        solution = lstsq(tall, wanted.T).x
    states = _core.reshape(solution.T, (*x.shape[:-1], 2 * order))
    first, second = states[..., :order], states[..., order:]
    y = run((ahead + _weighted(first, free))[..., ::-1])
    return (y + _weighted(second, free))[..., ::-1]


def _weighted(weights: Array, rows: Array) -> Array:
    return _core.matmul(weights[..., None, :], rows)[..., 0, :]


def filtfilt(
    b: Any,
    a: Any,
    x: Any,
    axis: int = -1,
    padtype: str | None = "odd",
    padlen: int | None = None,
    method: str = "pad",
    irlen: int | None = None,
) -> Array:
    """``x`` filtered forwards and backwards along an axis, which leaves phases alone and squares the gain.

    With ``method`` "pad" the signal is continued at both ends by ``padlen`` samples, three times the filter's length unless
    given: "odd" about the end sample, "even", "constant" or None; the states begin as after a long constant input. With
    "gust" they are those for which filtering backwards first makes the least difference, F. Gustafsson, Determining the
    initial states in forward-backward filtering, IEEE Trans. Signal Process. 44 (1996), judged by the first and last
    ``irlen`` samples if that is given; the filter is then one for all signals.

    Example
    -------
    >>> sa.round(sa.signal.filtfilt([0.5], [1.0, -0.5], sa.ones(10)), 6)[:3]
    array([1., 1., 1.])
    """
    b, a, x = _coefficients("filtfilt", b, a, x)
    axis = normalize_axis("filtfilt", axis, x.ndim)
    if method not in ("pad", "gust"):
        raise ValueError(f"filtfilt: method must be 'pad' or 'gust', got {method!r}")
    if method == "gust":
        if b.ndim != 1 or a.ndim != 1:
            raise ValueError(f"filtfilt: method 'gust' needs one filter, got shapes {b.shape} and {a.shape}")
        y = _gustafsson(b, a, moveaxis(x, axis, -1), None if irlen is None else index(irlen))
        return _back(y, axis, x.ndim)
    state = _step_state(b, a)
    taps = max(b.shape[-1], a.shape[-1])
    run = lambda v, first: _filtered(b, a, v, state * first)[0]
    return _there_and_back("filtfilt", x, axis, padtype, padlen, 3 * taps, run)


def _sections(name: str, sos: Any, x: Any) -> tuple[Array, Array]:
    sos = inexact(sos)
    if sos.ndim == 2:
        sos = sections_of(name, sos)
    elif sos.ndim < 2 or sos.shape[-1] != 6:
        raise ValueError(f"{name}: sections must have shape (..., n, 6), got {sos.shape}")
    sos, x = all_inexact(name, [sos, x])
    return sos, x


def _cascade(sos: Array, x: Array, states: list[Array] | None) -> tuple[Array, list[Array]]:
    finals = []
    for i in range(sos.shape[-2]):
        b, a = sos[..., i, :3], sos[..., i, 3:]
        x, final = _filtered(b, a, x, None if states is None else states[i])
        finals.append(final)
    return x, finals


def sosfilt(sos: Any, x: Any, axis: int = -1, zi: Any = None) -> Any:
    """``x`` filtered along an axis by second-order sections (n, 6), from rest or from the states ``zi``.

    Sections (..., n, 6) are filters of their own, as in `lfilter`. The states are (n, ...) with 2 elements in place of the
    samples; the final ones come second. Differentiable to any order in everything.

    Example
    -------
    >>> sa.signal.sosfilt([[0.5, 0.0, 0.0, 1.0, -0.5, 0.0]], [1.0, 1.0, 1.0])
    array([0.5  , 0.75 , 0.875])
    """
    sos, x = _sections("sosfilt", sos, x)
    axis = normalize_axis("sosfilt", axis, x.ndim)
    x = moveaxis(x, axis, -1)
    if zi is None:
        return _back(_cascade(sos, x, None)[0], axis, x.ndim)
    state = moveaxis(inexact(zi), axis - x.ndim, -1)
    if state.shape[0] != sos.shape[-2] or state.shape[-1] != 2:
        raise ValueError(
            f"sosfilt: zi must have {sos.shape[-2]} states of 2 elements along axis {axis}, got shape {inexact(zi).shape}"
        )
    y, finals = _cascade(sos, x, [state[i] for i in range(state.shape[0])])
    return _back(y, axis, x.ndim), _back(stack(finals), axis, x.ndim)


def _step_states(sos: Array) -> list[Array]:
    """States of the sections at which the response of the cascade to a step has settled."""
    gain: Any = 1.0
    states = []
    for i in range(sos.shape[-2]):
        b, a = sos[..., i, :3], sos[..., i, 3:]
        states.append(_step_state(b, a) * gain)
        gain = gain * _core.sum(b, axis=-1, keepdims=True) / _core.sum(a, axis=-1, keepdims=True)
    return states


def sosfilt_zi(sos: Any) -> Array:
    """The states (n, 2) of `sosfilt` that a constant input of 1 leaves as they are.

    Example
    -------
    >>> sa.signal.sosfilt_zi([[0.5, 0.0, 0.0, 1.0, -0.5, 0.0]])
    array([[0.5, 0. ]])
    """
    return stack(_step_states(sections_of("sosfilt_zi", sos)))


def sosfiltfilt(sos: Any, x: Any, axis: int = -1, padtype: str | None = "odd", padlen: int | None = None) -> Array:
    """`filtfilt` by second-order sections (n, 6).

    Example
    -------
    >>> sos = sa.signal.butter(2, 0.3, output="sos")
    >>> sa.round(sa.signal.sosfiltfilt(sos, sa.ones(20)), 6)[:3]
    array([1., 1., 1.])
    """
    sos, x = _sections("sosfiltfilt", sos, x)
    axis = normalize_axis("sosfiltfilt", axis, x.ndim)
    taps = 2 * sos.shape[-2] + 1
    values = known(sos)
    if values is not None:
        taps -= int(min((values[..., 2] == 0).sum(), (values[..., 5] == 0).sum()))
    states = _step_states(sos)
    run = lambda v, first: _cascade(sos, v, [s * first for s in states])[0]
    return _there_and_back("sosfiltfilt", x, axis, padtype, padlen, 3 * taps, run)


def deconvolve(signal: Any, divisor: Any) -> tuple[Array, Array]:
    """Quotient and remainder of ``signal``, as polynomials: ``signal = convolve(divisor, quotient) + remainder``.

    Example
    -------
    >>> sa.signal.deconvolve([0.0, 1.0, 3.0, 2.0], [1.0, 2.0])
    (array([0., 1., 1.]), array([0., 0., 0., 0.]))
    """
    num, den = all_inexact("deconvolve", [signal, divisor])
    if num.ndim != 1 or den.ndim != 1 or den.size == 0:
        raise ValueError(f"deconvolve: vectors are required, got shapes {num.shape} and {den.shape}")
    if den.size > num.size:
        return zeros(0, num.dtype), num
    quotient = lfilter([1.0], den, num[: num.size - den.size + 1])
    return quotient, num - convolve(den, quotient)


def decimate(
    x: Any, q: int, n: int | None = None, ftype: str = "iir", axis: int = -1, zero_phase: bool = True
) -> Array:
    """Every ``q``-th sample of ``x`` after a lowpass filter along an axis.

    ``ftype`` is "iir", a Chebyshev filter of order ``n`` (8), or "fir", a windowed one of order ``n`` (20 q); with
    ``zero_phase`` it does not delay.

    Example
    -------
    >>> sa.signal.decimate(sa.arange(100.0), 4, ftype="fir").shape
    (25,)
    """
    x, q = inexact(x), index(q)
    axis = normalize_axis("decimate", axis, x.ndim)
    if q < 1:
        raise ValueError(f"decimate: q must be at least 1, got {q}")
    if ftype == "fir":
        taps = firwin((20 * q if n is None else index(n)) + 1, 1 / q, window="hamming").to(x.device)
        taps = _core.astype(taps, _core.float32) if x.dtype.name in ("float32", "complex64") else taps
        if zero_phase:
            return resample_poly(x, 1, q, axis, taps)
        return upfirdn(taps, x, 1, q, axis)[at(axis, slice(-(-x.shape[axis] // q)))]
    if ftype != "iir":
        raise ValueError(f"decimate: ftype must be 'iir' or 'fir', got {ftype!r}")
    sos = cheby1(8 if n is None else index(n), 0.05, 0.8 / q, output="sos").to(x.device)
    sos = _core.astype(sos, _core.float32) if x.dtype.name in ("float32", "complex64") else sos
    y = sosfiltfilt(sos, x, axis) if zero_phase else sosfilt(sos, x, axis)
    return y[at(axis, slice(None, None, q))]
