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

/// The marks of a frame. A volume that hits at any time while the frame is shown hits in it.
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
        let changed = lanes.hurts.iter().find(|hurt| hurt.volume == volume.name && is_in(&hurt.range));
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
