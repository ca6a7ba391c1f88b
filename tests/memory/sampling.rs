//! Nothing between a time and skinned vertices allocates once its buffers are large enough: counted by the allocator.

use std::sync::Arc;

use glam::{Vec3, Vec4};
use keypose::anim::bake::{BakeOptions, BakedClip, FormKind, SampleFormat, bake_with};
use keypose::anim::blend;
use keypose::anim::machine::bound::{BoundMachine, MachineClip};
use keypose::anim::machine::def::MachineDef;
use keypose::anim::machine::parameters::Parameters;
use keypose::anim::machine::parts::{
    Condition, Fade, FadeKind, Line, LinePoint, MachineParts, Motion, ParameterDef, StateDef, TransitionDef,
    TransitionSource, Value,
};
use keypose::anim::machine::play::{Machine, Scratch};
use keypose::anim::pose::{LocalPose, ModelPose};
use keypose::anim::skeleton::Skeleton;
use keypose::anim::skin::cpu::{self, InfluenceSet, Influences, Skinned, Source};
use keypose::anim::skin::dual::{self, DualPalette};
use keypose::anim::skin::{Skin, palette};
use keypose::anim::spring::{Collider, Joint, Place, Springs, Swing, Swinging, Tip};
use keypose::anim::time::Time;

use crate::generated::{Kind, clip, skeleton};
use crate::{allocator, alone};

const JOINTS: usize = 67;

fn baked(skeleton: &Skeleton, kind: Kind, format: SampleFormat) -> BakedClip {
    bake_with(&clip(skeleton, kind), skeleton, &BakeOptions { format, ..BakeOptions::default() })
}

#[test]
fn sampling_and_skinning_dont_allocate() {
    let _alone = alone();
    let skeleton = skeleton(JOINTS);
    let kinds = [
        (Kind::Sparse, SampleFormat::Quantized),
        (Kind::Dense, SampleFormat::Packed),
        (Kind::Jittered, SampleFormat::Quantized),
    ];
    let mut clips = kinds.map(|(kind, format)| baked(&skeleton, kind, format)).to_vec();
    clips.push(bake_with(&clip(&skeleton, Kind::Sparse), &skeleton, &BakeOptions::EXACT));
    let forms = [FormKind::QuantizedSamples, FormKind::PackedSamples, FormKind::CurveWindows, FormKind::SampledPoses];
    assert!(clips.iter().map(|clip| clip.report().form).eq(forms));
    let (rest, rest_pose) = (skeleton.rest_model_pose(), skeleton.rest_pose());
    let inverse_binds = rest.bones.iter().map(|bone| bone.to_mat4().inverse()).collect();
    let skin = Skin { joints: skeleton.indices().collect(), inverse_binds, ..Skin::default() };
    let points = vec![Vec3::ONE; 100];
    let tangents = vec![Vec4::ONE; 100];
    let sets = [InfluenceSet { joints: vec![[1, 20, 40, 66]; 100], weights: vec![[0.25; 4]; 100] }];
    let influences = Influences::of(&sets);
    let source = Source { positions: &points, normals: &points, tangents: &tangents };
    let (mut from, mut to, mut out) = (LocalPose::default(), LocalPose::default(), LocalPose::default());
    let (mut model, mut matrices, mut duals) = (ModelPose::default(), Vec::new(), DualPalette::default());
    let mut skinned = Skinned::default();
    let mut frame = |time: Time| {
        for clip in &clips {
            clip.sample(time, &mut from);
            clip.sample_portable(clip.length - time, &mut to);
            blend::blend_poses(&from, &to, 0.3, &mut out);
            blend::layers(&[(&from, 0.3), (&to, 0.5)], &rest_pose, &mut out);
            model.compute(&skeleton, &out);
            palette::compute(&skin, &model, &mut matrices);
            duals.compute(&matrices);
            cpu::vertices(&influences, &matrices, &source, &mut skinned);
            dual::vertices(&influences, &duals, &source, &mut skinned);
        }
    };
    frame(Time::ZERO);
    let ((), count) = allocator::allocations_of(|| (0..60).for_each(|tick| frame(Time::from_ticks(tick))));
    assert_eq!(count, 0);
    let (_, counted) = allocator::allocations_of(|| vec![0_u8; 10]);
    assert_eq!(counted, 1, "the counter counts");
}

#[test]
fn springs_dont_allocate() {
    let _alone = alone();
    let skeleton = skeleton(JOINTS);
    let swing = Swing { stiffness: 0.5, drag: 0.4, gravity: Vec3::NEG_Y, radius: 0.02 };
    let joint = |bone| Joint { bone, tip: Tip::Point(Vec3::Y * 0.1), swing, center: None, colliders: vec![0] };
    let collider = Collider { bone: 0, ends: [Vec3::ZERO, Vec3::Y], radius: 0.1 };
    let springs = Springs::new(&skeleton, (50..60).map(joint).collect(), vec![collider], Vec3::X);
    let (rest, mut pose, mut placed) = (skeleton.rest_pose(), skeleton.rest_pose(), skeleton.rest_model_pose());
    let mut swinging = Swinging::default();
    let mut step = |step: f32| {
        pose.copy_from(&rest);
        placed.compute_portable(&skeleton, &pose);
        // The second one is a teleport.
        let place = Place { translation: Vec3::X * step * 1e6, ..Place::ORIGIN };
        springs.step(&skeleton, &place, &mut swinging, &mut pose, &mut placed);
    };
    step(0.0);
    let ((), count) = allocator::allocations_of(|| (0..60).for_each(|at| step((at / 30) as f32)));
    assert_eq!(count, 0);
}

/// A 1D blend of two clips and two states; each switch starts another kind of fade while the last one continues.
fn parts() -> MachineParts {
    let line = Line {
        parameter: "speed".into(),
        damp_secs: 0.1,
        points: vec![LinePoint { at: 0.0, clip: "Dense".into() }, LinePoint { at: 1.0, clip: "Sparse".into() }],
    };
    let clip = |name: &str| StateDef::new(name, Motion::Clip(name.into()));
    let states = vec![StateDef::new("line", Motion::Line(line)), clip("Sparse"), clip("Jittered")];
    let fade = |kind| Fade { kind, secs: 0.3 };
    let to = |name: &str, switch: &str, kind| TransitionDef {
        conditions: vec![Condition::On { parameter: switch.into() }],
        fade: fade(kind),
        ..TransitionDef::new(TransitionSource::Any, name)
    };
    let transitions = vec![
        to("Sparse", "a", FadeKind::Cross),
        to("Jittered", "b", FadeKind::Matched),
        to("line", "c", FadeKind::Inertial),
    ];
    let switches = ["a", "b", "c"].map(|name| ParameterDef::new(name, Value::Switch(false)));
    let parameters = switches.into_iter().chain([ParameterDef::new("speed", Value::Number(0.0))]).collect();
    MachineParts { parameters, states, transitions, start: "line".into(), layers: vec![] }
}

#[test]
fn updating_and_sampling_a_machine_dont_allocate() {
    let _alone = alone();
    let skeleton = skeleton(JOINTS);
    let clips = [Kind::Dense, Kind::Sparse, Kind::Jittered]
        .map(|kind| Arc::new(baked(&skeleton, kind, SampleFormat::Quantized)));
    let find = |_: &StateDef, name: &str| clips.iter().find(|clip| clip.name == name).cloned().map(MachineClip::new);
    let bound = Arc::new(BoundMachine::new(Arc::new(MachineDef::new(parts()).unwrap()), &skeleton, find));
    assert_eq!(bound.findings(), [] as [String; 0]);
    let mut parameters = Parameters::new(bound.def());
    let [a, b, c, speed] = ["a", "b", "c", "speed"].map(|name| bound.def().parameter(name).unwrap());
    let (mut machine, mut scratch, mut pose) = (Machine::new(bound), Scratch::default(), LocalPose::default());
    let mut fades = 0;
    let mut tick = |tick: usize| {
        for (at, switch) in [a, b, c].into_iter().enumerate() {
            parameters.set_switch(switch, tick / 10 % 3 == at).unwrap();
        }
        parameters.set_number(speed, tick as f32 % 50.0 / 50.0).unwrap();
        machine.update(1.0 / 60.0, &mut parameters, &mut scratch);
        machine.sample(&mut scratch, &mut pose);
        machine.sample_between(0.5, &mut scratch, &mut pose);
        fades += usize::from(machine.fade().is_some());
    };
    (0..60).for_each(&mut tick);
    let ((), count) = allocator::allocations_of(|| (60..600).for_each(&mut tick));
    assert_eq!(count, 0);
    assert!(fades > 100 && pose.len() == JOINTS, "{fades} ticks of fades");
}
