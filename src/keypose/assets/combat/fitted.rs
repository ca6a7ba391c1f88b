//! Volumes fitted to the mesh: around the vertices that a bone moves most.

use std::sync::Arc;

use glam::{Mat3, Vec3};

use crate::anim::skin::cpu::Influences;
use crate::anim::skin::dual::strongest;
use crate::assets::combat::volume::Volume;
use crate::assets::fit::fit;
use crate::assets::mesh::{Binding, Mesh};
use crate::assets::model::{Model, Socket, Visibility};
use crate::assets::skinned_mesh::mesh_positions;

/// The maximum number of volumes that [`fitted_all`] makes.
pub const MAX_FITTED: usize = 24;
/// The fraction of the vertices that are nearer to the axis than the radius. The rest, hair and edges of clothes, sticks out:
/// a hit that looks like a miss annoys players more than the reverse.
const COVERED: f32 = 0.8;
/// Parts that are smaller than this fraction of the model's height have no volume of their own: fingers, eyes.
const SMALLEST: f32 = 0.08;
/// A part that is at least this many times as long as its radius is a capsule, otherwise a sphere.
const LONG: f32 = 2.5;
/// Fewer vertices than this have no shape.
const FEWEST: usize = 4;

/// The volume around the vertices that a bone moves most, in the space of the bone, named as the bone. `None` if there are too few.
pub fn fitted(model: &Model, bone: usize) -> Option<Volume> {
    let points = points_by_bone(model, |_| true);
    around(points.get(bone)?, scale_of(model, bone)).map(|capsule| capsule.named(model, bone))
}

/// The volume around the model that a socket on a bone holds, such as the sword in a hand, in the space of the bone, named as the
/// bone. `None` if no socket holds one of `models` there.
pub fn fitted_held(model: &Model, bone: usize, models: &[Arc<Model>]) -> Option<Volume> {
    let is_on_bone = |socket: &&Socket| usize::from(socket.bone) == bone && !socket.attached.is_empty();
    let (socket, held) = model
        .sockets
        .iter()
        .filter(is_on_bone)
        .find_map(|socket| Some((socket, models.iter().find(|held| held.name == socket.attached)?)))?;
    let (pose, bone_from_socket) = (held.skeleton.rest_model_pose(), socket.transform.to_mat4());
    let (mut points, mut palette, mut placed) = (Vec::new(), Vec::new(), Vec::new());
    for slot in held.meshes.iter().filter(|slot| slot.visibility == Visibility::Shown) {
        mesh_positions(held, &slot.mesh, &pose, &mut palette, &mut placed);
        points.extend(placed.iter().map(|&point| bone_from_socket.transform_point3(point)).filter(|it| it.is_finite()));
    }
    around(&points, scale_of(model, bone)).map(|capsule| capsule.named(model, bone))
}

/// Volumes around the parts of a model, in the order of the skeleton: of bones with a large enough part of the skinned meshes, or
/// of all meshes if none is skinned. At most [`MAX_FITTED`], the largest.
pub fn fitted_all(model: &Model) -> Vec<Volume> {
    let is_skinned = model.is_skinned();
    let points = points_by_bone(model, |mesh| !is_skinned || matches!(mesh.binding, Binding::Skin(_)));
    let smallest = fit(model).height * SMALLEST;
    let parts = points.iter().zip(model.skeleton.bone_scales()).enumerate();
    let capsules = parts.filter_map(|(bone, (points, scale))| Some((bone, around(points, scale)?)));
    let mut large: Vec<_> = capsules.filter(|(_, capsule)| capsule.length() >= smallest).collect();
    large.sort_by(|(_, a), (_, b)| b.length().total_cmp(&a.length()));
    large.truncate(MAX_FITTED);
    large.sort_by_key(|(bone, _)| *bone);
    large.into_iter().map(|(bone, capsule)| capsule.named(model, bone)).collect()
}

/// A capsule in the space of a bone, of a scale in the model; its radius is in model units.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Fitted {
    from: Vec3,
    to: Vec3,
    radius: f32,
    scale: f32,
}

impl Fitted {
    fn length(&self) -> f32 {
        self.from.distance(self.to) * self.scale + 2.0 * self.radius
    }

    fn named(self, model: &Model, bone: usize) -> Volume {
        let name = model.skeleton.bones().get(bone).map(|bone| bone.name.clone()).unwrap_or_default();
        Volume { bone: name.clone(), name, from: self.from, to: self.to, radius: self.radius }
    }
}

/// For each bone, the vertices of shown meshes that it moves most, in its space when the mesh was bound.
fn points_by_bone(model: &Model, is_wanted: impl Fn(&Mesh) -> bool) -> Vec<Vec<Vec3>> {
    let mut points = vec![Vec::new(); model.skeleton.len()];
    let shown = model.meshes.iter().filter(|slot| slot.visibility == Visibility::Shown);
    for mesh in shown.map(|slot| &slot.mesh).filter(|mesh| is_wanted(mesh)) {
        match mesh.binding {
            Binding::Bone(bone) => {
                if let Some(points) = points.get_mut(usize::from(bone)) {
                    points.extend(mesh.positions.iter().filter(|point| point.is_finite()));
                }
            }
            Binding::Skin(skin) => {
                let Some(skin) = model.skins.get(skin) else { continue };
                let influences = Influences::of(&mesh.influences);
                for (vertex, &position) in mesh.positions.iter().enumerate() {
                    let Some(joint) = strongest(&influences, vertex) else { continue };
                    let place = skin.joints.get(joint).zip(skin.inverse_binds.get(joint));
                    let Some((&bone, bind)) = place else { continue };
                    let point = bind.transform_point3(position);
                    if point.is_finite()
                        && let Some(points) = points.get_mut(usize::from(bone))
                    {
                        points.push(point);
                    }
                }
            }
        }
    }
    points
}

/// The scale of the space of a bone in the model.
fn scale_of(model: &Model, bone: usize) -> f32 {
    model.skeleton.bone_scales().get(bone).copied().unwrap_or(1.0)
}

/// The capsule along the main axis of points in the space of a bone.
fn around(points: &[Vec3], scale: f32) -> Option<Fitted> {
    if points.len() < FEWEST {
        return None;
    }
    let middle = points.iter().map(|point| point.as_dvec3()).sum::<glam::DVec3>() / points.len() as f64;
    let middle = middle.as_vec3();
    let axis = main_axis(points, middle);
    let along: Vec<f32> = points.iter().map(|point| (*point - middle).dot(axis)).collect();
    let (low, high) =
        along.iter().fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), &at| (low.min(at), high.max(at)));
    // The axis through the middle of the cross-section, not through the mean: vertices are denser on one side.
    let across = |point: &Vec3| (*point - middle).reject_from_normalized(axis);
    let (least, most) = points
        .iter()
        .map(across)
        .fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(least, most), at| (least.min(at), most.max(at)));
    let center = middle + ((least + most) / 2.0).reject_from_normalized(axis);
    let mut distances: Vec<f32> =
        points.iter().map(|point| (*point - center).reject_from_normalized(axis).length()).collect();
    let nth = ((distances.len() - 1) as f32 * COVERED) as usize;
    let (_, radius, _) = distances.select_nth_unstable_by(nth, f32::total_cmp);
    let radius = radius.max((high - low) * 0.05);
    if !(radius.is_finite() && radius > 0.0) {
        return None;
    }
    let (from, to) = if high - low > LONG * radius {
        (center + axis * (low + radius), center + axis * (high - radius))
    } else {
        let center = center + axis * ((low + high) / 2.0);
        (center, center)
    };
    (from.is_finite() && to.is_finite()).then_some(Fitted { from, to, radius: radius * scale, scale })
}

/// The direction in which points reach farthest: the first eigenvector of their covariance, by power iteration.
fn main_axis(points: &[Vec3], middle: Vec3) -> Vec3 {
    let mut sum = Mat3::ZERO;
    for point in points {
        let arm = *point - middle;
        sum += Mat3::from_cols(arm * arm.x, arm * arm.y, arm * arm.z);
    }
    let columns = [sum.x_axis, sum.y_axis, sum.z_axis];
    let longest = columns.into_iter().max_by(|a, b| a.length().total_cmp(&b.length())).unwrap_or(Vec3::Y);
    let mut axis = longest.normalize_or(Vec3::Y);
    for _ in 0..32 {
        axis = (sum * axis).normalize_or(axis);
    }
    axis
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tube of rings along an axis through a point.
    fn tube(middle: Vec3, axis: Vec3, half: f32, radius: f32) -> Vec<Vec3> {
        let (side, other) = axis.any_orthonormal_pair();
        let ring = |t: f32| {
            (0..12).map(move |step| {
                let (sin, cos) = (step as f32 * std::f32::consts::TAU / 12.0).sin_cos();
                middle + axis * t + (side * cos + other * sin) * radius
            })
        };
        (-10..=10).flat_map(|step| ring(half * step as f32 / 10.0)).collect()
    }

    #[test]
    fn a_tube_becomes_a_capsule_inside_it() {
        let axis = Vec3::new(1.0, 2.0, -0.5).normalize();
        let middle = Vec3::new(0.3, -4.0, 2.0);
        let fitted = around(&tube(middle, axis, 1.0, 0.2), 1.0).unwrap();
        assert!((fitted.radius - 0.2).abs() < 1e-3, "{fitted:?}");
        assert!(((fitted.from + fitted.to) / 2.0).distance(middle) < 1e-3, "{fitted:?}");
        assert!((fitted.length() - 2.0).abs() < 1e-3, "{fitted:?}");
        assert!((fitted.to - fitted.from).normalize().dot(axis).abs() > 0.9999);
        // The same tube on a bone that is scaled by 100.
        let small: Vec<Vec3> = tube(middle, axis, 1.0, 0.2).iter().map(|point| *point / 100.0).collect();
        let scaled = around(&small, 100.0).unwrap();
        assert!((scaled.radius - 0.2).abs() < 1e-3 && (scaled.length() - 2.0).abs() < 1e-3, "{scaled:?}");
        assert!((scaled.from * 100.0).distance(fitted.from) < 1e-3, "{scaled:?}");
    }

    #[test]
    fn a_flat_ring_becomes_a_sphere() {
        let fitted = around(&tube(Vec3::ONE, Vec3::Y, 0.1, 0.5), 1.0).unwrap();
        assert_eq!(fitted.from, fitted.to);
        assert!(fitted.from.distance(Vec3::ONE) < 0.05, "{fitted:?}");
    }

    #[test]
    fn too_few_or_equal_points_have_no_volume() {
        assert_eq!(around(&[], 1.0), None);
        assert_eq!(around(&[Vec3::X; 3], 1.0), None);
        assert_eq!(around(&[Vec3::X; 30], 1.0), None);
    }
}
