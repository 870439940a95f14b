"""Value semantics: no write ever reaches another array."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sciarray as sa

N = 6
SLICES = st.tuples(st.integers(-N, N), st.integers(-N, N), st.sampled_from([-2, -1, 1, 2])).map(lambda t: slice(*t))


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 7), SLICES, st.integers(-9, 9)), max_size=12))
def test_random_programs_of_views_and_writes(program):
    """Against NumPy arrays where every assignment of a name copies."""
    ours = [sa.arange(N)]
    theirs = [np.arange(N)]
    exports = []
    for action, which, index, value in program:
        k = which % len(ours)
        if action == 0:
            ours.append(ours[k][index])
            theirs.append(theirs[k][index].copy())
        elif action == 1:
            ours[k][index] = value
            theirs[k][index] = value
        elif action == 2:
            ours[k] += value
            theirs[k] += value
        elif action == 3:
            exports.append((np.asarray(ours[k]), theirs[k].copy()))
        elif action == 4:
            exports.append((np.asarray(memoryview(ours[k])), theirs[k].copy()))
        elif ours[k].size:
            i = [value % ours[k].size, 0]
            ours[k][i] = value
            theirs[k][i] = value
    for x, a in zip(ours, theirs):
        np.testing.assert_array_equal(np.asarray(x), a)
    for x, a in exports:
        np.testing.assert_array_equal(x, a)


def test_writes_are_in_place_where_nobody_else_holds_the_memory():
    x = sa.zeros(1000)
    place = np.asarray(x).ctypes.data
    x[0] = 1.0
    x[1:3] = 2.0
    assert np.asarray(x).ctypes.data == place
    held = np.asarray(x)
    x[0] = 3.0
    assert np.asarray(x).ctypes.data != place
    assert held[0] == 1.0


def test_overlapping_assignment_reads_before_it_writes():
    x = sa.arange(6)
    x[1:] = x[:-1]
    np.testing.assert_array_equal(np.asarray(x), [0, 0, 1, 2, 3, 4])


def test_in_place_operators_keep_dtype_and_shape():
    x = sa.asarray([1, 2])
    with pytest.raises(TypeError, match="float64 cannot be stored in an array of dtype int64"):
        x /= 2
    with pytest.raises(ValueError, match=r"shape of the left side \(2,\), got \(2, 2\)"):
        x += sa.zeros((2, 2), "int64")
    np.testing.assert_array_equal(np.asarray(x), [1, 2])


def test_an_update_without_the_tape_keeps_a_leaf():
    w = sa.asarray([1.0, 2.0], requires_grad=True)
    (w * w).sum().backward()
    with sa.no_grad():
        w -= 0.5 * w.grad
    assert w.is_leaf
    assert w.requires_grad
    np.testing.assert_array_equal(np.asarray(w.detach()), [0.0, 0.0])
    w = w * 2.0
    assert not w.is_leaf
