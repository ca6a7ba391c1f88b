//! Modal prompts: unsaved changes, dropped images and archives.

use crate::editor::panels::ui::prelude::*;
use crate::editor::panels::window::deleted_bones::deleted_bones_ui;
use crate::editor::panels::window::reimport_table::reimport_ui;
use crate::editor::panels::window::unsaved_work::unsaved_work_ui;
use crate::editor::session::dropped::DroppedFiles;
use crate::editor::session::{Answer, Question};
use crate::editor::state::action::{DropAnswer, DropPurpose};

/// Draws the open question. Returns whether there is one.
pub fn prompts_ui(ui: &Ui<'_>) -> bool {
    let Some(question) = &ui.session.transient.question else { return false };
    match question {
        Question::UnsavedChanges(_) => unsaved_ui(ui),
        Question::DroppedImage(image) => dropped_ui(ui, image),
        Question::DroppedFiles(files) => archives_ui(ui, files),
        Question::Reimport(pending) => reimport_ui(ui, pending),
        Question::DeletedBones(pending) => deleted_bones_ui(ui, pending),
        Question::UnsavedWork => unsaved_work_ui(ui, ui.session.workspace.unsaved_work.as_deref()),
    }
    true
}

/// The width of the contents of a dialog.
pub(super) fn content_width(width: f32) -> f32 {
    width - 2.0 * PADDING
}

const PADDING: f32 = 16.0;

/// Draws a dialog with a title.
pub(super) fn modal<R>(ui: &Ui<'_>, title: &str, width: f32, body: impl FnOnce(&Form<'_>) -> R) -> Option<R> {
    let display = ui.io().display_size;
    let id = format!("{title}###modal");
    ui.open_popup(&id);
    let _padding = ui.push_style_var(imgui::StyleVar::WindowPadding([PADDING, 14.0]));
    let _spacing = ui.push_style_var(imgui::StyleVar::ItemSpacing([8.0, 4.0]));
    sys::place_next(ui.imgui, [display[0] / 2.0, display[1] * 0.4], [0.5; 2]);
    sys::size_next(ui.imgui, [width, 0.0]);
    let popup = ui.modal_popup_config(&id).resizable(false).movable(false).title_bar(false).save_settings(false);
    popup.always_auto_resize(true).build(|| {
        widgets::title(ui, title, "");
        body(&Form::of_width(ui, "", content_width(width)))
    })
}

/// Draws the buttons of a dialog: the first one is pressed by Enter, the last one by Escape. Returns the index of the pressed one, which
/// closes the dialog.
pub(super) fn answers(form: &Form<'_>, rows: &[&[Button<'_>]]) -> Option<usize> {
    let ui = form.ui;
    ui.dummy([0.0, 2.0]);
    let (mut pressed, mut count) = (None, 0);
    let has_default = rows.iter().map(|row| row.len()).sum::<usize>() > 1;
    for row in rows {
        let mut buttons = row.to_vec();
        if count == 0 && has_default {
            buttons[0].tone = Tone::On;
        }
        pressed = pressed.or(form.buttons(&buttons).map(|at| count + at));
        count += row.len();
    }
    let is_entered = has_default && ui.is_key_pressed(imgui::Key::Enter);
    let pressed = pressed.or(is_entered.then_some(0)).or(ui.is_key_pressed(imgui::Key::Escape).then_some(count - 1));
    if pressed.is_some() {
        ui.close_current_popup();
    }
    pressed
}

fn unsaved_ui(ui: &Ui<'_>) {
    let answer = modal(ui, "Save changes?", 420.0, |form| {
        ui.text_colored(ui.theme.quiet, format!("\"{}\" has unsaved changes.", ui.editor.title));
        let [save, discard, cancel] = [("Save", "answer0"), ("Don't save", "answer1"), ("Cancel", "answer2")]
            .map(|(text, id)| Button::new(text, id, ""));
        let all = [Answer::Save, Answer::Discard, Answer::Cancel];
        answers(form, &[&[save, discard, cancel]]).map(|at| all[at])
    });
    if let Some(answer) = answer.flatten() {
        ui.send(FileAction::Answer(answer));
    }
}

/// Asks for the purpose of a dropped image.
fn dropped_ui(ui: &Ui<'_>, dropped: &std::path::Path) {
    let name = dropped.file_name().unwrap_or_default().to_string_lossy();
    let material = ui.editor.material().map_or("", |(_, material)| &material.name);
    let answer = modal(ui, "Use this image as", 460.0, |form| {
        ui.text_colored(ui.theme.quiet, ui.fitted(&name, content_width(460.0)));
        let texture = ui.fitted(&format!("Texture of {material}"), content_width(460.0) - 8.0);
        let [texture, reference, nothing] =
            [(texture.as_str(), "dropped0"), ("Reference image", "dropped1"), ("Nothing", "dropped2")]
                .map(|(text, id)| [Button::new(text, id, "")]);
        let all = [Some(DropPurpose::Texture), Some(DropPurpose::Reference), None];
        answers(form, &[&texture, &reference, &nothing]).map(|at| all[at])
    });
    if let Some(answer) = answer.flatten() {
        ui.send(MaterialAction::AnswerDrop(answer));
    }
}

/// Maximum number of dropped archives that can be opened by a button.
const MAX_OPENED: usize = 3;

/// Asks what happens with dropped archives.
fn archives_ui(ui: &Ui<'_>, dropped: &DroppedFiles) {
    let count = dropped.archives.len() + dropped.models.len();
    let answer = modal(ui, "Dropped archives", 460.0, |form| {
        let text = "An archive can be opened in place of the document, or its models are added to it.";
        ui.text_colored(ui.theme.quiet, ui.fitted(text, content_width(460.0)));
        let opened = dropped.archives.iter().take(MAX_OPENED);
        let mut labels = vec![(format!("Add the models of {}", counted(count, "file")), "drop-add".to_owned())];
        labels.extend(opened.enumerate().map(|(at, archive)| {
            let name = archive.file_name().unwrap_or_default().to_string_lossy();
            (ui.fitted(&format!("Open {name}"), content_width(460.0) - 28.0), format!("drop-open{at}"))
        }));
        labels.push(("Cancel".to_owned(), "drop-cancel".to_owned()));
        let buttons: Vec<[Button<'_>; 1]> = labels.iter().map(|(text, id)| [Button::new(text, id, "")]).collect();
        let rows: Vec<&[Button<'_>]> = buttons.iter().map(|row| row.as_slice()).collect();
        let at = answers(form, &rows)?;
        Some(match at.checked_sub(1) {
            None => DropAnswer::Add,
            Some(at) if at + 2 < labels.len() => DropAnswer::Open(dropped.archives[at].clone()),
            Some(_) => DropAnswer::Nothing,
        })
    });
    if let Some(answer) = answer.flatten() {
        ui.send(FileAction::AnswerDrop(answer));
    }
}
