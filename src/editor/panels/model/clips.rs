//! The list of clips: search, folders, select, rename, drag, and the picker of models where there are several.

use std::collections::BTreeSet;

use lucide_icons::Icon;

use crate::anim::clip::{Clip, LoopMode};
use crate::assets::id::ClipId;
use crate::assets::model::{ClipSlot, Model};
use crate::editor::document::edit::Edit;
use crate::editor::panels::model::clip_menu;
use crate::editor::panels::model::clip_menu::Noting;
use crate::editor::panels::ui::actions::Out;
use crate::editor::panels::ui::canvas::{Align, Kit, Rect, icon};
use crate::editor::panels::ui::menu;
use crate::editor::panels::ui::seen::Seen;
use crate::editor::panels::ui::widgets;
use crate::editor::panels::ui::widgets::{RowTouch, Tone};
use crate::editor::panels::window::layout;
use crate::editor::session::command::Command;
use crate::editor::state::action::SelectAction;
use crate::editor::view::clip_list;
use crate::editor::view::clip_list::{Drop, Line};

/// What the panel keeps for itself.
#[derive(Debug, Default)]
pub struct ClipsLocal {
    search: String,
    renaming: Option<Renaming>,
    /// Whose context menu, and whether it is to be opened.
    menu: Option<(ClipId, bool)>,
    /// Folder and tags that are being typed.
    pub noting: Option<Noting>,
    /// Folders that are closed.
    closed: BTreeSet<String>,
    drag: Option<Drag>,
    shown: Option<ClipId>,
}

/// A clip that is held.
#[derive(Debug)]
struct Drag {
    clip: ClipId,
    from: f32,
    is_moving: bool,
}

/// A name that is being typed.
#[derive(Debug)]
struct Renaming {
    clip: ClipId,
    text: String,
    /// It has the keyboard since the frame after it appeared.
    is_fresh: bool,
}

impl ClipsLocal {
    /// True while a name is typed.
    pub fn is_renaming(&self) -> bool {
        self.renaming.is_some()
    }

    /// Starts typing a clip's name.
    pub fn rename(&mut self, slot: &ClipSlot) {
        self.renaming = Some(Renaming { clip: slot.id, text: slot.clip.name.clone(), is_fresh: true });
    }
}

/// The panel's contents.
pub fn clips_ui(kit: &Kit<'_>, seen: &Seen<'_>, local: &mut ClipsLocal, out: &mut Out) {
    head(kit, seen, out);
    let Some(model) = seen.model() else {
        return widgets::empty(kit, "No model yet.", "Open one with Ctrl+O, or drop a .glb, .gltf or .wad file here.");
    };
    if seen.document.models.len() > 1 {
        model_picker(kit, seen, model, out);
    }
    let count = model.clips.len();
    widgets::search(kit, "clip-search", &format!("Search {count} {}", plural(count, "clip")), &mut local.search);
    if model.clips.is_empty() {
        return widgets::empty(kit, "No clips yet.", "N makes one.");
    }
    layout::scrolled(kit, "##clips", 0.0, || list(kit, seen, model, local, out));
}

fn plural(count: usize, word: &str) -> String {
    if count == 1 { word.to_owned() } else { format!("{word}s") }
}

fn head(kit: &Kit<'_>, seen: &Seen<'_>, out: &mut Out) {
    let rect = layout::title(kit, "Clips", "");
    if seen.model().is_none() {
        return;
    }
    let size = [62.0, 22.0];
    kit.set_cursor_screen_pos([rect.max[0] - size[0], rect.min[1] + 1.0]);
    if widgets::button(kit, &format!("{}  New##new-clip", icon(Icon::Plus)), size, Tone::Bare) {
        out.run(Command::NewClip);
    }
    kit.tip("New clip", &seen.session.workspace.bindings.text(Command::NewClip));
    kit.set_cursor_screen_pos([rect.min[0], rect.max[1] + 4.0]);
}

fn model_picker(kit: &Kit<'_>, seen: &Seen<'_>, model: &Model, out: &mut Out) {
    let text = format!("{}  {}", icon(Icon::Box), model.name);
    let width = kit.content_region_avail()[0];
    let Some(_list) = widgets::dropdown(kit, "model", &text, kit.theme.text, width) else { return };
    for (at, other) in seen.document.models.iter().enumerate() {
        let is_active = at == seen.session.focus.model;
        if menu::choice(kit, &format!("{}##model{at}", other.name), is_active) && !is_active {
            out.push(SelectAction::Model(at));
        }
    }
}

fn list(kit: &Kit<'_>, seen: &Seen<'_>, model: &Model, local: &mut ClipsLocal, out: &mut Out) {
    let lines = clip_list::lines(model, &local.search, &local.closed);
    let mut places: Vec<(Rect, Line<'_>)> = Vec::with_capacity(lines.len());
    for line in &lines {
        let touch = match *line {
            Line::Folder(name, count) => folder_row(kit, name, count, local),
            Line::Clip(slot, _) if local.renaming.as_ref().is_some_and(|renaming| renaming.clip == slot.id) => {
                rename_row(kit, local, out);
                continue;
            }
            Line::Clip(slot, is_inside) => clip_line(kit, seen, model, slot, is_inside, local),
        };
        places.push((touch.rect, *line));
        if let Line::Clip(slot, _) = line {
            take(kit, seen, &lines, slot, &touch, local, out);
        }
    }
    if lines.is_empty() {
        widgets::empty(kit, &format!("No clip is called \"{}\".", local.search), "");
    }
    drag(kit, seen, model, &places, local, out);
    context_menu(kit, seen, model, local, out);
    clip_menu::noting(kit, seen, local, out);
}

fn folder_row(kit: &Kit<'_>, name: &str, count: usize, local: &mut ClipsLocal) -> RowTouch {
    let touch = widgets::row(kit, &format!("folder-{name}"), false);
    let is_closed = local.closed.contains(name);
    let sign = if is_closed { Icon::ChevronRight } else { Icon::ChevronDown };
    let rect = touch.rect;
    let place = Rect { min: [rect.min[0] + 4.0, rect.min[1]], max: [rect.min[0] + 20.0, rect.max[1]] };
    kit.text_in(place, Align::Center, kit.theme.quiet, &icon(sign));
    let text = Rect { min: [place.max[0] + 4.0, rect.min[1]], max: [rect.max[0] - 34.0, rect.max[1]] };
    kit.text_in(text, Align::Left, kit.theme.quiet, name);
    let right = Rect { min: [rect.max[0] - 34.0, rect.min[1]], max: [rect.max[0] - 6.0, rect.max[1]] };
    kit.text_in(right, Align::Right, kit.theme.dim, &count.to_string());
    if touch.is_clicked && !local.closed.remove(name) {
        local.closed.insert(name.to_owned());
    }
    touch
}

fn clip_line(
    kit: &Kit<'_>,
    seen: &Seen<'_>,
    model: &Model,
    slot: &ClipSlot,
    is_inside: bool,
    local: &mut ClipsLocal,
) -> RowTouch {
    let is_active = seen.session.focus.clip == Some(slot.id);
    let is_selected = is_active || seen.session.focus.selection.clips.contains(&slot.id);
    let touch = widgets::row(kit, &format!("clip{}", slot.id.0), is_selected);
    if is_active && local.shown != seen.session.focus.clip {
        local.shown = seen.session.focus.clip;
        if !kit.is_rect_visible(touch.rect.min, touch.rect.max) {
            kit.set_scroll_here_y();
        }
    }
    let left = if is_inside { 14.0 } else { 0.0 };
    let inner = RowTouch { rect: Rect { min: [touch.rect.min[0] + left, touch.rect.min[1]], ..touch.rect }, ..touch };
    clip_row(kit, model, slot, is_active, &inner);
    touch
}

/// A click opens; with Ctrl it joins or leaves what is selected, with Shift all up to it are.
fn take(
    kit: &Kit<'_>,
    seen: &Seen<'_>,
    lines: &[Line<'_>],
    slot: &ClipSlot,
    touch: &RowTouch,
    local: &mut ClipsLocal,
    out: &mut Out,
) {
    let (selected, held) = (&seen.session.focus.selection.clips, kit.held());
    if touch.is_double_clicked {
        local.drag = None;
        return local.rename(slot);
    }
    if touch.is_right_clicked {
        if !selected.contains(&slot.id) {
            out.push(SelectAction::Clip(Some(slot.id)));
        }
        local.menu = Some((slot.id, true));
    }
    if !touch.is_clicked {
        return;
    }
    if held.ctrl || held.shift {
        let mut all: Vec<ClipId> = selected.iter().copied().chain(seen.session.focus.clip).collect();
        if held.shift {
            all.extend(range(lines, seen.session.focus.clip, slot.id));
        } else if selected.contains(&slot.id) {
            all.retain(|clip| *clip != slot.id);
        } else {
            all.push(slot.id);
        }
        return out.push(SelectAction::Clips(all));
    }
    // One of several is held to drag them all; a click without a drag opens it.
    if !selected.contains(&slot.id) {
        out.push(SelectAction::Clip(Some(slot.id)));
    }
    local.drag = Some(Drag { clip: slot.id, from: kit.io().mouse_pos[1], is_moving: false });
}

/// The clips of the lines between two.
fn range(lines: &[Line<'_>], from: Option<ClipId>, to: ClipId) -> Vec<ClipId> {
    let clips = lines.iter().filter_map(|line| match line {
        Line::Clip(slot, _) => Some(slot.id),
        Line::Folder(..) => None,
    });
    let clips: Vec<ClipId> = clips.collect();
    let place = |wanted: ClipId| clips.iter().position(|clip| *clip == wanted);
    let (Some(a), Some(b)) = (place(from.unwrap_or(to)), place(to)) else { return vec![to] };
    clips[a.min(b)..=a.max(b)].to_vec()
}

/// While a clip is held: where it would go. When it is let go: that it went there.
fn drag(
    kit: &Kit<'_>,
    seen: &Seen<'_>,
    model: &Model,
    places: &[(Rect, Line<'_>)],
    local: &mut ClipsLocal,
    out: &mut Out,
) {
    let Some(drag) = &mut local.drag else { return };
    let y = kit.io().mouse_pos[1];
    drag.is_moving |= (y - drag.from).abs() > 7.0;
    let (clip, is_moving) = (drag.clip, drag.is_moving);
    let under = places.iter().find(|(rect, _)| y >= rect.min[1] && y < rect.max[1]).or(places.last());
    let drop = under.map(|(rect, line)| match line {
        Line::Folder(name, _) => (Drop::Into((*name).to_owned()), *rect),
        Line::Clip(slot, _) if y < rect.center()[1] => (Drop::Before(slot.id), *rect),
        Line::Clip(slot, _) => (Drop::After(slot.id), *rect),
    });
    if !kit.is_mouse_down(imgui::MouseButton::Left) {
        local.drag = None;
        match drop {
            Some((drop, _)) if is_moving => {
                let edits = clip_list::edits_of_drop(model, &clip_menu::meant(seen, clip), &drop);
                if !edits.is_empty() {
                    out.edit("reorder clips", edits);
                }
            }
            _ if seen.session.focus.clip != Some(clip) || seen.session.focus.selection.clips.len() > 1 => {
                out.push(SelectAction::Clip(Some(clip)));
            }
            _ => {}
        }
        return;
    }
    if let (true, Some((drop, rect))) = (is_moving, drop) {
        match drop {
            Drop::Into(_) => kit.outline(rect, kit.theme.accent, 5.0, 1.5),
            Drop::Before(_) => kit.line(rect.min, [rect.max[0], rect.min[1]], kit.theme.accent, 2.0),
            Drop::After(_) => kit.line([rect.min[0], rect.max[1]], rect.max, kit.theme.accent, 2.0),
        }
    }
}

/// Dot, name, duration, loop mark.
fn clip_row(kit: &Kit<'_>, model: &Model, slot: &ClipSlot, is_active: bool, touch: &RowTouch) {
    let theme = kit.theme;
    let clip = &slot.clip;
    let rect = touch.rect;
    let has_draft = model.drafts.iter().any(|draft| draft.clip == Some(slot.id));
    let dot = match (has_draft, clip.keyframes.is_empty()) {
        (true, _) => theme.draft,
        (false, true) => theme.dim,
        (false, false) => theme.keyed,
    };
    let middle = rect.center()[1];
    kit.draw().add_circle([rect.min[0] + 12.0, middle], 3.5, dot).filled(true).build();
    let marks = Rect { min: [rect.max[0] - 26.0, rect.min[1]], max: [rect.max[0] - 6.0, rect.max[1]] };
    kit.text_in(marks, Align::Right, theme.quiet, &loop_sign(clip).map(icon).unwrap_or_default());
    if let Some(derived) = model.derived(slot.id) {
        let link = Rect { min: [rect.max[0] - 96.0, rect.min[1]], max: [rect.max[0] - 78.0, rect.max[1]] };
        kit.text_in(link, Align::Center, theme.accent, &icon(Icon::Link2));
        kit.mark(|| format!("link{}", slot.id.0), link);
        let source = model.clip(derived.source).map_or("", |clip| &clip.name);
        kit.tip(&format!("Follows {source}, {}", derived.how.name()), "");
    }
    let duration = Rect { min: [rect.max[0] - 90.0, rect.min[1]], max: [rect.max[0] - 32.0, rect.max[1]] };
    kit.text_in(duration, Align::Right, theme.quiet, &format!("{:.2} s", clip.length().secs()));
    let _font = is_active.then(|| kit.with_font(kit.fonts.bold));
    let name = Rect {
        min: [rect.min[0] + 24.0, rect.min[1]],
        max: [rect.max[0] - if model.derived(slot.id).is_some() { 98.0 } else { 78.0 }, rect.max[1]],
    };
    kit.text_in(name, Align::Left, theme.text, &clip.name);
    drop(_font);
    if kit.calc_text_size(&clip.name)[0] > name.size()[0] {
        kit.tip(&clip.name, "");
    }
}

/// The icon of a loop mode; none for clips that play once.
pub fn loop_sign(clip: &Clip) -> Option<Icon> {
    match clip.loop_mode {
        LoopMode::Once => None,
        LoopMode::Loop => Some(Icon::Infinity),
        LoopMode::PingPong => Some(Icon::ArrowLeftRight),
    }
}

fn rename_row(kit: &Kit<'_>, local: &mut ClipsLocal, out: &mut Out) {
    let Some(renaming) = &mut local.renaming else { return };
    if renaming.is_fresh {
        layout::focus_next(kit);
    }
    kit.set_next_item_width(kit.content_region_avail()[0]);
    let is_done = kit.input_text("##rename", &mut renaming.text).auto_select_all(true).enter_returns_true(true).build();
    let is_left = !renaming.is_fresh && kit.is_item_deactivated();
    renaming.is_fresh = renaming.is_fresh && !kit.is_item_active();
    if is_done || is_left {
        let (clip, name) = (renaming.clip, renaming.text.trim().to_owned());
        let is_cancelled = kit.is_key_pressed(imgui::Key::Escape);
        if !is_cancelled {
            out.edit("Rename clip", vec![Edit::RenameClip { clip, name }]);
        }
        local.renaming = None;
    }
}

fn context_menu(kit: &Kit<'_>, seen: &Seen<'_>, model: &Model, local: &mut ClipsLocal, out: &mut Out) {
    let Some((id, is_wanted)) = &mut local.menu else { return };
    if std::mem::take(is_wanted) {
        kit.open_popup("##clip-menu");
    }
    let id = *id;
    let Some(slot) = model.clips.iter().find(|slot| slot.id == id) else { return };
    let _padding = menu::padding(kit);
    let Some(_popup) = kit.begin_popup("##clip-menu") else { return };
    clip_menu::clip_menu(kit, seen, model, slot, local, out);
}
