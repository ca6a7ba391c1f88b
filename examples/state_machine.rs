//! State machine: the demo knight's own machine, driven by the parameters that a game sets on every tick.
//! `cargo run --example state_machine`

use std::error::Error;

use keypose::anim::machine::parameters::Parameters;
use keypose::anim::machine::play::{Machine, Scratch};
use keypose::anim::pose::LocalPose;
use keypose::assets::default_machine::{ATTACK, ATTACKING, GROUND, SPEED};
use keypose::assets::playable::PlayableCharacter;
use keypose::wad;

fn main() -> Result<(), Box<dyn Error>> {
    run().map(drop)
}

/// Plays four seconds: stand, walk, run, attack, stand. Returns the states in the order in which they were entered.
pub fn run() -> Result<Vec<String>, Box<dyn Error>> {
    let archive = wad::decode(&std::fs::read("data/demo.wad")?)?;
    let knight = archive.characters.first().ok_or("the archive has no model")?;
    // Binds the archive's machine to the model's clips; a model without one gets a machine from its clips' names.
    let playable = PlayableCharacter::new(knight);
    let def = playable.machine.def().clone();
    let parameter = |name: &str| def.parameter(name).ok_or(format!("the machine has no parameter \"{name}\""));
    let (speed, ground) = (parameter(SPEED)?, parameter(GROUND)?);
    let (attack, attacking) = (parameter(ATTACK)?, parameter(ATTACKING)?);

    let mut parameters = Parameters::new(&def);
    let mut machine = Machine::new(playable.machine.clone());
    let (mut scratch, mut pose) = (Scratch::default(), LocalPose::default());
    parameters.set_switch(ground, true)?;
    let mut entered = vec![machine.state_name().to_owned()];
    for tick in 0..240 {
        let metres_per_second = match tick {
            30..=90 => 1.5,
            91..=150 => 4.5,
            _ => 0.0,
        };
        parameters.set_number(speed, metres_per_second)?;
        parameters.set_switch(attacking, (170..200).contains(&tick))?;
        if tick == 170 {
            parameters.fire(attack)?;
        }
        machine.update(1.0 / 60.0, &mut parameters, &mut scratch);
        machine.sample(&mut scratch, &mut pose);
        machine.for_each_event(|event| println!("tick {tick:3}: event \"{}\"", event.name));
        if entered.last().is_none_or(|state| state != machine.state_name()) {
            println!("tick {tick:3}: {}", machine.state_name());
            entered.push(machine.state_name().to_owned());
        }
    }
    Ok(entered)
}
