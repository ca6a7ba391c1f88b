//! Templates of skeletons in the rig mode: their markers on the mesh, and the rig that they become.

use crate::editor::commands::needs;
use crate::editor::gesture::screen::Screen;
use crate::editor::ops::rigging::{Parts, Placing, RigWork, Task};
use crate::editor::session::camera::Look;
use crate::editor::session::pointer::{PointerEvent, PointerKind};
use crate::editor::session::rig::RigDesk;
use crate::editor::state::Editor;
use crate::editor::update::{error, info, rig, transaction, view};
use glam::{Vec2, Vec3};
use keypose::assets::model::Model;
use keypose_tools::rig::fit::needs_bones;
use keypose_tools::rig::template::Template;
use keypose_tools::rig::weights::Options;

/// The distance in points within which a marker is hit.
const MARKER_POINTS: f32 = 14.0;

/// Places the markers of a template where the meshes propose them.
pub fn place(editor: &mut Editor, name: &str) {
    let (Some(model), Some(template)) = (editor.model().cloned(), Template::named(name)) else {
        return info(editor, needs::NO_MODEL);
    };
    if let Some(reason) = refusal(&model) {
        return info(editor, reason);
    }
    rig::open(editor);
    rig::work(editor, RigWork { model, options: Options::default(), task: Task::Place(template) });
}

/// Shows the markers that were found, from the front.
pub fn placed(editor: &mut Editor, placing: Box<Placing>) {
    rig::open(editor);
    view::look_from(editor, Look::Front);
    change(editor, |desk| desk.placing = Some(placing));
}

/// Moves a marker of the open template, with that of the other side.
pub fn move_marker(editor: &mut Editor, name: &str, to: Vec3) {
    let Some(placing) = placing(editor) else { return info(editor, needs::NO_TEMPLATE) };
    if !placing.markers.contains_key(name) {
        let names: Vec<&str> = placing.markers.keys().map(String::as_str).collect();
        return error(editor, format!("\"{name}\" is no marker; these are {}.", names.join(", ")));
    }
    change(editor, |desk| {
        let is_mirrored = desk.is_mirrored;
        if let Some(placing) = &mut desk.placing {
            placing.move_marker(name, to, is_mirrored);
        }
    });
}

/// Closes the template.
pub fn cancel(editor: &mut Editor) {
    change(editor, |desk| desk.placing = None);
}

/// Gives the model the skeleton of the template and automatic weights, in one undo step.
pub fn make(editor: &mut Editor) {
    transaction::commit(editor);
    let Some(model) = editor.model().cloned() else { return info(editor, needs::NO_MODEL) };
    let Some((desk, placing)) =
        editor.session.transient.scene.rig().and_then(|desk| Some((desk, desk.placing.clone()?)))
    else {
        return info(editor, needs::NO_TEMPLATE);
    };
    if let Some(reason) = refusal(&model) {
        return error(editor, format!("{}: {reason}", model.name));
    }
    let parts = if desk.has_rigid_parts { Parts::Proposed } else { Parts::Smooth };
    let work = RigWork { model, options: desk.weights, task: Task::Make(placing, parts) };
    rig::work(editor, work);
}

/// Why a model gets no new skeleton.
pub(super) fn refusal(model: &Model) -> Option<String> {
    let what = needs_bones(model)?;
    Some(format!("The model has {what}, which a new skeleton would lose. Add bones to its own skeleton instead."))
}

fn change(editor: &mut Editor, change: impl FnOnce(&mut RigDesk)) {
    if let Some(desk) = editor.session.transient.scene.rig_mut() {
        change(desk);
    }
}

/// Handles the mouse over the viewport while markers are placed. They move in the plane of the view.
pub fn pointer(editor: &mut Editor, event: &PointerEvent) {
    let screen = Screen::of(&editor.session);
    let reach = MARKER_POINTS * editor.session.workspace.pixels_per_point;
    let moved = match (event.kind, placing(editor)) {
        (PointerKind::Moved, Some(placing)) if placing.is_held => {
            let name = placing.hot.clone();
            name.and_then(|name| Some((screen.in_view_plane(event.pixel, *placing.markers.get(&name)?)?, name)))
        }
        _ => None,
    };
    if let Some((to, name)) = moved {
        return move_marker(editor, &name, to);
    }
    change(editor, |desk| {
        let Some(placing) = &mut desk.placing else { return };
        match event.kind {
            PointerKind::Moved if placing.is_held => {}
            PointerKind::Moved => placing.hot = marker_at(placing, &screen, event.pixel, reach),
            PointerKind::Pressed | PointerKind::DoubleClicked => {
                placing.hot = marker_at(placing, &screen, event.pixel, reach);
                placing.is_held = placing.hot.is_some();
            }
            PointerKind::Released => placing.is_held = false,
            PointerKind::Exited => placing.hot = placing.hot.take().filter(|_| placing.is_held),
            PointerKind::MenuClicked => {}
        }
    });
}

fn placing(editor: &Editor) -> Option<&Placing> {
    editor.session.transient.scene.rig()?.placing.as_deref()
}

/// The marker within a distance in pixels.
fn marker_at(placing: &Placing, screen: &Screen, pixel: Vec2, reach: f32) -> Option<String> {
    screen.nearest(placing.markers.iter().map(|(name, at)| (name, *at)), pixel, reach).cloned()
}
