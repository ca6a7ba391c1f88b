//! Splashes where characters fall into water, and the fade when a fall or a death ends.

use glam::{Vec2, Vec3};

use crate::game::rules::actor::Actor;
use crate::game::world::World;
use crate::game::world::news::News;
use crate::game::world::stage::Stage;
use crate::game::world::units::{grains, metres_of};
use crate::render::frame::camera::Camera;
use crate::render::frame::color::Color;
use crate::render::frame::overlay::{Layer, Overlay};
use keypose::assets::level::{Decor, DecorShape};

/// The view begins to fade this far above the height at which a falling player starts again, in metres.
const FADE_DEPTH: f32 = 5.0;
/// Ticks before the end of a death at which the view begins to fade.
const FADE_TICKS: u16 = 24;
/// Change of the fade in a tick: out, and in.
const FADE_STEP: [f32; 2] = [0.06, 0.04];

/// Reports who fell into water in this tick, and moves the fade.
pub fn step(world: &mut World, death_ticks: u16) {
    let World { stage, player, foes, news, fade, .. } = world;
    let actors = foes.iter().filter(|foe| foe.is_there()).map(|foe| &foe.actor).chain([&*player]);
    news.extend(actors.filter_map(|actor| surface_met(stage, actor)).map(|place| News::Splash { place }));
    let is_falling = player.feet.y < stage.abyss + grains(FADE_DEPTH);
    let is_ending = player.vitals.dead.saturating_add(FADE_TICKS) >= death_ticks;
    *fade = if is_falling || is_ending { (*fade + FADE_STEP[0]).min(1.0) } else { (*fade - FADE_STEP[1]).max(0.0) };
}

/// Where a character passed the surface of water on its way down.
fn surface_met(stage: &Stage, actor: &Actor) -> Option<Vec2> {
    let [before, now] = [actor.before.feet, actor.feet].map(metres_of);
    let is_met = |decor: &&Decor| {
        let (rect, half) = (decor.rect, decor.depth * 0.5);
        let is_in_play = decor.shape == DecorShape::Water && (decor.z - half..=decor.z + half).contains(&0.0);
        is_in_play && (rect.min.x..=rect.max.x).contains(&now.x) && before.y >= rect.max.y && now.y < rect.max.y
    };
    let met = stage.level.decor.iter().find(is_met)?;
    Some(Vec2::new(now.x, met.rect.max.y))
}

/// Covers the view, which is dark by 0 to 1.
pub fn draw_fade(dark: f32, camera: &Camera, overlay: &mut Overlay) {
    if dark <= 0.0 {
        return;
    }
    let ahead = (camera.target - camera.eye).normalize_or(Vec3::NEG_Z);
    let right = ahead.cross(camera.up).normalize_or(Vec3::X);
    // Large enough at this distance for every shape of a window.
    let (center, size) = (camera.eye + ahead * 2.0, 12.0);
    let corner = |x: f32, y: f32| center + (right * x + right.cross(ahead) * y) * size;
    let rim = [corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
    overlay.fan(corner(-1.0, -1.0), &rim, Color::hex(0x0c1420).with_alpha(dark), Layer::Above);
}
