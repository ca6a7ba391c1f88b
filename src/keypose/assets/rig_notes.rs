//! The user's notes about a rig: bone groups with colours, mirror pairs that names don't show, the orders in which rotations are
//! read, joint limits and IK chains, springs, masses, the parts of a humanoid, and the bone map for clips of other files. Bones are identified
//! by name; those that a model lacks are ignored.

use std::collections::BTreeMap;

use crate::anim::ik::chain::Solver;
use crate::anim::ik::limit::Limit;
use crate::anim::shared_list::SharedList;
use crate::anim::skeleton::{BoneIndex, Skeleton};
use crate::assets::euler_order::EulerOrder;
use crate::assets::spring_notes::SpringNotes;
use crate::assets::unique::bad_name;

/// The gravity of the side-scroller, in metres per second squared: a jump in a game is faster than on earth.
pub const GRAVITY: f32 = 32.0;
/// The gravity that a model can have, in metres per second squared.
pub const GRAVITY_RANGE: [f32; 2] = [0.1, 1000.0];

/// Bone groups, mirror pairs, Euler orders, joint limits, IK chains, springs, masses, humanoid and bone map of a model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RigNotes {
    /// In display order.
    pub groups: SharedList<BoneGroup>,
    /// Pairs that override those found by names and positions. A bone paired with itself is in the middle.
    pub mirror: Vec<(String, String)>,
    /// By the name of the bone. Those that aren't named are read in the default order.
    pub orders: BTreeMap<String, EulerOrder>,
    /// By the name of the bone. Others rotate freely.
    pub limits: BTreeMap<String, Limit>,
    /// By the name of the bone that is dragged. Others end an arm or a leg.
    pub chains: BTreeMap<String, IkChain>,
    /// Bones that swing behind the pose.
    pub springs: SpringNotes,
    /// The share of a bone in the mass in percent, 0 to 100, by the name of the bone. That of others follows from their volume.
    pub masses: BTreeMap<String, f32>,
    /// The gravity of the game, in metres per second squared; `None` for [`GRAVITY`].
    pub gravity: Option<f32>,
    /// The bone that is each part of a humanoid, such as "leftUpperArm", as the file declares it (VRM).
    pub humanoid: BTreeMap<String, String>,
    /// Choices of the user: the bone that follows a bone of other files, by its name there; empty for none.
    pub bone_map: BTreeMap<String, String>,
}

/// How IK moves a bone, such as the end of a tail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IkChain {
    /// The number of joints above the bone that rotate; at least 1.
    pub joints: u8,
    /// How it bends.
    pub solver: Solver,
}

/// A named group of bones.
#[derive(Clone, Debug, PartialEq)]
pub struct BoneGroup {
    /// Unique within the model, not empty.
    pub name: String,
    /// sRGB.
    pub color: [u8; 3],
    /// Names of bones. A bone may be in several groups; the first one gives it its colour.
    pub bones: Vec<String>,
}

/// Sets the value of a bone in a map of the notes, by its name; `None` removes it.
pub fn put<V>(values: &mut BTreeMap<String, V>, bone: &str, value: Option<V>) {
    match value {
        Some(value) => values.insert(bone.to_owned(), value),
        None => values.remove(bone),
    };
}

impl RigNotes {
    /// The notes with a change.
    pub fn with(&self, change: impl FnOnce(&mut RigNotes)) -> RigNotes {
        let mut rig = self.clone();
        change(&mut rig);
        rig
    }

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

    /// The order in which the rotations of a bone are read.
    pub fn order(&self, bone: &str) -> EulerOrder {
        self.orders.get(bone).copied().unwrap_or_default()
    }

    /// Sets the order in which the rotations of a bone are read.
    pub fn set_order(&mut self, bone: &str, order: EulerOrder) {
        put(&mut self.orders, bone, (order != EulerOrder::default()).then_some(order));
    }

    /// The limits of a skeleton's bones.
    pub fn limits_of<'a>(&'a self, skeleton: &'a Skeleton) -> impl Iterator<Item = (BoneIndex, Limit)> + 'a {
        self.limits.iter().filter_map(|(bone, limit)| Some((skeleton.find(bone)?, *limit)))
    }

    /// The gravity of the game, in metres per second squared.
    pub fn gravity(&self) -> f32 {
        self.gravity.unwrap_or(GRAVITY)
    }

    /// Checks that the names of groups are unique and not empty, that pairs name two bones, that orders, chains and parts
    /// name one, limits, masses and gravity.
    pub fn check(&self) -> Result<(), String> {
        self.check_changed(&RigNotes::default())
    }

    /// As [`RigNotes::check`], of notes that were changed: names of groups that they share with the valid ones before are not
    /// checked again.
    pub fn check_changed(&self, before: &RigNotes) -> Result<(), String> {
        if let Some(name) = bad_name(&self.groups, &before.groups, |group| &group.name) {
            return Err(format!("the bone group name \"{name}\" is empty or already used"));
        }
        for (bone, limit) in &self.limits {
            limit.check().map_err(|reason| format!("the joint limit of \"{bone}\": {reason}"))?;
        }
        self.springs.check()?;
        if let Some((bone, percent)) = self.masses.iter().find(|(_, percent)| !(0.0..=100.0).contains(*percent)) {
            return Err(format!("the mass of \"{bone}\" is {percent} %; use 0 to 100 %"));
        }
        let [low, high] = GRAVITY_RANGE;
        if let Some(gravity) = self.gravity.filter(|gravity| !(low..=high).contains(gravity)) {
            return Err(format!("a gravity of {gravity} m/s² is out of range; use {low} to {high} m/s²"));
        }
        match self.mirror.iter().any(|(a, b)| a.is_empty() || b.is_empty()) {
            true => Err("a mirror pair names only one bone".to_owned()),
            false if self.orders.contains_key("") => Err("an Euler order names no bone".to_owned()),
            false if self.masses.contains_key("") => Err("a mass names no bone".to_owned()),
            false if self.limits.contains_key("") => Err("a joint limit names no bone".to_owned()),
            false if self.chains.iter().any(|(bone, chain)| bone.is_empty() || chain.joints == 0) => {
                Err("an IK chain names no bone or has no joint".to_owned())
            }
            false if self.humanoid.iter().any(|(part, bone)| part.is_empty() || bone.is_empty()) => {
                Err("a part of the humanoid names no bone".to_owned())
            }
            false if self.bone_map.contains_key("") => Err("the bone map has a bone without a name".to_owned()),
            false => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_set_and_removed_by_name() {
        let mut values = BTreeMap::from([("arm".to_owned(), 1)]);
        put(&mut values, "hand", Some(2));
        put(&mut values, "arm", None);
        assert_eq!(values, BTreeMap::from([("hand".to_owned(), 2)]));
    }
}
