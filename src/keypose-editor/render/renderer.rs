//! The renderer: draws a [`Frame`] into a [`Target`], pass by pass. It owns the GPU resources that live longer than a
//! frame and never changes what it draws.

use glam::Mat4;

use crate::render::frame::bones::{self, BoneStyle};
use crate::render::frame::overlay::Overlay;
use crate::render::frame::{Frame, ModelDraw, Shadow, SolidDraw, Surface};
use crate::render::gl::buffer::Usage;
use crate::render::gl::context::Context;
use crate::render::gl::error::GlError;
use crate::render::gl::target::{Target, Viewport};
use crate::render::pass::background::BackgroundPass;
use crate::render::pass::cache::{Cache, Unfinished};
use crate::render::pass::crowd::CrowdPass;
use crate::render::pass::draws::{ModelParts, collect};
use crate::render::pass::ground::GroundPass;
use crate::render::pass::mesh::{Drawn, MeshPass, Stage, blended};
use crate::render::pass::overlay::OverlayPass;
use crate::render::pass::pace::{Clock, Pass};
use crate::render::pass::palette::tier::Tier;
use crate::render::pass::palette::{Palettes, Uploads};
use crate::render::pass::shadow::{LightView, ShadowPass, light_view};
use crate::render::pass::solids;
use crate::render::pass::variant::Variant;
use crate::render::pass::vertex::GpuMesh;
use crate::render::shaders::Shaders;
use keypose::anim::skin::method::Method;
use keypose::assets::model::Visibility;

/// Draws frames. Each context has its own.
pub struct Renderer {
    context: Context,
    passes: Passes,
    shaders: Shaders,
    palettes: Palettes,
    cache: Cache,
    solids: Solids,
}

struct Passes {
    background: BackgroundPass,
    shadow: ShadowPass,
    mesh: MeshPass,
    crowd: CrowdPass,
    ground: GroundPass,
    overlay: OverlayPass,
}

/// The solids on the GPU: all of them, and those that cast shadows. Rebuilt when they change.
#[derive(Default)]
struct Solids {
    of: Vec<SolidDraw>,
    shown: Option<GpuMesh>,
    casting: Option<GpuMesh>,
}

impl Passes {
    fn new(context: &Context, shaders: &Shaders) -> Result<Passes, GlError> {
        let (background, mut mesh, mut shadow) =
            (BackgroundPass::new(context, shaders)?, MeshPass::new(context), ShadowPass::new(context)?);
        // Before crowds, whose programs share its shaders: errors name the files of meshes.
        mesh.need(shaders, Variant::NONE)?;
        shadow.need(shaders, Variant::NONE)?;
        Ok(Passes {
            background,
            shadow,
            mesh,
            crowd: CrowdPass::new(context, shaders)?,
            ground: GroundPass::new(context, shaders)?,
            overlay: OverlayPass::new(context, shaders)?,
        })
    }

    /// Loads the programs that skin, in this variant.
    fn need(&mut self, shaders: &Shaders, variant: Variant) -> Result<(), GlError> {
        self.mesh.need(shaders, variant)?;
        self.shadow.need(shaders, variant)
    }
}

impl Renderer {
    /// Loads the programs that every frame needs; others when a frame needs them. The context must be current, here and in every
    /// call.
    pub fn new(context: &Context, shaders: &Shaders) -> Result<Renderer, GlError> {
        let passes = Passes::new(context, shaders)?;
        Ok(Renderer {
            context: context.clone(),
            passes,
            shaders: shaders.clone(),
            palettes: Palettes::new(context, None)?,
            cache: Cache::new(context)?,
            solids: Solids::default(),
        })
    }

    /// Loads all programs again. If one fails, the old ones stay.
    pub fn reload(&mut self, shaders: &Shaders) -> Result<(), GlError> {
        let mut passes = Passes::new(&self.context, shaders)?;
        for variant in self.passes.mesh.variants() {
            passes.need(shaders, variant)?;
        }
        (self.passes, self.shaders) = (passes, shaders.clone());
        Ok(())
    }

    /// Limits the seconds of each pass over the models from now on. The rest of what takes longer isn't drawn, and of the same scene
    /// an eighth of it in the next frames, until they have time for more. `clock` returns the time in seconds since any moment.
    pub fn limit_time(&mut self, clock: Clock, secs: f64) {
        self.cache.pace.limit(clock, secs);
    }

    /// Whether the last frame lacks triangles that took too long, and the next one may show more of them.
    pub fn is_recovering(&self) -> bool {
        self.cache.pace.is_recovering()
    }

    /// Seconds until a scene that takes too long is drawn whole again, if the machine was busy; `None` if it is whole.
    pub fn retry_secs(&self) -> Option<f64> {
        self.cache.pace.retry_secs()
    }

    /// Notices about things that were drawn differently, such as images that are too large for the driver: one sentence each, once.
    pub fn take_notices(&mut self) -> Vec<String> {
        self.cache.take_notices()
    }

    /// Uploads a frame's crowds, as drawing it does.
    pub fn prepare_crowds(&mut self, frame: &Frame) -> Result<(), GlError> {
        self.passes.crowd.prepare(frame, &mut self.cache)
    }

    /// Uses this tier of palettes from now on where it has room; `None` for the one that suits.
    pub fn ask_for_tier(&mut self, tier: Option<Tier>) {
        self.palettes.ask(tier);
    }

    /// Copies meshes in slices of this many bytes per frame from now on, at least 64 KiB, instead of whole in the first frame that has
    /// them. Until a mesh is whole, frames show the triangles that are there.
    pub fn copy_in_slices(&mut self, bytes: usize) {
        self.cache.copy_in_slices(bytes);
    }

    /// Copies a slice of the meshes of a frame's models. Returns true if all are whole.
    pub fn prepare(&mut self, frame: &Frame) -> Result<bool, GlError> {
        self.cache.begin();
        frame.models.iter().try_for_each(|draw| self.cache.prepare(&draw.model))?;
        Ok(self.cache.unfinished().is_none())
    }

    /// Meshes of the last frame that aren't whole on the GPU; `None` if all are.
    pub fn unfinished(&self) -> Option<Unfinished> {
        self.cache.unfinished()
    }

    /// The variants of the programs that frames needed until now.
    pub fn variants(&self) -> impl Iterator<Item = Variant> {
        self.passes.mesh.variants()
    }

    /// The palettes that were uploaded until now.
    pub fn uploads(&self) -> Uploads {
        self.palettes.counter().get()
    }

    /// Draws a frame into the whole target and resolves it.
    pub fn render(&mut self, frame: &Frame, target: &Target) -> Result<(), GlError> {
        self.render_viewport(frame, target, Viewport::whole(target))?;
        target.resolve();
        Ok(())
    }

    /// Draws a frame as [`Renderer::render`] does, again until it is whole or known to take too long.
    pub fn render_whole(&mut self, frame: &Frame, target: &Target) -> Result<(), GlError> {
        self.render(frame, target)?;
        while self.is_recovering() {
            self.render(frame, target)?;
        }
        Ok(())
    }

    /// Draws a frame into a rectangle of the target and keeps the rest. It shows after [`Target::resolve`].
    pub fn render_viewport(&mut self, frame: &Frame, target: &Target, viewport: Viewport) -> Result<(), GlError> {
        self.cache.begin();
        for draw in &frame.models {
            self.cache.prepare(&draw.model)?;
        }
        self.solids.update(&self.context, &frame.solids)?;
        self.passes.crowd.prepare(frame, &mut self.cache)?;
        self.cache.pace.begin(triangles(frame) + self.passes.crowd.triangles(frame));
        let [models, right] = self.collect(frame)?;
        let light = light_view(frame, &models, self.passes.crowd.bounds(frame), &mut self.cache);
        let casting = (&models[..], self.solids.casting.as_ref());
        self.cache.pace.begin_pass(Pass::Shadow);
        if light.strength > 0.0 {
            self.passes.shadow.draw(&light, casting, &self.palettes, &mut self.cache);
            self.passes.crowd.draw_depth(frame, &light, &mut self.cache);
        }
        self.passes.shadow.bind();
        target.bind(viewport);
        target.clear_depth(viewport);
        let aspect = viewport.size[0] as f32 / viewport.size[1] as f32;
        let clip_from_world = frame.camera.clip_from_world(aspect);
        self.passes.background.draw(&frame.background);
        let halves = frame.split.map(|_| viewport.halves());
        self.context.set_scissor(halves.map(|[left, _]| left));
        let pixels = viewport.size.map(|side| side as usize).iter().product();
        let stand_ins = self.draw_scene(frame, models, (clip_from_world, pixels), &light);
        if let Some([_, half]) = halves {
            self.context.set_scissor(Some(half));
            self.draw_scene(frame, right, (clip_from_world, pixels), &light);
            self.context.set_scissor(None);
        }
        for overlay in [&stand_ins, &frame.overlay] {
            self.passes.overlay.draw(frame, overlay, clip_from_world, viewport.size);
        }
        self.context.reset();
        target.unbind();
        Ok(())
    }

    /// The models of a frame with their palettes on the GPU and the programs that they need; those of a frame's right half after
    /// those of its left one, which are all if it is not split.
    fn collect<'a>(&mut self, frame: &'a Frame) -> Result<[Vec<ModelParts<'a>>; 2], GlError> {
        self.palettes.clear();
        let left = frame.split.map(|[left, _]| left);
        let models = collect(frame, left, &mut self.palettes, &mut self.cache);
        let right = |[_, right]: [Method; 2]| collect(frame, Some(right), &mut self.palettes, &mut self.cache);
        let halves = [models, frame.split.map(right).unwrap_or_default()];
        for models in &halves {
            for model in models {
                self.passes.need(&self.shaders, model.place.variant)?;
            }
        }
        self.palettes.upload()?;
        Ok(halves)
    }

    /// Draws opaque surfaces, then the ground with its shadows, then ghosts behind opaque surfaces, then blended
    /// surfaces, on a picture with a number of pixels. Returns the bones of models that are not whole, because their triangles take
    /// too long: no figure vanishes.
    fn draw_scene(
        &mut self,
        frame: &Frame,
        mut models: Vec<ModelParts<'_>>,
        (clip, pixels): (Mat4, usize),
        light: &LightView,
    ) -> Overlay {
        let (mesh, palettes) = (&self.passes.mesh, &self.palettes);
        self.cache.pace.begin_pass(Pass::Scene(pixels));
        let mut stand_ins = Overlay::default();
        mesh.begin(frame, clip, light);
        if let Some(solids) = &self.solids.shown {
            mesh.draw_solids(solids, palettes, &mut self.cache);
        }
        for model in &models {
            mesh.draw_model(model, Drawn { stage: Stage::Opaque, palettes }, &mut self.cache);
            if self.cache.pace.is_cut()
                && !matches!(model.draw.surface, Surface::Ghost | Surface::Backdrop | Surface::Sheet)
            {
                stand_in(model, frame, &mut stand_ins);
            }
        }
        self.passes.crowd.draw(frame, Stage::Opaque, clip, light, &mut self.cache);
        self.passes.ground.draw(frame, clip, light);
        models.sort_by(|a, b| b.distance.total_cmp(&a.distance));
        models.iter().for_each(|model| {
            mesh.draw_model(model, Drawn { stage: Stage::Ghosts, palettes }, &mut self.cache);
        });
        blended(models).iter().for_each(|model| {
            mesh.draw_model(model, Drawn { stage: Stage::Blended, palettes }, &mut self.cache);
        });
        self.passes.crowd.draw(frame, Stage::Blended, clip, light, &mut self.cache);
        stand_ins
    }
}

/// Adds the bones of a model as solid shapes. A prop has no bones to speak of.
fn stand_in(model: &ModelParts<'_>, frame: &Frame, overlay: &mut Overlay) {
    let ModelDraw { model, pose, world_from_model, tint, .. } = model.draw;
    if model.skeleton.len() < 2 {
        return;
    }
    let mut shapes = bones::shapes(&model.skeleton, pose, world_from_model);
    shapes.iter_mut().for_each(|shape| shape.radius *= STAND_IN_WIDTH);
    let style = BoneStyle { color: BoneStyle::PLAIN.color.mix(tint.with_alpha(1.0), tint.a), fill: 1.0, width: 1.0 };
    bones::draw(overlay, &frame.camera, &shapes, |_| Some(style));
}

/// The width of the bones that stand in for a figure, as a multiple of that of bones.
const STAND_IN_WIDTH: f32 = 1.6;

/// The triangles of all models of a frame.
fn triangles(frame: &Frame) -> usize {
    let meshes = frame.models.iter().flat_map(|draw| &draw.model.meshes);
    meshes.filter(|slot| slot.visibility == Visibility::Shown).map(|slot| slot.mesh.indices.len() / 3).sum()
}

impl Solids {
    fn update(&mut self, context: &Context, solids: &[SolidDraw]) -> Result<(), GlError> {
        if self.of == solids {
            return Ok(());
        }
        let copy = |mesh: solids::SolidMesh| -> Result<Option<GpuMesh>, GlError> {
            let any = !mesh.indices.is_empty();
            let make = || GpuMesh::new(context, Usage::Stream, &mesh.vertices, &mesh.indices);
            any.then(make).transpose()
        };
        self.shown = copy(solids::build(solids, |_| true))?;
        self.casting = copy(solids::build(solids, |solid| solid.shadow == Shadow::Cast))?;
        self.of = solids.to_vec();
        Ok(())
    }
}
