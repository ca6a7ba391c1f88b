//! The arrows of transitions between states.

use glam::Vec2;

use crate::editor::gesture::pick::distance_to_segment;
use crate::editor::panels::machine::graph_view::Node;
use crate::editor::panels::machine::routes::{Link, routes};
use crate::editor::panels::ui::prelude::*;
use crate::editor::session::machine::Picked;
use keypose::anim::machine::parts::{Condition, FadeKind, TransitionDef, TransitionSource};
use keypose::assets::machine::Graph;

/// A transition on the screen.
#[derive(Debug)]
pub struct Arrow {
    pub transition: usize,
    /// From tail to head.
    points: Vec<Vec2>,
}

/// The arrows that were found last: while nodes and transitions stay, so do their ways.
#[derive(Debug, Default)]
pub struct Arrows {
    nodes: Vec<Rect>,
    links: Vec<Link>,
    pub all: Vec<Arrow>,
}

impl Arrows {
    /// Finds the arrows between states. Transitions from any state have none: their states have a badge.
    pub fn find(&mut self, graph: &Graph, nodes: &[Node]) {
        let parts = graph.def.parts();
        let place = |name: &str| parts.states.iter().position(|state| state.name == name);
        let link = |transition: &TransitionDef| match &transition.from {
            TransitionSource::Any => None,
            TransitionSource::State(name) => place(name).zip(place(&transition.to)),
        };
        let (indices, links): (Vec<usize>, Vec<Link>) =
            parts.transitions.iter().enumerate().filter_map(|(at, transition)| Some((at, link(transition)?))).unzip();
        let nodes: Vec<Rect> = nodes.iter().filter(|node| node.state.is_some()).map(|node| node.rect).collect();
        if nodes == self.nodes && links == self.links && indices.len() == self.all.len() {
            return self.all.iter_mut().zip(indices).for_each(|(arrow, at)| arrow.transition = at);
        }
        let arrow = |(transition, points)| Arrow { transition, points };
        self.all = indices.into_iter().zip(routes(&nodes, &links)).map(arrow).collect();
        (self.nodes, self.links) = (nodes, links);
    }

    pub fn at(&self, at: Vec2) -> Option<&Arrow> {
        let near = self.all.iter().map(|arrow| (arrow, arrow.distance(at)));
        near.filter(|(_, distance)| *distance < 7.0).min_by(|a, b| a.1.total_cmp(&b.1)).map(|(arrow, _)| arrow)
    }
}

impl Arrow {
    /// The distance to a point.
    fn distance(&self, at: Vec2) -> f32 {
        let parts = self.points.windows(2);
        parts.map(|pair| distance_to_segment(at, pair[0], pair[1])).fold(f32::INFINITY, f32::min)
    }
}

/// Draws an arrow, highlighted if it is picked, belongs to the picked state or is active in the preview.
pub fn draw(ui: &Ui<'_>, graph: &Graph, arrow: &Arrow, zoom: f32) {
    let theme = ui.theme;
    let transition = &graph.def.parts().transitions[arrow.transition];
    let is_of_picked = match &ui.session.focus.machine {
        Picked::State(name) => transition.from == TransitionSource::State(name.clone()) || transition.to == *name,
        Picked::Any | Picked::Transition(_) | Picked::Layer(_) | Picked::Nothing => false,
    };
    let is_picked = ui.session.focus.machine == Picked::Transition(arrow.transition);
    let fade = ui.session.transient.pose.machine().and_then(|preview| preview.machine.fade());
    let under_way = fade.filter(|(via, _)| *via == arrow.transition);
    let (color, thickness) = if is_picked {
        (theme.selected, 2.2)
    } else if under_way.is_some() {
        (theme.accent, 2.2)
    } else if is_of_picked {
        (mixed(theme.quiet, theme.text, 0.5), 1.7)
    } else {
        (theme.dim, 1.5)
    };
    let points: Vec<[f32; 2]> = arrow.points.iter().map(|point| point.to_array()).collect();
    ui.draw().add_polyline(points, color).thickness(thickness).build();
    let &[.., before, head] = arrow.points.as_slice() else { return };
    let along = (head - before).normalize_or_zero();
    let size = (9.0 * zoom).clamp(6.0, 11.0);
    let (back, aside) = (head - along * size, along.perp() * size * 0.5);
    let corners = vec![head.to_array(), (back + aside).to_array(), (back - aside).to_array()];
    ui.draw().add_polyline(corners, color).filled(true).build();
    if let Some((_, part)) = under_way {
        let at = along_way(&arrow.points, part.clamp(0.0, 1.0));
        ui.dot(at.to_array(), 4.5, theme.accent);
    }
}

/// The point at a part of a way.
fn along_way(points: &[Vec2], part: f32) -> Vec2 {
    let length: f32 = points.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
    let mut left = length * part;
    for pair in points.windows(2) {
        let distance = pair[0].distance(pair[1]);
        if left <= distance {
            return pair[0].lerp(pair[1], left / distance.max(1e-6));
        }
        left -= distance;
    }
    points.last().copied().unwrap_or_default()
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
