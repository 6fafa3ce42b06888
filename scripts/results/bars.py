# SPDX-License-Identifier: MIT
"""A picture of times as SVG: horizontal bars, in groups of one image each."""
import html

from results.render import time

WIDTH, LABELS, TIMES, BAR, GAP, TOP = 800, 150, 190, 16, 12, 84
COLOURS = {"Weft": "#2563a8", "cuFFT": "#c9752d", "FFTW": "#c9752d", "copy": "#a3a3a3"}
FONT = "font-family: sans-serif; font-size: 12px"


def text(x, y, words, more=""):
    return f'<text x="{x}" y="{y}" {more}>{html.escape(words)}</text>'


def bar(x, y, width, colour):
    return f'<rect x="{x}" y="{y}" width="{max(width, 1):.1f}" height="{BAR - 2}" fill="{colour}"/>'


def svg(height, lines):
    size = f'width="{WIDTH}" height="{height}"'
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="0 0 {WIDTH} {height}" style="{FONT}">',
                      f'<rect {size} fill="white"/>', *lines, "</svg>"]) + "\n"


def legend(names, y):
    lines, x = [], LABELS
    for name in names:
        lines += [bar(x, y - BAR + 4, BAR - 2, COLOURS[name]), text(x + BAR + 4, y, name)]
        x += 90
    return lines


def draw(title, subtitle, groups):
    """groups: image -> {name: (strategy, us)}. The longest bar of each group reaches across: sizes differ too much for
    one scale."""
    names = list(dict.fromkeys(name for bars in groups.values() for name in bars))
    lines = [text(10, 18, title, 'font-weight="bold"'), text(10, 34, subtitle),
             text(10, 50, "Shorter is faster; the longest bar of each image reaches across."), *legend(names, 72)]
    y = TOP
    for image, bars in groups.items():
        longest = max(us for _, us in bars.values())
        lines.append(text(LABELS - 8, y + BAR - 4, image, 'text-anchor="end"'))
        for name, (strategy, us) in bars.items():
            width = (WIDTH - LABELS - TIMES) * us / longest
            lines += [bar(LABELS, y, width, COLOURS[name]),
                      text(f"{LABELS + width + 6:.1f}", y + BAR - 4,
                           f"{time(us)}{f' ({strategy})' if name == 'Weft' else ''}")]
            y += BAR
        y += GAP
    return svg(y, lines)
