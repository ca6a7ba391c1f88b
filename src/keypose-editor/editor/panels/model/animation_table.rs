//! The animation table: the clip of each game state, saved with the model.

use crate::editor::ops::sentence::has_words;
use crate::editor::panels::machine::graph_view::described;
use crate::editor::panels::ui::prelude::*;
use crate::editor::panels::ui::search;
use crate::editor::panels::window::layout::Panel;
use crate::editor::session::machine::{MachineAction, Picked};
use keypose::assets::machine::{Choice, Graph, Origin, State};

pub fn animation_table_ui(ui: &Ui<'_>, to_front: &mut Vec<Panel>) {
    let Some(model) = ui.model() else {
        return widgets::empty(ui, "No model open.", "Open a model to choose the clip of each game state.");
    };
    let (width, tip) = (ui.room(), "Play the current document in the game");
    let place = ui.here([width, 26.0]);
    widgets::command_button_about(ui, place, "Play game##play-test", Tone::On, Command::PlayTest, tip);
    ui.dummy([0.0, 2.0]);
    let (text, tip) = match model.machine.graph {
        Some(_) => ("Show state machine##show-machine", "Edit states, transitions and blends, with a live preview"),
        None => ("Transitions and blends…##show-machine", "Open the state machine"),
    };
    if widgets::button(ui, text, [width, 24.0], Tone::Plain) {
        to_front.push(Panel::Machine);
    }
    ui.tip(tip, "");
    ui.dummy([0.0, 2.0]);
    if let Some(graph) = &model.machine.graph {
        let _wrap = ui.push_text_wrap_pos();
        let hint = "The animation table isn't used while the model has a state machine.";
        ui.text_colored(ui.theme.quiet, hint);
        drop(_wrap);
        let (place, label) = (ui.here([width, 24.0]), "Use animation table##remove-state-machine");
        widgets::command_button(ui, place, label, Tone::Plain, Command::RemoveStateMachine);
        ui.section("States");
        let sought = search::above_list(ui, "state-search", graph.def.parts().states.len(), "states");
        return widgets::scrolled(ui, "##states", 0.0, || graph_rows(ui, graph, &sought, to_front));
    }
    let sought = search::above_list(ui, "state-search", State::ALL.len(), "states");
    widgets::scrolled(ui, "##states", 0.0, || {
        let names: Vec<&str> = model.clips.iter().map(|slot| slot.clip.name.as_str()).collect();
        let resolved = model.machine.resolve(&names);
        let form = Form::new(ui, "state-");
        for state in State::ALL.into_iter().filter(|state| has_words(state.name(), &sought)) {
            let instead = instead(model, resolved.choice(state));
            row(&form, model, state.name(), model.machine.clip_of(state).unwrap_or_default(), &instead);
        }
        for unknown in model.machine.states.iter().filter(|row| State::from_word(&row.state).is_none()) {
            row(&form, model, &unknown.state, &unknown.clip, "unknown to the game");
        }
        ui.dummy([0.0, 6.0]);
        let _wrap = ui.push_text_wrap_pos();
        let _font = ui.with_font(ui.fonts.small);
        ui.text_colored(
            ui.theme.quiet,
            "A state without a clip plays the clip with its name, or the clip of the nearest state.",
        );
    });
}

/// Draws the states of a state machine and what they play. A click shows the state in the machine.
fn graph_rows(ui: &Ui<'_>, graph: &Graph, sought: &str, to_front: &mut Vec<Panel>) {
    for state in graph.def.parts().states.iter().filter(|state| has_words(&state.name, sought)) {
        let id = format!("play-state-{}", state.name);
        if Item::new(&id, &state.name, &described(&state.motion), false).draw(ui).is_clicked {
            ui.send(MachineAction::Pick(Picked::State(state.name.clone())));
            to_front.push(Panel::Machine);
        }
    }
}

/// The fallback of a state without a clip in the table.
fn instead(model: &Model, choice: Choice) -> String {
    let clip = choice.clip.and_then(|at| model.clips.get(at)).map_or("", |slot| slot.clip.name.as_str());
    match choice.origin {
        Origin::Table | Origin::Name => clip.to_owned(),
        Origin::Nearest(other) => format!("{clip} (as {})", other.name()),
        Origin::Rest => "rest pose".to_owned(),
    }
}

/// Draws a state with its clip, or with its fallback.
fn row(form: &Form<'_>, model: &Model, state: &str, clip: &str, instead: &str) {
    let (ui, mut clip) = (form.ui, clip.to_owned());
    let clips = model.clips.iter().map(|slot| slot.clip.name.as_str());
    if !form.name_of(state, Some(instead), clips, &mut clip).is_changed {
        return;
    }
    let mut machine = model.machine.clone();
    match State::from_word(state) {
        Some(state) => machine.set_clip(state, &clip),
        None if clip.is_empty() => machine.states.retain(|row| row.state != state),
        None => machine.states.iter_mut().filter(|row| row.state == state).for_each(|row| row.clip.clone_from(&clip)),
    }
    ui.edit("Set state clip", vec![ModelEdit::SetMachine { model: ui.session.focus.model, machine }.into()]);
}
