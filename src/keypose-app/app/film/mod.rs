//! Draws a model in several poses without a window, and encodes a film or a contact sheet. `keypose render` and the
//! editor's export use it.

use std::panic::resume_unwind;
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Instant;

use glam::Mat4;

use keypose::anim::bake::BakedClip;
use keypose::anim::clip::Clip;
use keypose::anim::pose::ModelPose;
use keypose::anim::skeleton::BoneIndex;
use keypose::anim::skin::method::Method;
use keypose::anim::time::Time;
use keypose::assets::clip_event::attached_at;
use keypose::assets::model::Model;
use keypose_editor::editor::session::display::Shading;
use keypose_editor::editor::state::Editor;
use keypose_editor::editor::view::{View, interpolated, scene};
use keypose_editor::render::frame::attached::{attached, attached_as};
use keypose_editor::render::frame::bones;
use keypose_editor::render::frame::bounds::ModelBounds;
use keypose_editor::render::frame::color::Color;
use keypose_editor::render::frame::framed_model::{self, CameraAngle, FramedModel};
use keypose_editor::render::frame::normal_lines;
use keypose_editor::render::frame::{Background, Frame, ModelDraw, NextPose};
use keypose_editor::render::gl::error::GlError;
use keypose_editor::render::gl::target::Target;
use keypose_editor::render::pass::palette::tier::Tier;
use keypose_editor::render::renderer::Renderer;
use keypose_editor::render::shaders::Shaders;
use keypose_tools::export::bitmap::Bitmap;
use keypose_tools::export::contact_sheet::Cells;
use keypose_tools::export::{ExportError, contact_sheet, gif};

use crate::app::console;
use crate::app::files::progress::Progress;
use crate::app::film::headless::{Checks, Driver, Headless, Interface};

pub mod headless;
pub mod sprites;

/// Maximum size of the images of a film in memory. The driver needs some, too.
const MAX_BYTES: u64 = 1 << 30;
/// The seconds that a pass over the models may take: what takes longer isn't drawn whole.
const MAX_PASS_SECS: f64 = 3.0;
/// The fraction of the work that is drawing. The rest is encoding.
const DRAWING: f32 = 0.7;

/// The format of the result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Format {
    /// An animated GIF.
    Film {
        /// Frames per second, 1 to 50.
        fps: f64,
    },
    /// A PNG with all images side by side.
    Sheet,
}

/// A job: poses of a model, and how to draw them.
#[derive(Clone, Debug)]
pub struct RenderJob {
    /// The model to draw.
    pub model: Arc<Model>,
    /// The models of its archive, some of which are attached to its sockets.
    pub models: Vec<Arc<Model>>,
    /// The poses, one image each, with the same framing.
    pub poses: Vec<Pose>,
    /// The format of the result.
    pub format: Format,
    /// The angle of the camera.
    pub view: CameraAngle,
    /// Width and height of an image in pixels.
    pub size: [u32; 2],
    /// How the model is drawn.
    pub shading: Shading,
    /// The bone whose weights [`Shading::Weights`] shows.
    pub bone: Option<BoneIndex>,
    /// Whether the skeleton is drawn over the model.
    pub has_bones: bool,
    /// The interface of the driver.
    pub interface: Interface,
    /// The tier of palettes to use where it has room.
    pub palette: Option<Tier>,
}

/// A pose of the model.
#[derive(Clone, Debug)]
pub struct Pose {
    /// Bones and scalars.
    pub pose: Arc<ModelPose>,
    /// The poses between which matrices are interpolated, if the model asks for that.
    pub around: Option<(Arc<ModelPose>, NextPose)>,
    /// The names of the models on its sockets, if events of a clip say so.
    pub held: Option<Vec<String>>,
}

impl Pose {
    /// A pose without others around it.
    pub fn alone(pose: Arc<ModelPose>) -> Pose {
        Pose { pose, around: None, held: None }
    }

    /// The pose of the editor's view of a model.
    pub fn of_view(editor: &Editor, view: &View, model: &Model) -> Pose {
        let around = scene::interpolated(&editor.session, view, model);
        let clip = view.clip.as_ref();
        let held = clip.map(|clip| held_at(model, &editor.document.models, clip, view.time));
        Pose { pose: Arc::new(view.pose.clone()), around, held }
    }

    /// The poses of a clip at these times, with those of the keyframes around them if the model interpolates matrices. `others` are the
    /// models of its archive.
    pub fn of_clip(
        (model, others): (&Model, &[Arc<Model>]),
        (clip, baked): (&Clip, &BakedClip),
        times: &[Time],
    ) -> Vec<Pose> {
        let is_asked = model.skinning == Method::Interpolated;
        let poses = framed_model::poses(model, baked, times).into_iter().zip(times);
        let pose = |(pose, time): (Arc<ModelPose>, &Time)| {
            let around = is_asked.then(|| interpolated::around(clip, &model.skeleton, *time, &pose)).flatten();
            Pose { pose, around, held: Some(held_at(model, others, clip, *time)) }
        };
        poses.map(pose).collect()
    }
}

/// The names of the models on the sockets of a model at a time of a clip; `others` are the models of its archive.
pub fn held_at(model: &Model, others: &[Arc<Model>], clip: &Clip, time: Time) -> Vec<String> {
    let is_known = |name: &str| others.iter().any(|other| other.name == name);
    attached_at(model, Some(clip), time, is_known).into_iter().map(str::to_owned).collect()
}

/// Minimum duration of a turntable's revolution in seconds. Shorter clips are repeated.
const MIN_REVOLUTION_SECS: f64 = 5.0;

impl RenderJob {
    /// A sheet of poses from the side, without bones. `models` are those of the model's archive; `size` is that of an image in pixels.
    pub fn new(model: Arc<Model>, models: Vec<Arc<Model>>, poses: Vec<Pose>, size: [u32; 2]) -> RenderJob {
        RenderJob {
            model,
            models,
            poses,
            format: Format::Sheet,
            view: CameraAngle::Side,
            size,
            shading: Shading::Lit,
            bone: None,
            has_bones: false,
            interface: Interface::Gl33,
            palette: None,
        }
    }

    /// The count of images: one per pose, or as many loops of them as a turntable needs.
    fn image_count(&self) -> usize {
        let poses = self.poses.len();
        match self.format {
            Format::Film { fps } if self.view == CameraAngle::Turntable && poses > 0 => {
                poses * (MIN_REVOLUTION_SECS * fps / poses as f64).ceil().max(1.0) as usize
            }
            _ => poses,
        }
    }
}

/// Draws and encodes the file. The error is one sentence.
pub fn make(job: &RenderJob, progress: &Progress) -> Result<Vec<u8>, String> {
    check_size(job.image_count() as f64, job.size)?;
    let to_text = |error: ExportError| error.to_string();
    match job.format {
        Format::Film { fps } => {
            let mut images = Vec::with_capacity(job.image_count());
            draw(job, progress, |image| images.push(image))?;
            let starts: Vec<f64> = (0..images.len()).map(|at| at as f64 / fps).collect();
            gif::encode(&images, &starts, images.len() as f64 / fps).map_err(to_text)
        }
        Format::Sheet => {
            let count = job.image_count();
            let cells = Cells { count, columns: columns(count), size: job.size };
            thread::scope(|scope| {
                let (drawn, images) = mpsc::channel();
                let encoding = scope.spawn(move || contact_sheet::encode(cells, images));
                // The encoder only ends before the last image after an error, which it returns.
                draw(job, progress, |image| drawn.send(image).unwrap_or_default())?;
                drop(drawn);
                encoding.join().unwrap_or_else(|panic| resume_unwind(panic)).map_err(to_text)
            })
        }
    }
}

/// Returns an error if the images would be too large in memory.
pub fn check_size(images: f64, [width, height]: [u32; 2]) -> Result<(), String> {
    if images * f64::from(width) * f64::from(height) * 4.0 > MAX_BYTES as f64 {
        return Err(format!(
            "{images:.0} images of {width} × {height} pixels need too much memory; use fewer frames per second or a smaller size"
        ));
    }
    Ok(())
}

/// "480x320" as width and height, each 16 to 4096.
pub fn size(text: &str) -> Result<[u32; 2], String> {
    let (width, height) = text.split_once('x').ok_or("expected a size like 480x320")?;
    let side = |text: &str| match text.parse() {
        Ok(side @ 16..=4096) => Ok(side),
        _ => Err(format!("\"{text}\" is not between 16 and 4096 pixels")),
    };
    Ok([side(width)?, side(height)?])
}

/// Draws the model in every pose with the same framing.
fn draw(job: &RenderJob, progress: &Progress, mut drawn: impl FnMut(Bitmap)) -> Result<(), String> {
    let RenderJob { model, models, poses, size: [width, height], .. } = job;
    let headless = Headless::open_as(job.interface, Driver::Any, Checks::Off)?;
    let to_text = |error: GlError| error.to_string();
    let mut renderer = Renderer::new(&headless.context, &Shaders::default()).map_err(to_text)?;
    renderer.ask_for_tier(job.palette);
    let start = Instant::now();
    renderer.limit_time(Box::new(move || start.elapsed().as_secs_f64()), MAX_PASS_SECS);
    let target = Target::new(&headless.context, [*width, *height], 4).map_err(to_text)?;
    let parts = Arc::new(ModelBounds::of(model));
    let shown = poses.iter().map(|shown| (&*shown.pose, shown.held.as_deref()));
    let framed = FramedModel::with_bounds((model.clone(), parts), models, shown, job.view);
    let count = job.image_count();
    for (at, Pose { pose, around, held }) in poses.iter().cycle().take(count).enumerate() {
        let part = at as f32 / count as f32;
        progress.reach(DRAWING * part)?;
        let turn = part * std::f32::consts::TAU;
        let mut frame = framed.frame_at_angle(pose.clone(), *width as f32 / *height as f32, turn);
        if let Some(draw) = frame.models.first().filter(|_| around.is_some() || held.is_some()) {
            let mut draw = draw.clone();
            if let Some((from, next)) = around {
                draw = ModelDraw { pose: from.clone(), next: Some(next.clone()), ..draw };
            }
            let props = match held {
                Some(held) => attached_as(&draw, &framed.props, held),
                None => attached(&draw, &framed.props),
            };
            frame.models = std::iter::once(draw).chain(props).collect();
        }
        shade(&mut frame, job, framed.bounds.radius());
        if job.has_bones {
            let shapes = bones::shapes(&model.skeleton, pose, &Mat4::IDENTITY);
            bones::draw(&mut frame.overlay, &frame.camera, &shapes, |_| Some(bones::BoneStyle::PLAIN));
        }
        renderer.render_whole(&frame, &target).map_err(to_text)?;
        if count > 1 && renderer.retry_secs().is_some() {
            let text = "a picture shows only a part of them";
            return Err(format!(
                "the models take too long to draw: {text}, and {count} would take minutes; draw one picture"
            ));
        }
        renderer.take_notices().iter().for_each(|notice| console::warn(format_args!("keypose: {notice}")));
        drawn(Bitmap::new(*width, *height, target.read()).ok_or("the driver returned no image")?);
    }
    progress.reach(DRAWING)
}

/// Draws the model by the job's shading.
fn shade(frame: &mut Frame, job: &RenderJob, radius: f32) {
    let Frame { models, overlay, background, ground, .. } = frame;
    if job.shading == Shading::Overdraw {
        *background = Background { top: Color::hex(0x000000), bottom: Color::hex(0x000000) };
        *ground = None;
    }
    for draw in models {
        let is_prop = !Arc::ptr_eq(&draw.model, &job.model);
        if job.shading == Shading::NormalLines {
            normal_lines::draw(overlay, draw, radius * 0.025);
        }
        draw.surface = job.shading.surface(if is_prop { None } else { job.bone });
        if job.shading == Shading::Silhouette {
            draw.tint = Color::hex(0x14161a);
        } else if !matches!(job.shading, Shading::Lit | Shading::Flat | Shading::NormalLines) {
            draw.tint = Color::CLEAR;
        }
    }
}

/// The columns of a contact sheet: wider than high, without empty rows, the last row as full as possible.
fn columns(images: usize) -> usize {
    let columns = if images <= 6 { images.max(1) } else { (images as f64 * 1.8).sqrt().ceil() as usize };
    images.max(1).div_ceil(images.max(1).div_ceil(columns))
}
