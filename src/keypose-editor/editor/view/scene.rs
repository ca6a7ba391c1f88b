//! The frame of the viewport as plain data: the posed model, its bones, ghosts, trails and the ground.

use std::sync::Arc;

use glam::{Mat4, Vec3};

use crate::editor::ops::bone_groups;
use crate::editor::ops::mesh_nodes::mesh_nodes;
use crate::editor::session::Session;
use crate::editor::session::display::Shading;
use crate::editor::session::paint::BrushSpot;
use crate::editor::session::preferences::Shade;
use crate::editor::session::scene::Scene;
use crate::editor::session::switch::Switch;
use crate::editor::view::balance;
use crate::editor::view::bench;
use crate::editor::view::beside::beside;
use crate::editor::view::crowd;
use crate::editor::view::frame_data::sweeps_of;
use crate::editor::view::ghosts::{self, Ghost};
use crate::editor::view::interpolated;
use crate::editor::view::level;
use crate::editor::view::motion_trails;
use crate::editor::view::motion_trails::{Keyed, TrailPoint};
use crate::editor::view::references;
use crate::editor::view::root_path;
use crate::editor::view::sockets;
use crate::editor::view::springs;
use crate::editor::view::volumes;
use crate::editor::view::{Mark, Source, View};
use crate::render::frame::attached::attached;
use crate::render::frame::bones::{self, BoneStyle};
use crate::render::frame::bounds::ModelBounds;
use crate::render::frame::camera::Projection;
use crate::render::frame::color::Color;
use crate::render::frame::normal_lines;
use crate::render::frame::overlay::{Layer, Stroke};
use crate::render::frame::path::{self, PathPoint};
use crate::render::frame::{Background, Frame, Grid, Ground, ModelDraw, NextPose, Surface, metre};
use keypose::anim::pose::ModelPose;
use keypose::anim::skin::method::Method;
use keypose::assets::model::{Model, Visibility};

/// Everything that the viewport draws. The renderer knows its size.
pub fn frame(source: Source<'_>, view: &View) -> Frame {
    let session = source.session;
    if let Some(frame) = other_frame(source, view) {
        return frame;
    }
    let camera = session.focus.camera.camera();
    let pixels_per_point = session.workspace.pixels_per_point;
    let mut frame = Frame { camera, background: background(session), pixels_per_point, ..Frame::default() };
    let Some(model) = &view.model else {
        frame.ground = Some(Ground { height: 0.0, grid: Some(grid(session, 1.0)) });
        return frame;
    };
    if session.is_on(Switch::SkinningSplit) {
        frame.split = Some(model.skinning.compared());
    }
    let bounds = source.caches.bounds(model);
    let rest_radius = bounds.posed(&model.skeleton.rest_model_pose()).radius();
    if session.is_on(Switch::Grid) && session.is_on(Switch::Overlays) {
        frame.ground = Some(Ground { height: 0.0, grid: Some(grid(session, rest_radius)) });
        draw_ground_line(session, &mut frame);
    } else {
        frame.ground = Some(Ground { height: 0.0, grid: None });
    }
    let ghosts = ghosts::ghosts(source, view);
    // The renderer skins them like the model.
    frame.models.extend(ghosts.iter().map(|it| ModelDraw::ghost(it.model.clone(), it.pose.clone(), it.color)));
    let draw = posed(session, view, model, bounds);
    if session.workspace.display.shading == Shading::NormalLines {
        normal_lines::draw(&mut frame.overlay, &draw, rest_radius * 0.025);
    }
    let posed_at = frame.models.len();
    frame.models.push(draw);
    if let Some(beside) = beside(source, view) {
        beside.draw(source, &mut frame);
    }
    draw_references(source, view, model, &mut frame);
    let opponent = volumes::opponent(source, view, model);
    frame.models.extend(opponent.iter().map(|opponent| opponent.draw.clone()));
    let props = frame.models.iter().enumerate().flat_map(|(at, draw)| {
        if at == posed_at { sockets::held(source, view, draw) } else { attached(draw, &source.document.models) }
    });
    let props: Vec<ModelDraw> = props.collect();
    frame.models.extend(props);
    frame.metre = metre(frame.models.iter().map(|draw| &draw.model), || source.caches.root_speeds.fit(model));
    draw_paths(source, view, &mut frame);
    if let Some(opponent) = &opponent {
        volumes::draw_opponent(source, view, model, opponent, &mut frame);
    }
    // In the rig mode, only joints are posed.
    if session.transient.scene.rig().is_none() {
        draw_volumes(source, view, model, &ghosts, &mut frame);
        sockets::draw_selected(view, session, rest_radius, &mut frame);
    }
    if shows_bones(session) {
        draw_bones(session, view, model, &mut frame);
    }
    frame
}

fn draw_references(source: Source<'_>, view: &View, model: &Model, frame: &mut Frame) {
    let (session, films) = (source.session, &source.caches.films);
    if session.is_on(Switch::References) && session.is_on(Switch::Overlays) {
        films.begin();
        let shown = model.references.iter().filter(|reference| reference.visibility == Visibility::Shown);
        frame.models.extend(shown.map(|reference| references::draw(reference, films.image(reference, view.time))));
    }
}

/// The frame of the viewport from beside: the other view of the rig mode.
pub fn from_beside(session: &Session, frame: Frame) -> Frame {
    Frame { camera: session.focus.camera.from_beside().camera(), ..frame }
}

/// Draws the brush as a circle on the surface.
fn draw_brush(session: &Session, frame: &mut Frame) {
    let over = session.transient.scene.rig().filter(|desk| desk.paint.is_on).and_then(|desk| desk.paint.over);
    let Some(BrushSpot { spot, radius }) = over else { return };
    let across = spot.normal.any_orthonormal_vector();
    let along = spot.normal.cross(across);
    for (color, width) in [(Color::hex(0x101418).with_alpha(0.7), 4.0), (Color::hex(0xffffff), 1.8)] {
        let stroke = Stroke { color, width, layer: Layer::Above };
        frame.overlay.ring(spot.point, across * radius, along * radius, stroke);
    }
}

/// Whether the bones are drawn: always in the rig mode, except while a template is placed, whose bones are drawn in their place.
fn shows_bones(session: &Session) -> bool {
    if let Some(desk) = session.transient.scene.rig() {
        return desk.placing.is_none();
    }
    session.is_on(Switch::Skeleton) && session.is_on(Switch::Overlays)
}

/// The frame of a level, the bench or the crowd, while the viewport shows one.
fn other_frame(source: Source<'_>, view: &View) -> Option<Frame> {
    let background = if is_light(source.session) { Background::LIGHT } else { Background::DARK };
    match &source.session.transient.scene {
        Scene::Model | Scene::Sprites(_) | Scene::Rig(_) => None,
        Scene::Bench(settings) => bench::frame(source, view, settings),
        Scene::Crowd(settings) => crowd::frame(source, view, settings, background),
        Scene::Level(desk) => level::frame(source, desk),
    }
}

/// The background of the viewport.
fn background(session: &Session) -> Background {
    match session.workspace.display.shading {
        Shading::Silhouette => bench::PAPER,
        // Each surface adds light to it.
        Shading::Overdraw => Background { top: Color::hex(0x000000), bottom: Color::hex(0x000000) },
        _ if is_light(session) => Background::LIGHT,
        _ => Background::DARK,
    }
}

/// Whether the background of the viewport is light.
pub fn is_light(session: &Session) -> bool {
    let shading = session.workspace.display.shading;
    let is_light = session.workspace.preferences.shade == Shade::Light && shading != Shading::Overdraw;
    is_light || shading == Shading::Silhouette
}

/// A grid whose lines contrast with the background.
fn grid(session: &Session, radius: f32) -> Grid {
    let grid = Grid::for_size(radius);
    if is_light(session) { Grid { color: Grid::ON_LIGHT, ..grid } } else { grid }
}

/// A parallel view from the side shows the ground from its edge, where its grid can't be seen: draws a line across the
/// view instead, in the colour of the axis that it is parallel to.
fn draw_ground_line(session: &Session, frame: &mut Frame) {
    let camera = &frame.camera;
    if !matches!(camera.projection, Projection::Orthographic { .. }) || camera.forward().y.abs() > EDGE_ON {
        return;
    }
    let (right, _) = camera.right_and_up();
    let neutral = if is_light(session) { Color::hex(0x3a4452) } else { Color::hex(0xaab4c4) };
    let axis = [Vec3::X, Vec3::Z].iter().position(|axis| axis.dot(right).abs() > 0.999);
    let color = axis.map_or(neutral, |axis| Color::AXES[2 * axis]).with_alpha(0.85);
    let middle = camera.target.with_y(0.0);
    let viewport = session.workspace.viewport;
    let reach = right * (camera.units_per_pixel(camera.target, viewport.y) * viewport.x.max(1.0));
    frame.overlay.line(middle - reach, middle + reach, Stroke::new(color, 1.5));
}

/// Maximum sine of the camera's pitch at which the ground is seen from its edge: about 1°.
const EDGE_ON: f32 = 0.02;

/// The model in the pose on screen.
fn posed(session: &Session, view: &View, model: &Arc<Model>, bounds: Arc<ModelBounds>) -> ModelDraw {
    let surface = session.workspace.display.shading.surface(session.focus.selection.active_bone());
    let draw = shaded(ModelDraw::new(model.clone(), Arc::new(springs::shown(session, view, model))), surface);
    let draw = ModelDraw { bounds: Some(bounds), ..draw };
    match interpolated(session, view, model) {
        Some((pose, next)) => ModelDraw { pose, next: Some(next), ..draw },
        None => draw,
    }
}

/// The draw with another surface, in the colour of that surface.
pub(super) fn shaded(draw: ModelDraw, surface: Surface) -> ModelDraw {
    let tint = match surface {
        Surface::Silhouette => bench::INK,
        Surface::Lit | Surface::Unlit => draw.tint,
        _ => Color::CLEAR,
    };
    ModelDraw { surface, tint, ..draw }
}

/// The poses of the keyframes around the playhead, if the matrices of the model are interpolated between them.
pub fn interpolated(session: &Session, view: &View, model: &Model) -> Option<(Arc<ModelPose>, NextPose)> {
    let is_asked = frame_methods(session, model).contains(&Method::Interpolated);
    if !is_asked || !session.shows_clip() || view.draft.is_some() {
        return None;
    }
    interpolated::around(view.clip.as_ref()?, &model.skeleton, view.time, &view.pose)
}

/// The methods with which the viewport skins a model: its own, or two side by side.
fn frame_methods(session: &Session, model: &Model) -> [Method; 2] {
    if session.is_on(Switch::SkinningSplit) { model.skinning.compared() } else { [model.skinning; 2] }
}

/// Draws hit and hurt volumes, also on ghosts, the selected one, and colliders of springs.
fn draw_volumes(source: Source<'_>, view: &View, model: &Arc<Model>, ghosts: &[Ghost], frame: &mut Frame) {
    let (session, selection) = (source.session, &source.session.focus.selection);
    if session.is_on(Switch::Volumes) && session.is_on(Switch::Overlays) {
        volumes::draw_on_ghosts(model, view, ghosts, frame);
        let sweeps = view.clip_id.and_then(|id| sweeps_of(source.caches, model, id));
        if let Some(sweeps) = sweeps.filter(|_| session.shows_clip()) {
            volumes::draw_sweeps(&sweeps, selection, frame);
        }
        volumes::draw(model, view, selection, frame);
    }
    volumes::draw_selected(model, view, session, frame);
    springs::draw(session, view, model, frame);
}

/// The path of root motion on the floor, motion trails, and the balance of the pose.
fn draw_paths(source: Source<'_>, view: &View, frame: &mut Frame) {
    root_path::draw(source, view, frame);
    draw_trails(source, view, frame);
    balance::draw(source, view, frame);
}

/// Motion trails: in the colours of ghosts before and after the playhead, fainter the further away in time. Small dots at
/// frames, large ones at keys, a ring at the current position.
fn draw_trails(source: Source<'_>, view: &View, frame: &mut Frame) {
    let session = source.session;
    // Contrasts with the background.
    let strong = if is_light(session) { Color::hex(0x0e1420) } else { Color::WHITE };
    for trail in motion_trails::trails(source, view) {
        let span = trail.points.iter().map(|point| (point.time - view.time).0.unsigned_abs()).max().unwrap_or(1).max(1);
        let point = |point: &TrailPoint| {
            let near = 1.0 - (point.time - view.time).0.unsigned_abs() as f32 / span as f32;
            let tint = session.workspace.ghosts.tints[usize::from(point.time > view.time)];
            let color = tint.with_alpha(0.45 + 0.5 * near);
            let dot = match point.keyed {
                Keyed::Nothing => (color, 1.7),
                Keyed::Others => (strong.mix(color, 0.3).with_alpha(0.9), 2.6),
                Keyed::Bone => (BoneStyle::KEYED.color, 4.2),
            };
            PathPoint { position: point.position, color, dot: Some(dot) }
        };
        let points: Vec<PathPoint> = trail.points.iter().map(point).collect();
        let (camera, pixels) = (frame.camera, session.workspace.pixels_per_point);
        path::draw(frame, &points, 2.0, session.workspace.viewport.y);
        let place = view.pose.get(trail.bone).translation();
        let radius = 6.0 * pixels * camera.units_per_pixel(place, session.workspace.viewport.y);
        let (right, up) = camera.right_and_up();
        let stroke = Stroke { color: strong, width: 1.8, layer: Layer::Above };
        frame.overlay.ring(place, right * radius, up * radius, stroke);
    }
}

fn draw_bones(session: &Session, view: &View, model: &Model, frame: &mut Frame) {
    let shapes = bones::shapes(&model.skeleton, &view.pose, &Mat4::IDENTITY);
    let colors = bone_groups::colors(model);
    let mesh_nodes = mesh_nodes(model);
    let grouped = |bone: u16, style: BoneStyle| match colors.get(usize::from(bone)) {
        Some(Some([red, green, blue])) => {
            let hex = u32::from_be_bytes([0, *red, *green, *blue]);
            BoneStyle { color: Color::hex(hex), fill: 0.3, width: 1.3 }
        }
        _ => style,
    };
    let style = |bone| {
        if session.focus.hidden.contains(&bone) {
            return None;
        } else if session.focus.selection.has_bone(bone) {
            return Some(BoneStyle::SELECTED);
        } else if session.transient.hover == Some(bone) {
            return Some(BoneStyle::HOVERED);
        }
        // Other bones would hide the outline.
        let is_outline = session.workspace.display.shading == Shading::Silhouette;
        if mesh_nodes.contains(&bone) || is_outline {
            return None;
        }
        Some(match view.bone_mark(bone) {
            Mark::Draft => BoneStyle::DRAFT,
            Mark::Keyed if session.is_posable() => grouped(bone, BoneStyle::KEYED),
            Mark::Keyed | Mark::Unkeyed => grouped(bone, BoneStyle::PLAIN),
        })
    };
    let style = |bone| style(bone).map(|style| if is_light(session) { style.on_light() } else { style });
    // Weights are read on the surface behind them.
    let is_painting = session.transient.scene.rig().is_some_and(|desk| desk.paint.is_on);
    let style = |bone| style(bone).map(|style| if is_painting { BoneStyle { fill: 0.0, ..style } } else { style });
    bones::draw(&mut frame.overlay, &frame.camera, &shapes, style);
    if session.is_on(Switch::BoneAxes) {
        let is_shown = |bone| !session.focus.hidden.contains(&bone);
        bones::draw_axes(&mut frame.overlay, &shapes, &view.pose, is_shown);
    }
    draw_brush(session, frame);
}
