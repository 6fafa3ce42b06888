# SPDX-License-Identifier: MIT
"""What the figures of the paper are drawn with: one palette for print and page, and panels with axes. Pictures are SVG
as scripts/results draws them; the page replaces the palette's colours by those of its light or dark style."""
import re

from results import bars, scatter

WEFT, PEER, COPY, OTHER, STRONG, GRID, SOFT = (
    "#2563a8",
    "#c9752d",
    "#a3a3a3",
    "#3f8f5f",
    "#404040",
    "#dddddd",
    "#d7e3f1",
)
STYLES = {
    WEFT: "weft",
    PEER: "peer",
    COPY: "copy",
    OTHER: "other",
    STRONG: "strong",
    GRID: "grid",
    SOFT: "soft",
    "white": "back",
}
WIDTH, DOT = bars.WIDTH, 3.5
MIDDLE, END, BOLD, SMALL = 'text-anchor="middle"', 'text-anchor="end"', 'font-weight="bold"', 'font-size="10"'


def for_page(svg, title):
    """The picture as a part of a page: colours by their names, a title for those who cannot see it."""
    colour = re.compile("|".join(f'"{one}"' for one in STYLES))
    svg = colour.sub(lambda found: f'"var(--{STYLES[found[0].strip(chr(34))]})"', svg)
    begin, rest = svg.split(">", 1)
    begin = re.sub(r' (width|height)="\d+"| xmlns="[^"]+"| style="[^"]+"', "", begin)
    return f'{begin} role="img" aria-label="{title}">{rest}'


def for_print(svg):
    return svg.replace("font-family: sans-serif", "font-family: 'Liberation Sans', sans-serif")


def line(x, y, to_x, to_y, colour=STRONG, more=""):
    return f'<path d="M{x:.1f} {y:.1f}L{to_x:.1f} {to_y:.1f}" stroke="{colour}" fill="none" {more}/>'


def dot(x, y, colour, title="", hollow=False):
    paint = f'fill="white" stroke="{colour}" stroke-width="1.5"' if hollow else f'fill="{colour}"'
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{DOT}" {paint}><title>{title}</title></circle>'


def box(x, y, width, height, colour, more=""):
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{colour}" {more}/>'


def arrow(x, y, to_x, colour=STRONG):
    return line(x, y, to_x, y, colour) + f'<path d="M{to_x:.1f} {y:.1f}l-6 -4v8z" fill="{colour}"/>'


class Panel:
    """A place with two axes. across and up have place(value)."""

    def __init__(self, left, top, width, height, across, up):
        self.left, self.top, self.right, self.bottom = left, top, left + width, top + height
        self.across, self.up = across, up

    def frame(self, title, x_ticks, y_ticks, strong=None):
        """x_ticks, y_ticks: [(value, words)]; a line at `strong` stands out."""
        lines = [bars.text(self.left, self.top - 10, title, BOLD)]
        for value, words in y_ticks:
            y = self.up.place(value)
            lines += [
                line(self.left, y, self.right, y, STRONG if value == strong else GRID),
                bars.text(self.left - 6, f"{y + 4:.1f}", words, END),
            ]
        return lines + [
            bars.text(f"{self.across.place(value):.1f}", self.bottom + 16, words, MIDDLE) for value, words in x_ticks
        ]

    def curve(self, points, colour, name, dashed=False):
        """points: [(x, y, title)]"""
        placed = [(self.across.place(x), self.up.place(y), title) for x, y, title in points]
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y, _ in placed)
        dashes = 'stroke-dasharray="5 4"' if dashed else ""
        return [
            f'<path d="M{path}" stroke="{colour}" fill="none" stroke-width="1.8" {dashes}/>',
            *(dot(x, y, colour, f"{name}, {title}", dashed) for x, y, title in placed),
        ]


def axes(left, top, width, height, xs, ys):
    """Logarithmic axes that have place for all values."""
    return Panel(
        left, top, width, height, scatter.Axis(xs, left + 14, left + width - 14), scatter.Axis(ys, top + height, top)
    )


class Linear:
    def __init__(self, low, high, begin, end):
        self.low, self.high, self.begin, self.end = low, high, begin, end

    def place(self, value):
        return self.begin + (value - self.low) / (self.high - self.low) * (self.end - self.begin)


def legend(entries, x, y, step=120):
    """entries: [(name, colour, dashed)]"""
    lines = []
    for name, colour, dashed in entries:
        dashes = 'stroke-dasharray="5 4"' if dashed else ""
        lines += [line(x, y - 4, x + 20, y - 4, colour, f'stroke-width="2" {dashes}'), bars.text(x + 26, y, name)]
        x += step
    return lines


def picture(height, lines):
    return polished(bars.svg(height, lines))


def polished(svg):
    """Signs in place of the letters that documents have for them."""
    return re.sub(r"(?<=\d)x(?=\d)", "\N{MULTIPLICATION SIGN}", re.sub(r"(?<=\d) us\b", " \N{MICRO SIGN}s", svg))
