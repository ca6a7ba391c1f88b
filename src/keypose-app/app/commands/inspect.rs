//! `keypose inspect`: prints bones, clips, meshes and poses as text or JSON.

use std::fmt::Write as _;
use std::process::ExitCode;

use glam::Vec3;
use serde_json::json;

use keypose::anim::bake::{BakeOptions, bake_reaching};
use keypose::anim::clip::{Clip, LoopMode};
use keypose::anim::pose::ModelPose;
use keypose::anim::skeleton::{BoneIndex, Skeleton};
use keypose::anim::time::Time;
use keypose::assets::mesh_reach::reach;
use keypose::assets::model::Model;
use keypose::assets::printable::printable;
use keypose::assets::skinned_mesh::mesh_positions;

use crate::app::commands::ModelSource;
use crate::app::{console, files};

/// Print bones, clips, meshes and poses
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    source: ModelSource,
    /// Name of the clip to pose the model with; by default the rest pose
    #[arg(long, value_name = "NAME", conflicts_with = "clip_index")]
    clip: Option<String>,
    /// Index of the clip, starting from 0
    #[arg(long, value_name = "N")]
    clip_index: Option<usize>,
    /// Times of the clip in seconds, separated by commas; clamped to the clip
    #[arg(long, value_name = "SECONDS", value_delimiter = ',', allow_negative_numbers = true)]
    time: Vec<f64>,
    /// Print a JSON object with all vertices
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitCode, String> {
    let opened = arguments.source.open_unbaked()?;
    let model = arguments.source.find(&opened)?;
    let clip = clip_of(model, arguments)?;
    if let Some(time) = arguments.time.iter().find(|time| !time.is_finite()) {
        return Err(format!("--time: {time} is not a valid time"));
    }
    if arguments.json {
        console::print_json_text(&json_text(model, clip, &arguments.time));
    } else {
        console::print_lines(&plain_text(model, clip, &arguments.time, &opened.report));
    }
    Ok(ExitCode::SUCCESS)
}

fn clip_of<'m>(model: &'m Model, arguments: &Arguments) -> Result<Option<&'m Clip>, String> {
    if let Some(name) = &arguments.clip {
        let found = model.clip_named(name).map(|slot| Some(&*slot.clip));
        return found.ok_or_else(|| files::no_clip(model, name, arguments.source.file()));
    }
    let Some(index) = arguments.clip_index else { return Ok(None) };
    let (shown, count) = (arguments.source.file().display(), model.clips.len());
    let found = model.clips.get(index).map(|slot| Some(&*slot.clip));
    found.ok_or_else(|| format!("{shown}: no clip {index}; the count of clips is {count}"))
}

/// Samples the requested poses in order. Without times, samples one at 0.
fn poses(model: &Model, clip: Option<&Clip>, times: &[f64], mut use_pose: impl FnMut(f64, &ModelPose)) {
    let baked = clip.map(|clip| bake_reaching(clip, &model.skeleton, &reach(model), &BakeOptions::EXACT));
    let (mut local, mut pose) = (model.skeleton.rest_pose(), ModelPose::default());
    for &secs in if times.is_empty() { &[0.0] } else { times } {
        if let Some(baked) = &baked {
            baked.sample(Time::from_secs(secs), &mut local);
        }
        pose.compute(&model.skeleton, &local);
        use_pose(secs, &pose);
    }
}

fn json_text(model: &Model, clip: Option<&Clip>, times: &[f64]) -> String {
    let source_node = |bone: usize| model.source.bone_nodes.get(bone).copied().flatten();
    let bones = model.skeleton.bones().iter().enumerate().map(|(index, bone)| {
        json!({ "name": bone.name, "parent": bone.parent, "source_node": source_node(index) }).to_string()
    });
    let clips = model.clips.iter().map(|slot| {
        let clip = &slot.clip;
        let looping = clip.loop_mode == LoopMode::Loop;
        let (duration, keyframes) = (clip.length().secs(), clip.keyframes.len());
        json!({ "name": clip.name, "duration_secs": duration, "keyframes": keyframes, "looping": looping }).to_string()
    });
    let meshes = model.meshes.iter().enumerate().map(|(index, slot)| {
        let source = model.source.meshes.get(index).copied().flatten();
        json!({
            "name": slot.mesh.name,
            "source_node": source.map(|source| source.node),
            "source_mesh": source.map(|source| source.mesh),
            "source_primitive": source.map(|source| source.primitive),
            "vertices": slot.mesh.positions.len(),
        })
        .to_string()
    });
    let list = |items: Vec<String>| items.join(",\n");
    let (bones, clips, meshes) = (list(bones.collect()), list(clips.collect()), list(meshes.collect()));
    let mut text = format!("{{\"bones\":[{bones}],\n\"clips\":[{clips}],\n\"meshes\":[{meshes}],\n\"poses\":[");
    let name = json!(clip.map(|clip| &clip.name));
    let mut is_first = true;
    poses(model, clip, times, |secs, pose| {
        text.push_str(if std::mem::take(&mut is_first) { "" } else { ",\n" });
        write_pose(&mut text, model, &name.to_string(), secs, pose);
    });
    text.push_str("]}\n");
    text
}

/// Writes a pose: the matrix of every bone by columns, every vertex of every mesh in file order.
fn write_pose(text: &mut String, model: &Model, clip: &str, secs: f64, pose: &ModelPose) {
    let _ = write!(text, "{{\"clip\":{clip},\"time_secs\":{secs},\"bones\":[");
    for (index, bone) in pose.bones.iter().enumerate() {
        text.push_str(if index == 0 { "[" } else { ",[" });
        write_numbers(text, bone.to_mat4().to_cols_array());
        text.push(']');
    }
    text.push_str("],\"meshes\":[");
    let (mut palette, mut positions) = (Vec::new(), Vec::new());
    for (index, slot) in model.meshes.iter().enumerate() {
        mesh_positions(model, &slot.mesh, pose, &mut palette, &mut positions);
        text.push_str(if index == 0 { "[" } else { ",[" });
        write_numbers(text, positions.iter().flat_map(Vec3::to_array));
        text.push(']');
    }
    text.push_str("]}");
}

/// Writes numbers with enough digits to restore them exactly. Values that are not finite become null.
fn write_numbers(text: &mut String, numbers: impl IntoIterator<Item = f32>) {
    for (index, number) in numbers.into_iter().enumerate() {
        text.push_str(if index == 0 { "" } else { "," });
        let _ = if number.is_finite() { write!(text, "{number}") } else { write!(text, "null") };
    }
}

fn plain_text(model: &Model, clip: Option<&Clip>, times: &[f64], report: &[String]) -> String {
    let mut text = format!("model {}\n", printable(&model.name));
    let _ = writeln!(text, "\n{} bones", model.skeleton.len());
    model.skeleton.indices().filter(|&bone| model.skeleton.parent(bone).is_none()).for_each(|root| {
        write_branch(&mut text, &model.skeleton, root);
    });
    let _ = writeln!(text, "\n{} meshes", model.meshes.len());
    for slot in &model.meshes {
        let (vertices, triangles) = (slot.mesh.positions.len(), slot.mesh.indices.len() / 3);
        let _ = writeln!(text, "  {}: {vertices} vertices, {triangles} triangles", printable(&slot.mesh.name));
    }
    let _ = writeln!(text, "\n{} clips", model.clips.len());
    for clip in model.clips.iter().map(|slot| &slot.clip) {
        let (keyframes, mode) = (clip.keyframes.len(), clip.loop_mode.name());
        let _ = writeln!(text, "  {}: {}, {keyframes} keyframes, {mode}", printable(&clip.name), clip.length());
    }
    if clip.is_some() || !times.is_empty() {
        poses(model, clip, times, |secs, pose| write_positions(&mut text, model, clip, secs, pose));
    }
    if !report.is_empty() {
        let _ = writeln!(text, "\nreport");
        report.iter().for_each(|line| text.push_str(&format!("  {}\n", printable(line))));
    }
    text
}

/// Writes a bone and its descendants, indented, depth first. Not recursive, because chains can be long.
fn write_branch(text: &mut String, skeleton: &Skeleton, root: BoneIndex) {
    let mut next = vec![(root, 0)];
    while let Some((bone, depth)) = next.pop() {
        let name = printable(skeleton.get(bone).map_or("", |bone| &bone.name));
        let _ = writeln!(text, "  {:indent$}{name}", "", indent = 2 * depth);
        let at = next.len();
        next.extend(skeleton.children(bone).map(|child| (child, depth + 1)));
        next[at..].reverse();
    }
}

/// Writes the positions of the bones in a pose.
fn write_positions(text: &mut String, model: &Model, clip: Option<&Clip>, secs: f64, pose: &ModelPose) {
    let _ = writeln!(text, "\n{} at {secs} s", printable(clip.map_or("rest pose", |clip| &clip.name)));
    for (bone, matrix) in model.skeleton.bones().iter().zip(&pose.bones) {
        let at = matrix.translation();
        let _ = writeln!(text, "  {}: {:.4} {:.4} {:.4}", printable(&bone.name), at.x, at.y, at.z);
    }
}
