# SPDX-License-Identifier: MIT
"""Where results are shown: blocks between markers in README.md and docs/*.md, and the pictures of docs/pictures."""
import glob
import os
import re

from results import (bars, load, render, render_aims, render_dx11, render_exact, render_fractal, render_ladder, render_python,
                     render_speed, scatter, select)

DRAW = {load.BENCH: render.bench, load.SWEEP: scatter.table, load.DX11: render_dx11.dx11,
        load.BYTES: render_dx11.counted_bytes, load.PEERS: render.peers, load.COUNTERS: render.counters,
        load.FRACTAL: render_fractal.fractal, load.FRACTAL_BENCH: render_fractal.bench,
        load.LADDER: render_ladder.ladder, load.AIMS: render_aims.aims, load.EXACT: render_exact.exact,
        load.SPEED: render_speed.speed, load.PYTHON: render_python.python}


def newest_of(schema):
    return lambda: render.block(select.newest(schema), DRAW[schema])


def headline():
    """Of the GPU that was measured last, and of the CPU with most cores."""
    cpus = [document for _, document in select.newest(load.BENCH) if not document["machine"]["gpu"]]
    cpu = max(cpus, key=lambda document: document["machine"]["cores"], default=None)
    return render.block([("", [select.newest_of_kind(load.BENCH, True), cpu])], render.headline)


def floors():
    """Of each GPU's newest run."""
    return render.block([item for item in select.newest(load.BENCH) if item[1]["machine"]["gpu"]], render.floor)


# What is drawn between `<!-- NAME: drawn by scripts/draw-results -->` and `<!-- end of NAME -->`, on whichever page.
BLOCKS = {"results": newest_of(load.BENCH), "sweep": newest_of(load.SWEEP), "dx11": newest_of(load.DX11), "bytes": newest_of(load.BYTES),
          "counters": newest_of(load.COUNTERS), "fractal": newest_of(load.FRACTAL), "speed": newest_of(load.FRACTAL_BENCH),
          "ladder": newest_of(load.LADDER), "aims": newest_of(load.AIMS), "exact": newest_of(load.EXACT),
          "commands": newest_of(load.SPEED), "python": newest_of(load.PYTHON),
          "headline": headline, "floor": floors,
          "peers": lambda: render.block(select.newest_peers(), render.peers),
          "shares": lambda: render.block(select.by_machine(load.BENCH), render.shares)}
# What makes the documents of a block, for a page that has none yet.
MADE_BY = {**dict.fromkeys(("results", "headline", "floor", "shares"), "weft bench --json FILE"),
           "sweep": "weft bench --sweep data/sweep-300.txt --json FILE", "dx11": "weft reproduce dx11 --json FILE",
           "bytes": "scripts/gpu-bytes", "peers": "scripts/cpu-peers --json FILE", "counters": "scripts/cpu-counters --json FILE",
           "fractal": "weft reproduce fractal --json FILE", "speed": "weft fractal bench --json FILE",
           "ladder": "weft reproduce ladder --json FILE", "aims": "weft reproduce weft --json FILE",
           "exact": "scripts/measure-exactness --json FILE", "commands": "scripts/measure-speed --json FILE",
           "python": "python -m weft bench --json FILE"}
# What changes in a page when only the code does.
OLDER = re.compile(rf"[,;] {render.OLDER}|{render.OLDER}[,;] ")
MARKED = re.compile(r"(?s)(<!-- (\w+): drawn by scripts/draw-results -->\n)(.*?)(<!-- (?:end of (\w+)|\w+: drawn by \S+) -->\n|\Z)")


def redrawn(page, text, shown):
    """The text with its blocks as they should be, whose names are added to `shown`."""
    def block(found):
        begin, name, _, end, end_name = found.groups()
        if name not in BLOCKS:
            raise SystemExit(f"{page}: there is no block {name}, only {', '.join(BLOCKS)}")
        if end_name != name:
            raise SystemExit(f"{page}: the end of {name} is not there")
        shown.add(name)
        return begin + (BLOCKS[name]() or f"`{MADE_BY[name]}` measures this; no document of it is in `data/results` yet.\n") + end
    return MARKED.sub(block, text)


def picture(is_gpu):
    """None where nothing like it was measured."""
    document = select.newest_of_kind(load.BENCH, is_gpu)
    groups = select.forward_times(document) if document else {}
    if not groups:
        return None
    machine = document["machine"]
    return bars.draw(f"{load.place(machine)}: forward transform, f32, cold{'' if is_gpu else ', one thread'}",
                     ", ".join(render.about(machine)), groups)


def picture_of_sweep():
    """None where no GPU was swept."""
    document = select.newest_of_kind(load.SWEEP, True)
    return scatter.draw(document) if document else None


def picture_of_ladder(device):
    """None where no rung ran there."""
    document = render_ladder.newest_with(select.newest(load.LADDER), device)
    return render_ladder.picture(document, device) if document else None


PICTURES = {"docs/pictures/times-gpu.svg": lambda: picture(True), "docs/pictures/times-cpu.svg": lambda: picture(False),
            "docs/pictures/sweep-gpu.svg": picture_of_sweep,
            "docs/pictures/ladder-cpu.svg": lambda: picture_of_ladder("cpu"),
            "docs/pictures/ladder-gpu.svg": lambda: picture_of_ladder("gpu")}


def read(path):
    try:
        with open(os.path.join(load.ROOT, path), encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return None


def drawn():
    """{path: text} of all pages that show a block, and of all pictures."""
    found, shown = {}, set()
    for path in ("README.md", *sorted(glob.glob("docs/*.md", root_dir=load.ROOT))):
        text = redrawn(path, read(path), shown)
        if MARKED.search(text):
            found[path] = text
    missing = [name for name in BLOCKS if name not in shown]
    if missing:
        raise SystemExit(f"no page of README.md and docs/*.md shows {', '.join(missing)}")
    pictures = {path: draw() for path, draw in PICTURES.items()}
    return {**found, **{path: text for path, text in pictures.items() if text}}


def redraw():
    os.makedirs(os.path.join(load.ROOT, "docs", "pictures"), exist_ok=True)
    for path, text in drawn().items():
        with open(os.path.join(load.ROOT, path), "w", encoding="utf-8") as file:
            file.write(text)


def check():
    """A change of the code alone makes no page wrong: then it only does not say yet that its tables are older."""
    wrong = 0
    for path, text in drawn().items():
        there = read(path)
        stale = there is None or OLDER.sub("", there) != OLDER.sub("", text)
        wrong += stale
        print(f"FAIL results in {path}: stale; scripts/draw-results draws them anew" if stale
              else f"PASS results in {path}" if there == text
              else f"SKIP results in {path}: it does not say which tables are older than the code; scripts/draw-results does")
    for schema in load.SCHEMAS:
        check_evidence(schema)
    return 1 if wrong else 0


def check_evidence(schema):
    """Says whether the newest measurements of each machine are those of the code as it is."""
    for name, document in select.newest(schema):
        machine = document["machine"]
        kind = "GPU" if machine["gpu"] else "CPU"
        if not load.is_of_older_code(document):
            print(f"PASS {kind} evidence {schema} {name}")
        else:
            print(f"SKIP {kind} evidence {schema} {name}: stale: the code it was measured with "
                  f"({' '.join(load.code(document))}) has changed since commit {machine['commit']}; measure anew, see "
                  "CONTRIBUTING.md")


def show(*paths):
    """The tables of documents; of one that the paper alone draws from, what it is."""
    for path, document in zip(paths, map(load.read, paths)):
        schema = document["schema"]
        print("\n".join(DRAW[schema](document)) if schema in DRAW else f"{path}: {schema}, which the paper draws")


def print_scatter(path):
    document = load.read(path)
    picture = scatter.draw(document) if document["schema"] == load.SWEEP else None
    if picture is None:
        raise SystemExit(f"{path}: no {load.SWEEP} document with times of Weft and of a peer")
    print(picture, end="")
