//! The difference between two states of a clip: the keyframes and keys that changed. A journal stores it instead of the clip.

use crate::anim::clip::{Clip, Keyframe, KeyframeKind};
use crate::anim::key::{Channel, Key};
use crate::anim::keyframes::Keyframes;
use crate::anim::skeleton::BoneIndex;
use crate::anim::time::Time;

/// How far the search for the next common keyframe goes.
const MAX_SHIFT: usize = 32;

/// The change of the next keyframes of the older state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Span {
    /// These keyframes stay as they are.
    Keep(usize),
    /// These keyframes are removed.
    Remove(usize),
    /// These keyframes get other durations and keys.
    Change(usize),
    /// Keyframes that the older state lacks.
    Insert(usize),
}

/// A keyframe that was changed or inserted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChangedKeyframe {
    /// Duration in the newer state.
    pub duration: Time,
    /// Kind in the newer state.
    pub kind: KeyframeKind,
    /// Keys that are new or have other values, sorted by address.
    pub set: Vec<Key>,
    /// Addresses of removed keys.
    pub removed: Vec<(BoneIndex, Channel)>,
}

/// The difference between two states of a clip.
#[derive(Clone, Debug, PartialEq)]
pub struct ClipChange {
    /// The newer state without its keyframes.
    pub head: Clip,
    /// Covers all keyframes of the older state in order.
    pub spans: Vec<Span>,
    /// The keyframes of [`Span::Change`] and [`Span::Insert`], in order.
    pub keyframes: Vec<ChangedKeyframe>,
}

impl ClipChange {
    /// The difference between two states; `None` if half of the newer one or more is new.
    pub fn between(old: &Clip, new: &Clip) -> Option<ClipChange> {
        // Keyframes that both share at the start and at the end stay as they are.
        let [olds, news] = new.keyframes.changed_since(&old.keyframes);
        let kept = [olds.start, old.keyframes.len().saturating_sub(olds.end)];
        let [before, after] =
            [(old, olds), (new, news)].map(|(clip, range)| clip.keyframes.range(range).cloned().collect());
        let (before, after): (Vec<Keyframe>, Vec<Keyframe>) = (before, after);
        let spans = spans(&before, &after);
        let (mut old_at, mut new_at, mut keyframes) = (0_usize, 0_usize, Vec::new());
        for span in &spans {
            let (taken, made) = span.counts();
            let olds = before.get(old_at..old_at.saturating_add(taken)).unwrap_or_default();
            let news = after.get(new_at..new_at.saturating_add(made)).unwrap_or_default();
            match span {
                Span::Keep(_) | Span::Remove(_) => {}
                Span::Change(_) => keyframes.extend(olds.iter().zip(news).map(|(old, new)| changed(old, new))),
                Span::Insert(_) => keyframes.extend(news.iter().map(|new| changed(&Keyframe::default(), new))),
            }
            (old_at, new_at) = (old_at.saturating_add(taken), new_at.saturating_add(made));
        }
        let stored: usize = keyframes.iter().map(|keyframe| keyframe.set.len().saturating_add(1)).sum();
        let enough = stored.saturating_mul(2);
        let mut whole = new.keyframes.iter().scan(0_usize, |sum, keyframe| {
            *sum = sum.saturating_add(keyframe.keys.len().saturating_add(1));
            Some(*sum)
        });
        let head = Clip {
            name: new.name.clone(),
            frame_rate: new.frame_rate,
            loop_mode: new.loop_mode,
            keyframes: Keyframes::default(),
            events: new.events.clone(),
            delays: new.delays.clone(),
            root_motion: new.root_motion,
        };
        let [first, last] = kept.map(Span::Keep);
        let spans = Spans::joined([first].into_iter().chain(spans).chain([last]));
        whole.any(|whole| whole > enough).then_some(ClipChange { head, spans, keyframes })
    }

    /// The newer state.
    ///
    /// # Errors
    /// If this is not the difference from `old`, or the result is no valid clip.
    pub fn apply(&self, old: &Clip) -> Result<Clip, String> {
        // Blocks of keyframes that stay are shared by all states.
        old.keyframes.decode();
        let (mut keyframes, mut news, mut at) = (old.keyframes.clone(), self.keyframes.iter(), 0_usize);
        let missing = || "a change of more keyframes than there are".to_owned();
        for span in &self.spans {
            let left = keyframes.len().saturating_sub(at);
            match *span {
                Span::Keep(count) if count <= left => at = at.saturating_add(count),
                Span::Remove(count) if count <= left => (0..count).for_each(|_| drop(keyframes.remove(at))),
                Span::Keep(_) | Span::Remove(_) => return Err(missing()),
                Span::Change(count) => {
                    for _ in 0..count {
                        let (old, change) = keyframes.get_mut(at).zip(news.next()).ok_or_else(missing)?;
                        *old = change.apply(std::mem::take(old))?;
                        at = at.saturating_add(1);
                    }
                }
                Span::Insert(count) => {
                    for _ in 0..count {
                        keyframes.insert(at, news.next().ok_or_else(missing)?.apply(Keyframe::default())?);
                        at = at.saturating_add(1);
                    }
                }
            }
        }
        if at < keyframes.len() || news.next().is_some() {
            return Err("a change of fewer keyframes than there are".to_owned());
        }
        let clip = Clip { keyframes, ..self.head.clone() };
        clip.check_times().map(|()| clip).map_err(|error| error.to_string())
    }
}

impl Span {
    /// The numbers of keyframes of the older and of the newer state.
    pub(crate) fn counts(self) -> (usize, usize) {
        match self {
            Span::Keep(count) | Span::Change(count) => (count, count),
            Span::Remove(count) => (count, 0),
            Span::Insert(count) => (0, count),
        }
    }
}

impl ChangedKeyframe {
    fn apply(&self, mut keyframe: Keyframe) -> Result<Keyframe, String> {
        (keyframe.duration, keyframe.kind) = (self.duration, self.kind);
        for &(bone, channel) in &self.removed {
            let removed = keyframe.remove(bone, channel);
            removed.ok_or_else(|| format!("the {} key of bone {bone} to be removed is missing", channel.name()))?;
        }
        for key in &self.set {
            if !key.is_valid() {
                return Err(format!("the {} key of bone {} is not valid", key.channel.name(), key.bone));
            }
            keyframe.set(*key);
        }
        Ok(keyframe)
    }
}

/// The change from one keyframe to another.
fn changed(old: &Keyframe, new: &Keyframe) -> ChangedKeyframe {
    let is_new = |key: &&Key| old.key(key.bone, key.channel) != Some(*key);
    let is_gone = |key: &&Key| new.key(key.bone, key.channel).is_none();
    ChangedKeyframe {
        duration: new.duration,
        kind: new.kind,
        set: new.keys.iter().filter(is_new).copied().collect(),
        removed: old.keys.iter().filter(is_gone).map(Key::address).collect(),
    }
}

/// Finds the spans that lead from one list of keyframes to the other. Takes time in proportion to the lists.
pub(crate) fn spans(before: &[Keyframe], after: &[Keyframe]) -> Vec<Span> {
    let mut out = Spans::default();
    let (mut before, mut after) = (before, after);
    while let ([old, olds @ ..], [new, news @ ..]) = (before, after) {
        if old == new {
            out.add(Span::Keep(1));
            (before, after) = (olds, news);
            continue;
        }
        // As many keyframes as before: none was inserted or removed.
        let shift = if before.len() == after.len() { None } else { shift(before, after) };
        match shift {
            Some(Span::Remove(count)) => {
                out.add(Span::Remove(count));
                before = before.get(count..).unwrap_or_default();
            }
            Some(Span::Insert(count)) => {
                out.add(Span::Insert(count));
                after = after.get(count..).unwrap_or_default();
            }
            Some(Span::Keep(_) | Span::Change(_)) | None => {
                out.add(Span::Change(1));
                (before, after) = (olds, news);
            }
        }
    }
    out.add(Span::Remove(before.len()));
    out.add(Span::Insert(after.len()));
    out.0
}

/// The fewest keyframes to remove or insert so that the next ones are the same.
fn shift(before: &[Keyframe], after: &[Keyframe]) -> Option<Span> {
    let (old, new) = (before.first()?, after.first()?);
    (1..=MAX_SHIFT).find_map(|count| {
        let removes = before.get(count).is_some_and(|later| later == new);
        let inserts = || after.get(count).is_some_and(|later| later == old);
        if removes { Some(Span::Remove(count)) } else { inserts().then_some(Span::Insert(count)) }
    })
}

/// Spans, of which neighbours are joined.
#[derive(Default)]
struct Spans(Vec<Span>);

impl Spans {
    fn joined(spans: impl Iterator<Item = Span>) -> Vec<Span> {
        let mut joined = Spans::default();
        spans.for_each(|span| joined.add(span));
        joined.0
    }

    fn add(&mut self, span: Span) {
        match (self.0.last_mut(), span) {
            (_, Span::Keep(0) | Span::Remove(0) | Span::Change(0) | Span::Insert(0)) => {}
            (Some(Span::Keep(count)), Span::Keep(more))
            | (Some(Span::Remove(count)), Span::Remove(more))
            | (Some(Span::Change(count)), Span::Change(more))
            | (Some(Span::Insert(count)), Span::Insert(more)) => *count = count.saturating_add(more),
            _ => self.0.push(span),
        }
    }
}
