#version 120
// Linear skinning for OpenGL 2.1 and ES 2.0: no integer attributes, blocks or textures in a vertex shader. Bones and their weights
// are pairs of floats, and the palette is a uniform array: three rows of model_from_bind for each entry.

uniform vec4 u_palette[PALETTE_ROWS];
uniform mat4 u_world_from_model;
uniform mat4 u_clip_from_world;
uniform vec3 u_uv_across;
uniform vec3 u_uv_down;

attribute vec3 a_position;
attribute vec3 a_normal;
attribute vec2 a_uv;
attribute vec4 a_color;
attribute vec2 a_bone_0;
attribute vec2 a_bone_1;
attribute vec2 a_bone_2;
attribute vec2 a_bone_3;

varying vec3 v_world;
varying vec3 v_normal;
varying vec2 v_uv;
varying vec4 v_color;

vec4 row_x = vec4(0.0);
vec4 row_y = vec4(0.0);
vec4 row_z = vec4(0.0);

void add(vec2 bone) {
    int at = int(bone.x + 0.5) * 3;
    row_x += bone.y * u_palette[at];
    row_y += bone.y * u_palette[at + 1];
    row_z += bone.y * u_palette[at + 2];
}

void main() {
    row_x = row_y = row_z = vec4(0.0);
    add(a_bone_0);
    add(a_bone_1);
    add(a_bone_2);
    add(a_bone_3);
    vec4 at = vec4(a_position, 1.0);
    vec4 world = u_world_from_model * vec4(dot(row_x, at), dot(row_y, at), dot(row_z, at), 1.0);
    // As in mesh.vert: cofactors transform normals correctly for any scale.
    vec3 x = cross(row_y.xyz, row_z.xyz), y = cross(row_z.xyz, row_x.xyz), z = cross(row_x.xyz, row_y.xyz);
    vec3 normal = vec3(dot(x, a_normal), dot(y, a_normal), dot(z, a_normal)) * sign(dot(row_x.xyz, x));
    vec3 across = u_world_from_model[0].xyz, up = u_world_from_model[1].xyz, back = u_world_from_model[2].xyz;
    vec3 turned = cross(up, back) * normal.x + cross(back, across) * normal.y + cross(across, up) * normal.z;
    v_normal = turned * sign(dot(across, cross(up, back)));
    v_world = world.xyz;
    v_uv = vec2(dot(u_uv_across, vec3(a_uv, 1.0)), dot(u_uv_down, vec3(a_uv, 1.0)));
    v_color = a_color;
    gl_Position = u_clip_from_world * world;
}
