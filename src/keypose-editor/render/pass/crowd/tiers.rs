//! The palettes of a crowd, computed on the processor: near characters at every tick, those farther away at every second or fourth.
//! Each group of characters has two pages in the texture, with the palettes of two ticks; the shader blends between them.

use glam::Vec3;

use crate::anim::pose::{LocalPose, ModelPose};
use crate::anim::skin::palette;
use crate::anim::time::Time;
use crate::render::frame::crowd::{Crowd, CrowdRig};
use crate::render::gl::context::Context;
use crate::render::gl::error::GlError;
use crate::render::gl::texture::{Format, Texture};
use crate::render::pass::crowd::lods::Choice;
use crate::render::pass::crowd::table::{ROW, rows_for, texels_of};

/// The distances from the eye up to which characters are sampled at every tick, and at every second one, in heights of the model.
const REACH: [f32; 2] = [12.0, 30.0];
/// The ticks between two samples in each tier.
const PERIODS: [i64; 3] = [1, 2, 4];

/// Characters that are sampled at the same ticks.
pub struct Group {
    /// The first of them in the order of the tiers.
    pub first: usize,
    pub count: usize,
    /// Their level of detail.
    pub level: usize,
    period: i64,
    offset: i64,
    pages: [Page; 2],
}

/// The palettes of a group at a tick.
#[derive(Clone, Copy)]
struct Page {
    row: usize,
    tick: Option<i64>,
}

/// What the shader reads for a group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Blend {
    /// The rows of the earlier and the later page.
    pub rows: [usize; 2],
    /// How far the time is between them, 0 to 1.
    pub part: f32,
}

/// The groups and their texture.
pub struct Tiers {
    pub texture: Texture,
    /// The characters, by tier.
    pub order: Vec<usize>,
    pub groups: Vec<Group>,
    texels: Vec<[f32; 4]>,
}

impl Tiers {
    /// Chooses the tiers. `None` if the driver's largest texture has no room for the palettes.
    pub fn new(context: &Context, crowd: &Crowd, rig: &CrowdRig, lods: &Choice) -> Result<Option<Tiers>, GlError> {
        let (order, mut groups) = grouped(crowd, lods.sight.eye, &lods.levels);
        let mut row = 0;
        for group in &mut groups {
            for page in &mut group.pages {
                page.row = row;
                row += rows_for(group.count * rig.skin.joints.len() * 3);
            }
        }
        if row > context.limits().texture_size as usize {
            return Ok(None);
        }
        let texture = Texture::empty(context, Format::Rgba32F, [ROW as u32, row.max(1) as u32])?;
        Ok(Some(Tiers { texture, order, groups, texels: Vec::new() }))
    }

    /// Samples what is due at a time, and writes it to the texture. Returns the number of palettes that were computed.
    pub fn advance(&mut self, crowd: &Crowd, rig: &CrowdRig, elapsed: Time) -> usize {
        let Tiers { texture, order, groups, texels, .. } = self;
        let tick = elapsed.0.div_euclid(Time::TICK.0);
        let mut count = 0;
        for group in groups {
            let members = &order[group.first..group.first + group.count];
            let [from, _] = group.ticks(tick);
            let is_between = elapsed.0 != from * Time::TICK.0;
            let wanted = [from, from + group.period];
            for wanted in &wanted[..1 + usize::from(is_between)] {
                let Some(page) = group.page_for(*wanted, [from, from + group.period]) else { continue };
                page.tick = Some(*wanted);
                sample(texels, (crowd, rig), members, Time(*wanted * Time::TICK.0));
                texture.write_rows_at(page.row, texels);
                count += members.len();
            }
        }
        count
    }
}

impl Group {
    /// The ticks of the samples before and after a tick.
    fn ticks(&self, tick: i64) -> [i64; 2] {
        let from = (tick - self.offset).div_euclid(self.period) * self.period + self.offset;
        [from, from + self.period]
    }

    /// The page to write a tick to, of those that are shown now or next; `None` if it is there.
    fn page_for(&mut self, wanted: i64, shown: [i64; 2]) -> Option<&mut Page> {
        if self.pages.iter().any(|page| page.tick == Some(wanted)) {
            return None;
        }
        self.pages.iter_mut().find(|page| page.tick.is_none_or(|tick| !shown.contains(&tick)))
    }

    /// How the pages are blended at a time for which they were computed.
    pub fn blend(&self, elapsed: Time) -> Blend {
        let [from, to] = self.ticks(elapsed.0.div_euclid(Time::TICK.0));
        let row = |tick: i64| self.pages.iter().find(|page| page.tick == Some(tick)).map(|page| page.row);
        let first = row(from).unwrap_or(self.pages[0].row);
        let passed = (elapsed.0 - from * Time::TICK.0) as f64 / (self.period * Time::TICK.0) as f64;
        Blend { rows: [first, row(to).unwrap_or(first)], part: passed as f32 }
    }
}

/// The characters by tier and level of detail, and the groups of each: as many as there are ticks between two samples, so that each tick has the
/// same work.
fn grouped(crowd: &Crowd, eye: Vec3, levels: &[u8]) -> (Vec<usize>, Vec<Group>) {
    let key = |at: &usize| {
        let distance = crowd.members[*at].world_from_model.translation().distance(eye);
        (REACH.iter().filter(|reach| distance > **reach * crowd.height).count(), usize::from(levels[*at]))
    };
    let mut keyed: Vec<((usize, usize), usize)> = (0..crowd.members.len()).map(|at| (key(&at), at)).collect();
    keyed.sort_unstable();
    let mut groups = Vec::new();
    let mut first = 0;
    for alike in keyed.chunk_by(|a, b| a.0 == b.0) {
        let ((tier, level), _) = alike[0];
        let period = PERIODS[tier];
        for offset in 0..period {
            let edge = |offset: i64| alike.len() * offset as usize / period as usize;
            let count = edge(offset + 1) - edge(offset);
            if count > 0 {
                let pages = [Page { row: 0, tick: None }; 2];
                groups.push(Group { first: first + edge(offset), count, level, period, offset, pages });
            }
        }
        first += alike.len();
    }
    (keyed.into_iter().map(|(_, at)| at).collect(), groups)
}

/// Fewer characters than this are sampled in one thread.
const FEW: usize = 256;

/// The palettes of characters at a time, in whole rows of texels, by all cores.
fn sample(texels: &mut Vec<[f32; 4]>, (crowd, rig): (&Crowd, &CrowdRig), members: &[usize], elapsed: Time) {
    let width = rig.skin.joints.len() * 3;
    texels.resize(rows_for(members.len() * width) * ROW, [0.0; 4]);
    let cores =
        if members.len() < FEW { 1 } else { std::thread::available_parallelism().map_or(1, usize::from).min(16) };
    let share = members.len().div_ceil(cores).max(1);
    let shares = members.chunks(share).zip(texels.chunks_mut((share * width).max(1)));
    if cores == 1 {
        shares.for_each(|(members, texels)| sample_share(texels, (crowd, rig), members, elapsed));
        return;
    }
    std::thread::scope(|scope| {
        for (members, texels) in shares {
            scope.spawn(move || sample_share(texels, (crowd, rig), members, elapsed));
        }
    });
}

fn sample_share(texels: &mut [[f32; 4]], (crowd, rig): (&Crowd, &CrowdRig), members: &[usize], elapsed: Time) {
    let width = rig.skin.joints.len() * 3;
    let (mut local, mut model, mut matrices) = (LocalPose::default(), ModelPose::default(), Vec::new());
    for (member, texels) in members.iter().zip(texels.chunks_mut(width.max(1))) {
        let Some((clip, time)) = crowd.time_of(&crowd.members[*member], elapsed) else { continue };
        clip.sample(time, &mut local);
        model.compute(&crowd.model.skeleton, &local);
        palette::compute(&rig.skin, &model, &mut matrices);
        for (matrix, texels) in matrices.iter().zip(texels.as_chunks_mut::<3>().0) {
            *texels = texels_of(matrix);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anim::mat34::Mat3x4;
    use crate::render::frame::color::Color;
    use crate::render::frame::crowd::Member;
    use glam::Vec4;
    use std::sync::Arc;

    fn row_of(count: usize) -> Crowd {
        let member = |at: usize| {
            let mut world_from_model = Mat3x4::IDENTITY;
            world_from_model.rows[0] += Vec4::W * at as f32;
            Member { world_from_model, clip: 0, phase: 0.0, tint: Color::WHITE }
        };
        let members = (0..count).map(member).collect();
        Crowd { model: Arc::default(), props: vec![], clips: vec![], members, height: 1.0 }
    }

    #[test]
    fn far_characters_are_sampled_less_often_and_at_different_ticks() {
        let (order, groups) = grouped(&row_of(100), Vec3::ZERO, &[0; 100]);
        assert_eq!(order, (0..100).collect::<Vec<_>>());
        let counts: Vec<(i64, usize)> = groups.iter().map(|group| (group.period, group.count)).collect();
        assert_eq!(counts, [(1, 13), (2, 9), (2, 9), (4, 17), (4, 17), (4, 17), (4, 18)]);
        for tick in -9..9 {
            let due = |group: &&Group| group.ticks(tick)[0] == tick;
            let work: usize = groups.iter().filter(due).map(|group| group.count).sum();
            assert!((13 + 9 + 17..=13 + 9 + 18).contains(&work), "{work} at {tick}");
        }
    }

    #[test]
    fn characters_of_a_level_are_a_group() {
        let mut levels = [0; 30];
        levels[5..].fill(1);
        let (order, groups) = grouped(&row_of(30), Vec3::ZERO, &levels);
        let found: Vec<_> = groups.iter().map(|group| (group.period, group.level, group.first, group.count)).collect();
        assert_eq!(found, [(1, 0, 0, 5), (1, 1, 5, 8), (2, 1, 13, 8), (2, 1, 21, 9)]);
        assert!(groups.iter().all(|group| {
            order[group.first..group.first + group.count].iter().all(|at| usize::from(levels[*at]) == group.level)
        }));
    }

    #[test]
    fn a_group_blends_from_one_sample_to_the_next() {
        let page = |row, tick| Page { row, tick: Some(tick) };
        let group = Group { first: 0, count: 1, level: 0, period: 4, offset: 1, pages: [page(7, 9), page(3, 5)] };
        let at = |ticks: f64| group.blend(Time((ticks * Time::TICK.0 as f64) as i64));
        assert_eq!(at(5.0), Blend { rows: [3, 7], part: 0.0 });
        assert_eq!(at(8.0), Blend { rows: [3, 7], part: 0.75 });
        assert_eq!(at(9.0).rows[0], 7);
    }
}
