//! Steps: where the feet of the target belong while those of the source are on the ground.
//!
//! A foot is on the ground at the place that the transferred pose gives it, on average over the time that it is down, moves over the ground as that of the
//! source, and its sole is as high. If it rolls over its ball, it tilts as far as the height of its ankle needs: a longer foot less
//! than a short one. A foot in the air keeps the transferred pose.

use glam::{DMat3, DQuat, DVec3};

use crate::clip_transfer::Transfer;
use crate::clip_transfer::frames::Frames;
use crate::clip_transfer::posed::Ground;
use crate::retarget::legs::{Leg, part_of, tilted};

/// Height of a sole above the ground, in leg lengths, up to which a foot stands.
const STANDING: f64 = 0.02;
/// Height of a sole above the ground, in leg lengths, from which the transferred pose is kept.
const LIFTED: f64 = 0.05;
/// Height of a sole above the ground, in leg lengths, from which a foot tilts as that of the source.
const RAISED: f64 = 0.2;
/// The height of the heel above the ball, in leg lengths, over which a foot goes from standing flat to standing on its ball.
const ROLL: f64 = 0.04;
/// The largest tilt of a foot, in parts of that of the source if both feet are equally long.
const MAX_TILT: f64 = 1.25;
/// Heights of ankles that differ by less are the same, in leg lengths.
const SAME: f64 = 1e-3;
/// Steps of the search for a tilt.
const TILT_STEPS: usize = 24;

/// A clip on both skeletons.
pub struct Steps<'s> {
    /// Poses of the source.
    pub sources: &'s [Frames],
    /// Poses of the target with the transferred clip.
    pub posed: &'s [Frames],
    pub ground: Ground,
    /// The poses after which a loop begins again: all, or all but the last, if that is the first one again.
    pub period: Option<usize>,
    /// Whether the clip scales bones.
    pub is_scaled: bool,
}

/// Where a foot belongs in a pose.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The place of the ankle if the foot stood.
    pub goal: DVec3,
    /// The rotation of the foot from rest.
    pub turn: DQuat,
    /// The height of the ankle at which the sole is on the ground, or as deep in it as that of the source.
    pub floor: f64,
    /// 1 if it stands, 0 in the air.
    pub weight: f64,
    /// The length of the leg.
    pub reach: f64,
}

/// A foot in a pose of both skeletons, in units of the target.
struct Foot {
    /// From the source's ankle to heel and ball.
    from: [DVec3; 2],
    /// The rotations of the target's foot: about the vertical axis, and the tilt.
    turn: (DQuat, DQuat),
    /// How the feet of source and target are scaled.
    stretches: [DMat3; 2],
    /// Height of the source's sole.
    height: f64,
    weight: f64,
}

impl Leg {
    /// Where the foot belongs in each pose.
    pub fn steps(&self, transfer: &Transfer<'_>, steps: &Steps<'_>) -> Vec<Step> {
        let feet: Vec<Foot> = (0..steps.sources.len()).map(|at| self.foot(transfer, steps, at)).collect();
        let is_down: Vec<bool> = feet.iter().map(|foot| foot.height < STANDING * self.length).collect();
        let ahead: Vec<DVec3> = feet.iter().map(|foot| foot.turn.0 * DVec3::Z).collect();
        let ahead = held(&ahead, &is_down, steps.period);
        let turns: Vec<DQuat> = feet
            .iter()
            .zip(steps.posed)
            .map(|(foot, posed)| self.rolled(transfer, (foot, posed), &steps.ground))
            .collect();
        let over = |at: usize| {
            let heading = DQuat::from_rotation_y(ahead[at].x.atan2(ahead[at].z));
            let ankle = transfer.pairing.own * steps.sources[at].place(self.pair.from[2]) * transfer.pairing.scale;
            ankle + self.shifted(transfer, &feet[at], (turns[at], heading))
        };
        let over: Vec<DVec3> = (0..feet.len()).map(over).collect();
        let place = |at: usize| steps.posed[at].place(self.limb.tip);
        let apart: Vec<DVec3> = (0..feet.len()).map(|at| place(at) - over[at]).collect();
        let apart = held(&apart, &is_down, steps.period);
        let step = |at: usize| {
            let (foot, turn) = (&feet[at], turns[at]);
            let across = over[at] + apart[at];
            let goal = DVec3::new(across.x, self.ankle(foot, turn, &steps.ground), across.z);
            let limb = [self.limb.root, self.limb.middle, self.limb.tip];
            let reach = if steps.is_scaled { steps.posed[at].length(&limb) } else { self.length };
            Step { goal, turn, floor: goal.y - foot.height.max(0.0), weight: foot.weight, reach }
        };
        (0..feet.len()).map(step).collect()
    }

    fn foot(&self, transfer: &Transfer<'_>, steps: &Steps<'_>, at: usize) -> Foot {
        let (source, posed, ground) = (&steps.sources[at], &steps.posed[at], &steps.ground);
        let pairing = &transfer.pairing;
        let ankle = self.pair.from[2];
        let stretches = if steps.is_scaled {
            [source.stretch(&pairing.rests[0], ankle), posed.stretch(&pairing.rests[1], self.foot)]
        } else {
            [DMat3::IDENTITY; 2]
        };
        let up = stretches[0].y_axis.y;
        let turn = source.rotation(ankle) * pairing.rests[0].rotation(ankle).inverse();
        let from = self.soles[0].map(|point| pairing.own * (stretches[0] * (turn * point)) * pairing.scale);
        let flat = lowest(self.soles[0]) * up * pairing.scale;
        let height = (source.place(ankle).y - ground.from * up) * pairing.scale + lowest(from) - flat;
        let weight = lowered(height / self.length, LIFTED);
        let turn = tilted(posed.rotation(self.foot) * pairing.rests[1].rotation(self.foot).inverse());
        Foot { from, turn, stretches, height, weight }
    }

    /// The height of the ankle above which the sole is as high as that of the source.
    fn ankle(&self, foot: &Foot, turn: DQuat, ground: &Ground) -> f64 {
        let stretch = foot.stretches[1];
        let points = self.soles[1].map(|point| stretch * (turn * point));
        let up = stretch.y_axis.y;
        ground.to * up + foot.height + lowest(self.soles[1]) * up - lowest(points)
    }

    /// The rotation of the foot from rest: tilted over its ball so far that the ankle is where the transferred pose has it.
    fn rolled(&self, transfer: &Transfer<'_>, (foot, posed): (&Foot, &Frames), ground: &Ground) -> DQuat {
        let (heading, tilt) = foot.turn;
        let turn = |part: f64| part_of(tilt, part) * heading;
        let [heel, ball] = self.soles[1].map(|point| turn(1.0) * point);
        let across = |of: usize| self.soles[of][1].with_y(0.0).length();
        // The tilt at which the ball is below the ankle: a larger one lowers the foot again.
        let steepest = across(1).atan2(-lowest(self.soles[1])) / tilt.angle_between(DQuat::IDENTITY).max(1e-9);
        let higher = |part: f64| self.ankle(foot, turn(part), ground) - posed.place(self.limb.tip).y;
        let is_rolling = ball.y < heel.y && foot.height < RAISED * self.length;
        let longer = across(0) * transfer.pairing.scale / across(1).max(1e-9);
        let (mut low, mut high) = match higher(1.0) {
            by if !is_rolling || by.abs() < SAME * self.length => return turn(1.0),
            by if by > 0.0 => (0.0, steepest.min(1.0)),
            _ => (1.0, (MAX_TILT * longer.max(1.0)).min(steepest).max(1.0)),
        };
        for _ in 0..TILT_STEPS {
            let middle = (low + high) / 2.0;
            if higher(middle) < 0.0 { low = middle } else { high = middle }
        }
        let part = (low + high) / 2.0;
        // A foot that is tilted less stays so for longer: its ball would sink into the ground.
        let weight = if part < 1.0 { lowered(foot.height / self.length, RAISED) } else { foot.weight };
        turn(1.0 + (part - 1.0) * weight)
    }

    /// How far the ankle goes across the ground from its place in proportion, because the foot has another length than that of the
    /// source, and stands on its ball.
    fn shifted(&self, transfer: &Transfer<'_>, foot: &Foot, (turn, heading): (DQuat, DQuat)) -> DVec3 {
        let pairing = &transfer.pairing;
        let lower = foot.from[0].y - foot.from[1].y;
        let on_ball = (lower / (ROLL * self.length) + 0.5).clamp(0.0, 1.0);
        // From flat to flat, the ankle is in proportion, and the ball where the foot ends.
        let [from, to] = foot.stretches;
        let ankle = |point: usize| {
            let longer = to * self.soles[1][point] - pairing.own * (from * self.soles[0][point]) * pairing.scale;
            foot.from[point] + heading * longer - to * (turn * self.soles[1][point])
        };
        ankle(0).lerp(ankle(1), on_ball)
    }
}

/// 1 for a sole at a height that stands, falling to 0 at the height `lifted`, in leg lengths.
fn lowered(height: f64, lifted: f64) -> f64 {
    let share = ((height - STANDING) / (lifted - STANDING)).clamp(0.0, 1.0);
    1.0 - share * share * (3.0 - 2.0 * share)
}

fn lowest(points: [DVec3; 2]) -> f64 {
    points[0].y.min(points[1].y)
}

/// For each pose, the middle of the values over the time that the foot is down, so that what follows it doesn't slide; and from one such
/// time to the next while it is in the air.
pub fn held(values: &[DVec3], is_down: &[bool], period: Option<usize>) -> Vec<DVec3> {
    let (count, is_loop) = (period.unwrap_or(values.len()), period.is_some());
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for at in (0..count).filter(|at| is_down[*at]) {
        match runs.last_mut().filter(|(_, end)| *end == at) {
            Some((_, end)) => *end = at + 1,
            None => runs.push((at, at + 1)),
        }
    }
    let range = |(start, end): (usize, usize)| {
        let values = &values[start..end];
        [DVec3::min, DVec3::max].map(|of| values.iter().copied().reduce(of).unwrap_or_default())
    };
    let mut ranges: Vec<[DVec3; 2]> = runs.iter().map(|run| range(*run)).collect();
    // In a loop, a foot that is down at both ends stands once.
    if let ([(0, _), .., (_, end)], [first, .., last], true) = (runs.as_slice(), ranges.as_mut_slice(), is_loop)
        && *end == count
    {
        *first = [first[0].min(last[0]), first[1].max(last[1])];
        *last = *first;
    }
    let middle = |run: usize| (ranges[run][0] + ranges[run][1]) / 2.0;
    let value = |at: usize| {
        let next = runs.partition_point(|(_, end)| *end <= at);
        let after = runs.get(next).map(|run| (next, run.0 as f64));
        let before = next.checked_sub(1).map(|run| (run, runs[run].1 as f64 - 1.0));
        let (first, last) = (runs.first().map(|run| run.0 as f64), runs.last().map(|run| run.1 as f64 - 1.0));
        let around = count as f64;
        let after = after.or_else(|| first.filter(|_| is_loop).map(|start| (0, start + around)));
        let before = before.or_else(|| last.filter(|_| is_loop).map(|end| (runs.len() - 1, end - around)));
        match (before, after) {
            (_, Some((run, start))) if start <= at as f64 => middle(run),
            (Some((one, start)), Some((other, end))) => {
                middle(one).lerp(middle(other), (at as f64 - start) / (end - start).max(1.0))
            }
            (Some((run, _)), None) | (None, Some((run, _))) => middle(run),
            (None, None) => values[at],
        }
    };
    (0..values.len()).map(|at| value(at % count)).collect()
}
