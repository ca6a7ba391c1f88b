//! The lines of a clip's lanes: a range each, with volumes and actions in lines of their own below it.

use std::fmt::Write as _;

use glam::Vec3;

use crate::anim::time::FrameRate;
use crate::assets::combat::{Cancel, CancelWhen, Contact, Hit, Hurt, Lanes, Range, Strike, Volume};
use crate::assets::line_text::{number, quoted, whole};
use crate::clip_text::time_word::{Unit, read_time, time_word};

/// The lines of all lanes.
pub fn write(lanes: &Lanes, rate: FrameRate, out: &mut String) {
    let Lanes { hits, hurts, cancels, invulnerable, contacts } = lanes;
    let times = |range: &Range| [range.start, range.end].map(|time| time_word(time, rate, Unit::Ticks)).join(" ");
    for Hit { range, volumes, group, again, strike } in hits {
        let _ = writeln!(out, "\nhit {}{}", times(range), strike_words(strike, *group, *again));
        volumes.iter().for_each(|volume| write_volume(volume, out));
    }
    for Hurt { range, volume, replaced } in hurts {
        let _ = writeln!(out, "\nhurt {} {}", times(range), quoted(volume));
        replaced.iter().for_each(|volume| write_volume(volume, out));
    }
    for Cancel { range, into, when } in cancels {
        let _ = writeln!(out, "\ncancel {} {}", times(range), when.name().replace(' ', "-"));
        for action in into {
            let _ = writeln!(out, "  into {}", quoted(action));
        }
    }
    for range in invulnerable {
        let _ = writeln!(out, "\ninvulnerable {}", times(range));
    }
    for Contact { range, bone } in contacts {
        let _ = writeln!(out, "\ncontact {} {}", times(range), quoted(bone));
    }
}

/// The values of a hit with their names.
fn strike_words(strike: &Strike, group: u8, again: u16) -> String {
    let Strike { damage, angle, knockback, growth, stop, stun, block_stun, priority, mask } = strike;
    let mut words = format!(
        " damage {damage} angle {angle} knockback {knockback} growth {growth} stop {stop} stun {stun} \
         block-stun {block_stun} priority {priority}"
    );
    for (name, value, usual) in
        [("targets", *mask, Strike::ALL_TARGETS), ("group", group.into(), 0), ("again", again.into(), 0)]
    {
        if value != usual {
            let _ = write!(words, " {name} {value}");
        }
    }
    words
}

fn write_volume(volume: &Volume, out: &mut String) {
    let Volume { name, bone, from, to, radius } = volume;
    let point = |point: &Vec3| format!("{} {} {}", point.x, point.y, point.z);
    let ends = format!("{} {}", point(from), point(to));
    let _ = writeln!(out, "  volume {} {} {ends} radius {radius}", quoted(name), quoted(bone));
}

/// The range that the next lines of volumes and actions belong to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Open {
    #[default]
    None,
    Hit,
    Hurt,
    Cancel,
}

/// Reads a line of a lane. Returns false if it is none.
///
/// # Errors
///
/// The reason: a wrong time, number or word, or a volume that belongs to no range.
pub fn read(words: &[&str], rate: FrameRate, lanes: &mut Lanes, open: &mut Open) -> Result<bool, String> {
    let range = |start: &str, end: &str| -> Result<Range, String> {
        Ok(Range { start: read_time(start, rate)?, end: read_time(end, rate)? })
    };
    match words {
        ["hit", start, end, values @ ..] => {
            lanes.hits.push(read_strike(values, Hit { range: range(start, end)?, ..Hit::default() })?);
            *open = Open::Hit;
        }
        ["hurt", start, end, volume] => {
            lanes.hurts.push(Hurt { range: range(start, end)?, volume: (*volume).to_owned(), replaced: None });
            *open = Open::Hurt;
        }
        ["cancel", start, end, when] => {
            lanes.cancels.push(Cancel { range: range(start, end)?, into: vec![], when: read_when(when)? });
            *open = Open::Cancel;
        }
        ["invulnerable", start, end] => {
            lanes.invulnerable.push(range(start, end)?);
            *open = Open::None;
        }
        ["contact", start, end, bone] => {
            lanes.contacts.push(Contact { range: range(start, end)?, bone: (*bone).to_owned() });
            *open = Open::None;
        }
        ["volume", rest @ ..] => add_volume(read_volume(rest)?, lanes, *open)?,
        ["into", action] => match (*open, lanes.cancels.last_mut()) {
            (Open::Cancel, Some(cancel)) => cancel.into.push((*action).to_owned()),
            _ => {
                return Err(
                    "an action belongs to a cancel; a line \"cancel START END WHEN\" must come before it".into()
                );
            }
        },
        ["hit", ..] => return Err("expected hit START END and values".into()),
        ["hurt", ..] => return Err("expected hurt START END VOLUME".into()),
        ["cancel", ..] => return Err("expected cancel START END WHEN".into()),
        ["invulnerable", ..] => return Err("expected invulnerable START END".into()),
        ["contact", ..] => return Err("expected contact START END BONE".into()),
        ["into", ..] => return Err("expected into ACTION".into()),
        _ => return Ok(false),
    }
    Ok(true)
}

fn add_volume(volume: Volume, lanes: &mut Lanes, open: Open) -> Result<(), String> {
    match (open, lanes.hits.last_mut(), lanes.hurts.last_mut()) {
        (Open::Hit, Some(hit), _) => hit.volumes.push(volume),
        (Open::Hurt, _, Some(hurt)) if hurt.replaced.is_none() => hurt.replaced = Some(volume),
        (Open::Hurt, ..) => return Err("a second volume of one hurt range".into()),
        _ => return Err("a volume belongs to a hit or hurt range, which must come before it".into()),
    }
    Ok(())
}

fn read_strike(words: &[&str], mut hit: Hit) -> Result<Hit, String> {
    let (pairs, rest) = words.as_chunks::<2>();
    if let [word] = rest {
        return Err(format!("{word} has no value"));
    }
    for [name, word] in pairs {
        let strike = &mut hit.strike;
        match *name {
            "damage" => strike.damage = whole(word)?,
            "angle" => strike.angle = number(word)?,
            "knockback" => strike.knockback = number(word)?,
            "growth" => strike.growth = number(word)?,
            "stop" => strike.stop = whole(word)?,
            "stun" => strike.stun = whole(word)?,
            "block-stun" => strike.block_stun = whole(word)?,
            "priority" => strike.priority = whole(word)?,
            "targets" => strike.mask = whole(word)?,
            "group" => hit.group = whole(word)?,
            "again" => hit.again = whole(word)?,
            _ => {
                return Err(format!(
                    "unknown value {name}: expected damage, angle, knockback, growth, stop, stun, block-stun, \
                     priority, targets, group or again"
                ));
            }
        }
    }
    Ok(hit)
}

fn read_when(word: &str) -> Result<CancelWhen, String> {
    let when = CancelWhen::ALL.into_iter().find(|when| when.name().replace(' ', "-") == word);
    when.ok_or_else(|| format!("unknown word {word}: expected always, on-hit or on-miss"))
}

fn read_volume(words: &[&str]) -> Result<Volume, String> {
    let [name, bone, ends @ .., "radius", radius] = words else {
        return Err("expected volume NAME BONE, six numbers, radius RADIUS".into());
    };
    let [a, b, c, d, e, f] = ends else { return Err(format!("a volume has six numbers, not {}", ends.len())) };
    let point = |[x, y, z]: [&str; 3]| -> Result<Vec3, String> { Ok(Vec3::new(number(x)?, number(y)?, number(z)?)) };
    Ok(Volume {
        name: (*name).to_owned(),
        bone: (*bone).to_owned(),
        from: point([a, b, c])?,
        to: point([d, e, f])?,
        radius: number(radius)?,
    })
}
