//! Plays a clip of an archive in Bevy: `cargo run -- ../../data/demo.wad [MODEL [CLIP]]` in this folder.
//!
//! Each bone is an entity, so that Bevy's own skinning draws the meshes. On every frame the clip is sampled to a pose, and the pose
//! is written to the transforms of the bones. Textures, the second four influences and the state machine are left out.

use std::error::Error;
use std::sync::Arc;

use bevy::asset::RenderAssetUsages;
use bevy::mesh::skinning::{SkinnedMesh, SkinnedMeshInverseBindposes};
use bevy::mesh::{Indices, PrimitiveTopology, VertexAttributeValues};
use bevy::prelude::*;
use keypose::anim::playback::clip_time;
use keypose::anim::pose::LocalPose;
use keypose::anim::time::Time as ClipTime;
use keypose::assets::character::Character;
use keypose::assets::mesh::{Binding, Mesh as KeyposeMesh};
use keypose::assets::model::Visibility as Shown;
use keypose::wad;

/// The character that plays, and which of its clips.
#[derive(Resource)]
struct Playing {
    character: Arc<Character>,
    clip: usize,
    pose: LocalPose,
}

/// A bone, by its index in the skeleton.
#[derive(Component)]
struct Bone(usize);

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().unwrap_or_else(|| "../../data/demo.wad".into());
    let (model, clip) = (arguments.next(), arguments.next());
    let archive = wad::decode(&std::fs::read(&path).map_err(|reason| format!("{path}: {reason}"))?)?;
    let is = |name: &str, wanted: &Option<String>| wanted.as_ref().is_none_or(|wanted| wanted == name);
    let mut characters = archive.characters.into_iter();
    let character = characters.find(|it| is(&it.model.name, &model)).ok_or("no such model in the archive")?;
    let clip = character.clips.iter().position(|it| is(&it.name, &clip)).ok_or("the model has no such clip")?;
    App::new()
        .add_plugins(DefaultPlugins)
        .insert_resource(Playing { character, clip, pose: LocalPose::default() })
        .add_systems(Startup, (spawn, light))
        .add_systems(Update, play)
        .run();
    Ok(())
}

/// Spawns an entity for each bone and each mesh.
fn spawn(
    mut commands: Commands,
    playing: Res<Playing>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
    mut binds: ResMut<Assets<SkinnedMeshInverseBindposes>>,
) {
    let model = &playing.character.model;
    let root = commands.spawn((Transform::default(), Visibility::default())).id();
    let mut bones: Vec<Entity> = Vec::new();
    for (at, bone) in model.skeleton.bones().iter().enumerate() {
        let parent = bone.parent.map_or(root, |parent| bones[usize::from(parent)]);
        bones.push(commands.spawn((Bone(at), transform(&bone.rest), Visibility::default(), ChildOf(parent))).id());
    }
    for slot in model.meshes.iter().filter(|slot| slot.visibility == Shown::Shown) {
        let [red, green, blue, alpha] = model.materials[slot.mesh.material].base_color;
        let material = MeshMaterial3d(materials.add(Color::linear_rgba(red, green, blue, alpha)));
        let mesh = Mesh3d(meshes.add(mesh_of(&slot.mesh)));
        match slot.mesh.binding {
            Binding::Bone(bone) => drop(commands.spawn((mesh, material, ChildOf(bones[usize::from(bone)])))),
            Binding::Skin(skin) => {
                let skin = &model.skins[skin];
                let inverse: Vec<Mat4> = skin.inverse_binds.iter().map(|bind| Mat4::from_cols_array(&bind.to_cols_array())).collect();
                let joints = skin.joints.iter().map(|joint| bones[usize::from(*joint)]).collect();
                let skinned = SkinnedMesh { inverse_bindposes: binds.add(SkinnedMeshInverseBindposes::from(inverse)), joints };
                commands.spawn((mesh, material, skinned, ChildOf(root)));
            }
        }
    }
}

fn light(mut commands: Commands) {
    commands.spawn((Camera3d::default(), Transform::from_xyz(1.5, 1.6, 3.0).looking_at(Vec3::new(0.0, 0.9, 0.0), Vec3::Y)));
    commands.spawn((DirectionalLight::default(), Transform::from_xyz(1.0, 3.0, 2.0).looking_at(Vec3::ZERO, Vec3::Y)));
}

/// Samples the clip and moves the bones.
fn play(time: Res<Time>, mut playing: ResMut<Playing>, mut bones: Query<(&Bone, &mut Transform)>) {
    let Playing { character, clip, pose } = &mut *playing;
    let clip = &character.clips[*clip];
    let now = clip_time(ClipTime::from_secs(time.elapsed_secs_f64()), clip.length, clip.loop_mode);
    clip.sample(now, pose);
    for (bone, mut place) in &mut bones {
        *place = transform(&pose.get(bone.0));
    }
}

/// The two crates may use different versions of glam, so numbers are passed on as arrays.
fn transform(local: &keypose::anim::transform::Transform) -> Transform {
    Transform {
        translation: Vec3::from_array(local.translation.to_array()),
        rotation: Quat::from_array(local.rotation.to_array()),
        scale: Vec3::from_array(local.scale.to_array()),
    }
}

fn mesh_of(mesh: &KeyposeMesh) -> Mesh {
    let positions: Vec<[f32; 3]> = mesh.positions.iter().map(|position| position.to_array()).collect();
    let mut made = Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default())
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions)
        .with_inserted_indices(Indices::U32(mesh.indices.clone()));
    if let Some(set) = mesh.influences.first() {
        made.insert_attribute(Mesh::ATTRIBUTE_JOINT_INDEX, VertexAttributeValues::Uint16x4(set.joints.clone()));
        made.insert_attribute(Mesh::ATTRIBUTE_JOINT_WEIGHT, set.weights.clone());
    }
    match mesh.normals.is_empty() {
        // Keypose draws triangles without normals flat.
        true => made.with_duplicated_vertices().with_computed_flat_normals(),
        false => {
            let normals: Vec<[f32; 3]> = mesh.normals.iter().map(|normal| normal.to_array()).collect();
            made.with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, normals)
        }
    }
}
