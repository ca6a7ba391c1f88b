//! The side-scroller bench: the model as in the game, from the game's camera and at its size, walking on a moving ground.
//! For viewing only: the model can't be posed here.

use crate::editor::session::bench::{Bench, Fill};
use std::sync::Arc;

use glam::{Mat4, Vec3};

use crate::editor::session::preferences::Shade;
use crate::editor::view::{Source, View};
use crate::render::frame::attached::attached;
use crate::render::frame::color::Color;
use crate::render::frame::side_view::{self, VIEW_HEIGHT};
use crate::render::frame::{Background, Frame, Haze, Light, ModelDraw, Shadow, SolidDraw, SolidShape, Surface};
use keypose::assets::playable::root_anchor;

/// The speed of the ground in metres per second; positive if the model walks forwards.
pub fn speed(source: Source<'_>, view: &View) -> f32 {
    let (Some(clip), Some(model), true) = (&view.clip, &view.model, source.session.shows_clip()) else { return 0.0 };
    source.caches.root_speeds.speed(model, clip, &source.caches.bakes).unwrap_or(0.0)
}

/// The frame to draw; `None` without a model.
pub fn frame(source: Source<'_>, view: &View, bench: &Bench) -> Option<Frame> {
    let model = view.model.as_ref()?;
    let session = source.session;
    let part = if bench.window_height > 0.0 {
        (session.workspace.viewport.y / bench.window_height).clamp(0.05, 1.0)
    } else {
        1.0
    };
    let seen = VIEW_HEIGHT * part;
    // The feet are slightly above the lower edge, whatever the height of the viewport.
    let target = Vec3::new(0.0, seen * 0.5 - (0.16 * seen).min(0.9), 0.0);
    let camera = side_view::camera_of_part(target, part);
    let sign = bench.facing.sign();
    let mut draw = ModelDraw::new(model.clone(), Arc::new(view.pose.clone()));
    let fit = source.caches.root_speeds.fit(model);
    draw.world_from_model =
        side_view::world_from_model(&fit, side_view::yaw(sign), Vec3::ONE, Vec3::ZERO) * in_place(source, view);
    let passed = speed(source, view) * session.focus.playhead.elapsed().secs() as f32;
    let colors = Colors::of(session.workspace.preferences.shade, bench.fill);
    if bench.fill == Fill::Silhouette {
        (draw.surface, draw.tint) = (Surface::Silhouette, colors.model);
    }
    let mut models = attached(&draw, &source.document.models);
    models.push(draw);
    let distance = camera.eye.distance(camera.target);
    Some(Frame {
        camera,
        background: colors.background,
        light: Light { to_key: Vec3::new(-0.35, 1.0, 0.6), ..Light::default() },
        haze: Some(Haze { color: colors.background.bottom, near: distance + 4.0, far: distance + 60.0 }),
        models,
        solids: floor(-sign * passed, &colors),
        pixels_per_point: session.workspace.pixels_per_point,
        ..Frame::default()
    })
}

/// Removes the root motion of the clip, as the game does.
fn in_place(source: Source<'_>, view: &View) -> Mat4 {
    let (Some(clip), Some(model), true) = (&view.clip, &view.model, source.session.shows_clip()) else {
        return Mat4::IDENTITY;
    };
    let part = view.time.fraction_of(clip.length()) as f32;
    let gait = source.caches.root_speeds.gait(model, clip, &source.caches.bakes).unwrap_or_default();
    let anchor = source.caches.bakes.ready(clip, model).and_then(|baked| root_anchor(&baked));
    let back = anchor.filter(|_| !view.local.is_empty()).map(|anchor| anchor.back(&view.local.get(0)));
    Mat4::from_translation(back.map_or(Vec3::ZERO, |back| back.translation.as_vec3()) - gait.drift * part)
}

/// The colour of silhouettes.
pub(super) const INK: Color = Color::hex(0x14161a);
/// The background of silhouettes.
pub(super) const PAPER: Background = Background { top: Color::hex(0xd9dde4), bottom: Color::hex(0xd9dde4) };

/// The colours of the bench.
struct Colors {
    background: Background,
    model: Color,
    tiles: [Color; 2],
    side: Color,
}

impl Colors {
    fn of(shade: Shade, fill: Fill) -> Colors {
        let model = INK;
        let (background, [a, b], side) = match (shade, fill) {
            (_, Fill::Silhouette) => (PAPER, [0x9aa3b1, 0x8892a2], 0x6d7686),
            (Shade::Dark, Fill::Surface) => (Background::DARK, [0x4a5363, 0x3f4756], 0x2b313b),
            (Shade::Light, Fill::Surface) => (Background::LIGHT, [0xa9b3c1, 0x98a3b3], 0x8490a1),
        };
        Colors { background, model, tiles: [Color::hex(a), Color::hex(b)], side: Color::hex(side) }
    }
}

/// The number of tiles in each half of the ground.
const TILES: i32 = 18;

/// Tiles of one metre in two alternating colours, moved by `moved` metres to the right.
fn floor(moved: f32, colors: &Colors) -> Vec<SolidDraw> {
    let start = moved.rem_euclid(2.0);
    let tile = |at: i32| {
        let left = start + at as f32;
        let color = colors.tiles[at.rem_euclid(2) as usize];
        SolidDraw {
            shape: SolidShape::Box { bevel: 0.02 },
            min: Vec3::new(left, -3.0, -2.4),
            max: Vec3::new(left + 1.0, 0.0, 0.7),
            color: colors.side.mix(color, 0.35),
            top: color,
            shadow: Shadow::None,
        }
    };
    (-TILES..TILES).map(tile).collect()
}
