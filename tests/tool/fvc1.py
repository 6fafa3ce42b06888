# SPDX-License-Identifier: MIT
"""A decoder of FVC1, the stream of the fractal codec, written from docs/fvc1.md alone: it shares no code with the
library, and test_fvc1.py holds the two to each other. decode() takes the bytes of a stream and gives its pictures."""
import struct
import zlib
from collections import namedtuple

import numpy as np

Header = namedtuple("Header", "width height chroma dense huffman scales domain_bits iterations fps frames")
Plane = namedtuple("Plane", "rows columns height width ranges_across ranges domains_across domains step")
FLAT = -1
REPEATED = -2


class Damaged(Exception):
    """The stream is not as the format says."""


def must(holds, why):
    if not holds:
        raise Damaged(why)


# ---- header and planes ---------------------------------------------------------------------------
def read_header(stream):
    """(Header, number of bytes)."""
    must(stream[:4] == b"FVC1", "no FVC1")
    must(len(stream) >= 14, "short header")
    version, flags, width, height, chroma, side, step, count = struct.unpack("<BBHHBBBB", stream[4:14])
    size = 14 + count + 14
    must(version == 1, "version")
    must(len(stream) >= size, "short header")
    must(zlib.crc32(stream[:size - 4]) == struct.unpack("<I", stream[size - 4:size])[0], "checksum of the header")
    scales = struct.unpack(f"{count}b", stream[14:14 + count])
    domain_bits, iterations, over, under, frames = struct.unpack("<BBHHI", stream[14 + count:size - 4])
    dense, huffman = flags & 6 == 6, flags & 1 == 1
    must(flags < 8 and flags & 6 in (0, 6), "flags")
    must(width > 0 and height > 0 and chroma <= 3 and side == 4, "size, chroma or blocks")
    must((step, count > 0) == ((2, False) if dense else (8, True)), "step or number of scales")
    must(count <= 7 and 0 not in scales and len(set(scales)) == count, "scales")
    must(domain_bits == 0 or (domain_bits == 14 and not huffman), "bits of domains")
    must(1 <= iterations <= 32 and (over == 0) == (under == 0), "iterations or frames per second")
    if dense:
        scales = tuple(range(-15, 16))
    return Header(width, height, chroma, dense, huffman, scales, domain_bits, iterations, (over, under), frames), size


def plane_sizes(width, height, chroma):
    """(rows, columns) of each plane."""
    half_width, half_height = (width + 1) // 2, (height + 1) // 2
    others = {0: [], 1: [(height, half_width)] * 2, 2: [(half_height, half_width)] * 2, 3: [(height, width)] * 2}
    return [(height, width)] + others[chroma]


def plane_of(rows, columns, step):
    height, width = -(-rows // 8) * 8, -(-columns // 8) * 8
    across = (width - 8) // step + 1
    return Plane(rows, columns, height, width, width // 4, height // 4 * (width // 4), across,
                 across * ((height - 8) // step + 1), step)


# ---- bits and Huffman codes ----------------------------------------------------------------------
class Bits:
    def __init__(self, payload):
        self.text = "".join(f"{byte:08b}" for byte in payload)
        self.at = 0

    def get(self, count):
        must(self.at + count <= len(self.text), "short payload")
        value = int(self.text[self.at:self.at + count] or "0", 2)
        self.at += count
        return value

    def end_byte(self):
        must(self.get(-self.at % 8) == 0, "bits behind the last one")


def lengths_of(counts):
    """The lengths of the codes of symbols that occur so often."""
    counts = {symbol: count for symbol, count in counts.items() if count > 0}
    while True:
        nodes = [(counts[symbol], [symbol]) for symbol in sorted(counts)] # in the order in which they were made
        lengths = dict.fromkeys(counts, 1 if len(counts) == 1 else 0)
        while len(nodes) > 1:
            first = min(range(len(nodes)), key=lambda i: nodes[i][0])
            weight, symbols = nodes.pop(first)
            second = min(range(len(nodes)), key=lambda i: nodes[i][0])
            other_weight, other_symbols = nodes.pop(second)
            nodes.append((weight + other_weight, symbols + other_symbols))
            for symbol in nodes[-1][1]:
                lengths[symbol] += 1
        if max(lengths.values(), default=0) <= 15:
            return lengths
        counts = {symbol: (count + 1) // 2 for symbol, count in counts.items()}


class Table:
    def __init__(self, bits, symbols):
        count = bits.get(6)
        must(count <= symbols, "symbols of a table")
        self.lengths = {symbol: length for symbol in range(count) if (length := bits.get(4)) > 0}
        must(count == 0 or count - 1 in self.lengths, "last length of a table")
        self.codes, code, before = {}, 0, 0
        for length, symbol in sorted((length, symbol) for symbol, length in self.lengths.items()):
            code <<= length - before
            self.codes[f"{code:0{length}b}"] = symbol
            code, before = code + 1, length
        self.counts = {}

    def get(self, bits):
        for length in range(1, 16):
            symbol = self.codes.get(bits.text[bits.at:bits.at + length])
            if symbol is not None:
                bits.get(length)
                self.counts[symbol] = self.counts.get(symbol, 0) + 1
                return symbol
        raise Damaged("no code of a table")

    def end(self):
        must(lengths_of(self.counts) == self.lengths, "lengths of a table")


# ---- payloads: codes are (domain, scale, mean), scale FLAT without one -----------------------------
class Reader:
    def __init__(self, header, plane, payload):
        self.header, self.plane, self.bits = header, plane, Bits(payload)
        self.flat = 15 if header.dense else 7

    def scale_of(self, z):
        if z == self.flat:
            return FLAT
        must(z < len(self.header.scales), "scale")
        return z

    def huffman_runs(self, tables):
        """For each range whether it has a code."""
        changed, kind, is_first = [], False, True
        while len(changed) < self.plane.ranges:
            size = tables[kind].get(self.bits)
            run = (1 << (size - 1)) + self.bits.get(size - 1) if size > 0 else 0
            must(run > 0 or is_first, "run of no length")
            changed += [kind] * run
            kind, is_first = not kind, False
        must(len(changed) == self.plane.ranges, "runs")
        return changed

    def domain(self):
        count = self.plane.domains
        size = (count - 1).bit_length()
        if size == 0:
            return 0
        unused = (1 << size) - count
        j = self.bits.get(size - 1)
        if j >= unused:
            j = 2 * j + self.bits.get(1) - unused
        return j

    def mean(self, table, expected):
        size = table.get(self.bits)
        value = self.bits.get(size)
        if size > 0 and value < 1 << (size - 1):
            value -= (1 << size) - 1
        must(0 <= expected + value <= 255, "mean")
        return expected + value

    def huffman(self, last):
        """last: None in a reference."""
        repeat = 31 if self.header.dense else 8
        runs = [] if last is None else [Table(self.bits, 30), Table(self.bits, 30)]
        scales, means = Table(self.bits, repeat + (last is not None)), Table(self.bits, 9)
        changed = [True] * self.plane.ranges if last is None else self.huffman_runs(runs)
        codes, before = [], 128
        for i, has_code in enumerate(changed):
            if not has_code:
                codes.append(None)
                continue
            z = scales.get(self.bits)
            if last is not None and z == repeat:
                codes.append(last[i])
                continue
            z = self.scale_of(z)
            j = 0 if z == FLAT else self.domain()
            before = self.mean(means, before if last is None else last[i][2])
            codes.append((j, z, before))
            must(last is None or codes[i] != last[i], "a code like the last one")
        for table in runs + [scales, means]:
            table.end()
        return codes

    def raw(self, is_reference):
        plane, bits = self.plane, self.bits
        domain_bits = self.header.domain_bits or (plane.domains - 1).bit_length()
        changed = [True] * plane.ranges
        if not is_reference:
            changed = [bits.get(1) == 1 for _ in changed]
            bits.end_byte()
        codes = []
        for has_code in changed:
            if has_code:
                j, z, m = bits.get(domain_bits), self.scale_of(bits.get(5 if self.header.dense else 3)), bits.get(8)
                must(j < (1 if z == FLAT else plane.domains), "domain")
            codes.append((j, z, m) if has_code else None)
        return codes

    def codes(self, last):
        """None: the range is unchanged."""
        codes = self.huffman(last) if self.header.huffman else self.raw(last is None)
        self.bits.end_byte()
        must(self.bits.at == len(self.bits.text), "long payload")
        return codes


# ---- pixels --------------------------------------------------------------------------------------
def halved(plane):
    sums = plane.astype(np.int64)
    return sums[0::2, 0::2] + sums[0::2, 1::2] + sums[1::2, 0::2] + sums[1::2, 1::2]


def with_ranges(header, plane, codes, half, pixels, scale):
    """A copy of the pixels with all ranges that have a code computed."""
    side, step = 4 * scale, plane.step * scale // 2
    count = side * side
    shift = (6 if header.dense else 4) + 2 * (side.bit_length() - 1)
    made = pixels.copy()
    for i, code in enumerate(codes):
        if code is None:
            continue
        j, z, m = code
        block = np.full((side, side), m, np.int64)
        if z != FLAT:
            y, x = j // plane.domains_across * step, j % plane.domains_across * step
            domain = half[y:y + side, x:x + side]
            block += (header.scales[z] * (count * domain - domain.sum()) + (1 << (shift - 1))) >> shift
        y, x = i // plane.ranges_across * side, i % plane.ranges_across * side
        made[y:y + side, x:x + side] = np.clip(block, 0, 255)
    return made


class Decoder:
    """Of one plane."""

    def __init__(self, header, size, scale):
        self.header, self.scale = header, scale
        self.plane = plane_of(*size, 2 if header.dense else 8)
        self.last = self.reference = None

    def codes(self, kind, payload):
        codes = Reader(self.header, self.plane, payload).codes(self.last if kind == 1 else None)
        self.last = [code or last for code, last in zip(codes, self.last or codes)]
        return codes

    def decode(self, kind, codes):
        """The padded plane."""
        if kind == 1:
            return with_ranges(self.header, self.plane, codes, halved(self.reference), self.reference, self.scale)
        pixels = np.full((self.plane.height * self.scale, self.plane.width * self.scale), 128, np.uint8)
        for _ in range(self.header.iterations):
            pixels = with_ranges(self.header, self.plane, codes, halved(pixels), pixels, self.scale)
        self.reference = pixels
        return pixels


def decode(stream, scale=1):
    """(Header, list of frames, each a list of planes Y, Cr, Cb)."""
    header, at = read_header(stream)
    decoders = [Decoder(header, size, scale) for size in plane_sizes(header.width, header.height, header.chroma)]
    must(header.domain_bits == 0 or all(d.plane.domains <= 1 << 14 for d in decoders), "domains of 14 bits")
    cut = plane_sizes(header.width * scale, header.height * scale, header.chroma)
    frames = []
    while at < len(stream):
        begin, kinds, codes = at, set(), []
        for decoder in decoders:
            must(at + 5 <= len(stream), "short frame")
            kind, size = struct.unpack("<BI", stream[at:at + 5])
            kinds.add(kind)
            must(len(kinds) == 1 and kind in ((0, 1) if frames else (0,)), "type of a plane")
            must(at + 5 + size <= len(stream), "short frame")
            codes.append(decoder.codes(kind, stream[at + 5:at + 5 + size]))
            at += 5 + size
        must(stream[at:at + 4] == struct.pack("<I", zlib.crc32(stream[begin:at])), "checksum of a frame")
        at += 4
        frames.append([decoder.decode(kind, code)[:rows, :columns]
                       for decoder, code, (rows, columns) in zip(decoders, codes, cut)])
    must(header.frames in (0, len(frames)), "number of frames")
    return header, frames
