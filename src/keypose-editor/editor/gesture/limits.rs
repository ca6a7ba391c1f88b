//! The limit of the active bone in the viewport: the arc of a hinge or the circle of a cone with its twist, and drags of their handles
//! in the rig mode.

use glam::{Quat, Vec2, Vec3};

use crate::editor::document::edit::ModelEdit;
use crate::editor::gesture::screen::Screen;
use crate::editor::gesture::typed::TypedNumber;
use crate::editor::gesture::{Drag, end};
use crate::editor::ops::joint_limits::{Sides, limit_of, with_limit};
use crate::editor::posing::change::Change;
use crate::editor::session::Session;
use crate::editor::session::pointer::{ModalKey, PointerEvent};
use crate::editor::view::View;
use keypose::anim::ik::limit::Limit;
use keypose::anim::skeleton::BoneIndex;
use keypose::assets::model::Model;
use keypose_tools::joint_limits::{BindJoints, rotation_of_axes};

/// The radius of an arc, and of the twist of a cone, in points of the display.
const RADIUS_POINTS: f32 = 68.0;
const TWIST_POINTS: f32 = 24.0;
/// The distance in points within which a handle is hit.
const HANDLE_POINTS: f32 = 8.0;
/// The step of a dragged angle, and with Ctrl, in degrees.
const STEPS: [f32; 2] = [0.5, 5.0];
/// Straight pieces of a whole circle.
const PIECES: f32 = 72.0;

/// A part of a limit that can be dragged: an end of its range, or the width of its cone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitHandle {
    Min,
    Max,
    Swing,
}

impl LimitHandle {
    /// The name in the status line.
    pub fn name(self) -> &'static str {
        match self {
            LimitHandle::Min => "Minimum",
            LimitHandle::Max => "Maximum",
            LimitHandle::Swing => "Swing",
        }
    }
}

/// The limit of a bone, where it is drawn: points are in model space.
#[derive(Clone, Debug)]
pub struct Gauge {
    pub bone: BoneIndex,
    pub limit: Limit,
    /// The joint.
    pub origin: Vec3,
    /// The center of the arc about the axis, the direction at 0, and the axis itself.
    center: Vec3,
    zero: Vec3,
    axis: Vec3,
    radius: f32,
    /// The radius of the circle of a cone, and the direction in which its handle is.
    cone: f32,
    aside: Vec3,
    /// The rotation of the bone.
    rotation: Quat,
    model_from_zero: Quat,
}

impl Gauge {
    /// The gauge of the active bone, if it has a limit.
    pub fn of(session: &Session, view: &View) -> Option<Gauge> {
        let (model, bone) = (view.model.as_deref()?, session.focus.selection.active_bone()?);
        let limit = limit_of(model, bone)?;
        let parent = model.skeleton.parent(bone).map(|parent| rotation_of_axes(view.pose.get(parent).to_mat4()));
        let (screen, origin) = (Screen::of(session), view.pose.get(bone).translation());
        let point = screen.units_per_pixel(origin) * session.workspace.pixels_per_point;
        let model_from_zero = parent.unwrap_or_default() * limit.zero;
        let axis = model_from_zero * limit.axis;
        let along = model_from_zero * BindJoints::of(model).free(bone).axis;
        let zero = along.reject_from_normalized(axis).try_normalize().unwrap_or(axis.any_orthonormal_vector());
        let cone = RADIUS_POINTS * point;
        let is_cone = limit.swing.is_some();
        let aside = screen.camera.right_and_up().0.reject_from_normalized(axis);
        Some(Gauge {
            bone,
            limit,
            origin,
            center: if is_cone { origin + axis * cone } else { origin },
            zero,
            axis,
            radius: if is_cone { TWIST_POINTS * point } else { cone },
            cone,
            aside: aside.try_normalize().unwrap_or(axis.any_orthonormal_vector()),
            rotation: view.local.get(usize::from(bone)).rotation,
            model_from_zero,
        })
    }

    /// The angle of a handle in radians.
    pub fn angle(&self, handle: LimitHandle) -> f32 {
        match handle {
            LimitHandle::Min => self.limit.min,
            LimitHandle::Max => self.limit.max,
            LimitHandle::Swing => self.limit.swing.unwrap_or(0.0),
        }
    }

    /// The place of a handle at an angle.
    pub fn place(&self, handle: LimitHandle, angle: f32) -> Vec3 {
        match handle {
            LimitHandle::Min | LimitHandle::Max => {
                self.center + Quat::from_axis_angle(self.axis, angle) * self.zero * self.radius
            }
            LimitHandle::Swing => self.origin + (self.axis * angle.cos() + self.aside * angle.sin()) * self.cone,
        }
    }

    /// Both ends of the range, and the width of a cone.
    pub fn handles(&self) -> impl Iterator<Item = LimitHandle> + '_ {
        let all = [LimitHandle::Min, LimitHandle::Max, LimitHandle::Swing];
        all.into_iter().filter(|handle| *handle != LimitHandle::Swing || self.limit.swing.is_some())
    }

    /// The center of the arc about the axis.
    pub fn center(&self) -> Vec3 {
        self.center
    }

    /// The arc about the axis, from minimum to maximum.
    pub fn arc(&self) -> Vec<Vec3> {
        let (from, to) = (self.limit.min, self.limit.max);
        let pieces = ((to - from) / std::f32::consts::TAU * PIECES).ceil().max(1.0);
        let at = |piece: i32| self.place(LimitHandle::Max, from + (to - from) * piece as f32 / pieces);
        (0..=pieces as i32).map(at).collect()
    }

    /// The circle of a cone; empty for a hinge.
    pub fn circle(&self) -> Vec<Vec3> {
        let Some(swing) = self.limit.swing else { return Vec::new() };
        let (middle, across) = (self.axis * swing.cos(), self.axis.cross(self.aside));
        let at = |piece: i32| {
            let (sin, cos) = (piece as f32 / PIECES * std::f32::consts::TAU).sin_cos();
            self.origin + (middle + (self.aside * cos + across * sin) * swing.sin()) * self.cone
        };
        (0..=PIECES as i32).map(at).collect()
    }

    /// The ends of lines from where they begin to the angles of the bone as it is.
    pub fn present(&self) -> Vec<[Vec3; 2]> {
        let angles = self.limit.angles(self.rotation);
        let about = [self.center, self.place(LimitHandle::Max, angles.about)];
        let to = self.model_from_zero * angles.swing * self.limit.axis;
        let swing = [self.origin, self.origin + to * self.cone];
        if self.limit.swing.is_some() { vec![swing, about] } else { vec![about] }
    }

    /// The handle under a pixel.
    pub fn hit(&self, session: &Session, pixel: Vec2) -> Option<LimitHandle> {
        let reach = HANDLE_POINTS * session.workspace.pixels_per_point;
        let places = self.handles().map(|handle| (handle, self.place(handle, self.angle(handle))));
        Screen::of(session).nearest(places, pixel, reach)
    }

    /// The angle of a handle that is nearest to a pixel, in whole steps.
    fn angle_at(&self, handle: LimitHandle, screen: &Screen, pixel: Vec2, step: f32) -> f32 {
        let half = (180.0 / step) as i32;
        let from = if handle == LimitHandle::Swing { 0 } else { -half };
        let angles = (from..=half).map(|at| (at as f32 * step).to_radians());
        let far =
            |angle: f32| screen.pixel(self.place(handle, angle)).map_or(f32::INFINITY, |place| place.distance(pixel));
        // A circle that is seen edge-on has two angles at a pixel: the one that is nearer to the current one.
        let cost = |angle: f32| far(angle) + (angle - self.angle(handle)).abs();
        angles.min_by(|a, b| cost(*a).total_cmp(&cost(*b))).unwrap_or(0.0)
    }

    /// The limit with another angle of a handle; the other end of a range gives way.
    fn with(&self, handle: LimitHandle, angle: f32) -> Limit {
        let half = std::f32::consts::PI;
        let (limit, ranged) = (self.limit, angle.clamp(-half, half));
        match handle {
            LimitHandle::Min => Limit { min: ranged, max: limit.max.max(ranged), ..limit },
            LimitHandle::Max => Limit { min: limit.min.min(ranged), max: ranged, ..limit },
            LimitHandle::Swing => Limit { swing: Some(angle.clamp(0.0, half)), ..limit },
        }
    }
}

/// A drag of a handle.
#[derive(Clone, Debug)]
pub struct LimitDrag {
    model: usize,
    gauge: Gauge,
    handle: LimitHandle,
    sides: Sides,
    angle: f32,
    typed: TypedNumber,
}

impl LimitDrag {
    /// Starts to drag a handle of the active bone's limit.
    pub fn new(session: &Session, view: &View, handle: LimitHandle) -> Option<LimitDrag> {
        let gauge = Gauge::of(session, view)?;
        let is_mirrored = session.transient.scene.rig().is_some_and(|desk| desk.is_mirrored);
        let sides = if is_mirrored { Sides::Both } else { Sides::One };
        let (model, angle) = (session.focus.model, gauge.angle(handle));
        Some(LimitDrag { model, gauge, handle, sides, angle, typed: TypedNumber::default() })
    }

    /// The handle that is dragged.
    pub fn handle(&self) -> LimitHandle {
        self.handle
    }

    /// The status line.
    pub fn status(&self) -> String {
        let degrees = self.gauge.with(self.handle, self.now());
        let degrees = Gauge { limit: degrees, ..self.gauge.clone() }.angle(self.handle).to_degrees();
        format!("{} {degrees:.1}°{}     Ctrl  whole steps of 5°", self.handle.name(), self.typed.status())
    }

    /// Handles the mouse. `base` is the model before the drag.
    pub fn pointer(&mut self, base: Option<&Model>, session: &Session, event: &PointerEvent) -> Drag {
        if let Some(end) = end(event.kind, false) {
            return end;
        }
        let step = STEPS[usize::from(event.held.ctrl)];
        self.angle = self.gauge.angle_at(self.handle, &Screen::of(session), event.pixel, step);
        self.preview(base)
    }

    /// Handles a key of the keyboard.
    pub fn key(&mut self, base: Option<&Model>, key: ModalKey) -> Drag {
        self.typed.key(key).unwrap_or_else(|| self.preview(base))
    }

    fn now(&self) -> f32 {
        self.typed.value().map_or(self.angle, |degrees| degrees.to_radians() as f32)
    }

    fn preview(&self, base: Option<&Model>) -> Drag {
        let Some(model) = base else { return Drag::Ignore };
        let rig = with_limit(model, self.gauge.bone, Some(self.gauge.with(self.handle, self.now())), self.sides);
        Drag::Preview(Change::Edits(vec![ModelEdit::SetRig { model: self.model, rig: rig.into() }.into()]))
    }
}
