"""The transforms of `sciarray.fft` against SciPy, against their definitions in high precision, and their derivatives."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
import scipy.fft
import scipy.signal
from hypothesis import given
from hypothesis import strategies as st

import sciarray as sa
from sciarray.testing import check_grads

NORMS = st.sampled_from([None, "backward", "ortho", "forward"])
DTYPES = ("float32", "float64", "complex64", "complex128", "int16")
COMPLEX = ["fft", "ifft", "irfft", "hfft"]
REAL = ["rfft", "ihfft"]


def sample(seed, shape, dtype):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=shape) * 4
    return (x + 1j * rng.normal(size=shape) if np.dtype(dtype).kind == "c" else x).astype(dtype)


def close(got, want, ulps=64):
    """Equal shape and dtype, and an error small against the largest element."""
    want = np.asarray(want)
    assert got.shape == want.shape and got.dtype == want.dtype
    error = np.abs(np.asarray(got) - want).max(initial=0.0)
    assert error <= ulps * np.finfo(want.dtype).eps * np.abs(want).max(initial=1.0)


@st.composite
def inputs(draw, kinds="iufc", max_dims=3):
    """An array in some layout and an axis of it."""
    shape = draw(st.lists(st.integers(1, 9), min_size=1, max_size=max_dims))
    axis = draw(st.integers(-len(shape), len(shape) - 1))
    shape[axis] = draw(st.one_of(st.integers(2, 40), st.sampled_from([1, 97, 128, 211])))
    dtype = draw(st.sampled_from([d for d in DTYPES if np.dtype(d).kind in kinds]))
    x = sample(draw(st.integers(0, 99)), shape, dtype)
    for a in range(x.ndim):
        x = np.flip(x, a) if draw(st.booleans()) else x
    return (np.asfortranarray(x) if draw(st.booleans()) else x), axis


@pytest.mark.parametrize("name", [*COMPLEX, *REAL])
@given(data=st.data())
def test_one_axis(name, data):
    x, axis = data.draw(inputs("iuf" if name in REAL else "iufc"))
    least = 2 if name in ("irfft", "hfft") and x.shape[axis] < 2 else 1
    n = data.draw(st.one_of(st.none() if least == 1 else st.nothing(), st.integers(least, 60)))
    kwargs = {"n": n, "axis": axis, "norm": data.draw(NORMS)}
    close(getattr(sa.fft, name)(sa.asarray(x), **kwargs), getattr(scipy.fft, name)(x, **kwargs))


@pytest.mark.parametrize("name", ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"])
@pytest.mark.parametrize("rank", ["2", "n"])
@given(data=st.data())
def test_several_axes(name, rank, data):
    kinds = "iuf" if name in REAL else "iufc"
    shape = data.draw(st.lists(st.integers(2, 6), min_size=2, max_size=4))
    dtype = data.draw(st.sampled_from([d for d in DTYPES if np.dtype(d).kind in kinds]))
    x = sample(data.draw(st.integers(0, 99)), shape, dtype)
    kwargs = {"norm": data.draw(NORMS)}
    count = x.ndim if rank == "n" else 2
    if data.draw(st.booleans()):
        axes = data.draw(st.permutations(range(x.ndim)))
        count = data.draw(st.integers(1, x.ndim)) if rank == "n" else 2
        kwargs["axes"] = [a - x.ndim * data.draw(st.booleans()) for a in axes[:count]]
    if data.draw(st.booleans()):
        kwargs["s"] = data.draw(st.lists(st.integers(1, 8), min_size=count, max_size=count))
    close(getattr(sa.fft, name + rank)(sa.asarray(x), **kwargs), getattr(scipy.fft, name + rank)(x, **kwargs))


def by_parts(f):
    """SciPy ignores ``orthogonalize`` for complex input."""

    def g(x, *args, **kwargs):
        return (
            f(x.real, *args, **kwargs) + 1j * f(x.imag, *args, **kwargs)
            if x.dtype.kind == "c"
            else f(x, *args, **kwargs)
        )

    return g


@pytest.mark.parametrize("name", ["dct", "idct", "dst", "idst"])
@pytest.mark.parametrize("kind", [1, 2, 3, 4])
@given(data=st.data())
def test_cosines_and_sines(name, kind, data):
    x, axis = data.draw(inputs())
    n = data.draw(st.one_of(st.none(), st.integers(2, 50)))
    if kind == 1 and x.shape[axis] == 1 and n is None:
        n = 2
    kwargs = {"n": n, "axis": axis, "norm": data.draw(NORMS)}
    kwargs["orthogonalize"] = data.draw(st.sampled_from([None, False, True]))
    peer = by_parts(getattr(scipy.fft, name))
    close(getattr(sa.fft, name)(sa.asarray(x), kind, **kwargs), peer(x, kind, **kwargs))
    if x.ndim > 1 and x.shape[0] > 1 and x.shape[1] > 1:
        kwargs = {"axes": (1, 0), "norm": kwargs["norm"], "s": (5, 4)}
        many = name + "n"
        close(getattr(sa.fft, many)(sa.asarray(x), kind, **kwargs), getattr(scipy.fft, many)(x, kind, **kwargs))


@given(n=st.integers(1, 40), d=st.floats(0.1, 10))
def test_frequencies_and_shifts(n, d):
    for name in ("fftfreq", "rfftfreq"):
        close(getattr(sa.fft, name)(n, d), getattr(scipy.fft, name)(n, d), 2)
    x = np.arange(2 * n).reshape(2, n)
    for name in ("fftshift", "ifftshift"):
        for axes in (None, 1, (0, 1), -2):
            np.testing.assert_array_equal(np.asarray(getattr(sa.fft, name)(x, axes)), getattr(scipy.fft, name)(x, axes))
    assert sa.fft.fftfreq(n, dtype=sa.float32).dtype == sa.float32
    check_grads(lambda d: sa.fft.fftfreq(n, d), d)


@given(n=st.one_of(st.integers(0, 3000), st.integers(0, 1 << 40)), real=st.booleans())
def test_fast_lengths(n, real):
    assert sa.fft.next_fast_len(n, real) == scipy.fft.next_fast_len(n, real)
    assert sa.fft.prev_fast_len(n, real) == scipy.fft.prev_fast_len(n, real)


@pytest.mark.parametrize("n", [1, 2, 3, 17, 64, 97, 360])
def test_error_against_the_definition(n):
    x = sample(n, n, "complex128")
    with mpmath.workdps(40):
        table = [mpmath.expjpi(mpmath.mpf(-2 * k) / n) for k in range(n)]
        exact = [complex(mpmath.fsum(mpmath.mpc(v) * table[j * k % n] for j, v in enumerate(x))) for k in range(n)]
    error = np.linalg.norm(np.asarray(sa.fft.fft(x)) - exact) / np.linalg.norm(exact)
    assert error < np.finfo(float).eps * (1 + np.log2(n))


# Powers of two, composite, prime; long enough that a line is split.
LONG = [2, 6, 97, 1 << 10, 2187, 4099, 30030, 1 << 16, 65537, 1 << 18]


@pytest.mark.parametrize("n", LONG)
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_growth_of_the_error(n, dtype):
    """Against SciPy in extended precision, whose error against the definition is below 1e-18."""
    x = sample(n, n, dtype)
    long, eps = x.astype(np.longdouble), np.finfo(dtype).eps
    for name in ("fft", "rfft", "irfft", "ihfft", "hfft"):
        error(getattr(sa.fft, name)(x), getattr(scipy.fft, name)(long), n, eps)
    for name in ("dct", "dst"):
        for kind in (1, 2, 3, 4):
            error(getattr(sa.fft, name)(x, kind), getattr(scipy.fft, name)(long, kind), n, eps)
    error(sa.fft.ifft(x + 1j * x[::-1]), scipy.fft.ifft(long + 1j * long[::-1]), n, eps)


def error(got, want, n, eps):
    assert np.linalg.norm(np.asarray(got) - want) <= eps * (1 + np.log2(n)) * np.linalg.norm(want)


@given(n=st.integers(2, 300), kind=st.integers(1, 4), seed=st.integers(0, 99), norm=NORMS)
def test_linearity_and_round_trips(n, kind, seed, norm):
    x, y = sample(seed, n, "complex128"), sample(seed + 1, n, "complex128")
    a = 0.7 - 0.3j
    scale = np.abs(x).max() + np.abs(y).max()
    for f in (sa.fft.fft, sa.fft.ifft, sa.fft.hfft, sa.fft.czt):
        want = a * np.asarray(f(x)) + np.asarray(f(y)) if f is not sa.fft.hfft else np.asarray(f(x)) + np.asarray(f(y))
        got = f(a * x + y) if f is not sa.fft.hfft else f(x + y)
        np.testing.assert_allclose(np.asarray(got), want, atol=1e-12 * n * scale)
    np.testing.assert_allclose(sa.fft.ifft(sa.fft.fft(x, norm=norm), norm=norm), x, atol=1e-13 * scale)
    np.testing.assert_allclose(sa.fft.irfft(sa.fft.rfft(x.real, norm=norm), n, norm=norm), x.real, atol=1e-13 * scale)
    np.testing.assert_allclose(sa.fft.hfft(sa.fft.ihfft(x.real, norm=norm), n, norm=norm), x.real, atol=1e-13 * scale)
    for there, back in ((sa.fft.dct, sa.fft.idct), (sa.fft.dst, sa.fft.idst)):
        for orthogonalize in (None, True, False):
            z = back(
                there(x, kind, norm=norm, orthogonalize=orthogonalize), kind, norm=norm, orthogonalize=orthogonalize
            )
            np.testing.assert_allclose(np.asarray(z), x, atol=1e-12 * scale)


@given(n=st.sampled_from([5, 16, 97, 4096, 30030]), shift=st.integers(0, 50), seed=st.integers(0, 99))
def test_parseval_and_shift(n, shift, seed):
    x = sample(seed, n, "complex128")
    y = np.asarray(sa.fft.fft(x, norm="ortho"))
    np.testing.assert_allclose(np.vdot(y, y).real, np.vdot(x, x).real, rtol=1e-13)
    turned = np.asarray(sa.fft.fft(np.roll(x, shift), norm="ortho"))
    np.testing.assert_allclose(turned, y * np.exp(-2j * np.pi * (np.arange(n) * shift % n) / n), atol=1e-12)
    np.testing.assert_allclose(np.asarray(sa.fft.ifft(sa.fft.fft(x))), x, atol=1e-13)


@given(n=st.integers(1, 40), m=st.integers(1, 50), axis=st.integers(-2, 1), seed=st.integers(0, 99))
def test_chirp_transforms(n, m, axis, seed):
    x = sample(seed, (n, 3) if axis in (0, -2) else (3, n), "complex128")
    w, a = 0.9999 * np.exp(-0.3j), 1.01 * np.exp(0.7j)
    got = [sa.fft.czt(x, axis=axis), sa.fft.czt(x, m, w, a, axis=axis), sa.fft.zoom_fft(x, [0.2, 0.9], m, axis=axis)]
    want = [
        scipy.signal.czt(x, axis=axis),
        scipy.signal.czt(x, m, w, a, axis=axis),
        scipy.signal.zoom_fft(x, [0.2, 0.9], m, axis=axis),
    ]
    for g, v in zip(got, want):
        close(g, v, 4096)
    close(
        sa.fft.zoom_fft(x.real, 3.0, m + 1, fs=8, endpoint=True, axis=axis),
        scipy.signal.zoom_fft(x.real, 3.0, m + 1, fs=8, endpoint=True, axis=axis),
        4096,
    )
    close(sa.fft.czt_points(m, w, a), scipy.signal.czt_points(m, w, a))
    assert sa.fft.czt(x.astype("complex64"), axis=axis).dtype == sa.complex64


@given(h=st.integers(1, 9), blocks=st.integers(1, 5), seed=st.integers(0, 99))
def test_lapped_transform(h, blocks, seed):
    n = 2 * h
    x = sample(seed, (blocks + 1) * n, "float64")
    j, k = np.arange(2 * n), np.arange(n)
    turns = (2 * j[:, None] + 1 + n) * (2 * k + 1) % (8 * n)
    basis = np.cos(np.pi / (4 * n) * turns)
    frames = np.stack([x[b * n : (b + 2) * n] for b in range(blocks)])
    close(sa.fft.mdct(frames), frames @ basis)
    close(sa.fft.mdct(frames.T, axis=0), (frames @ basis).T)
    close(sa.fft.imdct(sa.asarray(frames[:, :n]), norm="forward"), frames[:, :n] @ basis.T)
    window = np.sin(np.pi * (j + 0.5) / (2 * n))
    for norm in (None, "ortho", "forward"):
        parts = np.asarray(sa.fft.imdct(sa.fft.mdct(frames * window, norm=norm), norm=norm)) * window
        total = np.zeros_like(x)
        for b, part in enumerate(parts):
            total[b * n : (b + 2) * n] += part
        np.testing.assert_allclose(total[n:-n], x[n:-n], atol=1e-12)


@given(
    n=st.integers(1, 40),
    mu=st.sampled_from([-0.5, 0.0, 0.3, 2.0, 11.7]),
    offset=st.floats(-2, 2),
    bias=st.sampled_from([0.0, 0.2, -0.7]),
    seed=st.integers(0, 99),
)
def test_hankel_transform(n, mu, offset, bias, seed):
    a = sample(seed, (2, n), "float64")
    want = scipy.fft.fht(a, 0.13, mu, offset, bias)
    close(sa.fft.fht(a, 0.13, mu, offset, bias), want, 2048)
    # The inverse divides by coefficients that may almost vanish, and amplifies their errors as it does its argument.
    back = scipy.fft.ifht(a, 0.13, mu, offset, bias)
    close(sa.fft.ifht(a, 0.13, mu, offset, bias), back, 2048 * max(1.0, np.abs(back).max() / np.abs(a).max()))
    np.testing.assert_allclose(
        float(sa.fft.fhtoffset(0.13, mu, offset, bias)), scipy.fft.fhtoffset(0.13, mu, offset, bias), atol=1e-12
    )


@pytest.mark.parametrize(("mu", "bias"), [(-4.0, 1.0), (-2.5, 1.5), (1.0, 2.0), (1.0, -2.0), (1.0, 4.0), (-5.0, 2.0)])
@pytest.mark.filterwarnings("ignore:.*singular")
def test_singular_hankel_transform(mu, bias):
    a = sample(0, 8, "float64")
    close(sa.fft.fht(a, 0.2, mu, 0.0, bias), scipy.fft.fht(a, 0.2, mu, 0.0, bias), 4096)
    close(sa.fft.ifht(a, 0.2, mu, 0.0, bias), scipy.fft.ifht(a, 0.2, mu, 0.0, bias), 4096)


GRADIENTS = {
    "fftn": ((3, 4), "fc", lambda x: sa.fft.fftn(x, (4, 3), norm="ortho")),
    "ifft2": ((2, 3), "fc", lambda x: sa.fft.ifft2(x)),
    "rfftn": ((3, 4), "f", lambda x: sa.fft.rfftn(x)),
    "rfft of odd length": ((5,), "f", lambda x: sa.fft.rfft(x)),
    "irfftn": ((3, 3), "c", lambda x: sa.fft.irfftn(x, (3, 5))),
    "hfft": ((4,), "fc", lambda x: sa.fft.hfft(x, 7)),
    "hfftn": ((2, 3), "c", lambda x: sa.fft.hfftn(x)),
    "ihfft": ((5,), "f", lambda x: sa.fft.ihfft(x)),
    "dct 1": ((4,), "fc", lambda x: sa.fft.dct(x, 1, norm="ortho")),
    "dct 2": ((2, 5), "fc", lambda x: sa.fft.dct(x, axis=0, n=3)),
    "dct 3": ((4,), "f", lambda x: sa.fft.dct(x, 3)),
    "dct 4": ((4,), "f", lambda x: sa.fft.dct(x, 4)),
    "dct 4 odd": ((5,), "f", lambda x: sa.fft.dct(x, 4)),
    "dst 1": ((4,), "f", lambda x: sa.fft.dst(x, 1)),
    "idstn": ((2, 3), "f", lambda x: sa.fft.idstn(x, norm="ortho")),
    "mdct": ((8,), "fc", lambda x: sa.fft.mdct(x)),
    "imdct": ((4,), "f", lambda x: sa.fft.imdct(x)),
    "fht": ((5,), "f", lambda x: sa.fft.fht(x, 0.2, 0.5, bias=0.1)),
    "ifht": ((4,), "f", lambda x: sa.fft.ifht(x, 0.2, 0.5)),
    "czt": ((4,), "fc", lambda x: sa.fft.czt(x, 3)),
    "zoom_fft": ((4,), "f", lambda x: sa.fft.zoom_fft(x, 0.5)),
}


@pytest.mark.parametrize("name", GRADIENTS)
def test_gradients(name):
    shape, kinds, f = GRADIENTS[name]
    for kind in kinds:
        x = sample(3, shape, "complex128" if kind == "c" else "float64")
        check_grads(lambda x: sa.square(f(x)), sa.asarray(x))


def test_gradients_of_parameters():
    x = sa.asarray(sample(1, 4, "float64"))
    check_grads(lambda w, a: sa.fft.czt(x, 3, w, a), 0.9 - 0.4j, 1.1 + 0.2j)
    check_grads(lambda fn: sa.fft.zoom_fft(x, fn, 3), sa.asarray([0.2, 0.7]))
    check_grads(lambda *p: sa.fft.fht(x, *p), 0.3, 0.4, 0.1, 0.2)


def test_recorded_equals_eager():
    x = sa.asarray(sample(2, (4, 6), "float64"))
    for f in (sa.fft.rfftn, sa.fft.dctn, sa.fft.czt, sa.fft.mdct, lambda x: sa.fft.fht(x, 0.1, 0.5)):
        arg = x[:, :4] if f is sa.fft.mdct else x
        program = sa.record(f)
        for _ in range(2):
            np.testing.assert_array_equal(np.asarray(program(arg)), np.asarray(f(arg)))


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: sa.fft.fft(1.0), ValueError, "fft: the input must have at least one axis"),
        (lambda: sa.fft.fft(sa.ones(3), axis=1), IndexError, r"fft: axis must be in \[-1, 1\), got 1"),
        (lambda: sa.fft.ifft(sa.ones(3), 0), ValueError, "ifft: the length must be at least 1, got 0"),
        (lambda: sa.fft.irfft(sa.ones(1)), ValueError, "irfft: the length must be at least 1, got 0"),
        (lambda: sa.fft.rfftn(sa.ones((2, 2)) * 1j), TypeError, "rfftn: the input must be real"),
        (lambda: sa.fft.rfftn(sa.ones((2, 2)), axes=()), ValueError, "rfftn: at least one axis"),
        (lambda: sa.fft.fftn(sa.ones((2, 2)), s=(2,), axes=(0, 1)), ValueError, "fftn: s must have one length per"),
        (lambda: sa.fft.fftn(sa.ones((2, 2)), axes=(0, -2)), ValueError, "fftn: axes must not repeat"),
        (lambda: sa.fft.fft2(sa.ones(2)), ValueError, "fft2: axis must be in"),
        (lambda: sa.fft.fft(sa.ones(2), norm="x"), ValueError, "fft: norm must be"),
        (lambda: sa.fft.dct(sa.ones(2), 5), ValueError, "dct: type must be 1, 2, 3 or 4, got 5"),
        (lambda: sa.fft.dct(sa.ones(1), 1), ValueError, "dct: type 1 needs at least 2 elements, got 1"),
        (lambda: sa.fft.mdct(sa.ones(6)), ValueError, "mdct: the block must have a multiple of 4 samples, got 6"),
        (lambda: sa.fft.fftfreq(0), ValueError, "fftfreq: n must be at least 1, got 0"),
        (lambda: sa.fft.next_fast_len(-1), ValueError, "next_fast_len: target must not be negative"),
    ],
)
def test_refusals(call, error, message):
    with pytest.raises(error, match=message):
        call()
