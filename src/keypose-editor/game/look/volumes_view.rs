//! The volumes of all characters as they are in the simulation, for finding out why something hits or doesn't.

use crate::game::rules::actor::Actor;
use crate::game::rules::combat::contact::Placing;
use crate::game::rules::combat::moves::Moves;
use crate::game::world::World;
use crate::game::world::units::metres_of;
use crate::render::frame::Frame;
use crate::render::frame::clip_volumes::{HIT, HURT, Look, draw_capsule};
use crate::render::frame::color::Color;
use crate::render::frame::overlay::{Layer, Stroke};

const SAFE: Color = Color::hex(0x6fb7ff);
const BODY: Color = Color::hex(0xffffff);

/// Draws what hits in red, what can be hit in yellow, in blue while nothing hits it, and the bodies that walls stop in white.
pub fn draw(world: &World, frame: &mut Frame) {
    let mut placing = Placing::default();
    draw_one(&mut placing, &world.player, world.cast.player_moves(), frame);
    for foe in world.foes.iter().filter(|foe| foe.is_there()) {
        draw_one(&mut placing, &foe.actor, world.cast.foe_moves(foe.kind), frame);
    }
}

fn draw_one(placing: &mut Placing, actor: &Actor, moves: &Moves, frame: &mut Frame) {
    let stand = actor.stand();
    let color = if actor.vitals.can_be_hit() { HURT } else { SAFE };
    let hurt = moves.hurt_at(stand.state, stand.tick);
    for capsule in placing.capsules(moves, &stand, &hurt) {
        draw_capsule(&capsule, Look::full(color), frame);
    }
    let tick = actor.action.map(|action| (action, i64::from(action.tick)));
    let hits = tick
        .into_iter()
        .flat_map(|(action, tick)| moves.act(action.state).hits.iter().filter(move |hit| hit.ticks.contains(&tick)));
    for hit in hits {
        for capsule in placing.capsules(moves, &stand, &hit.volumes) {
            draw_capsule(&capsule, Look::full(HIT), frame);
        }
    }
    let body = actor.body();
    let [low, high] = [metres_of(body.min), metres_of(body.max)];
    let corners = [(low.x, low.y), (high.x, low.y), (high.x, high.y), (low.x, high.y), (low.x, low.y)];
    let corners = corners.map(|(x, y)| glam::Vec3::new(x, y, 0.0));
    frame.overlay.polyline(&corners, Stroke { color: BODY.with_alpha(0.35), width: 1.2, layer: Layer::Above });
}
