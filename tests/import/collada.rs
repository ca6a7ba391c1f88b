//! COLLADA: units, axes, joints by SID, bind shapes, curves, textures, and faults that are named.

use glam::{Vec2, Vec3};
use keypose::anim::transform::Transform;
use keypose::assets::material::{AlphaMode, Material, Wrap};
use keypose::assets::model::Model;
use keypose_tools::import::{Imported, import};

use crate::collada_kit::{SMALL, morphed};
use crate::importing::{self, png};
use crate::posing::{baked_pose, vertices};

fn read(text: &str) -> Result<Imported, String> {
    importing::read("sail.dae", text.as_bytes())
}

/// The vertices at a time of the clip.
fn posed(model: &Model, secs: f64) -> Vec<Vec3> {
    vertices(model, &baked_pose(model, &model.clips[0].clip, secs))
}

fn has(points: &[Vec3], point: Vec3) -> bool {
    points.iter().any(|it| it.distance(point) < 1e-5)
}

#[test]
fn a_skin_in_centimetres_with_z_up_is_in_metres_with_y_up() {
    let Imported { model, report } = read(SMALL).unwrap();
    let names: Vec<&str> = model.skeleton.bones().iter().map(|bone| bone.name.as_str()).collect();
    assert_eq!(names, ["root", "Sail", "tip"]);
    let rest = vertices(&model, &model.skeleton.rest_pose());
    // The bind shape moves the square by 0.1 along x; z of the file is y.
    for corner in [[0.1, 0.0, 0.0], [1.1, 0.0, 0.0], [1.1, 1.0, 0.0], [0.1, 1.0, 0.0]] {
        assert!(has(&rest, Vec3::from(corner)), "{corner:?} in {rest:?}");
    }
    assert_eq!(model.meshes[0].mesh.normals[0].to_array(), [0.0, -1.0, 0.0], "flat, in the axes of the file");
    let material = &model.materials[0];
    assert_eq!((material.name.as_str(), material.alpha_mode), ("Red", AlphaMode::Blend));
    assert_eq!((material.base_color[3], material.wrap), (0.5, [Wrap::Clamp, Wrap::Repeat]));
    assert_eq!(model.textures[0].name, "my cloth.png");
    assert_eq!(
        report,
        ["image cloth: my cloth.png was not found beside the model; drawn in the colour of its material"]
    );
}

/// An armature 3 m up, with inverse bind matrices of the scene, but the bind shape of its own space.
#[test]
fn a_skin_of_blender_is_where_its_armature_is() {
    let tool = "<asset><contributor><authoring_tool>Blender 4.2.0</authoring_tool></contributor>";
    let parts = [
        ("<asset>", tool),
        ("0 0 1 0 0 0 0 1 1 0", "0 0 1 -300 0 0 0 1 1 0"),
        ("0 0 1 -100 0 0 0 1</float_array>", "0 0 1 -400 0 0 0 1</float_array>"),
        ("<node id=\"Rig_root\"", "<node id=\"Rig\"><translate>0 0 300</translate><node id=\"Rig_root\""),
        ("</node>\n</visual_scene>", "</node></node>\n</visual_scene>"),
    ];
    let text = parts.iter().fold(SMALL.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replacen(from, to, 1)
    });
    let model = read(&text).unwrap().model;
    let rest = vertices(&model, &model.skeleton.rest_pose());
    for corner in [[0.1, 3.0, 0.0], [1.1, 3.0, 0.0], [1.1, 4.0, 0.0], [0.1, 4.0, 0.0]] {
        assert!(has(&rest, Vec3::from(corner)), "{corner:?} in {rest:?}");
    }
}

/// The turn of the tip in degrees.
fn turned(model: &Model, secs: f64) -> f32 {
    let tip = model.skeleton.find("tip").unwrap();
    baked_pose(model, &model.clips[0].clip, secs).get(usize::from(tip)).rotation.to_axis_angle().1.to_degrees()
}

/// The form of Maya 7 and 3ds Max 8: values alone, at thirds of the time.
#[test]
fn tangents_of_one_number_bend_the_curve() {
    let one = |text: &str, id: &str, numbers: &str| {
        let start = text.find(&format!("<source id=\"{id}\">")).unwrap();
        let end = start + text[start..].find("</source>").unwrap();
        let new = format!(
            "<source id=\"{id}\"><float_array id=\"{id}-a\" count=\"2\">{numbers}</float_array>\
             <technique_common><accessor source=\"#{id}-a\" count=\"2\" stride=\"1\"/></technique_common>"
        );
        format!("{}{new}{}", &text[..start], &text[end..])
    };
    let model = read(&one(&one(SMALL, "in", "0 90"), "out", "0 90")).unwrap().model;
    for (secs, degrees) in [(0.25, 14.06), (0.5, 45.0), (0.75, 75.94)] {
        assert!((turned(&model, secs) - degrees).abs() < 0.3, "{secs}: {}", turned(&model, secs));
    }
}

/// The root rises by 2 m in a second; the tip turns by 90° on a curve that is symmetric, so by 45° at half time.
#[test]
fn matrices_and_curves_of_angles_move_the_bones() {
    let model = read(SMALL).unwrap().model;
    assert_eq!((model.clips.len(), model.clips[0].clip.name.as_str()), (1, "sail"));
    for (secs, rise, degrees) in [(0.0, 0.0, 0.0), (0.5, 1.0, 45.0_f32), (1.0, 2.0, 90.0)] {
        let angle = turned(&model, secs);
        assert!((angle - degrees).abs() < 0.02, "{secs}: {angle}");
        assert!(has(&posed(&model, secs), Vec3::new(0.1, rise, 0.0)), "{secs}");
    }
}

#[test]
fn textures_are_read_beside_the_model() {
    for (written, place) in [
        ("art/my cloth.png", "art/my cloth.png"),
        ("file:///C:/Users/me/cloth.png", "cloth.png"),
        ("..\\cloth.png", "cloth.png"),
    ] {
        let text = SMALL.replace("art/my%20cloth.png", written);
        let mut asked = Vec::new();
        let read = &mut |path: &str| {
            asked.push(path.to_owned());
            if path == place { Ok(png(&[[0; 4]])) } else { Err("no such file".into()) }
        };
        let model = import("sail.dae", text.as_bytes(), read).unwrap().model;
        assert_eq!(model.textures[0].source_format, "png", "{written}: {asked:?}");
        assert!(asked.iter().all(|path| !path.contains("..") && !path.contains(':')), "{asked:?}");
    }
}

#[test]
fn transparency_is_that_of_its_mode_and_textures_are_tiled() {
    let transparency = "<transparency><float>0.5</float></transparency>";
    let texture = "<texture texture=\"sampler\" texcoord=\"UV\"/>";
    let material = |from: &str, to: &str| {
        let text = SMALL.replace(from, to);
        Material::clone(&read(&text).unwrap().model.materials[0])
    };
    let modes = [
        ("A_ONE", "0 0 0 0.25", 0.25),
        ("A_ZERO", "0 0 0 0.25", 0.75),
        ("RGB_ONE", "0.25 0.25 0.25 1", 0.25),
        ("RGB_ZERO", "0.25 0.25 0.25 1", 0.75),
    ];
    for (mode, color, opacity) in modes {
        let transparent = format!("<transparent opaque=\"{mode}\"><color>{color}</color></transparent>");
        let read = material(transparency, &transparent);
        assert!((read.base_color[3] - opacity).abs() < 1e-4, "{mode}: {:?}", read.base_color);
        assert_eq!(read.alpha_mode, AlphaMode::Blend);
    }
    let holes = material(transparency, &format!("<transparent>{texture}</transparent>"));
    assert_eq!((holes.alpha_mode, holes.base_color[3]), (AlphaMode::Mask(0.5), 1.0));
    let extra = "<extra><technique profile=\"MAYA\"><repeatU>4</repeatU><offsetV>0.25</offsetV></technique></extra>";
    let tiled = material(texture, &format!("<texture texture=\"sampler\" texcoord=\"UV\">{extra}</texture>"));
    assert_eq!((tiled.uv_transform.scale, tiled.uv_transform.offset), (Vec2::new(4.0, 1.0), Vec2::new(0.0, -0.25)));
}

#[test]
fn a_colour_can_be_a_parameter_of_its_effect() {
    let effect = "<profile_COMMON>";
    let parameter = format!("{effect}<newparam sid=\"tint\"><float4>0.5 0.25 0.125 1</float4></newparam>");
    let text = SMALL.replacen(effect, &parameter, 1);
    let text = text.replace("<texture texture=\"sampler\" texcoord=\"UV\"/>", "<param ref=\"tint\"/>");
    assert_eq!(read(&text).unwrap().model.materials[0].base_color[..3], [0.5, 0.25, 0.125]);
    let set =
        "<instance_effect url=\"#red-fx\"><setparam ref=\"tint\"><float4>1 0 0 1</float4></setparam></instance_effect>";
    let text = text.replace("<instance_effect url=\"#red-fx\"/>", set);
    assert_eq!(read(&text).unwrap().model.materials[0].base_color[..3], [1.0, 0.0, 0.0], "a material sets it");
}

#[test]
fn a_parameter_without_a_name_is_skipped() {
    let text = SMALL.replacen(
        "count=\"12\">0 0 0 100 0 0 100 0 100 0 0 100",
        "count=\"16\">9 0 0 0 9 100 0 0 9 100 0 100 9 0 0 100",
        1,
    );
    let named = ["X", "Y", "Z"].map(|name| format!("<param name=\"{name}\" type=\"float\"/>")).concat();
    let accessor = format!("count=\"4\" stride=\"4\"><param type=\"float\"/>{named}</accessor>");
    let text = text.replacen("count=\"4\" stride=\"3\"/>", &accessor, 1);
    let [skipped, small] = [&*text, SMALL].map(|text| read(text).unwrap().model.meshes[0].mesh.clone());
    assert_eq!(skipped, small);
}

#[test]
fn sources_that_share_an_array_have_all_of_their_rows() {
    let text = SMALL
        .replacen(
            "count=\"12\">0 0 0 100 0 0 100 0 100 0 0 100",
            "count=\"20\">0 0 0 0 0 1 1 100 0 0 9 9 100 0 100 9 9 0 0 100",
            1,
        )
        .replacen("#pos-a\" count=\"4\" stride=\"3\"", "#pos-a\" count=\"4\" offset=\"2\" stride=\"5\"", 1)
        .replacen("#uv-a\" count=\"2\" stride=\"2\"", "#pos-a\" count=\"2\" stride=\"5\"", 1);
    let [shared, small] = [&*text, SMALL].map(|text| read(text).unwrap().model.meshes[0].mesh.clone());
    assert_eq!(shared, small);
}

#[test]
fn a_channel_for_the_last_row_of_a_matrix_is_reported() {
    let text = SMALL.replacen("Rig_tip/rotateX.ANGLE", "Rig_root/transform(0)(3)", 1);
    let report = read(&text).unwrap().report;
    assert!(report.iter().any(|line| line.contains("animation channels of other targets")), "{report:?}");
}

/// A clip, a skin or texture coordinates that can't be read are left out; the rest of the file comes in.
#[test]
fn faults_of_a_part_leave_out_that_part() {
    let cases: [(&str, &str, &str); 4] = [
        ("root tip</Name", "root none</Name", "node Sail: joint none doesn't exist; the mesh is bound to its node"),
        ("<v>0 0 0 0 0 1", "<v>0 0 0 0 7 1", "joint 7, but the skin has 2 joints; the mesh is bound to its node"),
        ("count=\"2\">0 1</float", "count=\"2\">0 1e9</float", "outside of the supported range; the clip is left out"),
        ("<p>0 0 1 1", "<p>0 9 1 1", "1 corners have texture coordinates that don't exist"),
    ];
    for (from, to, expected) in cases {
        let text = SMALL.replacen(from, to, 1);
        assert_ne!(text, SMALL, "{from}");
        let Imported { model, report } = read(&text).unwrap();
        assert!(!model.meshes.is_empty() && report.iter().any(|line| line.contains(expected)), "{to}: {report:?}");
    }
}

#[test]
fn text_in_utf_16_with_decimal_commas_is_the_same_model() {
    let plain = read(SMALL).unwrap().model;
    let commas = SMALL.replace("0 0 0 100 0 0 100 0 100", "0,0 0 0 100,0 0 0 1,0e2 0 100");
    assert_ne!(commas, SMALL);
    let little: Vec<u8> = commas.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = "\u{feff}".encode_utf16().chain(commas.encode_utf16()).flat_map(u16::to_be_bytes).collect();
    for bytes in [commas.into_bytes(), little, big] {
        let model = import("sail", &bytes, &mut |_| Err("no other files".into())).unwrap().model;
        assert_eq!((&model.meshes, &model.skeleton), (&plain.meshes, &plain.skeleton));
    }
}

#[test]
fn faults_are_named_with_their_place() {
    let cases: [(&str, &str, &str); 5] = [
        ("<COLLADA ", "<COLLADA", "invalid XML"),
        ("<p>0 0 1 1", "<p>9 0 1 1", "node Sail: an index of a face has no value"),
        ("0 0 0 100 0 0 100 0 100", "NaN 0 0 100 0 0 100 0 100", "vertex 0 is not finite"),
        ("sid=\"place\">0 0 100", "sid=\"place\">0 0 1e400", "node tip: transform is not finite"),
        (
            "<node id=\"Sail\" name=\"Sail\">",
            "<node id=\"Sail\" name=\"Sail\"><instance_node url=\"#Sail\"/>",
            "the nodes form a cycle",
        ),
    ];
    for (from, to, expected) in cases {
        let text = SMALL.replacen(from, to, 1);
        assert_ne!(text, SMALL, "{from}");
        let error = read(&text).unwrap_err();
        assert!(error.contains(expected) && error.starts_with("sail.dae: ") && !error.contains('\n'), "{error}");
    }
    let more = SMALL.replacen("<vcount>1 1 2 2", "<vcount>1 1 2 9", 1);
    let [plain, more] = [SMALL, &more].map(|text| read(text).unwrap().model.meshes);
    assert_eq!(more, plain, "a vertex takes as many influences as there are");
}

/// Deep nesting and instances of instances stay within bounds.
#[test]
fn small_files_cost_little() {
    let deep = SMALL.replace("<node id=\"Sail\"", &format!("{}<node id=\"Sail\"", "<node>".repeat(20_000)));
    let deep = deep.replace("</visual_scene>", &format!("{}</visual_scene>", "</node>".repeat(20_000)));
    assert!(read(&deep).unwrap_err().contains("nested more than 512 deep"));
    let nodes: String = (0..40)
        .map(|at| {
            format!("<node id=\"n{at}\"><instance_node url=\"#n{0}\"/><instance_node url=\"#n{0}\"/></node>", at + 1)
        })
        .collect();
    let many = SMALL.replace("<node id=\"Sail\"", &format!("{nodes}<node id=\"Sail\""));
    assert!(read(&many).unwrap_err().contains("more than 65536"));
    let attributes: String = (0..100_000).map(|at| format!(" a{at}=''")).collect();
    let wide = SMALL.replace("<node id=\"Sail\"", &format!("<node{attributes} id=\"Sail\""));
    assert!(read(&wide).unwrap_err().contains("more than 128 attributes"));
    let laughs = SMALL.replacen("<COLLADA", "<!DOCTYPE x [<!ENTITY a \"aaaa\">]><COLLADA", 1);
    assert!(read(&laughs).unwrap_err().contains("invalid XML"));
}

/// The corners of the sail at a time: those of the skin below, moved by what the targets add to them in metres.
fn sail(wide: f32, high: f32, lift: f32) -> [Vec3; 4] {
    let (right, top) = (1.1 + wide, 1.0 + high);
    // The tip turns the upper corners in the animation, so these are at rest: only the root moves.
    [[0.1, 0.0], [right, 0.0], [right, top], [0.1, top]].map(|[x, y]| Vec3::new(x, y + lift, 0.0))
}

#[test]
fn morph_targets_below_a_skin_move_vertices_before_it() {
    for method in ["NORMALIZED", "RELATIVE"] {
        let Imported { model, report } = read(&morphed(method)).unwrap();
        assert!(report.iter().all(|line| !line.contains("morph")), "{report:?}");
        let scalars = model.skeleton.scalars();
        let found: Vec<_> = scalars.iter().map(|scalar| (scalar.name.as_str(), scalar.default)).collect();
        assert_eq!(found, [("wide", 0.0), ("high", 0.5)], "{method}");
        assert_eq!(model.skeleton.get(scalars[0].bone).unwrap().name, "Sail");
        let rest = vertices(&model, &model.skeleton.rest_pose());
        for corner in sail(0.0, 0.25, 0.0) {
            assert!(has(&rest, corner), "{method}: {corner} in {rest:?}");
        }
        // The lower corners follow the root alone: 2 m up in a second, and wider by the weight.
        for (secs, weight) in [(0.0, 0.0), (0.25, 0.25), (0.5, 0.5)] {
            let now = posed(&model, secs);
            for corner in &sail(weight, 0.25, 2.0 * weight)[..2] {
                assert!(has(&now, *corner), "{method} at {secs}: {corner} in {now:?}");
            }
        }
        let targets = &model.meshes[0].mesh.morphs;
        assert_eq!(targets.iter().map(|target| target.vertices.len()).collect::<Vec<_>>(), [2, 2]);
    }
}

#[test]
fn a_morph_needs_no_skin_and_may_lie_over_one() {
    let bare =
        morphed("NORMALIZED").replace("<instance_controller url=\"#skin\">", "<instance_controller url=\"#morph\">");
    let Imported { model, .. } = read(&bare).unwrap();
    assert!(model.skins.is_empty());
    assert_eq!(model.meshes[0].mesh.morphs.len(), 2);
    let over = morphed("NORMALIZED")
        .replace("<skin source=\"#morph\">", "<skin source=\"#sail\">")
        .replace("<morph source=\"#sail\"", "<morph source=\"#skin\"")
        .replace("<instance_controller url=\"#skin\">", "<instance_controller url=\"#morph\">");
    let Imported { model, .. } = read(&over).unwrap();
    assert_eq!((model.skins.len(), model.meshes[0].mesh.morphs.len()), (1, 2));
}

#[test]
fn weights_are_found_by_every_form_of_address() {
    for address in ["sizes(0)", "sizes-a(0)", "morph/sizes(0)", "morph/sizes/sizes-a(0)"] {
        let text = morphed("RELATIVE").replace("target=\"sizes(0)\"", &format!("target=\"{address}\""));
        let Imported { model, .. } = read(&text).unwrap();
        let keys = model.clips[0].clip.keyframes.has_scalars();
        assert!(keys, "{address}");
    }
    let all = morphed("RELATIVE").replace("target=\"sizes(0)\"", "target=\"sizes\"").replace(
        r##"<float_array id="w-a" count="2">0 1</float_array>
<technique_common><accessor source="#w-a" count="2" stride="1"/>"##,
        r##"<float_array id="w-a" count="4">0 1 1 0.25</float_array>
<technique_common><accessor source="#w-a" count="2" stride="2"/>"##,
    );
    let Imported { model, .. } = read(&all).unwrap();
    assert_eq!(baked_pose(&model, &model.clips[0].clip, 1.0).scalars(), [1.0, 0.25]);
}

#[test]
fn faults_of_morphs_are_findings() {
    let cases = [
        ("wide high", "wide gone", "target gone doesn't exist"),
        (
            r##"<float_array id="high-a" count="12">0 0 0 100 0 0 100 0 150 0 0 150<"##,
            r##"<float_array id="high-a" count="3">0 0 0<"##,
            "other vertices",
        ),
        ("<targets>", "<aims>", "no targets"),
        ("<morph source=\"#sail\"", "<morph source=\"#morph\"", "several skins or morphs"),
    ];
    for (from, to, expected) in cases {
        let text =
            morphed("NORMALIZED").replace(from, to).replace(if to == "<aims>" { "</targets>" } else { "§" }, "</aims>");
        let Imported { report, .. } = read(&text).unwrap();
        assert!(report.iter().any(|line| line.contains(expected)), "{expected}: {report:?}");
    }
}

/// A source of numbers or names.
fn source(id: &str, kind: &str, values: &str) -> String {
    let count = values.split(' ').count();
    format!(
        "<source id=\"{id}\"><{kind}_array id=\"{id}-a\" count=\"{count}\">{values}</{kind}_array><technique_common><accessor \
         source=\"#{id}-a\" count=\"{count}\"><param name=\"P\" type=\"{kind}\"/></accessor></technique_common></source>"
    )
}

/// An animation of one number, with key times, values and interpolations.
fn animation(id: &str, target: &str, [secs, values, shapes]: [&str; 3]) -> String {
    let sources = [("i", "float", secs), ("o", "float", values), ("n", "Name", shapes)];
    let sources: String = sources.iter().map(|(end, kind, list)| source(&format!("{id}{end}"), kind, list)).collect();
    let inputs = [("INPUT", "i"), ("OUTPUT", "o"), ("INTERPOLATION", "n")];
    let input = |(semantic, end)| format!("<input semantic=\"{semantic}\" source=\"#{id}{end}\"/>");
    let inputs: String = inputs.map(input).concat();
    format!(
        "<animation id=\"{id}\">{sources}<sampler id=\"{id}s\">{inputs}</sampler><channel source=\"#{id}s\" \
         target=\"{target}\"/></animation>"
    )
}

/// A bone that animations move, and their clips.
fn animated(animations: &str, clips: &str) -> Model {
    let text = format!(
        "<COLLADA><asset><up_axis>Y_UP</up_axis></asset><library_animations>{animations}</library_animations>\
         <library_animation_clips>{clips}</library_animation_clips><library_visual_scenes><visual_scene id=\"S\"><node id=\"b\" \
         type=\"JOINT\"><translate sid=\"t\">0 0 0</translate><rotate sid=\"r\">0 0 1 0</rotate></node></visual_scene>\
         </library_visual_scenes><scene><instance_visual_scene url=\"#S\"/></scene></COLLADA>"
    );
    read(&text).unwrap().model
}

/// The place of the bone and its turn about z in degrees, rounded, in a clip.
fn at(model: &Model, clip: usize, secs: f64) -> [i32; 3] {
    let Transform { rotation, translation, .. } = baked_pose(model, &model.clips[clip].clip, secs).get(0);
    let turn = 2.0 * rotation.z.atan2(rotation.w).to_degrees();
    [translation.x, translation.y, turn].map(|number| number.round() as i32)
}

#[test]
fn steps_jump_beside_curves_that_do_not() {
    let up = animation("u", "b/t.Y", ["0 1", "0 100", "LINEAR LINEAR"]);
    let turn = animation("r", "b/r.ANGLE", ["0 0.5 1", "0 40 80", "STEP STEP STEP"]);
    let right = animation("x", "b/t.X", ["0 0.5 1", "0 100 0", "STEP LINEAR LINEAR"]);
    let model = animated(&[up, turn, right].concat(), "");
    let places = [0.0, 0.25, 0.49, 0.5, 0.75, 1.0].map(|secs| at(&model, 0, secs));
    assert_eq!(places, [[0, 0, 0], [0, 25, 0], [0, 49, 0], [100, 50, 40], [50, 75, 40], [0, 100, 80]]);
}

#[test]
fn every_instance_of_an_animated_node_moves() {
    let up = animation("u", "lib/t.Y", ["0 1", "0 100", "LINEAR LINEAR"]);
    let text = format!(
        "<COLLADA><asset><up_axis>Y_UP</up_axis></asset><library_animations>{up}</library_animations><library_nodes><node \
         id=\"lib\"><translate sid=\"t\">0 0 0</translate></node></library_nodes><library_visual_scenes><visual_scene id=\"S\"><node \
         id=\"a\"><instance_node url=\"#lib\"/></node><node id=\"b\"><instance_node url=\"#lib\"/></node></visual_scene>\
         </library_visual_scenes><scene><instance_visual_scene url=\"#S\"/></scene></COLLADA>"
    );
    let model = read(&text).unwrap().model;
    let local = baked_pose(&model, &model.clips[0].clip, 1.0);
    let high = model.skeleton.indices().filter(|bone| local.get(usize::from(*bone)).translation.y > 99.0).count();
    assert_eq!(high, 2);
}

#[test]
fn a_clip_is_the_part_of_the_animations_that_it_names() {
    let up = animation("u", "b/t.Y", ["0 2", "0 100", "LINEAR LINEAR"]);
    let turn = animation("r", "b/r.ANGLE", ["0 1 2", "45 45 45", "LINEAR LINEAR LINEAR"]);
    let clip = |name: &str, start: &str, end: &str| {
        format!(
            "<animation_clip id=\"{name}\" start=\"{start}\" end=\"{end}\"><instance_animation url=\"#u\"/>\
             <instance_animation url=\"#r\"/></animation_clip>"
        )
    };
    let clips = [clip("one", "0", "1"), clip("two", "1", "2"), clip("three", "0.5", "1.5")].concat();
    let model = animated(&[up.clone(), turn.clone()].concat(), &clips);
    let ends = [0, 1, 2].map(|clip| [0.0, 0.5, 1.0].map(|secs| at(&model, clip, secs)));
    assert_eq!(
        ends,
        [
            [[0, 0, 45], [0, 25, 45], [0, 50, 45]],
            [[0, 50, 45], [0, 75, 45], [0, 100, 45]],
            [[0, 25, 45], [0, 50, 45], [0, 75, 45]]
        ]
    );
    let early = animated(&animation("u", "b/t.Y", ["-1 1", "0 100", "LINEAR LINEAR"]), "");
    assert_eq!([0.0, 1.0].map(|secs| at(&early, 0, secs)), [[0, 50, 0], [0, 100, 0]]);
}
