//! The dispatcher: one arm per action, one line per arm; what they do stands in the files beside it.

use crate::editor::commands;
use crate::editor::ops::limb::MAX_JOINTS;
use crate::editor::posing::change::Change;
use crate::editor::session::Recovered;
use crate::editor::session::display::ShownPose;
use crate::editor::session::notice::{Notice, NoticeKind};
use crate::editor::session::shortcuts::Bindings;
use crate::editor::session::switch::Switch;
use crate::editor::state::Editor;
use crate::editor::state::action::Action;
use crate::editor::state::effect::{Ask, Effect};
use crate::editor::state::first_steps;

mod bench;
mod blend;
pub mod blocks;
pub mod clips;
mod clipsel;
pub mod files;
pub mod gesture;
mod library;
pub mod looks;
pub mod machine;
pub mod pose;
mod preferences;
pub mod seeing;
pub mod select;
pub mod timeline;
pub mod timing;
pub mod transaction;

/// Does what was asked.
pub fn update(editor: &mut Editor, action: Action, effects: &mut Vec<Effect>) {
    if matches!(action, Action::Begin { .. } | Action::Edit { .. } | Action::Save | Action::SaveAs(None)) {
        // Whoever goes on working does not want to quit any more once a save is done.
        editor.session.transient.after_save = None;
    }
    if machine::ends_preview(&action) {
        editor.session.focus.machine.preview = None;
        editor.session.transient.blend = None;
    }
    if bench::ends(&action) {
        editor.session.transient.bench = None;
    }
    if clipsel::ends_shown_pose(&action) {
        editor.session.workspace.display.pose = ShownPose::Clip;
    }
    match action {
        Action::Tick(passed) => tick(editor, passed),
        Action::Edit { label, change } => transaction::edit(editor, label, &change, effects),
        Action::Begin { label } => transaction::begin(editor, label),
        Action::Preview(change) => transaction::preview(editor, &change, effects),
        Action::Commit => transaction::commit(editor),
        Action::Cancel => transaction::cancel(editor),
        Action::Undo => transaction::undo(editor),
        Action::Redo => transaction::redo(editor),
        Action::GoToStep(steps) => transaction::go_to_step(editor, steps),
        Action::KeyPose(what) => pose::key(editor, what, effects),
        Action::DropDraft => pose::drop_draft(editor, effects),
        Action::Time(action) => timing::update(editor, action, effects),
        Action::Copy => pose::copy(editor, effects),
        Action::Paste(side) => pose::paste(editor, side, effects),
        Action::Poses(edit) => library::edit(editor, edit, effects),
        Action::SwapImage(path) => looks::swap_image(editor, path, effects),
        Action::AddReference(path) => looks::add_reference(editor, path, effects),
        Action::DropImage(path) => looks::drop_image(editor, path, effects),
        Action::AnswerDrop(purpose) => looks::answer_drop(editor, purpose, effects),
        Action::ImageRead { place, image } => looks::image_read(editor, &place, image, effects),
        Action::Groups(edit) => select::edit_groups(editor, &edit, effects),
        Action::Machine(action) => machine::act(editor, action, effects),
        Action::Bench(action) => bench::act(editor, action),
        Action::Blend(action) => blend::act(editor, action, effects),
        Action::SetMirrorPair { bone, partner } => select::set_mirror_pair(editor, bone, partner, effects),
        Action::ClearMirrorPair(bone) => select::clear_mirror_pair(editor, bone, effects),
        Action::SetEase(ease) => pose::set_ease(editor, ease, effects),
        Action::SetTangentKind(kind) => pose::set_tangent_kind(editor, kind, effects),
        Action::ClearPose(mask) => pose::clear(editor, mask, effects),
        Action::Run(command) => commands::run(command, editor, effects),
        Action::Loaded { project, origin } => *editor = editor.reopened(*project, &origin),
        Action::LoadedToAdd { project, from } => files::add(editor, *project, &from, effects),
        Action::Saved { document, path, below } => files::saved(editor, document, path, below, effects),
        Action::Notice(kind, text) => notice(editor, kind, text, effects),
        Action::New => files::replace(editor, Action::New, effects),
        Action::Open(None) => effects.push(Effect::AskPath(Ask::Open)),
        Action::Open(Some(path)) => files::replace(editor, Action::Open(Some(path)), effects),
        Action::OpenDemo => files::replace(editor, Action::OpenDemo, effects),
        Action::Import(None) => effects.push(Effect::AskPath(Ask::Import)),
        Action::Import(Some(path)) => effects.push(Effect::Import(path)),
        Action::Save => files::save(editor, effects),
        Action::SaveAs(None) => effects.push(Effect::AskPath(Ask::SaveAs)),
        Action::SaveAs(Some(path)) => files::save_as(editor, path, effects),
        Action::SavePatch(path) => files::save_patch(editor, path, effects),
        Action::ExportPicture(None) => effects.push(Effect::AskPath(Ask::Picture)),
        Action::ExportPicture(Some((path, wish))) => files::export_picture(editor, &path, wish, effects),
        Action::CancelJob => effects.push(Effect::CancelJob),
        Action::PlayTest => files::play_test(editor, effects),
        Action::Quit => files::replace(editor, Action::Quit, effects),
        Action::Answer(answer) => files::answer(editor, answer, effects),
        other => update_session(editor, other, effects),
    }
    preferences::follow_first_steps(editor);
}

/// The actions that change only the session.
fn update_session(editor: &mut Editor, action: Action, effects: &mut Vec<Effect>) {
    let session = &mut editor.session;
    match action {
        Action::SelectModel(model) => clipsel::select_model(editor, model),
        Action::SelectClip(clip) => clipsel::select_clip(editor, clip),
        Action::PickClips(clips) => clipsel::pick_clips(editor, clips),
        Action::SelectBones { bones, pick } => select::bones(editor, &bones, pick),
        Action::SelectKeyframe { keyframe, pick } => select::keyframe(editor, keyframe, pick),
        Action::SelectKeyframesTo(keyframe) => select::keyframes_to(editor, keyframe),
        Action::SelectKeys { keys, pick } => select::keys(editor, &keys, pick),
        Action::PickReference(reference) => session.focus.reference = reference,
        Action::PickMaterial(material) => session.focus.material = material,
        Action::SetFocus(focus) => session.focus.selection.focus = focus,
        Action::Hover(bone) => session.transient.hover = bone,
        Action::RecallSet(number) => select::recall(editor, number),
        Action::StoreSet(number) => select::store(editor, number),
        Action::Seek(time) => clipsel::seek(editor, time),
        Action::SetPlaying(is_playing) => clipsel::set_playing(editor, is_playing),
        Action::SetSpeed(speed) => clipsel::set_speed(editor, speed),
        Action::SetReverse(is_reverse) => session.focus.playhead.is_reverse = is_reverse,
        Action::SetLoopSection(section) => session.focus.playhead.loop_section = section.filter(|(from, to)| from < to),
        Action::SetAutoKey(auto_key) => session.workspace.auto_key = auto_key,
        Action::SetKeyMask(mask) => session.workspace.key_mask = mask,
        Action::SetNewEase(ease) => session.workspace.new_ease = ease,
        Action::SetTool(tool) => session.workspace.tool = tool,
        Action::SetSpace(space) => session.workspace.space = space,
        Action::Toggle(switch) => clipsel::toggle(editor, switch),
        Action::SetShading(shading) => session.workspace.display.shade(shading),
        Action::ShowPose(pose) => clipsel::show_pose(editor, pose),
        Action::Ghosts(edit) => seeing::edit_ghosts(editor, edit),
        Action::SetHidden { bones, is_hidden } => select::set_hidden(editor, &bones, is_hidden),
        Action::SetPinned { bones, is_pinned } => select::set_pinned(editor, &bones, is_pinned),
        Action::SetChain(joints) => session.workspace.chain_joints = joints.clamp(1, MAX_JOINTS),
        Action::Pointer(event) => gesture::pointer(editor, &event, effects),
        Action::StartTransform(kind) => gesture::start_transform(editor, kind, effects),
        Action::StartMix(mix) => pose::mix(editor, mix, effects),
        Action::Modal(key) => gesture::key(editor, key, effects),
        Action::SetViewport { size, pixels_per_point } => clipsel::set_viewport(editor, size, pixels_per_point),
        Action::Orbit(pixels) => session.focus.camera.orbit(pixels),
        Action::Pan(pixels) => session.focus.camera.pan(pixels, session.workspace.viewport),
        Action::Zoom(notches) => session.focus.camera.zoom(notches),
        Action::LookFrom(look) => clipsel::look_from(editor, look),
        Action::FrameSelected => clipsel::frame_selected(editor),
        Action::FrameAll => editor.frame_all(),
        Action::ShowPopup(popup) => session.transient.popup = popup,
        Action::Bind { command, strokes } => session.workspace.bindings.set(command, strokes),
        Action::ResetKeys => session.workspace.bindings = Bindings::default(),
        Action::Prefer(prefer) => preferences::prefer(editor, prefer),
        Action::Await(is_awaiting) => session.transient.is_awaiting = is_awaiting,
        Action::MissingFiles(files) => session.workspace.missing = files.into_iter().collect(),
        Action::ShowFirstSteps(is_shown) => preferences::show_first_steps(editor, is_shown),
        Action::GoToFirstStep(step) => editor.session.workspace.first_steps = Some(first_steps::at(step, editor)),
        Action::Recovered(steps) => session.transient.recovered = Some(Recovered { steps, is_asking: false }),
        Action::KeepRecovered => preferences::keep_recovered(editor),
        Action::DiscardRecovered => preferences::discard_recovered(editor, effects),
        Action::RequestsHandled => session.transient.requests.clear(),
        Action::DismissNotice => session.transient.notice = None,
        // `update` does the rest.
        _ => {}
    }
}

/// Time has passed.
fn tick(editor: &mut Editor, passed: crate::anim::time::Time) {
    machine::tick(editor, passed.secs() as f32);
    blend::tick(editor, passed.secs() as f32);
    if editor.session.is_on(Switch::Turntable) {
        editor.session.focus.camera.turn(passed.secs() as f32);
    }
    if let Some(clip) = editor.clip().map(|slot| slot.clip.clone()) {
        let (repeats, bounces) = (editor.session.is_on(Switch::Repeat), editor.session.is_on(Switch::PingPong));
        (editor.session.focus.playhead.repeats, editor.session.focus.playhead.bounces) = (repeats, bounces);
        editor.session.focus.playhead.tick(passed, &clip);
    }
}

/// Tells something: in the log, and on the screen.
pub fn notice(editor: &mut Editor, kind: NoticeKind, text: impl Into<String>, effects: &mut Vec<Effect>) {
    let notice = Notice { kind, text: text.into() };
    editor.session.workspace.log.push(notice.clone());
    if editor.session.workspace.log.len() > LOG_LINES {
        editor.session.workspace.log.remove(0);
    }
    editor.session.transient.notice = Some(notice.clone());
    effects.push(Effect::Notice(notice));
}

/// Lines of the log that are kept.
const LOG_LINES: usize = 1000;

/// One step of plain edits.
pub fn step(
    editor: &mut Editor,
    label: impl Into<crate::editor::document::edit::Label>,
    edits: Vec<crate::editor::document::edit::Edit>,
    effects: &mut Vec<Effect>,
) {
    transaction::edit(editor, label.into(), &Change::Edits(edits), effects);
}
