"""Fourier transforms and their relatives, with the names, defaults and norms of `scipy.fft`."""

from __future__ import annotations

from ._chirp import czt, czt_points, zoom_fft
from ._hankel import fht, fhtoffset, ifht
from ._helpers import fftfreq, fftshift, ifftshift, next_fast_len, prev_fast_len, rfftfreq
from ._lapped import imdct, mdct
from ._multi import (
    fft2,
    fftn,
    hfft2,
    hfftn,
    ifft2,
    ifftn,
    ihfft2,
    ihfftn,
    irfft2,
    irfftn,
    rfft2,
    rfftn,
)
from ._real import dct, dctn, dst, dstn, idct, idctn, idst, idstn
from ._transforms import fft, hfft, ifft, ihfft, irfft, rfft
from ._workers import get_workers, set_workers

__all__ = [
    "czt",
    "czt_points",
    "dct",
    "dctn",
    "dst",
    "dstn",
    "fft",
    "fft2",
    "fftfreq",
    "fftn",
    "fftshift",
    "fht",
    "fhtoffset",
    "get_workers",
    "hfft",
    "hfft2",
    "hfftn",
    "idct",
    "idctn",
    "idst",
    "idstn",
    "ifft",
    "ifft2",
    "ifftn",
    "ifftshift",
    "ifht",
    "ihfft",
    "ihfft2",
    "ihfftn",
    "imdct",
    "irfft",
    "irfft2",
    "irfftn",
    "mdct",
    "next_fast_len",
    "prev_fast_len",
    "rfft",
    "rfft2",
    "rfftfreq",
    "rfftn",
    "set_workers",
    "zoom_fft",
]
