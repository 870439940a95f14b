"""Special functions under SciPy's names."""

from ._rows import *
