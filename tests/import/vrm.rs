//! VRM: the parts of a humanoid name bones for clips of other characters; version 0 is turned to face forward.

use glam::Vec3;
use keypose::assets::bone_match::{MatchedBy, match_bones};
use keypose::import::{Imported, import};
use serde_json::json;

use crate::glb::Glb;

fn read(glb: &Glb) -> Imported {
    let imported = import("hero.vrm", &glb.bytes(), &mut |path| Err(format!("{path} doesn't exist"))).unwrap();
    imported.model.check().unwrap();
    imported
}

/// The small file as VRM 0 and VRM 1.
fn both() -> [Glb; 2] {
    [0, 1].map(|version| {
        let mut glb = Glb::small();
        glb.json.as_object_mut().unwrap().remove("animations");
        glb.json["nodes"][0]["name"] = json!("J_Bip_C_Hips");
        glb.json["nodes"][0]["translation"] = json!([0.5, 1, 2]);
        glb.json["nodes"][1]["name"] = json!("b17");
        glb.json["extensions"] = match version {
            0 => json!({ "VRM": { "humanoid": { "humanBones": [
                { "bone": "hips", "node": 0 }, { "bone": "leftUpperArm", "node": 1 }, { "bone": "head", "node": 99 },
            ] } } }),
            _ => json!({ "VRMC_vrm": { "humanoid": { "humanBones": {
                "hips": { "node": 0 }, "leftUpperArm": { "node": 1 }, "head": { "node": 99 },
            } } } }),
        };
        glb
    })
}

#[test]
fn the_parts_of_the_humanoid_are_other_names_of_bones() {
    for glb in both() {
        let Imported { model, report } = read(&glb);
        let names: Vec<_> = model.rig.other_names.iter().map(|(name, bone)| (name.as_str(), bone.as_str())).collect();
        assert_eq!(names, [("hips", "J_Bip_C_Hips"), ("leftUpperArm", "b17")]);
        assert!(report.iter().any(|line| line == "humanoid: head is node 99, which is no bone; ignored"), "{report:?}");
        let mut other = Glb::small();
        other.json["nodes"][0]["name"] = json!("mixamorig:Hips");
        other.json["nodes"][1]["name"] = json!("mixamorig:LeftArm");
        let other = read(&other).model;
        let found = match_bones((&other).into(), (&model).into());
        let [hips, arm] = ["mixamorig:Hips", "mixamorig:LeftArm"].map(|name| other.skeleton.find(name).unwrap());
        for (bone, name) in [(hips, "J_Bip_C_Hips"), (arm, "b17")] {
            let expected = (model.skeleton.find(name).unwrap(), MatchedBy::Humanoid);
            assert_eq!(found[usize::from(bone)], Some(expected), "{name}");
        }
    }
}

#[test]
fn version_0_is_turned_to_face_forward() {
    let [old, new] = both().map(|glb| {
        let Imported { model, report } = read(&glb);
        let hips = model.skeleton.find("J_Bip_C_Hips").unwrap();
        let child = model.skeleton.find("b17").unwrap();
        let pose = model.skeleton.rest_model_pose();
        let turned = report.iter().any(|line| line == "nodes: a VRM 0 model faces backward; turned");
        (turned, [hips, child].map(|bone| pose.get(bone).transform_point(Vec3::ZERO)))
    });
    assert_eq!((old.0, new.0), (true, false));
    for (old, new) in old.1.iter().zip(new.1) {
        assert!(old.distance(Vec3::new(-new.x, new.y, -new.z)) < 1e-6, "{old} {new}");
    }
}
