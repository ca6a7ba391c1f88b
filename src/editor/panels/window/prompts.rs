//! Modal prompts: unsaved changes, dropped images, and paths to open or to save to.

use crate::editor::panels::ui::Ui;

use crate::editor::panels::ui::frame::Align;
use crate::editor::panels::ui::name_field::NameField;
use crate::editor::panels::ui::rect::Rect;
use crate::editor::panels::ui::widgets;
use crate::editor::panels::ui::widgets::Tone;
use crate::editor::session::Answer;
use crate::editor::state::action::{Action, DropPurpose, FileAction, MaterialAction};
use crate::editor::state::effect::PathPurpose;
use crate::editor::state::export_options::{ExportOptions, Moments};
use crate::render::frame::framed_model::CameraAngle;

/// A prompt for a path. The app may answer it with the system's dialog.
#[derive(Clone, Debug)]
pub struct PathField {
    /// Its purpose.
    pub ask: PathPurpose,
    /// The typed path.
    pub path: NameField,
    /// The options of an export.
    pub options: ExportOptions,
    /// Whether the system's dialog must be opened.
    pub is_browse_wanted: bool,
}

impl PathField {
    /// A prompt that starts with a path, or empty.
    pub fn new(ask: PathPurpose, text: String) -> PathField {
        // The options of an export are chosen first.
        let is_browse_wanted = ask != PathPurpose::Image;
        PathField { ask, path: NameField::new(text), options: ExportOptions::default(), is_browse_wanted }
    }
}

/// The action for an answered prompt.
pub fn answer(ask: PathPurpose, options: ExportOptions, path: std::path::PathBuf) -> Action {
    match ask {
        PathPurpose::Image => Action::File(FileAction::Export(Some((path, options)))),
        PathPurpose::Open => Action::File(FileAction::Open(Some(path))),
        PathPurpose::Import => Action::File(FileAction::Import(Some(path))),
        PathPurpose::SaveAs => Action::File(FileAction::SaveAs(Some(path))),
        PathPurpose::SavePatch => Action::File(FileAction::SavePatch(Some(path))),
        PathPurpose::Texture => Action::Material(MaterialAction::ReplaceTexture(Some(path))),
        PathPurpose::Reference => Action::Material(MaterialAction::AddReference(Some(path))),
    }
}

/// Draws the open prompt.
pub fn prompts_ui(ui: &Ui<'_>, path: &mut Option<PathField>) {
    if ui.session.transient.prompt.is_some() {
        return unsaved_ui(ui);
    }
    if let Some(dropped) = &ui.session.transient.dropped {
        return dropped_ui(ui, dropped);
    }
    if let Some(field) = path {
        match path_ui(ui, field) {
            PathTouch::Open => {}
            PathTouch::Cancelled => *path = None,
            PathTouch::Entered => {
                ui.send(answer(field.ask, field.options, expanded(&field.path.text)));
                *path = None;
            }
        }
    }
}

fn modal<R>(ui: &Ui<'_>, title: &str, width: f32, body: impl FnOnce() -> R) -> Option<R> {
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

/// The result of a frame of the path prompt.
enum PathTouch {
    Open,
    Cancelled,
    Entered,
}

fn path_ui(ui: &Ui<'_>, field: &mut PathField) -> PathTouch {
    let (title, hint, verb) = match field.ask {
        PathPurpose::Image => ("Export GIF or PNG", "path of the .gif or .png file", "Export"),
        PathPurpose::Open => ("Open", "path of a .wad, .glb or .gltf file", "Open"),
        PathPurpose::Import => ("Add model", "path of a .glb, .gltf or .wad file", "Add"),
        PathPurpose::SaveAs => ("Save as", "path of the .wad file", "Save"),
        PathPurpose::Texture => ("Replace image", "path of a .png or .jpg file", "Replace"),
        PathPurpose::Reference => ("Add reference image", "path of a .png or .jpg file", "Add"),
        PathPurpose::SavePatch => ("Save as patch", "path of the patch, a .wad file", "Save"),
    };
    let touch = modal(ui, title, 620.0, || {
        let is_entered = field.path.draw(ui, "path", hint, 588.0);
        if field.ask == PathPurpose::Image {
            export_ui(ui, field);
        }
        let can_go = !field.path.text.trim().is_empty();
        let tone = if can_go { Tone::On } else { Tone::Off };
        let is_done = widgets::button(ui, &format!("{verb}##path-done"), [110.0, 28.0], tone);
        ui.same_line();
        let is_cancelled = widgets::button(ui, "Cancel##path-cancel", [110.0, 28.0], Tone::Plain);
        ui.same_line();
        if widgets::button(ui, "Browse…##path-browse", [110.0, 28.0], Tone::Plain) {
            field.is_browse_wanted = true;
        }
        if can_go && (is_entered || is_done) {
            ui.close_current_popup();
            return PathTouch::Entered;
        }
        if is_cancelled || ui.is_key_pressed(imgui::Key::Escape) {
            ui.close_current_popup();
            return PathTouch::Cancelled;
        }
        PathTouch::Open
    });
    touch.unwrap_or(PathTouch::Open)
}

/// Draws the options of an export. The path's extension follows them.
fn export_ui(ui: &Ui<'_>, field: &mut PathField) {
    let options = &mut field.options;
    let before = options.moments;
    choices(ui, "What", &mut options.moments, &Moments::ALL, |one| one.name().into());
    choices(ui, "View", &mut options.view, &CameraAngle::CHOICES, |one| one.name().into());
    choices(ui, "Size", &mut options.side, &ExportOptions::SIDES, |one| format!("{one} px"));
    choices(ui, "Bones", &mut options.has_bones, &[false, true], |one| if one { "shown" } else { "hidden" }.into());
    if options.moments != before {
        field.path.text = options.with_extension(&expanded(&field.path.text)).to_string_lossy().into_owned();
    }
    ui.dummy([0.0, 2.0]);
}

fn choices<T: Copy + PartialEq>(ui: &Ui<'_>, title: &str, chosen: &mut T, all: &[T], name: impl Fn(T) -> String) {
    let label = Rect::at(ui.cursor_screen_pos(), [60.0, 24.0]);
    ui.text_in(label, Align::Left, ui.theme.quiet, title);
    ui.dummy([60.0, 24.0]);
    for (at, one) in all.iter().enumerate() {
        ui.same_line();
        let tone = if one == chosen { Tone::On } else { Tone::Plain };
        if widgets::button(ui, &format!("{}##wish-{title}{at}", name(*one)), [122.0, 24.0], tone) {
            *chosen = *one;
        }
    }
}

/// Removes quotes, spaces and "file://" around a pasted path.
fn expanded(text: &str) -> std::path::PathBuf {
    let text = text.trim().trim_matches(['"', '\'']);
    text.strip_prefix("file://").unwrap_or(text).into()
}

#[cfg(test)]
mod tests {
    use super::expanded;

    #[test]
    fn a_copied_path_loses_what_surrounds_it() {
        for text in ["/a b/c.wad", " \"/a b/c.wad\" ", "'/a b/c.wad'", "file:///a b/c.wad"] {
            assert_eq!(expanded(text).to_str(), Some("/a b/c.wad"), "{text}");
        }
    }
}
