# SPDX-License-Identifier: MIT
"""What a caller may say, as what the library wants: axes, sizes, norms, dtypes, arrays.

Every complaint about an argument that Python can see is made here, and names the argument.
"""
import operator
from typing import Any, NamedTuple, Optional, Sequence

import numpy

from ._counts import counter
from ._errors import ArgumentError, ArgumentTypeError, UnsupportedError

Array = numpy.ndarray[Any, Any]
DType = numpy.dtype[Any]

NORMS: dict[Optional[str], int] = {None: 0, "backward": 0, "ortho": 1, "forward": 2}
LAYOUTS = {"packed": 0, "half": 1}
LAST_TWO = (-2, -1)

F32: DType = numpy.dtype("float32")
F64: DType = numpy.dtype("float64")
U8: DType = numpy.dtype("uint8")
U16: DType = numpy.dtype("uint16")
C64: DType = numpy.dtype("complex64")
C128: DType = numpy.dtype("complex128")
PIXELS = {F32: 0, F64: 0, U8: 1, U16: 2}
REAL_OF: dict[DType, DType] = {C64: F32, C128: F64, F32: F32, F64: F64}
COMPLEX_OF: dict[DType, DType] = {F32: C64, F64: C128}


class Types(NamedTuple):
    """The elements of an image, and the reals that its transform is computed in."""

    pixel: DType
    real: DType

    def spectrum(self, layout: str) -> DType:
        return self.real if layout == "packed" else COMPLEX_OF[self.real]


# Images that need no conversion, and the reals of their spectra.
TYPES = {F32: Types(F32, F32), F64: Types(F64, F64), U8: Types(U8, F32), U16: Types(U16, F32)}
# By a dtype's letter, which is the same in either order of its bytes; all others are transformed in double precision.
_OF_CHAR = {**{each.char: types for each, types in TYPES.items()}, "e": TYPES[F32]}


def one_of(what: str, value: Any, table: dict[Any, int]) -> int:
    try:
        return table[value]
    except (KeyError, TypeError):
        names = ", ".join(repr(name) for name in table)
        raise ArgumentError(f"{what} is {value!r}: must be one of {names}") from None


def no_gpu(stream: Any = None, device: Any = None) -> None:
    for what, value in (("stream", stream), ("device", device)):
        if value is not None:
            raise UnsupportedError(f"{what} is {value!r}: only arrays in the host's memory are transformed, on its CPU")


def only_numpys(x: Any, what: str) -> None:
    """Whoever has an array of another library wants one of it back, which NumPy's conversion would not give him."""
    if type(x) is not numpy.ndarray and hasattr(x, "__array_namespace__") and x.__array_namespace__() is not numpy:
        kind = f"{type(x).__module__}.{type(x).__qualname__}"
        raise UnsupportedError(f"{what} is a {kind}: only NumPy's arrays are taken; numpy.asarray({what}) makes one of what lies "
                               "in the host's memory")


def as_array(x: Any, what: str) -> Array:
    if type(x) is numpy.ndarray:
        return x
    if hasattr(x, "__cuda_array_interface__"):
        raise UnsupportedError(f"{what} lies on a GPU: only arrays in the host's memory are transformed, on its CPU")
    only_numpys(x, what)
    return numpy.asarray(x)


def image_types(dtype: DType, spectrum: Any, what: str = "x", layout: str = "half") -> Types:
    """Of an image of this dtype, whose spectrum, in this layout, the caller may have asked for in another precision."""
    if dtype.kind == "c":
        raise ArgumentTypeError(f"{what} is {dtype}: weft transforms real images; scipy.fft.fft2 takes complex ones")
    if dtype.kind not in "biuf" or dtype.itemsize > 8:
        raise ArgumentTypeError(f"{what} is {dtype}: must be a real number of at most 64 bits")
    types = _OF_CHAR.get(dtype.char, TYPES[F64])
    if spectrum is None:
        return types
    asked = dtype_of(spectrum)
    wanted = REAL_OF.get(asked)
    if wanted is None or (asked == wanted) != (layout == "packed"):
        these = "float32 or float64, as a packed spectrum is real" if layout == "packed" else "complex64 or complex128"
        raise ArgumentError(f"dtype is {asked}: must be {these}")
    return Types(types.pixel if types.pixel in (U8, U16) else wanted, wanted)


def spectrum_types(dtype: DType, layout: str, pixel: Any) -> Types:
    """Of a spectrum of this dtype, whose image the caller may have asked for in another one."""
    if layout == "packed" and dtype.kind == "c":
        raise ArgumentTypeError(f"x is {dtype}: a packed spectrum is real; layout='half' takes a complex one")
    if dtype.kind not in "biufc" or dtype.itemsize > (16 if dtype.kind == "c" else 8):
        raise ArgumentTypeError(f"x is {dtype}: must be a number of at most 64 bits, or a complex one of two such")
    real = F32 if dtype.char in "efF" else F64
    if pixel is None:
        return Types(real, real)
    wanted = dtype_of(pixel)
    if wanted not in PIXELS:
        raise ArgumentError(f"dtype is {wanted}: must be float32, float64, uint8 or uint16")
    return Types(wanted, wanted if wanted in (F32, F64) else real)


def integer(what: str, value: Any, least: int) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        raise ArgumentTypeError(f"{what} is {value!r}: must be an integer") from None
    if number < least:
        raise ArgumentError(f"{what} is {number}: must be at least {least}")
    return number


def sides_of(shape: Any) -> tuple[int, ...]:
    """An image's shape, batches before it."""
    try:
        given = tuple(shape)
    except TypeError:
        raise ArgumentTypeError(f"shape is {shape!r}: must be some integers") from None
    sides = tuple(integer("a side of shape", side, 1) for side in given)
    if len(sides) < 2:
        raise ArgumentError(f"shape is {shape!r}: an image has at least 2 dimensions")
    return sides


def dtype_of(value: Any) -> DType:
    try:
        found: DType = numpy.dtype(value)
    except TypeError:
        raise ArgumentTypeError(f"dtype is {value!r}: NumPy knows none such") from None
    return found


def pair(what: str, values: Any) -> tuple[Any, Any]:
    try:
        first, second = values
    except (TypeError, ValueError):
        raise ArgumentError(f"{what} is {values!r}: must be two numbers") from None
    return first, second


def two_axes(axes: Sequence[int], ndim: int) -> tuple[int, int]:
    """Both counted from the end."""
    if ndim < 2:
        raise ArgumentError(f"x has {ndim} dimensions: an image has at least 2")
    numbers = [integer("an axis", axis, -ndim) for axis in pair("axes", axes)]
    for axis in numbers:
        if axis >= ndim:
            raise ArgumentError(f"axes is {tuple(axes)}: x has only {ndim} dimensions")
    first, second = (axis - ndim if axis >= 0 else axis for axis in numbers)
    if first == second:
        raise ArgumentError(f"axes is {tuple(axes)}: both are the same")
    return first, second


def two_sizes(s: Any) -> tuple[int, int]:
    height, width = pair("s", s)
    return integer("s[0]", height, 1), integer("s[1]", width, 1)


def fitted(a: Array, height: int, width: int) -> Array:
    """Cut at the end, or continued by zeros, as NumPy does."""
    if a.shape[-2:] == (height, width):
        return a
    rows, columns = min(height, a.shape[-2]), min(width, a.shape[-1])
    made = numpy.zeros((*a.shape[:-2], height, width), a.dtype)
    made[..., :rows, :columns] = a[..., :rows, :columns]
    return made


def no_side_is_zero(a: Array, what: str) -> None:
    if a.size == 0:
        raise ArgumentError(f"{what} has the shape {a.shape}: must be at least one image, with sides of at least 1")


def ready(a: Array, dtype: DType) -> Array:
    """As the library reads it: of that dtype, in C's order, aligned. What has that dtype and is copied all the same is
    counted."""
    flags = a.flags
    if a.dtype == dtype and flags.c_contiguous and flags.aligned:
        return a
    if a.dtype.newbyteorder("=") == dtype:
        next(counter("copied"))
    return numpy.require(a, dtype, ("C_CONTIGUOUS", "ALIGNED"))


def result(out: Any, shape: tuple[int, ...], dtype: DType, axes: tuple[int, int] = LAST_TWO) -> Array:
    """Where a result goes, with the two axes of the image last: new memory, or the caller's `out`."""
    if out is None:
        return numpy.empty(shape, dtype)
    if not isinstance(out, numpy.ndarray):
        raise ArgumentTypeError(f"out is a {type(out).__name__}: must be a NumPy array")
    if out.ndim < 2:
        raise ArgumentError(f"out has the shape {out.shape}: a result has at least 2 dimensions")
    to = out if axes == LAST_TWO else numpy.moveaxis(out, axes, LAST_TWO)
    if to.shape != shape or to.dtype != dtype:
        back = shape if axes == LAST_TWO else numpy.moveaxis(numpy.broadcast_to(0, shape), LAST_TWO, axes).shape
        raise ArgumentError(f"out has the shape {out.shape} and dtype {out.dtype}: must have {back} and {dtype}")
    for is_so, word in ((to.flags.c_contiguous, f"contiguous with the image's axes last; its strides are {out.strides}"),
                        (to.flags.aligned, "aligned"), (to.flags.writeable, "writeable")):
        if not is_so:
            raise ArgumentError(f"out must be {word}")
    return to
