//! Skinning: the wide loop against the portable one, dual quaternions against matrices, and the volume of a limb.

use std::sync::Arc;

use glam::{Mat4, Quat, Vec3, Vec4};
use keypose::anim::bake::bake;
use keypose::anim::clip::{Clip, Keyframe};
use keypose::anim::key::Key;
use keypose::anim::mat34::Mat3x4;
use keypose::anim::pose::ModelPose;
use keypose::anim::skeleton::{Bone, Skeleton};
use keypose::anim::skin::cache::PaletteCache;
use keypose::anim::skin::cpu::{self, InfluenceSet, Influences, Skinned, Source};
use keypose::anim::skin::dual::{self, DualPalette};
use keypose::anim::skin::{Skin, palette};
use keypose::anim::time::{FrameRate, Time};
use keypose::anim::transform::Transform;
use keypose::assets::mesh::{Binding, Mesh};
use keypose::assets::skinned_mesh::{mesh_positions, mesh_vertices};

/// Rings of a limb along y, from 0 to 2; each ring a regular polygon of radius 0.5.
const RINGS: usize = 21;
const SIDES: usize = 16;

fn limb() -> (Vec<Vec3>, InfluenceSet) {
    let (mut points, mut set) = (Vec::new(), InfluenceSet::default());
    for ring in 0..RINGS {
        let y = ring as f32 / (RINGS - 1) as f32 * 2.0;
        for side in 0..SIDES {
            let angle = side as f32 / SIDES as f32 * std::f32::consts::TAU;
            points.push(Vec3::new(angle.cos() * 0.5, y, angle.sin() * 0.5));
            set.joints.push([0, 1, 0, 0]);
            set.weights.push([1.0 - y * 0.5, y * 0.5, 0.0, 0.0]);
        }
    }
    (points, set)
}

/// The sum of the rings' areas, sliced through their centres: proportional to the volume of the limb.
fn volume(points: &[Vec3]) -> f32 {
    let ring = |ring: &[Vec3]| {
        let centre = ring.iter().sum::<Vec3>() / SIDES as f32;
        let triangle = |side: usize| (ring[side] - centre).cross(ring[(side + 1) % SIDES] - centre).length() * 0.5;
        (0..SIDES).map(triangle).sum::<f32>()
    };
    points.chunks(SIDES).map(ring).sum()
}

#[test]
fn dual_quaternions_keep_the_volume_of_a_twisted_limb_and_matrices_lose_it() {
    let (points, set) = limb();
    let sets = [set];
    let influences = Influences::of(&sets);
    assert_eq!(influences.per_vertex, 2);
    let twist = Transform::from_rotation(Quat::from_rotation_y(150.0_f32.to_radians())).to_mat34();
    let palette = [Mat3x4::IDENTITY, twist];
    let source = Source { positions: &points, ..Source::default() };
    let (mut linear, mut dual_out, mut duals) = (Skinned::default(), Skinned::default(), DualPalette::default());
    cpu::vertices(&influences, &palette, &source, &mut linear);
    duals.compute(&palette);
    dual::vertices(&influences, &duals, &source, &mut dual_out);
    let rest = volume(&points);
    let (linear, dual) = (volume(&linear.positions) / rest, volume(&dual_out.positions) / rest);
    assert!((dual - 1.0).abs() < 1e-4, "dual quaternions left {dual} of the volume");
    assert!(linear < 0.6, "matrices left {linear} of the volume");
}

/// Values in -1..1, always the same.
fn noise(seed: usize) -> f32 {
    ((seed as f32 * 12.9898).sin() * 43_758.547).fract()
}

fn joint(seed: usize, scale: Vec3) -> Mat3x4 {
    let rotation = Quat::from_xyzw(noise(seed), noise(seed + 1), noise(seed + 2), noise(seed + 3) + 0.1).normalize();
    let translation = Vec3::new(noise(seed + 4), noise(seed + 5), noise(seed + 6));
    Transform { translation, rotation, scale }.to_mat34()
}

fn mesh(vertices: usize, slots: usize) -> (Vec<Vec3>, Vec<Vec4>, Vec<InfluenceSet>) {
    let points = (0..vertices).map(|at| Vec3::new(noise(at), noise(at + 7), noise(at + 11))).collect::<Vec<_>>();
    let tangents = points.iter().map(|point| point.extend(-1.0)).collect();
    let set = |set: usize| InfluenceSet {
        joints: (0..vertices).map(|at| [0, 1, 2, 3].map(|slot| ((at * 3 + slot * 5 + set) % 23) as u16)).collect(),
        weights: (0..vertices)
            .map(|_| [0, 1, 2, 3].map(|slot| if set * 4 + slot < slots { 1.0 / slots as f32 } else { 0.0 }))
            .collect(),
    };
    (points, tangents, (0..slots.div_ceil(4)).map(set).collect())
}

/// The maximum difference of a component.
fn apart(a: &Skinned, b: &Skinned) -> f32 {
    let flat = |skinned: &Skinned| {
        let threes = skinned.positions.iter().chain(&skinned.normals).map(|value| value.extend(0.0));
        threes.chain(skinned.tangents.iter().copied()).collect::<Vec<Vec4>>()
    };
    let (a, b) = (flat(a), flat(b));
    assert_eq!(a.len(), b.len());
    let difference = |(a, b): (&Vec4, &Vec4)| (*a - *b).abs().max_element();
    a.iter().zip(&b).map(difference).fold(0.0, |worst, it| if it.is_nan() { f32::INFINITY } else { worst.max(it) })
}

#[test]
fn the_wide_loop_agrees_with_the_portable_one() {
    let palette: Vec<Mat3x4> = (0..20).map(|at| joint(at * 10, Vec3::splat(1.0 + at as f32 * 0.1))).collect();
    for slots in [1, 2, 4, 8] {
        for vertices in [0, 1, 7, 8, 100] {
            let (points, tangents, sets) = mesh(vertices, slots);
            let influences = Influences::of(&sets);
            assert!(vertices == 0 || influences.per_vertex == slots);
            let all = Source { positions: &points, normals: &points, tangents: &tangents };
            for source in [all, Source { normals: &[], ..all }, Source { normals: &[], tangents: &[], ..all }] {
                let (mut wide, mut portable) = (Skinned::default(), Skinned::default());
                wide.normals = vec![Vec3::NAN; 300];
                cpu::vertices(&influences, &palette, &source, &mut wide);
                cpu::vertices_portable(&influences, &palette, &source, &mut portable);
                assert_eq!(wide.normals.len(), source.normals.len());
                let worst = apart(&wide, &portable);
                assert!(worst < 2e-6, "{slots} influences, {vertices} vertices: {worst}");
            }
        }
    }
}

/// Of unit size, so that only rounding differs. Weights of zero, signs of quaternions and joints that don't exist count
/// as in the portable loop.
#[test]
fn wide_dual_quaternions_agree_with_the_portable_ones() {
    let palette: Vec<Mat3x4> = (0..20).map(|at| joint(at * 10, Vec3::ONE)).collect();
    let mut duals = DualPalette::default();
    duals.compute(&palette);
    for dual in duals.rigid.iter_mut().step_by(3) {
        (dual.real, dual.dual) = (-dual.real, -dual.dual);
    }
    for slots in [1, 2, 4, 8] {
        for vertices in [0, 1, 8, 9, 16, 17, 100] {
            let (points, tangents, mut sets) = mesh(vertices, slots);
            for set in &mut sets {
                set.weights.iter_mut().step_by(5).for_each(|weights| weights[0] = 0.0);
                set.weights.iter_mut().step_by(7).for_each(|weights| *weights = [0.0; 4]);
                set.joints.iter_mut().step_by(11).for_each(|joints| joints[0] = 999);
            }
            let influences = Influences { sets: &sets, per_vertex: slots };
            let all = Source { positions: &points, normals: &points, tangents: &tangents };
            for source in [all, Source { normals: &[], ..all }, Source { normals: &[], tangents: &[], ..all }] {
                let (mut wide, mut portable) = (Skinned::default(), Skinned::default());
                wide.positions = vec![Vec3::NAN; 300];
                dual::vertices(&influences, &duals, &source, &mut wide);
                dual::vertices_portable(&influences, &duals, &source, &mut portable);
                let worst = apart(&wide, &portable);
                assert!(worst < 4e-6, "{slots} influences, {vertices} vertices: {worst}");
            }
        }
    }
}

/// A single joint: both ways of skinning must equal its matrix, for any scale.
#[test]
fn a_single_joint_is_exact_with_any_scale() {
    let scales = [Vec3::ONE, Vec3::splat(2.0), Vec3::new(1.0, 2.0, 0.5), Vec3::new(-1.0, 1.0, 1.0), Vec3::NEG_ONE];
    let flat = [Vec3::new(1.0, 0.0, 1.0), Vec3::ZERO, Vec3::new(0.0, 1e-30, 0.0)];
    let (points, tangents, sets) = mesh(20, 1);
    let influences = Influences::of(&sets);
    let source = Source { positions: &points, normals: &points, tangents: &tangents };
    for scale in scales.into_iter().chain(flat) {
        for shear in [Mat4::IDENTITY, Mat4::from_cols(Vec4::X, Vec4::new(0.5, 1.0, 0.0, 0.0), Vec4::Z, Vec4::W)] {
            let palette: Vec<_> = (0..23).map(|at| joint(at, scale) * Mat3x4::from_mat4(&shear)).collect();
            let (mut linear, mut by_duals, mut rigid) = (Skinned::default(), Skinned::default(), Skinned::default());
            let mut duals = DualPalette::default();
            duals.compute(&palette);
            assert_eq!(duals.stretch.is_empty(), scale == Vec3::ONE && shear == Mat4::IDENTITY);
            cpu::vertices(&influences, &palette, &source, &mut linear);
            dual::vertices(&influences, &duals, &source, &mut by_duals);
            dual::vertices_rigid(&influences, &palette, &source, &mut rigid);
            for (linear, others) in linear.positions.iter().zip(by_duals.positions.iter().zip(&rigid.positions)) {
                assert!(linear.distance(*others.0) < 1e-5, "{scale}: {linear} {}", others.0);
                assert!(linear.distance(*others.1) < 1e-5, "{scale}: {linear} {}", others.1);
            }
        }
    }
}

#[test]
fn a_palette_is_the_bone_times_the_inverse_bind() {
    let bones: Vec<Mat3x4> = (0..9).map(|at| joint(at * 10, Vec3::splat(1.5))).collect();
    let inverse_binds: Vec<Mat4> = (0..9).map(|at| joint(at * 3 + 500, Vec3::ONE).to_mat4()).collect();
    let skin = Skin { joints: vec![8, 3, 0, 77, 3, 1, 2, 4, 5], inverse_binds, ..Skin::default() };
    let (model, mut palette) = (ModelPose { bones, ..ModelPose::default() }, vec![Mat3x4 { rows: [Vec4::NAN; 3] }; 30]);
    palette::compute(&skin, &model, &mut palette);
    assert_eq!(palette.len(), 9);
    for (matrix, (&bone, inverse)) in palette.iter().zip(skin.joints.iter().zip(&skin.inverse_binds)) {
        let expected = model.get(bone).to_mat4() * *inverse;
        assert!(matrix.to_mat4().abs_diff_eq(expected, 2e-6), "{bone}");
    }
}

/// A bone that rotates by 90° in a second: exact at frames, shrunk between them by 1 − cos of half a frame's rotation.
#[test]
fn cached_palettes_are_exact_at_frames_and_blended_between() {
    let bone = Bone { name: "bone".into(), parent: None, rest: Transform::IDENTITY };
    let skeleton = Skeleton::new(vec![bone]).unwrap();
    let turn = |angle: f32| vec![Key::rotation(0, Quat::from_rotation_z(angle))];
    let keyframes = vec![
        Keyframe { duration: Time::SECOND, keys: turn(0.0).into(), ..Keyframe::default() },
        Keyframe { duration: Time::ZERO, keys: turn(std::f32::consts::FRAC_PI_2).into(), ..Keyframe::default() },
    ];
    let clip = bake(&Clip { keyframes: keyframes.into(), ..Clip::new("turn") }, &skeleton);
    let skin = Skin { joints: vec![0], inverse_binds: vec![Mat4::IDENTITY], ..Skin::default() };
    let cache = PaletteCache::new(&clip, &skeleton, &skin, FrameRate::FPS_24);
    assert_eq!((cache.frames(), cache.bytes()), (25, 25 * 48));
    let at = |time: Time| Quat::from_rotation_z(time.fraction_of(Time::SECOND) as f32 * std::f32::consts::FRAC_PI_2);
    let mut palette = Vec::new();
    for half in 0..=48 {
        let time = Time::SECOND / 48 * half;
        cache.mixed(time, &mut palette);
        let (exact, got) = (at(time) * Vec3::X, palette[0].transform_point(Vec3::X));
        let allowed = if half % 2 == 0 { 1e-4 } else { 1e-3 };
        assert!(exact.distance(got) < allowed, "{half}: {exact} {got}");
        let frame = Time::SECOND / 24 * (half / 2);
        assert!((at(frame) * Vec3::X).distance(cache.nearest(time)[0].transform_point(Vec3::X)) < 1e-4);
    }
    for mode in [Time(i64::MIN), Time(i64::MAX)] {
        assert_eq!(cache.nearest(mode).len(), 1);
    }
    let empty = bake(&Clip::new("empty"), &Skeleton::default());
    let none = PaletteCache::new(&empty, &Skeleton::default(), &Skin::default(), FrameRate::FPS_24);
    assert_eq!((none.frames(), none.nearest(Time(5)).len()), (1, 0));
}

#[test]
fn weights_that_cancel_out_and_short_sets_are_harmless() {
    let set = InfluenceSet { joints: vec![[0; 4]; 2], weights: vec![[0.0; 4], [f32::NAN, 0.0, 0.0, 0.0]] };
    let sets = [set];
    let influences = Influences::of(&sets);
    let points = [Vec3::ONE; 5];
    let source = Source { positions: &points, ..Source::default() };
    let mut out = Skinned::default();
    dual::vertices(&influences, &DualPalette::default(), &source, &mut out);
    assert_eq!(out.positions, points);
    cpu::vertices(&influences, &[], &source, &mut out);
    assert_eq!((out.positions.len(), out.positions[0]), (5, Vec3::ZERO));
}

/// The function that a game calls for a mesh agrees with the positions alone, for skinned meshes and one attached to a
/// bone.
#[test]
fn vertices_of_a_mesh_equal_its_positions() {
    let archive = keypose::wad::decode(include_bytes!("../../data/demo.wad")).unwrap();
    let mut seen = [false; 2];
    for character in &archive.characters {
        let mut model = (*character.model).clone();
        let pose = model.skeleton.rest_model_pose();
        for at in 0..2 * model.meshes.len() {
            let mesh = at / 2;
            if at % 2 == 1 {
                model.meshes[mesh].mesh =
                    Arc::new(Mesh { binding: Binding::Bone(0), ..(*model.meshes[mesh].mesh).clone() });
            }
            let mesh = &model.meshes[mesh].mesh;
            seen[usize::from(matches!(mesh.binding, Binding::Bone(_)))] = true;
            let (mut scratch, mut positions, mut vertices) = (Vec::new(), Vec::new(), Skinned::default());
            mesh_positions(&model, mesh, &pose, &mut scratch, &mut positions);
            mesh_vertices(&model, mesh, &pose, &mut scratch, &mut vertices);
            assert_eq!(vertices.positions.len(), mesh.positions.len());
            assert_eq!(vertices.normals.len(), mesh.normals.len());
            for (vertex, position) in vertices.positions.iter().zip(&positions) {
                assert!(vertex.distance(*position) < 2e-6, "{vertex} {position}");
            }
            // At rest nothing rotates.
            for (turned, normal) in vertices.normals.iter().zip(&mesh.normals) {
                assert!(turned.normalize().distance(*normal) < 1e-3, "{turned} {normal}");
            }
        }
    }
    assert_eq!(seen, [true, true]);
}
