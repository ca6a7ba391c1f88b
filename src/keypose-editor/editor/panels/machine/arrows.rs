//! The arrows of transitions: parallel ones are drawn side by side, a transition to its own state is a loop.

use glam::Vec2;

use crate::editor::panels::machine::graph_view::Node;
use crate::editor::panels::ui::prelude::*;
use crate::editor::session::machine::Picked;
use keypose::anim::machine::parts::{Condition, FadeKind, TransitionDef, TransitionSource};
use keypose::assets::machine::Graph;

/// Distance between parallel arrows, in points.
const APART: f32 = 11.0;

/// A transition on the screen.
pub struct Arrow {
    pub transition: usize,
    /// From tail to head.
    points: Vec<Vec2>,
}

/// The arrows of all transitions.
pub fn of(graph: &Graph, nodes: &[Node]) -> Vec<Arrow> {
    let parts = graph.def.parts();
    let node_of = |name: &str| nodes.iter().find(|node| node.state.is_some_and(|at| parts.states[at].name == name));
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    let mut arrows = Vec::new();
    for (index, transition) in parts.transitions.iter().enumerate() {
        let from = match &transition.from {
            TransitionSource::Any => nodes.iter().find(|node| node.state.is_none()),
            TransitionSource::State(name) => node_of(name),
        };
        let (Some(from), Some(to)) = (from, node_of(&transition.to)) else { continue };
        let pair = (from.state.map_or(0, |at| at + 1), to.state.map_or(0, |at| at + 1));
        let before = pairs.iter().filter(|other| **other == pair).count() as f32;
        let has_reverse = parts.transitions.iter().any(|other| {
            other.from == TransitionSource::State(transition.to.clone())
                && transition.from == TransitionSource::State(other.to.clone())
        });
        pairs.push(pair);
        let side = if has_reverse { 0.6 + before } else { before };
        let points = if pair.0 == pair.1 { own(&from.rect, before) } else { straight(&from.rect, &to.rect, side) };
        arrows.push(Arrow { transition: index, points });
    }
    arrows
}

/// A line from edge to edge, moved aside by `side` times the distance between arrows.
fn straight(from: &Rect, to: &Rect, side: f32) -> Vec<Vec2> {
    let (a, b) = (Vec2::from(from.center()), Vec2::from(to.center()));
    let along = (b - a).normalize_or_zero();
    let aside = along.perp() * side * APART;
    vec![edge(from, a + aside, along), edge(to, b + aside, -along)]
}

/// The point where a line from inside a rectangle leaves it.
fn edge(rect: &Rect, start: Vec2, along: Vec2) -> Vec2 {
    let exit = |axis: usize| {
        let goal = if along[axis] > 0.0 { rect.max[axis] } else { rect.min[axis] };
        if along[axis].abs() > 1e-4 { (goal - start[axis]) / along[axis] } else { f32::INFINITY }
    };
    start + along * exit(0).min(exit(1)).clamp(0.0, 4000.0)
}

/// A loop above the upper edge.
fn own(rect: &Rect, before: f32) -> Vec<Vec2> {
    let (x, y, up) = (rect.max[0] - 34.0 - before * 20.0, rect.min[1], 16.0);
    vec![Vec2::new(x, y), Vec2::new(x, y - up), Vec2::new(x + 18.0, y - up), Vec2::new(x + 18.0, y)]
}

impl Arrow {
    /// The distance to a point.
    pub fn distance(&self, at: Vec2) -> f32 {
        let to_part = |pair: &[Vec2]| {
            let way = pair[1] - pair[0];
            let part = ((at - pair[0]).dot(way) / way.length_squared().max(1e-6)).clamp(0.0, 1.0);
            at.distance(pair[0] + way * part)
        };
        self.points.windows(2).map(to_part).fold(f32::INFINITY, f32::min)
    }
}

/// Draws an arrow, highlighted if it is picked, belongs to the picked state or is active in the preview.
pub fn draw(ui: &Ui<'_>, graph: &Graph, arrow: &Arrow, zoom: f32) {
    let theme = ui.theme;
    let transition = &graph.def.parts().transitions[arrow.transition];
    let is_of_picked = match &ui.session.focus.machine.picked {
        Picked::State(name) => transition.from == TransitionSource::State(name.clone()) || transition.to == *name,
        Picked::Any => transition.from == TransitionSource::Any,
        Picked::Transition(_) | Picked::Layer(_) | Picked::Nothing => false,
    };
    let is_picked = ui.session.focus.machine.picked == Picked::Transition(arrow.transition);
    let fade = ui.session.transient.pose.machine().and_then(|preview| preview.machine.fade());
    let under_way = fade.filter(|(via, _)| *via == arrow.transition);
    let (color, thickness) = if is_picked {
        (theme.selected, 2.4)
    } else if under_way.is_some() {
        (theme.keyed, 2.4)
    } else if is_of_picked {
        (mixed(theme.quiet, theme.text, 0.5), 1.7)
    } else if transition.from == TransitionSource::Any {
        (faded(theme.dim, 0.8), 1.3)
    } else {
        (theme.quiet, 1.5)
    };
    for pair in arrow.points.windows(2) {
        ui.line(pair[0].to_array(), pair[1].to_array(), color, thickness);
    }
    let &[.., before, head] = arrow.points.as_slice() else { return };
    let along = (head - before).normalize_or_zero();
    let size = (9.0 * zoom).clamp(6.0, 11.0);
    let (back, aside) = (head - along * size, along.perp() * size * 0.5);
    let corners = vec![head.to_array(), (back + aside).to_array(), (back - aside).to_array()];
    ui.draw().add_polyline(corners, color).filled(true).build();
    if let Some((_, part)) = under_way {
        let at = arrow.points[0].lerp(head, part.clamp(0.0, 1.0));
        ui.dot(at.to_array(), 4.5, theme.keyed);
    }
}

/// A description: "walk to run: speed above 3.3; cross-fade 0.10 s".
pub fn text(transition: &TransitionDef) -> String {
    let from = match &transition.from {
        TransitionSource::Any => "any state",
        TransitionSource::State(name) => name,
    };
    format!("{from} to {}: {}", transition.to, details(transition))
}

/// The conditions and the fade of a transition: "speed above 3.3; cross-fade 0.10 s".
pub fn details(transition: &TransitionDef) -> String {
    let mut when: Vec<String> = transition.conditions.iter().map(condition_text).collect();
    when.extend(transition.exit_time.map(|rounds| match rounds {
        1.0 => "at the end of the clip".to_owned(),
        rounds => format!("after {rounds} loops"),
    }));
    let fade = match (transition.fade.kind, transition.fade.secs) {
        (_, secs) if secs <= 0.0 => "cut".to_owned(),
        (FadeKind::Cross, secs) => format!("cross-fade {secs:.2} s"),
        (FadeKind::Matched, secs) => format!("matched fade {secs:.2} s"),
        (FadeKind::Inertial, secs) => format!("inertial {secs:.2} s"),
    };
    format!("{}; {fade}", when.join(" and "))
}

pub fn condition_text(condition: &Condition) -> String {
    match condition {
        Condition::Above { parameter, value } => format!("{parameter} above {value}"),
        Condition::Below { parameter, value } => format!("{parameter} below {value}"),
        Condition::On { parameter } => format!("{parameter} is on"),
        Condition::Off { parameter } => format!("{parameter} is off"),
        Condition::Fired { parameter } => format!("{parameter} is fired"),
    }
}
