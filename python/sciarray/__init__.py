"""sciarray: differentiable scientific arrays on NumPy's and SciPy's names."""

from __future__ import annotations

import math as _math
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from . import _core, _methods, _printing
from . import fft as fft
from . import graph as graph
from . import linalg as linalg
from . import optim as optim
from . import random as random
from . import special as special

# `x as x` marks what is public for type checkers.
from ._core import (
    Array as Array,
    DType as DType,
    all as all,
    any as any,
    argmax as argmax,
    argmin as argmin,
    bool as bool,
    complex64 as complex64,
    complex128 as complex128,
    count_nonzero as count_nonzero,
    float32 as float32,
    float64 as float64,
    int8 as int8,
    int16 as int16,
    int32 as int32,
    int64 as int64,
    matmul as matmul,
    max as max,
    min as min,
    prod as prod,
    promote_types as promote_types,
    sum as sum,
    uint8 as uint8,
    uint16 as uint16,
    uint32 as uint32,
    uint64 as uint64,
)
from ._creation import *
from ._einsum import *
from ._elementwise import *
from ._grad import *
from ._exchange import *
from ._indexing import *
from ._info import *
from ._info import __array_namespace_info__
from ._io import *
from ._linear import *
from ._manipulation import *
from ._matrices import *
from ._numeric import *
from ._polynomials import *
from . import _protocols as _protocols
from ._rows import *
from ._searching import *
from ._sets import *
from ._statistics import *
from .graph import (
    leaf as leaf,
    name_scope as name_scope,
    record as record,
    recording as recording,
    why_nan as why_nan,
)
from .linalg import errstate as errstate

bool_ = bool

__array_api_version__ = "2025.12"
__version__ = _core.__version__

e = _math.e
euler_gamma = 0.57721566490153286060651209008240243
inf = _math.inf
nan = _math.nan
newaxis = None
pi = _math.pi

if _TYPE_CHECKING:
    from . import cuda as cuda, signal as signal, testing as testing

# Loaded at first use: signal takes more than half as long as the rest, cuda looks for libraries, testing is for tests.
_LATER = ("cuda", "signal", "testing")


def __getattr__(name: str) -> _Any:
    if name in _LATER:
        from importlib import import_module

        return import_module(f".{name}", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATER})
