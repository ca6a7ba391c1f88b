//! The knight's machine: what table and names make, with softer ways out of an attack and a landing that is played out.

use std::sync::Arc;

use glam::Vec2;
use keypose::anim::machine::def::MachineDef;
use keypose::anim::machine::parts::{Fade, FadeKind, From, Interrupt};
use keypose::assets::character::Character;
use keypose::assets::machine::Graph;
use keypose::assets::model::Model;
use keypose::assets::performer::Performer;

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
];

/// Of a model whose clips and table are whole.
pub fn graph(model: &Model) -> Graph {
    let performer = Performer::new(&Character::bake(&Arc::new(model.clone()), None));
    let mut parts = performer.machine.def().parts().clone();
    let is_attack = |from: &From| *from == From::State("attack".into());
    let ways_out: Vec<_> = parts.transitions.iter().filter(|it| it.from == From::Any).cloned().collect();
    for (to, secs) in [("idle", 0.25), ("move", 0.2)] {
        let mut way = ways_out.iter().find(|way| way.to == to).cloned().expect("the usual machine has it");
        way.from = From::State("attack".into());
        way.fade = Fade { kind: FadeKind::Inertial, secs };
        way.interrupt = Interrupt::Either;
        // Behind the attack's own, before all that lead there from any state.
        let at = parts.transitions.iter().rposition(|it| it.to == "attack").expect("there is an attack") + 1;
        parts.transitions.insert(at, way);
    }
    assert!(parts.transitions.iter().filter(|it| is_attack(&it.from)).count() == 3);
    let place = |name: &str| {
        let found = PLACES.iter().find(|(state, ..)| *state == name);
        found.map(|(_, x, y)| Vec2::new(*x, *y)).unwrap_or_else(|| panic!("the state {name} has no place"))
    };
    let places = parts.states.iter().map(|state| place(&state.name)).collect();
    Graph { def: Arc::new(MachineDef::new(parts).expect("the machine is valid")), places }
}
