//! BVH: joints, channels in any order, ends of limbs, frame times and guessed units; faults name their line; clips go onto a character.

use std::sync::Arc;

use glam::{Quat, Vec3};
use keypose::anim::root_motion::RootMotion;
use keypose::anim::time::{FrameRate, Time};
use keypose::assets::model::Model;
use keypose_tools::clip_library::{Fit, clips_for, is_library};
use keypose_tools::export::gltf::{GlbOptions, encode};
use keypose_tools::import::Imported;

use crate::importing;
use crate::posing::places;

/// Hips, a spine with a head, and a leg, in centimetres.
pub const SMALL: &str = "HIERARCHY
ROOT Hips
{
  OFFSET 3 7 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Spine
  {
    OFFSET 0 40 0
    CHANNELS 3 Yrotation Xrotation Zrotation
    JOINT Head {
      OFFSET 0 20 0
      CHANNELS 3 Zrotation Xrotation Yrotation
      End Site
      {
        OFFSET 0 20 0
      }
    }
  }
  JOINT LeftUpLeg
  {
    OFFSET 10 -5 0
    CHANNELS 1 Xrotation
    End Site
    {
      OFFSET 0 -85 0
    }
  }
}
MOTION
Frames: 3
Frame Time: 0.0333333
0 90 0   0 0 0   0 0 0   0 0 0   0
1 90 0   90 0 90 30 0 0  0 0 0   -45
2 91 0.5 90 0 90 30 0 0  0 0 0   -45
";

fn read(text: &str) -> Result<Imported, String> {
    importing::read("walk.bvh", text.as_bytes())
}

/// The places of all bones at a time of the first clip.
fn posed(model: &Model, secs: f64) -> Vec<Vec3> {
    places(model, &model.clips[0].clip, secs)
}

fn near(a: Vec3, b: Vec3) -> bool {
    a.distance(b) < 1e-4
}

#[test]
fn a_file_is_a_library_of_one_clip() {
    let Imported { model, report } = read(SMALL).unwrap();
    let names: Vec<&str> = model.skeleton.bones().iter().map(|bone| bone.name.as_str()).collect();
    assert_eq!(names, ["Hips", "Spine", "LeftUpLeg", "Head", "LeftUpLeg_End", "Head_End"]);
    assert!(is_library(&model) && model.clips.len() == 1);
    let clip = &model.clips[0].clip;
    assert_eq!((clip.name.as_str(), clip.frame_rate, clip.keyframes.len()), ("walk", FrameRate::FPS_30, 3));
    assert_eq!(clip.length(), FrameRate::FPS_30.time_of(2));
    assert_eq!(report, ["units: taken as centimetres: the skeleton measures 1.70 m"]);
}

#[test]
fn the_rest_stands_on_the_ground_and_frames_pose_it() {
    let model = read(SMALL).unwrap().model;
    let [hips, spine, head] = ["Hips", "Spine", "Head"].map(|name| usize::from(model.skeleton.find(name).unwrap()));
    let rest = model.skeleton.rest_model_pose();
    let lowest = rest.bones.iter().map(|bone| bone.translation().y).fold(f32::INFINITY, f32::min);
    assert!(lowest.abs() < 1e-5 && near(rest.bones[hips].translation(), Vec3::Y * 0.9));
    let first = posed(&model, 0.0);
    assert!(near(first[hips], Vec3::Y * 0.9) && near(first[head], Vec3::Y * 1.5), "{first:?}");
    // Z by 90°, then Y by 90° in these axes: the rotations apply in the order of the channels, from the outside.
    let second = posed(&model, 1.0 / 30.0);
    let turn = Quat::from_rotation_z(90_f32.to_radians()) * Quat::from_rotation_y(90_f32.to_radians());
    let hips_at = Vec3::new(0.01, 0.9, 0.0);
    assert!(near(second[spine], hips_at + turn * Vec3::Y * 0.4));
    let turn = turn * Quat::from_rotation_y(30_f32.to_radians());
    assert!(near(second[head], hips_at + turn * Vec3::new(0.0, 0.2, 0.0) + Vec3::NEG_X * 0.4), "{second:?}");
}

#[test]
fn units_are_those_that_make_a_person() {
    let cases = [(1.0, "centimetres"), (0.01, "metres"), (0.393_7, "inches"), (10.0, "millimetres"), (0.177, "CMU")];
    for (factor, unit) in cases {
        let scaled = SMALL.lines().map(|line| match line.trim().strip_prefix("OFFSET") {
            Some(offset) => {
                let numbers: Vec<String> =
                    offset.split_whitespace().map(|word| (word.parse::<f64>().unwrap() * factor).to_string()).collect();
                format!("OFFSET {}\n", numbers.join(" "))
            }
            None => format!("{line}\n"),
        });
        let Imported { model, report } = read(&scaled.collect::<String>()).unwrap();
        assert!(report[0].contains(unit), "{factor}: {report:?}");
        let height = model.skeleton.bones()[0].rest.translation.y;
        assert!((height - 0.9).abs() < 0.01, "{unit}: {height}");
    }
    let report = read(&SMALL.replace("-85", "-8500")).unwrap().report;
    assert!(report[0].contains("not the size of a person"), "{report:?}");
}

#[test]
fn frame_times_that_are_rounded_are_common_rates() {
    let rates = [
        (".0083333", 120.0),
        ("0.0083", 120.0),
        ("0.0333", 30.0),
        ("0.0167", 60.0),
        ("0.01", 100.0),
        ("0.0333667", 30_000.0 / 1001.0),
        ("0.0416667", 24.0),
        ("0.0417", 24.0),
    ];
    for (text, fps) in rates {
        let clip = read(&SMALL.replace("0.0333333", text)).unwrap().model.clips[0].clip.clone();
        assert!((clip.frame_rate.fps() - fps).abs() < 1e-9, "{text}: {}", clip.frame_rate.fps());
        assert_eq!(clip.length(), clip.frame_rate.time_of(2), "{text}");
    }
    let odd = read(&SMALL.replace("0.0333333", "0.5")).unwrap().model;
    assert_eq!(odd.clips[0].clip.length(), Time::SECOND);
}

#[test]
fn positions_of_joints_replace_their_offsets_or_add_to_them() {
    let with = |position: &str| {
        let text = SMALL.replace("CHANNELS 1 Xrotation", "CHANNELS 4 Xposition Yposition Zposition Xrotation");
        text.replace("0 0 0   0\n", &format!("0 0 0 {position} 0\n")).replace("-45", &format!("{position} -45"))
    };
    let (replaced, added) = (read(&with("10 -5 0")).unwrap(), read(&with("0 0 0")).unwrap());
    let places = [&replaced, &added].map(|imported| posed(&imported.model, 0.0));
    assert!(places[0].iter().zip(&places[1]).all(|(a, b)| near(*a, *b)), "{places:?}");
    assert!(added.report.iter().any(|line| line.contains("added to their offsets")), "{:?}", added.report);
}

#[test]
fn faults_name_their_line() {
    let cases = [
        ("OFFSET 0 40 0", "OFFSET 0 4,5 0", "line 8: \"4,5\" is not a number"),
        ("OFFSET 0 40 0", "OFFSET 0 40", "line 8: OFFSET needs 3 numbers, but has 2"),
        ("CHANNELS 1 X", "CHANNELS 2 X", "line 22: CHANNELS \"2\" with 1 names"),
        ("1 Xrotation", "1 Wrotation", "line 22: \"Wrotation\" is not a channel"),
        ("  OFFSET 3 7 0", "  LENGTH 3", "line 4: \"LENGTH 3\" is not a line of a joint"),
        ("MOTION", "}\nMOTION", "line 29: a closing brace without an opening one"),
        ("    }\n  }\n}\nMOTION", "    }\n  }\nMOTION", "line 28: MOTION within a joint"),
        ("Frame Time: 0.0333333", "Frame Time: 0", "line 31: a frame time of 0 s"),
        ("Frames: 3", "Frame: 3", "line 30: \"Frame: 3\" where Frames: is expected"),
        ("1 90 0   90", "1 90 0   nan", "line 33: \"nan\" is not a number"),
        ("1 90 0   90", "1 90 0   1e30", "line 33: \"1e30\" is too large"),
        ("1 90 0   90", "1 90 0 5 90", "line 33: 14 numbers for 13 channels"),
        (&SMALL[SMALL.find("    JOINT Head").unwrap()..], "", "line 9: the file ends within the hierarchy"),
    ];
    for (from, to, expected) in cases {
        assert!(SMALL.contains(from), "{from}");
        let error = read(&SMALL.replace(from, to)).unwrap_err();
        assert!(error.contains(expected) && error.starts_with("walk.bvh: "), "{to}: {error}");
    }
    let cut = read(&SMALL[..SMALL.len() - 6]).unwrap();
    assert_eq!(cut.model.clips[0].clip.keyframes.len(), 2);
    assert!(cut.report.iter().any(|line| line.contains("the last frame has 12 of 13 numbers")), "{:?}", cut.report);
    assert!(cut.report.iter().any(|line| line.contains("3 frames are declared, 2 are there")), "{:?}", cut.report);
}

#[test]
fn many_joints_are_refused_before_they_are_made() {
    let deep = format!("HIERARCHY\n{}", "ROOT a\n{\nOFFSET 0 1 0\n".repeat(100_000));
    assert!(read(&deep).unwrap_err().contains("more than 4096 joints"));
}

/// The switch is guessed where the file doesn't say it, and follows the clip.
#[test]
fn clips_that_travel_have_root_motion() {
    let Imported { mut model, report } = read(&SMALL.replace("2 91 0.5", "2 91 90")).unwrap();
    assert_eq!(model.clips[0].clip.root_motion, RootMotion::Ground);
    assert_eq!(report[1], "clips: root motion is on for 1 of 1: the root travels along the ground");
    let rokoko = read(&SMALL.replace("LeftUpLeg", "LeftThigh")).unwrap().model;
    assert_eq!(rokoko.clips[0].clip.root_motion, RootMotion::None, "a sway");
    let found = clips_for(&rokoko, &model, Fit::default()).unwrap();
    assert_eq!(found.clips[0].root_motion, RootMotion::Ground);
    // Our own files say it.
    Arc::make_mut(&mut model.clips[0].clip).root_motion = RootMotion::None;
    let own = encode(&model, GlbOptions::default()).unwrap();
    let again = importing::read("own.glb", &own.bytes).unwrap();
    assert_eq!(again.model.clips[0].clip.root_motion, RootMotion::None, "{:?}", again.report);
}

/// Names of the CMU database, of Mixamo and of Rokoko find the bones of each other.
#[test]
fn clips_of_any_naming_go_onto_a_character() {
    let mixamo = SMALL.replace("Hips", "mixamorig:Hips").replace("LeftUpLeg", "mixamorig:LeftUpLeg");
    let rokoko = SMALL.replace("LeftUpLeg", "LeftThigh");
    let target = read(&mixamo).unwrap().model;
    for text in [SMALL, &rokoko] {
        let library = read(text).unwrap().model;
        let found = clips_for(&target, &library, Fit::default()).unwrap();
        let model = Model {
            clips: vec![keypose::assets::model::ClipSlot {
                id: keypose::assets::id::ClipId(1),
                clip: std::sync::Arc::new(found.clips[0].clone()),
            }],
            ..target.clone()
        };
        for secs in [0.0, 0.05] {
            let (a, b) = (posed(&model, secs), posed(&library, secs));
            assert!(a.iter().zip(&b).all(|(a, b)| near(*a, *b)), "{a:?} {b:?}");
        }
    }
}

/// A figure that stands along Z, as Blender writes it: turned, with its front to +Z.
#[test]
fn a_figure_that_stands_along_z_is_turned_upright() {
    let leg = |side: &str, x: i32| {
        format!(
            "JOINT {side}UpLeg {{ OFFSET {x} 0 0 CHANNELS 3 Zrotation Xrotation Yrotation JOINT {side}Foot {{ OFFSET 0 0 -80 \
             CHANNELS 3 Zrotation Xrotation Yrotation End Site {{ OFFSET 0 -10 0 }} }} }}"
        )
    };
    let text = format!(
        "HIERARCHY ROOT Hips {{ OFFSET 0 0 90 CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation \
         JOINT Head {{ OFFSET 0 0 60 CHANNELS 3 Zrotation Xrotation Yrotation End Site {{ OFFSET 0 0 20 }} }} {} {} }}\nMOTION\n\
         Frames: 1\nFrame Time: 0.04\n0 0 90 {}\n",
        leg("Left", 10),
        leg("Right", -10),
        "0 ".repeat(18)
    );
    let words = ["ROOT", "JOINT", "OFFSET", "CHANNELS", "End", "{", "}"];
    let lines = words.into_iter().fold(text, |text, word| text.replace(word, &format!("\n{word}")));
    let Imported { model, report } = read(&lines).unwrap();
    assert!(report.iter().any(|line| line.contains("turned upright")), "{report:?}");
    let rest = model.skeleton.rest_model_pose();
    let place = |name: &str| rest.get(model.skeleton.find(name).unwrap()).translation();
    let (head, foot) = (place("Head"), place("LeftFoot"));
    let up = head - foot;
    assert!(up.y > 1.2 && up.z.abs() < 1e-4 && foot.x > 0.0, "{head} {foot}");
    let hips = place("Hips");
    assert!(foot.y.abs() < 1e-4 && hips.x.abs() + hips.z.abs() < 1e-4, "it stands on the ground: {foot} {hips}");
}
