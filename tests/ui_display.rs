//! What the viewport shows with the model, driven by mouse and keys.

mod ui;

use keypose::editor::display::{Shading, ShownPose};
use keypose::editor::session::Switch;
use ui::{Driver, arm};

fn driver() -> Driver {
    Driver::new(arm(), [1280.0, 720.0])
}

#[test]
fn the_popover_stays_open_while_things_are_switched() {
    let mut driver = driver();
    driver.click("display");
    for shading in Shading::ALL {
        driver.click(&format!("display-{}", shading.name()));
        assert_eq!(driver.editor.session.display.shading, shading);
    }
    let switches = [
        ("Bones", Switch::Skeleton),
        ("Bone names", Switch::BoneNames),
        ("Bone axes", Switch::BoneAxes),
        ("Grid", Switch::Grid),
        ("Ghosts", Switch::OnionSkin),
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
        assert_eq!(driver.editor.session.display.pose, pose);
    }
    driver.strike("Escape");
    assert!(!driver.has("display-Lit"));
    assert_eq!(driver.editor.history.undo_count(), 0);
}

#[test]
fn escape_leads_back_from_a_pose_that_is_looked_at() {
    let mut driver = driver();
    driver.update(keypose::editor::action::Action::ShowPose(ShownPose::Rest));
    driver.strike("Escape");
    assert_eq!(driver.editor.session.display.pose, ShownPose::Clip);
}

#[test]
fn stats_and_the_colours_of_weights_show_where_they_are_switched_on() {
    let mut driver = driver();
    assert!(!driver.has("stats") && !driver.has("weights"));
    driver.update(keypose::editor::action::Action::Toggle(Switch::Stats));
    driver.update(keypose::editor::action::Action::SetShading(Shading::Weights));
    driver.frames(2);
    let (stats, weights) = (driver.place("stats"), driver.place("weights"));
    assert!(stats.max[1] <= weights.min[1], "one stands above the other");
    driver.strike("Shift+Alt+Z");
    assert!(!driver.has("stats"), "they are overlays");
}
