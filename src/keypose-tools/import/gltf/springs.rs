//! Spring bones: those of VRM 1.0 (`VRMC_springBone`) and of 0.x (`secondaryAnimation`). Both become springs in the notes of the rig.
//! Planes and inverted colliders are reported, and replaced by the shape that the file has for programs without them.

use std::collections::{BTreeMap, BTreeSet};

use glam::Vec3;
use gltf::json::Root;
use serde_json::{Map, Value};

use crate::anim::spring::Swing;
use crate::assets::combat::volume::{MAX_VOLUMES, Volume};
use crate::assets::spring_notes::{DEFAULT_LENGTH, Spring, SpringNotes, SpringTip};
use crate::import::assembly::hierarchy::Bones;
use crate::import::assembly::names::Names;
use crate::import::gltf::json::{float, list, vector, whole};
use crate::import::gltf::vrm::{extension, faces_backward};
use crate::import::report::Report;

/// The name of the extension.
const NAME: &str = "VRMC_springBone";
/// The name of the extension with planes and inverted colliders, in a collider.
const EXTENDED: &str = "VRMC_springBone_extended_collider";
/// Maximum number of colliders of all springs together: a small file could repeat a list for each of many springs.
const MAX_LINKS: usize = 0x4000;
/// A radius of 0 in a file: a collider has one, and the tip may have one, too.
const MIN_RADIUS: f32 = 1e-6;

/// The springs of a file, by nodes.
#[derive(Debug, Default)]
pub struct NodeSprings {
    joints: Vec<NodeJoint>,
    colliders: Vec<NodeCollider>,
    wind: Vec3,
}

#[derive(Debug)]
struct NodeJoint {
    node: usize,
    tip: Tip,
    swing: Swing,
    center: Option<usize>,
    /// Indices of colliders.
    colliders: Vec<usize>,
}

#[derive(Debug)]
enum Tip {
    Node(usize),
    Point(Vec3),
    /// As far as the bone is from its parent, by a length of [`DEFAULT_LENGTH`].
    Onward,
}

#[derive(Debug)]
struct NodeCollider {
    node: usize,
    name: Option<String>,
    ends: [Vec3; 2],
    radius: f32,
}

/// Reads the springs of a file.
pub fn read(root: &Root, report: &mut Report) -> NodeSprings {
    let mut read = Reading { root, springs: NodeSprings::default(), groups: Vec::new(), left: MAX_LINKS, report };
    if let Some(springs) = extension(root, NAME) {
        read.version_1(springs);
    } else if let Some(springs) = extension(root, "VRM").and_then(|vrm| vrm.get("secondaryAnimation")?.as_object()) {
        read.version_0(springs);
    }
    read.springs
}

impl NodeSprings {
    /// The nodes that have to be bones.
    pub fn nodes(&self) -> BTreeSet<usize> {
        let tip = |joint: &NodeJoint| match joint.tip {
            Tip::Node(node) => node,
            Tip::Point(_) | Tip::Onward => joint.node,
        };
        let joints = self.joints.iter().flat_map(|joint| [joint.node, tip(joint), joint.center.unwrap_or(joint.node)]);
        joints.chain(self.colliders.iter().map(|collider| collider.node)).collect()
    }

    /// The notes of the rig.
    pub fn notes(self, bones: &Bones, report: &mut Report) -> SpringNotes {
        let name = |node: usize| Some(bones.skeleton.get(bones.of(node)?)?.name.clone());
        let mut names = Names::of("collider");
        let mut notes = SpringNotes { wind: self.wind, ..SpringNotes::default() };
        let mut named = Vec::with_capacity(self.colliders.len());
        for (at, collider) in self.colliders.iter().enumerate() {
            let bone = name(collider.node).filter(|_| notes.colliders.len() < MAX_VOLUMES);
            let findings = &mut report.at(format_args!("collider {at}"));
            named.push(bone.map(|bone| {
                let name = names.take(collider.name.as_deref().or(Some(&bone)), findings);
                let [from, to] = collider.ends;
                notes.colliders.push(Volume { name: name.clone(), bone, from, to, radius: collider.radius });
                name
            }));
        }
        for joint in self.joints {
            let (bone, tip) = (name(joint.node), joint.tip(bones));
            let Some((bone, tip)) = bone.zip(tip) else {
                report.add("springs", format_args!("node {} has no length or is no bone; ignored", joint.node));
                continue;
            };
            let colliders = joint.colliders.iter().filter_map(|at| named.get(*at)?.clone()).collect();
            let spring = Spring { swing: joint.swing, tip, center: joint.center.and_then(name), colliders };
            notes.bones.entry(bone).or_insert(spring);
        }
        notes
    }
}

impl NodeJoint {
    fn tip(&self, bones: &Bones) -> Option<SpringTip> {
        let bone = bones.of(self.node)?;
        match self.tip {
            Tip::Node(tip) => {
                let tip = bones.of(tip).filter(|tip| *tip != bone && bones.skeleton.is_below(*tip, bone))?;
                Some(SpringTip::Bone(bones.skeleton.get(tip)?.name.clone()))
            }
            Tip::Point(point) => Some(SpringTip::Point(point)),
            Tip::Onward => {
                let away = bones.skeleton.get(bone)?.rest.translation.try_normalize()?;
                Some(SpringTip::Point(Vec3::from_array(away.to_array().map(|part| part * DEFAULT_LENGTH))))
            }
        }
    }
}

struct Reading<'a> {
    root: &'a Root,
    springs: NodeSprings,
    /// Indices of colliders by the index of their group.
    groups: Vec<Vec<usize>>,
    /// How many colliders springs may still have.
    left: usize,
    report: &'a mut Report,
}

impl Reading<'_> {
    fn version_1(&mut self, springs: &Map<String, Value>) {
        // The index of a collider in the file, and of that which was read.
        let mut places = BTreeMap::new();
        for (at, collider) in list(springs.get("colliders")).enumerate() {
            if collider.get("extensions").is_some_and(|extensions| extensions.get(EXTENDED).is_some()) {
                let reason = "planes and inverted colliders are not supported; its fallback shape is used";
                self.report.add("springs", format_args!("collider {at}: {reason}"));
            }
            match node_collider(collider).filter(|collider| self.has(collider.node)) {
                Some(read) => {
                    places.insert(at, self.springs.colliders.len());
                    self.springs.colliders.push(read);
                }
                None => self.report.add("springs", format_args!("collider {at} has no node or no shape; ignored")),
            }
        }
        for group in list(springs.get("colliderGroups")) {
            let indices = list(group.get("colliders")).filter_map(whole::<usize>);
            self.groups.push(indices.filter_map(|at| places.get(&at).copied()).collect());
        }
        for spring in list(springs.get("springs")) {
            let colliders = self.colliders(spring);
            let center = spring.get("center").and_then(whole::<usize>).filter(|node| self.has(*node));
            let joints: Vec<&Value> = list(spring.get("joints")).collect();
            let following = joints.iter().skip(1).map(Some).chain([None]);
            for (joint, next) in joints.iter().zip(following) {
                let down = joint.get("gravityDir").map_or(Vec3::NEG_Y, |dir| vector(dir).unwrap_or(Vec3::NEG_Y));
                let swing = swing(joint, ["stiffness", "gravityPower"], 0.5, down);
                let point = joint.pointer("/extras/keypose/tip").and_then(vector);
                let tip = next.and_then(|next| node(next)).map(Tip::Node).or(point.map(Tip::Point));
                if let Some((node, tip)) = node(joint).zip(tip) {
                    self.add(NodeJoint { node, tip, swing, center, colliders: colliders.clone() });
                }
            }
        }
        let wind = springs.get("extras").and_then(|extras| vector(extras.pointer("/keypose/wind")?));
        self.springs.wind = wind.unwrap_or_default();
    }

    fn version_0(&mut self, springs: &Map<String, Value>) {
        for group in list(springs.get("colliderGroups")) {
            let node = node(group).filter(|node| self.has(*node));
            let colliders = list(group.get("colliders")).filter_map(|collider| old_collider(node?, collider));
            let first = self.springs.colliders.len();
            self.springs.colliders.extend(colliders);
            self.groups.push((first..self.springs.colliders.len()).collect());
        }
        let is_turned = faces_backward(self.root) && self.root.animations.is_empty();
        let mut seen = BTreeSet::new();
        for spring in list(springs.get("boneGroups")) {
            let colliders = self.colliders(spring);
            let center = spring.get("center").and_then(whole::<usize>).filter(|node| self.has(*node));
            let down = spring.get("gravityDir").map_or(Vec3::NEG_Y, |dir| object(dir, [1.0, 1.0, -1.0]));
            // The world of VRM 0 has z backward, and the model faces it.
            let down = if is_turned { Vec3::new(-down.x, down.y, -down.z) } else { down };
            let swing = swing(spring, ["stiffiness", "gravityPower"], 0.4, down);
            let mut below: Vec<usize> = list(spring.get("bones")).filter_map(whole::<usize>).collect();
            while let Some(node) = below.pop() {
                let Some(json) = self.root.nodes.get(node).filter(|_| seen.insert(node)) else { continue };
                let children: Vec<usize> = json.children.iter().flatten().map(|child| child.value()).collect();
                let tip = children.first().map_or(Tip::Onward, |child| Tip::Node(*child));
                self.add(NodeJoint { node, tip, swing, center, colliders: colliders.clone() });
                below.extend(children);
            }
        }
    }

    /// The colliders of a spring.
    fn colliders(&self, spring: &Value) -> Vec<usize> {
        let mut seen = BTreeSet::new();
        let groups = list(spring.get("colliderGroups")).filter_map(whole::<usize>).filter(|group| seen.insert(*group));
        let all = groups.filter_map(|at| self.groups.get(at)).flatten().copied();
        let mut seen = BTreeSet::new();
        all.take(MAX_LINKS).filter(|at| *at < MAX_VOLUMES && seen.insert(*at)).collect()
    }

    fn add(&mut self, mut joint: NodeJoint) {
        if !self.has(joint.node) {
            return;
        }
        if let Err(reason) = joint.swing.check() {
            return self.report.add("springs", format_args!("node {}: {reason}; ignored", joint.node));
        }
        if joint.colliders.len() > self.left {
            self.report.add("springs", "more colliders of springs than can be kept; the others are ignored");
            joint.colliders.clear();
        }
        self.left = self.left.saturating_sub(joint.colliders.len());
        self.springs.joints.push(joint);
    }

    fn has(&self, node: usize) -> bool {
        node < self.root.nodes.len()
    }
}

fn swing(json: &Value, [stiffness, gravity]: [&str; 2], drag: f32, down: Vec3) -> Swing {
    let power = number(json, gravity).unwrap_or(0.0);
    Swing {
        stiffness: number(json, stiffness).unwrap_or(1.0).max(0.0),
        drag: number(json, "dragForce").unwrap_or(drag).clamp(0.0, 1.0),
        gravity: Vec3::from_array(down.to_array().map(|part| part * power)),
        radius: number(json, "hitRadius").unwrap_or(0.0).max(0.0),
    }
}

fn node_collider(json: &Value) -> Option<NodeCollider> {
    let shape = json.get("shape")?;
    let (of, end) = match (shape.get("sphere"), shape.get("capsule")) {
        (Some(sphere), _) => (sphere, "offset"),
        (None, Some(capsule)) => (capsule, "tail"),
        (None, None) => return None,
    };
    let at = |name: &str| of.get(name).and_then(vector).unwrap_or_default();
    let name = json.pointer("/extras/keypose/name").and_then(Value::as_str).map(str::to_owned);
    collider(node(json)?, name, [at("offset"), at(end)], number(of, "radius"))
}

/// A collider of VRM 0: z is opposite.
fn old_collider(node: usize, json: &Value) -> Option<NodeCollider> {
    let center = json.get("offset").map_or(Vec3::ZERO, |offset| object(offset, [1.0, 1.0, -1.0]));
    collider(node, None, [center; 2], number(json, "radius"))
}

fn collider(node: usize, name: Option<String>, ends: [Vec3; 2], radius: Option<f32>) -> Option<NodeCollider> {
    let radius = radius.unwrap_or(0.0).max(MIN_RADIUS);
    let is_finite = radius.is_finite() && ends.iter().all(|end| end.is_finite());
    is_finite.then_some(NodeCollider { node, name, ends, radius })
}

fn node(value: &Value) -> Option<usize> {
    value.get("node").and_then(whole)
}

fn number(value: &Value, name: &str) -> Option<f32> {
    value.get(name).and_then(float)
}

/// An object with x, y and z, each by a factor.
fn object(value: &Value, factors: [f32; 3]) -> Vec3 {
    let parts = ["x", "y", "z"].map(|name| number(value, name).unwrap_or(0.0));
    Vec3::from_array([0, 1, 2].map(|at| parts.get(at).unwrap_or(&0.0) * factors.get(at).unwrap_or(&1.0)))
}
