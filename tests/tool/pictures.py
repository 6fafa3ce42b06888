# SPDX-License-Identifier: MIT
"""Small files of the picture formats but PNG (png.py), from the standard library alone: for test_images.py, and for the
seeds of the fuzzers. Samples are a flat list, row by row, channels together, as in png.py."""
import base64
import struct
import zlib

# JPEG files of 7x9 pixels that libjpeg wrote at quality 60: gray, colour, colour with scans that refine each other,
# and one of four inks.
JPEG = {name: base64.b64decode("".join(text.split())) for name, text in {
    "gray": """
/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcgLikxMC4pLSwzOko+MzZGNywtQFdBRkxOUlNSMj5aYVpQ
YEpRUk//wAALCAAHAAkBAREA/8QAFQABAQAAAAAAAAAAAAAAAAAAAwT/xAAcEAABAwUAAAAAAAAAAAAAAAAAAgMEBhYhIlL/2gAIAQEAAD8AGLRj
eNUl1mN8pP/Z""",
    "colour": """
/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcgLikxMC4pLSwzOko+MzZGNywtQFdBRkxOUlNSMj5aYVpQ
YEpRUk//2wBDAQ4ODhMREyYVFSZPNS01T09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT0//wAARCAAHAAkD
ASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAX/xAAbEAACAQUAAAAAAAAAAAAAAAAAAQQFFCFR8P/EABUBAQEAAAAAAAAAAAAAAAAAAAQF
/8QAGxEAAgEFAAAAAAAAAAAAAAAAAAQDBRITMTL/2gAMAwEAAhEDEQA/AIdMhrHbLtmgArlTZydFaZCC7R//2Q==""",
    "progressive": """
/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcgLikxMC4pLSwzOko+MzZGNywtQFdBRkxOUlNSMj5aYVpQ
YEpRUk//2wBDAQ4ODhMREyYVFSZPNS01T09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT0//wgARCAAHAAkD
ASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAT/xAAVAQEBAAAAAAAAAAAAAAAAAAADBP/aAAwDAQACEAMQAAABhuCr/8QAFxABAAMAAAAA
AAAAAAAAAAAAAAIDEv/aAAgBAQABBQKuDD//xAAXEQEAAwAAAAAAAAAAAAAAAAACAAMR/9oACAEDAQE/AXQNn//EABgRAAIDAAAAAAAAAAAAAAAA
AAADBBIx/9oACAECAQE/AXSWW0//xAAUEAEAAAAAAAAAAAAAAAAAAAAQ/9oACAEBAAY/Aj//xAAUEAEAAAAAAAAAAAAAAAAAAAAQ/9oACAEBAAE/
ISf/2gAMAwEAAgADAAAAEHP/xAAVEQEBAAAAAAAAAAAAAAAAAAAAQf/aAAgBAwEBPxCM/8QAFBEBAAAAAAAAAAAAAAAAAAAAAP/aAAgBAgEBPxAz
/8QAGRAAAQUAAAAAAAAAAAAAAAAAAAERIVHw/9oACAEBAAE/EEo1jD//2Q==""",
    "cmyk": """
/9j/7gAOQWRvYmUAZAAAAAAA/9sAQwANCQoLCggNCwoLDg4NDxMgFRMSEhMnHB4XIC4pMTAuKS0sMzpKPjM2RjcsLUBXQUZMTlJTUjI+WmFaUGBK
UVJP/8AAFAgABwAJBEMRAE0RAFkRAEsRAP/EABgAAAMBAQAAAAAAAAAAAAAAAAMEBgAH/8QAIRAAAQIFBQEAAAAAAAAAAAAAAAIDBAYWISIFEzFR
UvD/2gAOBEMATQBZAEsAAD8ADCyY3bFJI6E3x92Fipzcvko6cPUY35SV22I1m56UY//Z"""}.items()}


def exif(orientation, thumbnail=b"", order="<"):
    """EXIF of a camera that was held so, with a small picture."""
    first = struct.pack(order + "HHHIHHI", 1, 0x112, 3, 1, orientation, 0, 26 if thumbnail else 0)
    second = struct.pack(order + "HHHIIHHIII", 2, 0x201, 4, 1, 56, 0x202, 4, 1, len(thumbnail), 0)
    return (b"II*\0" if order == "<" else b"MM\0*") + struct.pack(order + "I", 8) + first + (
        second + thumbnail if thumbnail else b"")


def camera_exif(orientation, order, across, down):
    """EXIF of a camera that was held so, with the picture's sides; its resolutions are 300 across and 200 down."""
    first = [(0x112, 3, struct.pack(order + "HH", orientation, 0)), (0x11a, 5, struct.pack(order + "I", 92)),
             (0x11b, 5, struct.pack(order + "I", 100)), (0x8769, 4, struct.pack(order + "I", 62))]
    camera = [(0xa002, 4, struct.pack(order + "I", across)), (0xa003, 4, struct.pack(order + "I", down))]
    directories = b"".join(struct.pack(order + "H", len(entries)) + b"".join(
        struct.pack(order + "HHI", tag, kind, 1) + value for tag, kind, value in entries) + bytes(4)
        for entries in (first, camera))
    return (b"II*\0" if order == "<" else b"MM\0*") + struct.pack(order + "I", 8) + directories + struct.pack(
        order + "IIII", 300, 1, 200, 1)


def jpeg(name, *markers):
    """With such (number, bytes) behind the first marker."""
    data = JPEG[name]
    at = 4 + struct.unpack(">H", data[4:6])[0]
    more = b"".join(struct.pack(">BBH", 0xff, number, len(body) + 2) + body for number, body in markers)
    return data[:at] + more + data[at:]


def pnm(kind, height, width, largest, samples):
    """P2, P3, P5 or P6."""
    head = f"P{kind}\n# a comment\n{width} {height}\n{largest}\n".encode()
    if kind in (2, 3):
        return head + " ".join(map(str, samples)).encode() + b"\n"
    return head + struct.pack(f">{len(samples)}{'B' if largest < 256 else 'H'}", *samples)


def pfm(kind, height, width, samples, order="<"):
    """Pf or PF; the lowest row is the first."""
    row = width * (3 if kind == "F" else 1)
    upward = [value for k in reversed(range(height)) for value in samples[k * row:(k + 1) * row]]
    return f"P{kind}\n{width} {height}\n{-1 if order == '<' else 1}.0\n".encode() + struct.pack(f"{order}{len(upward)}f",
                                                                                              *upward)


def npy(shape, samples, kind="<u1"):
    text = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    code = {"u1": "B", "u2": "H", "f4": "f", "f8": "d"}[kind[1:]]
    return (b"\x93NUMPY\1\0" + struct.pack("<H", len(text)) + text.encode() +
            struct.pack(f"{kind[0].replace('|', '<')}{len(samples)}{code}", *samples))


def planes_first(samples, channels):
    return [value for channel in range(channels) for value in samples[channel::channels]]


TIFF_KINDS = {2: "B", 3: "H", 4: "I", 5: "I", 7: "B"}  # text, numbers of 16 and 32 bits, fractions, bytes


def tiff_page(first, height, width, channels, code, samples, order="<", apart=False, tile=0, deflate=False, more=()):
    """(bytes, where its directory and where the link to the next one lies), in a file in which it begins at `first`.
    code: B, H, f or d of struct. In one strip a plane, or in square tiles. more: (tag, type, values) besides, a fraction
    as its two numbers; a value of None leaves that tag out."""
    planes = [samples[c::channels] for c in range(channels)] if apart else [samples]
    each = 1 if apart else channels

    def part(plane, top, left, rows, columns):
        values = []
        for row in range(top, top + rows):
            for column in range(left, left + columns):
                at = (row * width + column) * each
                values += plane[at:at + each] if row < height and column < width else [0] * each
        data = struct.pack(f"{order}{len(values)}{code}", *values)
        return zlib.compress(data, 0) if deflate else data

    parts = [part(plane, top, left, tile or height, tile or width) for plane in planes
             for top in range(0, height, tile or height) for left in range(0, width, tile or width)]
    body = b"".join(parts)
    starts = [first + sum(map(len, parts[:i])) for i in range(len(parts))]
    bits = struct.calcsize(order + code) * 8
    tags = {256: (4, [width]), 257: (4, [height]), 258: (3, [bits] * channels), 259: (3, [8 if deflate else 1]),
            262: (3, [2 if channels > 2 else 1]), 277: (3, [channels]), 284: (3, [2 if apart else 1]),
            339: (3, [3 if code in "fd" else 1] * channels), 324 if tile else 273: (4, starts),
            325 if tile else 279: (4, [len(each_part) for each_part in parts])}
    if tile:
        tags |= {322: (4, [tile]), 323: (4, [tile])}
    else:
        tags[278] = (4, [height])
    if channels in (2, 4):
        tags[338] = (3, [2])
    tags |= {tag: (kind, values) for tag, kind, values in more}
    tags = {tag: value for tag, value in sorted(tags.items()) if value[1] is not None}
    body += b"\0" * (len(body) % 2)
    directory, behind = struct.pack(order + "H", len(tags)), b""
    directory_at = first + len(body)
    link_at = directory_at + 2 + 12 * len(tags)
    for tag, (kind, values) in tags.items():
        packed = struct.pack(f"{order}{len(values)}{TIFF_KINDS[kind]}", *values)
        if len(packed) > 4:
            where = link_at + 4 + len(behind)
            behind += packed + b"\0" * (len(packed) % 2)
            packed = struct.pack(order + "I", where)
        directory += struct.pack(order + "HHI", tag, kind, len(values) // (2 if kind == 5 else 1)) + packed.ljust(4, b"\0")
    return body + directory + bytes(4) + behind, directory_at, link_at


def tiff_stack(*pages, order="<", last=0):
    """Each page as the arguments of tiff_page(). last: where the link of the last one leads, 0 nowhere."""
    data, link = bytearray((b"II*\0" if order == "<" else b"MM\0*") + bytes(4)), 4
    for values, options in pages:
        page, directory, next_link = tiff_page(len(data), *values, order=order, **options)
        data += page
        data[link:link + 4] = struct.pack(order + "I", directory)
        link = next_link
    data[link:link + 4] = struct.pack(order + "I", last)
    return bytes(data)


def tiff(height, width, channels, code, samples, order="<", **options):
    """A file of one page."""
    return tiff_stack(((height, width, channels, code, samples), options), order=order)


def tiff_tags(data):
    """The tags of each page that this build writes: {number: values}, a fraction as its two numbers."""
    at = struct.unpack("<I", data[4:8])[0]
    while at:
        count = struct.unpack("<H", data[at:at + 2])[0]
        tags = {}
        for entry in range(at + 2, at + 2 + 12 * count, 12):
            tag, kind, values = struct.unpack("<HHI", data[entry:entry + 8])
            form = f"<{values * (2 if kind == 5 else 1)}{TIFF_KINDS[kind]}"
            where = entry + 8 if struct.calcsize(form) <= 4 else struct.unpack("<I", data[entry + 8:entry + 12])[0]
            tags[tag] = struct.unpack(form, data[where:where + struct.calcsize(form)])
        yield tags
        at = struct.unpack("<I", data[at + 2 + 12 * count:at + 6 + 12 * count])[0]


def tiff_samples(data):
    """The samples of each page that this build writes: (height, width, channels, code of struct, samples)."""
    for tags in tiff_tags(data):
        code = {8: "B", 16: "H", 32: "f"}[tags[258][0]]
        strips = b"".join(data[start:start + size] for start, size in zip(tags[273], tags[279]))
        yield (tags[257][0], tags[256][0], tags[277][0], code,
               list(struct.unpack(f"<{len(strips) // struct.calcsize(code)}{code}", strips)))
