//! Docks the panels in their areas, and keeps them there when the window changes its size or scale.

use crate::editor::panels::ui::prelude::*;
use crate::editor::panels::ui::sys::Side;
use crate::editor::panels::window::areas::{Areas, Place, Shape};
use crate::editor::panels::window::layout::{Panel, STATUS_BAR, TOP_BAR};
use crate::editor::session::preferences::Arrangement;

/// The state of the layout between frames.
#[derive(Debug, Default)]
pub struct LayoutState {
    /// The arrangement and the areas for the size of the last frame.
    last: Option<(Arrangement, Areas)>,
    /// Whether all panels were in the areas of the last frame.
    is_untouched: bool,
    /// The size of the dock space for which a restored layout was made, until the panels are docked.
    restored: Option<[f32; 2]>,
}

impl LayoutState {
    /// A restored layout was made for a dock space of this size, and no panel was moved in it.
    pub fn follow_from(&mut self, size: Option<[f32; 2]>) {
        self.restored = size;
    }

    /// The size of the dock space, if no panel was moved.
    pub fn untouched_size(&self) -> Option<[f32; 2]> {
        let (_, areas) = self.last?;
        self.is_untouched.then_some(areas.size)
    }

    /// Adapts the areas of panels that the user has not moved to a new size. Returns the panels in front if the panels
    /// must be arranged again, because the window is divided in another way.
    pub(super) fn follow(&mut self, ui: &Ui<'_>, arrangement: Arrangement, areas: Areas) -> Option<Vec<Panel>> {
        let is_restored = self.restored.is_some();
        let (before, last) = match self.restored {
            Some(_) if !are_docked(ui) => return None,
            Some(size) => (arrangement, Areas::of(arrangement, size, size[1] + TOP_BAR + STATUS_BAR, models(ui))),
            None => self.last.unwrap_or((arrangement, areas)),
        };
        (self.last, self.restored) = (Some((arrangement, areas)), None);
        self.is_untouched = before == arrangement && (is_restored || is_arranged(ui, &last));
        if last == areas || !self.is_untouched {
            return None;
        }
        if last.shape != areas.shape {
            let is_visible = |panel: &Panel| sys::is_in_front(ui.imgui, panel.name());
            let usual = usual_front(arrangement);
            let still = usual.iter().copied().filter(is_visible);
            let visible = Panel::ALL.into_iter().filter(is_visible);
            return Some(usual.iter().copied().chain(visible).chain(still).collect());
        }
        resize(ui, &areas);
        None
    }
}

/// The number of models, which the clip list offers.
pub(super) fn models(ui: &Ui<'_>) -> usize {
    ui.editor.document.models.len()
}

/// Whether every panel is docked: not in the first frames.
fn are_docked(ui: &Ui<'_>) -> bool {
    Panel::ALL.into_iter().all(|panel| sys::dock_rect(ui.imgui, panel.name()).is_some())
}

/// Whether every panel is where these areas put it, within some points.
fn is_arranged(ui: &Ui<'_>, areas: &Areas) -> bool {
    let rect = |panel: Panel| sys::dock_rect(ui.imgui, panel.name());
    let Some(rects) = Panel::ALL.into_iter().map(rect).collect::<Option<Vec<Rect>>>() else { return false };
    // New nodes are placed when the dock space is next drawn.
    let [left, top] = rects.iter().fold([f32::MAX; 2], |low, rect| [low[0].min(rect.min[0]), low[1].min(rect.min[1])]);
    Panel::ALL.into_iter().zip(rects).all(|(panel, actual)| {
        let expected = areas.rect(areas.place(panel)).moved(left, top);
        let is_near = |a: [f32; 2], b: [f32; 2]| (a[0] - b[0]).abs().max((a[1] - b[1]).abs()) < 6.0;
        is_near(actual.min, expected.min) && is_near(actual.max, expected.max)
    })
}

/// Gives the columns, their parts and the timeline the sizes of the areas; the viewport gets the rest.
fn resize(ui: &Ui<'_>, areas: &Areas) {
    let set = |panel: Panel, levels, axis, points| sys::set_dock_size(ui.imgui, panel.name(), levels, axis, points);
    let height = |place: Place| areas.rect(place).height();
    set(Panel::Strip, 0, 1, areas.below);
    match areas.shape {
        Shape::TwoColumns => set(Panel::Inspector, 0, 1, height(Place::LowerLeft)),
        Shape::ThreeColumns => {
            set(Panel::Inspector, 0, 0, areas.right);
            set(Panel::Bones, 0, 1, height(Place::LowerLeft));
        }
    }
    set(Panel::Clips, 1, 0, areas.left);
    set(Panel::Clips, 0, 1, height(Place::Clips));
}

/// The panels that are in front initially; of several in the same place, the last one.
pub(super) fn usual_front(arrangement: Arrangement) -> Vec<Panel> {
    let is_game = arrangement == Arrangement::Game;
    let below = if is_game { Panel::Machine } else { Panel::Strip };
    let beside = is_game.then_some(Panel::Game);
    [Panel::Inspector, Panel::Bones, Panel::Clips, below].into_iter().chain(beside).collect()
}

/// Docks all panels in their areas, with some of them in front of their tabs.
pub(super) fn arrange(ui: &Ui<'_>, areas: &Areas, root: sys::Node, front: &[Panel]) {
    let ui = ui.imgui;
    sys::clear_layout(ui, root, areas.size);
    let nodes = Nodes::split(ui, areas, root);
    for panel in Panel::ALL {
        sys::dock(ui, panel.name(), nodes.of(areas.place(panel)));
    }
    for &panel in front {
        sys::select_tab(ui, panel.name(), nodes.of(areas.place(panel)));
    }
    sys::finish_layout(ui, root);
}

/// The nodes of the areas.
struct Nodes {
    clips: sys::Node,
    lower_left: sys::Node,
    middle: sys::Node,
    right: sys::Node,
    below: sys::Node,
}

impl Nodes {
    /// Splits the dock space.
    fn split(ui: &imgui::Ui, areas: &Areas, root: sys::Node) -> Nodes {
        let [width, height] = areas.size;
        let cut = |node, side, part: f32, whole: f32| sys::split(ui, node, side, (part / whole).clamp(0.02, 0.98));
        let (below, left, rest) = match areas.shape {
            Shape::ThreeColumns => {
                let (below, above) = cut(root, Side::Bottom, areas.below, height);
                let (left, rest) = cut(above, Side::Left, areas.left, width);
                (below, left, rest)
            }
            Shape::TwoColumns => {
                let (left, rest) = cut(root, Side::Left, areas.left, width);
                let (below, above) = cut(rest, Side::Bottom, areas.below, height);
                (below, left, above)
            }
        };
        let (right, middle) = match areas.shape {
            Shape::ThreeColumns => cut(rest, Side::Right, areas.right, width - areas.left),
            Shape::TwoColumns => (left, rest),
        };
        let lower = areas.rect(Place::LowerLeft).height();
        let (lower_left, clips) = cut(left, Side::Bottom, lower, areas.clips + lower);
        Nodes { clips, lower_left, middle, right, below }
    }

    fn of(&self, place: Place) -> sys::Node {
        match place {
            Place::Clips => self.clips,
            Place::LowerLeft => self.lower_left,
            Place::Middle => self.middle,
            Place::Right => self.right,
            Place::Below => self.below,
        }
    }
}
