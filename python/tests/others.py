#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The tests of other packages, with Weft in their place: others.py [--long] [SUITE...] [SUITE=CHECKOUT...]. Prints for each
suite what passed, the known failures by name and how many calls Weft answered, and fails if any of them is not as the table
below says; a run in which Weft answered nothing proves nothing. Tests that no package brings along are run from a checkout
of its repository with its submodules, of which requirements.txt names the commit and what else must be installed. Prints
PASS / FAIL / SKIP lines."""
import contextlib
import functools
import importlib.metadata
import importlib.util
import io
import os
import re
import subprocess
import sys
import types
from collections import namedtuple

import pytest
import weft

# tests: modules, or files of a checkout; face: what stands in whose place, see below; passed and served: at least so many with
# the versions of requirements.txt; known: failures that are the package's own, by a part of their names; is_long: only with
# --long.
Suite = namedtuple("Suite", "name tests face passed served is_long select known", defaults=[False, None, ()])
CONVOLUTIONS = ("fftconvolve or FFTConvolve or oaconvolve or OAConvolve or AllFreq or correlate2d or Convolve2d or choose")
SUITES = [
    Suite("scipy.fft", ["scipy.fft.tests", "scipy.fft._pocketfft"], "scipy", 5811, 104),
    Suite("numpy.fft", ["numpy.fft.tests"], "numpy", 156, 45),
    Suite("scipy.signal", ["scipy.signal.tests.test_signaltools"], "scipy", 11578, 3100, True, CONVOLUTIONS),
    Suite("dask.array", ["dask.array.tests.test_fft"], "numpy", 264, 330, True),
]
# Left out of pyFFTW's are transforms of one axis, its own keywords, and the exceptions that it has in place of SciPy's.
PYFFTW_OWN = ("auto_ or planner_effort or fail_on_invalid or issue_92 and overwrite "
              "or InterfacesNumpy and (threads_arg or overwrite_input)")
OF_CHECKOUTS = [
    # Its arrays are made up anew in each run: 19 to 43 calls were served.
    Suite("array-api-tests", ["array_api_tests/test_fft.py"], "array API", 14, 1),
    Suite("pyFFTW", ["tests/test_pyfftw_numpy_interface.py", "tests/test_pyfftw_scipy_fft.py"], "pyFFTW", 160, 1500,
          select=f"(FFT2 or FFTN) and not R2R and not ({PYFFTW_OWN})"),
    # What is known to fail wants to download a picture.
    Suite("scikit-image", ["tests/skimage/" + each for each in (
        "registration/test_phase_cross_correlation.py", "registration/test_masked_phase_cross_correlation.py",
        "filters/test_fft_based.py", "filters/test_lpi_filter.py", "feature/test_template.py",
        "restoration/test_restoration.py", "transform/test_radon_transform.py")], "scipy", 248, 550,
        known=("test_disambiguate_2d", "test_masked_registration_3d_contiguous_mask", "test_richardson_lucy_filtered")),
]
NUMPY_NAMES = ["rfft2", "rfftn", "irfft2", "irfftn", "fft2", "fftn"]
WANTED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "requirements.txt")


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


# ---- faces: what stands in whose place -------------------------------------------------------------------------------


@contextlib.contextmanager
def replaced(module, functions):
    own = {name: getattr(module, name) for name in functions}
    vars(module).update(functions)
    try:
        yield
    finally:
        vars(module).update(own)


@contextlib.contextmanager
def the_backend():
    """Of scipy.fft, for everybody."""
    import scipy.fft
    scipy.fft.set_global_backend(weft.scipy_backend)
    try:
        yield
    finally:
        scipy.fft.set_global_backend("scipy")


def numpys_functions():
    import numpy.fft
    return replaced(numpy.fft, {name: getattr(weft.numpy_fft, name) for name in NUMPY_NAMES})


def with_the_backend(function):
    import scipy.fft

    @functools.wraps(function)
    def call(*arguments, **keywords):
        with scipy.fft.set_backend(weft.scipy_backend):
            return function(*arguments, **keywords)

    return call


@contextlib.contextmanager
def pyfftws_functions():
    """Its tests hold them against those of NumPy and SciPy, which stay as they are."""
    import pyfftw
    import scipy.fft
    names = ["ifft2", "ifftn", *NUMPY_NAMES]
    with replaced(pyfftw.interfaces.numpy_fft, {name: getattr(weft.numpy_fft, name) for name in names}):
        with replaced(pyfftw.interfaces.scipy_fft, {name: with_the_backend(getattr(scipy.fft, name)) for name in names}):
            yield


@contextlib.contextmanager
def array_namespace():
    """NumPy with another `fft`, under a name of its own."""
    import numpy
    sys.modules["numpy_with_weft"] = module = types.ModuleType("numpy_with_weft")
    vars(module).update({name: getattr(numpy, name) for name in dir(numpy)}, fft=weft.xp_fft)
    os.environ["ARRAY_API_TESTS_MODULE"] = "numpy_with_weft"
    yield


FACES = {"scipy": the_backend, "numpy": numpys_functions, "pyFFTW": pyfftws_functions, "array API": array_namespace}

# ----------------------------------------------------------------------------------------------------------------------


def run(suite, tests):
    """(what was wrong, what to say)"""
    results, before = Results(), sum(weft.served().values())
    arguments = ["-q", "--no-header", "--no-summary", "--tb=no", "-p", "no:cacheprovider", "-o", "addopts=",
                 "-o", "filterwarnings=", "--rootdir=/", *(["-k", suite.select] if suite.select else []), *tests]
    with FACES[suite.face](), contextlib.redirect_stdout(io.StringIO()):
        pytest.main(arguments, plugins=[results])
    served = sum(weft.served().values()) - before
    known = [name for name in results.failed if any(part in name for part in suite.known)]
    wrong = [f"failed: {name}" for name in results.failed if name not in known]
    if results.passed < suite.passed:
        wrong.append(f"{results.passed} passed, where {suite.passed} did")
    if served < suite.served:
        wrong.append(f"weft answered {served} calls, where it answered {suite.served}")
    return wrong, "; ".join([f"{results.passed} passed, {served} calls served by weft",
                             *(f"known failure {name}" for name in known)])


def not_as_pinned(suite, folder):
    """What has to be done first, or "": requirements.txt has a line of each checkout, with its address, its commit, and
    packages."""
    with open(WANTED, encoding="utf-8") as file:
        line = next(line for line in file if line.startswith(f"# {suite.name} "))
    address, commit, *packages = line.split()[2:]
    at = subprocess.run(["git", "-C", folder, "rev-parse", "HEAD"], capture_output=True, text=True, check=False).stdout.strip()
    if at != commit:
        return f"{folder} is at {at or 'no commit'}: must be a checkout of {address} at {commit}"
    for package in packages:
        name, version = package.split("==")
        try:
            found = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            found = "not there"
        if found != version:
            return f"{name} is {found}: pip install {' '.join(packages)}"
    return ""


def say(suite, wrong, words):
    print(f"FAIL tests of {suite.name}: {words}: {'; '.join(wrong[:9])}" if wrong else f"PASS tests of {suite.name}: {words}",
          flush=True)
    return bool(wrong)


def main():
    words = [word for word in sys.argv[1:] if word != "--long"]
    folders = dict(word.split("=", 1) for word in words if "=" in word)
    may_be = [suite.name for suite in SUITES] + [suite.name + "=CHECKOUT" for suite in OF_CHECKOUTS]
    for word in words:
        if re.sub("=.*", "=CHECKOUT", word) not in may_be:
            sys.exit(f"others.py: {word}: must be one of {', '.join(may_be)}")
    is_failed = False
    for suite in SUITES:
        if suite.name not in words if words else suite.is_long and "--long" not in sys.argv:
            continue
        if importlib.util.find_spec(suite.tests[0].split(".")[0]) is None:
            print(f"SKIP tests of {suite.name}: it is not installed")
            continue
        is_failed |= say(suite, *run(suite, ["--pyargs", *suite.tests]))
    for suite in OF_CHECKOUTS:
        if suite.name in folders:
            folder = os.path.abspath(folders[suite.name])
            first = not_as_pinned(suite, folder)
            is_failed |= say(suite, *(([first], "not run") if first else
                                      run(suite, [os.path.join(folder, each) for each in suite.tests])))
    return is_failed


if __name__ == "__main__":
    sys.exit(main())
