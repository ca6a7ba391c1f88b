#version 120
// Triangles and lines without light, for OpenGL 2.1 and ES 2.0. Colours are encoded already.

varying vec4 v_color;

void main() {
    gl_FragColor = v_color;
}
