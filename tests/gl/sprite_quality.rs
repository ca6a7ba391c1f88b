//! What a sheet of the demo knight promises: clean frames, colours near those without a palette, stable pixels, mirror images, and layers
//! of their own for emission and for what sockets hold.

use std::collections::BTreeSet;
use std::sync::Arc;

use glam::Vec3;
use keypose::anim::clip::{Clip, Keyframe};
use keypose::anim::key::Key;
use keypose::anim::time::Time;
use keypose::assets::id::ClipId;
use keypose::assets::mesh_reach::bake_clip;
use keypose::assets::model::{ClipSlot, Model};
use keypose::assets::sprite_recipe::SpriteRecipe;
use keypose_app::app::files::open as open_file;
use keypose_app::app::files::progress::Progress;
use keypose_app::app::film::sprites::{SpriteJob, make};
use keypose_tools::export::bitmap::Bitmap;
use keypose_tools::sprites::made::Sprites;
use keypose_tools::sprites::sheet::Sheet;

use crate::on_driver;
use crate::root::root;

/// The models of the demo; the knight is first.
fn models() -> Vec<Arc<Model>> {
    open_file(&root().join("data/demo.wad")).unwrap().project.models.to_vec()
}

fn sheet(models: &[Arc<Model>], clip: &str, options: &[(&str, &str)]) -> Sheet {
    made(models, clip, options).sheet
}

/// The sprites of a clip of the first model.
fn made(models: &[Arc<Model>], clip: &str, options: &[(&str, &str)]) -> Sprites {
    made_of(models, &[models[0].clip_named(clip).unwrap().clone()], options)
}

/// The sprites of clips in the skeleton of the first model.
fn made_of(models: &[Arc<Model>], clips: &[ClipSlot], options: &[(&str, &str)]) -> Sprites {
    let mut recipe = SpriteRecipe::default();
    options.iter().for_each(|(option, value)| recipe.set(option, value).unwrap());
    let baked = |slot: &ClipSlot| (slot.clone(), Arc::new(bake_clip(&models[0], &slot.clip)));
    let job = SpriteJob::new(&models[0], models, clips.iter().map(baked).collect(), &recipe).unwrap();
    make(&job, &Progress::default()).unwrap()
}

fn layer(sheet: &Sheet, frame: usize, name: &str) -> Bitmap {
    let layer = sheet.layers.iter().position(|layer| layer == name).unwrap();
    sheet.whole(&sheet.frames[frame], layer).unwrap()
}

fn pixels(image: &Bitmap) -> impl Iterator<Item = [u8; 4]> {
    image.pixels().chunks_exact(4).map(|pixel| pixel.try_into().unwrap())
}

#[test]
fn twenty_four_colours_look_like_all() {
    on_driver(|_| {
        let look = [("directions", "8"), ("outline", "outside"), ("inner-lines", "on"), ("palette", "24")];
        let sprites = made(&models(), "attack", &look);
        assert_eq!(sprites.colors, 24);
        assert!(sprites.difference > 0.0 && sprites.difference <= 0.02, "{}", sprites.difference);
    });
}

/// The number of parts of the opaque pixels of an image, diagonal neighbours included.
fn parts(image: &Bitmap) -> usize {
    let is_opaque = |&(x, y): &(u32, u32)| image.pixel(x, y).is_some_and(|pixel| pixel[3] > 0);
    let mut left: BTreeSet<(u32, u32)> = all_places(image).filter(is_opaque).collect();
    let mut parts = 0;
    while let Some(first) = left.pop_first() {
        parts += 1;
        let mut waiting = vec![first];
        while let Some((x, y)) = waiting.pop() {
            let around = (0..9).map(|at| ((x + at % 3).wrapping_sub(1), (y + at / 3).wrapping_sub(1)));
            waiting.extend(around.filter(|place| left.remove(place)).collect::<Vec<_>>());
        }
    }
    parts
}

fn all_places(image: &Bitmap) -> impl Iterator<Item = (u32, u32)> + use<> {
    let [width, height] = [image.width(), image.height()];
    (0..height).flat_map(move |y| (0..width).map(move |x| (x, y)))
}

/// The pixel of an outline.
const LINE: [u8; 4] = [255, 0, 255, 255];

/// Clips whose silhouettes are hard to outline; with `KEYPOSE_FULL=1` all, from twice as many directions.
#[test]
fn each_frame_is_of_one_part_in_a_closed_outline_without_holes_of_a_pixel() {
    on_driver(|_| {
        let (models, is_full) = (models(), std::env::var_os("KEYPOSE_FULL").is_some());
        let is_tried =
            |slot: &&ClipSlot| is_full || ["attack", "climb", "crouch", "die", "walk"].contains(&&*slot.clip.name);
        let clips: Vec<ClipSlot> = models[0].clips.iter().filter(is_tried).cloned().collect();
        let (directions, count) = if is_full { (4, 500) } else { (2, 40) };
        let tags = directions * clips.len();
        assert!(is_full || clips.len() == 5);
        let directions = &directions.to_string();
        let palette = "0d0f14,3d4454,888b9e,d0d4e0,8a1020,d03a40,c8922b,5a3a1a,ffffff,ff00ff";
        let options =
            [("camera", "isometric"), ("directions", directions), ("palette", palette), ("inner-lines", "on")];
        let outline = [("outline", "outside"), ("outline-color", "ff00ff")];
        let sprites = made_of(&models, &clips, &[&options[..], &outline[..]].concat());
        let sheet = &sprites.sheet;
        let colors: BTreeSet<[u8; 3]> = sprites.palette.colors().iter().copied().collect();
        assert!(sheet.tags.len() == tags && sheet.pictures.len() > count && colors.len() == 10);
        let name =
            |picture: usize| sheet.frames.iter().find(|frame| frame.placed.picture == picture).unwrap().name.clone();
        for (at, picture) in sheet.pictures.iter().enumerate() {
            let image = &picture.images[0];
            assert_eq!(parts(image), 1, "{}", name(at));
            for (x, y) in all_places(image) {
                let pixel = image.pixel(x, y).unwrap();
                let around = [(x.wrapping_sub(1), y), (x + 1, y), (x, y.wrapping_sub(1)), (x, y + 1)];
                let around = around.map(|(x, y)| image.pixel(x, y).filter(|pixel| pixel[3] > 0));
                let is_fine = match pixel {
                    [0, 0, 0, 0] => around.iter().any(Option::is_none),
                    LINE => true,
                    [r, g, b, alpha] => {
                        alpha == 255 && colors.contains(&[r, g, b]) && around.iter().all(Option::is_some)
                    }
                };
                assert!(is_fine, "{} {x} {y} {pixel:?}", name(at));
            }
        }
    });
}

#[test]
fn a_pose_less_than_half_a_pixel_from_one_that_is_drawn_has_its_pixels() {
    on_driver(|_| {
        let models = models();
        let rest = models[0].skeleton.bones()[0].rest.translation;
        // To the right in pixels, from which ten make a unit.
        let places: [f32; 8] = [0.0, 0.3, 0.49, 0.8, 0.9, 1.28, 1.31, 0.1];
        let pose = |place: &f32| Keyframe {
            duration: Time::TICK * 6,
            keys: vec![Key::translation(0, rest + Vec3::Z * (place / 10.0))].into(),
            ..Keyframe::default()
        };
        let clip = Clip { keyframes: places.iter().map(pose).collect(), ..Clip::new("shift") };
        let slot = ClipSlot { id: ClipId(u32::MAX), clip: Arc::new(clip) };
        let pictures = |options: &[(&str, &str)]| {
            let sheet = made_of(&models, std::slice::from_ref(&slot), &[&[("scale", "10")], options].concat()).sheet;
            sheet.frames.iter().map(|frame| frame.placed).collect::<Vec<_>>()
        };
        let shown = pictures(&[]);
        // What is drawn is at 0, at 0.8 and at 1.31.
        assert!(shown[0] != shown[3] && shown[3] != shown[6] && shown[0] != shown[6]);
        assert_eq!(shown, [0, 0, 0, 3, 3, 3, 6, 0].map(|at| shown[at]));
        let every = pictures(&[("every-frame", "on")]);
        assert!(every[0] != every[2] && every[3] != every[5], "they would shimmer");
    });
}

#[test]
fn mirrored_sides_are_mirror_images_with_normals_of_their_own() {
    on_driver(|_| {
        let options = [("directions", "2"), ("mirror", "on"), ("normals", "on"), ("silhouette", "on")];
        let sheet = sheet(&models(), "attack", &options);
        let [right, left] = &sheet.tags[..] else { panic!("{:?}", sheet.tags) };
        assert_eq!([&right.name[..], &left.name], ["attack-E", "attack-W"]);
        let (mut same, mut all, mut turned) = (0, 0, 0.0);
        for (right, left) in (right.from..=right.to).zip(left.from..=left.to) {
            let [shape, other] = [right, left].map(|frame| layer(&sheet, frame, "silhouette"));
            let [normals, turned_normals] = [right, left].map(|frame| layer(&sheet, frame, "normals"));
            for (x, y) in (0..shape.height()).flat_map(|y| (0..shape.width()).map(move |x| (x, y))) {
                let mirrored = (2 * sheet.pivot[0]).wrapping_sub(x + 1);
                let is_body = |image: &Bitmap, x: u32| image.pixel(x, y).is_some_and(|pixel| pixel[3] > 0);
                if is_body(&shape, x) || is_body(&other, mirrored) {
                    all += 1;
                    same += u32::from(is_body(&shape, x) == is_body(&other, mirrored));
                    let normal = |image: &Bitmap, x: u32| {
                        let [x, y, z, _] = image.pixel(x, y).unwrap_or_default().map(f32::from);
                        Vec3::new(x, y, z) / 127.5 - 1.0
                    };
                    turned += (normal(&normals, x) * Vec3::new(-1.0, 1.0, 1.0)).dot(normal(&turned_normals, mirrored));
                }
            }
            let hurts = [right, left].map(|frame| &sheet.frames[frame].marks.hurts[0].ends[0]);
            assert!((hurts[0][0] + hurts[1][0] - 2.0 * sheet.pivot[0] as f32).abs() < 1e-2, "{hurts:?}");
        }
        assert!(all > 3_000 && f64::from(same) > 0.995 * f64::from(all), "{same} of {all}");
        assert!(turned / all as f32 > 0.95, "{}", turned / all as f32);
    });
}

#[test]
fn emission_is_that_of_the_material() {
    on_driver(|_| {
        let mut models = models();
        let mut knight = Model::clone(&models[0]);
        let material = &mut knight.materials[0];
        *material = Arc::new(keypose::assets::material::Material {
            emissive: [1.0, 0.0, 0.0],
            emissive_texture: None,
            ..(**material).clone()
        });
        models[0] = Arc::new(knight);
        let sheet = sheet(&models, "crouch idle", &[("emission", "on"), ("mask", "on")]);
        let [emission, color] = ["emission", "color"].map(|name| layer(&sheet, 0, name));
        let count = |image: &Bitmap| pixels(image).filter(|pixel| pixel[3] > 0).count();
        assert!(pixels(&emission).all(|pixel| pixel == [0; 4] || pixel == [255, 0, 0, 255]));
        assert!(count(&emission) > 0 && count(&emission) <= count(&color), "{}", count(&emission));
        assert!(pixels(&emission).zip(pixels(&color)).all(|(light, color)| light[3] <= color[3]));
    });
}

#[test]
fn an_attachment_over_the_body_is_the_whole_picture() {
    on_driver(|_| {
        let mut models = models();
        let mut knight = Model::clone(&models[0]);
        knight.sockets[0].attached = models[1].name.clone();
        models[0] = Arc::new(knight);
        let look = [("outline", "outside"), ("inner-lines", "on")];
        let whole = sheet(&models, "attack", &look);
        let parts = sheet(&models, "attack", &[&look[..], &[("attachments", "on")]].concat());
        let mut held = 0;
        for frame in 0..whole.frames.len() {
            let [body, over] = ["color", "attachments"].map(|name| layer(&parts, frame, name));
            let both = pixels(&body).zip(pixels(&over)).map(|(body, over)| if over[3] > 0 { over } else { body });
            let whole_picture = layer(&whole, frame, "color");
            let other = both.zip(pixels(&whole_picture)).filter(|(both, whole)| both != whole).count();
            let shown = pixels(&whole_picture).filter(|pixel| pixel[3] > 0).count();
            // At the border between them, lines may differ.
            assert!(other * 100 <= shown, "{}: {other} of {shown}", whole.frames[frame].name);
            held += pixels(&over).filter(|pixel| pixel[3] > 0).count();
        }
        assert!(held > 500, "{held}");
    });
}
