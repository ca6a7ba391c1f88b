//! Drawing the path of a bone: the keyframes of a range are posed so that the bone follows the stroke, evenly over time.

use std::sync::Arc;

use glam::{Vec2, Vec3};

use crate::editor::document::edit::KeyEdit;
use crate::editor::gesture::Drag;
use crate::editor::gesture::ik::LimbDrag;
use crate::editor::gesture::screen::Screen;
use crate::editor::ops::pose::model_pose;
use crate::editor::ops::posed::Posed;
use crate::editor::ops::stroke::Stroke;
use crate::editor::posing::change::Change;
use crate::editor::posing::keying::keys_as_seen;
use crate::editor::session::Session;
use crate::editor::session::pointer::{ModalKey, PointerEvent, PointerKind};
use crate::editor::session::switch::Switch;
use crate::editor::view::View;
use keypose::anim::clip::LoopMode;
use keypose::anim::key::{Channel, Ease};
use keypose::anim::skeleton::BoneIndex;
use keypose::anim::time::Time;
use keypose::assets::model::{ClipSlot, Model};
use keypose_tools::exact_poses::ExactPoses;

/// A stroke of fewer points of the display than this is a click.
const MIN_STROKE: f32 = 12.0;
/// Ends that are nearer than this, in points of the display, close the path of a loop.
const CLOSED: f32 = 16.0;

/// The keyframes in which a bone follows a path.
#[derive(Clone, Debug)]
pub struct PathRange {
    model: Arc<Model>,
    slot: ClipSlot,
    ease: Ease,
    bone: BoneIndex,
    /// In order; at least two.
    starts: Vec<PathStart>,
    /// The length of the clip, if the range is all of a loop.
    pub loop_length: Option<Time>,
}

/// A keyframe before the path.
#[derive(Clone, Debug)]
struct PathStart {
    time: Time,
    /// The bone's origin in model space.
    head: Vec3,
    mover: Mover,
}

/// How a bone is moved.
#[derive(Clone, Debug)]
enum Mover {
    /// By IK of its limb.
    Limb(Box<LimbDrag>),
    /// By its translation: its value, and what a unit in model space is in its parent's.
    Translation(Vec3, glam::Mat4),
}

impl PathRange {
    /// The active bone in the selected keyframes, or else in those of the loop section, or else in all of the clip.
    pub fn new(view: &View, session: &Session) -> Result<PathRange, &'static str> {
        let bone = session.focus.selection.active_bone().ok_or("Select a bone first.")?;
        let (Some(model), Some(id), Some(clip)) = (&view.model, view.clip_id, &view.clip) else {
            return Err("Open a clip first, or press N for a new one.");
        };
        let all: Vec<Time> = clip.starts().collect();
        let times = range(&all, clip.length(), session);
        if times.len() < 2 {
            return Err("A path needs at least two keyframes.");
        }
        let poses = ExactPoses::new(&model.skeleton, clip);
        let start = |&time: &Time| PathStart::new(model, session, &poses, bone, time);
        Ok(PathRange {
            model: model.clone(),
            slot: ClipSlot { id, clip: clip.clone() },
            ease: session.workspace.new_ease,
            bone,
            starts: times.iter().map(start).collect(),
            loop_length: (clip.loop_mode == LoopMode::Loop && times.len() == all.len()).then(|| clip.length()),
        })
    }

    /// The keys with which the bone is at a place in each keyframe. `place` gets the part of the range, 0 to 1, and the position
    /// of the bone before. A closed path ends where the loop does, an open one at the last keyframe.
    pub fn change(&self, is_closed: bool, place: impl Fn(f32, Vec3) -> Vec3) -> Change {
        let [first, last] = [0, self.starts.len() - 1].map(|at| self.starts[at].time);
        let end = self.loop_length.filter(|_| is_closed).unwrap_or(last);
        let keyed = |start: &PathStart| {
            let target = place((start.time - first).fraction_of(end - first) as f32, start.head);
            keys_as_seen(&self.model, &self.slot, start.time, self.ease, &start.moved(self.bone, target))
        };
        let keyed: Vec<_> = self.starts.iter().map(keyed).collect();
        let clip = keyed[0].0;
        let keys = keyed.into_iter().flat_map(|(_, keys)| keys).collect();
        Change::Edits(vec![KeyEdit::KeysAt { clip, keys }.into()])
    }
}

/// The times of the keyframes that a path is for.
fn range(all: &[Time], length: Time, session: &Session) -> Vec<Time> {
    let selected = &session.focus.selection.keyframes;
    if selected.len() > 1 {
        return selected.iter().filter_map(|&keyframe| all.get(keyframe).copied()).collect();
    }
    // A section ends where the next keyframe starts, unless it is the one that closes the clip.
    let section = session.focus.playhead.loop_section;
    let is_in =
        |time: &&Time| section.is_none_or(|(from, to)| (from..to).contains(*time) || (**time == to && to == length));
    all.iter().filter(is_in).copied().collect()
}

impl PathStart {
    fn new(model: &Arc<Model>, session: &Session, poses: &ExactPoses<'_>, bone: BoneIndex, time: Time) -> PathStart {
        let mut local = model.skeleton.rest_pose();
        poses.local(time, &mut local);
        let pose = model_pose(&model.skeleton, &local);
        let keeps = session.is_on(Switch::KeepEndRotation);
        let translation = local.get(usize::from(bone)).translation;
        let limb = LimbDrag::new(model.clone(), local, &[bone], session.workspace.chain_joints, keeps);
        let mover = if limb.has(bone) {
            Mover::Limb(Box::new(limb))
        } else {
            let parent = model.skeleton.parent(bone).map(|parent| pose.get(parent).to_mat4()).unwrap_or_default();
            Mover::Translation(translation, parent.inverse())
        };
        PathStart { time, head: pose.get(bone).translation(), mover }
    }

    /// The pose in which the bone is at a place, or as near as its limb reaches.
    fn moved(&self, bone: BoneIndex, place: Vec3) -> Vec<Posed> {
        let offset = place - self.head;
        let posed = match &self.mover {
            Mover::Limb(limb) => limb.moved(offset),
            Mover::Translation(from, parent_from_model) => {
                let value = (*from + parent_from_model.transform_vector3(offset)).extend(0.0);
                vec![Posed { bone, channel: Channel::Translation, value }]
            }
        };
        posed.into_iter().filter(|posed| posed.value.is_finite()).collect()
    }
}

/// A path that is drawn.
#[derive(Clone, Debug)]
pub struct PathDrag {
    range: PathRange,
    name: String,
    /// The pixels under the mouse since the button is down.
    pixels: Vec<Vec2>,
    is_drawing: bool,
    pixels_per_point: f32,
}

impl PathDrag {
    /// Waits for a stroke.
    pub fn new(range: PathRange, pixels_per_point: f32) -> PathDrag {
        let name = range.model.skeleton.get(range.bone).map(|bone| bone.name.clone()).unwrap_or_default();
        PathDrag { range, name, pixels: Vec::new(), is_drawing: false, pixels_per_point: pixels_per_point.max(0.5) }
    }

    /// Handles the mouse: the stroke is drawn while the button is down.
    pub fn pointer(&mut self, session: &Session, event: &PointerEvent) -> Drag {
        match event.kind {
            PointerKind::Pressed | PointerKind::DoubleClicked => {
                (self.pixels, self.is_drawing) = (vec![event.pixel], true);
                Drag::Ignore
            }
            PointerKind::Moved if self.is_drawing => {
                self.pixels.push(event.pixel);
                Drag::Preview(self.change(session))
            }
            PointerKind::Released if self.is_drawing => {
                self.is_drawing = false;
                if self.is_long() { Drag::Commit } else { Drag::Refuse("Drag to draw the path.".into()) }
            }
            PointerKind::Moved | PointerKind::Released | PointerKind::Exited | PointerKind::MenuClicked => Drag::Ignore,
        }
    }

    /// Handles a key of the keyboard.
    pub fn key(&mut self, key: ModalKey) -> Drag {
        if key == ModalKey::Cancel { Drag::Cancel } else { Drag::Ignore }
    }

    /// The status line.
    pub fn status(&self) -> String {
        let (name, count) = (&self.name, self.range.starts.len());
        let closes = if self.is_closed() { " · closed" } else { "" };
        format!("Draw the path of {name} · {count} keyframes{closes}     Esc  cancel")
    }

    /// The pixels of the smoothed stroke.
    pub fn line(&self) -> Vec<Vec2> {
        let stroke = self.stroke();
        stroke.iter().flat_map(|stroke| &stroke.points).map(|point| point.truncate()).collect()
    }

    /// The whole change since the start. The bone stays as far from the viewer as it is in each keyframe.
    fn change(&self, session: &Session) -> Change {
        let (screen, stroke) = (Screen::of(session), self.stroke());
        let Some(stroke) = stroke.filter(|_| self.is_long()) else { return Change::Edits(Vec::new()) };
        let place = |part: f32, head: Vec3| {
            let pixel = stroke.at(part).truncate();
            screen.in_view_plane(pixel, head).unwrap_or(head)
        };
        self.range.change(self.is_closed(), place)
    }

    fn stroke(&self) -> Option<Stroke> {
        let points: Vec<Vec3> = self.pixels.iter().map(|pixel| pixel.extend(0.0)).collect();
        Stroke::new(&points, self.is_closed())
    }

    /// Whether the ends of a stroke over a loop meet.
    fn is_closed(&self) -> bool {
        let ends = self.pixels.first().zip(self.pixels.last());
        let gap = CLOSED * self.pixels_per_point;
        let meets = ends.is_some_and(|(first, last)| first.distance(*last) <= gap && self.length() > 4.0 * gap);
        self.range.loop_length.is_some() && meets
    }

    fn is_long(&self) -> bool {
        self.length() >= MIN_STROKE * self.pixels_per_point
    }

    fn length(&self) -> f32 {
        self.pixels.windows(2).map(|pair| pair[0].distance(pair[1])).sum()
    }
}
