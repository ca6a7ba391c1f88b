//! The lower part of the file browser: the name of a file to be written, buttons, and questions.

use std::path::{Path, PathBuf};

use crate::editor::panels::ui::prelude::*;
use crate::editor::panels::window::browser::{BAR, Field, FileBrowser, Touch};
use crate::editor::session::browser::{BrowserAction, paths};
use crate::editor::state::effect::PathPurpose;

/// Width of a button.
const BUTTON: f32 = 110.0;
/// In a narrower footer, some buttons have only an icon.
const NARROW: f32 = 720.0;

/// A question of the browser.
#[derive(Clone, Debug, Default)]
pub(super) enum Asking {
    #[default]
    Nothing,
    /// Whether an existing file is overwritten.
    Overwrite(PathBuf),
    NewFolder(Naming<()>),
    /// A folder is being made.
    Making(PathBuf),
}

impl Asking {
    /// Whether a field of the question has the keyboard.
    pub(super) fn has_field(&self) -> bool {
        matches!(self, Asking::NewFolder(_))
    }
}

impl FileBrowser {
    /// Draws the line above the footer: what went wrong, or the count of files.
    pub(super) fn report_ui(&self, ui: &Ui<'_>, rect: Rect) {
        if let Asking::Overwrite(path) = &self.asking {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let text = format!("{name} exists. Enter overwrites it, Esc keeps it.");
            ui.mark(|| "browser-overwrite".to_owned(), rect);
            return ui.text_in(rect, Align::Left, ui.theme.hurt, &text);
        }
        if !self.report.is_empty() {
            ui.mark(|| format!("browser report: {}", self.report), rect);
            ui.text_in(rect, Align::Left, ui.theme.hurt, &self.report);
            if ui.is_mouse_hovering_rect(rect.min, rect.max) && ui.calc_text_size(&self.report)[0] > rect.width() {
                ui.tooltip_text(&self.report);
            }
            return;
        }
        let Some(listing) = self.listing(ui) else { return };
        if !listing.entries.is_empty()
            && let Some(fault) = &listing.fault
        {
            return ui.text_in(rect, Align::Left, ui.theme.hurt, fault);
        }
        let files =
            self.chosen.iter().filter(|name| listing.find(name.as_ref()).is_some_and(|entry| !entry.is_folder()));
        let text = match files.count() {
            0 | 1 => format!("{} of {} shown", self.list.shown_count(), listing.entries.len()),
            count => format!("{count} files chosen"),
        };
        ui.text_in(rect, Align::Left, ui.theme.dim, &text);
    }

    pub(super) fn footer_ui(&mut self, ui: &Ui<'_>, rect: Rect, touch: &mut Touch) {
        let mut rest = rect;
        let (verb, tone) = match &self.asking {
            Asking::Overwrite(_) => ("Overwrite", Tone::On),
            _ if self.can_confirm(ui) => (self.purpose.verb(), Tone::On),
            _ => (self.purpose.verb(), Tone::Off),
        };
        if widgets::button_at(ui, rest.cut_right(BUTTON, 8.0), &format!("{verb}##browser-done"), tone) {
            self.press_done(ui, touch);
        }
        if widgets::button_at(ui, rest.cut_right(BUTTON, 8.0), "Cancel##browser-cancel", Tone::Plain) {
            self.cancel(touch);
        }
        let system = "System dialog…";
        let (label, width) = if rect.width() < NARROW {
            (icon(Icon::FolderOpen), BAR)
        } else {
            (system.to_owned(), ui.calc_text_size(system)[0] + 24.0)
        };
        if widgets::button_at(ui, rest.cut_right(width, 16.0), &format!("{label}##browser-system"), Tone::Bare) {
            let folder = self.listed_folder(ui);
            let start = if self.purpose.is_save() { folder.join(&self.name) } else { folder };
            ui.send(BrowserAction::ShowSystemDialog(self.purpose, start));
        }
        ui.tip("Use the system's file dialog. The preferences can make it the default", "");
        if self.purpose.is_save() {
            self.new_folder_button(ui, &mut rest, rect.width() < NARROW);
            self.name_ui(ui, rest);
        }
    }

    fn can_confirm(&self, ui: &Ui<'_>) -> bool {
        if self.purpose.is_folder() {
            true
        } else if self.purpose.is_save() {
            !self.name.trim().is_empty()
        } else {
            self.cursor.as_ref().is_some_and(|name| self.entry(ui, name).is_some()) || self.path.is_typing
        }
    }

    /// Handles the button that confirms, and Enter.
    pub(super) fn press_done(&mut self, ui: &Ui<'_>, touch: &mut Touch) {
        if let Asking::Overwrite(path) = &self.asking {
            *touch = Touch::Chosen(vec![path.clone()]);
        } else if self.path.is_typing {
            self.enter_path(ui, touch);
        } else {
            self.is_confirming = true;
        }
    }

    /// Handles Escape and the button that cancels: ends the question or what is typed, or closes the browser.
    pub(super) fn cancel(&mut self, touch: &mut Touch) {
        match self.asking {
            Asking::Nothing => *touch = Touch::Cancelled,
            _ => self.asking = Asking::Nothing,
        }
    }

    fn new_folder_button(&mut self, ui: &Ui<'_>, rest: &mut Rect, is_narrow: bool) {
        let (text, width) = if is_narrow { ("", BAR) } else { ("  New folder", 116.0) };
        let label = format!("{}{text}##browser-new-folder", icon(Icon::FolderPlus));
        if widgets::button_at(ui, rest.cut_left(width, 8.0), &label, Tone::Plain) {
            self.leave_path(ui, Field::Name);
            if self.path.is_typing {
                self.report("A folder can't be created here, because this folder can't be read.")
            } else {
                let mut naming = Naming::default();
                naming.start(ui, (), "New folder");
                (self.asking, self.focus) = (Asking::NewFolder(naming), None)
            }
        }
        ui.tip("Create a folder here", "");
    }

    fn name_ui(&mut self, ui: &Ui<'_>, rect: Rect) {
        let mut rest = rect;
        ui.text_in(rest.cut_left(44.0, 4.0), Align::Left, ui.theme.quiet, "Name");
        if self.focus == Some(Field::Name) {
            widgets::focus_next(ui);
        }
        ui.set_cursor_screen_pos(rest.min);
        ui.set_next_item_width(rest.width());
        let _padding = ui.push_style_var(StyleVar::FramePadding([8.0, (BAR - ui.text_line_height()) / 2.0]));
        let is_changed = ui.input_text("##browser-name", &mut self.name).auto_select_all(true).build();
        ui.item("browser-name");
        if ui.is_item_activated() {
            self.leave_path(ui, Field::Name);
        }
        if ui.is_item_active() && self.focus == Some(Field::Name) {
            self.focus = None;
        }
        if is_changed {
            self.unchoose();
            self.report.clear();
            self.asking = Asking::Nothing;
        }
    }

    /// Confirms the typed name: goes to a typed folder, asks about an existing file.
    pub(super) fn confirm_name(&mut self, ui: &Ui<'_>, touch: &mut Touch) {
        let name = self.name.trim();
        if name.is_empty() {
            return self.report("Type a name first.");
        }
        if name.contains(std::path::is_separator) || name.starts_with('~') || name.starts_with("file:") {
            self.split_name(ui);
        }
        let Some(listing) = ui.session.transient.folders.listing(&self.folder).cloned() else {
            // Its content decides whether a file is overwritten.
            self.is_confirming = true;
            return;
        };
        if listing.entries.is_empty()
            && let Some(fault) = listing.fault.clone()
        {
            return self.report(fault);
        }
        let target = self.target();
        let found = target.file_name().and_then(|name| listing.find(Path::new(name)));
        match found {
            Some(entry) if entry.is_folder() => self.go(self.folder.join(&entry.name)),
            Some(_) => self.asking = Asking::Overwrite(target),
            None if self.name.trim().is_empty() => {}
            None => *touch = Touch::Chosen(vec![target]),
        }
    }

    /// The path of the file to be written, with its extension.
    pub(super) fn target(&self) -> PathBuf {
        let path = self.folder.join(self.name.trim());
        match self.purpose {
            PathPurpose::Image => self.options.with_extension(&path),
            purpose => purpose.with_extension(path),
        }
    }

    /// Goes to the folder of a path that was typed as the name.
    fn split_name(&mut self, ui: &Ui<'_>) {
        let text = std::mem::take(&mut self.name);
        let path = self.folder.join(paths::typed_path(&text, ui.session.transient.folders.home()));
        let (folder, name) = paths::split(&path, &text);
        self.go(folder);
        self.name = name;
        self.request(ui);
    }

    /// Draws the name of the folder to be made, and follows what became of it.
    pub(super) fn new_folder_ui(&mut self, ui: &Ui<'_>, rest: &mut Rect) {
        match &mut self.asking {
            Asking::NewFolder(naming) => {
                let rect = rest.cut_top(ROW + 4.0, 2.0);
                ui.text_in(rect.trim_left(8.0).left(18.0), Align::Center, ui.theme.accent, &icon(Icon::Folder));
                let place = rect.trim_left(32.0).trim_right(8.0).trim_top(2.0);
                // Each name is another one than the empty one.
                match naming.ui(ui, &(), "", "browser-folder-name", place) {
                    Named::Typing => {}
                    Named::Closed | Named::Kept => self.asking = Asking::Nothing,
                    Named::Entered(name) => self.make_folder(ui, &name),
                }
            }
            Asking::Making(folder) => {
                let made = ui.session.transient.folders.made.as_ref().filter(|(made, _)| made == folder);
                if let Some((made, done)) = made.cloned() {
                    self.asking = Asking::Nothing;
                    match done {
                        Ok(()) => self.go(made),
                        Err(error) => self.report(error),
                    }
                }
            }
            Asking::Nothing | Asking::Overwrite(_) => {}
        }
    }

    fn make_folder(&mut self, ui: &Ui<'_>, name: &str) {
        self.asking = Asking::Nothing;
        if name.is_empty() || name.contains(std::path::is_separator) || [".", ".."].contains(&name) {
            return self.report("A folder's name can't be empty or contain separators.");
        }
        let folder = self.folder.join(name);
        ui.send(BrowserAction::MakeFolder(folder.clone()));
        self.asking = Asking::Making(folder);
        sys::release_active(ui.imgui);
    }
}
