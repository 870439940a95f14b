"""Derivatives of every public function of `fft` and `signal`, real and complex, to second order in both modes."""

from __future__ import annotations

import pytest
from signal_cases import CASES

from sciarray.testing import check_grads


@pytest.mark.filterwarnings("ignore:.*two-sided spectra")
@pytest.mark.parametrize(("space", "name"), [(space, name) for space in CASES for name in CASES[space]])
def test_second_order(space, name):
    for f, *args in CASES[space][name]:
        check_grads(f, *args, rtol=1e-5, atol=1e-6)
