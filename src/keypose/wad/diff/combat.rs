//! Compares the combat of two states of a model: its hurt volumes, and the lanes of its clips by the names of the clips.

use std::collections::BTreeMap;

use crate::assets::combat::Lanes;
use crate::assets::model::Model;

/// The differences, one sentence each. A clip that only one of them has is left out: the list of clips has it.
pub fn compare(a: &Model, b: &Model) -> Vec<String> {
    let mut details = Vec::new();
    if a.combat.hurt != b.combat.hurt {
        details.push(count_changed("hurt volumes", a.combat.hurt.len(), b.combat.hurt.len()));
    }
    let (old, new) = (lanes(a), lanes(b));
    for (name, old) in &old {
        let Some(new) = new.get(name) else { continue };
        let lanes = [
            ("hits", old.hits != new.hits, old.hits.len(), new.hits.len()),
            ("hurt ranges", old.hurts != new.hurts, old.hurts.len(), new.hurts.len()),
            ("cancels", old.cancels != new.cancels, old.cancels.len(), new.cancels.len()),
            (
                "invulnerable ranges",
                old.invulnerable != new.invulnerable,
                old.invulnerable.len(),
                new.invulnerable.len(),
            ),
            ("contacts", old.contacts != new.contacts, old.contacts.len(), new.contacts.len()),
        ];
        let changed = lanes.into_iter().filter(|(_, is_changed, ..)| *is_changed);
        details.extend(changed.map(|(what, _, old, new)| format!("clip {name}: {}", count_changed(what, old, new))));
    }
    details
}

fn count_changed(what: &str, old: usize, new: usize) -> String {
    if old == new { format!("{what} changed") } else { format!("{what} {old} → {new}") }
}

fn lanes(model: &Model) -> BTreeMap<&str, Lanes> {
    model.clips.iter().map(|slot| (slot.clip.name.as_str(), model.combat.lanes_of(slot.id))).collect()
}
