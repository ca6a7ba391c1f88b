//! The overlay of the rig mode: its buttons, the joints and the name of the hovered one, and a line that says what the mouse does.

use crate::editor::gesture::screen::Screen;
use crate::editor::ops::rigging::Placing;
use crate::editor::panels::ui::prelude::*;
use crate::editor::panels::view::axis_ball::axis_ball;
use crate::editor::panels::view::limits::limits;
use crate::editor::panels::view::mode_bar::{ButtonRow, hint};
use crate::editor::panels::view::sight::{Sight, label};
use crate::editor::panels::view::viewport::rendered;
use crate::editor::session::paint::BrushValue;
use crate::editor::session::rig::{RigAction, RigDesk};
use glam::{Vec2, Vec3};
use imgui::TextureId;
use keypose_tools::posed_mesh::PosedMesh;
use keypose_tools::rig::vertex::{VertexRef, place_of};

/// The radius of a joint in points.
const JOINT: f32 = 4.0;

/// Draws the view from beside in an area. Markers are dragged there as in the main view; everything else is only looked at.
pub fn rig_from_beside(ui: &Ui<'_>, desk: &RigDesk, area: Rect, scale: f32, picture: Option<TextureId>) {
    rendered(ui, picture, area);
    let orbit = ui.session.focus.camera.from_beside();
    let size = Vec2::from(area.size().map(f32::floor)) * scale;
    let sight = Sight { area, screen: Screen { camera: orbit.camera(), size }, scale, is_main: false };
    match &desk.placing {
        Some(placing) => {
            markers(ui, placing, &sight);
            drag_markers(ui, placing, &sight);
        }
        None => {
            joints(ui, desk, &sight);
            vertices(ui, desk, &sight);
        }
    }
    let name = if orbit.yaw.sin().abs() > 0.5 { "Side" } else { "Front" };
    ui.text_in(Rect::at([area.max[0] - 72.0, area.min[1] + 10.0], [60.0, 24.0]), Align::Right, ui.theme.quiet, name);
}

/// Draws the overlay: over the view that takes the mouse, and, of `whole`, over both; `scale` is pixels per point. Returns whether the
/// mouse is over it.
pub fn rig_ui(ui: &Ui<'_>, desk: &RigDesk, (area, whole): (Rect, Rect), scale: f32) -> bool {
    let sight = Sight::main(ui, area, scale);
    match &desk.placing {
        Some(placing) => markers(ui, placing, &sight),
        None => {
            joints(ui, desk, &sight);
            if !desk.paint.is_on {
                limits(ui, &sight, true);
            }
            vertices(ui, desk, &sight);
        }
    }
    if let Some(line) = ui.editor.gesture.as_ref().and_then(|gesture| gesture.paint()?.line()) {
        let [from, to] = line.map(|pixel| sight.of_pixel(pixel));
        ui.line(from, to, ui.theme.text, 2.0);
    }
    sight.selection_box(ui);
    let is_over_ball = axis_ball(ui, [area.max[0] - 54.0, area.min[1] + if area == whole { 54.0 } else { 86.0 }]);
    let mut row = ButtonRow::new(ui, whole, 10.0);
    let tone = |is_on: bool| if is_on { Tone::On } else { Tone::Clear };
    row.command("Leave rig", Command::RigMode, Tone::On);
    row.command("Front", Command::LookFront, Tone::Clear);
    row.command("Side", Command::LookRight, Tone::Clear);
    row.command("Mirror X", Command::RigMirror, tone(desk.is_mirrored));
    row.command("Weights", Command::ShadeWeights, tone(ui.is_on(Command::ShadeWeights)));
    row.command("All bones", Command::ShadeBoneColors, tone(ui.is_on(Command::ShadeBoneColors)));
    row.command("Paint", Command::PaintWeights, tone(desk.paint.is_on));
    if desk.paint.is_on {
        row.command("Posed", Command::PaintPosed, tone(desk.paint.is_posed));
    }
    match &desk.placing {
        Some(_) => hint(
            ui,
            &format!("Drag markers onto the joints     {}  make rig     Esc  cancel", ui.key_of(Command::MakeRig)),
            whole,
        ),
        None => hint(ui, &text(ui, desk), whole),
    }
    row.is_over | is_over_ball
}

/// Draws the joints: the selected ones filled in their colour, and the name of the hovered one. Those of locked bones are dim.
fn joints(ui: &Ui<'_>, desk: &RigDesk, sight: &Sight) {
    let Some(model) = ui.model() else { return };
    for bone in model.skeleton.indices().filter(|bone| !ui.session.focus.hidden.contains(bone)) {
        let head = ui.view.pose.get(bone).translation();
        let Some(at) = sight.on_screen(head).filter(|at| sight.area.shrunk(6.0).contains(*at)) else { continue };
        let is_hovered = ui.session.transient.hover == Some(bone);
        let is_selected = ui.session.focus.selection.has_bone(bone);
        let is_locked = desk.paint.is_on && desk.paint.locked.contains(bone_name(&model.skeleton, bone));
        let ink = match (is_locked, is_selected) {
            (true, _) => ui.theme.dim,
            (_, true) => ui.theme.selected,
            (_, false) => ui.theme.accent,
        };
        ui.dot(at, if is_hovered { JOINT + 2.5 } else { JOINT + 1.5 }, ui.theme.ground);
        ui.dot(at, if is_hovered { JOINT + 1.0 } else { JOINT }, ink);
        sight.mark(ui, || format!("joint: {}", bone_name(&model.skeleton, bone)), Rect::around(at, [2.0 * JOINT; 2]));
        if is_hovered {
            label(ui, at, bone_name(&model.skeleton, bone));
        }
    }
}

/// Maximum number of drawn vertices of a problem.
const MAX_MARKED: usize = 500;

/// Draws the vertices of the problem that was clicked, and the one whose weights the panel shows.
fn vertices(ui: &Ui<'_>, desk: &RigDesk, sight: &Sight) {
    let Some(model) = ui.model() else { return };
    let draw = |at: VertexRef, radius: f32, ink: Color| {
        let place = if desk.paint.shows_pose() { posed_place(ui, model, at) } else { place_of(model, at) };
        let seen = place.and_then(|place| sight.on_screen(place)).filter(|at| sight.area.contains(*at));
        let Some(at) = seen else { return };
        ui.dot(at, radius + 2.0, ui.theme.ground);
        ui.dot(at, radius, ink);
    };
    desk.marked.iter().take(MAX_MARKED).for_each(|at| draw(*at, 1.5, ui.theme.hurt));
    desk.vertex.into_iter().for_each(|at| draw(at, 3.0, ui.theme.text));
}

/// The place of a vertex in the pose on screen.
fn posed_place(ui: &Ui<'_>, model: &Model, at: VertexRef) -> Option<Vec3> {
    let mesh = &model.meshes.get(at.mesh)?.mesh;
    (at.vertex < mesh.positions.len()).then(|| PosedMesh::new(model, mesh, &ui.view.pose).position(at.vertex))
}

/// The radius of a marker in points.
const MARKER: f32 = 7.0;

/// Draws the bones as they would be, and the markers: those of the right side hollow, because they follow the left ones.
fn markers(ui: &Ui<'_>, placing: &Placing, sight: &Sight) {
    for [from, to] in &placing.bones {
        if let (Some(from), Some(to)) = (sight.on_screen(*from), sight.on_screen(*to)) {
            ui.line(from, to, ui.theme.selected, 2.0);
        }
    }
    for (name, at) in &placing.markers {
        let Some(at) = sight.on_screen(*at).filter(|at| sight.area.shrunk(6.0).contains(*at)) else { continue };
        let is_hot = placing.hot.as_ref() == Some(name);
        let radius = if is_hot { MARKER + 1.5 } else { MARKER };
        ui.dot(at, radius, ui.theme.accent);
        if name.ends_with(".R") {
            ui.dot(at, radius - 2.5, ui.theme.ground);
        }
        sight.mark(ui, || format!("marker: {name}"), Rect::around(at, [2.0 * MARKER; 2]));
        if is_hot {
            label(ui, at, name);
        }
    }
}

/// Lets markers be dragged in a view that is not the main one.
fn drag_markers(ui: &Ui<'_>, placing: &Placing, sight: &Sight) {
    let mouse = Vec2::from(ui.io().mouse_pos) - Vec2::from(sight.area.min);
    for (name, marker) in &placing.markers {
        let Some(at) = sight.on_screen(*marker).filter(|at| sight.area.shrunk(6.0).contains(*at)) else { continue };
        ui.button_in(&format!("beside-{name}"), Rect::around(at, [2.0 * MARKER; 2]));
        let is_held = ui.is_item_active();
        if ui.is_item_hovered() || is_held {
            ui.dot(at, MARKER + 1.5, ui.theme.accent);
            label(ui, at, name);
        }
        if is_held
            && Vec2::from(ui.io().mouse_delta) != Vec2::ZERO
            && let Some(to) = sight.screen.in_view_plane(mouse * sight.scale, *marker)
        {
            ui.send(RigAction::MoveMarker { name: name.clone(), to });
        }
    }
}

/// The text about the running drag, or about a click at this place.
fn text(ui: &Ui<'_>, desk: &RigDesk) -> String {
    if let Some(text) = ui.editor.gesture.as_ref().and_then(|gesture| gesture.status()) {
        return text;
    }
    if let Some(adjusted) = desk.paint.adjusted {
        let brush = desk.paint.brush;
        return match adjusted.value {
            BrushValue::Radius => format!("Radius {:.0}     Click  confirm     Esc  cancel", brush.radius),
            BrushValue::Strength => format!("Strength {:.2}     Click  confirm     Esc  cancel", brush.strength),
        };
    }
    if desk.paint.is_on {
        let bone = ui.session.focus.selection.active_bone().and_then(|bone| ui.model()?.skeleton.get(bone));
        return match bone {
            Some(bone) => format!("Drag to paint {}     Ctrl  subtract     Shift  smooth", bone.name),
            None => "Ctrl+Shift+click selects the bone to paint".to_owned(),
        };
    }
    let (extrude, add) = (ui.key_of(Command::ExtrudeBone), ui.key_of(Command::AddBone));
    match (ui.session.transient.hover, ui.session.focus.selection.bones.is_empty()) {
        (Some(_), _) => "Drag to move the joint     Ctrl  into the mesh".to_owned(),
        (None, true) => format!("Click a joint to select it     {add}  add a root     Esc  leave"),
        (None, false) => format!("{extrude}  extrude a child     Esc  leave"),
    }
}

/// The entries of the context menu.
pub fn rig_menu(ui: &Ui<'_>) {
    menu::commands(
        ui,
        &[
            &[Command::ExtrudeBone, Command::AddBone, Command::MoveJoints, Command::CenterJoints],
            &[Command::SplitBone, Command::MirrorBones, Command::ParentBones, Command::UnparentBones],
            &[Command::RenameBone, Command::DeleteBones],
        ],
    );
}
