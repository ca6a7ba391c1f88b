//! `keypose render` as a process: the files that it writes, and what it says where it cannot.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::folder::Folder;
use crate::on_driver;
use crate::root::root;

fn demo() -> PathBuf {
    root().join("data/demo.wad")
}

fn render(arguments: &[&str], file: &Path, output: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_keypose"));
    command.arg("render").arg(file).args(arguments).arg("-o").arg(output).env_remove("DISPLAY");
    command.output().unwrap()
}

#[test]
fn a_sheet_and_a_film_are_written() {
    on_driver(|_| {
        let folder = Folder::new("sheet-and-film");
        let (sheet, film) = (folder.join("sheet.png"), folder.join("film.gif"));
        let done = render(&["--clip", "walk", "--frames", "8", "--size", "64x48"], &demo(), &sheet);
        assert!(done.status.success(), "{done:?}");
        let picture = image::open(&sheet).unwrap();
        assert_eq!((picture.width(), picture.height()), (256, 96));
        let done = render(&["--clip", "walk", "--fps", "10", "--size", "64x48", "--camera", "front"], &demo(), &film);
        assert!(done.status.success(), "{done:?}");
        let bytes = std::fs::read(&film).unwrap();
        let mut decoder = gif::DecodeOptions::new().read_info(bytes.as_slice()).unwrap();
        let (mut frames, mut hundredths) = (0, 0);
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            (frames, hundredths) = (frames + 1, hundredths + frame.delay);
        }
        assert_eq!((frames * 10, decoder.width(), decoder.height()), (hundredths, 64, 48));
    });
}

#[test]
fn each_view_draws_another_picture() {
    on_driver(|_| {
        let folder = Folder::new("views");
        let file = folder.join("view.png");
        let mut pictures = Vec::new();
        for view in ["lit", "weights", "normal-lines"] {
            let done = render(&["--size", "200x200", "--clip", "walk", "--view", view], &demo(), &file);
            assert!(done.status.success(), "{done:?}");
            let picture = image::open(&file).unwrap().to_rgba8();
            assert!(!pictures.contains(&picture), "{view}");
            pictures.push(picture);
        }
    });
}

#[test]
fn interpolated_matrices_act_between_keyframes_and_not_at_them() {
    on_driver(|_| {
        let folder = Folder::new("interpolated");
        let file = folder.join("interpolated.png");
        let picture = |time: &str, method: &str| {
            let arguments = ["--clip", "attack", "--time", time, "--skinning", method, "--size", "200x200"];
            let done = render(&arguments, &demo(), &file);
            assert!(done.status.success(), "{done:?}");
            image::open(&file).unwrap().to_rgba8()
        };
        let differing = |time: &str| {
            let (a, b) = (picture(time, "linear"), picture(time, "interpolated"));
            a.pixels().zip(b.pixels()).filter(|(a, b)| (0..3).any(|at| a[at].abs_diff(b[at]) > 24)).count()
        };
        assert!(differing("0") < 20, "a keyframe");
        assert!((0..8).any(|at| differing(&format!("{}", 0.03 + 0.05 * f64::from(at))) > 60), "between keyframes");
    });
}

#[test]
fn what_cannot_be_rendered_is_one_sentence() {
    let folder = Folder::new("never-written");
    let picture = folder.join("picture.png");
    let cases: [(&[&str], &str, &Path, &str); 6] = [
        (&[], "gone.glb", &picture, "no such file"),
        (&["--clip", "nope"], "", &picture, "no clip \"nope\"; the clips are: idle"),
        (&["--model", "nope"], "", &picture, "no model \"nope\""),
        (&[], "", Path::new("picture.jpg"), ".png or .gif"),
        (&["--clip", "walk", "--time", "nan"], "", &picture, "--time: NaN is not a valid time"),
        (&["--fps", "90"], "", Path::new("film.gif"), "1 to 50"),
    ];
    for (arguments, file, output, expected) in cases {
        let file = if file.is_empty() { demo() } else { PathBuf::from(file) };
        let done = render(arguments, &file, output);
        let errors = String::from_utf8_lossy(&done.stderr).into_owned();
        assert_eq!(done.status.code(), Some(1), "{errors}");
        assert!(errors.contains(expected) && errors.lines().count() == 1, "{errors}");
    }
    assert!(!picture.exists());
}
