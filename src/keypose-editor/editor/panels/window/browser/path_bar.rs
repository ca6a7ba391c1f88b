//! The upper part of the file browser: title, navigation buttons and the path field with Tab completion.

use std::path::{Path, PathBuf};

use imgui::{InputTextCallback, InputTextCallbackHandler, TextCallbackData};

use crate::editor::panels::ui::prelude::*;
use crate::editor::panels::window::browser::{BAR, Field, FileBrowser, Touch};
use crate::editor::session::browser::{BrowserAction, completion, paths};
use crate::editor::session::preferences::Prefer;

/// The path field.
#[derive(Clone, Debug, Default)]
pub(super) struct PathBar {
    pub text: String,
    /// Whether a path is being typed: the text is not the folder's path. It stays until it is entered, given up with Escape, or
    /// another folder is chosen.
    pub is_typing: bool,
    /// Whether the field has the keyboard, and whether it had it when this frame began.
    pub is_active: bool,
    pub was_active: bool,
    /// Whether Tab was pressed before the folder was read.
    wants_completion: bool,
    /// Whether Enter was pressed before the folder was read.
    pub is_entered: bool,
    /// Where the caret goes when the field gets the keyboard.
    pub caret: Option<Caret>,
}

/// Where the caret of the path field goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Caret {
    /// To the end, to continue typing.
    End,
    /// To the end, with the whole path selected, so that typing replaces it.
    All,
}

impl PathBar {
    /// The field with the path of a folder.
    pub fn of(folder: &Path) -> PathBar {
        PathBar { text: paths::folder_text(folder), ..PathBar::default() }
    }
}

/// Completes the text of the path field when Tab is pressed.
struct Completer<'a> {
    /// Completes a text; `None` while its folder is being read.
    complete: &'a dyn Fn(&str) -> Option<String>,
    wants_completion: &'a mut bool,
}

impl Completer<'_> {
    fn complete(&mut self, data: &mut TextCallbackData) {
        let before = data.str().to_owned();
        let after = (self.complete)(&before);
        *self.wants_completion = after.is_none();
        if let Some(after) = after.filter(|after| *after != before) {
            data.clear();
            data.push_str(&after);
        }
    }
}

impl InputTextCallbackHandler for Completer<'_> {
    fn on_completion(&mut self, mut data: TextCallbackData) {
        self.complete(&mut data);
    }

    fn on_always(&mut self, mut data: TextCallbackData) {
        if *self.wants_completion {
            self.complete(&mut data);
        }
    }
}

impl FileBrowser {
    pub(super) fn title_ui(&mut self, ui: &Ui<'_>, rect: Rect) -> Touch {
        ui.text_in_font(ui.fonts.bold, rect, Align::Left, ui.theme.text, self.purpose.title());
        let is_closed = widgets::icon_button_at(ui, rect.right(24.0), "browser-close", Icon::X, Tone::Bare);
        ui.tip("Close", "Esc");
        if is_closed { Touch::Cancelled } else { Touch::Open }
    }

    pub(super) fn path_bar_ui(&mut self, ui: &Ui<'_>, rect: Rect) {
        let mut rest = rect;
        let has_parent = self.listed_folder(ui).parent().is_some_and(|above| !above.as_os_str().is_empty());
        let buttons = [
            ("browser-back", Icon::ArrowLeft, !self.back.is_empty(), "Back", "Alt+Left"),
            ("browser-forward", Icon::ArrowRight, !self.forward.is_empty(), "Forward", "Alt+Right"),
            ("browser-up", Icon::ArrowUp, has_parent, "Parent folder", "Backspace"),
            ("browser-reload", Icon::RefreshCw, true, "Reload the folder", "F5"),
        ];
        for (id, sign, is_possible, tip, key) in buttons {
            let tone = if is_possible { Tone::Clear } else { Tone::Off };
            let is_pressed = widgets::icon_button_at(ui, rest.cut_left(BAR, 4.0), id, sign, tone);
            ui.tip(tip, key);
            match id {
                _ if !is_pressed => {}
                "browser-back" => self.go_back(),
                "browser-forward" => self.go_forward(),
                "browser-up" => self.go_up(ui),
                _ => self.requested = None,
            }
        }
        self.star_ui(ui, rest.cut_right(BAR, 4.0));
        self.path_ui(ui, rest);
    }

    fn star_ui(&mut self, ui: &Ui<'_>, rect: Rect) {
        let typed = self.typed_folder(ui);
        let folder = typed.clone().unwrap_or_else(|| self.listed_folder(ui));
        let is_favourite = ui.session.workspace.preferences.favourites.contains(&folder);
        let tone = if is_favourite {
            Tone::On
        } else if self.path.is_typing && !self.is_readable(ui) {
            Tone::Off
        } else {
            Tone::Clear
        };
        let is_pressed = widgets::icon_button_at(ui, rect, "browser-star", Icon::Star, tone);
        ui.tip(if is_favourite { "Remove from the favourites" } else { "Add to the favourites" }, "");
        if is_pressed {
            if let Some(folder) = typed {
                self.go(folder);
            }
            ui.send(Prefer::ToggleFavourite(folder));
        }
    }

    /// The typed folder, if it was read; `None` if nothing is typed or it is the start of a name.
    fn typed_folder(&self, ui: &Ui<'_>) -> Option<PathBuf> {
        let (folder, name) = self.path.is_typing.then(|| self.typed(ui))?;
        if name.is_empty() {
            return self.is_readable(ui).then_some(folder);
        }
        let entry = self.listing(ui)?.find(Path::new(&name))?;
        entry.is_folder().then(|| folder.join(name))
    }

    /// Whether the listed folder was read.
    fn is_readable(&self, ui: &Ui<'_>) -> bool {
        self.listing(ui).is_some_and(|listing| listing.fault.is_none() || !listing.entries.is_empty())
    }

    /// Takes what is typed before another field gets the keyboard: a typed folder is entered; what starts a name stays the
    /// start of a name there. The path of a folder that is not read stays where it is.
    pub(super) fn leave_path(&mut self, ui: &Ui<'_>, to: Field) {
        if !self.path.is_typing || !self.is_readable(ui) {
            return;
        }
        let (folder, name) = self.typed(ui);
        match self.typed_folder(ui) {
            Some(folder) => self.go(folder),
            None => {
                self.go(folder);
                *if self.purpose.is_save() { &mut self.name } else { &mut self.filter } = name;
            }
        }
        // The active field would keep its own text.
        sys::release_active(ui.imgui);
        self.focus = Some(to);
    }

    fn path_ui(&mut self, ui: &Ui<'_>, rect: Rect) {
        if self.focus == Some(Field::Path) {
            widgets::focus_next(ui);
        }
        ui.set_cursor_screen_pos(rect.min);
        ui.set_next_item_width(rect.width());
        let (mut text, mut wants_completion) = (self.path.text.clone(), self.path.wants_completion);
        let is_changed = {
            let complete = |text: &str| self.completed(ui, text);
            let handler = Completer { complete: &complete, wants_completion: &mut wants_completion };
            let height = (BAR - ui.text_line_height()) / 2.0;
            let _padding = ui.push_style_var(StyleVar::FramePadding([8.0, height]));
            let field = ui.input_text("##browser-path", &mut text).hint("Path of a folder or file");
            let calls = InputTextCallback::COMPLETION | InputTextCallback::ALWAYS;
            field.callback(calls, handler).build()
        };
        ui.item("browser-path");
        let is_active = ui.is_item_active();
        (self.path.text, self.path.wants_completion) = (text, wants_completion && is_active);
        if is_active && self.focus == Some(Field::Path) {
            self.focus = None;
        }
        match self.path.caret.take_if(|_| is_active) {
            Some(Caret::End) => sys::put_caret_at_end(ui.imgui),
            Some(Caret::All) => sys::select_all_text(ui.imgui),
            None => {}
        }
        self.path.was_active = std::mem::replace(&mut self.path.is_active, is_active);
        if is_changed {
            self.unchoose();
            self.report.clear();
        }
        self.path.is_typing = self.path.text != paths::folder_text(&self.folder);
    }

    /// The text of the path field after Tab; `None` while the folder is being read.
    fn completed(&self, ui: &Ui<'_>, text: &str) -> Option<String> {
        let path = self.folder.join(paths::typed_path(text, ui.session.transient.folders.home()));
        let (folder, start) = paths::split(&path, text);
        if text.trim() == "~" {
            return Some(paths::folder_text(&folder));
        }
        let listing = ui.session.transient.folders.listing(&folder)?;
        let completed = completion::completed(listing, &start, &self.shows(ui)).unwrap_or_else(|| start.clone());
        Some(match text.strip_suffix(start.as_str()) {
            Some(before) => format!("{before}{completed}"),
            None => folder.join(completed).to_string_lossy().into_owned(),
        })
    }

    /// Moves a path that is typed into another field to the path field.
    pub(super) fn type_path(&mut self, text: &str) {
        self.path = PathBar { text: text.to_owned(), is_typing: true, caret: Some(Caret::End), ..PathBar::default() };
        self.focus = Some(Field::Path);
    }

    /// Opens the typed path: a folder is entered, a file is chosen.
    pub(super) fn enter_path(&mut self, ui: &Ui<'_>, touch: &mut Touch) {
        self.path.is_entered = true;
        if paths::is_remote(&self.path.text) {
            self.path.is_entered = false;
            return self.report(format!("{}.", paths::REMOTE));
        }
        let (folder, name) = self.typed(ui);
        let Some(listing) = ui.session.transient.folders.listing(&folder) else {
            if !ui.session.transient.folders.is_reading(&folder) && self.requested.as_ref() == Some(&folder) {
                ui.send(BrowserAction::List(folder));
            }
            return;
        };
        self.path.is_entered = false;
        let found = listing.find(Path::new(&name)).cloned();
        match (found, &listing.fault) {
            (_, Some(fault)) if listing.entries.is_empty() => self.report(fault.clone()),
            _ if name.is_empty() => self.go(folder),
            (Some(entry), _) if entry.is_folder() => self.go(folder.join(name)),
            (Some(_), _) if !self.purpose.is_save() => *touch = Touch::Chosen(vec![folder.join(name)]),
            (None, _) if !self.purpose.is_save() => {
                self.report(format!("{}: no such file or folder", folder.join(name).display()));
                (self.focus, self.path.caret) = (Some(Field::Path), Some(Caret::End));
            }
            _ => {
                self.go(folder);
                self.name = name;
            }
        }
    }
}
