//! The table of mirror pairs: which bone is the other side of which, how that was found, and what to say instead.

use lucide_icons::Icon;

use crate::anim::skeleton::BoneIndex;
use crate::assets::model::Model;
use crate::editor::ops::mirror::{Found, Pairs};
use crate::editor::panels::ui::actions::Out;
use crate::editor::panels::ui::canvas::{Align, Kit, Rect};
use crate::editor::panels::ui::menu;
use crate::editor::panels::ui::seen::{Seen, bone_name};
use crate::editor::panels::ui::widgets;
use crate::editor::panels::ui::widgets::{FIELD, Tone};
use crate::editor::panels::window::layout;
use crate::editor::session::command::Command;
use crate::editor::session::switch::Switch;
use crate::editor::state::action::BoneAction;

/// What the window keeps for itself.
#[derive(Debug, Default)]
pub struct MirrorLocal {
    search: String,
}

/// The window's contents, as wide as `width`.
pub fn mirror_table_ui(kit: &Kit<'_>, seen: &Seen<'_>, local: &mut MirrorLocal, width: f32, out: &mut Out) {
    layout::title(kit, "Mirror pairs", "across the plane x = 0");
    let Some(model) = seen.model() else {
        return widgets::empty(kit, "No model yet.", "Its bones and their mirror bones stand here.");
    };
    let is_live = seen.session.is_on(Switch::LiveMirror);
    let tone = if is_live { Tone::On } else { Tone::Plain };
    if widgets::button(kit, "Live mirror##live-mirror", [110.0, FIELD], tone) {
        out.run(Command::ToggleLiveMirror);
    }
    kit.tip("A pose given to one side is given to the other", &seen.key_of(Command::ToggleLiveMirror));
    kit.same_line();
    widgets::search(kit, "mirror-search", "Search bones", &mut local.search);
    let pairs = Pairs::of_model(model);
    let wanted = local.search.to_lowercase();
    let rows: Vec<BoneIndex> =
        rows(model, &pairs).into_iter().filter(|&bone| is_wanted(model, &pairs, bone, &wanted)).collect();
    let height = (kit.io().display_size[1] - 220.0).clamp(120.0, 460.0);
    kit.child_window("##pairs").size([width, height]).build(|| {
        for bone in rows {
            row(kit, model, &pairs, bone, out);
        }
    });
}

/// One row for a pair: its first bone. Those that found no other side come last.
fn rows(model: &Model, pairs: &Pairs) -> Vec<BoneIndex> {
    let (sided, middle): (Vec<_>, Vec<_>) = model
        .skeleton
        .indices()
        .filter(|&bone| pairs.partner(bone) >= bone)
        .partition(|&bone| pairs.partner(bone) != bone);
    sided.into_iter().chain(middle).collect()
}

fn is_wanted(model: &Model, pairs: &Pairs, bone: BoneIndex, wanted: &str) -> bool {
    let has = |bone| bone_name(&model.skeleton, bone).to_lowercase().contains(wanted);
    has(bone) || has(pairs.partner(bone))
}

fn row(kit: &Kit<'_>, model: &Model, pairs: &Pairs, bone: BoneIndex, out: &mut Out) {
    let top = kit.cursor_screen_pos();
    let width = kit.content_region_avail()[0];
    let (partner, found) = (pairs.partner(bone), pairs.partner[usize::from(bone)].1);
    if !kit.is_rect_visible(top, [top[0] + width, top[1] + FIELD]) {
        return kit.dummy([width, FIELD + 4.0]);
    }
    let half = ((width - 130.0) / 2.0).floor();
    let name = Rect::at([top[0] + 4.0, top[1]], [half - 8.0, FIELD]);
    kit.text_in(name, Align::Left, kit.theme.text, bone_name(&model.skeleton, bone));
    kit.set_cursor_screen_pos([top[0] + half, top[1]]);
    let is_middle = partner == bone;
    let (text, ink) = match is_middle {
        true => ("its own: in the middle", kit.theme.quiet),
        false => (bone_name(&model.skeleton, partner), kit.theme.text),
    };
    if let Some(_list) = widgets::dropdown(kit, &format!("mirror-of{bone}"), text, ink, half) {
        if menu::choice(kit, "its own: in the middle##own", is_middle) {
            out.push(BoneAction::SetMirrorPair { bone, partner: bone });
        }
        for other in model.skeleton.indices().filter(|&other| other != bone) {
            let name = bone_name(&model.skeleton, other);
            if menu::choice(kit, &format!("{name}##other{other}"), other == partner) {
                out.push(BoneAction::SetMirrorPair { bone, partner: other });
            }
            kit.item(&format!("other{other}"));
        }
    }
    let how = match found {
        Found::Middle => "",
        Found::ByName => "by name",
        Found::ByPlace => "by place",
        Found::ByHand => "by hand",
    };
    let rect = Rect::at([top[0] + 2.0 * half + 10.0, top[1]], [84.0, FIELD]);
    kit.text_in(rect, Align::Left, kit.theme.quiet, how);
    if found == Found::ByHand {
        kit.set_cursor_screen_pos([top[0] + width - 30.0, top[1]]);
        if widgets::icon_button(kit, &format!("unpair{bone}"), Icon::X, [24.0, FIELD], Tone::Bare) {
            out.push(BoneAction::ClearMirrorPair(bone));
        }
        kit.tip("Find it by name and place again", "");
    }
    kit.set_cursor_screen_pos([top[0], top[1] + FIELD + 4.0]);
    kit.dummy([0.0, 0.0]);
}
