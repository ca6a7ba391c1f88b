//! The hint for whoever starts the program for the first time: five steps from a model to a saved animation. A step is
//! done when what it asks for has happened, whichever way; then the next one shows.

use crate::editor::session::command::Command;
use crate::editor::state::Editor;

/// Which step is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FirstSteps {
    /// 0 to 4.
    pub step: usize,
    /// Steps of the history when this one began.
    steps_before: usize,
    /// It has begun: what it asks for was not so at that time.
    is_open: bool,
}

/// One step.
#[derive(Clone, Copy, Debug)]
pub struct FirstStep {
    /// What is done in it.
    pub title: &'static str,
    /// How.
    pub text: &'static str,
    /// The commands whose keys stand below, each with a word.
    pub keys: &'static [(Command, &'static str)],
}

/// All five.
pub const STEPS: [FirstStep; 5] = [
    FirstStep {
        title: "Pick a bone",
        text: "Click one in the picture, or in the list at the left. Right drag turns the view, the wheel zooms.",
        keys: &[(Command::FrameSelected, "look at it")],
    },
    FirstStep {
        title: "Pose it",
        text: "Drag a ring of the gizmo, or press the key and move the mouse. A click keeps it, Esc takes it back.",
        keys: &[(Command::Rotate, "rotate"), (Command::Move, "move"), (Command::Undo, "undo")],
    },
    FirstStep {
        title: "Key the pose",
        text: "On a keyframe a pose is keyed by itself. Between keyframes it is a draft, in orange, until you key it.",
        keys: &[(Command::KeyPose, "key"), (Command::AppendKeyframe, "a keyframe more")],
    },
    FirstStep {
        title: "Give it time",
        text: "Below, each block is a keyframe as wide as it lasts: drag its right edge. Then play.",
        keys: &[(Command::PlayPause, "play"), (Command::NextKeyframe, "next keyframe")],
    },
    FirstStep {
        title: "Save, and play the game",
        text: "Everything goes into one archive. The game mode plays it as it is, saved or not.",
        keys: &[(Command::Save, "save"), (Command::PlayTest, "game"), (Command::FindCommand, "find any command")],
    },
];

impl FirstSteps {
    /// At a step.
    pub fn at(step: usize, editor: &Editor) -> FirstSteps {
        let step = step.min(STEPS.len() - 1);
        let begun = FirstSteps { step, steps_before: editor.history.undo_count(), is_open: false };
        FirstSteps { is_open: !begun.has_happened(editor), ..begun }
    }

    /// What the step asks for is so now.
    fn has_happened(&self, editor: &Editor) -> bool {
        let session = &editor.session;
        let did_something = editor.history.undo_count() > self.steps_before;
        match self.step {
            0 => !session.focus.selection.bones.is_empty(),
            1 => did_something && editor.gesture.is_none(),
            2 => did_something && editor.model().is_none_or(|model| model.drafts.is_empty()),
            3 => session.focus.playhead.is_playing,
            _ => false,
        }
    }

    /// The next step where this one has just been done. The last one ends by being dismissed.
    pub fn advanced(&self, editor: &Editor) -> FirstSteps {
        match self.is_open && self.has_happened(editor) {
            true => FirstSteps::at(self.step + 1, editor),
            false => FirstSteps { is_open: self.is_open || !self.has_happened(editor), ..*self },
        }
    }
}
