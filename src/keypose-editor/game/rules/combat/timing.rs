//! Where an attack or a roll is in its clip at each tick: its state in the machine may play the clip at another speed, or from a later
//! start.

use keypose::anim::machine::def::MachineDef;
use keypose::anim::machine::parts::{Pace, StateDef};
use keypose::anim::time::Time;
use keypose::assets::combat::{Lanes, Range};
use keypose::assets::machine::State;

/// How a clip is played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timing {
    /// Times the clip's own speed; more than 0.
    speed: f64,
    /// The time of the clip at which it starts.
    start: Time,
}

impl Default for Timing {
    fn default() -> Timing {
        Timing { speed: 1.0, start: Time::ZERO }
    }
}

impl Timing {
    /// The timing of an action by the machine's state of its name. The game plays all other states as their clips, and also one without
    /// a constant speed forwards.
    pub fn of(def: &MachineDef, action: State) -> Timing {
        let is_action = State::ACTIONS.contains(&action);
        let is_it = |def: &&StateDef| is_action && State::from_word(&def.name) == Some(action);
        match def.parts().states.iter().find(is_it).map(|state| (&state.pace, state.start_secs)) {
            Some((Pace::Time { speed, by }, start_secs)) if by.is_empty() && *speed > 0.0 => {
                Timing { speed: f64::from(*speed), start: Time::from_secs(f64::from(start_secs)) }
            }
            _ => Timing::default(),
        }
    }

    /// The time in the clip at a tick of the action.
    pub fn clip_time(&self, tick: f32) -> Time {
        self.start + Time((f64::from(tick) * Time::TICK.0 as f64 * self.speed) as i64)
    }

    /// The time in the action at a time of the clip.
    pub fn action_time(&self, time: Time) -> Time {
        Time(((time - self.start).0 as f64 / self.speed) as i64)
    }

    /// Moves lanes from times of the clip to times of the action. Those before its start are removed; one with a tick keeps one.
    pub fn retime(&self, lanes: &mut Lanes) {
        if *self == Timing::default() {
            return;
        }
        lanes.map_ranges(|range| {
            let start = self.action_time(range.start).max(Time::ZERO);
            let moved = Range { start, end: self.action_time(range.end) };
            let first = moved.ticks().start;
            let is_short = moved.ticks().is_empty() && !range.ticks().is_empty();
            let moved = if is_short { Range::of_ticks(first, first.saturating_add(1)) } else { moved };
            (range.end > self.start).then_some(moved)
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_follow_the_speed_and_the_start_and_none_gets_lost() {
        let all = [(4, 8), (10, 20), (13, 14)].map(|(first, end)| Range::of_ticks(first, end));
        for (speed, start, expected) in [
            (1.0, 0, vec![4..8, 10..20, 13..14]),
            (2.0, 0, vec![2..4, 5..10, 7..8]),
            (0.5, 0, vec![8..16, 20..40, 26..28]),
            (4.0, 8, vec![1..3, 2..3]),
        ] {
            let timing = Timing { speed, start: Time::TICK * start };
            let mut lanes = Lanes { invulnerable: all.to_vec(), ..Lanes::default() };
            timing.retime(&mut lanes);
            let ticks: Vec<_> = lanes.invulnerable.iter().map(Range::ticks).collect();
            assert_eq!(ticks, expected, "{timing:?}");
            assert_eq!(timing.action_time(timing.clip_time(12.0)), Time::TICK * 12);
        }
    }
}
