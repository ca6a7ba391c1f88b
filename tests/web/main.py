#!/usr/bin/env -S python3 -B
"""The pages of `keypose export` in a browser: pictures as the program draws them, no request, bounds of size and time, mouse, keys
and fingers, the game, and what pages say where they can't work. Usage: main.py KEYPOSE, in the top folder."""

import gzip
import os
import re
import subprocess
import sys
import tempfile
import time

from browser import HEAR, Browser, decode_png

SIDE, POSES, COLUMNS = 480, 12, 4
# Bytes gzipped without the archive, and seconds to the first picture. A machine for tests may be slow.
MAX_BYTES, MAX_SECS = 1_000_000, float(os.environ.get("KEYPOSE_WEB_SECS", "2"))
# As between the interfaces of the program: a pixel differs by more than edges do, which 0.16 % of them may.
MAX_DIFFERENCE, MAX_DIFFERING = 56, SIDE * SIDE * 16 // 10_000


def differing(a, b):
    """The pixels that differ by more than those of an edge."""
    count = 0
    for one, other in zip(a, b, strict=True):
        if one != other:
            count += sum(any(abs(one[x + at] - other[x + at]) > MAX_DIFFERENCE for at in range(3)) for x in range(0, len(one), 3))
    return count


class Pages:
    def __init__(self, keypose, folder):
        self.keypose, self.folder = keypose, folder

    def run(self, *arguments):
        return subprocess.run([self.keypose, *arguments], check=True, capture_output=True, text=True).stdout

    def path(self, name):
        return os.path.join(self.folder, name)

    def address(self, name, behind=""):
        return f"file://{self.path(name)}{'#' + behind if behind else ''}"


def sizes(pages):
    """The player is small, and the page names no other host."""
    with open(pages.path("hero.html"), encoding="utf-8") as file:
        page = file.read()
    player = re.sub(r'(<script [^>]*id="archive">)[^<]*', r"\1", page)
    size = len(gzip.compress(player.encode(), 9))
    assert size <= MAX_BYTES, f"{size} bytes gzipped"
    assert "<title>demo</title>" in page and "default-src 'none'" in page
    return f"{size:,} bytes gzipped without the archive, {len(page):,} with it"


def pictures(pages, browser):
    """Poses of the walk from two sides are those of a contact sheet of the program."""
    found = []
    for camera, clip, at in [("side", "walk", 5), ("three-quarter", "walk", 0), ("front", "run", 7)]:
        sheet = pages.path("sheet.png")
        pages.run("render", "data/demo.wad", "--clip", clip, "--camera", camera, "--frames", str(POSES), "--gl", "es3",
                  "--size", f"{SIDE}x{SIDE}", "-o", sheet)
        with open(sheet, "rb") as file:
            _, _, rows = decode_png(file.read())
        top, left = at // COLUMNS * SIDE, at % COLUMNS * SIDE * 3
        expected = [row[left:left + SIDE * 3] for row in rows[top:top + SIDE]]
        browser.open(pages.address("hero.html", f"bare&clip={clip}&camera={camera}&time=0"))
        length = float(browser.value("Number(document.getElementById('time').max)"))
        _, state = browser.open(pages.address("hero.html", f"bare&clip={clip}&camera={camera}&time={length * at / POSES}"))
        assert state == "drawn", browser.value("document.getElementById('message').textContent")
        width, height, drawn = browser.picture()
        assert (width, height) == (SIDE, SIDE), (width, height)
        off = differing(drawn, expected)
        assert off <= MAX_DIFFERING, f"{clip} from {camera}: {off} pixels differ"
        seen = sum(any(abs(row[x] - row[0]) > 24 for x in range(0, len(row), 3)) for row in drawn)
        assert seen > SIDE / 4, "the knight is seen"
        found.append(off)
    return f"pixels that differ from the program's: {found}"


def requests_and_time(pages, browser):
    secs, state = browser.open(pages.address("hero.html"))
    assert state == "drawn" and secs <= MAX_SECS, f"{state} after {secs:.2f} s"
    others = [url for url in browser.requests if not url.startswith(("file:", "data:", "about:", "blob:"))]
    assert not others, others
    assert not browser.complaints, browser.complaints
    blocked = browser.value("fetch('https://example.com/').then(() => 'sent', () => 'refused')")
    assert blocked == "refused", "the policy of the page refuses requests"
    browser.complaints.clear()
    return f"first picture after {secs:.2f} s"


def hands(pages, browser):
    """Buttons, keys, mouse and fingers change the picture as they should."""
    browser.resize((900, 640))
    browser.open(pages.address("hero.html", "clip=attack&time=0.2"))
    clips = browser.value("[...document.querySelectorAll('#clips button')].map((it) => it.textContent)")
    assert "walk" in clips and len(clips) > 20, clips
    shown = lambda: browser.value("document.querySelector('[aria-current=true]').textContent")
    clock = lambda: float(browser.value("document.getElementById('clock').textContent").split()[0])
    assert shown() == "attack" and clock() == 0.2, (shown(), clock())
    before = browser.picture()[2]
    for key, code in [("g", "KeyG"), ("v", "KeyV")]:
        browser.key("keyDown", code, key)
        browser.key("keyUp", code, key)
        after = browser.picture()[2]
        assert differing(before, after) > 200, f"{key} shows something"
        before = after
    browser.drag((500, 200), (620, 220))
    turned = browser.picture()[2]
    assert differing(before, turned) > 1000, "a drag turns"
    browser.mouse("mouseWheel", 500, 200, deltaX=0, deltaY=-300)
    assert differing(turned, browser.picture()[2]) > 1000, "the wheel zooms"
    points = [[{"x": x, "y": 200, "id": 1}, {"x": 700 - x, "y": 200, "id": 2}] for x in (300, 200)]
    zoomed = browser.picture()[2]
    for kind, at in [("touchStart", points[0]), ("touchMove", points[1]), ("touchEnd", [])]:
        browser.ask("Input.dispatchTouchEvent", type=kind, touchPoints=at)
    assert differing(zoomed, browser.picture()[2]) > 1000, "two fingers zoom"
    browser.key("keyDown", "ArrowRight", "ArrowRight")
    assert clock() > 0.2, "the next keyframe"
    at = clock()
    browser.key("keyDown", "Space", " ")
    browser.frames(20)
    assert clock() != at, "space plays"
    browser.value("[...document.querySelectorAll('#clips button')].find((it) => it.textContent === 'walk').click()")
    browser.frames(30)
    assert shown() == "walk"
    blank = "[...document.querySelectorAll('#strip canvas')].filter((it) => !it.getContext('2d').getImageData(64, 64, 1, 1).data[3]).length"
    assert browser.value(blank) == 0 and browser.value("document.querySelectorAll('#strip canvas').length") > 3, "a strip of poses"
    browser.open(pages.address("hero.html", "model=bat"))
    assert browser.value("document.getElementById('models').value") == "bat"
    x, y = browser.value("(({ x, y }) => [x + 5, y + 5])(document.querySelector('#clips button').getBoundingClientRect())")
    for kind in ["mousePressed", "mouseReleased"]:
        browser.mouse(kind, x, y, button="left", clickCount=1)
    playing = lambda: browser.value("document.getElementById('play').getAttribute('aria-pressed')")
    before = playing()
    browser.key("keyDown", "Space", " ")
    browser.key("keyUp", "Space", " ")
    assert (before, playing()) == ("true", "false"), (before, playing())
    assert not browser.complaints, browser.complaints
    return "clips, keyframes, ghosts, volumes, mouse, wheel, fingers, keys, models"


def game(pages, browser):
    browser.resize((900, 640))
    _, state = browser.open(pages.address("game.html"))
    assert state == "drawn", browser.value("document.getElementById('message').textContent")
    title = lambda: browser.value("document.getElementById('title').hidden ? '' : document.getElementById('title-text').textContent")
    assert "Press a key" in title(), title()
    start = browser.picture()[2]
    browser.value(HEAR)
    browser.key("keyDown", "ArrowRight", "ArrowRight")
    end = time.monotonic() + 2
    while time.monotonic() < end:
        browser.frames(2)
    browser.key("keyUp", "ArrowRight", "ArrowRight")
    assert title() == "", "a key starts"
    assert differing(start, browser.picture()[2]) > 20_000, "the player walks and the view follows"
    heard = browser.value("heard")
    assert [loops for _, loops in heard].count(True) == 1 and len(heard) > 1, f"music and steps are heard: {heard}"
    browser.key("keyDown", "KeyP", "p")
    browser.frames()
    assert "play on" in title(), title()
    before = browser.value("heard.length")
    browser.frames(20)
    assert browser.value("heard.length") == before, "a pause is silent"
    browser.ask("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": 450, "y": 200}])
    browser.ask("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
    browser.frames()
    assert title() == "" and not browser.value("document.getElementById('pads').hidden"), "a touch plays on, and shows buttons"
    assert not browser.complaints, browser.complaints
    return f"title, keys, {before} sounds, pause, touch"


def sentences(pages):
    """A page that can't work says why in one sentence."""
    with open(pages.path("hero.html"), encoding="utf-8") as file:
        page = file.read()
    with open(pages.path("broken.html"), "w", encoding="utf-8") as file:
        file.write(re.sub(r'(id="archive">.{40000})...', r"\1AAA", page))
    with open(pages.path("half.html"), "w", encoding="utf-8") as file:
        file.write(page[: len(page) // 2])
    shown = []
    for name, flags in [("hero.html", ["--disable-3d-apis"]), ("broken.html", []), ("half.html", [])]:
        browser = Browser((SIDE, SIDE), flags)
        _, state = browser.open(pages.address(name))
        shown.append(browser.value("document.getElementById('message').textContent"))
        assert state == "failed", shown
        browser.close()
    assert "WebGL 2" in shown[0] and "archive can't be read" in shown[1] and "is missing" in shown[2], shown
    return " / ".join(shown)


def main(keypose):
    with tempfile.TemporaryDirectory() as folder:
        pages = Pages(os.path.abspath(keypose), folder)
        pages.run("export", "data/demo.wad", "-o", pages.path("hero.html"))
        pages.run("export", "data/demo.wad", "-o", pages.path("game.html"), "--game")
        print(f"sizes: {sizes(pages)}")
        browser = Browser((SIDE, SIDE))
        for test in [pictures, requests_and_time, hands, game]:
            print(f"{test.__name__}: {test(pages, browser)}", flush=True)
        browser.close()
        print(f"sentences: {sentences(pages)}")


if __name__ == "__main__":
    main(*sys.argv[1:])
