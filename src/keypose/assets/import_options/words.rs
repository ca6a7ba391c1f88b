//! Import options as words: the arguments of the command line. Archives and preferences store them so, and messages show them.

use crate::anim::time::FrameRate;
use crate::assets::import_options::axes::{Axes, Axis};
use crate::assets::import_options::{ClipFit, ImportOptions, Normals, RestFit};

/// Options as arguments: `["--scale", "0.01", "--up", "z"]`. Empty for the defaults.
pub type Words = Vec<String>;

/// Returns the words of options that aren't defaults.
pub fn words_of(options: &ImportOptions) -> Words {
    let default = ImportOptions::default();
    let mut words = Words::new();
    let mut put = |option: &str, value: String| words.extend([format!("--{option}"), value]);
    if options.scale != default.scale {
        put("scale", options.scale.to_string());
    }
    if options.axes.up != default.axes.up {
        put("up", options.axes.up.name().to_owned());
    }
    if let Some(forward) = options.axes.forward {
        put("forward", forward.name().to_owned());
    }
    for (what, chosen) in [("mesh", &options.meshes), ("clip", &options.clips)] {
        chosen.only.iter().for_each(|pattern| put(what, pattern.clone()));
        chosen.except.iter().for_each(|pattern| put(&format!("skip-{what}"), pattern.clone()));
    }
    if options.influences != default.influences {
        put("influences", options.influences.to_string());
    }
    if options.min_weight != default.min_weight {
        put("drop-weights", options.min_weight.to_string());
    }
    if options.normals != default.normals {
        put("normals", options.normals.to_string());
    }
    if let Some(rate) = options.frame_rate {
        put("frame-rate", rate.fps().to_string());
    }
    if let Some(error) = options.max_error {
        put("max-error", error.to_string());
    }
    if options.clip_fit == ClipFit::Copy {
        put("retarget", "off".to_owned());
    }
    if options.rest_fit == RestFit::Off {
        put("rest-fit", "off".to_owned());
    }
    words
}

impl ImportOptions {
    /// The options that words say.
    ///
    /// # Errors
    /// If an option is unknown or its value is missing or out of range: a sentence with the option.
    pub fn of_words(words: &[String]) -> Result<ImportOptions, String> {
        let mut options = ImportOptions::default();
        for pair in words.chunks(2) {
            let [option, value] = pair else { return Err(format!("{}: a value is missing", pair.concat())) };
            options.set(option, value).map_err(|reason| format!("{option} {value}: {reason}"))?;
        }
        options.check().map(|()| options)
    }

    fn set(&mut self, option: &str, value: &str) -> Result<(), String> {
        match option {
            "--scale" => self.scale = number(value)?,
            "--up" => self.axes.up = axis(value)?,
            "--forward" => self.axes.forward = Some(axis(value)?),
            "--mesh" => self.meshes.only.push(value.to_owned()),
            "--skip-mesh" => self.meshes.except.push(value.to_owned()),
            "--clip" => self.clips.only.push(value.to_owned()),
            "--skip-clip" => self.clips.except.push(value.to_owned()),
            "--influences" => self.influences = value.parse().map_err(|_| "not a number".to_owned())?,
            "--drop-weights" => self.min_weight = number(value)?,
            "--normals" => self.normals = value.parse()?,
            "--frame-rate" => self.frame_rate = Some(rate(value)?),
            "--max-error" => self.max_error = Some(number(value)?),
            "--retarget" => self.clip_fit = if is_on(value)? { ClipFit::Retarget } else { ClipFit::Copy },
            "--rest-fit" => self.rest_fit = if is_on(value)? { RestFit::On } else { RestFit::Off },
            _ => return Err("unknown option".to_owned()),
        }
        Ok(())
    }

    /// Checks that all values are in their ranges.
    pub fn check(&self) -> Result<(), String> {
        let ensure = |holds: bool, reason: String| if holds { Ok(()) } else { Err(reason) };
        let Axes { up, forward } = self.axes;
        let patterns = || [&self.meshes, &self.clips].into_iter().flat_map(|of| of.only.iter().chain(&of.except));
        let is_long = |pattern: &String| pattern.chars().nth(Self::MAX_LETTERS).is_some();
        let angle = match self.normals {
            Normals::Smooth(degrees) => degrees,
            Normals::Keep | Normals::Flat => 0.0,
        };
        ensure(Self::SCALES.contains(&self.scale), "--scale: use 0.000001 to 1000000".into())?;
        let is_along_up = forward.is_some_and(|forward| forward.is_along(up));
        ensure(!is_along_up, format!("--forward: the front can't be along the up axis, {}", up.name()))?;
        ensure(!patterns().any(String::is_empty), "a pattern of names is empty".into())?;
        ensure(
            patterns().count() <= Self::MAX_PATTERNS,
            format!("more than {} patterns of names", Self::MAX_PATTERNS),
        )?;
        ensure(!patterns().any(is_long), format!("a pattern of more than {} letters", Self::MAX_LETTERS))?;
        ensure((1..=Self::MAX_INFLUENCES).contains(&self.influences), "--influences: use 1 to 8".into())?;
        ensure((0.0..=1.0).contains(&self.min_weight), "--drop-weights: use 0 to 1".into())?;
        ensure((0.0..=180.0).contains(&angle), "--normals smooth: use an angle of 0 to 180".into())?;
        let is_length = self.max_error.is_none_or(|error| (0.0..=1e6).contains(&error));
        ensure(is_length, "--max-error: use a length of 0 to 1000000".into())
    }
}

impl std::fmt::Display for Normals {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Normals::Keep => f.write_str("keep"),
            Normals::Flat => f.write_str("flat"),
            Normals::Smooth(degrees) if *degrees == 180.0 => f.write_str("smooth"),
            Normals::Smooth(degrees) => write!(f, "smooth:{degrees}"),
        }
    }
}

impl std::str::FromStr for Normals {
    type Err = String;

    fn from_str(text: &str) -> Result<Normals, String> {
        match text.split_once(':') {
            None if text == "keep" => Ok(Normals::Keep),
            None if text == "flat" => Ok(Normals::Flat),
            None if text == "smooth" => Ok(Normals::Smooth(180.0)),
            Some(("smooth", degrees)) => number(degrees).map(Normals::Smooth),
            _ => Err("use keep, flat, smooth, or smooth:ANGLE".to_owned()),
        }
    }
}

fn number(text: &str) -> Result<f32, String> {
    text.parse().ok().filter(|value: &f32| value.is_finite()).ok_or_else(|| "not a number".to_owned())
}

fn is_on(text: &str) -> Result<bool, String> {
    match text {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err("use on or off".to_owned()),
    }
}

fn axis(text: &str) -> Result<Axis, String> {
    Axis::of_word(text).ok_or_else(|| "use x, y, z, -x, -y or -z".to_owned())
}

/// A frame rate: a whole number, or one of television such as 29.97.
fn rate(text: &str) -> Result<FrameRate, String> {
    let fps: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    let television = [24_000, 30_000, 60_000, 120_000].map(|frames| (frames, 1001));
    let whole = ImportOptions::RATES.map(|frames| (frames, 1));
    let rates = whole.chain(television).filter_map(|(frames, per_secs)| FrameRate::new(frames, per_secs));
    rates.into_iter().find(|rate| (rate.fps() - fps).abs() < 0.006).ok_or_else(|| "use 1 to 240".to_owned())
}
