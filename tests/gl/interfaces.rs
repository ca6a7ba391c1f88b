//! The same pictures with OpenGL ES as with OpenGL 3.3, and `keypose doctor`.

use std::process::{Command, Output};

use keypose::anim::skin::method::Method;
use keypose::anim::time::Time;
use keypose_app::app::files;
use keypose_app::app::film::headless::{Headless, Interface};
use keypose_editor::render::frame::framed_model::{CameraAngle, FramedModel, poses};
use keypose_editor::render::frame::{Frame, bones};
use keypose_editor::render::gl::target::Target;
use keypose_editor::render::pass::palette::tier::Tier;

use crate::folder::Folder;
use crate::on;
use crate::root::root;
use crate::scene::renderer;

/// The player of the demo in the middle of a clip, with bones, on its ground with a shadow.
fn frame(method: Method) -> Frame {
    let opened = files::open(&root().join("data/demo.wad")).unwrap();
    let character = &opened.characters[0];
    let clip = character.clip_named("walk").unwrap();
    let posed = poses(&character.model, clip, &[Time::from_secs(0.2)]);
    let others = opened.project.models.clone();
    let framed = FramedModel::of(character.model.clone(), &others, posed.iter().map(|pose| &**pose), CameraAngle::Side);
    let mut frame = framed.frame(posed[0].clone(), 1.0);
    frame.models[0].method = method;
    let shapes = bones::shapes(&character.model.skeleton, &posed[0], &glam::Mat4::IDENTITY);
    bones::draw(&mut frame.overlay, &frame.camera, &shapes, |_| Some(bones::BoneStyle::PLAIN));
    frame
}

const SIDE: u32 = 160;

fn picture(headless: &Headless, frame: &Frame, tier: Option<Tier>) -> Vec<u8> {
    let target = Target::new(&headless.context, [SIDE; 2], 4).unwrap();
    let mut renderer = renderer(headless);
    renderer.ask_for_tier(tier);
    renderer.render(frame, &target).unwrap();
    target.read()
}

/// Pixels that differ by more than rounding.
fn differing(a: &[u8], b: &[u8]) -> usize {
    let differs = |(a, b): &(&[u8], &[u8])| a.iter().zip(*b).any(|(a, b)| a.abs_diff(*b) > 24);
    a.chunks_exact(4).zip(b.chunks_exact(4)).filter(differs).count()
}

#[test]
fn es_3_draws_the_same_picture_in_every_tier() {
    for method in [Method::Linear, Method::Dual] {
        let frame = frame(method);
        let mut reference = Vec::new();
        on(Interface::Gl33, |headless| reference = picture(headless, &frame, None));
        on(Interface::Es3, |headless| {
            for tier in [None, Some(Tier::Uniform), Some(Tier::Block), Some(Tier::Texture)] {
                let drawn = picture(headless, &frame, tier);
                let off = differing(&drawn, &reference);
                assert!(off < 40, "{method:?}, {tier:?}: {off} pixels differ");
            }
        });
        let background = &reference[..4];
        let seen = reference.chunks_exact(4).filter(|pixel| pixel[0].abs_diff(background[0]) > 24).count();
        assert!(seen > 1500, "the player is seen: {seen}");
    }
}

fn keypose(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_keypose")).args(arguments).env_remove("DISPLAY").output().unwrap()
}

#[test]
fn the_command_draws_with_each_interface_and_tier() {
    on(Interface::Gl33, |_| ());
    let folder = Folder::new("interfaces");
    let demo = root().join("data/demo.wad");
    let draw_as = |version: [&str; 2], arguments: &[&str]| {
        let (out, demo) = (folder.join("picture.png"), demo.display().to_string());
        let output = out.display().to_string();
        let words = ["render", &demo, "--clip", "walk", "--time", "0.2", "--size", "96x96", "-o", &output];
        let mut command = Command::new(env!("CARGO_BIN_EXE_keypose"));
        // What Mesa calls itself and offers; other drivers ignore it.
        command.args(words).args(arguments).env_remove("DISPLAY").env(version[0], version[1]);
        let done = command.output().unwrap();
        assert!(done.status.success(), "{arguments:?}: {done:?}");
        image::open(&out).unwrap().to_rgba8().into_raw()
    };
    let draw = |arguments: &[&str]| draw_as(["KEYPOSE_NOTHING", ""], arguments);
    let usual = draw(&[]);
    let [es, uniform] = [&["--gl", "es3"][..], &["--gl", "gl33", "--palette", "uniform"]].map(draw);
    for drawn in [&es, &uniform] {
        assert!(differing(drawn, &usual) < 30, "{} pixels differ", differing(drawn, &usual));
    }
    assert!(differing(&draw(&["--skinning", "rigid"]), &usual) > 10);
    let plain_es = ["MESA_GLES_VERSION_OVERRIDE", "3.0"];
    assert_eq!(draw_as(plain_es, &["--gl", "es3"]), es, "ES 3.0 without anything newer");
}

#[test]
fn the_doctor_names_driver_limits_and_tiers() {
    on(Interface::Gl33, |_| ());
    let done = keypose(&["doctor"]);
    let text = String::from_utf8(done.stdout).unwrap();
    assert!(done.status.success(), "{text}");
    for expected in [
        "OpenGL 3.3 (--gl gl33)",
        "OpenGL ES 3.0 (--gl es3)",
        "driver: ",
        "textures: up to ",
        "room for palettes: uniform array up to ",
        "30 bones: uniform array, 300 bones: uniform block",
        "missing: ",
        "shaders: they compile",
    ] {
        assert!(text.contains(expected), "{expected:?} is not in:\n{text}");
    }
}
