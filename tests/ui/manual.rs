//! The manual: which page F1 opens, links, search, and how it closes.

use keypose_editor::editor::session::command::Command;

use crate::driver::{Driver, arm};

fn driver() -> Driver {
    Driver::new(arm(), [1600.0, 936.0])
}

/// Moves the mouse to a widget and presses a key there.
fn press_over(driver: &mut Driver, id: &str, stroke: &str) {
    driver.hover(id);
    driver.frames(2);
    driver.strike(stroke);
    driver.frames(3);
}

fn page(driver: &Driver) -> Option<String> {
    driver.ids().iter().find_map(|id| id.strip_prefix("page ").map(str::to_owned))
}

#[test]
fn f1_opens_the_page_about_the_panel_under_the_mouse() {
    let mut driver = driver();
    assert_eq!(page(&driver), None);
    for (id, expected) in [("block0", "time.md"), ("bone1", "posing.md"), ("picture", "posing.md")] {
        press_over(&mut driver, id, "F1");
        assert_eq!(page(&driver).as_deref(), Some(expected), "{id}");
    }
    press_over(&mut driver, "page posing.md", "F1");
    assert_eq!(page(&driver), None, "F1 over the manual closes it");
}

#[test]
fn the_menu_opens_the_contents_and_escape_closes_them() {
    let mut driver = driver();
    driver.point([800.0, 10.0]);
    driver.frames(2);
    driver.update(Command::Manual);
    driver.frames(3);
    assert_eq!(page(&driver).as_deref(), Some("README.md"));
    driver.click("link first-animation.md");
    driver.frames(3);
    assert_eq!(page(&driver).as_deref(), Some("first-animation.md"));
    driver.click("manual-back");
    driver.frames(3);
    assert_eq!(page(&driver).as_deref(), Some("README.md"));
    press_over(&mut driver, "page README.md", "Escape");
    assert_eq!(page(&driver), None);
}

#[test]
fn a_search_finds_the_section_that_has_all_words() {
    let mut driver = driver();
    press_over(&mut driver, "block0", "F1");
    driver.click("manual-search");
    driver.text("Gizmo of a volume capsule");
    driver.frames(3);
    assert_eq!(page(&driver), None, "the list is shown in place of the page");
    driver.click("manual-found0");
    driver.frames(3);
    assert_eq!(page(&driver).as_deref(), Some("attacks.md"));
}

#[test]
fn a_tooltip_leads_to_the_section_about_its_control() {
    let mut driver = driver();
    driver.hover("view-ShowSheet");
    driver.frames(60);
    assert!(driver.has("tip: Dope sheet") && driver.has("tip below: F1: manual"), "{:?}", driver.ids());
    driver.strike("F1");
    driver.frames(3);
    // The timeline's own page, but not its start.
    assert_eq!(page(&driver).as_deref(), Some("time.md"));
    let shown = driver.place("page time.md");
    let heading = driver.place("heading The dope sheet");
    assert!((shown.min[1]..shown.min[1] + 60.0).contains(&heading.min[1]), "{heading:?} in {shown:?}");
}
