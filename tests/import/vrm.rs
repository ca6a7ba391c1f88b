//! VRM: the parts of a humanoid name bones for clips of other characters; version 0 is turned to face forward.

use glam::Vec3;
use keypose::assets::bone_match::{MatchedBy, match_bones};
use keypose::assets::model::Visibility;
use keypose_tools::clip_library::{Fit, clips_for, is_library};
use keypose_tools::import::Imported;
use serde_json::json;

use crate::glb::Glb;
use crate::importing;

fn read(glb: &Glb) -> Imported {
    importing::read("hero.vrm", &glb.bytes()).unwrap()
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
fn the_declared_parts_of_the_humanoid_find_bones() {
    for glb in both() {
        let Imported { model, report } = read(&glb);
        let names: Vec<_> = model.rig.humanoid.iter().map(|(name, bone)| (name.as_str(), bone.as_str())).collect();
        assert_eq!(names, [("hips", "J_Bip_C_Hips"), ("leftUpperArm", "b17")]);
        assert!(report.iter().any(|line| line == "humanoid: head is node 99, which is no bone; ignored"), "{report:?}");
        let mut other = Glb::small();
        other.json["nodes"][0]["name"] = json!("mixamorig:Hips");
        other.json["nodes"][1]["name"] = json!("mixamorig:LeftArm");
        let other = read(&other).model;
        let found = match_bones((&other).into(), (&model).into());
        let [hips, arm] = ["mixamorig:Hips", "mixamorig:LeftArm"].map(|name| other.skeleton.find(name).unwrap());
        for (bone, name) in [(hips, "J_Bip_C_Hips"), (arm, "b17")] {
            let expected = (model.skeleton.find(name).unwrap(), MatchedBy::Declared);
            assert_eq!(found[usize::from(bone)], Some(expected), "{name}");
        }
    }
}

#[test]
fn thumbs_of_both_versions_have_the_same_parts() {
    let joints = [["Proximal", "Metacarpal"], ["Intermediate", "Proximal"], ["Distal", "Distal"]];
    let thumbs = [0, 1].map(|version| {
        let [_, mut glb] = both();
        let bones = joints.map(|names| format!("leftThumb{}", names[version])).into_iter().zip([0, 1, 3]);
        let nodes = glb.json["nodes"].as_array_mut().unwrap();
        nodes.push(json!({ "name": "b18" }));
        nodes[1]["children"] = json!([3]);
        let humans: serde_json::Map<_, _> = bones.map(|(name, node)| (name, json!({ "node": node }))).collect();
        glb.json["extensions"] = json!({ "VRMC_vrm": { "humanoid": { "humanBones": humans } } });
        glb.json["skins"][0]["joints"] = json!([0, 1, 3]);
        read(&glb).model.rig.humanoid.clone()
    });
    assert_eq!(thumbs[0].len(), 3);
    assert_eq!(thumbs[0], thumbs[1]);
}

#[test]
fn meshes_that_only_the_player_sees_are_hidden() {
    for (mut glb, flag) in both().into_iter().zip(["VRM", "VRMC_vrm"]) {
        assert_eq!(read(&glb).model.meshes[0].visibility, Visibility::Shown);
        glb.json["extensions"][flag]["firstPerson"] = match flag {
            "VRM" => json!({ "meshAnnotations": [{ "mesh": 0, "firstPersonFlag": "FirstPersonOnly" }] }),
            _ => json!({ "meshAnnotations": [{ "node": 2, "type": "firstPersonOnly" }, { "node": 1 }] }),
        };
        let Imported { model, report } = read(&glb);
        assert_eq!(model.meshes[0].visibility, Visibility::Hidden, "{flag}");
        assert!(report.iter().any(|line| line.contains("1 meshes that only the player sees")), "{report:?}");
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

/// A file with four morph targets on one mesh of two nodes, and expressions of both versions: happy, angry, neutral, blink, a custom one,
/// one that only changes a colour, and one that names a target which doesn't exist.
fn with_expressions() -> [Glb; 2] {
    both().map(|mut glb| {
        let accessor = glb.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"].clone();
        let targets = vec![json!({ "POSITION": accessor }); 4];
        glb.json["meshes"][0]["primitives"][0]["targets"] = json!(targets);
        glb.json["meshes"][0]["extras"] = json!({ "targetNames": ["Smile", "Frown", "Close", "Puff"] });
        let mesh_node =
            glb.json["nodes"].as_array().unwrap().iter().position(|node| node.get("mesh").is_some()).unwrap();
        let extensions = &mut glb.json["extensions"];
        if extensions.get("VRM").is_some() {
            let bind = |index: usize, weight: f64| json!({ "mesh": 0, "index": index, "weight": weight });
            extensions["VRM"]["blendShapeMaster"] = json!({ "blendShapeGroups": [
                { "name": "Joy", "presetName": "joy", "binds": [bind(0, 100.0)] },
                { "name": "Angry", "presetName": "angry", "binds": [bind(1, 50.0)] },
                { "name": "Neutral", "presetName": "neutral", "binds": [] },
                { "name": "Blink", "presetName": "blink", "binds": [bind(2, 100.0)] },
                { "name": "Puff", "presetName": "unknown", "binds": [bind(3, 25.0), bind(9, 1.0)] },
                { "name": "Red", "presetName": "unknown", "binds": [], "materialValues": [{}] },
            ] });
        } else {
            let bind = |index: usize, weight: f64| json!([{ "node": mesh_node, "index": index, "weight": weight }]);
            extensions["VRMC_vrm"]["expressions"] = json!({
                "preset": {
                    "happy": { "morphTargetBinds": bind(0, 1.0) },
                    "angry": { "morphTargetBinds": bind(1, 0.5) },
                    "neutral": {},
                    "blink": { "morphTargetBinds": bind(2, 1.0) },
                },
                "custom": {
                    "Puff": { "morphTargetBinds": [bind(3, 0.25)[0], bind(9, 1.0)[0]] },
                    "Red": { "materialColorBinds": [{}] },
                },
            });
        }
        glb
    })
}

#[test]
fn expressions_are_saved_poses_of_weights() {
    for (glb, happy) in with_expressions().iter().zip(["Joy", "happy"]) {
        let Imported { model, report } = read(glb);
        let weights = |name: &str| {
            let pose = model.poses.iter().find(|pose| pose.name.eq_ignore_ascii_case(name)).unwrap();
            let one = |bone: &keypose::assets::saved_pose::SavedBone| bone.scalars.clone();
            let mut all: Vec<(String, f32)> = pose.bones.iter().flat_map(one).collect();
            all.dedup();
            all
        };
        let named =
            |all: &[(&str, f32)]| all.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect::<Vec<_>>();
        assert_eq!(weights(happy), named(&[("Smile", 1.0), ("Frown", 0.0)]));
        assert_eq!(weights("angry"), named(&[("Smile", 0.0), ("Frown", 0.5)]));
        assert_eq!(weights("neutral"), named(&[("Smile", 0.0), ("Frown", 0.0)]));
        assert_eq!(weights("blink"), named(&[("Close", 1.0)]));
        assert_eq!(weights("puff"), named(&[("Puff", 0.25)]));
        assert_eq!(model.poses.len(), 5, "{report:?}");
        let has = |text: &str| report.iter().any(|line| line.contains(text));
        assert!(has("expression Red: moves no morph target; ignored"), "{report:?}");
        assert!(has("1 morph targets of expressions don't exist") && has("changes of materials"), "{report:?}");
    }
}

#[test]
fn expressions_that_repeat_lists_stay_within_bounds() {
    let [mut old, mut new] = with_expressions();
    let binds: Vec<_> = (0..400).map(|_| json!({ "mesh": 0, "index": 0, "weight": 1 })).collect();
    let groups: Vec<_> =
        (0..400).map(|at| json!({ "name": format!("e{at}"), "presetName": "joy", "binds": binds })).collect();
    old.json["extensions"]["VRM"]["blendShapeMaster"]["blendShapeGroups"] = json!(groups);
    assert_eq!(read(&old).model.poses.len(), 32_768_usize.div_ceil(400), "further weights are left out");
    // Binds of a target that doesn't exist look at no more nodes than those that do.
    old.json["nodes"].as_array_mut().unwrap().extend((0..20).map(|at| json!({ "name": format!("n{at}"), "mesh": 0 })));
    let unknown: Vec<_> = (0..20_000).map(|_| json!({ "mesh": 0, "index": 9, "weight": 1 })).collect();
    old.json["extensions"]["VRM"]["blendShapeMaster"]["blendShapeGroups"] = json!([{ "name": "e", "binds": unknown }]);
    let imported = read(&old);
    assert!(imported.model.poses.is_empty());
    let looked_at =
        imported.report.iter().find_map(|line| line.split_once(" morph targets of expressions")?.0.rsplit(' ').next());
    assert!(looked_at.is_some_and(|count| count.parse::<usize>().unwrap() < 2000), "{:?}", imported.report);
    new.json["extensions"]["VRMC_vrm"]["expressions"] =
        json!({ "preset": [1], "custom": { "a": 3, "b": { "morphTargetBinds": [null, 4] } } });
    assert!(read(&new).model.poses.is_empty());
}

#[test]
fn a_vrm_animation_is_a_library_whose_bones_are_known() {
    let mut glb = Glb::small();
    let json = glb.json.as_object_mut().unwrap();
    ["meshes", "skins"].iter().for_each(|name| drop(json.remove(*name)));
    json["nodes"].as_array_mut().unwrap().iter_mut().for_each(|node| {
        ["mesh", "skin"].iter().for_each(|name| drop(node.as_object_mut().unwrap().remove(*name)));
    });
    glb.json["nodes"][0]["name"] = json!("b0");
    glb.json["extensionsRequired"] = json!(["VRMC_vrm_animation"]);
    glb.json["extensions"] = json!({ "VRMC_vrm_animation": {
        "specVersion": "1.0", "humanoid": { "humanBones": { "hips": { "node": 0 } } }, "expressions": {},
    } });
    // A part that no clip moves says where the limb ends.
    let nodes = glb.json["nodes"].as_array_mut().unwrap();
    let toe = nodes.len();
    nodes.push(json!({ "name": "toe", "translation": [0, 0, 1] }));
    nodes[0]["children"] =
        json!(nodes[0]["children"].as_array().into_iter().flatten().cloned().chain([json!(toe)]).collect::<Vec<_>>());
    let Imported { model, report } = read(&glb);
    assert!(is_library(&model) && model.skeleton.find("toe").is_some());
    assert_eq!(model.rig.humanoid.get("hips").map(String::as_str), Some("b0"));
    assert!(report.iter().any(|line| line.contains("expressions of a VRM animation")), "{report:?}");
    let mut other = Glb::small();
    other.json["nodes"][0]["name"] = json!("mixamorig:Hips");
    let target = read(&other).model;
    assert_eq!(clips_for(&target, &model, Fit::default()).unwrap().clips.len(), model.clips.len());
}
