//! KHR_draco_mesh_compression: decodes compressed primitives and replaces the elements of their accessors. The decoder is the crate
//! `draco-core`, which has no `unsafe` code but is young: the program runs it in a child process.

use std::collections::HashSet;

use draco_core::{DataType, DecodeLimits, DecoderBuffer, Mesh, MeshDecoder, PointAttribute, PointIndex};
use gltf::json::Root;
use gltf::json::accessor::ComponentType;
use gltf::json::mesh::Primitive;
use serde_json::Value;

use crate::assets::guarded::guarded;
use crate::import::assembly::budget::Budget;
use crate::import::error::Fault;
use crate::import::gltf::accessor::Reader;
use crate::import::gltf::elements::Decoded;
use crate::import::gltf::json::whole;
use crate::import::report::{Findings, Report};

/// The name of the extension.
pub const NAME: &str = "KHR_draco_mesh_compression";

/// Factor by which results may be larger than those of other formats.
const FACTOR: usize = 8;

/// Decodes every compressed primitive. One that can't be decoded is an error, unless the file has its elements as well.
pub fn decode(root: &Root, reader: &mut Reader<'_>, report: &mut Report) -> Result<(), Fault> {
    let mut budget = Budget::of(reader.input_bytes().saturating_mul(FACTOR));
    let mut known = HashSet::new();
    for (mesh, json) in root.meshes.iter().enumerate() {
        for (index, primitive) in json.primitives.iter().enumerate() {
            let extension = primitive.extensions.as_ref().and_then(|extensions| extensions.others.get(NAME));
            let Some(extension) = extension else { continue };
            let findings = &mut report.at(format_args!("mesh {mesh}, primitive {index}"));
            // Primitives can share all their accessors, not some.
            if !known.insert(primitive.indices.map(|accessor| accessor.value())) {
                continue;
            }
            let decoded = one(primitive, extension, reader, &mut budget);
            match decoded {
                Ok(all) => all.into_iter().for_each(|(accessor, elements)| reader.replace(accessor, elements)),
                Err(reason) if has_elements(root, primitive) => {
                    findings.add(format_args!("Draco: {reason}; the uncompressed data are used"));
                }
                Err(reason) => return Err(fault(findings, &reason)),
            }
        }
    }
    Ok(())
}

fn fault(findings: &Findings<'_>, reason: &str) -> Fault {
    // Some reasons of the decoder are several lines.
    let reason = reason.split_whitespace().collect::<Vec<_>>().join(" ");
    findings.fault(format!("the Draco data can't be decoded: {reason}"))
}

/// Whether the file has the positions without compression, too.
fn has_elements(root: &Root, primitive: &Primitive) -> bool {
    let accessors = primitive.attributes.values().map(|accessor| accessor.value());
    let mut accessors = accessors.chain(primitive.indices.map(|accessor| accessor.value()));
    let has = |accessor: usize| root.accessors.get(accessor).is_some_and(|accessor| accessor.buffer_view.is_some());
    !primitive.attributes.is_empty() && accessors.all(has)
}

/// The elements of the accessors of a primitive.
fn one(
    primitive: &Primitive,
    extension: &Value,
    reader: &Reader<'_>,
    budget: &mut Budget,
) -> Result<Vec<(usize, Decoded)>, String> {
    let view = extension.get("bufferView").and_then(whole::<usize>).ok_or("it has no buffer view")?;
    let bytes = reader.view(view, &"data").map_err(|fault| fault.to_string())?;
    let indices = primitive.indices.ok_or("the primitive has no indices")?;
    let mesh = mesh(bytes, budget)?;
    let corners = mesh.faces().iter().flatten();
    let faces: Vec<u8> = corners.flat_map(|PointIndex(point)| point.to_le_bytes()).collect();
    let count = mesh.num_faces().saturating_mul(3);
    let mut all = vec![(indices.value(), Decoded { kind: ComponentType::U32, width: 1, count, bytes: faces })];
    let attributes = extension.get("attributes").and_then(Value::as_object).ok_or("it has no attributes")?;
    for (semantic, accessor) in &primitive.attributes {
        let Some(id) = attributes.get(&semantic.to_string()) else { continue };
        let attribute = whole::<u32>(id).and_then(|id| mesh.attribute_by_unique_id(id));
        let attribute = attribute.ok_or_else(|| format!("it has no {}", semantic.to_string()))?;
        let elements = elements(attribute, mesh.num_points(), budget);
        all.push((accessor.value(), elements.ok_or_else(|| format!("its {} is invalid", semantic.to_string()))?));
    }
    Ok(all)
}

fn mesh(bytes: &[u8], budget: &mut Budget) -> Result<Mesh, String> {
    let left = u64::try_from(budget.left()).unwrap_or(u64::MAX);
    let limits = DecodeLimits::default().with_max_decoded_bytes(left);
    let limits = limits.with_max_faces(left >> 5).with_max_points(left >> 3);
    let decode = || {
        let mut mesh = Mesh::new();
        let mut buffer = DecoderBuffer::new(bytes).with_limits(limits);
        MeshDecoder::new().decode(&mut buffer, &mut mesh).map(|()| mesh)
    };
    let decoded = guarded(decode)?;
    let mesh = decoded.map_err(|error| error.to_string())?;
    if budget.take(mesh.num_faces().saturating_mul(32)) {
        Ok(mesh)
    } else {
        Err("too large for the size of the file".into())
    }
}

/// The elements of an attribute, one for each point.
fn elements(attribute: &PointAttribute, points: usize, budget: &mut Budget) -> Option<Decoded> {
    let kind = match attribute.data_type() {
        DataType::Int8 => ComponentType::I8,
        DataType::Uint8 | DataType::Bool => ComponentType::U8,
        DataType::Int16 => ComponentType::I16,
        DataType::Uint16 => ComponentType::U16,
        DataType::Uint32 => ComponentType::U32,
        DataType::Float32 => ComponentType::F32,
        _ => return None,
    };
    let width = usize::from(attribute.num_components());
    let size = kind.size().checked_mul(width)?;
    let stride = usize::try_from(attribute.byte_stride()).ok()?;
    let data = attribute.buffer().data();
    let all = points.checked_mul(size)?;
    let mut bytes = Vec::with_capacity(budget.take(all).then_some(all)?);
    for point in 0..u32::try_from(points).ok()? {
        let at = usize::try_from(attribute.mapped_index(PointIndex(point)).0).ok()?.checked_mul(stride)?;
        bytes.extend(data.get(at..at.checked_add(size)?)?);
    }
    Some(Decoded { kind, width, count: points, bytes })
}
