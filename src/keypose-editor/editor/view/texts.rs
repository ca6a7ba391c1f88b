//! The texts that come from outside of the program: names in the document, paths, messages. For finding the characters
//! that the fonts need.

use crate::editor::session::Session;
use keypose::assets::model::Model;
use keypose::assets::project::Project;

/// Passes every name in a project to `visit`.
pub fn of_project(project: &Project, visit: &mut dyn FnMut(&str)) {
    project.models.iter().for_each(|model| of_model(model, visit));
    for level in &project.levels {
        visit(&level.name);
        level.kinds.iter().for_each(|kind| visit(&kind.name));
    }
    project.sounds.iter().for_each(|sound| visit(&sound.name));
}

fn of_model(model: &Model, visit: &mut dyn FnMut(&str)) {
    visit(&model.name);
    model.skeleton.bones().iter().for_each(|bone| visit(&bone.name));
    model.skeleton.scalars().iter().for_each(|scalar| visit(&scalar.name));
    model.meshes.iter().for_each(|slot| visit(&slot.mesh.name));
    model.materials.iter().for_each(|material| visit(&material.name));
    model.textures.iter().for_each(|texture| visit(&texture.name));
    model.poses.iter().for_each(|pose| visit(&pose.name));
    model.sockets.iter().for_each(|socket| visit(&socket.name));
    model.rig.groups.iter().for_each(|group| visit(&group.name));
    model.references.iter().for_each(|reference| visit(reference.name()));
    for slot in &model.clips {
        visit(&slot.clip.name);
        slot.clip.events.iter().for_each(|event| visit(&event.name));
    }
    for notes in model.clip_notes.values() {
        visit(&notes.folder);
        notes.tags.iter().for_each(|tag| visit(tag));
    }
    let of_lanes = model.combat.lanes.values().flat_map(|lanes| lanes.volumes());
    let volumes = model.combat.hurt.iter().chain(&model.rig.springs.colliders).chain(of_lanes);
    volumes.for_each(|volume| visit(&volume.name));
    if let Some(graph) = &model.machine.graph {
        let parts = graph.def.parts();
        parts.states.iter().for_each(|state| visit(&state.name));
        parts.parameters.iter().for_each(|parameter| visit(&parameter.name));
        parts.layers.iter().for_each(|layer| visit(&layer.name));
    }
}

/// Passes the paths and messages of the session, and the title of the document, to `visit`.
pub fn of_session(session: &Session, title: &str, visit: &mut dyn FnMut(&str)) {
    visit(title);
    for notice in session.workspace.log.iter().chain(&session.transient.notice) {
        visit(&notice.text);
        notice.details.iter().for_each(|line| visit(line));
    }
    for work in session.workspace.unsaved_work.iter().flatten() {
        visit(&work.title);
        visit(&work.place);
        work.last_step.iter().for_each(|step| visit(step));
    }
    visit(session.transient.folders.letters());
    let preferences = &session.workspace.preferences;
    let paths = preferences.recent.iter().chain(&preferences.folders).chain(&preferences.favourites);
    paths.filter_map(|path| path.to_str()).for_each(visit);
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;
    use keypose::anim::scalar::Scalar;
    use keypose::anim::skeleton::{Bone, Skeleton};
    use keypose::anim::transform::Transform;
    use keypose::assets::combat::{Combat, Volume};
    use keypose::assets::sound::Sound;
    use std::sync::Arc;

    #[test]
    fn names_that_panels_show_are_visited() {
        let root = Bone { name: "root".into(), parent: None, rest: Transform::IDENTITY };
        let blink = Scalar { name: "まばたき".into(), ..Scalar::layer_weight() };
        let skeleton = Skeleton::new(vec![root]).unwrap().with_scalars(vec![blink]).unwrap();
        let hurt = vec![Volume::sphere("体", "root", Vec3::ZERO, 1.0)];
        let combat = Arc::new(Combat { hurt, ..Combat::default() });
        let mut project = Project::default();
        project.add_model(Model { name: "人".into(), skeleton: Arc::new(skeleton), combat, ..Model::default() });
        project.sounds.push(Arc::new(Sound::new("音", 8_000, 1, &[0])));
        let mut seen = Vec::new();
        of_project(&project, &mut |text| seen.push(text.to_owned()));
        for name in ["人", "まばたき", "体", "音"] {
            assert!(seen.iter().any(|text| text == name), "{name}");
        }
    }
}
