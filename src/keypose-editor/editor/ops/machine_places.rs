//! Places for the states of a machine: in columns, so that most arrows lead to the right.

use glam::Vec2;

use keypose::anim::machine::parts::{MachineParts, TransitionSource};

/// Distance of columns and of rows, in grid steps.
const STEP: Vec2 = Vec2::new(20.0, 7.0);
/// Maximum states below each other.
const MAX_ROWS: usize = 5;

/// The places of all states. A state's column is the number of transitions from the start; states that are entered from any state alone
/// are on the right. Every other column is half a row lower, so that arrows pass between the states.
pub fn arranged(parts: &MachineParts) -> Vec<Vec2> {
    let depths = depths(parts);
    let last = depths.iter().flatten().max().map_or(0, |depth| depth + 1);
    let mut columns: Vec<Vec<usize>> = vec![Vec::new(); last + 1];
    for (state, depth) in depths.iter().enumerate() {
        columns[depth.unwrap_or(last)].push(state);
    }
    let mut places = vec![Vec2::ZERO; parts.states.len()];
    for (column, states) in columns.iter().flat_map(|column| column.chunks(MAX_ROWS)).enumerate() {
        let lower = if column % 2 == 1 { 0.5 } else { 0.0 };
        for (row, state) in states.iter().enumerate() {
            places[*state] = (Vec2::new(column as f32, row as f32 + lower) * STEP).round();
        }
    }
    places
}

/// The number of transitions from the start to each state; `None` if only those from any state lead there.
fn depths(parts: &MachineParts) -> Vec<Option<usize>> {
    let at = |name: &str| parts.states.iter().position(|state| state.name == name);
    let mut depths = vec![None; parts.states.len()];
    let mut queue: Vec<usize> = at(&parts.start).into_iter().collect();
    queue.iter().for_each(|start| depths[*start] = Some(0));
    let mut next = 0;
    while let Some(&state) = queue.get(next) {
        next += 1;
        let from = TransitionSource::State(parts.states[state].name.clone());
        for to in parts.transitions.iter().filter(|transition| transition.from == from).filter_map(|way| at(&way.to)) {
            if depths[to].is_none() {
                depths[to] = depths[state].map(|depth| depth + 1);
                queue.push(to);
            }
        }
    }
    depths
}

#[cfg(test)]
mod tests {
    use super::*;
    use keypose::anim::machine::parts::{Motion, StateDef, TransitionDef};

    #[test]
    fn arrows_lead_right_and_no_two_states_share_a_place() {
        let state = |name: &str| StateDef::new(name, Motion::Clip(name.into()));
        let names = ["idle", "walk", "run", "hit", "a", "b", "c", "d", "e", "f"];
        let way = |from: &str, to: &str| TransitionDef::new(TransitionSource::State(from.into()), to);
        let parts = MachineParts {
            start: "idle".into(),
            states: names.into_iter().map(state).collect(),
            transitions: vec![way("idle", "walk"), way("walk", "run"), way("run", "idle")],
            ..MachineParts::default()
        };
        let places = arranged(&parts);
        assert!(places[0].x < places[1].x && places[1].x < places[2].x && places[2].x < places[3].x, "{places:?}");
        for (at, place) in places.iter().enumerate() {
            assert!(!places[..at].contains(place), "{places:?}");
        }
    }
}
