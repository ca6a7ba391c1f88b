//! The opponent that attacks are shown with: whose figure it is, and how far away it stands.

/// Model and distance of the opponent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OpponentChoice {
    /// The name of its model; if there is none of this name, the active model.
    pub model: String,
    pub distance: Distance,
}

/// The distance of the opponent.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Distance {
    /// As far as the attack reaches.
    #[default]
    Reach,
    /// In metres, at the character's size in the game.
    Metres(f32),
}

impl Distance {
    /// The distances that are offered.
    pub const ALL: [Distance; 6] = [
        Distance::Reach,
        Distance::Metres(0.5),
        Distance::Metres(0.8),
        Distance::Metres(1.1),
        Distance::Metres(1.5),
        Distance::Metres(2.0),
    ];

    pub fn name(self) -> String {
        match self {
            Distance::Reach => "At reach".to_owned(),
            Distance::Metres(metres) => format!("{metres} m away"),
        }
    }
}
