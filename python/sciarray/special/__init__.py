"""Special functions under SciPy's names."""

# The composites replace rows of the same name that lack an option.
from ._rows import *  # isort: skip
from ._bessel import *
from ._composites import *
from ._integrals import *
from ._polynomials import *
