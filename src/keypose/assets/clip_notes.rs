//! Notes about a clip in the list of clips: its folder, its tags, its mask as a layer, and the clip that it is derived from.

use std::collections::BTreeSet;

use crate::anim::choice::choice;
use crate::anim::time::Time;
use crate::assets::id::ClipId;

/// Notes about a clip.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClipNotes {
    /// The folder in the list; empty for the top level.
    pub folder: String,
    /// Tags to search for; none is empty or contains a space.
    pub tags: Vec<String>,
    /// The names of the bones to which the clip is limited as a layer; empty for all. Those that the model lacks are ignored.
    pub mask: Vec<String>,
    /// The source, if it is a derived clip.
    pub derived: Option<Derived>,
}

/// The source of a derived clip: it is made again whenever the source changes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Derived {
    /// The source: a clip of the same model, or of another one of the project if it is retargeted.
    pub source: ClipId,
    /// Kind of derivation.
    pub how: Derivation,
}

/// Kind of derivation of a clip from another. `C` refers to a clip: by id, in files by name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Derivation<C = ClipId> {
    /// Left and right swapped.
    Mirrored,
    /// Played backwards.
    Reversed,
    /// Durations in percent of those of the source, 1 to 10,000.
    Retimed(u32),
    /// The part of the source from one time to a later one.
    Trimmed(Time, Time),
    /// Fitted to this model from another one of the project, which may have other proportions.
    Retargeted,
    /// Changed by another clip of the same model.
    Layered(ClipLayer<C>),
}

choice! {
    /// How a layer changes its source.
    #[derive(Default)]
    pub enum LayerBlend {
        /// Adds its difference from the rest pose.
        #[default]
        Add = "add",
        /// Blends to its own pose.
        Replace = "replace",
    }
}

/// A clip that changes another one where it has keys.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClipLayer<C = ClipId> {
    /// A clip with keys of its own.
    pub clip: C,
    /// How it changes its source.
    pub blend: LayerBlend,
    /// The weight in percent, 1 to 200.
    pub percent: u32,
    /// Whether it is off.
    pub is_muted: bool,
}

impl<C> ClipLayer<C> {
    /// A layer with all of its weight.
    pub fn new(clip: C, blend: LayerBlend) -> ClipLayer<C> {
        ClipLayer { clip, blend, percent: 100, is_muted: false }
    }

    /// The weight, 0.01 to 2.
    pub fn weight(&self) -> f32 {
        self.percent as f32 / 100.0
    }
}

impl<C> Derivation<C> {
    /// The layer, if it is one.
    pub fn layer(self) -> Option<ClipLayer<C>> {
        if let Derivation::Layered(layer) = self { Some(layer) } else { None }
    }

    /// The derivation with another reference to the clip of its layer; `None` if that has none.
    pub fn with_clip<D>(self, clip: impl FnOnce(C) -> Option<D>) -> Option<Derivation<D>> {
        Some(match self {
            Derivation::Mirrored => Derivation::Mirrored,
            Derivation::Reversed => Derivation::Reversed,
            Derivation::Retimed(percent) => Derivation::Retimed(percent),
            Derivation::Trimmed(from, to) => Derivation::Trimmed(from, to),
            Derivation::Retargeted => Derivation::Retargeted,
            Derivation::Layered(ClipLayer { clip: of, blend, percent, is_muted }) => {
                Derivation::Layered(ClipLayer { clip: clip(of)?, blend, percent, is_muted })
            }
        })
    }

    /// The name in panels.
    pub fn name(&self) -> &'static str {
        match self {
            Derivation::Mirrored => "mirrored",
            Derivation::Reversed => "reversed",
            Derivation::Retimed(_) => "retimed",
            Derivation::Trimmed(..) => "trimmed",
            Derivation::Retargeted => "retargeted",
            Derivation::Layered(_) => "layered",
        }
    }

    /// Checks the parameters.
    pub fn check(&self) -> Result<(), String> {
        match *self {
            Derivation::Layered(ClipLayer { percent, .. }) if !(1..=200).contains(&percent) => {
                Err(format!("a weight of {percent} % is out of range; use 1 to 200 %"))
            }
            Derivation::Retimed(percent) if !(1..=10_000).contains(&percent) => {
                Err(format!("{percent} % is out of range; use 1 to 10,000 %"))
            }
            Derivation::Trimmed(from, to) if from < Time::ZERO || from >= to || to > Time::LONGEST => {
                Err(format!("{from} to {to} is not a range of a clip"))
            }
            _ => Ok(()),
        }
    }
}

impl ClipNotes {
    /// Whether there are no notes.
    pub fn is_empty(&self) -> bool {
        *self == ClipNotes::default()
    }

    /// The tags of a text: its words, each at most once, without "#".
    pub fn tags_of(text: &str) -> Vec<String> {
        let mut known = BTreeSet::new();
        let mut tags: Vec<String> = Vec::new();
        for word in text.split_whitespace().map(|word| word.trim_start_matches('#')) {
            if !word.is_empty() && known.insert(word) {
                tags.push(word.to_owned());
            }
        }
        tags
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_split_at_spaces() {
        assert_eq!(ClipNotes::tags_of(" #air  loop air # "), ["air", "loop"]);
    }

    #[test]
    fn invalid_ranges_and_durations_are_refused() {
        let bad: [Derivation; 4] = [
            Derivation::Retimed(0),
            Derivation::Retimed(20_000),
            Derivation::Trimmed(Time(5), Time(5)),
            Derivation::Trimmed(Time(-1), Time(5)),
        ];
        assert!(bad.into_iter().all(|how| how.check().is_err()));
        assert!(
            [Derivation::<ClipId>::Mirrored, Derivation::Retimed(50), Derivation::Trimmed(Time(0), Time(5))]
                .into_iter()
                .all(|how| how.check().is_ok())
        );
    }
}
