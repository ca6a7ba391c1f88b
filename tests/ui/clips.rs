//! Naming a new clip, and what names change in the game, driven by mouse and keys.

use imgui::{Key as UiKey, MouseButton};
use keypose::anim::clip::Clip;
use keypose::assets::machine::{State, StateClip};
use keypose::assets::model::{ClipSlot, Model};
use keypose::assets::project::Project;
use keypose_editor::editor::panels::window::layout::Panel;
use keypose_editor::editor::script;
use keypose_editor::editor::session::command::Command;
use keypose_editor::editor::state::effect::Effect;

use crate::driver::{Driver, SIZE, UiEvent, arm, driver, struck};

fn names(driver: &Driver) -> Vec<&str> {
    driver.model().clips.iter().map(|slot| slot.clip.name.as_str()).collect()
}

/// Presses N and types a name.
fn new_clip(driver: &mut Driver, name: &str) {
    driver.strike("N");
    driver.type_line(name);
}

#[test]
fn a_new_clip_asks_for_its_name_and_is_one_step() {
    let mut driver = driver();
    new_clip(&mut driver, "jab");
    assert_eq!(names(&driver), ["wave", "jab", "rest"]);
    assert_eq!((driver.clip().name.as_str(), driver.editor.history.undo_count()), ("jab", 1));
    driver.strike("Ctrl+Z");
    assert_eq!(names(&driver), ["wave", "rest"]);
    driver.strike("Ctrl+Shift+Z");
    assert_eq!(names(&driver), ["wave", "jab", "rest"]);
}

#[test]
fn escape_and_an_empty_name_keep_the_default_one() {
    for end in [UiKey::Escape, UiKey::Enter] {
        let mut driver = driver();
        driver.strike("N");
        driver.frames(3);
        driver.key(UiKey::Backspace);
        driver.key(end);
        driver.frames(3);
        assert_eq!(names(&driver), ["wave", "clip", "rest"], "{end:?}");
        assert_eq!(driver.editor.history.undo_count(), 1);
        driver.strike("Ctrl+S");
        assert!(driver.effects.iter().any(|effect| matches!(effect, Effect::AskPath(_))), "keys are commands again");
    }
}

#[test]
fn a_taken_name_is_refused_and_the_clip_stays() {
    let mut driver = driver();
    new_clip(&mut driver, "rest");
    assert_eq!(names(&driver), ["wave", "clip", "rest"]);
    assert_eq!(driver.notice(), "The name \"rest\" is taken");
    assert_eq!((driver.clip().name.as_str(), driver.editor.history.undo_count()), ("clip", 1));
}

#[test]
fn letters_typed_at_once_after_n_are_the_name_also_where_the_list_is_hidden() {
    let mut driver = driver();
    driver.show(Panel::Poses);
    driver.hover("block0");
    driver.all_in_one_frame(&[
        (Some("N"), UiEvent::Nothing),
        struck("R", UiKey::R, Some('r')),
        struck("X", UiKey::X, Some('x')),
        struck("Enter", UiKey::Enter, None),
        struck("Down", UiKey::DownArrow, None),
    ]);
    driver.frames(3);
    assert_eq!(driver.clip().name, "rx");
    assert!(driver.editor.gesture.is_none(), "R did not rotate");
}

#[test]
fn a_name_whose_list_is_hidden_by_a_click_is_taken() {
    let mut driver = driver();
    driver.strike("N");
    driver.frames(3);
    driver.text("jab");
    driver.dock.show(Panel::Poses);
    driver.frames(20);
    assert_eq!(driver.clip().name, "jab");
    driver.strike("Ctrl+Z");
    assert_eq!(names(&driver), ["wave", "rest"], "keys are commands again");
}

/// Opens the menu of the clip "rest", which is selected with the open one.
fn menu_of_rest(driver: &mut Driver) {
    let row = format!("clip{}", driver.model().clips[1].id.0);
    driver.click_holding(UiKey::ModCtrl, &row);
    driver.click_with(&row, MouseButton::Right);
    driver.frames(3);
}

#[test]
fn the_menu_of_a_selected_clip_is_about_that_clip() {
    let mut driver = driver();
    menu_of_rest(&mut driver);
    assert_eq!(driver.editor.session.focus.selection.clips.len(), 2, "both stay selected");
    driver.click("Duplicate clip");
    assert_eq!(names(&driver), ["wave", "rest", "rest.001"]);
}

#[test]
fn a_folder_of_several_clips_keeps_the_tags_of_each() {
    let mut driver = driver();
    script::run(&mut driver.editor, "tags loop").unwrap();
    driver.frames(2);
    menu_of_rest(&mut driver);
    driver.click("Folder and tags…");
    driver.type_line("arms");
    let notes: Vec<_> = driver.model().clip_notes.values().map(|of| (of.folder.as_str(), of.tags.join(" "))).collect();
    assert_eq!(notes, [("arms", "loop".to_owned()), ("arms", String::new())]);
}

/// The arm with a clip whose name is like a walk's.
fn walker() -> Project {
    let mut project = arm();
    let model = std::sync::Arc::make_mut(&mut project.models[0]);
    std::sync::Arc::make_mut(&mut model.clips[0].clip).name = "Walking_A".into();
    project
}

fn walk_clip(driver: &Driver) -> String {
    let names = names(driver);
    names[driver.model().machine.resolve(&names).choice(State::Walk).clip.unwrap()].to_owned()
}

#[test]
fn a_name_that_changes_the_game_says_so_and_the_previous_clip_can_be_kept() {
    let mut driver = Driver::new(walker(), SIZE);
    assert_eq!(walk_clip(&driver), "Walking_A");
    new_clip(&mut driver, "walk_new");
    assert_eq!(walk_clip(&driver), "walk_new");
    assert_eq!(driver.notice(), "In the game, walk plays \"walk_new\" now, instead of \"Walking_A\".");
    driver.click("accept-offer");
    driver.frames(2);
    assert_eq!(walk_clip(&driver), "Walking_A");
    assert_eq!(names(&driver), ["Walking_A", "walk_new", "rest"]);
    assert!(!driver.has("accept-offer"));
    driver.strike("Ctrl+Z");
    assert_eq!(walk_clip(&driver), "walk_new");
}

#[test]
fn undoing_the_name_ends_its_offer() {
    let mut driver = Driver::new(walker(), SIZE);
    new_clip(&mut driver, "walk_new");
    assert!(driver.has("accept-offer"));
    driver.strike("Ctrl+Z");
    driver.frames(2);
    assert!(!driver.has("accept-offer"));
    assert_eq!(walk_clip(&driver), "Walking_A");
}

#[test]
fn f5_shows_the_open_clip_if_no_state_plays_it() {
    let mut driver = driver();
    let shown = |driver: &mut Driver| {
        driver.effects.clear();
        driver.update(Command::PlayTest);
        let effect = driver.effects.iter().find_map(|effect| match effect {
            Effect::PlayTest { unplayed, .. } => Some(unplayed.as_ref().map(|it| (it.model.clone(), it.clip.clone()))),
            _ => None,
        });
        effect.unwrap()
    };
    assert_eq!(shown(&mut driver), Some(("arm".to_owned(), "wave".to_owned())));
    driver.strike("F2");
    driver.type_line("walk");
    assert_eq!(shown(&mut driver), None, "the game plays it as it is");
}

#[test]
fn names_with_the_same_beginning_differ_in_the_list() {
    let mut model = Model::clone(&arm().models[0]);
    let names = ["1H_Melee_Attack_Slice_Diagonal", "1H_Melee_Attack_Slice_Horizontal", "1H_Melee_Attack_Stab"];
    let named = |name: &str| Clip::new(name).into();
    model.clips = names.map(|name| ClipSlot { id: Default::default(), clip: named(name) }).into();
    let mut project = Project::default();
    project.add_model(model);
    let mut driver = Driver::new(project, SIZE);
    let ids = driver.ids();
    for (name, end) in names.into_iter().zip(["onal", "ntal", "Stab"]) {
        let is_shown = |id: &String| id.starts_with("text ") && id.contains(": 1H_") && id.ends_with(end);
        assert!(driver.has(&format!("cut: {name}")) && ids.iter().any(is_shown), "{name}: {ids:?}");
    }
    let row = format!("clip{}", driver.model().clips[1].id.0);
    driver.hover(&row);
    driver.frames(60);
    let is_whole = |id: &String| id.starts_with("tip: ") && id.ends_with(names[1]);
    assert!(driver.ids().iter().any(is_whole), "{:?}", driver.ids());
}

#[test]
fn a_row_of_the_animation_table_is_that_of_a_state_in_any_case() {
    let row = |clip: &str| StateClip { state: "Walk".into(), clip: clip.into() };
    let mut project = arm();
    std::sync::Arc::make_mut(&mut project.models[0]).machine.states = vec![row("rest")];
    let mut driver = Driver::new(project, SIZE);
    driver.show(Panel::Game);
    driver.click("state-walk");
    driver.frames(3);
    driver.click("state-walk-wave");
    driver.frames(3);
    assert_eq!(driver.model().machine.states, [row("wave")]);
}
