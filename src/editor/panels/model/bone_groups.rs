//! The groups of bones above their tree: a click selects a group's bones, the menu does the rest.

use imgui::MouseButton;
use lucide_icons::Icon;

use crate::assets::model::Model;
use crate::assets::rig_notes::BoneGroup;
use crate::editor::ops::bone_groups;
use crate::editor::ops::bone_groups::{COLORS, GroupEdit};
use crate::editor::panels::ui::actions::Out;
use crate::editor::panels::ui::canvas::{Align, Kit, Rect, icon};
use crate::editor::panels::ui::menu;
use crate::editor::panels::ui::seen::Seen;
use crate::editor::panels::ui::theme::Color;
use crate::editor::panels::ui::widgets;
use crate::editor::panels::ui::widgets::Tone;
use crate::editor::session::selection::Pick;
use crate::editor::state::action::{Action, BoneAction, SelectAction};

/// Height of a group's button.
const HIGH: f32 = 22.0;

/// What the groups keep for themselves.
#[derive(Debug, Default)]
pub struct GroupsLocal {
    /// Whose menu, whether it is to be opened, and the name that is typed there.
    menu: Option<(usize, bool, String)>,
}

impl GroupsLocal {
    /// True while the menu with the name is open.
    pub fn is_naming(&self) -> bool {
        self.menu.is_some()
    }
}

/// The colour of a group on the screen.
pub fn ink(color: [u8; 3]) -> Color {
    let [red, green, blue] = color.map(|part| f32::from(part) / 255.0);
    [red, green, blue, 1.0]
}

/// The button beside the panel's title that groups the selected bones.
pub fn new_group_ui(kit: &Kit<'_>, seen: &Seen<'_>, title: Rect, out: &mut Out) {
    let after = kit.cursor_screen_pos();
    let size = [70.0, HIGH];
    kit.set_cursor_screen_pos([title.max[0] - size[0], title.min[1] + 1.0]);
    let tone = if seen.session.focus.selection.bones.is_empty() { Tone::Off } else { Tone::Bare };
    if widgets::button(kit, &format!("{}  Group##new-group", icon(Icon::Plus)), size, tone) {
        out.push(BoneAction::Group(GroupEdit::New(None)));
    }
    kit.tip("A group of the selected bones, with a colour", "");
    kit.set_cursor_screen_pos(after);
}

/// The row of groups, as many lines as it takes; nothing where there are none.
pub fn bone_groups_ui(kit: &Kit<'_>, seen: &Seen<'_>, model: &Model, local: &mut GroupsLocal, out: &mut Out) {
    if model.rig.groups.is_empty() {
        return;
    }
    let top = kit.cursor_screen_pos();
    let right = top[0] + kit.content_region_avail()[0];
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
        let rect = place((kit.calc_text_size(&group.name)[0] + 28.0).min(right - top[0]));
        chip(kit, seen, model, (number, group), rect, local, out);
    }
    let bottom = place(0.0).max[1];
    kit.set_cursor_screen_pos([top[0], bottom + 4.0]);
    kit.dummy([0.0, 0.0]);
    group_menu(kit, seen, model, local, out);
}

fn chip(
    kit: &Kit<'_>,
    seen: &Seen<'_>,
    model: &Model,
    (number, group): (usize, &BoneGroup),
    rect: Rect,
    local: &mut GroupsLocal,
    out: &mut Out,
) {
    let bones = bone_groups::bones(&model.skeleton, group);
    kit.set_cursor_screen_pos(rect.min);
    if kit.invisible_button(format!("##group{number}"), rect.size()) {
        let pick = if kit.io().key_shift { Pick::Add } else { Pick::Only };
        out.push(SelectAction::Bones { bones: bones.clone(), pick });
    }
    kit.item(&format!("group{number}"));
    let is_hidden = !bones.is_empty() && bones.iter().all(|bone| seen.session.focus.hidden.contains(bone));
    kit.fill(rect, if kit.is_item_hovered() { kit.theme.field_hovered } else { kit.theme.field }, 5.0);
    let dot = [rect.min[0] + 11.0, rect.center()[1]];
    kit.draw().add_circle(dot, 4.5, ink(group.color)).filled(!is_hidden).build();
    let text = Rect { min: [rect.min[0] + 20.0, rect.min[1]], max: [rect.max[0] - 6.0, rect.max[1]] };
    kit.text_in(text, Align::Left, if is_hidden { kit.theme.dim } else { kit.theme.text }, &group.name);
    if kit.is_item_hovered() && kit.is_mouse_clicked(MouseButton::Right) {
        local.menu = Some((number, true, group.name.clone()));
    }
    kit.tip(&format!("{}: {} bones", group.name, bones.len()), "click selects, right click for more");
}

fn group_menu(kit: &Kit<'_>, seen: &Seen<'_>, model: &Model, local: &mut GroupsLocal, out: &mut Out) {
    let Some((at, is_wanted, name)) = &mut local.menu else { return };
    if std::mem::take(is_wanted) {
        kit.open_popup("##group-menu");
    }
    let at = *at;
    let _padding = menu::padding(kit);
    let popup = kit.begin_popup("##group-menu");
    let (Some(_popup), Some(group)) = (popup, model.rig.groups.get(at)) else {
        local.menu = None;
        return;
    };
    kit.set_next_item_width(150.0);
    if kit.input_text("##group-name", name).enter_returns_true(true).auto_select_all(true).build() {
        out.push(BoneAction::Group(GroupEdit::Rename { at, name: name.clone() }));
        kit.close_current_popup();
    }
    kit.item("group-name");
    colors(kit, at, group, out);
    menu::separator(kit);
    let bones = bone_groups::bones(&model.skeleton, group);
    let is_hidden = bones.iter().all(|bone| seen.session.focus.hidden.contains(bone));
    let entries = [
        ("Add the selected bones", Action::Bones(BoneAction::Group(GroupEdit::Join(at)))),
        ("Take the selected bones out", Action::Bones(BoneAction::Group(GroupEdit::Leave(at)))),
        (
            if is_hidden { "Show" } else { "Hide" },
            Action::Bones(BoneAction::SetHidden { bones, is_hidden: !is_hidden }),
        ),
        ("Delete the group", Action::Bones(BoneAction::Group(GroupEdit::Delete(at)))),
    ];
    for (name, action) in entries {
        if menu::item(kit, name, "") {
            out.push(action);
        }
        kit.item(name);
    }
}

fn colors(kit: &Kit<'_>, at: usize, group: &BoneGroup, out: &mut Out) {
    for (place, color) in COLORS.into_iter().enumerate() {
        if place > 0 {
            kit.same_line_with_spacing(0.0, 2.0);
        }
        if kit.invisible_button(format!("##color{place}"), [17.0, 17.0]) {
            out.push(BoneAction::Group(GroupEdit::SetColor { at, color }));
        }
        let rect = kit.item(&format!("color{place}"));
        kit.draw().add_circle(rect.center(), 6.5, ink(color)).filled(true).build();
        if group.color == color {
            kit.draw().add_circle(rect.center(), 8.0, kit.theme.text).thickness(1.3).build();
        }
    }
}
