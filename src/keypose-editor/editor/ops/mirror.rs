//! Mirroring across the plane between the sides, which is x = 0 for characters that face z: pairs of bones found by name or position, and poses mirrored whatever way the axes
//! of the bones point.

use std::collections::BTreeMap;

use glam::{DMat4, DVec3, DVec4, Vec3};

use crate::editor::ops::posed::Posed;
use keypose::anim::key::Channel;
use keypose::anim::pose::{LocalPose, ModelPose};
use keypose::anim::scalar::{Scalar, ScalarIndex};
use keypose::anim::skeleton::{BoneIndex, Skeleton};
use keypose::anim::transform::Transform;
use keypose::assets::model::Model;
use keypose_tools::side_names::other_side;
use keypose_tools::symmetry::{self, POSITION_TOLERANCE, Plane, named_partners};

/// The number of bones through which a plane between the sides is tried.
const MAX_PLANES: usize = 16;

/// How the partner of a bone was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// The bone is in the middle and its own partner.
    Middle,
    ByName,
    /// By its position in the rest pose.
    ByPlace,
    /// By the user's correction.
    ByHand,
}

/// The partner of every bone on the other side.
#[derive(Clone, Debug, PartialEq)]
pub struct Pairs {
    /// In skeleton order. A bone in the middle is its own partner.
    pub partner: Vec<(BoneIndex, Found)>,
    /// Per bone: the reflection from the space of its partner to its own.
    reflections: Vec<DMat4>,
    /// Per scalar: the one on the other side, or itself.
    scalars: Vec<ScalarIndex>,
    /// Per bone: see [`Pairs::is_right`].
    right: Vec<bool>,
    /// The reflection in model space.
    flip: DMat4,
}

/// The number of bones above each bone.
fn levels(skeleton: &Skeleton) -> Vec<usize> {
    let mut levels: Vec<usize> = Vec::with_capacity(skeleton.len());
    for bone in skeleton.indices() {
        // Parents come first.
        let above = skeleton.parent(bone).and_then(|parent| levels.get(usize::from(parent)));
        levels.push(above.map_or(0, |above| above + 1));
    }
    levels
}

/// The places of bones, by which partners without names of sides are found.
struct Places {
    heads: Vec<Vec3>,
    levels: Vec<usize>,
    /// The bones by x, so that few are compared.
    sorted: Vec<BoneIndex>,
    tolerance: f32,
}

impl Places {
    fn of(skeleton: &Skeleton, rest: &ModelPose) -> Places {
        let heads: Vec<Vec3> = rest.bones.iter().map(|bone| bone.translation()).collect();
        let low = heads.iter().copied().reduce(Vec3::min).unwrap_or_default();
        let high = heads.iter().copied().reduce(Vec3::max).unwrap_or_default();
        // The height, or half of the width or length.
        let size = ((high - low) * Vec3::new(0.5, 1.0, 0.5)).max_element().max(1e-6);
        let mut sorted: Vec<BoneIndex> = skeleton.indices().collect();
        sorted.sort_by(|a, b| heads[usize::from(*a)].x.total_cmp(&heads[usize::from(*b)].x));
        Places { levels: levels(skeleton), sorted, tolerance: size * POSITION_TOLERANCE, heads }
    }

    /// The plane through the origin or, if a model stands elsewhere, the one through one of some bones that leaves none of `all` alone.
    fn plane(&self, normal: Vec3, all: &[BoneIndex]) -> Plane {
        let origin = Plane { normal, offset: 0.0 };
        let is_free = |plane: &Plane| all.iter().all(|bone| self.partner(*bone, plane).is_none());
        let is_whole = |plane: &Plane| {
            let is_in = |bone: BoneIndex| plane.distance(self.heads[usize::from(bone)]).abs() < self.tolerance;
            all.iter().all(|bone| is_in(*bone) || self.partner(*bone, plane).is_some())
        };
        if !is_free(&origin) {
            return origin;
        }
        let through = all.iter().take(MAX_PLANES).map(|bone| self.heads[usize::from(*bone)].dot(normal));
        let mut planes = through.map(|offset| Plane { normal, offset });
        planes.find(|plane| is_whole(plane) && !is_free(plane)).unwrap_or(origin)
    }

    /// The nearest bone of the same level at the place that mirrors a bone's. `None` if it is in the plane.
    fn partner(&self, bone: BoneIndex, plane: &Plane) -> Option<BoneIndex> {
        let head = |bone: BoneIndex| self.heads[usize::from(bone)];
        let level = |bone: BoneIndex| self.levels[usize::from(bone)];
        if plane.distance(head(bone)).abs() < self.tolerance {
            return None;
        }
        let mirrored = plane.point(head(bone));
        let first = self.sorted.partition_point(|&other| head(other).x < mirrored.x - self.tolerance);
        let near = self.sorted[first..].iter().take_while(|&&other| head(other).x <= mirrored.x + self.tolerance);
        let alike = near.copied().filter(|&other| other != bone && level(other) == level(bone));
        let distance = |other: BoneIndex| head(other).distance(mirrored);
        let nearest = alike.min_by(|&a, &b| distance(a).total_cmp(&distance(b)).then(a.cmp(&b)))?;
        (distance(nearest) < self.tolerance).then_some(nearest)
    }
}

impl Pairs {
    /// The pairs of a model with the user's corrections.
    pub fn of_model(model: &Model) -> Pairs {
        let named = named_partners(&model.skeleton);
        let (rest, across) = symmetry::reference(model, &named);
        Pairs::with(&model.skeleton, (&rest, across, &named), &model.rig.corrections(&model.skeleton))
    }

    /// Finds the pairs of a skeleton, with a pose as the reference of reflections and the normal of their plane. `corrected` takes precedence.
    fn with(
        skeleton: &Skeleton,
        (rest, across, named): (&ModelPose, Vec3, &BTreeMap<BoneIndex, BoneIndex>),
        corrected: &BTreeMap<BoneIndex, BoneIndex>,
    ) -> Pairs {
        let places = Places::of(skeleton, rest);
        let unnamed: Vec<BoneIndex> = skeleton.indices().filter(|bone| !named.contains_key(bone)).collect();
        let plane = places.plane(across, &unnamed);
        let by_hand = |bone: BoneIndex| {
            let partner = corrected.get(&bone).copied().filter(|&partner| usize::from(partner) < skeleton.len());
            partner.map(|partner| (partner, Found::ByHand))
        };
        let by_name = |bone: BoneIndex| named.get(&bone).map(|partner| (*partner, Found::ByName));
        let by_place = |bone: BoneIndex| places.partner(bone, &plane).map(|partner| (partner, Found::ByPlace));
        let find = |bone| by_hand(bone).or_else(|| by_name(bone)).or_else(|| by_place(bone));
        let mut partner: Vec<_> = skeleton.indices().map(|bone| find(bone).unwrap_or((bone, Found::Middle))).collect();
        // A bone whose partner has another partner has none.
        let found = partner.clone();
        for (bone, pair) in skeleton.indices().zip(&mut partner) {
            if found[usize::from(pair.0)].0 != bone {
                *pair = (bone, Found::Middle);
            }
        }
        let is_right = |bone: BoneIndex| {
            let other = partner[usize::from(bone)].0;
            (places.heads[usize::from(bone)] - places.heads[usize::from(other)]).dot(across) < 0.0
        };
        let right = skeleton.indices().map(is_right).collect();
        let flip = flip(across.as_dvec3());
        let reflection = |bone: BoneIndex| reflection((rest, flip), bone, partner[usize::from(bone)].0);
        let reflections = skeleton.indices().map(reflection).collect();
        let scalars = scalar_partners(skeleton, |bone| partner[usize::from(bone)].0);
        Pairs { partner, reflections, scalars, right, flip }
    }

    /// The scalar on the other side: itself if it is in the middle or out of range.
    pub fn scalar_partner(&self, scalar: ScalarIndex) -> ScalarIndex {
        self.scalars.get(usize::from(scalar)).copied().unwrap_or(scalar)
    }

    /// The partner of a bone: itself if it is in the middle or out of range.
    pub fn partner(&self, bone: BoneIndex) -> BoneIndex {
        self.partner.get(usize::from(bone)).map_or(bone, |found| found.0)
    }

    /// Whether a bone is on the right in the rest pose: on the side of its partner from which the normal of the plane points. One in the middle
    /// isn't.
    pub fn is_right(&self, bone: BoneIndex) -> bool {
        self.right.get(usize::from(bone)).copied().unwrap_or(false)
    }

    /// Whether a bone has a mirror image. A bone in the middle below a bone of one side, such as a sword in a hand, has
    /// none.
    pub fn has_mirror(&self, skeleton: &Skeleton, bone: BoneIndex) -> bool {
        let parent_of_partner = skeleton.parent(self.partner(bone));
        parent_of_partner == skeleton.parent(bone).map(|parent| self.partner(parent))
    }

    /// Whether a bone's partner, by name or by hand, has a parent that isn't the partner of its own: they mirror by their places in the model,
    /// not by their channels. What is only at a mirrored place, such as a pouch and a holster, has no mirror image then.
    pub fn is_crossed(&self, skeleton: &Skeleton, bone: BoneIndex) -> bool {
        let found = self.partner.get(usize::from(bone)).map(|pair| pair.1);
        matches!(found, Some(Found::ByName | Found::ByHand))
            && self.partner(bone) != bone
            && !self.has_mirror(skeleton, bone)
    }

    /// The point of the partner's space that mirrors a point of a bone's space.
    pub fn mirrored_point(&self, bone: BoneIndex, point: Vec3) -> Vec3 {
        let reflection = self.reflections.get(usize::from(self.partner(bone)));
        reflection.map_or(point, |reflection| reflection.transform_point3(point.as_dvec3()).as_vec3())
    }

    /// The local transform of the partner that mirrors `local`. The rest pose mirrors to the rest pose.
    ///
    /// With S the mirror and M a bone's rest in model space, the partner's is S · model · M⁻¹ · S · M_partner; in
    /// local space that is R_parent⁻¹ · local · R with R = M⁻¹ · S · M_partner, which is its own inverse.
    pub fn mirrored(&self, skeleton: &Skeleton, bone: BoneIndex, local: &Transform) -> Transform {
        let outer = self.parent_reflection(skeleton, bone);
        let inner = self.reflections.get(usize::from(bone)).copied().unwrap_or(self.flip);
        let matrix = outer.inverse() * local.to_mat4().as_dmat4() * inner;
        let (scale, rotation, translation) = matrix.to_scale_rotation_translation();
        let mirrored = Transform {
            translation: translation.as_vec3(),
            rotation: rotation.normalize().as_quat(),
            scale: scale.as_vec3(),
        };
        if mirrored.is_finite() { mirrored } else { *local }
    }

    /// The reflection from the space of the parent of a bone's partner to that of the bone's own.
    pub fn parent_reflection(&self, skeleton: &Skeleton, bone: BoneIndex) -> DMat4 {
        let of = |bone: BoneIndex| self.reflections.get(usize::from(bone)).copied();
        skeleton.parent(bone).and_then(of).unwrap_or(self.flip)
    }

    /// Mirrors channels to the partners of their bones. Leaves out bones without a mirror image. `local` has the
    /// channels that are not given.
    pub fn mirrored_channels(&self, skeleton: &Skeleton, local: &LocalPose, posed: &[Posed]) -> Vec<Posed> {
        let mut bones = BTreeMap::<BoneIndex, Transform>::new();
        for one in posed.iter().filter(|one| usize::from(one.bone) < local.len() && one.channel.scalar().is_none()) {
            let transform = bones.entry(one.bone).or_insert_with(|| local.get(usize::from(one.bone)));
            one.channel.put(transform, one.value);
        }
        let value = |one: &Posed| {
            if let Channel::Scalar(scalar) = one.channel {
                let partner = self.scalar_partner(scalar);
                let bone = skeleton.scalar(partner)?.bone;
                return Some(Posed { bone, channel: Channel::Scalar(partner), ..*one });
            }
            if !self.has_mirror(skeleton, one.bone) {
                return None;
            }
            let mirrored = self.mirrored(skeleton, one.bone, bones.get(&one.bone)?);
            Some(Posed { bone: self.partner(one.bone), channel: one.channel, value: one.channel.of(&mirrored) })
        };
        posed.iter().filter_map(value).collect()
    }

    /// Mirrors a whole pose.
    pub fn mirrored_pose(&self, skeleton: &Skeleton, local: &LocalPose) -> LocalPose {
        let mut mirrored = local.clone();
        let sided = skeleton.indices().filter(|&bone| self.has_mirror(skeleton, bone));
        for bone in sided.filter(|&bone| usize::from(bone) < local.len()) {
            let transform = self.mirrored(skeleton, bone, &local.get(usize::from(bone)));
            mirrored.set(usize::from(self.partner(bone)), &transform);
        }
        for (at, value) in mirrored.scalars_mut().iter_mut().enumerate() {
            *value = local.scalar(self.scalar_partner(at as ScalarIndex));
        }
        if skeleton.indices().any(|bone| self.is_crossed(skeleton, bone)) {
            self.place_crossed(skeleton, local, &mut mirrored);
        }
        mirrored
    }

    /// Puts bones that are crossed to the places that mirror those of their partners.
    fn place_crossed(&self, skeleton: &Skeleton, local: &LocalPose, mirrored: &mut LocalPose) {
        let child = |places: &[DMat4], bone: BoneIndex, local: &LocalPose| {
            let above = skeleton.parent(bone).and_then(|parent| places.get(usize::from(parent)));
            above.copied().unwrap_or_default() * local.get(usize::from(bone)).to_mat4().as_dmat4()
        };
        let bones = || skeleton.indices().take(local.len());
        // Parents come first.
        let (mut own, mut images) = (Vec::with_capacity(local.len()), Vec::with_capacity(local.len()));
        bones().for_each(|bone| own.push(child(&own, bone, local)));
        for bone in bones() {
            let partner = usize::from(self.partner(bone));
            if let (true, Some(place)) = (self.is_crossed(skeleton, bone), own.get(partner)) {
                let from_partner = self.reflections.get(partner).copied().unwrap_or(self.flip);
                let above = skeleton.parent(bone).and_then(|parent| images.get(usize::from(parent)));
                let matrix = above.map_or(DMat4::IDENTITY, DMat4::inverse) * self.flip * *place * from_partner;
                let transform = Transform::from_mat4(matrix.as_mat4());
                if transform.is_finite() {
                    mirrored.set(usize::from(bone), &transform);
                }
            }
            images.push(child(&images, bone, mirrored));
        }
    }
}

/// The scalar on the other side of each: of the other name on the bone's partner, or of the same name if that is another bone.
fn scalar_partners(skeleton: &Skeleton, partner: impl Fn(BoneIndex) -> BoneIndex) -> Vec<ScalarIndex> {
    let own = (0..).zip(skeleton.scalars());
    let find = |(index, scalar): (ScalarIndex, &Scalar)| {
        let bone = partner(scalar.bone);
        let other = other_side(&scalar.name).and_then(|name| skeleton.find_scalar(bone, &name));
        let same = || if bone == scalar.bone { None } else { skeleton.find_scalar(bone, &scalar.name) };
        other.or_else(same).unwrap_or(index)
    };
    own.map(find).collect()
}

/// The reflection across a plane through the origin.
fn flip(across: DVec3) -> DMat4 {
    let columns = DVec3::AXES.map(|axis| (axis - 2.0 * axis.dot(across) * across).extend(0.0));
    DMat4::from_cols(columns[0], columns[1], columns[2], DVec4::W)
}

/// The reflection from the partner's space to the bone's, in the rest pose.
fn reflection((rest, flip): (&ModelPose, DMat4), bone: BoneIndex, partner: BoneIndex) -> DMat4 {
    let matrix = |bone| rest.get(bone).to_mat4().as_dmat4();
    let reflection = matrix(bone).inverse() * flip * matrix(partner);
    if reflection.is_finite() { reflection } else { flip }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editor::ops::pose::model_pose;
    use glam::{Mat4, Quat};
    use keypose::anim::key::Channel;
    use keypose::anim::skeleton::Bone;
    use keypose::anim::skin::Skin;
    use std::sync::Arc;

    impl Pairs {
        /// The pairs of a skeleton alone.
        fn of(skeleton: &Skeleton, corrected: &BTreeMap<BoneIndex, BoneIndex>) -> Pairs {
            Pairs::with(skeleton, (&skeleton.rest_model_pose(), Vec3::X, &named_partners(skeleton)), corrected)
        }
    }

    /// Two chains of 2,000 bones beside each other, without names of sides. Comparing all bones with all would take minutes.
    #[test]
    fn the_partners_of_thousands_of_bones_are_found_by_position() {
        let bone = |at: u16| {
            let rest = match at {
                0 => Transform::from_translation(Vec3::new(-1.0, 0.0, 0.0)),
                1 => Transform::from_translation(Vec3::new(1.0, 0.0, 0.0)),
                _ => Transform::from_translation(Vec3::new(0.0, 0.02, 0.0)),
            };
            Bone { name: format!("b{at}"), parent: at.checked_sub(2), rest }
        };
        let skeleton = Skeleton::new((0..4000).map(bone).collect()).unwrap();
        let pairs = Pairs::of(&skeleton, &BTreeMap::new());
        for bone in skeleton.indices() {
            assert_eq!(pairs.partner[usize::from(bone)], (bone ^ 1, Found::ByPlace));
        }
    }

    /// Arms whose axes point anywhere.
    fn skeleton(left: &str, right: &str) -> Skeleton {
        let bone = |name: &str, parent, x: f32, turn: Quat| Bone {
            name: name.into(),
            parent,
            rest: Transform { translation: Vec3::new(x, 0.3, 0.1), rotation: turn, scale: Vec3::ONE },
        };
        let (a, b) = (Quat::from_rotation_y(0.7), Quat::from_rotation_z(2.0));
        Skeleton::new(vec![
            bone("root", None, 0.0, Quat::from_rotation_x(0.2)),
            bone(left, Some(0), 0.4, a),
            bone(right, Some(0), -0.4, b),
        ])
        .unwrap()
    }

    #[test]
    fn partners_are_found_by_position_wherever_a_model_stands() {
        for x in [0.0, 3.0, -0.7] {
            let mut bones = skeleton("one", "two").bones().to_vec();
            bones[0].rest.translation.x = x;
            let pairs = Pairs::of(&Skeleton::new(bones).unwrap(), &BTreeMap::new());
            assert_eq!(pairs.partner, [(0, Found::Middle), (2, Found::ByPlace), (1, Found::ByPlace)], "{x}");
        }
        let at = |x: f32| Transform::from_translation(Vec3::new(x, 1.0, 0.0));
        let key = |name: &str, x| Bone { name: name.into(), parent: Some(0), rest: at(x) };
        let root = Bone { name: "root".into(), parent: None, rest: Transform::IDENTITY };
        let row = Skeleton::new(vec![root, key("a", 1.0), key("b", 2.0), key("c", 3.0)]).unwrap();
        assert!(Pairs::of(&row, &BTreeMap::new()).partner.iter().all(|(_, found)| *found == Found::Middle));
    }

    #[test]
    fn mirroring_twice_is_nothing_and_once_is_the_mirror_image() {
        for names in [("arm.L", "arm.R"), ("one", "two")] {
            let skeleton = skeleton(names.0, names.1);
            let pairs = Pairs::of(&skeleton, &BTreeMap::new());
            assert_eq!(pairs.partner.iter().map(|pair| pair.0).collect::<Vec<_>>(), [0, 2, 1]);
            let mut pose = skeleton.rest_pose();
            let turn = Quat::from_scaled_axis(Vec3::new(0.3, -0.8, 1.2));
            pose.set(0, &Transform { rotation: turn, ..pose.get(0) });
            pose.set(1, &Transform { rotation: turn * turn, translation: Vec3::splat(0.2), ..pose.get(1) });
            let mirrored = pairs.mirrored_pose(&skeleton, &pose);
            let back = pairs.mirrored_pose(&skeleton, &mirrored);
            for bone in 0..3 {
                assert!(back.get(bone).distance(&pose.get(bone)) < 1e-5, "{bone}");
            }
            let (mut model, mut other) = (ModelPose::default(), ModelPose::default());
            model.compute(&skeleton, &pose);
            other.compute(&skeleton, &mirrored);
            for bone in 0..3 {
                let image = model.get(bone).translation() * Vec3::new(-1.0, 1.0, 1.0);
                assert!(other.get(pairs.partner(bone)).translation().distance(image) < 1e-5, "{bone}");
            }
            let rest = skeleton.rest_pose();
            let of_rest = pairs.mirrored_pose(&skeleton, &rest);
            assert!((0..3).all(|bone| of_rest.get(bone).distance(&rest.get(bone)) < 1e-5));
        }
    }

    /// One arm below a helper bone that the other side lacks.
    #[test]
    fn sides_with_other_parents_mirror_by_their_places() {
        let mut bones = skeleton("arm.L", "arm.R").bones().to_vec();
        let helper = Bone { name: "helper".into(), parent: Some(0), rest: Transform::IDENTITY };
        bones.insert(1, helper);
        bones.swap(2, 3);
        bones[3].parent = Some(1);
        let skeleton = Skeleton::new(bones).unwrap();
        let pairs = Pairs::of(&skeleton, &[(2, 3), (3, 2)].into());
        let rest = skeleton.rest_pose();
        let of_rest = pairs.mirrored_pose(&skeleton, &rest);
        assert!((0..4).all(|bone| of_rest.get(bone).distance(&rest.get(bone)) < 1e-5));
        let mut pose = rest;
        for bone in 0..4 {
            let turn = Quat::from_scaled_axis(Vec3::new(0.3, -0.8, 1.2) * (bone as f32 + 0.5));
            pose.set(bone, &Transform { rotation: turn, ..pose.get(bone) });
        }
        let [model, other] = [&pose, &pairs.mirrored_pose(&skeleton, &pose)].map(|local| model_pose(&skeleton, local));
        for bone in [2, 3] {
            let image = model.get(bone).translation() * Vec3::new(-1.0, 1.0, 1.0);
            assert!(other.get(pairs.partner(bone)).translation().distance(image) < 1e-5, "{bone}");
        }
    }

    #[test]
    fn a_sword_in_one_hand_stays_in_it() {
        let mut bones = skeleton("arm.L", "arm.R").bones().to_vec();
        let rest = Transform::from_translation(Vec3::new(0.1, 0.5, 0.0));
        bones.push(Bone { name: "sword".into(), parent: Some(2), rest });
        let skeleton = Skeleton::new(bones).unwrap();
        let pairs = Pairs::of(&skeleton, &BTreeMap::new());
        let mut pose = skeleton.rest_pose();
        let drawn = Transform { rotation: Quat::from_rotation_x(1.0), ..rest };
        pose.set(3, &drawn);
        assert_eq!(pairs.mirrored_pose(&skeleton, &pose).get(3), drawn);
        let posed = [Posed { bone: 3, channel: Channel::Rotation, value: Channel::Rotation.of(&drawn) }];
        assert_eq!(pairs.mirrored_channels(&skeleton, &pose, &posed), []);
    }

    #[test]
    fn the_table_can_be_corrected() {
        let skeleton = skeleton("arm.L", "arm.R");
        let pairs = Pairs::of(&skeleton, &[(1, 1), (2, 2)].into());
        assert_eq!(pairs.partner, [(0, Found::Middle), (1, Found::ByHand), (2, Found::ByHand)]);
    }

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

    #[test]
    fn a_character_mirrors_whatever_way_it_faces() {
        let skeleton = |faces: Quat| {
            let at = |name: &str, parent: Option<BoneIndex>, x: f32, y: f32| {
                let rest = Transform::from_translation(faces * Vec3::new(x, y, 0.0));
                Bone { name: name.into(), parent, rest }
            };
            let sides = [("L", 1.0), ("R", -1.0)].into_iter();
            let limbs = sides.flat_map(|(side, x)| {
                let limb = |name: &str, x: f32, y: f32| at(&format!("{name}.{side}"), Some(0), x, y);
                [limb("foot", 0.1 * x, -0.9), limb("knee", 0.15 * x, -0.5), limb("hand", 0.4 * x, 0.0)]
            });
            Skeleton::new(std::iter::once(at("hips", None, 0.0, 1.0)).chain(limbs).collect()).unwrap()
        };
        let skin = Skin { name: "skin".into(), joints: (0..7).collect(), inverse_binds: vec![Mat4::IDENTITY; 7] };
        let mirrored = |faces: Quat, skins: &[Arc<Skin>]| {
            let skeleton = skeleton(faces);
            let model = Model { skeleton: Arc::new(skeleton.clone()), skins: skins.to_vec(), ..Model::default() };
            let mut pose = skeleton.rest_pose();
            let step = |bone: usize, by: Vec3| Transform::from_translation(pose.get(bone).translation + faces * by);
            let (foot, hips) = (step(1, Vec3::new(0.02, 0.1, 0.4)), step(0, Vec3::new(0.3, 0.0, 0.5)));
            pose.set(1, &foot);
            pose.set(0, &hips);
            let mirrored = Pairs::of_model(&model).mirrored_pose(&skeleton, &pose);
            (0..7).map(|bone| faces.inverse() * mirrored.get(bone).translation).collect::<Vec<_>>()
        };
        let bound = [Arc::new(skin)];
        let expected = mirrored(Quat::IDENTITY, &bound);
        assert!(expected[4].distance(Vec3::new(-0.12, -0.8, 0.4)) < 1e-5, "{expected:?}");
        for turn in [2.0_f32, 5.0, 90.0, 180.0, -90.0, 30.0] {
            for skins in [&bound[..], &[]] {
                let found = mirrored(Quat::from_rotation_y(turn.to_radians()), skins);
                let is_same = found.iter().zip(&expected).all(|(is, should)| is.distance(*should) < 1e-5);
                assert!(is_same, "{turn}: {found:?}");
            }
        }
    }
}
