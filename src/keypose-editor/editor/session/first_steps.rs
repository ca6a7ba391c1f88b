//! The first-steps panel: five steps from a model to a saved animation.

use crate::editor::session::command::Command;

/// The current step, and whether it is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FirstSteps {
    /// 0 to 4.
    pub step: usize,
    /// The number of undo steps when this step began.
    pub steps_before: usize,
    /// Whether the step was seen undone; only then can it be completed.
    pub is_open: bool,
}

/// One step.
#[derive(Clone, Copy, Debug)]
pub struct FirstStep {
    /// The task.
    pub title: &'static str,
    /// How to do it.
    pub text: &'static str,
    /// Commands whose keys are shown below, each with a label.
    pub keys: &'static [(Command, &'static str)],
}

pub const STEPS: [FirstStep; 5] = [
    FirstStep {
        title: "Select a bone",
        text: "Click it in the viewport or in the bone list. Drag with the right button to orbit, scroll to zoom.",
        keys: &[(Command::FrameSelected, "frame it")],
    },
    FirstStep {
        title: "Pose it",
        text: "Drag a ring of the gizmo, or press the key and move the mouse. Click to confirm, Esc to cancel.",
        keys: &[(Command::Rotate, "rotate"), (Command::Move, "move"), (Command::Undo, "undo")],
    },
    FirstStep {
        title: "Key the pose",
        text: "On a keyframe, posing sets keys automatically. Between keyframes the pose is an orange draft until you key it.",
        keys: &[(Command::KeyPose, "key the pose"), (Command::InsertKeyframe, "add a keyframe")],
    },
    FirstStep {
        title: "Set the timing",
        text: "In the timeline, each block is a keyframe and its width is the duration. Drag its right edge, then play.",
        keys: &[(Command::PlayPause, "play"), (Command::NextKeyframe, "next keyframe")],
    },
    FirstStep {
        title: "Save, and play the game",
        text: "Everything is saved in one archive. Game mode plays the current state, saved or not.",
        keys: &[(Command::Save, "save"), (Command::PlayTest, "play"), (Command::FindCommand, "find a command")],
    },
];
