# SPDX-License-Identifier: MIT
"""A sweep (weft-sweep/1): the time of Weft over the peer's by size, as a picture and as a table."""
import math

from results import bars, render, select

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM, DOT = bars.WIDTH, 480, 60, 40, 84, 40, 4
COLOURS = {"primes of both sides up to 13": "#2563a8", "a larger prime": "#c9752d"}
LARGEST_PRIME = 13


def kind(result):
    rest = result["height"] * result["width"]
    for factor in range(2, LARGEST_PRIME + 1):
        while rest % factor == 0:
            rest //= factor
    return list(COLOURS)[rest > 1]


def table(document):
    """Lines of Markdown, a row for each place and kind of size: how many, and the least, mean and largest ratio."""
    groups = {}
    for space, threads, result, ratio in select.ratios(document):
        place = "GPU" if space == "gpu" else render.threads_in_words(threads)
        groups.setdefault((place, kind(result)), []).append(ratio)
    rows = [[place, sizes, str(len(found)), f"{min(found):.2f}",
             f"{math.exp(sum(map(math.log, found)) / len(found)):.2f}", f"{max(found):.2f}",
             str(sum(ratio > 1 for ratio in found))] for (place, sizes), found in groups.items()]
    return [*render.heading(document), *render.table(["on", "sizes", ">how many", ">least Weft/peer", ">geometric mean",
                                                      ">largest", ">above 1"], rows)]


class Axis:
    """A logarithmic axis over whole powers of two that has place for all the values."""

    def __init__(self, values, begin, end):
        self.low, self.high = math.floor(math.log2(min(values))), math.ceil(math.log2(max(values)))
        self.high = max(self.high, self.low + 1)
        self.begin, self.end = begin, end

    def place(self, value):
        return self.begin + (math.log2(value) - self.low) / (self.high - self.low) * (self.end - self.begin)

    def steps(self, most):
        step = math.ceil((self.high - self.low) / most)
        return [2.0 ** power for power in range(self.low, self.high + 1, step)]


def grid(across, up):
    lines = []
    for ratio in up.steps(10):
        y = up.place(ratio)
        colour = "#404040" if ratio == 1 else "#dddddd"
        lines += [f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="{colour}"/>',
                  bars.text(LEFT - 6, f"{y + 4:.1f}", f"{ratio:g}", 'text-anchor="end"')]
    for pixels in across.steps(8):
        lines.append(bars.text(f"{across.place(pixels):.1f}", HEIGHT - BOTTOM + 18, f"{pixels:,.0f}",
                               'text-anchor="middle"'))
    return lines


def draw(document):
    """The picture; None where no size was timed beside a peer."""
    found = select.ratios(document)
    if not found:
        return None
    across = Axis([result["height"] * result["width"] for _, _, result, _ in found], LEFT, WIDTH - RIGHT)
    up = Axis([1, *(ratio for *_, ratio in found)], HEIGHT - BOTTOM, TOP)
    words = [bars.text(10, 18, render.heading(document)[0].split("**")[1], 'font-weight="bold"'),
             bars.text(10, 34, ", ".join(render.about(document["machine"]))),
             bars.text(10, 50, "Time over that of the peer, by pixels; below 1 is faster than the peer.")]
    for number, (name, colour) in enumerate(COLOURS.items()):
        words += [f'<circle cx="{LEFT + 250 * number + 6}" cy="66" r="{DOT}" fill="{colour}"/>',
                  bars.text(LEFT + 250 * number + 16, 70, name)]
    dots = [f'<circle cx="{across.place(result["height"] * result["width"]):.1f}" cy="{up.place(ratio):.1f}" r="{DOT}" '
            f'fill="{COLOURS[kind(result)]}"><title>{result["height"]}x{result["width"]}, {result["strategy"]}: '
            f'{ratio:.2f}</title></circle>' for _, _, result, ratio in found]
    return bars.svg(HEIGHT, [*words, *grid(across, up), *dots])
