//! What can be switched on and off.

/// What of the viewport can be switched on and off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Switch {
    /// The skeleton over the mesh.
    Skeleton,
    Grid,
    /// Names beside the bones.
    BoneNames,
    /// The axes of every bone.
    BoneAxes,
    /// How much there is of the model.
    Stats,
    /// Ghosts of whatever is asked for.
    OnionSkin,
    /// Ghosts of what lies before and after the playhead.
    GhostNeighbours,
    /// A ghost of the mirrored pose.
    GhostMirror,
    /// A ghost of the last saved version.
    GhostSaved,
    /// The ways of the selected bones, and of those that keep theirs, through the clip.
    Trails,
    /// Everything that is drawn over the mesh.
    Overlays,
    /// A pose given to one side is given to the other, mirrored.
    LiveMirror,
    /// Times are rounded to the clip's frames when dragged.
    SnapTime,
    /// Clips that play once start again in the preview.
    Repeat,
    /// The preview plays to and fro, whatever the clip does at its end.
    PingPong,
    /// Games that run beside the editor show its pose.
    Follow,
    /// The end of any limb that is dragged turns as it did in the model, not a foot alone.
    HoldTurn,
    /// The dope sheet shows the selected bones only.
    OnlySelected,
    /// The dope sheet shows bones that have keys only.
    OnlyKeyed,
    /// Each curve is as high as the panel.
    Normalised,
    /// The model's reference images.
    References,
    /// The camera circles about the model.
    Turntable,
    /// Several bones turn and scale about the middle between them, not each about its own origin.
    SharedPivot,
}
