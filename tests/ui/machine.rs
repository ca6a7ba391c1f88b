//! The panel of the state machine with real Dear ImGui: made, picked, dragged, previewed, undone.

use keypose::anim::machine::parts::{Condition, TransitionSource};
use keypose::assets::machine::Graph;
use keypose_editor::editor::panels::window::layout::Panel;
use keypose_editor::editor::script;
use keypose_editor::editor::session::machine::{MachineAction, Picked};

use crate::driver::{Driver, arm, demo};

const SIZE: [f32; 2] = [1600.0, 1000.0];

/// On the kit's arm, with the panel in front.
fn driver() -> Driver {
    let mut driver = Driver::new(arm(), SIZE);
    driver.show(Panel::Machine);
    driver
}

/// With a machine made by the panel's own button.
fn made() -> Driver {
    let mut driver = driver();
    driver.click("create-state-machine");
    driver.frames(3);
    driver
}

fn graph(driver: &Driver) -> &Graph {
    driver.model().machine.graph.as_ref().expect("there is a machine")
}

#[test]
fn without_a_machine_the_panel_offers_one_and_undo_takes_it_back() {
    let mut driver = made();
    assert!(driver.has("state-idle") && driver.has("state-any"));
    driver.strike("Ctrl+Z");
    driver.frames(2);
    assert!(driver.model().machine.graph.is_none() && driver.has("create-state-machine"));
}

#[test]
fn what_is_created_is_shown_before() {
    let mut driver = driver();
    let proposed = |driver: &Driver, prefix: &str| -> Vec<String> {
        driver.ids().iter().filter_map(|id| Some(id.strip_prefix(prefix)?.to_owned())).collect()
    };
    let states: Vec<String> =
        proposed(&driver, "proposed-").into_iter().filter(|id| id != "any" && !id.starts_with("transition")).collect();
    assert!(!states.is_empty() && driver.has("still-graph"));
    let count = proposed(&driver, "text ")
        .iter()
        .find_map(|text| text.split_once(": ")?.1.split(" transition").next()?.parse::<usize>().ok());
    assert!(driver.model().machine.graph.is_none() && driver.editor.history.undo_count() == 0, "only a preview");
    driver.drag("still-graph", [50.0, 20.0]);
    assert_eq!(driver.editor.history.undo_count(), 0, "it can't be edited");
    driver.click("create-state-machine");
    driver.frames(3);
    let parts = graph(&driver).def.parts();
    let mut made: Vec<String> = parts.states.iter().map(|state| state.name.clone()).collect();
    made.sort();
    assert_eq!(states, made);
    assert_eq!(count, Some(parts.transitions.len()));
    assert_eq!(driver.editor.history.undo_count(), 1);
}

#[test]
fn the_search_field_picks_the_first_state_that_has_the_words() {
    let mut driver = Driver::new(demo(), SIZE);
    driver.show(Panel::Machine);
    driver.click("graph-search");
    driver.frames(2);
    driver.text("jum");
    driver.frames(3);
    assert_eq!(driver.editor.session.focus.machine, Picked::State("jump".into()));
    assert_eq!(driver.editor.history.undo_count(), 0);
}

#[test]
fn a_click_picks_a_state_and_a_drag_moves_it_in_one_step() {
    let mut driver = made();
    let (steps, before) = (driver.editor.history.undo_count(), graph(&driver).places[0]);
    driver.click("state-idle");
    assert_eq!(driver.editor.session.focus.machine, Picked::State("idle".into()));
    assert_eq!(driver.editor.history.undo_count(), steps, "a click changes nothing");
    driver.drag("state-idle", [60.0, 30.0]);
    driver.frames(2);
    let after = graph(&driver).places[0];
    assert!(after.x > before.x + 2.0 && after.y > before.y + 1.0, "{before} to {after}");
    assert_eq!(driver.editor.history.undo_count(), steps + 1);
    driver.strike("Ctrl+Z");
    driver.frames(2);
    assert_eq!(graph(&driver).places[0], before);
}

#[test]
fn a_drag_from_a_states_dot_makes_a_transition() {
    let mut driver = made();
    let count = graph(&driver).def.parts().transitions.len();
    let (from, to) = (driver.place("state-idle"), driver.place("state-climb"));
    driver.drag_between([from.max[0], from.center()[1]], to.center());
    driver.frames(2);
    let transitions = &graph(&driver).def.parts().transitions;
    assert_eq!(transitions.len(), count + 1);
    assert_eq!(transitions[count].to, "climb");
    assert_eq!(driver.editor.session.focus.machine, Picked::Transition(count));
    assert!(driver.has("transition-Fade-Matched"), "its fields are shown");
    driver.click("transition-Fade-Matched");
    driver.point(driver.place("graph").center());
    driver.strike("Delete");
    driver.frames(2);
    assert_eq!(graph(&driver).def.parts().transitions.len(), count, "Delete takes what is picked");
}

#[test]
fn a_drag_of_a_conditions_number_is_one_step_and_escape_takes_it_back() {
    let mut driver = made();
    let compares = |condition: &Condition| matches!(condition, Condition::Above { .. } | Condition::Below { .. });
    let transitions = &graph(&driver).def.parts().transitions;
    let at = transitions.iter().position(|it| it.conditions.first().is_some_and(compares)).unwrap();
    let value = |driver: &Driver| match graph(driver).def.parts().transitions[at].conditions[0] {
        Condition::Above { value, .. } | Condition::Below { value, .. } => value,
        ref other => panic!("{other:?}"),
    };
    driver.update(MachineAction::Pick(Picked::Transition(at)));
    driver.frames(3);
    let (steps, before) = (driver.editor.history.undo_count(), value(&driver));
    driver.drag("than0", [40.0, 0.0]);
    driver.frames(2);
    assert!(value(&driver) > before + 0.05, "{before} to {}", value(&driver));
    assert_eq!(driver.editor.history.undo_count(), steps + 1);
    driver.strike("Ctrl+Z");
    driver.frames(2);
    assert_eq!(value(&driver), before);
    driver.enter("than0", "0.75");
    assert_eq!((value(&driver), driver.editor.history.undo_count()), (0.75, steps + 1));
    driver.pull("than0", [30.0, 0.0]);
    driver.strike("Esc");
    driver.button(imgui::MouseButton::Left, false);
    driver.frames(2);
    assert_eq!((value(&driver), driver.editor.history.undo_count()), (0.75, steps + 1));
}

#[test]
fn a_switch_starts_the_preview_which_is_no_step_and_escape_ends_it() {
    let mut driver = made();
    let (steps, document) = (driver.editor.history.undo_count(), driver.editor.document.clone());
    driver.click("set-on ladder");
    driver.update(keypose_editor::editor::state::action::Action::Tick(keypose::anim::time::Time::TICK));
    driver.frames(2);
    let preview = driver.editor.session.transient.pose.machine().expect("it plays");
    assert_eq!(preview.machine.state_name(), "climb");
    assert!(driver.editor.document.is_same(&document) && driver.editor.history.undo_count() == steps);
    driver.strike("Escape");
    driver.frames(2);
    assert!(driver.editor.session.transient.pose.machine().is_none());
}

#[test]
fn a_state_becomes_a_blend_whose_points_are_dragged_in_one_step() {
    let mut driver = made();
    driver.click("state-move");
    driver.frames(2);
    driver.click("motion-1D blend");
    driver.frames(2);
    let at = |driver: &Driver| {
        let state = graph(driver).def.state("move").unwrap();
        match &graph(driver).def.parts().states[state].motion {
            keypose::anim::machine::parts::Motion::Line(line) => line.points.iter().map(|point| point.at).collect(),
            other => panic!("{other:?}"),
        }
    };
    let before: Vec<f32> = at(&driver);
    assert_eq!(before, [0.0, 1.0]);
    let steps = driver.editor.history.undo_count();
    let pad = driver.place("blend-pad");
    // The line goes from 0 to a quarter beyond the last point.
    let last = [pad.min[0] + 8.0 + (pad.size()[0] - 16.0) / 1.25, pad.center()[1]];
    driver.drag_between(last, [last[0] - 40.0, last[1]]);
    driver.frames(2);
    let after: Vec<f32> = at(&driver);
    assert!(after[1] < 0.95 && after[1] > 0.3, "{after:?}");
    assert_eq!(driver.editor.history.undo_count(), steps + 1);
    driver.enter("point0-at0", "6.5");
    let typed: Vec<f32> = at(&driver);
    assert_eq!(typed, [after[1], after[1]], "a point stays between its neighbours");
}

#[test]
fn any_state_is_a_badge_and_no_name_of_a_state_is_cut() {
    let mut driver = made();
    let ids = driver.ids();
    assert!(ids.iter().filter(|id| id.starts_with("badge-")).count() > 3, "{ids:?}");
    for state in &graph(&driver).def.parts().states {
        assert!(!driver.has(&format!("cut: {}", state.name)), "{}", state.name);
    }
    driver.click("badge-climb");
    let Picked::Transition(at) = driver.editor.session.focus.machine.clone() else { panic!("no transition") };
    let picked = &graph(&driver).def.parts().transitions[at];
    assert_eq!((&picked.from, picked.to.as_str()), (&TransitionSource::Any, "climb"));
    // The sign in the corner adds more of them.
    let (steps, before) = (driver.editor.history.undo_count(), graph(&driver).def.parts().transitions.len());
    let (from, to) = (driver.place("state-any"), driver.place("state-idle"));
    driver.drag_between([from.max[0], from.center()[1]], [to.center()[0], to.min[1] + 6.0]);
    driver.frames(2);
    assert_eq!(driver.editor.history.undo_count(), steps + 1);
    assert_eq!(graph(&driver).def.parts().transitions.len(), before + 1);
}

#[test]
fn of_two_transitions_between_the_same_states_only_the_taken_one_has_a_last_time() {
    let mut driver = made();
    let script = "machine add-transition idle move; machine preview on; machine set speed 2; tick 1f; tick 1f";
    script::run(&mut driver.editor, script).unwrap();
    let transitions = graph(&driver).def.parts().transitions.clone();
    let preview = driver.editor.session.transient.pose.machine().expect("it plays");
    assert_eq!(preview.machine.state_name(), "move");
    let taken: Vec<usize> = (0..transitions.len()).filter(|at| preview.last_time(*at).is_some()).collect();
    let [taken] = taken[..] else { panic!("{taken:?}") };
    assert_eq!((preview.last_time(taken).unwrap().0, &*transitions[taken].to), ("idle", "move"));
}
