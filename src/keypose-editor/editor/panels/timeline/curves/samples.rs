//! Baked samples over the curves: a dot for each tick of the game, and the largest error of the bake.

use std::sync::Arc;

use crate::editor::panels::timeline::curves::Graph;
use crate::editor::panels::ui::prelude::*;
use keypose::anim::bake::BakedClip;
use keypose::anim::bake::measure::Reach;
use keypose::anim::pose::LocalPose;
use keypose_tools::lengths::length_text;

/// Minimum distance between dots, in points; in a long clip, ticks are left out.
const SPACING: f32 = 6.0;
/// Maximum number of curves with dots: more are a thicket.
const MAX_LINES: usize = 9;
/// Maximum number of ticks from the start of the clip that are looked through.
const MAX_DOTS: i64 = 100_000;

/// Draws the dots and the largest error, once the clip is baked.
pub fn draw(ui: &Ui<'_>, graph: &Graph<'_>) {
    let (Some(model), Some(clip)) = (ui.model(), ui.clip()) else { return };
    let Some(baked) = ui.editor.caches.bakes.ready(clip, model) else { return };
    let text = format!("largest error {}", largest_error(ui, model, &baked));
    let place = graph.area.inset(8.0, 4.0).top(14.0);
    {
        let _font = ui.with_font(ui.fonts.small);
        ui.fill(place.right(ui.calc_text_size(&text)[0] + 4.0), faded(ui.theme.ground, 0.8), 3.0);
        ui.text_in(place, Align::Right, ui.theme.quiet, &text);
    }
    if graph.lines.len() > MAX_LINES {
        return;
    }
    let poses = poses(model, &baked, graph);
    for lines in graph.lines.chunk_by(|a, b| std::ptr::eq(a.of, b.of)) {
        let of = lines[0].of;
        let shown = of.shown_of(poses.iter().map(|(time, pose)| (*time, pose.value(of.bone, of.channel))));
        for line in lines {
            for ((time, _), shown) in poses.iter().zip(&shown) {
                let at = [graph.scale.x(*time), line.y(shown[line.axis], graph.area)];
                if graph.area.contains(at) {
                    ui.dot(at, 1.0, ui.theme.text);
                }
            }
        }
    }
}

/// The poses on the ticks of the game that are in view.
fn poses(model: &Model, baked: &BakedClip, graph: &Graph<'_>) -> Vec<(Time, LocalPose)> {
    let points_per_tick = (graph.scale.points_per_sec * Time::TICK.secs()) as f32;
    let every = Time::TICK * (SPACING / points_per_tick).ceil().max(1.0) as i64;
    let [left, right] = [graph.area.min[0], graph.area.max[0]].map(|x| graph.scale.time(x));
    let times = (0..MAX_DOTS).map(|at| every * at).take_while(|time| *time <= baked.length.min(right));
    let mut pose = model.skeleton.rest_pose();
    let posed = |time: Time| {
        baked.sample(time, &mut pose);
        (time, pose.clone())
    };
    times.filter(|time| *time >= left).map(posed).collect()
}

/// The largest error of a baked clip, at the character's size in the game: "0.02 mm".
pub fn largest_error(ui: &Ui<'_>, model: &Arc<Model>, baked: &BakedClip) -> String {
    let size = Reach::of(&model.skeleton).model_size * ui.editor.caches.root_speeds.fit(model).scale;
    length_text(baked.report().max_error * size)
}
