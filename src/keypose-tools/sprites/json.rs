//! The JSON that Aseprite writes beside a sheet, which most 2D engines read. Each frame has an additional object `keypose` with its pivot,
//! events, volumes and sockets.

use keypose::anim::clip::LoopMode;
use keypose::assets::sprite_recipe::JsonForm;
use serde_json::{Value, json};

use crate::sprites::atlas::Packed;
use crate::sprites::marks::{SocketMark, VolumeMark};
use crate::sprites::sheet::{Sheet, SheetFrame, Tag};
use crate::sprites::slices::{Slice, SliceKey, slices};

/// The version of the object `keypose`.
pub const VERSION: u32 = 1;

/// Writes the JSON of a sheet. `images` are the file names of its layers, colours first.
pub fn write(sheet: &Sheet, packed: &Packed, images: &[String], form: JsonForm) -> String {
    let frame = |frame: &SheetFrame| {
        let mut value = frame_value(sheet, frame, packed);
        match form {
            JsonForm::Array => {
                value["filename"] = frame.name.clone().into();
                format!("  {value}")
            }
            JsonForm::Hash => format!("  {}: {value}", Value::from(&frame.name[..])),
        }
    };
    let frames: Vec<String> = sheet.frames.iter().map(frame).collect();
    let [open, close] = if form == JsonForm::Array { ["[", "]"] } else { ["{", "}"] };
    let meta = format!("{:#}", meta(sheet, packed, images)).replace('\n', "\n ");
    format!("{{ \"frames\": {open}\n{}\n {close},\n \"meta\": {meta}\n}}\n", frames.join(",\n"))
}

fn frame_value(sheet: &Sheet, frame: &SheetFrame, packed: &Packed) -> Value {
    let rect = sheet.rect(frame, packed);
    let ([width, height], [x, y]) = (sheet.canvas, frame.placed.at);
    let pivot = [0, 1].map(|axis| i64::from(sheet.pivot[axis]) - i64::from(frame.placed.at[axis]));
    let marks = &frame.marks;
    json!({
        "frame": { "x": rect.x, "y": rect.y, "w": rect.width, "h": rect.height },
        "rotated": false,
        "trimmed": ([rect.width, rect.height] != sheet.canvas),
        "spriteSourceSize": { "x": x, "y": y, "w": rect.width, "h": rect.height },
        "sourceSize": { "w": width, "h": height },
        "duration": frame.millis,
        "keypose": {
            "pivot": { "x": pivot[0], "y": pivot[1] },
            "events": marks.events,
            "hits": marks.hits.iter().map(volume).collect::<Vec<_>>(),
            "hurts": marks.hurts.iter().map(volume).collect::<Vec<_>>(),
            "sockets": marks.sockets.iter().map(socket).collect::<Vec<_>>(),
        },
    })
}

/// Rounded to hundredths, so that files stay small.
fn round(value: f32) -> f64 {
    (f64::from(value) * 100.0).round() / 100.0
}

fn volume(mark: &VolumeMark) -> Value {
    let ([x, y, w, h], [from, to]) = (mark.bounds(), mark.ends.map(|end| end.map(round)));
    let mut value = json!({
        "name": mark.name, "x": x, "y": y, "w": w, "h": h, "from": from, "to": to, "radius": round(mark.radius),
    });
    if let Some(hit) = mark.hit {
        value["group"] = hit.group.into();
        value["damage"] = hit.damage.into();
        value["angle"] = round(hit.angle).into();
        value["knockback"] = round(hit.knockback).into();
        value["stun"] = hit.stun.into();
    }
    value
}

fn socket(mark: &SocketMark) -> Value {
    let [x, y] = mark.at.map(round);
    json!({ "name": mark.name, "x": x, "y": y, "angle": round(mark.degrees) })
}

fn meta(sheet: &Sheet, packed: &Packed, images: &[String]) -> Value {
    let [width, height] = packed.size;
    let layer = |name: &String| json!({ "name": name, "opacity": 255, "blendMode": "normal" });
    let of_layer = |(name, image): (&String, &String)| (name.clone(), Value::from(&image[..]));
    json!({
        "app": "Keypose",
        "version": env!("CARGO_PKG_VERSION"),
        "image": images.first(),
        "format": "RGBA8888",
        "size": { "w": width, "h": height },
        "scale": "1",
        "frameTags": sheet.tags.iter().map(tag).collect::<Vec<_>>(),
        "layers": sheet.layers.iter().map(layer).collect::<Vec<_>>(),
        "slices": slices(sheet).iter().map(slice).collect::<Vec<_>>(),
        "keypose": {
            "version": VERSION,
            "pixelsPerUnit": round(sheet.scale),
            "images": sheet.layers.iter().zip(images).map(of_layer).collect::<serde_json::Map<_, _>>(),
        },
    })
}

fn tag(tag: &Tag) -> Value {
    let direction = if tag.loop_mode == LoopMode::PingPong { "pingpong" } else { "forward" };
    let mut value =
        json!({ "name": tag.name, "from": tag.from, "to": tag.to, "direction": direction, "color": "#000000ff" });
    if tag.loop_mode == LoopMode::Once {
        value["repeat"] = "1".into();
    }
    value
}

fn slice(slice: &Slice) -> Value {
    let [r, g, b] = slice.color;
    let key = |key: &SliceKey| {
        let [x, y, w, h] = key.bounds;
        let mut value = json!({ "frame": key.frame, "bounds": { "x": x, "y": y, "w": w, "h": h } });
        if let Some([x, y]) = key.pivot {
            value["pivot"] = json!({ "x": x, "y": y });
        }
        value
    };
    let keys: Vec<Value> = slice.keys.iter().map(key).collect();
    json!({ "name": slice.name, "color": format!("#{r:02x}{g:02x}{b:02x}ff"), "keys": keys })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sprites::sheet::tests::sample;
    use keypose::assets::sprite_recipe::SpriteRecipe;

    #[test]
    fn both_forms_have_frames_tags_and_marks() {
        let sheet = sample();
        let packed = sheet.pack(&SpriteRecipe::default()).unwrap();
        let images = ["knight.png".to_owned(), "knight-normals.png".to_owned()];
        let read = |form| serde_json::from_str::<Value>(&write(&sheet, &packed, &images, form)).unwrap();
        let (array, hash) = (read(JsonForm::Array), read(JsonForm::Hash));
        let frame = &array["frames"][1];
        assert_eq!((&frame["filename"], &frame["duration"]), (&"walk-1".into(), &80.into()));
        assert_eq!(frame["spriteSourceSize"], json!({ "x": 2, "y": 1, "w": 3, "h": 4 }));
        assert_eq!(frame["keypose"]["pivot"], json!({ "x": 2, "y": 4 }));
        assert_eq!(frame["keypose"]["hits"][0]["damage"], 9);
        assert_eq!(frame["keypose"]["events"][0], "step \"left\"");
        assert_eq!(hash["frames"]["walk-1"]["frame"], frame["frame"]);
        let tags = &array["meta"]["frameTags"];
        assert_eq!((&tags[0]["to"], &tags[0]["repeat"], &tags[1]["repeat"]), (&2.into(), &Value::Null, &"1".into()));
        assert_eq!(array["meta"]["keypose"]["images"]["normals"], "knight-normals.png");
        assert_eq!(array["meta"]["slices"][1]["keys"].as_array().unwrap().len(), 3);
    }
}
