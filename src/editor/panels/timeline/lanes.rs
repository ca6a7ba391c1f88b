//! Lanes under the keyframes: the position, rotation and scale keys of the active bone, or of all bones if none is active.

use crate::anim::key::{Channel, Key};
use crate::anim::skeleton::BoneIndex;
use crate::anim::time::Time;
use crate::editor::panels::timeline::panel::ClipLayout;
use crate::editor::panels::ui::Ui;
use crate::editor::panels::ui::frame::Align;
use crate::editor::panels::ui::rect::Rect;
use crate::editor::panels::ui::theme::faded;
use crate::editor::session::selection::Pick;
use crate::editor::state::action::{PlaybackAction, SelectAction};

/// Height of a lane.
const LANE: f32 = 22.0;

/// The height of all lanes.
pub const HEIGHT: f32 = 3.0 * LANE + 6.0;

/// Draws the lanes; a click on a key goes to its time.
pub fn lanes_ui(ui: &Ui<'_>, layout: &ClipLayout<'_>, mut area: Rect) {
    let bone = ui.session.focus.selection.active_bone();
    for channel in Channel::ALL {
        if area.height() + 4.0 < LANE {
            return;
        }
        let lane = area.cut_top(LANE, 0.0);
        ui.text_in(layout.names(lane), Align::Left, ui.theme.quiet, lane_name(channel));
        lane_ui(ui, layout, lane.inset(0.0, 1.0), (bone, channel));
    }
}

fn lane_ui(ui: &Ui<'_>, layout: &ClipLayout<'_>, lane: Rect, (bone, channel): (Option<BoneIndex>, Channel)) {
    let is_listed = |key: &Key| key.channel == channel && bone.is_none_or(|bone| key.bone == bone);
    ui.fill(lane, faded(ui.theme.ground, 0.55), 4.0);
    for (keyframe, start) in layout.clip.starts().enumerate() {
        let x = layout.scale.x(start);
        let is_visible = x >= lane.min[0] - 5.0 && x <= lane.max[0] + 5.0;
        if is_visible && layout.clip.keyframes[keyframe].keys.iter().any(is_listed) {
            let center = [x.max(lane.min[0] + 5.0), lane.center()[1]];
            let id = format!("##lane-{}-{keyframe}", lane_name(channel));
            key_ui(ui, &id, Rect::around(center, [18.0, lane.height()]), (keyframe, start));
        }
    }
    if ui.draft().is_some_and(|draft| draft.keys.iter().any(is_listed)) {
        let x = layout.scale.x(ui.session.focus.playhead.time);
        ui.diamond([x, lane.center()[1]], 5.0, ui.theme.draft, true);
    }
}

fn key_ui(ui: &Ui<'_>, id: &str, rect: Rect, (keyframe, start): (usize, Time)) {
    ui.set_cursor_screen_pos(rect.min);
    if ui.invisible_button(id, rect.size()) {
        ui.send(SelectAction::Keyframe { keyframe, pick: Pick::Only });
        ui.send(PlaybackAction::Seek(start));
    }
    let is_at_playhead = start == ui.session.focus.playhead.time;
    let color = if is_at_playhead { ui.theme.keyed } else { faded(ui.theme.keyed, 0.7) };
    let radius = if ui.is_item_hovered() { 5.5 } else { 4.5 };
    ui.diamond(rect.center(), radius, color, true);
}

fn lane_name(channel: Channel) -> &'static str {
    match channel {
        Channel::Translation => "Position",
        Channel::Rotation => "Rotation",
        Channel::Scale => "Scale",
    }
}
