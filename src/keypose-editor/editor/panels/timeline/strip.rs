//! The pose strip: keyframes as blocks, with the keys of the active bone below.

use std::ops::Range;
use std::rc::Rc;

use crate::editor::panels::inspector::{ease_name, set_ease};
use crate::editor::panels::timeline::blocks::{Blocks, Drag};
use crate::editor::panels::timeline::duration_field;
use crate::editor::panels::timeline::groups::{self, Item};
use crate::editor::panels::timeline::panel::{ClipLayout, Thumbnail};
use crate::editor::panels::timeline::scale::Scale;
use crate::editor::panels::ui::prelude::*;
use crate::editor::view::cache::Cache;
use keypose::anim::key::Ease;
use keypose::assets::recent::ByAddress;

/// The context menu of a keyframe, above its interpolations.
const MENU: &[&[Command]] = &[
    &[Command::TypeDuration],
    &[Command::InsertKeyframe, Command::SplitKeyframe, Command::MergeKeyframes, Command::HoldKeyframe],
    &[Command::MarkExtreme, Command::MarkBreakdown, Command::ClearMark],
    &[Command::CopyKeys, Command::PasteKeys, Command::PasteKeysMirrored],
    &[Command::KeyPose, Command::DuplicateKeyframe, Command::DeleteKeyframe, Command::DeleteRipple],
];

/// Height of the blocks.
const BLOCK: f32 = 76.0;
/// Height of the blocks in a low panel.
const MIN_BLOCK: f32 = 44.0;
/// Height that a low panel leaves to the lanes below.
const LANES: f32 = 26.0;

/// The inputs of the blocks: the clip, the bits of the points per second, and the keyframe that is being retimed.
pub type ItemsKey = (ByAddress<Clip>, u64, Option<usize>);

#[derive(Debug, Default)]
pub struct PoseStrip {
    pub(super) drag: Option<Drag>,
    /// The scale when a drag or the typing of a duration began, which stays the same while the clip gets longer.
    pub fixed_scale: Option<Scale>,
    /// Whether a duration was typed since the mouse came to the blocks.
    was_typed: bool,
    menu: ContextMenu<()>,
    /// The keyframes under the mouse: one, or those of a group.
    pub hovered: Range<usize>,
    /// The blocks that were drawn last.
    items: Cache<ItemsKey, Rc<[Item]>, 1>,
    /// The times of a group that was opened: the timeline is to show them.
    pub wanted_times: Option<(Time, Time)>,
}

impl PoseStrip {
    /// Cancels the drag of a block. Returns whether there was one.
    pub fn cancel(&mut self) -> bool {
        self.drag.take_if(|drag| matches!(drag, Drag::Reorder(..))).is_some()
    }

    /// Draws the blocks at the top of the area, which gets the rest. Returns them.
    pub fn ui(&mut self, ui: &Ui<'_>, layout: &mut ClipLayout<'_>, thumbnail: Thumbnail<'_>) -> Rc<[Item]> {
        let height = (layout.area.height() - LANES).clamp(MIN_BLOCK, BLOCK);
        let area = layout.area.cut_top(height, 6.0);
        let layout = &*layout;
        ui.text_in(layout.names(area), Align::Left, ui.theme.quiet, "Poses");
        match (ui.editor.typed(), &self.drag) {
            (Some(_), _) => {
                self.fixed_scale.get_or_insert(layout.scale);
                self.was_typed = true;
            }
            (None, Some(Drag::Retime(..))) => {}
            // One duration is typed after another: the next block stays under the mouse.
            (None, _) if self.was_typed && area.contains(ui.io().mouse_pos) => {}
            (None, _) => (self.fixed_scale, self.was_typed) = (None, false),
        }
        self.hovered = 0..0;
        duration_field::confirm_by_mouse(ui);
        let retimed = self.drag.as_ref().and_then(Drag::retimed);
        let points_per_sec = layout.scale.points_per_sec;
        let compute = || groups::items(layout.clip, points_per_sec, retimed).into();
        let items = self.items.get((layout.clip.into(), points_per_sec.to_bits(), retimed), compute);
        if layout.clip.keyframes.is_empty() {
            ui.fill(area, faded(ui.theme.field, 0.4), 5.0);
            let text = "No keyframes. Pose the model, then press I to key it.";
            ui.text_in(area.trim_left(14.0), Align::Left, ui.theme.quiet, text);
        } else {
            Blocks { layout, items: &items, area, thumbnail }.ui(ui, self);
        }
        duration_field::duration_field_ui(ui, layout, area);
        self.keyframe_menu(ui, layout);
        items
    }

    fn keyframe_menu(&mut self, ui: &Ui<'_>, layout: &ClipLayout<'_>) {
        let Some(((), _popup)) = self.menu.begin(ui, "##keyframe-menu") else { return };
        menu::commands(ui, MENU);
        menu::separator(ui);
        for ease in Ease::ALL {
            if menu::item(ui, &format!("Set {} interpolation", ease_name(ease).to_lowercase()), "") {
                let keyframes: Vec<usize> = ui.session.focus.selection.keyframes.iter().copied().collect();
                set_ease(ui, layout.clip, layout.id, ease, &keyframes);
            }
        }
    }

    /// Opens the menu of a block, which is selected if it isn't yet.
    pub(super) fn open_menu(&mut self, ui: &Ui<'_>, keyframes: &Range<usize>) {
        if !keyframes.clone().all(|at| ui.session.focus.selection.keyframes.contains(&at)) {
            select_only(ui, keyframes.clone());
        }
        if ui.view.containing.is_some_and(|at| keyframes.contains(&at)) {
            // Selecting moves the playhead to the keyframe's start, but splitting needs its current position.
            ui.send(PlaybackAction::Seek(ui.session.focus.playhead.time));
        }
        self.menu.open(());
    }
}

/// Selects the keyframes of a clicked block: Ctrl toggles them, Shift selects from the block that was clicked last.
pub(super) fn select(ui: &Ui<'_>, items: &[Item], keyframes: &Range<usize>) {
    let held = ui.held();
    if !held.shift {
        let pick = if held.ctrl { Pick::Toggle } else { Pick::Only };
        return ui.send(SelectAction::KeyframeGroup { keyframes: keyframes.clone(), pick });
    }
    let last = ui.session.focus.selection.last_keyframe;
    let is_last = |item: &&Item| last.is_some_and(|last| item.keyframes.contains(&last));
    let from = items.iter().find(is_last).map_or(keyframes, |item| &item.keyframes);
    ui.send(SelectAction::KeyframeRange(from.start.min(keyframes.start)..from.end.max(keyframes.end)));
}

pub(super) fn select_only(ui: &Ui<'_>, keyframes: Range<usize>) {
    ui.send(SelectAction::KeyframeGroup { keyframes, pick: Pick::Only });
}

pub(super) fn retime(ui: &Ui<'_>, layout: &ClipLayout<'_>, keyframe: usize, duration: Time) {
    if layout.clip.keyframes[keyframe].duration != duration {
        let edit = KeyEdit::SetDurations { clip: layout.id, durations: vec![(keyframe, duration)] }.into();
        ui.send(DocumentAction::Preview(Change::Edits(vec![edit])));
    }
}
