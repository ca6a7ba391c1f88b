//! Reading the arguments of script commands and facts: names, numbers and times.

use std::path::PathBuf;

use glam::{Vec2, Vec3};

use crate::editor::commands::CATALOGUE;
use crate::editor::document::edit::KeyRef;
use crate::editor::ops::time_text;
use crate::editor::session::command::Command;
use crate::editor::session::shortcuts::Modifiers;
use crate::editor::state::Editor;
use keypose::anim::key::Channel;
use keypose::anim::scalar::{Scalar, ScalarIndex};
use keypose::anim::skeleton::BoneIndex;
use keypose::anim::time::Time;
use keypose::assets::id::ClipId;
use keypose::assets::model::Model;

/// The arguments of a command or fact: the words in place of the capitals in its form.
pub struct Args<'a> {
    /// The editor whose items the arguments name.
    pub editor: &'a Editor,
    words: Vec<&'a str>,
}

impl<'a> Args<'a> {
    /// The arguments of words that have a form.
    pub fn new(editor: &'a Editor, words: Vec<&'a str>) -> Args<'a> {
        Args { editor, words }
    }

    /// An argument; empty if an optional one is left out.
    pub fn word(&self, at: usize) -> &'a str {
        self.words.get(at).copied().unwrap_or_default()
    }

    /// An argument that may be left out.
    pub fn optional(&self, at: usize) -> Option<&'a str> {
        self.words.get(at).copied()
    }

    /// All arguments from one on.
    pub fn rest(&self, at: usize) -> &[&'a str] {
        self.words.get(at..).unwrap_or_default()
    }

    pub fn text(&self, at: usize) -> String {
        self.word(at).to_owned()
    }

    pub fn path(&self, at: usize) -> PathBuf {
        self.word(at).into()
    }

    pub fn number(&self, at: usize) -> Result<f64, String> {
        number(self.word(at))
    }

    /// A number from 0 without a fraction.
    pub fn whole(&self, at: usize) -> Result<u32, String> {
        let number = self.number(at)?;
        let is_whole = number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&number);
        if is_whole { Ok(number as u32) } else { Err(format!("{} is not a whole number", self.word(at))) }
    }

    pub fn float(&self, at: usize) -> Result<f32, String> {
        Ok(self.number(at)? as f32)
    }

    /// Two arguments as X and Y.
    pub fn vec2(&self, at: usize) -> Result<Vec2, String> {
        Ok(Vec2::new(self.float(at)?, self.float(at + 1)?))
    }

    /// Three arguments as X, Y and Z.
    pub fn vec3(&self, at: usize) -> Result<Vec3, String> {
        Ok(self.vec2(at)?.extend(self.float(at + 2)?))
    }

    /// An index, written from 1.
    pub fn index(&self, at: usize) -> Result<usize, String> {
        let text = self.word(at);
        let number: usize = text.parse().map_err(|_| format!("{text} is not a number"))?;
        number.checked_sub(1).ok_or_else(|| "numbers start at 1".to_owned())
    }

    pub fn time(&self, at: usize) -> Result<Time, String> {
        let rate = self.editor.clip().map(|slot| slot.clip.frame_rate).unwrap_or_default();
        time_text::parse(self.word(at), rate)
    }

    /// One of several items by its name; case is ignored and "-" stands for a space.
    pub fn named<T: Copy>(&self, at: usize, all: &[T], name_of: impl Fn(T) -> &'static str) -> Result<T, String> {
        let name = self.word(at);
        let found = all.iter().copied().find(|&one| name_of(one).replace(' ', "-").eq_ignore_ascii_case(name));
        let names = all.iter().map(|&one| name_of(one)).collect::<Vec<_>>().join(", ");
        found.ok_or_else(|| format!("unknown name {name}: expected one of {names}"))
    }

    /// One of several words. `what` names it in the error.
    pub fn choice<T: Copy>(&self, at: usize, what: &str, choices: &[(&str, T)]) -> Result<T, String> {
        let word = self.word(at);
        let found = choices.iter().find(|(name, _)| *name == word).map(|(_, value)| *value);
        found.ok_or_else(|| {
            let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
            format!("unknown {what} {word}: expected {}", names.join(", "))
        })
    }

    /// The active model.
    pub fn active(&self) -> Result<&'a Model, String> {
        self.editor.model().map(|model| &**model).ok_or_else(|| "there is no model".to_owned())
    }

    /// The index of the active model.
    pub fn active_index(&self) -> usize {
        self.editor.session.focus.model
    }

    pub fn open_clip(&self) -> Result<ClipId, String> {
        self.editor.session.focus.clip.ok_or_else(|| "no clip is open".to_owned())
    }

    /// The index of a model.
    pub fn model(&self, at: usize) -> Result<usize, String> {
        let name = self.word(at);
        self.editor.document.model_named(name).ok_or_else(|| format!("there is no model {name}"))
    }

    /// A clip of the active model.
    pub fn clip(&self, at: usize) -> Result<ClipId, String> {
        let name = self.word(at);
        let found = self.editor.model().and_then(|model| model.clip_named(name)).map(|slot| slot.id);
        found.ok_or_else(|| format!("there is no clip {name}"))
    }

    pub fn bone(&self, at: usize) -> Result<BoneIndex, String> {
        let name = self.word(at);
        let found = self.editor.model().and_then(|model| model.skeleton.find(name));
        found.ok_or_else(|| format!("there is no bone {name}"))
    }

    /// All arguments as bones.
    pub fn bones(&self) -> Result<Vec<BoneIndex>, String> {
        (0..self.words.len()).map(|at| self.bone(at)).collect()
    }

    /// A channel of a bone: of its transform, or a scalar by name.
    pub fn channel(&self, bone: BoneIndex, at: usize) -> Result<Channel, String> {
        let scalars = self.editor.model().into_iter().flat_map(|model| model.skeleton.scalars_of(bone));
        let is_named = |scalar: &Scalar| scalar.name.replace(' ', "-") == self.word(at).replace(' ', "-");
        match scalars.into_iter().find(|(_, scalar)| is_named(scalar)) {
            Some((scalar, _)) => Ok(Channel::Scalar(scalar)),
            None => self.named(at, &Channel::ALL, Channel::name),
        }
    }

    /// A scalar of the active model.
    pub fn scalar(&self, at: usize) -> Result<(ScalarIndex, Scalar), String> {
        let name = self.word(at);
        let scalars = self.editor.model().map(|model| model.skeleton.scalars()).into_iter().flatten();
        let found = (0..).zip(scalars).find(|(_, scalar)| scalar.name.replace(' ', "-") == name.replace(' ', "-"));
        found.map(|(index, scalar)| (index, scalar.clone())).ok_or_else(|| format!("there is no value {name}"))
    }

    /// Three arguments as a key: the number of its keyframe, the bone and the channel.
    pub fn key(&self) -> Result<KeyRef, String> {
        let bone = self.bone(1)?;
        Ok(KeyRef { keyframe: self.index(0)?, bone, channel: self.channel(bone, 2)? })
    }

    /// The index of a saved pose.
    pub fn saved_pose(&self, at: usize) -> Result<usize, String> {
        let poses = self.editor.model().into_iter().flat_map(|model| &model.poses);
        self.among(at, "pose", poses.map(|pose| pose.name.as_str()))
    }

    /// The index of a name among others. `what` names the kind in the error.
    pub fn among<'n>(&self, at: usize, what: &str, names: impl IntoIterator<Item = &'n str>) -> Result<usize, String> {
        let name = self.word(at);
        names.into_iter().position(|other| other == name).ok_or_else(|| format!("there is no {what} {name}"))
    }

    /// The arguments from one on as modifier keys that are held.
    pub fn modifiers(&self, at: usize) -> Result<Modifiers, String> {
        let mut held = Modifiers::default();
        for name in self.rest(at) {
            match *name {
                "ctrl" => held.ctrl = true,
                "shift" => held.shift = true,
                "alt" => held.alt = true,
                other => return Err(format!("unknown modifier {other}: expected ctrl, shift or alt")),
            }
        }
        Ok(held)
    }
}

/// A finite number.
pub fn number(text: &str) -> Result<f64, String> {
    let number: Option<f64> = text.parse().ok().filter(|number: &f64| number.is_finite());
    let number = number.ok_or_else(|| format!("{text} is not a number"))?;
    // Most of them become numbers of 32 bits.
    if (number as f32).is_finite() { Ok(number) } else { Err(format!("{text} is too large")) }
}

/// A command by its name: "key-pose" or "KeyPose".
pub fn command(name: &str) -> Result<Command, String> {
    let bare = |text: &str| text.replace('-', "").to_lowercase();
    let found = CATALOGUE.iter().map(|def| def.command).find(|command| bare(&format!("{command:?}")) == bare(name));
    found.ok_or_else(|| format!("there is no command {name}"))
}

/// The name of a command in scripts: "key-pose".
pub fn name_of_command(command: Command) -> String {
    let mut name = String::new();
    for letter in format!("{command:?}").chars() {
        if letter.is_uppercase() && !name.is_empty() {
            name.push('-');
        }
        name.extend(letter.to_lowercase());
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_a_document_could_not_hold_are_refused() {
        assert_eq!(number("-1e38"), Ok(-1e38));
        for (text, reason) in
            [("1e39", "too large"), ("-1e300", "too large"), ("nan", "not a number"), ("x", "not a number")]
        {
            assert!(number(text).unwrap_err().contains(reason), "{text}");
        }
    }
}
