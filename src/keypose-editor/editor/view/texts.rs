//! The texts that come from outside of the program: names in the document, paths, messages. For finding the characters
//! that the fonts need.

use crate::editor::session::Session;
use keypose::assets::model::Model;
use keypose::assets::project::Project;

/// Passes every name in a project to `visit`.
pub fn of_project(project: &Project, visit: &mut dyn FnMut(&str)) {
    project.models.iter().for_each(|model| of_model(model, visit));
    project.levels.iter().for_each(|level| visit(&level.name));
}

fn of_model(model: &Model, visit: &mut dyn FnMut(&str)) {
    visit(&model.name);
    model.skeleton.bones().iter().for_each(|bone| visit(&bone.name));
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
    if let Some(graph) = &model.machine.graph {
        let parts = graph.def.parts();
        parts.states.iter().for_each(|state| visit(&state.name));
        parts.parameters.iter().for_each(|parameter| visit(&parameter.name));
    }
}

/// Passes the paths and messages of the session, and the title of the document, to `visit`.
pub fn of_session(session: &Session, title: &str, visit: &mut dyn FnMut(&str)) {
    visit(title);
    session.workspace.log.iter().for_each(|notice| visit(&notice.text));
    if let Some(notice) = &session.transient.notice {
        visit(&notice.text);
    }
    visit(session.transient.folders.letters());
    session.workspace.preferences.recent.iter().filter_map(|path| path.to_str()).for_each(visit);
}
