//! The position, axes and size of the gizmo.

use glam::{Quat, Vec2, Vec3};

use crate::editor::gesture::gizmo::RADIUS_POINTS;
use crate::editor::gesture::screen::Screen;
use crate::editor::gesture::transform::part::Part;
use crate::editor::ops::pose::rotation_in;
use crate::editor::session::Session;
use crate::editor::session::pointer::Axis;
use crate::editor::session::switch::Switch;
use crate::editor::session::tool::{Space, Tool};
use crate::editor::view::View;
use keypose::anim::skeleton::BoneIndex;
use keypose::anim::transform::Transform;
use keypose::assets::model::Model;

/// The gizmo's coordinate frame in model space.
pub(super) struct Frame {
    pub(super) origin: Vec3,
    /// Unit vectors.
    pub(super) axes: [Vec3; 3],
    pub(super) screen: Screen,
    /// In world units.
    pub(super) radius: f32,
}

impl Frame {
    /// The frame of the selected volume or socket, or of the active bone; `None` if it can't be posed or is not visible.
    pub(super) fn of(session: &Session, view: &View) -> Option<Frame> {
        let part = if session.is_posable() { Part::of(view, session) } else { None };
        let (origin, own, parent) = match part {
            Some(part) => {
                let start = part.as_bone();
                let parent = Transform::from_mat4(start.model_from_parent).rotation;
                (start.head(), parent * start.local.rotation, parent)
            }
            None => of_bone(session, view)?,
        };
        let screen = Screen::of(session);
        let radius = screen.units_per_pixel(origin) * RADIUS_POINTS * session.workspace.pixels_per_point.max(0.5);
        let frame = Frame { origin, axes: axes(session, own, parent), screen, radius };
        frame.pixel(origin).is_some().then_some(frame)
    }

    pub(super) fn pixel(&self, point: Vec3) -> Option<Vec2> {
        self.screen.pixel(point)
    }

    pub(super) fn axis(&self, axis: Axis) -> Vec3 {
        self.axes[axis as usize]
    }

    /// The cosine between an axis and the direction to the eye.
    pub(super) fn towards_eye(&self, axis: Axis) -> f32 {
        self.axis(axis).dot(self.screen.to_eye(self.origin))
    }

    /// The axis that points away first.
    pub(super) fn axes_by_depth(&self) -> [Axis; 3] {
        let mut axes = Axis::ALL;
        axes.sort_by(|a, b| self.towards_eye(*a).total_cmp(&self.towards_eye(*b)));
        axes
    }
}

/// The origin and rotation of the active bone, and its parent's rotation, in model space.
fn of_bone(session: &Session, view: &View) -> Option<(Vec3, Quat, Quat)> {
    let bone = if session.is_posable() { session.focus.selection.active_bone()? } else { return None };
    let model = view.model.as_deref()?;
    let parent = model.skeleton.parent(bone).map(|parent| rotation_in(&view.pose, parent)).unwrap_or_default();
    Some((origin(session, view, model, bone), rotation_in(&view.pose, bone), parent))
}

fn axes(session: &Session, own: Quat, parent: Quat) -> [Vec3; 3] {
    let space = if session.workspace.tool == Tool::Scale { Space::Local } else { session.workspace.space };
    match space {
        Space::Local => Vec3::AXES.map(|axis| own * axis),
        Space::Parent => Vec3::AXES.map(|axis| parent * axis),
        Space::Model => Vec3::AXES,
        Space::View => {
            let camera = session.focus.camera.camera();
            let (right, up) = camera.right_and_up();
            [right, up, -camera.forward()]
        }
    }
}

/// The active bone's origin, or the middle of the bones that rotate or scale about a shared pivot.
fn origin(session: &Session, view: &View, model: &Model, active: BoneIndex) -> Vec3 {
    let head = |bone: BoneIndex| view.pose.get(bone).translation();
    let has_pivot = matches!(session.workspace.tool, Tool::Rotate | Tool::Scale);
    if !session.is_on(Switch::SharedPivot) || !has_pivot {
        return head(active);
    }
    let selected = &session.focus.selection.bones;
    let is_top =
        |bone: &&BoneIndex| !selected.iter().any(|other| other != *bone && model.skeleton.is_below(**bone, *other));
    let heads: Vec<Vec3> = selected.iter().filter(is_top).map(|&bone| head(bone)).collect();
    heads.iter().sum::<Vec3>() / heads.len().max(1) as f32
}
