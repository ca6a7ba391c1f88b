//! The context menu of a clip in the list, and the field for its folder and tags.

use crate::anim::clip::LoopMode;
use crate::assets::clip_notes::{ClipNotes, Derivation, Derived};
use crate::assets::id::ClipId;
use crate::assets::model::{ClipSlot, Model};
use crate::editor::document::edit::Edit;
use crate::editor::panels::model::clips::ClipsLocal;
use crate::editor::panels::ui::actions::Out;
use crate::editor::panels::ui::canvas::Kit;
use crate::editor::panels::ui::menu;
use crate::editor::panels::ui::seen::Seen;
use crate::editor::panels::ui::widgets;
use crate::editor::panels::ui::widgets::{Number, Tone};
use crate::editor::panels::window::layout;
use crate::editor::posing::change::Change;
use crate::editor::session::command::Command;
use crate::editor::session::ghosts::GhostEdit;
use crate::editor::state::action::ViewAction;

/// Folder and tags that are being typed.
#[derive(Debug)]
pub struct Noting {
    clip: ClipId,
    folder: String,
    tags: String,
    is_fresh: bool,
}

impl Noting {
    /// As the clip has them.
    pub fn of(model: &Model, clip: ClipId) -> Noting {
        let ClipNotes { folder, tags, .. } = model.clip_notes.get(&clip).cloned().unwrap_or_default();
        Noting { clip, folder, tags: tags.join(" "), is_fresh: true }
    }
}

/// The clips that are meant with one of the list: those selected with it.
pub fn meant(seen: &Seen<'_>, clip: ClipId) -> Vec<ClipId> {
    let selected = &seen.session.focus.selection.clips;
    if selected.contains(&clip) { selected.iter().copied().collect() } else { vec![clip] }
}

/// What can be done with a clip.
pub fn clip_menu(
    kit: &Kit<'_>,
    seen: &Seen<'_>,
    model: &Model,
    slot: &ClipSlot,
    local: &mut ClipsLocal,
    out: &mut Out,
) {
    if menu::item(kit, "Rename", "F2") {
        local.rename(slot);
    }
    if menu::item(kit, "Folder and tags…", "") {
        local.noting = Some(Noting::of(model, slot.id));
    }
    kit.item("Folder and tags…");
    menu::command(kit, seen, Command::DuplicateClip, out);
    menu::command(kit, seen, Command::DeleteClip, out);
    let is_ghost = seen.session.workspace.ghosts.clip == Some(slot.id);
    if Some(slot.id) != seen.session.focus.clip && menu::choice(kit, "Show as a ghost", is_ghost) {
        out.push(ViewAction::Ghosts(GhostEdit::Clip((!is_ghost).then_some(slot.id))));
    }
    menu::separator(kit);
    for command in [Command::MirroredClip, Command::ReversedClip, Command::RetimedClip, Command::TrimmedClip] {
        menu::command(kit, seen, command, out);
    }
    menu::separator(kit);
    if let Some(derived) = model.derived(slot.id) {
        menu::command(kit, seen, Command::UnlockClip, out);
        return retime(kit, slot.id, derived, out);
    }
    for mode in LoopMode::ALL {
        let is_now = slot.clip.loop_mode == mode;
        if menu::choice(kit, &format!("Play {}", mode.name()), is_now) && !is_now {
            out.edit("Loop mode", vec![Edit::SetLoopMode { clip: slot.id, loop_mode: mode }]);
        }
    }
}

/// How long a retimed clip is, against its source.
fn retime(kit: &Kit<'_>, clip: ClipId, derived: Derived, out: &mut Out) {
    let Derivation::Retimed(percent) = derived.how else { return };
    let mut value = percent as f32;
    let how = Number { range: [1.0, 10_000.0], unit: "% of the duration", ..Number::new("%.0f", 1.0) };
    let touch = widgets::number(kit, "retime-percent", 220.0, &mut value, how);
    out.gesture(touch, "retime clip", || {
        let how = Derivation::Retimed(value.round().clamp(1.0, 10_000.0) as u32);
        Change::Edits(vec![Edit::SetDerived { clip, how }])
    });
}

/// The fields of folder and tags, while they are open.
pub fn noting(kit: &Kit<'_>, seen: &Seen<'_>, local: &mut ClipsLocal, out: &mut Out) {
    let Some(noting) = &mut local.noting else { return };
    if noting.is_fresh {
        kit.open_popup("##clip-notes");
    }
    let _padding = menu::padding(kit);
    let Some(_popup) = kit.begin_popup("##clip-notes") else {
        local.noting = None;
        return;
    };
    kit.text_colored(kit.theme.quiet, "Folder");
    if std::mem::take(&mut noting.is_fresh) {
        layout::focus_next(kit);
    }
    kit.set_next_item_width(220.0);
    let mut is_done = kit.input_text("##folder", &mut noting.folder).enter_returns_true(true).build();
    kit.item("clip-folder");
    kit.text_colored(kit.theme.quiet, "Tags, words between spaces");
    kit.set_next_item_width(220.0);
    is_done |= kit.input_text("##tags", &mut noting.tags).enter_returns_true(true).build();
    kit.item("clip-tags");
    is_done |= widgets::button(kit, "Done##clip-notes-done", [80.0, widgets::FIELD], Tone::On);
    if is_done {
        let tags = ClipNotes::tags_of(&noting.tags);
        let edits = meant(seen, noting.clip).into_iter().flat_map(|clip| {
            let folder = Edit::SetFolder { clip, folder: noting.folder.clone() };
            [folder, Edit::SetTags { clip, tags: tags.clone() }]
        });
        out.edit("folder and tags", edits.collect());
        local.noting = None;
        kit.close_current_popup();
    }
}
