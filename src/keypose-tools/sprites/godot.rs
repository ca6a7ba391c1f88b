//! `SpriteFrames` of Godot 4: an animation for each tag, whose frames are parts of the atlas.

use keypose::anim::clip::LoopMode;

use crate::sprites::atlas::Packed;
use crate::sprites::sheet::{Sheet, Tag};

/// Ticks per second in which durations are counted.
const SPEED: f64 = 60.0;

/// Writes a text resource. `image` is the file name of the atlas, which has to be in the same folder.
pub fn write(sheet: &Sheet, packed: &Packed, image: &str) -> String {
    let steps = sheet.frames.len() + 2;
    let mut text = format!("[gd_resource type=\"SpriteFrames\" load_steps={steps} format=3]\n\n");
    text += &format!("[ext_resource type=\"Texture2D\" path={} id=\"1\"]\n", quoted(image));
    let [width, height] = sheet.canvas;
    for (at, frame) in sheet.frames.iter().enumerate() {
        let (rect, [x, y]) = (sheet.rect(frame, packed), frame.placed.at);
        text += &format!(
            "\n[sub_resource type=\"AtlasTexture\" id=\"{at}\"]\natlas = ExtResource(\"1\")\nregion = Rect2({}, {}, {}, {})\n",
            rect.x, rect.y, rect.width, rect.height
        );
        text += &format!("margin = Rect2({x}, {y}, {}, {})\n", width - rect.width, height - rect.height);
    }
    let animations: Vec<String> = sheet.tags.iter().map(|tag| animation(sheet, tag)).collect();
    text + &format!("\n[resource]\nanimations = [{}]\n", animations.join(", "))
}

fn animation(sheet: &Sheet, tag: &Tag) -> String {
    let frame = |(at, millis): (usize, u32)| {
        let ticks = f64::from(millis) * SPEED / 1000.0;
        format!("{{\n\"duration\": {ticks:.3},\n\"texture\": SubResource(\"{at}\")\n}}")
    };
    let frames: Vec<String> = sheet.played(tag).into_iter().map(frame).collect();
    let is_loop = tag.loop_mode != LoopMode::Once;
    let name = quoted(&tag.name);
    let frames = frames.join(", ");
    format!("{{\n\"frames\": [{frames}],\n\"loop\": {is_loop},\n\"name\": &{name},\n\"speed\": {SPEED:.1}\n}}")
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sprites::sheet::tests::sample;
    use keypose::assets::sprite_recipe::SpriteRecipe;

    #[test]
    fn animations_have_their_frames_and_durations() {
        let sheet = sample();
        let text = write(&sheet, &sheet.pack(&SpriteRecipe::default()).unwrap(), "a \"b\".png");
        assert!(text.starts_with("[gd_resource type=\"SpriteFrames\" load_steps=6 format=3]"));
        assert!(text.contains("path=\"a \\\"b\\\".png\" id=\"1\""));
        assert_eq!((text.matches("AtlasTexture").count(), text.matches("\"duration\": 4.800").count()), (4, 4));
        assert!(text.contains("margin = Rect2(2, 1, 5, 2)"), "{text}");
        assert!(text.contains("\"loop\": false,\n\"name\": &\"jump\""));
    }
}
