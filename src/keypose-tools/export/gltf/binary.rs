//! The buffer of a file, with its views and accessors (glTF 2.0, section 3.6). Everything in it is aligned to four bytes.

use serde_json::{Value, json};

use crate::export::gltf::list::List;
use crate::export::gltf::numbers;

/// The target of a view of vertex attributes.
pub const VERTICES: u32 = 34_962;
/// The target of a view of vertex indices.
pub const INDICES: u32 = 34_963;

/// The type of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Component {
    /// Unsigned byte.
    U8 = 5121,
    /// Unsigned short.
    U16 = 5123,
    /// Unsigned int.
    U32 = 5125,
    /// Float.
    F32 = 5126,
}

/// A list of elements in the buffer.
#[derive(Clone, Copy, Debug)]
pub struct Elements {
    /// The type of their components.
    pub component: Component,
    /// "SCALAR", "VEC3", …
    pub kind: &'static str,
    /// Number of elements, at least one.
    pub count: usize,
    /// Whether integers stand for fractions.
    pub normalized: bool,
}

/// The buffer with its views and accessors.
#[derive(Default)]
pub struct Binary {
    pub bytes: Vec<u8>,
    pub views: List,
    pub accessors: List,
}

impl Binary {
    /// Adds bytes as a view of their own. Returns its index.
    pub fn view(&mut self, target: Option<u32>, bytes: &[u8]) -> usize {
        let start = self.start();
        self.bytes.extend_from_slice(bytes);
        self.view_from(start, target)
    }

    /// Where the next view starts.
    pub fn start(&mut self) -> usize {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        self.bytes.len()
    }

    /// Adds all bytes from a place on as a view. Returns its index.
    pub fn view_from(&mut self, start: usize, target: Option<u32>) -> usize {
        let mut view = json!({ "buffer": 0, "byteOffset": start, "byteLength": self.bytes.len() - start });
        if let Some(target) = target {
            view["target"] = target.into();
        }
        self.views.push(&view)
    }

    /// Adds elements as a view of their own. Returns the index of their accessor.
    pub fn add(&mut self, target: Option<u32>, elements: Elements, bytes: &[u8]) -> usize {
        let view = self.view(target, bytes);
        self.accessors.push(&elements.accessor(view, 0))
    }

    /// As [`Binary::add`], with the minimum and the maximum value of each component.
    pub fn add_bounded(
        &mut self,
        target: Option<u32>,
        (elements, bytes): (Elements, Vec<u8>),
        ends: Ends<'_>,
    ) -> usize {
        let view = self.view(target, &bytes);
        self.accessors.push(&bounded(elements.accessor(view, 0), ends))
    }
}

/// The minimum and the maximum value of each component.
pub type Ends<'a> = (&'a [f32], &'a [f32]);

/// An accessor with the minimum and the maximum value of each component.
pub fn bounded(mut accessor: Value, (min, max): Ends<'_>) -> Value {
    (accessor["min"], accessor["max"]) = (numbers(min), numbers(max));
    accessor
}

impl Elements {
    /// The accessor of a part of a view.
    pub fn accessor(self, view: usize, offset: usize) -> Value {
        let Elements { component, kind, count, normalized } = self;
        let mut accessor =
            json!({ "bufferView": view, "componentType": component as u32, "type": kind, "count": count });
        if offset > 0 {
            accessor["byteOffset"] = offset.into();
        }
        if normalized {
            accessor["normalized"] = true.into();
        }
        accessor
    }
}

/// Floats as elements of `N` components each.
pub fn floats<const N: usize>(rows: impl Iterator<Item = [f32; N]>) -> (Elements, Vec<u8>) {
    let mut bytes = Vec::new();
    let mut count = 0;
    for row in rows {
        row.iter().for_each(|number| bytes.extend(number.to_le_bytes()));
        count += 1;
    }
    let kind = match N {
        1 => "SCALAR",
        2 => "VEC2",
        3 => "VEC3",
        4 => "VEC4",
        _ => "MAT4",
    };
    (Elements { component: Component::F32, kind, count, normalized: false }, bytes)
}
