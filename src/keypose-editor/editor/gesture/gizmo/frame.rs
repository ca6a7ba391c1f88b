//! The position, axes and size of the gizmo.

use glam::{Vec2, Vec3};

use crate::editor::gesture::gizmo::RADIUS_POINTS;
use crate::editor::gesture::screen::Screen;
use crate::editor::gesture::transform::{moved, shared_pivot};
use crate::editor::session::Session;
use crate::editor::session::pointer::Axis;
use crate::editor::view::View;
use keypose::anim::skeleton::BoneIndex;

/// The gizmo's coordinate frame in model space.
pub(super) struct Frame {
    /// The bone that is moved, the last of several, or that holds what is moved.
    pub(super) bone: BoneIndex,
    pub(super) origin: Vec3,
    /// Unit vectors.
    pub(super) axes: [Vec3; 3],
    pub(super) screen: Screen,
    /// In world units.
    pub(super) radius: f32,
}

impl Frame {
    /// The frame of what a drag of the tool's handles would move, by its pivot; `None` if that can't be posed or is not visible.
    pub(super) fn of(session: &Session, view: &View) -> Option<Frame> {
        let kind = session.workspace.tool.kind().filter(|_| session.is_posable())?;
        let space = kind.space(session.workspace.space);
        let (_, bones) = moved(view, session, kind, space);
        let active = bones.last()?;
        let origin = shared_pivot(session, kind, &bones).unwrap_or(active.head());
        let screen = Screen::of(session);
        let (right, up) = screen.camera.right_and_up();
        let directions = [right, up, -screen.camera.forward()];
        let axes = Axis::ALL.map(|axis| active.axis(axis, space, &directions));
        let radius = screen.units_per_pixel(origin) * RADIUS_POINTS * session.workspace.pixels_per_point.max(0.5);
        let frame = Frame { bone: active.bone, origin, axes, screen, radius };
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
