//! Sprite recipes: the settings of a model's sprite sheet, so that the same sheet can be made again. Rendering is not here.

use std::collections::BTreeMap;

use crate::anim::choice::choice;

mod words;

pub use crate::assets::sprite_recipe::words::{SWITCHES, color_list, words_of};

/// A colour: sRGB.
pub type Rgb = [u8; 3];

/// The settings of a sprite sheet. The defaults are those of `keypose sprites`.
#[derive(Clone, Debug, PartialEq)]
pub struct SpriteRecipe {
    /// Names of the clips; empty for all.
    pub clips: Vec<String>,
    /// Which poses become frames.
    pub take: Take,
    /// One of [`SpriteRecipe::DIRECTIONS`].
    pub directions: u32,
    /// Whether sides that look left are mirror images of those that look right.
    pub is_mirrored: bool,
    /// The height of the camera.
    pub angle: SpriteAngle,
    /// Pixels of the model.
    pub size: SpriteSize,
    /// Whether poses that differ by less than half a pixel have the same pixels.
    pub is_stable: bool,
    /// Steps of light, 1 to 5; 1 is without light.
    pub shades: u32,
    /// The place of the outline.
    pub outline: Outline,
    /// Colour of the outline; `None` for a darker tone of the body beside it.
    pub outline_color: Option<Rgb>,
    /// Whether lines are drawn where one part is in front of another.
    pub has_inner_lines: bool,
    /// Whether steps of light blend in a pattern.
    pub is_dithered: bool,
    /// The colours of all frames.
    pub colors: SpriteColors,
    /// Other colours for sheets of their own, in the order of the palette, by name. They need a palette.
    pub swaps: BTreeMap<String, Vec<Rgb>>,
    /// Layers beside the colours, in the order of [`Layer::ALL`].
    pub layers: Vec<Layer>,
    /// The direction of green in normals.
    pub normals_up: Up,
    /// The files beside the atlas, in the order of [`SheetFormat::ALL`].
    pub formats: Vec<SheetFormat>,
    /// Form of the list of frames in JSON.
    pub json_form: JsonForm,
    /// Transparent pixels between frames in the atlas, 0 to 64.
    pub padding: u32,
    /// Pixels by which edges of frames are repeated, 0 to 16.
    pub extrusion: u32,
    /// Whether both sides of the atlas are powers of two.
    pub is_power_of_two: bool,
    /// Maximum width and height of the atlas, 64 to 16384.
    pub max_side: u32,
    /// The start of the names of all files, relative to the folder of the archive, with "/"; empty for none.
    pub output: String,
}

/// Which poses of a clip become frames.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Take {
    /// Each keyframe, for its duration.
    #[default]
    Poses,
    /// Each keyframe, and this many poses between two, 1 to 60.
    Between(u32),
    /// Frames per second, 1 to 60, whatever the keyframes.
    Rate(f32),
}

/// The angle of the camera above the ground.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum SpriteAngle {
    /// From the side for 1 and 2 directions, else three-quarter.
    #[default]
    Auto,
    /// The elevation that a camera has by its name.
    Of(SpriteCamera),
    /// In degrees, 0 to 90.
    Degrees(f32),
}

/// The size of a model in a sheet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SpriteSize {
    /// Pixels of the standing model, 8 to 512.
    Height(u32),
    /// Pixels per unit of the model, 0.01 to 10000.
    Scale(f32),
}

/// The colours of a sheet.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum SpriteColors {
    /// As they are drawn.
    #[default]
    All,
    /// At most this many, chosen for all frames together, 2 to 255.
    Count(usize),
    /// The nearest ones of a palette, which has 1 to 255 different colours.
    Of(Vec<Rgb>),
}

choice! {
    /// The height from which sprites are seen.
    #[derive(Default)]
    pub enum SpriteCamera {
        /// From the side, as in a platformer.
        #[default]
        Side = "side",
        /// From a little above, as in a role-playing game.
        ThreeQuarter = "three-quarter",
        /// From straight above.
        TopDown = "top-down",
        /// Isometric: squares on the ground are twice as wide as high.
        Isometric = "isometric",
    }
}

choice! {
    /// Where the outline is drawn.
    #[derive(Default)]
    pub enum Outline {
        /// No outline.
        #[default]
        None = "none",
        /// On the outermost pixels of the body.
        Inside = "inside",
        /// Around the body.
        Outside = "outside",
    }
}

choice! {
    /// An image of the same places as the colours.
    #[derive(PartialOrd, Ord)]
    pub enum Layer {
        /// Normals in the space of the screen.
        Normals = "normals",
        /// Light that surfaces emit.
        Emission = "emission",
        /// Near is bright.
        Depth = "depth",
        /// A colour for each material.
        Mask = "mask",
        /// White where the body is.
        Silhouette = "silhouette",
        /// The shadow on the ground.
        Shadow = "shadow",
        /// The models at sockets, to be drawn over the colours, which are then without them.
        Attachments = "attachments",
    }
}

choice! {
    /// The direction of green in normals.
    #[derive(Default)]
    pub enum Up {
        /// Up, as Godot and Unity expect it.
        #[default]
        Y = "y-up",
        /// Down, as Unreal expects it.
        NegativeY = "y-down",
    }
}

choice! {
    /// A kind of file beside the atlas.
    #[derive(PartialOrd, Ord)]
    pub enum SheetFormat {
        /// Frames, tags, slices and marks.
        Json = "json",
        /// Layers, tags and slices.
        Aseprite = "aseprite",
        /// `SpriteFrames` of Godot.
        Godot = "godot",
        /// A GIF for each tag.
        Gif = "gif",
        /// An animated PNG for each tag.
        Apng = "apng",
        /// A PNG for each frame.
        Png = "png",
    }
}

choice! {
    /// The form of the list of frames in JSON.
    #[derive(Default)]
    pub enum JsonForm {
        /// A list.
        #[default]
        Array = "array",
        /// An object with the names of the frames as keys.
        Hash = "hash",
    }
}

impl SpriteCamera {
    /// The angle above the ground in degrees.
    pub fn elevation_degrees(self) -> f32 {
        match self {
            SpriteCamera::Side => 0.0,
            SpriteCamera::ThreeQuarter | SpriteCamera::Isometric => 30.0,
            SpriteCamera::TopDown => 90.0,
        }
    }
}

impl Default for SpriteRecipe {
    fn default() -> SpriteRecipe {
        SpriteRecipe {
            clips: Vec::new(),
            take: Take::default(),
            directions: 1,
            is_mirrored: false,
            angle: SpriteAngle::default(),
            size: SpriteSize::Height(48),
            is_stable: true,
            shades: 3,
            outline: Outline::default(),
            outline_color: None,
            has_inner_lines: false,
            is_dithered: false,
            colors: SpriteColors::default(),
            swaps: BTreeMap::new(),
            layers: Vec::new(),
            normals_up: Up::default(),
            formats: vec![SheetFormat::Json],
            json_form: JsonForm::default(),
            padding: 1,
            extrusion: 0,
            is_power_of_two: false,
            max_side: 4096,
            output: String::new(),
        }
    }
}

impl SpriteRecipe {
    /// The numbers of directions.
    pub const DIRECTIONS: [u32; 5] = [1, 2, 4, 8, 16];
    /// The maximum number of colours of a palette: the 256 of indexed files less the transparent one.
    pub const MAX_COLORS: usize = 255;
    /// The maximum number of bytes of all words.
    const MAX_BYTES: usize = 0x8_0000;

    /// Whether nothing was set.
    pub fn is_default(&self) -> bool {
        *self == SpriteRecipe::default()
    }

    /// The camera whose directions the sheet has.
    pub fn camera(&self) -> SpriteCamera {
        match self.angle {
            SpriteAngle::Of(camera) => camera,
            _ if self.directions > 2 => SpriteCamera::ThreeQuarter,
            _ => SpriteCamera::Side,
        }
    }

    /// The angle of the camera above the ground.
    pub fn elevation_degrees(&self) -> f32 {
        match self.angle {
            SpriteAngle::Degrees(degrees) => degrees,
            SpriteAngle::Auto | SpriteAngle::Of(_) => self.camera().elevation_degrees(),
        }
    }

    /// Whether frames are the same: the recipes differ in files and palette swaps alone.
    pub fn draws_like(&self, other: &SpriteRecipe) -> bool {
        let files = other.clone();
        let same = SpriteRecipe {
            swaps: files.swaps,
            formats: files.formats,
            json_form: files.json_form,
            padding: files.padding,
            extrusion: files.extrusion,
            is_power_of_two: files.is_power_of_two,
            max_side: files.max_side,
            output: files.output,
            ..self.clone()
        };
        same == *other
    }

    /// Adds or removes a layer.
    pub fn set_layer(&mut self, layer: Layer, is_on: bool) {
        set(&mut self.layers, layer, is_on);
    }

    /// Adds or removes a format.
    pub fn set_format(&mut self, format: SheetFormat, is_on: bool) {
        set(&mut self.formats, format, is_on);
    }

    /// Lets the recipe follow a clip that was renamed.
    pub fn rename_clip(&mut self, before: &str, name: &str) {
        self.clips.iter_mut().filter(|clip| *clip == before).for_each(|clip| name.clone_into(clip));
    }
}

fn set<T: Ord + Copy>(all: &mut Vec<T>, one: T, is_on: bool) {
    all.retain(|known| *known != one);
    if is_on {
        all.push(one);
        all.sort_unstable();
    }
}
