//! Whole-body IK: pins and limits hold whatever is dragged, poses follow the mouse without jumps, and a drag is one step that Escape takes
//! back.

use std::sync::Arc;

use glam::{Vec2, Vec3};
use keypose::anim::ik::limit::Limit;
use keypose::anim::mat34::Mat3x4;
use keypose::anim::pose::{LocalPose, ModelPose};
use keypose::anim::skeleton::BoneIndex;
use keypose::anim::time::Time;
use keypose::anim::transform::Transform;
use keypose::assets::combat::Lanes;
use keypose::assets::model::Model;
use keypose_editor::editor::ops::pose::{model_pose, sample};
use keypose_editor::editor::script;
use keypose_editor::editor::session::pointer::{ModalKey, PointerKind};
use keypose_editor::editor::session::tool::{Constraint, Space, Tool, TransformKind};
use keypose_editor::editor::state::action::{DocumentAction, GestureAction};
use keypose_tools::balance::{Balance, margin};
use keypose_tools::joint_limits::propose;
use keypose_tools::whole_body::{Pull, Stand, WholeBody};

use crate::editor_kit::{demo, grip, head, mouse, press, seen};
use crate::joint_limits::Random;

/// The knight of the demo, with the limits of a person.
struct Knight {
    model: Arc<Model>,
    balance: Balance,
    lanes: Lanes,
    limits: Vec<(BoneIndex, Limit)>,
}

impl Knight {
    fn new() -> Knight {
        let mut model = Model::clone(demo().model().unwrap());
        model.rig.limits = propose(&model);
        let limits = model.rig.limits_of(&model.skeleton).collect();
        Knight { balance: Balance::of(&model), model: Arc::new(model), lanes: Lanes::default(), limits }
    }

    fn bone(&self, name: &str) -> BoneIndex {
        self.model.skeleton.find(name).unwrap()
    }

    fn pose(&self, clip: &str, share: f32) -> LocalPose {
        let slot = self.model.clips.iter().find(|slot| slot.clip.name == clip).unwrap();
        sample(&slot.clip, &self.model.skeleton, Time((slot.clip.length().0 as f32 * share) as i64))
    }

    /// The start of the idle clip with a bone scaled.
    fn scaled(&self, name: &str, scale: Vec3) -> LocalPose {
        let (mut pose, bone) = (self.pose("idle", 0.0), usize::from(self.bone(name)));
        pose.set(bone, &Transform { scale, ..pose.get(bone) });
        pose
    }

    fn body(&self, start: &LocalPose, pulled: BoneIndex, pins: &[&str]) -> WholeBody {
        let pins: Vec<BoneIndex> = pins.iter().map(|name| self.bone(name)).collect();
        let stand = Stand { balance: &self.balance, lanes: &self.lanes, time: Time::ZERO };
        WholeBody::new(&self.model, start, &stand, &[pulled], &pins).unwrap()
    }

    fn pulled(&self, body: &WholeBody, bone: BoneIndex, offset: Vec3) -> LocalPose {
        let mut local = body.start().clone();
        body.pulled(&self.model.skeleton, &[Pull { bone, offset, keeps_rotation: false }], &mut local);
        local
    }

    fn model_pose(&self, local: &LocalPose) -> ModelPose {
        model_pose(&self.model.skeleton, local)
    }

    /// A tenth of a millimetre in model units.
    fn tenth(&self) -> f32 {
        1e-4 / self.balance.scale
    }
}

/// 100,000 drags with `KEYPOSE_FULL`, or some of them.
#[test]
fn pins_stay_and_limits_hold_in_random_drags() {
    let drags = if std::env::var_os("KEYPOSE_FULL").is_some() { 100_000 } else { 200 };
    let (knight, mut random, mut moved) = (Knight::new(), Random(43), 0);
    let bones = ["hand.L", "hand.R", "hips", "head", "chest", "foot.L", "shin.R", "forearm.L", "weapon", "toe.R"];
    for at in 0..drags {
        let clip = ["idle", "walk", "idle", "run"][at % 4];
        let start = knight.pose(clip, random.next());
        let bone = knight.bone(bones[(random.next() * bones.len() as f32) as usize]);
        let pins: &[&str] = [&[][..], &["hand.L"], &["foot.L", "foot.R"], &["hand.R", "foot.R"]][at / 4 % 4];
        let size = [0.1, 0.4, 1.5][at % 3] * knight.balance.height;
        let body = knight.body(&start, bone, pins);
        let (before, local) = (knight.model_pose(&start), knight.pulled(&body, bone, random.point(size)));
        let after = knight.model_pose(&local);
        assert!(local.iter().all(|transform| transform.is_finite()));
        for pin in body.pins() {
            let of = |pose: &ModelPose| match pin.of {
                Some(of) => pose.get(of).to_mat4().inverse().transform_point3(pose.get(pin.bone).translation()),
                None => pose.get(pin.bone).translation(),
            };
            let off = of(&before).distance(of(&after));
            assert!(off <= knight.tenth(), "drag {at}, {pin:?}: {off}");
        }
        for (bone, limit) in &knight.limits {
            let excess = |pose: &LocalPose| limit.excess(pose.get(usize::from(*bone)).rotation);
            assert!(
                excess(&local) <= excess(&start) + 1e-3,
                "drag {at}: {}",
                knight.model.skeleton.bones()[usize::from(*bone)].name
            );
        }
        moved += usize::from(after.get(bone).translation().distance(before.get(bone).translation()) > 0.2 * size);
    }
    assert!(moved > drags / 2, "{moved} of {drags}");
}

#[test]
fn a_pull_of_no_length_changes_nothing() {
    let knight = Knight::new();
    let start = knight.pose("walk", 0.3);
    for name in ["hips", "hand.L", "foot.R"] {
        let bone = knight.bone(name);
        let after = knight.model_pose(&knight.pulled(&knight.body(&start, bone, &[]), bone, Vec3::ZERO));
        let before = knight.model_pose(&start);
        let apart = |(a, b): (&Mat3x4, &Mat3x4)| a.translation().distance(b.translation());
        let most = before
            .bones
            .iter()
            .zip(&after.bones)
            .map(apart)
            .fold(0.0, |most, one| if one <= most { most } else { one });
        assert!(most <= knight.tenth(), "{name}: {most}");
    }
}

/// The knight is 500 pixels high, and the mouse moves by up to half of that.
#[test]
fn a_pixel_of_the_mouse_moves_no_joint_by_more_than_two_degrees() {
    let knight = Knight::new();
    let (start, pixel) = (knight.pose("idle", 0.0), knight.balance.height / 500.0);
    let ways = [Vec3::X, Vec3::NEG_Y, Vec3::new(-0.5, -0.5, 0.7), Vec3::NEG_X, Vec3::Y, Vec3::Z];
    let (ways, step) = if std::env::var_os("KEYPOSE_FULL").is_some() { (&ways[..], 1) } else { (&ways[..3], 80) };
    let (mut worst, mut at_worst) = (0.0_f32, String::new());
    for (name, way) in ["hips", "hand.L", "head", "foot.R", "shin.L"]
        .into_iter()
        .flat_map(|bone| ways.iter().map(move |way| (bone, *way)))
    {
        let bone = knight.bone(name);
        let body = knight.body(&start, bone, &[]);
        for pixels in (0..250).step_by(step) {
            let [a, b] = [pixels, pixels + 1].map(|pixels| knight.pulled(&body, bone, way * pixel * pixels as f32));
            for (index, (a, b)) in a.iter().zip(b.iter()).enumerate() {
                let angle = a.rotation.angle_between(b.rotation).to_degrees();
                if angle > worst {
                    let joint = &knight.model.skeleton.bones()[index].name;
                    (worst, at_worst) = (angle, format!("{name} by {pixels} px along {way}: {joint}"));
                }
            }
        }
    }
    assert!(worst <= 2.0, "{worst}° {at_worst}");
}

/// The legs, bent by 37° at the start, nearly straighten, but don't snap.
#[test]
fn a_pull_beyond_reach_goes_far_without_a_jump() {
    let knight = Knight::new();
    let (start, pixel) = (knight.pose("idle", 0.0), knight.balance.height / 500.0);
    let (head, body) = (knight.bone("head"), knight.body(&knight.pose("idle", 0.0), knight.bone("head"), &[]));
    let mut before = start.clone();
    for pixels in 1..=120 {
        let after = knight.pulled(&body, head, Vec3::Y * pixel * pixels as f32);
        let turned = before.iter().zip(after.iter()).map(|(a, b)| a.rotation.angle_between(b.rotation));
        assert!(turned.fold(0.0, f32::max).to_degrees() <= 2.0, "{pixels}");
        before = after;
    }
    let knee = knight.limits.iter().find(|(bone, _)| *bone == knight.bone("shin.L")).unwrap();
    let bent = knee.1.angles(before.get(usize::from(knee.0)).rotation).about.to_degrees();
    assert!(bent < 20.0, "{bent}°");
}

#[test]
fn the_knight_crouches_and_leans_in_balance() {
    let knight = Knight::new();
    let start = knight.pose("idle", 0.0);
    let height = knight.balance.height;
    let cases =
        [("hips", Vec3::NEG_Y * 0.15), ("hips", Vec3::X * 0.05), ("hand.L", Vec3::Z * 0.5), ("head", Vec3::X * 0.1)];
    for (name, offset) in cases {
        let bone = knight.bone(name);
        let local = knight.pulled(&knight.body(&start, bone, &[]), bone, offset * height);
        let pose = knight.model_pose(&local);
        let stance = knight.balance.stance(&pose, &knight.lanes, Time::ZERO);
        let centre = Vec2::new(stance.centre.x, stance.centre.z);
        assert!(margin(&stance.support, centre).unwrap() > 0.0, "{name}: {stance:?}");
        let before = knight.model_pose(&start);
        let gone = pose.get(bone).translation() - before.get(bone).translation();
        assert!(gone.dot(offset.normalize()) > offset.length() * height * 0.5, "{name}: {gone}");
    }
}

#[test]
fn a_mirrored_knight_is_posed_as_its_mirror_image() {
    let knight = Knight::new();
    for (name, offset) in [("hips", Vec3::NEG_Y * 0.1), ("hand.R", Vec3::new(0.0, 0.1, 0.05))] {
        let bone = knight.bone(name);
        let [pose, mirrored] = [Vec3::ONE, Vec3::new(-1.0, 1.0, 1.0)].map(|scale| {
            let body = knight.body(&knight.scaled("root", scale), bone, &[]);
            knight.model_pose(&knight.pulled(&body, bone, offset * knight.balance.height))
        });
        for (at, (a, b)) in pose.bones.iter().zip(&mirrored.bones).enumerate() {
            let apart = (a.translation() * Vec3::new(-1.0, 1.0, 1.0)).distance(b.translation());
            let bone = &knight.model.skeleton.bones()[at].name;
            assert!(apart < 1e-2 * knight.balance.height, "{name}, {bone}: {apart}");
        }
    }
}

#[test]
fn squashed_hips_crouch_and_turn_nothing_far_at_first() {
    let knight = Knight::new();
    let (hips, height) = (knight.bone("hips"), knight.balance.height);
    for scale in [[1.05, 0.9, 1.05], [1.0, 0.8, 1.0], [0.8, 1.3, 0.8], [1.4, 0.7, 1.4]].map(Vec3::from_array) {
        let start = knight.scaled("hips", scale);
        let body = knight.body(&start, hips, &["foot.L", "foot.R"]);
        let [near, far] = [1e-3, 0.06].map(|share| knight.pulled(&body, hips, Vec3::NEG_Y * share * height));
        let turned = start.iter().zip(near.iter()).map(|(a, b)| a.rotation.angle_between(b.rotation).to_degrees());
        let most = turned.fold(0.0, f32::max);
        assert!(most < 1.0, "{scale}: {most}°");
        let [before, after] = [&start, &far].map(|pose| knight.model_pose(pose).get(hips).translation().y);
        assert!(before - after > 0.02 * height, "{scale}: {before} {after}");
    }
}

/// Both hands are on the sword: the second one is pinned.
#[test]
fn two_hands_keep_their_grip_while_the_sword_moves() {
    let knight = Knight::new();
    let start = knight.pose("idle", 0.0);
    let [left, right, sword] = ["hand.L", "hand.R", "weapon"].map(|name| knight.bone(name));
    // The left hand goes to the right one first.
    let between = |pose: &ModelPose| pose.get(right).translation() - pose.get(left).translation();
    let reach = between(&knight.model_pose(&start)) * 0.92;
    let start = knight.pulled(&knight.body(&start, left, &[]), left, reach);
    let grip_of = |local: &LocalPose| {
        let pose = knight.model_pose(local);
        let hand = pose.get(right).to_mat4().inverse() * pose.get(left).to_mat4();
        (hand.transform_point3(Vec3::ZERO), hand)
    };
    for (bone, offset) in [(sword, Vec3::Y * 0.3), (right, Vec3::new(0.1, 0.2, 0.2)), (right, Vec3::Z * -0.1)] {
        let body = knight.body(&start, bone, &["hand.L"]);
        let local = knight.pulled(&body, bone, offset * knight.balance.height);
        let moved = knight
            .model_pose(&local)
            .get(bone)
            .translation()
            .distance(knight.model_pose(&start).get(bone).translation());
        assert!(moved > 0.05 * knight.balance.height, "{moved}");
        assert!(grip_of(&start).0.distance(grip_of(&local).0) <= knight.tenth());
        assert!(grip_of(&start).1.abs_diff_eq(grip_of(&local).1, 1e-2));
    }
}

#[test]
fn a_pinned_hand_keeps_its_rotation_in_a_mirrored_character() {
    let hand = |scale: &str, degrees: i32| {
        let mut editor = demo();
        let turn = format!("select chest; key R over viewport; type y {degrees} enter");
        script::run(&mut editor, &format!("clip idle; pose root scale {scale}; pin hand.R; {turn}")).unwrap();
        let bone = editor.model().unwrap().skeleton.find("hand.R").unwrap();
        editor.view().local.get(usize::from(bone)).rotation
    };
    let apart = hand("1 1 1", 20).angle_between(hand("-1 1 1", -20)).to_degrees();
    assert!(apart < 1.0, "{apart}°");
}

#[test]
fn a_drag_is_one_step_and_escape_takes_it_back() {
    let mut editor = demo();
    script::run(&mut editor, "clip idle; switch whole-body").unwrap();
    let hips = editor.model().unwrap().skeleton.find("hips").unwrap();
    let feet = ["foot.L", "foot.R"].map(|name| editor.model().unwrap().skeleton.find(name).unwrap());
    let mut editor = seen(editor, hips, Tool::Reach, Space::Model, (0.4, 0.1));
    let (rest, held) = (editor.view().local.clone(), feet.map(|foot| head(&editor, foot)));
    let from = grip(&editor, Some(TransformKind::Reach), Constraint::Free);
    press(&mut editor, from);
    mouse(&mut editor, PointerKind::Moved, from + Vec2::new(30.0, 60.0));
    let there = editor.view().local.clone();
    assert!(there != rest);
    feet.iter().zip(held).for_each(|(&foot, held)| assert!(head(&editor, foot).distance(held) < 1e-4));
    mouse(&mut editor, PointerKind::Moved, from + Vec2::new(-200.0, 90.0));
    mouse(&mut editor, PointerKind::Moved, from + Vec2::new(30.0, 60.0));
    assert_eq!(editor.view().local, there, "the way of the mouse doesn't matter");
    editor.update(GestureAction::Modal(ModalKey::Cancel));
    assert_eq!((editor.view().local.clone(), editor.history.undo_count()), (rest.clone(), 0));
    press(&mut editor, from);
    mouse(&mut editor, PointerKind::Moved, from + Vec2::new(30.0, 60.0));
    mouse(&mut editor, PointerKind::Released, from + Vec2::new(30.0, 60.0));
    assert_eq!((editor.view().local.clone(), editor.history.undo_count()), (there, 1));
    editor.update(DocumentAction::Undo);
    assert_eq!(editor.view().local, rest);
}
