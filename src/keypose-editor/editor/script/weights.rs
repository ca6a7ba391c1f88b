//! Script commands that paint weights.

use crate::editor::script::args::Args;
use crate::editor::script::table::{Fact, Outcome, Verb, act};
use crate::editor::session::paint::{BrushSettings, PaintAction};
use crate::editor::session::rig::{Binding, RigAction};
use keypose_tools::rig::paint::Action;
use keypose_tools::rig::vertex::{VertexRef, weights_of};

/// The commands. Positions are in the space of the model, in its bind pose. The last number is the strength or, to replace, the weight.
pub const VERBS: &[Verb] = &[
    ("weights add BONE X Y Z RADIUS STRENGTH", |a| dab(a, Action::Add)),
    ("weights subtract BONE X Y Z RADIUS STRENGTH", |a| dab(a, Action::Subtract)),
    ("weights replace BONE X Y Z RADIUS WEIGHT", |a| dab(a, Action::Replace)),
    ("weights smooth BONE X Y Z RADIUS STRENGTH", |a| dab(a, Action::Smooth)),
    ("bind from MODEL", |a| transfer(a, a.text(0), None)),
    ("bind mesh MESH from MODEL", |a| transfer(a, a.text(1), Some(a.index(0)?))),
    ("bind bones", |_| act(RigAction::Bind(Binding::Bones))),
    ("bind mesh MESH", |a| act(RigAction::Bind(Binding::Mesh(a.index(0)?)))),
];

fn transfer(a: &Args<'_>, from: String, mesh: Option<usize>) -> Outcome {
    a.model(usize::from(mesh.is_some()))?;
    act(RigAction::Transfer { from, mesh })
}

/// One dab, with the limit, the locks and the sides of the rig mode, if it is open.
fn dab(a: &Args<'_>, action: Action) -> Outcome {
    let value = a.float(5)?.clamp(0.0, 1.0);
    let (strength, weight) = if action == Action::Replace { (1.0, value) } else { (value, 1.0) };
    let settings = BrushSettings { action, strength, weight, ..BrushSettings::default() };
    let (bone, at, radius) = (a.bone(0)?, a.vec3(1)?, a.float(4)?);
    act(RigAction::Paint(PaintAction::Dab { settings, bone, at, radius }))
}

/// The weights of a vertex, the heaviest first.
pub const FACTS: &[Fact] = &[("weights MESH VERTEX", |a| {
    let model = a.active()?;
    let weights = weights_of(model, VertexRef { mesh: a.index(0)?, vertex: a.index(1)? });
    if weights.is_empty() {
        return Ok("none".to_owned());
    }
    let name = |bone| model.skeleton.get(bone).map_or("", |bone| bone.name.as_str());
    Ok(weights.iter().map(|(bone, weight)| format!("{} {weight:.3}", name(*bone))).collect::<Vec<_>>().join(", "))
})];
