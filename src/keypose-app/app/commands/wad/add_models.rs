//! Models of another archive, with what they refer to.

use std::sync::Arc;

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
    project.add_models(added.iter().map(|&model| Model::clone(model)));
    let (kept, new) = project.models.split_at_mut(first);
    let mut findings = Vec::new();
    for (old, model) in added.iter().zip(new) {
        let is_left_out = |name: &str| !name.is_empty() && added.iter().all(|model| model.name != name);
        for (at, socket) in old.sockets.iter().enumerate().filter(|(_, socket)| is_left_out(&socket.attached)) {
            // The archive may have the same sword already.
            let is_kept = |held: &Arc<Model>| {
                let same = kept.iter().find(|model| model.name == held.name);
                same.is_some_and(|same| same.skeleton == held.skeleton && same.meshes == held.meshes)
            };
            let held = other.models.iter().find(|model| model.name == socket.attached);
            if !held.is_some_and(is_kept) {
                let (name, held) = (&socket.name, &socket.attached);
                findings.push(format!("socket {name} of {} no longer has {held}, which isn't added", model.name));
                Arc::make_mut(model).sockets[at].attached.clear();
            }
        }
        for (slot, _) in old.clips.iter().zip(&model.clips).filter(|(_, new)| model.derived(new.id).is_none()) {
            let source = old.derived(slot.id).and_then(|derived| other.owner_of(derived.source));
            if let Some((owner, source)) = source {
                let (clip, source, owner) = (&slot.clip.name, &source.name, &owner.name);
                findings.push(format!(
                    "clip {clip} no longer follows {source} of {owner}, which isn't added; it keeps its keys"
                ));
            }
        }
    }
    Ok(findings)
}
