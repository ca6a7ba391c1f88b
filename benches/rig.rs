//! Measures automatic weights and dabs of a brush, on characters of files and trunks of up to a million vertices, and drags of the whole body.
//!
//! `cargo bench --bench rig -- KNIGHT.glb`

use std::f32::consts::TAU;
use std::hint::black_box;
use std::sync::Arc;

use glam::Vec3;
use keypose::anim::pose::LocalPose;
use keypose::anim::skeleton::{Bone, Skeleton};
use keypose::anim::time::Time;
use keypose::anim::transform::Transform;
use keypose::assets::combat::Lanes;
use keypose::assets::mesh::{Binding, Mesh};
use keypose::assets::model::{MeshSlot, Model};
use keypose_tools::balance::Balance;
use keypose_tools::import::import;
use keypose_tools::rig::bind::bound;
use keypose_tools::rig::paint::{Action, Brush, Canvas, Stroke};
use keypose_tools::rig::surface::Surface;
use keypose_tools::rig::weights::{Options, automatic};
use keypose_tools::rig::{segments, unheard};
use keypose_tools::whole_body::{Pull, Stand, WholeBody};

#[path = "shared/clock.rs"]
mod clock;

use clock::min_ns;

const BONES: usize = 40;
const DABS: usize = 20;
const BODY_BONES: usize = 60;

fn main() {
    println!("| mesh | vertices | bones | weights, ms |");
    println!("|---|---|---|---|");
    for file in std::env::args().skip(1).filter(|argument| !argument.starts_with("--")) {
        let bytes = std::fs::read(&file).expect("the file can be read");
        let imported = import(&file, &bytes, &mut |_| Err("a single file, please".into()));
        row(&file, &imported.expect("the file is a model").model);
    }
    for side in [141, 317, 1000] {
        row("trunk", &trunk(side));
    }
    println!("\n100,000 vertices, {BONES} bones, milliseconds a dab of a stroke with {DABS}, on both sides:\n");
    println!("| radius, % of the height | add | smooth |");
    println!("|---|---|---|");
    let model = trunk(317);
    let surface = Surface::of(&model).expect("the trunk is a surface");
    let weights = automatic(&surface, &segments::of_model(&model), &Options::default(), &mut unheard);
    let model = Arc::new(bound(&model, &surface, &weights.expect("there are bones")).expect("the bones exist"));
    let canvas = Arc::new(Canvas::of(&model).expect("the trunk is a surface"));
    for percent in [1, 2, 5, 10] {
        let [add, smooth] = [Action::Add, Action::Smooth].map(|action| dab(&model, &canvas, action, percent));
        println!("| {percent} | {add:.2} | {smooth:.2} |");
    }
    println!(
        "\n{BODY_BONES} bones that stand on both feet, milliseconds a move of a whole-body drag by a share of the height:\n"
    );
    println!("| bone | 0.1 | 0.5 |");
    println!("|---|---|---|");
    for (bone, way) in [("hips", Vec3::NEG_Y), ("hand.L", Vec3::Y), ("head", Vec3::Z)] {
        let [near, far] = [0.1, 0.5].map(|share| body_drag(bone, way * share));
        println!("| {bone} | {near:.2} | {far:.2} |");
    }
}

fn row(name: &str, model: &Model) {
    let bones = segments::of_model(model);
    let work = || {
        let surface = Surface::of(model).expect("the model has a surface");
        black_box(automatic(&surface, &bones, &Options::default(), &mut unheard).expect("there are bones"));
    };
    let vertices = Surface::of(model).expect("the model has a surface").positions.len();
    println!("| {name} | {vertices} | {} | {:.1} |", model.skeleton.len(), min_ns(1, work) / 1e6);
}

/// A bumpy tube of `side` rings with as many vertices, 2 m high, and a chain of bones in it.
fn trunk(side: usize) -> Model {
    let mut mesh = Mesh::empty("trunk", Binding::Bone(0));
    for (ring, at) in (0..side * side).map(|vertex| (vertex / side, vertex % side)) {
        let (along, angle) = (ring as f32 / (side - 1) as f32, at as f32 / side as f32 * TAU);
        let radius = radius(along);
        mesh.positions.push(Vec3::new(radius * angle.cos(), 2.0 * along, radius * angle.sin()));
    }
    mesh.normals = vec![Vec3::Y; mesh.positions.len()];
    mesh.uvs = vec![glam::Vec2::ZERO; mesh.positions.len()];
    for (ring, at) in (0..(side - 1) * side).map(|quad| (quad / side * side, quad % side)) {
        let next = (at + 1) % side;
        let [a, b, c, d] = [ring + at, ring + next, ring + side + at, ring + side + next].map(|at| at as u32);
        mesh.indices.extend([a, c, b, b, c, d]);
    }
    let bone = |at: usize| Bone {
        name: format!("bone{at}"),
        parent: at.checked_sub(1).map(|parent| parent as u16),
        rest: Transform {
            translation: Vec3::Y * if at == 0 { 0.0 } else { 2.0 / BONES as f32 },
            ..Transform::IDENTITY
        },
    };
    Model {
        name: "trunk".into(),
        skeleton: Arc::new(Skeleton::new((0..BONES).map(bone).collect()).expect("a chain is a skeleton")),
        meshes: vec![MeshSlot { mesh: Arc::new(mesh), visibility: Default::default() }],
        materials: vec![Arc::default()],
        ..Model::default()
    }
}

/// Milliseconds of each dab of a stroke.
fn dab(model: &Arc<Model>, canvas: &Arc<Canvas>, action: Action, percent: u32) -> f64 {
    let partners = Some((0..BONES as u16).collect());
    let brush = Brush { action, bone: 20, strength: 0.5, weight: 1.0, influences: 4, locked: Vec::new(), partners };
    let work = || {
        let mut stroke = Stroke::new(model, canvas, &canvas.bound, brush.clone());
        for step in 0..DABS {
            let along = 0.4 + 0.01 * step as f32;
            let at = Vec3::new(radius(along), 2.0 * along, 0.0);
            stroke.dab(at, 0.02 * percent as f32, |_, _| true).expect("a skin takes 40 joints");
        }
        black_box(stroke);
    };
    min_ns(DABS, work) / 1e6
}

/// Milliseconds of a move of the demo's knight with more bones, from its idle pose, by an offset in heights.
fn body_drag(bone: &str, offset: Vec3) -> f64 {
    let demo = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/demo.wad")).expect("the demo is there");
    let archive = keypose::wad::decode(&demo).expect("the demo is an archive");
    let knight = &archive.characters[0];
    let mut bones = knight.model.skeleton.bones().to_vec();
    // Below the last bone, because bones are in level order.
    let last = bones.len() as u16 - 1;
    let leaf = |at| Bone { name: format!("leaf{at}"), parent: Some(last), rest: Transform::IDENTITY };
    bones.extend((bones.len()..BODY_BONES).map(leaf));
    let skeleton = Arc::new(Skeleton::new(bones).expect("leaves are a level of their own"));
    let model = Model { skeleton, ..Model::clone(&knight.model) };
    let (skeleton, balance, lanes) = (&*model.skeleton, Balance::of(&model), Lanes::default());
    let (mut idle, mut start) = (LocalPose::default(), skeleton.rest_pose());
    knight.clip_named("idle").expect("the knight idles").sample(Time::ZERO, &mut idle);
    idle.iter().enumerate().for_each(|(at, transform)| start.set(at, &transform));
    let bone = skeleton.find(bone).expect("the knight has it");
    let stand = Stand { balance: &balance, lanes: &lanes, time: Time::ZERO };
    let body = WholeBody::new(&model, &start, &stand, &[bone], &[]).expect("joints are above it");
    let pulls = [Pull { bone, offset: offset * balance.height, keeps_rotation: false }];
    let mut pose = start.clone();
    let work = || {
        black_box(body.pulled(skeleton, &pulls, &mut pose));
    };
    min_ns(1, work) / 1e6
}

fn radius(along: f32) -> f32 {
    0.2 + 0.1 * (20.0 * along).sin()
}
