//! A skeleton of a template by its markers, with joints in the middle of the volume. The roll of bones follows one rule: Y points along
//! the bone, and Z to the front of the character; Z of a bone that points to the front or back itself points up.

use std::sync::Arc;

use glam::{Mat3, Mat4, Quat, Vec3};

use crate::anim::scalar::Scalar;
use crate::anim::skeleton::{Bone, Skeleton};
use crate::anim::transform::Transform;
use crate::assets::combat::Combat;
use crate::assets::machine::AnimationTable;
use crate::assets::mesh::{Binding, Mesh};
use crate::assets::model::{MeshSlot, Model, Source};
use crate::assets::project::UsedNames;
use crate::rig::RigError;
use crate::rig::bind::moved;
use crate::rig::markers::Markers;
use crate::rig::surface::Surface;
use crate::rig::template::{SIDES, Sides, Snap, Template, TemplateBone, named};
use crate::rig::volume::Volume;

/// Name of the bone on the ground that carries all others.
pub const ROOT: &str = "root";

/// A bone with its joint in model space.
#[derive(Clone, Debug)]
struct Placed {
    name: String,
    parent: Option<usize>,
    joint: Vec3,
    snap: Snap,
}

/// The skeleton of a template: a root at the origin, and its bones with joints by the markers, in the volume.
///
/// # Errors
/// If a marker is missing, not finite, or outside the grid around the mesh.
pub fn fit(template: &Template, markers: &Markers, volume: &Volume) -> Result<Skeleton, RigError> {
    check(template, markers, volume)?;
    let mut bones = vec![Placed { name: ROOT.into(), parent: None, joint: Vec3::ZERO, snap: Snap::Stay }];
    for bone in template.bones {
        for (side, name) in named(bone.name, bone.sides).into_iter().enumerate() {
            let parent = parent(bone, side, &bones);
            bones.push(Placed { name, parent: Some(parent), joint: joint(bone, side, markers), snap: bone.snap });
        }
    }
    let front = front(template, markers);
    for at in 0..bones.len() {
        bones[at].joint = snapped(&bones, at, front, volume);
    }
    Ok(skeleton(&bones, front))
}

fn check(template: &Template, markers: &Markers, volume: &Volume) -> Result<(), RigError> {
    let size = Vec3::from_array(volume.dims.map(|count| count as f32 * volume.size));
    for name in template.marker_names() {
        let Some(place) = markers.get(&name) else { return Err(RigError::NoMarker { name }) };
        let from_middle = (*place - volume.origin - 0.5 * size).abs();
        // A little outside is allowed: a joint of a thin shell can be.
        if !from_middle.cmplt(0.6 * size).all() {
            return Err(RigError::MarkerOutside { name });
        }
    }
    Ok(())
}

fn parent(bone: &TemplateBone, side: usize, bones: &[Placed]) -> usize {
    let with_side = format!("{}{}", bone.parent, SIDES[side]);
    let is_parent =
        |placed: &Placed| placed.name == bone.parent || (bone.sides == Sides::Both && placed.name == with_side);
    bones.iter().position(is_parent).unwrap_or(0)
}

/// The joint of a bone between its markers.
fn joint(bone: &TemplateBone, side: usize, markers: &Markers) -> Vec3 {
    let place = |(name, share): &(&str, f32)| {
        let (name, side) = name.strip_prefix('-').map_or((*name, side), |name| (name, 1 - side));
        let own = markers.get(name).or_else(|| markers.get(&format!("{name}{}", SIDES[side])));
        own.copied().unwrap_or_default() * *share
    };
    bone.joint.iter().map(place).sum()
}

/// The direction in which the character looks: at right angles to up and to the line from right to left markers.
pub fn front(template: &Template, markers: &Markers) -> Vec3 {
    let across = |name: &str| {
        let [left, right] = SIDES.map(|side| markers.get(&format!("{name}{side}")).copied().unwrap_or_default());
        left - right
    };
    let pairs = template.markers.iter().filter(|marker| marker.sides == Sides::Both);
    let left: Vec3 = pairs.map(|marker| across(marker.name)).sum();
    // A character that isn't placed along the axes is rare, and its markers don't lie exactly across.
    if left.x < -left.z.abs() {
        Vec3::NEG_Z
    } else if left.z > left.x.abs() {
        Vec3::NEG_X
    } else if left.z < -left.x.abs() {
        Vec3::X
    } else {
        Vec3::Z
    }
}

/// The joint of a bone in the middle of the volume.
fn snapped(bones: &[Placed], at: usize, front: Vec3, volume: &Volume) -> Vec3 {
    let bone = &bones[at];
    match bone.snap {
        Snap::Stay => bone.joint,
        Snap::Depth => middle(volume, bone.joint, front, usize::MAX),
        Snap::Section => {
            let deep = middle(volume, bone.joint, front, 2 * THICK * volume.dims[1] / 100);
            let start = bone.parent.map_or(bone.joint, |parent| bones[parent].joint);
            let next = bones.iter().find(|other| other.parent == Some(at)).map_or(bone.joint, |next| next.joint);
            let along = (next - start).abs();
            if along.y > along.x.max(along.z) {
                deep
            } else {
                middle(volume, deep, Vec3::Y, THICK * volume.dims[1] / 100)
            }
        }
    }
}

/// A limb that is thicker, in percent of the height of the grid, is part of the body.
const THICK: usize = 12;

/// The middle of the solid voxels around a point, along an axis. A point outside goes to the nearest ones up to a tenth of the grid away,
/// or stays. It also stays if more than `thickest` voxels are solid.
fn middle(volume: &Volume, point: Vec3, axis: Vec3, thickest: usize) -> Vec3 {
    let step = axis * volume.size;
    let longest = volume.dims.into_iter().max().unwrap_or_default() as i32;
    let is_solid = |steps: i32| volume.solid_at(point + step * steps as f32).is_some();
    let near = (0..longest / 10).flat_map(|far| [far, -far]);
    let Some(inside) = near.into_iter().find(|steps| is_solid(*steps)) else { return point };
    let end = |direction: i32| {
        let way = (1..longest).take_while(|steps| is_solid(inside + direction * steps));
        inside + direction * way.last().unwrap_or(0)
    };
    let (far, back) = (end(1), end(-1));
    if (far - back) as usize > thickest { point } else { point + step * (0.5 * (far + back) as f32) }
}

/// Bones in level order, with rotations by the rule of roll.
fn skeleton(bones: &[Placed], front: Vec3) -> Skeleton {
    let rotation = |at: usize| {
        let bone = &bones[at];
        let next = bones.iter().find(|other| other.parent == Some(at) && other.joint != bone.joint);
        let along = match (bone.parent, next) {
            (None, _) => return Quat::IDENTITY,
            (_, Some(next)) => next.joint - bone.joint,
            (Some(parent), None) => bone.joint - bones[parent].joint,
        };
        rolled(along, front)
    };
    let rotations: Vec<Quat> = (0..bones.len()).map(rotation).collect();
    let parents: Vec<Option<usize>> = bones.iter().map(|bone| bone.parent).collect();
    let order = Skeleton::level_order(&parents).unwrap_or_default();
    let bone = |&at: &usize| {
        let placed = &bones[at];
        let rest = placed.parent.map_or(Transform::IDENTITY, |parent| {
            let back = rotations[parent].inverse();
            let translation = back * (placed.joint - bones[parent].joint);
            Transform { translation, rotation: (back * rotations[at]).normalize(), scale: Vec3::ONE }
        });
        let parent = placed.parent.and_then(|parent| order.iter().position(|other| *other == parent));
        Bone { name: placed.name.clone(), parent: parent.map(|parent| parent as u16), rest }
    };
    Skeleton::new(order.iter().map(bone).collect()).unwrap_or_default()
}

/// The rotation of a bone that points along a direction: Z to the front or, if the bone itself points there or back within 45°, up.
pub fn rolled(along: Vec3, front: Vec3) -> Quat {
    let y = along.normalize_or(Vec3::Y);
    let aim = if y.dot(front).abs() > std::f32::consts::FRAC_1_SQRT_2 { Vec3::Y } else { front };
    let x = y.cross(aim).normalize_or(Vec3::X);
    Quat::from_mat3(&Mat3::from_cols(x, y, x.cross(y))).normalize()
}

/// The first thing of a model that a new skeleton would lose: "sockets". `None` if there is nothing like that.
pub fn needs_bones(model: &Model) -> Option<&'static str> {
    let all = [
        ("clips", model.clips.is_empty()),
        ("a state machine", model.machine == AnimationTable::default()),
        ("saved poses", model.poses.is_empty()),
        ("drafts", model.drafts.is_empty()),
        ("sockets", model.sockets.is_empty()),
        ("volumes", *model.combat == Combat::default()),
    ];
    all.into_iter().find(|(_, is_empty)| !is_empty).map(|(what, _)| what)
}

/// A bare model with a new skeleton: its meshes hang on the first bone, where those of the surface stay in their place. What the old bones
/// had ([`needs_bones`]) is dropped.
pub fn with_skeleton(model: &Model, surface: &Surface, skeleton: Skeleton) -> Model {
    let first = skeleton.rest_model_pose().get(0).to_mat4().inverse();
    let bone_from_model = if first.is_finite() { first } else { Mat4::IDENTITY };
    let mesh = |(at, slot): (usize, &MeshSlot)| {
        let place = surface.meshes.iter().find(|place| place.mesh == at);
        let model_from_mesh = place.map_or(Mat4::IDENTITY, |place| place.model_from_mesh);
        let mesh = moved(&slot.mesh, bone_from_model * model_from_mesh);
        let bare = Mesh { binding: Binding::Bone(0), influences: Vec::new(), ..mesh };
        MeshSlot { mesh: Arc::new(bare), visibility: slot.visibility }
    };
    let source = Source { bone_nodes: vec![None; skeleton.len()], ..Source::clone(&model.source) };
    // The weights of morph targets are scalars of bones that are gone; those of two can have the same name.
    let mut names = UsedNames::default();
    let scalar = |scalar: &Scalar| Scalar { bone: 0, name: names.take(&scalar.name), ..scalar.clone() };
    let scalars = model.skeleton.scalars().iter().map(scalar).collect();
    let skeleton = skeleton.clone().with_scalars(scalars).unwrap_or(skeleton);
    Model {
        name: model.name.clone(),
        skeleton: Arc::new(skeleton),
        meshes: model.meshes.iter().enumerate().map(mesh).collect(),
        materials: model.materials.clone(),
        textures: model.textures.clone(),
        skinning: model.skinning,
        samples: model.samples,
        sprites: model.sprites.clone(),
        references: model.references.clone(),
        source: Arc::new(source),
        import_options: model.import_options.clone(),
        ..Model::default()
    }
}
