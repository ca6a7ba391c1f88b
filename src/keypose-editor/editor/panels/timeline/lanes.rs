//! Lanes under the keyframes: the translation, rotation and scale keys of the active bone, or of all bones if none is active; and those
//! of values, if the clip has any.

use crate::editor::panels::timeline::groups::Item;
use crate::editor::panels::timeline::panel::ClipLayout;
use crate::editor::panels::ui::prelude::*;
use keypose::anim::key::Key;

/// Height of a lane.
const LANE: f32 = 20.0;

/// Stands for the keys of all values in a lane.
const VALUES: Channel = Channel::Scalar(0);

/// The lanes of a clip.
fn channels(clip: &Clip) -> impl Iterator<Item = Channel> + use<> {
    Channel::ALL.into_iter().chain(clip.keyframes.has_scalars().then_some(VALUES))
}

/// The height of all lanes of a clip.
pub fn height(clip: &Clip) -> f32 {
    channels(clip).count() as f32 * LANE + 6.0
}

/// Draws the lanes; a click on a key goes to its time. The keys of a group of keyframes are one bar.
pub fn lanes_ui(ui: &Ui<'_>, layout: &ClipLayout<'_>, items: &[Item], mut area: Rect) {
    let bone = ui.session.focus.selection.active_bone();
    for channel in channels(layout.clip) {
        let lane = area.cut_top(LANE, 0.0);
        layout.lane_ui(ui, lane.inset(0.0, 1.0), lane_name(channel));
        let is_of = |key: &Key| key.channel == channel || channel == VALUES && key.channel.scalar().is_some();
        let is_listed = |key: &Key| is_of(key) && bone.is_none_or(|bone| key.bone == bone);
        let lane = Lane { channel, area: lane.inset(0.0, 1.0), is_listed: &is_listed };
        lane.ui(ui, layout, items);
    }
}

/// The lane of a channel.
struct Lane<'a> {
    channel: Channel,
    area: Rect,
    is_listed: &'a dyn Fn(&Key) -> bool,
}

impl Lane<'_> {
    fn ui(&self, ui: &Ui<'_>, layout: &ClipLayout<'_>, items: &[Item]) {
        let area = self.area;
        let mut starts = layout.clip.starts().enumerate();
        for item in items {
            let has_key = |at: usize| layout.clip.keyframes[at].keys.iter().any(self.is_listed);
            let keys: Vec<_> = starts.by_ref().take(item.keyframes.len()).filter(|&(at, _)| has_key(at)).collect();
            let Some(((_, first), (_, last))) = keys.first().zip(keys.last()) else { continue };
            let [left, right] = [first, last].map(|time| layout.scale.x(*time).round());
            if right >= area.min[0] - 5.0 && left <= area.max[0] + 5.0 {
                self.keys_ui(ui, layout, &keys, [left, right].map(|x| x.max(area.min[0] + 5.0)));
            }
        }
        if ui.draft().is_some_and(|draft| draft.keys.iter().any(self.is_listed)) {
            let x = layout.scale.x(ui.session.focus.playhead.time);
            ui.diamond([x, area.center()[1]], 5.0, ui.theme.draft, true);
        }
    }

    /// Draws the keys of a keyframe as a diamond, those of a group as a bar. A click goes to the key under the mouse.
    fn keys_ui(&self, ui: &Ui<'_>, layout: &ClipLayout<'_>, keys: &[(usize, Time)], [left, right]: [f32; 2]) {
        let rect = self.area.with_x(left - 9.0, right + 9.0);
        let is_clicked = ui.button_in(&format!("lane-{}-{}", lane_name(self.channel), keys[0].0), rect);
        let is_hovered = ui.is_item_hovered();
        if let (true, Some(&(keyframe, start))) = (is_clicked, nearest(layout, keys, ui.io().mouse_pos[0])) {
            ui.send(SelectAction::Keyframe { keyframe, pick: Pick::Only });
            ui.send(PlaybackAction::Seek(start));
        }
        let is_at_playhead = keys.iter().any(|&(_, start)| start == ui.session.focus.playhead.time);
        let color = if is_at_playhead { ui.theme.keyed } else { faded(ui.theme.keyed, 0.7) };
        let (radius, y) = (if is_hovered { 5.5 } else { 4.5 }, self.area.center()[1]);
        if keys.len() > 1 {
            let bar = Rect::spanned([left, y - 3.0], [right, y + 3.0]);
            ui.fill(bar, faded(ui.theme.keyed, if is_hovered { 0.55 } else { 0.35 }), 0.0);
            ui.diamond([right, y], radius, color, true);
            ui.tip(&format!("{} keys", keys.len()), "click to go to the nearest");
        }
        ui.diamond([left, y], radius, color, true);
    }
}

fn nearest<'a>(layout: &ClipLayout<'_>, keys: &'a [(usize, Time)], x: f32) -> Option<&'a (usize, Time)> {
    let away = |time: Time| (layout.scale.x(time) - x).abs();
    keys.iter().min_by(|a, b| away(a.1).total_cmp(&away(b.1)))
}

fn lane_name(channel: Channel) -> &'static str {
    match channel {
        Channel::Translation => "Translation",
        Channel::Rotation => "Rotation",
        Channel::Scale => "Scale",
        Channel::Scalar(_) => "Values",
    }
}
