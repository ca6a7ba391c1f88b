//! Models of another archive, with what they refer to.

use std::collections::BTreeMap;
use std::sync::Arc;

use keypose::assets::clip_notes::Derived;
use keypose::assets::id::ClipId;
use keypose::assets::model::Model;
use keypose::assets::project::Project;

/// Adds models of another document: those of these names, or all without any. A finding names each clip that followed one of a model that
/// isn't added, and each socket that held one. The error is a sentence.
pub fn add_models(project: &mut Project, other: &Project, names: &[String]) -> Result<Vec<String>, String> {
    if let Some(name) = names.iter().find(|name| other.model_named(name).is_none()) {
        return Err(format!("no model \"{name}\""));
    }
    let is_wanted = |model: &&Arc<Model>| names.is_empty() || names.contains(&model.name);
    let added: Vec<&Arc<Model>> = other.models.iter().filter(is_wanted).collect();
    let first = project.models.len();
    added.iter().for_each(|model| project.add_model(Model::clone(model)));
    let (kept, new) = project.models.split_at_mut(first);
    Ok(relinked((kept, new), &added, other))
}

/// Lets clips and sockets of models that were added refer to other ones that were added, as they did before. Findings name what is missing.
fn relinked(
    (kept, models): (&[Arc<Model>], &mut [Arc<Model>]),
    before: &[&Arc<Model>],
    other: &Project,
) -> Vec<String> {
    let pairs = before.iter().zip(&*models);
    let ids = pairs.flat_map(|(old, new)| old.clips.iter().zip(&new.clips).map(|(old, new)| (old.id, new.id)));
    let ids: BTreeMap<ClipId, ClipId> = ids.collect();
    let names: BTreeMap<String, String> =
        before.iter().zip(&*models).map(|(old, new)| (old.name.clone(), new.name.clone())).collect();
    let mut findings = Vec::new();
    for (old, model) in before.iter().zip(models) {
        for (at, socket) in old.sockets.iter().enumerate().filter(|(_, socket)| !socket.attached.is_empty()) {
            // The archive may have the same sword already.
            let is_kept = |held: &&Arc<Model>| {
                let same = kept.iter().find(|model| model.name == held.name);
                same.is_some_and(|same| same.skeleton == held.skeleton && same.meshes == held.meshes)
            };
            let held = other.models.iter().find(|model| model.name == socket.attached).filter(is_kept);
            let attached = names.get(&socket.attached).or(held.map(|held| &held.name));
            if attached.is_none() {
                let (name, held) = (&socket.name, &socket.attached);
                findings.push(format!("socket {name} of {} no longer has {held}, which isn't added", model.name));
            }
            if attached != Some(&socket.attached) {
                Arc::make_mut(model).sockets[at].attached = attached.cloned().unwrap_or_default();
            }
        }
        for slot in &old.clips {
            let Some(derived) = old.derived(slot.id).filter(|derived| old.clip(derived.source).is_none()) else {
                continue;
            };
            let new = |clip: ClipId| ids.get(&clip).copied();
            let follow = || Some(Derived { source: new(derived.source)?, how: derived.how.with_clip(new)? });
            if let (Some(id), Some(derived)) = (new(slot.id), follow()) {
                Arc::make_mut(model).note(id, |notes| notes.derived = Some(derived));
            } else if let Some((owner, source)) = other.owner_of(derived.source) {
                let (clip, source, owner) = (&slot.clip.name, &source.name, &owner.name);
                findings.push(format!(
                    "clip {clip} no longer follows {source} of {owner}, which isn't added; it keeps its keys"
                ));
            }
        }
    }
    findings
}
