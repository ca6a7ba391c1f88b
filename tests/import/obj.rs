//! OBJ: objects and materials become meshes on one bone; indices, colours, flat faces, MTL and textures; faults are named.

use std::collections::HashMap;

use glam::{Vec2, Vec3};
use keypose::assets::material::AlphaMode;
use keypose::assets::mesh::Binding;
use keypose_tools::import::{Imported, import};

use crate::importing::{png, read_with};

/// A square and a triangle. It is its own file of materials in the fuzz target.
pub const SMALL: &str = "# a prop
mtllib my props.mtl
newmtl wood
Kd 0.5 0.25 1
d 0.5
map_Kd -s 1 1 1 textures\\wood.png
newmtl lamp
Kd 0.25
Ke 2 1 0
Pm 0.25
Pr 0.5
norm bumps.png
bump height.png
o crate
v 0 0 0
v 1 0 0 1 0 0
v 1 1 0 0 0.5 1
v 0 1 0
vt 0 0
vt 1 0.25
vn 0 0 2
usemtl wood
f 1/1/1 2/2/1 3/2/1 \\
 4/1/1
o lamp
usemtl lamp
s 1
f -4 -3 -2
l 1 2
";

fn read(text: &str, files: &HashMap<&str, Vec<u8>>) -> Result<Imported, String> {
    read_with("prop.obj", text.as_bytes(), files)
}

#[test]
fn a_prop_has_a_mesh_for_each_object_and_one_bone() {
    let png = png(&[[0; 4]; 2]);
    let files =
        [("my props.mtl", SMALL.into()), ("textures/wood.png", png.clone()), ("bumps.png", [png, vec![1]].concat())];
    let Imported { model, report } = read(SMALL, &files.into()).unwrap();
    assert_eq!(report, ["not imported: bump maps (1)", "not imported: points and lines (1)"]);
    let bones: Vec<&str> = model.skeleton.bones().iter().map(|bone| bone.name.as_str()).collect();
    let names: Vec<&str> = model.meshes.iter().map(|slot| slot.mesh.name.as_str()).collect();
    assert_eq!((bones, names), (vec!["prop"], vec!["crate", "lamp"]));
    let [square, triangle] = [0, 1].map(|at| &model.meshes[at].mesh);
    assert_eq!((square.binding, square.indices.clone()), (Binding::Bone(0), vec![0, 1, 2, 0, 2, 3]));
    assert_eq!((square.positions[2], square.normals[2]), (Vec3::new(1.0, 1.0, 0.0), Vec3::Z));
    assert_eq!((square.uvs[0], square.uvs[1]), (Vec2::new(0.0, 1.0), Vec2::new(1.0, 0.75)));
    assert_eq!(square.colors, [[255; 4], [255, 0, 0, 255], [0, 128, 255, 255], [255; 4]]);
    assert_eq!((triangle.positions.len(), triangle.normals[0]), (3, Vec3::Z));
    let [wood, lamp] = [0, 1].map(|at| &model.materials[at]);
    assert_eq!(
        (wood.name.as_str(), wood.base_color, wood.alpha_mode),
        ("wood", [0.5, 0.25, 1.0, 0.5], AlphaMode::Blend)
    );
    assert_eq!((wood.texture, model.textures[0].name.as_str()), (Some(0), "wood.png"));
    assert_eq!((lamp.emissive, lamp.metallic, lamp.roughness), ([2.0, 1.0, 0.0], 0.25, 0.5));
    assert_eq!((lamp.normal_texture, lamp.base_color), (Some(1), [0.25, 0.25, 0.25, 1.0]));
}

#[test]
fn a_prop_without_its_materials_is_plain() {
    let Imported { model, report } = read(SMALL, &HashMap::new()).unwrap();
    assert_eq!((model.materials[0].name.as_str(), model.materials[0].base_color), ("wood", [1.0; 4]));
    assert!(report[0].starts_with("mtllib: my props.mtl was not found"), "{report:?}");
    let Imported { model, report } = read("g a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", &HashMap::new()).unwrap();
    assert_eq!(
        (model.meshes[0].mesh.name.as_str(), model.materials[0].name.as_str(), report.len()),
        ("a", "default", 0)
    );
    assert!(read("# nothing\n", &HashMap::new()).unwrap_err().contains("nothing to import"));
}

/// Two objects and two materials with Russian names in Windows-1251.
#[test]
fn names_that_are_not_utf_8_stay_different() {
    let points = b"mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n";
    let first = b"o \xD2\xE5\xEB\xEE\nusemtl \xCA\xEE\xE6\xE0\nf 1 2 3\n";
    let second = b"o \xD0\xF3\xEA\xE0\nusemtl \xCB\xE8\xF6\xEE\nf 1 2 4\n";
    let materials = b"newmtl \xCA\xEE\xE6\xE0\nKd 1 0 0\nnewmtl \xCB\xE8\xF6\xEE\nKd 0 1 0\n";
    let text = [&points[..], first, second].concat();
    let Imported { model, report } = import("prop.obj", &text, &mut |_| Ok(materials.to_vec())).unwrap();
    let names: Vec<&str> = model.meshes.iter().map(|slot| slot.mesh.name.as_str()).collect();
    let colors: Vec<[f32; 4]> = model.materials.iter().map(|material| material.base_color).collect();
    assert_eq!((names, colors), (vec!["Òåëî", "Ðóêà"], vec![[1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 1.0]]));
    assert_eq!(report, ["prop.obj and 1 more: letters that are not UTF-8; read as Windows-1252"]);
}

#[test]
fn a_lamp_without_its_map_of_emission_does_not_glow() {
    let text = "mtllib lamp.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl lamp\nf 1 2 3\n";
    let mut files =
        HashMap::from([("lamp.mtl", b"newmtl lamp\nmap_Ke glow.png\n".to_vec()), ("glow.png", png(&[[0; 4]]))]);
    let emissive = |files: &HashMap<&str, Vec<u8>>| read(text, files).unwrap().model.materials[0].emissive;
    assert_eq!(emissive(&files), [1.0; 3]);
    files.remove("glow.png");
    assert_eq!(emissive(&files), [0.0; 3]);
}

#[test]
fn corners_without_their_normals_are_flat() {
    let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1//9223372036854775808 2//1 3/1/1\n";
    let Imported { model, report } = read(text, &HashMap::new()).unwrap();
    assert_eq!(model.meshes[0].mesh.normals, [Vec3::Z; 3]);
    assert_eq!(report.len(), 2, "{report:?}");
    assert!(report[1].contains("3 corners have normals that don't exist; their faces are flat"), "{report:?}");
}

#[test]
fn faces_of_a_smoothing_group_share_their_normals() {
    let points = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n";
    let normals = |faces: &str| {
        let text = format!("{points}{faces}");
        read(&text, &HashMap::new()).unwrap().model.meshes[0].mesh.normals.clone()
    };
    let (between, flat) = (Vec3::new(1.0, 0.0, 1.0).normalize(), [Vec3::Z, Vec3::X]);
    let smooth = normals("s 1\nf 1 2 3\nf 1 3 4\n");
    assert_eq!(smooth.len(), 4);
    assert!([0, 2].iter().all(|&corner| smooth[corner].abs_diff_eq(between, 1e-6)), "{smooth:?}");
    assert_eq!([smooth[1], smooth[3]], flat);
    for apart in ["s off\nf 1 2 3\nf 1 3 4\n", "s 1\nf 1 2 3\ns 2\nf 1 3 4\n"] {
        assert_eq!(normals(apart), [[flat[0]; 3], [flat[1]; 3]].concat(), "{apart}");
    }
    let (leaf, face) = (normals("v 0.3 0.7 0.9\ns 1\nf 1 2 5\nf 2 1 5\n"), Vec3::new(0.0, -0.9, 0.7).normalize());
    assert_eq!(leaf.len(), 6);
    assert!(leaf.iter().enumerate().all(|(at, normal)| normal.dot(face) * [1.0, -1.0][at / 3] > 0.999), "{leaf:?}");
    // A bent sheet, whose back is split along the other diagonal, and a folded one, of which one half has a back.
    let bent = "v 0 0 0\nv 1 0 0.1\nv 1 1 0\nv 0 1 0.1\ns 1\nf 1 2 3\nf 1 3 4\nf 2 1 4\nf 2 4 3\n";
    let corners = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 1 0 1\nv 1 1 1\n";
    let folded = format!("{corners}s 1\nf 1 2 3 4\nf 2 5 6 3\nf 4 3 2 1\n");
    for (text, min) in [(bent, 0.95), (&folded, 0.7)] {
        let sheet = read(text, &HashMap::new()).unwrap().model.meshes[0].mesh.clone();
        for corners in sheet.indices.chunks(3) {
            let [a, b, c] = [0, 1, 2].map(|at| sheet.positions[corners[at] as usize]);
            let face = (b - a).cross(c - a).normalize();
            let normals: Vec<f32> = corners.iter().map(|at| sheet.normals[*at as usize].dot(face)).collect();
            assert!(normals.iter().all(|normal| *normal > min), "{normals:?}");
        }
    }
}

#[test]
fn faults_are_named_with_their_line() {
    let cases = [
        ("v 0 0\n", "prop.obj: line 1: v needs 3 numbers, but has 2"),
        ("\nv 0 0 x\n", "line 2: \"x\" is not a number"),
        ("v 0 0 1e99\n", "line 1: \"1e99\" is not a number"),
        ("v 0 0 0\nf 1 1\n", "line 2: a face of 2 corners"),
        ("v 0 0 0\nf 1 1 2\n", "line 2: vertex 2 doesn't exist; there are 1"),
        ("v 0 0 0\nf 1 1 0\n", "line 2: vertex 0 doesn't exist"),
        ("v 0 0 0\nf 1 1 -2\n", "line 2: vertex -2 doesn't exist"),
        ("v 0 0 0\nf / 1 1\n", "line 2: a corner without a vertex"),
    ];
    for (text, expected) in cases {
        let error = read(text, &HashMap::new()).unwrap_err();
        assert!(error.contains(expected), "{text:?}: {error}");
    }
    let unmapped = read("v 0 0 0\nv 1 0 0\nvt 1 1\nf 1/1 1/2 2/9\n", &HashMap::new()).unwrap();
    assert_eq!(unmapped.model.meshes[0].mesh.uvs, [Vec2::new(1.0, 0.0), Vec2::ZERO, Vec2::ZERO]);
    assert_eq!(unmapped.report, ["faces: 2 corners have texture coordinates that don't exist; replaced by 0"]);
}

#[test]
fn no_truncation_and_no_byte_makes_the_importer_panic() {
    let bytes = SMALL.as_bytes();
    for length in 0..bytes.len() {
        let _ = read(&SMALL[..length], &HashMap::new());
        for byte in [b' ', b'-', b'9'] {
            let mut changed = bytes.to_vec();
            changed[length] = byte;
            let _ = import("prop.obj", &changed, &mut |_| Ok(changed.clone()));
        }
    }
}

#[test]
fn a_dense_mesh_of_short_lines_is_read() {
    // 240 x 240 squares of two triangles each, without normals.
    let mut text = String::new();
    (0..240 * 240).for_each(|at| text += &format!("v {} {} 0\n", at % 240, at / 240));
    for at in (0..239 * 240).filter(|at| at % 240 != 239) {
        let at = at + 1;
        text += &format!("f {at} {} {}\nf {at} {} {}\n", at + 1, at + 241, at + 241, at + 240);
    }
    let imported = import("grid.obj", text.as_bytes(), &mut |_| Err("none".into())).unwrap();
    assert_eq!(imported.model.meshes[0].mesh.indices.len(), 3 * 2 * 239 * 239);
}

#[test]
fn a_long_name_is_compared_once_for_each_line_that_has_it() {
    let faces = "f 1 2 3\n".repeat(30_000);
    let text = format!("v 0 0 0\nv 1 0 0\nv 0 1 0\no {}\n{faces}", "o".repeat(400_000));
    let imported = import("long.obj", text.as_bytes(), &mut |_| Err("none".into())).unwrap();
    assert_eq!(imported.model.meshes[0].mesh.indices, [0, 1, 2], "equal triangles are one");
    assert!(imported.report.contains(&"meshes: 29999 triangles are empty or there twice; left out".to_owned()));
}

/// Each material is a mesh with its own lists. Lines that switch materials without a face make none.
#[test]
fn very_many_materials_are_refused_early() {
    let of = |count: usize, face: &str| -> String {
        let switches: String = (0..count).map(|at| format!("usemtl {at}\n{face}")).collect();
        format!("v 0 0 0\nv 1 0 0\nv 0 1 0\n{switches}")
    };
    let none = HashMap::new();
    let many = read(&of(120_000, "f 1 2 3\n"), &none).unwrap_err();
    assert!(many.starts_with("prop.obj: line ") && many.ends_with("too many objects and materials"), "{many}");
    assert_eq!(read(&of(10_000, "f 1 2 3\n"), &none).unwrap().model.meshes.len(), 10_000);
    assert!(read(&of(1_000_000, ""), &none).unwrap_err().contains("nothing to import"));
    let definitions: String = (0..200_000).map(|at| format!("newmtl {at}\n")).collect();
    let files = HashMap::from([("many.mtl", definitions.into_bytes())]);
    let imported = read("mtllib many.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl 199999\nf 1 2 3\n", &files).unwrap();
    assert!(imported.report.iter().any(|line| line.contains("many.mtl: too many materials")), "{:?}", imported.report);
}
