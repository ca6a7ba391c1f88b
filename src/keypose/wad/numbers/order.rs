//! The order in which the rows of a section are sorted: in series of rows that follow each other in time.

use std::ops::Range;

/// The series of rows of a section.
pub struct Order {
    /// The rows, series by series; `None` if they are in this order already.
    rows: Option<Vec<u32>>,
    /// The end of each series in the order.
    ends: Vec<u32>,
}

impl Order {
    /// One series of all rows as they are. `None` if there are 2³² rows or more.
    pub fn of_rows(rows: usize) -> Option<Order> {
        Some(Order { rows: None, ends: vec![u32::try_from(rows).ok()?] })
    }

    /// A series for each channel of each bone, sorted by channel, then by bone. `None` if the sections have different numbers of
    /// keys, or far more bones and channels than keys.
    pub fn of_keys(bones: &[u8], modes: &[u8]) -> Option<Order> {
        let ((bones, rest), (modes, _)) = (bones.as_chunks::<2>(), modes.as_chunks::<4>());
        if bones.len() != modes.len() || !rest.is_empty() {
            return None;
        }
        let bone = |bytes: &[u8; 2]| usize::from(u16::from_le_bytes(*bytes));
        let bone_count = bones.iter().map(bone).max().unwrap_or(0).checked_add(1)?;
        let channel_count = modes.iter().map(channel).max().unwrap_or(0).checked_add(1)?;
        let series = bone_count.checked_mul(channel_count)?;
        if series > bones.len().saturating_mul(MAX_SERIES_PER_KEY).saturating_add(MIN_SERIES) {
            return None;
        }
        let of = || {
            let both = bones.iter().zip(modes);
            both.map(|(bytes, modes)| channel(modes).wrapping_mul(bone_count).wrapping_add(bone(bytes)))
        };
        u32::try_from(bones.len()).ok()?;
        let mut ends = vec![0_u32; series];
        for series in of() {
            let count = ends.get_mut(series)?;
            *count = count.wrapping_add(1);
        }
        let mut sum = 0_u32;
        for end in &mut ends {
            // The start of the series, until its rows are there.
            let count = std::mem::replace(end, sum);
            sum = sum.wrapping_add(count);
        }
        let mut rows = vec![0_u32; bones.len()];
        for (row, series) in (0_u32..).zip(of()) {
            let end = ends.get_mut(series)?;
            *rows.get_mut(usize::try_from(*end).ok()?)? = row;
            *end = end.wrapping_add(1);
        }
        ends.dedup();
        Some(Order { rows: Some(rows), ends })
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.ends.last().map_or(0, |&end| end as usize)
    }

    /// The places of each series in the order.
    pub fn series(&self) -> impl Iterator<Item = Range<usize>> {
        self.ends.iter().scan(0, |next, &end| Some(std::mem::replace(next, end as usize)..end as usize))
    }

    /// The row that is at a place of the order.
    pub fn row(&self, place: usize) -> Option<usize> {
        match &self.rows {
            Some(rows) => rows.get(place).map(|&row| row as usize),
            None => Some(place),
        }
    }
}

/// Bounds the memory for series that have no key.
const MAX_SERIES_PER_KEY: usize = 4;
const MIN_SERIES: usize = 4096;

/// The number of the channel in a key's modes: 0 to 2 for transforms.
fn channel([channel, _, _, part]: &[u8; 4]) -> usize {
    match channel.checked_sub(FIRST_SCALAR) {
        Some(upper) => usize::from(u16::from_be_bytes([upper, *part])).wrapping_add(FIRST_SCALAR.into()),
        None => (*channel).into(),
    }
}

const FIRST_SCALAR: u8 = 3;
