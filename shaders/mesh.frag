#version 330 core
// Materials with one key light, ambient light from sky and ground, and a rim light; or a debug surface.
// A matte surface that is no metal has no highlight at all. With UNLIT_ONLY there are only surfaces without light.

uniform int u_surface;
uniform sampler2D u_texture;
uniform vec4 u_base_color;
uniform int u_alpha_mode;
uniform float u_cutoff;
uniform vec3 u_emissive;
uniform sampler2D u_emissive_map;
uniform sampler2D u_normal_map;
// Roughness in green, metalness in blue.
uniform sampler2D u_reflection_map;
// Metalness, roughness, scale of the normal map or 0 without one.
uniform vec3 u_reflection;
// Red darkens light from the surroundings; how much of it counts, 0 without the texture.
uniform sampler2D u_occlusion_map;
uniform float u_occlusion;
// Colour and roughness of the sheen.
uniform vec4 u_sheen;
uniform vec4 u_tint;
uniform float u_opacity;
// The lowest corner of the bound mesh, and one over its sides.
uniform vec3 u_skin_low;
uniform vec3 u_skin_scale;

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
in vec3 v_skin;

out vec4 o_color;

const int LIT = 0, UNLIT = 1, FLAT = 2, WEIGHTS = 3, BONES = 4, NORMALS = 5, GHOST = 6, WIRES = 7, UV_CHECKER = 8, OVERDRAW = 9,
    SKIN_SPACE = 10, TOON = 11, GEOMETRY = 12, EMISSION = 13;
const int OPAQUE = 0, MASK = 1;

// The normal of the normal map. Tangents follow from how place and texture coordinates change on the screen. The y of normals is up in
// the image, v is down.
vec3 mapped(vec3 normal) {
    vec3 place_x = dFdx(v_world), place_y = dFdy(v_world);
    vec2 uv_x = dFdx(v_uv), uv_y = dFdy(v_uv);
    vec3 across = cross(place_y, normal), down = cross(normal, place_x);
    vec3 tangent = across * uv_x.x + down * uv_y.x;
    vec3 bitangent = across * uv_x.y + down * uv_y.y;
    float size = max(dot(tangent, tangent), dot(bitangent, bitangent));
    vec3 local = texture(u_normal_map, v_uv).xyz * 2.0 - 1.0;
    local.xy *= u_reflection.z;
    if (size == 0.0) {
        return normal;
    }
    float scale = inversesqrt(size) * (gl_FrontFacing ? 1.0 : -1.0);
    return normalize(tangent * scale * local.x - bitangent * scale * local.y + normal * max(local.z, 0.0));
}

#if !defined(UNLIT_ONLY)
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

// The ambient light from a direction.
vec3 ambient(vec3 direction) {
    return mix(u_ground, u_sky, smoothstep(0.0, 1.0, direction.y * 0.5 + 0.5));
}

// What a surface of a roughness reflects from a direction: the ambient light, with a horizon and a window of light around the key that
// are the sharper the smoother the surface is.
vec3 reflected(vec3 direction, float roughness) {
    float smoothness = 1.0 - roughness, blur = mix(1.0, 0.7, smoothness);
    vec3 sky = u_sky * (1.0 + 0.5 * smoothness * exp(-5.0 * max(direction.y, 0.0)));
    vec3 color = mix(u_ground * (1.0 - 0.25 * smoothness), sky, smoothstep(-blur, blur, direction.y));
    float edge = mix(0.5, 0.16, smoothness);
    float window = smoothstep(0.8 - edge, 0.8 + edge, dot(direction, u_to_key));
    return color + u_key * window * smoothness * 0.9;
}

// Light of the key (GGX) and of the surroundings that is reflected as by a mirror, rougher ones blurred.
vec3 shine(vec3 mirrored, float roughness, vec3 normal, vec3 to_eye, float shadow, float open) {
    float alpha = max(roughness * roughness, 0.004), alpha_2 = alpha * alpha;
    vec3 halfway = normalize(u_to_key + to_eye + vec3(1e-6));
    float n_eye = max(dot(normal, to_eye), 1e-3), n_key = clamp(dot(normal, u_to_key), 0.0, 1.0);
    float n_half = clamp(dot(normal, halfway), 0.0, 1.0), half_eye = clamp(dot(halfway, to_eye), 0.0, 1.0);
    float spread = n_half * n_half * (alpha_2 - 1.0) + 1.0;
    float hidden = n_key * sqrt(n_eye * n_eye * (1.0 - alpha_2) + alpha_2)
        + n_eye * sqrt(n_key * n_key * (1.0 - alpha_2) + alpha_2);
    float lobe = min(alpha_2 / (spread * spread) * 0.5 / max(hidden, 1e-4), 60.0);
    vec3 grazing = max(vec3(1.0 - roughness), mirrored) - mirrored;
    vec3 key = (mirrored + grazing * pow(1.0 - half_eye, 5.0)) * lobe * n_key * shadow;
    vec3 around = reflected(mix(reflect(-to_eye, normal), normal, roughness * roughness), roughness);
    return key * u_key * 0.86 + (mirrored + grazing * pow(1.0 - n_eye, 5.0)) * around * 0.64 * open;
}

// The sheen of fibres over a colour: light of the key (Estevez and Kulla 2017, visibility by Neubelt and Pettineo 2013), and of the
// surroundings, more of it the more they are seen from the side.
vec3 sheen(vec3 below, vec3 normal, vec3 to_eye, float shadow, vec3 around) {
    float alpha = max(u_sheen.a * u_sheen.a, 0.01);
    vec3 halfway = normalize(u_to_key + to_eye + vec3(1e-6));
    float n_eye = clamp(dot(normal, to_eye), 1e-3, 1.0), n_key = clamp(dot(normal, u_to_key), 0.0, 1.0);
    float n_half = clamp(dot(normal, halfway), 0.0, 1.0);
    float lobe = (1.0 + 0.5 / alpha) * pow(max(1.0 - n_half * n_half, 1e-6), 0.5 / alpha);
    float key = lobe * n_key * shadow / (4.0 * (n_key + n_eye - n_key * n_eye));
    float seen = 0.12 * u_sheen.a + 0.5 * pow(1.0 - n_eye, 5.0 - 3.0 * u_sheen.a);
    float most = max(max(u_sheen.r, u_sheen.g), u_sheen.b);
    return below * (1.0 - most * seen) + u_sheen.rgb * (u_key * key * 0.86 + around * seen);
}

// `open` is the part of the surroundings that reaches the surface.
vec3 light(vec3 albedo, vec3 normal, vec3 to_eye, float metallic, float roughness, float open) {
    float up = normal.y * 0.5 + 0.5;
    vec3 around = ambient(normal) * open;
    // Wrapped diffuse lighting, so that the shaded side keeps its shape.
    float facing = clamp((dot(normal, u_to_key) + 0.25) / 1.25, 0.0, 1.0);
    float shadow = lit_by_key(normal);
    float key = facing * shadow;
    // A faint second light from the camera keeps the shaded side readable.
    float fill = 0.5 + 0.5 * dot(normal, to_eye);
    float rim = pow(1.0 - clamp(dot(normal, to_eye), 0.0, 1.0), 4.0) * up;
    vec3 sum = albedo * (1.0 - metallic) * (around * (0.42 + 0.22 * fill) + u_key * key * 0.86);
    if (metallic > 0.0 || roughness < 1.0) {
        sum += shine(mix(vec3(0.04 * (1.0 - roughness)), albedo, metallic), roughness, normal, to_eye, shadow, open);
    }
    if (u_surface == LIT && u_sheen.rgb != vec3(0.0)) {
        sum = sheen(sum, normal, to_eye, shadow, around);
    }
    return sum + (albedo * 0.6 + 0.12) * u_sky * rim * 0.5 * open;
}

// Flat tones: in shadow, half lit, lit; and an edge of light against the sky.
vec3 toon(vec3 albedo, vec3 normal, vec3 to_eye) {
    float facing = dot(normal, u_to_key), shadow = lit_by_key(normal);
    // An edge between tones is a pixel wide.
    float soft = clamp(fwidth(facing), 0.004, 0.1);
    float tone = 0.45 * smoothstep(-soft, soft, facing - 0.02) + 0.55 * smoothstep(-soft, soft, facing - 0.42);
    tone *= smoothstep(0.45, 0.55, shadow);
    float edge = 1.0 - clamp(dot(normal, to_eye), 0.0, 1.0);
    float width = clamp(fwidth(edge), 0.004, 0.1);
    float rim = smoothstep(0.72 - width, 0.72 + width, edge) * step(0.25, normal.y * 0.5 + 0.5) * (0.3 + 0.7 * tone);
    vec3 around = mix(u_ground, u_sky, 0.6) * 0.55;
    return albedo * (around + u_key * tone * 0.84) + albedo * u_sky * rim * 0.3;
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

// 16 × 16 squares in texture coordinates, in colours that tell where in the image a place is.
vec3 uv_checker(vec2 uv) {
    vec2 place = fract(uv);
    vec3 color = mix(mix(vec3(0.57, 0.04, 0.04), vec3(0.80, 0.65, 0.07), place.x),
                     mix(vec3(0.04, 0.18, 0.68), vec3(0.68, 0.87, 0.74), place.x), place.y);
    // A little off, because coordinates are often just at the edge of a square.
    vec2 square = floor(uv * 16.0 + 0.003);
    // Thin squares become one colour.
    vec2 width = fwidth(uv * 16.0);
    float fade = clamp(1.5 - max(width.x, width.y), 0.0, 1.0);
    float odd = mod(square.x + square.y, 2.0);
    return color * mix(0.68, mix(0.36, 1.0, odd), fade);
}

// A colour that stays with the vertex, with lines at tenths of the model's size.
vec3 skin_space(vec3 place) {
    vec3 color = 0.06 + 0.84 * place * place;
    vec3 width = fwidth(place * 10.0);
    vec3 off = abs(fract(place * 10.0 - 0.5) - 0.5) / max(width, vec3(1e-6));
    float line = 1.0 - clamp(min(min(off.x, off.y), off.z), 0.0, 1.0);
    return color * (1.0 - 0.55 * line);
}
#endif

// The distance to the eye; of a parallel view the one along it, less a number that is the same everywhere.
float distance_to_eye() {
    return u_eye.w > 0.0 ? distance(u_eye.xyz, v_world) : -dot(u_eye.xyz, v_world);
}

// What the target encodes as these values.
vec3 linear_of(vec3 encoded) {
    return mix(encoded / 12.92, pow((encoded + 0.055) / 1.055, vec3(2.4)), step(0.04045, encoded));
}

void main() {
    vec4 base = u_base_color * v_color * texture(u_texture, v_uv);
    if (u_alpha_mode == MASK && base.a < u_cutoff) {
        discard;
    }
    float alpha = u_alpha_mode > MASK ? base.a : 1.0;
    float length_2 = dot(v_normal, v_normal);
    vec3 to_eye = normalize(u_eye.w > 0.0 ? u_eye.xyz - v_world : u_eye.xyz);
    // A mesh without normals is flat.
    vec3 flat_normal = cross(dFdx(v_world), dFdy(v_world));
    float flat_2 = dot(flat_normal, flat_normal);
    vec3 normal = flat_2 > 0.0 ? flat_normal * inversesqrt(flat_2) : to_eye;
    if (length_2 > 0.0) {
        normal = v_normal * (gl_FrontFacing ? 1.0 : -1.0) * inversesqrt(length_2);
    }
    if (u_reflection.z != 0.0) {
        normal = mapped(normal);
    }

    vec3 color = u_surface == EMISSION ? u_emissive * texture(u_emissive_map, v_uv).rgb : base.rgb;
    if (u_surface == UNLIT || u_surface == EMISSION) {
        color = mix(color, u_tint.rgb, u_tint.a);
    } else if (u_surface == FLAT) {
        color = u_tint.rgb;
    } else if (u_surface == GEOMETRY) {
        // Depths of the scene are in 0.1..0.9.
        color = linear_of(normal * 0.5 + 0.5);
        alpha = (gl_FragCoord.z - 0.1) / 0.8;
    }
#if !defined(UNLIT_ONLY)
    else if (u_surface == LIT) {
        vec4 reflection = texture(u_reflection_map, v_uv);
        float metallic = clamp(u_reflection.x * reflection.b, 0.0, 1.0);
        float roughness = clamp(u_reflection.y * reflection.g, 0.0, 1.0);
        float open = 1.0 + (texture(u_occlusion_map, v_uv).r - 1.0) * u_occlusion;
        vec3 emitted = u_emissive * texture(u_emissive_map, v_uv).rgb * (1.0 - u_tint.a);
        color = shoulder(light(mix(color, u_tint.rgb, u_tint.a), normal, to_eye, metallic, roughness, open) + emitted);
    } else if (u_surface == TOON) {
        vec3 emitted = u_emissive * texture(u_emissive_map, v_uv).rgb * (1.0 - u_tint.a);
        color = shoulder(toon(mix(color, u_tint.rgb, u_tint.a), normal, to_eye) + emitted);
    } else if (u_surface == WEIGHTS) {
        color = heat(v_bone.a) * (0.55 + 0.45 * clamp(dot(normal, to_eye), 0.0, 1.0));
    } else if (u_surface == BONES) {
        color = shoulder(light(v_bone.rgb, normal, to_eye, 0.0, 1.0, 1.0));
    } else if (u_surface == NORMALS) {
        color = pow(normal * 0.5 + 0.5, vec3(2.2));
    } else if (u_surface == UV_CHECKER) {
        color = uv_checker(v_uv) * (0.55 + 0.45 * clamp(dot(normal, to_eye), 0.0, 1.0));
    } else if (u_surface == OVERDRAW) {
        color = vec3(0.17, 0.065, 0.02);
        alpha = 1.0;
    } else if (u_surface == SKIN_SPACE) {
        color = skin_space(clamp((v_skin - u_skin_low) * u_skin_scale, 0.0, 1.0));
        color *= 0.6 + 0.4 * clamp(dot(normal, to_eye), 0.0, 1.0);
    } else if (u_surface == GHOST) {
        color = u_tint.rgb * (0.62 + 0.38 * clamp(dot(normal, to_eye) * 0.7 + normal.y * 0.4, 0.0, 1.0));
        alpha = u_tint.a;
    } else if (u_surface == WIRES) {
        color = u_tint.rgb;
        alpha = u_tint.a;
    }
    if (u_haze_color.a > 0.0) {
        float far = (distance_to_eye() - u_haze_range.x) / (u_haze_range.y - u_haze_range.x);
        color = mix(color, u_haze_color.rgb, clamp(far, 0.0, 1.0) * u_haze_color.a);
    }
#endif
    o_color = vec4(color, alpha * u_opacity);
}
