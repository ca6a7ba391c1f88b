//! The keyframes of a clip: a plain list, or packed bytes that are decoded on first access. A game that plays baked
//! clips never decodes them.

use std::fmt;
use std::ops::{Deref, DerefMut, Range};
use std::sync::{Arc, OnceLock};

use crate::anim::choice::choice;
use crate::anim::key::{BoneIndex, Channel, Key};
use crate::anim::keys::Keys;
use crate::anim::nearest_keys::Facts;
use crate::anim::shared_list::{Iter, SharedList};
use crate::anim::time::Time;

choice! {
    /// The part that a keyframe plays in its motion (Williams, *The Animator's Survival Kit*, chapter "It's all in the timing and the
    /// spacing"). For the animator only: what is played doesn't depend on it. Reductions keep keyframes that are not plain.
    #[derive(Default, PartialOrd, Ord)]
    pub enum KeyframeKind {
        /// Any keyframe.
        #[default]
        Plain = "plain",
        /// A pose at which a motion turns.
        Extreme = "extreme",
        /// The pose on the way between two extremes.
        Breakdown = "breakdown",
    }
}

/// A duration, and the keys at its start.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Keyframe {
    /// More than zero, except for the last keyframe. The durations before it add up to its start.
    pub duration: Time,
    /// Sorted by [`Key::address`], which is unique.
    pub keys: Keys,
    /// The part that it plays in the motion.
    pub kind: KeyframeKind,
}

impl Keyframe {
    /// Calls `found` with the index of each of these channels that has a key here, and the index of the key. `channels` are sorted
    /// and different, as the keys are.
    pub fn find_channels(&self, channels: &[(BoneIndex, Channel)], mut found: impl FnMut(usize, usize)) {
        let is_sparse = channels.len() * 8 < self.keys.len();
        if is_sparse {
            for (channel, address) in channels.iter().enumerate() {
                if let Ok(key) = self.keys.binary_search_by_key(address, Key::address) {
                    found(channel, key);
                }
            }
            return;
        }
        if self.keys.len() * 8 < channels.len() {
            for (at, key) in self.keys.iter().enumerate() {
                if let Ok(channel) = channels.binary_search(&key.address()) {
                    found(channel, at);
                }
            }
            return;
        }
        let mut channel = 0;
        for (at, key) in self.keys.iter().enumerate() {
            while channels.get(channel).is_some_and(|address| *address < key.address()) {
                channel += 1;
            }
            if channels.get(channel) == Some(&key.address()) {
                found(channel, at);
            }
        }
    }

    /// The key of a bone's channel.
    pub fn key(&self, bone: BoneIndex, channel: Channel) -> Option<&Key> {
        let at = self.keys.binary_search_by_key(&(bone, channel), Key::address).ok()?;
        self.keys.get(at)
    }

    /// Inserts a key, or replaces the one with the same address.
    pub fn set(&mut self, key: Key) {
        match self.keys.binary_search_by_key(&key.address(), Key::address) {
            // A list that another state of the clip shares is copied by a change only.
            Ok(at) if self.keys[at] == key => {}
            Ok(at) => self.keys[at] = key,
            Err(at) => self.keys.insert(at, key),
        }
    }

    /// The approximate size in memory.
    fn bytes(&self) -> usize {
        size_of::<Keyframe>() + size_of_val(&self.keys[..])
    }

    /// Removes a key.
    pub fn remove(&mut self, bone: BoneIndex, channel: Channel) -> Option<Key> {
        let at = self.keys.binary_search_by_key(&(bone, channel), Key::address).ok()?;
        Some(self.keys.remove(at))
    }
}

/// Keyframes in fewer bytes, which were validated when they were read (see
/// [`Clip::check`](crate::anim::clip::Clip::check)).
pub trait Packed: Send + Sync {
    /// The number of keyframes.
    fn count(&self) -> usize;
    /// The sum of their durations.
    fn length(&self) -> Time;
    /// The encoded bytes. Equal bytes are equal keyframes.
    fn bytes(&self) -> &[u8];
    /// Whether any key is one of a scalar.
    fn has_scalars(&self) -> bool;
    /// Decodes all keyframes.
    fn unpack(&self) -> Vec<Keyframe>;
}

/// Keyframes in blocks that clones share: an edit of a long clip copies what it changes.
pub type KeyframeList = SharedList<Keyframe, Facts>;

/// A list of keyframes, used as a `Vec`. Packed keyframes are decoded on first access; a change drops the packed bytes.
#[derive(Clone, Default)]
pub struct Keyframes {
    list: OnceLock<KeyframeList>,
    packed: Option<Arc<dyn Packed>>,
}

impl Keyframes {
    /// A list that is decoded on first access.
    pub fn packed(packed: Arc<dyn Packed>) -> Keyframes {
        Keyframes { list: OnceLock::new(), packed: Some(packed) }
    }

    /// Returns true until the keyframes are decoded.
    pub fn is_packed(&self) -> bool {
        self.still_packed().is_some()
    }

    /// The number of keyframes; decodes nothing.
    pub fn len(&self) -> usize {
        self.still_packed().map_or_else(|| self.list().len(), Packed::count)
    }

    /// Returns true if there are no keyframes; decodes nothing.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The sum of all durations; decodes nothing.
    pub fn length(&self) -> Time {
        let sum = || self.block_lengths().map(|(_, length)| length).sum();
        self.still_packed().map_or_else(sum, Packed::length)
    }

    /// The start of a keyframe: the sum of the durations before it. That of all for an index past the last.
    pub fn start_of(&self, at: usize) -> Time {
        let mut start = Time::ZERO;
        for (range, length) in self.block_lengths() {
            if range.end > at {
                return start + self.range(range.start..at).map(|keyframe| keyframe.duration).sum();
            }
            start += length;
        }
        start
    }

    /// The last keyframe that starts at or before a time, and its start. `None` before the first.
    pub fn containing(&self, time: Time) -> Option<(usize, Time)> {
        let (mut block, mut block_start, mut next) = (None, Time::ZERO, Time::ZERO);
        for (range, length) in self.block_lengths() {
            if next > time {
                break;
            }
            (block, block_start) = (Some(range), next);
            next += length;
        }
        let (range, mut next) = (block?, block_start);
        let starts = self.range(range.clone()).zip(range).map(|(keyframe, at)| {
            let start = next;
            next += keyframe.duration;
            (at, start)
        });
        starts.take_while(|(_, start)| *start <= time).last()
    }

    /// The blocks, and the sum of the durations in each.
    fn block_lengths(&self) -> impl Iterator<Item = (Range<usize>, Time)> {
        self.list().blocks().map(|(range, keyframes, facts)| (range, facts.length(keyframes)))
    }

    /// Returns true if any key is one of a scalar; decodes nothing.
    pub fn has_scalars(&self) -> bool {
        let any = || self.list().blocks().any(|(_, keyframes, facts)| facts.has_scalars(keyframes));
        self.still_packed().map_or_else(any, Packed::has_scalars)
    }

    /// The range of keyframes that differ between another state and this one, in either: all but the equal ones at the
    /// start and at the end.
    pub fn changed_since(&self, before: &Keyframes) -> [Range<usize>; 2] {
        self.list().changed_since(before.list(), |a, b| {
            (a.duration, a.kind) == (b.duration, b.kind) && a.keys.is_same(&b.keys)
        })
    }

    /// The approximate size in memory; decodes nothing.
    pub fn bytes(&self) -> usize {
        self.still_packed().map_or_else(|| self.iter().map(Keyframe::bytes).sum(), |packed| packed.bytes().len())
    }

    /// The approximate size in memory of what another state doesn't share; decodes nothing.
    pub fn unshared_bytes(&self, other: &Keyframes) -> usize {
        if self.is_packed() || other.is_packed() {
            return self.bytes();
        }
        let blocks: usize = self.list().unshared(other.list()).count();
        let [_, changed] = self.changed_since(other);
        let keys: usize = self.range(changed).map(|keyframe| size_of_val(&keyframe.keys[..])).sum();
        self.list().own_bytes() + blocks * size_of::<Keyframe>() + keys
    }

    /// The bytes that the keyframes were decoded from, or will be; `None` if they were not packed, or have changed.
    pub fn packed_bytes(&self) -> Option<&[u8]> {
        self.packed.as_deref().map(Packed::bytes)
    }

    /// Decodes the keyframes, so that copies share them.
    pub fn decode(&self) {
        self.list();
    }

    /// Decodes the keyframes and drops the packed bytes.
    pub fn release(&mut self) {
        self.list();
        self.packed = None;
    }

    fn list(&self) -> &KeyframeList {
        self.list.get_or_init(|| self.packed.as_ref().map_or_else(KeyframeList::default, |it| it.unpack().into()))
    }

    fn still_packed(&self) -> Option<&dyn Packed> {
        self.packed.as_deref().filter(|_| self.list.get().is_none())
    }
}

impl Deref for Keyframes {
    type Target = KeyframeList;

    fn deref(&self) -> &KeyframeList {
        self.list()
    }
}

impl DerefMut for Keyframes {
    fn deref_mut(&mut self) -> &mut KeyframeList {
        self.release();
        self.list.get_mut().expect("it was unpacked just now")
    }
}

impl From<Vec<Keyframe>> for Keyframes {
    fn from(list: Vec<Keyframe>) -> Keyframes {
        KeyframeList::from(list).into()
    }
}

impl From<KeyframeList> for Keyframes {
    fn from(list: KeyframeList) -> Keyframes {
        Keyframes { list: list.into(), packed: None }
    }
}

impl<const N: usize> From<[Keyframe; N]> for Keyframes {
    fn from(list: [Keyframe; N]) -> Keyframes {
        Vec::from(list).into()
    }
}

impl FromIterator<Keyframe> for Keyframes {
    fn from_iter<I: IntoIterator<Item = Keyframe>>(keyframes: I) -> Keyframes {
        keyframes.into_iter().collect::<KeyframeList>().into()
    }
}

impl IntoIterator for Keyframes {
    type Item = Keyframe;
    type IntoIter = std::vec::IntoIter<Keyframe>;

    fn into_iter(self) -> Self::IntoIter {
        self.list().to_vec().into_iter()
    }
}

impl<'a> IntoIterator for &'a Keyframes {
    type Item = &'a Keyframe;
    type IntoIter = Iter<'a, Keyframe, Facts>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl PartialEq for Keyframes {
    /// Keyframes that are packed in equal bytes are not decoded.
    fn eq(&self, other: &Keyframes) -> bool {
        match (&self.packed, &other.packed) {
            (Some(a), Some(b)) if a.bytes() == b.bytes() => true,
            _ => self.list() == other.list(),
        }
    }
}

impl fmt::Debug for Keyframes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.list().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One byte per duration.
    struct Durations(Vec<u8>);

    impl Packed for Durations {
        fn count(&self) -> usize {
            self.0.len()
        }

        fn length(&self) -> Time {
            self.0.iter().map(|&duration| Time(duration.into())).sum()
        }

        fn bytes(&self) -> &[u8] {
            &self.0
        }

        fn has_scalars(&self) -> bool {
            false
        }

        fn unpack(&self) -> Vec<Keyframe> {
            self.0.iter().map(|&duration| Keyframe { duration: Time(duration.into()), ..Keyframe::default() }).collect()
        }
    }

    fn packed(durations: &[u8]) -> Keyframes {
        Keyframes::packed(Arc::new(Durations(durations.to_vec())))
    }

    #[test]
    fn packed_keyframes_are_decoded_on_first_access() {
        let keyframes = packed(&[3, 4]);
        let shared = keyframes.clone();
        assert_eq!((keyframes.len(), keyframes.length(), keyframes.is_empty()), (2, Time(7), false));
        assert!(keyframes == shared && keyframes.bytes() == 2 && keyframes.is_packed());
        assert_eq!(keyframes[1].duration, Time(4));
        assert_eq!((keyframes.len(), keyframes.length(), keyframes.is_packed()), (2, Time(7), false));
        assert!(shared.is_packed(), "accessing a clone doesn't decode the original");
        assert!(keyframes == shared && keyframes != packed(&[3, 5]));
    }

    #[test]
    fn changing_a_clone_leaves_the_original() {
        let before = packed(&[3, 4]);
        let mut after = before.clone();
        after.push(Keyframe { duration: Time(5), ..Keyframe::default() });
        after[0].duration = Time(1);
        assert_eq!((before.length(), after.length(), after.len()), (Time(7), Time(10), 3));
        assert!(before != after);
        assert_eq!(after.into_iter().map(|keyframe| keyframe.duration.0).collect::<Vec<_>>(), [1, 4, 5]);
        assert!(Keyframes::default().is_empty() && Keyframes::default() == packed(&[]));
    }
}
