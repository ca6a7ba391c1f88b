//! The differences between two animation tables or state machines: parameters, states, transitions and layers by name.

use crate::anim::machine::def::place_of;
use crate::anim::machine::parts::MachineParts;
use crate::assets::machine::{AnimationTable, Graph};
use crate::wad::diff::paired;

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
    named("parameter", &a.parameters, &b.parameters, |it| &it.name, lines);
    named("state", &a.states, &b.states, |it| &it.name, lines);
    if a.start != b.start {
        lines.push(format!("the start state changed from {1} to {0}", b.start, a.start));
    }
    transitions(a, b, lines);
    named("layer", &a.layers, &b.layers, |it| &it.name, lines);
    let order = |parts: &MachineParts| parts.layers.iter().map(|it| it.name.clone()).collect::<Vec<_>>();
    if lines.is_empty() && order(a) != order(b) {
        lines.push("order of layers changed".to_owned());
    }
    if before.places != after.places && lines.is_empty() {
        lines.push("positions of states changed".to_owned());
    }
}

fn named<'a, T: PartialEq>(what: &str, before: &'a [T], after: &'a [T], name: fn(&T) -> &str, lines: &mut Vec<String>) {
    let by_name = |parts: &'a [T]| parts.iter().map(move |part| (name(part), part));
    for (name, pair) in paired(by_name(before), by_name(after)) {
        match pair {
            (Some(_), None) => lines.push(format!("{what} {name} removed")),
            (None, Some(_)) => lines.push(format!("{what} {name} added")),
            (Some(old), Some(new)) if old != new => lines.push(format!("{what} {name} changed")),
            _ => {}
        }
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
