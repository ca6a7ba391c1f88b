//! Layers of the state machine: when they are shown, on which bones, replaced or added, and which are refused.

use std::sync::Arc;

use glam::Vec3;
use keypose::anim::bake::bake;
use keypose::anim::clip::{Clip, Event, Keyframe, LoopMode};
use keypose::anim::key::{Ease, Key};
use keypose::anim::machine::bound::{BoundMachine, MachineClip};
use keypose::anim::machine::def::MachineDef;
use keypose::anim::machine::layer_def::{LayerDef, LayerKind};
use keypose::anim::machine::parameters::Parameters;
use keypose::anim::machine::parts::{Condition, MachineParts, Motion, ParameterDef, StateDef, Value};
use keypose::anim::machine::play::{Machine, Scratch};
use keypose::anim::pose::LocalPose;
use keypose::anim::root_motion::RootMotion;
use keypose::anim::skeleton::{Bone, Skeleton};
use keypose::anim::time::Time;
use keypose::anim::transform::Transform;

const TICK: f32 = 1.0 / 60.0;

fn skeleton() -> Skeleton {
    let bone = |name: &str, parent| Bone { name: name.into(), parent, rest: Transform::IDENTITY };
    Skeleton::new(vec![bone("hips", None), bone("spine", Some(0)), bone("hand", Some(1))]).unwrap()
}

/// All bones go along x, in 30 ticks.
fn clip(name: &str, from: f32, to: f32, mode: LoopMode) -> Clip {
    let keyframe = |ticks, x| {
        let mut keyframe = Keyframe { duration: Time::from_ticks(ticks), ..Keyframe::default() };
        (0..3).for_each(|bone| {
            keyframe.set(Key { ease: Ease::Linear, ..Key::translation(bone, Vec3::X * x) });
        });
        keyframe
    };
    let event = |ticks, at| Event { time: Time::from_ticks(ticks), name: format!("{name} {at}") };
    let events = vec![event(10, "ten"), event(30, "end")];
    Clip {
        loop_mode: mode,
        keyframes: [keyframe(30, from), keyframe(0, to)].into(),
        events: events.into(),
        ..Clip::new(name)
    }
}

fn parts(layers: Vec<LayerDef>) -> MachineParts {
    MachineParts {
        parameters: vec![
            ParameterDef::new("armed", Value::Switch(false)),
            ParameterDef::new("go", Value::Trigger),
            ParameterDef::new("speed", Value::Number(0.0)),
        ],
        states: vec![StateDef::new("stand", Motion::Clip("stand".into()))],
        start: "stand".into(),
        layers,
        ..MachineParts::default()
    }
}

fn bound(layers: Vec<LayerDef>) -> BoundMachine {
    let clips = [
        clip("stand", 1.0, 1.0, LoopMode::Loop),
        clip("swing", 10.0, 10.0, LoopMode::Once),
        clip("rise", 5.0, 8.0, LoopMode::Once),
        Clip { root_motion: RootMotion::Ground, ..clip("lunge", 2.0, 6.0, LoopMode::Once) },
    ];
    let baked = clips.map(|clip| Arc::new(bake(&clip, &skeleton())));
    let find = |_: &StateDef, name: &str| baked.iter().find(|clip| clip.name == name).cloned().map(MachineClip::new);
    BoundMachine::new(Arc::new(MachineDef::new(parts(layers)).unwrap()), &skeleton(), find)
}

struct Stage {
    machine: Machine,
    parameters: Parameters,
    scratch: Scratch,
}

impl Stage {
    fn new(layers: Vec<LayerDef>) -> Stage {
        let bound = Arc::new(bound(layers));
        Stage { parameters: Parameters::new(bound.def()), machine: Machine::new(bound), scratch: Scratch::default() }
    }

    /// The places of the three bones after some ticks.
    fn after(&mut self, ticks: usize) -> [f32; 3] {
        (0..ticks).for_each(|_| self.machine.update(TICK, &mut self.parameters, &mut self.scratch));
        self.pose(1.0)
    }

    fn pose(&mut self, alpha: f32) -> [f32; 3] {
        let mut pose = LocalPose::default();
        self.machine.sample_between(alpha, &mut self.scratch, &mut pose);
        [0, 1, 2].map(|bone| pose.get(bone).translation.x)
    }
}

fn on(name: &str) -> Condition {
    Condition::On { parameter: name.into() }
}

fn fired() -> Condition {
    Condition::Fired { parameter: "go".into() }
}

fn close(a: [f32; 3], b: [f32; 3]) {
    assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-3), "{a:?} is not {b:?}");
}

#[test]
fn a_layer_replaces_the_pose_from_its_bone_on_while_its_conditions_hold() {
    let layer = LayerDef {
        bone: "spine".into(),
        conditions: vec![on("armed")],
        fade_secs: 10.0 * TICK,
        ..LayerDef::new("arms", "swing")
    };
    let mut stage = Stage::new(vec![layer]);
    close(stage.after(5), [1.0; 3]);
    stage.parameters.set_switch(0, true).unwrap();
    close(stage.after(5), [1.0, 5.5, 5.5]);
    close(stage.pose(0.5), [1.0, 5.05, 5.05]);
    close(stage.after(60), [1.0, 10.0, 10.0]);
    stage.parameters.set_switch(0, false).unwrap();
    close(stage.after(5), [1.0, 5.5, 5.5]);
    close(stage.after(6), [1.0; 3]);
}

#[test]
fn a_trigger_plays_it_once_and_again_from_the_start() {
    let layer = LayerDef {
        kind: LayerKind::Add,
        conditions: vec![on("armed"), fired()],
        fade_secs: 0.0,
        ..LayerDef::new("jolt", "rise")
    };
    let mut stage = Stage::new(vec![layer]);
    stage.parameters.fire(1).unwrap();
    close(stage.after(1), [1.0; 3]);
    stage.parameters.set_switch(0, true).unwrap();
    close(stage.after(20), [1.0; 3]);
    stage.parameters.fire(1).unwrap();
    stage.after(1);
    // What is added is the difference from the first pose, so 3 of 8.
    close(stage.after(15), [2.5; 3]);
    stage.parameters.fire(1).unwrap();
    close(stage.after(1), [1.0; 3]);
    close(stage.after(10), [2.0; 3]);
    close(stage.after(25), [1.0; 3]);
    // Other conditions end it.
    stage.parameters.fire(1).unwrap();
    stage.after(10);
    stage.parameters.set_switch(0, false).unwrap();
    close(stage.after(1), [1.0; 3]);
}

#[test]
fn a_layer_of_a_clip_with_root_motion_stays_in_place() {
    let mut stage = Stage::new(vec![LayerDef { fade_secs: 0.0, ..LayerDef::new("lunge", "lunge") }]);
    close(stage.after(1), [2.0; 3]);
    close(stage.after(15), [2.0, 4.0, 4.0]);
}

#[test]
fn events_of_a_layer_are_met_once() {
    let mut stage = Stage::new(vec![LayerDef { conditions: vec![fired()], ..LayerDef::new("jolt", "rise") }]);
    let mut met = Vec::new();
    for tick in 0..90 {
        if tick == 20 {
            stage.parameters.fire(1).unwrap();
        }
        stage.after(1);
        stage.machine.for_each_event(|event| met.push((tick, event.name.clone())));
    }
    met.retain(|(_, name)| name.starts_with("rise"));
    assert_eq!(met.len(), 2, "{met:?}");
    assert!((30..=31).contains(&met[0].0) && (50..=51).contains(&met[1].0), "{met:?}");
}

#[test]
fn layers_stack_and_weights_share() {
    let half = LayerDef { weight: 0.5, fade_secs: 0.0, ..LayerDef::new("half", "swing") };
    let top = LayerDef { kind: LayerKind::Add, bone: "hand".into(), fade_secs: 0.0, ..LayerDef::new("top", "rise") };
    let mut stage = Stage::new(vec![half, top]);
    close(stage.after(60), [5.5, 5.5, 8.5]);
    // The same machine continues after a reload of its clips.
    stage.machine = stage.machine.moved(stage.machine.bound().clone());
    close(stage.pose(1.0), [5.5, 5.5, 8.5]);
}

#[test]
fn missing_clips_and_bones_are_named_and_show_nothing() {
    let clip = LayerDef::new("a", "gone");
    let bone = LayerDef { bone: "tail".into(), fade_secs: 0.0, ..LayerDef::new("b", "swing") };
    let bound = bound(vec![clip.clone(), bone.clone()]);
    let no_clip = "the clip \"gone\" of the layer \"a\" does not exist";
    let no_bone = "the bone \"tail\" of the layer \"b\" does not exist; the layer shows nothing";
    assert_eq!(bound.findings(), [no_clip, no_bone]);
    close(Stage::new(vec![clip, bone]).after(10), [1.0; 3]);
}

#[test]
fn wrong_layers_are_refused() {
    let good = LayerDef::new("a", "swing");
    let with = |change: &dyn Fn(&mut LayerDef)| {
        let mut layer = good.clone();
        change(&mut layer);
        MachineDef::new(parts(vec![layer])).map(|_| ()).map_err(|error| error.to_string())
    };
    assert_eq!(with(&|_| {}), Ok(()));
    type Case = (&'static dyn Fn(&mut LayerDef), &'static str);
    let cases: [Case; 7] = [
        (&|it| it.name = " ".into(), "no name"),
        (&|it| it.weight = 1.5, "weight"),
        (&|it| it.weight = f32::NAN, "weight"),
        (&|it| it.speed = -1.0, "speed"),
        (&|it| it.fade_secs = f32::INFINITY, "fade"),
        (&|it| it.conditions = vec![on("speed")], "speed"),
        (&|it| it.conditions = vec![on("nothing")], "nothing"),
    ];
    for (change, word) in cases {
        let reason = with(change).unwrap_err();
        assert!(reason.contains(word), "{word}: {reason}");
    }
    assert!(MachineDef::new(parts(vec![good.clone(), good])).is_err(), "two of a name");
}
