"""Recursive filters against SciPy, and their derivatives. They need the primitive `_core.allpole`."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.signal as peer
from hypothesis import given
from hypothesis import strategies as st

import sciarray as sa
from sciarray import signal
from sciarray.testing import check_grads


def sample(seed, shape, dtype="float64"):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=shape)
    return (x + 1j * rng.normal(size=shape) if np.dtype(dtype).kind == "c" else x).astype(dtype)


def close(got, want, rtol=1e-9):
    got, want = np.asarray(got), np.asarray(want)
    assert got.shape == want.shape and got.dtype == want.dtype
    rtol = 1e-3 if want.dtype in (np.float32, np.complex64) else rtol
    assert np.abs(got - want).max(initial=0) <= rtol * np.abs(want).max(initial=1e-3)


def stable(rng, order, dtype="float64"):
    """A denominator with roots inside the unit circle."""
    r = rng.uniform(0, 0.9, order // 2) * np.exp(1j * rng.uniform(0, 3, order // 2))
    a = np.poly(np.concatenate([r, r.conj(), rng.uniform(-0.8, 0.8, order % 2)])).real
    return (np.atleast_1d(a) * rng.uniform(0.5, 2)).astype(dtype)


@st.composite
def cases(draw, dtypes=("float64", "complex128", "float32")):
    rng = np.random.default_rng(draw(st.integers(0, 999)))
    dtype = draw(st.sampled_from(dtypes))
    b, a = rng.normal(size=draw(st.sampled_from([1, 2, 3, 5, 70]))), stable(rng, draw(st.integers(0, 6)))
    if dtype == "float32":
        b, a = b.astype(dtype), a.astype(dtype)
    shape = draw(st.lists(st.integers(1, 3), min_size=1, max_size=3))
    axis = draw(st.integers(-len(shape), len(shape) - 1))
    shape[axis] = draw(st.integers(1, 30))
    return b, a, sample(draw(st.integers(0, 99)), shape, dtype), axis


@given(case=cases())
def test_lfilter(case):
    b, a, x, axis = case
    close(signal.lfilter(b, a, x, axis), peer.lfilter(b, a, x, axis))
    shape = list(x.shape)
    shape[axis] = max(len(a), len(b)) - 1
    zi = sample(1, shape, x.dtype)
    got, want = (m.lfilter(b, a, x, axis, zi) for m in (signal, peer))
    close(got[0], want[0])
    close(got[1], want[1])
    if len(a) > 1 or len(b) > 1:
        close(signal.lfilter_zi(b, a), peer.lfilter_zi(b, a))
    past = sample(2, 9), sample(3, 2)
    if x.dtype != np.float32:
        close(signal.lfiltic(b, a, *past), peer.lfiltic(b, a, *past))


@given(n=st.integers(1, 20), cut=st.integers(0, 20), seed=st.integers(0, 99))
def test_states_join_pieces(n, cut, seed):
    rng = np.random.default_rng(seed)
    b, a, x = rng.normal(size=4), stable(rng, 5), rng.normal(size=n)
    cut = min(cut, n)
    first, state = signal.lfilter(b, a, x[:cut], zi=np.zeros(5))
    second, _ = signal.lfilter(b, a, x[cut:], zi=state)
    np.testing.assert_allclose(sa.concat([first, second]), peer.lfilter(b, a, x), atol=1e-10)


@given(
    case=cases(("float64", "float32")),
    order=st.integers(1, 6),
    padtype=st.sampled_from(["odd", "even", "constant", None]),
)
def test_sections_and_both_ways(case, order, padtype):
    _, _, x, axis = case
    x = np.repeat(x, 30, axis)
    sos = peer.butter(order, [0.2, 0.5], "band", output="sos").astype(x.dtype)
    close(signal.sosfilt(sos, x, axis), peer.sosfilt(sos, x, axis))
    shape = [len(sos), *x.shape]
    shape[axis + 1 if axis >= 0 else axis] = 2
    zi = sample(1, shape, x.dtype)
    got, want = (m.sosfilt(sos, x, axis, zi=zi) for m in (signal, peer))
    close(got[0], want[0])
    close(got[1], want[1])
    if x.dtype == np.float64:
        close(signal.sosfilt_zi(sos), peer.sosfilt_zi(sos))
        if x.shape[axis] > 40:
            close(signal.sosfiltfilt(sos, x, axis, padtype), peer.sosfiltfilt(sos, x, axis, padtype), 1e-7)
            close(signal.sosfiltfilt(sos, x, axis, padtype, 3), peer.sosfiltfilt(sos, x, axis, padtype, 3), 1e-7)
        b, a = peer.butter(min(order, 3), 0.3)
        close(signal.filtfilt(b, a, x, axis, padtype), peer.filtfilt(b, a, x, axis, padtype), 1e-7)


@given(n=st.integers(1, 12), order=st.integers(0, 5), seed=st.integers(0, 99))
def test_changing_coefficients(n, order, seed):
    rng = np.random.default_rng(seed)
    a, x = rng.uniform(-0.4, 0.4, (n, order)), rng.normal(size=(2, n))
    want = np.zeros((2, n))
    for t in range(n):
        want[:, t] = x[:, t] - sum(a[t, k - 1] * want[:, t - k] for k in range(1, min(order, t) + 1))
    close(signal.allpole(a, x, varying=True), want)
    close(signal.allpole(a[0], x.T, 0), peer.lfilter([1.0], np.concatenate([[1.0], a[0]]), x, -1).T)


def test_filter_banks():
    rng = np.random.default_rng(0)
    b, a = rng.normal(size=(3, 1, 2)), np.stack([stable(rng, 2) for _ in range(3)])[:, None]
    x = rng.normal(size=(19, 25))
    y = signal.lfilter(b, a, x)
    assert y.shape == (3, 19, 25)
    for i in range(3):
        close(y[i], peer.lfilter(b[i, 0], a[i, 0], x))
    sos = np.stack([peer.butter(3, w, output="sos") for w in (0.2, 0.4, 0.6)])
    y = signal.sosfilt(sos[:, None], x)
    for i in range(3):
        close(y[i], peer.sosfilt(sos[i], x))


@given(n=st.integers(1, 12), k=st.integers(1, 6), seed=st.integers(0, 99))
def test_deconvolve(n, k, seed):
    rng = np.random.default_rng(seed)
    divisor, x = stable(rng, k - 1), rng.normal(size=n)
    for got, want in zip(signal.deconvolve(x, divisor), peer.deconvolve(x, divisor)):
        assert np.shape(got) == np.shape(want)
        np.testing.assert_allclose(got, want, atol=1e-9)


@pytest.mark.parametrize("ftype", ["iir", "fir"])
@pytest.mark.parametrize("zero_phase", [True, False])
def test_decimate(ftype, zero_phase):
    x = sample(0, (2, 150, 2))
    want = peer.decimate(x, 3, ftype=ftype, axis=1, zero_phase=zero_phase)
    close(signal.decimate(x, 3, ftype=ftype, axis=1, zero_phase=zero_phase), want, 1e-8)


B, A = [0.5, 0.2, -0.3], [1.2, -0.4, 0.3]
SOS = [[0.5, 0.2, 0.1, 1.0, -0.4, 0.3], [1.0, 0.3, 0.2, 1.0, 0.2, 0.1]]


@pytest.mark.parametrize("kind", ["float64", "complex128"])
def test_gradients_of_filters(kind):
    x, zi = sa.asarray(sample(1, (2, 6), kind)), sa.asarray(sample(2, (2, 2), kind))
    check_grads(lambda b, a, x, zi: signal.lfilter(b, a, x, zi=zi), sa.asarray(B), sa.asarray(A), x, zi)
    a = sa.asarray(sample(3, (6, 3), kind) * 0.3)
    check_grads(lambda a, x: signal.allpole(a, x, varying=True), a, x)


def test_gradients_of_more():
    x = sa.asarray(sample(1, 9))
    b, a = sa.asarray(SOS)[:, :3], sa.asarray(SOS)[:, 4:]
    check_grads(lambda b, a, x: signal.sosfilt(sa.concat([b, sa.ones((2, 1)), a], 1), x), b, a, x)
    check_grads(lambda b, a, x: signal.filtfilt(b, a, x, padlen=4), sa.asarray(B), sa.asarray(A), x)
    check_grads(signal.lfilter_zi, sa.asarray(B), sa.asarray(A))
    check_grads(signal.deconvolve, x, sa.asarray(A))
    check_grads(lambda w, x: signal.sosfilt(signal.butter(2, w, output="sos"), x), 0.3, x, rtol=1e-5)


def test_gradients_of_coefficients_over_long_signals():
    """By the filter backwards and correlations; long enough for several chunks and threads."""
    b, a = peer.butter(3, 0.3)
    x, g = sample(1, (3, 20_001)), sample(2, (3, 20_001))
    pull = sa.vjp(lambda b, a, x: signal.lfilter(b, a, x), sa.asarray(b), sa.asarray(a), sa.asarray(x))[1]
    gb, ga, gx = pull(sa.asarray(g))
    r, y = peer.lfilter([1.0], a, g[:, ::-1])[:, ::-1], peer.lfilter(b, a, x)
    n = x.shape[1]
    close(gb, np.array([np.sum(r[:, k:] * x[:, : n - k]) for k in range(4)]))
    close(ga, np.array([-np.sum(r[:, k:] * y[:, : n - k]) for k in range(4)]))
    close(gx, peer.lfilter(b, [1.0], r[:, ::-1])[:, ::-1])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: signal.lfilter([1.0], [0.0], [1.0]), "lfilter: the denominator must not begin with 0"),
        (lambda: signal.lfilter([1.0], [1.0, 2.0], [1.0], zi=[1.0, 2.0]), "lfilter: zi must have 1 elements"),
        (
            lambda: signal.filtfilt(B, A, sa.ones(5)),
            "filtfilt: the signal must have more than padlen = 9 samples, got 5",
        ),
        (lambda: signal.filtfilt(B, A, sa.ones(50), padtype="x"), "filtfilt: padtype must be"),
        (lambda: signal.sosfilt([[1.0] * 5], [1.0]), r"sosfilt: sections must have shape"),
        (lambda: signal.sosfilt([[1.0, 0, 0, 2.0, 0, 0]], [1.0]), "sosfilt: the denominators must begin with 1"),
        (lambda: signal.allpole(sa.ones((3, 1)), sa.ones(4), varying=True), "allpole: coefficients of 4 samples"),
        (lambda: signal.decimate(sa.ones(9), 2, ftype="x"), "decimate: ftype must be"),
    ],
)
def test_refusals(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@given(
    order=st.integers(0, 4),
    shape=st.sampled_from([(30,), (2, 3, 41), (3, 1)]),
    axis=st.sampled_from([0, -1]),
    seed=st.integers(0, 99),
)
def test_filtfilt_by_gustafsson(order, shape, axis, seed):
    rng = np.random.default_rng(seed)
    b, a = rng.normal(size=order + 1), stable(rng, order)
    x = np.moveaxis(rng.normal(size=shape), -1, axis)
    # SciPy's pair of states is not determined either for a signal of a few samples.
    if x.shape[axis] > 2 * order:
        close(signal.filtfilt(b, a, x, axis, method="gust"), peer.filtfilt(b, a, x, axis, method="gust"), 1e-7)


def test_filtfilt_by_gustafsson_compares_the_ends_only():
    b, a = peer.butter(3, 0.3)
    x = sample(3, (2, 300))
    close(signal.filtfilt(b, a, x, method="gust", irlen=70), peer.filtfilt(b, a, x, method="gust", irlen=70), 1e-6)
    with pytest.raises(ValueError, match="method must be"):
        signal.filtfilt(b, a, x, method="guess")
    with pytest.raises(ValueError, match="one filter"):
        signal.filtfilt(np.ones((2, 3)), a, x, method="gust")
    check_grads(lambda b, a, x: signal.filtfilt(b, a, x, method="gust"), b[:3], np.array([1.0, -0.9, 0.4]), x[:, :9])


@given(order=st.integers(1, 8), n=st.integers(1 << 15, 1 << 16), seed=st.integers(0, 99), reverse=st.booleans())
def test_one_long_line(order, n, seed, reverse):
    a = stable(np.random.default_rng(seed), order)
    x = sample(seed, n)[:: -1 if reverse else 1]
    close(signal.lfilter([1.0], a, x), peer.lfilter([1.0], a, x), 1e-12)


@pytest.mark.parametrize("dtype", ["float64", "complex128"])
def test_direct_convolution_is_differentiable(dtype):
    a, v = sample(0, 7, dtype), sample(1, 4, dtype)
    for mode in ("full", "same", "valid"):
        close(sa.convolve(a, v, mode), np.convolve(a, v, mode), 1e-12)
        check_grads(lambda a, v, mode=mode: sa.convolve(a, v, mode), a, v)
    # Coefficients and signals that broadcast.
    check_grads(lambda b, x: signal.lfilter(b, [1.0, 0.5], x), sample(2, (2, 1, 3), dtype), sample(3, (2, 5), dtype))


def test_filters_and_transforms_are_saved(tmp_path):
    x = sample(0, (2, 40))
    f = sa.record(
        lambda x: sa.fft.idst(sa.fft.dct(signal.lfilter([1.0, 0.5], [1.0, -0.5], x)) + sa.real(sa.fft.fft(x)))
    )
    want = np.asarray(f(sa.asarray(x)))
    f.graphs[0].save(tmp_path / "filter.zip")
    np.testing.assert_array_equal(sa.graph.load(tmp_path / "filter.zip")(sa.asarray(x))[0], want)
