//! The right part of the file browser: the thumbnail of the file under the cursor and facts about it, or the options of an export.

use std::path::PathBuf;

use imgui::Image;

use crate::editor::panels::ui::figures::{bytes_text, date_text};
use crate::editor::panels::ui::prelude::*;
use crate::editor::panels::window::browser::FileBrowser;
use crate::editor::panels::window::browser::list::{sign_of, version_of};
use crate::editor::panels::window::browser::preview::{FilePreview, FileVersion, Picture};
use crate::editor::panels::window::export_options::export_ui;
use crate::editor::panels::window::import_options::{Names, import_ui};
use crate::editor::session::browser::entry::{Entry, Listing};
use crate::editor::session::browser::kinds::FileKind;
use crate::editor::session::preferences::Prefer;
use crate::editor::state::effect::PathPurpose;

/// Height of the tabs.
const TAB: f32 = 24.0;

/// Height of a line of facts.
const LINE: f32 = 20.0;

impl FileBrowser {
    pub(super) fn preview_ui(&mut self, ui: &Ui<'_>, rect: Rect, preview: &dyn Fn(&FileVersion) -> FilePreview) {
        ui.fill(rect, ui.theme.bar, 6.0);
        let mut rest = rect.shrunk(12.0);
        if self.purpose == PathPurpose::Image {
            return self.options_pane(ui, rest);
        }
        let listing = self.listing(ui).cloned();
        let listing = listing.as_deref();
        if self.chosen.len() > 1 {
            let text = format!("{} files chosen", self.chosen.len());
            return ui.text_in(rest.top(LINE), Align::Left, ui.theme.quiet, &text);
        }
        let entry =
            listing.zip(self.cursor.as_ref()).and_then(|(listing, name)| Some((listing, listing.find(name.as_ref())?)));
        let Some((listing, entry)) = entry else {
            return ui.text_in(rest.top(LINE), Align::Left, ui.theme.dim, "No file selected");
        };
        let version = version_of(listing, entry);
        let has_options = self.purpose.has_import_options() && entry.kind == FileKind::Model;
        let version = version.map(|version| if has_options { self.with_options(version) } else { version });
        let shows_options = has_options && self.shows_options;
        let picture = rest.cut_top(if shows_options { rest.width() * 0.7 } else { rest.width() }, 10.0);
        ui.fill(picture, ui.theme.ground, 6.0);
        let shown = version.map(|version| preview(&version));
        image_ui(ui, picture, entry, shown.as_ref());
        if has_options {
            self.tabs_ui(ui, rest.cut_top(TAB, 8.0));
        }
        if shows_options {
            self.import_pane(ui, rest, shown.as_ref())
        } else {
            facts_ui(ui, rest, listing, entry, shown.as_ref())
        }
    }

    /// The file as it is imported. Chosen meshes and clips are those of one file.
    fn with_options(&mut self, version: FileVersion) -> FileVersion {
        if self.adjusted.as_ref() != Some(&version.path) {
            self.import_options = self.import_options.for_any_file();
            self.adjusted = Some(version.path.clone());
        }
        FileVersion { options: self.import_options.clone(), ..version }
    }

    fn tabs_ui(&mut self, ui: &Ui<'_>, rect: Rect) {
        let changed = if self.import_options.is_default() { "" } else { " •" };
        let tabs = [(false, "File".to_owned(), "browser-facts"), (true, format!("Options{changed}"), "browser-import")];
        for (at, (is_options, text, id)) in tabs.into_iter().enumerate() {
            let tone = if self.shows_options == is_options { Tone::On } else { Tone::Plain };
            if widgets::button_at(ui, rect.column(at, 2, 4.0), &format!("{text}##{id}"), tone) {
                self.shows_options = is_options;
            }
        }
    }

    /// Draws the options of an import, which scroll.
    fn import_pane(&mut self, ui: &Ui<'_>, rect: Rect, shown: Option<&FilePreview>) {
        match shown {
            Some(FilePreview::Shown(shown)) => {
                self.names = (shown.meshes.clone(), shown.clips.clone());
                text_lines(ui, rect.top(LINE), shown.facts.first().into_iter());
            }
            Some(FilePreview::Failed(_)) | None => self.names = Default::default(),
            // What was read before stays until the next preview is there.
            Some(FilePreview::Waiting) => {}
        }
        ui.set_cursor_screen_pos([rect.min[0], rect.min[1] + LINE + 4.0]);
        let _padding = ui.push_style_var(StyleVar::WindowPadding([0.0; 2]));
        let size = rect.trim_top(LINE + 4.0).size();
        ui.child_window("##browser-import-options").size(size).build(|| {
            let (meshes, clips) = self.names.clone();
            self.is_choosing = import_ui(ui, &mut self.import_options, Names { meshes: &meshes, clips: &clips });
        });
    }

    /// Keeps the options of an import for it and for later ones.
    pub(super) fn send_import_options(&self, ui: &Ui<'_>, paths: &[PathBuf]) {
        if !self.purpose.has_import_options() {
            return;
        }
        let is_adjusted = paths.len() == 1 && self.adjusted.as_ref() == paths.first();
        let options = if is_adjusted { self.import_options.clone() } else { self.import_options.for_any_file() };
        if options != ui.session.workspace.preferences.import_options {
            ui.send(Prefer::ImportOptions(Box::new(options)));
        }
    }

    /// Draws the options of an export, which scroll in a low window.
    fn options_pane(&mut self, ui: &Ui<'_>, rect: Rect) {
        ui.set_cursor_screen_pos(rect.min);
        let _padding = ui.push_style_var(StyleVar::WindowPadding([0.0; 2]));
        ui.child_window("##browser-options").size(rect.size()).build(|| {
            let before = self.options.moments;
            self.is_choosing = export_ui(ui, &mut self.options);
            if self.options.moments != before {
                let name = self.options.with_extension(self.name.as_ref());
                self.name = name.to_string_lossy().into_owned();
            }
        });
    }
}

fn image_ui(ui: &Ui<'_>, rect: Rect, entry: &Entry, shown: Option<&FilePreview>) {
    match shown {
        Some(FilePreview::Shown(shown)) if shown.id.is_some() => picture(ui, rect.shrunk(4.0), shown),
        Some(FilePreview::Waiting) => ui.text_in(rect, Align::Center, ui.theme.dim, "Reading…"),
        _ => {
            ui.text_in_font(ui.fonts.large, rect, Align::Center, ui.theme.dim, &icon(sign_of(entry.kind)));
        }
    }
}

fn text_lines<'l>(ui: &Ui<'_>, rect: Rect, lines: impl Iterator<Item = &'l String>) {
    let mut rest = rect;
    for line in lines {
        let place = rest.cut_top(LINE, 0.0);
        if ui.title_in(place, Align::Left, ui.theme.quiet, line) && place.contains(ui.io().mouse_pos) {
            ui.tooltip_text(line);
        }
    }
}

fn facts_ui(ui: &Ui<'_>, rect: Rect, listing: &Listing, entry: &Entry, shown: Option<&FilePreview>) {
    let mut rest = rect;
    {
        let _font = ui.with_font(ui.fonts.bold);
        let line = rest.cut_top(LINE, 2.0);
        if ui.title_in(line, Align::Left, ui.theme.text, &entry.shown) && line.contains(ui.io().mouse_pos) {
            ui.tooltip_text(&entry.shown);
        }
    }
    let mut lines = vec![entry.kind.name().to_owned()];
    if !entry.is_folder() {
        lines.push(bytes_text(usize::try_from(entry.bytes).unwrap_or(usize::MAX)));
    }
    lines.extend(
        entry.modified.map(|modified| format!("Changed {}", date_text(modified, ui.now_ms().max(listing.read_at)))),
    );
    if let Some(FilePreview::Shown(shown)) = shown {
        lines.extend(shown.facts.iter().cloned());
    }
    for line in lines {
        ui.text_in(rest.cut_top(LINE, 0.0), Align::Left, ui.theme.quiet, &line);
    }
    let failed = match shown {
        Some(FilePreview::Failed(reason)) => Some(reason),
        _ => None,
    };
    if let Some(reason) = entry.fault.as_ref().or(failed) {
        ui.mark(|| format!("preview fault: {reason}"), rest);
        ui.set_cursor_screen_pos([rest.min[0], rest.min[1] + 6.0]);
        let _wrap = ui.push_text_wrap_pos_with_pos(rest.max[0] - ui.window_pos()[0]);
        ui.text_colored(ui.theme.hurt, reason);
    }
}

/// Draws a thumbnail as large as fits, with its own proportions. Textures of the renderer begin at the bottom, as those of images
/// do here.
pub fn picture(ui: &Ui<'_>, rect: Rect, shown: &Picture) {
    let Some(id) = shown.id else { return };
    let [width, height] = shown.size.map(|side| side.max(1.0));
    let scale = (rect.width() / width).min(rect.height() / height).clamp(0.0, 2.0);
    let place = Rect::around(rect.center(), [width * scale, height * scale]);
    ui.set_cursor_screen_pos(place.min);
    let [top, bottom] = if shown.is_bottom_up { [1.0, 0.0] } else { [0.0, 1.0] };
    Image::new(id, place.size()).uv0([0.0, top]).uv1([1.0, bottom]).build(ui.imgui);
}
