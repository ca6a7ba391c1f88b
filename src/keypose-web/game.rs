//! The game of a page: the levels of an archive one after the other. No page and no GL.

use std::sync::Arc;

use keypose::assets::character::Character;
use keypose::assets::level::Level;
use keypose::assets::sound::Sound;
use keypose::wad::Decoded;
use keypose_editor::game::input::Buttons;
use keypose_editor::game::look::cues::{heard_of, music_of};
use keypose_editor::game::play::Play;
use keypose_editor::game::rules::marks::guards;
use keypose_editor::game::world::units::TICK_SECS;
use keypose_editor::render::frame::Frame;

/// The seed of the random numbers, as in the program: the same buttons give the same game.
const SEED: u64 = 1;
/// Maximum ticks per picture: after a pause of the page the others are skipped.
const MAX_TICKS: u32 = 5;

/// A game in progress.
#[derive(Clone, Debug)]
pub struct Game {
    characters: Vec<Arc<Character>>,
    levels: Vec<Arc<Level>>,
    level: usize,
    play: Play,
    sounds: Vec<Arc<Sound>>,
    /// The sounds since the last picture, and factors of their volumes.
    heard: Vec<(Arc<Sound>, f32)>,
    /// Time that was not played yet, in seconds: less than a tick.
    pending_secs: f32,
}

impl Game {
    /// Starts the first level, or the test level if there is none.
    pub fn new(decoded: Decoded) -> Game {
        let Decoded { project, characters, .. } = decoded;
        let characters = Character::bake_all(&project.models, &characters);
        let play = Play::new(&characters, project.levels.first(), SEED);
        Game {
            characters,
            levels: project.levels,
            level: 0,
            play,
            sounds: project.sounds,
            heard: Vec::new(),
            pending_secs: 0.0,
        }
    }

    /// Starts the level again.
    pub fn restart(&mut self) {
        self.play = Play::new(&self.characters, self.levels.get(self.level), SEED);
        self.pending_secs = 0.0;
    }

    /// Starts the next level, after the last one the first.
    pub fn start_next(&mut self) {
        self.level = (self.level + 1) % self.levels.len().max(1);
        self.restart();
    }

    /// Plays on with these buttons held.
    pub fn advance(&mut self, secs: f32, held: Buttons) {
        self.pending_secs += secs.clamp(0.0, MAX_TICKS as f32 * TICK_SECS);
        while self.pending_secs >= TICK_SECS {
            self.pending_secs -= TICK_SECS;
            self.play.tick(held);
            let heard = heard_of(self.play.world(), &self.sounds);
            self.heard.extend(heard.map(|(sound, gain)| (sound.clone(), gain)));
        }
    }

    /// The picture, at an aspect ratio (width over height).
    pub fn frame(&self, aspect: f32) -> Frame {
        self.play.frame(self.pending_secs / TICK_SECS, aspect)
    }

    /// Returns the sounds that were heard since the last call, and factors of their volumes.
    pub fn take_heard(&mut self) -> Vec<(Arc<Sound>, f32)> {
        std::mem::take(&mut self.heard)
    }

    /// The music that plays now.
    pub fn music(&self) -> Option<&Arc<Sound>> {
        music_of(self.play.world(), &self.sounds)
    }

    /// The name of the level that is played; may be empty.
    pub fn level_name(&self) -> &str {
        &self.play.world().stage.level.name
    }

    /// The player's health, 0..=1; `None` in a level without foes.
    pub fn health(&self) -> Option<f32> {
        let world = self.play.world();
        (!world.foes.is_empty()).then(|| world.player.vitals.part())
    }

    /// The time and the coins, if the level has a goal, and how many foes keep it closed.
    pub fn status(&self) -> String {
        let world = self.play.world();
        if world.stage.goal.is_none() {
            return String::new();
        }
        let hundredths = world.progress.finished.unwrap_or(world.tick) * 100 / 60;
        let mut status = format!("{}:{:02}.{:02}", hundredths / 6000, hundredths / 100 % 60, hundredths % 100);
        if !world.stage.coins.is_empty() {
            status += &format!(" · coins {} of {}", world.progress.collected(), world.stage.coins.len());
        }
        match (guards(world).count(), world.stage.guards) {
            (0, _) | (_, None) => {}
            (left, Some(kind)) => status += &format!(" · {} left: {left}", world.stage.kinds[kind].name),
        }
        status
    }

    /// Whether the goal was reached.
    pub fn is_finished(&self) -> bool {
        self.play.world().progress.finished.is_some()
    }

    /// Problems of the archive or the level, one sentence each.
    pub fn findings(&self) -> &[String] {
        &self.play.findings
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use keypose::assets::level::{Goal, Rect};
    use keypose::assets::project::Project;

    #[test]
    fn a_goal_ends_a_level_and_the_next_one_begins() {
        let level = |name: &str| Level {
            name: name.into(),
            solids: vec![Rect::new(-2.0, -1.0, 20.0, 0.0)],
            goal: Some(Goal::open(Rect::new(1.5, 0.0, 2.5, 2.0))),
            ..Level::default()
        };
        let levels = ["one", "two"].map(level).map(Arc::new).to_vec();
        let mut game = Game::new(Decoded { project: Project { levels, ..Project::default() }, ..Decoded::default() });
        assert_eq!((game.level_name(), game.is_finished()), ("one", false));
        for _ in 0..60 * 5 {
            game.advance(TICK_SECS, Buttons::RIGHT);
        }
        assert!(game.is_finished(), "{}", game.status());
        game.start_next();
        assert_eq!((game.level_name(), game.is_finished()), ("two", false));
        assert_eq!(game.status(), "0:00.00");
        game.start_next();
        assert_eq!(game.level_name(), "one");
    }

    #[test]
    fn a_jump_is_heard_once_beside_the_music() {
        let sounds = ["jump", "music"].map(|name| Arc::new(Sound::new(name, 8_000, 1, &[1]))).to_vec();
        let project = Project { sounds, ..Project::default() };
        let mut game = Game::new(Decoded { project, ..Decoded::default() });
        let mut heard = Vec::new();
        for tick in 0..90 {
            game.advance(TICK_SECS, if (40..50).contains(&tick) { Buttons::JUMP } else { Buttons::NONE });
            heard.extend(game.take_heard().into_iter().map(|(sound, _)| sound.name.clone()));
        }
        assert_eq!((heard, game.music().map(|sound| &*sound.name)), (vec!["jump".to_owned()], Some("music")));
    }

    #[test]
    fn a_page_that_was_hidden_skips_time() {
        let mut game = Game::new(Decoded::default());
        game.advance(3600.0, Buttons::NONE);
        assert_eq!(game.play.world().tick, u64::from(MAX_TICKS));
    }
}
