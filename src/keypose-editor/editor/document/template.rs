//! Documents that start with one character of another.

use keypose::assets::project::Project;

/// Keeps a model with what it carries, as the first, and no level; `None` if there is no model of this name.
pub fn keep_only(project: &mut Project, name: &str) -> Option<()> {
    let at = project.model_named(name)?;
    project.models.swap(0, at);
    let carried: Vec<String> = project.models[0].sockets.iter().map(|socket| socket.attached.clone()).collect();
    project.models.retain(|model| model.name == name || carried.contains(&model.name));
    project.levels.clear();
    Some(())
}
