//! Keyed frames of textures: offsets of texture transforms, animated by KHR_animation_pointer.

use std::collections::BTreeSet;

use glam::Vec4;
use serde_json::{Value, json};

use crate::anim::clip::Clip;
use crate::anim::scalar::Sheet;
use crate::anim::time::Time;
use crate::anim::track::Track;
use crate::assets::material::Material;
use crate::assets::model::Model;
use crate::export::gltf::curves::Row;

pub const POINTER: &str = "KHR_animation_pointer";

/// The places of a material's textures in the file, each of which is moved.
fn places(material: &Material) -> Vec<&'static str> {
    let all = [
        (material.texture, "pbrMetallicRoughness/baseColorTexture"),
        (material.metallic_roughness_texture, "pbrMetallicRoughness/metallicRoughnessTexture"),
        (material.emissive_texture, "emissiveTexture"),
        (material.normal_texture, "normalTexture"),
        (material.occlusion_texture, "occlusionTexture"),
    ];
    all.into_iter().filter(|(texture, _)| texture.is_some()).map(|(_, place)| place).collect()
}

/// The offsets that a clip with these tracks keys, and the channels that they move, for each material with frames.
pub fn curves(model: &Model, clip: &Clip, tracks: &[Track]) -> Vec<(Vec<Row>, Vec<Value>)> {
    let of = |(at, material): (usize, &std::sync::Arc<Material>)| {
        let (scalar, sheet) = model.frame_of(material)?;
        let track = tracks.iter().find(|track| track.channel.scalar() == Some(scalar))?;
        let target = |place| {
            let pointer = format!("/materials/{at}/{place}/extensions/KHR_texture_transform/offset");
            json!({ "path": "pointer", "extensions": { POINTER: { "pointer": pointer } } })
        };
        let targets: Vec<Value> = places(material).into_iter().map(target).collect();
        (!targets.is_empty()).then(|| (rows(clip, track, sheet, material), targets))
    };
    model.materials.iter().enumerate().filter_map(of).collect()
}

/// The offset at each time at which the frame changes.
fn rows(clip: &Clip, track: &Track, sheet: Sheet, material: &Material) -> Vec<Row> {
    let (length, rate) = (clip.length(), clip.frame_rate);
    let is_stepped = track.keys.iter().all(|(_, key)| key.ease.jumps());
    let last = if is_stepped { 0 } else { rate.nearest_frame(length) };
    let grid = (0..=last).map(|frame| rate.time_of(frame));
    let times: BTreeSet<Time> =
        track.keys.iter().map(|(time, _)| *time).chain(grid).filter(|it| *it <= length).collect();
    let row = |time: Time| {
        let offset = material.uv_transform.offset + sheet.offset(track.sample(time).x);
        let value = Vec4::new(offset.x, offset.y, 0.0, 0.0);
        Row { time: time.secs() as f32, in_tangent: Vec4::ZERO, value, out_tangent: Vec4::ZERO }
    };
    let mut rows: Vec<Row> = times.into_iter().map(row).collect();
    rows.dedup_by(|next, row| next.value == row.value || next.time <= row.time);
    rows
}
