//! Builds the frame between two worlds that are one tick apart. Never changes the simulation.

use std::sync::Arc;

use glam::{Mat4, Vec2, Vec3};

use crate::anim::machine::play::Scratch;
use crate::anim::pose::ModelPose;
use crate::assets::fit::Fit;
use crate::game::animator::Animator;
use crate::game::camera::clamped;
use crate::game::cast::Player;
use crate::game::scenery;
use crate::game::units::{metres, metres_of};
use crate::game::world::World;
use crate::render::frame::attached::attached;
use crate::render::frame::camera::Camera;
use crate::render::frame::side_view::{self, VIEW_HEIGHT};
use crate::render::frame::{Background, Frame, Haze, Light, ModelDraw};

/// A movement of more than this in one tick, in metres, is a teleport and isn't interpolated.
const TELEPORT: f32 = 2.0;

/// The frame at `alpha` (0..=1) between two worlds, at an aspect ratio (width over height).
pub fn frame(before: &World, now: &World, alpha: f32, aspect: f32) -> Frame {
    let look = &now.stage.level.look;
    let aim = between(before.camera.aim, now.camera.aim, alpha);
    let camera = camera(now, aim, aspect);
    let distance = camera.eye.distance(camera.target);
    let mut frame = Frame {
        camera,
        background: Background { top: scenery::color(look.sky_top), bottom: scenery::color(look.sky_bottom) },
        light: Light { to_key: Vec3::new(-0.35, 1.0, 0.6), ..Light::default() },
        haze: Some(Haze { color: scenery::color(look.sky_bottom), near: distance + 8.0, far: distance + 150.0 }),
        solids: scenery::solids(&now.stage),
        ..Frame::default()
    };
    scenery::add_dust(now, alpha, &mut frame.solids);
    match &now.cast.player {
        Some(player) => add_player(player, before, now, alpha, &mut frame),
        None => scenery::add_body(now, feet(before, now, alpha), &mut frame.solids),
    }
    frame
}

fn camera(world: &World, aim: Vec2, aspect: f32) -> Camera {
    let view = Vec2::new(VIEW_HEIGHT * aspect.clamp(0.1, 10.0), VIEW_HEIGHT);
    let target = clamped(aim, view, &world.stage.bounds_metres()).extend(0.0);
    side_view::camera(target)
}

fn between(before: Vec2, now: Vec2, alpha: f32) -> Vec2 {
    if before.distance(now) < TELEPORT { before.lerp(now, alpha) } else { now }
}

/// The visible position of the player's feet. Low steps are smoothed.
pub fn feet(before: &World, now: &World, alpha: f32) -> Vec2 {
    let shown = |world: &World| metres_of(world.player.feet) + Vec2::new(0.0, metres(world.player.lift));
    between(shown(before), shown(now), alpha)
}

fn add_player(player: &Player, before: &World, now: &World, alpha: f32, frame: &mut Frame) {
    let model = &player.playable.character.model;
    let (mut local, mut scratch) = (model.skeleton.rest_pose(), Scratch::default());
    let held = now.held_pose.as_ref().filter(|held| held.len() == model.skeleton.len());
    if let Some(held) = held {
        local.copy_from(held);
    } else if let Some(machine) = &now.animator.machine {
        machine.sample_between(alpha, &mut scratch, &mut local);
    }
    let mut model_pose = ModelPose::default();
    model_pose.compute(&model.skeleton, &local);
    if !model_pose.bones.iter().all(|bone| bone.is_finite()) {
        model_pose = model.skeleton.rest_model_pose();
    }
    let feet = feet(before, now, alpha).extend(0.0);
    let mut draw = ModelDraw::new(model.clone(), Arc::new(model_pose));
    draw.world_from_model = world_from_model(&now.animator, &player.playable.fit, feet, alpha);
    frame.models.extend(attached(&draw, &player.props));
    frame.models.push(draw);
}

/// Rotated along the level, a little towards the camera, and away from it on a ladder.
fn world_from_model(animator: &Animator, fit: &Fit, feet: Vec3, alpha: f32) -> Mat4 {
    let back = 1.0 - alpha;
    let shown = |[value, change]: [f32; 2]| value - change * back;
    let (turn, away, squash) = (shown(animator.turn), shown(animator.away), shown(animator.squash));
    let along = side_view::yaw(turn);
    let behind = std::f32::consts::PI * animator.away_side;
    let yaw = along + (behind - along) * smooth(away);
    side_view::world_from_model(fit, yaw, Vec3::new(1.0, squash, 1.0), feet)
}

fn smooth(fraction: f32) -> f32 {
    fraction * fraction * (3.0 - 2.0 * fraction)
}
