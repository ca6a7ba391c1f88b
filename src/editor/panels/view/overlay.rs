//! What is drawn over the picture with Dear ImGui's lines: the gizmo, the box of a selection, names of bones.

use glam::Vec2;
use lucide_icons::Icon;

use crate::editor::gesture::gizmo;
use crate::editor::gesture::gizmo::Form;
use crate::editor::panels::ui::canvas::{Align, Kit, Rect, icon};
use crate::editor::panels::ui::seen::{Seen, bone_name};
use crate::editor::panels::ui::theme::{Shade, faded};
use crate::editor::panels::view::stats::stats_ui;
use crate::editor::session::switch::Switch;
use crate::editor::view::View;

/// Most names that are drawn: more can't be read.
const MOST_NAMES: usize = 120;

/// Draws all of it, within the picture; `scale` is pixels a point.
pub fn over_picture(kit: &Kit<'_>, seen: &Seen<'_>, area: Rect, scale: f32) {
    stats_ui(kit, seen, area);
    if seen.session.is_in_motion() {
        return;
    }
    let list = kit.draw();
    list.with_clip_rect_intersect(area.min, area.max, || {
        drop_in(kit, &list, seen, area, scale);
    });
    drop(list);
    if seen.session.is_posable() {
        pins(kit, seen, area, scale);
    }
    if seen.session.is_on(Switch::BoneNames) && seen.session.is_on(Switch::Overlays) {
        names(kit, seen, area, scale);
    }
}

fn drop_in(kit: &Kit<'_>, list: &imgui::DrawListMut<'_>, seen: &Seen<'_>, area: Rect, scale: f32) {
    let on_screen = |pixel: &Vec2| [area.min[0] + pixel.x / scale, area.min[1] + pixel.y / scale];
    for shape in gizmo::shapes(seen.editor.gesture.as_ref(), seen.session, seen.view) {
        let color = on_theme(kit, shape.color.to_array());
        match &shape.form {
            Form::Line { points, width } => {
                let points: Vec<[f32; 2]> = points.iter().map(on_screen).collect();
                list.add_polyline(points, color).thickness(width / scale).build();
            }
            Form::Area { points } => {
                let points: Vec<[f32; 2]> = points.iter().map(on_screen).collect();
                list.add_polyline(points, color).filled(true).build();
            }
        }
    }
    if let Some((from, to)) = seen.session.transient.pointer.selection_box() {
        let (a, b) = (on_screen(&from), on_screen(&to));
        list.add_rect(a, b, faded(kit.theme.accent, 0.15)).filled(true).build();
        list.add_rect(a, b, faded(kit.theme.accent, 0.8)).build();
    }
}

/// A pin at every pinned bone; while a pose is made, where it holds the bone, with a line where it cannot.
fn pins(kit: &Kit<'_>, seen: &Seen<'_>, area: Rect, scale: f32) {
    if seen.session.focus.pins.is_empty() || !seen.session.is_on(Switch::Overlays) {
        return;
    }
    let base =
        seen.editor.gesture.as_ref().map(|gesture| View::of(&gesture.base, seen.session, &seen.editor.caches.bakes));
    let camera = seen.session.focus.camera.camera();
    let on_screen = |view: &View, bone| {
        let pixel = camera.pixel_of(view.pose.get(bone).translation(), seen.session.workspace.viewport)?;
        let at = [area.min[0] + pixel.x / scale, area.min[1] + pixel.y / scale];
        area.shrunk(6.0).contains(at).then_some(at)
    };
    for &bone in &seen.session.focus.pins {
        let held = on_screen(base.as_ref().unwrap_or(seen.view), bone);
        let (Some(held), Some(now)) = (held, on_screen(seen.view, bone)) else { continue };
        if (held[0] - now[0]).hypot(held[1] - now[1]) > 3.0 {
            kit.line(held, now, kit.theme.draft, 1.5);
        }
        kit.draw().add_circle(held, 9.0, faded(kit.theme.ground, 0.75)).filled(true).build();
        let rect = Rect { min: [held[0] - 9.0, held[1] - 9.0], max: [held[0] + 9.0, held[1] + 9.0] };
        kit.text_in(rect, Align::Center, kit.theme.text, &icon(Icon::Pin));
    }
}

/// White lines are dark on the light theme.
fn on_theme(kit: &Kit<'_>, color: [f32; 4]) -> [f32; 4] {
    let is_white = color[..3].iter().all(|part| *part > 0.85);
    if is_white && kit.theme.shade == Shade::Light { faded(kit.theme.text, color[3] * 0.8) } else { color }
}

fn names(kit: &Kit<'_>, seen: &Seen<'_>, area: Rect, scale: f32) {
    let Some(model) = seen.model() else { return };
    let camera = seen.session.focus.camera.camera();
    let _font = kit.with_font(kit.fonts.small);
    let bones = model.skeleton.indices().filter(|bone| !seen.session.focus.hidden.contains(bone)).take(MOST_NAMES);
    for bone in bones {
        let head = seen.view.pose.get(bone).translation();
        let Some(pixel) = camera.pixel_of(head, seen.session.workspace.viewport) else { continue };
        let at = [area.min[0] + pixel.x / scale + 7.0, area.min[1] + pixel.y / scale - 8.0];
        if !area.shrunk(8.0).contains(at) {
            continue;
        }
        let name = bone_name(&model.skeleton, bone);
        let rect = Rect::at(at, [kit.calc_text_size(name)[0].min(area.max[0] - at[0]), 16.0]);
        let is_selected = seen.session.focus.selection.has_bone(bone);
        kit.fill(
            Rect { min: [rect.min[0] - 3.0, rect.min[1]], max: [rect.max[0] + 3.0, rect.max[1]] },
            faded(kit.theme.ground, 0.55),
            3.0,
        );
        kit.text_in(rect, Align::Left, if is_selected { kit.theme.accent } else { kit.theme.text }, name);
    }
}
