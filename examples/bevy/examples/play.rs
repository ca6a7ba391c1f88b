//! Plays the demo: `cargo run --release --example play --features window`. Save the archive in Keypose, and look here.

use bevy::prelude::*;
use bevy_keypose::{Character, ClipEvent, KeyposePlugin, PlayClip};

fn main() {
    let assets = AssetPlugin { file_path: "../../data".into(), watch_for_changes_override: Some(true), ..default() };
    let plugins = (DefaultPlugins.set(assets), KeyposePlugin);
    App::new().add_plugins(plugins).add_systems(Startup, spawn).add_systems(Update, listen).run();
}

fn spawn(mut commands: Commands, assets: Res<AssetServer>) {
    commands.spawn((Character::new(assets.load("demo.wad"), "knight"), PlayClip::new("walk")));
    commands.spawn((Camera3d::default(), Transform::from_xyz(1.5, 1.6, 3.0).looking_at(Vec3::Y * 0.9, Vec3::Y)));
    commands.spawn((DirectionalLight::default(), Transform::from_xyz(1.0, 3.0, 2.0).looking_at(Vec3::ZERO, Vec3::Y)));
}

fn listen(mut events: MessageReader<ClipEvent>) {
    events.read().for_each(|event| info!("{}", event.name));
}
