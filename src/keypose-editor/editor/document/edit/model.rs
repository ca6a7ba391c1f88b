//! The edits of the models and their parts.

use std::sync::Arc;

use crate::editor::document::apply::{checked_name, model_mut, refused, rename_in_events, renamed};
use crate::editor::document::edit::EditError;
use crate::editor::document::{materials, scalars};
use crate::editor::ops::rigging::{BoneEdit, edited, move_added_layers};
use keypose::anim::bake::SampleFormat;
use keypose::anim::scalar::{Scalar, ScalarIndex};
use keypose::anim::shared_list::SharedList;
use keypose::anim::skeleton::BoneIndex;
use keypose::anim::skin::Skin;
use keypose::anim::skin::method::Method;
use keypose::anim::transform::Transform;
use keypose::assets::clip_event::What;
use keypose::assets::combat::{Combat, Volume};
use keypose::assets::machine::AnimationTable;
use keypose::assets::material::Material;
use keypose::assets::mesh::Mesh;
use keypose::assets::model::{Model, Socket, Visibility};
use keypose::assets::project::Project;
use keypose::assets::reference::{self, Reference};
use keypose::assets::rig_notes::RigNotes;
use keypose::assets::saved_pose::{self, SavedPose};
use keypose::assets::sprite_recipe::SpriteRecipe;
use keypose::assets::texture::Texture;
use keypose::wad::kind::{Kind, Role};
use keypose_tools::reimport;
use keypose_tools::rig::vertex::{VertexRef, set_weights};

/// An edit of a model, its meshes, bones, materials, sockets, poses or animation table. `model` is an index into the project's models.
#[derive(Clone, Debug, PartialEq)]
pub enum ModelEdit {
    /// Appends models of one file; taken names get numbers, clips get new ids, and what refers to another of the models follows.
    AddModels { add: Vec<Model> },
    /// Replaces a model by the result of its re-import, or by the same one with another rig; clips with the id 0 are new.
    Replace { model: usize, with: Box<Model> },
    /// Sockets, levels and events that name the model follow.
    RenameModel { model: usize, name: String },
    /// Removes a model with its clips. Sockets to which it was attached become empty.
    RemoveModel { model: usize },
    /// Shows or hides a mesh.
    SetVisibility { model: usize, mesh: usize, visibility: Visibility },
    /// The transform of a bone where a clip has no key.
    SetRest { model: usize, bone: BoneIndex, transform: Transform },
    /// Replaces the animation table, with its state machine.
    SetMachine { model: usize, machine: AnimationTable },
    /// Replaces the pose library.
    SetPoses { model: usize, poses: SharedList<Arc<SavedPose>> },
    /// Replaces bone groups, mirror pairs, Euler orders, joint limits, IK chains, humanoid and bone map.
    SetRig { model: usize, rig: Box<RigNotes> },
    /// Replaces a material; a taken name is an error.
    SetMaterial { model: usize, material: usize, with: Material },
    /// Replaces the image of a material's texture for every material that shares it. Creates a texture if there is none.
    SetImage { model: usize, material: usize, image: Arc<Texture> },
    /// Replaces all reference images of a model.
    SetReferences { model: usize, references: Vec<Arc<Reference>> },
    /// Replaces the sockets; taken names are an error. If there are as many as before, one whose old name is gone has a new name, which
    /// the events of the model follow.
    SetSockets { model: usize, sockets: Vec<Socket> },
    /// How the bones of a model move its vertices.
    SetSkinning { model: usize, skinning: Method },
    /// How the baked clips of a model are stored.
    SetSamples { model: usize, samples: SampleFormat },
    /// Replaces the settings of the sprite sheet.
    SetSprites { model: usize, sprites: Arc<SpriteRecipe> },
    /// Appends a number that clips can key.
    AddScalar { model: usize, scalar: Scalar },
    /// Replaces name and default of a scalar.
    SetScalar { model: usize, scalar: ScalarIndex, with: Scalar },
    /// Removes a scalar with its keys; not the weight of a morph target.
    RemoveScalar { model: usize, scalar: ScalarIndex },
    /// Changes the bones of a model; everything that refers to them follows.
    EditBones { model: usize, edit: BoneEdit },
    /// Replaces the weights of a vertex, and of those at the same place.
    SetWeights { model: usize, at: VertexRef, weights: Vec<(BoneIndex, f32)> },
    /// Replaces meshes by the same ones with other weights, and the skins, to which joints may have been added.
    SetInfluences { model: usize, skins: Vec<Arc<Skin>>, meshes: Vec<(usize, Arc<Mesh>)> },
    /// Replaces the volumes where the model can be hit. If there are as many as before, one whose old name is gone has a new name, which
    /// the lanes of clips follow.
    SetHurtVolumes { model: usize, volumes: Vec<Volume> },
}

impl ModelEdit {
    /// Applies the edit. If it fails, the project is in an unknown state and must be discarded.
    pub(in crate::editor::document) fn apply(&self, project: &mut Project) -> Result<(), EditError> {
        match self {
            ModelEdit::AddModels { add } => add_models(project, add),
            ModelEdit::Replace { model, with } => put_reimported(project, *model, with),
            ModelEdit::RenameModel { model, name } => rename_model(project, *model, name),
            ModelEdit::RemoveModel { model } => remove_model(project, *model),
            ModelEdit::SetVisibility { model, mesh, visibility } => set_visibility(project, *model, *mesh, *visibility),
            ModelEdit::SetRest { model, bone, transform } => set_rest(project, *model, *bone, *transform),
            ModelEdit::SetMachine { model, machine } => {
                change(project, *model, |model| model.machine = machine.clone())
            }
            ModelEdit::SetPoses { model, poses } => {
                let model = model_mut(project, *model)?;
                let checked = saved_pose::check_changed(poses, &model.poses);
                model.poses = poses.clone();
                checked.map_err(|reason| refused(model, reason))
            }
            ModelEdit::SetRig { model, rig } => {
                let model = model_mut(project, *model)?;
                let checked = rig.check_changed(&model.rig);
                model.rig = RigNotes::clone(rig);
                checked.map_err(|reason| refused(model, reason))
            }
            ModelEdit::SetMaterial { model, material, with } => {
                materials::set_material(model_mut(project, *model)?, *material, with)
            }
            ModelEdit::SetImage { model, material, image } => {
                materials::set_image(model_mut(project, *model)?, *material, image)
            }
            ModelEdit::SetReferences { model, references } => {
                let model = model_mut(project, *model)?;
                model.references = references.clone();
                let checked = reference::check(references);
                checked.map_err(|reason| refused(model, reason))
            }
            ModelEdit::SetSockets { model, sockets } => set_sockets(project, *model, sockets),
            ModelEdit::SetSkinning { model, skinning } => change(project, *model, |model| model.skinning = *skinning),
            ModelEdit::SetSamples { model, samples } => change(project, *model, |model| model.samples = *samples),
            ModelEdit::SetSprites { model, sprites } => {
                let model = model_mut(project, *model)?;
                model.sprites = sprites.clone();
                sprites.check().map_err(|reason| refused(model, reason))
            }
            ModelEdit::AddScalar { model, scalar } => scalars::add(model_mut(project, *model)?, scalar),
            ModelEdit::SetScalar { model, scalar, with } => scalars::set(model_mut(project, *model)?, *scalar, with),
            ModelEdit::RemoveScalar { model, scalar } => scalars::remove(model_mut(project, *model)?, *scalar),
            ModelEdit::EditBones { model, edit } => edit_bones(model_mut(project, *model)?, edit),
            ModelEdit::SetWeights { model, at, weights } => edit_weights(model_mut(project, *model)?, *at, weights),
            ModelEdit::SetInfluences { model, skins, meshes } => set_influences(project, *model, skins, meshes),
            ModelEdit::SetHurtVolumes { model, volumes } => {
                let model = model_mut(project, *model)?;
                set_hurt_volumes(model.combat_mut(), volumes);
                model.combat.check().map_err(|reason| refused(model, reason))
            }
        }
    }
}

fn change(project: &mut Project, model: usize, change: impl FnOnce(&mut Model)) -> Result<(), EditError> {
    model_mut(project, model).map(change)
}

fn edit_bones(model: &mut Model, edit: &BoneEdit) -> Result<(), EditError> {
    let changed = edited(model, edit).and_then(|changed| {
        changed.check().map_err(|error| error.reason)?;
        Ok(changed)
    });
    *model = changed.map_err(|reason| refused(model, reason))?;
    Ok(())
}

fn edit_weights(model: &mut Model, at: VertexRef, weights: &[(BoneIndex, f32)]) -> Result<(), EditError> {
    *model = set_weights(model, at, weights).map_err(|reason| refused(model, reason))?;
    Ok(())
}

fn set_influences(
    project: &mut Project,
    model: usize,
    skins: &[Arc<Skin>],
    meshes: &[(usize, Arc<Mesh>)],
) -> Result<(), EditError> {
    let model = model_mut(project, model)?;
    model.skins = skins.to_vec();
    for (at, mesh) in meshes {
        let missing = EditError::NoMesh { model: model.name.clone(), mesh: *at };
        model.meshes.get_mut(*at).ok_or(missing)?.mesh = mesh.clone();
    }
    Ok(())
}

fn add_models(project: &mut Project, models: &[Model]) -> Result<(), EditError> {
    for model in models {
        model.check().map_err(|error| refused(model, error.reason))?;
    }
    project.add_models(models.iter().cloned());
    Ok(())
}

fn put_reimported(project: &mut Project, index: usize, model: &Model) -> Result<(), EditError> {
    let name = model_mut(project, index)?.name.clone();
    model.check().map_err(|error| EditError::Model { model: name.clone(), reason: error.reason })?;
    if model.name != name {
        return Err(EditError::NameTaken { name: model.name.clone() });
    }
    reimport::put(project, index, model.clone());
    Ok(())
}

fn set_hurt_volumes(combat: &mut Combat, volumes: &[Volume]) {
    let before = std::mem::replace(&mut combat.hurt, volumes.to_vec());
    for [old, new] in renamed(&before, volumes, |volume| &volume.name) {
        let hurts = combat.lanes.values_mut().flat_map(|lanes| &mut lanes.hurts);
        for hurt in hurts.filter(|hurt| hurt.volume == old) {
            new.clone_into(&mut hurt.volume);
            hurt.replaced.iter_mut().for_each(|replaced| new.clone_into(&mut replaced.name));
        }
    }
}

fn set_sockets(project: &mut Project, index: usize, sockets: &[Socket]) -> Result<(), EditError> {
    let model = model_mut(project, index)?;
    let before = std::mem::replace(&mut model.sockets, sockets.to_vec());
    model.check().map_err(|error| refused(model, error.reason))?;
    for names in renamed(&before, sockets, |socket| &socket.name) {
        rename_in_events(&mut project.models[index], What::Socket, names);
    }
    Ok(())
}

fn rename_model(project: &mut Project, index: usize, name: &str) -> Result<(), EditError> {
    let name = checked_name(name, |name| {
        project.models.iter().enumerate().any(|(at, model)| at != index && model.name == name)
    })?;
    let before = std::mem::replace(&mut model_mut(project, index)?.name, name.clone());
    // Lumps of a newer version are named after their model.
    let is_of_model = |kind| matches!(Kind(kind).role(), Some(Role::Optional));
    for unknown in project.unknown.iter_mut().filter(|unknown| unknown.name == before && is_of_model(unknown.kind)) {
        unknown.name.clone_from(&name);
    }
    for level in &mut project.levels {
        if level.player == before {
            Arc::make_mut(level).player.clone_from(&name);
        }
        if level.kinds.iter().any(|kind| kind.model == before) {
            let kinds = Arc::make_mut(level).kinds.iter_mut();
            kinds.filter(|kind| kind.model == before).for_each(|kind| kind.model.clone_from(&name));
        }
    }
    for model in &mut project.models {
        rename_in_events(model, What::Model, [&before, &name]);
        if model.sockets.iter().any(|socket| socket.attached == before) {
            let sockets = Arc::make_mut(model).sockets.iter_mut();
            sockets.filter(|socket| socket.attached == before).for_each(|socket| socket.attached = name.clone());
        }
    }
    Ok(())
}

fn remove_model(project: &mut Project, model: usize) -> Result<(), EditError> {
    if model >= project.models.len() {
        return Err(EditError::NoModel { model });
    }
    let removed = project.models.remove(model);
    for model in &mut project.models {
        if model.sockets.iter().any(|socket| socket.attached == removed.name) {
            let sockets = Arc::make_mut(model).sockets.iter_mut();
            sockets.filter(|socket| socket.attached == removed.name).for_each(|socket| socket.attached.clear());
        }
    }
    Ok(())
}

fn set_visibility(project: &mut Project, index: usize, mesh: usize, visibility: Visibility) -> Result<(), EditError> {
    let model = model_mut(project, index)?;
    let missing = EditError::NoMesh { model: model.name.clone(), mesh };
    model.meshes.get_mut(mesh).ok_or(missing)?.visibility = visibility;
    Ok(())
}

fn set_rest(project: &mut Project, index: usize, bone: BoneIndex, transform: Transform) -> Result<(), EditError> {
    let model = model_mut(project, index)?;
    let missing = EditError::NoBone { model: model.name.clone(), bone };
    let before = model.skeleton.get(bone).ok_or(missing)?.rest;
    let skeleton = model.skeleton.with_rests(|at, rest| if at == bone { transform } else { rest });
    model.skeleton = Arc::new(skeleton.map_err(|reason| EditError::Skeleton { reason })?);
    move_added_layers(model, bone, [before, transform]);
    Ok(())
}
