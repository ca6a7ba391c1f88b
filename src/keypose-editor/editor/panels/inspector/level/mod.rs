//! The inspector in the level mode, in three tabs: the selected thing with all things, the open level with its colours, and the kinds of
//! foes.

use crate::editor::document::edit::LevelEdit;
use crate::editor::ops::sentence::has_words;
use crate::editor::panels::ui::prelude::*;
use crate::editor::panels::ui::search;
use crate::editor::session::level::{LevelAction, LevelDesk};
use keypose::assets::level::thing::{Thing, ThingKind, ThingRef};
use keypose::assets::level::{Level, LevelLook};

mod kinds;
mod thing;

/// The name that is being typed: of a level, or of one of its kinds of foes.
type LevelNaming = Naming<(usize, Option<usize>)>;

/// A part of the inspector in the level mode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Tab {
    #[default]
    Selection,
    Level,
    Kinds,
}

impl Tab {
    const ALL: [(Tab, &'static str); 3] = [(Tab::Selection, "Selection"), (Tab::Level, "Level"), (Tab::Kinds, "Kinds")];
}

/// The inspector in the level mode.
#[derive(Debug, Default)]
pub struct LevelSections {
    naming: LevelNaming,
    tab: Tab,
    /// The active thing and the chosen kind of the last frame: the tab of a new one comes to the front.
    seen: (Option<ThingRef>, usize),
    /// Where the mouse pressed on the list of things, if that was the last press. The form of a thing moves the list from under it.
    listed_at: Option<[f32; 2]>,
}

impl LevelSections {
    /// Draws the panel for the open level.
    pub fn ui(&mut self, ui: &Ui<'_>, desk: &LevelDesk, folds: &mut Folds) {
        let Some(level) = ui.document.levels.get(desk.level) else { return };
        let (active, kind) = std::mem::replace(&mut self.seen, (desk.active, desk.kind));
        if desk.active.is_some() && desk.active != active {
            self.tab = Tab::Selection;
        } else if desk.kind != kind {
            self.tab = Tab::Kinds;
        }
        self.tabs(ui);
        widgets::scrolled(ui, "##level", 0.0, || match self.tab {
            Tab::Selection => self.selection_ui(ui, desk, level, folds),
            Tab::Level => {
                widgets::title(ui, &level.name, "level");
                self.level_ui(ui, desk, level);
                if folds.section(ui, "colors", "Colours") {
                    colors_ui(ui, desk, level);
                }
            }
            Tab::Kinds => {
                if let Some(kind) = level.kinds.get(desk.kind) {
                    widgets::title(ui, &kind.name, &placed_text(level, &kind.name));
                }
                kinds::draw(ui, &mut self.naming, desk, level, desk.kind);
                form_of_kinds(ui);
            }
        });
    }

    fn tabs(&mut self, ui: &Ui<'_>) {
        let mut line = ui.take_line(27.0);
        let after = ui.cursor_screen_pos();
        for (tab, name) in Tab::ALL {
            let is_front = self.tab == tab;
            let _font = is_front.then(|| ui.with_font(ui.fonts.bold));
            let place = line.cut_left(ui.calc_text_size(name)[0] + 18.0, 2.0).trim_bottom(2.0);
            let tone = if is_front { Tone::Clear } else { Tone::Bare };
            if widgets::button_at(ui, place, &format!("{name}##level-tab-{name}"), tone) {
                self.tab = tab;
            }
            if is_front {
                let y = place.max[1];
                ui.line([place.min[0] + 9.0, y], [place.max[0] - 9.0, y], ui.theme.accent, 2.0);
            }
        }
        ui.set_cursor_screen_pos(after);
    }

    /// Draws the selected thing, the kind of a selected foe, and the list of all things.
    fn selection_ui(&mut self, ui: &Ui<'_>, desk: &LevelDesk, level: &Level, folds: &mut Folds) {
        // A second press at the same place means the thing, not a button that is there now, however slow the frames are.
        let is_pressed = ui.is_mouse_clicked(MouseButton::Left);
        let is_second = is_pressed && self.listed_at == Some(ui.io().mouse_pos);
        if is_second {
            ui.send(ViewAction::FrameSelected);
        } else if is_pressed {
            self.listed_at = None;
        }
        let _blocked = is_second.then(|| ui.begin_disabled(true));
        thing::draw(ui, desk, level);
        let foe = desk.active.filter(|at| desk.picked.len() == 1 && at.kind == ThingKind::Foe);
        let name = foe.and_then(|at| level.foes.get(at.index)).map(|foe| &foe.kind);
        if let Some(at) = name.and_then(|name| level.kinds.iter().position(|kind| kind.name == *name)) {
            let name = &level.kinds[at].name;
            if folds.section(ui, "kind", &format!("Kind · {name}, {}", placed_text(level, name))) {
                kinds::draw(ui, &mut self.naming, desk, level, at);
            }
        }
        let title = format!("Things · {}", level.things().count());
        if folds.section(ui, "things", &title) && things_ui(ui, desk, level) {
            self.listed_at = Some(ui.io().mouse_pos);
        }
    }

    fn level_ui(&mut self, ui: &Ui<'_>, desk: &LevelDesk, level: &Level) {
        let form = Form::new(ui, "");
        if ui.document.levels.len() > 1 {
            let names: Vec<(usize, &str)> =
                ui.document.levels.iter().enumerate().map(|(at, level)| (at, level.name.as_str())).collect();
            let mut open = desk.level;
            if form.menu("Open", &names, &mut open).is_changed {
                ui.send(LevelAction::Open(open));
            }
        }
        let name = NameText { text: &level.name, ..NameText::default() };
        if let Some(name) = form.text("Name", name, &mut self.naming, (desk.level, None)) {
            ui.send(LevelAction::Rename(name));
        }
        let models = ui.document.models.iter().map(|model| model.name.as_str());
        let mut player = level.player.clone();
        if form.name_of("Player", Some("first model"), models, &mut player).is_changed {
            ui.edit("Set player", vec![LevelEdit::SetPlayer { level: desk.level, player }.into()]);
        }
        widgets::command_buttons(ui, &[Command::NewLevel, Command::RemoveLevel]);
    }
}

/// The number of foes of a kind: "6 placed".
fn placed_text(level: &Level, kind: &str) -> String {
    format!("{} placed", level.foes.iter().filter(|foe| foe.kind == kind).count())
}

fn form_of_kinds(ui: &Ui<'_>) {
    Form::new(ui, "kind-").commands("kinds", &[("Add", Command::AddFoeKind), ("Remove", Command::RemoveFoeKind)]);
}

fn colors_ui(ui: &Ui<'_>, desk: &LevelDesk, level: &Level) {
    let apply = |touch, step, look: LevelLook| {
        ui.change(touch, step, || vec![LevelEdit::SetLook { level: desk.level, look }.into()]);
    };
    let form = Form::new(ui, "");
    let look = form.of(&level.look, "Set colours", &apply);
    look.color("Sky", |look| &mut look.sky_top);
    look.color("Horizon", |look| &mut look.sky_bottom);
    look.color("Solids", |look| &mut look.solid);
    look.color("Ground", |look| &mut look.ground);
    look.color("Wood", |look| &mut look.wood);
}

/// Draws all things as a list. Decor comes last, because there is much of it. Returns whether one was clicked.
fn things_ui(ui: &Ui<'_>, desk: &LevelDesk, level: &Level) -> bool {
    let (mut is_clicked, mut is_empty) = (false, true);
    let sought = search::above_list(ui, "thing-search", level.things().count(), "things");
    for (at, thing) in level.things() {
        let name = match &thing {
            Thing::Foe(foe) => foe.kind.clone(),
            Thing::Decor(decor) => format!("{} {}", decor.shape.name(), at.index + 1),
            _ => at.to_string(),
        };
        if !has_words(&name, &sought) {
            continue;
        }
        is_empty = false;
        let (id, place) = (format!("{}{}", at.kind.name(), at.index), thing.place());
        let place = [place.x, place.y].map(|side| number_field::formatted("%.1f", side)).join(", ");
        let touch = Item::new(&id, &name, &place, desk.picked.contains(&at)).draw(ui);
        if touch.is_clicked {
            let pick = if ui.held().ctrl || ui.held().shift { Pick::Toggle } else { Pick::Only };
            ui.send(LevelAction::Pick { things: vec![at], pick });
            is_clicked = true;
        }
    }
    if is_empty && !sought.is_empty() {
        widgets::empty(ui, &format!("Nothing matches \"{sought}\"."), "");
    }
    is_clicked
}
