//! Palettes in every tier, and every method of skinning: the same picture, and the same vertices as on the CPU.

use std::sync::Arc;

use glam::{Mat4, Quat, Vec3};
use keypose::anim::pose::{LocalPose, ModelPose};
use keypose::anim::skeleton::{Bone, Skeleton};
use keypose::anim::skin::cpu::{InfluenceSet, Influences};
use keypose::anim::skin::method::{self, Method, Prepared};
use keypose::anim::skin::{Skin, palette};
use keypose::anim::transform::Transform;
use keypose::assets::material::Material;
use keypose::assets::mesh::{Binding, Mesh};
use keypose::assets::model::{MeshSlot, Model, Visibility};
use keypose_editor::render::frame::color::Color;
use keypose_editor::render::frame::{Background, Frame, ModelDraw, NextPose, Surface};
use keypose_editor::render::gl::target::Target;
use keypose_editor::render::pass::palette::tier::{Room, Tier};
use keypose_editor::render::pass::skinning::SkinningProbe;
use keypose_editor::render::renderer::Renderer;
use keypose_editor::render::shaders::Shaders;

use crate::on_driver;
use crate::scene::{SIDE, camera, renderer, ribbon};

/// A fan of strips around the origin, one for each of `joints` joints, each moved by its joint and its neighbours. A skeleton has
/// fewer bones than that: joints share bones, with bind matrices of their own.
fn fan(joints: usize) -> Model {
    let bones = joints.min(2500);
    let bone = |at: usize| {
        let (parent, moved) = if at == 0 { (None, 0.0) } else { (Some((at as u16 - 1) / 8), 0.002) };
        Bone { name: format!("bone {at}"), parent, rest: Transform::from_translation(Vec3::new(moved, moved, 0.0)) }
    };
    let skeleton = Skeleton::new((0..bones).map(bone).collect()).unwrap();
    let rest = skeleton.rest_model_pose();
    let of = |joint: usize| (joint % bones) as u16;
    let inverse =
        |joint: usize| Mat4::from_rotation_z(1e-4 * (joint / bones) as f32) * rest.get(of(joint)).to_mat4().inverse();
    let skin = Skin {
        name: "fan".into(),
        joints: (0..joints).map(of).collect(),
        inverse_binds: (0..joints).map(inverse).collect(),
    };
    let (mut positions, mut set) = (Vec::new(), InfluenceSet::default());
    for joint in 0..joints {
        for corner in 0..3 {
            let angle = (joint as f32 + [0.0, 0.0, 0.9][corner]) / joints as f32 * std::f32::consts::TAU;
            let far = [0.2, 0.85, 0.85][corner];
            positions.push(Vec3::new(angle.cos() * far, angle.sin() * far, 0.0));
            set.joints.push([0, 1, 2, 7].map(|step| ((joint + step) % joints) as u16));
            set.weights.push([0.55, 0.2, 0.15, 0.1]);
        }
    }
    let mesh = Mesh {
        name: "fan".into(),
        normals: vec![Vec3::Z; positions.len()],
        uvs: vec![],
        colors: (0..positions.len()).map(|at| [(at / 3 * 37 % 200) as u8 + 55, 120, 90, 255]).collect(),
        indices: (0..positions.len() as u32).collect(),
        positions,
        influences: vec![set],
        morphs: vec![],
        material: 0,
        binding: Binding::Skin(0),
    };
    let model = Model {
        name: "fan".into(),
        skeleton: Arc::new(skeleton),
        skins: vec![Arc::new(skin)],
        meshes: vec![MeshSlot { mesh: Arc::new(mesh), visibility: Visibility::Shown }],
        materials: vec![Arc::new(Material { double_sided: true, ..Material::default() })],
        ..Model::default()
    };
    assert_eq!(model.check(), Ok(()));
    model
}

/// Turns, moves and stretches every bone.
fn bent(model: &Model, by: f32) -> Arc<ModelPose> {
    let bend = |(at, bone): (usize, &Bone)| Transform {
        rotation: Quat::from_rotation_z(by * 0.25) * Quat::from_rotation_x(by * 0.3 * (at % 3) as f32),
        scale: Vec3::new(1.0 + by * 0.02 * (at % 5) as f32, 1.0, 1.0 + by * 0.03 * (at % 2) as f32),
        ..bone.rest
    };
    let local = LocalPose::from_transforms(model.skeleton.bones().iter().enumerate().map(bend));
    let mut pose = ModelPose::default();
    pose.compute(&model.skeleton, &local);
    Arc::new(pose)
}

fn draw_of(model: &Arc<Model>, method: Method) -> ModelDraw {
    let next = Some(NextPose { pose: bent(model, 1.0), fraction: 0.4 });
    ModelDraw { method, next, ..ModelDraw::new(model.clone(), bent(model, 0.6)) }
}

fn picture(renderer: &mut Renderer, target: &Target, models: Vec<ModelDraw>) -> Vec<u8> {
    let grey = Color::hex(0x404040);
    let background = Background { top: grey, bottom: grey };
    renderer.render(&Frame { camera: camera(), background, models, ..Frame::default() }, target).unwrap();
    target.read()
}

/// The largest difference of a channel of a pixel, and the number of pixels that differ visibly.
fn difference(a: &[u8], b: &[u8]) -> (u8, usize) {
    let most = |(a, b): (&[u8], &[u8])| a.iter().zip(b).map(|(a, b)| a.abs_diff(*b)).max().unwrap();
    let all: Vec<u8> = a.chunks_exact(4).zip(b.chunks_exact(4)).map(most).collect();
    (*all.iter().max().unwrap(), all.iter().filter(|off| **off > 8).count())
}

#[test]
fn every_tier_that_holds_a_palette_draws_the_same_picture() {
    on_driver(|headless| {
        let target = Target::new(&headless.context, [SIDE * 2; 2], 4).unwrap();
        let room = Room::of(&headless.context.limits());
        for joints in [30, 300, 1000, 5000] {
            let model = Arc::new(fan(joints));
            let (mut reference, mut tiers) = (None, Vec::new());
            for tier in Tier::ALL.into_iter().filter(|tier| room.bones(*tier) >= joints) {
                let mut renderer = renderer(headless);
                renderer.ask_for_tier(Some(tier));
                let drawn = picture(&mut renderer, &target, vec![draw_of(&model, Method::Linear)]);
                assert!(renderer.variants().any(|variant| variant.tier == Some(tier)));
                tiers.push(tier);
                let reference = reference.get_or_insert_with(|| drawn.clone());
                let (most, visible) = difference(&drawn, reference);
                assert!(visible <= 2, "{joints} joints, {tier:?}: {visible} pixels differ, by {most} at most");
            }
            assert!(tiers.contains(&Tier::Texture));
            assert_eq!(tiers.contains(&Tier::Block), joints <= room.bones(Tier::Block), "{tiers:?}");
            let seen = reference.unwrap().chunks_exact(4).filter(|pixel| pixel[0].abs_diff(pixel[2]) > 8).count();
            assert!(seen > 500, "the fan is drawn: {seen} pixels");
        }
    });
}

/// The vertices of the CPU in world space, with normals.
fn expected(draw: &ModelDraw, mesh: &Mesh) -> Vec<(Vec3, Vec3)> {
    let Binding::Skin(skin) = mesh.binding else { unreachable!() };
    let of = |pose: &ModelPose| {
        let mut matrices = Vec::new();
        palette::compute(&draw.model.skins[skin], pose, &mut matrices);
        matrices
    };
    let mut matrices = of(&draw.pose);
    if let (Method::Interpolated, Some(next)) = (draw.method, &draw.next) {
        matrices = method::interpolated(&matrices, &of(&next.pose), next.fraction);
    }
    let (prepared, influences) = (Prepared::new(draw.method, matrices), Influences::of(&mesh.influences));
    let vertex = |at: usize| {
        let matrix = prepared.matrix(&influences, at);
        let place = draw.world_from_model.transform_point3(matrix.transform_point(mesh.positions[at]));
        let normal = method::normal(&matrix, mesh.normals[at]);
        (place, draw.world_from_model.transform_vector3(normal).normalize())
    };
    (0..mesh.positions.len()).map(vertex).collect()
}

#[test]
fn every_method_in_every_tier_agrees_with_the_cpu() {
    on_driver(|headless| {
        // Two sets of influences on few bones, and more joints than a byte counts.
        let models = [fan(60), ribbon(40), fan(1000)].map(Arc::new);
        for tier in Tier::ALL {
            let models = if tier == Tier::Texture { &models[..] } else { &models[..2] };
            let mut probe = SkinningProbe::new(&headless.context, &Shaders::default(), Some(tier)).unwrap();
            for (model, method) in models.iter().flat_map(|model| Method::ALL.map(|method| (model, method))) {
                let world_from_model = Mat4::from_rotation_y(0.5) * Mat4::from_translation(Vec3::X);
                let draw = ModelDraw { world_from_model, ..draw_of(model, method) };
                let found = probe.vertices(&draw).unwrap();
                assert!(probe.variants().all(|variant| variant.tier == Some(tier)), "{tier:?}");
                let mesh = &model.meshes[0].mesh;
                for (at, (place, normal)) in expected(&draw, mesh).into_iter().enumerate() {
                    let off = found[0].positions[at].distance(place);
                    assert!(off < 1e-4, "{tier:?}, {method:?}, vertex {at}: {off}");
                    let turned = found[0].normals[at].normalize().distance(normal);
                    assert!(turned < 1e-3, "{tier:?}, {method:?}, normal {at}: {turned}");
                }
            }
        }
    });
}

#[test]
fn methods_differ_where_they_should() {
    on_driver(|headless| {
        let model = Arc::new(fan(60));
        let mut probe = SkinningProbe::new(&headless.context, &Shaders::default(), None).unwrap();
        let mut places = |method| probe.vertices(&draw_of(&model, method)).unwrap()[0].positions.clone();
        let all = Method::ALL.map(&mut places);
        for (at, a) in all.iter().enumerate() {
            for b in &all[at + 1..] {
                let off = a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
                assert!(off > 1e-3, "{off}");
            }
        }
    });
}

/// Two models, one of them with marks of bones.
#[test]
fn nothing_is_uploaded_while_nothing_moves() {
    on_driver(|headless| {
        let target = Target::new(&headless.context, [SIDE; 2], 4).unwrap();
        let models = [fan(30), fan(300)].map(Arc::new);
        for tier in Tier::ALL {
            let mut renderer = renderer(headless);
            renderer.ask_for_tier(Some(tier));
            let mut draws = models.each_ref().map(|model| draw_of(model, Method::Linear)).to_vec();
            draws[0].surface = Surface::BoneColors;
            picture(&mut renderer, &target, draws.clone());
            let first = renderer.uploads();
            picture(&mut renderer, &target, draws.clone());
            draws[1].world_from_model = Mat4::from_translation(Vec3::X * 0.1);
            draws[1].tint = Color::WHITE;
            picture(&mut renderer, &target, draws.clone());
            assert_eq!(renderer.uploads(), first, "{tier:?}");
            draws[1].pose = bent(&models[1], 0.7);
            picture(&mut renderer, &target, draws.clone());
            let more = renderer.uploads().count - first.count;
            // A uniform array is set for the programs of colours and of shadows.
            assert!(more == 1 || more == 2 && tier == Tier::Uniform, "{tier:?}: {more}");
        }
    });
}

/// Two skins of one skeleton, one with its joints backwards and some left out.
#[test]
fn skins_of_a_skeleton_share_one_palette() {
    on_driver(|headless| {
        let mut model = fan(50);
        let whole = model.skins[0].clone();
        let some: Vec<usize> = (10..50).rev().collect();
        let skin = Skin {
            name: "some".into(),
            joints: some.iter().map(|&at| whole.joints[at]).collect(),
            inverse_binds: some.iter().map(|&at| whole.inverse_binds[at]).collect(),
        };
        model.skins.push(Arc::new(skin));
        let mut mesh = Mesh::clone(&model.meshes[0].mesh);
        (mesh.name, mesh.binding) = ("other".into(), Binding::Skin(1));
        mesh.influences[0].joints.iter_mut().for_each(|joints| *joints = joints.map(|joint| joint % 40));
        model.meshes.push(MeshSlot { mesh: Arc::new(mesh), visibility: Visibility::Shown });
        let model = Arc::new(model);
        for tier in Tier::ALL {
            let mut probe = SkinningProbe::new(&headless.context, &Shaders::default(), Some(tier)).unwrap();
            let draw = draw_of(&model, Method::Linear);
            let found = probe.vertices(&draw).unwrap();
            for (slot, found) in model.meshes.iter().zip(&found) {
                for (found, (place, _)) in found.positions.iter().zip(expected(&draw, &slot.mesh)) {
                    assert!(found.distance(place) < 1e-4, "{tier:?}, {}", slot.mesh.name);
                }
            }
        }
    });
}
