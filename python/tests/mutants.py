#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Wrong versions of the installed package that its own tests must notice: each is a copy with one text replaced, and one
file of tests has to turn red with it. A text that is not there exactly once is a failure: mutants keep up with the code.
Prints PASS / FAIL lines."""
import os
import shutil
import subprocess
import sys
import tempfile
from collections import namedtuple

import weft

Mutant = namedtuple("Mutant", "name file test old new")
MUTANTS = [
    Mutant("norm ignored", "_plans.py", "transforms", "                          NORMS[norm], threads, strategy)",
           "                          0, threads, strategy)"),
    Mutant("norm ignored where s is given", "_transforms.py", "transforms",
           'return forward("rfft2", a, ends, types, norm, layout',
           'return forward("rfft2", a, ends, types, None if s else norm, layout'),
    Mutant("axes swapped", "_arguments.py", "transforms", "    return first, second\n\n\ndef two_sizes",
           "    return second, first\n\n\ndef two_sizes"),
    Mutant("plan of another dtype", "_transforms.py", "plans", '("rfft2", x.shape, x.dtype, norm', '("rfft2", x.shape, norm'),
    Mutant("plan of another norm", "_transforms.py", "plans", '("irfft2", x.shape, x.dtype, norm, layout',
           '("irfft2", x.shape, x.dtype, layout'),
    Mutant("plan of another type of pixels", "_plans.py", "transforms", "of_real, PIXELS[types.pixel], LAYOUTS",
           "of_real, 0, LAYOUTS"),
    Mutant("all of a batch from its first", "_transforms.py", "transforms", "convert(height, width, real == F64, one, its)",
           "convert(height, width, real == F64, source.reshape(many, *source.shape[-2:])[0], its)"),
    Mutant("a column wrong by a thousandth", "_transforms.py", "transforms",
           "    plan._library.forward(a, to, None)\n", "    plan._library.forward(a, to, None)\n    to[..., -1] *= 1.001\n"),
    Mutant("memory order taken for a mistake", "_transforms.py", "transforms",
           "_NO_SHORTCUT = (KeyError, TypeError, ValueError)", "_NO_SHORTCUT = (KeyError, TypeError)"),
    Mutant("alignment not looked at", "_arguments.py", "transforms", "flags.c_contiguous and flags.aligned:\n",
           "flags.c_contiguous:\n"),
    Mutant("cut in the middle", "_arguments.py", "transforms", "= a[..., :rows, :columns]", "= a[..., -rows:, :columns]"),
    Mutant("out copied behind one's back", "_arguments.py", "arguments",
           "    to = out if axes == LAST_TWO else numpy.moveaxis(out, axes, LAST_TWO)",
           "    to = numpy.ascontiguousarray(out if axes == LAST_TWO else numpy.moveaxis(out, axes, LAST_TWO))"),
    Mutant("cache without a bound", "_plans.py", "plans", "len(_cache) > MOST_PLANS or", "len(_cache) > 9 * MOST_PLANS or"),
    Mutant("workers of other threads", "_workers.py", "plans", "    token = of_context.set(threads_of(workers))",
           "    token = of_context.set(1)"),
    Mutant("integers to SciPy in single precision", "_faces.py", "faces", "Types(U8, F64)", "Types(U8, F32)"),
    Mutant("another norm of the face", "_faces.py", "faces", 'norm, "half", out, threads, None, key)\n\n\ndef inverse',
           'None, "half", out, threads, None, key)\n\n\ndef inverse'),
    Mutant("what SciPy refuses", "scipy_fft.py", "faces", "    _no_plan(plan)\n        return _faces.forward",
           "    return _faces.forward"),
    Mutant("convolution folded over", "_convolution.py", "convolution",
           "first + many, side + of_kernel - 1 - first)", "first + many)"),
]


def notice(mutant, scratch):
    """What is wrong with the mutant, or "" if its tests notice it."""
    package = os.path.join(scratch, "weft")
    shutil.rmtree(package, ignore_errors=True)
    shutil.copytree(weft.__path__[0], package, ignore=shutil.ignore_patterns("__pycache__"))
    path = os.path.join(package, mutant.file)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if text.count(mutant.old) != 1:
        return f"its old text is in {mutant.file} {text.count(mutant.old)} times"
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.replace(mutant.old, mutant.new))
    tests = os.path.join(os.path.dirname(os.path.abspath(__file__)), f"test_{mutant.test}.py")
    done = subprocess.run([sys.executable, "-B", "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", tests], cwd=scratch,
                          env={**os.environ, "PYTHONPATH": scratch}, capture_output=True, text=True, check=False)
    return "" if done.returncode == 1 and " failed" in done.stdout else f"test_{mutant.test}.py does not notice it"


def main():
    is_failed = False
    with tempfile.TemporaryDirectory() as scratch:
        for mutant in MUTANTS:
            wrong = notice(mutant, scratch)
            is_failed |= bool(wrong)
            print(f"FAIL mutant, {mutant.name}: {wrong}" if wrong else f"PASS mutant, {mutant.name}", flush=True)
    return is_failed


if __name__ == "__main__":
    sys.exit(main())
