//! The game runtime of Keypose for C: opens archives, lists models and clips, and samples poses to matrices. Meshes and textures
//! are left out: a game in C has its own, exported as GLB.
//!
//! Functions accept any index and null pointers: they return 0, null or false for what doesn't exist. Several threads may use an
//! archive at once until it is closed.

use std::cell::RefCell;
use std::ffi::{CStr, c_char};
use std::sync::Arc;

use runtime::anim::bake::BakedClip;
use runtime::anim::clip::LoopMode;
use runtime::anim::playback::clip_time;
use runtime::anim::pose::{LocalPose, ModelPose};
use runtime::anim::time::Time;
use runtime::assets::character::Character;
use runtime::wad;

/// An open archive.
pub struct KeyposeArchive {
    characters: Vec<Arc<Character>>,
}

/// The index that functions return if something doesn't exist. The header defines it as `SIZE_MAX`.
pub const KEYPOSE_NONE: usize = usize::MAX;

/// The number of floats of a matrix.
pub const KEYPOSE_MATRIX: usize = 16;

/// Opens an archive from its bytes, which may be freed afterwards. Returns null if it is no archive or damaged; the reason is
/// written to `error` then, ending with 0, as far as `error_size` bytes hold it.
///
/// # Safety
/// `bytes` must have `length` bytes. `error` must have `error_size` bytes, or be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn keypose_open(
    bytes: *const u8,
    length: usize,
    error: *mut c_char,
    error_size: usize,
) -> *mut KeyposeArchive {
    let bytes = if bytes.is_null() { &[] } else { unsafe { std::slice::from_raw_parts(bytes, length) } };
    match wad::decode(bytes) {
        Ok(decoded) => Box::into_raw(Box::new(KeyposeArchive { characters: decoded.characters })),
        Err(reason) => {
            unsafe { put(&reason.to_string(), error, error_size) };
            std::ptr::null_mut()
        }
    }
}

/// Closes an archive. Null is allowed.
///
/// # Safety
/// `archive` must be from `keypose_open`, and must not be used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn keypose_close(archive: *mut KeyposeArchive) {
    if !archive.is_null() {
        drop(unsafe { Box::from_raw(archive) });
    }
}

/// The number of models.
///
/// # Safety
/// `archive` must be open, or null. So it must be in all functions below.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn keypose_model_count(archive: *const KeyposeArchive) -> usize {
    unsafe { archive.as_ref() }.map_or(0, |archive| archive.characters.len())
}

/// The number of bones of a model.
///
/// # Safety
/// See `keypose_model_count`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn keypose_bone_count(archive: *const KeyposeArchive, model: usize) -> usize {
    unsafe { character(archive, model) }.map_or(0, |character| character.model.skeleton.len())
}

/// The number of clips of a model.
///
/// # Safety
/// See `keypose_model_count`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn keypose_clip_count(archive: *const KeyposeArchive, model: usize) -> usize {
    unsafe { character(archive, model) }.map_or(0, |character| character.clips.len())
}

/// Writes the name of a model, ending with 0, as far as `size` bytes hold it. Returns the bytes that the whole name and its 0 need.
///
/// # Safety
/// See `keypose_model_count`. `name` must have `size` bytes, or be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn keypose_model_name(
    archive: *const KeyposeArchive,
    model: usize,
    name: *mut c_char,
    size: usize,
) -> usize {
    let found = unsafe { character(archive, model) };
    found.map_or(0, |character| unsafe { put(&character.model.name, name, size) })
}

/// As `keypose_model_name`, of a bone.
///
/// # Safety
/// See `keypose_model_name`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn keypose_bone_name(
    archive: *const KeyposeArchive,
    model: usize,
    bone: usize,
    name: *mut c_char,
    size: usize,
) -> usize {
    let found = unsafe { character(archive, model) }.and_then(|character| character.model.skeleton.bones().get(bone));
    found.map_or(0, |bone| unsafe { put(&bone.name, name, size) })
}

/// The parent of a bone: a lower index, or `KEYPOSE_NONE` for a root.
///
/// # Safety
/// See `keypose_model_count`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn keypose_bone_parent(archive: *const KeyposeArchive, model: usize, bone: usize) -> usize {
    let found = unsafe { character(archive, model) }.and_then(|character| character.model.skeleton.bones().get(bone));
    found.and_then(|bone| bone.parent).map_or(KEYPOSE_NONE, usize::from)
}

/// As `keypose_model_name`, of a clip.
///
/// # Safety
/// See `keypose_model_name`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn keypose_clip_name(
    archive: *const KeyposeArchive,
    model: usize,
    clip: usize,
    name: *mut c_char,
    size: usize,
) -> usize {
    unsafe { baked(archive, model, clip) }.map_or(0, |(_, clip)| unsafe { put(&clip.name, name, size) })
}

/// The clip of a name, or `KEYPOSE_NONE`.
///
/// # Safety
/// See `keypose_model_count`. `name` must end with 0, or be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn keypose_find_clip(archive: *const KeyposeArchive, model: usize, name: *const c_char) -> usize {
    let (Some(character), false) = (unsafe { character(archive, model) }, name.is_null()) else { return KEYPOSE_NONE };
    let name = unsafe { CStr::from_ptr(name) }.to_bytes();
    character.clips.iter().position(|clip| clip.name.as_bytes() == name).unwrap_or(KEYPOSE_NONE)
}

/// The length of a clip in seconds.
///
/// # Safety
/// See `keypose_model_count`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn keypose_clip_length(archive: *const KeyposeArchive, model: usize, clip: usize) -> f64 {
    unsafe { baked(archive, model, clip) }.map_or(0.0, |(_, clip)| clip.length.secs())
}

/// Whether a clip has no end: it loops, or plays forwards and backwards.
///
/// # Safety
/// See `keypose_model_count`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn keypose_clip_loops(archive: *const KeyposeArchive, model: usize, clip: usize) -> bool {
    unsafe { baked(archive, model, clip) }.is_some_and(|(_, clip)| clip.loop_mode != LoopMode::Once)
}

/// Samples a clip `seconds` after it started, in its loop mode. Writes a matrix for each bone, model from bone: `KEYPOSE_MATRIX`
/// floats, column by column. Returns false if there is no such clip or `count` is less than the number of bones; then nothing is
/// written.
///
/// # Safety
/// See `keypose_model_count`. `matrices` must have `count` × `KEYPOSE_MATRIX` floats, or be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn keypose_sample(
    archive: *const KeyposeArchive,
    model: usize,
    clip: usize,
    seconds: f64,
    matrices: *mut f32,
    count: usize,
) -> bool {
    let Some((character, clip)) = (unsafe { baked(archive, model, clip) }) else { return false };
    let skeleton = &character.model.skeleton;
    if matrices.is_null() || count < skeleton.len() {
        return false;
    }
    let out = unsafe { std::slice::from_raw_parts_mut(matrices, skeleton.len() * KEYPOSE_MATRIX) };
    BUFFERS.with_borrow_mut(|(local, pose)| {
        clip.sample(clip_time(Time::from_secs(seconds), clip.length, clip.loop_mode), local);
        pose.compute(skeleton, local);
        for (matrix, bone) in out.chunks_exact_mut(KEYPOSE_MATRIX).zip(&pose.bones) {
            matrix.copy_from_slice(&bone.to_mat4().to_cols_array());
        }
    });
    true
}

/// The number of scalars of a model: weights of morph targets, properties such as `glow`, and visibilities of meshes.
///
/// # Safety
/// See `keypose_model_count`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn keypose_scalar_count(archive: *const KeyposeArchive, model: usize) -> usize {
    unsafe { character(archive, model) }.map_or(0, |character| character.model.skeleton.scalars().len())
}

/// As `keypose_model_name`, of a scalar.
///
/// # Safety
/// See `keypose_model_name`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn keypose_scalar_name(
    archive: *const KeyposeArchive,
    model: usize,
    scalar: usize,
    name: *mut c_char,
    size: usize,
) -> usize {
    let found = unsafe { character(archive, model) };
    let found = found.and_then(|character| character.model.skeleton.scalars().get(scalar));
    found.map_or(0, |scalar| unsafe { put(&scalar.name, name, size) })
}

/// Samples the scalars of a clip `seconds` after it started, in its loop mode: one float for each. Returns false if there is no such
/// clip or `count` is less than the number of scalars; then nothing is written.
///
/// # Safety
/// See `keypose_model_count`. `values` must have `count` floats, or be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn keypose_sample_scalars(
    archive: *const KeyposeArchive,
    model: usize,
    clip: usize,
    seconds: f64,
    values: *mut f32,
    count: usize,
) -> bool {
    let Some((character, clip)) = (unsafe { baked(archive, model, clip) }) else { return false };
    let scalars = character.model.skeleton.scalars().len();
    if values.is_null() || count < scalars {
        return false;
    }
    let out = unsafe { std::slice::from_raw_parts_mut(values, scalars) };
    BUFFERS.with_borrow_mut(|(local, _)| {
        let time = clip_time(Time::from_secs(seconds), clip.length, clip.loop_mode);
        clip.scalars().sample(time, local.scalars_mut());
        out.iter_mut().zip(local.scalars()).for_each(|(out, value)| *out = *value);
    });
    true
}

thread_local! {
    /// Reused, so that sampling allocates nothing.
    static BUFFERS: RefCell<(LocalPose, ModelPose)> = RefCell::default();
}

unsafe fn character<'a>(archive: *const KeyposeArchive, model: usize) -> Option<&'a Character> {
    unsafe { archive.as_ref() }?.characters.get(model).map(|character| &**character)
}

unsafe fn baked<'a>(
    archive: *const KeyposeArchive,
    model: usize,
    clip: usize,
) -> Option<(&'a Character, &'a BakedClip)> {
    let character = unsafe { character(archive, model) }?;
    Some((character, character.clips.get(clip)?))
}

/// Writes text that ends with 0, cut between letters if it is too long. Returns the bytes that all of it needs.
unsafe fn put(text: &str, out: *mut c_char, size: usize) -> usize {
    if !out.is_null() && size > 0 {
        let end = (0..=text.len().min(size - 1)).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
        unsafe {
            std::ptr::copy_nonoverlapping(text.as_ptr().cast(), out, end);
            *out.add(end) = 0;
        }
    }
    text.len() + 1
}
