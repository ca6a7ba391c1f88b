//! Reading the arguments of script commands: names, numbers and times.

use crate::anim::key::{Channel, Ease};
use crate::anim::scalar::{Scalar, ScalarIndex};
use crate::anim::skeleton::BoneIndex;
use crate::anim::time::Time;
use crate::assets::id::ClipId;
use crate::editor::commands::{CATALOGUE, Scope};
use crate::editor::document::edit::KeyRef;
use crate::editor::ops::time_text;
use crate::editor::session::Answer;
use crate::editor::session::command::Command;
use crate::editor::session::keying::{AutoKey, KeyMask};
use crate::editor::session::shortcuts::Modifiers;
use crate::editor::session::tool::Space;
use crate::editor::state::Editor;

/// A command by its name: "key-pose" or "KeyPose".
pub(super) fn command(name: &str) -> Result<Command, String> {
    let bare = |text: &str| text.replace('-', "").to_lowercase();
    let found = CATALOGUE.iter().map(|def| def.command).find(|command| bare(&format!("{command:?}")) == bare(name));
    found.ok_or_else(|| format!("there is no command {name}"))
}

/// The name of a command in scripts: "key-pose".
pub fn name_of_command(command: Command) -> String {
    let words = format!("{command:?}").chars().fold(String::new(), |text, letter| match letter.is_uppercase() {
        true => text + "-" + &letter.to_lowercase().to_string(),
        false => text + &letter.to_string(),
    });
    words.trim_start_matches('-').to_owned()
}

pub(super) fn scope(name: &str) -> Result<Scope, String> {
    match name {
        "viewport" => Ok(Scope::Viewport),
        "bones" => Ok(Scope::Bones),
        "timeline" => Ok(Scope::Timeline),
        "clips" => Ok(Scope::Clips),
        "machine" => Ok(Scope::Machine),
        "level" => Ok(Scope::Level),
        other => Err(format!("unknown panel {other}: expected viewport, bones, timeline, clips, machine or level")),
    }
}

/// The item with a name; case is ignored and "-" stands for a space.
pub(super) fn named<T: Copy>(name: &str, all: &[T], name_of: impl Fn(T) -> &'static str) -> Result<T, String> {
    let found = all.iter().copied().find(|&one| name_of(one).replace(' ', "-").eq_ignore_ascii_case(name));
    let names = all.iter().map(|&one| name_of(one)).collect::<Vec<_>>().join(", ");
    found.ok_or_else(|| format!("unknown name {name}: expected one of {names}"))
}

pub(super) fn ease(name: &str) -> Result<Ease, String> {
    named(name, &Ease::ALL, Ease::name)
}

pub(super) fn auto_key(name: &str) -> Result<AutoKey, String> {
    named(name, &AutoKey::ALL, AutoKey::name)
}

/// The parts that keying sets, one at least.
pub(super) fn key_mask(names: &[&str]) -> Result<KeyMask, String> {
    if let Some(name) = names.iter().find(|name| !KeyMask::NAMES.contains(name)) {
        return Err(format!("unknown name {name}: expected {}", KeyMask::NAMES.join(", ")));
    }
    match names.is_empty() {
        true => Err(format!("expected one or several of {}", KeyMask::NAMES.join(", "))),
        false => Ok(KeyMask::of(KeyMask::NAMES.map(|name| names.contains(&name)))),
    }
}

pub(super) fn space(name: &str) -> Result<Space, String> {
    named(name, &Space::ALL, Space::name)
}

/// A channel of a bone: of its transform, or a scalar by name.
pub(super) fn channel(editor: &Editor, bone: BoneIndex, name: &str) -> Result<Channel, String> {
    let skeleton = editor.model().map(|model| model.skeleton.clone()).unwrap_or_default();
    let scalar = skeleton.scalars_of(bone).find(|(_, scalar)| scalar.name.replace(' ', "-") == name.replace(' ', "-"));
    match scalar {
        Some((scalar, _)) => Ok(Channel::Scalar(scalar)),
        None => named(name, &Channel::ALL, Channel::name),
    }
}

/// A scalar of the model by name.
pub(super) fn scalar(editor: &Editor, name: &str) -> Result<(ScalarIndex, Scalar), String> {
    let skeleton = editor.model().map(|model| model.skeleton.clone()).unwrap_or_default();
    let found =
        (0..).zip(skeleton.scalars()).find(|(_, scalar)| scalar.name.replace(' ', "-") == name.replace(' ', "-"));
    found.map(|(index, scalar)| (index, scalar.clone())).ok_or_else(|| format!("there is no value {name}"))
}

pub(super) fn answer(name: &str) -> Result<Answer, String> {
    match name {
        "save" => Ok(Answer::Save),
        "discard" => Ok(Answer::Discard),
        "cancel" => Ok(Answer::Cancel),
        other => Err(format!("unknown answer {other}: expected save, discard or cancel")),
    }
}

pub(super) fn time(editor: &Editor, text: &str) -> Result<Time, String> {
    time_text::parse(text, editor.clip().map(|slot| slot.clip.frame_rate).unwrap_or_default())
}

/// A finite number.
pub(super) fn number(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|number: &f64| number.is_finite()).ok_or_else(|| format!("{text} is not a number"))
}

/// An index, written from 1.
pub(super) fn index(text: &str) -> Result<usize, String> {
    let number: usize = text.parse().map_err(|_| format!("{text} is not a number"))?;
    number.checked_sub(1).ok_or_else(|| "numbers start at 1".to_owned())
}

pub(super) fn key(editor: &Editor, number: &str, name: &str, what: &str) -> Result<KeyRef, String> {
    let bone = bone(editor, name)?;
    Ok(KeyRef { keyframe: index(number)?, bone, channel: channel(editor, bone, what)? })
}

pub(super) fn model(editor: &Editor, name: &str) -> Result<usize, String> {
    editor.document.model_named(name).ok_or_else(|| format!("there is no model {name}"))
}

pub(super) fn clip(editor: &Editor, name: &str) -> Result<ClipId, String> {
    let found = editor.model().and_then(|model| model.clip_named(name)).map(|slot| slot.id);
    found.ok_or_else(|| format!("there is no clip {name}"))
}

pub(super) fn bone(editor: &Editor, name: &str) -> Result<BoneIndex, String> {
    let found = editor.model().and_then(|model| model.skeleton.find(name));
    found.ok_or_else(|| format!("there is no bone {name}"))
}

pub(super) fn bones(editor: &Editor, names: &[&str]) -> Result<Vec<BoneIndex>, String> {
    names.iter().map(|name| bone(editor, name)).collect()
}

/// The index of a saved pose.
pub(super) fn saved_pose(editor: &Editor, name: &str) -> Result<usize, String> {
    let found = editor.model().and_then(|model| model.poses.iter().position(|pose| pose.name == name));
    found.ok_or_else(|| format!("there is no pose {name}"))
}

/// The modifier keys among the arguments.
pub(super) fn modifiers(held: &[&str]) -> Modifiers {
    let is_held = |name| held.contains(&name);
    Modifiers { ctrl: is_held("ctrl"), shift: is_held("shift"), alt: is_held("alt") }
}
