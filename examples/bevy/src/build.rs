//! The entities of a character: bones, sockets and meshes.

use std::collections::BTreeMap;
use std::sync::Arc;

use bevy_asset::Assets;
use bevy_camera::visibility::{DynamicSkinnedMeshBounds, Visibility};
use bevy_ecs::prelude::*;
use bevy_mesh::Mesh3d;
use bevy_mesh::skinning::SkinnedMesh;
use keypose::assets::character::Character as Baked;
use keypose::assets::mesh::Binding;
use keypose::assets::model::{Socket as SocketDef, Visibility as Shown};

use crate::archive::Found;
use crate::play::transform;
use crate::volumes::Volumes;
use crate::{Archive, Bone, Character, Pose, Socket, material};

/// The entities that were spawned for a character.
#[derive(Component)]
pub struct Rig {
    pub character: Arc<Baked>,
    /// In the order of the skeleton.
    pub bones: Vec<Entity>,
    sockets: BTreeMap<String, Holder>,
    /// Roots and meshes, which are despawned when the archive changes.
    spawned: Vec<Entity>,
}

/// The entity of a socket, and the model that it holds.
struct Holder {
    entity: Entity,
    /// The name of the model; empty for none.
    held: String,
    model: Option<Entity>,
}

/// A model on a socket of another one. Its own sockets stay empty, so that models cannot attach each other for ever.
#[derive(Component)]
pub struct Attached;

type Unbuilt<'w> = (Entity, &'w Character, Option<&'w mut Rig>, &'w mut Pose, Has<Attached>);

/// Builds the characters whose archive has come or changed.
pub fn build(mut commands: Commands, archives: Res<Assets<Archive>>, mut characters: Query<Unbuilt<'_>>) {
    for (entity, character, rig, mut pose, is_attached) in &mut characters {
        let Some(found) = archives.get(&character.archive).and_then(|archive| archive.find(&character.model)) else {
            continue;
        };
        // Each load of a file decodes new values.
        if rig.as_ref().is_some_and(|rig| Arc::ptr_eq(&rig.character, found.character)) {
            continue;
        }
        let mut sockets = BTreeMap::new();
        if let Some(mut rig) = rig {
            sockets = std::mem::take(&mut rig.sockets);
            // What hangs on sockets must not be despawned with the bones.
            for socket in sockets.values() {
                commands.entity(socket.entity).try_insert(ChildOf(entity));
            }
            rig.spawned.iter().for_each(|part| commands.entity(*part).try_despawn());
        }
        pose.0 = found.character.model.skeleton.rest_pose();
        let mut rig = spawn(&mut commands, entity, &found);
        rig.sockets = place_sockets(&mut commands, &rig, sockets, (!is_attached).then_some(character));
        commands.entity(entity).insert((rig, Volumes::default()));
    }
}

fn spawn(commands: &mut Commands<'_, '_>, root: Entity, found: &Found<'_>) -> Rig {
    let model = &found.character.model;
    let (mut bones, mut spawned) = (Vec::<Entity>::new(), Vec::new());
    for (at, bone) in model.skeleton.bones().iter().enumerate() {
        let parent = bone.parent.map_or(root, |parent| bones[usize::from(parent)]);
        let name = Name::new(bone.name.clone());
        let entity =
            commands.spawn((Bone(at), name, transform(&bone.rest), Visibility::default(), ChildOf(parent))).id();
        if bone.parent.is_none() {
            spawned.push(entity);
        }
        bones.push(entity);
    }
    for (slot, mesh) in model.meshes.iter().zip(found.meshes) {
        if slot.visibility != Shown::Shown {
            continue;
        }
        let name = Name::new(slot.mesh.name.clone());
        let drawn = (
            Mesh3d(mesh.clone()),
            material::component(&found.materials[slot.mesh.material]),
            name,
            Visibility::default(),
        );
        match slot.mesh.binding {
            Binding::Bone(bone) => drop(commands.spawn((drawn, ChildOf(bones[usize::from(bone)])))),
            Binding::Skin(skin) => {
                let joints = model.skins[skin].joints.iter().map(|joint| bones[usize::from(*joint)]).collect();
                let skin = SkinnedMesh { inverse_bindposes: found.binds[skin].clone(), joints };
                spawned.push(commands.spawn((drawn, skin, DynamicSkinnedMeshBounds, ChildOf(root))).id());
            }
        }
    }
    Rig { character: found.character.clone(), bones, sockets: BTreeMap::new(), spawned }
}

/// Puts sockets on their bones; old ones are kept by name, with their children. Models are attached if there is an `owner`.
fn place_sockets(
    commands: &mut Commands<'_, '_>,
    rig: &Rig,
    mut before: BTreeMap<String, Holder>,
    owner: Option<&Character>,
) -> BTreeMap<String, Holder> {
    let mut place = |socket: &SocketDef| {
        let parent = ChildOf(rig.bones[usize::from(socket.bone)]);
        let mut holder = before.remove(&socket.name).unwrap_or_else(|| {
            let new = (Socket(socket.name.clone()), Name::new(socket.name.clone()), Visibility::default());
            Holder { entity: commands.spawn(new).id(), held: String::new(), model: None }
        });
        if let Some(owner) = owner.filter(|_| holder.held != socket.attached) {
            holder.model.take().into_iter().for_each(|gone| commands.entity(gone).try_despawn());
            let attached = Character::new(owner.archive.clone(), socket.attached.clone());
            let model = (attached, Attached, ChildOf(holder.entity));
            holder.model = (!socket.attached.is_empty()).then(|| commands.spawn(model).id());
            holder.held.clone_from(&socket.attached);
        }
        commands.entity(holder.entity).try_insert((transform(&socket.transform), parent));
        (socket.name.clone(), holder)
    };
    let sockets = rig.character.model.sockets.iter().map(&mut place).collect();
    before.into_values().for_each(|gone| commands.entity(gone.entity).try_despawn());
    sockets
}
