//! The panel across the bottom: transport, ruler, keyframes, the keys of the selected bone, and the playhead that runs
//! through all of it.

use imgui::TextureId;

use crate::anim::clip::Clip;
use crate::anim::key::Ease;
use crate::anim::time::Time;
use crate::assets::id::ClipId;
use crate::editor::action::{Action, Change, Pick};
use crate::editor::commands::Command;
use crate::editor::document::edit::{Edit, KeyRef};
use crate::editor::panels::inspector::ease_name;
use crate::editor::panels::kit::{Align, Kit, Rect};
use crate::editor::panels::menu;
use crate::editor::panels::out::Out;
use crate::editor::panels::seen::Seen;
use crate::editor::panels::theme::faded;
use crate::editor::panels::timeline::blocks::{BlockTouch, Blocks, Drag};
use crate::editor::panels::timeline::lanes;
use crate::editor::panels::timeline::ruler;
use crate::editor::panels::timeline::scale::{Scale, Zoom};
use crate::editor::panels::timeline::transport;
use crate::editor::panels::widgets::{self, Tone};

/// Width of the column with the names of lanes.
const NAMES: f32 = 84.0;
/// Height of a lane under the keyframes.
const LANE: f32 = 22.0;

/// What the panel keeps for itself.
#[derive(Debug, Default)]
pub struct StripLocal {
    zoom: Zoom,
    drag: Option<Drag>,
    /// The scale of the moment in which an edge was taken: it holds still while the clip gets longer.
    held: Option<Scale>,
    shown: Option<ClipId>,
    is_menu_wanted: bool,
}

/// The picture of a keyframe of the open clip.
pub type Thumbnail<'a> = &'a dyn Fn(usize) -> Option<TextureId>;

/// The panel's contents.
pub fn strip_ui(kit: &Kit<'_>, seen: &Seen<'_>, local: &mut StripLocal, thumbnail: Thumbnail<'_>, out: &mut Out) {
    transport::transport_ui(kit, seen, out);
    let Some((clip, id)) = seen.clip().zip(seen.session.clip) else {
        return no_clip(kit, seen, out);
    };
    if local.shown != Some(id) {
        *local = StripLocal { shown: Some(id), ..StripLocal::default() };
    }
    let top = kit.cursor_screen_pos();
    let size = kit.content_region_avail();
    let all = Rect::at([top[0] + NAMES, top[1]], [(size[0] - NAMES).max(60.0), size[1]]);
    let shown = shown_length(clip);
    let scale = local.held.unwrap_or_else(|| local.zoom.scale(all.min[0], all.size()[0], shown));
    wheel(kit, local, &scale, all, shown);
    let ruler_area = Rect { min: all.min, max: [all.max[0], all.min[1] + ruler::HEIGHT] };
    if let Some(time) = ruler::ruler(kit, ruler_area, &scale, clip.frame_rate, clip.length(), shown) {
        out.push(Action::Seek(time));
    }
    let lanes_height = if lanes::has_lanes(seen) { 3.0 * LANE + 6.0 } else { 0.0 };
    let blocks_top = ruler_area.max[1] + 3.0;
    let blocks_height = (all.max[1] - blocks_top - lanes_height - 4.0).clamp(44.0, 120.0);
    let area = Rect { min: [all.min[0], blocks_top], max: [all.max[0], blocks_top + blocks_height] };
    let names = Rect { min: [top[0], area.min[1]], max: [top[0] + NAMES - 8.0, area.max[1]] };
    kit.text_in(names, Align::Left, kit.theme.quiet, "Poses");
    blocks_ui(
        kit,
        seen,
        clip,
        id,
        Blocks {
            clip,
            area,
            scale,
            is_selected: &|at| seen.session.selection.keyframes.contains(&at),
            thumbnail,
            drafts: &drafts(seen, id),
        },
        local,
        out,
    );
    let lanes_area = Rect { min: [top[0], area.max[1] + 6.0], max: all.max };
    lanes::lanes_ui(kit, seen, clip, &scale, lanes_area, NAMES, LANE, out);
    playhead(kit, seen, &scale, ruler_area, all.max[1]);
    keyframe_menu(kit, seen, clip, id, local, out);
}

/// The clip and some room behind it, where its next keyframe can go.
fn shown_length(clip: &Clip) -> Time {
    let length = clip.length();
    length + (length / 10).max(clip.frame_rate.frame() * 4)
}

fn no_clip(kit: &Kit<'_>, seen: &Seen<'_>, out: &mut Out) {
    if seen.model().is_none() {
        return widgets::empty(kit, "The keyframes of a clip stand here.", "Open a model with Ctrl+O.");
    }
    widgets::empty(kit, "No clip is open: this is the rest pose.", "Open one in the list of clips, or make a new one.");
    kit.dummy([0.0, 4.0]);
    if widgets::button(kit, "New clip##strip-new-clip", [110.0, 26.0], Tone::On) {
        out.run(Command::NewClip);
    }
    kit.tip("New clip", &seen.key_of(Command::NewClip));
}

fn drafts(seen: &Seen<'_>, id: ClipId) -> Vec<Time> {
    let drafts = seen.model().map(|model| model.drafts.iter()).into_iter().flatten();
    drafts.filter(|draft| draft.clip == Some(id)).map(|draft| draft.time).collect()
}

/// The wheel zooms about the mouse; with Shift it scrolls.
fn wheel(kit: &Kit<'_>, local: &mut StripLocal, scale: &Scale, area: Rect, length: Time) {
    let io = kit.io();
    if io.mouse_wheel == 0.0 || !area.contains(io.mouse_pos) || !kit.is_window_hovered() {
        return;
    }
    if io.key_shift {
        local.zoom.scroll(-f64::from(io.mouse_wheel) * 60.0 / scale.points_per_sec, length);
    } else {
        local.zoom.zoom_at(scale, io.mouse_pos[0], 1.2_f64.powf(f64::from(io.mouse_wheel)), area.min[0], length);
    }
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
            BlockTouch::Clicked(at, joins) => {
                let pick = if joins { Pick::Toggle } else { Pick::Only };
                out.push(Action::SelectKeyframe { keyframe: at, pick });
                if !joins {
                    out.push(Action::Seek(clip.start_of(at)));
                }
            }
            BlockTouch::Menu(at) => {
                if !seen.session.selection.keyframes.contains(&at) {
                    out.push(Action::SelectKeyframe { keyframe: at, pick: Pick::Only });
                }
                local.is_menu_wanted = true;
            }
            BlockTouch::RetimeBegun(at) => {
                local.held = Some(blocks.scale);
                out.push(Action::SelectKeyframe { keyframe: at, pick: Pick::Only });
                out.push(Action::Begin { label: "Retime keyframe".into() });
            }
            BlockTouch::Retimed(keyframe, duration) => {
                if clip.keyframes[keyframe].duration != duration {
                    out.push(Action::Preview(Change::Edits(vec![Edit::SetDuration { clip: id, keyframe, duration }])));
                }
            }
            BlockTouch::RetimeEnded => {
                local.held = None;
                out.push(Action::Commit);
            }
            BlockTouch::Appended => {
                out.push(Action::Seek(clip.length()));
                out.run(Command::KeyPose);
                out.push(Action::SelectKeyframe { keyframe: clip.keyframes.len(), pick: Pick::Only });
            }
            BlockTouch::Moved(from, to) => {
                out.edit("Move keyframe", vec![Edit::MoveKeyframe { clip: id, from, to }]);
                out.push(Action::SelectKeyframe { keyframe: to, pick: Pick::Only });
            }
        }
    }
}

/// A flag on the ruler and a line through everything: orange while a draft is in hand.
fn playhead(kit: &Kit<'_>, seen: &Seen<'_>, scale: &Scale, ruler: Rect, bottom: f32) {
    let x = scale.x(seen.session.playhead.time).round();
    if x < ruler.min[0] - 6.0 || x > ruler.max[0] + 6.0 {
        return;
    }
    let color = if seen.draft().is_some() { kit.theme.draft } else { kit.theme.accent };
    kit.line([x + 0.5, ruler.min[1] + 4.0], [x + 0.5, bottom], color, 1.5);
    let (top, wide) = (ruler.min[1] + 1.0, 6.0);
    let flag = vec![
        [x - wide, top],
        [x + wide + 1.0, top],
        [x + wide + 1.0, top + 9.0],
        [x + 0.5, top + 16.0],
        [x - wide, top + 9.0],
    ];
    kit.draw().add_polyline(flag, color).filled(true).build();
}

fn keyframe_menu(kit: &Kit<'_>, seen: &Seen<'_>, clip: &Clip, id: ClipId, local: &mut StripLocal, out: &mut Out) {
    if std::mem::take(&mut local.is_menu_wanted) {
        kit.open_popup("##keyframe-menu");
    }
    let _padding = menu::padding(kit);
    let Some(_popup) = kit.begin_popup("##keyframe-menu") else { return };
    for command in [Command::KeyPose, Command::DuplicateKeyframe, Command::DeleteKeyframe] {
        menu::command(kit, seen, command, out);
    }
    menu::separator(kit);
    let columns = || seen.session.selection.keyframes.iter().copied().filter(|at| *at < clip.keyframes.len());
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
