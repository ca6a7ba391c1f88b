//! Finds a body that travels while its root motion is off, so that the character would jump back at the end of the clip, or while the
//! first bone, which root motion is that of, stays.

use crate::anim::clip::LoopMode;
use crate::anim::root_motion::RootMotion;
use crate::anim::skeleton::BoneIndex;
use crate::anim::time::Time;
use crate::assets::root_way::MIN_TRAVEL;
use crate::clip_check::{Finding, Kind, Samples, Severity};
use crate::root_motion::mover;

pub fn check(samples: &Samples<'_>, found: &mut Vec<Finding>) {
    let Samples { subject, clip, exact, .. } = samples;
    let bone = mover(clip, &subject.skeleton).filter(|_| clip.loop_mode == LoopMode::Once);
    let Some(bone) = bone else { return };
    let is_off = clip.root_motion == RootMotion::None;
    // Hips travel in many clips whose character stays, such as falls; a bone above them was made to carry it.
    let is_above = |hips: BoneIndex| hips != bone && subject.skeleton.is_below(hips, bone);
    let is_root = bone == 0 || subject.hips.is_some_and(|(hips, _)| is_above(hips as BoneIndex));
    let [start, end] = [Time::ZERO, clip.length()].map(|time| exact.model(time).get(bone).translation());
    let figure = (end - start).with_y(0.0).length();
    let is_fault = if is_off { is_root } else { bone != 0 };
    if !is_fault || figure <= MIN_TRAVEL * subject.height {
        return;
    }
    let (way, name) = (subject.length_text(figure), subject.name(usize::from(bone)));
    found.push(Finding {
        kind: if is_off { Kind::RootMotionOff } else { Kind::RootStays },
        grade: Severity::Hint,
        bone: Some(bone),
        time: clip.length(),
        figure,
        text: if is_off {
            format!("{name} travels {way}, but root motion is off")
        } else {
            format!("{name} travels {way}, but root motion is that of {}", subject.name(0))
        },
        advice: if bone == 0 {
            "Turn on root motion in the clip's properties, or the character jumps back when the clip ends."
        } else {
            "Extract root motion, or the character jumps back when the clip ends."
        },
    });
}
