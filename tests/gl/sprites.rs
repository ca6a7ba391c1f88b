//! `keypose sprites` as a process: the sheet of the demo knight pixel by pixel, and what it refuses.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use image::{Rgba, RgbaImage};
use keypose::anim::skin::method::Method;
use keypose::anim::time::Time;
use keypose::assets::model::Model;
use keypose::assets::sprite_recipe::SpriteRecipe;
use keypose_app::app::files::open as open_file;
use keypose_app::app::files::progress::Progress;
use keypose_app::app::film::sprites::live::LivePainter;
use keypose_app::app::film::sprites::{SpriteJob, make};
use keypose_editor::editor::view::pixels::PixelPose;
use keypose_editor::render::frame::bounds::ModelBounds;
use keypose_editor::render::frame::framed_model::poses;
use serde_json::Value;

use crate::folder::Folder;
use crate::on_driver;
use crate::root::root;

fn sprites(folder: &Path, arguments: &[&str]) -> Output {
    sprites_of(folder, &root().join("data/demo.wad"), arguments)
}

fn sprites_of(folder: &Path, file: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_keypose"));
    command.current_dir(folder).arg("sprites").arg(file).args(arguments).env_remove("DISPLAY").output().unwrap()
}

const LOOK: [&str; 6] = ["--palette", "24", "--outline", "--normals", "--padding", "0"];

fn made(folder: &Path, arguments: &[&str]) -> Value {
    let output = sprites(folder, &[arguments, &LOOK].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&fs::read(folder.join("knight.json")).unwrap()).unwrap()
}

fn numbers(value: &Value, names: [&str; 4]) -> [u32; 4] {
    names.map(|name| value[name].as_u64().unwrap() as u32)
}

fn open(folder: &Path, name: &str) -> RgbaImage {
    image::open(folder.join(name)).unwrap().into_rgba8()
}

#[test]
fn a_sheet_has_the_colours_normals_and_marks_of_its_files() {
    on_driver(|_| {
        let folder = Folder::new("sprites-clean");
        let json = made(&folder, &["--clips", "walk,attack", "--directions", "8", "-o", "knight"]);
        let (atlas, normals) = (open(&folder, "knight.png"), open(&folder, "knight-normals.png"));
        let gpl = fs::read_to_string(folder.join("knight.gpl")).unwrap();
        let color =
            |line: &str| line.split_whitespace().take(3).map(|word| word.parse().ok()).collect::<Option<Vec<u8>>>();
        let palette: BTreeSet<Vec<u8>> = gpl.lines().skip(3).map(|line| color(line).unwrap()).collect();
        assert_eq!(palette.len(), 24);
        let mut rects = BTreeSet::new();
        for frame in json["frames"].as_array().unwrap() {
            let name = &frame["filename"];
            let [x, y, width, height] = numbers(&frame["frame"], ["x", "y", "w", "h"]);
            rects.insert([x, y, width, height]);
            let cut = image::imageops::crop_imm(&atlas, x, y, width, height).to_image();
            for (pixel_x, pixel_y, Rgba([r, g, b, alpha])) in cut.enumerate_pixels() {
                assert!(matches!(alpha, 0 | 255), "{name}");
                assert!(*alpha == 0 || palette.contains(&vec![*r, *g, *b]), "{name} {r} {g} {b}");
                let Rgba([nx, ny, nz, covered]) = *normals.get_pixel(x + pixel_x, y + pixel_y);
                assert_eq!(covered, *alpha, "{name}");
                let squares = [nx, ny, nz].map(|byte| (f64::from(byte) / 127.5 - 1.0).powi(2));
                let length = squares.iter().sum::<f64>().sqrt();
                assert!(*alpha == 0 || (length - 1.0).abs() < 1.0 / 127.0, "{name} {nx} {ny} {nz}");
            }
        }
        let area: u32 = rects.iter().map(|[_, _, width, height]| width * height).sum();
        let filled = f64::from(area) / f64::from(atlas.width() * atlas.height());
        assert!(filled >= 0.9, "{filled}");
        assert_eq!(json["meta"]["frameTags"].as_array().unwrap().len(), 16);
        let has = |mark: &str| {
            let frames = json["frames"].as_array().unwrap().iter();
            frames.filter(|frame| !frame["keypose"][mark].as_array().unwrap().is_empty()).count()
        };
        assert!(has("hits") > 0 && has("events") > 0 && has("hurts") > 100 && has("sockets") > 100);
    });
}

#[test]
fn a_pose_that_hardly_moves_is_stored_once() {
    on_driver(|_| {
        let folder = Folder::new("sprites-stable");
        let pictures = |arguments: &[&str]| {
            let json = made(&folder, &[&["--clips", "idle", "--height", "24", "-o", "knight"], arguments].concat());
            let frames = json["frames"].as_array().unwrap();
            let different: BTreeSet<String> = frames.iter().map(|frame| frame["frame"].to_string()).collect();
            (frames.len(), different.len())
        };
        let ((frames, few), (all, many)) = (pictures(&[]), pictures(&["--every-frame"]));
        assert_eq!(frames, all);
        assert!(few < many, "{few} {many} of {frames}");
    });
}

#[test]
fn what_was_drawn_by_hand_is_kept() {
    on_driver(|_| {
        let folder = Folder::new("sprites-hand");
        let arguments = ["--clips", "crouch idle", "--height", "16", "--formats", "aseprite", "-o", "a"];
        let run = |more: &[&str]| sprites(&folder, &[&arguments, more].concat());
        assert!(run(&[]).status.success());
        let path = folder.join("a.aseprite");
        let first = fs::read(&path).unwrap();
        assert!(run(&[]).status.success() && fs::read(&path).unwrap() == first);
        // The note of the first cel no longer has the hash of its pixels.
        let mut changed = first.clone();
        let digit = changed.windows(8).position(|window| window == b"Keypose ").unwrap() + 8;
        changed[digit] ^= 1;
        fs::write(&path, &changed).unwrap();
        for is_foreign in [true, false] {
            let kept = String::from_utf8(run(&[]).stdout).unwrap();
            assert!(kept.contains("kept by hand: crouch idle 1") && kept.lines().count() == 1, "{kept}");
            assert_eq!(kept.contains("as another program saved it is a.aseprite.1"), is_foreign, "{kept}");
            assert_eq!(fs::read(folder.join("a.aseprite.1")).unwrap(), changed);
        }
        assert!(run(&["--force"]).status.success() && fs::read(&path).unwrap() == first);
        fs::write(&path, "a text").unwrap();
        let refused = String::from_utf8(run(&[]).stderr).unwrap();
        assert!(refused.contains("a.aseprite: ") && refused.contains("remove the file"), "{refused}");
        assert_eq!(fs::read(&path).unwrap(), b"a text");
        fs::write(folder.join("a.png"), "not a picture").unwrap();
        assert!(!run(&["--force"]).status.success());
        assert_eq!(fs::read(folder.join("a.png")).unwrap(), b"not a picture");
    });
}

/// The names and bytes of the files of a folder.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let file = |path: PathBuf| (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read(&path).unwrap());
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| file(entry.unwrap().path())).collect();
    files.sort();
    files
}

#[test]
fn a_kept_recipe_makes_the_same_sheet_again_and_options_replace_it_for_once() {
    on_driver(|_| {
        let folder = Folder::new("sprites-recipe");
        let (art, sheets) = (folder.join("art"), folder.join("sheets"));
        fs::create_dir(&art).unwrap();
        fs::create_dir(&sheets).unwrap();
        let archive = art.join("hero.wad");
        fs::copy(root().join("data/demo.wad"), &archive).unwrap();
        let run = |arguments: &[&str]| {
            let output = sprites_of(&folder, &archive, arguments);
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        };
        let nameless = sprites_of(&folder, &archive, &[]);
        assert!(String::from_utf8(nameless.stderr).unwrap().contains("use --output NAME"));
        fs::write(folder.join("two.hex"), "ff004d\n1d2b53\n").unwrap();
        let look = ["--clips", "walk", "--height", "24", "--outline", "--palette", "two.hex", "--normals", "--keep"];
        run(&[&look[..], &["-o", "sheets/hero"]].concat());
        let made = files(&sheets);
        assert_eq!(made.len(), 4);
        // Neither the folder of the archive nor a palette beside it is needed.
        fs::remove_dir_all(&sheets).unwrap();
        fs::create_dir(&sheets).unwrap();
        fs::remove_file(folder.join("two.hex")).unwrap();
        run(&[]);
        assert!(files(&sheets) == made, "the same bytes");
        run(&["--height", "16", "--without", "normals", "--palette", "all", "-o", "sheets/small"]);
        let names: Vec<String> =
            files(&sheets).into_iter().map(|(name, _)| name).filter(|name| name.contains("small")).collect();
        assert_eq!(names, ["small.json", "small.png"]);
        run(&[]);
        assert!(made.iter().all(|file| files(&sheets).contains(file)), "the recipe is as it was");
    });
}

#[test]
fn the_pixel_view_has_the_pixels_of_the_sheet() {
    on_driver(|headless| {
        let opened = open_file(&root().join("data/demo.wad")).unwrap();
        let (models, character) = (&opened.project.models, &opened.characters[0]);
        let model = &models[0];
        let mut recipe = SpriteRecipe::default();
        let look =
            [("directions", "4"), ("height", "32"), ("palette", "16"), ("outline", "outside"), ("inner-lines", "on")];
        look.into_iter().for_each(|(option, value)| recipe.set(option, value).unwrap());
        let baked = character.clip_named("walk").unwrap().clone();
        let clips = vec![(model.clip_named("walk").unwrap().clone(), baked.clone())];
        let job = SpriteJob::new(model, models, clips, &recipe).unwrap();
        // Another thread, because the sheet has a context of its own.
        let sprites = thread::scope(|scope| scope.spawn(|| make(&job, &Progress::default())).join()).unwrap().unwrap();
        let (sheet, bounds) = (&sprites.sheet, Arc::new(ModelBounds::of(model)));
        let pose = poses(model, &baked, &[Time::ZERO]).remove(0);
        let mut live = LivePainter::default();
        for (tag, direction) in sheet.tags.iter().zip(&job.directions) {
            let held = model.sockets.iter().map(|socket| socket.attached.clone()).collect();
            let (model, bounds, pose, direction) = (model.clone(), bounds.clone(), pose.clone(), *direction);
            let posed = PixelPose { model, bounds, pose, held, direction };
            let drawn = live.draw(&headless.context, &job, &posed, Some(&sprites.shared)).unwrap();
            let whole = sheet.whole(&sheet.frames[tag.from], 0).unwrap();
            let corner = [0, 1].map(|axis| (sheet.pivot[axis] as i32 - drawn.pivot[axis]) as u32);
            let [width, height] = [drawn.image.width(), drawn.image.height()];
            let mut opaque = 0;
            for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
                let pixel = drawn.image.pixel(x, y);
                assert_eq!(pixel, whole.pixel(corner[0] + x, corner[1] + y), "{} {x} {y}", tag.name);
                opaque += usize::from(pixel.is_some_and(|pixel| pixel[3] > 0));
            }
            let all = whole.pixels().chunks_exact(4).filter(|pixel| pixel[3] > 0).count();
            assert!(opaque > 100 && opaque == all, "{}: {opaque} of {all}", tag.name);
        }
    });
}

#[test]
fn a_sheet_interpolates_matrices_where_the_model_does() {
    on_driver(|_| {
        let opened = open_file(&root().join("data/demo.wad")).unwrap();
        let models = &opened.project.models;
        let baked = opened.characters[0].clip_named("attack").unwrap().clone();
        let mut recipe = SpriteRecipe::default();
        [("height", "48"), ("between", "3")].into_iter().for_each(|(option, value)| recipe.set(option, value).unwrap());
        let frames = |skinning: Method| {
            let model = Arc::new(Model { skinning, ..Model::clone(&models[0]) });
            let clips = vec![(model.clip_named("attack").unwrap().clone(), baked.clone())];
            let job = SpriteJob::new(&model, models, clips, &recipe).unwrap();
            let sheet = make(&job, &Progress::default()).unwrap().sheet;
            sheet.frames.iter().map(|frame| sheet.whole(frame, 0).unwrap().pixels().to_vec()).collect::<Vec<_>>()
        };
        let drawn = |skinning| thread::scope(|scope| scope.spawn(|| frames(skinning)).join()).unwrap();
        assert!(drawn(Method::Linear) != drawn(Method::Interpolated));
    });
}

#[test]
fn bad_input_is_a_sentence_and_writes_nothing() {
    on_driver(|_| {
        let folder = Folder::new("sprites-bad");
        fs::write(folder.join("broken.hex"), "ff00ff\nred\n").unwrap();
        fs::write(folder.join("short.hex"), "ff00ff\n00ff00\n").unwrap();
        // As many colours as the sheet's palette, under the name of a layer.
        fs::write(folder.join("normals.hex"), "ff00ff\n00ff00\n").unwrap();
        let cases: [(&[&str], &str); 9] = [
            (&["--height", "9999"], "8 to 512 pixels high"),
            (&["--scale", "9000"], "the maximum is"),
            (&["--clips", "dance"], "no clip \"dance\""),
            (&["--palette", "broken.hex"], "broken.hex: line 2"),
            (&["--palette", "gone.gpl"], "gone.gpl"),
            (&["--palette", "24", "--swap", "short.hex"], "the palette swap \"short\" has 2 colours, the sheet 24"),
            (
                &["--palette", "2", "--normals", "--swap", "normals.hex"],
                "knight-normals.png; rename a clip or a palette swap",
            ),
            (&["--shadow"], "needs a camera from above"),
            (&["--max-size", "64"], "don't fit in an atlas of 64 × 64 pixels"),
        ];
        for (arguments, expected) in cases {
            let clips: &[&str] = if arguments.contains(&"--clips") { &[] } else { &["--clips", "walk"] };
            let output = sprites(&folder, &[arguments, clips, &["-o", "knight"]].concat());
            let text = String::from_utf8(output.stderr).unwrap();
            assert!(!output.status.success() && text.contains(expected), "{arguments:?}: {text}");
            assert_eq!(text.lines().count(), 1, "{text}");
        }
        let gone = sprites(&folder, &["--clips", "walk", "-o", "no/knight"]);
        assert!(String::from_utf8(gone.stderr).unwrap().contains("no: the folder does not exist"));
        let nameless = sprites(&folder, &["--clips", "walk", "-o", "no/"]);
        assert!(
            String::from_utf8(nameless.stderr).unwrap().contains("no/: expected a folder and the start of the names")
        );
        // A folder in place of a file that is written late.
        fs::create_dir(folder.join("knight.json")).unwrap();
        let taken = sprites(&folder, &["--clips", "walk", "--height", "16", "-o", "knight"]);
        let text = String::from_utf8(taken.stderr).unwrap();
        assert!(text.contains("knight.json: not a regular file") && text.lines().count() == 1, "{text}");
        assert_eq!(fs::read_dir(&*folder).unwrap().count(), 4, "nothing is written");
    });
}

/// The peak memory of a command in bytes, as Linux counts it.
fn peak_of(folder: &Path, arguments: &[&str]) -> u64 {
    let mut command = Command::new(env!("CARGO_BIN_EXE_keypose"));
    command.current_dir(folder).arg("sprites").arg(root().join("data/demo.wad")).args(arguments);
    let mut child = command.stdout(Stdio::null()).spawn().unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    while child.try_wait().unwrap().is_none() {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok());
        peak = peak.max(1024 * kib.unwrap_or(0));
        thread::sleep(Duration::from_millis(5));
    }
    assert!(child.wait().unwrap().success());
    peak
}

/// Memory of a sheet beyond that of a few frames and twice its images: poses, and files before they are written.
const BESIDE: u64 = 16 << 20;

#[test]
fn a_sheet_needs_at_most_twice_its_atlas() {
    if !cfg!(target_os = "linux") {
        return;
    }
    on_driver(|_| {
        let folder = Folder::new("sprites-memory");
        let layers = ["--normals", "--depth", "--silhouette", "--mask"];
        let look = [&["--height", "96", "--palette", "24", "--outline", "-o", "knight"], &layers[..]].concat();
        let one = peak_of(&folder, &[&["--clips", "crouch idle"], &look[..]].concat());
        let all = peak_of(&folder, &[&["--clips", "walk,attack,run", "--directions", "8"], &look[..]].concat());
        let atlas = open(&folder, "knight.png");
        let bytes = 5 * 4 * u64::from(atlas.width()) * u64::from(atlas.height());
        println!("{one} bytes for a few frames, {all} for a sheet whose images have {bytes}");
        assert!(bytes > 16 << 20 && all <= one + 2 * bytes + BESIDE, "{all} - {one} for {bytes}");
    });
}
