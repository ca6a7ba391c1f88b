//! The notes that Keypose's own export leaves in `extras` (docs/export.md): which nodes are bones, sockets, loop modes and events.
//! They are used only as far as they agree with the file, which may have been edited since.

use glam::Vec2;
use gltf::json::Root;
use gltf::json::animation::Animation;
use gltf::json::extras::Extras;
use gltf::json::material::Material;
use gltf::json::scene::Node;
use serde_json::Value;

use crate::anim::clip::{Event, KeyframeKind, LoopMode};
use crate::anim::root_motion::RootMotion;
use crate::anim::skin::method::Method;
use crate::anim::time::{FrameRate, Time};
use crate::assets::rig_notes::{GRAVITY_RANGE, RigNotes};
use crate::import::assembly::hierarchy::Bones;
use crate::import::gltf::json::{finite, float, list, whole};

/// Role of a node of our export.
#[derive(Clone, Debug, PartialEq)]
pub enum Role {
    /// A bone, whether anything needs it or not.
    Bone,
    /// A mesh that is no bone. A hidden one without a skin names its bone.
    Mesh { bone: Option<String> },
    /// A socket of the bone above it.
    Socket { name: String, attached: String },
    /// The parent of several roots, which is no bone.
    Root,
}

/// The notes of a node, if it is from our export.
pub fn role(node: &Node) -> Option<Role> {
    let notes = notes(&node.extras)?;
    let text = |name: &str| notes.get(name).and_then(Value::as_str).map(str::to_owned);
    match notes.get("is")?.as_str()? {
        "bone" => Some(Role::Bone),
        "mesh" => Some(Role::Mesh { bone: text("bone") }),
        "socket" => Some(Role::Socket { name: text("name")?, attached: text("attached").unwrap_or_default() }),
        "root" => Some(Role::Root),
        _ => None,
    }
}

/// The strength of the emission of an unlit material.
pub fn emissive_strength(material: &Material) -> Option<f32> {
    finite(notes(&material.extras)?.get("emissiveStrength")?).filter(|strength| *strength >= 0.0)
}

/// The offset of texture coordinates without that of a frame, of a file that shows both. It is as exact as it was if nothing was edited.
#[allow(clippy::arithmetic_side_effects)] // Floating point only.
pub fn uv_offset(material: &Material, shown: Vec2, frame: Vec2) -> Option<Vec2> {
    let notes = notes(&material.extras)?;
    let [x, y] = notes.get("uvOffset")?.as_array()?.as_slice() else { return None };
    let offset = Vec2::new(float(x)?, float(y)?);
    Some(if shown.abs_diff_eq(offset + frame, 1e-5) { offset } else { shown - frame })
}

/// The sheen of an unlit material, as its extension has it.
pub fn sheen(material: &Material) -> Option<Value> {
    notes(&material.extras)?.get_mut("sheen").map(Value::take)
}

/// Returns the skinning method of our export.
pub fn skinning(root: &Root) -> Method {
    let notes = notes(&root.asset.extras);
    let name = notes.as_ref().and_then(|notes| notes.get("skinning")?.as_str());
    name.and_then(Method::named).unwrap_or_default()
}

/// Adds the masses of bones and the gravity to the notes of the rig.
pub fn add_masses(root: &Root, bones: &Bones, rig: &mut RigNotes) {
    let number = |extras: &Extras, name: &str| float(notes(extras)?.get(name)?);
    for (node, json) in root.nodes.iter().enumerate() {
        let mass = number(&json.extras, "mass").filter(|percent| (0.0..=100.0).contains(percent));
        let bone = bones.of(node).and_then(|bone| bones.skeleton.get(bone));
        if let (Some(percent), Some(bone)) = (mass, bone) {
            rig.masses.insert(bone.name.clone(), percent);
        }
    }
    let [low, high] = GRAVITY_RANGE;
    rig.gravity = number(&root.asset.extras, "gravity").filter(|gravity| (low..=high).contains(gravity));
}

/// The names of a mesh's primitives.
pub fn primitive_names(extras: &Extras) -> Vec<String> {
    let names = notes(extras).and_then(|notes| notes.get("names").and_then(Value::as_array).cloned());
    names.into_iter().flatten().filter_map(|name| name.as_str().map(str::to_owned)).collect()
}

/// The name of an animation, without what our export added to it.
pub fn clip_name(json: &Animation) -> Option<String> {
    let name = json.name.as_ref()?;
    let own = notes(&json.extras).and_then(|notes| notes.get("name")?.as_str().map(str::to_owned));
    own.filter(|own| name.strip_prefix(own.as_str()) == Some("-loop")).or_else(|| Some(name.clone()))
}

/// The notes of an animation.
#[derive(Clone, Debug, PartialEq)]
pub struct ClipNotes {
    pub loop_mode: LoopMode,
    pub frame_rate: FrameRate,
    pub events: Vec<Event>,
    /// The kinds of the keyframes at these times.
    pub kinds: Vec<(Time, KeyframeKind)>,
    pub root_motion: RootMotion,
}

impl ClipNotes {
    /// The notes of an animation, if it is from our export.
    pub fn of(extras: &Extras) -> Option<ClipNotes> {
        let notes = notes(extras)?;
        let loop_name = notes.get("loop")?.as_str()?;
        let rate = notes.get("frameRate")?;
        let rate = |at: usize| rate.get(at).and_then(whole::<u32>);
        let events = list(notes.get("events")).filter_map(event);
        let kinds = list(notes.get("keyframes")).filter_map(kind);
        Some(ClipNotes {
            kinds: kinds.collect(),
            loop_mode: LoopMode::named(loop_name)?,
            frame_rate: FrameRate::new(rate(0)?, rate(1)?)?,
            events: events.collect(),
            root_motion: notes
                .get("rootMotion")
                .and_then(Value::as_str)
                .and_then(RootMotion::named)
                .unwrap_or_default(),
        })
    }
}

fn event(value: &Value) -> Option<Event> {
    let name = value.get("name")?.as_str()?.to_owned();
    Some(Event { time: Time::from_secs(value.get("time")?.as_f64()?), name })
}

/// A marked keyframe. The time is rounded as the key times of transforms are.
fn kind(value: &Value) -> Option<(Time, KeyframeKind)> {
    let kind = KeyframeKind::named(value.get("kind")?.as_str()?)?;
    Some((Time::from_secs(f64::from(float(value.get("time")?)?)), kind))
}

/// Our member of an object's `extras`.
pub fn notes(extras: &Extras) -> Option<Value> {
    let text = extras.as_ref()?.get();
    // Most files have extras of other programs, so look before parsing.
    if !text.contains("\"keypose\"") {
        return None;
    }
    serde_json::from_str::<Value>(text).ok()?.get_mut("keypose").map(Value::take)
}
