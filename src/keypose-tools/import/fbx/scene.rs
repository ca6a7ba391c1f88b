//! The scene: loads a file with limits of memory and depth, in metres, y up, right-handed.

use ufbx::{
    AllocatorOpts, Error, ErrorType, FileFormat, GeometryTransformHandling, InheritModeHandling, LoadOpts, MirrorAxis,
    PivotHandling, SceneRoot, SpaceConversion,
};

use crate::import::assembly::budget::memory;
use crate::import::error::Fault;

/// Maximum depth of the hierarchy of nodes.
const MAX_DEPTH: u32 = 1024;

/// The limits of memory of one allocator, for a file of this size.
pub fn limits(input: usize) -> AllocatorOpts {
    AllocatorOpts { memory_limit: memory(input), ..AllocatorOpts::default() }
}

/// Loads a file. Helper nodes are added only where a transform has no other form: scale that children don't inherit and that is
/// animated, or one mesh with several offsets.
pub fn load(bytes: &[u8]) -> Result<SceneRoot, Fault> {
    let options = LoadOpts {
        temp_allocator: limits(bytes.len()),
        result_allocator: limits(bytes.len()),
        node_depth_limit: MAX_DEPTH,
        file_format: FileFormat::Fbx,
        generate_missing_normals: true,
        normalize_normals: true,
        connect_broken_elements: true,
        space_conversion: SpaceConversion::ModifyGeometry,
        geometry_transform_handling: GeometryTransformHandling::ModifyGeometry,
        inherit_mode_handling: InheritModeHandling::Compensate,
        pivot_handling: PivotHandling::AdjustToRotationPivot,
        target_axes: ufbx::axes_right_handed_y_up(),
        handedness_conversion_axis: MirrorAxis::X,
        use_blender_pbr_material: true,
        target_unit_meters: 1.0,
        geometry_transform_helper_name: ufbx::StringOpt::Ref("geometry"),
        scale_helper_name: ufbx::StringOpt::Ref("scale"),
        ..LoadOpts::default()
    };
    ufbx::load_memory(bytes, options).map_err(|error| fault(&error))
}

/// The fault of an error of the reader.
pub fn fault(error: &Error) -> Fault {
    Fault::Fbx { reason: reason(error) }
}

/// The reason of an error of the reader.
pub fn reason(error: &Error) -> String {
    let reason = match error.type_ {
        ErrorType::MemoryLimit | ErrorType::AllocationLimit | ErrorType::OutOfMemory => {
            "it needs far more memory than its size allows".to_owned()
        }
        ErrorType::TruncatedFile => "unexpected end of file".to_owned(),
        ErrorType::NodeDepthLimit => format!("its nodes are nested more than {MAX_DEPTH} deep"),
        _ => {
            let info = error.info();
            let more = if info.is_empty() { String::new() } else { format!(" ({info})") };
            format!("{}{more}", &*error.description)
        }
    };
    reason.replace(['\n', '\r'], " ")
}
