//! Events, volumes and sockets of a frame in pixels.

use keypose::anim::mat34::Mat3x4;
use keypose::anim::pose::ModelPose;
use keypose::assets::combat::placed::BoundVolume;
use keypose::assets::combat::{Range, Volume};
use keypose::assets::model::{ClipSlot, Model};
use keypose_editor::render::frame::sprite_view::SpriteView;
use keypose_tools::sprites::marks::{HitMark, Marks, SocketMark, VolumeMark};
use keypose_tools::sprites::times::{self, FrameTime};

/// A pose as it is seen, with the place of the origin on the canvas.
type Seen<'a> = (&'a ModelPose, &'a SpriteView, [u32; 2]);

/// The marks of a frame. A volume that hits at any time while the frame is shown hits in it. Of the ranges
/// that replace a hurt volume, the last one counts, as in the game.
pub fn of(model: &Model, slot: &ClipSlot, (frames, at): (&[FrameTime], usize), seen: Seen<'_>) -> Marks {
    let frame = &frames[at];
    let lanes = model.combat.lanes_of(slot.id);
    let end = frame.at + frame.duration;
    let is_in = |range: &Range| range.start < end && frame.at < range.end;
    let mark = |volume: &Volume, hit: Option<HitMark>| placed(model, volume, hit, seen);
    let hits = lanes.hits.iter().filter(|hit| is_in(&hit.range)).flat_map(|hit| {
        let strike = hit.strike;
        let [angle, knockback] = [strike.angle, strike.knockback];
        let effect = HitMark { group: hit.group, damage: strike.damage, angle, knockback, stun: strike.stun };
        hit.volumes.iter().filter_map(move |volume| mark(volume, Some(effect)))
    });
    let is_invulnerable = lanes.invulnerable.iter().any(is_in);
    let hurts = model.combat.hurt.iter().filter(|_| !is_invulnerable).filter_map(|volume| {
        let changed = lanes.hurts.iter().rev().find(|hurt| hurt.volume == volume.name && is_in(&hurt.range));
        let volume = changed.map_or(Some(volume), |hurt| hurt.replaced.as_ref())?;
        mark(volume, None)
    });
    Marks {
        events: times::events(&slot.clip, frames, at).map(|event| event.name.clone()).collect(),
        hits: hits.collect(),
        hurts: hurts.collect(),
        sockets: sockets(model, seen),
    }
}

fn placed(model: &Model, volume: &Volume, hit: Option<HitMark>, (pose, view, pivot): Seen<'_>) -> Option<VolumeMark> {
    let capsule = BoundVolume::new(volume, &model.skeleton)?.place(pose);
    let ends = [capsule.from, capsule.to].map(|end| on_canvas(view.place(end), pivot));
    let radius = capsule.radius * view.scale();
    Some(VolumeMark { name: volume.name.clone(), ends, radius, hit })
}

fn sockets(model: &Model, (pose, view, pivot): Seen<'_>) -> Vec<SocketMark> {
    let socket = |socket: &keypose::assets::model::Socket| {
        let model_from_socket = pose.get(socket.bone) * Mat3x4::from_mat4(&socket.transform.to_mat4());
        let [origin, tip] =
            [glam::Vec3::ZERO, glam::Vec3::X].map(|at| view.place(model_from_socket.transform_point(at)));
        let along = tip - origin;
        let degrees = along.y.atan2(along.x).to_degrees();
        SocketMark { name: socket.name.clone(), at: on_canvas(origin, pivot), degrees }
    };
    model.sockets.iter().map(socket).collect()
}

fn on_canvas(place: glam::Vec3, pivot: [u32; 2]) -> [f32; 2] {
    [place.x + pivot[0] as f32, place.y + pivot[1] as f32]
}

#[cfg(test)]
mod tests {
    use glam::Vec3;
    use keypose::anim::clip::Clip;
    use keypose::anim::skeleton::{Bone, Skeleton};
    use keypose::anim::time::Time;
    use keypose::anim::transform::Transform;
    use keypose::assets::combat::{Combat, Hurt, Lanes};
    use keypose::assets::id::ClipId;
    use keypose_editor::render::frame::sprite_view::Direction;

    use super::*;

    #[test]
    fn the_last_range_that_replaces_a_hurt_volume_counts() {
        let head = |radius| Volume::sphere("head", "root", Vec3::ZERO, radius);
        let hurt = |first, end, replaced| Hurt { range: Range::of_ticks(first, end), volume: "head".into(), replaced };
        let lanes = Lanes { hurts: vec![hurt(0, 10, Some(head(0.1))), hurt(4, 6, None)], ..Lanes::default() };
        let combat = Combat { hurt: vec![head(0.2)], lanes: [(ClipId(1), lanes)].into() };
        let root = Bone { name: "root".into(), parent: None, rest: Transform::IDENTITY };
        let skeleton = Skeleton::new(vec![root]).unwrap();
        let model = Model { skeleton: skeleton.into(), combat: combat.into(), ..Model::default() };
        let slot = ClipSlot { id: ClipId(1), clip: Clip::new("block").into() };
        let south = Direction { name: "S", radians: 0.0, is_mirrored: false };
        let (pose, view) = (model.skeleton.rest_model_pose(), SpriteView::new(south, 0.0, 1.0, Vec3::ZERO));
        let radii_at = |tick: i64| -> Vec<f32> {
            let frame = FrameTime { at: Time::TICK * tick, duration: Time::TICK };
            let marks = of(&model, &slot, (&[frame], 0), (&pose, &view, [0; 2]));
            marks.hurts.iter().map(|mark| mark.radius).collect()
        };
        assert_eq!([3, 5, 12].map(radii_at), [vec![0.1_f32], vec![], vec![0.2]]);
    }
}
