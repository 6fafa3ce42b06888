# SPDX-License-Identifier: MIT
"""Every dtype, layout, norm, parity and batch against numpy.fft in double precision, and what must not matter: memory
order, alignment, axes, what a spectrum has that a real image cannot have."""
import itertools

import numpy
import pytest
import weft

DTYPES = ["float32", "float64", "uint8", "uint16", "float16", "bool", "int8", "int16", "uint32", "int64"]
NORMS = [None, "backward", "ortho", "forward"]
SIZES = [(1, 1), (1, 7), (8, 1), (2, 2), (16, 16), (6, 5), (5, 6), (9, 15), (64, 32), (131, 20)]
BATCHES = [(), (1,), (3,), (2, 2)]


def image_of(shape, dtype, seed=0):
    made = numpy.random.default_rng(seed).uniform(0, 200, shape)
    return (made > 100) if dtype == "bool" else (made / 2).astype(dtype) if dtype == "int8" else made.astype(dtype)


def is_near(a, b, spectrum_dtype):
    """Within what single or double precision explains, by the largest value."""
    limit = 1e-6 if numpy.dtype(spectrum_dtype) in ("complex64", "float32") else 1e-14
    return a.shape == b.shape and abs(a - b).max() <= limit * max(abs(b).max(), 1e-30) * 8


def packed_by_hand(full):
    """The formula of weft.h, a value at a time."""
    height, width = full.shape[-2:]
    packed = numpy.empty(full.shape)
    for k, l in itertools.product(range(height), range(width)):
        k2, l2 = -k % height, -l % width
        if l == l2:
            packed[..., k, l] = full[..., k, l].real if k <= k2 else full[..., k2, l].imag
        else:
            packed[..., k, l] = full[..., k, l].real if l < l2 else full[..., k, l2].imag
    return packed


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("norm", NORMS)
def test_all_spectra(dtype, norm):
    of_f32 = dtype in ("float32", "uint8", "uint16", "float16")
    for size, batch in itertools.product(SIZES, BATCHES):
        x = image_of(batch + size, dtype)
        wide = x.astype(float)
        half, full = numpy.fft.rfft2(wide, norm=norm), numpy.fft.fft2(wide, norm=norm)
        got = weft.rfft2(x, norm=norm)
        assert got.dtype == ("complex64" if of_f32 else "complex128")
        assert is_near(got, half, got.dtype)
        packed = weft.rfft2(x, norm=norm, layout="packed")
        assert packed.dtype == ("float32" if of_f32 else "float64") and packed.shape == x.shape
        assert is_near(packed, packed_by_hand(full), packed.dtype)
        assert is_near(weft.fft2(x, norm=norm), full, got.dtype)
        real = packed.dtype
        assert is_near(weft.irfft2(got, s=size, norm=norm), wide, real)
        assert is_near(weft.irfft2(packed, norm=norm, layout="packed"), wide, real)


@pytest.mark.parametrize("wanted", ["complex64", "complex128"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_asked_for_precision(dtype, wanted):
    x = image_of((12, 9), dtype)
    got = weft.rfft2(x, dtype=wanted)
    assert got.dtype == wanted and is_near(got, numpy.fft.rfft2(x.astype(float)), wanted)


@pytest.mark.parametrize("pixel", ["uint8", "uint16"])
def test_integer_images_come_back(pixel):
    x = image_of((2, 7, 9), pixel)
    for wanted in ("complex64", "complex128"):
        spectrum = weft.rfft2(x, dtype=wanted)
        assert (weft.irfft2(spectrum, s=(7, 9), dtype=pixel) == x).all()
    assert weft.irfft2(weft.rfft2(x.astype(float) * 1e6), s=(7, 9), dtype=pixel).max() == numpy.iinfo(pixel).max


@pytest.mark.parametrize("size", SIZES + [(4, 4), (3, 8), (8, 3)])
def test_poisoned_spectra_are_numpys(size):
    """What is not Hermitian in columns 0 and W/2 counts for nothing, as in numpy.fft.irfft2."""
    generator = numpy.random.default_rng(1)
    shape = (3, size[0], size[1] // 2 + 1)
    spectrum = generator.normal(size=shape) + 1j * generator.normal(size=shape)
    for norm in NORMS:
        assert is_near(weft.irfft2(spectrum, s=size, norm=norm), numpy.fft.irfft2(spectrum, s=size, norm=norm), "float64")


@pytest.mark.parametrize("s", [(3, 4), (8, 8), (5, 9), (9, 5), (1, 1)])
def test_s_cuts_and_continues_as_numpy(s):
    x = image_of((2, 6, 7), "float64")
    for norm in NORMS:
        assert is_near(weft.rfft2(x, s, norm=norm), numpy.fft.rfft2(x, s, norm=norm), "complex128")
        assert is_near(weft.fft2(x, s, norm=norm), numpy.fft.fft2(x, s, norm=norm), "complex128")
        spectrum = numpy.fft.rfft2(x)
        assert is_near(weft.irfft2(spectrum, s, norm=norm), numpy.fft.irfft2(spectrum, s, norm=norm), "float64")


@pytest.mark.parametrize("axes", [axes for axes in itertools.permutations(range(-4, 4), 2) if (axes[0] - axes[1]) % 4])
def test_any_two_axes(axes):
    x = image_of((4, 5, 6, 3), "float64")
    spectrum = numpy.fft.rfft2(x, axes=axes)
    assert is_near(weft.rfft2(x, axes=axes), spectrum, "complex128")
    assert is_near(weft.fft2(x, axes=axes), numpy.fft.fft2(x, axes=axes), "complex128")
    s = [x.shape[axis] for axis in axes]
    assert is_near(weft.irfft2(spectrum, s, axes), x, "float64")


def test_memory_order_and_alignment_do_not_matter():
    x = image_of((10, 12), "float32")
    wanted = weft.rfft2(x)
    unaligned = numpy.empty(x.nbytes + 1, "u1")[1:].view("float32").reshape(x.shape)
    unaligned[:] = x
    padded = numpy.zeros((10, 20), "float32")
    padded[:, :12] = x
    backwards = x[::-1, ::-1].copy()[::-1, ::-1]
    read_only = x.copy()
    read_only.flags.writeable = False
    for other in (numpy.asfortranarray(x), unaligned, padded[:, :12], backwards, x.astype(">f4"), read_only, x.tolist()):
        before = weft.info()["copied"]
        got = weft.rfft2(other, dtype="complex64")
        assert (got == wanted).all()
        is_copied = other is not read_only and not isinstance(other, list)
        assert weft.info()["copied"] - before == is_copied
        if not isinstance(other, list):  # by the short way of a shape that was met before
            assert (weft.rfft2(other) == wanted).all()


def test_out():
    x = image_of((3, 8, 6), "float32")
    wanted = weft.rfft2(x)
    out = numpy.empty_like(wanted)
    assert weft.rfft2(x, out=out) is out and (out == wanted).all()
    image = numpy.empty_like(x)
    assert weft.irfft2(wanted, out=image) is image and is_near(image, x, "float32")
    of_other_axes = numpy.empty((8, 4, 3), "complex64").transpose(1, 2, 0)
    assert of_other_axes.shape == (4, 3, 8)
    turned = x.transpose(2, 0, 1)  # its image's axes are 2 and 0
    full = numpy.empty((3, 8, 6), "complex64")
    assert weft.fft2(turned, axes=(2, 0), out=full.transpose(2, 0, 1)).shape == (6, 3, 8)
    assert is_near(full, numpy.fft.fft2(x), "complex64")


def test_in_place():
    x = image_of((2, 9, 7), "float64")
    wanted, there = weft.rfft2(x, layout="packed"), x.copy()
    assert weft.rfft2(there, layout="packed", out=there) is there and (there == wanted).all()
    assert is_near(weft.irfft2(there, layout="packed", out=there), x, "float64")


def test_filter_is_the_three_steps():
    generator = numpy.random.default_rng(2)
    for size, dtype in itertools.product([(8, 8), (9, 7), (6, 5)], ["float32", "float64", "uint8"]):
        x = image_of((2, *size), dtype)
        gain = generator.uniform(size=(size[0], size[1] // 2 + 1))
        gain[:, [0, -1]] = 0.5  # one value for X[k][l] and its mirror image
        kernel = generator.uniform(size=size) / numpy.prod(size)
        by_gain = numpy.fft.irfft2(numpy.fft.rfft2(x) * gain, s=size)
        by_kernel = numpy.fft.irfft2(numpy.fft.rfft2(x) * numpy.fft.rfft2(kernel), s=size)
        real = "float64" if dtype == "float64" else "float32"
        packed, half = (weft.rfft2(kernel.astype(real), layout=layout) for layout in ("packed", "half"))
        for got, wanted in [(weft.fft_filter(x, gain.astype(real)), by_gain), (weft.fft_filter(x, spectrum=half), by_kernel),
                            (weft.fft_filter(x, spectrum=packed, layout="packed"), by_kernel)]:
            assert got.dtype == x.dtype
            if dtype == "uint8":
                assert abs(got - numpy.rint(wanted).clip(0, 255)).max() <= 1
            else:
                assert is_near(got, wanted, dtype)
        there = x.copy()
        assert weft.fft_filter(there, gain.astype(real), out=there) is there


@pytest.mark.parametrize("size", SIZES)
def test_layouts(size):
    x = image_of((2, *size), "float32")
    half, packed = weft.rfft2(x), weft.rfft2(x, layout="packed")
    assert (weft.unpack(packed) == half).all() and (weft.pack(half, size[1]) == packed).all()
    assert (weft.to_full(packed) == weft.fft2(x)).all() and (weft.to_full(half, size[1]) == weft.fft2(x)).all()


def test_sizes():
    assert [weft.next_fast_len(n) for n in (0, 1, 11, 13, 1021)] == [1, 1, 12, 14, 1024]
    height, width = weft.good_size((1021, 1031))
    assert height >= 1021 and width >= 1031
