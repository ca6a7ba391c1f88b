//! The menu of what an event can do, with the names that the archive has.

use crate::editor::panels::ui::prelude::*;
use keypose::assets::clip_event::{ClipEvent, EFFECTS};

/// Draws the entries. Returns the text of a chosen event.
pub fn event_kinds_ui(ui: &Ui<'_>) -> Option<String> {
    let mut chosen = None;
    if menu::entry(ui, "Footstep") {
        chosen = Some(ClipEvent::Footstep);
    }
    let sounds: Vec<&str> = ui.editor.document.sounds.iter().map(|sound| sound.name.as_str()).collect();
    names_ui(ui, "Sound", &sounds, |name| chosen = Some(ClipEvent::Sound(name)));
    names_ui(ui, "Effect", &EFFECTS, |name| chosen = Some(ClipEvent::Effect(name)));
    let Some(model) = ui.model() else { return chosen.map(|event| event.text()) };
    let others = ui.editor.document.models.iter().filter(|other| other.name != model.name);
    let models: Vec<&str> = others.map(|other| other.name.as_str()).collect();
    if let Some(_list) = ui.begin_menu_with_enabled("Socket", !model.sockets.is_empty()) {
        for socket in &model.sockets {
            let all: Vec<&str> = ["Nothing"].into_iter().chain(models.iter().copied()).collect();
            names_ui(ui, &socket.name, &all, |name| {
                let model = if name == "Nothing" { "" } else { name };
                chosen = Some(ClipEvent::Socket { socket: &socket.name, model });
            });
        }
    }
    chosen.map(|event| event.text())
}

/// A menu of names, disabled if there are none.
fn names_ui<'n>(ui: &Ui<'_>, label: &str, names: &[&'n str], mut choose: impl FnMut(&'n str)) {
    let list = ui.begin_menu_with_enabled(menu::shown(label), !names.is_empty());
    ui.item(&format!("event-{label}"));
    if list.is_some() {
        for &name in names {
            if menu::entry(ui, name) {
                choose(name);
            }
        }
    }
}
