//! Script commands for hit and hurt volumes and the lanes of a clip, and both as text.

use glam::Vec3;

use crate::anim::clip::Clip;
use crate::assets::combat::frame_data::FrameData;
use crate::assets::combat::{Cancel, CancelWhen, Hit, Hurt, LaneKind, Lanes, Range, Strike, Volume};
use crate::assets::mesh_reach::bake_clip;
use crate::editor::document::edit::{ClipEdit, Edit, ModelEdit};
use crate::editor::ops::time_text;
use crate::editor::posing::change::Change;
use crate::editor::script::parse::{bone, index, named, number, time};
use crate::editor::session::timing::TimeAction;
use crate::editor::state::Editor;
use crate::editor::state::action::{Action, DocumentAction};

/// A command for the lanes of the open clip or the hurt volumes of the model; `None` if it is another one.
pub fn action(editor: &Editor, verb: &str, args: &[&str]) -> Option<Result<Action, String>> {
    let edit = |label: &'static str, edit: Result<Edit, String>| {
        Some(edit.map(|edit| {
            let change = Change::Edits(vec![edit]);
            Action::Document(DocumentAction::Edit { label: label.into(), change })
        }))
    };
    match (verb, args) {
        ("hurt-volume", [name, rest @ ..]) => edit("Set hurt volume", set_hurt_volume(editor, name, rest)),
        ("pick-range", [lane, number]) => Some(pick_range(lane, number)),
        ("delete-hurt-volume", [name]) => edit("Delete hurt volume", delete_hurt_volume(editor, name)),
        ("hit" | "hit-volume" | "strike" | "hurt" | "cancels" | "invulnerable" | "delete-range", _) => {
            edit("Edit lanes", lanes_edit(editor, verb, args))
        }
        _ => None,
    }
}

/// Selects a range of the open clip.
fn pick_range(lane: &str, number: &str) -> Result<Action, String> {
    let lane = named(lane, &LaneKind::ALL, LaneKind::name)?;
    Ok(Action::Time(TimeAction::PickRange(Some((lane, index(number)?)))))
}

fn lanes_edit(editor: &Editor, verb: &str, args: &[&str]) -> Result<Edit, String> {
    let slot = editor.clip().ok_or("no clip is open")?;
    let mut lanes = editor.model().map(|model| model.combat.lanes_of(slot.id)).unwrap_or_default();
    let range =
        |from: &str, to: &str| Ok::<Range, String>(Range { start: time(editor, from)?, end: time(editor, to)? });
    match (verb, args) {
        ("hit", [from, to, volume @ ..]) => {
            let volumes = vec![volume_of(editor, "1", volume)?];
            lanes.hits.push(Hit { range: range(from, to)?, volumes, ..Hit::default() });
        }
        ("hit-volume", [number, volume @ ..]) => {
            let hit = lanes.hits.get_mut(index(number)?).ok_or_else(|| format!("there is no hit {number}"))?;
            let name = (hit.volumes.len() + 1).to_string();
            hit.volumes.push(volume_of(editor, &name, volume)?);
        }
        ("strike", [at, what, value]) => {
            let hit = lanes.hits.get_mut(index(at)?).ok_or_else(|| format!("there is no hit {at}"))?;
            set(hit, what, number(value)?)?;
        }
        ("hurt", [from, to, name, "off"]) => {
            lanes.hurts.push(Hurt { range: range(from, to)?, volume: (*name).to_owned(), replaced: None });
        }
        ("cancels", [from, to, when, into @ ..]) => lanes.cancels.push(Cancel {
            range: range(from, to)?,
            into: into.iter().map(|&into| into.to_owned()).collect(),
            when: named(when, &CancelWhen::ALL, CancelWhen::name)?,
        }),
        ("invulnerable", [from, to]) => lanes.invulnerable.push(range(from, to)?),
        ("delete-range", [lane, number]) => delete_range(&mut lanes, lane, index(number)?)?,
        _ => return Err("wrong arguments".to_owned()),
    }
    Ok(ClipEdit::SetLanes { clip: slot.id, lanes: Box::new(lanes) }.into())
}

fn delete_range(lanes: &mut Lanes, lane: &str, at: usize) -> Result<(), String> {
    let kind = named(lane, &LaneKind::ALL, LaneKind::name)?;
    if lanes.remove(kind, at) { Ok(()) } else { Err(format!("the lane {lane} has no range {}", at + 1)) }
}

/// Sets a number of a hit; what is rounded or out of range is refused when the edit is applied.
fn set(hit: &mut Hit, what: &str, value: f64) -> Result<(), String> {
    let whole = |max: u32| match value.fract() == 0.0 && (0.0..=f64::from(max)).contains(&value) {
        true => Ok(value as u32),
        false => Err(format!("{what} is a whole number from 0 to {max}")),
    };
    let Strike { damage, angle, knockback, growth, stop, stun, block_stun, priority, mask } = &mut hit.strike;
    match what {
        "damage" => *damage = whole(u32::from(u16::MAX))? as u16,
        "angle" => *angle = value as f32,
        "knockback" => *knockback = value as f32,
        "growth" => *growth = value as f32,
        "stop" => *stop = whole(u32::from(u16::MAX))? as u16,
        "stun" => *stun = whole(u32::from(u16::MAX))? as u16,
        "block-stun" => *block_stun = whole(u32::from(u16::MAX))? as u16,
        "priority" => *priority = whole(u32::from(u8::MAX))? as u8,
        "targets" => *mask = whole(u32::MAX)?,
        "group" => hit.group = whole(u32::from(u8::MAX))? as u8,
        "again" => hit.again = whole(u32::from(u16::MAX))? as u16,
        other => {
            return Err(format!(
                "unknown value {other}: expected damage, angle, knockback, growth, stop, stun, block-stun, priority, targets, group or again"
            ));
        }
    }
    Ok(())
}

/// `BONE RADIUS [X Y Z [X Y Z]]`: a capsule or sphere in the space of the bone, at its origin by default.
fn volume_of(editor: &Editor, name: &str, args: &[&str]) -> Result<Volume, String> {
    let [on, radius, ends @ ..] = args else { return Err("expected a bone and a radius".to_owned()) };
    bone(editor, on)?;
    let ends: Vec<f32> = ends.iter().map(|text| number(text).map(|number| number as f32)).collect::<Result<_, _>>()?;
    let (from, to) = match ends.as_slice() {
        [] => (Vec3::ZERO, Vec3::ZERO),
        [x, y, z] => (Vec3::new(*x, *y, *z), Vec3::new(*x, *y, *z)),
        [x, y, z, u, v, w] => (Vec3::new(*x, *y, *z), Vec3::new(*u, *v, *w)),
        _ => return Err("expected one or two points of three numbers".to_owned()),
    };
    Ok(Volume { name: name.to_owned(), bone: (*on).to_owned(), from, to, radius: number(radius)? as f32 })
}

fn set_hurt_volume(editor: &Editor, name: &str, args: &[&str]) -> Result<Edit, String> {
    let volume = volume_of(editor, name, args)?;
    let mut volumes = editor.model().map(|model| model.combat.hurt.clone()).unwrap_or_default();
    match volumes.iter_mut().find(|other| other.name == name) {
        Some(other) => *other = volume,
        None => volumes.push(volume),
    }
    Ok(ModelEdit::SetHurtVolumes { model: editor.session.focus.model, volumes }.into())
}

fn delete_hurt_volume(editor: &Editor, name: &str) -> Result<Edit, String> {
    let mut volumes = editor.model().map(|model| model.combat.hurt.clone()).unwrap_or_default();
    let at = volumes.iter().position(|volume| volume.name == name);
    volumes.remove(at.ok_or_else(|| format!("there is no hurt volume {name}"))?);
    Ok(ModelEdit::SetHurtVolumes { model: editor.session.focus.model, volumes }.into())
}

/// A fact about the lanes of the open clip or the hurt volumes: one of `hits`, `hurts`, `cancels`, `invulnerable`,
/// `hurt-volumes` and `frame-data`.
pub fn show(editor: &Editor, what: &str) -> String {
    let Some(model) = editor.model() else { return String::new() };
    if what == "hurt-volumes" {
        let volume = |volume: &Volume| format!("{} on {}", volume.name, volume.bone);
        return model.combat.hurt.iter().map(volume).collect::<Vec<_>>().join(", ");
    }
    let Some(slot) = editor.clip() else { return String::new() };
    let (clip, lanes) = (&*slot.clip, model.combat.lanes_of(slot.id));
    let texts: Vec<String> = match what {
        "hits" => lanes.hits.iter().map(|hit| hit_text(clip, hit)).collect(),
        "hurts" => {
            let text = |hurt: &Hurt| format!("{} {}", hurt.volume, range_text(clip, hurt.range));
            lanes.hurts.iter().map(text).collect()
        }
        "cancels" => {
            let into = |cancel: &Cancel| if cancel.into.is_empty() { "any".into() } else { cancel.into.join("/") };
            let text = |it: &Cancel| format!("{} {} into {}", range_text(clip, it.range), it.when.name(), into(it));
            lanes.cancels.iter().map(text).collect()
        }
        "invulnerable" => lanes.invulnerable.iter().map(|range| range_text(clip, *range)).collect(),
        _ => {
            let baked = bake_clip(model, clip);
            let figures = FrameData::new(model, &baked, &lanes);
            let names = ["total", "startup", "active", "recovery", "reach", "damage", "on hit", "on block", "cancel"];
            let row = figures.row(&clip.name);
            let shown = names.iter().zip(&row[1..]).filter(|(_, figure)| !figure.is_empty());
            shown.map(|(name, figure)| format!("{name} {figure}")).collect()
        }
    };
    texts.join(", ")
}

fn hit_text(clip: &Clip, hit: &Hit) -> String {
    let bones: Vec<&str> = hit.volumes.iter().map(|volume| volume.bone.as_str()).collect();
    format!("{} on {} for {}", range_text(clip, hit.range), bones.join("/"), hit.strike.damage)
}

fn range_text(clip: &Clip, range: Range) -> String {
    let time = |time| time_text::print(time, clip.frame_rate);
    format!("{} to {}", time(range.start), time(range.end))
}
