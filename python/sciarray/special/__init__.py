"""Special functions under SciPy's names."""

from ._composites import *
from ._rows import *
