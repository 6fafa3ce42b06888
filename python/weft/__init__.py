# SPDX-License-Identifier: MIT
"""The 2-D Fourier transform of real images; see `rfft2`, `irfft2`, `fft_filter`, and `scipy_backend` for SciPy."""
from importlib import import_module as _import_module
from typing import Any as _Any

from . import gains
from ._about import info, served
from ._convolution import fftconvolve, phase_cross_correlation
from ._errors import ArgumentError, ArgumentTypeError, DeviceError, Error, OutOfMemoryError, UnsupportedError
from ._plans import Plan, cache_clear
from ._transforms import fft2, fft_filter, good_size, irfft2, next_fast_len, pack, rfft2, to_full, unpack
from ._weft import version as _version
from ._workers import get_workers, set_workers

__version__ = _version()

__all__ = [
    "ArgumentError", "ArgumentTypeError", "DeviceError", "Error", "OutOfMemoryError", "Plan", "UnsupportedError",
    "cache_clear", "fft2", "fft_filter", "fftconvolve", "gains", "get_workers", "good_size", "info", "irfft2",
    "next_fast_len", "pack", "phase_cross_correlation", "rfft2", "served", "set_workers", "to_full", "unpack",
]


def __getattr__(name: str) -> _Any:
    """The faces are imported when they are asked for: only scipy_fft needs SciPy."""
    if name in ("scipy_backend", "scipy_fft", "numpy_fft", "xp_fft"):
        return _import_module("weft.scipy_fft" if name == "scipy_backend" else "weft." + name)
    raise AttributeError(f"module 'weft' has no attribute {name!r}")
