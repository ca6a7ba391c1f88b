#version 330 core
// The skinning shader of the editor, the game, thumbnails, shadows and the tests against the CPU. Definitions select where it
// finds the palette (PALETTE_*, with PALETTE_ROWS vectors in an array or block) and how it skins (SKINNING_*).
//
// An entry of a palette is three vectors: the rows of model_from_bind. For dual quaternions it is four: the rotation, then three
// rows with stretch and translation.

#if defined(PALETTE_UNIFORM)
uniform vec4 u_palette[PALETTE_ROWS];
#elif defined(PALETTE_BLOCK)
layout(std140) uniform Palette {
    vec4 palette_rows[PALETTE_ROWS];
};
#elif defined(PALETTE_TEXTURE)
uniform sampler2D u_palette;
#endif
// The vector with which the palette of the mesh begins.
uniform int u_palette_base;
// Vectors to the palette of the second pose, and the fraction of the way to it.
uniform int u_next;
uniform float u_fraction;
uniform mat4 u_world_from_model;
uniform int u_influence_sets;
// For each vertex the first of its differences and their number; then the differences: position and target, normal.
uniform sampler2D u_morph;
// Weights of morph targets, four to a texel; and a linear colour with a mark for each entry of the palette.
uniform sampler2D u_numbers;
// The texels in which these begin; 0 without.
uniform int u_morph_weights;
uniform int u_marks;
// World units by which vertices move along their normals: the width of an outline, otherwise 0.
uniform float u_outline;
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

const int TEXELS_IN_ROW = 1024;

ivec2 place_of(int texel) {
    return ivec2(texel % TEXELS_IN_ROW, texel / TEXELS_IN_ROW);
}

vec4 palette_row(int at) {
#if defined(PALETTE_UNIFORM)
    return u_palette[at];
#elif defined(PALETTE_BLOCK)
    return palette_rows[at];
#elif defined(PALETTE_TEXTURE)
    return texelFetch(u_palette, place_of(at), 0);
#else
    return vec4(0.0);
#endif
}

// The rows of model_from_bind of the vertex.
vec4 row_x = vec4(0.0);
vec4 row_y = vec4(0.0);
vec4 row_z = vec4(0.0);
vec4 bone = vec4(0.0);

#if defined(SKINNING_DUAL)
vec4 real = vec4(0.0);
vec4 dual = vec4(0.0);
// The rotation of the first influence: others on the far side of it count as their negative, which is the same rotation.
vec4 pivot = vec4(0.0);
#endif

#if defined(SKINNING_RIGID)
float strongest = 0.0;
#endif

vec4 entry_row(int at) {
#if defined(SKINNING_INTERPOLATED)
    vec4 row = palette_row(at);
    return row + (palette_row(at + u_next) - row) * u_fraction;
#else
    return palette_row(at);
#endif
}

void add_matrix(int at, float weight) {
    row_x += weight * entry_row(at);
    row_y += weight * entry_row(at + 1);
    row_z += weight * entry_row(at + 2);
}

#if defined(SKINNING_DUAL)
// Kavan et al. 2008, in two phases: stretches are blended as matrices, rotations with translations as dual quaternions.
void add_dual(int at, float weight) {
    vec4 turn = palette_row(at);
    vec4 x = palette_row(at + 1), y = palette_row(at + 2), z = palette_row(at + 3);
    row_x.xyz += weight * x.xyz;
    row_y.xyz += weight * y.xyz;
    row_z.xyz += weight * z.xyz;
    if (pivot == vec4(0.0)) {
        pivot = turn;
    }
    float side = dot(pivot, turn) < 0.0 ? -weight : weight;
    vec3 half_way = 0.5 * vec3(x.w, y.w, z.w);
    real += side * turn;
    dual += side * vec4(turn.w * half_way + cross(half_way, turn.xyz), -dot(half_way, turn.xyz));
}

// The rows of the blended stretch, then turned and moved by the dual quaternion.
void finish_dual() {
    float size = length(real);
    if (size == 0.0) {
        row_x = vec4(1.0, 0.0, 0.0, 0.0);
        row_y = vec4(0.0, 1.0, 0.0, 0.0);
        row_z = vec4(0.0, 0.0, 1.0, 0.0);
        return;
    }
    real /= size;
    dual /= size;
    vec3 x = row_x.xyz, y = row_y.xyz, z = row_z.xyz;
    vec3 axis = real.xyz, twice = 2.0 * real.xyz, wide = twice * axis;
    vec3 turn_x = vec3(1.0 - wide.y - wide.z, twice.x * axis.y - twice.z * real.w, twice.x * axis.z + twice.y * real.w);
    vec3 turn_y = vec3(twice.x * axis.y + twice.z * real.w, 1.0 - wide.x - wide.z, twice.y * axis.z - twice.x * real.w);
    vec3 turn_z = vec3(twice.x * axis.z - twice.y * real.w, twice.y * axis.z + twice.x * real.w, 1.0 - wide.x - wide.y);
    vec3 moved = 2.0 * (real.w * dual.xyz - dual.w * axis + cross(axis, dual.xyz));
    row_x = vec4(turn_x.x * x + turn_x.y * y + turn_x.z * z, moved.x);
    row_y = vec4(turn_y.x * x + turn_y.y * y + turn_y.z * z, moved.y);
    row_z = vec4(turn_z.x * x + turn_z.y * y + turn_z.z * z, moved.z);
}
#endif

void add(uint joint, float weight) {
    if (weight == 0.0) {
        return;
    }
    if (u_marks != 0) {
        bone += weight * texelFetch(u_numbers, place_of(u_marks + int(joint)), 0);
    }
#if defined(PALETTE_NONE)
    return;
#elif defined(SKINNING_DUAL)
    add_dual(u_palette_base + int(joint) * 4, weight);
#elif defined(SKINNING_RIGID)
    if (weight > strongest) {
        strongest = weight;
        row_x = row_y = row_z = vec4(0.0);
        add_matrix(u_palette_base + int(joint) * 3, 1.0);
    }
#else
    add_matrix(u_palette_base + int(joint) * 3, weight);
#endif
}

void morph(inout vec3 position, inout vec3 normal) {
    vec4 differences = texelFetch(u_morph, place_of(gl_VertexID), 0);
    int next = int(differences.x);
    for (int left = int(differences.y); left > 0; --left) {
        vec4 moved = texelFetch(u_morph, place_of(next), 0);
        int target = int(moved.w);
        float weight = texelFetch(u_numbers, place_of(u_morph_weights + target / 4), 0)[target % 4];
        position += weight * moved.xyz;
        normal += weight * texelFetch(u_morph, place_of(next + 1), 0).xyz;
        next += 2;
    }
}

// The row of a product: the rows of the second matrix by the first one's row.
vec4 row_of_product(vec4 row) {
    return row.x * row_x + row.y * row_y + row.z * row_z + vec4(0.0, 0.0, 0.0, row.w);
}

void place_in_world() {
#if defined(PALETTE_NONE)
    row_x = vec4(1.0, 0.0, 0.0, 0.0);
    row_y = vec4(0.0, 1.0, 0.0, 0.0);
    row_z = vec4(0.0, 0.0, 1.0, 0.0);
#elif defined(SKINNING_DUAL)
    finish_dual();
#endif
    mat4 rows = transpose(u_world_from_model);
    vec4 x = row_of_product(rows[0]), y = row_of_product(rows[1]), z = row_of_product(rows[2]);
    row_x = x;
    row_y = y;
    row_z = z;
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
    place_in_world();
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
    float size = dot(v_normal, v_normal);
    if (u_outline > 0.0 && size > 0.0) {
        v_world += v_normal * (u_outline * inversesqrt(size));
    }
    v_uv = vec2(dot(u_uv_across, vec3(a_uv, 1.0)), dot(u_uv_down, vec3(a_uv, 1.0)));
    v_color = vec4(linear_from_srgb(a_color.rgb), a_color.a);
    v_bone = bone;
    v_skin = a_position;
    gl_Position = u_clip_from_world * vec4(v_world, 1.0);
}
