//! A running game, as the application uses it: created from values, advanced with buttons, drawn as frames.

use std::sync::Arc;

use crate::game::input::Buttons;
use crate::game::look::volumes_view;
use crate::game::scene;
use crate::game::step::step;
use crate::game::world::World;
use crate::game::world::cast::Cast;
use crate::game::world::default_level::default_level;
use crate::game::world::stage::Stage;
use crate::render::frame::Frame;
use keypose::assets::character::Character;
use keypose::assets::level::Level;
use keypose::assets::named_pose::NamedPose;

/// The last two worlds. Frames are interpolated between them.
#[derive(Clone, Debug)]
pub struct Play {
    pub(super) before: World,
    pub(super) now: World,
    /// Problems of the archive or the level, one sentence each.
    pub findings: Vec<String>,
}

impl Play {
    /// Starts a level, or the test level if there is none. If the level names no player, the first character is used.
    pub fn new(characters: &[Arc<Character>], level: Option<&Arc<Level>>, seed: u64) -> Play {
        let level = level.cloned().unwrap_or_else(|| Arc::new(default_level()));
        let stage = Stage::new(level);
        let cast = Cast::new(characters, &stage.level.player, &stage.kinds);
        let findings = stage.findings.texts.iter().chain(&cast.findings).cloned().collect();
        let now = World::new(Arc::new(stage), Arc::new(cast), seed);
        Play { before: now.clone(), now, findings }
    }

    /// Advances by one tick of 1/60 s with these buttons held.
    pub fn tick(&mut self, held: Buttons) {
        self.before.clone_from(&self.now);
        step(&mut self.now, held);
    }

    /// Advances by one tick behind a title: the player stands, and no foe notices it.
    pub fn tick_unnoticed(&mut self) {
        self.now.player.is_unnoticed = true;
        self.tick(Buttons::NONE);
    }

    /// The world after the last tick.
    pub fn world(&self) -> &World {
        &self.now
    }

    /// Overrides the player's pose, or ends the override. Returns true if it is visible: if the player has the model of
    /// the pose.
    pub fn hold_pose(&mut self, pose: Option<&NamedPose>) -> bool {
        let model = self.now.cast.player.as_ref().map(|player| player.playable.character.model.clone());
        let held = pose.zip(model).filter(|(pose, model)| pose.model == model.name);
        self.now.held_pose = held.map(|(pose, model)| Arc::new(pose.on(&model.skeleton)));
        self.now.held_pose.is_some()
    }

    /// The frame at `alpha` (0..=1) between the last two ticks, at an aspect ratio (width over height).
    pub fn frame(&self, alpha: f32, aspect: f32) -> Frame {
        scene::frame(&self.before, &self.now, alpha.clamp(0.0, 1.0), aspect)
    }

    /// Like [`Play::frame`], with the volumes of all characters, and foes in the plane of play, where contact is decided, instead of behind the player.
    pub fn frame_with_volumes(&self, alpha: f32, aspect: f32) -> Frame {
        let in_plane = |world: &World| {
            let mut world = world.clone();
            world.foes.iter_mut().for_each(|foe| foe.animator.behind = 0.0);
            world
        };
        let [before, now] = [&self.before, &self.now].map(in_plane);
        let mut frame = scene::frame(&before, &now, alpha.clamp(0.0, 1.0), aspect);
        volumes_view::draw(&now, &mut frame);
        frame
    }

    /// A line of values for stepping tick by tick.
    pub fn status(&self) -> String {
        let player = &self.now.player;
        let (feet, speed) = (crate::game::world::units::metres_of(player.feet), player.velocity);
        let state = player.state().name();
        let act = match player.action {
            Some(action) => {
                let hits = player.touched.len();
                format!("{} {}/{} hits {hits}", action.state.name(), action.tick, action.length)
            }
            None => state.to_owned(),
        };
        format!(
            "tick {}  {act}  at {:.2}, {:.2}  speed {:.2}, {:.2}  stop {} stun {}",
            self.now.tick, feet.x, feet.y, speed.x, speed.y, player.vitals.stop, player.vitals.stun
        )
    }
}
