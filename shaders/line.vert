#version 330 core
// Lines of constant width. Each instance is expanded to a quad in screen space.

uniform mat4 u_clip_from_world;
uniform vec2 u_size_pixels;
uniform float u_pixels_per_point;

in vec3 a_from;
in vec3 a_to;
in vec4 a_from_color;
in vec4 a_to_color;
in float a_width;

out vec4 v_color;
out float v_off;
flat out float v_half_width;

void main() {
    vec4 from = u_clip_from_world * vec4(a_from, 1.0);
    vec4 to = u_clip_from_world * vec4(a_to, 1.0);
    // Clips the line at the near plane, because points behind the eye have no position on the screen.
    float from_depth = from.z + from.w;
    float to_depth = to.z + to.w;
    bool at_to = gl_VertexID >= 2;
    vec4 end = at_to ? to : from;
    if (from_depth < 0.0 && to_depth < 0.0) {
        gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
        return;
    }
    vec4 cut = mix(from, to, clamp((from_depth - 1e-5) / (from_depth - to_depth), 0.0, 1.0));
    if (from_depth < 0.0) {
        from = cut;
    } else if (to_depth < 0.0) {
        to = cut;
    }
    end = at_to ? to : from;

    vec2 along = (to.xy / to.w - from.xy / from.w) * u_size_pixels;
    float length_pixels = length(along);
    vec2 across = length_pixels > 1e-4 ? vec2(-along.y, along.x) / length_pixels : vec2(0.0, 1.0);
    float width = a_width * u_pixels_per_point;
    float side = (gl_VertexID & 1) == 0 ? -1.0 : 1.0;
    // Half a pixel on each side for the soft edge.
    float off = side * (max(width, 1.0) * 0.5 + 0.75);
    v_half_width = width * 0.5;
    v_color = at_to ? a_to_color : a_from_color;
    // Divided by w again in the fragment shader, so that it is linear on the screen.
    v_off = off * end.w;
    gl_Position = end + vec4(across * off * 2.0 / u_size_pixels * end.w, 0.0, 0.0);
}
