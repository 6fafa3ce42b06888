#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Two decoders of FVC1 give the same pixels: test_fvc1.py WRITER, which is the program fractal_streams. It writes
streams and what the library makes of them; fvc1.py, which was written from docs/fvc1.md, decodes them too. Prints PASS
or FAIL lines, one a stream and size."""
import glob
import os
import subprocess
import sys
import tempfile

from verdict import verdict, verdicts

try:
    import fvc1
except ImportError as missing: # NumPy
    print(f"SKIP fvc1: {missing}")
    sys.exit(0)


def differences(stream, pixels, scale):
    """What is wrong with the pixels, or ""."""
    try:
        _, frames = fvc1.decode(stream, scale)
    except fvc1.Damaged as why:
        return f"is refused: {why}"
    planes = b"".join(plane.tobytes() for frame in frames for plane in frame)
    if len(planes) != len(pixels):
        return f"{len(planes)} pixels, not {len(pixels)}"
    count = sum(a != b for a, b in zip(planes, pixels))
    return f"{count} of {len(pixels)} pixels differ" if count else ""


def refused(stream):
    """A bit of each of some bytes is turned: what is taken all the same."""
    taken = []
    for at in range(0, len(stream), 1 + len(stream) // 40):
        damaged = bytearray(stream)
        damaged[at] ^= 1 << at % 8
        try:
            fvc1.decode(bytes(damaged))
            taken.append(at)
        except fvc1.Damaged:
            pass
    return f"turned bits are taken at {taken}" if taken else ""


def main():
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.argv[1], folder], check=True)
        paths = sorted(glob.glob(f"{folder}/*.fvc"))
        for path in paths:
            name = os.path.basename(path)[:-4]
            with open(path, "rb") as file:
                stream = file.read()
            for scale in (1, 2, 4):
                with open(f"{folder}/{name}.{scale}.planes", "rb") as file:
                    verdict(f"{name}, scale {scale}", differences(stream, file.read(), scale))
            verdict(f"{name}, damaged", refused(stream))
        verdict("all streams", len(paths) < 12 and f"only {len(paths)}")
    return verdicts()


if __name__ == "__main__":
    sys.exit(main())
