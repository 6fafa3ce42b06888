# SPDX-License-Identifier: MIT
"""One allocation fails: in every call below the first that there is, then the second and so on, be it Python's, NumPy's, the
extension's or libweft's. Each time there is a MemoryError or what there is otherwise, nothing is lost, and the next call
works. With WEFT_TEST_LONG=1 an import is tried with all of its allocations as well, otherwise with some.

This file is also the program that does it, with failing.c loaded before the C library.
"""
import collections
import compileall
import ctypes
import importlib.util
import os
import shutil
import subprocess
import sys
import traceback
import typing

import numpy
import pytest

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "failing.c")
LONG = os.environ.get("WEFT_TEST_LONG") == "1"
FAILED, NOT_REACHED = 3, 4  # statuses that no library ends a process with


# ---- the program -----------------------------------------------------------------------------------------------------


def image(*shape):
    return numpy.random.default_rng(5).uniform(0, 200, shape).astype("float32")


def calls():
    """What is called, by name, each with the arrays that it must not keep."""
    import weft
    from weft import _plans, _weft, numpy_fft, scipy_fft
    x, batch, prime, kernel = image(12, 10), image(3, 8, 6), image(61, 67), image(3, 3)
    half, packed, gain = weft.rfft2(x), weft.rfft2(x, layout="packed"), image(12, 6)
    plan, out = weft.Plan(x.shape), numpy.empty_like(half)

    def in_place():
        to = x.copy()
        return weft.rfft2(to, layout="packed", out=to)

    def with_another_cache(call):
        """As if it were the first call."""
        weft.cache_clear()
        return call()

    def plans():
        return [weft.Plan(shape, dtype, layout=layout, strategy=strategy).describe()
                for shape, dtype, layout, strategy in [((12, 10), "float32", "half", None), ((61, 67), "uint8", "packed", None),
                                                       ((2, 128, 30), "float64", "half", None),
                                                       ((15, 14), "float64", "packed", "cpu.reference")]]

    def full_cache():
        _plans.MOST_PLANS = 3
        for width in range(1, 6):
            weft.rfft2(x[:2], s=(2, width))
        return weft.rfft2(x)

    return {
        "plans": (plans, ()),
        "rfft2": (lambda: weft.rfft2(x), (x,)),
        "rfft2 for the first time": (lambda: with_another_cache(lambda: weft.rfft2(x)), (x,)),
        "rfft2 of a prime number of rows": (lambda: with_another_cache(lambda: weft.rfft2(prime)), (prime,)),
        "rfft2 of what has to be copied": (lambda: weft.rfft2(x[:, ::-1].astype(">f4"), axes=(0, 1), s=(9, 11)), (x,)),
        "rfft2 of a batch": (lambda: weft.rfft2(batch, dtype="complex128", norm="ortho"), (batch,)),
        "rfft2 in place": (in_place, (x,)),
        "rfft2 with out": (lambda: weft.rfft2(x, out=out).copy(), (x, out)),
        "irfft2": (lambda: weft.irfft2(half, dtype="uint8"), (half,)),
        "fft2": (lambda: weft.fft2(batch), (batch,)),
        "fft_filter": (lambda: with_another_cache(lambda: weft.fft_filter(x, gain)), (x, gain)),
        "fft_filter by a spectrum": (lambda: weft.fft_filter(x, spectrum=half), (x, half)),
        "Plan.forward": (lambda: plan.forward(x), (x, plan, plan._library)),
        "Plan.filter": (lambda: plan.filter(x, gain), (x, gain, plan, plan._library)),
        # Python 3.11 loses the arguments of a function where it has no memory for a variable that a generator uses.
        "fftconvolve": (lambda: weft.fftconvolve(x, kernel, boundary="symmetric"), ()),
        "layouts": (lambda: [weft.unpack(packed), weft.pack(half, 10), weft.to_full(half, 10)], (packed, half)),
        "sizes and what there is": (
            lambda: [weft.good_size((61, 67)), weft.next_fast_len(61), _weft.strategies()], ()),
        "more plans than are kept": (full_cache, (x,)),
        "workers": (lambda: weft.rfft2(x, workers=2), (x,)),
        "numpy_fft": (lambda: numpy_fft.rfftn(x), (x,)),
        "scipy_fft": (lambda: scipy_fft._ANSWERS["rfft2"](x, norm="ortho"), (x,)),
    }


def folder_of_package():
    """Without importing it."""
    return os.path.dirname(importlib.util.find_spec("weft").origin)


def same(one, other):
    if isinstance(one, numpy.ndarray):
        return one.dtype == other.dtype and one.shape == other.shape and numpy.allclose(one, other, atol=1e-2)
    return len(one) == len(other) and all(map(same, one, other)) if isinstance(one, list) else one == other


class Failing:
    """failing.c, which is loaded already."""

    def __init__(self):
        library = ctypes.CDLL(None)
        self.fail, self.blocks = library.fail_allocation, library.blocks_of_extension
        self.fail.argtypes = [ctypes.c_uint64, ctypes.c_int]
        self.fail(0, 0)

    def outcome(self, call, number, of_extension_alone):
        """(result, exception, whether there were so many allocations)"""
        result = error = None
        try:
            self.fail(number, of_extension_alone)
            result = call()
        except Exception as raised:  # whatever it is: its type is what is looked at
            error = MemoryError() if is_numpys(raised) else raised.with_traceback(None)
        try:
            return result, error, self.fail(0, 0)
        except Exception:  # this itself was the one
            self.fail(0, 0)
            return result, error, True


def is_numpys(error):
    """NumPy forgets an exception in a few places, or that there was one. Python names a method of which it notices that."""
    return isinstance(error, SystemError) and "weft" not in str(error)


def try_all(failing, name):
    """(how often the extension's lack of memory was an exception, how often anybody's was)"""
    import weft
    from weft import _plans
    call, kept = calls()[name]
    failing.fail(0, 0)
    wanted, raised = call(), [0, 0]

    def state():
        weft.cache_clear()
        return [failing.blocks(), *map(sys.getrefcount, kept)]

    before = state()
    for of_anybody in (0, 1):
        has_failed, number = True, 0
        while has_failed:
            number += 1
            call()
            result, error, has_failed = failing.outcome(call, number, not of_anybody)
            where = f"{name}, allocation {number}{'' if of_anybody else ' of the extension'}"
            if error is None:
                assert same(result, wanted), f"{where}: a wrong result"
            else:
                raised[of_anybody] += 1
                assert isinstance(error, MemoryError), f"{where}: {error!r}"
                assert of_anybody or isinstance(error, weft.Error), f"{where}: {error!r} is no weft.Error"
            result = error = None
            assert len(_plans._cache) <= _plans.MOST_PLANS + 1
            assert same(call(), wanted), f"{where}: the next call is wrong"
            assert state() == before, f"{where}: {state()} blocks and references, where there were {before}"
    return raised


def is_pythons(error):
    """What Python says for lack of memory while it imports."""
    # A file cannot be loaded, or it "can't allocate" a lock.
    return isinstance(error, (MemoryError, ImportError)) or "allocate" in str(error)


def import_in_child(failing, number, name):
    """Whether there are so many allocations in an import. A process of its own tries it, which must be able to do it again."""
    child = os.fork()
    if child == 0:
        status = 2
        try:
            _, error, has_failed = failing.outcome(lambda: importlib.import_module(name), number, False)
            import weft
            assert error is None or is_pythons(error), f"import of {name}, allocation {number}: {error!r}"
            assert weft.rfft2(image(4, 4)).shape == (4, 3)
            status = FAILED if has_failed else NOT_REACHED
        except BaseException:
            traceback.print_exc()
        os._exit(status)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert status in (FAILED, NOT_REACHED), f"import of {name}, allocation {number}: the process ends with {status}"
    return status == FAILED


def try_imports(failing):
    """First the package, of whose allocations a part is enough, since most are alike; then the extension alone."""
    types = collections.namedtuple("Types", "pixel real")
    typing._make_nmtuple = lambda *_, **__: types  # where Python 3.11 crashes for lack of memory
    # glibc takes for loaded what it had no memory to load, and libgomp ends the process: so they are loaded before.
    ctypes.CDLL(os.path.join(folder_of_package(), "_weft.abi3.so"))
    number = 1
    while import_in_child(failing, number, "weft"):
        number += 1 if LONG else 1 + number // 12
    import weft
    del sys.modules["weft._weft"], weft._weft
    number = 1
    while import_in_child(failing, number, "weft._weft"):
        number += 1


def main():
    failing = Failing()
    try_imports(failing)
    for name in calls():
        of_extension, of_anybody = try_all(failing, name)
        assert of_anybody > 0 and (of_extension > 10 or name != "plans"), f"{name}: nothing has failed"
        print(f"{name}: {of_extension} exceptions for lack of memory of the extension, {of_anybody} of anybody")


# ---- the test --------------------------------------------------------------------------------------------------------


def test_one_allocation_fails(tmp_path):
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("there is no C compiler")
    if "LD_PRELOAD" in os.environ:
        pytest.skip("another library is loaded before the C library")
    subprocess.run([compiler, "-std=c17", "-O1", "-shared", "-fPIC", SOURCE, "-o", tmp_path / "failing.so"], check=True)
    # So that nothing of it has to be compiled.
    compileall.compile_dir(folder_of_package(), quiet=1)
    done = subprocess.run([sys.executable, "-B", __file__], capture_output=True, text=True, check=False,
                          env={**os.environ, "LD_PRELOAD": str(tmp_path / "failing.so"), "PYTHONMALLOC": "malloc",
                               "PYTHONFAULTHANDLER": "1"})
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]


if __name__ == "__main__":
    main()
