//! The clip list: search, folders, selection, renaming and reordering, and a model picker if the archive has several.

use std::collections::BTreeSet;

use crate::editor::panels::model::clip_menu;
use crate::editor::panels::model::clip_menu::Noting;
use crate::editor::panels::ui::prelude::*;
use crate::editor::panels::ui::search;
use crate::editor::view::clip_list;
use crate::editor::view::clip_list::{Drop, Line};
use keypose::anim::clip::LoopMode;
use keypose::assets::clip_notes::{Derivation, Derived};
use keypose::assets::model::ClipSlot;
use keypose_tools::import::format::extension_list;

#[derive(Debug, Default)]
pub struct ClipsPanel {
    search: String,
    naming: Naming<ClipId>,
    /// The name that stays if no other is entered, for a clip that was just added.
    new_name: Option<String>,
    /// The name of the model being typed, with its index.
    model_naming: Naming<usize>,
    menu: ContextMenu<ClipId>,
    /// The folder and tags being typed.
    pub noting: Option<Noting>,
    /// The closed folders.
    closed: BTreeSet<String>,
    drag: Option<Drag>,
    shown: Option<ClipId>,
}

/// A clip being dragged.
#[derive(Debug)]
struct Drag {
    clip: ClipId,
    from: f32,
    is_moving: bool,
}

impl ClipsPanel {
    /// Starts renaming the active model.
    pub fn rename_model(&mut self, ui: &Ui<'_>, at: usize, model: &Model) {
        self.model_naming.start(ui, at, &model.name);
    }

    /// Starts renaming a clip.
    pub fn rename(&mut self, ui: &Ui<'_>, slot: &ClipSlot) {
        self.naming.start(ui, slot.id, &slot.clip.name);
        self.new_name = None;
    }

    /// Starts naming a clip that was just added. Escape and an empty name keep its current one.
    pub fn name_new(&mut self, ui: &Ui<'_>, slot: &ClipSlot) {
        self.rename(ui, slot);
        self.new_name = Some(slot.clip.name.clone());
    }

    /// Shows the row whose name is being typed, if the search or a closed folder hides it.
    fn reveal_renamed(&mut self, model: &Model) {
        let (Some(&clip), true) = (self.naming.of(), self.naming.is_fresh()) else { return };
        let is_listed = |line: &Line<'_>| matches!(line, Line::Clip(slot, _) if slot.id == clip);
        if model.clip(clip).is_none() {
            self.naming.take();
        } else if !clip_list::lines(model, &self.search, &self.closed).iter().any(is_listed) {
            self.search.clear();
            self.closed.clear();
        }
    }

    pub fn ui(&mut self, ui: &Ui<'_>) {
        let Some(model) = ui.model() else {
            return widgets::empty(
                ui,
                "No model open.",
                &format!("Press Ctrl+O, or drop a model ({}) or an archive (.wad) here.", extension_list()),
            );
        };
        let place = ui.here([ui.room(), FIELD]);
        match self.model_naming.ui(ui, &ui.session.focus.model, &model.name, "rename-model", place) {
            Named::Closed if ui.document.models.len() > 1 => model_picker(ui, model),
            Named::Closed | Named::Typing | Named::Kept => {}
            Named::Entered(name) => {
                let model = ui.session.focus.model;
                ui.edit("Rename model", vec![ModelEdit::RenameModel { model, name }.into()]);
            }
        }
        self.reveal_renamed(model);
        let hint = format!("Search {}", counted(model.clips.len(), "clip"));
        let new = Button { tone: Tone::Bare, ..Button::new("New", "new-clip", "") };
        let is_pressed = search::field_and_button(ui, "clip-search", &hint, &mut self.search, Icon::Plus, new);
        ui.tip_command(Command::NewClip);
        if is_pressed {
            ui.run(Command::NewClip);
        }
        if model.clips.is_empty() {
            widgets::empty(ui, "No clips.", "Press N for a new clip.");
            return widgets::command_buttons(ui, &[Command::NewClip, Command::AddClips, Command::AddKnightClips]);
        }
        widgets::scrolled(ui, "##clips", 0.0, || self.list(ui, model));
    }

    fn list(&mut self, ui: &Ui<'_>, model: &Model) {
        let lines = clip_list::lines(model, &self.search, &self.closed);
        let mut places: Vec<(Rect, Line<'_>)> = Vec::with_capacity(lines.len());
        for line in &lines {
            let touch = match *line {
                Line::Folder(name, count) => self.folder_row(ui, name, count),
                Line::Clip(slot, _) if self.naming.is_of(&slot.id) => {
                    self.rename_row(ui, slot);
                    continue;
                }
                Line::Clip(slot, is_inside) => self.clip_line(ui, model, slot, is_inside),
            };
            places.push((touch.rect, *line));
            if let Line::Clip(slot, _) = line {
                self.take(ui, &lines, slot, &touch);
            }
        }
        if lines.is_empty() {
            widgets::empty(ui, &format!("No clip matches \"{}\".", self.search), "");
        }
        self.drag(ui, model, &places);
        if let Some((id, _popup)) = self.menu.begin(ui, "##clip-menu")
            && let Some(slot) = model.clips.iter().find(|slot| slot.id == id)
        {
            clip_menu::clip_menu(ui, model, slot, self);
        }
        clip_menu::noting(ui, self);
    }

    fn folder_row(&mut self, ui: &Ui<'_>, name: &str, count: usize) -> RowTouch {
        let touch = widgets::row(ui, &format!("folder-{name}"), false);
        let is_closed = self.closed.contains(name);
        let sign = if is_closed { Icon::ChevronRight } else { Icon::ChevronDown };
        let rect = touch.rect;
        let place = rect.with_x(rect.min[0] + 4.0, rect.min[0] + 20.0);
        ui.text_in(place, Align::Center, ui.theme.quiet, &icon(sign));
        let text = rect.with_x(place.max[0] + 4.0, rect.max[0] - 34.0);
        ui.text_in(text, Align::Left, ui.theme.quiet, name);
        let right = rect.with_x(rect.max[0] - 34.0, rect.max[0] - 6.0);
        ui.text_in(right, Align::Right, ui.theme.dim, &count.to_string());
        if touch.is_clicked && !self.closed.remove(name) {
            self.closed.insert(name.to_owned());
        }
        touch
    }

    fn clip_line(&mut self, ui: &Ui<'_>, model: &Model, slot: &ClipSlot, is_inside: bool) -> RowTouch {
        let is_active = ui.session.focus.clip == Some(slot.id);
        let is_selected = is_active || ui.session.focus.selection.clips.contains(&slot.id);
        let touch = widgets::row(ui, &format!("clip{}", slot.id.0), is_selected);
        if is_active && self.shown != ui.session.focus.clip {
            self.shown = ui.session.focus.clip;
            if !ui.is_rect_visible(touch.rect.min, touch.rect.max) {
                ui.set_scroll_here_y();
            }
        }
        let left = if is_inside { 14.0 } else { 0.0 };
        let inner = RowTouch { rect: touch.rect.trim_left(left), ..touch };
        if ui.is_rect_visible(touch.rect.min, touch.rect.max) {
            clip_row(ui, model, slot, is_active, &inner);
        }
        touch
    }

    /// Handles clicks: a click opens the clip, Ctrl toggles its selection, Shift selects a range.
    fn take(&mut self, ui: &Ui<'_>, lines: &[Line<'_>], slot: &ClipSlot, touch: &RowTouch) {
        let (selected, held) = (&ui.session.focus.selection.clips, ui.held());
        if touch.is_double_clicked {
            self.drag = None;
            return self.rename(ui, slot);
        }
        if touch.is_right_clicked {
            // The commands of the menu act on the open clip, and on those that are selected with it.
            let all = clip_menu::meant(ui, slot.id);
            ui.send(SelectAction::Clip(Some(slot.id)));
            ui.send(SelectAction::Clips(all));
            self.menu.open(slot.id);
        }
        if !touch.is_clicked {
            return;
        }
        if held.ctrl || held.shift {
            let mut all: Vec<ClipId> = selected.iter().copied().chain(ui.session.focus.clip).collect();
            if held.shift {
                all.extend(range(lines, ui.session.focus.clip, slot.id));
            } else if selected.contains(&slot.id) {
                all.retain(|clip| *clip != slot.id);
            } else {
                all.push(slot.id);
            }
            return ui.send(SelectAction::Clips(all));
        }
        // A press on one of several selected clips may drag them all; a click without a drag opens it.
        if !selected.contains(&slot.id) {
            ui.send(SelectAction::Clip(Some(slot.id)));
        }
        self.drag = Some(Drag { clip: slot.id, from: ui.io().mouse_pos[1], is_moving: false });
    }

    /// Shows the drop position during a drag and moves the clips at its end.
    fn drag(&mut self, ui: &Ui<'_>, model: &Model, places: &[(Rect, Line<'_>)]) {
        let Some(drag) = &mut self.drag else { return };
        let y = ui.io().mouse_pos[1];
        drag.is_moving |= (y - drag.from).abs() > 7.0;
        let (clip, is_moving) = (drag.clip, drag.is_moving);
        let under = places.iter().find(|(rect, _)| y < rect.max[1]).or(places.last());
        let drop = under.map(|(rect, line)| match line {
            Line::Folder(name, _) => (Drop::Into((*name).to_owned()), *rect),
            Line::Clip(slot, _) if y < rect.center()[1] => (Drop::Before(slot.id), *rect),
            Line::Clip(slot, _) => (Drop::After(slot.id), *rect),
        });
        if !ui.is_mouse_down(imgui::MouseButton::Left) {
            self.drag = None;
            match drop {
                Some((drop, _)) if is_moving => {
                    let edits = clip_list::edits_of_drop(model, &clip_menu::meant(ui, clip), &drop);
                    if !edits.is_empty() {
                        ui.edit("Reorder clips", edits);
                    }
                }
                _ if ui.session.focus.clip != Some(clip) || ui.session.focus.selection.clips.len() > 1 => {
                    ui.send(SelectAction::Clip(Some(clip)));
                }
                _ => {}
            }
            return;
        }
        if let (true, Some((drop, rect))) = (is_moving, drop) {
            match drop {
                Drop::Into(_) => ui.outline(rect, ui.theme.drop, 5.0, 1.5),
                Drop::Before(_) => ui.line(rect.min, [rect.max[0], rect.min[1]], ui.theme.drop, 2.0),
                Drop::After(_) => ui.line([rect.min[0], rect.max[1]], rect.max, ui.theme.drop, 2.0),
            }
        }
    }

    fn rename_row(&mut self, ui: &Ui<'_>, slot: &ClipSlot) {
        if self.naming.is_fresh() {
            ui.set_scroll_here_y();
        }
        let place = ui.here([ui.room(), FIELD]);
        if let Named::Entered(name) = self.naming.ui(ui, &slot.id, &slot.clip.name, "rename-clip", place) {
            self.enter(ui, slot.id, name);
        }
    }

    /// Sets the typed name of a clip.
    fn enter(&self, ui: &Ui<'_>, clip: ClipId, name: String) {
        match &self.new_name {
            Some(new) if name.is_empty() || name == *new => {}
            Some(_) => ui.send(ClipAction::Name(name)),
            None => ui.edit("Rename clip", vec![ClipEdit::RenameClip { clip, name }.into()]),
        }
    }

    /// Enters the name that is being typed if the panel was hidden meanwhile.
    pub fn enter_hidden_name(&mut self, ui: &Ui<'_>) {
        if let Some((clip, name)) = self.naming.take_hidden(ui) {
            self.enter(ui, clip, name);
        }
    }
}

fn model_picker(ui: &Ui<'_>, model: &Model) {
    let text = format!("{}  {}", icon(Icon::Box), model.name);
    let width = ui.content_region_avail()[0];
    let Some(_list) = widgets::dropdown(ui, "model", &text, ui.theme.text, width) else { return };
    for (at, other) in ui.document.models.iter().enumerate() {
        let is_active = at == ui.session.focus.model;
        if menu::choice(ui, &format!("{}##model{at}", other.name), is_active) && !is_active {
            ui.send(SelectAction::Model(at));
        }
    }
    menu::separator(ui);
    menu::commands(ui, &[&[Command::RenameModel, Command::RemoveModel]]);
}

/// The clips from one to another, in the order of the list.
fn range(lines: &[Line<'_>], from: Option<ClipId>, to: ClipId) -> Vec<ClipId> {
    let clips = lines.iter().filter_map(|line| match line {
        Line::Clip(slot, _) => Some(slot.id),
        Line::Folder(..) => None,
    });
    let clips: Vec<ClipId> = clips.collect();
    let place = |wanted: ClipId| clips.iter().position(|clip| *clip == wanted);
    let (Some(a), Some(b)) = (place(from.unwrap_or(to)), place(to)) else { return vec![to] };
    clips[a.min(b)..=a.max(b)].to_vec()
}

/// Draws a clip's dot, name, duration and loop mode.
fn clip_row(ui: &Ui<'_>, model: &Model, slot: &ClipSlot, is_active: bool, touch: &RowTouch) {
    let theme = ui.theme;
    let clip = &slot.clip;
    let rect = touch.rect;
    let has_draft = model.drafts.iter().any(|draft| draft.clip == Some(slot.id));
    let dot = match (has_draft, clip.keyframes.is_empty()) {
        (true, _) => theme.draft,
        (false, true) => theme.dim,
        (false, false) => theme.keyed,
    };
    let middle = rect.center()[1];
    ui.dot([rect.min[0] + 9.0, middle], 3.5, dot);
    let side = rect.height() - 1.0;
    widgets::clip_picture(ui, &clip.name, Rect::around([rect.min[0] + 17.0 + side / 2.0, middle], [side; 2]));
    let marks = rect.with_x(rect.max[0] - 26.0, rect.max[0] - 6.0);
    ui.text_in(marks, Align::Right, theme.quiet, &loop_sign(clip).map(icon).unwrap_or_default());
    if let Some(derived) = model.derived(slot.id) {
        let link = rect.with_x(rect.max[0] - 96.0, rect.max[0] - 78.0);
        ui.text_in(link, Align::Center, theme.link, &icon(Icon::Link2));
        ui.mark(|| format!("link{}", slot.id.0), link);
        ui.tip(&format!("Derived from {}, {}", source_name(ui, derived), derived.how.name()), "");
    }
    let duration = rect.with_x(rect.max[0] - 90.0, rect.max[0] - 32.0);
    ui.text_in(duration, Align::Right, theme.quiet, &format!("{:.2} s", clip.length().secs()));
    let _font = is_active.then(|| ui.with_font(ui.fonts.bold));
    let name = rect.trim_left(21.0 + side).trim_right(if model.derived(slot.id).is_some() { 98.0 } else { 78.0 });
    let is_cut = ui.title_in(name, Align::Left, theme.text, &clip.name);
    drop(_font);
    if is_cut {
        ui.tip(&clip.name, "");
    }
}

/// The name of the source of a derived clip, with its model if that is another one.
pub fn source_name(ui: &Ui<'_>, derived: Derived) -> String {
    let Some((owner, clip)) = ui.document.owner_of(derived.source) else { return String::new() };
    match derived.how {
        Derivation::Retargeted => format!("{} of {}", clip.name, owner.name),
        Derivation::Layered(layer) => {
            let over = ui.document.owner_of(layer.clip).map_or("", |(_, clip)| &clip.name);
            format!("{} and {over}", clip.name)
        }
        _ => clip.name.clone(),
    }
}

/// The icon of a clip's loop mode; none if it plays once.
pub fn loop_sign(clip: &Clip) -> Option<Icon> {
    match clip.loop_mode {
        LoopMode::Once => None,
        LoopMode::Loop => Some(Icon::Infinity),
        LoopMode::PingPong => Some(Icon::ArrowLeftRight),
    }
}
