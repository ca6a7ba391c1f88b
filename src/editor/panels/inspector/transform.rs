//! The numeric transform of the selected bones, with key marks. The last bone is the active one.

use std::collections::BTreeMap;

use glam::{Vec3, Vec4};

use crate::anim::key::Channel;
use crate::anim::skeleton::{BoneIndex, Skeleton};
use crate::anim::time::Time;
use crate::anim::transform::Transform;
use crate::assets::id::ClipId;
use crate::editor::ops::amount::Measure;
use crate::editor::ops::curves::ChannelCurves;
use crate::editor::ops::euler::Readout;
use crate::editor::ops::posed::Posed;
use crate::editor::panels::inspector::{GAP, LABEL, labelled_row, numbers_at};
use crate::editor::panels::ui::Ui;
use crate::editor::panels::ui::key_mark;
use crate::editor::panels::ui::number_field::{Number, number_tip};
use crate::editor::panels::ui::widgets;
use crate::editor::panels::ui::widgets::{KeyMark, Touch};
use crate::editor::posing::change::Change;

/// The angles that are shown at a time of a clip, by bone.
#[derive(Debug, Default)]
pub struct Readouts {
    /// The clip and the time.
    at: (Option<ClipId>, Time),
    by_bone: BTreeMap<BoneIndex, Readout>,
}

impl Readouts {
    /// The angles to show for a bone: those that were entered here, or else those of its curves, which don't jump from
    /// key to key.
    fn show(&mut self, ui: &Ui<'_>, bone: BoneIndex) -> Vec3 {
        let rotation = ui.view.local.get(usize::from(bone)).rotation;
        let readout = self.by_bone.entry(bone).or_insert_with(|| {
            let curves = ui.clip().and_then(|clip| ChannelCurves::of(clip, bone, Channel::Rotation));
            let shown = curves.and_then(|curves| curves.sample(std::iter::once(ui.view.time)).pop());
            Readout::near(shown.unwrap_or_default())
        });
        readout.show(rotation)
    }

    /// Forgets the angles of another time.
    fn go_to(&mut self, at: (Option<ClipId>, Time)) {
        if self.at != at {
            (self.at, self.by_bone) = (at, BTreeMap::new());
        }
    }
}

/// A channel of the selected bones as rows of three numbers.
struct Rows<'a> {
    channel: Channel,
    label: &'static str,
    /// The undo labels of a drag and of a reset.
    steps: [&'static str; 2],
    bones: &'a [BoneIndex],
    /// What each bone shows, and its rest value.
    values: Vec<[Vec3; 2]>,
    how: Number,
}

/// Draws position, rotation and scale of bones, at least one.
pub(super) fn transform_ui(ui: &Ui<'_>, skeleton: &Skeleton, bones: &[BoneIndex], readouts: &mut Readouts) {
    let rest_of = |bone| skeleton.get(bone).map_or(Transform::IDENTITY, |bone| bone.rest);
    let values = |part: fn(Transform) -> Vec3| {
        let both = |&bone: &BoneIndex| [ui.view.local.get(usize::from(bone)), rest_of(bone)].map(part);
        bones.iter().map(both).collect()
    };
    vectors(ui, position(bones, values(|transform| transform.translation)));
    rotation(ui, skeleton, bones, readouts);
    let how = Number::new("%.3f", 0.005);
    let steps = ["Scale bone", "Reset scale"];
    let values = values(|transform| transform.scale);
    vectors(ui, Rows { channel: Channel::Scale, label: "Scale", steps, bones, values, how });
}

fn position(bones: &[BoneIndex], values: Vec<[Vec3; 2]>) -> Rows<'_> {
    // A drag across the panel moves by about the bone's length, whatever the model's units.
    let reach = values.last().into_iter().flatten().fold(0.01_f32, |reach, value| reach.max(value.length()));
    let how = Number { measure: Measure::Length, ..Number::new(digits(reach), reach * 0.004) };
    let steps = ["Move bone", "Reset position"];
    Rows { channel: Channel::Translation, label: "Position", steps, bones, values, how }
}

/// The number format: more decimals for smaller models.
fn digits(reach: f32) -> &'static str {
    if reach < 0.05 {
        "%.4f"
    } else if reach < 50.0 {
        "%.3f"
    } else {
        "%.1f"
    }
}

/// Draws a translation or scale.
fn vectors(ui: &Ui<'_>, rows: Rows<'_>) {
    draw(ui, &rows, |bone, value| Posed { bone, channel: rows.channel, value: value.extend(0.0) });
}

fn rotation(ui: &Ui<'_>, skeleton: &Skeleton, bones: &[BoneIndex], readouts: &mut Readouts) {
    readouts.go_to((ui.view.clip_id, ui.view.time));
    let both = |&bone: &BoneIndex| {
        let shown = readouts.show(ui, bone);
        let rest = skeleton.get(bone).map_or(Transform::IDENTITY, |bone| bone.rest).rotation;
        [shown, Readout::default().show(rest)]
    };
    let values = bones.iter().map(both).collect();
    let how = Number { measure: Measure::Angle, ..Number::new("%.1f", 0.5) };
    let steps = ["Rotate bone", "Reset rotation"];
    let rows = Rows { channel: Channel::Rotation, label: "Rotation", steps, bones, values, how };
    draw(ui, &rows, |bone, degrees| {
        let rotation = readouts.by_bone.entry(bone).or_default().put(degrees);
        Posed { bone, channel: Channel::Rotation, value: Vec4::from(rotation) }
    });
}

/// Draws the row of a channel; `posed` makes the new value of a bone.
fn draw(ui: &Ui<'_>, rows: &Rows<'_>, mut posed: impl FnMut(BoneIndex, Vec3) -> Posed) {
    let mark = key_mark::key_mark_of(ui, rows.bones, rows.channel);
    labelled_row(ui, rows.label, LABEL, |row| {
        let mut fields = row.trim_right(24.0);
        fields.max[0] = fields.max[0].max(fields.min[0] + 98.0);
        for axis in 0..3 {
            let mut numbers: Vec<f32> = rows.values.iter().map(|[now, _]| now[axis]).collect();
            let key = ui.clip().map(|_| mark);
            let how = Number { edge: Some(ui.theme.axes[axis]), key, ..rows.how.with_reset() };
            let id = format!("{}{axis}", rows.label);
            let touch = numbers_at(ui, fields.column(axis, 3, GAP), &id, &mut numbers, how);
            number_tip(ui, &format!("{} {}", rows.label, ["x", "y", "z"][axis]));
            take(ui, rows, (axis, touch, &numbers), &mut posed);
        }
        if ui.clip().is_some() {
            ui.set_cursor_screen_pos(row.right(20.0).min);
            key_button(ui, rows, mark);
        }
    });
}

/// Does what the user did to the field of an axis.
fn take(
    ui: &Ui<'_>,
    rows: &Rows<'_>,
    (axis, touch, numbers): (usize, Touch, &[f32]),
    posed: &mut dyn FnMut(BoneIndex, Vec3) -> Posed,
) {
    let mut with = |number: &dyn Fn(usize) -> f32| -> Vec<Posed> {
        let of = |(nth, (&bone, [now, _])): (usize, (&BoneIndex, &[Vec3; 2]))| {
            let mut value = *now;
            value[axis] = number(nth);
            posed(bone, value)
        };
        rows.bones.iter().zip(&rows.values).enumerate().map(of).collect()
    };
    ui.gesture(touch, rows.steps[0], || Change::Pose(with(&|nth| numbers[nth])));
    if touch.is_reset {
        ui.pose(rows.steps[1], with(&|nth| rows.values[nth][1][axis]));
    }
    if touch.is_keyed {
        key_mark::toggle_keys(ui, rows.bones, rows.channel);
    }
}

/// Draws the key mark of a channel, which sets or deletes its keys.
fn key_button(ui: &Ui<'_>, rows: &Rows<'_>, mark: KeyMark) {
    if widgets::key_button(ui, rows.label, mark) {
        key_mark::toggle_keys(ui, rows.bones, rows.channel);
    }
    ui.tip(key_mark::hint(mark), "");
}
