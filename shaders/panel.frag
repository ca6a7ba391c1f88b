#version 330 core
// Panels of Dear ImGui in a window whose pixels are encoded by hand: WebGL has no window in sRGB.

uniform sampler2D u_picture;
// 1 for pictures whose lookups return linear light, 0 for the atlas of fonts.
uniform int u_is_linear;

in vec2 v_uv;
in vec4 v_color;

out vec4 o_color;

vec3 srgb_from_linear(vec3 color) {
    return mix(color * 12.92, 1.055 * pow(color, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, color));
}

void main() {
    vec4 color = texture(u_picture, v_uv);
    if (u_is_linear != 0) {
        color.rgb = srgb_from_linear(color.rgb);
    }
    o_color = color * v_color;
}
