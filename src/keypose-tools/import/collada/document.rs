//! The document: elements by id, text as numbers, units and axes.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use glam::{DMat4, DVec3};
use roxmltree::{Node, NodeId};

use crate::import::assembly::names::shortened;
use crate::import::error::Fault;
use crate::import::report::Report;

/// Steps of work that an import may take for each byte of the file, and in any case. A step looks at one element, word or number.
const STEPS_PER_BYTE: usize = 64;
const MIN_STEPS: usize = 4 << 20;

/// A parsed file.
pub struct Document<'a> {
    pub root: Node<'a, 'a>,
    by_id: HashMap<&'a str, Node<'a, 'a>>,
    /// Metres in a unit of the file.
    pub unit: f64,
    /// Our axes from those of the file.
    pub turn: DMat4,
    /// Whether Blender wrote it.
    pub is_of_blender: bool,
    /// The numbers of elements that were read: many elements can share a list.
    numbers: RefCell<HashMap<NodeId, Rc<[f64]>>>,
    /// Steps of work that are left. Elements can refer to each other, so a small file could ask for any amount.
    steps: Cell<usize>,
}

impl<'a> Document<'a> {
    /// Finds ids, units and axes. A root that is not COLLADA is an error.
    pub fn new(xml: &'a roxmltree::Document<'a>, report: &mut Report) -> Result<Document<'a>, Fault> {
        let root = xml.root_element();
        if root.tag_name().name() != "COLLADA" {
            return Err(Fault::Foreign);
        }
        let mut by_id = HashMap::new();
        for node in root.descendants() {
            if let Some(id) = node.attribute("id") {
                by_id.entry(id).or_insert(node);
            }
        }
        let asset = child(root, "asset");
        let unit = asset.and_then(|asset| child(asset, "unit")?.attribute("meter")).map(|text| number(text.trim()));
        let unit = unit.filter(|unit: &f64| unit.is_finite() && *unit > 0.0).unwrap_or(1.0);
        let up = asset.and_then(|asset| child(asset, "up_axis")?.text()).map_or("Y_UP", str::trim);
        // The file's x, y and z axis in ours.
        let axes = match up {
            "Z_UP" => [DVec3::X, DVec3::NEG_Z, DVec3::Y],
            "X_UP" => [DVec3::Y, DVec3::NEG_X, DVec3::Z],
            _ => [DVec3::X, DVec3::Y, DVec3::Z],
        };
        let [x, y, z] = axes.map(|axis| axis.extend(0.0));
        let turn = DMat4::from_cols(x, y, z, glam::DVec4::W);
        for (element, kind) in [("light", "lights"), ("camera", "cameras")] {
            let count = root.descendants().filter(|node| node.tag_name().name() == element).count();
            report.not_imported_many(kind, count);
        }
        let contributors = asset.into_iter().flat_map(|asset| children(asset, "contributor"));
        let mut tools = contributors.filter_map(|contributor| child(contributor, "authoring_tool")?.text());
        let is_of_blender = tools.any(|tool| tool.trim_start().starts_with("Blender"));
        let steps = xml.input_text().len().saturating_mul(STEPS_PER_BYTE).saturating_add(MIN_STEPS);
        let (numbers, steps) = (RefCell::default(), Cell::new(steps));
        Ok(Document { root, by_id, unit, turn, is_of_blender, numbers, steps })
    }

    /// Uses steps of work. Returns false if none are left; [`Document::check_steps`] then fails.
    pub fn take_steps(&self, count: usize) -> bool {
        let left = self.steps.get().saturating_sub(count);
        self.steps.set(left);
        left > 0
    }

    /// Fails if the import took too many steps.
    pub fn check_steps(&self) -> Result<(), Fault> {
        match self.steps.get() {
            0 => Err(Fault::at("the file", "its elements refer to each other far more often than its size allows")),
            _ => Ok(()),
        }
    }

    /// Returns the numbers of an element's text, read once; other words become NaN.
    pub fn numbers(&self, element: Node<'_, '_>) -> Rc<[f64]> {
        let known = self.numbers.borrow().get(&element.id()).cloned();
        known.unwrap_or_else(|| {
            let numbers: Rc<[f64]> = numbers(element).into();
            self.numbers.borrow_mut().insert(element.id(), numbers.clone());
            numbers
        })
    }

    /// The element of a URL such as "#mesh", or "hero.dae#mesh" as some programs refer to their own file.
    pub fn by_url(&self, url: &str) -> Option<Node<'a, 'a>> {
        let (_, id) = url.trim().rsplit_once('#')?;
        self.by_id.get(id).copied()
    }

    /// The element of an id.
    pub fn by_id(&self, id: &str) -> Option<Node<'a, 'a>> {
        self.by_id.get(id).copied()
    }
}

/// The first child element of a name.
pub fn child<'a>(node: Node<'a, 'a>, name: &str) -> Option<Node<'a, 'a>> {
    children(node, name).next()
}

/// The child elements of a name.
pub fn children<'a, 'n>(node: Node<'a, 'a>, name: &'n str) -> impl Iterator<Item = Node<'a, 'a>> + use<'a, 'n> {
    node.children().filter(move |child| child.is_element() && child.tag_name().name() == name)
}

/// The words of an element's text.
pub fn words<'a>(node: Node<'a, 'a>) -> impl Iterator<Item = &'a str> {
    node.children().filter_map(|child| child.is_text().then(|| child.text()).flatten()).flat_map(str::split_whitespace)
}

/// A number, also with the decimal comma of some languages; NaN for another word.
pub fn number(word: &str) -> f64 {
    let with_comma = || word.replacen(',', ".", 1).parse().unwrap_or(f64::NAN);
    word.parse().unwrap_or_else(|_| with_comma())
}

/// Returns the numbers of an element's text; other words become NaN.
pub fn numbers(node: Node<'_, '_>) -> Vec<f64> {
    words_of(node).map(number).collect()
}

/// Returns the whole numbers of an element's text; other words become the maximum.
pub fn indices(node: Node<'_, '_>) -> Vec<usize> {
    words_of(node).map(|word| word.parse().unwrap_or(usize::MAX)).collect()
}

fn words_of<'n>(node: Node<'n, '_>) -> impl Iterator<Item = &'n str> {
    let texts = node.children().filter(|child| child.is_text());
    texts.filter_map(|child| child.text()).collect::<Vec<_>>().into_iter().flat_map(str::split_whitespace)
}

/// The name of an element for reports: its name, id or kind.
pub fn label<'a>(node: Node<'a, 'a>) -> Cow<'a, str> {
    shortened(node.attribute("name").or(node.attribute("id")).unwrap_or(node.tag_name().name()))
}
