//! Key marks: whether a channel is keyed at the playhead, and the edits that key and unkey it.

use crate::editor::panels::ui::Ui;
use glam::Vec4;

use crate::anim::key::{Channel, Key};
use crate::anim::skeleton::BoneIndex;
use crate::editor::document::edit::{DraftEdit, KeyEdit, KeyRef};
use crate::editor::panels::ui::widgets::KeyMark;

/// The state of a channel at the playhead.
pub fn key_mark(ui: &Ui<'_>, bone: BoneIndex, channel: Channel) -> KeyMark {
    let in_draft = ui.draft().is_some_and(|draft| has(&draft.keys, bone, channel));
    if in_draft {
        return KeyMark::Draft;
    }
    let here = ui.clip().and_then(|clip| clip.keyframes.get(clip.keyframe_at(ui.session.focus.playhead.time)?));
    match here.is_some_and(|keyframe| keyframe.key(bone, channel).is_some()) {
        true => KeyMark::Keyed,
        false => KeyMark::Open,
    }
}

fn has(keys: &[Key], bone: BoneIndex, channel: Channel) -> bool {
    keys.binary_search_by_key(&(bone, channel), Key::address).is_ok()
}

/// Handles a click on the mark: removes the key, or keys the draft or the displayed pose.
pub fn toggle_key(ui: &Ui<'_>, bone: BoneIndex, channel: Channel, value: Vec4) {
    let (Some(clip), Some(id)) = (ui.clip(), ui.session.focus.clip) else { return };
    let time = ui.session.focus.playhead.time;
    if key_mark(ui, bone, channel) == KeyMark::Keyed {
        let Some(keyframe) = clip.keyframe_at(time) else { return };
        let keys = vec![KeyRef { keyframe, bone, channel }];
        return ui.edit("Delete key", vec![KeyEdit::RemoveKeys { clip: id, keys }.into()]);
    }
    let key = Key { ease: ui.session.workspace.new_ease, ..Key::new(bone, channel, value) };
    let mut edits = vec![KeyEdit::KeyAt { clip: id, time, keys: vec![key] }.into()];
    if key_mark(ui, bone, channel) == KeyMark::Draft {
        let channels = vec![(bone, channel)];
        edits.push(DraftEdit::DropDraftKeys { model: ui.session.focus.model, clip: Some(id), time, channels }.into());
    }
    ui.edit("Insert key", edits);
}

/// The tooltip of a mark.
pub fn hint(mark: KeyMark) -> &'static str {
    match mark {
        KeyMark::Open => "Not keyed at the playhead. Click to key",
        KeyMark::Keyed => "Keyed at the playhead. Click to delete the key",
        KeyMark::Draft => "Draft, not keyed. Click to key",
    }
}
