//! Compares the editor's preview with the game: plays every clip both ways and measures the difference of the poses.
//! The preview is the view of an editor that plays the clip, which it bakes from its keys. The game is a state machine
//! that plays the archive's baked clip tick by tick. They only share the sampling arithmetic.

use std::sync::Arc;

use serde_json::{Value, json};

use keypose::anim::bake::BakedClip;
use keypose::anim::bake::difference::{Difference, difference};
use keypose::anim::bake::measure::Reach;
use keypose::anim::machine::bound::{BoundMachine, MachineClip};
use keypose::anim::machine::def::MachineDef;
use keypose::anim::machine::parameters::Parameters;
use keypose::anim::machine::parts::{MachineParts, Motion, StateDef};
use keypose::anim::machine::play::{Machine, Scratch};
use keypose::anim::playback::clip_time;
use keypose::anim::pose::ModelPose;
use keypose::anim::skeleton::Skeleton;
use keypose::anim::skin::method;
use keypose::anim::time::Time;
use keypose::assets::character::Character;
use keypose::assets::matrix_clips::MatrixClips;
use keypose::assets::mesh_reach;
use keypose::assets::model::{ClipSlot, Model};
use keypose::assets::project::Project;
use keypose_editor::editor::state::Editor;
use keypose_editor::editor::state::action::{Origin, PlaybackAction, SelectAction};
use keypose_editor::editor::view::scene;
use keypose_editor::game::world::units::TICK_SECS;

use crate::app::commands::check::MAX_DIFFERENCE;

/// Maximum count of ticks of a clip that are played: a minute. Behind that, the stored bake is compared with the keys.
const MAX_TICKS: i64 = 3600;
/// Minimum count of ticks of a clip that are played.
const MIN_TICKS: i64 = 2;
/// Maximum number of bones that are posed for all clips of a project, shared evenly: the ticks that are played are
/// fewer if it has very many bones or clips.
const MAX_POSED: i64 = 1 << 23;
/// Fixed cost of a pose, in bones.
const BONES_OF_POSE: usize = 128;
/// Maximum number of keys that the preview at rest visits for all clips of a project: every pose of it visits all keys of the clip.
const MAX_VISITED: usize = 1 << 27;

/// The differences between preview and game, as fractions of the model's size.
#[derive(Clone, Debug, Default)]
pub struct PreviewDifference {
    /// Count of compared poses.
    pub poses: usize,
    /// Maximum distance between the playing preview and the game.
    pub largest: f32,
    /// Clip and time of that maximum.
    pub at: Option<(String, Time)>,
    /// Maximum distance between the preview at rest, which samples the keys themselves, and the game.
    pub standing: f32,
}

/// Clips of the model that an editor has: each of its steps looks for the clip among all.
const CLIPS_OF_EDITOR: usize = 512;

/// An editor of a project with a copy of one model that has these clips only, and nothing else that belongs to clips.
fn editor_of(model: &Model, clips: &[ClipSlot]) -> Editor {
    let own = Model {
        clips: clips.to_vec(),
        name: model.name.clone(),
        skeleton: model.skeleton.clone(),
        skins: model.skins.clone(),
        meshes: model.meshes.clone(),
        materials: model.materials.clone(),
        sockets: model.sockets.clone(),
        samples: model.samples,
        skinning: model.skinning,
        ..Model::default()
    };
    Editor::new(Project { models: vec![Arc::new(own)], ..Project::default() }, &Origin::New)
}

/// How many ticks of each clip are compared.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Effort {
    /// The number of ticks that are played.
    ticks: i64,
    /// Of these, the number at which the preview at rest is compared as well.
    at_rest: i64,
}

impl Effort {
    fn of(project: &Project) -> Effort {
        // The view looks for what the meshes were measured from.
        let cost = |model: &Model| model.skeleton.len() + BONES_OF_POSE + model.meshes.len() / 8;
        let bones: usize = project.models.iter().map(|model| cost(model) * model.clips.len()).sum();
        let clips = project.models.iter().flat_map(|model| &model.clips);
        let keys: usize =
            clips.flat_map(|slot| slot.clip.keyframes.iter()).map(|keyframe| keyframe.keys.len() + 1).sum();
        Effort {
            ticks: (MAX_POSED / bones.max(1) as i64).clamp(MIN_TICKS, MAX_TICKS),
            at_rest: ((MAX_VISITED / keys.max(1)) as i64).clamp(MIN_TICKS, MAX_TICKS),
        }
    }
}

/// The distance of the editor's preview, at rest or playing, from a pose of the game.
fn distance(editor: &mut Editor, preview: PlaybackAction, (time, shown): (Time, &ModelPose), reach: &Reach) -> f32 {
    editor.update(preview);
    editor.update(PlaybackAction::Seek(time));
    let view = editor.view();
    let around = editor.model().and_then(|model| scene::interpolated(&editor.session, &view, model));
    let mixed = around.map(|(pose, next)| ModelPose {
        bones: method::interpolated(&pose.bones, &next.pose.bones, next.fraction),
        ..ModelPose::clone(&pose)
    });
    reach.distance(mixed.as_ref().unwrap_or(&view.pose), shown) / reach.model_size
}

impl PreviewDifference {
    /// Plays every clip of a character of a project. Calls `step` before each.
    pub fn of(project: &Project, character: &Character, step: &mut impl FnMut()) -> PreviewDifference {
        let (model, clips) = (&character.model, &character.model.clips);
        let reach = mesh_reach::reach(model);
        let mut difference = PreviewDifference::default();
        let (effort, matrices) = (Effort::of(project), MatrixClips::of(character));
        let mut editor = Editor::new(Project::default(), &Origin::New);
        for (at, (slot, baked)) in clips.iter().zip(&character.clips).enumerate() {
            if at.is_multiple_of(CLIPS_OF_EDITOR) {
                editor = editor_of(model, &clips[at..clips.len().min(at + CLIPS_OF_EDITOR)]);
            }
            step();
            let Some(mut game) = Game::new(character, baked, &matrices) else { continue };
            editor.update(SelectAction::Clip(Some(slot.id)));
            let ticks = (baked.length.0 / Time::TICK.0 + 2).min(effort.ticks);
            let step_at_rest = (ticks + effort.at_rest - 1) / effort.at_rest;
            for tick in 0..ticks {
                if tick > 0 {
                    game.tick();
                }
                let pose = game.pose();
                if tick % step_at_rest == 0 {
                    let preview = PlaybackAction::SetPlaying(false);
                    let at_rest = distance(&mut editor, preview, (game.clip_time(), &pose), &reach);
                    difference.standing = difference.standing.max(at_rest);
                }
                difference.compare(&mut editor, &game, &pose, &reach);
            }
            // The rest of a long clip, and what lies between two ticks.
            let Difference { largest, at } = self::difference(baked, &slot.clip, &model.skeleton, &reach);
            difference.standing = difference.standing.max(largest);
            // Less is the error of baking, which the playing preview has, too.
            if largest > difference.largest.max(MAX_DIFFERENCE) {
                (difference.largest, difference.at) = (largest, Some((baked.name.clone(), at)));
            }
        }
        difference
    }

    /// Compares the playing preview with the pose of the game.
    fn compare(&mut self, editor: &mut Editor, game: &Game<'_>, pose: &ModelPose, reach: &Reach) {
        let time = game.clip_time();
        let playing = distance(editor, PlaybackAction::SetPlaying(true), (time, pose), reach);
        self.poses += 1;
        // NaN counts as the largest difference.
        let playing = if playing.is_nan() { f32::INFINITY } else { playing };
        if playing > self.largest || self.at.is_none() {
            self.largest = playing;
            self.at = Some((game.clip.name.clone(), time));
        }
    }

    /// Formats it as text.
    pub fn lines(&self) -> Vec<String> {
        let PreviewDifference { poses, largest, at, standing } = self;
        let place = match at {
            Some((clip, time)) if *largest > 0.0 => format!(", in {clip} at {time}"),
            Some(_) | None => String::new(),
        };
        vec![
            format!("preview and game: largest difference {largest} of the model's size{place}, in {poses} poses"),
            "  preview: clip baked from its keys, playing in the editor; game: stored bake, in a state machine".into(),
            format!(
                "  preview at rest, which samples the keys themselves: at most {standing:.1e} of the model's size from the game"
            ),
        ]
    }

    /// Formats it as JSON.
    pub fn json(&self) -> Value {
        let at = self.at.as_ref().map(|(clip, time)| json!({ "clip": clip, "time_secs": time.secs() }));
        json!({
            "poses": self.poses,
            "largest_difference": self.largest,
            "at": at,
            "standing_difference": self.standing,
            "unit": "the model's size",
        })
    }
}

/// A clip played like in the game.
struct Game<'a> {
    matrices: &'a MatrixClips,
    clip: Arc<BakedClip>,
    skeleton: Arc<Skeleton>,
    machine: Machine,
    parameters: Parameters,
    scratch: Scratch,
}

impl Game<'_> {
    fn new<'a>(character: &Character, clip: &Arc<BakedClip>, matrices: &'a MatrixClips) -> Option<Game<'a>> {
        let skeleton = &character.model.skeleton;
        let state = StateDef::new("clip", Motion::Clip(clip.name.clone()));
        let parts = MachineParts { states: vec![state], start: "clip".into(), ..MachineParts::default() };
        let def = Arc::new(MachineDef::new(parts).ok()?);
        // The preview shows where root motion leads.
        let find = |_: &StateDef, _: &str| Some(MachineClip { anchor: None, ..MachineClip::new(clip.clone()) });
        let bound = Arc::new(BoundMachine::new(def.clone(), skeleton, find));
        Some(Game {
            matrices,
            clip: clip.clone(),
            skeleton: skeleton.clone(),
            machine: Machine::new(bound),
            parameters: Parameters::new(&def),
            scratch: Scratch::default(),
        })
    }

    fn tick(&mut self) {
        self.machine.update(TICK_SECS, &mut self.parameters, &mut self.scratch);
    }

    /// The time of the clip in the state machine.
    fn clip_time(&self) -> Time {
        let elapsed = Time((self.machine.loops() * self.clip.length.0 as f64) as i64);
        clip_time(elapsed, self.clip.length, self.clip.loop_mode)
    }

    fn pose(&self) -> ModelPose {
        let skeleton = &self.skeleton;
        let (mut local, mut model) = (skeleton.rest_pose(), ModelPose::default());
        self.machine.sample(&mut Scratch::default(), &mut local);
        model.compute(skeleton, &local);
        self.matrices.apply(&self.machine, 1.0, skeleton, &mut model);
        model
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use keypose::anim::clip::{Clip, Keyframe};
    use keypose::anim::skeleton::Bone;
    use keypose::anim::transform::Transform;
    use keypose::assets::id::ClipId;

    #[test]
    fn the_clips_of_all_models_share_what_is_posed() {
        let bone = |at| Bone { name: format!("b{at}"), parent: None, rest: Transform::IDENTITY };
        let skeleton = Arc::new(Skeleton::new((0..128).map(bone).collect()).unwrap());
        let slot = |id| ClipSlot { id: ClipId(id), clip: Arc::new(Clip::new("swing")) };
        let model = Arc::new(Model { skeleton, clips: (0..18).map(slot).collect(), ..Model::default() });
        let ticks = |count| Effort::of(&Project { models: vec![model.clone(); count], ..Project::default() }).ticks;
        assert_eq!([ticks(1), ticks(2), ticks(60), ticks(6000)], [1820, 910, 30, MIN_TICKS]);
    }

    #[test]
    fn poses_and_interpolated_matrices_are_those_of_the_preview() {
        let demo = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/demo.wad");
        let archive = keypose::wad::decode(&std::fs::read(demo).unwrap()).unwrap();
        let mut model = Model::clone(&archive.project.models[0]);
        model.clips.retain(|slot| ["attack", "walk"].contains(&slot.clip.name.as_str()));
        let plain = Character::bake(&Arc::new(model.clone()), None);
        let found = PreviewDifference::of(&Project::default(), &plain, &mut || ());
        assert!(found.largest < MAX_DIFFERENCE && found.poses > 60, "{found:?}");
        model.skinning = method::Method::Interpolated;
        let character = Character::bake(&Arc::new(model), None);
        let found = PreviewDifference::of(&Project::default(), &character, &mut || ());
        assert!(found.largest < MAX_DIFFERENCE && found.poses > 60, "{found:?}");
        // They are not those of the exact poses.
        let posed = |matrices: &MatrixClips| {
            let mut game = Game::new(&character, &character.clips[0], matrices).unwrap();
            (0..5).for_each(|_| game.tick());
            game.pose()
        };
        let reach = Reach::of(&character.model.skeleton);
        let apart = reach.distance(&posed(&MatrixClips::of(&character)), &posed(&MatrixClips::default()));
        assert!(apart > 1e-3 * reach.model_size, "{apart}");
    }

    #[test]
    fn clips_with_many_keys_are_compared_at_rest_less_often() {
        let at_rest = |keyframes| {
            let clip = Clip { keyframes: vec![Keyframe::default(); keyframes].into(), ..Clip::new("swing") };
            let model = Model { clips: vec![ClipSlot { id: ClipId(1), clip: Arc::new(clip) }], ..Model::default() };
            Effort::of(&Project { models: vec![Arc::new(model)], ..Project::default() }).at_rest
        };
        assert_eq!([at_rest(1), at_rest(1 << 17), at_rest(1 << 20)], [MAX_TICKS, 1 << 10, 1 << 7]);
    }
}
