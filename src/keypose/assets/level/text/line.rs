//! One line of a text: a thing, a colour, or a value of a kind of foe.

use glam::Vec2;

use crate::assets::level::mover::Mover;
use crate::assets::level::slope::Slope;
use crate::assets::level::thing::{Thing, ThingKind};
use crate::assets::level::{Decor, DecorShape, FoeKind, FoeNature, FoePlace, Goal, LevelLook, Rect};
use crate::assets::line_text::{number, quoted, whole};

/// The names of the values of a kind of foe.
pub const KIND_VALUES: [&str; 15] = [
    "model", "size", "health", "patrol", "notice", "reach", "pause", "speed", "chase", "mask", "moves", "strikes",
    "poise", "becomes", "below",
];

/// The line of a thing, without its end.
pub fn thing_line(thing: &Thing) -> String {
    let word = thing.kind().name();
    let place = |place: &Vec2| format!("{} {}", place.x, place.y);
    let sides = |rect: &Rect| format!("{} {} {} {}", rect.min.x, rect.min.y, rect.max.x, rect.max.y);
    match thing {
        Thing::Spawn(at) | Thing::Checkpoint(at) | Thing::Coin(at) => format!("{word} {}", place(at)),
        Thing::Solid(rect) | Thing::Platform(rect) | Thing::Ladder(rect) | Thing::Spikes(rect) => {
            format!("{word} {}", sides(rect))
        }
        Thing::Slope(Slope { rect, rises_left }) => format!("{word} {} {}", sides(rect), side_word(*rises_left)),
        Thing::Mover(Mover { rect, way, secs, pause }) => {
            format!("{word} {} by {} secs {secs} pause {pause}", sides(rect), place(way))
        }
        Thing::Goal(Goal { rect, after }) if after.is_empty() => format!("{word} {}", sides(rect)),
        Thing::Goal(Goal { rect, after }) => format!("{word} {} after {}", sides(rect), quoted(after)),
        Thing::Foe(FoePlace { kind, place: at, faces_left }) => {
            format!("{word} {} {} {}", quoted(kind), place(at), side_word(*faces_left))
        }
        Thing::Decor(Decor { shape, rect, z, depth, color }) => {
            format!("{word} {} {} z {z} depth {depth} color {}", shape.name(), sides(rect), hex(*color))
        }
    }
}

/// Reads the words of [`thing_line`].
///
/// # Errors
///
/// The reason: an unknown word, a wrong number of words, or a value out of range.
pub fn read_thing(words: &[&str]) -> Result<Thing, String> {
    let (first, rest) = words.split_first().ok_or("a thing is missing")?;
    let kind = ThingKind::named(first);
    let kind = kind.ok_or_else(|| {
        let names = ThingKind::ALL.map(ThingKind::name).join(", ");
        format!("unknown word {first}: expected {names}, name, player, color or kind")
    })?;
    let thing = thing_of(kind, rest)?;
    thing.check().map_err(|reason| format!("{first}: {reason}"))?;
    Ok(thing)
}

fn thing_of(kind: ThingKind, words: &[&str]) -> Result<Thing, String> {
    Ok(match kind {
        ThingKind::Spawn => Thing::Spawn(place_of(kind, words)?),
        ThingKind::Checkpoint => Thing::Checkpoint(place_of(kind, words)?),
        ThingKind::Coin => Thing::Coin(place_of(kind, words)?),
        ThingKind::Goal => Thing::Goal(match words {
            [sides @ .., "after", after] => Goal { rect: rect_of(kind, sides)?, after: (*after).to_owned() },
            sides => Goal::open(rect_of(kind, sides)?),
        }),
        ThingKind::Solid => Thing::Solid(rect_of(kind, words)?),
        ThingKind::Slope => match words {
            [sides @ .., side @ ("left" | "right")] => {
                Thing::Slope(Slope { rect: rect_of(kind, sides)?, rises_left: *side == "left" })
            }
            _ => return Err("expected slope LEFT BOTTOM RIGHT TOP left or right: the side of its high end".into()),
        },
        ThingKind::Platform => Thing::Platform(rect_of(kind, words)?),
        ThingKind::Mover => match words {
            [sides @ .., "by", x, y, "secs", secs, "pause", pause] => Thing::Mover(Mover {
                rect: rect_of(kind, sides)?,
                way: Vec2::new(number(x)?, number(y)?),
                secs: number(secs)?,
                pause: number(pause)?,
            }),
            _ => return Err("expected mover LEFT BOTTOM RIGHT TOP by X Y secs SECS pause SECS".into()),
        },
        ThingKind::Ladder => Thing::Ladder(rect_of(kind, words)?),
        ThingKind::Spikes => Thing::Spikes(rect_of(kind, words)?),
        ThingKind::Foe => match words {
            [name, x, y, side @ ("left" | "right")] => Thing::Foe(FoePlace {
                kind: (*name).to_owned(),
                place: Vec2::new(number(x)?, number(y)?),
                faces_left: *side == "left",
            }),
            _ => return Err("expected foe KIND X Y left or foe KIND X Y right".into()),
        },
        ThingKind::Decor => match words {
            [shape, sides @ .., "z", z, "depth", depth, "color", color] => Thing::Decor(Decor {
                shape: shape_of(shape)?,
                rect: rect_of(kind, sides)?,
                z: number(z)?,
                depth: number(depth)?,
                color: color_of(color)?,
            }),
            _ => return Err("expected decor SHAPE LEFT BOTTOM RIGHT TOP z Z depth DEPTH color RRGGBB".into()),
        },
    })
}

fn side_word(is_left: bool) -> &'static str {
    if is_left { "left" } else { "right" }
}

fn place_of(kind: ThingKind, words: &[&str]) -> Result<Vec2, String> {
    match words {
        [x, y] => Ok(Vec2::new(number(x)?, number(y)?)),
        _ => Err(format!("expected {} X Y", kind.name())),
    }
}

fn rect_of(kind: ThingKind, words: &[&str]) -> Result<Rect, String> {
    match words {
        [left, bottom, right, top] => Ok(Rect::new(number(left)?, number(bottom)?, number(right)?, number(top)?)),
        _ => Err(format!("expected {} with LEFT BOTTOM RIGHT TOP", kind.name())),
    }
}

fn shape_of(word: &str) -> Result<DecorShape, String> {
    let names = || DecorShape::ALL.map(DecorShape::name).join(", ");
    DecorShape::named(word).ok_or_else(|| format!("unknown shape {word}: expected {}", names()))
}

/// Whether it is the second of two words.
fn one_of(word: &str, [first, second]: [&str; 2]) -> Result<bool, String> {
    match word {
        _ if word == first => Ok(false),
        _ if word == second => Ok(true),
        _ => Err(format!("expected {first} or {second}, not {word}")),
    }
}

/// A colour as six hexadecimal digits.
pub fn hex([r, g, b]: [u8; 3]) -> String {
    format!("{r:02x}{g:02x}{b:02x}")
}

/// A colour of six hexadecimal digits.
pub fn color_of(word: &str) -> Result<[u8; 3], String> {
    let is_hex = word.len() == 6 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    let value = u32::from_str_radix(word, 16).ok().filter(|_| is_hex);
    let [_, r, g, b] = value.ok_or_else(|| format!("{word} is not a colour of six digits, like 6a9650"))?.to_be_bytes();
    Ok([r, g, b])
}

/// The colours of a level with their names.
pub fn colors(look: &LevelLook) -> [(&'static str, [u8; 3]); 5] {
    let LevelLook { sky_top, sky_bottom, solid, ground, wood } = *look;
    [("sky-top", sky_top), ("sky-bottom", sky_bottom), ("solid", solid), ("ground", ground), ("wood", wood)]
}

/// A colour of a level by its name.
pub fn color_mut<'a>(look: &'a mut LevelLook, name: &str) -> Result<&'a mut [u8; 3], String> {
    Ok(match name {
        "sky-top" => &mut look.sky_top,
        "sky-bottom" => &mut look.sky_bottom,
        "solid" => &mut look.solid,
        "ground" => &mut look.ground,
        "wood" => &mut look.wood,
        _ => return Err(format!("unknown colour {name}: expected sky-top, sky-bottom, solid, ground or wood")),
    })
}

/// The values of a kind of foe with their names, in the order of [`KIND_VALUES`]; those that few kinds have only where they differ
/// from the usual ones.
pub fn kind_values(kind: &FoeKind) -> impl Iterator<Item = (&'static str, String)> {
    let FoeKind { name: _, model, size, health, patrol, notice, reach, pause, speed, chase, mask, nature } = kind;
    let (FoeNature { flies, stabs, poise, becomes, below }, usual) = (nature, FoeNature::default());
    let values = [
        quoted(model),
        size.to_string(),
        health.to_string(),
        patrol.to_string(),
        notice.to_string(),
        reach.to_string(),
        pause.to_string(),
        speed.to_string(),
        chase.to_string(),
        mask.to_string(),
    ];
    let rare = [
        (*flies != usual.flies).then(|| "fly".to_owned()),
        (*stabs != usual.stabs).then(|| "stab".to_owned()),
        (*poise != usual.poise).then(|| poise.to_string()),
        (*becomes != usual.becomes).then(|| quoted(becomes)),
        (*below != usual.below || !becomes.is_empty()).then(|| below.to_string()),
    ];
    let all = values.into_iter().map(Some).chain(rare);
    KIND_VALUES.into_iter().zip(all).filter_map(|(name, value)| Some((name, value?)))
}

/// Sets a value of a kind of foe. Ranges are checked with the level.
///
/// # Errors
///
/// An unknown name, or a value that is no number.
pub fn set_kind_value(kind: &mut FoeKind, name: &str, words: &[&str]) -> Result<(), String> {
    let [word] = words else { return Err(format!("expected {name} VALUE")) };
    match name {
        "model" => kind.model = (*word).to_owned(),
        "size" => kind.size = number(word)?,
        "health" => kind.health = whole(word)?,
        "patrol" => kind.patrol = number(word)?,
        "notice" => kind.notice = number(word)?,
        "reach" => kind.reach = number(word)?,
        "pause" => kind.pause = whole(word)?,
        "speed" => kind.speed = number(word)?,
        "chase" => kind.chase = number(word)?,
        "mask" => kind.mask = whole(word)?,
        "moves" => kind.nature.flies = one_of(word, ["walk", "fly"])?,
        "strikes" => kind.nature.stabs = one_of(word, ["attack", "stab"])?,
        "poise" => kind.nature.poise = whole(word)?,
        "becomes" => kind.nature.becomes = (*word).to_owned(),
        "below" => kind.nature.below = number(word)?,
        _ => return Err(format!("unknown value {name}: expected {}", KIND_VALUES.join(", "))),
    }
    Ok(())
}
