//! Actions on the sockets of the active model.

use crate::editor::commands::needs;
use crate::editor::document::apply::checked_name;
use crate::editor::document::edit::ModelEdit;
use crate::editor::ops::sentence::sentence;
use crate::editor::session::sockets::{SocketAction, changed};
use crate::editor::state::Editor;
use crate::editor::update::{error, info, step, step_all};
use keypose::anim::transform::Transform;
use keypose::assets::model::Socket;
use keypose::assets::project::unique_name;

/// Handles an action on sockets.
pub fn act(editor: &mut Editor, action: SocketAction) {
    match action {
        SocketAction::Pick(socket) => pick(editor, socket),
        SocketAction::Add => add(editor),
        action => match editor.socket() {
            Some(at) => change(editor, at, action),
            None => info(editor, needs::NO_SOCKET),
        },
    }
}

/// Adds a socket on the active bone, named after it.
fn add(editor: &mut Editor) {
    let Some((model, bone)) = editor.model().cloned().zip(editor.session.focus.selection.active_bone()) else {
        return info(editor, "Select a bone first.");
    };
    let bone_name = model.skeleton.get(bone).map_or("socket", |bone| bone.name.as_str());
    let name = unique_name(bone_name, |name| model.sockets.iter().any(|other| other.name == name));
    let socket = Socket { name, bone, transform: Transform::IDENTITY, attached: String::new() };
    let sockets: Vec<Socket> = model.sockets.iter().cloned().chain([socket]).collect();
    let added = sockets.len() - 1;
    let edit = ModelEdit::SetSockets { model: editor.session.focus.model, sockets };
    step(editor, "Add socket", edit);
    pick(editor, added);
}

/// Makes a socket the active one. The gizmo moves it, until a bone or a volume is selected.
fn pick(editor: &mut Editor, socket: usize) {
    let focus = &mut editor.session.focus;
    (focus.socket, focus.selection.volume, focus.selection.has_socket) = (socket, None, true);
    editor.tidy();
}

fn change(editor: &mut Editor, at: usize, action: SocketAction) {
    let Some(model) = editor.model().cloned() else { return };
    let index = editor.session.focus.model;
    let (label, edits) = match action {
        SocketAction::Rename(name) => {
            let others = || model.sockets.iter().enumerate().filter(|(other, _)| *other != at);
            match checked_name(&name, |name| others().any(|(_, socket)| socket.name == name)) {
                Ok(name) => ("Rename socket", changed(index, &model, at, |socket| socket.name = name)),
                Err(reason) => return error(editor, sentence(&reason)),
            }
        }
        SocketAction::ToBone => match editor.session.focus.selection.active_bone() {
            Some(bone) => ("Move socket to bone", changed(index, &model, at, |socket| socket.bone = bone)),
            None => return info(editor, "Select a bone first."),
        },
        SocketAction::Attach(name) => {
            ("Attach model to socket", changed(index, &model, at, |socket| socket.attached = name))
        }
        SocketAction::Remove => {
            let mut sockets = model.sockets.clone();
            sockets.remove(at);
            ("Remove socket", vec![ModelEdit::SetSockets { model: index, sockets }.into()])
        }
        SocketAction::Pick(_) | SocketAction::Add => return,
    };
    step_all(editor, label, edits);
}
