//! Caches from frame to frame: the values that were computed last, and work that is left to a thread of the app.

use std::cell::{Cell, RefCell};
use std::hash::Hash;

use keypose::assets::recent::Recent;

/// The values that were computed last, at most `N`.
#[derive(Clone, Debug)]
pub struct Cache<K, V, const N: usize>(RefCell<Recent<K, V, N>>);

impl<K, V, const N: usize> Default for Cache<K, V, N> {
    fn default() -> Cache<K, V, N> {
        Cache(RefCell::default())
    }
}

impl<K: Eq + Hash, V: Clone, const N: usize> Cache<K, V, N> {
    /// The value of a key, computed if it isn't known.
    pub fn get(&self, key: K, compute: impl FnOnce() -> V) -> V {
        self.0.borrow_mut().get_or_insert_with(key, compute).clone()
    }

    /// The value of a key if it is known.
    pub fn peek(&self, key: &K) -> Option<V> {
        self.0.borrow().peek(key).cloned()
    }
}

/// Work that takes longer than a frame: done at once, or, when it is deferred, left to the app, which does it in a thread. The work that a
/// frame left last counts.
#[derive(Clone, Debug)]
pub struct Deferred<W> {
    is_on: Cell<bool>,
    left: RefCell<Option<W>>,
}

impl<W> Default for Deferred<W> {
    fn default() -> Deferred<W> {
        Deferred { is_on: Cell::new(false), left: RefCell::new(None) }
    }
}

impl<W> Deferred<W> {
    /// From now on, the app does the work.
    pub fn turn_on(&self) {
        self.is_on.set(true);
    }

    /// Whether the app does the work.
    pub fn is_on(&self) -> bool {
        self.is_on.get()
    }

    /// Leaves work to the app, or takes back what was left.
    pub fn leave(&self, work: Option<W>) {
        self.left.replace(work);
    }

    /// Takes the work that was left.
    pub fn take(&self) -> Option<W> {
        self.left.take()
    }
}
