//! Moving, rotating and scaling bones, or a volume or socket on one. The change is always the total since the start, so nothing drifts or flips.

mod measure;
pub mod part;
mod pose;
pub mod socket;
mod start;
mod status;
pub mod volume;

pub use start::{moved, shared_pivot};

use std::collections::BTreeMap;

use glam::{DMat4, Mat4, Vec2, Vec3};

use crate::editor::gesture::body::BodyDrag;
use crate::editor::gesture::ik::LimbDrag;
use crate::editor::gesture::screen::Screen;
use crate::editor::gesture::transform::part::Part;
use crate::editor::gesture::typed::TypedNumber;
use crate::editor::gesture::{Drag, end};
use crate::editor::posing::change::Change;
use crate::editor::session::Session;
use crate::editor::session::pointer::{Axis, ModalKey, PointerEvent};
use crate::editor::session::tool::{Constraint, Space, TransformKind};
use keypose::anim::ik::limit::Limit;
use keypose::anim::skeleton::BoneIndex;
use keypose::anim::transform::Transform;

/// How the mouse becomes an angle.
#[derive(Clone, Copy, Debug, PartialEq)]
enum AngleSource {
    /// The angle about the pivot on the screen.
    Screen,
    /// The angle about the axis in its plane: the ring stays under the mouse.
    Ring,
    /// For a ring seen edge-on: its tangent on the screen, in pixels per radian.
    Tangent(Vec2),
}

/// A bone when the transform began.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneStart {
    pub bone: BoneIndex,
    pub local: Transform,
    pub model_from_parent: Mat4,
}

impl BoneStart {
    /// The bone's origin in model space.
    pub fn head(&self) -> Vec3 {
        self.model_from_parent.transform_point3(self.local.translation)
    }

    /// A direction in the space of the parent, as it is in model space: mirrored and rotated, not scaled.
    fn in_model(&self, direction: Vec3) -> Vec3 {
        let Transform { rotation, scale, .. } = Transform::from_mat4(self.model_from_parent);
        rotation * (scale.signum() * direction)
    }

    /// The axis in the space of the parent about which the bone has to rotate to rotate about an axis in model space, by the same angle.
    fn turn_axis(&self, axis: Vec3) -> Vec3 {
        let parent = Transform::from_mat4(self.model_from_parent);
        parent.mirrored_axis(parent.rotation.inverse() * axis)
    }

    /// A unit axis of a space, in model space. `view` has the view's right, up and backward directions.
    pub fn axis(&self, axis: Axis, space: Space, view: &[Vec3; 3]) -> Vec3 {
        match space {
            Space::Local => self.in_model(self.local.rotation * axis.unit()),
            Space::Parent => self.in_model(axis.unit()),
            Space::Model => axis.unit(),
            Space::View => view[axis as usize],
        }
    }
}

/// A bone that rotates as the mirror image of the one on the other side of the body.
#[derive(Clone, Copy, Debug, PartialEq)]
struct MirroredBone {
    bone: BoneIndex,
    lead: BoneStart,
    /// The reflection from the space of its parent to that of the lead's.
    reflection: DMat4,
}

/// A transform of bones in progress.
#[derive(Clone, Debug)]
pub struct TransformDrag {
    /// The kind of transform.
    pub kind: TransformKind,
    /// The axis or plane that it is limited to.
    pub constraint: Constraint,
    /// The space of the constraint's axes.
    pub space: Space,
    /// The volume or socket that is transformed instead of bones.
    part: Option<Part>,
    /// The limbs that are dragged by IK.
    pub limbs: Option<LimbDrag>,
    /// The bones that are pulled with the whole body.
    body: Option<BodyDrag>,
    /// The point in model space about which the mouse rotates and scales.
    pub pivot: Vec3,
    /// Whether a key started it: it ends with a click. Otherwise a handle is dragged, until the button is released.
    is_modal: bool,
    typed: TypedNumber,
    /// Not empty; the active bone is the last, or the part is the only one. None is below another one, unless each rotates about its own axes.
    bones: Vec<BoneStart>,
    /// Bones that mirror the rotation of another one.
    mirrored: Vec<MirroredBone>,
    /// The limits of the joints that obey theirs.
    joint_limits: BTreeMap<BoneIndex, Limit>,
    /// Whether all bones rotate and scale about `pivot`; otherwise each about its own origin.
    is_pivot_shared: bool,
    angle_source: AngleSource,
    /// The view's right, up and backward directions at the start.
    view: [Vec3; 3],
    start: Vec2,
    last: Vec2,
    /// The pixel of a mouse that moves slower while Shift is held.
    steered: Vec2,
    /// In radians; full turns count.
    rotated: f64,
    offset: Vec3,
    factor: f32,
    snaps: bool,
    /// The step of a snapped movement, in world units.
    move_step: f32,
}

impl TransformDrag {
    /// Handles the mouse.
    pub fn pointer(&mut self, session: &Session, event: &PointerEvent) -> Drag {
        if let Some(end) = end(event.kind, self.is_modal) {
            return end;
        }
        self.moved(event.pixel, event.held, &Screen::of(session));
        self.preview()
    }

    /// Handles a key of the keyboard.
    pub fn key(&mut self, session: &Session, key: ModalKey) -> Drag {
        match key {
            ModalKey::Axis(axis) => self.toggle(Constraint::Axis(axis)),
            ModalKey::Plane(axis) => self.toggle(Constraint::Plane(axis)),
            ModalKey::Char(digit) => self.typed.push(digit),
            ModalKey::Backspace => self.typed.pop(),
            ModalKey::AddJoint => return self.add_joints(1),
            ModalKey::RemoveJoint => return self.add_joints(-1),
            ModalKey::Switch(kind) => return Drag::Restart(kind),
            ModalKey::Confirm => return Drag::Commit,
            ModalKey::Cancel => return Drag::Cancel,
        }
        self.measure(&Screen::of(session));
        self.preview()
    }

    fn preview(&self) -> Drag {
        Drag::Preview(self.change())
    }

    /// The label of the undo step.
    pub fn label(&self) -> String {
        let name = self.kind.name();
        self.part.as_ref().map_or(name.to_owned(), |part| name.replace("bones", part.name()))
    }

    /// The whole change since the start.
    fn change(&self) -> Change {
        match &self.part {
            Some(part) => part.change(&self.posed()),
            None => Change::Pose(self.posed()),
        }
    }

    /// Cycles a constraint: in model space, in the bone's own space, off. A bone is scaled in its own space only.
    fn toggle(&mut self, constraint: Constraint) {
        let first = self.kind.first_space();
        (self.constraint, self.space) = match (self.constraint == constraint, self.space) {
            (false, _) => (constraint, first),
            (true, Space::Model) => (constraint, Space::Local),
            (true, Space::Local | Space::Parent | Space::View) => (Constraint::Free, first),
        };
    }

    /// Changes the number of joints above the end effectors.
    fn add_joints(&mut self, count: isize) -> Drag {
        let Some(limbs) = &mut self.limbs else { return Drag::Ignore };
        *limbs = limbs.with_joints(limbs.joints().saturating_add_signed(count));
        Drag::SetJoints { joints: limbs.joints(), preview: self.change() }
    }

    /// A unit axis of the constraint's space in model space, as the active bone has it.
    pub fn axis(&self, axis: Axis) -> Vec3 {
        self.bones.last().map_or(axis.unit(), |bone| bone.axis(axis, self.space, &self.view)).normalize_or(axis.unit())
    }
}
