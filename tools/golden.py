#!/usr/bin/env python3
"""Computes golden poses of glTF models: an independent implementation in double precision, to compare Keypose with.

    tools/golden.py FILE...            writes golden/FILE.golden.json beside each file
    tools/golden.py --check FILE...    fails if one of them would change

Written from the glTF 2.0 specification with the standard library alone; shares no code with Keypose. Sampling: STEP, LINEAR
(rotations: slerp along the shorter way) and CUBICSPLINE (rotations normalized), clamped outside the keys. Skinning: weights
are scaled to a sum of 1, the transform of the skinned mesh's own node is ignored. Morph targets move vertices before skinning.
Format: "pose-golden/1".
"""
import base64
import hashlib
import json
import math
import struct
import sys
from pathlib import Path

TOLERANCE = 1e-5
VERTICES = 20
FORMATS = {5120: "b", 5121: "B", 5122: "h", 5123: "H", 5125: "I", 5126: "f"}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
IDENTITY = [1.0, 0, 0, 0, 0, 1.0, 0, 0, 0, 0, 1.0, 0, 0, 0, 0, 1.0]


class Gltf:
    def __init__(self, path):
        data = path.read_bytes()
        self.sha256 = hashlib.sha256(data).hexdigest()
        if data[:4] == b"glTF":
            length = struct.unpack_from("<I", data, 12)[0]
            self.json = json.loads(data[20:20 + length])
            self.buffer = data[28 + length:]
        else:
            self.json = json.loads(data)
            self.buffer = base64.b64decode(self.json["buffers"][0]["uri"].split(",", 1)[1])
        self.nodes = self.json["nodes"]
        self.parents = {child: at for at, node in enumerate(self.nodes) for child in node.get("children", [])}

    def elements(self, view, offset, count, component, width, tight=False):
        view = self.json["bufferViews"][view]
        letter = FORMATS[component]
        size = struct.calcsize("<" + letter) * width
        stride = size if tight else view.get("byteStride", size)
        start = view.get("byteOffset", 0) + offset
        return [list(struct.unpack_from(f"<{width}{letter}", self.buffer, start + at * stride)) for at in range(count)]

    def accessor(self, index):
        """The elements of an accessor, each a list of numbers."""
        accessor = self.json["accessors"][index]
        count, component, width = accessor["count"], accessor["componentType"], WIDTHS[accessor["type"]]
        if "bufferView" in accessor:
            found = self.elements(accessor["bufferView"], accessor.get("byteOffset", 0), count, component, width)
        else:
            found = [[0] * width for _ in range(count)]
        if "sparse" in accessor:
            sparse = accessor["sparse"]
            at, new = sparse["indices"], sparse["values"]
            places = self.elements(at["bufferView"], at.get("byteOffset", 0), sparse["count"], at["componentType"], 1, True)
            values = self.elements(new["bufferView"], new.get("byteOffset", 0), sparse["count"], component, width, True)
            for (place,), value in zip(places, values):
                found[place] = value
        if accessor.get("normalized"):
            largest = {5120: 127, 5121: 255, 5122: 32767, 5123: 65535}[component]
            found = [[max(number / largest, -1) for number in element] for element in found]
        return found


def product(a, b):
    return [sum(a[4 * k + row] * b[4 * column + k] for k in range(4)) for column in range(4) for row in range(4)]


def transformed(matrix, point):
    return [sum(matrix[4 * k + row] * point[k] for k in range(3)) + matrix[12 + row] for row in range(3)]


def matrix_of(translation, rotation, scale):
    x, y, z, w = rotation
    columns = [
        [1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)],
        [2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)],
        [2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)],
    ]
    scaled = [[number * scale[at] for number in column] + [0.0] for at, column in enumerate(columns)]
    return scaled[0] + scaled[1] + scaled[2] + list(translation) + [1.0]


def normalized(values):
    length = math.sqrt(sum(value * value for value in values))
    return [value / length for value in values]


def slerp(a, b, part):
    a, b = normalized(a), normalized(b)
    cosine = sum(x * y for x, y in zip(a, b))
    if cosine < 0:
        b, cosine = [-x for x in b], -cosine
    angle = math.acos(min(cosine, 1.0))
    if angle < 1e-9:
        return b
    return normalized([(math.sin((1 - part) * angle) * x + math.sin(part * angle) * y) / math.sin(angle) for x, y in zip(a, b)])


def sample(times, values, interpolation, is_rotation, time):
    cubic = interpolation == "CUBICSPLINE"
    value = (lambda at: values[3 * at + 1]) if cubic else (lambda at: values[at])
    fixed = (lambda found: normalized(found)) if is_rotation else (lambda found: found)
    if time <= times[0]:
        return fixed(value(0))
    if time >= times[-1]:
        return fixed(value(len(times) - 1))
    at = max(index for index, start in enumerate(times) if start <= time)
    length = times[at + 1] - times[at]
    t = (time - times[at]) / length
    if interpolation == "STEP":
        return fixed(value(at))
    if not cubic:
        if is_rotation:
            return slerp(value(at), value(at + 1), t)
        return [a + (b - a) * t for a, b in zip(value(at), value(at + 1))]
    leave, arrive = values[3 * at + 2], values[3 * (at + 1)]
    return fixed([
        (2 * t**3 - 3 * t**2 + 1) * p + (t**3 - 2 * t**2 + t) * length * m + (3 * t**2 - 2 * t**3) * q + (t**3 - t**2) * length * n
        for p, m, q, n in zip(value(at), leave, value(at + 1), arrive)
    ])


def world_matrices(gltf, clip, time):
    """The world matrix of each node, at a time of an animation or at rest, and what the animation says."""
    posed = {}
    if clip is not None:
        animation = gltf.json["animations"][clip]
        for channel in animation["channels"]:
            sampler, target = animation["samplers"][channel["sampler"]], channel["target"]
            times = [time for (time,) in gltf.accessor(sampler["input"])]
            values = gltf.accessor(sampler["output"])
            if target["path"] == "weights":
                numbers = [number for (number,) in values]
                cubic = sampler.get("interpolation") == "CUBICSPLINE"
                count = len(numbers) // len(times) // (3 if cubic else 1)
                values = [numbers[at:at + count] for at in range(0, len(numbers), count)]
            way, path = sampler.get("interpolation", "LINEAR"), target["path"]
            posed[target["node"], path] = sample(times, values, way, path == "rotation", time)
    done = {}

    def world(at):
        if at not in done:
            node = gltf.nodes[at]
            part = lambda path, default: posed.get((at, path), node.get(path, default))
            local = node["matrix"] if "matrix" in node else matrix_of(
                part("translation", [0, 0, 0]), part("rotation", [0, 0, 0, 1]), part("scale", [1, 1, 1]))
            done[at] = product(world(gltf.parents[at]), local) if at in gltf.parents else local
        return done[at]

    return [world(at) for at in range(len(gltf.nodes))], posed


def morphed_positions(gltf, posed, node, primitive):
    points = gltf.accessor(primitive["attributes"]["POSITION"])
    mesh = gltf.json["meshes"][gltf.nodes[node]["mesh"]]
    targets = primitive.get("targets", [])
    rest = gltf.nodes[node].get("weights", mesh.get("weights", [0] * len(targets)))
    for target, weight in zip(targets, posed.get((node, "weights"), rest)):
        if "POSITION" in target:
            moved = gltf.accessor(target["POSITION"])
            points = [[a + weight * b for a, b in zip(point, by)] for point, by in zip(points, moved)]
    return points


def skinned_positions(gltf, world, posed, node, primitive):
    points = morphed_positions(gltf, posed, node, primitive)
    if "skin" not in gltf.nodes[node]:
        return [transformed(world[node], point) for point in points]
    skin = gltf.json["skins"][gltf.nodes[node]["skin"]]
    joints = skin["joints"]
    binds = gltf.accessor(skin["inverseBindMatrices"]) if "inverseBindMatrices" in skin else [IDENTITY] * len(joints)
    palette = [product(world[joint], bind) for joint, bind in zip(joints, binds)]
    influences = [[] for _ in points]
    for number in range(2):
        attributes = primitive["attributes"]
        if f"JOINTS_{number}" in attributes:
            sets = zip(gltf.accessor(attributes[f"JOINTS_{number}"]), gltf.accessor(attributes[f"WEIGHTS_{number}"]))
            for vertex, (four, weights) in enumerate(sets):
                influences[vertex] += zip(four, weights)
    found = []
    for point, pairs in zip(points, influences):
        total = sum(weight for _, weight in pairs)
        moved = [(transformed(palette[joint], point), weight / total) for joint, weight in pairs]
        found.append([sum(place[axis] * weight for place, weight in moved) for axis in range(3)])
    return found


def moments(gltf):
    """Every clip before, at, between and after its keys; the rest pose first."""
    found = [(None, 0.0)]
    for clip, animation in enumerate(gltf.json.get("animations", [])):
        keys = sorted({time for sampler in animation["samplers"] for (time,) in gltf.accessor(sampler["input"])})
        between = [a + (b - a) * part for a, b in zip(keys, keys[1:]) for part in (0.3, 0.5)]
        exact = lambda time: struct.unpack("<f", struct.pack("<f", time))[0]
        found += [(clip, exact(time)) for time in sorted({0.0, keys[-1] + 0.5, *keys, *between})]
    return found


def chosen(count):
    """Up to VERTICES vertices, evenly spaced."""
    return sorted({at * (count - 1) // (VERTICES - 1) for at in range(VERTICES)}) if count > VERTICES else list(range(count))


def golden(path):
    gltf = Gltf(path)
    joints = {joint for skin in gltf.json.get("skins", []) for joint in skin["joints"]}
    prims = [
        (node, gltf.nodes[node]["mesh"], number, primitive)
        for node in range(len(gltf.nodes)) if "mesh" in gltf.nodes[node]
        for number, primitive in enumerate(gltf.json["meshes"][gltf.nodes[node]["mesh"]]["primitives"])
    ]
    animations = gltf.json.get("animations", [])
    animated = {channel["target"]["node"] for animation in animations for channel in animation["channels"]}
    nodes = sorted(joints | animated | {prim[0] for prim in prims})
    rounded = lambda values: [0 if abs(value) < 1e-7 else float(f"{value:.7g}") for value in values]
    poses = []
    for clip, time in moments(gltf):
        world, posed = world_matrices(gltf, clip, time)
        positions = [skinned_positions(gltf, world, posed, node, primitive) for node, _, _, primitive in prims]
        if clip is None:
            rest = [point for places in positions for point in places]
            model_size = math.dist([min(p[k] for p in rest) for k in range(3)], [max(p[k] for p in rest) for k in range(3)])
        poses.append({
            "clip": None if clip is None else animations[clip].get("name"),
            "clip_index": -1 if clip is None else clip,
            "time": time,
            "node_world": [rounded(world[node]) for node in nodes],
            "prims": [
                {"xyz": rounded([number for at in chosen(len(places)) for number in places[at]])} for places in positions],
        })
    sizes = [len(places) for places in positions]
    return {
        "format": "pose-golden/1",
        "model": path.name,
        "sha256": gltf.sha256,
        "made_with": "tools/golden.py",
        "tolerance": TOLERANCE,
        "model_size": float(f"{model_size:.7g}"),
        "nodes": [{"node": node, "name": gltf.nodes[node].get("name"), "joint": node in joints} for node in nodes],
        "prims": [
            {"node": node, "mesh": mesh, "prim": number, "skin": gltf.nodes[node].get("skin"),
             "vertex_count": size, "vertices": chosen(size)}
            for (node, mesh, number, _), size in zip(prims, sizes)
        ],
        "poses": poses,
    }


def main(arguments):
    is_check = arguments[:1] == ["--check"]
    stale = 0
    for name in arguments[is_check:]:
        path = Path(name)
        out = path.parent / "golden" / f"{path.stem}.golden.json"
        text = json.dumps(golden(path), separators=(",", ":")).replace('{"clip"', '\n{"clip"') + "\n"
        if not is_check:
            out.parent.mkdir(exist_ok=True)
            out.write_text(text)
        elif not out.exists() or out.read_text() != text:
            print(f"{out} is out of date: run tools/golden.py {name}", file=sys.stderr)
            stale += 1
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
