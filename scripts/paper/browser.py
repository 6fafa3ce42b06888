# SPDX-License-Identifier: MIT
"""Looks at a page in a headless Chromium through its DevTools protocol, over two pipes: each message is JSON and ends
with a zero byte."""
import base64
import json
import os
import pathlib
import select
import shutil
import subprocess
import tempfile

WAYS = (("light", 1200), ("dark", 1200), ("light", 420))
MOST_PIXELS = 16000  # of a picture's height
SECONDS = 60  # for an answer

# What a page says of itself: its figures and pictures with their sizes; words of a picture that leave it, and how
# much wider than the window the page is.
ASK = """(() => {
  const size = e => { const b = e.getBoundingClientRect(); return [b.width, b.height]; };
  const out = [];
  for (const svg of document.querySelectorAll('svg')) {
    const box = svg.viewBox.baseVal;
    for (const text of svg.querySelectorAll('text')) {
      const b = text.getBBox();
      if (b.x < box.x - 1 || b.x + b.width > box.x + box.width + 1 || b.y + b.height > box.y + box.height + 1)
        out.push(text.textContent);
    }
  }
  return JSON.stringify({
    figures: [...document.querySelectorAll('figure')].map(f => {
      const shown = f.querySelector('svg, img');
      return [f.id, shown ? size(shown) : [0, 0], shown && shown.tagName === 'IMG' ? shown.naturalWidth : 1]; }),
    out, wider: document.documentElement.scrollWidth - window.innerWidth,
    height: document.documentElement.scrollHeight });
})()"""


class Chromium:
    def __init__(self, program, folder):
        to_read, self.send = os.pipe()
        self.receive, to_write = os.pipe()

        def at_3_and_4():  # where Chromium looks for them; first out of the way of one another
            os.dup2(to_read, 13)
            os.dup2(to_write, 14)
            os.dup2(13, 3)
            os.dup2(14, 4)

        self.process = subprocess.Popen(  # pylint: disable=consider-using-with,subprocess-popen-preexec-fn
            [
                program,
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--remote-debugging-pipe",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                f"--user-data-dir={folder}",
                "about:blank",
            ],
            preexec_fn=at_3_and_4,
            close_fds=False,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_read)
        os.close(to_write)
        self.number, self.buffer, self.events, self.session = 0, b"", [], None

    def message(self):
        while b"\0" not in self.buffer:
            if not select.select([self.receive], [], [], SECONDS)[0]:
                raise SystemExit(f"draw-paper --look: Chromium says nothing for {SECONDS} seconds")
            more = os.read(self.receive, 1 << 20)
            if not more:
                raise SystemExit("draw-paper --look: Chromium ended")
            self.buffer += more
        one, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(one)

    def __call__(self, method, **parameters):
        self.number += 1
        asked = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            asked["sessionId"] = self.session
        os.write(self.send, json.dumps(asked).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise SystemExit(f"draw-paper --look: {method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)

    def wait_for(self, method):
        while not any(event.get("method") == method for event in self.events):
            self.events.append(self.message())

    def end(self):
        self.process.kill()
        self.process.wait()
        os.close(self.send)
        os.close(self.receive)


def begin(program, folder):
    chromium = Chromium(program, folder)
    page = chromium("Target.createTarget", url="about:blank")["targetId"]
    chromium.session = chromium("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]
    for domain in ("Page", "Runtime", "Log", "Network"):
        chromium(f"{domain}.enable")
    return chromium


def show(chromium, url, scheme, width):
    """What the page says of itself; a picture of all of it."""
    chromium.events.clear()
    chromium("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
    chromium("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    chromium("Page.navigate", url=url)
    chromium.wait_for("Page.loadEventFired")
    told = json.loads(chromium("Runtime.evaluate", expression=ASK)["result"]["value"])
    area = {"x": 0, "y": 0, "width": width, "height": min(told["height"], MOST_PIXELS), "scale": 1}
    shot = chromium("Page.captureScreenshot", clip=area, captureBeyondViewport=True)
    return told, base64.b64decode(shot["data"])


def complaints(told, events, width):
    """In words: what is missing, what was said, what was asked for."""
    wrong = [f"figure {name}: not there" for name, size, natural in told["figures"] if min(*size, natural) < 1]
    wrong += [f"text leaves its picture: {words}" for words in told["out"]]
    if told["wider"] > 0:
        wrong.append(f"{told['wider']} pixels wider than a window of {width}")
    for event in events:
        told_of = event.get("params", {})
        if event.get("method") == "Runtime.exceptionThrown":
            wrong.append(f"exception: {told_of['exceptionDetails']['text']}")
        if event.get("method") in ("Runtime.consoleAPICalled", "Log.entryAdded"):
            wrong.append(f"console: {json.dumps(told_of)[:200]}")
        if event.get("method") == "Network.requestWillBeSent" and not told_of["request"]["url"].startswith(
            ("file:", "data:", "about:")
        ):
            wrong.append(f"asks for {told_of['request']['url']}")
    return wrong


def look(path, folder):
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        print("SKIP page in a browser: no chromium here")
        return 0
    failed = 0
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        chromium = begin(program, profile)
        try:
            for scheme, width in WAYS:
                told, shot = show(chromium, pathlib.Path(path).absolute().as_uri(), scheme, width)
                wrong = complaints(told, chromium.events, width)
                if not told["figures"]:
                    wrong.append("there are no figures")
                name = f"page, {scheme}, {width} pixels wide"
                print(
                    "\n".join(
                        [
                            *(f"  {one}" for one in wrong),
                            f"{'FAIL' if wrong else 'PASS'} {name}: {len(told['figures'])} figures",
                        ]
                    )
                )
                failed |= bool(wrong)
                with open(os.path.join(folder, f"page-{scheme}-{width}.png"), "wb") as file:
                    file.write(shot)
        finally:
            chromium.end()
    return int(failed)
