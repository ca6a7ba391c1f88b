//! The rotation of the selected bones as angles, as a quaternion, or as an axis and an angle, and the order of the angles.

use std::collections::BTreeMap;

use glam::{Quat, Vec3, Vec4};

use crate::editor::ops::curves::Reading;
use crate::editor::ops::euler;
use crate::editor::ops::posed::Posed;
use crate::editor::panels::inspector::transform::{KEY, Rows, is_narrow, on_axes, transforms};
use crate::editor::panels::ui::form::{menu_in, pick_in};
use crate::editor::panels::ui::prelude::*;
use crate::editor::session::tool::RotationReading;
use crate::editor::view::readings::{self, CurveCache};
use keypose::assets::euler_order::EulerOrder;

/// The state of the rotation row between frames.
#[derive(Debug, Default)]
pub struct RotationRows {
    curves: CurveCache,
    entered: EnteredNumbers,
    /// Why the numbers of the open gesture are not a rotation.
    refused: Option<String>,
}

/// The numbers of quaternions and axes that were entered, by bone. They are shown as entered, whatever their length, as
/// long as they describe the rotation: so one can be typed after the other.
#[derive(Debug, Default)]
struct EnteredNumbers {
    at: (Option<ClipId>, Time, RotationReading),
    by_bone: BTreeMap<BoneIndex, Vec4>,
}

impl EnteredNumbers {
    /// Forgets the numbers of another time.
    fn go_to(&mut self, at: (Option<ClipId>, Time, RotationReading)) {
        if self.at != at {
            *self = EnteredNumbers { at, by_bone: BTreeMap::new() };
        }
    }

    fn show(&self, bone: BoneIndex, rotation: Quat) -> Vec4 {
        let reading = self.at.2;
        let entered = self.by_bone.get(&bone).copied();
        let current = entered
            .filter(|numbers| rotation_of(reading, *numbers).is_ok_and(|entered| euler::is_same(entered, rotation)));
        current.unwrap_or_else(|| numbers_of(reading, rotation))
    }
}

/// The four numbers of a rotation.
fn numbers_of(reading: RotationReading, rotation: Quat) -> Vec4 {
    match reading {
        RotationReading::AxisAngle => euler::axis_angle(rotation),
        RotationReading::Quaternion | RotationReading::Euler => {
            let near = euler::positive(rotation);
            Vec4::new(near.w, near.x, near.y, near.z)
        }
    }
}

/// The rotation of four numbers, of any length.
fn rotation_of(reading: RotationReading, numbers: Vec4) -> Result<Quat, String> {
    match reading {
        RotationReading::AxisAngle => {
            let axis = Vec3::new(numbers.y, numbers.z, numbers.w).try_normalize();
            let axis = axis.ok_or_else(|| "An axis of length 0 has no direction.".to_owned())?;
            Ok(Quat::from_axis_angle(axis, numbers.x.to_radians()).normalize())
        }
        RotationReading::Quaternion | RotationReading::Euler => {
            let quaternion = Vec4::new(numbers.y, numbers.z, numbers.w, numbers.x).try_normalize();
            quaternion.map(Quat::from_vec4).ok_or_else(|| "A quaternion of length 0 is not a rotation.".to_owned())
        }
    }
}

/// Draws the rotation of bones, and below it how it is read.
pub(super) fn rotation_ui(ui: &Ui<'_>, skeleton: &Skeleton, bones: &[BoneIndex], kept: &mut RotationRows) {
    let reading = ui.session.workspace.rotation_reading;
    match reading {
        RotationReading::Euler => angles_ui(ui, skeleton, bones, kept),
        RotationReading::Quaternion | RotationReading::AxisAngle => numbers_ui(ui, skeleton, bones, kept),
    }
    let (order, has_order) = (70.0, reading == RotationReading::Euler);
    let is_beside = has_order && !is_narrow(ui);
    let form = Form::new(ui, "");
    form.row("Shown as", |row| {
        let row = row.trim_right(KEY);
        reading_ui(ui, if is_beside { row.trim_right(order + GAP) } else { row }, reading);
        if is_beside {
            order_ui(ui, row.right(order), bones);
        }
    });
    if has_order && !is_beside {
        form.row("Order", |row| order_ui(ui, row.trim_right(KEY), bones));
    }
}

fn angles_ui(ui: &Ui<'_>, skeleton: &Skeleton, bones: &[BoneIndex], kept: &mut RotationRows) {
    let Some(model) = ui.model() else { return };
    let read = |&bone: &BoneIndex| (bone, readings::reading(model, ui.session, ui.view.clip_id, bone));
    let readings: Vec<(BoneIndex, Reading)> = bones.iter().map(read).collect();
    let curves = ui.clip().map(|clip| kept.curves.get(clip, &readings, Some(Channel::Rotation)));
    let curves = curves.unwrap_or_default();
    let by_bone: BTreeMap<_, _> = curves.iter().map(|curve| (curve.bone, curve)).collect();
    let both = |(bone, reading): &(BoneIndex, Reading)| {
        let [now, rest] = transforms(ui, skeleton, *bone);
        // Angles near the curves don't jump from key to key.
        let near = by_bone.get(bone).and_then(|curve| curve.sample(std::iter::once(ui.view.time)).pop());
        let now = reading.degrees(ui.view.time, now.rotation, near.unwrap_or_default());
        [now, euler::degrees(rest.rotation, reading.order)].map(|degrees| degrees.extend(0.0))
    };
    let values = readings.iter().map(both).collect();
    let fields = on_axes(ui, Number::degrees().unit(""));
    rows(bones, values, fields).draw(ui, &mut kept.refused, &mut |values| {
        let angles = values.iter().map(|(bone, degrees)| (*bone, degrees.truncate())).collect();
        ui.send(BoneAction::NoteAngles { time: ui.view.time, angles });
        let posed = |(&(bone, degrees), (_, reading)): (&(BoneIndex, Vec4), &(BoneIndex, Reading))| {
            posed(bone, euler::rotation(degrees.truncate(), reading.order))
        };
        Ok(values.iter().zip(&readings).map(posed).collect())
    });
}

fn numbers_ui(ui: &Ui<'_>, skeleton: &Skeleton, bones: &[BoneIndex], kept: &mut RotationRows) {
    let reading = ui.session.workspace.rotation_reading;
    let RotationRows { entered, refused, .. } = kept;
    entered.go_to((ui.view.clip_id, ui.view.time, reading));
    let both = |&bone: &BoneIndex| {
        let [now, rest] = transforms(ui, skeleton, bone);
        [entered.show(bone, now.rotation), numbers_of(reading, rest.rotation)]
    };
    let values = bones.iter().map(both).collect();
    let (first, how) = match reading {
        RotationReading::AxisAngle => ("angle", Number::degrees().unit("")),
        RotationReading::Quaternion | RotationReading::Euler => ("w", Number::new("%.3f", 0.005)),
    };
    let mut fields = on_axes(ui, Number::new("%.3f", 0.005));
    fields.insert(0, (first, how));
    rows(bones, values, fields).draw(ui, refused, &mut |values| {
        let posed = |&(bone, numbers): &(BoneIndex, Vec4)| Ok(posed(bone, rotation_of(reading, numbers)?));
        let posed = values.iter().map(posed).collect::<Result<Vec<_>, String>>()?;
        entered.by_bone.extend(values.iter().copied());
        Ok(posed)
    });
}

fn rows<'a>(bones: &'a [BoneIndex], values: Vec<[Vec4; 2]>, fields: Vec<(&'static str, Number)>) -> Rows<'a> {
    let steps = ["Rotate bone", "Reset rotation"];
    Rows { channel: Channel::Rotation, label: "Rotation", steps, bones, values, fields }
}

fn posed(bone: BoneIndex, rotation: Quat) -> Posed {
    Posed { bone, channel: Channel::Rotation, value: Vec4::from(rotation) }
}

/// Draws the choice of how rotations are read.
fn reading_ui(ui: &Ui<'_>, place: Rect, mut reading: RotationReading) {
    let all = RotationReading::ALL.map(|reading| (reading, reading.name()));
    if menu_in(ui, place, "rotation-reading", &all, &mut reading).is_changed {
        ui.send(ToolAction::SetRotationReading(reading));
    }
    ui.tip("Rotation mode", "");
}

/// Draws the choice of the order of angles.
fn order_ui(ui: &Ui<'_>, place: Rect, bones: &[BoneIndex]) {
    let Some(model) = ui.model() else { return };
    let mut orders = bones.iter().map(|&bone| readings::order(model, bone));
    let first = orders.next();
    let order = first.filter(|first| orders.all(|other| other == *first));
    let (now, names) = (order.map_or("–", EulerOrder::name), EulerOrder::ALL.map(EulerOrder::name));
    if let Some(at) = pick_in(ui, place, "euler-order", now, ui.theme.text, names) {
        ui.send(BoneAction::SetEulerOrder { bones: bones.to_vec(), order: EulerOrder::ALL[at] });
    }
    ui.tip("Order of the angles: the first letter is applied first", "");
}
