//! Finds flights that leave the ballistic arc, and poses that can't be held for as long as they are. Only in clips with contacts: without
//! them, nothing says what carries the weight.

use crate::anim::pose::ModelPose;
use crate::anim::time::Time;
use crate::assets::combat::Lanes;
use crate::clip_check::{Finding, Kind, Samples, Severity, frame};

/// The distance from the arc that can be seen, in heights of the model: 2 cm for a person.
const OFF_ARC: f32 = 0.011;
/// The distance from the arc that everybody sees: 6 cm for a person.
const FAR_OFF_ARC: f32 = 0.033;
/// How far the centre of mass may be outside its support, in heights of the model: 2 cm for a person.
const LEANING: f32 = 0.011;
/// A step and a turn are out of balance for less.
const MAX_FALL: Time = Time(Time::SECOND.0 * 3 / 4);

pub(super) fn check(samples: &Samples<'_>, lanes: &Lanes, found: &mut Vec<Finding>) {
    let Samples { subject, clip, poses, .. } = samples;
    if lanes.contacts.is_empty() || clip.length() <= Time::ZERO {
        return;
    }
    check_flights(samples, lanes, found);
    let beyond = |(time, pose): &(Time, ModelPose)| {
        let margin = subject.balance.stance(pose, lanes, *time).margin();
        (*time, margin.map_or(0.0, |margin| -margin))
    };
    let beyond: Vec<(Time, f32)> = poses.iter().map(beyond).collect();
    let leans = |(_, by): &(Time, f32)| *by > LEANING * subject.balance.height;
    for run in beyond.chunk_by(|a, b| leans(a) == leans(b)).filter(|run| leans(&run[0])) {
        let (from, to) = (run[0].0, run[run.len() - 1].0);
        if to - from <= MAX_FALL {
            continue;
        }
        let figure = run.iter().map(|(_, by)| *by).fold(0.0, f32::max);
        let (first, last, by) = (frame(clip, from), frame(clip, to), subject.length_text(figure));
        found.push(Finding {
            kind: Kind::OutOfBalance,
            grade: Severity::Hint,
            bone: None,
            time: from,
            figure,
            text: format!("the centre of mass is {by} beside the support in frames {first}–{last}"),
            advice: "Move the hips over the feet, or add the contact that carries the weight.",
        });
    }
}

fn check_flights(samples: &Samples<'_>, lanes: &Lanes, found: &mut Vec<Finding>) {
    let Samples { subject, clip, exact, poses, .. } = samples;
    let pose_at = |time: Time| exact.model(time);
    for range in subject.balance.flights((clip, lanes), &[], pose_at) {
        let arc = subject.balance.arc(range, pose_at);
        let inside = poses.iter().filter(|(time, _)| (range.start..=range.end).contains(time));
        let figure =
            inside.map(|(time, pose)| subject.balance.centre(pose).distance(arc.at(*time))).fold(0.0, f32::max);
        if figure > OFF_ARC * subject.balance.height {
            let far = figure > FAR_OFF_ARC * subject.balance.height;
            let (first, last, by) = (frame(clip, range.start), frame(clip, range.end), subject.length_text(figure));
            found.push(Finding {
                kind: Kind::OffArc,
                grade: if far { Severity::Warning } else { Severity::Hint },
                bone: None,
                time: range.start,
                figure,
                text: format!("in the air, the centre of mass is {by} off its arc in frames {first}–{last}"),
                advice: "Follow the arc (Clip menu) moves the body onto it. Or change gravity, contacts or duration.",
            });
        }
    }
}
