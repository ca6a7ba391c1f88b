//! Settings that are either on or off.

/// A setting that is either on or off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Switch {
    /// The skeleton over the mesh.
    Skeleton,
    Grid,
    BoneNames,
    /// The axes of every bone.
    BoneAxes,
    /// Statistics of the model.
    Stats,
    Ghosts,
    /// Ghosts of the poses before and after the playhead.
    GhostNeighbours,
    /// A ghost of the mirrored pose.
    GhostMirror,
    /// A ghost of the last saved version.
    GhostSaved,
    /// Motion trails of the selected bones and of those whose trails are pinned.
    Trails,
    /// The centre of mass and what it stands on.
    Balance,
    /// The model that a retargeted clip comes from, beside the active one.
    SourceBeside,
    /// Hit and hurt volumes.
    Volumes,
    /// Everything that is drawn over the mesh.
    Overlays,
    /// Posing one side also poses the other, mirrored.
    LiveMirror,
    /// Dragged times snap to frames.
    SnapTime,
    /// In the preview, clips with loop mode `once` start again.
    Repeat,
    /// The preview plays forwards and backwards in turn, regardless of the loop mode.
    PingPong,
    /// Running games show the editor's pose.
    Follow,
    /// IK keeps the rotation of all end effectors, not just of feet.
    KeepEndRotation,
    /// IK moves the whole body, not just a limb.
    WholeBody,
    /// Rotating bones obeys joint limits.
    JointLimits,
    /// Bones with springs swing while a clip plays.
    Springs,
    /// Bones with springs swing behind the paused pose, too.
    LiveSprings,
    /// The dope sheet shows selected bones only.
    OnlySelected,
    /// The dope sheet shows keyed bones only.
    OnlyKeyed,
    /// Each curve is scaled to the height of the panel.
    Normalised,
    /// Reference images.
    References,
    /// The viewport shows the model as its sprites have it.
    PixelView,
    /// Two methods of skinning side by side.
    SkinningSplit,
    /// The camera orbits the model.
    Turntable,
    /// Several bones rotate and scale about their common centre, not each about its own origin.
    SharedPivot,
    /// A panel of the bottom area fills the window.
    Filled,
}
