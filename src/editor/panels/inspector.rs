//! What is selected, and what can be changed about it: the bone's transform, the keyframe, the meshes.

use glam::{EulerRot, Quat, Vec3, Vec4};
use lucide_icons::Icon;

use crate::anim::clip::Clip;
use crate::anim::key::{Channel, Ease};
use crate::anim::skeleton::BoneIndex;
use crate::anim::time::Time;
use crate::anim::transform::Transform;
use crate::assets::id::ClipId;
use crate::assets::model::{Model, Visibility};
use crate::editor::action::{Change, Posed};
use crate::editor::commands::Command;
use crate::editor::document::edit::{Edit, KeyRef};
use crate::editor::mixing::Mix;
use crate::editor::panels::kit::{Align, Kit, Rect, icon};
use crate::editor::panels::layout;
use crate::editor::panels::marks;
use crate::editor::panels::out::Out;
use crate::editor::panels::seen::{Seen, bone_name};
use crate::editor::panels::widgets::{self, Number, Tone};

/// Width of the labels before the fields.
const LABEL: f32 = 64.0;
/// Width of the labels of mixes: two of them stand in a row.
const MIX_LABEL: f32 = 78.0;

/// What the panel keeps for itself.
#[derive(Debug, Default)]
pub struct InspectorLocal {
    /// The angles as they were typed or dragged, in degrees: they stay while the rotation is what they say.
    angles: Option<(BoneIndex, Vec3)>,
    /// The mix whose field is dragged, in percent.
    mix: Option<(Mix, f32)>,
}

/// The panel's contents.
pub fn inspector_ui(kit: &Kit<'_>, seen: &Seen<'_>, local: &mut InspectorLocal, out: &mut Out) {
    let Some(model) = seen.model() else {
        layout::title(kit, "Inspector", "");
        return widgets::empty(kit, "Nothing is open.", "What is selected shows its values here.");
    };
    layout::scrolled(kit, "##inspector", 0.0, || {
        match seen.session.selection.active_bone() {
            Some(bone) => bone_ui(kit, seen, model, bone, local, out),
            None => {
                layout::title(kit, &model.name, "model");
                widgets::empty(kit, "No bone is selected.", "Click one in the picture or in the list of bones.");
            }
        }
        keyframe_ui(kit, seen, out);
        meshes_ui(kit, seen, model, out);
    });
}

fn bone_ui(kit: &Kit<'_>, seen: &Seen<'_>, model: &Model, bone: BoneIndex, local: &mut InspectorLocal, out: &mut Out) {
    let others = seen.session.selection.bones.len() - 1;
    let what = if others == 0 { format!("bone {bone}") } else { format!("bone {bone}, +{others}") };
    layout::title(kit, bone_name(&model.skeleton, bone), &what);
    kit.section("Transform · local");
    let transform = seen.view.local.get(usize::from(bone));
    let rest = model.skeleton.get(bone).map_or(Transform::IDENTITY, |bone| bone.rest);
    translation(kit, seen, bone, &transform, &rest, out);
    rotation(kit, seen, bone, &transform, &rest, local, out);
    scale(kit, seen, bone, &transform, &rest, out);
    kit.dummy([0.0, 4.0]);
    pose_buttons(kit, seen, out);
    mix_ui(kit, seen, local, out);
}

/// Three numbers with the colours of the axes, and the mark of the key. The new values where one was touched.
fn axes(
    kit: &Kit<'_>,
    seen: &Seen<'_>,
    (bone, channel, label): (BoneIndex, Channel, &'static str),
    mut values: Vec3,
    how: Number,
    put: &mut dyn FnMut(Vec3, bool, widgets::Touch, usize),
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
        put(values, touch.is_changed || touch.is_reset, touch, axis);
    }
    kit.set_cursor_screen_pos([top[0] + width - 20.0, top[1]]);
    if seen.clip().is_some() {
        let mark = marks::key_mark(seen, bone, channel);
        if widgets::key_button(kit, label, mark) {
            let value = channel.of(&seen.view.local.get(usize::from(bone)));
            marks::toggle_key(seen, bone, channel, value, out);
        }
        kit.tip(marks::hint(mark), "");
    }
    kit.set_cursor_screen_pos([top[0], top[1] + widgets::FIELD + 4.0]);
    kit.dummy([0.0, 0.0]);
}

fn translation(
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
    let mut touched = Out::default();
    let mut put = |values: Vec3, _, touch: widgets::Touch, axis: usize| {
        let posed = |value: Vec3| vec![Posed { bone, channel: Channel::Translation, value: value.extend(0.0) }];
        touched.gesture(touch, "Move bone", || Change::Pose(posed(values)));
        if touch.is_reset {
            let mut value = transform.translation;
            value[axis] = rest.translation[axis];
            touched.pose("Reset position", posed(value));
        }
    };
    axes(kit, seen, (bone, Channel::Translation, "Position"), transform.translation, how, &mut put, out);
    out.actions.append(&mut touched.actions);
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

fn rotation(
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
    let mut touched = Out::default();
    let mut put = |values: Vec3, _, touch: widgets::Touch, axis: usize| {
        if touch.is_changed {
            local.angles = Some((bone, values));
        }
        touched.gesture(touch, "Rotate bone", || Change::Pose(posed(values)));
        if touch.is_reset {
            let mut values = angles;
            values[axis] = degrees(rest.rotation)[axis];
            local.angles = Some((bone, values));
            touched.pose("Reset rotation", posed(values));
        }
    };
    let how = Number::new("%.1f", 0.5);
    axes(kit, seen, (bone, Channel::Rotation, "Rotation"), angles, how, &mut put, out);
    out.actions.append(&mut touched.actions);
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

fn scale(kit: &Kit<'_>, seen: &Seen<'_>, bone: BoneIndex, transform: &Transform, rest: &Transform, out: &mut Out) {
    let mut touched = Out::default();
    let mut put = |values: Vec3, _, touch: widgets::Touch, axis: usize| {
        let posed = |value: Vec3| vec![Posed { bone, channel: Channel::Scale, value: value.extend(0.0) }];
        touched.gesture(touch, "Scale bone", || Change::Pose(posed(values)));
        if touch.is_reset {
            let mut value = transform.scale;
            value[axis] = rest.scale[axis];
            touched.pose("Reset scale", posed(value));
        }
    };
    let how = Number::new("%.3f", 0.005);
    axes(kit, seen, (bone, Channel::Scale, "Scale"), transform.scale, how, &mut put, out);
    out.actions.append(&mut touched.actions);
}

fn pose_buttons(kit: &Kit<'_>, seen: &Seen<'_>, out: &mut Out) {
    let keys = [("Key pose", Command::KeyPose), ("Key bone", Command::KeySelected), ("Reset", Command::ClearAll)];
    let copies = [("Copy", Command::Copy), ("Paste", Command::Paste), ("Mirror", Command::PasteMirrored)];
    command_row(kit, seen, "keys", &keys, out);
    command_row(kit, seen, "copies", &copies, out);
}

/// The pose and its neighbours in time: one field each, dragged or typed in percent.
fn mix_ui(kit: &Kit<'_>, seen: &Seen<'_>, local: &mut InspectorLocal, out: &mut Out) {
    if seen.clip().is_none_or(|clip| clip.keyframes.len() < 2) {
        return;
    }
    kit.section("Between keyframes");
    let rows = [
        (Mix::Breakdown, "Between", "0 % is the keyframe before, 100 % the one after", Command::Breakdown),
        (Mix::Push, "Push", "Away from the way between the two", Command::Push),
        (Mix::Relax, "Relax", "Back to the way between the two", Command::Relax),
        (
            Mix::Neighbour,
            "Towards",
            "To the right the keyframe after, to the left the one before",
            Command::TowardsNeighbour,
        ),
    ];
    let width = ((kit.content_region_avail()[0] - 2.0 * MIX_LABEL - 4.0) / 2.0).floor();
    for (at, (mix, label, what, command)) in rows.into_iter().enumerate() {
        let top = kit.cursor_screen_pos();
        let left = top[0] + if at % 2 == 0 { 0.0 } else { MIX_LABEL + width + 4.0 };
        kit.text_in(Rect::at([left, top[1]], [MIX_LABEL, widgets::FIELD]), Align::Left, kit.theme.quiet, label);
        kit.set_cursor_screen_pos([left + MIX_LABEL, top[1]]);
        let idle = if mix == Mix::Breakdown { 50.0 } else { 0.0 };
        let mut percent = local.mix.filter(|(of, _)| *of == mix).map_or(idle, |(_, percent)| percent);
        let range = [mix.range().start() * 100.0, mix.range().end() * 100.0];
        let touch = widgets::number(
            kit,
            &format!("mix-{label}"),
            width,
            &mut percent,
            Number { range, ..Number::new("%.0f", 0.5) },
        );
        kit.tip(what, &format!("%, drag, double click types   {}", seen.key_of(command)));
        out.gesture(touch, mix.name(), || Change::Mix(mix, percent / 100.0));
        if touch.is_changed {
            local.mix = Some((mix, percent));
        }
        if touch.is_ended {
            local.mix = None;
        }
        kit.set_cursor_screen_pos([top[0], if at % 2 == 0 { top[1] } else { top[1] + widgets::FIELD + 4.0 }]);
    }
    kit.dummy([0.0, 0.0]);
}

fn command_row(kit: &Kit<'_>, seen: &Seen<'_>, id: &str, buttons: &[(&str, Command)], out: &mut Out) {
    row_of_buttons(kit, buttons.len(), |at, size| {
        let (name, command) = buttons[at];
        let tone = if seen.can_run(command) { Tone::Plain } else { Tone::Off };
        if widgets::button(kit, &format!("{name}##{id}{at}"), size, tone) {
            out.run(command);
        }
        kit.tip(command.label(), &seen.key_of(command));
    });
}

/// Buttons of the same width in one row.
fn row_of_buttons(kit: &Kit<'_>, count: usize, mut button: impl FnMut(usize, [f32; 2])) {
    let top = kit.cursor_screen_pos();
    let width = (kit.content_region_avail()[0] - 4.0 * (count as f32 - 1.0)) / count as f32;
    for at in 0..count {
        kit.set_cursor_screen_pos([top[0] + at as f32 * (width + 4.0), top[1]]);
        button(at, [width.floor(), widgets::FIELD]);
    }
    kit.set_cursor_screen_pos([top[0], top[1] + widgets::FIELD + 4.0]);
    kit.dummy([0.0, 0.0]);
}

/// The keyframe that is selected, else the one in whose duration the playhead stands.
fn keyframe_ui(kit: &Kit<'_>, seen: &Seen<'_>, out: &mut Out) {
    let (Some(clip), Some(id)) = (seen.clip(), seen.session.clip) else { return };
    let selected = seen.session.selection.keyframes.last().copied();
    let Some(at) = selected.or(seen.view.containing).filter(|at| *at < clip.keyframes.len()) else {
        kit.section("Keyframe");
        return widgets::empty(kit, "This clip has no keyframes yet.", "Pose the model, then I keys it.");
    };
    let several = seen.session.selection.keyframes.len();
    let title = if several > 1 { format!("{several} keyframes") } else { format!("Keyframe {}", at + 1) };
    kit.section(&title);
    duration_ui(kit, clip, id, at, out);
    ease_ui(kit, seen, clip, id, at, out);
}

fn duration_ui(kit: &Kit<'_>, clip: &Clip, id: ClipId, at: usize, out: &mut Out) {
    let top = kit.cursor_screen_pos();
    kit.text_in(Rect::at(top, [LABEL, widgets::FIELD]), Align::Left, kit.theme.quiet, "Duration");
    let duration = clip.keyframes[at].duration;
    let rate = clip.frame_rate;
    let width = ((kit.content_region_avail()[0] - LABEL - 8.0) / 2.0).floor();
    let shortest = if at + 1 == clip.keyframes.len() { 0.0 } else { 0.001 };
    let edit = |duration: Time| Change::Edits(vec![Edit::SetDuration { clip: id, keyframe: at, duration }]);

    kit.set_cursor_screen_pos([top[0] + LABEL, top[1]]);
    let mut frames = rate.frames_in(duration) as f32;
    let format = if (frames - frames.round()).abs() < 0.01 { "%.0f" } else { "%.2f" };
    let how = Number { range: [shortest, 100_000.0], unit: "frames", ..Number::new(format, 0.1) };
    let touch = widgets::number(kit, "frames", width, &mut frames, how);
    kit.tip("Duration in frames", "drag, double click types");
    let whole = Time::from_secs(f64::from(frames.round().max(shortest.ceil())) / rate.fps());
    let exact = Time::from_secs(f64::from(frames) / rate.fps());
    let typed = (frames - frames.round()).abs() > 0.01 && kit.io().key_ctrl;
    out.gesture(touch, "Retime keyframe", || edit(if typed { exact } else { rate.snap(whole) }));

    kit.set_cursor_screen_pos([top[0] + LABEL + width + 4.0, top[1]]);
    let mut millis = duration.millis() as f32;
    let how = Number { range: [shortest, 3_600_000.0], unit: "ms", ..Number::new("%.0f", 2.0) };
    let touch = widgets::number(kit, "millis", width, &mut millis, how);
    kit.tip("Duration in milliseconds", "drag, double click types");
    out.gesture(touch, "Retime keyframe", || edit(Time::from_millis(f64::from(millis))));
    kit.set_cursor_screen_pos([top[0], top[1] + widgets::FIELD + 4.0]);
    kit.dummy([0.0, 0.0]);
}

fn ease_ui(kit: &Kit<'_>, seen: &Seen<'_>, clip: &Clip, id: ClipId, at: usize, out: &mut Out) {
    let top = kit.cursor_screen_pos();
    kit.text_in(Rect::at(top, [LABEL, widgets::FIELD]), Align::Left, kit.theme.quiet, "Ease");
    let selected = &seen.session.selection.keyframes;
    let meant = |keyframe: &usize| if selected.is_empty() { *keyframe == at } else { selected.contains(keyframe) };
    let columns = || (0..clip.keyframes.len()).filter(meant);
    let all = |ease: Ease| {
        let mut keys = columns().flat_map(|column| &clip.keyframes[column].keys).peekable();
        keys.peek().is_some() && keys.all(|key| key.ease == ease)
    };
    let width = ((kit.content_region_avail()[0] - LABEL - 8.0) / 3.0).floor();
    for (place, ease) in Ease::ALL.into_iter().enumerate() {
        kit.set_cursor_screen_pos([top[0] + LABEL + place as f32 * (width + 4.0), top[1]]);
        let tone = if all(ease) { Tone::On } else { Tone::Plain };
        if widgets::button(kit, &format!("{}##ease{place}", ease_name(ease)), [width, widgets::FIELD], tone) {
            let refs = columns().flat_map(|keyframe| {
                let keys = clip.keyframes[keyframe].keys.iter();
                keys.map(move |key| KeyRef { keyframe, bone: key.bone, channel: key.channel })
            });
            out.edit("Ease", vec![Edit::SetEase { clip: id, keys: refs.collect(), ease }]);
        }
        kit.tip(ease_hint(ease), &seen.key_of(Command::EaseMenu));
    }
    kit.set_cursor_screen_pos([top[0], top[1] + widgets::FIELD + 4.0]);
    kit.dummy([0.0, 0.0]);
}

/// The word on the button.
pub fn ease_name(ease: Ease) -> &'static str {
    match ease {
        Ease::Step => "Step",
        Ease::Linear => "Linear",
        Ease::Cubic => "Smooth",
    }
}

fn ease_hint(ease: Ease) -> &'static str {
    match ease {
        Ease::Step => "All keys hold until the next one",
        Ease::Linear => "All keys go straight to the next one",
        Ease::Cubic => "All keys curve to the next one",
    }
}

fn meshes_ui(kit: &Kit<'_>, seen: &Seen<'_>, model: &Model, out: &mut Out) {
    if model.meshes.is_empty() {
        return;
    }
    kit.section("Meshes");
    for (at, slot) in model.meshes.iter().enumerate() {
        let touch = widgets::row(kit, &format!("mesh{at}"), false);
        if !kit.is_rect_visible(touch.rect.min, touch.rect.max) {
            continue;
        }
        let is_shown = slot.visibility == Visibility::Shown;
        let color = if is_shown { kit.theme.text } else { kit.theme.dim };
        let eye = Rect::at([touch.rect.min[0] + 4.0, touch.rect.min[1]], [20.0, widgets::ROW]);
        kit.text_in(eye, Align::Center, kit.theme.quiet, &icon(if is_shown { Icon::Eye } else { Icon::EyeOff }));
        let vertices = format!("{}", slot.mesh.positions.len());
        let right = Rect {
            min: [touch.rect.max[0] - 60.0, touch.rect.min[1]],
            max: [touch.rect.max[0] - 6.0, touch.rect.max[1]],
        };
        kit.text_in(right, Align::Right, kit.theme.quiet, &vertices);
        let name = Rect { min: [eye.max[0] + 6.0, touch.rect.min[1]], max: [right.min[0], touch.rect.max[1]] };
        kit.text_in(name, Align::Left, color, &slot.mesh.name);
        if touch.is_clicked {
            let visibility = if is_shown { Visibility::Hidden } else { Visibility::Shown };
            let label = if is_shown { "Hide mesh" } else { "Show mesh" };
            out.edit(label, vec![Edit::SetVisibility { model: seen.session.model, mesh: at, visibility }]);
        }
    }
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
