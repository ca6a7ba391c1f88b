//! The left part of the file browser: places, favourites, recent folders and recent files.

use std::path::{Path, PathBuf};

use imgui::WindowHoveredFlags;

use crate::editor::panels::ui::prelude::*;
use crate::editor::panels::window::browser::{FileBrowser, Touch};
use crate::editor::session::browser::PlaceKind;
use crate::editor::session::preferences::Prefer;

struct PlaceRow<'a> {
    id: String,
    sign: Icon,
    name: String,
    path: &'a Path,
    /// The change of the preferences that removes it from its list.
    forget: Option<Prefer>,
}

impl FileBrowser {
    pub(super) fn places_ui(&mut self, ui: &Ui<'_>, rect: Rect, touch: &mut Touch) {
        ui.set_cursor_screen_pos(rect.min);
        let _padding = ui.push_style_var(StyleVar::WindowPadding([0.0; 2]));
        let _spacing = ui.push_style_var(StyleVar::ItemSpacing([4.0, 0.0]));
        ui.child_window("##browser-places").size(rect.size()).build(|| {
            let (mut wanted, mut is_file) = (None, false);
            for (title, rows) in self.sections(ui) {
                if rows.is_empty() {
                    continue;
                }
                ui.section(title);
                ui.dummy([0.0, 2.0]);
                for row in rows {
                    let Some(is_double) = self.place_ui(ui, &row) else { continue };
                    (wanted, is_file) = (Some(row.path.to_owned()), title == RECENT_FILES);
                    if is_double && is_file && !self.purpose.is_save() {
                        *touch = Touch::Chosen(vec![row.path.to_owned()]);
                    }
                }
            }
            match wanted {
                Some(file) if is_file => self.go_to_file(&file),
                Some(folder) => self.go(folder),
                None => {}
            }
        });
    }

    fn sections<'a>(&'a self, ui: &Ui<'a>) -> [(&'static str, Vec<PlaceRow<'a>>); 4] {
        let preferences = &ui.session.workspace.preferences;
        let mut places = Vec::new();
        if let Some(folder) = &self.current {
            let (id, name) = ("place-current".to_owned(), "Current file".to_owned());
            places.push(PlaceRow { id, sign: Icon::FileArchive, name, path: folder, forget: None });
        }
        for place in &ui.session.transient.folders.places {
            let sign = match place.kind {
                PlaceKind::Home => Icon::User,
                PlaceKind::Folder => Icon::Folder,
                PlaceKind::Disk => Icon::HardDrive,
            };
            let (id, name) = (format!("place-{}", place.name), place.name.clone());
            places.push(PlaceRow { id, sign, name, path: &place.path, forget: None });
        }
        let folders = |paths: &'a [PathBuf], kind: &str, sign, forget: Option<fn(PathBuf) -> Prefer>| {
            let row = |(at, path): (usize, &'a PathBuf)| PlaceRow {
                id: format!("{kind}{at}"),
                sign,
                name: name_of(path),
                path,
                forget: forget.map(|forget| forget(path.clone())),
            };
            paths.iter().enumerate().map(row).collect::<Vec<_>>()
        };
        let mut recent = folders(&preferences.recent, "recent-file", Icon::FileBox, Some(Prefer::Forget));
        let workspace = &ui.session.workspace;
        recent.retain(|row| self.purpose.suits(row.path) && !workspace.is_missing(row.path));
        [
            ("Places", places),
            ("Favourites", folders(&preferences.favourites, "favourite", Icon::Star, Some(Prefer::ToggleFavourite))),
            ("Recent folders", folders(&preferences.folders, "recent-folder", Icon::Clock, None)),
            (RECENT_FILES, recent),
        ]
    }

    /// Draws a place. Returns whether it was clicked, and whether twice.
    fn place_ui(&self, ui: &Ui<'_>, row: &PlaceRow<'_>) -> Option<bool> {
        let RowTouch { rect, is_clicked, is_double_clicked, .. } = widgets::row(ui, &row.id, self.folder == row.path);
        ui.tip(&row.path.to_string_lossy(), "");
        ui.text_in(rect.trim_left(8.0).left(18.0), Align::Center, ui.theme.quiet, &icon(row.sign));
        // Also while the button that removes it is down.
        let is_above = ui.is_window_hovered_with_flags(WindowHoveredFlags::ALLOW_WHEN_BLOCKED_BY_ACTIVE_ITEM);
        let forget = if is_above && rect.contains(ui.io().mouse_pos) { row.forget.as_ref() } else { None };
        let room = rect.trim_left(34.0).trim_right(if forget.is_some() { ROW } else { 4.0 });
        ui.text_in(room, Align::Left, ui.theme.text, &row.name);
        let after = ui.cursor_screen_pos();
        if let Some(forget) = forget {
            if widgets::icon_button_at(ui, rect.right(ROW), &format!("forget-{}", row.id), Icon::X, Tone::Bare) {
                ui.send(forget.clone());
            }
            ui.tip("Remove from this list", "");
            ui.set_cursor_screen_pos(after);
            if rect.right(ROW).contains(ui.io().mouse_pos) {
                return None;
            }
        }
        is_clicked.then_some(is_double_clicked)
    }

    /// Goes to the folder of a file, with the cursor on the file.
    fn go_to_file(&mut self, file: &Path) {
        let (Some(folder), Some(name)) = (file.parent(), file.file_name()) else { return };
        self.go(folder.to_owned());
        self.cursor = Some(name.to_owned());
        self.chosen = [name.to_owned()].into();
        self.list.scrolls_to_cursor = true;
        if self.purpose.is_save() {
            self.name = name.to_string_lossy().into_owned();
        }
    }
}

const RECENT_FILES: &str = "Recent files";

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}
