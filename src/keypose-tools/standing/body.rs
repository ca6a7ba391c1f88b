//! How a humanoid stands in a pose, and the bind pose on the ground of the model.

use std::sync::Arc;

use glam::{Mat3, Mat4, Quat, Vec3};

use crate::anim::clip::Clip;
use crate::anim::pose::ModelPose;
use crate::anim::skeleton::BoneIndex;
use crate::anim::skin::Skin;
use crate::anim::time::Time;
use crate::anim::track::Track;
use crate::assets::bone_match::PartBones;
use crate::assets::model::Model;
use crate::exact_poses::ExactPoses;
use crate::symmetry;

/// The share of its length by which a leg that stands goes down.
const STRAIGHT: f32 = 0.9;
/// The cosine of the angle by which the trunk of a body that stands may lean because of its shape.
const UPRIGHT: f32 = 0.82;
/// Maximum number of clips whose beginnings are looked at.
const MAX_CLIPS: usize = 8;
/// The cosine of the angle by which a character may be turned when its clips begin.
const FAR: f32 = 0.5;

/// The bones that say how a humanoid stands.
pub struct Body {
    /// Thigh, shin and foot, left and right.
    pub legs: [[BoneIndex; 3]; 2],
    /// Left and right, if it has both.
    pub toes: Option<[BoneIndex; 2]>,
    /// Upper arms, or else the neck or the head.
    pub tops: Vec<BoneIndex>,
    /// Parts of both sides.
    pub pairs: Vec<[BoneIndex; 2]>,
}

/// How a humanoid stands.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    /// The share of its length by which the leg that is bent more goes down.
    pub down: f32,
    /// The cosine of the angle between the trunk and up.
    pub up: f32,
    /// How far its sides are from being mirror images, in its size.
    pub uneven: f32,
}

/// Where a humanoid stands.
#[derive(Clone, Copy, Debug)]
pub struct Stance {
    /// The level direction from the right thigh to the left one.
    pub across: Vec3,
    /// The place between the thighs, at the height of the lower foot.
    pub ground: Vec3,
}

impl Measured {
    pub fn stands(&self) -> bool {
        self.down > STRAIGHT && self.up > UPRIGHT
    }
}

impl Body {
    pub fn of(model: &Model) -> Option<Body> {
        let parts = PartBones::of(model.into());
        let (thighs, shins, feet) = (parts.both("upper leg")?, parts.both("lower leg")?, parts.both("foot")?);
        let legs = [0, 1].map(|side| [thighs[side], shins[side], feet[side]]);
        let arms = parts.both("upper arm").map(Vec::from);
        let tops = arms.or_else(|| Some(vec![parts.find(" neck").or_else(|| parts.find(" head"))?]))?;
        Some(Body { legs, toes: parts.both("toes"), tops, pairs: parts.pairs().collect() })
    }

    /// The way from the roots of the legs to the top of the trunk.
    pub fn trunk(&self, pose: &ModelPose) -> Vec3 {
        let middle = |bones: &[BoneIndex]| {
            bones.iter().map(|bone| pose.get(*bone).translation()).sum::<Vec3>() / bones.len() as f32
        };
        middle(&self.tops) - middle(&self.legs.map(|leg| leg[0]))
    }

    pub fn measured(&self, pose: &ModelPose) -> Measured {
        let down = |leg: &[BoneIndex; 3]| {
            let [thigh, shin, foot] = leg.map(|bone| pose.get(bone).translation());
            (thigh.y - foot.y) / (thigh.distance(shin) + shin.distance(foot)).max(f32::MIN_POSITIVE)
        };
        let down = self.legs.iter().map(down).fold(f32::INFINITY, f32::min);
        let up = self.trunk(pose).normalize_or_zero().y;
        Measured { down, up, uneven: symmetry::unevenness(pose, &self.pairs) }
    }

    /// How straight it stands, with the shoulders above the hips.
    pub fn evenly_stands(&self, pose: &ModelPose) -> f32 {
        let Measured { down, up, .. } = self.measured(pose);
        let shoulders = match self.tops.as_slice() {
            [left, right] => pose.get(*left).translation() - pose.get(*right).translation(),
            _ => Vec3::ZERO,
        };
        down + up + shoulders.normalize_or_zero().dot(self.stance(pose).across)
    }

    /// The bind pose as it stands on the ground of the model, as large as at rest. Bones above those that are bound rest.
    ///
    /// The space in which the skin was bound is that of the mesh, which is often the model's. Its axis along the trunk is up, and the
    /// character faces along an axis. What is far from where the file rests and its clips begin is moved to the origin and turned.
    pub fn upright(&self, model: &Model, bind: &ModelPose, begins: &[Stance]) -> Option<ModelPose> {
        let (top, top_bind) = self.top(model)?;
        let placed = bind.get(top).to_mat4() * top_bind;
        let size = placed.determinant().abs().cbrt();
        let to_skin = Mat4::from_scale(Vec3::splat(size)) * placed.inverse();
        let up = to_skin.transform_vector3(self.trunk(bind)).normalize_or(Vec3::Y);
        let axes = Vec3::AXES.into_iter().flat_map(|axis| [axis, -axis]);
        let axis = axes.max_by(|a, b| a.dot(up).total_cmp(&b.dot(up)))?;
        let stood = Mat4::from_quat(Quat::from_rotation_arc(axis, Vec3::Y)) * to_skin;
        let rest = model.skeleton.rest_model_pose();
        let standing = symmetry::turned(bind, &stood);
        let stance = self.stance(&standing);
        let turn = turned_there(stance.across, begins.iter().map(|begin| begin.across));
        let (is, rests) = (turn * stance.ground, begins.first()?.ground);
        let size = self.trunk(bind).length();
        let is_there = |there: Vec3| is.with_y(0.0).distance(there.with_y(0.0)) < size / 2.0;
        let stays = is_there(Vec3::ZERO) || begins.iter().any(|begin| is_there(begin.ground));
        let level = if stays { is } else { Vec3::ZERO };
        // Skins may be bound around the hips: then the ground is where the lower foot rests.
        let height = if is.y.abs() > size / 2.0 && (is.y - rests.y).abs() > size { rests.y } else { is.y };
        let turned = Mat4::from_translation(level.with_y(height) - is) * Mat4::from_quat(turn) * stood;
        if !turned.is_finite() {
            return None;
        }
        let mut pose = symmetry::turned(bind, &turned);
        for bone in model.skeleton.above(top) {
            pose.bones[usize::from(bone)] = rest.get(bone);
        }
        Some(pose)
    }

    /// The topmost joint of the first skin that carries both legs, and where it was bound. The first skin may be that of a head or a hand.
    fn top(&self, model: &Model) -> Option<(BoneIndex, Mat4)> {
        let top = |skin: &Arc<Skin>| {
            skin.joints.iter().copied().zip(skin.inverse_binds.iter().copied()).min_by_key(|(joint, _)| *joint)
        };
        let carries = |top: BoneIndex| self.legs.iter().all(|leg| model.skeleton.is_below(leg[0], top));
        let tops = || model.skins.iter().filter_map(top);
        tops().find(|(top, _)| carries(*top)).or_else(|| tops().min_by_key(|(joint, _)| *joint))
    }

    /// How it stands in the rest pose, and in the first frames of clips that move the hips.
    pub fn begins<'c>(&self, model: &Model, rest: &ModelPose, clips: impl Iterator<Item = &'c Clip>) -> Vec<Stance> {
        let hips = |bone: BoneIndex| model.skeleton.is_below(self.legs[0][0], bone);
        let clips = clips.take(MAX_CLIPS).filter(|clip| !Track::keyed(clip, hips).is_empty());
        let first = |clip: &Clip| ExactPoses::new(&model.skeleton, clip).model_portable(Time::ZERO);
        let stances = clips.map(|clip| self.stance(&first(clip)));
        std::iter::once(self.stance(rest)).chain(stances).collect()
    }

    /// The axes of its trunk: left, up and front.
    pub fn axes(&self, pose: &ModelPose) -> Option<Mat3> {
        let [left, right] = self.legs.map(|leg| pose.get(leg[0]).translation());
        let up = self.trunk(pose).try_normalize()?;
        let side = (left - right).reject_from_normalized(up).try_normalize()?;
        Some(Mat3::from_cols(side, up, side.cross(up)))
    }

    pub fn stance(&self, pose: &ModelPose) -> Stance {
        let [left, right] = self.legs.map(|leg| pose.get(leg[0]).translation());
        let low = self.legs.map(|leg| pose.get(leg[2]).translation().y);
        let across = (left - right).with_y(0.0).normalize_or_zero();
        Stance { across, ground: ((left + right) / 2.0).with_y(low[0].min(low[1])) }
    }
}

/// The rotation about the vertical that brings a line of hips along an axis: the nearest one, or if no clip begins near that, that of the rest
/// pose, which is the first.
fn turned_there(line: Vec3, mut begins: impl Iterator<Item = Vec3> + Clone) -> Quat {
    let axes = || [Vec3::X, Vec3::NEG_X, Vec3::Z, Vec3::NEG_Z].into_iter();
    let nearest = |to: Vec3| axes().max_by(|a, b| a.dot(to).total_cmp(&b.dot(to))).unwrap_or(Vec3::X);
    let own = nearest(line);
    let to = if begins.clone().any(|begin| own.dot(begin) > FAR) { own } else { begins.next().map_or(own, nearest) };
    let heading = |line: Vec3| (-line.z).atan2(line.x);
    Quat::from_rotation_y(heading(to) - heading(line))
}
