//! Key marks: whether a channel is keyed at the playhead, and the edits that key and unkey it.

use crate::editor::panels::ui::Ui;

use crate::editor::document::edit::{DraftEdit, KeyEdit, KeyRef};
use crate::editor::ops::layered::Layer;
use crate::editor::ops::posed::Posed;
use crate::editor::panels::ui::rect::Rect;
use crate::editor::panels::ui::widgets::{self, KeyMark};
use crate::editor::posing::keying::keyed_as_seen;
use keypose::anim::key::{Channel, Key};
use keypose::anim::skeleton::BoneIndex;
use keypose::assets::id::ClipId;
use keypose::assets::model::ClipSlot;

/// The state of a channel at the playhead.
pub fn key_mark(ui: &Ui<'_>, bone: BoneIndex, channel: Channel) -> KeyMark {
    let in_draft = ui.draft().is_some_and(|draft| has(&draft.keys, bone, channel));
    if in_draft {
        return KeyMark::Draft;
    }
    if key_here(ui, bone, channel).is_some() { KeyMark::Keyed } else { KeyMark::Open }
}

/// The key that is seen at the playhead, and its clip: that of the layer, if the open clip has one.
fn key_here(ui: &Ui<'_>, bone: BoneIndex, channel: Channel) -> Option<(ClipId, KeyRef)> {
    let (open, id) = (ui.clip()?, ui.session.focus.clip?);
    let time = open.keyed_time(bone, ui.session.focus.playhead.time);
    let layer = ui.model().and_then(|model| Layer::posed(model, id));
    let (id, clip, time) = match &layer {
        Some(layer) => (layer.how.clip, layer.over, layer.over.keyed_time(bone, time)),
        None => (id, &**open, time),
    };
    let keyframe = clip.keyframe_at(time)?;
    clip.keyframes[keyframe].key(bone, channel).map(|_| (id, KeyRef { keyframe, bone, channel }))
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
    let (Some(model), Some(clip), Some(id)) = (ui.model(), ui.clip(), ui.session.focus.clip) else { return };
    let time = ui.session.focus.playhead.time;
    if key_mark_of(ui, bones, channel) == KeyMark::Keyed {
        let (clips, keys): (Vec<_>, Vec<_>) = bones.iter().filter_map(|&bone| key_here(ui, bone, channel)).unzip();
        let clip = clips.first().copied().unwrap_or(id);
        return ui.edit("Delete key", vec![KeyEdit::RemoveKeys { clip, keys }.into()]);
    }
    let unkeyed = bones.iter().filter(|&&bone| key_mark(ui, bone, channel) != KeyMark::Keyed);
    let posed = |&bone: &BoneIndex| Posed { bone, channel, value: ui.view.local.value(bone, channel) };
    let (slot, posed) = (ClipSlot { id, clip: clip.clone() }, unkeyed.map(posed).collect::<Vec<_>>());
    let mut edits = vec![keyed_as_seen(model, &slot, time, ui.session.workspace.new_ease, &posed)];
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
