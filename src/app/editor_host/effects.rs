//! Performs the effects that the editor requests.

use std::path::Path;

use crate::app::editor_host::EditorHost;
use crate::app::message::Reading;
use crate::app::recorder::Recorder;
use crate::app::workers::Destination;
use crate::app::{files, workers};
use crate::editor::panels::window::prompts::PathField;
use crate::editor::state::effect::{Effect, PathPurpose};

impl EditorHost {
    pub(super) fn perform(&mut self, effect: Effect) {
        match effect {
            Effect::AskPath(ask) => self.dock.path = Some(PathField::new(ask, self.start_path(ask))),
            Effect::Open(path) => self.read(vec![path], Reading::Open),
            Effect::Import(path) => self.read(vec![path], Reading::Import),
            Effect::ReadImage { path, place } => self.read_image(path, place),
            Effect::Save { document, path, below } => {
                self.jobs.saving += 1;
                let journal = self.recorder.as_ref().map(Recorder::journal).unwrap_or_default();
                let to = Destination { path, below, journal };
                workers::write(to, document, self.characters.clone(), &self.proxy);
            }
            Effect::ExportPicture { path, options } => self.export(path, options),
            Effect::Copy(text) => self.clipboard.copy(&text),
            Effect::CancelJob => self.cancel_job(),
            Effect::OpenDemo => self.read(vec![files::DEMO.into()], Reading::Open),
            Effect::DiscardRecovered => self.discard_recovered(),
            Effect::PlayTest { document, unplayed } => self.play_test = Some((document, unplayed)),
            // The log and the banner read notices from the session.
            Effect::Notice(_) => {}
            Effect::Quit => {
                self.close();
                self.is_done = true;
            }
        }
    }

    /// The initial text of the path field.
    fn start_path(&self, ask: PathPurpose) -> String {
        let held = self.editor.locked.as_ref().map(|held| {
            let stem = held.path.file_stem().unwrap_or_default().to_string_lossy();
            held.path.with_file_name(format!("{stem} copy.wad"))
        });
        let file = self.editor.file.clone().or(held);
        let path = match ask {
            PathPurpose::Image => {
                let name = self
                    .editor
                    .clip()
                    .map(|slot| slot.clip.name.as_str())
                    .or(self.editor.model().map(|model| &*model.name));
                let safe = |letter: char| if letter.is_alphanumeric() || "-_ ".contains(letter) { letter } else { '_' };
                let name: String = name.unwrap_or("image").chars().map(safe).collect();
                let folder = file.and_then(|file| Some(file.parent()?.to_owned()));
                folder.or_else(|| std::env::current_dir().ok()).unwrap_or_default().join(name).with_extension("gif")
            }
            PathPurpose::SaveAs => file.unwrap_or_else(|| {
                let stem = Path::new(&self.editor.title).file_stem().unwrap_or_default().to_owned();
                let folder = std::env::current_dir().unwrap_or_default();
                folder.join(stem).with_extension("wad")
            }),
            PathPurpose::SavePatch => {
                let base = self.editor.patch_base().cloned().unwrap_or_default();
                let stem = base.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                base.with_file_name(format!("{stem}-patch.wad"))
            }
            PathPurpose::Open | PathPurpose::Import | PathPurpose::Texture | PathPurpose::Reference => {
                let folder = file.and_then(|file| Some(file.parent()?.to_owned()));
                let folder = folder.or_else(|| std::env::current_dir().ok()).unwrap_or_default();
                folder.join("")
            }
        };
        // The dialog starts in the folder of the path, even if that has none.
        std::path::absolute(&path).unwrap_or(path).to_string_lossy().into_owned()
    }
}
