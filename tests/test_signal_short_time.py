"""`ShortTimeFFT` against SciPy, the wrappers in PyTorch's form against PyTorch, inversion and derivatives."""

from __future__ import annotations

from functools import partial

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


def close(got, want, rtol=1e-11, size=1e-6):
    got, want = np.asarray(got), np.asarray(want)
    assert got.shape == want.shape and got.dtype.kind == want.dtype.kind
    assert np.abs(got - want).max(initial=0) <= rtol * np.abs(want).max(initial=size)


@st.composite
def setups(draw, modes=("onesided", "onesided2X", "twosided", "centered")):
    """A pair of transforms, SciPy's and ours, and the length of a signal."""
    size = draw(st.integers(1, 12))
    win = sample(draw(st.integers(0, 99)), size) if draw(st.booleans()) else np.hanning(size + 2)[1:-1]
    zeros = draw(st.integers(0, (size - 1) // 3))
    win[:zeros] = 0
    win[size - zeros :] = 0
    mode = draw(st.sampled_from(modes))
    if mode in ("twosided", "centered") and draw(st.booleans()):
        win = win * (1 + 0.5j)
    kwargs = {"fft_mode": mode, "mfft": draw(st.one_of(st.none(), st.integers(size, 2 * size)))}
    kwargs["scale_to"] = draw(st.sampled_from(["magnitude", "psd"] + [None] * (mode != "onesided2X")))
    kwargs["phase_shift"] = draw(st.one_of(st.none(), st.integers(-size + 1, size - 1)))
    args = (win, draw(st.integers(1, size)), 4.0)
    return signal.ShortTimeFFT(*args, **kwargs), peer.ShortTimeFFT(*args, **kwargs), draw(st.integers(size, 50))


@given(setup=setups())
def test_attributes(setup):
    ours, theirs, n = setup
    for name in ("k_min", "p_min", "lower_border_end", "f_pts", "delta_t", "delta_f", "m_num", "m_num_mid", "onesided_fft",
                 "invertible", "T", "fs", "hop", "mfft", "scaling", "fft_mode", "phase_shift"):  # fmt: skip
        assert getattr(ours, name) == getattr(theirs, name), name
    for name in ("k_max", "p_max", "p_num", "upper_border_begin", "p_range"):
        assert getattr(ours, name)(n) == getattr(theirs, name)(n), name
    for name in ("f", "win", "fac_psd", "fac_magnitude"):
        np.testing.assert_allclose(getattr(ours, name), getattr(theirs, name), rtol=1e-12)
    close(ours.t(n, k_offset=2), theirs.t(n, k_offset=2))
    if theirs.invertible:
        close(ours.dual_win, theirs.dual_win)
    for k in range(-3, 4):
        assert ours.nearest_k_p(k) == theirs.nearest_k_p(k) and ours.nearest_k_p(k, False) == theirs.nearest_k_p(
            k, False
        )
    if ours.fft_mode != "twosided":
        assert ours.extent(n, "ft", True) == pytest.approx(theirs.extent(n, "ft", True))


PADS = {
    "zeros": {"mode": "constant"},
    "edge": {"mode": "edge"},
    "even": {"mode": "reflect"},
    "odd": {"mode": "reflect", "reflect_type": "odd"},
}


def check_transforms(ours, theirs, n, padding, offset, detr, axis, p0, p1):
    x = sample(n, (n, 2) if axis in (0, -2) else (2, n), "float64" if ours.onesided_fft else "complex128")
    # SciPy pads what the slices meet of a signal, which may be too little to reflect or nothing: it gets all of it padded.
    steps = -(-(ours.m_num + abs(offset)) // ours.hop) + 1
    wide = np.pad(x, [(steps * ours.hop,) * 2 if i == axis % 2 else (0, 0) for i in range(2)], **PADS[padding])
    kwargs = {"k_offset": offset, "padding": padding, "axis": axis}

    def same(name, p0=None, p1=None, factor=None, rtol=1e-9, **more):
        a, b = ((z,) if factor is None else (z, factor * z) for z in (x, wide))
        got = getattr(ours, name)(*a, p0=p0, p1=p1, **kwargs, **more)
        p0, p1 = theirs.p_range(n, p0, p1)
        reference = partial(getattr(theirs, name), *b, p0=p0 + steps, p1=p1 + steps, **kwargs)
        # Rounding in a trend is as large as in a signal from which it is not taken out.
        size = np.abs(reference(**dict.fromkeys(more))).max(initial=1e-6)
        close(got, reference(**more), rtol, size)

    same("stft")
    same("stft_detrend", p0, p1, detr=detr)
    same("spectrogram", detr=detr, rtol=1e-8)
    same("spectrogram", factor=2)


@pytest.mark.parametrize("padding", PADS)
@pytest.mark.parametrize("offset", [-5, -2, 2, 5])
@pytest.mark.parametrize(("size", "n"), [(1, 2), (1, 3), (3, 4)])
def test_slices_outside_the_signal(padding, offset, size, n):
    ours, theirs = (m.ShortTimeFFT(np.ones(size), 1, 4.0) for m in (signal, peer))
    for p0 in range(ours.p_min, 1):
        for p1 in range(1, ours.p_max(n) + 1):
            check_transforms(ours, theirs, n, padding, offset, None, 0, p0, p1)


@given(
    setup=setups(),
    padding=st.sampled_from(list(PADS)),
    offset=st.integers(-2, 2),
    detr=st.sampled_from([None, "constant", "linear"]),
    axis=st.integers(-2, 1),
    data=st.data(),
)
def test_transforms(setup, padding, offset, detr, axis, data):
    ours, theirs, n = setup
    n += ours.m_num
    p0 = data.draw(st.integers(ours.p_min, 0))
    p1 = data.draw(st.integers(1, ours.p_max(n)))
    check_transforms(ours, theirs, n, padding, offset, detr, axis, p0, p1)


@given(setup=setups(), axis=st.integers(-2, 1), data=st.data())
def test_inverse(setup, axis, data):
    ours, theirs, n = setup
    x = sample(n, (n, 2) if axis in (0, -2) else (2, n), "float64" if ours.onesided_fft else "complex128")
    z = theirs.stft(x, axis=axis)
    f_axis = axis if axis >= 0 else axis - 1
    if not theirs.invertible:
        with pytest.raises(ValueError, match="not invertible"):
            ours.istft(z, f_axis=f_axis)
        return
    tolerance = 1e-12 * float(np.abs(theirs.dual_win).max() * np.abs(theirs.win).max() * ours.m_num) + 1e-12
    got = np.asarray(ours.istft(z, k1=n, f_axis=f_axis))
    assert np.abs(got - x).max() <= tolerance * np.abs(x).max()
    k0 = data.draw(st.integers(ours.k_min, n - (ours.m_num - ours.m_num_mid)))
    k1 = data.draw(st.integers(k0 + ours.m_num - ours.m_num_mid, n))
    changed = z * (1 + 0.1 * np.arange(z.shape[-1]))
    want = theirs.istft(changed, f_axis=f_axis)
    got = np.asarray(ours.istft(changed, f_axis=f_axis))
    assert np.abs(got - want).max(initial=0) <= tolerance * np.abs(changed).max()
    # SciPy fails for some of these.
    whole = np.asarray(ours.istft(changed, ours.k_min, f_axis=f_axis))
    part = np.asarray(ours.istft(changed, k0, k1, f_axis=f_axis))
    np.testing.assert_array_equal(part, whole.take(range(k0 - ours.k_min, k1 - ours.k_min), axis))


def test_constructors():
    x = sample(0, 60)
    args = ("hann", 4.0, 16, 12)
    close(signal.ShortTimeFFT.from_window(*args).stft(x), peer.ShortTimeFFT.from_window(*args).stft(x))
    w = np.hanning(18)[1:-1]
    for name, kwargs in (("from_dual", {}), ("from_win_equals_dual", {"scale_to": "unitary"})):
        ours, theirs = (getattr(m.ShortTimeFFT, name)(w, 4, 1.0, **kwargs) for m in (signal, peer))
        close(ours.win, theirs.win)
        close(ours.dual_win, theirs.dual_win)
        close(ours.istft(ours.stft(x), k1=60), x)
    for desired in (None, w[::-1] ** 2 + 0.1):
        for scaled in (False, True):
            for got, want in zip(
                signal.closest_STFT_dual_window(w + 0.2, 5, desired, scaled=scaled),
                peer.closest_STFT_dual_window(w + 0.2, 5, desired, scaled=scaled),
            ):
                close(got, np.asarray(want))


@pytest.mark.parametrize("kind", ["float64", "float32", "complex128"])
@pytest.mark.parametrize(("n_fft", "hop", "size"), [(16, None, None), (16, 5, 12), (15, 4, 9)])
@pytest.mark.parametrize("center", [True, False])
@pytest.mark.parametrize("normalized", [True, False])
def test_against_torch(kind, n_fft, hop, size, center, normalized):
    torch = pytest.importorskip("torch")
    x = sample(1, (2, 70), kind)
    length = n_fft if size is None else size
    window = np.hamming(length).astype("float32" if kind == "float32" else "float64")
    kwargs = {"hop_length": hop, "win_length": size, "center": center, "normalized": normalized}
    z = signal.torch_stft(x, n_fft, window=window, **kwargs)
    want = torch.stft(torch.asarray(x), n_fft, window=torch.asarray(window), return_complex=True, **kwargs)
    close(z, want.numpy(), 1e-5 if kind == "float32" else 1e-12)
    if center:
        y = signal.torch_istft(z, n_fft, window=window, length=66, onesided=kind != "complex128", **kwargs)
        back = torch.istft(
            want,
            n_fft,
            window=torch.asarray(window),
            length=66,
            onesided=kind != "complex128",
            return_complex=kind == "complex128",
            **kwargs,
        )
        close(y, back.numpy(), 1e-5 if kind == "float32" else 1e-10)


def test_gradients():
    x, w = sa.asarray(sample(1, 13)), sa.asarray(np.hanning(8)[1:-1])
    for mode in ("onesided", "onesided2X", "centered"):
        check_grads(
            lambda x, w: signal.ShortTimeFFT(w, 3, 2.0, fft_mode=mode, mfft=7, scale_to="psd").stft(x), x, w, order=2
        )
    z = signal.ShortTimeFFT(w, 3, 2.0).stft(x)
    check_grads(lambda z, w: signal.ShortTimeFFT(w, 3, 2.0).istft(z), z, w, order=2)
    check_grads(
        lambda x, w: signal.torch_istft(sa.square(signal.torch_stft(x, 6, 2, window=w)), 6, 2, window=w), x, w, order=1
    )


def test_float32_stays():
    SFT = signal.ShortTimeFFT(np.hanning(8), 3, 2.0)
    z = SFT.stft(sample(1, 30, "float32"))
    assert z.dtype == sa.complex64 and SFT.istft(z).dtype == sa.float32


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: signal.ShortTimeFFT([1.0], 0, 1.0), "ShortTimeFFT: hop must be at least 1, got 0"),
        (lambda: signal.ShortTimeFFT([0.0, 0.0], 1, 1.0), "ShortTimeFFT: the window must not vanish"),
        (lambda: signal.ShortTimeFFT(sa.ones(4), 5, 1.0).dual_win, "not invertible, because hop 5 is greater"),
        (lambda: signal.ShortTimeFFT(sa.signal.windows.hann(8), 7, 1.0).dual_win, "vanish at sample 0 of every step"),
        (lambda: signal.ShortTimeFFT(sa.ones(4), 2, 1.0).stft([1.0]), "a signal needs at least 2 samples"),
        (lambda: signal.ShortTimeFFT(sa.ones(4), 2, 1.0).stft(sa.ones(9) * 1j), "a complex signal needs a two-sided"),
        (lambda: signal.ShortTimeFFT(sa.ones(4), 2, 1.0).istft(sa.ones((4, 9))), "3 frequencies are required, got 4"),
        (lambda: signal.torch_stft(sa.ones(9), 8, window=sa.ones(4)), "torch_stft: the window must have win_length = 8"),
        (lambda: signal.torch_istft(sa.ones((3, 5)), 4, 5, center=False), "torch_istft: not invertible"),
    ],
)  # fmt: skip
def test_refusals(call, message):
    with pytest.raises(ValueError, match=message):
        call()
