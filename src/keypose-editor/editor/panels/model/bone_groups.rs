//! Bone groups: buttons above the bone tree. A click selects the group's bones; a context menu edits the group.

use crate::editor::ops::bone_groups;
use crate::editor::ops::bone_groups::{COLORS, GroupEdit};
use crate::editor::panels::ui::prelude::*;
use keypose::assets::rig_notes::BoneGroup;

/// Height of a group's button.
const HIGH: f32 = 22.0;

#[derive(Debug, Default)]
pub struct BoneGroups {
    menu: ContextMenu<usize>,
    /// The name that is typed in the menu.
    name: String,
}

impl BoneGroups {
    /// Draws the groups, in as many lines as they need.
    pub fn ui(&mut self, ui: &Ui<'_>, model: &Model) {
        if model.rig.groups.is_empty() {
            return;
        }
        let top = ui.cursor_screen_pos();
        let right = top[0] + ui.content_region_avail()[0];
        let mut at = top;
        let mut place = |width: f32| {
            if at[0] > top[0] && at[0] + width > right {
                at = [top[0], at[1] + HIGH + 3.0];
            }
            let rect = Rect::at(at, [width, HIGH]);
            at[0] += width + 3.0;
            rect
        };
        for (number, group) in model.rig.groups.iter().enumerate() {
            let rect = place((ui.calc_text_size(&group.name)[0] + 28.0).min(right - top[0]));
            self.chip(ui, model, number, group, rect);
        }
        let bottom = place(0.0).max[1];
        ui.end_at([top[0], bottom + 4.0]);
        self.group_menu(ui, model);
    }

    fn chip(&mut self, ui: &Ui<'_>, model: &Model, number: usize, group: &BoneGroup, rect: Rect) {
        let bones = bone_groups::bones(&model.skeleton, group);
        if ui.button_in(&format!("group{number}"), rect) {
            let pick = if ui.io().key_shift { Pick::Add } else { Pick::Only };
            ui.send(SelectAction::Bones { bones: bones.clone(), pick });
        }
        let is_hidden = !bones.is_empty() && bones.iter().all(|bone| ui.session.focus.hidden.contains(bone));
        ui.field_ground(rect);
        let dot = [rect.min[0] + 11.0, rect.center()[1]];
        ui.draw().add_circle(dot, 4.5, ink(group.color)).filled(!is_hidden).build();
        let text = rect.trim_left(20.0).trim_right(6.0);
        ui.text_in(text, Align::Left, if is_hidden { ui.theme.dim } else { ui.theme.text }, &group.name);
        if ui.is_item_hovered() && ui.is_mouse_clicked(MouseButton::Right) {
            self.menu.open(number);
            self.name.clone_from(&group.name);
        }
        ui.tip(&format!("{}: {} bones", group.name, bones.len()), "click to select, right-click for more");
    }

    fn group_menu(&mut self, ui: &Ui<'_>, model: &Model) {
        let Some((at, _popup)) = self.menu.begin(ui, "##group-menu") else { return };
        let Some(group) = model.rig.groups.get(at) else { return };
        ui.set_next_item_width(150.0);
        if ui.input_text("##group-name", &mut self.name).enter_returns_true(true).auto_select_all(true).build() {
            ui.send(BoneAction::Group(GroupEdit::Rename { at, name: self.name.clone() }));
            ui.close_current_popup();
        }
        ui.item("group-name");
        colors(ui, at, group);
        menu::separator(ui);
        let bones = bone_groups::bones(&model.skeleton, group);
        let is_hidden = bones.iter().all(|bone| ui.session.focus.hidden.contains(bone));
        let entries = [
            ("Add selected bones", Action::Bones(BoneAction::Group(GroupEdit::Join(at)))),
            ("Remove selected bones", Action::Bones(BoneAction::Group(GroupEdit::Leave(at)))),
            (
                if is_hidden { "Show" } else { "Hide" },
                Action::Bones(BoneAction::SetHidden { bones, is_hidden: !is_hidden }),
            ),
            ("Delete group", Action::Bones(BoneAction::Group(GroupEdit::Delete(at)))),
        ];
        for (name, action) in entries {
            if menu::entry(ui, name) {
                ui.send(action);
            }
        }
    }
}

/// The screen colour of a group.
pub fn ink(color: [u8; 3]) -> Color {
    let [red, green, blue] = color.map(|part| f32::from(part) / 255.0);
    [red, green, blue, 1.0]
}

fn colors(ui: &Ui<'_>, at: usize, group: &BoneGroup) {
    for (place, color) in COLORS.into_iter().enumerate() {
        if place > 0 {
            ui.same_line_with_spacing(0.0, 2.0);
        }
        if ui.invisible_button(format!("##color{place}"), [17.0, 17.0]) {
            ui.send(BoneAction::Group(GroupEdit::SetColor { at, color }));
        }
        let rect = ui.item(&format!("color{place}"));
        ui.dot(rect.center(), 6.5, ink(color));
        if group.color == color {
            ui.draw().add_circle(rect.center(), 8.0, ui.theme.text).thickness(1.3).build();
        }
    }
}
