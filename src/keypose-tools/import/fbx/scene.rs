//! The scene: loads a file with limits of memory and depth, in metres, y up, right-handed.

use std::collections::HashMap;

use glam::Mat4;
use ufbx::{
    AllocatorOpts, Error, ErrorType, FileFormat, GeometryTransformHandling, InheritModeHandling, LoadOpts, MirrorAxis,
    Node, PivotHandling, PropFlags, Ref, Scene, SceneRoot, SpaceConversion,
};

use crate::import::assembly::budget::memory;
use crate::import::error::Fault;
use crate::import::fbx::convert;

/// Maximum depth of the hierarchy of nodes.
const MAX_DEPTH: u32 = 1024;

/// The limits of memory of one allocator, for a file of this size.
pub fn limits(input: usize) -> AllocatorOpts {
    AllocatorOpts { memory_limit: memory(input), ..AllocatorOpts::default() }
}

/// Loads a file. Helper nodes are added only where a transform has no other form: scale that children don't inherit and that is
/// animated.
pub fn load(bytes: &[u8]) -> Result<SceneRoot, Fault> {
    load_with(bytes, PivotHandling::AdjustToRotationPivot)
}

/// From where the joints of skins were to where they are, in their own space, by the id of their element: nodes turn about their
/// pivots, and [`load`] moves them there, but the binds of the file are of where they were.
pub fn moved_joints(scene: &Scene, bytes: &[u8]) -> Result<HashMap<u32, Mat4>, Fault> {
    let joints = scene.skin_clusters.iter().filter_map(|cluster| cluster.bone_node.as_ref());
    // The reader replaces the pivot of what it moves.
    let pivot = |node: &Ref<Node>| ufbx::find_prop(&node.element.props, "RotationPivot").map(|pivot| pivot.flags);
    let is_moved = |node: &&Ref<Node>| pivot(node).is_some_and(|flags| flags.has_any(PropFlags::SYNTHETIC));
    let moved: Vec<&Ref<Node>> = joints.filter(is_moved).collect();
    if moved.is_empty() {
        return Ok(HashMap::new());
    }
    let before = load_with(bytes, PivotHandling::Retain)?;
    let offset = |node: &Ref<Node>| {
        let id = node.element.element_id;
        let old = ufbx::as_node(before.elements.get(id as usize)?)?;
        let offset = ufbx::matrix_mul(&ufbx::matrix_invert(&node.node_to_world), &old.node_to_world);
        // Only its place differs; a joint that is scaled to nothing has none.
        Some((id, Mat4::from_translation(convert::matrix(&offset).w_axis.truncate())))
    };
    Ok(moved.into_iter().filter_map(offset).collect())
}

fn load_with(bytes: &[u8], pivot_handling: PivotHandling) -> Result<SceneRoot, Fault> {
    let options = LoadOpts {
        temp_allocator: limits(bytes.len()),
        result_allocator: limits(bytes.len()),
        node_depth_limit: MAX_DEPTH,
        file_format: FileFormat::Fbx,
        generate_missing_normals: true,
        normalize_normals: true,
        connect_broken_elements: true,
        space_conversion: SpaceConversion::ModifyGeometry,
        // Vertices are read with the transform of their node, as copies: nodes can share a mesh.
        geometry_transform_handling: GeometryTransformHandling::Preserve,
        inherit_mode_handling: InheritModeHandling::Compensate,
        pivot_handling,
        target_axes: ufbx::axes_right_handed_y_up(),
        handedness_conversion_axis: MirrorAxis::X,
        use_blender_pbr_material: true,
        target_unit_meters: 1.0,
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
