//! The levels of an archive as one game: they are played in their order, and their results are added up.

use keypose_editor::game::rules::locomotion::WALK_SPEED;
use keypose_editor::game::world::stage::Stage;
use keypose_editor::game::world::units::metres_of;

use crate::app::play::results::Results;
use crate::app::play::{Front, PlayMode};

/// Seconds of the time to beat for each foe that can die.
const SECS_PER_FOE: f32 = 2.0;

/// The time to beat, in ticks: that of a walk from the start to the goal, and some for each foe. `None` if there is no goal.
pub fn ticks_to_beat(stage: &Stage) -> Option<u64> {
    let goal = stage.goal?;
    let way = metres_of((goal.min + goal.max) / 2 - stage.spawn).abs();
    let foes = stage.foes.iter().filter(|(kind, ..)| !stage.kinds[*kind].is_dummy()).count();
    let secs = (way.x + way.y) / WALK_SPEED + foes as f32 * SECS_PER_FOE;
    // Whole seconds are easier to remember.
    Some(secs.ceil() as u64 * 60)
}

impl PlayMode {
    /// The label of the entry that opens another level; `None` if there is no other one.
    pub(super) fn next_entry(&self) -> Option<&'static str> {
        match self.levels.len() {
            0 | 1 => None,
            count if self.level + 1 < count => Some("Next level"),
            _ => Some("From the first level"),
        }
    }

    /// Opens the next level, after the last one the first. A recording is of one level, and ends.
    pub(super) fn open_next(&mut self) {
        let next = (self.level + 1) % self.levels.len().max(1);
        let Some(level) = self.levels.get(next).cloned() else { return };
        if let Some(ended) = self.recording.end() {
            self.messages.show(ended);
        }
        self.level = next;
        self.open(&level);
        if self.is_own_program {
            (self.front, self.is_begun) = (Front::Title, false);
        }
    }

    /// Keeps the result of this level. Returns the sum of all levels after the last of several that were played in their order.
    pub(super) fn add_to_journey(&mut self, result: Results) -> Option<Results> {
        self.journey.truncate(if self.counts { self.level } else { 0 });
        if self.journey.len() == self.level && self.counts {
            self.journey.push(result);
        }
        let is_whole = self.levels.len() > 1 && self.journey.len() == self.levels.len();
        let sum = |figure: fn(&Results) -> u64| self.journey.iter().map(figure).sum();
        is_whole.then(|| Results { ticks: sum(|it| it.ticks), hits: sum(|it| it.hits), coins: sum(|it| it.coins) })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::app::play::controls::Controls;
    use crate::app::play::recording::InputRecording;
    use crate::app::play::{Beginning, SEED};
    use keypose::assets::level::{Goal, Level, Rect};
    use keypose::assets::project::Project;

    fn game(count: usize) -> PlayMode {
        let level = |at: usize| Level {
            name: format!("level {}", at + 1),
            solids: vec![Rect::new(-2.0, -1.0, 20.0, 0.0)],
            goal: Some(Goal::open(Rect::new(9.5, 0.0, 10.5, 2.0))),
            ..Level::default()
        };
        let project = Project { levels: (0..count).map(level).map(Arc::new).collect(), ..Project::default() };
        let (recording, controls, clips) = (InputRecording::None, Controls::default(), Vec::new());
        let beginning = Beginning { recording, seed: SEED, controls, clips, results: None, is_own_program: false };
        PlayMode::new(&project, &[], beginning)
    }

    fn result(ticks: u64) -> Results {
        Results { ticks, hits: 1, coins: 2 }
    }

    #[test]
    fn levels_follow_each_other_and_their_results_are_added() {
        let mut game = game(2);
        assert_eq!((game.next_entry(), game.add_to_journey(result(100))), (Some("Next level"), None));
        game.open_next();
        assert_eq!(
            (game.world().stage.level.name.as_str(), game.next_entry()),
            ("level 2", Some("From the first level"))
        );
        assert_eq!(game.add_to_journey(result(50)), Some(Results { ticks: 150, hits: 2, coins: 4 }));
        assert_eq!(game.add_to_journey(result(40)).map(|sum| sum.ticks), Some(140), "played again");
        game.open_next();
        assert_eq!(game.world().stage.level.name, "level 1");
        game.counts = false;
        assert_eq!(game.add_to_journey(result(1)), None);
        game.open_next();
        assert_eq!(game.add_to_journey(result(1)), None, "the first one did not count");
    }

    #[test]
    fn the_time_to_beat_is_that_of_a_walk() {
        let game = game(1);
        assert_eq!((ticks_to_beat(&game.world().stage), game.next_entry()), (Some(6 * 60), None));
    }
}
