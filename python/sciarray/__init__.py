"""sciarray: differentiable scientific arrays on NumPy's and SciPy's names."""

from __future__ import annotations

import math as _math

from . import _core, _methods, _printing, graph, optim, special
from ._core import (
    Array,
    DType,
    all,
    any,
    argmax,
    argmin,
    bool,
    complex64,
    complex128,
    count_nonzero,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    matmul,
    max,
    min,
    prod,
    promote_types,
    sum,
    uint8,
    uint16,
    uint32,
    uint64,
)
from ._creation import *  # noqa: F403
from ._einsum import *  # noqa: F403
from ._elementwise import *  # noqa: F403
from ._grad import *  # noqa: F403
from ._indexing import *  # noqa: F403
from ._info import *  # noqa: F403
from ._info import __array_namespace_info__
from ._linear import *  # noqa: F403
from ._manipulation import *  # noqa: F403
from ._matrices import *  # noqa: F403
from ._numeric import *  # noqa: F403
from ._rows import *  # noqa: F403
from ._searching import *  # noqa: F403
from ._sets import *  # noqa: F403
from ._statistics import *  # noqa: F403
from .graph import record

__array_api_version__ = "2025.12"

e = _math.e
euler_gamma = 0.57721566490153286060651209008240243
inf = _math.inf
nan = _math.nan
newaxis = None
pi = _math.pi
