//! Imports BVH motion capture: the skeleton and one clip, without a mesh, so that the file is an animation library. BVH has no units;
//! they are guessed from the height of the skeleton, and the report shows the guess.

use glam::DVec3;

use crate::anim::skeleton::Skeleton;
use crate::apply_options::axes::turn;
use crate::assets::bone_match::PartBones;
use crate::assets::import_options::axes::{Axes, Axis};
use crate::assets::model::Model;
use crate::assets::printable::printable;
use crate::import::assembly::hierarchy;
use crate::import::assembly::parts::Parts;
use crate::import::assembly::text::decoded;
use crate::import::bvh::skeleton::Joint;
use crate::import::error::Fault;
use crate::import::report::Report;
use crate::import::stem;

mod lines;
mod motion;
mod skeleton;

/// Imports a file. `name` is the file's name, for the model, its source and its clip.
pub fn import(name: &str, bytes: &[u8], report: &mut Report) -> Result<Model, Fault> {
    let text = decoded(bytes, name, report);
    let mut lines = lines::Lines::new(&text);
    let joints = skeleton::read(&mut lines)?;
    let motion = motion::read(&mut lines, &joints, report)?;
    let unit = guessed_unit(&joints, report);
    let node = |(joint, rest): (&Joint, _)| hierarchy::Node {
        name: Some(joint.name.clone()),
        parent: joint.parent,
        rest,
        is_wanted: true,
        is_joint: true,
    };
    let bones = |up: DVec3, report: &mut Report| {
        let rests = skeleton::rests(&joints, unit, up);
        hierarchy::bones(&joints.iter().zip(rests).map(node).collect::<Vec<_>>(), report)
    };
    let stands_along_z = stands_along_z(&bones(DVec3::Y, &mut Report::default())?.skeleton);
    let bones = bones(if stands_along_z { DVec3::Z } else { DVec3::Y }, report)?;
    let clip = motion.clip(stem(name), &joints, (&bones, unit), bytes.len(), report)?;
    let parts = Parts {
        bones,
        meshes: Vec::new(),
        sources: Vec::new(),
        skins: Vec::new(),
        materials: Vec::new(),
        textures: Vec::new(),
        clips: vec![(clip, None)],
    };
    let mut model = parts.into_model(name, report);
    if stands_along_z {
        turn(&mut model, Axes { up: Axis::Z, ..Axes::default() });
        report.add("axes", "the character stands along Z; turned upright");
    }
    Ok(model)
}

/// Whether a humanoid stands along Z, as Blender writes it.
#[allow(clippy::arithmetic_side_effects)] // Floating point only.
fn stands_along_z(skeleton: &Skeleton) -> bool {
    let parts = PartBones::of(skeleton.into());
    let rest = skeleton.rest_model_pose();
    let place = |part: &str| Some(rest.get(parts.find(part)?).translation());
    let up = |from: &str, to: &str| Some((place(to)? - place(from)?).normalize_or_zero().z);
    let ways = [up("left foot", "left upper leg"), up("right foot", "right upper leg"), up(" hips", " head")];
    ways.iter().all(|way| way.is_some_and(|z| z > CLEARLY))
}

/// The part of a limb's length that is upright.
const CLEARLY: f32 = 0.8;

/// Returns true if the bytes begin like a BVH file.
pub fn looks_like_bvh(bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix(&[0xEF, 0xBB, 0xBF]).unwrap_or(bytes).trim_ascii_start();
    text.get(..9).is_some_and(|start| start.eq_ignore_ascii_case(b"HIERARCHY"))
}

/// Units of motion capture: their names and metres. The CMU database counts in 1/0.45 inches.
const UNITS: [(&str, f64); 5] = [
    ("metres", 1.0),
    ("units of the CMU database (5.6 cm)", 0.0254 / 0.45),
    ("inches", 0.0254),
    ("centimetres", 0.01),
    ("millimetres", 0.001),
];
/// Heights of people, in metres, and a usual one.
const HUMAN: std::ops::RangeInclusive<f64> = 1.0..=2.2;
const USUAL_HEIGHT: f64 = 1.7;

/// Metres in a unit: the unit that makes the skeleton most nearly as high as a person.
#[allow(clippy::arithmetic_side_effects)] // Floating point only.
fn guessed_unit(joints: &[Joint], report: &mut Report) -> f64 {
    let size = skeleton::size(joints);
    if !(size > 0.0 && size.is_finite()) {
        return 1.0;
    }
    let off = |unit: f64| (size * unit / USUAL_HEIGHT).ln().abs();
    let nearest = UNITS.into_iter().min_by(|(_, a), (_, b)| off(*a).total_cmp(&off(*b)));
    let (name, unit) = nearest.unwrap_or(("metres", 1.0));
    let height = size * unit;
    let doubt = if HUMAN.contains(&height) { "" } else { ", which is not the size of a person; check the scale" };
    report.add("units", format_args!("taken as {name}: the skeleton measures {height:.2} m{doubt}"));
    unit
}

/// A fault at a line.
fn fault(line: usize, reason: impl std::fmt::Display) -> Fault {
    Fault::at(format!("line {line}"), reason)
}

/// Text of the file for messages, shortened.
fn quoted(word: &str) -> String {
    let short: String = word.chars().take(40).collect();
    format!("\"{}\"", printable(&short))
}
