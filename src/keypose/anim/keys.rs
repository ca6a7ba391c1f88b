//! The keys of a keyframe: a list whose clones share it until one is changed. So a copy of a long clip, which each edit makes, costs as
//! much as its keyframes, not as its keys.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use crate::anim::key::Key;

/// A list of keys, used as a `Vec`. A change copies it if a clone shares it.
#[derive(Clone, Default)]
pub struct Keys(Arc<Vec<Key>>);

impl Keys {
    /// Whether both are the same list in memory.
    pub fn is_same(&self, other: &Keys) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Deref for Keys {
    type Target = Vec<Key>;

    fn deref(&self) -> &Vec<Key> {
        &self.0
    }
}

impl DerefMut for Keys {
    fn deref_mut(&mut self) -> &mut Vec<Key> {
        Arc::make_mut(&mut self.0)
    }
}

impl From<Vec<Key>> for Keys {
    fn from(keys: Vec<Key>) -> Keys {
        Keys(Arc::new(keys))
    }
}

impl<const N: usize> From<[Key; N]> for Keys {
    fn from(keys: [Key; N]) -> Keys {
        Vec::from(keys).into()
    }
}

impl FromIterator<Key> for Keys {
    fn from_iter<I: IntoIterator<Item = Key>>(keys: I) -> Keys {
        keys.into_iter().collect::<Vec<_>>().into()
    }
}

impl IntoIterator for Keys {
    type Item = Key;
    type IntoIter = std::vec::IntoIter<Key>;

    fn into_iter(self) -> Self::IntoIter {
        Arc::unwrap_or_clone(self.0).into_iter()
    }
}

impl<'a> IntoIterator for &'a Keys {
    type Item = &'a Key;
    type IntoIter = std::slice::Iter<'a, Key>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a> IntoIterator for &'a mut Keys {
    type Item = &'a mut Key;
    type IntoIter = std::slice::IterMut<'a, Key>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

impl PartialEq for Keys {
    /// Shared lists are not compared.
    fn eq(&self, other: &Keys) -> bool {
        self.is_same(other) || **self == **other
    }
}

impl fmt::Debug for Keys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;

    #[test]
    fn a_change_of_a_clone_leaves_the_original() {
        let before = Keys::from([Key::translation(0, Vec3::X), Key::translation(1, Vec3::Y)]);
        let mut after = before.clone();
        assert!(after.is_same(&before) && after == before);
        after[0].value.x = 5.0;
        assert!(!after.is_same(&before) && after != before && before[0].value.x == 1.0);
        after[0].value.x = 1.0;
        assert!(!after.is_same(&before) && after == before, "equal values are equal, shared or not");
        assert_eq!(after.into_iter().chain(before.clone()).count(), 4);
        assert!(Keys::default().is_empty() && before.len() == 2);
    }
}
