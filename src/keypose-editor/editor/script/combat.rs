//! Script commands for hit and hurt volumes and the lanes of a clip, and both as text.

use glam::Vec3;

use crate::editor::document::edit::{ClipEdit, ModelEdit};
use crate::editor::ops::time_text;
use crate::editor::script::args::{Args, number};
use crate::editor::script::table::{Fact, Outcome, Verb, act, edit};
use crate::editor::session::timing::TimeAction;
use keypose::anim::clip::Clip;
use keypose::assets::combat::frame_data::FrameData;
use keypose::assets::combat::{Cancel, CancelWhen, Contact, Hit, Hurt, LaneKind, Lanes, Range, Strike, Volume};
use keypose::assets::mesh_reach::bake_clip;

/// The commands.
pub const VERBS: &[Verb] = &[
    ("hurt-volume NAME BONE RADIUS POINT…", |a| {
        let volume = volume(a, a.word(0), 1)?;
        let mut volumes = hurt_volumes(a);
        match volumes.iter_mut().find(|other| other.name == volume.name) {
            Some(other) => *other = volume,
            None => volumes.push(volume),
        }
        edit("Set hurt volume", ModelEdit::SetHurtVolumes { model: a.active_index(), volumes })
    }),
    ("delete-hurt-volume NAME", |a| {
        let mut volumes = hurt_volumes(a);
        volumes.remove(a.among(0, "hurt volume", volumes.iter().map(|volume| volume.name.as_str()))?);
        edit("Delete hurt volume", ModelEdit::SetHurtVolumes { model: a.active_index(), volumes })
    }),
    ("hit TIME TIME BONE RADIUS POINT…", |a| {
        let hit = Hit { range: range(a)?, volumes: vec![volume(a, "1", 2)?], ..Hit::default() };
        edit_lanes(a, |lanes| added(&mut lanes.hits, hit))
    }),
    ("hit-volume NUMBER BONE RADIUS POINT…", |a| {
        edit_lanes(a, |lanes| {
            let hit = hit_mut(a, lanes)?;
            let name = (hit.volumes.len() + 1).to_string();
            hit.volumes.push(volume(a, &name, 1)?);
            Ok(())
        })
    }),
    ("strike NUMBER VALUE AMOUNT", |a| edit_lanes(a, |lanes| set(hit_mut(a, lanes)?, a.word(1), a.number(2)?))),
    ("hurt TIME TIME NAME off", |a| {
        let hurt = Hurt { range: range(a)?, volume: a.text(2), replaced: None };
        edit_lanes(a, |lanes| added(&mut lanes.hurts, hurt))
    }),
    ("cancels TIME TIME WHEN ACTION…", |a| {
        let into = a.rest(3).iter().map(|&into| into.to_owned()).collect();
        let when = a.named(2, &CancelWhen::ALL, CancelWhen::name)?;
        let cancel = Cancel { range: range(a)?, into, when };
        edit_lanes(a, |lanes| added(&mut lanes.cancels, cancel))
    }),
    ("invulnerable TIME TIME", |a| {
        let range = range(a)?;
        edit_lanes(a, |lanes| added(&mut lanes.invulnerable, range))
    }),
    ("contact TIME TIME BONE", |a| {
        let bone = a.active()?.skeleton.get(a.bone(2)?).map(|bone| bone.name.clone()).unwrap_or_default();
        let contact = Contact { range: range(a)?, bone };
        edit_lanes(a, |lanes| added(&mut lanes.contacts, contact))
    }),
    ("delete-range LANE NUMBER", |a| {
        let (kind, at) = (a.named(0, &LaneKind::ALL, LaneKind::name)?, a.index(1)?);
        let missing = || format!("the lane {} has no range {}", a.word(0), at + 1);
        edit_lanes(a, |lanes| if lanes.remove(kind, at) { Ok(()) } else { Err(missing()) })
    }),
    ("pick-range LANE NUMBER", |a| {
        let range = (a.named(0, &LaneKind::ALL, LaneKind::name)?, a.index(1)?);
        act(TimeAction::PickRange(Some(range)))
    }),
];

/// The facts about the open clip; the hurt volumes are the model's.
pub const FACTS: &[Fact] = &[
    ("hits", |a| {
        Ok(of_lanes(a, |clip, lanes| {
            let text = |hit: &Hit| {
                let bones: Vec<&str> = hit.volumes.iter().map(|volume| volume.bone.as_str()).collect();
                format!("{} on {} for {}", range_text(clip, hit.range), bones.join("/"), hit.strike.damage)
            };
            lanes.hits.iter().map(text).collect()
        }))
    }),
    ("hurts", |a| {
        Ok(of_lanes(a, |clip, lanes| {
            lanes.hurts.iter().map(|hurt| format!("{} {}", hurt.volume, range_text(clip, hurt.range))).collect()
        }))
    }),
    ("cancels", |a| {
        Ok(of_lanes(a, |clip, lanes| {
            let into = |cancel: &Cancel| if cancel.into.is_empty() { "any".into() } else { cancel.into.join("/") };
            let text = |it: &Cancel| format!("{} {} into {}", range_text(clip, it.range), it.when.name(), into(it));
            lanes.cancels.iter().map(text).collect()
        }))
    }),
    ("invulnerable", |a| {
        Ok(of_lanes(a, |clip, lanes| lanes.invulnerable.iter().map(|range| range_text(clip, *range)).collect()))
    }),
    ("contacts", |a| {
        Ok(of_lanes(a, |clip, lanes| {
            lanes.contacts.iter().map(|it| format!("{} {}", it.bone, range_text(clip, it.range))).collect()
        }))
    }),
    ("hurt-volumes", |a| {
        let text = |volume: &Volume| format!("{} on {}", volume.name, volume.bone);
        Ok(hurt_volumes(a).iter().map(text).collect::<Vec<_>>().join(", "))
    }),
    ("frame-data", |a| {
        Ok(of_lanes(a, |clip, lanes| {
            let Some(model) = a.editor.model() else { return Vec::new() };
            let row = FrameData::new(model, &bake_clip(model, clip), lanes).row(&clip.name);
            let names = ["total", "startup", "active", "recovery", "reach", "damage", "on hit", "on block", "cancel"];
            let shown = names.iter().zip(&row[1..]).filter(|(_, figure)| !figure.is_empty());
            shown.map(|(name, figure)| format!("{name} {figure}")).collect()
        }))
    }),
];

/// Changes the lanes of the open clip.
fn edit_lanes(a: &Args<'_>, change: impl FnOnce(&mut Lanes) -> Result<(), String>) -> Outcome {
    let clip = a.open_clip()?;
    let mut lanes = a.active()?.combat.lanes_of(clip);
    change(&mut lanes)?;
    edit("Edit lanes", ClipEdit::SetLanes { clip, lanes: Box::new(lanes) })
}

fn added<T>(ranges: &mut Vec<T>, range: T) -> Result<(), String> {
    ranges.push(range);
    Ok(())
}

/// The hit that the first argument numbers.
fn hit_mut<'l>(a: &Args<'_>, lanes: &'l mut Lanes) -> Result<&'l mut Hit, String> {
    lanes.hits.get_mut(a.index(0)?).ok_or_else(|| format!("there is no hit {}", a.word(0)))
}

/// The first two arguments as a range of the open clip.
fn range(a: &Args<'_>) -> Result<Range, String> {
    let range = Range { start: a.time(0)?, end: a.time(1)? };
    match a.editor.clip().map(|slot| slot.clip.length()) {
        Some(length) if range.end > length => Err(format!("the clip ends at {length}")),
        _ => Ok(range),
    }
}

/// Sets a number of a hit. An amount out of range is refused when the edit is applied.
fn set(hit: &mut Hit, what: &str, value: f64) -> Result<(), String> {
    let whole = |max: u32| {
        let is_whole = value.fract() == 0.0 && (0.0..=f64::from(max)).contains(&value);
        if is_whole { Ok(value as u32) } else { Err(format!("{what} is a whole number from 0 to {max}")) }
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

/// `BONE RADIUS [X Y Z [X Y Z]]` from an argument on: a capsule or sphere in the space of the bone, at its origin by default.
fn volume(a: &Args<'_>, name: &str, at: usize) -> Result<Volume, String> {
    a.bone(at)?;
    let ends: Vec<f32> = a.rest(at + 2).iter().map(|text| Ok(number(text)? as f32)).collect::<Result<_, String>>()?;
    let (from, to) = match *ends {
        [] => (Vec3::ZERO, Vec3::ZERO),
        [x, y, z] => (Vec3::new(x, y, z), Vec3::new(x, y, z)),
        [x, y, z, u, v, w] => (Vec3::new(x, y, z), Vec3::new(u, v, w)),
        _ => return Err("expected one or two points of three numbers".to_owned()),
    };
    Ok(Volume { name: name.to_owned(), bone: a.text(at), from, to, radius: a.float(at + 1)? })
}

fn hurt_volumes(a: &Args<'_>) -> Vec<Volume> {
    a.editor.model().map(|model| model.combat.hurt.clone()).unwrap_or_default()
}

fn of_lanes(a: &Args<'_>, texts: impl FnOnce(&Clip, &Lanes) -> Vec<String>) -> String {
    let open = a.editor.model().zip(a.editor.clip());
    open.map(|(model, slot)| texts(&slot.clip, &model.combat.lanes_of(slot.id)).join(", ")).unwrap_or_default()
}

fn range_text(clip: &Clip, range: Range) -> String {
    let time = |time| time_text::print(time, clip.frame_rate);
    format!("{} to {}", time(range.start), time(range.end))
}
