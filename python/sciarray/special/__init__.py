"""Special functions under SciPy's names."""

# The composites replace rows of the same name that lack an option.
from ._rows import *  # isort: skip
from ._bessel import *
from ._combinatorics import *
from ._composites import *
from ._integrals import *
from ._polynomials import *

# Of the main namespace, under SciPy's names as well.
from .._core import (
    cbrt as cbrt,
    exp2 as exp2,
    expm1 as expm1,
    log1p as log1p,
    rint as _rint,
    sinc as sinc,
)

round = _rint
