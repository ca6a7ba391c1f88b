//! Keying: posed channels become keys or a draft, and the current pose is keyed on request.

use std::collections::{BTreeMap, BTreeSet};

use crate::editor::document::Document;
use crate::editor::document::edit::{ClipEdit, DraftEdit, Edit, KeyEdit};
use crate::editor::ops::layered::Layer;
use crate::editor::ops::mirror::Pairs;
use crate::editor::ops::posed::Posed;
use crate::editor::session::Session;
use crate::editor::session::keying::{AutoKey, KeyMask, KeyWhat};
use crate::editor::session::switch::Switch;
use crate::editor::view::View;
use keypose::anim::clip::{Clip, Keyframe, KeyframeKind};
use keypose::anim::key::{Channel, Ease, Key};
use keypose::anim::nearest_keys::Way;
use keypose::anim::skeleton::{BoneIndex, Skeleton};
use keypose::anim::time::Time;
use keypose::anim::track::Track;
use keypose::assets::id::ClipId;
use keypose::assets::model::{ClipSlot, Model};

/// The posed channels, with their mirror images if live mirror is on. Bones in the middle and bones that are posed
/// themselves are not mirrored.
pub fn with_live_mirror(view: &View, session: &Session, posed: &[Posed]) -> Vec<Posed> {
    let mut all = posed.to_vec();
    if let (true, Some(model)) = (session.is_on(Switch::LiveMirror), &view.model) {
        let pairs = Pairs::of_model(model);
        let is_own = |one: &Posed| match one.channel {
            Channel::Scalar(scalar) => {
                let partner = Channel::Scalar(pairs.scalar_partner(scalar));
                posed.iter().any(|other| other.channel == partner)
            }
            _ => posed.iter().any(|other| other.bone == pairs.partner(one.bone) && other.channel.scalar().is_none()),
        };
        let sided: Vec<Posed> = posed.iter().copied().filter(|one| !is_own(one)).collect();
        all.extend(pairs.mirrored_channels(&model.skeleton, &view.local, &sided));
    }
    all
}

/// The edits that key posed channels or store them in the draft, as auto-key is set.
pub fn edits_of_pose(document: &Document, session: &Session, posed: &[Posed]) -> Vec<Edit> {
    edits_at(document, session, (session.focus.playhead.time, session.workspace.auto_key), posed)
}

/// The edits that key channels at a time or store them in its draft.
pub fn edits_at(document: &Document, session: &Session, at: (Time, AutoKey), posed: &[Posed]) -> Vec<Edit> {
    let (model, (time, auto_key)) = (session.focus.model, at);
    let channels: Vec<_> = posed.iter().map(|posed| (posed.bone, posed.channel)).collect();
    let slot = session.focus.clip.and_then(|clip| document.clip(clip));
    let clip = slot.map(|slot| &*slot.clip);
    let Some(shown) = document.models.get(model) else { return Vec::new() };
    if posed.is_empty() {
        return Vec::new();
    }
    let ease = session.workspace.new_ease;
    let is_keyed = |slot: &&ClipSlot| match auto_key {
        AutoKey::OnKeyframes => {
            let keyed = Layer::posed(shown, slot.id).map_or(&*slot.clip, |layer| layer.over);
            keyed.keyframe_at(time).is_some()
        }
        AutoKey::Always => true,
        AutoKey::Never => false,
    };
    let is_seen = |slot: &&ClipSlot| {
        let seen = |layer: Layer<'_>| channels.iter().all(|one| layer.require_seen(*one, time).is_ok());
        Layer::posed(shown, slot.id).is_none_or(seen)
    };
    // A draft that a layer can't have is refused.
    match slot.filter(is_keyed).filter(is_seen) {
        Some(slot) => {
            let drop = DraftEdit::DropDraftKeys { model, clip: session.focus.clip, time, channels };
            vec![keyed_as_seen(shown, slot, time, ease, posed), drop.into()]
        }
        None => {
            let keys = new_keys(&shown.skeleton, clip, time, ease, posed);
            vec![DraftEdit::SetDraft { model, clip: session.focus.clip, time, keys }.into()]
        }
    }
}

/// The edit that sets the keys of [`keys_as_seen`].
pub fn keyed_as_seen(model: &Model, slot: &ClipSlot, time: Time, ease: Ease, posed: &[Posed]) -> Edit {
    let (clip, keys) = keys_as_seen(model, slot, time, ease, posed);
    KeyEdit::KeysAt { clip, keys }.into()
}

/// The keys with which channels are seen at a time, with their times, and the clip that gets them. Keys of delayed bones are set earlier
/// by their delay, so the pose doesn't change when it is keyed. In a clip with a layer, the layer gets the difference.
pub fn keys_as_seen(
    model: &Model,
    slot: &ClipSlot,
    time: Time,
    ease: Ease,
    posed: &[Posed],
) -> (ClipId, Vec<(Time, Key)>) {
    let (id, clip, skeleton) = (slot.id, &*slot.clip, &*model.skeleton);
    if let Some(layer) = Layer::posed(model, id) {
        let keys = posed.iter().flat_map(|one| {
            let of_source = clip.keyed_time(one.bone, time);
            let at = layer.over.keyed_time(one.bone, of_source);
            let value = layer.value_of(of_source, one);
            let keys = new_keys(skeleton, Some(layer.over), at, ease, &[Posed { value, ..*one }]);
            keys.into_iter().map(move |key| (at, key))
        });
        return (layer.how.clip, keys.collect());
    }
    let at = |one: &Posed| clip.keyed_time(one.bone, time);
    let times: BTreeSet<Time> = posed.iter().map(at).collect();
    let keys = times.into_iter().flat_map(|when| {
        let here: Vec<Posed> = posed.iter().copied().filter(|one| at(one) == when).collect();
        new_keys(skeleton, Some(clip), when, ease, &here).into_iter().map(move |key| (when, key))
    });
    (id, keys.collect())
}

/// The edit that marks the keyframes which another one keys, unless they are marked already; or the draft that it changes.
pub fn mark(model: &Model, keyed: &Edit, kind: KeyframeKind) -> Option<Edit> {
    if kind == KeyframeKind::Plain {
        return None;
    }
    let (id, times): (ClipId, BTreeSet<Time>) = match keyed {
        Edit::Keys(KeyEdit::KeysAt { clip, keys }) => (*clip, keys.iter().map(|(time, _)| *time).collect()),
        &Edit::Draft(DraftEdit::SetDraft { model, clip, time, .. }) => {
            return Some(DraftEdit::MarkDraft { model, clip, time, kind }.into());
        }
        _ => return None,
    };
    let clip = model.clip(id)?;
    let kind_at = |time: Time| clip.keyframe_at(time).map_or(KeyframeKind::Plain, |at| clip.keyframes[at].kind);
    let times = times.into_iter().filter(|time| kind_at(*time) == KeyframeKind::Plain).collect();
    Some(KeyEdit::SetKind { clip: id, times, kind }.into())
}

/// The edits that key the current pose; empty if there is nothing to key. Adds a clip if none is open; the caller
/// opens it.
pub fn edits_to_key(view: &View, session: &Session, what: KeyWhat) -> Vec<Edit> {
    let mut posed = channels_to_key(view, session, what);
    let (model, time) = (session.focus.model, view.time);
    let Some(shown) = &view.model else { return Vec::new() };
    if let Some(layer) = session.focus.clip.and_then(|clip| Layer::posed(shown, clip)) {
        posed.retain(|one| is_of_layer(&layer, view, one));
    }
    if posed.is_empty() {
        return Vec::new();
    }
    let channels = posed.iter().map(|posed| (posed.bone, posed.channel)).collect();
    let drop = drop_of(view, session, channels, what);
    match session.focus.clip.zip(view.clip.as_ref()) {
        Some((id, clip)) => {
            let slot = ClipSlot { id, clip: clip.clone() };
            let keyed = keyed_as_seen(shown, &slot, time, session.workspace.new_ease, &posed);
            let kind = view.draft.as_ref().map_or(KeyframeKind::Plain, |draft| draft.kind);
            let mark = mark(shown, &keyed, kind);
            [keyed].into_iter().chain(mark).chain([drop]).collect()
        }
        None => {
            let keys = new_keys(&shown.skeleton, None, time, session.workspace.new_ease, &posed);
            let clip = Box::new(first_clip(keys));
            vec![ClipEdit::AddClip { model, at: usize::MAX, clip, tags: Vec::new() }.into(), drop]
        }
    }
}

/// The edit of the draft at the playhead when channels are keyed: what is not keyed stays a draft.
pub fn drop_of(view: &View, session: &Session, channels: Vec<(BoneIndex, Channel)>, what: KeyWhat) -> Edit {
    let (model, clip, time) = (session.focus.model, session.focus.clip, view.time);
    match what {
        KeyWhat::Changed => DraftEdit::DiscardDraft { model, clip, time }.into(),
        KeyWhat::All if session.workspace.key_mask == KeyMask::ALL => {
            DraftEdit::DiscardDraft { model, clip, time }.into()
        }
        KeyWhat::All | KeyWhat::Selected => DraftEdit::DropDraftKeys { model, clip, time, channels }.into(),
    }
}

/// Whether a channel is posed or keyed in a layer that changes it: the others stay as they are in the source.
fn is_of_layer(layer: &Layer<'_>, view: &View, one: &Posed) -> bool {
    let (bone, channel) = (one.bone, one.channel);
    let mut posed = view.draft.iter().flat_map(|draft| &draft.keys);
    let has = posed.any(|key| key.address() == (bone, channel)) || Track::of_keys(layer.over, bone, channel).is_some();
    has && layer.require_seen((bone, channel), view.time).is_ok()
}

/// A new clip with one keyframe.
fn first_clip(keys: Vec<Key>) -> Clip {
    let mut clip = Clip::new("clip");
    let duration = clip.frame_rate.time_of(crate::editor::document::keyframes::FIRST_DURATION_FRAMES);
    clip.keyframes.push(Keyframe { duration, keys: keys.into(), ..Keyframe::default() });
    clip
}

fn channels_to_key(view: &View, session: &Session, what: KeyWhat) -> Vec<Posed> {
    let posed = |bone: BoneIndex, channel: Channel| Posed { bone, channel, value: view.local.value(bone, channel) };
    let bones = view.local.len();
    let Some(model) = &view.model else { return Vec::new() };
    let mask = session.workspace.key_mask;
    let masked = |bone: BoneIndex| mask.channels(&model.skeleton, bone).map(move |channel| posed(bone, channel));
    match what {
        KeyWhat::All => (0..bones as BoneIndex).flat_map(masked).collect(),
        KeyWhat::Selected => {
            let selected = session.focus.selection.bones.iter().copied();
            selected.filter(|&bone| usize::from(bone) < bones).flat_map(masked).collect()
        }
        KeyWhat::Changed => {
            let keys = view.draft.iter().flat_map(|draft| &draft.keys);
            let inside = keys.filter(|key| usize::from(key.bone) < bones);
            inside.map(|key| Posed { bone: key.bone, channel: key.channel, value: key.value }).collect()
        }
    }
}

/// Keys at a time. A key takes ease and handles of the key that it replaces, otherwise the ease of the channel's previous key,
/// otherwise that of [`ease_of`].
pub fn new_keys(skeleton: &Skeleton, clip: Option<&Clip>, time: Time, new_ease: Ease, posed: &[Posed]) -> Vec<Key> {
    let of = |posed: &Posed| Key {
        ease: ease_of(skeleton, posed.channel, new_ease),
        ..Key::new(posed.bone, posed.channel, posed.value)
    };
    let keys = posed.iter().map(of);
    let Some(clip) = clip else { return keys.collect() };
    let here = clip.keyframe_at(time);
    let before = last_keys(clip, clip.keyframe_containing(time).map_or(0, |at| at + 1), posed);
    let with_ease = |key: Key| match before.get(&key.address()) {
        Some((at, old)) if Some(*at) == here => Key { value: key.towards(old).value, ..**old },
        Some((_, before)) => Key { ease: before.ease, ..key },
        None => key,
    };
    keys.map(with_ease).collect()
}

/// The ease of the first key of a channel: `new_ease`, or step for a scalar that switches.
pub fn ease_of(skeleton: &Skeleton, channel: Channel, new_ease: Ease) -> Ease {
    let scalar = channel.scalar().and_then(|scalar| skeleton.scalar(scalar));
    if scalar.is_some_and(|scalar| scalar.kind.is_stepped()) { Ease::Step } else { new_ease }
}

/// The last key of each posed channel in the keyframes before one, and its keyframe.
fn last_keys<'a>(clip: &'a Clip, until: usize, posed: &[Posed]) -> BTreeMap<(BoneIndex, Channel), (usize, &'a Key)> {
    let mut wanted: Vec<_> = posed.iter().map(|posed| (posed.bone, posed.channel)).collect();
    wanted.sort_unstable();
    wanted.dedup();
    let mut last = BTreeMap::new();
    clip.keyframes.nearest_keys(Way::Back(0..until), 1, &wanted, |channel, at, key| {
        last.insert(wanted[channel], (at, &clip.keyframes[at].keys[key]));
    });
    last
}

/// Keys of the whole current pose, limited to the key mask.
pub fn keys_of_pose(view: &View, session: &Session) -> Vec<Key> {
    let posed = channels_to_key(view, session, KeyWhat::All);
    let clip = view.clip.as_deref();
    let Some(model) = &view.model else { return Vec::new() };
    new_keys(&model.skeleton, clip, view.time, session.workspace.new_ease, &posed)
}
