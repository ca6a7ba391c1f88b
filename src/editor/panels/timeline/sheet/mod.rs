//! The dope sheet: a row for all keys, one per bone in the order of the tree, and one per keyed channel of expanded
//! bones. Only visible rows are processed.

use crate::editor::panels::ui::Ui;
use std::collections::BTreeSet;
use std::sync::Arc;

use lucide_icons::Icon;

use crate::anim::clip::Clip;
use crate::anim::key::Channel;
use crate::anim::skeleton::{BoneIndex, Skeleton};
use crate::anim::time::Time;
use crate::editor::panels::timeline::panel::Laid;
use crate::editor::panels::timeline::press::pick_with;
use crate::editor::panels::timeline::scale::Scale;
use crate::editor::panels::ui::frame::{Align, icon};
use crate::editor::panels::ui::rect::Rect;
use crate::editor::panels::ui::sys;
use crate::editor::panels::ui::theme::{faded, mixed};
use crate::editor::panels::ui::widgets;
use crate::editor::panels::window::layout;
use crate::editor::state::action::SelectAction;
use crate::editor::view::dope_sheet;
use crate::editor::view::dope_sheet::{Keyed, Row, RowKind};

mod draw;
mod mouse;

pub use mouse::keys_menu_ui;

/// Height of a row.
pub const ROW: f32 = 20.0;

/// The dope sheet.
#[derive(Debug, Default)]
pub struct DopeSheet {
    open: BTreeSet<BoneIndex>,
    keyed: Option<(Arc<Clip>, Keyed)>,
    mouse: mouse::KeyMouse,
    shown: Option<BoneIndex>,
    hovered: Option<BoneIndex>,
}

impl DopeSheet {
    /// Cancels a press or selection box. Returns whether there was one.
    pub fn cancel(&mut self) -> bool {
        self.mouse.press.take().is_some()
    }

    /// The state for another clip: expanded rows stay expanded.
    pub fn for_another_clip(self) -> DopeSheet {
        DopeSheet { open: self.open, ..DopeSheet::default() }
    }

    fn keyed(&mut self, clip: &Arc<Clip>) -> Keyed {
        let is_known = self.keyed.as_ref().is_some_and(|(known, _)| Arc::ptr_eq(known, clip));
        if !is_known {
            self.keyed = Some((clip.clone(), Keyed::of(clip)));
        }
        self.keyed.as_ref().map(|(_, keyed)| keyed.clone()).unwrap_or_default()
    }
}

/// The rows on the screen.
pub struct Grid<'a> {
    /// The clip.
    pub clip: &'a Clip,
    /// The start of each keyframe.
    pub starts: Vec<Time>,
    /// The time scale.
    pub scale: Scale,
    /// The summary row, then all others.
    pub rows: Vec<Row>,
    /// The area of the summary's keys.
    pub summary: Rect,
    /// The visible area of the other rows.
    pub body: Rect,
    /// The y of the second row, which scrolls.
    pub top: f32,
}

impl Grid<'_> {
    /// The area of a row's keys.
    pub fn row(&self, at: usize) -> Rect {
        match at.checked_sub(1) {
            None => self.summary,
            Some(below) => Rect::at([self.body.min[0], self.top + below as f32 * ROW], [self.body.size()[0], ROW]),
        }
    }

    /// The rows between two y, including the summary if they reach it.
    pub fn rows_between(&self, from: f32, to: f32) -> std::ops::Range<usize> {
        let below = |y: f32| (((y - self.top) / ROW).floor().max(-1.0) + 1.0) as usize;
        let first = if from < self.summary.max[1] { 0 } else { below(from.max(self.body.min[1])).max(1) };
        let last = if to < self.body.min[1] { 1 } else { below(to) + 1 };
        first.min(self.rows.len())..last.min(self.rows.len()).max(first.min(self.rows.len()))
    }

    /// The keyframes between two x.
    pub fn columns_between(&self, from: f32, to: f32) -> std::ops::Range<usize> {
        let (from, to) = (self.scale.time(from), self.scale.time(to));
        let first = self.starts.partition_point(|&start| start < from);
        first..self.starts.partition_point(|&start| start <= to).max(first)
    }
}

impl DopeSheet {
    /// Draws the dope sheet.
    pub fn ui(&mut self, ui: &Ui<'_>, laid: &Laid<'_>) {
        let Some(model) = ui.model() else { return };
        let keyed = self.keyed(laid.clip);
        let bones = dope_sheet::bones(&model.skeleton, &keyed, ui.session);
        let rows = dope_sheet::rows(&bones, &keyed, &self.open);
        let area = laid.area;
        // Keys at time zero can be grabbed from both sides.
        let left = area.min[0] - REACH;
        let summary = Rect { min: [left, area.min[1]], max: [area.max[0], area.min[1] + ROW] };
        let body = Rect { min: [left, summary.max[1] + 2.0], max: area.max };
        let starts = laid.clip.starts().collect();
        let mut grid = Grid { clip: laid.clip, starts, scale: laid.scale, rows, summary, body, top: body.min[1] };
        let names = summary.with_x(laid.left, left - 4.0);
        ui.text_in(names, Align::Left, ui.theme.quiet, "All keys");
        ui.set_cursor_screen_pos(summary.min);
        sys::ground_button(ui.imgui, "##sheet-summary", summary.size());
        let mut touch = mouse::touch(ui);
        draw::row(ui, &grid, 0);
        ui.set_cursor_screen_pos([laid.left, body.min[1]]);
        layout::scrolled(ui, "##sheet", 0.0, || {
            let (top, width) = (ui.cursor_screen_pos(), ui.content_region_avail()[0]);
            grid.top = top[1];
            grid.body.max[0] = grid.body.max[0].min(top[0] + width);
            self.show_active(ui, &grid);
            let names = body.with_x(laid.left, body.min[0] - 4.0);
            self.names_ui(ui, &model.skeleton, &grid, names);
            ui.set_cursor_screen_pos(grid.body.min);
            sys::ground_button(ui.imgui, "##sheet-keys", grid.body.size());
            touch = touch.or(mouse::touch(ui));
            for at in grid.rows_between(body.min[1], body.max[1]) {
                draw::row(ui, &grid, at);
            }
            ui.set_cursor_screen_pos(top);
            ui.dummy([1.0, (grid.rows.len() - 1) as f32 * ROW + 2.0]);
            if grid.rows.len() == 1 {
                let text = if ui.session.focus.timing.filter.is_empty() {
                    "No bones to show."
                } else {
                    "No bone matches the filter."
                };
                let place = Rect { min: names.min, max: [body.max[0], names.min[1] + ROW] };
                ui.text_in(place, Align::Left, ui.theme.quiet, text);
            }
        });
        mouse::mouse(ui, &grid, touch, &mut self.mouse);
    }

    /// Scrolls to the active bone after it was picked elsewhere.
    fn show_active(&mut self, ui: &Ui<'_>, grid: &Grid<'_>) {
        let active = ui.session.focus.selection.active_bone();
        if active == self.shown {
            return;
        }
        self.shown = active;
        let place = active.and_then(|bone| grid.rows.iter().position(|row| row.kind == RowKind::Bone(bone)));
        let Some(at) = place else { return };
        let rect = grid.row(at);
        if rect.min[1] < grid.body.min[1] || rect.max[1] > grid.body.max[1] {
            ui.set_scroll_y(((at - 1) as f32 * ROW - grid.body.size()[1] / 2.0).max(0.0));
        }
    }

    /// Draws the names of the rows: a click selects the bone, the arrow expands its channels (with Shift all).
    fn names_ui(&mut self, ui: &Ui<'_>, skeleton: &Skeleton, grid: &Grid<'_>, names: Rect) {
        ui.set_cursor_screen_pos(names.min);
        sys::ground_button(ui.imgui, "##sheet-names", names.size());
        let (is_hovered, is_clicked) = (ui.is_item_hovered(), ui.is_item_clicked());
        let mouse = ui.io().mouse_pos;
        let mut hovered = None;
        for at in grid.rows_between(names.min[1], names.max[1]).filter(|at| *at > 0) {
            let row = grid.rows[at];
            let y = grid.row(at);
            let rect = y.with_x(names.min[0], names.max[0]);
            let is_over = is_hovered && rect.contains(mouse);
            let (RowKind::Bone(bone) | RowKind::Channel(bone, _)) = row.kind else { continue };
            hovered = if is_over { Some(bone) } else { hovered };
            let sign = self.name_ui(ui, skeleton, &row, rect, is_over);
            if is_clicked && is_over {
                let on_sign = sign.is_some_and(|sign| sign.contains(mouse));
                match on_sign {
                    true => self.fold(ui, grid, bone),
                    false => pick(ui, grid, row.kind, &mut self.shown),
                }
            }
        }
        if hovered != ui.session.transient.hover && (hovered.is_some() || self.hovered == ui.session.transient.hover) {
            ui.send(SelectAction::Hover(hovered));
        }
        self.hovered = hovered;
    }

    /// Draws a row's name. Returns the rectangle of its arrow.
    fn name_ui(&self, ui: &Ui<'_>, skeleton: &Skeleton, row: &Row, rect: Rect, is_over: bool) -> Option<Rect> {
        let theme = ui.theme;
        let left = rect.min[0] + row.depth.min(8) as f32 * 8.0;
        match row.kind {
            RowKind::Summary => None,
            RowKind::Channel(bone, channel) => {
                let dot = [left + 24.0, rect.center()[1]];
                ui.dot(dot, 3.0, channel_color(ui, channel));
                let text = rect.with_x(left + 32.0, rect.max[0]);
                ui.text_in(text, Align::Left, theme.quiet, channel.name());
                ui.mark(|| format!("sheet-name-{bone}-{}", channel.name()), rect);
                None
            }
            RowKind::Bone(bone) => {
                let is_selected = ui.session.focus.selection.has_bone(bone);
                let is_hovered = is_over || ui.session.transient.hover == Some(bone);
                if is_selected || is_hovered {
                    ui.fill(rect, if is_selected { theme.row } else { theme.row_hovered }, 4.0);
                }
                let sign = Rect::at([left, rect.min[1]], [16.0, ROW]);
                let text = if self.open.contains(&bone) { Icon::ChevronDown } else { Icon::ChevronRight };
                ui.mark(|| format!("sheet-fold-{bone}"), sign);
                ui.mark(|| format!("sheet-name-{bone}"), rect.with_x(sign.max[0], rect.max[0]));
                {
                    let _font = ui.with_font(ui.fonts.small);
                    ui.text_in(sign, Align::Center, theme.dim, &icon(text));
                }
                let is_gone = skeleton.get(bone).is_none();
                let color = if is_gone { theme.hurt } else { theme.text };
                let name = rect.with_x(sign.max[0] + 2.0, rect.max[0]);
                ui.text_in(name, Align::Left, color, &dope_sheet::name(skeleton, bone));
                Some(sign)
            }
        }
    }

    fn fold(&mut self, ui: &Ui<'_>, grid: &Grid<'_>, bone: BoneIndex) {
        let is_open = self.open.contains(&bone);
        let all = grid.rows.iter().filter_map(|row| match row.kind {
            RowKind::Bone(bone) => Some(bone),
            _ => None,
        });
        let meant: Vec<BoneIndex> = if ui.io().key_shift { all.collect() } else { vec![bone] };
        for bone in meant {
            if is_open {
                self.open.remove(&bone);
            } else {
                self.open.insert(bone);
            }
        }
    }
}

/// Selects a bone, or the keys of a channel.
fn pick(ui: &Ui<'_>, grid: &Grid<'_>, kind: RowKind, shown: &mut Option<BoneIndex>) {
    let pick = pick_with(ui.held());
    match kind {
        RowKind::Bone(bone) if ui.model().is_some_and(|model| model.skeleton.get(bone).is_some()) => {
            *shown = Some(bone);
            ui.send(SelectAction::Bones { bones: vec![bone], pick });
        }
        kind => {
            let keys = (0..grid.clip.keyframes.len()).flat_map(|column| kind.refs(grid.clip, column)).collect();
            ui.send(SelectAction::Keys { keys, pick });
        }
    }
}

/// The colour of a channel's keys: a shade of the key colour.
pub fn channel_color(ui: &Ui<'_>, channel: Channel) -> [f32; 4] {
    match channel {
        Channel::Translation => mixed(ui.theme.keyed, ui.theme.event, 0.75),
        Channel::Rotation => ui.theme.keyed,
        Channel::Scale => mixed(ui.theme.keyed, ui.theme.hurt, 0.65),
    }
}

/// The background of a row.
fn ground(ui: &Ui<'_>, kind: RowKind) -> [f32; 4] {
    match kind {
        RowKind::Summary => faded(ui.theme.field, 0.75),
        RowKind::Bone(bone) if ui.session.focus.selection.has_bone(bone) => faded(ui.theme.row, 0.55),
        RowKind::Bone(bone) if ui.session.transient.hover == Some(bone) => faded(ui.theme.row_hovered, 0.8),
        RowKind::Bone(_) => faded(ui.theme.ground, 0.55),
        RowKind::Channel(..) => faded(ui.theme.ground, 0.25),
    }
}

/// Half the width in which a key is grabbed.
pub const REACH: f32 = widgets::ROW / 2.0 - 3.0;
