//! The inspector in the level mode: the open level, the selected thing as numbers, all things, colours and kinds of foes.

use crate::assets::level::thing::Thing;
use crate::assets::level::{Level, LevelLook};
use crate::editor::document::edit::LevelEdit;
use crate::editor::panels::ui::Ui;
use crate::editor::panels::ui::color_field::color_field;
use crate::editor::panels::ui::fold::Folds;
use crate::editor::panels::ui::frame::Align;
use crate::editor::panels::ui::menu;
use crate::editor::panels::ui::name_field::{NameButton, NameText};
use crate::editor::panels::ui::rows;
use crate::editor::panels::ui::theme::faded;
use crate::editor::panels::ui::widgets;
use crate::editor::panels::window::layout;
use crate::editor::posing::change::Change;
use crate::editor::session::command::Command;
use crate::editor::session::level::{LevelAction, LevelDesk};
use crate::editor::session::selection::Pick;
use crate::render::frame::color::Color;

mod kinds;
mod thing;

/// The name that is being typed: that of a level, or of one of its kinds of foes.
type Naming = NameButton<(usize, Option<usize>)>;

/// The sections of the level mode.
#[derive(Debug, Default)]
pub struct LevelSections {
    naming: Naming,
}

impl LevelSections {
    /// Draws the panel for the open level.
    pub fn ui(&mut self, ui: &Ui<'_>, desk: &LevelDesk, folds: &mut Folds) {
        let Some(level) = ui.document.levels.get(desk.level) else { return };
        layout::title(ui, &level.name, "level");
        layout::scrolled(ui, "##level", 0.0, || {
            if folds.section(ui, "thing", "Selection") {
                thing::draw(ui, desk, level);
            }
            if folds.section(ui, "level", "Level") {
                self.level_ui(ui, desk, level);
            }
            if folds.section(ui, "kinds", "Kinds of foes") {
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
        if ui.document.levels.len() > 1 {
            let names = ui.document.levels.iter().map(|level| level.name.as_str());
            if let Some(at) = chosen(ui, "Open", &level.name, names) {
                ui.send(LevelAction::Open(at));
            }
        }
        rows::labelled(ui, "Name", rows::LABEL, [320.0, widgets::FIELD], |field| {
            let name = NameText { text: &level.name, ..NameText::default() };
            if let Some(name) = self.naming.ui(ui, ("level-name", (desk.level, None)), name, field) {
                ui.send(LevelAction::Rename(name));
            }
        });
        let models = || ui.document.models.iter().map(|model| model.name.as_str());
        let player = if level.player.is_empty() { "first model" } else { &level.player };
        if let Some(at) = chosen(ui, "Player", player, models()) {
            let player = models().nth(at).unwrap_or_default().to_owned();
            ui.edit("Set player", vec![LevelEdit::SetPlayer { level: desk.level, player }.into()]);
        }
        widgets::command_buttons(ui, &[Command::NewLevel, Command::RemoveLevel]);
    }
}

/// Draws a labelled list of names to choose from. Returns the index of a newly chosen one.
fn chosen<'a>(ui: &Ui<'_>, label: &str, shown: &str, names: impl Iterator<Item = &'a str>) -> Option<usize> {
    rows::row(ui, label, widgets::FIELD, |field| {
        let _list = widgets::dropdown(ui, label, shown, ui.theme.text, field.width())?;
        let mut taken = None;
        for (at, name) in names.enumerate() {
            let is_chosen = menu::choice(ui, &format!("{name}##{label}{at}"), name == shown);
            ui.item(&format!("{label}-{name}"));
            if is_chosen && name != shown {
                taken = Some(at);
            }
        }
        taken
    })
}

fn of_bytes(color: [u8; 3]) -> Color {
    let [r, g, b] = color.map(|part| f32::from(part) / 255.0);
    Color { r, g, b, a: 1.0 }
}

fn to_bytes(color: Color) -> [u8; 3] {
    [color.r, color.g, color.b].map(|part| (part * 255.0).round() as u8)
}

fn colors_ui(ui: &Ui<'_>, desk: &LevelDesk, level: &Level) {
    type Part = fn(&mut LevelLook) -> &mut [u8; 3];
    let parts: [(&str, Part); 5] = [
        ("Sky", |look| &mut look.sky_top),
        ("Horizon", |look| &mut look.sky_bottom),
        ("Solids", |look| &mut look.solid),
        ("Ground", |look| &mut look.ground),
        ("Wood", |look| &mut look.wood),
    ];
    for (label, part) in parts {
        let mut look = level.look;
        let mut color = of_bytes(*part(&mut look));
        let touch = rows::row(ui, label, widgets::FIELD, |field| color_field(ui, label, field, &mut color));
        ui.gesture(touch, "Set colours", || {
            *part(&mut look) = to_bytes(color);
            Change::Edits(vec![LevelEdit::SetLook { level: desk.level, look }.into()])
        });
    }
}

/// Draws all things as a list. Decor comes last, because there is much of it.
fn things_ui(ui: &Ui<'_>, desk: &LevelDesk, level: &Level) {
    for (at, thing) in level.things() {
        let is_selected = desk.picked.contains(&at);
        let id = format!("{}{}", at.kind.name(), at.index);
        let touch = widgets::row(ui, &id, is_selected);
        if touch.is_clicked {
            let pick = if ui.held().ctrl || ui.held().shift { Pick::Toggle } else { Pick::Only };
            ui.send(LevelAction::Pick { things: vec![at], pick });
        }
        if touch.is_double_clicked {
            ui.send(LevelAction::Frame { is_all: false });
        }
        if !ui.is_rect_visible(touch.rect.min, touch.rect.max) {
            continue;
        }
        let row = touch.rect.inset(6.0, 0.0);
        let ink = if is_selected { ui.theme.text } else { faded(ui.theme.text, 0.85) };
        let name = match &thing {
            Thing::Foe(foe) => foe.kind.clone(),
            Thing::Decor(decor) => format!("{} {}", decor.shape.name(), at.index + 1),
            _ => at.to_string(),
        };
        ui.text_in(row.trim_right(84.0), Align::Left, ink, &name);
        let place = thing.place();
        ui.text_in(row, Align::Right, ui.theme.quiet, &format!("{:.1}, {:.1}", place.x, place.y));
    }
}
