"""Every public function of `fft` and `signal`, recorded, replayed with other numbers, saved and loaded, equals eager."""

from __future__ import annotations

import numpy as np
import pytest
from signal_cases import CASES, X

import sciarray as sa
from sciarray import fft, signal
from sciarray.signal import windows

# What no program computes: plain numbers from plain numbers, and results whose shape depends on values.
NOT_RECORDED = {
    "fft": {"get_workers", "next_fast_len", "prev_fast_len", "set_workers"},
    "windows": set(),
    "signal": {"BadCoefficients", "argrelextrema", "argrelmax", "argrelmin", "check_COLA", "check_NOLA", "choose_conv_method",
               "correlation_lags", "czt", "czt_points", "find_peaks", "get_window", "kaiserord", "peak_prominences",
               "peak_widths", "remez", "windows", "zoom_fft"},
}  # fmt: skip


@pytest.mark.parametrize("space", CASES)
def test_the_table_is_complete(space):
    names = set({"fft": fft, "windows": windows, "signal": signal}[space].__all__)
    assert names == CASES[space].keys() | NOT_RECORDED[space]


def flat(tree):
    return [np.asarray(v) for v in (tree if isinstance(tree, (tuple, list)) else [tree])]


def same(got, want):
    assert len(got) == len(want)
    for g, w in zip(got, want):
        assert g.dtype == w.dtype
        np.testing.assert_allclose(g, w, rtol=1e-9, atol=1e-11 * np.abs(w).max(initial=1.0))


@pytest.mark.filterwarnings("ignore:.*two-sided spectra")
@pytest.mark.parametrize(("space", "name"), [(space, name) for space in CASES for name in CASES[space]])
def test_replay(space, name, tmp_path):
    for f, *args in CASES[space][name]:
        program = sa.record(f)
        for scale in (1.0, 1.1, 1.1):
            scaled = [a * scale for a in args]
            same(flat(program(*scaled)), flat(f(*scaled)))
        program.graphs[0].save(tmp_path / "program.zip")
        got = sa.graph.load(tmp_path / "program.zip")(*args)
        same([np.asarray(g) for g in got], [np.asarray(g) for g in program.graphs[0](*args)])


@pytest.mark.parametrize(
    ("call", "args"),
    [
        (signal.find_peaks, [X[0]]),
        (lambda x: signal.peak_widths(x, [3]), [X[0]]),
        (signal.argrelmax, [X[0]]),
        (lambda b: signal.remez(9, b, [1.0, 0.0]), [sa.asarray([0.0, 0.1, 0.2, 0.5])]),
    ],
)
def test_shapes_that_depend_on_values(call, args):
    with pytest.raises(RuntimeError, match=r"\w+: the values of an argument decide on the shape of the result"):
        sa.record(call)(*args)
