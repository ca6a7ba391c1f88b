//! The animation state machine: fades, interrupts, exit times, events, and any values at all.

use std::sync::Arc;

use glam::{Quat, Vec2, Vec3};
use keypose::anim::bake::bake;
use keypose::anim::clip::{Clip, Event, Keyframe, LoopMode};
use keypose::anim::key::{Ease, Key};
use keypose::anim::machine::bound::{BoundMachine, MachineClip};
use keypose::anim::machine::def::MachineDef;
use keypose::anim::machine::parameters::Parameters;
use keypose::anim::machine::parts::{
    Condition, Fade, FadeKind, Interrupt, Line, LinePoint, MachineParts, Motion, Pace, ParameterDef, Plane, PlanePoint,
    Repeat, StateDef, TransitionDef, TransitionSource, Value,
};
use keypose::anim::machine::play::{Machine, Scratch};
use keypose::anim::pose::{LocalPose, ModelPose};
use keypose::anim::root_motion::RootMotion;
use keypose::anim::skeleton::{Bone, Skeleton};
use keypose::anim::skin::method::Method;
use keypose::anim::time::Time;
use keypose::anim::transform::Transform;
use keypose::assets::character::Character;
use keypose::assets::id::ClipId;
use keypose::assets::machine::{AnimationTable, Graph};
use keypose::assets::matrix_clips::MatrixClips;
use keypose::assets::model::{ClipSlot, Model};
use keypose::assets::playable::{PlayableCharacter, default_machine};
use proptest::prelude::*;

use crate::cases;

const TICK: f32 = 1.0 / 60.0;

fn skeleton() -> Skeleton {
    let bone = |name: &str, parent| Bone { name: name.into(), parent, rest: Transform::IDENTITY };
    Skeleton::new(vec![bone("root", None), bone("tip", Some(0))]).unwrap()
}

/// The root moves from `from` to `to` along x in `ticks` ticks.
fn clip(name: &str, ticks: i64, from: f32, to: f32, mode: LoopMode) -> Clip {
    let keyframe = |duration, x| {
        let mut keyframe = Keyframe { duration, ..Keyframe::default() };
        keyframe.set(Key { ease: Ease::Linear, ..Key::translation(0, Vec3::X * x) });
        keyframe
    };
    let mut keyframes = vec![keyframe(Time::from_ticks(ticks), from), keyframe(Time::ZERO, to)];
    keyframes.truncate(if ticks > 0 { 2 } else { 1 });
    Clip {
        loop_mode: mode,
        keyframes: keyframes.into(),
        events: vec![Event { time: Time::from_ticks(ticks / 2), name: format!("{name} half") }].into(),
        ..Clip::new(name)
    }
}

fn clips() -> Vec<Clip> {
    vec![
        clip("zero", 60, 0.0, 0.0, LoopMode::Loop),
        clip("ten", 60, 10.0, 10.0, LoopMode::Loop),
        clip("way", 60, 0.0, 60.0, LoopMode::Loop),
        clip("short way", 30, 0.0, 60.0, LoopMode::Loop),
        clip("swing", 30, 0.0, 3.0, LoopMode::Once),
        clip("still", 0, 5.0, 5.0, LoopMode::Once),
        clip("sway", 30, 0.0, 3.0, LoopMode::PingPong),
    ]
}

fn bind(parts: MachineParts) -> Arc<BoundMachine> {
    let skeleton = skeleton();
    let clips: Vec<_> = clips().iter().map(|it| Arc::new(bake(it, &skeleton))).collect();
    let find = |_: &StateDef, name: &str| clips.iter().find(|clip| clip.name == name).cloned().map(MachineClip::new);
    Arc::new(BoundMachine::new(Arc::new(MachineDef::new(parts).unwrap()), &skeleton, find))
}

fn state(name: &str) -> StateDef {
    StateDef::new(name, Motion::Clip(name.into()))
}

fn on(name: &str) -> Condition {
    Condition::On { parameter: name.into() }
}

fn fired(name: &str) -> Condition {
    Condition::Fired { parameter: name.into() }
}

fn from(state: &str, to: &str, condition: Condition, fade: Fade) -> TransitionDef {
    TransitionDef { conditions: vec![condition], fade, ..TransitionDef::new(TransitionSource::State(state.into()), to) }
}

fn any(to: &str, condition: Condition) -> TransitionDef {
    TransitionDef { conditions: vec![condition], ..TransitionDef::new(TransitionSource::Any, to) }
}

/// Switches a, b, c; a trigger "go"; a number "x", each 0.
fn parameters() -> Vec<ParameterDef> {
    let switches = ["a", "b", "c"].map(|name| ParameterDef::new(name, Value::Switch(false)));
    let others = [ParameterDef::new("go", Value::Trigger), ParameterDef::new("x", Value::Number(0.0))];
    switches.into_iter().chain(others).collect()
}

/// A machine that starts in the first of its states.
fn of_states(states: Vec<StateDef>) -> MachineParts {
    MachineParts { start: states[0].name.clone(), parameters: parameters(), states, ..MachineParts::default() }
}

fn parts(states: &[&str], transitions: Vec<TransitionDef>) -> MachineParts {
    MachineParts { transitions, ..of_states(states.iter().map(|name| state(name)).collect()) }
}

/// A running machine with its parameters and buffers.
struct Stage {
    machine: Machine,
    parameters: Parameters,
    scratch: Scratch,
}

impl Stage {
    fn new(parts: MachineParts) -> Stage {
        Stage::of(bind(parts))
    }

    /// Plays a machine whose clips were found already.
    fn of(bound: Arc<BoundMachine>) -> Stage {
        Stage { parameters: Parameters::new(bound.def()), machine: Machine::new(bound), scratch: Scratch::default() }
    }

    fn at(&self, name: &str) -> usize {
        self.machine.bound().def().parameter(name).unwrap()
    }

    fn switch(&mut self, name: &str, is_on: bool) {
        self.parameters.set_switch(self.at(name), is_on).unwrap();
    }

    fn number(&mut self, name: &str, value: f32) {
        self.parameters.set_number(self.at(name), value).unwrap();
    }

    fn fire(&mut self, name: &str) {
        self.parameters.fire(self.at(name)).unwrap();
    }

    fn tick(&mut self, ticks: usize) {
        (0..ticks).for_each(|_| self.machine.update(TICK, &mut self.parameters, &mut self.scratch));
    }

    fn x(&mut self) -> f32 {
        self.x_between(1.0)
    }

    fn x_between(&mut self, alpha: f32) -> f32 {
        let mut pose = LocalPose::from_transforms([Transform::from_translation(Vec3::NAN)]);
        self.machine.sample_between(alpha, &mut self.scratch, &mut pose);
        assert_eq!(pose.len(), 2);
        pose.get(0).translation.x
    }
}

fn near(a: f32, b: f32) {
    assert!((a - b).abs() < 2e-3, "{a} instead of {b}");
}

/// ```text
/// tick   0    1 ── 2 ── … ── 11
/// x      0    0    1    …    10
/// ```
#[test]
fn a_cross_fade_goes_from_one_pose_to_the_other() {
    let mut stage = Stage::new(parts(&["zero", "ten"], vec![from("zero", "ten", on("a"), Fade::cross(10.0 * TICK))]));
    stage.tick(5);
    near(stage.x(), 0.0);
    stage.switch("a", true);
    stage.tick(1);
    assert_eq!(stage.machine.state_name(), "ten");
    assert_eq!(stage.machine.fade(), Some((0, 0.0)));
    near(stage.x(), 0.0);
    for tick in 1..=10 {
        stage.tick(1);
        near(stage.x(), tick as f32);
        near(stage.x_between(0.5), tick as f32 - 0.5);
    }
    assert_eq!(stage.machine.fade(), None);
}

#[test]
fn a_cut_takes_no_time() {
    let mut stage = Stage::new(parts(&["zero", "ten"], vec![from("zero", "ten", on("a"), Fade::default())]));
    stage.switch("a", true);
    stage.tick(1);
    near(stage.x(), 10.0);
    near(stage.x_between(0.0), 10.0);
}

#[test]
fn a_matched_fade_keeps_both_clips_at_the_same_phase() {
    let fade = Fade { kind: FadeKind::Matched, secs: 20.0 * TICK };
    let mut stage = Stage::new(parts(&["way", "short way"], vec![from("way", "short way", on("a"), fade)]));
    stage.tick(17);
    stage.switch("a", true);
    stage.tick(1);
    near(stage.x(), 18.0);
    for tick in 1..20 {
        stage.tick(1);
        near(stage.x(), 18.0 + 2.0 * tick as f32);
    }
}

#[test]
fn a_matched_state_counts_its_own_loops() {
    let fade = Fade { kind: FadeKind::Matched, secs: 5.0 * TICK };
    let mut stage = Stage::new(parts(&["way", "short way"], vec![from("way", "short way", on("a"), fade)]));
    stage.tick(197);
    let before = stage.machine.loops();
    stage.switch("a", true);
    stage.tick(1);
    assert!(before > 2.0 && (0.0..1.0).contains(&stage.machine.loops()), "{before} {}", stage.machine.loops());
}

#[test]
fn a_matched_ping_pong_counts_its_own_loops() {
    let fade = Fade { kind: FadeKind::Matched, secs: 5.0 * TICK };
    let mut stage = Stage::new(parts(&["way", "sway"], vec![from("way", "sway", on("a"), fade)]));
    stage.tick(78);
    stage.switch("a", true);
    stage.tick(1);
    assert!((0.3..0.4).contains(&stage.machine.loops()), "{}", stage.machine.loops());
    // The way back continues, too.
    let exit = TransitionSource::State("other".into());
    let exit = TransitionDef { exit_time: Some(1.0), ..TransitionDef::new(exit, "ten") };
    let mut back = parts(&["sway", "ten"], vec![from("sway", "other", on("a"), fade), exit]);
    back.states.push(StateDef::new("other", Motion::Clip("sway".into())));
    let mut stage = Stage::new(back);
    stage.tick(45);
    stage.switch("a", true);
    for tick in 46..50 {
        stage.tick(1);
        near(stage.x(), 3.0 * (60 - tick) as f32 / 30.0);
        assert_eq!(stage.machine.state_name(), "other");
    }
}

#[test]
fn an_inertial_fade_starts_where_it_was_and_ends_in_the_new_clip() {
    let fade = Fade { kind: FadeKind::Inertial, secs: 0.2 };
    let mut stage = Stage::new(parts(&["ten", "zero"], vec![from("ten", "zero", on("a"), fade)]));
    stage.tick(5);
    stage.switch("a", true);
    stage.tick(1);
    near(stage.x(), 10.0);
    assert_eq!(stage.machine.fade(), Some((0, 0.0)));
    let mut before = 10.0;
    for _ in 0..11 {
        stage.tick(1);
        let x = stage.x();
        assert!(x < before && x > 0.0, "{x} after {before}");
        before = x;
    }
    stage.tick(2);
    near(stage.x(), 0.0);
    assert_eq!(stage.machine.fade(), None);
}

#[test]
fn an_exit_time_waits_for_the_end_of_the_clip() {
    for (rounds, ticks) in [(0.5, 15), (1.0, 30), (2.0, 60)] {
        let exit = TransitionDef {
            exit_time: Some(rounds),
            ..TransitionDef::new(TransitionSource::State("swing".into()), "ten")
        };
        let mut stage = Stage::new(parts(&["swing", "ten"], vec![exit]));
        stage.tick(ticks - 1);
        assert_eq!(stage.machine.state_name(), "swing", "{rounds}");
        stage.tick(2);
        assert_eq!(stage.machine.state_name(), "ten", "{rounds}");
    }
}

#[test]
fn a_state_that_plays_backwards_starts_at_its_end_and_exits_at_its_start() {
    let exit =
        TransitionDef { exit_time: Some(1.0), ..TransitionDef::new(TransitionSource::State("swing".into()), "ten") };
    let mut parts = parts(&["swing", "ten"], vec![exit]);
    parts.states[0].pace = Pace::Time { speed: -1.0, by: String::new() };
    let mut stage = Stage::new(parts);
    stage.tick(15);
    near(stage.x(), 1.5);
    stage.tick(14);
    assert_eq!(stage.machine.state_name(), "swing");
    stage.tick(2);
    assert_eq!(stage.machine.state_name(), "ten");
}

#[test]
fn a_state_without_a_clip_has_reached_any_exit_time() {
    for gone in ["still", "not there"] {
        let exit =
            TransitionDef { exit_time: Some(1.0), ..TransitionDef::new(TransitionSource::State(gone.into()), "ten") };
        let mut stage = Stage::new(parts(&[gone, "ten"], vec![exit]));
        near(stage.x(), if gone == "still" { 5.0 } else { 0.0 });
        stage.tick(1);
        assert_eq!(stage.machine.state_name(), "ten");
    }
}

/// A fade from zero to ten, and which of the later transitions may interrupt it.
#[test]
fn interrupt_rules_decide_which_transitions_can_interrupt() {
    type Case = (Interrupt, &'static str, &'static str);
    let cases: &[Case] = &[
        (Interrupt::Target, "b", "way"),
        (Interrupt::Target, "c", "ten"),
        (Interrupt::Source, "b", "ten"),
        (Interrupt::Source, "c", "swing"),
        (Interrupt::Either, "b", "way"),
        (Interrupt::Either, "c", "swing"),
        (Interrupt::Never, "b", "ten"),
        (Interrupt::Never, "c", "ten"),
    ];
    let kinds = [FadeKind::Cross, FadeKind::Inertial];
    for (kind, &(interrupt, switch, expected)) in
        kinds.into_iter().flat_map(|kind| cases.iter().map(move |it| (kind, it)))
    {
        let fade = Fade { kind, secs: 10.0 * TICK };
        let transitions = vec![
            from("zero", "swing", on("c"), fade),
            TransitionDef { interrupt, ..from("zero", "ten", on("a"), fade) },
            from("ten", "way", on("b"), fade),
        ];
        let mut stage = Stage::new(parts(&["zero", "ten", "way", "swing"], transitions));
        stage.switch("a", true);
        stage.tick(4);
        stage.switch(switch, true);
        stage.tick(1);
        assert_eq!(stage.machine.state_name(), expected, "{kind:?} {interrupt:?} {switch}");
        stage.tick(30);
        let at_last = if switch == "b" { "way" } else { expected };
        assert_eq!(stage.machine.state_name(), at_last, "{kind:?} {interrupt:?} {switch}");
    }
}

#[test]
fn an_interrupted_fade_does_not_jump() {
    let states = ["zero", "ten", "still", "way"];
    let ring =
        |at: usize, switch: &str| from(states[at], states[(at + 1) % 4], fired(switch), Fade::cross(30.0 * TICK));
    let mut stage = Stage::new(parts(&states, (0..4).map(|at| ring(at, "go")).collect()));
    let mut before = stage.x();
    for tick in 0..200 {
        if tick % 4 == 0 {
            stage.fire("go");
        }
        stage.tick(1);
        let x = stage.x();
        // The clip "way" jumps back by 60 once per second: its weight bounds the step.
        assert!((x - before).abs() < 3.5 || stage.machine.loops() % 1.0 < 0.1, "tick {tick}: {before} to {x}");
        before = x;
    }
}

#[test]
fn the_first_transition_wins_and_any_state_keeps_the_active_state() {
    let transitions = vec![any("ten", on("a")), any("way", on("b")), any("zero", on("c"))];
    let mut stage = Stage::new(parts(&["zero", "ten", "way"], transitions));
    stage.switch("a", true);
    stage.switch("b", true);
    for _ in 0..5 {
        stage.tick(1);
        assert_eq!(stage.machine.state_name(), "ten");
        assert!(stage.machine.loops() < 0.1);
    }
    stage.switch("a", false);
    stage.tick(1);
    assert_eq!(stage.machine.state_name(), "way");
}

#[test]
fn a_trigger_counts_once_and_for_one_update_only() {
    let back =
        TransitionDef { exit_time: Some(0.5), ..TransitionDef::new(TransitionSource::State("ten".into()), "zero") };
    let mut stage = Stage::new(parts(&["zero", "ten"], vec![from("zero", "ten", fired("go"), Fade::default()), back]));
    stage.fire("go");
    stage.tick(1);
    assert_eq!(stage.machine.state_name(), "ten");
    // A trigger that no transition consumes is reset.
    stage.fire("go");
    stage.tick(1);
    stage.tick(60);
    assert_eq!(stage.machine.state_name(), "zero");
}

#[test]
fn a_state_can_restart() {
    let mut stage = Stage::new(parts(&["swing"], vec![from("swing", "swing", fired("go"), Fade::default())]));
    stage.tick(20);
    near(stage.x(), 2.0);
    stage.fire("go");
    stage.tick(1);
    near(stage.x(), 0.0);
}

#[test]
fn a_cycle_of_transitions_ends_in_every_update() {
    let circle = ["zero", "ten", "way", "zero"].windows(2).map(|pair| from(pair[0], pair[1], on("a"), Fade::default()));
    let mut stage = Stage::new(parts(&["zero", "ten", "way"], circle.collect()));
    stage.switch("a", true);
    let names: Vec<String> = (0..4)
        .map(|_| {
            stage.tick(1);
            stage.machine.state_name().to_owned()
        })
        .collect();
    assert_eq!(names, ["way", "ten", "zero", "way"]);
}

#[test]
fn events_are_met_once_per_loop() {
    let mut stage = Stage::new(parts(&["short way"], vec![]));
    let mut met = Vec::new();
    for tick in 0..90 {
        stage.tick(1);
        stage.machine.for_each_event(|event| met.push((tick, event.name.clone())));
    }
    let ticks: Vec<i32> = met.iter().map(|(tick, _)| *tick).collect();
    assert_eq!(ticks.len(), 3, "{met:?}");
    assert!(ticks.iter().zip([15, 45, 75]).all(|(tick, expected)| (tick - expected).abs() <= 1), "{met:?}");
}

fn line(points: &[(f32, &str)], damp_secs: f32) -> Motion {
    let points = points.iter().map(|&(at, clip)| LinePoint { at, clip: clip.into() }).collect();
    Motion::Line(Line { parameter: "x".into(), damp_secs, points })
}

#[test]
fn a_blend_follows_its_parameter_and_its_clips_stay_in_phase() {
    let motion = line(&[(0.0, "way"), (1.0, "short way")], 0.0);
    let mut stage = Stage::new(of_states(vec![StateDef::new("move", motion)]));
    stage.number("x", 0.5);
    for tick in 1..40 {
        stage.tick(1);
        // A loop takes 45 ticks, between 60 and 30; both clips cover 60 in it.
        near(stage.x(), 60.0 * tick as f32 / 45.0);
    }
    assert_eq!(stage.machine.weights()[..2], [0.5, 0.5]);
}

#[test]
fn a_damped_blend_lags_behind_its_parameter() {
    let states = vec![StateDef::new("mix", line(&[(0.0, "zero"), (10.0, "ten")], 0.1))];
    let mut stage = Stage::new(of_states(states));
    stage.number("x", 10.0);
    stage.tick(1);
    let first = stage.x();
    assert!(first > 0.5 && first < 5.0, "{first}");
    stage.tick(120);
    near(stage.x(), 10.0);
}

#[test]
fn a_damped_blend_starts_at_its_parameter() {
    let states = vec![StateDef::new("mix", line(&[(0.0, "zero"), (10.0, "ten")], 1.0))];
    let parameters = vec![ParameterDef::new("x", Value::Number(10.0))];
    let mut stage = Stage::new(MachineParts { parameters, ..of_states(states) });
    near(stage.x(), 10.0);
    stage.tick(1);
    near(stage.x(), 10.0);
}

#[test]
fn the_distance_travelled_advances_the_clip() {
    let mut walk = state("way");
    walk.pace = Pace::Distance { by: "x".into() };
    let skeleton = skeleton();
    let baked = Arc::new(bake(&clips()[2], &skeleton));
    let clip = MachineClip { stride: Some(3.0), drift: Vec3::X * 30.0, ..MachineClip::new(baked) };
    let def = Arc::new(MachineDef::new(of_states(vec![walk])).unwrap());
    let mut stage = Stage::of(Arc::new(BoundMachine::new(def, &skeleton, |_, _| Some(clip.clone()))));
    stage.number("x", 1.5);
    stage.tick(30);
    // 0.75 m are a quarter of the loop: 15 of 60, of which the drift takes half.
    near(stage.x(), 7.5);
    stage.number("x", -1.5);
    stage.tick(30);
    near(stage.x(), 0.0);
}

/// A walk of one unit a tick and a run of three, with a transition from one to the other.
fn travel(fade: Fade) -> Stage {
    let skeleton = skeleton();
    let travelling =
        |name: &str, to: f32| Clip { root_motion: RootMotion::Ground, ..clip(name, 60, 0.0, to, LoopMode::Loop) };
    let clips = [travelling("walk", 60.0), travelling("run", 180.0)].map(|clip| Arc::new(bake(&clip, &skeleton)));
    let find = |_: &StateDef, name: &str| clips.iter().find(|clip| clip.name == name).cloned().map(MachineClip::new);
    let parts = parts(&["walk", "run"], vec![from("walk", "run", on("a"), fade)]);
    Stage::of(Arc::new(BoundMachine::new(Arc::new(MachineDef::new(parts).unwrap()), &skeleton, find)))
}

#[test]
fn root_motion_continues_through_cuts() {
    for fade in [Fade::cross(0.0), Fade { kind: FadeKind::Inertial, ..Fade::cross(10.0 * TICK) }] {
        let mut stage = travel(fade);
        stage.tick(9);
        stage.switch("a", true);
        for expected in [1.0, 3.0] {
            stage.tick(1);
            let moved = stage.machine.root_motion(&mut stage.scratch).translation.x;
            assert!((moved - expected).abs() < 1e-4, "{fade:?}: {moved}");
        }
    }
}

#[test]
fn root_motion_is_blended_as_poses_are_and_poses_stay_in_place() {
    let mut stage = travel(Fade::cross(10.0 * TICK));
    let mut passed = 0.0;
    for tick in 0..90 {
        stage.tick(1);
        let moved = stage.machine.root_motion(&mut stage.scratch).translation.x;
        assert!((moved - 1.0).abs() < 1e-4, "tick {tick}: {moved}");
        near(stage.x(), 0.0);
        passed += moved;
    }
    assert!((passed - 90.0).abs() < 1e-3, "{passed}");
    stage.switch("a", true);
    stage.tick(6);
    // Half of the fade: one unit a tick of the walk and three of the run.
    let moved = stage.machine.root_motion(&mut stage.scratch).translation.x;
    assert!((moved - 2.0).abs() < 0.21, "{moved}");
    stage.tick(10);
    let moved = stage.machine.root_motion(&mut stage.scratch).translation.x;
    assert!((moved - 3.0).abs() < 1e-4, "{moved}");
}

#[test]
fn interpolated_matrices_turn_back_with_the_root_motion() {
    let skeleton = Arc::new(skeleton());
    let keyframe = |duration, degrees: f32| {
        let turn = Quat::from_rotation_y(degrees.to_radians());
        let keys = [Key::rotation(0, turn), Key::translation(1, Vec3::X)].into();
        Keyframe { duration, keys, ..Keyframe::default() }
    };
    let keyframes = [keyframe(Time::SECOND, 0.0), keyframe(Time::ZERO, 170.0)].into();
    let clip = Clip { root_motion: RootMotion::Turn, keyframes, ..Clip::new("turn") };
    let clips = vec![ClipSlot { id: ClipId(1), clip: Arc::new(clip) }];
    let model = Model { skeleton: skeleton.clone(), clips, skinning: Method::Interpolated, ..Model::default() };
    let character = Character::bake(&Arc::new(model), None);
    let find = |_: &StateDef, _: &str| Some(MachineClip::new(character.clips[0].clone()));
    let def = Arc::new(MachineDef::new(parts(&["turn"], vec![])).unwrap());
    let mut stage = Stage::of(Arc::new(BoundMachine::new(def, &skeleton, find)));
    stage.tick(30);
    let (mut pose, mut model) = (LocalPose::default(), ModelPose::default());
    stage.machine.sample(&mut stage.scratch, &mut pose);
    model.compute(&skeleton, &pose);
    MatrixClips::of(&character).apply(&stage.machine, 1.0, &skeleton, &mut model);
    // Half-way between the ends of an arc of 170°.
    let (tip, expected) = (model.get(1).translation(), Vec3::X * 85_f32.to_radians().cos());
    assert!(tip.distance(expected) < 1e-2, "{tip}");
}

#[test]
fn pace_start_and_repeat_take_effect() {
    let mut state = state("swing");
    state.pace = Pace::Time { speed: 2.0, by: "x".into() };
    state.repeat = Repeat::Loop;
    state.start_secs = 0.25;
    let mut stage = Stage::new(of_states(vec![state]));
    stage.tick(9);
    near(stage.x(), 1.5);
    stage.number("x", 0.5);
    stage.tick(10);
    near(stage.x(), 2.5);
    stage.tick(10);
    near(stage.x(), 0.5);
}

#[test]
fn a_repeated_ping_pong_goes_back_and_forth() {
    let states = vec![StateDef { repeat: Repeat::Loop, ..state("sway") }];
    let mut stage = Stage::new(of_states(states));
    stage.tick(40);
    near(stage.x(), 2.0);
    stage.tick(30);
    near(stage.x(), 1.0);
}

#[test]
fn a_machine_continues_in_a_changed_definition() {
    let mut stage = Stage::new(parts(&["zero", "way"], vec![from("zero", "way", on("a"), Fade::cross(0.1))]));
    stage.switch("a", true);
    stage.tick(16);
    let changed = bind(parts(&["ten", "way", "zero"], vec![]));
    let moved = stage.parameters.moved(stage.machine.bound().def(), changed.def());
    assert_eq!(moved.get(0), 1.0);
    let machine = stage.machine.moved(changed);
    assert_eq!((machine.state_name(), machine.loops()), ("way", stage.machine.loops()));
    assert_eq!(stage.machine.moved(bind(parts(&["ten"], vec![]))).state_name(), "ten");
}

#[test]
fn the_same_updates_give_the_same_poses() {
    let build = || {
        let fade = |kind| Fade { kind, secs: 0.15 };
        let transitions = vec![
            from("zero", "way", fired("go"), fade(FadeKind::Cross)),
            from("way", "ten", fired("go"), fade(FadeKind::Inertial)),
            from("ten", "short way", fired("go"), fade(FadeKind::Matched)),
            from("short way", "zero", fired("go"), fade(FadeKind::Cross)),
        ];
        Stage::new(parts(&["zero", "way", "ten", "short way"], transitions))
    };
    let play = |mut stage: Stage| {
        let values = (0..300).map(|tick| {
            if tick % 7 == 0 {
                stage.fire("go");
            }
            stage.tick(1);
            stage.x().to_bits()
        });
        values.collect::<Vec<_>>()
    };
    assert_eq!(play(build()), play(build()));
}

/// Each of these is refused, with place and reason.
#[test]
fn invalid_machines_are_refused() {
    type Change = fn(&mut MachineParts);
    let cases: &[(Change, &str)] = &[
        (|it| it.states.clear(), "the machine: it has no states"),
        (|it| it.states[1].name = "zero".into(), "the machine: two of its states have the name \"zero\""),
        (|it| it.states[1].name = " ".into(), "the machine: one of its states has no name"),
        (|it| it.start = "gone".into(), "the machine: its start: state \"gone\" doesn't exist"),
        (|it| it.parameters[1].name = "a".into(), "the machine: two of its parameters have the name \"a\""),
        (|it| it.parameters[4].value = Value::Number(f32::NAN), "parameter \"x\": its value is NaN"),
        (|it| it.states[0].start_secs = -1.0, "state \"zero\": its start time is -1 s"),
        (|it| it.states[0].motion = line(&[], 0.0), "state \"zero\": its blend space has no points"),
        (
            |it| it.states[0].motion = line(&[(1.0, ""), (0.0, "")], 0.0),
            "state \"zero\": the points of its blend space are not sorted",
        ),
        (
            |it| it.states[0].motion = line(&[(f32::INFINITY, "")], 0.0),
            "state \"zero\": the position of a point of its blend space is inf",
        ),
        (
            |it| it.states[0].pace = Pace::Distance { by: "a".into() },
            "state \"zero\": parameter \"a\" is a switch, expected a number",
        ),
        (|it| it.transitions[0].to = "gone".into(), "transition 1 (zero to gone): state \"gone\" doesn't exist"),
        (
            |it| it.transitions[0].conditions.clear(),
            "transition 1 (zero to ten): it has neither a condition nor an exit time",
        ),
        (|it| it.transitions[0].fade.secs = f32::NAN, "transition 1 (zero to ten): its fade duration is NaN s"),
        (
            |it| it.transitions[0].conditions = vec![on("x")],
            "transition 1 (zero to ten): parameter \"x\" is a number, expected a switch",
        ),
        (|it| it.transitions[0].exit_time = Some(-0.5), "transition 1 (zero to ten): its exit time is -0.5 loops"),
    ];
    let good = || parts(&["zero", "ten"], vec![from("zero", "ten", on("a"), Fade::default())]);
    assert!(MachineDef::new(good()).is_ok());
    for (change, expected) in cases {
        let mut parts = good();
        change(&mut parts);
        let error = MachineDef::new(parts).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
    }
}

#[test]
fn values_that_are_not_finite_are_refused_and_change_nothing() {
    let mut stage = Stage::new(parts(&["zero"], vec![]));
    let x = stage.at("x");
    stage.number("x", 3.0);
    for value in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        assert!(stage.parameters.set_number(x, value).is_err());
    }
    assert_eq!(stage.parameters.get(x), 3.0);
    assert!(stage.parameters.set_number(0, 1.0).is_err() && stage.parameters.fire(0).is_err());
    assert!(stage.parameters.set_switch(99, true).is_err());
}

const NAMES: [&str; 8] = ["zero", "ten", "way", "short way", "swing", "still", "gone", ""];

fn any_number() -> impl Strategy<Value = f32> {
    prop_oneof![4 => -10.0_f32..10.0, 1 => Just(0.0), 1 => -1e6_f32..1e6, 1 => prop::num::f32::ANY]
}

fn any_motion() -> impl Strategy<Value = Motion> {
    let name = || prop::sample::select(&NAMES[..]).prop_map(String::from);
    let line = prop::collection::vec((any_number(), name()), 0..6).prop_map(|mut points| {
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        let points = points.into_iter().map(|(at, clip)| LinePoint { at, clip }).collect();
        Motion::Line(Line { parameter: "x".into(), damp_secs: 0.1, points })
    });
    let plane = prop::collection::vec((any_number(), any_number(), name()), 0..6).prop_map(|points| {
        let points = points.into_iter().map(|(x, y, clip)| PlanePoint { at: Vec2::new(x, y), clip }).collect();
        Motion::Plane(Plane { parameters: ["x".into(), "y".into()], damp_secs: 0.0, points })
    });
    prop_oneof![name().prop_map(Motion::Clip), line, plane]
}

fn any_state() -> impl Strategy<Value = (Motion, Pace, Repeat, f32)> {
    let pace = prop_oneof![
        any_number().prop_map(|speed| Pace::Time { speed, by: String::new() }),
        any_number().prop_map(|speed| Pace::Time { speed, by: "y".into() }),
        Just(Pace::Distance { by: "x".into() }),
    ];
    let repeat = prop::sample::select(vec![Repeat::AsClip, Repeat::Loop, Repeat::Once]);
    (any_motion(), pace, repeat, 0.0_f32..3.0)
}

fn any_transition() -> impl Strategy<Value = TransitionDef> {
    let state = || (0_usize..5).prop_map(|at| at.to_string());
    let condition = prop_oneof![
        any_number().prop_map(|value| Condition::Above { parameter: "x".into(), value }),
        any_number().prop_map(|value| Condition::Below { parameter: "y".into(), value }),
        Just(on("a")),
        Just(Condition::Off { parameter: "a".into() }),
        Just(fired("go")),
    ];
    let kind = prop::sample::select(vec![FadeKind::Cross, FadeKind::Matched, FadeKind::Inertial]);
    let rule = prop::sample::select(vec![Interrupt::Target, Interrupt::Source, Interrupt::Either, Interrupt::Never]);
    let from = prop::option::of(state()).prop_map(|from| from.map_or(TransitionSource::Any, TransitionSource::State));
    let exit = prop::option::of(0.0_f32..2.0);
    (from, state(), prop::collection::vec(condition, 0..3), exit, kind, 0.0_f32..0.5, rule).prop_map(
        |(from, to, conditions, exit_time, kind, secs, interrupt)| TransitionDef {
            from,
            to,
            conditions,
            exit_time,
            fade: Fade { kind, secs },
            interrupt,
        },
    )
}

fn any_parts() -> impl Strategy<Value = MachineParts> {
    let states = prop::collection::vec(any_state(), 1..6);
    (states, prop::collection::vec(any_transition(), 0..12)).prop_map(|(states, transitions)| {
        let states = states.into_iter().enumerate().map(|(at, (motion, pace, repeat, start_secs))| StateDef {
            name: at.to_string(),
            motion,
            pace,
            repeat,
            start_secs,
        });
        let mut parameters = parameters();
        parameters.push(ParameterDef::new("y", Value::Number(1.0)));
        MachineParts { parameters, states: states.collect(), transitions, start: "0".into(), layers: vec![] }
    })
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn any_valid_machine_plays_finite_poses(
        parts in any_parts(),
        steps in prop::collection::vec((any_number(), any_number(), any_number(), 0_u8..4), 1..40),
    ) {
        if MachineDef::new(parts.clone()).is_ok() {
            let mut stage = Stage::new(parts);
            let [a, go, x, y] = ["a", "go", "x", "y"].map(|name| stage.at(name));
            let mut pose = LocalPose::default();
            for (secs, first, second, what) in steps {
                let _refused = (stage.parameters.set_number(x, first), stage.parameters.set_number(y, second));
                stage.parameters.set_switch(a, what & 1 == 1).unwrap();
                if what & 2 == 2 {
                    stage.parameters.fire(go).unwrap();
                }
                stage.machine.update(secs, &mut stage.parameters, &mut stage.scratch);
                stage.machine.for_each_event(|_| {});
                for alpha in [0.0, 0.3, 1.0, f32::NAN] {
                    stage.machine.sample_between(alpha, &mut stage.scratch, &mut pose);
                    prop_assert!(pose.iter().all(|transform| transform.is_finite()));
                }
            }
        }
    }
}

/// Made without baking anything that it doesn't need.
#[test]
fn a_model_without_a_machine_plays_the_default_machine() {
    let named = |name: &str| ClipSlot { id: ClipId(0), clip: Arc::new(clip(name, 30, 0.0, 3.0, LoopMode::Once)) };
    let clips = ["Idle", "Jump_Start", "Walk", "Attack", "Dance"].map(named).into();
    let model = Arc::new(Model { name: "dancer".into(), skeleton: Arc::new(skeleton()), clips, ..Model::default() });
    let playable = PlayableCharacter::new(&Character::bake(&model, None));
    assert_eq!(default_machine(&model).parts(), playable.machine.def().parts());
    assert!(playable.machine.def().state("jump").is_some());
}

/// Whatever the state is called that plays an attack, and for a walk that isn't driven by distance, too.
#[test]
fn clips_whose_roots_move_the_character_are_drawn_in_place_by_any_state() {
    for (name, mode) in [("attack", LoopMode::Once), ("walk", LoopMode::Loop)] {
        let clip = Clip { root_motion: RootMotion::Ground, ..clip(name, 30, 0.0, 3.0, mode) };
        let state = StateDef::new("mine", Motion::Clip(name.into()));
        let parts = MachineParts { states: vec![state], start: "mine".into(), ..MachineParts::default() };
        let graph = Graph { def: Arc::new(MachineDef::new(parts).unwrap()), places: vec![Vec2::ZERO] };
        let model = Arc::new(Model {
            skeleton: Arc::new(skeleton()),
            clips: vec![ClipSlot { id: ClipId(0), clip: Arc::new(clip) }],
            machine: AnimationTable { graph: Some(graph), ..AnimationTable::default() },
            ..Model::default()
        });
        let bound = PlayableCharacter::new(&Character::bake(&model, None)).machine;
        let (mut machine, mut parameters) = (Machine::new(bound.clone()), Parameters::new(bound.def()));
        let (mut scratch, mut pose) = (Scratch::default(), LocalPose::default());
        machine.update(0.25, &mut parameters, &mut scratch);
        machine.sample(&mut scratch, &mut pose);
        assert!(pose.get(0).translation.length() < 1e-3, "{name}: {}", pose.get(0).translation);
    }
}
