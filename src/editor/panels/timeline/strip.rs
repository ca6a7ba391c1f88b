//! The keyframes as a strip of blocks, with the keys of the selected bone under it.

use crate::anim::clip::Clip;
use crate::anim::key::Ease;
use crate::anim::time::Time;
use crate::assets::id::ClipId;
use crate::editor::document::edit::{Edit, KeyRef};
use crate::editor::panels::inspector::ease_name;
use crate::editor::panels::timeline::blocks::{BlockTouch, Blocks, Drag};
use crate::editor::panels::timeline::duration_field;
use crate::editor::panels::timeline::lanes;
use crate::editor::panels::timeline::panel::{Laid, Thumbnail};
use crate::editor::panels::timeline::scale::Scale;
use crate::editor::panels::ui::actions::Out;
use crate::editor::panels::ui::canvas::{Align, Kit, Rect};
use crate::editor::panels::ui::menu;
use crate::editor::panels::ui::seen::Seen;
use crate::editor::panels::ui::theme::faded;
use crate::editor::posing::change::Change;
use crate::editor::session::command::Command;
use crate::editor::session::selection::Pick;
use crate::editor::state::action::{DocumentAction, PlaybackAction, SelectAction};

/// Height of a lane under the keyframes.
const LANE: f32 = 22.0;

/// The context menu of a keyframe; how its keys ease stands below.
const MENU: &[&[Command]] = &[
    &[Command::TypeDuration],
    &[Command::AppendKeyframe, Command::InsertKeyframe, Command::MergeKeyframes, Command::HoldKeyframe],
    &[Command::Copy, Command::Paste, Command::PasteMirrored],
    &[Command::KeyPose, Command::DuplicateKeyframe, Command::DeleteKeyframe, Command::DeleteRipple],
];

/// What the strip keeps for itself.
#[derive(Debug, Default)]
pub struct StripLocal {
    drag: Option<Drag>,
    /// The scale of the moment in which an edge was taken or a duration begun: it holds still while the clip gets longer.
    pub held: Option<Scale>,
    is_menu_wanted: bool,
    /// The keyframe under the mouse.
    pub hovered: Option<usize>,
}

impl StripLocal {
    /// A block that is dragged stays where it was.
    pub fn let_go(&mut self) -> bool {
        self.drag.take_if(|drag| matches!(drag, Drag::Reorder(..))).is_some()
    }
}

/// Draws blocks and lanes.
pub fn strip_ui(
    kit: &Kit<'_>,
    seen: &Seen<'_>,
    laid: &Laid<'_>,
    local: &mut StripLocal,
    thumbnail: Thumbnail<'_>,
    out: &mut Out,
) {
    let (clip, id, scale, all) = (laid.clip, laid.id, laid.scale, laid.area);
    let lanes_height = if lanes::has_lanes(seen) { 3.0 * LANE + 6.0 } else { 0.0 };
    let blocks_height = (all.size()[1] - lanes_height - 4.0).clamp(44.0, 120.0);
    let area = Rect { min: all.min, max: [all.max[0], all.min[1] + blocks_height] };
    let names = Rect { min: [laid.left, area.min[1]], max: [all.min[0] - 8.0, area.max[1]] };
    kit.text_in(names, Align::Left, kit.theme.quiet, "Poses");
    let is_typed = seen.editor.typed().is_some();
    let blocks = Blocks {
        is_calm: !is_typed,
        clip,
        area,
        scale,
        is_selected: &|at| seen.session.focus.selection.keyframes.contains(&at),
        thumbnail,
        drafts: &drafts(seen, id),
    };
    match (is_typed, local.drag) {
        (true, _) => drop(local.held.get_or_insert(scale)),
        (false, Some(Drag::Retime(..))) => {}
        (false, _) => local.held = None,
    }
    local.hovered = None;
    duration_field::confirm_by_mouse(kit, seen, out);
    blocks_ui(kit, seen, clip, id, blocks, local, out);
    duration_field::duration_field_ui(kit, seen, laid);
    let lanes_area = Rect { min: [laid.left, area.max[1] + 6.0], max: all.max };
    lanes::lanes_ui(kit, seen, clip, &scale, lanes_area, all.min[0] - laid.left, LANE, out);
    keyframe_menu(kit, seen, clip, id, local, out);
}

/// Where the drafts of a clip stand.
pub fn drafts(seen: &Seen<'_>, id: ClipId) -> Vec<Time> {
    let drafts = seen.model().map(|model| model.drafts.iter()).into_iter().flatten();
    drafts.filter(|draft| draft.clip == Some(id)).map(|draft| draft.time).collect()
}

fn blocks_ui(
    kit: &Kit<'_>,
    seen: &Seen<'_>,
    clip: &Clip,
    id: ClipId,
    blocks: Blocks<'_>,
    local: &mut StripLocal,
    out: &mut Out,
) {
    if clip.keyframes.is_empty() {
        kit.fill(blocks.area, faded(kit.theme.field, 0.4), 5.0);
        let text = Rect { min: [blocks.area.min[0] + 14.0, blocks.area.min[1]], max: blocks.area.max };
        return kit.text_in(text, Align::Left, kit.theme.quiet, "No keyframes yet. Pose the model, then I keys it.");
    }
    for touch in blocks.ui(kit, &mut local.drag) {
        match touch {
            BlockTouch::Hovered(at) => local.hovered = Some(at),
            BlockTouch::Clicked(at, held) if held.shift => out.push(SelectAction::KeyframesTo(at)),
            BlockTouch::Clicked(at, held) => {
                let pick = if held.ctrl { Pick::Toggle } else { Pick::Only };
                out.push(SelectAction::Keyframe { keyframe: at, pick });
            }
            BlockTouch::Menu(at) => {
                if !seen.session.focus.selection.keyframes.contains(&at) {
                    out.push(SelectAction::Keyframe { keyframe: at, pick: Pick::Only });
                }
                if seen.view.containing == Some(at) {
                    // Selecting goes to its start; splitting needs the playhead where it is.
                    out.push(PlaybackAction::Seek(seen.session.focus.playhead.time));
                }
                local.is_menu_wanted = true;
            }
            BlockTouch::RetimeBegun(at) => {
                local.held = Some(blocks.scale);
                out.push(SelectAction::Keyframe { keyframe: at, pick: Pick::Only });
                out.push(DocumentAction::Begin { label: "Retime keyframe".into() });
            }
            BlockTouch::Retimed(keyframe, duration) => {
                if clip.keyframes[keyframe].duration != duration {
                    out.push(DocumentAction::Preview(Change::Edits(vec![Edit::SetDuration {
                        clip: id,
                        keyframe,
                        duration,
                    }])));
                }
            }
            BlockTouch::RetimeEnded => {
                local.held = None;
                out.push(DocumentAction::Commit);
            }
            BlockTouch::Appended => {
                out.push(PlaybackAction::Seek(clip.length()));
                out.run(Command::KeyPose);
                out.push(SelectAction::Keyframe { keyframe: clip.keyframes.len(), pick: Pick::Only });
            }
            BlockTouch::Moved(from, to) => {
                out.edit("Move keyframe", vec![Edit::MoveKeyframe { clip: id, from, to }]);
                out.push(SelectAction::Keyframe { keyframe: to, pick: Pick::Only });
            }
        }
    }
}

fn keyframe_menu(kit: &Kit<'_>, seen: &Seen<'_>, clip: &Clip, id: ClipId, local: &mut StripLocal, out: &mut Out) {
    if std::mem::take(&mut local.is_menu_wanted) {
        kit.open_popup("##keyframe-menu");
    }
    let _padding = menu::padding(kit);
    let Some(_popup) = kit.begin_popup("##keyframe-menu") else { return };
    for group in MENU {
        for &command in *group {
            menu::command(kit, seen, command, out);
        }
        menu::separator(kit);
    }
    let columns = || seen.session.focus.selection.keyframes.iter().copied().filter(|at| *at < clip.keyframes.len());
    for ease in Ease::ALL {
        if menu::item(kit, &format!("Ease {}", ease_name(ease).to_lowercase()), "") {
            let refs = columns().flat_map(|keyframe| {
                let keys = clip.keyframes[keyframe].keys.iter();
                keys.map(move |key| KeyRef { keyframe, bone: key.bone, channel: key.channel })
            });
            out.edit("Ease", vec![Edit::SetEase { clip: id, keys: refs.collect(), ease }]);
        }
    }
}
