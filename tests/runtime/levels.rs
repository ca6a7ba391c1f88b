//! The text form of levels: exact, line by line, and refused with a place and a reason.

use glam::Vec2;
use keypose::assets::level::text::{read, write};
use keypose::assets::level::thing::Thing;
use keypose::assets::level::{FoeKind, FoePlace, Goal, Level, Rect};
use keypose::assets::line_text::MAX_BYTES;

use crate::root::root;
use crate::sample;

const SMALL: &str = "keypose-level 1\nname yard\nspawn 0 0\n";

fn data(name: &str) -> Vec<u8> {
    std::fs::read(root().join("data").join(name)).unwrap()
}

#[test]
fn the_levels_of_the_demo_are_texts_in_data() {
    let demo = keypose::wad::decode(&data("demo.wad")).unwrap().project;
    assert_eq!(demo.levels.iter().map(|level| level.name.as_str()).collect::<Vec<_>>(), ["courtyard", "lake", "keep"]);
    for level in &demo.levels {
        let text = String::from_utf8(data(&format!("src/{}.txt", level.name))).unwrap();
        assert_eq!(read(&text).as_ref(), Ok(&**level));
        // The comments are the only difference to an export.
        let plain = |text: &str| -> Vec<String> {
            let lines = text.lines().map(|line| line.split('#').next().unwrap().trim_end().to_owned());
            lines.filter(|line| !line.is_empty()).collect()
        };
        assert_eq!(plain(&text), plain(&write(level)));
    }
}

#[test]
fn a_level_comes_back_bit_for_bit() {
    let numbers = [0.1, -0.0, 1e-40, 1.0 / 3.0, 16_777_217.0, f32::MAX, f32::MIN_POSITIVE, -2.5e-7];
    let places = || numbers.iter().map(|x| Vec2::new(*x, -*x)).collect::<Vec<_>>();
    let kind = FoeKind { name: "a \"b\"\n#c".into(), model: "two words".into(), size: 0.3, ..FoeKind::default() };
    let foe = FoePlace { kind: kind.name.clone(), place: Vec2::new(0.1 + 0.2, 1e30), faces_left: false };
    let odd = Level {
        name: "\u{202e}#\\".into(),
        coins: places(),
        checkpoints: places(),
        spawn: Vec2::new(-0.0, 0.7),
        solids: vec![Rect::new(-1e-7, 0.0, 0.1, f32::MAX)],
        kinds: vec![kind],
        foes: vec![foe],
        ..Level::default()
    };
    let rich = sample::rich().levels;
    for level in [&odd, &*rich[0], &Level { name: String::new(), ..Level::default() }] {
        let text = write(level);
        let again = read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(&again, level);
        // Equal numbers could still be zeros of two signs.
        assert_eq!(write(&again), text);
    }
    assert_eq!(read(&write(&odd)).unwrap().spawn.x.to_bits(), (-0.0_f32).to_bits());
}

#[test]
fn a_moved_thing_changes_one_line() {
    let before = (*sample::rich().levels[0]).clone();
    let mut after = before.clone();
    after.coins[1].x += 0.1;
    let (before, after) = (write(&before), write(&after));
    let changed = before.lines().zip(after.lines()).filter(|(a, b)| a != b).count();
    assert_eq!((changed, before.lines().count()), (1, after.lines().count()));
}

#[test]
fn comments_blank_lines_and_any_order_are_read() {
    let text = "\u{feff}# A yard.\r\nkeypose-level 1 # one\r\n\r\n  coin 1 2\r\nspawn 0 0\nname \"a # b\"\nsolid 0 -1 4 0 # ground\n";
    let level = read(text).unwrap();
    assert_eq!((level.name.as_str(), level.coins.len(), level.solids.len()), ("a # b", 1, 1));
}

#[test]
fn wrong_lines_are_refused_with_place_and_reason() {
    let cases = [
        ("coin 1", "line 4: expected coin X Y"),
        ("coin 1 x", "line 4: x is not a finite number"),
        ("coin 1 inf", "line 4: inf is not a finite number"),
        ("coin 1 1e39", "line 4: 1e39 is not a finite number"),
        ("solid 0 0 0 1", "line 4: solid: the box 0 0 0 1 has no area"),
        ("solid 0 0 1", "line 4: expected solid with LEFT BOTTOM RIGHT TOP"),
        (
            "decor cone 0 0 1 1 z 0 depth 1 color 000000",
            "line 4: unknown shape cone: expected box, pyramid, round, water, banner, grass, flame, birds",
        ),
        ("decor box 0 0 1 1 z 0 depth 0 color 000000", "line 4: decor: the depth 0 is not positive"),
        ("decor box 0 0 1 1 z 0 depth 1 color 00000é", "line 4: 00000é is not a colour of six digits, like 6a9650"),
        ("foe goblin 1 0 up", "line 4: expected foe KIND X Y left or foe KIND X Y right"),
        ("slope 0 0 2 1", "line 4: expected slope LEFT BOTTOM RIGHT TOP left or right: the side of its high end"),
        ("slope 0 0 1 1.1 left", "line 4: slope: it is 1.1 high and 1 wide; it may be as high as wide"),
        ("mover 0 0 1 1", "line 4: expected mover LEFT BOTTOM RIGHT TOP by X Y secs SECS pause SECS"),
        ("mover 0 0 1 1 by 0 1 secs 0 pause 0", "line 4: mover: the time of 0 s is not in 0.2 to 60"),
        ("mover 0 0 1 1 by 0 1 secs 1 pause -1", "line 4: mover: the pause of -1 s is not in 0 to 60"),
        ("mover 0 0 1 1 by 90 0 secs 1 pause 0", "line 4: mover: the way 90 0 is too long for 1 s: 10 m/s at most"),
        ("goal 0 0 1 1 after", "line 4: expected goal with LEFT BOTTOM RIGHT TOP"),
        ("color sea 000000", "line 4: unknown colour sea: expected sky-top, sky-bottom, solid, ground or wood"),
        ("size 1", "line 4: size is a value of a kind of foe; a line \"kind NAME\" must come before it"),
        ("kind a\nhealth 70000", "line 5: 70000 is not a whole number in range"),
        ("kind a\nsize 9", "the foe \"a\": the size 9 is not in 0.2 to 5"),
        ("kind a\nkind a", "line 5: two kinds of foes have the name \"a\""),
        ("spawn 1 1", "line 4: a second line \"spawn …\""),
        (
            "<<<<<<< ours",
            "line 4: unknown word <<<<<<<: expected spawn, goal, checkpoint, solid, slope, platform, mover, ladder, spikes, coin, foe, decor, name, player, color or kind",
        ),
        ("name \"x", "line 4: a closing quote is missing"),
    ];
    for (line, expected) in cases {
        assert_eq!(read(&format!("{SMALL}{line}\n")).unwrap_err().to_string(), expected);
    }
    let whole = [
        ("", "a line \"keypose-level …\" is missing"),
        ("solid 0 0 1 1", "line 1: a level begins with \"keypose-level 1\""),
        ("keypose-level 2\n", "line 1: this version of Keypose reads \"keypose-level 1\""),
        ("keypose-level 1\nspawn 0 0", "a line \"name …\" is missing"),
        ("keypose-level 1\nname x", "a line \"spawn …\" is missing"),
    ];
    for (text, expected) in whole {
        assert_eq!(read(text).unwrap_err().to_string(), expected);
    }
}

#[test]
fn what_is_too_much_is_refused() {
    let coins = "coin 0 0\n".repeat(Level::MAX_MARKS + 1);
    assert_eq!(read(&format!("{SMALL}{coins}")).unwrap_err().to_string(), "1025 coins; the maximum is 1024");
    let long = " ".repeat(MAX_BYTES);
    assert!(read(&format!("{SMALL}{long}")).unwrap_err().to_string().contains("the maximum is 16777216"));
}

#[test]
fn things_are_added_replaced_and_removed_one_by_one() {
    let mut level = (*sample::rich().levels[0]).clone();
    let all: Vec<_> = level.things().collect();
    assert_eq!(all.len(), 21);
    for (at, thing) in &all {
        let moved = thing.clone().at(Vec2::new(7.0, 8.0));
        assert_eq!(moved.place(), Vec2::new(7.0, 8.0));
        let size = |thing: &Thing| thing.rect().map(|rect| rect.size()).unwrap_or_default();
        assert!(size(&moved).abs_diff_eq(size(thing), 1e-5), "{moved:?}");
        assert!(level.set_things(&[(*at, moved.clone())]) && level.thing(*at) == Some(moved));
    }
    assert!(!level.set_things(&[(all[0].0, Thing::Coin(Vec2::ZERO))]), "another kind");
    assert!(level.set_things(&all));
    assert_eq!(level, *sample::rich().levels[0], "nothing else changed");
    let gone = all.iter().map(|(at, _)| *at);
    let before = level.clone();
    assert!(!level.remove_things(&gone.clone().collect()), "the spawn point stays");
    assert_eq!(level, before);
    assert!(level.remove_things(&gone.skip(1).collect()));
    assert_eq!(level.things().count(), 1);
    let added = level.add_thing(Thing::Goal(Goal::open(Rect::new(0.0, 0.0, 1.0, 1.0))));
    assert_eq!((added.index, level.things().count()), (0, 2));
}
