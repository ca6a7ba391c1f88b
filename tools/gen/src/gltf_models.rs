//! The glTF models of the import tests: each has a feature of the format that an importer can get wrong. Their golden
//! poses are computed from the files by `tools/golden.py`.

use serde_json::{Value, json};

use crate::glb::{F32, Glb, I8, U8, U16, base64, floats, push};

/// Unit quaternions with exact decimals, so that no library's sine is involved.
const TILT: [f32; 4] = [0.0, 0.0, 0.28, 0.96];
const BEND: [f32; 4] = [0.6, 0.0, 0.0, 0.8];
const TWIST: [f32; 4] = [0.5, 0.5, 0.5, 0.5];
/// The same rotation as `TWIST`, on the other side: interpolation must take the shorter way.
const TWIST_NEGATED: [f32; 4] = [-0.5, -0.5, -0.5, -0.5];
const NO_ROTATION: [f32; 4] = [0.0, 0.0, 0.0, 1.0];

/// Corners of a hexagon with whole coordinates.
const HEXAGON: [[f32; 2]; 6] = [[8.0, 0.0], [4.0, 7.0], [-4.0, 7.0], [-8.0, 0.0], [-4.0, -7.0], [4.0, -7.0]];
/// Rings of the limb, 6 units apart.
const RINGS: usize = 9;

/// Every model: its file name and bytes.
pub fn files() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("tests/models/limb.glb", limb().bytes()),
        ("tests/models/two_skins.glb", two_skins().bytes()),
        ("tests/models/sparse.glb", sparse().bytes()),
        ("tests/models/scales.glb", scales().bytes()),
        ("tests/models/z_up_matrices.gltf", text(&z_up_matrices())),
        ("tests/models/morph_targets.glb", morph_targets().bytes()),
        ("tests/models/unordered.glb", unordered().bytes()),
        ("tests/models/morphs.glb", morphs().bytes()),
    ]
}

/// As a .gltf that contains its buffer.
pub fn text(glb: &Glb) -> Vec<u8> {
    glb.text(&format!("data:application/octet-stream;base64,{}", base64(&glb.buffer)))
}

/// A file with these nodes, all roots of the scene listed.
fn document(roots: &[usize], nodes: Value) -> Glb {
    let json = json!({
        "asset": { "version": "2.0", "generator": "keypose-gen" },
        "scene": 0,
        "scenes": [{ "nodes": roots }],
        "nodes": nodes,
        "buffers": [{ "byteLength": 0 }],
        "materials": [{ "name": "skin", "pbrMetallicRoughness": { "baseColorFactor": [0.8, 0.5, 0.4, 1] } }],
    });
    Glb { json, buffer: Vec::new() }
}

/// The triangles between rings of six vertices.
fn tube(rings: usize) -> Vec<u8> {
    let quad = |ring: usize, side: usize| {
        let (a, b) = (6 * ring + side, 6 * ring + (side + 1) % 6);
        [a, b, a + 6, b, b + 6, a + 6]
    };
    let places = (0..rings - 1).flat_map(|ring| (0..6).flat_map(move |side| quad(ring, side)));
    places.flat_map(|place| (place as u16).to_le_bytes()).collect()
}

/// The positions of a limb along y.
fn limb_points() -> Vec<f32> {
    (0..RINGS).flat_map(|ring| HEXAGON.iter().flat_map(move |[x, z]| [*x, 6.0 * ring as f32, *z])).collect()
}

/// The two joints of each vertex of the limb, and eighths of the weight of the second one.
fn limb_influences() -> Vec<(u16, u16, f32)> {
    let of_ring = |ring: usize| match ring {
        0..=1 => (0, 1, ring as f32),
        2..=4 => (1, 2, [1.0, 4.0, 7.0][ring - 2]),
        _ => (2, 3, [0.0, 4.0, 7.0, 8.0][ring - 5]),
    };
    (0..RINGS).flat_map(|ring| [of_ring(ring); 6]).collect()
}

fn add_limb_mesh(glb: &mut Glb) {
    let points = limb_points();
    let count = points.len() / 3;
    let pairs = limb_influences();
    let joints: Vec<u8> = pairs.iter().flat_map(|&(a, b, _)| [a, b, 0, 0]).flat_map(u16::to_le_bytes).collect();
    let weights: Vec<f32> = pairs.iter().flat_map(|(_, _, part)| [1.0 - part / 8.0, part / 8.0, 0.0, 0.0]).collect();
    let (indices, triangles) = (tube(RINGS), 2 * 6 * (RINGS - 1));
    let position = glb.add("VEC3", F32, false, count, &floats(&points));
    let joints = glb.add("VEC4", U16, false, count, &joints);
    let weights = glb.add("VEC4", F32, false, count, &floats(&weights));
    let indices = glb.add("SCALAR", U16, false, 3 * triangles, &indices);
    bounds(glb, position, &points);
    let attributes = json!({ "POSITION": position, "JOINTS_0": joints, "WEIGHTS_0": weights });
    let primitive = json!({ "attributes": attributes, "indices": indices, "material": 0 });
    push(&mut glb.json, "meshes", json!({ "name": "limb", "primitives": [primitive] }));
}

/// The minimum and maximum coordinates, which the format requires of positions.
fn bounds(glb: &mut Glb, accessor: usize, points: &[f32]) {
    let extreme = |pick: fn(f32, f32) -> f32| -> Vec<f32> {
        (0..3).map(|axis| points.iter().skip(axis).step_by(3).copied().reduce(pick).unwrap_or_default()).collect()
    };
    glb.json["accessors"][accessor]["min"] = json!(extreme(f32::min));
    glb.json["accessors"][accessor]["max"] = json!(extreme(f32::max));
}

/// A skin whose inverse bind matrices move each joint's place to the origin.
fn add_skin(glb: &mut Glb, joints: &[usize], places: &[[f32; 3]]) {
    let bind = |[x, y, z]: &[f32; 3]| [1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., -x, -y, -z, 1.];
    let binds: Vec<f32> = places.iter().flat_map(bind).collect();
    let binds = glb.add("MAT4", F32, false, places.len(), &floats(&binds));
    push(&mut glb.json, "skins", json!({ "joints": joints, "inverseBindMatrices": binds }));
}

/// One channel of a clip: node, path, interpolation, times and values.
struct Channel<'a>(usize, &'a str, &'a str, &'a [f32], Vec<f32>);

fn add_clip(glb: &mut Glb, name: &str, channels: &[Channel<'_>]) {
    let (mut samplers, mut targets) = (Vec::new(), Vec::new());
    for Channel(node, path, interpolation, times, values) in channels {
        let (shape, width) = match *path {
            "rotation" => ("VEC4", 4),
            "weights" => ("SCALAR", 1),
            _ => ("VEC3", 3),
        };
        let input = glb.add("SCALAR", F32, false, times.len(), &floats(times));
        glb.json["accessors"][input]["min"] = json!([times[0]]);
        glb.json["accessors"][input]["max"] = json!([times[times.len() - 1]]);
        let output = glb.add(shape, F32, false, values.len() / width, &floats(values));
        targets.push(json!({ "sampler": samplers.len(), "target": { "node": node, "path": path } }));
        samplers.push(json!({ "input": input, "output": output, "interpolation": interpolation }));
    }
    push(&mut glb.json, "animations", json!({ "name": name, "samplers": samplers, "channels": targets }));
}

/// The bones of a limb, each 20 units long, and its skinned mesh: node 4.
fn limb_nodes() -> Value {
    json!([
        { "name": "root", "children": [1], "translation": [0, 0, 0] },
        { "name": "upper", "children": [2], "translation": [0, 6, 0] },
        { "name": "lower", "children": [3], "translation": [0, 18, 0] },
        { "name": "hand", "translation": [0, 18, 0] },
        { "name": "body", "mesh": 0, "skin": 0 },
    ])
}

const LIMB_PLACES: [[f32; 3]; 4] = [[0.0, 0.0, 0.0], [0.0, 6.0, 0.0], [0.0, 24.0, 0.0], [0.0, 42.0, 0.0]];

/// Four bones, and a clip for each interpolation; the last one begins later than at 0.
fn limb() -> Glb {
    let mut glb = document(&[0, 4], limb_nodes());
    add_limb_mesh(&mut glb);
    add_skin(&mut glb, &[0, 1, 2, 3], &LIMB_PLACES);
    add_limb_clips(&mut glb);
    glb
}

fn add_limb_clips(glb: &mut Glb) {
    let times = [0.0, 0.25, 0.75, 1.5];
    let rotations = [NO_ROTATION, TILT, BEND, TWIST].concat();
    let shorter = [TILT, TWIST, TWIST_NEGATED, BEND].concat();
    let places = vec![0., 18., 0., 2., 18., 1., 4., 20., 0., 0., 18., 0.];
    let sizes = vec![1., 1., 1., 1., 1.5, 0.75, 2., 2., 2., 1., 1., 1.];
    let step = [Channel(2, "rotation", "STEP", &times, rotations.clone())];
    add_clip(glb, "step", &step);
    let linear = [
        Channel(1, "rotation", "LINEAR", &times, shorter),
        Channel(3, "translation", "LINEAR", &times, places),
        Channel(3, "scale", "LINEAR", &times, sizes),
    ];
    add_clip(glb, "linear", &linear);
    let zero = [0.0; 4];
    let cubic = [zero, NO_ROTATION, [0.0, 0.0, 0.5, 0.0], [0.2, 0.0, 0.0, 0.0], TILT, zero, zero, BEND, [0.1; 4]];
    let moves = [
        0., 0., 0., 0., 18., 0., 3., 0., 0., 0., 9., 0., 1., 16., 2., 0., -9., 0., 0., 0., 1., 0., 18., 0., 0., 0., 0.,
    ];
    let thirds = [0.0, 0.5, 1.25];
    let smooth = [
        Channel(2, "rotation", "CUBICSPLINE", &thirds, cubic.concat()),
        Channel(2, "translation", "CUBICSPLINE", &thirds, moves.to_vec()),
    ];
    add_clip(glb, "cubic", &smooth);
    let late = [Channel(1, "rotation", "LINEAR", &[0.5, 1.0], [NO_ROTATION, BEND].concat())];
    add_clip(glb, "late", &late);
}

/// Two skins in one file, the second one in another order and without inverse bind matrices, weights that don't sum to 1,
/// and a rigid mesh on a joint.
fn two_skins() -> Glb {
    let mut glb = document(&[0, 4, 5], limb_nodes());
    add_limb_mesh(&mut glb);
    let mut second = glb.json["meshes"][0].clone();
    second["name"] = json!("half weights");
    let weights: Vec<f32> =
        limb_influences().iter().flat_map(|(_, _, part)| [part / 16.0, 0.5 - part / 16.0, 0.0, 0.0]).collect();
    let weights = glb.add("VEC4", F32, false, weights.len() / 4, &floats(&weights));
    second["primitives"][0]["attributes"]["WEIGHTS_0"] = json!(weights);
    push(&mut glb.json, "meshes", second);
    let rigid = json!({ "attributes": { "POSITION": 0 }, "indices": 3, "material": 0 });
    push(&mut glb.json, "meshes", json!({ "name": "rigid", "primitives": [rigid] }));
    add_skin(&mut glb, &[0, 1, 2, 3], &LIMB_PLACES);
    push(&mut glb.json, "skins", json!({ "joints": [3, 2, 0, 1] }));
    push(&mut glb.json, "nodes", json!({ "name": "second", "mesh": 1, "skin": 1 }));
    push(
        &mut glb.json,
        "nodes",
        json!({ "name": "tool", "mesh": 2, "translation": [5, 1, 0], "scale": [0.25, 0.25, 0.25] }),
    );
    glb.json["nodes"][3]["children"] = json!([6]);
    add_limb_clips(&mut glb);
    glb
}

/// Positions that are sparse over others, and values of keys that are sparse over zeros, in a strided view.
fn sparse() -> Glb {
    let mut glb = limb();
    let mut points = limb_points();
    let patched: Vec<usize> = (0..points.len() / 3).filter(|at| at % 5 == 2).collect();
    let values: Vec<f32> = patched.iter().flat_map(|at| points[3 * at..3 * at + 3].to_vec()).collect();
    patched.iter().for_each(|at| points[3 * at..3 * at + 3].fill(99.0));
    let wide: Vec<f32> = points.chunks_exact(3).flat_map(|xyz| [-1.0, xyz[0], xyz[1], xyz[2]]).collect();
    let position = glb.add("VEC3", F32, false, points.len() / 3, &floats(&wide));
    let places: Vec<u8> = patched.iter().map(|at| *at as u8).collect();
    let (places, values) = (glb.add_view(&places), glb.add_view(&floats(&values)));
    glb.json["accessors"][position]["byteOffset"] = json!(4);
    let view = glb.json["accessors"][position]["bufferView"].as_u64().unwrap_or_default() as usize;
    glb.json["bufferViews"][view]["byteStride"] = json!(16);
    glb.json["accessors"][position]["sparse"] = json!({
        "count": patched.len(),
        "indices": { "bufferView": places, "componentType": U8 },
        "values": { "bufferView": values },
    });
    bounds(&mut glb, position, &limb_points());
    *glb.attribute("POSITION") = position.into();
    let times = glb.add("SCALAR", F32, false, 3, &floats(&[0.0, 0.5, 1.0]));
    let (at, value) = (glb.add_view(&[1]), glb.add_view(&floats(&[3.0, 20.0, -2.0])));
    let accessor = json!({
        "componentType": F32, "type": "VEC3", "count": 3,
        "sparse": { "count": 1, "indices": { "bufferView": at, "componentType": U8 }, "values": { "bufferView": value } },
    });
    let output = push(&mut glb.json, "accessors", accessor);
    let animation = json!({
        "name": "sparse keys",
        "samplers": [{ "input": times, "output": output }],
        "channels": [{ "sampler": 0, "target": { "node": 3, "path": "translation" } }],
    });
    push(&mut glb.json, "animations", animation);
    glb
}

/// A chain without a skin, scaled differently along each axis and rotated: its world matrices are sheared.
fn scales() -> Glb {
    let mut glb = document(
        &[0],
        json!([
            { "name": "base", "mesh": 0, "children": [1], "scale": [2, 1, 0.5] },
            { "name": "middle", "mesh": 0, "children": [2], "translation": [0, 12, 0], "rotation": TILT, "scale": [1, 3, 1] },
            { "name": "tip", "mesh": 0, "translation": [0, 12, 0], "rotation": BEND, "scale": [0.5, 0.5, -2] },
        ]),
    );
    let points: Vec<f32> = limb_points()[..36].to_vec();
    let position = glb.add("VEC3", F32, false, 12, &floats(&points));
    let indices = glb.add("SCALAR", U16, false, 36, &tube(2));
    bounds(&mut glb, position, &points);
    let primitive = json!({ "attributes": { "POSITION": position }, "indices": indices, "material": 0 });
    push(&mut glb.json, "meshes", json!({ "name": "ring", "primitives": [primitive] }));
    let times = [0.0, 1.0, 2.0];
    let clip = [
        Channel(1, "scale", "LINEAR", &times, vec![1., 3., 1., 3., 1., 2., 1., 1., 1.]),
        Channel(1, "rotation", "LINEAR", &times, [TILT, TWIST, BEND].concat()),
        Channel(2, "rotation", "STEP", &times, [BEND, TILT, NO_ROTATION].concat()),
    ];
    add_clip(&mut glb, "stretch", &clip);
    glb
}

/// The limb under an armature whose matrix turns Z up to Y up and scales by 1/8; joints with matrices. The mesh is under
/// the armature too: its own transform must be ignored.
fn z_up_matrices() -> Glb {
    let mut glb = limb();
    let z_up = json!([0.125, 0, 0, 0, 0, 0, -0.125, 0, 0, 0.125, 0, 0, 1, 2, 3, 1]);
    push(&mut glb.json, "nodes", json!({ "name": "Armature", "children": [0, 4], "matrix": z_up }));
    glb.json["scenes"][0]["nodes"] = json!([5]);
    glb.json["nodes"][0] = json!({ "name": "root", "children": [1], "matrix": [0.96, 0.28, 0, 0, -0.28, 0.96, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1] });
    glb
}

/// Two morph targets whose weights are 0.
fn morph_targets() -> Glb {
    let mut glb = limb();
    let count = limb_points().len() / 3;
    let moved: Vec<f32> = (0..count).flat_map(|at| [at as f32, 0.0, 1.0]).collect();
    let target = glb.add("VEC3", F32, false, count, &floats(&moved));
    bounds(&mut glb, target, &moved);
    glb.json["meshes"][0]["primitives"][0]["targets"] = json!([{ "POSITION": target }, { "POSITION": target }]);
    glb.json["meshes"][0]["weights"] = json!([0, 0]);
    glb
}

/// Morph targets of a skinned and of a rigid mesh, with names and defaults: one dense, one in bytes, one sparse. A clip for each
/// interpolation, one with weights in bytes, and one that moves a bone, too.
fn morphs() -> Glb {
    let mut glb = limb();
    add_targets(&mut glb);
    let mut rigid = glb.json["meshes"][0].clone();
    let attributes = &mut rigid["primitives"][0]["attributes"];
    *attributes = json!({ "POSITION": attributes["POSITION"] });
    rigid["weights"] = json!([0, 0, 1]);
    rigid["name"] = json!("prop");
    push(&mut glb.json, "meshes", rigid);
    push(
        &mut glb.json,
        "nodes",
        json!({ "name": "prop", "mesh": 1, "weights": [0, 0.25, 0], "translation": [40, 0, 0] }),
    );
    glb.json["scenes"][0]["nodes"] = json!([0, 4, 5]);
    let times = [0.0, 0.25, 1.0];
    let flat = vec![0.0, 0.0, 0.0, 1.0, 0.5, -0.5, 0.25, 1.0, 1.5];
    let curve: Vec<f32> = (0..27).map(|at| (at * 7 % 11) as f32 / 8.0 - 0.5).collect();
    add_clip(&mut glb, "linear", &[Channel(4, "weights", "LINEAR", &times, flat.clone())]);
    let turn = [NO_ROTATION, TWIST, BEND].concat();
    let both =
        [Channel(4, "weights", "STEP", &times, flat.clone()), Channel(2, "rotation", "LINEAR", &[0.0, 0.5, 1.0], turn)];
    add_clip(&mut glb, "step", &both);
    let both = [
        Channel(4, "weights", "CUBICSPLINE", &times, curve),
        Channel(5, "weights", "LINEAR", &[0.5, 0.75, 1.25], flat),
    ];
    add_clip(&mut glb, "curve", &both);
    add_clip(&mut glb, "bytes", &[Channel(4, "weights", "LINEAR", &[0.0, 1.0], vec![0.0; 6])]);
    let bytes = glb.add("SCALAR", U8, true, 6, &[0, 51, 102, 255, 204, 0]);
    let clip = glb.json["animations"].as_array().map_or(1, Vec::len) - 1;
    glb.json["animations"][clip]["samplers"][0]["output"] = json!(bytes);
    glb
}

fn add_targets(glb: &mut Glb) {
    let count = limb_points().len() / 3;
    let wide: Vec<f32> = limb_points().chunks_exact(3).flat_map(|xyz| [xyz[0] / 2.0, 0.0, xyz[2] / 2.0]).collect();
    let dense = glb.add("VEC3", F32, false, count, &floats(&wide));
    bounds(glb, dense, &wide);
    let small: Vec<u8> = (0..count).flat_map(|at| [(at % 16 * 8) as u8, 0, 127, 0]).collect();
    let quantized = glb.add("VEC3", I8, true, count, &small);
    let view = glb.json["accessors"][quantized]["bufferView"].as_u64().unwrap_or_default() as usize;
    glb.json["bufferViews"][view]["byteStride"] = json!(4);
    let moved: Vec<u8> = vec![48, 50, 53];
    let (places, values) = (glb.add_view(&moved), glb.add_view(&floats(&[0., 9., 0., 1., 8., 0., 0., 7., -1.])));
    let sparse = json!({
        "componentType": F32, "type": "VEC3", "count": count, "min": [0, 0, -1], "max": [1, 9, 0],
        "sparse": { "count": 3, "indices": { "bufferView": places, "componentType": U8 }, "values": { "bufferView": values } },
    });
    let sparse = push(&mut glb.json, "accessors", sparse);
    let mesh = &mut glb.json["meshes"][0];
    mesh["primitives"][0]["targets"] =
        json!([{ "POSITION": dense }, { "POSITION": quantized }, { "POSITION": sparse }]);
    mesh["weights"] = json!([0, 0, 0.5]);
    mesh["extras"] = json!({ "targetNames": ["wide", "shift.L", "shift.R"] });
}

/// Joints before their parents, two roots, names that are missing or repeated, eight influences, 8-bit joints and weights.
fn unordered() -> Glb {
    let mut glb = document(
        &[3, 4, 5],
        json!([
            { "name": "bone", "translation": [0, 18, 0] },
            { "name": "bone", "children": [0], "translation": [0, 18, 0] },
            { "children": [1], "translation": [0, 6, 0] },
            { "name": "root", "children": [2] },
            { "name": "body", "mesh": 0, "skin": 0 },
            { "name": "other root", "translation": [10, 0, 0], "rotation": TILT },
        ]),
    );
    add_limb_mesh(&mut glb);
    let count = limb_points().len() / 3;
    let pairs = limb_influences();
    let first: Vec<u8> = pairs.iter().flat_map(|&(a, _, _)| [a as u8, 0, 0, 0]).collect();
    let second: Vec<u8> = pairs.iter().flat_map(|&(_, b, _)| [b as u8, 4, 0, 0]).collect();
    let weight = |eighths: f32| (eighths * 24.0) as u8;
    let first_weights: Vec<u8> = pairs.iter().flat_map(|(_, _, part)| [weight(8.0 - part), 0, 0, 0]).collect();
    let second_weights: Vec<u8> = pairs.iter().flat_map(|(_, _, part)| [weight(*part), 63, 0, 0]).collect();
    *glb.attribute("JOINTS_0") = glb.add("VEC4", U8, false, count, &first).into();
    *glb.attribute("WEIGHTS_0") = glb.add("VEC4", U8, true, count, &first_weights).into();
    *glb.attribute("JOINTS_1") = glb.add("VEC4", U8, false, count, &second).into();
    *glb.attribute("WEIGHTS_1") = glb.add("VEC4", U8, true, count, &second_weights).into();
    let places = [LIMB_PLACES[0], LIMB_PLACES[1], LIMB_PLACES[2], LIMB_PLACES[3], [10.0, 0.0, 0.0]];
    add_skin(&mut glb, &[3, 2, 1, 0, 5], &places);
    let times = [0.0, 0.5, 1.0];
    let clip = [
        Channel(1, "rotation", "LINEAR", &times, [NO_ROTATION, TWIST, BEND].concat()),
        Channel(5, "translation", "LINEAR", &times, vec![10., 0., 0., 10., 8., 0., 12., 8., 3.]),
    ];
    add_clip(&mut glb, "wave", &clip);
    glb
}
