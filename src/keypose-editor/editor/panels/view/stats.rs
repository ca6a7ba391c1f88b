//! Text over the viewport: statistics of the model, over the legend of the shading.

use std::sync::Arc;

use crate::editor::document::size;
use crate::editor::panels::ui::figures::{bytes_text, thousands};
use crate::editor::panels::ui::prelude::*;
use crate::editor::panels::view::legend;
use crate::editor::view::bone_list;
use keypose::assets::model::Visibility;

/// Draws both at the lower right of the viewport. Returns their rectangles.
pub fn stats_ui(ui: &Ui<'_>, area: Rect) -> Vec<Rect> {
    let mut places = Vec::new();
    let Some(model) = ui.model() else { return places };
    let _font = ui.with_font(ui.fonts.small);
    let (right, mut bottom) = (area.max[0] - 10.0, area.max[1] - 10.0);
    if let Some(legend) = legend::legend(ui, model, [right, bottom]) {
        bottom = legend.min[1] - 6.0;
        places.push(legend);
    }
    if ui.session.is_on(Switch::Stats) && ui.session.is_on(Switch::Overlays) {
        places.extend(figures(ui, &Stats::of(model), [right, bottom], area.min[1] + 110.0));
    }
    places
}

/// Statistics of a model, without hidden meshes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Stats {
    pub bones: usize,
    pub meshes: usize,
    pub vertices: usize,
    pub triangles: usize,
    pub clips: usize,
    pub keyframes: usize,
    pub keys: usize,
    /// Size in memory.
    pub bytes: usize,
}

impl Stats {
    /// Counts the parts of a model.
    pub fn of(model: &Arc<Model>) -> Stats {
        let shown = || model.meshes.iter().filter(|slot| slot.visibility == Visibility::Shown).map(|slot| &slot.mesh);
        let keyframes = || model.clips.iter().flat_map(|slot| &slot.clip.keyframes);
        Stats {
            bones: bone_list::bone_count(model),
            meshes: shown().count(),
            vertices: model.shown_vertices(),
            triangles: shown().map(|mesh| mesh.indices.len() / 3).sum(),
            clips: model.clips.len(),
            keyframes: keyframes().count(),
            keys: keyframes().map(|keyframe| keyframe.keys.len()).sum(),
            bytes: size::model_bytes(model),
        }
    }

    /// The names and values, as text.
    pub fn rows(&self) -> [(&'static str, String); 8] {
        [
            ("Bones", thousands(self.bones)),
            ("Meshes", thousands(self.meshes)),
            ("Vertices", thousands(self.vertices)),
            ("Triangles", thousands(self.triangles)),
            ("Clips", thousands(self.clips)),
            ("Keyframes", thousands(self.keyframes)),
            ("Keys", thousands(self.keys)),
            ("In memory", bytes_text(self.bytes)),
        ]
    }
}

/// Height of a row of figures.
const ROW: f32 = 17.0;

/// Draws a table from its bottom right, without the rows above `top`.
fn figures(ui: &Ui<'_>, stats: &Stats, [right, bottom]: [f32; 2], top: f32) -> Option<Rect> {
    let rows = stats.rows();
    let room = ((bottom - top - 12.0) / ROW).floor().max(0.0) as usize;
    let rows = &rows[..room.min(rows.len())];
    if rows.is_empty() {
        return None;
    }
    let width = |text: &str| ui.calc_text_size(text)[0];
    let names = rows.iter().map(|row| width(row.0)).fold(0.0_f32, f32::max);
    let values = rows.iter().map(|row| width(&row.1)).fold(0.0_f32, f32::max);
    let high = rows.len() as f32 * ROW + 12.0;
    let table = Rect { min: [right - names - values - 36.0, bottom - high], max: [right, bottom] };
    ui.fill(table, faded(ui.theme.bar, 0.82), 6.0);
    ui.mark(|| "stats".into(), table);
    for (at, (name, value)) in rows.iter().enumerate() {
        let y = table.min[1] + 6.0 + at as f32 * ROW;
        let row = Rect { min: [table.min[0] + 10.0, y], max: [table.max[0] - 10.0, y + ROW] };
        ui.text_in(row, Align::Left, ui.theme.quiet, name);
        ui.text_in(row, Align::Right, ui.theme.text, value);
    }
    Some(table)
}
