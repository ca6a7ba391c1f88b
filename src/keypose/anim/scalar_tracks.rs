//! The scalars of a baked clip: keys that are evaluated exactly, beside the baked forms of transforms.

use crate::anim::clip::Clip;
use crate::anim::key::{Channel, ScalarIndex};
use crate::anim::pose::LocalPose;
use crate::anim::skeleton::Skeleton;
use crate::anim::time::Time;
use crate::anim::track::Track;

/// The scalars of a baked clip: defaults, and tracks of the keyed ones. Evaluated exactly.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ScalarTracks {
    defaults: Vec<f32>,
    tracks: Vec<Track>,
    stepped: Vec<ScalarIndex>,
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
        ScalarTracks { defaults, tracks, stepped: skeleton.stepped_scalars().collect() }
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

    /// Writes the scalars of a pose.
    #[inline]
    pub(super) fn pose(&self, time: Time, pose: &mut LocalPose) {
        self.sample(time, pose.scalars_mut());
        pose.set_stepped(&self.stepped);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anim::bake::bake;
    use crate::anim::clip::{Keyframe, LoopMode};
    use crate::anim::key::{Ease, Key};
    use crate::anim::scalar::{MAX_SCALARS, Scalar, ScalarKind};
    use crate::anim::skeleton::{Bone, BoneIndex};
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
            ..Keyframe::default()
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
