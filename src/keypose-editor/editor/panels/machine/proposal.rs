//! The panel without a state machine: what creating one would make of the animation table. A graph and a list to look at,
//! and one button.

use std::sync::{Arc, Weak};

use crate::editor::panels::machine::arrows;
use crate::editor::panels::machine::graph_view::still;
use crate::editor::panels::ui::prelude::*;
use keypose::anim::machine::parts::TransitionSource;
use keypose::assets::machine::Graph;
use keypose::assets::playable::default_graph;

/// Width of the column with the button.
const LEFT: f32 = 250.0;
/// Width of the list of transitions.
const RIGHT: f32 = 290.0;

/// The machine that would be created, kept until the model changes.
#[derive(Debug, Default)]
pub struct Proposal {
    of: Weak<Model>,
    graph: Option<Graph>,
}

impl Proposal {
    /// The machine for a model. During a gesture, the last one stays.
    fn graph(&mut self, ui: &Ui<'_>, model: &Arc<Model>) -> &Graph {
        let is_same = std::ptr::eq(self.of.as_ptr(), Arc::as_ptr(model));
        if !is_same && (ui.editor.gesture.is_none() || self.graph.is_none()) {
            self.of = Arc::downgrade(model);
            self.graph = None;
        }
        self.graph.get_or_insert_with(|| default_graph(model))
    }

    pub fn ui(&mut self, ui: &Ui<'_>, model: &Arc<Model>) {
        let graph = self.graph(ui, model);
        let all = ui.rest();
        let mut middle = all;
        let left = middle.cut_left(LEFT.min(all.width()), 8.0);
        let whole = middle;
        let list = middle.cut_right(RIGHT, 8.0);
        let laid_out = still::laid_out(ui, graph, middle.size());
        // Without room for the names in the graph, the list says it all.
        let list = if laid_out.is_some() { list } else { whole };
        column(ui, 0, left, || offer_ui(ui, graph));
        if let Some(graph) = &laid_out {
            column(ui, 1, middle, || still::still_ui(ui, graph));
        }
        if list.width() > 100.0 {
            column(ui, 2, list, || transitions_ui(ui, graph));
        }
    }
}

fn column(ui: &Ui<'_>, at: usize, area: Rect, body: impl FnOnce()) {
    ui.set_cursor_screen_pos(area.min);
    ui.child_window(format!("##proposal{at}")).size(area.size()).build(body);
}

/// Explains state machines, with the button that creates one.
fn offer_ui(ui: &Ui<'_>, graph: &Graph) {
    let parts = graph.def.parts();
    let hint = "The game plays the animation table: a clip for each state. A state machine adds blends, fades, and a condition for each \
                transition.";
    widgets::empty(ui, "No state machine.", hint);
    ui.dummy([0.0, 4.0]);
    let (place, command) = (ui.here([ui.room().max(8.0), 26.0]), Command::CreateStateMachine);
    let label = "Create state machine##create-state-machine";
    let tip = "Create a state machine that plays like the animation table";
    widgets::command_button_about(ui, place, label, Tone::On, command, tip);
    let _wrap = ui.push_text_wrap_pos();
    let what = format!(
        "Creates {} and {} that play like the table, in one undo step.",
        counted(parts.states.len(), "state"),
        counted(parts.transitions.len(), "transition")
    );
    ui.text_colored(ui.theme.quiet, what);
}

/// Lists the transitions, each with its condition and fade.
fn transitions_ui(ui: &Ui<'_>, graph: &Graph) {
    let transitions = &graph.def.parts().transitions;
    widgets::title(ui, &counted(transitions.len(), "transition"), "");
    widgets::scrolled(ui, "##proposed-transitions", 0.0, || {
        for (at, transition) in transitions.iter().enumerate() {
            let from = match &transition.from {
                TransitionSource::Any => "any state",
                TransitionSource::State(name) => name,
            };
            let line = ui.take_line(20.0);
            ui.mark(|| format!("proposed-transition{at}"), line);
            let text = format!("{from}  {}  {}", icon(Icon::ArrowRight), transition.to);
            ui.text_in(line, Align::Left, ui.theme.text, &text);
            let _font = ui.with_font(ui.fonts.small);
            let _wrap = ui.push_text_wrap_pos();
            ui.text_colored(ui.theme.quiet, arrows::details(transition));
            ui.dummy([0.0, 4.0]);
        }
    });
}
