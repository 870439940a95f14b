"""Signal processing, with the names and conventions of `scipy.signal`."""

from __future__ import annotations

from . import windows as windows
from ._convolution import (
    choose_conv_method,
    convolution_matrix,
    convolve,
    convolve2d,
    correlate,
    correlate2d,
    correlation_lags,
    fftconvolve,
    oaconvolve,
)
from ._fir import firls, firwin, firwin2, kaiser_atten, kaiser_beta, kaiserord, minimum_phase
from ..fft import czt, czt_points, zoom_fft
from .windows import get_window

__all__ = [
    "choose_conv_method",
    "convolution_matrix",
    "convolve",
    "convolve2d",
    "correlate",
    "correlate2d",
    "correlation_lags",
    "czt",
    "czt_points",
    "fftconvolve",
    "firls",
    "firwin",
    "firwin2",
    "get_window",
    "kaiser_atten",
    "kaiser_beta",
    "kaiserord",
    "minimum_phase",
    "oaconvolve",
    "windows",
    "zoom_fft",
]
