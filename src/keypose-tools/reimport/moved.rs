//! Bones that have another length, place or parent at rest in the changed model: their keys follow, so that a longer arm stays longer
//! while it moves, and a bone moves with its new parent as it did with the old one.

use std::collections::BTreeSet;

use glam::{Mat4, Quat, Vec3, Vec4};

use crate::anim::ik::limit::Limit;
use crate::anim::key::{Channel, Key};
use crate::anim::pose::ModelPose;
use crate::anim::skeleton::{BoneIndex, Skeleton};
use crate::anim::transform::Transform;
use crate::reimport::bones::{FoundBy, heads, size};

/// Bones shorter than this part of their skeleton have no length to compare, such as a root near the origin.
const MIN_PART: f32 = 0.02;
/// Units and axes that differ by less are the same.
const SAME: f32 = 1e-3;
/// A bone that turned by less in the model, in radians, lies as before.
const SAME_ANGLE: f32 = 0.02;
/// The angle by which the direction of a child may differ from that before, as a part of the angle between the axes of its parent.
const SAME_WAY: f32 = 0.1;

/// The changed bone that stands for one before; `None` if that is gone.
type Match = Option<(BoneIndex, FoundBy)>;

/// Change of a bone's rest pose, relative to its parent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moved {
    /// From the space of the old parent at rest to that of the new one, if that is another bone; or of the same parent, as far as its
    /// units changed but not the size of the model, and its axes but not the bones below it.
    pub space: Option<Transform>,
    /// Whether its parent is another bone.
    pub is_reparented: bool,
    /// From its old axes to the new ones, as far as bones below it are as before.
    axes: Quat,
    from: Vec3,
    to: Vec3,
    /// New length divided by the old one.
    pub ratio: f32,
    /// New scale divided by the old one.
    scale: Vec3,
}

/// Both skeletons at rest, in model space.
struct Rests<'s> {
    skeletons: [&'s Skeleton; 2],
    poses: [ModelPose; 2],
    sizes: [f32; 2],
    /// Units of the bones' parents.
    parents: [Vec<f32>; 2],
}

/// For each bone before, from its space to that of the changed bone, as far as its units and its axes changed. A unit is the same if the
/// model became larger with it. `keyed` has the bones and channels with keys.
pub fn spaces(skeletons: [&Skeleton; 2], found: &[Match], keyed: &BTreeSet<(usize, Channel)>) -> Vec<Transform> {
    let (rests, units) = (Rests::of(skeletons), skeletons.map(Skeleton::bone_scales));
    let scale = |bone: BoneIndex, other: BoneIndex| {
        let units = [units[0][usize::from(bone)], units[1][usize::from(other)]];
        rests.space([bone, other].map(Some)).filter(|_| rests.has_other_unit(units)).map(|space| space.scale)
    };
    let of = |((bone, other), rotation): ((BoneIndex, &Match), Quat)| {
        let scale = other.and_then(|(other, _)| scale(bone, other)).unwrap_or(Vec3::ONE);
        Transform { translation: Vec3::ZERO, rotation, scale }
    };
    skeletons[0].indices().zip(found).zip(axes(&rests, found, keyed)).map(of).collect()
}

/// For each bone before, how its rest pose changed; `None` if it did not, or if the bone is gone.
pub fn moved(skeletons: [&Skeleton; 2], found: &[Match], spaces: &[Transform]) -> Vec<Option<Moved>> {
    let rests = Rests::of(skeletons);
    let [before, changed] = skeletons;
    let of = |((bone, other), own): ((BoneIndex, &Match), &Transform)| {
        let other = (*other)?.0;
        let parents = [before.parent(bone), changed.parent(other)];
        let found = |parent: BoneIndex| found.get(usize::from(parent)).copied().flatten().map(|(bone, _)| bone);
        let is_reparented = parents[0].map(found) != parents[1].map(Some);
        let of_parent = || parents[0].map(|parent| spaces[usize::from(parent)]);
        let space = if is_reparented { rests.space(parents) } else { of_parent() };
        let space = space.filter(|space| is_reparented || space.distance(&Transform::IDENTITY) > SAME);
        let [old, new] = [before.get(bone)?.rest, changed.get(other)?.rest];
        let from = space.map_or(old.translation, |space| space.to_mat4().transform_point3(old.translation));
        let to = new.translation;
        let units = [&rests.parents[0][usize::from(bone)], &rests.parents[1][usize::from(other)]];
        let lengths = [from.length() * units[usize::from(space.is_some())], to.length() * units[1]];
        let ratio = if rests.have_length(lengths) { to.length() / from.length() } else { 1.0 };
        let has_size = [old.scale, new.scale].iter().all(|scale| scale.abs().min_element() > 1e-9);
        let scale = if has_size { new.scale / old.scale } else { Vec3::ONE };
        let is_moved = space.is_some() || from != to || scale != Vec3::ONE || own.rotation != Quat::IDENTITY;
        let moved = Moved { space, is_reparented, axes: own.rotation, from, to, ratio, scale };
        (is_moved && ratio.is_finite()).then_some(moved)
    };
    before.indices().zip(found).zip(spaces).map(of).collect()
}

/// For each bone before, the rotation from its axes to those of the changed bone, if these changed but not the bones below it: of its
/// children, the one with most bones lies as before in the model, in the same direction.
fn axes(rests: &Rests<'_>, found: &[Match], keyed: &BTreeSet<(usize, Channel)>) -> Vec<Quat> {
    let [before, changed] = rests.skeletons;
    let pair = |bone: BoneIndex| Some([bone, (*found.get(usize::from(bone))?)?.0]);
    let mut axes = vec![Quat::IDENTITY; before.len()];
    let mut counts = vec![1_usize; before.len()];
    let mut children: Vec<Option<[BoneIndex; 2]>> = vec![None; before.len()];
    // Children come before their parents.
    for bone in (0..before.len() as BoneIndex).rev() {
        let (at, own) = (usize::from(bone), pair(bone));
        if let (Some(own), Some(child)) = (own, children[at]) {
            let turn = rests.turn(own);
            let child_lies = rests.turn(child).angle_between(Quat::IDENTITY) < SAME_ANGLE;
            // A topmost bone, or one without keys, may be elsewhere.
            let is_free = before.parent(bone).is_none() || !keyed.contains(&(at, Channel::Rotation));
            let child_has_turned = axes[usize::from(child[0])] != Quat::IDENTITY;
            if (child_lies || child_has_turned) && (is_free || rests.is_same_way(child, turn)) {
                axes[at] = turn;
            }
        }
        let Some(parent) = before.parent(bone) else { continue };
        let above = usize::from(parent);
        counts[above] += counts[at];
        let is_largest = children[above].is_none_or(|[other, _]| counts[at] >= counts[usize::from(other)]);
        let is_child = |[_, other]: &[BoneIndex; 2]| {
            changed.parent(*other).is_some_and(|other| pair(parent) == Some([parent, other]))
        };
        if let Some(own) = own.filter(is_child).filter(|_| is_largest) {
            children[above] = Some(own);
        }
    }
    axes
}

impl Rests<'_> {
    fn of(skeletons: [&Skeleton; 2]) -> Rests<'_> {
        Rests {
            skeletons,
            poses: skeletons.map(Skeleton::rest_model_pose),
            sizes: skeletons.map(|skeleton| size(&heads(skeleton))),
            parents: skeletons.map(Skeleton::parent_scales),
        }
    }

    /// From the space of a bone before to that of a changed one, in the model.
    fn space(&self, bones: [Option<BoneIndex>; 2]) -> Option<Transform> {
        let model_of = |at: usize| bones[at].map_or(Mat4::IDENTITY, |bone| self.poses[at].get(bone).to_mat4());
        let space = Transform::from_mat4(model_of(1).inverse() * model_of(0));
        space.is_finite().then_some(space)
    }

    /// From the axes of a bone before to those of a changed one, in the model.
    fn turn(&self, bones: [BoneIndex; 2]) -> Quat {
        let turn = self.space(bones.map(Some)).map_or(Quat::IDENTITY, |space| space.rotation);
        if turn.xyz().length() > SAME { turn } else { Quat::IDENTITY }
    }

    /// Whether a child is in the same direction from its parent, whose axes are turned.
    fn is_same_way(&self, child: [BoneIndex; 2], turn: Quat) -> bool {
        let ways = [0, 1].map(|at| {
            let way = self.skeletons[at].get(child[at]).map_or(Vec3::ZERO, |child| child.rest.translation);
            way * self.parents[at][usize::from(child[at])]
        });
        let angle = (turn * ways[0]).angle_between(ways[1]);
        !self.have_length(ways.map(Vec3::length)) || angle < SAME_WAY * turn.angle_between(Quat::IDENTITY)
    }

    fn have_length(&self, lengths: [f32; 2]) -> bool {
        lengths.iter().zip(self.sizes).all(|(length, size)| size > 0.0 && *length > MIN_PART * size)
    }

    /// Whether units differ, and the size of the models less: another unit of a model that became as much larger is no change.
    fn has_other_unit(&self, [old, new]: [f32; 2]) -> bool {
        let (unit, grown) = ((new / old).ln(), (self.sizes[1] / self.sizes[0]).ln());
        unit.abs() > SAME && grown.abs() < (unit - grown).abs()
    }
}

impl Moved {
    /// A bone that stays where it was in the model, though the space of its parent changed.
    pub fn staying(rest: &Transform, space: Transform) -> Moved {
        let to = space.rotation * (rest.translation * space.scale);
        let axes = Quat::IDENTITY;
        Moved { space: Some(space), is_reparented: false, axes, from: to, to, ratio: 1.0, scale: space.scale }
    }

    /// The rest pose of a bone that [stays](Moved::staying).
    pub fn rest(&self, rest: &Transform) -> Transform {
        let turn = self.space.map_or(Quat::IDENTITY, |space| space.rotation);
        Transform { translation: self.to, rotation: turn * rest.rotation, scale: rest.scale * self.scale }
    }

    /// Converts a rotation of the bone, so that it is the same in the model.
    pub fn rotation(&self, rotation: Quat) -> Quat {
        self.space.map_or(Quat::IDENTITY, |space| space.rotation) * rotation * self.axes.inverse()
    }

    /// The limit of the bone, which allows the same rotations in the model.
    pub fn limit(&self, limit: &Limit) -> Limit {
        Limit { zero: self.rotation(limit.zero), axis: self.axes * limit.axis, ..*limit }
    }

    /// A key of the bone: it keeps its way from rest, a position in proportion.
    pub fn key(&self, key: &Key) -> Key {
        let space = self.space.unwrap_or(Transform::IDENTITY);
        match key.channel {
            Channel::Translation => {
                let turned = |value: Vec4| (space.rotation * (value.truncate() * space.scale)).extend(0.0);
                let there = |value: Vec4| space.translation + turned(value).truncate();
                let moved = |value: Vec4| (self.to + (there(value) - self.from) * self.ratio).extend(0.0);
                key.mapped(moved, |tangent| turned(tangent) * self.ratio)
            }
            Channel::Rotation => {
                let turned = |value: Vec4| Vec4::from(self.rotation(Quat::from_vec4(value)));
                key.mapped(turned, turned)
            }
            Channel::Scale => {
                let scaled = |value: Vec4| (value.truncate() * self.scale).extend(0.0);
                key.mapped(scaled, scaled)
            }
            Channel::Scalar(_) => *key,
        }
    }
}
