//! The skeleton: bones in level order with their rest transforms. The only module that validates a hierarchy.

use std::collections::{BTreeSet, HashMap};

use thiserror::Error;

pub use crate::anim::key::BoneIndex;
use crate::anim::key::{Channel, MAX_SCALARS, ScalarIndex};
use crate::anim::scalar::{Scalar, ScalarKind};
use crate::anim::transform::Transform;

/// A joint of the skeleton.
#[derive(Clone, Debug, PartialEq)]
pub struct Bone {
    /// Unique within the skeleton, not empty.
    pub name: String,
    /// Always lower than the bone's own index; `None` for a root.
    pub parent: Option<BoneIndex>,
    /// The local transform without keys.
    pub rest: Transform,
}

/// Bones in level order: roots first, then their children, and so on. A parent always comes before its children, so one
/// forward loop computes model space.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skeleton {
    bones: Vec<Bone>,
    /// The parents of all bones in one array, for loops; [`Skeleton::NO_PARENT`] for a root.
    parents: Vec<BoneIndex>,
    /// See [`Skeleton::parent_offsets`].
    parent_offsets: Vec<u32>,
    scalars: Vec<Scalar>,
}

/// Why bones don't form a skeleton.
#[derive(Clone, Debug, Error, PartialEq)]
#[allow(missing_docs)]
pub enum SkeletonError {
    #[error("{count} bones, the maximum is {}", Skeleton::MAX_BONES)]
    TooMany { count: usize },
    #[error("bone {bone}: its parent {parent} doesn't come before it in level order")]
    Order { bone: usize, parent: usize },
    #[error("bone {bone}: it has no name")]
    Unnamed { bone: usize },
    #[error("bone {bone}: its name has {bytes} bytes, the maximum is {}", Skeleton::MAX_NAME_BYTES)]
    LongName { bone: usize, bytes: usize },
    #[error("bone {bone}: the name \"{name}\" is already used")]
    Repeated { bone: usize, name: String },
    #[error("bone {bone} ({name}): its rest transform is not finite")]
    NotFinite { bone: usize, name: String },
    #[error("bone {bone} ({name}): its rest rotation is not a unit quaternion")]
    NotUnit { bone: usize, name: String },
    #[error("{count} scalars, the maximum is {MAX_SCALARS}")]
    TooManyScalars { count: usize },
    #[error("scalar {scalar} ({name}): {reason}")]
    Scalar { scalar: usize, name: String, reason: &'static str },
}

impl Skeleton {
    /// Maximum number of bones. Far more than models have, and every index fits 16 bits.
    pub const MAX_BONES: usize = 4096;

    /// Maximum length of a bone's name: much refers to it.
    pub const MAX_NAME_BYTES: usize = 1024;

    /// The parent of a root in [`Skeleton::parents`]: larger than any index.
    pub const NO_PARENT: BoneIndex = BoneIndex::MAX;

    /// Checks that names are unique, parents precede children in level order and rest transforms are finite.
    pub fn new(bones: Vec<Bone>) -> Result<Skeleton, SkeletonError> {
        if bones.len() > Self::MAX_BONES {
            return Err(SkeletonError::TooMany { count: bones.len() });
        }
        let mut levels: Vec<usize> = Vec::with_capacity(bones.len());
        let mut names = HashMap::new();
        for (index, bone) in bones.iter().enumerate() {
            let level = match bone.parent.map(usize::from) {
                None => 0,
                Some(parent) if parent < index => levels[parent] + 1,
                Some(parent) => return Err(SkeletonError::Order { bone: index, parent }),
            };
            if levels.last().is_some_and(|&before| before > level) {
                return Err(SkeletonError::Order { bone: index, parent: bone.parent.map_or(index, usize::from) });
            }
            levels.push(level);
            check_bone(index, bone)?;
            if names.insert(bone.name.as_str(), index).is_some() {
                return Err(SkeletonError::Repeated { bone: index, name: bone.name.clone() });
            }
        }
        let parents = bones.iter().map(|bone| bone.parent.unwrap_or(Self::NO_PARENT)).collect();
        let offset = |bone: &Bone| bone.parent.map_or(0, |parent| (u32::from(parent) + 1) * 16);
        let parent_offsets = bones.iter().map(offset).collect();
        Ok(Skeleton { bones, parents, parent_offsets, scalars: Vec::new() })
    }

    /// Replaces the scalars.
    ///
    /// # Errors
    /// If a bone doesn't exist, a name is empty or used twice on a bone, or a default is not finite.
    pub fn with_scalars(self, scalars: Vec<Scalar>) -> Result<Skeleton, SkeletonError> {
        check_scalars(&scalars, self.bones.len())?;
        Ok(Skeleton { scalars, ..self })
    }

    /// The skeleton with other rest transforms: those that `rest` returns for the index and the rest transform of each bone.
    ///
    /// # Errors
    /// If one is not finite, or its rotation is not a unit quaternion.
    pub fn with_rests(&self, rest: impl Fn(BoneIndex, Transform) -> Transform) -> Result<Skeleton, SkeletonError> {
        let mut skeleton = self.clone();
        for (index, bone) in skeleton.bones.iter_mut().enumerate() {
            bone.rest = rest(index as BoneIndex, bone.rest);
            check_bone(index, bone)?;
        }
        Ok(skeleton)
    }

    /// The numbers that clips can key besides transforms. Empty for most skeletons.
    pub fn scalars(&self) -> &[Scalar] {
        &self.scalars
    }

    /// The scalar at an index, if there is one.
    pub fn scalar(&self, scalar: ScalarIndex) -> Option<&Scalar> {
        self.scalars.get(usize::from(scalar))
    }

    /// The scalar of a bone with this exact name.
    pub fn find_scalar(&self, bone: BoneIndex, name: &str) -> Option<ScalarIndex> {
        let is_it = |scalar: &Scalar| scalar.bone == bone && scalar.name == name;
        self.scalars.iter().position(is_it).map(|index| index as ScalarIndex)
    }

    /// The name of a channel for panels and reports: the name of the scalar, or "position" and so on.
    pub fn channel_name(&self, channel: Channel) -> &str {
        let scalar = channel.scalar().and_then(|scalar| self.scalar(scalar));
        scalar.map_or(channel.name(), |scalar| &scalar.name)
    }

    /// The scalars that switch instead of changing gradually.
    pub fn stepped_scalars(&self) -> impl Iterator<Item = ScalarIndex> {
        (0..).zip(&self.scalars).filter(|(_, scalar)| scalar.kind.is_stepped()).map(|(index, _)| index)
    }

    /// The scalars of a bone, in order.
    pub fn scalars_of(&self, bone: BoneIndex) -> impl Iterator<Item = (ScalarIndex, &Scalar)> {
        (0..).zip(&self.scalars).filter(move |(_, scalar)| scalar.bone == bone)
    }

    /// The order that sorts bones by level: `order[new] = old`. Parents may come after their children; siblings keep
    /// their order. `None` if the parents form a cycle or don't exist.
    pub fn level_order(parents: &[Option<usize>]) -> Option<Vec<usize>> {
        let mut children = vec![Vec::new(); parents.len()];
        let mut order = Vec::with_capacity(parents.len());
        for (index, parent) in parents.iter().enumerate() {
            match parent {
                None => order.push(index),
                Some(parent) => children.get_mut(*parent)?.push(index),
            }
        }
        let mut next = 0;
        while next < order.len() {
            order.extend_from_slice(&children[order[next]]);
            next += 1;
        }
        (order.len() == parents.len()).then_some(order)
    }

    /// All bones in level order.
    pub fn bones(&self) -> &[Bone] {
        &self.bones
    }

    /// The parent of each bone, [`Skeleton::NO_PARENT`] for a root.
    pub fn parents(&self) -> &[BoneIndex] {
        &self.parents
    }

    /// The start of the matrix of each bone's parent in an array of 16 numbers for each bone after an identity, the parent
    /// of roots. Computed in advance: in the loop that reads them, compilers would compute several at once, and extracting
    /// each from a register costs more than the loop saves.
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
    pub(crate) fn parent_offsets(&self) -> &[u32] {
        &self.parent_offsets
    }

    /// The number of bones.
    pub fn len(&self) -> usize {
        self.bones.len()
    }

    /// Returns true if there are no bones.
    pub fn is_empty(&self) -> bool {
        self.bones.is_empty()
    }

    /// The bone at an index, if there is one.
    pub fn get(&self, bone: BoneIndex) -> Option<&Bone> {
        self.bones.get(usize::from(bone))
    }

    /// The parent of a bone; `None` for a root, or if there is no such bone.
    pub fn parent(&self, bone: BoneIndex) -> Option<BoneIndex> {
        self.get(bone)?.parent
    }

    /// The bones above a bone, from its parent to its root.
    pub fn above(&self, bone: BoneIndex) -> impl Iterator<Item = BoneIndex> + '_ {
        std::iter::successors(self.parent(bone), |bone| self.parent(*bone))
    }

    /// The indices of the bones without parent, in order.
    pub fn roots(&self) -> Vec<usize> {
        let bones = self.bones.iter().enumerate().filter(|(_, bone)| bone.parent.is_none());
        bones.map(|(index, _)| index).collect()
    }

    /// The bone with this exact name.
    pub fn find(&self, name: &str) -> Option<BoneIndex> {
        self.bones.iter().position(|bone| bone.name == name).map(|index| index as BoneIndex)
    }

    /// The direct children of a bone, in order.
    pub fn children(&self, bone: BoneIndex) -> impl Iterator<Item = BoneIndex> + '_ {
        self.indices().filter(move |&child| self.parent(child) == Some(bone))
    }

    /// The indices of all bones.
    pub fn indices(&self) -> impl Iterator<Item = BoneIndex> + use<> {
        0..self.bones.len() as BoneIndex
    }

    /// Returns true if `bone` is `ancestor` or a descendant of it.
    pub fn is_below(&self, bone: BoneIndex, ancestor: BoneIndex) -> bool {
        bone == ancestor || self.above(bone).any(|above| above == ancestor)
    }
}

fn check_bone(index: usize, bone: &Bone) -> Result<(), SkeletonError> {
    let name = || bone.name.clone();
    if bone.name.is_empty() {
        return Err(SkeletonError::Unnamed { bone: index });
    }
    if bone.name.len() > Skeleton::MAX_NAME_BYTES {
        return Err(SkeletonError::LongName { bone: index, bytes: bone.name.len() });
    }
    if !bone.rest.is_finite() {
        return Err(SkeletonError::NotFinite { bone: index, name: name() });
    }
    if (bone.rest.rotation.length_squared() - 1.0).abs() > 1e-3 {
        return Err(SkeletonError::NotUnit { bone: index, name: name() });
    }
    Ok(())
}

/// Checks the scalars of a skeleton with `bones` bones.
fn check_scalars(scalars: &[Scalar], bones: usize) -> Result<(), SkeletonError> {
    if scalars.len() > MAX_SCALARS {
        return Err(SkeletonError::TooManyScalars { count: scalars.len() });
    }
    let mut names = BTreeSet::new();
    for (index, scalar) in scalars.iter().enumerate() {
        let wrong = |reason| Err(SkeletonError::Scalar { scalar: index, name: scalar.name.clone(), reason });
        if scalar.name.is_empty() {
            return wrong("it has no name");
        }
        if usize::from(scalar.bone) >= bones {
            return wrong("its bone doesn't exist");
        }
        if !scalar.default.is_finite() {
            return wrong("its default is not finite");
        }
        if matches!(scalar.kind, ScalarKind::Frame(sheet) if sheet.count() == 0) {
            return wrong("a sheet has at least one column and one row");
        }
        if !names.insert((scalar.bone, scalar.name.as_str())) {
            return wrong("its bone has another scalar of this name");
        }
    }
    Ok(())
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Bones without parents.
    pub(crate) fn skeleton(names: &[&str]) -> Skeleton {
        Skeleton::new(names.iter().map(|name| bone(name, None)).collect()).unwrap()
    }

    fn bone(name: &str, parent: Option<BoneIndex>) -> Bone {
        Bone { name: name.into(), parent, rest: Transform::IDENTITY }
    }

    #[test]
    fn only_level_order_is_a_skeleton() {
        let cases: &[(&[Option<BoneIndex>], bool)] = &[
            (&[], true),
            (&[None], true),
            (&[None, None, Some(0), Some(1), Some(2)], true),
            (&[Some(0)], false),
            (&[None, Some(2), Some(0)], false),
            (&[None, Some(0), Some(1), Some(0)], false),
            (&[None, Some(0), None], false),
        ];
        for (parents, good) in cases {
            let bones = parents.iter().enumerate().map(|(index, parent)| bone(&format!("b{index}"), *parent));
            assert_eq!(Skeleton::new(bones.collect()).is_ok(), *good, "{parents:?}");
        }
    }

    #[test]
    fn bad_bones_are_refused_by_name() {
        let mut nan = bone("nan", None);
        nan.rest.scale.x = f32::NAN;
        let mut long = bone("long", None);
        long.rest.rotation.w = 2.0;
        assert_eq!(Skeleton::new(vec![bone("", None)]), Err(SkeletonError::Unnamed { bone: 0 }));
        let name = Skeleton::new(vec![bone(&"a".repeat(Skeleton::MAX_NAME_BYTES + 1), None)]);
        assert_eq!(name, Err(SkeletonError::LongName { bone: 0, bytes: 1025 }));
        let repeated = Skeleton::new(vec![bone("a", None), bone("a", None)]);
        assert_eq!(repeated, Err(SkeletonError::Repeated { bone: 1, name: "a".into() }));
        let other = skeleton(&["a", "b"]).with_rests(|bone, own| if bone == 1 { nan.rest } else { own });
        assert!(matches!(other, Err(SkeletonError::NotFinite { bone: 1, .. })));
        assert!(matches!(Skeleton::new(vec![nan]), Err(SkeletonError::NotFinite { .. })));
        assert!(matches!(Skeleton::new(vec![long]), Err(SkeletonError::NotUnit { .. })));
    }

    #[test]
    fn the_bones_above_a_bone_end_at_its_root() {
        let bones = vec![bone("root", None), bone("other", None), bone("hips", Some(0)), bone("leg", Some(2))];
        let skeleton = Skeleton::new(bones).unwrap();
        assert_eq!(
            [3, 2, 0, 9].map(|bone| skeleton.above(bone).collect::<Vec<_>>()),
            [vec![2, 0], vec![0], vec![], vec![]]
        );
    }

    #[test]
    fn level_order_sorts_and_finds_cycles() {
        assert_eq!(Skeleton::level_order(&[Some(2), None, Some(1), Some(1)]), Some(vec![1, 2, 3, 0]));
        assert_eq!(Skeleton::level_order(&[Some(1), Some(0)]), None);
        assert_eq!(Skeleton::level_order(&[Some(7)]), None);
    }
}
