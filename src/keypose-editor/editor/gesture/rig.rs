//! Drags of the rig mode: joints that move in the bind pose, and new bones whose joint follows the mouse. Ctrl puts the joint into the
//! middle of the mesh under the mouse.

use std::sync::Arc;

use glam::{Mat3, Vec2, Vec3};

use crate::editor::document::Document;
use crate::editor::document::edit::{Label, ModelEdit};
use crate::editor::gesture::screen::Screen;
use crate::editor::gesture::typed::TypedNumber;
use crate::editor::gesture::{Drag, end};
use crate::editor::ops::rigging::{BoneEdit, NewBone, Solid, bind_heads, next_name};
use crate::editor::posing::change::Change;
use crate::editor::session::Session;
use crate::editor::session::camera::nearest_on_line;
use crate::editor::session::pointer::{Axis, ModalKey, PointerEvent};
use crate::editor::view::View;
use keypose::anim::skeleton::BoneIndex;
use keypose::assets::model::Model;
use keypose_tools::side_names::{mirror_of, other_side};
use keypose_tools::symmetry::{Plane, bind_plane};

/// Joints this near to the plane of symmetry, as a part of the size of the skeleton, stay in it.
const IN_THE_MIDDLE: f32 = 1e-3;
/// The distance in points within which a joint is hit.
const JOINT_POINTS: f32 = 10.0;

/// A drag of the rig mode.
#[derive(Clone, Debug)]
pub struct RigDrag {
    model: usize,
    what: What,
    /// The joint that the mouse leads, before the drag.
    start: Vec3,
    /// The pixels under the mouse at the start and now.
    pixels: [Vec2; 2],
    lock: Option<Axis>,
    typed: TypedNumber,
    /// The offset by the mouse.
    offset: Vec3,
    /// The meshes, once Ctrl asked for them.
    solid: Option<Arc<Solid>>,
    /// Whether a key started it: it ends with a click. Otherwise the button is down until it ends.
    is_modal: bool,
}

#[derive(Clone, Debug)]
enum What {
    /// Each joint with its place at the start, and how it follows.
    Move(Vec<(BoneIndex, Vec3, Mat3)>),
    /// Each new bone with how it follows; its head is that at the start.
    Add(Vec<(NewBone, Mat3)>),
}

/// The joint under a pixel.
pub fn joint(session: &Session, view: &View, pixel: Vec2) -> Option<BoneIndex> {
    let (skeleton, screen) = (&view.model.as_ref()?.skeleton, Screen::of(session));
    let shown = skeleton.indices().filter(|bone| !session.focus.hidden.contains(bone));
    let reach = JOINT_POINTS * session.workspace.pixels_per_point;
    screen.nearest(shown.map(|bone| (bone, view.pose.get(bone).translation())), pixel, reach)
}

impl RigDrag {
    /// Moves the selected joints; the active one leads.
    pub fn moving(session: &Session, model: &Model, pixel: Vec2, is_modal: bool) -> Option<RigDrag> {
        let selected = &session.focus.selection.bones;
        let active = *selected.last()?;
        let (heads, plane) = (bind_heads(model), bind_plane(model));
        let head = |bone: BoneIndex| heads.get(usize::from(bone)).copied();
        let start = head(active)?;
        let mut moved: Vec<(BoneIndex, Vec3, Mat3)> = Vec::new();
        let is_mirrored = session.transient.scene.rig().is_some_and(|desk| desk.is_mirrored);
        let size = heads.iter().fold(0.0_f32, |size, head| size.max(head.abs().max_element()));
        let is_central = |at: Vec3| plane.distance(at).abs() <= size * IN_THE_MIDDLE;
        // A joint in the middle leads as the side does to which the normal points.
        let side = if is_central(start) { 1.0 } else { plane.distance(start) };
        for bone in selected {
            let at = head(*bone)?;
            let other = mirror_of(&model.skeleton, *bone).filter(|other| is_mirrored && other != bone);
            let is_opposite = plane.distance(at) * side < 0.0 && other.is_some_and(|other| selected.contains(&other));
            let is_middle = is_mirrored
                && is_central(at)
                && model.skeleton.get(*bone).is_some_and(|bone| other_side(&bone.name).is_none());
            let follows = match (is_middle, is_opposite) {
                (true, _) => inside(&plane),
                (false, true) => across(&plane),
                (false, false) => Mat3::IDENTITY,
            };
            moved.push((*bone, at, follows));
            if let Some(other) = other.filter(|other| !selected.contains(other)) {
                moved.push((other, plane.point(at), across(&plane)));
            }
        }
        Some(RigDrag::new(session, What::Move(moved), start, pixel, is_modal))
    }

    /// Adds a child of the active bone at its joint, and one on the other side.
    pub fn extruding(session: &Session, model: &Model, pixel: Vec2) -> Option<RigDrag> {
        let active = session.focus.selection.active_bone()?;
        let parent = model.skeleton.get(active)?.name.clone();
        let start = *bind_heads(model).get(usize::from(active))?;
        let name = next_name(&model.skeleton, &parent);
        let new = |name: &str, parent: &str, head| NewBone { name: name.into(), parent: Some(parent.into()), head };
        let mut added = vec![(new(&name, &parent, start), Mat3::IDENTITY)];
        let is_mirrored = session.transient.scene.rig().is_some_and(|desk| desk.is_mirrored);
        let others = other_side(&name)
            .zip(mirror_of(&model.skeleton, active))
            .filter(|(other, partner)| is_mirrored && *partner != active && model.skeleton.find(other).is_none());
        if let Some((other, partner)) = others {
            let partner = model.skeleton.get(partner)?.name.clone();
            let plane = bind_plane(model);
            added.push((new(&other, &partner, plane.point(start)), across(&plane)));
        }
        Some(RigDrag::new(session, What::Add(added), start, pixel, true))
    }

    /// Adds a root under the mouse, as far away as `near`.
    pub fn adding(session: &Session, model: &Model, near: Vec3, pixel: Vec2) -> RigDrag {
        let screen = Screen::of(session);
        let start = screen.on_plane(pixel, near, screen.camera.forward()).unwrap_or(near);
        let name = next_name(&model.skeleton, "bone");
        let added = vec![(NewBone { name, parent: None, head: start }, Mat3::IDENTITY)];
        RigDrag::new(session, What::Add(added), start, pixel, true)
    }

    fn new(session: &Session, what: What, start: Vec3, pixel: Vec2, is_modal: bool) -> RigDrag {
        RigDrag {
            model: session.focus.model,
            what,
            start,
            pixels: [pixel; 2],
            lock: None,
            typed: TypedNumber::default(),
            offset: Vec3::ZERO,
            solid: None,
            is_modal,
        }
    }

    /// The name of its undo step.
    pub fn label(&self) -> Label {
        self.edit().label().into()
    }

    /// The names of the bones that it adds.
    pub fn added(&self) -> Vec<String> {
        match &self.what {
            What::Move(_) => Vec::new(),
            What::Add(added) => added.iter().map(|(bone, _)| bone.name.clone()).collect(),
        }
    }

    /// The status line.
    pub fn status(&self) -> String {
        let at = self.start + self.by();
        let axis = self.lock.map(|axis| format!(" along {}", axis.name())).unwrap_or_default();
        format!("{:.3}, {:.3}, {:.3} m{axis}{}     Ctrl  into the mesh", at.x, at.y, at.z, self.typed.status())
    }

    /// Handles the mouse. `base` is the document before the drag.
    pub fn pointer(&mut self, base: &Document, session: &Session, event: &PointerEvent) -> Drag {
        if let Some(end) = end(event.kind, self.is_modal) {
            return end;
        }
        self.pixels[1] = event.pixel;
        self.offset = self.offset_at(base, session, event.held.ctrl);
        Drag::Preview(self.change())
    }

    /// Handles a key of the keyboard.
    pub fn key(&mut self, base: &Document, session: &Session, key: ModalKey) -> Drag {
        if let ModalKey::Axis(axis) = key {
            self.lock = (self.lock != Some(axis)).then_some(axis);
            self.offset = self.offset_at(base, session, false);
        } else if let Some(done) = self.typed.key(key) {
            return done;
        }
        Drag::Preview(self.change())
    }

    /// The whole change since the start.
    pub fn change(&self) -> Change {
        Change::Edits(vec![ModelEdit::EditBones { model: self.model, edit: self.edit() }.into()])
    }

    fn edit(&self) -> BoneEdit {
        let by = self.by();
        match &self.what {
            What::Move(moved) => {
                BoneEdit::Move(moved.iter().map(|(bone, at, follow)| (*bone, *at + *follow * by)).collect())
            }
            What::Add(added) => {
                let placed =
                    |(bone, follow): &(NewBone, Mat3)| NewBone { head: bone.head + *follow * by, ..bone.clone() };
                BoneEdit::Add(added.iter().map(placed).collect())
            }
        }
    }

    /// How far the leading joint moves: a typed distance along the locked axis, or else X; or as the mouse says.
    fn by(&self) -> Vec3 {
        match self.typed.value() {
            Some(typed) => self.lock.unwrap_or(Axis::X).unit() * typed as f32,
            None => self.offset,
        }
    }

    fn offset_at(&mut self, base: &Document, session: &Session, is_centered: bool) -> Vec3 {
        let (screen, [from, to]) = (Screen::of(session), self.pixels);
        if is_centered && let Some(model) = base.models.get(self.model) {
            let solid = self.solid.get_or_insert_with(|| Arc::new(Solid::of(model)));
            if let Some(point) = solid.middle(&screen.ray(to)) {
                return point - self.start;
            }
        }
        if let Some(axis) = self.lock {
            let along = |pixel| nearest_on_line(&screen.ray(pixel), self.start, axis.unit());
            return along(from).zip(along(to)).map_or(Vec3::ZERO, |(from, to)| axis.unit() * (to - from));
        }
        let on_plane = |pixel| screen.on_plane(pixel, self.start, screen.camera.forward());
        on_plane(from).zip(on_plane(to)).map_or(Vec3::ZERO, |(from, to)| to - from)
    }
}

/// A joint on the other side follows as the mirror image.
fn across(plane: &Plane) -> Mat3 {
    Mat3::from_cols(plane.direction(Vec3::X), plane.direction(Vec3::Y), plane.direction(Vec3::Z))
}

/// A joint in the middle stays in the plane.
fn inside(plane: &Plane) -> Mat3 {
    (Mat3::IDENTITY + across(plane)) * 0.5
}
