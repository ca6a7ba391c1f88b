"""Chromium without a window, driven through a pipe by its DevTools protocol. Only the standard library."""

import base64
import json
import os
import shutil
import subprocess
import tempfile
import time
import zlib

NAMES = ["chromium", "chromium-browser", "google-chrome"]
# WebGL by a software driver.
FLAGS = ["--headless=new", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--no-sandbox",
         "--no-first-run", "--disable-background-networking", "--disable-extensions", "--disable-component-update",
         "--hide-scrollbars", "--force-color-profile=srgb", "--remote-debugging-pipe"]


# Notes each sound that starts: its length in seconds, and whether it repeats.
HEAR = """window.heard = []; const start = AudioBufferSourceNode.prototype.start;
AudioBufferSourceNode.prototype.start = function (...when) { heard.push([this.buffer.duration, this.loop]); return start.apply(this, when); };"""


class Browser:
    """A browser with one page. `size` is in pixels."""

    def __init__(self, size, flags=()):
        self.home = tempfile.mkdtemp(prefix="keypose-web-")
        name = next(name for name in NAMES if shutil.which(name))
        read, self.to = os.pipe()
        self.answers, write = os.pipe()
        # Chromium reads from descriptor 3 and writes to 4.
        line = f'exec {name} "$@" 3<&{read} 4>&{write}'
        arguments = [*FLAGS, *flags, f"--user-data-dir={self.home}", "about:blank"]
        self.process = subprocess.Popen(["bash", "-c", line, "bash", *arguments], pass_fds=[read, write],
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(read)
        os.close(write)
        self.count, self.rest, self.session = 0, b"", None
        self.requests, self.complaints = [], []
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ["Page", "Network", "Runtime", "Log"]:
            self.ask(f"{domain}.enable")
        self.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
        self.resize(size)

    def resize(self, size, touch=False):
        self.ask("Emulation.setDeviceMetricsOverride", width=size[0], height=size[1], deviceScaleFactor=1, mobile=touch)

    def tab(self, url):
        """Opens another tab, to which what is asked then goes. Returns it and the tab before."""
        before, self.session = self.session, None
        target = self.ask("Target.createTarget", url=url)["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        return target, before

    def back(self, target, before):
        """Closes a tab; what is asked then goes to the one before."""
        self.session = None
        self.ask("Target.closeTarget", targetId=target)
        self.session = before

    def close(self):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.home, ignore_errors=True)

    def ask(self, method, **parameters):
        self.count += 1
        message = {"id": self.count, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.next()
            if answer.get("id") == self.count:
                assert "error" not in answer, f"{method}: {answer['error']}"
                return answer["result"]

    def next(self):
        while b"\0" not in self.rest:
            part = os.read(self.answers, 1 << 16)
            assert part, "the browser has ended"
            self.rest += part
        text, self.rest = self.rest.split(b"\0", 1)
        message = json.loads(text)
        self.note(message)
        return message

    def note(self, message):
        """Keeps requests, and what pages complain of."""
        of = message.get("params", {})
        if message.get("method") == "Network.requestWillBeSent":
            self.requests.append(of["request"]["url"])
        if message.get("method") == "Log.entryAdded" and of["entry"]["level"] == "error":
            self.complaints.append(of["entry"]["text"])
        if message.get("method") == "Runtime.exceptionThrown":
            self.complaints.append(json.dumps(of["exceptionDetails"])[:400])
        if message.get("method") == "Runtime.consoleAPICalled" and of["type"] in ["error", "warning"]:
            self.complaints.append(json.dumps(of["args"])[:400])

    def value(self, expression):
        result = self.ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    def open(self, url, patience=60):
        """Opens a page and waits for its first picture. Returns the seconds that it took, and its state."""
        # A page that differs only behind "#" would not be loaded again.
        self.ask("Page.navigate", url="about:blank")
        self.requests.clear()
        start = time.monotonic()
        self.ask("Page.navigate", url=url)
        while time.monotonic() - start < patience:
            state = self.value("document.documentElement?.dataset.state")
            if state:
                return time.monotonic() - start, state
            time.sleep(0.02)
        raise AssertionError(f"{url}: no picture after {patience} s")

    def mouse(self, kind, x, y, **more):
        self.ask("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def drag(self, start, end):
        self.mouse("mousePressed", *start, button="left", buttons=1, clickCount=1)
        self.mouse("mouseMoved", *end, button="left", buttons=1)
        self.mouse("mouseReleased", *end, button="left", clickCount=1)

    def key(self, kind, code, key):
        """Presses or releases a key, and waits until the page has drawn again."""
        self.ask("Input.dispatchKeyEvent", type=kind, code=code, key=key)
        self.frames()

    def frames(self, count=2):
        """Waits until the page has drawn again."""
        self.value(f"new Promise((done) => {{ let n = {count}; const next = () => n-- ? requestAnimationFrame(next) : done(); next(); }})")

    def picture(self):
        """The page as (width, height, rows of RGB bytes)."""
        self.frames()
        return decode_png(base64.b64decode(self.ask("Page.captureScreenshot", format="png")["data"]))


def decode_png(file):
    """Width, height and RGB pixels of a PNG with eight bits per channel."""
    assert file[:8] == b"\x89PNG\r\n\x1a\n"
    at, packed = 8, b""
    while at < len(file):
        length, kind = int.from_bytes(file[at:at + 4], "big"), file[at + 4:at + 8]
        content = file[at + 8:at + 8 + length]
        if kind == b"IHDR":
            width, height = int.from_bytes(content[:4], "big"), int.from_bytes(content[4:8], "big")
            channels = {2: 3, 6: 4}[content[9]]
            assert content[8] == 8
        elif kind == b"IDAT":
            packed += content
        at += 12 + length
    lines, step = zlib.decompress(packed), width * channels
    rows, above = [], bytearray(step)
    for y in range(height):
        start = y * (step + 1)
        row = bytearray(lines[start + 1:start + 1 + step])
        unfilter(lines[start], row, above, channels)
        above = row
        rows.append(bytes(row) if channels == 3 else b"".join(row[x:x + 3] for x in range(0, step, 4)))
    return width, height, rows


def unfilter(kind, row, above, channels):
    for x in range(len(row)):
        left = row[x - channels] if x >= channels else 0
        if kind == 1:
            row[x] = (row[x] + left) & 255
        elif kind == 2:
            row[x] = (row[x] + above[x]) & 255
        elif kind == 3:
            row[x] = (row[x] + (left + above[x]) // 2) & 255
        elif kind == 4:
            corner = above[x - channels] if x >= channels else 0
            guess = left + above[x] - corner
            near = min((abs(guess - left), 0, left), (abs(guess - above[x]), 1, above[x]), (abs(guess - corner), 2, corner))
            row[x] = (row[x] + near[2]) & 255
