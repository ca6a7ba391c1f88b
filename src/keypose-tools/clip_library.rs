//! Animation libraries: the clips of one model, applied to another, with a report of what did not match.

use std::sync::Arc;

use crate::anim::clip::Clip;
use crate::assets::clip_transfer::{Transfer, Transferred};
use crate::assets::import_options::ClipFit;
use crate::assets::model::{ClipSlot, Model};
use crate::assets::retarget::Retarget;

/// Maximum number of bones that a finding names.
const MAX_NAMED: usize = 6;

/// The clips of a library for a model.
#[derive(Clone, Debug, Default)]
pub struct LibraryClips {
    /// In the order of the library, with its names, loop modes and events.
    pub clips: Vec<Clip>,
    /// Mismatches, one sentence each.
    pub findings: Vec<String>,
}

/// Whether a model is nothing but a library: bones and clips without a mesh.
pub fn is_library(model: &Model) -> bool {
    model.meshes.is_empty() && !model.clips.is_empty()
}

/// Brings all clips of a library onto a model.
///
/// # Errors
/// If the library has no clips, or none of its bones is a bone of the model.
pub fn clips_for(target: &Model, library: &Model, fit: ClipFit) -> Result<LibraryClips, String> {
    if library.clips.is_empty() {
        return Err("it has no clips".into());
    }
    if Arc::ptr_eq(&target.skeleton, &library.skeleton) {
        let clips = library.clips.iter().map(|slot| Clip::clone(&slot.clip)).collect();
        return Ok(LibraryClips { clips, findings: Vec::new() });
    }
    let carry = carrier(target, library, fit)?;
    let mut found = LibraryClips::default();
    let mut lost: Vec<(Vec<String>, Vec<String>)> = Vec::new();
    for slot in &library.clips {
        let transferred = carry(&slot.clip);
        let name = transferred.clip.name.clone();
        found.clips.push(transferred.clip);
        match lost.iter_mut().find(|(missing, _)| *missing == transferred.missing) {
            Some((_, clips)) => clips.push(name),
            None => lost.push((transferred.missing, vec![name])),
        }
    }
    lost.retain(|(missing, _)| !missing.is_empty());
    found.findings = lost.iter().map(|(missing, clips)| finding(target, missing, clips)).collect();
    Ok(found)
}

/// The library as if it were made for a model: with that model's skeleton, its clips already converted, and no meshes. Returns
/// what did not match as well. Many clips take long, so this is done in another thread, before they are added.
///
/// # Errors
/// As [`clips_for`].
pub fn fitted(target: &Model, library: &Model, fit: ClipFit) -> Result<(Model, Vec<String>), String> {
    let LibraryClips { clips, findings } = clips_for(target, library, fit)?;
    let slots = library.clips.iter().zip(clips).map(|(slot, clip)| ClipSlot { id: slot.id, clip: Arc::new(clip) });
    let (name, skeleton) = (library.name.clone(), target.skeleton.clone());
    Ok((Model { name, skeleton, clips: slots.collect(), ..Model::default() }, findings))
}

/// Carries a clip over.
type Carrier<'a> = Box<dyn Fn(&Clip) -> Transferred + 'a>;

/// Converts clips of a library for the target.
fn carrier<'a>(target: &'a Model, library: &'a Model, fit: ClipFit) -> Result<Carrier<'a>, String> {
    let none = || format!("none of its bones is a bone of {}", target.name);
    Ok(match fit {
        ClipFit::Copy => {
            let transfer = Transfer::new(library, target).ok_or_else(none)?;
            Box::new(move |clip| transfer.clip(clip))
        }
        ClipFit::Retarget => {
            let retarget = Retarget::new(library, target).ok_or_else(none)?.for_clips(library.clips.len());
            Box::new(move |clip| retarget.clip(clip))
        }
    })
}

fn finding(target: &Model, missing: &[String], clips: &[String]) -> String {
    let named = |all: &[String]| {
        let more = all.len().saturating_sub(MAX_NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!("{}{more}", all[..all.len().min(MAX_NAMED)].join(", "))
    };
    format!("{}: {} has no bone for {}; their keys are left out", named(clips), target.name, named(missing))
}

#[cfg(test)]
mod tests {
    use glam::Quat;

    use super::*;
    use crate::anim::clip::Keyframe;
    use crate::anim::key::Key;
    use crate::anim::skeleton::{Bone, Skeleton};
    use crate::anim::transform::Transform;
    use crate::assets::id::ClipId;

    fn model(names: &[&str]) -> Model {
        let bone = |name: &&str| Bone { name: (*name).into(), parent: None, rest: Transform::IDENTITY };
        let skeleton = Skeleton::new(names.iter().map(bone).collect()).unwrap();
        Model { name: "knight".into(), skeleton: Arc::new(skeleton), ..Model::default() }
    }

    fn with_clips(mut model: Model, clips: &[&str]) -> Model {
        for name in clips {
            let keys = model.skeleton.indices().map(|bone| Key::rotation(bone, Quat::IDENTITY)).collect();
            let keyframes = [Keyframe { keys, ..Keyframe::default() }].into_iter().collect();
            let clip = Arc::new(Clip { keyframes, ..Clip::new(*name) });
            model.clips.push(ClipSlot { id: ClipId(1), clip });
        }
        model
    }

    #[test]
    fn what_did_not_match_is_named_once_for_all_clips() {
        let library = with_clips(model(&["rig:Hips", "rig:Tail"]), &["walk", "run"]);
        let found = clips_for(&model(&["Hips"]), &library, ClipFit::Copy).unwrap();
        assert_eq!(found.clips.iter().map(|clip| clip.name.as_str()).collect::<Vec<_>>(), ["walk", "run"]);
        assert_eq!(found.findings, ["walk, run: knight has no bone for rig:Tail; their keys are left out"]);
    }

    #[test]
    fn a_fitted_library_gives_the_same_clips() {
        let (library, target) = (with_clips(model(&["rig:Hips", "rig:Tail"]), &["walk", "run"]), model(&["Hips"]));
        let found = clips_for(&target, &library, ClipFit::Copy).unwrap();
        let (fitted, findings) = fitted(&target, &library, ClipFit::Copy).unwrap();
        let again = clips_for(&target, &fitted, ClipFit::Copy).unwrap();
        assert_eq!((again.clips, again.findings.len(), findings), (found.clips, 0, found.findings));
    }

    #[test]
    fn strangers_and_files_without_clips_are_refused() {
        let target = model(&["Hips"]);
        assert_eq!(clips_for(&target, &model(&["Hips"]), ClipFit::Copy).unwrap_err(), "it has no clips");
        let stranger = with_clips(model(&["wheel"]), &["spin"]);
        assert_eq!(clips_for(&target, &stranger, ClipFit::Copy).unwrap_err(), "none of its bones is a bone of knight");
    }
}
