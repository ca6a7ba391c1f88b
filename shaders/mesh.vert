#version 330 core
// The skinning shader of the editor, the game, thumbnails, shadows and the tests against the CPU.
// A palette entry is four texels: three rows of world_from_bind, then the bone's linear colour and a mark. Weights of morph
// targets are four to a texel.

uniform sampler2D u_palette;
uniform int u_palette_base;
uniform int u_influence_sets;
// For each vertex the first of its differences and their number; then the differences: position and target, normal.
uniform sampler2D u_morph;
// The palette entry with the weights of the mesh; 0 if it has no morph targets.
uniform int u_morph_weights;
uniform mat4 u_clip_from_world;
uniform vec3 u_uv_across;
uniform vec3 u_uv_down;

in vec3 a_position;
in vec3 a_normal;
in vec2 a_uv;
in vec4 a_color;
in uvec4 a_joints_0;
in vec4 a_weights_0;
in uvec4 a_joints_1;
in vec4 a_weights_1;

out vec3 v_world;
out vec3 v_normal;
out vec2 v_uv;
out vec4 v_color;
out vec4 v_bone;
// The place in the space in which the mesh was bound.
out vec3 v_skin;

const int ENTRIES_IN_ROW = 256;
const int TEXELS_IN_ROW = 1024;

vec4 row_x = vec4(0.0);
vec4 row_y = vec4(0.0);
vec4 row_z = vec4(0.0);
vec4 bone = vec4(0.0);

void add(uint joint, float weight) {
    if (weight == 0.0) {
        return;
    }
    int entry = u_palette_base + int(joint);
    ivec2 at = ivec2((entry % ENTRIES_IN_ROW) * 4, entry / ENTRIES_IN_ROW);
    row_x += weight * texelFetch(u_palette, at, 0);
    row_y += weight * texelFetch(u_palette, at + ivec2(1, 0), 0);
    row_z += weight * texelFetch(u_palette, at + ivec2(2, 0), 0);
    bone += weight * texelFetch(u_palette, at + ivec2(3, 0), 0);
}

ivec2 place_of(int texel) {
    return ivec2(texel % TEXELS_IN_ROW, texel / TEXELS_IN_ROW);
}

void morph(inout vec3 position, inout vec3 normal) {
    vec4 differences = texelFetch(u_morph, place_of(gl_VertexID), 0);
    int next = int(differences.x);
    for (int left = int(differences.y); left > 0; --left) {
        vec4 moved = texelFetch(u_morph, place_of(next), 0);
        int target = int(moved.w);
        float weight = texelFetch(u_palette, place_of(u_morph_weights * 4 + target / 4), 0)[target % 4];
        position += weight * moved.xyz;
        normal += weight * texelFetch(u_morph, place_of(next + 1), 0).xyz;
        next += 2;
    }
}

vec3 linear_from_srgb(vec3 color) {
    return mix(color / 12.92, pow((color + 0.055) / 1.055, vec3(2.4)), step(0.04045, color));
}

void main() {
    if (u_influence_sets == 0) {
        add(0u, 1.0);
    } else {
        for (int slot = 0; slot < 4; ++slot) {
            add(a_joints_0[slot], a_weights_0[slot]);
        }
        if (u_influence_sets == 2) {
            for (int slot = 0; slot < 4; ++slot) {
                add(a_joints_1[slot], a_weights_1[slot]);
            }
        }
    }
    vec3 at = a_position;
    vec3 normal = a_normal;
    if (u_morph_weights != 0) {
        morph(at, normal);
    }
    vec4 position = vec4(at, 1.0);
    v_world = vec3(dot(row_x, position), dot(row_y, position), dot(row_z, position));
    // Cofactors transform normals correctly for non-uniform scale, and keep them outward for mirroring transforms.
    vec3 cofactor_x = cross(row_y.xyz, row_z.xyz);
    vec3 cofactor_y = cross(row_z.xyz, row_x.xyz);
    vec3 cofactor_z = cross(row_x.xyz, row_y.xyz);
    float mirrored = sign(dot(row_x.xyz, cofactor_x));
    v_normal = vec3(dot(cofactor_x, normal), dot(cofactor_y, normal), dot(cofactor_z, normal)) * mirrored;
    v_uv = vec2(dot(u_uv_across, vec3(a_uv, 1.0)), dot(u_uv_down, vec3(a_uv, 1.0)));
    v_color = vec4(linear_from_srgb(a_color.rgb), a_color.a);
    v_bone = bone;
    v_skin = a_position;
    gl_Position = u_clip_from_world * vec4(v_world, 1.0);
}
