#version 120
// Triangles and lines in clip space, for OpenGL 2.1 and ES 2.0.

attribute vec4 a_position;
attribute vec4 a_color;

varying vec4 v_color;

void main() {
    v_color = a_color;
    gl_Position = a_position;
}
