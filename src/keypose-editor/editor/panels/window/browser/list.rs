//! The middle of the file browser: the files of a folder as a list or as thumbnails. Only the visible ones are drawn.

use std::ffi::OsString;
use std::ops::Range;
use std::sync::{Arc, Weak};

use crate::editor::panels::ui::figures::{bytes_text, date_text};
use crate::editor::panels::ui::prelude::*;
use crate::editor::panels::window::browser::preview::{FilePreview, FileVersion};
use crate::editor::panels::window::browser::{BAR, Field, FileBrowser, Touch};
use crate::editor::session::browser::entry::{Entry, Listing};
use crate::editor::session::browser::kinds::FileKind;
use crate::editor::session::browser::order::{self, Shows, Sort, SortBy};
use keypose::assets::import_options::ImportOptions;

/// Width of the columns of sizes and dates.
const SIZES: f32 = 84.0;
const DATES: f32 = 108.0;
/// Width and height of a thumbnail with its name.
const CELL: [f32; 2] = [132.0, 148.0];
/// Minimum height of a thumbnail with its name.
const MIN_CELL: f32 = 72.0;

/// How files are listed.
#[derive(Clone, Debug, Default)]
pub(super) struct ListView {
    pub sort: Sort,
    pub has_all: bool,
    pub has_hidden: bool,
    pub has_thumbnails: bool,
    pub scrolls_to_cursor: bool,
    pub scrolls_to_top: bool,
    /// Rows on the screen, for Page Up and Page Down.
    pub page: usize,
    /// Thumbnails side by side; 1 in a list.
    pub columns: usize,
    /// Whether the filter was empty when this frame began.
    pub was_unfiltered: bool,
    shown: Shown,
}

/// The shown entries of a listing, kept while nothing changes.
#[derive(Clone, Debug, Default)]
struct Shown {
    of: Option<(Weak<Listing>, Shows, Sort)>,
    indices: Arc<[usize]>,
}

impl ListView {
    /// The count of shown entries.
    pub(super) fn shown_count(&self) -> usize {
        self.shown.indices.len()
    }
}

/// A row with its rectangle.
struct Row<'a> {
    at: usize,
    entry: &'a Entry,
    rect: Rect,
    is_hovered: bool,
}

impl FileBrowser {
    /// The kinds of files that the list shows.
    pub(super) fn shows(&self, ui: &Ui<'_>) -> Shows {
        let start = if self.path.is_typing { self.typed(ui).1 } else { String::new() };
        Shows {
            purpose: self.purpose,
            has_all: self.list.has_all,
            has_hidden: self.list.has_hidden,
            filter: self.filter.clone(),
            start,
        }
    }

    /// The shown entries, as indices into the listing.
    pub(super) fn shown(&mut self, ui: &Ui<'_>, listing: &Arc<Listing>) -> Arc<[usize]> {
        let (shows, sort) = (self.shows(ui), self.list.sort);
        let is_same = self.list.shown.of.as_ref().is_some_and(|(of, known, order)| {
            std::ptr::eq(of.as_ptr(), Arc::as_ptr(listing)) && *known == shows && *order == sort
        });
        if !is_same {
            let indices = order::shown(listing, &shows, sort).into();
            self.list.shown = Shown { of: Some((Arc::downgrade(listing), shows, sort)), indices };
        }
        self.list.shown.indices.clone()
    }

    pub(super) fn list_ui(
        &mut self,
        ui: &Ui<'_>,
        rect: Rect,
        preview: &dyn Fn(&FileVersion) -> FilePreview,
        touch: &mut Touch,
    ) {
        let mut rest = rect;
        self.options_ui(ui, rest.cut_top(BAR, 6.0));
        if !self.list.has_thumbnails {
            self.header_ui(ui, rest.cut_top(ROW, 0.0));
        }
        self.new_folder_ui(ui, &mut rest);
        ui.set_cursor_screen_pos(rest.min);
        let _padding = ui.push_style_var(StyleVar::WindowPadding([0.0; 2]));
        let _spacing = ui.push_style_var(StyleVar::ItemSpacing([0.0; 2]));
        ui.mark(|| "browser-list".to_owned(), rest);
        ui.child_window("##browser-list").size(rest.size()).build(|| match self.listing(ui).cloned() {
            Some(listing) => self.entries_ui(ui, &listing, preview, touch),
            None => widgets::empty(ui, "Reading the folder…", ""),
        });
    }

    /// Draws the filter and the switches of the list.
    fn options_ui(&mut self, ui: &Ui<'_>, rect: Rect) {
        let mut rest = rect;
        let switches = [
            ("browser-thumbnails", Icon::LayoutGrid, self.list.has_thumbnails, "Thumbnails", "Ctrl+T"),
            ("browser-hidden", Icon::Eye, self.list.has_hidden, "Show hidden files", "Ctrl+H"),
        ];
        for (id, sign, is_on, tip, key) in switches {
            let tone = if is_on { Tone::On } else { Tone::Plain };
            let is_pressed =
                widgets::icon_button_at(ui, rest.cut_right(BAR + 4.0, 4.0).inset(0.0, 2.0), id, sign, tone);
            ui.tip(tip, key);
            match id {
                "browser-thumbnails" => self.list.has_thumbnails ^= is_pressed,
                _ => self.list.has_hidden ^= is_pressed,
            }
        }
        let label = self.purpose.files().0;
        for (id, text, has_all) in [("browser-all", "All files", true), ("browser-suited", label, false)] {
            let place = rest.cut_right(ui.calc_text_size(text)[0] + 26.0, 4.0).inset(0.0, 2.0);
            let tone = if self.list.has_all == has_all { Tone::On } else { Tone::Plain };
            if widgets::button_at(ui, place, &format!("{text}##{id}"), tone) {
                self.list.has_all = has_all;
            }
        }
        if self.focus == Some(Field::Filter) {
            widgets::focus_next(ui);
        }
        ui.set_cursor_screen_pos([rest.min[0], rest.min[1] + 2.0]);
        ui.set_next_item_width(rest.width() - 4.0);
        let is_changed = {
            let _height = ui.push_style_var(StyleVar::FramePadding([8.0, (BAR - 4.0 - ui.text_line_height()) / 2.0]));
            ui.input_text("##browser-filter", &mut self.filter).hint("Type to filter").build()
        };
        ui.item("browser-filter");
        if ui.is_item_activated() {
            self.leave_path(ui, Field::Filter);
        }
        if self.focus == Some(Field::Filter) && ui.is_item_active() {
            self.focus = None;
        }
        if is_changed {
            self.filter_changed();
        }
    }

    fn filter_changed(&mut self) {
        self.report.clear();
        self.unchoose();
        self.list.scrolls_to_top = true;
        let is_path = self.filter.starts_with(std::path::is_separator)
            || self.filter.starts_with('~')
            || self.filter.starts_with("file:")
            || self.filter.starts_with("http");
        if is_path && (self.filter.contains(['/', '\\']) || self.filter == "~") {
            let text = std::mem::take(&mut self.filter);
            self.type_path(&text);
        }
    }

    fn header_ui(&mut self, ui: &Ui<'_>, rect: Rect) {
        let [name, size, date] = columns(rect);
        for (by, rect, title, align) in [
            (SortBy::Name, name, "Name", Align::Left),
            (SortBy::Size, size, "Size", Align::Right),
            (SortBy::Date, date, "Changed", Align::Right),
        ] {
            if ui.button_in(&format!("sort-{title}"), rect) {
                self.list.sort = self.list.sort.clicked(by);
            }
            let ink = if ui.is_item_hovered() { ui.theme.text } else { ui.theme.quiet };
            let arrow = match (self.list.sort.by == by, self.list.sort.is_reversed) {
                (false, _) => "",
                (_, false) => " ↑",
                (_, true) => " ↓",
            };
            ui.text_in_font(ui.fonts.small_bold, rect, align, ink, &format!("{title}{arrow}"));
        }
        ui.line([rect.min[0], rect.max[1] - 1.0], [rect.max[0], rect.max[1] - 1.0], ui.theme.line, 1.0);
    }

    fn entries_ui(
        &mut self,
        ui: &Ui<'_>,
        listing: &Arc<Listing>,
        preview: &dyn Fn(&FileVersion) -> FilePreview,
        touch: &mut Touch,
    ) {
        let shown = self.shown(ui, listing);
        if shown.is_empty() {
            return self.empty_ui(ui, listing);
        }
        if !self.filter.is_empty() && self.cursor.is_none() {
            self.put_cursor(listing, shown[0]);
        }
        let width = ui.content_region_avail()[0];
        let (columns, height) = match self.list.has_thumbnails {
            // A whole one also in a low window.
            true => (((width / CELL[0]) as usize).max(1), CELL[1].min(ui.window_size()[1]).max(MIN_CELL)),
            false => (1, ROW),
        };
        let origin = ui.cursor_screen_pos();
        let lines = shown.len().div_ceil(columns);
        self.scroll(ui, listing, &shown, [columns as f32, height]);
        let visible = visible_lines(ui.scroll_y(), ui.window_size()[1], height, lines);
        self.list.page = (visible.len().saturating_sub(1) * columns).max(1);
        self.list.columns = columns;
        for at in visible.start * columns..(visible.end * columns).min(shown.len()) {
            let size = [if columns == 1 { width } else { CELL[0] }, height];
            let corner = [origin[0] + (at % columns) as f32 * CELL[0], origin[1] + (at / columns) as f32 * height];
            let row = self.row_ui(ui, listing, shown[at], Rect::at(corner, size));
            if self.list.has_thumbnails {
                self.cell_content(ui, listing, &row, preview)
            } else {
                row_content(ui, listing, &row, self.shows(ui).has_kind(row.entry))
            }
            self.clicked(ui, &shown, at, &row, touch);
        }
        ui.set_cursor_screen_pos([origin[0], origin[1] + lines as f32 * height]);
        ui.dummy([1.0, 0.0]);
    }

    fn empty_ui(&self, ui: &Ui<'_>, listing: &Listing) {
        let others = listing.entries.iter().filter(|entry| !entry.is_hidden).count();
        match &listing.fault {
            Some(fault) => widgets::empty(ui, "This folder can't be read.", fault),
            None if self.path.is_typing => widgets::empty(ui, "No name starts with this text.", ""),
            None if !self.filter.is_empty() => widgets::empty(ui, "No name matches the filter.", ""),
            None if others > 0 && !self.list.has_all => {
                let hint = format!("{others} other files and folders; “All files” shows them.");
                widgets::empty(ui, &format!("No {} here.", self.purpose.files().0.to_lowercase()), &hint);
            }
            None => widgets::empty(ui, "This folder is empty.", ""),
        }
    }

    /// Scrolls to the cursor when the keyboard moved it, or to the top of another folder.
    fn scroll(&mut self, ui: &Ui<'_>, listing: &Listing, shown: &[usize], [columns, height]: [f32; 2]) {
        if std::mem::take(&mut self.list.scrolls_to_top) {
            ui.set_scroll_y(0.0);
        }
        if !std::mem::take(&mut self.list.scrolls_to_cursor) {
            return;
        }
        let Some(at) = self.cursor_place(listing, shown) else { return };
        let top = (at as f32 / columns).floor() * height;
        let (from, room) = (ui.scroll_y(), ui.window_size()[1]);
        if top < from {
            ui.set_scroll_y(top);
        } else if top + height > from + room {
            ui.set_scroll_y(top + height - room);
        }
    }

    /// The place of the cursor among the shown entries.
    pub(super) fn cursor_place(&self, listing: &Listing, shown: &[usize]) -> Option<usize> {
        let cursor = self.cursor.as_ref()?;
        shown.iter().position(|&at| listing.entries[at].name == *cursor)
    }

    pub(super) fn put_cursor(&mut self, listing: &Listing, at: usize) {
        let entry = &listing.entries[at];
        self.cursor = Some(entry.name.clone());
        self.anchor = Some(entry.name.clone());
        self.chosen = [entry.name.clone()].into();
    }

    fn row_ui<'a>(&self, ui: &Ui<'_>, listing: &'a Listing, index: usize, rect: Rect) -> Row<'a> {
        let entry = &listing.entries[index];
        let is_chosen = self.chosen.contains(&entry.name) || self.cursor.as_ref() == Some(&entry.name);
        let touch = widgets::row_in(ui, &format!("file:{}", entry.shown), rect, is_chosen);
        Row { at: index, entry, rect, is_hovered: touch.is_hovered }
    }

    fn clicked(&mut self, ui: &Ui<'_>, shown: &[usize], place: usize, row: &Row<'_>, touch: &mut Touch) {
        let is_clicked = row.is_hovered && ui.is_mouse_clicked(MouseButton::Left);
        let (Some(listing), true) = (self.listing(ui), is_clicked) else { return };
        let (held, name) = (ui.held(), &row.entry.name);
        self.report.clear();
        if self.path.is_typing && !row.entry.is_folder() {
            self.go(listing.folder.clone());
            self.list.scrolls_to_cursor = true;
        }
        if held.ctrl && self.purpose.takes_several() {
            if !self.chosen.remove(name) {
                self.chosen.insert(name.clone());
            }
            (self.cursor, self.anchor) = (Some(name.clone()), Some(name.clone()));
        } else if held.shift && self.purpose.takes_several() {
            self.choose_range(listing, shown, place);
        } else {
            self.put_cursor(listing, row.at);
            if self.purpose.is_save() && !row.entry.is_folder() {
                self.name.clone_from(&row.entry.shown);
            }
            if ui.is_mouse_double_clicked(MouseButton::Left) {
                self.activate(ui, name, touch);
            }
        }
    }

    /// Chooses the rows from the anchor to a place, where the cursor goes.
    pub(super) fn choose_range(&mut self, listing: &Listing, shown: &[usize], to: usize) {
        let name = |at: usize| &listing.entries[shown[at]].name;
        let anchor: Option<&OsString> = self.anchor.as_ref();
        let from = anchor.and_then(|anchor| (0..shown.len()).find(|&at| name(at) == anchor)).unwrap_or(to);
        self.chosen = (from.min(to)..=from.max(to)).map(|at| name(at).clone()).collect();
        self.cursor = Some(name(to).clone());
        self.anchor.get_or_insert_with(|| name(from).clone());
    }

    /// Draws a thumbnail and its name.
    fn cell_content(
        &self,
        ui: &Ui<'_>,
        listing: &Listing,
        row: &Row<'_>,
        preview: &dyn Fn(&FileVersion) -> FilePreview,
    ) {
        let (rect, entry) = (row.rect.shrunk(6.0), row.entry);
        let picture = rect.trim_bottom(22.0);
        let shown = version_of(listing, entry).map(|version| preview(&version));
        match shown {
            Some(FilePreview::Shown(shown)) if shown.id.is_some() => super::preview_pane::picture(ui, picture, &shown),
            Some(FilePreview::Failed(_)) => {
                let sign = icon(Icon::TriangleAlert);
                ui.text_in_font(ui.fonts.large, picture, Align::Center, ui.theme.hurt, &sign);
            }
            shown => {
                let ink = if shown.is_some() { ui.theme.dim } else { ui.theme.quiet };
                ui.text_in_font(ui.fonts.large, picture, Align::Center, ink, &icon(sign_of(entry.kind)));
            }
        }
        let is_suited = self.shows(ui).has_kind(entry);
        let ink = if is_suited { ui.theme.text } else { ui.theme.dim };
        if ui.title_in(rect.bottom(20.0), Align::Center, ink, &entry.shown) && row.is_hovered {
            ui.tip(&entry.shown, "");
        }
    }
}

/// The version of a file that has a preview.
pub(super) fn version_of(listing: &Listing, entry: &Entry) -> Option<FileVersion> {
    let has_preview = matches!(entry.kind, FileKind::Archive | FileKind::Model | FileKind::Image);
    let path = listing.folder.join(&entry.name);
    let options = ImportOptions::default();
    has_preview.then_some(FileVersion { path, bytes: entry.bytes, modified: entry.modified, options })
}

/// The lines of a list that are on the screen.
fn visible_lines(scroll: f32, room: f32, height: f32, lines: usize) -> Range<usize> {
    let first = (scroll / height).floor().max(0.0) as usize;
    let count = (room / height).ceil() as usize + 1;
    first.min(lines)..(first + count).min(lines)
}

fn columns(rect: Rect) -> [Rect; 3] {
    let mut rest = rect.inset(8.0, 0.0);
    let date = rest.cut_right(DATES, 8.0);
    let size = rest.cut_right(SIZES, 8.0);
    [rest, size, date]
}

/// Draws the columns of a row.
fn row_content(ui: &Ui<'_>, listing: &Listing, row: &Row<'_>, is_suited: bool) {
    let ([name, size, date], entry) = (columns(row.rect), row.entry);
    let ink = match (&entry.fault, is_suited) {
        (Some(_), _) => ui.theme.hurt,
        (None, true) => ui.theme.text,
        (None, false) => ui.theme.dim,
    };
    let sign_ink = if entry.is_folder() { ui.theme.accent } else { ui.theme.quiet };
    ui.text_in(name.left(18.0), Align::Center, sign_ink, &icon(sign_of(entry.kind)));
    let is_cut = ui.title_in(name.trim_left(26.0), Align::Left, ink, &entry.shown);
    let quiet = if is_suited { ui.theme.quiet } else { ui.theme.dim };
    if !entry.is_folder() {
        ui.text_in(size, Align::Right, quiet, &bytes_text(usize::try_from(entry.bytes).unwrap_or(usize::MAX)));
    }
    if let Some(modified) = entry.modified {
        ui.text_in(date, Align::Right, quiet, &date_text(modified, ui.now_ms().max(listing.read_at)));
    }
    match &entry.fault {
        Some(fault) if row.is_hovered => ui.tip(fault, ""),
        None if row.is_hovered && is_cut => ui.tip(&entry.shown, ""),
        _ => {}
    }
}

pub(super) fn sign_of(kind: FileKind) -> Icon {
    match kind {
        FileKind::Folder => Icon::Folder,
        FileKind::Archive => Icon::FileArchive,
        FileKind::Model => Icon::FileBox,
        FileKind::Image => Icon::FileImage,
        FileKind::Sound => Icon::Music,
        FileKind::Film => Icon::Film,
        FileKind::Other => Icon::File,
    }
}
