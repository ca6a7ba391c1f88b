//! What the viewport shows with the model, driven by mouse and keys.

use keypose::anim::skin::method::Method;
use keypose_editor::editor::document::edit::ModelEdit;
use keypose_editor::editor::panels::ui::rect::Rect;
use keypose_editor::editor::session::command::Command;
use keypose_editor::editor::session::display::{Shading, ShownPose};
use keypose_editor::editor::session::selection::Pick;
use keypose_editor::editor::session::switch::Switch;
use keypose_editor::editor::state::action::{Action, SelectAction, ViewAction};
use keypose_editor::editor::view::scene;

use crate::driver::{Driver, driver};

#[test]
fn the_popover_stays_open_while_things_are_switched() {
    let mut driver = driver();
    driver.click("display");
    for shading in Shading::ALL {
        driver.click(&format!("display-{}", shading.name()));
        assert_eq!(driver.editor.session.workspace.display.shading, shading);
    }
    let switches = [
        ("Bones", Switch::Skeleton),
        ("Bone names", Switch::BoneNames),
        ("Bone axes", Switch::BoneAxes),
        ("Grid", Switch::Grid),
        ("Ghosts", Switch::Ghosts),
        ("Stats", Switch::Stats),
        ("All overlays", Switch::Overlays),
    ];
    for (name, switch) in switches {
        let was_on = driver.editor.session.is_on(switch);
        driver.click(&format!("display-{name}"));
        assert_ne!(driver.editor.session.is_on(switch), was_on, "{name}");
    }
    for pose in ShownPose::ALL {
        driver.click(&format!("display-{}", pose.name()));
        assert_eq!(driver.editor.session.transient.pose.shown(), pose);
    }
    driver.strike("Escape");
    assert!(!driver.has("display-Lit"));
    assert_eq!(driver.editor.history.undo_count(), 0);
}

#[test]
fn escape_leads_back_from_a_pose_that_is_looked_at() {
    let mut driver = driver();
    driver.update(ViewAction::ShowPose(ShownPose::Rest));
    driver.strike("Escape");
    assert_eq!(driver.editor.session.transient.pose.shown(), ShownPose::Clip);
}

#[test]
fn each_shading_whose_colours_mean_something_has_a_legend_in_the_viewport() {
    let mut driver = driver();
    let picture = driver.place("picture");
    for shading in Shading::ALL {
        driver.update(ViewAction::SetShading(shading));
        driver.frames(2);
        let plain = [Shading::Lit, Shading::Flat, Shading::Silhouette, Shading::Wireframe, Shading::XRay];
        assert_eq!(driver.has("legend"), !plain.contains(&shading), "{shading:?}");
        if driver.has("legend") {
            let card = driver.place("legend");
            let is_inside = picture.contains(card.min) && picture.contains([card.max[0] - 1.0, card.max[1] - 1.0]);
            assert!(is_inside, "{shading:?}: {card:?} in {picture:?}");
        }
    }
    driver.update(ViewAction::SetShading(Shading::BoneColors));
    let heights = [0, 1, 2].map(|count| {
        driver.update(SelectAction::Bones { bones: (0..count).collect(), pick: Pick::Only });
        driver.frames(2);
        driver.place("legend").height()
    });
    assert!(heights[0] < heights[1] && heights[1] < heights[2], "a line for each selected bone: {heights:?}");
    driver.update(ViewAction::Toggle(Switch::Stats));
    driver.frames(2);
    assert!(driver.has("stats"));
    driver.strike("Shift+Alt+Z");
    assert!(!driver.has("stats"), "they are overlays");
}

#[test]
fn two_methods_of_skinning_have_their_names_over_the_halves() {
    let mut driver = driver();
    let methods =
        [(Method::Linear, "Dual quaternion"), (Method::Rigid, "Rigid"), (Method::Interpolated, "Matrix-interpolated")];
    for size in [[1280.0, 720.0], [640.0, 480.0]] {
        driver.resize(size);
        for (method, other) in methods {
            driver.update(Action::edit("Set skinning", ModelEdit::SetSkinning { model: 0, skinning: method }));
            if !driver.editor.session.is_on(Switch::SkinningSplit) {
                driver.update(Command::ToggleSkinningSplit);
            }
            driver.frames(2);
            let frame = scene::frame(driver.editor.source(), &driver.editor.view());
            assert_eq!(frame.split, Some(method.compared()));
            let (picture, left) = (driver.place("picture"), driver.place("split-Linear"));
            let (right, tools) = (driver.place(&format!("split-{other}")), driver.place("tools"));
            assert!(left.max[0] < picture.center()[0] && right.min[0] > picture.center()[0], "{left:?} {right:?}");
            assert!(
                right.max[0] <= picture.max[0] && left.min[0] >= picture.min[0],
                "{left:?} {right:?} in {picture:?}"
            );
            let apart = |a: Rect, b: Rect| (0..2).any(|axis| a.max[axis] <= b.min[axis] || b.max[axis] <= a.min[axis]);
            assert!(apart(left, tools), "{left:?} over {tools:?}");
            for over in ["hint", "legend", "stats", "first-steps"].iter().filter(|id| driver.has(id)) {
                let place = driver.place(over);
                assert!(apart(left, place) && apart(right, place), "{over}: {place:?} over {left:?} or {right:?}");
            }
        }
    }
    driver.update(Command::ToggleSkinningSplit);
    driver.frames(2);
    assert!(!driver.has("split-Linear"));
}

#[test]
fn the_popover_of_the_ghosts_says_which_there_are() {
    let mut driver = driver();
    driver.click("ghosts");
    assert!(driver.editor.session.is_on(Switch::Ghosts));
    driver.click("open-ghosts");
    driver.drag("ghosts-After0", [60.0, 0.0]);
    assert!(driver.editor.session.workspace.ghosts.neighbours[1] > 2);
    driver.enter("ghosts-Before0", "0");
    assert_eq!(driver.editor.session.workspace.ghosts.neighbours[0], 0);
    for (name, switch) in [("Mirrored pose", Switch::GhostMirror), ("Last saved version", Switch::GhostSaved)] {
        driver.click(&format!("ghosts-{name}"));
        assert!(driver.editor.session.is_on(switch), "{name}");
    }
    driver.choose("ghosts-Other clip", "rest");
    assert_eq!(driver.editor.session.workspace.ghosts.clip, Some(driver.model().clips[1].id));
    driver.click("ghosts-keep");
    assert_eq!(driver.editor.session.workspace.pinned_ghosts, None, "no keyframe is selected");
    driver.drag("ghosts-Opacity0", [40.0, 0.0]);
    assert!(driver.editor.session.workspace.ghosts.opacity > 30);
    assert_eq!(driver.editor.history.undo_count(), 0);
}

#[test]
fn selected_keyframes_are_kept_and_dropped() {
    let mut driver = driver();
    driver.click("block2");
    driver.click("open-ghosts");
    driver.click("ghosts-keep");
    let kept =
        |driver: &Driver| driver.editor.session.workspace.pinned_ghosts.as_ref().map(|pinned| pinned.keyframes.len());
    assert_eq!(kept(&driver), Some(1));
    driver.click("ghosts-drop");
    assert_eq!(kept(&driver), None);
}

#[test]
fn a_line_of_a_kind_shows_it_also_while_ghosts_are_off() {
    let mut driver = driver();
    driver.click("open-ghosts");
    driver.click("ghosts-Neighbours");
    assert!(driver.editor.session.is_on(Switch::GhostNeighbours) && driver.editor.session.is_on(Switch::Ghosts));
    driver.click("ghosts-Neighbours");
    assert!(!driver.editor.session.is_on(Switch::GhostNeighbours) && driver.editor.session.is_on(Switch::Ghosts));
}

#[test]
fn trails_are_kept_from_their_popover() {
    let mut driver = driver();
    driver.click("bone2");
    driver.click("trails");
    assert!(driver.editor.session.is_on(Switch::Trails));
    driver.click("open-trails");
    driver.click("trails-Pin selected");
    assert!(driver.editor.session.focus.trails.contains(&2));
    driver.click("trails-Unpin all");
    assert!(driver.editor.session.focus.trails.is_empty());
}
