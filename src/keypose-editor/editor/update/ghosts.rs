//! The settings of ghosts and motion trails. Changing a setting also shows the ghosts that it concerns.

use std::collections::BTreeSet;

use crate::editor::session::ghosts::GhostAction;
use crate::editor::session::switch::Switch;
use crate::editor::state::Editor;
use keypose::anim::skeleton::BoneIndex;

/// The switches of ghosts.
pub const KINDS: [Switch; 3] = [Switch::GhostNeighbours, Switch::GhostMirror, Switch::GhostSaved];

/// Changes the settings of ghosts, and shows the ghosts that the change adds.
pub fn edit_ghosts(editor: &mut Editor, edit: GhostAction) {
    let open = editor.clip().map(|slot| (slot.id, slot.clip.clone()));
    let selected = editor.session.focus.selection.keyframes.clone();
    let of = open.as_ref().map(|(id, clip)| (*id, clip, &selected));
    editor.session.workspace.ghosts.edit(edit, of);
    match edit {
        GhostAction::Neighbours(_, 1..) | GhostAction::MoreNeighbours | GhostAction::Step(_) => {
            editor.session.workspace.switches.insert(Switch::GhostNeighbours);
            show_ghosts(editor);
        }
        GhostAction::TogglePinned | GhostAction::Clip(Some(_)) => show_ghosts(editor),
        GhostAction::Neighbours(_, 0)
        | GhostAction::FewerNeighbours
        | GhostAction::UnpinAll
        | GhostAction::Clip(None)
        | GhostAction::Tint(..)
        | GhostAction::Opacity(_)
        | GhostAction::Fade(_)
        | GhostAction::ResetAppearance => {}
    }
}

/// Pins the motion trails of the selected bones; unpins them if all are pinned.
pub fn pin_trails(editor: &mut Editor) {
    let session = &mut editor.session;
    let selected: BTreeSet<BoneIndex> = session.focus.selection.bones.iter().copied().collect();
    session.focus.trails = if selected.is_subset(&session.focus.trails) {
        &session.focus.trails - &selected
    } else {
        &session.focus.trails | &selected
    };
    session.workspace.switches.extend([Switch::Trails, Switch::Overlays]);
}

/// Switches ghosts on.
pub fn show_ghosts(editor: &mut Editor) {
    editor.session.workspace.switches.extend([Switch::Ghosts, Switch::Overlays]);
}
