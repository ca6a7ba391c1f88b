//! Import: converts foreign files to assets and reports changes and ignored parts. No GL and no file access: a
//! function of the caller reads the files that a model refers to.
//!
//! No input makes this module panic, and it allocates at most a small multiple of the input's size.

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing,
        clippy::cast_possible_truncation,
        clippy::cast_possible_wrap,
        clippy::cast_sign_loss,
        clippy::arithmetic_side_effects
    )
)]

use std::sync::Arc;

use crate::anim::root_motion::RootMotion;
use crate::assets::fit::fit;
use crate::assets::model::Model;
use crate::assets::root_way::root_travel;
use crate::import::error::{Fault, ImportError};
use crate::import::repeats::Counted;
use crate::import::report::Report;

mod assembly;
mod bvh;
pub mod collada;
mod dds;
pub mod error;
pub mod fbx;
pub mod format;
pub mod gltf;
pub mod obj;
pub mod pixels;
mod psd;
mod repeats;
pub mod report;
pub mod sound;

pub use format::Format;

/// Reads a file that the imported file refers to, by its relative path with forward slashes.
pub type ReadFile<'r> = dyn FnMut(&str) -> Result<Vec<u8>, String> + 'r;

/// An imported model and its report.
#[derive(Clone, Debug)]
pub struct Imported {
    /// Passes [`Model::check`]; its clips have the ids 1, 2, 3, ….
    pub model: Model,
    /// One line per finding: place and sentence.
    pub report: Vec<String>,
}

/// Imports a file of any format. `name` is the file's name, for the model, its source and error messages; `read` reads the
/// files that it refers to.
pub fn import(name: &str, bytes: &[u8], read: &mut ReadFile<'_>) -> Result<Imported, ImportError> {
    let mut report = Report::default();
    let mut counted = Counted::new(read);
    let read: &mut ReadFile<'_> = &mut |path| counted.read(path);
    let format = Format::of(name, bytes);
    let model = match format {
        Some(format) => format.read(name, bytes, read, &mut report),
        None if bytes.is_empty() => Err(Fault::Empty),
        None => Err(Fault::Foreign),
    };
    let checked = model.and_then(|model| match model.check() {
        Ok(()) if model.skeleton.is_empty() => Err(Fault::Nothing),
        Ok(()) => Ok(model),
        Err(error) => Err(Fault::at("the model", error.reason)),
    });
    match checked {
        Ok(mut model) => {
            if format.is_some_and(|format| !format.has_root_motion(bytes)) {
                set_root_motion(&mut model, &mut report);
            }
            Ok(Imported { model, report: report.into_lines() })
        }
        Err(fault) => Err(ImportError { file: name.to_owned(), fault }),
    }
}

/// Turns on root motion for the clips whose root travels: files of others don't say whether it moves the character.
fn set_root_motion(model: &mut Model, report: &mut Report) {
    if model.clips.iter().all(|slot| root_travel(&slot.clip, 0.0).is_none()) {
        return;
    }
    let (height, all, mut count) = (fit(model).height, model.clips.len(), 0_usize);
    for slot in model.clips.iter_mut().filter(|slot| root_travel(&slot.clip, height).is_some()) {
        Arc::make_mut(&mut slot.clip).root_motion = RootMotion::Ground;
        count = count.saturating_add(1);
    }
    if count > 0 {
        report.add("clips", format_args!("root motion is on for {count} of {all}: the root travels along the ground"));
    }
}

/// The file's name without folders and extension.
fn stem(name: &str) -> &str {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    if stem.trim().is_empty() { "model" } else { stem }
}
