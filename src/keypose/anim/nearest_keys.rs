//! The nearest keys of channels before and after a place in a clip, found from there outwards. Blocks of keyframes know which channels
//! have keys in them, so what is far away is skipped: a search takes as long in a long clip as in a short one.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use crate::anim::key::{BoneIndex, Channel, Key};
use crate::anim::keyframes::{Keyframe, Keyframes};
use crate::anim::time::Time;

/// A bone and its channel.
type Address = (BoneIndex, Channel);

/// Facts about a block of keyframes, each found when it is first asked for.
#[derive(Debug, Default)]
pub struct Facts {
    length: OnceLock<Time>,
    /// The channels that have keys, sorted. Neighbours with the same channels share the list.
    channels: OnceLock<Arc<[Address]>>,
    has_scalars: OnceLock<bool>,
}

impl Facts {
    /// The sum of the durations of the block, which has these keyframes.
    pub fn length(&self, keyframes: &[Keyframe]) -> Time {
        *self.length.get_or_init(|| keyframes.iter().map(|keyframe| keyframe.duration).sum())
    }

    /// Whether the block, which has these keyframes, has a key of a scalar.
    pub fn has_scalars(&self, keyframes: &[Keyframe]) -> bool {
        let any = || keyframes.iter().flat_map(|keyframe| &keyframe.keys).any(|key| key.channel.scalar().is_some());
        *self.has_scalars.get_or_init(any)
    }

    /// The channels of the block, which has these keyframes; those of a neighbour if they are the same.
    fn channels(&self, keyframes: &[Keyframe], neighbour: Option<&Arc<[Address]>>) -> &Arc<[Address]> {
        self.channels.get_or_init(|| {
            let known = neighbour.map_or_else(|| [].into(), Arc::clone);
            let is_known = |keyframe: &Keyframe| keyframe.keys.iter().map(Key::address).eq(known.iter().copied());
            if !known.is_empty() && keyframes.iter().all(is_known) { known } else { channels_of(keyframes).into() }
        })
    }
}

/// All channels that have keys, sorted.
pub fn channels_of<'a>(keyframes: impl IntoIterator<Item = &'a Keyframe>) -> Vec<Address> {
    let (mut known, mut new) = (Vec::<Address>::new(), Vec::new());
    for keyframe in keyframes {
        // Both lists are sorted, so one pass over each keyframe is enough.
        let mut at = 0;
        for address in keyframe.keys.iter().map(Key::address) {
            while known.get(at).is_some_and(|channel| *channel < address) {
                at += 1;
            }
            if known.get(at) != Some(&address) {
                new.push(address);
            }
        }
        if !new.is_empty() {
            known.append(&mut new);
            known.sort_unstable();
        }
    }
    known
}

/// From where a search goes, and how far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Way {
    /// From the last of these keyframes to the first.
    Back(Range<usize>),
    /// From the first of these keyframes to the last.
    Forth(Range<usize>),
}

/// The channels that a search still looks for.
struct Wanted {
    /// Sorted.
    channels: Vec<Address>,
    /// The number of each channel, and how many of its keys are still to be found.
    left: Vec<(usize, usize)>,
}

impl Wanted {
    /// Whether any of these channels, which are sorted, is wanted.
    fn any_of(&self, channels: &[Address]) -> bool {
        let (few, many) = if self.channels.len() < channels.len() {
            (&self.channels[..], channels)
        } else {
            (channels, &self.channels[..])
        };
        if few.len() * 8 < many.len() {
            return few.iter().any(|channel| many.binary_search(channel).is_ok());
        }
        let mut many = many.iter().peekable();
        few.iter().any(|channel| {
            while many.next_if(|other| *other < channel).is_some() {}
            many.peek() == Some(&channel)
        })
    }

    /// Looks at a keyframe.
    fn find_in(&mut self, at: usize, keyframe: &Keyframe, found: &mut impl FnMut(usize, usize, usize)) {
        let (left, mut is_done) = (&mut self.left, false);
        keyframe.find_channels(&self.channels, |channel, key| {
            let (number, count) = &mut left[channel];
            found(*number, at, key);
            *count -= 1;
            is_done |= *count == 0;
        });
        if is_done {
            let mut counts = self.left.iter();
            self.channels.retain(|_| counts.next().is_some_and(|(_, count)| *count > 0));
            self.left.retain(|(_, count)| *count > 0);
        }
    }
}

impl Keyframes {
    /// Calls `found` with the nearest keys of each of some channels, at most `count` of each: the number of the channel, the index of
    /// the keyframe, and that of the key in it. The channels are sorted and different.
    pub fn nearest_keys(
        &self,
        way: Way,
        count: usize,
        channels: &[Address],
        mut found: impl FnMut(usize, usize, usize),
    ) {
        let left = (0..channels.len()).map(|number| (number, count)).collect();
        let mut wanted = Wanted { channels: channels.to_vec(), left };
        match way {
            Way::Back(range) => {
                let blocks = self.blocks().rev().skip_while(|(block, ..)| block.start >= range.end);
                search(
                    &mut wanted,
                    blocks.take_while(|(block, ..)| block.end > range.start),
                    |wanted, block, keyframes| {
                        let inside = block.zip(keyframes).rev().filter(|(at, _)| range.contains(at));
                        inside.for_each(|(at, keyframe)| wanted.find_in(at, keyframe, &mut found));
                    },
                );
            }
            Way::Forth(range) => {
                let blocks = self.blocks().skip_while(|(block, ..)| block.end <= range.start);
                search(
                    &mut wanted,
                    blocks.take_while(|(block, ..)| block.start < range.end),
                    |wanted, block, keyframes| {
                        let inside = block.zip(keyframes).filter(|(at, _)| range.contains(at));
                        inside.for_each(|(at, keyframe)| wanted.find_in(at, keyframe, &mut found));
                    },
                );
            }
        }
    }
}

/// Looks at blocks one after the other, until nothing is wanted. The first one is near: its keyframes are looked at in any case.
fn search<'a>(
    wanted: &mut Wanted,
    blocks: impl Iterator<Item = (Range<usize>, &'a [Keyframe], &'a Facts)>,
    mut look: impl FnMut(&mut Wanted, Range<usize>, &'a [Keyframe]),
) {
    // The last block's channels, none of which was wanted.
    let mut useless: Option<&Arc<[Address]>> = None;
    for (number, (block, keyframes, facts)) in blocks.enumerate() {
        if wanted.channels.is_empty() {
            return;
        }
        if number > 0 {
            let channels = facts.channels(keyframes, useless);
            if useless.is_some_and(|known| Arc::ptr_eq(known, channels)) {
                continue;
            }
            if !wanted.any_of(channels) {
                useless = Some(channels);
                continue;
            }
        }
        look(wanted, block, keyframes);
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;

    /// Keyframes of which some have keys of every bone, and stretches have none of some.
    fn keyframes(count: usize) -> Keyframes {
        let is_keyed = |at: usize, bone: usize| match bone {
            0 => true,
            1 => at.is_multiple_of(3),
            2 => at.is_multiple_of(100),
            3 => at > 250,
            _ => (at * 7919 + bone * 31).is_multiple_of(60),
        };
        let keys =
            |at: usize| (0..20).filter(move |bone| is_keyed(at, *bone)).map(|bone| Key::scale(bone as u16, Vec3::ONE));
        (0..count)
            .map(|at| Keyframe { duration: Time(at as i64 % 5 + 1), keys: keys(at).collect(), ..Keyframe::default() })
            .collect()
    }

    /// The result of a search, by looking at each keyframe.
    fn expected(keyframes: &Keyframes, way: &Way, count: usize, channels: &[Address]) -> Vec<Vec<usize>> {
        let order: Vec<usize> = match way.clone() {
            Way::Back(range) => range.rev().collect(),
            Way::Forth(range) => range.collect(),
        };
        let of = |(bone, channel): &Address| {
            order.iter().copied().filter(|at| keyframes[*at].key(*bone, *channel).is_some()).take(count).collect()
        };
        channels.iter().map(of).collect()
    }

    fn check(keyframes: &Keyframes) {
        let all: Vec<Address> = (0..22).flat_map(|bone| [(bone, Channel::Rotation), (bone, Channel::Scale)]).collect();
        let len = keyframes.len();
        for (from, to) in [(0, len), (1, len), (len / 2, len), (len / 3, len / 3 + 1), (5, 5), (len - 1, len)] {
            for channels in [&all[..], &all[4..6], &all[7..8], &[]] {
                for (way, count) in
                    [(Way::Back(from..to), 1), (Way::Forth(from..to), 2), (Way::Back(from..to), usize::MAX)]
                {
                    let mut found = vec![Vec::new(); channels.len()];
                    keyframes.nearest_keys(way.clone(), count, channels, |channel, at, key| {
                        assert_eq!(keyframes[at].keys[key].address(), channels[channel]);
                        found[channel].push(at);
                    });
                    assert_eq!(found, expected(keyframes, &way, count, channels), "{way:?} {count}");
                }
            }
        }
    }

    #[test]
    fn a_search_finds_what_a_look_at_each_keyframe_finds() {
        let mut keyframes = keyframes(400);
        check(&keyframes);
        for at in [390, 300, 33, 32, 31, 0] {
            let removed = keyframes.remove(at);
            keyframes[at / 2].set(Key::scale(21, Vec3::ONE));
            keyframes[at / 3].keys.clear();
            check(&keyframes);
            keyframes.insert(at / 4, removed);
        }
    }

    #[test]
    fn starts_are_the_sums_of_the_durations_after_any_change() {
        let mut keyframes = keyframes(300);
        for at in [0, 31, 200, 100, 32] {
            keyframes[at].duration = Time(9);
            let moved = keyframes.remove(at);
            keyframes.insert(at * 2 / 3, moved);
            let mut start = Time::ZERO;
            for (at, keyframe) in keyframes.iter().enumerate() {
                assert_eq!(keyframes.start_of(at), start);
                assert_eq!(keyframes.containing(start), Some((at, start)));
                assert_eq!(keyframes.containing(start + keyframe.duration - Time(1)), Some((at, start)));
                start += keyframe.duration;
            }
            assert_eq!((keyframes.length(), keyframes.start_of(9999)), (start, start));
            assert_eq!((keyframes.containing(Time(-1)), keyframes.containing(start).map(|it| it.0)), (None, Some(299)));
        }
    }

    #[test]
    fn an_edit_copies_little_of_a_long_clip() {
        let before = keyframes(10_000);
        let mut after = before.clone();
        after[5000].set(Key::translation(0, Vec3::ONE));
        assert_eq!(after.changed_since(&before), [5000..5001, 5000..5001]);
        assert!(after.unshared_bytes(&before) < before.bytes() / 50);
    }
}
