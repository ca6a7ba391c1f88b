//! Converts the position of the user: the journal uses indices, the editor uses ids.

use keypose::assets::project::Project;
use keypose::wad::journal::{KeyPlace, Place};
use keypose_editor::editor::document::edit::KeyRef;
use keypose_editor::editor::session::place;
use keypose_editor::editor::session::selection::Selection;

/// The last scalar whose selected keys are recorded.
const MAX_RECORDED: u16 = 252;

/// Converts ids to indices.
pub(super) fn place_of(place: &place::Place, project: &Project) -> Place {
    let number = |index: usize| u32::try_from(index).unwrap_or(u32::MAX);
    let model = project.models.get(place.model);
    let clip = place.clip.and_then(|id| model?.clip_index(id));
    let Selection { bones, keyframes, keys, .. } = &place.selection;
    let key = |key: &KeyRef| KeyPlace { keyframe: number(key.keyframe), bone: key.bone, channel: key.channel };
    Place {
        model: number(place.model),
        clip: clip.map(number),
        time: place.time,
        bones: bones.clone(),
        keyframes: keyframes.iter().map(|&keyframe| number(keyframe)).collect(),
        keys: keys.iter().filter(|key| is_recorded(key)).map(key).collect(),
    }
}

/// Whether journals have a number for a selected key: their places have one byte for a channel.
fn is_recorded(key: &KeyRef) -> bool {
    key.channel.scalar().is_none_or(|scalar| scalar <= MAX_RECORDED)
}

/// Converts indices to ids.
pub(super) fn place_in(place: &Place, project: &Project) -> place::Place {
    let index = |number: u32| usize::try_from(number).unwrap_or(usize::MAX);
    let model = project.models.get(index(place.model));
    let clip = place.clip.and_then(|clip| Some(model?.clips.get(index(clip))?.id));
    let key = |key: &KeyPlace| KeyRef { keyframe: index(key.keyframe), bone: key.bone, channel: key.channel };
    let selection = Selection {
        bones: place.bones.clone(),
        keyframes: place.keyframes.iter().map(|&keyframe| index(keyframe)).collect(),
        keys: place.keys.iter().map(key).collect(),
        ..Selection::default()
    };
    place::Place { model: index(place.model), clip, time: place.time, selection, ..place::Place::default() }
}
