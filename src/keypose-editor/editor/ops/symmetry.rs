//! The plane between the sides of a skeleton, and the pose in which they are mirror images of each other.

use std::collections::{BTreeMap, BTreeSet};

use glam::{Mat4, Quat, Vec3};

use keypose::anim::mat34::Mat3x4;
use keypose::anim::pose::ModelPose;
use keypose::anim::skeleton::{BoneIndex, Skeleton};
use keypose::assets::model::Model;
use keypose_tools::bind_pose::{bind_pose, bind_pose_of_parts};
use keypose_tools::side_names::other_side;

/// Rest positions that differ by at most this fraction of the skeleton's size mirror each other.
pub const POSITION_TOLERANCE: f32 = 0.01;

/// The pose whose sides are mirror images: the rest pose. Where that isn't even, because a file's nodes rest in a frame of a clip, it is the
/// bind pose if that is.
pub fn reference(model: &Model, named: &BTreeMap<BoneIndex, BoneIndex>) -> ModelPose {
    let rest = model.skeleton.rest_model_pose();
    // Controls rest anywhere.
    let bound: BTreeSet<BoneIndex> = model.skins.iter().flat_map(|skin| skin.joints.iter().copied()).collect();
    let pairs = named.iter().map(|(bone, partner)| [*bone, *partner]);
    let pairs: Vec<[BoneIndex; 2]> =
        pairs.filter(|pair| pair[0] < pair[1] && pair.iter().all(|bone| bound.contains(bone))).collect();
    // A character that faces elsewhere is even, too.
    let uneven = Symmetry::of(&rest, &pairs).map_or(0.0, |symmetry| symmetry.error);
    if uneven <= POSITION_TOLERANCE {
        return rest;
    }
    let binds = [bind_pose(model), bind_pose_of_parts(model)].into_iter();
    let binds = binds.filter_map(|bind| Some((Symmetry::of(&bind, &pairs)?, bind)));
    let best = binds.min_by(|(a, _), (b, _)| a.error.total_cmp(&b.error));
    let best = best.filter(|(symmetry, _)| symmetry.error < uneven / 2.0);
    best.map_or(rest, |(symmetry, bind)| symmetry.centered(&bind))
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
        let normal = if normal.x < 0.0 { -normal } else { normal };
        let middles = named.iter().map(heads).map(|[one, other]| normal.dot(one + other) / 2.0);
        let offset = middles.sum::<f32>() / named.len() as f32;
        Some(Symmetry::with(pose, named, normal, offset))
    }

    fn with(pose: &ModelPose, named: &[[BoneIndex; 2]], normal: Vec3, offset: f32) -> Symmetry {
        let mirrored = |point: Vec3| point - 2.0 * (normal.dot(point) - offset) * normal;
        let head = |bone: BoneIndex| pose.get(bone).translation();
        let away = named.iter().map(|[one, other]| mirrored(head(*one)).distance(head(*other)));
        let size = pose.bones.iter().map(|bone| bone.translation().distance(head(0))).fold(1e-6, f32::max);
        Symmetry { normal, offset, error: away.sum::<f32>() / (size * named.len().max(1) as f32) }
    }

    /// A pose that is moved and turned so that the plane is x = 0.
    fn centered(&self, pose: &ModelPose) -> ModelPose {
        let turned = Mat4::from_quat(Quat::from_rotation_arc(self.normal, Vec3::X));
        let placed = Mat3x4::from_mat4(&(Mat4::from_translation(Vec3::X * -self.offset) * turned));
        ModelPose { bones: pose.bones.iter().map(|bone| placed * *bone).collect(), ..pose.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editor::ops::mirror::Pairs;
    use keypose::anim::skeleton::Bone;
    use keypose::anim::skin::Skin;
    use keypose::anim::transform::Transform;
    use std::sync::Arc;

    /// Feet that rest in a step, bound beside each other: nodes of a file in a frame of its clip.
    #[test]
    fn the_bind_pose_is_the_reference_where_the_rest_pose_is_uneven() {
        let at = |name: &str, parent, x: f32, z: f32| {
            let rest = Transform { translation: Vec3::new(x, 0.0, z), ..Transform::IDENTITY };
            Bone { name: name.into(), parent, rest }
        };
        let mut step =
            vec![at("hips", None, 0.0, 0.0), at("foot.L", Some(0), 0.2, 0.4), at("foot.R", Some(0), -0.2, -0.3)];
        step.extend([at("hand.L", Some(0), 0.5, 0.0), at("hand.R", Some(0), -0.5, 0.0)]);
        let skeleton = Arc::new(Skeleton::new(step).unwrap());
        let binds = [0.0, 0.2, -0.2, 0.5, -0.5].map(|x| Mat4::from_translation(-Vec3::X * x));
        let skin = Arc::new(Skin { name: "skin".into(), joints: (0..5).collect(), inverse_binds: binds.to_vec() });
        let model = Model { skeleton: skeleton.clone(), skins: vec![skin], ..Model::default() };
        let mirrored = Pairs::of_model(&model).mirrored_pose(&skeleton, &skeleton.rest_pose());
        let places = [1, 2].map(|bone| mirrored.get(bone).translation);
        let expected = [Vec3::new(0.2, 0.0, -0.3), Vec3::new(-0.2, 0.0, 0.4)];
        assert!(places.iter().zip(expected).all(|(is, should)| is.distance(should) < 1e-5), "{places:?}");
    }
}
