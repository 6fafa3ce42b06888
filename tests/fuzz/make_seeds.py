#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the inputs that the fuzzers begin with: make_seeds.py [--check]. They lie in seeds/TARGET beside this program,
the same bytes on every machine; --check only says, as a PASS or FAIL line, whether they are there. Files found-* are
no part of it."""
import os
import random
import struct
import sys
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../tool"))
import pictures  # noqa: E402
from png import CHANNELS, chunk  # noqa: E402

# ---- PNG -----------------------------------------------------------------------------------------
SIGNATURE = b"\x89PNG\r\n\x1a\n"
ADAM7 = [(0, 0, 8, 8), (0, 4, 8, 8), (4, 0, 8, 4), (0, 2, 4, 4), (2, 0, 4, 2), (0, 1, 2, 2), (1, 0, 2, 1)]


def packed(data):
    """zlib's format without compression, which needs no zlib: not all of them make the same bytes."""
    header = b"\x78\x01\x01" + struct.pack("<HH", len(data), len(data) ^ 0xffff)
    return header + data + struct.pack(">I", zlib.adler32(data))


def lines(height, width, colour, depth, source):
    """Rows of a pass as they are compressed, with each kind of filter in turn."""
    length = (width * CHANNELS[colour] * depth + 7) // 8
    return b"".join(bytes([m % 5]) + source.randbytes(length) for m in range(height)) if length else b""


def png(height, width, colour, depth, interlaced=False, before=b"", pieces=1, rows=None):
    source = random.Random(f"{height} {width} {colour} {depth} {interlaced}")
    if rows is None and interlaced:
        rows = b"".join(lines(-((top - height) // down), -((left - width) // right), colour, depth, source)
                        for top, left, down, right in ADAM7)
    elif rows is None:
        rows = lines(height, width, colour, depth, source)
    stream = packed(rows)
    size = -(-len(stream) // pieces)
    header = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, interlaced)
    return (SIGNATURE + chunk(b"IHDR", header) + before +
            b"".join(chunk(b"IDAT", stream[at:at + size]) for at in range(0, len(stream), size)) + chunk(b"IEND", b""))


def png_seeds():
    palette = chunk(b"PLTE", bytes(range(12)))
    for colour, depths in ((0, (1, 2, 4, 8, 16)), (2, (8, 16)), (4, (8, 16)), (6, (8, 16))):
        for depth in depths:
            yield f"colour-{colour}-depth-{depth}", png(5, 7, colour, depth)
            yield f"colour-{colour}-depth-{depth}-interlaced", png(9, 6, colour, depth, True)
    for depth in (1, 2, 4, 8):
        rows = {1: b"\0\x55", 2: b"\0\x1b", 4: b"\0\1\x23", 8: b"\0\1\2\3"}[depth] * 3
        yield f"palette-{depth}", png(3, 3, 3, depth, before=palette, rows=rows)
    yield "palette-transparent", png(2, 2, 3, 8, before=palette + chunk(b"tRNS", b"\0\x80"), rows=b"\0\0\1\0\2\3")
    yield "palette-beyond", png(2, 2, 3, 8, before=palette, rows=b"\0\0\1\0\2\x09")
    yield "gray-transparent", png(3, 3, 0, 8, before=chunk(b"tRNS", b"\0\x10"))
    yield "colour-transparent", png(3, 3, 2, 16, before=chunk(b"tRNS", b"\0\1\0\2\0\3"))
    others = chunk(b"gAMA", struct.pack(">I", 45455)) + chunk(b"tEXt", b"key\0text") + chunk(b"iCCP", b"name\0\0junk")
    yield "other-chunks", png(2, 2, 0, 8, before=others + chunk(b"zTXt", b"key\0\0" + packed(b"text")))
    yield "many-pieces", png(6, 5, 6, 8, pieces=9)
    yield "no-end", png(4, 4, 2, 8)[:-12]
    yield "truncated", png(8, 8, 6, 16)[:-60]
    yield "too-large", png(70000, 70000, 0, 8, rows=b"")
    yield "wide-claim", png(60000, 60000, 6, 16, True, rows=b"\0")
    yield "no-signature", b"GIF89a" + bytes(20)
    yield "empty", b""


# ---- .npy ----------------------------------------------------------------------------------------
CODES = {"f4": "f", "f8": "d", "c8": "ff", "c16": "dd"}


def npy_header(text, version=(1, 0)):
    length = struct.pack("<H" if version[0] == 1 else "<I", len(text))
    return b"\x93NUMPY" + bytes(version) + length + text


def npy(shape, kind="c8", order="<", fortran=False, version=(1, 0), text=None):
    count = len(CODES[kind])
    for side in shape:
        count *= side
    source = random.Random(f"{shape} {kind}")
    numbers = [source.randrange(-99, 99) / 8 for _ in range(count)]
    if text is None:
        text = f"{{'descr': '{order}{kind}', 'fortran_order': {fortran}, 'shape': {shape}, }}\n"
    byte_order = ">" if order == ">" else "<"
    return npy_header(text.encode("latin-1"), version) + struct.pack(f"{byte_order}{count}{CODES[kind][0]}", *numbers)


def trailer(height, width, planes=1, depth=8, layout=1, norm=0, precision=0, alpha=b""):
    """What weft fft writes behind the array, by tool/files/spectrum_file.h."""
    facts = struct.pack("<QQIIIIIIQ", height, width, planes, depth, layout, norm, precision, 0, len(alpha)) + alpha
    return b"WEFTSPEC" + struct.pack("<II", 1, zlib.crc32(facts)) + facts


def npy_seeds():
    for kind in CODES:
        yield kind, npy((4, 3), kind)
        yield f"{kind}-big-endian", npy((4, 3), kind, ">")
        yield f"{kind}-fortran", npy((3, 4, 3), kind, fortran=True)
    yield "native", npy((4, 3), order="=")
    yield "version-2", npy((4, 3), version=(2, 0))
    yield "version-3", npy((4, 3), version=(3, 0))
    yield "version-4", npy((4, 3), version=(4, 0))
    yield "long-integers", npy((4, 3), text="{'descr': '<c8', 'fortran_order': False, 'shape': (4L, 3L)}")
    yield "unicode-keys", npy((4, 3), text="{u'descr': u'<c8', u'fortran_order': False, u'shape': (4, 3)}")
    yield "white-space", npy((4, 3), text="\t{ 'shape' :\n( 4 , 3 , ) ,'fortran_order':\rFalse , \"descr\": '<c8' } \n")
    yield "one-dimension", npy((4,))
    yield "no-dimension", npy(())
    yield "one-column", npy((4, 1))
    yield "planes", npy((3, 4, 3))
    yield "two-planes", npy((2, 4, 3))
    yield "too-large", npy_header(b"{'descr': '<c16', 'fortran_order': False, 'shape': (2147483647, 2147483647, 3)}")
    yield "overflow", npy_header(b"{'descr': '<c8', 'fortran_order': False, 'shape': (99999999999999999999999, 3)}")
    yield "objects", npy_header(b"{'descr': '|O', 'fortran_order': False, 'shape': (4, 3)}")
    yield "zero-byte", npy_header(b"{'descr': '<c8',\0 'fortran_order': False, 'shape': (4, 3)}")
    yield "truncated", npy((4, 3))[:-5]
    yield "no-number", npy((1, 2))[:-4] + b"\0\0\xc0\x7f"
    yield "trailer", npy((4, 3)) + trailer(4, 4)
    yield "trailer-odd", npy((4, 3)) + trailer(4, 5)
    yield "trailer-packed", npy((3, 4, 5), "f8") + trailer(4, 5, 3, 16, 0, 1, 1)
    yield "trailer-alpha", npy((2, 3)) + trailer(2, 4, depth=16, alpha=bytes(range(16)))
    yield "trailer-other-size", npy((4, 3)) + trailer(5, 4)
    yield "other-bytes", npy((4, 3)) + b"what else"
    yield "png", png(2, 2, 0, 8)
    yield "empty", b""


# ---- Y4M -----------------------------------------------------------------------------------------
def y4m(parameters, frames=2, size=(5, 3), line="FRAME", chroma=(3, 2, 2)):
    planes, row_step, column_step = chroma
    height, width = size
    count = height * width + (planes - 1) * -(-height // row_step) * -(-width // column_step)
    source = random.Random(f"{parameters} {size}")
    header = f"YUV4MPEG2 W{width} H{height}{parameters}\n"
    return header.encode() + b"".join(f"{line}\n".encode() + source.randbytes(count) for _ in range(frames))


def y4m_seeds():
    for word, chroma in (("mono", (1, 1, 1)), ("420", (3, 2, 2)), ("420jpeg", (3, 2, 2)), ("420mpeg2", (3, 2, 2)),
                         ("420paldv", (3, 2, 2)), ("422", (3, 1, 2)), ("444", (3, 1, 1))):
        yield word, y4m(f" F30:1 Ip A1:1 C{word}", chroma=chroma)
    yield "one-pixel", y4m("", 3, (1, 1))
    yield "no-frames", y4m(" F25:1", 0)
    yield "parameters", y4m("  F30000:1001 It A0:0 C444 XYSCSS=444 XCOLORRANGE=FULL", line="FRAME Ipp Xother",
                            chroma=(3, 1, 1))
    for word in ("420p10", "444p16", "mono12", "444alpha", "411", "", "mono99"):
        yield f"not-{word or 'empty'}", y4m(f" C{word}")
    yield "no-width", b"YUV4MPEG2 H4\nFRAME\n"
    yield "no-height", b"YUV4MPEG2 W4\nFRAME\n"
    yield "zero", b"YUV4MPEG2 W0 H4\nFRAME\n"
    yield "too-large", b"YUV4MPEG2 W2147483647 H2147483647 C444\nFRAME\n"
    yield "overflow", b"YUV4MPEG2 W99999999999999999999 H4\nFRAME\n"
    yield "twice", b"YUV4MPEG2 W4 H4 W4\nFRAME\n"
    yield "bad-rate", y4m(" F30:0")
    yield "bad-interlacing", y4m(" Iq")
    yield "unknown", y4m(" Zero")
    yield "zero-byte", y4m(" X\0")
    yield "long-line", y4m(" X" + "x" * 5000)
    yield "no-line-end", b"YUV4MPEG2 W4 H4"
    yield "bad-frame", y4m("", 2, line="FRAMES")
    yield "other-frame", y4m("") + b"FRANE\n"
    yield "truncated", y4m("")[:-3]
    yield "truncated-line", y4m("") + b"FRA"
    yield "truncated-first", y4m("", 1)[:-9]
    yield "other-file", b"YUV4MPEG W4 H4\n"
    yield "png", png(3, 4, 2, 8)
    yield "png-gray", png(4, 3, 0, 8)
    yield "png-alpha", png(4, 3, 6, 8)
    yield "yuy2", bytes(range(36)) * 2
    yield "empty", b""


# ---- other pictures ------------------------------------------------------------------------------
def image_seeds():
    for name in pictures.JPEG:
        yield f"jpeg-{name}", pictures.jpeg(name)
    for order, thumbnail in (("<", b"small"), (">", b"")):
        yield f"jpeg-exif-{'big' if order == '>' else 'little'}", pictures.jpeg(
            "gray", (0xe1, b"Exif\0\0" + pictures.exif(6, thumbnail, order)), (0xe2, b"ICC_PROFILE\0\1\1profile"))
    samples = [(37 * i) % 251 for i in range(5 * 6 * 4)]
    for channels in (1, 2, 3, 4):
        for code in "BHf" if channels % 2 else "BH":
            yield f"tiff-{channels}-{code}", pictures.tiff(5, 6, channels, code, samples[:30 * channels])
            yield f"tiff-{channels}-{code}-tiles", pictures.tiff(5, 6, channels, code, samples[:30 * channels], ">",
                                                                apart=channels > 1, tile=16, deflate=True)
    yield "tiff-palette", pictures.tiff(5, 6, 1, "B", samples[:30], more=[(262, 3, [3]), (320, 3, list(range(768)))])
    yield "tiff-turned", pictures.tiff(5, 6, 3, "d", samples[:90], apart=True, more=[(274, 3, [7])])
    yield "tiff-no-strips", pictures.tiff(5, 6, 1, "B", samples[:30], more=[(273, 4, None)])
    yield "tiff-large", pictures.tiff(5, 6, 1, "B", samples[:30], more=[(256, 4, [65535]), (257, 4, [65535])])
    yield "tiff-large-tile", pictures.tiff(5, 6, 1, "B", samples[:30], tile=16, more=[(322, 4, [65520])])
    page = ((5, 6, 1, "H", samples[:30]), {})
    yield "tiff-stack", pictures.tiff_stack(page, ((3, 4, 3, "B", samples[:36]), {"deflate": True}), page)
    yield "tiff-stack-loop", pictures.tiff_stack(page, page, last=68)
    yield "tiff-stack-damaged", pictures.tiff_stack(page, ((5, 6, 1, "B", samples[:30]), {"more": [(273, 4, [9999])]}))
    yield "tiff-imagej", pictures.tiff(5, 6, 1, "B", samples[:30], more=[(270, 2, b"ImageJ=1.53\nimages=9\n\0")])
    yield "tiff-extras", pictures.tiff(5, 6, 1, "B", samples[:30], more=[
        (270, 2, b"ImageJ=1.53\nunit=micron\nmax=9\0"), (282, 5, [300, 7]), (283, 5, [300, 7]), (296, 3, [3]),
        (274, 3, [6]), (34675, 7, b"profile")])
    for kind in (2, 3, 5, 6):
        for largest in (1, 200, 255, 1023, 65535):
            values = [value * largest // 255 for value in samples[:30 * (3 if kind % 3 == 0 else 1)]]
            yield f"p{kind}-{largest}", pictures.pnm(kind, 5, 6, largest, values)
    yield "pf", pictures.pfm("f", 5, 6, samples[:30])
    yield "pf-colour", pictures.pfm("F", 5, 6, samples[:90], ">")
    for kind in ("|u1", "<u2", ">u2", "<f4", ">f8"):
        yield f"npy-{kind[1:]}-{'big' if kind[0] == '>' else 'little'}", pictures.npy("(5, 6, 3)", samples[:90], kind)
    yield "npy-planes", pictures.npy("(3, 5, 6)", samples[:90])
    yield "npy-alpha", pictures.npy("(5, 6, 4)", samples[:120])
    yield "png", png(5, 6, 6, 16)
    yield "gif", b"GIF89a"
    yield "empty", b""


# ---- options: an argument a line -----------------------------------------------------------------
COMMAND_LINES = {
    "fft": "fft in.png -o out.npy --layout packed --norm ortho --gray --precision f64 --threads 2 --verbose",
    "fft-strategy": "fft --strategy cpu.fast --device 0 --max-pixels 1000 -oout.npy -- in.png",
    "fft-two-inputs": "fft a.png b.png -o c.npy",
    "fft-png": "fft a.png -o c.PNG",
    "ifft": "ifft in.npy -o out.png --width 5 --depth 16 --like like.png --layout half --norm none",
    "ifft-suffix": "ifft in.npy --output=out.jpeg",
    "spectrum": "spectrum in.png -o out.png --depth 8 --max 1e3 --gray",
    "spectrum-max": "spectrum in.png -o out.png --max nan",
    "spectrum-scale": "spectrum in.npy -o out.png --edges hann --range 5,=1e6 --gamma 2 --power --fit 1024 --reference b.png "
                      "--profile p.csv --width 7",
    "spectrum-phase": "spectrum in.png -o out.png --phase --no-shift --colormap twilight --edges none",
    "spectrum-range": "spectrum in.png -o out.png --range =,1",
    "diff": "diff a.png b.png -o c.png --tolerance 1.5 --peak 255 --json d.json --max-pixels 9 --force",
    "diff-one": "diff a.png --tolerance -1",
    "filter": "filter in.png -o out.png --bandpass 0.3nyq:40px --shape butterworth:3 --pad replicate --offset mid "
              "--notch 8,30 --notch 0.1c/px --stripes -30,50 --sharpen 2,0.5 --laplacian --linear --dry-run",
    "filter-files": "filter a.png b.png -o out/ --descreen --kernel k.txt --correlate --show-mask mask.png --quality 90 --compress small",
    "completion": "completion zsh",
    "completion-none": "completion bash fish",
    "filter-like": "filter in.png -o out.png --like imagej --bandpass 3:40 --autoscale --saturate 1",
    "filter-like-none": "filter in.png -o out.png --like skimage --shape ideal --highpass 0.1",
    "filter-table": "filter in.png -o out.npy --gain g.npy --keep-mean --wiener k.png --balance 1e-3",
    "scene": "scene 1080x1920 --rgb --depth 16 --seed 18446744073709551615 -o -",
    "scene-size": "scene 99999999999999999999x2 -o out.png",
    "scene-sequence": "scene 576x704 --sequence pan --frames 60 --chroma 420 --seed 5 -o out.y4m",
    "scene-chroma": "scene 8x8 --chroma mono -o out.y4m",
    "scene-rgb-sequence": "scene 8x8 --sequence masts --rgb -o out.y4m",
    "bench": "bench --size 64x64 --strategy cpu.fast,cpu.reference,copy --threads 1,2,2 --precision f32 --pixel u8 "
             "--layout half --operation filter --batch 2 --repeat 3 --file --json - --verbose",
    "bench-sweep": "bench --sweep 100..120:4 --strategy cpu --strategy auto",
    "bench-image": "bench --image a.png --image b.png",
    "bench-threads": "bench --threads 1,,2",
    "bench-options": "bench --strategy cuda.slm:twiddle=compute:real=tangle,cpu.fast:radix=4",
    "verify": "verify --size 3x4 --size 5x6 --strategy cpu.report --precision f64 --layout packed --batch 1 "
              "--json out.json",
    "reproduce": "reproduce dx11 --quick --image in.png --max-pixels 1 --json out.json",
    "reproduce-both": "reproduce dx11 --quick --full",
    "reproduce-fractal": "reproduce fractal --quick --image in.png --image b.png --video in.y4m --json out.json",
    "reproduce-device": "reproduce ladder --device gpu --quick --json -",
    "reproduce-all": "reproduce all --full --no-seq --json -",
    "reproduce-from": "reproduce --from a.json --from b.json c.json",
    "reproduce-from-report": "reproduce report --from a.json --quick",
    "info": "info --json - --size 12x13 --strategy cpu.reference --precision f64 --layout half --pixel u16 --batch 3 "
            "--threads 4096",
    "info-no-size": "info --batch 3",
    "fractal": "fractal",
    "fractal-help": "fractal help encode",
    "fractal-unknown": "fractal encodd in.y4m",
    "fractal-encode": "fractal encode in.y4m -o out.fvc --search cpu --threads 2 --size 576x704 --frames 3 --max-pixels 9 "
                      "--profile seed --threshold 80 --change auto --refresh 5 --no-flat --mean trunc --iterations 4 "
                      "--raw-codes --no-repeat --verbose --force",
    "fractal-history": "fractal encode in.png -o - --search seq --eliminate --device 1 --arith float --codebook device "
                       "--store-scaled --no-reorder --block 64 --unroll 4 --change every --refresh auto",
    "fractal-decode": "fractal decode in.fvc -o out.y4m --frame 3 --like in.y4m --trace step --scale 2 --bicubic b.png "
                      "--start noise --iterations 9 --max-pixels 9 --max-work 9 --force",
    "fractal-decode-same": "fractal decode in.fvc -o x.png --scale 4 --bicubic x.png",
    "fractal-info": "fractal info in.fvc --codes --json - --max-pixels 9 --max-work 9",
    "fractal-bench": "fractal bench --size 32x32 --sequence rush --frames 2 --search seq --search cpu --threads 1 "
                     "--threads 2 --repeat 2 --json -",
    "fractal-bench-file": "fractal bench in.y4m --sequence pan",
    "help": "--help",
    "command-help": "bench --help",
    "help-command": "help fft",
    "usage": "ifft --usage",
    "version": "--version",
    "unknown-command": "transfrom in.png",
    "unknown-option": "fft --strtegy cpu in.png",
    "ambiguous": "bench --s 3x3",
    "nothing": "",
}


def options_seeds():
    for name, line in COMMAND_LINES.items():
        yield name, line.replace(" ", "\n").encode()
    yield "control-characters", b"fft\n\x1b[31m\x07.png\n-o\n\xff\xfe\n--layout\n\x1b]0;\x07"
    yield "empty-names", b"fft\n\n-o\n\n--strategy\n"
    yield "many-sizes", b"verify" + b"\n--size=1x1" * 63


# ---- plans: the bytes that fuzz_plan.c takes, in its order --------------------------------------------
ISAS = ["", "plain", "v2", "v3", "v4", "other"]


def value(number):
    return bytes([number]) if number < 0xf0 else b"\xff" + struct.pack(">Q", number)


def plan(height, width, batch=1, precision=0, pixel=0, layout=0, norm=0, threads=1, device=0, reserved=0, distances=(),
         name="", isa="", numbers=b"\x70" + bytes(range(0, 250, 7))):
    """distances: of pitches and strides, image's and spectrum's, 0 or the number of elements too many, plus 2."""
    words = b"".join(map(value, (height, width, batch, precision, pixel, layout, norm, threads, device, reserved)))
    return (bytes([ISAS.index(isa)]) + words + b"".join(value(distances[i] if distances else 0) for i in range(4)) +
            bytes([len(name)]) + name.encode() + numbers)


def plan_seeds():
    sizes = [(1, 1), (1, 2), (2, 1), (3, 5), (4, 4), (8, 8), (16, 31), (32, 32), (30, 42), (17, 64), (1, 1024),
             (2039, 1), (1, 1009), (2, 512), (60, 34), (128, 16)]
    for i, (height, width) in enumerate(sizes):
        yield f"{height}x{width}", plan(height, width, 1 + i % 2, i % 2, i % 3, i // 2 % 2, i % 4, i % 4)
        yield f"{width}x{height}-half", plan(width, height, 1, (i + 1) % 2, 0, 1, 0, 1)
    for isa in ISAS[1:]:
        yield f"isa-{isa}", plan(32, 64, isa=isa)
        yield f"isa-{isa}-u8", plan(12, 20, 2, 0, 1, 1, isa=isa)
    yield "gaps", plan(9, 10, 3, distances=(5, 6, 7, 8))
    yield "gaps-half", plan(10, 9, 3, 1, 2, 1, distances=(0, 9, 12, 0))
    yield "in-place", plan(16, 16, distances=(5, 5, 5, 5))
    yield "pitch-too-small", plan(16, 16, distances=(1, 0, 0, 0))
    yield "stride-too-small", plan(16, 16, 2, distances=(0, 0, 0, 1))
    yield "stride-overflows", plan(4, 4, 3, distances=(0, 0, 2 ** 63 - 1, 0))
    yield "distant-rows", plan(4, 4, distances=(2 ** 40, 0, 0, 0))
    yield "large", plan(2 ** 31 - 1, 2 ** 31 - 1)
    yield "too-large", plan(2 ** 63, 2)
    yield "zero", plan(0, 3)
    yield "many-images", plan(1, 1, 2 ** 62)
    yield "bad-enums", plan(2, 2, 1, 2 ** 32 - 1, 2 ** 31, 2, 4)
    yield "bad-threads", plan(2, 2, threads=2 ** 32 - 5)
    yield "many-threads", plan(2, 2, threads=4097)
    yield "bad-device", plan(2, 2, device=2 ** 32 - 1)
    yield "reserved", plan(2, 2, reserved=2 ** 64 - 1)
    for name in ("auto", "cpu", "cuda", "cpu.fast", "cpu.report", "cuda.twopass",
                 "cuda.slm:twiddle=compute:real=tangle", "cpu.fast:radix=4", "cuda.slm:twiddle=lut:twiddle=lut", "cpu.",
                 "no such"):
        yield "name-" + name.replace(" ", "-").replace(":", "-").replace("=", "-"), plan(16, 16, name=name)
    yield "any-numbers", plan(15, 24, 2, 0, 1, 1, numbers=b"\xff\xff\xc0\x7f\x00\x00\x80\xff\x01\x00\x00\x00\x7f")
    yield "denormal-numbers", plan(24, 15, 1, 0, 0, 1, numbers=b"\x20\x01\xff\x00\x07")
    yield "zeros", plan(16, 8, numbers=b"")


# ---- streams of the fractal codec, as docs/fvc1.md says ------------------------------------------
SCALES = (-4, -3, -2, 1, 2, 3, 4)


def bits(*numbers):
    """Bytes of (number, bits) one behind the other."""
    text = "".join(f"{number:0{count}b}" for number, count in numbers if count)
    text += "0" * (-len(text) % 8)
    return bytes(int(text[at:at + 8], 2) for at in range(0, len(text), 8))


def table(*lengths):
    return [(len(lengths), 6), *((length, 4) for length in lengths)]


def fvc1(width, height, *frames, chroma=0, flags=1, scales=SCALES, domain_bits=0, iterations=5, fps=(25, 1), count=0,
         version=1):
    """frames: of each (type, payload of each plane ...)."""
    dense = flags & 6 != 0
    header = b"FVC1" + struct.pack("<BBHHBBBB", version, flags, width, height, chroma, 4, 2 if dense else 8, len(scales))
    header += struct.pack(f"<{len(scales)}bBBHHI", *scales, domain_bits, iterations, *fps, count)
    stream = header + struct.pack("<I", zlib.crc32(header))
    for kind, *payloads in frames:
        frame = b"".join(struct.pack("<BI", kind, len(payload)) + payload for payload in payloads)
        stream += frame + struct.pack("<I", zlib.crc32(frame))
    return stream


def raw_codes(ranges, domains, name, domain_bits=14, scale_bits=3, flat=7):
    source = random.Random(name)
    codes = []
    for _ in range(ranges):
        z = source.randrange(flat + 1)
        codes += [(source.randrange(domains) if z != flat else 0, domain_bits), (z, scale_bits),
                  (source.randrange(256), 8)]
    return codes


def fvc1_seeds():
    flat = [*table(*[0] * 7, 1), *table(1)]
    grey = (0, bits(*flat, *[(0, 2)] * 4)) # 8x8: 4 ranges, 1 domain
    unchanged = (1, bits(*table(0, 0, 0, 1), *table(), *table(), *table(), (0, 3)))
    repeated = (1, bits(*table(1), *table(0, 0, 0, 1), *table(*[0] * 8, 1), *table(), (0, 1), (0, 3), (0, 4)))
    # 16x8: 8 ranges, 2 domains; two scales and two categories of means, then changes in the middle
    mixed = (0, bits(*table(0, 1, 0, 0, 1), *table(1, 0, 1), *[(0, 1), (1, 1), (1, 1), (3, 2)], *[(1, 1), (0, 2)] * 7))
    middle = (1, bits(*table(0, 0, 1), *table(0, 0, 0, 1), *table(0, 0, 1), *table(0, 1), (0, 2), (0, 1), (0, 2), (0, 2),
                      *[(0, 1), (1, 1), (0, 1), (1, 1)] * 4))
    yield "grey", fvc1(8, 8, grey)
    yield "one-pixel", fvc1(1, 1, grey, unchanged, count=2)
    yield "repeated", fvc1(5, 7, grey, repeated, unchanged, grey)
    yield "mixed", fvc1(16, 8, mixed)
    yield "middle", fvc1(13, 6, mixed, middle)
    yield "planes-444", fvc1(8, 8, grey + grey[1:] * 2, unchanged + unchanged[1:] * 2, chroma=3)
    yield "planes-420", fvc1(15, 15, (0, bits(*flat, *[(0, 2)] * 16)) + grey[1:] * 2, chroma=2)
    raw = {"flags": 0, "domain_bits": 14}
    yield "raw", fvc1(24, 16, (0, bits(*raw_codes(24, 6, "a"))), (1, bits((1 << 23 | 5, 24), *raw_codes(3, 6, "b"))), **raw)
    yield "raw-422", fvc1(32, 8, (0, bits(*raw_codes(16, 4, "c")), *[bits(*raw_codes(8, 2, "d"))] * 2), chroma=1, **raw)
    yield "raw-bits-of-plane", fvc1(24, 8, (0, bits(*raw_codes(12, 3, "e", 2))), flags=0)
    dense = {"flags": 6, "scales": ()}
    yield "dense-raw", fvc1(12, 8, (0, bits(*raw_codes(8, 5, "f", 3, 5, 15))), iterations=10, **dense)
    yield "dense-grey", fvc1(8, 8, (0, bits(*table(*[0] * 15, 1), *table(1), *[(0, 2)] * 4)), flags=7, scales=())
    yield "two-scales", fvc1(8, 8, (0, bits(*table(1, 1), *table(1), *[(0, 2), (2, 2)] * 2)), scales=(-128, 127))
    yield "no-frames", fvc1(8, 8)
    yield "frames-missing", fvc1(8, 8, grey, count=3)
    yield "frames-too-many", fvc1(8, 8, grey, grey, count=1)
    yield "later-type", fvc1(8, 8, (2, grey[1]))
    yield "later-version", fvc1(8, 8, grey, version=2)
    yield "large", fvc1(65535, 65535, chroma=3, iterations=32)
    yield "truncated", fvc1(8, 8, grey)[:-7]
    yield "checksum", fvc1(8, 8, grey)[:-1] + b"?"
    yield "empty", b""


# ---- kernels: text, arrays and pictures ----------------------------------------------------------------
def kernel_seeds():
    yield "sobel", b"# Sobel\n1 0 -1\n2 0 -2\n\n1 0 -1\n"
    yield "commas", b"1,2;3\t4\r\n-.5, +1e-3, 0x1p-2, 7 # behind\r\n"
    yield "no-end-of-line", b"1"
    yield "ragged", b"1 2\n3\n"
    yield "words", b"1 2 x\n"
    yield "not-finite", b"1 inf nan\n"
    yield "too-large", b"1e308 1e308\n"
    yield "adds-up-to-0", b"1 -1\n"
    yield "zero-byte", b"1 2\0 3\n4 5 6\n"
    yield "nothing", b""
    yield "comment", b"#\n#"
    yield "mark", b"\xef\xbb\xbf1 2\n3 4\n"
    yield "array", npy((2, 3), "f8")
    for code in ("i1", "u2", "i4", "u8"):
        values = struct.pack("<6" + {"i1": "b", "u2": "H", "i4": "i", "u8": "Q"}[code], 1, 2, 3, 4, 5, 6)
        yield f"whole-{code}", npy_header(f"{{'descr': '<{code}', 'fortran_order': True, 'shape': (2, 3), }}\n".encode()) + values
    yield "three-dimensions", npy((2, 3, 1), "f4")
    yield "complex", npy((2, 3))
    yield "picture", b"P5 3 2 255\n\x01\x02\x01\x00\x09\xff"
    yield "black-picture", b"P5 1 1 255\n\0"


# ---- all -----------------------------------------------------------------------------------------
TARGETS = {"png": png_seeds, "image": image_seeds, "npy": npy_seeds, "y4m": y4m_seeds, "options": options_seeds,
           "plan": plan_seeds, "fvc1": fvc1_seeds, "kernel": kernel_seeds}


def stale(folder, wanted):
    """What is not there as it should be, and what should not be there."""
    there = {name for name in os.listdir(folder) if not name.startswith("found-")} if os.path.isdir(folder) else set()
    for name in sorted(there | set(wanted)):
        path = os.path.join(folder, name)
        if name not in wanted or not os.path.isfile(path) or open(path, "rb").read() != wanted[name]:
            yield path


def main():
    wrong = []
    for target, seeds in TARGETS.items():
        folder, wanted = os.path.join(HERE, "seeds", target), dict(seeds())
        if sys.argv[1:] == ["--check"]:
            wrong += stale(folder, wanted)
            continue
        os.makedirs(folder, exist_ok=True)
        for path in stale(folder, wanted):
            if os.path.basename(path) not in wanted:
                os.remove(path)
        for name, content in wanted.items():
            with open(os.path.join(folder, name), "wb") as file:
                file.write(content)
    if sys.argv[1:] == ["--check"]:
        print(f"FAIL seeds: make_seeds.py would change {' '.join(wrong)}" if wrong else "PASS seeds")
    return len(wrong) > 0


if __name__ == "__main__":
    sys.exit(main())
