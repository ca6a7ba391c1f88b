//! The keyframes of a clip: a plain list, or packed bytes that are decoded on first access. A game that plays baked
//! clips never decodes them.

use std::fmt;
use std::ops::{Deref, DerefMut, Range};
use std::sync::{Arc, OnceLock};

use crate::anim::key::{BoneIndex, Channel, Key};
use crate::anim::keys::Keys;
use crate::anim::time::Time;

/// A duration, and the keys at its start.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Keyframe {
    /// More than zero, except for the last keyframe. The durations before it add up to its start.
    pub duration: Time,
    /// Sorted by [`Key::address`], which is unique.
    pub keys: Keys,
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

/// A list of keyframes, used as a `Vec`. Packed keyframes are decoded on first access; a change drops the packed bytes.
#[derive(Clone, Default)]
pub struct Keyframes {
    list: OnceLock<Vec<Keyframe>>,
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
        self.still_packed().map_or_else(|| self.as_slice().len(), Packed::count)
    }

    /// Returns true if there are no keyframes; decodes nothing.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The sum of all durations; decodes nothing.
    pub fn length(&self) -> Time {
        let sum = || self.as_slice().iter().map(|keyframe| keyframe.duration).sum();
        self.still_packed().map_or_else(sum, Packed::length)
    }

    /// Returns true if any key is one of a scalar; decodes nothing.
    pub fn has_scalars(&self) -> bool {
        let any = || self.iter().any(|keyframe| keyframe.keys.iter().any(|key| key.channel.scalar().is_some()));
        self.still_packed().map_or_else(any, Packed::has_scalars)
    }

    /// The range of keyframes that differ between another state and this one, in either: all but the equal ones at the
    /// start and at the end.
    pub fn changed_since(&self, before: &Keyframes) -> [Range<usize>; 2] {
        let (old, new) = (&before[..], &self[..]);
        let is_same = |(a, b): &(&Keyframe, &Keyframe)| a.duration == b.duration && a.keys.is_same(&b.keys);
        let head = old.iter().zip(new).take_while(is_same).count();
        let (old_rest, new_rest) = (&old[head..], &new[head..]);
        let tail = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(is_same).count();
        [head..old.len() - tail, head..new.len() - tail]
    }

    /// The approximate size in memory; decodes nothing.
    pub fn bytes(&self) -> usize {
        let of = |keyframe: &Keyframe| size_of::<Keyframe>() + size_of_val(&keyframe.keys[..]);
        self.still_packed().map_or_else(|| self.iter().map(of).sum(), |packed| packed.bytes().len())
    }

    /// The bytes that the keyframes were decoded from, or will be; `None` if they were not packed, or have changed.
    pub fn packed_bytes(&self) -> Option<&[u8]> {
        self.packed.as_deref().map(Packed::bytes)
    }

    /// Decodes the keyframes, so that copies share them.
    pub fn decode(&self) {
        let _: &Vec<Keyframe> = self;
    }

    /// Decodes the keyframes and drops the packed bytes.
    pub fn release(&mut self) {
        let _: &Vec<Keyframe> = self;
        self.packed = None;
    }

    fn still_packed(&self) -> Option<&dyn Packed> {
        self.packed.as_deref().filter(|_| self.list.get().is_none())
    }
}

impl Deref for Keyframes {
    type Target = Vec<Keyframe>;

    fn deref(&self) -> &Vec<Keyframe> {
        self.list.get_or_init(|| self.packed.as_ref().map_or_else(Vec::new, |packed| packed.unpack()))
    }
}

impl DerefMut for Keyframes {
    fn deref_mut(&mut self) -> &mut Vec<Keyframe> {
        self.release();
        self.list.get_mut().expect("it was unpacked just now")
    }
}

impl From<Vec<Keyframe>> for Keyframes {
    fn from(list: Vec<Keyframe>) -> Keyframes {
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
        keyframes.into_iter().collect::<Vec<_>>().into()
    }
}

impl IntoIterator for Keyframes {
    type Item = Keyframe;
    type IntoIter = std::vec::IntoIter<Keyframe>;

    fn into_iter(mut self) -> Self::IntoIter {
        std::mem::take(&mut *self).into_iter()
    }
}

impl<'a> IntoIterator for &'a Keyframes {
    type Item = &'a Keyframe;
    type IntoIter = std::slice::Iter<'a, Keyframe>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a> IntoIterator for &'a mut Keyframes {
    type Item = &'a mut Keyframe;
    type IntoIter = std::slice::IterMut<'a, Keyframe>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

impl PartialEq for Keyframes {
    /// Keyframes that are packed in equal bytes are not decoded.
    fn eq(&self, other: &Keyframes) -> bool {
        match (&self.packed, &other.packed) {
            (Some(a), Some(b)) if a.bytes() == b.bytes() => true,
            _ => **self == **other,
        }
    }
}

impl fmt::Debug for Keyframes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
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
            self.0.iter().map(|&duration| Keyframe { duration: Time(duration.into()), keys: vec![].into() }).collect()
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
        after.push(Keyframe { duration: Time(5), keys: vec![].into() });
        after[0].duration = Time(1);
        assert_eq!((before.length(), after.length(), after.len()), (Time(7), Time(10), 3));
        assert!(before != after);
        assert_eq!(after.into_iter().map(|keyframe| keyframe.duration.0).collect::<Vec<_>>(), [1, 4, 5]);
        assert!(Keyframes::default().is_empty() && Keyframes::default() == packed(&[]));
    }
}
