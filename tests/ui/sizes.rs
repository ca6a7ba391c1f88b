//! Nothing that the program itself says is cut: in every panel and popup, at the sizes that it is made for.

use std::collections::BTreeSet;

use keypose::editor::document::edit::ModelEdit;
use keypose::editor::panels::window::layout::Panel;
use keypose::editor::posing::change::Change;
use keypose::editor::script;
use keypose::editor::session::Popup;
use keypose::editor::session::command::Command;
use keypose::editor::state::action::{DocumentAction, FileAction, ProgramAction};

use crate::driver::{Driver, arm};

/// Points: a window of 1280 × 720 pixels, one of 1920 × 1080 at 200 %, and one of 1280 × 720 at 150 %.
const SIZES: [[f32; 2]; 3] = [[1280.0, 720.0], [960.0, 540.0], [853.0, 480.0]];

/// What the editor is like, in words.
const STATES: [&str; 6] = [
    "",
    "select upper",
    "select root upper lower; switch only-keyed",
    "clip rest",
    "clip none",
    "select upper; seek 2f; pose upper rotation 0 0 20",
];

const POPUPS: [Popup; 8] = [
    Popup::KeyMenu,
    Popup::EaseMenu,
    Popup::TangentMenu,
    Popup::Finder,
    Popup::Shortcuts,
    Popup::MirrorTable,
    Popup::Preferences,
    Popup::About,
];

fn cut(driver: &Driver, place: &str, found: &mut BTreeSet<String>) {
    found.extend(driver.ids().iter().filter_map(|id| Some(format!("{place}: {}", id.strip_prefix("cut: ")?))));
}

/// Every panel in front once.
fn look_at_panels(driver: &mut Driver, place: &str, found: &mut BTreeSet<String>) {
    for panel in Panel::ALL {
        driver.dock.show(panel);
        driver.frames(3);
        cut(driver, &format!("{place}, {}", panel.name()), found);
    }
}

#[test]
fn no_panel_cuts_its_words() {
    let mut found = BTreeSet::new();
    for size in SIZES {
        let mut driver = Driver::new(arm(), size);
        for state in STATES {
            script::run(&mut driver.editor, state).unwrap();
            look_at_panels(&mut driver, &format!("{size:?} {state}"), &mut found);
        }
        for view in [Command::ShowSheet, Command::ShowCurves] {
            driver.update(view);
            look_at_panels(&mut driver, &format!("{size:?} {view:?}"), &mut found);
        }
        // Where there is little room the names in the machine's picture shrink with it, and are cut.
        if size == SIZES[0] {
            driver.update(Command::CreateStateMachine);
            look_at_panels(&mut driver, &format!("{size:?} machine"), &mut found);
        }
    }
    assert!(found.is_empty(), "{}", found.into_iter().collect::<Vec<_>>().join("\n"));
}

#[test]
fn an_empty_document_cuts_no_words() {
    let mut found = BTreeSet::new();
    for size in SIZES {
        let mut driver = Driver::new(Default::default(), size);
        look_at_panels(&mut driver, &format!("{size:?} empty"), &mut found);
    }
    assert!(found.is_empty(), "{}", found.into_iter().collect::<Vec<_>>().join("\n"));
}

#[test]
fn no_popup_cuts_its_words() {
    let mut found = BTreeSet::new();
    for size in SIZES {
        let mut driver = Driver::new(arm(), size);
        let change = Change::Edits(vec![ModelEdit::RenameModel { model: 0, name: "other".into() }.into()]);
        driver.update(DocumentAction::Edit { label: "rename".into(), change });
        for popup in POPUPS {
            driver.update(ProgramAction::ShowPopup(Some(popup)));
            driver.frames(4);
            cut(&driver, &format!("{size:?} {popup:?}"), &mut found);
            driver.update(ProgramAction::ShowPopup(None));
            driver.frames(3);
        }
        driver.update(FileAction::New);
        driver.frames(4);
        cut(&driver, &format!("{size:?} unsaved"), &mut found);
    }
    assert!(found.is_empty(), "{}", found.into_iter().collect::<Vec<_>>().join("\n"));
}
