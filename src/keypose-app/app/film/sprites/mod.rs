//! Draws the frames of a sprite sheet without a window: samples of each pose on the GPU, pixels of them on other threads.

use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;

use glam::Vec3;

use keypose::anim::bake::BakedClip;
use keypose::anim::clip::Clip;
use keypose::anim::pose::ModelPose;
use keypose::anim::skin::method::Method;
use keypose::anim::time::Time;
use keypose::assets::model::{ClipSlot, Model};
use keypose::assets::sprite_recipe::{Layer, Rgb, SpriteColors, SpriteRecipe};
use keypose_editor::editor::view::interpolated;
use keypose_editor::render::frame::bounds::{Aabb, ModelBounds};
use keypose_editor::render::frame::framed_model::{self, CameraAngle, FramedModel};
use keypose_editor::render::frame::sprite_view::{Canvas, Direction, SpriteView};
use keypose_tools::export::bitmap::Bitmap;
use keypose_tools::sprites::cleanup::remove_spots;
use keypose_tools::sprites::ink::Ink;
use keypose_tools::sprites::look::outlined;
use keypose_tools::sprites::made::{Shared, Sprites};
use keypose_tools::sprites::marks::Marks;
use keypose_tools::sprites::palette::{Palette, Usage};
use keypose_tools::sprites::sheet::{COLORS, Placed, Sheet, SheetFrame};
use keypose_tools::sprites::times::{self, FrameTime};

use crate::app::files::progress::Progress;
use crate::app::film::headless::{Checks, Driver, Headless, Interface};
use crate::app::film::held_at;
use crate::app::film::sprites::draft::Draft;
use crate::app::film::sprites::painter::{Batch, Painter, Shot};
use crate::app::film::sprites::room::Room;

mod draft;
mod job;
pub mod live;
mod marks;
pub mod output;
mod painter;
mod room;

/// Maximum width and height of a frame in pixels.
const MAX_CANVAS: u32 = 1536;
/// The maximum number of frames of a sheet.
const MAX_FRAMES: usize = 20_000;
/// A pose whose points are less than this many pixels from those of another one looks the same.
const STABLE: f32 = 0.5;
/// Pixels by which poses differ that only rounding keeps apart; and values by which shapes do.
const SAME: f32 = 1e-3;
/// The maximum number of threads that make pixels; each has an image of the driver.
const MAX_THREADS: usize = 8;
/// The maximum memory of the images that become frames at the same time.
const MAX_IMAGES_BYTES: u64 = 256 << 20;
/// Pixels around the model for the outline.
const BORDER: f32 = 2.0;

/// A job: poses of a model, and the look of their frames.
#[derive(Clone, Debug)]
pub struct SpriteJob {
    pub model: Arc<Model>,
    /// The models of its archive, some of which are attached to its sockets.
    pub models: Vec<Arc<Model>>,
    /// Clips with their baked forms.
    pub clips: Vec<(ClipSlot, Arc<BakedClip>)>,
    /// Poses, look, colours and layers of the frames.
    pub recipe: SpriteRecipe,
    pub directions: Vec<Direction>,
    /// Pixels per unit of the model.
    pub scale: f32,
}

/// The maximum distance of a model from its origin in pixels.
const MAX_DISTANCE: f32 = 1e6;

/// A clip's frames, the same from every direction.
struct Strip<'a> {
    slot: &'a ClipSlot,
    frames: Vec<FrameTime>,
    poses: Vec<Arc<ModelPose>>,
    /// The names of the models on the sockets.
    held: Vec<Vec<String>>,
    /// Points around the posed model and what it holds.
    points: Vec<Vec<Vec3>>,
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
    let view = |direction: &Direction| SpriteView::new(*direction, job.recipe.elevation_degrees(), job.scale, origin);
    let views: Vec<SpriteView> = job.directions.iter().map(view).collect();
    let canvas = canvas(job, &strips, &views)?;
    let (shots, order) = shots(job, &strips, &views, &canvas);
    let (drafts, usage) = drafts(job, &shots, (&framed.props, &framed.parts), progress)?;
    let palette = match &job.recipe.colors {
        SpriteColors::All => Palette::new(usage.colors()),
        SpriteColors::Count(count) => Palette::of(&usage, *count),
        SpriteColors::Of(colors) => Palette::new(colors.iter().copied()),
    };
    let used = (job.recipe.colors != SpriteColors::All).then_some(&palette);
    let difference = used.map_or(0.0, |palette| usage.mean_difference(palette));
    let colors = used.map_or(usage.len(), |palette| palette.colors().len());
    let layers = [COLORS].into_iter().chain(job.recipe.layers.iter().map(|layer| layer.name()));
    let pivot = canvas.pivot.map(i32::unsigned_abs);
    let mut sheet = Sheet::new(layers.map(str::to_owned).collect(), canvas.size, pivot, job.scale);
    let place =
        |((at, images), shot): (Finished, &Shot)| sheet.place(images, [0, 1].map(|axis| shot.at[axis] + at[axis]));
    let placed: Vec<Placed> = all_finished(drafts, job, used)?.into_iter().zip(&shots).map(place).collect();
    add_frames(&mut sheet, job, (&strips, &views), order.iter().map(|shot| placed[*shot]));
    let shared = Shared { ground: framed.ground, depth: canvas.depth, palette: used.cloned() };
    Ok(Sprites { sheet, palette, shared, colors, difference })
}

fn strips(job: &SpriteJob) -> Result<Vec<Strip<'_>>, String> {
    let parts = ModelBounds::of(&job.model);
    let held: Vec<(&Arc<Model>, ModelBounds)> =
        job.models.iter().map(|model| (model, ModelBounds::of(model))).collect();
    let mut total = 0;
    let strip = |(slot, baked): &'_ (ClipSlot, Arc<BakedClip>)| {
        let frames = times::frames(&slot.clip, job.recipe.take);
        total += frames.len() * job.directions.len();
        if total > MAX_FRAMES {
            return Err(format!("more than {MAX_FRAMES} frames; choose fewer clips, directions or frames per second"));
        }
        let at: Vec<Time> = frames.iter().map(|frame| frame.at).collect();
        let poses = poses(&job.model, (&slot.clip, baked), &at);
        let names: Vec<Vec<String>> =
            at.iter().map(|time| held_at(&job.model, &job.models, &slot.clip, *time)).collect();
        let posed = poses.iter().zip(&names);
        let points: Vec<Vec<Vec3>> =
            posed.map(|(pose, names)| painter::points(&job.model, &parts, &held, (pose, names))).collect();
        // Of what is no number, too.
        let is_near = |point: &Vec3| point.abs().max_element() * job.scale < MAX_DISTANCE;
        if let Some(at) = points.iter().position(|points| !points.iter().all(is_near)) {
            return Err(format!("clip {}, frame {}: the model is too far away", slot.clip.name, at + 1));
        }
        Ok((frames, poses, names, points))
    };
    let made: Vec<_> = job.clips.iter().map(strip).collect::<Result<_, String>>()?;
    let named = job.clips.iter().map(|(slot, _)| slot).zip(made);
    let made = |(slot, (frames, poses, held, points))| Strip { slot, frames, poses, held, points };
    Ok(named.map(made).collect())
}

/// The poses of a clip at these times as the game shows them.
fn poses(model: &Model, (clip, baked): (&Clip, &BakedClip), times: &[Time]) -> Vec<Arc<ModelPose>> {
    let mut poses = framed_model::poses_in_place(model, baked, times);
    for (pose, time) in poses.iter_mut().zip(times).filter(|_| model.skinning == Method::Interpolated) {
        if let Some(mixed) = interpolated::mixed(clip, &model.skeleton, *time, pose) {
            *pose = Arc::new(mixed);
        }
    }
    poses
}

/// Whether two poses look the same: all points of a view move by less than a distance in pixels, and no shape changes.
fn is_same(a: (&Strip<'_>, usize), b: (&Strip<'_>, usize), view: &SpriteView, limit: f32) -> bool {
    let [before, after] = [a, b].map(|(strip, at)| &strip.points[at]);
    let [old, new] = [a, b].map(|(strip, at)| &strip.poses[at].scalars);
    let is_near = |(a, b): (&Vec3, &Vec3)| (view.place(*a) - view.place(*b)).truncate().length() < limit;
    let is_held = a.0.held[a.1] == b.0.held[b.1];
    is_held && before.iter().zip(after).all(is_near) && old.iter().zip(new).all(|(a, b)| (a - b).abs() < SAME)
}

/// Whole pixels around points and their shadow, with room for the outline.
fn around(job: &SpriteJob, view: &SpriteView, points: &[Vec3], bounds: &mut Aabb) {
    let shadow = job.recipe.layers.contains(&Layer::Shadow).then(|| view.shadow_from_world() * view.world_from_model());
    for point in points {
        let shadow = shadow.map(|shadow| view.place_in_world(shadow.transform_point3(*point)));
        for place in [Some(view.place(*point)), shadow].into_iter().flatten() {
            bounds.add((place - BORDER).floor());
            bounds.add((place + BORDER).ceil());
        }
    }
}

/// The part of the views that all frames need.
fn canvas(job: &SpriteJob, strips: &[Strip<'_>], views: &[SpriteView]) -> Result<Canvas, String> {
    let mut bounds = Aabb::of([Vec3::splat(-BORDER), Vec3::splat(BORDER)]);
    for (view, strip) in views.iter().flat_map(|view| strips.iter().map(move |strip| (view, strip))) {
        strip.points.iter().for_each(|points| around(job, view, points, &mut bounds));
    }
    let size = (bounds.max - bounds.min).truncate();
    if size.max_element() > MAX_CANVAS as f32 {
        return Err(format!(
            "the frames would be {} × {} pixels; the maximum is {MAX_CANVAS} × {MAX_CANVAS}; make the sprites smaller",
            size.x, size.y
        ));
    }
    let pivot = [-bounds.min.x, -bounds.min.y].map(|side| side as i32);
    Ok(Canvas { size: [size.x as u32, size.y as u32], pivot, depth: [bounds.max.z, bounds.min.z] })
}

/// The shots that are drawn, and the index of that of each frame. A pose that looks like one that is drawn from the same view has its
/// shot, if possible that of the frame before.
fn shots(job: &SpriteJob, strips: &[Strip<'_>], views: &[SpriteView], canvas: &Canvas) -> (Vec<Shot>, Vec<usize>) {
    let limit = if job.recipe.is_stable { STABLE } else { SAME };
    let (mut shots, mut order) = (Vec::new(), Vec::new());
    // The frames that are drawn, by view, with their shots.
    let mut drawn = vec![Vec::new(); views.len()];
    for (strip, at) in strips.iter().flat_map(|strip| (0..views.len()).map(move |at| (strip, at))) {
        let (view, drawn) = (&views[at], &mut drawn[at]);
        let mut last = None;
        for at in 0..strip.frames.len() {
            let known = last.iter().chain(drawn.iter().rev());
            let same = known.copied().find(|&(other, number, _)| is_same((other, number), (strip, at), view, limit));
            let this = same.unwrap_or_else(|| {
                shots.push(shot(job, (strip, at), view, canvas));
                drawn.push((strip, at, shots.len() - 1));
                (strip, at, shots.len() - 1)
            });
            last = Some(this);
            order.push(this.2);
        }
    }
    (shots, order)
}

/// The part of the canvas around a pose.
fn shot(job: &SpriteJob, (strip, at): (&Strip<'_>, usize), view: &SpriteView, canvas: &Canvas) -> Shot {
    let posed = (&strip.poses[at], &*strip.held[at], &*strip.points[at]);
    let shot = shot_alone(job, posed, view, Some(canvas.depth));
    let corner = [0, 1].map(|axis| (canvas.pivot[axis] - shot.canvas.pivot[axis]).unsigned_abs());
    Shot { at: corner, ..shot }
}

/// A pose with the points around it. Without a depth, that of the pose.
fn shot_alone(
    job: &SpriteJob,
    (pose, held, points): (&Arc<ModelPose>, &[String], &[Vec3]),
    view: &SpriteView,
    depth: Option<[f32; 2]>,
) -> Shot {
    let mut bounds = Aabb::EMPTY;
    around(job, view, points, &mut bounds);
    let size = (bounds.max - bounds.min).truncate();
    let pivot = [-bounds.min.x, -bounds.min.y].map(|side| side as i32);
    let depth = depth.unwrap_or([bounds.max.z, bounds.min.z]);
    let canvas = Canvas { size: [size.x as u32, size.y as u32], pivot, depth };
    Shot { pose: pose.clone(), held: held.into(), view: *view, canvas, at: [0; 2] }
}

/// Draws shots: the driver on this thread, pixels on others.
fn drafts(
    job: &SpriteJob,
    shots: &[Shot],
    cast: (&[Arc<Model>], &Arc<ModelBounds>),
    progress: &Progress,
) -> Result<(Vec<Draft>, Usage), String> {
    let headless = Headless::open_as(Interface::Gl33, Driver::Any, Checks::Off)?;
    let largest = [0, 1].map(|axis| shots.iter().map(|shot| shot.canvas.size[axis]).max().unwrap_or(1));
    let mut painter = Painter::new(&headless.context, job, cast, largest)?;
    // Each worker has an image, and one is drawn meanwhile.
    let workers = (MAX_IMAGES_BYTES / painter.image_bytes().max(1)).clamp(1, threads() as u64);
    let (send, receive) = mpsc::sync_channel::<(usize, Batch)>(0);
    let receive = Mutex::new(receive);
    let room = Room::new(&job.recipe);
    let next = || receive.lock().unwrap_or_else(PoisonError::into_inner).recv();
    let work = || {
        let (mut drafts, mut usage) = (Vec::new(), Usage::default());
        while let Ok((first, batch)) = next() {
            for at in 0..batch.len() {
                let draft = Draft::of(&batch, at, &shots[first + at], job);
                draft
                    .iter()
                    .flat_map(|draft| [Some(&draft.ink), draft.body.as_ref()])
                    .flatten()
                    .for_each(|ink| usage.add(&counted(ink, &job.recipe)));
                draft.iter().for_each(|draft| room.take(&draft.ink, draft.bytes()));
                drafts.push((first + at, draft));
            }
        }
        (drafts, usage)
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        let mut sent = 0;
        while sent < shots.len() {
            progress.reach(sent as f32 / shots.len() as f32)?;
            room.check(sent, shots.len())?;
            let batch = painter.paint(&shots[sent..])?;
            let count = batch.len();
            send.send((sent, batch)).map_err(|error| error.to_string())?;
            sent += count;
        }
        drop(send);
        let (mut drafts, mut usage) = (Vec::new(), Usage::default());
        for worker in workers {
            let (some, counts) = worker.join().unwrap_or_else(|panic| resume_unwind(panic));
            drafts.extend(some);
            usage.merge(&counts);
        }
        drafts.sort_unstable_by_key(|(at, _)| *at);
        let drafts: Result<Vec<Draft>, String> = drafts.into_iter().map(|(_, draft)| draft).collect();
        Ok((drafts?, usage))
    })
}

/// The pixels of a frame whose colours count: without a palette, as they are written.
fn counted(ink: &Ink, recipe: &SpriteRecipe) -> Ink {
    let mut ink = ink.clone();
    if recipe.colors == SpriteColors::All {
        remove_spots(&mut ink);
    }
    outlined(&ink, recipe)
}

fn threads() -> usize {
    thread::available_parallelism().map_or(1, |count| count.get().min(MAX_THREADS))
}

/// The images of a frame, and their corner in the canvas of its shot.
type Finished = ([u32; 2], Vec<Bitmap>);

/// The images of frames, made on several threads.
fn all_finished(drafts: Vec<Draft>, job: &SpriteJob, palette: Option<&Palette>) -> Result<Vec<Finished>, String> {
    let (count, mut drafts) = (drafts.len().div_ceil(threads()), drafts.into_iter());
    let finish = move |drafts: Vec<Draft>| {
        let mut known = BTreeMap::new();
        let finished = |draft: Draft| Ok((draft.at, finished(draft, job, palette, &mut known)?));
        drafts.into_iter().map(finished).collect::<Result<Vec<_>, String>>()
    };
    thread::scope(|scope| {
        let parts = (0..threads()).map(|_| drafts.by_ref().take(count).collect::<Vec<_>>());
        let workers: Vec<_> = parts.map(|part| scope.spawn(move || finish(part))).collect();
        let finished = workers.into_iter().map(|worker| worker.join().unwrap_or_else(|panic| resume_unwind(panic)));
        Ok(finished.collect::<Result<Vec<_>, String>>()?.into_iter().flatten().collect())
    })
}

/// The images of a frame, in the colours of the palette.
fn finished(
    draft: Draft,
    job: &SpriteJob,
    palette: Option<&Palette>,
    known: &mut BTreeMap<Rgb, Rgb>,
) -> Result<Vec<Bitmap>, String> {
    let mut colored = |mut ink: Ink| {
        palette.into_iter().for_each(|palette| palette.apply(&mut ink, known));
        remove_spots(&mut ink);
        let mut ink = outlined(&ink, &job.recipe);
        palette.into_iter().for_each(|palette| palette.apply(&mut ink, known));
        ink
    };
    let (mut layers, mut first) = (draft.layers, colored(draft.ink));
    if let Some(body) = draft.body.map(colored) {
        let held = first.pixels.iter().zip(&body.pixels).map(|(all, body)| all.filter(|_| all != body));
        let held = Ink { pixels: held.collect(), ..body }.to_bitmap().ok_or("a layer is empty")?;
        let at = job.recipe.layers.iter().position(|layer| *layer == Layer::Attachments);
        if let Some(layer) = at.and_then(|at| layers.get_mut(at)) {
            *layer = held;
        }
        first = body;
    }
    layers.insert(0, first.to_bitmap().ok_or("a frame is empty")?);
    Ok(layers)
}

/// Adds the frames of all clips and directions, with their tags.
fn add_frames(
    sheet: &mut Sheet,
    job: &SpriteJob,
    (strips, views): (&[Strip<'_>], &[SpriteView]),
    mut placed: impl Iterator<Item = Placed>,
) {
    for strip in strips {
        for (view, direction) in views.iter().zip(&job.directions) {
            let clip = &strip.slot.clip;
            let name = if views.len() == 1 { clip.name.clone() } else { format!("{}-{}", clip.name, direction.name) };
            let digits = strip.frames.len().saturating_sub(1).to_string().len();
            let millis = times::millis(&strip.frames);
            for (at, pose) in strip.poses.iter().enumerate() {
                let marks: Marks = marks::of(&job.model, strip.slot, (&strip.frames, at), (pose, view, sheet.pivot));
                let (name, placed) = (format!("{name}-{at:0digits$}"), placed.next().unwrap_or_default());
                sheet.frames.push(SheetFrame { name, placed, millis: millis[at], marks, is_by_hand: false });
            }
            let held = strip.frames.last().map_or(0.0, |last| (clip.length() - last.at).millis().round());
            sheet.tag(name, clip.loop_mode, held as u32);
        }
    }
}
