//! Posed vertices compared with those that modelling programs wrote: `*.truth.json`, and OBJ files of the larger set. Importers
//! split and reorder vertices, so sets of points are compared, both ways.

use std::path::Path;
use std::sync::Arc;

use glam::Vec3;
use keypose::assets::id::ClipId;
use keypose::assets::model::{ClipSlot, Model};
use keypose_tools::clip_library::{Fit, clips_for};
use serde_json::Value;

use crate::models::{self, model};
use crate::posing::{baked_pose, vertices};

/// All vertices of a model, posed by the clip whose name ends like this, or resting.
fn posed(model: &Model, clip: Option<&str>, secs: f64) -> Vec<Vec3> {
    let Some(name) = clip else { return vertices(model, &model.skeleton.rest_pose()) };
    let is_it = |own: &str| own.rsplit('|').next().is_some_and(|own| own.eq_ignore_ascii_case(name));
    let slot = model.clips.iter().find(|slot| is_it(&slot.clip.name));
    let slot = slot.or(model.clips.first().filter(|_| model.clips.len() == 1));
    let slot = slot.unwrap_or_else(|| panic!("no clip {name}"));
    vertices(model, &baked_pose(model, &slot.clip, secs))
}

fn size(points: &[Vec3]) -> f32 {
    let least = points.iter().copied().reduce(Vec3::min).unwrap();
    let greatest = points.iter().copied().reduce(Vec3::max).unwrap();
    least.distance(greatest)
}

/// The points of `a` that have no neighbour in `b` within the tolerance.
fn lonely(a: &[Vec3], b: &[Vec3], tolerance: f32) -> usize {
    let mut sorted = b.to_vec();
    sorted.sort_by(|p, q| p.x.total_cmp(&q.x));
    let has_neighbour = |p: &Vec3| {
        let first = sorted.partition_point(|q| q.x < p.x - tolerance);
        sorted[first..].iter().take_while(|q| q.x <= p.x + tolerance).any(|q| q.distance(*p) <= tolerance)
    };
    a.iter().filter(|p| !has_neighbour(p)).count()
}

/// Compares both ways. Returns a sentence if they differ.
fn difference(want: &[Vec3], have: &[Vec3], tolerance: f32) -> Option<String> {
    let tolerance = tolerance * size(want);
    let (missing, foreign) = (lonely(want, have, tolerance), lonely(have, want, tolerance));
    let (wanted, had) = (want.len(), have.len());
    (missing + foreign > 0).then(|| format!("{missing} of {wanted} points missing, {foreign} of {had} elsewhere"))
}

fn points(flat: &Value) -> Vec<Vec3> {
    let numbers: Vec<f32> = flat.as_array().unwrap().iter().map(|number| number.as_f64().unwrap() as f32).collect();
    numbers.chunks_exact(3).map(Vec3::from_slice).collect()
}

/// Compares every pose of a truth; `clips` limits them.
pub fn check(model: &Model, truth: &Path, clips: Option<&[Value]>) -> Vec<String> {
    let truth: Value = serde_json::from_slice(&models::bytes(truth)).unwrap();
    let mut wrong = Vec::new();
    for pose in truth["poses"].as_array().unwrap() {
        if clips.is_some_and(|clips| !clips.contains(&pose["clip"])) {
            continue;
        }
        let want: Vec<Vec3> = pose["meshes"].as_array().unwrap().iter().flat_map(points).collect();
        let secs = pose["time"].as_f64().unwrap();
        let have = posed(model, pose["clip"].as_str(), secs);
        wrong.extend(difference(&want, &have, 1e-5).map(|what| format!("{} at {secs}: {what}", pose["clip"])));
    }
    wrong
}

#[test]
fn models_of_this_repository_are_posed_as_in_their_programs() {
    let folder = models::own().join("models");
    for (file, truth) in [("fbx/limb2.fbx", "fbx/limb2.truth.json"), ("collada/limb2.dae", "collada/limb2.truth.json")]
    {
        let wrong = check(&model(&folder.join(file)), &folder.join(truth), None);
        assert!(wrong.is_empty(), "{file}: {wrong:?}");
    }
    let wrong = check(&joined(&folder, "fbx/hero.fbx", "fbx/walk.fbx"), &folder.join("fbx/walk.truth.json"), None);
    assert!(wrong.is_empty(), "{wrong:?}");
}

/// A character with the clips of a library.
fn joined(folder: &Path, character: &str, library: &str) -> Model {
    let (mut hero, library) = (model(&folder.join(character)), model(&folder.join(library)));
    let found = clips_for(&hero, &library, Fit::default()).unwrap();
    assert_eq!(found.findings, Vec::<String>::new());
    hero.clips.extend(found.clips.into_iter().map(|clip| ClipSlot { id: ClipId(1), clip: Arc::new(clip) }));
    hero
}

/// The frames at which the takes of Maya's files begin: a clip does there. The times of their truths are those of the file.
const STARTS: [(&str, f64); 3] = [("wiggle", 1.0), ("spin", 20.0), ("deform", 40.0)];

/// An OBJ file is in the units and axes of its FBX file.
fn check_obj(model: &Model, entry: &Value, text: &str) -> Option<String> {
    let numbers = |line: &str| line.split_whitespace().skip(1).map(|word| word.parse().unwrap()).collect::<Vec<f32>>();
    let vertices: Vec<Vec3> =
        text.lines().filter(|line| line.starts_with("v ")).map(|line| Vec3::from_slice(&numbers(line))).collect();
    let clip = entry["clip"].as_str().unwrap();
    let is_maya = entry["id"].as_str().unwrap().starts_with("maya");
    let start = STARTS.iter().find(|(name, _)| is_maya && *name == clip).map_or(0.0, |(_, frame)| frame / 24.0);
    let have = posed(model, Some(clip), entry["time"].as_f64().unwrap() - start);
    let tolerance = entry["tolerance"].as_f64().unwrap_or(1e-5) as f32;
    let spaces = [1.0, 0.01].into_iter().flat_map(|unit| [(unit, false), (unit, true)]);
    let compared = spaces.map(|(unit, is_z_up)| {
        let turned = |v: &Vec3| if is_z_up { Vec3::new(v.x, v.z, -v.y) } else { *v };
        let want: Vec<Vec3> = vertices.iter().map(|vertex| turned(vertex) * unit).collect();
        difference(&want, &have, tolerance)
    });
    let compared: Vec<Option<String>> = compared.collect();
    if compared.contains(&None) { None } else { compared.into_iter().next().flatten() }
}

#[test]
#[cfg_attr(not(has_models), ignore = "needs the larger set of models: see KEYPOSE_MODELS")]
fn models_of_the_larger_set_are_posed_as_in_their_programs() {
    let folder = models::larger();
    let entries: Value = serde_json::from_slice(&models::bytes(&folder.join("truths.json"))).unwrap();
    let is_read = |entry: &&Value| {
        entry["file"].as_str().is_some_and(|file| [".fbx", ".dae"].iter().any(|end| file.ends_with(end)))
    };
    let (mut count, mut wrong) = (0, Vec::new());
    for entry in entries.as_array().unwrap().iter().filter(is_read) {
        let file = entry["file"].as_str().unwrap();
        let model = match entry["add"][0].as_str() {
            Some(library) => joined(&folder, file, library),
            None => model(&folder.join(file)),
        };
        let found = match entry["truth"].as_str() {
            Some(truth) => check(&model, &folder.join(truth), entry["clips"].as_array().map(Vec::as_slice)),
            None => {
                let text = std::fs::read_to_string(folder.join(entry["obj"].as_str().unwrap())).unwrap();
                check_obj(&model, entry, &text).into_iter().collect()
            }
        };
        wrong.extend(found.into_iter().map(|what| format!("{}: {what}", entry["id"])));
        count += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count >= 15, "{count}");
}

#[test]
fn the_comparison_can_fail() {
    let folder = models::own().join("models/fbx");
    let mut model = model(&folder.join("limb2.fbx"));
    model.clips.swap(0, 1);
    let (first, second) = (model.clips[0].clip.name.clone(), model.clips[1].clip.name.clone());
    let renamed = |name: String, clip: &keypose::anim::clip::Clip| keypose::anim::clip::Clip { name, ..clip.clone() };
    model.clips[0].clip = renamed(second, &model.clips[0].clip).into();
    model.clips[1].clip = renamed(first, &model.clips[1].clip).into();
    assert!(!check(&model, &folder.join("limb2.truth.json"), None).is_empty());
}
