//! The transform of a bone in numbers, with the marks of its keys.

use glam::{EulerRot, Quat, Vec3, Vec4};

use crate::anim::key::Channel;
use crate::anim::skeleton::BoneIndex;
use crate::anim::transform::Transform;
use crate::editor::ops::posed::Posed;
use crate::editor::panels::inspector::{InspectorLocal, LABEL};
use crate::editor::panels::ui::actions::Out;
use crate::editor::panels::ui::canvas::{Align, Kit, Rect};
use crate::editor::panels::ui::key_mark;
use crate::editor::panels::ui::seen::Seen;
use crate::editor::panels::ui::widgets;
use crate::editor::panels::ui::widgets::Number;
use crate::editor::posing::change::Change;

/// Three numbers with the colours of the axes, and the mark of the key. The new values where one was touched.
fn axes(
    kit: &Kit<'_>,
    seen: &Seen<'_>,
    (bone, channel, label): (BoneIndex, Channel, &'static str),
    mut values: Vec3,
    how: Number,
    put: &mut dyn FnMut(Vec3, widgets::Touch, usize, &mut Out),
    out: &mut Out,
) {
    let top = kit.cursor_screen_pos();
    let width = kit.content_region_avail()[0];
    let text = Rect::at(top, [LABEL, widgets::FIELD]);
    kit.text_in(text, Align::Left, kit.theme.quiet, label);
    let field = ((width - LABEL - 24.0 - 8.0) / 3.0).floor().max(30.0);
    for axis in 0..3 {
        kit.set_cursor_screen_pos([top[0] + LABEL + axis as f32 * (field + 4.0), top[1]]);
        let how = Number { edge: Some(kit.theme.axes[axis]), ..how };
        let touch = widgets::number(kit, &format!("{label}{axis}"), field, &mut values[axis], how);
        kit.tip(&format!("{label} {}", ["x", "y", "z"][axis]), "drag, double click types, right click resets");
        put(values, touch, axis, out);
    }
    kit.set_cursor_screen_pos([top[0] + width - 20.0, top[1]]);
    if seen.clip().is_some() {
        let mark = key_mark::key_mark(seen, bone, channel);
        if widgets::key_button(kit, label, mark) {
            let value = channel.of(&seen.view.local.get(usize::from(bone)));
            key_mark::toggle_key(seen, bone, channel, value, out);
        }
        kit.tip(key_mark::hint(mark), "");
    }
    kit.set_cursor_screen_pos([top[0], top[1] + widgets::FIELD + 4.0]);
    kit.dummy([0.0, 0.0]);
}

pub(super) fn translation(
    kit: &Kit<'_>,
    seen: &Seen<'_>,
    bone: BoneIndex,
    transform: &Transform,
    rest: &Transform,
    out: &mut Out,
) {
    // A drag across the panel moves about the length of the bone, whatever units the model is in.
    let reach = transform.translation.length().max(rest.translation.length()).max(0.01);
    let how = Number::new(digits(reach), reach * 0.004);
    let words = ["Position", "Move bone", "Reset position"];
    vector(kit, seen, (bone, Channel::Translation, words), [transform.translation, rest.translation], how, out);
}

/// A channel whose numbers are what is shown: its label, and what a drag and a reset are called; the value now and at rest.
fn vector(
    kit: &Kit<'_>,
    seen: &Seen<'_>,
    (bone, channel, [label, dragged, reset]): (BoneIndex, Channel, [&'static str; 3]),
    [now, rest]: [Vec3; 2],
    how: Number,
    out: &mut Out,
) {
    let posed = |value: Vec3| vec![Posed { bone, channel, value: value.extend(0.0) }];
    let mut put = |values: Vec3, touch: widgets::Touch, axis: usize, out: &mut Out| {
        out.gesture(touch, dragged, || Change::Pose(posed(values)));
        if touch.is_reset {
            let mut value = now;
            value[axis] = rest[axis];
            out.pose(reset, posed(value));
        }
    };
    axes(kit, seen, (bone, channel, label), now, how, &mut put, out);
}

/// More digits behind the point for small models.
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
    kit: &Kit<'_>,
    seen: &Seen<'_>,
    bone: BoneIndex,
    transform: &Transform,
    rest: &Transform,
    local: &mut InspectorLocal,
    out: &mut Out,
) {
    let angles = shown_angles(local, bone, transform.rotation);
    let posed = |angles: Vec3| vec![Posed { bone, channel: Channel::Rotation, value: Vec4::from(quaternion(angles)) }];
    let mut put = |values: Vec3, touch: widgets::Touch, axis: usize, out: &mut Out| {
        if touch.is_changed {
            local.angles = Some((bone, values));
        }
        out.gesture(touch, "Rotate bone", || Change::Pose(posed(values)));
        if touch.is_reset {
            let mut values = angles;
            values[axis] = degrees(rest.rotation)[axis];
            local.angles = Some((bone, values));
            out.pose("Reset rotation", posed(values));
        }
    };
    let how = Number::new("%.1f", 0.5);
    axes(kit, seen, (bone, Channel::Rotation, "Rotation"), angles, how, &mut put, out);
}

/// The angles that were entered as long as they are the rotation's; else those that follow from it.
fn shown_angles(local: &mut InspectorLocal, bone: BoneIndex, rotation: Quat) -> Vec3 {
    let kept = local.angles.filter(|(of, angles)| *of == bone && quaternion(*angles).dot(rotation).abs() > 0.999_999);
    let angles = kept.map_or_else(|| degrees(rotation), |(_, angles)| angles);
    local.angles = Some((bone, angles));
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

pub(super) fn scale(
    kit: &Kit<'_>,
    seen: &Seen<'_>,
    bone: BoneIndex,
    transform: &Transform,
    rest: &Transform,
    out: &mut Out,
) {
    let words = ["Scale", "Scale bone", "Reset scale"];
    let how = Number::new("%.3f", 0.005);
    vector(kit, seen, (bone, Channel::Scale, words), [transform.scale, rest.scale], how, out);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entered_angles_stay_as_long_as_they_mean_the_rotation() {
        let mut local = InspectorLocal::default();
        let entered = Vec3::new(10.0, 120.0, 30.0);
        local.angles = Some((3, entered));
        assert_eq!(shown_angles(&mut local, 3, quaternion(entered)), entered);
        let other = shown_angles(&mut local, 3, Quat::IDENTITY);
        assert!(other.length() < 1e-4);
        local.angles = Some((3, entered));
        assert_ne!(shown_angles(&mut local, 4, quaternion(entered)), entered);
    }
}
