//! Animation libraries: the clips of one model, applied to another, with a report of what did not match.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::anim::clip::Clip;
use crate::anim::parallel;
use crate::anim::skeleton::BoneIndex;
use crate::anim::track::Track;
use crate::assets::import_options::{ClipFit, ImportOptions, RestFit};
use crate::assets::model::{ClipSlot, Model};
use crate::likeness::{Pair, Stance};
use crate::retarget::Retarget;
use crate::standing::{Standing, rests_in_no_pose};

/// Maximum number of bones or clips that a finding names.
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

/// The models of a file that have clips; all of them if none has, so that each is reported.
pub fn libraries(models: &[Arc<Model>]) -> impl Iterator<Item = &Arc<Model>> {
    let has_any = models.iter().any(|model| !model.clips.is_empty());
    models.iter().filter(move |model| !(has_any && model.clips.is_empty()))
}

/// Conversion of a library's clips for a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fit {
    /// Whether legs are fitted to the ground, and hands to each other.
    pub clips: ClipFit,
    /// Whether rest poses are fitted to each other.
    pub rests: RestFit,
}

impl From<&ImportOptions> for Fit {
    fn from(options: &ImportOptions) -> Fit {
        Fit { clips: options.clip_fit, rests: options.rest_fit }
    }
}

/// Brings all clips of a library onto a model.
///
/// # Errors
/// If the library has no clips, or none of its bones is a bone of the model.
pub fn clips_for(target: &Model, library: &Model, fit: Fit) -> Result<LibraryClips, String> {
    if library.clips.is_empty() {
        return Err("it has no clips".into());
    }
    if Arc::ptr_eq(&target.skeleton, &library.skeleton) {
        let clips = library.clips.iter().map(|slot| Clip::clone(&slot.clip)).collect();
        return Ok(LibraryClips { clips, findings: ranges_finding(library).into_iter().collect() });
    }
    if library.clips.len() > 1 && rests_in_no_pose(library) {
        return each_for_itself(target, library, fit);
    }
    let [from, to] = Standing::pair(library, library.clips.iter().map(|slot| &*slot.clip), target);
    let retarget = Retarget::new(from.named(), to.named(), fit.rests);
    let retarget = retarget.ok_or_else(|| format!("none of its bones is a bone of {}", target.name))?;
    let retarget = retarget.for_clips(library.clips.len());
    let mut found = LibraryClips { findings: ranges_finding(library).into_iter().collect(), ..LibraryClips::default() };
    let pair = Pair::new(library.into(), target.into());
    let converted = parallel::map(&library.clips, usize::MAX, |slot| {
        let clip = from.with_rest(&slot.clip);
        let mut transferred = match fit.clips {
            ClipFit::Copy => retarget.transfer().clip(&clip),
            ClipFit::Retarget => retarget.clip(&clip),
        };
        transferred.clip = to.with_stand(transferred.clip);
        // What only rests elsewhere than it stands doesn't move.
        let keyed: BTreeSet<BoneIndex> = Track::all_of(&slot.clip).iter().map(|track| track.bone).collect();
        transferred.missing.retain(|name| library.skeleton.find(name).is_none_or(|bone| keyed.contains(&bone)));
        let stance = pair.as_ref().and_then(|pair| pair.new_stance(&slot.clip, &transferred.clip));
        (transferred, stance)
    });
    let (mut missing, mut losing) = (Vec::new(), 0_usize);
    let mut stances: BTreeMap<Stance, Vec<&str>> = BTreeMap::new();
    for (slot, (transferred, stance)) in library.clips.iter().zip(converted) {
        stance.into_iter().for_each(|stance| stances.entry(stance).or_default().push(&slot.clip.name));
        found.clips.push(transferred.clip);
        losing = losing.saturating_add(usize::from(!transferred.missing.is_empty()));
        missing.extend(transferred.missing);
    }
    found.findings.extend(stances.iter().map(|(stance, clips)| stance_finding(target, *stance, clips)));
    let mut seen = BTreeSet::new();
    missing.retain(|name| seen.insert(name.clone()));
    if losing > 0 {
        found.findings.push(finding(target, &missing, [losing, library.clips.len()]));
    }
    if let Some(degrees) = retarget.transfer().rest_angle() {
        let (mut sentence, way) =
            (format!("arms rest up to {degrees:.0}° away from those of {}", target.name), fit.rests);
        sentence.push_str(match way {
            RestFit::On => "; rest poses were fitted to each other (--no-rest-fit keeps them)",
            RestFit::Off => "; rest poses were not fitted",
        });
        found.findings.push(sentence);
    }
    Ok(found)
}

/// As [`clips_for`], for a library whose clips say how the character stands.
fn each_for_itself(target: &Model, library: &Model, fit: Fit) -> Result<LibraryClips, String> {
    let mut all = LibraryClips::default();
    for slot in &library.clips {
        let found = clips_for(target, &Model { clips: vec![slot.clone()], ..library.clone() }, fit)?;
        all.clips.extend(found.clips);
        all.findings.extend(found.findings);
    }
    all.findings.sort();
    all.findings.dedup();
    Ok(all)
}

/// Libraries whose clips were converted for a model before they are added: that takes long, so it is done in another thread.
#[derive(Clone, Debug, Default)]
pub struct Fitted(Vec<FittedLibrary>);

#[derive(Clone, Debug)]
struct FittedLibrary {
    library: Arc<Model>,
    target: Arc<Model>,
    fit: Fit,
    clips: Result<LibraryClips, String>,
}

impl Fitted {
    /// Brings the clips of a library onto a model.
    pub fn add(&mut self, target: &Arc<Model>, library: &Arc<Model>, fit: Fit) {
        let clips = clips_for(target, library, fit);
        self.0.push(FittedLibrary { library: library.clone(), target: target.clone(), fit, clips });
    }

    /// Adds those of another file.
    pub fn extend(&mut self, others: Fitted) {
        self.0.extend(others.0);
    }

    /// The conversion of a library that was added.
    pub fn fit_of(&self, library: &Arc<Model>) -> Option<Fit> {
        self.0.iter().find(|one| Arc::ptr_eq(&one.library, library)).map(|one| one.fit)
    }

    /// As [`clips_for`], which is called for libraries and models that aren't here.
    ///
    /// # Errors
    /// As [`clips_for`].
    pub fn clips_for(&self, target: &Arc<Model>, library: &Arc<Model>, fit: Fit) -> Result<LibraryClips, String> {
        let is_it = |one: &&FittedLibrary| {
            Arc::ptr_eq(&one.library, library) && Arc::ptr_eq(&one.target, target) && one.fit == fit
        };
        self.0.iter().find(is_it).map_or_else(|| clips_for(target, library, fit), |one| one.clips.clone())
    }
}

/// The sentence about clips in which the model stands in another way than the library's character.
fn stance_finding(target: &Model, stance: Stance, clips: &[&str]) -> String {
    let (name, words) = (&target.name, stance.words());
    format!("{}: {name} {words}, unlike the character that it was made for; check the bone map", names_of(clips))
}

/// The sentence about attacks of clips, which stay behind: clips alone are added.
fn ranges_finding(library: &Model) -> Option<String> {
    let has_ranges = |slot: &&ClipSlot| !library.combat.lanes_of(slot.id).is_empty();
    let clips: Vec<&str> = library.clips.iter().filter(has_ranges).map(|slot| &*slot.clip.name).collect();
    (!clips.is_empty())
        .then(|| format!("hits, cancels, contacts and other ranges aren't added with {}", names_of(&clips)))
}

/// The first names of many.
fn names_of(all: &[impl AsRef<str>]) -> String {
    let named: Vec<&str> = all.iter().take(MAX_NAMED).map(AsRef::as_ref).collect();
    let more = all.len() - named.len();
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{more}", named.join(", "))
}

/// The sentence about moved bones of the library that the model lacks. `losing` of `clips` clips move them.
fn finding(target: &Model, missing: &[String], [losing, clips]: [usize; 2]) -> String {
    let named = names_of(missing);
    let all = if losing == clips { String::new() } else { format!(" ({losing} of {clips} clips)") };
    format!("{} has no bone for {named}; their keys are left out{all}", target.name)
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
    use crate::assets::model::ClipSlot;

    fn model(names: &[&str]) -> Model {
        let bone = |name: &&str| Bone { name: (*name).into(), parent: None, rest: Transform::IDENTITY };
        let skeleton = Skeleton::new(names.iter().map(bone).collect()).unwrap();
        Model { name: "knight".into(), skeleton: Arc::new(skeleton), ..Model::default() }
    }

    fn with_clips(mut model: Model, clips: &[&str]) -> Model {
        for name in clips {
            let keys = model.skeleton.indices().map(|bone| Key::rotation(bone, Quat::from_rotation_x(0.5))).collect();
            let keyframes = [Keyframe { keys, ..Keyframe::default() }].into_iter().collect();
            let clip = Arc::new(Clip { keyframes, ..Clip::new(*name) });
            model.clips.push(ClipSlot { id: ClipId(1), clip });
        }
        model
    }

    #[test]
    fn what_did_not_match_is_named_once_for_all_clips() {
        let library = with_clips(model(&["rig:Hips", "rig:Tail"]), &["walk", "run"]);
        let found = clips_for(&model(&["Hips"]), &library, Fit::default()).unwrap();
        assert_eq!(found.clips.iter().map(|clip| clip.name.as_str()).collect::<Vec<_>>(), ["walk", "run"]);
        assert_eq!(found.findings, ["knight has no bone for rig:Tail; their keys are left out"]);
    }

    #[test]
    fn a_fitted_library_gives_the_same_clips() {
        let library = Arc::new(with_clips(model(&["rig:Hips", "rig:Tail"]), &["walk", "run"]));
        let (target, other) = (Arc::new(model(&["Hips"])), Arc::new(model(&["Tail"])));
        let mut fitted = Fitted::default();
        fitted.add(&target, &library, Fit::default());
        for target in [&target, &other] {
            let found = clips_for(target, &library, Fit::default()).unwrap();
            let again = fitted.clips_for(target, &library, Fit::default()).unwrap();
            assert_eq!((again.clips, again.findings), (found.clips, found.findings), "{:?}", target.skeleton);
        }
        assert_eq!((fitted.fit_of(&library), fitted.fit_of(&target)), (Some(Fit::default()), None));
    }

    #[test]
    fn strangers_and_files_without_clips_are_refused() {
        let target = model(&["Hips"]);
        assert_eq!(clips_for(&target, &model(&["Hips"]), Fit::default()).unwrap_err(), "it has no clips");
        let stranger = with_clips(model(&["wheel"]), &["spin"]);
        assert_eq!(clips_for(&target, &stranger, Fit::default()).unwrap_err(), "none of its bones is a bone of knight");
        let [sword, walker] = [model(&["grip"]), with_clips(model(&["Hips"]), &["walk"])].map(Arc::new);
        assert!(libraries(&[sword.clone(), walker.clone()]).eq([&walker]));
        assert_eq!(libraries(&[sword]).count(), 1, "its clips are asked for, and it says that it has none");
    }
}
