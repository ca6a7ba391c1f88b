//! The buttons of a gamepad by their places, and what is printed on them.

/// A button of a gamepad by its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum PadButton {
    South,
    East,
    West,
    North,
    LeftShoulder,
    RightShoulder,
    LeftTrigger,
    RightTrigger,
    Select,
    Start,
    LeftStick,
    RightStick,
    DpadUp,
    DpadDown,
    DpadLeft,
    DpadRight,
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
    /// All buttons.
    pub const ALL: [PadButton; 16] = [
        PadButton::South,
        PadButton::East,
        PadButton::West,
        PadButton::North,
        PadButton::LeftShoulder,
        PadButton::RightShoulder,
        PadButton::LeftTrigger,
        PadButton::RightTrigger,
        PadButton::Select,
        PadButton::Start,
        PadButton::LeftStick,
        PadButton::RightStick,
        PadButton::DpadUp,
        PadButton::DpadDown,
        PadButton::DpadLeft,
        PadButton::DpadRight,
    ];

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

    /// The stored name.
    pub fn stored(self) -> String {
        format!("{self:?}")
    }

    /// The button of a stored name.
    pub fn from_stored(name: &str) -> Option<PadButton> {
        PadButton::ALL.into_iter().find(|button| button.stored() == name)
    }
}
