//! The trail behind what hits: a ribbon along the way of its volumes in the last ticks. It is drawn from the clip, so every
//! attack has one.

use glam::{Mat4, Vec3};

use crate::game::rules::actor::Actor;
use crate::game::rules::combat::moves::{Bound, Moves};
use crate::render::frame::color::Color;
use crate::render::frame::overlay::{Layer, Overlay, Triangle};
use keypose::anim::pose::{LocalPose, ModelPose};

/// The length of the trail in ticks.
const LENGTH_TICKS: f32 = 6.0;
/// The pieces of the ribbon.
const PIECES: usize = 14;
/// Ticks for which it is seen before the first tick that hits, and after the last.
const MARGIN_TICKS: f32 = 2.0;

/// Adds the trail of an attack in progress, `back` ticks ago.
pub fn draw(actor: &Actor, moves: &Moves, world_from_model: &Mat4, back: f32, overlay: &mut Overlay) {
    let (Some(action), Some(model)) = (actor.action, &moves.model) else { return };
    let act = moves.act(action.state);
    let Some(clip) = &act.clip else { return };
    let back = if actor.is_held { 0.0 } else { back };
    let now = f32::from(action.tick) - back;
    let mut ribbons: Vec<Vec<[Vec3; 2]>> = Vec::new();
    for hit in &act.hits {
        let [first, last] = [hit.ticks.start as f32 - MARGIN_TICKS, hit.ticks.end as f32 + MARGIN_TICKS];
        if now < first || now > last + LENGTH_TICKS {
            continue;
        }
        let bones = hit.volumes.iter().filter_map(|volume| match volume {
            Bound::Bone(volume) => Some(volume),
            Bound::Body(_) => None,
        });
        let bones: Vec<_> = bones.collect();
        let mut rows = vec![Vec::new(); bones.len()];
        let (mut local, mut pose) = (LocalPose::default(), ModelPose::default());
        for piece in 0..=PIECES {
            let tick = (now - LENGTH_TICKS * piece as f32 / PIECES as f32).clamp(first.max(0.0), last);
            clip.sample(act.clip_time(tick), &mut local);
            pose.compute(&model.skeleton, &local);
            for (row, bone) in rows.iter_mut().zip(&bones) {
                let capsule = bone.place(&pose);
                let ends = [capsule.from, capsule.to].map(|end| end - act.root_at(tick));
                row.push(ends.map(|end| world_from_model.transform_point3(end)));
            }
        }
        ribbons.extend(rows);
    }
    for ribbon in ribbons {
        add_ribbon(&ribbon, overlay);
    }
}

/// Two triangles between each two rows, fainter towards the end.
fn add_ribbon(rows: &[[Vec3; 2]], overlay: &mut Overlay) {
    for (at, pair) in rows.windows(2).enumerate() {
        let [[a, b], [c, d]] = [pair[0], pair[1]];
        let left = 1.0 - at as f32 / PIECES as f32;
        if !(a.is_finite() && b.is_finite() && c.is_finite() && d.is_finite()) || b.distance(d) < 1e-4 {
            continue;
        }
        // Wide at the point and narrow at the hand.
        let [a, c] = [a.lerp(b, 0.35), c.lerp(d, 0.35)];
        let color = Color::hex(0xfff4d6).with_alpha(0.42 * left * left);
        for corners in [[a, b, d], [a, d, c]] {
            overlay.triangles.push(Triangle { corners, color, layer: Layer::Scene });
        }
    }
}
