#version 330 core
// The soft edge of a line. A line thinner than a pixel becomes more transparent instead.

in vec4 v_color;
in float v_off;
flat in float v_half_width;

out vec4 o_color;

vec3 linear_from_srgb(vec3 color) {
    return mix(color / 12.92, pow((color + 0.055) / 1.055, vec3(2.4)), step(0.04045, color));
}

void main() {
    float half_width = max(v_half_width, 0.5);
    float cover = clamp(half_width + 0.5 - abs(v_off * gl_FragCoord.w), 0.0, 1.0) * min(v_half_width * 2.0, 1.0);
    o_color = vec4(linear_from_srgb(v_color.rgb), v_color.a * cover);
}
