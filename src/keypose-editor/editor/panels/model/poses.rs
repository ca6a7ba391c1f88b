//! The pose library: a thumbnail for each pose. A click applies it, a sideways drag blends it in.

use crate::editor::ops::sentence::has_words;
use crate::editor::panels::ui::prelude::*;
use crate::editor::panels::ui::search;
use crate::editor::posing::library::{AppliedPose, LibraryAction};
use crate::editor::session::clipboard::Side;
use keypose::assets::saved_pose::SavedPose;

/// The id of the search field.
const SEARCH: &str = "pose-search";
/// Minimum width of a thumbnail, in points.
const CELL: f32 = 72.0;
/// Height of the name below a thumbnail.
const NAME: f32 = 20.0;
/// Width of the field in which a name is typed.
const NAMING: f32 = 180.0;
/// Length of a drag from 0 % to 100 % of a pose, in points.
const WHOLE: f32 = 140.0;
/// Distance after which a press becomes a drag, in points.
const STILL: f32 = 4.0;

#[derive(Debug, Default)]
pub struct PosesPanel {
    side: Side,
    naming: Naming<usize>,
    menu: ContextMenu<usize>,
    drag: Option<Drag>,
}

#[derive(Clone, Copy, Debug)]
struct Drag {
    at: usize,
    from: f32,
    is_moving: bool,
}

impl PosesPanel {
    pub fn ui(&mut self, ui: &Ui<'_>, picture: Picture<'_>) {
        self.head(ui);
        let Some(model) = ui.model() else {
            return widgets::empty(ui, "No model open.", "Open a model to use its pose library.");
        };
        if model.poses.is_empty() {
            let key = ui.key_of(Command::SavePose);
            let hint = format!("{key} saves the current pose of the selected bones, or of all.");
            return widgets::empty(ui, "No saved poses.", &hint);
        }
        let sought = search::above_list(ui, SEARCH, model.poses.len(), "poses");
        widgets::scrolled(ui, "##poses", widgets::HINTS, || self.cells(ui, model, &sought, picture));
        hint(ui);
        self.context_menu(ui, model);
    }

    /// Starts to name the last pose, which was just saved.
    pub fn name_new(&mut self, ui: &Ui<'_>, model: &Model) {
        if let Some(pose) = model.poses.last() {
            self.naming.start(ui, model.poses.len() - 1, &pose.name);
            ui.kept.searches.borrow_mut().remove(SEARCH);
        }
    }

    /// Enters the name that is being typed if the panel was hidden meanwhile.
    pub fn enter_hidden_name(&mut self, ui: &Ui<'_>) {
        if let Some((at, name)) = self.naming.take_hidden(ui).filter(|(_, name)| !name.is_empty()) {
            ui.send(LibraryAction::Rename { at, name });
        }
    }

    fn head(&mut self, ui: &Ui<'_>) {
        if ui.model().is_none() {
            return;
        }
        let row = ui.here([ui.room(), FIELD]);
        let is_flipped = self.side == Side::Mirrored;
        let tone = if is_flipped { Tone::On } else { Tone::Plain };
        let flip = format!("{}  Flip##flip-poses", icon(Icon::FlipHorizontal2));
        if widgets::button_at(ui, row.column(1, 2, 4.0), &flip, tone) {
            self.side = if is_flipped { Side::Same } else { Side::Mirrored };
        }
        ui.tip("Apply mirrored", "");
        let save = format!("{}  Save##save-pose", icon(Icon::Plus));
        let tip = "Save the pose of the selected bones, or of all bones";
        widgets::command_button_about(ui, row.column(0, 2, GAP), &save, Tone::Plain, Command::SavePose, tip);
        ui.end_at([row.min[0], row.max[1] + 4.0]);
    }

    fn cells(&mut self, ui: &Ui<'_>, model: &Model, sought: &str, picture: Picture<'_>) {
        let width = ui.content_region_avail()[0];
        let columns = ((width + 4.0) / (CELL + 4.0)).floor().max(1.0);
        let side = ((width - (columns - 1.0) * 4.0) / columns).floor();
        let top = ui.cursor_screen_pos();
        let found: Vec<_> = model.poses.iter().enumerate().filter(|(_, pose)| has_words(&pose.name, sought)).collect();
        let mut named = None;
        for (place, &(at, pose)) in found.iter().enumerate() {
            let (column, row) = (place % columns as usize, place / columns as usize);
            let min = [top[0] + column as f32 * (side + 4.0), top[1] + row as f32 * (side + NAME + 6.0)];
            let cell = Rect::at(min, [side, side]);
            if self.naming.is_of(&at) && self.naming.is_fresh() {
                ui.set_cursor_screen_pos([cell.min[0], cell.max[1]]);
                ui.set_scroll_here_y();
            }
            if self.naming.is_of(&at) || ui.is_rect_visible(cell.min, [cell.max[0], cell.max[1] + NAME]) {
                self.cell_ui(ui, at, pose, picture(at), cell);
                let name = Rect::at([cell.min[0], cell.max[1]], [side, NAME]);
                match self.naming.is_of(&at) {
                    true => named = Some((at, pose, name)),
                    false => self.name_ui(ui, at, pose, name),
                }
            }
        }
        // Wider than its picture, so over the names beside it.
        if let Some((at, pose, name)) = named {
            let wide = NAMING.min(width).max(side);
            let left = name.min[0].min(top[0] + width - wide);
            self.name_ui(ui, at, pose, Rect::at([left, name.min[1]], [wide, NAME]));
        }
        let rows = found.len().div_ceil(columns as usize);
        ui.end_at([top[0], top[1] + rows as f32 * (side + NAME + 6.0)]);
    }

    fn cell_ui(
        &mut self,
        ui: &Ui<'_>,
        at: usize,
        pose: &std::sync::Arc<SavedPose>,
        picture: Option<TextureId>,
        cell: Rect,
    ) {
        ui.button_in(&format!("pose{at}"), cell);
        let mouse = ui.io().mouse_pos[0];
        if ui.is_item_activated() {
            self.drag = Some(Drag { at, from: mouse, is_moving: false });
        }
        let is_active = ui.is_item_active();
        let ground = if ui.is_item_hovered() || is_active { ui.theme.field_hovered } else { ui.theme.field };
        ui.fill(cell, ground, 5.0);
        if let Some(picture) = picture {
            let list = ui.draw();
            let inner = cell.shrunk(2.0);
            // Mirrored poses show a mirrored thumbnail.
            let (left, right) = if self.side == Side::Mirrored { (1.0, 0.0) } else { (0.0, 1.0) };
            list.add_image_rounded(picture, inner.min, inner.max, 4.0).uv_min([left, 1.0]).uv_max([right, 0.0]).build();
        }
        if ui.is_item_hovered() && ui.is_mouse_clicked(MouseButton::Right) {
            self.menu.open(at);
        }
        if !is_active {
            ui.tip(&format!("{}: {} bones", pose.name, pose.bones.len()), "click to apply, drag to blend");
        }
        let Some(drag) = self.drag.as_mut().filter(|drag| drag.at == at) else { return };
        let amount = ((mouse - drag.from) / WHOLE).clamp(0.0, 1.0);
        let change = || Change::Saved(AppliedPose { pose: pose.clone(), side: self.side, amount });
        if is_active && !drag.is_moving && (mouse - drag.from).abs() > STILL {
            drag.is_moving = true;
            ui.send(DocumentAction::Begin { label: "Apply pose".into() });
        }
        if drag.is_moving {
            ui.send(DocumentAction::Preview(change()));
            if ui.editor.gesture.is_some() {
                slider(ui, cell, amount);
            }
        }
        if ui.is_item_deactivated() {
            ui.send(if drag.is_moving {
                Action::Document(DocumentAction::Commit)
            } else {
                Action::Poses(LibraryAction::Apply { at, side: self.side, amount: 1.0 })
            });
            self.drag = None;
        }
    }

    fn name_ui(&mut self, ui: &Ui<'_>, at: usize, pose: &SavedPose, rect: Rect) {
        match self.naming.ui(ui, &at, &pose.name, "rename-pose", rect) {
            Named::Closed => {
                ui.button_in(&format!("pose-name{at}"), rect);
                ui.text_in(rect, Align::Center, ui.theme.text, &pose.name);
                if ui.is_item_hovered() && ui.is_mouse_double_clicked(MouseButton::Left) {
                    self.naming.start(ui, at, &pose.name);
                }
            }
            Named::Typing | Named::Kept => {}
            Named::Entered(name) => ui.send(LibraryAction::Rename { at, name }),
        }
    }

    fn context_menu(&mut self, ui: &Ui<'_>, model: &Model) {
        let Some((at, _popup)) = self.menu.begin(ui, "##pose-menu") else { return };
        let Some(pose) = model.poses.get(at) else { return };
        let apply = |side| Action::Poses(LibraryAction::Apply { at, side, amount: 1.0 });
        let entries = [
            ("Apply", apply(Side::Same)),
            ("Apply mirrored", apply(Side::Mirrored)),
            ("Replace with current pose", Action::Poses(LibraryAction::Update(at))),
            ("Move up", Action::Poses(LibraryAction::Move { from: at, to: at.saturating_sub(1) })),
            ("Move down", Action::Poses(LibraryAction::Move { from: at, to: at + 1 })),
            ("Delete", Action::Poses(LibraryAction::Delete(at))),
        ];
        for (place, (name, action)) in entries.into_iter().enumerate() {
            if place == 2 || place == 5 {
                menu::separator(ui);
            }
            if menu::entry(ui, name) {
                ui.send(action);
            }
        }
        if menu::item(ui, "Rename", "double-click") {
            self.naming.start(ui, at, &pose.name);
        }
        if menu::item(ui, "Select bones", "") {
            let bones = pose.bones.iter().filter_map(|saved| ui.model()?.skeleton.find(&saved.bone)).collect();
            ui.send(SelectAction::Bones { bones, pick: Pick::Only });
        }
    }
}

/// The thumbnail of a pose.
pub type Picture<'a> = &'a dyn Fn(usize) -> Option<TextureId>;

fn hint(ui: &Ui<'_>) {
    let text = match ui.session.focus.selection.bones.len() {
        0 => "Click to apply".to_owned(),
        1 => "Click to apply to the selected bone".to_owned(),
        count => format!("Click to apply to {count} selected bones"),
    };
    widgets::hints(ui, [&text, "Drag sideways to blend"]);
}

/// Draws the blend weight during a drag.
fn slider(ui: &Ui<'_>, cell: Rect, amount: f32) {
    let bar = cell.shrunk(4.0).bottom(6.0);
    ui.fill(bar, faded(ui.theme.ground, 0.8), 3.0);
    let full = bar.left(bar.size()[0] * amount);
    ui.fill(full, ui.theme.accent, 3.0);
    let text = cell.top(20.0);
    ui.fill(text, faded(ui.theme.ground, 0.7), 5.0);
    ui.text_in(text, Align::Center, ui.theme.text, &format!("{:.0} %", amount * 100.0));
}
