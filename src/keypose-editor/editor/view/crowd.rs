//! The crowd view: ranks of characters behind the model, each in its own phase of the clip on screen.

use std::f32::consts::TAU;
use std::sync::Arc;

use glam::{Mat4, Quat, Vec3};

use crate::editor::session::crowd::{CrowdClips, CrowdView};
use crate::editor::view::cache::Cache;
use crate::editor::view::{Source, View};
use crate::render::frame::color::Color;
use crate::render::frame::crowd::{Crowd, CrowdDraw, Member};
use crate::render::frame::{Background, Frame, Ground, Haze, Light};
use keypose::anim::bake::BakedClip;
use keypose::anim::clip::LoopMode;
use keypose::anim::mat34::Mat3x4;
use keypose::assets::model::Model;
use keypose::assets::recent::ByAddress;

/// The inputs of a crowd.
type Key = (ByAddress<Model>, Vec<ByAddress<Model>>, Vec<ByAddress<BakedClip>>, usize);

/// The crowds that were shown last: the renderer knows them by their `Arc`.
pub type Crowds = Cache<Key, Arc<Crowd>, 2>;

/// The frame to draw; `None` without a model or clip.
pub fn frame(source: Source<'_>, view: &View, settings: &CrowdView, background: Background) -> Option<Frame> {
    let model = view.model.as_ref()?;
    let clips = clips(source, view, model, settings.clips);
    if clips.is_empty() {
        return None;
    }
    let bounds = source.caches.bounds(model).posed(&model.skeleton.rest_model_pose());
    let size = bounds.max - bounds.min;
    let height = size.y.max(size.x * 0.5).max(1e-3);
    let props = source.document.models.iter().map(ByAddress::from).collect();
    let key = (model.into(), props, clips.iter().map(ByAddress::from).collect(), settings.count);
    let make = || {
        let props = source.document.models.to_vec();
        let spacing = size.x.max(size.z).clamp(height * 0.35, height * 1.2) * 1.25;
        let members = ranks(settings.count, clips.len(), spacing);
        Arc::new(Crowd { model: model.clone(), props, clips: clips.clone(), members, height })
    };
    let crowd = source.caches.crowds.get(key, make);
    let camera = source.session.focus.camera.camera();
    let distance = camera.eye.distance(camera.target);
    let depth = crowd.bounds().radius() * 2.0;
    let haze =
        Haze { color: background.bottom, near: distance + depth * 0.15, far: distance + depth.max(height) * 1.2 };
    let elapsed = source.session.focus.playhead.elapsed();
    Some(Frame {
        camera,
        background,
        light: Light::default(),
        ground: Some(Ground { height: 0.0, grid: None }),
        haze: (settings.count > 100).then_some(haze),
        crowds: vec![CrowdDraw { crowd, elapsed }],
        pixels_per_point: source.session.workspace.pixels_per_point,
        ..Frame::default()
    })
}

/// The clip on screen, then the others.
fn clips(source: Source<'_>, view: &View, model: &Arc<Model>, which: CrowdClips) -> Vec<Arc<BakedClip>> {
    let bake = |clip| source.caches.bakes.get(clip, model);
    let Some(shown) = &view.clip else { return Vec::new() };
    let is_other = |clip: &&Arc<_>| !Arc::ptr_eq(clip, shown);
    let looping = model.clips.iter().map(|slot| &slot.clip).filter(|clip| clip.loop_mode == LoopMode::Loop);
    let others = looping.filter(is_other).take(MAX_CLIPS - 1);
    let others: Vec<_> = if which == CrowdClips::This { Vec::new() } else { others.collect() };
    std::iter::once(shown).chain(others).map(bake).collect()
}

/// Maximum number of clips in a crowd: a document may have thousands.
const MAX_CLIPS: usize = 12;

/// Colours that materials are multiplied with. Most characters keep their own.
const TINTS: [u32; 8] = [0xffffff, 0xffffff, 0xf2e6d8, 0xd8e4f2, 0xe9d5cf, 0xdcebd6, 0xcfcbd8, 0xfff2cc];

/// Characters in ranks, each a little out of line. The first stands in the origin; the others are beside and behind it.
fn ranks(count: usize, clips: usize, spacing: f32) -> Vec<Member> {
    let columns = ((count as f32 * 1.6).sqrt().ceil() as usize).max(1);
    let member = |at: usize| {
        let (row, column) = (at / columns, at % columns);
        // Columns 0, 1, -1, 2, -2, …, every other rank by half a step.
        let side = (column.div_ceil(2) as f32) * if column.is_multiple_of(2) { -1.0 } else { 1.0 };
        let [x, z, turn, phase, tint, scale] = std::array::from_fn(|which| noise(at * 6 + which));
        let is_first = f32::from(u8::from(at > 0));
        let place = Vec3::new(side + 0.5 * (row % 2) as f32 + (x - 0.5) * 0.5, 0.0, (z - 0.5) * 0.5 - row as f32);
        let turned = Quat::from_rotation_y((turn - 0.5) * 0.1 * TAU * is_first);
        let scale = Vec3::splat(1.0 + (scale - 0.5) * 0.14 * is_first);
        let matrix = Mat4::from_scale_rotation_translation(scale, turned, place * spacing * is_first);
        Member {
            world_from_model: Mat3x4::from_mat4(&matrix),
            clip: if at == 0 { 0 } else { (phase * 7919.0) as usize % clips },
            phase: phase * is_first,
            tint: Color::hex(TINTS[if at == 0 { 0 } else { (tint * 8.0) as usize % 8 }]),
        }
    };
    (0..count).map(member).collect()
}

/// A number from 0 to 1 that looks random (PCG).
fn noise(seed: usize) -> f32 {
    let state = (seed as u32).wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
    let word = ((state >> ((state >> 28) + 4)) ^ state).wrapping_mul(277_803_737);
    ((word >> 22) ^ word) as f32 / u32::MAX as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_character_stands_in_another() {
        let members = ranks(400, 3, 1.0);
        let places: Vec<Vec3> = members.iter().map(|member| member.world_from_model.translation()).collect();
        for (at, place) in places.iter().enumerate() {
            let is_near = |other: &Vec3| place.distance(*other) < 0.2;
            assert!(!places[at + 1..].iter().any(is_near), "character {at}");
        }
        assert_eq!(places[0], Vec3::ZERO);
        assert!(members.iter().all(|member| member.clip < 3 && (0.0..=1.0).contains(&member.phase)));
        assert!((0..3).all(|clip| members.iter().any(|member| member.clip == clip)));
    }
}
