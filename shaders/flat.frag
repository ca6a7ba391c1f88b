#version 330 core
// Triangles of the overlay, without lighting.

in vec4 v_color;

out vec4 o_color;

vec3 linear_from_srgb(vec3 color) {
    return mix(color / 12.92, pow((color + 0.055) / 1.055, vec3(2.4)), step(0.04045, color));
}

void main() {
    o_color = vec4(linear_from_srgb(v_color.rgb), v_color.a);
}
