//! A transform as it is stored inside other records.

use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

use crate::anim::transform::Transform;
use crate::wad::record::finite;

#[derive(Serialize, Deserialize)]
pub struct TransformRecordV1 {
    pub translation: [f32; 3],
    /// x, y, z, w.
    pub rotation: [f32; 4],
    pub scale: [f32; 3],
}

impl TransformRecordV1 {
    pub fn from_transform(transform: &Transform) -> Result<TransformRecordV1, String> {
        Ok(TransformRecordV1 {
            translation: finite(transform.translation.to_array(), "translation")?,
            rotation: finite(transform.rotation.to_array(), "rotation")?,
            scale: finite(transform.scale.to_array(), "scale")?,
        })
    }

    pub fn to_transform(&self) -> Transform {
        Transform {
            translation: Vec3::from_array(self.translation),
            rotation: Quat::from_array(self.rotation),
            scale: Vec3::from_array(self.scale),
        }
    }
}
