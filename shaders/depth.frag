#version 330 core
// Shadow map: depth only, with holes where the material is transparent.

uniform sampler2D u_texture;
uniform vec4 u_base_color;
uniform float u_cutoff;

in vec2 v_uv;
in vec4 v_color;

void main() {
    if (u_base_color.a * v_color.a * texture(u_texture, v_uv).a < u_cutoff) {
        discard;
    }
}
