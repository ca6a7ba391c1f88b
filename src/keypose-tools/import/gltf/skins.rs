//! Skins: joint lists and inverse binds. Faults without effect on the pose are reported.

use std::collections::HashSet;

use glam::{Mat4, Vec4};
use gltf::json::Root;

use crate::anim::skin::Skin;
use crate::import::assembly::hierarchy::Bones;
use crate::import::assembly::names::shortened;
use crate::import::error::Fault;
use crate::import::gltf::accessor::Reader;
use crate::import::report::{Findings, Report};

/// Imports every skin of the file, in order. Missing inverse bind matrices are identity (glTF 2.0, section 3.7.3.1).
pub fn skins(root: &Root, reader: &Reader<'_>, bones: &Bones, report: &mut Report) -> Result<Vec<Skin>, Fault> {
    let (mut skins, roots) = (Vec::with_capacity(root.skins.len()), roots(bones));
    for (index, json) in root.skins.iter().enumerate() {
        let skin = skin(index, json, reader, bones)?;
        check(root, json, &skin, &roots, &mut report.at(format_args!("skin {index}")));
        skins.push(skin);
    }
    Ok(skins)
}

/// Reports deviations from the specification that have one meaning anyway.
fn check(root: &Root, json: &gltf::json::Skin, skin: &Skin, roots: &[u16], findings: &mut Findings<'_>) {
    if let Some(node) = json.skeleton.map(|node| node.value()).filter(|node| *node >= root.nodes.len()) {
        findings.add(format_args!("its skeleton, node {node}, doesn't exist; ignored"));
    }
    let distinct: HashSet<u16> = skin.joints.iter().copied().collect();
    if distinct.len() < skin.joints.len() {
        findings.add("some of its joints are the same node");
    }
    let roots: HashSet<&u16> = distinct.iter().filter_map(|joint| roots.get(usize::from(*joint))).collect();
    if roots.len() > 1 {
        findings.add(format_args!("its joints have {} roots; one is required", roots.len()));
    }
    let is_affine = |matrix: &&Mat4| matrix.row(3).abs_diff_eq(Vec4::W, 1e-5);
    let invalid = skin.inverse_binds.iter().filter(|matrix| !is_affine(matrix)).count();
    if invalid > 0 {
        findings.add(format_args!("{invalid} inverse bind matrices have a last row other than 0, 0, 0, 1; ignored"));
    }
}

/// The root above each bone. Parents come before their children.
fn roots(bones: &Bones) -> Vec<u16> {
    let mut roots: Vec<u16> = Vec::with_capacity(bones.skeleton.len());
    for (own, bone) in (0_u16..).zip(bones.skeleton.bones()) {
        let above = bone.parent.and_then(|parent| roots.get(usize::from(parent)).copied());
        roots.push(above.unwrap_or(own));
    }
    roots
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
        None => Ok(Skin {
            name: json.name.as_deref().map(shortened).unwrap_or_default().into_owned(),
            joints,
            inverse_binds,
        }),
    }
}
