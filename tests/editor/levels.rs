//! Levels in the document: edits, undo, the journal, the mouse of the level mode, and what the game gets.

use glam::Vec2;
use keypose::assets::level::mover::Mover;
use keypose::assets::level::thing::{ThingKind, ThingRef};
use keypose::assets::level::{Level, Rect};
use keypose::assets::project::Project;
use keypose::wad::{decode, encode, journal};
use keypose_editor::editor::script;
use keypose_editor::editor::session::command::Command;
use keypose_editor::editor::session::level::{Hot, LevelAction, LevelDesk};
use keypose_editor::editor::session::pointer::{ModalKey, PointerEvent, PointerKind};
use keypose_editor::editor::session::shortcuts::Modifiers;
use keypose_editor::editor::state::Editor;
use keypose_editor::editor::state::action::{
    Action, ClipboardAction, DocumentAction, FileAction, GestureAction, ProgramAction, ViewAction,
};
use keypose_editor::editor::state::effect::Effect;
use keypose_editor::editor::view::level::camera;

use crate::editor_kit::{self, copied, demo, run};

/// An editor that runs a script in which every line must succeed.
fn after(text: &str) -> Editor {
    let mut editor = editor_kit::editor();
    run(&mut editor, text);
    editor
}

fn desk(editor: &Editor) -> &LevelDesk {
    editor.session.transient.scene.level().expect("the level mode")
}

fn level(editor: &Editor) -> &Level {
    &editor.document.levels[desk(editor).level]
}

/// The pixel of a point of a level.
fn pixel(editor: &Editor, x: f32, y: f32, z: f32) -> Vec2 {
    let camera = camera(desk(editor));
    camera.pixel_of(glam::Vec3::new(x, y, z), editor.session.workspace.viewport).unwrap()
}

fn mouse(editor: &mut Editor, kind: PointerKind, at: [f32; 3], held: Modifiers) {
    let pixel = pixel(editor, at[0], at[1], at[2]);
    editor.update(GestureAction::Pointer(PointerEvent { kind, pixel, held }));
}

/// A drag of the left button.
fn drag(editor: &mut Editor, from: [f32; 3], to: [f32; 3], held: Modifiers) {
    mouse(editor, PointerKind::Moved, from, held);
    mouse(editor, PointerKind::Pressed, from, held);
    mouse(editor, PointerKind::Moved, to, held);
    mouse(editor, PointerKind::Released, to, held);
}

const FREE: Modifiers = Modifiers { ctrl: true, shift: false, alt: false };
const NONE: Modifiers = Modifiers { ctrl: false, shift: false, alt: false };
const SHIFT: Modifiers = Modifiers { ctrl: false, shift: true, alt: false };
/// The side of solids that is seen.
const FRONT: f32 = 0.7;

#[test]
fn the_level_that_was_left_is_opened_again_as_it_was() {
    let mut editor = after("level new\nlevel new\nlevel add coin 3 2\nlevel pick coin 1");
    editor.update(LevelAction::Toggle);
    assert!(editor.session.transient.scene.level().is_none());
    editor.update(LevelAction::Toggle);
    assert_eq!((desk(&editor).level, desk(&editor).active), (1, Some(ThingRef { kind: ThingKind::Coin, index: 0 })));
    editor.update(LevelAction::Toggle);
    run(&mut editor, "undo\nundo");
    editor.update(LevelAction::Toggle);
    assert_eq!((desk(&editor).level, desk(&editor).active), (0, None), "that level is gone");
}

#[test]
fn a_level_is_saved_journalled_and_undone_like_all_else() {
    let mut editor =
        after("level new; level rename yard; level add coin 1 2; level add-kind; level add foe foe 3 0 left");
    let states: Vec<Project> = (0..=editor.history.undo_count())
        .map(|steps| {
            editor.update(DocumentAction::GoToStep(steps));
            Project::clone(editor.document.project())
        })
        .collect();
    assert_eq!(states.len(), 6);
    for pair in states.windows(2) {
        let lumps = journal::delta(&pair[0], &pair[1]).unwrap();
        assert!(!lumps.is_empty() && lumps.iter().all(|lump| lump.kind.to_string() == "LEVL"), "{lumps:?}");
    }
    let last = states.last().unwrap();
    assert_eq!(decode(&encode(last, &[]).unwrap()).unwrap().project.levels, last.levels);
    editor.update(DocumentAction::GoToStep(0));
    assert!(editor.document.levels.is_empty() && editor.session.transient.scene.level().is_none());
}

#[test]
fn the_first_foe_of_a_level_brings_its_kind() {
    let mut editor = after("level new");
    let first = desk(&editor).new_thing(ThingKind::Foe, level(&editor), Vec2::ZERO);
    run(&mut editor, "level add foe foe 3 0 left");
    let kinds = |editor: &Editor| level(editor).kinds.iter().map(|kind| kind.name.clone()).collect::<Vec<_>>();
    assert_eq!(
        (kinds(&editor), first),
        (vec!["foe".to_owned()], desk(&editor).new_thing(ThingKind::Foe, level(&editor), Vec2::ZERO))
    );
    editor.update(DocumentAction::Undo);
    assert_eq!((kinds(&editor), level(&editor).foes.len()), (vec![], 0), "in one step");
}

#[test]
fn a_renamed_model_and_a_renamed_kind_keep_what_refers_to_them() {
    let mut editor =
        after("level new; level player puppet; level add-kind; level kind model puppet; level add foe foe 3 0 left");
    run(&mut editor, "level kind name imp; rename-model hero");
    let level = level(&editor);
    assert_eq!((level.player.as_str(), level.kinds[0].model.as_str()), ("hero", "hero"));
    assert_eq!((level.kinds[0].name.as_str(), level.foes[0].kind.as_str()), ("imp", "imp"));
    run(&mut editor, "level remove-kind");
    assert_eq!(editor.document.levels[0].kinds.len(), 1, "a kind that foes have stays");
}

#[test]
fn nothing_of_the_next_level_is_selected_when_one_is_removed() {
    let mut editor = after("level new; level add coin 1 1; level new; level add coin 2 1; level open level");
    run(&mut editor, "level pick coin 1; level remove => levels = level.001, picked-things =");
}

#[test]
fn what_names_a_kind_of_foe_follows_its_name_until_it_is_removed() {
    let mut editor = after(
        "level new; level add-kind; level kind name slime; level add-kind; level kind name big; \
         level kind becomes slime; level add goal 8 0 9 2 after slime; level pick-kind slime; level kind name goo",
    );
    let named = |editor: &Editor| {
        let level = level(editor);
        let becomes: Vec<String> = level.kinds.iter().map(|kind| kind.nature.becomes.clone()).collect();
        (level.goal.as_ref().unwrap().after.clone(), becomes.join(" "))
    };
    assert_eq!(named(&editor), ("goo".into(), " goo".into()));
    run(&mut editor, "level remove-kind => foe-kinds = big");
    assert_eq!(named(&editor), (String::new(), String::new()));
}

#[test]
fn things_are_dragged_on_the_grid_and_off_it() {
    let mut editor = after("level new; level add solid 1 0 3 1; level pick nothing");
    drag(&mut editor, [2.0, 0.5, FRONT], [3.04, 1.52, FRONT], NONE);
    let solid = |editor: &Editor| level(editor).solids[1];
    assert_eq!((solid(&editor).min, solid(&editor).max), (Vec2::new(2.0, 1.0), Vec2::new(4.0, 2.0)));
    assert_eq!(editor.history.undo_label(), Some("Move things"));
    drag(&mut editor, [3.0, 1.5, FRONT], [3.053, 1.5, FRONT], FREE);
    assert!((solid(&editor).min.x - 2.053).abs() < 1e-3, "{:?}", solid(&editor));
    // A click alone changes nothing.
    let steps = editor.history.undo_count();
    drag(&mut editor, [3.0, 1.5, FRONT], [3.0, 1.5, FRONT], NONE);
    assert_eq!(editor.history.undo_count(), steps);
    // Escape restores.
    let before = editor.document.clone();
    mouse(&mut editor, PointerKind::Pressed, [3.0, 1.5, FRONT], NONE);
    mouse(&mut editor, PointerKind::Moved, [8.0, 3.0, FRONT], NONE);
    assert!(!editor.document.is_equal(&before));
    editor.update(GestureAction::Modal(ModalKey::Cancel));
    assert!(editor.document.is_equal(&before));
}

#[test]
fn handles_resize_and_never_turn_a_box_over() {
    let mut editor = after("level new; level add solid 1 0 3 1");
    let solid = |editor: &Editor| level(editor).solids[1];
    drag(&mut editor, [3.0, 1.0, FRONT], [4.5, 2.0, FRONT], NONE);
    assert_eq!((solid(&editor).min, solid(&editor).max), (Vec2::new(1.0, 0.0), Vec2::new(4.5, 2.0)));
    drag(&mut editor, [1.0, 1.0, FRONT], [9.0, 1.0, FRONT], NONE);
    assert_eq!((solid(&editor).min, solid(&editor).max), (Vec2::new(4.4, 0.0), Vec2::new(4.5, 2.0)));
    assert_eq!(editor.history.undo_label(), Some("Resize thing"));
}

#[test]
fn tools_draw_boxes_and_place_points() {
    let mut editor = after("level new");
    editor.update(Command::DrawPlatform);
    drag(&mut editor, [1.0, 2.0, 0.6], [4.0, 2.0, 0.6], NONE);
    let platform = level(&editor).platforms[0];
    assert_eq!((platform.min, platform.max), (Vec2::new(1.0, 2.0), Vec2::new(4.0, 2.2)));
    assert_eq!(desk(&editor).active, Some(ThingRef { kind: ThingKind::Platform, index: 0 }));
    editor.update(Command::PlaceCoin);
    drag(&mut editor, [0.52, 1.04, 0.0], [0.52, 1.04, 0.0], NONE);
    drag(&mut editor, [2.0, 1.0, 0.0], [2.5, 1.0, 0.0], NONE);
    assert_eq!(level(&editor).coins, [Vec2::new(0.5, 1.0), Vec2::new(2.5, 1.0)]);
    editor.update(Command::PlaceGoal);
    drag(&mut editor, [5.0, 0.0, -1.8], [6.0, 3.0, -1.8], NONE);
    drag(&mut editor, [7.0, 0.0, -1.8], [8.0, 3.0, -1.8], NONE);
    assert_eq!(level(&editor).goal.as_ref().unwrap().rect.min, Vec2::new(7.0, 0.0), "there is one goal");
    assert_eq!((editor.history.undo_count(), desk(&editor).picked.len()), (6, 1));
}

#[test]
fn a_box_and_shift_select_several() {
    let mut editor =
        after("level new; level add coin 1 2; level add coin 2 2.5; level add coin 5 2; level pick nothing");
    drag(&mut editor, [0.6, 1.2, 0.0], [3.0, 3.5, 0.0], NONE);
    assert_eq!(desk(&editor).picked.len(), 2);
    drag(&mut editor, [5.0, 2.0, 0.0], [5.0, 2.0, 0.0], SHIFT);
    assert_eq!(desk(&editor).picked.len(), 3);
    run(&mut editor, "level move 0 1; level duplicate 0 2 => things coin = \"1 3, 2 3.5, 5 3, 1 5, 2 5.5, 5 5\"");
    run(&mut editor, "level delete => things coin = \"1 3, 2 3.5, 5 3\", picked-things =");
    // Typed distances, along an axis.
    run(&mut editor, "level pick coin 1; run move-things; type y -0.5 enter => things coin = \"1 2.5, 2 3.5, 5 3\"");
    run(
        &mut editor,
        "run duplicate; type 0.25 enter => things coin = \"1 2.5, 2 3.5, 5 3, 1.25 2.5\", picked-things = coin 4",
    );
    run(
        &mut editor,
        "run duplicate; type esc => things coin = \"1 2.5, 2 3.5, 5 3, 1.25 2.5\", picked-things = coin 4",
    );
    // Undo selects what it brings back, not its neighbour.
    run(&mut editor, "level pick coin 1; level delete; level pick coin 2; undo => picked-things = coin 1");
}

#[test]
fn a_level_that_undo_took_away_leaves_its_selection_to_no_other() {
    let mut editor = after("level new; level rename a; level add coin 1 2; level add coin 3 2; level pick nothing");
    run(
        &mut editor,
        "level leave; level new; level add coin 30 2; level add coin 31 2; level pick coin 2; level leave",
    );
    run(&mut editor, "undo; undo; undo; run level-mode => level = a, picked-things =");
}

#[test]
fn things_are_pasted_in_other_levels_and_windows_with_the_kinds_of_their_foes() {
    let mut editor = demo();
    run(&mut editor, "level open courtyard; level pick all");
    let all = copied(&mut editor, Command::Copy);
    let whole = keypose::assets::level::text::read(&all).unwrap();
    let counts = |level: &Level| ThingKind::ALL.map(|kind| level.count(kind));
    let mut expected = counts(level(&editor));
    expected[ThingKind::Goal as usize] = 0;
    assert_eq!(counts(&whole), expected, "all but spawn and goal");
    let chief = level(&editor).foes.iter().position(|foe| foe.kind == "chief").unwrap() + 1;
    run(&mut editor, &format!("level pick foe {chief}; level pick-more coin 1"));
    let text = copied(&mut editor, Command::Copy);
    assert!(text.lines().count() < 60, "{text}");
    // Another window.
    let mut other = after("level new");
    other.update(ClipboardAction::Arrived(text.replace('\n', "\r\n")));
    assert!(Action::Run(Command::Paste).pastes(&other));
    let steps = other.history.undo_count();
    other.update(Command::Paste);
    assert_eq!(other.history.undo_count(), steps + 1);
    run(
        &mut other,
        "=> things coin = \"-12.5 3.5\", foe-kinds = \"chief, angry chief\", picked-things = \"coin 1, foe 1\"",
    );
    let of = |editor: &Editor| level(editor).kinds.iter().find(|kind| kind.name == "chief").cloned();
    assert_eq!(of(&other), of(&editor));
    // The level's own kinds stay, and a paste over the originals is moved.
    run(&mut other, "level pick-kind chief; level kind health 7; level paste");
    run(
        &mut other,
        "=> things coin = \"-12.5 3.5, -12 4\", foe-kinds = \"chief, angry chief\", undo = \"Paste things\"",
    );
    assert_eq!(of(&other).unwrap().health, 7);
    run(&mut other, "level new; level paste 1 -1 => things coin = \"-11.5 2.5\", things foe = \"chief 78 -1 left\"");
    run(&mut other, "undo => things coin =, foe-kinds =");
}

#[test]
fn damaged_clipboards_of_things_change_nothing() {
    let mut editor = after("level new; level add coin 1 2; level copy; level pick nothing; level pick-more coin 1");
    for (text, reason) in [
        ("keypose-level 1\nname x\nspawn 0 0\ncoin 1", "line 4"),
        ("keypose-level 2\nname x\nspawn 0 0", "line 1"),
        ("keypose-level 1\nname x\nspawn 0 0\nsolid 3 0 1 1", "line 4"),
    ] {
        editor.update(ClipboardAction::Arrived(text.to_owned()));
        let notice = editor.session.workspace.log.last().unwrap().text.clone();
        assert!(notice.starts_with("The clipboard is damaged") && notice.contains(reason), "{notice}");
    }
    run(&mut editor, "level paste 1 0 => things coin = \"1 2, 2 2\"");
    run(
        &mut editor,
        "level pick nothing; level pick spawn 1; level copy; level paste 2 0 => things coin = \"1 2, 2 2, 3 2\"",
    );
}

#[test]
fn the_level_mode_of_a_document_without_levels_begins_one() {
    let mut editor = editor_kit::editor();
    editor.update(Command::LevelMode);
    assert_eq!((desk(&editor).level, editor.document.levels.len()), (0, 1));
    editor.update(Command::Undo);
    assert!(editor.document.levels.is_empty() && editor.session.transient.scene.level().is_none());
}

#[test]
fn the_mouse_finds_what_is_in_front() {
    let mut editor = demo();
    editor.update(Command::LevelMode);
    let found = |editor: &mut Editor, at: [f32; 3]| {
        mouse(editor, PointerKind::Moved, at, NONE);
        match desk(editor).hot {
            Some(Hot::Thing(at)) => at.to_string(),
            other => format!("{other:?}"),
        }
    };
    assert_eq!(found(&mut editor, [-1.0, 0.9, 0.0]), "spawn");
    assert_eq!(found(&mut editor, [1.7, 0.9, 0.0]), "foe 1");
    assert_eq!(found(&mut editor, [0.0, -1.0, FRONT]), "solid 1");
    assert_eq!(found(&mut editor, [-3.1, 3.6, 0.0]), "coin 3");
    assert_eq!(found(&mut editor, [-7.8, 2.0, -5.9]), "decor 30", "the wall");
    // The roof of a tower and the mountain behind it: beside a roof there is none.
    assert_eq!(found(&mut editor, [2.7, 6.0, -5.3]), "decor 55");
    assert_ne!(found(&mut editor, [0.8, 7.5, -5.3]), "decor 55");
}

#[test]
fn the_camera_pans_zooms_at_the_mouse_and_frames() {
    let mut editor = demo();
    editor.update(Command::LevelMode);
    let point = [4.0, 1.0, 0.0];
    mouse(&mut editor, PointerKind::Moved, point, NONE);
    let before = pixel(&editor, 4.0, 1.0, 0.0);
    editor.update(ViewAction::Zoom(3.0));
    assert!(pixel(&editor, 4.0, 1.0, 0.0).distance(before) < 0.5, "what is under the mouse stays");
    assert!(desk(&editor).zoom < 0.75);
    let aim = desk(&editor).aim;
    editor.update(ViewAction::Pan(Vec2::new(100.0, 0.0)));
    assert!(desk(&editor).aim.x < aim.x);
    editor.update(Command::FrameAll);
    let [left, right] = [-15.0, 84.0].map(|x| pixel(&editor, x, 0.0, 0.7).x);
    assert!(left > 0.0 && right < editor.session.workspace.viewport.x, "{left} {right}");
    run(&mut editor, "level add decor box -20 -9 40 -0.6 z -33 depth 1 color 405060");
    editor.update(Command::FrameSelected);
    let [left, right] = [-20.0, 40.0].map(|x| pixel(&editor, x, -0.6, -33.0).x);
    assert!(left > 0.0 && right < editor.session.workspace.viewport.x, "{left} {right}");
    editor.update(ViewAction::Zoom(f32::NAN));
    assert!(desk(&editor).zoom.is_finite());
}

#[test]
fn the_game_starts_here_with_the_open_level() {
    let mut editor = after("level new; level new; level add solid 12 0 14 1");
    let played = |effects: Vec<Effect>| match effects.into_iter().next() {
        Some(Effect::PlayTest { document, .. }) => document.project().levels.clone(),
        other => panic!("{other:?}"),
    };
    let levels = played(editor.update(Command::PlayFromHere));
    assert_eq!((levels.len(), levels[0].name.as_str()), (1, "level.001"));
    assert_eq!(levels[0].spawn, Vec2::new(13.0, 1.0), "on the selected solid");
    assert_eq!(played(editor.update(FileAction::PlayTest))[0].spawn, Vec2::ZERO);
    mouse(&mut editor, PointerKind::Moved, [5.0, 2.0, 0.0], NONE);
    let here = played(editor.update(Command::PlayFromHere))[0].spawn;
    assert!(here.distance(Vec2::new(5.0, 2.0)) < 0.01, "at the mouse, whatever is selected: {here}");
    mouse(&mut editor, PointerKind::Exited, [5.0, 2.0, 0.0], NONE);
    assert_eq!(played(editor.update(Command::PlayFromHere))[0].spawn, Vec2::new(13.0, 1.0), "by a button");
    assert_eq!(editor.document.levels.len(), 2, "the document stays as it is");
}

#[test]
fn without_a_level_the_commands_say_so() {
    let mut editor = editor_kit::editor();
    for command in [Command::MoveThings, Command::DrawSolid, Command::PlayFromHere, Command::RemoveLevel] {
        assert!(command.can_run(&editor).is_err(), "{command:?}");
    }
    for action in [LevelAction::Delete, LevelAction::Remove, LevelAction::Move, LevelAction::Shift(Vec2::ONE)] {
        let effects = editor.update(Action::Level(action));
        assert!(matches!(effects.as_slice(), [Effect::Notice(_)]), "{effects:?}");
    }
    assert_eq!(editor.history.undo_count(), 0);
}

#[test]
fn a_goal_that_is_drawn_again_keeps_its_condition() {
    let mut editor = after("level new; level add-kind; level kind name troll; level add goal 5 0 6 3 after troll");
    let guard = |editor: &Editor| level(editor).goal.as_ref().unwrap().after.clone();
    editor.update(Command::PlaceGoal);
    drag(&mut editor, [7.0, 0.0, -0.7], [8.0, 3.0, -0.7], NONE);
    assert_eq!(guard(&editor), "troll");
    run(&mut editor, "level set goal 1 5 0 6 3");
    assert_eq!(guard(&editor), "");
}

#[test]
fn a_slope_rises_where_the_drag_does_and_never_too_steeply() {
    let mut editor = after("level new");
    editor.update(Command::DrawSlope);
    drag(&mut editor, [1.0, 0.0, FRONT], [4.0, 2.0, FRONT], NONE);
    drag(&mut editor, [9.0, 0.0, FRONT], [6.0, 2.0, FRONT], NONE);
    drag(&mut editor, [-6.0, 0.0, FRONT], [-5.0, 3.0, FRONT], NONE);
    let facts = |editor: &Editor| -> Vec<(Vec2, bool)> {
        level(editor).slopes.iter().map(|slope| (slope.rect.max, slope.rises_left)).collect()
    };
    let drawn = [(Vec2::new(4.0, 2.0), false), (Vec2::new(9.0, 2.0), true), (Vec2::new(-5.0, 1.0), false)];
    assert_eq!(facts(&editor), drawn);
    editor.update(Command::SelectThings);
    run(&mut editor, "level pick slope 1");
    // The handle at the middle of its top.
    drag(&mut editor, [2.5, 2.0, FRONT], [2.5, 5.0, FRONT], NONE);
    assert_eq!(facts(&editor)[0], (Vec2::new(4.0, 3.0), false), "as high as wide");
    // A click over the diagonal is a click on the sky.
    run(&mut editor, "level pick nothing");
    drag(&mut editor, [1.5, 2.5, FRONT], [1.5, 2.5, FRONT], NONE);
    assert!(desk(&editor).picked.is_empty());
    drag(&mut editor, [3.5, 0.5, FRONT], [3.5, 0.5, FRONT], NONE);
    assert_eq!(desk(&editor).active, Some(ThingRef { kind: ThingKind::Slope, index: 0 }));
    for (row, text) in [("set slope 1 0 0 2 1 left", true), ("set slope 1 0 0 1 2 left", false)] {
        assert_eq!(script::run(&mut editor, &format!("level {row}")).is_ok(), text, "{row}");
    }
}

#[test]
fn a_moving_platform_is_drawn_and_its_other_end_dragged() {
    // The side of platforms that is seen.
    const DEPTH: f32 = 0.6;
    let mut editor = after("level new");
    editor.update(Command::DrawMover);
    drag(&mut editor, [1.0, 1.0, DEPTH], [3.0, 1.2, DEPTH], NONE);
    let drawn = Mover::new(Rect::new(1.0, 1.0, 3.0, 1.2));
    assert_eq!(level(&editor).movers, [drawn]);
    editor.update(Command::SelectThings);
    run(&mut editor, "level pick mover 1");
    // It went up by three metres; the mark is at the middle of its other end.
    drag(&mut editor, [2.0, 4.1, DEPTH], [6.04, 2.1, DEPTH], NONE);
    assert_eq!(level(&editor).movers[0].way, Vec2::new(4.0, 1.0), "it snaps to the grid");
    drag(&mut editor, [6.0, 2.1, DEPTH], [7.03, 2.1, DEPTH], FREE);
    let way = level(&editor).movers[0].way;
    assert!((way.x - 5.03).abs() < 0.02 && (way.x - 5.0).abs() > 0.01, "{way}: Ctrl leaves the grid");
    // A way that is too far for its time is shortened.
    run(&mut editor, "level set mover 1 1 1 3 1.2 by 2 0 secs 0.2 pause 0");
    drag(&mut editor, [4.0, 1.1, DEPTH], [6.0, 1.1, DEPTH], NONE);
    let mover = level(&editor).movers[0];
    assert!(mover.check().is_ok() && mover.way.x < 2.0 && mover.way.x > 1.9, "{}", mover.way);
    // The box moves with its way.
    drag(&mut editor, [1.5, 1.1, DEPTH], [1.5, 3.1, DEPTH], NONE);
    assert_eq!(level(&editor).movers[0], Mover { rect: Rect::new(1.0, 3.0, 3.0, 3.2), ..mover });
    run(&mut editor, "undo");
    assert_eq!(level(&editor).movers[0], mover);
}

/// The level of the demo is open: the foe is selected. Otherwise the notice offers to show it.
#[test]
fn the_thing_of_a_finding_is_selected_or_offered() {
    let thing = ThingRef { kind: ThingKind::Foe, index: 1 };
    let blame = || LevelAction::Blame { level: 0, thing, text: "level yard: the kind of foe 2 doesn't exist".into() };
    let mut editor = demo();
    run(&mut editor, "level leave");
    editor.update(blame());
    assert!(editor.session.transient.scene.level().is_none());
    editor.update(ProgramAction::AcceptOffer);
    assert_eq!(desk(&editor).picked.iter().collect::<Vec<_>>(), [&thing]);
    run(&mut editor, "level pick nothing");
    editor.update(blame());
    assert_eq!(desk(&editor).picked.iter().collect::<Vec<_>>(), [&thing]);
}
