//! The path of root motion on the floor: along which the open clip moves the character in a game.

use glam::Vec3;

use crate::editor::ops::root_motion::body;
use crate::editor::session::switch::Switch;
use crate::editor::view::motion_trails::trail;
use crate::editor::view::scene::is_light;
use crate::editor::view::{Source, View};
use crate::render::frame::Frame;
use crate::render::frame::color::Color;
use crate::render::frame::path::{self, PathPoint};
use keypose::anim::root_motion::RootMotion;
use keypose::anim::time::Time;

/// Draws the path of the root; if the root stays, fainter that of the body, which can be extracted.
pub fn draw(source: Source<'_>, view: &View, frame: &mut Frame) {
    let session = source.session;
    let (Some(model), Some(clip)) = (&view.model, &view.clip) else { return };
    let is_shown = session.is_on(Switch::Overlays) && session.shows_clip();
    if !is_shown || clip.root_motion == RootMotion::None || clip.length() <= Time::ZERO {
        return;
    }
    let of = |bone| trail(&source.caches.trails, (clip, &model.skeleton), bone, (Time::ZERO, clip.length()));
    let travels = |bone| of(bone).points.windows(2).any(|pair| floor(pair[0].position) != floor(pair[1].position));
    let (bone, alpha) = match body(clip).filter(|_| !travels(0)) {
        Some(body) => (body, 0.4),
        None => (0, 0.95),
    };
    let color = if is_light(session) { Color::hex(0x0b7a5c) } else { Color::hex(0x4fe0b0) }.with_alpha(alpha);
    let trail = of(bone);
    let point = |at: usize| PathPoint { position: floor(trail.points[at].position), color, dot: Some((color, 2.0)) };
    let points: Vec<PathPoint> = (0..trail.points.len()).map(point).collect();
    path::draw(frame, &points, 2.5, session.workspace.viewport.y);
}

fn floor(position: Vec3) -> Vec3 {
    position.with_y(0.0)
}
