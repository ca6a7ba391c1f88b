//! The bone map: the bone of the active model that follows each bone of another model, or of a file whose clips were added, how it
//! was found, and a choice of another one.

use std::sync::Arc;

use crate::editor::panels::ui::form::{find_in, menu_in};
use crate::editor::panels::ui::prelude::*;
use crate::editor::panels::ui::search;
use crate::editor::session::bone_map::{AddedLibrary, MappedTo};
use crate::editor::session::retargeting::RetargetAction;
use crate::editor::view::cache::Cache;
use keypose::assets::bone_match::{Found, MatchedBy, match_bones};
use keypose::assets::recent::ByAddress;

/// Width of the text that says how a bone was found.
const HOW: f32 = 104.0;

/// The window.
#[derive(Debug, Default)]
pub struct BoneMap {
    search: String,
    /// The source that was chosen.
    source: Option<Source>,
    rows: Rows,
    /// The bones that were found for two models.
    found: Cache<(ByAddress<Model>, ByAddress<Model>), Arc<Found>, 1>,
}

/// A file whose clips were added, or another model of the document, by its index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    File(usize),
    Model(usize),
}

/// The rows that are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Rows {
    #[default]
    All,
    /// Bones that none follows.
    None,
    ByHand,
}

impl BoneMap {
    /// Draws the window's contents, `width` points wide.
    pub fn ui(&mut self, ui: &Ui<'_>, width: f32) {
        widgets::title(ui, "Bone map", "bones of others, and the bone that follows each");
        let Some(model) = ui.model() else {
            return widgets::empty(ui, "No model open.", "Open a model to map bones of others to it.");
        };
        let sources = sources(ui);
        let source = self.source.filter(|wanted| sources.iter().any(|(one, _)| one == wanted));
        let Some(source) = source.or_else(|| first(ui, &sources)) else {
            return widgets::empty(ui, "No bones to map.", "Add clips from files, or a second model with clips.");
        };
        let (from, library) = match source {
            Source::File(at) => (&ui.session.focus.libraries[at].model, ui.session.focus.libraries.get(at)),
            Source::Model(at) => (&ui.document.models[at], None),
        };
        self.head(ui, width, source, &sources);
        let found =
            self.found.get((from.into(), model.into()), || Arc::new(match_bones((&**from).into(), (&**model).into())));
        let all = from.skeleton.indices();
        let shown: Vec<BoneIndex> = all.filter(|bone| self.is_shown(from, model, &found, *bone)).collect();
        let height = (ui.io().display_size[1] - 290.0).clamp(120.0, 440.0);
        ui.child_window("##bone-map").size([width, height]).build(|| {
            for bone in shown {
                self.row(ui, [from, model], &found, bone);
            }
        });
        foot(ui, [from, model], &found, source, library);
    }

    /// Draws the choice of the source, and what is shown of it.
    fn head(&mut self, ui: &Ui<'_>, width: f32, source: Source, sources: &[(Source, String)]) {
        let mut line = ui.here([width, FIELD]);
        let after = [line.min[0], line.max[1] + GAP];
        let named: Vec<(Source, &str)> = sources.iter().map(|(source, name)| (*source, name.as_str())).collect();
        let mut chosen = source;
        let place = line.cut_left((width * 0.42).round(), GAP);
        if menu_in(ui, place, "map-source", &named, &mut chosen).is_changed {
            self.source = Some(chosen);
        }
        let counts = [(Rows::All, "All"), (Rows::None, "Without"), (Rows::ByHand, "By hand")];
        menu_in(ui, line.cut_right(96.0, GAP), "map-rows", &counts, &mut self.rows);
        ui.set_cursor_screen_pos(line.min);
        search::field_in(ui, "map-search", "Search bones", line.width(), &mut self.search);
        ui.end_at(after);
    }

    fn is_shown(&self, from: &Model, model: &Model, found: &Found, bone: BoneIndex) -> bool {
        let theirs = bone_name(&from.skeleton, bone);
        let follower = found.get(usize::from(bone)).copied().flatten();
        let is_kind = match self.rows {
            Rows::All => true,
            Rows::None => follower.is_none(),
            Rows::ByHand => model.rig.bone_map.contains_key(theirs),
        };
        let wanted = self.search.to_lowercase();
        let ours = follower.map_or("", |(other, _)| bone_name(&model.skeleton, other));
        is_kind && [theirs, ours].iter().any(|name| name.to_lowercase().contains(&wanted))
    }

    fn row(&mut self, ui: &Ui<'_>, [from, model]: [&Model; 2], found: &Found, bone: BoneIndex) {
        let mut rest = ui.here([ui.room(), FIELD]);
        let after = [rest.min[0], rest.max[1] + GAP];
        if ui.is_rect_visible(rest.min, rest.max) {
            let theirs = bone_name(&from.skeleton, bone);
            let follower = found.get(usize::from(bone)).copied().flatten();
            let is_chosen = model.rig.bone_map.contains_key(theirs);
            let half = ((rest.width() - HOW - FIELD) / 2.0).floor();
            ui.name_in(rest.cut_left(half, GAP).trim_left(GAP), ui.theme.text, theirs);
            let (now, ink) = match follower {
                Some((other, _)) => (bone_name(&model.skeleton, other), ui.theme.text),
                None => ("none", ui.theme.dim),
            };
            let names = model.skeleton.bones().iter().map(|bone| &*bone.name);
            let names: Vec<&str> = std::iter::once("none").chain(names).collect();
            let place = rest.cut_left(half - 2.0 * GAP, 2.0 * GAP);
            if let Some(at) = find_in(ui, place, &format!("map-to{bone}"), (now, ink), &names) {
                let to = at.checked_sub(1).map_or(MappedTo::Nothing, |bone| MappedTo::Bone(bone as BoneIndex));
                ui.send(BoneAction::Map(choices(from, model, theirs, to)));
            }
            ui.text_in(rest.left(HOW), Align::Left, ui.theme.quiet, how(follower.map(|(_, by)| by), is_chosen));
            if is_chosen {
                if widgets::icon_button_at(ui, rest.right(FIELD), &format!("unmap{bone}"), Icon::X, Tone::Bare) {
                    ui.send(BoneAction::Map(vec![(theirs.to_owned(), MappedTo::Found)]));
                }
                ui.tip("Find the bone automatically", "");
            }
        }
        ui.end_at(after);
    }
}

/// Says how a bone was found.
fn how(by: Option<MatchedBy>, is_chosen: bool) -> &'static str {
    match by {
        Some(MatchedBy::Hand) => "by hand",
        None if is_chosen => "by hand",
        Some(MatchedBy::Declared) => "by declaration",
        Some(MatchedBy::Name | MatchedBy::PlainName | MatchedBy::PartName) => "by name",
        Some(MatchedBy::Shape) => "by shape",
        None => "",
    }
}

/// The choice, and the end of that for another bone of the same source that the bone followed.
fn choices(from: &Model, model: &Model, theirs: &str, to: MappedTo) -> Vec<(String, MappedTo)> {
    let ours = if let MappedTo::Bone(bone) = to { bone_name(&model.skeleton, bone) } else { "" };
    let is_moved = |(other, bone): &(&String, &String)| {
        !ours.is_empty() && *bone == ours && *other != theirs && from.skeleton.find(other).is_some()
    };
    let moved = model.rig.bone_map.iter().filter(is_moved).map(|(other, _)| (other.clone(), MappedTo::Found));
    moved.chain([(theirs.to_owned(), to)]).collect()
}

/// The sources, newest files first.
fn sources(ui: &Ui<'_>) -> Vec<(Source, String)> {
    let files = ui.session.focus.libraries.iter().enumerate().rev();
    let models = ui.document.models.iter().enumerate().filter(|(at, _)| *at != ui.session.focus.model);
    let models = models.map(|(at, model)| (Source::Model(at), model.name.clone()));
    files.map(|(at, library)| (Source::File(at), library.file.clone())).chain(models).collect()
}

/// The source that is shown first: the model of the preview, else the newest file, else a model with clips.
fn first(ui: &Ui<'_>, sources: &[(Source, String)]) -> Option<Source> {
    let shown = ui.session.transient.pose.retargeting().map(|shown| &shown.models[0]);
    let is_shown = |at: usize| shown.is_some_and(|shown| Arc::ptr_eq(shown, &ui.document.models[at]));
    let has_clips = |at: usize| !ui.document.models[at].clips.is_empty();
    let rank = |source: &Source| match source {
        Source::Model(at) if is_shown(*at) => 0,
        Source::File(_) => 1,
        Source::Model(at) if has_clips(*at) => 2,
        Source::Model(_) => 3,
    };
    sources.iter().map(|(source, _)| *source).min_by_key(rank)
}

/// Draws the counts and the buttons for the whole map.
fn foot(ui: &Ui<'_>, [from, model]: [&Model; 2], found: &Found, source: Source, library: Option<&AddedLibrary>) {
    let by_hand = |name: &str| model.rig.bone_map.contains_key(name);
    let names = || from.skeleton.bones().iter().map(|bone| &*bone.name).filter(|name| by_hand(name));
    let (count, chosen) = (found.iter().flatten().count(), names().count());
    let hand = if chosen > 0 { format!(", {chosen} by hand") } else { String::new() };
    let mut line = ui.here([ui.room(), FIELD]);
    let after = [line.min[0], line.max[1] + GAP];
    let clips = library.map_or(0, |library| library.clips.iter().filter(|clip| model.clip(**clip).is_some()).count());
    if clips > 0 {
        let label = if clips == 1 { "Convert clip again".to_owned() } else { format!("Convert {clips} clips again") };
        let width = ui.calc_text_size(&label)[0] + 20.0;
        let pressed = widgets::button_at(ui, line.cut_right(width, GAP), &format!("{label}##map-convert"), Tone::On);
        ui.tip("Replaces the keys of the clips that came from this file", "");
        if let (true, Source::File(at)) = (pressed, source) {
            ui.send(RetargetAction::ConvertAgain(at));
        }
    }
    if chosen > 0 {
        if widgets::button_at(ui, line.cut_right(82.0, GAP), "Reset all##map-reset", Tone::Plain) {
            ui.send(BoneAction::Map(names().map(|name| (name.to_owned(), MappedTo::Found)).collect()));
        }
        ui.tip("Find all bones automatically", "");
    }
    let text = format!("{count} of {} bones found{hand}", from.skeleton.len());
    ui.text_in(line, Align::Left, ui.theme.quiet, &text);
    ui.end_at(after);
}
