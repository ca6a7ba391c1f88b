//! The springs of a rig, by the names of bones: which bones swing behind the pose, how, and the colliders that they don't enter.

use std::collections::{BTreeMap, BTreeSet};

use glam::Vec3;

use crate::anim::skeleton::{BoneIndex, Skeleton};
use crate::anim::spring::{Collider, Joint, Springs, Swing, Tip};
use crate::assets::combat::volume::{MAX_VOLUMES, Volume, check_all};

/// The length of a bone without a child, in units of the model, unless the user chose one. VRM 0 has the same.
pub const DEFAULT_LENGTH: f32 = 0.07;

/// Springs, colliders and wind of a model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SpringNotes {
    /// By the name of the bone. A chain is a bone with a spring, its child with a spring, and so on.
    pub bones: BTreeMap<String, Spring>,
    /// Spheres and capsules, at most [`MAX_VOLUMES`].
    pub colliders: Vec<Volume>,
    /// In the world, in units of the model per second; blows on all bones with springs.
    pub wind: Vec3,
}

/// The spring of a bone.
#[derive(Clone, Debug, PartialEq)]
pub struct Spring {
    /// Stiffness, drag, gravity and radius.
    pub swing: Swing,
    /// The point that swings.
    pub tip: SpringTip,
    /// The name of the bone in whose space the tip moves, such as a head, whose movement then swings nothing. `None` for the world.
    pub center: Option<String>,
    /// Names of the colliders that it doesn't enter.
    pub colliders: Vec<String>,
}

/// The point of a bone that swings.
#[derive(Clone, Debug, PartialEq)]
pub enum SpringTip {
    /// The joint of a bone below, by its name.
    Bone(String),
    /// A point in the bone's own space, for the last bone of a chain.
    Point(Vec3),
}

impl SpringNotes {
    /// Returns true if there are no springs.
    pub fn is_empty(&self) -> bool {
        self.bones.is_empty()
    }

    /// The springs of a skeleton. Bones and colliders that it lacks are left out.
    pub fn of(&self, skeleton: &Skeleton) -> Springs {
        let collider = |volume: &Volume| {
            let Volume { from, to, radius, .. } = *volume;
            // Without its bone it pushes nothing.
            let bone = skeleton.find(&volume.bone).unwrap_or(Skeleton::NO_PARENT);
            Collider { bone, ends: [from, to], radius }
        };
        let colliders = self.colliders.iter().map(collider).collect();
        let joints = self.bones.iter().filter_map(|(bone, spring)| self.joint(skeleton, bone, spring)).collect();
        Springs::new(skeleton, joints, colliders, self.wind)
    }

    fn joint(&self, skeleton: &Skeleton, bone: &str, spring: &Spring) -> Option<Joint> {
        let tip = match &spring.tip {
            SpringTip::Bone(name) => Tip::Bone(skeleton.find(name)?),
            SpringTip::Point(point) => Tip::Point(*point),
        };
        let index = |name: &String| self.colliders.iter().position(|collider| collider.name == *name);
        Some(Joint {
            bone: skeleton.find(bone)?,
            tip,
            swing: spring.swing,
            center: spring.center.as_ref().and_then(|name| skeleton.find(name)),
            colliders: spring.colliders.iter().filter_map(index).filter_map(|at| u16::try_from(at).ok()).collect(),
        })
    }

    /// Checks numbers and names. Bones may be missing; colliders must exist.
    pub fn check(&self) -> Result<(), String> {
        check_all(&self.colliders)?;
        if !self.wind.is_finite() {
            return Err("the wind is not finite".to_owned());
        }
        let names: BTreeSet<&str> = self.colliders.iter().map(|collider| collider.name.as_str()).collect();
        for (bone, spring) in &self.bones {
            let fault = |reason: &str| Err(format!("the spring of \"{bone}\": {reason}"));
            spring.swing.check().or_else(fault)?;
            let has_tip = match &spring.tip {
                SpringTip::Bone(tip) => !tip.is_empty() && tip != bone,
                SpringTip::Point(point) => point.is_finite(),
            };
            if bone.is_empty() || !has_tip || spring.center.as_ref().is_some_and(String::is_empty) {
                return fault("it names no bone, or its tip is not finite");
            }
            if spring.colliders.len() > MAX_VOLUMES {
                return fault("it has too many colliders");
            }
            if let Some(name) = spring.colliders.iter().find(|name| !names.contains(name.as_str())) {
                return fault(&format!("there is no collider \"{name}\""));
            }
        }
        Ok(())
    }

    /// Renames bones: `renamed` changes the names that it knows.
    pub fn rename_bones(&mut self, mut renamed: impl FnMut(&mut String)) {
        let bones = std::mem::take(&mut self.bones).into_iter().map(|(mut bone, mut spring)| {
            renamed(&mut bone);
            if let SpringTip::Bone(tip) = &mut spring.tip {
                renamed(tip);
            }
            spring.center.iter_mut().for_each(&mut renamed);
            (bone, spring)
        });
        self.bones = bones.collect();
        self.colliders.iter_mut().for_each(|collider| renamed(&mut collider.bone));
    }

    /// Removes the springs and colliders of bones, and springs whose tip is one of them.
    pub fn forget(&mut self, is_gone: impl Fn(&String) -> bool) {
        let loses_tip = |spring: &Spring| matches!(&spring.tip, SpringTip::Bone(tip) if is_gone(tip));
        self.bones.retain(|bone, spring| !is_gone(bone) && !loses_tip(spring));
        self.bones.values_mut().for_each(|spring| spring.center = spring.center.take().filter(|name| !is_gone(name)));
        self.colliders.retain(|collider| !is_gone(&collider.bone));
        self.drop_names();
    }

    /// Replaces or removes a collider. The springs that name it follow.
    pub fn put_collider(&mut self, at: usize, with: Option<Volume>) {
        let Some(collider) = self.colliders.get_mut(at) else { return };
        let Some(with) = with else {
            self.colliders.remove(at);
            return self.drop_names();
        };
        let names = self.bones.values_mut().flat_map(|spring| &mut spring.colliders);
        names.filter(|name| **name == collider.name).for_each(|name| name.clone_from(&with.name));
        *collider = with;
    }

    /// Removes a collider, from the springs that name it, too.
    pub fn remove_collider(&mut self, name: &str) {
        if let Some(at) = self.colliders.iter().position(|collider| collider.name == name) {
            self.put_collider(at, None);
        }
    }

    fn drop_names(&mut self) {
        let names: BTreeSet<&String> = self.colliders.iter().map(|collider| &collider.name).collect();
        self.bones.values_mut().for_each(|spring| spring.colliders.retain(|name| names.contains(name)));
    }

    /// The bones of the chain that starts at a bone, the bone first; empty if it has no spring.
    pub fn chain(&self, skeleton: &Skeleton, bone: BoneIndex) -> Vec<BoneIndex> {
        let (mut chain, mut at) = (Vec::new(), Some(bone));
        while let Some(bone) = at.filter(|bone| !chain.contains(bone)) {
            let Some(spring) = skeleton.get(bone).and_then(|bone| self.bones.get(&bone.name)) else { break };
            chain.push(bone);
            at = match &spring.tip {
                SpringTip::Bone(tip) => skeleton.find(tip),
                SpringTip::Point(_) => None,
            };
        }
        chain
    }
}
