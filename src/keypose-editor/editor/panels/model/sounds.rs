//! The sounds of the archive: a list with a button to play each, and the values of the active one.

use std::sync::Arc;

use crate::editor::document::edit::SoundEdit;
use crate::editor::panels::ui::prelude::*;
use crate::editor::session::sounds::SoundAction;
use keypose::assets::sound::{MAX_VOLUME, Sound, SoundRepeat};

/// Width of a row's button.
const SIGN: f32 = 22.0;
/// Width of a length in seconds.
const LENGTH: f32 = 52.0;

#[derive(Debug, Default)]
pub struct SoundsPanel {
    naming: Naming<String>,
}

impl SoundsPanel {
    pub fn ui(&mut self, ui: &Ui<'_>) {
        widgets::command_buttons(ui, &[Command::AddSound]);
        let Some(active) = ui.editor.sound() else {
            let hint =
                "Add a WAV file. Events of clips play sounds by name; the game knows some names, such as \"jump\".";
            return widgets::empty(ui, "No sounds.", hint);
        };
        widgets::scrolled(ui, "##sounds", 0.0, || {
            for (at, sound) in ui.editor.document.sounds.iter().enumerate() {
                row_ui(ui, at, sound, sound.name == active.name);
            }
            ui.dummy([0.0, 4.0]);
            self.values_ui(ui, active);
        });
    }

    fn values_ui(&mut self, ui: &Ui<'_>, sound: &Arc<Sound>) {
        let form = Form::new(ui, "sound-");
        let text = NameText { text: &sound.name, tip: "Rename the sound", ..NameText::default() };
        if let Some(name) = form.text("Name", text, &mut self.naming, sound.name.clone()) {
            ui.send(SoundAction::Rename(name));
        }
        let repeats = [
            (SoundRepeat::Once, "Once", "Sound effect: plays once"),
            (SoundRepeat::Loop, "Loop", "Music: repeats at the end"),
        ];
        let mut repeat = sound.repeat;
        if form.choice("Repeat", &repeats, &mut repeat).is_changed {
            ui.send(SoundAction::SetRepeat(repeat));
        }
        let mut volume = sound.volume;
        let how = Number::percent().within(0.0, MAX_VOLUME * 100.0).or(100.0);
        let touch = form.number("Volume", "Volume in percent", how, &mut volume);
        let edit = || vec![SoundEdit::SetVolume { sound: sound.name.clone(), volume }.into()];
        ui.change(touch, "Set sound volume", edit);
        let channels = if sound.channels == 1 { "mono" } else { "stereo" };
        let format = format!("{:.2} s, {} Hz, {channels}", sound.secs(), sound.rate);
        form.value_in("Format", &format, "", ui.theme.quiet);
        form.commands("remove-sound", &[("Remove", Command::RemoveSound)]);
    }
}

/// Draws a row: a button to play the sound, its name and its length.
fn row_ui(ui: &Ui<'_>, at: usize, sound: &Sound, is_active: bool) {
    let touch = widgets::row(ui, &format!("sound{at}"), is_active);
    let after = ui.cursor_screen_pos();
    let mut name = touch.rect.trim_left(4.0).trim_right(6.0);
    let (play, length) = (name.cut_left(SIGN, 4.0), name.cut_right(LENGTH, 4.0));
    ui.text_in(name, Align::Left, ui.theme.text, &sound.name);
    ui.text_in(length, Align::Right, ui.theme.quiet, &format!("{:.2} s", sound.secs()));
    let is_play = widgets::icon_button_at(ui, play, &format!("play-sound{at}"), Icon::Play, Tone::Bare);
    ui.tip("Play or stop the sound", "");
    ui.set_cursor_screen_pos(after);
    if is_play || touch.is_clicked || touch.is_double_clicked {
        ui.send(SoundAction::Pick(sound.name.clone()));
    }
    if is_play || touch.is_double_clicked {
        ui.send(SoundAction::Play);
    }
}
