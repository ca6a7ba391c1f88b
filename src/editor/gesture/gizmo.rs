//! The gizmo as plain data: handles in pixels, to be drawn and hit. It follows the tool, the space and the selection.

use crate::editor::session::tool::Handle;
use std::f32::consts::TAU;

use glam::{Vec2, Vec3};

use crate::anim::skeleton::BoneIndex;
use crate::anim::transform::Transform;
use crate::assets::model::Model;
use crate::editor::gesture::pick::distance_to_segment;
use crate::editor::ops::limb::Limb;
use crate::editor::session::pointer::Axis;
use crate::editor::session::switch::Switch;
use crate::editor::session::tool::{Constraint, TransformKind};
use crate::editor::session::tool::{Space, Tool};
use crate::editor::state::Editor;
use crate::editor::view::View;
use crate::render::frame::camera::Camera;
use crate::render::frame::color::Color;

/// The gizmo's radius in pixels of the viewport, at a scale of 1.
pub const RADIUS_PIXELS: f32 = 84.0;
/// A handle is hit within this many pixels.
pub const HIT_PIXELS: f32 = 9.0;
/// Straight pieces of a ring.
const SEGMENTS: usize = 72;
/// Opacity of the far half of a ring.
const FAR_STRENGTH: f32 = 0.22;

/// What a handle looks like, in pixels of the viewport.
#[derive(Clone, Debug, PartialEq)]
pub enum Form {
    /// A line through all points.
    Line {
        /// At least two.
        points: Vec<Vec2>,
        /// In pixels.
        width: f32,
    },
    /// A filled convex area.
    Area {
        /// At least three, in order around it.
        points: Vec<Vec2>,
    },
}

/// A piece of the gizmo.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// What taking it does; `None` for guides that are only seen.
    pub handle: Option<Handle>,
    /// What it looks like.
    pub form: Form,
    /// With its opacity: the far half of a ring is fainter.
    pub color: Color,
}

/// Where the gizmo stands.
struct Stand {
    origin: Vec3,
    axes: [Vec3; 3],
    camera: Camera,
    size: Vec2,
    radius: f32,
}

impl Stand {
    fn pixel(&self, point: Vec3) -> Option<Vec2> {
        self.camera.pixel_of(point, self.size)
    }

    fn to_eye(&self) -> Vec3 {
        self.camera.to_eye(self.origin)
    }
}

/// The pieces to draw, back to front: the handles of the tool, or the guides of the transform that is under way.
pub fn shapes(editor: &Editor, view: &View) -> Vec<Shape> {
    let transform = editor.gesture.as_ref().and_then(|gesture| gesture.transform.as_ref());
    if let Some(transform) = transform {
        return guides(editor, transform);
    }
    let hot = editor.session.transient.pointer.hot;
    let Some(stand) = stand(editor, view) else { return Vec::new() };
    let mut shapes = match editor.session.workspace.tool {
        Tool::Select => Vec::new(),
        Tool::Move => move_shapes(&stand, TransformKind::Move),
        Tool::Rotate => rotate_shapes(&stand),
        Tool::Scale => scale_shapes(&stand),
        Tool::Reach => {
            let mut shapes = pole_shapes(editor, view, &stand);
            shapes.extend(move_shapes(&stand, TransformKind::Reach));
            shapes
        }
    };
    for shape in shapes.iter_mut().filter(|shape| hot.is_some() && shape.handle == hot) {
        shape.color = Color::WHITE.mix(shape.color, 0.25).with_alpha(shape.color.a.max(0.6));
        if let Form::Line { width, .. } = &mut shape.form {
            *width += 1.5;
        }
    }
    shapes
}

/// The handle under a pixel: an area that holds it, else the nearest line.
pub fn hit(editor: &Editor, view: &View, pixel: Vec2) -> Option<Handle> {
    let mut best: Option<(f32, Handle)> = None;
    for shape in shapes(editor, view).iter().filter(|shape| shape.color.a > FAR_STRENGTH) {
        let Some(handle) = shape.handle else { continue };
        let distance = distance_to(&shape.form, pixel);
        if distance <= HIT_PIXELS && best.is_none_or(|(before, _)| distance < before) {
            best = Some((distance, handle));
        }
    }
    best.map(|(_, handle)| handle)
}

fn distance_to(form: &Form, pixel: Vec2) -> f32 {
    let edge = |points: &[Vec2]| {
        points.windows(2).map(|pair| distance_to_segment(pixel, pair[0], pair[1])).fold(f32::INFINITY, f32::min)
    };
    match form {
        Form::Line { points, .. } => edge(points),
        Form::Area { points } => {
            let next = points.iter().cycle().skip(1);
            let sides = points.iter().zip(next).map(|(from, to)| (*to - *from).perp_dot(pixel - *from));
            let (mut left, mut right) = (true, true);
            sides.for_each(|side| (left, right) = (left && side >= 0.0, right && side <= 0.0));
            if left || right { 0.0 } else { edge(points) }
        }
    }
}

fn stand(editor: &Editor, view: &View) -> Option<Stand> {
    let session = &editor.session;
    let bone = session.focus.selection.active_bone().filter(|_| session.is_posable())?;
    let model = view.model.as_deref()?;
    let origin = pivot(editor, view, model, bone);
    let rotation = |bone| Transform::from_mat4(view.pose.get(bone).to_mat4()).rotation;
    let camera = session.focus.camera.camera();
    let (right, up) = camera.right_and_up();
    let space = if session.workspace.tool == Tool::Scale { Space::Local } else { session.workspace.space };
    let axes = match space {
        Space::Local => Vec3::AXES.map(|axis| rotation(bone) * axis),
        Space::Parent => {
            let parent = model.skeleton.parent(bone).map(rotation).unwrap_or_default();
            Vec3::AXES.map(|axis| parent * axis)
        }
        Space::Model => Vec3::AXES,
        Space::View => [right, up, -camera.forward()],
    };
    let scale = editor.session.workspace.pixels_per_point.max(0.5);
    let radius = camera.units_per_pixel(origin, session.workspace.viewport.y) * RADIUS_PIXELS * scale;
    let stand = Stand { origin, axes, camera, size: session.workspace.viewport, radius };
    stand.pixel(origin).is_some().then_some(stand)
}

/// Where the gizmo stands: at the active bone's origin, or in the middle between those that turn together.
fn pivot(editor: &Editor, view: &View, model: &Model, active: BoneIndex) -> Vec3 {
    let session = &editor.session;
    let head = |bone: BoneIndex| view.pose.get(bone).translation();
    let turns = matches!(session.workspace.tool, Tool::Rotate | Tool::Scale);
    if !session.is_on(Switch::SharedPivot) || !turns {
        return head(active);
    }
    let selected = &session.focus.selection.bones;
    let is_top =
        |bone: &&BoneIndex| !selected.iter().any(|other| other != *bone && model.skeleton.is_below(**bone, *other));
    let heads: Vec<Vec3> = selected.iter().filter(is_top).map(|&bone| head(bone)).collect();
    heads.iter().sum::<Vec3>() / heads.len().max(1) as f32
}

/// The colour of an axis: red, green, blue.
pub fn axis_color(axis: Axis) -> Color {
    Color::AXES[axis as usize]
}

const PALE: Color = Color::hex(0xd9dce3);

fn move_shapes(stand: &Stand, kind: TransformKind) -> Vec<Shape> {
    let mut shapes = plane_shapes(stand, kind);
    for axis in axes_by_depth(stand) {
        let handle = Handle { kind, constraint: Constraint::Axis(axis) };
        let (direction, color) = (stand.axes[axis as usize], faded(stand, axis));
        let Some((from, neck, tip)) = shaft(stand, direction) else { continue };
        let across = (tip - neck).perp().normalize_or_zero() * (tip - neck).length() * 0.42;
        push_line(&mut shapes, Some(handle), vec![from, neck], 3.0, color);
        push_area(&mut shapes, Some(handle), vec![neck + across, tip, neck - across], color);
    }
    let free = Handle { kind, constraint: Constraint::Free };
    shapes.extend(dot(stand, free, 0.12));
    shapes
}

/// The line from the middle joint to the pole of the active bone's limb, and the pole's handle.
fn pole_shapes(editor: &Editor, view: &View, stand: &Stand) -> Vec<Shape> {
    let mut shapes = Vec::new();
    let session = &editor.session;
    let found = session.focus.selection.active_bone().zip(view.model.as_deref()).and_then(|(bone, model)| {
        let limb = Limb::above(&model.skeleton, bone, session.workspace.chain_joints)?;
        Some((view.pose.get(limb.middle()?).translation(), limb.pole(&model.skeleton, &view.local)?))
    });
    let Some((middle, pole)) = found else { return shapes };
    let (Some(from), Some(to)) = (stand.pixel(middle), stand.pixel(pole)) else { return shapes };
    push_line(&mut shapes, None, vec![from, to], 1.5, POLE.with_alpha(0.55));
    let radius = POLE_PIXELS * session.workspace.pixels_per_point.max(0.5);
    let corners = [Vec2::X, Vec2::Y, Vec2::NEG_X, Vec2::NEG_Y].map(|way| to + way * radius);
    let handle = Handle { kind: TransformKind::Pole, constraint: Constraint::Free };
    push_area(&mut shapes, Some(handle), corners.to_vec(), POLE);
    shapes
}

/// The handle of a pole.
const POLE: Color = Color::hex(0xc78bff);
/// Half its width.
const POLE_PIXELS: f32 = 8.0;

fn scale_shapes(stand: &Stand) -> Vec<Shape> {
    let mut shapes = plane_shapes(stand, TransformKind::Scale);
    for axis in axes_by_depth(stand) {
        let handle = Handle { kind: TransformKind::Scale, constraint: Constraint::Axis(axis) };
        let (direction, color) = (stand.axes[axis as usize], faded(stand, axis));
        let Some((from, neck, tip)) = shaft(stand, direction) else { continue };
        let along = (tip - neck) * 0.42;
        let (middle, across) = ((neck + tip) / 2.0, along.perp());
        push_line(&mut shapes, Some(handle), vec![from, neck], 3.0, color);
        let corners = [along + across, across - along, -along - across, along - across];
        push_area(&mut shapes, Some(handle), corners.map(|corner| middle + corner).to_vec(), color);
    }
    let free = Handle { kind: TransformKind::Scale, constraint: Constraint::Free };
    shapes.extend(dot(stand, free, 0.16));
    shapes
}

fn rotate_shapes(stand: &Stand) -> Vec<Shape> {
    let mut shapes = Vec::new();
    let (right, up) = stand.camera.right_and_up();
    let outer = Handle { kind: TransformKind::Rotate, constraint: Constraint::Free };
    let points = ring(stand, right, up, 1.18);
    push_line(&mut shapes, Some(outer), points.iter().filter_map(|point| stand.pixel(*point)).collect(), 2.0, PALE);
    for axis in Axis::ALL {
        let handle = Handle { kind: TransformKind::Rotate, constraint: Constraint::Axis(axis) };
        let normal = stand.axes[axis as usize];
        let across = normal.any_orthonormal_vector();
        let points = ring(stand, across, normal.cross(across), 1.0);
        let is_flat = normal.dot(stand.to_eye()).abs() > 0.985;
        for pair in points.windows(2) {
            let (Some(from), Some(to)) = (stand.pixel(pair[0]), stand.pixel(pair[1])) else { continue };
            let is_near = ((pair[0] + pair[1]) / 2.0 - stand.origin).dot(stand.to_eye()) > -stand.radius * 0.02;
            let color = axis_color(axis).with_alpha(if is_near || is_flat { 1.0 } else { FAR_STRENGTH });
            let joins = |shape: &Shape| match &shape.form {
                Form::Line { points, .. } => {
                    points.last() == Some(&from) && shape.color == color && shape.handle == Some(handle)
                }
                Form::Area { .. } => false,
            };
            match shapes.last_mut().filter(|shape| joins(shape)) {
                Some(Shape { form: Form::Line { points, .. }, .. }) => points.push(to),
                _ => push_line(&mut shapes, Some(handle), vec![from, to], 3.0, color),
            }
        }
    }
    // The near halves last, over everything.
    shapes.sort_by_key(|shape| shape.color.a > FAR_STRENGTH);
    shapes
}

/// The line of the axis that a transform is held to, or the line from the pivot to the mouse.
fn guides(editor: &Editor, transform: &crate::editor::gesture::transform::Transforming) -> Vec<Shape> {
    let camera = editor.session.focus.camera.camera();
    let size = editor.session.workspace.viewport;
    let pixel = |point| camera.pixel_of(point, size);
    let mut shapes = Vec::new();
    let Some(pivot) = pixel(transform.pivot) else { return shapes };
    let locked = match transform.constraint {
        Constraint::Free => Vec::new(),
        Constraint::Axis(axis) => vec![axis],
        Constraint::Plane(across) => Axis::ALL.into_iter().filter(|&axis| axis != across).collect(),
    };
    let reach = camera.units_per_pixel(transform.pivot, size.y) * size.max_element();
    for axis in locked {
        let along = transform.axis(axis) * reach;
        // Far ends may lie behind the eye: shorter ones then.
        let end =
            |sign: f32| [1.0, 0.5, 0.25, 0.1].iter().find_map(|part| pixel(transform.pivot + along * (part * sign)));
        let points = [end(-1.0), Some(pivot), end(1.0)].into_iter().flatten().collect();
        push_line(&mut shapes, None, points, 1.5, axis_color(axis).with_alpha(0.8));
    }
    if matches!(transform.kind, TransformKind::Rotate | TransformKind::Scale) {
        push_line(&mut shapes, None, vec![pivot, editor.session.transient.pointer.pixel], 1.0, PALE.with_alpha(0.6));
    }
    shapes
}

fn plane_shapes(stand: &Stand, kind: TransformKind) -> Vec<Shape> {
    let mut shapes = Vec::new();
    for axis in Axis::ALL {
        let [along, across] = match axis {
            Axis::X => [1, 2],
            Axis::Y => [2, 0],
            Axis::Z => [0, 1],
        };
        let (a, b) = (stand.axes[along] * stand.radius, stand.axes[across] * stand.radius);
        if stand.axes[axis as usize].dot(stand.to_eye()).abs() < 0.2 {
            continue;
        }
        let corners = [(0.30, 0.30), (0.52, 0.30), (0.52, 0.52), (0.30, 0.52)];
        let points: Vec<_> = corners.iter().filter_map(|(x, y)| stand.pixel(stand.origin + a * *x + b * *y)).collect();
        let handle = Handle { kind, constraint: Constraint::Plane(axis) };
        if points.len() == 4 {
            push_area(&mut shapes, Some(handle), points, axis_color(axis).with_alpha(0.45));
        }
    }
    shapes
}

/// A small disc at the origin.
fn dot(stand: &Stand, handle: Handle, size: f32) -> Option<Shape> {
    let (right, up) = stand.camera.right_and_up();
    let points: Vec<_> =
        ring(stand, right, up, size).iter().step_by(6).filter_map(|point| stand.pixel(*point)).collect();
    (points.len() > 2).then(|| Shape {
        handle: Some(handle),
        form: Form::Area { points },
        color: PALE.with_alpha(0.85),
    })
}

/// Where the shaft of an arrow starts, where its head starts, and its tip; none where it points at the eye.
fn shaft(stand: &Stand, direction: Vec3) -> Option<(Vec2, Vec2, Vec2)> {
    let at = |part: f32| stand.pixel(stand.origin + direction * (stand.radius * part));
    let is_seen = direction.dot(stand.to_eye()).abs() < 0.985;
    Some((at(0.2)?, at(0.84)?, at(1.05)?)).filter(|_| is_seen)
}

fn faded(stand: &Stand, axis: Axis) -> Color {
    let towards = stand.axes[axis as usize].dot(stand.to_eye()).abs();
    axis_color(axis).with_alpha(1.0 - ((towards - 0.9) / 0.085).clamp(0.0, 0.7))
}

/// The axis that points away first.
fn axes_by_depth(stand: &Stand) -> [Axis; 3] {
    let mut axes = Axis::ALL;
    let depth = |axis: Axis| stand.axes[axis as usize].dot(stand.to_eye());
    axes.sort_by(|a, b| depth(*a).total_cmp(&depth(*b)));
    axes
}

fn ring(stand: &Stand, across: Vec3, along: Vec3, size: f32) -> Vec<Vec3> {
    let radius = stand.radius * size;
    let point = |step: usize| {
        let (sin, cos) = (step as f32 / SEGMENTS as f32 * TAU).sin_cos();
        stand.origin + (across * cos + along * sin) * radius
    };
    (0..=SEGMENTS).map(point).collect()
}

fn push_line(shapes: &mut Vec<Shape>, handle: Option<Handle>, points: Vec<Vec2>, width: f32, color: Color) {
    if points.len() > 1 {
        shapes.push(Shape { handle, form: Form::Line { points, width }, color });
    }
}

fn push_area(shapes: &mut Vec<Shape>, handle: Option<Handle>, points: Vec<Vec2>, color: Color) {
    shapes.push(Shape { handle, form: Form::Area { points }, color });
}
