#!/usr/bin/env -S python3 -B
"""The editor on a page, by mouse and keys: a file is picked, a bone is posed, the work survives a reload, the game is played, and a
download is what the program reads. Usage: editor.py KEYPOSE [FOLDER], in the top folder; FOLDER gets pictures."""

import gzip
import os
import subprocess
import sys
import tempfile
import time

from browser import HEAR, Browser

SIZE = (1280, 720)
PATIENCE = float(os.environ.get("KEYPOSE_WEB_PATIENCE", "60"))
PAGE = "target/web/editor.html"
# Gzipped, as servers send it.
MAX_BYTES = 4_000_000


class Editor:
    def __init__(self, folder, look):
        self.folder, self.look = folder, look
        self.browser = Browser(SIZE)
        self.browser.ask("Page.setInterceptFileChooserDialog", enabled=True)
        self.browser.ask("Browser.setDownloadBehavior", behavior="allow", downloadPath=folder)

    def open(self):
        secs, state = self.browser.open(f"file://{os.path.abspath(PAGE)}")
        assert state == "drawn", self.browser.value("document.getElementById('message').textContent")
        return secs

    def reload(self):
        self.browser.value("document.title = 'left'")
        self.browser.ask("Page.reload")
        # A page that is going away doesn't answer.
        time.sleep(1)

    def wait(self, expression, what):
        self.until(lambda: self.browser.value(expression), what)

    def until(self, holds, what):
        start = time.monotonic()
        while time.monotonic() - start < PATIENCE:
            if holds():
                return
            time.sleep(0.1)
        self.show("failed")
        raise AssertionError(f"{what}: {self.browser.value('document.title')}, {self.browser.complaints}")

    def title(self, title):
        self.wait(f"document.title === {title!r}", title)

    def zoom(self, ratio):
        """Pixels per point of the page."""
        self.browser.ask("Emulation.setDeviceMetricsOverride", width=SIZE[0], height=SIZE[1], deviceScaleFactor=ratio, mobile=False)
        self.browser.frames(4)

    def key(self, code, key, modifiers=0):
        text = {"text": key} if len(key) == 1 and modifiers != 2 else {}
        self.browser.ask("Input.dispatchKeyEvent", type="keyDown", code=code, key=key, modifiers=modifiers, **text)
        self.browser.ask("Input.dispatchKeyEvent", type="keyUp", code=code, key=key, modifiers=modifiers)
        self.browser.frames(4)

    def click(self, x, y):
        self.browser.mouse("mouseMoved", x, y)
        self.browser.frames(3)
        self.browser.mouse("mousePressed", x, y, button="left", buttons=1, clickCount=1)
        self.browser.frames()
        self.browser.mouse("mouseReleased", x, y, button="left", clickCount=1)
        self.browser.frames(4)

    def command(self, name):
        self.key("F3", "F3")
        for key in name:
            self.key("Space" if key == " " else f"Key{key.upper()}", key)
        self.key("Enter", "Enter")

    def pick(self, path):
        """Opens a file."""
        self.key("KeyO", "o", 2)
        self.wait("document.getElementById('picker') !== null", "asks for a file")
        picker = self.browser.ask("Runtime.evaluate", expression="document.getElementById('picker')")["result"]["objectId"]
        self.browser.ask("DOM.setFileInputFiles", files=[os.path.abspath(path)], objectId=picker)

    def frame_ms(self):
        """Milliseconds of the page's own work per frame, of the driver's too."""
        return self.browser.value("""new Promise((done) => {
            const page = [], each = (now) => { page.push(now); page.length > 60 ? done((page.at(-1) - page[0]) / 60) : requestAnimationFrame(each); };
            requestAnimationFrame(each);
        })""")

    def show(self, name):
        if self.look:
            import base64
            picture = self.browser.ask("Page.captureScreenshot", format="png")["data"]
            with open(os.path.join(self.look, f"{name}.png"), "wb") as file:
                file.write(base64.b64decode(picture))


def main(keypose, look=None):
    with tempfile.TemporaryDirectory() as folder:
        with open(PAGE, "rb") as file:
            size = len(gzip.compress(file.read(), 9))
        print(f"{size:,} bytes gzipped", flush=True)
        assert size <= MAX_BYTES, f"more than {MAX_BYTES:,}"
        editor = Editor(folder, look)
        print(f"start screen after {editor.open():.1f} s", flush=True)
        editor.show("start")
        # What is seen is clicked, also after a change of the browser's zoom.
        editor.zoom(1.5)
        editor.click(640, 227)
        editor.wait("document.getElementById('picker') !== null", "Open asks for a file")
        editor.browser.value("document.getElementById('picker').dispatchEvent(new Event('cancel'))")
        editor.zoom(1)
        # A tooltip is shown while the mouse rests.
        row = editor.browser.picture()[2][57]
        editor.browser.mouse("mouseMoved", 1020, 17)
        editor.until(lambda: editor.browser.picture()[2][57] != row, "shows a tooltip")
        editor.pick("data/demo.wad")
        editor.title("demo.wad – Keypose")
        editor.show("opened")
        editor.browser.mouse("mouseMoved", 640, 240)
        editor.browser.frames(4)
        editor.key("KeyN", "n")
        editor.title("• demo.wad – Keypose")
        # The name of the clip is a text field until then.
        editor.key("Escape", "Escape")
        for key in "ar30":
            editor.key(f"Digit{key}" if key.isdigit() else f"Key{key.upper()}", key)
        editor.key("Enter", "Enter")
        editor.key("KeyI", "i")
        editor.show("keyed")
        editor.key("Space", " ")
        print(f"a frame while playing: {editor.frame_ms():.0f} ms", flush=True)
        editor.key("Space", " ")
        editor.browser.value(HEAR)
        editor.command("play or stop sound")
        editor.wait("heard.length === 1", "a sound is heard")
        # A paste comes with Shift, if it is to be mirrored.
        editor.browser.value("""window.struck = []; const strike = wasm_bindgen.EditorPage.prototype.key;
            wasm_bindgen.EditorPage.prototype.key = function (...of) { struck.push(of); return strike.apply(this, of); }; 0""")
        editor.browser.ask("Input.dispatchKeyEvent", type="rawKeyDown", code="KeyV", key="V", modifiers=10, windowsVirtualKeyCode=86,
                           commands=["pasteAndMatchStyle"])
        editor.wait("struck.some(([code, , held, flags]) => code === 'KeyV' && held === 3 && flags === 1)", "pastes mirrored")
        # Preferences stay in the browser.
        editor.command("light theme")
        theme = "JSON.parse(localStorage['keypose preferences'] ?? '{}').theme"
        editor.wait(f"{theme} === 'Light'", "stores preferences")
        # It is stored a second after the change.
        stored = "storage.load().then((work) => work?.name ?? '')"
        editor.wait(f"{stored}.then((name) => name === 'demo.wad')", "stores unsaved work")
        editor.reload()
        editor.title("• demo.wad – Keypose")
        editor.show("recovered")
        assert editor.browser.value(theme) == "Light"
        # Another file takes its place only after a question.
        editor.pick("data/demo.wad")
        editor.browser.frames(8)
        editor.show("asked")
        editor.title("• demo.wad – Keypose")
        editor.key("Escape", "Escape")
        print("unsaved work comes back", flush=True)
        # Each tab keeps its own work.
        slot = editor.browser.value("storage.slot")
        tabs = editor.browser.tab(f"file://{os.path.abspath(PAGE)}")
        editor.wait("document.documentElement?.dataset.state === 'drawn'", "draws in a second tab")
        editor.title("untitled – Keypose")
        assert editor.browser.value("storage.slot") not in (slot, None)
        editor.browser.back(*tabs)
        editor.key("F5", "F5")
        editor.wait("document.body.classList.contains('game')", "plays")
        editor.key("KeyD", "d")
        editor.browser.frames(30)
        editor.show("game")
        editor.key("F5", "F5")
        editor.wait("!document.body.classList.contains('game')", "edits again")
        editor.key("KeyS", "s", 2)
        editor.title("demo.wad – Keypose")
        start = time.monotonic()
        saved = os.path.join(folder, "demo.wad")
        while not os.path.exists(saved):
            assert time.monotonic() - start < PATIENCE, f"no download: {os.listdir(folder)}"
            time.sleep(0.1)
        found = subprocess.run([keypose, "wad", "verify", saved], check=True, capture_output=True, text=True).stdout
        print(f"saved: {found.strip()}", flush=True)
        clips = subprocess.run([keypose, "inspect", saved], check=True, capture_output=True, text=True).stdout
        assert "\n  clip: 0.200 s, 1 keyframes" in clips, "the pose is keyed"
        kept = "storage.kept().then((file) => file?.bytes.length ?? 0)"
        editor.wait(f"{kept}.then((count) => count === {os.path.getsize(saved)})", "keeps what was saved, in case the download is lost")
        assert not editor.browser.complaints, editor.browser.complaints
        # Work that ended the page when it was opened, such as after an update of the browser, comes as a download, and stays until
        # there is other work.
        work = "{ name: 'ended.wad', bytes: new Uint8Array(8) }"
        mark = "localStorage.setItem(storage.opening(), 'yes')"
        editor.browser.value(f"storage.save({work}).then(() => {{ {mark}; return 1; }})")
        editor.reload()
        editor.wait("document.documentElement?.dataset.state === 'drawn'", "draws without the work")
        editor.wait(f"{stored}.then((name) => name === 'ended.wad')", "keeps the work")
        editor.show("ended")
        assert os.path.exists(os.path.join(folder, "ended.wad")), os.listdir(folder)
        # Each of several buttons is seen.
        editor.browser.value("""window.pushed = []; const push = wasm_bindgen.EditorPage.prototype.button;
            wasm_bindgen.EditorPage.prototype.button = function (...of) { pushed.push(of); return push.apply(this, of); }; 0""")
        for kind, button, buttons in [("Pressed", "left", 1), ("Pressed", "right", 3), ("Released", "left", 2), ("Released", "right", 0)]:
            editor.browser.mouse(f"mouse{kind}", 640, 600, button=button, buttons=buttons, clickCount=1)
        editor.wait("JSON.stringify(pushed) === '[[0,true],[2,true],[0,false],[2,false]]'", "both buttons are pressed and released")
        # A full disk takes back what succeeded.
        full = "const put = IDBObjectStore.prototype.put; IDBObjectStore.prototype.put = function (...of) {" \
            " const asked = put.apply(this, of);" \
            " asked.addEventListener('success', () => this.transaction.abort()); return asked; };"
        answer = editor.browser.value(f"(() => {{ {full} return storage.save({work}).then(() => 'stored', () => 'refused'); }})()")
        assert answer == "refused", answer
        # A browser whose storage is turned off.
        refuse = "Object.defineProperty(window, 'indexedDB', { get() { throw new DOMException('storage is off'); } })"
        editor.browser.ask("Page.addScriptToEvaluateOnNewDocument", source=refuse)
        editor.reload()
        editor.wait("document.documentElement?.dataset.state === 'drawn'", "draws without storage")
        editor.browser.frames(8)
        editor.show("no-storage")
        assert not editor.browser.complaints, editor.browser.complaints
        editor.browser.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
