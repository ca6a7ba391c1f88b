//! The lane of a reference film above the poses: small frames at their times, over which the playhead is dragged.

use std::ops::Range;

use crate::editor::panels::timeline::panel::ClipLayout;
use crate::editor::panels::timeline::ruler;
use crate::editor::panels::ui::prelude::*;
use keypose::assets::model::Visibility;
use keypose::assets::reference::{Film, Reference};

/// Height of the frames, in points.
const HEIGHT: f32 = 44.0;
/// Width of a frame in heights.
const WIDTHS: [f32; 2] = [0.5, 2.5];

/// The film of the lane: that of the picked reference, or the first one. Hidden films have none.
fn film<'m>(ui: &Ui<'m>) -> Option<(&'m Reference, &'m Film)> {
    let references = &ui.model()?.references;
    let shown = |reference: &'m Reference| {
        reference.film.as_ref().filter(|_| reference.visibility == Visibility::Shown).map(|film| (reference, film))
    };
    let picked = references.get(ui.session.focus.reference).and_then(|reference| shown(reference));
    picked.or_else(|| references.iter().find_map(|reference| shown(reference)))
}

/// Draws the lane at the top of the area, if the model has a film: each frame at its start, or where there is no room for each, the
/// frames at even distances.
pub fn film_ui(ui: &Ui<'_>, layout: &mut ClipLayout<'_>) {
    let Some((reference, film)) = film(ui) else { return };
    let lane = layout.area.cut_top(HEIGHT, 4.0);
    let layout = &*layout;
    layout.lane_ui(ui, lane, "Film");
    ruler::scrub_ui(ui, layout, "film-lane", lane);
    ui.tip(reference.name(), "drag to move the playhead");
    let image = &reference.image;
    let ratio = image.width as f32 / image.height.max(1) as f32;
    let width = HEIGHT * ratio.clamp(WIDTHS[0], WIDTHS[1]);
    let (start, end) = (layout.scale.x(Time::ZERO), layout.scale.x(layout.clip.length()).min(lane.max[0]));
    let first = ((lane.min[0] - start) / width).floor().max(0.0);
    let lefts = (0..).map(|at| start + (first + at as f32) * width).take_while(|left| *left < end);
    let mut last = None;
    sys::clipped(ui.imgui, lane.with_x(lane.min[0], end.max(lane.min[0])), || {
        for left in lefts {
            let time = layout.scale.time(left).max(Time::ZERO);
            let Some(frame) = ui.editor.caches.films.small(film, time) else { continue };
            let is_repeated = last.replace(frame.times.start) == Some(frame.times.start);
            let Some(picture) = frame.image.filter(|_| !is_repeated).and_then(|image| ui.picture(&image)) else {
                continue;
            };
            let [from, to] = shown(layout, film, &frame.times);
            let left = if to - from < width { left } else { from };
            let rect = lane.with_x(left, left + width - 1.0);
            ui.draw().add_image(picture, rect.min, rect.max).build();
            ui.mark(|| format!("film frame at {:.2} s", time.secs()), rect);
        }
    });
}

/// Where a frame of the film begins and ends on the screen, within the timeline.
fn shown(layout: &ClipLayout<'_>, film: &Film, times: &Range<Time>) -> [f32; 2] {
    let whole = [film.time_at(Time::ZERO), film.time_at(layout.shown)];
    [times.start, times.end].map(|time| {
        let secs = time.clamp(whole[0], whole[1]).secs() / f64::from(film.speed) + f64::from(film.offset);
        layout.scale.x(Time::from_secs(secs))
    })
}
