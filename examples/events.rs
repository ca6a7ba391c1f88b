//! Events: a game reacts to the footsteps of a walk. Every event between two moments is reported exactly once, however
//! long the step.
//! `cargo run --example events`

use std::error::Error;

use keypose::anim::events::crossed;
use keypose::anim::time::Time;
use keypose::wad;

fn main() -> Result<(), Box<dyn Error>> {
    run().map(drop)
}

/// Plays two seconds of a walk in frames of uneven length and returns the time and name of every event.
pub fn run() -> Result<Vec<(Time, String)>, Box<dyn Error>> {
    let archive = wad::decode(&std::fs::read("data/demo.wad")?)?;
    let knight = archive.characters.first().ok_or("the archive has no model")?;
    let walk = knight.clip_named("walk").ok_or("no clip \"walk\"")?;

    let mut heard = Vec::new();
    let mut elapsed = Time::ZERO;
    for frame in 0.. {
        let end = Time::SECOND * 2;
        if elapsed >= end {
            break;
        }
        // Frames of 7 to 61 ms; one of them takes 900 ms, longer than a whole loop.
        let millis = if frame == 20 { 900.0 } else { 7.0 + f64::from(frame * 37 % 55) };
        let next = (elapsed + Time::from_millis(millis)).min(end);
        crossed(&walk.events, walk.length, walk.loop_mode, elapsed, next, |event, time| {
            println!("frame {frame:2}: \"{}\" at {time}", event.name);
            heard.push((time, event.name.clone()));
        });
        elapsed = next;
    }
    Ok(heard)
}
