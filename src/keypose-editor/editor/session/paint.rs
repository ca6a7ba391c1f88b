//! Weight painting in the rig mode: the brush and where it is.

use std::collections::BTreeSet;

use glam::{Vec2, Vec3};

use keypose::anim::skeleton::{BoneIndex, Skeleton};
use keypose_tools::rig::paint::{self, Spot};

/// How a stroke paints, and how much.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BrushSettings {
    pub action: paint::Action,
    /// In points, 1 to [`BrushSettings::MAX_RADIUS`].
    pub radius: f32,
    /// 0 to 1.
    pub strength: f32,
    /// The weight of the actions that replace, 0 to 1.
    pub weight: f32,
    /// Whether vertices that face away from the eye stay.
    pub is_front_only: bool,
}

impl BrushSettings {
    /// Maximum radius in points.
    pub const MAX_RADIUS: f32 = 1000.0;

    /// The settings within their ranges.
    pub fn clamped(self) -> BrushSettings {
        let unit = |value: f32| if value.is_finite() { value.clamp(0.0, 1.0) } else { 1.0 };
        let radius = if self.radius.is_finite() { self.radius.clamp(1.0, BrushSettings::MAX_RADIUS) } else { 50.0 };
        BrushSettings { radius, strength: unit(self.strength), weight: unit(self.weight), ..self }
    }
}

impl Default for BrushSettings {
    fn default() -> BrushSettings {
        let action = paint::Action::Add;
        BrushSettings { action, radius: 40.0, strength: 0.5, weight: 1.0, is_front_only: true }
    }
}

/// A setting that the mouse changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BrushValue {
    Radius,
    Strength,
}

/// A setting while the mouse changes it, from where it was at first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Adjusted {
    pub value: BrushValue,
    pub before: BrushSettings,
    /// The pixel where it began.
    pub from: Vec2,
}

/// The brush over the surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BrushSpot {
    pub spot: Spot,
    /// In model space.
    pub radius: f32,
}

/// Weight painting.
#[derive(Clone, Debug, Default)]
pub struct PaintDesk {
    /// Whether the mouse paints.
    pub is_on: bool,
    pub brush: BrushSettings,
    /// Whether the pose of the clip is shown instead of the bind pose.
    pub is_posed: bool,
    /// Names of the bones whose weights painting keeps.
    pub locked: BTreeSet<String>,
    pub adjusted: Option<Adjusted>,
    /// Where the brush is; `None` beside the surface.
    pub over: Option<BrushSpot>,
}

impl PaintDesk {
    /// Whether the clip's pose is on screen.
    pub fn shows_pose(&self) -> bool {
        self.is_on && self.is_posed
    }

    /// The locked bones.
    pub fn locked_in(&self, skeleton: &Skeleton) -> Vec<BoneIndex> {
        self.locked.iter().filter_map(|name| skeleton.find(name)).collect()
    }
}

/// An action of weight painting.
#[derive(Clone, Debug, PartialEq)]
pub enum PaintAction {
    /// Paints, or edits bones again.
    Toggle,
    /// Shows the pose of the clip, or the bind pose.
    TogglePose,
    Set(BrushSettings),
    /// Changes a setting with the mouse.
    Adjust(BrushValue),
    /// Ends that, with the setting as before.
    CancelAdjust,
    /// Notches of the mouse wheel.
    Turn(BrushValue, f32),
    /// Locks bones, or unlocks them if all are locked.
    ToggleLock(Vec<BoneIndex>),
    UnlockAll,
    /// Paints once around a point of the bind pose.
    Dab {
        settings: BrushSettings,
        bone: BoneIndex,
        at: Vec3,
        /// In model space, in place of that of the settings.
        radius: f32,
    },
}
