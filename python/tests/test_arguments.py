# SPDX-License-Identifier: MIT
"""What is wrong with a call is said with the argument's name and its value, by an exception that is Python's own kind and
`weft.Error`."""
import re

import numpy
import pytest
import weft

X = numpy.ones((4, 6), "float32")
SPECTRUM = weft.rfft2(X)
READ_ONLY = X.copy()
READ_ONLY.flags.writeable = False
VALUE, TYPE = (weft.ArgumentError, ValueError), (weft.ArgumentTypeError, TypeError)
UNSUPPORTED = (weft.UnsupportedError, NotImplementedError)

WRONG = [
    (lambda: weft.rfft2(numpy.ones((0, 4))), VALUE, "x has the shape (0, 4): must be at least one image, with sides of at least 1"),
    (lambda: weft.rfft2(numpy.ones((0, 4, 6))), VALUE, "x has the shape (0, 4, 6): must be at least one image"),
    (lambda: weft.rfft2(X, dtype="float32"), VALUE, "dtype is float32: must be complex64 or complex128"),
    (lambda: weft.rfft2(X, layout="packed", dtype="complex64"), VALUE, "dtype is complex64: must be float32 or float64, as"),
    (lambda: weft.fft2(X, dtype="float32"), VALUE, "dtype is float32: must be complex64 or complex128"),
    (lambda: weft.rfft2(numpy.ones((0, 4, 4))), VALUE, "x has the shape (0, 4, 4)"),
    (lambda: weft.rfft2(numpy.ones(4)), VALUE, "x has 1 dimensions: an image has at least 2"),
    (lambda: weft.rfft2(3.0), VALUE, "x has 0 dimensions"),
    (lambda: weft.rfft2(X, s=(0, 4)), VALUE, "s[0] is 0: must be at least 1"),
    (lambda: weft.rfft2(X, s=(4, -1)), VALUE, "s[1] is -1: must be at least 1"),
    (lambda: weft.rfft2(X, s=(float("nan"), 4)), TYPE, "s[0] is nan: must be an integer"),
    (lambda: weft.rfft2(X, s=(4,)), VALUE, "s is (4,): must be two numbers"),
    (lambda: weft.rfft2(X, s=4), VALUE, "s is 4: must be two numbers"),
    (lambda: weft.rfft2(X, axes=(0, 0)), VALUE, "axes is (0, 0): both are the same"),
    (lambda: weft.rfft2(X, axes=(0, -2)), VALUE, "axes is (0, -2): both are the same"),
    (lambda: weft.rfft2(X, axes=(0, 2)), VALUE, "axes is (0, 2): x has only 2 dimensions"),
    (lambda: weft.rfft2(X, axes=(-3, 1)), VALUE, "an axis is -3: must be at least -2"),
    (lambda: weft.rfft2(X, axes=(0, 1, 1)), VALUE, "axes is (0, 1, 1): must be two numbers"),
    (lambda: weft.rfft2(X, norm="half"), VALUE, "norm is 'half': must be one of None, 'backward', 'ortho', 'forward'"),
    (lambda: weft.rfft2(X, norm=[]), VALUE, "norm is []"),
    (lambda: weft.rfft2(X, layout="full"), VALUE, "layout is 'full': must be one of 'packed', 'half'"),
    (lambda: weft.rfft2(X, dtype="float16"), VALUE, "dtype is float16: must be complex64 or complex128"),
    (lambda: weft.rfft2(X + 0j), TYPE, "x is complex64: weft transforms real images; scipy.fft.fft2 takes complex ones"),
    (lambda: weft.fft2(X + 0j), TYPE, "x is complex64"),
    (lambda: weft.rfft2(numpy.ones((2, 2), "longdouble")), TYPE, "must be a real number of at most 64 bits"),
    (lambda: weft.rfft2(numpy.array([["a"]])), TYPE, "x is <U1"),
    (lambda: weft.rfft2(X, workers=0), VALUE, "workers is 0: must be at least 1, or negative"),
    (lambda: weft.rfft2(X, workers=1.5), TYPE, "workers is 1.5: must be an integer"),
    (lambda: weft.rfft2(X, workers=-10000), VALUE, "workers is -10000: must not be below -"),
    (lambda: weft.rfft2(X, workers=10**6), VALUE, "1000000"),
    (lambda: weft.rfft2(X, strategy="cpu.slow"), VALUE, "cpu.slow"),
    (lambda: weft.rfft2(X, stream=1), UNSUPPORTED, "stream is 1: only arrays in the host's memory"),
    (lambda: weft.Plan((4, 4), device=0), UNSUPPORTED, "device is 0: only arrays in the host's memory"),
    (lambda: weft.rfft2(X, out=[1]), TYPE, "out is a list: must be a NumPy array"),
    (lambda: weft.rfft2(X, out=numpy.empty((4, 6), "complex64")), VALUE,
     "out has the shape (4, 6) and dtype complex64: must have (4, 4) and complex64"),
    (lambda: weft.rfft2(X, out=numpy.empty((4, 4), "complex128")), VALUE, "dtype complex128: must have (4, 4) and complex64"),
    (lambda: weft.rfft2(X, out=numpy.empty((8, 4), "complex64")[::2]), VALUE,
     "out must be contiguous with the image's axes last; its strides are (64, 8)"),
    (lambda: weft.rfft2(X, layout="packed", out=READ_ONLY), VALUE, "out must be writeable"),
    (lambda: weft.rfft2(X, axes=(1, 0), out=numpy.empty((3, 6), "complex64")), VALUE,
     "out must be contiguous with the image's axes last"),
    (lambda: weft.irfft2(SPECTRUM[:, :1]), VALUE, "x has the shape (4, 1), which without s is that of images 0 wide: give s"),
    (lambda: weft.irfft2(SPECTRUM, layout="packed"), TYPE, "x is complex64: a packed spectrum is real"),
    (lambda: weft.irfft2(X, s=(4, 5), layout="packed"), VALUE, "s is (4, 5): the packed spectrum is that of an image of (4, 6)"),
    (lambda: weft.irfft2(SPECTRUM, dtype="int8"), VALUE, "dtype is int8: must be float32, float64, uint8 or uint16"),
    (lambda: weft.irfft2(SPECTRUM.astype("clongdouble")), TYPE, "x is complex256"),
    (lambda: weft.fft_filter(X), VALUE, "either gain or spectrum"),
    (lambda: weft.fft_filter(X, X, spectrum=X), VALUE, "either gain or spectrum"),
    (lambda: weft.fft_filter(X, X), VALUE, "gain has the shape (4, 6): must have (4, 4)"),
    (lambda: weft.fft_filter(X, SPECTRUM), TYPE, "gain is complex64: must be float32; a complex one is given as spectrum="),
    (lambda: weft.fft_filter(X, spectrum=SPECTRUM[:2]), VALUE, "spectrum has the shape (2, 4): must have (4, 4)"),
    (lambda: weft.pack(SPECTRUM, 5), VALUE, "width is 5: half a spectrum of such an image is 3 wide, not 4"),
    (lambda: weft.pack(X, 6), TYPE, "spectrum is float32: must be complex"),
    (lambda: weft.unpack(SPECTRUM), TYPE, "spectrum is complex64: must be packed, which is real; half a spectrum is complex"),
    (lambda: weft.to_full(SPECTRUM), TYPE, "half a spectrum needs the image's width, to_full(spectrum, width)"),
    (lambda: weft.unpack(numpy.ones(3)), VALUE, "spectrum has 1 dimensions"),
    (lambda: weft.next_fast_len(-1), VALUE, "target is -1: must be at least 0"),
    (lambda: weft.good_size((1, 2, 3)), VALUE, "shape is (1, 2, 3): must be two numbers"),
    (lambda: weft.Plan((4,)), VALUE, "shape is (4,): an image has at least 2 dimensions"),
    (lambda: weft.Plan(4), TYPE, "shape is 4: must be some integers"),
    (lambda: weft.Plan((4, 4), "float99"), TYPE, "dtype is 'float99': NumPy knows none such"),
    (lambda: weft.rfft2(X, dtype="float99"), TYPE, "dtype is 'float99': NumPy knows none such"),
    (lambda: weft.Plan((4, 0)), VALUE, "a side of shape is 0: must be at least 1"),
    (lambda: weft.Plan((4, 4), "int16"), TYPE, "dtype is int16: must be float32, float64, uint8 or uint16"),
    (lambda: weft.Plan((4, 4), spectrum_dtype="complex128"), TYPE, "spectrum_dtype is complex128: floating-point images and"),
    (lambda: weft.Plan((4, 4)).forward(X), VALUE,
     "image has the shape (4, 6) and dtype float32: this plan wants (4, 4) and float32"),
    (lambda: weft.Plan((4, 6), "float64").forward(X), VALUE, "this plan wants (4, 6) and float64"),
    (lambda: weft.Plan((4, 6)).inverse(X), VALUE, "spectrum has the shape (4, 6)"),
    (lambda: weft.Plan((4, 6)).forward(X, work=numpy.empty(1, "u1")), VALUE, "work has 1 bytes: must have "),
]


@pytest.mark.parametrize("call, kinds, words", WRONG, ids=[words for _, _, words in WRONG])
def test_message(call, kinds, words):
    with pytest.raises(weft.Error, match=re.escape(words)) as raised:
        call()
    assert all(isinstance(raised.value, kind) for kind in kinds)


def test_overlap_is_refused():
    memory = numpy.zeros(400, "float32")
    x, out = memory[:24].reshape(4, 6), memory[2:34].view("complex64").reshape(4, 4)
    for call in (lambda: weft.rfft2(x, out=out), lambda: weft.rfft2(x, layout="packed", out=memory[2:26].reshape(4, 6)),
                 lambda: weft.fft_filter(x, numpy.ones((4, 4), "float32"), out=memory[6:30].reshape(4, 6))):
        with pytest.raises(weft.ArgumentError, match="overlap"):
            call()


def test_memory_that_nobody_has():
    with pytest.raises((weft.OutOfMemoryError, weft.ArgumentError)) as raised:
        weft.Plan((2**31, 2**31), "float64")
    assert isinstance(raised.value, weft.Error)


def test_a_gpus_array_is_refused():
    class OnGPU:
        __cuda_array_interface__ = {}

    with pytest.raises(weft.UnsupportedError, match="x lies on a GPU"):
        weft.rfft2(OnGPU())


def test_another_librarys_array_is_refused():
    """Though NumPy would convert it."""
    class Another:
        def __array_namespace__(self):
            return pytest

        def __array__(self, dtype=None, copy=None):
            return numpy.ones((4, 6))

    for call in (weft.rfft2, weft.irfft2, weft.unpack, weft.Plan((4, 6), "float64").forward, lambda x: weft.fftconvolve(x, x)):
        with pytest.raises(weft.UnsupportedError, match=r"\w+ is a .*Another: only NumPy's arrays are taken; numpy\.asarray"):
            call(Another())
    assert weft.rfft2(numpy.ones((4, 6)).view(numpy.recarray)).shape == (4, 4)


def test_the_extension_trusts_nobody():
    """Whoever calls it without the Python files in front gets an exception, too."""
    from weft import _weft

    plan = _weft.Plan(4, 6, 1, 0, 0, 1, 0, 1, "cpu")
    out = numpy.empty((4, 4), "complex64")
    shifted = numpy.empty(97, "u1")[1:]
    for arguments in ((X, out), (X, out, None, None), (X[:2], out, None), (X, out[:2], None), (shifted, out, None),
                      (X, bytes(out.nbytes), None), (X[:, ::-1], out, None), (None, out, None),
                      (X, out, shifted)):
        with pytest.raises((ValueError, TypeError, BufferError)):
            plan.forward(*arguments)
    with pytest.raises((ValueError, TypeError, BufferError)):
        plan.filter(X, X, True, X, None)
    for wrong in ((0, 6, 1), (-1, 6, 1), (2**62, 2**62, 1), (4, 6, 0)):
        with pytest.raises(weft.Error):
            _weft.Plan(*wrong, 0, 0, 1, 0, 1, "cpu")
    for wrong in ((9, 0, 0, 0), (0, 9, 0, 0), (0, 0, 9, 0), (0, 0, 0, 9)):
        with pytest.raises(weft.Error):
            _weft.Plan(4, 6, 1, *wrong, 1, "cpu")
    with pytest.raises(weft.Error):
        _weft.packed_to_half(2**40, 2**40, 0, X, out)
    with pytest.raises(OverflowError):
        _weft.next_fast_size(-1)
    with pytest.raises(weft.Error):
        _weft.next_fast_size(2**64 - 1)
