#version 330 core
// A vertical gradient that is perceptually even, a little lighter at the centre. Dithered by less than one step of
// eight bits, the same in every frame, so that there are no bands and films don't flicker.

uniform vec4 u_top;
uniform vec4 u_bottom;

in vec2 v_place;

out vec4 o_color;

vec3 linear_from_srgb(vec3 color) {
    return mix(color / 12.92, pow((color + 0.055) / 1.055, vec3(2.4)), step(0.04045, color));
}

void main() {
    vec4 color = mix(u_bottom, u_top, smoothstep(0.0, 1.0, v_place.y));
    vec2 off = (v_place - vec2(0.5, 0.55)) * vec2(1.1, 1.0);
    color.rgb *= 1.04 - 0.20 * dot(off, off);
    // Interleaved gradient noise (Jimenez 2014).
    float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
    color.rgb = clamp(color.rgb + (noise - 0.5) / 255.0, 0.0, 1.0);
    o_color = vec4(linear_from_srgb(color.rgb), color.a);
}
