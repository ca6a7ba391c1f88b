#!/usr/bin/env python3
"""Reads Keypose archives and journals without Keypose: a second implementation of docs/wad-format.md, written from that
document alone, with the standard library alone.

    wad_reader.py list FILE
    wad_reader.py verify FILE
    wad_reader.py extract FILE FOLDER [KIND/NAME ...]
    wad_reader.py poses FILE MODEL/CLIP COUNT
    wad_reader.py journal FILE
    wad_reader.py inspect FILE ...

extract writes every lump as FOLDER/KIND/NAME.lump, its decoded record and sections as .json, and a texture also as an image.
poses prints the poses of a baked clip as JSON, at COUNT + 1 times from its start to its end: of each bone translation x y
z, rotation x y z w, scale x y z. journal prints the records of a journal as JSON. inspect prints one line of JSON for each file:
the names and sizes of what is in its models, or why it is refused. Exit codes: 0 success; 1 the file is
invalid, with one sentence on stderr; 2 wrong arguments.
"""

import json
import math
import struct
import sys
import urllib.parse
import zlib
from pathlib import Path

from xxh3 import xxh3

MAGIC = b"\x89KWAD\r\n\x1a"
END_MARK = b"\x89KEND\r\n\x1a"
MAJOR = 1
HEADER, ENTRY, TRAILER = 64, 128, 32


class Refused(Exception):
    """The file is not a valid archive; the text says where and why."""


def require(condition, reason):
    if not condition:
        raise Refused(reason)


# --- the container


def aligned(offset):
    return (offset + 63) // 64 * 64


class Lump:
    def __init__(self, entry, number, is_patch):
        kind, self.version, flags, offset, stored, self.size, digest, zero, name_length = struct.unpack_from(
            "<4sHHQQQQQB", entry
        )
        place = f"directory entry {number}"
        require(kind.isalnum() and kind.isascii() and kind[:1].isalpha(), f"{place}: the kind {kind} is not four letters")
        self.kind = kind.decode()
        self.codec, self.deleted = flags & 0xFF, bool(flags & 0x100)
        require(flags in (0, 1, 2, 3, 0x100) and zero == 0, f"{place}: unknown flags")
        require(not self.deleted or (is_patch and self.size == 0), f"{place}: only a patch may delete a lump")
        require(name_length <= 79 and not any(entry[49 + name_length :]), f"{place}: the name is not zero-padded")
        try:
            self.name = entry[49 : 49 + name_length].decode()
        except UnicodeDecodeError:
            raise Refused(f"{place}: the name is not UTF-8") from None
        control = any(ord(letter) < 32 or 127 <= ord(letter) < 160 for letter in self.name)
        require(self.name and ".." not in self.name and not control, f"{place}: the name is not allowed")
        self.title = f"{self.kind}/{self.name}"
        self.offset, self.end, self.digest = offset, offset + stored, digest
        if self.codec == 0:
            require(stored == self.size, f"lump {self.title}: the stored and raw lengths disagree")
        else:
            require(stored < self.size <= 255 * stored, f"lump {self.title}: the stored and raw lengths disagree")

    def take(self, end, data):
        """Takes the stored bytes; the lump before it in the file ends at `end`."""
        require(self.offset == aligned(end), f"lump {self.title}: it does not start where the lump before it ends")
        require(self.end <= len(data), f"lump {self.title}: it ends past the end of the file")
        require(not any(data[end : self.offset]), f"lump {self.title}: the padding before it is not zero")
        self.stored = data[self.offset : self.end]
        require(xxh3(self.stored) == self.digest, f"lump {self.title}: checksum mismatch; the lump is damaged")

    def content(self):
        if self.codec == 0:
            return self.stored
        return (unpacked, unpacked_pixels, unpacked_numbers)[self.codec - 1](self.stored, self.size, self.title)


def unpacked(data, size, title, is_exact=True):
    """An LZ4 block, as lz4_Block_format.md of the LZ4 project describes it, of this size or at most."""
    out, at = bytearray(), 0

    def length(first):
        nonlocal at
        total = first
        while first == 15:
            byte = data[at]
            at += 1
            total += byte
            if byte != 255:
                break
        return total

    try:
        while at < len(data):
            token = data[at]
            at += 1
            count = length(token >> 4)
            out += data[at : at + count]
            at += count
            if at >= len(data):
                break
            back = data[at] | data[at + 1] << 8
            at += 2
            count = length(token & 15) + 4
            require(0 < back <= len(out) and len(out) + count <= size, f"lump {title}: can't decompress it")
            for _ in range(count):
                out.append(out[-back])
    except IndexError:
        raise Refused(f"lump {title}: can't decompress it") from None
    require((len(out) == size or not is_exact) and at == len(data), f"lump {title}: can't decompress it")
    return bytes(out)


def unpacked_pixels(data, size, title):
    """Packed pixels: a head, then the strips of an image."""
    fault = f"lump {title}: can't unpack the image"
    try:
        head, width = struct.unpack_from("<II", data)
        row = 4 * width
        require(0 < row <= size - head and (size - head) % row == 0, fault)
        height = (size - head) // row
        count = (height + 127) // 128
        lengths = struct.unpack_from(f"<{count}I", data, 8)
        at = 8 + 4 * count
        out = bytearray(data[at : at + head])
        at += head
        require(len(out) == head and at + sum(lengths) == len(data), fault)
        for number, length in enumerate(lengths):
            out += unpacked_strip(data[at : at + length], width, min(128, height - 128 * number), title)
            at += length
    except (IndexError, struct.error):
        raise Refused(fault) from None
    return bytes(out)


def unpacked_numbers(data, size, title):
    """Packed numbers: a head, then the sections of a lump."""
    fault = f"lump {title}: can't unpack a section"
    try:
        (head,) = struct.unpack_from("<I", data)
        out, at = bytearray(data[4 : 4 + head]), 4 + head
        record, count = struct.unpack_from("<II", out)
        lengths = struct.unpack_from(f"<{count}Q", out, 8)
        require(head == len(out) == 8 + 8 * count + record, fault)
        ends = [head]
        for length in lengths:
            ends.append(aligned(ends[-1]) + length)
        require(ends[-1] == size, fault)
        sections = []
        for length in lengths:
            form = data[at]
            at += 1
            require(form <= 3, fault)
            word, columns = 1, 1
            if form >= 2:
                word, columns = struct.unpack_from("<BI", data, at)
                at += 5
            stored = length
            if form >= 1:
                (stored,) = struct.unpack_from("<I", data, at)
                at += 4
            section = data[at : at + stored]
            at += stored
            require(len(section) == stored, fault)
            if form >= 1:
                section = unpacked(section, length, title)
            if form >= 2:
                require(word in (2, 4) and columns > 0 and length > 0 and length % (word * columns) == 0, fault)
                rows = length // (word * columns)
                section = unsorted(section, word, columns, order_of_keys(sections, fault) if form == 3 else [range(rows)], fault)
            sections.append(section)
            out += bytes(aligned(len(out)) - len(out)) + section
    except (IndexError, struct.error):
        raise Refused(fault) from None
    require(at == len(data), f"lump {title}: unexpected bytes behind the last section")
    return bytes(out)


def order_of_keys(sections, fault):
    """The keys of each channel of each bone, by their numbers: sorted by channel, then by bone."""
    require(len(sections) > 3 and len(sections[2]) * 2 == len(sections[3]) and len(sections[2]) % 2 == 0, fault)
    bones = struct.unpack(f"<{len(sections[2]) // 2}H", sections[2])
    series = {}
    for number, bone in enumerate(bones):
        channel, _, _, part = sections[3][4 * number : 4 * number + 4]
        series.setdefault((channel, part if channel >= 3 else 0, bone), []).append(number)
    channels = [channel + (255 * (channel - 3) + part if channel >= 3 else 0) for channel, part, _ in series]
    possible = (max(bones, default=0) + 1) * (max(channels, default=0) + 1)
    require(possible <= 4 * len(bones) + 4096, fault)
    return [series[key] for key in sorted(series)]


def unsorted(data, word, columns, order, fault):
    """A section from its columns: the differences of the words of each series, byte by byte from the most significant on."""
    count = len(data) // word
    planes = [data[count * plane : count * (plane + 1)] for plane in range(word)]
    words, at, mask = [0] * count, 0, (1 << 8 * word) - 1
    require(sum(map(len, order)) * columns == count, fault)
    for column in range(columns):
        for series in order:
            value = None
            for row in series:
                stored = 0
                for plane in planes:
                    stored = stored << 8 | plane[at]
                at += 1
                value = stored if value is None else (value + ((stored >> 1) ^ -(stored & 1))) & mask
                words[row * columns + column] = value
    return struct.pack(f"<{count}{'H' if word == 2 else 'I'}", *words)


def unpacked_strip(data, width, rows, title):
    fault = f"lump {title}: can't unpack a strip of the image"
    form, data = data[0], data[1:]
    require(form <= 3, fault)
    groups = (width + 31) // 32
    if form & 2 == 0:
        data = unpacked(data, 4 * width * rows, title) if form & 1 else data
        require(len(data) == 4 * width * rows, fault)
        return data
    if form & 1:
        data = unpacked(data, 1 + 4 * rows * (1 + (groups + 1) // 2 + 32 * groups), title, False)
    relation, at = data[0], 1
    require(relation <= 1, fault)
    above, out = [[0] * width for _ in range(4)], bytearray()
    for _ in range(rows):
        planes = []
        for before in above:
            prediction = data[at]
            at += 1
            differences = [0] * (32 * groups)
            if prediction < 0x80:
                widths = data[at : at + (groups + 1) // 2]
                at += len(widths)
                for group in range(groups):
                    bits = widths[group // 2] >> 4 * (group % 2) & 15
                    require(bits <= 8, fault)
                    differences[32 * group : 32 * group + 32] = group_of(data, at, bits)
                    at += 4 * bits
            prediction &= 0x7F
            require(prediction <= 3, fault)
            row, left, corner = [], before[0], before[0]
            for difference, up in zip(differences, before):
                left = difference + (0, up, left, left + up - corner)[prediction] & 0xFF
                corner = up
                row.append(left)
            planes.append(row)
        above = planes
        green, red, blue, alpha = planes
        for g, r, b, a in zip(green, red, blue, alpha):
            base = g if relation == 1 else 0
            out += bytes((r + base & 0xFF, g, b + base & 0xFF, a))
    require(at == len(data), fault)
    return out


def group_of(data, at, bits):
    """The 32 differences of a group: each part of 1, 2, 4 or 8 bits adds bits above those of the part before."""
    values, shift = [0] * 32, 0
    for part in (1, 2, 4, 8):
        if bits & part:
            for i in range(32):
                values[i] |= (data[at + i % (4 * part)] >> part * (i // (4 * part)) & (1 << part) - 1) << shift
            at += 4 * part
            shift += part
    return [value >> 1 ^ -(value & 1) for value in values]


class Archive:
    def __init__(self, data):
        require(data[:8] == MAGIC, "this is not a Keypose archive")
        require(len(data) >= HEADER, "the file ends within its header")
        self.major, self.minor, flags, count, size, directory, base, self.id, self.digest = struct.unpack_from(
            "<HHIQQQQQQ", data, 8
        )
        require(self.major == MAJOR, f"format version {self.major}.{self.minor} is not supported")
        require(xxh3(data[:48] + bytes(8)) == self.digest, "header: checksum mismatch; the file is damaged")
        require(flags in (0, 1) and (flags or not base), "header: unknown flags")
        require(size == len(data), f"header: the file should be {size} bytes long and is {len(data)}")
        self.base = base if flags else None
        end = HEADER + count * ENTRY
        require(end + TRAILER <= size, f"directory: {count} lumps need more than {size} bytes")
        require(xxh3(data[HEADER:end]) == directory, "directory: checksum mismatch; the file is damaged")
        self.lumps = []
        for number in range(count):
            at = HEADER + number * ENTRY
            lump = Lump(data[at : at + ENTRY], number, self.base is not None)
            before = self.lumps[-1] if self.lumps else None
            key = lambda lump: (lump.kind.encode(), lump.name.encode())
            require(before is None or key(before) < key(lump), f"lump {lump.title}: duplicate or out of order")
            self.lumps.append(lump)
        expanded = sum(lump.size for lump in self.lumps if lump.codec != 0)
        require(expanded <= 16 * size + (256 << 20), f"directory: the lumps decompress to {expanded} bytes")
        for lump in sorted(self.lumps, key=lambda lump: (lump.offset, lump.end)):
            lump.take(end, data)
            end = lump.end
        trailer = data[aligned(end) :]
        fits = trailer[:24] == END_MARK + struct.pack("<QQ", size, self.digest) and len(trailer) == TRAILER
        require(fits and not any(data[end : aligned(end)]), "header and trailer disagree")
        require(struct.unpack_from("<Q", trailer, 24)[0] == xxh3(trailer[:24]) ^ self.id, "trailer: checksum mismatch")


# --- the inside of a lump: a record, then sections of plain numbers


def split(data, title):
    """The record's bytes and the sections of a lump."""
    require(len(data) >= 8, f"lump {title}: too short")
    record, count = struct.unpack_from("<II", data)
    require(count <= 64 and len(data) >= 8 + 8 * count, f"lump {title}: {count} sections need more bytes")
    lengths = struct.unpack_from(f"<{count}Q", data, 8)
    start = 8 + 8 * count
    end = start + record
    sections = []
    for length in lengths:
        require(not any(data[end : aligned(end)]), f"lump {title}: the padding is not zero")
        sections.append(data[aligned(end) : aligned(end) + length])
        end = aligned(end) + length
    require(end == len(data), f"lump {title}: {len(data)} bytes, its sections end at {end}")
    return data[start : start + record], sections


class Record:
    """A cursor over a record: numbers of fixed size, little-endian."""

    def __init__(self, data, title):
        self.data, self.at, self.title = data, 0, title

    def number(self, code):
        size = struct.calcsize("<" + code)
        require(self.at + size <= len(self.data), f"lump {self.title}: the record ends too early")
        value = struct.unpack_from("<" + code, self.data, self.at)[0]
        self.at += size
        return value

    def text(self):
        length = self.number("Q")
        require(length <= len(self.data) - self.at, f"lump {self.title}: a text is longer than the record")
        self.at += length
        try:
            return self.data[self.at - length : self.at].decode()
        except UnicodeDecodeError:
            raise Refused(f"lump {self.title}: a text is not UTF-8") from None

    def read(self, shape):
        if isinstance(shape, dict):
            return {name: self.read(part) for name, part in shape.items()}
        if isinstance(shape, Choice):
            at = self.number("I")
            require(at < len(shape.cases), f"lump {self.title}: unknown variant {at}")
            name, content = shape.cases[at]
            return name if content is None else {name: self.read(content)}
        if isinstance(shape, tuple):
            word, part = shape
            if word == "list":
                count = self.number("Q")
                require(count <= len(self.data) - self.at, f"lump {self.title}: a list is longer than the record")
                return [self.read(part) for _ in range(count)]
            if word == "maybe":
                tag = self.number("B")
                require(tag <= 1, f"lump {self.title}: invalid presence byte {tag}")
                return self.read(part) if tag else None
            return [self.read(part) for _ in range(word)]
        if shape == "text":
            return self.text()
        if shape == "bool":
            value = self.number("B")
            require(value <= 1, f"lump {self.title}: invalid boolean {value}")
            return bool(value)
        value = self.number(shape)
        require(math.isfinite(value), f"lump {self.title}: a number is not finite")
        return value


class Choice:
    def __init__(self, *cases):
        self.cases = [case if isinstance(case, tuple) else (case, None) for case in cases]


# The maximum of a record; 16 MiB of others.
RECORD_BYTES = {
    **{kind: 1 << 20 for kind in ("MACH", "MESH", "cLPN", "rIGN", "iMPO", "sPRT")},
    **{kind: 1 << 16 for kind in ("SKIN", "MATL", "TEXR", "rIMG", "rEFI", "sOND")},
    "rFLM": 1 << 23,
    "BAKE": 256,
}
TRANSFORM = {"translation": (3, "f"), "rotation": (4, "f"), "scale": (3, "f")}
RECT = (4, "f")
COLOR = (3, "B")
LEVEL = {
    "order": "I",
    "name": "text",
    "solids": ("list", RECT),
    "slopes": ("list", {"rect": RECT, "rises_left": "bool"}),
    "platforms": ("list", RECT),
    "movers": ("list", {"rect": RECT, "way": (2, "f"), "secs": "f", "pause": "f"}),
    "spikes": ("list", RECT),
    "ladders": ("list", RECT),
    "spawn": (2, "f"),
    "player": "text",
    "decor": (
        "list",
        {
            "shape": Choice("box", "pyramid", "round", "water", "banner", "grass", "flame", "birds"),
            "rect": RECT,
            "z": "f",
            "depth": "f",
            "color": COLOR,
        },
    ),
    "look": {"sky_top": COLOR, "sky_bottom": COLOR, "solid": COLOR, "ground": COLOR, "wood": COLOR},
    "kinds": (
        "list",
        {
            "name": "text",
            "model": "text",
            "size": "f",
            "health": "H",
            "patrol": "f",
            "notice": "f",
            "reach": "f",
            "pause": "H",
            "speed": "f",
            "chase": "f",
            "mask": "I",
            "nature": {"flies": "bool", "stabs": "bool", "poise": "H", "becomes": "text", "below": "f"},
        },
    ),
    "foes": ("list", {"kind": "text", "place": (2, "f"), "faces_left": "bool"}),
    "checkpoints": ("list", (2, "f")),
    "coins": ("list", (2, "f")),
    "goal": ("maybe", {"rect": RECT, "after": "text"}),
}
KEY = {"bone": "H", "modes": (4, "B"), "numbers": (3, (4, "f"))}
BAKED = {
    "clip": "Q",
    "skeleton": "Q",
    "source_bytes": "Q",
    "max_error": "f",
    "bones": "H",
    "form": Choice("sampled poses", "quantized samples", "packed samples", ("sparse tracks", ("maybe", "q"))),
}
TABLE = ("list", {"state": "text", "clip": "text"})
COMPARE = {"parameter": "text", "value": "f"}
NAMED = {"parameter": "text"}
CONDITIONS = [("above", COMPARE), ("below", COMPARE), ("on", NAMED), ("off", NAMED), ("fired", NAMED)]


MATERIAL = {
    "name": "text",
    "base_color": (4, "f"),
    "texture": ("maybe", "I"),
    "uv_offset": (2, "f"),
    "uv_rotation": "f",
    "uv_scale": (2, "f"),
    "wrap": (2, Choice("repeat", "mirror", "clamp")),
    "filter": Choice("linear", "nearest"),
    "alpha_mode": Choice("opaque", ("mask", "f"), "blend"),
    "double_sided": "bool",
    "shading": Choice("lit", "toon", "unlit"),
    "emissive": (3, "f"),
    "emissive_texture": ("maybe", "I"),
    "normal_texture": ("maybe", "I"),
    "normal_scale": "f",
    "metallic": "f",
    "roughness": "f",
    "metallic_roughness_texture": ("maybe", "I"),
    "occlusion_texture": ("maybe", "I"),
    "occlusion_strength": "f",
    "outline": {"width": "f", "color": (3, "f")},
    "sheen": {"color": (3, "f"), "roughness": "f"},
}

MODEL = {
    "name": "text",
    "order": "I",
    "skins": ("list", "text"),
    "meshes": ("list", {"lump": "text", "hidden": "bool"}),
    "materials": ("list", "text"),
    "textures": ("list", "text"),
    "clips": ("list", "text"),
    "sockets": ("list", {"name": "text", "bone": "H", "transform": TRANSFORM, "attached": "text"}),
    "skinning": Choice("linear", "dual-quaternion", "rigid", "interpolated"),
    "samples": Choice("fastest", "standard", "smallest"),
}


def POINT(place):
    return {"at": place, "clip": "text"}


VOLUME = {"name": "text", "bone": "text", "from": (3, "f"), "to": (3, "f"), "radius": "f"}
RANGE = (2, "q")
LANES = {
    "hits": (
        "list",
        {
            "flicks": RANGE,
            "volumes": ("list", VOLUME),
            "group": "B",
            "again": "H",
            "damage": "H",
            "angle": "f",
            "knockback": "f",
            "growth": "f",
            "stop": "H",
            "stun": "H",
            "block_stun": "H",
            "priority": "B",
            "mask": "I",
        },
    ),
    "hurts": ("list", {"flicks": RANGE, "volume": "text", "replaced": ("maybe", VOLUME)}),
    "cancels": ("list", {"flicks": RANGE, "into": ("list", "text"), "when": Choice("always", "on hit", "on miss")}),
    "invulnerable": ("list", RANGE),
    "contacts": ("list", {"flicks": RANGE, "bone": "text"}),
}


CLIP = {
    "name": "text",
    "frames": "I",
    "per_secs": "I",
    "loop_mode": Choice("once", "loop", "ping-pong"),
    "events": ("list", {"flicks": "q", "name": "text"}),
    "root_motion": Choice("none", "ground", "height", "turn"),
}

POSED_BONE = {
    "bone": "text",
    "translation": ("maybe", (3, "f")),
    "rotation": ("maybe", (4, "f")),
    "scale": ("maybe", (3, "f")),
    "scalars": ("list", {"name": "text", "value": "f"}),
}

DERIVED = {
    "source": "text",
    "how": Choice(
        "mirrored",
        "reversed",
        ("retimed", {"percent": "I"}),
        ("trimmed", {"from_flicks": "q", "to_flicks": "q"}),
        "retargeted",
        ("layered", {"clip": "text", "blend": Choice("add", "replace"), "percent": "I", "is_muted": "bool"}),
    ),
}

LAYER = {
    "name": "text",
    "clip": "text",
    "bone": "text",
    "kind": Choice("replace", "add"),
    "conditions": ("list", Choice(*CONDITIONS)),
    "speed": "f",
    "weight": "f",
    "fade_secs": "f",
}

MACHINE = {
    "states": TABLE,
    "graph": (
        "maybe",
        {
            "parameters": (
                "list",
                {"name": "text", "value": Choice(("number", "f"), ("switch", "bool"), "trigger")},
            ),
            "states": (
                "list",
                {
                    "name": "text",
                    "place": (2, "f"),
                    "motion": Choice(
                        ("clip", "text"),
                        ("line", {"parameter": "text", "damp_secs": "f", "points": ("list", POINT("f"))}),
                        ("plane", {"parameters": (2, "text"), "damp_secs": "f", "points": ("list", POINT((2, "f")))}),
                    ),
                    "pace": Choice(("time", {"speed": "f", "by": "text"}), ("distance", {"by": "text"})),
                    "repeat": Choice("as clip", "loop", "once"),
                    "start_secs": "f",
                },
            ),
            "transitions": (
                "list",
                {
                    "from": ("maybe", "text"),
                    "to": "text",
                    "conditions": ("list", Choice(*CONDITIONS)),
                    "exit_rounds": ("maybe", "f"),
                    "fade_kind": Choice("cross", "matched", "inertial"),
                    "fade_secs": "f",
                    "interrupt": Choice("target", "source", "either", "never"),
                },
            ),
            "start": "text",
            "layers": ("list", LAYER),
        },
    ),
}

# The record of each kind, in version 1. A second version is a row of its own: ("LEVL", 2).
SHAPES = {
    ("MODL", 1): MODEL,
    ("SKEL", 1): {
        "bones": ("list", {"name": "text", "parent": ("maybe", "H"), "rest": TRANSFORM}),
        "scalars": (
            "list",
            {
                "name": "text",
                "bone": "H",
                "kind": Choice("weight", "property", "visibility", ("frame", {"columns": "B", "rows": "B"}), "layer-weight"),
                "default": "f",
            },
        ),
    },
    ("SKIN", 1): {"name": "text"},
    ("MESH", 1): {
        "name": "text",
        "material": "I",
        "binding": Choice(("skin", "I"), ("bone", "H")),
        "sets": "I",
        "targets": ("list", {"scalar": "H", "vertices": "I", "has_normals": "bool"}),
    },
    ("MATL", 1): MATERIAL,
    ("TEXR", 1): {"name": "text", "width": "I", "height": "I", "source_format": "text"},
    ("ANIM", 1): CLIP,
    ("BAKE", 1): BAKED,
    ("MACH", 1): MACHINE,
    ("POSL", 1): {"poses": ("list", {"name": "text", "bones": ("list", POSED_BONE)})},
    ("LEVL", 1): LEVEL,
    ("VOLS", 1): {"hurt": ("list", VOLUME), "lanes": ("list", {"clip": "text", "lanes": LANES})},
    ("dRFT", 1): {"drafts": ("list", {"clip": ("maybe", "text"), "flicks": "q", "kind": Choice("plain", "extreme", "breakdown"), "keys": ("list", KEY)})},
    ("cLPN", 1): {
        "notes": ("list", {"clip": "text", "folder": "text", "tags": ("list", "text"), "mask": ("list", "text"), "derived": ("maybe", DERIVED)})
    },
    ("rIGN", 1): {
        "groups": ("list", {"name": "text", "color": COLOR, "bones": ("list", "text")}),
        "mirror": ("list", (2, "text")),
        "orders": ("list", {"bone": "text", "order": Choice("XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX")}),
        "limits": (
            "list",
            {"bone": "text", "zero": (4, "f"), "axis": (3, "f"), "min": "f", "max": "f", "swing": ("maybe", "f")},
        ),
        "chains": ("list", {"bone": "text", "joints": "B", "solver": Choice("CCD", "FABRIK")}),
        "springs": {
            "bones": (
                "list",
                {
                    "bone": "text",
                    "swing": {"stiffness": "f", "drag": "f", "gravity": (3, "f"), "radius": "f"},
                    "tip": Choice(("bone", "text"), ("point", (3, "f"))),
                    "center": ("maybe", "text"),
                    "colliders": ("list", "text"),
                },
            ),
            "colliders": ("list", VOLUME),
            "wind": (3, "f"),
        },
        "masses": ("list", {"bone": "text", "percent": "f"}),
        "gravity": ("maybe", "f"),
        "humanoid": ("list", {"part": "text", "bone": "text"}),
        "bone_map": ("list", {"theirs": "text", "ours": "text"}),
    },
    ("rEFI", 1): {
        "references": (
            "list",
            {
                "image": "text",
                "facing": Choice("front", "side"),
                "depth": Choice("behind", "in front"),
                "offset": (2, "f"),
                "height": "f",
                "opacity": "f",
                "hidden": "bool",
                "locked": "bool",
                "film": (
                    "maybe",
                    {"path": "text", "is_kept": "bool", "fps": "f", "starts": "f", "speed": "f"},
                ),
            },
        )
    },
    ("sOND", 1): {"name": "text", "rate": "I", "channels": "B", "volume": "f", "repeat": Choice("once", "loop")},
    ("rIMG", 1): {"name": "text", "width": "I", "height": "I", "source_format": "text"},
    ("rFLM", 1): {"lengths": ("list", "Q")},
    ("sRCE", 1): {
        "file": "text",
        "bone_nodes": ("list", ("maybe", "I")),
        "meshes": ("list", ("maybe", (3, "I"))),
    },
    ("iMPO", 1): {"words": ("list", "text")},
    ("sPRT", 1): {"words": ("list", "text")},
}
# Sections: name, numbers of one value, and their type. Those of keyframes.
KEYFRAMES = [
    ("durations", 1, "q"),
    ("counts", 1, "I"),
    ("bones", 1, "H"),
    ("modes", 4, "B"),
    ("values", 4, "f"),
    ("in_tangents", 4, "f"),
    ("out_tangents", 4, "f"),
]
# Those of delays (bone and flicks) and of the lengths of handles, if a clip has any.
OPTIONAL = [("delays", 2, "q"), ("lengths", 2, "f")]
# Those of morph targets.
MORPHS = [("target_vertices", 1, "I"), ("target_positions", 3, "f"), ("target_normals", 3, "f")]
# Those of each kind.
SECTIONS = {
    "SKIN": [("joints", 1, "H"), ("inverse_binds", 16, "f")],
    "MESH": [
        ("positions", 3, "f"),
        ("normals", 3, "f"),
        ("uvs", 2, "f"),
        ("colors", 4, "B"),
        ("indices", 1, "I"),
        ("joints", 4, "H"),
        ("weights", 4, "f"),
        ("more_joints", 4, "H"),
        ("more_weights", 4, "f"),
    ],
    "TEXR": [("pixels", 4, "B")],
    "rIMG": [("pixels", 4, "B")],
    "rFLM": [("files", 1, "B")],
    "sOND": [("samples", 1, "h")],
    "ANIM": KEYFRAMES,
}
# The same of a baked clip, by form; all begin with the constant pose.
CONSTANT = ("constant", 80, "f")
SAMPLED = [CONSTANT, ("times", 1, "q"), ("animated", 1, "B")]
FORMS = {
    "sampled poses": [*SAMPLED, ("lanes", 8, "f")],
    "packed samples": [*SAMPLED, ("parts", 0, "8H8BH"), ("lows", 8, "h"), ("samples", 1, "B")],
    "quantized samples": [*SAMPLED, ("sparse", 2, "H"), ("scales", 8, "f"), ("blocks", 16, "h")],
    "sparse tracks": [CONSTANT, ("tracks", 0, "HBBI"), ("times", 1, "q"), ("values", 4, "f"), ("eases", 1, "B"), ("tangents", 8, "f")],
}


def numbers(section, count, codes, title):
    """The values of a section: plain numbers, or lists of them."""
    layout = struct.Struct("<" + (codes if count == 0 else codes * count))
    require(len(section) % layout.size == 0, f"lump {title}: a section is not a multiple of {layout.size} bytes")
    values = layout.iter_unpack(section)
    return [value[0] for value in values] if count == 1 else [list(value) for value in values]


def record_of(lump):
    """The decoded record of a lump of a known kind, and the bytes of its sections."""
    data, sections = split(lump.content(), lump.title)
    most = RECORD_BYTES.get(lump.kind, 16 << 20)
    require(len(data) <= most, f"lump {lump.title}: the record has more than {most} bytes")
    record = Record(data, lump.title)
    values = record.read(SHAPES[lump.kind, lump.version])
    require(record.at == len(data), f"lump {lump.title}: the record ends after {record.at} of {len(data)} bytes")
    return values, sections


def contents(lump):
    """The decoded record of a lump and its sections by name; `None` for an unknown kind."""
    if (lump.kind, lump.version) not in SHAPES or lump.deleted:
        known = lump.kind[0].islower() or lump.deleted
        require(known, f"lump {lump.title}: this reader doesn't know its kind and version, and it is critical")
        return None
    if lump.kind == "BAKE":
        return baked(lump)
    values, sections = record_of(lump)
    layout = SECTIONS.get(lump.kind, [])
    if lump.kind == "MESH":
        require(values["sets"] <= 2, f"lump {lump.title}: {values['sets']} sets of influences")
        layout = layout[: 5 + 2 * values["sets"]] + MORPHS
    if lump.kind == "ANIM" and len(sections) > len(layout):
        layout = [*layout, *OPTIONAL[: len(sections) - len(layout)]]
    if lump.kind in ("TEXR", "rIMG") and len(sections) == 2:
        require(not sections[0] and lump.codec == 0, f"lump {lump.title}: pixels and a file, or a compressed file")
        return values, {"file": sections[1]}
    require(len(sections) == len(layout), f"lump {lump.title}: {len(sections)} sections")
    if lump.kind in ("TEXR", "rIMG"):
        matches = 4 * values["width"] * values["height"] == len(sections[0])
        require(matches, f"lump {lump.title}: width and height don't match the number of pixels")
        return values, {"pixels": sections[0]}
    named = {name: numbers(data, count, code, lump.title) for (name, count, code), data in zip(layout, sections)}
    if lump.kind == "ANIM":
        return values, {"keyframes": keyframes(named, lump.title), "delays": named.get("delays", [])}
    if lump.kind == "MESH":
        named["morphs"] = morphs(values, named, lump.title)
    return values, named


def morphs(values, sections, title):
    """The morph targets of a mesh: the vertices of each, and how it moves them."""
    vertices, positions, normals = (iter(sections.pop(f"target_{name}")) for name in ("vertices", "positions", "normals"))
    take = lambda of, count: [value for _, value in zip(range(count), of)]
    found = []
    for target in values["targets"]:
        count = target["vertices"]
        moved = take(vertices, count), take(positions, count), take(normals, count if target["has_normals"] else 0)
        require(len(moved[0]) == len(moved[1]) == count, f"lump {title}: numbers of its morph targets are missing")
        found.append({"scalar": target["scalar"], "vertices": moved[0], "positions": moved[1], "normals": moved[2]})
    left = [rest for of in (vertices, positions, normals) for rest in of]
    require(not left, f"lump {title}: unexpected numbers after those of the morph targets")
    return found


# The length of a handle, if none is stored.
THIRD = struct.unpack("<f", struct.pack("<f", 1 / 3))[0]


def keyframes(sections, title):
    """The keyframes of a clip: durations, kinds, and the keys of each."""
    durations, stored, bones = sections["durations"], sections["counts"], sections["bones"]
    require(all(count >> 30 < 3 for count in stored), f"lump {title}: unknown kind of keyframe")
    counts, kinds = [count & 0x3FFF_FFFF for count in stored], [count >> 30 for count in stored]
    tangents = [sections[name] or [[0.0] * 4] * len(bones) for name in ("in_tangents", "out_tangents")]
    lengths = sections.get("lengths") or [[THIRD] * 2] * len(bones)
    columns = [bones, sections["modes"], sections["values"], *tangents, lengths]
    matches = len(durations) == len(counts) and all(len(column) == sum(counts) for column in columns)
    require(matches, f"lump {title}: its sections have different lengths")
    names = ("bone", "modes", "value", "in_tangent", "out_tangent", "lengths")
    keys = iter([dict(zip(names, key)) for key in zip(*columns)])
    rows = zip(durations, kinds, counts)
    return [{"duration": time, "kind": kind, "keys": [next(keys) for _ in range(count)]} for time, kind, count in rows]


# --- baked clips


def baked(lump):
    """The record and sections of a baked clip."""
    require(("BAKE", lump.version) in SHAPES, f"lump {lump.title}: version {lump.version} is not supported")
    values, sections = record_of(lump)
    form = form_of(values)
    layout = FORMS[form]
    require(len(sections) == len(layout), f"lump {lump.title}: {len(sections)} sections")
    named = {name: numbers(data, count, codes, lump.title) for (name, count, codes), data in zip(layout, sections)}
    groups = (values["bones"] + 7) // 8
    require(len(named["constant"]) == groups, f"lump {lump.title}: its constant pose does not match its bones")
    if form == "sparse tracks":
        check_tracks(lump, named, values["bones"])
    else:
        require(len(named["animated"]) == groups, f"lump {lump.title}: its animated channels do not match its bones")
        extra = 24 if form == "packed samples" else 8
        known = all(bits & ~(7 | extra) == 0 and (bits < 8 or bits & 2) for bits in named["animated"])
        require(known, f"lump {lump.title}: unknown channel bits")
        SAMPLES[form](lump, named, values["bones"])
    return values, named


def form_of(values):
    return values["form"] if isinstance(values["form"], str) else "sparse tracks"


# The first component of each channel, in the order of a pose: translation x y z, rotation x y z w, scale x y z.
CHANNELS = [(1, range(0, 3)), (2, range(3, 7)), (4, range(7, 10))]


def components(bits):
    """The components of a group that are animated."""
    return [component for bit, channel in CHANNELS if bits & bit for component in channel]


def interleaved(block):
    """The two components of a block: eight lanes each."""
    return [*block[0:4], *block[8:12]], [*block[4:8], *block[12:16]]


def expect(lump, matches):
    require(matches, f"lump {lump.title}: the lengths of its sections do not match its channels and times")


def sampled_poses(lump, sections, _bones):
    """Sample by sample the values of every animated component: {(group, component): eight lanes}."""
    animated = [(group, part) for group, bits in enumerate(sections["animated"]) for part in components(bits)]
    lanes = iter(sections["lanes"])
    expect(lump, len(sections["lanes"]) == len(animated) * len(sections["times"]))
    return [{place: next(lanes) for place in animated} for _ in sections["times"]]


def upper_half(half):
    """The 32-bit number with this upper half."""
    return struct.unpack("<f", struct.pack("<I", half << 16))[0]


def packed_samples(lump, sections, _bones):
    layout = [(1, 0, [0, 1, 2]), (2, 0, [3, 4, 5]), (2, 16, [6]), (4, 0, [7, 8, 9])]
    of_group = lambda bits: [part for bit, without, part in layout if bits & bit and not bits & without]
    parts = [(group, part) for group, bits in enumerate(sections["animated"]) for part in of_group(bits)]
    expect(lump, len(sections["parts"]) == len(parts) and len(sections["lows"]) == sum(len(part) for _, part in parts))
    lows, plan = iter(sections["lows"]), []
    for (group, part), stored in zip(parts, sections["parts"]):
        steps, bits, unit = [upper_half(step) for step in stored[:8]], stored[8:16], upper_half(stored[16])
        require(all(count <= 16 for count in bits), f"lump {lump.title}: more than 16 bits for a number")
        own = [(component, [low * unit for low in next(lows)]) for component in part]
        plan.append((group, own, steps, bits, (sum(bits) + 7) // 8))
    data, at, samples = bytes(sections["samples"]), 0, []
    expect(lump, len(data) == sum(len(own) * size for _, own, _, _, size in plan) * len(sections["times"]))
    for _ in sections["times"]:
        sample = {}
        for group, own, steps, bits, size in plan:
            for component, lows in own:
                stored = int.from_bytes(data[at : at + size], "little")
                at += size
                lanes = []
                for low, step, count in zip(lows, steps, bits):
                    lanes.append(low + step * (stored & (1 << count) - 1))
                    stored >>= count
                sample[group, component] = lanes
        for group, bits in enumerate(sections["animated"]):
            if bits & 16:
                xyz = zip(*(sample[group, component] for component in (3, 4, 5)))
                sample[group, 6] = [math.sqrt(min(max(1 - dot(part, part), 0), 1)) for part in xyz]
        samples.append(sample)
    return samples


def quantized_samples(lump, sections, bones):
    """As the others; a number without its scale for rotations. Sparse channels have the keys (group, component, lane)."""
    sparse = sections["sparse"]
    known = all(bone < bones and channel in (0, 2) for bone, channel in sparse)
    require(known, f"lump {lump.title}: a sparse channel is not the translation or scale of a bone")
    per_group = []
    for bits in sections["animated"]:
        vectors = [part for part in components(bits) if part not in range(3, 7)]
        per_group.append(([3, 4, 5, 6] if bits & 2 else [], vectors + [None] * (len(vectors) % 2)))
    rotations = sum(len(rotation) // 2 for rotation, _ in per_group)
    scaled = sum(len(vectors) // 2 for _, vectors in per_group) + (len(sparse) + 3) // 4
    expect(lump, len(sections["scales"]) == 2 * scaled)
    expect(lump, len(sections["blocks"]) == (rotations + scaled) * len(sections["times"]))
    blocks, samples = iter(sections["blocks"]), []
    for _ in sections["times"]:
        sample, scales = {}, iter(sections["scales"])

        def scaled_block():
            return [[n * scale for n, scale in zip(half, next(scales))] for half in interleaved(next(blocks))]

        for group, (rotation, vectors) in enumerate(per_group):
            for at in range(0, len(rotation), 2):
                halves = interleaved(next(blocks))
                sample.update(((group, part), [n / 32767 for n in half]) for part, half in zip(rotation[at:], halves))
            for at in range(0, len(vectors), 2):
                # A value is the number times 32767, by which two samples are blended, times the scale.
                sample.update(((group, part), [32767 * n for n in half]) for part, half in zip(vectors[at:], scaled_block()))
        for at in range(0, len(sparse), 4):
            values = [32767 * n for half in scaled_block() for n in half]
            for place, (bone, channel) in enumerate(sparse[at : at + 4]):
                first = 0 if channel == 0 else 7
                for axis in range(3):
                    sample[bone // 8, first + axis, bone % 8] = values[4 * place + axis]
        sample = {place: lanes for place, lanes in sample.items() if place[1] is not None}
        samples.append(sample)
    return samples


SAMPLES = {
    "sampled poses": sampled_poses,
    "packed samples": packed_samples,
    "quantized samples": quantized_samples,
}


def check_tracks(lump, sections, bones):
    tracks = sections["tracks"]
    keys = sum(track[3] for track in tracks)
    expect(lump, all(len(sections[name]) == keys for name in ("times", "values", "eases")))
    expect(lump, len(sections["tangents"]) == sum(track[3] for track in tracks if track[2]))
    known = all(bone < bones and channel <= 2 and count > 0 for bone, channel, _, count in tracks)
    require(known, f"lump {lump.title}: a track without keys, or of an unknown bone or channel")


def normalized(values):
    length = math.sqrt(sum(value * value for value in values))
    return [value / length for value in values]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def pose_at(lump, values, sections, samples, time):
    """The pose of a baked clip at a time in flicks: ten numbers for each bone."""
    pose = [[group[8 * part + lane] for part in range(10)] for group in sections["constant"] for lane in range(8)]
    pose = pose[: values["bones"]]
    if samples is None:
        for track in tracks_of(sections):
            first, size = ((0, 3), (3, 4), (7, 3))[track["channel"]]
            pose[track["bone"]][first : first + size] = value_at(track, values["form"]["sparse tracks"], time)[:size]
        return pose
    times = sections["times"]
    before = max(at for at, start in enumerate(times) if start <= time)
    after = min(before + 1, len(times) - 1)
    way = times[after] - times[before]
    f = (time - times[before]) / way if way else 0.0
    a, b = samples[before], samples[after]
    for place in a:
        group, part = place[:2]
        lanes = [place[2]] if len(place) == 3 else range(min(8, len(pose) - 8 * group))
        if part in range(3, 7):
            continue
        for lane in lanes:
            x, y = (a[place], b[place]) if len(place) == 3 else (a[place][lane], b[place][lane])
            pose[8 * group + lane][part] = x + (y - x) * f
    for group, bits in enumerate(sections["animated"]):
        for lane in range(min(8, len(pose) - 8 * group)) if bits & 2 else ():
            x, y = ([sample[group, part][lane] for part in range(3, 7)] for sample in (a, b))
            pose[8 * group + lane][3:7] = blended(x, y, f, bits & 8)
    return pose


def blended(x, y, f, is_corrected):
    if is_corrected:
        apart = 1 - dot(x, y)
        f += f * (f - 0.5) * (f - 1) * apart * (2 / 3 + apart * (0.14 + 0.6 * (f - 0.5) ** 2))
    return normalized([p + (q - p) * f for p, q in zip(x, y)])


def tracks_of(sections):
    """The channels of sparse tracks with their keys."""
    at, tangent = 0, 0
    for bone, channel, has_tangents, count in sections["tracks"]:
        track = {name: sections[name][at : at + count] for name in ("times", "values", "eases")}
        track["tangents"] = sections["tangents"][tangent : tangent + count] if has_tangents else [[0.0] * 8] * count
        yield {"bone": bone, "channel": channel, **track}
        at, tangent = at + count, tangent + (count if has_tangents else 0)


def value_at(track, loop, time):
    """The value of a channel at a time, as keys are evaluated; `loop` is the length of a clip that loops."""
    times, values, count = track["times"], track["values"], len(track["times"])
    is_rotation = track["channel"] == 1
    after = sum(start <= time for start in times)
    crosses = after in (0, count)
    if crosses and loop is None:
        return values[max(after - 1, 0)]
    a, b = (after - 1) % count, after % count
    start = times[a] - (loop if after == 0 else 0)
    end = times[b] + (loop if after == count else 0)
    x, y = values[a], values[b]
    m, n = track["tangents"][a][4:], track["tangents"][b][:4]
    if crosses and is_rotation and dot(x, y) < 0:
        y, n = [-value for value in y], [-value for value in n]
    if start == end:
        return y
    f, d = (time - start) / (end - start), (end - start) / 705_600_000
    if track["eases"][a] == 0:
        return x
    if track["eases"][a] == 1:
        return slerp(x, y, f) if is_rotation else [p + (q - p) * f for p, q in zip(x, y)]
    weights = (2 * f**3 - 3 * f**2 + 1, (f**3 - 2 * f**2 + f) * d, 3 * f**2 - 2 * f**3, (f**3 - f**2) * d)
    value = [sum(weight * part for weight, part in zip(weights, parts)) for parts in zip(x, m, y, n)]
    return normalized(value) if is_rotation else value


def slerp(x, y, f):
    y = [-value for value in y] if dot(x, y) < 0 else y
    angle = math.acos(min(1.0, dot(x, y)))
    if angle < 1e-6:
        return x
    weights = math.sin((1 - f) * angle) / math.sin(angle), math.sin(f * angle) / math.sin(angle)
    return normalized([p * weights[0] + q * weights[1] for p, q in zip(x, y)])


def poses(archive, name, count):
    """The poses of a baked clip at count + 1 times from its start to its end."""
    lumps = {lump.title: lump for lump in archive.lumps}
    require(f"BAKE/{name}" in lumps and f"ANIM/{name}" in lumps, f"no baked clip {name}")
    lump = lumps[f"BAKE/{name}"]
    values, sections = baked(lump)
    length = sum(keyframe["duration"] for keyframe in contents(lumps[f"ANIM/{name}"])[1]["keyframes"])
    form = form_of(values)
    samples = SAMPLES[form](lump, sections, values["bones"]) if form in SAMPLES else None
    times = [length // count * at for at in range(count + 1)]
    return {"form": form, "times": times, "poses": [pose_at(lump, values, sections, samples, time) for time in times]}


# --- journals

JOURNAL = b"\x89KJNL\r\n\x1a" + struct.pack("<II", 1, 0)
PLACE = {
    "model": "I",
    "clip": ("maybe", "I"),
    "time": "q",
    "bones": ("list", "H"),
    "keyframes": ("list", "I"),
    "keys": ("list", {"keyframe": "I", "bone": "H", "channel": "B"}),
}
COMMAND = Choice(
    ("start", {"first": "I", "saved": ("list", "Q")}),
    ("step", {"label": "text", "before": PLACE, "after": PLACE}),
    ("position", {"done": "I", "place": PLACE}),
    ("place", PLACE),
    ("saved", {"hash": "Q"}),
)


CHANGES = [("spans", 2, "I"), ("removed_counts", 1, "I"), ("removed", 2, "H"), *KEYFRAMES]


def clip_change(lump):
    """The record of a KEYS lump, what becomes of the keyframes of the clip, and those that are changed or inserted."""
    require(lump.version == 1, f"lump {lump.title}: version {lump.version} is not supported")
    data, sections = split(lump.content(), lump.title)
    record = Record(data, lump.title)
    values = record.read(CLIP)
    require(record.at == len(data) and len(sections) == len(CHANGES), f"lump {lump.title}: unexpected bytes")
    named = {name: numbers(data, count, code, lump.title) for (name, count, code), data in zip(CHANGES, sections)}
    changed, counts, removed = keyframes(named, lump.title), named["removed_counts"], iter(named["removed"])
    spans = [(("keep", "remove", "change", "insert")[what], count) for what, count in named["spans"]]
    made = sum(count for what, count in spans if what in ("change", "insert"))
    matches = len(changed) == len(counts) == made and sum(counts) == len(named["removed"])
    require(matches, f"lump {lump.title}: its sections have different lengths")
    for keyframe, count in zip(changed, counts):
        keyframe["removed"] = [next(removed) for _ in range(count)]
    return {"clip": values["name"], "spans": spans, "keyframes": changed}


def journal(data):
    """The complete records of a journal: commands, and the lumps that they change and delete."""
    require(data[:16] == JOURNAL, "this is not a Keypose journal of version 1")
    at, records = 16, []
    while at + 24 <= len(data):
        length, checksum, sequence, base = struct.unpack_from("<IIQQ", data, at)
        payload = data[at + 24 : at + 24 + length]
        expected = (xxh3(payload) ^ xxh3(data[at + 8 : at + 24])) & 0xFFFFFFFF
        follows = not records or (sequence, base) == (records[-1]["sequence"] + 1, records[0]["base"])
        if len(payload) != length or checksum != expected or not follows:
            break
        command = Record(payload[4 : 4 + struct.unpack_from("<I", payload)[0]], f"record {sequence}")
        values = command.read(COMMAND)
        patch = payload[4 + len(command.data) :]
        lumps = Archive(patch).lumps if patch else []
        if sum(lump.size for lump in lumps if lump.codec != 0) > 16 * length:
            break
        changed = [lump.title for lump in lumps if not lump.deleted]
        deleted = [lump.title for lump in lumps if lump.deleted]
        keys = [clip_change(lump) for lump in lumps if lump.kind == "KEYS" and not lump.deleted]
        found = {"sequence": sequence, "base": base, "command": values}
        records.append(found | {"changed": changed, "deleted": deleted, "keys": keys})
        at += 24 + length
    return records


def bake_findings(archive):
    """A sentence for every baked clip that a reader bakes again. None of them makes an archive invalid."""
    lumps = {lump.title: lump for lump in archive.lumps}
    skeletons = {}
    for model in (lump for lump in archive.lumps if lump.kind == "MODL" and not lump.deleted):
        for clip in contents(model)[0]["clips"]:
            skeletons[clip] = f"SKEL/{model.name}"
    for lump in (lump for lump in archive.lumps if lump.kind == "BAKE" and not lump.deleted):
        sources = [lumps.get(f"ANIM/{lump.name}"), lumps.get(skeletons.get(lump.name))]
        if None in sources:
            if archive.base is None:
                yield f"lump {lump.title}: its clip or skeleton is missing"
            continue
        try:
            values = baked(lump)[0]
        except Refused as reason:
            yield f"{reason}; a reader bakes it again"
            continue
        if [values["clip"], values["skeleton"]] != [xxh3(source.content()) for source in sources]:
            yield f"lump {lump.title}: it is out of date; a reader bakes it again"


# --- commands


# --- what values mean

FLICKS_PER_SEC = 705_600_000
LONGEST = 24 * 3600 * FLICKS_PER_SEC


def is_finite(value):
    return all(is_finite(part) for part in value) if isinstance(value, (list, tuple)) else math.isfinite(value)


def is_unit(rotation):
    return abs(sum(number * number for number in rotation) - 1) < 1e-3


def check_key(lump, place, modes, numbers):
    """Known modes, finite numbers, unit rotations. The numbers are value, in-tangent and out-tangent."""
    channel, ease, tangents, part = modes
    known = (3 <= channel < 3 + 16 or (channel <= 2 and part == 0)) and ease <= 2 and tangents <= 4
    require(known, f"lump {lump.title}: {place}: unknown key modes")
    valid = is_finite(numbers) and (channel != 1 or is_unit(numbers[0]))
    require(valid, f"lump {lump.title}: {place}: a key is not finite, or no unit rotation")


def check_clip(lump, values, sections):
    """What a reader requires of a clip: frame rate, durations, order and numbers of keys, events. Returns its length."""
    rate = values["frames"] / values["per_secs"] if values["frames"] and values["per_secs"] else 0
    require(0.001 <= rate <= 1000, f"lump {lump.title}: invalid frame rate")
    length, frames = 0, sections["keyframes"]
    for number, keyframe in enumerate(frames):
        duration, keys = keyframe["duration"], keyframe["keys"]
        is_last = number + 1 == len(frames)
        require(duration > 0 or (duration == 0 and is_last), f"lump {lump.title}: keyframe {number}: invalid duration")
        length += duration
        require(length <= LONGEST, f"lump {lump.title}: the clip is longer than a day")
        addresses = [(key["bone"], key["modes"][0], key["modes"][3]) for key in keys]
        ordered = all(a < b for a, b in zip(addresses, addresses[1:]))
        require(ordered, f"lump {lump.title}: keyframe {number}: its keys are not sorted")
        for key in keys:
            place = f"keyframe {number}"
            check_key(lump, place, key["modes"], [key["value"], key["in_tangent"], key["out_tangent"]])
            valid = all(0.001 <= length + 1e-9 and length <= 1 for length in key["lengths"])
            require(valid, f"lump {lump.title}: {place}: the length of a handle is out of range")
    bones = [bone for bone, _ in sections["delays"]]
    ordered = all(0 <= bone < 65536 for bone in bones) and all(a < b for a, b in zip(bones, bones[1:]))
    require(ordered, f"lump {lump.title}: its delays are not sorted")
    require(all(0 < abs(by) <= LONGEST for _, by in sections["delays"]), f"lump {lump.title}: a delay out of range")
    before = 0
    for event in values["events"]:
        require(before <= event["flicks"] <= length, f"lump {lump.title}: an event is out of order or outside the clip")
        before = event["flicks"]
    return length


def check_rig(lump, rig):
    """Groups have unique names; pairs, orders, limits, chains and parts are complete, and each is that of one bone."""
    groups = [group["name"] for group in rig["groups"]]
    require(len(set(groups)) == len(groups) and all(map(str.strip, groups)), f"lump {lump.title}: names of its bone groups")
    require(all(one and other for one, other in rig["mirror"]), f"lump {lump.title}: a mirror pair names only one bone")
    ordered = [order["bone"] for order in rig["orders"]]
    require(len(set(ordered)) == len(ordered) and all(ordered), f"lump {lump.title}: the bones of its Euler orders")
    for what, name in (("limits", "joint limits"), ("chains", "IK chains"), ("masses", "masses")):
        bones = [one["bone"] for one in rig[what]]
        require(len(set(bones)) == len(bones) and all(bones), f"lump {lump.title}: the bones of its {name}")
    require(all(chain["joints"] > 0 for chain in rig["chains"]), f"lump {lump.title}: an IK chain without joints")
    for limit in rig["limits"]:
        lengths = [math.hypot(*limit["zero"]), math.hypot(*limit["axis"])]
        require(all(abs(length - 1) < 1.01e-3 for length in lengths), f"lump {lump.title}: a joint limit without unit length")
        half = 3.1415928  # π as a float of 32 bits, or a little more
        ordered = -half <= limit["min"] <= limit["max"] <= half and 0 <= (limit["swing"] or 0) <= half
        require(ordered, f"lump {lump.title}: the angles of a joint limit")
    shares, gravity = [mass["percent"] for mass in rig["masses"]], rig["gravity"]
    is_gravity = gravity is None or 0.1 <= gravity + 1e-6 <= 1000.1
    require(all(0 <= share <= 100 for share in shares) and is_gravity, f"lump {lump.title}: a mass or its gravity")
    springs, colliders = rig["springs"]["bones"], [collider["name"] for collider in rig["springs"]["colliders"]]
    bones = [spring["bone"] for spring in springs]
    require(len(set(bones)) == len(bones) and all(bones), f"lump {lump.title}: the bones of its springs")
    for spring in springs:
        swing = spring["swing"]
        ranges = 0 <= swing["drag"] <= 1 and all(0 <= swing[name] <= 1e6 for name in ("stiffness", "radius"))
        known = set(spring["colliders"]) <= set(colliders)
        require(ranges and known and spring["center"] != "", f"lump {lump.title}: the spring of {spring['bone']}")
    parts, theirs = rig["humanoid"], [pair["theirs"] for pair in rig["bone_map"]]
    unique = len({part["part"] for part in parts}) == len(parts)
    require(unique and all(part["part"] and part["bone"] for part in parts), f"lump {lump.title}: parts of its humanoid")
    require(len(set(theirs)) == len(theirs) and all(theirs), f"lump {lump.title}: its bone map")


def check_level(lump, level):
    """Counts, boxes with an area, slopes that can be walked, times of moving platforms, and numbers of the kinds of foes."""
    touched = [*level["solids"], *level["platforms"], *level["ladders"], *level["spikes"]]
    touched += [one["rect"] for one in [*level["slopes"], *level["movers"]]]
    require(len(touched) <= 4096, f"lump {lump.title}: too many solids, slopes, platforms, ladders and spikes")
    for name, most in (("decor", 4096), ("kinds", 256), ("foes", 256), ("checkpoints", 1024), ("coins", 1024)):
        require(len(level[name]) <= most, f"lump {lump.title}: too many {name}")
    require(all(one["depth"] > 0 for one in level["decor"]), f"lump {lump.title}: decor without depth")
    for one in level["movers"]:
        is_timed = 0.1999 < one["secs"] <= 60 and 0 <= one["pause"] <= 60
        require(is_timed and math.hypot(*one["way"]) <= 10.01 * one["secs"], f"lump {lump.title}: wrong times of a platform")
    for left, bottom, right, top in (one["rect"] for one in level["slopes"]):
        require(top - bottom <= right - left + 1.01e-3, f"lump {lump.title}: a slope is too steep")
    boxes = [*touched, *(one["rect"] for one in level["decor"]), *([level["goal"]["rect"]] if level["goal"] else [])]
    for left, bottom, right, top in boxes:
        require(left < right and bottom < top, f"lump {lump.title}: a box has no area")
    names = [kind["name"] for kind in level["kinds"]]
    require(len(set(names)) == len(names), f"lump {lump.title}: two kinds of foes have the same name")
    ranges = {"size": (0.2, 5), "patrol": (0, 1000), "notice": (0, 1000), "reach": (0, 100), "speed": (0, 5), "chase": (0, 5)}
    for kind in level["kinds"]:
        require(kind["name"].strip(), f"lump {lump.title}: a kind of foe has no name")
        for name, (low, high) in ranges.items():
            low = struct.unpack("<f", struct.pack("<f", low))[0]
            require(low <= kind[name] <= high, f"lump {lump.title}: the {name} of a kind of foe is out of range")
        require(0 <= kind["nature"]["below"] <= 1, f"lump {lump.title}: a part of health is out of range")


def check_skin(title, skin, bones):
    joints, binds = skin["joints"], skin["inverse_binds"]
    valid = len(joints) == len(binds) and all(joint < len(bones) for joint in joints) and is_finite(binds)
    require(valid, f"lump {title}: joints without a bone, or invalid inverse bind matrices")


def check_mesh(title, mesh, data, bones, skins, materials):
    """Streams of one length, indices of vertices, joints of the skin, weights whose sum is 1."""
    vertices, indices = len(data["positions"]), data["indices"]
    streams = [name for name in ("normals", "uvs", "colors") if data[name]]
    sets = [name for name in ("joints", "weights", "more_joints", "more_weights") if name in data]
    require(all(len(data[name]) == vertices for name in streams + sets), f"lump {title}: streams of different lengths")
    require(len(indices) % 3 == 0 and all(index < vertices for index in indices), f"lump {title}: invalid indices")
    require(is_finite([data["positions"], data["normals"], data["uvs"]]), f"lump {title}: a number is not finite")
    require(mesh["material"] < len(materials), f"lump {title}: its material does not exist")
    (kind, bound), = mesh["binding"].items()
    require(bound < len(bones if kind == "bone" else skins), f"lump {title}: its skin or bone does not exist")
    require(bool(sets) == (kind == "skin"), f"lump {title}: {len(sets)} streams of influences")
    if not sets:
        return
    joints = [joint for name in sets if "joints" in name for slots in data[name] for joint in slots]
    require(all(joint < len(skins[bound]["joints"]) for joint in joints), f"lump {title}: a joint does not exist")
    weights = [sum(slots, []) for slots in zip(*(data[name] for name in sets if "weights" in name))]
    sums = all(min(slots) >= 0 and abs(sum(slots) - 1) <= 1e-3 for slots in weights)
    require(sums, f"lump {title}: weights whose sum is not 1")


def check_scalars(lump, scalars, bones):
    names = {(scalar["bone"], scalar["name"]) for scalar in scalars}
    valid = all(scalar["name"] and scalar["bone"] < len(bones) and is_finite(scalar["default"]) for scalar in scalars)
    require(valid and len(names) == len(scalars) <= 4096, f"lump {lump.title}: its scalars")


def check_morphs(title, targets, vertices, scalars):
    for target in targets:
        ascend = all(a < b for a, b in zip(target["vertices"], target["vertices"][1:]))
        valid = ascend and all(vertex < vertices for vertex in target["vertices"][-1:])
        finite = is_finite([target["positions"], target["normals"]])
        require(valid and finite and target["scalar"] < len(scalars), f"lump {title}: a morph target")


def check_skeleton(lump, skeleton):
    """Parents come first, level by level; names are unique; rest rotations have unit length."""
    bones = skeleton["bones"]
    require(len(bones) <= 4096 and len({bone["name"] for bone in bones}) == len(bones), f"lump {lump.title}: its bones")
    depths = []
    for number, bone in enumerate(bones):
        parent, rest = bone["parent"], bone["rest"]
        require(parent is None or parent < number, f"lump {lump.title}: bone {number}: its parent comes later")
        depths.append(0 if parent is None else depths[parent] + 1)
        valid = bone["name"] and is_finite(list(rest.values())) and abs(sum(x * x for x in rest["rotation"]) - 1) <= 1e-3
        require(valid, f"lump {lump.title}: bone {number}: no name, or an invalid rest transform")
    require(depths == sorted(depths), f"lump {lump.title}: its bones are not in level order")
    check_scalars(lump, skeleton["scalars"], bones)


def check_sound(lump, sound, sections):
    """Rate, channels and volume are in range; the samples are whole sample frames."""
    valid = 4000 <= sound["rate"] <= 192_000 and sound["channels"] in (1, 2) and 0 <= sound["volume"] <= 4
    count = len(sections["samples"])
    whole = 0 < count <= 1 << 25 and (sound["channels"] != 2 or count % 2 == 0)
    require(valid and whole, f"lump {lump.title}: a value of the sound is out of range")


class Names:
    """Display names that are used twice get a number, empty ones are called unnamed."""

    def __init__(self):
        self.used = set()

    def take(self, name):
        name = name if name.strip() else "unnamed"
        if name in self.used:
            stem, dot, digits = name.rpartition(".")
            stem = stem if dot and len(digits) == 3 and digits.isascii() and digits.isdigit() else name
            name = next(name for name in (f"{stem}.{number:03}" for number in range(1, 1 << 32)) if name not in self.used)
        self.used.add(name)
        return name


# Checks of the values of a record. Those that only the game plays, such as machines and lanes, are read and not checked.
CHECKS = {
    "SKEL": check_skeleton,
    "LEVL": check_level,
    "rIGN": check_rig,
}


def inspect(archive):
    """The names and sizes of what is in an archive's models."""
    lumps = {lump.title: lump for lump in archive.lumps}
    found = {lump.title: contents(lump) for lump in archive.lumps if lump.kind != "BAKE"}

    lengths = {name: check_clip(lumps[name], *found[name]) for name in found if name.startswith("ANIM/")}
    for name in (name for name in found if found[name] is not None and name[:4] in CHECKS):
        CHECKS[name[:4]](lumps[name], found[name][0])
    for name in (name for name in found if name.startswith("sOND/")):
        check_sound(lumps[name], *found[name])
    used = set()

    def part(kind, name, owner):
        title = f"{kind}/{name}"
        require(title in found, f"lump MODL/{owner}: its lump {title} is missing")
        require(title not in used, f"lump MODL/{owner}: its lump {title} is used twice")
        used.add(title)
        return found[title]

    names, models, bone_clips = Names(), [], 0
    lists = [(found[lump.title][0], lump.name) for lump in archive.lumps if lump.kind == "MODL"]
    for values, owner in sorted(lists, key=lambda one: (one[0]["order"], one[1].encode())):
        skeleton = part("SKEL", owner, owner)[0]
        bones = skeleton["bones"]
        bone_clips += len(bones) * len(values["clips"])
        require(bone_clips <= 1 << 22, f"lump MODL/{owner}: too many clips for the bones of the models up to this one")
        textures = [part("TEXR", name, owner) for name in values["textures"]]
        skins = [part("SKIN", name, owner)[1] for name in values["skins"]]
        for name, skin in zip(values["skins"], skins):
            check_skin(f"SKIN/{name}", skin, bones)
        clips, clip_names = [], Names()
        for name in values["clips"]:
            clip, sections = part("ANIM", name, owner)
            frames = sections["keyframes"]
            length = lengths[f"ANIM/{name}"]
            keys = sum(len(keyframe["keys"]) for keyframe in frames)
            rate = [clip["frames"], clip["per_secs"]]
            clips.append([clip_names.take(clip["name"]), rate, clip["loop_mode"], length, len(frames), keys, len(clip["events"])])
        materials = [part("MATL", name, owner)[0] for name in values["materials"]]
        for name, material in zip(values["materials"], materials):
            used_textures = [at for key, at in material.items() if key.endswith("texture") and at is not None]
            require(all(at < len(textures) for at in used_textures), f"lump MATL/{name}: a texture does not exist")
        meshes = [part("MESH", mesh["lump"], owner) for mesh in values["meshes"]]
        for listed, (mesh, data) in zip(values["meshes"], meshes):
            title = f"MESH/{listed['lump']}"
            check_mesh(title, mesh, data, bones, skins, materials)
            check_morphs(title, data["morphs"], len(data["positions"]), skeleton["scalars"])
        for socket in values["sockets"]:
            valid = socket["bone"] < len(bones) and is_unit(socket["transform"]["rotation"])
            require(valid, f"lump MODL/{owner}: a socket without a bone, or with an invalid rotation")
        models.append(
            {
                "name": names.take(values["name"]),
                "bones": [[bone["name"], bone["parent"]] for bone in bones],
                "clips": clips,
                "meshes": [[mesh["name"], len(data["positions"]), len(data["indices"]) // 3] for mesh, data in meshes],
                "materials": [material["name"] for material in materials],
            }
        )
    return {"models": models}


def inspected(file):
    try:
        return inspect(Archive(Path(file).read_bytes()))
    except Refused as reason:
        return {"error": str(reason)}


def png(width, height, pixels):
    """RGBA8 pixels as a PNG."""

    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    rows = b"".join(b"\0" + pixels[4 * width * row : 4 * width * (row + 1)] for row in range(height))
    head = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def extract(archive, folder, wanted):
    for lump in archive.lumps:
        if lump.deleted or (wanted and lump.title not in wanted):
            continue
        stem = Path(folder) / lump.kind / urllib.parse.quote(lump.name, safe="")
        stem.parent.mkdir(parents=True, exist_ok=True)
        files = {".lump": lump.content()}
        found = contents(lump)
        if found:
            values, sections = found
            decoded = {"record": values}
            if lump.kind not in ("TEXR", "rIMG"):
                decoded["sections"] = sections
            files[".json"] = json.dumps(decoded, indent=1, ensure_ascii=False).encode()
            if lump.kind in ("TEXR", "rIMG"):
                if "file" in sections:
                    ending = {0x89: ".png", 0xFF: ".jpeg"}.get(sections["file"][0], ".webp")
                    files[ending] = sections["file"]
                else:
                    files[".png"] = png(values["width"], values["height"], sections["pixels"])
        for ending, data in files.items():
            Path(f"{stem}{ending}").write_bytes(data)


def main(arguments):
    needed = {"list": 2, "verify": 2, "extract": 2, "poses": 4, "journal": 2, "inspect": 2}
    if not arguments or len(arguments) < needed.get(arguments[0], 99):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    command, file = arguments[:2]
    try:
        if command == "journal":
            print(json.dumps(journal(Path(file).read_bytes()), ensure_ascii=False))
            return 0
        if command == "inspect":
            for file in arguments[1:]:
                print(json.dumps(inspected(file)))
            return 0
        archive = Archive(Path(file).read_bytes())
        if command == "poses":
            print(json.dumps(poses(archive, arguments[2], int(arguments[3]))))
            return 0
        if command == "extract":
            extract(archive, arguments[2] if len(arguments) > 2 else ".", arguments[3:])
            return 0
        for lump in archive.lumps:
            if command == "verify":
                if lump.kind != "BAKE":
                    contents(lump)
            else:
                size = "deleted" if lump.deleted else lump.size
                print(f"{lump.kind}  {lump.version:>7}  {size:>10}  {lump.digest:016x}  {lump.name}")
        if command == "verify":
            for finding in bake_findings(archive):
                print(finding)
        print(f"{len(archive.lumps)} lumps, valid")
        return 0
    except (OSError, Refused) as reason:
        print(f"{file}: {reason}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
