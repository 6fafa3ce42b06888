# SPDX-License-Identifier: MIT
"""The five words of the transform and the layouts of spectra, drawn from the formulas of weft.h."""
import cmath
import math

from paper import drawing
from paper.drawing import BOLD, MIDDLE, OTHER, PEER, SMALL, SOFT, SOFT_PEER, STRONG, WEFT, arrow, box, line
from results import bars

SIDE, CELL = 8, 12
HALF = SIDE // 2


def cells(left, top, kinds):
    """kinds: rows of "real", "complex" or None; a complex cell is as wide as two, real and imaginary part."""
    lines, y = [], top
    for row in kinds:
        x = left
        for kind in row:
            edge = 'stroke="white" stroke-width="1"'
            if kind == "real":
                lines.append(box(x, y, CELL, CELL, SOFT, edge))
            elif kind == "wide":  # real, and a column of its own
                lines.append(box(x, y, CELL, CELL, SOFT, edge))
            elif kind == "complex":
                lines += [box(x, y, CELL / 2, CELL, WEFT, edge), box(x + CELL / 2, y, CELL / 2, CELL, PEER, edge)]
            x += CELL
        y += CELL
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
                line(x + step / 2, middle - 62, x + step / 2, middle - 6, drawing.GRID),
                bars.text(x + step / 2, 18, DONE[number], f"{MIDDLE} {SMALL}"),
                bars.text(x + step / 2, 31, THEN[number], f"{MIDDLE} {SMALL}"),
            ]
            x += step
    return drawing.picture(top + SIDE * CELL + 30, lines)


# ---- layouts -----------------------------------------------------------------------------------------------------


def part_of(row, column, side=SIDE):
    """What the packed layout has at [row][column] of a square of that side, by the formulas of weft.h:
    (part, k, l)."""
    other_row, other_column = (side - row) % side, (side - column) % side
    if column == other_column:
        return ("Re", row, column) if row <= other_row else ("Im", other_row, column)
    return ("Re", row, column) if column < other_column else ("Im", row, other_column)


def packed(left, top, cell, labels=False):
    lines = []
    for row in range(SIDE):
        for column in range(SIDE):
            part, k, l = part_of(row, column)
            x, y = left + column * cell, top + row * cell
            own = column % HALF == 0
            colour = (SOFT if own else WEFT) if part == "Re" else (SOFT_PEER if own else PEER)
            lines.append(box(x, y, cell, cell, colour, 'stroke="white" stroke-width="1"'))
            if labels:
                ink = "" if own else 'fill="white"'
                lines += [
                    bars.text(x + cell / 2, f"{y + cell / 2 - 1:.1f}", part, f"{MIDDLE} {SMALL} {ink}"),
                    bars.text(x + cell / 2, f"{y + cell / 2 + 10:.1f}", f"{k},{l}", f"{MIDDLE} {SMALL} {ink}"),
                ]
    return lines


def layouts():
    """PACKED with one slot of the rows pass framed, beside HALF."""
    cell, top, left = 34, 46, 30
    lines = [bars.text(left, 20, f"PACKED, {SIDE} rows and {SIDE} columns", BOLD), *packed(left, top, cell, True)]
    for k in (1, SIDE - 1):
        lines.append(
            box(left - 1, top + k * cell, SIDE * cell + 2, cell, "none", f'stroke="{OTHER}" stroke-width="2.5"')
        )
        lines.append(bars.text(left + SIDE * cell + 8, top + k * cell + 21, f"row {'k' if k == 1 else 'H - k'}"))
    lines.append(
        bars.text(
            left,
            top + SIDE * cell + 20,
            "the framed rows are one slot: what one step of the rows pass reads and writes",
            SMALL,
        )
    )
    x = left + SIDE * cell + 110
    lines.append(bars.text(x, 20, f"HALF, {SIDE} rows and {HALF + 1} columns of pairs", BOLD))
    for row in range(SIDE):
        for column in range(HALF + 1):
            for part, (colour, name) in enumerate(((WEFT, "Re"), (PEER, "Im"))):
                at_x, at_y = x + (2 * column + part) * cell, top + row * cell
                twice = column % HALF == 0 and (row > HALF or (part and row % HALF == 0))
                lines.append(
                    box(
                        at_x,
                        at_y,
                        cell,
                        cell,
                        "white" if twice else colour,
                        f'stroke="{"#a3a3a3" if twice else "white"}" stroke-width="1"',
                    )
                )
                ink = "" if twice else 'fill="white"'
                lines += [
                    bars.text(at_x + cell / 2, f"{at_y + cell / 2 - 1:.1f}", name, f"{MIDDLE} {SMALL} {ink}"),
                    bars.text(
                        at_x + cell / 2, f"{at_y + cell / 2 + 10:.1f}", f"{row},{column}", f"{MIDDLE} {SMALL} {ink}"
                    ),
                ]
    lines.append(
        bars.text(x, top + SIDE * cell + 20, "white: zero, or the mirror image of another value: stored twice", SMALL)
    )
    return drawing.picture(top + SIDE * cell + 34, lines)


# ---- why tangling works ------------------------------------------------------------------------------------------

LENGTH = 32


def transform(values):
    return [
        sum(value * cmath.exp(-2j * math.pi * k * n / LENGTH) for n, value in enumerate(values)) for k in range(LENGTH)
    ]


def stems(left, bottom, width, height, series):
    """series: [(values, colour)], drawn beside one another as thin bars; all in one scale."""
    most = max(value for values, _ in series for value in values)
    step = width / LENGTH
    thick = step * 0.8 / len(series)
    return [
        box(left + k * step + i * thick, bottom - height * value / most, thick, height * value / most, colour)
        for i, (values, colour) in enumerate(series)
        for k, value in enumerate(values)
    ]


def tangling():
    """Two real signals, the spectrum of both as one complex signal, and theirs, which are its two symmetric parts."""
    one = [1.5 + math.sin(2 * math.pi * 3 * n / LENGTH) * math.exp(-(((n - 16) / 9) ** 2)) for n in range(LENGTH)]
    other = [1.0 + (1.0 if 8 <= n < 15 else 0.0) for n in range(LENGTH)]
    means = sum(one) / LENGTH, sum(other) / LENGTH
    tangled = transform([a - means[0] + 1j * (b - means[1]) for a, b in zip(one, other)])
    mirrored = [tangled[-k % LENGTH].conjugate() for k in range(LENGTH)]
    first = [abs(z + m) / 2 for z, m in zip(tangled, mirrored)]
    second = [abs(z - m) / 2 for z, m in zip(tangled, mirrored)]
    bottom, height, width = 150, 100, 216
    lefts = 14, 292, 570
    lines = [
        bars.text(lefts[0], 20, "two real columns a and b", BOLD),
        *stems(lefts[0], bottom, width, height, [(one, WEFT), (other, PEER)]),
        bars.text(lefts[1], 20, "|Z|: the spectrum of z = a + ib", BOLD),
        *stems(lefts[1], bottom, width, height, [([abs(z) for z in tangled], OTHER)]),
        bars.text(lefts[2], 20, "|A| and |B|, untangled", BOLD),
        *stems(lefts[2], bottom, width, height, [(first, WEFT), (second, PEER)]),
    ]
    for left, words in zip(lefts, ("row m", "frequency k: no symmetry", "symmetric both: half of each is enough")):
        lines += [line(left, bottom, left + width, bottom), bars.text(left, bottom + 18, words, SMALL)]
    for left, words in zip(lefts[1:], ("cols", "untangle")):
        lines += [arrow(left - 50, 100, left - 10), bars.text(left - 30, 90, words, f"{MIDDLE} {BOLD}")]
    return drawing.picture(bottom + 34, lines)


FIGURES = {"words": five_words, "layouts": layouts, "tangling": tangling}
