//! Bones and scalars by name: one more or one less gives others other numbers, but changes nothing of what refers to them.

use std::borrow::Cow;
use std::ops::RangeFrom;
use std::sync::Arc;

use crate::anim::clip::{Clip, Keyframe};
use crate::anim::key::{BoneIndex, Channel, Key, ScalarIndex};
use crate::anim::skeleton::Skeleton;
use crate::assets::mesh::Binding;
use crate::assets::model::{Model, Source};

/// The model with the numbers that bones and scalars of the same names have in another skeleton. Those that it lacks have numbers behind
/// its own. The skeleton and the source stay as they are.
pub fn renumbered<'m>(model: &'m Model, other: &Skeleton) -> Cow<'m, Model> {
    let numbers = Numbers::of(&model.skeleton, other);
    if numbers.are_same() {
        return Cow::Borrowed(model);
    }
    let mut model = model.clone();
    model.clips.iter_mut().for_each(|slot| slot.clip = Arc::new(numbers.clip(&slot.clip)));
    for skin in &mut model.skins {
        Arc::make_mut(skin).joints.iter_mut().for_each(|joint| *joint = numbers.bone(*joint));
    }
    for slot in &mut model.meshes {
        let binding = match slot.mesh.binding {
            Binding::Bone(bone) => Binding::Bone(numbers.bone(bone)),
            Binding::Skin(skin) => Binding::Skin(skin),
        };
        if binding != slot.mesh.binding || !slot.mesh.morphs.is_empty() {
            let mesh = Arc::make_mut(&mut slot.mesh);
            mesh.binding = binding;
            mesh.morphs.iter_mut().for_each(|morph| morph.scalar = numbers.scalar(morph.scalar));
        }
    }
    model.sockets.iter_mut().for_each(|socket| socket.bone = numbers.bone(socket.bone));
    model.drafts.iter_mut().for_each(|draft| draft.keys = numbers.keys(&draft.keys));
    Cow::Owned(model)
}

/// Whether two models were made from the same nodes, as far as both have the bones.
pub fn have_same_source(a: &Model, b: &Model) -> bool {
    let node = |model: &Model, name: &str| {
        let bone = model.skeleton.find(name)?;
        model.source.bone_nodes.get(usize::from(bone)).copied().flatten()
    };
    let rest = |model: &Model| Source { bone_nodes: Vec::new(), ..Source::clone(&model.source) };
    let mut common = a.skeleton.bones().iter().filter(|bone| b.skeleton.find(&bone.name).is_some());
    rest(a) == rest(b) && common.all(|bone| node(a, &bone.name) == node(b, &bone.name))
}

/// The number of each bone and scalar in another skeleton.
struct Numbers {
    bones: Vec<BoneIndex>,
    scalars: Vec<ScalarIndex>,
}

impl Numbers {
    fn of(own: &Skeleton, other: &Skeleton) -> Numbers {
        let mut free = numbers_from(other.len());
        let bone = |name: &str| other.find(name).or_else(|| free.next()).unwrap_or(u16::MAX);
        let bones: Vec<BoneIndex> = own.bones().iter().map(|bone| &*bone.name).map(bone).collect();
        let mut numbers = Numbers { bones, scalars: Vec::new() };
        let mut free = numbers_from(other.scalars().len());
        let scalars = own.scalars().iter().map(|scalar| {
            let found = other.find_scalar(numbers.bone(scalar.bone), &scalar.name);
            found.or_else(|| free.next()).unwrap_or(u16::MAX)
        });
        numbers.scalars = scalars.collect();
        numbers
    }

    fn are_same(&self) -> bool {
        [&self.bones, &self.scalars].iter().all(|numbers| (0..).zip(*numbers).all(|(at, number)| at == *number))
    }

    fn bone(&self, bone: BoneIndex) -> BoneIndex {
        self.bones.get(usize::from(bone)).copied().unwrap_or(bone)
    }

    fn scalar(&self, scalar: ScalarIndex) -> ScalarIndex {
        self.scalars.get(usize::from(scalar)).copied().unwrap_or(scalar)
    }

    fn key(&self, key: &Key) -> Key {
        let channel = key.channel.scalar().map_or(key.channel, |scalar| Channel::Scalar(self.scalar(scalar)));
        Key { bone: self.bone(key.bone), channel, ..*key }
    }

    fn keys(&self, keys: &[Key]) -> Vec<Key> {
        let mut keys: Vec<Key> = keys.iter().map(|key| self.key(key)).collect();
        keys.sort_by_key(Key::address);
        keys
    }

    fn clip(&self, clip: &Clip) -> Clip {
        let keyframe = |keyframe: &Keyframe| Keyframe { keys: self.keys(&keyframe.keys).into(), ..keyframe.clone() };
        let mut clip = Clip { keyframes: clip.keyframes.iter().map(keyframe).collect(), ..clip.clone() };
        clip.move_delays(|key| Some(self.key(key)));
        clip
    }
}

fn numbers_from(count: usize) -> RangeFrom<u16> {
    u16::try_from(count).unwrap_or(u16::MAX)..
}
