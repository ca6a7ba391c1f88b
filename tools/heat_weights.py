#!/usr/bin/env python3
"""Blender's automatic weights ("heat") for the meshes of a GLB whose skin is stripped: an independent judge of ours.

tools/heat_weights.py MODEL.glb prints, for each skinned mesh, "mesh NAME VERTICES", then a line for each vertex with pairs of bone and
weight, separated by tabs, or "failed NAME" if Blender finds no solution. It needs Python with Blender as a module (`pip install bpy`);
without it, it says so and exits with 3. Bones without any weight of the artist's don't take part, as in ours.
"""
import contextlib
import os
import sys

try:
    import bpy
    import bmesh
    from mathutils.kdtree import KDTree
except ImportError:
    print("heat_weights: Python has no module bpy; install it with `pip install bpy`", file=sys.stderr)
    sys.exit(3)


@contextlib.contextmanager
def quiet():
    """Sends what Blender prints to standard output away."""
    sys.stdout.flush()
    kept, null = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(null)


def deforming(meshes):
    """The names of the bones that have weights of the artist."""
    used = set()
    for thing in meshes:
        names = [group.name for group in thing.vertex_groups]
        for vertex in thing.data.vertices:
            used.update(names[slot.group] for slot in vertex.groups if slot.weight > 0)
    return used


def welded(thing):
    """A copy of a mesh object with one vertex at each place and without weights: heat doesn't pass seams."""
    copy = thing.copy()
    copy.data = thing.data.copy()
    bpy.context.collection.objects.link(copy)
    copy.modifiers.clear()
    copy.vertex_groups.clear()
    shape = bmesh.new()
    shape.from_mesh(copy.data)
    size = max(copy.dimensions) or 1.0
    bmesh.ops.remove_doubles(shape, verts=shape.verts, dist=1e-6 * size)
    shape.to_mesh(copy.data)
    shape.free()
    return copy


def heated(copy, armature):
    """Binds a mesh object by heat. Returns whether there is a solution."""
    bpy.ops.object.select_all(action='DESELECT')
    copy.select_set(True)
    armature.select_set(True)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.parent_set(type='ARMATURE_AUTO')
    return any(vertex.groups for vertex in copy.data.vertices)


def lines(thing, copy):
    """The weights of each vertex, by the place of its welded one."""
    tree = KDTree(len(copy.data.vertices))
    for vertex in copy.data.vertices:
        tree.insert(vertex.co, vertex.index)
    tree.balance()
    names = [group.name for group in copy.vertex_groups]
    for vertex in thing.data.vertices:
        _, found, _ = tree.find(vertex.co)
        slots = [slot for slot in copy.data.vertices[found].groups if slot.weight > 0]
        yield '\t'.join(f'{names[slot.group]}\t{slot.weight:.6g}' for slot in slots)


def main(path):
    with quiet():
        bpy.ops.wm.read_factory_settings(use_empty=True)
        bpy.ops.import_scene.gltf(filepath=path, merge_vertices=False)
    meshes = [thing for thing in bpy.data.objects if thing.type == 'MESH' and thing.find_armature()]
    used = deforming(meshes)
    for thing in meshes:
        with quiet():
            armature, copy = thing.find_armature(), welded(thing)
            armature.data.pose_position = 'REST'
            for bone in armature.data.bones:
                bone.use_deform = bone.name in used
            has_solution = heated(copy, armature)
        print(f'mesh\t{thing.name}\t{len(thing.data.vertices)}' if has_solution else f'failed\t{thing.name}')
        if has_solution:
            print('\n'.join(lines(thing, copy)))


if len(sys.argv) != 2:
    sys.exit(__doc__)
main(sys.argv[1])
