//! Lanes under the keyframes: the position, rotation and scale keys of the active bone.

use crate::anim::clip::Clip;
use crate::anim::key::Channel;
use crate::editor::panels::timeline::scale::Scale;
use crate::editor::panels::ui::Ui;
use crate::editor::panels::ui::frame::Align;
use crate::editor::panels::ui::rect::Rect;
use crate::editor::panels::ui::theme::faded;
use crate::editor::session::selection::Pick;
use crate::editor::state::action::{PlaybackAction, SelectAction};

/// Whether lanes are shown: if a bone is active.
pub fn has_lanes(ui: &Ui<'_>) -> bool {
    ui.session.focus.selection.active_bone().is_some()
}

/// Draws the lanes; a click on a key goes to its time.
#[allow(clippy::too_many_arguments)]
pub fn lanes_ui(ui: &Ui<'_>, clip: &Clip, scale: &Scale, area: Rect, names: f32, height: f32) {
    let Some(bone) = ui.session.focus.selection.active_bone() else { return };
    for (at, channel) in Channel::ALL.into_iter().enumerate() {
        let top = area.min[1] + at as f32 * height;
        if top + height > area.max[1] + 4.0 {
            return;
        }
        let name = Rect { min: [area.min[0], top], max: [area.min[0] + names - 8.0, top + height] };
        ui.text_in(name, Align::Left, ui.theme.quiet, lane_name(channel));
        let lane = Rect { min: [area.min[0] + names, top + 1.0], max: [area.max[0], top + height - 1.0] };
        ui.fill(lane, faded(ui.theme.ground, 0.55), 4.0);
        let draft = ui.draft().filter(|draft| draft.keys.iter().any(|key| key.address() == (bone, channel)));
        for (keyframe, start) in clip.starts().enumerate() {
            let x = scale.x(start);
            let is_seen = x >= lane.min[0] - 5.0 && x <= lane.max[0] + 5.0;
            if !is_seen || clip.keyframes[keyframe].key(bone, channel).is_none() {
                continue;
            }
            let center = [x.max(lane.min[0] + 5.0), lane.center()[1]];
            let is_here = start == ui.session.focus.playhead.time;
            let color = if is_here { ui.theme.keyed } else { faded(ui.theme.keyed, 0.7) };
            ui.set_cursor_screen_pos([center[0] - 9.0, lane.min[1]]);
            if ui.invisible_button(format!("##lane{at}-{keyframe}"), [18.0, lane.size()[1]]) {
                ui.send(SelectAction::Keyframe { keyframe, pick: Pick::Only });
                ui.send(PlaybackAction::Seek(start));
            }
            let radius = if ui.is_item_hovered() { 5.5 } else { 4.5 };
            ui.diamond(center, radius, color, true);
        }
        if draft.is_some() {
            ui.diamond([scale.x(ui.session.focus.playhead.time), lane.center()[1]], 5.0, ui.theme.draft, true);
        }
    }
}

fn lane_name(channel: Channel) -> &'static str {
    match channel {
        Channel::Translation => "Position",
        Channel::Rotation => "Rotation",
        Channel::Scale => "Scale",
    }
}
