//! The start screen, shown in place of the panels while the document is empty: unsaved work, what to do first,
//! templates and recent files.

use std::path::{Path, PathBuf};

use imgui::{Condition, WindowFlags, WindowHoveredFlags};

use crate::editor::panels::ui::figures::date_text;
use crate::editor::panels::ui::prelude::*;
use crate::editor::panels::window::browser::preview::{FilePreview, FileVersion};
use crate::editor::panels::window::browser::preview_pane::picture;
use crate::editor::session::preferences::Prefer;
use crate::editor::session::recent_file::{RecentFile, Stamp};
use crate::editor::session::unsaved_work::UnsavedWork;
use crate::editor::state::effect::KNIGHT;
use keypose::assets::import_options::ImportOptions;
use keypose_tools::import::format::extension_list;

/// Width of the column of actions.
const ACTIONS: f32 = 352.0;
/// Height of an action.
const ACTION: f32 = 40.0;
/// Height of a card of unsaved work.
const WORK: f32 = 104.0;
/// The size of the picture of a recent file.
const PICTURE: [f32; 2] = [200.0, 150.0];
/// Height of the text below it.
const CAPTION: f32 = 68.0;
/// Space between cards.
const GAP: f32 = 12.0;
/// Space between the columns.
const BETWEEN: f32 = 72.0;
/// Maximum columns of recent files.
const MAX_COLUMNS: usize = 5;
/// Width of the button that removes a recent file.
const FORGET: f32 = 24.0;

/// Characters that a document starts from: their paths, which the program opens without a file, and their names.
pub const TEMPLATES: [(&str, &str); 3] =
    [(KNIGHT, "Knight"), ("built in/goblin.wad", "Goblin"), ("built in/bat.wad", "Bat")];
/// Height of the card of a template.
const TEMPLATE: f32 = 132.0;

/// The contents of the demo.
pub const DEMO: &str = "A knight with a sword, 23 clips, foes and three levels to play";
/// A description of the first steps.
pub const FIRST_STEPS: &str = "Learn the basics in five steps";

/// The thumbnail of a file.
type Preview<'a> = &'a dyn Fn(&FileVersion) -> FilePreview;

/// The start screen's own state.
#[derive(Debug, Default)]
pub struct StartScreen {
    /// The unsaved work of which it asks whether to discard it.
    asking: Option<PathBuf>,
    /// Whether it was drawn before.
    is_made: bool,
}

/// Whether the document is empty, so that the start screen is shown.
pub fn is_shown(ui: &Ui<'_>) -> bool {
    let transient = &ui.session.transient;
    let is_empty = ui.document.models.is_empty() && ui.document.levels.is_empty() && ui.document.sounds.is_empty();
    is_empty && transient.scene.level().is_none() && !transient.is_awaiting
}

impl StartScreen {
    /// Draws the screen over the panels' area. Returns whether the mouse is over it.
    pub fn ui(&mut self, ui: &Ui<'_>, area: Rect, preview: Preview<'_>, messages: impl FnOnce(Rect)) -> bool {
        let mut flags = WindowFlags::NO_DECORATION
            | WindowFlags::NO_MOVE
            | WindowFlags::NO_DOCKING
            | WindowFlags::NO_NAV_FOCUS
            | WindowFlags::NO_SAVED_SETTINGS;
        // Not in its first frame: such a window begins behind all others, and stays there.
        flags.set(WindowFlags::NO_BRING_TO_FRONT_ON_FOCUS, std::mem::replace(&mut self.is_made, true));
        let _padding = ui.push_style_var(StyleVar::WindowPadding([0.0; 2]));
        let _ground = ui.push_style_color(StyleColor::WindowBg, ui.theme.ground);
        let window = ui.window("##start").flags(flags).position(area.min, Condition::Always);
        let is_over = window.size(area.size(), Condition::Always).build(|| {
            let high = mixed(ui.theme.ground, ui.theme.field, 0.75);
            let list = ui.get_window_draw_list();
            let (low, [min, max]) = (ui.theme.ground, [area.min, area.max]);
            list.add_rect_filled_multicolor(min, max, high, high, low, low);
            drop(list);
            self.columns(ui, area, preview);
            messages(area);
            ui.is_window_hovered_with_flags(WindowHoveredFlags::CHILD_WINDOWS)
        });
        is_over.unwrap_or(false)
    }

    fn columns(&mut self, ui: &Ui<'_>, area: Rect, preview: Preview<'_>) {
        let recent = &ui.session.workspace.preferences.recent;
        let between = if area.width() < 1000.0 { 24.0 } else { BETWEEN };
        let room = area.shrunk(24.0).trim_bottom(0.0);
        let for_cards = room.width() - ACTIONS - between + GAP;
        let fitting = (for_cards / (PICTURE[0] + GAP)).floor().max(0.0) as usize;
        let columns = if recent.is_empty() { 0 } else { fitting.min(MAX_COLUMNS).min(recent.len()) };
        let cards = columns as f32 * (PICTURE[0] + GAP) - GAP;
        let width = if columns > 0 { ACTIONS + between + cards } else { ACTIONS };
        let mut rest = Rect::at([(area.center()[0] - width / 2.0).floor(), room.min[1]], [width, room.height()]);
        rest = rest.trim_top((room.height() * 0.04).min(36.0).floor());
        column(ui, "##start-actions", rest.cut_left(ACTIONS, between), || self.actions(ui, preview));
        if columns > 0 {
            column(ui, "##start-recent", rest, || recent_files(ui, columns, preview));
        }
    }

    fn actions(&mut self, ui: &Ui<'_>, preview: Preview<'_>) {
        let mut rest = Rect::at(ui.cursor_screen_pos(), [ACTIONS, 4096.0]);
        ui.text_in_font(ui.fonts.large, rest.cut_top(34.0, 2.0), Align::Left, ui.theme.accent, "Keypose");
        let line = "Drop a model or an archive anywhere, or start here.";
        ui.text_in(rest.cut_top(20.0, 20.0), Align::Left, ui.theme.quiet, line);
        let found = ui.session.workspace.unsaved_work.as_deref().unwrap_or_default();
        for (at, work) in found.iter().enumerate() {
            self.work_card(ui, at, work, rest.cut_top(WORK, GAP), preview);
        }
        rest = rest.trim_top(if found.is_empty() { 0.0 } else { GAP });
        buttons(ui, &mut rest);
        templates(ui, &mut rest, preview);
        ui.end_at(rest.min);
    }

    /// Draws the unsaved work on a document. Discarding asks for confirmation in the same place.
    fn work_card(&mut self, ui: &Ui<'_>, at: usize, work: &UnsavedWork, rect: Rect, preview: Preview<'_>) {
        ui.fill(rect, ui.theme.panel, 8.0);
        ui.outline(rect, faded(ui.theme.draft, 0.45), 8.0, 1.0);
        ui.mark(|| format!("work{at}"), rect);
        let mut rest = rect.shrunk(8.0);
        let place = rest.cut_left(rest.height(), 12.0);
        ui.fill(place, ui.theme.field, 6.0);
        let (stored, bytes) = &work.stored;
        let stamp = Stamp { bytes: *bytes, modified: work.changed };
        thumbnail(ui, place, &work.file.as_ref().map_or(FilePreview::Waiting, |_| preview(&version(stored, stamp))));
        let buttons = rest.bottom(28.0);
        let mut text = rest.trim_bottom(32.0);
        let first = text.cut_top(18.0, 3.0);
        ui.dot([first.min[0] + 5.0, first.center()[1]], 4.0, ui.theme.draft);
        let is_asking = self.asking.as_ref() == Some(stored);
        let what = if is_asking { "Discard this work? It can't be undone." } else { "Unsaved work" };
        ui.text_in_font(ui.fonts.small, first.trim_left(16.0), Align::Left, ui.theme.draft, what);
        let name = {
            let _font = ui.with_font(ui.fonts.bold);
            ui.calc_text_size(&work.title)[0].min(text.width() * 0.6)
        };
        ui.text_in_font(ui.fonts.bold, text.left(name + 1.0), Align::Left, ui.theme.text, &work.title);
        let age = work.changed.map(|changed| format!(", {}", date_text(changed, ui.now_ms())));
        let detail = work.steps_text() + &age.unwrap_or_default();
        ui.text_in_font(ui.fonts.small, text.trim_left(name + 8.0), Align::Left, ui.theme.quiet, &detail);
        self.work_buttons(ui, at, work, buttons, is_asking);
    }

    fn work_buttons(&mut self, ui: &Ui<'_>, at: usize, work: &UnsavedWork, place: Rect, is_asking: bool) {
        let [left, right] = [0, 1].map(|at| place.column(at, 2, 8.0));
        let (stored, _) = &work.stored;
        // The confirming button is not under the first one, so that a double click doesn't discard.
        if is_asking {
            if widgets::button_at(ui, left, &format!("Discard##work-confirm{at}"), Tone::Plain) {
                self.asking = None;
                ui.send(FileAction::DiscardUnsavedWork(stored.clone()));
            }
            if widgets::button_at(ui, right, &format!("Back##work-back{at}"), Tone::On) {
                self.asking = None;
            }
            return;
        }
        if let Some(file) = &work.file
            && widgets::button_at(ui, left, &format!("Open##work-open{at}"), Tone::On)
        {
            ui.send(FileAction::Open(Some(file.clone())));
        }
        if !stored.as_os_str().is_empty()
            && widgets::button_at(ui, right, &format!("Discard##work-discard{at}"), Tone::Plain)
        {
            self.asking = Some(stored.clone());
        }
    }
}

/// Draws a column, which scrolls if it is too high.
fn column(ui: &Ui<'_>, name: &str, place: Rect, body: impl FnOnce()) {
    ui.set_cursor_screen_pos(place.min);
    let _ground = ui.push_style_color(StyleColor::ChildBg, faded(ui.theme.ground, 0.0));
    // Room for the scroll bar.
    ui.child_window(name).size([place.width() + 14.0, place.height()]).build(body);
}

fn buttons(ui: &Ui<'_>, rest: &mut Rect) {
    let open_tip = format!("Open an archive, or a model ({})", extension_list());
    let all = [
        (Icon::Play, "Open demo", Command::OpenDemo, DEMO),
        (Icon::FolderOpen, "Open…", Command::Open, open_tip.as_str()),
        (Icon::Footprints, "First steps", Command::FirstSteps, FIRST_STEPS),
        (Icon::Search, "Find command", Command::FindCommand, "Search all commands"),
    ];
    for (number, (sign, label, command, tip)) in all.into_iter().enumerate() {
        let rect = rest.cut_top(ACTION, 8.0);
        let tone = if number == 0 { Tone::On } else { Tone::Plain };
        let is_pressed = widgets::button_at(ui, rect, &format!("##start-{command:?}"), tone);
        let key = ui.key_of(command);
        ui.tip(tip, &key);
        let (ink, quiet) = match tone {
            Tone::On => (ui.theme.on_accent, ui.theme.on_accent),
            _ => (ui.theme.text, ui.theme.quiet),
        };
        let inner = rect.inset(14.0, 0.0);
        ui.text_in(inner, Align::Left, ink, &icon(sign));
        let font = if number == 0 { ui.fonts.bold } else { ui.fonts.body };
        ui.text_in_font(font, inner.trim_left(32.0), Align::Left, ink, label);
        ui.text_in(inner, Align::Right, quiet, &key);
        if is_pressed && command == Command::FirstSteps {
            // The first steps need a model.
            ui.run(Command::OpenDemo);
        }
        if is_pressed {
            ui.run(command);
        }
    }
}

/// Draws the characters that a document starts from.
fn templates(ui: &Ui<'_>, rest: &mut Rect, preview: Preview<'_>) {
    let title = rest.trim_top(20.0).top(20.0);
    ui.text_in_font(ui.fonts.small_bold, title, Align::Left, ui.theme.quiet, "START FROM");
    let line = rest.trim_top(46.0).top(TEMPLATE);
    for (at, (path, name)) in TEMPLATES.into_iter().enumerate() {
        let card = line.column(at, TEMPLATES.len(), 8.0);
        let is_pressed = ui.button_in(&format!("template{at}"), card);
        ui.fill(card, ui.theme.panel, 8.0);
        if ui.is_item_hovered() {
            ui.outline(card, ui.theme.accent, 8.0, 1.5);
        }
        ui.tip(&format!("A new document with the demo's {}", name.to_lowercase()), "");
        let shown = preview(&version(Path::new(path), Stamp { bytes: 0, modified: None }));
        thumbnail(ui, card.trim_bottom(42.0).shrunk(4.0), &shown);
        let text = card.bottom(42.0);
        ui.text_in_font(ui.fonts.bold, text.top(20.0), Align::Center, ui.theme.text, name);
        if let FilePreview::Shown(shown) = &shown
            && let Some(bones) = shown.facts.iter().find(|fact| fact.ends_with(" bones"))
        {
            ui.text_in_font(ui.fonts.small, text.trim_top(20.0).top(16.0), Align::Center, ui.theme.quiet, bones);
        }
        if is_pressed {
            ui.send(FileAction::Open(Some(path.into())));
        }
    }
    *rest = rest.trim_top(46.0 + TEMPLATE + GAP);
}

fn recent_files(ui: &Ui<'_>, columns: usize, preview: Preview<'_>) {
    let mut rest = Rect::at(ui.cursor_screen_pos(), [ui.room(), 4096.0]);
    ui.text_in_font(ui.fonts.small_bold, rest.cut_top(20.0, 6.0), Align::Left, ui.theme.quiet, "RECENT");
    let workspace = &ui.session.workspace;
    for (row, files) in workspace.preferences.recent.chunks(columns).enumerate() {
        let mut line = rest.cut_top(PICTURE[1] + CAPTION, GAP);
        for (at, file) in files.iter().enumerate() {
            let about = workspace.recent_files.iter().find(|recent| recent.path == *file);
            recent_file(ui, row * columns + at, (file, about), line.cut_left(PICTURE[0], GAP), preview);
        }
    }
    ui.end_at(rest.min);
}

/// Draws a recent file with a button that removes it from the list.
fn recent_file(ui: &Ui<'_>, at: usize, (file, about): (&Path, Option<&RecentFile>), rect: Rect, preview: Preview<'_>) {
    let is_there = about.is_none_or(|about| about.stamp.is_some());
    ui.set_cursor_screen_pos(rect.min);
    let is_pressed = sys::ground_button(ui.imgui, &format!("##recent{at}"), rect.size());
    ui.item(&format!("recent{at}"));
    ui.tip(&file.to_string_lossy(), if is_there { "" } else { "not found" });
    // Also while the button that removes it is down.
    let is_above = ui.is_window_hovered_with_flags(WindowHoveredFlags::ALLOW_WHEN_BLOCKED_BY_ACTIVE_ITEM);
    let is_over = is_above && rect.contains(ui.io().mouse_pos);
    ui.fill(rect, ui.theme.panel, 8.0);
    let (top, caption) = (rect.top(PICTURE[1]), rect.trim_top(PICTURE[1]).inset(12.0, 6.0));
    ui.fill(top, ui.theme.field, 8.0);
    match about.and_then(|about| about.stamp) {
        Some(stamp) => thumbnail(ui, top.shrunk(4.0), &preview(&version(file, stamp))),
        None => sign(ui, top, if is_there { Icon::FileBox } else { Icon::FileQuestion }),
    }
    caption_ui(ui, file, about, caption);
    if is_over {
        ui.outline(rect, ui.theme.accent, 8.0, 1.5);
        let cross = top.shrunk(6.0).right(FORGET).top(FORGET);
        if widgets::icon_button_at(ui, cross, &format!("forget{at}"), Icon::X, Tone::Plain) {
            return ui.send(Prefer::Forget(file.to_owned()));
        }
        ui.tip("Remove from this list; the file is kept", "");
    }
    if is_pressed {
        ui.send(FileAction::Open(Some(file.to_owned())));
    }
}

/// Draws the name of a file, its folder and its age.
fn caption_ui(ui: &Ui<'_>, file: &Path, about: Option<&RecentFile>, mut rest: Rect) {
    let is_there = about.is_none_or(|about| about.stamp.is_some());
    let name = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy();
    let ink = if is_there { ui.theme.text } else { ui.theme.dim };
    ui.text_in_font(ui.fonts.bold, rest.cut_top(20.0, 1.0), Align::Left, ink, &name);
    ui.text_in_font(ui.fonts.small, rest.cut_top(17.0, 0.0), Align::Left, ui.theme.quiet, &folder_text(file));
    let modified = about.and_then(|about| about.stamp?.modified);
    let age = match modified {
        _ if !is_there => "not found".to_owned(),
        Some(modified) => date_text(modified, ui.now_ms()),
        None => String::new(),
    };
    ui.text_in_font(ui.fonts.small, rest.cut_top(17.0, 0.0), Align::Left, ui.theme.dim, &age);
}

/// The last two folders of a file's path.
fn folder_text(file: &Path) -> String {
    let Some(folder) = file.parent() else { return String::new() };
    let names: Vec<_> = folder.iter().map(|name| name.to_string_lossy()).collect();
    names[names.len().saturating_sub(2)..].join("/").replace("//", "/")
}

fn version(file: &Path, Stamp { bytes, modified }: Stamp) -> FileVersion {
    FileVersion { path: file.to_owned(), bytes, modified, options: ImportOptions::default() }
}

fn thumbnail(ui: &Ui<'_>, place: Rect, shown: &FilePreview) {
    match shown {
        FilePreview::Shown(shown) if shown.id.is_some() => picture(ui, place, shown),
        FilePreview::Failed(_) => sign(ui, place, Icon::TriangleAlert),
        FilePreview::Shown(_) | FilePreview::Waiting => sign(ui, place, Icon::FileBox),
    }
}

fn sign(ui: &Ui<'_>, place: Rect, sign: Icon) {
    ui.text_in_font(ui.fonts.large, place, Align::Center, ui.theme.dim, &icon(sign));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_shown_by_its_last_two_names() {
        assert_eq!(folder_text(Path::new("/x/Projects/courtyard/knight.wad")), "Projects/courtyard");
        assert_eq!(folder_text(Path::new("/knight.wad")), "/");
        assert_eq!(folder_text(Path::new("knight.wad")), "");
    }
}
