//! Keypose archives in Bevy: [`KeyposePlugin`] loads `.wad` files, spawns their models as bones and skinned meshes, plays
//! their clips by the sampler of `keypose`, sends [`ClipEvent`]s and keeps a child of a bone for each active hit and hurt
//! volume. When the file changes, a model is built again; clips continue, and what hangs on sockets stays.
//!
//! ```no_run
//! # use bevy_asset::AssetServer;
//! # use bevy_ecs::prelude::*;
//! # use bevy_keypose::{Character, PlayClip};
//! fn spawn(mut commands: Commands, assets: Res<AssetServer>) {
//!     commands.spawn((Character::new(assets.load("demo.wad"), "knight"), PlayClip::new("walk")));
//! }
//! ```
//!
//! Left out: morph targets, keyed visibilities and texture frames, springs, root motion, the second four influences of a
//! vertex, normal maps, outlines and toon shading. To run a state machine or inverse kinematics of `keypose`, write to
//! [`Pose`] between [`KeyposeSystems::Sample`] and [`KeyposeSystems::Apply`].

mod archive;
mod build;
mod material;
mod mesh;
mod play;
mod volumes;

use bevy_app::{App, Plugin, Update};
use bevy_asset::{Asset, AssetApp, Assets, Handle};
use bevy_camera::visibility::Visibility;
use bevy_ecs::prelude::*;
use bevy_mesh::Mesh;
use bevy_mesh::skinning::SkinnedMeshInverseBindposes;
use bevy_transform::components::Transform;
use keypose::anim::clip::LoopMode;
use keypose::anim::pose::LocalPose;
use keypose::anim::time::Time;

pub use crate::archive::{Archive, ArchiveError, ArchiveLoader};
pub use crate::volumes::{HitVolume, HurtVolume, Volume};
pub use keypose;

/// Loads `.wad` files and plays their models.
#[derive(Default)]
pub struct KeyposePlugin;

/// The steps of a frame, in order.
#[derive(SystemSet, Clone, Debug, PartialEq, Eq, Hash)]
pub enum KeyposeSystems {
    /// Spawns the bones and meshes of characters whose archive was loaded or has changed.
    Build,
    /// Advances clips, sends events and fills [`Pose`].
    Sample,
    /// Writes poses to the transforms of bones, and spawns and despawns volumes.
    Apply,
}

/// A model of an archive. Its bones and meshes are spawned below the entity when the archive has loaded.
#[derive(Component, Clone, Debug)]
#[require(Transform, Visibility, Pose)]
pub struct Character {
    /// A file that Bevy loads, such as `assets.load("demo.wad")`.
    pub archive: Handle<Archive>,
    /// The name of the model; empty for the first.
    pub model: String,
}

impl Character {
    /// A model of an archive, by name.
    pub fn new(archive: Handle<Archive>, model: impl Into<String>) -> Character {
        Character { archive, model: model.into() }
    }
}

/// The clip that a [`Character`] plays. Insert another to play another clip from its start.
#[derive(Component, Clone, Debug)]
pub struct PlayClip {
    /// The name of the clip. The character rests if its model has no such clip.
    pub clip: String,
    /// 1 is the speed of the clip; negative plays backwards.
    pub speed: f32,
    /// Replaces the loop mode that the clip has in the archive.
    pub loop_mode: Option<LoopMode>,
    /// Playing time, which continues through loops.
    pub elapsed: Time,
}

impl PlayClip {
    /// Plays a clip at its own speed, from its start.
    pub fn new(clip: impl Into<String>) -> PlayClip {
        PlayClip { clip: clip.into(), speed: 1.0, loop_mode: None, elapsed: Time::ZERO }
    }
}

/// The pose of a character, a transform per bone.
#[derive(Component, Clone, Debug, Default)]
pub struct Pose(pub LocalPose);

/// A bone, by its index in the skeleton. It has a `Name`, too.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bone(pub usize);

/// A socket, by name. Its children follow it; the model that is attached to it in the archive is one of them.
#[derive(Component, Clone, Debug, PartialEq, Eq)]
pub struct Socket(pub String);

/// A clip passed an event.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub struct ClipEvent {
    /// The entity of the [`Character`] that plays the clip.
    pub character: Entity,
    /// The name of the event.
    pub name: String,
}

impl Plugin for KeyposePlugin {
    fn build(&self, app: &mut App) {
        init::<Mesh>(app);
        init::<SkinnedMeshInverseBindposes>(app);
        material::init(app);
        app.init_asset::<Archive>().register_asset_loader(ArchiveLoader).add_message::<ClipEvent>();
        app.configure_sets(Update, (KeyposeSystems::Build, KeyposeSystems::Sample, KeyposeSystems::Apply).chain());
        app.add_systems(Update, build::build.in_set(KeyposeSystems::Build));
        app.add_systems(Update, play::sample.in_set(KeyposeSystems::Sample));
        app.add_systems(Update, (play::apply, volumes::update).in_set(KeyposeSystems::Apply));
    }
}

/// Initializes a kind of asset, unless another plugin has.
fn init<A: Asset>(app: &mut App) {
    if !app.world().contains_resource::<Assets<A>>() {
        app.init_asset::<A>();
    }
}
