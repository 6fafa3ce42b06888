# SPDX-License-Identifier: MIT
"""The first- and second-level caches of this CPU, and the nearest to them that valgrind's callgrind simulates: the
part of a weft-cpu-counters/1 document that says so. Used by cpu-counters and by results/render.py, which draws it."""
import glob
import math
import os

FOLDER = "/sys/devices/system/cpu/cpu0/cache"
WANTED = {"I1": ("1", "Instruction"), "D1": ("1", "Data"), "L2": ("2", "Unified")}  # level and type
COMMON = {"I1": (32768, 8, 64), "D1": (32768, 8, 64), "L2": (1 << 20, 16, 64)}  # where the CPU's are not known
NUMBERS = "bytes", "ways", "line"


def described(folder):
    """What the system says of one cache: (level, type, bytes, ways, bytes of a line)."""
    found = []
    for name in "level", "type", "size", "ways_of_associativity", "coherency_line_size":
        with open(os.path.join(folder, name), encoding="ascii") as file:
            found.append(file.read().strip())
    return found[0], found[1], int(found[2].removesuffix("K")) * 1024, int(found[3]), int(found[4])


def of_cpu(folder):
    """By their names in WANTED, (bytes, ways, bytes of a line); None is not known."""
    found = dict.fromkeys(WANTED)
    for path in sorted(glob.glob(os.path.join(folder, "index*"))):
        try:
            level, kind, *numbers = described(path)
        except (OSError, ValueError):
            continue
        for name, wanted in WANTED.items():
            if (level, kind) == wanted and all(numbers):
                found[name] = tuple(numbers)
    return found


def simulated(size, ways, line):
    """The nearest that callgrind takes: its sets are a power of two."""
    return 2 ** round(math.log2(size / ways / line)) * ways * line, ways, line


def document(folder=FOLDER):
    return {name: {"simulated": dict(zip(NUMBERS, simulated(*(cache or COMMON[name])))),
                   "cpu": cache and dict(zip(NUMBERS, cache))} for name, cache in of_cpu(folder).items()}


def options(caches):
    """Callgrind's. Its LL, the last level, is the second one here."""
    return [f"--{'LL' if name == 'L2' else name}={','.join(map(str, cache['simulated'].values()))}"
            for name, cache in caches.items()]


def words(caches):
    """Of the CPU's own only where that is another one."""
    found = []
    for name, cache in caches.items():
        one, real = cache["simulated"], cache["cpu"]
        own = f" (the CPU's has {real['bytes'] // 1024} KB)" if real else " (the CPU's is not known)"
        found.append(f"{name} of {one['bytes'] // 1024} KB in {one['ways']} ways{own if one != real else ''}")
    return ", ".join(found)
