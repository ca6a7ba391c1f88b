//! A list for values of which many states are kept: clones share its elements in blocks. A change copies one block and the list of
//! blocks, so each of a thousand states of a list that grew by one element costs little more than that element.

use std::collections::BTreeSet;
use std::fmt;
use std::iter::FusedIterator;
use std::ops::{Index, IndexMut};
use std::slice;
use std::sync::Arc;

/// The elements of a block at most. A change copies one block, and the list of blocks: as long as a block for each 4,096 elements.
const BLOCK: usize = 64;

/// A list whose clones share what they have in common. Used as a `Vec`, but it is no slice; access by index looks at one block of 64
/// elements after another.
#[derive(Clone)]
pub struct SharedList<T> {
    /// None of them is empty.
    blocks: Vec<Arc<Vec<T>>>,
    len: usize,
}

impl<T> SharedList<T> {
    /// The number of elements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The elements in order.
    pub fn iter(&self) -> Iter<'_, T> {
        Iter { front: [].iter(), blocks: self.blocks.iter(), back: [].iter(), len: self.len }
    }

    /// An element; `None` past the end.
    pub fn get(&self, at: usize) -> Option<&T> {
        let (block, at) = self.place(at)?;
        self.blocks[block].get(at)
    }

    /// The last element.
    pub fn last(&self) -> Option<&T> {
        self.blocks.last()?.last()
    }

    /// The number of elements before the first one for which `is_before` is false, of a list that it divides in two.
    pub fn partition_point(&self, is_before: impl Fn(&T) -> bool) -> usize {
        let whole = self.blocks.partition_point(|block| block.last().is_some_and(&is_before));
        let before: usize = self.blocks[..whole].iter().map(|block| block.len()).sum();
        before + self.blocks.get(whole).map_or(0, |block| block.partition_point(is_before))
    }

    /// The elements of the blocks that another state of the list doesn't share: all that are new or changed, and their neighbours.
    pub fn unshared<'a>(&'a self, other: &SharedList<T>) -> impl Iterator<Item = &'a T> + use<'a, T> {
        self.of_blocks(other, false)
    }

    /// The elements of the blocks that another state of the list shares.
    pub fn shared<'a>(&'a self, other: &SharedList<T>) -> impl Iterator<Item = &'a T> + use<'a, T> {
        self.of_blocks(other, true)
    }

    fn of_blocks<'a>(&'a self, other: &SharedList<T>, are_shared: bool) -> impl Iterator<Item = &'a T> + use<'a, T> {
        let theirs: BTreeSet<*const Vec<T>> = other.blocks.iter().map(Arc::as_ptr).collect();
        let blocks = self.blocks.iter().filter(move |block| theirs.contains(&Arc::as_ptr(block)) == are_shared);
        blocks.flat_map(|block| block.iter())
    }

    /// The bytes of the list of blocks, which no state shares.
    pub fn own_bytes(&self) -> usize {
        size_of_val(&self.blocks[..])
    }

    /// The block of an element, and its index in it.
    fn place(&self, mut at: usize) -> Option<(usize, usize)> {
        for (number, block) in self.blocks.iter().enumerate() {
            match at.checked_sub(block.len()) {
                Some(rest) => at = rest,
                None => return Some((number, at)),
            }
        }
        None
    }
}

impl<T: Clone> SharedList<T> {
    /// The elements as a list of their own.
    pub fn to_vec(&self) -> Vec<T> {
        self.iter().cloned().collect()
    }

    /// An element to change; `None` past the end.
    pub fn get_mut(&mut self, at: usize) -> Option<&mut T> {
        let (block, at) = self.place(at)?;
        Arc::make_mut(&mut self.blocks[block]).get_mut(at)
    }

    /// All elements to change. Copies all blocks that are shared: for a few elements, [`SharedList::get_mut`] is better.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.blocks.iter_mut().flat_map(|block| Arc::make_mut(block).iter_mut())
    }

    /// Adds an element at the end.
    pub fn push(&mut self, element: T) {
        self.len += 1;
        match self.blocks.last_mut() {
            Some(block) if block.len() < BLOCK => Arc::make_mut(block).push(element),
            _ => self.blocks.push(Arc::new(vec![element])),
        }
    }

    /// Inserts an element before the one with this index.
    ///
    /// # Panics
    ///
    /// If the index is past the end.
    pub fn insert(&mut self, at: usize, element: T) {
        assert!(at <= self.len, "index {at} of {} elements", self.len);
        let Some((number, at)) = self.place(at) else { return self.push(element) };
        self.len += 1;
        let block = Arc::make_mut(&mut self.blocks[number]);
        block.insert(at, element);
        if block.len() > BLOCK {
            let rest = block.split_off(BLOCK / 2);
            self.blocks.insert(number + 1, Arc::new(rest));
        }
    }

    /// Removes and returns an element.
    ///
    /// # Panics
    ///
    /// If there is none with this index.
    pub fn remove(&mut self, at: usize) -> T {
        let place = self.place(at);
        let (number, at) = place.unwrap_or_else(|| panic!("index {at} of {} elements", self.len));
        let block = Arc::make_mut(&mut self.blocks[number]);
        let removed = block.remove(at);
        if block.is_empty() {
            self.blocks.remove(number);
        }
        self.len -= 1;
        removed
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

/// The elements of a [`SharedList`] in order.
#[derive(Clone, Debug)]
pub struct Iter<'a, T> {
    front: slice::Iter<'a, T>,
    blocks: slice::Iter<'a, Arc<Vec<T>>>,
    back: slice::Iter<'a, T>,
    len: usize,
}

impl<'a, T> Iterator for Iter<'a, T> {
    type Item = &'a T;

    fn next(&mut self) -> Option<&'a T> {
        self.len = self.len.checked_sub(1)?;
        loop {
            if let Some(element) = self.front.next() {
                return Some(element);
            }
            match self.blocks.next() {
                Some(block) => self.front = block.iter(),
                None => return self.back.next(),
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.len, Some(self.len))
    }
}

impl<T> DoubleEndedIterator for Iter<'_, T> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.len = self.len.checked_sub(1)?;
        loop {
            if let Some(element) = self.back.next_back() {
                return Some(element);
            }
            match self.blocks.next_back() {
                Some(block) => self.back = block.iter(),
                None => return self.front.next_back(),
            }
        }
    }
}

impl<T> ExactSizeIterator for Iter<'_, T> {}
impl<T> FusedIterator for Iter<'_, T> {}

impl<T> Default for SharedList<T> {
    fn default() -> SharedList<T> {
        SharedList { blocks: Vec::new(), len: 0 }
    }
}

impl<T> FromIterator<T> for SharedList<T> {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> SharedList<T> {
        let (mut list, mut elements) = (SharedList::default(), elements.into_iter());
        loop {
            let block: Vec<T> = elements.by_ref().take(BLOCK).collect();
            if block.is_empty() {
                return list;
            }
            list.len += block.len();
            list.blocks.push(Arc::new(block));
        }
    }
}

impl<T> From<Vec<T>> for SharedList<T> {
    fn from(elements: Vec<T>) -> SharedList<T> {
        elements.into_iter().collect()
    }
}

impl<'a, T> IntoIterator for &'a SharedList<T> {
    type Item = &'a T;
    type IntoIter = Iter<'a, T>;

    fn into_iter(self) -> Iter<'a, T> {
        self.iter()
    }
}

impl<T> Index<usize> for SharedList<T> {
    type Output = T;

    fn index(&self, at: usize) -> &T {
        self.get(at).unwrap_or_else(|| panic!("index {at} of {} elements", self.len))
    }
}

impl<T: Clone> IndexMut<usize> for SharedList<T> {
    fn index_mut(&mut self, at: usize) -> &mut T {
        let len = self.len;
        self.get_mut(at).unwrap_or_else(|| panic!("index {at} of {len} elements"))
    }
}

impl<T: PartialEq> PartialEq for SharedList<T> {
    /// Blocks that both share from the start on are not compared.
    fn eq(&self, other: &SharedList<T>) -> bool {
        let shared = self.blocks.iter().zip(&other.blocks).take_while(|(a, b)| Arc::ptr_eq(a, b)).count();
        let rest = |blocks| <[Arc<Vec<T>>]>::iter(blocks).flat_map(|block| block.iter());
        self.len == other.len && rest(&self.blocks[shared..]).eq(rest(&other.blocks[shared..]))
    }
}

impl<T: fmt::Debug> fmt::Debug for SharedList<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self).finish()
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
