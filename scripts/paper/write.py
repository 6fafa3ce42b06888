# SPDX-License-Identifier: MIT
"""Fills the templates paper/paper.tex and paper/page.html. In both, [[NAME]] is a number of values.py, [[table NAME]]
and [[figure NAME]] are one of tables.py and of the pictures; what stands between [[if FACT]] or [[if not FACT]] and
[[end]] is there only with such a fact, or without: ladder.facts has them, the schemas of all documents among them. Each
number is written with a mark that leads to where it was measured."""
import base64
import difflib
import html
import json
import os
import re
import textwrap

from paper import drawing, ladder, measured, plots, tables, values, words
from results import load

FIGURES = {**words.FIGURES, **plots.FIGURES, **ladder.FIGURES}
TABLES = {**tables.TABLES, **ladder.TABLES}
PAPER = os.path.join(load.ROOT, "paper")
CONDITION = re.compile(r"(?ms)^\[\[if (not )?([^\]\n]+)\]\]\n(.*?)^\[\[end\]\]\n")
PLACE = re.compile(r"\[\[(?:(table|figure|photo) )?([^\[\]]+)\]\]")
PART, OTHER = 0.86, 0.09  # of the width of a text: of columns of sentences, but for so much of each other one
LETTERS = 14  # of a line of a table's head
TEX = {**{sign: "\\" + sign for sign in "_%&#${}"}, "\\": r"\textbackslash{}", "~": r"\textasciitilde{}",
       "^": r"\textasciicircum{}"}
BESIDE = 3  # names told where there is none of that name


class Text:
    """What paper and page have in common. numbers: all that were written, by their marks."""

    def __init__(self, name, documents, known):
        self.name, self.documents, self.known, self.numbers = name, documents, known, []
        self.facts = ladder.facts(documents.kept)
        self.figures = {}

    def read(self):
        with open(os.path.join(PAPER, self.name), encoding="utf-8") as file:
            return file.read()

    def sources(self, number):
        return [self.documents.place(source) for source in number.sources]

    def mark(self, number):
        self.numbers.append({"text": number.text, "kind": number.kind, "sources": self.sources(number)})
        return self.marked(len(self.numbers) - 1, number)

    def cell(self, cell):
        return self.mark(cell) if isinstance(cell, measured.Measured) else self.plain(cell)

    def lookup(self, what, name, among):
        if name not in among:
            near = ", ".join(difflib.get_close_matches(name, among, BESIDE)) or "nothing like it"
            raise SystemExit(f"paper/{self.name}: there is no {what}{name}; there is {near}")
        return among[name]

    def filled(self):
        def part(found):
            return found[3] if (found[2] in self.facts) != bool(found[1]) else ""

        text = CONDITION.sub(part, self.read())

        def place(found):
            kind, name = found.groups()
            if kind == "table":
                return self.table(*self.lookup("table ", name, TABLES)())
            if kind == "photo":
                return self.photo(name)
            if kind == "figure":
                drawn = self.lookup("figure ", name, FIGURES)()
                if drawn is None:
                    raise SystemExit(f"paper/{self.name}: figure {name}: data/results has nothing to draw it from")
                return self.figure(name, drawn)
            return self.mark(self.lookup("number ", name, self.known))

        return PLACE.sub(place, text)


# ---- LaTeX -------------------------------------------------------------------------------------------------------


class Paper(Text):
    def plain(self, words_):
        return re.sub(r"(?<=\d)x(?=\d)", r"\\by{}", "".join(TEX.get(sign, sign) for sign in words_))

    def number(self, text):
        return re.sub(r" (us|ms|s|dB)$", r"\\,\1", self.plain(text)).replace(",us", r",\textmu s")

    def marked(self, index, number):
        return f"\\measured{{{index}}}{{{self.number(number.text)}}}"

    def head(self, title):
        """In lines of few letters."""
        lines = textwrap.wrap(title.lstrip(">="), LETTERS)
        return f"\\shortstack[{'r' if title.startswith('>') else 'l'}]{{" + r" \\{} ".join(map(self.plain, lines)) + "}"

    def table(self, titles, rows):
        sentences = sum(title.startswith("=") for title in titles)
        wide = f"p{{{(PART - OTHER * (len(titles) - sentences)) / max(1, sentences):.2f}\\linewidth}}"
        columns = "".join({">": "r", "=": wide}.get(title[0], "l") for title in titles)
        heads = " & ".join(self.head(title) for title in titles)
        lines = [" & ".join(self.cell(cell) for cell in row) + r" \\" for row in rows]
        return "\n".join(
            [
                f"\\begin{{tabular}}{{@{{}}{columns}@{{}}}}",
                r"\toprule",
                heads + r" \\",
                r"\midrule",
                *lines,
                r"\bottomrule",
                r"\end{tabular}",
            ]
        )

    def figure(self, name, drawn):
        self.figures[f"{name}.svg"] = drawing.for_print(drawn)
        return f"\\includegraphics[width=\\linewidth]{{{name}.pdf}}"

    def photo(self, name):
        return f"\\includegraphics[width=\\linewidth]{{{os.path.abspath(os.path.join(load.ROOT, name))}}}"


# ---- the page ----------------------------------------------------------------------------------------------------


class Page(Text):
    def plain(self, words_):
        return re.sub(r"(?<=\d)x(?=\d)", "×", html.escape(words_))

    def marked(self, index, number):
        text = self.plain(number.text).replace(" us", " µs").replace(" ", "\N{NO-BREAK SPACE}")
        places = self.numbers[index]["sources"]
        where = f"{places[0][0]}: {number.kind} of " + (
            f"{len(places)} values" if len(places) > 2 else " and ".join("/".join(map(str, one[1:])) for one in places)
        )
        return f'<data value="{index}" tabindex="-1" title="{html.escape(where)}">{text}</data>'

    def table(self, titles, rows):
        def cells(row, tag):
            return "".join(
                f'<{tag}{" class=n" if title.startswith(">") else ""}>{cell}</{tag}>'
                for title, cell in zip(titles, row)
            )

        lines = [
            f"<tr>{cells([self.plain(title.lstrip('>=')) for title in titles], 'th')}</tr>",
            *(f"<tr>{cells([self.cell(cell) for cell in row], 'td')}</tr>" for row in rows),
        ]
        return '<div class="wide"><table>\n' + "\n".join(lines) + "\n</table></div>"

    def figure(self, name, drawn):
        self.figures[name] = None
        return f'<div class="wide" id="figure-{name}">{drawing.for_page(drawn, name)}</div>'

    def photo(self, name):
        with open(os.path.join(load.ROOT, name), "rb") as file:
            return "data:image/png;base64," + base64.b64encode(file.read()).decode()


def documents_and_date():
    documents = measured.read_all()
    return documents, max(document["machine"]["date"] for document in documents.kept)


def write(folder):
    """paper.tex, page.html, the pictures of the paper, and numbers.json: where every number of both comes from."""
    documents, _ = documents_and_date()
    known, numbers, files = values.all_values() | ladder.all_values(), {}, {}
    for text in (Paper("paper.tex", documents, known), Page("page.html", documents, known)):
        files |= {text.name: text.filled(), **{name: svg for name, svg in text.figures.items() if svg}}
        numbers[text.name] = text.numbers
    files["numbers.json"] = json.dumps(numbers, indent=0)
    try:
        os.makedirs(folder, exist_ok=True)
        for name, content in files.items():
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(content)
    except OSError as error:
        raise SystemExit(f"draw-paper: {error.filename or folder}: {error.strerror}") from error
