//! Draws a model in some poses without a window and makes a film or a sheet of them: what `keypose render` and the
//! editor's export have in common.

use std::sync::Arc;

use glam::Mat4;

use crate::anim::pose::ModelPose;
use crate::app::headless::{Checks, Driver, Headless};
use crate::app::progress::Progress;
use crate::assets::model::Model;
use crate::export::bitmap::{Bitmap, contact_sheet};
use crate::export::{ExportError, gif, png};
use crate::render::frame::bones;
use crate::render::frame::framed_model::{CameraAngle, FramedModel};
use crate::render::gl::error::GlError;
use crate::render::gl::target::Target;
use crate::render::renderer::Renderer;
use crate::render::shaders::Shaders;

/// The most bytes that the pictures of one film may take in memory.
const MOST_BYTES: u64 = 2 << 30;
/// How much of the work drawing is; the rest is writing it as a file.
const DRAWING: f32 = 0.7;

/// What is made of the pictures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Format {
    /// A GIF, so many pictures a second.
    Film {
        /// 1 to 50.
        fps: f64,
    },
    /// A PNG with all of them side by side.
    Sheet,
}

/// What is drawn, and how.
#[derive(Clone, Debug)]
pub struct RenderJob {
    /// Who.
    pub model: Arc<Model>,
    /// The models of its archive: what hangs on its sockets is among them.
    pub models: Vec<Arc<Model>>,
    /// One picture each, all in the same framed.
    pub poses: Vec<Arc<ModelPose>>,
    /// What is made of them.
    pub form: Format,
    /// From where it is seen.
    pub view: CameraAngle,
    /// Width and height of one picture in pixels.
    pub size: [u32; 2],
    /// With the skeleton over the model.
    pub has_bones: bool,
}

/// A turntable turns once in at least so many seconds of a film: shorter clips are shown several times.
const LEAST_TURN_SECS: f64 = 5.0;

impl RenderJob {
    /// How many pictures are made: one for each pose, or as many rounds of them as a turntable needs.
    fn pictures(&self) -> usize {
        let poses = self.poses.len();
        match self.form {
            Format::Film { fps } if self.view == CameraAngle::Turntable && poses > 0 => {
                poses * (LEAST_TURN_SECS * fps / poses as f64).ceil().max(1.0) as usize
            }
            _ => poses,
        }
    }
}

/// The file's bytes; an error is one sentence.
pub fn make(order: &RenderJob, progress: &Progress) -> Result<Vec<u8>, String> {
    check_size(order.pictures() as f64, order.size)?;
    let pictures = draw(order, progress)?;
    let said = |error: ExportError| error.to_string();
    match order.form {
        Format::Film { fps } => {
            let starts: Vec<f64> = (0..pictures.len()).map(|at| at as f64 / fps).collect();
            gif::encode(&pictures, &starts, pictures.len() as f64 / fps).map_err(said)
        }
        Format::Sheet => {
            let sheet = contact_sheet(&pictures, columns(pictures.len())).map_err(said)?;
            png::encode(&sheet).map_err(said)
        }
    }
}

/// An error where so many pictures of a size would not fit.
pub fn check_size(pictures: f64, [width, height]: [u32; 2]) -> Result<(), String> {
    if pictures * f64::from(width) * f64::from(height) * 4.0 > MOST_BYTES as f64 {
        return Err(format!(
            "{pictures:.0} pictures of {width} × {height} are too large; take fewer a second or a smaller size"
        ));
    }
    Ok(())
}

/// Draws the model in every pose, all in the same framed.
fn draw(order: &RenderJob, progress: &Progress) -> Result<Vec<Bitmap>, String> {
    let RenderJob { model, models, poses, size: [width, height], .. } = order;
    let headless = Headless::open(Driver::Any, Checks::Off)?;
    let said = |error: GlError| error.to_string();
    let mut renderer = Renderer::new(&headless.context, &Shaders::default()).map_err(said)?;
    let target = Target::new(&headless.context, order.size, 4).map_err(said)?;
    let framed = FramedModel::of(model.clone(), models, poses.iter().map(Arc::as_ref), order.view);
    let count = order.pictures();
    let mut pictures = Vec::with_capacity(count);
    for (at, pose) in poses.iter().cycle().take(count).enumerate() {
        let part = at as f32 / count as f32;
        progress.reach(DRAWING * part)?;
        let turn = part * std::f32::consts::TAU;
        let mut frame = framed.frame_at_angle(pose.clone(), *width as f32 / *height as f32, turn);
        if order.has_bones {
            let shapes = bones::shapes(&model.skeleton, pose, &Mat4::IDENTITY);
            bones::draw(&mut frame.overlay, &frame.camera, &shapes, |_| Some(bones::BoneStyle::PLAIN));
        }
        renderer.render(&frame, &target).map_err(said)?;
        pictures.push(Bitmap::new(*width, *height, target.read()).ok_or("the driver gave no picture")?);
    }
    progress.reach(DRAWING)?;
    Ok(pictures)
}

/// Columns of a sheet: wider than high, no row without a picture, the last as full as can be.
fn columns(pictures: usize) -> usize {
    let columns = if pictures <= 6 { pictures.max(1) } else { (pictures as f64 * 1.8).sqrt().ceil() as usize };
    pictures.max(1).div_ceil(pictures.max(1).div_ceil(columns))
}
