//! Script commands for the springs of the active model.

use crate::editor::ops::springs::{changed_from, spring_of, with_chain, words};
use crate::editor::script::args::Args;
use crate::editor::script::table::{Fact, Verb, act, set_rig};
use crate::editor::session::selection::VolumePick;
use crate::editor::state::action::VolumeAction;
use keypose::assets::combat::Volume;

/// The commands. A chain is a bone and those after it.
pub const VERBS: &[Verb] = &[
    ("spring chain BONE", |a| set_rig(a, "Start spring chain", with_chain(a.active()?, a.bone(0)?))),
    ("spring remove BONE", |a| set_rig(a, "Remove spring chain", changed_from(a.active()?, a.bone(0)?, |_| false))),
    ("spring set BONE STIFFNESS DRAG GRAVITY RADIUS", |a| {
        let [stiffness, drag, gravity, radius] = [a.float(1)?, a.float(2)?, a.float(3)?, a.float(4)?];
        let changed = changed_from(a.active()?, a.bone(0)?, |spring| {
            (spring.swing.stiffness, spring.swing.drag, spring.swing.radius) = (stiffness, drag, radius);
            spring.swing.gravity.y = -gravity;
            true
        });
        set_rig(a, "Set spring", changed)
    }),
    ("spring avoid BONE COLLIDER", |a| {
        let name = a.text(1);
        let changed = changed_from(a.active()?, a.bone(0)?, |spring| {
            spring.colliders.retain(|other| *other != name);
            spring.colliders.push(name.clone());
            true
        });
        set_rig(a, "Set spring", changed)
    }),
    ("spring wind X Y Z", |a| {
        let wind = a.vec3(0)?;
        set_rig(a, "Set wind", a.active()?.rig.with(|rig| rig.springs.wind = wind))
    }),
    ("collider add NAME BONE RADIUS [X] [Y] [Z]", |a| {
        let (bone, to) = (a.active()?.skeleton.get(a.bone(1)?).map(|bone| bone.name.clone()), optional_end(a)?);
        let collider =
            Volume { to, ..Volume::sphere(a.text(0), bone.unwrap_or_default(), glam::Vec3::ZERO, a.float(2)?) };
        set_rig(a, "Add collider", a.active()?.rig.with(|rig| rig.springs.colliders.push(collider)))
    }),
    ("collider pick NAME", |a| {
        let colliders = &a.active()?.rig.springs.colliders;
        let at = colliders.iter().position(|collider| collider.name == a.word(0));
        act(VolumeAction::Pick(Some(VolumePick::Collider(at.ok_or("no such collider")?))))
    }),
    ("collider delete NAME", |a| {
        set_rig(a, "Delete collider", a.active()?.rig.with(|rig| rig.springs.remove_collider(a.word(0))))
    }),
];

/// The spring of a bone, and the colliders of the model.
pub const FACTS: &[Fact] = &[
    ("spring BONE", |a| Ok(words(spring_of(a.active()?, a.bone(0)?)))),
    ("colliders", |a| {
        let collider = |it: &Volume| format!("{} {} {:.2}", it.name, it.bone, it.radius);
        Ok(a.active()?.rig.springs.colliders.iter().map(collider).collect::<Vec<_>>().join("; "))
    }),
];

fn optional_end(a: &Args<'_>) -> Result<glam::Vec3, String> {
    match (a.optional(3), a.optional(5)) {
        (None, _) => Ok(glam::Vec3::ZERO),
        (Some(_), None) => Err("the other end of a collider has X, Y and Z".to_owned()),
        (Some(_), Some(_)) => a.vec3(3),
    }
}
