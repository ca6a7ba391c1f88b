//! Runs every example and checks what it reports. The examples are modules of this test, so that they are not linked one
//! by one.

use glam::{DVec3, Vec3};
use keypose::anim::ik::Outcome;
use keypose::anim::time::Time;

use crate::root::root;

#[allow(dead_code)]
#[path = "../../examples"]
mod topics {
    pub mod additive;
    pub mod attachment;
    pub mod blend;
    pub mod events;
    pub mod foot_ik;
    pub mod ik_chain;
    pub mod inertialization;
    pub mod look_at;
    pub mod masks;
    pub mod playback;
    pub mod root_motion;
    pub mod skinning;
    pub mod state_machine;
}

/// Examples read the demo from the folder of the repository.
fn go_to_root() {
    std::env::set_current_dir(root()).unwrap();
}

#[test]
fn playback_shows_a_standing_knight() {
    go_to_root();
    let bounds = topics::playback::run("data/demo.wad", Some("knight"), Some("idle")).unwrap();
    assert_eq!(bounds.len(), 14);
    for [low, high] in bounds {
        assert!(low.y.abs() < 1e-3, "the feet are on the ground: {low}");
        assert!((1.8..2.0).contains(&high.y), "{high}");
    }
    assert!(topics::playback::run("data/demo.wad", Some("dragon"), None).is_err());
    assert!(topics::playback::run("data/demo.wad", None, Some("swim")).is_err());
}

#[test]
fn blend_lengthens_the_steps_with_the_weight_of_the_run() {
    go_to_root();
    let steps = topics::blend::run().unwrap();
    assert!(steps.is_sorted() && steps[0] < 0.6 && steps[4] > 0.8, "{steps:?}");
}

#[test]
fn additive_moves_the_head_by_its_weight() {
    go_to_root();
    let moved = topics::additive::run().unwrap();
    assert_eq!(moved[0], 0.0);
    assert!(moved[2] > 0.1 && (moved[1] / moved[2] - 0.5).abs() < 0.05, "{moved:?}");
}

#[test]
fn masks_part_the_body_at_the_spine() {
    go_to_root();
    let shown = topics::masks::run().unwrap();
    let clip_of = |bone: &str| shown.iter().find(|(name, _)| name == bone).unwrap().1;
    for (bone, clip) in
        [("hips", "walk"), ("foot.L", "walk"), ("spine", "both"), ("head", "attack"), ("hand.R", "attack")]
    {
        assert_eq!(clip_of(bone), clip, "{bone}");
    }
}

#[test]
fn look_at_reaches_its_target_up_to_the_limit() {
    go_to_root();
    let angles = topics::look_at::run().unwrap();
    assert!(angles[..4].iter().all(|&angle| angle < 0.1), "{angles:?}");
    assert!(angles[4] > 10.0 && angles[5] > angles[4], "{angles:?}");
}

#[test]
fn foot_ik_puts_both_feet_on_the_slope() {
    go_to_root();
    let stands = topics::foot_ik::run().unwrap();
    assert_eq!(stands[0].pelvis, 0.0);
    assert!(stands[1].pelvis < -0.01 && stands[2].pelvis < stands[1].pelvis);
    assert!(stands.iter().flat_map(|stand| stand.errors).all(|error| error < 1e-3));
}

#[test]
fn ik_chain_reaches_what_is_in_reach() {
    go_to_root();
    let [near, high, far]: [_; 3] = topics::ik_chain::run().unwrap().try_into().ok().unwrap();
    for reach in near.iter().chain(&high) {
        assert_eq!(reach.outcome, Outcome::Reached);
        assert!(reach.distance < 1e-3 && reach.elbow < 144.0, "{} {}", reach.distance, reach.elbow);
    }
    assert!(far.iter().all(|reach| matches!(reach.outcome, Outcome::Short { distance } if distance > 1.0)));
}

#[test]
fn attachment_puts_the_left_hand_on_the_hilt() {
    go_to_root();
    let held = topics::attachment::run().unwrap();
    assert!(held.left_hand < 1e-3, "{}", held.left_hand);
    assert!(held.tip.distance(Vec3::new(0.050, 1.761, 0.827)) < 0.01, "{}", held.tip);
}

#[test]
fn root_motion_walks_a_quarter_circle_in_ten_loops() {
    go_to_root();
    let places = topics::root_motion::run().unwrap();
    assert!(places[0].distance(DVec3::Z * 1.2) < 1e-5, "{}", places[0]);
    // Chords of 1.2 m, each 9° further to the left.
    let chord = |index: usize| {
        let (sin, cos) = (index as f64 * 9_f64.to_radians()).sin_cos();
        DVec3::new(1.2 * sin, 0.0, 1.2 * cos)
    };
    let end: DVec3 = (0..10).map(chord).sum();
    assert!(places[9].distance(end) < 1e-4, "{} {end}", places[9]);
}

#[test]
fn events_are_heard_once_each() {
    go_to_root();
    let heard = topics::events::run().unwrap();
    let step = |tenths: i64| (Time(Time::SECOND.0 * tenths / 10), "footstep".to_owned());
    assert_eq!(heard, [0, 4, 8, 12, 16].map(step));
}

#[test]
fn inertialization_never_moves_faster_than_the_run_did() {
    go_to_root();
    let [jump, smooth] = topics::inertialization::run().unwrap();
    let fastest = |steps: &[f32]| steps.iter().fold(0.0_f32, |fastest, &step| fastest.max(step));
    let run = fastest(&smooth[..19]);
    assert!(fastest(&jump[19..]) > 2.0 * run, "{jump:?}");
    assert!(fastest(&smooth[19..]) <= run, "{smooth:?}");
    assert_eq!(jump[45..], smooth[45..], "the difference has decayed");
}

#[test]
fn state_machine_follows_its_parameters() {
    go_to_root();
    assert_eq!(topics::state_machine::run().unwrap(), ["idle", "move", "idle", "attack", "idle"]);
}

#[test]
fn skinning_differs_where_a_joint_twists() {
    go_to_root();
    let found = topics::skinning::run().unwrap();
    assert!(found.posed < 0.02 && found.twisted > 0.05, "{} {}", found.posed, found.twisted);
    assert!(found.cached < 1e-3, "{}", found.cached);
    assert_eq!(found.bytes % 48, 0);
}
