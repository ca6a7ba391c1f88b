//! Copying and pasting poses, keyframes and keys. Bones are copied by name, so that other clips and models can use them.

use std::collections::BTreeSet;

use crate::editor::document::edit::{Edit, KeyEdit, KeyRef};
use crate::editor::document::keyframes::mean_duration;
use crate::editor::ops::mirror::Pairs;
use crate::editor::ops::posed::Posed;
use crate::editor::posing::change::Change;
use crate::editor::session::Session;
use crate::editor::session::clipboard::{Copied, CopiedKeyframe, NamedKey, Side, Subject};
use crate::editor::session::keying::KeyMask;
use crate::editor::session::selection::ItemKind;
use crate::editor::view::View;
use keypose::anim::clip::{Clip, Keyframe};
use keypose::anim::key::{Channel, Key};
use keypose::anim::skeleton::{BoneIndex, Skeleton};
use keypose::anim::time::Time;
use keypose::assets::id::ClipId;

/// Copies what `subject` says. `None` if there is nothing to copy.
pub fn copy(session: &Session, view: &View, subject: Subject) -> Option<Copied> {
    let skeleton = &view.model.as_ref()?.skeleton;
    let selection = &session.focus.selection;
    let keyframes = || selection.keyframes.iter().copied().collect::<Vec<_>>();
    let Some(clip) = view.clip.as_deref() else { return pose(session, view, skeleton) };
    match (subject, selection.kind) {
        (Subject::Focused | Subject::Timeline, ItemKind::Keys) if !selection.keys.is_empty() => {
            keys(clip, skeleton, &selection.keys)
        }
        (Subject::Focused, ItemKind::Keyframes) | (Subject::Timeline, _) if !selection.keyframes.is_empty() => {
            Some(columns(clip, skeleton, &keyframes()))
        }
        (Subject::Timeline, _) if view.containing.is_some() => {
            Some(columns(clip, skeleton, &Vec::from_iter(view.containing)))
        }
        _ => pose(session, view, skeleton),
    }
}

fn named(skeleton: &Skeleton, key: &Key) -> Option<NamedKey> {
    // The indices have no meaning for the reader.
    let bone = skeleton.get(key.bone)?.name.clone();
    match key.channel {
        Channel::Scalar(scalar) => {
            let scalar = Some(skeleton.scalar(scalar)?.name.clone());
            Some(NamedKey { bone, scalar, key: Key { bone: 0, channel: Channel::Scalar(0), ..*key } })
        }
        _ => Some(NamedKey { bone, scalar: None, key: Key { bone: 0, ..*key } }),
    }
}

fn keys(clip: &Clip, skeleton: &Skeleton, selected: &BTreeSet<KeyRef>) -> Option<Copied> {
    let first = clip.start_of(selected.first()?.keyframe);
    let key = |at: &KeyRef| {
        let key = clip.keyframes.get(at.keyframe)?.key(at.bone, at.channel)?;
        Some((clip.start_of(at.keyframe) - first, named(skeleton, key)?))
    };
    Some(Copied::Keys(selected.iter().filter_map(key).collect()))
}

fn columns(clip: &Clip, skeleton: &Skeleton, keyframes: &[usize]) -> Copied {
    let column = |&at: &usize| {
        let keyframe = clip.keyframes.get(at)?;
        let keys = keyframe.keys.iter().filter_map(|key| named(skeleton, key)).collect();
        Some(CopiedKeyframe { duration: keyframe.duration, kind: keyframe.kind, keys })
    };
    Copied::Keyframes(keyframes.iter().filter_map(column).collect())
}

/// The pose of the selected bones, or of all bones if none is selected, with the duration of the keyframe under the
/// playhead.
fn pose(session: &Session, view: &View, skeleton: &Skeleton) -> Option<Copied> {
    let selection = &session.focus.selection;
    let selected = |bone: &BoneIndex| selection.bones.is_empty() || selection.has_bone(*bone);
    let bones = skeleton.indices().filter(selected).filter(|&bone| usize::from(bone) < view.local.len());
    let channels = bones.flat_map(|bone| {
        let key = move |channel| Key::new(bone, channel, view.local.value(bone, channel));
        KeyMask::ALL.channels(skeleton, bone).map(key)
    });
    let keys: Vec<_> = channels.filter_map(|key| named(skeleton, &key)).collect();
    let keyframe = view.containing.and_then(|at| view.clip.as_ref()?.keyframes.get(at));
    let duration = keyframe.map_or(Time::ZERO, |keyframe| keyframe.duration);
    (!keys.is_empty()).then_some(Copied::Pose { duration, keys })
}

/// A paste: the change of the document, the items to select afterwards, and the keys that don't fit.
#[derive(Clone, Debug, PartialEq)]
pub struct Paste {
    pub change: Change,
    /// The pasted items.
    pub pasted: Pasted,
    /// The items that were not pasted.
    pub left_out: LeftOut,
}

/// The pasted items, to be selected.
#[derive(Clone, Debug, PartialEq)]
pub enum Pasted {
    /// A pose of these bones, each once.
    Pose(Vec<BoneIndex>),
    /// This number of keyframes.
    Keyframes(usize),
    /// Keys at these times.
    Keys(Vec<(Time, BoneIndex, Channel)>),
}

/// The bones of the keys that can't be pasted, one entry for each key.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LeftOut {
    /// The model has no such bone.
    pub missing: Vec<String>,
    /// The bone has no partner on the other side to mirror to.
    pub without_partner: Vec<String>,
}

impl LeftOut {
    fn is_empty(&self) -> bool {
        self.missing.is_empty() && self.without_partner.is_empty()
    }

    /// The sentences that report it: how many keys, and of which bones. Empty if nothing was left out.
    pub fn report(&self) -> String {
        let missing = sentence(&self.missing, ["has no bone here", "have no bone here"]);
        missing + &sentence(&self.without_partner, ["has no mirrored partner", "have no mirrored partner"])
    }
}

/// " 3 keys have no bone here: tail, hat."
fn sentence(bones: &[String], [of_one, of_several]: [&str; 2]) -> String {
    const MAX_NAMED: usize = 12;
    let mut names: Vec<&str> = Vec::new();
    for bone in bones {
        if !names.contains(&bone.as_str()) {
            names.push(bone);
        }
    }
    let more = names.len().saturating_sub(MAX_NAMED);
    names.truncate(MAX_NAMED);
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    let names = names.join(", ");
    match bones.len() {
        0 => String::new(),
        1 => format!(" 1 key {of_one}: {names}."),
        count => format!(" {count} keys {of_several}: {names}{more}."),
    }
}

/// Pastes: a pose and keys at the playhead, keyframes after keyframe `behind` or, in a clip without keyframes, as the
/// first ones. Leaves out keys that don't fit the model.
///
/// # Errors
///
/// A sentence with the reason why nothing can be pasted.
pub fn paste(view: &View, copied: &Copied, behind: usize, side: Side) -> Result<Paste, String> {
    let model = view.model.as_ref().ok_or("Open or import a model first.")?;
    let pairs = (side == Side::Mirrored).then(|| Pairs::of_model(model));
    let mut fit =
        Fit { skeleton: &model.skeleton, view, pairs: pairs.as_ref(), left_out: LeftOut::default(), count: 0 };
    let open = || Ok::<_, String>((view.clip_id.ok_or(NO_CLIP)?, view.clip.as_deref().ok_or(NO_CLIP)?));
    let (change, pasted) = match copied {
        Copied::Pose { keys, .. } => paste_pose(&mut fit, keys),
        Copied::Keyframes(columns) => {
            let (id, clip) = open()?;
            paste_keyframes(&mut fit, id, clip, columns, behind)
        }
        Copied::Keys(keys) => paste_keys(&mut fit, open()?.0, keys),
    };
    let is_empty = match &pasted {
        Pasted::Pose(bones) => bones.is_empty(),
        // Keyframes without keys can be copied; keyframes that lost all of theirs would be empty poses.
        Pasted::Keyframes(count) => *count == 0 || fit.count == 0 && !fit.left_out.is_empty(),
        Pasted::Keys(keys) => keys.is_empty(),
    };
    let left_out = fit.left_out;
    if is_empty {
        return Err(format!("Nothing on the clipboard fits this model.{}", left_out.report()));
    }
    Ok(Paste { change, pasted, left_out })
}

const NO_CLIP: &str = "Open a clip first, or press N for a new one.";

fn paste_pose(fit: &mut Fit<'_>, keys: &[NamedKey]) -> (Change, Pasted) {
    let keys = fit.keys(keys);
    let posed = keys.iter().map(|key| Posed { bone: key.bone, channel: key.channel, value: key.value });
    let mut bones: Vec<BoneIndex> = keys.iter().map(|key| key.bone).collect();
    bones.dedup();
    (Change::Pose(posed.collect()), Pasted::Pose(bones))
}

fn paste_keyframes(
    fit: &mut Fit<'_>,
    id: ClipId,
    clip: &Clip,
    columns: &[CopiedKeyframe],
    behind: usize,
) -> (Change, Pasted) {
    let mean = mean_duration(clip);
    // A closing keyframe without duration gets one, because others follow. A pasted one without duration closes the clip instead.
    let closing = clip.keyframes.get(behind).filter(|closing| closing.duration == Time::ZERO);
    let opened: Option<Edit> =
        closing.map(|_| KeyEdit::SetDurations { clip: id, durations: vec![(behind, mean)] }.into());
    let new = |(number, column): (usize, &CopiedKeyframe)| {
        let CopiedKeyframe { duration, kind, keys } = column;
        let is_end = closing.is_some() && number + 1 == columns.len();
        let duration = if *duration > Time::ZERO || is_end { *duration } else { mean };
        Keyframe { duration, kind: *kind, keys: fit.keys(keys).into() }
    };
    let new = columns.iter().enumerate().map(new).collect();
    let keyframe = if clip.keyframes.is_empty() { 0 } else { behind };
    let inserted = KeyEdit::InsertAfter { clip: id, keyframe, new }.into();
    (Change::Edits(opened.into_iter().chain([inserted]).collect()), Pasted::Keyframes(columns.len()))
}

fn paste_keys(fit: &mut Fit<'_>, clip: ClipId, keys: &[(Time, NamedKey)]) -> (Change, Pasted) {
    let now = fit.view.time;
    let placed = |(offset, key): &(Time, NamedKey)| {
        let fitted = fit.keys(std::slice::from_ref(key));
        fitted.into_iter().map(|key| (now + *offset, key)).collect::<Vec<_>>()
    };
    let keys: Vec<(Time, Key)> = keys.iter().flat_map(placed).collect();
    let pasted = keys.iter().map(|(time, key)| (*time, key.bone, key.channel)).collect();
    (Change::Edits(vec![KeyEdit::KeysAt { clip, keys }.into()]), Pasted::Keys(pasted))
}

/// Fits copied keys to a model, and collects those that don't.
struct Fit<'a> {
    skeleton: &'a Skeleton,
    view: &'a View,
    /// The pairs of bones for a mirrored paste.
    pairs: Option<&'a Pairs>,
    left_out: LeftOut,
    /// The number of keys that fit.
    count: usize,
}

impl Fit<'_> {
    /// The keys on the bones of the skeleton, mirrored if there are pairs. Tangents of mirrored keys are automatic.
    fn keys(&mut self, keys: &[NamedKey]) -> Vec<Key> {
        let mut here = Vec::with_capacity(keys.len());
        for named in keys {
            match self.skeleton.find(&named.bone) {
                None => self.left_out.missing.push(named.bone.clone()),
                Some(bone) if self.pairs.is_some_and(|pairs| !pairs.has_mirror(self.skeleton, bone)) => {
                    self.left_out.without_partner.push(named.bone.clone());
                }
                Some(bone) => match &named.scalar {
                    None => here.push(Key { bone, ..named.key }),
                    Some(name) => match self.skeleton.find_scalar(bone, name) {
                        Some(scalar) => here.push(Key { bone, channel: Channel::Scalar(scalar), ..named.key }),
                        None => self.left_out.missing.push(name.clone()),
                    },
                },
            }
        }
        self.count += here.len();
        let Some(pairs) = self.pairs else { return here };
        let posed = here.iter().map(|key| Posed { bone: key.bone, channel: key.channel, value: key.value });
        let mirrored = pairs.mirrored_channels(self.skeleton, &self.view.local, &posed.collect::<Vec<_>>());
        let key =
            |(key, posed): (&Key, &Posed)| Key { ease: key.ease, ..Key::new(posed.bone, posed.channel, posed.value) };
        here.iter().zip(&mirrored).map(key).collect()
    }
}
