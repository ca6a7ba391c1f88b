//! The context menu of a clip, and the fields for its folder and tags.

use crate::editor::document::edit::Edit;
use crate::editor::panels::model::clips::ClipsPanel;
use crate::editor::panels::ui::form::quantity;
use crate::editor::panels::ui::prelude::*;
use keypose::anim::clip::LoopMode;
use keypose::assets::clip_notes::{ClipNotes, Derivation, Derived};
use keypose::assets::model::ClipSlot;

/// The folder and tags being typed.
#[derive(Debug)]
pub struct Noting {
    clip: ClipId,
    folder: String,
    tags: String,
    /// Both as they were.
    before: [String; 2],
    is_fresh: bool,
}

impl Noting {
    /// Starts with the clip's folder and tags.
    pub fn of(model: &Model, clip: ClipId) -> Noting {
        let ClipNotes { folder, tags, .. } = model.clip_notes.get(&clip).cloned().unwrap_or_default();
        let tags = tags.join(" ");
        Noting { clip, before: [folder.clone(), tags.clone()], folder, tags, is_fresh: true }
    }
}

/// The clips that a command on a listed clip applies to: the selection if it contains the clip, or else the clip
/// alone.
pub fn meant(ui: &Ui<'_>, clip: ClipId) -> Vec<ClipId> {
    let selected = &ui.session.focus.selection.clips;
    if selected.contains(&clip) { selected.iter().copied().collect() } else { vec![clip] }
}

/// Draws the entries of the menu.
pub fn clip_menu(ui: &Ui<'_>, model: &Model, slot: &ClipSlot, local: &mut ClipsPanel) {
    if menu::item(ui, "Rename", "F2") {
        local.rename(ui, slot);
    }
    if menu::entry(ui, "Folder and tags…") {
        local.noting = Some(Noting::of(model, slot.id));
    }
    menu::command(ui, Command::ReduceToPoses);
    menu::command(ui, Command::DuplicateClip);
    menu::command(ui, Command::DeleteClip);
    menu::command(ui, Command::GhostOtherClip);
    menu::separator(ui);
    let derived =
        [Command::MirroredClip, Command::ReversedClip, Command::RetimedClip, Command::TrimmedClip, Command::AddLayer];
    for command in derived.into_iter().chain([Command::RetargetedClip]) {
        menu::command(ui, command);
    }
    menu::separator(ui);
    if let Some(derived) = model.derived(slot.id) {
        menu::command(ui, Command::UnlockClip);
        return retime(ui, slot.id, derived);
    }
    for mode in LoopMode::ALL {
        let is_now = slot.clip.loop_mode == mode;
        if menu::choice(ui, &format!("Play {}", mode.name()), is_now) && !is_now {
            ui.edit("Set loop mode", vec![ClipEdit::SetLoopMode { clip: slot.id, loop_mode: mode }.into()]);
        }
    }
}

/// Draws the duration of a retimed clip, in percent of its source.
fn retime(ui: &Ui<'_>, clip: ClipId, derived: Derived) {
    let Derivation::Retimed(percent) = derived.how else { return };
    let mut value = percent as f32;
    let how = Number::percent().per(1.0).within(1.0, 10_000.0).unit("% of the duration");
    let touch = quantity(ui, ui.here([220.0, FIELD]), "retime-percent", &mut value, how);
    ui.gesture(touch, "Retime clip", || {
        let how = Derivation::Retimed(value.round().clamp(1.0, 10_000.0) as u32);
        Change::Edits(vec![ClipEdit::SetDerived { clip, how }.into()])
    });
}

/// Draws the fields of folder and tags while they are open.
pub fn noting(ui: &Ui<'_>, local: &mut ClipsPanel) {
    let Some(noting) = &mut local.noting else { return };
    if std::mem::take(&mut noting.is_fresh) {
        ui.open_popup("##clip-notes");
    }
    let Some(_popup) = menu::popup(ui, "##clip-notes") else {
        local.noting = None;
        return;
    };
    let form = Form::of_width(ui, "clip-", 300.0);
    if ui.is_window_appearing() {
        widgets::focus_next(ui);
    }
    let is_done = form.text_field("Folder", "folder", "", &mut noting.folder)
        | form.text_field("Tags", "tags", "separated by spaces", &mut noting.tags)
        | form.buttons(&[Button { tone: Tone::On, ..Button::new("Done", "notes-done", "") }]).is_some();
    if is_done {
        let tags = ClipNotes::tags_of(&noting.tags);
        let [old_folder, old_tags] = &noting.before;
        let mut edits: Vec<Edit> = Vec::new();
        // The other clips may have other folders and tags than the fields show.
        for clip in meant(ui, noting.clip) {
            if noting.folder != *old_folder {
                edits.push(ClipEdit::SetFolder { clip, folder: noting.folder.clone() }.into());
            }
            if noting.tags != *old_tags {
                edits.push(ClipEdit::SetTags { clip, tags: tags.clone() }.into());
            }
        }
        ui.edit("Set folder and tags", edits);
        local.noting = None;
        ui.close_current_popup();
    }
}
