//! The loops for wide registers held against the portable ones.

#[path = "../benches/shared/generated.rs"]
mod generated;

use generated::{Kind, clip, skeleton};
use glam::Vec3;
use keypose::anim::bake::{BakeOptions, Size, bake, bake_with};
use keypose::anim::blend;
use keypose::anim::pose::{LocalPose, ModelPose};
use keypose::anim::time::Time;
use keypose::anim::transform::Transform;

/// Lengths around the multiples of eight, where lanes are left over.
const LENGTHS: [usize; 9] = [1, 2, 7, 8, 9, 16, 23, 67, 256];

#[test]
fn sampling_agrees_with_the_portable_loop() {
    for bones in LENGTHS {
        let skeleton = skeleton(bones);
        for (kind, size) in Kind::ALL.into_iter().flat_map(|kind| [Size::Fast, Size::Compact].map(|size| (kind, size)))
        {
            let baked = bake_with(&clip(&skeleton, kind), &skeleton, &BakeOptions { max_error: 1e-3, size });
            let nan = Transform { translation: Vec3::NAN, ..Transform::IDENTITY };
            let mut wide = LocalPose::from_transforms(vec![nan; 3]);
            let mut portable = LocalPose::default();
            for step in -1..=50 {
                let time = Time(baked.length.0 / 49 * step);
                baked.sample(time, &mut wide);
                baked.sample_portable(time, &mut portable);
                assert_eq!(wide.len(), portable.len());
                for (bone, (a, b)) in wide.iter().zip(portable.iter()).enumerate() {
                    assert!(a.distance(&b) < 5e-7, "{kind:?}, bone {bone} of {bones} at {time}: {a:?} {b:?}");
                }
                let left_over = wide.lanes().last().map(|group| (wide.len() % 8..8).map(|lane| group.get(lane)));
                if bones % 8 != 0 {
                    assert!(left_over.unwrap().all(|lane| lane.distance(&Transform::IDENTITY) < 5e-7));
                }
            }
        }
    }
}

#[test]
fn model_space_agrees_with_the_portable_loop() {
    for bones in LENGTHS {
        let skeleton = skeleton(bones);
        let baked = bake(&clip(&skeleton, Kind::Dense), &skeleton);
        let (mut local, mut wide, mut portable) = (LocalPose::default(), ModelPose::default(), ModelPose::default());
        wide.bones = vec![keypose::anim::mat34::Mat3x4 { rows: [glam::Vec4::NAN; 3] }; 500];
        for step in 0..50 {
            baked.sample(Time(baked.length.0 / 49 * step), &mut local);
            wide.compute(&skeleton, &local);
            portable.compute_portable(&skeleton, &local);
            assert_eq!(wide.bones.len(), portable.bones.len());
            for (a, b) in wide.bones.iter().zip(&portable.bones) {
                let apart = a.rows.iter().zip(b.rows).map(|(a, b)| (*a - b).abs().max_element()).fold(0.0, f32::max);
                assert!(apart < 5e-6, "{bones}: {apart}");
            }
        }
    }
}

#[test]
fn mixing_agrees_with_the_portable_loop() {
    for bones in LENGTHS {
        let skeleton = skeleton(bones);
        let baked = bake(&clip(&skeleton, Kind::Dense), &skeleton);
        let (mut from, mut to) = (LocalPose::default(), LocalPose::default());
        baked.sample(Time(0), &mut from);
        baked.sample(Time(baked.length.0 / 3), &mut to);
        for bone in (0..bones).step_by(2) {
            let transform = to.get(bone);
            to.set(bone, &Transform { rotation: -transform.rotation, ..transform });
        }
        for weight in [f32::NAN, -1.0, 0.0, 0.3, 1.0, 2.0] {
            let (mut wide, mut portable, mut out) = (from.clone(), from.clone(), from.clone());
            blend::mix_onto(&mut wide, &to, weight);
            blend::mix_onto_portable(&mut portable, &to, weight);
            blend::mix(&from, &to, weight, &mut out);
            let far = |a: &LocalPose| a.iter().zip(portable.iter()).any(|(a, b)| a.distance(&b) > 5e-7);
            assert!(!far(&wide) && !far(&out), "{bones} bones, {weight}");
        }
    }
}

#[test]
fn a_pose_that_is_too_short_takes_the_rest() {
    let skeleton = skeleton(20);
    let mut model = ModelPose::default();
    model.compute(&skeleton, &LocalPose::default());
    let mut rest = ModelPose::default();
    rest.compute_portable(&skeleton, &skeleton.rest_pose());
    assert_eq!(model, rest);
}
