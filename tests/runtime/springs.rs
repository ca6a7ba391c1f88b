//! Springs: they swing, come to rest, stay out of colliders, and survive teleports, pauses and bad numbers.

use glam::{Quat, Vec3};
use keypose::anim::pose::{LocalPose, ModelPose};
use keypose::anim::skeleton::{Bone, BoneIndex, Skeleton};
use keypose::anim::spring::{Collider, Joint, Place, Springs, Swing, Swinging, Tip};
use keypose::anim::transform::Transform;

const SWING: Swing = Swing { stiffness: 0.6, drag: 0.2, gravity: Vec3::ZERO, radius: 0.0 };

/// A root at the height of 1 with a chain of bones along x, each 0.2 long.
fn skeleton(bones: u16) -> Skeleton {
    let bone = |at: u16| Bone {
        name: format!("b{at}"),
        parent: at.checked_sub(1),
        rest: Transform::from_translation(if at == 0 { Vec3::Y } else { Vec3::X * 0.2 }),
    };
    Skeleton::new((0..=bones).map(bone).collect()).unwrap()
}

fn joint(bone: BoneIndex, swing: Swing) -> Joint {
    Joint { bone, tip: Tip::Bone(bone + 1), swing, center: None, colliders: vec![0] }
}

/// A character whose chain starts at bone 1.
struct Figure {
    skeleton: Skeleton,
    springs: Springs,
    swinging: Swinging,
    pose: LocalPose,
    placed: ModelPose,
}

impl Figure {
    fn new(bones: u16, swing: Swing, colliders: Vec<Collider>) -> Figure {
        let skeleton = skeleton(bones);
        let springs =
            Springs::new(&skeleton, (1..bones).map(|bone| joint(bone, swing)).collect(), colliders, Vec3::ZERO);
        let pose = skeleton.rest_pose();
        Figure { skeleton, springs, swinging: Swinging::default(), pose, placed: ModelPose::default() }
    }

    /// The tip of the chain in the world after steps at a place.
    fn run(&mut self, steps: usize, place: impl Fn(usize) -> Place) -> Vec3 {
        let mut at = Place::ORIGIN;
        for step in 0..steps {
            at = place(step);
            self.pose = self.skeleton.rest_pose();
            self.placed.compute_portable(&self.skeleton, &self.pose);
            self.springs.step(&self.skeleton, &at, &mut self.swinging, &mut self.pose, &mut self.placed);
        }
        let tip = self.placed.bones[self.skeleton.len() - 1].translation();
        assert!(tip.is_finite());
        at.rotation * tip + at.translation
    }

    fn rest_tip(&self) -> Vec3 {
        self.skeleton.rest_model_pose().bones[self.skeleton.len() - 1].translation()
    }
}

fn at(translation: Vec3) -> Place {
    Place { translation, ..Place::ORIGIN }
}

#[test]
fn a_chain_lags_behind_a_movement_and_comes_to_rest() {
    let mut figure = Figure::new(5, SWING, Vec::new());
    let rest = figure.rest_tip();
    assert!(figure.run(1, |_| Place::ORIGIN).distance(rest) < 1e-6, "it starts where the pose has it");
    let moving = figure.run(30, |step| at(Vec3::Y * step as f32 * 0.05)) - Vec3::Y * 29.0 * 0.05;
    assert!(moving.y < rest.y - 0.1, "{moving} lags behind {rest}");
    let still = figure.run(600, |_| at(Vec3::Y * 29.0 * 0.05)) - Vec3::Y * 29.0 * 0.05;
    assert!(still.distance(rest) < 1e-4, "{still} is at rest at {rest}");
    // The lengths of bones never change.
    for pair in figure.placed.bones[1..].windows(2) {
        assert!((pair[0].translation().distance(pair[1].translation()) - 0.2).abs() < 1e-5);
    }
}

#[test]
fn gravity_and_wind_pull_in_the_world_whichever_way_the_model_faces() {
    for turn in [0.0, 1.0, 3.0] {
        let place = Place { rotation: Quat::from_rotation_y(turn), translation: Vec3::ZERO };
        let mut figure = Figure::new(3, Swing { stiffness: 0.0, gravity: Vec3::NEG_Y * 2.0, ..SWING }, Vec::new());
        let tip = figure.run(600, |_| place);
        let joint = place.rotation * figure.skeleton.rest_model_pose().bones[1].translation();
        assert!(tip.distance(joint - Vec3::Y * 0.4) < 1e-3, "it hangs: {tip}");
        let joints = figure.springs.joints().to_vec();
        figure.springs = Springs::new(&figure.skeleton, joints, Vec::new(), Vec3::Z * 2.0);
        let tip = figure.run(900, |_| place) - joint;
        assert!((tip - Vec3::new(0.0, -1.0, 1.0).normalize() * 0.4).length() < 1e-3, "it is blown: {tip}");
    }
}

/// Weight and stiffness are equal, so that the tip comes to rest 45° below the direction that the pose has.
#[test]
fn a_bone_with_a_scale_of_its_own_swings_as_far_as_one_without() {
    let swing = Swing { stiffness: 0.4, drag: 0.5, gravity: Vec3::NEG_Y * 0.4, ..SWING };
    for scale in [Vec3::ONE, Vec3::new(-1.0, 1.0, 1.0), Vec3::new(1.0, 3.0, 1.0), Vec3::new(3.0, 1.0, 1.0)] {
        let mut figure = Figure::new(2, swing, Vec::new());
        let mut bones = figure.skeleton.bones().to_vec();
        bones[1].rest.scale = scale;
        figure.skeleton = Skeleton::new(bones).unwrap();
        let tip = figure.run(600, |_| Place::ORIGIN) - figure.placed.bones[1].translation();
        let expected = Vec3::new(scale.x.signum(), -1.0, 0.0).normalize();
        assert!(tip.normalize().distance(expected) < 1e-2, "{scale}: {tip}");
    }
}

#[test]
fn tips_stay_out_of_spheres_and_capsules() {
    let heavy = Swing { stiffness: 0.05, gravity: Vec3::NEG_Y, radius: 0.02, ..SWING };
    // Below the first joint, a little to the side: the chain hangs beside it.
    let ends = [[Vec3::new(0.15, -0.3, 0.0); 2], [Vec3::new(0.15, -0.3, -1.0), Vec3::new(0.15, -0.3, 1.0)]];
    for ends in ends {
        let collider = Collider { bone: 0, ends, radius: 0.1 };
        let mut figure = Figure::new(3, heavy, vec![collider]);
        let mut nearest = f32::MAX;
        figure.run(300, |_| Place::ORIGIN);
        for _ in 0..60 {
            figure.run(1, |_| Place::ORIGIN);
            for bone in &figure.placed.bones[2..] {
                let way = bone.translation() - (Vec3::Y + ends[0]);
                nearest = nearest.min(way.truncate().length());
            }
        }
        assert!((0.115..0.14).contains(&nearest), "the surface is touched and not entered: {nearest}");
    }
}

#[test]
fn a_teleport_or_a_bad_number_starts_again_without_speed() {
    let mut figure = Figure::new(5, SWING, Vec::new());
    figure.run(20, |step| at(Vec3::Y * step as f32 * 0.05));
    let far = Vec3::new(500.0, -20.0, 3.0);
    let tip = figure.run(1, |_| at(far));
    assert!(tip.distance(figure.rest_tip() + far) < 1e-3, "{tip}");
    figure.run(5, |_| at(far));
    for bad in [Vec3::NAN, Vec3::INFINITY, Vec3::splat(1e38)] {
        let mut other = Figure::new(5, SWING, Vec::new());
        other.run(3, |_| Place::ORIGIN);
        other.placed.compute_portable(&other.skeleton, &other.pose);
        other.springs.step(&other.skeleton, &at(bad), &mut other.swinging, &mut other.pose, &mut other.placed);
        let tip = other.run(1, |_| Place::ORIGIN);
        assert!(tip.distance(other.rest_tip()) < 0.01, "{bad}: {tip}");
    }
}

#[test]
fn a_spring_without_length_leaves_the_others_alone() {
    let [plain, with_point] = [false, true].map(|has_point| {
        let mut figure = Figure::new(5, SWING, Vec::new());
        let mut joints = figure.springs.joints().to_vec();
        let point = Joint { bone: 4, tip: Tip::Point(Vec3::ZERO), ..joints[0].clone() };
        joints.retain(|joint| joint.bone < 4);
        joints.extend(has_point.then_some(point));
        figure.springs = Springs::new(&figure.skeleton, joints, Vec::new(), Vec3::ZERO);
        figure.run(60, |step| at(Vec3::Y * step as f32 * 0.2))
    });
    assert_eq!(plain, with_point);
}

#[test]
fn bad_springs_keep_the_pose() {
    let skeleton = skeleton(3);
    let point = |bone: BoneIndex, tip: Vec3| Joint { tip: Tip::Point(tip), ..joint(bone, SWING) };
    let bad = [
        joint(99, SWING),
        Joint { tip: Tip::Bone(99), ..joint(1, SWING) },
        Joint { tip: Tip::Bone(1), ..joint(1, SWING) },
        Joint { tip: Tip::Bone(0), ..joint(1, SWING) },
        point(1, Vec3::NAN),
        joint(1, Swing { stiffness: f32::NAN, ..SWING }),
        joint(1, Swing { drag: 2.0, ..SWING }),
        joint(1, Swing { radius: -1.0, ..SWING }),
        joint(1, Swing { gravity: Vec3::splat(f32::INFINITY), ..SWING }),
    ];
    for joint in bad {
        assert!(Springs::new(&skeleton, vec![joint.clone()], Vec::new(), Vec3::NAN).is_empty(), "{joint:?}");
    }
    // No length; a collider on a missing bone, and one that is not finite; a pose that is too short.
    let colliders = vec![
        Collider { bone: 99, ends: [Vec3::ZERO; 2], radius: 1.0 },
        Collider { bone: 0, ends: [Vec3::NAN; 2], radius: 1.0 },
    ];
    let joints = vec![Joint { colliders: vec![0, 1, 7], ..point(2, Vec3::ZERO) }, joint(1, SWING)];
    let springs = Springs::new(&skeleton, joints, colliders, Vec3::ZERO);
    assert_eq!(springs.bones().collect::<Vec<_>>(), [1, 2]);
    let (mut swinging, mut placed, rest) = (Swinging::default(), skeleton.rest_model_pose(), skeleton.rest_pose());
    let mut short = LocalPose::identity(1);
    springs.step(&skeleton, &Place::ORIGIN, &mut swinging, &mut short, &mut placed);
    assert_eq!(short, LocalPose::identity(1));
    let mut pose = rest.clone();
    for _ in 0..10 {
        springs.step(&skeleton, &Place::ORIGIN, &mut swinging, &mut pose, &mut placed);
    }
    assert!((0..4).all(|bone| pose.get(bone).distance(&rest.get(bone)) < 1e-6));
}

#[test]
fn a_spring_on_the_root_swings_it() {
    let skeleton = skeleton(2);
    let heavy = Swing { stiffness: 0.0, gravity: Vec3::NEG_Y, ..SWING };
    let root = Joint { colliders: Vec::new(), ..joint(0, heavy) };
    let springs = Springs::new(&skeleton, vec![root], Vec::new(), Vec3::ZERO);
    let (mut swinging, mut placed, mut pose) = (Swinging::default(), ModelPose::default(), skeleton.rest_pose());
    for _ in 0..600 {
        pose = skeleton.rest_pose();
        placed.compute_portable(&skeleton, &pose);
        springs.step(&skeleton, &Place::ORIGIN, &mut swinging, &mut pose, &mut placed);
    }
    assert!(placed.get(1).translation().distance(Vec3::Y * 0.8) < 1e-3, "{}", placed.get(1).translation());
    assert_eq!(pose.get(0).translation, Vec3::Y);
}
