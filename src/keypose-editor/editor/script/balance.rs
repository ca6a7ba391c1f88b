//! Script commands for masses, gravity and jumps of the open clip.

use crate::editor::ops::balance::with_mass;
use crate::editor::posing::change::Change;
use crate::editor::posing::jumps;
use crate::editor::script::args::Args;
use crate::editor::script::table::{Fact, Verb, change, set_rig};
use crate::editor::view::balance::{Flight, flight_near, motion, stance, stance_text};
use keypose_tools::lengths::length_text;

/// The commands. Masses are percents, gravity is in m/s², heights are in metres.
pub const VERBS: &[Verb] = &[
    ("mass BONE auto", |a| set_rig(a, "Reset mass", with_mass(a.active()?, a.bone(0)?, None))),
    ("mass BONE PERCENT", |a| set_rig(a, "Set mass", with_mass(a.active()?, a.bone(0)?, Some(a.float(1)?)))),
    ("gravity NUMBER", |a| {
        let gravity = a.float(0)?;
        set_rig(a, "Set gravity", a.active()?.rig.with(|rig| rig.gravity = Some(gravity)))
    }),
    ("jump-height METRES", |a| {
        let (editor, height) = (a.editor, a.float(0)?);
        let model = a.active()?;
        let balance = editor.caches.balance.of(model, &editor.caches.root_speeds);
        let edits = jumps::of_height(&editor.document, a.open_clip()?, &balance, &flight(a)?.arc, height);
        change("Set jump height", Change::Edits(edits.ok_or("no bone carries the body")?))
    }),
];

/// The balance of the pose, and the jump at the playhead.
pub const FACTS: &[Fact] = &[
    ("mass BONE", |a| {
        let caches = &a.editor.caches;
        Ok(format!("{:.2}", caches.balance.of(a.active()?, &caches.root_speeds).share(a.bone(0)?) * 100.0))
    }),
    ("gravity", |a| Ok(a.active()?.rig.gravity().to_string())),
    ("balance", |a| {
        let (balance, stance) = stance(a.editor.source(), &a.editor.view()).ok_or("there is no model")?;
        Ok(stance_text(&balance, &stance))
    }),
    ("jump", |a| {
        let Ok(Flight { arc, residual }) = flight(a) else { return Ok("none".to_owned()) };
        let scale = a.editor.caches.balance.of(a.active()?, &a.editor.caches.root_speeds).scale;
        let (height, off) = (length_text(arc.height() * scale), length_text(residual * scale));
        Ok(format!("{height} high, {:.3} s, {off} off", (arc.range.end - arc.range.start).secs()))
    }),
];

fn flight(a: &Args<'_>) -> Result<Flight, String> {
    let (editor, view) = (a.editor, a.editor.view());
    let motion = motion(editor.source(), &view).ok_or("no clip is open")?;
    flight_near(&motion, view.time).ok_or_else(|| "the clip is never in the air".to_owned())
}
