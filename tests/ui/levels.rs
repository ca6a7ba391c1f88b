//! The level mode as a user drives it: the mode, the tools, the mouse over the viewport, the inspector.

use glam::{Vec2, Vec3};
use imgui::MouseButton;
use keypose::assets::level::{FoeKind, FoePlace, Level, Rect};
use keypose::assets::project::Project;
use keypose_editor::editor::session::level::{LevelAction, Snap};
use keypose_editor::editor::state::effect::Effect;
use keypose_editor::editor::view::level::camera;

use crate::driver::{Driver, arm};

/// Wide enough for what the tests place.
const SIZE: [f32; 2] = [1600.0, 800.0];

/// A level of one ground, a coin and a foe, and a model.
fn project() -> Project {
    let level = Level {
        name: "yard".into(),
        solids: vec![Rect::new(-10.0, -2.0, 10.0, 0.0)],
        coins: vec![Vec2::new(-2.0, 2.0)],
        kinds: vec![
            FoeKind { name: "imp".into(), ..FoeKind::default() },
            FoeKind { name: "ogre".into(), ..FoeKind::default() },
        ],
        foes: vec![FoePlace { kind: "imp".into(), place: Vec2::new(4.0, 0.0), faces_left: true }],
        ..Level::default()
    };
    Project { levels: vec![level.into()], ..arm() }
}

/// A driver in the level mode.
fn driver() -> Driver {
    let mut driver = Driver::new(project(), SIZE);
    driver.hover("picture");
    driver.strike("Tab");
    driver.frames(4);
    driver
}

fn level(driver: &Driver) -> &Level {
    &driver.editor.document.levels[0]
}

/// The point in the middle of the level mode.
fn aim(driver: &Driver) -> Vec2 {
    driver.editor.session.transient.scene.level().unwrap().aim
}

/// Where a point of the level is on the screen.
fn at(driver: &Driver, x: f32, y: f32, z: f32) -> [f32; 2] {
    let desk = driver.editor.session.transient.scene.level().unwrap();
    let workspace = &driver.editor.session.workspace;
    let pixel = camera(desk).pixel_of(Vec3::new(x, y, z), workspace.viewport).unwrap() / workspace.pixels_per_point;
    let [left, top] = driver.place("picture").min;
    [left + pixel.x, top + pixel.y]
}

fn drag(driver: &mut Driver, from: [f32; 3], to: [f32; 3]) {
    let [from, to] = [from, to].map(|[x, y, z]| at(driver, x, y, z));
    driver.drag_between(from, to);
}

#[test]
fn tab_opens_the_level_and_escape_leaves_it() {
    let mut driver = driver();
    assert!(driver.has("level-tab-Selection") && driver.has("tool8"));
    for hidden in ["##clips", "##bones", "ruler"] {
        assert!(!driver.has(hidden), "{hidden} belongs to no level");
    }
    driver.strike("2");
    assert!(driver.editor.session.transient.scene.level().is_some());
    driver.strike("Escape");
    assert!(driver.editor.session.transient.scene.level().is_some(), "Escape first returns to selecting");
    driver.strike("Escape");
    driver.frames(2);
    assert!(driver.editor.session.transient.scene.level().is_none() && !driver.has("tool8"));
    driver.frames(2);
    assert!(["##clips", "##bones", "ruler"].iter().all(|id| driver.has(id)), "the panels are where they were");
    assert_eq!(driver.editor.history.undo_count(), 0);
}

#[test]
fn a_solid_is_drawn_moved_resized_duplicated_and_deleted() {
    let mut driver = driver();
    driver.click("tool1");
    drag(&mut driver, [1.0, 1.0, 0.7], [3.0, 2.0, 0.7]);
    assert_eq!(level(&driver).solids[1], Rect::new(1.0, 1.0, 3.0, 2.0));
    driver.strike("Q");
    drag(&mut driver, [2.0, 1.5, 0.7], [3.0, 2.5, 0.7]);
    assert_eq!(level(&driver).solids[1], Rect::new(2.0, 2.0, 4.0, 3.0));
    drag(&mut driver, [4.0, 2.5, 0.7], [5.0, 2.5, 0.7]);
    assert_eq!(level(&driver).solids[1], Rect::new(2.0, 2.0, 5.0, 3.0));
    driver.point(at(&driver, 3.0, 2.5, 0.7));
    driver.strike("Shift+D");
    driver.click_at(at(&driver, 3.0, 4.0, 0.7));
    assert_eq!(level(&driver).solids[2], Rect::new(2.0, 3.5, 5.0, 4.5));
    driver.strike("X");
    driver.frames(2);
    assert_eq!(level(&driver).solids.len(), 2);
    for _ in 0..5 {
        driver.strike("Ctrl+Z");
    }
    assert_eq!(level(&driver).solids.len(), 1);
}

#[test]
fn things_snap_to_the_chosen_step_until_it_is_off() {
    let mut driver = driver();
    let drawn = |driver: &mut Driver| {
        driver.click("tool1");
        drag(driver, [1.1, 1.1, 0.7], [2.9, 2.1, 0.7]);
        level(driver).solids.last().copied().unwrap()
    };
    driver.update(LevelAction::SetSnap(Snap { is_on: true, step: 1.0 }));
    assert_eq!(drawn(&mut driver), Rect::new(1.0, 1.0, 3.0, 2.0));
    driver.click("level-snap");
    let free = drawn(&mut driver);
    assert!((free.min - Vec2::splat(1.1)).length() < 0.05 && free.min != Vec2::ONE, "{free:?}");
}

#[test]
fn the_inspector_changes_what_is_selected() {
    let mut driver = driver();
    driver.click_at(at(&driver, -2.0, 2.0, 0.0));
    driver.frames(2);
    driver.enter("Place0", "3.5");
    assert_eq!(level(&driver).coins, [Vec2::new(3.5, 2.0)]);
    assert_eq!(driver.editor.history.undo_count(), 1);
    driver.click_at(at(&driver, 4.0, 0.9, 0.0));
    driver.frames(2);
    driver.click("Looks-Right");
    assert!(!level(&driver).foes[0].faces_left);
    driver.choose("Kind", "ogre");
    assert_eq!(level(&driver).foes[0].kind, "ogre");
    driver.click("kind1");
    driver.frames(2);
    assert!(!driver.has("Place0"), "a chosen kind brings its tab to the front");
    driver.enter("kind-Health0", "55");
    assert_eq!((level(&driver).kinds[0].health, level(&driver).kinds[1].health), (30, 55));
    driver.resize([SIZE[0], 1800.0]);
    for (word, mask) in
        [("dummy", FoeKind::DUMMY), ("foe and dummy", FoeKind::FOE | FoeKind::DUMMY), ("foe", FoeKind::FOE)]
    {
        driver.choose("kind-Hit as", word);
        assert_eq!((level(&driver).kinds[0].mask, level(&driver).kinds[1].mask), (FoeKind::FOE, mask), "{word}");
    }
}

/// The form of the first click moves the list: the second one is not on *Duplicate*, *Delete* or another thing.
#[test]
fn a_double_click_in_the_list_of_things_frames_one_and_changes_nothing() {
    for id in ["foe0", "coin0", "solid0"] {
        let mut driver = driver();
        let (count, aim) = (level(&driver).things().count(), aim(&driver));
        driver.click(id);
        // Slow frames are no double click to Dear ImGui.
        driver.frames(60);
        driver.button(MouseButton::Left, true);
        driver.button(MouseButton::Left, false);
        driver.frames(2);
        let desk = driver.editor.session.transient.scene.level().unwrap();
        assert_eq!((desk.picked.len(), level(&driver).things().count()), (1, count), "{id}");
        assert_ne!(desk.aim, aim, "{id}");
        assert_eq!(driver.editor.history.undo_count(), 0, "{id}");
    }
}

#[test]
fn things_are_copied_and_pasted_with_keys() {
    let mut driver = driver();
    driver.strike("Ctrl+A");
    driver.strike("Ctrl+C");
    let text = driver.effects.iter().find_map(|effect| match effect {
        Effect::Copy(text) => Some(text.clone()),
        _ => None,
    });
    assert!(text.is_some_and(|text| text.starts_with("keypose-level 1\n")));
    let before = level(&driver).things().count();
    driver.strike("Ctrl+V");
    driver.frames(2);
    let copies = driver.editor.session.transient.scene.level().map_or(0, |desk| desk.picked.len());
    assert!(copies > 0);
    assert_eq!(level(&driver).things().count(), before + copies);
    driver.strike("Ctrl+Z");
    assert_eq!(level(&driver).things().count(), before);
}

#[test]
fn keys_for_bones_do_nothing_to_a_level() {
    let mut driver = driver();
    for stroke in ["I", "R", "S", "N", "Space", "Ctrl+V", "Shift+I"] {
        driver.strike(stroke);
        driver.frames(2);
    }
    assert!(driver.editor.session.transient.scene.level().is_some());
    assert_eq!(driver.editor.history.undo_count(), 0);
}

#[test]
fn p_plays_from_the_mouse() {
    let mut driver = driver();
    driver.point(at(&driver, 3.0, 1.0, 0.0));
    driver.strike("P");
    driver.frames(1);
    let played = driver.effects.iter().find_map(|effect| match effect {
        Effect::PlayTest { document, .. } => Some(document.levels[0].spawn),
        _ => None,
    });
    assert!(played.expect("a game").distance(Vec2::new(3.0, 1.0)) < 0.1);
}
