//! Ghosts: other poses that stand pale behind the model. Which ones are asked for, and how they look; what poses they
//! are stands in [`shown`]. Nothing of it is saved with the document.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::anim::clip::Clip;
use crate::assets::id::ClipId;
use crate::assets::model::Model;
use crate::render::frame::color::Color;

/// What lies between a neighbour and the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Apart {
    /// A keyframe.
    #[default]
    Keyframes,
    /// A frame of the clip's grid.
    Frames,
}

impl Apart {
    /// Both, in the order in which they are shown.
    pub const ALL: [Apart; 2] = [Apart::Keyframes, Apart::Frames];

    /// The word for panels and scripts.
    pub fn name(self) -> &'static str {
        match self {
            Apart::Keyframes => "keyframes",
            Apart::Frames => "frames",
        }
    }
}

/// On which side of the playhead a pose stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Side {
    Before,
    After,
}

/// Which ghosts are asked for, beside those that are switched, and how all of them look.
#[derive(Clone, Debug, PartialEq)]
pub struct Ghosts {
    /// Neighbours before and after the playhead, each at most [`Ghosts::MOST`].
    pub neighbours: [u8; 2],
    /// How far they are apart.
    pub apart: Apart,
    /// Keyframes that were chosen.
    pub chosen: Option<Chosen>,
    /// Another clip of the model, at the same part of its length.
    pub clip: Option<ClipId>,
    /// The colours of what is before and after the playhead.
    pub tints: [Color; 2],
    /// Opacity of the nearest, in percent, at least [`Ghosts::LEAST_STRENGTH`].
    pub strength: u8,
    /// How much fainter each neighbour is than the one before it, in percent.
    pub fade: u8,
}

impl Default for Ghosts {
    fn default() -> Ghosts {
        Ghosts {
            neighbours: [2; 2],
            apart: Apart::default(),
            chosen: None,
            clip: None,
            tints: [Color::hex(0x5a8dee), Color::hex(0xff9d3d)],
            strength: 30,
            fade: 45,
        }
    }
}

/// A change of what is asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GhostEdit {
    /// So many neighbours on a side.
    Neighbours(Side, u8),
    /// One more on either side, or one less.
    MoreNeighbours(bool),
    /// How far they are apart.
    Apart(Apart),
    /// The selected keyframes are chosen as well; or, where they all are, not any more.
    Choose,
    /// No keyframe is chosen.
    DropChosen,
    /// Another clip, or none.
    Clip(Option<ClipId>),
    /// A colour.
    Tint(Side, Color),
    /// In percent.
    Strength(u8),
    /// In percent.
    Fade(u8),
    /// The usual colours, strength and fade.
    UsualLook,
}

impl Ghosts {
    /// Neighbours on a side.
    pub const MOST: u8 = 8;
    /// What can still be seen, in percent.
    pub const LEAST_STRENGTH: u8 = 5;

    /// Changes it; what is out of range is clamped. `of` is the open clip with its selected keyframes.
    pub fn edit(&mut self, edit: GhostEdit, of: Option<(ClipId, &Arc<Clip>, &BTreeSet<usize>)>) {
        match edit {
            GhostEdit::Neighbours(side, count) => self.neighbours[side as usize] = count.min(Ghosts::MOST),
            GhostEdit::MoreNeighbours(is_more) => {
                let next = |count: u8| if is_more { count + 1 } else { count.saturating_sub(1) };
                self.neighbours = self.neighbours.map(|count| next(count).min(Ghosts::MOST));
            }
            GhostEdit::Apart(apart) => self.apart = apart,
            GhostEdit::Choose => {
                if let Some((id, clip, selected)) = of {
                    self.chosen = Chosen::toggled(self.chosen.take(), id, clip, selected);
                }
            }
            GhostEdit::DropChosen => self.chosen = None,
            GhostEdit::Clip(clip) => self.clip = clip,
            GhostEdit::Tint(side, color) => self.tints[side as usize] = color.with_alpha(1.0),
            GhostEdit::Strength(percent) => self.strength = percent.clamp(Ghosts::LEAST_STRENGTH, 100),
            GhostEdit::Fade(percent) => self.fade = percent.min(100),
            GhostEdit::UsualLook => {
                let Ghosts { tints, strength, fade, .. } = Ghosts::default();
                *self = Ghosts { tints, strength, fade, ..self.clone() };
            }
        }
    }

    /// Forgets what the model has no longer, and finds chosen keyframes again after an edit of their clip.
    pub fn follow(&mut self, model: Option<&Model>) {
        let clip_of = |id| model.and_then(|model| model.clip(id));
        self.clip = self.clip.filter(|&id| clip_of(id).is_some());
        self.chosen = self.chosen.take().and_then(|chosen| {
            let clip = clip_of(chosen.clip)?;
            chosen.followed(clip)
        });
    }
}

/// Keyframes of one clip that were chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct Chosen {
    /// Whose.
    pub clip: ClipId,
    /// Their places in it; not empty.
    pub keyframes: BTreeSet<usize>,
    /// The clip as it was when they were there.
    of: Arc<Clip>,
}

impl Chosen {
    fn toggled(before: Option<Chosen>, id: ClipId, clip: &Arc<Clip>, selected: &BTreeSet<usize>) -> Option<Chosen> {
        let kept = before.filter(|before| before.clip == id).map(|before| before.keyframes).unwrap_or_default();
        let keyframes: BTreeSet<usize> = match selected.is_subset(&kept) {
            true => &kept - selected,
            false => &kept | selected,
        };
        (!keyframes.is_empty()).then(|| Chosen { clip: id, keyframes, of: clip.clone() })
    }

    /// Where they are after an edit; none where none of them is left.
    fn followed(self, now: &Arc<Clip>) -> Option<Chosen> {
        if Arc::ptr_eq(&self.of, now) {
            return Some(self);
        }
        let keyframes: BTreeSet<usize> = self.keyframes.iter().filter_map(|&at| place_in(&self.of, now, at)).collect();
        (!keyframes.is_empty()).then(|| Chosen { keyframes, of: now.clone(), ..self })
    }
}

/// Where a keyframe of a clip stands in what an edit made of that clip: the one with the same keys; else, where none
/// was added or removed, the one in the same place.
fn place_in(old: &Clip, new: &Clip, at: usize) -> Option<usize> {
    let keys = &old.keyframes.get(at)?.keys;
    let has_same = |place: &usize| new.keyframes[*place].keys == *keys;
    if at < new.keyframes.len() && has_same(&at) && old.keyframes.len() == new.keyframes.len() {
        return Some(at);
    }
    // Of several that are alike, the one that as many are ahead of or behind.
    let moved = (at + new.keyframes.len()).checked_sub(old.keyframes.len());
    let likely = [Some(at), moved].into_iter().flatten().filter(|place| *place < new.keyframes.len()).find(has_same);
    let anywhere = || (0..new.keyframes.len()).find(has_same);
    let in_place = || (old.keyframes.len() == new.keyframes.len()).then_some(at);
    likely.or_else(anywhere).or_else(in_place)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anim::clip::Keyframe;
    use crate::anim::key::Key;
    use crate::anim::time::Time;
    use glam::Vec3;

    /// A clip with a keyframe for each number, which is its key.
    fn clip(numbers: &[i32]) -> Arc<Clip> {
        let keyframe = |number: &i32| Keyframe {
            duration: Time(10),
            keys: vec![Key::translation(0, Vec3::splat(*number as f32))],
        };
        Arc::new(Clip { keyframes: numbers.iter().map(keyframe).collect(), ..Clip::new("test") })
    }

    #[test]
    fn chosen_keyframes_are_found_again_after_an_edit() {
        let chosen = |keyframes: &[usize], of: &[i32]| Chosen {
            clip: ClipId(1),
            keyframes: keyframes.iter().copied().collect(),
            of: clip(of),
        };
        type Case<'a> = (&'a [usize], &'a [i32], &'a [i32], &'a [usize]);
        let cases: &[Case<'_>] = &[
            (&[1, 2], &[1, 2, 3], &[1, 2, 3, 4], &[1, 2]),
            (&[1, 2], &[1, 2, 3], &[9, 1, 2, 3], &[2, 3]),
            (&[1, 2], &[1, 2, 3], &[1, 9, 2, 3], &[2, 3]),
            (&[1], &[1, 2, 3], &[1, 8, 3], &[1]),
            (&[0, 2], &[1, 2, 3], &[3, 1, 2], &[0, 1]),
            (&[0, 2], &[1, 2, 3], &[2, 3], &[1]),
            (&[1], &[1, 1, 1], &[1, 1, 1], &[1]),
            (&[0], &[1, 2], &[2], &[]),
        ];
        for (at, before, after, expected) in cases {
            let followed = chosen(at, before).followed(&clip(after));
            let found: Vec<usize> = followed.iter().flat_map(|chosen| &chosen.keyframes).copied().collect();
            assert_eq!(found, *expected, "{at:?} of {before:?} in {after:?}");
        }
    }

    #[test]
    fn choosing_adds_and_choosing_the_same_again_takes_away() {
        let (clip, mut ghosts) = (clip(&[1, 2, 3]), Ghosts::default());
        let mut choose = |keyframes: &[usize]| {
            let selected = keyframes.iter().copied().collect();
            ghosts.edit(GhostEdit::Choose, Some((ClipId(4), &clip, &selected)));
            ghosts.chosen.as_ref().map(|chosen| chosen.keyframes.iter().copied().collect::<Vec<_>>())
        };
        assert_eq!(choose(&[0]), Some(vec![0]));
        assert_eq!(choose(&[0, 2]), Some(vec![0, 2]));
        assert_eq!(choose(&[2]), Some(vec![0]));
        assert_eq!(choose(&[0]), None);
    }

    #[test]
    fn numbers_stay_in_their_range() {
        let mut ghosts = Ghosts::default();
        let edits = [
            GhostEdit::Neighbours(Side::After, 200),
            GhostEdit::Strength(0),
            GhostEdit::Fade(200),
            GhostEdit::MoreNeighbours(true),
        ];
        edits.into_iter().for_each(|edit| ghosts.edit(edit, None));
        assert_eq!((ghosts.neighbours, ghosts.strength, ghosts.fade), ([3, 8], 5, 100));
        ghosts.edit(GhostEdit::UsualLook, None);
        assert_eq!(ghosts, Ghosts { neighbours: [3, 8], ..Ghosts::default() });
    }
}
