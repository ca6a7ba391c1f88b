//! The plane between the sides of a skeleton, and the pose in which they are mirror images of each other.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::f32::consts::FRAC_PI_2;

use glam::{Mat4, Quat, Vec3};

use crate::anim::mat34::Mat3x4;
use crate::anim::pose::ModelPose;
use crate::anim::skeleton::{BoneIndex, Skeleton};
use crate::assets::bone_match::PartBones;
use crate::assets::mesh::Binding;
use crate::assets::model::{MeshSlot, Model};
use crate::bind_pose::{bind_pose, bind_pose_of_parts};
use crate::side_names::other_side;

/// Rest positions that differ by at most this fraction of the skeleton's size mirror each other.
pub const POSITION_TOLERANCE: f32 = 0.01;

/// Planes, and poses, that mirror the bones almost as well as others: the difference, in sizes of the skeleton. Then a plane is x = 0 or z = 0.
const NEAR: f32 = 1e-3;
/// Fewer pairs don't say that a body faces between the axes.
const MIN_PAIRS: usize = 3;
/// The normal of the plane between the sides of a body that stands is level: its greatest slope.
const LEVEL: f32 = 0.1;
/// The cosine of the angle by which toes and sides may differ from the front and the left that they say.
const CLEARLY: f32 = 0.7;
/// The number of pairs whose planes are compared for all bones.
const MAX_PLANES: usize = 16;

/// A plane between the sides of a body, in model space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    /// Of unit length.
    pub normal: Vec3,
    /// How far the plane is from the origin, along the normal.
    pub offset: f32,
}

impl Default for Plane {
    /// x = 0.
    fn default() -> Plane {
        Plane { normal: Vec3::X, offset: 0.0 }
    }
}

impl Plane {
    /// The plane with a normal in the middle between two points.
    fn between([one, other]: &[Vec3; 2], normal: Vec3) -> Plane {
        Plane { normal, offset: normal.dot(*one + *other) / 2.0 }
    }

    /// How far a point is from the plane; negative on the side from which the normal points.
    pub fn distance(&self, point: Vec3) -> f32 {
        self.normal.dot(point) - self.offset
    }

    /// The mirror image of a point.
    pub fn point(&self, point: Vec3) -> Vec3 {
        point - 2.0 * self.distance(point) * self.normal
    }

    /// The mirror image of a direction.
    pub fn direction(&self, direction: Vec3) -> Vec3 {
        direction - 2.0 * self.normal.dot(direction) * self.normal
    }

    /// The mirror image of a rotation: by the same angle the other way about the reflected axis.
    pub fn rotation(&self, rotation: Quat) -> Quat {
        Quat::from_vec4((-self.direction(rotation.xyz())).extend(rotation.w))
    }
}

/// The plane between the sides of the bind pose: x = 0, unless another one mirrors more bones. A bone that was moved on one side alone
/// doesn't shift the plane.
pub fn bind_plane(model: &Model) -> Plane {
    let (skeleton, pose) = (&*model.skeleton, bind_pose(model));
    let head = |bone: BoneIndex| pose.get(bone).translation();
    let size = skeleton.indices().map(|bone| head(bone).distance(head(0))).fold(1e-6, f32::max);
    let tolerance = POSITION_TOLERANCE * size;
    let named = named_partners(skeleton).into_iter().filter(|(bone, partner)| bone < partner);
    let named = named.map(|(bone, partner)| [head(bone), head(partner)]);
    let pairs: Vec<[Vec3; 2]> = named.filter(|[one, other]| one.distance(*other) > tolerance).collect();
    let middle = skeleton.indices().zip(skeleton.bones()).filter(|(_, bone)| other_side(&bone.name).is_none());
    let middle: Vec<Vec3> = middle.map(|(bone, _)| head(bone)).collect();
    let mirrored = |plane: &Plane| {
        let is_mirrored = |pair: &&[Vec3; 2]| plane.point(pair[0]).distance(pair[1]) <= tolerance;
        pairs.iter().filter(is_mirrored).count()
    };
    let fits = |plane: &Plane| {
        let inside = middle.iter().filter(|head| plane.distance(**head).abs() <= tolerance).count();
        mirrored(plane).saturating_add(inside)
    };
    let tried = || pairs.iter().take(MAX_PLANES);
    let across = |normal: Vec3| {
        std::iter::once(Plane { normal, offset: 0.0 }).chain(tried().map(move |pair| Plane::between(pair, normal)))
    };
    let level = across(Vec3::X).chain(across(Vec3::Z)).filter(|plane| mirrored(plane) > 0);
    let own = tried().filter_map(|pair| Some(Plane::between(pair, (pair[0] - pair[1]).try_normalize()?)));
    let own = own.filter(|plane| plane.normal.y.abs() <= LEVEL && mirrored(plane) >= MIN_PAIRS);
    let default = Plane::default();
    std::iter::once(default).chain(level).chain(own).min_by_key(|plane| Reverse(fits(plane))).unwrap_or(default)
}

/// The pose whose sides are mirror images, and the normal of the plane between them through the origin. It is the rest pose, which may face any
/// way. Where that isn't even, because a file's nodes rest in a frame of a clip, it is the bind pose if that is.
pub fn reference(model: &Model, named: &BTreeMap<BoneIndex, BoneIndex>) -> (ModelPose, Vec3) {
    let rest = model.skeleton.rest_model_pose();
    let pairs = pairs(model, named);
    let symmetry = Symmetry::of(&rest, &pairs);
    let uneven = symmetry.as_ref().map_or(0.0, |symmetry| symmetry.error);
    if uneven <= POSITION_TOLERANCE {
        let Some(symmetry) = symmetry else { return (rest, Vec3::X) };
        let is_near = |axis: &Vec3| Symmetry::across(&rest, &pairs, *axis).error <= symmetry.error + NEAR;
        let is_clear = symmetry.normal.y.abs() <= LEVEL && pairs.len() >= MIN_PAIRS;
        let own = if is_clear { symmetry.normal } else { Vec3::X };
        let normal = [Vec3::X, Vec3::Z].into_iter().find(is_near).unwrap_or(own);
        return (rest, normal);
    }
    let best = best_bind(model, &pairs).filter(|(symmetry, _)| symmetry.error < uneven / 2.0);
    // Clips face as the rest pose does. Of a body in a stride, the first pair from the root says so: the thighs.
    let way = |pair: &[BoneIndex; 2]| rest.get(pair[0]).translation() - rest.get(pair[1]).translation();
    let size = rest.bones.iter().map(|bone| bone.translation().distance(rest.get(0).translation())).fold(0.0, f32::max);
    let first = pairs.iter().map(way).find(|way| way.length() > POSITION_TOLERANCE * size);
    let faces_x = first.is_some_and(|way| way.z.abs() > way.x.abs());
    match best.map(|(symmetry, bind)| symmetry.centered(&bind)) {
        Some(bind) if faces_x => (turned(&bind, &Mat4::from_rotation_y(FRAC_PI_2)), Vec3::Z),
        Some(bind) => (bind, Vec3::X),
        None => (rest, Vec3::X),
    }
}

/// The pairs that skins bind, or else that carry meshes: controls rest anywhere. All of a model that has neither, such as a library of clips.
fn pairs(model: &Model, named: &BTreeMap<BoneIndex, BoneIndex>) -> Vec<[BoneIndex; 2]> {
    let bound: BTreeSet<BoneIndex> = model.skins.iter().flat_map(|skin| skin.joints.iter().copied()).collect();
    let carrier = |slot: &MeshSlot| match slot.mesh.binding {
        Binding::Bone(bone) => Some(bone),
        Binding::Skin(_) => None,
    };
    let carriers: BTreeSet<BoneIndex> = model.meshes.iter().filter_map(carrier).collect();
    let all = || named.iter().map(|(bone, partner)| [*bone, *partner]).filter(|pair| pair[0] < pair[1]);
    let of = |bones: BTreeSet<BoneIndex>| -> Vec<[BoneIndex; 2]> {
        all().filter(|pair| pair.iter().all(|bone| bones.contains(bone))).collect()
    };
    let some = [bound, carriers].map(of).into_iter().find(|pairs| !pairs.is_empty());
    some.unwrap_or_else(|| all().collect())
}

/// The direction in which a character faces at rest: along the plane between its sides, to where its toes point or, without toes, with its left side
/// on the left. It is +z if neither says so.
pub fn front(model: &Model) -> Vec3 {
    let across = reference(model, &named_partners(&model.skeleton)).1;
    let ahead = across.cross(Vec3::Y).normalize_or(Vec3::Z);
    let (rest, parts) = (model.skeleton.rest_model_pose(), PartBones::of(model.into()));
    let place = |bone: BoneIndex| rest.get(bone).translation();
    let toes = [" toes", "left toes", "right toes"].into_iter().filter_map(|part| parts.find(part));
    let toes = toes.filter_map(|toes| Some(place(toes) - place(model.skeleton.parent(toes)?)));
    let lefts = parts.pairs().map(|[left, right]| place(left) - place(right));
    let along =
        |way: Vec3, axis: Vec3| Some(way.with_y(0.0).normalize_or_zero().dot(axis)).filter(|it| it.abs() > CLEARLY);
    let side = along(toes.sum(), ahead).or_else(|| along(lefts.sum(), across));
    side.map_or(Vec3::Z, |side| ahead * side.signum())
}

/// A pose that is moved and turned as a whole.
pub fn turned(pose: &ModelPose, by: &Mat4) -> ModelPose {
    let by = Mat3x4::from_mat4(by);
    ModelPose { bones: pose.bones.iter().map(|bone| by * *bone).collect(), ..pose.clone() }
}

/// The bind pose, if its sides are mirror images within half of a tolerance, in sizes of the skeleton.
pub fn even_bind(model: &Model, pairs: &[[BoneIndex; 2]], tolerance: f32) -> Option<ModelPose> {
    best_bind(model, pairs).filter(|(symmetry, _)| symmetry.error < tolerance / 2.0).map(|(_, bind)| bind)
}

/// How far bones are on average from the mirror images of their partners, in sizes of the skeleton.
pub fn unevenness(pose: &ModelPose, pairs: &[[BoneIndex; 2]]) -> f32 {
    Symmetry::of(pose, pairs).map_or(0.0, |symmetry| symmetry.error)
}

fn best_bind(model: &Model, pairs: &[[BoneIndex; 2]]) -> Option<(Symmetry, ModelPose)> {
    let binds = [bind_pose(model), bind_pose_of_parts(model)].into_iter().filter(|_| !model.skins.is_empty());
    let binds = binds.filter_map(|bind| Some((Symmetry::of(&bind, pairs)?, bind)));
    let rest = model.skeleton.rest_model_pose();
    let stretch = |bind: &ModelPose| stretch(&model.skeleton, [bind, &rest]);
    let is_better = |(new, bind): &(Symmetry, ModelPose), (old, other): &(Symmetry, ModelPose)| {
        let is_as_even = (new.error - old.error).abs() <= NEAR;
        if is_as_even { stretch(bind) < stretch(other) } else { new.error < old.error }
    };
    binds.reduce(|old, new| if is_better(&new, &old) { new } else { old })
}

/// How far the lengths of all bones of two poses differ. A head that was placed without its neck is far from it.
fn stretch(skeleton: &Skeleton, poses: [&ModelPose; 2]) -> f32 {
    let length = |pose: &ModelPose, bone: BoneIndex| {
        let above = skeleton.parent(bone).map(|parent| pose.get(parent).translation());
        above.map_or(0.0, |above| above.distance(pose.get(bone).translation()))
    };
    let [lengths, others] = poses.map(|pose| skeleton.indices().map(move |bone| length(pose, bone)));
    lengths.zip(others).map(|(length, other)| (length - other).abs()).sum()
}

/// The partner of each bone by name. Numbers behind names may differ: Sketchfab adds another one to each bone.
pub fn named_partners(skeleton: &Skeleton) -> BTreeMap<BoneIndex, BoneIndex> {
    let name = |bone: BoneIndex| skeleton.get(bone).map_or("", |bone| &bone.name);
    let bare = |name: &'_ str| name.trim_end_matches(|end: char| end.is_ascii_digit() || "_. -".contains(end)).len();
    let names: BTreeMap<&str, BoneIndex> = skeleton.indices().map(|bone| (name(bone), bone)).collect();
    let mut bare_names = BTreeMap::<&str, Vec<BoneIndex>>::new();
    for bone in skeleton.indices() {
        bare_names.entry(&name(bone)[..bare(name(bone))]).or_default().push(bone);
    }
    let partner = |bone: BoneIndex| {
        let exact = other_side(name(bone)).and_then(|other| names.get(other.as_str()).copied());
        let numbered = || {
            let own = &name(bone)[..bare(name(bone))];
            let other = other_side(own)?;
            match (bare_names.get(own)?.as_slice(), bare_names.get(other.as_str())?.as_slice()) {
                ([_], [partner]) => Some(*partner),
                _ => None,
            }
        };
        Some((bone, exact.or_else(numbered)?))
    };
    skeleton.indices().filter_map(partner).collect()
}

/// The plane between the sides of a pose.
struct Symmetry {
    normal: Vec3,
    offset: f32,
    /// How far bones are on average from the mirror images of their partners, in sizes of the skeleton.
    error: f32,
}

impl Symmetry {
    /// The plane between the pairs. `None` if they are nowhere apart.
    fn of(pose: &ModelPose, named: &[[BoneIndex; 2]]) -> Option<Symmetry> {
        let heads = |pair: &[BoneIndex; 2]| pair.map(|bone| pose.get(bone).translation());
        let mut across = Vec3::ZERO;
        for [one, other] in named.iter().map(heads) {
            let way = one - other;
            across += if across.dot(way) < 0.0 { -way } else { way };
        }
        let normal = across.try_normalize()?;
        Some(Symmetry::across(pose, named, if normal.x < 0.0 { -normal } else { normal }))
    }

    /// The plane in the middle between the pairs that has a normal.
    fn across(pose: &ModelPose, named: &[[BoneIndex; 2]], normal: Vec3) -> Symmetry {
        let middle = |[one, other]: &[BoneIndex; 2]| {
            normal.dot(pose.get(*one).translation() + pose.get(*other).translation()) / 2.0
        };
        let offset = named.iter().map(middle).sum::<f32>() / named.len().max(1) as f32;
        let mirrored = |point: Vec3| point - 2.0 * (normal.dot(point) - offset) * normal;
        let head = |bone: BoneIndex| pose.get(bone).translation();
        let away = named.iter().map(|[one, other]| mirrored(head(*one)).distance(head(*other)));
        let size = pose.bones.iter().map(|bone| bone.translation().distance(head(0))).fold(1e-6, f32::max);
        Symmetry { normal, offset, error: away.sum::<f32>() / (size * named.len().max(1) as f32) }
    }

    /// A pose that is moved and turned so that the plane is x = 0.
    fn centered(&self, pose: &ModelPose) -> ModelPose {
        let level = Mat4::from_quat(Quat::from_rotation_arc(self.normal, Vec3::X));
        turned(pose, &(Mat4::from_translation(Vec3::X * -self.offset) * level))
    }
}
