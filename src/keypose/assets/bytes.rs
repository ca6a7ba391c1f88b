//! Shared bytes: views into the buffer of a whole file, so that pixels and keys are not copied. A view keeps the whole
//! buffer alive.

use std::fmt;
use std::ops::{Deref, Range};
use std::sync::Arc;

/// A view into shared bytes; a clone shares them.
#[derive(Clone)]
pub struct Bytes {
    owner: Arc<dyn AsRef<[u8]> + Send + Sync>,
    range: Range<usize>,
}

impl Bytes {
    /// All bytes of a buffer.
    pub fn new(owner: impl AsRef<[u8]> + Send + Sync + 'static) -> Bytes {
        let range = 0..owner.as_ref().len();
        Bytes { owner: Arc::new(owner), range }
    }

    /// The view of a slice of these bytes; `None` if the slice is not part of them.
    pub fn view(&self, part: &[u8]) -> Option<Bytes> {
        let start = (part.as_ptr() as usize).checked_sub(self.as_ptr() as usize)?;
        let end = start.checked_add(part.len()).filter(|&end| end <= self.len())?;
        Some(Bytes { owner: self.owner.clone(), range: self.range.start + start..self.range.start + end })
    }
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &(*self.owner).as_ref()[self.range.clone()]
    }
}

impl AsRef<[u8]> for Bytes {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl From<Vec<u8>> for Bytes {
    fn from(bytes: Vec<u8>) -> Bytes {
        Bytes::new(bytes)
    }
}

impl Default for Bytes {
    fn default() -> Bytes {
        Bytes::from(Vec::new())
    }
}

impl PartialEq for Bytes {
    fn eq(&self, other: &Bytes) -> bool {
        (self.as_ptr() == other.as_ptr() && self.len() == other.len()) || **self == **other
    }
}

impl fmt::Debug for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", self.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_view_is_a_part_and_keeps_the_whole() {
        let whole = Bytes::from(vec![1, 2, 3, 4, 5]);
        let part = whole.view(&whole[1..4]).unwrap();
        let inner = part.view(&part[1..]).unwrap();
        drop((whole, part.clone()));
        assert_eq!((&*part, &*inner), (&[2, 3, 4][..], &[3, 4][..]));
        assert_eq!(inner, Bytes::from(vec![3, 4]));
    }

    #[test]
    fn a_slice_of_other_bytes_is_no_view() {
        let both = [1, 2, 3, 4];
        let whole = Bytes::from(both.to_vec());
        let part = whole.view(&whole[1..2]).unwrap();
        assert!(whole.view(&both[1..2]).is_none());
        assert!(part.view(&whole[0..2]).is_none() && part.view(&whole[1..3]).is_none());
    }
}
