//! sPRT: the settings of a sprite sheet, as options of `keypose sprites`. See docs/wad-format.md, "sPRT".

use crate::assets::sprite_recipe::{SpriteRecipe, words_of};
use crate::wad::record::stored::{Invalid, Stored};

impl Stored<Vec<String>> for SpriteRecipe {
    fn to_record(&self) -> Result<Vec<String>, Invalid> {
        Ok(words_of(self))
    }

    fn from_record(words: Vec<String>) -> Result<SpriteRecipe, Invalid> {
        Ok(SpriteRecipe::of_words(&words)?)
    }
}
