#!/usr/bin/env -S python3 -B
"""The program for Windows in a window, and its installer, under Wine on a display of its own. Usage: window.py PROGRAM, in the top
folder, with WINEPREFIX set. `--look FOLDER` saves pictures on the way."""

import glob
import os
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, "tools")
from screen import Screen, save  # noqa: E402

# A machine for tests may be slow, and Wine more so.
PATIENCE = 180


class Windows(Screen):
    """A display with programs under Wine. `user` is the folder of the user's data."""

    def __init__(self, folder, look):
        super().__init__("wine", folder, folder, (1280, 720))
        self.user = glob.glob(os.path.join(os.environ["WINEPREFIX"], "drive_c/users/*/AppData"))[0]
        self.look, self.window = look, None

    def data(self, *names):
        return os.path.join(self.user, *names)

    def start(self, program, *arguments, **more):
        # Nothing reads its output, as when it is started from the desktop.
        environment = dict(self.environment, **more)
        null = subprocess.DEVNULL
        self.program = subprocess.Popen(
            ["wine", program, *arguments], cwd=self.folder, env=environment, stdin=null, stdout=null, stderr=null)

    def titles(self):
        found = self.xdotool("search", "--onlyvisible", "--name", "Keypose").split()
        return {window: self.xdotool("getwindowname", window).strip() for window in found}

    def wait(self, title, what):
        """Waits for a window with a title that ends like this, and gives it the keys."""
        start = time.time()
        while time.time() - start < PATIENCE:
            for window, name in self.titles().items():
                if name.endswith(title) and (title.startswith("•") or not name.startswith("•")):
                    self.window = window
                    return name
            if self.program.poll() is not None:
                raise SystemExit(f"{what}: the program ended with {self.program.returncode}")
            time.sleep(0.2)
        self.show("failed")
        raise SystemExit(f"{what}: no window {title!r}, but {self.titles()}")

    def is_message(self):
        """Whether there is one window, and it is a small one."""
        windows = list(self.titles())
        shape = self.xdotool("getwindowgeometry", "--shell", *windows).split() if len(windows) == 1 else []
        self.window = windows[0] if windows else None
        return any(line.startswith("WIDTH=") and int(line[6:]) < 600 for line in shape)

    def press(self, key, title):
        """Presses a key with the mouse over the viewport until the title is this: the program may not listen yet."""
        for _ in range(6):
            self.xdotool("mousemove", "640", "300", "windowfocus", self.window)
            time.sleep(0.5)
            self.xdotool("key", key)
            start = time.time()
            while time.time() - start < PATIENCE / 6:
                if title in self.titles().values():
                    return
                time.sleep(0.2)
        self.show("failed")
        raise SystemExit(f"{key}: no title {title!r}, but {self.titles()}")

    def ended(self, what, code=0):
        try:
            found = self.program.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            raise SystemExit(f"{what}: the program did not end") from None
        assert found == code, f"{what}: ended with {found}"

    def show(self, name):
        if self.look:
            self.settle(30)
            save(os.path.join(self.look, f"{name}.png"), self.pixels())

    def run(self, *arguments):
        return subprocess.run(["wine", *arguments], cwd=self.folder, env=self.environment, capture_output=True, text=True, timeout=PATIENCE)


def edits(screen, program):
    """A clip is added, posed, keyed and saved, the game is played, and an edit survives a kill."""
    shutil.copy("data/demo.wad", os.path.join(screen.folder, "knight.wad"))
    for folder in ["Local/Keypose", "Roaming/Keypose"]:
        shutil.rmtree(screen.data(folder), ignore_errors=True)
    os.makedirs(screen.data("Roaming/Keypose"))
    with open(screen.data("Roaming/Keypose/preferences.json"), "w", encoding="utf-8") as file:
        file.write('{ "knows_first_steps": true }')
    start = time.time()
    screen.start(program, "knight.wad")
    screen.wait("knight.wad – Keypose", "the editor")
    found = f"window after {time.time() - start:.1f} s"
    screen.show("editor")
    screen.press("n", "• knight.wad – Keypose")
    # The name of the clip is a text field until then.
    screen.xdotool("key", "--delay", "200", "Escape", "a", "r", "3", "0", "Return", "i")
    screen.settle()
    screen.show("keyed")
    screen.press("ctrl+s", "knight.wad – Keypose")
    assert "\n  clip: 0.200 s, 1 keyframes" in screen.run(program, "inspect", "knight.wad").stdout, "the pose is keyed"
    assert os.path.exists(os.path.join(screen.folder, "knight.wad.1")), "the previous version is kept"
    screen.press("F5", "knight.wad, playing – Keypose")
    screen.show("game")
    screen.press("F5", "knight.wad – Keypose")
    screen.press("n", "• knight.wad – Keypose")
    screen.close()
    screen.start(program, "knight.wad")
    screen.wait("• knight.wad – Keypose", "the killed editor")
    screen.show("recovered")
    screen.press("ctrl+s", "knight.wad – Keypose")
    screen.xdotool("key", "ctrl+q")
    screen.ended("Ctrl+Q")
    assert "\n  clip.001: " in screen.run(program, "inspect", "knight.wad").stdout, "the recovered clip is saved"
    return found


def old_driver(screen, program):
    """A driver with an older OpenGL: the reason is in a window, because there is no console."""
    screen.start(program, "knight.wad", MESA_GL_VERSION_OVERRIDE="2.1", MESA_GLSL_VERSION_OVERRIDE="120")
    screen.wait("Keypose", "the window, which closes")
    start = time.time()
    while not screen.is_message() and time.time() - start < PATIENCE:
        time.sleep(0.2)
    assert screen.is_message(), "there is no reason in a window"
    screen.show("old-driver")
    screen.xdotool("windowfocus", screen.window, "key", "Return")
    screen.ended("a driver that is too old", 1)
    return "the reason is in a window"


def installer(screen, program):
    """Installs, starts what was installed, removes it, and finds nothing left but the user's data."""
    stripped = os.path.join(screen.folder, "keypose.exe")
    subprocess.run(["x86_64-w64-mingw32-strip", program, "-o", stripped], check=True)
    subprocess.run(["tools/release", "--windows", stripped], check=True, capture_output=True)
    setup = glob.glob("target/release-files/keypose-*-setup.exe")[0]
    setup = os.path.abspath(setup)
    home, menu = screen.data("Local/Programs/Keypose"), screen.data("Roaming/Microsoft/Windows/Start Menu/Programs/Keypose.lnk")
    with open(setup, "rb") as file:
        half = file.read()[: os.path.getsize(setup) // 2]
    cut = os.path.join(screen.folder, "half.exe")
    with open(cut, "wb") as file:
        file.write(half)
    assert screen.run(cut, "/S").returncode != 0 and not os.path.exists(home), "half of an installer installs nothing"
    screen.run(setup, "/S")
    installed = os.path.join(home, "keypose.exe")
    assert os.path.exists(installed) and os.path.exists(menu), "it is installed"
    types = screen.run("reg", "query", r"HKCU\Software\Classes\.glb\OpenWithProgids").stdout
    assert "Keypose.Model" in types, types
    command = screen.run("reg", "query", r"HKCU\Software\Classes\Keypose.Archive\shell\open\command", "/ve").stdout
    assert r'Keypose\keypose.exe" "%1"' in command, command
    assert screen.run(installed, "--version").stdout.startswith("keypose ")
    screen.run(os.path.join(home, "uninstall.exe"), "/S")
    start = time.time()
    # It copies itself to delete itself, and returns before.
    while (os.path.exists(home) or os.path.exists(menu)) and time.time() - start < PATIENCE:
        time.sleep(0.5)
    assert not os.path.exists(home) and not os.path.exists(menu), "files are left"
    left = [line for line in screen.run("reg", "query", r"HKCU\Software", "/s").stdout.splitlines() if "Keypose" in line]
    assert not left, left
    assert os.path.exists(screen.data("Roaming/Keypose/preferences.json")), "the user's data stay"
    return f"installer of {os.path.getsize(setup):,} bytes"


def main():
    program, look = os.path.abspath(sys.argv[1]), sys.argv[3] if sys.argv[2:3] == ["--look"] else None
    with tempfile.TemporaryDirectory() as folder:
        screen = Windows(folder, look)
        try:
            for step in [edits, old_driver, installer]:
                start = time.time()
                print(f"{step.__name__}: {step(screen, program)}, {time.time() - start:.0f} s", flush=True)
        finally:
            screen.end()


main()
