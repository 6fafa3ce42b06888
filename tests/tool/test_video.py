#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Files of videos: test_video.py PATH_OF_WEFT PATH_OF_DISTURBING PATH_OF_VIDEO_FRAMES. Y4M of every kind, from files and
pipes, raw YUY2, pictures as videos, what is refused and in which words, and writing what was read; the sequences of
`weft scene`; the clip of data/video. Prints PASS / FAIL / SKIP lines."""
import hashlib
import os
import random
import signal
import subprocess
import sys
import zlib

import pictures
import png
from test_cli import BAD_INPUT, DONE, FILE, SIGNAL, USAGE, disturbing, interrupt, main, weft
from test_failures import walk

VIDEO_FRAMES = os.path.abspath(sys.argv[3]) if len(sys.argv) > 3 else "video_frames"
DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../data/video")
# Planes, and rows and columns of Y for one of Cb and Cr.
CHROMAS = {"mono": (1, 1, 1), "420": (3, 2, 2), "420jpeg": (3, 2, 2), "420mpeg2": (3, 2, 2), "420paldv": (3, 2, 2),
           "422": (3, 1, 2), "444": (3, 1, 1)}
CLIP_HASH = "2ee88b9b90316d047b5f576e39867172de999c4d704d46c9db2cbe2437c7b464"
# CRC-32 of their first frames, 45x77.
SEQUENCES = {"pan": [0x2851b3ee, 0xc47d8d30, 0xfb465ae2, 0x0fb38f04],
             "flash": [0x0bbaeafc, 0xb6b4f9eb, 0x3411de29, 0x0bbaeafc],
             "masts": [0xd44825a8, 0x385d70eb, 0x867b6056, 0xb92def6c],
             "discs": [0x10511b31, 0x4acca8cd, 0x701b0170, 0x85314a7a],
             "rush": [0x616b04e3, 0xd1d9da3e, 0x8fccdb8d, 0x1fccae61]}
GRID = [(1, 1), (1, 6), (5, 1), (4, 6), (5, 7), (288, 352)]


def frame_bytes(height, width, chroma):
    planes, row_step, column_step = CHROMAS[chroma]
    return height * width + (planes - 1) * -(-height // row_step) * -(-width // column_step)


def noise(count, seed=1):
    return random.Random(seed).randbytes(count)


def y4m(header, *frames, line="FRAME"):
    return f"YUV4MPEG2 {header}\n".encode() + b"".join(f"{line}\n".encode() + frame for frame in frames)


def save(folder, data, name="in.y4m"):
    path = os.path.join(folder, name)
    with open(path, "wb") as file:
        file.write(data)
    return path


def run(path, size="0", *output, expect=DONE, **more):
    """What video_frames prints, and what it says on standard error."""
    done = subprocess.run([VIDEO_FRAMES, path, size, *output], capture_output=True, text=True, timeout=60, check=False,
                          **more)
    assert done.returncode == expect, f"exit {done.returncode}, not {expect}: {done.stderr}"
    return done.stdout, done.stderr


def frames_of(printed):
    """The first line, and the CRC of each frame."""
    first, *lines = printed.splitlines()
    assert [int(line.split()[0]) for line in lines] == list(range(len(lines))), printed
    return first, [int(line.split()[1], 16) for line in lines]


def check_frames(path, first, *frames, size="0", warns=False, **more):
    printed, said = run(path, size, **more)
    assert frames_of(printed) == (first, [zlib.crc32(frame) for frame in frames]), printed
    assert bool(said) == warns, said


def check_refusal(path, words, size="0", code=BAD_INPUT, **more):
    """In one line, and nothing is left where it was to be written."""
    out = os.path.join(os.path.dirname(path), "out.y4m")
    for output in ((), (out,)):
        _, said = run(path, size, *output, expect=code, **more)
        assert said.startswith("weft: ") and said.count("\n") == 1 and words in said, f"not {words!r}: {said}"
    assert not os.path.exists(out)


def test_chromas(folder):
    """Sides of Cb and Cr are rounded up; written again it is the same file."""
    for chroma in CHROMAS:
        for height, width in GRID:
            frames = [noise(frame_bytes(height, width, chroma), seed) for seed in range(3)]
            data = y4m(f"W{width} H{height} F30000:1001 Ip A1:1 C{chroma}", *frames)
            path = save(folder, data)
            check_frames(path, f"Y4M {height}x{width} {chroma} 30000:1001 1:1 p", *frames)
            run(path, "0", os.path.join(folder, "out.y4m"))
            with open(os.path.join(folder, "out.y4m"), "rb") as file:
                assert file.read() == data, f"{chroma} {height}x{width}: written as another file"


def test_parameters(folder):
    """In any order, few or many; those of X and of frames are comments."""
    frame = noise(frame_bytes(5, 7, "420"))
    for header, first in (("W7 H5", "420jpeg 0:0 0:0 ?"), ("H5 W7", "420jpeg 0:0 0:0 ?"),
                          ("C420 W7  H5 ", "420 0:0 0:0 ?"), ("W7 H5 F25:1 I? A0:0", "420jpeg 25:1 0:0 ?"),
                          ("W7 H5 XYSCSS=420MPEG2 C420mpeg2 XCOLORRANGE=FULL X", "420mpeg2 0:0 0:0 ?"),
                          ("W7 H5 X" + "x" * 4000, "420jpeg 0:0 0:0 ?")):
        for line in ("FRAME", "FRAME Ipp", "FRAME X" + "y" * 4000, "FRAME "):
            path = save(folder, y4m(header, frame, frame, line=line))
            check_frames(path, f"Y4M 5x7 {first}", frame, frame)


def test_interlaced(folder):
    frame = noise(frame_bytes(4, 6, "422"))
    for letter in "tbm":
        path = save(folder, y4m(f"W6 H4 I{letter} C422", frame))
        check_frames(path, f"Y4M 4x6 422 0:0 0:0 {letter}", frame, warns=True)


def test_few_frames(folder):
    frame = noise(frame_bytes(4, 6, "444"))
    for frames in ((), (frame,)):
        path = save(folder, y4m("W6 H4 C444", *frames))
        check_frames(path, "Y4M 4x6 444 0:0 0:0 ?", *frames)
        run(path, "0", os.path.join(folder, "out.y4m"))
        check_frames(os.path.join(folder, "out.y4m"), "Y4M 4x6 444 0:0 0:0 ?", *frames)


def test_pipe(folder):
    """Of unknown length: a file of any kind, byte for byte; and one that can be opened only once."""
    frames = [noise(frame_bytes(64, 48, "420"), seed) for seed in range(9)]
    yuy2, planes = packed(5, 6, 3)
    png.write(os.path.join(folder, "in.png"), 5, 6, png.GRAY, 8, list(noise(30)))
    with open(os.path.join(folder, "in.png"), "rb") as file:
        picture = file.read()
    for data, size, first, wanted in ((y4m("W48 H64", *frames), "0", "Y4M 64x48 420jpeg 0:0 0:0 ?", frames),
                                      (yuy2, "5x6", "raw YUY2 5x6 422 0:0 0:0 ?", planes),
                                      (picture, "0", "picture 5x6 mono 0:0 0:0 p", [noise(30)])):
        with subprocess.Popen([VIDEO_FRAMES, "-", size], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            for byte in data[:40]:
                process.stdin.write(bytes([byte]))
                process.stdin.flush()
            printed, _ = process.communicate(data[40:], timeout=60)
        assert frames_of(printed.decode()) == (first, [zlib.crc32(frame) for frame in wanted]), printed
        queue = os.path.join(folder, "queue")
        os.mkfifo(queue)
        with subprocess.Popen([VIDEO_FRAMES, queue, size], stdout=subprocess.PIPE) as process:
            with open(queue, "wb") as file:
                file.write(data)
            printed, _ = process.communicate(timeout=60)
        assert frames_of(printed.decode()) == (first, [zlib.crc32(frame) for frame in wanted]), printed
        os.remove(queue)


def test_pipe_ends(folder):
    """In the middle of a frame: the number of that frame."""
    frames = [noise(frame_bytes(64, 48, "420"), seed) for seed in range(3)]
    data = y4m("W48 H64", *frames)
    for cut, words in ((7, "frame 2 is truncated: 4601 bytes of 4608"), (4608 + 3, "the line of frame 2 is truncated"),
                       (4608 + 1, "the line of frame 2 is truncated"), (2 * 4614 + 9, "frame 0 is truncated: 4599")):
        done = subprocess.run([VIDEO_FRAMES, "-", "0"], input=data[:-cut], capture_output=True, timeout=60, check=False)
        assert done.returncode == BAD_INPUT and words in done.stderr.decode(), done.stderr
        if cut < 2 * 4614:
            check_refusal(save(folder, data[:-cut]), words)
    check_refusal(save(folder, data[:-2 * 4614 - 9]), "frame 0 is truncated: 4605 bytes of 4614")


def test_refusals(folder):
    """With the value and the reason."""
    of_more_bits = "has more than 8 bits a sample; only 8 are read"
    one_of = "only mono, 420, 420jpeg, 420mpeg2, 420paldv, 422 and 444 are read"
    for header, words in (
            *((f"W6 H4 C{word}", f"bad Y4M header: C{word}: {of_more_bits}")
              for word in ("420p9", "420p10", "420p16", "422p10", "422p12", "444p10", "444p14", "mono9", "mono16")),
            ("W6 H4 C444alpha", "C444alpha: has alpha, which is not read"),
            ("W6 H4 C411", f"C411: {one_of}"), ("W6 H4 C", f"C: {one_of}"), ("W6 H4 C420P", f"C420P: {one_of}"),
            ("H4", "W: is missing"), ("W6", "H: is missing"), ("C420 X", "W: is missing"),
            ("W0 H4", "W0: must be 1 to 2147483647"), ("W6 H0", "H0: must be"), ("W6 H-4", "H-4: must be"),
            ("W H4", "W: must be"), ("W6 H4x", "H4x: must be"), ("W2147483648 H1", "W2147483648: must be"),
            ("W99999999999999999999 H4", "W99999999999999999999: must be"),
            ("W32768 H32769", "32769x32768 is 1073774592 pixels; --max-pixels is 1073741824"),
            ("W2147483647 H2147483647 C444", "2147483647x2147483647 is 4611686014132420608 pixels"),
            ("W6 H4 F30", "F30: must be a ratio"), ("W6 H4 F30:0", "F30:0: must be"), ("W6 H4 F0:1", "F0:1: must be"),
            ("W6 H4 F-30:1", "F-30:1: must be"), ("W6 H4 F4294967296:1", "F4294967296:1: must be"),
            ("W6 H4 A1", "A1: must be a ratio"), ("W6 H4 A1:1:1", "A1:1:1: must be"), ("W6 H4 F", "F: must be"),
            ("W6 H4 Ix", "Ix: must be p, t, b, m or ?"), ("W6 H4 Ipp", "Ipp: must be"), ("W6 H4 I", "I: must be"),
            ("It C411 W6 H4", f"C411: {one_of}"), ("W6 H4 Q1", "Q1: is not known"), ("W6 H4 W6", "W6: is given twice"), ("W6 H4 C420 C422", "C422: is given twice"),
            ("W6 H4 X\0", "the line of the header has other bytes"), ("W6 H4 X" + "x" * 4100, "has more than 4096 bytes"),
            ("W6 H4 F" + "0" * 70 + "25:1", "must be a ratio")):
        check_refusal(save(folder, y4m(header, bytes(2000))), words)
    for data, words in ((b"", "empty file"), (bytes(64), "neither Y4M nor a picture; raw YUY2 needs --size HxW"),
                        (b"GIF89a", "a GIF picture, which is not read; convert it first: convert "),
                        (b"YUV4MPEG W6 H4\n", 'not a Y4M file: begins with "YUV4MPEG "'), (b"Y", 'begins with "Y"'),
                        (b"YUV4MPEG2", "the line of the header is truncated"),
                        (b"YUV4MPEG2 W6 H4", "the line of the header is truncated"),
                        (b"YUV4MPEG23 W6 H4\n", "the line of the header has other bytes"),
                        (b"\x89PNG", "truncated: only 4 bytes")):
        check_refusal(save(folder, data), words)
    frame = noise(36)
    for line, words in (("FRANE", 'frame 0 begins with "FRANE", not with FRAME'),
                        ("FRAMES", "the line of frame 0 has other bytes than parameters after blanks"),
                        ("FRAME \0", "the line of frame 0 has other bytes"),
                        ("FRAME " + "x" * 4100, "the line of frame 0 has more than 4096 bytes")):
        check_refusal(save(folder, y4m("W6 H4", frame, line=line)), words)
        check_refusal(save(folder, y4m("W6 H4", frame) + y4m("", frame, line=line)[11:]), words.replace("0", "1", 1))
    check_refusal(os.path.join(folder, "none.y4m"), "No such file", code=FILE)
    check_refusal(save(folder, y4m("W6 H4", frame) + b"\x1b[31"), 'frame 1 begins with "?[31"')


def packed(height, width, count):
    """Raw YUY2, and the planes of its frames."""
    pairs = -(-width // 2)
    frames = [noise(height * pairs * 4, seed) for seed in range(count)]
    planes = []
    for frame in frames:
        rows = [frame[m * pairs * 4:(m + 1) * pairs * 4] for m in range(height)]
        planes.append(b"".join(row[::2][:width] for row in rows) + b"".join(row[1::4] for row in rows) +
                      b"".join(row[3::4] for row in rows))
    return b"".join(frames), planes


def test_yuy2(folder):
    for height, width in GRID:
        data, planes = packed(height, width, 3)
        path = save(folder, data, "in.yuv")
        check_frames(path, f"raw YUY2 {height}x{width} 422 0:0 0:0 ?", *planes, size=f"{height}x{width}")
        run(path, f"{height}x{width}", os.path.join(folder, "out.y4m"))
        check_frames(os.path.join(folder, "out.y4m"), f"Y4M {height}x{width} 422 0:0 0:0 ?", *planes)
    check_frames(save(folder, b"", "in.yuv"), "raw YUY2 4x6 422 0:0 0:0 ?", size="4x6")


def test_yuy2_refusals(folder):
    data, _ = packed(4, 6, 3)
    for cut in (1, 12, 47):
        path = save(folder, data[:-cut], "in.yuv")
        check_refusal(path, f"frame 2 is truncated: {48 - cut} bytes of 48", size="4x6")
    check_refusal(save(folder, data[:40], "in.yuv"), "frame 0 is truncated: 40 bytes of 48", size="4x6")
    check_refusal(path, "1073741824x2 is 2147483648 pixels; --max-pixels is 1073741824", size="1073741824x2")
    check_refusal(path, "--max-pixels is", size="18446744073709551615x18446744073709551615")


def test_pictures(folder):
    """Gray is Y alone; colours become Y, Cb, Cr over the full range, rounded."""
    path, samples = os.path.join(folder, "in.png"), png.noise(6, 9, png.RGB, 8)
    samples[:24] = [0] * 3 + [255] * 3 + [255, 0, 0] + [0, 255, 0] + [0, 0, 255] + [9] * 3 + [255, 255, 0] + [0, 255, 255]
    png.write(path, 6, 9, png.RGB, 8, samples)
    red, green, blue = (samples[k::3] for k in range(3))
    wanted = b"".join(bytes(min(255, (r * x + g * y + b * z + 32768 + (128 << 16 if k else 0)) >> 16)
                            for r, g, b in zip(red, green, blue))
                      for k, (x, y, z) in enumerate(((19595, 38470, 7471), (-11059, -21709, 32768),
                                                     (32768, -27439, -5329))))
    check_frames(path, "picture 6x9 444 0:0 0:0 p", wanted)
    png.write(path, 6, 9, png.GRAY, 8, list(noise(54)))
    check_frames(path, "picture 6x9 mono 0:0 0:0 p", noise(54))
    save(folder, pictures.pnm(5, 6, 9, 255, list(noise(54))), "in.pgm")
    check_frames(os.path.join(folder, "in.pgm"), "picture 6x9 mono 0:0 0:0 p", noise(54))
    if ".jpg" in weft("--version").split():
        save(folder, pictures.jpeg("gray"), "in.jpg")
        weft("fft", "in.jpg", "-o", "x.npy", cwd=folder)
        weft("ifft", "x.npy", "-o", "in.png", cwd=folder)
        check_frames(os.path.join(folder, "in.jpg"), "picture 7x9 mono 0:0 0:0 p", bytes(png.read(path)[4]))
    if ".tif" in weft("--version").split():
        page = (3, 5, 1, "B", list(noise(15)))
        save(folder, pictures.tiff(*page), "in.tif")
        check_frames(os.path.join(folder, "in.tif"), "picture 3x5 mono 0:0 0:0 p", noise(15))
        check_refusal(save(folder, pictures.tiff_stack((page, {}), (page, {})), "in.tif"), "a stack of 2 pages; one is wanted")
    for colour, depth, words in ((png.GRAY, 16, "16 bits a sample; a video has 8"), (png.RGB_ALPHA, 8, "has alpha")):
        png.write(path, 6, 9, colour, depth, png.noise(6, 9, colour, depth))
        check_refusal(path, words)


def test_output(folder):
    """To standard output, and nothing where it cannot be."""
    data = y4m("W6 H4 F0:0 I? A0:0 C420", noise(36), noise(36, 2))
    path = save(folder, data)
    done = subprocess.run([VIDEO_FRAMES, path, "0", "-"], capture_output=True, timeout=60, check=True)
    assert done.stdout == data and not done.stderr, done
    run(path, "0", os.path.join(folder, "none/out.y4m"), expect=FILE)
    with open("/dev/full", "wb") as full:
        done = subprocess.run([VIDEO_FRAMES, path, "0", "-"], stdout=full, stderr=subprocess.PIPE, timeout=60, check=False)
    assert done.returncode == FILE and b"No space left" in done.stderr, done


def test_failures(folder):
    """The k-th call of the C library fails, for every k."""
    png.write(os.path.join(folder, "in.png"), 3, 5, png.RGB, 8, png.noise(3, 5, png.RGB, 8))
    with open(os.path.join(folder, "in.png"), "rb") as file:
        picture = file.read()
    for name, data, size in (("in.y4m", y4m("W6 H4 C422", noise(48), noise(48, 2)), "0"), ("in.png", picture, "0"),
                             ("in.yuv", packed(3, 5, 2)[0], "3x5")):
        for output in ((), ("out.y4m",)):
            walk(name, size, *output, inputs={name: data}, program=VIDEO_FRAMES)


def test_clip(_):
    """The file of data/video, byte for byte, and its licence."""
    with open(os.path.join(DATA, "people_320x192_9.y4m"), "rb") as file:
        data = file.read()
    assert hashlib.sha256(data).hexdigest() == CLIP_HASH, hashlib.sha256(data).hexdigest()
    size = frame_bytes(192, 320, "420")
    frames = [data[end - size:end] for end in range(len(data) - 8 * (size + 6), len(data) + 1, size + 6)]
    check_frames(os.path.join(DATA, "people_320x192_9.y4m"), "Y4M 192x320 420jpeg 12:1 1:1 p", *frames)
    with open(os.path.join(DATA, "OPENH264-LICENSE.txt"), encoding="utf-8") as file:
        assert "Copyright (c) 2013, Cisco Systems" in file.read()


def sequence(folder, name, size, *options):
    """The header, and the frames."""
    weft("scene", size, "--sequence", name, "-o", "out.y4m", *options, cwd=folder)
    with open(os.path.join(folder, "out.y4m"), "rb") as file:
        header, data = file.read().split(b"\n", 1)
    frames = data.split(b"FRAME\n")
    height, width = map(int, size.split("x"))
    wanted = frame_bytes(height, width, header.decode().rsplit(" C", 1)[1])
    assert frames.pop(0) == b"" and all(len(frame) == wanted for frame in frames), "another number of bytes"
    return header.decode(), frames


def test_sequences(folder):
    """The same bytes on every machine."""
    for name, crcs in SEQUENCES.items():
        header, frames = sequence(folder, name, "45x77", "--frames", 4)
        assert header == "YUV4MPEG2 W77 H45 F30:1 Ip A1:1 C422", header
        found = [zlib.crc32(frame) for frame in frames]
        assert found == crcs, f"{name}: {', '.join(f'0x{crc:08x}' for crc in found)}"
    found = [zlib.crc32(frame) for frame in sequence(folder, "rush", "576x704", "--frames", 2)[1]]
    assert found == [0x242f26ed, 0x233ef2f1], found


def test_sequence_sizes(folder):
    for name in SEQUENCES:
        for height, width in GRID:
            for frames in (0, 2):
                assert len(sequence(folder, name, f"{height}x{width}", "--frames", frames)[1]) == frames


def test_sequence_chromas(folder):
    """Y is the same; Cb and Cr are means of those of 4:4:4, to the rounding."""
    _, (full,) = sequence(folder, "discs", "5x7", "--frames", 1, "--chroma", "444")
    for option, chroma in (("mono", "mono"), ("420", "420jpeg"), ("422", "422"), ("444", "444")):
        header, (frame,) = sequence(folder, "discs", "5x7", "--frames", 1, "--chroma", option)
        planes, down, right = CHROMAS[chroma]
        assert header.endswith(f" C{chroma}") and frame[:35] == full[:35], header
        rows, columns = -(-5 // down), -(-7 // right)
        for plane in range(planes - 1):
            whole, part = full[35 * (plane + 1):], frame[35 + plane * rows * columns:]
            for i in range(rows * columns):
                m, n = i // columns * down, i % columns * right
                covered = [whole[k * 7 + l] for k in range(m, min(5, m + down)) for l in range(n, min(7, n + right))]
                assert abs(part[i] - sum(covered) / len(covered)) <= 1, f"{chroma}: sample {i} of plane {plane + 1}"


def luma_rows(frame, height, width):
    return [frame[m * width:(m + 1) * width] for m in range(height)]


def test_sequence_movement(folder):
    """Each moves as it says; its first frames do not depend on how many follow, but on the seed."""
    films = {name: sequence(folder, name, "48x80", "--frames", 12, "--seed", 7)[1] for name in SEQUENCES}
    for before, after in zip(films["pan"], films["pan"][2:]):
        assert [row[3:] for row in luma_rows(before, 48, 80)] == [row[:-3] for row in luma_rows(after, 48, 80)]
    flashes = [sum(frame[:3840]) > 1.05 * sum(films["flash"][0][:3840]) for frame in films["flash"]]
    assert True in flashes and all(frame == films["flash"][0] for frame, lit in zip(films["flash"], flashes) if not lit)
    for name, least, most in (("masts", 0.01, 0.5), ("discs", 0.01, 0.5), ("rush", 0.5, 1)):
        first = films[name][0]
        for frame in films[name][1:]:
            changed = sum(a != b for a, b in zip(first[:3840], frame[:3840])) / 3840
            assert least < changed <= most, f"{name}: {changed} has changed"
    _, frames = sequence(folder, "pan", "48x80", "--frames", 150, "--seed", 7)
    assert frames[:12] == films["pan"] and frames[128] == frames[0] and frames[65] == frames[63] != frames[64]
    for name, film in films.items():
        assert sequence(folder, name, "48x80", "--frames", 1, "--seed", 8)[1][0] != film[0], name
    assert len(sequence(folder, "discs", "6x8")[1]) == 30


def test_sequence_interrupted(folder):
    """While frames are written, and right after the temporary file is there: nothing is left."""
    interrupt(folder, ["scene", "99x99", "--sequence", "pan", "--frames", "4294967295", "-o", "out.y4m"], signal.SIGTERM,
              lambda: os.listdir(folder))
    assert not os.listdir(folder), f"left {os.listdir(folder)}"
    weft("scene", "8x8", "--sequence", "pan", "-o", "out.y4m", cwd=folder, expect=SIGNAL + signal.SIGINT, said=True,
         env=disturbing("file"))
    assert not os.listdir(folder), f"left {os.listdir(folder)}"


def test_sequence_options(folder):
    for options, words in ((["--frames", 2], "--frames: is for a --sequence only"),
                           (["--chroma", "420"], "--chroma: is for a --sequence only"),
                           (["--sequence", "pan", "--rgb"], "--rgb: is for a picture only"),
                           (["--sequence", "pan", "--depth", 8], "--depth: is for a picture only"),
                           (["--sequence", "pans"], "--sequence pans: must be one of pan, flash, masts, discs, rush"),
                           (["--sequence", "pan", "--chroma", "411"], "must be one of 444, 422, 420, mono"),
                           (["--sequence", "pan", "--frames", -1], "must be a whole number from 0"),
                           (["--sequence", "pan", "-o", "x.png"], "only .y4m is written")):
        output = [] if "-o" in options else ["-o", "x"]
        assert words in weft("scene", "8x8", *options, *output, cwd=folder, expect=USAGE, said=True), options
    assert not os.listdir(folder)


if __name__ == "__main__":
    sys.exit(main(globals()))
