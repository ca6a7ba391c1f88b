//! Archives in an app without a window: bones, clips, events, volumes, sockets and a reload.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use bevy_app::{App, TaskPoolPlugin};
use bevy_asset::{AssetPlugin, AssetServer, Handle, LoadState};
use bevy_ecs::message::Messages;
use bevy_ecs::prelude::*;
use bevy_keypose::{Archive, Bone, Character, ClipEvent, HitVolume, HurtVolume, KeyposePlugin, PlayClip, Socket};
use bevy_mesh::Mesh3d;
use bevy_mesh::skinning::SkinnedMesh;
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use bevy_transform::TransformPlugin;
use bevy_transform::components::{GlobalTransform, Transform};

const TICK: Duration = Duration::from_millis(20);

fn data() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../data")
}

/// An app that reads and watches files of this folder and advances 20 ms per update.
fn app(folder: PathBuf) -> App {
    let mut app = App::new();
    let file_path = folder.to_string_lossy().into_owned();
    let assets = AssetPlugin { file_path, watch_for_changes_override: Some(true), ..Default::default() };
    app.add_plugins((TaskPoolPlugin::default(), TimePlugin, TransformPlugin, assets, KeyposePlugin));
    app.insert_resource(TimeUpdateStrategy::ManualDuration(TICK));
    app.finish();
    app.cleanup();
    app
}

fn load(app: &mut App, file: &str) -> Handle<Archive> {
    app.world().resource::<AssetServer>().load(file.to_owned())
}

/// Updates until a condition holds.
fn wait(app: &mut App, mut is_met: impl FnMut(&mut App) -> bool) {
    let start = std::time::Instant::now();
    while !is_met(app) {
        assert!(start.elapsed() < Duration::from_secs(60), "nothing has come for a minute");
        app.update();
        std::thread::yield_now();
    }
}

fn count<C: Component>(app: &mut App) -> usize {
    app.world_mut().query::<&C>().iter(app.world()).count()
}

/// The knight of the demo, built, at the start of a clip.
fn knight(clip: &str) -> (App, Entity) {
    let mut app = app(data());
    let archive = load(&mut app, "demo.wad");
    let knight = app.world_mut().spawn(Character::new(archive, "knight")).id();
    wait(&mut app, |app| count::<SkinnedMesh>(app) > 0);
    app.world_mut().entity_mut(knight).insert(PlayClip::new(clip));
    (app, knight)
}

#[test]
fn a_character_has_bones_meshes_and_a_sword_on_its_socket() {
    let (mut app, _) = knight("idle");
    app.update();
    let names: Vec<String> =
        app.world_mut().query::<(&Bone, &Name)>().iter(app.world()).map(|it| it.1.to_string()).collect();
    assert!(names.iter().any(|name| name == "hand.R"), "{names:?}");
    assert!(count::<Mesh3d>(&mut app) > 1, "the knight and its sword");
    let sockets: Vec<(Entity, String)> =
        app.world_mut().query::<(Entity, &Socket)>().iter(app.world()).map(|(at, it)| (at, it.0.clone())).collect();
    let (weapon, _) = sockets.iter().find(|(_, name)| name == "weapon").unwrap();
    let children = app.world().get::<Children>(*weapon).unwrap();
    assert_eq!(app.world().get::<Character>(children[0]).unwrap().model, "sword");
}

#[test]
fn a_clip_moves_bones_and_sends_each_event_once() {
    let (mut app, knight) = knight("walk");
    let mut foot = app.world_mut().query::<(&Name, &Transform, &GlobalTransform)>();
    let mut places = Vec::new();
    let mut reader = app.world().resource::<Messages<ClipEvent>>().get_cursor();
    let mut heard = 0;
    for _ in 0..80 {
        app.update();
        let foot = foot.iter(app.world()).find(|(name, ..)| name.as_str() == "foot.L").unwrap();
        places.push(foot.2.translation());
        heard += reader
            .read(app.world().resource::<Messages<ClipEvent>>())
            .filter(|it| it.name == "footstep" && it.character == knight)
            .count();
    }
    assert_eq!(heard, 4, "1.6 s are two loops of two steps");
    let lift = places.iter().map(|place| place.y).fold(f32::MIN, f32::max)
        - places.iter().map(|place| place.y).fold(f32::MAX, f32::min);
    assert!(lift > 0.02, "a foot is lifted by {lift} m");
    assert!(places[0].distance(places[40]) < 1e-3, "a loop returns to its start");
}

#[test]
fn volumes_hit_in_their_frames_only() {
    let (mut app, _) = knight("attack");
    app.update();
    let (hurts, mut hits) = (count::<HurtVolume>(&mut app), Vec::new());
    assert!(hurts > 0, "hurt volumes are there from the start");
    for _ in 0..25 {
        app.update();
        hits.push(count::<HitVolume>(&mut app));
    }
    assert_eq!(hits[0], 0);
    assert!(hits.iter().any(|count| *count > 0), "{hits:?}");
    assert_eq!(hits[24], 0, "{hits:?}");
}

#[test]
fn a_saved_file_is_built_again_and_keeps_what_hangs_on_sockets() {
    let folder = std::env::temp_dir().join(format!("bevy_keypose-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    fs::copy(data().join("demo.wad"), folder.join("hero.wad")).unwrap();
    let mut app = app(folder.clone());
    let archive = load(&mut app, "hero.wad");
    app.world_mut().spawn((Character::new(archive, "knight"), PlayClip::new("walk")));
    wait(&mut app, |app| count::<SkinnedMesh>(app) > 0);
    app.update();
    let volumes = count::<HurtVolume>(&mut app);
    let socket =
        app.world_mut().query::<(Entity, &Socket)>().iter(app.world()).find(|it| it.1.0 == "weapon").unwrap().0;
    let torch = app.world_mut().spawn((Name::new("torch"), Transform::default(), ChildOf(socket))).id();
    let old: Vec<Entity> = app.world_mut().query_filtered::<Entity, With<Bone>>().iter(app.world()).collect();

    // Its sockets hold nothing now.
    let mut saved = keypose::wad::decode(&fs::read(data().join("demo.wad")).unwrap()).unwrap();
    let knight = saved.project.models.iter_mut().find(|model| model.name == "knight").unwrap();
    let bones = knight.skeleton.len();
    std::sync::Arc::make_mut(knight).sockets.iter_mut().for_each(|socket| socket.attached.clear());
    let characters = keypose::assets::character::Character::bake_all(&saved.project.models, &saved.characters);
    fs::write(folder.join("hero.wad"), keypose::wad::encode(&saved.project, &characters).unwrap()).unwrap();
    wait(&mut app, |app| old.iter().all(|bone| app.world().get_entity(*bone).is_err()));
    app.update();
    assert_eq!((count::<Bone>(&mut app), count::<HurtVolume>(&mut app)), (bones, volumes));
    assert_eq!(app.world().get::<Children>(socket).unwrap()[..], [torch]);
    let hand = app.world().get::<ChildOf>(socket).unwrap().parent();
    assert_eq!(app.world().get::<Name>(hand).unwrap().as_str(), "weapon");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_file_that_is_not_an_archive_fails_with_the_reason() {
    let folder = std::env::temp_dir().join(format!("bevy_keypose-text-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("text.wad"), "This is not an archive.").unwrap();
    let mut app = app(folder.clone());
    let archive = load(&mut app, "text.wad");
    let state = |app: &App| app.world().resource::<AssetServer>().load_state(&archive);
    wait(&mut app, |app| state(app).is_failed());
    let LoadState::Failed(reason) = state(&app) else { panic!("it has not failed") };
    assert!(reason.to_string().contains("text.wad"), "{reason}");
    fs::remove_dir_all(folder).unwrap();
}
