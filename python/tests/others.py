#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The tests of other packages, with Weft in their place: others.py [--long] [SUITE...]. Prints for each suite what passed,
the known failures by name and how many calls Weft answered, and fails if any of them is not as the table below says; a run
in which Weft answered nothing proves nothing. Prints PASS / FAIL / SKIP lines."""
import contextlib
import importlib.util
import io
import sys
from collections import namedtuple

import pytest
import weft

# face: scipy, the global backend of scipy.fft, or numpy, functions of numpy.fft; passed and served: at least so many with the
# versions of requirements.txt; known: failures that are the package's own, by name; is_long: only with --long.
Suite = namedtuple("Suite", "name modules face passed served is_long select known", defaults=[False, None, ()])
CONVOLUTIONS = ("fftconvolve or FFTConvolve or oaconvolve or OAConvolve or AllFreq or correlate2d or Convolve2d or choose")
SUITES = [
    Suite("scipy.fft", ["scipy.fft.tests", "scipy.fft._pocketfft"], "scipy", 5811, 104),
    Suite("numpy.fft", ["numpy.fft.tests"], "numpy", 156, 45),
    Suite("scipy.signal", ["scipy.signal.tests.test_signaltools"], "scipy", 11578, 3100, True, CONVOLUTIONS),
    Suite("dask.array", ["dask.array.tests.test_fft"], "numpy", 264, 330, True),
]
NUMPY_NAMES = ["rfft2", "rfftn", "irfft2", "irfftn", "fft2", "fftn"]


class Results:
    """A plugin of pytest: counts tests, and notes the names of those that fail."""

    def __init__(self):
        self.passed, self.failed = 0, []

    def pytest_runtest_logreport(self, report):
        self.passed += report.when == "call" and report.passed
        if report.failed:
            self.failed.append(report.nodeid)

    def pytest_collectreport(self, report):
        if report.failed:
            self.failed.append(report.nodeid)


@contextlib.contextmanager
def in_place_of(face):
    if face == "scipy":
        import scipy.fft
        scipy.fft.set_global_backend(weft.scipy_backend)
        try:
            yield
        finally:
            scipy.fft.set_global_backend("scipy")
    else:
        import numpy.fft
        own = {name: getattr(numpy.fft, name) for name in NUMPY_NAMES}
        for name in NUMPY_NAMES:
            setattr(numpy.fft, name, getattr(weft.numpy_fft, name))
        try:
            yield
        finally:
            for name, function in own.items():
                setattr(numpy.fft, name, function)


def run(suite):
    """(what was wrong, what to say)"""
    results, before = Results(), sum(weft.served().values())
    arguments = ["-q", "--no-header", "--no-summary", "--tb=no", "-p", "no:cacheprovider", "-o", "addopts=", "--rootdir=/",
                 *(["-k", suite.select] if suite.select else []), "--pyargs", *suite.modules]
    with in_place_of(suite.face), contextlib.redirect_stdout(io.StringIO()):
        pytest.main(arguments, plugins=[results])
    served = sum(weft.served().values()) - before
    new = [name for name in results.failed if name not in suite.known]
    wrong = [f"failed: {name}" for name in new]
    if results.passed < suite.passed:
        wrong.append(f"{results.passed} passed, where {suite.passed} did")
    if served < suite.served:
        wrong.append(f"weft answered {served} calls, where it answered {suite.served}")
    known = [f"; known failure {name}" for name in results.failed if name in suite.known]
    return wrong, f"{results.passed} passed, {served} calls served by weft{''.join(known)}"


def main():
    names = [word for word in sys.argv[1:] if word != "--long"]
    is_failed = False
    for suite in SUITES:
        if names and suite.name not in names or not names and suite.is_long and "--long" not in sys.argv:
            continue
        if importlib.util.find_spec(suite.modules[0].split(".")[0]) is None:
            print(f"SKIP tests of {suite.name}: it is not installed")
            continue
        wrong, words = run(suite)
        is_failed |= bool(wrong)
        print(f"FAIL tests of {suite.name}: {words}: {'; '.join(wrong[:9])}" if wrong else f"PASS tests of {suite.name}: {words}")
    return is_failed


if __name__ == "__main__":
    sys.exit(main())
