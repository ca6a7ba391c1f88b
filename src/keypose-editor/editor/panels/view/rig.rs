//! The overlay of the rig mode: its buttons, the joints and the name of the hovered one, and a line that says what the mouse does.

use crate::editor::ops::rigging::Placing;
use crate::editor::panels::ui::prelude::*;
use crate::editor::panels::view::axis_ball::axis_ball;
use crate::editor::panels::view::limits::limits;
use crate::editor::panels::view::mode_bar::{ButtonRow, hint};
use crate::editor::session::paint::BrushValue;
use crate::editor::session::rig::RigDesk;
use glam::Vec3;
use keypose_tools::posed_mesh::PosedMesh;
use keypose_tools::rig::vertex::{VertexRef, place_of};

/// The radius of a joint in points.
const JOINT: f32 = 4.0;

/// Draws the overlay; `scale` is pixels per point. Returns whether the mouse is over it.
pub fn rig_ui(ui: &Ui<'_>, desk: &RigDesk, area: Rect, scale: f32) -> bool {
    match &desk.placing {
        Some(placing) => markers(ui, placing, area, scale),
        None => {
            joints(ui, desk, area, scale);
            if !desk.paint.is_on {
                limits(ui, area, scale, true);
            }
            vertices(ui, desk, area, scale);
        }
    }
    if let Some((from, to)) = ui.session.transient.pointer.selection_box() {
        let on_screen = |pixel: glam::Vec2| [area.min[0] + pixel.x / scale, area.min[1] + pixel.y / scale];
        ui.selection_box(Rect::spanned(on_screen(from), on_screen(to)));
    }
    let is_over_ball = axis_ball(ui, [area.max[0] - 54.0, area.min[1] + 54.0]);
    let mut row = ButtonRow::new(ui, area, 10.0);
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
            area,
        ),
        None => hint(ui, &text(ui, desk), area),
    }
    row.is_over | is_over_ball
}

/// Draws the joints: the selected ones filled in their colour, and the name of the hovered one. Those of locked bones are dim.
fn joints(ui: &Ui<'_>, desk: &RigDesk, area: Rect, scale: f32) {
    let Some(model) = ui.model() else { return };
    let camera = ui.session.focus.camera.camera();
    for bone in model.skeleton.indices().filter(|bone| !ui.session.focus.hidden.contains(bone)) {
        let head = ui.view.pose.get(bone).translation();
        let Some(pixel) = camera.pixel_of(head, ui.session.workspace.viewport) else { continue };
        let at = [area.min[0] + pixel.x / scale, area.min[1] + pixel.y / scale];
        if !area.shrunk(6.0).contains(at) {
            continue;
        }
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
        ui.mark(|| format!("joint: {}", bone_name(&model.skeleton, bone)), Rect::around(at, [2.0 * JOINT; 2]));
        if is_hovered {
            label(ui, at, bone_name(&model.skeleton, bone));
        }
    }
}

/// Maximum number of drawn vertices of a problem.
const MAX_MARKED: usize = 500;

/// Draws the vertices of the problem that was clicked, and the one whose weights the panel shows.
fn vertices(ui: &Ui<'_>, desk: &RigDesk, area: Rect, scale: f32) {
    let Some(model) = ui.model() else { return };
    let camera = ui.session.focus.camera.camera();
    let draw = |at: VertexRef, radius: f32, ink: Color| {
        let place = if desk.paint.shows_pose() { posed_place(ui, model, at) } else { place_of(model, at) };
        let pixel = place.and_then(|place| camera.pixel_of(place, ui.session.workspace.viewport));
        let Some(pixel) = pixel else { return };
        let at = [area.min[0] + pixel.x / scale, area.min[1] + pixel.y / scale];
        ui.dot(at, radius + 2.0, ui.theme.ground);
        ui.dot(at, radius, ink);
    };
    desk.marked.iter().take(MAX_MARKED).for_each(|at| draw(*at, 1.5, ui.theme.hurt));
    if let Some(line) = ui.editor.gesture.as_ref().and_then(|gesture| gesture.paint()?.line()) {
        let [from, to] = line.map(|pixel| [area.min[0] + pixel.x / scale, area.min[1] + pixel.y / scale]);
        ui.line(from, to, ui.theme.text, 2.0);
    }
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
fn markers(ui: &Ui<'_>, placing: &Placing, area: Rect, scale: f32) {
    let camera = ui.session.focus.camera.camera();
    let on_screen = |point: Vec3| {
        let pixel = camera.pixel_of(point, ui.session.workspace.viewport)?;
        Some([area.min[0] + pixel.x / scale, area.min[1] + pixel.y / scale])
    };
    for [from, to] in &placing.bones {
        if let (Some(from), Some(to)) = (on_screen(*from), on_screen(*to)) {
            ui.line(from, to, ui.theme.selected, 2.0);
        }
    }
    for (name, at) in &placing.markers {
        let Some(at) = on_screen(*at).filter(|at| area.shrunk(6.0).contains(*at)) else { continue };
        let is_hot = placing.hot.as_ref() == Some(name);
        let radius = if is_hot { MARKER + 1.5 } else { MARKER };
        ui.dot(at, radius, ui.theme.accent);
        if name.ends_with(".R") {
            ui.dot(at, radius - 2.5, ui.theme.ground);
        }
        ui.mark(|| format!("marker: {name}"), Rect::around(at, [2.0 * MARKER; 2]));
        if is_hot {
            label(ui, at, name);
        }
    }
}

/// Draws a name beside a point.
fn label(ui: &Ui<'_>, at: [f32; 2], name: &str) {
    let rect = Rect::at([at[0] + 12.0, at[1] - 10.0], [ui.calc_text_size(name)[0] + 12.0, 20.0]);
    ui.fill(rect, faded(ui.theme.ground, 0.8), 4.0);
    ui.text_in(rect, Align::Center, ui.theme.text, name);
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
