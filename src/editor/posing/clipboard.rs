//! Copying and pasting poses, keyframes and keys. Bones are copied by name, so that other clips and models can use them.

use crate::anim::key::{Channel, Key};
use crate::anim::skeleton::{BoneIndex, Skeleton};
use crate::anim::time::Time;
use crate::editor::document::edit::KeyEdit;
use crate::editor::document::keyframes::mean_duration;
use crate::editor::ops::mirror::Pairs;
use crate::editor::ops::posed::Posed;
use crate::editor::posing::change::Change;
use crate::editor::session::Session;
use crate::editor::session::clipboard::Copied;
use crate::editor::session::clipboard::NamedKey;
use crate::editor::session::clipboard::Side;
use crate::editor::session::selection::ItemKind;
use crate::editor::view::View;

/// Copies the selected keys or keyframes if they have the focus, otherwise the pose of the selected bones, or of all
/// bones if none is selected. `None` if there is nothing to copy.
pub fn copy(session: &Session, view: &View) -> Option<Copied> {
    let skeleton = &view.model.as_ref()?.skeleton;
    let named = |key: &Key| Some(NamedKey { bone: skeleton.get(key.bone)?.name.clone(), key: *key });
    let selection = &session.focus.selection;
    match (selection.kind, view.clip.as_ref()) {
        (ItemKind::Keys, Some(clip)) if !selection.keys.is_empty() => {
            let first = clip.start_of(selection.keys.first()?.keyframe);
            let key = |at: &crate::editor::document::edit::KeyRef| {
                let key = clip.keyframes.get(at.keyframe)?.key(at.bone, at.channel)?;
                Some((clip.start_of(at.keyframe) - first, named(key)?))
            };
            Some(Copied::Keys(selection.keys.iter().filter_map(key).collect()))
        }
        (ItemKind::Keyframes, Some(clip)) if !selection.keyframes.is_empty() => {
            let column = |&at: &usize| {
                let keyframe = clip.keyframes.get(at)?;
                Some((keyframe.duration, keyframe.keys.iter().filter_map(named).collect()))
            };
            Some(Copied::Keyframes(selection.keyframes.iter().filter_map(column).collect()))
        }
        _ => {
            let selected = |bone: &BoneIndex| selection.bones.is_empty() || selection.has_bone(*bone);
            let bones = skeleton.indices().filter(selected).filter(|&bone| usize::from(bone) < view.local.len());
            let channels = bones.flat_map(|bone| {
                let local = view.local.get(usize::from(bone));
                Channel::ALL.map(|channel| Key::new(bone, channel, channel.of(&local)))
            });
            let keys: Vec<_> = channels.filter_map(|key| named(&key)).collect();
            (!keys.is_empty()).then_some(Copied::Pose(keys))
        }
    }
}

/// The change that pastes `copied`: a pose and keys at the playhead, keyframes after keyframe `behind` or, in a clip
/// without keyframes, as the first ones. Leaves out bones that the model lacks; `None` if none is left.
pub fn paste(view: &View, copied: &Copied, behind: usize, side: Side) -> Option<Change> {
    let model = view.model.as_ref()?;
    let pairs = (side == Side::Mirrored).then(|| Pairs::of_model(model));
    let fitted = |keys: &[NamedKey]| fit(&model.skeleton, view, pairs.as_ref(), keys);
    match copied {
        Copied::Pose(keys) => {
            let keys = fitted(keys);
            let posed = keys.iter().map(|key| Posed { bone: key.bone, channel: key.channel, value: key.value });
            (!keys.is_empty()).then(|| Change::Pose(posed.collect()))
        }
        Copied::Keyframes(columns) => {
            let (clip, id) = (view.clip.as_ref()?, view.clip_id?);
            let edit = |(number, (duration, keys)): (usize, &(Time, Vec<NamedKey>))| {
                let duration = if *duration > Time::ZERO { *duration } else { mean_duration(clip) };
                let keyframe = if clip.keyframes.is_empty() { number.saturating_sub(1) } else { behind + number };
                KeyEdit::InsertAfter { clip: id, keyframe, duration, keys: fitted(keys) }.into()
            };
            Some(Change::Edits(columns.iter().enumerate().map(edit).collect()))
        }
        Copied::Keys(keys) => {
            let clip = view.clip_id?;
            let placed = |(offset, key): &(Time, NamedKey)| {
                let fitted = fitted(std::slice::from_ref(key));
                fitted.into_iter().map(|key| (view.time + *offset, key)).collect::<Vec<_>>()
            };
            let keys: Vec<(Time, Key)> = keys.iter().flat_map(placed).collect();
            (!keys.is_empty()).then(|| Change::Edits(vec![KeyEdit::KeysAt { clip, keys }.into()]))
        }
    }
}

/// The keys on the bones of a skeleton, mirrored if `pairs` is given. Tangents of mirrored keys are automatic.
fn fit(skeleton: &Skeleton, view: &View, pairs: Option<&Pairs>, keys: &[NamedKey]) -> Vec<Key> {
    let here = keys.iter().filter_map(|named| Some(Key { bone: skeleton.find(&named.bone)?, ..named.key }));
    let here: Vec<Key> = here.collect();
    let Some(pairs) = pairs else { return here };
    let here: Vec<Key> = here.into_iter().filter(|key| pairs.has_mirror(skeleton, key.bone)).collect();
    let posed: Vec<Posed> =
        here.iter().map(|key| Posed { bone: key.bone, channel: key.channel, value: key.value }).collect();
    let mirrored = pairs.mirrored_channels(skeleton, &view.local, &posed);
    let key = |(key, posed): (&Key, &Posed)| Key { ease: key.ease, ..Key::new(posed.bone, posed.channel, posed.value) };
    here.iter().zip(&mirrored).map(key).collect()
}
