//! Checks the lanes of a clip: hits without a volume, ranges without a tick or past the end, missing bones and hurt volumes.

use crate::anim::clip::Clip;
use crate::anim::time::Time;
use crate::assets::combat::frame_data::ticks_of;
use crate::assets::combat::{Contact, Lanes, Range, Volume};
use crate::clip_check::{Finding, Kind, Severity, Subject};

pub fn check(subject: &Subject, clip: &Clip, lanes: &Lanes, found: &mut Vec<Finding>) {
    let mut lanes_of = Vec::new();
    lanes_of.extend(lanes.hits.iter().map(|hit| ("hit", hit.range)));
    lanes_of.extend(lanes.hurts.iter().map(|hurt| ("hurt", hurt.range)));
    lanes_of.extend(lanes.cancels.iter().map(|cancel| ("cancel", cancel.range)));
    lanes_of.extend(lanes.invulnerable.iter().map(|range| ("invulnerable", *range)));
    lanes_of.extend(lanes.contacts.iter().map(|contact| ("contact", contact.range)));
    lanes_of.into_iter().for_each(|(lane, range)| found.extend(range_finding(clip, lane, range)));
    for hit in lanes.hits.iter().filter(|hit| hit.volumes.is_empty()) {
        let text = format!("a hit at {} has no volume", ticks_text(hit.range));
        let advice = "It hits nothing. Add a volume on a bone, or delete it.";
        found.push(finding(Kind::HitWithoutVolume, hit.range.start, 0.0, text, advice));
    }
    for hurt in lanes.hurts.iter().filter(|hurt| !subject.hurt.contains(&hurt.volume)) {
        let text = format!("the hurt volume \"{}\" doesn't exist", hurt.volume);
        let advice = "The range changes nothing. Choose a hurt volume of the model, or delete it.";
        found.push(finding(Kind::MissingVolume, hurt.range.start, 0.0, text, advice));
    }
    for Contact { range, bone } in lanes.contacts.iter().filter(|it| subject.skeleton.find(&it.bone).is_none()) {
        let text = format!("a contact is on the bone \"{bone}\", which doesn't exist");
        found.push(finding(Kind::MissingVolume, range.start, 0.0, text, "Choose a bone of the model, or delete it."));
    }
    let replaced = lanes.hurts.iter().filter_map(|hurt| Some((hurt.range, hurt.replaced.as_ref()?)));
    let hitting = lanes.hits.iter().flat_map(|hit| hit.volumes.iter().map(|volume| (hit.range, volume)));
    for (range, Volume { name, bone, .. }) in hitting.chain(replaced) {
        if subject.skeleton.find(bone).is_none() {
            let text = format!("the volume \"{name}\" is on the bone \"{bone}\", which doesn't exist");
            let advice = "The game ignores it. Choose a bone of the model.";
            found.push(finding(Kind::MissingVolume, range.start, 0.0, text, advice));
        }
    }
}

fn range_finding(clip: &Clip, lane: &str, range: Range) -> Option<Finding> {
    // A clip plays whole ticks, but a range may end where it does.
    let end = clip.length().max(Time::TICK * ticks_of(clip.length()));
    if range.ticks().is_empty() {
        let text = format!("a {lane} range at {} has no tick", ticks_text(range));
        let advice = "The game looks at whole ticks of 1/60 s. Make it longer, or delete it.";
        return Some(finding(Kind::EmptyRange, range.start, 0.0, text, advice));
    }
    (range.end > end).then(|| {
        let past = (range.end - end).secs() as f32;
        let text = format!("a {lane} range at {} ends after the clip", ticks_text(range));
        let advice = "The part after the end has no effect. Shorten it, or lengthen the clip.";
        finding(Kind::RangePastEnd, range.start.min(clip.length()), past, text, advice)
    })
}

fn ticks_text(range: Range) -> String {
    let ticks = range.ticks();
    match ticks.end - ticks.start {
        ..=1 => format!("tick {}", ticks.start),
        _ => format!("ticks {} to {}", ticks.start, ticks.end - 1),
    }
}

fn finding(kind: Kind, time: Time, figure: f32, text: String, advice: &'static str) -> Finding {
    Finding { kind, grade: Severity::Warning, bone: None, time, figure, text, advice }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anim::clip::Keyframe;

    #[test]
    fn a_range_may_end_with_the_clip_between_two_ticks() {
        let clip = |length: Time| Clip {
            keyframes: [Keyframe { duration: length, ..Keyframe::default() }].into_iter().collect(),
            ..Clip::default()
        };
        let lasting = |end: Time| Range { start: Time::TICK, end };
        for length in [Time::TICK * 6, Time(Time::TICK.0 * 6 + 5), Time(Time::TICK.0 * 7 - 5)] {
            assert_eq!(range_finding(&clip(length), "contact", lasting(length)), None, "{length}");
            let late = range_finding(&clip(length), "contact", lasting(length + Time::TICK)).unwrap();
            assert_eq!(late.kind, Kind::RangePastEnd);
        }
    }
}
