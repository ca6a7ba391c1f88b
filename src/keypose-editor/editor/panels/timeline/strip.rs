//! The pose strip: keyframes as blocks, with the keys of the active bone below.

use std::ops::Range;

use crate::editor::document::edit::KeyEdit;
use crate::editor::panels::inspector::{ease_name, set_ease};
use crate::editor::panels::timeline::blocks::{BlockTouch, Blocks, Drag};
use crate::editor::panels::timeline::duration_field;
use crate::editor::panels::timeline::groups::{self, Item};
use crate::editor::panels::timeline::lanes;
use crate::editor::panels::timeline::panel::{ClipLayout, Thumbnail};
use crate::editor::panels::timeline::scale::Scale;
use crate::editor::panels::ui::prelude::*;
use crate::editor::session::selection::Pick;
use crate::editor::session::shortcuts::Modifiers;
use crate::editor::state::action::{DocumentAction, PlaybackAction, SelectAction};
use keypose::anim::clip::Clip;
use keypose::anim::key::Ease;
use keypose::anim::time::Time;
use keypose::assets::id::ClipId;

/// The context menu of a keyframe, above its interpolations.
const MENU: &[&[Command]] = &[
    &[Command::TypeDuration],
    &[Command::InsertKeyframe, Command::SplitKeyframe, Command::MergeKeyframes, Command::HoldKeyframe],
    &[Command::CopyKeys, Command::PasteKeys, Command::PasteKeysMirrored],
    &[Command::KeyPose, Command::DuplicateKeyframe, Command::DeleteKeyframe, Command::DeleteRipple],
];

#[derive(Debug, Default)]
pub struct PoseStrip {
    drag: Option<Drag>,
    /// The scale when a drag or the typing of a duration began, which stays the same while the clip gets longer.
    pub fixed_scale: Option<Scale>,
    is_menu_wanted: bool,
    /// The keyframes under the mouse: one, or those of a group.
    pub hovered: Range<usize>,
    /// The times of a group that was opened: the timeline is to show them.
    pub wanted_times: Option<(Time, Time)>,
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
        let height = (rest.height() - lanes::height(layout.clip) - 4.0).clamp(44.0, 120.0);
        let area = rest.cut_top(height, 6.0);
        ui.text_in(layout.names(area), Align::Left, ui.theme.quiet, "Poses");
        let is_typed = ui.editor.typed().is_some();
        match (is_typed, &self.drag) {
            (true, _) => drop(self.fixed_scale.get_or_insert(layout.scale)),
            (false, Some(Drag::Retime(..))) => {}
            (false, _) => self.fixed_scale = None,
        }
        self.hovered = 0..0;
        duration_field::confirm_by_mouse(ui);
        let retimed = self.drag.as_ref().and_then(Drag::retimed);
        let items = groups::items(layout.clip, layout.scale.points_per_sec, retimed);
        let blocks = Blocks {
            items: &items,
            current: ui.view.containing,
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
        lanes::lanes_ui(ui, layout, &items, rest);
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
                BlockTouch::Hovered(keyframes) => self.hovered = keyframes,
                BlockTouch::Clicked(keyframes, held) => select(ui, blocks.items, keyframes, held),
                BlockTouch::Opened(from, to) => self.wanted_times = Some((from, to)),
                BlockTouch::Menu(keyframes) => {
                    select_for_menu(ui, keyframes);
                    self.is_menu_wanted = true;
                }
                BlockTouch::RetimeBegun(at) => {
                    self.fixed_scale = Some(layout.scale);
                    select_only(ui, at..at + 1);
                    ui.send(DocumentAction::Begin { label: "Set duration".into() });
                }
                BlockTouch::Retimed(at, duration) => retime(ui, layout, at, duration),
                BlockTouch::RetimeEnded => {
                    self.fixed_scale = None;
                    ui.send(DocumentAction::Commit);
                }
                BlockTouch::Appended => append(ui, layout.clip),
                BlockTouch::Moved(keyframes, before) => reorder(ui, layout.id, keyframes, before),
            }
        }
    }

    fn keyframe_menu(&mut self, ui: &Ui<'_>, layout: &ClipLayout<'_>) {
        if std::mem::take(&mut self.is_menu_wanted) {
            ui.open_popup("##keyframe-menu");
        }
        let Some(_popup) = menu::popup(ui, "##keyframe-menu") else { return };
        menu::commands(ui, MENU);
        menu::separator(ui);
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

/// Selects the keyframes of a clicked block: Ctrl toggles them, Shift selects from the block that was clicked last.
fn select(ui: &Ui<'_>, items: &[Item], keyframes: Range<usize>, held: Modifiers) {
    if !held.shift {
        return pick(ui, keyframes, if held.ctrl { Pick::Toggle } else { Pick::Only });
    }
    let last = ui.session.focus.selection.last_keyframe;
    let is_last = |item: &&Item| last.is_some_and(|last| item.keyframes.contains(&last));
    let from = items.iter().find(is_last).map_or(keyframes.clone(), |item| item.keyframes.clone());
    ui.send(SelectAction::KeyframeRange(from.start.min(keyframes.start)..from.end.max(keyframes.end)));
}

fn select_only(ui: &Ui<'_>, keyframes: Range<usize>) {
    pick(ui, keyframes, Pick::Only);
}

fn pick(ui: &Ui<'_>, keyframes: Range<usize>, pick: Pick) {
    match keyframes.len() {
        1 => ui.send(SelectAction::Keyframe { keyframe: keyframes.start, pick }),
        _ => ui.send(SelectAction::KeyframeGroup { keyframes, pick }),
    }
}

fn select_for_menu(ui: &Ui<'_>, keyframes: Range<usize>) {
    if !keyframes.clone().all(|at| ui.session.focus.selection.keyframes.contains(&at)) {
        select_only(ui, keyframes.clone());
    }
    if ui.view.containing.is_some_and(|at| keyframes.contains(&at)) {
        // Selecting moves the playhead to the keyframe's start, but splitting needs its current position.
        ui.send(PlaybackAction::Seek(ui.session.focus.playhead.time));
    }
}

/// Moves keyframes together before another one, and selects them.
fn reorder(ui: &Ui<'_>, clip: ClipId, keyframes: Range<usize>, before: usize) {
    let count = keyframes.len();
    let is_later = before >= keyframes.end;
    let to = if is_later { before - count } else { before };
    let step = |at: usize| {
        if is_later {
            KeyEdit::MoveKeyframe { clip, from: keyframes.start, to: before - 1 }
        } else {
            KeyEdit::MoveKeyframe { clip, from: keyframes.start + at, to: before + at }
        }
    };
    ui.edit("Reorder keyframes", (0..count).map(|at| step(at).into()).collect());
    select_only(ui, to..to + count);
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
    select_only(ui, clip.keyframes.len()..clip.keyframes.len() + 1);
}
