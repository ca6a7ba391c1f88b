//! The inspector in the level mode: the open level, the selected thing as numbers, all things, colours and kinds of foes.

use crate::editor::document::edit::LevelEdit;
use crate::editor::ops::sentence::has_words;
use crate::editor::panels::ui::prelude::*;
use crate::editor::panels::ui::search;
use crate::editor::session::level::{LevelAction, LevelDesk};
use keypose::assets::level::thing::Thing;
use keypose::assets::level::{Level, LevelLook};

mod kinds;
mod thing;

/// The name that is being typed: of a level, or of one of its kinds of foes.
type LevelNaming = Naming<(usize, Option<usize>)>;

/// The sections of the level mode.
#[derive(Debug, Default)]
pub struct LevelSections {
    naming: LevelNaming,
}

impl LevelSections {
    /// Draws the panel for the open level.
    pub fn ui(&mut self, ui: &Ui<'_>, desk: &LevelDesk, folds: &mut Folds) {
        let Some(level) = ui.document.levels.get(desk.level) else { return };
        widgets::title(ui, &level.name, "level");
        widgets::scrolled(ui, "##level", 0.0, || {
            if folds.section(ui, "thing", "Selection") {
                thing::draw(ui, desk, level);
            }
            if folds.section(ui, "level", "Level") {
                self.level_ui(ui, desk, level);
            }
            if folds.section(ui, "kinds", "Kind of foe") {
                kinds::draw(ui, &mut self.naming, desk, level);
            }
            if folds.section(ui, "colors", "Colours") {
                colors_ui(ui, desk, level);
            }
            if folds.section(ui, "things", &format!("Things · {}", level.things().count())) {
                things_ui(ui, desk, level);
            }
        });
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

/// Draws all things as a list. Decor comes last, because there is much of it.
fn things_ui(ui: &Ui<'_>, desk: &LevelDesk, level: &Level) {
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
        let (id, place) = (format!("{}{}", at.kind.name(), at.index), thing.place());
        let place = format!("{:.1}, {:.1}", place.x, place.y);
        let touch = Item::new(&id, &name, &place, desk.picked.contains(&at)).draw(ui);
        if touch.is_clicked {
            let pick = if ui.held().ctrl || ui.held().shift { Pick::Toggle } else { Pick::Only };
            ui.send(LevelAction::Pick { things: vec![at], pick });
        }
        if touch.is_double_clicked {
            ui.send(LevelAction::Frame { is_all: false });
        }
    }
}
