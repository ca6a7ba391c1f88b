//! The keys of the file browser. Text fields keep what is typed; arrows, Enter and Escape are for the list.

use std::sync::Arc;

use imgui::Key;

use crate::editor::panels::ui::{Ui, sys};
use crate::editor::panels::window::browser::footer::Asking;
use crate::editor::panels::window::browser::path_bar::{Caret, PathBar};
use crate::editor::panels::window::browser::{Field, FileBrowser, Touch};
use crate::editor::session::browser::entry::Listing;

impl FileBrowser {
    pub(super) fn keys(&mut self, ui: &Ui<'_>, touch: &mut Touch) {
        let pressed = |key| ui.is_key_pressed_no_repeat(key);
        let held = ui.held();
        if pressed(Key::Escape) {
            return self.escape(touch);
        }
        if pressed(Key::Enter) || pressed(Key::KeypadEnter) {
            return self.enter(ui, touch);
        }
        if held.alt {
            return self.alt_key(ui);
        }
        if held.ctrl && pressed(Key::L) {
            (self.focus, self.path.caret) = (Some(Field::Path), Some(Caret::All));
        } else if held.ctrl && pressed(Key::H) {
            self.list.has_hidden ^= true;
        } else if held.ctrl && pressed(Key::T) {
            self.list.has_thumbnails ^= true;
        } else if held.ctrl && pressed(Key::A) {
            self.choose_all(ui);
        } else if pressed(Key::F5) {
            self.requested = None;
        } else if ui.is_key_pressed(Key::Backspace) && self.is_backspace_free() {
            self.go_up(ui);
        } else {
            self.arrows(ui);
        }
    }

    /// Handles a key with Alt: it goes to another folder.
    fn alt_key(&mut self, ui: &Ui<'_>) {
        let pressed = |key| ui.is_key_pressed_no_repeat(key);
        if pressed(Key::LeftArrow) {
            self.go_back();
        } else if pressed(Key::RightArrow) {
            self.go_forward();
        } else if pressed(Key::UpArrow) {
            self.go_up(ui);
        }
    }

    /// Whether Backspace has no text to delete: the filter was empty before this frame.
    fn is_backspace_free(&self) -> bool {
        let is_list = self.default_field() == Field::Filter && !self.path.is_typing && self.focus.is_none();
        is_list && self.list.was_unfiltered && self.filter.is_empty() && !self.path.is_active
    }

    fn escape(&mut self, touch: &mut Touch) {
        if self.path.was_active || self.path.is_active || self.path.is_typing {
            self.path = PathBar::of(&self.folder);
            self.focus = Some(self.default_field());
            return;
        }
        if !self.list.was_unfiltered && !matches!(self.asking, Asking::Overwrite(_)) {
            self.filter.clear();
            self.unchoose();
            self.focus = Some(self.default_field());
            return;
        }
        self.cancel(touch);
        self.focus = Some(self.default_field());
    }

    fn enter(&mut self, ui: &Ui<'_>, touch: &mut Touch) {
        if matches!(self.asking, Asking::Overwrite(_)) {
            return self.press_done(ui, touch);
        }
        if self.path.was_active && !self.path.is_typing {
            self.focus = Some(self.default_field());
            return;
        }
        let cursor = self.cursor.clone();
        if self.path.is_typing
            && let Some(name) = &cursor
        {
            return self.activate(ui, name, touch);
        }
        let folder = cursor.filter(|name| self.entry(ui, name).is_some_and(|entry| entry.is_folder()));
        match folder {
            Some(name) if self.chosen.len() <= 1 => self.activate(ui, &name, touch),
            Some(_) | None => self.press_done(ui, touch),
        }
    }

    /// Moves the cursor, or extends the chosen range with Shift.
    fn arrows(&mut self, ui: &Ui<'_>) {
        let Some(listing) = self.listing(ui).cloned() else { return };
        let shown = self.shown(ui, &listing);
        let Some(last) = shown.len().checked_sub(1) else { return };
        let at = self.cursor_place(&listing, &shown);
        let pressed = |key| ui.is_key_pressed(key);
        let has_text = !self.filter.is_empty() || self.purpose.is_save() || self.path.is_active;
        let columns = self.list.columns.max(1);
        let back = |by: usize| at.map_or(0, |at| at.saturating_sub(by));
        let forward = |by: usize| at.map_or(0, |at| (at + by).min(last));
        let to = if pressed(Key::DownArrow) {
            forward(columns)
        } else if pressed(Key::UpArrow) {
            back(columns)
        } else if pressed(Key::PageDown) {
            forward(self.list.page)
        } else if pressed(Key::PageUp) {
            back(self.list.page)
        } else if has_text {
            return;
        } else if pressed(Key::RightArrow) && columns > 1 {
            forward(1)
        } else if pressed(Key::LeftArrow) && columns > 1 {
            back(1)
        } else if pressed(Key::Home) {
            0
        } else if pressed(Key::End) {
            last
        } else {
            return;
        };
        self.report.clear();
        self.move_cursor(ui, &listing, &shown, to);
    }

    fn move_cursor(&mut self, ui: &Ui<'_>, listing: &Arc<Listing>, shown: &[usize], to: usize) {
        if ui.held().shift && self.purpose.takes_several() {
            self.choose_range(listing, shown, to)
        } else {
            self.put_cursor(listing, shown[to])
        }
        let entry = &listing.entries[shown[to]];
        if self.purpose.is_save() && !entry.is_folder() && !self.path.is_typing {
            self.name.clone_from(&entry.shown);
            // The active field would keep its own text.
            sys::release_active(ui.imgui);
        }
        self.list.scrolls_to_cursor = true;
    }

    /// Chooses all shown files.
    fn choose_all(&mut self, ui: &Ui<'_>) {
        let is_possible = self.purpose.takes_several() && !self.path.is_active;
        let (Some(listing), true) = (self.listing(ui).cloned(), is_possible) else { return };
        let shown = self.shown(ui, &listing);
        let files = shown.iter().map(|&at| &listing.entries[at]).filter(|entry| !entry.is_folder());
        self.chosen = files.map(|entry| entry.name.clone()).collect();
        self.cursor = self.chosen.first().cloned();
    }
}
