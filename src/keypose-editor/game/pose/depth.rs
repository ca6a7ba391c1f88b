//! Foes near the player are drawn farther from the camera than it is, large ones by more, so that none covers it.

use crate::game::pose::animator::{Animator, approach};
use crate::game::rules::actor::Actor;
use crate::game::world::units::metres_of;

/// A foe that is nearer to the player than this, in metres, is drawn behind it.
const NEAR: f32 = 4.0;
/// How far behind it a foe of the player's size is, and any foe at most, in metres.
const BEHIND: f32 = 0.45;
const MAX_BEHIND: f32 = 0.9;
/// Change in a tick, in metres.
const STEP: f32 = 0.03;

/// Follows the player for one tick, after the simulation. What is dead stays where it fell.
pub fn step(animator: &mut Animator, actor: &Actor, player: &Actor, size: f32) {
    if !actor.vitals.is_alive() {
        return;
    }
    let is_near = metres_of(actor.feet).distance(metres_of(player.feet)) < NEAR;
    let wanted = if is_near { (BEHIND * size * size).min(MAX_BEHIND) } else { 0.0 };
    approach(&mut animator.behind, wanted, STEP);
}

#[cfg(test)]
mod tests {
    use glam::I64Vec2;

    use super::*;
    use crate::game::world::units::grains;

    #[test]
    fn large_foes_step_behind_a_player_who_is_near_and_back_again() {
        let player = Actor::at(I64Vec2::ZERO);
        let mut depths = Vec::new();
        for (size, apart) in [(1.35, 1.0), (0.8, 1.0), (1.35, 9.0)] {
            let foe = Actor::at(I64Vec2::new(grains(apart), 0));
            let mut animator = Animator::default();
            (0..60).for_each(|_| step(&mut animator, &foe, &player, size));
            depths.push(animator.behind);
            (0..60).for_each(|_| step(&mut animator, &Actor::at(I64Vec2::new(grains(9.0), 0)), &player, size));
            assert_eq!(animator.behind, 0.0);
        }
        let [chief, goblin, far] = [depths[0], depths[1], depths[2]];
        assert!(chief > 0.7 && chief <= MAX_BEHIND && goblin < 0.4 && goblin > 0.2, "{depths:?}");
        assert_eq!(far, 0.0);
    }
}
