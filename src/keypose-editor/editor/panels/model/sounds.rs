//! The sounds of the archive: a list with a button to play each, and the values of the active one.

use std::sync::Arc;

use crate::editor::document::edit::SoundEdit;
use crate::editor::ops::sentence::has_words;
use crate::editor::panels::ui::prelude::*;
use crate::editor::panels::ui::search;
use crate::editor::session::sounds::SoundAction;
use keypose::assets::sound::{MAX_VOLUME, Sound, SoundRepeat};

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
        let sounds = &ui.editor.document.sounds;
        let sought = search::above_list(ui, "sound-search", sounds.len(), "sounds");
        widgets::scrolled(ui, "##sounds", 0.0, || {
            for (at, sound) in sounds.iter().enumerate().filter(|(_, sound)| has_words(&sound.name, &sought)) {
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
            let edit = SoundEdit::SetRepeat { sound: sound.name.clone(), repeat };
            ui.edit("Set sound repeat", vec![edit.into()]);
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
    let (id, play, length) = (format!("sound{at}"), format!("play-sound{at}"), format!("{:.2} s", sound.secs()));
    let play = Sign::new(&play, Icon::Play, "Play or stop the sound");
    let touch = Item { signs: [Some(play), None], ..Item::new(&id, &sound.name, &length, is_active) }.draw(ui);
    let is_played = touch.sign.is_some() || touch.is_double_clicked;
    if is_played || touch.is_clicked {
        ui.send(SoundAction::Pick(sound.name.clone()));
    }
    if is_played {
        ui.send(SoundAction::Play);
    }
}
