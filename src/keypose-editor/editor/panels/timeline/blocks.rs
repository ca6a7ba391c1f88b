//! Keyframes as blocks as wide as their durations: click to select, drag an edge to retime, drag a block to reorder.
//! Keyframes too narrow to read are drawn as groups (`group_block`).

use std::ops::Range;

use imgui::{MouseButton, MouseCursor, TextureId};

use crate::editor::panels::timeline::groups::Item;
use crate::editor::panels::timeline::press::Background;
use crate::editor::panels::timeline::scale::Scale;
use crate::editor::panels::ui::prelude::*;
use crate::editor::panels::ui::sys;
use crate::editor::session::shortcuts::Modifiers;
use keypose::anim::clip::{Clip, LoopMode};
use keypose::anim::time::Time;

/// Half the width in which an edge is grabbed, in points.
const EDGE: f32 = 5.0;
/// How far marks extend from the row of blocks, such as that of a draft at its start.
const MARK: f32 = 6.0;

/// A block being dragged.
#[derive(Clone, Debug, PartialEq)]
pub enum Drag {
    /// The edge: the keyframe, its original duration and the mouse position of the press.
    Retime(usize, Time, f32),
    /// The block: its keyframes and the mouse position of the press.
    Reorder(Range<usize>, f32),
}

impl Drag {
    /// The keyframe that is being retimed.
    pub fn retimed(&self) -> Option<usize> {
        match self {
            Drag::Retime(keyframe, ..) => Some(*keyframe),
            Drag::Reorder(..) => None,
        }
    }
}

/// An event of the blocks. A range is the keyframes of a block: one, or those of a group.
#[derive(Clone, Debug, PartialEq)]
pub enum BlockTouch {
    /// Clicked, with the modifier keys.
    Clicked(Range<usize>, Modifiers),
    /// A group was double-clicked: its times.
    Opened(Time, Time),
    /// The edge was pressed.
    RetimeBegun(usize),
    /// The edge is dragged: the new duration.
    Retimed(usize, Time),
    /// The edge was released.
    RetimeEnded,
    /// Dropped before the keyframe with this index, which is none of them.
    Moved(Range<usize>, usize),
    /// The button behind the last keyframe was clicked.
    Appended,
    /// Under the mouse.
    Hovered(Range<usize>),
    /// Right-clicked.
    Menu(Range<usize>),
}

/// The blocks of a clip.
pub struct Blocks<'a> {
    pub clip: &'a Clip,
    /// Keyframes and groups of keyframes, as they are drawn.
    pub items: &'a [Item],
    /// The area of the blocks.
    pub area: Rect,
    /// The time scale.
    pub scale: Scale,
    /// Which keyframes are selected.
    pub is_selected: &'a dyn Fn(usize) -> bool,
    /// The keyframe at the playhead.
    pub current: Option<usize>,
    /// The thumbnail of a keyframe.
    pub thumbnail: &'a dyn Fn(usize) -> Option<TextureId>,
    /// Whether tooltips may be shown: not while a duration is typed.
    pub has_tips: bool,
    pub drafts: &'a [Time],
}

impl Blocks<'_> {
    /// Draws the visible blocks, not beside their row: there is its name.
    pub fn ui(&self, ui: &Ui<'_>, drag: &mut Option<Drag>) -> Vec<BlockTouch> {
        let row = self.area.inset(-MARK, -MARK);
        sys::clipped(ui.imgui, row, || self.clipped_ui(ui, drag))
    }

    fn clipped_ui(&self, ui: &Ui<'_>, drag: &mut Option<Drag>) -> Vec<BlockTouch> {
        let mut touched = Vec::new();
        for item in self.items {
            let rect = self.rect(item);
            if rect.max[0] >= self.area.min[0] && rect.min[0] <= self.area.max[0] {
                self.block(ui, item, drag, &mut touched);
            }
        }
        self.edges(ui, drag, &mut touched);
        let end = self.items.last().map_or(Time::ZERO, |item| item.end);
        self.end_mark(ui, end);
        self.plus(ui, end, &mut touched);
        self.draft_marks(ui);
        self.drop_mark(ui, drag, &mut touched);
        touched
    }

    /// The rectangle of a block, on whole points.
    pub fn rect(&self, item: &Item) -> Rect {
        let (left, right) = (self.scale.x(item.start).round(), self.scale.x(item.end).round());
        self.area.with_x(left + 1.0, (right - 1.0).max(left + 3.0))
    }

    fn block(&self, ui: &Ui<'_>, item: &Item, drag: &mut Option<Drag>, touched: &mut Vec<BlockTouch>) {
        let (rect, keyframes, at) = (self.rect(item), &item.keyframes, item.keyframes.start);
        let kind = if item.is_group() { "group" } else { "block" };
        let background = Background::ui(ui, &format!("{kind}{at}"), rect);
        if background.is_pressed {
            let is_left = ui.is_mouse_down(MouseButton::Left);
            if ui.is_mouse_down(MouseButton::Right) && !is_left {
                touched.push(BlockTouch::Menu(keyframes.clone()));
            } else if is_left && ui.is_mouse_clicked(MouseButton::Left) {
                touched.push(BlockTouch::Clicked(keyframes.clone(), ui.held()));
                *drag = Some(Drag::Reorder(keyframes.clone(), ui.io().mouse_pos[0]));
            }
        }
        if item.is_group() && background.is_hovered && ui.is_mouse_double_clicked(MouseButton::Left) {
            *drag = None;
            touched.push(BlockTouch::Opened(item.start, item.end));
        }
        if item.is_group() {
            self.draw_group(ui, item, background.is_hovered)
        } else {
            self.draw_block(ui, at, rect, background.is_hovered)
        }
        if background.is_hovered {
            touched.push(BlockTouch::Hovered(keyframes.clone()));
            // Near an edge, the tooltip is that of the edge.
            let mouse = ui.io().mouse_pos[0];
            let is_at_edge = [rect.min[0], rect.max[0]].iter().any(|edge| (mouse - edge).abs() <= EDGE + 1.0);
            if drag.is_none() && self.has_tips && !is_at_edge {
                let top = self.area.min[1] - 2.0;
                match item.is_group() {
                    true => ui.tip_above(top, &self.group_tip(item), "click to select, double-click to zoom in"),
                    false => {
                        ui.tip_above(top, &self.tip(at), "type a duration, drag to reorder, drag the edge to retime");
                    }
                }
            }
        }
    }

    fn tip(&self, at: usize) -> String {
        let keyframe = &self.clip.keyframes[at];
        let frames = self.clip.frame_rate.frames_in(keyframe.duration);
        let (millis, keys) = (keyframe.duration.millis(), keyframe.keys.len());
        format!("Keyframe {}: {frames:.0} frames, {millis:.0} ms, {keys} keys", at + 1)
    }

    fn draw_block(&self, ui: &Ui<'_>, at: usize, rect: Rect, is_hovered: bool) {
        let theme = ui.theme;
        let is_selected = (self.is_selected)(at);
        let ground = match (is_selected, is_hovered) {
            (true, _) => theme.row,
            (false, true) => theme.field_hovered,
            (false, false) => theme.field,
        };
        ui.fill(rect, ground, 5.0);
        if let Some(image) = (self.thumbnail)(at) {
            draw_thumbnail(ui, rect, image);
        }
        if is_selected {
            ui.outline(rect, theme.selected, 5.0, 1.5);
        }
        self.draw_figures(ui, at, rect, is_selected);
        if rect.width() > 12.0 {
            let edge = rect.inset(1.0, 5.0).right(2.0);
            ui.fill(edge, mixed(ground, theme.dim, 0.8), 1.0);
        }
    }

    fn draw_figures(&self, ui: &Ui<'_>, at: usize, rect: Rect, is_selected: bool) {
        let theme = ui.theme;
        let inner = rect.inset(7.0, 3.0).trim_right(1.0);
        let fits = |text: &str| ui.calc_text_size(text)[0] <= inner.width();
        let _font = ui.with_font(if is_selected { ui.fonts.small_bold } else { ui.fonts.small });
        let number = (at + 1).to_string();
        if fits(&number) {
            let color = if is_selected { theme.selected } else { theme.quiet };
            ui.text_in(inner.top(16.0), Align::Left, color, &number);
        }
        let duration = frames_text(self.clip, self.clip.keyframes[at].duration);
        if fits(&duration) {
            ui.text_in(inner.bottom(16.0), Align::Right, theme.text, &duration);
        }
    }

    /// Draws the edges, after the blocks because they overlap both neighbours. A group has none: it shows no durations.
    fn edges(&self, ui: &Ui<'_>, drag: &mut Option<Drag>, touched: &mut Vec<BlockTouch>) {
        for item in self.items.iter().filter(|item| !item.is_group()) {
            let x = self.scale.x(item.end).round();
            if x >= self.area.min[0] - EDGE && x <= self.area.max[0] + EDGE {
                self.edge(ui, item.keyframes.start, x, drag, touched);
            }
        }
    }

    fn edge(&self, ui: &Ui<'_>, at: usize, x: f32, drag: &mut Option<Drag>, touched: &mut Vec<BlockTouch>) {
        let left = if at + 1 == self.clip.keyframes.len() { EDGE + 3.0 } else { EDGE };
        ui.set_cursor_screen_pos([x - left, self.area.min[1]]);
        ui.invisible_button(format!("##edge{at}"), [left + EDGE, self.area.height()]);
        ui.set_item_allow_overlap();
        ui.item(&format!("edge{at}"));
        let (is_hovered, is_active) = (ui.is_item_hovered(), ui.is_item_active());
        if ui.is_item_activated() {
            *drag = Some(Drag::Retime(at, self.clip.keyframes[at].duration, ui.io().mouse_pos[0]));
            touched.push(BlockTouch::RetimeBegun(at));
        }
        if is_hovered || is_active {
            ui.set_mouse_cursor(Some(MouseCursor::ResizeEW));
            ui.line([x - 1.0, self.area.min[1]], [x - 1.0, self.area.max[1]], ui.theme.drop, 2.0);
        }
        if is_hovered && !is_active {
            ui.tip_above(self.area.min[1] - 2.0, &format!("Duration of keyframe {}", at + 1), "drag");
        }
        match *drag {
            Some(Drag::Retime(dragged, before, from)) if is_active && dragged == at => {
                touched.push(BlockTouch::Retimed(at, self.retimed(ui, at, before, from)));
            }
            _ => {}
        }
        if ui.is_item_deactivated() {
            *drag = None;
            touched.push(BlockTouch::RetimeEnded);
        }
    }

    /// The new duration: whole frames unless Ctrl is down, at least one frame.
    fn retimed(&self, ui: &Ui<'_>, at: usize, before: Time, from: f32) -> Time {
        let rate = self.clip.frame_rate;
        let wanted = before + self.scale.span(ui.io().mouse_pos[0] - from);
        if ui.io().key_ctrl {
            return wanted.max(Time::from_millis(1.0));
        }
        // Snaps the end, because the start may be off the grid.
        let start = self.clip.start_of(at);
        (rate.snap(start + wanted) - start).max(rate.frame())
    }

    /// Draws the loop mode behind the last keyframe.
    fn end_mark(&self, ui: &Ui<'_>, end: Time) {
        let x = self.scale.x(end) + 4.0;
        let sign = match self.clip.loop_mode {
            LoopMode::Loop => Icon::CornerDownLeft,
            LoopMode::PingPong => Icon::ArrowLeftRight,
            LoopMode::Once => return,
        };
        let rect = self.area.with_x(x, x + 20.0);
        ui.text_in(rect, Align::Left, ui.theme.quiet, &icon(sign));
    }

    /// Draws the button behind the last keyframe, which appends one.
    fn plus(&self, ui: &Ui<'_>, end: Time, touched: &mut Vec<BlockTouch>) {
        let left = self.scale.x(end) + if self.clip.loop_mode == LoopMode::Once { 8.0 } else { 28.0 };
        let rect = Rect::around([left + 14.0, self.area.center()[1]], [28.0, 28.0]);
        if rect.min[0] < self.area.min[0] || rect.max[0] > self.area.max[0] {
            return;
        }
        ui.set_cursor_screen_pos(rect.min);
        if ui.invisible_button("##append", rect.size()) {
            touched.push(BlockTouch::Appended);
        }
        ui.item("append");
        let ink = if ui.is_item_hovered() { ui.theme.text } else { ui.theme.dim };
        if ui.is_item_hovered() {
            ui.fill(rect, ui.theme.field, 5.0);
        }
        ui.outline(rect, faded(ui.theme.dim, 0.6), 5.0, 1.0);
        ui.text_in(rect, Align::Center, ink, &icon(Icon::Plus));
        ui.tip("Append a keyframe with the current pose", "");
    }

    fn draft_marks(&self, ui: &Ui<'_>) {
        for time in self.drafts {
            let x = self.scale.x(*time);
            if x >= self.area.min[0] - 6.0 && x <= self.area.max[0] + 6.0 {
                let y = self.area.max[1] - 1.0;
                let points = vec![[x - 6.0, y + 1.0], [x, y - 9.0], [x + 6.0, y + 1.0]];
                ui.draw().add_polyline(points, ui.theme.draft).filled(true).build();
            }
        }
    }

    /// Shows the drop position during a drag and reports the move at its end.
    fn drop_mark(&self, ui: &Ui<'_>, drag: &mut Option<Drag>, touched: &mut Vec<BlockTouch>) {
        let Some(Drag::Reorder(dragged, from)) = drag.clone() else { return };
        let mouse = ui.io().mouse_pos[0];
        let is_far = (mouse - from).abs() > 8.0;
        let (place, start) = self.place_at(mouse);
        if !ui.is_mouse_down(MouseButton::Left) {
            *drag = None;
            if is_far && place != dragged.end && !dragged.contains(&place) {
                touched.push(BlockTouch::Moved(dragged, place));
            }
        } else if is_far {
            let x = self.scale.x(start).round();
            ui.line([x, self.area.min[1] - 3.0], [x, self.area.max[1] + 3.0], ui.theme.drop, 3.0);
            let duration: Time = dragged.filter_map(|at| Some(self.clip.keyframes.get(at)?.duration)).sum();
            let half = (self.scale.x(duration) - self.scale.zero) / 2.0;
            let ghost = self.area.inset(0.0, 4.0).with_x(mouse - half, mouse + half);
            ui.fill(ghost, faded(ui.theme.drop, 0.25), 5.0);
        }
    }

    /// The gap between blocks nearest to an x: the keyframe behind it, and its time.
    fn place_at(&self, x: f32) -> (usize, Time) {
        let is_left = |item: &&Item| (self.scale.x(item.start) + self.scale.x(item.end)) / 2.0 < x;
        let before = self.items.iter().take_while(is_left).last();
        before.map_or((0, Time::ZERO), |item| (item.keyframes.end, item.end))
    }
}

/// Draws a thumbnail, cropped evenly at both sides.
pub fn draw_thumbnail(ui: &Ui<'_>, rect: Rect, image: TextureId) {
    let side = rect.height() - 4.0;
    let width = side.min(rect.width() - 6.0);
    if width < 12.0 {
        return;
    }
    let crop = (1.0 - width / side) / 2.0;
    let x = rect.min[0] + ((rect.width() - width) / 2.0).clamp(3.0, 18.0);
    let at = Rect::at([x, rect.min[1] + 2.0], [width, side]);
    ui.draw().add_image(image, at.min, at.max).uv_min([crop, 1.0]).uv_max([1.0 - crop, 0.0]).build();
}

/// A duration in frames: "4f", "4.5f".
pub fn frames_text(clip: &Clip, time: Time) -> String {
    let frames = clip.frame_rate.frames_in(time);
    if (frames - frames.round()).abs() < 0.01 { format!("{frames:.0}f") } else { format!("{frames:.1}f") }
}
