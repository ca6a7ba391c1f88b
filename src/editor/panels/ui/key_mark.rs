//! Whether a bone's channel is keyed where the playhead stands, and the edits that key and unkey it.

use glam::Vec4;

use crate::anim::key::{Channel, Key};
use crate::anim::skeleton::BoneIndex;
use crate::editor::document::edit::{Edit, KeyRef};
use crate::editor::panels::ui::actions::Out;
use crate::editor::panels::ui::seen::Seen;
use crate::editor::panels::ui::widgets::KeyMark;

/// Keyed, changed and not keyed, or neither, at the playhead.
pub fn key_mark(seen: &Seen<'_>, bone: BoneIndex, channel: Channel) -> KeyMark {
    let in_draft = seen.draft().is_some_and(|draft| has(&draft.keys, bone, channel));
    if in_draft {
        return KeyMark::Draft;
    }
    let here = seen.clip().and_then(|clip| clip.keyframes.get(clip.keyframe_at(seen.session.focus.playhead.time)?));
    match here.is_some_and(|keyframe| keyframe.key(bone, channel).is_some()) {
        true => KeyMark::Keyed,
        false => KeyMark::Open,
    }
}

fn has(keys: &[Key], bone: BoneIndex, channel: Channel) -> bool {
    keys.binary_search_by_key(&(bone, channel), Key::address).is_ok()
}

/// A click on the mark: a key goes; a draft, or the pose that is shown, becomes a key.
pub fn toggle_key(seen: &Seen<'_>, bone: BoneIndex, channel: Channel, value: Vec4, out: &mut Out) {
    let (Some(clip), Some(id)) = (seen.clip(), seen.session.focus.clip) else { return };
    let time = seen.session.focus.playhead.time;
    if key_mark(seen, bone, channel) == KeyMark::Keyed {
        let Some(keyframe) = clip.keyframe_at(time) else { return };
        let keys = vec![KeyRef { keyframe, bone, channel }];
        return out.edit("Unkey", vec![Edit::RemoveKeys { clip: id, keys }]);
    }
    let key = Key { ease: seen.session.workspace.new_ease, ..Key::new(bone, channel, value) };
    let mut edits = vec![Edit::KeyAt { clip: id, time, keys: vec![key] }];
    if key_mark(seen, bone, channel) == KeyMark::Draft {
        let channels = vec![(bone, channel)];
        edits.push(Edit::DropDraftKeys { model: seen.session.focus.model, clip: Some(id), time, channels });
    }
    out.edit("Key", edits);
}

/// What a click on the mark does.
pub fn hint(mark: KeyMark) -> &'static str {
    match mark {
        KeyMark::Open => "Not keyed here. Click keys it",
        KeyMark::Keyed => "Keyed here. Click takes the key away",
        KeyMark::Draft => "Changed and not keyed. Click keys it",
    }
}
