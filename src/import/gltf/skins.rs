//! Skins: joint lists and inverse binds.

use glam::Mat4;
use gltf::json::Root;

use crate::anim::skin::Skin;
use crate::import::assembly::hierarchy::Bones;
use crate::import::error::Fault;
use crate::import::gltf::accessor::Reader;

/// Imports every skin of the file, in order. Missing inverse bind matrices are identity (glTF 2.0, section 3.7.3.1).
pub fn skins(root: &Root, reader: &Reader<'_>, bones: &Bones) -> Result<Vec<Skin>, Fault> {
    root.skins.iter().enumerate().map(|(index, json)| skin(index, json, reader, bones)).collect()
}

fn skin(index: usize, json: &gltf::json::Skin, reader: &Reader<'_>, bones: &Bones) -> Result<Skin, Fault> {
    let place = format!("skin {index}");
    let count = json.joints.len();
    if count == 0 {
        return Err(Fault::at(place, "no joints"));
    }
    if count > usize::from(u16::MAX) {
        return Err(Fault::at(place, format!("{count} joints; the maximum is {}", u16::MAX)));
    }
    let bone_of = |(at, joint): (usize, &gltf::json::Index<gltf::json::Node>)| {
        let missing = || Fault::at(format!("{place}, joint {at}"), format!("node {} doesn't exist", joint.value()));
        bones.of(joint.value()).ok_or_else(missing)
    };
    let joints = json.joints.iter().enumerate().map(bone_of).collect::<Result<Vec<_>, _>>()?;
    let inverse_binds = match json.inverse_bind_matrices {
        None => vec![Mat4::IDENTITY; count],
        Some(accessor) => {
            let matrices = reader.floats::<16>(accessor, &format_args!("{place}, inverse bind matrices"))?;
            if matrices.len() < count {
                return Err(Fault::at(place, format!("{} inverse bind matrices for {count} joints", matrices.len())));
            }
            matrices.iter().take(count).map(Mat4::from_cols_array).collect()
        }
    };
    match inverse_binds.iter().position(|matrix| !matrix.is_finite()) {
        Some(at) => Err(Fault::at(place, format!("inverse bind matrix {at} is not finite"))),
        None => Ok(Skin { name: json.name.clone().unwrap_or_default(), joints, inverse_binds }),
    }
}
