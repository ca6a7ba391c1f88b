//! The mirror table: the mirror bone of each bone, how it was found, and a choice of another one.

use crate::editor::ops::mirror::{Found, Pairs};
use crate::editor::panels::ui::bone_name;
use crate::editor::panels::ui::prelude::*;
use crate::editor::panels::ui::search;
use crate::editor::session::switch::Switch;
use crate::editor::state::action::BoneAction;
use keypose::anim::skeleton::BoneIndex;
use keypose::assets::model::Model;

/// The window.
#[derive(Debug, Default)]
pub struct MirrorTable {
    search: String,
}

impl MirrorTable {
    /// Draws the window's contents, `width` points wide.
    pub fn ui(&mut self, ui: &Ui<'_>, width: f32) {
        widgets::title(ui, "Mirror pairs", "across the plane x = 0");
        let Some(model) = ui.model() else {
            return widgets::empty(ui, "No model open.", "Open a model to edit its mirror pairs.");
        };
        let is_live = ui.session.is_on(Switch::LiveMirror);
        let tone = if is_live { Tone::On } else { Tone::Plain };
        if widgets::button(ui, "Live mirror##live-mirror", [110.0, FIELD], tone) {
            ui.run(Command::ToggleLiveMirror);
        }
        ui.tip("Pose both sides at once", &ui.key_of(Command::ToggleLiveMirror));
        ui.same_line();
        search::field(ui, "mirror-search", "Search bones", &mut self.search);
        let pairs = Pairs::of_model(model);
        let wanted = self.search.to_lowercase();
        let rows: Vec<BoneIndex> =
            rows(model, &pairs).into_iter().filter(|&bone| is_wanted(model, &pairs, bone, &wanted)).collect();
        let height = (ui.io().display_size[1] - 220.0).clamp(120.0, 460.0);
        ui.child_window("##pairs").size([width, height]).build(|| {
            for bone in rows {
                row(ui, model, &pairs, bone);
            }
        });
    }
}

/// The first bone of each pair, then bones without a pair.
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

fn row(ui: &Ui<'_>, model: &Model, pairs: &Pairs, bone: BoneIndex) {
    let top = ui.cursor_screen_pos();
    let width = ui.content_region_avail()[0];
    let (partner, found) = (pairs.partner(bone), pairs.partner[usize::from(bone)].1);
    if !ui.is_rect_visible(top, [top[0] + width, top[1] + FIELD]) {
        return ui.dummy([width, FIELD + 4.0]);
    }
    let half = ((width - 130.0) / 2.0).floor();
    let name = Rect::at([top[0] + 4.0, top[1]], [half - 8.0, FIELD]);
    ui.name_in(name, ui.theme.text, bone_name(&model.skeleton, bone));
    ui.set_cursor_screen_pos([top[0] + half, top[1]]);
    let is_middle = partner == bone;
    let (text, ink) = if is_middle {
        ("none: on the mirror plane", ui.theme.quiet)
    } else {
        (bone_name(&model.skeleton, partner), ui.theme.text)
    };
    if let Some(_list) = widgets::dropdown(ui, &format!("mirror-of{bone}"), text, ink, half) {
        if menu::choice(ui, "none: on the mirror plane##own", is_middle) {
            ui.send(BoneAction::SetMirrorPair { bone, partner: bone });
        }
        for other in model.skeleton.indices().filter(|&other| other != bone) {
            let name = bone_name(&model.skeleton, other);
            if menu::choice(ui, &format!("{name}##other{other}"), other == partner) {
                ui.send(BoneAction::SetMirrorPair { bone, partner: other });
            }
            ui.item(&format!("other{other}"));
        }
    }
    let how = match found {
        Found::Middle => "",
        Found::ByName => "by name",
        Found::ByPlace => "by position",
        Found::ByHand => "by hand",
    };
    let rect = Rect::at([top[0] + 2.0 * half + 10.0, top[1]], [84.0, FIELD]);
    ui.text_in(rect, Align::Left, ui.theme.quiet, how);
    if found == Found::ByHand {
        ui.set_cursor_screen_pos([top[0] + width - 30.0, top[1]]);
        if widgets::icon_button(ui, &format!("unpair{bone}"), Icon::X, [24.0, FIELD], Tone::Bare) {
            ui.send(BoneAction::ClearMirrorPair(bone));
        }
        ui.tip("Find the pair automatically, by name and position", "");
    }
    ui.end_at([top[0], top[1] + FIELD + 4.0]);
}
