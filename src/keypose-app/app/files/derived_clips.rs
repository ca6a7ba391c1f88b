//! Derived clips of archives that are put together: a patch, a lump or a model may change what another archive's clips are made from.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use keypose::assets::id::ClipId;
use keypose::assets::model::Model;
use keypose::assets::project::Project;
use keypose::wad::archive::Archive;
use keypose::wad::error::WadError;
use keypose::wad::kind::Kind;
use keypose::wad::overlay;
use keypose_editor::editor::document::follow::generate_again;

/// Lumps of a model that its derived clips, and those that are made from its clips, depend on.
const OF_MODEL: [Kind; 3] = [Kind::SKELETON, Kind::RIG, Kind::VOLUMES];

/// The project of archives whose derived clips are generated again where several patches had a hand in them: one may change the source of a
/// clip of another one. A clip that follows nothing in the archive that its keys or its hits come from keeps them; there is a finding for it.
pub fn with_derived_clips(mut project: Project, files: &[&[u8]]) -> Result<(Project, Vec<String>), WadError> {
    let layers = files.iter().map(|bytes| Archive::open(bytes)).collect::<Result<Vec<_>, _>>()?;
    let owners: BTreeMap<ClipId, (&str, &str)> = project
        .models
        .iter()
        .flat_map(|model| model.clips.iter().map(|slot| (slot.id, (model.name.as_str(), slot.clip.name.as_str()))))
        .collect();
    let (mut as_made, mut stale) = (BTreeSet::new(), Vec::new());
    for (index, model) in project.models.iter().enumerate() {
        for slot in &model.clips {
            let Some(derived) = model.derived(slot.id) else { continue };
            let sources = [Some(derived.source), derived.how.layer().map(|layer| layer.clip)].into_iter().flatten();
            let clips: Vec<(&str, &str)> =
                sources.chain([slot.id]).filter_map(|clip| owners.get(&clip).copied()).collect();
            if is_of_one(&layers, &model.name, &clips) {
                as_made.insert(slot.id);
            } else {
                stale.push((index, slot.id));
            }
        }
    }
    let mut states = BTreeMap::new();
    let mut findings = Vec::new();
    for (index, id) in stale {
        let model = &project.models[index];
        let Some(clip) = model.clip(id).map(|clip| clip.name.clone()) else { continue };
        let last = |kind: Kind, name: &str| layers.iter().rposition(|layer| layer.find(kind, name).is_some());
        let keys = last(Kind::CLIP, &lump_name(&model.name, &clip));
        let hits = last(Kind::VOLUMES, &model.name).filter(|_| model.combat.lanes.contains_key(&id));
        for at in [keys, hits].into_iter().flatten() {
            // Ids are others there.
            if let Entry::Vacant(state) = states.entry(at) {
                state.insert(own_clips(&overlay::decode_layers(&files[..=at])?.project));
            }
        }
        let is_own = |at: &usize| {
            states.get(at).is_some_and(|own: &BTreeSet<String>| own.contains(&lump_name(&model.name, &clip)))
        };
        if let Some(at) = [keys, hits].into_iter().flatten().find(is_own) {
            let archive = at + 1;
            findings.push(format!(
                "clip {clip} has keys or hits of its own in archive {archive}, so it follows no other clip"
            ));
            Arc::make_mut(&mut project.models[index]).note(id, |notes| notes.derived = None);
        }
    }
    findings.extend(generate_again(&mut project, &as_made));
    Ok((project, findings))
}

/// Whether a derived clip of a model, its notes, its sources and their models are of one patch for the base at most: who made that saw them.
fn is_of_one(layers: &[Archive<'_>], model: &str, clips: &[(&str, &str)]) -> bool {
    let has = |layer: &Archive<'_>| {
        let has_part = |owner: &str| OF_MODEL.into_iter().any(|kind| layer.find(kind, owner).is_some());
        let has_clip =
            |(owner, clip): &(&str, &str)| layer.find(Kind::CLIP, &lump_name(owner, clip)).is_some() || has_part(owner);
        layer.find(Kind::CLIP_NOTES, model).is_some() || clips.iter().any(has_clip)
    };
    let mut patches = layers.iter().skip(1).filter(|layer| has(layer));
    let base = layers.first().map(|base| base.header().hash);
    match (patches.next(), patches.next()) {
        (None, _) => true,
        (Some(patch), None) => patch.header().base == base,
        (Some(_), Some(_)) => false,
    }
}

fn lump_name(model: &str, clip: &str) -> String {
    format!("{model}/{clip}")
}

/// The clips with keys of their own.
fn own_clips(project: &Project) -> BTreeSet<String> {
    let of_model = |model: &Arc<Model>| {
        let own = model.clips.iter().filter(|slot| model.derived(slot.id).is_none());
        own.map(|slot| lump_name(&model.name, &slot.clip.name)).collect::<Vec<_>>()
    };
    project.models.iter().flat_map(of_model).collect()
}
