//! The seam of a loop. Each round of a translation begins where the one before ended, and a root that turns the character does so, too.

use glam::{Quat, Vec4};

use crate::anim::clip::{Clip, Keyframe, LoopMode};
use crate::anim::key::{BoneIndex, Channel};
use crate::anim::root_motion::{Motion, RootMotion};
use crate::anim::time::Time;
use crate::anim::transform::Transform;

/// Where a loop begins again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seam {
    /// The time of one round.
    pub length: Time,
    /// The way that the first bone turns in a round, if this turns the character.
    turn: Quat,
}

impl Seam {
    /// The seam of a clip; none unless it loops.
    pub fn of(clip: &Clip) -> Option<Seam> {
        let turn = || {
            let ends = Seam::ends(clip, (0, Channel::Rotation)).filter(|_| clip.root_motion == RootMotion::Turn)?;
            let about = |value| Motion::of(&Transform::from_rotation(Quat::from_vec4(value)), RootMotion::Turn);
            let [first, last] = ends.map(about);
            Some(last.then(first.inverse()).rotation.as_quat())
        };
        let is_loop = clip.loop_mode == LoopMode::Loop;
        is_loop.then(|| Seam { length: clip.length(), turn: turn().unwrap_or_default() })
    }

    /// The keyed values of a channel at the start of a clip and at its end; none unless it has both.
    pub fn ends(clip: &Clip, (bone, channel): (BoneIndex, Channel)) -> Option<[Vec4; 2]> {
        let (first, last) = (clip.keyframes.first()?, clip.keyframes.last()?);
        let value = |keyframe: &Keyframe| Some(keyframe.key(bone, channel)?.value);
        if last.duration == Time::ZERO { Some([value(first)?, value(last)?]) } else { None }
    }

    /// The seam of bones that don't turn the character.
    pub fn at(length: Time) -> Seam {
        Seam { length, turn: Quat::IDENTITY }
    }

    /// A value of a channel, as it is this many rounds later: -1, 0 or 1. `ends` are its values at the start of the loop and at its end.
    pub fn carry(
        &self,
        (bone, channel): (BoneIndex, Channel),
        [first, last]: [Vec4; 2],
        value: Vec4,
        rounds: i64,
    ) -> Vec4 {
        let turn = if bone == 0 { self.turn } else { Quat::IDENTITY };
        let (from, to, turn) = match rounds {
            1 => (first, last, turn),
            -1 => (last, first, turn.inverse()),
            _ => return value,
        };
        match channel {
            // Exactly as it is, in a loop that ends where it begins.
            Channel::Translation if from == to && turn == Quat::IDENTITY => value,
            Channel::Translation => to + (turn * (value - from).truncate()).extend(0.0),
            Channel::Rotation if bone == 0 => Vec4::from(turn * Quat::from_vec4(value)),
            _ => value,
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::anim::key::Key;

    #[test]
    fn the_first_value_of_the_next_round_is_the_last_of_this_one() {
        let turned = |angle| Key::rotation(0, Quat::from_rotation_y(angle) * Quat::from_rotation_x(0.2));
        let keyframe = |duration, place: Vec3, angle| Keyframe {
            duration,
            keys: vec![Key::translation(0, place), turned(angle)].into(),
            ..Keyframe::default()
        };
        let keyframes = vec![keyframe(Time::SECOND, Vec3::X, 0.3), keyframe(Time::ZERO, Vec3::new(2.0, 0.0, 5.0), 1.8)];
        let clip = Clip {
            loop_mode: LoopMode::Loop,
            root_motion: RootMotion::Turn,
            keyframes: keyframes.into(),
            ..Clip::new("circle")
        };
        let seam = Seam::of(&clip).unwrap();
        for channel in [Channel::Translation, Channel::Rotation] {
            let [first, last] = [0, 1].map(|at| clip.keyframes[at].key(0, channel).unwrap().value);
            let carried = |value, rounds| seam.carry((0, channel), [first, last], value, rounds);
            assert!(carried(first, 1).distance(last) < 1e-5 && carried(last, -1).distance(first) < 1e-5, "{channel:?}");
            assert_eq!(carried(first, 0), first);
        }
        assert_eq!(Seam::of(&Clip { loop_mode: LoopMode::Once, ..clip }), None);
    }
}
