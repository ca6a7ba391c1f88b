//! A list for values of which many states are kept: clones share its elements in blocks. A change copies one block and the list of
//! blocks, so each of a thousand states of a list that grew by one element costs little more than that element.

use std::collections::BTreeSet;
use std::fmt;
use std::iter::FusedIterator;
use std::ops::{Index, IndexMut, Range};
use std::slice;
use std::sync::Arc;

/// The elements of a block at most. A change copies one block, and the list of blocks: as long as a block for each 1,024 elements.
const BLOCK: usize = 32;

/// A list whose clones share what they have in common. Used as a `Vec`, but it is no slice. Each block has room for facts about its
/// elements, which a change of the block forgets.
pub struct SharedList<T, F = ()> {
    parts: Vec<Part<T, F>>,
    len: usize,
}

/// A block, which is not empty, and the number of elements before it.
struct Part<T, F> {
    start: usize,
    block: Arc<Block<T, F>>,
}

struct Block<T, F> {
    list: Vec<T>,
    facts: F,
}

impl<T, F> SharedList<T, F> {
    /// The number of elements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The elements in order.
    pub fn iter(&self) -> Iter<'_, T, F> {
        Iter { front: [].iter(), parts: self.parts.iter(), back: [].iter(), len: self.len }
    }

    /// The elements with these indices; those of them that there are.
    pub fn range(&self, Range { start, end }: Range<usize>) -> Iter<'_, T, F> {
        let end = end.min(self.len);
        let (Some((first, from)), Some((last, to))) = (self.place(start), self.place(end.wrapping_sub(1))) else {
            return Iter { front: [].iter(), parts: [].iter(), back: [].iter(), len: 0 };
        };
        let of = |number: usize| &self.parts[number].block.list;
        let (front, parts, back) = match first.cmp(&last) {
            std::cmp::Ordering::Less => (&of(first)[from..], &self.parts[first + 1..last], &of(last)[..=to]),
            _ => (of(first).get(from..=to).unwrap_or_default(), &[][..], &[][..]),
        };
        Iter { front: front.iter(), parts: parts.iter(), back: back.iter(), len: end.saturating_sub(start) }
    }

    /// An element; `None` past the end.
    pub fn get(&self, at: usize) -> Option<&T> {
        let (number, at) = self.place(at)?;
        self.parts[number].block.list.get(at)
    }

    /// The first element.
    pub fn first(&self) -> Option<&T> {
        self.parts.first()?.block.list.first()
    }

    /// The last element.
    pub fn last(&self) -> Option<&T> {
        self.parts.last()?.block.list.last()
    }

    /// The number of elements before the first one for which `is_before` is false, of a list that it divides in two.
    pub fn partition_point(&self, is_before: impl Fn(&T) -> bool) -> usize {
        let whole = self.parts.partition_point(|part| part.block.list.last().is_some_and(&is_before));
        self.parts.get(whole).map_or(self.len, |part| part.start + part.block.list.partition_point(is_before))
    }

    /// The blocks in order: the indices of their elements, these, and the facts about them.
    pub fn blocks(&self) -> impl DoubleEndedIterator<Item = (Range<usize>, &[T], &F)> + ExactSizeIterator {
        self.parts.iter().map(|Part { start, block }| (*start..start + block.list.len(), &block.list[..], &block.facts))
    }

    /// The elements of the blocks that another state of the list doesn't share: all that are new or changed, and their neighbours.
    pub fn unshared<'a>(&'a self, other: &SharedList<T, F>) -> impl Iterator<Item = &'a T> + use<'a, T, F> {
        self.of_blocks(other, false)
    }

    /// The elements of the blocks that another state of the list shares.
    pub fn shared<'a>(&'a self, other: &SharedList<T, F>) -> impl Iterator<Item = &'a T> + use<'a, T, F> {
        self.of_blocks(other, true)
    }

    fn of_blocks<'a>(
        &'a self,
        other: &SharedList<T, F>,
        are_shared: bool,
    ) -> impl Iterator<Item = &'a T> + use<'a, T, F> {
        let is_same = |(a, b): &(&Part<T, F>, &Part<T, F>)| Arc::ptr_eq(&a.block, &b.block);
        // States mostly share all blocks but one; those between the ends may have moved.
        let head = self.parts.iter().zip(&other.parts).take_while(is_same).count();
        let ends = self.parts[head..].iter().rev().zip(other.parts[head..].iter().rev());
        let tail = ends.take_while(is_same).count();
        let theirs = other.parts[head..other.parts.len() - tail].iter();
        let theirs: BTreeSet<*const Block<T, F>> = theirs.map(|part| Arc::as_ptr(&part.block)).collect();
        let rest = head..self.parts.len() - tail;
        let is_shared =
            move |at: usize, part: &Part<T, F>| !rest.contains(&at) || theirs.contains(&Arc::as_ptr(&part.block));
        let parts = self.parts.iter().enumerate().filter(move |(at, part)| is_shared(*at, part) == are_shared);
        parts.flat_map(|(_, part)| part.block.list.iter())
    }

    /// The elements that two states don't have in common, by their index in each: all but the same ones at the start and at the end.
    /// Blocks that they share are the same.
    pub fn changed_since(&self, before: &SharedList<T, F>, is_same: impl Fn(&T, &T) -> bool) -> [Range<usize>; 2] {
        let shared = |(old, new): &(&Part<T, F>, &Part<T, F>)| Arc::ptr_eq(&old.block, &new.block);
        let count = before.parts.iter().zip(&self.parts).take_while(shared).map(|(old, _)| old.block.list.len());
        let mut head: usize = count.sum();
        let is_pair = |(old, new): &(&T, &T)| is_same(old, new);
        head += before.range(head..before.len).zip(self.range(head..self.len)).take_while(is_pair).count();
        // What both have at the start can't be at the end, too.
        let most = before.len.min(self.len) - head;
        let ends = before.parts.iter().rev().zip(self.parts.iter().rev()).take_while(shared);
        let mut tail = ends.map(|(old, _)| old.block.list.len()).sum::<usize>().min(most);
        let rest = |list: &SharedList<T, F>| head..list.len - tail;
        tail += before.range(rest(before)).rev().zip(self.range(rest(self)).rev()).take_while(is_pair).count();
        [head..before.len - tail, head..self.len - tail]
    }

    /// The bytes of the list of blocks, which no state shares.
    pub fn own_bytes(&self) -> usize {
        size_of_val(&self.parts[..])
    }

    /// The block of an element, and its index in it.
    fn place(&self, at: usize) -> Option<(usize, usize)> {
        let number = self.parts.partition_point(|part| part.start <= at).checked_sub(1)?;
        (at < self.len).then(|| (number, at - self.parts[number].start))
    }

    /// Counts the elements before each block, from a block on.
    fn count_from(&mut self, number: usize) {
        let before = number.checked_sub(1).map(|before| &self.parts[before]);
        let mut start = before.map_or(0, |part| part.start + part.block.list.len());
        for part in &mut self.parts[number..] {
            part.start = start;
            start += part.block.list.len();
        }
        self.len = start;
    }
}

impl<T: Clone, F: Default> SharedList<T, F> {
    /// The elements as a list of their own.
    pub fn to_vec(&self) -> Vec<T> {
        self.iter().cloned().collect()
    }

    /// An element to change; `None` past the end.
    pub fn get_mut(&mut self, at: usize) -> Option<&mut T> {
        let (number, at) = self.place(at)?;
        self.parts[number].list_mut().get_mut(at)
    }

    /// The last element to change.
    pub fn last_mut(&mut self) -> Option<&mut T> {
        self.get_mut(self.len.checked_sub(1)?)
    }

    /// All elements to change. Copies all blocks that are shared: for a few elements, [`SharedList::get_mut`] is better.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.parts.iter_mut().flat_map(|part| part.list_mut().iter_mut())
    }

    /// Adds an element at the end.
    pub fn push(&mut self, element: T) {
        match self.parts.last_mut() {
            Some(part) if part.block.list.len() < BLOCK => part.list_mut().push(element),
            _ => self.parts.push(Part::new(self.len, vec![element])),
        }
        self.len += 1;
    }

    /// Inserts an element before the one with this index.
    ///
    /// # Panics
    ///
    /// If the index is past the end.
    pub fn insert(&mut self, at: usize, element: T) {
        assert!(at <= self.len, "index {at} of {} elements", self.len);
        let Some((number, at)) = self.place(at) else { return self.push(element) };
        let list = self.parts[number].list_mut();
        list.insert(at, element);
        if list.len() > BLOCK {
            let rest = list.split_off(BLOCK / 2);
            self.parts.insert(number + 1, Part::new(0, rest));
        }
        self.count_from(number);
    }

    /// Removes and returns an element.
    ///
    /// # Panics
    ///
    /// If there is none with this index.
    pub fn remove(&mut self, at: usize) -> T {
        let place = self.place(at);
        let (number, at) = place.unwrap_or_else(|| panic!("index {at} of {} elements", self.len));
        let list = self.parts[number].list_mut();
        let removed = list.remove(at);
        if list.is_empty() {
            self.parts.remove(number);
        }
        self.count_from(number);
        removed
    }

    /// Drops the elements from an index on.
    pub fn truncate(&mut self, len: usize) {
        let Some((number, at)) = self.place(len) else { return };
        self.parts.truncate(number + 1);
        self.parts[number].list_mut().truncate(at);
        self.parts.retain(|part| !part.block.list.is_empty());
        self.len = len;
    }

    /// Sorts the elements by a key, stably. A sorted list stays shared.
    pub fn sort_by_key<K: Ord>(&mut self, key: impl Fn(&T) -> K) {
        if !self.iter().is_sorted_by_key(&key) {
            let mut elements = self.to_vec();
            elements.sort_by_key(key);
            *self = elements.into();
        }
    }
}

impl<T, F: Default> Part<T, F> {
    fn new(start: usize, list: Vec<T>) -> Part<T, F> {
        Part { start, block: Arc::new(Block { list, facts: F::default() }) }
    }

    /// The elements to change; no facts are known about them any more.
    fn list_mut(&mut self) -> &mut Vec<T>
    where
        T: Clone,
    {
        let block = Arc::make_mut(&mut self.block);
        block.facts = F::default();
        &mut block.list
    }
}

impl<T: Clone, F: Default> Clone for Block<T, F> {
    fn clone(&self) -> Block<T, F> {
        Block { list: self.list.clone(), facts: F::default() }
    }
}

impl<T, F> Clone for Part<T, F> {
    fn clone(&self) -> Part<T, F> {
        Part { start: self.start, block: self.block.clone() }
    }
}

impl<T, F> Clone for SharedList<T, F> {
    fn clone(&self) -> SharedList<T, F> {
        SharedList { parts: self.parts.clone(), len: self.len }
    }
}

/// The elements of a [`SharedList`] in order.
pub struct Iter<'a, T, F = ()> {
    front: slice::Iter<'a, T>,
    parts: slice::Iter<'a, Part<T, F>>,
    back: slice::Iter<'a, T>,
    len: usize,
}

impl<T, F> Clone for Iter<'_, T, F> {
    fn clone(&self) -> Self {
        Iter { front: self.front.clone(), parts: self.parts.clone(), back: self.back.clone(), len: self.len }
    }
}

impl<'a, T, F> Iterator for Iter<'a, T, F> {
    type Item = &'a T;

    fn next(&mut self) -> Option<&'a T> {
        self.len = self.len.checked_sub(1)?;
        loop {
            if let Some(element) = self.front.next() {
                return Some(element);
            }
            match self.parts.next() {
                Some(part) => self.front = part.block.list.iter(),
                None => return self.back.next(),
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.len, Some(self.len))
    }
}

impl<T, F> DoubleEndedIterator for Iter<'_, T, F> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.len = self.len.checked_sub(1)?;
        loop {
            if let Some(element) = self.back.next_back() {
                return Some(element);
            }
            match self.parts.next_back() {
                Some(part) => self.back = part.block.list.iter(),
                None => return self.front.next_back(),
            }
        }
    }
}

impl<T, F> ExactSizeIterator for Iter<'_, T, F> {}
impl<T, F> FusedIterator for Iter<'_, T, F> {}

impl<T, F> Default for SharedList<T, F> {
    fn default() -> SharedList<T, F> {
        SharedList { parts: Vec::new(), len: 0 }
    }
}

impl<T, F: Default> FromIterator<T> for SharedList<T, F> {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> SharedList<T, F> {
        let (mut list, mut elements) = (SharedList::default(), elements.into_iter());
        loop {
            let block: Vec<T> = elements.by_ref().take(BLOCK).collect();
            if block.is_empty() {
                return list;
            }
            let start = list.len;
            list.len += block.len();
            list.parts.push(Part::new(start, block));
        }
    }
}

impl<T, F: Default> From<Vec<T>> for SharedList<T, F> {
    fn from(elements: Vec<T>) -> SharedList<T, F> {
        elements.into_iter().collect()
    }
}

impl<'a, T, F> IntoIterator for &'a SharedList<T, F> {
    type Item = &'a T;
    type IntoIter = Iter<'a, T, F>;

    fn into_iter(self) -> Iter<'a, T, F> {
        self.iter()
    }
}

impl<T, F> Index<usize> for SharedList<T, F> {
    type Output = T;

    fn index(&self, at: usize) -> &T {
        self.get(at).unwrap_or_else(|| panic!("index {at} of {} elements", self.len))
    }
}

impl<T: Clone, F: Default> IndexMut<usize> for SharedList<T, F> {
    fn index_mut(&mut self, at: usize) -> &mut T {
        let len = self.len;
        self.get_mut(at).unwrap_or_else(|| panic!("index {at} of {len} elements"))
    }
}

impl<T: PartialEq, F> PartialEq for SharedList<T, F> {
    /// Blocks that both share at the start and at the end are not compared.
    fn eq(&self, other: &SharedList<T, F>) -> bool {
        self.len == other.len && self.changed_since(other, |a, b| a == b)[0].is_empty()
    }
}

impl<T: fmt::Debug, F> fmt::Debug for SharedList<T, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self).finish()
    }
}

impl<T, F> fmt::Debug for Iter<'_, T, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Iter").field("len", &self.len).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same numbers as a list and as a `Vec`, after changes at places that a fixed sequence takes.
    fn changed(steps: usize) -> (SharedList<u32>, Vec<u32>) {
        let (mut list, mut plain, mut dice) = (SharedList::default(), Vec::new(), 1_u32);
        for step in 0..steps as u32 {
            dice = dice.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let at = (dice >> 8) as usize % (plain.len() + 1);
            match dice >> 30 {
                0 if at < plain.len() => assert_eq!(list.remove(at), plain.remove(at)),
                1 => (list.push(step), plain.push(step)).0,
                _ => (list.insert(at, step), plain.insert(at, step)).0,
            }
        }
        (list, plain)
    }

    #[test]
    fn it_holds_what_a_vec_holds() {
        for steps in [0, 1, 63, 64, 65, 500, 3000] {
            let (mut list, mut plain) = changed(steps);
            assert!(list.iter().eq(&plain) && list.iter().rev().eq(plain.iter().rev()), "{steps} steps");
            assert_eq!((list.len(), list.iter().len(), list.last()), (plain.len(), plain.len(), plain.last()));
            assert!((0..=plain.len()).all(|at| list.get(at) == plain.get(at)));
            for (from, to) in [(0, 9), (5, 5), (20, 40), (31, 33), (7, 9999), (64, plain.len())] {
                let (from, to) = (from.min(plain.len()), to.min(plain.len()).max(from.min(plain.len())));
                assert!(
                    list.range(from..to).eq(&plain[from..to])
                        && list.range(from..to).rev().eq(plain[from..to].iter().rev())
                );
                assert_eq!(list.range(from..to).len(), to - from);
            }
            let mut short = list.clone();
            short.truncate(plain.len() / 2);
            assert!(short.iter().eq(&plain[..plain.len() / 2]) && list.len() == plain.len());
            assert_eq!(list, SharedList::from(plain.clone()), "cut into other blocks");
            list.sort_by_key(|number| number / 8);
            plain.sort_by_key(|number| number / 8);
            assert_eq!(list.to_vec(), plain);
            let is_before = |number: &u32| *number < 300;
            assert_eq!(list.partition_point(is_before), plain.partition_point(is_before));
            list.iter_mut().for_each(|number| *number += 1);
            assert!(list.iter().eq(plain.iter().map(|number| number + 1).collect::<Vec<_>>().iter()));
        }
    }

    #[test]
    fn both_ends_meet_in_any_block() {
        let list: SharedList<u32> = (0..200).collect();
        for front in [0, 1, 64, 100, 199, 200] {
            let mut numbers = list.iter();
            assert!(numbers.by_ref().take(front).eq((0..front as u32).collect::<Vec<_>>().iter()));
            assert!(numbers.by_ref().rev().eq((front as u32..200).rev().collect::<Vec<_>>().iter()), "{front}");
            assert_eq!((numbers.next(), numbers.next_back()), (None, None));
        }
    }

    #[test]
    fn a_change_leaves_clones_and_copies_one_block() {
        let before: SharedList<u32> = (0..1000).collect();
        let changes: [fn(&mut SharedList<u32>); 4] = [
            |list| list.push(1000),
            |list| list.insert(500, 7),
            |list| assert_eq!(list.remove(500), 500),
            |list| list[500] = 7,
        ];
        for change in changes {
            let mut after = before.clone();
            change(&mut after);
            assert!(after != before && before.iter().copied().eq(0..1000));
            let unshared = after.unshared(&before).count();
            assert!((1..=BLOCK + 1).contains(&unshared));
            assert_eq!(after.shared(&before).count(), after.len() - unshared);
        }
        let mut after = before.clone();
        after.sort_by_key(|number| *number);
        assert!(after == before && after.unshared(&before).next().is_none(), "it was sorted");
    }
}
