//! Finds the numbers of 16 bits in which columns keep a bound, for [`crate::anim::bake::short`].

use crate::anim::bake::columns::{Columns, Moving, parts_of};
use crate::anim::bake::measure::{FAR_END, Reach};
use crate::anim::bake::rounding::{Grid, Rounder, Rounding, bounds};
use crate::anim::bake::short::{Block, FIXED, Loose, ONE, Short};
use crate::anim::key::Channel;
use crate::anim::pose::Lanes;
use crate::anim::skeleton::{BoneIndex, Skeleton};

/// So many numbers past the largest value of the columns are left for making up for what parents were rounded by.
const MARGIN: f32 = 8.0;
/// A channel that moves in no more than so many bones of eight is kept bone by bone.
const LOOSE: usize = 2;
/// No component: half of a block that nothing fills.
const GAP: usize = 10;
/// The columns in 16 bits, where those keep their distance from themselves under `bound` (model units); and that distance.
pub fn shorten(columns: &Columns, bound: f32, skeleton: &Skeleton, reach: &Reach) -> Option<(Short, f32)> {
    let reach = reach.clone().with_far_ends(skeleton, FAR_END);
    let rounder = Rounder::new(columns, skeleton, &reach);
    let spans: Vec<(Lanes, Lanes)> = (0..rounder.places.len()).map(|component| bounds(columns, component)).collect();
    let grids: Vec<Grid> =
        rounder.places.iter().zip(&spans).map(|(&(_, part), (low, high))| grid(part, low, high)).collect();
    let layout = Layout::new(&rounder, &grids);
    [Rounding::Led, Rounding::Alone].into_iter().find_map(|rounding| {
        let (short, error) = layout.filled(&rounder, &grids, rounding)?;
        let error = error.max(rounder.distance(|time, pose| short.sample_portable(time, pose)));
        (error <= bound).then_some((short, error))
    })
}

/// What a number is multiplied by to be a value, and the values that it then may have: as far below zero as above.
fn grid(part: usize, low: &Lanes, high: &Lanes) -> Grid {
    let mut grid = Grid { low: *low, step: Lanes([0.0; 8]), most: ONE as u16 * 2 };
    for lane in 0..8 {
        let (low, high) = (low.0[lane], high.0[lane]);
        let is_rotation = (3..7).contains(&part);
        if is_rotation || high > low {
            let most = low.abs().max(high.abs());
            let step = if is_rotation { 1.0 / f32::from(ONE) } else { most / (f32::from(ONE) - MARGIN) };
            grid.low.0[lane] = -step * f32::from(ONE);
            grid.step.0[lane] = step;
        }
    }
    grid
}

/// Of which component and which of its eight bones a number is; `None` in a gap.
type Slot = Option<(usize, usize)>;

/// What stands where in a column.
struct Layout {
    /// Without what is loose.
    moving: Vec<Moving>,
    loose: Vec<Loose>,
    /// Of each block the slots of its two components.
    blocks: Vec<[[Slot; 8]; 2]>,
    /// Of each component but those of rotations, as [`Short::scales`].
    scales: Vec<Lanes>,
}

impl Layout {
    fn new(rounder: &Rounder<'_>, grids: &[Grid]) -> Layout {
        let mut layout =
            Layout { moving: rounder.columns.moving.clone(), loose: vec![], blocks: vec![], scales: vec![] };
        let mut loose = Vec::new();
        for (group, moving) in layout.moving.iter_mut().enumerate() {
            let all: Vec<usize> = parts_of(*moving).collect();
            let component = |part: usize| {
                let at = all.iter().position(|&own| own == part)?;
                Some(rounder.starts[group] + at)
            };
            for (bit, channel, first) in [(1, Channel::Translation, 0), (4, Channel::Scale, 7)] {
                let Some(first) = component(first).filter(|_| *moving & bit != 0) else { continue };
                let moves = |lane: &usize| (first..first + 3).any(|at| grids[at].step.0[*lane] != 0.0);
                let lanes: Vec<usize> = (0..8).filter(moves).collect();
                if lanes.len() <= LOOSE {
                    *moving &= !bit;
                    for lane in lanes {
                        layout.loose.push(Loose { bone: (group * 8 + lane) as BoneIndex, channel });
                        loose.push([Some((first, lane)), Some((first + 1, lane)), Some((first + 2, lane)), None]);
                    }
                }
            }
            let rotation = if *moving & 2 != 0 { &[[3, 4], [5, 6]][..] } else { &[] };
            let others: &[[usize; 2]] = match *moving & 5 {
                0 => &[],
                1 => &[[0, 1], [2, GAP]],
                4 => &[[7, 8], [9, GAP]],
                _ => &[[0, 1], [2, 7], [8, 9]],
            };
            for block in rotation.iter().chain(others) {
                let slots =
                    |part: usize| std::array::from_fn(|lane| component(part).map(|component| (component, lane)));
                layout.blocks.push(block.map(slots));
            }
            for &part in others.as_flattened() {
                let scale = |lane| component(part).map_or(0.0, |component| scale(&grids[component], lane));
                layout.scales.push(Lanes(std::array::from_fn(scale)));
            }
        }
        for four in loose.chunks(4) {
            let slot = |at: usize| four.get(at / 4).and_then(|slots| slots[at % 4]);
            let block = [0, 8].map(|start| std::array::from_fn(|at| slot(start + at)));
            let scales = |slots: &[Slot; 8]| {
                Lanes(slots.map(|slot| slot.map_or(0.0, |(component, lane)| scale(&grids[component], lane))))
            };
            layout.scales.extend(block.each_ref().map(scales));
            layout.blocks.push(block);
        }
        layout
    }

    /// With the numbers of all columns, and their distance from what they are rounded from.
    fn filled(&self, rounder: &Rounder<'_>, grids: &[Grid], rounding: Rounding) -> Option<(Short, f32)> {
        let mut blocks = Vec::new();
        let bones = rounder.skeleton.len();
        let (all, error) = rounder.rounded(grids, rounding);
        for numbers in all {
            let number = |slot: Slot| {
                let Some((component, lane)) = slot else { return 0 };
                let (group, part) = rounder.places[component];
                match part {
                    3..6 if group * 8 + lane >= bones => 0,
                    6 if group * 8 + lane >= bones => ONE,
                    _ if grids[component].step.0[lane] == 0.0 => FIXED,
                    _ => (i32::from(numbers[component][lane]) - i32::from(ONE)) as i16,
                }
            };
            blocks.extend(self.blocks.iter().map(|[first, second]| Block::new(first.map(number), second.map(number))));
        }
        let Columns { timeline, still, .. } = rounder.columns;
        let (moving, loose, scales) = (self.moving.clone(), self.loose.clone(), self.scales.clone());
        Short::new(timeline.clone(), moving, still.clone(), loose, scales, blocks).ok().map(|short| (short, error))
    }
}

/// What a number times [`ONE`] is multiplied by.
fn scale(grid: &Grid, lane: usize) -> f32 {
    match grid.step.0[lane] {
        0.0 => grid.low.0[lane] / (f32::from(FIXED) * f32::from(ONE)),
        step => step / f32::from(ONE),
    }
}
