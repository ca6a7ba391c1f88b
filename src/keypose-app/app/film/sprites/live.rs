//! Single frames of a sheet, drawn in the window: the pixel view. The same steps as those of a sheet, so that it has the same pixels.

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::Vec3;

use keypose::assets::model::Model;
use keypose_editor::editor::view::pixels::PixelPose;
use keypose_editor::render::frame::bounds::ModelBounds;
use keypose_editor::render::frame::framed_model::{CameraAngle, FramedModel};
use keypose_editor::render::frame::sprite_view::SpriteView;
use keypose_editor::render::gl::context::Context;
use keypose_tools::export::bitmap::Bitmap;
use keypose_tools::sprites::made::Shared;

use crate::app::film::sprites::draft::Draft;
use crate::app::film::sprites::painter::{Painter, Shot};
use crate::app::film::sprites::{MAX_CANVAS, SpriteJob, finished, shot_alone};

/// A painter for one frame at a time.
#[derive(Default)]
pub struct LivePainter {
    painter: Option<Painter>,
    /// The largest frame that it can paint.
    largest: [u32; 2],
}

/// A pose as a sprite.
pub struct Sprite {
    pub image: Bitmap,
    /// The origin on the ground, from the upper left corner.
    pub pivot: [i32; 2],
}

impl LivePainter {
    /// Draws a pose. Without `shared`, what only a whole sheet has is taken from the pose alone, and its colours stay as they are
    /// drawn.
    pub fn draw(
        &mut self,
        context: &Context,
        job: &SpriteJob,
        posed: &PixelPose,
        shared: Option<&Shared>,
    ) -> Result<Sprite, String> {
        let PixelPose { pose, bounds, held, .. } = posed;
        let cast = (job.model.clone(), bounds.clone());
        let framed = FramedModel::with_bounds(cast, &job.models, [(&**pose, Some(held.as_slice()))], CameraAngle::Side);
        if framed.bounds.is_empty() {
            return Err(format!("the model \"{}\" has nothing to draw: no visible mesh", job.model.name));
        }
        let ground = shared.map_or(framed.ground, |shared| shared.ground);
        let view = SpriteView::new(posed.direction, job.recipe.elevation_degrees(), job.scale, Vec3::Y * ground);
        let shot = shot_alone(job, (pose, held, &framed.points), &view, shared.map(|shared| shared.depth));
        if shot.canvas.size.iter().any(|side| *side > MAX_CANVAS) {
            return Err(format!("the sprite would be larger than {MAX_CANVAS} × {MAX_CANVAS} pixels; make it smaller"));
        }
        let painter = self.painter(context, job, (&framed.props, bounds), &shot)?;
        let batch = painter.paint(std::slice::from_ref(&shot))?;
        let draft = Draft::of(&batch, 0, &shot, job)?;
        let palette = shared.and_then(|shared| shared.palette.as_ref());
        let pivot = [0, 1].map(|axis| shot.canvas.pivot[axis] - draft.at[axis] as i32);
        let image = finished(draft, job, palette, &mut BTreeMap::new())?.swap_remove(0);
        Ok(Sprite { image, pivot })
    }

    fn painter(
        &mut self,
        context: &Context,
        job: &SpriteJob,
        (props, bounds): (&[Arc<Model>], &Arc<ModelBounds>),
        shot: &Shot,
    ) -> Result<&mut Painter, String> {
        let size = shot.canvas.size;
        if self.painter.is_none() || (0..2).any(|axis| size[axis] > self.largest[axis]) {
            self.largest = [0, 1].map(|axis| size[axis].next_power_of_two().max(self.largest[axis]));
            self.painter = None;
        }
        Ok(match &mut self.painter {
            Some(painter) => {
                painter.recast(job, (props, bounds));
                painter
            }
            none => none.insert(Painter::new(context, job, (props, bounds), self.largest)?),
        })
    }
}
