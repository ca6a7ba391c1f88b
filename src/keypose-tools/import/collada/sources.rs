//! Sources: lists of numbers or names with an accessor, and the inputs that refer to them.

use std::rc::Rc;

use roxmltree::Node;

use crate::import::collada::document::{Document, child, children, words};

/// Rows of numbers, shared by all that use a source.
#[derive(Clone, Debug)]
pub struct Floats {
    numbers: Rc<[f64]>,
    offset: usize,
    /// From row to row.
    pub stride: usize,
    /// Count of rows.
    pub count: usize,
}

impl Floats {
    /// The numbers of a row; at least `width`.
    pub fn row(&self, at: usize, width: usize) -> Option<&[f64]> {
        if at >= self.count {
            return None;
        }
        let start = at.checked_mul(self.stride)?.checked_add(self.offset)?;
        self.numbers.get(start..start.checked_add(width)?)
    }
}

/// Reads a source of numbers.
pub fn floats(document: &Document<'_>, url: &str) -> Option<Floats> {
    let source = document.by_url(url)?;
    if !document.take_steps(source.children().count()) {
        return None;
    }
    let accessor = child(source, "technique_common").and_then(|technique| child(technique, "accessor"));
    let array = accessor.and_then(|accessor| document.by_url(accessor.attribute("source")?));
    let numbers = document.numbers(array.or(child(source, "float_array"))?);
    let number = |name: &str| accessor.and_then(|accessor| accessor.attribute(name)?.trim().parse::<usize>().ok());
    let stride = number("stride").unwrap_or(1).max(1);
    // Parameters without a name are skipped (COLLADA 1.4, "<accessor>"); some exporters name none of theirs.
    let first = accessor.and_then(|accessor| children(accessor, "param").position(|param| param.has_attribute("name")));
    let offset = number("offset").unwrap_or(0);
    // The last row may end before the next would begin: other sources share the array.
    let held = numbers.len().saturating_sub(offset).div_ceil(stride);
    let count = number("count").unwrap_or(held).min(held);
    Some(Floats { numbers, offset: offset.saturating_add(first.unwrap_or(0)), stride, count })
}

/// The kind of names in a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameKind {
    /// SIDs.
    Sid,
    /// Ids.
    Id,
}

/// Reads a source of names.
pub fn names<'a>(document: &Document<'a>, url: &str) -> Option<(Vec<&'a str>, NameKind)> {
    let source = document.by_url(url)?;
    let list = |array| {
        let words: Vec<&str> = words(array).collect();
        document.take_steps(words.len()).then_some(words)
    };
    let of = |name: &str, kind: NameKind| Some((list(child(source, name)?)?, kind));
    of("Name_array", NameKind::Sid).or_else(|| of("IDREF_array", NameKind::Id))
}

/// An input: its meaning, its source, its place in a row of indices and its set.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    pub semantic: &'a str,
    pub source: &'a str,
    pub offset: usize,
    pub set: usize,
}

/// The inputs of an element.
pub fn inputs<'a>(node: Node<'a, 'a>) -> Vec<Input<'a>> {
    let number =
        |input: Node<'a, 'a>, name: &str| input.attribute(name).and_then(|text| text.trim().parse().ok()).unwrap_or(0);
    let input = |input: Node<'a, 'a>| {
        let (semantic, source) = (input.attribute("semantic")?, input.attribute("source")?);
        Some(Input { semantic, source, offset: number(input, "offset"), set: number(input, "set") })
    };
    children(node, "input").filter_map(input).collect()
}

/// The source of the input of a meaning.
pub fn source_of<'a>(inputs: &[Input<'a>], semantic: &str) -> Option<&'a str> {
    inputs.iter().find(|input| input.semantic == semantic).map(|input| input.source)
}
