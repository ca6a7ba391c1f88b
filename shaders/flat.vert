#version 330 core
// Triangles of the overlay.

uniform mat4 u_clip_from_world;

in vec3 a_position;
in vec4 a_color;

out vec4 v_color;

void main() {
    v_color = a_color;
    gl_Position = u_clip_from_world * vec4(a_position, 1.0);
}
