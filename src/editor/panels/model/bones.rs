//! The bone tree: search, selection, hover and key marks.

use crate::editor::panels::ui::Ui;
use std::collections::BTreeSet;

use lucide_icons::Icon;

use crate::anim::key::Channel;
use crate::anim::skeleton::{BoneIndex, Skeleton};
use crate::assets::model::Model;
use crate::editor::ops::bone_groups;
use crate::editor::ops::bone_groups::GroupEdit;
use crate::editor::panels::model::bone_groups::{BoneGroups, ink};
use crate::editor::panels::ui::bone_name;
use crate::editor::panels::ui::frame::{Align, icon};
use crate::editor::panels::ui::rect::Rect;
use crate::editor::panels::ui::search;
use crate::editor::panels::ui::widgets;
use crate::editor::panels::ui::widgets::{KeyMark, RowTouch, Tone};
use crate::editor::panels::window::layout;
use crate::editor::session::selection::Pick;
use crate::editor::state::action::{BoneAction, SelectAction};

/// The panel.
#[derive(Debug, Default)]
pub struct BonesPanel {
    search: String,
    closed: BTreeSet<BoneIndex>,
    shown: Option<BoneIndex>,
    hovered: Option<BoneIndex>,
    groups: BoneGroups,
}

impl BonesPanel {
    /// Whether a group's name can be typed.
    pub fn is_naming(&self) -> bool {
        self.groups.is_naming()
    }
}

/// A line of the tree.
struct Line {
    bone: BoneIndex,
    depth: usize,
    has_children: bool,
}

impl BonesPanel {
    /// Draws the panel.
    pub fn ui(&mut self, ui: &Ui<'_>) {
        let Some(model) = ui.model() else {
            return widgets::empty(ui, "No model open.", "Open a model to see its bones.");
        };
        let skeleton = &model.skeleton;
        if skeleton.is_empty() {
            return widgets::empty(ui, "No bones in this model.", "");
        }
        search_ui(ui, skeleton.len(), &mut self.search);
        self.groups.ui(ui, model);
        layout::scrolled(ui, "##bones", 0.0, || self.tree(ui, model));
    }

    fn tree(&mut self, ui: &Ui<'_>, model: &Model) {
        let skeleton = &*model.skeleton;
        let active = ui.session.focus.selection.active_bone();
        let must_show = active != self.shown;
        if let (true, Some(bone)) = (must_show, active) {
            open_above(skeleton, bone, &mut self.closed);
        }
        let lines = lines(skeleton, &self.search, &self.closed);
        if lines.is_empty() {
            widgets::empty(ui, &format!("No bone matches \"{}\".", self.search), "");
        }
        let colors = bone_groups::colors(model);
        let mut hovered = None;
        for line in &lines {
            let is_selected = ui.session.focus.selection.has_bone(line.bone);
            let touch = widgets::row(ui, &format!("bone{}", line.bone), is_selected);
            if must_show && active == Some(line.bone) && !ui.is_rect_visible(touch.rect.min, touch.rect.max) {
                ui.set_scroll_here_y();
            }
            if ui.is_rect_visible(touch.rect.min, touch.rect.max) {
                let is_active = active == Some(line.bone);
                if let Some(Some(color)) = colors.get(usize::from(line.bone)) {
                    let [x, y] = touch.rect.min;
                    ui.fill(Rect::at([x, y + 4.0], [3.0, widgets::ROW - 8.0]), ink(*color), 1.5);
                }
                self.draw_line(ui, line, is_active, &touch);
            }
            if touch.is_hovered {
                hovered = Some(line.bone);
            }
            self.take(ui, line, &touch);
        }
        self.shown = active;
        // Clears only its own hover, because the viewport hovers bones too.
        if hovered != ui.session.transient.hover && (hovered.is_some() || self.hovered == ui.session.transient.hover) {
            ui.send(SelectAction::Hover(hovered));
        }
        self.hovered = hovered;
    }
}

/// Draws the search field and the button that groups the selected bones.
fn search_ui(ui: &Ui<'_>, count: usize, search: &mut String) {
    let hint = if count == 1 { "Search 1 bone".to_owned() } else { format!("Search {count} bones") };
    let tone = if ui.session.focus.selection.bones.is_empty() { Tone::Off } else { Tone::Bare };
    let group = (Icon::Layers, "Group", "new-group");
    let is_pressed = search::field_and_button(ui, ["bone-search", &hint], search, group, tone);
    ui.tip("Group the selected bones", "");
    if is_pressed {
        ui.send(BoneAction::Group(GroupEdit::New(None)));
    }
}

/// The visible lines, depth first. A search lists the matching bones without the tree.
fn lines(skeleton: &Skeleton, search: &str, closed: &BTreeSet<BoneIndex>) -> Vec<Line> {
    let wanted = search.to_lowercase();
    if !wanted.is_empty() {
        let matches = |bone: &BoneIndex| bone_name(skeleton, *bone).to_lowercase().contains(&wanted);
        return skeleton.indices().filter(matches).map(|bone| Line { bone, depth: 0, has_children: false }).collect();
    }
    let mut children: Vec<Vec<BoneIndex>> = vec![Vec::new(); skeleton.len()];
    let mut stack: Vec<(BoneIndex, usize)> = Vec::new();
    for bone in skeleton.indices() {
        match skeleton.parent(bone) {
            Some(parent) => children[usize::from(parent)].push(bone),
            None => stack.push((bone, 0)),
        }
    }
    stack.reverse();
    let mut lines = Vec::with_capacity(skeleton.len());
    while let Some((bone, depth)) = stack.pop() {
        let below = &children[usize::from(bone)];
        lines.push(Line { bone, depth, has_children: !below.is_empty() });
        if !closed.contains(&bone) {
            stack.extend(below.iter().rev().map(|&child| (child, depth + 1)));
        }
    }
    lines
}

fn open_above(skeleton: &Skeleton, bone: BoneIndex, closed: &mut BTreeSet<BoneIndex>) {
    let above = std::iter::successors(skeleton.parent(bone), |&parent| skeleton.parent(parent));
    above.for_each(|parent| {
        closed.remove(&parent);
    });
}

fn indent(line: &Line) -> f32 {
    8.0 + line.depth.min(14) as f32 * 11.0
}

impl BonesPanel {
    fn draw_line(&self, ui: &Ui<'_>, line: &Line, is_active: bool, touch: &RowTouch) {
        let (theme, rect) = (ui.theme, touch.rect);
        let left = rect.min[0] + indent(line);
        if ui.session.transient.hover == Some(line.bone) && !touch.is_hovered {
            ui.outline(rect, theme.line, 5.0, 1.0);
        }
        if line.has_children {
            let is_closed = self.closed.contains(&line.bone);
            let sign = if is_closed { Icon::ChevronRight } else { Icon::ChevronDown };
            let _font = ui.with_font(ui.fonts.small);
            ui.text_in(rect.with_x(left - 4.0, left + 12.0), Align::Center, theme.dim, &icon(sign));
        }
        let is_hidden = ui.session.focus.hidden.contains(&line.bone);
        let color = if is_hidden { theme.dim } else { theme.text };
        {
            let _font = is_active.then(|| ui.with_font(ui.fonts.bold));
            ui.text_in(
                rect.with_x(left + 14.0, rect.max[0] - 24.0),
                Align::Left,
                color,
                ui.model().map_or("", |model| bone_name(&model.skeleton, line.bone)),
            );
        }
        if ui.session.focus.pins.contains(&line.bone) {
            ui.text_in(rect.trim_right(22.0).right(20.0), Align::Center, theme.quiet, &icon(Icon::Pin));
        }
        match bone_mark(ui, line.bone) {
            KeyMark::Open => {}
            mark => widgets::draw_key_mark(ui, [rect.max[0] - 13.0, rect.center()[1]], mark),
        }
    }
}

/// The key mark of a bone: draft if a channel has a draft, keyed if a channel is keyed.
pub fn bone_mark(ui: &Ui<'_>, bone: BoneIndex) -> KeyMark {
    let marks = Channel::ALL.map(|channel| crate::editor::panels::ui::key_mark::key_mark(ui, bone, channel));
    if marks.contains(&KeyMark::Draft) {
        KeyMark::Draft
    } else if marks.contains(&KeyMark::Keyed) {
        KeyMark::Keyed
    } else {
        KeyMark::Open
    }
}

impl BonesPanel {
    fn take(&mut self, ui: &Ui<'_>, line: &Line, touch: &RowTouch) {
        if !touch.is_clicked {
            return;
        }
        let from_sign = ui.io().mouse_pos[0] - touch.rect.min[0] - indent(line);
        let on_sign = (-8.0..13.0).contains(&from_sign);
        if line.has_children && on_sign {
            if !self.closed.remove(&line.bone) {
                self.closed.insert(line.bone);
            }
            return;
        }
        let pick = match (ui.io().key_ctrl, ui.io().key_shift) {
            (true, _) => Pick::Toggle,
            (false, true) => Pick::Add,
            (false, false) => Pick::Only,
        };
        ui.send(SelectAction::Bones { bones: vec![line.bone], pick });
        self.shown = Some(line.bone);
    }
}
