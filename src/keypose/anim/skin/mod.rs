//! From a pose to vertices: the joint list of a mesh ([`Skin`]), its palette, and skinning on the CPU.

use glam::Mat4;

use crate::anim::skeleton::BoneIndex;

pub mod cache;
pub mod cpu;
pub mod dual;
pub mod method;
pub mod palette;

/// The joint list and inverse bind matrices of one mesh. Several skins can share one skeleton.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skin {
    /// For reports; can be empty.
    pub name: String,
    /// The bone of each joint. A vertex's joint indices refer to this list.
    pub joints: Vec<BoneIndex>,
    /// T⁻¹ of each joint: bone from the model space in which the mesh was bound. As long as `joints`.
    pub inverse_binds: Vec<Mat4>,
}
