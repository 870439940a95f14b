"""The examples of docstrings with their arrays on a GPU: they run there and give the CPU's results."""

from __future__ import annotations

import doctest
import inspect
import types
from functools import wraps
from typing import Any

import numpy as np
import pytest

import sciarray as sa

pytestmark = pytest.mark.skipif(not sa.cuda.is_available(), reason="there is no GPU")

SPACES = {"sciarray": sa, "special": sa.special}
MAKERS = ["arange", "asarray", "eye", "full", "linspace", "ones", "zeros"]
# Their values are what memory held, or are drawn from the state of the process.
UNCOMPARED = {"empty", "empty_like"}


def moved() -> types.ModuleType:
    """The library with arrays made on the GPU where no device is named."""
    there = types.ModuleType("sa")
    there.__dict__.update({name: getattr(sa, name) for name in dir(sa)})

    def on_device(make: Any) -> Any:
        return wraps(make)(lambda *args, **kwargs: make(*args, **{"device": "cuda", **kwargs}))

    there.__dict__.update({name: on_device(getattr(sa, name)) for name in MAKERS})
    return there


def outcome(source: str, names: dict[str, Any]) -> list[np.ndarray]:
    """The arrays that an expression gives; a statement gives none."""
    try:
        code = compile(source, "example", "eval")
    except SyntaxError:
        exec(source, names)
        return []
    result = eval(code, names)
    leaves = result if isinstance(result, (tuple, list)) else [result]
    return [x.to("cpu").numpy() for x in leaves if isinstance(x, sa.Array)]


@pytest.mark.parametrize("space", SPACES)
def test_examples(space: str) -> None:
    there = moved()
    functions = {name: f for name, f in vars(SPACES[space]).items() if inspect.isroutine(f) and name not in UNCOMPARED}
    run = 0
    for name, f in functions.items():
        here_names, there_names = {"sa": sa, "np": np}, {"sa": there, "np": np}
        for example in doctest.DocTestParser().get_examples(f.__doc__ or ""):
            want = outcome(example.source, here_names)
            try:
                got = outcome(example.source, there_names)
            except Exception as error:
                raise AssertionError(f"{name}: {example.source}") from error
            run += 1
            assert len(got) == len(want), (name, example.source)
            for x, y in zip(got, want, strict=True):
                assert x.dtype == y.dtype, (name, example.source)
                np.testing.assert_allclose(x, y, rtol=1e-12, atol=1e-15, err_msg=f"{name}: {example.source}")
    assert run > 200
