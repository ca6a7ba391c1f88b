//! `keypose sprites` as a process: the sheet of the demo knight pixel by pixel, and what it refuses.

use std::collections::{BTreeSet, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use image::{Rgba, RgbaImage};
use serde_json::Value;

use crate::on_driver;
use crate::root::root;

/// A folder of the test's own.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("sprites-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn sprites(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_keypose"));
    let demo = root().join("data/demo.wad");
    command.current_dir(folder).arg("sprites").arg(demo).args(arguments).env_remove("DISPLAY").output().unwrap()
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

/// The number of parts of the opaque pixels of an image, diagonal neighbours included.
fn parts(image: &RgbaImage) -> usize {
    let mut left: BTreeSet<(u32, u32)> =
        image.enumerate_pixels().filter(|(_, _, pixel)| pixel.0[3] > 0).map(|(x, y, _)| (x, y)).collect();
    let mut parts = 0;
    while let Some(first) = left.pop_first() {
        parts += 1;
        let mut waiting = VecDeque::from([first]);
        while let Some((x, y)) = waiting.pop_front() {
            let around = (0..9).map(|at| ((x + at % 3).wrapping_sub(1), (y + at / 3).wrapping_sub(1)));
            waiting.extend(around.filter(|place| left.remove(place)).collect::<Vec<_>>());
        }
    }
    parts
}

#[test]
fn a_sheet_is_clean_and_complete() {
    on_driver(|_| {
        let folder = folder("clean");
        let arguments = ["--clips", "walk,attack", "--directions", "8", "-o", "knight"];
        let json = made(&folder, &arguments);
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
            assert_eq!(parts(&cut), 1, "{name} has specks or a gap in its outline");
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
        let first = fs::read(folder.join("knight.png")).unwrap();
        assert_eq!(made(&folder, &arguments), json);
        assert!(fs::read(folder.join("knight.png")).unwrap() == first, "the same pixels each time");
        fs::remove_dir_all(folder).unwrap();
    });
}

#[test]
fn a_pose_that_hardly_moves_is_stored_once() {
    on_driver(|_| {
        let folder = folder("stable");
        let pictures = |arguments: &[&str]| {
            let json = made(&folder, &[&["--clips", "idle", "--height", "24", "-o", "knight"], arguments].concat());
            let frames = json["frames"].as_array().unwrap();
            let different: BTreeSet<String> = frames.iter().map(|frame| frame["frame"].to_string()).collect();
            (frames.len(), different.len())
        };
        let ((frames, few), (all, many)) = (pictures(&[]), pictures(&["--every-frame"]));
        assert_eq!(frames, all);
        assert!(few < many && few < frames / 2, "{few} {many} of {frames}");
        fs::remove_dir_all(folder).unwrap();
    });
}

#[test]
fn what_was_drawn_by_hand_is_not_replaced() {
    on_driver(|_| {
        let folder = folder("hand");
        let arguments = ["--clips", "crouch idle", "--height", "16", "--formats", "aseprite", "-o", "a"];
        let run = |more: &[&str]| sprites(&folder, &[&arguments, more].concat());
        assert!(run(&[]).status.success() && run(&[]).status.success());
        let path = folder.join("a.aseprite");
        let mut changed = fs::read(&path).unwrap();
        *changed.last_mut().unwrap() ^= 1;
        fs::write(&path, &changed).unwrap();
        let refused = String::from_utf8(run(&[]).stderr).unwrap();
        assert!(refused.contains("changed by another program") && refused.lines().count() == 1, "{refused}");
        assert!(fs::read(&path).unwrap() == changed);
        assert!(run(&["--force"]).status.success() && fs::read(&path).unwrap() != changed);
        fs::write(folder.join("a.png"), "not a picture").unwrap();
        assert!(!run(&["--force"]).status.success());
        assert_eq!(fs::read(folder.join("a.png")).unwrap(), b"not a picture");
        fs::remove_dir_all(folder).unwrap();
    });
}

#[test]
fn bad_input_is_a_sentence_and_writes_nothing() {
    on_driver(|_| {
        let folder = folder("bad");
        fs::write(folder.join("broken.hex"), "ff00ff\nred\n").unwrap();
        fs::write(folder.join("short.hex"), "ff00ff\n00ff00\n").unwrap();
        let cases: [(&[&str], &str); 12] = [
            (&["--height", "0"], "8 to 512 pixels high"),
            (&["--height", "9999"], "8 to 512 pixels high"),
            (&["--scale", "nan"], "pixels per unit"),
            (&["--scale", "9000"], "the maximum is"),
            (&["--clips", "dance"], "no clip \"dance\""),
            (&["--fps", "0"], "1 to 60 frames per second"),
            (&["--palette", "1"], "2 to 255 colours"),
            (&["--palette", "broken.hex"], "broken.hex: line 2"),
            (&["--palette", "gone.gpl"], "gone.gpl"),
            (&["--palette", "24", "--swap", "short.hex"], "the palette has 2 colours, the sheet 24"),
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
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 2, "nothing is written");
        fs::remove_dir_all(folder).unwrap();
    });
}
