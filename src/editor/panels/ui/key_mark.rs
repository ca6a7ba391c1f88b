//! Whether a bone's channel is keyed where the playhead stands, and the edits that key and unkey it.

use crate::editor::panels::ui::Ui;
use glam::Vec4;

use crate::anim::key::{Channel, Key};
use crate::anim::skeleton::BoneIndex;
use crate::editor::document::edit::{Edit, KeyRef};
use crate::editor::panels::ui::widgets::KeyMark;

/// Keyed, changed and not keyed, or neither, at the playhead.
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

/// A click on the mark: a key goes; a draft, or the pose that is shown, becomes a key.
pub fn toggle_key(ui: &Ui<'_>, bone: BoneIndex, channel: Channel, value: Vec4) {
    let (Some(clip), Some(id)) = (ui.clip(), ui.session.focus.clip) else { return };
    let time = ui.session.focus.playhead.time;
    if key_mark(ui, bone, channel) == KeyMark::Keyed {
        let Some(keyframe) = clip.keyframe_at(time) else { return };
        let keys = vec![KeyRef { keyframe, bone, channel }];
        return ui.edit("Unkey", vec![Edit::RemoveKeys { clip: id, keys }]);
    }
    let key = Key { ease: ui.session.workspace.new_ease, ..Key::new(bone, channel, value) };
    let mut edits = vec![Edit::KeyAt { clip: id, time, keys: vec![key] }];
    if key_mark(ui, bone, channel) == KeyMark::Draft {
        let channels = vec![(bone, channel)];
        edits.push(Edit::DropDraftKeys { model: ui.session.focus.model, clip: Some(id), time, channels });
    }
    ui.edit("Key", edits);
}

/// What a click on the mark does.
pub fn hint(mark: KeyMark) -> &'static str {
    match mark {
        KeyMark::Open => "Not keyed here. Click keys it",
        KeyMark::Keyed => "Keyed here. Click takes the key away",
        KeyMark::Draft => "Changed and not keyed. Click keys it",
    }
}
