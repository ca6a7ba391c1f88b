//! The differences between the notes about clips: folders, tags, and the clips that they are derived from.

use std::collections::BTreeMap;

use crate::assets::clip_notes::{ClipNotes, Derivation};
use crate::assets::model::{ClipSlot, Model};
use crate::assets::project::Project;
use crate::wad::diff::{Difference, Sign};

/// Compares the notes about clips that both models have.
pub fn compare((before, a): (&Project, &Model), (after, b): (&Project, &Model)) -> Vec<Difference> {
    let old: BTreeMap<&str, String> = a.clips.iter().map(|slot| (&*slot.clip.name, noted(before, a, slot))).collect();
    let text = |text: &str| if text.is_empty() { "nothing".to_owned() } else { text.to_owned() };
    let compare = |slot: &ClipSlot| {
        let (old, new) = (old.get(&*slot.clip.name)?, noted(after, b, slot));
        let details = vec![format!("notes {} → {}", text(old), text(&new))];
        let place = format!("clip {}/{}", b.name, slot.clip.name);
        (*old != new).then_some(Difference { sign: Sign::Changed, place, details })
    };
    b.clips.iter().filter_map(compare).collect()
}

/// The notes about a clip: "in air, tags loop foot, mirrored from walk".
fn noted(project: &Project, model: &Model, slot: &ClipSlot) -> String {
    let Some(ClipNotes { folder, tags, mask, derived }) = model.clip_notes.get(&slot.id) else { return String::new() };
    let name = |id| project.owner_of(id).map(|(_, clip)| clip.name.clone());
    let source = derived.and_then(|derived| Some((project.owner_of(derived.source)?, derived.how.with_clip(name)?)));
    let source = source.map(|((owner, clip), how)| {
        let of = if owner.name == model.name { String::new() } else { format!(" of {}", owner.name) };
        let how = match how {
            Derivation::Retimed(percent) => format!("retimed to {percent} %"),
            Derivation::Layered(layer) => {
                let muted = if layer.is_muted { ", muted" } else { "" };
                format!("layered with {} ({} {} %{muted})", layer.clip, layer.blend.name(), layer.percent)
            }
            Derivation::Trimmed(from, to) => format!("trimmed to {from} to {to}"),
            how => how.name().to_owned(),
        };
        format!("{how} from {}{of}", clip.name)
    });
    let folder = (!folder.is_empty()).then(|| format!("in {folder}"));
    let tags = (!tags.is_empty()).then(|| format!("tags {}", tags.join(" ")));
    let mask = (!mask.is_empty()).then(|| format!("limited to {}", mask.join(" ")));
    [folder, tags, mask, source].into_iter().flatten().collect::<Vec<_>>().join(", ")
}
