//! Letters over each panel, with the mouse where a person leaves it.

use glam::EulerRot;
use keypose_editor::editor::panels::window::layout::Panel;
use keypose_editor::editor::session::notice::Offer;
use keypose_editor::editor::session::selection::Pick;
use keypose_editor::editor::state::action::{DocumentAction, SelectAction};

use crate::driver::{Driver, driver};

/// Degrees of the upper bone about its x.
fn turned(driver: &Driver) -> f32 {
    driver.editor.view().local.get(1).rotation.to_euler(EulerRot::XYZ).0.to_degrees()
}

/// The steps of the tutorial: a bone, a key, a keyframe behind it, and a rotation.
#[test]
fn pose_letters_rotate_the_bone_wherever_the_mouse_is() {
    let places = [
        "append",
        "block0",
        "block3",
        "ruler",
        "panel Timeline",
        "panel Viewport",
        "panel Clips",
        "panel Bones",
        "panel Inspector",
        "transport2",
    ];
    for panel in [Panel::Strip, Panel::Machine] {
        let mut driver = driver();
        driver.update(SelectAction::Bones { bones: vec![1], pick: Pick::Only });
        driver.strike("I");
        driver.click("append");
        driver.point([3.0, 3.0]);
        driver.show(panel);
        let before = (driver.durations(), turned(&driver));
        // Some are behind the machine.
        let shown = places.into_iter().filter(|place| panel == Panel::Strip || driver.has(place)).collect::<Vec<_>>();
        assert!(shown.len() >= 4, "{panel:?}: {shown:?}");
        for place in shown {
            driver.hover(place);
            driver.strikes(&["R", "X", "4", "0", "Enter"]);
            assert_eq!(driver.durations(), before.0, "{place}");
            assert!((turned(&driver) - before.1 - 40.0).abs() < 0.1, "{place}: {}", turned(&driver));
            driver.update(DocumentAction::Undo);
            assert!((turned(&driver) - before.1).abs() < 0.1, "{place}: {}", turned(&driver));
        }
    }
}

/// After +, whose keyframe is selected, no letter moves its keys in time instead.
#[test]
fn the_letters_of_keys_move_and_scale_bones_over_the_pose_strip() {
    let mut driver = driver();
    driver.update(SelectAction::Bones { bones: vec![1], pick: Pick::Only });
    driver.click("append");
    let before = (driver.durations(), driver.editor.view().local.get(1));
    driver.strikes(&["G", "Y", "2", "Enter"]);
    driver.strikes(&["S", "3", "Enter"]);
    let after = driver.editor.view().local.get(1);
    assert!((after.translation - before.1.translation).length() > 1.9, "{after:?}");
    assert!((after.scale.y - before.1.scale.y * 3.0).abs() < 0.01, "{after:?}");
    assert_eq!((driver.durations(), driver.editor.session.focus.selection.bones.len()), (before.0, 1));
}

#[test]
fn a_panel_that_was_not_clicked_deletes_nothing() {
    for key in ["X", "Delete", "Alt+X"] {
        let mut driver = driver();
        driver.hover("block1");
        driver.strike(key);
        assert_eq!(driver.durations(), [4, 6, 10], "{key}");
        assert!(driver.notice().contains("click in the panel first"), "{key}: {}", driver.notice());
        // Not the panel of the last click.
        driver.click("block1");
        driver.hover("panel Viewport");
        driver.strike(key);
        assert_eq!(driver.durations().len(), 3, "{key}");
        driver.hover("block1");
        driver.strike(key);
        assert_eq!(driver.durations().len(), 2, "{key}");
    }
}

#[test]
fn a_deletion_says_so_and_is_undone_by_its_toast() {
    let mut driver = driver();
    driver.click("block1");
    driver.strike("X");
    assert_eq!((driver.durations().len(), driver.notice().as_str()), (2, "Deleted keyframe"));
    let offer = driver.editor.session.transient.notice.as_ref().and_then(|notice| notice.offer.clone());
    assert_eq!(offer, Some(Offer::Undo));
    driver.click("accept-offer");
    assert_eq!((driver.durations(), driver.notice().as_str()), (vec![4, 6, 10], ""));
}

#[test]
fn the_strip_stays_while_durations_are_typed_one_after_another() {
    let mut driver = driver();
    let (first, second) = (driver.place("block0"), driver.place("block1"));
    driver.hover("block0");
    driver.strikes(&["9", "Enter"]);
    let points = (first.max[0] - first.min[0]) / 4.0;
    let now = driver.place("block0");
    assert!(
        (now.min[0] - first.min[0]).abs() < 1.5 && ((now.max[0] - now.min[0]) / 9.0 - points).abs() < 1.0,
        "{now:?}"
    );
    driver.strikes(&["4", "Enter"]);
    assert!((driver.place("block1").min[0] - second.min[0]).abs() < 1.5, "{:?}", driver.place("block1"));
}
