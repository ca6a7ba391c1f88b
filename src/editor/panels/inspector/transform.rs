//! The numeric transform of a bone, with its key marks.

use crate::editor::panels::ui::Ui;
use glam::{EulerRot, Quat, Vec3, Vec4};

use crate::anim::key::Channel;
use crate::anim::skeleton::BoneIndex;
use crate::anim::transform::Transform;
use crate::editor::ops::posed::Posed;
use crate::editor::panels::inspector::{GAP, InspectorPanel, LABEL, labelled_row, number_at};
use crate::editor::panels::ui::key_mark;
use crate::editor::panels::ui::widgets;
use crate::editor::panels::ui::widgets::Number;
use crate::editor::posing::change::Change;

/// Draws a channel as three numbers and a key mark; `put` receives the values when one is touched.
fn axes(
    ui: &Ui<'_>,
    (bone, channel, label): (BoneIndex, Channel, &'static str),
    mut values: Vec3,
    how: Number,
    put: &mut dyn FnMut(Vec3, widgets::Touch, usize, &Ui<'_>),
) {
    labelled_row(ui, label, LABEL, |row| {
        let mut fields = row.trim_right(24.0);
        fields.max[0] = fields.max[0].max(fields.min[0] + 98.0);
        for axis in 0..3 {
            let how = Number { edge: Some(ui.theme.axes[axis]), ..how };
            let id = format!("{label}{axis}");
            let touch = number_at(ui, fields.column(axis, 3, GAP), &id, &mut values[axis], how);
            ui.tip(&format!("{label} {}", ["x", "y", "z"][axis]), "drag, double-click to type, right-click to reset");
            put(values, touch, axis, ui);
        }
        if ui.clip().is_some() {
            ui.set_cursor_screen_pos(row.right(20.0).min);
            key_button(ui, bone, channel, label);
        }
    });
}

/// Draws the key mark of a channel, which sets or deletes its key.
fn key_button(ui: &Ui<'_>, bone: BoneIndex, channel: Channel, label: &str) {
    let mark = key_mark::key_mark(ui, bone, channel);
    if widgets::key_button(ui, label, mark) {
        let value = channel.of(&ui.view.local.get(usize::from(bone)));
        key_mark::toggle_key(ui, bone, channel, value);
    }
    ui.tip(key_mark::hint(mark), "");
}

pub(super) fn translation(ui: &Ui<'_>, bone: BoneIndex, transform: &Transform, rest: &Transform) {
    // A drag across the panel moves by about the bone's length, whatever the model's units.
    let reach = transform.translation.length().max(rest.translation.length()).max(0.01);
    let how = Number::new(digits(reach), reach * 0.004);
    let labels = ["Position", "Move bone", "Reset position"];
    vector(ui, (bone, Channel::Translation, labels), [transform.translation, rest.translation], how);
}

/// Draws a translation or scale: its label, the undo labels of a drag and a reset, its current value and its rest
/// value.
fn vector(
    ui: &Ui<'_>,
    (bone, channel, [label, dragged, reset]): (BoneIndex, Channel, [&'static str; 3]),
    [now, rest]: [Vec3; 2],
    how: Number,
) {
    let posed = |value: Vec3| vec![Posed { bone, channel, value: value.extend(0.0) }];
    let mut put = |values: Vec3, touch: widgets::Touch, axis: usize, ui: &Ui<'_>| {
        ui.gesture(touch, dragged, || Change::Pose(posed(values)));
        if touch.is_reset {
            let mut value = now;
            value[axis] = rest[axis];
            ui.pose(reset, posed(value));
        }
    };
    axes(ui, (bone, channel, label), now, how, &mut put);
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

pub(super) fn rotation(
    ui: &Ui<'_>,
    bone: BoneIndex,
    transform: &Transform,
    rest: &Transform,
    panel: &mut InspectorPanel,
) {
    let angles = shown_angles(panel, bone, transform.rotation);
    let posed = |angles: Vec3| vec![Posed { bone, channel: Channel::Rotation, value: Vec4::from(quaternion(angles)) }];
    let mut put = |values: Vec3, touch: widgets::Touch, axis: usize, ui: &Ui<'_>| {
        if touch.is_changed {
            panel.angles = Some((bone, values));
        }
        ui.gesture(touch, "Rotate bone", || Change::Pose(posed(values)));
        if touch.is_reset {
            let mut values = angles;
            values[axis] = degrees(rest.rotation)[axis];
            panel.angles = Some((bone, values));
            ui.pose("Reset rotation", posed(values));
        }
    };
    let how = Number::new("%.1f", 0.5);
    axes(ui, (bone, Channel::Rotation, "Rotation"), angles, how, &mut put);
}

/// The entered angles if they still describe the rotation, or else angles computed from it.
fn shown_angles(panel: &mut InspectorPanel, bone: BoneIndex, rotation: Quat) -> Vec3 {
    let entered =
        panel.angles.filter(|(of, angles)| *of == bone && quaternion(*angles).dot(rotation).abs() > 0.999_999);
    let angles = entered.map_or_else(|| degrees(rotation), |(_, angles)| angles);
    panel.angles = Some((bone, angles));
    angles
}

fn degrees(rotation: Quat) -> Vec3 {
    let (x, y, z) = rotation.to_euler(EulerRot::XYZ);
    Vec3::new(x, y, z) * f32::to_degrees(1.0)
}

fn quaternion(degrees: Vec3) -> Quat {
    let radians = degrees * f32::to_radians(1.0);
    Quat::from_euler(EulerRot::XYZ, radians.x, radians.y, radians.z).normalize()
}

pub(super) fn scale(ui: &Ui<'_>, bone: BoneIndex, transform: &Transform, rest: &Transform) {
    let labels = ["Scale", "Scale bone", "Reset scale"];
    let how = Number::new("%.3f", 0.005);
    vector(ui, (bone, Channel::Scale, labels), [transform.scale, rest.scale], how);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entered_angles_stay_as_long_as_they_describe_the_rotation() {
        let mut panel = InspectorPanel::default();
        let entered = Vec3::new(10.0, 120.0, 30.0);
        panel.angles = Some((3, entered));
        assert_eq!(shown_angles(&mut panel, 3, quaternion(entered)), entered);
        let other = shown_angles(&mut panel, 3, Quat::IDENTITY);
        assert!(other.length() < 1e-4);
        panel.angles = Some((3, entered));
        assert_ne!(shown_angles(&mut panel, 4, quaternion(entered)), entered);
    }
}
