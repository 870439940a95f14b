"""Functions of SciPy that give several results or choose among branches, over rows of the op table."""

from __future__ import annotations

from numbers import Integral
from typing import Any, NamedTuple

from .. import _core
from .._arguments import beside, inexact
from .._core import Array

_ROWS = _core._rows

__all__ = ["ellipj", "lambertw", "shichi", "sici", "wofz", "zeta"]


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

    Ci of a negative real argument is the real part of its value on either side of the cut; complex arguments have its principal
    value. DLMF 6.2.9, 6.2.11; tables, and auxiliary functions beyond 4 (DLMF 6.2.17); complex ones by E1 (DLMF 6.5.5).

    Example
    -------
    >>> si, ci = sa.special.sici(sa.asarray([0.5, 2.0]))
    >>> si, ci
    (array([0.49310742, 1.60541298]), array([-0.17778408,  0.42298083]))
    """
    return SiciResult(_ROWS["sici_si"]["function"](x), _ROWS["sici_ci"]["function"](x))


def shichi(x: Any) -> ShichiResult:
    """Hyperbolic sine and cosine integrals Shi and Chi.

    Chi of a negative real argument is the real part of its value on either side of the cut; of complex arguments it is the
    principal value. DLMF 6.2.15, 6.2.16.

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


def lambertw(z: Any, k: Any = 0, tol: float = 1e-8) -> Array:
    """Lambert's W function: branch ``k`` of the solutions ``w`` of ``w * exp(w) = z`` (DLMF 4.13).

    Of a real ``z`` the branches 0, on ``[-1/e, inf)``, and -1, on ``[-1/e, 0)`` with ``w <= -1``, are real, unlike SciPy's, and
    NaN elsewhere. A complex ``z``, another branch, or an array ``k``, which broadcasts with ``z``, gives complex results.
    ``tol`` is SciPy's and has no say: results are accurate, at the branch point as well, where SciPy loses half of the digits
    for ``k = -1``. Raises ``TypeError`` for a ``k`` that is not of integers. R. M. Corless et al., "On the Lambert W function",
    1996.

    Example
    -------
    >>> sa.special.lambertw(sa.asarray([0.0, 1.0]))
    array([0.        , 0.56714329])
    >>> sa.special.lambertw(sa.asarray([-0.1]), -1)
    array([-3.57715206])
    >>> sa.special.lambertw(-1.0, [0, 1])
    array([-0.31813151+1.3372357j , -2.06227773+7.58863118j])
    """
    x = inexact(z)
    if isinstance(k, Integral):
        if k not in (0, -1) or x.dtype.kind == "c":
            return _ROWS["lambertw"]["function"](float(k), _complex(x))
        return _ROWS["lambertw_0" if k == 0 else "lambertw_m1"]["function"](x)
    branch = beside(k, x.device)
    if branch.dtype.kind not in "iu":
        raise TypeError(f"lambertw: k must be an integer or an array of integers, got dtype {branch.dtype.name}")
    single = x.dtype in (_core.float32, _core.complex64)
    return _ROWS["lambertw"]["function"](_core.astype(branch, _core.float32 if single else _core.float64), _complex(x))


def _complex(x: Array) -> Array:
    return x if x.dtype.kind == "c" else _core.complex(x, 0.0)


def wofz(z: Any) -> Array:
    """Faddeeva's function ``exp(-z**2) * erfc(-1j * z)`` (DLMF 7.2.3), complex also of a real ``z``.

    Accurate to a few units of the last place in the whole plane and differentiable to any order without cancellation. By the
    trapezoidal rule with residues (M. Al Azah, S. N. Chandler-Wilde, SIAM J. Numer. Anal. 59, 2021).

    Example
    -------
    >>> sa.special.wofz(sa.asarray([0.0, 1.0 + 1.0j]))
    array([1.        +0.j        , 0.30474421+0.20821894j])
    """
    return _ROWS["wofz"]["function"](_complex(inexact(z)))


def zeta(x: Any, q: Any = None) -> Array:
    """Zeta function of Riemann (DLMF 25.2.1), or of Hurwitz where ``q`` is given (DLMF 25.11.1).

    Riemann's is defined for all real and complex ``x``, Hurwitz's for ``x > 1``; below ``q = 0`` it takes integer ``x`` only.
    Differentiable in both arguments, in ``x`` twice, given ``q`` three times. A complex ``x`` has an imaginary part to 2.5e6
    where the series converges slowly, NaN beyond. Raises ``TypeError`` for complex numbers where ``q`` is given.

    Example
    -------
    >>> sa.special.zeta(sa.asarray([-1.0, 2.0]))
    array([-0.08333333,  1.64493407])
    >>> sa.special.zeta(2.0, 0.5)
    array(4.9348022)
    """
    if q is None:
        return _ROWS["riemann_zeta"]["function"](x)
    if "c" in (inexact(x).dtype.kind, inexact(q).dtype.kind):
        raise TypeError("zeta: complex numbers are supported without q only")
    return _ROWS["hurwitz_zeta"]["function"](x, q)
