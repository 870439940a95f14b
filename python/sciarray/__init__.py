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
from ._creation import *
from ._einsum import *
from ._elementwise import *
from ._grad import *
from ._indexing import *
from ._info import *
from ._info import __array_namespace_info__
from ._linear import *
from ._manipulation import *
from ._matrices import *
from ._numeric import *
from ._rows import *
from ._searching import *
from ._sets import *
from ._statistics import *
from .graph import record

__array_api_version__ = "2025.12"

e = _math.e
euler_gamma = 0.57721566490153286060651209008240243
inf = _math.inf
nan = _math.nan
newaxis = None
pi = _math.pi
