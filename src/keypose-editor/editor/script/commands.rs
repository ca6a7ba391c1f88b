//! The commands of scripts and the actions that they become.

use glam::{Vec2, Vec3, Vec4};

use crate::anim::bake::SampleFormat;
use crate::anim::clip::{Event, LoopMode};
use crate::anim::fit::{Tolerance, reduce_clip};
use crate::anim::key::Channel;
use crate::anim::scalar::{Scalar, ScalarKind};
use crate::anim::shared_list::SharedList;
use crate::anim::skin::method::Method;
use crate::anim::time::FrameRate;
use crate::assets::clip_notes::Derivation;
use crate::assets::euler_order::EulerOrder;
use crate::assets::machine::State;
use crate::editor::commands::Scope;
use crate::editor::document::edit::{ClipEdit, KeyEdit, ModelEdit, Original};
use crate::editor::ops::bone_groups::GroupEdit;
use crate::editor::ops::euler;
use crate::editor::ops::posed::Posed;
use crate::editor::posing::change::Change;
use crate::editor::posing::key_times::{KeyTimes, KeysChange};
use crate::editor::posing::library::LibraryAction;
use crate::editor::posing::mixing::Mix;
use crate::editor::script::Step;
use crate::editor::script::forms;
use crate::editor::script::parse::*;
use crate::editor::session::clipboard::Side;
use crate::editor::session::crowd::CrowdAction;
use crate::editor::session::ghosts;
use crate::editor::session::ghosts::{GhostAction, GhostStep};
use crate::editor::session::pointer::{Axis, ModalKey, PointerEvent, PointerKind};
use crate::editor::session::selection::Pick;
use crate::editor::session::shortcuts::Stroke;
use crate::editor::session::timing::{TimeAction, TimePoint};
use crate::editor::session::tool::TransformKind;
use crate::editor::state::Editor;
use crate::editor::state::action::{
    Action, BoneAction, DocumentAction, FileAction, GestureAction, MaterialAction, ModelAction, PlaybackAction,
    PoseAction, SelectAction, ToolAction, ViewAction,
};
use crate::editor::view::readings;

/// Turns a command into what to do.
pub fn step(editor: &Editor, verb: &str, args: &[&str]) -> Result<Step, String> {
    forms::check(forms::COMMANDS, &[&[verb], args].concat())?;
    let one = |action| Ok(Step::Act(vec![action]));
    match (verb, args) {
        ("show", [what]) => Ok(Step::Show((*what).to_owned())),
        ("show", [what, rest @ ..]) => Ok(Step::Show(format!("{what} {}", rest.join(" ")))),
        ("print", []) => Ok(Step::Print),
        ("help", []) => Ok(Step::Help),
        ("undo", []) => one(Action::Document(DocumentAction::Undo)),
        ("redo", []) => one(Action::Document(DocumentAction::Redo)),
        ("undo-all", []) => one(Action::Document(DocumentAction::GoToStep(0))),
        ("redo-all", []) => one(Action::Document(DocumentAction::GoToStep(usize::MAX))),
        ("run", [name]) => one(Action::Run(command(name)?)),
        ("key", [stroke]) => one(struck(editor, stroke, Scope::Anywhere)?),
        ("key", [stroke, "over", panel]) => one(struck(editor, stroke, scope(panel)?)?),
        ("type", keys) if editor.typed().is_some() => Ok(Step::Act(typed_keys(keys))),
        ("type", keys) => Ok(Step::Act(modal_keys(keys)?)),
        ("model", [name]) => one(Action::Select(SelectAction::Model(model(editor, name)?))),
        ("clip", ["none"]) => one(Action::Select(SelectAction::Clip(None))),
        ("clip", [name]) => one(Action::Select(SelectAction::Clip(Some(clip(editor, name)?)))),
        ("select", ["none"]) => one(Action::Select(SelectAction::Bones { bones: vec![], pick: Pick::Only })),
        ("select", names) => {
            one(Action::Select(SelectAction::Bones { bones: bones(editor, names)?, pick: Pick::Only }))
        }
        ("filter-bones", words) => one(Action::Bones(BoneAction::Filter(words.join(" ")))),
        ("add", names) => one(Action::Select(SelectAction::Bones { bones: bones(editor, names)?, pick: Pick::Add })),
        ("seek", [at]) => one(Action::Playback(PlaybackAction::Seek(time(editor, at)?))),
        ("tick", [by]) => one(Action::Tick(time(editor, by)?)),
        ("play", []) => one(Action::Playback(PlaybackAction::SetPlaying(true))),
        ("pause", []) => one(Action::Playback(PlaybackAction::SetPlaying(false))),
        ("speed", [speed]) => one(Action::Playback(PlaybackAction::SetSpeed(number(speed)?))),
        ("auto-key", [setting]) => one(Action::Tool(ToolAction::SetAutoKey(auto_key(setting)?))),
        ("key-mask", parts) => one(Action::Tool(ToolAction::SetKeyMask(key_mask(parts)?))),
        ("space", [name]) => one(Action::Tool(ToolAction::SetSpace(space(name)?))),
        ("pin", names) => one(Action::Bones(BoneAction::SetPinned { bones: bones(editor, names)?, is_pinned: true })),
        ("unpin", names) => {
            one(Action::Bones(BoneAction::SetPinned { bones: bones(editor, names)?, is_pinned: false }))
        }
        ("chain", [joints]) => one(Action::Tool(ToolAction::SetChain(number(joints)? as usize))),
        ("answer", [answer]) => one(Action::File(FileAction::Answer(self::answer(answer)?))),
        ("save", []) => one(Action::File(FileAction::Save)),
        ("save", [path]) => one(Action::File(FileAction::SaveAs(Some(path.into())))),
        ("save-patch", [path]) => one(Action::File(FileAction::SavePatch(Some(path.into())))),
        ("open", [path]) => one(Action::File(FileAction::Open(Some(path.into())))),
        ("import", [path]) => one(Action::File(FileAction::Import(vec![path.into()]))),
        ("add-clips", [path]) => one(Action::File(FileAction::AddClips(vec![path.into()]))),
        ("mouse", args) => one(mouse(args)?),
        ("time-mouse", [at, y, held @ ..]) => {
            let point = TimePoint { time: time(editor, at)?, y: number(y)? as f32, held: modifiers(held) };
            one(Action::Time(TimeAction::MouseMoved(point)))
        }
        ("filter", [text]) => one(Action::Time(TimeAction::Filter((*text).to_owned()))),
        ("pick-event", [number]) => one(Action::Time(TimeAction::PickEvent(Some(index(number)?)))),
        ("viewport", [width, height]) => {
            let size = Vec2::new(number(width)? as f32, number(height)? as f32);
            one(Action::View(ViewAction::SetViewport { size, pixels_per_point: 1.0 }))
        }
        _ => edit_pose(editor, verb, args),
    }
}

/// Commands that change poses, keys and the selection of keys.
fn edit_pose(editor: &Editor, verb: &str, args: &[&str]) -> Result<Step, String> {
    let one = |action| Ok(Step::Act(vec![action]));
    match (verb, args) {
        ("pose", args) => {
            one(Action::Document(DocumentAction::Edit { label: "Pose bones".into(), change: pose(editor, args)? }))
        }
        ("begin", []) => one(Action::Document(DocumentAction::Begin { label: "Pose bones".into() })),
        ("preview", args) => one(Action::Document(DocumentAction::Preview(pose(editor, args)?))),
        ("commit", []) => one(Action::Document(DocumentAction::Commit)),
        ("cancel", []) => one(Action::Document(DocumentAction::Cancel)),
        ("pick-keyframe", [number]) => {
            one(Action::Select(SelectAction::Keyframe { keyframe: index(number)?, pick: Pick::Only }))
        }
        ("pick-keyframes-to", [number]) => {
            let to = index(number)?;
            let from = editor.session.focus.selection.last_keyframe.unwrap_or(to);
            one(Action::Select(SelectAction::KeyframeRange(from.min(to)..from.max(to) + 1)))
        }
        ("pick-key", [number, name, channel]) => one(Action::Select(SelectAction::Keys {
            keys: vec![key(editor, number, name, channel)?],
            pick: Pick::Only,
        })),
        ("add-key", [number, name, channel]) => {
            one(Action::Select(SelectAction::Keys { keys: vec![key(editor, number, name, channel)?], pick: Pick::Add }))
        }
        ("shift-keys", [by]) => one(keys_action(KeyTimes::Shift(time(editor, by)?), Original::Moves)),
        ("copy-keys", [by]) => one(keys_action(KeyTimes::Shift(time(editor, by)?), Original::Stays)),
        ("scale-keys", [about, factor]) => {
            let times = KeyTimes::Scale { about: time(editor, about)?, factor: number(factor)? };
            one(keys_action(times, Original::Moves))
        }
        ("mix", [mix, amount]) => {
            let mixes = [Mix::Breakdown, Mix::Push, Mix::Relax, Mix::Neighbour];
            let name = |mix: Mix| if mix == Mix::Breakdown { "breakdown" } else { mix.name() };
            let mix = named(mix, &mixes, name)?;
            let change = Change::Mix(mix, number(amount)? as f32);
            one(Action::Document(DocumentAction::Edit { label: mix.name().into(), change }))
        }
        _ => edit_values(editor, verb, args),
    }
}

/// Commands for properties and weights.
fn edit_values(editor: &Editor, verb: &str, args: &[&str]) -> Result<Step, String> {
    let one = |action| Ok(Step::Act(vec![action]));
    match (verb, args) {
        ("add-property", [name, bone_name]) => one(Action::Bones(BoneAction::AddScalar(Scalar {
            name: (*name).to_owned(),
            bone: bone(editor, bone_name)?,
            kind: ScalarKind::Property,
            default: 0.0,
        }))),
        ("remove-property", [name]) => one(Action::Bones(BoneAction::RemoveScalar(scalar(editor, name)?.0))),
        ("rename-value", [name, new]) => {
            let (scalar, with) = scalar(editor, name)?;
            one(Action::Bones(BoneAction::SetScalar { scalar, with: Scalar { name: (*new).to_owned(), ..with } }))
        }
        ("default-value", [name, value]) => {
            let (scalar, with) = scalar(editor, name)?;
            let with = Scalar { default: number(value)? as f32, ..with };
            one(Action::Bones(BoneAction::SetScalar { scalar, with }))
        }
        ("key-value", names) => {
            let scalars = names.iter().map(|name| Ok(scalar(editor, name)?.0)).collect::<Result<_, String>>()?;
            one(Action::Bones(BoneAction::KeyScalars(scalars)))
        }
        _ => edit_model(editor, verb, args),
    }
}

/// Commands for materials, reference images, ghosts, the state machine, saved poses and bones.
fn edit_model(editor: &Editor, verb: &str, args: &[&str]) -> Result<Step, String> {
    let one = |action| Ok(Step::Act(vec![action]));
    match (verb, args) {
        ("rename-model", [name]) => one(Action::Model(ModelAction::Rename((*name).to_owned()))),
        ("remove-model", []) => one(Action::Model(ModelAction::Remove)),
        ("retarget", [from, name]) => one(retarget(editor, from, name)?),
        ("skinning", [method]) => {
            let skinning = named(method, &Method::ALL, Method::name)?;
            one(Action::Model(ModelAction::SetSkinning(skinning)))
        }
        ("samples", [format]) => {
            let samples = named(format, &SampleFormat::ALL, SampleFormat::name)?;
            one(Action::Model(ModelAction::SetSamples(samples)))
        }
        ("state-clip", [state, clip]) => one(state_clip(editor, state, clip)?),
        ("set-rest", []) => one(Action::Model(ModelAction::SetRestPose)),
        ("add-reference", [path]) => one(Action::Material(MaterialAction::AddReference(Some(path.into())))),
        ("reference", args) => Ok(Step::Act(super::materials::reference_actions(editor, args)?)),
        ("material", args) => Ok(Step::Act(super::materials::actions(editor, args)?)),
        ("ghosts", [what, amount]) => one(Action::View(ViewAction::Ghosts(ghosts(editor, what, amount)?))),
        ("machine", args) => one(super::machine::action(editor, args)?),
        ("socket", args) => one(super::sockets::action(editor, args)?),
        ("sound", args) => one(super::sounds::action(editor, args)?),
        ("level", args) => one(super::level::action(editor, args)?),
        ("save-pose", [name]) => one(Action::Poses(LibraryAction::Save(Some((*name).to_owned())))),
        ("apply-pose", [name]) => one(apply_pose(editor, name, Side::Same, "1")?),
        ("apply-pose", [name, amount]) => one(apply_pose(editor, name, Side::Same, amount)?),
        ("flip-pose", [name]) => one(apply_pose(editor, name, Side::Mirrored, "1")?),
        ("flip-pose", [name, amount]) => one(apply_pose(editor, name, Side::Mirrored, amount)?),
        ("rename-pose", [name, to]) => {
            one(Action::Poses(LibraryAction::Rename { at: saved_pose(editor, name)?, name: (*to).to_owned() }))
        }
        ("update-pose", [name]) => one(Action::Poses(LibraryAction::Update(saved_pose(editor, name)?))),
        ("delete-pose", [name]) => one(Action::Poses(LibraryAction::Delete(saved_pose(editor, name)?))),
        ("move-pose", [name, to]) => {
            one(Action::Poses(LibraryAction::Move { from: saved_pose(editor, name)?, to: index(to)? }))
        }
        ("group", [name]) => one(Action::Bones(BoneAction::Group(GroupEdit::New(Some((*name).to_owned()))))),
        ("join-group", [at]) => one(Action::Bones(BoneAction::Group(GroupEdit::Join(index(at)?)))),
        ("leave-group", [at]) => one(Action::Bones(BoneAction::Group(GroupEdit::Leave(index(at)?)))),
        ("rename-group", [at, name]) => {
            one(Action::Bones(BoneAction::Group(GroupEdit::Rename { at: index(at)?, name: (*name).to_owned() })))
        }
        ("delete-group", [at]) => one(Action::Bones(BoneAction::Group(GroupEdit::Delete(index(at)?)))),
        ("euler-order", [order]) => one(Action::Bones(BoneAction::SetEulerOrder {
            bones: editor.session.focus.selection.bones.clone(),
            order: named(order, &EulerOrder::ALL, EulerOrder::name)?,
        })),
        ("find-mirror", [name]) => one(Action::Bones(BoneAction::ClearMirrorPair(bone(editor, name)?))),
        ("crowd", [count]) => one(Action::Crowd(CrowdAction::Count(index(count)? + 1))),
        ("switch", [name]) => one(Action::Run(command(&format!("toggle-{name}"))?)),
        ("mirror-pair", [name, other]) => {
            one(Action::Bones(BoneAction::SetMirrorPair { bone: bone(editor, name)?, partner: bone(editor, other)? }))
        }
        _ => edit_clip(editor, verb, args),
    }
}

/// Chooses the clip that the game plays in a state; `none`: it is found by name.
fn state_clip(editor: &Editor, state: &str, clip: &str) -> Result<Action, String> {
    let state = named(state, &State::ALL, State::word)?;
    let model = editor.model().ok_or("there is no model")?;
    let name = if clip == "none" { "" } else { clip };
    if !name.is_empty() && model.clip_named(name).is_none() {
        return Err(format!("the model has no clip {name}"));
    }
    let mut machine = model.machine.clone();
    machine.set_clip(state, name);
    let edit = ModelEdit::SetMachine { model: editor.session.focus.model, machine }.into();
    let change = Change::Edits(vec![edit]);
    Ok(Action::Document(DocumentAction::Edit { label: "Set state clip".into(), change }))
}

/// Adds a clip of another model to the active one.
fn retarget(editor: &Editor, from: &str, name: &str) -> Result<Action, String> {
    let from = model(editor, from)?;
    let slots = editor.document.models.get(from).map(|model| model.clips.iter());
    let slot = slots.into_iter().flatten().find(|slot| slot.clip.name == name);
    let source = slot.ok_or_else(|| format!("the model has no clip {name}"))?.id;
    let edit = ClipEdit::AddRetargeted { model: editor.session.focus.model, source }.into();
    Ok(Action::Document(DocumentAction::Edit {
        label: "Add retargeted clip".into(),
        change: Change::Edits(vec![edit]),
    }))
}

/// The events of the open clip and one more, in order.
fn with_event(editor: &Editor, event: Event) -> SharedList<Event> {
    let mut events = editor.clip().map(|slot| slot.clip.events.clone()).unwrap_or_default();
    events.insert(events.partition_point(|other| other.time <= event.time), event);
    events
}

/// Commands that change clips and keyframes.
fn edit_clip(editor: &Editor, verb: &str, args: &[&str]) -> Result<Step, String> {
    let one = |action| Ok(Step::Act(vec![action]));
    let edit = |label: &'static str, edit| {
        let change = Change::Edits(vec![edit]);
        Ok(Step::Act(vec![Action::Document(DocumentAction::Edit { label: label.into(), change })]))
    };
    let open = || editor.session.focus.clip.ok_or_else(|| "no clip is open".to_owned());
    match (verb, args) {
        ("ease", [name]) => one(Action::Pose(PoseAction::SetEase(ease(name)?))),
        ("new-ease", [name]) => one(Action::Tool(ToolAction::SetNewEase(ease(name)?))),
        ("duration", [number, text]) => {
            let (clip, keyframe, duration) = (open()?, index(number)?, time(editor, text)?);
            edit("Set duration", KeyEdit::SetDuration { clip, keyframe, duration }.into())
        }
        ("move-keyframe", [from, to]) => edit(
            "Reorder keyframes",
            KeyEdit::MoveKeyframe { clip: open()?, from: index(from)?, to: index(to)? }.into(),
        ),
        ("loop", [mode]) => edit(
            "Set loop mode",
            ClipEdit::SetLoopMode { clip: open()?, loop_mode: named(mode, &LoopMode::ALL, LoopMode::name)? }.into(),
        ),
        ("rate", [fps]) => {
            let rate = FrameRate::new(number(fps)? as u32, 1).ok_or("a frame rate is a whole number from 1 to 1000")?;
            edit("Set frame rate", ClipEdit::SetFrameRate { clip: open()?, frame_rate: rate }.into())
        }
        ("event", [at, name]) => {
            let events = with_event(editor, Event { time: time(editor, at)?, name: (*name).to_owned() });
            edit("Add event", ClipEdit::SetEvents { clip: open()?, events }.into())
        }
        ("retime-derived", [percent]) => edit(
            "Retime clip",
            ClipEdit::SetDerived { clip: open()?, how: Derivation::Retimed(number(percent)? as u32) }.into(),
        ),
        ("folder", [name]) => {
            edit("Set folder", ClipEdit::SetFolder { clip: open()?, folder: (*name).to_owned() }.into())
        }
        ("tags", tags) => {
            let tags = tags.iter().map(|&tag| tag.to_owned()).collect();
            edit("Set tags", ClipEdit::SetTags { clip: open()?, tags }.into())
        }
        ("pick-clips", names) => {
            let clips = names.iter().map(|name| clip(editor, name)).collect::<Result<_, _>>()?;
            one(Action::Select(SelectAction::Clips(clips)))
        }
        ("rename-clip", [name]) => {
            edit("Rename clip", ClipEdit::RenameClip { clip: open()?, name: (*name).to_owned() }.into())
        }
        ("reduce-keys", [position, degrees, scale]) => {
            let (translation, scale) = (number(position)? as f32, number(scale)? as f32);
            let tolerance = Tolerance { translation, rotation: (number(degrees)? as f32).to_radians(), scale };
            let slot = editor.clip().ok_or("no clip is open")?;
            let with = Box::new(reduce_clip(&slot.clip, &tolerance));
            edit("Reduce keys", ClipEdit::ReplaceClip { clip: slot.id, with }.into())
        }
        ("move-clip", [to]) => edit("Reorder clips", ClipEdit::MoveClip { clip: open()?, to: index(to)? }.into()),
        _ => one(super::combat::action(editor, verb, args).ok_or("unknown command or wrong arguments")??),
    }
}

/// Settings of ghosts: their number on each side, the step between them, the clip they show, their opacity and fade.
fn ghosts(editor: &Editor, what: &str, amount: &str) -> Result<GhostAction, String> {
    let count = || Ok::<u8, String>(number(amount)?.clamp(0.0, 100.0) as u8);
    Ok(match what {
        "before" => GhostAction::Neighbours(ghosts::Side::Before, count()?),
        "after" => GhostAction::Neighbours(ghosts::Side::After, count()?),
        "step" => GhostAction::Step(named(amount, &GhostStep::ALL, GhostStep::name)?),
        "clip" if amount == "none" => GhostAction::Clip(None),
        "clip" => GhostAction::Clip(Some(clip(editor, amount)?)),
        "opacity" => GhostAction::Opacity(count()?),
        "fade" => GhostAction::Fade(count()?),
        other => {
            return Err(format!(
                "unknown setting of ghosts {other}: expected before, after, step, clip, opacity or fade"
            ));
        }
    })
}

fn apply_pose(editor: &Editor, name: &str, side: Side, amount: &str) -> Result<Action, String> {
    let (at, amount) = (saved_pose(editor, name)?, number(amount)? as f32);
    Ok(Action::Poses(LibraryAction::Apply { at, side, amount }))
}

/// A pose: `BONE rotation X Y Z` in degrees, `BONE position X Y Z`, `BONE scale X Y Z` or `BONE VALUE X` with the name of a morph
/// target or property, once or several times.
fn pose(editor: &Editor, args: &[&str]) -> Result<Change, String> {
    let part = |part: &[&str]| match part {
        [name, what, x, y, z] => {
            let bone = bone(editor, name)?;
            let values = Vec3::new(number(x)? as f32, number(y)? as f32, number(z)? as f32);
            let channel = channel(editor, bone, what)?;
            let value = match channel {
                Channel::Rotation => {
                    let order = editor.model().map_or_else(EulerOrder::default, |model| readings::order(model, bone));
                    Vec4::from(euler::rotation(values, order))
                }
                _ => values.extend(0.0),
            };
            Ok(Posed { bone, channel, value })
        }
        [name, what, x] => {
            let bone = bone(editor, name)?;
            Ok(Posed { bone, channel: channel(editor, bone, what)?, value: Vec4::X * number(x)? as f32 })
        }
        _ => Err("expected a bone, a channel and three numbers, or one for a value".to_owned()),
    };
    let (mut rest, mut posed) = (args, Vec::new());
    while !rest.is_empty() {
        let is_value = |name: &str, what: &str| {
            let channel = bone(editor, name).and_then(|bone| channel(editor, bone, what));
            channel.is_ok_and(|channel| channel.scalar().is_some())
        };
        let width = if matches!(rest, [name, what, ..] if is_value(name, what)) { 3 } else { 5 };
        let (first, others) = rest.split_at(width.min(rest.len()));
        posed.push(part(first)?);
        rest = others;
    }
    Ok(Change::Pose(posed))
}

fn keys_action(times: KeyTimes, original: Original) -> Action {
    Action::Document(DocumentAction::Edit {
        label: "Move keys".into(),
        change: Change::Keys(KeysChange { original, ..KeysChange::new(times) }),
    })
}

fn mouse(args: &[&str]) -> Result<Action, String> {
    let [what, x, y, held @ ..] = args else { return Err("expected a mouse event, x and y".to_owned()) };
    let kind = match *what {
        "move" => PointerKind::Moved,
        "press" => PointerKind::Pressed,
        "release" => PointerKind::Released,
        "double-click" => PointerKind::DoubleClicked,
        "right-click" => PointerKind::MenuClicked,
        "leave" => PointerKind::Exited,
        other => {
            return Err(format!(
                "unknown mouse event {other}: expected move, press, release, double-click, right-click or leave"
            ));
        }
    };
    let held = modifiers(held);
    Ok(Action::Gesture(GestureAction::Pointer(PointerEvent {
        kind,
        pixel: Vec2::new(number(x)? as f32, number(y)? as f32),
        held,
    })))
}

fn modal_keys(keys: &[&str]) -> Result<Vec<Action>, String> {
    let key = |word: &str| -> Result<Vec<ModalKey>, String> {
        Ok(match word {
            "enter" => vec![ModalKey::Confirm],
            "esc" => vec![ModalKey::Cancel],
            "backspace" => vec![ModalKey::Backspace],
            "G" => vec![ModalKey::Switch(TransformKind::Move)],
            "R" => vec![ModalKey::Switch(TransformKind::Rotate)],
            "S" => vec![ModalKey::Switch(TransformKind::Scale)],
            "E" => vec![ModalKey::Switch(TransformKind::Reach)],
            "add-joint" => vec![ModalKey::AddJoint],
            "remove-joint" => vec![ModalKey::RemoveJoint],
            word => match word.strip_prefix("shift+").and_then(|axis| Axis::from_letter(axis.chars().next()?)) {
                Some(axis) => vec![ModalKey::Plane(axis)],
                None => word.chars().map(modal_letter).collect::<Result<_, String>>()?,
            },
        })
    };
    let keys: Vec<_> = keys.iter().map(|word| key(word)).collect::<Result<_, String>>()?;
    Ok(keys.into_iter().flatten().map(|it| Action::Gesture(GestureAction::Modal(it))).collect())
}

/// Keys for a duration that is being typed: every letter is part of it.
fn typed_keys(words: &[&str]) -> Vec<Action> {
    let keys = |word: &&str| match *word {
        "enter" => vec![ModalKey::Confirm],
        "esc" => vec![ModalKey::Cancel],
        "backspace" => vec![ModalKey::Backspace],
        word => word.chars().map(ModalKey::Char).collect(),
    };
    words.iter().flat_map(keys).map(|it| Action::Gesture(GestureAction::Modal(it))).collect()
}

fn modal_letter(letter: char) -> Result<ModalKey, String> {
    match letter {
        '0'..='9' | '.' | '-' => Ok(ModalKey::Char(letter)),
        letter => Axis::from_letter(letter)
            .map(ModalKey::Axis)
            .ok_or_else(|| format!("{letter} has no meaning during a transform")),
    }
}

fn struck(editor: &Editor, stroke: &str, scope: Scope) -> Result<Action, String> {
    let stroke: Stroke = stroke.parse()?;
    let command = editor.session.workspace.bindings.find(stroke, scope);
    command.map(Action::Run).ok_or_else(|| format!("{stroke} runs no command in that panel"))
}
