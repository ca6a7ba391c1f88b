//! Strokes of the brush of the rig mode: dabs along the way of the mouse, or a gradient along a line.

use glam::{Vec2, Vec3};

use crate::editor::document::edit::{Label, ModelEdit};
use crate::editor::gesture::screen::Screen;
use crate::editor::gesture::{Drag, end};
use crate::editor::posing::change::Change;
use crate::editor::session::Session;
use crate::editor::session::paint::{BrushSettings, BrushSpot};
use crate::editor::session::pointer::{ModalKey, PointerEvent};
use keypose_tools::rig::paint::{Action, Canvas, Shape, Stroke};

/// The distance between two dabs, as a part of the radius.
const SPACING: f32 = 0.25;
/// Maximum number of dabs of one move of the mouse. The way of a longer one has gaps.
const MAX_DABS: usize = 64;

/// A stroke that the mouse paints.
#[derive(Clone, Debug)]
pub struct PaintDrag {
    model: usize,
    stroke: Stroke,
    brush: BrushSettings,
    /// The pixels of the start and of the last dab.
    pixels: [Vec2; 2],
    /// Why the last dab failed.
    error: Option<String>,
}

/// The brush over a pixel.
pub fn over(session: &Session, canvas: &Canvas, shape: &Shape, radius: f32, pixel: Vec2) -> Option<BrushSpot> {
    let screen = Screen::of(session);
    let ray = screen.ray(pixel);
    let spot = canvas.hit(shape, [ray.origin, ray.direction])?;
    let pixels = radius * session.workspace.pixels_per_point;
    Some(BrushSpot { spot, radius: pixels * screen.units_per_pixel(spot.point) })
}

impl PaintDrag {
    /// A stroke that begins at a pixel.
    pub fn new(session: &Session, stroke: Stroke, brush: BrushSettings, pixel: Vec2) -> PaintDrag {
        let mut drag = PaintDrag { model: session.focus.model, stroke, brush, pixels: [pixel; 2], error: None };
        drag.paint(session, pixel);
        drag
    }

    /// The name of its undo step.
    pub fn label(&self) -> Label {
        if self.brush.action == Action::Gradient { "Weight gradient".into() } else { "Paint weights".into() }
    }

    /// The brush over a pixel of the surface that it paints on.
    pub fn over(&self, session: &Session, pixel: Vec2) -> Option<BrushSpot> {
        over(session, &self.stroke.canvas, &self.stroke.shape, self.brush.radius, pixel)
    }

    /// The pixels between which a gradient falls.
    pub fn line(&self) -> Option<[Vec2; 2]> {
        (self.brush.action == Action::Gradient).then_some(self.pixels)
    }

    /// The status line.
    pub fn status(&self) -> String {
        let what = match self.brush.action {
            Action::Add => "Adding",
            Action::Subtract => "Subtracting",
            Action::Replace => "Replacing",
            Action::Smooth => "Smoothing",
            Action::Gradient => "Gradient",
        };
        format!("{what}     Esc  cancel")
    }

    /// Handles the mouse.
    pub fn pointer(&mut self, session: &Session, event: &PointerEvent) -> Drag {
        if let Some(end) = end(event.kind, false) {
            return end;
        }
        self.paint(session, event.pixel);
        match self.error.take() {
            Some(reason) => Drag::Refuse(reason),
            None => Drag::Preview(self.change()),
        }
    }

    /// Handles a key of the keyboard.
    pub fn key(&mut self, key: ModalKey) -> Drag {
        if key == ModalKey::Cancel { Drag::Cancel } else { Drag::Ignore }
    }

    /// The whole change since the start.
    pub fn change(&self) -> Change {
        change(self.model, &self.stroke)
    }

    /// Paints up to a pixel.
    fn paint(&mut self, session: &Session, to: Vec2) {
        let screen = Screen::of(session);
        if self.brush.action == Action::Gradient {
            self.pixels[1] = to;
            self.error = self.gradient(&screen, session.workspace.pixels_per_point).err();
            return;
        }
        let way = to - self.pixels[1];
        let step = (self.brush.radius * session.workspace.pixels_per_point * SPACING).max(1.0);
        let count = (way.length() / step).ceil().clamp(1.0, MAX_DABS as f32) as usize;
        let from = std::mem::replace(&mut self.pixels[1], to);
        for at in 1..=count {
            let pixel = from + way * (at as f32 / count as f32);
            self.error = self.dab(session, &screen, pixel).err().or(self.error.take());
        }
    }

    fn dab(&mut self, session: &Session, screen: &Screen, pixel: Vec2) -> Result<(), String> {
        let Some(over) = self.over(session, pixel) else { return Ok(()) };
        let is_front_only = self.brush.is_front_only;
        let is_front = |place: Vec3, normal: Vec3| !is_front_only || normal.dot(screen.to_eye(place)) > 0.0;
        self.stroke.dab(over.spot.point, over.radius, is_front)
    }

    /// A strip along the line of the mouse, as wide as the brush.
    fn gradient(&mut self, screen: &Screen, pixels_per_point: f32) -> Result<(), String> {
        let ([from, to], brush) = (self.pixels, self.brush);
        let line = to - from;
        if line.length() < 1.0 {
            return Ok(());
        }
        self.stroke.gradient(|place, normal| {
            let offset = screen.pixel(place)? - from;
            let along = offset.dot(line) / line.length_squared();
            let across = offset.perp_dot(line).abs() / line.length();
            let is_in = (0.0..=1.0).contains(&along) && across <= brush.radius * pixels_per_point;
            let is_front = !brush.is_front_only || normal.dot(screen.to_eye(place)) > 0.0;
            (is_in && is_front).then_some(brush.weight * (1.0 - along))
        })
    }
}

/// The edit that makes the weights of a model those of a stroke.
pub fn change(model: usize, stroke: &Stroke) -> Change {
    let skins = stroke.model.skins.clone();
    let meshes = stroke.changed().map(|at| (at, stroke.model.meshes[at].mesh.clone())).collect();
    Change::Edits(vec![ModelEdit::SetInfluences { model, skins, meshes }.into()])
}
