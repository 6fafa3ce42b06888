# SPDX-License-Identifier: MIT
"""Other programs that blur pictures, and Weft's tool, as commands: whether they are here, which version they are, and what
they wrote. Used by measure-exactness and measure-speed."""
import importlib
import os
import re
import subprocess
import sys

from results import load
from transforms import Absent, fail

PACKAGES = {"vips": "libvips-tools", "convert": "imagemagick"}
MODULES = {"SciPy": ("scipy", "scipy"), "OpenCV": ("cv2", "opencv-python-headless")}
EPILOGUE = """
needs NumPy, and a build of the tool: cmake --preset cpu && cmake --build --preset cpu
peers: apt-get install libvips-tools imagemagick{more}; pip install scipy opencv-python-headless

example:
  scripts/{name} --json {file}
"""


def module(name, package):
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise Absent(f"no module {name} in {sys.executable}; pip install {package}") from error


def run(*command):
    try:
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False, timeout=300)
    except FileNotFoundError as error:
        raise Absent(f"no {command[0]}; apt-get install {PACKAGES.get(command[0], command[0])}") from error
    if done.returncode:
        fail(1, f"{command[0]}: exit {done.returncode}: {(done.stdout + done.stderr).strip()[-500:]}")
    return done.stdout


def version(program, weft):
    if program == "Weft":
        return re.search(r"weft ([\d.]+)", run(weft, "--version"))[1]
    if program == "libvips":
        return re.search(r"vips-([\d.]+)", run("vips", "--version"))[1]
    if program == "ImageMagick":
        return re.search(r"ImageMagick (\S+)", run("convert", "--version"))[1]
    return module(*MODULES[program]).__version__


class Pictures:
    """Files of pictures as arrays (height, width, colours), read by Weft."""

    def __init__(self, numpy, weft, folder):
        self.numpy, self.weft, self.folder = numpy, weft, folder
        with open(self.at("same.txt"), "w", encoding="utf-8") as file:
            file.write("1\n")

    def at(self, name):
        return os.path.join(self.folder, name)

    def convert(self, path, to, *options):
        run(self.weft, "filter", path, "-o", to, "--kernel", self.at("same.txt"), "--force", *options)

    def read(self, path):
        self.convert(path, self.at("read.npy"))
        planes = self.numpy.rint(self.numpy.load(self.at("read.npy")).astype(float))
        return planes[:, :, None] if planes.ndim == 2 else planes.transpose(1, 2, 0)


def add_options(parser):
    parser.add_argument("--weft", default=os.path.join(load.ROOT, "build", "cpu", "tool", "weft"),
                        help="default: build/cpu/tool/weft")
    parser.add_argument("--json", metavar="FILE", help="write a document of what was found")


def check_options(parser, options):
    """NumPy; and both paths are what they are in every folder."""
    options.weft, options.json = os.path.abspath(options.weft), options.json and os.path.abspath(options.json)
    if not os.access(options.weft, os.X_OK):
        parser.error(f'weft "{options.weft}": not there')
    try:
        return module("numpy", "numpy")
    except Absent as why:
        return fail(1, str(why))
