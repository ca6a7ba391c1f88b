//! The scene: nodes with their transforms and instances.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use roxmltree::{Node, NodeId};

use crate::import::assembly::hierarchy::{self, Bones};
use crate::import::assembly::names::shortened;
use crate::import::collada::document::{Document, child, children, label};
use crate::import::collada::transforms::{self, Step};
use crate::import::collada::{animations, skins};
use crate::import::error::Fault;
use crate::import::report::Report;

/// Maximum count of nodes: instances of nodes can multiply them.
const MAX_NODES: usize = 65_536;

/// Steps to compute the matrix of a transform.
const STEPS_PER_TRANSFORM: usize = 16;

/// A node of the scene.
pub struct SceneNode<'a> {
    pub element: Node<'a, 'a>,
    pub parent: Option<usize>,
    /// Shared by all instances of the element.
    pub steps: Rc<[Step]>,
}

/// The nodes of the scene, parents first.
#[derive(Default)]
pub struct Scene<'a> {
    pub nodes: Vec<SceneNode<'a>>,
    /// The nodes of each element, in order: several if it is instanced.
    of_element: HashMap<NodeId, Vec<usize>>,
    /// The nodes of each SID, in order.
    by_sid: HashMap<Cow<'a, str>, Vec<usize>>,
    /// The first node of each name.
    by_name: HashMap<Cow<'a, str>, usize>,
}

impl<'a> Scene<'a> {
    /// Reads the scene that the file shows, else its first one.
    pub fn read(document: &Document<'a>, report: &mut Report) -> Result<Scene<'a>, Fault> {
        let instance = child(document.root, "scene").and_then(|scene| child(scene, "instance_visual_scene"));
        let shown = instance.and_then(|instance| document.by_url(instance.attribute("url")?));
        let first = || child(child(document.root, "library_visual_scenes")?, "visual_scene");
        let mut scene = Scene::default();
        let Some(shown) = shown.or_else(first) else { return Ok(scene) };
        // Elements that were entered, to find instances of nodes within themselves.
        let mut waiting: Vec<(Node<'a, 'a>, Option<usize>)> =
            children(shown, "node").map(|node| (node, None)).collect();
        waiting.reverse();
        while let Some((element, parent)) = waiting.pop() {
            document.check_steps()?;
            if scene.is_above(document, element, parent) {
                return Err(Fault::at(format!("node {}", label(element)), "the nodes form a cycle"));
            }
            if scene.nodes.len() >= MAX_NODES {
                return Err(Fault::at("nodes", format!("more than {MAX_NODES}")));
            }
            let index = scene.add(element, parent);
            let instances =
                children(element, "instance_node").filter_map(|node| document.by_url(node.attribute("url")?));
            let mut below: Vec<_> =
                children(element, "node").chain(instances).map(|node| (node, Some(index))).collect();
            below.reverse();
            // Its children are visited several times.
            document.take_steps(element.children().count().saturating_mul(4));
            waiting.append(&mut below);
            if element.children().any(|step| step.tag_name().name() == "skew") {
                report.not_imported("skews");
            }
        }
        Ok(scene)
    }

    /// Adds a node; returns its index.
    fn add(&mut self, element: Node<'a, 'a>, parent: Option<usize>) -> usize {
        let index = self.nodes.len();
        let before = self.find(element).and_then(|first| self.nodes.get(first));
        let steps =
            before.map_or_else(|| element.children().filter_map(Step::of).collect(), |before| before.steps.clone());
        self.nodes.push(SceneNode { element, parent, steps });
        self.of_element.entry(element.id()).or_default().push(index);
        if let Some(sid) = element.attribute("sid") {
            self.by_sid.entry(shortened(sid)).or_default().push(index);
        }
        if let Some(name) = element.attribute("name") {
            self.by_name.entry(shortened(name)).or_insert(index);
        }
        index
    }

    /// Whether an element is above a node, or is the node.
    fn is_above(&self, document: &Document<'_>, element: Node<'_, '_>, node: Option<usize>) -> bool {
        let at = node.and_then(|node| self.nodes.get(node));
        at.is_some_and(|at| at.element == element || self.above(document, at).any(|above| above.element == element))
    }

    /// The nodes above a node, its parent first.
    pub fn above(&self, document: &Document<'_>, node: &SceneNode<'a>) -> impl Iterator<Item = &SceneNode<'a>> {
        let parent = |node: &SceneNode<'a>| {
            document.take_steps(1);
            self.nodes.get(node.parent?)
        };
        std::iter::successors(parent(node), move |above| parent(above))
    }

    /// The first node of an element.
    pub fn find(&self, element: Node<'_, '_>) -> Option<usize> {
        self.all_of(element).first().copied()
    }

    /// The nodes of an element, in order.
    pub fn all_of(&self, element: Node<'_, '_>) -> &[usize] {
        self.of_element.get(&element.id()).map_or(&[], Vec::as_slice)
    }

    /// The nodes of a SID, in order.
    pub fn of_sid(&self, sid: &str) -> &[usize] {
        self.by_sid.get(sid).map_or(&[], Vec::as_slice)
    }

    /// The first node of a name.
    pub fn of_name(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// Converts joints, animated nodes, nodes with meshes and all their ancestors to bones.
    pub fn bones(&self, document: &Document<'a>, report: &mut Report) -> Result<Bones, Fault> {
        let joints = skins::joints(document, self);
        let moved: HashSet<usize> = animations::moved(document, self);
        let mut nodes = Vec::with_capacity(self.nodes.len());
        for (index, node) in self.nodes.iter().enumerate() {
            let place = format!("node {}", label(node.element));
            document.take_steps(node.steps.len().saturating_mul(STEPS_PER_TRANSFORM));
            document.check_steps()?;
            let matrix = transforms::matrix(document, &node.steps, node.parent.is_none());
            let matrix = matrix.ok_or_else(|| Fault::at(&place, "transform is not finite"))?;
            let (rest, is_whole) = transforms::decomposed(matrix);
            if !rest.is_finite() {
                return Err(Fault::at(&place, "transform is not finite"));
            }
            if !is_whole {
                report.add(&place, "the transform has shear, which bones don't support; the shear is lost");
            }
            let is_joint = joints.contains(&index) || node.element.attribute("type") == Some("JOINT");
            let name = ["name", "sid", "id"].into_iter().find_map(|name| node.element.attribute(name));
            let is_wanted = moved.contains(&index) || has_mesh(node.element);
            let name = name.map(|name| shortened(name).into_owned());
            nodes.push(hierarchy::Node { name, parent: node.parent, rest, is_wanted, is_joint });
        }
        if !self.nodes.iter().any(|node| has_mesh(node.element)) {
            let free: Vec<bool> = self.nodes.iter().map(|node| !has(node.element, &VIEWERS)).collect();
            hierarchy::want_trees(&mut nodes, &free)?;
        }
        hierarchy::bones(&nodes, report)
    }
}

/// Elements of nodes that are no part of a body.
const VIEWERS: [&str; 2] = ["instance_camera", "instance_light"];

fn has_mesh(element: Node<'_, '_>) -> bool {
    has(element, &["instance_geometry", "instance_controller"])
}

fn has(element: Node<'_, '_>, names: &[&str]) -> bool {
    element.children().any(|child| names.contains(&child.tag_name().name()))
}
