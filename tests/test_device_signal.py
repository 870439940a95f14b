"""Every function of `fft` and `signal` on a GPU, eager and recorded: the CPU's results, all on the device of the arguments."""

import numpy as np
import pytest
from signal_cases import CASES, X
from test_device_parity import both

import sciarray as sa
from sciarray import signal

pytestmark = [
    pytest.mark.skipif(not sa.cuda.is_available(), reason="there is no GPU"),
    pytest.mark.filterwarnings("ignore:.*two-sided spectra"),
]


def check(f, *args):
    for cpu, gpu in both(f, *args):
        assert gpu.dtype == cpu.dtype
        np.testing.assert_allclose(gpu, cpu, rtol=1e-8, atol=1e-9 * np.abs(cpu).max(initial=1.0))


@pytest.mark.parametrize(("space", "name"), [(space, name) for space in CASES for name in CASES[space]])
def test_results_stay_on_the_device(space, name):
    for f, *args in CASES[space][name]:
        check(f, *args)
        recorded = sa.record(f)
        # Recorded, sent step by step, as graphs.
        for _ in range(3):
            check(recorded, *args)


@pytest.mark.parametrize(
    "f",
    [
        lambda x: signal.find_peaks(x)[0],
        lambda x: signal.peak_prominences(x, signal.find_peaks(x)[0]),
        lambda x: signal.peak_widths(x, signal.find_peaks(x)[0]),
        lambda x: signal.argrelmax(x),
        lambda x: signal.argrelmin(x, order=2),
        lambda x: signal.welch(x[:0]),
    ],
)
def test_results_of_unknown_shape_stay_on_the_device(f):
    check(f, X[0])


def test_axes_of_spectra_take_any_sampling_frequency():
    """A number, an array on the CPU, and one on the device."""
    x = X[0].to("cuda")
    want = [y.to("cpu").numpy() for y in signal.stft(X[0], 50.0, nperseg=16)]
    for fs in (50.0, sa.asarray(50.0), sa.asarray(50.0, device="cuda")):
        for y, z in zip(signal.stft(x, fs, nperseg=16), want, strict=True):
            assert y.device == "cuda:0"
            np.testing.assert_allclose(y.to("cpu").numpy(), z, rtol=1e-12, atol=1e-13)
    for name in ("fftfreq", "rfftfreq"):
        f = getattr(sa.fft, name)
        assert f(6, sa.asarray(0.5, device="cuda")).device == "cuda:0" == f(6, device="cuda").device
        assert f(6, sa.asarray(0.5, device="cuda"), device="cpu").device == "cpu"


def test_filters_are_designed_where_their_arguments_are():
    edge = sa.asarray([0.2, 0.4], device="cuda")
    sos = signal.butter(3, edge, "bandpass", output="sos")
    assert sos.device == "cuda:0"

    def level(edge):
        return sa.sum(signal.butter(3, edge, "bandpass", output="sos") ** 2)

    for cpu, gpu in both(sa.grad(level), [0.2, 0.4]):
        np.testing.assert_allclose(gpu, cpu, rtol=1e-12)
