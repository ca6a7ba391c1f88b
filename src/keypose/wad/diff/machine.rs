//! The differences between two animation tables or state machines: parameters, states, transitions and layers by name.

use std::collections::BTreeMap;

use crate::anim::machine::def::place_of;
use crate::anim::machine::parts::MachineParts;
use crate::assets::machine::{AnimationTable, Graph};

/// One line for each difference. Positions in the editor count only if nothing else differs.
pub fn compare(before: &AnimationTable, after: &AnimationTable) -> Vec<String> {
    let mut lines = Vec::new();
    if before.states != after.states {
        lines.push("animation table changed".to_owned());
    }
    match (&before.graph, &after.graph) {
        (None, Some(graph)) => lines.push(format!("state machine added: {}", described(graph))),
        (Some(graph), None) => lines.push(format!("state machine removed: {}", described(graph))),
        (Some(a), Some(b)) if a != b => graphs(a, b, &mut lines),
        _ => {}
    }
    lines
}

fn described(graph: &Graph) -> String {
    let parts = graph.def.parts();
    format!("{} states, {} transitions", parts.states.len(), parts.transitions.len())
}

fn graphs(before: &Graph, after: &Graph, lines: &mut Vec<String>) {
    let (a, b) = (before.def.parts(), after.def.parts());
    named(
        "parameter",
        a.parameters.iter().map(|it| (it.name.as_str(), it)),
        b.parameters.iter().map(|it| (it.name.as_str(), it)),
        lines,
    );
    named(
        "state",
        a.states.iter().map(|it| (it.name.as_str(), it)),
        b.states.iter().map(|it| (it.name.as_str(), it)),
        lines,
    );
    if a.start != b.start {
        lines.push(format!("the start state changed from {1} to {0}", b.start, a.start));
    }
    transitions(a, b, lines);
    named(
        "layer",
        a.layers.iter().map(|it| (it.name.as_str(), it)),
        b.layers.iter().map(|it| (it.name.as_str(), it)),
        lines,
    );
    let order = |parts: &MachineParts| parts.layers.iter().map(|it| it.name.clone()).collect::<Vec<_>>();
    if lines.is_empty() && order(a) != order(b) {
        lines.push("order of layers changed".to_owned());
    }
    if before.places != after.places && lines.is_empty() {
        lines.push("positions of states changed".to_owned());
    }
}

fn named<'a, T: PartialEq + 'a>(
    what: &str,
    before: impl Iterator<Item = (&'a str, &'a T)>,
    after: impl Iterator<Item = (&'a str, &'a T)>,
    lines: &mut Vec<String>,
) {
    let (before, after): (BTreeMap<_, _>, BTreeMap<_, _>) = (before.collect(), after.collect());
    for (name, part) in &before {
        match after.get(name) {
            None => lines.push(format!("{what} {name} removed")),
            Some(other) if other != part => lines.push(format!("{what} {name} changed")),
            Some(_) => {}
        }
    }
    for name in after.keys().filter(|name| !before.contains_key(*name)) {
        lines.push(format!("{what} {name} added"));
    }
}

fn transitions(before: &MachineParts, after: &MachineParts, lines: &mut Vec<String>) {
    if before.transitions == after.transitions {
        return;
    }
    let is_in = |transition, parts: &MachineParts| parts.transitions.contains(transition);
    let count = lines.len();
    for (index, transition) in before.transitions.iter().enumerate().filter(|(_, it)| !is_in(it, after)) {
        lines.push(format!("{} removed or changed", place_of(index, transition)));
    }
    for (index, transition) in after.transitions.iter().enumerate().filter(|(_, it)| !is_in(it, before)) {
        lines.push(format!("{} added or changed", place_of(index, transition)));
    }
    if lines.len() == count {
        lines.push("order of transitions changed".to_owned());
    }
}
