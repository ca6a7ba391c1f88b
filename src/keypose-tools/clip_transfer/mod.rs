//! Brings clips of one skeleton onto another: an animation library onto a character. Bones are found by name
//! ([`crate::assets::bone_match`]).
//!
//! Each bone turns in model space from its rest pose as its source does from its own, after limbs that rest in other directions
//! were made to agree ([`pairing`]). For most bones that is `left · R · right` on each key, so keys and their interpolation are
//! kept; between equal skeletons they are copied. A bone below a bone that only the source has, and that moves, is sampled. Hips
//! move in leg lengths from the ground. Lengths of legs are not adapted: [`crate::retarget`] does that.

pub mod copies;
pub mod frames;
mod keys;
pub mod pairing;
pub mod posed;
pub mod sampled;

use glam::Vec3;

use crate::anim::clip::Clip;
use crate::anim::key::{Channel, Ease, Key};
use crate::anim::root_motion::RootMotion;
use crate::anim::scalar::Scalar;
use crate::anim::scalar::ScalarIndex;
use crate::anim::skeleton::{BoneIndex, Skeleton};
use crate::anim::track::Track;
use crate::assets::bone_match::NamedBones;
use crate::assets::import_options::RestFit;
use crate::clip_transfer::frames::is_scaled;
use crate::clip_transfer::keys::Conversion;
use crate::clip_transfer::pairing::Pairing;
use crate::clip_transfer::posed::Place;
use crate::root_motion::{rooted, turns};

/// A position that changes by less than this part of the target's size doesn't move.
const STILL: f32 = 2e-3;

/// The conversion of clips from one skeleton to another.
#[derive(Clone, Debug)]
pub struct Transfer<'a> {
    pub(super) from: &'a Skeleton,
    pub(super) to: &'a Skeleton,
    pub(super) pairing: Pairing,
    /// Motion that the position of each bone of the target follows.
    places: Vec<Place>,
    /// For each bone of the source.
    conversions: Vec<Option<Conversion>>,
    /// For each scalar of the source.
    scalars: Vec<Option<(BoneIndex, ScalarIndex)>>,
    /// Maximum transforms of a sampled clip, beside those per key.
    share: usize,
}

/// A transferred clip.
#[derive(Clone, Debug)]
pub struct Transferred {
    /// With the bones of the target.
    pub clip: Clip,
    /// Names of moved bones and scalars that the target lacks, in the order of the source.
    pub missing: Vec<String>,
}

impl<'a> Transfer<'a> {
    /// Prepares the conversion. `None` if no bone of the source is found in the target.
    pub fn new(from: impl Into<NamedBones<'a>>, to: impl Into<NamedBones<'a>>, fit: RestFit) -> Option<Transfer<'a>> {
        let (from, to) = (from.into(), to.into());
        let pairing = Pairing::new(from, to, fit)?;
        let (from, to) = (from.skeleton, to.skeleton);
        let places = posed::places(&pairing, [from, to]);
        let conversions = keys::conversions(&pairing, [from, to], &places);
        let scalars = from.scalars().iter().map(|scalar| found_scalar(scalar, from, to, &pairing.target)).collect();
        Some(Transfer { from, to, pairing, places, conversions, scalars, share: sampled::MAX_TRANSFORMS })
    }

    /// The conversion of a number of clips. The more they are, the fewer samples a long one may have.
    #[must_use]
    pub fn for_clips(self, clips: usize) -> Transfer<'a> {
        Transfer { share: sampled::MAX_TRANSFORMS / clips.max(1), ..self }
    }

    /// Maximum number of samples of a clip.
    pub(super) fn max_samples(&self, clip: &Clip) -> usize {
        sampled::max_samples(clip, self.share, self.from.len().max(self.to.len()))
    }

    /// The largest angle between limbs of both rest poses in degrees, if it was taken out of the clips.
    pub fn rest_angle(&self) -> Option<f64> {
        self.pairing.apart.map(f64::to_degrees)
    }

    /// Converts a clip. Keys of bones that the target lacks are left out.
    pub fn clip(&self, clip: &Clip) -> Transferred {
        let clip = &*clip.without_delays();
        let moving = Moving::new(self, clip);
        let sampled = self.sampled_bones(&moving);
        let ground = self.ground(clip);
        let mut converted = clip.clone();
        for keyframe in converted.keyframes.iter_mut() {
            let own = keyframe.keys.iter().filter_map(|key| self.key(key, &moving, &sampled, &ground));
            let carried = keyframe.keys.iter().flat_map(|key| self.carried(key, &moving));
            let mut keys: Vec<Key> = own.chain(carried).collect();
            keys.sort_by_key(Key::address);
            keys.dedup_by_key(|key| key.address());
            keyframe.keys = keys.into();
        }
        self.add_rests(&mut converted, (&moving, &sampled), ground.lift);
        if sampled.contains(&true) {
            let is_sampled = |conversion: &&Conversion| sampled[usize::from(conversion.to)];
            let followed = self.conversions.iter().flatten().filter(is_sampled).flat_map(|one| &one.follows);
            let ease = self.ease(clip, &followed.copied().collect::<Vec<_>>());
            let times = sampled::times(clip, self.max_samples(clip), ease);
            let poses: Vec<_> =
                self.sources(clip, &times).map(|source| self.pose(&source, (&ground, &moving.travels))).collect();
            let bones: Vec<_> = self
                .to
                .indices()
                .filter(|bone| sampled[usize::from(*bone)])
                .map(|bone| (bone, self.tolerance(bone)))
                .collect();
            converted = sampled::merged(&converted, &times, &poses, &bones, ease);
        }
        Transferred { clip: self.rooted(converted, &moving), missing: self.missing(&moving) }
    }

    /// The interpolation of sampled keys that follow bones of the source, and those above them.
    pub(super) fn ease(&self, clip: &Clip, follow: &[BoneIndex]) -> Ease {
        sampled::ease(clip, |bone| follow.iter().any(|followed| self.from.is_below(*followed, bone)))
    }

    /// The clip with the motion of its root in the first bone, if another bone of the target goes that way: a game reads that of the
    /// first bone.
    fn rooted(&self, clip: Clip, moving: &Moving) -> Clip {
        let moves = |moved: &[bool]| moved.first() == Some(&true);
        let is_led = match clip.root_motion {
            RootMotion::None => false,
            RootMotion::Ground | RootMotion::Height => moves(&moving.travels),
            RootMotion::Turn => moves(&moving.travels) || moves(&moving.turns),
        };
        if is_led { rooted(clip, self.to) } else { clip }
    }

    /// The key for the target; `None` if it has no such bone, or the bone is sampled or doesn't follow it.
    fn key(&self, key: &Key, moving: &Moving, sampled: &[bool], ground: &posed::Ground) -> Option<Key> {
        if let Channel::Scalar(scalar) = key.channel {
            let (bone, scalar) = (*self.scalars.get(usize::from(scalar))?)?;
            return Some(Key { bone, channel: Channel::Scalar(scalar), ..*key });
        }
        let conversion = self.conversions.get(usize::from(key.bone))?.as_ref()?;
        let is_sampled = sampled[usize::from(conversion.to)];
        let is_kept = match (key.channel, conversion.place) {
            (Channel::Rotation, _) | (Channel::Translation, Place::Model | Place::Hips) => !is_sampled,
            (Channel::Translation, Place::Parent) => conversion.follows_place(moving.travels[usize::from(key.bone)]),
            (Channel::Translation, Place::Rest | Place::EndOf(_)) => false,
            (Channel::Scale, _) => !moving.scales_above(conversion),
            (Channel::Scalar(_), _) => true,
        };
        is_kept.then(|| conversion.key(key, if conversion.place == Place::Hips { ground.lift } else { 0.0 }))
    }

    /// The keys of bones at the top for the scale of a bone above them that the target lacks.
    fn carried(&self, key: &Key, moving: &Moving) -> Vec<Key> {
        if key.channel != Channel::Scale || moving.scaled.get(usize::from(key.bone)) != Some(&true) {
            return Vec::new();
        }
        let carries = |conversion: &&Conversion| conversion.carried.iter().any(|(bone, _)| *bone == key.bone);
        self.conversions.iter().flatten().filter(carries).map(|conversion| conversion.key(key, 0.0)).collect()
    }

    /// The maximum error of sampled positions of a bone, in its parent's units; `None` if it has no keys of its position.
    pub(super) fn tolerance(&self, bone: BoneIndex) -> Option<f32> {
        match self.places[usize::from(bone)] {
            Place::Rest | Place::Parent => None,
            Place::Model | Place::Hips | Place::EndOf(_) => {
                let above = self.pairing.rests[1].above(self.to.parent(bone)).1;
                let unit = above.matrix3.determinant().abs().cbrt().max(1e-12);
                Some((5e-4 * self.pairing.leg_length / unit) as f32)
            }
        }
    }

    /// Whether a clip scales bones of the source.
    pub(super) fn scales(&self, clip: &Clip) -> bool {
        Track::all_of(clip).iter().any(|track| self.is_scaling(track))
    }

    fn is_scaling(&self, track: &Track) -> bool {
        let rest = self.from.get(track.bone).map_or(Vec3::ONE, |bone| bone.rest.scale);
        let is_other = |key: &Key| is_scaled(rest, key.value.truncate());
        track.channel == Channel::Scale && track.keys.iter().any(|(_, key)| is_other(key))
    }

    /// Adds keys for bones that rest where their sources don't, and whose sources have no keys.
    fn add_rests(&self, clip: &mut Clip, (moving, sampled): (&Moving, &[bool]), lift: f64) {
        let Some(first) = clip.keyframes.iter_mut().next() else { return };
        for (bone, conversion) in (0..).zip(&self.conversions) {
            let Some(conversion) = conversion.as_ref().filter(|one| !sampled[usize::from(one.to)]) else { continue };
            let [rotation, place] = conversion.rest_keys([self.from, self.to], bone, lift);
            let [turns, goes] = [&moving.turned, &moving.placed].map(|keyed| keyed[usize::from(bone)]);
            rotation.filter(|_| !turns).into_iter().for_each(|key| first.set(key));
            place.filter(|_| !goes).into_iter().for_each(|key| first.set(key));
        }
    }

    /// Whether each bone of the target is sampled.
    fn sampled_bones(&self, moving: &Moving) -> Vec<bool> {
        let mut sampled = vec![false; self.to.len()];
        for conversion in self.conversions.iter().flatten() {
            let is_keyed = |bone: BoneIndex| moving.turned[usize::from(bone)] || moving.placed[usize::from(bone)];
            let has_moving = conversion.between.iter().any(|bone| moving.moves[usize::from(*bone)]);
            let needs = conversion.is_loose || has_moving;
            let follows = conversion.follows.iter().any(|bone| is_keyed(*bone)) || moving.scales_above(conversion);
            let leans = conversion.place == Place::Hips && moving.leans;
            sampled[usize::from(conversion.to)] = (needs && follows) || leans;
        }
        sampled
    }

    /// Names of the source's bones and scalars that move and whose motion is lost.
    fn missing(&self, moving: &Moving) -> Vec<String> {
        let mut carried: Vec<bool> = self.pairing.target.iter().map(Option::is_some).collect();
        for bone in (0..self.from.len()).rev().filter(|bone| carried[*bone]).collect::<Vec<_>>() {
            self.from.above(bone as BoneIndex).for_each(|bone| carried[usize::from(bone)] = true);
        }
        let lost = self.from.bones().iter().zip(carried.iter().zip(&moving.moves));
        let bones = lost.filter(|(_, (carried, moves))| **moves && !**carried).map(|(bone, _)| bone.name.clone());
        let scalars = self.from.scalars().iter().zip(self.scalars.iter().zip(&moving.scalars));
        let scalars = scalars.filter(|(_, (found, keyed))| found.is_none() && **keyed);
        bones.chain(scalars.map(|(scalar, _)| scalar.name.clone())).collect()
    }
}

/// Bones and scalars that a clip moves.
struct Moving {
    /// Whether each bone of the source has keys of its rotation.
    turned: Vec<bool>,
    /// Whether each bone of the source has keys of its position.
    placed: Vec<bool>,
    /// Whether each bone of the source leaves its rest pose.
    moves: Vec<bool>,
    /// Whether the position of each bone of the source changes.
    travels: Vec<bool>,
    /// Whether the rotation of each bone of the source changes.
    turns: Vec<bool>,
    /// Whether each bone of the source is scaled.
    scaled: Vec<bool>,
    /// Whether each scalar of the source has keys.
    scalars: Vec<bool>,
    /// Whether bones above the hips turn so far that no constants place the hips.
    leans: bool,
}

impl Moving {
    fn new(transfer: &Transfer<'_>, clip: &Clip) -> Moving {
        let none = || vec![false; transfer.from.len()];
        let mut moving = Moving {
            turned: none(),
            placed: none(),
            moves: none(),
            travels: none(),
            turns: none(),
            scaled: none(),
            scalars: vec![false; transfer.from.scalars().len()],
            leans: false,
        };
        for track in Track::all_of(clip) {
            if let Some(keyed) = track.channel.scalar().and_then(|scalar| moving.scalars.get_mut(usize::from(scalar))) {
                *keyed = true;
            }
            let at = usize::from(track.bone);
            let Some(bone) = transfer.from.get(track.bone).filter(|_| track.channel.scalar().is_none()) else {
                continue;
            };
            moving.turned[at] |= track.channel == Channel::Rotation;
            moving.placed[at] |= track.channel == Channel::Translation;
            moving.turns[at] |= turns(&track);
            moving.scaled[at] |= transfer.is_scaling(&track);
            moving.leans |= keys::leans(&transfer.pairing, transfer.from, &track);
            let rest = track.channel.of(&bone.rest);
            let distance = |value| match track.channel {
                Channel::Rotation => crate::anim::fit::distance(Channel::Rotation, value, rest),
                Channel::Translation | Channel::Scale | Channel::Scalar(_) => (value - rest).length(),
            };
            moving.moves[at] |= track.keys.iter().any(|(_, key)| distance(key.value) > 1e-4 * rest.length().max(1e-3));
            if track.channel == Channel::Translation {
                let first = track.keys[0].1.value;
                let size = transfer.size_at(track.bone);
                moving.travels[at] = track.keys.iter().any(|(_, key)| (key.value - first).length() > STILL * size);
            }
        }
        moving
    }

    /// Whether a bone takes the scale of one above it.
    fn scales_above(&self, conversion: &Conversion) -> bool {
        conversion.carried.iter().any(|(bone, _)| self.scaled[usize::from(*bone)])
    }
}

/// The scalar of the target: of the same name on the bone that was found, or else the only one of that name and kind.
fn found_scalar(
    scalar: &Scalar,
    from: &Skeleton,
    to: &Skeleton,
    found: &[Option<BoneIndex>],
) -> Option<(BoneIndex, ScalarIndex)> {
    let on_bone = || {
        let bone = found.get(usize::from(scalar.bone)).copied().flatten()?;
        Some((bone, to.find_scalar(bone, &scalar.name)?))
    };
    let only = || {
        let is_like = |other: &&Scalar| other.kind == scalar.kind && other.name == scalar.name;
        let is_only =
            from.scalars().iter().filter(is_like).count() == 1 && to.scalars().iter().filter(is_like).count() == 1;
        let other = to.scalars().iter().find(is_like).filter(|_| is_only)?;
        Some((other.bone, to.find_scalar(other.bone, &other.name)?))
    };
    on_bone().or_else(only)
}

#[cfg(test)]
mod tests {
    use std::f32::consts::FRAC_PI_2;

    use glam::Quat;

    use super::*;
    use crate::anim::clip::{Keyframe, LoopMode};
    use crate::anim::pose::ModelPose;
    use crate::anim::skeleton::Bone;
    use crate::anim::time::Time;
    use crate::anim::transform::Transform;

    /// A chain of bones along y, in the world, whose axes are turned by `axes`.
    fn chain(names: [&str; 3], length: f32, axes: Quat) -> Skeleton {
        let bone = |(at, name): (usize, &str)| {
            let rest = match at {
                0 => Transform { translation: Vec3::Y * length, rotation: axes, scale: Vec3::ONE },
                _ => Transform::from_translation(axes.inverse() * Vec3::Y * length),
            };
            Bone { name: name.into(), parent: at.checked_sub(1).map(|at| at as u16), rest }
        };
        Skeleton::new(names.into_iter().enumerate().map(bone).collect()).unwrap()
    }

    /// The root moves and turns, the next bone turns.
    fn clip(skeleton: &Skeleton) -> Clip {
        let turned = |bone: u16, turn: Quat| {
            let rest = skeleton.bones()[usize::from(bone)].rest.rotation;
            Key::rotation(bone, (turn * rest).normalize())
        };
        let keys = vec![
            Key::translation(0, Vec3::new(0.5, 1.0, 0.0)),
            turned(0, Quat::from_rotation_x(0.4)),
            turned(1, Quat::from_rotation_z(0.7)),
        ];
        let keyframes = [Keyframe { keys: keys.into(), ..Keyframe::default() }].into_iter().collect();
        Clip { keyframes, ..Clip::new("walk") }
    }

    /// The places of the bones in the first keyframe.
    fn places(skeleton: &Skeleton, clip: &Clip) -> Vec<Vec3> {
        let mut local = skeleton.rest_pose();
        for key in &clip.keyframes.first().unwrap().keys {
            local.put(key.bone, key.channel, key.value);
        }
        let mut pose = ModelPose::default();
        pose.compute(skeleton, &local);
        pose.bones.iter().map(|bone| bone.translation()).collect()
    }

    #[test]
    fn bones_with_other_axes_go_to_the_same_places() {
        let source = chain(["x:Hips", "x:Spine", "x:Head"], 1.0, Quat::IDENTITY);
        let mut moved = clip(&source);
        // A position that stays where it is.
        moved.keyframes.iter_mut().for_each(|keyframe| keyframe.set(Key::translation(2, Vec3::new(0.3, 1.2, 0.0))));
        let expected = places(&source, &moved);
        for axes in [Quat::IDENTITY, Quat::from_rotation_y(0.8), Quat::from_rotation_z(FRAC_PI_2)] {
            for length in [1.0, 3.0] {
                let target = chain(["Hips", "Spine", "Head"], length, axes);
                let transferred = Transfer::new(&source, &target, RestFit::On).unwrap().clip(&moved);
                assert!(transferred.missing.is_empty());
                for (found, expected) in places(&target, &transferred.clip).iter().zip(&expected) {
                    assert!(found.distance(*expected * length) < 1e-5, "{axes} {length}: {found} {expected}");
                }
            }
        }
    }

    #[test]
    fn a_bone_stretches_along_its_length_whatever_its_axes() {
        let source = chain(["x:Hips", "x:Spine", "x:Head"], 1.0, Quat::IDENTITY);
        let keys = vec![Key::scale(1, Vec3::new(0.8, 1.6, 1.0))];
        let keyframes = [Keyframe { keys: keys.into(), ..Keyframe::default() }].into_iter().collect();
        let clip = Clip { keyframes, ..Clip::new("squash") };
        let expected = places(&source, &clip);
        for axes in [Quat::IDENTITY, Quat::from_rotation_z(FRAC_PI_2), Quat::from_rotation_x(-FRAC_PI_2)] {
            let target = chain(["Hips", "Spine", "Head"], 1.0, axes);
            let transferred = Transfer::new(&source, &target, RestFit::On).unwrap().clip(&clip);
            for (found, expected) in places(&target, &transferred.clip).iter().zip(&expected) {
                assert!(found.distance(*expected) < 1e-5, "{axes}: {found} {expected}");
            }
        }
    }

    #[test]
    fn root_motion_is_that_of_the_first_bone_of_the_target() {
        let source = chain(["root", "Hips", "Spine"], 1.0, Quat::IDENTITY);
        let target = chain(["Armature", "root", "Hips"], 1.0, Quat::IDENTITY);
        let keyframe = |z: f32| {
            let keys = vec![Key::translation(0, Vec3::new(0.0, 1.0, z))];
            Keyframe { duration: Time::SECOND, keys: keys.into(), ..Keyframe::default() }
        };
        let keyframes = vec![keyframe(0.0), keyframe(2.0)].into();
        let clip = Clip { root_motion: RootMotion::Ground, keyframes, ..Clip::new("roll") };
        let made = Transfer::new(&source, &target, RestFit::On).unwrap().clip(&clip).clip;
        let way = |bone: BoneIndex| {
            let track = Track::of(&made, bone, Channel::Translation).unwrap();
            track.sample(made.length()).z - track.sample(Time::ZERO).z
        };
        assert!(way(0) > 1.0 && way(1).abs() < 1e-3, "{} {}", way(0), way(1));
    }

    #[test]
    fn a_turn_on_the_spot_is_that_of_the_first_bone_of_the_target() {
        let source = chain(["root", "Hips", "Spine"], 1.0, Quat::IDENTITY);
        let keyframe = |angle: f32| {
            let keys =
                vec![Key::rotation(0, Quat::from_rotation_y(angle)), Key::translation(1, Vec3::Y * (1.0 + angle))];
            Keyframe { duration: Time::SECOND, keys: keys.into(), ..Keyframe::default() }
        };
        let keyframes = vec![keyframe(0.0), keyframe(1.5)].into();
        let clip = Clip { root_motion: RootMotion::Turn, loop_mode: LoopMode::Once, keyframes, ..Clip::new("turn") };
        for names in [["Armature", "root", "Hips"], ["Armature", "Hips", "Spine"]] {
            let target = chain(names, 1.0, Quat::IDENTITY);
            let made = Transfer::new(&source, &target, RestFit::On).unwrap().clip(&clip).clip;
            let angle = |bone: BoneIndex| {
                let track = Track::of(&made, bone, Channel::Rotation).unwrap();
                let [start, end] = [Time::ZERO, made.length()].map(|time| Quat::from_vec4(track.sample(time)));
                start.angle_between(end)
            };
            assert!((angle(0) - 1.5).abs() < 1e-2 && angle(1) < 1e-2, "{names:?} {} {}", angle(0), angle(1));
        }
    }

    /// A skeleton of bones at places, turned about the vertical axis.
    fn placed(bones: &[(&str, Option<usize>, Vec3)], (yaw, size): (f32, f32)) -> Skeleton {
        let bone = |(name, parent, place): &(&str, Option<usize>, Vec3)| {
            let turn = Quat::from_rotation_y(if parent.is_none() { yaw } else { 0.0 });
            let way = *place - parent.map_or(Vec3::ZERO, |parent| bones[parent].2);
            let rest = Transform { translation: turn * way * size, rotation: turn, scale: Vec3::ONE };
            Bone { name: (*name).into(), parent: parent.map(|parent| parent as u16), rest }
        };
        Skeleton::new(bones.iter().map(bone).collect()).unwrap()
    }

    /// The clip of the first body looks the same on a larger one that faces another way.
    fn assert_turns(bones: &[(&str, Option<usize>, Vec3)], clip: &Clip) {
        let source = placed(bones, (0.0, 1.0));
        for (yaw, size) in [(FRAC_PI_2, 1.5), (-FRAC_PI_2, 1.0), (2.0 * FRAC_PI_2, 1.2), (0.5, 1.0)] {
            let target = placed(bones, (yaw, size));
            let made = Transfer::new(&source, &target, RestFit::On).unwrap().clip(clip).clip;
            for (is, place) in places(&target, &made).iter().zip(places(&source, clip)) {
                let expected = Quat::from_rotation_y(yaw) * place * size;
                assert!(is.distance(expected) < 1e-4, "{yaw} {size}: {is} {expected}");
            }
        }
    }

    #[test]
    fn an_animal_may_face_another_way() {
        let at = |x: f32, z: f32| Vec3::new(x, 0.1, z);
        let fish = [
            ("base", None, at(0.0, 0.0)),
            ("s1", Some(0), at(0.0, -0.3)),
            ("jaw", Some(0), at(0.0, 0.1)),
            ("finL", Some(0), at(0.15, 0.0)),
            ("finR", Some(0), at(-0.15, 0.0)),
            ("s2", Some(1), at(0.0, -0.6)),
            ("s3", Some(5), at(0.0, -0.9)),
        ];
        let keys = vec![
            Key::translation(0, at(0.1, 0.5)),
            Key::rotation(1, Quat::from_rotation_y(0.4)),
            Key::rotation(5, Quat::from_rotation_x(0.3)),
        ];
        let keyframes = [Keyframe { keys: keys.into(), ..Keyframe::default() }].into_iter().collect();
        assert_turns(&fish, &Clip { keyframes, ..Clip::new("swim") });
    }

    #[test]
    fn a_humanoid_without_legs_may_face_another_way() {
        let bust = [
            ("Hips", None, Vec3::new(0.0, 1.0, 0.0)),
            ("Spine", Some(0), Vec3::new(0.0, 1.15, 0.0)),
            ("Neck", Some(1), Vec3::new(0.0, 1.55, 0.0)),
            ("LeftArm", Some(1), Vec3::new(0.2, 1.5, 0.0)),
            ("RightArm", Some(1), Vec3::new(-0.2, 1.5, 0.0)),
            ("Head", Some(2), Vec3::new(0.0, 1.65, 0.0)),
            ("LeftForeArm", Some(3), Vec3::new(0.47, 1.5, 0.0)),
            ("RightForeArm", Some(4), Vec3::new(-0.47, 1.5, 0.0)),
            ("LeftHand", Some(6), Vec3::new(0.72, 1.5, 0.0)),
            ("RightHand", Some(7), Vec3::new(-0.72, 1.5, 0.0)),
        ];
        let keys = vec![
            Key::translation(0, Vec3::new(0.0, 0.9, 0.3)),
            Key::rotation(1, Quat::from_rotation_y(0.5)),
            Key::rotation(3, Quat::from_rotation_z(-1.0)),
            Key::rotation(6, Quat::from_rotation_y(-0.7)),
        ];
        let keyframes = [Keyframe { keys: keys.into(), ..Keyframe::default() }].into_iter().collect();
        assert_turns(&bust, &Clip { keyframes, ..Clip::new("wave") });
    }
}
