//! The mirror table: the mirror bone of each bone, how it was found, and a choice of another one.

use crate::editor::ops::mirror::{Found, Pairs};
use crate::editor::panels::ui::form::menu_in;
use crate::editor::panels::ui::prelude::*;
use crate::editor::panels::ui::search;

/// Width of the text that says how a pair was found.
const FOUND: f32 = 84.0;

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
        let tone = if ui.session.is_on(Switch::LiveMirror) { Tone::On } else { Tone::Plain };
        let (place, command) = (ui.here([110.0, FIELD]), Command::ToggleLiveMirror);
        widgets::command_button_about(ui, place, "Live mirror##live-mirror", tone, command, "Pose both sides at once");
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
    let mut rest = ui.here([ui.room(), FIELD]);
    let after = [rest.min[0], rest.max[1] + GAP];
    if ui.is_rect_visible(rest.min, rest.max) {
        let half = ((rest.width() - FOUND - FIELD) / 2.0).floor();
        ui.name_in(rest.cut_left(half, GAP).trim_left(GAP), ui.theme.text, bone_name(&model.skeleton, bone));
        partner_ui(ui, model, bone, pairs.partner(bone), rest.cut_left(half - 2.0 * GAP, 2.0 * GAP));
        let (how, is_chosen) = match pairs.partner[usize::from(bone)].1 {
            Found::Middle => ("", false),
            Found::ByName => ("by name", false),
            Found::ByPlace => ("by position", false),
            Found::ByHand => ("by hand", true),
        };
        ui.text_in(rest.left(FOUND), Align::Left, ui.theme.quiet, how);
        if is_chosen {
            if widgets::icon_button_at(ui, rest.right(FIELD), &format!("unpair{bone}"), Icon::X, Tone::Bare) {
                ui.send(BoneAction::ClearMirrorPair(bone));
            }
            ui.tip("Find the pair automatically, by name and position", "");
        }
    }
    ui.end_at(after);
}

/// Draws the choice of a mirror bone. A bone that is its own is on the mirror plane.
fn partner_ui(ui: &Ui<'_>, model: &Model, bone: BoneIndex, mut partner: BoneIndex, place: Rect) {
    let others = model.skeleton.indices().filter(|&other| other != bone);
    let others = others.map(|other| (other, bone_name(&model.skeleton, other)));
    let all: Vec<_> = std::iter::once((bone, "none: on the mirror plane")).chain(others).collect();
    if menu_in(ui, place, &format!("mirror-of{bone}"), &all, &mut partner).is_changed {
        ui.send(BoneAction::SetMirrorPair { bone, partner });
    }
}
