//! How a model without a clip for a state shows it: its whole body lunges, flinches, falls over, tumbles or hops. Decides nothing.

use std::f32::consts::{FRAC_PI_2, TAU};

use glam::{Mat4, Quat, Vec3};

use crate::game::rules::actor::Actor;
use crate::game::scene::smooth;
use crate::game::world::cast::Performer;
use crate::game::world::units::GRAINS_PER_METRE;
use keypose::assets::fit::Fit;
use keypose::assets::machine::{Origin, State};

/// How far an attack draws back, and how far it lunges, in metres.
const LUNGE: [f32; 2] = [0.12, 0.4];
/// The ticks of a flinch.
const FLINCH: f32 = 16.0;
/// The ticks of a fall to the ground.
const COLLAPSE: f32 = 22.0;
/// The height of a hop in metres.
const HOP: f32 = 0.07;
/// The way of two hops, in grains.
const HOPS: i64 = GRAINS_PER_METRE * 7 / 5;

/// A movement of the body in its own space: metres, and radians about its feet.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Motion {
    ahead: f32,
    up: f32,
    /// Forwards.
    pitch: f32,
    /// To its side.
    roll: f32,
    /// Forwards about its middle.
    tumble: f32,
}

/// The movement of a character's body in the space of its model, `back` ticks (0..=1) before now; none in a state that has a clip.
/// An authored machine has its own answer to a missing clip.
pub fn stand_in(performer: &Performer, actor: &Actor, back: f32) -> Mat4 {
    let (playable, state) = (&performer.playable, actor.clock.state);
    if playable.character.model.machine.graph.is_some() || playable.has_own_clip(state) {
        return Mat4::IDENTITY;
    }
    let back = if actor.is_held { 0.0 } else { back };
    let tick = (actor.clock.tick as f32 - back).max(0.0);
    let (act, fit) = (performer.moves.act(state), &playable.fit);
    let motion = match state {
        State::Attack => attack(tick, act.first_hit().unwrap_or_default() as f32, f32::from(act.ticks)),
        State::Hurt => Motion { pitch: -0.35 * (1.0 - tick / FLINCH).max(0.0), ..Motion::default() },
        State::Die => collapse(tick, fit),
        State::Roll => tumble(tick / f32::from(act.ticks).max(1.0), fit),
        State::Walk | State::Run if !has_gait(playable.clips.choice(state).origin) => hop(actor.walked),
        _ => return Mat4::IDENTITY,
    };
    matrix(motion, fit)
}

/// Whether a walk without a clip of its own shows that of another gait.
fn has_gait(origin: Origin) -> bool {
    !matches!(origin, Origin::Rest | Origin::Nearest(State::Idle))
}

/// Draws back, lunges as it hits, and returns.
fn attack(tick: f32, first_hit: f32, ticks: f32) -> Motion {
    let windup = bump(tick, [0.0, first_hit * 0.6, first_hit]);
    let lunge = bump(tick, [first_hit * 0.6, first_hit + 1.0, ticks]);
    Motion { ahead: LUNGE[1] * lunge - LUNGE[0] * windup, pitch: 0.28 * lunge - 0.14 * windup, ..Motion::default() }
}

/// Falls over: on its back, or on its side if it is longer than high.
fn collapse(tick: f32, fit: &Fit) -> Motion {
    let fallen = smooth((tick / COLLAPSE).min(1.0)).powi(2);
    let (angle, up) = (FRAC_PI_2 * 0.93 * fallen, 0.12 * fit.height * fit.scale * fallen);
    match fit.length > fit.height {
        true => Motion { roll: angle, up, ..Motion::default() },
        false => Motion { pitch: -angle, up, ..Motion::default() },
    }
}

/// Turns over once, high enough for a long body.
fn tumble(part: f32, fit: &Fit) -> Motion {
    let angle = TAU * part.clamp(0.0, 1.0);
    let longer = (fit.length - fit.height).max(0.0) * 0.5 * fit.scale;
    Motion { tumble: angle, up: longer * angle.sin().abs(), ..Motion::default() }
}

/// Hops along a way in grains, swaying to the left and to the right.
fn hop(walked: i64) -> Motion {
    let wave = (walked.rem_euclid(HOPS) as f32 / HOPS as f32 * TAU).sin();
    Motion { up: HOP * wave.abs(), roll: 0.05 * wave, ..Motion::default() }
}

/// Rises from 0 at the first tick to 1 at the second, and falls to 0 at the third.
fn bump(tick: f32, [from, peak, to]: [f32; 3]) -> f32 {
    let up = (tick - from) / (peak - from).max(1e-3);
    let down = (to - tick) / (to - peak).max(1e-3);
    smooth(up.min(down).clamp(0.0, 1.0))
}

fn matrix(motion: Motion, fit: &Fit) -> Mat4 {
    let Motion { ahead, up, pitch, roll, tumble } = motion;
    let model_units = 1.0 / fit.scale.max(1e-9);
    let middle = Vec3::Y * fit.height * 0.5;
    let place = fit.base + Vec3::new(0.0, up, ahead) * model_units;
    Mat4::from_rotation_translation(Quat::from_rotation_z(roll) * Quat::from_rotation_x(pitch), place)
        * Mat4::from_translation(middle)
        * Mat4::from_rotation_x(tumble)
        * Mat4::from_translation(-middle - fit.base)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_attack_is_ahead_when_it_hits_and_back_at_its_end() {
        let ahead = |tick: f32| attack(tick, 8.0, 26.0).ahead;
        assert!(ahead(3.0) < -0.05 && ahead(9.0) > 0.35, "{} {}", ahead(3.0), ahead(9.0));
        assert_eq!([attack(0.0, 8.0, 26.0), attack(26.0, 8.0, 26.0)], [Motion::default(); 2]);
        assert!((0..40).all(|tick| attack(tick as f32, 0.0, 0.0).ahead.is_finite()), "one of no length");
    }

    #[test]
    fn a_body_turns_about_its_feet_or_about_its_middle() {
        let fit = Fit { scale: 0.5, base: Vec3::new(1.0, -2.0, 3.0), height: 4.0, length: 1.0 };
        assert!(matrix(Motion::default(), &fit).abs_diff_eq(Mat4::IDENTITY, 1e-6));
        let fallen = matrix(collapse(100.0, &fit), &fit);
        assert!(fallen.transform_point3(fit.base).distance(fit.base + Vec3::Y * 0.48) < 1e-4);
        assert!(fallen.transform_vector3(Vec3::Y).z < -0.9, "it lies on its back");
        let long = collapse(100.0, &Fit { length: 9.0, ..fit });
        assert!(matrix(long, &fit).transform_vector3(Vec3::Z).distance(Vec3::Z) < 1e-5, "an animal lies on its side");
        let middle = fit.base + Vec3::Y * 2.0;
        let tumbled = matrix(Motion { tumble: 2.0, ..Motion::default() }, &fit);
        assert!(tumbled.transform_point3(middle).distance(middle) < 1e-5);
    }

    #[test]
    fn hops_meet_where_the_way_begins_again() {
        let gaits = [Origin::Name, Origin::Nearest(State::Walk), Origin::Nearest(State::Idle), Origin::Rest];
        assert_eq!(gaits.map(has_gait), [true, true, false, false]);
        assert!(hop(HOPS - 1).up < 0.001 && hop(0).up == 0.0 && hop(-HOPS / 4).up > 0.069);
    }
}
