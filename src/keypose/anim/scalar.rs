//! Scalars: numbers of a skeleton that clips key besides the transforms of bones, such as the weight of a morph target
//! ([`crate::anim::morph`]) or a property that the game reads.

use std::collections::BTreeSet;

use crate::anim::clip::Clip;
use crate::anim::key::Channel;
use crate::anim::skeleton::{BoneIndex, Skeleton, SkeletonError};
use crate::anim::time::Time;
use crate::anim::track::Track;

/// The index of a scalar in its skeleton.
pub type ScalarIndex = u16;

/// The effect of a scalar.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ScalarKind {
    /// The weight of a morph target: 0 is no deformation, 1 all of it. Values outside 0..=1 are allowed.
    #[default]
    Weight,
    /// A value that the game and other programs read, such as `glow`.
    Property,
    /// Shows the mesh of the same name while it is above one half.
    Visibility,
}

impl ScalarKind {
    /// All kinds, in order.
    pub const ALL: [ScalarKind; 3] = [ScalarKind::Weight, ScalarKind::Property, ScalarKind::Visibility];

    /// The name for panels, scripts and reports.
    pub fn name(self) -> &'static str {
        match self {
            ScalarKind::Weight => "weight",
            ScalarKind::Property => "property",
            ScalarKind::Visibility => "visibility",
        }
    }
}

/// A number that clips can key. Its value without keys is the default.
#[derive(Clone, Debug, PartialEq)]
pub struct Scalar {
    /// Not empty; unique among the scalars of its bone.
    pub name: String,
    /// The bone to which its keys belong: that of the mesh for a weight.
    pub bone: BoneIndex,
    /// The effect.
    pub kind: ScalarKind,
    /// The value without keys. Finite.
    pub default: f32,
}

/// Maximum number of scalars of a skeleton. Every index fits the numbers of archives.
pub const MAX_SCALARS: usize = 4096;

/// Checks the scalars of a skeleton with `bones` bones.
pub(super) fn check(scalars: &[Scalar], bones: usize) -> Result<(), SkeletonError> {
    if scalars.len() > MAX_SCALARS {
        return Err(SkeletonError::TooManyScalars { count: scalars.len() });
    }
    let mut names = BTreeSet::new();
    for (index, scalar) in scalars.iter().enumerate() {
        let wrong = |reason| Err(SkeletonError::Scalar { scalar: index, name: scalar.name.clone(), reason });
        if scalar.name.is_empty() {
            return wrong("it has no name");
        }
        if usize::from(scalar.bone) >= bones {
            return wrong("its bone doesn't exist");
        }
        if !scalar.default.is_finite() {
            return wrong("its default is not finite");
        }
        if !names.insert((scalar.bone, scalar.name.as_str())) {
            return wrong("its bone has another scalar of this name");
        }
    }
    Ok(())
}

/// The scalars of a baked clip: their defaults, and the keys of those that have any. Evaluated exactly.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ScalarTracks {
    defaults: Vec<f32>,
    tracks: Vec<Track>,
}

impl ScalarTracks {
    /// The scalars of a clip on a skeleton. Keys of scalars that the skeleton lacks are left out.
    pub fn of(clip: &Clip, skeleton: &Skeleton) -> ScalarTracks {
        let scalars = skeleton.scalars();
        let defaults = scalars.iter().map(|scalar| scalar.default).collect();
        let mut tracks = Vec::new();
        if !scalars.is_empty() && clip.keyframes.has_scalars() {
            tracks = Track::all_of(clip);
            tracks.retain(|track| track.channel.scalar().is_some_and(|scalar| usize::from(scalar) < scalars.len()));
        }
        ScalarTracks { defaults, tracks }
    }

    /// The keyed scalars, sorted by bone.
    pub fn tracks(&self) -> &[Track] {
        &self.tracks
    }

    /// Writes the value of every scalar at a time in `0..=length`.
    #[inline]
    pub fn sample(&self, time: Time, out: &mut Vec<f32>) {
        out.clear();
        if self.defaults.is_empty() {
            return;
        }
        out.extend_from_slice(&self.defaults);
        for track in &self.tracks {
            if let Channel::Scalar(scalar) = track.channel {
                out[usize::from(scalar)] = track.sample(time).x;
            }
        }
    }
}

/// Blends the values of scalars in place; those that only one of both has stay.
#[inline]
pub(super) fn blend(values: &mut [f32], to: &[f32], weight: impl Fn(usize) -> f32) {
    for (at, (value, to)) in values.iter_mut().zip(to).enumerate() {
        *value += (to - *value) * weight(at);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anim::bake::bake;
    use crate::anim::clip::{Keyframe, LoopMode};
    use crate::anim::key::{Ease, Key};
    use crate::anim::pose::LocalPose;
    use crate::anim::skeleton::Bone;
    use crate::anim::transform::Transform;

    fn skeleton() -> Skeleton {
        let bone = Bone { name: "head".into(), parent: None, rest: Transform::IDENTITY };
        let scalar = |name: &str, default| Scalar { name: name.into(), default, ..named("", 0) };
        Skeleton::new(vec![bone]).unwrap().with_scalars(vec![scalar("smile", 0.25), scalar("blink", 0.5)]).unwrap()
    }

    fn named(name: &str, bone: BoneIndex) -> Scalar {
        Scalar { name: name.into(), bone, kind: ScalarKind::Weight, default: 0.0 }
    }

    /// ```text
    /// seconds   0     1     2     3
    /// smile     0     1  0.5 (step)
    /// ```
    #[test]
    fn scalars_are_interpolated_like_bones_and_default_without_keys() {
        let keyframe = |value, ease| Keyframe {
            duration: Time::SECOND,
            keys: vec![Key { ease, ..Key::scalar(0, 0, value) }, Key::scalar(0, 9, 7.0)].into(),
        };
        let keyframes = [keyframe(0.0, Ease::Linear), keyframe(1.0, Ease::Step), keyframe(0.5, Ease::Linear)];
        let mut clip = Clip { keyframes: keyframes.into(), ..Clip::new("talk") };
        for (mode, last) in [(LoopMode::Once, 0.5), (LoopMode::Loop, 0.25)] {
            clip.loop_mode = mode;
            let baked = bake(&clip, &skeleton());
            let mut pose = LocalPose::default();
            for (halves, expected) in [(0, 0.0), (1, 0.5), (2, 1.0), (3, 1.0), (4, 0.5), (5, last)] {
                baked.sample(Time(Time::SECOND.0 * halves / 2), &mut pose);
                assert!((pose.scalar(0) - expected).abs() < 1e-6, "{mode:?} at {halves}: {}", pose.scalar(0));
                assert_eq!((pose.scalar(1), pose.scalars().len()), (0.5, 2));
            }
        }
    }

    #[test]
    fn wrong_scalars_are_refused() {
        let nan = Scalar { default: f32::NAN, ..named("smile", 0) };
        for wrong in [vec![named("", 0)], vec![named("smile", 1)], vec![nan], vec![named("a", 0), named("a", 0)]] {
            assert!(skeleton().with_scalars(wrong).is_err());
        }
        let many = (0..=MAX_SCALARS).map(|index| named(&index.to_string(), 0)).collect();
        assert!(skeleton().with_scalars(many).is_err());
    }
}
