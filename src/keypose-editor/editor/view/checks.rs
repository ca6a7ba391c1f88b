//! The results of the clip check. After an edit, only changed clips are checked again. The work is spread over frames, and the app
//! checks large clips in another thread; until a clip is checked again, its previous findings are shown.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::editor::view::cache::Deferred;
use crate::editor::view::root_speed::{Proportions, RootSpeeds};
use crate::render::frame::bounds::Shape;
use keypose::anim::clip::Clip;
use keypose::assets::clip_event::Names;
use keypose::assets::combat::Lanes;
use keypose::assets::id::ClipId;
use keypose::assets::model::{ClipSlot, Model};
use keypose::assets::rig_notes::RigNotes;
use keypose_tools::clip_check::{Finding, Footing, Group, Subject, check, groups};

/// The number of keys that are checked per frame; at least one clip is.
const KEYS_A_FRAME: usize = 1500;

/// A clip with more keys is checked by the app, if it defers checks: that takes longer than a frame.
const DEFERRED_KEYS: usize = 2 * KEYS_A_FRAME;

/// A clip and its findings.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The id of the clip.
    pub id: ClipId,
    /// The clip as it is now.
    pub clip: Arc<Clip>,
    /// The findings, most severe first.
    pub findings: Arc<[Finding]>,
    /// The findings in groups, most severe first.
    pub groups: Arc<[Group]>,
    lanes: Lanes,
    footing: Footing,
    is_due: bool,
    /// Whether the clip was checked before.
    is_known: bool,
}

impl Checked {
    /// A clip that wasn't checked yet.
    fn unknown(slot: &ClipSlot) -> Checked {
        Checked {
            id: slot.id,
            clip: slot.clip.clone(),
            findings: Arc::default(),
            groups: Arc::default(),
            lanes: Lanes::default(),
            footing: Footing::Ground,
            is_due: true,
            is_known: false,
        }
    }

    fn advance(&mut self, subject: &Subject) {
        self.findings = check(subject, (&self.clip, &self.lanes), self.footing).into();
        self.groups = groups(subject, &self.findings).into();
        (self.is_due, self.is_known) = (false, true);
    }

    fn keys(&self) -> usize {
        self.clip.keyframes.iter().map(|keyframe| keyframe.keys.len()).sum()
    }

    /// Whether a check of the other finds the same in this one.
    fn is_same(&self, other: &Checked) -> bool {
        Arc::ptr_eq(&self.clip, &other.clip) && self.footing == other.footing && self.lanes == other.lanes
    }
}

/// A clip that the app checks in another thread.
#[derive(Clone, Debug)]
pub struct ToCheck {
    checked: Checked,
    subject: Arc<Subject>,
}

impl ToCheck {
    /// Checks the clip.
    pub fn check(mut self) -> ToCheck {
        self.checked.advance(&self.subject);
        self
    }
}

/// Which clips are to be checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// This clip alone.
    One(ClipId),
    /// All clips, this one first.
    All(Option<ClipId>),
}

impl Wanted {
    /// The order in which a clip is checked; `None` if it isn't.
    fn order(self, id: ClipId) -> Option<bool> {
        match self {
            Wanted::One(wanted) => (wanted == id).then_some(false),
            Wanted::All(first) => Some(first != Some(id)),
        }
    }
}

/// The clips of the active model.
#[derive(Clone, Debug, Default)]
pub struct Checks {
    model: Option<Arc<Model>>,
    /// The names that events may have.
    names: Names,
    subject: Option<Arc<Subject>>,
    clips: Vec<Checked>,
    deferred: Deferred<ToCheck>,
}

impl Checks {
    /// The clips in order, with their findings.
    pub fn clips(&self) -> &[Checked] {
        &self.clips
    }

    /// The number of clips that are still to be checked.
    pub fn due(&self) -> usize {
        self.clips.iter().filter(|clip| clip.is_due).count()
    }

    /// A clip with its findings; `None` until it is checked.
    pub fn of(&self, id: ClipId) -> Option<&Checked> {
        self.clips.iter().find(|checked| checked.id == id && checked.is_known)
    }

    /// From now on, large clips are checked by the app.
    pub fn defer(&self) {
        self.deferred.turn_on();
    }

    /// The large clip that a frame wanted last, if checks are deferred: the app checks it and answers with [`Checks::put`].
    pub fn take_wanted(&self) -> Option<ToCheck> {
        self.deferred.take()
    }

    /// Takes the findings of a clip. If it changed meanwhile, they are shown until it is checked again.
    pub fn put(&mut self, done: ToCheck) {
        let ToCheck { checked, subject } = done;
        self.deferred.leave(None);
        if !self.subject.as_ref().is_some_and(|known| Arc::ptr_eq(known, &subject)) {
            return;
        }
        if let Some(known) = self.clips.iter_mut().find(|known| known.id == checked.id) {
            known.is_due &= !known.is_same(&checked);
            (known.findings, known.groups, known.is_known) = (checked.findings, checked.groups, true);
        }
    }

    /// Takes the current model and measures it, if it isn't measured. Returns true if it did: a frame that shows a new model does no more.
    pub fn prepare(&mut self, model: &Arc<Model>, names: Names, known: &RootSpeeds) -> bool {
        if self.names != names {
            // Events of any clip may refer to new or deleted names.
            (self.names, self.subject) = (names, None);
            self.clips.iter_mut().for_each(|checked| checked.is_due = true);
        }
        if !self.model.as_ref().is_some_and(|known| Arc::ptr_eq(known, model)) {
            let counts = |rig: &RigNotes| (rig.limits.clone(), rig.masses.clone(), rig.gravity);
            if self.model.as_ref().is_some_and(|known| counts(&known.rig) != counts(&model.rig)) {
                self.subject = None;
                self.clips.iter_mut().for_each(|checked| checked.is_due = true);
            }
            self.take(model);
        }
        let is_new = self.subject.is_none();
        self.subject.get_or_insert_with(|| {
            let Proportions { fit, bones, volumes } = known.proportions(model);
            Arc::new(Subject::with(model, fit, bones.to_vec(), volumes).naming(self.names.clone()))
        });
        is_new
    }

    /// Takes the current model and checks some of its changed clips. Returns true if it did, or if some are left for the next frame.
    pub fn advance(&mut self, model: &Arc<Model>, names: Names, wanted: Wanted, known: &RootSpeeds) -> bool {
        self.prepare(model, names, known);
        let Some(subject) = &self.subject else { return false };
        let mut due: Vec<(bool, &mut Checked)> = self
            .clips
            .iter_mut()
            .filter(|checked| checked.is_due)
            .filter_map(|checked| Some((wanted.order(checked.id)?, checked)))
            .collect();
        due.sort_by_key(|(order, _)| *order);
        let is_deferred = |checked: &Checked| self.deferred.is_on() && checked.keys() > DEFERRED_KEYS;
        let (beside, due): (Vec<_>, Vec<_>) = due.into_iter().partition(|(_, checked)| is_deferred(checked));
        let to_check = |checked: &Checked| ToCheck { checked: checked.clone(), subject: subject.clone() };
        self.deferred.leave(beside.first().map(|(_, checked)| to_check(checked)));
        let has_work = !due.is_empty();
        let mut left = KEYS_A_FRAME;
        for (_, checked) in due {
            checked.advance(subject);
            left = left.saturating_sub(checked.keys().max(KEYS_A_FRAME / 8));
            if left == 0 {
                break;
            }
        }
        has_work
    }

    /// Keeps the findings of unchanged clips.
    fn take(&mut self, model: &Arc<Model>) {
        let is_same_subject =
            |known: &Model| Shape::of(known) == Shape::of(model) && known.combat.hurt == model.combat.hurt;
        let is_known = self.model.as_ref().is_some_and(|known| is_same_subject(known));
        if !is_known {
            self.subject = None;
            self.clips.clear();
        }
        let mut before: BTreeMap<ClipId, Checked> = self.clips.drain(..).map(|checked| (checked.id, checked)).collect();
        for slot in &model.clips {
            let lanes = model.combat.lanes_of(slot.id);
            let now = Checked { footing: Footing::of(model, &slot.clip.name), lanes, ..Checked::unknown(slot) };
            self.clips.push(match before.remove(&slot.id) {
                Some(known) if known.is_same(&now) => known,
                Some(Checked { findings, groups, is_known, .. }) => Checked { findings, groups, is_known, ..now },
                None => now,
            });
        }
        self.model = Some(model.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;
    use keypose::anim::clip::{Keyframe, LoopMode};
    use keypose::anim::key::Key;
    use keypose::anim::skeleton::{Bone, Skeleton};
    use keypose::anim::time::Time;
    use keypose::anim::transform::Transform;

    fn clip(name: &str, bone: u16) -> Arc<Clip> {
        let keys = vec![Key::translation(bone, Vec3::ZERO)];
        let keyframes = vec![Keyframe { duration: Time::SECOND, keys: keys.into(), ..Keyframe::default() }];
        Arc::new(Clip { keyframes: keyframes.into(), loop_mode: LoopMode::Loop, ..Clip::new(name) })
    }

    fn model(clips: Vec<Arc<Clip>>) -> Model {
        let bone = Bone { name: "root".into(), parent: None, rest: Transform::IDENTITY };
        let slots = clips.into_iter().enumerate().map(|(at, clip)| ClipSlot { id: ClipId(at as u32), clip });
        let skeleton = Arc::new(Skeleton::new(vec![bone]).unwrap());
        Model { skeleton, clips: slots.collect(), ..Model::default() }
    }

    fn advance(checks: &mut Checks, model: &Arc<Model>, wanted: Wanted) -> bool {
        let names = Names::of(model, std::slice::from_ref(model), &[]);
        checks.advance(model, names, wanted, &RootSpeeds::default())
    }

    fn counts(checks: &Checks) -> Vec<usize> {
        checks.clips().iter().map(|checked| checked.findings.len()).collect()
    }

    #[test]
    fn an_edit_looks_at_the_clips_that_it_changed_alone() {
        let first = Arc::new(model(vec![clip("a", 0), clip("b", 9)]));
        let mut checks = Checks::default();
        assert!(advance(&mut checks, &first, Wanted::All(None)));
        assert!(!advance(&mut checks, &first, Wanted::All(None)), "nothing is left");
        assert_eq!(counts(&checks), [0, 1]);
        let kept = checks.clips()[1].findings.clone();
        let mut second = Model::clone(&first);
        second.clips[0].clip = clip("a", 5);
        advance(&mut checks, &Arc::new(second), Wanted::All(None));
        assert_eq!(counts(&checks), [1, 1]);
        assert!(Arc::ptr_eq(&kept, &checks.clips()[1].findings));
    }

    #[test]
    fn the_open_clip_is_checked_alone_or_first() {
        let many = Arc::new(model((0..100).map(|at| clip(&format!("clip {at}"), 3)).collect()));
        let mut checks = Checks::default();
        assert!(advance(&mut checks, &many, Wanted::One(ClipId(70))));
        assert_eq!((checks.due(), checks.of(ClipId(70)).unwrap().findings.len()), (99, 1));
        assert!(checks.of(ClipId(71)).is_none());
        assert!(!advance(&mut checks, &many, Wanted::One(ClipId(70))));
        advance(&mut checks, &many, Wanted::All(Some(ClipId(90))));
        assert!(checks.of(ClipId(90)).is_some());
    }

    #[test]
    fn a_large_clip_is_wanted_until_the_app_has_checked_it() {
        let large = |name: &str, bone: u16| {
            let keys = (0..=DEFERRED_KEYS as u16).map(|at| Key::translation(at.max(bone), Vec3::ZERO)).collect();
            let keyframes = [Keyframe { duration: Time::SECOND, keys, ..Keyframe::default() }].into_iter().collect();
            Arc::new(Clip { keyframes, ..Clip::new(name) })
        };
        let first = Arc::new(model(vec![clip("small", 9), large("large", 9)]));
        let mut checks = Checks::default();
        checks.defer();
        assert!(advance(&mut checks, &first, Wanted::All(None)), "the small one");
        assert!(!advance(&mut checks, &first, Wanted::All(None)), "no frame waits for the large one");
        assert_eq!((checks.due(), counts(&checks)), (1, vec![1, 0]));
        let asked = checks.take_wanted().unwrap();
        assert!(checks.take_wanted().is_none());
        let mut second = Model::clone(&first);
        second.clips[1].clip = large("large", 20);
        let second = Arc::new(second);
        advance(&mut checks, &second, Wanted::All(None));
        checks.put(asked.check());
        let stale = counts(&checks);
        assert!(stale[1] > 0 && checks.due() == 1, "shown, and checked again");
        assert!(!advance(&mut checks, &second, Wanted::All(None)));
        let asked = checks.take_wanted().unwrap();
        checks.put(asked.check());
        assert!(counts(&checks)[1] > 0 && checks.due() == 0 && !advance(&mut checks, &second, Wanted::All(None)));
        assert!(checks.take_wanted().is_none());
    }

    #[test]
    fn many_clips_take_many_frames() {
        let many = Arc::new(model((0..100).map(|at| clip(&format!("clip {at}"), 3)).collect()));
        let mut checks = Checks::default();
        assert!(advance(&mut checks, &many, Wanted::All(None)));
        assert!(checks.due() > 50 && checks.due() < 100);
        while advance(&mut checks, &many, Wanted::All(None)) {}
        assert_eq!(counts(&checks), [1; 100]);
    }
}
