//! The same bits on every machine: frozen results of the portable functions. Computed from whole numbers and the four
//! operations that IEEE 754 rounds exactly, so that only what is tested can differ. `tools/test-runtime` runs it on
//! other processors.

use glam::{Quat, Vec3, Vec4};
use keypose::anim::bake::sparse_tracks::SparseTracks;
use keypose::anim::bake::{BakeOptions, BakedClip, FormKind as Form, SampleFormat, bake_with, form};
use keypose::anim::blend::{blend_onto_portable, layers_portable};
use keypose::anim::clip::{Clip, Keyframe, LoopMode};
use keypose::anim::key::{Channel, Ease, Key};
use keypose::anim::mat34::Mat3x4;
use keypose::anim::pose::{LocalPose, ModelPose};
use keypose::anim::skeleton::{Bone, Skeleton};
use keypose::anim::skin::cpu::{self, InfluenceSet, Influences, Skinned, Source};
use keypose::anim::spring::{Collider, Joint, Place, Springs, Swing, Swinging, Tip};
use keypose::anim::time::Time;
use keypose::anim::transform::Transform;

const BONES: u32 = 21;
const KEYFRAMES: u32 = 19;

/// A number in -1..1, always the same (the finalizer of MurmurHash3).
fn noise(seed: u32) -> f32 {
    let mut bits = seed.wrapping_mul(0x9E37_79B9) ^ 0x85EB_CA6B;
    bits = (bits ^ bits >> 16).wrapping_mul(0x85EB_CA6B);
    bits = (bits ^ bits >> 13).wrapping_mul(0xC2B2_AE35);
    ((bits ^ bits >> 16) >> 8) as f32 / (1 << 23) as f32 - 1.0
}

fn noise3(seed: u32) -> Vec3 {
    Vec3::new(noise(seed), noise(seed + 1), noise(seed + 2))
}

/// A rotation of up to `most` in either direction: tangents of half angles.
fn turn(seed: u32, most: f32) -> Quat {
    let [x, y, z] = (noise3(seed) * most).to_array();
    let length = (x * x + y * y + (z * z + 1.0)).sqrt();
    Quat::from_xyzw(x / length, y / length, z / length, 1.0 / length)
}

fn transform(seed: u32, most: f32) -> Transform {
    Transform { translation: noise3(seed), rotation: turn(seed + 3, most), scale: Vec3::ONE + noise3(seed + 6) * 0.2 }
}

fn skeleton() -> Skeleton {
    let bone = |at: u32| Bone {
        name: format!("bone{at}"),
        parent: at.checked_sub(1).map(|before| before as u16 / 2),
        rest: transform(at * 100, 0.3),
    };
    Skeleton::new((0..BONES).map(bone).collect()).unwrap()
}

/// Step, linear and cubic keys; with `lines_up` all bones of a keyframe have one.
fn clip(ease: Ease, lines_up: bool) -> Clip {
    let keyframe = |at: u32| {
        let mut keys = Vec::new();
        for bone in (0..BONES).filter(|bone| lines_up || (bone * 7 + at).is_multiple_of(5)) {
            let to = transform(bone * 1000 + at * 20, 0.5);
            for (channel, seed) in Channel::ALL.into_iter().zip((0..).step_by(4)) {
                let slope = |seed: u32| noise3(seed).extend(noise(seed + 3)) * 0.02;
                let (from, into) = (slope(bone * 50 + at + seed), slope(bone * 50 + at + seed + 17));
                let width = if channel == Channel::Rotation { Vec4::ONE } else { Vec4::new(1.0, 1.0, 1.0, 0.0) };
                let key = Key::new(bone as u16, channel, channel.of(&to));
                keys.push(Key { ease, in_tangent: into * width, out_tangent: from * width, ..key });
            }
        }
        let duration = if at + 1 < KEYFRAMES { Time::TICK * i64::from(5 + at % 3) } else { Time::ZERO };
        Keyframe { duration, keys: keys.into(), ..Keyframe::default() }
    };
    Clip { loop_mode: LoopMode::Loop, keyframes: (0..KEYFRAMES).map(keyframe).collect(), ..Clip::new("clip") }
}

/// FNV-1a.
struct Bits(u64);

impl Bits {
    fn new() -> Bits {
        Bits(0xCBF2_9CE4_8422_2325)
    }

    fn add(&mut self, numbers: &[f32]) {
        for byte in numbers.iter().flat_map(|number| number.to_bits().to_le_bytes()) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3);
        }
    }

    fn add_local(&mut self, pose: &LocalPose) {
        for bone in pose.iter() {
            self.add(&bone.translation.to_array());
            self.add(&bone.rotation.to_array());
            self.add(&bone.scale.to_array());
        }
    }

    fn add_matrices(&mut self, matrices: &[Mat3x4]) {
        matrices.iter().flat_map(|matrix| matrix.rows).for_each(|row| self.add(&row.to_array()));
    }
}

/// One clip in one form: sampled; blended with the pose before; in model space.
fn played(ease: Ease, lines_up: bool, format: SampleFormat) -> (Form, [u64; 3]) {
    let skeleton = skeleton();
    let clip = clip(ease, lines_up);
    assert_eq!(clip.check(), Ok(()));
    let baked = if lines_up {
        bake_with(&clip, &skeleton, &BakeOptions { max_error: 2e-2, format })
    } else {
        let form = form::Form::SparseTracks(SparseTracks::of(&clip, &skeleton));
        BakedClip::from_form(&clip, &skeleton, form, 1, 0.0).unwrap()
    };
    let (mut pose, mut mixed, mut model) = (LocalPose::default(), skeleton.rest_pose(), ModelPose::default());
    let [mut sampled, mut blended, mut placed] = [Bits::new(), Bits::new(), Bits::new()];
    for step in -1..=64 {
        baked.sample_portable(Time(baked.length.0 / 63 * step), &mut pose);
        sampled.add_local(&pose);
        blend_onto_portable(&mut mixed, &pose, 0.3);
        blended.add_local(&mixed);
        model.compute_portable(&skeleton, &mixed);
        placed.add_matrices(&model.bones);
    }
    (baked.report().form, [sampled.0, blended.0, placed.0])
}

/// Change these only if poses are meant to change; archives with baked clips then differ, too.
#[test]
fn sampled_blended_and_model_poses_have_the_same_bits() {
    use Ease::{Cubic, Linear, Step};
    let cases = [
        (
            Step,
            true,
            SampleFormat::F32,
            Form::SampledPoses,
            [0x608b3d40555aac57, 0xdd75bb0f9444d3c0, 0x3d0f1087543384e9],
        ),
        (
            Linear,
            true,
            SampleFormat::F32,
            Form::SampledPoses,
            [0xa4036ffdfcf31196, 0x6e860e04167a2b2e, 0x9f141f47a0c24eb1],
        ),
        (
            Cubic,
            true,
            SampleFormat::F32,
            Form::SampledPoses,
            [0x909d1ed38746ff6e, 0xd2145e29e5d88881, 0x5e48033d8c566898],
        ),
        (
            Step,
            true,
            SampleFormat::Quantized,
            Form::QuantizedSamples,
            [0x7a5b4d66ba72e776, 0xceb8c918ab703d45, 0xf099f83499e53f17],
        ),
        (
            Linear,
            true,
            SampleFormat::Quantized,
            Form::QuantizedSamples,
            [0x0243c90d80a4696a, 0x25ba942e4e818f67, 0xce480c20ec704536],
        ),
        (
            Cubic,
            true,
            SampleFormat::Quantized,
            Form::QuantizedSamples,
            [0xb107776788e074a6, 0xbe63f1cfc4f9ee8d, 0xe05ffaa186ed012a],
        ),
        (
            Linear,
            true,
            SampleFormat::Packed,
            Form::PackedSamples,
            [0x7b18d3b4516a51fc, 0xc10d64b5da467cb6, 0x06ee6b055af77e0e],
        ),
        (
            Cubic,
            true,
            SampleFormat::Packed,
            Form::PackedSamples,
            [0x7bfd8e81eba424e5, 0x68d691ac5101d3f7, 0x34a02865530fda34],
        ),
        (
            Linear,
            false,
            SampleFormat::F32,
            Form::CurveWindows,
            [0xec122803e0fc21e5, 0x9e61ecdca39dd252, 0xb10e2ae7cb510bd7],
        ),
        (
            Cubic,
            false,
            SampleFormat::F32,
            Form::CurveWindows,
            [0x9b5dfb88f2765a33, 0x941d2bfbf1595e48, 0xd32dac22bf6ce37a],
        ),
    ];
    for (ease, lines_up, format, form, bits) in cases {
        let found = played(ease, lines_up, format);
        assert_eq!(found, (form, bits), "{ease:?}, {lines_up}, {format:?}: {found:#x?}");
    }
}

#[test]
fn layers_have_the_same_bits() {
    let pose = |seed: u32| LocalPose::from_transforms((0..BONES).map(|at| transform(seed + at * 20, 0.8)));
    let (poses, mut out, mut bits) = ([0, 7000, 14000].map(pose), LocalPose::default(), Bits::new());
    for weights in [[1.0, 0.0, 0.0], [0.3, 0.3, 0.0], [0.2, 0.7, 5.0]] {
        let [a, b, c] = &poses;
        layers_portable(&[(a, weights[0]), (b, weights[1]), (c, weights[2])], &skeleton().rest_pose(), &mut out);
        bits.add_local(&out);
    }
    assert_eq!(bits.0, 0xaf38_67f5_b139_b180, "{:#x}", bits.0);
}

#[test]
fn springs_have_the_same_bits() {
    let skeleton = skeleton();
    let swing = |at: u32| Swing { stiffness: 0.5, drag: 0.3, gravity: noise3(at) * 0.5, radius: 0.05 };
    let joint = |bone: u16| Joint {
        bone,
        tip: if bone < 10 { Tip::Bone(bone * 2 + 1) } else { Tip::Point(noise3(bone.into())) },
        swing: swing(u32::from(bone) * 7),
        center: (bone == 5).then_some(1),
        colliders: vec![0, 1],
    };
    let collider = |bone: u16| Collider { bone, ends: [noise3(bone.into()), noise3(90)], radius: 0.3 };
    let joints = (3..BONES as u16).map(joint).collect();
    let springs = Springs::new(&skeleton, joints, vec![collider(0), collider(4)], noise3(8) * 0.1);
    let (mut swinging, mut placed, mut bits) = (Swinging::default(), ModelPose::default(), Bits::new());
    for step in 0..120_u32 {
        let place = Place { rotation: turn(step / 40, 0.2), translation: noise3(step / 30) * 0.3 };
        let mut pose = LocalPose::from_transforms((0..BONES).map(|at| transform(at * 20 + step / 50, 0.4)));
        placed.compute_portable(&skeleton, &pose);
        springs.step(&skeleton, &place, &mut swinging, &mut pose, &mut placed);
        bits.add_local(&pose);
    }
    assert_eq!(bits.0, 0xb4ad_e600_0748_d962, "{:#x}", bits.0);
}

#[test]
fn skinned_vertices_have_the_same_bits() {
    let palette: Vec<Mat3x4> = (0..BONES).map(|at| transform(at * 30, 0.6).to_mat34()).collect();
    let points: Vec<Vec3> = (0..50).map(|at| noise3(at * 3)).collect();
    let tangents: Vec<Vec4> = points.iter().map(|point| point.extend(-1.0)).collect();
    let set = InfluenceSet {
        joints: (0..50_u16).map(|at| [at, at + 1, at + 2, at + 3].map(|joint| joint % 25)).collect(),
        weights: (0..50).map(|at| [0.5, 0.25, 0.125, 0.125 + noise(at) * 0.01]).collect(),
    };
    let sets = [set];
    let source = Source { positions: &points, normals: &points, tangents: &tangents };
    let mut out = Skinned::default();
    cpu::vertices_portable(&Influences::of(&sets), &palette, &source, &mut out);
    let mut bits = Bits::new();
    out.positions.iter().chain(&out.normals).for_each(|vector| bits.add(&vector.to_array()));
    out.tangents.iter().for_each(|tangent| bits.add(&tangent.to_array()));
    assert_eq!(bits.0, 0xf40f_3bb1_2de5_f2f3, "{:#x}", bits.0);
}
