//! Draws the frames of a sprite sheet without a window: samples of each pose on the GPU, pixels of them by [`keypose_tools::sprites`].

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::Vec3;

use keypose::anim::bake::BakedClip;
use keypose::anim::pose::ModelPose;
use keypose::anim::time::Time;
use keypose::assets::model::{ClipSlot, Model};
use keypose_editor::render::frame::bounds::{Aabb, ModelBounds};
use keypose_editor::render::frame::framed_model::{self, CameraAngle, FramedModel};
use keypose_editor::render::frame::sprite_view::{Canvas, Direction, SpriteView};
use keypose_tools::export::bitmap::Bitmap;
use keypose_tools::sprites::cleanup::remove_spots;
use keypose_tools::sprites::ink::Ink;
use keypose_tools::sprites::look::{Look, outlined};
use keypose_tools::sprites::marks::Marks;
use keypose_tools::sprites::palette::{Palette, Usage};
use keypose_tools::sprites::sheet::{Drawn, Sheet};
use keypose_tools::sprites::times::{self, FrameTime, Take};

use crate::app::files::progress::Progress;
use crate::app::film::sprites::layers::{Layer, Up};
use crate::app::film::sprites::painter::{Painted, Painter};

pub mod layers;
mod marks;
mod painter;

/// Maximum width and height of a frame in pixels.
const MAX_CANVAS: u32 = 1536;
/// The maximum number of frames of a sheet.
const MAX_FRAMES: usize = 20_000;
/// A pose whose points moved by less than this many pixels since the last one that was drawn looks the same.
const STABLE: f32 = 0.5;
/// Pixels around the model for the outline.
const BORDER: f32 = 2.0;

/// How many colours a sheet has.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Colors {
    /// As they are drawn.
    #[default]
    All,
    /// At most this many, chosen for all frames together.
    Count(usize),
    /// The nearest ones of a palette.
    Of(Palette),
}

/// A job: poses of a model, and the look of their frames.
#[derive(Clone, Debug)]
pub struct SpriteJob {
    pub model: Arc<Model>,
    /// The models of its archive, some of which are attached to its sockets.
    pub models: Vec<Arc<Model>>,
    /// Clips with their baked forms.
    pub clips: Vec<(ClipSlot, Arc<BakedClip>)>,
    pub take: Take,
    pub directions: Vec<Direction>,
    /// Angle of the camera above the ground.
    pub elevation_degrees: f32,
    /// Pixels per unit of the model.
    pub scale: f32,
    pub look: Look,
    pub colors: Colors,
    /// Layers beside the colours.
    pub layers: Vec<Layer>,
    /// The direction of green in normals.
    pub up: Up,
    /// Whether poses that differ by less than half a pixel have the same pixels.
    pub is_stable: bool,
}

/// A sheet and its colours.
#[derive(Clone, Debug)]
pub struct Sprites {
    pub sheet: Sheet,
    /// All colours of the first layer; incomplete if there are more than 255.
    pub palette: Palette,
    /// The number of different colours.
    pub colors: usize,
    /// Mean distance in OKLab of pixels to the colours that they had before the palette.
    pub difference: f32,
}

/// A clip's frames, the same from every direction.
struct Strip<'a> {
    slot: &'a ClipSlot,
    frames: Vec<FrameTime>,
    poses: Vec<Arc<ModelPose>>,
    /// Points around the posed model and what it holds.
    points: Vec<Vec<Vec3>>,
}

/// A frame before its colours are reduced.
struct Draft {
    ink: Ink,
    layers: Vec<Bitmap>,
}

/// Draws all frames. The error is one sentence.
pub fn make(job: &SpriteJob, progress: &Progress) -> Result<Sprites, String> {
    let strips = strips(job)?;
    let poses = strips.iter().flat_map(|strip| &strip.poses);
    let framed = FramedModel::of(job.model.clone(), &job.models, poses.map(|pose| &**pose), CameraAngle::Side);
    if framed.bounds.is_empty() {
        return Err(format!("the model \"{}\" has nothing to draw: no visible mesh", job.model.name));
    }
    let origin = Vec3::Y * framed.ground;
    let view = |direction: Direction| SpriteView::new(direction, job.elevation_degrees, job.scale, origin);
    let views: Vec<SpriteView> = job.directions.iter().map(|direction| view(*direction)).collect();
    let canvas = canvas(job, &strips, &views)?;
    let mut painter = Painter::new(job, canvas, framed.props.clone(), framed.parts.clone())?;
    let (mut drafts, mut order, mut usage) = (Vec::new(), Vec::new(), Usage::default());
    let count = strips.iter().map(|strip| strip.frames.len()).sum::<usize>() * views.len();
    for (strip, view) in strips.iter().flat_map(|strip| views.iter().map(move |view| (strip, view))) {
        // The last frame that was drawn.
        let mut shown: Option<usize> = None;
        for at in 0..strip.frames.len() {
            progress.reach(order.len() as f32 / count as f32)?;
            let is_same =
                |shown: &usize| job.is_stable && moved(&strip.points[*shown], &strip.points[at], view) < STABLE;
            if shown.as_ref().is_none_or(|shown| !is_same(shown)) {
                shown = Some(at);
                let Painted { ink, layers } = painter.paint(&strip.poses[at], view)?;
                usage.add(&outlined(&ink, &job.look));
                drafts.push(Draft { ink, layers });
            }
            order.push(drafts.len() - 1);
        }
    }
    let palette = match &job.colors {
        Colors::All => Palette::new(usage.colors()),
        Colors::Count(count) => Palette::of(&usage, *count),
        Colors::Of(palette) => palette.clone(),
    };
    let difference = if job.colors == Colors::All { 0.0 } else { usage.mean_difference(&palette) };
    let images = finished(drafts, job, &palette)?;
    let colors = if job.colors == Colors::All { usage.len() } else { palette.colors().len() };
    let sheet = arranged(job, &strips, &views, canvas, (&images, &order));
    Ok(Sprites { sheet, palette, colors, difference })
}

fn strips(job: &SpriteJob) -> Result<Vec<Strip<'_>>, String> {
    let parts = ModelBounds::of(&job.model);
    let held: Vec<(&Arc<Model>, ModelBounds)> =
        job.models.iter().map(|model| (model, ModelBounds::of(model))).collect();
    let mut total = 0;
    let strip = |(slot, baked): &'_ (ClipSlot, Arc<BakedClip>)| {
        let frames = times::frames(&slot.clip, job.take);
        total += frames.len() * job.directions.len();
        if total > MAX_FRAMES {
            return Err(format!("more than {MAX_FRAMES} frames; choose fewer clips, directions or frames per second"));
        }
        let at: Vec<Time> = frames.iter().map(|frame| frame.at).collect();
        let poses = framed_model::poses(&job.model, baked, &at);
        let points = poses.iter().map(|pose| painter::points(&job.model, &parts, &held, pose)).collect();
        Ok((frames, poses, points))
    };
    let made: Vec<_> = job.clips.iter().map(strip).collect::<Result<_, String>>()?;
    let named = job.clips.iter().map(|(slot, _)| slot).zip(made);
    Ok(named.map(|(slot, (frames, poses, points))| Strip { slot, frames, poses, points }).collect())
}

/// The largest distance in pixels between two poses of the same points.
fn moved(before: &[Vec3], after: &[Vec3], view: &SpriteView) -> f32 {
    let distance = |(a, b): (&Vec3, &Vec3)| (view.place(*a) - view.place(*b)).truncate().length();
    before.iter().zip(after).map(distance).fold(0.0, f32::max)
}

/// The part of the views that all frames need.
fn canvas(job: &SpriteJob, strips: &[Strip<'_>], views: &[SpriteView]) -> Result<Canvas, String> {
    let mut bounds = Aabb::of([Vec3::ZERO]);
    let has_shadow = job.layers.contains(&Layer::Shadow);
    for view in views {
        let shadow = view.shadow_from_world();
        for point in strips.iter().flat_map(|strip| strip.points.iter().flatten()) {
            bounds.add(view.place(*point));
            if has_shadow {
                bounds.add(view.place(shadow.transform_point3(*point)));
            }
        }
    }
    let (low, high) = ((bounds.min - BORDER).floor(), (bounds.max + BORDER).ceil());
    let size = (high - low).truncate();
    if size.max_element() > MAX_CANVAS as f32 {
        return Err(format!(
            "the frames would be {} × {} pixels; the maximum is {MAX_CANVAS} × {MAX_CANVAS}, use a smaller --height",
            size.x, size.y
        ));
    }
    let pivot = [-low.x as u32, -low.y as u32];
    Ok(Canvas { size: [size.x as u32, size.y as u32], pivot, depth: [high.z, low.z] })
}

/// The images of all frames, in the colours of the palette.
fn finished(drafts: Vec<Draft>, job: &SpriteJob, palette: &Palette) -> Result<Vec<Vec<Bitmap>>, String> {
    let mut known = BTreeMap::new();
    let image = |Draft { mut ink, layers }: Draft| {
        if job.colors != Colors::All {
            palette.apply(&mut ink, &mut known);
        }
        remove_spots(&mut ink);
        let mut ink = outlined(&ink, &job.look);
        if job.colors != Colors::All {
            palette.apply(&mut ink, &mut known);
        }
        let first = ink.to_bitmap().ok_or("a frame is empty")?;
        Ok([vec![first], layers].concat())
    };
    drafts.into_iter().map(image).collect()
}

fn arranged(
    job: &SpriteJob,
    strips: &[Strip<'_>],
    views: &[SpriteView],
    canvas: Canvas,
    (images, order): (&[Vec<Bitmap>], &[usize]),
) -> Sheet {
    let layers = ["color"].into_iter().chain(job.layers.iter().map(|layer| layer.name()));
    let mut sheet = Sheet::new(layers.map(str::to_owned).collect(), canvas.size, canvas.pivot, job.scale);
    let mut next = order.iter();
    for strip in strips {
        for (view, direction) in views.iter().zip(&job.directions) {
            let clip = &strip.slot.clip;
            let name = if views.len() == 1 { clip.name.clone() } else { format!("{}-{}", clip.name, direction.name) };
            let digits = strip.frames.len().saturating_sub(1).to_string().len();
            let millis = times::millis(&strip.frames);
            for (at, (frame, pose)) in strip.frames.iter().zip(&strip.poses).enumerate() {
                let images = next.next().map(|at| images[*at].clone()).unwrap_or_default();
                let marks: Marks = marks::of(&job.model, strip.slot, frame, (pose, view, canvas.pivot));
                sheet.add(Drawn { name: format!("{name}-{at:0digits$}"), images, millis: millis[at], marks });
            }
            sheet.tag(name, clip.loop_mode);
        }
    }
    sheet
}
