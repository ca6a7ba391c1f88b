//! Moving, rotating and scaling bones: always the total since the start, so that nothing drifts, flips or gimbals.
//! Pixels and a camera in, poses out; nothing here knows the editor.

use crate::editor::session::tool::Constraint;
use crate::editor::session::tool::TransformKind;
use glam::{Mat4, Quat, Vec2, Vec3};

use crate::anim::skeleton::BoneIndex;
use crate::anim::transform::Transform;
use crate::editor::gesture::reach::Reach;
use crate::editor::session::pointer::Axis;
use crate::editor::session::tool::Space;
use crate::render::frame::camera::Camera;

mod measure;
mod posing;

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

    /// An axis of the constraint's space, in model space, as the active bone has it.
    pub fn axis(&self, axis: Axis) -> Vec3 {
        self.bones.last().map_or(axis.unit(), |bone| bone.axis(axis, self.space, &self.view)).normalize_or(axis.unit())
    }
}
