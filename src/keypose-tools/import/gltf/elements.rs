//! The elements of accessors: their shape, and the conversion of their bytes to numbers.

use std::borrow::Cow;

use gltf::json::accessor::{Accessor, ComponentType, Type};
use gltf::json::validation::Checked;

/// Packed elements that an extension decoded for an accessor.
pub struct Decoded {
    pub kind: ComponentType,
    /// Numbers in an element.
    pub width: usize,
    pub count: usize,
    pub bytes: Vec<u8>,
}

/// The checked shape of an accessor.
#[derive(Clone, Copy)]
pub struct Shape {
    pub kind: ComponentType,
    /// Size of an element in bytes.
    pub size: usize,
    pub count: usize,
}

impl Shape {
    pub fn of(accessor: &Accessor, width: usize) -> Result<Shape, Cow<'static, str>> {
        let Checked::Valid(kind) = accessor.component_type else {
            return Err("unknown component type".into());
        };
        let Checked::Valid(shape) = accessor.type_ else { return Err("unknown type".into()) };
        if shape.multiplicity() != width || matches!(shape, Type::Mat2) {
            return Err(format!("type {shape:?}, but {width} numbers per element are needed").into());
        }
        let count = usize::try_from(accessor.count.0).map_err(|_| "the count does not fit into memory")?;
        Ok(Shape { kind: kind.0, size: kind.0.size().saturating_mul(width), count })
    }

    /// The shape of what replaces the elements of an accessor, with `width` numbers each.
    pub fn of_decoded(decoded: &Decoded, width: usize) -> Result<Shape, String> {
        let Decoded { kind, count, width: found, .. } = *decoded;
        if found == width {
            Ok(Shape { kind, size: kind.size().saturating_mul(width), count })
        } else {
            Err(format!("{found} numbers per element, but {width} are needed"))
        }
    }

    /// The bytes of all elements, starting at `offset`, `stride` bytes apart.
    pub fn span(self, bytes: &[u8], offset: u64, stride: usize) -> Result<&[u8], String> {
        let (size, count) = (self.size, self.count);
        if stride < size {
            return Err(format!("elements of {size} bytes, but a stride of {stride}"));
        }
        let Some(last) = count.checked_sub(1) else { return Ok(&[]) };
        let needed = last.checked_mul(stride).and_then(|start| start.checked_add(size));
        let rest = usize::try_from(offset).ok().and_then(|offset| bytes.get(offset..)).unwrap_or_default();
        let missing = || format!("{count} elements of {size} bytes, {stride} apart, but {} bytes are left", rest.len());
        needed.and_then(|needed| rest.get(..needed)).ok_or_else(missing)
    }

    /// Converts every number of a checked span.
    pub fn decode<T, const N: usize>(self, span: &[u8], stride: usize, convert: fn(&[u8]) -> T, into: &mut [[T; N]]) {
        for (element, bytes) in into.iter_mut().zip(span.chunks(stride)) {
            for (number, bytes) in element.iter_mut().zip(bytes.chunks_exact(self.kind.size())) {
                *number = convert(bytes);
            }
        }
    }
}

/// Returns the converter of an unsigned integer. Callers have excluded other types.
pub fn integer(kind: ComponentType) -> fn(&[u8]) -> u32 {
    match kind {
        ComponentType::U8 => |bytes| u32::from(u8::from_le_bytes(array(bytes))),
        ComponentType::U16 => |bytes| u32::from(u16::from_le_bytes(array(bytes))),
        _ => |bytes| u32::from_le_bytes(array(bytes)),
    }
}

/// The first `N` bytes, or zeros if there are fewer, which callers exclude.
pub fn array<const N: usize>(bytes: &[u8]) -> [u8; N] {
    bytes.first_chunk::<N>().copied().unwrap_or([0; N])
}
