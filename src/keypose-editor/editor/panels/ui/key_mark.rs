//! Key marks: whether a channel is keyed at the playhead, and the edits that key and unkey it.

use crate::editor::panels::ui::Ui;

use crate::editor::document::edit::{DraftEdit, KeyEdit, KeyRef};
use crate::editor::panels::ui::rect::Rect;
use crate::editor::panels::ui::widgets::{self, KeyMark};
use crate::editor::posing::keying::ease_of;
use keypose::anim::key::{Channel, Key};
use keypose::anim::skeleton::BoneIndex;

/// The state of a channel at the playhead.
pub fn key_mark(ui: &Ui<'_>, bone: BoneIndex, channel: Channel) -> KeyMark {
    let in_draft = ui.draft().is_some_and(|draft| has(&draft.keys, bone, channel));
    if in_draft {
        return KeyMark::Draft;
    }
    if key_here(ui, bone, channel).is_some() { KeyMark::Keyed } else { KeyMark::Open }
}

/// The key that is seen at the playhead.
fn key_here(ui: &Ui<'_>, bone: BoneIndex, channel: Channel) -> Option<KeyRef> {
    let clip = ui.clip()?;
    let keyframe = clip.keyframe_at(clip.keyed_time(bone, ui.session.focus.playhead.time))?;
    clip.keyframes[keyframe].key(bone, channel).map(|_| KeyRef { keyframe, bone, channel })
}

/// The state of a channel of several bones: keyed if all are, a draft if any is.
pub fn key_mark_of(ui: &Ui<'_>, bones: &[BoneIndex], channel: Channel) -> KeyMark {
    let marks: Vec<KeyMark> = bones.iter().map(|&bone| key_mark(ui, bone, channel)).collect();
    if !marks.is_empty() && marks.iter().all(|mark| *mark == KeyMark::Keyed) {
        KeyMark::Keyed
    } else if marks.contains(&KeyMark::Draft) {
        KeyMark::Draft
    } else {
        KeyMark::Open
    }
}

/// Keys the displayed value of a channel of bones, or deletes their keys if all are keyed.
pub fn toggle_keys(ui: &Ui<'_>, bones: &[BoneIndex], channel: Channel) {
    let (Some(clip), Some(id)) = (ui.clip(), ui.session.focus.clip) else { return };
    let time = ui.session.focus.playhead.time;
    if key_mark_of(ui, bones, channel) == KeyMark::Keyed {
        let keys = bones.iter().filter_map(|&bone| key_here(ui, bone, channel)).collect();
        return ui.edit("Delete key", vec![KeyEdit::RemoveKeys { clip: id, keys }.into()]);
    }
    let unkeyed = bones.iter().filter(|&&bone| key_mark(ui, bone, channel) != KeyMark::Keyed);
    let new_ease = ui.session.workspace.new_ease;
    let ease = ui.model().map_or(new_ease, |model| ease_of(&model.skeleton, channel, new_ease));
    let key = |&bone: &BoneIndex| {
        let key = Key { ease, ..Key::new(bone, channel, ui.view.local.value(bone, channel)) };
        (clip.keyed_time(bone, time), key)
    };
    let mut edits = vec![KeyEdit::KeysAt { clip: id, keys: unkeyed.map(key).collect() }.into()];
    let drafted = bones.iter().filter(|&&bone| key_mark(ui, bone, channel) == KeyMark::Draft);
    let channels: Vec<_> = drafted.map(|&bone| (bone, channel)).collect();
    if !channels.is_empty() {
        edits.push(DraftEdit::DropDraftKeys { model: ui.session.focus.model, clip: Some(id), time, channels }.into());
    }
    ui.edit("Insert key", edits);
}

/// Draws the key mark of a channel of bones as a button, if a clip is open. A click sets or deletes their keys.
pub fn button(ui: &Ui<'_>, place: Rect, id: &str, bones: &[BoneIndex], channel: Channel) {
    if ui.clip().is_some() {
        ui.set_cursor_screen_pos(place.min);
        let mark = key_mark_of(ui, bones, channel);
        if widgets::key_button(ui, id, mark) {
            toggle_keys(ui, bones, channel);
        }
        ui.tip(hint(mark), "");
    }
}

fn has(keys: &[Key], bone: BoneIndex, channel: Channel) -> bool {
    keys.binary_search_by_key(&(bone, channel), Key::address).is_ok()
}

/// The tooltip of a mark.
fn hint(mark: KeyMark) -> &'static str {
    match mark {
        KeyMark::Open => "Not keyed at the playhead. Click to key",
        KeyMark::Keyed => "Keyed at the playhead. Click to delete the key",
        KeyMark::Draft => "Draft, not keyed. Click to key",
    }
}
