//! The list of clips: search, select, rename, loop mode, and the picker of models where there are several.

use lucide_icons::Icon;

use crate::anim::clip::{Clip, LoopMode};
use crate::assets::id::ClipId;
use crate::assets::model::{ClipSlot, Model};
use crate::editor::action::Action;
use crate::editor::commands::Command;
use crate::editor::document::edit::Edit;
use crate::editor::panels::kit::{Align, Kit, Rect, icon};
use crate::editor::panels::layout;
use crate::editor::panels::menu;
use crate::editor::panels::out::Out;
use crate::editor::panels::seen::Seen;
use crate::editor::panels::widgets::{self, RowTouch, Tone};

/// What the panel keeps for itself.
#[derive(Debug, Default)]
pub struct ClipsLocal {
    search: String,
    renaming: Option<Renaming>,
    /// Whose context menu, and whether it is to be opened.
    menu: Option<(ClipId, bool)>,
    shown: Option<ClipId>,
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
    kit.tip("New clip", &seen.session.bindings.text(Command::NewClip));
    kit.set_cursor_screen_pos([rect.min[0], rect.max[1] + 4.0]);
}

fn model_picker(kit: &Kit<'_>, seen: &Seen<'_>, model: &Model, out: &mut Out) {
    let text = format!("{}  {}", icon(Icon::Box), model.name);
    let width = kit.content_region_avail()[0];
    let Some(_list) = widgets::dropdown(kit, "model", &text, kit.theme.text, width) else { return };
    for (at, other) in seen.document.models.iter().enumerate() {
        let is_active = at == seen.session.model;
        if menu::choice(kit, &format!("{}##model{at}", other.name), is_active) && !is_active {
            out.push(Action::SelectModel(at));
        }
    }
}

fn list(kit: &Kit<'_>, seen: &Seen<'_>, model: &Model, local: &mut ClipsLocal, out: &mut Out) {
    let wanted = local.search.to_lowercase();
    let mut shown = 0;
    for slot in model.clips.iter().filter(|slot| slot.clip.name.to_lowercase().contains(&wanted)) {
        shown += 1;
        let is_active = seen.session.clip == Some(slot.id);
        if local.renaming.as_ref().is_some_and(|renaming| renaming.clip == slot.id) {
            rename_row(kit, local, out);
            continue;
        }
        let touch = widgets::row(kit, &format!("clip{}", slot.id.0), is_active);
        if is_active && local.shown != seen.session.clip {
            local.shown = seen.session.clip;
            if !kit.is_rect_visible(touch.rect.min, touch.rect.max) {
                kit.set_scroll_here_y();
            }
        }
        clip_row(kit, model, slot, is_active, &touch);
        take(slot, &touch, local, out);
    }
    if shown == 0 {
        widgets::empty(kit, &format!("No clip is called \"{}\".", local.search), "");
    }
    context_menu(kit, seen, model, local, out);
}

fn take(slot: &ClipSlot, touch: &RowTouch, local: &mut ClipsLocal, out: &mut Out) {
    if touch.is_double_clicked {
        local.rename(slot);
    } else if touch.is_clicked || touch.is_right_clicked {
        out.push(Action::SelectClip(Some(slot.id)));
    }
    if touch.is_right_clicked {
        local.menu = Some((slot.id, true));
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
    let duration = Rect { min: [rect.max[0] - 90.0, rect.min[1]], max: [rect.max[0] - 32.0, rect.max[1]] };
    kit.text_in(duration, Align::Right, theme.quiet, &format!("{:.2} s", clip.length().secs()));
    let _font = is_active.then(|| kit.with_font(kit.fonts.bold));
    let name = Rect { min: [rect.min[0] + 24.0, rect.min[1]], max: [rect.max[0] - 78.0, rect.max[1]] };
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
        if !name.is_empty() && !is_cancelled {
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
    if menu::item(kit, "Rename", "F2") {
        local.rename(slot);
    }
    menu::command(kit, seen, Command::DuplicateClip, out);
    menu::command(kit, seen, Command::DeleteClip, out);
    menu::separator(kit);
    for mode in LoopMode::ALL {
        let is_now = slot.clip.loop_mode == mode;
        if menu::choice(kit, &format!("Play {}", mode.name()), is_now) && !is_now {
            out.edit("Loop mode", vec![Edit::SetLoopMode { clip: id, loop_mode: mode }]);
        }
    }
}
