//! Finds keyframes in which joints are beyond their limits.

use crate::anim::pose::LocalPose;
use crate::anim::time::Time;
use crate::clip_check::{Finding, Kind, Samples, Severity};

/// The maximum excess in radians, about 2°: less is not visible.
const MAX_EXCESS: f32 = 0.035;

pub fn check(samples: &Samples<'_>, found: &mut Vec<Finding>) {
    let Samples { subject, clip, exact, .. } = samples;
    // For each bone: its excess in the worst keyframe, the keyframe, and its time.
    let mut worst = vec![(MAX_EXCESS, 0, Time::ZERO); subject.limits.len()];
    let mut pose = LocalPose::default();
    let starts = if subject.limits.is_empty() { Vec::new() } else { clip.starts().collect() };
    for (at, start) in starts.into_iter().enumerate() {
        exact.local(start, &mut pose);
        for ((bone, limit), worst) in subject.limits.iter().zip(&mut worst) {
            let excess = limit.excess(pose.get(usize::from(*bone)).rotation);
            if excess > worst.0 {
                *worst = (excess, at, start);
            }
        }
    }
    for ((bone, _), (excess, at, time)) in subject.limits.iter().zip(worst).filter(|(_, worst)| worst.0 > MAX_EXCESS) {
        let (name, degrees) = (subject.name(usize::from(*bone)), excess.to_degrees());
        found.push(Finding {
            kind: Kind::BeyondLimit,
            grade: Severity::Hint,
            bone: Some(*bone),
            time,
            figure: degrees,
            text: format!("{name} bends {degrees:.0}° beyond its limit at keyframe {}", at + 1),
            advice: "Rotate it back, or widen the limit in the inspector if the joint should bend so far.",
        });
    }
}
