//! Characters as retargeting compares them: standing. A rest pose says how two bodies belong together only if both stand in it; the nodes
//! of many files rest in a frame of a clip, though their skins say how they stand.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use glam::{Mat4, Quat, Vec3};

use crate::anim::clip::Clip;
use crate::anim::key::{Channel, Key};
use crate::anim::pose::{LocalPose, ModelPose};
use crate::anim::skeleton::{Bone, BoneIndex, Skeleton};
use crate::anim::time::Time;
use crate::anim::track::Track;
use crate::anim::transform::Transform;
use crate::assets::bone_match::{NamedBones, parts_of};
use crate::assets::import_options::RestFit;
use crate::assets::model::Model;
use crate::bind_pose::local_of;
use crate::clip_transfer::copies::rest_of_copy;
use crate::clip_transfer::pairing::Pairing;
use crate::symmetry;

/// The share of its length by which a leg that stands goes down.
const STRAIGHT: f32 = 0.9;
/// The cosine of the angle by which the trunk of a body that stands may lean because of its shape.
const UPRIGHT: f32 = 0.82;
/// Maximum number of clips whose beginnings are looked at.
const MAX_CLIPS: usize = 8;
/// The cosine of the angle by which a character may be turned when its clips begin.
const FAR: f32 = 0.5;
/// Channels that differ by this part are the same: of the longest way between bones, or of the rotation or scale.
const SAME: f32 = 1e-4;

/// A model whose skeleton rests where its character stands.
#[derive(Clone, Debug)]
pub struct Standing<'m> {
    model: &'m Model,
    skeleton: Cow<'m, Skeleton>,
    /// Where bones rest that stand elsewhere, or stand that rest elsewhere.
    moved: Vec<(BoneIndex, Channel)>,
}

impl<'m> Standing<'m> {
    /// A library's clips, and the model that gets them. Those that rest alike are compared as they rest, whatever
    /// their pose; one rig in two poses, in that of the target.
    pub fn pair<'c>(library: &'m Model, clips: impl Iterator<Item = &'c Clip>, target: &'m Model) -> [Standing<'m>; 2] {
        if rest_alike(library, target) {
            return [library, target].map(Standing::as_it_rests);
        }
        let target = Standing::of(target, std::iter::empty());
        let rests = Pairing::new(library.into(), target.named(), RestFit::On);
        let copy = rests.and_then(|rests| rest_of_copy(&rests, [&library.skeleton, &target.skeleton]));
        let library = copy.map_or_else(|| Standing::of(library, clips), |pose| Standing::resting(library, &pose));
        [library, target]
    }

    /// The model as it rests. Where it doesn't stand, or uneven, as it was bound if it stands there, at the place where clips begin.
    fn of<'c>(model: &'m Model, clips: impl Iterator<Item = &'c Clip>) -> Standing<'m> {
        let bound = || {
            let body = Body::of(model)?;
            let rest = model.skeleton.rest_model_pose();
            let rests = body.measured(&rest);
            if rests.stands() && rests.uneven <= symmetry::POSITION_TOLERANCE {
                return None;
            }
            let bind = symmetry::even_bind(model, &body.pairs, rests.uneven.max(2.0 * symmetry::POSITION_TOLERANCE))?;
            let bind = body.upright(model, &bind, &body.begins(model, &rest, clips))?;
            body.measured(&bind).stands().then(|| Standing::resting(model, &local_of(&model.skeleton, &bind)))
        };
        bound().unwrap_or_else(|| Standing::as_it_rests(model))
    }

    fn as_it_rests(model: &'m Model) -> Standing<'m> {
        Standing { model, skeleton: Cow::Borrowed(&model.skeleton), moved: Vec::new() }
    }

    fn resting(model: &'m Model, pose: &LocalPose) -> Standing<'m> {
        let bones = model.skeleton.bones().iter().enumerate();
        let bones: Vec<Bone> = bones.map(|(at, bone)| Bone { rest: pose.get(at), ..bone.clone() }).collect();
        let channels = [Channel::Translation, Channel::Rotation, Channel::Scale];
        let size = bones.iter().map(|bone| bone.rest.translation.length()).fold(0.0, f32::max);
        let is_moved = |bone: BoneIndex, channel: Channel| {
            let [before, after] = [&model.skeleton.bones()[usize::from(bone)], &bones[usize::from(bone)]]
                .map(|bone| channel.of(&bone.rest));
            let turns = channel == Channel::Rotation && before.dot(after) < 0.0;
            let apart = (if turns { before + after } else { before - after }).length();
            apart > SAME * if channel == Channel::Translation { size } else { after.length() }
        };
        let all = model.skeleton.indices().flat_map(|bone| channels.map(|channel| (bone, channel)));
        let moved = all.filter(|(bone, channel)| is_moved(*bone, *channel)).collect();
        let skeleton = Skeleton::new(bones).and_then(|made| made.with_scalars(model.skeleton.scalars().to_vec()));
        let owned = |skeleton| Standing { model, skeleton: Cow::Owned(skeleton), moved };
        skeleton.map_or_else(|_| Standing::as_it_rests(model), owned)
    }

    /// The bones with their rest pose where the character stands.
    pub fn named(&self) -> NamedBones<'_> {
        NamedBones { skeleton: &self.skeleton, rig: Some(&self.model.rig) }
    }

    /// A clip of the model, for the skeleton that stands: what the clip doesn't move stays where the model rests.
    pub fn with_rest<'c>(&self, clip: &'c Clip) -> Cow<'c, Clip> {
        self.holding(Cow::Borrowed(clip), &self.model.skeleton)
    }

    /// A clip for the skeleton that stands, for the model: what it doesn't move stays where the character stands.
    pub fn with_stand(&self, clip: Clip) -> Clip {
        self.holding(Cow::Owned(clip), &self.skeleton).into_owned()
    }

    /// A clip with keys where bones are that it doesn't move.
    fn holding<'c>(&self, mut clip: Cow<'c, Clip>, resting: &Skeleton) -> Cow<'c, Clip> {
        if self.moved.is_empty() {
            return clip;
        }
        let keyed: BTreeSet<(BoneIndex, Channel)> =
            Track::all_of(&clip).into_iter().map(|track| (track.bone, track.channel)).collect();
        let Some(first) = clip.to_mut().keyframes.iter_mut().next() else { return clip };
        for (bone, channel) in self.moved.iter().filter(|moved| !keyed.contains(*moved)) {
            let rest = resting.bones()[usize::from(*bone)].rest;
            match channel {
                Channel::Translation => first.set(Key::translation(*bone, rest.translation)),
                Channel::Rotation => first.set(Key::rotation(*bone, rest.rotation)),
                Channel::Scale => first.set(Key::scale(*bone, rest.scale)),
                Channel::Scalar(_) => {}
            }
        }
        clip
    }
}

/// Whether at least half of the bones have the same names, and all of these rest alike.
fn rest_alike(library: &Model, target: &Model) -> bool {
    let size = library.skeleton.bones().iter().map(|bone| bone.rest.translation.length()).fold(0.0, f32::max);
    let named = |bone: &Bone| library.skeleton.find(&bone.name).and_then(|other| library.skeleton.get(other));
    let pairs: Vec<[Transform; 2]> =
        target.skeleton.bones().iter().filter_map(|bone| Some([named(bone)?.rest, bone.rest])).collect();
    let is_alike = |[a, b]: &[Transform; 2]| {
        a.translation.distance(b.translation) <= SAME * size && a.rotation.dot(b.rotation).abs() > 1.0 - SAME
    };
    2 * pairs.len() >= library.skeleton.len() && pairs.iter().all(is_alike)
}

/// The bones that say how a humanoid stands.
struct Body {
    /// Thigh, shin and foot, left and right.
    legs: [[BoneIndex; 3]; 2],
    /// Upper arms, or else the neck or the head.
    tops: Vec<BoneIndex>,
    /// Parts of both sides.
    pairs: Vec<[BoneIndex; 2]>,
}

/// How a humanoid stands.
#[derive(Clone, Copy, Debug)]
struct Measured {
    /// The share of its length by which the leg that is bent more goes down.
    down: f32,
    /// The cosine of the angle between the trunk and up.
    up: f32,
    /// How far its sides are from being mirror images, in its size.
    uneven: f32,
}

impl Measured {
    fn stands(&self) -> bool {
        self.down > STRAIGHT && self.up > UPRIGHT
    }
}

impl Body {
    fn of(model: &Model) -> Option<Body> {
        let parts = parts_of(model.into());
        let bones: BTreeMap<&str, BoneIndex> =
            (0..).zip(&parts).filter_map(|(bone, part)| Some((part.as_deref()?, bone))).collect();
        let find = |part: &str| bones.get(part).copied();
        let side = |side: &str, part: &str| find(&format!("{side} {part}"));
        let leg = |of: &str| Some([side(of, "upper leg")?, side(of, "lower leg")?, side(of, "foot")?]);
        let legs = [leg("left")?, leg("right")?];
        let arms = side("left", "upper arm").zip(side("right", "upper arm")).map(|(left, right)| vec![left, right]);
        let tops = arms.or_else(|| Some(vec![find(" neck").or_else(|| find(" head"))?]))?;
        let pair = |(part, left): (&&str, &BoneIndex)| Some([*left, side("right", part.strip_prefix("left ")?)?]);
        let pairs = bones.iter().filter_map(pair).collect();
        Some(Body { legs, tops, pairs })
    }

    /// The way from the roots of the legs to the top of the trunk.
    fn trunk(&self, pose: &ModelPose) -> Vec3 {
        let middle = |bones: &[BoneIndex]| {
            bones.iter().map(|bone| pose.get(*bone).translation()).sum::<Vec3>() / bones.len() as f32
        };
        middle(&self.tops) - middle(&self.legs.map(|leg| leg[0]))
    }

    fn measured(&self, pose: &ModelPose) -> Measured {
        let down = |leg: &[BoneIndex; 3]| {
            let [thigh, shin, foot] = leg.map(|bone| pose.get(bone).translation());
            (thigh.y - foot.y) / (thigh.distance(shin) + shin.distance(foot)).max(f32::MIN_POSITIVE)
        };
        let down = self.legs.iter().map(down).fold(f32::INFINITY, f32::min);
        let up = self.trunk(pose).normalize_or_zero().y;
        Measured { down, up, uneven: symmetry::unevenness(pose, &self.pairs) }
    }

    /// The bind pose as it stands on the ground of the model, as large as at rest. Bones above those that are bound rest.
    ///
    /// The space in which the skin was bound is that of the mesh, which is often the model's. Its axis along the trunk is up, and the
    /// character faces along an axis. What is far from where the file rests and its clips begin is moved to the origin and turned.
    fn upright(&self, model: &Model, bind: &ModelPose, begins: &[ModelPose]) -> Option<ModelPose> {
        let skin = model.skins.first()?;
        let (top, top_bind) = skin.joints.iter().zip(&skin.inverse_binds).min_by_key(|(joint, _)| **joint)?;
        let placed = bind.get(*top).to_mat4() * *top_bind;
        let size = placed.determinant().abs().cbrt();
        let to_skin = Mat4::from_scale(Vec3::splat(size)) * placed.inverse();
        let up = to_skin.transform_vector3(self.trunk(bind)).normalize_or(Vec3::Y);
        let axes = Vec3::AXES.into_iter().flat_map(|axis| [axis, -axis]);
        let axis = axes.max_by(|a, b| a.dot(up).total_cmp(&b.dot(up)))?;
        let stood = Mat4::from_quat(Quat::from_rotation_arc(axis, Vec3::Y)) * to_skin;
        let rest = model.skeleton.rest_model_pose();
        let standing = symmetry::turned(bind, &stood);
        let turn = turned_there(self.across(&standing), begins.iter().map(|pose| self.across(pose)));
        let (is, rests) = (turn * self.ground(&standing), self.ground(begins.first()?));
        let size = self.trunk(bind).length();
        let is_there = |there: Vec3| is.with_y(0.0).distance(there.with_y(0.0)) < size / 2.0;
        let stays = is_there(Vec3::ZERO) || begins.iter().any(|pose| is_there(self.ground(pose)));
        let level = if stays { is } else { Vec3::ZERO };
        // Skins may be bound around the hips: then the ground is where the lower foot rests.
        let height = if is.y.abs() > size / 2.0 && (is.y - rests.y).abs() > size { rests.y } else { is.y };
        let turned = Mat4::from_translation(level.with_y(height) - is) * Mat4::from_quat(turn) * stood;
        if !turned.is_finite() {
            return None;
        }
        let mut pose = symmetry::turned(bind, &turned);
        for bone in std::iter::successors(model.skeleton.parent(*top), |bone| model.skeleton.parent(*bone)) {
            pose.bones[usize::from(bone)] = rest.get(bone);
        }
        Some(pose)
    }

    /// The rest pose, and the first frames of clips that move the hips.
    fn begins<'c>(&self, model: &Model, rest: &ModelPose, clips: impl Iterator<Item = &'c Clip>) -> Vec<ModelPose> {
        let hips = |bone: BoneIndex| model.skeleton.is_below(self.legs[0][0], bone);
        let tracks = clips.take(MAX_CLIPS).map(Track::all_of);
        let tracks = tracks.filter(|tracks| tracks.iter().any(|track| hips(track.bone)));
        let poses = tracks.map(|tracks| first_pose(&model.skeleton, &tracks));
        std::iter::once(rest.clone()).chain(poses).collect()
    }

    /// The level way from the right thigh to the left one.
    fn across(&self, pose: &ModelPose) -> Vec3 {
        let [left, right] = self.legs.map(|leg| pose.get(leg[0]).translation());
        (left - right).with_y(0.0).normalize_or_zero()
    }

    /// The place between the thighs, at the height of the lower foot.
    fn ground(&self, pose: &ModelPose) -> Vec3 {
        let [left, right] = self.legs.map(|leg| pose.get(leg[0]).translation());
        let low = self.legs.map(|leg| pose.get(leg[2]).translation().y);
        ((left + right) / 2.0).with_y(low[0].min(low[1]))
    }
}

/// The first frame of a clip's tracks.
fn first_pose(skeleton: &Skeleton, tracks: &[Track]) -> ModelPose {
    let mut local = skeleton.rest_pose();
    let tracks = tracks.iter().filter(|track| usize::from(track.bone) < skeleton.len());
    tracks.for_each(|track| local.put(track.bone, track.channel, track.sample(Time::ZERO)));
    let mut pose = ModelPose::default();
    pose.compute_portable(skeleton, &local);
    pose
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
