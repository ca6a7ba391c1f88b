//! Finds a root that travels while root motion is off: the character would jump back at the end of the clip.

use glam::Vec3;

use crate::anim::clip::{Clip, LoopMode};
use crate::anim::root_motion::RootMotion;
use crate::anim::time::Time;
use crate::clip_check::{Finding, Kind, Sampler, Severity, Subject};

/// The minimum distance, in heights of the model: a shorter one is a sway.
const TRAVEL: f32 = 0.1;

pub fn check(subject: &Subject, clip: &Clip, sampler: &Sampler, found: &mut Vec<Finding>) {
    if clip.root_motion != RootMotion::None || clip.loop_mode != LoopMode::Once || subject.skeleton.is_empty() {
        return;
    }
    let [start, end] = [Time::ZERO, clip.length()].map(|time| sampler.model(subject, time).bones[0].translation());
    let figure = ((end - start) * Vec3::new(1.0, 0.0, 1.0)).length();
    if figure > TRAVEL * subject.height {
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
