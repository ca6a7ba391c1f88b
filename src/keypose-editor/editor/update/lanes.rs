//! The lanes of a clip: what hits, what can be hit, cancels.

use glam::Vec3;

use crate::editor::document::edit::ClipEdit;
use crate::editor::session::selection::{ItemKind, VolumePick};
use crate::editor::session::transient::Request;
use crate::editor::state::Editor;
use crate::editor::update::{info, step};
use keypose::anim::skeleton::BoneIndex;
use keypose::anim::time::Time;
use keypose::assets::combat::fitted::{fitted, fitted_held};
use keypose::assets::combat::frame_data::ticks_of;
use keypose::assets::combat::{Cancel, Contact, Hit, Hurt, LaneKind, Lanes, Range, Volume};
use keypose::assets::fit::fit;
use keypose::assets::id::ClipId;
use keypose::assets::model::Socket;

/// The ticks of a new range.
const NEW_TICKS: i64 = 4;
/// The radius of a new volume, as a fraction of the height of the model.
const NEW_RADIUS: f32 = 0.08;

/// Selects a range of the open clip.
pub fn pick(editor: &mut Editor, range: Option<(LaneKind, usize)>) {
    let lanes = open_lanes(editor).map(|(_, lanes)| lanes).unwrap_or_default();
    let selection = &mut editor.session.focus.selection;
    selection.range = range.filter(|&(lane, at)| at < lanes.ranges(lane).len());
    if selection.range.is_some() {
        selection.kind = ItemKind::Ranges;
        selection.volume = volume_in(&lanes, selection.range, selection.volume);
    }
}

/// The volume of a range that is selected with it: the one of the same place as before, otherwise the first.
fn volume_in(lanes: &Lanes, range: Option<(LaneKind, usize)>, before: Option<VolumePick>) -> Option<VolumePick> {
    let count = match range? {
        (LaneKind::Hits, hit) => lanes.hits.get(hit)?.volumes.len(),
        (LaneKind::Hurts, hurt) => usize::from(lanes.hurts.get(hurt)?.replaced.is_some()),
        (LaneKind::Cancels | LaneKind::Invulnerable | LaneKind::Contacts, _) => 0,
    };
    let kept = before.filter(|pick| matches!(pick, VolumePick::OfRange(at) if *at < count));
    kept.or((count > 0).then_some(VolumePick::OfRange(0)))
}

/// Adds a range of some ticks at the playhead, and selects it.
pub fn add(editor: &mut Editor, lane: LaneKind) {
    let Some((clip, mut lanes)) = open_lanes(editor) else { return };
    let Some(range) = new_range(editor, lane, &lanes) else {
        return info(editor, "The clip ends before the playhead, so no range can be added here.");
    };
    let label = match lane {
        LaneKind::Hits => {
            let volumes: Vec<Volume> = striking_volume(editor).into_iter().collect();
            lanes.hits.push(Hit { range, volumes, ..Hit::default() });
            "Add hit"
        }
        LaneKind::Hurts => {
            let Some(volume) = nearest_hurt(editor) else { return };
            lanes.hurts.push(Hurt { range, volume, replaced: None });
            "Switch off hurt volume"
        }
        LaneKind::Cancels => {
            lanes.cancels.push(Cancel { range, ..Cancel::default() });
            "Add cancel"
        }
        LaneKind::Invulnerable => {
            lanes.invulnerable.push(range);
            "Add invulnerable range"
        }
        LaneKind::Contacts => {
            let active = editor.session.focus.selection.active_bone();
            let Some(bone) = active.and_then(|bone| editor.model()?.skeleton.get(bone)) else { return };
            lanes.contacts.push(Contact { range, bone: bone.name.clone() });
            "Add contact"
        }
    };
    set(editor, label, clip, lanes, Some(lane));
    editor.session.transient.requests.push(Request::ShowInspector);
}

/// Deletes the selected range.
pub fn delete(editor: &mut Editor) {
    let Some((clip, mut lanes)) = open_lanes(editor) else { return };
    let Some((lane, at)) = editor.session.focus.selection.range else { return };
    if lanes.remove(lane, at) {
        set(editor, "Delete range", clip, lanes, None);
    }
}

/// Duplicates the selected range behind itself.
pub fn duplicate(editor: &mut Editor) {
    let Some((clip, mut lanes)) = open_lanes(editor) else { return };
    let Some((lane, at)) = editor.session.focus.selection.range else { return };
    match lane {
        LaneKind::Hits => lanes.hits.extend(lanes.hits.get(at).cloned()),
        LaneKind::Hurts => lanes.hurts.extend(lanes.hurts.get(at).cloned()),
        LaneKind::Cancels => lanes.cancels.extend(lanes.cancels.get(at).cloned()),
        LaneKind::Invulnerable => lanes.invulnerable.extend(lanes.invulnerable.get(at).copied()),
        LaneKind::Contacts => lanes.contacts.extend(lanes.contacts.get(at).cloned()),
    }
    let last = lanes.ranges(lane).len().saturating_sub(1);
    let Some(range) = lanes.range_mut(lane, last) else { return };
    let length = range.end - range.start;
    *range = Range { start: range.end, end: (range.end + length).min(Time::LONGEST) };
    set(editor, "Duplicate range", clip, lanes, Some(lane));
}

/// The open clip and its lanes.
fn open_lanes(editor: &Editor) -> Option<(ClipId, Lanes)> {
    let (slot, model) = editor.clip().zip(editor.model())?;
    Some((slot.id, model.combat.lanes_of(slot.id)))
}

/// Sets the lanes as a step of its own, then selects the range that is last in one of them.
fn set(editor: &mut Editor, label: &'static str, clip: ClipId, mut lanes: Lanes, added_to: Option<LaneKind>) {
    let found = added_to.and_then(|lane| {
        let last = lanes.ranges(lane).len().checked_sub(1)?;
        Some((lane, lanes.sort_following(lane, last)?))
    });
    step(editor, label, ClipEdit::SetLanes { clip, lanes: Box::new(lanes) });
    pick(editor, found);
}

/// Some ticks from the playhead on, at most to the end of the clip. `None` if the clip ends before. A cancel takes the rest of the clip,
/// from the end of the last hit on if the playhead is before that.
fn new_range(editor: &Editor, lane: LaneKind, lanes: &Lanes) -> Option<Range> {
    let end = ticks_of(editor.clip()?.clip.length());
    let first = editor.session.focus.playhead.time.0.div_euclid(Time::TICK.0).max(0);
    if lane == LaneKind::Cancels && first < end {
        let hits_end = lanes.hits.iter().map(|hit| hit.range.ticks().end).max();
        return Some(Range::of_ticks(hits_end.filter(|hits| *hits < end).unwrap_or(first).max(first), end));
    }
    (first < end).then(|| Range::of_ticks(first, (first + NEW_TICKS).min(end)))
}

/// A volume on the active bone: around its part of the mesh, or a sphere if it has none.
pub fn new_volume(editor: &Editor) -> Option<Volume> {
    volume_on(editor, editor.session.focus.selection.active_bone()?)
}

/// The volume of a new hit: around the model that the active bone or a bone below it holds, such as a sword; else on the active bone.
/// With no active bone it is the first thing held.
fn striking_volume(editor: &Editor) -> Option<Volume> {
    let model = editor.model()?;
    let active = editor.session.focus.selection.active_bone();
    let is_of_limb = |bone: BoneIndex| active.is_none_or(|active| model.skeleton.is_below(bone, active));
    let holds = |socket: &&Socket| !socket.attached.is_empty() && is_of_limb(socket.bone);
    let held = model.sockets.iter().find(holds).map(|socket| socket.bone);
    volume_on(editor, held.or(active)?)
}

fn volume_on(editor: &Editor, bone: BoneIndex) -> Option<Volume> {
    let (model, at) = (editor.model()?, usize::from(bone));
    let name = &model.skeleton.get(bone)?.name;
    let fitted = fitted_held(model, at, &editor.document.models).or_else(|| fitted(model, at));
    let fitted = fitted.map(|volume| Volume { name: "1".to_owned(), ..volume });
    let sphere = || Volume::sphere("1", name.clone(), Vec3::ZERO, fit(model).height * NEW_RADIUS);
    Some(fitted.unwrap_or_else(sphere))
}

/// The hurt volume on the active bone, else the first one.
fn nearest_hurt(editor: &Editor) -> Option<String> {
    let model = editor.model()?;
    let active = editor.session.focus.selection.active_bone().and_then(|bone| model.skeleton.get(bone));
    let on_active = active.and_then(|bone| model.combat.hurt.iter().find(|volume| volume.bone == bone.name));
    on_active.or(model.combat.hurt.first()).map(|volume| volume.name.clone())
}
