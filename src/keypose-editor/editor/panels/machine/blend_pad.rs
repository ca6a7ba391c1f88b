//! The pad of a blend: its points, which can be dragged, and a cross for the preview's parameters.

use glam::Vec2;

use crate::editor::panels::ui::prelude::*;
use crate::editor::session::machine::{MachineAction, Picked};

/// Height of the pad of a 1D blend.
const LINE_HEIGHT: f32 = 44.0;
/// Maximum side of the pad of a 2D blend.
const MAX_SIDE: f32 = 220.0;
/// Margin around the displayed range, in points.
const MARGIN: f32 = 8.0;
/// Distance within which a point is grabbed, in points.
const REACH: f32 = 11.0;

/// A drag in the pad. The displayed range doesn't change during it.
#[derive(Clone, Copy, Debug)]
pub struct PadDrag {
    /// The dragged point; `None` for the cross.
    point: Option<usize>,
    low: Vec2,
    high: Vec2,
}

/// The area in which points are dragged.
pub struct Pad<'a> {
    rect: Rect,
    low: Vec2,
    high: Vec2,
    /// The parameter of each axis: one or two.
    parameters: &'a [String],
    places: &'a [Vec2],
    drag: Option<PadDrag>,
}

impl<'a> Pad<'a> {
    /// The pad at the cursor, with a margin around the points.
    pub fn at_cursor(ui: &Ui<'_>, parameters: &'a [String], places: &'a [Vec2], drag: Option<PadDrag>) -> Pad<'a> {
        let width = ui.content_region_avail()[0];
        let is_line = parameters.len() == 1;
        let size = if is_line { [width, LINE_HEIGHT] } else { [width.min(MAX_SIDE); 2] };
        let low = places.iter().copied().reduce(Vec2::min).unwrap_or_default();
        let high = places.iter().copied().reduce(Vec2::max).unwrap_or_default();
        let room = ((high - low) * 0.25).max(Vec2::splat(0.25));
        let low = if is_line && low.x >= 0.0 { low.min(Vec2::ZERO) } else { low - room };
        let (low, high) = drag.map_or((low, high + room), |drag| (drag.low, drag.high));
        Pad { rect: Rect::at(ui.cursor_screen_pos(), size), low, high, parameters, places, drag }
    }

    fn is_line(&self) -> bool {
        self.parameters.len() == 1
    }

    fn screen(&self, place: Vec2) -> [f32; 2] {
        let part = (place - self.low) / (self.high - self.low);
        let inner = self.rect.shrunk(MARGIN);
        let y = if self.is_line() { 0.5 } else { 1.0 - part.y };
        [inner.min[0] + part.x * inner.width(), inner.min[1] + y * inner.height()]
    }

    fn place(&self, at: [f32; 2]) -> Vec2 {
        let inner = self.rect.shrunk(MARGIN);
        let x = (at[0] - inner.min[0]) / inner.width();
        let y = 1.0 - (at[1] - inner.min[1]) / inner.height();
        self.low + (self.high - self.low) * Vec2::new(x.clamp(0.0, 1.0), y.clamp(0.0, 1.0))
    }

    /// Draws the axes, the points with their weights, and the cross.
    pub fn draw(&self, ui: &Ui<'_>) {
        ui.fill(self.rect, ui.theme.ground, 5.0);
        let (inner, [x, y]) = (self.rect.shrunk(6.0), self.rect.center());
        let axis = faded(ui.theme.dim, 0.6);
        ui.line([inner.min[0], y], [inner.max[0], y], axis, 1.0);
        if !self.is_line() {
            ui.line([x, inner.min[1]], [x, inner.max[1]], axis, 1.0);
        }
        self.draw_points(ui);
        self.draw_cross(ui);
    }

    fn draw_points(&self, ui: &Ui<'_>) {
        let machine = &ui.session.focus.machine;
        let preview = ui.session.transient.pose.machine().map(|preview| &preview.machine);
        let playing = preview.filter(|preview| *machine == Picked::State(preview.state_name().to_owned()));
        for (at, place) in self.places.iter().enumerate() {
            let weight = playing.and_then(|playing| playing.weights().get(at).copied()).unwrap_or(0.0);
            let center = self.screen(*place);
            if weight > 0.0 {
                ui.dot(center, 6.0 + 6.0 * weight, faded(ui.theme.keyed, 0.35));
            }
            ui.diamond(center, 6.0, ui.theme.accent, true);
            let _font = ui.with_font(ui.fonts.small);
            let text = Rect::around([center[0], center[1] - 14.0], [40.0, 14.0]);
            ui.text_in(text, Align::Center, ui.theme.quiet, &(at + 1).to_string());
        }
    }

    /// Draws the cross at the preview's parameters.
    fn draw_cross(&self, ui: &Ui<'_>) {
        let Some(preview) = ui.session.transient.pose.machine() else { return };
        let value = |name: Option<&String>| name.and_then(|name| preview.value(name));
        if let (Some(x), Some(y)) = (value(self.parameters.first()), value(self.parameters.last())) {
            let [x, y] = self.screen(Vec2::new(x, y).clamp(self.low, self.high));
            ui.line([x - 7.0, y], [x + 7.0, y], ui.theme.keyed, 2.0);
            ui.line([x, y - 7.0], [x, y + 7.0], ui.theme.keyed, 2.0);
        }
    }

    /// Returns the drag that continues, and the moved point. A drag beside the points sets the preview's parameters.
    pub fn moved(&self, ui: &Ui<'_>) -> (Option<PadDrag>, Option<(Touch, usize, Vec2)>) {
        ui.set_cursor_screen_pos(self.rect.min);
        ui.invisible_button("##pad", self.rect.size());
        ui.item("blend-pad");
        let touch = widgets::touch(ui);
        ui.tip("Drag a point to move it; drag elsewhere to set the preview", "");
        ui.end_at([self.rect.min[0], self.rect.max[1] + 6.0]);
        let mouse = ui.io().mouse_pos;
        let begun = || PadDrag { point: self.point_at(mouse), low: self.low, high: self.high };
        let Some(drag) = touch.is_begun.then(begun).or(self.drag) else { return (None, None) };
        let kept = (!touch.is_ended && ui.is_mouse_down(MouseButton::Left)).then_some(drag);
        let Some(point) = drag.point.filter(|point| *point < self.places.len()) else {
            for (parameter, value) in self.parameters.iter().zip(self.place(mouse).to_array()) {
                ui.send(MachineAction::Set(parameter.clone(), value));
            }
            return (kept, None);
        };
        let is_changed = ui.io().mouse_delta != [0.0; 2] && !touch.is_begun;
        (kept, Some((Touch { is_changed, ..touch }, point, self.place(mouse))))
    }

    /// The point under the mouse.
    fn point_at(&self, mouse: [f32; 2]) -> Option<usize> {
        let distances = self.places.iter().map(|place| Vec2::from(self.screen(*place)).distance(Vec2::from(mouse)));
        let near = distances.enumerate().filter(|(_, distance)| *distance < REACH);
        near.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(at, _)| at)
    }
}
