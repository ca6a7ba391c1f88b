//! What the user said about a rig and no animation needs: groups of bones with a colour, and corrections of what is the
//! mirror bone of what. Bones go by their names; those that a model lacks are left aside.

use std::collections::{BTreeMap, BTreeSet};

use crate::anim::skeleton::{BoneIndex, Skeleton};

/// Groups and mirror pairs of a model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RigNotes {
    /// In the order in which they are shown.
    pub groups: Vec<BoneGroup>,
    /// Pairs that stand over what names and places say; a bone paired with itself lies in the middle.
    pub mirror: Vec<(String, String)>,
}

/// Bones that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct BoneGroup {
    /// Unique within the model, not empty.
    pub name: String,
    /// sRGB.
    pub color: [u8; 3],
    /// Names of bones; a bone may be in several groups, the first gives it its colour.
    pub bones: Vec<String>,
}

impl RigNotes {
    /// The mirror pairs of a skeleton, both ways.
    pub fn corrections(&self, skeleton: &Skeleton) -> BTreeMap<BoneIndex, BoneIndex> {
        let pairs = self.mirror.iter().filter_map(|(a, b)| Some((skeleton.find(a)?, skeleton.find(b)?)));
        pairs.flat_map(|(a, b)| [(a, b), (b, a)]).collect()
    }

    /// Says that two bones are each other's mirror bones, instead of what was said about either before.
    pub fn pair(&mut self, a: &str, b: &str) {
        self.unpair(a);
        self.unpair(b);
        self.mirror.push((a.to_owned(), b.to_owned()));
    }

    /// Takes back what was said about a bone.
    pub fn unpair(&mut self, bone: &str) {
        self.mirror.retain(|(a, b)| a != bone && b != bone);
    }

    /// Checks that groups have names of their own and pairs have bones.
    pub fn check(&self) -> Result<(), String> {
        let mut names = BTreeSet::new();
        for group in &self.groups {
            if group.name.trim().is_empty() || !names.insert(group.name.as_str()) {
                return Err(format!("the name of the bone group \"{}\" is empty or taken", group.name));
            }
        }
        match self.mirror.iter().any(|(a, b)| a.is_empty() || b.is_empty()) {
            true => Err("a mirror pair lacks a bone".to_owned()),
            false => Ok(()),
        }
    }
}
