//! Volumes and lanes of our own export. Clips of an import have the ids 1, 2, 3, ….

use gltf::json::Root;
use gltf::json::extras::Extras;
use serde_json::Value;

use crate::anim::time::Time;
use crate::assets::combat::{Cancel, CancelWhen, Combat, Contact, Hit, Hurt, Lanes, Range, Strike, Volume};
use crate::assets::id::ClipId;
use crate::import::assembly::names::shortened;
use crate::import::gltf::json::{float, vector};
use crate::import::gltf::own::notes;
use crate::import::report::Report;

/// The volumes of a file, and the lanes of the animations that became clips. Invalid ones are reported.
pub fn combat(root: &Root, animations: &[usize], report: &mut Report) -> Combat {
    let mut combat = Combat { hurt: list(notes(&root.asset.extras).as_ref(), "hurt", volume), ..Combat::default() };
    for (id, &animation) in (1..).zip(animations) {
        if let Some(lanes) = root.animations.get(animation).and_then(|animation| lanes(&animation.extras)) {
            combat.set_lanes(ClipId(id), lanes);
        }
    }
    match combat.check() {
        Ok(()) => combat,
        Err(reason) => {
            report.add("extras", format_args!("{reason}; volumes and lanes are ignored"));
            Combat::default()
        }
    }
}

fn lanes(extras: &Extras) -> Option<Lanes> {
    let notes = notes(extras)?;
    let lanes = Some(notes.get("lanes")?);
    Some(Lanes {
        hits: list(lanes, "hits", hit),
        hurts: list(lanes, "hurts", hurt),
        cancels: list(lanes, "cancels", cancel),
        invulnerable: list(lanes, "invulnerable", range),
        contacts: list(lanes, "contacts", |contact| {
            Some(Contact { range: range(contact)?, bone: text(contact, "bone")? })
        }),
    })
}

/// The valid items of a list.
fn list<T>(object: Option<&Value>, name: &str, item: fn(&Value) -> Option<T>) -> Vec<T> {
    let items = object.and_then(|object| object.get(name)?.as_array());
    items.into_iter().flatten().filter_map(item).collect()
}

fn range(value: &Value) -> Option<Range> {
    let time = |name: &str| value.get(name).and_then(Value::as_f64).map(Time::from_secs);
    Some(Range { start: time("start")?, end: time("end")? })
}

/// A name or word, as short as the names of bones and clips that it may refer to.
fn text(value: &Value, name: &str) -> Option<String> {
    value.get(name)?.as_str().map(|text| shortened(text).into_owned())
}

fn whole<T: TryFrom<u64>>(value: &Value, name: &str) -> Option<T> {
    T::try_from(value.get(name)?.as_u64()?).ok()
}

fn volume(value: &Value) -> Option<Volume> {
    Some(Volume {
        name: text(value, "name")?,
        bone: text(value, "bone")?,
        from: vector(value.get("from")?)?,
        to: vector(value.get("to")?)?,
        radius: float(value.get("radius")?)?,
    })
}

fn hit(value: &Value) -> Option<Hit> {
    let number = |name: &str| value.get(name).and_then(float);
    let strike = Strike {
        damage: whole(value, "damage")?,
        angle: number("angle")?,
        knockback: number("knockback")?,
        growth: number("growth")?,
        stop: whole(value, "stop")?,
        stun: whole(value, "stun")?,
        block_stun: whole(value, "blockStun")?,
        priority: whole(value, "priority")?,
        mask: whole(value, "mask")?,
    };
    Some(Hit {
        range: range(value)?,
        volumes: list(Some(value), "volumes", volume),
        group: whole(value, "group")?,
        again: whole(value, "again")?,
        strike,
    })
}

fn hurt(value: &Value) -> Option<Hurt> {
    let replaced = value.get("replaced").and_then(volume);
    Some(Hurt { range: range(value)?, volume: text(value, "volume")?, replaced })
}

fn cancel(value: &Value) -> Option<Cancel> {
    let when = text(value, "when")?;
    Some(Cancel {
        range: range(value)?,
        into: list(Some(value), "into", |name| name.as_str().map(|name| shortened(name).into_owned())),
        when: CancelWhen::named(&when)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_name_is_as_short_as_the_bone_s() {
        let name = "hand".repeat(1000);
        let value = serde_json::json!({ "bone": name });
        assert_eq!(text(&value, "bone").as_deref(), Some(&*shortened(&name)));
    }
}
