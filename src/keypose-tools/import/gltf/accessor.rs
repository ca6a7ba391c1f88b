//! Accessors: reads typed numbers from buffers, strided or sparse. Every range is checked before anything is allocated;
//! the `gltf` crate's own iterators panic on invalid files.

use std::cell::Cell;
use std::collections::HashMap;
use std::fmt::Display;
use std::rc::Rc;

use gltf::json::accessor::{Accessor, ComponentType, sparse::Sparse};
use gltf::json::validation::Checked;
use gltf::json::{Index, Root};

use crate::import::ReadFile;
use crate::import::assembly::budget::{BYTES_PER_KEY, Budget};
use crate::import::error::Fault;
use crate::import::gltf::elements::{Decoded, Shape, array, integer};
use crate::import::gltf::meshopt::{self, Packed};
use crate::import::gltf::uri::{self, Uri};

/// The bytes of one buffer.
enum Buffer<'a> {
    Chunk(&'a [u8]),
    File(Rc<Vec<u8>>),
    Data(Vec<u8>),
    /// No URI and no binary chunk (an extension may provide the data).
    Absent,
}

/// The file's buffers and the remaining budget for decoding them.
pub struct Reader<'a> {
    root: &'a Root,
    buffers: Vec<Buffer<'a>>,
    /// The decoded bytes of compressed buffer views, by index.
    unpacked: HashMap<usize, Vec<u8>>,
    /// Replacement elements of accessors, by index.
    decoded: HashMap<usize, Decoded>,
    /// Bytes that may still be decoded. Accessors can share a view, so a small file could ask for any amount.
    budget: Cell<Budget>,
    key_budget: Cell<Budget>,
    input_bytes: usize,
}

/// Bytes of compressed buffer views for each byte of input: their codec needs at least two bits for 16 bytes.
const UNPACKED_FACTOR: usize = 64;
/// Minimum bytes of unpacked buffer views, and of numbers: each takes several times its bytes until its mesh is made.
const MIN_NUMBERS: usize = 16 << 20;

impl<'a> Reader<'a> {
    /// Reads every buffer. A file that several buffers use is read once.
    pub fn new(root: &'a Root, input: usize, chunk: Option<&'a [u8]>, read: &mut ReadFile<'_>) -> Result<Self, Fault> {
        let mut files: HashMap<String, Rc<Vec<u8>>> = HashMap::new();
        let mut buffers = Vec::new();
        for (index, buffer) in root.buffers.iter().enumerate() {
            let place = format!("buffer {index}");
            let found = match (&buffer.uri, chunk) {
                _ if is_fallback(buffer) => Buffer::Absent,
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
                return Err(Fault::at(place, format!("{says} bytes expected, {has} found")));
            }
            buffers.push(found);
        }
        let files: usize = files.values().map(|file| file.len()).sum();
        let input_bytes = input.saturating_add(files);
        let budget = Cell::new(Budget::with_minimum(input_bytes, MIN_NUMBERS));
        let key_budget = Cell::new(Budget::of(input_bytes));
        let (unpacked, decoded) = (HashMap::new(), HashMap::new());
        let mut reader = Reader { root, buffers, unpacked, decoded, budget, key_budget, input_bytes };
        reader.unpack()?;
        Ok(reader)
    }

    /// Decodes every compressed buffer view.
    fn unpack(&mut self) -> Result<(), Fault> {
        let mut left = self.input_bytes.saturating_mul(UNPACKED_FACTOR).saturating_add(MIN_NUMBERS);
        for (index, view) in self.root.buffer_views.iter().enumerate() {
            let Some(packed) = Packed::of(view) else { continue };
            let place = format!("buffer view {index}");
            let packed = packed.map_err(|reason| Fault::at(&place, reason))?;
            let reason = "the compressed buffer views hold far more bytes than the file";
            left = left.checked_sub(packed.size()).ok_or_else(|| Fault::at(&place, reason))?;
            let bytes =
                self.range((index, packed.buffer), (packed.offset, packed.length), &"the meshopt compression")?;
            let bytes = packed.decode(bytes).map_err(|reason| Fault::at(&place, reason))?;
            self.unpacked.insert(index, bytes);
        }
        Ok(())
    }

    /// Replaces the elements of an accessor.
    pub fn replace(&mut self, accessor: usize, decoded: Decoded) {
        self.decoded.insert(accessor, decoded);
    }

    /// Returns the number of bytes in the file and in the files of its buffers.
    pub fn input_bytes(&self) -> usize {
        self.input_bytes
    }

    /// Returns the bytes of a buffer view.
    pub fn view(&self, view: usize, place: &dyn Display) -> Result<&[u8], Fault> {
        let missing = || Fault::at(place, format!("buffer view {view} doesn't exist"));
        if let Some(bytes) = self.unpacked.get(&view) {
            return Ok(bytes);
        }
        let json = self.root.buffer_views.get(view).ok_or_else(missing)?;
        let range = (json.byte_offset.map_or(0, |offset| offset.0), json.byte_length.0);
        self.range((view, json.buffer.value()), range, place)
    }

    /// The bytes of a view in a buffer, by their indices, at an offset, of a length.
    fn range(
        &self,
        (view, buffer): (usize, usize),
        (start, length): (u64, u64),
        place: &dyn Display,
    ) -> Result<&[u8], Fault> {
        let found = self.buffers.get(buffer);
        let bytes = found.ok_or_else(|| Fault::at(place, format!("buffer {buffer} doesn't exist")))?.bytes();
        let end = start.saturating_add(length);
        let range = usize::try_from(start).ok().zip(usize::try_from(end).ok());
        range.and_then(|(start, end)| bytes.get(start..end)).ok_or_else(|| {
            let has = bytes.len();
            let reason = format!("buffer view {view} uses bytes {start} to {end} of buffer {buffer}, which has {has}");
            Fault::at(place, reason)
        })
    }

    /// Returns the JSON of an accessor.
    pub fn accessor(&self, index: Index<Accessor>, place: &dyn Display) -> Result<&'a Accessor, Fault> {
        let index = index.value();
        let accessor = self.root.accessors.get(index);
        accessor.ok_or_else(|| Fault::at(place, format!("accessor {index} doesn't exist")))
    }

    /// Returns the count of numbers in an element of an accessor: 3 for a VEC3.
    pub fn width(&self, index: Index<Accessor>, place: &dyn Display) -> Result<usize, Fault> {
        match self.accessor(index, place)?.type_ {
            Checked::Valid(kind) => Ok(kind.multiplicity()),
            Checked::Invalid => Err(Fault::at(place, format!("accessor {} has an unknown type", index.value()))),
        }
    }

    /// Reads the elements as floats. Normalised integers become 0..=1 or -1..=1, others keep their value.
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

    /// Reads the elements as unsigned integers. Other component types are an error.
    pub fn integers<const N: usize>(
        &self,
        index: Index<Accessor>,
        place: &dyn Display,
    ) -> Result<Vec<[u32; N]>, Fault> {
        let accessor = self.accessor(index, place)?;
        let unsigned = [ComponentType::U8, ComponentType::U16, ComponentType::U32];
        if !matches!(accessor.component_type, Checked::Valid(kind) if unsigned.contains(&kind.0)) {
            return Err(Fault::at(place, format!("accessor {} must hold unsigned integers", index.value())));
        }
        self.read(index, place, integer)
    }

    fn read<T: Copy + Default, const N: usize>(
        &self,
        index: Index<Accessor>,
        place: &dyn Display,
        converter: impl Fn(ComponentType) -> fn(&[u8]) -> T,
    ) -> Result<Vec<[T; N]>, Fault> {
        let json = self.accessor(index, place)?;
        let place = format!("{place}, accessor {}", index.value());
        let mut shape = Shape::of(json, N).map_err(|reason| Fault::at(&place, reason))?;
        if let Some(decoded) = self.decoded.get(&index.value()) {
            shape = Shape::of_decoded(decoded, N).map_err(|reason| Fault::at(&place, reason))?;
            let span = shape.span(&decoded.bytes, 0, shape.size).map_err(|reason| Fault::at(&place, reason))?;
            self.charge(shape.count.saturating_mul(N).saturating_mul(4), &place)?;
            let mut elements = vec![[T::default(); N]; shape.count];
            shape.decode(span, shape.size, converter(shape.kind), &mut elements);
            return Ok(elements);
        }
        let span = match json.buffer_view.map(|view| view.value()) {
            None => None,
            Some(view) => {
                let offset = json.byte_offset.map_or(0, |offset| offset.0);
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
        if let Some(sparse) = &json.sparse {
            for (index, element) in self.sparse(sparse, shape, convert, &place)? {
                if let Some(place) = elements.get_mut(index) {
                    *place = element;
                }
            }
        }
        Ok(elements)
    }

    /// Reads the elements that a sparse accessor replaces, with their checked indices.
    fn sparse<T: Copy + Default, const N: usize>(
        &self,
        sparse: &Sparse,
        shape: Shape,
        convert: fn(&[u8]) -> T,
        place: &str,
    ) -> Result<Vec<(usize, [T; N])>, Fault> {
        let fault = |reason: String| Fault::at(format!("{place}, sparse"), reason);
        let count = usize::try_from(sparse.count.0).unwrap_or(usize::MAX);
        if count > shape.count {
            return Err(fault(format!("{count} values for {} elements", shape.count)));
        }
        let Checked::Valid(index_kind) = sparse.indices.component_type else {
            return Err(fault("unknown component type of the indices".into()));
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
        if let Some([index]) = indices.iter().find(|[index]| *index as usize >= shape.count) {
            return Err(fault(format!("index {index}, but there are {} elements", shape.count)));
        }
        Ok(indices.into_iter().map(|[index]| index as usize).zip(values).collect())
    }

    /// Takes bytes of the budget of memory.
    pub fn charge(&self, bytes: usize, place: &str) -> Result<(), Fault> {
        take(&self.budget, bytes, place, "numbers or meshes")
    }

    /// Takes the memory of keys from the budget of keys.
    pub fn charge_keys(&self, keys: usize, place: &str) -> Result<(), Fault> {
        take(&self.key_budget, keys.saturating_mul(BYTES_PER_KEY), place, "keys")
    }
}

fn take(budget: &Cell<Budget>, bytes: usize, place: &str, what: &str) -> Result<(), Fault> {
    let mut left = budget.get();
    let is_enough = left.take(bytes);
    budget.set(left);
    if is_enough { Ok(()) } else { Err(Fault::at(place, format!("the file asks for far more {what} than it holds"))) }
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

/// Whether a buffer is only for readers that don't know compression.
fn is_fallback(buffer: &gltf::json::Buffer) -> bool {
    let extensions = buffer.extensions.as_ref();
    let others = extensions.map(|extensions| &extensions.others);
    let is_it = |name: &&str| others.and_then(|others| others.get(*name)?.get("fallback")).is_some_and(|it| it == true);
    meshopt::NAMES.iter().any(is_it)
}
