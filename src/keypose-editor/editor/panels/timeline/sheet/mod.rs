//! The dope sheet: a row for all keys, one per bone in the order of the tree, and one per keyed channel of expanded
//! bones. Only visible rows are processed.

use crate::editor::ops::curves::channel_id;
use crate::editor::ops::time_text;
use std::collections::BTreeSet;

use crate::editor::panels::timeline::panel::{ClipLayout, playhead_line};
use crate::editor::panels::timeline::press::{Background, KeyMouse, pick_with};
use crate::editor::panels::timeline::scale::Scale;
use crate::editor::panels::ui::prelude::*;
use crate::editor::view::cache::Cache;
use crate::editor::view::dope_sheet;
use crate::editor::view::dope_sheet::{Keyed, Row, RowKind};
use keypose::assets::recent::ByAddress;

mod draw;
mod mouse;

use mouse::{PressedKeys, SheetArea};

/// Height of a row.
pub const ROW: f32 = 20.0;

#[derive(Debug, Default)]
pub struct DopeSheet {
    open: BTreeSet<BoneIndex>,
    keyed: Cache<ByAddress<Clip>, Keyed, 1>,
    mouse: KeyMouse<PressedKeys>,
    shown: Option<BoneIndex>,
    hovered: Option<BoneIndex>,
}

impl DopeSheet {
    /// Cancels a press or selection box. Returns whether there was one.
    pub fn cancel(&mut self) -> bool {
        self.mouse.cancel()
    }

    /// The state for another clip: expanded rows stay expanded.
    pub fn for_another_clip(self) -> DopeSheet {
        DopeSheet { open: self.open, ..DopeSheet::default() }
    }

    /// Draws the dope sheet.
    pub fn ui(&mut self, ui: &Ui<'_>, layout: &ClipLayout<'_>) {
        let Some(model) = ui.model() else { return };
        let mut grid = self.grid(ui, layout, &model.skeleton);
        let names = grid.summary.with_x(layout.left, grid.summary.min[0] - 4.0);
        ui.text_in(names, Align::Left, ui.theme.quiet, "All keys");
        let mut background = Background::ui(ui, "sheet-summary", grid.summary);
        draw::row(ui, &grid, 0);
        ui.set_cursor_screen_pos([layout.left, grid.body.min[1]]);
        let below = ui.rest().max[1] - grid.body.max[1];
        widgets::scrolled(ui, "##sheet", below, || {
            let names = grid.body.with_x(layout.left, grid.body.min[0] - 4.0);
            background = background.or(self.rows_ui(ui, layout, &mut grid, names));
        });
        self.mouse.ui(ui, &SheetArea::ui(ui, &grid), background);
    }

    fn grid<'a>(&self, ui: &Ui<'_>, layout: &ClipLayout<'a>, skeleton: &Skeleton) -> Grid<'a> {
        let keyed = self.keyed.get(layout.clip.into(), || Keyed::of(layout.clip));
        let bones = dope_sheet::bones(skeleton, &keyed, ui.session);
        let rows = dope_sheet::rows(&bones, &keyed, &self.open);
        // Keys at time zero can be grabbed from both sides.
        let mut body = layout.area.trim_left(-REACH);
        let summary = body.cut_top(ROW, 2.0);
        let starts = layout.clip.starts().collect();
        Grid { clip: layout.clip, starts, scale: layout.scale, rows, summary, body, top: body.min[1] }
    }

    /// Draws the scrolled rows.
    fn rows_ui(&mut self, ui: &Ui<'_>, layout: &ClipLayout<'_>, grid: &mut Grid<'_>, names: Rect) -> Background {
        let Some(model) = ui.model() else { return Background::default() };
        let (top, width) = (ui.cursor_screen_pos(), ui.content_region_avail()[0]);
        grid.top = top[1];
        grid.body.max[0] = grid.body.max[0].min(top[0] + width);
        self.show_active(ui, grid);
        self.names_ui(ui, &model.skeleton, grid, names);
        let background = Background::ui(ui, "sheet-keys", grid.body);
        for at in grid.rows_between(grid.body.min[1], grid.body.max[1]) {
            draw::row(ui, grid, at);
        }
        playhead_line(ui, layout, grid.body.min[1], grid.body.max[1]);
        ui.set_cursor_screen_pos(top);
        ui.dummy([1.0, (grid.rows.len() - 1) as f32 * ROW + 2.0]);
        if grid.rows.len() == 1 {
            let text = if ui.session.focus.timing.filter.is_empty() {
                "No bones to show."
            } else {
                "No bone matches the filter."
            };
            ui.text_in(names.top(ROW).with_x(names.min[0], grid.body.max[0]), Align::Left, ui.theme.quiet, text);
        }
        background
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
        let is_hovered = Background::ui(ui, "sheet-names", names).is_hovered;
        let is_clicked = ui.is_item_clicked();
        let mouse = ui.io().mouse_pos;
        let mut hovered = None;
        for at in grid.rows_between(names.min[1], names.max[1]).filter(|at| *at > 0) {
            let row = grid.rows[at];
            let rect = grid.row(at).with_x(names.min[0], names.max[0]);
            let is_over = is_hovered && rect.contains(mouse);
            let (RowKind::Bone(bone) | RowKind::Channel(bone, _)) = row.kind else { continue };
            hovered = if is_over { Some(bone) } else { hovered };
            let arrow = self.name_ui(ui, skeleton, &row, rect, is_over);
            if is_clicked && is_over {
                if arrow.is_some_and(|arrow| arrow.contains(mouse)) {
                    self.fold(ui, grid, bone)
                } else {
                    pick(ui, grid, row.kind, &mut self.shown)
                }
            }
        }
        ui.send_hover(&mut self.hovered, hovered);
    }

    /// Draws a row's name. Returns the rectangle of its arrow.
    fn name_ui(&self, ui: &Ui<'_>, skeleton: &Skeleton, row: &Row, rect: Rect, is_over: bool) -> Option<Rect> {
        let indented = rect.trim_left(row.depth.min(8) as f32 * 8.0);
        match row.kind {
            RowKind::Summary => None,
            RowKind::Channel(bone, channel) => {
                ui.dot([indented.min[0] + 24.0, rect.center()[1]], 3.0, channel_color(ui, channel));
                ui.text_in(indented.trim_left(32.0), Align::Left, ui.theme.quiet, skeleton.channel_name(channel));
                ui.mark(|| format!("sheet-name-{bone}-{}", channel_id(channel)), rect);
                None
            }
            RowKind::Bone(bone) => {
                let is_hovered = is_over || ui.session.transient.hover == Some(bone);
                ui.row_ground(rect, ui.session.focus.selection.has_bone(bone), is_hovered);
                Some(self.bone_name_ui(ui, skeleton, bone, indented))
            }
        }
    }

    /// Draws a bone's name and the arrow before it. Returns the rectangle of the arrow.
    fn bone_name_ui(&self, ui: &Ui<'_>, skeleton: &Skeleton, bone: BoneIndex, mut place: Rect) -> Rect {
        let arrow = place.cut_left(16.0, 0.0);
        let sign = if self.open.contains(&bone) { Icon::ChevronDown } else { Icon::ChevronRight };
        ui.mark(|| format!("sheet-fold-{bone}"), arrow);
        ui.mark(|| format!("sheet-name-{bone}"), place);
        ui.text_in_font(ui.fonts.small, arrow, Align::Center, ui.theme.dim, &icon(sign));
        let color = if skeleton.get(bone).is_none() { ui.theme.hurt } else { ui.theme.text };
        let by = ui.clip().map_or(Time::ZERO, |clip| clip.delay_of(bone));
        if let Some(clip) = ui.clip().filter(|_| by != Time::ZERO) {
            let sign = if by > Time::ZERO { "+" } else { "" };
            let text = format!("{sign}{}", time_text::print(by, clip.frame_rate));
            let label = place.cut_right(ui.calc_text_size(&text)[0] + 6.0, 0.0);
            ui.mark(|| format!("sheet-delay-{bone}"), label);
            ui.text_in(label, Align::Left, ui.theme.draft, &text);
        }
        ui.name_in(place.trim_left(2.0), color, &dope_sheet::name(skeleton, bone));
        arrow
    }

    fn fold(&mut self, ui: &Ui<'_>, grid: &Grid<'_>, bone: BoneIndex) {
        let is_open = self.open.contains(&bone);
        let all = grid.rows.iter().filter_map(|row| match row.kind {
            RowKind::Bone(bone) => Some(bone),
            _ => None,
        });
        let folded: Vec<BoneIndex> = if ui.io().key_shift { all.collect() } else { vec![bone] };
        for bone in folded {
            if is_open {
                self.open.remove(&bone);
            } else {
                self.open.insert(bone);
            }
        }
    }
}

/// The rows on the screen.
pub struct Grid<'a> {
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
        Channel::Scalar(_) => mixed(ui.theme.keyed, ui.theme.accent, 0.75),
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
