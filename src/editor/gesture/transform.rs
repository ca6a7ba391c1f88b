//! Moving, rotating and scaling bones: always the total since the start, so that nothing drifts, flips or gimbals.
//! Pixels and a camera in, poses out; nothing here knows the editor.

use glam::{DQuat, DVec3, Mat4, Quat, Vec2, Vec3, Vec4};

use crate::anim::key::Channel;
use crate::anim::skeleton::BoneIndex;
use crate::anim::transform::Transform;
use crate::editor::action::Posed;
use crate::editor::camera::nearest_on_line;
use crate::editor::gesture::pointer::Axis;
use crate::editor::gesture::reach::Reach;
use crate::editor::session::Space;
use crate::editor::shortcuts::Modifiers;
use crate::render::frame::camera::Camera;

/// What a transform does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum TransformKind {
    Move,
    Rotate,
    Scale,
    /// Drags the ends of limbs.
    Reach,
    /// Drags the pole to which a limb's joint bends.
    Pole,
}

impl TransformKind {
    /// The label of the step.
    pub fn name(self) -> &'static str {
        match self {
            TransformKind::Move => "move bone",
            TransformKind::Rotate => "rotate bone",
            TransformKind::Scale => "scale bone",
            TransformKind::Reach => "drag by IK",
            TransformKind::Pole => "turn the pole",
        }
    }
}

/// What a transform is held to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Constraint {
    /// The plane of the screen, the axis towards the eye, or all three factors.
    #[default]
    Free,
    /// Along, or about, one axis.
    Axis(Axis),
    /// Across an axis: in its plane.
    Plane(Axis),
}

/// How the mouse turns into an angle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Turning {
    /// By the angle about the pivot on the screen.
    Screen,
    /// By the angle about the axis in the plane across it: the ring stays under the mouse.
    Ring,
    /// The ring is seen from its edge: along this direction on the screen, in pixels per radian.
    Tangent(Vec2),
}

/// A bone as it was when the transform began.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct BoneStart {
    pub bone: BoneIndex,
    pub local: Transform,
    pub model_from_parent: Mat4,
}

impl BoneStart {
    /// Its origin in model space.
    fn head(&self) -> Vec3 {
        self.model_from_parent.transform_point3(self.local.translation)
    }

    fn parent_rotation(&self) -> Quat {
        Transform::from_mat4(self.model_from_parent).rotation
    }

    /// The unit axis of a space, in model space.
    fn axis(&self, axis: Axis, space: Space, view: &[Vec3; 3]) -> Vec3 {
        match space {
            Space::Local => self.parent_rotation() * self.local.rotation * axis.unit(),
            Space::Parent => self.parent_rotation() * axis.unit(),
            Space::Model => axis.unit(),
            Space::View => view[axis as usize],
        }
    }
}

/// A transform of bones that is under way.
#[derive(Clone, Debug)]
pub struct Transforming {
    /// What it does.
    pub kind: TransformKind,
    /// What it is held to.
    pub constraint: Constraint,
    /// Whose axes the constraint means.
    pub space: Space,
    /// Started by a key: the mouse moves it without a button, and a click confirms it.
    pub is_modal: bool,
    /// The amount that was typed, as typed.
    pub typed: String,
    /// The active bone is the last. None of them hangs below another, unless each turns about its own axes.
    pub bones: Vec<BoneStart>,
    /// All turn and scale about `pivot`; else each about its own origin.
    pub is_pivot_shared: bool,
    /// The limbs that are dragged, where there are any.
    pub reach: Option<Reach>,
    /// The point that the mouse turns and scales about, in model space.
    pub pivot: Vec3,
    turning: Turning,
    /// Right, up and towards the eye, when it began.
    view: [Vec3; 3],
    start: Vec2,
    last: Vec2,
    /// Where the mouse would be if it never had been slowed down by Shift.
    steered: Vec2,
    /// Radians, not wrapped: full turns count.
    turned: f64,
    offset: Vec3,
    factor: f32,
    snaps: bool,
    /// Steps of a snapped movement, in world units.
    move_step: f32,
}

/// Steps of a snapped rotation.
const TURN_STEP_DEGREES: f64 = 5.0;
/// Steps of a snapped scale.
const SCALE_STEP: f32 = 0.1;
/// Shift makes the mouse this much slower.
const FINE: f32 = 0.1;
/// Nearer to the pivot than this many pixels the mouse has no direction.
const DEAD_PIXELS: f32 = 3.0;
/// A ring whose axis lies further than this off the line of sight (as a cosine) is turned along its tangent.
const EDGE_ON: f32 = 0.2;

impl Transforming {
    /// Begins with the mouse at a pixel. `bones` must not be empty.
    pub fn new(
        kind: TransformKind,
        space: Space,
        bones: Vec<BoneStart>,
        start: Vec2,
        camera: &Camera,
        size: Vec2,
    ) -> Self {
        let (right, up) = camera.right_and_up();
        let mut heads = bones.iter().map(BoneStart::head);
        let pivot = heads.next_back().unwrap_or_default();
        let unit = camera.units_per_pixel(pivot, size.y) * 30.0;
        Transforming {
            kind,
            constraint: Constraint::Free,
            space,
            is_modal: true,
            typed: String::new(),
            bones,
            is_pivot_shared: false,
            reach: None,
            pivot,
            turning: Turning::Screen,
            view: [right, up, -camera.forward()],
            start,
            last: start,
            steered: start,
            turned: 0.0,
            offset: Vec3::ZERO,
            factor: 1.0,
            snaps: false,
            move_step: 10.0_f32.powf(unit.max(1e-9).log10().round()),
        }
    }

    /// All bones turn and scale about the middle between their origins.
    pub fn about_the_middle(mut self) -> Transforming {
        let heads = self.bones.iter().map(BoneStart::head);
        self.pivot = heads.sum::<Vec3>() / self.bones.len().max(1) as f32;
        self.is_pivot_shared = true;
        self
    }

    /// Drags limbs; with `Pole` the mouse holds the pole of the active bone's limb.
    pub fn reaching(mut self, reach: Reach) -> Transforming {
        if self.kind == TransformKind::Pole {
            self.pivot = reach.pole().unwrap_or(self.pivot);
        }
        self.reach = Some(reach);
        self
    }

    /// Becomes a drag of a handle: the button is down, the constraint is the handle's.
    pub fn dragging(mut self, constraint: Constraint, camera: &Camera, size: Vec2) -> Transforming {
        self.is_modal = false;
        self.constraint = constraint;
        self.turning = match (self.kind, constraint) {
            (TransformKind::Rotate, Constraint::Axis(axis)) => self.turning_of_ring(axis, camera, size),
            _ => Turning::Screen,
        };
        self
    }

    /// A ring that is seen well enough is turned by its own plane, one that is seen from its edge along its tangent.
    fn turning_of_ring(&self, axis: Axis, camera: &Camera, size: Vec2) -> Turning {
        let normal = self.axis(axis);
        if normal.dot(camera.to_eye(self.pivot)).abs() > EDGE_ON {
            return Turning::Ring;
        }
        // The point of the line of sight that is nearest to the ring's near side.
        let ray = camera.ray_through_pixel(self.start, size);
        let near = ray.at((self.pivot - ray.origin).dot(ray.direction));
        let arm = (near - self.pivot).reject_from(normal) + camera.to_eye(self.pivot) * 1e-3;
        let arm = (camera.to_eye(self.pivot).reject_from(normal).normalize_or_zero() + arm).normalize_or_zero();
        let radius = near.distance(self.pivot).max(camera.units_per_pixel(self.pivot, size.y) * 40.0);
        let (from, tangent) = (self.pivot + arm * radius, normal.cross(arm) * radius);
        let step = 0.01;
        let ends = (camera.pixel_of(from, size), camera.pixel_of(from + tangent * step, size));
        match ends {
            (Some(from), Some(to)) if (to - from).length() > 1e-3 => Turning::Tangent((to - from) / step),
            _ => Turning::Screen,
        }
    }

    /// The mouse moved: measures the whole way since the start.
    pub fn moved(&mut self, pixel: Vec2, held: Modifiers, camera: &Camera, size: Vec2) {
        let before = self.steered;
        self.steered += (pixel - self.last) * if held.shift { FINE } else { 1.0 };
        self.last = pixel;
        self.snaps = held.ctrl;
        self.turned += self.turn_between(before, self.steered, camera, size);
        self.measure(camera, size);
    }

    /// Measures offset and factor again: after the mouse or the constraint changed.
    pub fn measure(&mut self, camera: &Camera, size: Vec2) {
        self.offset = self.measured_offset(camera, size);
        self.factor = self.measured_factor(camera, size);
    }

    fn turn_between(&self, before: Vec2, after: Vec2, camera: &Camera, size: Vec2) -> f64 {
        match (self.turning, self.constraint) {
            (Turning::Tangent(per_radian), _) => {
                f64::from((after - before).dot(per_radian) / per_radian.length_squared().max(1e-9))
            }
            (Turning::Ring, Constraint::Axis(axis)) => {
                let normal = self.axis(axis);
                let arm = |pixel| {
                    let ray = camera.ray_through_pixel(pixel, size);
                    ray.hit_plane(self.pivot, normal).map(|distance| (ray.at(distance) - self.pivot).as_dvec3())
                };
                let (Some(from), Some(to)) = (arm(before), arm(after)) else { return 0.0 };
                f64::atan2(from.cross(to).dot(normal.as_dvec3()), from.dot(to))
            }
            _ => {
                let Some(pivot) = camera.pixel_of(self.pivot, size) else { return 0.0 };
                let (from, to) = ((before - pivot).as_dvec2(), (after - pivot).as_dvec2());
                if from.length().min(to.length()) < f64::from(DEAD_PIXELS) {
                    return 0.0;
                }
                // The pixel's y points down, so this counts counter-clockwise as one sees it.
                f64::atan2(to.x * from.y - to.y * from.x, from.dot(to))
            }
        }
    }

    fn measured_offset(&self, camera: &Camera, size: Vec2) -> Vec3 {
        let on_plane = |normal: Vec3| {
            let hit = |pixel| {
                let ray = camera.ray_through_pixel(pixel, size);
                ray.hit_plane(self.pivot, normal).map(|distance| ray.at(distance))
            };
            Some(hit(self.steered)? - hit(self.start)?)
        };
        let to_eye = camera.to_eye(self.pivot);
        let free = on_plane(camera.forward()).unwrap_or_default();
        match self.constraint {
            Constraint::Free => free,
            Constraint::Axis(axis) => {
                let axis = self.axis(axis);
                let along = |pixel| nearest_on_line(&camera.ray_through_pixel(pixel, size), self.pivot, axis);
                // Seen from its end an axis has no length on the screen: up and down stand for it.
                let is_seen = axis.dot(to_eye).abs() < 0.985;
                let amount = match (along(self.start), along(self.steered)) {
                    (Some(from), Some(to)) if is_seen => to - from,
                    _ => (self.start.y - self.steered.y) * camera.units_per_pixel(self.pivot, size.y),
                };
                axis * amount
            }
            Constraint::Plane(axis) => {
                let normal = self.axis(axis);
                let is_seen = normal.dot(to_eye).abs() > 0.1;
                on_plane(normal).filter(|_| is_seen).unwrap_or_else(|| free.reject_from(normal))
            }
        }
    }

    fn measured_factor(&self, camera: &Camera, size: Vec2) -> f32 {
        let pivot = camera.pixel_of(self.pivot, size).unwrap_or(self.start);
        let (from, to) = (self.start - pivot, self.steered - pivot);
        if from.length() > 6.0 * DEAD_PIXELS {
            // Through the pivot and beyond it does not turn inside out: mirrored bones are typed.
            return (to.dot(from) / from.length_squared()).max(0.01);
        }
        let way = self.steered - self.start;
        2.0_f32.powf((way.x - way.y) / 120.0)
    }

    /// An axis of the constraint's space, in model space, as the active bone has it.
    pub fn axis(&self, axis: Axis) -> Vec3 {
        self.bones.last().map_or(axis.unit(), |bone| bone.axis(axis, self.space, &self.view)).normalize_or(axis.unit())
    }

    /// The amount that was typed, where it is a number.
    pub fn typed_amount(&self) -> Option<f64> {
        self.typed.parse().ok().filter(|amount: &f64| amount.is_finite())
    }

    /// Radians, typed or turned, snapped; about the constraint's axis.
    pub fn angle(&self, camera_sign: f64) -> f64 {
        if let Some(degrees) = self.typed_amount() {
            return degrees.to_radians();
        }
        let angle = self.turned * camera_sign;
        if self.snaps { snap(angle.to_degrees(), TURN_STEP_DEGREES).to_radians() } else { angle }
    }

    /// On the screen counter-clockwise is positive about an axis that points at the eye.
    fn sign(&self) -> f64 {
        match (self.turning, self.constraint) {
            (Turning::Screen, Constraint::Axis(axis)) if self.axis(axis).dot(self.view[2]) < 0.0 => -1.0,
            _ => 1.0,
        }
    }

    /// How far it moves the active bone, in model space.
    pub fn total_offset(&self) -> Vec3 {
        if let Some(amount) = self.typed_amount() {
            let axis = if let Constraint::Axis(axis) = self.constraint { axis } else { Axis::X };
            return self.axis(axis) * amount as f32;
        }
        if !self.snaps {
            return self.offset;
        }
        let axes = Axis::ALL.map(|axis| self.axis(axis));
        let snapped = axes.map(|axis| axis * snap(f64::from(self.offset.dot(axis)), f64::from(self.move_step)) as f32);
        snapped.into_iter().sum()
    }

    /// Factors per axis of the bone.
    pub fn factors(&self) -> Vec3 {
        let factor = match self.typed_amount() {
            Some(amount) => amount as f32,
            None if self.snaps => snap(f64::from(self.factor), f64::from(SCALE_STEP)) as f32,
            None => self.factor,
        };
        match self.constraint {
            Constraint::Free => Vec3::splat(factor),
            Constraint::Axis(axis) => Vec3::ONE + axis.unit() * (factor - 1.0),
            Constraint::Plane(axis) => Vec3::ONE + (Vec3::ONE - axis.unit()) * (factor - 1.0),
        }
    }

    /// The pose of the bones now: the whole change since the start. Values that are not finite are left out.
    pub fn posed(&self) -> Vec<Posed> {
        let reached = match (&self.reach, self.kind) {
            (Some(reach), TransformKind::Reach) => reach.moved(self.total_offset()),
            (Some(reach), TransformKind::Pole) => reach.bent(self.total_offset()),
            _ => Vec::new(),
        };
        // A bone without a limb, the hips say, is moved.
        let is_free = |start: &&BoneStart| !self.reach.as_ref().is_some_and(|reach| reach.has(start.bone));
        let posed = self.bones.iter().filter(is_free).map(|start| match self.kind {
            TransformKind::Move | TransformKind::Reach | TransformKind::Pole => {
                (start.bone, Channel::Translation, self.moved_bone(start).extend(0.0))
            }
            TransformKind::Rotate => (start.bone, Channel::Rotation, Vec4::from(self.rotated_bone(start))),
            TransformKind::Scale => (start.bone, Channel::Scale, (start.local.scale * self.factors()).extend(0.0)),
        });
        let posed = posed.map(|(bone, channel, value)| Posed { bone, channel, value });
        let carried = self.bones.iter().filter(|_| self.is_pivot_shared).filter_map(|start| self.carried_bone(start));
        reached.into_iter().chain(posed).chain(carried).filter(|posed| posed.value.is_finite()).collect()
    }

    fn moved_bone(&self, start: &BoneStart) -> Vec3 {
        let total = self.total_offset();
        let offset = match (self.constraint, self.space) {
            // Several bones each along an axis of their own.
            (Constraint::Axis(axis), Space::Local | Space::Parent) => {
                start.axis(axis, self.space, &self.view) * total.dot(self.axis(axis))
            }
            _ => total,
        };
        start.local.translation + start.model_from_parent.inverse().transform_vector3(offset)
    }

    /// Where a turn or scale about the shared pivot takes a bone's origin.
    fn carried_bone(&self, start: &BoneStart) -> Option<Posed> {
        let arm = start.head() - self.pivot;
        let arm = match self.kind {
            TransformKind::Rotate => self.shared_turn().as_quat() * arm,
            TransformKind::Scale => {
                let axes = Axis::ALL.map(|axis| self.axis(axis));
                let factors = self.factors().to_array();
                axes.into_iter().zip(factors).map(|(axis, factor)| axis * (arm.dot(axis) * factor)).sum()
            }
            _ => return None,
        };
        let value = start.model_from_parent.inverse().transform_point3(self.pivot + arm).extend(0.0);
        Some(Posed { bone: start.bone, channel: Channel::Translation, value })
    }

    /// The turn of all bones about the shared pivot, in model space: about the active bone's axis.
    fn shared_turn(&self) -> DQuat {
        let axis = match self.constraint {
            Constraint::Free => self.view[2],
            Constraint::Axis(axis) | Constraint::Plane(axis) => self.axis(axis),
        };
        DQuat::from_axis_angle(axis.as_dvec3().normalize_or(DVec3::Z), self.angle(self.sign()))
    }

    fn rotated_bone(&self, start: &BoneStart) -> Quat {
        if self.is_pivot_shared {
            let parent = start.parent_rotation().as_dquat();
            let rotation = parent.inverse() * self.shared_turn() * parent * start.local.rotation.as_dquat();
            return rotation.normalize().as_quat();
        }
        let angle = self.angle(self.sign());
        let turn = |axis: Vec3| DQuat::from_axis_angle(axis.as_dvec3().normalize_or(DVec3::Z), angle);
        let local = start.local.rotation.as_dquat();
        // A mirrored parent turns the other way round.
        let mirrored = if start.model_from_parent.determinant() < 0.0 { -1.0 } else { 1.0 };
        let in_parent = |axis: Vec3| start.parent_rotation().inverse() * axis * mirrored;
        let rotation = match (self.constraint, self.space) {
            (Constraint::Axis(axis), Space::Local) => local * turn(axis.unit() * mirrored),
            (Constraint::Axis(axis), Space::Parent) => turn(axis.unit() * mirrored) * local,
            (Constraint::Axis(axis) | Constraint::Plane(axis), _) => {
                turn(in_parent(start.axis(axis, self.space, &self.view))) * local
            }
            (Constraint::Free, _) => turn(in_parent(self.view[2])) * local,
        };
        rotation.normalize().as_quat()
    }

    /// One line that says what happens: "Rotate 35.0° about local X".
    pub fn text(&self) -> String {
        let held = match self.constraint {
            Constraint::Free => String::new(),
            Constraint::Axis(axis) => format!(" · {} {}", self.space.name().to_lowercase(), axis.name()),
            Constraint::Plane(axis) => format!(" · {} plane across {}", self.space.name().to_lowercase(), axis.name()),
        };
        let typed = if self.typed.is_empty() { String::new() } else { format!(" · typed {}", self.typed) };
        match self.kind {
            TransformKind::Move | TransformKind::Reach | TransformKind::Pole => {
                let offset = self.total_offset();
                let what = match self.kind {
                    TransformKind::Reach => "IK",
                    TransformKind::Pole => "Pole",
                    _ => "Move",
                };
                let joints = self.reach.as_ref().map(|reach| reach.joints()).unwrap_or_default();
                let chain = match joints {
                    0 => String::new(),
                    1 => " · 1 joint".to_owned(),
                    joints => format!(" · {joints} joints"),
                };
                format!("{what} {:.3} {:.3} {:.3}{held}{typed}{chain}", offset.x, offset.y, offset.z)
            }
            TransformKind::Rotate => format!("Rotate {:.1}°{held}{typed}", self.angle(self.sign()).to_degrees()),
            TransformKind::Scale => {
                let factors = self.factors();
                format!("Scale {:.3} {:.3} {:.3}{held}{typed}", factors.x, factors.y, factors.z)
            }
        }
    }
}

fn snap(value: f64, step: f64) -> f64 {
    (value / step).round() * step
}
