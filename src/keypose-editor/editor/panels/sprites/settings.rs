//! The settings of the recipe, the palette, warnings, and the button that exports.

use std::mem::discriminant;
use std::sync::Arc;

use super::{SpriteInputs, SpritesPanel};
use crate::editor::ops::sentence::sentence;
use crate::editor::panels::ui::figures::bytes_text;
use crate::editor::panels::ui::form::Choice;
use crate::editor::panels::ui::prelude::*;
use crate::editor::session::sprites::{PaletteUse, SpriteAction};
use crate::editor::view::sprite_sheet::SheetView;
use keypose::assets::sprite_recipe::{
    Layer, Outline, Rgb, SheetFormat, SpriteAngle, SpriteCamera, SpriteColors, SpriteRecipe, SpriteSize, Take, Up,
};

/// The side of a swatch of the palette.
const SWATCH: f32 = 18.0;
/// The colours of a palette that is asked for first.
const COLORS: usize = 24;
/// Height of the part below the settings.
const FOOT: f32 = 44.0;

type Of<'f> = FormOf<'f, SpriteRecipe>;

impl SpritesPanel {
    /// Draws the settings of the active model's recipe.
    pub fn settings_ui(&mut self, ui: &Ui<'_>, inputs: &SpriteInputs<'_>) {
        let Some(model) = ui.model() else { return };
        let recipe = &*model.sprites;
        let at = ui.session.focus.model;
        let apply = |touch: Touch, step: &'static str, recipe: SpriteRecipe| {
            ui.change(touch, step, || vec![ModelEdit::SetSprites { model: at, sprites: Arc::new(recipe) }.into()]);
        };
        widgets::title(ui, &model.name, "sprite sheet");
        let warnings = inputs.sheet.map_or(&[][..], |sheet| &sheet.warnings);
        let foot = FOOT + warnings.len() as f32 * (FIELD + GAP);
        widgets::scrolled(ui, "##sprite-settings", foot, || {
            let form = Form::new(ui, "sprites-");
            let of = form.of(recipe, "Set sprite recipe", &apply);
            if self.folds.section(ui, "sprite-frames", "Frames") {
                frames(ui, &form, &of, model);
            }
            if self.folds.section(ui, "sprite-look", "Look") {
                look(&of);
            }
            if self.folds.section(ui, "sprite-palette", &palette_title(inputs.sheet)) {
                palette(ui, &form, &of, recipe, inputs.sheet);
            }
            if self.folds.section(ui, "sprite-layers", "Layers") {
                layers(&of);
            }
            if self.folds.section(ui, "sprite-files", "Files") {
                self.files(&of);
            }
        });
        foot_ui(ui, inputs, recipe);
    }

    fn files(&mut self, of: &Of<'_>) {
        let recipe = of.value();
        let tip = "Start of the names of the files, from the folder of the archive";
        let text = NameText { text: &recipe.output, empty: "asked for", tip };
        of.text("Name", text, &mut self.naming, (), |recipe, text| recipe.output = text);
        let all = SheetFormat::ALL.map(|format| (format, format_name(format), ""));
        let has = |recipe: &SpriteRecipe, format| recipe.formats.contains(&format);
        switches(of, "Formats", &all, has, SpriteRecipe::set_format);
        let number = |max: f32| Number::new("%.0f", 0.2).within(0.0, max);
        of.number("Padding", "Transparent pixels between frames", number(64.0), |recipe| &mut recipe.padding);
        of.number("Extrusion", "Pixels by which edges are repeated", number(16.0), |recipe| &mut recipe.extrusion);
        let how = number(16_384.0).within(64.0, 16_384.0);
        of.number("Max size", "Maximum width and height of the atlas", how, |recipe| &mut recipe.max_side);
        let sides = [(false, "Any", "The smallest atlas"), (true, "Powers of 2", "For engines that need it")];
        of.choice("Sides", &sides, |recipe| &mut recipe.is_power_of_two);
    }
}

fn format_name(format: SheetFormat) -> &'static str {
    match format {
        SheetFormat::Json => "JSON",
        SheetFormat::Aseprite => "Aseprite",
        SheetFormat::Godot => "Godot",
        SheetFormat::Gif => "GIF",
        SheetFormat::Apng => "APNG",
        SheetFormat::Png => "PNG",
    }
}

/// Draws switches, three in a row.
fn switches<V: Copy>(
    of: &Of<'_>,
    label: &str,
    all: &[Choice<'_, V>],
    is_on: impl Fn(&SpriteRecipe, V) -> bool,
    set: impl Fn(&mut SpriteRecipe, V, bool),
) {
    for (at, row) in all.chunks(3).enumerate() {
        let label = if at == 0 { label } else { "" };
        if let Some(switch) = of.form().switches(label, row, |switch| is_on(of.value(), switch)) {
            let mut changed = of.value().clone();
            set(&mut changed, switch, !is_on(of.value(), switch));
            of.set(changed);
        }
    }
}

/// Draws the choice of a kind, whose number has a field of its own.
fn kinds<V: Copy>(of: &Of<'_>, label: &str, all: &[Choice<'_, V>], part: fn(&mut SpriteRecipe) -> &mut V) {
    let mut recipe = of.value().clone();
    let now = discriminant(part(&mut recipe));
    let picked = of.form().switches(label, all, |kind| discriminant(&kind) == now);
    if let Some(kind) = picked.filter(|kind| discriminant(kind) != now) {
        *part(&mut recipe) = kind;
        of.set(recipe);
    }
}

fn frames(ui: &Ui<'_>, form: &Form<'_>, of: &Of<'_>, model: &Model) {
    let recipe = of.value();
    clips(ui, form, of, model);
    let takes = [
        (Take::Poses, "Poses", "One frame for each keyframe, for its duration"),
        (Take::Rate(12.0), "Rate", "Frames at a fixed rate"),
        (Take::Between(1), "+ n", "Keyframes, and poses between them"),
    ];
    kinds(of, "Take", &takes, |recipe| &mut recipe.take);
    of.field(|form, recipe| match &mut recipe.take {
        Take::Poses => Touch::default(),
        Take::Rate(fps) => form.number("Rate", "Frames per second", Number::new("%.1f", 0.1).within(1.0, 60.0), fps),
        Take::Between(count) => {
            form.number("Between", "Poses between two keyframes", Number::new("%.0f", 0.1).within(1.0, 60.0), count)
        }
    });
    let directions =
        SpriteRecipe::DIRECTIONS.map(|count| (count, ["1", "2", "4", "8", "16"][count.ilog2() as usize], ""));
    of.choice("Directions", &directions, |recipe| &mut recipe.directions);
    if recipe.directions > 1 {
        let sides = [(false, "True", "Each side is rendered"), (true, "Mirrored", "A sword changes hands")];
        of.choice("Left sides", &sides, |recipe| &mut recipe.is_mirrored);
    }
    let own = if let SpriteAngle::Degrees(_) = recipe.angle { recipe.angle } else { SpriteAngle::Degrees(45.0) };
    let cameras = SpriteCamera::ALL.map(SpriteAngle::Of);
    let cameras = [SpriteAngle::Auto].into_iter().chain(cameras).chain([own]);
    let names = ["Automatic", "Side", "Three-quarter", "Top-down", "Isometric", "Own angle"];
    let cameras: Vec<(SpriteAngle, &str)> = cameras.zip(names).collect();
    of.menu("Camera", &cameras, |recipe| &mut recipe.angle);
    of.field(|form, recipe| match &mut recipe.angle {
        SpriteAngle::Degrees(degrees) => {
            let how = Number::new("%.0f", 0.2).within(0.0, 90.0).unit("°");
            form.number("Angle", "Angle of the camera above the ground", how, degrees)
        }
        SpriteAngle::Auto | SpriteAngle::Of(_) => Touch::default(),
    });
}

/// Draws the list of clips, of which each can be chosen.
fn clips(ui: &Ui<'_>, form: &Form<'_>, of: &Of<'_>, model: &Model) {
    let recipe = of.value();
    let text = if recipe.clips.is_empty() { "All clips".to_owned() } else { recipe.clips.join(", ") };
    let clicked = form.row("Clips", |field| {
        let _list = widgets::dropdown(ui, "sprites-clips", &text, ui.theme.text, field.width())?;
        if menu::choice(ui, "All clips", recipe.clips.is_empty()) {
            return Some(None);
        }
        let is_clicked = |name: &&String| menu::choice(ui, name, recipe.clips.contains(name));
        let names = model.clips.iter().map(|slot| &slot.clip.name);
        // Clips that are gone are listed, so that they can be left out.
        let gone = recipe.clips.iter().filter(|name| model.clip_named(name).is_none());
        let clicked: Vec<&String> = names.chain(gone).filter(is_clicked).collect();
        clicked.first().map(|name| Some((*name).clone()))
    });
    let Some(clicked) = clicked else { return };
    let mut changed = recipe.clone();
    match clicked {
        None => changed.clips.clear(),
        Some(name) if recipe.clips.contains(&name) => changed.clips.retain(|clip| *clip != name),
        Some(name) => changed.clips.push(name),
    }
    of.set(changed);
}

fn look(of: &Of<'_>) {
    let (form, recipe) = (of.form(), of.value());
    let sizes = [
        (SpriteSize::Height(48), "Height", "Height of the standing model in pixels"),
        (SpriteSize::Scale(24.0), "Scale", "Pixels per unit of the model"),
    ];
    kinds(of, "Size by", &sizes, |recipe| &mut recipe.size);
    of.field(|form, recipe| match &mut recipe.size {
        SpriteSize::Height(height) => {
            let how = Number::new("%.0f", 0.2).within(8.0, 512.0).unit("px").or(48.0);
            form.number("Height", "Height of the standing model in pixels", how, height)
        }
        SpriteSize::Scale(scale) => {
            let how = Number::new("%.1f", 0.1).within(0.01, 10_000.0);
            form.number("Scale", "Pixels per unit of the model", how, scale)
        }
    });
    let shades =
        [1, 2, 3, 4, 5].map(|count: u32| (count, ["1", "2", "3", "4", "5"][count as usize - 1], "Steps of light"));
    of.choice("Shades", &shades, |recipe| &mut recipe.shades);
    let outlines = [
        (Outline::None, "None", "No outline"),
        (Outline::Inside, "In", "On the outermost pixels of the body"),
        (Outline::Outside, "Out", "Around the body"),
    ];
    of.choice("Outline", &outlines, |recipe| &mut recipe.outline);
    let colors = [(false, "Darker", "A darker tone of the body"), (true, "Own", "One colour")];
    let mut has_color = recipe.outline_color.is_some();
    if recipe.outline != Outline::None && form.choice("Line", &colors, &mut has_color).is_changed {
        of.set(SpriteRecipe { outline_color: has_color.then_some([0x1a, 0x1c, 0x2c]), ..recipe.clone() });
    }
    of.field(|form, recipe| match &mut recipe.outline_color {
        Some(color) if recipe.outline != Outline::None => form.color("Colour", color),
        _ => Touch::default(),
    });
    let styles: [Choice<'_, Part>; 3] = [
        (|recipe| &mut recipe.has_inner_lines, "Inner lines", "Lines where one part is in front of another"),
        (|recipe| &mut recipe.is_dithered, "Dither", "Blend steps of light in a pattern"),
        (|recipe| &mut recipe.is_stable, "Stable", "A pose that moves by less than half a pixel keeps its pixels"),
    ];
    let is_on = |recipe: &SpriteRecipe, part: Part| *part(&mut recipe.clone());
    switches(of, "Pixels", &styles, is_on, |recipe, part, is_on| *part(recipe) = is_on);
}

/// A part of the recipe that is on or off.
type Part = fn(&mut SpriteRecipe) -> &mut bool;

fn palette_title(sheet: Option<&SheetView>) -> String {
    sheet.map_or("Palette".to_owned(), |sheet| format!("Palette · {} colours", sheet.sprites.colors))
}

fn palette(ui: &Ui<'_>, form: &Form<'_>, of: &Of<'_>, recipe: &SpriteRecipe, sheet: Option<&SheetView>) {
    let kinds =
        [(0, "As drawn", "All colours"), (1, "Count", "A number of colours"), (2, "Given", "The colours of a file")];
    let mut kind = match recipe.colors {
        SpriteColors::All => 0,
        SpriteColors::Count(_) => 1,
        SpriteColors::Of(_) => 2,
    };
    let load = |purpose| ui.send(SpriteAction::Load(purpose, None));
    if form.choice("Colours", &kinds, &mut kind).is_changed {
        match kind {
            0 => of.set(SpriteRecipe { colors: SpriteColors::All, swaps: Default::default(), ..recipe.clone() }),
            1 => of.set(SpriteRecipe { colors: SpriteColors::Count(COLORS), ..recipe.clone() }),
            _ => load(PaletteUse::Palette),
        }
    }
    of.field(|form, recipe| match &mut recipe.colors {
        SpriteColors::Count(count) => {
            let how = Number::new("%.0f", 0.1).within(2.0, SpriteRecipe::MAX_COLORS as f32);
            form.number("Number", "Number of colours", how, count)
        }
        SpriteColors::All | SpriteColors::Of(_) => Touch::default(),
    });
    // Thousands of colours as drawn say nothing.
    if let Some(sheet) = sheet.filter(|sheet| sheet.sprites.colors <= SpriteRecipe::MAX_COLORS) {
        swatches(ui, sheet.sprites.palette.colors());
    }
    let buttons = [
        Button::new("Load…", "load-palette", "Use the colours of a file: .gpl, .hex, .pal or .png"),
        Button::new("Swap…", "swap-palette", "Also make the sheet in the colours of a file, in the same order")
            .enabled(recipe.colors != SpriteColors::All),
    ];
    match form.buttons(&buttons) {
        Some(0) => load(PaletteUse::Palette),
        Some(_) if recipe.colors != SpriteColors::All => load(PaletteUse::Swap),
        _ => {}
    }
    for name in recipe.swaps.keys() {
        let text = format!("Remove swap {name}");
        if form.buttons(&[Button::new(&text, &format!("remove-swap-{name}"), "")]).is_some() {
            let mut changed = recipe.clone();
            changed.swaps.remove(name);
            of.set(changed);
        }
    }
}

fn swatches(ui: &Ui<'_>, colors: &[Rgb]) {
    let columns = ((ui.room() + 3.0) / (SWATCH + 3.0)).floor().max(1.0) as usize;
    for row in colors.chunks(columns) {
        let mut line = ui.take_line(SWATCH + 3.0);
        for color in row {
            let place = line.cut_left(SWATCH, 3.0).top(SWATCH);
            let [r, g, b] = color.map(|part| f32::from(part) / 255.0);
            ui.fill(place, [r, g, b, 1.0], 2.0);
            if place.contains(ui.io().mouse_pos) {
                ui.tooltip_text(format!("#{:02x}{:02x}{:02x}", color[0], color[1], color[2]));
            }
        }
    }
    ui.dummy([0.0, GAP]);
}

/// The layers with their labels.
const LAYERS: [Choice<'static, Layer>; 7] = [
    (Layer::Normals, "Normals", "For light in the game"),
    (Layer::Emission, "Emission", "The light that materials emit"),
    (Layer::Depth, "Depth", "Near is bright"),
    (Layer::Mask, "Mask", "A colour for each material"),
    (Layer::Silhouette, "Silhouette", "The body in white"),
    (Layer::Shadow, "Shadow", "On the ground, for cameras from above"),
    (Layer::Attachments, "Attachments", "What sockets hold, which the colours then lack"),
];

/// The label of an image of a sheet: that of its layer, or the name of a palette swap.
pub fn image_label(name: &str) -> &str {
    let layer = LAYERS.iter().find(|(layer, ..)| layer.name() == name).map(|(_, label, _)| *label);
    layer.unwrap_or(if name.is_empty() { "Colours" } else { name })
}

fn layers(of: &Of<'_>) {
    switches(of, "Images", &LAYERS, |recipe, layer| recipe.layers.contains(&layer), SpriteRecipe::set_layer);
    if of.value().layers.contains(&Layer::Normals) {
        let ups = [(Up::Y, "Y up", "As Godot and Unity expect it"), (Up::NegativeY, "Y down", "As Unreal expects it")];
        of.choice("Green", &ups, |recipe| &mut recipe.normals_up);
    }
}

/// Draws the warnings, the bytes, and the button that exports.
fn foot_ui(ui: &Ui<'_>, inputs: &SpriteInputs<'_>, recipe: &SpriteRecipe) {
    for (at, warning) in inputs.sheet.iter().flat_map(|sheet| &sheet.warnings).enumerate() {
        let mut line = ui.take_line(FIELD + GAP);
        ui.text_in(line.cut_left(20.0, 0.0), Align::Left, ui.theme.hurt, &icon(Icon::TriangleAlert));
        if widgets::button_at(ui, line.cut_right(54.0, GAP).top(FIELD), &format!("Show##show-warning{at}"), Tone::Bare)
        {
            ui.send(SpriteAction::Pick(warning.frame));
        }
        ui.text_in(line, Align::Left, ui.theme.hurt, &sentence(&warning.text));
        ui.mark(|| format!("warning: {}", warning.text), line);
    }
    let mut line = ui.take_line(FOOT - GAP).trim_top(GAP);
    let can_export = inputs.sheet.is_some_and(|sheet| sheet.packed.is_some()) && inputs.progress.is_none();
    let tone = if can_export { Tone::On } else { Tone::Off };
    if widgets::button_at(ui, line.cut_right(100.0, GAP), "Export##export-sprites", tone) && can_export {
        ui.send(SpriteAction::Export(None));
    }
    ui.tip(if recipe.output.is_empty() { "Choose a place and write the files" } else { "Write the files" }, "");
    let formats = recipe.formats.iter().map(|format| format_name(*format));
    let formats = std::iter::once("PNG").chain(formats).collect::<Vec<_>>().join(", ");
    let size = inputs.sheet.map_or(String::new(), |sheet| bytes_text(sheet.bytes));
    ui.text_in_font(ui.fonts.small, line, Align::Left, ui.theme.quiet, &format!("{size}  {formats}"));
}
