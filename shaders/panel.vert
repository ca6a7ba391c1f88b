#version 330 core
// Panels of Dear ImGui.

uniform vec2 u_size_points;

in vec2 a_position;
in vec2 a_uv;
in vec4 a_color;

out vec2 v_uv;
out vec4 v_color;

void main() {
    v_uv = a_uv;
    v_color = a_color;
    gl_Position = vec4(a_position / u_size_points * vec2(2.0, -2.0) + vec2(-1.0, 1.0), 0.0, 1.0);
}
