"""Beamforming with minimum variance and no distortion (MVDR) from masked spectra of several microphones.

M. Souden, J. Benesty, S. Affes, On optimal frequency-domain multichannel linear filtering for noise reduction, IEEE
Trans. Audio Speech Lang. Process. 18 (2010); R. Warsitz, R. Haeb-Umbach, Blind acoustic beamforming based on generalized
eigenvalue decomposition, ibid. 15 (2007).
"""

from __future__ import annotations

from operator import index
from typing import Any

import numpy as np

from .. import _core
from .._arguments import inexact
from .._core import Array
from .._creation import asarray, eye, ones
from .._manipulation import moveaxis
from .._statistics import mean
from ..linalg import eigh

__all__ = ["beamform", "mvdr", "mvdr_weights", "spatial_covariance"]


def _spectra(name: str, x: Any) -> Array:
    x = inexact(x)
    x = x if x.dtype.kind == "c" else _core.astype(x, _core.complex128)
    if x.ndim < 3:
        raise ValueError(f"{name}: spectra (..., channels, frequencies, slices) are required, got shape {x.shape}")
    return x


def _adjoint(x: Array) -> Array:
    return _core.conj(moveaxis(x, -1, -2))


def spatial_covariance(x: Any, mask: Any = None, previous: tuple[Any, Any] | None = None) -> tuple[Array, Array]:
    """Covariances (..., frequencies, channels, channels) of spectra (..., channels, frequencies, slices), and their weight.

    ``mask`` weights the slices: (..., frequencies, slices), or one for each channel like ``x``, which are averaged. Given
    the ``previous`` pair of results, the new slices are added to it, so that the covariance after many calls is that
    of all slices.

    Example
    -------
    >>> covariance, weight = sa.signal.spatial_covariance(sa.ones((2, 3, 5)))
    >>> covariance.shape, weight.shape
    ((3, 2, 2), (3,))
    """
    x = _spectra("spatial_covariance", x)
    if mask is None:
        m = ones(x.shape[-2:], device=x.device)
    else:
        m = inexact(mask)
        if m.ndim == x.ndim:
            m = mean(m, axis=-3)
        if m.shape[-2:] != x.shape[-2:]:
            raise ValueError(
                f"spatial_covariance: the mask must end in frequencies and slices {x.shape[-2:]}, got shape {m.shape}"
            )
    m = _core.astype(m, _core.float32 if x.dtype == _core.complex64 else _core.float64)
    rows = moveaxis(x, -3, -2)
    total = _core.matmul(rows * m[..., None, :], _adjoint(rows))
    weight = _core.sum(m, axis=-1)
    if previous is not None:
        old, count = inexact(previous[0]), inexact(previous[1])
        total, weight = total + old * count[..., None, None], weight + count
    empty = weight == 0
    return total / _core.where(empty, 1.0, weight)[..., None, None], weight


def mvdr_weights(
    psd_s: Any,
    psd_n: Any,
    reference: Any = 0,
    solution: str = "ref_channel",
    *,
    diag_loading: float = 1e-7,
    n_iter: int = 3,
) -> Array:
    """Weights (..., frequencies, channels) that keep the signal as the reference channel has it and let least noise through.

    ``psd_s`` and ``psd_n`` are covariances (..., frequencies, channels, channels) of signal and noise; ``reference`` is a
    channel or weights (channels,). Solutions: "ref_channel" (no steering vector), "stv_evd" (the steering vector is the
    principal eigenvector of ``psd_s``) and "stv_power" (found by ``n_iter`` power iterations). ``diag_loading`` times the mean
    of its diagonal is added to that of ``psd_n``. Differentiable; "stv_evd" where the greatest
    eigenvalue is simple.

    Example
    -------
    >>> noise = sa.eye(2)[None]
    >>> speech = sa.ones((1, 2, 2))
    >>> w = sa.signal.mvdr_weights(speech, noise, diag_loading=0.0)
    >>> sa.real(w)
    array([[0.5, 0.5]])
    """
    s, noise = (inexact(v) for v in (psd_s, psd_n))
    s, noise = (v if v.dtype.kind == "c" else _core.astype(v, _core.complex128) for v in (s, noise))
    n = s.shape[-1]
    if s.ndim < 2 or s.shape[-2:] != (n, n) or noise.shape[-2:] != (n, n):
        raise ValueError(
            f"mvdr_weights: covariances (..., channels, channels) are required, got shapes {s.shape} and {noise.shape}"
        )
    if solution not in ("ref_channel", "stv_evd", "stv_power"):
        raise ValueError(f"mvdr_weights: solution must be 'ref_channel', 'stv_evd' or 'stv_power', got {solution!r}")
    if isinstance(reference, (int, np.integer)):
        if not -n <= reference < n:
            raise ValueError(f"mvdr_weights: reference must be one of {n} channels, got {reference}")
        u = asarray(np.eye(n)[index(reference)], device=s.device)
    else:
        u = inexact(reference)
        if u.shape != (n,):
            raise ValueError(f"mvdr_weights: reference must have one weight for each of {n} channels, got {u.shape}")
    u = _core.astype(u, s.dtype)[:, None]
    unit = eye(n, dtype=s.dtype, device=s.device)
    level = _core.real(_core.sum(noise * unit, axis=(-2, -1), keepdims=True)) / n
    noise = noise + (diag_loading * level) * unit
    if solution == "ref_channel":
        ratio = _core.solve(noise, s)
        trace = _core.sum(ratio * unit, axis=(-2, -1))
        return _core.matmul(ratio, u)[..., 0] / trace[..., None]
    if solution == "stv_evd":
        # Its length and phase cancel below.
        v = eigh(s).eigenvectors[..., -1:]
    else:
        ratio = _core.solve(noise, s)
        v = _core.matmul(ratio, u)
        for _ in range(max(index(n_iter) - 2, 0)):
            v = _core.matmul(ratio, v)
        v = _core.matmul(s if n_iter >= 2 else noise, v)
    top = _core.solve(noise, _core.broadcast_to(v, (*noise.shape[:-2], n, 1)))
    bottom = _core.matmul(_adjoint(v), top)
    # The signal as the reference has it: w^H v = u^H v.
    scale = _core.conj(_core.matmul(_adjoint(u), v))
    return (top / bottom * scale)[..., 0]


def beamform(w: Any, x: Any) -> Array:
    """The spectra (..., frequencies, slices) ``w^H x`` of weights (..., frequencies, channels) and spectra of the channels.

    Example
    -------
    >>> sa.signal.beamform(sa.ones((3, 2)) / 2, sa.ones((2, 3, 5))).shape
    (3, 5)
    """
    x = _spectra("beamform", x)
    w = _core.astype(inexact(w), x.dtype)
    return _core.matmul(_core.conj(w)[..., None, :], moveaxis(x, -3, -2))[..., 0, :]


def mvdr(
    x: Any,
    mask_s: Any,
    mask_n: Any = None,
    reference: Any = 0,
    solution: str = "ref_channel",
    *,
    diag_loading: float = 1e-7,
    n_iter: int = 3,
) -> Array:
    """The beam (..., frequencies, slices) of spectra (..., channels, frequencies, slices) under masks of signal and noise.

    Masks as in `spatial_covariance`, that of the noise 1 less the signal's unless given; the rest as in `mvdr_weights`. For
    signals that arrive in pieces update the covariances with `spatial_covariance` and take `mvdr_weights` and
    `beamform`.

    Example
    -------
    >>> x = sa.signal.unit_impulse((2, 3, 8)) + 1.0
    >>> sa.signal.mvdr(x, sa.full((3, 8), 0.5)).shape
    (3, 8)
    """
    x = _spectra("mvdr", x)
    m = inexact(mask_s)
    psd_s = spatial_covariance(x, m)[0]
    psd_n = spatial_covariance(x, 1 - m if mask_n is None else mask_n)[0]
    w = mvdr_weights(psd_s, psd_n, reference, solution, diag_loading=diag_loading, n_iter=n_iter)
    return beamform(w, x)
