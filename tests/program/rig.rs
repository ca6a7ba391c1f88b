//! `keypose rig` and `keypose weights` as a user runs them: from an OBJ to a valid GLB, and bad input.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::process::Command;

use glam::Vec3;
use keypose::wad::decode;
use keypose_tools::rig::vertex::{VertexRef, weights_of};
use keypose_tools::side_names::other_side;

use crate::folder::Folder;
use crate::needs;
use crate::process::{done, keypose, ran, refused};
use crate::root::root;

/// A folder with `figure.obj`.
fn folder(name: &str) -> Folder {
    let folder = Folder::new(&format!("rig-{name}"));
    write(&folder, "figure.obj", &figure());
    folder
}

fn write(folder: &Folder, name: &str, text: &str) {
    fs::write(folder.join(name), text).unwrap();
}

/// The program in the folder with words.
fn command(folder: &Folder, words: &str) -> Command {
    let mut command = keypose(folder);
    command.args(words.split(' '));
    command
}

/// Runs what must fail for a reason.
fn check_refused(folder: &Folder, words: &str, reason: &str) {
    let error = refused(&mut command(folder, words));
    assert!(error.contains(reason), "{words}: {error}");
}

/// A box with rings of vertices along y, or along x if it is wider than high.
fn add_box(text: &mut String, count: &mut usize, [x0, y0, z0]: [f32; 3], [x1, y1, z1]: [f32; 3]) {
    let rings = 8;
    let is_wide = x1 - x0 > y1 - y0;
    for ring in 0..=rings {
        let t = ring as f32 / rings as f32;
        for (u, v) in [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)] {
            let (x, y) = if is_wide { (t, 1.0 - u) } else { (u, t) };
            writeln!(text, "v {} {} {}", x0 + x * (x1 - x0), y0 + y * (y1 - y0), z0 + v * (z1 - z0)).unwrap();
        }
    }
    let at = |ring: usize, side: usize| *count + 4 * ring + side % 4 + 1;
    for (ring, side) in (0..rings).flat_map(|ring| (0..4).map(move |side| (ring, side))) {
        let corners = [at(ring, side), at(ring + 1, side), at(ring + 1, side + 1), at(ring, side + 1)];
        writeln!(text, "f {} {} {} {}", corners[0], corners[1], corners[2], corners[3]).unwrap();
    }
    writeln!(text, "f {} {} {} {}", at(0, 0), at(0, 1), at(0, 2), at(0, 3)).unwrap();
    writeln!(text, "f {} {} {} {}", at(rings, 3), at(rings, 2), at(rings, 1), at(rings, 0)).unwrap();
    *count += 4 * (rings + 1);
}

/// A person of boxes in a T-pose, 1.8 high.
fn figure() -> String {
    let (mut text, mut count) = (String::new(), 0);
    let mut add = |from, to| add_box(&mut text, &mut count, from, to);
    add([-0.2, 0.9, -0.1], [0.2, 1.5, 0.1]);
    add([-0.1, 1.5, -0.12], [0.1, 1.8, 0.12]);
    for side in [1.0_f32, -1.0] {
        let mut pair = |from: [f32; 3], to: [f32; 3]| {
            let [a, b] = [side * from[0], side * to[0]];
            add([a.min(b), from[1], from[2]], [a.max(b), to[1], to[2]]);
        };
        pair([0.18, 1.36, -0.06], [0.85, 1.48, 0.06]);
        pair([0.04, 0.0, -0.08], [0.18, 0.95, 0.08]);
        pair([0.04, 0.0, 0.05], [0.18, 0.1, 0.25]);
    }
    text
}

#[test]
fn a_mesh_becomes_a_figure_that_exports_as_a_valid_glb() {
    let folder = folder("glb");
    let printed = done(&mut command(&folder, "rig figure.obj --template humanoid -o figure.wad"));
    assert!(printed.contains("23 bones"), "{printed}");
    let (_, problems, _) = ran(&mut command(&folder, "weights figure.wad"));
    assert!(!problems.contains("no weight") && !problems.contains("far away"), "{problems}");
    done(&mut command(&folder, "weights figure.wad --influences 2 -o again.wad"));
    done(&mut command(&folder, "export figure.wad -o figure.glb"));
    let root = root();
    if !root.join("target/node/node_modules/gltf-validator").is_dir() {
        return needs::missing("validator", "the Khronos validator is missing");
    }
    let glb = folder.join("figure.glb");
    let output = Command::new("node").arg(root.join("tools/validate_glb.mjs")).arg(glb).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn both_sides_of_a_symmetric_figure_have_the_same_joints_and_weights() {
    let folder = folder("sides");
    done(&mut command(&folder, "rig figure.obj --template humanoid --parts smooth -o figure.wad"));
    let project = decode(&fs::read(folder.join("figure.wad")).unwrap()).unwrap().project;
    let model = &project.models[0];
    let other_bone = |bone: u16| {
        let name = &model.skeleton.bones()[usize::from(bone)].name;
        other_side(name).map_or(bone, |name| model.skeleton.find(&name).unwrap())
    };
    let flipped = |at: Vec3| at * Vec3::new(-1.0, 1.0, 1.0);
    let rest = model.skeleton.rest_model_pose();
    for bone in model.skeleton.indices() {
        let [one, other] = [bone, other_bone(bone)].map(|bone| rest.get(bone).translation());
        assert!(one.distance(flipped(other)) < 1e-5, "{bone}: {one} and {other}");
    }
    let positions = &model.meshes[0].mesh.positions;
    let weights = |vertex: usize| -> BTreeMap<u16, f32> {
        weights_of(model, VertexRef { mesh: 0, vertex }).into_iter().collect()
    };
    for vertex in 0..positions.len() {
        let is_other = |other: &usize| positions[*other].distance(flipped(positions[vertex])) < 1e-5;
        let (own, theirs) = (weights(vertex), weights((0..positions.len()).find(is_other).unwrap()));
        let far = own.iter().map(|(bone, weight)| (weight - theirs.get(&other_bone(*bone)).unwrap_or(&0.0)).abs());
        let far = far.fold(0.0, f32::max);
        assert!(far < 1e-4, "{}: {own:?} and {theirs:?}", positions[vertex]);
    }
}

#[test]
fn printed_markers_can_be_corrected_and_used() {
    let folder = folder("markers");
    let printed = done(&mut command(&folder, "rig figure.obj --template humanoid --print-markers"));
    assert_eq!(printed.lines().count(), 16, "{printed}");
    assert!(printed.lines().any(|line| line.starts_with("wrist.L 0.6")), "{printed}");
    write(&folder, "markers.txt", "wrist.L 0.7 1.42 0\n");
    done(&mut command(&folder, "rig figure.obj --template humanoid --markers markers.txt -o figure.wad"));
    let project = decode(&fs::read(folder.join("figure.wad")).unwrap()).unwrap().project;
    let model = &project.models[0];
    let hand = model.skeleton.find("hand.L").unwrap();
    let place = model.skeleton.rest_model_pose().get(hand).translation();
    assert!((place.x - 0.7).abs() < 0.01, "{place}");
}

/// A band around the waist of a rigged figure.
#[test]
fn clothes_take_the_weights_of_the_character_that_wears_them() {
    let folder = folder("clothes");
    let (mut belt, mut count) = (String::new(), 0);
    add_box(&mut belt, &mut count, [-0.21, 1.0, -0.11], [0.21, 1.1, 0.11]);
    write(&folder, "belt.obj", &belt);
    check_refused(&folder, "weights belt.obj --from figure.obj -o belt.wad", "figure.obj: it has no mesh with weights");
    done(&mut command(&folder, "rig figure.obj --template humanoid -o figure.wad"));
    let printed = done(&mut command(&folder, "weights belt.obj --from figure.wad -o belt.wad"));
    assert!(printed.contains("vertices match figure"), "{printed}");
    let project = decode(&fs::read(folder.join("belt.wad")).unwrap()).unwrap().project;
    assert_eq!(project.models[0].skeleton.len(), 23);
    check_refused(&folder, "weights belt.obj --from nothing.wad -o other.wad", "nothing.wad");
    assert!(!folder.join("other.wad").exists());
}

#[test]
fn bad_input_is_refused_with_a_sentence_and_nothing_is_written() {
    let folder = folder("bad");
    write(&folder, "empty.obj", "");
    write(&folder, "points.obj", "v 0 0 0\nv 1 0 0\n");
    write(&folder, "nan.obj", "v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    write(&folder, "point.obj", "v 1 1 1\nv 1 1 1\nv 1 1 1\nf 1 2 3\n");
    write(&folder, "outside.txt", "wrist.L 90 1 0\n");
    write(&folder, "wrong.txt", "wrist.L 1 nan 0\n");
    let rig = |rest: &str, reason: &str| check_refused(&folder, &format!("rig {rest} -o out.wad"), reason);
    rig("empty.obj --template humanoid", "empty.obj");
    rig("points.obj --template humanoid", "points.obj");
    rig("nan.obj --template humanoid", "nan.obj");
    rig("point.obj --template humanoid", "the mesh has no size");
    rig("figure.obj --template humanoid --markers outside.txt", "marker wrist.L is far outside the mesh");
    rig("figure.obj --template humanoid --markers wrong.txt", "markers, line 1: wrist.L needs three numbers");
    rig("figure.obj --template humanoid --falloff 40", "use a number from 1 to 16");
    rig("figure.obj --template horse", "horse");
    rig("figure.obj --template humanoid --markers missing.txt", "missing.txt");
    assert!(!folder.join("out.wad").exists());
    fs::copy(root().join("data/tests/arm.wad"), folder.join("arm.wad")).unwrap();
    rig("arm.wad --template humanoid", "it has a skeleton with weights");
}

/// Flat, open, asymmetric and scattered meshes get a rig or a sentence.
#[test]
fn odd_meshes_get_a_rig_and_notes() {
    let folder = folder("odd");
    write(&folder, "flat.obj", "v 0 0 0\nv 1 0 0\nv 1 2 0\nv 0 2 0\nf 1 2 3 4\n");
    let mut scattered = String::new();
    for shell in 0..300 {
        let (x, y, z) = (shell % 17, shell % 29, shell % 5);
        writeln!(scattered, "v {x} {y} {z}\nv {x}.5 {y} {z}\nv {x} {y}.5 {z}\nf -3 -2 -1").unwrap();
    }
    write(&folder, "scattered.obj", &scattered);
    let open: String = figure()
        .lines()
        .enumerate()
        .filter(|(at, line)| !line.starts_with('f') || at % 3 > 0)
        .fold(String::new(), |text, (_, line)| text + line + "\n");
    write(&folder, "open.obj", &open);
    // Without the boxes of the right side, which are the last three, of 36 vertices each.
    let is_left = |line: &&str| {
        let first = line.strip_prefix("f ").and_then(|face| face.split(' ').next()?.parse::<usize>().ok());
        first.is_none_or(|vertex| vertex <= 5 * 36)
    };
    let half: String = figure().lines().filter(is_left).fold(String::new(), |text, line| text + line + "\n");
    write(&folder, "half.obj", &half);
    for name in ["flat", "scattered", "open", "half"] {
        let rig = format!("rig {name}.obj --template humanoid -o {name}.wad");
        let (code, _, notes) = ran(&mut command(&folder, &rig));
        assert!(code == 0 && (name != "scattered" || notes.contains("no arm on the left side")), "{name}: {notes}");
        let project = decode(&fs::read(folder.join(format!("{name}.wad"))).unwrap()).unwrap().project;
        assert!(project.models[0].meshes.iter().all(|slot| !slot.mesh.influences.is_empty()), "{name}");
    }
}
