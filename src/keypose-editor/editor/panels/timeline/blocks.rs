//! Keyframes as blocks as wide as their durations: click to select, drag an edge to retime, drag a block to reorder.
//! Keyframes too narrow to read are drawn as groups (`group_block`).

use std::ops::Range;

use crate::editor::ops::time_text;
use crate::editor::panels::timeline::groups::{self, Item};
use crate::editor::panels::timeline::panel::{ClipLayout, Thumbnail};
use crate::editor::panels::timeline::press::Background;
use crate::editor::panels::timeline::strip::{PoseStrip, retime, select, select_only};
use crate::editor::panels::ui::prelude::*;
use crate::editor::state::action::KeyframeAction;
use keypose::anim::clip::{KeyframeKind, LoopMode};

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

/// The blocks of a clip.
pub struct Blocks<'a> {
    pub layout: &'a ClipLayout<'a>,
    /// Keyframes and groups of keyframes, as they are drawn.
    pub items: &'a [Item],
    /// The area of the blocks.
    pub area: Rect,
    pub thumbnail: Thumbnail<'a>,
}

impl Blocks<'_> {
    /// Draws the visible blocks, not beside their row: there is its name.
    pub fn ui(&self, ui: &Ui<'_>, strip: &mut PoseStrip) {
        let row = self.area.inset(-MARK, -MARK);
        sys::clipped(ui.imgui, row, || self.clipped_ui(ui, strip));
    }

    fn clipped_ui(&self, ui: &Ui<'_>, strip: &mut PoseStrip) {
        for item in self.visible() {
            self.block(ui, item, strip);
        }
        self.edges(ui, strip);
        let end = self.items.last().map_or(Time::ZERO, |item| item.end);
        self.end_mark(ui, end);
        self.plus(ui, end);
        self.draft_marks(ui);
        self.drop_mark(ui, strip);
    }

    /// The blocks whose edges may be seen.
    fn visible(&self) -> &[Item] {
        let [from, to] = [self.area.min[0] - EDGE, self.area.max[0] + EDGE].map(|x| self.layout.scale.time(x));
        groups::between(self.items, from, to)
    }

    /// The rectangle of a block, on whole points.
    pub fn rect(&self, item: &Item) -> Rect {
        let (left, right) = (self.layout.scale.x(item.start).round(), self.layout.scale.x(item.end).round());
        self.area.with_x(left + 1.0, (right - 1.0).max(left + 3.0))
    }

    fn block(&self, ui: &Ui<'_>, item: &Item, strip: &mut PoseStrip) {
        let (rect, keyframes, at) = (self.rect(item), &item.keyframes, item.keyframes.start);
        let kind = if item.is_group() { "group" } else { "block" };
        let background = Background::ui(ui, &format!("{kind}{at}"), rect);
        if background.is_pressed {
            let is_left = ui.is_mouse_down(MouseButton::Left);
            if ui.is_mouse_down(MouseButton::Right) && !is_left {
                strip.open_menu(ui, keyframes);
            } else if is_left && ui.is_mouse_clicked(MouseButton::Left) {
                select(ui, self.items, keyframes);
                strip.drag = Some(Drag::Reorder(keyframes.clone(), ui.io().mouse_pos[0]));
            }
        }
        if item.is_group() && background.is_hovered && ui.is_mouse_double_clicked(MouseButton::Left) {
            strip.drag = None;
            strip.wanted_times = Some((item.start, item.end));
        }
        if item.is_group() {
            self.draw_group(ui, item, background.is_hovered)
        } else {
            self.draw_block(ui, at, rect, background.is_hovered)
        }
        if background.is_hovered {
            strip.hovered = keyframes.clone();
            // Near an edge, the tooltip is that of the edge.
            let mouse = ui.io().mouse_pos[0];
            let is_at_edge = [rect.min[0], rect.max[0]].iter().any(|edge| (mouse - edge).abs() <= EDGE + 1.0);
            if strip.drag.is_none() && ui.editor.typed().is_none() && !is_at_edge {
                let (tip, hint) = if item.is_group() {
                    (self.group_tip(item), "click to select, double-click to zoom in")
                } else {
                    (self.tip(at), "type a duration, drag to reorder, drag the edge to retime")
                };
                ui.tip_above(self.area.min[1] - 2.0, &tip, hint);
            }
        }
    }

    fn tip(&self, at: usize) -> String {
        let keyframe = &self.layout.clip.keyframes[at];
        let frames = self.layout.clip.frame_rate.frames_in(keyframe.duration);
        let (millis, keys) = (keyframe.duration.millis(), keyframe.keys.len());
        let kind = kind_text(keyframe.kind);
        format!("Keyframe {}{kind}: {frames:.0} frames, {millis:.0} ms, {keys} keys", at + 1)
    }

    fn draw_block(&self, ui: &Ui<'_>, at: usize, rect: Rect, is_hovered: bool) {
        let theme = ui.theme;
        let is_selected = ui.session.focus.selection.keyframes.contains(&at);
        let ground = block_ground(ui, is_selected, is_hovered);
        ui.fill(rect, ground, 5.0);
        if let Some(image) = (self.thumbnail)(at) {
            draw_thumbnail(ui, rect, image);
        }
        if is_selected {
            ui.outline(rect, theme.selected, 5.0, 1.5);
        }
        draw_kind(ui, rect, self.layout.clip.keyframes[at].kind);
        self.draw_figures(ui, at, rect, is_selected);
        if rect.width() > 12.0 {
            let edge = rect.inset(1.0, 5.0).right(2.0);
            ui.fill(edge, mixed(ground, theme.dim, 0.8), 1.0);
        }
    }

    fn draw_figures(&self, ui: &Ui<'_>, at: usize, rect: Rect, is_selected: bool) {
        let theme = ui.theme;
        // A block of one frame has little room beside its figures.
        let margin = if rect.width() < 40.0 { 3.0 } else { 7.0 };
        let inner = rect.inset(margin, 3.0);
        let _font = ui.with_font(if is_selected { ui.fonts.small_bold } else { ui.fonts.small });
        let number = (at + 1).to_string();
        let color = if is_selected { theme.selected } else { theme.text };
        on_edge(ui, rect, inner.top(16.0), Align::Left, color, &number);
        let clip = self.layout.clip;
        let duration = time_text::frames(clip.keyframes[at].duration, clip.frame_rate);
        on_edge(ui, rect, inner.bottom(16.0), Align::Right, theme.text, &format!("{duration}f"));
    }

    /// Draws the edges, after the blocks because they overlap both neighbours. A group has none: it shows no durations.
    fn edges(&self, ui: &Ui<'_>, strip: &mut PoseStrip) {
        for item in self.visible().iter().filter(|item| !item.is_group()) {
            let x = self.layout.scale.x(item.end).round();
            if x >= self.area.min[0] - EDGE && x <= self.area.max[0] + EDGE {
                self.edge(ui, item.keyframes.start, x, strip);
            }
        }
    }

    fn edge(&self, ui: &Ui<'_>, at: usize, x: f32, strip: &mut PoseStrip) {
        let clip = self.layout.clip;
        let left = if at + 1 == clip.keyframes.len() { EDGE + 3.0 } else { EDGE };
        ui.button_in(&format!("edge{at}"), self.area.with_x(x - left, x + EDGE));
        ui.set_item_allow_overlap();
        let (is_hovered, is_active) = (ui.is_item_hovered(), ui.is_item_active());
        if ui.is_item_activated() {
            strip.drag = Some(Drag::Retime(at, clip.keyframes[at].duration, ui.io().mouse_pos[0]));
            strip.fixed_scale = Some(self.layout.scale);
            select_only(ui, at..at + 1);
            ui.send(DocumentAction::Begin { label: "Set duration".into() });
        }
        if is_hovered || is_active {
            ui.set_mouse_cursor(Some(MouseCursor::ResizeEW));
            ui.line([x - 1.0, self.area.min[1]], [x - 1.0, self.area.max[1]], ui.theme.drop, 2.0);
        }
        if is_hovered && !is_active {
            ui.tip_above(self.area.min[1] - 2.0, &format!("Duration of keyframe {}", at + 1), "drag");
        }
        match strip.drag {
            Some(Drag::Retime(dragged, before, from)) if is_active && dragged == at => {
                retime(ui, self.layout, at, self.retimed(ui, at, before, from));
            }
            _ => {}
        }
        if ui.is_item_deactivated() {
            (strip.drag, strip.fixed_scale) = (None, None);
            ui.send(DocumentAction::Commit);
        }
    }

    /// The new duration: with Snap on whole frames, at least one. Ctrl does the opposite.
    fn retimed(&self, ui: &Ui<'_>, at: usize, before: Time, from: f32) -> Time {
        let rate = self.layout.clip.frame_rate;
        let wanted = before + self.layout.scale.span(ui.io().mouse_pos[0] - from);
        if ui.session.is_on(Switch::SnapTime) == ui.io().key_ctrl {
            return wanted.max(Time::from_millis(1.0));
        }
        // Snaps the end, because the start may be off the grid.
        let start = self.layout.clip.start_of(at);
        (rate.snap(start + wanted) - start).max(rate.frame())
    }

    /// Draws the loop mode behind the last keyframe.
    fn end_mark(&self, ui: &Ui<'_>, end: Time) {
        let x = self.layout.scale.x(end) + 4.0;
        let sign = match self.layout.clip.loop_mode {
            LoopMode::Loop => Icon::CornerDownLeft,
            LoopMode::PingPong => Icon::ArrowLeftRight,
            LoopMode::Once => return,
        };
        let rect = self.area.with_x(x, x + 20.0);
        ui.text_in(rect, Align::Left, ui.theme.quiet, &icon(sign));
    }

    /// Draws the button behind the last keyframe, which appends one.
    fn plus(&self, ui: &Ui<'_>, end: Time) {
        let clip = self.layout.clip;
        let left = self.layout.scale.x(end) + if clip.loop_mode == LoopMode::Once { 8.0 } else { 28.0 };
        let rect = Rect::around([left + 14.0, self.area.center()[1]], [28.0, 28.0]);
        if rect.min[0] < self.area.min[0] || rect.max[0] > self.area.max[0] {
            return;
        }
        if ui.button_in("append", rect) {
            ui.send(KeyframeAction::Extend);
        }
        let ink = if ui.is_item_hovered() { ui.theme.text } else { ui.theme.dim };
        if ui.is_item_hovered() {
            ui.fill(rect, ui.theme.field, 5.0);
        }
        ui.outline(rect, faded(ui.theme.dim, 0.6), 5.0, 1.0);
        ui.text_in(rect, Align::Center, ink, &icon(Icon::Plus));
        ui.tip("Append a keyframe with the current pose", "");
    }

    fn draft_marks(&self, ui: &Ui<'_>) {
        let drafts = ui.model().into_iter().flat_map(|model| &model.drafts);
        for draft in drafts.filter(|draft| draft.clip == Some(self.layout.id)) {
            let x = self.layout.scale.x(draft.time);
            if x >= self.area.min[0] - 6.0 && x <= self.area.max[0] + 6.0 {
                let y = self.area.max[1] - 1.0;
                let points = vec![[x - 6.0, y + 1.0], [x, y - 9.0], [x + 6.0, y + 1.0]];
                ui.draw().add_polyline(points, ui.theme.draft).filled(true).build();
            }
        }
    }

    /// Shows the drop position during a drag and moves the keyframes at its end.
    fn drop_mark(&self, ui: &Ui<'_>, strip: &mut PoseStrip) {
        let Some(Drag::Reorder(dragged, from)) = strip.drag.clone() else { return };
        let (mouse, scale) = (ui.io().mouse_pos[0], &self.layout.scale);
        let is_far = (mouse - from).abs() > 8.0;
        let (place, start) = self.place_at(mouse);
        if !ui.is_mouse_down(MouseButton::Left) {
            strip.drag = None;
            if is_far && place != dragged.end && !dragged.contains(&place) {
                ui.send(KeyframeAction::Reorder { keyframes: dragged, before: place });
            }
        } else if is_far {
            let x = scale.x(start).round();
            ui.line([x, self.area.min[1] - 3.0], [x, self.area.max[1] + 3.0], ui.theme.drop, 3.0);
            let keyframes = &self.layout.clip.keyframes;
            let duration: Time = dragged.filter_map(|at| Some(keyframes.get(at)?.duration)).sum();
            let half = (scale.x(duration) - scale.zero) / 2.0;
            let ghost = self.area.inset(0.0, 4.0).with_x(mouse - half, mouse + half);
            ui.fill(ghost, faded(ui.theme.drop, 0.25), 5.0);
        }
    }

    /// The gap between blocks nearest to an x: the keyframe behind it, and its time.
    fn place_at(&self, x: f32) -> (usize, Time) {
        let is_left = |item: &&Item| self.rect(item).center()[0] < x;
        let before = self.items.iter().take_while(is_left).last();
        before.map_or((0, Time::ZERO), |item| (item.keyframes.end, item.end))
    }
}

/// Draws the mark of a kind of keyframe along the top of its block: a strong band for an extreme, a thin pale one for a breakdown.
pub fn draw_kind(ui: &Ui<'_>, block: Rect, kind: KeyframeKind) {
    let Some(color) = kind_color(ui, kind) else { return };
    let height = if kind == KeyframeKind::Extreme { 5.0 } else { 3.0 };
    ui.fill(block.top(height).inset(1.0, 0.0), color, 2.0);
}

/// The colour of a kind of keyframe; `None` for plain ones.
pub fn kind_color(ui: &Ui<'_>, kind: KeyframeKind) -> Option<Color> {
    match kind {
        KeyframeKind::Plain => None,
        KeyframeKind::Extreme => Some(ui.theme.extreme),
        KeyframeKind::Breakdown => Some(faded(ui.theme.breakdown, 0.75)),
    }
}

/// The kind of a keyframe after its number: ", extreme".
fn kind_text(kind: KeyframeKind) -> String {
    if kind == KeyframeKind::Plain { String::new() } else { format!(", {}", kind.name()) }
}

/// The background of a block.
pub fn block_ground(ui: &Ui<'_>, is_selected: bool, is_hovered: bool) -> Color {
    match (is_selected, is_hovered) {
        (true, _) => ui.theme.row,
        (false, true) => ui.theme.field_hovered,
        (false, false) => ui.theme.field,
    }
}

/// Draws a figure in a block over a dark edge, so that it reads over the picture, if it has room.
pub fn on_edge(ui: &Ui<'_>, block: Rect, place: Rect, align: Align, color: Color, text: &str) {
    let width = ui.calc_text_size(text)[0];
    if width > block.width() - 4.0 {
        return;
    }
    let place = if width > place.width() { block.inset(2.0, 0.0).with_y(place.min[1], place.max[1]) } else { place };
    let edge = if align == Align::Left { place.left(width) } else { place.right(width) };
    ui.fill(edge.inset(-3.0, 1.0), faded(ui.theme.panel, 0.78), 3.0);
    ui.text_in(place, align, color, text);
}

/// Draws a thumbnail at the left of a block, as high as it is and cropped evenly at both sides.
pub fn draw_thumbnail(ui: &Ui<'_>, rect: Rect, image: TextureId) {
    let side = rect.height() - 2.0;
    let width = side.min(rect.width() - 3.0);
    if width < 12.0 {
        return;
    }
    let crop = (1.0 - width / side) / 2.0;
    let at = Rect::at([rect.min[0] + 1.0, rect.min[1] + 1.0], [width, side]);
    ui.draw().add_image(image, at.min, at.max).uv_min([crop, 1.0]).uv_max([1.0 - crop, 0.0]).build();
}
