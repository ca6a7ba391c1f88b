//! Authored combat: hurt volumes of a character, and for each clip lanes of hits with their times. The game applies
//! it; the editor shows it in lanes and in the viewport; [`frame_data`] computes the figures of an attack.
//!
//! Ranges are times of the clip. The game looks at them at whole ticks, so [`Range::ticks`] is what counts.

use std::collections::{BTreeMap, BTreeSet};

use crate::assets::id::ClipId;
use crate::assets::machine::State;

pub mod capsule;
pub mod dummy;
pub mod fitted;
pub mod frame_data;
pub mod lanes;
pub mod placed;
pub mod sweep;
pub mod volume;

pub use lanes::{Cancel, CancelWhen, Contact, Hit, Hurt, LaneKind, Lanes, Range, Strike};
pub use volume::Volume;

/// The volumes of a model, and the lanes of its clips.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Combat {
    /// Hurt volumes in every clip that doesn't override them. In display order; unique names.
    pub hurt: Vec<Volume>,
    /// The lanes of the clips that have any. Never empty ones.
    pub lanes: BTreeMap<ClipId, Lanes>,
}

impl Combat {
    /// About how many bytes it takes in memory.
    pub fn bytes(&self) -> usize {
        let volume = |volume: &Volume| size_of::<Volume>() + volume.name.len() + volume.bone.len();
        let of_lanes = |lanes: &Lanes| {
            let hits: usize =
                lanes.hits.iter().map(|hit| size_of::<Hit>() + hit.volumes.iter().map(volume).sum::<usize>()).sum();
            let hurts: usize = lanes
                .hurts
                .iter()
                .map(|hurt| size_of::<Hurt>() + hurt.replaced.iter().map(volume).sum::<usize>())
                .sum();
            let action = |name: &String| size_of::<String>() + name.len();
            let cancels: usize = lanes
                .cancels
                .iter()
                .map(|cancel| size_of::<Cancel>() + cancel.into.iter().map(action).sum::<usize>())
                .sum();
            let contacts: usize = lanes.contacts.iter().map(|contact| size_of::<Contact>() + contact.bone.len()).sum();
            size_of::<Lanes>() + hits + hurts + cancels + size_of_val(&lanes.invulnerable[..]) + contacts
        };
        self.hurt.iter().map(volume).sum::<usize>() + self.lanes.values().map(of_lanes).sum::<usize>()
    }

    /// The lanes of a clip; empty ones if it has none.
    pub fn lanes_of(&self, clip: ClipId) -> Lanes {
        self.lanes.get(&clip).cloned().unwrap_or_default()
    }

    /// Sets the lanes of a clip, sorted by time.
    pub fn set_lanes(&mut self, clip: ClipId, mut lanes: Lanes) {
        lanes.sort();
        if lanes.is_empty() {
            self.lanes.remove(&clip)
        } else {
            self.lanes.insert(clip, lanes)
        };
    }

    /// Renames a clip in cancels. One that has the name of a state of the game means that, and stays.
    pub fn rename_clip(&mut self, before: &str, name: &str) {
        if State::ALL.iter().any(|state| state.name() == before) {
            return;
        }
        let cancels = self.lanes.values_mut().flat_map(|lanes| &mut lanes.cancels);
        let named = cancels.flat_map(|cancel| &mut cancel.into).filter(|into| *into == before);
        named.for_each(|into| name.clone_into(into));
    }

    /// The hurt volume of a name.
    pub fn hurt_named(&self, name: &str) -> Option<&Volume> {
        self.hurt.iter().find(|volume| volume.name == name)
    }

    /// The names of all bones that volumes are bound to.
    pub fn bones(&self) -> BTreeSet<&str> {
        let lanes = self.lanes.values().flat_map(Lanes::volumes);
        self.hurt.iter().chain(lanes).map(|volume| volume.bone.as_str()).collect()
    }

    /// All volumes: the hurt volumes, and those of the lanes.
    pub fn volumes_mut(&mut self) -> impl Iterator<Item = &mut Volume> {
        self.hurt.iter_mut().chain(self.lanes.values_mut().flat_map(Lanes::volumes_mut))
    }

    /// Checks that names are unique and not empty, and that all numbers are finite and in range. Bones that a model lacks are
    /// allowed: the clip check reports them, and the game ignores their volumes.
    pub fn check(&self) -> Result<(), String> {
        volume::check_all(&self.hurt).map_err(|reason| format!("hurt volumes: {reason}"))?;
        self.lanes.values().try_for_each(Lanes::check)
    }
}
