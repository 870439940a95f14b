"""Who factorizes large matrices, and what becomes of bad ones."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType

from .. import _core


def _find_lapack() -> None:
    """Tells the core where OpenBLAS's LAPACK is, if the wheel `scipy-openblas64` is installed; it is opened on first need.

    The environment variable ``SCIARRAY_LAPACK`` names another file of it, or none if it is empty.
    """
    chosen = os.environ.get("SCIARRAY_LAPACK")
    if chosen is not None:
        if chosen:
            _core.set_lapack_path(chosen)
        return
    spec = find_spec("scipy_openblas64")
    for place in spec.submodule_search_locations or () if spec else ():
        for file in sorted(Path(place, "lib").glob("libscipy_openblas64_.*")):
            _core.set_lapack_path(str(file))
            return


_find_lapack()


class errstate:
    """Context that chooses what a bad matrix does: ``linalg="raise"`` or ``linalg="nan"``.

    Example
    -------
    >>> with sa.errstate(linalg="nan"):
    ...     sa.linalg.solve(sa.asarray([[[0.0]], [[2.0]]]), sa.asarray([[1.0]]))
    array([[[nan]],
    <BLANKLINE>
           [[0.5]]])
    """

    def __init__(self, *, linalg: str) -> None:
        if linalg not in ("raise", "nan"):
            raise ValueError(f"errstate: linalg must be 'raise' or 'nan', got {linalg!r}")
        self._nan = linalg == "nan"
        self._before: list[bool] = []

    def __enter__(self) -> None:
        self._before.append(_core.exchange_nan_on_failure(self._nan))

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        _core.exchange_nan_on_failure(self._before.pop())
