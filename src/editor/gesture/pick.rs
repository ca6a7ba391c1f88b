//! Which bone lies under a pixel: the nearest one in pixels, generously; and whose bone moves the mesh there.

use glam::{Mat4, Vec2, Vec3};

use crate::anim::skeleton::BoneIndex;
use crate::assets::mesh::{Binding, Mesh};
use crate::assets::model::{Model, Visibility};
use crate::assets::skinned_mesh::mesh_positions;
use crate::editor::state::Editor;
use crate::editor::view::View;
use crate::render::frame::bones::{self, BoneShape};
use crate::render::frame::camera::Ray;

/// A bone is hit within this many pixels of its line.
pub const BONE_PIXELS: f32 = 9.0;

/// The shapes of the bones that are not hidden, as they are drawn.
pub fn shapes(editor: &Editor, view: &View) -> Vec<BoneShape> {
    let Some(model) = view.model.as_deref() else { return Vec::new() };
    let mut shapes = bones::shapes(&model.skeleton, &view.pose, &Mat4::IDENTITY);
    shapes.retain(|shape| !editor.session.focus.hidden.contains(&shape.bone));
    shapes
}

/// The bone under a pixel: the nearest in pixels; of those about as near, the one nearer to the eye.
pub fn bone(editor: &Editor, view: &View, pixel: Vec2) -> Option<BoneIndex> {
    let (orbit, viewport) = (&editor.session.focus.camera, editor.session.workspace.viewport);
    let (camera, eye) = (orbit.camera(), orbit.eye());
    let mut best: Option<(f32, BoneIndex)> = None;
    for shape in shapes(editor, view) {
        let ends = (camera.pixel_of(shape.head, viewport), camera.pixel_of(shape.tail, viewport));
        let (Some(from), Some(to)) = ends else { continue };
        // The octahedron's own width counts as hit, more than that is generosity.
        let width = shape.radius / camera.units_per_pixel(shape.head, viewport.y);
        let distance = (distance_to_segment(pixel, from, to) - width.min(MOST_WIDTH_PIXELS)).max(0.0);
        // A little for the depth decides between bones that lie behind each other.
        let rank = distance + (shape.head - eye).length() / orbit.distance.max(1e-6);
        if distance <= BONE_PIXELS && best.is_none_or(|(before, _)| rank < before) {
            best = Some((rank, shape.bone));
        }
    }
    best.map(|(_, bone)| bone)
}

/// A bone is hit within its drawn width, up to this many pixels, and [`BONE_PIXELS`] around that.
const MOST_WIDTH_PIXELS: f32 = 12.0;

/// The bones of which the middle or the head lies in a box of pixels.
pub fn bones_in_box(editor: &Editor, view: &View, from: Vec2, to: Vec2) -> Vec<BoneIndex> {
    let (low, high) = (from.min(to), from.max(to));
    let (camera, viewport) = (editor.session.focus.camera.camera(), editor.session.workspace.viewport);
    let is_inside = |point: Vec3| {
        let pixel = camera.pixel_of(point, viewport);
        pixel.is_some_and(|pixel| pixel.cmpge(low).all() && pixel.cmple(high).all())
    };
    let inside = |shape: &BoneShape| is_inside(shape.head.lerp(shape.tail, 0.5)) || is_inside(shape.head);
    let mut found: Vec<_> = shapes(editor, view).iter().filter(|shape| inside(shape)).map(|shape| shape.bone).collect();
    found.dedup();
    found
}

/// The bone that moves the mesh most where a ray hits it first.
pub fn bone_of_mesh(view: &View, ray: &Ray) -> Option<BoneIndex> {
    let model = view.model.as_deref()?;
    let (mut nearest, mut found) = (f32::INFINITY, None);
    let (mut matrices, mut posed) = (Vec::new(), Vec::new());
    for slot in model.meshes.iter().filter(|slot| slot.visibility == Visibility::Shown) {
        let mesh = &slot.mesh;
        mesh_positions(model, mesh, &view.pose, &mut matrices, &mut posed);
        for triangle in mesh.indices.chunks_exact(3) {
            let corners = [0, 1, 2].map(|corner| triangle[corner] as usize);
            let hit = hit_triangle(ray, corners.map(|corner| posed[corner]));
            if let Some((distance, weights)) = hit.filter(|(distance, _)| *distance < nearest) {
                (nearest, found) = (distance, dominant(model, mesh, corners, weights));
            }
        }
    }
    found
}

/// Distance along the ray and the weights of the corners (Möller and Trumbore 1997); both sides count.
fn hit_triangle(ray: &Ray, [a, b, c]: [Vec3; 3]) -> Option<(f32, [f32; 3])> {
    let (ab, ac) = (b - a, c - a);
    let across = ray.direction.cross(ac);
    let scale = 1.0 / ab.dot(across);
    let from_a = ray.origin - a;
    let v = from_a.dot(across) * scale;
    let up = from_a.cross(ab);
    let w = ray.direction.dot(up) * scale;
    let distance = ac.dot(up) * scale;
    let is_hit = scale.is_finite() && v >= 0.0 && w >= 0.0 && v + w <= 1.0 && distance > 0.0;
    is_hit.then_some((distance, [1.0 - v - w, v, w]))
}

/// The bone with the largest influence on a point of a triangle.
fn dominant(model: &Model, mesh: &Mesh, corners: [usize; 3], weights: [f32; 3]) -> Option<BoneIndex> {
    let skin = match mesh.binding {
        Binding::Bone(bone) => return Some(bone),
        Binding::Skin(skin) => model.skins.get(skin)?,
    };
    let mut sums = std::collections::BTreeMap::<BoneIndex, f32>::new();
    for (corner, share) in corners.into_iter().zip(weights) {
        for set in &mesh.influences {
            for (joint, weight) in set.joints[corner].into_iter().zip(set.weights[corner]) {
                if let Some(&bone) = skin.joints.get(usize::from(joint)) {
                    *sums.entry(bone).or_default() += weight * share;
                }
            }
        }
    }
    sums.into_iter().max_by(|a, b| a.1.total_cmp(&b.1)).map(|(bone, _)| bone)
}

/// How far a point lies from a segment.
pub fn distance_to_segment(point: Vec2, from: Vec2, to: Vec2) -> f32 {
    let along = to - from;
    let share = ((point - from).dot(along) / along.length_squared().max(1e-9)).clamp(0.0, 1.0);
    point.distance(from + along * share)
}
