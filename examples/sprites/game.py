#!/usr/bin/env python3
"""A small game drawn from two sheets of `keypose sprites`, with Python's standard library alone (tkinter).
It takes frames, durations, pivots, hit and hurt boxes from the JSON, and lights the pixels of the sheet by its normals.
`game.py FOLDER` with knight.json and goblin.json in it. Arrow keys walk, Space strikes, B shows the boxes."""

import json
import math
import os
import random
import sys
import tkinter as tk

WIDTH, HEIGHT, ZOOM, STEP_MS = 240, 160, 4, 33
TORCH = (120, 70)
SIDES = ["E", "SE", "S", "SW", "W", "NW", "N", "NE"]


class Sheet:
    def __init__(self, folder, name):
        with open(os.path.join(folder, name + ".json")) as file:
            data = json.load(file)
        images = data["meta"]["keypose"]["images"]
        self.colors, self.normals = (tk.PhotoImage(file=os.path.join(folder, images[it])) for it in ["color", "normals"])
        self.frames = data["frames"]
        self.tags = {tag["name"]: tag for tag in data["meta"]["frameTags"]}
        self.pivot = data["meta"]["slices"][0]["keys"][0]["pivot"]
        self.lit = {}

    def frame(self, tag, millis):
        """The number of the frame of a tag at a time, and whether the tag is over."""
        tag = self.tags[tag]
        numbers = range(tag["from"], tag["to"] + 1)
        length = sum(self.frames[at]["duration"] for at in numbers)
        is_over = "repeat" in tag and millis >= length
        left = length - 1 if is_over else millis % length
        for at in numbers:
            left -= self.frames[at]["duration"]
            if left < 0:
                return at, is_over

    def image(self, at, side):
        """A frame, lit from one of eight sides, enlarged."""
        rect = self.frames[at]["frame"]
        key = (rect["x"], rect["y"], side)
        if key not in self.lit:
            self.lit[key] = self.light(rect, side * math.pi / 4)
        return self.lit[key]

    def light(self, rect, angle):
        small = tk.PhotoImage(width=rect["w"], height=rect["h"])
        towards = (0.75 * math.cos(angle), -0.75 * math.sin(angle), 0.66)
        rows, clear = [], []
        for y in range(rect["h"]):
            row = []
            for x in range(rect["w"]):
                place = (rect["x"] + x, rect["y"] + y)
                if self.colors.transparency_get(*place):
                    clear.append((x, y))
                normal = [byte / 127.5 - 1 for byte in self.normals.get(*place)]
                facing = max(0.0, sum(a * b for a, b in zip(normal, towards)))
                warm = [0.5 + 0.75 * facing, 0.5 + 0.62 * facing, 0.58 + 0.42 * facing]
                row.append("#%02x%02x%02x" % tuple(min(255, int(c * w)) for c, w in zip(self.colors.get(*place), warm)))
            rows.append("{" + " ".join(row) + "}")
        small.put(" ".join(rows))
        for place in clear:
            small.transparency_set(*place, True)
        return small.zoom(ZOOM)


class Actor:
    def __init__(self, sheet, x, y):
        self.sheet, self.x, self.y, self.side, self.clip, self.millis = sheet, x, y, "S", "walk", 0

    def play(self, clip):
        if self.clip != clip:
            self.clip, self.millis = clip, 0

    def turn(self, dx, dy):
        self.side = SIDES[round(math.atan2(dy, dx) / (math.pi / 4)) % 8]

    def frame(self):
        return self.sheet.frame(f"{self.clip}-{self.side}", self.millis)

    def boxes(self, kind):
        """Boxes of the frame in the world: left, top, right, bottom."""
        left, top = self.x - self.sheet.pivot["x"], self.y - self.sheet.pivot["y"]
        volumes = self.sheet.frames[self.frame()[0]]["keypose"][kind]
        return [(left + it["x"], top + it["y"], left + it["x"] + it["w"], top + it["y"] + it["h"]) for it in volumes]

    def draw(self, canvas, shows_boxes):
        at, _ = self.frame()
        source = self.sheet.frames[at]["spriteSourceSize"]
        x, y = round(self.x) - self.sheet.pivot["x"] + source["x"], round(self.y) - self.sheet.pivot["y"] + source["y"]
        light = round(math.atan2(TORCH[1] - self.y, TORCH[0] - self.x) / (math.pi / 4)) % 8
        canvas.create_oval(*(ZOOM * it for it in (self.x - 8, self.y - 3, self.x + 8, self.y + 3)), fill="#2b2a33", width=0)
        canvas.create_image(ZOOM * x, ZOOM * y, image=self.sheet.image(at, light), anchor="nw")
        for kind, color in [("hurts", "#6cc070"), ("hits", "#ef5b5b")] if shows_boxes else []:
            for box in self.boxes(kind):
                canvas.create_rectangle(*(ZOOM * it for it in box), outline=color)


def meet(some, others):
    return any(a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3] for a in some for b in others)


class Game:
    def __init__(self, window, folder):
        self.sheets = {name: Sheet(folder, name) for name in ["knight", "goblin"]}
        self.canvas = tk.Canvas(window, width=WIDTH * ZOOM, height=HEIGHT * ZOOM, bg="#3a3f4a", highlightthickness=0)
        self.canvas.pack()
        self.window, self.keys, self.taps, self.shows_boxes, self.dice = window, set(), set(), False, random.Random(7)
        self.floor = [self.tile(at, row) for at in range(0, WIDTH, 16) for row in range(40, HEIGHT, 12)]
        window.bind("<KeyPress>", lambda event: self.press(event.keysym))
        window.bind("<KeyRelease>", lambda event: self.keys.discard(event.keysym))
        self.start()
        self.step()

    def start(self):
        self.knight, self.goblins, self.score, self.hearts, self.ticks = Actor(self.sheets["knight"], 120, 110), [], 0, 3, 0
        self.struck = set()

    def tile(self, at, row):
        """A tile of the floor in the light of the torch: its box and its colour."""
        glow = max(0.0, 1 - math.hypot(at + 8 - TORCH[0], 1.6 * (row + 6 - TORCH[1])) / 130)
        shade = 0.55 + 0.08 * ((at // 16 + row // 12) % 2) + 0.55 * glow
        color = "#%02x%02x%02x" % tuple(int(c * shade) for c in (74 + 52 * glow, 80 + 24 * glow, 98))
        return [ZOOM * it for it in (at, row, at + 16, row + 12)], color

    def press(self, key):
        self.keys.add(key)
        self.taps.add(key)
        if key.lower() == "b":
            self.shows_boxes = not self.shows_boxes
        if self.hearts == 0 and key == "Return":
            self.start()

    def step(self):
        self.ticks += 1
        if self.hearts > 0:
            self.move_knight()
            self.move_goblins()
        for actor in [self.knight, *self.goblins]:
            is_still = actor is self.knight and actor.clip == "walk" and not self.direction()
            actor.millis = 0 if is_still else actor.millis + STEP_MS
        self.taps.clear()
        self.draw()
        self.window.after(STEP_MS, self.step)

    def direction(self):
        dx, dy = ((plus in self.keys) - (minus in self.keys) for minus, plus in [("Left", "Right"), ("Up", "Down")])
        return (dx, dy) if dx or dy else None

    def move_knight(self):
        knight, direction = self.knight, self.direction()
        if knight.clip != "walk" and not knight.frame()[1]:
            return
        if "space" in self.keys | self.taps:
            knight.clip, knight.millis, self.struck = "attack", 0, set()
            return
        knight.play("walk")
        if direction:
            knight.turn(*direction)
            size = math.hypot(*direction)
            knight.x = min(max(knight.x + 1.3 * direction[0] / size, 12), WIDTH - 12)
            knight.y = min(max(knight.y + 0.9 * direction[1] / size, 50), HEIGHT - 8)

    def move_goblins(self):
        # More and more of them.
        if self.ticks % max(20, 70 - 3 * self.score) == 1 and len(self.goblins) < 8:
            side = self.dice.choice([0, WIDTH])
            self.goblins.append(Actor(self.sheets["goblin"], side, self.dice.uniform(60, HEIGHT - 10)))
        hits = self.knight.boxes("hits")
        for goblin in self.goblins:
            dx, dy = self.knight.x - goblin.x, self.knight.y - goblin.y
            distance = math.hypot(dx, dy)
            if goblin.clip == "die":
                continue
            if meet(hits, goblin.boxes("hurts")) and goblin not in self.struck:
                self.struck.add(goblin)
                goblin.play("die")
                self.score += 1
            elif distance >= 9:
                goblin.turn(dx, dy)
                goblin.x, goblin.y = goblin.x + 0.6 * dx / distance, goblin.y + 0.45 * dy / distance
            elif self.knight.clip not in ["hurt", "die"]:
                self.hearts -= 1
                self.knight.play("hurt" if self.hearts else "die")
                self.push_back()
        self.goblins = [it for it in self.goblins if it.clip != "die" or it.millis < 1500]

    def push_back(self):
        """Gives the knight room after a blow."""
        for goblin in (it for it in self.goblins if it.clip != "die"):
            dx, dy = goblin.x - self.knight.x, goblin.y - self.knight.y
            push = max(0.0, 40 - math.hypot(dx, dy)) / max(math.hypot(dx, dy), 1)
            goblin.x = min(max(goblin.x + push * dx, 0), WIDTH)
            goblin.y = min(max(goblin.y + push * dy, 50), HEIGHT - 8)

    def draw(self):
        canvas = self.canvas
        canvas.delete("all")
        for at in range(0, WIDTH, 16):
            canvas.create_rectangle(ZOOM * at, 0, ZOOM * (at + 15), ZOOM * 36, fill="#4a4652", width=0)
        for box, color in self.floor:
            canvas.create_rectangle(*box, fill=color, width=0)
        glow, (x, y) = 5 + self.ticks // 4 % 2, TORCH
        canvas.create_rectangle(*(ZOOM * it for it in (x - 1, y - 14, x + 1, y)), fill="#5b4636", width=0)
        canvas.create_oval(*(ZOOM * it for it in (x - glow, y - 20 - glow, x + glow, y - 20 + glow)), fill="#f2b04a", width=0)
        for actor in sorted([self.knight, *self.goblins], key=lambda it: it.y):
            actor.draw(canvas, self.shows_boxes)
        score = f"{self.score} goblin{'' if self.score == 1 else 's'}"
        text = f"{score}   {'♥ ' * self.hearts}" if self.hearts else f"{score}. Enter: again"
        canvas.create_text(12, 10, text=text, fill="#f0e8d8", anchor="nw", font=("TkDefaultFont", 16))


if __name__ == "__main__":
    root = tk.Tk()
    root.title("Drawn from a sheet")
    game = Game(root, sys.argv[1] if len(sys.argv) > 1 else ".")
    root.mainloop()
