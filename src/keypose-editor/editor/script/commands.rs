//! The commands of scripts for documents, files, clips, keys, poses and the viewport. Other topics have files of their own.

use std::sync::Arc;

use glam::Vec4;

use crate::editor::commands::Scope;
use crate::editor::document::edit::{ClipEdit, KeyEdit, ModelEdit, Original};
use crate::editor::ops::bone_groups::GroupEdit;
use crate::editor::ops::delay_chain::{self, delays};
use crate::editor::ops::euler;
use crate::editor::ops::posed::Posed;
use crate::editor::posing::change::Change;
use crate::editor::posing::key_times::{KeyTimes, KeysChange};
use crate::editor::posing::library::LibraryAction;
use crate::editor::posing::mixing::Mix;
use crate::editor::script::args::{Args, command};
use crate::editor::script::table::{Outcome, Step, Verb, act, change, edit};
use crate::editor::session::Answer;
use crate::editor::session::bone_map::MappedTo;
use crate::editor::session::clipboard::Side;
use crate::editor::session::crowd::CrowdAction;
use crate::editor::session::ghosts::{GhostStep, Ghosts};
use crate::editor::session::keying::{AutoKey, KeyMask};
use crate::editor::session::pointer::{Axis, ModalKey, PointerEvent, PointerKind};
use crate::editor::session::retargeting::RetargetAction;
use crate::editor::session::selection::Pick;
use crate::editor::session::shortcuts::Stroke;
use crate::editor::session::timing::{TimeAction, TimePoint};
use crate::editor::session::tool::{Space, TransformKind};
use crate::editor::state::action::{
    BoneAction, ClipAction, DocumentAction, FileAction, GestureAction, KeyframeAction, ModelAction, PlaybackAction,
    PoseAction, SelectAction, ToolAction, ViewAction,
};
use crate::editor::view::readings;
use keypose::anim::bake::SampleFormat;
use keypose::anim::clip::{Event, KeyframeKind, LoopMode};
use keypose::anim::fit::{Tolerance, reduce_clip};
use keypose::anim::key::{Channel, Ease};
use keypose::anim::root_motion::RootMotion;
use keypose::anim::scalar::{Scalar, ScalarKind};
use keypose::anim::skin::method::Method;
use keypose::anim::time::FrameRate;
use keypose::assets::clip_notes::{ClipLayer, Derivation, LayerBlend};
use keypose::assets::euler_order::EulerOrder;
use keypose::assets::line_text::quoted;
use keypose::assets::machine::State;

/// The commands.
pub const VERBS: &[Verb] = &[
    ("help", |_| Ok(Step::Help)),
    ("show FACT…", |a| Ok(Step::Show(a.rest(0).iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")))),
    ("print", |_| Ok(Step::Print)),
    ("undo", |_| act(DocumentAction::Undo)),
    ("redo", |_| act(DocumentAction::Redo)),
    ("undo-all", |_| act(DocumentAction::GoToStep(0))),
    ("redo-all", |_| act(DocumentAction::GoToStep(usize::MAX))),
    ("run COMMAND", |a| act(command(a.word(0))?)),
    ("switch NAME", |a| act(command(&format!("toggle-{}", a.word(0)))?)),
    ("key STROKE", |a| press(a, Scope::Anywhere)),
    ("key STROKE over PANEL", |a| press(a, a.choice(1, "panel", &SCOPES)?)),
    ("type WORD…", type_words),
    ("open PATH", |a| act(FileAction::Open(Some(a.path(0))))),
    ("import PATH", |a| act(FileAction::Import(vec![a.path(0)]))),
    ("add-clips PATH", |a| act(FileAction::AddClips(vec![a.path(0)]))),
    ("save [PATH]", |a| match a.optional(0) {
        Some(path) => act(FileAction::SaveAs(Some(path.into()))),
        None => act(FileAction::Save),
    }),
    ("save-patch PATH", |a| act(FileAction::SavePatch(Some(a.path(0))))),
    ("answer ANSWER", |a| act(FileAction::Answer(a.choice(0, "answer", &ANSWERS)?))),
    ("model MODEL", |a| act(SelectAction::Model(a.model(0)?))),
    ("rename-model NAME", |a| {
        edit("Rename model", ModelEdit::RenameModel { model: a.active_index(), name: a.text(0) })
    }),
    ("remove-model", |_| act(ModelAction::Remove)),
    ("set-rest", |_| act(ModelAction::SetRestPose)),
    ("skinning METHOD", |a| {
        let skinning = a.named(0, &Method::ALL, Method::name)?;
        edit("Set skinning", ModelEdit::SetSkinning { model: a.active_index(), skinning })
    }),
    ("sprites OPTION VALUE", |a| {
        let mut sprites = a.active()?.sprites.clone();
        Arc::make_mut(&mut sprites).set(a.word(0), a.word(1))?;
        edit("Set sprite recipe", ModelEdit::SetSprites { model: a.active_index(), sprites })
    }),
    ("samples FORMAT", |a| {
        let samples = a.named(0, &SampleFormat::ALL, SampleFormat::name)?;
        edit("Set samples", ModelEdit::SetSamples { model: a.active_index(), samples })
    }),
    ("state-clip STATE none", |a| state_clip(a, "")),
    ("state-clip STATE CLIP", |a| state_clip(a, a.word(1))),
    ("clip none", |_| act(SelectAction::Clip(None))),
    ("clip CLIP", |a| act(SelectAction::Clip(Some(a.clip(0)?)))),
    ("pick-clips CLIP…", |a| {
        let clips = (0..a.rest(0).len()).map(|at| a.clip(at)).collect::<Result<_, _>>()?;
        act(SelectAction::Clips(clips))
    }),
    ("rename-clip NAME", |a| edit("Rename clip", ClipEdit::RenameClip { clip: a.open_clip()?, name: a.text(0) })),
    ("move-clip PLACE", |a| edit("Reorder clips", ClipEdit::MoveClip { clip: a.open_clip()?, to: a.index(0)? })),
    ("folder NAME", |a| edit("Set folder", ClipEdit::SetFolder { clip: a.open_clip()?, folder: a.text(0) })),
    ("tags TAG…", |a| {
        let tags = a.rest(0).iter().map(|&tag| tag.to_owned()).collect();
        edit("Set tags", ClipEdit::SetTags { clip: a.open_clip()?, tags })
    }),
    ("loop MODE", |a| {
        let loop_mode = a.named(0, &LoopMode::ALL, LoopMode::name)?;
        edit("Set loop mode", ClipEdit::SetLoopMode { clip: a.open_clip()?, loop_mode })
    }),
    ("root-motion PART", |a| {
        let root_motion = a.named(0, &RootMotion::ALL, RootMotion::name)?;
        edit("Set root motion", ClipEdit::SetRootMotion { clip: a.open_clip()?, root_motion })
    }),
    ("rate FPS", |a| {
        let rate = FrameRate::new(a.whole(0)?, 1).ok_or("a frame rate is a whole number from 1 to 1000")?;
        edit("Set frame rate", ClipEdit::SetFrameRate { clip: a.open_clip()?, frame_rate: rate })
    }),
    ("event TIME NAME", |a| {
        let event = Event { time: a.time(0)?, name: a.text(1) };
        let mut events = a.editor.clip().map(|slot| slot.clip.events.clone()).unwrap_or_default();
        events.insert(events.partition_point(|other| other.time <= event.time), event);
        edit("Add event", ClipEdit::SetEvents { clip: a.open_clip()?, events })
    }),
    ("delay BONE TIME", |a| {
        let clip = a.editor.clip().ok_or("no clip is open")?;
        let delays = delays(&clip.clip, &[(a.bone(0)?, 1)], a.time(1)?);
        edit("Set delay", ClipEdit::SetDelays { clip: clip.id, delays })
    }),
    ("delay-chain TIME", |a| {
        let clip = a.editor.clip().ok_or("no clip is open")?;
        let chain = delay_chain::chain(&a.active()?.skeleton, &a.editor.session.focus.selection.bones);
        let delays = delays(&clip.clip, &chain, a.time(0)?);
        edit("Delay chain", ClipEdit::SetDelays { clip: clip.id, delays })
    }),
    ("layer BLEND PERCENT", |a| {
        let (blend, percent) = (a.named(0, &LayerBlend::ALL, LayerBlend::name)?, a.whole(1)?);
        layer(a, |layer| ClipLayer { blend, percent, ..layer })
    }),
    ("mute-layer SWITCH", |a| {
        let is_muted = a.choice(0, "switch", &[("on", true), ("off", false)])?;
        layer(a, |layer| ClipLayer { is_muted, ..layer })
    }),
    ("limit-layer BONE…", |a| act(ClipAction::MaskLayer(a.bones()?))),
    ("key-layer-weight PERCENT", |a| match a.float(0)? / 100.0 {
        weight if (0.0..=1.0).contains(&weight) => act(ClipAction::KeyLayerWeight(Some(weight))),
        _ => Err("a keyed weight is 0 to 100 percent".to_owned()),
    }),
    ("flatten POSITION DEGREES SCALE", |a| {
        let (translation, rotation, scale) = (a.float(0)?, a.float(1)?.to_radians(), a.float(2)?);
        act(ClipAction::Flatten(Some(Tolerance { translation, rotation, scale })))
    }),
    ("retime-derived PERCENT", |a| {
        let how = Derivation::Retimed(a.whole(0)?);
        edit("Retime clip", ClipEdit::SetDerived { clip: a.open_clip()?, how })
    }),
    ("retarget MODEL CLIP", |a| {
        let slots = a.editor.document.models.get(a.model(0)?).into_iter().flat_map(|model| &model.clips);
        let slot = slots.into_iter().find(|slot| slot.clip.name == a.word(1));
        let source = slot.ok_or_else(|| format!("the model has no clip {}", a.word(1)))?.id;
        edit("Add retargeted clip", ClipEdit::AddRetargeted { model: a.active_index(), source })
    }),
    ("reduce-keys POSITION DEGREES SCALE", |a| {
        let (translation, rotation, scale) = (a.float(0)?, a.float(1)?.to_radians(), a.float(2)?);
        let (slot, model) = a.editor.clip().zip(a.editor.model()).ok_or("no clip is open")?;
        let (scales, tolerance) = (model.skeleton.parent_scales(), Tolerance { translation, rotation, scale });
        let with = Box::new(reduce_clip(&slot.clip, &scales, &tolerance));
        edit("Reduce keys", ClipEdit::ReplaceClip { clip: slot.id, with })
    }),
    ("select none", |_| act(SelectAction::Bones { bones: vec![], pick: Pick::Only })),
    ("select BONE…", |a| select(a, Pick::Only)),
    ("add BONE…", |a| select(a, Pick::Add)),
    ("filter-bones WORD…", |a| act(BoneAction::Filter(a.rest(0).join(" ")))),
    ("pin BONE…", |a| act(BoneAction::SetPinned { bones: a.bones()?, is_pinned: true })),
    ("unpin BONE…", |a| act(BoneAction::SetPinned { bones: a.bones()?, is_pinned: false })),
    ("chain JOINTS", |a| act(ToolAction::SetChain(a.whole(0)? as usize))),
    ("group NAME", |a| act(BoneAction::Group(GroupEdit::New(Some(a.text(0)))))),
    ("join-group PLACE", |a| act(BoneAction::Group(GroupEdit::Join(a.index(0)?)))),
    ("leave-group PLACE", |a| act(BoneAction::Group(GroupEdit::Leave(a.index(0)?)))),
    ("rename-group PLACE NAME", |a| act(BoneAction::Group(GroupEdit::Rename { at: a.index(0)?, name: a.text(1) }))),
    ("delete-group PLACE", |a| act(BoneAction::Group(GroupEdit::Delete(a.index(0)?)))),
    ("mirror-pair BONE BONE", |a| act(BoneAction::SetMirrorPair { bone: a.bone(0)?, partner: a.bone(1)? })),
    ("find-mirror BONE", |a| act(BoneAction::ClearMirrorPair(a.bone(0)?))),
    ("map-bone THEIRS none", |a| act(BoneAction::Map(vec![(a.text(0), MappedTo::Nothing)]))),
    ("map-bone THEIRS found", |a| act(BoneAction::Map(vec![(a.text(0), MappedTo::Found)]))),
    ("map-bone THEIRS BONE", |a| act(BoneAction::Map(vec![(a.text(0), MappedTo::Bone(a.bone(1)?))]))),
    ("convert-again FILE", |a| {
        let mut files = a.editor.session.focus.libraries.iter();
        let at = files.rposition(|library| library.file == a.word(0));
        act(RetargetAction::ConvertAgain(at.unwrap_or(usize::MAX)))
    }),
    ("euler-order ORDER", |a| {
        let bones = a.editor.session.focus.selection.bones.clone();
        act(BoneAction::SetEulerOrder { bones, order: a.named(0, &EulerOrder::ALL, EulerOrder::name)? })
    }),
    ("pose BONE CHANNEL X Y Z …", |a| change("Pose bones", pose(a)?)),
    ("pose BONE VALUE X …", |a| change("Pose bones", pose(a)?)),
    ("begin", |_| act(DocumentAction::Begin { label: "Pose bones".into() })),
    ("preview BONE CHANNEL X Y Z …", |a| act(DocumentAction::Preview(pose(a)?))),
    ("preview BONE VALUE X …", |a| act(DocumentAction::Preview(pose(a)?))),
    ("commit", |_| act(DocumentAction::Commit)),
    ("cancel", |_| act(DocumentAction::Cancel)),
    ("add-property NAME BONE", |a| {
        let scalar = Scalar { name: a.text(0), bone: a.bone(1)?, kind: ScalarKind::Property, default: 0.0 };
        edit("Add property", ModelEdit::AddScalar { model: a.active_index(), scalar })
    }),
    ("remove-property VALUE", |a| {
        edit("Delete property", ModelEdit::RemoveScalar { model: a.active_index(), scalar: a.scalar(0)?.0 })
    }),
    ("rename-value VALUE NAME", |a| {
        let (scalar, with) = a.scalar(0)?;
        let label = format!("Rename {}", with.kind.name());
        let with = Scalar { name: a.text(1), ..with };
        edit(label, ModelEdit::SetScalar { model: a.active_index(), scalar, with })
    }),
    ("default-value VALUE X", |a| {
        let (scalar, with) = a.scalar(0)?;
        let label = format!("Set default {}", with.kind.name());
        let with = Scalar { default: a.float(1)?, ..with };
        edit(label, ModelEdit::SetScalar { model: a.active_index(), scalar, with })
    }),
    ("key-value VALUE…", |a| {
        let scalars = (0..a.rest(0).len()).map(|at| Ok(a.scalar(at)?.0)).collect::<Result<_, String>>()?;
        act(BoneAction::KeyScalars(scalars))
    }),
    ("auto-key SETTING", |a| act(ToolAction::SetAutoKey(a.named(0, &AutoKey::ALL, AutoKey::name)?))),
    ("key-mask CHANNEL…", key_mask),
    ("space AXES", |a| act(ToolAction::SetSpace(a.named(0, &Space::ALL, Space::name)?))),
    ("new-ease EASE", |a| act(ToolAction::SetNewEase(a.named(0, &Ease::ALL, Ease::name)?))),
    ("ease EASE", |a| act(PoseAction::SetEase(a.named(0, &Ease::ALL, Ease::name)?))),
    ("handle-lengths IN OUT", |a| act(PoseAction::SetHandleLengths([a.float(0)?, a.float(1)?]))),
    ("follow-path X Y Z X Y Z …", |a| {
        let places = (0..a.rest(0).len() / 3).map(|at| a.vec3(3 * at)).collect::<Result<_, String>>()?;
        act(PoseAction::FollowPath(places))
    }),
    ("mix KIND AMOUNT", |a| {
        let name = |mix: Mix| if mix == Mix::Breakdown { "breakdown" } else { mix.name() };
        let mix = a.named(0, &Mix::ALL, name)?;
        change(mix.name(), Change::Mix(mix, a.float(1)?))
    }),
    ("save-pose NAME", |a| act(LibraryAction::Save(Some(a.text(0))))),
    ("apply-pose POSE [AMOUNT]", |a| apply_pose(a, Side::Same)),
    ("flip-pose POSE [AMOUNT]", |a| apply_pose(a, Side::Mirrored)),
    ("rename-pose POSE NAME", |a| act(LibraryAction::Rename { at: a.saved_pose(0)?, name: a.text(1) })),
    ("update-pose POSE", |a| act(LibraryAction::Update(a.saved_pose(0)?))),
    ("delete-pose POSE", |a| act(LibraryAction::Delete(a.saved_pose(0)?))),
    ("move-pose POSE PLACE", |a| act(LibraryAction::Move { from: a.saved_pose(0)?, to: a.index(1)? })),
    ("seek TIME", |a| act(PlaybackAction::Seek(a.time(0)?))),
    ("tick TIME", |a| act(crate::editor::state::action::Action::Tick(a.time(0)?))),
    ("play", |_| act(PlaybackAction::SetPlaying(true))),
    ("pause", |_| act(PlaybackAction::SetPlaying(false))),
    ("speed FACTOR", |a| act(PlaybackAction::SetSpeed(a.number(0)?))),
    ("duration KEYFRAME TIME", |a| {
        let (clip, durations) = (a.open_clip()?, vec![(a.index(0)?, a.time(1)?)]);
        edit("Set duration", KeyEdit::SetDurations { clip, durations })
    }),
    ("mark-keyframes KIND", |a| act(KeyframeAction::SetKind(a.named(0, &KeyframeKind::ALL, KeyframeKind::name)?))),
    ("move-keyframe KEYFRAME PLACE", |a| {
        a.open_clip()?;
        let (from, to) = (a.index(0)?, a.index(1)?);
        act(KeyframeAction::Reorder { keyframes: from..from + 1, before: if to > from { to + 1 } else { to } })
    }),
    ("pick-keyframe KEYFRAME", |a| {
        let at = a.index(0)?;
        act(SelectAction::KeyframeGroup { keyframes: at..at + 1, pick: Pick::Only })
    }),
    ("pick-keyframes-to KEYFRAME", |a| {
        let to = a.index(0)?;
        let from = a.editor.session.focus.selection.last_keyframe.unwrap_or(to);
        act(SelectAction::KeyframeRange(from.min(to)..from.max(to) + 1))
    }),
    ("pick-key KEYFRAME BONE CHANNEL", |a| act(SelectAction::Keys { keys: vec![a.key()?], pick: Pick::Only })),
    ("add-key KEYFRAME BONE CHANNEL", |a| act(SelectAction::Keys { keys: vec![a.key()?], pick: Pick::Add })),
    ("shift-keys TIME", |a| move_keys(KeyTimes::Shift(a.time(0)?), Original::Moves)),
    ("copy-keys TIME", |a| move_keys(KeyTimes::Shift(a.time(0)?), Original::Stays)),
    ("scale-keys TIME FACTOR", |a| {
        move_keys(KeyTimes::Scale { about: a.time(0)?, factor: a.number(1)? }, Original::Moves)
    }),
    ("filter TEXT", |a| act(TimeAction::Filter(a.text(0)))),
    ("pick-event NUMBER", |a| act(TimeAction::PickEvent(Some(a.index(0)?)))),
    ("viewport WIDTH HEIGHT", |a| act(ViewAction::SetViewport { size: a.vec2(0)?, pixels_per_point: 1.0 })),
    ("crowd COUNT", |a| act(CrowdAction::Count(a.index(0)? + 1))),
    ("mouse EVENT X Y [MODIFIER] [MODIFIER] [MODIFIER]", |a| {
        let kind = a.choice(0, "mouse event", &MOUSE_EVENTS)?;
        act(GestureAction::Pointer(PointerEvent { kind, pixel: a.vec2(1)?, held: a.modifiers(3)? }))
    }),
    ("time-mouse TIME Y [MODIFIER] [MODIFIER] [MODIFIER]", |a| {
        act(TimeAction::MouseMoved(TimePoint { time: a.time(0)?, y: a.float(1)?, held: a.modifiers(2)? }))
    }),
    ("ghosts before COUNT", |a| neighbours(a, percent(a)?, |it, count| it.neighbours[0] = count)),
    ("ghosts after COUNT", |a| neighbours(a, percent(a)?, |it, count| it.neighbours[1] = count)),
    ("ghosts step STEP", |a| neighbours(a, a.named(0, &GhostStep::ALL, GhostStep::name)?, |it, step| it.step = step)),
    ("ghosts clip none", |a| ghosts(a, None, |it, clip| it.clip = clip)),
    ("ghosts clip CLIP", |a| ghosts(a, Some(a.clip(0)?), |it, clip| it.clip = clip)),
    ("ghosts opacity PERCENT", |a| ghosts(a, percent(a)?, |it, percent| it.opacity = percent)),
    ("ghosts fade PERCENT", |a| ghosts(a, percent(a)?, |it, percent| it.fade = percent)),
];

const SCOPES: [(&str, Scope); 7] = [
    ("viewport", Scope::Viewport),
    ("bones", Scope::Bones),
    ("timeline", Scope::Timeline),
    ("clips", Scope::Clips),
    ("machine", Scope::Machine),
    ("level", Scope::Level),
    ("rig", Scope::Rig),
];

const ANSWERS: [(&str, Answer); 3] = [("save", Answer::Save), ("discard", Answer::Discard), ("cancel", Answer::Cancel)];

const MOUSE_EVENTS: [(&str, PointerKind); 6] = [
    ("move", PointerKind::Moved),
    ("press", PointerKind::Pressed),
    ("release", PointerKind::Released),
    ("double-click", PointerKind::DoubleClicked),
    ("right-click", PointerKind::MenuClicked),
    ("leave", PointerKind::Exited),
];

fn press(a: &Args<'_>, scope: Scope) -> Outcome {
    let stroke: Stroke = a.word(0).parse()?;
    let command = a.editor.session.workspace.bindings.find(stroke, scope, a.editor);
    act(command.ok_or_else(|| format!("{stroke} runs no command in that panel"))?)
}

/// Keys of a transform, or of a duration that is being typed: every letter is part of the latter.
fn type_words(a: &Args<'_>) -> Outcome {
    let is_duration = a.editor.typed().is_some();
    let mut keys = Vec::new();
    for &word in a.rest(0) {
        match word {
            "enter" => keys.push(ModalKey::Confirm),
            "esc" => keys.push(ModalKey::Cancel),
            "backspace" => keys.push(ModalKey::Backspace),
            _ if is_duration => keys.extend(word.chars().map(ModalKey::Char)),
            "G" => keys.push(ModalKey::Switch(TransformKind::Move)),
            "R" => keys.push(ModalKey::Switch(TransformKind::Rotate)),
            "S" => keys.push(ModalKey::Switch(TransformKind::Scale)),
            "E" => keys.push(ModalKey::Switch(TransformKind::Reach)),
            "add-joint" => keys.push(ModalKey::AddJoint),
            "remove-joint" => keys.push(ModalKey::RemoveJoint),
            _ => match word.strip_prefix("shift+").and_then(|axis| Axis::from_letter(axis.chars().next()?)) {
                Some(axis) => keys.push(ModalKey::Plane(axis)),
                None => keys.extend(word.chars().map(modal_letter).collect::<Result<Vec<_>, String>>()?),
            },
        }
    }
    Ok(Step::Act(keys.into_iter().map(|key| GestureAction::Modal(key).into()).collect()))
}

fn modal_letter(letter: char) -> Result<ModalKey, String> {
    if letter.is_ascii_digit() || ".-".contains(letter) {
        return Ok(ModalKey::Char(letter));
    }
    let axis = Axis::from_letter(letter).map(ModalKey::Axis);
    axis.ok_or_else(|| format!("{letter} has no meaning during a transform"))
}

/// Selects bones, the last of which becomes active.
fn select(a: &Args<'_>, pick: Pick) -> Outcome {
    let bones = a.bones()?;
    match bones.last().copied() {
        Some(clicked) if bones.len() > 1 => act(SelectAction::BoneRange { range: bones, clicked, pick }),
        _ => act(SelectAction::Bones { bones, pick }),
    }
}

/// Changes one of the settings of the ghosts before and after the playhead, and shows them.
fn neighbours<V>(a: &Args<'_>, value: V, set: impl FnOnce(&mut Ghosts, V)) -> Outcome {
    Ok(Step::Act(vec![set_ghosts(a, value, set).into(), ViewAction::ShowGhostNeighbours.into()]))
}

/// Changes one of the settings of ghosts.
fn ghosts<V>(a: &Args<'_>, value: V, set: impl FnOnce(&mut Ghosts, V)) -> Outcome {
    act(set_ghosts(a, value, set))
}

fn set_ghosts<V>(a: &Args<'_>, value: V, set: impl FnOnce(&mut Ghosts, V)) -> ViewAction {
    let mut ghosts = a.editor.session.workspace.ghosts;
    set(&mut ghosts, value);
    ViewAction::SetGhosts(ghosts)
}

/// Changes the layer of the open clip.
fn layer(a: &Args<'_>, change: impl FnOnce(ClipLayer) -> ClipLayer) -> Outcome {
    let clip = a.open_clip()?;
    let layer = a.active()?.derived(clip).and_then(|derived| derived.how.layer()).ok_or("the clip has no layer")?;
    edit("Change layer", ClipEdit::SetDerived { clip, how: Derivation::Layered(change(layer)) })
}

/// Chooses the clip that the game plays in a state; without a name, it is found by the name of the state.
fn state_clip(a: &Args<'_>, clip: &str) -> Outcome {
    let (state, model) = (a.named(0, &State::ALL, State::name)?, a.active()?);
    if !clip.is_empty() && model.clip_named(clip).is_none() {
        return Err(format!("the model has no clip {clip}"));
    }
    let mut machine = model.machine.clone();
    machine.set_clip(state, clip);
    edit("Set state clip", ModelEdit::SetMachine { model: a.active_index(), machine })
}

/// Sets the channels that are keyed, one at least.
fn key_mask(a: &Args<'_>) -> Outcome {
    let (names, all) = (a.rest(0), KeyMask::NAMES.join(", "));
    if let Some(name) = names.iter().find(|name| !KeyMask::NAMES.contains(name)) {
        return Err(format!("unknown name {name}: expected {all}"));
    }
    if names.is_empty() {
        return Err(format!("expected one or several of {all}"));
    }
    act(ToolAction::SetKeyMask(KeyMask::of(KeyMask::NAMES.map(|name| names.contains(&name)))))
}

fn apply_pose(a: &Args<'_>, side: Side) -> Outcome {
    let amount = if a.optional(1).is_some() { a.float(1)? } else { 1.0 };
    act(LibraryAction::Apply { at: a.saved_pose(0)?, side, amount })
}

fn move_keys(times: KeyTimes, original: Original) -> Outcome {
    change("Move keys", Change::Keys(KeysChange { original, ..KeysChange::new(times) }))
}

fn percent(a: &Args<'_>) -> Result<u8, String> {
    Ok(a.number(0)?.clamp(0.0, 100.0) as u8)
}

/// A pose: `BONE rotation X Y Z` in degrees, `BONE position X Y Z`, `BONE scale X Y Z` or `BONE VALUE X` with the name of a morph
/// target or property, once or several times.
fn pose(a: &Args<'_>) -> Result<Change, String> {
    let (mut at, mut posed) = (0, Vec::new());
    while at < a.rest(0).len() {
        let bone = a.bone(at)?;
        let channel = a.channel(bone, at + 1)?;
        let (value, width) = match channel {
            Channel::Scalar(_) => (Vec4::X * a.float(at + 2)?, 3),
            Channel::Rotation => {
                let order = a.editor.model().map_or_else(EulerOrder::default, |model| readings::order(model, bone));
                (Vec4::from(euler::rotation(a.vec3(at + 2)?, order)), 5)
            }
            Channel::Translation | Channel::Scale => (a.vec3(at + 2)?.extend(0.0), 5),
        };
        posed.push(Posed { bone, channel, value });
        at += width;
    }
    Ok(Change::Pose(posed))
}
