//! The side-scroller bench: the model as the game shows it, from the game's camera and as large as there, walking on a
//! floor that passes below it. One looks and plays; nothing is posed here.

use std::sync::Arc;

use glam::{Mat4, Vec3};

use crate::editor::action::Action;
use crate::editor::display::ShownPose;
use crate::editor::editor::Editor;
use crate::editor::preferences::Shade;
use crate::editor::view::View;
use crate::render::frame::attached::attached;
use crate::render::frame::color::Color;
use crate::render::frame::side_view::{self, PICTURE_HEIGHT};
use crate::render::frame::{Background, Frame, Haze, Light, ModelDraw, Shadow, SolidDraw, SolidShape, Surface};

/// Which way the model goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Facing {
    /// To the right.
    #[default]
    Right,
    /// To the left.
    Left,
}

impl Facing {
    /// 1 to the right, -1 to the left.
    pub fn sign(self) -> f32 {
        if self == Facing::Right { 1.0 } else { -1.0 }
    }

    /// The other one.
    pub fn other(self) -> Facing {
        if self == Facing::Right { Facing::Left } else { Facing::Right }
    }
}

/// How the model is filled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fill {
    /// As it is.
    #[default]
    Surface,
    /// One dark colour before a light ground: what is read of it from afar.
    Silhouette,
}

/// The bench while it is open.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bench {
    /// Which way the model goes.
    pub facing: Facing,
    /// How it is filled.
    pub fill: Fill,
    /// The height of the program's window in pixels, which the game would fill; 0 while that is not known.
    pub window_height: f32,
}

/// What can be asked of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BenchAction {
    /// Opens it, or leaves it.
    Toggle,
    /// Back to the viewport as it was.
    Leave,
    /// Turns the model around.
    Flip,
    /// Fills it in one colour, or no more.
    ToggleSilhouette,
    /// The height of the window in pixels.
    Window(f32),
}

/// Does what was asked. What turns or fills the model opens the bench.
pub fn act(editor: &mut Editor, action: BenchAction) {
    let bench = &mut editor.session.bench;
    match action {
        BenchAction::Leave => *bench = None,
        BenchAction::Toggle if bench.is_some() => *bench = None,
        BenchAction::Toggle => *bench = Some(Bench::default()),
        BenchAction::Flip => {
            let bench = bench.get_or_insert_default();
            bench.facing = bench.facing.other();
        }
        BenchAction::ToggleSilhouette => {
            let bench = bench.get_or_insert_default();
            bench.fill = if bench.fill == Fill::Surface { Fill::Silhouette } else { Fill::Surface };
        }
        BenchAction::Window(height) => {
            if let Some(bench) = bench.as_mut().filter(|_| height.is_finite()) {
                bench.window_height = height;
            }
        }
    }
    editor.session.hover = None;
}

/// True for what poses, or looks from elsewhere: the bench gives way to it.
pub fn ends(action: &Action) -> bool {
    matches!(
        action,
        Action::StartTransform(_)
            | Action::StartMix(_)
            | Action::SetTool(_)
            | Action::LookFrom(_)
            | Action::FrameSelected
            | Action::FrameAll
            | Action::SelectModel(_)
            | Action::Loaded { .. }
    )
}

/// Metres a second at which the floor passes; more than 0 while the model goes forwards.
pub fn speed(editor: &Editor, view: &View) -> f32 {
    let clip_and_model = view.clip.as_ref().zip(view.model.as_ref());
    clip_and_model.filter(|_| shows_clip(editor)).map_or(0.0, |(clip, model)| editor.strides.speed(model, clip))
}

/// The picture; that of the empty viewport's ground without a model.
pub fn frame(editor: &Editor, view: &View, bench: &Bench) -> Option<Frame> {
    let model = view.model.as_ref()?;
    let session = &editor.session;
    let part = match bench.window_height > 0.0 {
        true => (session.viewport.y / bench.window_height).clamp(0.05, 1.0),
        false => 1.0,
    };
    let seen = PICTURE_HEIGHT * part;
    // The feet stand a little above the lower edge, however low the picture is.
    let target = Vec3::new(0.0, seen * 0.5 - (0.16 * seen).min(0.9), 0.0);
    let camera = side_view::camera_of_part(target, part);
    let sign = bench.facing.sign();
    let mut draw = ModelDraw::new(model.clone(), Arc::new(view.pose.clone()));
    let fit = editor.strides.fit(model);
    draw.world_from_model =
        side_view::world_from_model(&fit, side_view::yaw(sign), Vec3::ONE, Vec3::ZERO) * in_place(editor, view);
    let passed = speed(editor, view) * session.playhead.elapsed().secs() as f32;
    let colors = Colors::of(session.preferences.shade, bench.fill);
    if bench.fill == Fill::Silhouette {
        (draw.surface, draw.tint) = (Surface::Silhouette, colors.model);
    }
    let mut models = attached(&draw, &editor.document.models);
    models.push(draw);
    let distance = camera.eye.distance(camera.target);
    Some(Frame {
        camera,
        background: colors.background,
        light: Light { to_key: Vec3::new(-0.35, 1.0, 0.6), ..Light::default() },
        haze: Some(Haze { color: colors.background.bottom, near: distance + 4.0, far: distance + 60.0 }),
        models,
        solids: floor(-sign * passed, &colors),
        pixels_per_point: session.pixels_per_point,
        ..Frame::default()
    })
}

/// True where the pose on screen is the clip's at the playhead.
fn shows_clip(editor: &Editor) -> bool {
    let session = &editor.session;
    session.machine.preview.is_none() && session.blend.is_none() && session.display.pose == ShownPose::Clip
}

/// Takes out what the clip itself moves the body away, as the game does.
fn in_place(editor: &Editor, view: &View) -> Mat4 {
    let clip_and_model = view.clip.as_ref().zip(view.model.as_ref()).filter(|_| shows_clip(editor));
    let Some((clip, model)) = clip_and_model else { return Mat4::IDENTITY };
    let part = view.time.fraction_of(clip.length()) as f32;
    Mat4::from_translation(-editor.strides.gait(model, clip).drift * part)
}

/// What the bench is painted in.
struct Colors {
    background: Background,
    model: Color,
    tiles: [Color; 2],
    side: Color,
}

impl Colors {
    fn of(shade: Shade, fill: Fill) -> Colors {
        let model = Color::hex(0x14161a);
        let flat = |hex| Background { top: Color::hex(hex), bottom: Color::hex(hex) };
        let (background, [a, b], side) = match (shade, fill) {
            (_, Fill::Silhouette) => (flat(0xd9dde4), [0x9aa3b1, 0x8892a2], 0x6d7686),
            (Shade::Dark, Fill::Surface) => (Background::DARK, [0x4a5363, 0x3f4756], 0x2b313b),
            (Shade::Light, Fill::Surface) => (Background::LIGHT, [0xa9b3c1, 0x98a3b3], 0x8490a1),
        };
        Colors { background, model, tiles: [Color::hex(a), Color::hex(b)], side: Color::hex(side) }
    }
}

/// Tiles in each half of the floor.
const TILES: i32 = 18;

/// Tiles of a metre, two colours in turn, that have moved by so many metres to the right.
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
