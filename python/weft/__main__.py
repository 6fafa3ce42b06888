# SPDX-License-Identifier: MIT
"""python -m weft info|bench|test: what Weft is here; how fast beside NumPy and SciPy; whether it is right."""
import argparse
import doctest
import importlib
import pkgutil
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any, Optional

import numpy

import weft

SIDES = [16, 32, 64, 128, 256, 512, 1024, 2048]


def info() -> int:
    for name, value in weft.info().items():
        if name == "strategies":
            for strategy, words in value.items():
                print(f"{strategy}: {words['about']}{'; ' if words['here'] else ''}{words['here']}")
        else:
            print(f"{name}: {value}")
    return 0


def _peers() -> dict[str, Callable[[Any], Any]]:
    """Weft first, then what is installed."""
    peers: dict[str, Callable[[Any], Any]] = {"weft": weft.rfft2}
    try:
        import scipy.fft  # type: ignore[import-untyped]
        peers["scipy.fft"] = scipy.fft.rfft2
    except ImportError:
        pass
    try:
        import ducc0  # type: ignore[import-not-found, unused-ignore]
        peers["ducc0"] = lambda x: ducc0.fft.r2c(x, axes=(0, 1))
    except ImportError:
        pass
    return {**peers, "numpy.fft": numpy.fft.rfft2}


def medians(functions: Sequence[Callable[[Any], Any]], x: Any, seconds: float = 0.5) -> list[float]:
    """Of the time of a call in seconds; the functions take turns, and a sample is as many calls as take a millisecond."""
    calls = []
    for function in functions:
        function(x)
        begin = time.perf_counter()
        function(x)
        calls.append(max(1, int(1e-3 / (time.perf_counter() - begin))))
    samples: list[list[float]] = [[] for _ in functions]
    end = time.perf_counter() + seconds
    while len(samples[0]) < 9 or time.perf_counter() < end:
        for function, many, mine in zip(functions, calls, samples):
            begin = time.perf_counter()
            for _ in range(many):
                function(x)
            mine.append((time.perf_counter() - begin) / many)
    return [statistics.median(mine) for mine in samples]


def bench() -> int:
    """rfft2 of single precision by one thread."""
    peers = _peers()
    print("microseconds of rfft2, float32, one thread, median; and Weft's time as a part of each other's\n")
    print("size      " + "".join(f"{name:>18}" for name in peers))
    for side in SIDES:
        x = numpy.random.default_rng(0).normal(size=(side, side)).astype("float32")
        mine, *others = medians(list(peers.values()), x)
        print(f"{side:4}x{side:<5}{mine * 1e6:18.1f}" + "".join(f"{other * 1e6:11.1f} ({mine / other:.2f})" for other in others))
    return 0


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
    parser.add_argument("command", choices=["info", "bench", "test"])
    return {"info": info, "bench": bench, "test": test}[parser.parse_args(words).command]()


if __name__ == "__main__":
    sys.exit(main())
