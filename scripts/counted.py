# SPDX-License-Identifier: MIT
"""What cpu-counters runs under valgrind: counted.py LIBRARY HEIGHT WIDTH f32|f64 FOLDER KIND...

Each KIND is a transform: packed and half are cpu.fast's, fftw is FFTW's, nothing computes nothing. What is done once
is done first; then, for each number of CALLS, a fork transforms the image so often, on the same buffers, leaves its
half spectrum and ends, whereupon valgrind writes what it counted. FOLDER has the image and FFTW's wisdom. Prints a
line for each kind: the process ids of its forks, or why there are none.
"""
import functools
import os
import sys

sys.dont_write_bytecode = True  # pylint: disable=wrong-import-position
from transforms import Absent, Case, Fast, Fftw, open_weft  # noqa: E402

IMAGE, WISDOM, SPECTRUM = "image", "wisdom", "spectrum-"  # SPECTRUM with the kind
CALLS = 1, 3
ABSENT = "absent: "


class Nothing:
    """What Python does for a call is a part of the others: here it is all."""

    def __init__(self, weft):
        self.weft = weft

    def call_on(self, source, to):
        return functools.partial(self.weft.weft_version, source.address, to.address, to.address, to.address, None)

    def accept(self, value, to):
        pass

    def close(self):
        pass


def transform(weft, kind, case, folder):
    if kind == "nothing":
        return Nothing(weft)
    if kind == "fftw":
        return Fftw(Fftw.find(case.precision, 1), case, 1, os.path.join(folder, WISDOM))
    return Fast(weft, case, 1, kind)


def work(contender, source, to, calls, path):
    call, value = contender.call_on(source, to), None
    for _ in range(calls):
        value = call()
    contender.accept(value, to)
    with open(path, "wb") as file:
        file.write(to.bytes)


def forked(*arguments):
    """The process id of the fork that did the work and has ended."""
    child = os.fork()
    if child == 0:
        work(*arguments)
        os._exit(0)
    if os.waitpid(child, 0)[1] != 0:
        sys.exit(1)
    return child


def main(library, height, width, precision, folder, *kinds):
    case, weft = Case(int(height), int(width), precision), open_weft(library)
    source, to = case.image(bytes(case.image_bytes)), case.spectrum()
    with open(os.path.join(folder, IMAGE), "rb") as file:
        file.readinto(source.bytes)
    for kind in kinds:
        try:
            contender = transform(weft, kind, case, folder)
        except Absent as why:
            print(kind, f"{ABSENT}{why}", flush=True)
            continue
        path = os.path.join(folder, SPECTRUM + kind)
        print(kind, *[forked(contender, source, to, calls, path) for calls in CALLS], flush=True)
        contender.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
