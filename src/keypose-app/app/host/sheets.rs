//! The sprite sheet of the active model, made in another thread for the sprites mode and the palette of the pixel view, and again when
//! what it shows has changed.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use keypose::anim::bake::BakedClip;
use keypose::assets::mesh_reach::bake_clip;
use keypose::assets::model::{ClipSlot, Model};
use keypose::assets::sprite_recipe::SpriteRecipe;
use keypose_editor::editor::document::edit::ModelEdit;
use keypose_editor::editor::panels::sprites::SpriteInputs;
use keypose_editor::editor::session::notice::NoticeKind;
use keypose_editor::editor::state::action::{Action, ProgramAction};
use keypose_editor::editor::view::sprite_sheet::SheetView;
use keypose_editor::render::frame::framed_model::looks_like;
use keypose_tools::sprites::made::{Shared, Sprites};

use crate::app::files::exports::ExportReport;
use crate::app::files::progress::Progress;
use crate::app::film::sprites::output::{self, Output};
use crate::app::film::sprites::{self, SpriteJob};
use crate::app::host::EditorHost;
use crate::app::host::workers;

/// The sheet, and the one that is being made.
#[derive(Debug, Default)]
pub struct Sheets {
    made: Option<(SheetSource, Result<Arc<SheetView>, String>)>,
    running: Option<(SheetSource, Progress)>,
}

/// The models of a document, and which of them a sheet shows by its recipe.
#[derive(Clone, Debug)]
pub struct SheetSource {
    pub models: Vec<Arc<Model>>,
    /// The index of the model.
    pub model: usize,
}

/// A sheet to make.
pub struct SheetJob {
    pub source: SheetSource,
    /// Clips with their baked forms; `None` for those that must be baked.
    pub clips: Vec<(ClipSlot, Option<Arc<BakedClip>>)>,
    /// The frames, if they are known.
    pub drawn: Option<Arc<Sprites>>,
    pub progress: Progress,
}

impl SheetSource {
    fn active(&self) -> Option<&Arc<Model>> {
        self.models.get(self.model)
    }

    fn is_same(&self, other: &SheetSource) -> bool {
        let all = self.models.iter().zip(&other.models);
        self.model == other.model
            && self.models.len() == other.models.len()
            && all.into_iter().all(|(a, b)| Arc::ptr_eq(a, b))
    }

    /// Whether the frames of both are the same.
    fn draws_like(&self, other: &SheetSource) -> bool {
        let others = self.models.iter().zip(&other.models).enumerate();
        let Some((a, b)) = self.active().zip(other.active()) else { return false };
        let clips = |model: &Model| model.clips.iter().map(|slot| Arc::as_ptr(&slot.clip)).collect::<Vec<_>>();
        self.is_alike(other)
            && self.models.len() == other.models.len()
            && others.into_iter().all(|(at, (a, b))| at == self.model || Arc::ptr_eq(a, b))
            && Arc::ptr_eq(&a.combat, &b.combat)
            && clips(a) == clips(b)
    }

    /// Whether the colours of both are chosen from the same surfaces: the poses may differ.
    fn is_alike(&self, other: &SheetSource) -> bool {
        let both = self.active().zip(other.active());
        both.is_some_and(|(a, b)| a.name == b.name && a.sprites.draws_like(&b.sprites) && looks_like(a, b))
    }
}

impl SheetJob {
    /// Makes the sheet. The error is one sentence.
    pub fn run(&self) -> Result<SheetView, String> {
        let model = self.source.active().ok_or("there is no model")?;
        let recipe = &*model.sprites;
        let name = Path::new(&recipe.output).file_name().map(|name| name.to_string_lossy().into_owned());
        let name = name.unwrap_or_else(|| model.name.clone());
        let output = Output::of_name(&name, recipe);
        if let Some(drawn) = &self.drawn {
            return Ok(output.view(drawn.clone()));
        }
        let clip = |(slot, baked): &(ClipSlot, Option<Arc<BakedClip>>)| {
            let baked = baked.clone().unwrap_or_else(|| Arc::new(bake_clip(model, &slot.clip)));
            self.progress.reach(0.0).map(|()| (slot.clone(), baked))
        };
        let clips = self.clips.iter().map(clip).collect::<Result<_, String>>()?;
        let job = SpriteJob::new(model, &self.source.models, clips, recipe)?;
        Ok(output.view(Arc::new(sprites::make(&job, &self.progress)?)))
    }
}

impl Sheets {
    /// The sheet for the panels.
    pub fn inputs(&self) -> SpriteInputs<'_> {
        let made = self.made.as_ref().map(|(_, made)| made);
        SpriteInputs {
            sheet: made.and_then(|made| made.as_ref().ok()).map(|sheet| &**sheet),
            error: made.and_then(|made| made.as_ref().err()).map(String::as_str),
            progress: self.progress(),
            atlas: None,
        }
    }

    /// The finished part of the sheet that is being made.
    pub fn progress(&self) -> Option<f32> {
        self.running.as_ref().map(|(_, progress)| progress.fraction().unwrap_or(0.0))
    }

    /// Cancels the sheet that is being made. Returns false if there is none.
    pub fn cancel(&mut self) -> bool {
        let Some((source, progress)) = &self.running else { return false };
        progress.cancel();
        self.made =
            Some((source.clone(), Err("Cancelled. The sheet is rendered again when a setting changes.".into())));
        true
    }
}

impl EditorHost {
    /// Whether the sprites mode is open.
    pub fn shows_sprites(&self) -> bool {
        self.editor.session.transient.scene.sprites().is_some()
    }

    /// The sheet that the sprites mode shows.
    pub fn sheet(&self) -> Option<&Arc<SheetView>> {
        self.sheets.made.as_ref()?.1.as_ref().ok()
    }

    /// Returns the palette and measures that a frame alone takes from the sheet; `None` until there is one with the same recipe and surfaces.
    pub fn shared_of_sheet(&self) -> Option<&Shared> {
        let (source, sheet) = self.sheets.made.as_ref()?;
        let is_alike = source.is_alike(&self.sheet_source());
        sheet.as_ref().ok().filter(|_| is_alike).map(|sheet| &sheet.sprites.shared)
    }

    fn sheet_source(&self) -> SheetSource {
        SheetSource { models: self.editor.document.models.to_vec(), model: self.editor.session.focus.model }
    }

    /// Makes the sheet if it is shown and has changed. One that is being made from something else is cancelled.
    pub(super) fn make_sheet(&mut self) {
        let is_shown = self.shows_sprites();
        let is_wanted = is_shown || self.shows_pixels();
        if !is_wanted || self.editor.model().is_none() {
            let running = self.sheets.running.as_ref();
            return running.into_iter().for_each(|(_, progress)| progress.cancel());
        }
        if self.editor.gesture.is_some() {
            return;
        }
        let source = self.sheet_source();
        let is_current = |known: &SheetSource| if is_shown { known.is_same(&source) } else { known.is_alike(&source) };
        if let Some((running, progress)) = &self.sheets.running {
            // Its message starts the next one.
            if !is_current(running) {
                progress.cancel();
            }
        } else if !self.sheets.made.as_ref().is_some_and(|(made, _)| is_current(made)) {
            self.begin_sheet(source);
        }
    }

    fn begin_sheet(&mut self, source: SheetSource) {
        let Some(model) = source.active() else { return };
        let known = self.characters.iter().find(|known| Arc::ptr_eq(&known.model.skeleton, &model.skeleton));
        let baked = |slot: &ClipSlot| {
            let slots = known.into_iter().flat_map(|known| known.model.clips.iter().zip(&known.clips));
            slots.into_iter().find(|(other, _)| Arc::ptr_eq(&other.clip, &slot.clip)).map(|(_, baked)| baked.clone())
        };
        let recipe = &model.sprites;
        let chosen = |slot: &&ClipSlot| recipe.clips.is_empty() || recipe.clips.contains(&slot.clip.name);
        let clips: Vec<_> = model.clips.iter().filter(chosen).map(|slot| (slot.clone(), baked(slot))).collect();
        if clips.is_empty() {
            let reason = "None of the recipe's clips is left. Choose clips at the right.".to_owned();
            self.sheets.made = Some((source, Err(reason)));
            return;
        }
        let drawn = self.sheets.made.as_ref().filter(|(made, _)| made.draws_like(&source));
        let drawn = drawn.and_then(|(_, sheet)| sheet.as_ref().ok()).map(|sheet| sheet.sprites.clone());
        let progress = Progress::default();
        self.sheets.running = Some((source.clone(), progress.clone()));
        workers::make_sheet(SheetJob { source, clips, drawn, progress }, &self.proxy);
    }

    /// Takes a sheet that was made.
    pub(super) fn sheet_made(&mut self, source: SheetSource, progress: &Progress, made: Result<SheetView, String>) {
        self.sheets.running = None;
        self.is_viewport_stale = true;
        if !progress.is_cancelled() {
            self.sheets.made = Some((source, made.map(Arc::new)));
        }
    }

    /// Writes the files of the sheet that is shown. A path that was chosen becomes that of the recipe.
    pub(super) fn export_sprites(&mut self, path: PathBuf) {
        let (Some(sheet), Some(model)) = (self.sheet().cloned(), self.editor.model().cloned()) else {
            let text = "There is no sprite sheet to export yet.".to_owned();
            return self.update(ProgramAction::Notice(NoticeKind::Info, text));
        };
        let path = if path.extension().is_some_and(|end| end.eq_ignore_ascii_case("png")) {
            path.with_extension("")
        } else {
            path
        };
        let mut recipe = SpriteRecipe::clone(&model.sprites);
        let file = self.editor.file.clone();
        let stored = file.and_then(|file| output::relative(&path, &file).ok());
        if stored.is_some_and(|stored| stored != recipe.output && recipe.set("output", &stored).is_ok()) {
            let (model, sprites) = (self.editor.session.focus.model, Arc::new(recipe.clone()));
            self.update(Action::edit("Set sprite recipe", ModelEdit::SetSprites { model, sprites }));
        }
        self.begin_export(path, move |path, progress| {
            let output = Output::new(path, &recipe, false)?;
            let by_hand = output.by_hand()?;
            progress.reach(1.0)?;
            output.write(&sheet.sprites, &by_hand)?;
            let findings = output.kept(&by_hand);
            Ok(ExportReport { summary: format!("{} files", sheet.files), findings })
        });
    }
}
