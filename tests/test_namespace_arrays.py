"""Dtype functions, elementwise formulas, methods of arrays, and the namespace itself."""

from __future__ import annotations

import inspect
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given, settings
from numpy_peer import arrays, assert_same, cases, compare

import sciarray as sa

few = settings(max_examples=15, deadline=None)
DTYPES = list(sa.__array_namespace_info__().dtypes())


def test_result_type_follows_numpy():
    for a in DTYPES:
        for b in DTYPES:
            assert sa.result_type(a, b) == np.result_type(a, b)
            assert sa.can_cast(a, b) == np.can_cast(a, b)
        for scalar in (True, 1, 1.0, 1j):
            assert sa.result_type(sa.zeros(1, a), scalar) == np.result_type(np.zeros(1, a), scalar)
            assert sa.result_type(scalar, a) == np.result_type(scalar, np.dtype(a))
    assert sa.result_type(1, 2.0) == sa.float64


def test_limits():
    for name in ("float32", "float64"):
        ours, numpys = sa.finfo(name), np.finfo(name)
        for field in (
            "bits",
            "eps",
            "max",
            "min",
            "smallest_normal",
            "tiny",
            "smallest_subnormal",
            "epsneg",
            "resolution",
        ):
            assert getattr(ours, field) == getattr(numpys, field)
    assert sa.finfo(sa.complex64).dtype == sa.float32
    for name in DTYPES:
        if sa.isdtype(sa.dtype(name), "integral"):
            assert (sa.iinfo(name).min, sa.iinfo(name).max) == (np.iinfo(name).min, np.iinfo(name).max)


def test_kinds():
    assert sa.isdtype(sa.int8, "signed integer")
    assert not sa.isdtype(sa.int8, ("bool", "real floating"))
    assert sa.isdtype(sa.float64, sa.float64)
    assert sa.issubdtype(sa.uint8, np.integer)
    with pytest.raises(ValueError, match="isdtype: kind must be one of"):
        sa.isdtype(sa.int8, "floating")


@pytest.mark.parametrize("kind", DTYPES)
def test_astype(kind):
    for source in DTYPES:
        x = np.array([0, 1, 3]).astype(source)
        compare(lambda m, x: [m.astype(x, kind), x.astype(kind)], x)


def test_dropping_an_imaginary_part_warns():
    with pytest.warns(np.exceptions.ComplexWarning, match="astype: the imaginary part"):
        sa.astype(sa.asarray([1j]), sa.float64)


METHODS = {
    "reshape": lambda m, x: [x.reshape(-1), x.reshape((x.size, 1)), x.reshape(1, x.size, order="F")],
    "transposes": lambda m, x: [x.T, x.transpose(), x.mT if x.ndim > 1 else None],
    "transpose": lambda m, x: [x.transpose(1, 0), x.transpose((-1, 0))],
    "ravel": lambda m, x: [x.ravel(), x.flatten(), x.squeeze(), x.swapaxes(0, -1)],
    "reductions": lambda m, x: [x.mean(), x.sum(axis=0), x.var(axis=-1, ddof=1), x.std(), x.any(), x.all(axis=0)],
    "running": lambda m, x: [x.cumsum(), x.cumprod(axis=0), x.cumsum(-1)],
    "extrema": lambda m, x: [x.max(), x.min(axis=0), x.argmax(), x.argmin(axis=-1), x.clip(1, 3)],
    "sorting": lambda m, x: [x.argsort(0), x.nonzero(), x.take([0, -1]), x.repeat(2)],
    "parts": lambda m, x: [x.real, x.imag, x.conj(), x.conjugate()],
    "rounding": lambda m, x: x.round(1),
    "diagonals": lambda m, x: [x.diagonal(1), x.trace()],
    "operators": lambda m, x: [x**2, 2.0 ** (x * 0.5), list(divmod(x, 2)), list(divmod(7, x * x + 1))],
    "iteration": lambda m, x: [list(x), len(x), 3 in x, 100 in x],
    "dot": lambda m, x: x.dot(x.T),
    "power of powers": lambda m, x: [x**0, x**0.5, x**3],
}


@cases(METHODS)
@few
@given(x=arrays(("int64", "float32", "float64"), min_dims=1))
def test_methods(f, x):
    compare(f, x)


def _in_place(m, x, f):
    x = m.astype(x, x.dtype)
    f(x)
    return x


@few
@given(x=arrays(("float64", "complex128"), min_dims=1))
def test_methods_that_assign(x):
    compare(lambda m, x: _in_place(m, x, lambda y: y.sort() if y.dtype == "float64" else None), x)
    compare(lambda m, x: _in_place(m, x, lambda y: y.fill(2.0)), x)

    def power(y):
        y **= 2

    compare(lambda m, x: _in_place(m, x, power), x)

    def parts(y):
        y.real = 3.0
        if y.dtype == "complex128":
            y.imag = y.real * 2

    compare(lambda m, x: _in_place(m, x, parts), x)


def test_powers_in_place_keep_dtype_and_shape():
    x = sa.asarray([1, 2])
    with pytest.raises(TypeError, match=r"\*\*=: the result of dtype float64"):
        x **= 0.5
    with pytest.raises(ValueError, match=r"\*\*=: .* \(2,\), got \(3, 2\)"):
        x **= sa.ones((3, 2), "int64")
    other, alias = x, x
    x **= 2
    assert alias.tolist() == [1, 4]
    assert other is x


def test_unknown_operands_are_asked():
    class Right:
        __array_ufunc__ = None

        def __rpow__(self, other):
            return "right"

        def __rdivmod__(self, other):
            return "divided"

    assert sa.ones(2) ** Right() == "right"
    assert divmod(sa.ones(2), Right()) == "divided"
    with pytest.raises(TypeError, match="unsupported operand"):
        sa.ones(2) ** "x"


def test_zero_dimensional_arrays_have_no_elements_to_iterate_over():
    with pytest.raises(TypeError, match="iteration over a 0-d array"):
        list(sa.asarray(1.0))


def test_the_namespace_of_arrays():
    x = sa.ones(2)
    assert x.__array_namespace__() is sa
    assert x.__array_namespace__(api_version="2025.12") is sa
    assert x.device == "cpu"
    assert x.to_device("cpu") is x
    with pytest.raises(ValueError, match="the only device is 'cpu'"):
        x.to_device("gpu")
    with pytest.raises(ValueError, match="got '2030"):
        x.__array_namespace__(api_version="2030.12")


def _public():
    return {
        n: f
        for n, f in vars(sa).items()
        if not n.startswith("_") and callable(f) and not isinstance(f, (type, ModuleType))
    }


@pytest.mark.parametrize("name", sorted(_public()))
def test_every_function_has_a_signature_and_a_documented_purpose(name):
    f = _public()[name]
    inspect.signature(f)
    assert f.__doc__ and f.__doc__.strip()


def test_numpys_names_are_the_same_functions():
    assert sa.arcsin is sa.asin
    assert sa.power is sa.pow
    assert sa.concatenate is sa.concat
    assert sa.special.erf is not None
    assert not hasattr(sa, "erf")


FORMULAS = {
    "clip": lambda m, x: [m.clip(x, -1, 1), m.clip(x, x - 1, None), m.clip(x, 0.5, 2.0)],
    "round": lambda m, x: [m.round(x), m.round(x, 2), m.round(x, -1), m.around(x, 1)],
}


@cases(FORMULAS)
@few
@given(x=arrays(("int8", "int64", "uint16", "float64")))
def test_formulas(f, x):
    compare(f, x)


def test_clip_with_nothing_to_clip_at_is_another_array():
    x = sa.ones(2)
    y = sa.clip(x)
    y[0] = 5.0
    assert_same(x, np.ones(2))
