# SPDX-License-Identifier: MIT
"""Plans and their cache; threads that share one; processes that fork; nothing that grows."""
import concurrent.futures
import ctypes
import gc
import multiprocessing
import pickle
import subprocess
import sys
import threading

import numpy
import pytest
import weft
from weft import _plans


def image(*shape):
    return numpy.random.default_rng(3).normal(size=shape).astype("float32")


def test_a_plan_is_a_value():
    plan = weft.Plan((2, 9, 7), "uint16", layout="packed", norm="ortho", workers=2, spectrum_dtype="float64")
    same = weft.Plan((2, 9, 7), "uint16", layout="packed", norm="ortho", workers=2, spectrum_dtype="float64")
    assert plan == same and hash(plan) == hash(same) and plan != weft.Plan((2, 9, 7), "uint16")
    again = pickle.loads(pickle.dumps(plan))
    assert again == plan and again.spectrum_dtype == "float64" and again.workers == 2
    assert plan.strategy.startswith("cpu.") and "9x7 f64, u16 pixels, packed" in plan.describe()
    with pytest.raises(AttributeError, match="a plan is immutable: norm cannot be set"):
        plan.norm = "forward"


def test_a_plan_does_what_the_functions_do():
    x = image(2, 10, 9)
    plan = weft.Plan(x.shape, x.dtype)
    work = numpy.empty(plan.workspace + 16, "u1")
    work = work[-work.ctypes.data % 16:][:plan.workspace]
    spectrum = plan.forward(x, work=work)
    assert (spectrum == weft.rfft2(x)).all()
    out = numpy.empty_like(x)
    assert plan.inverse(spectrum, out, work=work) is out and (out == weft.irfft2(spectrum, (10, 9))).all()
    gain = numpy.ones((10, 5), "float32")
    assert (plan.filter(x, gain, work=work) == weft.fft_filter(x, gain)).all()


def test_the_cache_is_bounded():
    weft.cache_clear()
    often = image(4, 4)
    for width in range(1, 200):
        weft.rfft2(image(3, width))
        weft.rfft2(often)
        plans, held = _plans.cache_size()
        assert plans <= _plans.MOST_PLANS and held <= _plans.MOST_BYTES
        assert held == sum(_plans.estimated_bytes(entry.plan) for entry in _plans._cache.values())
    assert ((4, 4), "float32") in {(entry.plan.shape, str(entry.plan.dtype)) for entry in _plans._cache.values()}
    assert len(_plans.shortcuts) <= 3 * _plans.MOST_PLANS


def test_no_plan_of_another_call_is_taken():
    """One shape again and again, with one thing changed each time."""
    x = image(6, 8)
    for dtype, norm in [("float32", None), ("int32", None), ("float64", None), ("float32", "ortho"), ("uint8", None),
                        ("float32", "forward"), ("float32", None)] * 2:
        y = x.astype(dtype)
        for layout in ("half", "packed", "half"):
            spectrum = weft.rfft2(y, norm=norm, layout=layout)
            half = spectrum if layout == "half" else weft.unpack(spectrum)
            assert numpy.allclose(half, numpy.fft.rfft2(y, norm=norm), atol=1e-4)
            back = weft.irfft2(spectrum, norm=norm, layout=layout)
            assert numpy.allclose(back, y, atol=1e-4)


def test_workers():
    x = image(128, 96)
    wanted = weft.rfft2(x)
    assert (weft.rfft2(x, workers=2) == wanted).all() and (weft.rfft2(x, workers=-1) == wanted).all()
    with weft.set_workers(2):
        assert weft.get_workers() == 2 and (weft.rfft2(x) == wanted).all()
        seen = []
        thread = threading.Thread(target=lambda: seen.append(weft.get_workers()))
        thread.start()
        thread.join()
        assert seen == [1]
    assert weft.get_workers() == 1


def test_eight_threads_share_a_plan():
    x = image(64, 60)
    plan = weft.Plan(x.shape, workers=2)
    wanted, before = plan.forward(x), weft.served()

    def work(_):
        weft.cache_clear()
        return all((plan.forward(x) == wanted).all() and (weft.rfft2(x) == wanted).all() for _ in range(100))

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(8)))
    after = weft.served()
    assert after["Plan.forward"] - before["Plan.forward"] == 800
    assert after["rfft2"] - before.get("rfft2", 0) == 800


def transform_in_child(workers):
    return weft.rfft2(image(256, 256), workers=workers).tobytes(), weft.info()["forked since import"]


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
@pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning")
def test_children(method):
    """Also after the parent has worked on two threads, which a fork does not copy."""
    wanted = weft.rfft2(image(256, 256), workers=2).tobytes()
    context = multiprocessing.get_context(method)
    with context.Pool(2) as pool:
        for got, is_forked in pool.map_async(transform_in_child, [2, 1, 2, 1]).get(timeout=60):
            assert got == wanted and is_forked == (method == "fork")
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as pool:
        assert pool.submit(transform_in_child, 2).result(timeout=60)[0] == wanted


def test_nothing_grows():
    x, gain, half = image(8, 6), numpy.ones((8, 4), "float32"), weft.rfft2(image(8, 6))
    plan = weft.Plan(x.shape)

    def calls():
        weft.rfft2(x)
        weft.irfft2(half)
        weft.fft_filter(x, gain)
        plan.forward(x)
        weft.unpack(weft.rfft2(x, layout="packed"))
        for wrong in (lambda: plan.forward(half), lambda: plan._library.forward(x, x, None),
                      lambda: weft.rfft2(x, strategy="none")):
            try:
                wrong()
            except weft.Error:
                pass

    def memory():
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * 4096

    for _ in range(500):
        calls()
    gc.collect()
    counted = [sys.getrefcount(each) for each in (x, gain, half, plan, plan._library, type(plan._library), None)]
    before = memory()
    for _ in range(10_000):
        calls()
    gc.collect()
    after = [sys.getrefcount(each) for each in (x, gain, half, plan, plan._library, type(plan._library), None)]
    assert all(abs(b - a) < 50 for a, b in zip(counted, after))
    assert memory() - before < 1 << 20


def test_plans_go():
    before = sys.getrefcount(weft._plans._weft.Plan)
    for width in range(1, 50):
        weft.Plan((8, width))
    assert abs(sys.getrefcount(weft._plans._weft.Plan) - before) < 5


class Mallinfo2(ctypes.Structure):
    """glibc's, of which the bytes in use are needed."""
    _fields_ = [(name, ctypes.c_size_t) for name in
                ("arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost")]


def test_plans_hold_no_more_than_estimated():
    try:
        mallinfo2 = ctypes.CDLL(None).mallinfo2
    except AttributeError:
        pytest.skip("this C library does not tell what is allocated")
    mallinfo2.restype = Mallinfo2

    def used():
        found = mallinfo2()
        return found.uordblks + found.hblkhd

    for shape in [(1, 1), (5, 5), (64, 64), (2048, 2048), (1021, 1031), (65537, 2), (2, 65537), (127, 8191)]:
        for dtype in ("float32", "float64"):
            weft.Plan(shape, dtype)
            before = used()
            plan = weft.Plan(shape, dtype)
            assert used() - before <= _plans.estimated_bytes(plan)


ANOTHERS_THREADS = """
import ctypes, os, sys, numpy, weft
body = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda _: None)
try:
    ctypes.CDLL("libgomp.so.1").GOMP_parallel(body, None, 2, 0)
except OSError:
    sys.exit(77)
x = numpy.ones((256, 256), "float32")
child = os.fork()
if child == 0:
    os._exit(int(weft.rfft2(x, workers=2)[0, 0] != 65536))
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


def test_a_child_of_another_librarys_threads():
    """Weft itself had no thread before the fork."""
    status = subprocess.run([sys.executable, "-W", "ignore", "-c", ANOTHERS_THREADS], timeout=30, check=False).returncode
    if status == 77:
        pytest.skip("there is no libgomp beside Weft's own")
    assert status == 0


IN_ANOTHER_INTERPRETER = """
import sys
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters
interpreters.run_string(interpreters.create(), f'''
import sys
sys.path.insert(0, {sys.argv[1]!r})
from array import array
from weft import _weft
plan, spectrum = _weft.Plan(2, 3, 1, 0, 0, 0, 0, 1, "cpu"), array("f", bytes(24))
plan.forward(array("f", [1, 2, 3, 4, 5, 6]), spectrum, None)
with open({sys.argv[1]!r} + "/said", "w") as file:
    file.write(str(spectrum[0]))
''')
"""


def test_the_extension_in_another_interpreter(tmp_path):
    """Alone, since NumPy refuses to be there. From 3.12 on interpreters are created with a lock of their own, which an
    extension has to say that it bears."""
    package = tmp_path / "weft"
    package.mkdir()
    (package / "__init__.py").touch()
    for name in ("_errors.py", "_weft.abi3.so"):
        (package / name).symlink_to(f"{weft.__path__[0]}/{name}")
    subprocess.run([sys.executable, "-W", "ignore", "-c", IN_ANOTHER_INTERPRETER, tmp_path], timeout=60, check=True)
    assert (tmp_path / "said").read_text() == "21.0"
