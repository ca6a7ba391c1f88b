//! The job of a recipe.

use std::sync::Arc;

use keypose::anim::bake::BakedClip;
use keypose::assets::fit::fit;
use keypose::assets::model::{ClipSlot, Model};
use keypose::assets::sprite_recipe::{Layer, SpriteRecipe, SpriteSize};
use keypose_editor::render::frame::sprite_view::directions_of;

use crate::app::film::sprites::SpriteJob;

impl SpriteJob {
    /// The job of a model's recipe. `models` are those of its archive. The error is one sentence.
    pub fn new(
        model: &Arc<Model>,
        models: &[Arc<Model>],
        clips: Vec<(ClipSlot, Arc<BakedClip>)>,
        recipe: &SpriteRecipe,
    ) -> Result<SpriteJob, String> {
        let height = match recipe.size {
            SpriteSize::Height(_) => fit(model).height,
            SpriteSize::Scale(_) => 1.0,
        };
        SpriteJob::of_height(model, models, clips, (recipe, height))
    }

    /// As [`SpriteJob::new`], for a model whose height in model units is known.
    pub fn of_height(
        model: &Arc<Model>,
        models: &[Arc<Model>],
        clips: Vec<(ClipSlot, Arc<BakedClip>)>,
        (recipe, height): (&SpriteRecipe, f32),
    ) -> Result<SpriteJob, String> {
        if recipe.layers.contains(&Layer::Shadow) && recipe.elevation_degrees() < 1.0 {
            return Err("a shadow needs a camera from above, such as three-quarter".into());
        }
        Ok(SpriteJob {
            model: model.clone(),
            models: models.to_vec(),
            clips,
            recipe: recipe.clone(),
            directions: directions_of(recipe),
            scale: match recipe.size {
                SpriteSize::Scale(scale) => scale,
                SpriteSize::Height(pixels) => pixels as f32 / height,
            },
        })
    }
}
