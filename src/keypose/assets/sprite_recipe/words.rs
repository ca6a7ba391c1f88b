//! Sprite recipes as words: the options of `keypose sprites`, each with its value. Archives store them so, and scripts set them.

use crate::assets::sprite_recipe::{
    JsonForm, Layer, Outline, Rgb, SheetFormat, SpriteAngle, SpriteCamera, SpriteColors, SpriteRecipe, SpriteSize,
    Take, Up,
};

/// The options that are on or off: the layers are in the order of [`Layer::ALL`].
pub const SWITCHES: [&str; 12] = [
    "mirror",
    "every-frame",
    "inner-lines",
    "dither",
    "normals",
    "emission",
    "depth",
    "mask",
    "silhouette",
    "shadow",
    "attachments",
    "power-of-two",
];

/// The options of a recipe that aren't defaults, as `--option=value`.
pub fn words_of(recipe: &SpriteRecipe) -> Vec<String> {
    let defaults = values(&SpriteRecipe::default());
    let set = values(recipe).into_iter().filter(|value| !defaults.contains(value));
    set.map(|(option, value)| format!("--{option}={value}")).collect()
}

/// The options that a recipe needs, with their values.
fn values(recipe: &SpriteRecipe) -> Vec<(&'static str, String)> {
    let mut values = Vec::new();
    let mut put = |option, value: String| values.push((option, value));
    recipe.clips.iter().for_each(|clip| put("clip", clip.clone()));
    match recipe.take {
        Take::Poses => {}
        Take::Between(count) => put("between", count.to_string()),
        Take::Rate(fps) => put("fps", fps.to_string()),
    }
    put("directions", recipe.directions.to_string());
    match recipe.angle {
        SpriteAngle::Auto => {}
        SpriteAngle::Of(camera) => put("camera", camera.name().to_owned()),
        SpriteAngle::Degrees(degrees) => put("elevation", degrees.to_string()),
    }
    match recipe.size {
        SpriteSize::Height(pixels) => put("height", pixels.to_string()),
        SpriteSize::Scale(scale) => put("scale", scale.to_string()),
    }
    put("mirror", on_or_off(recipe.is_mirrored));
    put("every-frame", on_or_off(!recipe.is_stable));
    put("shades", recipe.shades.to_string());
    put("outline", recipe.outline.name().to_owned());
    put("outline-color", recipe.outline_color.map_or("auto".to_owned(), color_text));
    put("inner-lines", on_or_off(recipe.has_inner_lines));
    put("dither", on_or_off(recipe.is_dithered));
    match &recipe.colors {
        SpriteColors::All => {}
        SpriteColors::Count(count) => put("palette", count.to_string()),
        SpriteColors::Of(colors) => put("palette", color_list(colors)),
    }
    recipe.swaps.iter().for_each(|(name, colors)| put("swap", format!("{name}:{}", color_list(colors))));
    recipe.layers.iter().for_each(|layer| put(layer.name(), on_or_off(true)));
    put("normals-up", recipe.normals_up.name().to_owned());
    put("formats", recipe.formats.iter().map(|format| format.name()).collect::<Vec<_>>().join(","));
    put("json-form", recipe.json_form.name().to_owned());
    put("padding", recipe.padding.to_string());
    put("extrude", recipe.extrusion.to_string());
    put("power-of-two", on_or_off(recipe.is_power_of_two));
    put("max-size", recipe.max_side.to_string());
    put("output", recipe.output.clone());
    values
}

impl SpriteRecipe {
    /// The recipe that words say.
    ///
    /// # Errors
    ///
    /// If an option is unknown or its value is out of range: a sentence with the option.
    pub fn of_words(words: &[String]) -> Result<SpriteRecipe, String> {
        let mut recipe = SpriteRecipe::default();
        for word in words {
            let (option, value) = word
                .strip_prefix("--")
                .and_then(|word| word.split_once('='))
                .ok_or_else(|| format!("{word}: expected --option=value"))?;
            recipe.set(option, value)?;
        }
        recipe.check().map(|()| recipe)
    }

    /// Sets an option of `keypose sprites` to a value as text.
    ///
    /// # Errors
    ///
    /// A sentence with the option and the values that it takes.
    pub fn set(&mut self, option: &str, value: &str) -> Result<(), String> {
        self.set_value(option, value).map_err(|reason| format!("--{option} {value}: {reason}"))
    }

    fn set_value(&mut self, option: &str, value: &str) -> Result<(), String> {
        match option {
            "clips" => self.clips = parts(value).map(str::to_owned).collect(),
            "clip" => self.clips.push(value.to_owned()),
            "between" => {
                let count = whole(value, 0, 60, "use 0 to 60 poses between two keyframes")?;
                self.take = if count == 0 { Take::Poses } else { Take::Between(count) };
            }
            "fps" => self.take = Take::Rate(number(value, 1.0, 60.0, "use 1 to 60 frames per second")?),
            "directions" => {
                let known = SpriteRecipe::DIRECTIONS.into_iter().find(|count| count.to_string() == value);
                self.directions = known.ok_or("use 1, 2, 4, 8 or 16")?;
            }
            "camera" if value == "auto" => self.angle = SpriteAngle::Auto,
            "camera" => self.angle = SpriteAngle::Of(named(value, &SpriteCamera::ALL, SpriteCamera::name)?),
            "elevation" => {
                let degrees = number(value, 0.0, 90.0, "the camera is 0 to 90 degrees above the ground")?;
                self.angle = SpriteAngle::Degrees(degrees);
            }
            "height" => self.size = SpriteSize::Height(whole(value, 8, 512, "sprites are 8 to 512 pixels high")?),
            "scale" => {
                self.size = SpriteSize::Scale(number(value, 0.01, 10_000.0, "use 0.01 to 10000 pixels per unit")?);
            }
            "mirror" => self.is_mirrored = is_on(value)?,
            "every-frame" => self.is_stable = !is_on(value)?,
            "swap" => self.set_swap(value)?,
            _ => return self.set_look(option, value),
        }
        Ok(())
    }

    fn set_look(&mut self, option: &str, value: &str) -> Result<(), String> {
        match option {
            "shades" => self.shades = whole(value, 1, 5, "use 1 to 5")?,
            "outline" => self.outline = named(value, &Outline::ALL, Outline::name)?,
            "outline-color" if value == "auto" => self.outline_color = None,
            "outline-color" => self.outline_color = Some(color(value)?),
            "inner-lines" => self.has_inner_lines = is_on(value)?,
            "dither" => self.is_dithered = is_on(value)?,
            "palette" => self.colors = colors(value)?,
            "normals-up" => self.normals_up = named(value, &Up::ALL, Up::name)?,
            _ => match Layer::named(option) {
                Some(layer) => self.set_layer(layer, is_on(value)?),
                None => return self.set_file(option, value),
            },
        }
        Ok(())
    }

    fn set_file(&mut self, option: &str, value: &str) -> Result<(), String> {
        match option {
            "formats" => {
                self.formats.clear();
                for name in parts(value) {
                    self.set_format(named(name, &SheetFormat::ALL, SheetFormat::name)?, true);
                }
            }
            "json-form" => self.json_form = named(value, &JsonForm::ALL, JsonForm::name)?,
            "padding" => self.padding = whole(value, 0, 64, "use 0 to 64 pixels")?,
            "extrude" => self.extrusion = whole(value, 0, 16, "use 0 to 16 pixels")?,
            "power-of-two" => self.is_power_of_two = is_on(value)?,
            "max-size" => self.max_side = whole(value, 64, 16_384, "use 64 to 16384 pixels")?,
            "output" => self.output = output(value)?,
            _ => return Err("unknown option".to_owned()),
        }
        Ok(())
    }

    /// Adds or replaces the swap of a name; removes it if there are no colours.
    fn set_swap(&mut self, value: &str) -> Result<(), String> {
        let (name, colors) = value.rsplit_once(':').ok_or("expected a name, a colon and colours")?;
        let colors = parts(colors).map(color).collect::<Result<Vec<Rgb>, String>>()?;
        if colors.is_empty() {
            self.swaps.remove(name);
        } else {
            self.swaps.insert(name.to_owned(), colors);
        }
        Ok(())
    }

    /// Checks what the values of several options, or of one that was set directly, have to fulfil.
    pub fn check(&self) -> Result<(), String> {
        let ensure = |holds: bool, reason: &str| if holds { Ok(()) } else { Err(reason.to_owned()) };
        let words = words_of(self);
        let bytes = words.iter().map(String::len).sum::<usize>();
        ensure(bytes <= SpriteRecipe::MAX_BYTES, "the sprite recipe has too many clips or palette swaps")?;
        ensure(self.swaps.is_empty() || self.colors != SpriteColors::All, "a palette swap needs a palette")?;
        let written = words.iter().try_fold(SpriteRecipe::default(), |mut read, word| {
            let (option, value) = word.trim_start_matches('-').split_once('=').unwrap_or_default();
            read.set_value(option, value).map(|()| read)
        });
        written.and_then(|read| ensure(read == *self, "a value of the sprite recipe can't be stored"))
    }
}

fn parts(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').map(str::trim).filter(|part| !part.is_empty())
}

fn whole(text: &str, min: u32, max: u32, reason: &str) -> Result<u32, String> {
    text.parse().ok().filter(|value| (min..=max).contains(value)).ok_or_else(|| reason.to_owned())
}

fn number(text: &str, min: f32, max: f32, reason: &str) -> Result<f32, String> {
    text.parse().ok().filter(|value| (min..=max).contains(value)).ok_or_else(|| reason.to_owned())
}

fn named<T: Copy>(name: &str, all: &[T], name_of: fn(T) -> &'static str) -> Result<T, String> {
    let names = || all.iter().map(|one| name_of(*one)).collect::<Vec<_>>().join(", ");
    all.iter().copied().find(|one| name_of(*one) == name).ok_or_else(|| format!("use one of {}", names()))
}

fn is_on(text: &str) -> Result<bool, String> {
    match text {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err("use on or off".to_owned()),
    }
}

fn on_or_off(is_on: bool) -> String {
    if is_on { "on" } else { "off" }.to_owned()
}

fn colors(text: &str) -> Result<SpriteColors, String> {
    let max = SpriteRecipe::MAX_COLORS;
    if text == "all" {
        return Ok(SpriteColors::All);
    }
    // A colour has six digits.
    if let Some(count) = text.parse().ok().filter(|_| text.len() < 6) {
        let count = Some(count).filter(|count| (2..=max).contains(count));
        return count.map(SpriteColors::Count).ok_or_else(|| format!("a palette has 2 to {max} colours"));
    }
    let list = parts(text).map(color).collect::<Result<Vec<Rgb>, String>>()?;
    let is_different = list.iter().enumerate().all(|(at, color)| !list.iter().take(at).any(|other| other == color));
    match list.len() {
        count if (1..=max).contains(&count) && is_different => Ok(SpriteColors::Of(list)),
        _ => Err(format!("a palette has 1 to {max} different colours")),
    }
}

fn color(text: &str) -> Result<Rgb, String> {
    let is_hex = text.len() == 6 && text.bytes().all(|digit| digit.is_ascii_hexdigit());
    let number = u32::from_str_radix(text, 16).ok().filter(|_| is_hex);
    let [_, r, g, b] = number.ok_or("a colour has six hexadecimal digits")?.to_be_bytes();
    Ok([r, g, b])
}

fn color_text([r, g, b]: Rgb) -> String {
    format!("{r:02x}{g:02x}{b:02x}")
}

/// Colours as six hexadecimal digits each, with commas between.
pub fn color_list(colors: &[Rgb]) -> String {
    colors.iter().map(|color| color_text(*color)).collect::<Vec<_>>().join(",")
}

/// The names of files in a folder beside the archive: on every system, and never an absolute path.
fn output(text: &str) -> Result<String, String> {
    let is_allowed = |letter: char| !letter.is_control() && !"\\:*?\"<>|".contains(letter);
    let is_name = |part: &str| !part.is_empty() && part.chars().all(is_allowed);
    let ends_in_name = !["", ".", ".."].contains(&text.rsplit('/').next().unwrap_or_default());
    if text.is_empty() || text.len() <= 1024 && text.split('/').all(is_name) && ends_in_name {
        Ok(text.to_owned())
    } else {
        Err("use a name, or a path that starts in the folder of the archive, such as sheets/knight".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn words_come_back_as_they_were() {
        let all = "--clip=walk --clip=a,b --between=2 --directions=8 --elevation=42.5 --scale=24.5 --every-frame=on --shades=5 \
            --outline=outside --outline-color=1a1c2c --inner-lines=on --dither=on --palette=ff004d,1d2b53 \
            --swap=blue:team:0000ff,00ffff --swap=red:ff0000,00ff00 --normals=on --shadow=on --normals-up=y-down \
            --formats=aseprite,apng --json-form=hash --padding=0 --extrude=2 --power-of-two=on --max-size=512 \
            --output=../game/knight";
        let recipe = SpriteRecipe::of_words(&words(all)).unwrap();
        assert_eq!(words_of(&recipe), words(all));
        for text in ["", "--fps=12.5", "--camera=isometric", "--palette=24", "--formats="] {
            let recipe = SpriteRecipe::of_words(&words(text)).unwrap();
            assert_eq!(words_of(&recipe), words(text));
            assert_eq!(recipe.is_default(), text.is_empty());
        }
    }

    #[test]
    fn a_later_word_replaces_an_earlier_one() {
        let mut recipe =
            SpriteRecipe::of_words(&words("--clip=walk --scale=20 --fps=12 --swap=a:ff0000 --palette=24")).unwrap();
        for (option, value) in
            [("clips", "run, hop"), ("height", "64"), ("between", "0"), ("swap", "a:"), ("palette", "all")]
        {
            recipe.set(option, value).unwrap();
        }
        assert_eq!(words_of(&recipe), ["--clip=run", "--clip=hop", "--height=64"]);
    }

    #[test]
    fn wrong_values_are_a_sentence() {
        let cases = "--height=7 --height=513 --height=a --scale=nan --scale=0 --fps=0 --fps=61 --between=61 --directions=3 \
            --camera=front --elevation=91 --every-frame=yes --shades=0 --shades=6 --outline=on --outline-color=12 --palette=1 \
            --palette=256 --palette=ff --palette=ff0000,ff0000 --swap=a --swap=a:red --swap=a:ff0000 --normals=1 \
            --normals-up=up --formats=bmp --json-form=list --padding=65 --extrude=17 --power-of-two=2 --max-size=63 \
            --output=/etc/a --output=a/ --output=.. --output=c:a --output=a//b --colour=1 height=8 --height";
        for word in cases.split_whitespace() {
            let error = SpriteRecipe::of_words(&words(word)).unwrap_err();
            assert!(!error.is_empty() && error.lines().count() == 1, "{word}: {error}");
        }
    }
}
