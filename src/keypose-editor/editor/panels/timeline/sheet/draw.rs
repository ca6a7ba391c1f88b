//! The keys of a row. The colour shows the channel or the selection, the shape the interpolation: square for step,
//! diamond for linear, circle for smooth; the size the kind of keyframe.

use crate::editor::ops::curves::channel_id;
use crate::editor::panels::timeline::blocks::kind_color;
use crate::editor::panels::timeline::sheet::{Grid, ROW, channel_color, ground};
use crate::editor::panels::ui::prelude::*;
use crate::editor::session::selection::Selection;
use crate::editor::view::dope_sheet::RowKind;
use keypose::anim::clip::KeyframeKind;
use keypose::anim::key::{Ease, Key};

/// Half the size of a key.
const RADIUS: f32 = 5.0;
/// Keys closer than this are drawn as one, in points.
const DENSE: f32 = 3.0;

/// Draws the background and the keys of a row.
pub fn row(ui: &Ui<'_>, grid: &Grid<'_>, at: usize) {
    let (row, rect) = (grid.rows[at], grid.row(at));
    let kind = row.kind;
    ui.fill(rect.inset(0.0, 0.5), ground(ui, kind), 3.0);
    ui.mark(|| format!("sheet-row-{}", row_id(kind)), rect);
    let delayed = kind.bone().map_or(Time::ZERO, |bone| grid.clip.delay_of(bone));
    let mut last = (f32::MIN, false);
    for column in grid.columns_between(rect.min[0] - RADIUS, rect.max[0] + RADIUS) {
        let keys = kind.keys(&grid.clip.keyframes[column]);
        let Some(key) = keys.first() else { continue };
        let x = grid.scale.x(grid.starts[column]);
        let is_selected = is_any_selected(&ui.session.focus.selection, kind, column);
        if x - last.0 < DENSE && last.1 == is_selected {
            continue;
        }
        last = (x, is_selected);
        let center = [x.clamp(rect.min[0] + 1.0, rect.max[0]), rect.center()[1]];
        let place = Rect::around(center, [RADIUS * 2.0 + 2.0, ROW]);
        ui.mark(|| format!("sheet-{}-{column}", row_id(kind)), place);
        let keyframe_kind = grid.clip.keyframes[column].kind;
        let color = if is_selected { ui.theme.selected_key } else { color(ui, (kind, keyframe_kind), key) };
        let shape = if kind == RowKind::Summary { None } else { shape(keys) };
        mark(ui, center, shape, (color, size(keyframe_kind)));
        if let Some(bone) = kind.bone().filter(|_| delayed != Time::ZERO) {
            played(ui, grid, center, grid.clip.seen_time(bone, grid.starts[column]));
        }
    }
    for time in drafts(ui, kind) {
        ui.diamond([grid.scale.x(time), rect.center()[1]], RADIUS, ui.theme.draft, false);
    }
}

/// Where a delayed key is played: an outline, and a line to it if it is not around the loop.
fn played(ui: &Ui<'_>, grid: &Grid<'_>, key: [f32; 2], time: Time) {
    let place = [grid.scale.x(time), key[1]];
    if place[0] > key[0] + RADIUS {
        ui.draw().add_line([key[0] + RADIUS, key[1]], place, ui.theme.dim).build();
    }
    ui.diamond(place, RADIUS - 1.0, ui.theme.dim, false);
}

/// The id of a row for tests: "all", "3", "3-rotation".
fn row_id(kind: RowKind) -> String {
    match kind {
        RowKind::Summary => "all".to_owned(),
        RowKind::Bone(bone) => bone.to_string(),
        RowKind::Channel(bone, channel) => format!("{bone}-{}", channel_id(channel)),
    }
}

/// Whether one of the row's keys in a keyframe is selected.
pub fn is_any_selected(selection: &Selection, kind: RowKind, keyframe: usize) -> bool {
    use keypose::anim::key::Channel::{Scalar, Translation};
    let key = |bone, channel| KeyRef { keyframe, bone, channel };
    let (from, to) = match kind {
        RowKind::Summary => (key(0, Translation), key(u16::MAX, Scalar(u16::MAX))),
        RowKind::Bone(bone) => (key(bone, Translation), key(bone, Scalar(u16::MAX))),
        RowKind::Channel(bone, channel) => (key(bone, channel), key(bone, channel)),
    };
    selection.keys.range(from..=to).next().is_some()
}

fn color(ui: &Ui<'_>, (row, kind): (RowKind, KeyframeKind), key: &Key) -> [f32; 4] {
    match row {
        RowKind::Channel(..) => channel_color(ui, key.channel),
        RowKind::Summary => kind_color(ui, kind).unwrap_or(ui.theme.keyed),
        RowKind::Bone(_) => ui.theme.keyed,
    }
}

/// The size of a key in a kind of keyframe, as a factor.
fn size(kind: KeyframeKind) -> f32 {
    match kind {
        KeyframeKind::Plain => 1.0,
        KeyframeKind::Extreme => 1.35,
        KeyframeKind::Breakdown => 0.7,
    }
}

/// The interpolation of the keys if all have the same.
fn shape(keys: &[Key]) -> Option<Ease> {
    let ease = keys.first()?.ease;
    keys.iter().all(|key| key.ease == ease).then_some(ease)
}

fn mark(ui: &Ui<'_>, center: [f32; 2], ease: Option<Ease>, (color, size): ([f32; 4], f32)) {
    match ease {
        Some(Ease::Step) => ui.fill(Rect::around(center, [8.0 * size; 2]), color, 1.0),
        Some(Ease::Cubic) => ui.draw().add_circle(center, 4.5 * size, color).filled(true).num_segments(12).build(),
        Some(Ease::Linear) | None => ui.diamond(center, RADIUS * size, color, true),
    }
}

/// The times of the row's drafts.
fn drafts(ui: &Ui<'_>, kind: RowKind) -> Vec<Time> {
    let drafts = ui.model().map(|model| model.drafts.iter()).into_iter().flatten();
    let of_row = |key: &Key| match kind {
        RowKind::Summary => true,
        RowKind::Bone(bone) => key.bone == bone,
        RowKind::Channel(bone, channel) => key.address() == (bone, channel),
    };
    let here = drafts.filter(|draft| draft.clip == ui.session.focus.clip && draft.keys.iter().any(of_row));
    here.map(|draft| draft.time).collect()
}
