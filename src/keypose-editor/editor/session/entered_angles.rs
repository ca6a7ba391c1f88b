//! Angles that the user entered. Keys are quaternions, which don't count full turns: these keep 370° from being shown as
//! 10°, until another file is opened.

use std::collections::BTreeMap;

use glam::Vec3;

use keypose::anim::skeleton::BoneIndex;
use keypose::anim::time::Time;
use keypose::assets::id::ClipId;

/// A bone in a clip; in the rest pose if there is no clip.
type Place = (Option<ClipId>, BoneIndex);

/// Angles in degrees about x, y and z, by clip, bone and time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EnteredAngles(BTreeMap<Place, BTreeMap<Time, Vec3>>);

impl EnteredAngles {
    /// Notes the angles of a bone at a time.
    pub fn note(&mut self, clip: Option<ClipId>, bone: BoneIndex, time: Time, degrees: Vec3) {
        self.0.entry((clip, bone)).or_default().insert(time, degrees);
    }

    /// The angles of a bone in a clip.
    pub fn of(&self, clip: Option<ClipId>, bone: BoneIndex) -> BTreeMap<Time, Vec3> {
        self.0.get(&(clip, bone)).cloned().unwrap_or_default()
    }
}
