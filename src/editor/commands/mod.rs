//! The catalogue of commands: one table from which menus, tooltips, the command search and key handling come.

use crate::editor::session::command::Command;
use crate::editor::session::display::Shading;
use crate::editor::session::shortcuts::Stroke;
use crate::editor::session::switch::Switch;
use crate::editor::state::Editor;

mod catalogue;
mod run;

pub use catalogue::CATALOGUE;
pub use run::run;

/// Over which panel a command's strokes work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Everywhere, where the panel under the mouse has no command of its own for the stroke.
    Anywhere,
    /// The viewport and the bone tree.
    Viewport,
    /// The strip, the dope sheet and the curves.
    Timeline,
    /// The list of clips.
    Clips,
    /// The state machine.
    Machine,
}

/// The menus of the menu bar, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Menu {
    File,
    Edit,
    Pose,
    Clip,
    Keys,
    View,
    Game,
    Help,
}

impl Menu {
    /// All, in the order in which they are shown.
    pub const ALL: [Menu; 8] =
        [Menu::File, Menu::Edit, Menu::Pose, Menu::Clip, Menu::Keys, Menu::View, Menu::Game, Menu::Help];

    /// The word in the menu bar.
    pub fn name(self) -> &'static str {
        match self {
            Menu::File => "File",
            Menu::Edit => "Edit",
            Menu::Pose => "Pose",
            Menu::Clip => "Clip",
            Menu::Keys => "Keys",
            Menu::View => "View",
            Menu::Game => "Game",
            Menu::Help => "Help",
        }
    }
}

/// One row of the catalogue. Within a menu, entries stand in the order of the table; a new group has a line above it.
#[derive(Clone, Copy, Debug)]
pub struct CommandDef {
    /// Which command.
    pub command: Command,
    /// For menus and the command search.
    pub label: &'static str,
    /// The menu and the group in it.
    pub menu: Menu,
    /// Entries of one group stand together.
    pub group: u8,
    /// Where its strokes work.
    pub scope: Scope,
    /// The strokes that run it unless they are changed; the first is shown.
    pub strokes: &'static [Stroke],
}

impl Command {
    /// Its row of the catalogue.
    pub fn def(self) -> &'static CommandDef {
        let row = CATALOGUE.iter().find(|def| def.command == self);
        row.unwrap_or(&CATALOGUE[0])
    }

    /// For menus and the command search.
    pub fn label(self) -> &'static str {
        self.def().label
    }

    /// Whether it can run now; where not, the reason.
    pub fn can_run(self, editor: &Editor) -> Result<(), &'static str> {
        run::can_run(self, editor)
    }

    /// True for what changes the document, each time in one step that can be undone. Everything else is looking,
    /// selecting, playing, files and the program itself.
    pub fn is_edit(self) -> bool {
        use crate::editor::session::command::Command::*;
        matches!(
            self,
            Paste
                | PasteMirrored
                | Duplicate
                | Delete
                | DeleteRipple
                | Move
                | Rotate
                | Scale
                | KeyPose
                | KeySelected
                | KeyChanged
                | DeleteKeyHere
                | DropDraft
                | ClearTranslation
                | ClearRotation
                | ClearScale
                | ClearAll
                | MirrorPose
                | Breakdown
                | Push
                | Relax
                | TowardsNeighbour
                | MakeMachine
                | DropMachine
                | AddMachineState
                | DeleteInMachine
                | NewClip
                | DuplicateClip
                | DeleteClip
                | MirroredClip
                | ReversedClip
                | RetimedClip
                | TrimmedClip
                | UnlockClip
                | LoopOnce
                | LoopLoop
                | LoopPingPong
                | InsertKeyframe
                | AppendKeyframe
                | MergeKeyframes
                | HoldKeyframe
                | TypeDuration
                | DuplicateKeyframe
                | DeleteKeyframe
                | EndHere
                | EaseStep
                | EaseLinear
                | EaseCubic
                | TangentAuto
                | TangentFlat
                | TangentLinear
                | TangentFree
                | TangentBroken
                | MoveKeys
                | ScaleKeys
                | RippleKeys
                | DuplicateKeys
                | DeleteKeys
                | DeleteKeysRipple
                | AddEvent
                | MirrorKeysInTime
                | Reach
                | SavePose
                | TakeImageOff
        )
    }

    /// For commands that switch something: whether it is on.
    pub fn is_on(self, editor: &Editor) -> Option<bool> {
        run::is_on(self, editor)
    }
}

/// The commands whose label holds all words of a query, in any case; those that begin with it first.
pub fn search(query: &str) -> Vec<Command> {
    let query = query.to_lowercase();
    let words: Vec<&str> = query.split_whitespace().collect();
    let text = |command: Command| format!("{} {}", command.label(), command.def().menu.name()).to_lowercase();
    let matches = |command: &Command| words.iter().all(|word| text(*command).contains(word));
    let mut found: Vec<_> = CATALOGUE.iter().map(|def| def.command).filter(matches).collect();
    found.sort_by_key(|command| !command.label().to_lowercase().starts_with(query.trim()));
    found
}

/// The command of a shading.
pub fn command_of_shading(shading: Shading) -> Command {
    match shading {
        Shading::Lit => Command::ShadeLit,
        Shading::Flat => Command::ShadeFlat,
        Shading::Wireframe => Command::ToggleWireframe,
        Shading::XRay => Command::ToggleXRay,
        Shading::Weights => Command::ShadeWeights,
        Shading::BoneColors => Command::ShadeBoneColors,
        Shading::Normals => Command::ShadeNormals,
    }
}

/// The shading that a command shows.
fn shading_of(command: Command) -> Option<Shading> {
    Shading::ALL.into_iter().find(|&shading| command_of_shading(shading) == command)
}

/// The switch that a command toggles.
fn switch_of(command: Command) -> Option<Switch> {
    Some(match command {
        Command::ToggleSkeleton => Switch::Skeleton,
        Command::ToggleGrid => Switch::Grid,
        Command::ToggleBoneNames => Switch::BoneNames,
        Command::ToggleBoneAxes => Switch::BoneAxes,
        Command::ToggleStats => Switch::Stats,
        Command::ToggleTurntable => Switch::Turntable,
        Command::ToggleOnionSkin => Switch::OnionSkin,
        Command::GhostNeighbours => Switch::GhostNeighbours,
        Command::GhostMirror => Switch::GhostMirror,
        Command::GhostSaved => Switch::GhostSaved,
        Command::ToggleTrails => Switch::Trails,
        Command::ToggleOverlays => Switch::Overlays,
        Command::ToggleSnapTime => Switch::SnapTime,
        Command::ToggleSharedPivot => Switch::SharedPivot,
        Command::ToggleHoldTurn => Switch::HoldTurn,
        Command::ToggleRepeat => Switch::Repeat,
        Command::TogglePingPong => Switch::PingPong,
        Command::ToggleOnlySelected => Switch::OnlySelected,
        Command::ToggleOnlyKeyed => Switch::OnlyKeyed,
        Command::ToggleNormalised => Switch::Normalised,
        Command::ToggleLiveMirror => Switch::LiveMirror,
        Command::ToggleReferences => Switch::References,
        Command::ToggleFollow => Switch::Follow,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_one_row_and_a_place_in_a_menu() {
        for (at, def) in CATALOGUE.iter().enumerate() {
            assert!(!CATALOGUE[..at].iter().any(|other| other.command == def.command), "{:?}", def.command);
            assert!(!CATALOGUE[..at].iter().any(|other| other.label == def.label), "{}", def.label);
            assert_eq!(def.command.def().label, def.label);
        }
    }

    #[test]
    fn groups_stand_together() {
        for menu in Menu::ALL {
            let groups: Vec<u8> = CATALOGUE.iter().filter(|def| def.menu == menu).map(|def| def.group).collect();
            assert!(groups.is_sorted(), "{}: {groups:?}", menu.name());
            assert!(!groups.is_empty(), "{}", menu.name());
        }
    }

    #[test]
    fn words_find_commands() {
        assert_eq!(search("undo").first(), Some(&Command::Undo));
        assert!(search("clip new").contains(&Command::NewClip));
        assert!(search("no such thing").is_empty());
    }
}
