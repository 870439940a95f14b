"""Fourier transforms on a GPU, by our kernels and by cuFFT, and what is built on them."""

import ctypes
import threading

import numpy as np
import pytest
from cuda_host import same_bits
from test_device_graphs import check_replays
from test_device_parity import both, check_bits

import sciarray as sa

pytestmark = pytest.mark.skipif(not sa.cuda.is_available(), reason="there is no GPU")


def library():
    """The stand-in for cuFFT; None where there is none, as on a GPU."""
    try:
        found = ctypes.CDLL("libcufft.so.12")
    except OSError:
        return None
    return found if hasattr(found, "standin_plans") else None


def on_gpu(x):
    return sa.asarray(x, device="cuda")


def check_close(f, x, n, what=None, peaked=False):
    """The CPU's values up to the errors of a transform of length n, of the mean size and, where few are large, of each."""
    for cpu, gpu in both(f, x):
        assert gpu.dtype == cpu.dtype and gpu.shape == cpu.shape, what
        single = cpu.dtype.name in ("float32", "complex64")
        scale = np.sqrt((np.abs(cpu) ** 2).mean()) + 1e-30
        bound = np.finfo("f4" if single else "f8").eps * (2 + np.log2(n)) * (8 * scale + peaked * np.abs(cpu))
        assert (np.abs(gpu - cpu) <= bound).all(), what


# Short lines; smooth lengths around the longest that fit into shared memory, reals as half as many pairs, and longer ones;
# prime factors for which cuFFT has kernels (17, 127) or not.
LENGTHS = [1, 2, 13, 17, 60, 127, 243, 509, 1024, 1025, 1050, 2048, 2049, 2100, 2310, 4096, 4100, 6000, 10007]


@pytest.mark.parametrize("n", LENGTHS)
def test_fourier_transforms(n):
    rng = np.random.default_rng(16)
    fft = sa.fft
    for dtype in ("float64", "float32"):
        x = rng.standard_normal((2, n, 2)).astype(dtype)
        z = (x + 1j * rng.standard_normal(x.shape)).astype(np.result_type(dtype, "complex64"))
        cases = [
            (lambda x: fft.fft(x, axis=1), z),
            (lambda x: fft.ifft(x.T, axis=1, norm="ortho"), z),
            (lambda x: fft.rfft(x[:, ::-1], axis=1), x),
            (lambda x: fft.irfft(x, n, axis=1), z),
            (lambda x: fft.fft(x, axis=1), x),
            (lambda x: fft.ifft(x, axis=1), x),
            # Lines where they are, one behind the other and side by side.
            (lambda x: fft.fft(x[0].T), z),
            (lambda x: fft.ifft(x[0], axis=0), z),
            (lambda x: fft.rfft(x[:, :, 0] * 1.0), x),
            (lambda x: fft.irfft(x[:, :, 0] * 1.0, n, norm="forward"), z),
            (lambda x: fft.rfft(sa.reshape(x, 2 * 2 * n)[1 : n + 1], norm="forward"), x),
            # Cut and padded.
            (lambda x: fft.fft(x, n + 3, axis=1), z),
            (lambda x: fft.rfft(x, max(n - 2, 1), axis=1), x),
            (lambda x: fft.ifft(x[1, :, 1], max(n // 2, 1)), z),
            (lambda x: fft.irfft(x, 2 * n + 1, axis=1), z[:, : n // 3 + 1]),
        ]
        for k, (f, v) in enumerate(cases if n < 5000 or dtype == "float64" else cases[:1]):
            check_close(f, v, n, what=k)
    for f in (fft.fft, fft.rfft):
        first, again = (f(sa.asarray(x, device="cuda"), axis=1).to("cpu").numpy() for _ in range(2))
        assert same_bits(first, again)


def test_views_of_many_kinds():
    """Lines that cuFFT takes as they are, and those that it is not given: they stand still, go back, are not aligned."""
    x = np.random.default_rng(20).standard_normal(9 * 1030)
    z = x + 1j * np.roll(x, 1)
    views = {
        "one line": lambda x: x[:1030],
        "every other": lambda x: x[: 2 * 1030 : 2],
        "backwards": lambda x: x[::-1][:1030],
        "rows": lambda x: sa.reshape(x, (9, 1030)),
        "columns": lambda x: sa.reshape(x, (1030, 9)).T,
        "some rows": lambda x: sa.reshape(x, (9, 1030))[1::3],
        "the same": lambda x: sa.broadcast_to(x[:1030], (3, 1030)),
        "from one": lambda x: x[1:1031],
        "three dimensions": lambda x: sa.reshape(x, (3, 1030, 3))[:, :, ::2].mT,
        "a constant": lambda x: sa.broadcast_to(x[0], (2, 1030)),
    }
    for name, view in views.items():
        for f, v in [(sa.fft.fft, z), (sa.fft.ifft, z), (sa.fft.rfft, x), (sa.fft.irfft, z), (sa.fft.fft, x)]:
            peaked = name == "a constant"
            check_close(lambda x, f=f, view=view: f(view(x)), v, 1030, what=(name, f), peaked=peaked)


def test_large_lines_of_a_middle_axis():
    """A call for each item of the first axis, all of them with one plan."""
    rng = np.random.default_rng(25)
    x = rng.standard_normal((2, 1025, 260))
    z = x + 1j * rng.standard_normal(x.shape)
    standin = library()
    for f, v in [
        (lambda x: sa.fft.fft(x, axis=1), z),
        (lambda x: sa.fft.ifft(x[::-1, :, ::-1], axis=1), z),
        (lambda x: sa.fft.rfft(x, axis=1, norm="ortho"), x),
        (lambda x: sa.fft.irfft(x, 1025, axis=1), z),
    ]:
        before = standin and standin.standin_plans_made()
        check_close(f, v, 1025)
        assert standin is None or standin.standin_plans_made() == before + 1


def test_many_short_lines_go_to_the_library():
    rng = np.random.default_rng(27)
    z = rng.standard_normal((2100, 130)) + 1j * rng.standard_normal((2100, 130))
    standin = library()
    for f, v, plans in [
        (sa.fft.fft, z, 1),
        (lambda x: sa.fft.ifft(x, axis=0, norm="ortho"), np.ascontiguousarray(z.T), 1),
        (sa.fft.rfft, z.real, 1),
        (sa.fft.irfft, z, 1),
        (lambda x: sa.fft.fft(x[:-100]), z.astype("complex64"), 0),
        (lambda x: sa.fft.fft(x, 150), z, 0),
        (lambda x: sa.fft.fft(x[:, ::-1]), z, 0),
        (sa.fft.fft, z.real, 0),
        (lambda x: sa.fft.irfft(x[:, :60], 130), z, 0),
        (lambda x: sa.fft.fft(sa.broadcast_to(x[:1], x.shape)), z, 0),
        (lambda x: sa.fft.fft(sa.reshape(x, (21, 100, 130)), axis=1), z, 0),
    ]:
        before = standin and standin.standin_plans_made()
        check_close(f, v, 2100)
        assert standin is None or standin.standin_plans_made() == before + plans


@pytest.mark.skipif(sa.cuda.device_count() == 1, reason="there is one GPU")
def test_devices_have_plans_of_their_own():
    x = np.random.default_rng(26).standard_normal((2, 2200))
    want = np.fft.rfft(x)
    for device in ("cuda:0", "cuda:1", "cuda:0", "cuda:1"):
        y = sa.fft.rfft(sa.asarray(x, device=device))
        assert y.device == device
        np.testing.assert_allclose(y.to("cpu").numpy(), want, rtol=1e-12, atol=1e-12)


def test_ends_of_spectra():
    """The imaginary parts that no real signal has: 0 in a spectrum, of no account in its inverse."""
    rng = np.random.default_rng(21)
    for n in (60, 2048, 2100, 1051, 131 * 16, 1031):
        x = rng.standard_normal((3, n))
        ends = [0, n // 2] if n % 2 == 0 else [0]
        for norm in (None, "ortho"):
            y = np.array(sa.fft.rfft(on_gpu(x), norm=norm).to("cpu"))
            assert (y.imag[:, ends] == 0).all() and (y.imag[:, 1:-1] != 0).all()
            y[:, ends] += 3j
            check_close(lambda y, n=n, norm=norm: sa.fft.irfft(y, n, norm=norm), y, n)
        # An input is never overwritten.
        device = on_gpu(y)
        sa.fft.irfft(device, n)
        assert same_bits(device.to("cpu").numpy(), y)


def test_fourier_transforms_of_little():
    for shape in ((0, 4), (4, 0, 3), (5, 1)):
        z = np.ones(shape, complex)
        check_bits(lambda z: sa.fft.fft(z, 4, axis=1), z[:, :1])
        check_bits(lambda z: sa.fft.irfft(z, 4, axis=0), z)
    z = np.array([1.0, np.nan, 2.0, np.inf]) + 0j
    for cpu, gpu in both(sa.fft.fft, z):
        assert np.isnan(gpu).all() and np.isnan(cpu).all()
    # Lines and columns of many dimensions.
    x = np.random.default_rng(17).standard_normal((2, 3, 4, 5))
    for f in (sa.fft.fft2, sa.fft.rfftn, lambda x: sa.fft.fftn(x, axes=(0, 2))):
        for cpu, gpu in both(f, x):
            np.testing.assert_allclose(gpu, cpu, rtol=1e-13, atol=1e-13)


SPECTRA = {
    "fft": lambda x: sa.sum(sa.abs(sa.fft.fft(x, axis=0)) ** 4),
    "ifft of real": lambda x: sa.sum(sa.abs(sa.fft.ifft(x)) ** 4),
    "rfft": lambda x: sa.sum(sa.abs(sa.fft.rfft(x, 9)) ** 4),
    "irfft": lambda x: sa.sum(sa.fft.irfft(sa.fft.rfft(x) ** 2, 7) ** 3),
    "dct": lambda x: sa.sum(sa.fft.dct(x, 2, norm="ortho") ** 3),
    "fftconvolve": lambda x: sa.sum(sa.signal.fftconvolve(x, x[:, :3], axes=-1) ** 3),
    "welch": lambda x: sa.sum(sa.signal.welch(x, nperseg=4)[1] ** 2),
    "short times": lambda x: sa.sum(sa.signal.istft(sa.signal.stft(x, nperseg=4)[2] ** 2, nperseg=4)[1] ** 2),
    "resampled": lambda x: sa.sum(sa.signal.resample(x, 5) ** 3) + sa.sum(sa.signal.resample_poly(x, 3, 2) ** 3),
    "chirp": lambda x: sa.sum(sa.abs(sa.signal.czt(x, 5)) ** 3),
    "mel": lambda x: sa.sum(sa.signal.mel_spectrogram(x, 100.0, n_fft=4, n_mels=2)),
    "hilbert": lambda x: sa.sum(sa.abs(sa.signal.hilbert(x)) ** 3),
}


@pytest.mark.parametrize("name", SPECTRA)
def test_gradients_of_spectra(name):
    x = np.random.default_rng(18).standard_normal((6, 8))
    for f in (SPECTRA[name], sa.grad(SPECTRA[name])):
        for cpu, gpu in both(f, x):
            np.testing.assert_allclose(gpu, cpu, rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("kind", [1, 2, 3, 4])
@pytest.mark.parametrize("name", ["dct", "dst"])
def test_cosine_transforms(name, kind):
    rng = np.random.default_rng(19)
    f = getattr(sa.fft, name)
    for n in (2, 3, 8, 17, 30, 300, 1031):
        for norm, dtype in ((None, "float64"), ("ortho", "float64"), ("forward", "float32")):
            x = rng.standard_normal((3, n, 2)).astype(dtype)
            for m in (n, n + 3, max(n - 1, 2)):
                check_close(lambda x, m=m, norm=norm: f(x[..., ::-1], kind, m, axis=1, norm=norm), x, 4 * n, (n, m))


LONG = {
    "fft": lambda x: sa.sum(sa.abs(sa.fft.fft(x, axis=0)) ** 4),
    "rfft": lambda x: sa.sum(sa.abs(sa.fft.rfft(x.T, norm="ortho")) ** 4),
    "irfft": lambda x: sa.sum(sa.fft.irfft(sa.fft.rfft(x, axis=0) ** 2, 2103, axis=0) ** 3),
    "fft of complex": lambda x: sa.sum(sa.abs(sa.fft.ifft((x + 2j * x**2).T, 2110)) ** 4),
    "dct": lambda x: sa.sum(sa.fft.dct(x, 2, axis=0, norm="ortho") ** 3),
    "fftn": lambda x: sa.sum(sa.abs(sa.fft.rfftn(x, (2200, 3))) ** 4),
}


@pytest.mark.parametrize("name", LONG)
def test_gradients_of_long_transforms(name):
    x = np.random.default_rng(22).standard_normal((2100, 2)) / 40

    def twice(x):
        return sa.grad(lambda x: sa.sum(sa.grad(LONG[name])(x) ** 2))(x)

    for f in (LONG[name], sa.grad(LONG[name]), twice):
        for cpu, gpu in both(f, x):
            np.testing.assert_allclose(gpu, cpu, rtol=1e-10, atol=1e-11 * np.abs(cpu).max())


def program(x):
    z = sa.fft.fft(x)
    y = sa.fft.irfft(sa.fft.rfft(x[:, :2200]) * 2.0, 2200)
    return sa.real(sa.fft.ifft(z * sa.conj(z))), sa.fft.dct(y, 2), y


def calls(n):
    rng = np.random.default_rng(23)
    return [(on_gpu(rng.standard_normal((2, 2277))),) for _ in range(n)]


def test_transforms_are_captured():
    check_replays(program, *calls(5), graphs=1)
    gradient = sa.grad(lambda x: sum(sa.sum(y**2) for y in program(x)))
    check_replays(gradient, *calls(4), graphs=1)


def test_graphs_hold_their_plans():
    """Plans that were replaced by others, and those of a thread that ended, work on in a graph and go with it."""
    standin, first, done = library(), calls(4), []

    def check(recorded):
        for args in first:
            for y, z in zip(recorded(*args), program(*args), strict=True):
                assert same_bits(y.to("cpu").numpy(), z.to("cpu").numpy())

    recorded = sa.record(program)
    thread = threading.Thread(target=lambda f: done.append(check(f)), args=(recorded,))
    thread.start()
    thread.join()
    assert done == [None]
    check(recorded)
    for n in range(1301, 1301 + 70):  # More than a thread keeps.
        sa.fft.fft(on_gpu(np.ones(n, complex)))
    before = standin and standin.standin_plans()
    for n in range(1401, 1401 + 70):
        sa.fft.fft(on_gpu(np.ones(n, complex)))
    assert standin is None or standin.standin_plans() == before
    check(recorded)
    for n in range(1301, 1301 + 70):
        sa.fft.fft(on_gpu(np.ones(n, complex)))
    del recorded
    # The kinds of transforms of the program, in the graphs of two threads.
    assert standin is None or standin.standin_plans() == before - 2 * 5


def test_plans_that_are_not_there_are_made_between_graphs():
    """A recording with more transforms than plans are kept runs those whose plan has gone between its graphs."""

    def many(x):
        y = x * 1.0
        for n in range(1301, 1301 + 70):
            y = y + sa.real(sa.fft.fft(x, n))[0]
            y = sa.cumulative_sum(y * 0.5) + 1.0
        return y

    check_replays(many, *[(on_gpu(np.linspace(0, 1, 20) + k),) for k in range(4)])


def test_plans_are_kept():
    standin = library()
    x = on_gpu(np.random.default_rng(24).standard_normal((3, 2800)))
    y = sa.fft.rfft(x)
    before = standin and standin.standin_plans_made()
    for _ in range(3):
        sa.fft.rfft(x[:, :2000])
        assert same_bits(sa.fft.rfft(x).to("cpu").numpy(), y.to("cpu").numpy())
        sa.fft.irfft(y)
    # Of the inverse alone, as short lines need none.
    assert standin is None or standin.standin_plans_made() == before + 1
