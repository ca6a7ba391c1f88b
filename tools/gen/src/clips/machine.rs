//! The knight's machine: what table and names make, each state in a place of its own.

use std::sync::Arc;

use glam::Vec2;
use keypose::assets::character::Character;
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
];

/// Of a model whose clips and table are whole.
pub fn graph(model: &Model) -> Graph {
    let playable = PlayableCharacter::new(&Character::bake(&Arc::new(model.clone()), None));
    let place = |name: &str| {
        let found = PLACES.iter().find(|(state, ..)| *state == name);
        found.map(|(_, x, y)| Vec2::new(*x, *y)).unwrap_or_else(|| panic!("the state {name} has no place"))
    };
    let def = playable.machine.def().clone();
    let places = def.parts().states.iter().map(|state| place(&state.name)).collect();
    Graph { def, places }
}
