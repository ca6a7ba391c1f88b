//! A model with hundreds of bones: lists cost what is seen of them.

use keypose::assets::project::Project;
use keypose_editor::editor::session::selection::Pick;
use keypose_editor::editor::state::action::SelectAction;

use crate::driver::Driver;
use crate::generated::model;

fn driver(bones: usize) -> Driver {
    let mut project = Project::default();
    project.add_model(model(bones, 2000));
    Driver::new(project, [1280.0, 800.0])
}

/// The bones whose lines are drawn, in order.
fn drawn(driver: &Driver) -> Vec<u16> {
    let mut bones: Vec<u16> = driver.ids().iter().filter_map(|id| id.strip_prefix("bone")?.parse().ok()).collect();
    bones.sort_by(|a, b| driver.place(&format!("bone{a}")).min[1].total_cmp(&driver.place(&format!("bone{b}")).min[1]));
    bones
}

#[test]
fn the_bone_list_draws_the_lines_that_are_seen() {
    let counts = [61, 501].map(|bones| {
        let driver = driver(bones);
        assert_eq!(drawn(&driver).first(), Some(&0));
        drawn(&driver).len()
    });
    assert!(counts[1] <= counts[0] && (5..60).contains(&counts[1]), "{counts:?}");
}

#[test]
fn a_bone_far_down_is_found_by_scrolling_by_search_and_by_selection() {
    let mut driver = driver(501);
    driver.hover("##bones");
    (0..20).for_each(|_| driver.wheel(-50.0));
    let last = *drawn(&driver).last().unwrap();
    assert!(!drawn(&driver).contains(&0), "{:?}", drawn(&driver));
    driver.click(&format!("bone{last}"));
    assert_eq!(driver.editor.session.focus.selection.active_bone(), Some(last));
    // The first line is in sight again once its bone is selected elsewhere.
    driver.update(SelectAction::Bones { bones: vec![0], pick: Pick::Only });
    driver.frames(3);
    assert!(drawn(&driver).contains(&0));
    driver.click("bone-search");
    driver.text("tentacle07_2");
    driver.frames(2);
    let found = drawn(&driver);
    assert!((1..=5).contains(&found.len()), "{found:?}");
    driver.click(&format!("bone{}", found[1]));
    assert_eq!(driver.editor.session.focus.selection.active_bone(), Some(found[1]));
}
