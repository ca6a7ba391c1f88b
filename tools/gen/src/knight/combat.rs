//! Where the knight can be hit, and what his attacks hit: the blade.

use keypose::assets::combat::{Cancel, CancelWhen, Hit, Lanes, Range, Strike, Volume};
use keypose::assets::model::Model;

use crate::volumes::{capsule, set_lanes, sphere};

/// Adds it to the model with the clips.
pub fn add(model: &mut Model) {
    model.combat_mut().hurt = hurt();
    let strike = |damage, angle, knockback, stop, stun| Strike {
        damage,
        angle,
        knockback,
        stop,
        stun,
        growth: 0.01,
        priority: 2,
        ..Strike::default()
    };
    // The next attack of the chain as soon as the blade has passed; anything when the arm is down.
    let lanes = |ticks: [i64; 2], strike: Strike, next: &str, [chain, free, end]: [i64; 3]| Lanes {
        hits: vec![Hit {
            range: Range::of_ticks(ticks[0], ticks[1]),
            volumes: vec![blade()],
            strike,
            ..Hit::default()
        }],
        cancels: vec![
            Cancel {
                range: Range::of_ticks(chain, end),
                into: vec![next.into(), "stab".into()],
                when: CancelWhen::Always,
            },
            Cancel { range: Range::of_ticks(chain, end), into: vec!["roll".into()], when: CancelWhen::Always },
            Cancel { range: Range::of_ticks(free, end), into: vec![], when: CancelWhen::Always },
        ],
        ..Lanes::default()
    };
    set_lanes(model, "attack", lanes([8, 13], strike(10, 20.0, 2.4, 5, 22), "attack 2", [10, 18, 28]));
    set_lanes(model, "attack 2", lanes([5, 11], strike(10, 20.0, 2.4, 5, 22), "attack 3", [10, 17, 26]));
    set_lanes(model, "attack 3", lanes([8, 14], strike(18, 38.0, 6.5, 9, 30), "attack", [20, 22, 32]));
    set_lanes(model, "stab", lanes([7, 14], strike(14, 12.0, 5.2, 7, 26), "attack", [18, 22, 30]));
    set_lanes(model, "air attack", lanes([6, 20], strike(12, -20.0, 3.0, 6, 24), "attack", [21, 21, 30]));
    // Nothing hits him from the dive until he is on his feet, and he can go on from there at once.
    let free = Cancel { range: Range::of_ticks(20, 26), into: vec![], when: CancelWhen::Always };
    let roll = Lanes { cancels: vec![free], invulnerable: vec![Range::of_ticks(2, 18)], ..Lanes::default() };
    set_lanes(model, "roll", roll);
}

fn blade() -> Volume {
    capsule("blade", "weapon", [0.0, 0.10, 0.0], [0.0, 0.82, 0.0], 0.12)
}

fn hurt() -> Vec<Volume> {
    let mut volumes = vec![
        sphere("head", "head", [0.0, 0.14, 0.01], 0.16),
        capsule("trunk", "chest", [0.0, -0.06, 0.0], [0.0, 0.12, 0.0], 0.19),
        sphere("hips", "hips", [0.0, 0.0, 0.0], 0.18),
    ];
    for side in ["L", "R"] {
        let bone = |stem: &str| format!("{stem}.{side}");
        volumes.push(capsule(&bone("thigh"), &bone("thigh"), [0.0, 0.06, 0.0], [0.0, 0.38, 0.0], 0.10));
        volumes.push(capsule(&bone("shin"), &bone("shin"), [0.0, 0.02, 0.0], [0.0, 0.36, 0.0], 0.08));
    }
    volumes
}
