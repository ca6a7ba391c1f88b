//! The options of an import, in the file browser beside the preview that shows their effect.

use crate::editor::panels::ui::prelude::*;
use keypose::anim::time::FrameRate;
use keypose::assets::import_options::axes::Axis;
use keypose::assets::import_options::{Chosen, ClipFit, ImportOptions, Normals, RestFit};

/// The frame rates that are offered.
const RATES: [u32; 6] = [24, 25, 30, 50, 60, 120];
/// The maximum errors of keys that are offered, in metres.
const ERRORS: [(Option<f32>, &str); 6] = [
    (None, "Keep all"),
    (Some(0.0001), "Within 0.1 mm"),
    (Some(0.0005), "Within 0.5 mm"),
    (Some(0.001), "Within 1 mm"),
    (Some(0.005), "Within 5 mm"),
    (Some(0.02), "Within 2 cm"),
];
/// The minimum weights of influences that are offered.
const WEIGHTS: [(f32, &str); 5] =
    [(0.0, "Keep all"), (0.001, "From 0.001"), (0.01, "From 0.01"), (0.02, "From 0.02"), (0.05, "From 0.05")];
/// The normals that are offered.
const NORMALS: [(Normals, &str); 4] = [
    (Normals::Keep, "As in the file"),
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

/// Draws the options, which the caller lets scroll. Returns whether a list of choices is open.
pub fn import_ui(ui: &Ui<'_>, options: &mut ImportOptions, names: Names<'_>) -> bool {
    let form = Form::new(ui, "import-").with_whole_labels();
    let (min, max) = (*ImportOptions::SCALES.start(), *ImportOptions::SCALES.end());
    let how = Number::new("%.4g", 0.01).within(min, max).or(1.0);
    form.number("Scale", "Factor of all lengths: 0.01 for a model in centimetres", how, &mut options.scale);
    axes_ui(&form, options);
    form.menu("Normals", &NORMALS, &mut options.normals);
    let name = |count: usize| {
        if count == ImportOptions::MAX_INFLUENCES { format!("{count} (all)") } else { count.to_string() }
    };
    let counts = (1..=ImportOptions::MAX_INFLUENCES).map(|count| (count, name(count)));
    named(&form, "Influences", counts.collect(), &mut options.influences);
    form.menu("Weights", &WEIGHTS, &mut options.min_weight);
    let rates = RATES.map(|rate| (FrameRate::new(rate, 1), format!("{rate} fps")));
    let rates = std::iter::once((None, "As in the file".to_owned())).chain(rates);
    named(&form, "Frame rate", rates.collect(), &mut options.frame_rate);
    form.menu("Keys", &ERRORS, &mut options.max_error);
    let fits = [(ClipFit::Copy, "Copy rotations"), (ClipFit::Retarget, "Fit proportions")];
    form.menu("Added clips", &fits, &mut options.clip_fit);
    let rests = [(RestFit::On, "Fit to each other"), (RestFit::Off, "Keep")];
    form.menu("Rest poses", &rests, &mut options.rest_fit);
    let reset = Button::new("Reset options", "reset", "").enabled(!options.is_default());
    if form.buttons(&[reset]).is_some() {
        *options = ImportOptions::default();
    }
    names_ui(ui, "Meshes", names.meshes, &mut options.meshes);
    names_ui(ui, "Clips", names.clips, &mut options.clips);
    form.has_list()
}

/// Draws a choice whose names are made here.
fn named<T: Copy + PartialEq>(form: &Form<'_>, label: &str, all: Vec<(T, String)>, value: &mut T) {
    let all: Vec<(T, &str)> = all.iter().map(|(value, name)| (*value, name.as_str())).collect();
    form.menu(label, &all, value);
}

fn axes_ui(form: &Form<'_>, options: &mut ImportOptions) {
    let name = |axis: Axis| axis.name().to_uppercase();
    let ups = Axis::ALL.map(|axis| (axis, if axis == Axis::Y { "Y (as in the file)".into() } else { name(axis) }));
    let before = options.axes.up;
    named(form, "Up axis", ups.into(), &mut options.axes.up);
    if options.axes.up != before {
        options.axes.forward = None;
    }
    let across = Axis::ALL.into_iter().filter(|axis| !axis.is_along(options.axes.up));
    let (mut front, usual) = (options.axes.forward(), options.axes.up.usual_forward());
    named(form, "Front axis", across.map(|axis| (axis, name(axis))).collect(), &mut front);
    options.axes.forward = (front != usual).then_some(front);
}

/// Draws a list of names with check marks: what is not checked is left out.
fn names_ui(ui: &Ui<'_>, title: &str, names: &[String], chosen: &mut Chosen) {
    if names.is_empty() {
        return;
    }
    let count = names.iter().filter(|name| chosen.has(name)).count();
    ui.text_colored(ui.theme.quiet, format!("{title}: {count} of {}", names.len()));
    for name in names {
        let touch = widgets::row(ui, &format!("import-{title}:{name}"), false);
        let is_chosen = chosen.has(name);
        let sign = if is_chosen { icon(Icon::Check) } else { String::new() };
        ui.text_in(touch.rect.left(20.0), Align::Center, ui.theme.accent, &sign);
        ui.name_in(touch.rect.trim_left(22.0), if is_chosen { ui.theme.text } else { ui.theme.dim }, name);
        if touch.is_clicked {
            chosen.toggle(name);
        }
    }
    ui.dummy([0.0, GAP]);
}
