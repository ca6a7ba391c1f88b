//! Automatic weights and templates, measured: models whose artists' weights are known are bound again, and a bare mesh gets a rig.

use std::collections::BTreeSet;
use std::f32::consts::FRAC_PI_2;
use std::sync::Arc;

use glam::{Quat, Vec3};
use keypose::anim::pose::{LocalPose, ModelPose};
use keypose::anim::skeleton::BoneIndex;
use keypose::anim::skin::method::Method as Skinning;
use keypose::assets::bone_match::parts_of;
use keypose::assets::import_options::ClipFit;
use keypose::assets::mesh::{Binding, Mesh};
use keypose::assets::model::{MeshSlot, Model};
use keypose::assets::skinned_mesh::mesh_positions;
use keypose_app::app::files;
use keypose_tools::clip_library::{Fit, clips_for};
use keypose_tools::rig::bind::bound;
use keypose_tools::rig::fit::{fit, with_skeleton};
use keypose_tools::rig::markers::{from_text, propose, to_text};
use keypose_tools::rig::problems::leaks;
use keypose_tools::rig::surface::Surface;
use keypose_tools::rig::template::Template;
use keypose_tools::rig::volume::Volume;
use keypose_tools::rig::weights::{Distances, Options, Weights, automatic, from_distances, mixed, proposed};
use keypose_tools::rig::{RigError, segments, unheard};

use crate::importing::read;
use crate::models::{self, model};
use crate::posing::keyed_pose;
use crate::root::root;

/// The grid that judges leaks is finer than the one by which weights are computed, by this factor.
const FINER: f32 = 1.4;

/// A model bound again.
pub struct Case {
    pub model: Model,
    pub surface: Surface,
    pub weights: Weights,
    pub rebound: Model,
}

impl Case {
    /// The model with automatic weights, and the distances that they are made of.
    pub fn of(model: Model) -> (Case, Distances) {
        let surface = Surface::of(&model).unwrap();
        Case::of_surface(model, surface)
    }

    fn of_surface(model: Model, surface: Surface) -> (Case, Distances) {
        let distances = Distances::new(&surface, &segments::of_model(&model)).unwrap();
        let weights = from_distances(&surface, &distances, &Options::default(), &mut unheard).unwrap();
        (Case::with(model, surface, weights), distances)
    }

    pub fn with(model: Model, surface: Surface, weights: Weights) -> Case {
        let rebound = bound(&model, &surface, &weights).unwrap();
        rebound.check().unwrap();
        Case { model, surface, weights, rebound }
    }

    /// Poses of the clips, or made of rotations if there are none.
    fn poses(&self) -> Vec<ModelPose> {
        let skeleton = &self.model.skeleton;
        let clips = self.model.clips.iter().take(4);
        let mut poses: Vec<LocalPose> = clips
            .flat_map(|slot| {
                [0.3, 0.7].map(|part| keyed_pose(&self.model, &slot.clip, slot.clip.length().secs() * part))
            })
            .collect();
        if poses.is_empty() {
            let mut pose = skeleton.rest_pose();
            for bone in 1..skeleton.len() {
                let mut turned = pose.get(bone);
                turned.rotation *= Quat::from_rotation_x(if bone % 2 == 0 { 0.4 } else { -0.3 });
                pose.set(bone, &turned);
            }
            poses.push(pose);
        }
        let of = |local: &LocalPose| {
            let mut pose = ModelPose::default();
            pose.compute(skeleton, local);
            pose
        };
        poses.iter().map(of).collect()
    }

    /// The mean distance of vertices from where the artist's weights have them, in percent of the model's size.
    pub fn difference(&self) -> f64 {
        let (min, max) = self.surface.bounds();
        let (mut sum, mut count) = (0.0, 0_u32);
        for pose in self.poses() {
            let pairs =
                posed(&self.model, &self.surface, &pose).into_iter().zip(posed(&self.rebound, &self.surface, &pose));
            for (theirs, ours) in pairs {
                sum += f64::from(theirs.distance(ours));
                count += 1;
            }
        }
        100.0 * sum / f64::from(count) / f64::from(min.distance(max))
    }
}

/// The vertices of a surface in a pose.
pub fn posed(model: &Model, surface: &Surface, pose: &ModelPose) -> Vec<Vec3> {
    let (mut all, mut scratch, mut one) = (Vec::new(), Vec::new(), Vec::new());
    for place in &surface.meshes {
        mesh_positions(model, &model.meshes[place.mesh].mesh, pose, &mut scratch, &mut one);
        all.append(&mut one);
    }
    all
}

/// Whether the finer grid judges all models, and all meshes of a character are bound alone.
pub fn is_long() -> bool {
    std::env::var_os("KEYPOSE_LONG").is_some()
}

/// The distances in a finer grid, which shows leaks that the grid of the weights hides.
fn finer(case: &Case, distances: &Distances) -> Distances {
    let own = distances.volume.dims.into_iter().max().unwrap_or_default();
    let volume = Volume::with_resolution(&case.surface, (FINER * own as f32) as u32);
    Distances::in_volume(volume, &segments::of_model(&case.model)).unwrap()
}

/// Checks that every vertex has weights that sum to 1, and that none follows a bone that is far away through the mesh.
fn check_weights(name: &str, case: &Case, distances: &Distances) {
    let mut leaking = 0;
    for (vertex, own) in case.weights.iter().enumerate() {
        let sum: f32 = own.iter().map(|(_, weight)| weight).sum();
        assert!((sum - 1.0).abs() <= 1e-6, "{name}: vertex {vertex}: {own:?}");
        leaking += usize::from(!leaks(own, distances, case.surface.positions[vertex]).is_empty());
    }
    assert_eq!(leaking, 0, "{name}");
}

fn check_model(name: &str, model: Model, limit: f64) -> (Case, Distances) {
    let (case, distances) = Case::of(model);
    let difference = case.difference();
    println!("{name}: {} vertices, posed difference {difference:.3} %", case.surface.positions.len());
    let finer = (is_long() || name.ends_with("Knight.glb")).then(|| finer(&case, &distances));
    check_weights(name, &case, finer.as_ref().unwrap_or(&distances));
    assert!(difference <= limit, "{name}: {difference}");
    (case, distances)
}

/// Checks a file of the larger set that an artist bound. Nodes above a skeleton and controls get no new weights, either.
pub fn check_file(file: &str, limit: f64) -> (Case, Distances) {
    let model = model(&models::larger().join(file));
    let bones = |segments: Vec<segments::Segment>| segments.iter().map(|one| one.bone).collect::<BTreeSet<_>>();
    let [new, old] = [segments::for_new_weights(&model, &[]), segments::of_model(&model)].map(bones);
    assert!(new.is_subset(&old), "{file}: {new:?} and {old:?}");
    check_model(file, model, limit)
}

/// Models of glTF files are in [`crate::heat`].
#[test]
#[cfg_attr(not(has_models), ignore = "needs the larger set of models: see KEYPOSE_MODELS")]
fn models_of_other_programs_bend_as_their_own_weights_let_them() {
    check_file("characters/mixamo_like_blender.glb", 0.5);
    check_file("characters/quaternius_man.fbx", 0.3);
}

/// Meshes of KayKit's characters alone, as other programs bind them: open shells without the parts that bones are in. The Knight's body and
/// limbs of one side; with `KEYPOSE_LONG` all his six, and with `KEYPOSE_ADVENTURERS=FOLDER` those of all characters in a folder:
/// Adventurers 1.0 has five with 30 meshes.
#[test]
#[cfg_attr(not(has_models), ignore = "needs the larger set of models: see KEYPOSE_MODELS")]
fn each_mesh_of_a_character_is_bound_without_leaks() {
    let folder = std::env::var_os("KEYPOSE_ADVENTURERS");
    let step = if is_long() || folder.is_some() { 1 } else { 2 };
    let files = match folder {
        Some(folder) => std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect(),
        None => vec![models::larger().join("gltf/Knight.glb")],
    };
    let mut count = 0;
    for file in files.iter().filter(|file| file.extension().is_some_and(|extension| extension == "glb")) {
        let model = model(file);
        let skinned = |mesh: &usize| matches!(model.meshes[*mesh].mesh.binding, Binding::Skin(_));
        for mesh in (0..model.meshes.len()).filter(skinned).step_by(step) {
            let surface = Surface::of_meshes(&model, |other| other == mesh).unwrap();
            let (case, distances) = Case::of_surface(model.clone(), surface);
            check_weights(&model.meshes[mesh].mesh.name, &case, &finer(&case, &distances));
            count += 1;
        }
    }
    println!("{count} meshes");
    assert!(count >= 6 / step * files.len(), "{count}");
}

#[test]
fn characters_of_the_demo_bend_as_their_own_weights_let_them() {
    let demo = files::open(&root().join("data/demo.wad")).unwrap();
    let characters: Vec<&Arc<Model>> = demo.project.models.iter().filter(|model| model.is_skinned()).collect();
    assert!(characters.len() >= 3, "{}", characters.len());
    for model in characters.into_iter().filter(|model| model.skeleton.len() > 3) {
        check_model(&model.name, (**model).clone(), 2.5);
    }
}

/// The model without its skin and bones: its skinned meshes, and those of chosen bones.
pub fn bare(model: &Model, is_worn: impl Fn(BoneIndex) -> bool) -> Model {
    let is_chosen = |mesh: usize| match model.meshes[mesh].mesh.binding {
        Binding::Skin(_) => true,
        Binding::Bone(bone) => is_worn(bone),
    };
    let surface = Surface::of_meshes(model, is_chosen).unwrap();
    let mut bare = with_skeleton(model, &surface, root_only());
    let chosen: Vec<usize> = surface.meshes.iter().map(|place| place.mesh).collect();
    let mut at = 0..;
    bare.meshes.retain(|_| at.next().is_some_and(|at| chosen.contains(&at)));
    bare
}

fn root_only() -> keypose::anim::skeleton::Skeleton {
    let rest = keypose::anim::transform::Transform::IDENTITY;
    let bone = keypose::anim::skeleton::Bone { name: "figure".into(), parent: None, rest };
    keypose::anim::skeleton::Skeleton::new(vec![bone]).unwrap()
}

/// The model with a humanoid's bones at proposed markers, and weights.
fn rigged(model: &Model) -> Model {
    let surface = Surface::of(model).unwrap();
    let volume = Volume::new(&surface);
    let template = Template::named("humanoid").unwrap();
    let found = propose(&surface, &volume, template);
    let markers = from_text(&to_text(&found.markers), template).unwrap();
    assert_eq!(markers, found.markers);
    let figure = with_skeleton(model, &surface, fit(template, &markers, &volume).unwrap());
    let surface = Surface::of(&figure).unwrap();
    let distances = Distances::new(&surface, &segments::of_model(&figure)).unwrap();
    let smooth = from_distances(&surface, &distances, &Options::default(), &mut unheard).unwrap();
    let methods = proposed(&surface, &distances, &smooth);
    let weights = mixed(&surface, smooth, &methods);
    let mut all = weights.iter().zip(&surface.positions);
    assert!(all.all(|(own, at)| leaks(own, &distances, *at).is_empty()), "{}", model.name);
    let figure = bound(&figure, &surface, &weights).unwrap();
    figure.check().unwrap();
    figure
}

/// Humanoids of several artists, with normal and large heads, and KayKit's Knight with cape and helmet.
const HUMANOIDS: [&str; 7] = [
    "gltf/CesiumMan.glb",
    "gltf/RiggedFigure.glb",
    "gltf/Knight.glb",
    "characters/mixamo_like_blender.glb",
    "characters/quaternius_man.fbx",
    "characters/godette.vrm",
    "mixamo/hero.fbx",
];

/// Hands, feet and head are within 6 % of the height of the artist's joints, and at most three markers have to be corrected, pairs counted
/// once.
#[test]
#[cfg_attr(not(has_models), ignore = "needs the larger set of models: see KEYPOSE_MODELS")]
fn joints_are_found_near_those_of_artists() {
    for file in HUMANOIDS {
        let model = model(&models::larger().join(file));
        let (body, dressed) = (bare(&model, |_| false), bare(&model, |bone| !is_of_hand(&model, bone)));
        check_joints(file, &model, &body);
        if dressed.meshes.len() > body.meshes.len() {
            check_joints(file, &model, &dressed);
        }
    }
}

/// Greenman is a block with short arms and hardly any legs or neck.
#[test]
#[cfg_attr(not(has_models), ignore = "needs the larger set of models: see KEYPOSE_MODELS")]
fn a_figure_without_neck_and_legs_gets_a_rig() {
    rigged(&bare(&model(&models::larger().join("gltf/greenman.glb")), |_| false));
}

/// Half of a figure, as modelers mirror it, at the origin and beside it.
#[test]
fn markers_of_meshes_with_one_side_are_inside_them() {
    let demo = files::open(&root().join("data/demo.wad")).unwrap();
    let Surface { positions, triangles, .. } = Surface::of(&bare(&demo.project.models[0], |_| false)).unwrap();
    let is_left = |corners: &[u32; 3]| corners.iter().all(|at| positions[*at as usize].x > -1e-4);
    let half: Vec<[u32; 3]> = triangles.into_iter().filter(is_left).collect();
    let aside: Vec<Vec3> = positions.iter().map(|at| *at + Vec3::new(5.0, 3.0, -8.0)).collect();
    let template = Template::named("humanoid").unwrap();
    for positions in [positions, aside] {
        let surface = Surface::new(positions, half.clone()).unwrap();
        let volume = Volume::new(&surface);
        let (min, max) = surface.bounds();
        let found = propose(&surface, &volume, template);
        for (name, at) in &found.markers {
            assert!(at.cmpge(min).all() && at.cmple(max).all(), "{name} {at}: {min} to {max}");
        }
        fit(template, &found.markers, &volume).unwrap();
    }
}

fn is_of_hand(model: &Model, bone: BoneIndex) -> bool {
    let mut up = std::iter::successors(Some(bone), |bone| model.skeleton.parent(*bone));
    up.any(|bone| model.skeleton.bones()[usize::from(bone)].name.contains("hand"))
}

fn check_joints(name: &str, model: &Model, bare: &Model) {
    let figure = rigged(bare);
    let [ours, theirs] = [&figure, model].map(|model| parts_of(model.into()));
    let bind = keypose_tools::bind_pose::bind_pose(model);
    let rest = figure.skeleton.rest_model_pose();
    let (min, max) = Surface::of(bare).unwrap().bounds();
    let (mut corrections, mut compared) = (BTreeSet::new(), 0);
    for (bone, part) in (0..).zip(&ours) {
        let Some(part) = part else { continue };
        let Some(other) = theirs.iter().position(|other| other.as_ref() == Some(part)) else { continue };
        compared += 1;
        let far = 100.0 * rest.get(bone).translation().distance(bind.get(other as u16).translation()) / (max.y - min.y);
        let has = |names: &[&str]| names.iter().any(|name| part.ends_with(name));
        assert!(far <= 6.0 || !has(&["hand", "wrist", "foot", "head"]), "{name}: {part} {far:.1} %");
        if far > 6.0 && has(&["arm", "leg", "toes"]) {
            corrections.insert(part.replace("left", "").replace("right", ""));
        }
    }
    println!("{name}: {compared} joints, corrections: {corrections:?}");
    assert!(compared >= 12, "{name}: {compared}");
    assert!(corrections.len() <= 3, "{name}: {corrections:?}");
}

#[test]
fn our_walk_plays_on_the_knight_rigged_from_his_bare_mesh() {
    let demo = files::open(&root().join("data/demo.wad")).unwrap();
    let knight = &demo.project.models[0];
    let figure = rigged(&bare(knight, |_| false));
    let found = clips_for(&figure, knight, Fit { clips: ClipFit::Retarget, ..Fit::default() }).unwrap();
    let walk = found.clips.iter().find(|clip| clip.name == "walk").unwrap();
    let pose = keyed_pose(&figure, walk, walk.length().secs() * 0.25);
    let parts = parts_of((&figure).into());
    let moved = (0..figure.skeleton.len()).filter(|bone| {
        let rest = figure.skeleton.bones()[*bone].rest.rotation;
        parts[*bone].is_some() && pose.get(*bone).rotation.angle_between(rest) > 0.01
    });
    assert!(moved.count() >= 8);
    let glb = keypose_tools::export::gltf::encode(&figure, keypose_tools::export::gltf::GlbOptions::default()).unwrap();
    let again = read("knight.glb", &glb.bytes).unwrap();
    assert_eq!(again.model.skeleton.len(), figure.skeleton.len());
}

/// The volume that the triangles enclose.
fn volume(surface: &Surface, positions: &[Vec3]) -> f64 {
    let volume = |[a, b, c]: &[u32; 3]| {
        let [a, b, c] = [a, b, c].map(|at| positions[*at as usize].as_dvec3());
        a.dot(b.cross(c)) / 6.0
    };
    surface.triangles.iter().map(volume).sum::<f64>().abs()
}

/// A closed round limb, three times as long as it is thick, bent by a right angle in its middle.
#[test]
fn a_bent_limb_keeps_its_volume() {
    let (rings, sides) = (60_u32, 16_u32);
    let mut mesh = Mesh::empty("limb", Binding::Bone(0));
    for ring in 0..=rings {
        for side in 0..sides {
            let angle = side as f32 / sides as f32 * std::f32::consts::TAU;
            let x = -0.6 + 1.2 * ring as f32 / rings as f32;
            mesh.positions.push(Vec3::new(x, 0.2 * angle.cos(), 0.2 * angle.sin()));
        }
    }
    let at = |ring: u32, side: u32| ring * sides + side % sides;
    for ring in 0..rings {
        for side in 0..sides {
            let [a, b] = [at(ring, side), at(ring, side + 1)];
            mesh.indices.extend([a, a + sides, b, b, a + sides, b + sides]);
        }
    }
    for side in 1..sides - 1 {
        mesh.indices.extend([0, side, side + 1, at(rings, 0), at(rings, side + 1), at(rings, side)]);
    }
    let bone = |name: &str, parent, x: f32| {
        let rest = keypose::anim::transform::Transform::from_translation(Vec3::X * x);
        keypose::anim::skeleton::Bone { name: name.into(), parent, rest }
    };
    let bones = vec![bone("upper", None, -0.5), bone("lower", Some(0), 0.5)];
    let model = Model {
        name: "limb".into(),
        skeleton: Arc::new(keypose::anim::skeleton::Skeleton::new(bones).unwrap()),
        meshes: vec![MeshSlot { mesh: Arc::new(mesh), visibility: Default::default() }],
        materials: vec![Arc::default()],
        ..Model::default()
    };
    let (mut case, _) = Case::of(model);
    let before = volume(&case.surface, &case.surface.positions);
    let mut local = case.rebound.skeleton.rest_pose();
    let mut lower = local.get(1);
    lower.rotation = Quat::from_rotation_z(FRAC_PI_2);
    local.set(1, &lower);
    let mut pose = ModelPose::default();
    pose.compute(&case.rebound.skeleton, &local);
    for (method, least) in [(Skinning::Linear, 0.9), (Skinning::Dual, 0.97)] {
        case.rebound.skinning = method;
        let kept = volume(&case.surface, &posed(&case.rebound, &case.surface, &pose)) / before;
        println!("{method:?}: {:.1} % of the volume", 100.0 * kept);
        assert!(kept >= least, "{method:?}: {kept}");
    }
}

#[test]
fn markers_that_are_wrong_are_refused_with_a_reason() {
    let template = Template::named("sword").unwrap();
    let cases = [
        ("tip 1 2", "markers, line 1: tip needs three numbers: x, y and z"),
        ("# a sword\nedge 1 2 3", "markers, line 2: \"edge\" is no marker of sword; these are pommel, guard, tip"),
        ("tip 1 2 3\ntip 1 2 3", "markers, line 2: tip occurs twice"),
        ("tip 1 2 nan", "markers, line 1: tip needs three numbers: x, y and z"),
    ];
    for (text, reason) in cases {
        assert_eq!(from_text(text, template).unwrap_err().to_string(), reason);
    }
    let surface = Surface::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]]).unwrap();
    let volume = Volume::new(&surface);
    let mut markers = from_text("pommel 0 0 0\nguard 0 0.5 0", template).unwrap();
    assert_eq!(fit(template, &markers, &volume), Err(RigError::NoMarker { name: "tip".into() }));
    markers.insert("tip".into(), Vec3::Y * 50.0);
    assert_eq!(fit(template, &markers, &volume), Err(RigError::MarkerOutside { name: "tip".into() }));
}

/// Hundreds of shells, and 40,000 vertices in a spiky sheet: the grid bounds time and memory.
#[test]
fn large_and_scattered_meshes_are_bound() {
    let shells = (0..300).flat_map(|shell| {
        let at = Vec3::new((shell % 20) as f32, (shell / 20) as f32, 0.0);
        [at, at + Vec3::X * 0.4, at + Vec3::Y * 0.4]
    });
    let shells: Vec<Vec3> = shells.collect();
    let triangles = (0..300).map(|shell| [3 * shell, 3 * shell + 1, 3 * shell + 2]).collect();
    let bones = [segments::Segment { bone: 0, from: Vec3::ZERO, to: segments::End::At(Vec3::new(19.0, 14.0, 0.0)) }];
    let weights =
        automatic(&Surface::new(shells, triangles).unwrap(), &bones, &Options::default(), &mut unheard).unwrap();
    assert!(weights.iter().all(|own| own == &[(0, 1.0)]));
    let side = 200_u32;
    let height = |x: u32, z: u32| ((x * 7 + z * 13) % 10) as f32;
    let grid =
        (0..side * side).map(|at| Vec3::new((at % side) as f32, height(at % side, at / side), (at / side) as f32));
    let quads = (0..side - 1).flat_map(|z| (0..side - 1).map(move |x| z * side + x));
    let triangles = quads.flat_map(|at| [[at, at + 1, at + side], [at + 1, at + side + 1, at + side]]).collect();
    let surface = Surface::new(grid.collect(), triangles).unwrap();
    let weights = automatic(&surface, &bones, &Options::default(), &mut unheard).unwrap();
    assert!(weights.iter().all(|own| own == &[(0, 1.0)]));
}
