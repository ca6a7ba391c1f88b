//! Applies import options to a model that was just read.

pub(crate) mod axes;
mod clip_keys;
mod influences;
mod named;
mod normals;
mod scale;

use keypose::assets::import_options::ImportOptions;
use keypose::assets::model::Model;

use crate::apply_options::named::Named;

pub use crate::apply_options::named::Unmatched;

/// Applies the options to a model that was just read, and notes them in it. Returns what was changed, one sentence each.
pub fn apply(options: &ImportOptions, mut model: Model) -> (Model, Vec<String>) {
    let mut findings = Vec::new();
    if options.is_default() {
        return (model, findings);
    }
    named::choose(&mut model, options, &mut findings);
    influences::reduce(&mut model, options, &mut findings);
    normals::set(&mut model, options.normals);
    axes::turn(&mut model, options.axes);
    scale::scale(&mut model, options.scale);
    clip_keys::change(&mut model, options, &mut findings);
    model.import_options = std::sync::Arc::new(options.clone());
    (model, findings)
}

/// The patterns that match no mesh or no clip of a model, before the options are applied.
pub fn unmatched(options: &ImportOptions, model: &Model) -> Vec<Unmatched> {
    let meshes = Named { what: "mesh", plural: "meshes", chosen: &options.meshes };
    let clips = Named { what: "clip", plural: "clips", chosen: &options.clips };
    let of_meshes = model.meshes.iter().map(|slot| slot.mesh.name.as_str());
    let of_clips = model.clips.iter().map(|slot| slot.clip.name.as_str());
    let mut found = meshes.unmatched(&of_meshes.collect::<Vec<_>>());
    found.extend(clips.unmatched(&of_clips.collect::<Vec<_>>()));
    found
}

#[cfg(test)]
mod tests;
