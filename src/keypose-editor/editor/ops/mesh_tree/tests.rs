//! A tube in poses of every method: its first hits, what they visit, and meshes without joints or triangles.

use std::sync::Arc;

use glam::{Quat, Vec2};

use super::*;
use crate::editor::ops::mesh_tree::posed::hit_triangle;
use crate::render::frame::camera::Camera;
use keypose::anim::morph::MorphTarget;
use keypose::anim::pose::{LocalPose, ModelPose};
use keypose::anim::skeleton::{Bone, Skeleton};
use keypose::anim::skin::Skin;
use keypose::anim::skin::cpu::InfluenceSet;
use keypose::anim::skin::method::Method;
use keypose::anim::transform::Transform;
use keypose::assets::mesh::Binding;
use keypose::assets::model::{MeshSlot, Model, Visibility};
use keypose::assets::skinned_mesh::mesh_positions;

const BONES: usize = 24;
const AROUND: usize = 16;
const RINGS: usize = 160;

/// A tube along y, each ring moved by the three nearest of a chain of bones.
fn tube() -> Model {
    let bone = |at: usize| Bone {
        name: format!("bone {at}"),
        parent: at.checked_sub(1).map(|parent| parent as u16),
        rest: Transform::from_translation(Vec3::Y * if at == 0 { 0.0 } else { 2.0 / BONES as f32 }),
    };
    let skeleton = Skeleton::new((0..BONES).map(bone).collect()).unwrap();
    let rest = skeleton.rest_model_pose();
    let joints: Vec<u16> = (0..BONES as u16).collect();
    let inverse_binds = joints.iter().map(|&bone| rest.get(bone).to_mat4().inverse()).collect();
    let skins = vec![Arc::new(Skin { name: "tube".into(), joints, inverse_binds })];
    let meshes = vec![MeshSlot { mesh: Arc::new(tube_mesh()), visibility: Visibility::Shown }];
    Model { skeleton: Arc::new(skeleton), skins, meshes, ..Model::default() }
}

fn tube_mesh() -> Mesh {
    let (mut positions, mut indices, mut set) = (Vec::new(), Vec::new(), InfluenceSet::default());
    for ring in 0..RINGS {
        let up = ring as f32 / (RINGS - 1) as f32;
        for side in 0..AROUND {
            let (sin, cos) = (side as f32 / AROUND as f32 * std::f32::consts::TAU).sin_cos();
            positions.push(Vec3::new(cos * 0.15, up * 2.0, sin * 0.15));
            let first = ((up * BONES as f32) as usize).min(BONES - 3) as u16;
            set.joints.push([first, first + 1, first + 2, 0]);
            set.weights.push([0.5, 0.3, 0.2, 0.0]);
            if ring > 0 {
                let at = |ring: usize, side: usize| (ring * AROUND + side % AROUND) as u32;
                let (a, b) = (at(ring - 1, side), at(ring - 1, side + 1));
                indices.extend([a, at(ring, side), b, b, at(ring, side), at(ring, side + 1)]);
            }
        }
    }
    let morph =
        MorphTarget { scalar: 0, vertices: vec![40, 41, 900], positions: vec![Vec3::X * 0.4; 3], normals: vec![] };
    Mesh {
        name: "tube".into(),
        positions,
        normals: vec![],
        uvs: vec![],
        colors: vec![],
        indices,
        influences: vec![set],
        morphs: vec![morph],
        material: 0,
        binding: Binding::Skin(0),
    }
}

/// The chain coiled up, with scale if it is more than 1, and a morph target in use.
fn coiled(model: &Model, turn: f32, scale: f32) -> ModelPose {
    let rotation = Quat::from_rotation_z(turn) * Quat::from_rotation_y(1.7 * turn);
    let scale = Vec3::new(1.0, scale, 1.0);
    let local = model.skeleton.bones().iter().map(|bone| Transform { rotation, scale, ..bone.rest });
    let mut pose = ModelPose::default();
    pose.compute(&model.skeleton, &LocalPose::from_transforms(local));
    pose.scalars = vec![0.8];
    pose
}

/// The distance of the nearest of all triangles.
fn nearest(mesh: &Mesh, positions: &[Vec3], ray: &Ray) -> Option<f32> {
    let corners = |triangle: &[u32]| std::array::from_fn(|corner| positions[triangle[corner] as usize]);
    let distances = mesh.indices.chunks_exact(3).filter_map(|it| Some(hit_triangle(ray, corners(it))?.0));
    distances.min_by(f32::total_cmp)
}

/// Rays through the pixels of an image of the model.
fn rays(pose: &ModelPose, count: u32) -> impl Iterator<Item = Ray> {
    let places: Vec<Vec3> = pose.bones.iter().map(|bone| bone.translation()).collect();
    let camera = Camera::framing(&places, Vec3::new(0.3, 0.4, 1.0), 1.0, 0.2);
    let pixel = move |at: u32| Vec2::new((at % count) as f32 + 0.5, (at / count) as f32 + 0.5);
    (0..count * count).map(move |at| camera.ray_through_pixel(pixel(at), Vec2::splat(count as f32)))
}

#[test]
fn the_first_hit_is_that_of_all_triangles_in_every_pose() {
    let mut model = tube();
    let mesh = model.meshes[0].mesh.clone();
    let tree = MeshTree::of(&mesh);
    let poses = [(0.0, 1.0), (0.6, 1.0), (0.25, 1.15), (1.6, 0.9)];
    for method in Method::ALL {
        model.skinning = method;
        for (turn, scale) in poses {
            let pose = coiled(&model, turn, scale);
            let (mut palette, mut positions) = (Vec::new(), Vec::new());
            mesh_positions(&model, &mesh, &pose, &mut palette, &mut positions);
            let target = Target::new(&model, &mesh, &pose);
            let mut hits = 0;
            for ray in rays(&pose, 8) {
                let (all, (first, _)) = (nearest(&mesh, &positions, &ray), tree.first_hit(&target, &ray));
                let found = first.map(|hit| hit.distance);
                let is_same = all.zip(found).is_some_and(|(all, found)| (all - found).abs() < 1e-3 * all.max(1.0));
                assert!(is_same || all == found, "{method:?} {turn} {scale}: {found:?}, not {all:?}");
                hits += usize::from(all.is_some());
            }
            assert!(hits > 2, "{method:?} {turn}: {hits} rays hit");
        }
    }
}

#[test]
fn a_ray_visits_a_small_part_of_the_triangles() {
    let mut model = tube();
    let mesh = model.meshes[0].mesh.clone();
    let (tree, triangles) = (MeshTree::of(&mesh), mesh.indices.len() / 3);
    for method in Method::ALL {
        model.skinning = method;
        let pose = coiled(&model, 0.1, 1.0);
        let target = Target::new(&model, &mesh, &pose);
        let mut most = Visited::default();
        for ray in rays(&pose, 16) {
            let (_, visited) = tree.first_hit(&target, &ray);
            most = Visited { nodes: most.nodes.max(visited.nodes), triangles: most.triangles.max(visited.triangles) };
        }
        // Boxes around arcs are larger.
        let part = if method == Method::Dual { triangles } else { triangles / 2 };
        assert!(most.triangles > 0 && most.triangles < part, "{method:?}: {most:?} of {triangles}");
    }
}

#[test]
fn a_rigid_mesh_follows_its_bone_and_an_empty_one_is_never_hit() {
    let mut model = tube();
    let mesh = Mesh { binding: Binding::Bone(3), influences: vec![], ..Mesh::clone(&model.meshes[0].mesh) };
    model.meshes[0].mesh = Arc::new(mesh.clone());
    let pose = coiled(&model, 0.4, 1.0);
    let center = pose.get(3).transform_point(Vec3::Y);
    let ray = Ray { origin: center + Vec3::Z * 9.0, direction: Vec3::NEG_Z };
    let tree = MeshTree::of(&mesh);
    let hit = tree.first_hit(&Target::new(&model, &mesh, &pose), &ray).0.unwrap();
    assert!((8.0..9.0).contains(&hit.distance), "{hit:?}");
    let away = Ray { direction: Vec3::Z, ..ray };
    assert_eq!(tree.first_hit(&Target::new(&model, &mesh, &pose), &away).0, None);
    let empty = Mesh { indices: vec![], ..mesh };
    let found = MeshTree::of(&empty).first_hit(&Target::new(&model, &empty, &pose), &ray);
    assert_eq!(found, (None, Visited::default()));
}
