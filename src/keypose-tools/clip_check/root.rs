//! Finds a root that travels while root motion is off: the character would jump back at the end of the clip.

use crate::anim::clip::Clip;
use crate::anim::root_motion::RootMotion;
use crate::assets::root_way::root_travel;
use crate::clip_check::{Finding, Kind, Severity, Subject};

pub fn check(subject: &Subject, clip: &Clip, found: &mut Vec<Finding>) {
    let is_off = clip.root_motion == RootMotion::None && !subject.skeleton.is_empty();
    if let Some(figure) = root_travel(clip, subject.height).filter(|_| is_off) {
        found.push(Finding {
            kind: Kind::RootMotionOff,
            grade: Severity::Hint,
            bone: Some(0),
            time: clip.length(),
            figure,
            text: format!("{} travels {}, but root motion is off", subject.name(0), subject.length_text(figure)),
            advice: "Turn on root motion in the clip's properties, or the character jumps back when the clip ends.",
        });
    }
}
