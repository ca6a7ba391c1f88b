#!/usr/bin/env python3
"""Reads Keypose archives without Keypose: a second implementation of docs/wad-format.md, standard library only.

    wad_reader.py list FILE
    wad_reader.py verify FILE
    wad_reader.py extract FILE FOLDER [KIND/NAME ...]

extract writes every lump as FOLDER/KIND/NAME.lump, its record as .json, and a texture as .png too. Exit code 0: done;
1: the file is refused, with one sentence on stderr.
"""

import json
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
    """The file is not a whole archive; the text says where and why."""


def require(condition, reason):
    if not condition:
        raise Refused(reason)


# --- the container


def aligned(offset):
    return (offset + 63) // 64 * 64


class Lump:
    def __init__(self, entry, number, end, data, is_patch):
        kind, self.version, flags, offset, stored, self.size, digest, zero, name_length = struct.unpack_from(
            "<4sHHQQQQQB", entry
        )
        place = f"directory entry {number}"
        require(kind.isalnum() and kind.isascii() and kind[:1].isalpha(), f"{place}: the kind {kind} is not four letters")
        self.kind = kind.decode()
        self.codec, self.deleted = flags & 0xFF, bool(flags & 0x100)
        require(flags in (0, 1, 0x100) and zero == 0, f"{place}: flags that this version does not know")
        require(not self.deleted or (is_patch and self.size == 0), f"{place}: only a patch may delete a lump")
        require(name_length <= 79 and not any(entry[49 + name_length :]), f"{place}: the name is not zero-padded")
        try:
            self.name = entry[49 : 49 + name_length].decode()
        except UnicodeDecodeError:
            raise Refused(f"{place}: the name is not UTF-8") from None
        control = any(ord(letter) < 32 or 127 <= ord(letter) < 160 for letter in self.name)
        require(self.name and ".." not in self.name and not control, f"{place}: the name is not possible")
        self.title = f"{self.kind}/{self.name}"
        require(offset == aligned(end), f"lump {self.title}: it does not stand where the one before it ends")
        require(offset + stored <= len(data), f"lump {self.title}: it reaches past the end of the file")
        require(not any(data[end:offset]), f"lump {self.title}: padding before it that is not zero")
        self.offset, self.stored = offset, data[offset : offset + stored]
        require(xxh3(self.stored) == digest, f"lump {self.title}: its checksum does not fit; it is damaged")
        self.digest, self.end = digest, offset + stored
        if self.codec == 0:
            require(stored == self.size, f"lump {self.title}: its lengths do not fit")
        else:
            require(stored < self.size <= 255 * stored, f"lump {self.title}: its lengths do not fit")

    def content(self):
        return self.stored if self.codec == 0 else unpacked(self.stored, self.size, self.title)


def unpacked(data, size, title):
    """An LZ4 block, as lz4_Block_format.md of the LZ4 project describes it."""
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
            require(0 < back <= len(out) and len(out) + count <= size, f"lump {title}: it can't be decompressed")
            for _ in range(count):
                out.append(out[-back])
    except IndexError:
        raise Refused(f"lump {title}: it can't be decompressed") from None
    require(len(out) == size and at == len(data), f"lump {title}: it can't be decompressed")
    return bytes(out)


class Archive:
    def __init__(self, data):
        require(data[:8] == MAGIC, "this is not a Keypose archive")
        require(len(data) >= HEADER, "the file ends within its header")
        self.major, self.minor, flags, count, size, directory, base, zero, self.digest = struct.unpack_from(
            "<HHIQQQQQQ", data, 8
        )
        require(self.major == MAJOR, f"format version {self.major}.{self.minor} is not known")
        require(xxh3(data[:56]) == self.digest, "header: its checksum does not fit; the file is damaged")
        require(flags in (0, 1) and zero == 0 and (flags or not base), "header: flags that this version does not know")
        require(size == len(data), f"header: the file should be {size} bytes long and is {len(data)}")
        self.base = base if flags else None
        end = HEADER + count * ENTRY
        require(end + TRAILER <= size, f"directory: {count} lumps do not fit into {size} bytes")
        require(xxh3(data[HEADER:end]) == directory, "directory: its checksum does not fit; the file is damaged")
        self.lumps = []
        for number in range(count):
            at = HEADER + number * ENTRY
            lump = Lump(data[at : at + ENTRY], number, end, data, self.base is not None)
            before = self.lumps[-1] if self.lumps else None
            key = lambda lump: (lump.kind.encode(), lump.name.encode())
            require(before is None or key(before) < key(lump), f"lump {lump.title}: it stands twice or out of order")
            self.lumps.append(lump)
            end = lump.end
        trailer = data[aligned(end) :]
        fits = trailer[:24] == END_MARK + struct.pack("<QQ", size, self.digest) and len(trailer) == TRAILER
        require(fits and not any(data[end : aligned(end)]), "trailer: the end does not fit the beginning")
        require(struct.unpack_from("<Q", trailer, 24)[0] == xxh3(trailer[:24]), "trailer: its checksum does not fit")


# --- what stands in a lump: a record, then sections of plain numbers


def split(data, title):
    """The record's bytes and the sections of a lump."""
    require(len(data) >= 8, f"lump {title}: too short")
    record, count = struct.unpack_from("<II", data)
    require(count <= 64 and len(data) >= 8 + 8 * count, f"lump {title}: {count} sections do not fit")
    lengths = struct.unpack_from(f"<{count}Q", data, 8)
    start = 8 + 8 * count
    end = start + record
    sections = []
    for length in lengths:
        require(not any(data[end : aligned(end)]), f"lump {title}: padding that is not zero")
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
            require(at < len(shape.cases), f"lump {self.title}: the choice {at} is not known")
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
                require(tag <= 1, f"lump {self.title}: {tag} is neither yes nor no")
                return self.read(part) if tag else None
            return [self.read(part) for _ in range(word)]
        if shape == "text":
            return self.text()
        if shape == "bool":
            value = self.number("B")
            require(value <= 1, f"lump {self.title}: {value} is neither yes nor no")
            return bool(value)
        return self.number(shape)


class Choice:
    def __init__(self, *cases):
        self.cases = [case if isinstance(case, tuple) else (case, None) for case in cases]


TRANSFORM = {"translation": (3, "f"), "rotation": (4, "f"), "scale": (3, "f")}
RECT = (4, "f")
COLOR = (3, "B")
KEY = {"bone": "H", "modes": (4, "B"), "numbers": (3, (4, "f"))}
BAKED = {
    "clip": "Q",
    "skeleton": "Q",
    "source_bytes": "Q",
    "max_error": "f",
    "bones": "H",
    "form": Choice("columns", "compact", ("tracks", ("maybe", "q")), "short"),
}
TABLE = ("list", {"state": "text", "clip": "text"})
COMPARE = {"parameter": "text", "value": "f"}
NAMED = {"parameter": "text"}
CONDITIONS = [("above", COMPARE), ("below", COMPARE), ("on", NAMED), ("off", NAMED), ("fired", NAMED)]


def POINT(place):
    return {"at": place, "clip": "text"}


SHAPES = {
    ("MODL", 1): {
        "name": "text",
        "order": "I",
        "skins": ("list", "text"),
        "meshes": ("list", {"lump": "text", "hidden": "bool"}),
        "materials": ("list", "text"),
        "textures": ("list", "text"),
        "clips": ("list", "text"),
        "sockets": ("list", {"name": "text", "bone": "H", "transform": TRANSFORM, "attached": "text"}),
    },
    ("SKEL", 1): {"bones": ("list", {"name": "text", "parent": ("maybe", "H"), "rest": TRANSFORM})},
    ("SKIN", 1): {"name": "text"},
    ("MESH", 1): {"name": "text", "material": "I", "binding": Choice(("skin", "I"), ("bone", "H"))},
    ("MATL", 1): {
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
        "unlit": "bool",
    },
    ("TEXR", 1): {"name": "text", "width": "I", "height": "I", "source_format": "text"},
    ("ANIM", 1): {
        "name": "text",
        "frames": "I",
        "per_secs": "I",
        "loop_mode": Choice("once", "loop", "ping-pong"),
        "events": ("list", {"flicks": "q", "name": "text"}),
    },
    ("BAKE", 1): BAKED,
    # Only the sections of the compact form differ.
    ("BAKE", 2): BAKED,
    # The first with the short form.
    ("BAKE", 3): BAKED,
    ("MACH", 1): {"states": TABLE},
    ("MACH", 2): {
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
            },
        ),
    },
    ("POSL", 1): {
        "poses": (
            "list",
            {
                "name": "text",
                "bones": (
                    "list",
                    {
                        "bone": "text",
                        "translation": ("maybe", (3, "f")),
                        "rotation": ("maybe", (4, "f")),
                        "scale": ("maybe", (3, "f")),
                    },
                ),
            },
        )
    },
    ("LEVL", 1): {
        "name": "text",
        "order": "I",
        "solids": ("list", RECT),
        "platforms": ("list", RECT),
        "ladders": ("list", RECT),
        "spawn": (2, "f"),
        "player": "text",
        "decor": (
            "list",
            {"shape": Choice("box", "pyramid", "round"), "rect": RECT, "z": "f", "depth": "f", "color": COLOR},
        ),
        "look": {"sky_top": COLOR, "sky_bottom": COLOR, "solid": COLOR, "ground": COLOR, "wood": COLOR},
    },
    ("dRFT", 1): {"drafts": ("list", {"clip": ("maybe", "text"), "flicks": "q", "keys": ("list", KEY)})},
    ("cLPN", 1): {
        "notes": (
            "list",
            {
                "clip": "text",
                "folder": "text",
                "tags": ("list", "text"),
                "derived": (
                    "maybe",
                    {
                        "source": "text",
                        "how": Choice(
                            "mirrored",
                            "reversed",
                            ("retimed", {"percent": "I"}),
                            ("trimmed", {"from_flicks": "q", "to_flicks": "q"}),
                        ),
                    },
                ),
            },
        )
    },
    ("rIGN", 1): {
        "groups": ("list", {"name": "text", "color": COLOR, "bones": ("list", "text")}),
        "mirror": ("list", (2, "text")),
    },
    ("rEFI", 1): {
        "references": (
            "list",
            {
                "lump": "text",
                "facing": Choice("front", "side"),
                "depth": Choice("behind", "before"),
                "offset": (2, "f"),
                "height": "f",
                "opacity": "f",
                "hidden": "bool",
                "locked": "bool",
            },
        )
    },
    ("rIMG", 1): {"name": "text", "width": "I", "height": "I", "source_format": "text"},
    ("sRCE", 1): {
        "file": "text",
        "bone_nodes": ("list", ("maybe", "I")),
        "meshes": ("list", ("maybe", (3, "I"))),
    },
}
# How many sections a lump has, and the bytes of one value in each.
SECTIONS = {"SKIN": [2, 64], "MESH": [12, 12, 8, 4, 4, 8, 16, 8, 16], "TEXR": [4], "rIMG": [4], "ANIM": [8, 4, 2, 4, 16, 16, 16]}


def contents(lump):
    """The record of a lump as plain values, and its sections; `None` for a kind that is not known here."""
    shape = SHAPES.get((lump.kind, lump.version))
    if shape is None or lump.deleted:
        require(lump.kind[0].islower() or lump.deleted, f"lump {lump.title}: the kind is not known and can't be left out")
        return None
    if lump.kind == "BAKE":
        return baked(lump)
    data, sections = split(lump.content(), lump.title)
    record = Record(data, lump.title)
    values = record.read(shape)
    require(record.at == len(data), f"lump {lump.title}: the record ends after {record.at} of {len(data)} bytes")
    sizes = SECTIONS.get(lump.kind, [])
    possible = len(sections) == len(sizes) or (lump.kind == "MESH" and len(sections) in (5, 7))
    require(possible, f"lump {lump.title}: {len(sections)} sections")
    for size, section in zip(sizes, sections):
        require(len(section) % size == 0, f"lump {lump.title}: a section is not whole values of {size} bytes")
    if lump.kind in ("TEXR", "rIMG"):
        fits = 4 * values["width"] * values["height"] == len(sections[0])
        require(fits, f"lump {lump.title}: its size does not fit its pixels")
    return values, sections


# The sections of each form of a baked clip, likewise.
BAKED = {
    "columns": [320, 8, 1, 32],
    "compact": [320, 8, 1, 1, 64, 1],
    "tracks": [320, 8, 8, 16, 1, 32],
    "short": [320, 8, 1, 4, 32, 32],
}
PAIRS = [320, 8, 1, 32, 64]  # of the compact form of version 1


def baked(lump):
    """The record and sections of a baked clip."""
    shape = SHAPES.get(("BAKE", lump.version))
    require(shape is not None, f"lump {lump.title}: version {lump.version} is not known")
    data, sections = split(lump.content(), lump.title)
    record = Record(data, lump.title)
    values = record.read(shape)
    require(record.at == len(data), f"lump {lump.title}: the record ends after {record.at} of {len(data)} bytes")
    form = values["form"]
    sizes = PAIRS if (form, lump.version) == ("compact", 1) else BAKED[form if isinstance(form, str) else "tracks"]
    require(len(sections) == len(sizes), f"lump {lump.title}: {len(sections)} sections")
    for size, section in zip(sizes, sections):
        require(len(section) % size == 0, f"lump {lump.title}: a section is not whole values of {size} bytes")
    groups = (values["bones"] + 7) // 8
    require(len(sections[0]) == 320 * groups, f"lump {lump.title}: its still pose does not fit its bones")
    require(form != "short" or lump.version >= 3, f"lump {lump.title}: version 3 is the first with the short form")
    if form == "compact" and lump.version >= 2:
        packed_fits(lump, sections)
    if form == "short":
        short_fits(lump, sections, values["bones"])
    return values, sections


def packed_fits(lump, sections):
    """Refuses a compact form whose widths, ranges and columns do not fit its channels and times."""
    _, times, moving, widths, ranges, columns = sections
    parts = [size for bits in moving for bit, size in ((1, 3), (2, 3), (2, 1), (4, 3)) if bits & bit]
    fits = len(parts) == len(widths) and sum(parts) == len(ranges) // 64 and all(bits <= 16 for bits in widths)
    require(fits, f"lump {lump.title}: its widths and ranges do not fit its channels")
    column, at = 0, 0
    for size, bits in zip(parts, widths):
        steps = [struct.unpack_from("<8f", ranges, 64 * (at + component) + 32) for component in range(size)]
        bones = sum(any(step != 0 for step in lane) for lane in zip(*steps))
        column, at = column + size * ((bones * bits + 7) // 8), at + size
    require(len(columns) == column * (len(times) // 8), f"lump {lump.title}: its columns do not fit its widths")


def short_fits(lump, sections, bones):
    """Refuses a short form whose loose bones, scales and blocks do not fit its channels and times."""
    _, times, moving, loose, scales, blocks = sections
    loose = list(struct.iter_unpack("<2H", loose))
    known = all(bone < bones and channel in (0, 2) for bone, channel in loose)
    require(known, f"lump {lump.title}: a channel by itself is not the translation or scale of a bone")
    turns = sum(2 for bits in moving if bits & 2)
    others = sum((0, 2, 3)[(bits & 1) + (bits >> 2 & 1)] for bits in moving) + (len(loose) + 3) // 4
    fits = len(scales) // 32 == 2 * others and len(blocks) // 32 == (turns + others) * (len(times) // 8)
    require(fits, f"lump {lump.title}: its scales and columns do not fit its channels")


def bake_findings(archive):
    """A sentence for every baked clip that a reader makes again. None of them makes an archive bad."""
    lumps = {lump.title: lump for lump in archive.lumps}
    skeletons = {}
    for model in (lump for lump in archive.lumps if lump.kind == "MODL" and not lump.deleted):
        for clip in contents(model)[0]["clips"]:
            skeletons[clip] = f"SKEL/{model.name}"
    for lump in (lump for lump in archive.lumps if lump.kind == "BAKE" and not lump.deleted):
        sources = [lumps.get(f"ANIM/{lump.name}"), lumps.get(skeletons.get(lump.name))]
        if None in sources:
            if archive.base is None:
                yield f"lump {lump.title}: its clip or skeleton is not there"
            continue
        try:
            values = baked(lump)[0]
        except Refused as reason:
            yield f"{reason}; a reader bakes again"
            continue
        if [values["clip"], values["skeleton"]] != [xxh3(source.content()) for source in sources]:
            yield f"lump {lump.title}: it is of another state of the clip or skeleton; a reader bakes again"


# --- commands


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
            files[".json"] = json.dumps(values, indent=1, ensure_ascii=False).encode()
            if lump.kind in ("TEXR", "rIMG"):
                files[".png"] = png(values["width"], values["height"], sections[0])
        for ending, data in files.items():
            Path(f"{stem}{ending}").write_bytes(data)


def main(arguments):
    if len(arguments) < 2 or arguments[0] not in ("list", "verify", "extract"):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    command, file = arguments[:2]
    try:
        archive = Archive(Path(file).read_bytes())
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
        print(f"{len(archive.lumps)} lumps, whole")
        return 0
    except (OSError, Refused) as reason:
        print(f"{file}: {reason}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
