"""A display of its own with the running program on it: mouse, keys, pictures and films. tools/pictures uses it.

Xvfb maps its screen to a file, so that looking at it costs nothing: `settle` waits until the picture doesn't change any more."""

import os
import signal
import struct
import subprocess
import time
import zlib

# Places of the editor's first window, 1600 × 936, in pixels: the only ones that pictures depend on.
PLACES = {
    "clips": (49, 46),
    "poses": (97, 46),
    "history": (147, 46),
    "clip search": (90, 102),
    "first clip": (90, 128),
    "bone search": (80, 334),
    "first bone": (110, 359),
    "inspector": (1341, 46),
    "materials": (1421, 46),
    "game": (1490, 46),
    "sounds": (1551, 46),
    "timeline": (42, 594),
    "machine": (117, 594),
    "check": (183, 594),
    "log": (235, 594),
    "aside": (1599, 560),
    "strip": (900, 727),
}


class Screen:
    """A program on a display of its own. `name` is its path, `folder` its working folder, `home` where it keeps its preferences."""

    def __init__(self, name, folder, home, size=(1600, 936)):
        self.name, self.folder, self.home, self.size = name, folder, home, size
        self.program = None
        os.makedirs(os.path.join(home, "keypose"), exist_ok=True)
        with open(os.path.join(home, "keypose", "preferences.json"), "w", encoding="utf-8") as file:
            file.write('{ "knows_first_steps": true }')
        screen = f"{size[0]}x{size[1]}x24"
        read, write = os.pipe()
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", screen, "-nolisten", "tcp", "-noreset", "-fbdir", home],
            pass_fds=[write], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as answer:
            number = answer.readline().strip()
        self.environment = dict(os.environ, DISPLAY=f":{number}", HOME=home, LIBGL_ALWAYS_SOFTWARE="1")
        for name in ["STATE", "CONFIG", "DATA", "CACHE"]:
            self.environment[f"XDG_{name}_HOME"] = home
        self.environment.pop("WAYLAND_DISPLAY", None)
        while not self.xdotool("getdisplaygeometry"):
            time.sleep(0.1)

    def open(self, *arguments):
        """Starts the program and waits for its window."""
        self.program = subprocess.Popen([self.name, *arguments], cwd=self.folder, env=self.environment)
        while not (found := self.xdotool("search", "--onlyvisible", "--name", "Keypose")):
            if self.program.poll() is not None:
                raise SystemExit(f"{self.name} ended with {self.program.returncode}")
            time.sleep(0.3)
        window = found.split()[0]
        self.xdotool("windowsize", window, *map(str, self.size))
        self.xdotool("windowmove", window, "0", "0")
        self.xdotool("windowfocus", window)
        self.settle()

    def close(self):
        """Ends the program."""
        if self.program:
            self.program.send_signal(signal.SIGKILL)
            self.program.wait()
            self.program = None

    def end(self):
        """Ends the program and the display."""
        self.close()
        self.server.terminate()
        self.server.wait()

    def xdotool(self, *arguments):
        return subprocess.run(["xdotool", *arguments], env=self.environment, capture_output=True, text=True).stdout

    def pixels(self):
        """Width, height and the bytes of the screen, as red, green and blue."""
        with open(os.path.join(self.home, "Xvfb_screen0"), "rb") as file:
            raw = file.read()
        header = struct.unpack(">25I", raw[:100])
        length, width, height, stride, colors = header[0], header[4], header[5], header[12], header[19]
        start = length + colors * 12
        data = raw[start:start + stride * height]
        rows = [data[row * stride:row * stride + width * 4] for row in range(height)]
        joined = bytearray(b"".join(rows))
        image = bytearray(width * height * 3)
        image[0::3], image[1::3], image[2::3] = joined[2::4], joined[1::4], joined[0::4]
        return width, height, bytes(image)

    def settle(self, patience=15):
        """Waits until the program waits for input and the screen stays the same, at most `patience` seconds: a blinking text
        field never rests. Input waits in its queue meanwhile, so only pictures and the mouse need this."""
        path = os.path.join(self.home, "Xvfb_screen0")
        start, before, calm = time.time(), None, 0
        while calm < 10 and time.time() - start < patience:
            time.sleep(0.05)
            with open(path, "rb") as file:
                now = zlib.adler32(file.read())
            calm = 0 if now != before or self.is_working() else calm + 1
            before = now

    def is_working(self):
        """Whether a thread of the program is running or waits for a processor."""
        for thread in os.scandir(f"/proc/{self.program.pid}/task"):
            try:
                with open(os.path.join(thread.path, "stat"), encoding="utf-8") as file:
                    if file.read().rsplit(")", 1)[1].split()[0] in "RD":
                        return True
            except OSError:
                continue
        return False

    def key(self, *names):
        for name in names:
            self.xdotool("key", name)

    def whole(self, different, patience=30):
        """A picture whose upper rows are not those of `different`, in pixels: not one that was read while it was drawn."""
        start, upper, image = time.time(), self.size[0] * 60, self.pixels()
        while time.time() - start < patience:
            before, image = image, self.pixels()
            if image[2] == before[2] and image[2][:upper] != different[2][:upper]:
                break
        return image

    def start_game(self):
        """Starts the gameplay mode, which is never still, and returns its second picture: the first has no texts, and the
        game draws coarser ones when a few took long."""
        before = self.pixels()
        self.key("F5")
        image = self.whole(self.whole(before), 2)
        self.settle(5)
        return image

    def type(self, text):
        self.xdotool("type", "--delay", "30", text)

    def point(self, place):
        """Moves the mouse to a place of the table or to pixels."""
        x, y = PLACES[place] if isinstance(place, str) else place
        self.xdotool("mousemove", str(x), str(y))
        self.settle()

    def click(self, place, button=1, count=1):
        self.point(place)
        self.xdotool("click", "--repeat", str(count), "--delay", "80", str(button))

    def drag(self, start, end, steps=12, button=1, each=lambda: None):
        """Drags from one place to another, in steps; `each` is called after each of them."""
        self.point(start)
        self.xdotool("mousedown", str(button))
        for step in range(1, steps + 1):
            self.point([round(a + (b - a) * step / steps) for a, b in zip(start, end)])
            each()
        self.xdotool("mouseup", str(button))

    def command(self, label):
        """Runs a command by its name in the menus."""
        self.key("F3")
        self.type(label)
        self.key("Return")
        self.settle()

    def choose(self, search, row, name):
        """Chooses a row of a list by its name, with the search field above it."""
        self.click(search)
        self.key("ctrl+a")
        self.type(name)
        self.click(row)
        self.click(search)
        self.key("ctrl+a", "BackSpace", "Return")
        self.settle()

    def clip(self, name):
        self.choose("clip search", "first clip", name)

    def bone(self, name):
        self.choose("bone search", "first bone", name)

    def picture(self, path, crop=None, colors=224):
        """Saves the screen, or (x, y, width, height) of it, as a small PNG, with the mouse out of the way."""
        self.settle(60)
        save(path, self.pixels(), crop, colors)


def save(path, image, crop=None, colors=None):
    """Writes an image, or (x, y, width, height) of it, as PNG; with `colors`, of at most so many colours."""
    width, height, data = image
    x, y, wide, high = crop or (0, 0, width, height)
    rows = [data[((y + row) * width + x) * 3:((y + row) * width + x + wide) * 3] for row in range(high)]
    packed = zlib.compress(b"".join(b"\0" + row for row in rows), 3)
    chunks = [(b"IHDR", struct.pack(">2I5B", wide, high, 8, 2, 0, 0, 0)), (b"IDAT", packed), (b"IEND", b"")]
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n")
        for kind, body in chunks:
            file.write(struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body)))
    if colors:
        shrink(path, colors)


def shrink(path, colors=224):
    """Makes a PNG smaller: fewer colours, without dithering."""
    subprocess.run(["pngquant", "--force", "--nofs", "--strip", "--speed", "1", str(colors), "--output", path, path],
                   check=True)


class Film:
    """Frames of a screen, or of (x, y, width, height) of it, for an animated GIF."""

    def __init__(self, screen, crop):
        self.screen, self.crop, self.images, self.before = screen, crop, [], None

    def take(self):
        """Adds the screen as it is."""
        x, y, wide, high = self.crop
        width, _, data = self.screen.pixels()
        self.images.append(b"".join(data[((y + row) * width + x) * 3:((y + row) * width + x + wide) * 3] for row in range(high)))

    def hold(self, count):
        """Adds the screen as it is, for some frames."""
        self.take()
        self.images += self.images[-1:] * (count - 1)

    def next(self, patience=10):
        """Waits until the screen changes, at least a twelfth of a second, and adds it."""
        start, last = time.time(), self.before
        time.sleep(1 / 12)
        while time.time() - start < patience and last == self.before:
            last = zlib.adler32(self.screen.pixels()[2])
        self.before = last
        self.take()

    def write(self, path, per_second, width, colors=128, loss=60):
        """Writes the frames as an animated GIF of a width."""
        size = f"{self.crop[2]}x{self.crop[3]}"
        scale = f"scale={width}:-1:flags=lanczos"
        palette = f"split[a][b];[a]palettegen=max_colors={colors}:stats_mode=full[p];[b][p]paletteuse=dither=none"
        command = ["ffmpeg", "-loglevel", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", size, "-r",
                   str(per_second), "-i", "-", "-filter_complex", f"{scale},{palette}", path]
        subprocess.run(command, input=b"".join(self.images), check=True)
        subprocess.run(["gifsicle", "--batch", "-O3", f"--lossy={loss}", path], check=True)
