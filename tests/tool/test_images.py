#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Picture files in and out: test_images.py PATH_OF_WEFT PATH_OF_IMAGE_COPY. The same picture in every format is the
same picture; what a format keeps beside pixels; files that are damaged, hostile or of another kind. Prints PASS / FAIL /
SKIP lines."""
import os
import random
import resource
import struct
import subprocess
import sys
import zlib

import pictures
import png
from test_cli import BAD_INPUT, DONE, SANITIZED, USAGE, Skip, main, weft

COPY = os.path.abspath(sys.argv[2])
MOST_MEMORY = 64 << 10  # KiB, of whatever is refused
BUILT = weft("--version").split()


def need(ending):
    if ending not in BUILT:
        raise Skip(f"this build writes no {ending}")


def save(folder, name, data):
    path = os.path.join(folder, name)
    with open(path, "wb") as file:
        file.write(data)
    return path


def load(folder, name):
    with open(os.path.join(folder, name), "rb") as file:
        return file.read()


def copy(folder, source, target, *more, expect=DONE, **environment):
    """What image_copy said."""
    done = subprocess.run([COPY, source, target, *more], cwd=folder, capture_output=True, text=True, check=False,
                          env=os.environ | environment, timeout=120)
    assert done.returncode == expect, f"{source} to {target}: exit {done.returncode}, not {expect}: {done.stderr}"
    return done.stderr.strip()


def is_the_same(folder, data, wanted):
    """A file of these bytes becomes this PNG picture."""
    save(folder, "given", data)
    copy(folder, "given", "given.png")
    got = png.read(os.path.join(folder, "given.png"))
    assert got == wanted, f"{got[:4]}, not {wanted[:4]}" if got[:4] != wanted[:4] else "other samples"


def picture(height, width, colour, depth):
    return height, width, colour, depth, png.noise(height, width, colour, depth)


def test_pnm(folder):
    for height, width in ((7, 9), (1, 1), (60, 50)):
        for colour, kinds in ((png.GRAY, (2, 5)), (png.RGB, (3, 6))):
            for depth in (8, 16):
                wanted = picture(height, width, colour, depth)
                for kind in kinds:
                    is_the_same(folder, pictures.pnm(kind, height, width, (1 << depth) - 1, wanted[4]), wanted)


def test_pnm_of_few_levels(folder):
    """They are spread over all that there are."""
    for largest, white in ((1, 255), (3, 255), (200, 255), (256, 65535), (1023, 65535)):
        levels = [0, largest, largest // 2, 1]
        wanted = [(2 * level * white + largest) // (2 * largest) for level in levels]
        for kind in (2, 5):
            is_the_same(folder, pictures.pnm(kind, 2, 2, largest, levels),
                        (2, 2, png.GRAY, 8 if white == 255 else 16, wanted))


def test_npy(folder):
    for depth, kinds in ((8, ("|u1",)), (16, ("<u2", ">u2"))):
        for kind in kinds:
            gray, colours = picture(7, 9, png.GRAY, depth), picture(7, 9, png.RGB, depth)
            is_the_same(folder, pictures.npy("(7, 9)", gray[4], kind), gray)
            is_the_same(folder, pictures.npy("(1, 7, 9)", gray[4], kind), gray)
            is_the_same(folder, pictures.npy("(7, 9, 1)", gray[4], kind), gray)
            is_the_same(folder, pictures.npy("(3, 7, 9)", pictures.planes_first(colours[4], 3), kind), colours)
            is_the_same(folder, pictures.npy("(7, 9, 3)", colours[4], kind), colours)
            alpha = picture(7, 9, png.RGB_ALPHA, depth)
            is_the_same(folder, pictures.npy("(7, 9, 4)", alpha[4], kind), alpha)
            colours, alpha = picture(1, 9, png.RGB, depth), picture(1, 9, png.RGB_ALPHA, depth)  # one row of colours is no gray picture
            is_the_same(folder, pictures.npy("(1, 9, 3)", colours[4], kind), colours)
            is_the_same(folder, pictures.npy("(1, 9, 4)", alpha[4], kind), alpha)


def test_tiff(folder):
    need(".tif")
    for colour, channels in ((png.GRAY, 1), (png.RGB, 3), (png.GRAY_ALPHA, 2), (png.RGB_ALPHA, 4)):
        for depth, code in ((8, "B"), (16, "H")):
            for height, width in ((7, 9), (33, 40)):
                wanted = picture(height, width, colour, depth)
                for options in ({}, {"order": ">"}, {"apart": True}, {"tile": 16}, {"tile": 16, "apart": True},
                                {"deflate": True}, {"deflate": True, "tile": 32, "order": ">"}):
                    is_the_same(folder, pictures.tiff(height, width, channels, code, wanted[4], **options), wanted)


def test_tiff_of_other_colours(folder):
    need(".tif")
    wanted = picture(5, 6, png.GRAY, 8)
    dark = [255 - value for value in wanted[4]]
    is_the_same(folder, pictures.tiff(5, 6, 1, "B", dark, more=[(262, 3, [0])]), wanted)
    levels = [random.Random(7).randrange(256) for _ in range(3 * 256)]
    colours = (5, 6, png.RGB, 8, [levels[256 * c + index] for index in wanted[4] for c in range(3)])
    for scale in (257, 256, 1):  # the last is wrong, and found in files
        is_the_same(folder, pictures.tiff(5, 6, 1, "B", wanted[4],
                                          more=[(262, 3, [3]), (320, 3, [level * scale for level in levels])]), colours)


def test_floats(folder):
    """The same numbers in each format."""
    source = random.Random(5)
    for height, width, channels, letter in ((7, 9, 1, "f"), (5, 6, 3, "F")):
        exact = [source.randrange(-2**20, 2**20) / 1024 for _ in range(height * width * channels)]
        shape = f"({height}, {width})" if channels == 1 else f"({channels}, {height}, {width})"
        numbers = pictures.planes_first(exact, channels)
        wanted = pictures.npy(shape, numbers, "<f4")
        files = [wanted, pictures.npy(shape, numbers, "<f8"), pictures.npy(shape, numbers, ">f4"),
                 pictures.pfm(letter, height, width, exact), pictures.pfm(letter, height, width, exact, ">")]
        if ".tif" in BUILT:
            files += [pictures.tiff(height, width, channels, code, exact, **options) for code in "fd"
                      for options in ({}, {"order": ">"}, {"tile": 16})]
        for number, data in enumerate(files):
            save(folder, "given", data)
            copy(folder, "given", "given.npy")
            values = len(wanted) - 4 * len(exact)
            assert load(folder, "given.npy")[-4 * len(exact):] == wanted[values:], (number, shape)
        for ending in [".npy", ".pfm"] + [".tif"] * (".tif" in BUILT):
            copy(folder, "given", "out" + ending)
            copy(folder, "out" + ending, "again.npy")
            assert load(folder, "again.npy") == load(folder, "given.npy"), ending
        assert "holds no floats" in copy(folder, "given", "out.png", expect=USAGE)
    for value in (float("nan"), float("inf")):
        for data in (pictures.npy("(1, 2)", [1, value], "<f4"), pictures.pfm("f", 1, 2, [1, value])):
            save(folder, "given", data)
            assert "no finite number in 1 of its samples" in copy(folder, "given", "out.npy", expect=BAD_INPUT)
    save(folder, "given", pictures.npy("(1, 2)", [1, 1e300], "<f8"))
    assert "no finite number in 1 of its samples" in copy(folder, "given", "out.npy", expect=BAD_INPUT)


def test_there_and_back(folder):
    """Every format that holds all of a picture gives it back; of those that do not, it is said."""
    for colour, ending_of_pnm in ((png.GRAY, ".pgm"), (png.RGB, ".ppm"), (png.GRAY_ALPHA, ""), (png.RGB_ALPHA, "")):
        for depth in (8, 16):
            for height, width in ((7, 9), (50, 60)):
                wanted = picture(height, width, colour, depth)
                png.write(os.path.join(folder, "in.png"), *wanted)
                has_alpha = colour in (png.GRAY_ALPHA, png.RGB_ALPHA)
                for ending in [".png"] + [".tif"] * (".tif" in BUILT) + ([] if has_alpha else [".npy", ending_of_pnm, ".pnm"]):
                    for more in ([], ["1000000", "small"]):
                        assert copy(folder, "in.png", "out" + ending, *more) == ""
                        copy(folder, "out" + ending, "back.png")
                        assert png.read(os.path.join(folder, "back.png")) == wanted, (wanted[:4], ending, more)
                if has_alpha:
                    assert "has no alpha, which is left out" in copy(folder, "in.png", "out.npy")
    png.write(os.path.join(folder, "in.png"), *picture(3, 4, png.RGB, 8))
    assert "name it .ppm" in copy(folder, "in.png", "out.pgm", expect=USAGE)
    assert "must end in .png" in copy(folder, "in.png", "out.bmp", expect=USAGE)
    assert not os.path.exists(os.path.join(folder, "out.bmp"))


def test_spectra_of_every_format(folder):
    """weft fft sees no difference, and weft ifft gives the picture back in any."""
    wanted = picture(7, 9, png.RGB, 8)
    png.write(os.path.join(folder, "in.png"), *wanted)
    weft("fft", "in.png", "-o", "wanted.npy", cwd=folder)
    for ending in [".ppm", ".npy"] + [".tif"] * (".tif" in BUILT):
        weft("ifft", "wanted.npy", "-o", "p.pfm" if ending == ".npy" else "p" + ending, cwd=folder)
        copy(folder, "in.png", "p" + ending)
        weft("fft", "p" + ending, "-o", "x.npy", cwd=folder)
        assert load(folder, "x.npy") == load(folder, "wanted.npy"), ending
        with open(os.path.join(folder, "p" + ending), "rb") as file:
            weft("fft", "-", "-o", "y.npy", cwd=folder, stdin=file)
        with subprocess.Popen(["cat", os.path.join(folder, "p" + ending)], stdout=subprocess.PIPE) as pipe:
            weft("fft", "-", "-o", "z.npy", cwd=folder, stdin=pipe.stdout)
        assert load(folder, "y.npy") == load(folder, "z.npy") == load(folder, "x.npy"), f"standard input, {ending}"
    weft("fft", "p.pfm", "-o", "x.npy", cwd=folder)
    said = weft("ifft", "x.npy", "-o", "out.png", cwd=folder, expect=USAGE, said=True)
    assert "holds no floats" in said, said
    weft("ifft", "x.npy", "--depth", "8", "-o", "out.png", cwd=folder)
    assert png.read(os.path.join(folder, "out.png")) == wanted
    weft("fft", "wanted.npy", "-o", "x.npy", cwd=folder, expect=BAD_INPUT)


def test_jpeg(folder):
    need(".jpg")
    save(folder, "in.jpg", pictures.jpeg("colour"))
    copy(folder, "in.jpg", "in.png")
    height, width, colour, depth, samples = png.read(os.path.join(folder, "in.png"))
    assert (height, width, colour, depth, samples[:6]) == (7, 9, png.RGB, 8, [24, 0, 223, 22, 0, 218])
    is_the_same(folder, pictures.jpeg("progressive"), (height, width, colour, depth, samples))
    save(folder, "gray.jpg", pictures.jpeg("gray"))
    copy(folder, "gray.jpg", "gray.png")
    assert png.read(os.path.join(folder, "gray.png"))[:4] == (7, 9, png.GRAY, 8)
    smooth = [[16 * k + 4 * m + 20 * c for c in range(3)] for k in range(8) for m in range(16)]
    wanted = (8, 16, png.RGB, 8, [value for pixel in smooth for value in pixel])
    png.write(os.path.join(folder, "smooth.png"), *wanted)
    for more in ([], ["1000", "small"]):
        copy(folder, "smooth.png", "smooth.jpg", *more)
        copy(folder, "smooth.jpg", "back.png")
        back = png.read(os.path.join(folder, "back.png"))
        assert back[:4] == wanted[:4] and max(abs(a - b) for a, b in zip(back[4], wanted[4])) <= 6, back
    png.write(os.path.join(folder, "deep.png"), *picture(4, 5, png.GRAY, 16))
    assert "16 are rounded" in copy(folder, "deep.png", "deep.jpg")
    save(folder, "inks.jpg", pictures.jpeg("cmyk"))
    assert "convert inks.jpg -colorspace sRGB" in copy(folder, "inks.jpg", "out.png", expect=BAD_INPUT)


def turned(height, width, pixels, orientation):
    """Where pixels lie once the picture is upright: (height, width, pixels)."""
    rows = [pixels[k * width:(k + 1) * width] for k in range(height)]
    if orientation in (3, 4, 6, 7):
        rows.reverse()
    if orientation in (2, 3, 7, 8):
        rows = [row[::-1] for row in rows]
    if orientation >= 5:
        rows = [list(column) for column in zip(*rows)]
    return len(rows), len(rows[0]), [pixel for row in rows for pixel in row]


def test_orientation(folder):
    """What EXIF or TIFF says; it is not said again."""
    stored = picture(7, 9, png.RGB, 8)
    pixels = [tuple(stored[4][i:i + 3]) for i in range(0, len(stored[4]), 3)]
    save(folder, "plain.jpg", pictures.jpeg("colour")) if ".jpg" in BUILT else None
    for orientation in range(1, 9):
        height, width, upright = turned(7, 9, pixels, orientation)
        if ".tif" in BUILT:
            is_the_same(folder, pictures.tiff(7, 9, 3, "B", stored[4], more=[(274, 3, [orientation])]),
                        (height, width, png.RGB, 8, [value for pixel in upright for value in pixel]))
        for order in "<>" * (".jpg" in BUILT):
            copy(folder, "plain.jpg", "plain.png")
            flat = png.read(os.path.join(folder, "plain.png"))[4]
            height, width, upright = turned(7, 9, [tuple(flat[i:i + 3]) for i in range(0, len(flat), 3)], orientation)
            thumbnail = b"what the camera saw" * 3
            data = pictures.jpeg("colour", (0xe1, b"Exif\0\0" + pictures.exif(orientation, thumbnail, order)))
            data = data[:13] + struct.pack(">BHH", 1, 300, 200) + data[18:]  # so many pixels an inch across and down
            is_the_same(folder, data, (height, width, png.RGB, 8, [value for pixel in upright for value in pixel]))
            copy(folder, "given", "again.jpg")
            again = load(folder, "again.jpg")
            assert pictures.exif(1, b"", order)[:20] in again, "EXIF is lost, or says the orientation again"
            assert b"camera saw" in data and b"camera saw" not in again, "the small picture is still there"
            assert again[13:18] == struct.pack(">BHH", 1, *((300, 200) if orientation < 5 else (200, 300))), again[:20]


def test_orientation_of_sizes(folder):
    """What EXIF says of the picture's sides is turned with them."""
    if ".jpg" not in BUILT:
        raise Skip("built without JPEG")
    for orientation in range(1, 9):
        for order in "<>":
            given = pictures.camera_exif(orientation, order, 640, 480)
            save(folder, "given.jpg", pictures.jpeg("colour", (0xe1, b"Exif\0\0" + given)))
            copy(folder, "given.jpg", "again.jpg")
            again = load(folder, "again.jpg")
            start = again.index(b"Exif\0\0") + 6
            found = again[start:start + len(given)]
            across, down = (struct.unpack(order + "I", found[at:at + 4])[0] for at in (30, 42))
            resolutions = [struct.unpack(order + "II", found[at:at + 8]) for at in (across, down)]
            sides = [struct.unpack(order + "I", found[at:at + 4])[0] for at in (72, 84)]
            wanted = [(300, 1), (200, 1)], [640, 480]
            assert (resolutions, sides) == wanted if orientation < 5 else (
                resolutions[::-1], sides[::-1]) == wanted, f"{orientation} {order}: {resolutions}, {sides}"


def test_extras(folder):
    """From PNG to PNG and from JPEG to JPEG."""
    chunks = [(b"iCCP", b"profile\0\0" + zlib.compress(bytes(200))), (b"gAMA", struct.pack(">I", 45455)),
              (b"pHYs", struct.pack(">IIB", 2835, 2836, 1)), (b"eXIf", pictures.exif(6, b"what the camera saw"))]
    plain = os.path.join(folder, "plain.png")
    png.write(plain, *picture(5, 6, png.RGB, 8))
    data = load(folder, "plain.png")
    text = png.chunk(b"tEXt", b"Comment\0forget me")
    save(folder, "in.png", data[:33] + b"".join(png.chunk(*each) for each in chunks) + text + data[33:])
    copy(folder, "in.png", "out.png")
    out = load(folder, "out.png")
    for name, body in chunks[:3]:
        assert png.chunk(name, body) in out, name
    assert b"eXIf" in out and b"camera saw" not in out and b"forget me" not in out
    assert png.read(os.path.join(folder, "out.png")) == png.read(plain)
    save(folder, "many.png", data[:33] + png.chunk(b"eXIf", b"II*\0") * 2000 + data[33:])
    copy(folder, "many.png", "out.png", expect=BAD_INPUT)
    need(".jpg")
    assert "profile is not one of a colour picture; left out" in copy(folder, "in.png", "out.jpg")
    assert b"profile" not in load(folder, "out.jpg") and b"ICC" not in load(folder, "out.jpg")
    profile = bytes(range(200))
    save(folder, "in.jpg", pictures.jpeg("colour", (0xe2, b"ICC_PROFILE\0\1\1" + profile)).replace(
        b"JFIF\0\1\1\0\0\1\0\1", b"JFIF\0\1\1\1\0\x7b\0\x7c"))
    copy(folder, "in.jpg", "out.jpg")
    out = load(folder, "out.jpg")
    assert b"ICC_PROFILE\0\1\1" + profile in out and b"JFIF\0\1\1\1\0\x7b\0\x7c" in out


def test_extras_of_tiff(folder):
    """From TIFF to TIFF: resolution, profile, and of descriptions those of ImageJ, without what no longer holds."""
    need(".tif")
    said = b"ImageJ=1.54f\nimages=3\nslices=3\nunit=micron\nspacing=0.5\nmin=7.0\nmax=90.0\n\0"
    kept = b"ImageJ=1.54f\nslices=3\nunit=micron\nspacing=0.5\n\0"
    profile = bytes(range(200))
    more = [(282, 5, [15384615, 1000000]), (283, 5, [300, 7]), (296, 3, [3]), (34675, 7, profile), (270, 2, said)]
    samples = samples_of(90)

    def tags_of(more, **options):
        save(folder, "in.tif", pictures.tiff_stack(*[((5, 6, 3, "B", samples), {"more": more})] * 3, **options))
        weft("filter", "in.tif", "-o", "out.tif", "--gaussian", 1, "--page", 2, cwd=folder)
        return next(pictures.tiff_tags(load(folder, "out.tif")))

    def fraction(pair):
        return pair[0] / pair[1]

    for order in "<>":
        tags = tags_of(more, order=order)
        assert abs(fraction(tags[282]) - 15.384615) < 1e-5 and abs(fraction(tags[283]) - 300 / 7) < 1e-5, tags
        assert tags[296] == (3,) and bytes(tags[34675]) == profile and bytes(tags[270]) == kept, tags
    tags = tags_of(more + [(274, 3, [6])])
    assert abs(fraction(tags[283]) - 15.384615) < 1e-5 and abs(fraction(tags[282]) - 300 / 7) < 1e-5, "turned"
    for other in (b"<OME xmlns", b"a stack\nImageJ=1\n", b""):
        assert 270 not in tags_of([(270, 2, other + b"\0")]), other
    for wrong in ([0, 1], [0, 0], [1, 0]):
        tags = tags_of([(282, 5, wrong), (283, 5, [300, 1]), (34675, 7, None)])
        assert not {282, 283, 296, 34675} & set(tags), tags
    save(folder, "one.tif", pictures.tiff(5, 6, 3, "B", samples, more=more[:4]))
    for name in ("out.png", "out.jpg"):
        assert "left out" in copy(folder, "one.tif", name)
        assert profile not in load(folder, name) and b"pHYs" not in load(folder, name)
    png.write(os.path.join(folder, "plain.png"), *picture(5, 6, png.RGB, 8))
    copy(folder, "plain.png", "out.tif")
    assert not {270, 282, 283, 296, 34675} & set(next(pictures.tiff_tags(load(folder, "out.tif"))))


def profile_in(data):
    """Of a file that this build wrote; None if it has none."""
    if data[:1] == b"I":
        return bytes(next(pictures.tiff_tags(data)).get(34675, b"")) or None
    if data[:1] == b"\xff":
        at = data.find(b"ICC_PROFILE\0\1\1")
        return data[at + 14:at - 2 + struct.unpack(">H", data[at - 2:at])[0]] if at > 0 else None
    at = data.find(b"iCCP")
    size = struct.unpack(">I", data[at - 4:at])[0]
    chunk = data[at:at + 4 + size]
    assert at < 0 or png.chunk(b"iCCP", chunk[4:]) in data, "checksum"
    return zlib.decompress(chunk[chunk.index(b"\0") + 2:]) if at > 0 else None


def test_profiles(folder):
    """From any format to any other that has one, where its colours are those of the picture; what is lost is said."""
    need(".jpg")
    need(".tif")
    gray, colour = (bytes(16) + word + bytes(range(256)) * 9 for word in (b"GRAY", b"RGB "))
    for kind, channels, fits, other in (("gray", 1, gray, colour), ("colour", 3, colour, gray)):
        plain = os.path.join(folder, "plain.png")
        png.write(plain, *picture(5, 6, png.RGB if channels == 3 else png.GRAY, 8))
        data = load(folder, "plain.png")

        def make(profile):
            packed = profile if profile == b"damaged" else zlib.compress(profile)
            save(folder, "in.png", data[:33] + png.chunk(b"iCCP", b"any name\0\0" + packed) + data[33:])
            save(folder, "in.jpg", pictures.jpeg(kind, (0xe2, b"ICC_PROFILE\0\1\1" + profile)))
            save(folder, "in.tif", pictures.tiff(5, 6, channels, "B", samples_of(30 * channels), more=[(34675, 7, profile)]))

        endings = [".png", ".jpg", ".tif"]
        for source in endings:
            make(fits)
            for target in endings:
                said = copy(folder, "in" + source, "out" + target)
                assert profile_in(load(folder, "out" + target)) == fits and "profile" not in said, (kind, source, target, said)
            weft("filter", "in" + source, "-o", "out" + endings[source == ".png"], "--gaussian", 1, cwd=folder)
            assert profile_in(load(folder, "out" + endings[source == ".png"])) == fits, (kind, source)
            for target in (".npy", ".pnm"):
                said = copy(folder, "in" + source, "out" + target)
                assert said.endswith("its format has no colour profile, which is left out"), said
            for wrong in (other, fits[:100], b"damaged"):
                make(wrong)
                for target in endings:
                    if target != source:
                        said = copy(folder, "in" + source, "out" + target)
                        assert f"is not one of a {kind} picture; left out" in said, said
                        assert profile_in(load(folder, "out" + target)) is None, (kind, source, target)
    for name in (b"iCCP", b"eXIf", b"gAMA"):
        save(folder, "in.png", data[:33] + png.chunk(name, b"") + data[33:])
        assert copy(folder, "in.png", "out.png") == "", f"an empty {name}"
        assert name not in load(folder, "out.png"), f"an empty {name}"


def test_threads_make_no_difference(folder):
    png.write(os.path.join(folder, "in.png"), *picture(400, 700, png.GRAY, 16))
    for more in ([], ["1000000", "small"]):
        found = set()
        for threads in (1, 2, 3, 7):
            copy(folder, "in.png", f"{threads}.png", *more, OMP_NUM_THREADS=str(threads))
            found.add(load(folder, f"{threads}.png"))
        assert len(found) == 1 and png.read(os.path.join(folder, "1.png")) == png.read(os.path.join(folder, "in.png")), more


# ---- what is refused -----------------------------------------------------------------------------
def samples_of(count):
    return [(37 * i) % 256 for i in range(count)]


def good_files():
    """A small file of each kind."""
    yield "p2", pictures.pnm(2, 5, 6, 255, samples_of(30))
    yield "p6", pictures.pnm(6, 5, 6, 255, samples_of(90))
    yield "pf", pictures.pfm("F", 5, 6, samples_of(90))
    yield "npy", pictures.npy("(5, 6, 3)", samples_of(90))
    yield "npy-f8", pictures.npy("(5, 6)", samples_of(30), ">f8")
    if ".jpg" in BUILT:
        yield "jpeg", pictures.jpeg("colour", (0xe1, b"Exif\0\0" + pictures.exif(6, b"small")))
        yield "jpeg-progressive", pictures.jpeg("progressive")
    if ".tif" in BUILT:
        yield "tiff", pictures.tiff(5, 6, 3, "B", samples_of(90))
        yield "tiff-tiles", pictures.tiff(5, 6, 1, "H", samples_of(30), tile=16, deflate=True, order=">")


def outcome(folder, data):
    """(exit code, what was said, KiB of memory) of a file of these bytes."""
    save(folder, "bad", data)
    done = subprocess.run([COPY, "bad", "out.npy"], cwd=folder, capture_output=True, timeout=120, check=False)
    return done.returncode, done.stderr.decode(errors="replace").strip(), int(done.stdout or 0)


def must_be_refused(folder, name, data, *words):
    code, said, memory = outcome(folder, data)
    assert code == BAD_INPUT and said.startswith("weft: bad: ") and "\n" not in said, f"{name}: exit {code}: {said}"
    assert SANITIZED or memory <= MOST_MEMORY, f"{name}: {memory} KiB"
    assert all(word in said for word in words), f"{name}: {said}"
    assert not os.path.exists(os.path.join(folder, "out.npy")), f"{name}: left a file"


def test_truncated(folder):
    """Wherever a file ends."""
    for name, data in good_files():
        code, said, _ = outcome(folder, data)
        assert (code, said) == (DONE, ""), f"{name}: exit {code}: {said}"
        os.remove(os.path.join(folder, "out.npy"))
        sizes = {*range(1, 7), *range(7, len(data), max(1, len(data) // 8)), len(data) - 8}
        for size in sorted(sizes):
            must_be_refused(folder, f"{name}, {size} bytes", data[:size])


def test_damaged(folder):
    """A picture, or a message; never anything else."""
    for name, data in good_files():
        source = random.Random(name)
        for _ in range(25):
            bad = bytearray(data)
            for _ in range(source.randrange(1, 4)):
                bad[source.randrange(len(bad))] = source.choice([0, 1, 0x7f, 0x80, 0xff, source.randrange(256)])
            code, said, memory = outcome(folder, bytes(bad))
            assert code in (DONE, BAD_INPUT) and said.startswith("weft: bad: " if code else ""), f"{name}: exit {code}: {said}"
            assert SANITIZED or memory <= MOST_MEMORY or code == DONE, f"{name}: {memory} KiB: {said}"
            if os.path.exists(os.path.join(folder, "out.npy")):
                os.remove(os.path.join(folder, "out.npy"))


def test_bombs(folder):
    """Small files that claim large pictures."""
    limit = "--max-pixels is 1073741824"
    must_be_refused(folder, "pgm", b"P5 65535 65535 255\n", "65535x65535", limit)
    must_be_refused(folder, "pgm, sides", b"P5 2147483647 2147483647 255\n", limit)
    must_be_refused(folder, "pgm, digits", b"P5 99999999999999999999 1 255\n", "should be 1 to")
    must_be_refused(folder, "pfm", b"PF 65535 65535 -1\n", limit)
    must_be_refused(folder, "npy", pictures.npy("(65535, 65535)", []), limit)
    must_be_refused(folder, "npy within the limit", pictures.npy("(30000, 30000)", []), "truncated")
    must_be_refused(folder, "npy, sides", pictures.npy("(2147483647, 2147483647, 3)", [], "<f8"), "larger than any memory")
    must_be_refused(folder, "pgm within the limit", b"P5 30000 30000 255\n", "truncated")
    if ".jpg" in BUILT:
        large = pictures.jpeg("colour").replace(b"\xff\xc0\0\x11\x08\0\x07\0\x09", b"\xff\xc0\0\x11\x08\xff\xdc\xff\xdc")
        must_be_refused(folder, "jpeg", large, "65500x65500", limit)
        scans = pictures.jpeg("progressive")
        first = scans.index(b"\xff\xda")
        second = scans.index(b"\xff\xc4", first)
        many = scans[:first] + scans[first:second] * 300 + scans[second:]
        must_be_refused(folder, "jpeg of many scans", many, "damaged JPEG")
    if ".tif" in BUILT:
        for side, word in ((65535, limit), (2**32 - 1, "damaged TIFF")):
            must_be_refused(folder, "tiff", pictures.tiff(
                5, 6, 1, "B", samples_of(30), more=[(256, 4, [side]), (257, 4, [side])]), word)
        must_be_refused(folder, "tiff of a tile", pictures.tiff(
            5, 6, 1, "B", samples_of(30), tile=16, more=[(322, 4, [65520]), (323, 4, [65520])]), "damaged TIFF: tiles")
        must_be_refused(folder, "tiff within the limit", pictures.tiff(
            5, 6, 1, "B", samples_of(30), more=[(256, 4, [30000]), (257, 4, [30000])]), "damaged TIFF")
    for name, data in (("png", None), ("p5", pictures.pnm(5, 10, 10, 255, samples_of(100)))):
        if data is None:
            png.write(os.path.join(folder, "x.png"), 10, 10, png.GRAY, 8, samples_of(100))
            data = load(folder, "x.png")
        save(folder, "x", data)
        assert "10x10 is 100 pixels; --max-pixels is 99" in copy(folder, "x", "y.png", "99", expect=BAD_INPUT), name
        copy(folder, "x", "y.png", "100")


def test_refused_in_words(folder):
    """Other formats, and what is not taken of these, with the command that converts it."""
    for start, kind in ((b"GIF89a", "a GIF picture"), (b"BM", "a BMP picture"), (b"RIFF", "WebP"), (b"P4\n", "a PBM picture"),
                        (b"\0\0\0\x18ftypheic", "a HEIF or AVIF picture")):
        must_be_refused(folder, kind, start + bytes(50), kind, "convert it first: convert bad picture.png")
    must_be_refused(folder, "a text", b"what is this" + bytes(50), "no picture but something else; read are .png")
    must_be_refused(folder, "empty", b"", "empty file")
    for name, data, word in (
            ("no maximum", b"P5 3 3 0 ", "should be 1 to 65535"), ("no number", b"P6 x 3 255\n", "'x'"),
            ("letters", b"P5x 3 3 255\n", "no white space"), ("too white", pictures.pnm(5, 1, 2, 200, [1, 201]), "larger than"),
            ("scale", b"PF 1 1 zero\n", "its scale"), ("two pictures", pictures.pnm(5, 1, 2, 255, [1, 2]) * 2, "pamsplit"),
            ("complex", pictures.npy("(1, 2)", [1, 2], "<f8").replace(b"f8", b"c8"), "weft ifft"),
            ("whole numbers", pictures.npy("(1, 2)", [1, 2], "<f8").replace(b"f8", b"i8"), "astype()"),
            ("one dimension", pictures.npy("(2,)", [1, 2]), "a picture is (rows, columns)"),
            ("four planes", pictures.npy("(4, 2, 2)", samples_of(16)), "a picture is (rows, columns)")):
        must_be_refused(folder, name, data, word)
    need(".tif")
    page = (5, 6, 1, "B", samples_of(30))
    for name, data, word in (
            ("pages", pictures.tiff_stack((page, {}), (page, {})), "a stack of 2 pages, of which one is wanted; give a file that has it alone"),
            ("pages in a circle", pictures.tiff_stack((page, {}), (page, {}), last=38), "damaged TIFF"),
            ("pages of ImageJ", pictures.tiff(*page, more=[(270, 2, b"ImageJ=1.53\nimages=9\n\0")]), "as an image sequence"),
            ("a RAW file", pictures.tiff(*page, more=[(254, 4, [1]), (330, 4, [8])]), "RAW file, which is not read; develop it"),
            ("many pages", pictures.tiff_stack(*[((1, 1, 1, "B", [0]), {})] * 65536), "more than 65535 pages"),
            ("compression", pictures.tiff(5, 6, 1, "B", samples_of(30), more=[(259, 3, [4])]), "compression"),
            ("bits", pictures.tiff(5, 6, 1, "B", samples_of(30), more=[(258, 3, [4])]), "samples"),
            ("signs", pictures.tiff(5, 6, 1, "B", samples_of(30), more=[(339, 3, [2])]), "samples"),
            ("channels", pictures.tiff(5, 6, 2, "B", samples_of(60), more=[(338, 3, [0])]), "channels"),
            ("colours", pictures.tiff(5, 6, 3, "B", samples_of(90), more=[(262, 3, [8])]), "colours"),
            ("planes", pictures.tiff(5, 6, 3, "B", samples_of(90), more=[(277, 3, [60000])]), "")):
        must_be_refused(folder, name, data, word)


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sys.exit(main(globals()))
