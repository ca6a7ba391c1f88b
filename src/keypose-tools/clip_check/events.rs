//! Checks the events of a clip: names that the archive lacks.

use crate::anim::clip::Clip;
use crate::clip_check::{Finding, Kind, Severity, Subject};

pub fn check(subject: &Subject, clip: &Clip, found: &mut Vec<Finding>) {
    let Some(names) = &subject.names else { return };
    for event in &clip.events {
        let Some((what, name)) = names.lack(&event.name) else { continue };
        found.push(Finding {
            kind: Kind::MissingName,
            grade: Severity::Warning,
            bone: None,
            time: event.time.min(clip.length()),
            figure: 0.0,
            text: format!("an event names the {what} \"{name}\", which doesn't exist"),
            advice: "It does nothing in the game. Choose another event in the timeline, or add the missing name.",
        });
    }
}
