//! The buttons of a gamepad by their places, and what is printed on them.

use keypose::choice;

choice! {
    /// A button of a gamepad by its place, with its name in the preference file.
    pub enum PadButton {
        South = "South",
        East = "East",
        West = "West",
        North = "North",
        LeftShoulder = "LeftShoulder",
        RightShoulder = "RightShoulder",
        LeftTrigger = "LeftTrigger",
        RightTrigger = "RightTrigger",
        Select = "Select",
        Start = "Start",
        LeftStick = "LeftStick",
        RightStick = "RightStick",
        DpadUp = "DpadUp",
        DpadDown = "DpadDown",
        DpadLeft = "DpadLeft",
        DpadRight = "DpadRight",
    }
}

/// The labels on the buttons of a gamepad.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PadStyle {
    /// A below, B at the right.
    #[default]
    Letters,
    /// Cross below, circle at the right.
    Shapes,
}

impl PadButton {
    /// Returns the button's label.
    pub fn label(self, style: PadStyle) -> &'static str {
        let (letters, shapes) = match self {
            PadButton::South => ("A", "Cross"),
            PadButton::East => ("B", "Circle"),
            PadButton::West => ("X", "Square"),
            PadButton::North => ("Y", "Triangle"),
            PadButton::LeftShoulder => ("LB", "L1"),
            PadButton::RightShoulder => ("RB", "R1"),
            PadButton::LeftTrigger => ("LT", "L2"),
            PadButton::RightTrigger => ("RT", "R2"),
            PadButton::Select => ("Back", "Share"),
            PadButton::Start => ("Start", "Options"),
            PadButton::LeftStick => ("L stick", "L3"),
            PadButton::RightStick => ("R stick", "R3"),
            PadButton::DpadUp => ("D-pad up", "D-pad up"),
            PadButton::DpadDown => ("D-pad down", "D-pad down"),
            PadButton::DpadLeft => ("D-pad left", "D-pad left"),
            PadButton::DpadRight => ("D-pad right", "D-pad right"),
        };
        match style {
            PadStyle::Letters => letters,
            PadStyle::Shapes => shapes,
        }
    }
}
