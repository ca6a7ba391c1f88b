//! The picture of the viewport as plain data: the model in its pose, its bones, ghosts, the ground.

use std::cell::RefCell;
use std::sync::Arc;

use glam::Mat4;

use crate::assets::model::{Model, Visibility};
use crate::editor::ops::bone_groups;
use crate::editor::session::preferences::Shade;
use crate::editor::session::switch::Switch;
use crate::editor::state::Editor;
use crate::editor::view::ghosts;
use crate::editor::view::motion_trails;
use crate::editor::view::motion_trails::{Keyed, TrailPoint};
use crate::editor::view::references;
use crate::editor::view::{Mark, View};
use crate::render::frame::attached::attached;
use crate::render::frame::bones::{self, BoneStyle};
use crate::render::frame::bounds::ModelBounds;
use crate::render::frame::color::Color;
use crate::render::frame::overlay::{Layer, Stroke};
use crate::render::frame::path::{self, PathPoint};
use crate::render::frame::{Background, Frame, Grid, Ground, ModelDraw};

/// What the viewport shows; the renderer knows its size.
pub fn frame(editor: &Editor, view: &View) -> Frame {
    let session = &editor.session;
    if let Some(frame) =
        session.transient.bench.as_ref().and_then(|bench| crate::editor::view::bench::frame(editor, view, bench))
    {
        return frame;
    }
    let camera = session.focus.camera.camera();
    let mut frame = Frame {
        camera,
        background: Background::DARK,
        pixels_per_point: session.workspace.pixels_per_point,
        ..Frame::default()
    };
    if session.workspace.preferences.shade == Shade::Light {
        frame.background = Background::LIGHT;
    }
    let Some(model) = &view.model else {
        frame.ground = Some(Ground { height: 0.0, grid: Some(grid(editor, 1.0)) });
        return frame;
    };
    let bounds = editor.bounds.get(model);
    let rest_radius = bounds.posed(&model.skeleton.rest_model_pose()).radius();
    if session.is_on(Switch::Grid) && session.is_on(Switch::Overlays) {
        frame.ground = Some(Ground { height: 0.0, grid: Some(grid(editor, rest_radius)) });
    } else {
        frame.ground = Some(Ground { height: 0.0, grid: None });
    }
    frame.models.extend(ghosts(editor, view));
    frame.models.push(posed(editor, view, model));
    if session.is_on(Switch::References) && session.is_on(Switch::Overlays) {
        let shown = model.references.iter().filter(|reference| reference.visibility == Visibility::Shown);
        frame.models.extend(shown.map(|reference| references::draw(reference)));
    }
    let props = frame.models.iter().flat_map(|draw| attached(draw, &editor.document.models));
    let props: Vec<ModelDraw> = props.collect();
    frame.models.extend(props);
    draw_trails(editor, view, &mut frame);
    if session.is_on(Switch::Skeleton) && session.is_on(Switch::Overlays) {
        draw_bones(editor, view, model, &mut frame);
    }
    frame
}

/// Lines that show on the theme's ground.
fn grid(editor: &Editor, radius: f32) -> Grid {
    let grid = Grid::for_size(radius);
    match editor.session.workspace.preferences.shade {
        Shade::Dark => grid,
        Shade::Light => Grid { color: Grid::ON_LIGHT, ..grid },
    }
}

/// The model in the pose on screen.
fn posed(editor: &Editor, view: &View, model: &Arc<Model>) -> ModelDraw {
    let surface = editor.session.workspace.display.shading.surface(editor.session.focus.selection.active_bone());
    ModelDraw { surface, ..ModelDraw::new(model.clone(), Arc::new(view.pose.clone())) }
}

/// The poses behind the model; the renderer skins them as it skins the model.
fn ghosts(editor: &Editor, view: &View) -> impl Iterator<Item = ModelDraw> {
    let ghosts = ghosts::ghosts(editor, view).into_iter();
    ghosts.map(|ghost| ModelDraw::ghost(ghost.model, ghost.pose, ghost.color))
}

/// The ways of bones: what was in the colour of ghosts before the playhead, what comes in that of those after it, and
/// fainter the further away in time; small dots at frames, large ones at keys, a ring where the bone is now.
fn draw_trails(editor: &Editor, view: &View, frame: &mut Frame) {
    let session = &editor.session;
    // What stands out on the theme's ground.
    let strong = match session.workspace.preferences.shade {
        Shade::Dark => Color::WHITE,
        Shade::Light => Color::hex(0x0e1420),
    };
    for trail in motion_trails::trails(editor, view) {
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
            PathPoint { position: point.place, color, dot: Some(dot) }
        };
        let points: Vec<PathPoint> = trail.points.iter().map(point).collect();
        let (camera, pixels) = (frame.camera, session.workspace.pixels_per_point);
        path::draw(&mut frame.overlay, &camera, &points, 2.0, session.workspace.viewport, pixels);
        let place = view.pose.get(trail.bone).translation();
        let radius = 6.0 * pixels * camera.units_per_pixel(place, session.workspace.viewport.y);
        let (right, up) = camera.right_and_up();
        let stroke = Stroke { color: strong, width: 1.8, layer: Layer::Above };
        frame.overlay.ring(place, right * radius, up * radius, stroke);
    }
}

fn draw_bones(editor: &Editor, view: &View, model: &Model, frame: &mut Frame) {
    let session = &editor.session;
    let shapes = bones::shapes(&model.skeleton, &view.pose, &Mat4::IDENTITY);
    let colors = bone_groups::colors(model);
    let grouped = |bone: u16, style: BoneStyle| match colors.get(usize::from(bone)) {
        Some(Some([red, green, blue])) => {
            let hex = u32::from_be_bytes([0, *red, *green, *blue]);
            BoneStyle { color: Color::hex(hex), fill: 0.3, width: 1.3 }
        }
        _ => style,
    };
    let style = |bone| match () {
        _ if session.focus.hidden.contains(&bone) => None,
        _ if session.focus.selection.has_bone(bone) => Some(BoneStyle::SELECTED),
        _ if session.transient.hover == Some(bone) => Some(BoneStyle::HOVERED),
        _ => Some(match view.bone_mark(bone) {
            Mark::Draft => BoneStyle::DRAFT,
            Mark::Keyed if session.is_posable() => grouped(bone, BoneStyle::KEYED),
            _ => grouped(bone, BoneStyle::PLAIN),
        }),
    };
    let is_light = session.workspace.preferences.shade == Shade::Light;
    let style = |bone| style(bone).map(|style| if is_light { style.on_light() } else { style });
    bones::draw(&mut frame.overlay, &frame.camera, &shapes, style);
    if session.is_on(Switch::BoneAxes) {
        let is_shown = |bone| !session.focus.hidden.contains(&bone);
        bones::draw_axes(&mut frame.overlay, &shapes, &view.pose, is_shown);
    }
}

/// The bounds of models that were needed lately: an edit of keys makes a new model with the same meshes.
#[derive(Clone, Debug, Default)]
pub struct BoundsCache(RefCell<Vec<(Arc<Model>, Arc<ModelBounds>)>>);

impl BoundsCache {
    /// The bounds of a model.
    pub fn get(&self, model: &Arc<Model>) -> Arc<ModelBounds> {
        let mut kept = self.0.borrow_mut();
        if let Some((_, bounds)) = kept.iter().find(|(other, _)| is_same_shape(other, model)) {
            return bounds.clone();
        }
        let bounds = Arc::new(ModelBounds::of(model));
        kept.insert(0, (model.clone(), bounds.clone()));
        kept.truncate(8);
        bounds
    }
}

/// True where skeleton and meshes are the same, by their `Arc`s: keys, clips and materials may differ.
pub fn is_same_shape(a: &Model, b: &Model) -> bool {
    let meshes = a.meshes.iter().zip(&b.meshes);
    let mut same = meshes.map(|(a, b)| Arc::ptr_eq(&a.mesh, &b.mesh) && a.visibility == b.visibility);
    Arc::ptr_eq(&a.skeleton, &b.skeleton) && a.meshes.len() == b.meshes.len() && same.all(|is_same| is_same)
}
