//! Drawing over the viewport with Dear ImGui: the gizmo, the selection box, pins and bone names.

use glam::Vec2;

use crate::editor::gesture::gizmo;
use crate::editor::gesture::gizmo::Form;
use crate::editor::panels::ui::prelude::*;
use crate::editor::panels::ui::theme::Theme;
use crate::editor::panels::view::balance;
use crate::editor::panels::view::limits::limits;
use crate::editor::panels::view::sight::Sight;
use crate::editor::session::tool::Tool;
use crate::editor::view::View;
use crate::editor::view::scene;
use crate::editor::view::volumes::{self, Side};
use crate::render::frame::bounds::Aabb;

/// Maximum number of names; more would be unreadable.
const MAX_NAMES: usize = 120;

/// Draws the overlay; `scale` is pixels per point.
pub fn over_picture(ui: &Ui<'_>, area: Rect, scale: f32) {
    if ui.session.is_in_motion() {
        return;
    }
    let sight = Sight::main(ui, area, scale);
    let list = ui.draw();
    list.with_clip_rect_intersect(area.min, area.max, || drop_in(ui, &list, &sight));
    drop(list);
    sight.selection_box(ui);
    if ui.session.is_posable() {
        pins(ui, &sight);
        let rotates = ui.session.workspace.tool == Tool::Rotate;
        if rotates && ui.session.is_on(Switch::JointLimits) && ui.session.is_on(Switch::Overlays) {
            limits(ui, &sight, false);
        }
    }
    if ui.session.is_on(Switch::Volumes) && ui.session.is_on(Switch::Overlays) && ui.session.shows_clip() {
        volume_labels(ui, &sight);
    }
    balance::label(ui, &sight);
    if ui.session.is_on(Switch::BoneNames) && ui.session.is_on(Switch::Overlays) {
        names(ui, &sight);
    }
}

fn drop_in(ui: &Ui<'_>, list: &imgui::DrawListMut<'_>, sight: &Sight) {
    let on_screen = |pixel: &Vec2| sight.of_pixel(*pixel);
    for shape in gizmo::shapes(ui.editor.gesture.as_ref(), ui.session, ui.view) {
        let color = on_theme(ui, shape.color.to_array());
        match &shape.form {
            Form::Line { points, width } => {
                let points: Vec<[f32; 2]> = points.iter().map(on_screen).collect();
                list.add_polyline(points, color).thickness(width / sight.scale).build();
            }
            Form::Area { points } => {
                let points: Vec<[f32; 2]> = points.iter().map(on_screen).collect();
                list.add_polyline(points, color).filled(true).build();
            }
        }
    }
    if let Some(path) = ui.editor.gesture.as_ref().and_then(|gesture| gesture.path()) {
        let points: Vec<[f32; 2]> = path.line().iter().map(on_screen).collect();
        list.add_polyline(points, ui.theme.accent).thickness(2.5).build();
    }
}

/// Draws a pin at every pinned bone. During a gesture it stays at the pinned position, with a line to a bone that
/// can't reach it.
fn pins(ui: &Ui<'_>, sight: &Sight) {
    if ui.session.focus.pins.is_empty() || !ui.session.is_on(Switch::Overlays) {
        return;
    }
    let base = ui.editor.gesture.as_ref().map(|gesture| View::of(&gesture.base, ui.session, &ui.editor.caches.bakes));
    let on_screen = |view: &View, bone| {
        let at = sight.on_screen(view.pose.get(bone).translation())?;
        sight.area.shrunk(6.0).contains(at).then_some(at)
    };
    for &bone in &ui.session.focus.pins {
        let held = on_screen(base.as_ref().unwrap_or(ui.view), bone);
        let (Some(held), Some(now)) = (held, on_screen(ui.view, bone)) else { continue };
        if (held[0] - now[0]).hypot(held[1] - now[1]) > 3.0 {
            ui.line(held, now, ui.theme.draft, 1.5);
        }
        ui.dot(held, 9.0, faded(ui.theme.ground, 0.75));
        let rect = Rect::around(held, [18.0; 2]);
        ui.text_in(rect, Align::Center, ui.theme.text, &icon(Icon::Pin));
    }
}

/// Draws the labels of what hits and of what is struck, beside the figures, with lines to the ends of the volumes.
fn volume_labels(ui: &Ui<'_>, sight: &Sight) {
    let Some(figures) = volumes::figures(ui.editor.source(), ui.view) else { return };
    let around = |figure: Aabb| {
        let corners = figure.corners().into_iter().filter_map(|corner| sight.on_screen(corner));
        let corners = corners.map(|at| Rect::at(at, [0.0; 2]));
        corners.reduce(|a, b| a.union(&b))
    };
    let [Some(own), Some(other)] = figures.map(around) else { return };
    let mut taken: Vec<Rect> = Vec::new();
    for label in volumes::labels(ui.editor.source(), ui.view) {
        let Some(end) = sight.on_screen(label.at) else { continue };
        let widths = [&label.name, &label.detail].map(|text| ui.calc_text_size(text)[0]);
        let size = [widths[0] + widths[1] + 26.0, 24.0];
        let at = match label.side {
            Side::Above => [end[0] - size[0] * 0.5, own.min[1].min(other.min[1]) - size[1] - AWAY],
            Side::Below => [end[0] - size[0] * 0.5, own.max[1].max(other.max[1]) + AWAY],
            Side::Beyond if other.center()[0] < own.center()[0] => [other.min[0] - size[0] - AWAY, end[1] - 12.0],
            Side::Beyond => [other.max[0] + AWAY, end[1] - 12.0],
        };
        // Also of an end beyond the edge.
        let low = [sight.area.min[0] + BESIDE_TOOLS, sight.area.min[1] + 44.0];
        let high = [sight.area.max[0] - size[0] - 8.0, sight.area.max[1] - size[1] - 44.0];
        let mut place = Rect::at([0, 1].map(|axis| at[axis].min(high[axis]).max(low[axis])), size);
        while let Some(other) = taken.iter().find(|other| other.overlaps(&place)) {
            place = Rect::at([place.min[0], other.max[1] + 2.0], size);
        }
        taken.push(place);
        let near = [end[0].clamp(place.min[0], place.max[0]), end[1].clamp(place.min[1], place.max[1])];
        ui.line(near, end, faded(ui.theme.text, 0.5), 1.0);
        ui.fill(place, faded(ui.theme.ground, 0.88), 5.0);
        let mut inner = place.inset(9.0, 0.0);
        ui.text_in(inner.cut_left(widths[0] + 1.0, 7.0), Align::Left, ui.theme.text, &label.name);
        ui.text_in(inner, Align::Left, ui.theme.quiet, &label.detail);
        ui.mark(|| format!("volume label: {} {}", label.name, label.detail), place);
    }
}

/// Distance of a label from the figures.
const AWAY: f32 = 10.0;
/// Distance of a label from the left edge, where the tools are.
const BESIDE_TOOLS: f32 = 52.0;

/// Turns white lines dark on a light background.
fn on_theme(ui: &Ui<'_>, color: [f32; 4]) -> [f32; 4] {
    let is_white = color[..3].iter().all(|part| *part > 0.85);
    if is_white && scene::is_light(ui.session) { faded(Theme::light().text, color[3] * 0.8) } else { color }
}

fn names(ui: &Ui<'_>, sight: &Sight) {
    let Some(model) = ui.model() else { return };
    let _font = ui.with_font(ui.fonts.small);
    let bones = model.skeleton.indices().filter(|bone| !ui.session.focus.hidden.contains(bone));
    let places = bones.filter_map(|bone| {
        let place = sight.on_screen(ui.view.pose.get(bone).translation())?;
        let at = [place[0] + 7.0, place[1] - 8.0];
        sight.area.shrunk(8.0).contains(at).then_some((bone, at))
    });
    for (bone, at) in places.take(MAX_NAMES) {
        let name = bone_name(&model.skeleton, bone);
        let rect = Rect::at(at, [ui.calc_text_size(name)[0].min(sight.area.max[0] - at[0]), 16.0]);
        let is_selected = ui.session.focus.selection.has_bone(bone);
        ui.fill(rect.with_x(rect.min[0] - 3.0, rect.max[0] + 3.0), faded(ui.theme.ground, 0.55), 3.0);
        ui.text_in(rect, Align::Left, if is_selected { ui.theme.selected } else { ui.theme.text }, name);
    }
}
