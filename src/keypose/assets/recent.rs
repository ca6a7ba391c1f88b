//! A cache of recently used values, and keys that compare `Arc`s by identity.
//!
//! Shared values are never changed in place: an edit makes a new `Arc`. A cache whose keys hold the `Arc`s that its values
//! were computed from is therefore never stale, and needs no invalidation.

use std::collections::hash_map::{self, HashMap};
use std::convert::Infallible;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// An `Arc` that is compared and hashed by its address. It keeps the value alive, so the address isn't reused.
#[derive(Debug)]
pub struct ByAddress<T: ?Sized>(pub Arc<T>);

impl<T: ?Sized> Clone for ByAddress<T> {
    fn clone(&self) -> ByAddress<T> {
        ByAddress(self.0.clone())
    }
}

impl<T: ?Sized> From<&Arc<T>> for ByAddress<T> {
    fn from(value: &Arc<T>) -> ByAddress<T> {
        ByAddress(value.clone())
    }
}

impl<T: ?Sized> PartialEq for ByAddress<T> {
    fn eq(&self, other: &ByAddress<T>) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl<T: ?Sized> Eq for ByAddress<T> {}

impl<T: ?Sized> Hash for ByAddress<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        Arc::as_ptr(&self.0).cast::<()>().hash(state);
    }
}

/// A map of at most `N` entries, at least 1. Inserting one more removes the entry whose last use is the oldest.
#[derive(Clone, Debug)]
pub struct Recent<K, V, const N: usize> {
    entries: HashMap<K, Entry<V>>,
    /// Counts the uses.
    clock: u64,
    /// The clock at the last sweep.
    swept: u64,
}

#[derive(Clone, Debug)]
struct Entry<V> {
    value: V,
    last_use: u64,
}

impl<K, V, const N: usize> Default for Recent<K, V, N> {
    fn default() -> Recent<K, V, N> {
        Recent { entries: HashMap::new(), clock: 0, swept: 0 }
    }
}

impl<K: Eq + Hash, V, const N: usize> Recent<K, V, N> {
    /// The value of a key, computed on the first use and again after it was removed.
    pub fn get_or_insert_with(&mut self, key: K, compute: impl FnOnce() -> V) -> &mut V {
        match self.get_or_try_insert_with(key, || Ok::<V, Infallible>(compute())) {
            Ok(value) => value,
            Err(never) => match never {},
        }
    }

    /// Like [`Recent::get_or_insert_with`]. A failed computation inserts nothing.
    pub fn get_or_try_insert_with<E>(&mut self, key: K, compute: impl FnOnce() -> Result<V, E>) -> Result<&mut V, E> {
        if self.entries.len() >= N && !self.entries.contains_key(&key) {
            self.remove_oldest();
        }
        self.clock += 1;
        let entry = match self.entries.entry(key) {
            hash_map::Entry::Occupied(entry) => entry.into_mut(),
            hash_map::Entry::Vacant(place) => place.insert(Entry { value: compute()?, last_use: 0 }),
        };
        entry.last_use = self.clock;
        Ok(&mut entry.value)
    }

    /// The value of a key if it is cached. Doesn't count as a use.
    pub fn peek(&self, key: &K) -> Option<&V> {
        self.entries.get(key).map(|entry| &entry.value)
    }

    /// All values, in no order. Doesn't count as a use.
    pub fn values(&self) -> impl Iterator<Item = &V> {
        self.entries.values().map(|entry| &entry.value)
    }

    /// Notes a use of a key. Returns whether it has a value.
    pub fn touch(&mut self, key: &K) -> bool {
        self.clock += 1;
        let entry = self.entries.get_mut(key);
        entry.map(|entry| entry.last_use = self.clock).is_some()
    }

    /// Like [`Recent::peek`], for values that record how they were last used.
    pub fn peek_mut(&mut self, key: &K) -> Option<&mut V> {
        self.entries.get_mut(key).map(|entry| &mut entry.value)
    }

    /// Removes an entry that a test accepts.
    pub fn take(&mut self, is_wanted: impl Fn(&K, &V) -> bool) -> Option<(K, V)>
    where
        K: Clone,
    {
        let found =
            self.entries.iter().find(|(key, entry)| is_wanted(key, &entry.value)).map(|(key, _)| key.clone())?;
        let entry = self.entries.remove(&found)?;
        Some((found, entry.value))
    }

    /// Removes the entries that weren't used since the previous sweep.
    pub fn sweep(&mut self) {
        let swept = self.swept;
        self.entries.retain(|_, entry| entry.last_use > swept);
        self.swept = self.clock;
    }

    fn remove_oldest(&mut self) {
        let oldest = self.entries.values().map(|entry| entry.last_use).min();
        self.entries.retain(|_, entry| Some(entry.last_use) != oldest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_entry_that_was_not_used_for_longest_is_removed() {
        let mut recent = Recent::<u8, u8, 2>::default();
        for key in [1, 2, 1, 3] {
            assert_eq!(*recent.get_or_insert_with(key, || key * 10), key * 10);
        }
        let cached = [1, 2, 3].map(|key| recent.peek(&key).copied());
        assert_eq!(cached, [Some(10), None, Some(30)]);
    }

    #[test]
    fn a_cached_value_is_not_computed_again() {
        let mut recent = Recent::<u8, String, 4>::default();
        recent.get_or_insert_with(1, || "first".into()).push('!');
        assert_eq!(recent.get_or_insert_with(1, || "second".into()), "first!");
    }

    #[test]
    fn a_failed_computation_inserts_nothing() {
        let mut recent = Recent::<u8, u8, 2>::default();
        recent.get_or_insert_with(1, || 10);
        assert_eq!(recent.get_or_try_insert_with(2, || Err("no memory")), Err("no memory"));
        assert_eq!((recent.peek(&1), recent.peek(&2)), (Some(&10), None));
    }

    #[test]
    fn a_sweep_removes_what_was_not_used_since_the_last_one() {
        let mut recent = Recent::<u8, u8, 8>::default();
        for key in [1, 2] {
            recent.get_or_insert_with(key, || key);
        }
        recent.sweep();
        recent.get_or_insert_with(2, || 0);
        recent.sweep();
        assert_eq!((recent.peek(&1), recent.peek(&2)), (None, Some(&2)));
    }

    #[test]
    fn equal_values_at_two_addresses_are_two_keys() {
        let (a, b) = (Arc::new(7), Arc::new(7));
        let mut recent = Recent::<ByAddress<i32>, &str, 8>::default();
        recent.get_or_insert_with((&a).into(), || "a");
        recent.get_or_insert_with((&b).into(), || "b");
        assert_eq!(recent.peek(&ByAddress(a)), Some(&"a"));
        assert_eq!(recent.peek(&ByAddress(b)), Some(&"b"));
    }
}
