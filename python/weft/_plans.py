# SPDX-License-Identifier: MIT
"""Plans, which any number of threads may share, and the cache of those that the functions use.

A plan knows its description and the library's plan. It has no memory for a call's work, which each call brings or
allocates.
"""
import math
import os
import threading
from typing import Any, Optional

import numpy

from . import _weft
from ._arguments import (F32, F64, LAYOUTS, NORMS, PIXELS, REAL_OF, Array, DType, Types, as_array, dtype_of,
                         image_types, no_gpu, one_of, ready, result, sides_of)
from ._counts import counter
from ._errors import ArgumentError, ArgumentTypeError
from ._workers import threads_of

MOST_PLANS = 64
MOST_BYTES = 64 << 20


class Plan:
    """A transform of one shape, ready to run: immutable, hashable, picklable, shared between threads.

    Parameters
    ----------
    shape : tuple of int
        Of the image, the last two axes; all before are a batch.
    dtype : dtype, optional
        Of the image: float32, float64, uint8 or uint16.
    layout : {"half", "packed"}, optional
        Of the spectrum: complex and half as wide as `numpy.fft.rfft2` gives it, or real and as large as the image.
    norm : {None, "backward", "ortho", "forward"}, optional
        As in `numpy.fft`.
    workers : int, optional
        Threads; None means those of the context, see `set_workers`.
    strategy : str, optional
        Which of the library's ways to take; None means the fastest on the CPU.
    device : None
        For later: anything else is refused.
    spectrum_dtype : dtype, optional
        complex64 or complex128 (packed: float32 or float64), if integer images are to have the latter.

    Examples
    --------
    >>> import numpy, weft
    >>> plan = weft.Plan((6, 5), "float32", layout="packed")
    >>> image = numpy.ones((6, 5), "float32")
    >>> spectrum = plan.forward(image)
    >>> float(spectrum[0, 0])
    30.0
    >>> bool(numpy.allclose(plan.inverse(spectrum), image))
    True
    """

    __slots__ = ("_key", "_library", "shape", "dtype", "layout", "norm", "workers", "spectrum_shape", "spectrum_dtype",
                 "__weakref__")

    _key: tuple[Any, ...]
    _library: _weft.Plan
    shape: tuple[int, ...]
    dtype: DType
    layout: str
    norm: str
    workers: int
    spectrum_shape: tuple[int, ...]
    spectrum_dtype: DType

    def __init__(self, shape: Any, dtype: Any = F32, *, layout: str = "half", norm: Optional[str] = None,
                 workers: Optional[int] = None, strategy: Optional[str] = None, device: None = None,
                 spectrum_dtype: Any = None) -> None:
        no_gpu(device=device)
        one_of("layout", layout, LAYOUTS)
        one_of("norm", norm, NORMS)
        sides, of_image = sides_of(shape), dtype_of(dtype)
        if of_image not in PIXELS:
            raise ArgumentTypeError(f"dtype is {of_image}: must be float32, float64, uint8 or uint16")
        types = image_types(of_image, spectrum_dtype, "dtype", layout)
        if types.pixel != of_image:
            raise ArgumentTypeError(f"spectrum_dtype is {dtype_of(spectrum_dtype)}: floating-point images and their spectra have "
                                    f"one precision, and these are {of_image}")
        self._make((sides, types, layout, norm or "backward", threads_of(workers), strategy or "cpu"))

    def _make(self, key: tuple[Any, ...]) -> None:
        shape, types, layout, norm, threads, strategy = key
        height, width = shape[-2:]
        of_real = types.real == F64
        made = _weft.Plan(height, width, math.prod(shape[:-2]), of_real, PIXELS[types.pixel], LAYOUTS[layout],
                          NORMS[norm], threads, strategy)
        spectrum_shape = shape if layout == "packed" else (*shape[:-1], width // 2 + 1)
        for name, value in zip(Plan.__slots__, (key, made, shape, types.pixel, layout, norm, threads, spectrum_shape,
                                                types.spectrum(layout))):
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a plan is immutable: {name} cannot be set")

    __delattr__ = __setattr__  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Plan) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __reduce__(self) -> tuple[Any, ...]:
        return _plan_of_key, (self._key,)

    def __repr__(self) -> str:
        return (f"<weft.Plan {self.shape} {self.dtype} -> {self.layout} {self.spectrum_dtype}, norm {self.norm}, "
                f"{self.workers} workers, {self.strategy}>")

    @property
    def strategy(self) -> str:
        """The full name of the strategy that was chosen."""
        return self._library.strategy

    @property
    def workspace(self) -> int:
        """The bytes of `work` that a call needs, if it is not to allocate them itself."""
        return self._library.workspace

    def describe(self) -> str:
        """What the plan consists of, in lines for people."""
        return self._library.description

    def _input(self, x: Any, what: str, shape: tuple[int, ...], dtype: DType) -> Array:
        a = as_array(x, what)
        if a.shape != shape or a.dtype.newbyteorder("=") != dtype:
            raise ArgumentError(f"{what} has the shape {a.shape} and dtype {a.dtype}: this plan wants {shape} and {dtype}")
        return ready(a, dtype)

    def forward(self, image: Any, out: Optional[Array] = None, *, work: Any = None,
                stream: None = None) -> Array:
        """The spectrum of an image; `out` may be the image itself if it is real and the layout packed."""
        no_gpu(stream)
        a = self._input(image, "image", self.shape, self.dtype)
        to = result(out, self.spectrum_shape, self.spectrum_dtype)
        self._library.forward(a, to, work)
        next(counter("Plan.forward"))
        return to if out is None else out

    def inverse(self, spectrum: Any, out: Optional[Array] = None, *, work: Any = None,
                stream: None = None) -> Array:
        """The image of a spectrum; integer images are rounded and clamped."""
        no_gpu(stream)
        a = self._input(spectrum, "spectrum", self.spectrum_shape, self.spectrum_dtype)
        to = result(out, self.shape, self.dtype)
        self._library.inverse(a, to, work)
        next(counter("Plan.inverse"))
        return to if out is None else out

    def filter(self, image: Any, gain: Any = None, *, spectrum: Any = None, out: Optional[Array] = None,
               work: Any = None, stream: None = None) -> Array:
        """The image whose spectrum is that of `image` times a gain or another spectrum; see `weft.fft_filter`."""
        no_gpu(stream)
        if (gain is None) == (spectrum is None):
            raise ArgumentError("a filter wants either gain or spectrum")
        a = self._input(image, "image", self.shape, self.dtype)
        height, width = self.shape[-2:]
        real = REAL_OF[self.spectrum_dtype]
        if gain is not None:
            by = self._transfer(gain, "gain", (height, width // 2 + 1), real)
        else:
            by = self._transfer(spectrum, "spectrum", self.spectrum_shape[-2:], self.spectrum_dtype)
        to = result(out, self.shape, self.dtype)
        self._library.filter(a, by, gain is not None, to, work)
        next(counter("Plan.filter"))
        return to if out is None else out

    def _transfer(self, x: Any, what: str, shape: tuple[int, ...], dtype: DType) -> Array:
        a = as_array(x, what)
        if a.shape != shape:
            raise ArgumentError(f"{what} has the shape {a.shape}: must have {shape}")
        if not numpy.can_cast(a.dtype, dtype, "same_kind"):
            hint = "; a complex one is given as spectrum=" if what == "gain" and a.dtype.kind == "c" else ""
            raise ArgumentTypeError(f"{what} is {a.dtype}: must be {dtype}{hint}")
        return ready(a, dtype)


def _plan_of_key(key: tuple[Any, ...]) -> Plan:
    plan: Plan = object.__new__(Plan)
    plan._make(key)
    return plan


# ---- the cache -------------------------------------------------------------------------------------------------------


class _Entry:
    __slots__ = ("plan", "bytes", "is_used")

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.bytes = estimated_bytes(plan)
        self.is_used = False


_lock = threading.Lock()  # of everything below, but for reading
_cache: dict[tuple[Any, ...], _Entry] = {}
# What the functions find plans by if all arguments are at their defaults; a part of the cache, and cleared with it.
shortcuts: dict[tuple[Any, ...], tuple[Any, ...]] = {}


def estimated_bytes(plan: Plan) -> int:
    """At most what a plan holds: tables along both sides, of which a convolution's are the longest."""
    return 32768 + 40 * REAL_OF[plan.spectrum_dtype].itemsize * sum(plan.shape[-2:])


def plan_for(shape: tuple[int, ...], types: Types, layout: str, norm: str, threads: int, strategy: str) -> Plan:
    """The plan of this description, from the cache if it is there. A plan is made outside the lock: two threads may make
    the same one, of which one stays."""
    key = (shape, types, layout, norm, threads, strategy)
    entry = _cache.get(key)
    if entry is None:
        entry = _Entry(_plan_of_key(key))
        _keep(key, entry)
    entry.is_used = True
    return entry.plan


def _keep(key: tuple[Any, ...], entry: _Entry) -> None:
    """The oldest plans go where there are too many, but each that was used since it was last looked at has another turn."""
    with _lock:
        _cache.setdefault(key, entry)
        held = _held()
        while len(_cache) > MOST_PLANS or (held > MOST_BYTES and len(_cache) > 1):
            shortcuts.clear()
            oldest = next(iter(_cache))
            old = _cache.pop(oldest)
            if old.is_used:
                old.is_used = False
                _cache[oldest] = old
            else:
                held -= old.bytes


def _held() -> int:
    """The bytes of all plans: added up anew, since a sum kept beside them would be wrong once a step fails for lack of
    memory."""
    return sum(entry.bytes for entry in _cache.values())


def cache_clear() -> None:
    """Forget all plans that the functions have made; those in use live on until their calls return.

    Examples
    --------
    >>> import weft
    >>> weft.cache_clear()
    >>> weft.info()["cached plans"]
    0
    """
    with _lock:
        _cache.clear()
        shortcuts.clear()


def cache_size() -> tuple[int, int]:
    with _lock:
        return len(_cache), _held()


def _in_child() -> None:
    """Another thread of the parent may have held the lock, and be gone."""
    global _lock
    _lock = threading.Lock()


os.register_at_fork(after_in_child=_in_child)
