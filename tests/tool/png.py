# SPDX-License-Identifier: MIT
"""PNG in the standard library alone, for test_cli.py: writing pictures of any kind the tool takes, and reading
what it writes. Samples are a flat list, row by row, channels together."""
import random
import struct
import zlib

CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}  # of each PNG colour type
GRAY, RGB, GRAY_ALPHA, RGB_ALPHA = 0, 2, 4, 6


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def write(path, height, width, colour, depth, samples):
    per_row = width * CHANNELS[colour]
    code = ">%d%s" % (per_row, "B" if depth == 8 else "H")
    rows = b"".join(b"\0" + struct.pack(code, *samples[m * per_row:(m + 1) * per_row])
                    for m in range(height))
    header = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) +
                   chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def noise(height, width, colour, depth, seed=1):
    source = random.Random(seed)
    return [source.randrange(1 << depth) for _ in range(height * width * CHANNELS[colour])]


def _paeth(a, b, c):
    by_distance = (abs(b - c), abs(a - c), abs(a + b - 2 * c))
    return (a, b, c)[by_distance.index(min(by_distance))]


def _unfilter(kind, row, above, step):
    for i in range(len(row)):
        left = row[i - step] if i >= step else 0
        corner = above[i - step] if i >= step else 0
        guess = (0, left, above[i], (left + above[i]) // 2, _paeth(left, above[i], corner))[kind]
        row[i] = (row[i] + guess) & 255
    return row


def read(path):
    """(height, width, colour, depth, samples) of a PNG of 8 or 16 bits that is not interlaced."""
    with open(path, "rb") as file:
        data = file.read()
    assert data[:8] == b"\x89PNG\r\n\x1a\n", "no PNG"
    at, packed, header = 8, b"", None
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        assert struct.unpack(">I", data[at + 8 + size:at + 12 + size])[0] == zlib.crc32(kind + body)
        header = struct.unpack(">IIBBBBB", body) if kind == b"IHDR" else header
        packed += body if kind == b"IDAT" else b""
        at += 12 + size
    width, height, depth, colour = header[:4]
    assert depth in (8, 16) and header[6] == 0, "neither 8 nor 16 bits, or interlaced"
    step = CHANNELS[colour] * depth // 8
    raw, above, samples = zlib.decompress(packed), bytearray(width * step), []
    for m in range(height):
        start = m * (width * step + 1)
        above = _unfilter(raw[start], bytearray(raw[start + 1:start + 1 + width * step]), above, step)
        samples += struct.unpack(">%d%s" % (width * CHANNELS[colour], "B" if depth == 8 else "H"), above)
    return height, width, colour, depth, samples
