//! FBX files made in parts: names, influences, steps, textures, and what damaged files may cost.

use glam::{Mat4, Vec3, Vec4};
use keypose::anim::key::{Channel, Ease};
use keypose::anim::skeleton::BoneIndex;
use keypose::anim::skin::method::Method;
use keypose::anim::time::{FrameRate, Time};
use keypose::anim::track::Track;
use keypose::assets::model::Model;
use keypose_tools::import::{Imported, import};

use crate::fbx_kit::{Node, Small, Value, ascii, binary, node, text};
use crate::importing::{png, read};

fn small(small: &Small) -> Imported {
    read("hero.fbx", &binary(&small.nodes())).unwrap()
}

#[test]
fn binary_and_text_are_the_same_model() {
    let nodes = Small::default().nodes();
    let (one, other) = (read("a.fbx", &binary(&nodes)).unwrap(), read("a.fbx", &ascii(&nodes)).unwrap());
    assert_eq!(one.model, other.model);
    assert_eq!(one.report, Vec::<String>::new());
    let Model { skeleton, meshes, skins, clips, materials, .. } = &one.model;
    let names: Vec<&str> = skeleton.bones().iter().map(|bone| bone.name.as_str()).collect();
    assert_eq!(names, ["Bone0", "Sail", "Bone1"]);
    assert_eq!(skeleton.bones()[2].rest.translation.to_array(), [0.0, 1.0, 0.0], "metres");
    assert_eq!((meshes.len(), skins.len(), clips.len()), (1, 1, 1));
    assert_eq!(meshes[0].mesh.positions[1].to_array(), [1.0, 0.0, 0.0]);
    assert_eq!((materials[0].name.as_str(), materials[0].base_color), ("Red", [0.5, 0.0, 0.0, 1.0]));
}

/// The children of an object of a small file.
fn object(nodes: &mut [Node], id: i64) -> &mut Vec<Node> {
    let objects = nodes.iter_mut().find(|node| node.name == "Objects").unwrap();
    let is_it = |node: &&mut Node| matches!(node.values[0], Value::Long(own) if own == id);
    &mut objects.children.iter_mut().find(is_it).unwrap().children
}

#[test]
fn groups_of_shapes_kinds_of_skins_and_cages_are_those_of_the_file() {
    let plain = small(&Small { has_shape: true, ..Small::default() });
    let mut nodes = Small { has_shape: true, ..Small::default() }.nodes();
    // Weights of a vertex group in percent, one for each vertex of the shape, as Blender writes them.
    nodes[0].children.push(node("Creator", &[text("Blender (stable FBX IO) - 3.4.1 - 4.37.5")], &[]));
    let channel = object(&mut nodes, 402);
    channel.iter_mut().find(|node| node.name == "FullWeights").unwrap().values = vec![Value::Reals(vec![25.0])];
    object(&mut nodes, 3).push(node("SkinningType", &[text("DualQuaternion")], &[]));
    object(&mut nodes, 1).push(node("Smoothness", &[Value::Int(2)], &[]));
    let Imported { model, report } = read("hero.fbx", &binary(&nodes)).unwrap();
    let moved = |model: &Model| model.meshes[0].mesh.morphs[0].positions[0].length();
    assert_eq!((moved(&model), moved(&plain.model)), (0.125, 0.5));
    assert_eq!((model.skinning, plain.model.skinning), (Method::Dual, Method::Linear));
    let expected = ["skinned by dual quaternions", "a cage that is smoothed by subdivision"];
    assert!(expected.iter().all(|line| report.iter().any(|found| found.contains(line))), "{report:?}");
    assert_eq!((report.len(), plain.report.len()), (2, 0), "{report:?}");
}

#[test]
fn blend_weights_between_linear_and_dual_quaternion_skinning_are_reported() {
    let read = |weights: [f64; 3]| {
        let mut nodes = Small::default().nodes();
        object(&mut nodes, 3).extend([
            node("SkinningType", &[text("Blend")], &[]),
            node("Indexes", &[Value::Ints(vec![0, 1, 2])], &[]),
            node("BlendWeights", &[Value::Reals(weights.to_vec())], &[]),
        ]);
        let Imported { model, report } = read("hero.fbx", &binary(&nodes)).unwrap();
        (model.skinning, report)
    };
    let (method, report) = read([0.0, 0.5, 1.0]);
    assert_eq!(method, Method::Dual);
    assert!(report.len() == 1 && report[0].contains("blend weights") && report[0].contains("left out"), "{report:?}");
    assert_eq!(read([0.0; 3]), (Method::Linear, vec![]));
}

/// The offset of a geometry moves its vertices and its blend shapes, and its faces still look out when it mirrors them.
#[test]
fn geometric_transforms_move_shapes_too() {
    let mut nodes = Small { has_shape: true, ..Small::default() }.nodes();
    let of = |name: &str, values: [f64; 3]| {
        let head = [text(name), text("Vector3D"), text("Vector"), text("")];
        node("P", &[&head[..], &values.map(Value::Real)].concat(), &[])
    };
    let offset = [
        of("GeometricTranslation", [0.0, 0.0, 100.0]),
        of("GeometricRotation", [0.0, 0.0, 90.0]),
        of("GeometricScaling", [1.0, 1.0, -2.0]),
    ];
    object(&mut nodes, 2).push(node("Properties70", &[], &offset));
    let mesh = read("hero.fbx", &binary(&nodes)).unwrap().model.meshes[0].mesh.clone();
    let near =
        |found: Vec3, expected: [f32; 3]| assert!(found.abs_diff_eq(Vec3::from_array(expected), 1e-6), "{found}");
    let [a, b, c] = [0, 1, 2].map(|corner| mesh.positions[mesh.indices[corner] as usize]);
    near(a, [0.0, 0.0, 1.0]);
    near(b, [-1.0, 0.0, 1.0]);
    near(c, [0.0, 1.0, 1.0]);
    near(mesh.normals[0], [0.0, 0.0, -1.0]);
    near(mesh.morphs[0].positions[0], [0.0, 0.0, -1.0]);
}

/// A joint is at its pivot, and its skin stays where it was bound.
#[test]
fn joints_turn_about_their_pivots() {
    let mut nodes = Small::default().nodes();
    let pivot = [text("RotationPivot"), text("Vector3D"), text("Vector"), text("")];
    let pivot = [&pivot[..], &[50.0, 100.0, 0.0].map(Value::Real)].concat();
    let place = object(&mut nodes, 101).iter_mut().find(|node| node.name == "Properties70").unwrap();
    place.children.push(node("P", &pivot, &[]));
    let [model, plain] = [read("hero.fbx", &binary(&nodes)).unwrap(), small(&Small::default())].map(|it| it.model);
    assert_eq!(model.skeleton.bones()[2].rest.translation.to_array(), [0.5, 2.0, 0.0]);
    assert_eq!(model.skeleton.len(), plain.skeleton.len(), "no bone for the reader's helper");
    let bound = |model: &Model| {
        let (pose, skin) = (model.skeleton.rest_model_pose(), &model.skins[0]);
        let of = |(joint, bind): (&BoneIndex, &Mat4)| pose.get(*joint).to_mat4() * *bind;
        skin.joints.iter().zip(&skin.inverse_binds).map(of).collect::<Vec<_>>()
    };
    assert!(bound(&model).iter().zip(bound(&plain)).all(|(one, other)| one.abs_diff_eq(other, 1e-6)));
}

/// The nodes of a small file with the code of its frame rate.
fn with_time_mode(code: i32) -> Vec<Node> {
    let mut nodes = Small::default().nodes();
    let settings = nodes.iter_mut().find(|node| node.name == "GlobalSettings").unwrap();
    let is_mode = |node: &&mut Node| matches!(&node.values[0], Value::Text(name) if name == "TimeMode");
    let mode = settings.children[0].children.iter_mut().find(is_mode).unwrap();
    *mode.values.last_mut().unwrap() = Value::Int(code);
    nodes
}

#[test]
fn a_clip_has_the_frame_rate_of_its_file() {
    for (code, fps) in [(3, 60), (6, 30), (11, 24)] {
        let clip = &read("hero.fbx", &binary(&with_time_mode(code))).unwrap().model.clips[0].clip;
        assert_eq!(Some(clip.frame_rate), FrameRate::new(fps, 1));
    }
}

/// Keys 3 frames apart at 60 frames per second, with flat tangents.
#[test]
fn near_keys_keep_their_curve() {
    let mut nodes = with_time_mode(3);
    for child in object(&mut nodes, 13) {
        match child.name {
            "KeyTime" => child.values = vec![Value::Longs(vec![0, 46_186_158_000 / 20, 46_186_158_000])],
            "KeyAttrFlags" => child.values = vec![Value::Ints(vec![0x408])],
            _ => {}
        }
    }
    let clip = &read("hero.fbx", &binary(&nodes)).unwrap().model.clips[0].clip;
    let at = Track::all_of(clip)[0].sample(Time::SECOND / 60).x;
    assert!((at - 0.5 * 7.0 / 27.0).abs() < 1e-3, "{at}");
}

/// Two stacks: one moves the root, the other turns it and moves its child.
#[test]
fn a_bone_that_a_stack_only_turns_stays_in_its_place() {
    let mut nodes = Small::default().nodes();
    let named = |kind: &'static str, id: i64, name: &str, class: &'static str, parts: &[Node]| {
        node(kind, &[Value::Long(id), Value::Object(name.into(), class), text("")], parts)
    };
    let keys = [
        node("KeyTime", &[Value::Longs(vec![0, 46_186_158_000])], &[]),
        node("KeyValueFloat", &[Value::Singles(vec![40.0, 80.0])], &[]),
        node("KeyAttrFlags", &[Value::Ints(vec![4])], &[]),
        node("KeyAttrDataFloat", &[Value::Singles(vec![0.0; 4])], &[]),
        node("KeyAttrRefCount", &[Value::Ints(vec![2])], &[]),
    ];
    let objects = [
        named("AnimationStack", 500, "Turn", "AnimStack", &[]),
        named("AnimationLayer", 501, "Base", "AnimLayer", &[]),
        named("AnimationCurveNode", 502, "R", "AnimCurveNode", &[]),
        named("AnimationCurveNode", 503, "T", "AnimCurveNode", &[]),
        named("AnimationCurve", 504, "", "AnimCurve", &keys),
        named("AnimationCurve", 505, "", "AnimCurve", &keys),
    ];
    let whole = [(501, 500), (502, 501), (503, 501)].map(|ends| ("OO", ends, None));
    let parts = [
        ("OP", (502, 100), Some("Lcl Rotation")),
        ("OP", (503, 101), Some("Lcl Translation")),
        ("OP", (504, 502), Some("d|Z")),
        ("OP", (505, 503), Some("d|X")),
    ];
    let connected = whole.into_iter().chain(parts).map(|(kind, (child, parent), property)| {
        let ends = [text(kind), Value::Long(child), Value::Long(parent)];
        node("C", &ends.into_iter().chain(property.map(text)).collect::<Vec<_>>(), &[])
    });
    nodes.iter_mut().find(|node| node.name == "Connections").unwrap().children.extend(connected);
    nodes.iter_mut().find(|node| node.name == "Objects").unwrap().children.extend(objects);
    let model = read("hero.fbx", &binary(&nodes)).unwrap().model;
    let clip = &model.clips.iter().find(|slot| slot.clip.name == "Turn").unwrap().clip;
    let moved: Vec<(u16, Vec4)> = Track::all_of(clip)
        .iter()
        .filter(|track| track.channel == Channel::Translation)
        .map(|track| (track.bone, track.sample(Time::SECOND)))
        .collect();
    let still = moved.iter().find(|(bone, _)| *bone == 0).map_or(Vec4::ZERO, |(_, at)| *at);
    assert!(still.abs_diff_eq(Vec4::ZERO, 1e-6), "{moved:?}");
    assert!(moved.iter().any(|(bone, at)| *bone == 2 && (at.x - 0.8).abs() < 1e-6), "{moved:?}");
}

/// The root moves along x in a line and steps up at half time.
#[test]
fn a_step_of_one_axis_leaves_the_others() {
    let model = small(&Small::default()).model;
    let clip = &model.clips[0].clip;
    let keys: Vec<(Time, Ease, [f32; 2])> = clip
        .starts()
        .zip(clip.keyframes.iter())
        .flat_map(|(start, frame)| frame.keys.iter().map(move |key| (start, key.ease, [key.value.x, key.value.y])))
        .collect();
    assert_eq!((clip.name.as_str(), clip.length()), ("Walk", Time::SECOND));
    assert!(keys.first().is_some_and(|(start, _, at)| *start == Time::ZERO && *at == [0.0, 0.0]), "{keys:?}");
    assert!(keys.last().is_some_and(|(start, _, at)| *start == Time::SECOND && *at == [1.0, 0.2]), "{keys:?}");
    let half = Time(Time::FLICKS_PER_SEC / 2);
    assert!(keys.iter().any(|(start, _, at)| *start == half && *at == [0.5, 0.2]), "{keys:?}");
    assert!(keys.iter().all(|(start, _, at)| (*start < half) == (at[1] == 0.0)), "{keys:?}");
    let before = keys.iter().rev().find(|(start, ..)| *start < half);
    assert!(before.is_some_and(|(start, _, at)| half.0 - start.0 == 1 && (at[0] - 0.5).abs() < 1e-6), "{keys:?}");
}

/// The root moves along x by 1 m in a second, and its stack lasts 2.5 s.
#[test]
fn curves_are_extrapolated_as_the_file_says() {
    let endless = [("A", -1, 2.5), ("R", -1, 0.5), ("M", -1, 0.5), ("K", -1, 2.5)];
    for (mode, count, expected) in endless.into_iter().chain([("A", 1, 2.0), ("C", -1, 1.0)]) {
        let mut nodes = Small::default().nodes();
        let range = [("LocalStart", 0), ("LocalStop", 46_186_158_000 * 5 / 2)].map(|(name, ticks)| {
            node("P", &[text(name), text("KTime"), text("Time"), text(""), Value::Long(ticks)], &[])
        });
        object(&mut nodes, 10).push(node("Properties70", &[], &range));
        let parts = [("Type", i32::from(mode.as_bytes()[0])), ("Repetition", count)];
        let parts = parts.map(|(name, value)| node(name, &[Value::Int(value)], &[]));
        object(&mut nodes, 13).push(node("Post-Extrapolation", &[], &parts));
        let Imported { model, report } = read("hero.fbx", &binary(&nodes)).unwrap();
        let clip = &model.clips[0].clip;
        let end = Track::all_of(clip)[0].sample(clip.length());
        assert!((end.x - expected).abs() < 1e-4, "{mode}: {end:?}");
        let stands = report.iter().any(|line| line.contains("stands still"));
        assert_eq!(stands, mode == "C" || count > 0, "{mode}: {report:?}");
    }
}

#[test]
fn weights_are_extrapolated() {
    let mut nodes = Small { has_shape: true, ..Small::default() }.nodes();
    let range = [("LocalStart", 0), ("LocalStop", 46_186_158_000 * 7 / 2)]
        .map(|(name, ticks)| node("P", &[text(name), text("KTime"), text("Time"), text(""), Value::Long(ticks)], &[]));
    object(&mut nodes, 10).push(node("Properties70", &[], &range));
    let parts = [("Type", i32::from(b'M')), ("Repetition", -1)];
    let parts = parts.map(|(name, value)| node(name, &[Value::Int(value)], &[]));
    object(&mut nodes, 404).push(node("Post-Extrapolation", &[], &parts));
    let model = read("hero.fbx", &binary(&nodes)).unwrap().model;
    let tracks = Track::all_of(&model.clips[0].clip);
    let weight = tracks.iter().find(|track| track.channel.scalar().is_some()).unwrap();
    for (halves, expected) in [0.0, 0.5, 1.0, 0.5, 0.0, 0.5, 1.0, 0.5].into_iter().enumerate() {
        let weight = weight.sample(Time::SECOND * halves as i64 / 2).x;
        assert!((weight - expected).abs() < 1e-4, "{halves}: {weight}");
    }
}

#[test]
fn a_stack_with_a_generic_name_takes_that_of_the_file() {
    for (stack, name) in [("Take 001", "hero"), ("Bone0|Run", "Run"), ("x|Run", "x|Run")] {
        let model = small(&Small { stack, has_mesh: false, ..Small::default() }).model;
        assert_eq!(model.clips[0].clip.name, name, "{stack}");
        assert_eq!((model.skeleton.len(), model.meshes.len()), (2, 0));
    }
}

#[test]
fn of_ten_influences_eight_are_kept() {
    let Imported { model, report } = small(&Small { influences: 10, ..Small::default() });
    assert_eq!(model.meshes[0].mesh.influences.len(), 2);
    assert!(report.iter().any(|line| line.contains("1 vertices have more than eight influences")), "{report:?}");
}

#[test]
fn textures_are_embedded_or_beside_the_model() {
    let textured = Small { texture: Some(("..\\art\\cloth.png", "C:\\art\\cloth.png")), ..Small::default() };
    let asked = |found: &str| {
        let mut asked = Vec::new();
        let read = &mut |path: &str| {
            asked.push(path.to_owned());
            if path == found { Ok(png(&[[0; 4]])) } else { Err("no such file".into()) }
        };
        let model = import("hero.fbx", &binary(&textured.nodes()), read).unwrap();
        (asked, model)
    };
    for place in ["cloth.png", "hero.fbm/cloth.png", "textures/cloth.png"] {
        let (_, imported) = asked(place);
        assert_eq!(imported.model.textures[0].source_format, "png", "{place}");
        assert_eq!(imported.model.materials[0].base_color, [1.0; 4], "a texture replaces the colour");
    }
    let (asked, imported) = asked("nowhere");
    assert!(asked.iter().all(|path| !path.contains("..") && !path.contains(':')), "{asked:?}");
    assert_eq!(imported.model.textures[0].source_format, "missing");
    assert!(imported.report[0].contains("cloth.png was not found beside the model"), "{:?}", imported.report);
    let embedded = Small { content: Some(png(&[[0; 4]])), ..textured.clone() };
    let Imported { model, report } = small(&embedded);
    assert_eq!((model.textures[0].source_format.as_str(), report), ("png", vec![]));
}

#[test]
fn every_truncation_is_refused_or_whole() {
    let nodes = Small::default().nodes();
    let bytes = binary(&nodes);
    for length in (0..bytes.len()).step_by(7) {
        if let Err(error) = read("hero.fbx", &bytes[..length]) {
            assert!(error.starts_with("hero.fbx: ") && !error.contains('\n'), "{error}");
        }
    }
    assert!(read("hero.fbx", &bytes[..bytes.len() / 2]).is_err());
}

/// Small files that ask for much: nodes that share a mesh, keys far apart, deep hierarchies.
#[test]
fn small_files_cost_little() {
    let mut nodes = Small { influences: 2, ..Small::default() }.nodes();
    let times = Value::Longs(vec![0, i64::MAX / 4, i64::MAX / 2]);
    change(&mut nodes, &|node| {
        if node.name == "KeyTime" {
            node.values = vec![times.clone()];
        }
        if node.name == "KeyAttrFlags" {
            node.values = vec![Value::Ints(vec![8])];
        }
    });
    let far = read("far.fbx", &binary(&nodes)).unwrap();
    assert!(far.model.clips.is_empty() && !far.model.meshes.is_empty(), "a clip that can't be read is left out alone");
    assert!(far.report.iter().any(|line| line.ends_with("; the clip is left out")), "{:?}", far.report);

    let mut nodes = Small::default().nodes();
    let chain = |at: i64| node("C", &[crate::fbx_kit::text("OO"), Value::Long(1000 + at), Value::Long(999 + at)], &[]);
    let model = |at: i64| {
        let name = Value::Object(format!("n{at}"), "Model");
        node("Model", &[Value::Long(1000 + at), name, crate::fbx_kit::text("LimbNode")], &[])
    };
    nodes[2].children.extend((0..5000).map(model));
    nodes[3].children.extend((1..5000).map(chain));
    let error = read("deep.fbx", &binary(&nodes)).unwrap_err();
    assert!(error.contains("nested more than"), "{error}");
}

fn change(nodes: &mut [Node], change: &dyn Fn(&mut Node)) {
    for node in nodes {
        change(node);
        self::change(&mut node.children, change);
    }
}
