//! What a sheet of the demo knight promises: colours near those without a palette, closed outlines, mirror images, and layers of their
//! own for emission and for what sockets hold.

use std::sync::Arc;

use glam::Vec3;
use keypose::assets::mesh_reach::bake_clip;
use keypose::assets::model::Model;
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
    let mut recipe = SpriteRecipe::default();
    options.iter().for_each(|(option, value)| recipe.set(option, value).unwrap());
    let slot = models[0].clip_named(clip).unwrap().clone();
    let baked = Arc::new(bake_clip(&models[0], &slot.clip));
    let job = SpriteJob::new(&models[0], models, vec![(slot, baked)], &recipe).unwrap();
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

#[test]
fn no_pixel_of_the_body_touches_the_background() {
    on_driver(|_| {
        let look = [("directions", "4"), ("outline", "outside"), ("outline-color", "ff00ff")];
        let sheet = sheet(&models(), "attack", &look);
        for frame in 0..sheet.frames.len() {
            let image = layer(&sheet, frame, "color");
            for (x, y) in (0..image.height()).flat_map(|y| (0..image.width()).map(move |x| (x, y))) {
                let is_body = matches!(image.pixel(x, y), Some([r, g, b, 255]) if [r, g, b] != [255, 0, 255]);
                let around = [(x.wrapping_sub(1), y), (x + 1, y), (x, y.wrapping_sub(1)), (x, y + 1)];
                let is_open = around.iter().any(|(x, y)| image.pixel(*x, *y).is_none_or(|pixel| pixel[3] == 0));
                assert!(!(is_body && is_open), "{} {x} {y}", sheet.frames[frame].name);
            }
        }
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
