//! Finds characters that lie, float above the ground or sink into it.

use crate::anim::clip::Clip;
use crate::anim::time::Time;
use crate::assets::clip_names::words;
use crate::clip_check::{Finding, Footing, Kind, Severity, Subject};
use crate::likeness::{Stance, frames, times};

/// Words in the name of a clip in which the character doesn't stand.
const LYING: [&str; 16] = [
    "lie", "lies", "lying", "laying", "sleep", "sleeping", "crawl", "crawling", "prone", "push", "plank", "sit",
    "sitting", "seated", "chair", "rest",
];

pub fn check(subject: &Subject, clip: &Clip, footing: Footing, found: &mut Vec<Finding>) {
    let Some(body) = subject.body.as_ref().filter(|_| footing == Footing::Ground) else { return };
    let Some((stance, figure)) = Stance::of(body, &frames(&subject.skeleton, clip, &times(clip))) else { return };
    if words(&clip.name).iter().any(|word| LYING.contains(&word.as_str())) {
        return;
    }
    let (kind, text, advice) = match stance {
        Stance::Floats | Stance::Sinks => {
            let far = subject.length_text((figure.abs() * body.leg) as f32);
            let text = match stance {
                Stance::Floats => format!("the character floats {far} above the ground"),
                _ => format!("a foot sinks {far} into the ground"),
            };
            (Kind::Height, text, "Move the hips; if the clip is of another character, check the bone map.")
        }
        Stance::FaceDown | Stance::OnBack | Stance::OnSide | Stance::HeadDown => (
            Kind::Lying,
            format!("the character {} in the whole clip", stance.words()),
            "Turn the hips; if the clip is of another character, check the bone map.",
        ),
    };
    let grade = Severity::Warning;
    found.push(Finding { kind, grade, bone: None, time: Time::ZERO, figure: figure.abs() as f32, text, advice });
}
