#version 120
// Materials for OpenGL 2.1 and ES 2.0: base colour, emission, the key light and light from sky and ground. Colours are decoded and
// encoded here, because targets have no sRGB format.

uniform sampler2D u_texture;
uniform vec4 u_base_color;
uniform float u_cutoff;
uniform float u_alpha_counts;
uniform float u_light;
uniform vec3 u_emissive;
uniform vec4 u_tint;
uniform float u_opacity;
uniform vec4 u_eye;
uniform vec3 u_to_key;
uniform vec3 u_key;
uniform vec3 u_sky;
uniform vec3 u_ground;

varying vec3 v_world;
varying vec3 v_normal;
varying vec2 v_uv;
varying vec4 v_color;

vec3 linear_from_srgb(vec3 color) {
    return mix(color / 12.92, pow((color + 0.055) / 1.055, vec3(2.4)), step(0.04045, color));
}

vec3 srgb_from_linear(vec3 color) {
    return mix(color * 12.92, 1.055 * pow(max(color, vec3(0.0)), vec3(1.0 / 2.4)) - 0.055, step(0.0031308, color));
}

// The same terms as in mesh.frag, without shadows and reflection.
vec3 light(vec3 albedo, vec3 normal, vec3 to_eye) {
    vec3 around = mix(u_ground, u_sky, smoothstep(0.0, 1.0, normal.y * 0.5 + 0.5));
    float facing = clamp((dot(normal, u_to_key) + 0.25) / 1.25, 0.0, 1.0);
    float fill = 0.5 + 0.5 * dot(normal, to_eye);
    float rim = pow(1.0 - clamp(dot(normal, to_eye), 0.0, 1.0), 4.0) * (normal.y * 0.5 + 0.5);
    vec3 sum = albedo * (around * (0.42 + 0.22 * fill) + u_key * facing * 0.86);
    sum += (albedo * 0.6 + 0.12) * u_sky * rim * 0.5;
    vec3 over = max(sum - 0.7, 0.0);
    return min(sum, 0.7) + 0.3 * over / (over + 0.3);
}

void main() {
    vec4 texel = texture2D(u_texture, v_uv);
    vec4 base = u_base_color * vec4(linear_from_srgb(v_color.rgb) * linear_from_srgb(texel.rgb), v_color.a * texel.a);
    if (base.a < u_cutoff) {
        discard;
    }
    vec3 to_eye = normalize(u_eye.w > 0.0 ? u_eye.xyz - v_world : u_eye.xyz);
    vec3 normal = dot(v_normal, v_normal) > 0.0 ? normalize(v_normal) : to_eye;
    if (dot(normal, to_eye) < 0.0) {
        normal = -normal;
    }
    vec3 color = mix(base.rgb, u_tint.rgb, u_tint.a);
    if (u_light > 0.0) {
        color = light(color, normal, to_eye) + u_emissive * (1.0 - u_tint.a);
    }
    float alpha = u_alpha_counts > 0.0 ? base.a : 1.0;
    gl_FragColor = vec4(srgb_from_linear(min(color, vec3(1.0))), alpha * u_opacity);
}
