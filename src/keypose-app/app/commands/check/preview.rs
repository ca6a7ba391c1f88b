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
use keypose::anim::time::Time;
use keypose::assets::character::Character;
use keypose::assets::project::Project;
use keypose_editor::editor::state::Editor;
use keypose_editor::editor::state::action::{Origin, PlaybackAction, SelectAction};
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
const CLIPS_OF_EDITOR: usize = 64;

/// An editor of a project whose model, by index, has some of its clips only, from an index on.
fn editor_of(project: &Project, model: usize, first: usize) -> Editor {
    let mut project = project.clone();
    let own = Arc::make_mut(&mut project.models[model]);
    own.clips = own.clips.iter().skip(first).take(CLIPS_OF_EDITOR).cloned().collect();
    let mut editor = Editor::new(project, &Origin::New);
    editor.update(SelectAction::Model(model));
    editor
}

/// Returns the number of ticks to play of each clip.
fn ticks_of_each(project: &Project) -> i64 {
    let bones: usize =
        project.models.iter().map(|model| (model.skeleton.len() + BONES_OF_POSE) * model.clips.len()).sum();
    (MAX_POSED / bones.max(1) as i64).clamp(MIN_TICKS, MAX_TICKS)
}

impl PreviewDifference {
    /// Plays every clip of a project's model, by index, and of the character that was read with it. Calls `step` before each.
    pub fn of(project: &Project, model: usize, character: &Character, step: &mut impl FnMut()) -> PreviewDifference {
        let reach = Reach::of(&character.model.skeleton);
        let mut difference = PreviewDifference::default();
        let limit = ticks_of_each(project);
        let mut editor = Editor::new(Project::default(), &Origin::New);
        for (at, (slot, baked)) in character.model.clips.iter().zip(&character.clips).enumerate() {
            if at.is_multiple_of(CLIPS_OF_EDITOR) {
                editor = editor_of(project, model, at);
            }
            step();
            let Some(mut game) = Game::new(character, baked) else { continue };
            editor.update(SelectAction::Clip(Some(slot.id)));
            let ticks = (baked.length.0 / Time::TICK.0 + 2).min(limit);
            for tick in 0..ticks {
                if tick > 0 {
                    game.tick();
                }
                difference.compare(&mut editor, &game, &reach);
            }
            // The rest of a long clip, and what lies between two ticks.
            let Difference { largest, at } = self::difference(baked, &slot.clip, &character.model.skeleton);
            difference.standing = difference.standing.max(largest);
            // Less is the error of baking, which the playing preview has, too.
            if largest > difference.largest.max(MAX_DIFFERENCE) {
                (difference.largest, difference.at) = (largest, Some((baked.name.clone(), at)));
            }
        }
        difference
    }

    fn compare(&mut self, editor: &mut Editor, game: &Game, reach: &Reach) {
        let (time, shown) = (game.clip_time(), game.pose());
        let mut apart = |is_playing| {
            editor.update(PlaybackAction::SetPlaying(is_playing));
            editor.update(PlaybackAction::Seek(time));
            reach.distance(&editor.view().pose, &shown) / reach.model_size
        };
        let (standing, playing) = (apart(false), apart(true));
        self.poses += 1;
        self.standing = self.standing.max(standing);
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
struct Game {
    clip: Arc<BakedClip>,
    character: Character,
    machine: Machine,
    parameters: Parameters,
    scratch: Scratch,
}

impl Game {
    fn new(character: &Character, clip: &Arc<BakedClip>) -> Option<Game> {
        let state = StateDef::new("clip", Motion::Clip(clip.name.clone()));
        let parts = MachineParts { states: vec![state], start: "clip".into(), ..MachineParts::default() };
        let def = Arc::new(MachineDef::new(parts).ok()?);
        let find = |_: &StateDef, _: &str| Some(MachineClip::new(clip.clone()));
        let bound = Arc::new(BoundMachine::new(def.clone(), &character.model.skeleton, find));
        Some(Game {
            clip: clip.clone(),
            character: character.clone(),
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
        let skeleton = &self.character.model.skeleton;
        let (mut local, mut model) = (skeleton.rest_pose(), ModelPose::default());
        self.machine.sample(&mut Scratch::default(), &mut local);
        model.compute(skeleton, &local);
        model
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use keypose::anim::clip::Clip;
    use keypose::anim::skeleton::{Bone, Skeleton};
    use keypose::anim::transform::Transform;
    use keypose::assets::id::ClipId;
    use keypose::assets::model::{ClipSlot, Model};

    #[test]
    fn the_clips_of_all_models_share_what_is_posed() {
        let bone = |at| Bone { name: format!("b{at}"), parent: None, rest: Transform::IDENTITY };
        let skeleton = Arc::new(Skeleton::new((0..128).map(bone).collect()).unwrap());
        let slot = |id| ClipSlot { id: ClipId(id), clip: Arc::new(Clip::new("swing")) };
        let model = Arc::new(Model { skeleton, clips: (0..18).map(slot).collect(), ..Model::default() });
        let ticks = |count| ticks_of_each(&Project { models: vec![model.clone(); count], ..Project::default() });
        assert_eq!([ticks(1), ticks(2), ticks(60), ticks(6000)], [1820, 910, 30, MIN_TICKS]);
    }
}
