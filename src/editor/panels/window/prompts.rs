//! Modal prompts: unsaved changes, dropped images and archives.

use crate::editor::panels::ui::Ui;

use crate::editor::panels::ui::widgets;
use crate::editor::panels::ui::widgets::Tone;
use crate::editor::panels::window::reimport_table::reimport_ui;
use crate::editor::panels::window::unsaved_work::unsaved_work_ui;
use crate::editor::session::Answer;
use crate::editor::session::dropped::DroppedFiles;
use crate::editor::state::action::{DropAnswer, DropPurpose, FileAction, MaterialAction};

/// Draws the open question. Returns whether there is one.
pub fn prompts_ui(ui: &Ui<'_>) -> bool {
    let transient = &ui.session.transient;
    if transient.prompt.is_some() {
        unsaved_ui(ui);
    } else if let Some(image) = &transient.dropped {
        dropped_ui(ui, image);
    } else if let Some(files) = &transient.dropped_files {
        archives_ui(ui, files);
    } else if let Some(pending) = &transient.reimport {
        reimport_ui(ui, pending);
    } else if let Some(found) = &transient.unsaved_work {
        unsaved_work_ui(ui, found);
    } else {
        return false;
    }
    true
}

pub(super) fn modal<R>(ui: &Ui<'_>, title: &str, width: f32, body: impl FnOnce() -> R) -> Option<R> {
    let display = ui.io().display_size;
    let id = format!("{title}###modal");
    ui.open_popup(&id);
    let _padding = ui.push_style_var(imgui::StyleVar::WindowPadding([16.0, 14.0]));
    let _spacing = ui.push_style_var(imgui::StyleVar::ItemSpacing([8.0, 8.0]));
    crate::editor::panels::ui::sys::place_next_window(ui.imgui, [display[0] / 2.0, display[1] * 0.4], width);
    let popup = ui.modal_popup_config(&id).resizable(false).movable(false).title_bar(false).save_settings(false);
    popup.always_auto_resize(true).build(|| {
        let _font = ui.with_font(ui.fonts.bold);
        ui.text(title);
        drop(_font);
        body()
    })
}

fn unsaved_ui(ui: &Ui<'_>) {
    let name = &ui.editor.title;
    modal(ui, "Save changes?", 420.0, || {
        ui.text_colored(ui.theme.quiet, format!("\"{name}\" has unsaved changes."));
        ui.dummy([0.0, 2.0]);
        let buttons = [
            ("Save", Answer::Save, Tone::On),
            ("Don't save", Answer::Discard, Tone::Plain),
            ("Cancel", Answer::Cancel, Tone::Plain),
        ];
        for (at, (text, answer, tone)) in buttons.into_iter().enumerate() {
            if at > 0 {
                ui.same_line();
            }
            if widgets::button(ui, &format!("{text}##answer{at}"), [122.0, 28.0], tone) {
                ui.send(FileAction::Answer(answer));
                ui.close_current_popup();
            }
        }
        if ui.is_key_pressed(imgui::Key::Escape) {
            ui.send(FileAction::Answer(Answer::Cancel));
            ui.close_current_popup();
        }
        if ui.is_key_pressed(imgui::Key::Enter) {
            ui.send(FileAction::Answer(Answer::Save));
            ui.close_current_popup();
        }
    });
}

/// Asks for the purpose of a dropped image.
fn dropped_ui(ui: &Ui<'_>, dropped: &std::path::Path) {
    let name = dropped.file_name().unwrap_or_default().to_string_lossy();
    let material = ui.editor.material().map_or("", |(_, material)| &material.name);
    modal(ui, "Use this image as", 460.0, || {
        ui.text_colored(ui.theme.quiet, ui.fitted(&name, 428.0));
        ui.dummy([0.0, 2.0]);
        let texture = ui.fitted(&format!("Texture of {material}"), 420.0);
        let answers = [
            (texture.as_str(), Some(DropPurpose::Texture), Tone::On),
            ("Reference image", Some(DropPurpose::Reference), Tone::Plain),
            ("Nothing", None, Tone::Plain),
        ];
        for (at, (text, answer, tone)) in answers.into_iter().enumerate() {
            if widgets::button(ui, &format!("{text}##dropped{at}"), [428.0, 28.0], tone) {
                ui.send(MaterialAction::AnswerDrop(answer));
                ui.close_current_popup();
            }
        }
        if ui.is_key_pressed(imgui::Key::Escape) {
            ui.send(MaterialAction::AnswerDrop(None));
            ui.close_current_popup();
        }
    });
}

/// Maximum number of dropped archives that can be opened by a button.
const MAX_OPENED: usize = 3;

/// Asks what happens with dropped archives.
fn archives_ui(ui: &Ui<'_>, dropped: &DroppedFiles) {
    let count = dropped.archives.len() + dropped.models.len();
    let (size, add) = ([428.0, 28.0], format!("Add the models of {}", counted(count, "file")));
    let mut answer = None;
    modal(ui, "Dropped archives", 460.0, || {
        let text = "An archive can be opened in place of the document, or its models are added to it.";
        ui.text_colored(ui.theme.quiet, ui.fitted(text, 428.0));
        ui.dummy([0.0, 2.0]);
        if widgets::button(ui, &format!("{add}##drop-add"), size, Tone::On) || ui.is_key_pressed(imgui::Key::Enter) {
            answer = Some(DropAnswer::Add);
        }
        for (at, archive) in dropped.archives.iter().take(MAX_OPENED).enumerate() {
            let name = archive.file_name().unwrap_or_default().to_string_lossy();
            let label = ui.fitted(&format!("Open {name}"), 400.0);
            if widgets::button(ui, &format!("{label}##drop-open{at}"), size, Tone::Plain) {
                answer = Some(DropAnswer::Open(archive.clone()));
            }
        }
        let is_cancelled = widgets::button(ui, "Cancel##drop-cancel", size, Tone::Plain);
        if is_cancelled || ui.is_key_pressed(imgui::Key::Escape) {
            answer = Some(DropAnswer::Nothing);
        }
        if answer.is_some() {
            ui.close_current_popup();
        }
    });
    answer.into_iter().for_each(|answer| ui.send(FileAction::AnswerDrop(answer)));
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
