//! The state of an editor as text: single facts for journeys, and the whole document.

use std::sync::Arc;

use glam::{Quat, Vec3};

use crate::editor::document::edit::KeyRef;
use crate::editor::ops::euler;
use crate::editor::ops::mirror::Pairs;
use crate::editor::ops::time_text;
use crate::editor::script::args::Args;
use crate::editor::script::table::Fact;
use crate::editor::session::Question;
use crate::editor::state::Editor;
use crate::editor::view::clip_list;
use crate::editor::view::ghosts;
use crate::editor::view::motion_trails::{self, Keyed, MotionTrail};
use crate::editor::view::readings;
use keypose::anim::clip::{Clip, Keyframe, KeyframeKind};
use keypose::anim::delay::Delay;
use keypose::anim::key::{Channel, Key};
use keypose::anim::scalar::Scalar;
use keypose::anim::skeleton::{Bone, BoneIndex, Skeleton};
use keypose::anim::transform::Transform;
use keypose::assets::draft::Draft;
use keypose::assets::euler_order::EulerOrder;
use keypose::assets::machine::{Origin, State};
use keypose::assets::model::Model;
use keypose::assets::rig_notes::BoneGroup;
use keypose::assets::sprite_recipe;

/// The facts. Those about the active model or clip are empty or "none" without one.
pub const FACTS: &[Fact] = &[
    ("models", |a| Ok(names(a.editor.document.models.iter().map(|model| model.name.clone())))),
    ("clips", |a| Ok(of_model(a, |model| names(model.clips.iter().map(|slot| slot.clip.name.clone()))))),
    ("clips-with WORD…", |a| {
        let search = a.rest(0).join(" ");
        Ok(of_model(a, |model| {
            let found = model.clips.iter().filter(|slot| clip_list::matches(model, slot, &search));
            names(found.map(|slot| slot.clip.name.clone()))
        }))
    }),
    ("bones", |a| Ok(of_model(a, hierarchy))),
    ("clip", |a| Ok(of_clip(a, |clip| clip.name.clone()))),
    ("loop", |a| Ok(of_clip(a, |clip| clip.loop_mode.name().to_owned()))),
    ("root-motion", |a| Ok(of_clip(a, |clip| clip.root_motion.name().to_owned()))),
    ("strip", |a| Ok(of_clip(a, strip))),
    ("marked-keyframes", |a| Ok(of_clip(a, marks))),
    ("keys", |a| {
        let open = a.editor.clip().zip(a.editor.model());
        Ok(open.map(|(slot, model)| keys(&slot.clip, &model.skeleton)).unwrap_or_default())
    }),
    ("events", |a| {
        let Some(slot) = a.editor.clip() else { return Ok(String::new()) };
        let text = |time| time_text::print(time, slot.clip.frame_rate);
        Ok(list(slot.clip.events.iter().map(|event| format!("{} at {}", event.name, text(event.time)))))
    }),
    ("delays", |a| {
        let Some((slot, model)) = a.editor.clip().zip(a.editor.model()) else { return Ok(String::new()) };
        let text = |time| time_text::print(time, slot.clip.frame_rate);
        let delay = |delay: &Delay| format!("{} {}", bone_name(&model.skeleton, delay.bone), text(delay.by));
        Ok(list(slot.clip.delays.iter().map(delay)))
    }),
    ("follows", |a| {
        let derived = a.editor.clip().and_then(|slot| a.editor.model()?.derived(slot.id));
        let Some(derived) = derived else { return Ok("none".to_owned()) };
        let source = a.editor.document.owner_of(derived.source).map_or("", |(_, clip)| &clip.name);
        Ok(format!("{source} {}", derived.how.name()))
    }),
    ("clip-layer", |a| {
        let Some((slot, model)) = a.editor.clip().zip(a.editor.model()) else { return Ok("none".to_owned()) };
        let Some(layer) = model.derived(slot.id).and_then(|derived| derived.how.layer()) else {
            return Ok("none".to_owned());
        };
        let name = model.clip(layer.clip).map_or("", |clip| &clip.name);
        let muted = if layer.is_muted { ", muted" } else { "" };
        let bones = model.mask(layer.clip).join(" ");
        let limit = if bones.is_empty() { String::new() } else { format!(", limited to {bones}") };
        Ok(format!("{name}: {} {} %{muted}{limit}", layer.blend.name(), layer.percent))
    }),
    ("drafts", |a| Ok(of_model(a, drafts))),
    ("time", |a| {
        let rate = a.editor.clip().map(|slot| slot.clip.frame_rate).unwrap_or_default();
        Ok(time_text::print(a.editor.session.focus.playhead.time, rate))
    }),
    ("playing", |a| Ok(yes_or_no(a.editor.session.focus.playhead.is_playing))),
    ("selected", |a| Ok(bones(a, &a.editor.session.focus.selection.bones))),
    ("selected-keyframes", |a| {
        Ok(list(a.editor.session.focus.selection.keyframes.iter().map(|at| (at + 1).to_string())))
    }),
    ("selected-keys", |a| Ok(list(a.editor.session.focus.selection.keys.iter().map(|key| key_name(a.editor, key))))),
    ("hidden", |a| Ok(bones(a, &a.editor.session.focus.hidden))),
    ("groups", |a| {
        Ok(of_model(a, |model| {
            let group = |group: &BoneGroup| format!("{}: {}", group.name, list(group.bones.iter().cloned()));
            model.rig.groups.iter().map(group).collect::<Vec<_>>().join("; ")
        }))
    }),
    ("mirror BONE", |a| {
        let bone = a.bone(0)?;
        Ok(of_model(a, |model| name_of(a.editor, Pairs::of_model(model).partner(bone))))
    }),
    ("euler-order BONE", |a| Ok(order(a, a.bone(0)?).name().to_owned())),
    ("pose BONE CHANNEL", pose),
    ("pose BONE VALUE", pose),
    ("values", |a| {
        let local = &a.editor.view().local;
        let value = |(at, scalar): (u16, &Scalar)| format!("{}={}", scalar.name, number(local.scalar(at)));
        Ok(of_model(a, |model| list((0..).zip(model.skeleton.scalars()).map(value))))
    }),
    ("rest BONE CHANNEL", |a| {
        let bone = a.bone(0)?;
        let rest = a.active()?.skeleton.get(bone).map(|bone| bone.rest).unwrap_or_default();
        Ok(transform(&rest, a.channel(bone, 1)?, order(a, bone)))
    }),
    ("world BONE", |a| Ok(vector(a.editor.view().pose.get(a.bone(0)?).translation()))),
    ("mark BONE CHANNEL", |a| {
        let bone = a.bone(0)?;
        Ok(format!("{:?}", a.editor.view().mark(bone, a.channel(bone, 1)?)).to_lowercase())
    }),
    ("poses", |a| Ok(of_model(a, |model| names(model.poses.iter().map(|pose| pose.name.clone()))))),
    ("pins", |a| Ok(bones(a, &a.editor.session.focus.pins))),
    ("chain", |a| Ok(a.editor.session.workspace.chain_joints.to_string())),
    ("ghosts", |a| Ok(ghosts(a.editor))),
    ("trails", |a| Ok(trails(a.editor))),
    ("shading", |a| Ok(a.editor.session.workspace.display.shading.name().to_owned())),
    ("shown-pose", |a| Ok(a.editor.session.transient.pose.shown().name().to_owned())),
    ("skinning", |a| Ok(of_model(a, |model| model.skinning.name().to_owned()))),
    ("sprites", |a| Ok(of_model(a, |model| sprite_recipe::words_of(&model.sprites).join(" ")))),
    ("samples", |a| Ok(of_model(a, |model| model.samples.name().to_owned()))),
    ("state-clip STATE", state_clip),
    ("levels", |a| Ok(names(a.editor.document.levels.iter().map(|level| level.name.clone())))),
    ("dirty", |a| Ok(yes_or_no(a.editor.is_dirty()))),
    ("steps", |a| Ok(format!("{} undo, {} redo", a.editor.history.undo_count(), a.editor.history.redo_count()))),
    ("undo", |a| Ok(a.editor.history.undo_label().unwrap_or("nothing").to_owned())),
    ("notice", |a| {
        Ok(a.editor.session.transient.notice.as_ref().map(|notice| notice.text.clone()).unwrap_or_default())
    }),
    ("prompt", |a| Ok(yes_or_no(matches!(a.editor.session.transient.question, Some(Question::UnsavedChanges(_)))))),
];

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

/// The extremes and breakdowns: "2 extreme, 3 breakdown".
fn marks(clip: &Clip) -> String {
    let marked = (1..).zip(&clip.keyframes).filter(|(_, keyframe)| keyframe.kind != KeyframeKind::Plain);
    list(marked.map(|(number, keyframe)| format!("{number} {}", keyframe.kind.name())))
}

/// The keys of each keyframe, by name or by number: "1: upper.L.rotation; 2: 15 keys".
fn keys(clip: &Clip, skeleton: &Skeleton) -> String {
    let column = |(number, keyframe): (usize, &Keyframe)| match keyframe.keys.len() {
        0..=MAX_NAMED => format!("{number}: {}", list(keyframe.keys.iter().map(|key| address(skeleton, key)))),
        count => format!("{number}: {count} keys"),
    };
    (1..).zip(&clip.keyframes).map(column).collect::<Vec<_>>().join("; ")
}

/// Keyframes with more keys show only their number.
const MAX_NAMED: usize = 4;

fn drafts(model: &Model) -> String {
    let draft = |draft: &Draft| {
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

fn address(skeleton: &Skeleton, key: &Key) -> String {
    format!("{}.{}", bone_name(skeleton, key.bone), skeleton.channel_name(key.channel))
}

fn key_name(editor: &Editor, key: &KeyRef) -> String {
    let skeleton = editor.model().map(|model| model.skeleton.clone()).unwrap_or_default();
    format!("{}:{}.{}", key.keyframe + 1, name_of(editor, key.bone), skeleton.channel_name(key.channel))
}

fn key_value(model: &Model, key: &Key) -> String {
    let value = match key.channel {
        Channel::Rotation => vector(euler::degrees(Quat::from_vec4(key.value), readings::order(model, key.bone))),
        Channel::Scalar(_) => number(key.value.x),
        _ => vector(key.value.truncate()),
    };
    format!("{} = {value} ({})", address(&model.skeleton, key), key.ease.name())
}

fn pose(a: &Args<'_>) -> Result<String, String> {
    let (view, bone) = (a.editor.view(), a.bone(0)?);
    let channel = a.channel(bone, 1)?;
    Ok(match channel {
        Channel::Scalar(_) => number(view.local.value(bone, channel).x),
        _ => transform(&view.local.get(usize::from(bone)), channel, order(a, bone)),
    })
}

fn order(a: &Args<'_>, bone: BoneIndex) -> EulerOrder {
    a.editor.model().map_or_else(EulerOrder::default, |model| readings::order(model, bone))
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

/// A number with two decimals, without minus zero.
fn number(value: f32) -> String {
    let rounded = (f64::from(value) * 100.0).round() / 100.0;
    (if rounded == 0.0 { 0.0 } else { rounded }).to_string()
}

/// Names, those with spaces in quotes, as commands take them.
fn names(names: impl IntoIterator<Item = String>) -> String {
    let escaped = |name: String| match name.contains(|letter: char| letter.is_whitespace() || letter == '"') {
        true => format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\"")),
        false => name,
    };
    list(names.into_iter().map(escaped))
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

/// The bones, parents first, with their parents: "hips, spine on hips".
fn hierarchy(model: &Model) -> String {
    let bones = model.skeleton.bones().iter();
    let text = |bone: &Bone| match bone.parent.and_then(|parent| model.skeleton.get(parent)) {
        Some(parent) => format!("{} on {}", bone.name, parent.name),
        None => bone.name.clone(),
    };
    bones.map(text).collect::<Vec<_>>().join(", ")
}

/// The name of a bone, or its number if the skeleton lacks it.
fn bone_name(skeleton: &Skeleton, bone: BoneIndex) -> String {
    skeleton.get(bone).map_or_else(|| format!("bone {bone}"), |bone| bone.name.clone())
}

/// The clip that a state plays in the game, and how it was found: "walk by name", "idle as land"; "none" for the rest pose.
fn state_clip(a: &Args<'_>) -> Result<String, String> {
    let state = a.named(0, &State::ALL, State::name)?;
    Ok(of_model(a, |model| {
        let names: Vec<&str> = model.clips.iter().map(|slot| slot.clip.name.as_str()).collect();
        let choice = model.machine.resolve(&names).choice(state);
        let clip = choice.clip.and_then(|at| names.get(at)).copied().unwrap_or("none");
        match choice.origin {
            Origin::Table | Origin::Rest => clip.to_owned(),
            Origin::Name => format!("{clip} by name"),
            Origin::Nearest(other) => format!("{clip} as {}", other.name()),
        }
    }))
}

fn of_model(a: &Args<'_>, text: impl FnOnce(&Model) -> String) -> String {
    a.editor.model().map(|model| text(model)).unwrap_or_default()
}

fn of_clip(a: &Args<'_>, text: impl FnOnce(&Clip) -> String) -> String {
    a.editor.clip().map_or_else(|| "none".to_owned(), |slot| text(&slot.clip))
}

fn bones<'b>(a: &Args<'_>, bones: impl IntoIterator<Item = &'b BoneIndex>) -> String {
    list(bones.into_iter().map(|&bone| name_of(a.editor, bone)))
}
