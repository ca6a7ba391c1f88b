//! Picking: the bone nearest to a pixel, the bones in a box, and the bone that moves the mesh under a ray.

use glam::{Mat4, Vec2, Vec3};

use crate::editor::gesture::screen::Screen;
use crate::editor::ops::mesh_nodes::mesh_nodes;
use crate::editor::ops::mesh_tree::Hit;
use crate::editor::ops::mesh_tree::posed::{Target, hit_triangle};
use crate::editor::session::Session;
use crate::editor::view::View;
use crate::editor::view::mesh_trees::MeshTrees;
use crate::render::frame::bones::{self, BoneShape};
use crate::render::frame::camera::Ray;
use keypose::anim::pose::ModelPose;
use keypose::anim::skeleton::BoneIndex;
use keypose::assets::mesh::{Binding, Mesh};
use keypose::assets::model::{MeshSlot, Model, Visibility};
use keypose::assets::skinned_mesh::mesh_positions;
use keypose_tools::rig::vertex::VertexRef;

/// The distance in points from its drawn shape within which a bone is hit.
const BONE_POINTS: f32 = 9.0;
/// The maximum drawn half width in points that counts as part of a bone.
const MAX_WIDTH_POINTS: f32 = 12.0;
/// Distance in points from a joint within which its bone goes before the bone that ends there.
const JOINT_POINTS: f32 = 8.0;
/// Maximum share of its length for that distance, so that short bones keep their middle.
const JOINT_SHARE: f32 = 0.3;

/// The shapes of all bones that are not hidden. Mesh nodes have none: they are picked by their meshes.
fn shapes(session: &Session, view: &View) -> Vec<BoneShape> {
    let Some(model) = view.model.as_deref() else { return Vec::new() };
    let mut shapes = bones::shapes(&model.skeleton, &view.pose, &Mat4::IDENTITY);
    let mesh_nodes = mesh_nodes(model);
    shapes.retain(|shape| !session.focus.hidden.contains(&shape.bone) && !mesh_nodes.contains(&shape.bone));
    shapes
}

/// A bone that is drawn at a pixel.
struct Drawn {
    bone: BoneIndex,
    /// Low for bones near the pixel.
    rank: f32,
    /// The distance of the nearest place on it from the eye.
    depth: f32,
}

/// The bone drawn at a pixel: one that begins there before one that passes. Of those about as near, the one nearer to the eye. Where the
/// mesh is seen, bones of that part of it go before those of parts behind it.
pub fn bone(session: &Session, view: &View, trees: &MeshTrees, pixel: Vec2) -> Option<BoneIndex> {
    let shapes = shapes(session, view);
    let drawn: Vec<Drawn> = shapes.iter().filter_map(|shape| drawn_at(session, shape, pixel)).collect();
    let by_rank = |a: &&Drawn, b: &&Drawn| a.rank.total_cmp(&b.rank);
    let first = drawn.iter().min_by(by_rank)?;
    let model = view.model.as_deref()?;
    let is_ready = session.transient.scene.rig().is_none() && trees.missing(model).is_none();
    let Some(front) = is_ready.then(|| bone_of_mesh(session, view, trees, pixel)).flatten() else {
        return Some(first.bone);
    };
    let skeleton = &model.skeleton;
    let is_near =
        |bone: BoneIndex| bone == front || skeleton.parent(bone) == Some(front) || skeleton.parent(front) == Some(bone);
    if let Some(drawn) = drawn.iter().filter(|drawn| is_near(drawn.bone)).min_by(by_rank) {
        return Some(drawn.bone);
    }
    let eye = session.focus.camera.eye();
    let is_behind = shapes.iter().find(|shape| shape.bone == front).is_some_and(|shape| {
        let depth = shape.head.midpoint(shape.tail).distance(eye);
        first.depth - depth > shape.head.distance(shape.tail) * BEHIND
    });
    Some(if is_behind { front } else { first.bone })
}

/// A bone is behind another one if it is farther from the eye by this fraction of the length of that.
const BEHIND: f32 = 0.5;

/// A bone whose shape is drawn at a pixel.
fn drawn_at(session: &Session, shape: &BoneShape, pixel: Vec2) -> Option<Drawn> {
    let (screen, eye) = (Screen::of(session), session.focus.camera.eye());
    let point = session.workspace.pixels_per_point.max(0.5);
    let (from, to, pixel) = (screen.pixel(shape.head)? / point, screen.pixel(shape.tail)? / point, pixel / point);
    let width = (shape.radius / (screen.units_per_pixel(shape.head) * point)).min(MAX_WIDTH_POINTS);
    let share = share_along(pixel, from, to);
    let distance = (pixel.distance(from.lerp(to, share)) - width * BoneShape::width_at(share)).max(0.0);
    let joint = JOINT_POINTS.min(from.distance(to) * JOINT_SHARE);
    let before = (joint - pixel.distance(from)).max(0.0);
    let near = if before > 0.0 { distance * 0.25 - before } else { distance };
    // A small share of the depth decides between bones behind each other.
    let rank = near + (shape.head - eye).length() / session.focus.camera.distance.max(1e-6);
    let depth = shape.head.lerp(shape.tail, share).distance(eye);
    (distance <= BONE_POINTS).then_some(Drawn { bone: shape.bone, rank, depth })
}

/// The bones whose middle or head is in a box of pixels.
pub fn bones_in_box(session: &Session, view: &View, from: Vec2, to: Vec2) -> Vec<BoneIndex> {
    let (low, high) = (from.min(to), from.max(to));
    let screen = Screen::of(session);
    let is_inside =
        |point: Vec3| screen.pixel(point).is_some_and(|pixel| pixel.cmpge(low).all() && pixel.cmple(high).all());
    let inside = |shape: &BoneShape| is_inside(shape.head.lerp(shape.tail, 0.5)) || is_inside(shape.head);
    let shapes = shapes(session, view);
    let mut found: Vec<_> = shapes.iter().filter(|shape| inside(shape)).map(|shape| shape.bone).collect();
    found.dedup();
    found
}

/// The bone with the largest influence on the mesh that is seen at a pixel, unless it is hidden.
pub fn bone_of_mesh(session: &Session, view: &View, trees: &MeshTrees, pixel: Vec2) -> Option<BoneIndex> {
    let model = view.model.as_deref()?;
    let ray = session.focus.camera.ray(pixel, session.workspace.viewport);
    let (mesh, hit) = first_hit(model, view, trees, &ray)?;
    let bone = dominant(model, &model.meshes.get(mesh)?.mesh, hit.corners, hit.weights)?;
    (!session.focus.hidden.contains(&bone)).then_some(bone)
}

/// The vertex nearest to the first hit of a ray.
pub fn vertex_of_mesh(view: &View, trees: &MeshTrees, ray: &Ray) -> Option<VertexRef> {
    let (mesh, hit) = first_hit(view.model.as_deref()?, view, trees, ray)?;
    let nearest = hit.corners.into_iter().zip(hit.weights).max_by(|a, b| a.1.total_cmp(&b.1))?;
    Some(VertexRef { mesh, vertex: nearest.0 })
}

/// The mesh that a ray hits first, by its index.
fn first_hit(model: &Model, view: &View, trees: &MeshTrees, ray: &Ray) -> Option<(usize, Hit)> {
    let shown = model.meshes.iter().enumerate().filter(|(_, slot)| slot.visibility == Visibility::Shown);
    let hit_of = |slot: &MeshSlot| match trees.get(&slot.mesh) {
        Some(tree) => tree.first_hit(&Target::new(model, &slot.mesh, &view.pose), ray).0,
        None => first_of_all(model, &slot.mesh, &view.pose, ray),
    };
    let hits = shown.filter_map(|(at, slot)| Some((at, hit_of(slot)?)));
    hits.min_by(|(_, a), (_, b)| a.distance.total_cmp(&b.distance))
}

/// The first hit of a mesh whose hierarchy isn't ready: looks at every triangle.
fn first_of_all(model: &Model, mesh: &Mesh, pose: &ModelPose, ray: &Ray) -> Option<Hit> {
    let (mut matrices, mut posed) = (Vec::new(), Vec::new());
    mesh_positions(model, mesh, pose, &mut matrices, &mut posed);
    let hit = |triangle: &[u32]| {
        let corners: [usize; 3] = std::array::from_fn(|corner| triangle[corner] as usize);
        let (distance, weights) = hit_triangle(ray, corners.map(|corner| posed[corner]))?;
        Some(Hit { distance, corners, weights })
    };
    let hits = mesh.indices.chunks_exact(3).filter_map(hit);
    hits.min_by(|a, b| a.distance.total_cmp(&b.distance))
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

/// The distance of a point from a segment.
pub fn distance_to_segment(point: Vec2, from: Vec2, to: Vec2) -> f32 {
    point.distance(from.lerp(to, share_along(point, from, to)))
}

/// The place on a segment that is nearest to a point: 0 at `from`, 1 at `to`.
fn share_along(point: Vec2, from: Vec2, to: Vec2) -> f32 {
    let along = to - from;
    ((point - from).dot(along) / along.length_squared().max(1e-9)).clamp(0.0, 1.0)
}
