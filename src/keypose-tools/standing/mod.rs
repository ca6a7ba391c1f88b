//! Characters as retargeting compares them: standing. A rest pose says how two bodies belong together only if both stand in it; the nodes
//! of many files rest in a frame of a clip, though their skins say how they stand.

mod body;
mod frame;

use std::borrow::Cow;
use std::collections::BTreeSet;

use glam::Mat4;

use crate::anim::clip::Clip;
use crate::anim::key::{Channel, Key};
use crate::anim::pose::LocalPose;
use crate::anim::skeleton::{Bone, BoneIndex, Skeleton};
use crate::anim::track::Track;
use crate::anim::transform::Transform;
use crate::assets::bone_match::NamedBones;
use crate::assets::import_options::RestFit;
use crate::assets::model::Model;
use crate::bind_pose::local_of;
use crate::clip_transfer::copies::rest_of_copy;
use crate::clip_transfer::pairing::Pairing;
use crate::standing::body::{Body, Stance};
pub use crate::standing::frame::rests_in_no_pose;
use crate::symmetry;

/// Channels that differ by this part are the same: of the longest way between bones, or of the rotation or scale.
const SAME: f32 = 1e-4;
/// Bodies that are not further apart are at the same place, in lengths of the trunk.
const NEAR: f32 = 0.2;

/// A model whose skeleton rests where its character stands.
#[derive(Clone, Debug)]
pub struct Standing<'m> {
    model: &'m Model,
    skeleton: Cow<'m, Skeleton>,
    /// Where bones rest that stand elsewhere, or stand that rest elsewhere.
    moved: Vec<(BoneIndex, Channel)>,
}

impl<'m> Standing<'m> {
    /// A library's clips, and the model that gets them. Those that rest alike are compared as they rest, whatever their pose; one rig in
    /// two poses, in that of the target; a library that rests in no pose, in a frame of its clips.
    pub fn pair<'c>(library: &'m Model, clips: impl Iterator<Item = &'c Clip>, target: &'m Model) -> [Standing<'m>; 2] {
        if rest_alike(library, target) {
            return [library, target].map(Standing::as_it_rests);
        }
        let own = target.clips.iter().filter(|slot| target.derived(slot.id).is_none()).map(|slot| &*slot.clip);
        let target = Standing::of(target, own);
        let rests = Pairing::new(library.into(), target.named(), RestFit::On);
        let copy = rests.and_then(|rests| rest_of_copy(&rests, [&library.skeleton, &target.skeleton]));
        let library = match copy {
            Some(pose) => Standing::resting(library, &pose),
            None if rests_in_no_pose(library) => frame::pose(library, clips, (target.model, &target.skeleton))
                .map_or_else(|| Standing::as_it_rests(library), |pose| Standing::resting(library, &pose)),
            None if library.skins.is_empty() => {
                Standing::on_origin(library, clips).unwrap_or_else(|| Standing::as_it_rests(library))
            }
            None => Standing::of(library, clips),
        };
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

    /// A library whose nodes rest in a frame of a clip that travels, on the origin. `None` if it rests there, or where a clip begins.
    fn on_origin<'c>(library: &'m Model, clips: impl Iterator<Item = &'c Clip>) -> Option<Standing<'m>> {
        let (body, rest) = (Body::of(library)?, library.skeleton.rest_model_pose());
        let near = NEAR * body.trunk(&rest).length();
        let stances = body.begins(library, &rest, clips);
        let (own, begins) = stances.split_first()?;
        let is_own = |begin: &Stance| (begin.ground - own.ground).with_y(0.0).length() < near;
        if begins.is_empty() || begins.iter().any(is_own) {
            return None;
        }
        let place = |bone: BoneIndex| rest.get(bone).translation().with_y(0.0);
        let carriers = library.skeleton.above(body.legs[0][0]);
        let carrier = carriers.filter(|bone| place(*bone).length() > near).last()?;
        let parent = library.skeleton.parent(carrier);
        let to_parent = parent.map_or(Mat4::IDENTITY, |parent| rest.get(parent).to_mat4().inverse());
        let mut pose = library.skeleton.rest_pose();
        let mut transform = pose.get(usize::from(carrier));
        transform.translation -= to_parent.transform_vector3(place(carrier));
        pose.set(usize::from(carrier), &transform);
        transform.translation.is_finite().then(|| Standing::resting(library, &pose))
    }

    fn as_it_rests(model: &'m Model) -> Standing<'m> {
        Standing { model, skeleton: Cow::Borrowed(&model.skeleton), moved: Vec::new() }
    }

    fn resting(model: &'m Model, pose: &LocalPose) -> Standing<'m> {
        let skeleton = model.skeleton.with_rests(|bone, _| pose.get(usize::from(bone)));
        let Ok(skeleton) = skeleton else { return Standing::as_it_rests(model) };
        let channels = [Channel::Translation, Channel::Rotation, Channel::Scale];
        let size = skeleton.bones().iter().map(|bone| bone.rest.translation.length()).fold(0.0, f32::max);
        let is_moved = |bone: BoneIndex, channel: Channel| {
            let [before, after] =
                [&*model.skeleton, &skeleton].map(|of| channel.of(&of.bones()[usize::from(bone)].rest));
            let turns = channel == Channel::Rotation && before.dot(after) < 0.0;
            let apart = (if turns { before + after } else { before - after }).length();
            apart > SAME * if channel == Channel::Translation { size } else { after.length() }
        };
        let all = model.skeleton.indices().flat_map(|bone| channels.map(|channel| (bone, channel)));
        let moved = all.filter(|(bone, channel)| is_moved(*bone, *channel)).collect();
        Standing { model, skeleton: Cow::Owned(skeleton), moved }
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
