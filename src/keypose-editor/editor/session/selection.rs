//! The selection: one for all panels.

use std::collections::BTreeSet;

use crate::editor::document::edit::KeyRef;
use crate::editor::document::retiming::Retiming;
use crate::editor::ops::keyframe_match::FoundKeyframes;
use keypose::anim::clip::{Clip, Event};
use keypose::anim::skeleton::BoneIndex;
use keypose::anim::time::Time;
use keypose::assets::combat::{LaneKind, Lanes, Range, Volume};
use keypose::assets::id::ClipId;
use keypose::assets::model::Model;

/// The kind of items that was selected last: Delete and Copy act on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ItemKind {
    #[default]
    Bones,
    Clips,
    Keyframes,
    Keys,
    Events,
    Ranges,
}

/// A volume of the active model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VolumePick {
    /// One of its hurt volumes.
    Hurt(usize),
    /// A volume of the selected range: of its hit, or the replacement of a hurt volume.
    OfRange(usize),
    /// A collider of springs.
    Collider(usize),
}

/// How items are added to the selection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pick {
    /// Replaces the selection.
    #[default]
    Only,
    /// Extends the selection.
    Add,
    /// Selects the item, or deselects it if it is selected.
    Toggle,
}

impl Pick {
    /// Adds items to a selection, or removes them.
    pub fn change<T: Copy + Ord>(self, selected: &mut BTreeSet<T>, items: &[T]) {
        if self == Pick::Only {
            selected.clear();
        }
        for item in items {
            if !selected.insert(*item) && self == Pick::Toggle {
                selected.remove(item);
            }
        }
    }
}

/// The selected items of the active model and clip.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Selection {
    /// Selected bones in the order of selecting, each once; the last one is the active bone.
    pub bones: Vec<BoneIndex>,
    /// The bone that was picked last without Shift: the start of a range in the bone list.
    pub range_start: Option<BoneIndex>,
    /// Indices of the selected keyframes.
    pub keyframes: BTreeSet<usize>,
    /// The keyframe that was selected last: the start of a range.
    pub last_keyframe: Option<usize>,
    /// Selected keys of the active clip.
    pub keys: BTreeSet<KeyRef>,
    /// Selected clips of the list.
    pub clips: BTreeSet<ClipId>,
    /// The index of the selected event of the active clip.
    pub event: Option<usize>,
    /// The lane and index of the selected range of the active clip.
    pub range: Option<(LaneKind, usize)>,
    /// The volume that the gizmo moves; `None` if it moves bones.
    pub volume: Option<VolumePick>,
    /// Whether the gizmo moves the active socket, not bones.
    pub has_socket: bool,
    /// The kind that was selected last.
    pub kind: ItemKind,
}

impl Selection {
    /// Whether the gizmo moves a volume or a socket, not bones.
    pub fn has_part(&self) -> bool {
        self.volume.is_some() || self.has_socket
    }

    /// The bone that was selected last.
    pub fn active_bone(&self) -> Option<BoneIndex> {
        self.bones.last().copied()
    }

    /// Whether a bone is selected.
    pub fn has_bone(&self, bone: BoneIndex) -> bool {
        self.bones.contains(&bone)
    }

    /// Makes a selected bone the active one. Ignores a bone that is not selected.
    pub fn make_active(&mut self, bone: BoneIndex) {
        if self.has_bone(bone) {
            self.bones.retain(|&other| other != bone);
            self.bones.push(bone);
        }
    }

    /// Selects exactly these bones. The active bone stays active if it is among them.
    pub fn set_bones(&mut self, bones: Vec<BoneIndex>) {
        let active = self.active_bone();
        self.bones = bones;
        if let Some(active) = active {
            self.make_active(active);
        }
    }

    /// Selects bones. A single one becomes active; of several, the active bone stays active if it is among them, or else
    /// the last one becomes active.
    pub fn pick_bones(&mut self, bones: &[BoneIndex], pick: Pick) {
        let active = self.active_bone();
        self.change_bones(bones, pick);
        if let [bone] = *bones {
            self.range_start = Some(bone);
        } else if let Some(active) = active {
            self.make_active(active);
        }
    }

    /// Selects a range of a list that begins or ends with the clicked bone, which becomes active. The range starts at
    /// [`Selection::range_start`], which stays.
    pub fn pick_bone_range(&mut self, range: &[BoneIndex], clicked: BoneIndex, pick: Pick) {
        self.change_bones(range, pick);
        self.make_active(clicked);
    }

    fn change_bones(&mut self, bones: &[BoneIndex], pick: Pick) {
        if pick == Pick::Only {
            self.bones.clear();
        }
        for &bone in bones {
            let was_selected = self.has_bone(bone);
            self.bones.retain(|&other| other != bone);
            if !(was_selected && pick == Pick::Toggle) {
                self.bones.push(bone);
            }
        }
        (self.kind, self.volume, self.has_socket) = (ItemKind::Bones, None, false);
    }

    /// Deselects keyframes and keys: after an edit, their indices may refer to others.
    pub fn clear_keys(&mut self) {
        self.keyframes.clear();
        self.keys.clear();
    }

    /// Follows the selected keyframes and keys when an edit of their clip gives keyframes other indices. Those that are gone are deselected.
    pub fn follow(&mut self, found: &FoundKeyframes) {
        let find = |keyframe: &usize| found.get(keyframe).copied();
        self.keyframes = self.keyframes.iter().filter_map(find).collect();
        self.last_keyframe = self.last_keyframe.as_ref().and_then(find);
        let keys = self.keys.iter();
        self.keys = keys.filter_map(|key| Some(KeyRef { keyframe: find(&key.keyframe)?, ..*key })).collect();
    }

    /// Follows the selected event and range when an edit adds or removes others, or moves them along with keyframes.
    pub fn follow_marks(&mut self, clips: [&Clip; 2], retiming: Option<&Retiming>, lanes: impl Fn() -> [Lanes; 2]) {
        let length = clips[1].length();
        let moved = retiming.map(|retiming| {
            move |event: &Event| {
                let time = retiming.map(event.time).min(length).max(Time::ZERO);
                Some(Event { time, name: event.name.clone() })
            }
        });
        let events: [Vec<Event>; 2] = clips.map(|clip| clip.events.iter().cloned().collect());
        self.event = self.event.and_then(|at| followed(at, events, moved));
        self.range = self.range.and_then(|(lane, at)| {
            let moved = retiming.map(|retiming| move |range: &Range| retiming.map_range(*range));
            Some((lane, followed(at, lanes().map(|lanes| lanes.ranges(lane)), moved)?))
        });
    }

    /// Selects a keyframe.
    pub fn pick_keyframe(&mut self, keyframe: usize, pick: Pick) {
        pick.change(&mut self.keyframes, &[keyframe]);
        self.last_keyframe = Some(keyframe);
        self.kind = ItemKind::Keyframes;
    }

    /// Selects keys.
    pub fn pick_keys(&mut self, keys: &[KeyRef], pick: Pick) {
        pick.change(&mut self.keys, keys);
        self.kind = ItemKind::Keys;
    }

    /// The selected volume. `lanes` are those of the active clip.
    pub fn volume_of<'a>(&self, model: &'a Model, lanes: &'a Lanes) -> Option<&'a Volume> {
        match self.volume? {
            VolumePick::Hurt(at) => model.combat.hurt.get(at),
            VolumePick::Collider(at) => model.rig.springs.colliders.get(at),
            VolumePick::OfRange(at) => match self.range? {
                (LaneKind::Hits, hit) => lanes.hits.get(hit)?.volumes.get(at),
                (LaneKind::Hurts, hurt) if at == 0 => lanes.hurts.get(hurt)?.replaced.as_ref(),
                (LaneKind::Hurts | LaneKind::Cancels | LaneKind::Invulnerable | LaneKind::Contacts, _) => None,
            },
        }
    }

    /// Deselects items that no longer exist.
    pub fn keep_existing(&mut self, model: Option<&Model>, clip: Option<ClipId>) {
        let bones = model.map_or(0, |model| model.skeleton.len());
        self.bones.retain(|&bone| usize::from(bone) < bones);
        self.range_start = self.range_start.filter(|&bone| usize::from(bone) < bones);
        self.clips.retain(|&clip| model.is_some_and(|model| model.clip(clip).is_some()));
        let id = clip;
        let clip = model.and_then(|model| model.clip(clip?));
        let keyframes = clip.map_or(0, |clip| clip.keyframes.len());
        let events = clip.map_or(0, |clip| clip.events.len());
        self.event = self.event.filter(|&event| event < events);
        let lanes = id.zip(model).map(|(id, model)| model.combat.lanes_of(id)).unwrap_or_default();
        self.range = self.range.filter(|&(lane, at)| at < lanes.ranges(lane).len());
        if model.is_none_or(|model| self.volume_of(model, &lanes).is_none()) {
            self.volume = None;
        }
        self.has_socket &= self.volume.is_none() && model.is_some_and(|model| !model.sockets.is_empty());
        self.keyframes.retain(|&keyframe| keyframe < keyframes);
        self.last_keyframe = self.last_keyframe.filter(|&keyframe| keyframe < keyframes);
        let has = |key: &KeyRef| Some(clip?.keyframes.get(key.keyframe)?.key(key.bone, key.channel).is_some());
        self.keys.retain(|key| has(key).unwrap_or(false));
    }
}

/// Where an item of a list is in the changed list: as it is once it was moved. If there is none, but the numbers are equal, it was changed
/// itself.
fn followed<T: Clone + PartialEq>(
    at: usize,
    [before, now]: [Vec<T>; 2],
    moved: Option<impl Fn(&T) -> Option<T>>,
) -> Option<usize> {
    let same = Some(at).filter(|_| before.len() == now.len());
    if same.is_some() && moved.is_none() {
        return same;
    }
    let place = |item: &T| moved.as_ref().map_or_else(|| Some(item.clone()), |moved| moved(item));
    let item = place(before.get(at)?)?;
    let equal_before = before.iter().take(at).filter(|other| place(other).as_ref() == Some(&item)).count();
    let mut equal = now.iter().enumerate().filter(|(_, other)| **other == item).map(|(at, _)| at);
    equal.nth(equal_before).or(same)
}
