//! The bone list: the tree of bones and the mesh nodes, with filter, selection, hover, key marks and a context menu.

use crate::editor::ops::bone_groups;
use crate::editor::ops::bone_groups::GroupEdit;
use crate::editor::panels::model::bone_groups::{BoneGroups, ink};
use crate::editor::panels::model::bone_menu::bone_menu;
use crate::editor::panels::ui::prelude::*;
use crate::editor::panels::ui::search;
use crate::editor::session::paint::PaintAction;
use crate::editor::session::rig::RigAction;
use crate::editor::view::Mark;
use crate::editor::view::bone_list::{self, Folded, Line};

#[derive(Debug, Default)]
pub struct BonesPanel {
    folded: Folded,
    /// The active bone and the filter in the last frame. If either changes, the list scrolls to the active bone.
    shown: (Option<BoneIndex>, String),
    /// The model in the last frame: another one is seen from its root.
    model: String,
    hovered: Option<BoneIndex>,
    groups: BoneGroups,
    menu: ContextMenu<()>,
}

/// Width by which a level of the tree is indented, if there is room.
const STEP: f32 = 11.0;
/// The maximum indent, as a part of the width of the list.
const MAX_INDENT: f32 = 0.3;

/// How the lines of a frame are indented.
#[derive(Clone, Copy)]
struct Indents {
    step: f32,
    max: f32,
}

impl Indents {
    /// Smaller steps for a deeper tree, so that names keep most of the width.
    fn of(lines: &[Line], width: f32) -> Indents {
        let depth = |line: &Line| if let Line::Bone { depth, .. } = line { *depth } else { 0 };
        let deepest = lines.iter().map(depth).max().unwrap_or_default().max(1);
        let max = width * MAX_INDENT;
        Indents { step: (max / deepest as f32).clamp(3.0, STEP), max }
    }

    fn left(&self, depth: usize) -> f32 {
        8.0 + (depth as f32 * self.step).min(self.max)
    }
}

/// A bone's line as it is drawn.
#[derive(Clone, Copy)]
struct Row {
    bone: BoneIndex,
    has_children: bool,
    /// The left edge of the arrow.
    left: f32,
    touch: RowTouch,
}

impl BonesPanel {
    pub fn ui(&mut self, ui: &Ui<'_>) {
        let Some(model) = ui.model() else {
            return widgets::empty(ui, "No model open.", "Open a model to see its bones.");
        };
        if model.skeleton.is_empty() {
            return widgets::empty(ui, "No bones in this model.", "Bones are imported with models.");
        }
        search_ui(ui, bone_list::bone_count(model));
        self.groups.ui(ui, model);
        widgets::scrolled(ui, "##bones", 0.0, || self.list(ui, model));
    }

    fn list(&mut self, ui: &Ui<'_>, model: &Model) {
        let (active, filter) = (ui.session.focus.selection.active_bone(), &ui.session.focus.bone_filter);
        let is_new = self.shown.0 != active || self.shown.1 != *filter;
        let scroll_to = if is_new { active } else { None };
        if let Some(bone) = scroll_to {
            self.unfold(model, bone);
        }
        let lines = bone_list::lines(model, filter, &self.folded);
        if lines.is_empty() {
            widgets::empty(ui, &format!("No bone matches \"{filter}\"."), "");
        }
        let colors = bone_groups::colors(model);
        let indents = Indents::of(&lines, ui.content_region_avail()[0]);
        let mut hovered = None;
        self.shown = (active, filter.clone());
        if self.model != model.name {
            self.model.clone_from(&model.name);
            ui.set_scroll_y(0.0);
        }
        if let Some(at) = scroll_to.and_then(|bone| lines.iter().position(|line| line.bone() == Some(bone))) {
            scroll_to_row(ui, at);
        }
        // Lines that are not seen cost nothing.
        let mut clipper = imgui::ListClipper::new(lines.len() as i32).items_height(widgets::ROW).begin(ui.imgui);
        while clipper.step() {
            for line in &lines[clipper.display_start() as usize..clipper.display_end() as usize] {
                let Line::Bone { bone, depth, has_children } = *line else {
                    self.mesh_node_title(ui, line);
                    continue;
                };
                let touch = widgets::row(ui, &format!("bone{bone}"), ui.session.focus.selection.has_bone(bone));
                let row = Row { bone, has_children, left: touch.rect.min[0] + indents.left(depth), touch };
                if let Some(Some(color)) = colors.get(usize::from(bone)) {
                    let [x, y] = touch.rect.min;
                    ui.fill(Rect::at([x, y + 4.0], [3.0, widgets::ROW - 8.0]), ink(*color), 1.5);
                }
                self.draw_row(ui, model, &row);
                hovered = hovered.or(touch.is_hovered.then_some(bone));
                self.take(ui, &lines, &row);
            }
        }
        if let Some(_popup) = self.menu.begin(ui, "##bone-menu") {
            bone_menu(ui);
        }
        ui.send_hover(&mut self.hovered, hovered);
    }

    /// Unfolds what hides a bone.
    fn unfold(&mut self, model: &Model, bone: BoneIndex) {
        let skeleton: &Skeleton = &model.skeleton;
        for parent in skeleton.above(bone).filter_map(|parent| skeleton.get(parent)) {
            self.folded.bones.remove(&parent.name);
        }
        if bone_list::is_mesh_node(model, bone) {
            self.folded.has_mesh_nodes = false;
        }
    }

    fn mesh_node_title(&mut self, ui: &Ui<'_>, line: &Line) {
        let Line::MeshNodes(count) = *line else { return };
        let touch = widgets::row(ui, "mesh-nodes", false);
        let sign = if self.folded.has_mesh_nodes { Icon::ChevronRight } else { Icon::ChevronDown };
        let rect = touch.rect;
        ui.text_in(rect.left(24.0), Align::Center, ui.theme.quiet, &icon(sign));
        ui.text_in(rect.trim_left(24.0), Align::Left, ui.theme.quiet, &format!("Mesh nodes  {count}"));
        ui.tip("Nodes that carry meshes and don't deform the model", "");
        if touch.is_clicked {
            self.folded.has_mesh_nodes = !self.folded.has_mesh_nodes;
        }
    }

    fn draw_row(&self, ui: &Ui<'_>, model: &Model, row: &Row) {
        let (theme, rect, focus) = (ui.theme, row.touch.rect, &ui.session.focus);
        if ui.session.transient.hover == Some(row.bone) && !row.touch.is_hovered {
            ui.outline(rect, theme.line, 5.0, 1.0);
        }
        let full = model.skeleton.get(row.bone).map_or("", |bone| &bone.name);
        if row.has_children {
            let is_folded = self.folded.bones.contains(full);
            let sign = if is_folded { Icon::ChevronRight } else { Icon::ChevronDown };
            let arrow = rect.with_x(row.left - 4.0, row.left + 12.0);
            ui.text_in_font(ui.fonts.small, arrow, Align::Center, theme.dim, &icon(sign));
        }
        let color = if focus.hidden.contains(&row.bone) { theme.dim } else { theme.text };
        let is_pinned = focus.pins.contains(&row.bone);
        let name = bone_name(&model.skeleton, row.bone);
        let is_cut = {
            let is_active = focus.selection.active_bone() == Some(row.bone);
            let _font = is_active.then(|| ui.with_font(ui.fonts.bold));
            let right = rect.max[0] - if is_pinned { 42.0 } else { 24.0 };
            ui.name_in(rect.with_x(row.left + 14.0, right), color, name)
        };
        if is_cut || name != full {
            ui.tip(full, "");
        }
        if is_pinned {
            ui.text_in(rect.trim_right(22.0).right(20.0), Align::Center, theme.quiet, &icon(Icon::Pin));
        }
        if let Some(is_locked) = lock(ui, full) {
            let (sign, ink) = if is_locked { (Icon::Lock, theme.text) } else { (Icon::LockOpen, theme.dim) };
            ui.text_in(lock_place(rect), Align::Center, ink, &icon(sign));
            ui.mark(|| format!("lock: {full}"), lock_place(rect));
            return;
        }
        let mark = ui.view.bone_mark(row.bone);
        if mark != Mark::Unkeyed {
            let center = [rect.max[0] - 13.0, rect.center()[1]];
            widgets::draw_key_mark(ui, center, mark);
            ui.mark(|| format!("key mark: {full}"), Rect::around(center, [8.0; 2]));
        }
    }

    /// Handles clicks: a click selects the bone, Ctrl toggles it, Shift selects the range from the bone that was clicked
    /// before, and Ctrl+Shift adds that range.
    fn take(&mut self, ui: &Ui<'_>, lines: &[Line], row: &Row) {
        let (bone, selection, held) = (row.bone, &ui.session.focus.selection, ui.held());
        if row.touch.is_right_clicked {
            if !selection.has_bone(bone) {
                self.select(ui, bone, Pick::Only);
            }
            self.menu.open(());
        }
        if !row.touch.is_clicked {
            return;
        }
        let name = ui.model().and_then(|model| model.skeleton.get(bone)).map_or("", |bone| &bone.name);
        if lock(ui, name).is_some() && lock_place(row.touch.rect).contains(ui.io().mouse_pos) {
            return ui.send(RigAction::Paint(PaintAction::ToggleLock(vec![bone])));
        }
        let on_arrow = (-8.0..13.0).contains(&(ui.io().mouse_pos[0] - row.left));
        if row.has_children && on_arrow {
            if !self.folded.bones.remove(name) {
                self.folded.bones.insert(name.to_owned());
            }
            return;
        }
        let from = selection.range_start.or(selection.active_bone());
        let range = if held.shift { from.and_then(|from| bone_list::range(lines, from, bone)) } else { None };
        match range {
            Some(range) => {
                let pick = if held.ctrl { Pick::Add } else { Pick::Only };
                ui.send(SelectAction::BoneRange { range, clicked: bone, pick });
                self.shown.0 = Some(bone);
            }
            None => self.select(ui, bone, if held.ctrl { Pick::Toggle } else { Pick::Only }),
        }
    }

    fn select(&mut self, ui: &Ui<'_>, bone: BoneIndex, pick: Pick) {
        ui.send(SelectAction::Bones { bones: vec![bone], pick });
        self.shown.0 = Some(bone);
    }
}

/// Whether painting keeps the weights of a bone. `None` if nothing is painted.
fn lock(ui: &Ui<'_>, name: &str) -> Option<bool> {
    let paint = &ui.session.transient.scene.rig()?.paint;
    paint.is_on.then(|| paint.locked.contains(name))
}

/// The place of the lock in a row.
fn lock_place(row: Rect) -> Rect {
    row.right(24.0)
}

/// Draws the search field and the button that groups the selected bones.
fn search_ui(ui: &Ui<'_>, count: usize) {
    let hint = format!("Search {}", counted(count, "bone"));
    let group = Button { tone: Tone::Bare, ..Button::new("Group", "new-group", "") };
    let group = group.enabled(!ui.session.focus.selection.bones.is_empty());
    let mut filter = ui.session.focus.bone_filter.clone();
    let is_pressed = search::field_and_button(ui, "bone-search", &hint, &mut filter, Icon::Layers, group);
    ui.tip("Group the selected bones", "");
    if is_pressed {
        ui.send(BoneAction::Group(GroupEdit::New(None)));
    }
    if filter != ui.session.focus.bone_filter {
        ui.send(BoneAction::Filter(filter));
    }
}

/// Scrolls to a row, unless it is completely inside the window.
fn scroll_to_row(ui: &Ui<'_>, at: usize) {
    let (top, height) = (at as f32 * widgets::ROW, ui.window_size()[1]);
    if top < ui.scroll_y() || top + widgets::ROW > ui.scroll_y() + height {
        ui.set_scroll_y((top - (height - widgets::ROW) * 0.5).max(0.0));
    }
}
