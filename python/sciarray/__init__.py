"""sciarray: differentiable scientific arrays on NumPy's and SciPy's names."""

from __future__ import annotations

from . import _core, _creation, _grad, _io, _manipulation, _printing, _protocols, graph, optim
from ._core import *  # noqa: F403
from ._creation import *  # noqa: F403
from ._grad import *  # noqa: F403
from ._io import *  # noqa: F403
from ._manipulation import *  # noqa: F403
from ._protocols import *  # noqa: F403
from .graph import record

newaxis = None
