//! Accessors: typed columns of numbers out of buffers, strided and sparse, every range checked before anything is
//! allocated. The `gltf` crate's own iterators panic on files that lie; these return faults.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::HashMap;
use std::fmt::Display;
use std::rc::Rc;

use gltf::json::accessor::{Accessor, ComponentType, Type, sparse::Sparse};
use gltf::json::validation::Checked;
use gltf::json::{Index, Root};

use crate::import::error::Fault;
use crate::import::gltf::uri::{self, Uri};

/// Reads a file that the glTF file refers to, by its path relative to it.
pub type ReadFile<'r> = dyn FnMut(&str) -> Result<Vec<u8>, String> + 'r;

/// The bytes of one buffer.
enum Buffer<'a> {
    Chunk(&'a [u8]),
    File(Rc<Vec<u8>>),
    Data(Vec<u8>),
    /// No URI and no binary chunk (an extension may fill it).
    Absent,
}

/// The file's buffers, and how much may still be read out of them.
pub struct Reader<'a> {
    root: &'a Root,
    buffers: Vec<Buffer<'a>>,
    /// Bytes that may still be decoded. Accessors may share a view, so a small file could ask for any amount.
    budget: Cell<usize>,
}

/// Decoded bytes for each byte of input, and what any file may have.
const BUDGET_FACTOR: usize = 32;
const BUDGET_FLOOR: usize = 16 << 20;

impl<'a> Reader<'a> {
    /// Fetches every buffer. A buffer file that is used twice is read once.
    pub fn new(root: &'a Root, input: usize, chunk: Option<&'a [u8]>, read: &mut ReadFile<'_>) -> Result<Self, Fault> {
        let mut files: HashMap<String, Rc<Vec<u8>>> = HashMap::new();
        let mut buffers = Vec::new();
        for (index, buffer) in root.buffers.iter().enumerate() {
            let place = format!("buffer {index}");
            let found = match (&buffer.uri, chunk) {
                (Some(uri), _) => match uri::parse(uri).map_err(|reason| Fault::at(&place, reason))? {
                    Uri::Data(bytes) => Buffer::Data(bytes),
                    Uri::File(path) => match files.get(&path) {
                        Some(bytes) => Buffer::File(bytes.clone()),
                        None => {
                            let bytes = read(&path).map_err(|reason| Fault::at(&place, reason))?;
                            Buffer::File(files.entry(path).or_insert(Rc::new(bytes)).clone())
                        }
                    },
                },
                (None, Some(chunk)) if index == 0 => Buffer::Chunk(chunk),
                (None, _) => Buffer::Absent,
            };
            let (has, says) = (found.bytes().len() as u64, buffer.byte_length.0);
            if has < says && !matches!(found, Buffer::Absent) {
                return Err(Fault::at(place, format!("it should have {says} bytes, but there are {has}")));
            }
            buffers.push(found);
        }
        let files: usize = files.values().map(|file| file.len()).sum();
        let budget = input.saturating_add(files).saturating_mul(BUDGET_FACTOR).saturating_add(BUDGET_FLOOR);
        Ok(Reader { root, buffers, budget: Cell::new(budget) })
    }

    /// The bytes of a buffer view.
    pub fn view(&self, view: usize, place: &dyn Display) -> Result<&[u8], Fault> {
        let missing = |what: &str, index: usize| Fault::at(place, format!("{what} {index} is not there"));
        let said = self.root.buffer_views.get(view).ok_or_else(|| missing("buffer view", view))?;
        let buffer = said.buffer.value();
        let bytes = self.buffers.get(buffer).ok_or_else(|| missing("buffer", buffer))?.bytes();
        let start = said.byte_offset.map_or(0, |offset| offset.0);
        let end = start.saturating_add(said.byte_length.0);
        let range = usize::try_from(start).ok().zip(usize::try_from(end).ok());
        range.and_then(|(start, end)| bytes.get(start..end)).ok_or_else(|| {
            let has = bytes.len();
            Fault::at(
                place,
                format!("buffer view {view} takes bytes {start} to {end} of buffer {buffer}, which has {has}"),
            )
        })
    }

    /// What an accessor says of itself.
    pub fn accessor(&self, index: Index<Accessor>, place: &dyn Display) -> Result<&'a Accessor, Fault> {
        let index = index.value();
        let accessor = self.root.accessors.get(index);
        accessor.ok_or_else(|| Fault::at(place, format!("accessor {index} is not there")))
    }

    /// How many numbers each element of an accessor has: 3 for a VEC3.
    pub fn width(&self, index: Index<Accessor>, place: &dyn Display) -> Result<usize, Fault> {
        match self.accessor(index, place)?.type_ {
            Checked::Valid(kind) => Ok(kind.multiplicity()),
            Checked::Invalid => Err(Fault::at(place, format!("accessor {} has an unknown type", index.value()))),
        }
    }

    /// Elements as floats; normalised integers become 0..=1 or -1..=1, others their value.
    pub fn floats<const N: usize>(&self, index: Index<Accessor>, place: &dyn Display) -> Result<Vec<[f32; N]>, Fault> {
        let normalized = self.accessor(index, place)?.normalized;
        self.read(index, place, |kind| match (kind, normalized) {
            (ComponentType::F32, _) => |bytes| f32::from_le_bytes(array(bytes)),
            (ComponentType::U32, _) => |bytes| u32::from_le_bytes(array(bytes)) as f32,
            (ComponentType::U8, false) => |bytes| f32::from(u8::from_le_bytes(array(bytes))),
            (ComponentType::I8, false) => |bytes| f32::from(i8::from_le_bytes(array(bytes))),
            (ComponentType::U16, false) => |bytes| f32::from(u16::from_le_bytes(array(bytes))),
            (ComponentType::I16, false) => |bytes| f32::from(i16::from_le_bytes(array(bytes))),
            (ComponentType::U8, true) => |bytes| f32::from(u8::from_le_bytes(array(bytes))) / 255.0,
            (ComponentType::I8, true) => |bytes| (f32::from(i8::from_le_bytes(array(bytes))) / 127.0).max(-1.0),
            (ComponentType::U16, true) => |bytes| f32::from(u16::from_le_bytes(array(bytes))) / 65_535.0,
            (ComponentType::I16, true) => |bytes| (f32::from(i16::from_le_bytes(array(bytes))) / 32_767.0).max(-1.0),
        })
    }

    /// Elements as unsigned integers; other component types are refused.
    pub fn integers<const N: usize>(
        &self,
        index: Index<Accessor>,
        place: &dyn Display,
    ) -> Result<Vec<[u32; N]>, Fault> {
        let accessor = self.accessor(index, place)?;
        let unsigned = [ComponentType::U8, ComponentType::U16, ComponentType::U32];
        if !matches!(accessor.component_type, Checked::Valid(kind) if unsigned.contains(&kind.0)) {
            return Err(Fault::at(place, format!("accessor {} should hold unsigned integers", index.value())));
        }
        self.read(index, place, integer)
    }

    fn read<T: Copy + Default, const N: usize>(
        &self,
        index: Index<Accessor>,
        place: &dyn Display,
        converter: impl Fn(ComponentType) -> fn(&[u8]) -> T,
    ) -> Result<Vec<[T; N]>, Fault> {
        let said = self.accessor(index, place)?;
        let place = format!("{place}, accessor {}", index.value());
        let shape = Shape::of(said, N).map_err(|reason| Fault::at(&place, reason))?;
        let span = match said.buffer_view.map(|view| view.value()) {
            None => None,
            Some(view) => {
                let offset = said.byte_offset.map_or(0, |offset| offset.0);
                let stride = self.root.buffer_views.get(view).and_then(|view| view.byte_stride);
                let stride = stride.map(|stride| stride.0).filter(|&stride| stride > 0).unwrap_or(shape.size);
                let bytes = self.view(view, &place)?;
                let span = shape.span(bytes, offset, stride).map_err(|reason| Fault::at(&place, reason))?;
                Some((span, stride))
            }
        };
        self.charge(shape.count.saturating_mul(N).saturating_mul(4), &place)?;
        let convert = converter(shape.kind);
        let mut elements = vec![[T::default(); N]; shape.count];
        if let Some((bytes, stride)) = span {
            shape.decode(bytes, stride, convert, &mut elements);
        }
        if let Some(sparse) = &said.sparse {
            self.apply_sparse(sparse, shape, &mut elements, convert, &place)?;
        }
        Ok(elements)
    }

    fn apply_sparse<T: Copy + Default, const N: usize>(
        &self,
        sparse: &Sparse,
        shape: Shape,
        elements: &mut [[T; N]],
        convert: fn(&[u8]) -> T,
        place: &str,
    ) -> Result<(), Fault> {
        let fault = |reason: String| Fault::at(format!("{place}, sparse"), reason);
        let count = usize::try_from(sparse.count.0).unwrap_or(usize::MAX);
        if count > elements.len() {
            return Err(fault(format!("{count} values for {} elements", elements.len())));
        }
        let Checked::Valid(index_kind) = sparse.indices.component_type else {
            return Err(fault("its indices have an unknown component type".into()));
        };
        let index_shape = Shape { kind: index_kind.0, size: index_kind.0.size(), count };
        let value_shape = Shape { count, ..shape };
        let (at, kind) = (&sparse.indices, index_shape.kind);
        let bytes = self.view(at.buffer_view.value(), &place)?;
        let bytes = index_shape.span(bytes, at.byte_offset.0, index_shape.size).map_err(fault)?;
        let mut indices = vec![[0; 1]; count];
        index_shape.decode(bytes, index_shape.size, integer(kind), &mut indices);
        let bytes = self.view(sparse.values.buffer_view.value(), &place)?;
        let bytes = value_shape.span(bytes, sparse.values.byte_offset.0, value_shape.size).map_err(fault)?;
        let mut values = vec![[T::default(); N]; count];
        value_shape.decode(bytes, value_shape.size, convert, &mut values);
        let elements_len = elements.len();
        for ([index], value) in indices.into_iter().zip(values) {
            let element = elements.get_mut(index as usize);
            let out_of_range = || fault(format!("index {index}, but there are {elements_len} elements"));
            *element.ok_or_else(out_of_range)? = value;
        }
        Ok(())
    }

    fn charge(&self, bytes: usize, place: &str) -> Result<(), Fault> {
        let left = self.budget.get().checked_sub(bytes);
        let reason = "the file's accessors hold far more numbers than its buffers";
        self.budget.set(left.ok_or_else(|| Fault::at(place, reason))?);
        Ok(())
    }
}

impl Buffer<'_> {
    fn bytes(&self) -> &[u8] {
        match self {
            Buffer::Chunk(bytes) => bytes,
            Buffer::File(bytes) => bytes,
            Buffer::Data(bytes) => bytes,
            Buffer::Absent => &[],
        }
    }
}

/// The checked shape of an accessor.
#[derive(Clone, Copy)]
struct Shape {
    kind: ComponentType,
    /// Bytes of one element.
    size: usize,
    count: usize,
}

impl Shape {
    fn of(accessor: &Accessor, width: usize) -> Result<Shape, Cow<'static, str>> {
        let Checked::Valid(kind) = accessor.component_type else {
            return Err("it has an unknown component type".into());
        };
        let Checked::Valid(shape) = accessor.type_ else { return Err("it has an unknown type".into()) };
        if shape.multiplicity() != width || matches!(shape, Type::Mat2) {
            return Err(format!("it is of type {shape:?}, {width} numbers an element are needed").into());
        }
        let count = usize::try_from(accessor.count.0).map_err(|_| "its count does not fit into memory")?;
        Ok(Shape { kind: kind.0, size: kind.0.size().saturating_mul(width), count })
    }

    /// The bytes of all elements, from `offset` on, `stride` bytes apart.
    fn span(self, bytes: &[u8], offset: u64, stride: usize) -> Result<&[u8], String> {
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

    /// Converts every number of a span that was checked.
    fn decode<T, const N: usize>(self, span: &[u8], stride: usize, convert: fn(&[u8]) -> T, into: &mut [[T; N]]) {
        for (element, bytes) in into.iter_mut().zip(span.chunks(stride)) {
            for (number, bytes) in element.iter_mut().zip(bytes.chunks_exact(self.kind.size())) {
                *number = convert(bytes);
            }
        }
    }
}

/// Reads an unsigned integer; other kinds are ruled out before.
fn integer(kind: ComponentType) -> fn(&[u8]) -> u32 {
    match kind {
        ComponentType::U8 => |bytes| u32::from(u8::from_le_bytes(array(bytes))),
        ComponentType::U16 => |bytes| u32::from(u16::from_le_bytes(array(bytes))),
        _ => |bytes| u32::from_le_bytes(array(bytes)),
    }
}

/// The first `N` bytes; zeros where there are fewer, which the callers rule out.
fn array<const N: usize>(bytes: &[u8]) -> [u8; N] {
    bytes.first_chunk::<N>().copied().unwrap_or([0; N])
}
