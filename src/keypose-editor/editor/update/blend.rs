//! A preview of a blend of two clips: a state machine of one state that blends them as the runtime does, with the phases
//! of their steps matched. It is not saved and makes no undo step.

use std::sync::Arc;

use crate::editor::session::blend::{Blend, BlendAction, NEEDS_TWO, WEIGHT};
use crate::editor::session::scene::PoseSource;
use crate::editor::state::Editor;
use crate::editor::update::{info, modes};
use keypose::anim::machine::bound::{BoundMachine, MachineClip};
use keypose::anim::machine::def::MachineDef;
use keypose::anim::machine::parts::{Line, LinePoint, MachineParts, Motion, ParameterDef, Repeat, StateDef, Value};
use keypose::anim::root_motion::Anchor;
use keypose::assets::id::ClipId;
use keypose::assets::model::Model;

/// Handles a blend action.
pub fn act(editor: &mut Editor, action: BlendAction) {
    let pose = &mut editor.session.transient.pose;
    match action {
        BlendAction::Toggle if pose.blend().is_none() => begin(editor),
        BlendAction::Toggle => *pose = PoseSource::default(),
        BlendAction::Weight(weight) => {
            if let PoseSource::Blend(blend) = pose {
                blend.set_weight(weight);
            }
        }
        BlendAction::Clips(clips) => {
            let weight = pose.blend().map_or(0.5, |blend| blend.weight);
            show(editor, clips, weight);
        }
    }
}

/// Blends the active clip with the next one in the list, or with the previous one if it is the last.
fn begin(editor: &mut Editor) {
    let Some(model) = editor.model() else { return };
    let (Some(open), true) = (editor.session.focus.clip, model.clips.len() > 1) else {
        return info(editor, NEEDS_TWO);
    };
    let at = model.clip_index(open).unwrap_or(0);
    let other = if at + 1 < model.clips.len() { at + 1 } else { at - 1 };
    let clips = [open, model.clips[other].id];
    show(editor, clips, 0.5);
}

fn show(editor: &mut Editor, clips: [ClipId; 2], weight: f32) {
    let Some(model) = editor.model().cloned() else { return };
    let Some(bound) = bind(editor, &model, clips) else { return };
    let before = match std::mem::take(&mut editor.session.transient.pose) {
        PoseSource::Blend(blend) => Some(*blend),
        other => {
            editor.session.transient.pose = other;
            None
        }
    };
    let blend = Blend::new(clips, weight, model, bound, before);
    modes::show_preview(editor, PoseSource::Blend(Box::new(blend)));
}

/// A machine that blends the two clips by [`WEIGHT`]; `None` if a clip is missing.
fn bind(editor: &Editor, model: &Arc<Model>, clips: [ClipId; 2]) -> Option<Arc<BoundMachine>> {
    let clips = [model.clip(clips[0])?, model.clip(clips[1])?];
    let (bakes, speeds) = (&editor.caches.bakes, &editor.caches.root_speeds);
    let baked = clips.map(|clip| bakes.get(clip, model));
    let gaits = clips.map(|clip| speeds.gait(model, clip, bakes).unwrap_or_default());
    // Steps are matched if both clips have them.
    let have_steps = gaits.iter().all(|gait| gait.stride.is_some());
    let made = [0, 1].map(|at| MachineClip {
        anchor: Anchor::of(&baked[at], baked[at].root_motion),
        clip: baked[at].clone(),
        stride: gaits[at].stride,
        sync: if have_steps { gaits[at].sync } else { 0.0 },
        drift: gaits[at].drift,
    });
    let points = [("0", 0.0), ("1", 1.0)].map(|(clip, at)| LinePoint { at, clip: clip.into() });
    let line = Line { parameter: WEIGHT.into(), damp_secs: 0.0, points: points.into() };
    let state = StateDef { repeat: Repeat::Loop, ..StateDef::new("blend", Motion::Line(line)) };
    let parts = MachineParts {
        parameters: vec![ParameterDef::new(WEIGHT, Value::Number(0.0))],
        states: vec![state],
        transitions: Vec::new(),
        start: "blend".into(),
        layers: Vec::new(),
    };
    let def = Arc::new(MachineDef::new(parts).ok()?);
    let find = |_: &StateDef, name: &str| made.get(name.parse::<usize>().ok()?).cloned();
    Some(Arc::new(BoundMachine::new(def, &model.skeleton, find)))
}

/// Advances the blend with the current model; `None` if one of its clips is gone.
pub fn advanced(editor: &Editor, mut blend: Box<Blend>, secs: f32) -> Option<Box<Blend>> {
    let model = editor.model()?;
    if !blend.is_of(model) {
        let bound = bind(editor, model, blend.clips)?;
        blend.rebind(model.clone(), bound);
    }
    blend.advance(secs);
    Some(blend)
}
