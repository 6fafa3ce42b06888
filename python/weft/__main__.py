# SPDX-License-Identifier: MIT
"""python -m weft info|bench|test: what Weft is here; how fast beside NumPy, SciPy and ducc0; whether it is right."""
import argparse
import contextlib
import datetime
import doctest
import functools
import importlib
import json
import math
import os
import pkgutil
import platform
import random
import re
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, Optional

import numpy

import weft

from . import _weft


def info() -> int:
    for name, value in weft.info().items():
        if name == "strategies":
            for strategy, words in value.items():
                print(f"{strategy}: {words['about']}{'; ' if words['here'] else ''}{words['here']}")
        else:
            print(f"{name}: {value}")
    return 0


# ---- bench: a document of schema weft-python-bench/1, see data/README.md -----------------------------------------------

SIZES = [*((side, side) for side in (16, 32, 64, 128, 256, 512, 1024, 2048, 4096)),
         (451, 300), (1080, 1920), (2000, 3000), (1021, 1031)]
KERNEL = 65, 65  # that an image of 1024x1024 is convolved with
QUICK_SIZES, QUICK_KERNEL = [(16, 16), (30, 45)], (5, 5)  # of which the last is convolved
FACE = "weft.scipy_backend"
# By operation and peer. Where Weft is SciPy's backend the functions are SciPy's own.
FUNCTIONS = {
    "forward": {"weft": "weft.rfft2", FACE: "scipy.fft.rfft2", "scipy": "scipy.fft.rfft2", "ducc0": "ducc0.fft.r2c",
                "numpy": "numpy.fft.rfft2"},
    "inverse": {"weft": "weft.irfft2", FACE: "scipy.fft.irfft2", "scipy": "scipy.fft.irfft2", "ducc0": "ducc0.fft.c2r",
                "numpy": "numpy.fft.irfft2"},
    "convolve": {"weft": "weft.fftconvolve", FACE: "scipy.signal.fftconvolve", "scipy": "scipy.signal.fftconvolve"}}
# The library itself: the time of an image is that of a call of this many, over their number, so that of what arguments take
# in Python hardly anything is left. `weft bench --size 16x16 --layout half` times a call of one in C: as long, within a tenth.
LIBRARY, IMAGES, LIBRARY_SIZE = "cpu.fast", 8, (16, 16)
TOLERANCE = 2.0**-19


class Task(NamedTuple):
    operation: str
    height: int
    width: int
    arguments: tuple[Any, ...]
    wanted: Any  # in double precision

    def __str__(self) -> str:
        kernel = f" with {'x'.join(map(str, self.arguments[1].shape))}" if self.operation == "convolve" else ""
        return f"{self.height}x{self.width}{kernel} {self.operation}"


class Contender(NamedTuple):
    peer: str
    function: str
    batch: int
    call: Callable[..., Any]
    arguments: tuple[Any, ...]


def _tasks(sizes: Sequence[tuple[int, int]], kernel_shape: tuple[int, int], convolved: tuple[int, int]) -> Iterator[Task]:
    numbers = numpy.random.default_rng(0)
    for height, width in sizes:
        image = numbers.standard_normal((height, width), "float32")
        spectrum = numpy.fft.rfft2(image.astype(float))
        yield Task("forward", height, width, (image,), spectrum)
        yield Task("inverse", height, width, (spectrum.astype("complex64"),), image)
    image, kernel = (numbers.standard_normal(shape, "float32") for shape in (convolved, kernel_shape))
    whole = [side + of_kernel - 1 for side, of_kernel in zip(convolved, kernel_shape)]
    spectra = (numpy.fft.rfft2(a.astype(float), whole) for a in (image, kernel))
    yield Task("convolve", *convolved, (image, kernel), numpy.fft.irfft2(math.prod(spectra), whole))


def _absent() -> dict[str, str]:
    """Why a peer is left out."""
    found = {}
    for peer, function in FUNCTIONS["forward"].items():
        try:
            pkgutil.resolve_name(function)
        except ImportError as error:
            found[peer] = str(error)
    return found


def _contenders(task: Task, absent: dict[str, str]) -> list[Contender]:
    found = []
    for peer, function in FUNCTIONS[task.operation].items():
        if peer in absent:
            continue
        more: dict[str, Any] = {}
        if peer == "ducc0":
            more = {"axes": (0, 1)}
            if task.operation == "inverse":
                more |= {"lastsize": task.width, "forward": False, "inorm": 2}
        elif task.operation == "inverse" and task.width % 2:
            more = {"s": (task.height, task.width)}
        call = pkgutil.resolve_name(function)
        found.append(Contender(peer, function, 1, functools.partial(call, **more) if more else call, task.arguments))
    if task.operation == "forward" and (task.height, task.width) == LIBRARY_SIZE:
        images = numpy.stack([task.arguments[0]] * IMAGES)
        plan = weft.Plan(images.shape, images.dtype)
        to = numpy.empty(plan.spectrum_shape, plan.spectrum_dtype)
        found.append(Contender(LIBRARY, "weft._weft.Plan.forward", IMAGES, plan._library.forward, (images, to, None)))
    return found


def _backend(peer: str) -> Any:
    return pkgutil.resolve_name("scipy.fft.set_backend")(weft.scipy_backend) if peer == FACE else contextlib.nullcontext()


def _error(one: Contender, task: Task) -> float:
    """Relative, in the L2 norm. The library returns nothing, but has written into its second argument."""
    with _backend(one.peer):
        found = one.call(*one.arguments)
    found = one.arguments[1][-1] if found is None else found
    error = float(numpy.linalg.norm(found - task.wanted) / numpy.linalg.norm(task.wanted))
    if not error <= TOLERANCE:
        raise SystemExit(f"python -m weft bench: {task} by {one.function} of {one.peer}: relative L2 error {error:.2g}, "
                         f"more than {TOLERANCE:.2g}; nothing was written")
    return error


def _microseconds(one: Contender, many: int) -> float:
    """After a call that is not timed, so that the result lies where this function's last one lay: whatever another one left
    of the heap, whose new pages take longer than a transform."""
    call, arguments = one.call, one.arguments
    with _backend(one.peer):
        call(*arguments)
        begin = time.perf_counter()
        for _ in range(many):
            call(*arguments)
        return 1e6 * (time.perf_counter() - begin) / many


def _samples(contenders: Sequence[Contender], seconds: float, least: int, most: int) -> list[list[float]]:
    """Of a call in microseconds; the contenders take turns, each time in another order, and a sample is as many calls as take
    a millisecond."""
    calls = [math.ceil(1e3 / _microseconds(one, 1)) for one in contenders]
    samples: list[list[float]] = [[] for _ in contenders]
    turns, order = list(zip(contenders, calls, samples)), random.Random(0)
    end = time.perf_counter() + seconds
    while len(samples[0]) < least or (len(samples[0]) < most and time.perf_counter() < end):
        order.shuffle(turns)
        for one, many, its in turns:
            its.append(round(_microseconds(one, many), 4))
    return samples


def _measure(task: Task, absent: dict[str, str], seconds: float, least: int, most: int) -> list[dict[str, Any]]:
    contenders = _contenders(task, absent)
    errors = [_error(one, task) for one in contenders]
    of_kernel = dict(zip(("kernel_height", "kernel_width"), task.arguments[1].shape)) if task.operation == "convolve" else {}
    return [{"peer": one.peer, "function": one.function, "threads": 1, "height": task.height, "width": task.width, **of_kernel,
             "batch": one.batch, "precision": "f32", "operation": task.operation, "cache": "hot", "rel_l2": error,
             "samples_us": its}
            for one, error, its in zip(contenders, errors, _samples(contenders, seconds, least, most))]


def _machine() -> dict[str, Any]:
    """As `weft bench` has it. A package does not know its commit: WEFT_COMMIT tells it."""
    def found(pattern: str, path: str) -> Optional[str]:
        with contextlib.suppress(OSError), open(path, encoding="latin-1") as file:
            match = re.search(pattern, file.read())
            return match and match[1]
        return None

    gcc, clang = (found(pattern, _weft.__file__) for pattern in (r"GCC: \([^)]*\) ([\d.]+)", r"clang version ([\d.]+)"))
    return {"cpu": found(r"(?m)^model name\s*: (.*)$", "/proc/cpuinfo") or "unknown", "cores": len(os.sched_getaffinity(0)),
            "gpu": None, "driver": None, "cuda": None, "compiler": f"gcc {gcc}" if gcc else clang and f"clang {clang}",
            "commit": os.environ.get("WEFT_COMMIT") or "unknown",
            "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")}


def _write(path: str, document: dict[str, Any]) -> None:
    """Whole, or not at all; to what is no regular file, a pipe or a device, as it is."""
    is_whole = not os.path.exists(path) or os.path.isfile(path)
    part = f"{os.path.realpath(path)}.{os.getpid()}.part" if is_whole else path
    try:
        with open(part, "x" if is_whole else "w", encoding="utf-8") as file:
            json.dump(document, file, indent=1)
            file.write("\n")
        if is_whole:
            os.replace(part, os.path.realpath(path))
    except OSError as error:
        raise SystemExit(f"python -m weft bench: json {path!r}: {error.strerror}; nothing was written") from error
    finally:
        if is_whole:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(part)


def _row(results: Sequence[dict[str, Any]], peers: Sequence[str]) -> str:
    """Medians, and Weft's time as a part of each other's."""
    medians = {one["peer"]: statistics.median(one["samples_us"]) / one["batch"] for one in results}
    return "".join(f"{medians[peer]:12.1f} ({medians['weft'] / medians[peer]:.2f})" if peer in medians else f"{'-':>19}"
                   for peer in peers)


def bench(json_path: Optional[str] = None, quick: bool = False) -> int:
    """Single precision on one thread, the functions in turn."""
    seconds, least, most = (0.02, 3, 9) if quick else (3, 9, 99)  # for a row, and how many samples
    sizes, kernel, convolved = (QUICK_SIZES, QUICK_KERNEL, QUICK_SIZES[-1]) if quick else (SIZES, KERNEL, (1024, 1024))
    absent = _absent()
    modules = {"numpy": numpy, **{name: importlib.import_module(name) for name in ("scipy", "ducc0") if name not in absent}}
    document: dict[str, Any] = {
        "schema": "weft-python-bench/1", "machine": _machine(),
        "versions": {"weft": _weft.version(), "python": platform.python_version(),
                     **{name: module.__version__ for name, module in modules.items()}},
        "tolerance": {"f32": TOLERANCE}, "skipped": [{"peer": peer, "why": why} for peer, why in absent.items()], "results": []}
    is_shown = sys.stderr.isatty()
    print("microseconds of a call, float32, one thread, medians; in brackets weft's time over it, below 1 where weft is faster;\n"
          f"{FACE} is SciPy's function with Weft behind it, {LIBRARY} the library without Python, for the smallest image"
          + ("" if quick else "; one to three minutes"))
    for one in document["skipped"]:
        print(f"SKIP {one['peer']}: {one['why']}")
    peers = [peer for peer in FUNCTIONS["forward"] if peer not in absent]
    print(f"{'':30}" + "".join(f"{peer:>19}" for peer in [*peers, LIBRARY]))
    with weft.set_workers(1):
        for done, task in enumerate(_tasks(sizes, kernel, convolved)):
            if is_shown:
                print(f"\rbench: {done + 1}/{2 * len(sizes) + 1}, {task}\033[K", end="", file=sys.stderr, flush=True)
            results = _measure(task, absent, seconds, least, most)
            document["results"] += results
            if is_shown:
                print("\r\033[K", end="", file=sys.stderr, flush=True)
            print(f"{task!s:30}" + _row(results, [*peers, *([LIBRARY] if results[-1]["peer"] == LIBRARY else [])]), flush=True)
    if json_path:
        _write(json_path, document)
    return 0


# ---- test --------------------------------------------------------------------------------------------------------------


def test() -> int:
    """The examples of all modules; and sizes of every kind against NumPy in double precision."""
    failed = tried = 0
    for module in pkgutil.iter_modules(weft.__path__):
        if module.name in ("_weft", "__main__"):
            continue
        try:
            examples = doctest.testmod(importlib.import_module("weft." + module.name))
        except ImportError as error:
            print(f"SKIP weft.{module.name}: {error}")
            continue
        failed, tried = failed + examples.failed, tried + examples.attempted
    for height, width in [(1, 1), (2, 3), (16, 16), (15, 28), (64, 131), (256, 512)]:
        x = numpy.random.default_rng(0).normal(size=(2, height, width)).astype("float32")
        wanted = numpy.fft.rfft2(x.astype(float))
        tried += 1
        if abs(weft.rfft2(x) - wanted).max() > 1e-5 * abs(wanted).max():
            print(f"FAIL {height}x{width}: rfft2 is not NumPy's")
            failed += 1
    print(f"{tried - failed} passed, {failed} failed")
    return failed != 0


def main(words: Optional[Sequence[str]] = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m weft", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True, metavar="info|bench|test")
    commands.add_parser("info", help="what Weft is here")
    timed = commands.add_parser("bench", help="how fast it is here, beside NumPy, SciPy and ducc0 where they are", description=(
        "Times rfft2, irfft2 and fftconvolve of single precision on one thread, as functions of Weft, as those of SciPy with "
        "Weft behind them, and as those of others, which take turns. It takes one to three minutes."))
    timed.add_argument("--json", metavar="FILE", help="write a document with every sample; WEFT_COMMIT says of which commit")
    timed.add_argument("--quick", action="store_true", help="few sizes and samples: whether it works, not how fast")
    commands.add_parser("test", help="whether it is right")
    options = parser.parse_args(words)
    if options.command != "bench":
        return {"info": info, "test": test}[options.command]()
    if options.json and (os.path.isdir(options.json) or not os.path.isdir(os.path.dirname(options.json) or ".")):
        timed.error(f"json {options.json!r}: must be a file in a folder that exists")
    try:
        return bench(options.json, options.quick)
    except KeyboardInterrupt:
        print("\npython -m weft bench: interrupted; nothing was written", file=sys.stderr)
        return 130
    except BrokenPipeError:  # whoever reads has seen enough; Python is not to complain of the rest at its end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


if __name__ == "__main__":
    sys.exit(main())
