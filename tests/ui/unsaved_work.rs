//! The list of unsaved work.

use std::path::PathBuf;

use keypose::assets::project::Project;
use keypose_editor::editor::session::command::Command;
use keypose_editor::editor::session::unsaved_work::UnsavedWork;
use keypose_editor::editor::state::action::FileAction;
use keypose_editor::editor::state::effect::Effect;

use crate::driver::{Driver, arm};

/// Two steps on a document.
fn work(title: &str, file: Option<&str>) -> UnsavedWork {
    UnsavedWork {
        title: title.into(),
        steps: Ok(2),
        last_step: Some("Turn bone".into()),
        changed: None,
        place: "project".into(),
        file: file.map(PathBuf::from),
        stored: (format!("work/{title}/steps").into(), 99),
    }
}

/// Opens the list, and answers with its rows.
fn show(driver: &mut Driver, found: Vec<UnsavedWork>) {
    driver.update(FileAction::FindUnsavedWork);
    driver.update(FileAction::UnsavedWorkListed(found));
}

#[test]
fn the_start_screen_opens_unsaved_work_and_asks_before_it_discards_it() {
    let mut driver = Driver::new(Project::default(), [1280.0, 720.0]);
    driver.update(FileAction::UnsavedWorkListed(vec![work("a.wad", Some("a.wad")), work("b.wad", Some("b.wad"))]));
    driver.frames(3);
    driver.click("work-discard1");
    assert!(driver.effects.is_empty(), "{:?}", driver.effects);
    driver.click("work-confirm1");
    let is_discarded =
        |effect: &Effect| matches!(effect, Effect::DiscardUnsavedWork(steps) if steps.ends_with("b.wad/steps"));
    assert!(driver.effects.iter().any(is_discarded), "{:?}", driver.effects);
    driver.click("work-open0");
    assert!(driver.effects.iter().any(|effect| matches!(effect, Effect::Open(path) if path.ends_with("a.wad"))));
}

#[test]
fn unsaved_work_is_listed_and_opened() {
    let mut driver = Driver::new(arm(), [1280.0, 720.0]);
    driver.update(Command::RecoverWork);
    assert!(matches!(driver.effects[..], [Effect::FindUnsavedWork]), "{:?}", driver.effects);
    let found = vec![work("a.wad", None), work("b.wad", Some("b.wad"))];
    driver.update(FileAction::UnsavedWorkListed(found));
    driver.frames(4);
    assert!(!driver.has("unsaved-work0") && driver.has("unsaved-work1"), "{:?}", driver.ids());
    driver.click("unsaved-work1");
    driver.frames(3);
    assert!(!driver.has("unsaved-work-close"));
    let is_opened = |effect: &Effect| matches!(effect, Effect::Open(path) if path.ends_with("b.wad"));
    assert!(driver.effects.iter().any(is_opened), "{:?}", driver.effects);
}

#[test]
fn a_row_that_is_too_long_is_shown_whole_under_the_mouse() {
    for (length, is_cut) in [(20, false), (300, true)] {
        let mut driver = Driver::new(arm(), [1280.0, 720.0]);
        let detail = "long ".repeat(length / 5);
        let row = UnsavedWork { place: detail, ..work("a.wad", Some("a.wad")) };
        show(&mut driver, vec![row]);
        driver.frames(4);
        let button = driver.place("unsaved-work0");
        driver.point([button.min[0] - 200.0, button.min[1] + 5.0]);
        driver.frames(4);
        assert_eq!(driver.has("unsaved-work-tip"), is_cut, "{length}");
    }
}

#[test]
fn the_list_is_closed_by_its_button_and_by_escape() {
    let mut driver = Driver::new(arm(), [1280.0, 720.0]);
    show(&mut driver, Vec::new());
    driver.frames(4);
    driver.click("unsaved-work-close");
    driver.frames(3);
    assert!(!driver.has("unsaved-work-close") && driver.editor.session.transient.question.is_none());
    for rows in [2, 30] {
        show(&mut driver, vec![work("a.wad", Some("a.wad")); rows]);
        driver.frames(4);
        assert!(driver.has("unsaved-work-close"), "{rows} rows");
        driver.escape();
        driver.frames(3);
        assert!(!driver.has("unsaved-work-close"), "{rows} rows");
    }
}
