//! The context menu of bones, in the bone list and in the viewport. It acts on the selected bones.

use crate::editor::panels::ui::prelude::*;

/// The entries, in groups.
const ENTRIES: &[&[Command]] = &[
    &[Command::KeySelected, Command::DeleteKeyHere],
    &[Command::CopyPose, Command::PastePose, Command::PastePoseMirrored, Command::MirrorPose],
    &[Command::ClearTranslation, Command::ClearRotation, Command::ClearScale, Command::ClearAll, Command::SetRestPose],
    &[Command::SelectChain, Command::SelectMirror, Command::SelectParent, Command::SelectChild],
    &[Command::TogglePin, Command::Hide, Command::HideOthers, Command::Reveal],
    &[Command::FrameSelected],
];

/// Draws the entries.
pub fn bone_menu(ui: &Ui<'_>) {
    menu::commands(ui, ENTRIES);
}
