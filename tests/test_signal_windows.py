"""`sciarray.signal.windows` against SciPy, and derivatives in the parameters."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.signal.windows as peer
from hypothesis import given
from hypothesis import strategies as st

import sciarray as sa
from sciarray.signal import windows
from sciarray.testing import check_grads

PLAIN = [
    "barthann", "bartlett", "blackman", "blackmanharris", "bohman", "boxcar", "cosine", "flattop", "hamming", "hann",
    "lanczos", "nuttall", "parzen", "triang",
]  # fmt: skip

PARAMETERS = {
    "chebwin": st.tuples(st.floats(46, 150)),
    "exponential": st.tuples(st.none(), st.floats(0.1, 9)),
    "gaussian": st.tuples(st.floats(0.1, 9)),
    "general_cosine": st.tuples(st.lists(st.floats(-2, 2), min_size=1, max_size=5)),
    "general_gaussian": st.tuples(st.floats(0.3, 3), st.floats(0.3, 9)),
    "general_hamming": st.tuples(st.floats(0, 1)),
    "kaiser": st.tuples(st.floats(0, 40)),
    "taylor": st.tuples(st.integers(2, 8), st.floats(20, 70), st.booleans()),
    "tukey": st.tuples(st.sampled_from([-1, 0, 0.1, 0.25, 0.5, 0.77, 1, 2])),
}


def test_all_of_scipys_names_are_there():
    assert set(peer.__all__) <= set(windows.__all__)


@pytest.mark.parametrize("name", PLAIN)
@given(M=st.integers(0, 40), sym=st.booleans())
def test_plain(name, M, sym):
    np.testing.assert_allclose(getattr(windows, name)(M, sym=sym), getattr(peer, name)(M, sym=sym), atol=1e-15)


@pytest.mark.parametrize("name", PARAMETERS)
@given(data=st.data(), M=st.integers(0, 40), sym=st.booleans())
def test_with_parameters(name, data, M, sym):
    parameters = data.draw(PARAMETERS[name])
    want = getattr(peer, name)(M, *parameters, sym=sym)
    np.testing.assert_allclose(getattr(windows, name)(M, *parameters, sym=sym), want, rtol=1e-11, atol=1e-13)


def test_kaiser_windows():
    for beta in (0.0, 8.6, 200.0, 700.0):
        np.testing.assert_allclose(windows.kaiser(51, beta), peer.kaiser(51, beta), rtol=1e-12)
    for M in (0, 2, 4, 64):
        np.testing.assert_allclose(
            windows.kaiser_bessel_derived(M, 4.0), peer.kaiser_bessel_derived(M, 4.0), rtol=1e-13
        )


@given(
    M=st.integers(5, 40),
    NW=st.floats(0.5, 2.4),
    Kmax=st.one_of(st.none(), st.integers(1, 4)),
    sym=st.booleans(),
    norm=st.sampled_from([None, 2, "approximate", "subsample"]),
)
def test_slepian_sequences(M, NW, Kmax, sym, norm):
    got = windows.dpss(M, NW, Kmax, sym, norm, return_ratios=True)
    want = peer.dpss(M, NW, Kmax, sym, norm, return_ratios=True)
    for g, w in zip(got, want):
        assert g.shape == np.shape(w)
        np.testing.assert_allclose(g, w, atol=1e-10)


@pytest.mark.parametrize(
    "window",
    [
        "hann", "hann_symmetric", ("tukey", 0.3), "tukey", ("tukey_periodic", 0.3), 8.6, ("kaiser", 4.0), "sinc",
        ("general gaussian", 1.5, 3.0), ("chebwin", 80), ("exponential", None, 2.0), "poisson", "taylor", ("dpss", 2.0),
        ("general_cosine", [0.5, 0.3]), "rect", "par",
    ],
)  # fmt: skip
@pytest.mark.parametrize("fftbins", [True, False])
def test_get_window(window, fftbins):
    want = peer.get_window(window, 12, fftbins)
    np.testing.assert_allclose(sa.signal.get_window(window, 12, fftbins), want, atol=1e-12)


@pytest.mark.parametrize(
    ("f", "parameters"),
    [
        (lambda b: windows.kaiser(7, b), (3.0,)),
        (lambda b: windows.kaiser(6, b, sym=False), (0.0,)),
        (lambda b: windows.kaiser_bessel_derived(8, b), (3.0,)),
        (lambda s: windows.gaussian(6, s), (1.5,)),
        (lambda p, s: windows.general_gaussian(6, p, s), (1.2, 1.5)),
        (lambda a: windows.general_cosine(5, a), (sa.asarray([0.5, 0.4, 0.1]),)),
        (lambda a: windows.general_hamming(5, a), (0.6,)),
        (lambda a: windows.chebwin(6, a), (80.0,)),
        (lambda a: windows.chebwin(7, a), (80.0,)),
        (lambda t: windows.exponential(5, tau=t), (1.3,)),
        (lambda c: windows.exponential(5, c, 1.3, sym=False), (1.7,)),
        (lambda a: windows.tukey(9, a), (0.6,)),
        (lambda s: windows.taylor(7, 3, s), (30.0,)),
        (lambda w: windows.dpss(6, w, 2, return_ratios=True), (1.7,)),
        (lambda w: windows.dpss(6, w, norm="subsample"), (1.7,)),
    ],
)
def test_gradients_in_parameters(f, parameters):
    check_grads(f, *parameters)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: windows.hann(-1), "hann: M must be an integer that is not negative, got -1"),
        (lambda: windows.hann(2.5), "hann: M must be an integer that is not negative, got 2.5"),
        (lambda: windows.kaiser_bessel_derived(3, 1.0), "kaiser_bessel_derived: M must be even, got 3"),
        (lambda: windows.exponential(3, 1.0), "exponential: a symmetric window"),
        (lambda: windows.dpss(4, 3.0), "dpss: NW must be between 0 and M / 2"),
        (lambda: sa.signal.get_window("box_car", 3), "get_window: 'box_car' is not the name of a window"),
        (lambda: sa.signal.get_window("kaiser", 3), "get_window: 'kaiser' takes 1 parameters, got 0"),
    ],
)
def test_refusals(call, message):
    with pytest.raises(ValueError, match=message):
        call()
