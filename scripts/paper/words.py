# SPDX-License-Identifier: MIT
"""The five words of the transform, the layouts of spectra and why tangling works, drawn from the formulas of weft.h."""
import cmath
import math

from paper import drawing
from paper.drawing import BOLD, COPY, GRID, MIDDLE, SMALL, SOFT, STRONG, WEFT, arrow, box, line
from results import bars

SIDE, ODD, CELL = 8, 5, 12
HALF = SIDE // 2
REAL, RE, IM = GRID, WEFT, SOFT  # a real number; the parts of a complex one
EDGE = 'stroke="white" stroke-width="1"'


def cells(left, top, kinds):
    """kinds: rows of "real" or "complex"; a complex cell has its real and its imaginary part side by side."""
    lines = []
    for i, row in enumerate(kinds):
        for j, kind in enumerate(row):
            x, y = left + j * CELL, top + i * CELL
            if kind == "real":
                lines.append(box(x, y, CELL, CELL, REAL, EDGE))
            else:
                lines += [box(x, y, CELL / 2, CELL, RE, EDGE), box(x + CELL / 2, y, CELL / 2, CELL, IM, EDGE)]
    return lines


STATES = (
    ("image", [["real"] * SIDE] * SIDE),
    ("", [["complex"] * HALF] * SIDE),
    ("", [["complex"] * HALF] * SIDE),
    ("", [["real"] * SIDE, *[["complex"] * SIDE] * (HALF - 1), ["real"] * SIDE]),
    ("", [["complex"] * SIDE] * HALF),
    ("spectrum", None),
)
WORDS = ("tangle", "cols", "untangle", "fold", "rows")
DONE = ("two columns become", "each column is", "apart again: half a", "two real rows", "each row is")
THEN = ("one complex one", "transformed", "spectrum of each", "become one", "transformed")


def size_of(kinds):
    """ "64 reals", "32 complex", .."""
    flat = [kind for row in kinds for kind in row]
    counts = [(flat.count(kind), plural) for kind, plural in (("real", "reals"), ("complex", "complex"))]
    return " + ".join(f"{count} {plural}" for count, plural in counts if count)


def five_words():
    top, step, lines, x = 74, 58, [], 10
    middle = top + SIDE * CELL / 2
    for number, (name, kinds) in enumerate(STATES):
        shown = kinds or [["real"] * SIDE] * SIDE
        width, height = CELL * len(shown[0]), CELL * len(shown)
        lines += packed(x, middle - height / 2, CELL) if kinds is None else cells(x, middle - height / 2, shown)
        lines += [
            bars.text(x + width / 2, top + SIDE * CELL + 18, size_of(shown), f"{MIDDLE} {SMALL}"),
            bars.text(x + width / 2, top - 8, name, f"{MIDDLE} {SMALL}"),
        ]
        x += width
        if number < len(WORDS):
            lines += [
                arrow(x + 5, middle, x + step - 5),
                bars.text(x + step / 2, middle - 68, WORDS[number], f"{MIDDLE} {BOLD}"),
                line(x + step / 2, middle - 62, x + step / 2, middle - 6, GRID),
                bars.text(x + step / 2, 18, DONE[number], f"{MIDDLE} {SMALL}"),
                bars.text(x + step / 2, 31, THEN[number], f"{MIDDLE} {SMALL}"),
            ]
            x += step
    return drawing.picture(top + SIDE * CELL + 30, lines)


# ---- layouts -----------------------------------------------------------------------------------------------------


def part_of(row, column, side):
    """What the packed layout has at [row][column] of a square of that side, by the formulas of weft.h:
    (part, k, l)."""
    other_row, other_column = (side - row) % side, (side - column) % side
    if (row, column) == (other_row, other_column):
        return ("real", row, column)
    if column == other_column:
        return ("Re", row, column) if row < other_row else ("Im", other_row, column)
    return ("Re", row, column) if column < other_column else ("Im", row, other_column)


def labelled(x, y, cell, colour, words):
    ink = 'fill="white"' if colour == RE else ""
    return [
        bars.text(x + cell / 2, f"{y + cell / 2 + 11 * i - 1:.1f}", word, f"{MIDDLE} {SMALL} {ink}")
        for i, word in enumerate(words)
    ]


def packed(left, top, cell, side=SIDE, labels=False):
    lines = []
    for row in range(side):
        for column in range(side):
            part, k, l = part_of(row, column, side)
            x, y = left + column * cell, top + row * cell
            colour = {"real": REAL, "Re": RE, "Im": IM}[part]
            lines.append(box(x, y, cell, cell, colour, EDGE))
            if labels:
                lines += labelled(x, y, cell, colour, ("X" if part == "real" else part, f"{k},{l}"))
    return lines


def half(left, top, cell):
    """Pairs; white where a value is zero or stored twice."""
    lines = []
    for row in range(SIDE):
        for column in range(HALF + 1):
            for part, name in enumerate(("Re", "Im")):
                x, y = left + (2 * column + part) * cell, top + row * cell
                own = column % HALF == 0
                twice = own and (row > HALF or (part and row % HALF == 0))
                colour = "white" if twice else REAL if own and row % HALF == 0 else (RE, IM)[part]
                edge = f'stroke="{COPY if twice else "white"}" stroke-width="1"'
                lines += [
                    box(x, y, cell, cell, colour, edge),
                    *labelled(x, y, cell, colour, ("X" if colour == REAL else name, f"{row},{column}")),
                ]
    return lines


def layouts():
    """PACKED of even and of odd sides, with two rows framed that one step of the rows pass reads and writes; HALF."""
    cell, top, lefts = 29, 40, (14, 308, 492)
    bottom = top + SIDE * cell
    lines = [
        bars.text(lefts[0], 20, f"packed, {SIDE} rows, {SIDE} columns", BOLD),
        *packed(lefts[0], top, cell, SIDE, True),
        bars.text(lefts[1], 20, f"packed, {ODD} by {ODD}", BOLD),
        *packed(lefts[1], top, cell, ODD, True),
        bars.text(lefts[2], 20, f"half, {SIDE} rows, {HALF + 1} columns of pairs", BOLD),
        *half(lefts[2], top, cell),
    ]
    for k, name in ((1, "row k"), (SIDE - 1, "row H - k")):
        lines += [
            box(lefts[0] - 1, top + k * cell, SIDE * cell + 2, cell, "none", f'stroke="{STRONG}" stroke-width="2"'),
            bars.text(lefts[0] + SIDE * cell + 6, top + k * cell + 18, name, SMALL),
        ]
    x = lefts[0]
    for colour, name, width in (
        (RE, "Re: real part of X[k][l]", 160),
        (IM, "Im: imaginary part", 130),
        (REAL, "X: has no imaginary part", 160),
        ("white", "zero, or stored a second time", 0),
    ):
        edge = f'stroke="{COPY}" stroke-width="1"' if colour == "white" else EDGE
        lines += [box(x, bottom + 14, 12, 12, colour, edge), bars.text(x + 17, bottom + 24, name, SMALL)]
        x += width
    return drawing.picture(bottom + 34, lines)


# ---- why tangling works ------------------------------------------------------------------------------------------

LENGTH = 32


def transform(values):
    return [
        sum(value * cmath.exp(-2j * math.pi * k * n / LENGTH) for n, value in enumerate(values)) for k in range(LENGTH)
    ]


def stems(left, middle, width, height, values, colour):
    """Thin bars up and down from a line; the largest value of all is 1."""
    step = width / len(values)
    bars_ = [
        box(left + i * step, middle - max(0, height * value), step * 0.8, abs(height * value), colour)
        for i, value in enumerate(values)
    ]
    return [*bars_, line(left, middle, left + width, middle)]


def scaled(*series):
    most = max(abs(value) for values in series for value in values)
    return [[value / most for value in values] for values in series]


def tangling():
    """Two real signals, the spectrum of both as one complex signal, and its parts that are the mirror images of
    themselves, with the same sign or the other one: these are the spectra of the two."""
    one = [1.2 + math.sin(0.5 * n) * math.exp(-(((n - 9) / 6) ** 2)) for n in range(LENGTH)]
    other = [1.0 + (0.8 if 4 <= n < 9 else 0.0) for n in range(LENGTH)]
    means = sum(one) / LENGTH, sum(other) / LENGTH
    tangled = transform([a - means[0] + 1j * (b - means[1]) for a, b in zip(one, other)])
    around = [tangled[k] for k in range(-LENGTH // 2 + 1, LENGTH // 2)]  # frequency 0 in the middle
    rows, columns = scaled(one, other), []
    for values in ([z.real for z in around], [z.imag for z in around]):
        mirrored = values[::-1]
        columns += [
            values,
            [(one + other) / 2 for one, other in zip(values, mirrored)],
            [(one - other) / 2 for one, other in zip(values, mirrored)],
        ]
    columns = scaled(*columns)
    lefts, width, height = (14, 226, 438, 626), 160, 42
    lines = [
        bars.text(left, 20, words, BOLD)
        for left, words in zip(
            lefts, ("two real columns", "Z, the spectrum of a + ib", "its even part", "its odd part")
        )
    ]
    for number, (signal, names, paints) in enumerate(
        zip(
            rows,
            (("a", "Re Z", "Re A", "\N{MINUS SIGN}Im B"), ("b", "Im Z", "Re B", "Im A")),
            ((WEFT, COPY, WEFT, STRONG), (STRONG, COPY, STRONG, WEFT)),
        )
    ):
        middle = 92 + 106 * number
        lines += stems(lefts[0], middle + height, width, 1.4 * height, signal, paints[0])
        for left, values, paint in zip(lefts[1:], columns[3 * number : 3 * number + 3], paints[1:]):
            lines += stems(left, middle, width, height, values, paint)
            x = left + width * (LENGTH / 2 - 0.6) / (LENGTH - 1)
            lines.append(line(x, middle - height, x, middle + height, GRID))
        lines += [bars.text(left, middle - height - 6, name) for left, name in zip(lefts, names)]
        lines.append(bars.text(606, middle + 4, "+", MIDDLE))
    for left, words in zip(lefts[1:], ("transform", "split")):
        lines += [arrow(left - 44, 145, left - 8), bars.text(left - 27, 137, words, f"{MIDDLE} {SMALL}")]
    below = "row m", "frequency k, 0 in the middle", "the same at \N{MINUS SIGN}k", "opposite at \N{MINUS SIGN}k"
    for left, words in zip(lefts, below):
        lines.append(bars.text(left, 258, words, SMALL))
    return drawing.picture(270, lines)


FIGURES = {"words": five_words, "layouts": layouts, "tangling": tangling}
