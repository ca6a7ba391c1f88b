//! GPU copies of meshes and images, and the bounds of models, cached by the `Arc`s that they were made from.

use std::ops::Range;
use std::sync::Arc;

use crate::render::frame::bounds::{ModelBounds, Shape};
use crate::render::gl::context::Context;
use crate::render::gl::error::GlError;
use crate::render::gl::texture::Texture;
use crate::render::gl::vertex_array::Primitive;
use crate::render::hull::hull;
use crate::render::pass::draws::{Part, has_outline};
use crate::render::pass::images::Images;
use crate::render::pass::pace::Pace;
use crate::render::pass::palette::layout::PaletteLayout;
use crate::render::pass::vertex::GpuMesh;
use keypose::anim::skin::Skin;
use keypose::assets::mesh::{Binding, Mesh};
use keypose::assets::model::{Model, Visibility};
use keypose::assets::recent::{ByAddress, Recent};
use keypose::assets::texture::{Texture as Image, Use};

/// Frames between two sweeps. A copy that no frame between them used is deleted.
const FRAMES_BETWEEN_SWEEPS: u64 = 240;

/// A frame may use any number of copies; only sweeps delete them.
const NO_LIMIT: usize = usize::MAX;

/// The cache of a renderer.
pub struct Cache {
    context: Context,
    frame: u64,
    meshes: Recent<MeshKey, GpuMesh, NO_LIMIT>,
    /// Hulls of meshes with outlines.
    hulls: Recent<ByAddress<Mesh>, Arc<Mesh>, NO_LIMIT>,
    layouts: Recent<Vec<ByAddress<Skin>>, Arc<PaletteLayout>, NO_LIMIT>,
    images: Images,
    bounds: Recent<Shape, Arc<ModelBounds>, NO_LIMIT>,
    white: Texture,
    uploads: Uploads,
    /// The pace of the passes that draw meshes.
    pub pace: Pace,
}

/// How much of meshes is copied in a frame.
struct Uploads {
    /// Bytes per frame.
    slice: usize,
    /// Bytes that are left for this frame.
    left: usize,
    open: Unfinished,
}

/// The meshes of a frame that aren't whole on the GPU.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unfinished {
    /// The bytes that are copied.
    pub copied: usize,
    /// The bytes that they have.
    pub bytes: usize,
}

impl Cache {
    /// An empty cache.
    pub fn new(context: &Context) -> Result<Cache, GlError> {
        let white = Texture::image(context, [1, 1], &[255; 4])?;
        Ok(Cache {
            context: context.clone(),
            frame: 0,
            meshes: Recent::default(),
            hulls: Recent::default(),
            layouts: Recent::default(),
            images: Images::default(),
            bounds: Recent::default(),
            white,
            uploads: Uploads { slice: usize::MAX, left: usize::MAX, open: Unfinished::default() },
            pace: Pace::default(),
        })
    }

    /// Copies meshes in slices of this many bytes per frame from now on, at least 64 KiB, instead of whole.
    pub fn copy_in_slices(&mut self, bytes: usize) {
        self.uploads.slice = bytes.max(64 << 10);
    }

    /// The frame's meshes that aren't whole; `None` if all are.
    pub fn unfinished(&self) -> Option<Unfinished> {
        Some(self.uploads.open).filter(|open| open.bytes > 0)
    }

    /// Begins a frame. Deletes copies that weren't used for a while.
    pub fn begin(&mut self) {
        self.frame += 1;
        (self.uploads.left, self.uploads.open) = (self.uploads.slice, Unfinished::default());
        if self.frame.is_multiple_of(FRAMES_BETWEEN_SWEEPS) {
            self.meshes.sweep();
            self.hulls.sweep();
            self.layouts.sweep();
            self.images.sweep();
            self.bounds.sweep();
        }
    }

    /// Copies a model's visible meshes and their textures to the GPU, unless they are there; of meshes, a slice.
    pub fn prepare(&mut self, model: &Model) -> Result<(), GlError> {
        let layout = self.layout(model);
        for slot in model.meshes.iter().filter(|slot| slot.visibility == Visibility::Shown) {
            let mesh = &slot.mesh;
            self.prepare_mesh(mesh, &layout)?;
            let Some(material) = model.materials.get(mesh.material) else { continue };
            if has_outline(material) {
                let hull = self.hull(mesh);
                self.prepare_mesh(&hull, &layout)?;
            }
        }
        self.images.prepare(&self.context, model)
    }

    /// Copies a mesh, unless its copy is there.
    fn prepare_mesh(&mut self, mesh: &Arc<Mesh>, layout: &PaletteLayout) -> Result<(), GlError> {
        let entries = match mesh.binding {
            Binding::Skin(skin) => layout.skins.get(skin).and_then(|place| place.entries.clone()),
            Binding::Bone(_) => None,
        };
        let key = (mesh.into(), entries.clone().map(ByAddress));
        let earlier = if self.meshes.peek(&key).is_none() { self.take_earlier(mesh, &key.1) } else { None };
        let begin = || earlier.map_or_else(|| GpuMesh::begin(&self.context, mesh, entries.as_deref()), Ok);
        let copy = self.meshes.get_or_try_insert_with(key, begin)?;
        copy.frame = self.frame;
        self.uploads.advance(copy, mesh, entries.as_deref())
    }

    /// The copy of a mesh of an earlier frame with other weights, made that of this one: while weights are painted, each frame has another
    /// mesh.
    fn take_earlier(&mut self, mesh: &Arc<Mesh>, entries: &Option<ByAddress<[u16]>>) -> Option<GpuMesh> {
        let slice = entries.as_ref().map(|entries| &*entries.0);
        let is_earlier = |(before, of): &MeshKey, copy: &GpuMesh| {
            copy.frame < self.frame && of == entries && copy.can_become(&before.0, mesh, slice)
        };
        let ((before, _), mut copy) = self.meshes.take(is_earlier)?;
        copy.reweigh(&before.0, mesh, slice);
        Some(copy)
    }

    /// The hull of a mesh.
    pub fn hull(&mut self, mesh: &Arc<Mesh>) -> Arc<Mesh> {
        self.hulls.get_or_insert_with(mesh.into(), || Arc::new(hull(mesh))).clone()
    }

    /// The entries of the palette of a model.
    pub fn layout(&mut self, model: &Model) -> Arc<PaletteLayout> {
        let key = model.skins.iter().map(ByAddress::from).collect();
        self.layouts.get_or_insert_with(key, || Arc::new(PaletteLayout::of(&model.skins))).clone()
    }

    /// As [`Cache::prepare`], and meshes with the joints of their skins instead of entries of the model's palette.
    pub fn prepare_bound(&mut self, model: &Model) -> Result<(), GlError> {
        self.prepare(model)?;
        let mut shown = model.meshes.iter().filter(|slot| slot.visibility == Visibility::Shown);
        shown.try_for_each(|slot| {
            let mesh = &slot.mesh;
            let begin = || GpuMesh::begin(&self.context, mesh, None);
            let copy = self.meshes.get_or_try_insert_with((mesh.into(), None), begin)?;
            self.uploads.advance(copy, mesh, None)
        })
    }

    /// The copy of a mesh with the joints of its skin.
    pub fn bound_mesh(&self, mesh: &Arc<Mesh>) -> Option<&GpuMesh> {
        self.meshes.peek(&(mesh.into(), None))
    }

    /// The copy of the mesh of a part.
    pub fn mesh(&self, part: &Part<'_>) -> Option<&GpuMesh> {
        self.meshes.peek(&key_of(part))
    }

    /// Draws the triangles of a mesh.
    pub fn draw(&self, mesh: &GpuMesh) {
        mesh.prepare();
        let array = mesh.array();
        let draw = |first, count| array.draw_indexed(Primitive::Triangles, 3 * first..3 * (first + count));
        self.pace.draw(array.index_count() / 3, draw, || self.context.finish());
    }

    /// Draws the triangles of a mesh for several instances: `draw` gets the instances and the triangles of each slice.
    pub fn draw_copies(&self, copies: usize, mesh: &GpuMesh, draw: impl Fn(Range<usize>, Range<usize>)) {
        self.pace.draw_copies(copies, mesh.triangles(), draw, || self.context.finish());
    }

    /// The copy of a prepared image.
    pub fn texture(&mut self, image: &Arc<Image>, what: Use) -> Option<&mut Texture> {
        self.images.get(image, what)
    }

    /// Notices about images and triangles since the last call, one sentence each. Each image is mentioned once.
    pub fn take_notices(&mut self) -> Vec<String> {
        let mut notices = self.images.take_notices();
        notices.extend(self.pace.take_notice());
        notices
    }

    /// A texture of one white texel.
    pub fn white(&self) -> &Texture {
        &self.white
    }

    /// The bounds of a model.
    pub fn bounds(&mut self, model: &Model) -> Arc<ModelBounds> {
        self.bounds.get_or_insert_with(Shape::of(model), || Arc::new(ModelBounds::of(model))).clone()
    }
}

/// A mesh, and the entries of its joints if they are not in order.
type MeshKey = (ByAddress<Mesh>, Option<ByAddress<[u16]>>);

fn key_of(part: &Part<'_>) -> MeshKey {
    ((&part.mesh).into(), part.entries.clone().map(ByAddress))
}

impl Uploads {
    fn advance(&mut self, copy: &mut GpuMesh, mesh: &Mesh, entries: Option<&[u16]>) -> Result<(), GlError> {
        if copy.copied() < copy.bytes() && self.left > 0 {
            let copied = copy.advance(mesh, entries, self.left)?;
            self.left = self.left.saturating_sub(copied.max(1));
        }
        if copy.copied() < copy.bytes() {
            self.open.copied += copy.copied();
            self.open.bytes += copy.bytes();
        }
        Ok(())
    }
}
