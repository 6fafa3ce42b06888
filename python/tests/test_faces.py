# SPDX-License-Identifier: MIT
"""The faces: what Weft answers equals what SciPy and NumPy answer, dtypes included; what it does not answer is theirs, to
the words of their exceptions."""
import itertools
import pickle
import warnings

import numpy
import pytest
import weft
from weft import numpy_fft

scipy_fft = pytest.importorskip("scipy.fft")
DTYPES = ["float32", "float64", "float16", "uint8", "uint16", "int32", "bool", "complex64", "complex128", "longdouble", ">f4"]
REAL_NAMES = ["rfft2", "rfftn", "fft2", "fftn", "irfft2", "irfftn"]
OTHER_NAMES = ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft", "ifft2", "ifftn", "hfft2", "ihfft2", "hfftn", "ihfftn", "dct",
               "idct", "dst", "idst", "dctn", "dstn"]


def image_of(shape, dtype):
    return (numpy.random.default_rng(4).uniform(0, 100, shape) + 1).astype(dtype)


def outcome(function, *arguments, **keywords):
    """What a call gives: an array, or the type and text of its exception; and its warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            result = function(*arguments, **keywords)
        except Exception as error:  # all of them are compared
            result = type(error), str(error)
    return result, [(each.category, str(each.message)) for each in caught]


def assert_same(mine, its):
    (got, got_warnings), (wanted, wanted_warnings) = mine, its
    assert got_warnings == wanted_warnings
    if isinstance(wanted, tuple):
        assert isinstance(got, tuple) and got == wanted
        return
    assert type(got) is type(wanted) and got.dtype == wanted.dtype and got.shape == wanted.shape
    if wanted.dtype == object:
        assert (got == wanted).all()
        return
    limit = 3e-6 if wanted.dtype in ("float32", "complex64") else 1e-13
    assert abs(got - wanted).max() <= limit * abs(wanted).max()


def with_weft(name, *arguments, **keywords):
    with scipy_fft.set_backend(weft.scipy_backend):
        return getattr(scipy_fft, name)(*arguments, **keywords)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", REAL_NAMES + OTHER_NAMES)
def test_scipy_of_every_dtype(name, dtype):
    for shape in [(6, 8), (5, 7), (2, 6, 5)]:
        x = image_of(shape, dtype)
        assert_same(outcome(with_weft, name, x), outcome(getattr(scipy_fft, name), x))


WRONG_OR_RARE = [
    {"s": (3, 4)}, {"s": (9, 9)}, {"s": (0, 4)}, {"s": (3,)}, {"s": (3, 4, 5)}, {"s": 3}, {"s": (3.5, 4)}, {"s": (-1, 4)},
    {"axes": (0, 1)}, {"axes": (1, 0)}, {"axes": (0, 2)}, {"axes": (0, 0)}, {"axes": (0, 7)}, {"axes": 1}, {"axes": (1,)},
    {"axes": (0, 1, 2)}, {"axes": numpy.array([0, 1])}, {"s": (4, 4), "axes": (2, 0)}, {"norm": "ortho"},
    {"norm": "forward"}, {"norm": "backward"}, {"norm": "none"}, {"norm": []}, {"workers": 2}, {"workers": -1},
    {"workers": 0}, {"workers": -1000}, {"workers": 1.5}, {"overwrite_x": True}, {"plan": 1}, {"plan": None}, {"what": 1},
]


@pytest.mark.parametrize("keywords", WRONG_OR_RARE, ids=repr)
@pytest.mark.parametrize("name", REAL_NAMES)
def test_scipy_keywords(name, keywords):
    x = image_of((4, 5, 6), "float64")
    assert_same(outcome(with_weft, name, x, **keywords), outcome(getattr(scipy_fft, name), x, **keywords))


HAS_NAN = numpy.array([[numpy.nan, 1], [2, 3]])
STRANGE = [numpy.ones((0, 4)), numpy.ones(4), numpy.float64(3), [[1, 2], [3, 4]], [], "text", None,
           numpy.ones((2, 2)).view(numpy.matrix), numpy.ma.array([[1.0, 2], [3, 4]], mask=[[0, 1], [0, 0]]),
           HAS_NAN, numpy.array([["a"]]), numpy.ones((2, 2), object)]


@pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")
@pytest.mark.parametrize("x", STRANGE, ids=lambda x: f"{type(x).__name__}-{numpy.shape(x)}")
@pytest.mark.parametrize("name", REAL_NAMES)
def test_scipy_of_strange_things(name, x):
    mine, its = outcome(with_weft, name, x), outcome(getattr(scipy_fft, name), x)
    if x is HAS_NAN:
        assert numpy.isnan(mine[0]).any() and mine[1] == its[1]
    else:
        assert_same(mine, its)


def test_scipy_calls_are_served():
    x = image_of((6, 8), "float32")
    before = weft.served()
    for name, times in zip(REAL_NAMES, itertools.count(1)):
        for _ in range(times):
            with_weft(name, x)
        assert weft.served()["scipy_fft." + name] - before.get("scipy_fft." + name, 0) == times


def test_scipy_workers_of_the_context():
    x = image_of((64, 64), "float32")
    with scipy_fft.set_workers(2):
        assert (with_weft("rfft2", x) == weft.rfft2(x)).all()


def test_scipy_takes_it_in_every_way():
    x = image_of((6, 8), "float32")
    before = weft.served().get("scipy_fft.rfft2", 0)
    with scipy_fft.skip_backend("scipy"), scipy_fft.set_backend(weft.scipy_fft):
        scipy_fft.rfft2(x)
    scipy_fft.set_global_backend(weft.scipy_backend)
    try:
        scipy_fft.rfft2(x)
        assert_same(outcome(scipy_fft.dct, x), outcome(scipy_fft.dct, x))
    finally:
        scipy_fft.set_global_backend("scipy")
    assert weft.served()["scipy_fft.rfft2"] - before == 2
    assert weft.scipy_backend is weft.scipy_fft


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", REAL_NAMES + ["ifft2", "fft", "rfft", "hfft"])
def test_numpy_of_every_dtype(name, dtype):
    for shape in [(6, 8), (5, 7), (2, 6, 5)]:
        x = image_of(shape, dtype)
        if dtype == "float16" and name.startswith("irfft"):
            assert_same(outcome(getattr(numpy_fft, name), x), outcome(getattr(numpy.fft, name), x.astype("float32")))
            continue  # NumPy rounds the factor 1/N to half precision then
        assert_same(outcome(getattr(numpy_fft, name), x), outcome(getattr(numpy.fft, name), x))


@pytest.mark.parametrize("keywords", [each for each in WRONG_OR_RARE if not {"workers", "plan", "overwrite_x"} & set(each)],
                         ids=repr)
@pytest.mark.parametrize("name", REAL_NAMES)
def test_numpy_keywords(name, keywords):
    x = image_of((4, 5, 6), "float64")
    mine, its = outcome(getattr(numpy_fft, name), x, **keywords), outcome(getattr(numpy.fft, name), x, **keywords)
    if keywords != {"what": 1}:  # whose exception names the function's own line
        assert_same(mine, its)


@pytest.mark.parametrize("name", ["rfft2", "rfftn", "fft2", "fftn", "irfftn"])
def test_numpy_out(name):
    x = image_of((6, 8), "float64")
    wanted = getattr(numpy.fft, name)(x)
    out = numpy.empty_like(wanted)
    before = weft.served().get("numpy_fft." + name, 0)
    assert getattr(numpy_fft, name)(x, out=out) is out
    assert numpy.allclose(out, wanted) and weft.served()["numpy_fft." + name] - before == 1


def test_numpys_names_are_all_there():
    assert set(numpy.fft.__all__) == set(numpy_fft.__all__) and all(hasattr(numpy_fft, name) for name in numpy_fft.__all__)


def test_the_backend_in_another_process():
    assert pickle.loads(pickle.dumps(with_weft("rfft2", numpy.ones((2, 2))))).shape == (2, 2)


@pytest.mark.parametrize("name", ["rfftn", "irfftn", "fftn"])
def test_array_api(name):
    """The standard's signatures; sizes without axes are those of the last ones, of which it has no warning."""
    from weft import xp_fft
    x = image_of((3, 6, 8), "float32")
    for keywords in [{}, {"axes": (0, 1)}, {"s": (5, 4)}, {"s": (4, 7), "axes": (2, 0), "norm": "ortho"}]:
        wanted = {**keywords, "axes": keywords.get("axes", (1, 2) if "s" in keywords else None)}
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            got = getattr(xp_fft, name)(x, **keywords)
        assert_same((got, []), outcome(getattr(numpy.fft, name), x, **wanted))
    with pytest.raises(TypeError):
        getattr(xp_fft, name)(x, (5, 4))  # all but the array is given by name
    before = weft.served().get(f"numpy_fft.{name}", 0)
    getattr(xp_fft, name)(x, axes=(0, 1))
    assert weft.served()[f"numpy_fft.{name}"] == before + 1


class AnothersArray:
    """Of a library with a namespace of its own, whose arrays NumPy would take all the same."""

    def __array_namespace__(self, *, api_version=None):
        return pytest

    def __array__(self, dtype=None, copy=None):
        return numpy.ones((4, 6))


@pytest.mark.parametrize("name", ["fft", "ifft", "fftn", "ifftn", "rfft", "irfft", "rfftn", "irfftn", "hfft", "ihfft",
                                  "fftshift", "ifftshift"])
def test_array_api_of_another_library(name):
    from weft import xp_fft
    function, image = getattr(xp_fft, name), image_of((4, 6), "float64")
    with pytest.raises(weft.Error, match=r"x is a .*\.AnothersArray: only NumPy's arrays .* numpy\.asarray\(x\)") as caught:
        function(AnothersArray())
    assert isinstance(caught.value, NotImplementedError)
    for x in (image, image.view(numpy.recarray), [[1.0, 2.0], [3.0, 4.0]]):
        assert numpy.allclose(function(x), getattr(numpy.fft, name)(x))
    with pytest.raises(TypeError):
        function(image, None)  # all but the array is given by name


def test_frequencies_of_the_array_api():
    from weft import xp_fft
    for name in ("fftfreq", "rfftfreq"):
        frequencies = getattr(xp_fft, name)
        assert frequencies(6).dtype == "float64" and frequencies(6, dtype=numpy.float32, device="cpu").dtype == "float32"
        assert (frequencies(6, d=0.5) == getattr(numpy.fft, name)(6, 0.5)).all()
        with pytest.raises(NotImplementedError, match="device is 'cuda'"):
            frequencies(6, device="cuda")
        with pytest.raises(TypeError, match="dtype is int64"):
            frequencies(6, dtype=numpy.int64)
    assert set(xp_fft.__all__) == {"fft", "ifft", "fftn", "ifftn", "rfft", "irfft", "rfftn", "irfftn", "hfft", "ihfft",
                                   "fftfreq", "rfftfreq", "fftshift", "ifftshift"}
