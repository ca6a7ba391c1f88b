//! The animation table: the clip of each game state, saved with the model.

use crate::assets::machine::{AnimationTable, Choice, Graph, Origin, State, StateClip};
use crate::assets::model::Model;
use crate::editor::document::edit::{Edit, ModelEdit};
use crate::editor::panels::machine::graph_view::described;
use crate::editor::panels::ui::prelude::*;
use crate::editor::panels::window::layout;
use crate::editor::panels::window::layout::Panel;
use crate::editor::session::machine::{MachineAction, Picked};

/// Draws the panel.
pub fn animation_table_ui(ui: &Ui<'_>, to_front: &mut Vec<Panel>) {
    let Some(model) = ui.model() else {
        return widgets::empty(ui, "No model open.", "Open a model to choose the clip of each game state.");
    };
    let width = ui.content_region_avail()[0];
    if widgets::button(ui, "Play game##play-test", [width, 26.0], Tone::On) {
        ui.run(Command::PlayTest);
    }
    ui.tip("Play the current document in the game", &ui.key_of(Command::PlayTest));
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
        if widgets::button(ui, "Use animation table##remove-state-machine", [width, 24.0], Tone::Plain) {
            ui.run(Command::RemoveStateMachine);
        }
        ui.tip(Command::RemoveStateMachine.label(), &ui.key_of(Command::RemoveStateMachine));
        ui.section("States");
        return layout::scrolled(ui, "##states", 0.0, || graph_rows(ui, graph, to_front));
    }
    layout::scrolled(ui, "##states", 0.0, || {
        let names: Vec<&str> = model.clips.iter().map(|slot| slot.clip.name.as_str()).collect();
        let resolved = model.machine.resolve(&names);
        for state in State::ALL {
            let instead = instead(model, resolved.choice(state));
            row(ui, model, (state.word(), &instead));
        }
        for row_def in model.machine.states.iter().filter(|row| State::from_word(&row.state).is_none()) {
            row(ui, model, (&row_def.state, "unknown to the game"));
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
fn graph_rows(ui: &Ui<'_>, graph: &Graph, to_front: &mut Vec<Panel>) {
    for state in &graph.def.parts().states {
        let touch = widgets::row(ui, &format!("play-state-{}", state.name), false);
        let inner = touch.rect.inset(6.0, 0.0);
        ui.text_in(inner.left(84.0), Align::Left, ui.theme.text, &state.name);
        ui.text_in(inner.trim_left(88.0), Align::Left, ui.theme.quiet, &described(&state.motion));
        if touch.is_clicked {
            ui.send(MachineAction::Pick(Picked::State(state.name.clone())));
            to_front.push(Panel::Machine);
        }
    }
}

/// The fallback of a state without a clip in the table.
fn instead(model: &Model, choice: Choice) -> String {
    let clip = choice.clip.and_then(|at| model.clips.get(at)).map_or("", |slot| slot.clip.name.as_str());
    match choice.origin {
        Origin::Table | Origin::Name => format!("by name: {clip}"),
        Origin::Nearest(other) => format!("as {}: {clip}", other.word()),
        Origin::Rest => "rest pose".to_owned(),
    }
}

/// Draws a state with its clip, or with its fallback.
fn row(ui: &Ui<'_>, model: &Model, (state, instead): (&str, &str)) {
    let top = ui.cursor_screen_pos();
    let width = ui.content_region_avail()[0];
    ui.text_in(Rect::at([top[0] + 4.0, top[1]], [86.0, FIELD]), Align::Left, ui.theme.text, state);
    ui.set_cursor_screen_pos([top[0] + 90.0, top[1]]);
    let chosen = model.machine.states.iter().find(|row| row.state == state).map(|row| row.clip.as_str());
    let preview = match chosen {
        Some(clip) if model.clip_named(clip).is_none() => format!("{clip} (gone)"),
        Some(clip) => clip.to_owned(),
        None => instead.to_owned(),
    };
    let ink = if chosen.is_some() { ui.theme.text } else { ui.theme.quiet };
    if let Some(_list) = widgets::dropdown(ui, &format!("state-{state}"), &preview, ink, width - 90.0) {
        if menu::choice(ui, "by name##none", chosen.is_none()) {
            ui.edit("Set state clip", vec![machine_without(ui, model, state)]);
        }
        for slot in &model.clips {
            let name = slot.clip.name.as_str();
            let is_chosen = chosen == Some(name);
            if menu::choice(ui, &format!("{name}##clip{}", slot.id.0), is_chosen) && !is_chosen {
                ui.edit("Set state clip", vec![machine_with(ui, model, state, name)]);
            }
        }
    }
    ui.end_at([top[0], top[1] + FIELD + 5.0]);
}

fn machine_with(ui: &Ui<'_>, model: &Model, state: &str, clip: &str) -> Edit {
    let mut machine = model.machine.clone();
    match machine.states.iter_mut().find(|row| row.state == state) {
        Some(row) => row.clip = clip.to_owned(),
        None => machine.states.push(StateClip { state: state.to_owned(), clip: clip.to_owned() }),
    }
    ModelEdit::SetMachine { model: ui.session.focus.model, machine }.into()
}

fn machine_without(ui: &Ui<'_>, model: &Model, state: &str) -> Edit {
    let rows = model.machine.states.iter().filter(|row| row.state != state).cloned().collect();
    let machine = AnimationTable { states: rows, ..model.machine.clone() };
    ModelEdit::SetMachine { model: ui.session.focus.model, machine }.into()
}
