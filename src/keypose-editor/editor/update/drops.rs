//! Files that were dropped on the window: one is opened, several are added in one undo step, and one notice reports all.

use crate::editor::session::Question;
use crate::editor::session::dropped::{DroppedFiles, Refused, refused_text};
use crate::editor::session::notice::{Notice, NoticeKind};
use crate::editor::session::sounds::SoundAction;
use crate::editor::state::Editor;
use crate::editor::state::action::{DropAnswer, FileAction, MaterialAction};
use crate::editor::state::effect::{Adding, Effect, ImagePlace, ImagePurpose};
use crate::editor::update::notices::notice;
use crate::editor::update::{ask_if_free, files, materials, sounds};

/// Handles dropped files: opens a single file, adds several, and asks first if some of them are archives.
pub fn dropped(editor: &mut Editor, mut dropped: DroppedFiles) {
    let sounds = std::mem::take(&mut dropped.sounds);
    if !sounds.is_empty() {
        sounds::act(editor, SoundAction::Add(sounds));
        if dropped == DroppedFiles::default() {
            return;
        }
    }
    let DroppedFiles { archives, models, images, refused, has_folder, .. } = &dropped;
    let is_single = dropped.count() == 1 && refused.is_empty() && !has_folder;
    match (archives.as_slice(), models.as_slice(), images.as_slice()) {
        // Whether it is a model or only clips for the open one is known when it is read.
        ([], [_], []) if is_single && has_bones(editor) => {
            let DroppedFiles { models: files, refused, .. } = dropped;
            editor.effects.push(Effect::Import { files, refused, adding: Adding::ClipsOrOpen });
        }
        ([file], [], []) | ([], [file], []) if is_single => {
            files::act(editor, FileAction::Open(Some(file.clone())));
        }
        ([], [], [image]) if is_single => materials::act(editor, MaterialAction::DropImage(image.clone())),
        ([], ..) => add_all(editor, dropped),
        _ => ask_if_free(editor, Question::DroppedFiles(dropped)),
    }
}

fn has_bones(editor: &Editor) -> bool {
    editor.model().is_some_and(|model| !model.skeleton.is_empty())
}

/// Handles the answer to the question what happens with dropped archives.
pub fn answer(editor: &mut Editor, answer: DropAnswer) {
    let Some(Question::DroppedFiles(mut dropped)) = editor.session.transient.question.take() else { return };
    match answer {
        DropAnswer::Nothing => {}
        DropAnswer::Open(archive) => files::act(editor, FileAction::Open(Some(archive))),
        DropAnswer::Add => {
            dropped.models.append(&mut dropped.archives);
            add_all(editor, dropped);
        }
    }
}

/// Reads models to add them, and images to replace textures of the same name.
fn add_all(editor: &mut Editor, dropped: DroppedFiles) {
    let DroppedFiles { models, images, mut refused, .. } = dropped;
    let mut replaced = 0;
    for image in images {
        match texture_place(editor, &image) {
            Some(place) => {
                replaced += 1;
                editor.effects.push(Effect::ReadImage { path: image, place });
            }
            None => {
                let name = image.file_name().unwrap_or_default().to_string_lossy().into_owned();
                let reason = "no material or texture has this name; drop it alone to choose its use".into();
                refused.push(Refused { name, reason });
            }
        }
    }
    if !models.is_empty() {
        return editor.effects.push(Effect::Import { files: models, refused, adding: Adding::Models });
    }
    let mut text = match replaced {
        0 => String::new(),
        1 => "1 texture is replaced. ".to_owned(),
        count => format!("{count} textures are replaced. "),
    };
    text.push_str(&refused_text(&refused));
    report(editor, text.trim_end(), &refused);
}

/// The material of the active model that an image is for, by name: of the material, or of its texture.
fn texture_place(editor: &Editor, image: &std::path::Path) -> Option<ImagePlace> {
    let (model, stem) = (editor.model()?, image.file_stem()?.to_str()?);
    let texture_of =
        |texture: Option<usize>| texture.and_then(|at| model.textures.get(at)).map(|texture| &*texture.name);
    let is_named = |name: &str| name.eq_ignore_ascii_case(stem);
    let material = model
        .materials
        .iter()
        .find(|material| is_named(&material.name) || texture_of(material.texture).is_some_and(is_named))?;
    let purpose = ImagePurpose::Texture(material.name.clone());
    Some(ImagePlace { opened: editor.opened, model: model.name.clone(), purpose })
}

/// Shows one notice. The log has a line for each refused file if the notice doesn't name all.
pub fn report(editor: &mut Editor, text: &str, refused: &[Refused]) {
    if text.is_empty() {
        return;
    }
    if !refused_text(refused).is_empty() && refused_text(refused).ends_with("the log lists") {
        let line = |file: &Refused| Notice::new(NoticeKind::Warning, &format!("{}: {}", file.name, file.reason), None);
        editor.session.workspace.log.extend(refused.iter().map(line));
    }
    let kind = if refused.is_empty() { NoticeKind::Info } else { NoticeKind::Warning };
    notice(editor, kind, text);
}
