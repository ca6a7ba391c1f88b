//! Weights taken from another mesh: the demo's knight dresses copies of himself, finer, moved and without bones.

use std::sync::Arc;

use glam::{Quat, Vec3};
use keypose::anim::skeleton::Skeleton;
use keypose::anim::skin::Skin;
use keypose::anim::transform::Transform;
use keypose::assets::mesh::Mesh;
use keypose::assets::model::Model;
use keypose_tools::rig::problems::weights_of;
use keypose_tools::rig::surface::Surface;
use keypose_tools::rig::transfer::{onto, transferred};
use keypose_tools::rig::weights::Options;
use keypose_tools::rig::{RigError, unheard};

use crate::models;
use crate::rig::{Case, bare};
use crate::root::root;

fn knight() -> Model {
    models::model(&root().join("data/demo.wad"))
}

/// The mesh with four triangles for each.
fn finer(mesh: &Mesh) -> Mesh {
    let mut fine = Mesh { influences: Vec::new(), morphs: Vec::new(), ..mesh.clone() };
    fine.indices.clear();
    let middle = |fine: &mut Mesh, a: u32, b: u32| {
        let at = fine.positions.len() as u32;
        let [a, b] = [a as usize, b as usize];
        fine.positions.push(0.5 * (fine.positions[a] + fine.positions[b]));
        fine.normals.push((fine.normals[a] + fine.normals[b]).normalize_or(Vec3::Y));
        let uv = 0.5 * (fine.uvs[a] + fine.uvs[b]);
        fine.uvs.push(uv);
        at
    };
    for &[a, b, c] in mesh.indices.as_chunks::<3>().0 {
        let [ab, bc, ca] = [middle(&mut fine, a, b), middle(&mut fine, b, c), middle(&mut fine, c, a)];
        fine.indices.extend([a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca]);
    }
    fine
}

/// The mean posed difference between a character and one that got weights of another, in percent.
fn difference(character: &Model, offset: Vec3) -> f64 {
    let mut copy = bare(character, |_| false);
    for slot in &mut copy.meshes {
        Arc::make_mut(&mut slot.mesh).positions.iter_mut().for_each(|at| *at += offset);
    }
    let (dressed, found) = onto(&copy, None, character, &Options::default(), &mut unheard).unwrap();
    dressed.check().unwrap();
    let count = found.weights.len();
    println!("{} of {count} match", found.matched);
    assert!(found.weights.iter().all(|own| (own.iter().map(|(_, weight)| weight).sum::<f32>() - 1.0).abs() < 1e-6));
    assert!(found.matched * 2 > count, "{} of {count}", found.matched);
    let surface = Surface::of(character).unwrap();
    Case::with(character.clone(), surface, found.weights).difference()
}

#[test]
fn a_copy_beside_a_character_moves_as_he_does() {
    let knight = knight();
    let (min, max) = Surface::of(&knight).unwrap().bounds();
    let height = max.y - min.y;
    for (offset, limit) in [(Vec3::ZERO, 0.05), (Vec3::Z * 0.01 * height, 0.5), (Vec3::NEG_Z * 0.02 * height, 0.8)] {
        let difference = difference(&knight, offset);
        println!("{offset}: {difference:.3} %");
        assert!(difference <= limit, "{offset}: {difference}");
    }
}

/// Blender and COLLADA turn and scale the root of a character.
#[test]
fn clothes_stay_in_their_place_on_a_turned_root() {
    let knight = knight();
    let copy = bare(&knight, |_| false);
    let turn = Transform { scale: Vec3::splat(100.0), rotation: Quat::from_rotation_x(-1.5), ..Transform::IDENTITY };
    let mut bones = knight.skeleton.bones().to_vec();
    for bone in &mut bones {
        bone.rest = match bone.parent {
            None => Transform::from_mat4(bone.rest.to_mat4() * turn.to_mat4()),
            Some(0) => Transform::from_mat4(turn.to_mat4().inverse() * bone.rest.to_mat4()),
            Some(_) => bone.rest,
        };
    }
    let mut turned = knight.clone();
    let skeleton = Skeleton::new(bones).unwrap().with_scalars(knight.skeleton.scalars().to_vec()).unwrap();
    turned.skeleton = Arc::new(skeleton);
    for skin in &mut turned.skins {
        let Skin { joints, inverse_binds, .. } = Arc::make_mut(skin);
        let roots = joints.iter().zip(inverse_binds).filter(|(joint, _)| **joint == 0);
        roots.for_each(|(_, bind)| *bind = turn.to_mat4().inverse() * *bind);
    }
    let (dressed, _) = onto(&copy, None, &turned, &Options::default(), &mut unheard).unwrap();
    let [before, after] = [&copy, &dressed].map(|model| Surface::of(model).unwrap().positions);
    let apart = before.iter().zip(&after).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
    assert!(before.len() == after.len() && apart < 1e-4, "{apart}");
}

#[test]
fn a_finer_mesh_takes_the_weights_of_a_coarse_one_and_gives_them_back() {
    let knight = knight();
    let mut fine = knight.clone();
    for slot in &mut fine.meshes {
        slot.mesh = Arc::new(finer(&slot.mesh));
    }
    let (coarse, surface) = (Surface::of(&knight).unwrap(), Surface::of(&fine).unwrap());
    let options = Options { influences: 8, min_weight: 0.0, ..Options::default() };
    let own = weights_of(&knight, &coarse);
    let there = transferred(&coarse, &own, &surface, &options, &mut unheard).unwrap();
    let back = transferred(&surface, &there.weights, &coarse, &options, &mut unheard).unwrap();
    println!("{} of {} match", back.matched, own.len());
    let difference = Case::with(knight, coarse, back.weights).difference();
    println!("there and back: {difference:.4} %");
    assert!(difference < 0.05, "{difference}");
}

/// A sheet that hangs from the shoulders: only its upper edge matches, and the rest follows it.
#[test]
fn what_matches_nowhere_is_filled_in() {
    let plate = |x: f32, y: f32| Vec3::new(x, y, 0.0);
    let row = |y: f32| [plate(-1.0, y), plate(1.0, y)];
    let body = [row(0.0), row(-1.0)].concat();
    let sheet: Vec<Vec3> =
        (0..8).flat_map(|step| row(-0.1 * step as f32).map(|at| at + Vec3::Z * step as f32)).collect();
    let quads =
        |count: u32| (0..count).flat_map(|at| [[2 * at, 2 * at + 1, 2 * at + 2], [2 * at + 1, 2 * at + 3, 2 * at + 2]]);
    let surface = |positions: &[Vec3]| {
        let triangles = quads(positions.len() as u32 / 2 - 1).collect();
        Surface::new(positions.to_vec(), triangles).unwrap()
    };
    let weights = vec![vec![(3, 1.0)], vec![(5, 1.0)], vec![(4, 1.0)], vec![(4, 1.0)]];
    let (body, sheet) = (surface(&body), surface(&sheet));
    let found = transferred(&body, &weights, &sheet, &Options::default(), &mut unheard).unwrap();
    assert!(found.matched < 3, "{}", found.matched);
    for own in &found.weights {
        assert!(!own.is_empty() && own.iter().all(|(bone, _)| [3, 5].contains(bone)), "{:?}", found.weights);
    }
    let none = vec![Vec::new(); 4];
    assert_eq!(transferred(&body, &none, &sheet, &Options::default(), &mut unheard), Err(RigError::NoWeights));
    let few = transferred(&body, &none[1..].to_vec(), &sheet, &Options::default(), &mut unheard);
    assert_eq!(few, Err(RigError::Count { weights: 3, vertices: 4 }));
}
