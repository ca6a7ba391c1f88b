//! Volumes and the lanes of clips, for `extras`: glTF has no words for them.

use serde_json::{Value, json};

use crate::assets::combat::{Cancel, Hit, Hurt, Lanes, Range, Strike, Volume};
use crate::export::gltf::numbers;

/// Volumes as objects.
pub fn volumes<'v>(volumes: impl IntoIterator<Item = &'v Volume>) -> Value {
    volumes.into_iter().map(volume).collect()
}

fn volume(volume: &Volume) -> Value {
    let Volume { name, bone, from, to, radius } = volume;
    let (from, to) = (numbers(&from.to_array()), numbers(&to.to_array()));
    json!({ "name": name, "bone": bone, "from": from, "to": to, "radius": f64::from(*radius) })
}

/// The lanes of a clip.
pub fn lanes(lanes: &Lanes) -> Value {
    json!({
        "hits": lanes.hits.iter().map(hit).collect::<Vec<_>>(),
        "hurts": lanes.hurts.iter().map(hurt).collect::<Vec<_>>(),
        "cancels": lanes.cancels.iter().map(cancel).collect::<Vec<_>>(),
        "invulnerable": lanes.invulnerable.iter().map(|range| of_range(json!({}), *range)).collect::<Vec<_>>(),
        "contacts": lanes.contacts.iter().map(|it| of_range(json!({ "bone": it.bone }), it.range)).collect::<Vec<_>>(),
    })
}

/// Adds the start and end of a range, in seconds.
fn of_range(mut about: Value, range: Range) -> Value {
    about["start"] = range.start.secs().into();
    about["end"] = range.end.secs().into();
    about
}

fn hit(hit: &Hit) -> Value {
    let Strike { damage, angle, knockback, growth, stop, stun, block_stun, priority, mask } = hit.strike;
    let about = json!({
        "volumes": volumes(&hit.volumes),
        "group": hit.group,
        "again": hit.again,
        "damage": damage,
        "angle": f64::from(angle),
        "knockback": f64::from(knockback),
        "growth": f64::from(growth),
        "stop": stop,
        "stun": stun,
        "blockStun": block_stun,
        "priority": priority,
        "mask": mask,
    });
    of_range(about, hit.range)
}

fn hurt(hurt: &Hurt) -> Value {
    of_range(json!({ "volume": hurt.volume, "replaced": hurt.replaced.as_ref().map(volume) }), hurt.range)
}

fn cancel(cancel: &Cancel) -> Value {
    of_range(json!({ "into": cancel.into, "when": cancel.when.name() }), cancel.range)
}
