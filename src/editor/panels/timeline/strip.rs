//! The pose strip: keyframes as blocks, with the keys of the active bone below.

use crate::anim::clip::Clip;
use crate::anim::key::Ease;
use crate::anim::time::Time;
use crate::assets::id::ClipId;
use crate::editor::document::edit::{KeyEdit, KeyRef};
use crate::editor::panels::inspector::ease_name;
use crate::editor::panels::timeline::blocks::{BlockTouch, Blocks, Drag};
use crate::editor::panels::timeline::duration_field;
use crate::editor::panels::timeline::lanes;
use crate::editor::panels::timeline::panel::{Laid, Thumbnail};
use crate::editor::panels::timeline::scale::Scale;
use crate::editor::panels::ui::Ui;
use crate::editor::panels::ui::frame::Align;
use crate::editor::panels::ui::menu;
use crate::editor::panels::ui::rect::Rect;
use crate::editor::panels::ui::theme::faded;
use crate::editor::posing::change::Change;
use crate::editor::session::command::Command;
use crate::editor::session::selection::Pick;
use crate::editor::state::action::{DocumentAction, PlaybackAction, SelectAction};

/// Height of a lane under the keyframes.
const LANE: f32 = 22.0;

/// The context menu of a keyframe, above its interpolations.
const MENU: &[&[Command]] = &[
    &[Command::TypeDuration],
    &[Command::InsertKeyframe, Command::SplitKeyframe, Command::MergeKeyframes, Command::HoldKeyframe],
    &[Command::Copy, Command::Paste, Command::PasteMirrored],
    &[Command::KeyPose, Command::DuplicateKeyframe, Command::DeleteKeyframe, Command::DeleteRipple],
];

/// The pose strip.
#[derive(Debug, Default)]
pub struct PoseStrip {
    drag: Option<Drag>,
    /// The scale when a drag or the typing of a duration began, which stays the same while the clip gets longer.
    pub held: Option<Scale>,
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
    pub fn ui(&mut self, ui: &Ui<'_>, laid: &Laid<'_>, thumbnail: Thumbnail<'_>) {
        let (clip, id, scale, all) = (laid.clip, laid.id, laid.scale, laid.area);
        let lanes_height = if lanes::has_lanes(ui) { 3.0 * LANE + 6.0 } else { 0.0 };
        let blocks_height = (all.size()[1] - lanes_height - 4.0).clamp(44.0, 120.0);
        let area = all.top(blocks_height);
        let names = area.with_x(laid.left, all.min[0] - 8.0);
        ui.text_in(names, Align::Left, ui.theme.quiet, "Poses");
        let is_typed = ui.editor.typed().is_some();
        let blocks = Blocks {
            is_calm: !is_typed,
            clip,
            area,
            scale,
            is_selected: &|at| ui.session.focus.selection.keyframes.contains(&at),
            thumbnail,
            drafts: &drafts(ui, id),
        };
        match (is_typed, self.drag) {
            (true, _) => drop(self.held.get_or_insert(scale)),
            (false, Some(Drag::Retime(..))) => {}
            (false, _) => self.held = None,
        }
        self.hovered = None;
        duration_field::confirm_by_mouse(ui);
        self.blocks_ui(ui, clip, id, blocks);
        duration_field::duration_field_ui(ui, laid);
        let lanes_area = Rect { min: [laid.left, area.max[1] + 6.0], max: all.max };
        lanes::lanes_ui(ui, clip, &scale, lanes_area, all.min[0] - laid.left, LANE);
        self.keyframe_menu(ui, clip, id);
    }
}

/// The times of a clip's drafts.
pub fn drafts(ui: &Ui<'_>, id: ClipId) -> Vec<Time> {
    let drafts = ui.model().map(|model| model.drafts.iter()).into_iter().flatten();
    drafts.filter(|draft| draft.clip == Some(id)).map(|draft| draft.time).collect()
}

impl PoseStrip {
    fn blocks_ui(&mut self, ui: &Ui<'_>, clip: &Clip, id: ClipId, blocks: Blocks<'_>) {
        if clip.keyframes.is_empty() {
            ui.fill(blocks.area, faded(ui.theme.field, 0.4), 5.0);
            let text = blocks.area.trim_left(14.0);
            return ui.text_in(
                text,
                Align::Left,
                ui.theme.quiet,
                "No keyframes. Pose the model, then press I to key it.",
            );
        }
        for touch in blocks.ui(ui, &mut self.drag) {
            match touch {
                BlockTouch::Hovered(at) => self.hovered = Some(at),
                BlockTouch::Clicked(at, held) if held.shift => ui.send(SelectAction::KeyframesTo(at)),
                BlockTouch::Clicked(at, held) => {
                    let pick = if held.ctrl { Pick::Toggle } else { Pick::Only };
                    ui.send(SelectAction::Keyframe { keyframe: at, pick });
                }
                BlockTouch::Menu(at) => {
                    if !ui.session.focus.selection.keyframes.contains(&at) {
                        ui.send(SelectAction::Keyframe { keyframe: at, pick: Pick::Only });
                    }
                    if ui.view.containing == Some(at) {
                        // Selecting moves the playhead to the keyframe's start, but splitting needs its current
                        // position.
                        ui.send(PlaybackAction::Seek(ui.session.focus.playhead.time));
                    }
                    self.is_menu_wanted = true;
                }
                BlockTouch::RetimeBegun(at) => {
                    self.held = Some(blocks.scale);
                    ui.send(SelectAction::Keyframe { keyframe: at, pick: Pick::Only });
                    ui.send(DocumentAction::Begin { label: "Set duration".into() });
                }
                BlockTouch::Retimed(keyframe, duration) => {
                    if clip.keyframes[keyframe].duration != duration {
                        ui.send(DocumentAction::Preview(Change::Edits(vec![
                            KeyEdit::SetDuration { clip: id, keyframe, duration }.into(),
                        ])));
                    }
                }
                BlockTouch::RetimeEnded => {
                    self.held = None;
                    ui.send(DocumentAction::Commit);
                }
                BlockTouch::Appended => {
                    ui.send(PlaybackAction::Seek(clip.length()));
                    ui.run(Command::KeyPose);
                    ui.send(SelectAction::Keyframe { keyframe: clip.keyframes.len(), pick: Pick::Only });
                }
                BlockTouch::Moved(from, to) => {
                    ui.edit("Reorder keyframes", vec![KeyEdit::MoveKeyframe { clip: id, from, to }.into()]);
                    ui.send(SelectAction::Keyframe { keyframe: to, pick: Pick::Only });
                }
            }
        }
    }

    fn keyframe_menu(&mut self, ui: &Ui<'_>, clip: &Clip, id: ClipId) {
        if std::mem::take(&mut self.is_menu_wanted) {
            ui.open_popup("##keyframe-menu");
        }
        let Some(_popup) = menu::popup(ui, "##keyframe-menu") else { return };
        for group in MENU {
            for &command in *group {
                menu::command(ui, command);
            }
            menu::separator(ui);
        }
        let columns = || ui.session.focus.selection.keyframes.iter().copied().filter(|at| *at < clip.keyframes.len());
        for ease in Ease::ALL {
            if menu::item(ui, &format!("Set {} interpolation", ease_name(ease).to_lowercase()), "") {
                let refs = columns().flat_map(|keyframe| {
                    let keys = clip.keyframes[keyframe].keys.iter();
                    keys.map(move |key| KeyRef { keyframe, bone: key.bone, channel: key.channel })
                });
                ui.edit("Set interpolation", vec![KeyEdit::SetEase { clip: id, keys: refs.collect(), ease }.into()]);
            }
        }
    }
}
