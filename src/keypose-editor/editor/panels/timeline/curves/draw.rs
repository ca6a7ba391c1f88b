//! Drawing of curves, keys and tangents.

use glam::Vec3;

use crate::editor::ops::curves::channel_id;
use crate::editor::panels::timeline::curves::{Graph, Line};
use crate::editor::panels::ui::prelude::*;

/// Distance between samples of a curve, in points.
const STEP: f32 = 3.0;

/// Width of the axis with the values, left of the curves.
pub const AXIS: f32 = 54.0;

/// Draws everything.
pub fn draw(ui: &Ui<'_>, graph: &Graph<'_>) {
    if !ui.session.is_on(Switch::Normalised) {
        values(ui, graph);
    }
    let [from, to] = [graph.area.min[0], graph.area.max[0]];
    let xs: Vec<f32> = (0..=((to - from) / STEP) as usize).map(|at| from + at as f32 * STEP).collect();
    let length = graph.clip.length();
    for lines in graph.lines.chunk_by(|a, b| std::ptr::eq(a.of, b.of)) {
        let times = xs.iter().map(|&x| graph.scale.time(x).clamp(Time::ZERO, length));
        let samples = lines[0].of.sample(times);
        for line in lines {
            let point = |(x, shown): (&f32, &glam::Vec3)| [*x, line.y(shown[line.axis], graph.area)];
            let points: Vec<[f32; 2]> = xs.iter().zip(&samples).map(point).collect();
            let draw = ui.draw();
            draw.with_clip_rect_intersect(graph.area.min, graph.area.max, || {
                draw.add_polyline(points, faded(ui.theme.axes[line.axis], 0.9)).thickness(1.6).build();
            });
        }
    }
    for line in &graph.lines {
        keys(ui, graph, line);
    }
}

/// Draws the grid of values, with their numbers left of it.
fn values(ui: &Ui<'_>, graph: &Graph<'_>) {
    let Some(line) = graph.lines.first() else { return };
    let (min, max) = line.range;
    let step = value_step(max - min, graph.area.height());
    if !(step.is_finite() && step > 0.0) {
        return;
    }
    let digits = (-step.log10().floor()).clamp(0.0, 5.0) as usize;
    let is_angle = graph.lines.iter().all(|line| line.of.channel == Channel::Rotation);
    let unit = if is_angle { "°" } else { "" };
    let _font = ui.with_font(ui.fonts.small);
    let first = (min / step).ceil();
    for value in (0..64).map(|at| (first + at as f32) * step).take_while(|value| *value <= max) {
        let y = line.y(value, graph.area).round();
        ui.line([graph.area.min[0], y], [graph.area.max[0], y], faded(ui.theme.line, 0.8), 1.0);
        if y > graph.area.min[1] + 6.0 && y < graph.area.max[1] - 6.0 {
            let place = Rect::at([graph.area.min[0] - AXIS, y - 7.0], [AXIS - 7.0, 14.0]);
            let value = if value == 0.0 { 0.0 } else { value };
            ui.text_in(place, Align::Right, ui.theme.quiet, &format!("{value:.digits$}{unit}"));
        }
    }
}

/// The distance between lines of the grid: 1, 2 or 5 times a power of ten, at least 28 points.
fn value_step(range: f32, height: f32) -> f32 {
    let min = range / (height / 28.0).max(1.0);
    let exponent = min.log10().floor();
    let power = 10.0_f32.powf(exponent);
    [1.0, 2.0, 5.0].map(|by| by * power).into_iter().find(|step| *step >= min).unwrap_or(power * 10.0)
}

/// Draws the keys of a curve, the selected ones with their handles.
fn keys(ui: &Ui<'_>, graph: &Graph<'_>, line: &Line<'_>) {
    let area = graph.area.shrunk(-5.0);
    for key in &line.of.keys {
        let Some(at) = place(graph, line, key.keyframe).filter(|at| area.contains(*at)) else { continue };
        let reference = line.key_ref(key.keyframe);
        let is_selected = ui.session.focus.selection.keys.contains(&reference);
        let id =
            || format!("curve-key-{}-{}-{}-{}", line.of.bone, channel_id(line.of.channel), line.axis, key.keyframe);
        ui.mark(id, Rect::around(at, [10.0, 10.0]));
        if is_selected {
            draw_handles(ui, graph, line, key.keyframe);
        }
        let color = if is_selected { ui.theme.selected_key } else { ui.theme.axes[line.axis] };
        ui.diamond(at, if is_selected { 5.5 } else { 4.0 }, color, true);
    }
}

/// Draws the handles of a key.
fn draw_handles(ui: &Ui<'_>, graph: &Graph<'_>, line: &Line<'_>, keyframe: usize) {
    let Some(at) = place(graph, line, keyframe) else { return };
    for (side, handle) in handles(graph, line, keyframe).into_iter().enumerate() {
        let Some([from, handle]) = handle else { continue };
        if from[0] != at[0] {
            ui.diamond(from, 4.5, ui.theme.selected_key, false);
        }
        let draw = ui.draw();
        draw.with_clip_rect_intersect(graph.area.min, graph.area.max, || {
            draw.add_line(from, handle, faded(ui.theme.text, 0.55)).build();
            draw.add_circle(handle, 5.0, ui.theme.panel).filled(true).build();
            draw.add_circle(handle, 5.0, ui.theme.text).thickness(1.5).build();
        });
        drop(draw);
        ui.mark(|| format!("handle-{}-{keyframe}-{side}", line.axis), Rect::around(handle, [8.0, 8.0]));
    }
}

/// The position of a key.
pub fn place(graph: &Graph<'_>, line: &Line<'_>, keyframe: usize) -> Option<[f32; 2]> {
    let key = line.of.key(keyframe)?;
    Some([graph.scale.x(key.time), line.y(key.shown[line.axis], graph.area)])
}

/// The positions of a key's handles, before and after it: where each begins, and its end. That before the first key of a loop begins at
/// the end of the loop.
pub fn handles(graph: &Graph<'_>, line: &Line<'_>, keyframe: usize) -> [Option<[[f32; 2]; 2]>; 2] {
    line.of.handles(keyframe).map(|handle| {
        let handle = handle?;
        let (x, per_sec) = (graph.scale.x(handle.time), graph.scale.points_per_sec as f32);
        let y = |shown: Vec3| line.y(shown[line.axis], graph.area);
        Some([[x, y(handle.at)], [x + handle.secs() * per_sec, y(handle.end())]])
    })
}
