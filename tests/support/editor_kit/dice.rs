//! Random actions for the editor: the same for the same seed on every machine.

use std::sync::Arc;

use glam::{Quat, Vec2, Vec3, Vec4};
use keypose::anim::bezier::HERMITE;
use keypose::anim::clip::{Event, Keyframe, KeyframeKind, LoopMode};
use keypose::anim::delay::Delay;
use keypose::anim::key::{Channel, Ease, HandleKind, Key};
use keypose::anim::scalar::{Scalar, ScalarKind, Sheet};
use keypose::anim::skeleton::Skeleton;
use keypose::anim::time::{FrameRate, Time};
use keypose::assets::clip_notes::{ClipLayer, Derivation, LayerBlend};
use keypose::assets::combat::{Cancel, Contact, Hit, LaneKind, Lanes, Range, Volume};
use keypose::assets::euler_order::EulerOrder;
use keypose::assets::id::ClipId;
use keypose::assets::level::mover::Mover;
use keypose::assets::level::slope::Slope;
use keypose::assets::level::thing::{Thing, ThingKind, ThingRef};
use keypose::assets::level::{FoeKind, Goal, Level, Rect};
use keypose::assets::model::Model;
use keypose::assets::sound::{Sound, SoundRepeat};
use keypose::assets::sprite_recipe::SpriteRecipe;
use keypose_editor::editor::commands::CATALOGUE;
use keypose_editor::editor::document::edit::{
    ClipEdit, DraftEdit, Edit, Gap, Handles, KeyEdit, KeyMove, KeyRef, LevelEdit, ModelEdit, Original, SoundEdit,
};
use keypose_editor::editor::ops::bone_groups::GroupEdit;
use keypose_editor::editor::ops::joint_limits::{Sides, with_limit};
use keypose_editor::editor::ops::posed::Posed;
use keypose_editor::editor::ops::rigging::{BoneEdit, NewBone};
use keypose_editor::editor::posing::change::Change;
use keypose_editor::editor::posing::key_times::{Grid, KeyTimes, KeysChange};
use keypose_editor::editor::posing::library::LibraryAction;
use keypose_editor::editor::posing::mixing::Mix;
use keypose_editor::editor::session::clipboard::Side;
use keypose_editor::editor::session::keying::{AutoKey, KeyMask, KeyWhat};
use keypose_editor::editor::session::pointer::{Axis, ModalKey, PointerEvent, PointerKind};
use keypose_editor::editor::session::selection::Pick;
use keypose_editor::editor::session::shortcuts::Modifiers;
use keypose_editor::editor::session::switch::Switch;
use keypose_editor::editor::session::timing::{DraggedValue, KeyDragKind};
use keypose_editor::editor::session::timing::{KeyDragStart, TimeAction, TimePoint};
use keypose_editor::editor::session::tool::TransformKind;
use keypose_editor::editor::session::tool::{Space, Tool};
use keypose_editor::editor::state::Editor;
use keypose_editor::editor::state::action::{
    Action, BoneAction, DocumentAction, GestureAction, PlaybackAction, PoseAction, SelectAction, ToolAction, ViewAction,
};
use keypose_tools::joint_limits::BindJoints;
use keypose_tools::reimport::{SameClips, reimport};

use super::posed;

/// A small generator (SplitMix64): the same walk for the same seed on every machine.
pub struct Dice(pub u64);

impl Dice {
    /// Any number.
    pub fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// In 0..count; 0 for none.
    pub fn below(&mut self, count: usize) -> usize {
        (self.roll() % count.max(1) as u64) as usize
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    fn number(&mut self) -> f32 {
        (self.roll() >> 40) as f32 / 8_388_608.0 - 1.0
    }

    /// Mostly on frames, sometimes between them, rarely outside.
    fn time(&mut self) -> Time {
        match self.below(20) {
            0 => Time(self.roll() as i64),
            1 => Time::from_millis(f64::from(self.number()) * 900.0),
            _ => FrameRate::FPS_30.time_of(self.below(40) as i64),
        }
    }

    fn bone(&mut self) -> u16 {
        self.below(6) as u16
    }

    fn clip(&mut self, editor: &Editor) -> ClipId {
        let clips: Vec<ClipId> =
            editor.document.models.iter().flat_map(|model| &model.clips).map(|slot| slot.id).collect();
        match self.below(12) {
            0 => ClipId(self.below(9) as u32),
            _ if clips.is_empty() => ClipId(0),
            _ => self.of(&clips),
        }
    }

    fn posed(&mut self) -> Posed {
        let bone = self.below(5) as u16;
        let value = Vec3::new(self.number(), self.number(), self.number());
        match self.below(4) {
            2 => Posed { bone, channel: Channel::Scalar(self.below(2) as u16), value: Vec4::X * value.x },
            0 => Posed { bone, channel: Channel::Translation, value: value.extend(0.0) },
            1 => Posed { bone, channel: Channel::Scale, value: value.extend(0.0) },
            _ => posed(bone, Quat::from_scaled_axis(value * 4.0)),
        }
    }

    fn key(&mut self) -> Key {
        let Posed { bone, channel, value } = self.posed();
        Key { ease: self.of(&Ease::ALL), ..Key::new(bone, channel, value) }
    }

    fn keys(&mut self) -> Vec<Key> {
        (0..self.below(4)).map(|_| self.key()).collect()
    }

    /// A key that is there, mostly.
    fn key_ref(&mut self, editor: &Editor, clip: ClipId) -> KeyRef {
        let columns = editor.document.clip(clip).into_iter().flat_map(|slot| slot.clip.keyframes.iter().enumerate());
        let of_column = |(keyframe, column): (usize, &'_ Keyframe)| {
            let key_ref = move |key: &Key| KeyRef { keyframe, bone: key.bone, channel: key.channel };
            column.keys.iter().map(key_ref).collect::<Vec<_>>()
        };
        let keys: Vec<KeyRef> = columns.flat_map(of_column).collect();
        if keys.is_empty() || self.below(15) == 0 {
            return KeyRef { keyframe: self.below(5), bone: self.bone(), channel: self.of(&Channel::ALL) };
        }
        self.of(&keys)
    }

    fn key_refs(&mut self, editor: &Editor, clip: ClipId) -> Vec<KeyRef> {
        (0..=self.below(3)).map(|_| self.key_ref(editor, clip)).collect()
    }

    fn volume(&mut self) -> Volume {
        let bone = ["root", "arm.L", "gone", ""][self.below(4)];
        Volume::sphere("v", bone, Vec3::splat(self.number()), self.number())
    }

    /// Lanes that are valid, mostly.
    fn lanes(&mut self) -> Lanes {
        let mut range = || Range { start: self.time(), end: self.time() };
        let (hit, cancel, safe) = (range(), range(), range());
        let hits = vec![Hit { range: hit, volumes: vec![self.volume()], ..Hit::default() }];
        Lanes {
            hits,
            cancels: vec![Cancel { range: cancel, ..Cancel::default() }],
            invulnerable: vec![safe],
            contacts: vec![Contact { range: safe, bone: ["root", "gone", ""][self.below(3)].into() }],
            ..Lanes::default()
        }
    }

    fn bone_edit(&mut self, name: String) -> BoneEdit {
        let (bone, other) = (self.below(7) as u16, self.below(7) as u16);
        let head = Vec3::new(self.number(), self.number(), self.number());
        match self.below(7) {
            0 | 1 => BoneEdit::Add(vec![NewBone { name, parent: (bone > 3).then(|| "root".to_owned()), head }]),
            2 => BoneEdit::Split { bone, child: other, parts: 2 },
            3 => BoneEdit::Mirror(vec![bone]),
            4 => BoneEdit::Rename { bone, name },
            5 => BoneEdit::Reparent { bones: vec![bone], parent: (other > 0).then_some(other) },
            _ if self.below(3) == 0 => BoneEdit::Delete(vec![bone]),
            _ => BoneEdit::Move(vec![(bone, head)]),
        }
    }

    fn edit(&mut self, editor: &Editor) -> Edit {
        let clip = self.clip(editor);
        let (keyframe, time) = (self.below(5), self.time());
        let name = ["walk", "run", "", "wave", "  two words "][self.below(5)].to_owned();
        match self.below(50) {
            46 if !editor.document.models.is_empty() => {
                let (model, bone) = (&*editor.document.models[0], self.bone() % 3);
                let limit = BindJoints::of(model).hinge(bone, Vec3::X, [-1.0, self.number().clamp(0.0, 3.0)]);
                let limited = with_limit(model, bone, Some(limit), Sides::Both);
                ModelEdit::SetRig { model: 0, rig: limited.into() }.into()
            }
            44 | 45 => ModelEdit::EditBones { model: 0, edit: self.bone_edit(name) }.into(),
            43 => {
                let recipe =
                    SpriteRecipe { shades: self.below(7) as u32, clips: vec![name], ..SpriteRecipe::default() };
                ModelEdit::SetSprites { model: self.below(2), sprites: Arc::new(recipe) }.into()
            }
            40 | 41 => self.level_edit(editor),
            42 => self.sound_edit(editor),
            39 => self.reimport(editor),
            35 => ClipEdit::SetLanes { clip, lanes: Box::new(self.lanes()) }.into(),
            36 => ModelEdit::SetHurtVolumes { model: self.below(2), volumes: vec![self.volume()] }.into(),
            0 => ModelEdit::RenameModel { model: self.below(2), name }.into(),
            1 => {
                let clip = Box::new(keypose::anim::clip::Clip::new(name));
                ClipEdit::AddClip { model: 0, at: self.below(4), clip, tags: vec!["tag".into()] }.into()
            }
            2 => ClipEdit::DuplicateClip { clip }.into(),
            3 => ClipEdit::RenameClip { clip, name }.into(),
            4 => ClipEdit::DeleteClip { clip }.into(),
            5 => ClipEdit::MoveClip { clip, to: self.below(4) }.into(),
            6 => ClipEdit::SetLoopMode { clip, loop_mode: self.of(&LoopMode::ALL) }.into(),
            7 => ClipEdit::SetFrameRate {
                clip,
                frame_rate: self.of(&[FrameRate::FPS_24, FrameRate::FPS_30, FrameRate::FPS_60]),
            }
            .into(),
            49 => KeyEdit::SetKind { clip, times: vec![Time::ZERO], kind: self.of(&KeyframeKind::ALL) }.into(),
            48 => ClipEdit::AddLayer { source: clip, blend: self.of(&LayerBlend::ALL) }.into(),
            47 => {
                let delays = (0..3).map(|bone| Delay { bone, by: self.time() }).collect();
                ClipEdit::SetDelays { clip, delays }.into()
            }
            8 => ClipEdit::SetEvents { clip, events: vec![Event { time, name }].into() }.into(),
            9 => KeyEdit::Split { clip, time }.into(),
            11 => {
                let kind = self.of(&KeyframeKind::ALL);
                let new = (0..self.below(3)).map(|_| Keyframe { duration: time, kind, keys: self.keys().into() });
                KeyEdit::InsertAfter { clip, keyframe, new: new.collect() }.into()
            }
            12 => KeyEdit::DuplicateKeyframe { clip, keyframe }.into(),
            13 => KeyEdit::DeleteKeyframes {
                clip,
                keyframes: vec![keyframe, self.below(5)],
                gap: self.of(&[Gap::Kept, Gap::Closed]),
            }
            .into(),
            14 => KeyEdit::MoveKeyframe { clip, from: keyframe, to: self.below(5) }.into(),
            15 => KeyEdit::SetDurations { clip, durations: vec![(keyframe, time)] }.into(),
            17 => KeyEdit::ReplaceKeys { clip, keyframe, keys: self.keys() }.into(),
            18 => KeyEdit::RemoveKeys { clip, keys: self.key_refs(editor, clip) }.into(),
            19 => {
                let moves = self.key_refs(editor, clip).into_iter().map(|from| KeyMove { from, to: self.time() });
                KeyEdit::MoveKeys {
                    clip,
                    moves: moves.collect(),
                    original: self.of(&[Original::Moves, Original::Stays]),
                }
                .into()
            }
            20 => KeyEdit::SetEase { clip, keys: self.key_refs(editor, clip), ease: self.of(&Ease::ALL) }.into(),
            21 => KeyEdit::SetHandleKind { clip, keys: self.key_refs(editor, clip), kind: self.of(&HandleKind::ALL) }
                .into(),
            22 => KeyEdit::SetHandles {
                clip,
                handles: vec![(
                    self.key_ref(editor, clip),
                    Handles {
                        tangents: [Vec4::splat(self.number()), Vec4::splat(self.number())],
                        lengths: self.of(&[HERMITE, [0.001, 1.0], [0.8, 0.2]]),
                    },
                )],
            }
            .into(),
            27 | 28 => {
                let (from, to) = (self.time(), self.time());
                let hows = [
                    Derivation::Mirrored,
                    Derivation::Reversed,
                    Derivation::Retimed(50),
                    Derivation::Retimed(0),
                    Derivation::Trimmed(from, to),
                    Derivation::Layered(ClipLayer::new(self.clip(editor), self.of(&LayerBlend::ALL))),
                ];
                let how = self.of(&hows);
                if self.below(4) == 0 {
                    ClipEdit::AddRetargeted { model: self.below(3), source: clip }.into()
                } else if self.below(3) > 0 {
                    ClipEdit::AddDerived { source: clip, how }.into()
                } else {
                    ClipEdit::SetDerived { clip, how }.into()
                }
            }
            29 | 30 => ClipEdit::UnlockClip { clip }.into(),
            31 => ClipEdit::SetFolder { clip, folder: name }.into(),
            32 if self.below(2) == 0 => ClipEdit::SetMask { clip, bones: vec!["upper.L".into(), name] }.into(),
            32 => ClipEdit::SetTags { clip, tags: vec![name] }.into(),
            33 => {
                let transform = keypose::anim::transform::Transform::from_translation(Vec3::splat(self.number()));
                ModelEdit::SetRest { model: 0, bone: self.below(6) as u16, transform }.into()
            }
            37 => ModelEdit::RemoveScalar { model: 0, scalar: self.below(3) as u16 }.into(),
            38 => {
                let sheet = Sheet { columns: self.below(4) as u8, rows: 2 };
                let kinds = [
                    ScalarKind::Property,
                    ScalarKind::Visibility,
                    ScalarKind::Frame(sheet),
                    ScalarKind::Weight,
                    ScalarKind::LayerWeight,
                ];
                let (bone, kind) = (self.below(6) as u16, self.of(&kinds));
                ModelEdit::AddScalar { model: 0, scalar: Scalar { name, bone, kind, default: self.number() } }.into()
            }
            // Model 0 stays: the other edits are about it.
            34 => ModelEdit::RemoveModel { model: 1 + self.below(2) }.into(),
            24 => KeyEdit::SetValues { clip, values: vec![(self.key_ref(editor, clip), Vec4::splat(self.number()))] }
                .into(),
            10 | 16 => KeyEdit::KeysAt { clip, keys: self.keys().into_iter().map(|key| (time, key)).collect() }.into(),
            25 => {
                KeyEdit::KeysAt { clip, keys: self.keys().into_iter().map(|key| (self.time(), key)).collect() }.into()
            }
            23 => DraftEdit::SetDraft { model: 0, clip: self.of(&[None, Some(clip)]), time, keys: self.keys() }.into(),
            _ => DraftEdit::DiscardDraft { model: 0, clip: Some(clip), time }.into(),
        }
    }

    /// An edit of a level, mostly of one that exists and in range.
    fn level_edit(&mut self, editor: &Editor) -> Edit {
        let levels = &editor.document.levels;
        let level = self.below(levels.len() + 1);
        let name = ["yard", "cave", "", "yard"][self.below(4)].to_owned();
        let at = Vec2::new(self.number() * 9.0, self.number() * 9.0);
        let rect = Rect { min: at, max: at + Vec2::splat(self.number() + 0.9) };
        let kind = self.of(&ThingKind::ALL);
        let at = ThingRef { kind, index: self.below(3) };
        let thing = levels.get(level).and_then(|level| level.thing(at)).unwrap_or(Thing::Solid(rect));
        match self.below(8) {
            0 => LevelEdit::AddLevel { add: Box::new(Level { name, ..Level::default() }) },
            1 => LevelEdit::RenameLevel { level, name },
            2 if self.below(3) == 0 => LevelEdit::RemoveLevel { level },
            3 => LevelEdit::RemoveThings { level, things: [at].into() },
            4 => LevelEdit::SetThings { level, things: vec![(at, thing.at(rect.min))] },
            5 => LevelEdit::SetFoeKinds {
                level,
                kinds: vec![FoeKind { name, size: self.number() + 1.0, ..FoeKind::default() }],
            },
            6 => LevelEdit::SetPlayer { level, player: name },
            _ => LevelEdit::AddThings {
                level,
                things: vec![
                    Thing::Solid(rect),
                    Thing::Slope(Slope { rect, rises_left: self.below(2) == 0 }),
                    Thing::Mover(Mover::new(rect)),
                    Thing::Coin(rect.min),
                    Thing::Goal(Goal::open(rect)),
                ],
            },
        }
        .into()
    }

    /// An edit of a sound, mostly of one that exists and in range.
    fn sound_edit(&mut self, editor: &Editor) -> Edit {
        let name = self.of(&["hit", "step", "", "music"]).to_owned();
        let sounds = &editor.document.sounds;
        let sound = sounds.get(self.below(sounds.len() + 1)).map_or("gone".into(), |sound| sound.name.clone());
        match self.below(5) {
            0 => SoundEdit::AddSound { add: Sound::new(name, 8_000, 1, &[1, 2, 3]).into() },
            1 => SoundEdit::RenameSound { sound, name },
            2 if self.below(3) == 0 => SoundEdit::RemoveSound { sound },
            3 => SoundEdit::SetVolume { sound, volume: self.number() + 1.0 },
            _ => SoundEdit::SetRepeat { sound, repeat: SoundRepeat::Loop },
        }
        .into()
    }

    /// The first model as if it came again with another length of a bone, a renamed one, or a mesh less.
    fn reimport(&mut self, editor: &Editor) -> Edit {
        let Some(before) = editor.document.models.first() else {
            return ModelEdit::RemoveModel { model: 1 }.into();
        };
        let mut changed = Model { clips: Vec::new(), ..Model::clone(before) };
        let mut bones = before.skeleton.bones().to_vec();
        let at = self.below(bones.len().max(1));
        if let Some(bone) = bones.get_mut(at) {
            match self.below(3) {
                0 => bone.rest.translation *= 1.5,
                1 => bone.name.push_str(" new"),
                _ => drop(changed.meshes.pop()),
            }
        }
        let scalars = before.skeleton.scalars().to_vec();
        let skeleton = Skeleton::new(bones).and_then(|skeleton| skeleton.with_scalars(scalars));
        changed.skeleton = Arc::new(skeleton.unwrap_or_default());
        let done = reimport(before, &changed, SameClips::Keep).map(|done| done.model);
        ModelEdit::Replace { model: 0, with: Box::new(done.unwrap_or_else(|_| Model::clone(before))) }.into()
    }

    fn pose_edit(&mut self) -> LibraryAction {
        let (at, name) = (self.below(4), ["up", "down", "", "up"][self.below(4)].to_owned());
        match self.below(8) {
            0 | 1 => LibraryAction::Save([None, Some(name)][self.below(2)].clone()),
            2 => LibraryAction::Rename { at, name },
            3 => LibraryAction::Update(at),
            4 => LibraryAction::Delete(at),
            5 => LibraryAction::Move { from: at, to: self.below(4) },
            _ => LibraryAction::Apply { at, side: self.of(&[Side::Same, Side::Mirrored]), amount: self.number() },
        }
    }

    fn change(&mut self, editor: &Editor) -> Change {
        let original = self.of(&[Original::Moves, Original::Stays]);
        match self.below(8) {
            0 => Change::Mix(self.of(&[Mix::Breakdown, Mix::Push, Mix::Relax, Mix::Neighbour]), self.number() * 2.0),
            1 => {
                let (about, factor, by) = (self.time(), f64::from(self.number()) * 3.0, self.time() - self.time());
                let times =
                    [KeyTimes::Mirror, KeyTimes::Shift(by), KeyTimes::Scale { about, factor }, KeyTimes::Ripple(by)];
                let grid = self.of(&[None, Some(Grid::Frames), Some(Grid::Free)]);
                let posed = self.posed();
                let values = match (self.below(3), editor.session.focus.selection.keys.first()) {
                    (0, Some(key)) if key.channel == posed.channel => vec![(*key, posed.value)],
                    _ => Vec::new(),
                };
                Change::Keys(KeysChange { times: self.of(&times), original, grid, values })
            }
            2..=4 => Change::Pose((0..=self.below(3)).map(|_| self.posed()).collect()),
            _ => Change::Edits((0..=self.below(2)).map(|_| self.edit(editor)).collect()),
        }
    }

    /// Keys that are dragged, and events.
    fn in_time(&mut self, editor: &Editor, clip: ClipId) -> Action {
        match self.below(7) {
            4 | 5 => Action::Time(TimeAction::TypeDuration {
                keyframes: (0..self.below(4)).map(|_| self.below(6)).collect(),
                first: self.of(&[None, Some('1'), Some('7')]),
            }),
            6 => {
                let keyframes = self.below(6)..self.below(6);
                let pick = self.of(&[Pick::Only, Pick::Add, Pick::Toggle]);
                Action::Select(match self.below(2) {
                    0 => SelectAction::KeyframeGroup { keyframes, pick },
                    _ => SelectAction::KeyframeRange(keyframes),
                })
            }
            0 => Action::Time(TimeAction::MouseMoved(TimePoint {
                time: self.time(),
                y: self.number() * 100.0,
                held: Modifiers { ctrl: self.below(2) == 0, shift: self.below(4) == 0, alt: false },
            })),
            1 => Action::Time(TimeAction::StartKeyDrag(KeyDragStart {
                kind: self.of(&[KeyDragKind::Move, KeyDragKind::Ripple, KeyDragKind::Scale { about: Time::ZERO }]),
                original: self.of(&[Original::Moves, Original::Stays]),
                is_modal: self.below(2) == 0,
                dragged_values: None,
                from: None,
            })),
            2 if self.below(2) == 0 => Action::Time(TimeAction::AddRange(self.of(&LaneKind::ALL))),
            2 => Action::Time(TimeAction::PickEvent(Some(self.below(3)))),
            _ => Action::Time(TimeAction::DragValues(vec![DraggedValue {
                key: self.key_ref(editor, clip),
                axis: self.below(3),
                per_point: self.number(),
                shown: (glam::Vec3::splat(self.number()), self.of(&EulerOrder::ALL)),
            }])),
        }
    }

    /// Anything that a user may do, sense or nonsense.
    pub fn action(&mut self, editor: &Editor) -> Action {
        let clip = self.clip(editor);
        match self.below(31) {
            0..=5 => Action::Document(DocumentAction::Edit { label: "edit".into(), change: self.change(editor) }),
            6 => Action::Document(DocumentAction::Begin { label: "gesture".into() }),
            7..=9 => Action::Document(DocumentAction::Preview(self.change(editor))),
            10 => Action::Document(DocumentAction::Commit),
            11 => Action::Document(DocumentAction::Cancel),
            12 => Action::Document(DocumentAction::Undo),
            13 => Action::Document(DocumentAction::Redo),
            14 => Action::Select(SelectAction::Clip(self.of(&[Some(clip), None]))),
            15 => Action::Select(SelectAction::Bones {
                bones: vec![self.bone(), self.bone()],
                pick: self.of(&[Pick::Only, Pick::Add, Pick::Toggle]),
            }),
            16 => {
                let at = self.below(5);
                let pick = self.of(&[Pick::Only, Pick::Add, Pick::Toggle]);
                Action::Select(SelectAction::KeyframeGroup { keyframes: at..at + 1, pick })
            }
            17 => Action::Select(SelectAction::Keys {
                keys: self.key_refs(editor, clip),
                pick: self.of(&[Pick::Only, Pick::Toggle]),
            }),
            18 | 19 => Action::Playback(PlaybackAction::Seek(self.time())),
            20 => Action::Pose(PoseAction::Key(self.of(&[KeyWhat::All, KeyWhat::Changed, KeyWhat::Selected]))),
            21 => Action::Tool(ToolAction::SetAutoKey(self.of(&AutoKey::ALL))),
            22 => Action::Playback(PlaybackAction::SetPlaying(self.below(2) == 0)),
            23 => Action::Tick(Time::from_millis(f64::from(self.number()) * 200.0)),
            24 => Action::Gesture(GestureAction::Transform(self.of(&[
                TransformKind::Move,
                TransformKind::Rotate,
                TransformKind::Scale,
                TransformKind::Reach,
                TransformKind::Pole,
            ]))),
            25 | 26 => {
                let kind =
                    self.of(&[PointerKind::Moved, PointerKind::Moved, PointerKind::Pressed, PointerKind::Released]);
                let pixel = Vec2::new(self.number(), self.number()) * 500.0 + 400.0;
                Action::Gesture(GestureAction::Pointer(PointerEvent { kind, pixel, held: Default::default() }))
            }
            27 => Action::Gesture(GestureAction::Modal(self.of(&[
                ModalKey::Axis(Axis::X),
                ModalKey::Char('3'),
                ModalKey::Char('0'),
                ModalKey::Char('m'),
                ModalKey::Char('s'),
                ModalKey::Char('-'),
                ModalKey::Backspace,
                ModalKey::AddJoint,
                ModalKey::RemoveJoint,
                ModalKey::Confirm,
                ModalKey::Cancel,
            ]))),
            28 => match self.below(10) {
                9 => Action::Bones(BoneAction::Group(match self.below(4) {
                    0 | 1 => GroupEdit::New(None),
                    2 => GroupEdit::Join(self.below(3)),
                    _ => GroupEdit::Delete(self.below(3)),
                })),
                6 | 7 => Action::Poses(self.pose_edit()),
                8 => match self.below(4) {
                    0 => Action::Bones(BoneAction::ClearMirrorPair(self.bone())),
                    1 => Action::Bones(BoneAction::SetEulerOrder {
                        bones: vec![self.bone()],
                        order: self.of(&EulerOrder::ALL),
                    }),
                    _ => Action::Bones(BoneAction::SetMirrorPair { bone: self.bone(), partner: self.bone() }),
                },
                4 => Action::Bones(BoneAction::SetPinned { bones: vec![self.bone()], is_pinned: self.below(3) > 0 }),
                5 => Action::Tool(ToolAction::SetChain(self.below(5))),
                0 => Action::Tool(ToolAction::Set(self.of(&[
                    Tool::Select,
                    Tool::Move,
                    Tool::Rotate,
                    Tool::Scale,
                    Tool::Reach,
                ]))),
                1 => Action::Tool(ToolAction::SetSpace(self.of(&Space::ALL))),
                2 => Action::Pose(PoseAction::Clear(KeyMask::ALL)),
                _ => match self.below(4) {
                    0 => Action::Playback(PlaybackAction::SetLoopSection(
                        (self.below(3) > 0).then(|| (self.time(), self.time())),
                    )),
                    1 => Action::Playback(PlaybackAction::SetSpeed(f64::from(self.number()) * 4.0)),
                    2 => Action::Playback(PlaybackAction::SetReverse(self.below(2) == 0)),
                    _ => Action::View(ViewAction::Toggle(self.of(&[
                        Switch::Ghosts,
                        Switch::LiveMirror,
                        Switch::SnapTime,
                    ]))),
                },
            },
            29 => self.in_time(editor, clip),
            _ => Action::Run(CATALOGUE[self.below(CATALOGUE.len())].command),
        }
    }
}
