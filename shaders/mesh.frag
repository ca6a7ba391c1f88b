#version 330 core
// Materials with one key light, ambient light from sky and ground, and a rim light; or a debug surface.

uniform int u_surface;
uniform sampler2D u_texture;
uniform vec4 u_base_color;
uniform int u_alpha_mode;
uniform float u_cutoff;
uniform vec4 u_tint;
uniform float u_opacity;

uniform vec4 u_eye;
uniform vec3 u_to_key;
uniform vec3 u_key;
uniform vec3 u_sky;
uniform vec3 u_ground;
uniform vec4 u_haze_color;
uniform vec2 u_haze_range;

uniform sampler2DShadow u_shadow;
uniform mat4 u_shadow_from_world;
uniform float u_shadow_strength;
uniform float u_shadow_texel;

in vec3 v_world;
in vec3 v_normal;
in vec2 v_uv;
in vec4 v_color;
in vec4 v_bone;

out vec4 o_color;

const int LIT = 0, UNLIT = 1, FLAT = 2, WEIGHTS = 3, BONES = 4, NORMALS = 5, GHOST = 6, WIRES = 7;
const int OPAQUE = 0, MASK = 1;

// 1 if nothing is nearer to the light, with soft edges of a few texels.
float lit_by_key(vec3 normal) {
    vec3 place = v_world + normal * u_shadow_texel * 2.5;
    vec3 at = (u_shadow_from_world * vec4(place, 1.0)).xyz * 0.5 + 0.5;
    if (u_shadow_strength == 0.0 || any(lessThan(at.xy, vec2(0.0))) || any(greaterThan(at.xy, vec2(1.0)))) {
        return 1.0;
    }
    // Points beyond the map's depth are still in the shadow of points in it.
    at.z = clamp(at.z, 0.0, 1.0);
    vec2 texel = 1.0 / vec2(textureSize(u_shadow, 0));
    float sum = 0.0;
    for (int y = -1; y <= 1; ++y) {
        for (int x = -1; x <= 1; ++x) {
            sum += texture(u_shadow, vec3(at.xy + vec2(x, y) * texel * 1.4, at.z));
        }
    }
    return mix(1.0, sum / 9.0, u_shadow_strength);
}

vec3 light(vec3 albedo, vec3 normal, vec3 to_eye) {
    float up = normal.y * 0.5 + 0.5;
    vec3 around = mix(u_ground, u_sky, smoothstep(0.0, 1.0, up));
    // Wrapped diffuse lighting, so that the shaded side keeps its shape.
    float facing = clamp((dot(normal, u_to_key) + 0.25) / 1.25, 0.0, 1.0);
    float key = facing * lit_by_key(normal);
    // A faint second light from the camera keeps the shaded side readable.
    float fill = 0.5 + 0.5 * dot(normal, to_eye);
    float rim = pow(1.0 - clamp(dot(normal, to_eye), 0.0, 1.0), 4.0) * up;
    vec3 sum = albedo * (around * (0.42 + 0.22 * fill) + u_key * key * 0.86);
    return sum + (albedo * 0.6 + 0.12) * u_sky * rim * 0.5;
}

// Keeps colours up to 0.7 and compresses brighter ones towards 1.
vec3 shoulder(vec3 color) {
    vec3 over = max(color - 0.7, 0.0);
    return min(color, 0.7) + 0.3 * over / (over + 0.3);
}

vec3 heat(float weight) {
    // The same table as in `Color::of_weight`.
    vec3 color = mix(vec3(0.01, 0.03, 0.25), vec3(0.0, 0.3, 0.5), clamp(weight * 4.0, 0.0, 1.0));
    color = mix(color, vec3(0.05, 0.5, 0.1), clamp(weight * 4.0 - 1.0, 0.0, 1.0));
    color = mix(color, vec3(0.85, 0.6, 0.02), clamp(weight * 4.0 - 2.0, 0.0, 1.0));
    return mix(color, vec3(0.85, 0.04, 0.01), clamp(weight * 4.0 - 3.0, 0.0, 1.0));
}

void main() {
    vec4 base = u_base_color * v_color * texture(u_texture, v_uv);
    if (u_alpha_mode == MASK && base.a < u_cutoff) {
        discard;
    }
    float alpha = u_alpha_mode > MASK ? base.a : 1.0;
    float length_2 = dot(v_normal, v_normal);
    vec3 to_eye = normalize(u_eye.w > 0.0 ? u_eye.xyz - v_world : u_eye.xyz);
    vec3 normal = length_2 > 0.0 ? v_normal * inversesqrt(length_2) : to_eye;
    normal = gl_FrontFacing ? normal : -normal;

    vec3 color = base.rgb;
    if (u_surface == LIT) {
        color = shoulder(light(mix(color, u_tint.rgb, u_tint.a), normal, to_eye));
    } else if (u_surface == UNLIT) {
        color = mix(color, u_tint.rgb, u_tint.a);
    } else if (u_surface == FLAT) {
        color = u_tint.rgb;
    } else if (u_surface == WEIGHTS) {
        color = heat(v_bone.a) * (0.55 + 0.45 * clamp(dot(normal, to_eye), 0.0, 1.0));
    } else if (u_surface == BONES) {
        color = shoulder(light(v_bone.rgb, normal, to_eye));
    } else if (u_surface == NORMALS) {
        color = pow(normal * 0.5 + 0.5, vec3(2.2));
    } else if (u_surface == GHOST) {
        color = u_tint.rgb * (0.62 + 0.38 * clamp(dot(normal, to_eye) * 0.7 + normal.y * 0.4, 0.0, 1.0));
        alpha = u_tint.a;
    } else if (u_surface == WIRES) {
        color = u_tint.rgb;
        alpha = u_tint.a;
    }
    if (u_haze_color.a > 0.0) {
        float far = (distance(u_eye.xyz, v_world) - u_haze_range.x) / (u_haze_range.y - u_haze_range.x);
        color = mix(color, u_haze_color.rgb, clamp(far, 0.0, 1.0) * u_haze_color.a);
    }
    o_color = vec4(color, alpha * u_opacity);
}
