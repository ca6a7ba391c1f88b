//! The fast form of a baked clip where 16 bits a number keep the bound: columns as in [`crate::anim::bake::columns`], half as
//! large. Two columns are mixed as whole numbers, of products that processors add up in one instruction. Which numbers,
//! [`crate::anim::bake::shorten`] finds out.

use crate::anim::bake::columns::{Moving, PACED, Timeline, normalise, paced};
use crate::anim::bake::form::{FormError, count};
use crate::anim::bake::still::{Still, keep};
use crate::anim::key::Channel;
use crate::anim::pose::{Lanes, LocalPose};
use crate::anim::simd;
use crate::anim::skeleton::BoneIndex;
use crate::anim::time::Time;

/// The number that stands for 1 in a component of a rotation; and what the shares of two columns add up to.
pub const ONE: i16 = i16::MAX;

/// The number of a bone whose value never changes, in a component that other bones change.
pub const FIXED: i16 = 1 << 14;

/// Bones of one block of [`Loose`] ones.
pub const LOOSE: usize = 4;

/// Two components of eight bones in one column. Of the first component the lower four bones lie at 0..4 and the upper ones at 8..12,
/// the second fills the gaps: pairs of numbers of two columns then unfold into one component each.
#[repr(C, align(32))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Block(pub [i16; 16]);

/// A channel that moves in so few of its eight bones that it is kept bone by bone, behind the groups of a column: blocks of four
/// bones, each bone as x, y, z, 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loose {
    /// Which bone.
    pub bone: BoneIndex,
    /// Translation or scale.
    pub channel: Channel,
}

/// Poses at sorted times, in 16 bits.
#[derive(Clone, Debug, PartialEq)]
pub struct Short {
    timeline: Timeline,
    moving: Vec<Moving>,
    still: Still,
    loose: Vec<Loose>,
    /// Of every component but those of rotations, in the order of the blocks, gaps included: what a number times [`ONE`] is
    /// multiplied by.
    scales: Vec<Lanes>,
    /// Column after column. Of each group first two blocks for the rotation (xy, zw); then, where both move, translation and scale in
    /// three (t.xy, t.z s.x, s.yz), where one does, that one in two (xy, z and a gap); behind the groups what is loose.
    blocks: Vec<Block>,
    /// Blocks of one column.
    stride: usize,
    /// True where any rotation is [`PACED`].
    is_paced: bool,
}

impl Block {
    /// Of two components.
    pub fn new(first: [i16; 8], second: [i16; 8]) -> Block {
        let from = |at: usize| if at & 4 == 0 { first } else { second };
        Block(std::array::from_fn(|at| from(at)[at % 4 + at / 8 * 4]))
    }

    /// The two components.
    pub fn components(&self) -> [[i16; 8]; 2] {
        unfolded(&self.0)
    }
}

/// Two components out of the order of a [`Block`].
#[inline(always)]
fn unfolded<T: Copy>(&[a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p]: &[T; 16]) -> [[T; 8]; 2] {
    [[a, b, c, d, i, j, k, l], [e, f, g, h, m, n, o, p]]
}

/// How many blocks the rotation of a group takes, and how many the rest, in each column.
pub fn blocks_of(moving: Moving) -> (usize, usize) {
    let rest = match moving & 5 {
        0 => 0,
        5 => 3,
        _ => 2,
    };
    (if moving & 2 != 0 { 2 } else { 0 }, rest)
}

/// The shares of two columns in what lies so far towards the second, in [`ONE`]ths.
#[inline(always)]
pub fn shares(fraction: f32) -> [i16; 2] {
    let second = (fraction * f32::from(ONE) + 0.5) as i16;
    [ONE - second, second]
}

impl Short {
    /// The form of these parts.
    ///
    /// # Errors
    /// Where they are not as many as they must be, or a loose bone is not one. What the numbers are nobody checks.
    pub fn new(
        timeline: Timeline,
        moving: Vec<Moving>,
        still: LocalPose,
        loose: Vec<Loose>,
        scales: Vec<Lanes>,
        blocks: Vec<Block>,
    ) -> Result<Short, FormError> {
        let (rotations, others) =
            moving.iter().map(|&moving| blocks_of(moving)).fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
        let others = others + loose.len().div_ceil(LOOSE);
        let stride = rotations + others;
        count("groups of bones", moving.len(), still.lanes().len())?;
        count("scales", scales.len(), others * 2)?;
        count("blocks of columns", blocks.len(), stride.saturating_mul(timeline.times.len()))?;
        for &Loose { bone, channel } in &loose {
            if usize::from(bone) >= still.len() {
                return Err(FormError::Bone { bone, bones: still.len() });
            }
            if channel == Channel::Rotation {
                return Err(FormError::Loose { bone });
            }
        }
        let still = Still::new(&still, &moving);
        let is_paced = moving.iter().any(|moving| moving & PACED != 0);
        Ok(Short { timeline, moving, still, loose, scales, blocks, stride, is_paced })
    }

    /// When each column is.
    pub fn timeline(&self) -> &Timeline {
        &self.timeline
    }

    /// One for each eight bones.
    pub fn moving(&self) -> &[Moving] {
        &self.moving
    }

    /// True where any rotation keeps the pace of slerp.
    pub fn is_paced(&self) -> bool {
        self.is_paced
    }

    /// What does not move.
    pub fn still(&self) -> &Still {
        &self.still
    }

    /// What is kept bone by bone.
    pub fn loose(&self) -> &[Loose] {
        &self.loose
    }

    /// Of every component but those of rotations, in the order of the blocks, gaps included.
    pub fn scales(&self) -> &[Lanes] {
        &self.scales
    }

    /// Column after column.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// What the form holds in memory.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.timeline.times[..])
            + size_of_val(&self.moving[..])
            + size_of_val(self.still.lanes())
            + size_of_val(&self.loose[..])
            + size_of_val(&self.scales[..])
            + size_of_val(&self.blocks[..])
    }

    /// One column.
    #[inline(always)]
    pub fn column(&self, at: usize) -> &[Block] {
        &self.blocks[at * self.stride..(at + 1) * self.stride]
    }

    /// The columns around a time, and how far towards the second.
    #[inline(always)]
    pub fn place(&self, time: Time) -> (&[Block], &[Block], f32) {
        let (before, fraction) = self.timeline.find(time);
        (self.column(before), self.column((before + 1).min(self.timeline.times.len() - 1)), fraction)
    }

    /// The pose at a time, by the widest loop of the processor.
    #[inline]
    pub fn sample(&self, time: Time, pose: &mut LocalPose) {
        if !simd::sample_short(self, time, pose) {
            self.sample_portable(time, pose);
        }
    }

    /// The pose at a time, with whole numbers and plain `f32` arithmetic: the same bits on every machine.
    pub fn sample_portable(&self, time: Time, pose: &mut LocalPose) {
        let (from, to, fraction) = self.place(time);
        let mut pairs = from.iter().zip(to);
        let shares = shares(fraction);
        let mut scales = self.scales.as_chunks::<2>().0.iter();
        let mut still = self.still.lanes();
        pose.fit(self.still.bones());
        for (group, &moving) in pose.lanes_mut().iter_mut().zip(&self.moving) {
            keep(group, moving, &mut still);
            if moving & 2 != 0 {
                let (Some(xy), Some(zw)) = (pairs.next(), pairs.next()) else { return };
                let ([x, y], [z, w]) = match moving & PACED {
                    0 => (mixed(xy, shares), mixed(zw, shares)),
                    _ => {
                        let whole = |xy: &Block, zw: &Block| {
                            let ([x, y], [z, w]) = (exactly(xy), exactly(zw));
                            [x, y, z, w]
                        };
                        let [x, y, z, w] = paced(&whole(xy.0, zw.0), &whole(xy.1, zw.1), fraction);
                        ([x, y], [z, w])
                    }
                };
                group.rotation = [x, y, z, w];
                normalise(&mut group.rotation);
            }
            let mut next = || Some(scaled(mixed(pairs.next()?, shares), scales.next()?));
            match moving & 5 {
                0 => {}
                5 => {
                    let (Some([tx, ty]), Some([tz, sx]), Some([sy, sz])) = (next(), next(), next()) else { return };
                    (group.translation, group.scale) = ([tx, ty, tz], [sx, sy, sz]);
                }
                one => {
                    let (Some([x, y]), Some([z, _])) = (next(), next()) else { return };
                    *(if one == 1 { &mut group.translation } else { &mut group.scale }) = [x, y, z];
                }
            }
        }
        for four in self.loose.chunks(LOOSE) {
            let (Some(pair), Some(scales)) = (pairs.next(), scales.next()) else { return };
            let values = scaled(mixed(pair, shares), scales);
            for (at, loose) in four.iter().enumerate() {
                loose.put(&values[at / 2].0[at % 2 * 4..], pose);
            }
        }
    }
}

impl Loose {
    /// Writes x, y, z of its channel.
    #[inline(always)]
    pub fn put(&self, values: &[f32], pose: &mut LocalPose) {
        let (group, lane) = (usize::from(self.bone) / 8, usize::from(self.bone) % 8);
        let Some(group) = pose.lanes_mut().get_mut(group) else { return };
        let parts = if self.channel == Channel::Scale { &mut group.scale } else { &mut group.translation };
        parts.iter_mut().zip(values).for_each(|(part, &value)| part.0[lane] = value);
    }
}

/// Both components as [`ONE`]ths of [`ONE`]ths on the way from one block to the other.
#[inline(always)]
fn mixed((from, to): (&Block, &Block), [first, second]: [i16; 2]) -> [Lanes; 2] {
    let mut sums = [0.0; 16];
    for ((sum, &from), &to) in sums.iter_mut().zip(&from.0).zip(&to.0) {
        *sum = (i32::from(from) * i32::from(first) + i32::from(to) * i32::from(second)) as f32;
    }
    unfolded(&sums).map(Lanes)
}

/// The components of a rotation in one block.
pub fn exactly(block: &Block) -> [Lanes; 2] {
    block.components().map(|component| Lanes(component.map(|number| f32::from(number) * (1.0 / ONE as f32))))
}

#[inline(always)]
fn scaled(mut values: [Lanes; 2], scales: &[Lanes; 2]) -> [Lanes; 2] {
    for (values, scales) in values.iter_mut().zip(scales) {
        values.0.iter_mut().zip(&scales.0).for_each(|(value, scale)| *value *= scale);
    }
    values
}
