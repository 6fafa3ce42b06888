# SPDX-License-Identifier: MIT
"""The forward transform of one image by cpu.fast and by FFTW, as a call in this process. Used by cpu-peers, which
adds other libraries and times the calls, by cpu-counters, and by counted.py, which makes them under valgrind, where
every import takes long: only what is quickly there is imported.

A transform has call_on(source, to), which gives the call; accept(value, to), after which `to` holds the half
spectrum; and close(). What is not installed raises Absent when it is looked for.
"""
import array
import ctypes
import functools
import math
import mmap
import os
import random
import sys

EPSILON = {"f32": 2.0 ** -23, "f64": 2.0 ** -52}
TOLERANCE = {precision: 16 * epsilon for precision, epsilon in EPSILON.items()}  # relative L2


class Absent(Exception):
    """A peer that is not here; the text says what is missing and how it is installed."""


def fail(code, message):
    """Ends the command, by whose name it speaks."""
    print(f"{os.path.basename(sys.argv[0])}: {message}", file=sys.stderr)
    sys.exit(code)


# ---- memory ------------------------------------------------------------------------------------------------------


class Memory:
    """Zeros, at the start of a page. It is there for as long as it or its address is held."""

    def __init__(self, count):
        try:
            self.bytes = mmap.mmap(-1, count, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        except OSError as error:
            fail(1, f"no memory for {count} bytes: {error.strerror}; take smaller --sizes")
        for page in range(0, count, mmap.PAGESIZE):  # each is there before anything is timed
            self.bytes[page] = 0
        self.address = ctypes.c_void_p(ctypes.addressof(ctypes.c_char.from_buffer(self.bytes)))
        self.address.memory = self.bytes

    def reals(self, precision):
        return memoryview(self.bytes).cast({"f32": "f", "f64": "d"}[precision])


class Case:
    """One image: its size and type, and the noise in it."""

    def __init__(self, height, width, precision):
        self.height, self.width, self.precision = height, width, precision
        self.real = 4 if precision == "f32" else 8
        self.bins = height * (width // 2 + 1)
        self.image_bytes, self.half_bytes = height * width * self.real, self.bins * 2 * self.real
        self.text = f"{height}x{width} {precision}"

    def noise(self):
        words = array.array("i", random.Random(1).randbytes(4 * self.height * self.width))
        return array.array("f" if self.precision == "f32" else "d", (word * 2.0 ** -31 for word in words)).tobytes()

    def image(self, values):
        memory = Memory(self.image_bytes)
        memory.bytes[:] = values
        return memory

    def spectrum(self):
        return Memory(self.half_bytes)


def relative_l2(precision, found, wanted):
    """Of two spectra in memory."""
    found, wanted = found.reals(precision), wanted.reals(precision)
    parts = [slice(start, start + 4096) for start in range(0, len(wanted), 4096)]
    difference = math.hypot(*(math.dist(found[part], wanted[part]) for part in parts))
    return difference / math.hypot(*(math.hypot(*wanted[part]) for part in parts))


# ---- Weft --------------------------------------------------------------------------------------------------------


class Desc(ctypes.Structure):
    """weft_desc of include/weft.h."""
    _fields_ = [("height", ctypes.c_size_t), ("width", ctypes.c_size_t), ("batch", ctypes.c_size_t),
                ("precision", ctypes.c_int), ("pixel", ctypes.c_int), ("layout", ctypes.c_int),
                ("norm", ctypes.c_int), ("image_pitch", ctypes.c_size_t), ("spectrum_pitch", ctypes.c_size_t),
                ("image_stride", ctypes.c_size_t), ("spectrum_stride", ctypes.c_size_t),
                ("strategy", ctypes.c_char_p), ("threads", ctypes.c_int), ("device", ctypes.c_int),
                ("reserved", ctypes.c_size_t * 8)]


def open_weft(path):
    try:
        weft = ctypes.CDLL(os.path.abspath(path))
        for name in "weft_last_error", "weft_version":
            getattr(weft, name).restype = ctypes.c_char_p
        weft.weft_plan_workspace.restype = ctypes.c_size_t
    except (OSError, AttributeError) as error:
        fail(2, f'library "{path}": not a libweft.so that can be loaded: {error}')
    return weft


class Fast:
    """cpu.fast to a packed spectrum, as weft bench times it, or to a half one, which is what peers write."""
    waits_awake = True

    def __init__(self, weft, case, threads, layout):
        self.name, self.layout = "cpu.fast" if layout == "packed" else "cpu.fast half", layout
        self.weft, self.case = weft, case
        desc = Desc(height=case.height, width=case.width, precision=int(case.precision == "f64"),
                    layout=int(layout == "half"), strategy=b"cpu.fast", threads=threads)
        self.plan = ctypes.c_void_p()
        if weft.weft_plan_create(ctypes.byref(self.plan), ctypes.byref(desc)) != 0:
            fail(2, f"size {case.height}x{case.width}: {weft.weft_last_error().decode()}")
        self.work = Memory(max(1, weft.weft_plan_workspace(self.plan)))

    def call_on(self, source, to):
        return functools.partial(self.weft.weft_forward, self.plan, source.address, to.address, self.work.address,
                                 None)

    def accept(self, status, to):
        """After a call: `to` holds the half spectrum."""
        if status == 0 and self.layout == "packed":
            packed = Memory(self.case.half_bytes)
            packed.bytes[:] = to.bytes
            height, width = ctypes.c_size_t(self.case.height), ctypes.c_size_t(self.case.width)
            status = self.weft.weft_packed_to_half(height, width, int(self.case.precision == "f64"), packed.address,
                                                   to.address)
        if status != 0:
            fail(1, f"{self.case.text} {self.name}: {self.weft.weft_last_error().decode()}")

    def close(self):
        self.weft.weft_plan_destroy(self.plan)


# ---- FFTW --------------------------------------------------------------------------------------------------------


def load(*names):
    """The first of these libraries that is here, or None. Each calls its own functions: oneMKL has FFTW's names, too,
    and makes them known to all."""
    for name in names:
        try:
            return ctypes.CDLL(name, getattr(os, "RTLD_DEEPBIND", 0))
        except OSError:
            pass
    return None


class Fftw:
    """plan_dft_r2c_2d on buffers of its own, since planning scribbles over them."""
    name, layout, effort = "fftw", "half", 0  # FFTW_MEASURE
    waits_awake = True
    WISDOM_ONLY = 1 << 21

    @classmethod
    def find(cls, precision, threads):
        name = "libfftw3f" if precision == "f32" else "libfftw3"
        found = load(f"{name}.so.3")
        parallel = load(f"{name}_omp.so.3", f"{name}_threads.so.3") if threads > 1 else found
        if not found or not parallel:
            missing = f"{name}_omp.so.3" if found else f"{name}.so.3"
            raise Absent(f"no {missing}; apt-get install libfftw3-dev")
        prefix = "fftwf_" if precision == "f32" else "fftw_"
        cls.version = (ctypes.c_char * 200).in_dll(found, prefix + "version").value.decode()
        return found, parallel, prefix

    def __init__(self, found, case, threads, wisdom=None):
        """With a file of wisdom: the plan that was made when leave_wisdom wrote it, and no other."""
        self.library, parallel, self.prefix = found
        self.function("plan_dft_r2c_2d").restype = ctypes.c_void_p
        if threads > 1:
            getattr(parallel, self.prefix + "init_threads")()
            getattr(parallel, self.prefix + "plan_with_nthreads")(threads)
        self.function("forget_wisdom")()
        source, to, effort = Memory(case.image_bytes), case.spectrum(), self.effort
        if wisdom:
            self.function("import_wisdom_from_filename")(os.fsencode(wisdom))
            effort |= self.WISDOM_ONLY
        self.plan = ctypes.c_void_p(self.function("plan_dft_r2c_2d")(case.height, case.width, source.address,
                                                                     to.address, effort))
        if not self.plan and wisdom:
            raise Absent("it cannot take its measured plan here; other instructions than where that was made?")
        if not self.plan:
            fail(1, f"{case.text} {self.name}: no plan")

    def leave_wisdom(self, path):
        if not self.function("export_wisdom_to_filename")(os.fsencode(path)):
            fail(1, f'wisdom "{path}": cannot be written')

    def function(self, name):
        return getattr(self.library, self.prefix + name)

    def call_on(self, source, to):
        return functools.partial(self.function("execute_dft_r2c"), self.plan, source.address, to.address)

    def accept(self, value, to):
        """The spectrum is there already."""

    def close(self):
        self.function("destroy_plan")(self.plan)


# ---- what they compute -------------------------------------------------------------------------------------------


def cases_of(weft, sizes, precisions, threads):
    """What cpu.fast refuses is said before anything is measured."""
    cases = [Case(*pair, precision) for precision in precisions for pair in sizes]
    for case in cases:
        Fast(weft, case, threads, "packed").close()
    return cases


def check(contender, case, source, values, wanted):
    """(its half spectrum, how far it is from the one wanted)"""
    to = case.spectrum()
    contender.accept(contender.call_on(source, to)(), to)
    if source.bytes[:] != values:
        fail(1, f"{case.text} {contender.name}: it changed the image")
    error = relative_l2(case.precision, to, wanted or to)
    if not error <= TOLERANCE[case.precision]:
        fail(1, f"{case.text} {contender.name}: relative L2 to cpu.fast {error:.2g}, not below "
                f"{TOLERANCE[case.precision]:.2g}: it computes something else")
    return to, error
