#version 330 core
// A picture in a window whose pixels are encoded by hand: WebGL has no window in sRGB.

uniform sampler2D u_picture;

out vec4 o_color;

vec3 srgb_from_linear(vec3 color) {
    return mix(color * 12.92, 1.055 * pow(color, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, color));
}

void main() {
    vec4 color = texelFetch(u_picture, ivec2(gl_FragCoord.xy), 0);
    o_color = vec4(srgb_from_linear(color.rgb), 1.0);
}
