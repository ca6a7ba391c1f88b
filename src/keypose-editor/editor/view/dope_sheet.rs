//! The rows of the dope sheet and the keys that belong to them.

use std::collections::BTreeSet;

use crate::editor::document::edit::KeyRef;
use crate::editor::ops::bone_tree::bone_tree;
use crate::editor::ops::sentence::has_words;
use crate::editor::session::Session;
use crate::editor::session::switch::Switch;
use crate::editor::view::keys_of;
use keypose::anim::clip::{Clip, Keyframe};
use keypose::anim::key::{Channel, Key};
use keypose::anim::skeleton::{BoneIndex, Skeleton};
use keypose::assets::bone_match::without_prefix;

/// The keys of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RowKind {
    /// All keys.
    Summary,
    /// The keys of a bone.
    Bone(BoneIndex),
    /// The keys of a channel of a bone.
    Channel(BoneIndex, Channel),
}

/// A row of the dope sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The keys that the row shows.
    pub kind: RowKind,
    /// The depth of its bone in the hierarchy.
    pub depth: usize,
}

/// The channels that have keys in a clip.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Keyed(Vec<BTreeSet<Channel>>);

impl Keyed {
    /// Finds the keyed channels of a clip.
    pub fn of(clip: &Clip) -> Keyed {
        let mut keyed: Vec<BTreeSet<Channel>> = Vec::new();
        for key in clip.keyframes.iter().flat_map(|keyframe| &keyframe.keys) {
            let bone = usize::from(key.bone);
            if keyed.len() <= bone {
                keyed.resize(bone + 1, BTreeSet::new());
            }
            keyed[bone].insert(key.channel);
        }
        Keyed(keyed)
    }

    /// Whether the channel has a key.
    pub fn has(&self, bone: BoneIndex, channel: Channel) -> bool {
        self.0.get(usize::from(bone)).is_some_and(|channels| channels.contains(&channel))
    }

    /// Whether any channel of the bone has a key.
    pub fn has_bone(&self, bone: BoneIndex) -> bool {
        self.channels(bone).next().is_some()
    }

    /// The keyed channels of a bone, in order.
    pub fn channels(&self, bone: BoneIndex) -> impl Iterator<Item = Channel> {
        self.0.get(usize::from(bone)).into_iter().flatten().copied()
    }

    /// Keyed bones that the skeleton doesn't have.
    fn missing(&self, skeleton: &Skeleton) -> impl Iterator<Item = BoneIndex> {
        let bones = skeleton.len() as BoneIndex..self.0.len() as BoneIndex;
        bones.filter(|&bone| self.has_bone(bone))
    }
}

/// The name of a bone; says so if the bone is missing.
pub fn name(skeleton: &Skeleton, bone: BoneIndex) -> String {
    match skeleton.get(bone) {
        Some(bone) => without_prefix(&bone.name).to_owned(),
        None => format!("bone {bone} (missing)"),
    }
}

/// The bones that have rows, in hierarchical order, with their depths, according to filter and switches.
pub fn bones(skeleton: &Skeleton, keyed: &Keyed, session: &Session) -> Vec<(BoneIndex, usize)> {
    let is_shown = |bone: BoneIndex| {
        (!session.is_on(Switch::OnlySelected) || session.focus.selection.has_bone(bone))
            && (!session.is_on(Switch::OnlyKeyed) || keyed.has_bone(bone))
            && matches(skeleton, bone, &session.focus.timing.filter)
    };
    let tree = bone_tree(skeleton, |_| true, |_| true).into_iter();
    let there = tree.filter(|(bone, ..)| is_shown(*bone)).map(|(bone, depth, _)| (bone, depth));
    let gone = keyed.missing(skeleton).filter(|bone| is_shown(*bone)).map(|bone| (bone, 0));
    there.chain(gone).collect()
}

/// Whether a bone's name contains every word of a filter, ignoring case.
pub fn matches(skeleton: &Skeleton, bone: BoneIndex, filter: &str) -> bool {
    filter.is_empty() || has_words(&name(skeleton, bone), filter)
}

/// All rows: the summary, the bones, and the keyed channels of expanded bones.
pub fn rows(bones: &[(BoneIndex, usize)], keyed: &Keyed, open: &BTreeSet<BoneIndex>) -> Vec<Row> {
    let mut rows = vec![Row { kind: RowKind::Summary, depth: 0 }];
    for &(bone, depth) in bones {
        rows.push(Row { kind: RowKind::Bone(bone), depth });
        if open.contains(&bone) {
            rows.extend(keyed.channels(bone).map(|channel| Row { kind: RowKind::Channel(bone, channel), depth }));
        }
    }
    rows
}

impl RowKind {
    /// The bone of the row.
    pub fn bone(self) -> Option<BoneIndex> {
        match self {
            RowKind::Summary => None,
            RowKind::Bone(bone) | RowKind::Channel(bone, _) => Some(bone),
        }
    }

    /// The keys of the row in a keyframe.
    pub fn keys(self, keyframe: &Keyframe) -> &[Key] {
        let keys = &keyframe.keys;
        match self {
            RowKind::Summary => keys,
            RowKind::Bone(bone) => keys_of(keys, bone),
            RowKind::Channel(bone, channel) => match keys.binary_search_by_key(&(bone, channel), Key::address) {
                Ok(at) => &keys[at..=at],
                Err(_) => &[],
            },
        }
    }

    /// References to the keys of the row in one keyframe of a clip.
    pub fn refs(self, clip: &Clip, keyframe: usize) -> impl Iterator<Item = KeyRef> + '_ {
        let keys = clip.keyframes.get(keyframe).map_or(&[][..], |column| self.keys(column));
        keys.iter().map(move |key| KeyRef { keyframe, bone: key.bone, channel: key.channel })
    }
}

/// All keys of the visible rows, according to filter and switches.
pub fn shown_keys(skeleton: &Skeleton, clip: &Clip, session: &Session) -> Vec<KeyRef> {
    let bones = bones(skeleton, &Keyed::of(clip), session);
    let bones: BTreeSet<BoneIndex> = bones.into_iter().map(|(bone, _)| bone).collect();
    let all = (0..clip.keyframes.len()).flat_map(|keyframe| RowKind::Summary.refs(clip, keyframe));
    all.filter(|key| bones.contains(&key.bone)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;
    use keypose::anim::skeleton::Bone;

    /// ```text
    /// root ─ a ─ c
    ///      ─ b
    /// ```
    fn skeleton() -> Skeleton {
        let bone = |name: &str, parent| Bone { name: name.into(), parent, rest: Default::default() };
        Skeleton::new(vec![bone("root", None), bone("a", Some(0)), bone("b", Some(0)), bone("c", Some(1))]).unwrap()
    }

    fn clip() -> Clip {
        let keys = vec![Key::translation(1, Vec3::X), Key::scale(1, Vec3::ONE), Key::translation(9, Vec3::X)];
        Clip {
            keyframes: vec![Keyframe { duration: Default::default(), keys: keys.into(), ..Keyframe::default() }].into(),
            ..Clip::new("test")
        }
    }

    #[test]
    fn bones_stand_in_the_order_of_the_tree_and_gone_ones_behind() {
        let (skeleton, keyed) = (skeleton(), Keyed::of(&clip()));
        let mut session = Session::default();
        session.workspace.switches.clear();
        let of =
            |session: &Session| bones(&skeleton, &keyed, session).into_iter().map(|(bone, _)| bone).collect::<Vec<_>>();
        assert_eq!(of(&session), [0, 1, 3, 2, 9]);
        session.focus.timing.filter = "A".into();
        assert_eq!(of(&session), [1]);
        session.focus.timing.filter.clear();
        session.workspace.switches.insert(Switch::OnlyKeyed);
        assert_eq!(of(&session), [1, 9]);
        session.focus.selection.bones = vec![1, 2];
        session.workspace.switches.insert(Switch::OnlySelected);
        assert_eq!(of(&session), [1]);
    }
}
