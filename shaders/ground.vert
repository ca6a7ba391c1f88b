#version 330 core
// A square on the ground that covers the grid and the shadows.

uniform mat4 u_clip_from_world;
uniform vec3 u_center;
uniform float u_radius;

out vec3 v_world;

void main() {
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
    v_world = u_center + vec3(corner.x, 0.0, corner.y) * u_radius;
    gl_Position = u_clip_from_world * vec4(v_world, 1.0);
}
