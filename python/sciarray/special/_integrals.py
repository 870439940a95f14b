"""Functions of SciPy that give several results or choose among branches, over rows of the op table."""

from __future__ import annotations

from typing import Any, NamedTuple

from .. import _core
from .._core import Array

_ROWS = _core._rows

__all__ = ["ellipj", "lambertw", "shichi", "sici"]


class SiciResult(NamedTuple):
    si: Array
    ci: Array


class ShichiResult(NamedTuple):
    shi: Array
    chi: Array


class EllipjResult(NamedTuple):
    sn: Array
    cn: Array
    dn: Array
    ph: Array


def sici(x: Any) -> SiciResult:
    """Sine and cosine integrals Si and Ci.

    Ci of a negative argument is the real part of its value on either side of the cut. Dtypes float32 and float64; complex
    arguments are not supported yet. DLMF 6.2.9, 6.2.11; tables, and auxiliary functions beyond 4 (DLMF 6.2.17).

    Example
    -------
    >>> si, ci = sa.special.sici(sa.asarray([0.5, 2.0]))
    >>> si, ci
    (array([0.49310742, 1.60541298]), array([-0.17778408,  0.42298083]))
    """
    return SiciResult(_ROWS["sici_si"]["function"](x), _ROWS["sici_ci"]["function"](x))


def shichi(x: Any) -> ShichiResult:
    """Hyperbolic sine and cosine integrals Shi and Chi.

    Chi of a negative argument is the real part of its value on either side of the cut. Dtypes float32 and float64; complex
    arguments are not supported yet. DLMF 6.2.15, 6.2.16.

    Example
    -------
    >>> shi, chi = sa.special.shichi(sa.asarray([0.5, 2.0]))
    >>> shi, chi
    (array([0.50699675, 2.50156743]), array([-0.05277684,  2.45266692]))
    """
    return ShichiResult(_ROWS["shichi_shi"]["function"](x), _ROWS["shichi_chi"]["function"](x))


def ellipj(u: Any, m: Any) -> EllipjResult:
    """Jacobi's elliptic functions sn, cn, dn and the amplitude ph, differentiable in both arguments.

    NaN for a parameter ``m`` outside [0, 1], as SciPy. Arguments broadcast; dtypes float32 and float64. By descending Landen
    transformations (DLMF 22.20(ii)).

    Example
    -------
    >>> sn, cn, dn, ph = sa.special.ellipj(sa.asarray([0.0, 0.5]), 0.5)
    >>> sn, ph
    (array([0.        , 0.47075047]), array([0.        , 0.49014121]))
    """
    return EllipjResult(*[_ROWS[f"ellipj_{part}"]["function"](u, m) for part in ("sn", "cn", "dn", "ph")])


def lambertw(z: Any, k: int = 0) -> Array:
    """Lambert's W function: the real solution ``w`` of ``w * exp(w) = z``.

    ``k = 0`` is the principal branch on ``[-1/e, inf)``, ``k = -1`` the one on ``[-1/e, 0)`` with ``w <= -1``. Elsewhere the
    result is NaN; unlike SciPy's it is real, of dtype float32 or float64. Accurate at the branch point, where SciPy loses half
    of the digits for ``k = -1``. R. M. Corless et al., "On the Lambert W function", 1996.

    Raises ``ValueError`` for other branches.

    Example
    -------
    >>> sa.special.lambertw(sa.asarray([0.0, 1.0]))
    array([0.        , 0.56714329])
    >>> sa.special.lambertw(sa.asarray([-0.1]), -1)
    array([-3.57715206])
    """
    if k not in (0, -1):
        raise ValueError(f"lambertw: only the real branches k = 0 and k = -1 are available, got k = {k}")
    return _ROWS["lambertw_0" if k == 0 else "lambertw_m1"]["function"](z)
