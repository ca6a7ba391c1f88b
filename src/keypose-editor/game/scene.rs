//! Builds the frame between two worlds that are one tick apart. Never changes the simulation.

use std::sync::Arc;

use glam::{Mat4, Vec2, Vec3};

use crate::game::look::marks_view;
use crate::game::look::scenery;
use crate::game::look::trail;
use crate::game::look::water;
use crate::game::pose::animator::{Animator, Between};
use crate::game::pose::stand_in::stand_in;
use crate::game::pose::{fallen, feet, gaze, hands, headroom, ledge, springs};
use crate::game::rules::actor::Actor;
use crate::game::world::World;
use crate::game::world::camera::clamped;
use crate::game::world::cast::Performer;
use crate::game::world::units::{TICK_SECS, metres_of};
use crate::render::frame::attached::attached_by;
use crate::render::frame::camera::Camera;
use crate::render::frame::color::Color;
use crate::render::frame::moving::Moment;
use crate::render::frame::scenery::frame as dressed;
use crate::render::frame::side_view::{self, FOE_TINT, VIEW_HEIGHT};
use crate::render::frame::{Frame, ModelDraw};
use keypose::anim::machine::play::Scratch;
use keypose::anim::pose::{LocalPose, ModelPose};
use keypose::assets::fit::Fit;

/// A movement of more than this in one tick, in metres, is a teleport and isn't interpolated.
const TELEPORT: f32 = 2.0;

/// Metres by which a character that was just hit shivers.
const SHIVER: f32 = 0.03;

/// The frame at `alpha` (0..=1) between two worlds, at an aspect ratio (width over height).
pub fn frame(before: &World, now: &World, alpha: f32, aspect: f32) -> Frame {
    let look = &now.stage.level.look;
    let aim = between(before.camera.aim, now.camera.aim, alpha);
    let kick = before.effects.kick.lerp(now.effects.kick, alpha);
    let camera = camera(now, aim, kick, aspect);
    // A world runs for less than a day; after that the wind starts again.
    let secs = ((now.tick % 5_184_000) as f32 + alpha - 1.0) * TICK_SECS;
    let walkers = feet_shown(before, now, alpha);
    let moment = Moment { secs, walkers: &walkers };
    let mut frame = Frame { solids: scenery::solids(&now.stage, &moment), ..dressed(look, camera) };
    scenery::add_lifts(now, alpha, &mut frame.solids);
    scenery::add_dust(now, alpha, &frame.camera, &mut frame.overlay);
    marks_view::add(now, alpha, &mut frame.solids);
    now.effects.draw(alpha, &mut frame.overlay);
    add_foes(before, now, alpha, &mut frame);
    // After a restart it stands there at once, however near.
    let [restarts_before, restarts] = [before, now].map(|world| world.falls + world.deaths);
    let earlier = if restarts_before == restarts { &before.animator } else { &now.animator };
    let player = Shown::new([&before.player, &now.player], [earlier, &now.animator], alpha, Color::CLEAR);
    match &now.cast.player {
        Some(performer) => add_performer(performer, &player, now.held_pose.as_deref(), &mut frame),
        None => scenery::add_body(&now.player, player.feet(), &mut frame.solids),
    }
    let dark = now.fade - (now.fade - before.fade) * (1.0 - alpha);
    water::draw_fade(dark, &frame.camera, &mut frame.overlay);
    frame
}

/// The visible feet of the player and of all foes.
fn feet_shown(before: &World, now: &World, alpha: f32) -> Vec<Vec2> {
    let foes = now.foes.iter().enumerate().filter(|(_, foe)| foe.is_there());
    let pairs = foes.map(|(at, foe)| (&before.foes.get(at).unwrap_or(foe).actor, &foe.actor));
    let pairs = std::iter::once((&before.player, &now.player)).chain(pairs);
    pairs.map(|(a, b)| between(metres_of(a.drawn_feet()), metres_of(b.drawn_feet()), alpha)).collect()
}

fn camera(world: &World, aim: Vec2, kick: Vec2, aspect: f32) -> Camera {
    let view = Vec2::new(VIEW_HEIGHT * aspect.clamp(0.1, 10.0), VIEW_HEIGHT);
    let target = (clamped(aim, view, &world.stage.bounds_metres()) + kick).extend(0.0);
    side_view::camera(target)
}

fn between(before: Vec2, now: Vec2, alpha: f32) -> Vec2 {
    if before.distance(now) < TELEPORT { before.lerp(now, alpha) } else { now }
}

/// A character before and after the last tick, to be drawn between them.
struct Shown<'a> {
    actors: [&'a Actor; 2],
    animator: Between<'a>,
    alpha: f32,
    /// A tint by which it differs from others with its model.
    tint: Color,
}

impl<'a> Shown<'a> {
    /// After a teleport it is at once as it is then.
    fn new(actors: [&'a Actor; 2], [earlier, now]: [&'a Animator; 2], alpha: f32, tint: Color) -> Shown<'a> {
        let [from, to] = actors.map(|actor| metres_of(actor.drawn_feet()));
        let before = if from.distance(to) < TELEPORT { earlier } else { now };
        Shown { actors, animator: Between { before, now, back: 1.0 - alpha }, alpha, tint }
    }

    /// The visible position of the feet. Low steps are smoothed.
    fn feet(&self) -> Vec2 {
        let [before, now] = self.actors.map(|actor| metres_of(actor.drawn_feet()));
        let aside = shiver(self.actors[1]) + self.animator.value(|it| it.ledge.aside + it.wall_room);
        between(before, now, self.alpha) + Vec2::new(aside, 0.0)
    }
}

/// A character that was just hit shivers while it stands still.
fn shiver(actor: &Actor) -> f32 {
    let vitals = &actor.vitals;
    match vitals.stop {
        stop if vitals.since_hit > 0 || stop == 0 => 0.0,
        stop if stop % 2 == 0 => SHIVER,
        _ => -SHIVER,
    }
}

fn add_foes(before: &World, now: &World, alpha: f32, frame: &mut Frame) {
    for (at, foe) in now.foes.iter().enumerate().filter(|(_, foe)| foe.is_there()) {
        let earlier = before.foes.get(at).unwrap_or(foe);
        let tint = if now.cast.is_of_players_model(foe.kind) { FOE_TINT } else { Color::CLEAR };
        let shown = Shown::new([&earlier.actor, &foe.actor], [&earlier.animator, &foe.animator], alpha, tint);
        match now.cast.foe(foe.kind) {
            Some(performer) => add_performer(performer, &shown, None, frame),
            None => scenery::add_body(&foe.actor, shown.feet(), &mut frame.solids),
        }
    }
}

fn add_performer(performer: &Performer, shown: &Shown<'_>, held: Option<&LocalPose>, frame: &mut Frame) {
    let model = &performer.playable.character.model;
    let (mut local, mut scratch) = (model.skeleton.rest_pose(), Scratch::default());
    let placed = world_from_model(&shown.animator, &performer.playable.fit, shown.feet());
    let placed = fallen::matrix(&shown.animator, shown.feet()) * placed;
    if let Some(held) = held.filter(|held| held.len() == model.skeleton.len()) {
        local.copy_from(held);
    } else if let Some(machine) = &shown.animator.now.machine {
        machine.sample_between(shown.alpha, &mut scratch, &mut local);
        add_to_clip(performer, &shown.animator, &placed, &mut local);
    }
    let mut model_pose = ModelPose::default();
    model_pose.compute(&model.skeleton, &local);
    if let Some(machine) = shown.animator.now.machine.as_ref().filter(|_| held.is_none()) {
        performer.matrices.apply(machine, shown.alpha, &model.skeleton, &mut model_pose);
    }
    if !model_pose.bones.iter().all(|bone| bone.is_finite()) {
        model_pose = model.skeleton.rest_model_pose();
    }
    let mut draw = ModelDraw::new(model.clone(), Arc::new(model_pose));
    draw.world_from_model = match held {
        Some(_) => placed,
        None => placed * stand_in(performer, shown.actors[1], shown.animator.back),
    };
    // A hit covers the tint of foes, which covers the glow of the clip.
    let tints = [tint(shown.actors[1]), shown.tint];
    draw.tint = tints.into_iter().find(|tint| *tint != Color::CLEAR).unwrap_or(draw.tint);
    trail::draw(shown.actors[1], &performer.moves, &draw.world_from_model, shown.animator.back, &mut frame.overlay);
    let on_socket = |at: usize| match shown.animator.now.switched.iter().find(|switched| switched.socket == at) {
        Some(switched) => performer.props.get(switched.prop?),
        None => performer.props.iter().find(|prop| prop.name == model.sockets[at].attached),
    };
    let props = attached_by(&draw, on_socket);
    frame.models.extend(props.into_iter().map(|prop| ModelDraw { tint: draw.tint, ..prop }));
    frame.models.push(draw);
}

/// Adds what follows the level and the movement to the pose of the clips.
fn add_to_clip(performer: &Performer, shown: &Between<'_>, placed: &Mat4, pose: &mut LocalPose) {
    let skeleton = &performer.playable.character.model.skeleton;
    if let Some(legs) = &performer.legs {
        feet::apply(shown, legs, skeleton, placed, pose);
    }
    hands::apply(shown, performer, placed, pose);
    ledge::apply(shown, performer, placed, pose);
    headroom::apply(shown, performer, pose);
    gaze::apply(shown, &performer.neck, skeleton, placed, pose);
    springs::apply(shown, &performer.springs, pose);
}

/// White in the first ticks of a hit, and blinking while nothing hits.
fn tint(actor: &Actor) -> Color {
    let vitals = &actor.vitals;
    match vitals.since_hit {
        0 if vitals.stop > 2 && vitals.is_alive() => Color::WHITE.with_alpha(0.6),
        0 if vitals.stop > 2 => Color::hex(0xff8a70).with_alpha(0.6),
        _ if vitals.safe > 0 && vitals.stun == 0 && vitals.safe % 8 < 4 => Color::WHITE.with_alpha(0.3),
        _ => Color::CLEAR,
    }
}

/// Rotated along the level, a little towards the camera, and away from it on a ladder.
pub fn world_from_model(shown: &Between<'_>, fit: &Fit, feet: Vec2) -> Mat4 {
    let along = side_view::yaw(shown.value(|it| it.turn));
    let behind = std::f32::consts::PI * shown.now.away_side;
    let yaw = along + (behind - along) * smooth(shown.value(|it| it.away));
    let (squash, bounce) = (shown.value(|it| it.squash), shown.value(|it| it.bounce));
    let wide = 1.0 - bounce * 0.5;
    let scale = Vec3::new(wide, squash * (1.0 + bounce), wide);
    side_view::world_from_model(fit, yaw, scale, feet.extend(-shown.value(|it| it.behind)))
}

/// Eases a fraction of 0 to 1 in and out.
pub fn smooth(fraction: f32) -> f32 {
    fraction * fraction * (3.0 - 2.0 * fraction)
}
