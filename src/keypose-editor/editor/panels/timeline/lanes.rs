//! Lanes under the keyframes: the translation, rotation and scale keys of the active bone, or of all bones if none is active; and those
//! of values, if the clip has any.

use std::rc::Rc;

use crate::editor::panels::timeline::groups::{self, Item};
use crate::editor::panels::timeline::panel::ClipLayout;
use crate::editor::panels::ui::prelude::*;
use keypose::anim::clip::Keyframe;
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

/// The keys of a block in a lane: the keyframes that have one.
#[derive(Debug)]
struct LaneKeys {
    count: usize,
    first: (usize, Time),
    last: (usize, Time),
}

/// The keys of each block in each lane, `None` for a block without keys there.
type Lanes = Rc<[Vec<Option<LaneKeys>>]>;

/// The lanes, and what they showed last: of these blocks and this bone.
#[derive(Debug, Default)]
pub struct KeyLanes(Option<(Rc<[Item]>, Option<BoneIndex>, Lanes)>);

impl KeyLanes {
    /// Draws the lanes; a click on a key goes to its time. The keys of a group of keyframes are one bar.
    pub fn ui(&mut self, ui: &Ui<'_>, layout: &ClipLayout<'_>, items: &Rc<[Item]>, mut area: Rect) {
        let bone = ui.session.focus.selection.active_bone();
        let lanes = self.of(layout.clip, items, bone);
        for (channel, keys) in channels(layout.clip).zip(&*lanes) {
            let lane = area.cut_top(LANE, 0.0);
            layout.lane_ui(ui, lane.inset(0.0, 1.0), lane_name(channel));
            Lane { channel, bone, area: lane.inset(0.0, 1.0) }.ui(ui, layout, items, keys);
        }
    }

    /// The keys of blocks, which belong to one state of a clip.
    fn of(&mut self, clip: &Clip, items: &Rc<[Item]>, bone: Option<BoneIndex>) -> Lanes {
        match &self.0 {
            Some((known, of, lanes)) if Rc::ptr_eq(known, items) && *of == bone => lanes.clone(),
            _ => {
                let of_lane = |channel| {
                    let lane = Lane { channel, bone, area: Rect::default() };
                    items.iter().map(|item| lane.keys_of(clip, item)).collect()
                };
                let lanes: Lanes = channels(clip).map(of_lane).collect();
                self.0 = Some((items.clone(), bone, lanes.clone()));
                lanes
            }
        }
    }
}

/// The lane of a channel of a bone, or of all bones.
struct Lane {
    channel: Channel,
    bone: Option<BoneIndex>,
    area: Rect,
}

impl Lane {
    fn is_listed(&self, key: &Key) -> bool {
        let is_of = key.channel == self.channel || self.channel == VALUES && key.channel.scalar().is_some();
        is_of && self.bone.is_none_or(|bone| key.bone == bone)
    }

    fn has_key(&self, keyframe: &Keyframe) -> bool {
        let of_bone = self.bone.map_or(0, |bone| keyframe.keys.partition_point(|key| key.bone < bone));
        let keys = keyframe.keys[of_bone..].iter();
        keys.take_while(|key| self.bone.is_none_or(|bone| key.bone == bone)).any(|key| self.is_listed(key))
    }

    /// The keyframes of a block that have a key in this lane, with their starts.
    fn keyframes<'a>(&'a self, clip: &'a Clip, item: &Item) -> impl Iterator<Item = (usize, Time)> + use<'a> {
        let mut next = item.start;
        let keyframes = clip.keyframes.range(item.keyframes.clone()).zip(item.keyframes.clone());
        let timed = keyframes.map(move |(keyframe, at)| {
            let start = next;
            next += keyframe.duration;
            (keyframe, at, start)
        });
        timed.filter(|(keyframe, ..)| self.has_key(keyframe)).map(|(_, at, start)| (at, start))
    }

    fn keys_of(&self, clip: &Clip, item: &Item) -> Option<LaneKeys> {
        let mut keyframes = self.keyframes(clip, item);
        let first = keyframes.next()?;
        let (count, last) = keyframes.fold((1, first), |(count, _), keyframe| (count + 1, keyframe));
        Some(LaneKeys { count, first, last })
    }

    fn ui(&self, ui: &Ui<'_>, layout: &ClipLayout<'_>, items: &[Item], keys: &[Option<LaneKeys>]) {
        let area = self.area;
        let [from, to] = [area.min[0] - 5.0, area.max[0] + 5.0].map(|x| layout.scale.time(x));
        let visible = groups::between(items, from, to);
        let before = visible.first().map_or(0, |first| items.partition_point(|item| item.start < first.start));
        for (item, keys) in visible.iter().zip(keys.iter().skip(before)) {
            let Some(keys) = keys else { continue };
            let [left, right] = [keys.first.1, keys.last.1].map(|time| layout.scale.x(time).round());
            if right >= area.min[0] - 5.0 && left <= area.max[0] + 5.0 {
                self.keys_ui(ui, layout, (item, keys), [left, right].map(|x| x.max(area.min[0] + 5.0)));
            }
        }
        if ui.draft().is_some_and(|draft| draft.keys.iter().any(|key| self.is_listed(key))) {
            let x = layout.scale.x(ui.session.focus.playhead.time);
            ui.diamond([x, area.center()[1]], 5.0, ui.theme.draft, true);
        }
    }

    /// Draws the keys of a keyframe as a diamond, those of a group as a bar. A click goes to the key under the mouse.
    fn keys_ui(&self, ui: &Ui<'_>, layout: &ClipLayout<'_>, (item, keys): (&Item, &LaneKeys), [left, right]: [f32; 2]) {
        let rect = self.area.with_x(left - 9.0, right + 9.0);
        let is_clicked = ui.button_in(&format!("lane-{}-{}", lane_name(self.channel), keys.first.0), rect);
        let is_hovered = ui.is_item_hovered();
        if is_clicked {
            let away = |time: Time| (layout.scale.x(time) - ui.io().mouse_pos[0]).abs();
            let nearest = self.keyframes(layout.clip, item).min_by(|a, b| away(a.1).total_cmp(&away(b.1)));
            if let Some((keyframe, start)) = nearest {
                ui.send(SelectAction::KeyframeGroup { keyframes: keyframe..keyframe + 1, pick: Pick::Only });
                ui.send(PlaybackAction::Seek(start));
            }
        }
        let here = ui.view.keyframe.filter(|at| item.keyframes.contains(at));
        let is_at_playhead = here.is_some_and(|at| self.has_key(&layout.clip.keyframes[at]));
        let color = if is_at_playhead { ui.theme.keyed } else { faded(ui.theme.keyed, 0.7) };
        let (radius, y) = (if is_hovered { 5.5 } else { 4.5 }, self.area.center()[1]);
        if keys.count > 1 {
            let bar = Rect::spanned([left, y - 3.0], [right, y + 3.0]);
            ui.fill(bar, faded(ui.theme.keyed, if is_hovered { 0.55 } else { 0.35 }), 0.0);
            ui.diamond([right, y], radius, color, true);
            ui.tip(&format!("{} keys", keys.count), "click to go to the nearest");
        }
        ui.diamond([left, y], radius, color, true);
    }
}

fn lane_name(channel: Channel) -> &'static str {
    match channel {
        Channel::Translation => "Translation",
        Channel::Rotation => "Rotation",
        Channel::Scale => "Scale",
        Channel::Scalar(_) => "Values",
    }
}
