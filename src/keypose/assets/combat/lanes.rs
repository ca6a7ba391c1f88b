//! The lanes of a clip: ranges in which it hits, in which its hurt volumes differ, in which it can be cancelled, in which it can't
//! be hit, and in which a foot or a hand stands.

use crate::anim::choice::choice;
use crate::anim::time::Time;
use crate::assets::combat::volume::{self, Volume};
use crate::assets::in_range;

/// The maximum number of ranges in a lane.
pub const MAX_RANGES: usize = 1024;
/// Maximum number of actions that a cancel names.
pub const MAX_ACTIONS: usize = 256;

/// A part of a clip, from `start` to just before `end`, both in 0..=[`Time::LONGEST`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Range {
    /// Time of the first tick.
    pub start: Time,
    /// The time at which it is over.
    pub end: Time,
}

impl Range {
    /// The range of these ticks: from tick `first` to before tick `end`.
    pub fn of_ticks(first: i64, end: i64) -> Range {
        Range { start: Time::TICK * first, end: Time::TICK * end }
    }

    /// The ticks in it: those whose time it contains. Counted from the start of the clip; empty if no tick's time is inside.
    pub fn ticks(&self) -> std::ops::Range<i64> {
        let first = |time: Time| (time.0 + Time::TICK.0 - 1).div_euclid(Time::TICK.0);
        first(self.start)..first(self.end)
    }

    /// Whether a time is in it.
    pub fn contains(&self, time: Time) -> bool {
        self.start <= time && time < self.end
    }

    fn check(&self) -> Result<(), String> {
        if Time::ZERO <= self.start && self.start <= self.end && self.end <= Time::LONGEST {
            Ok(())
        } else {
            Err(format!("{} to {} is not a range of a clip", self.start, self.end))
        }
    }
}

/// Effects of a hit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strike {
    /// Points that it costs.
    pub damage: u16,
    /// The direction of the knockback in degrees: 0 is forward from the attacker, 90 is up. From -180 to 180.
    pub angle: f32,
    /// The speed of the knockback in metres per second, 0 to 100.
    pub knockback: f32,
    /// Growth of the speed per point of damage that the target has taken, in metres per second, 0 to 10.
    pub growth: f32,
    /// Ticks for which both stand still at the hit.
    pub stop: u16,
    /// Ticks for which the target can't act.
    pub stun: u16,
    /// Ticks for which a target that blocks can't act.
    pub block_stun: u16,
    /// If two attacks meet, the one of higher priority wins; equal ones cancel each other.
    pub priority: u8,
    /// Targets, a bit for each kind. See [`Strike::ALL_TARGETS`].
    pub mask: u32,
}

impl Strike {
    /// Every kind of target on the other side: foes and dummies for the player, the player for foes. A foe hits other foes only
    /// with a mask that names them.
    pub const ALL_TARGETS: u32 = u32::MAX;

    fn check(&self) -> Result<(), String> {
        in_range("angle", self.angle, -180.0, 180.0)?;
        in_range("knockback", self.knockback, 0.0, 100.0)?;
        in_range("growth", self.growth, 0.0, 10.0)
    }
}

impl Default for Strike {
    fn default() -> Strike {
        Strike {
            damage: 10,
            angle: 30.0,
            knockback: 4.0,
            growth: 0.02,
            stop: 5,
            stun: 18,
            block_stun: 10,
            priority: 1,
            mask: Strike::ALL_TARGETS,
        }
    }
}

/// A range in which volumes hit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hit {
    /// When.
    pub range: Range,
    /// Hit volumes. A hit without volumes does nothing; the clip check reports it.
    pub volumes: Vec<Volume>,
    /// Hits of one group count once for each target: a swing of several volumes and ranges is one group.
    pub group: u8,
    /// Ticks after which the group can hit the same target again; 0 for never.
    pub again: u16,
    /// Damage, knockback and stun of the hit.
    pub strike: Strike,
}

/// A range in which a hurt volume of the model is elsewhere, or off.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hurt {
    /// When.
    pub range: Range,
    /// The name of the hurt volume.
    pub volume: String,
    /// Replacement of the same name; `None` switches the volume off.
    pub replaced: Option<Volume>,
}

choice! {
    /// When a cancel is possible.
    #[derive(Default, Hash)]
    pub enum CancelWhen {
        /// On a hit, on a miss and before either.
        #[default]
        Always = "always",
        /// Only if the clip has hit something.
        Hit = "on hit",
        /// Only if it has hit nothing so far.
        Miss = "on miss",
    }
}

/// A range in which another action may interrupt the clip.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cancel {
    /// When.
    pub range: Range,
    /// The actions that may: names of clips, or of what the game does (`jump`, `attack`, `walk`, …). Empty for any.
    pub into: Vec<String>,
    /// The condition.
    pub when: CancelWhen,
}

impl Cancel {
    /// Whether it lets an action interrupt the clip at a time.
    pub fn allows(&self, action: &str, time: Time, has_hit: bool) -> bool {
        let is_met = match self.when {
            CancelWhen::Always => true,
            CancelWhen::Hit => has_hit,
            CancelWhen::Miss => !has_hit,
        };
        is_met && self.range.contains(time) && (self.into.is_empty() || self.into.iter().any(|into| into == action))
    }
}

/// A range in which a bone stands: a foot on the ground, or a hand that holds something.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contact {
    /// When.
    pub range: Range,
    /// The name of the bone; not empty.
    pub bone: String,
}

choice! {
    /// One of the lanes.
    #[derive(Default, PartialOrd, Ord, Hash)]
    #[allow(missing_docs)]
    pub enum LaneKind {
        #[default]
        Hits = "Hits",
        Hurts = "Hurts",
        Cancels = "Cancels",
        Invulnerable = "Invulnerable",
        Contacts = "Contacts",
    }
}

/// The lanes of a clip, each sorted by its ranges.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lanes {
    /// Hits of the clip.
    pub hits: Vec<Hit>,
    /// Ranges in which hurt volumes differ from the model's.
    pub hurts: Vec<Hurt>,
    /// Ranges in which other clips may interrupt this one.
    pub cancels: Vec<Cancel>,
    /// When it can't be hit.
    pub invulnerable: Vec<Range>,
    /// When feet and hands stand.
    pub contacts: Vec<Contact>,
}

impl Lanes {
    /// Whether there is nothing in any lane.
    pub fn is_empty(&self) -> bool {
        *self == Lanes::default()
    }

    /// Sorts each lane by its ranges. Equal ranges keep their order.
    pub fn sort(&mut self) {
        self.hits.sort_by_key(|hit| hit.range);
        self.hurts.sort_by_key(|hurt| hurt.range);
        self.cancels.sort_by_key(|cancel| cancel.range);
        self.invulnerable.sort();
        self.contacts.sort_by_key(|contact| contact.range);
    }

    /// Sorts as [`Lanes::sort`]. Returns where a range is then; equal ranges keep their order.
    pub fn sort_following(&mut self, lane: LaneKind, at: usize) -> Option<usize> {
        let ranges = self.ranges(lane);
        let range = *ranges.get(at)?;
        self.sort();
        Some((0..).zip(ranges).filter(|(other, it)| (*it, *other) < (range, at)).count())
    }

    /// The ranges of a lane.
    pub fn ranges(&self, lane: LaneKind) -> Vec<Range> {
        match lane {
            LaneKind::Hits => self.hits.iter().map(|hit| hit.range).collect(),
            LaneKind::Hurts => self.hurts.iter().map(|hurt| hurt.range).collect(),
            LaneKind::Cancels => self.cancels.iter().map(|cancel| cancel.range).collect(),
            LaneKind::Invulnerable => self.invulnerable.clone(),
            LaneKind::Contacts => self.contacts.iter().map(|contact| contact.range).collect(),
        }
    }

    /// A range of a lane, to change. The lane must be sorted afterwards.
    pub fn range_mut(&mut self, lane: LaneKind, at: usize) -> Option<&mut Range> {
        match lane {
            LaneKind::Hits => self.hits.get_mut(at).map(|hit| &mut hit.range),
            LaneKind::Hurts => self.hurts.get_mut(at).map(|hurt| &mut hurt.range),
            LaneKind::Cancels => self.cancels.get_mut(at).map(|cancel| &mut cancel.range),
            LaneKind::Invulnerable => self.invulnerable.get_mut(at),
            LaneKind::Contacts => self.contacts.get_mut(at).map(|contact| &mut contact.range),
        }
    }

    /// Removes a range with its contents. Returns false if there is none.
    pub fn remove(&mut self, lane: LaneKind, at: usize) -> bool {
        fn remove<T>(list: &mut Vec<T>, at: usize) -> bool {
            let is_there = at < list.len();
            if is_there {
                list.remove(at);
            }
            is_there
        }
        match lane {
            LaneKind::Hits => remove(&mut self.hits, at),
            LaneKind::Hurts => remove(&mut self.hurts, at),
            LaneKind::Cancels => remove(&mut self.cancels, at),
            LaneKind::Invulnerable => remove(&mut self.invulnerable, at),
            LaneKind::Contacts => remove(&mut self.contacts, at),
        }
    }

    /// Iterates over the volumes of hits and the replacements of hurt volumes.
    pub fn volumes(&self) -> impl Iterator<Item = &Volume> {
        let replaced = self.hurts.iter().filter_map(|hurt| hurt.replaced.as_ref());
        self.hits.iter().flat_map(|hit| &hit.volumes).chain(replaced)
    }

    /// All volumes, to change.
    pub fn volumes_mut(&mut self) -> impl Iterator<Item = &mut Volume> {
        let replaced = self.hurts.iter_mut().filter_map(|hurt| hurt.replaced.as_mut());
        self.hits.iter_mut().flat_map(|hit| &mut hit.volumes).chain(replaced)
    }

    /// The names of the bones of volumes and contacts, to change.
    pub fn bones_mut(&mut self) -> impl Iterator<Item = &mut String> {
        let replaced = self.hurts.iter_mut().filter_map(|hurt| hurt.replaced.as_mut());
        let volumes = self.hits.iter_mut().flat_map(|hit| &mut hit.volumes).chain(replaced);
        volumes.map(|volume| &mut volume.bone).chain(self.contacts.iter_mut().map(|contact| &mut contact.bone))
    }

    /// Moves all ranges by a map of times that keeps their order. The lanes stay sorted.
    pub fn retime(&mut self, map: impl Fn(Time) -> Time) {
        self.map_ranges(|range| Some(Range { start: map(range.start), end: map(range.end) }));
    }

    /// Replaces all ranges, or removes those for which there is none. The lanes stay sorted.
    pub fn map_ranges(&mut self, map: impl Fn(Range) -> Option<Range>) {
        let keep = |range: &mut Range| {
            let mapped = map(*range);
            if let Some(Range { start, end }) = mapped {
                let start = start.clamp(Time::ZERO, Time::LONGEST);
                *range = Range { start, end: end.clamp(start, Time::LONGEST) };
            }
            mapped.is_some()
        };
        self.hits.retain_mut(|hit| keep(&mut hit.range));
        self.hurts.retain_mut(|hurt| keep(&mut hurt.range));
        self.cancels.retain_mut(|cancel| keep(&mut cancel.range));
        self.invulnerable.retain_mut(keep);
        self.contacts.retain_mut(|contact| keep(&mut contact.range));
        self.sort();
    }

    /// Checks that the lanes are sorted, that ranges are in order and that all names and numbers are valid. The error names
    /// the lane and the index.
    pub fn check(&self) -> Result<(), String> {
        check_lane("hit", self.hits.iter().map(|hit| hit.range))?;
        check_lane("hurt", self.hurts.iter().map(|hurt| hurt.range))?;
        check_lane("cancel", self.cancels.iter().map(|cancel| cancel.range))?;
        check_lane("invulnerable", self.invulnerable.iter().copied())?;
        check_lane("contact", self.contacts.iter().map(|contact| contact.range))?;
        if let Some(at) = self.contacts.iter().position(|contact| contact.bone.is_empty()) {
            return Err(format!("contact {at}: it names no bone"));
        }
        for (at, hit) in self.hits.iter().enumerate() {
            let place = |reason| format!("hit {at}: {reason}");
            hit.strike.check().map_err(place)?;
            volume::check_all(&hit.volumes).map_err(place)?;
        }
        let actions = self.cancels.iter().map(|cancel| cancel.into.len());
        if let Some((at, actions)) = actions.enumerate().find(|(_, actions)| *actions > MAX_ACTIONS) {
            return Err(format!("cancel {at}: {actions} actions; the maximum is {MAX_ACTIONS}"));
        }
        for (at, hurt) in self.hurts.iter().enumerate() {
            let place = |reason| format!("hurt {at}: {reason}");
            hurt.replaced.as_ref().map_or(Ok(()), Volume::check).map_err(place)?;
        }
        Ok(())
    }
}

fn check_lane(lane: &str, ranges: impl ExactSizeIterator<Item = Range>) -> Result<(), String> {
    if ranges.len() > MAX_RANGES {
        return Err(format!("{} {lane} ranges; the maximum is {MAX_RANGES}", ranges.len()));
    }
    let mut before = None;
    for (at, range) in ranges.enumerate() {
        range.check().map_err(|reason| format!("{lane} {at}: {reason}"))?;
        if before > Some(range) {
            return Err(format!("{lane} {at}: it starts before the one before it"));
        }
        before = Some(range);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ```text
    /// tick     0   1   2   3
    /// range      |-----|            1 and 2 start in it
    /// ```
    #[test]
    fn a_range_has_the_ticks_whose_time_is_in_it() {
        let part = |numerator: i64| Time(Time::TICK.0 * numerator / 4);
        let cases = [(1, 9, 1..3), (4, 8, 1..2), (4, 9, 1..3), (5, 8, 2..2), (0, 0, 0..0), (0, 1, 0..1)];
        for (start, end, ticks) in cases {
            let range = Range { start: part(start), end: part(end) };
            assert_eq!(range.ticks(), ticks, "{start} {end}");
            for tick in -1..5 {
                assert_eq!(range.contains(Time::TICK * tick), ticks.contains(&tick), "{start} {end} {tick}");
            }
        }
        assert_eq!(Range::of_ticks(3, 6).ticks(), 3..6);
    }

    #[test]
    fn a_cancel_needs_its_time_its_action_and_its_condition() {
        let cancel = Cancel { range: Range::of_ticks(4, 8), into: vec!["jump".into()], when: CancelWhen::Hit };
        let at = |tick: i64| Time::TICK * tick;
        assert!(cancel.allows("jump", at(4), true));
        assert!(!cancel.allows("jump", at(4), false));
        assert!(!cancel.allows("attack", at(4), true));
        assert!(!cancel.allows("jump", at(8), true));
        let any = Cancel { into: vec![], when: CancelWhen::Miss, ..cancel };
        assert!(any.allows("walk", at(7), false));
        assert!(!any.allows("walk", at(7), true));
    }

    #[test]
    fn retiming_keeps_ranges_in_order() {
        let mut lanes = Lanes { invulnerable: vec![Range::of_ticks(2, 4), Range::of_ticks(5, 9)], ..Lanes::default() };
        lanes.retime(|time| time * 2);
        assert_eq!(lanes.invulnerable, [Range::of_ticks(4, 8), Range::of_ticks(10, 18)]);
        lanes.retime(|_| Time(-5));
        assert_eq!(lanes.check(), Ok(()));
    }

    #[test]
    fn unsorted_lanes_and_numbers_out_of_range_are_refused() {
        let hit = |from, to| Hit { range: Range::of_ticks(from, to), ..Hit::default() };
        let strike = |strike| Lanes { hits: vec![Hit { strike, ..hit(0, 1) }], ..Lanes::default() };
        let bad = [
            Lanes { hits: vec![hit(3, 4), hit(1, 2)], ..Lanes::default() },
            Lanes { hits: vec![hit(3, 2)], ..Lanes::default() },
            Lanes { invulnerable: vec![Range::of_ticks(-1, 2)], ..Lanes::default() },
            strike(Strike { angle: f32::NAN, ..Strike::default() }),
            strike(Strike { knockback: -1.0, ..Strike::default() }),
            strike(Strike { growth: 11.0, ..Strike::default() }),
        ];
        assert!(bad.iter().all(|lanes| lanes.check().is_err()));
        assert_eq!(Lanes { hits: vec![hit(1, 2), hit(1, 2), hit(3, 4)], ..Lanes::default() }.check(), Ok(()));
    }
}
