//! The path of root motion on the floor: along which the open clip moves the character in a game.

use crate::editor::session::switch::Switch;
use crate::editor::view::motion_trails::{TrailPoint, trail};
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
    let Some(bone) = source.caches.mover(clip, &model.skeleton) else { return };
    let alpha = if bone == 0 { 0.95 } else { 0.4 };
    let color = if is_light(session) { Color::hex(0x0b7a5c) } else { Color::hex(0x4fe0b0) }.with_alpha(alpha);
    let trail = trail(&source.caches.trails, (clip, &model.skeleton), bone, (Time::ZERO, clip.length()));
    let point = |at: &TrailPoint| PathPoint { position: at.position.with_y(0.0), color, dot: Some((color, 2.0)) };
    let points: Vec<PathPoint> = trail.points.iter().map(point).collect();
    path::draw(frame, &points, 2.5, session.workspace.viewport.y);
}
