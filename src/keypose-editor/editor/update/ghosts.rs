//! The settings of ghosts and motion trails. Changing a setting also shows the ghosts that it concerns.

use std::collections::BTreeSet;

use crate::editor::session::ghosts::{Ghosts, PinnedKeyframes};
use crate::editor::session::switch::Switch;
use crate::editor::state::Editor;
use keypose::anim::skeleton::BoneIndex;

/// The switches of ghosts.
pub const KINDS: [Switch; 3] = [Switch::GhostNeighbours, Switch::GhostMirror, Switch::GhostSaved];

/// Sets the settings of ghosts, clamped to valid ranges, and shows the ghosts that the change adds.
pub fn set(editor: &mut Editor, ghosts: Ghosts) {
    let (workspace, now) = (&mut editor.session.workspace, ghosts.clamped());
    let before = std::mem::replace(&mut workspace.ghosts, now);
    let has_grown = |side: usize| now.neighbours[side] > before.neighbours[side];
    if now.step != before.step || has_grown(0) || has_grown(1) {
        show_neighbours(editor);
    } else if now.clip.is_some() && now.clip != before.clip {
        show_ghosts(editor);
    }
}

/// Pins the selected keyframes of the open clip; unpins them if all of them are pinned.
pub fn pin_keyframes(editor: &mut Editor) {
    let Some((id, clip)) = editor.clip().map(|slot| (slot.id, slot.clip.clone())) else { return };
    let session = &mut editor.session;
    let (selected, pinned) = (&session.focus.selection.keyframes, &mut session.workspace.pinned_ghosts);
    *pinned = PinnedKeyframes::toggled(pinned.take(), id, &clip, selected);
    show_ghosts(editor);
}

/// Removes a clip that no longer exists from the settings, and follows pinned keyframes through an edit of their clip.
pub fn follow(editor: &mut Editor) {
    let model = editor.document.models.get(editor.session.focus.model);
    let clip_of = |id| model.and_then(|model| model.clip(id));
    let workspace = &mut editor.session.workspace;
    workspace.ghosts.clip = workspace.ghosts.clip.filter(|&id| clip_of(id).is_some());
    workspace.pinned_ghosts = workspace.pinned_ghosts.take().and_then(|pinned| {
        let clip = clip_of(pinned.clip)?;
        pinned.followed(clip)
    });
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

/// Shows the ghosts before and after the playhead.
pub fn show_neighbours(editor: &mut Editor) {
    editor.session.workspace.switches.insert(Switch::GhostNeighbours);
    show_ghosts(editor);
}

/// Switches ghosts on.
pub fn show_ghosts(editor: &mut Editor) {
    editor.session.workspace.switches.extend([Switch::Ghosts, Switch::Overlays]);
}
