//! Where the volumes of a character are, and whether those of two touch on their way of one tick.
//!
//! The game is played in a plane, so depth doesn't count: what looks hit from the side is hit.

use glam::{Vec2, Vec3};

use crate::game::rules::actor::Stand;
use crate::game::rules::combat::moves::{Bound, Moves};
use crate::game::world::units::metres_of;
use keypose::anim::pose::ModelPose;
use keypose::assets::combat::capsule::{Capsule, first_touch};
use keypose::assets::combat::frame_data::TickPoses;

/// A movement of more than this in one tick, in metres, is a teleport and not swept.
const TELEPORT: f32 = 2.0;

/// Places the volumes of a character in the level.
#[derive(Clone, Debug, Default)]
pub struct Placing {
    poses: TickPoses,
}

impl Placing {
    /// The capsules in the level, in metres, at z = 0.
    pub fn capsules(&mut self, moves: &Moves, stand: &Stand, volumes: &[Bound]) -> Vec<Capsule> {
        let act = moves.act(stand.state);
        let tick = act.loop_tick(stand.tick) as f32;
        let pose = match (&moves.model, &act.clip) {
            (Some(model), Some(clip)) => Some(self.poses.at_time(model, clip, act.clip_time(tick))),
            (Some(model), None) => Some(self.poses.rest(model)),
            (None, _) => None,
        };
        let root = act.root_at(tick);
        let placed = volumes.iter().filter_map(|volume| {
            let capsule = in_body(volume, moves, pose, root)?;
            Some((capsule, moves.height_of(stand.state, volume)))
        });
        let (feet, sign) = (metres_of(stand.feet), stand.facing.sign());
        let flat = |at: Vec3, height: f32| (feet + Vec2::new(sign * at.z, at.y * height)).extend(0.0);
        placed.map(|(it, height)| Capsule { from: flat(it.from, height), to: flat(it.to, height), ..it }).collect()
    }

    /// The capsules before and after one tick: at the same places if the character was somewhere else or did something else.
    pub fn swept(&mut self, moves: &Moves, [before, now]: [&Stand; 2], volumes: &[Bound]) -> Vec<[Capsule; 2]> {
        let after = self.capsules(moves, now, volumes);
        let way = metres_of(before.feet).distance(metres_of(now.feet));
        let continues = way < TELEPORT && before.state == now.state && before.tick <= now.tick;
        let first = if continues { self.capsules(moves, before, volumes) } else { after.clone() };
        first.into_iter().zip(after).map(|(before, after)| [before, after]).collect()
    }
}

/// The capsule in the space of the character: metres from the point between the feet, forward is +z.
/// `root` is how far its clip is moved back to play in place.
fn in_body(volume: &Bound, moves: &Moves, pose: Option<&ModelPose>, root: Vec3) -> Option<Capsule> {
    match volume {
        Bound::Body(capsule) => Some(*capsule),
        Bound::Bone(volume) => {
            let capsule = volume.place(pose?);
            let fit = &moves.fit;
            let at = |point: Vec3| (point - root - fit.base) * fit.scale;
            let placed = Capsule { from: at(capsule.from), to: at(capsule.to), radius: capsule.radius * fit.scale };
            (placed.from.is_finite() && placed.to.is_finite()).then_some(placed)
        }
    }
}

/// The first contact of two lists of capsules on their way of one tick: where it is.
pub fn touch(a: &[[Capsule; 2]], b: &[[Capsule; 2]]) -> Option<Vec2> {
    let pairs = a.iter().flat_map(|a| b.iter().map(move |b| (a, b)));
    let touches = pairs.filter_map(|([a0, a1], [b0, b1])| {
        let time = first_touch([a0, a1], [b0, b1])?;
        Some((time, a0.lerp(a1, time).contact(&b0.lerp(b1, time))))
    });
    let first = touches.fold(None, |first: Option<(f32, Vec3)>, touch| match first {
        Some(first) if first.0 <= touch.0 => Some(first),
        _ => Some(touch),
    });
    first.map(|(_, place)| place.truncate())
}
