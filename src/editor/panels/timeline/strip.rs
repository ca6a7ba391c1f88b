//! The pose strip: keyframes as blocks, with the keys of the active bone below.

use crate::anim::clip::Clip;
use crate::anim::key::Ease;
use crate::anim::time::Time;
use crate::assets::id::ClipId;
use crate::editor::document::edit::KeyEdit;
use crate::editor::panels::inspector::{ease_name, set_ease};
use crate::editor::panels::timeline::blocks::{BlockTouch, Blocks, Drag};
use crate::editor::panels::timeline::duration_field;
use crate::editor::panels::timeline::lanes;
use crate::editor::panels::timeline::panel::{ClipLayout, Thumbnail};
use crate::editor::panels::timeline::scale::Scale;
use crate::editor::panels::ui::Ui;
use crate::editor::panels::ui::frame::Align;
use crate::editor::panels::ui::menu;
use crate::editor::panels::ui::theme::faded;
use crate::editor::posing::change::Change;
use crate::editor::session::command::Command;
use crate::editor::session::selection::Pick;
use crate::editor::state::action::{DocumentAction, PlaybackAction, SelectAction};

/// The context menu of a keyframe, above its interpolations.
const MENU: &[&[Command]] = &[
    &[Command::TypeDuration],
    &[Command::InsertKeyframe, Command::SplitKeyframe, Command::MergeKeyframes, Command::HoldKeyframe],
    &[Command::CopyKeys, Command::PasteKeys, Command::PasteKeysMirrored],
    &[Command::KeyPose, Command::DuplicateKeyframe, Command::DeleteKeyframe, Command::DeleteRipple],
];

/// The pose strip.
#[derive(Debug, Default)]
pub struct PoseStrip {
    drag: Option<Drag>,
    /// The scale when a drag or the typing of a duration began, which stays the same while the clip gets longer.
    pub fixed_scale: Option<Scale>,
    is_menu_wanted: bool,
    /// The keyframe under the mouse.
    pub hovered: Option<usize>,
}

impl PoseStrip {
    /// Cancels the drag of a block. Returns whether there was one.
    pub fn cancel(&mut self) -> bool {
        self.drag.take_if(|drag| matches!(drag, Drag::Reorder(..))).is_some()
    }
}

impl PoseStrip {
    /// Draws blocks and lanes.
    pub fn ui(&mut self, ui: &Ui<'_>, layout: &ClipLayout<'_>, thumbnail: Thumbnail<'_>) {
        let mut rest = layout.area;
        let height = (rest.height() - lanes::HEIGHT - 4.0).clamp(44.0, 120.0);
        let area = rest.cut_top(height, 6.0);
        ui.text_in(layout.names(area), Align::Left, ui.theme.quiet, "Poses");
        let is_typed = ui.editor.typed().is_some();
        match (is_typed, self.drag) {
            (true, _) => drop(self.fixed_scale.get_or_insert(layout.scale)),
            (false, Some(Drag::Retime(..))) => {}
            (false, _) => self.fixed_scale = None,
        }
        self.hovered = None;
        duration_field::confirm_by_mouse(ui);
        let blocks = Blocks {
            has_tips: !is_typed,
            clip: layout.clip,
            area,
            scale: layout.scale,
            is_selected: &|at| ui.session.focus.selection.keyframes.contains(&at),
            thumbnail,
            drafts: &drafts(ui, layout.id),
        };
        self.blocks_ui(ui, layout, &blocks);
        duration_field::duration_field_ui(ui, layout);
        lanes::lanes_ui(ui, layout, rest);
        self.keyframe_menu(ui, layout);
    }

    fn blocks_ui(&mut self, ui: &Ui<'_>, layout: &ClipLayout<'_>, blocks: &Blocks<'_>) {
        if layout.clip.keyframes.is_empty() {
            ui.fill(blocks.area, faded(ui.theme.field, 0.4), 5.0);
            let text = "No keyframes. Pose the model, then press I to key it.";
            return ui.text_in(blocks.area.trim_left(14.0), Align::Left, ui.theme.quiet, text);
        }
        for touch in blocks.ui(ui, &mut self.drag) {
            match touch {
                BlockTouch::Hovered(at) => self.hovered = Some(at),
                BlockTouch::Clicked(at, held) if held.shift => ui.send(SelectAction::KeyframesTo(at)),
                BlockTouch::Clicked(at, held) => select(ui, at, if held.ctrl { Pick::Toggle } else { Pick::Only }),
                BlockTouch::Menu(at) => {
                    select_for_menu(ui, at);
                    self.is_menu_wanted = true;
                }
                BlockTouch::RetimeBegun(at) => {
                    self.fixed_scale = Some(layout.scale);
                    select(ui, at, Pick::Only);
                    ui.send(DocumentAction::Begin { label: "Set duration".into() });
                }
                BlockTouch::Retimed(at, duration) => retime(ui, layout, at, duration),
                BlockTouch::RetimeEnded => {
                    self.fixed_scale = None;
                    ui.send(DocumentAction::Commit);
                }
                BlockTouch::Appended => append(ui, layout.clip),
                BlockTouch::Moved(from, to) => {
                    ui.edit("Reorder keyframes", vec![KeyEdit::MoveKeyframe { clip: layout.id, from, to }.into()]);
                    select(ui, to, Pick::Only);
                }
            }
        }
    }

    fn keyframe_menu(&mut self, ui: &Ui<'_>, layout: &ClipLayout<'_>) {
        if std::mem::take(&mut self.is_menu_wanted) {
            ui.open_popup("##keyframe-menu");
        }
        let Some(_popup) = menu::popup(ui, "##keyframe-menu") else { return };
        for group in MENU {
            group.iter().for_each(|&command| menu::command(ui, command));
            menu::separator(ui);
        }
        for ease in Ease::ALL {
            if menu::item(ui, &format!("Set {} interpolation", ease_name(ease).to_lowercase()), "") {
                let keyframes: Vec<usize> = ui.session.focus.selection.keyframes.iter().copied().collect();
                set_ease(ui, layout.clip, layout.id, ease, &keyframes);
            }
        }
    }
}

/// The times of a clip's drafts.
fn drafts(ui: &Ui<'_>, id: ClipId) -> Vec<Time> {
    let drafts = ui.model().map(|model| model.drafts.iter()).into_iter().flatten();
    drafts.filter(|draft| draft.clip == Some(id)).map(|draft| draft.time).collect()
}

fn select(ui: &Ui<'_>, keyframe: usize, pick: Pick) {
    ui.send(SelectAction::Keyframe { keyframe, pick });
}

fn select_for_menu(ui: &Ui<'_>, at: usize) {
    if !ui.session.focus.selection.keyframes.contains(&at) {
        select(ui, at, Pick::Only);
    }
    if ui.view.containing == Some(at) {
        // Selecting moves the playhead to the keyframe's start, but splitting needs its current position.
        ui.send(PlaybackAction::Seek(ui.session.focus.playhead.time));
    }
}

fn retime(ui: &Ui<'_>, layout: &ClipLayout<'_>, keyframe: usize, duration: Time) {
    if layout.clip.keyframes[keyframe].duration != duration {
        let edit = KeyEdit::SetDuration { clip: layout.id, keyframe, duration }.into();
        ui.send(DocumentAction::Preview(Change::Edits(vec![edit])));
    }
}

fn append(ui: &Ui<'_>, clip: &Clip) {
    ui.send(PlaybackAction::Seek(clip.length()));
    ui.run(Command::KeyPose);
    select(ui, clip.keyframes.len(), Pick::Only);
}
