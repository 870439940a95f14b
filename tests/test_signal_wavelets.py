"""The continuous wavelet transform against its definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sciarray as sa
from sciarray import signal
from sciarray.testing import check_grads


@given(n=st.integers(1, 60), widths=st.lists(st.floats(0.5, 9), min_size=1, max_size=3), seed=st.integers(0, 99))
def test_cwt(n, widths, seed):
    x = np.random.default_rng(seed).normal(size=(2, n))
    for wavelet in (signal.ricker, signal.morlet2):
        got = np.asarray(signal.cwt(x, wavelet, widths))
        assert got.shape == (2, len(widths), n)
        for k, width in enumerate(widths):
            w = np.asarray(wavelet(max(1, min(int(10 * width), n)), width)).conj()[::-1]
            full = np.convolve(x[1], w)
            start = (len(w) - 1) // 2
            np.testing.assert_allclose(got[1, k], full[start : start + n], atol=1e-12)


def test_wavelets():
    for width in (2.0, 5.0):
        for w in (signal.ricker(201, width), signal.morlet2(201, width)):
            np.testing.assert_allclose(np.sum(np.abs(np.asarray(w)) ** 2), 1.0, rtol=1e-9)
    t = np.arange(400)
    power = np.abs(np.asarray(signal.cwt(np.sin(0.5 * t), signal.morlet2, np.arange(4.0, 20), w=6.0)))[:, 200]
    assert np.argmax(power / np.sqrt(np.arange(4.0, 20))) == 12 - 4
    check_grads(lambda x, s: signal.cwt(x, signal.ricker, s), sa.asarray(np.sin(t[:9] * 1.0)), sa.asarray([0.75, 1.25]))
    check_grads(lambda s, w: signal.morlet2(5, s, w), 1.3, 4.0)
    with pytest.raises(ValueError, match=r"cwt: a signal \(..., n\) and a vector"):
        signal.cwt(1.0, signal.ricker, [1.0])
