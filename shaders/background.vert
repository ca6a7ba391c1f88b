#version 330 core
// One triangle that covers the viewport.

out vec2 v_place;

void main() {
    v_place = vec2((gl_VertexID << 1) & 2, gl_VertexID & 2);
    gl_Position = vec4(v_place * 2.0 - 1.0, 1.0, 1.0);
}
