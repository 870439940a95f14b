"""Linear algebra over the last two axes; leading axes broadcast."""

from __future__ import annotations

from numpy.linalg import LinAlgError

from .._core import matmul
from .._linear import outer, tensordot, vecdot
from .._manipulation import matrix_transpose
from ._backend import errstate
from ._decompositions import *
from ._equations import *
from ._factors import *
from ._iterative import *
from ._matrix_functions import *
from ._norms import *
from ._products import *
from ._solvers import *
from ._spectral import *
from ._structured import *
