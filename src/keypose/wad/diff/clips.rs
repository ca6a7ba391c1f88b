//! Compares two clips of one name by their settings, keyframes and keys.

use crate::anim::clip::{Clip, Keyframe};
use crate::anim::key::Key;
use crate::wad::diff::changed;
use crate::wad::journal::clip_change::{Span, spans};

/// The length and the size of a clip.
pub fn describe(clip: &Clip) -> Vec<String> {
    vec![format!("{}, {} keyframes, {} keys", clip.length(), clip.keyframes.len(), keys_in(clip))]
}

/// Keyframes of a clip that differ are counted beyond these.
const MAX_LISTED: usize = 100;

/// Phrases on what differs between the keyframes of two clips. Keyframes that were added or removed change none behind them.
pub fn compare(a: &Clip, b: &Clip) -> Vec<String> {
    let mut details = Vec::new();
    let mut from_to = |what: &str, old: String, new: String| {
        if old != new {
            details.push(format!("{what} {old} → {new}"));
        }
    };
    from_to("length", a.length().to_string(), b.length().to_string());
    from_to("loop mode", a.loop_mode.name().into(), b.loop_mode.name().into());
    from_to("frame rate", format!("{:.3}", a.frame_rate.fps()), format!("{:.3}", b.frame_rate.fps()));
    from_to("root motion", a.root_motion.name().into(), b.root_motion.name().into());
    from_to("keyframes", a.keyframes.len().to_string(), b.keyframes.len().to_string());
    from_to("keys", keys_in(a).to_string(), keys_in(b).to_string());
    from_to("events", a.events.len().to_string(), b.events.len().to_string());
    from_to("delays", a.delays.len().to_string(), b.delays.len().to_string());
    details.extend(changed(a.events == b.events || a.events.len() != b.events.len(), "events changed"));
    details.extend(changed(a.delays == b.delays || a.delays.len() != b.delays.len(), "delays changed"));
    if a.keyframes == b.keyframes {
        return details;
    }
    let (before, after) = (a.keyframes.to_vec(), b.keyframes.to_vec());
    let changes = keyframe_changes(&before, &after);
    details.extend(changes.iter().take(MAX_LISTED).map(|(number, pair)| match pair {
        (Some(a), Some(b)) => format!("keyframe {number}: {}", compare_keyframes(a, b)),
        (Some(_), None) => format!("keyframe {number} removed"),
        (None, _) => format!("keyframe {number} added"),
    }));
    let further = changes.len().saturating_sub(MAX_LISTED);
    details.extend((further > 0).then(|| format!("{further} further keyframes")));
    details
}

/// A keyframe before and after a change.
type Pair<'k> = (Option<&'k Keyframe>, Option<&'k Keyframe>);

/// The keyframes that differ, with their numbers: of added ones in the second list, of others in the first.
fn keyframe_changes<'k>(before: &'k [Keyframe], after: &'k [Keyframe]) -> Vec<(usize, Pair<'k>)> {
    let (mut olds, mut news, mut changes) = ((1..).zip(before), (1..).zip(after), Vec::new());
    for span in spans(before, after) {
        let (taken, made) = span.counts();
        let (olds, news) = (olds.by_ref().take(taken), news.by_ref().take(made));
        match span {
            Span::Keep(_) => olds.zip(news).for_each(|_| {}),
            Span::Change(_) => changes.extend(olds.zip(news).map(|((at, old), (_, new))| (at, (Some(old), Some(new))))),
            Span::Remove(_) => changes.extend(olds.map(|(at, old)| (at, (Some(old), None)))),
            Span::Insert(_) => changes.extend(news.map(|(at, new)| (at, (None, Some(new))))),
        }
    }
    changes
}

fn compare_keyframes(a: &Keyframe, b: &Keyframe) -> String {
    let mut details = Vec::new();
    if a.duration != b.duration {
        details.push(format!("duration {} → {}", a.duration, b.duration));
    }
    if a.kind != b.kind {
        details.push(format!("{} → {}", a.kind.name(), b.kind.name()));
    }
    let find = |keyframe: &Keyframe, key: &Key| keyframe.key(key.bone, key.channel).copied();
    let added = b.keys.iter().filter(|key| find(a, key).is_none()).count();
    let removed = a.keys.iter().filter(|key| find(b, key).is_none()).count();
    let changed = a.keys.iter().filter(|key| find(b, key).is_some_and(|other| other != **key)).count();
    let counts = [(added, "added"), (removed, "removed"), (changed, "changed")];
    let keys = |count: usize| if count == 1 { "key" } else { "keys" };
    let counts = counts.into_iter().filter(|(count, _)| *count > 0);
    details.extend(counts.map(|(count, what)| format!("{count} {} {what}", keys(count))));
    details.join(", ")
}

fn keys_in(clip: &Clip) -> usize {
    clip.keyframes.iter().map(|keyframe| keyframe.keys.len()).sum()
}
