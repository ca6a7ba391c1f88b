#version 330 core
// Characters of a crowd: each instance blends the matrices of two frames of a clip in the texture, chosen by the character's phase.
// A character is five texels: three rows of its place, its phase, its tint. A matrix is three texels: its rows.

uniform sampler2D u_members;
uniform sampler2D u_matrices;
uniform int u_first_member;
// Matrices of a pose.
uniform int u_entries;
// The first matrix of the mesh.
uniform int u_base;
// The row of texels in which the clip begins, the number of its frames, and where in the cycle the crowd is.
uniform int u_row;
uniform int u_frames;
uniform float u_cycle;
uniform int u_influence_sets;
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
out vec3 v_skin;

const int TEXELS_IN_ROW = 1024;

vec4 row_x = vec4(0.0);
vec4 row_y = vec4(0.0);
vec4 row_z = vec4(0.0);
// The first texels of both poses, and how far the character is between them.
ivec2 poses = ivec2(0);
float part = 0.0;

ivec2 place_of(int texel) {
    return ivec2(texel % TEXELS_IN_ROW, texel / TEXELS_IN_ROW);
}

vec4 blended(ivec2 texels) {
    vec4 from = texelFetch(u_matrices, place_of(texels.x), 0);
    return part == 0.0 ? from : mix(from, texelFetch(u_matrices, place_of(texels.y), 0), part);
}

void add(uint joint, float weight) {
    if (weight == 0.0) {
        return;
    }
    ivec2 at = poses + (u_base + int(joint)) * 3;
    row_x += weight * blended(at);
    row_y += weight * blended(at + 1);
    row_z += weight * blended(at + 2);
}

vec3 linear_from_srgb(vec3 color) {
    return mix(color / 12.92, pow((color + 0.055) / 1.055, vec3(2.4)), step(0.04045, color));
}

void main() {
    int member = (u_first_member + gl_InstanceID) * 5;
    vec4 place_x = texelFetch(u_members, place_of(member), 0);
    vec4 place_y = texelFetch(u_members, place_of(member + 1), 0);
    vec4 place_z = texelFetch(u_members, place_of(member + 2), 0);
    float phase = texelFetch(u_members, place_of(member + 3), 0).x;
    vec4 tint = texelFetch(u_members, place_of(member + 4), 0);
    float at = fract(u_cycle + phase) * float(u_frames);
    int frame = min(int(at), u_frames - 1);
    poses = u_row * TEXELS_IN_ROW + ivec2(frame, frame + 1) * u_entries * 3;
    part = at - float(frame);
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
    vec4 position = vec4(a_position, 1.0);
    vec4 posed = vec4(dot(row_x, position), dot(row_y, position), dot(row_z, position), 1.0);
    v_world = vec3(dot(place_x, posed), dot(place_y, posed), dot(place_z, posed));
    // Cofactors transform normals correctly for non-uniform scale; those of both matrices in turn.
    vec3 normal = vec3(dot(cross(row_y.xyz, row_z.xyz), a_normal), dot(cross(row_z.xyz, row_x.xyz), a_normal),
                       dot(cross(row_x.xyz, row_y.xyz), a_normal));
    normal = vec3(dot(cross(place_y.xyz, place_z.xyz), normal), dot(cross(place_z.xyz, place_x.xyz), normal),
                  dot(cross(place_x.xyz, place_y.xyz), normal));
    float mirrored = sign(dot(row_x.xyz, cross(row_y.xyz, row_z.xyz)) * dot(place_x.xyz, cross(place_y.xyz, place_z.xyz)));
    v_normal = normal * mirrored;
    v_uv = vec2(dot(u_uv_across, vec3(a_uv, 1.0)), dot(u_uv_down, vec3(a_uv, 1.0)));
    v_color = vec4(linear_from_srgb(a_color.rgb), a_color.a) * tint;
    v_bone = vec4(0.0);
    v_skin = a_position;
    gl_Position = u_clip_from_world * vec4(v_world, 1.0);
}
