//! The state of an editor as text: single facts for journeys, and the whole document.

use std::sync::Arc;

use glam::Vec3;

use crate::anim::clip::Clip;
use crate::anim::key::{Channel, Key};
use crate::anim::skeleton::{BoneIndex, Skeleton};
use crate::anim::transform::Transform;
use crate::assets::euler_order::EulerOrder;
use crate::assets::machine::{Origin, State};
use crate::assets::model::Model;
use crate::assets::rig_notes::BoneGroup;
use crate::editor::document::edit::KeyRef;
use crate::editor::ops::euler;
use crate::editor::ops::mirror::Pairs;
use crate::editor::ops::time_text;
use crate::editor::script::forms;
use crate::editor::script::parse;
use crate::editor::state::Editor;
use crate::editor::view::clip_list;
use crate::editor::view::ghosts;
use crate::editor::view::motion_trails;
use crate::editor::view::motion_trails::{Keyed, MotionTrail};
use crate::editor::view::readings;

/// One fact about the editor.
///
/// # Errors
///
/// If there is no such fact, or the bone or channel it names is missing.
pub fn show(editor: &Editor, what: &str) -> Result<String, String> {
    let words: Vec<&str> = what.split_whitespace().collect();
    forms::check(forms::FACTS, &words).map_err(|reason| format!("fact {what}: {reason}"))?;
    let model = editor.model();
    let clip = editor.clip().map(|slot| &*slot.clip);
    let rate = clip.map(|clip| clip.frame_rate).unwrap_or_default();
    let selection = &editor.session.focus.selection;
    Ok(match words.as_slice() {
        ["clips"] => model.map(|model| list(model.clips.iter().map(|slot| slot.clip.name.clone()))).unwrap_or_default(),
        ["models"] => list(editor.document.models.iter().map(|model| model.name.clone())),
        ["clip"] => clip.map_or_else(|| "none".to_owned(), |clip| clip.name.clone()),
        ["strip"] => clip.map_or_else(|| "none".to_owned(), strip),
        ["loop"] => clip.map_or_else(|| "none".to_owned(), |clip| clip.loop_mode.name().to_owned()),
        ["keys"] => match (clip, model) {
            (Some(clip), Some(model)) => keys(clip, &model.skeleton),
            _ => String::new(),
        },
        ["follows"] => {
            let derived = editor.clip().and_then(|slot| model?.derived(slot.id));
            let text = derived.map(|derived| {
                let source = editor.document.owner_of(derived.source).map_or("", |(_, clip)| &clip.name);
                format!("{source} {}", derived.how.name())
            });
            text.unwrap_or_else(|| "none".to_owned())
        }
        ["clips-with", words @ ..] => {
            let search = words.join(" ");
            let found = |model: &Model| {
                let found = model.clips.iter().filter(|slot| clip_list::matches(model, slot, &search));
                list(found.map(|slot| slot.clip.name.clone()))
            };
            model.map(|model| found(model)).unwrap_or_default()
        }
        ["events"] => {
            let events = clip.into_iter().flat_map(|clip| &clip.events);
            list(events.map(|event| format!("{} at {}", event.name, time_text::print(event.time, rate))))
        }
        [what @ ("hits" | "hurts" | "cancels" | "invulnerable" | "hurt-volumes" | "frame-data")] => {
            super::combat::show(editor, what)
        }
        ["drafts"] => model.map(|model| drafts(model)).unwrap_or_default(),
        ["time"] => time_text::print(editor.session.focus.playhead.time, rate),
        ["playing"] => yes_or_no(editor.session.focus.playhead.is_playing),
        ["selected"] => list(selection.bones.iter().map(|&bone| name_of(editor, bone))),
        ["selected-keyframes"] => list(selection.keyframes.iter().map(|at| (at + 1).to_string())),
        ["selected-keys"] => list(selection.keys.iter().map(|key| key_name(editor, key))),
        ["hidden"] => list(editor.session.focus.hidden.iter().map(|&bone| name_of(editor, bone))),
        ["machine"] => super::machine::states(editor),
        ["transitions"] => super::machine::transitions(editor),
        ["layers"] => super::machine::layers(editor),
        ["machine-state"] => super::machine::playing(editor),
        ["levels"] => list(editor.document.levels.iter().map(|level| level.name.clone())),
        ["level" | "picked-things" | "foe-kinds"] | ["things", _] => super::level::show(editor, &words)?,
        ["sockets"] => model.map(|model| super::sockets::sockets(model)).unwrap_or_default(),
        ["sounds"] => super::sounds::sounds(editor),
        ["poses"] => model.map(|model| list(model.poses.iter().map(|pose| pose.name.clone()))).unwrap_or_default(),
        ["groups"] => model.map(|model| groups(model)).unwrap_or_default(),
        ["euler-order", name] => order(editor, parse::bone(editor, name)?).name().to_owned(),
        ["mirror", name] => {
            let bone = parse::bone(editor, name)?;
            let partner = model.map(|model| Pairs::of_model(model).partner(bone));
            partner.map(|partner| name_of(editor, partner)).unwrap_or_default()
        }
        ["materials"] => {
            model.map(|model| list(model.materials.iter().map(|material| material.name.clone()))).unwrap_or_default()
        }
        ["references"] => super::materials::references(editor),
        ["material"] => super::materials::material(editor),
        ["state-clip", state] => state_clip(editor, state)?,
        ["skinning"] => model.map(|model| model.skinning.name().to_owned()).unwrap_or_default(),
        ["samples"] => model.map(|model| model.samples.name().to_owned()).unwrap_or_default(),
        ["textures"] => {
            model.map(|model| list(model.textures.iter().map(|texture| texture.name.clone()))).unwrap_or_default()
        }
        ["pins"] => list(editor.session.focus.pins.iter().map(|&bone| name_of(editor, bone))),
        ["chain"] => editor.session.workspace.chain_joints.to_string(),
        ["ghosts"] => ghosts(editor),
        ["trails"] => trails(editor),
        ["shading"] => editor.session.workspace.display.shading.name().to_owned(),
        ["shown-pose"] => editor.session.transient.pose.shown().name().to_owned(),
        ["dirty"] => yes_or_no(editor.is_dirty()),
        ["steps"] => format!("{} undo, {} redo", editor.history.undo_count(), editor.history.redo_count()),
        ["undo"] => editor.history.undo_label().unwrap_or("nothing").to_owned(),
        ["notice"] => editor.session.transient.notice.as_ref().map(|notice| notice.text.clone()).unwrap_or_default(),
        ["prompt"] => yes_or_no(editor.session.transient.prompt.is_some()),
        ["pose", name, what] => pose(editor, name, what)?,
        ["rest", name, what] => {
            let bone = parse::bone(editor, name)?;
            let rest = model.and_then(|model| model.skeleton.get(bone)).map(|bone| bone.rest);
            transform(&rest.unwrap_or_default(), parse::channel(editor, bone, what)?, order(editor, bone))
        }
        ["values"] => values(editor),
        ["world", name] => vector(editor.view().pose.get(parse::bone(editor, name)?).translation()),
        ["mark", name, what] => {
            let bone = parse::bone(editor, name)?;
            format!("{:?}", editor.view().mark(bone, parse::channel(editor, bone, what)?)).to_lowercase()
        }
        _ => return Err(format!("unknown fact {what}")),
    })
}

/// Every model, clip, keyframe, key and draft, one per line.
pub fn document(editor: &Editor) -> Vec<String> {
    let mut lines = Vec::new();
    for model in &editor.document.models {
        lines.push(format!("model {}: {} bones, {} meshes", model.name, model.skeleton.len(), model.meshes.len()));
        for slot in &model.clips {
            let clip = &slot.clip;
            let rate = clip.frame_rate;
            lines.push(format!(
                "  clip {} ({}, {} fps): {}",
                clip.name,
                clip.loop_mode.name(),
                rate.fps(),
                strip(clip)
            ));
            for (number, keyframe) in (1..).zip(&clip.keyframes) {
                for key in &keyframe.keys {
                    lines.push(format!("    {number} {}", key_value(model, key)));
                }
            }
            for event in &clip.events {
                lines.push(format!("    event {} at {}", event.name, time_text::print(event.time, rate)));
            }
        }
        if !model.drafts.is_empty() {
            lines.push(format!("  drafts: {}", drafts(model)));
        }
        for row in &model.machine.states {
            lines.push(format!("  state {}: {}", row.state, row.clip));
        }
    }
    lines
}

/// Durations in order: "4f 6f 10f".
fn strip(clip: &Clip) -> String {
    list(clip.keyframes.iter().map(|keyframe| time_text::print(keyframe.duration, clip.frame_rate)))
}

/// The keys of each keyframe, by name or by number: "1: upper.L.rotation; 2: 15 keys".
fn keys(clip: &Clip, skeleton: &Skeleton) -> String {
    let column = |(number, keyframe): (usize, &crate::anim::clip::Keyframe)| match keyframe.keys.len() {
        0..=MAX_NAMED => format!("{number}: {}", list(keyframe.keys.iter().map(|key| address(skeleton, key)))),
        count => format!("{number}: {count} keys"),
    };
    (1..).zip(&clip.keyframes).map(column).collect::<Vec<_>>().join("; ")
}

/// Keyframes with more keys show only their number.
const MAX_NAMED: usize = 4;

fn drafts(model: &Model) -> String {
    let draft = |draft: &crate::assets::draft::Draft| {
        let clip = draft.clip.and_then(|id| model.clip(id));
        let rate = clip.map(|clip| clip.frame_rate).unwrap_or_default();
        let name = clip.map_or("rest", |clip| clip.name.as_str());
        let keys = list(draft.keys.iter().map(|key| address(&model.skeleton, key)));
        format!("{name} at {}: {keys}", time_text::print(draft.time, rate))
    };
    model.drafts.iter().map(draft).collect::<Vec<_>>().join("; ")
}

/// "hand.L: 21 points, keys at 0f 10f".
fn trails(editor: &Editor) -> String {
    let rate = editor.clip().map(|slot| slot.clip.frame_rate).unwrap_or_default();
    let trail = |trail: &Arc<MotionTrail>| {
        let keys = trail.points.iter().filter(|point| point.keyed == Keyed::Bone);
        let keys = list(keys.map(|point| time_text::print(point.time, rate)));
        let keys = if keys.is_empty() { "no keys".to_owned() } else { format!("keys at {keys}") };
        format!("{}: {} points, {keys}", name_of(editor, trail.bone), trail.points.len())
    };
    motion_trails::trails(editor.source(), &editor.view()).iter().map(trail).collect::<Vec<_>>().join("; ")
}

/// "neighbour at 0f; run at 10f; mirror".
fn ghosts(editor: &Editor) -> String {
    let rate = editor.clip().map(|slot| slot.clip.frame_rate).unwrap_or_default();
    let ghost = |ghost: &ghosts::Ghost| match &ghost.of {
        ghosts::Of::Neighbour(time) => format!("neighbour at {}", time_text::print(*time, rate)),
        ghosts::Of::Pinned(time) => format!("pinned at {}", time_text::print(*time, rate)),
        ghosts::Of::Clip(name, time) => format!("{name} at {}", time_text::print(*time, rate)),
        ghosts::Of::Mirror => "mirror".to_owned(),
        ghosts::Of::Saved => "saved".to_owned(),
    };
    ghosts::ghosts(editor.source(), &editor.view()).iter().map(ghost).collect::<Vec<_>>().join("; ")
}

/// "arm: upper.L hand.L; leg: thigh.L".
fn groups(model: &Model) -> String {
    let group = |group: &BoneGroup| format!("{}: {}", group.name, list(group.bones.iter().cloned()));
    model.rig.groups.iter().map(group).collect::<Vec<_>>().join("; ")
}

fn address(skeleton: &Skeleton, key: &Key) -> String {
    format!("{}.{}", bone_name(skeleton, key.bone), skeleton.channel_name(key.channel))
}

fn key_name(editor: &Editor, key: &KeyRef) -> String {
    let skeleton = editor.model().map(|model| model.skeleton.clone()).unwrap_or_default();
    format!("{}:{}.{}", key.keyframe + 1, name_of(editor, key.bone), skeleton.channel_name(key.channel))
}

fn key_value(model: &Model, key: &Key) -> String {
    let value = match key.channel {
        Channel::Rotation => vector(euler::degrees(glam::Quat::from_vec4(key.value), readings::order(model, key.bone))),
        Channel::Scalar(_) => number(key.value.x),
        _ => vector(key.value.truncate()),
    };
    format!("{} = {value} ({})", address(&model.skeleton, key), key.ease.name())
}

fn pose(editor: &Editor, name: &str, what: &str) -> Result<String, String> {
    let bone = parse::bone(editor, name)?;
    let channel = parse::channel(editor, bone, what)?;
    if channel.scalar().is_some() {
        return Ok(number(editor.view().local.value(bone, channel).x));
    }
    Ok(transform(&editor.view().local.get(usize::from(bone)), channel, order(editor, bone)))
}

fn order(editor: &Editor, bone: BoneIndex) -> EulerOrder {
    editor.model().map_or_else(EulerOrder::default, |model| readings::order(model, bone))
}

/// One channel of a transform.
fn transform(local: &Transform, channel: Channel, order: EulerOrder) -> String {
    vector(match channel {
        Channel::Translation => local.translation,
        Channel::Rotation => euler::degrees(local.rotation, order),
        Channel::Scale | Channel::Scalar(_) => local.scale,
    })
}

/// Three numbers with two decimals, without minus zero.
fn vector(vector: Vec3) -> String {
    list(vector.to_array().map(number))
}

/// The values of all scalars: `smile=0.5 glow=1`.
fn values(editor: &Editor) -> String {
    let Some(model) = editor.model() else { return String::new() };
    let local = &editor.view().local;
    let value =
        |(scalar, of): (u16, &crate::anim::scalar::Scalar)| format!("{}={}", of.name, number(local.scalar(scalar)));
    list((0..).zip(model.skeleton.scalars()).map(value))
}

/// A number with two decimals, without minus zero.
fn number(value: f32) -> String {
    let rounded = (value * 100.0).round() / 100.0;
    (if rounded == 0.0 { 0.0 } else { rounded }).to_string()
}

fn list(words: impl IntoIterator<Item = String>) -> String {
    words.into_iter().collect::<Vec<_>>().join(" ")
}

fn yes_or_no(is: bool) -> String {
    if is { "yes" } else { "no" }.to_owned()
}

fn name_of(editor: &Editor, bone: BoneIndex) -> String {
    editor.model().map_or_else(|| bone.to_string(), |model| bone_name(&model.skeleton, bone))
}

/// The name of a bone, or its number if the skeleton lacks it.
fn bone_name(skeleton: &Skeleton, bone: BoneIndex) -> String {
    skeleton.get(bone).map_or_else(|| format!("bone {bone}"), |bone| bone.name.clone())
}

/// The clip that a state plays in the game, and how it was found: "walk by name", "idle as land"; "none" for the rest pose.
fn state_clip(editor: &Editor, state: &str) -> Result<String, String> {
    let state = parse::named(state, &State::ALL, State::word)?;
    let Some(model) = editor.model() else { return Ok(String::new()) };
    let names: Vec<&str> = model.clips.iter().map(|slot| slot.clip.name.as_str()).collect();
    let choice = model.machine.resolve(&names).choice(state);
    let clip = choice.clip.and_then(|at| names.get(at)).copied().unwrap_or("none");
    Ok(match choice.origin {
        Origin::Table | Origin::Rest => clip.to_owned(),
        Origin::Name => format!("{clip} by name"),
        Origin::Nearest(other) => format!("{clip} as {}", other.word()),
    })
}
