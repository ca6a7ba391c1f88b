//! Moving, rotating and scaling bones: always the total since the start, so that nothing drifts, flips or gimbals.

/// What a transform does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum TransformKind {
    Move,
    Rotate,
    Scale,
}

/// A transform of bones that is under way.
#[derive(Clone, Debug)]
pub struct Transforming {
    /// What it does.
    pub kind: TransformKind,
}
