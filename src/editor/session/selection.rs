//! What is selected: one selection serves every panel.

use std::collections::BTreeSet;

use crate::anim::skeleton::BoneIndex;
use crate::assets::id::ClipId;
use crate::assets::model::Model;
use crate::editor::document::edit::KeyRef;

/// What Delete deletes and Copy copies: the kind that was touched last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum ItemKind {
    #[default]
    Bones,
    Clips,
    Keyframes,
    Keys,
    Events,
}

/// How something joins what is selected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pick {
    /// It alone is selected.
    #[default]
    Only,
    /// It is selected as well.
    Add,
    /// Selected where it was not, else not.
    Toggle,
}

/// What is selected of the active model and clip.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Selection {
    /// In the order of picking, each once; the last one is the active bone.
    pub bones: Vec<BoneIndex>,
    /// Places in the active clip.
    pub keyframes: BTreeSet<usize>,
    /// The keyframe that was picked last: where a range starts.
    pub last_keyframe: Option<usize>,
    /// Keys of the active clip.
    pub keys: BTreeSet<KeyRef>,
    /// Clips of the list that are meant together.
    pub clips: BTreeSet<ClipId>,
    /// A place in the events of the active clip.
    pub event: Option<usize>,
    /// What was touched last.
    pub focus: ItemKind,
}

impl Selection {
    /// The bone that was picked last.
    pub fn active_bone(&self) -> Option<BoneIndex> {
        self.bones.last().copied()
    }

    /// True where a bone is selected.
    pub fn has_bone(&self, bone: BoneIndex) -> bool {
        self.bones.contains(&bone)
    }

    /// Picks bones.
    pub fn pick_bones(&mut self, bones: &[BoneIndex], pick: Pick) {
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
        self.focus = ItemKind::Bones;
    }

    /// Picks a keyframe.
    pub fn pick_keyframe(&mut self, keyframe: usize, pick: Pick) {
        if pick == Pick::Only {
            self.keyframes.clear();
        }
        let was_selected = self.keyframes.contains(&keyframe);
        match was_selected && pick == Pick::Toggle {
            true => self.keyframes.remove(&keyframe),
            false => self.keyframes.insert(keyframe),
        };
        self.last_keyframe = Some(keyframe);
        self.focus = ItemKind::Keyframes;
    }

    /// Picks keys.
    pub fn pick_keys(&mut self, keys: &[KeyRef], pick: Pick) {
        if pick == Pick::Only {
            self.keys.clear();
        }
        for &key in keys {
            if !self.keys.insert(key) && pick == Pick::Toggle {
                self.keys.remove(&key);
            }
        }
        self.focus = ItemKind::Keys;
    }

    /// Forgets what is not there any more.
    pub fn keep_existing(&mut self, model: Option<&Model>, clip: Option<ClipId>) {
        let bones = model.map_or(0, |model| model.skeleton.len());
        self.bones.retain(|&bone| usize::from(bone) < bones);
        self.clips.retain(|&clip| model.is_some_and(|model| model.clip(clip).is_some()));
        let clip = model.and_then(|model| model.clip(clip?));
        let keyframes = clip.map_or(0, |clip| clip.keyframes.len());
        let events = clip.map_or(0, |clip| clip.events.len());
        self.event = self.event.filter(|&event| event < events);
        self.keyframes.retain(|&keyframe| keyframe < keyframes);
        self.last_keyframe = self.last_keyframe.filter(|&keyframe| keyframe < keyframes);
        let has = |key: &KeyRef| Some(clip?.keyframes.get(key.keyframe)?.key(key.bone, key.channel).is_some());
        self.keys.retain(|key| has(key).unwrap_or(false));
    }
}
