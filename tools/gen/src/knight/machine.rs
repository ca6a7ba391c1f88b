//! The knight's machine: what table and names make, each state in a place of its own; what he does at rest and at the goal; and over it his
//! arms on the run, and his breath.

use std::sync::Arc;

use glam::Vec2;
use keypose::anim::machine::def::MachineDef;
use keypose::anim::machine::layer_def::{LayerDef, LayerKind};
use keypose::anim::machine::parts::{
    Condition, Fade, MachineParts, Motion, ParameterDef, StateDef, TransitionDef, TransitionSource, Value,
};
use keypose::assets::character::Character;
use keypose::assets::default_machine::{
    ATTACK, CROUCHED, GAME_PARAMETERS, GROUND, HIT, RUN_ATTACK, SPEED, STILL_SECS, STILL_SPEED, WON,
};
use keypose::assets::machine::Graph;
use keypose::assets::model::Model;
use keypose::assets::playable::PlayableCharacter;

/// Where each state stands, in steps of the editor's grid.
const PLACES: &[(&str, f32, f32)] = &[
    ("climb", 0.0, -7.0),
    ("move", 0.0, 0.0),
    ("idle", 0.0, 7.0),
    ("jump", 20.0, -3.5),
    ("crouch walk", 20.0, 3.5),
    ("land", 20.0, 10.5),
    ("attack", 40.0, -7.0),
    ("fall", 40.0, 0.0),
    ("crouch", 40.0, 7.0),
    ("attack 2", 60.0, -10.5),
    ("attack 3", 60.0, -3.5),
    ("hurt", 60.0, 3.5),
    ("die", 60.0, 10.5),
    ("roll", 20.0, -10.5),
    ("stab", 80.0, -7.0),
    ("air attack", 80.0, 0.0),
    ("look around", 0.0, 14.0),
    ("sleep", 20.0, 17.5),
    ("victory", 40.0, 14.0),
];

/// The duration of the clip "look around", in seconds.
const LOOK_SECS: f32 = 3.6;

/// The cut while he runs, above the hips; and breathing where he crouches, which is one pose otherwise.
fn layers() -> Vec<LayerDef> {
    let on = |parameter: &str| Condition::On { parameter: parameter.into() };
    let cut = LayerDef {
        bone: "spine".into(),
        conditions: vec![on(RUN_ATTACK), Condition::Fired { parameter: ATTACK.into() }],
        fade_secs: 3.0 / 60.0,
        ..LayerDef::new("cut on the run", "attack")
    };
    let still = Condition::Below { parameter: SPEED.into(), value: STILL_SPEED };
    let breath = LayerDef {
        bone: "spine".into(),
        kind: LayerKind::Add,
        conditions: vec![on(CROUCHED), still],
        fade_secs: 0.3,
        ..LayerDef::new("breath", "crouch idle")
    };
    vec![breath, cut]
}

/// Adds states that the game doesn't know: he looks around after a while and falls asleep later, and he raises his sword at the goal.
/// They come before the last transition, which leads to idle.
fn add_rests(parts: &mut MachineParts) {
    let rests = |from: f32| Condition::Above { parameter: STILL_SECS.into(), value: from };
    let until = |to: f32| Condition::Below { parameter: STILL_SECS.into(), value: to };
    let on = |parameter: &str| Condition::On { parameter: parameter.into() };
    let to = |state: &str, fade_secs: f32, conditions: Vec<Condition>| TransitionDef {
        conditions,
        fade: Fade::cross(fade_secs),
        ..TransitionDef::new(TransitionSource::Any, state)
    };
    parts.states.extend(["look around", "sleep", "victory"].map(|name| StateDef::new(name, Motion::Clip(name.into()))));
    let idle = parts.transitions.pop();
    parts.transitions.extend([
        to("victory", 0.15, vec![on(WON), on(GROUND)]),
        to("look around", 0.3, vec![rests(6.0), until(6.0 + LOOK_SECS)]),
        to("sleep", 0.8, vec![rests(20.0)]),
    ]);
    parts.transitions.extend(idle);
}

/// Of a model whose clips and table are whole.
pub fn graph(model: &Model) -> Graph {
    let playable = PlayableCharacter::new(&Character::bake(&Arc::new(model.clone()), None));
    let place = |name: &str| {
        let found = PLACES.iter().find(|(state, ..)| *state == name);
        found.map(|(_, x, y)| Vec2::new(*x, *y)).unwrap_or_else(|| panic!("the state {name} has no place"))
    };
    let mut parts = playable.machine.def().parts().clone();
    let own = |(name, ..): &&(&str, Value, &str)| [RUN_ATTACK, HIT, STILL_SECS, WON].contains(name);
    parts.parameters.extend(GAME_PARAMETERS.iter().filter(own).map(|&(name, value, _)| ParameterDef::new(name, value)));
    add_rests(&mut parts);
    parts.layers = layers();
    let def = Arc::new(MachineDef::new(parts).unwrap_or_else(|error| panic!("the knight's machine: {error}")));
    let places = def.parts().states.iter().map(|state| place(&state.name)).collect();
    Graph { def, places }
}
