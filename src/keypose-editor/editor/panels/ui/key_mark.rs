//! Key marks: whether a channel is keyed at the playhead, and the edits that key and unkey it.

use crate::editor::panels::ui::Ui;

use crate::editor::document::edit::{DraftEdit, KeyEdit, KeyRef};
use crate::editor::ops::posed::Posed;
use crate::editor::panels::ui::rect::Rect;
use crate::editor::panels::ui::widgets;
use crate::editor::posing::keying::keyed_as_seen;
use crate::editor::view::Mark;
use keypose::anim::key::Channel;
use keypose::anim::skeleton::BoneIndex;
use keypose::assets::model::ClipSlot;

/// The state of a channel of several bones: keyed if all are, a draft if any is.
pub fn key_mark_of(ui: &Ui<'_>, bones: &[BoneIndex], channel: Channel) -> Mark {
    let marks: Vec<Mark> = bones.iter().map(|&bone| ui.view.mark(bone, channel)).collect();
    if !marks.is_empty() && marks.iter().all(|mark| *mark == Mark::Keyed) {
        Mark::Keyed
    } else if marks.contains(&Mark::Draft) {
        Mark::Draft
    } else {
        Mark::Unkeyed
    }
}

/// Keys the displayed value of a channel of bones, or deletes their keys if all are keyed.
pub fn toggle_keys(ui: &Ui<'_>, bones: &[BoneIndex], channel: Channel) {
    let (Some(model), Some(clip), Some(id)) = (ui.model(), ui.clip(), ui.session.focus.clip) else { return };
    let time = ui.session.focus.playhead.time;
    if key_mark_of(ui, bones, channel) == Mark::Keyed {
        let key = |&bone: &BoneIndex| {
            let (clip, keyframe, _) = ui.view.keys_here(bone)?;
            Some((clip, KeyRef { keyframe, bone, channel }))
        };
        let (clips, keys): (Vec<_>, Vec<_>) = bones.iter().filter_map(key).unzip();
        let clip = clips.first().copied().unwrap_or(id);
        return ui.edit("Delete key", vec![KeyEdit::RemoveKeys { clip, keys }.into()]);
    }
    let unkeyed = bones.iter().filter(|&&bone| ui.view.mark(bone, channel) != Mark::Keyed);
    let posed = |&bone: &BoneIndex| Posed { bone, channel, value: ui.view.local.value(bone, channel) };
    let (slot, posed) = (ClipSlot { id, clip: clip.clone() }, unkeyed.map(posed).collect::<Vec<_>>());
    let mut edits = vec![keyed_as_seen(model, &slot, time, ui.session.workspace.new_ease, &posed)];
    let drafted = bones.iter().filter(|&&bone| ui.view.mark(bone, channel) == Mark::Draft);
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

/// The tooltip of a mark.
fn hint(mark: Mark) -> &'static str {
    match mark {
        Mark::Unkeyed => "Not keyed at the playhead. Click to key",
        Mark::Keyed => "Keyed at the playhead. Click to delete the key",
        Mark::Draft => "Draft, not keyed. Click to key",
    }
}
