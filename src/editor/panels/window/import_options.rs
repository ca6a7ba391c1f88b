//! The options of an import, in the file browser beside the preview that shows their effect.

use lucide_icons::Icon;

use crate::anim::time::FrameRate;
use crate::assets::import_options::axes::Axis;
use crate::assets::import_options::{Chosen, ClipFit, ImportOptions, Normals};
use crate::editor::panels::ui::Ui;
use crate::editor::panels::ui::frame::{Align, icon};
use crate::editor::panels::ui::menu;
use crate::editor::panels::ui::number_field::{self, Number};
use crate::editor::panels::ui::rect::Rect;
use crate::editor::panels::ui::widgets::{self, FIELD, Tone};

/// Width of the labels.
const LABEL: f32 = 84.0;
/// Space between rows.
const GAP: f32 = 5.0;

/// The frame rates that are offered.
const RATES: [u32; 6] = [24, 25, 30, 50, 60, 120];
/// The errors that are offered, in metres.
const ERRORS: [(f32, &str); 5] =
    [(0.0001, "0.1 mm"), (0.0005, "0.5 mm"), (0.001, "1 mm"), (0.005, "5 mm"), (0.02, "2 cm")];
/// The minimum weights of influences that are offered.
const WEIGHTS: [(f32, &str); 5] =
    [(0.0, "Keep all"), (0.001, "From 0.001"), (0.01, "From 0.01"), (0.02, "From 0.02"), (0.05, "From 0.05")];
/// The normals that are offered.
const NORMALS: [(Normals, &str); 4] = [
    (Normals::Keep, "Of the file"),
    (Normals::Flat, "Flat"),
    (Normals::Smooth(60.0), "Smooth to 60°"),
    (Normals::Smooth(180.0), "Smooth"),
];

/// The names of what can be left out.
#[derive(Clone, Copy, Debug, Default)]
pub struct Names<'a> {
    /// Names of meshes.
    pub meshes: &'a [String],
    /// Names of clips.
    pub clips: &'a [String],
}

/// The rows of the options.
struct Rows<'u, 'a> {
    ui: &'u Ui<'a>,
    rest: Rect,
    /// Whether a list of choices is open, which needs the keyboard.
    has_list: bool,
}

/// Draws the options, which the caller lets scroll. Returns whether a list of choices is open.
pub fn import_ui(ui: &Ui<'_>, rect: Rect, options: &mut ImportOptions, names: Names<'_>) -> bool {
    let mut rows = Rows { ui, rest: rect, has_list: false };
    scale_ui(&mut rows, options);
    axes_ui(&mut rows, options);
    normals_ui(&mut rows, options);
    influences_ui(&mut rows, options);
    rate_ui(&mut rows, options);
    error_ui(&mut rows, options);
    fit_ui(&mut rows, options);
    let (row, tone) = (rows.rest.cut_top(FIELD, GAP + 3.0), if options.is_default() { Tone::Off } else { Tone::Plain });
    if widgets::button_at(ui, row, "Reset options##import-reset", tone) {
        *options = ImportOptions::default();
    }
    names_ui(&mut rows, ("Meshes", names.meshes), &mut options.meshes);
    names_ui(&mut rows, ("Clips", names.clips), &mut options.clips);
    ui.end_at(rows.rest.min);
    rows.has_list
}

/// Draws a label and returns the place of its field.
fn row(rows: &mut Rows<'_, '_>, label: &str) -> Rect {
    let (ui, mut row) = (rows.ui, rows.rest.cut_top(FIELD, GAP));
    ui.text_in(row.cut_left(LABEL, 0.0), Align::Left, ui.theme.quiet, label);
    ui.set_cursor_screen_pos(row.min);
    row
}

fn scale_ui(rows: &mut Rows<'_, '_>, options: &mut ImportOptions) {
    let (ui, field) = (rows.ui, row(rows, "Scale"));
    let (min, max) = (*ImportOptions::SCALES.start(), *ImportOptions::SCALES.end());
    let how = Number { range: [min, max], ..Number::new("%.4g", 0.01).with_reset() };
    let touch = number_field::number(ui, "import-scale", field.width(), &mut options.scale, how);
    if touch.is_reset {
        options.scale = 1.0;
    }
    number_field::number_tip(ui, "Factor of all lengths: 0.01 for a model in centimetres");
}

/// A dropdown of values. Returns a newly chosen one.
fn choice<T: Copy + PartialEq>(
    rows: &mut Rows<'_, '_>,
    (label, id): (&str, &str),
    all: &[(T, String)],
    chosen: T,
) -> Option<T> {
    let (ui, field) = (rows.ui, row(rows, label));
    let name = all.iter().find(|(value, _)| *value == chosen).map_or("Other", |(_, name)| name);
    let _list = widgets::dropdown(ui, id, name, ui.theme.text, field.width())?;
    rows.has_list = true;
    let mut other = None;
    for (value, name) in all {
        if menu::choice(ui, &format!("{name}##{id}"), *value == chosen) {
            other = Some(*value);
        }
        ui.item(&format!("{id}-{name}"));
    }
    other
}

fn axes_ui(rows: &mut Rows<'_, '_>, options: &mut ImportOptions) {
    let name = |axis: Axis| axis.name().to_uppercase();
    let ups = Axis::ALL.map(|axis| (axis, if axis == Axis::Y { "Y (of the file)".into() } else { name(axis) }));
    if let Some(up) = choice(rows, ("Up axis", "import-up"), &ups, options.axes.up) {
        options.axes.up = up;
        options.axes.forward = None;
    }
    let usual = options.axes.up.usual_forward();
    let across = Axis::ALL.into_iter().filter(|axis| !axis.is_along(options.axes.up));
    let fronts: Vec<(Axis, String)> = across.map(|axis| (axis, name(axis))).collect();
    if let Some(front) = choice(rows, ("Front axis", "import-forward"), &fronts, options.axes.forward()) {
        options.axes.forward = (front != usual).then_some(front);
    }
}

fn normals_ui(rows: &mut Rows<'_, '_>, options: &mut ImportOptions) {
    let all = NORMALS.map(|(normals, name)| (normals, name.to_owned()));
    if let Some(normals) = choice(rows, ("Normals", "import-normals"), &all, options.normals) {
        options.normals = normals;
    }
}

fn influences_ui(rows: &mut Rows<'_, '_>, options: &mut ImportOptions) {
    let name = |count: usize| if count == 8 { "8 (all)".to_owned() } else { count.to_string() };
    let all: Vec<(usize, String)> = (1..=ImportOptions::MAX_INFLUENCES).map(|count| (count, name(count))).collect();
    if let Some(count) = choice(rows, ("Influences", "import-influences"), &all, options.influences) {
        options.influences = count;
    }
    let all = WEIGHTS.map(|(weight, name)| (weight, name.to_owned()));
    if let Some(weight) = choice(rows, ("Weights", "import-weights"), &all, options.min_weight) {
        options.min_weight = weight;
    }
}

fn rate_ui(rows: &mut Rows<'_, '_>, options: &mut ImportOptions) {
    let rates = RATES.map(|rate| (FrameRate::new(rate, 1), format!("{rate} fps")));
    let all: Vec<_> = std::iter::once((None, "Of the file".to_owned())).chain(rates).collect();
    if let Some(rate) = choice(rows, ("Frame rate", "import-rate"), &all, options.frame_rate) {
        options.frame_rate = rate;
    }
}

fn error_ui(rows: &mut Rows<'_, '_>, options: &mut ImportOptions) {
    let errors = ERRORS.map(|(error, name)| (Some(error), format!("Within {name}")));
    let all: Vec<_> = std::iter::once((None, "Keep all".to_owned())).chain(errors).collect();
    if let Some(error) = choice(rows, ("Keys", "import-keys"), &all, options.max_error) {
        options.max_error = error;
    }
}

fn fit_ui(rows: &mut Rows<'_, '_>, options: &mut ImportOptions) {
    let all = [(ClipFit::Copy, "Copy rotations".to_owned()), (ClipFit::Retarget, "Fit proportions".to_owned())];
    if let Some(fit) = choice(rows, ("Added clips", "import-fit"), &all, options.clip_fit) {
        options.clip_fit = fit;
    }
}

/// Draws a list of names with check marks: what is not checked is left out.
fn names_ui(rows: &mut Rows<'_, '_>, (title, names): (&str, &[String]), chosen: &mut Chosen) {
    if names.is_empty() {
        return;
    }
    let (ui, rest) = (rows.ui, &mut rows.rest);
    let count = names.iter().filter(|name| chosen.has(name)).count();
    let text = format!("{title}: {count} of {}", names.len());
    ui.text_in(rest.cut_top(widgets::ROW, 2.0), Align::Left, ui.theme.quiet, &text);
    for name in names {
        let line = rest.cut_top(widgets::ROW, 0.0);
        ui.set_cursor_screen_pos(line.min);
        let touch = widgets::row(ui, &format!("import-{title}:{name}"), false);
        let (sign, ink) = match chosen.has(name) {
            true => (icon(Icon::Check), ui.theme.text),
            false => (String::new(), ui.theme.dim),
        };
        ui.text_in(touch.rect.left(20.0), Align::Center, ui.theme.accent, &sign);
        ui.name_in(touch.rect.trim_left(22.0), ink, name);
        if touch.is_clicked {
            chosen.toggle(name);
        }
    }
    rest.cut_top(6.0, 0.0);
}
