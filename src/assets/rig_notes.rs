//! The user's notes about a rig: bone groups with colours, and mirror pairs that names don't show. Animation doesn't need
//! them. Bones are identified by name; those that a model lacks are ignored.

use std::collections::{BTreeMap, BTreeSet};

use crate::anim::skeleton::{BoneIndex, Skeleton};

/// Bone groups and mirror pairs of a model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RigNotes {
    /// In display order.
    pub groups: Vec<BoneGroup>,
    /// Pairs that override those found by names and positions. A bone paired with itself is in the middle.
    pub mirror: Vec<(String, String)>,
}

/// A group of bones.
#[derive(Clone, Debug, PartialEq)]
pub struct BoneGroup {
    /// Unique within the model, not empty.
    pub name: String,
    /// sRGB.
    pub color: [u8; 3],
    /// Names of bones. A bone may be in several groups; the first one gives it its colour.
    pub bones: Vec<String>,
}

impl RigNotes {
    /// The mirror bones of a skeleton, in both directions.
    pub fn corrections(&self, skeleton: &Skeleton) -> BTreeMap<BoneIndex, BoneIndex> {
        let pairs = self.mirror.iter().filter_map(|(a, b)| Some((skeleton.find(a)?, skeleton.find(b)?)));
        pairs.flat_map(|(a, b)| [(a, b), (b, a)]).collect()
    }

    /// Makes two bones each other's mirror bones. Removes earlier pairs of either.
    pub fn pair(&mut self, a: &str, b: &str) {
        self.unpair(a);
        self.unpair(b);
        self.mirror.push((a.to_owned(), b.to_owned()));
    }

    /// Removes the pair of a bone.
    pub fn unpair(&mut self, bone: &str) {
        self.mirror.retain(|(a, b)| a != bone && b != bone);
    }

    /// Checks that the names of groups are unique and not empty, and that pairs name two bones.
    pub fn check(&self) -> Result<(), String> {
        let mut names = BTreeSet::new();
        for group in &self.groups {
            if group.name.trim().is_empty() || !names.insert(group.name.as_str()) {
                return Err(format!("the bone group name \"{}\" is empty or already used", group.name));
            }
        }
        match self.mirror.iter().any(|(a, b)| a.is_empty() || b.is_empty()) {
            true => Err("a mirror pair names only one bone".to_owned()),
            false => Ok(()),
        }
    }
}
