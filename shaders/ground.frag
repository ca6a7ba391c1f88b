#version 330 core
// The ground: an anti-aliased grid that fades with distance, over shadows.

uniform vec3 u_center;
uniform float u_radius;
uniform float u_spacing;
uniform float u_offset;
uniform vec4 u_line_color;
uniform vec4 u_x_color;
uniform vec4 u_z_color;

uniform sampler2DShadow u_shadow;
uniform mat4 u_shadow_from_world;
uniform float u_shadow_strength;

in vec3 v_world;

out vec4 o_color;

// Coverage of a pixel by a line through zero, in units of a cell. Fades when cells are as small as pixels.
float cover(float place, float width, float pixel) {
    float off = abs(fract(place - 0.5) - 0.5);
    float line = 1.0 - smoothstep(pixel * (width - 0.5), pixel * (width + 0.5), off);
    return line * (1.0 - smoothstep(0.18, 0.5, pixel));
}

float lines(vec2 place, vec2 pixel) {
    return max(cover(place.x, 0.7, pixel.x), cover(place.y, 0.7, pixel.y));
}

float axis(float place, float pixel) {
    return 1.0 - smoothstep(pixel * 0.6, pixel * 1.6, abs(place));
}

// Softer than on models, because the ground is far from the models that cast the shadows.
float shadow() {
    vec3 at = (u_shadow_from_world * vec4(v_world, 1.0)).xyz * 0.5 + 0.5;
    if (u_shadow_strength == 0.0 || any(lessThan(at.xy, vec2(0.0))) || any(greaterThan(at.xy, vec2(1.0)))) {
        return 0.0;
    }
    // Points beyond the map's depth are still in the shadow of points in it.
    at.z = clamp(at.z, 0.0, 1.0);
    vec2 texel = 1.0 / vec2(textureSize(u_shadow, 0));
    float sum = 0.0;
    for (int step = 0; step < 16; ++step) {
        // A sunflower spiral, which samples the disc evenly.
        float turn = float(step) * 2.39996323;
        float far = sqrt((float(step) + 0.5) / 16.0) * 5.5;
        sum += texture(u_shadow, vec3(at.xy + vec2(cos(turn), sin(turn)) * far * texel, at.z));
    }
    return (1.0 - sum / 16.0) * u_shadow_strength;
}

vec4 over(vec4 upper, vec4 lower) {
    float alpha = upper.a + lower.a * (1.0 - upper.a);
    vec3 color = upper.rgb * upper.a + lower.rgb * lower.a * (1.0 - upper.a);
    return vec4(color / max(alpha, 1e-5), alpha);
}

void main() {
    vec2 place = (v_world.xz - vec2(u_offset, 0.0)) / u_spacing;
    vec2 pixel = fwidth(v_world.xz / u_spacing);
    float fine = lines(place, pixel) * 0.5;
    float coarse = lines(place * 0.1, pixel * 0.1);
    float fade = 1.0 - smoothstep(0.15, 1.0, distance(v_world.xz, u_center.xz) / u_radius);
    vec4 color = vec4(u_line_color.rgb, u_line_color.a * max(fine, coarse));
    color = over(vec4(u_x_color.rgb, u_x_color.a * axis(v_world.z / u_spacing, pixel.y)), color);
    color = over(vec4(u_z_color.rgb, u_z_color.a * axis(v_world.x / u_spacing, pixel.x)), color);
    color.a *= fade;
    o_color = over(color, vec4(vec3(0.0), shadow()));
}
