//! Generates everything in `data/`: the demo archive with the knight, his sword, a dummy, a goblin, levels and sounds, the icon, and the test scenes. The
//! same bytes each time, on every platform.

pub mod clips;
pub mod foes;
pub mod geometry;
#[path = "../../../tests/support/glb.rs"]
pub mod glb;
pub mod gltf_models;
pub mod icon;
pub mod knight;
pub mod level;
pub mod malformed;
pub mod maths;
pub mod rig;
pub mod scenes;
pub mod sounds;
pub mod volumes;

use std::sync::{Arc, LazyLock};

use keypose::assets::project::Project;

/// A generated file: its path below `data/` and its bytes.
pub type File = (&'static str, Vec<u8>);

/// Everything that is generated.
pub fn files() -> Result<Vec<File>, String> {
    let mut files = vec![
        ("demo.wad", archive(&demo()?)?),
        ("tests/two_bones.wad", archive(&scenes::two_bones())?),
        ("tests/arm.wad", archive(&scenes::arm())?),
    ];
    files.extend([
        ("icon/keypose.svg", icon::svg()),
        ("icon/keypose.png", icon::png(256)?),
        ("icon/window.png", icon::png(64)?),
    ]);
    files.extend(gltf_models::files());
    files.extend(malformed::files());
    Ok(files)
}

/// The demo: the knight, his sword, foes, levels, sounds. Generated once; copies share it.
///
/// # Errors
///
/// A wrong line in the text of a level or of one of the knight's clips.
pub fn demo() -> Result<Project, String> {
    static DEMO: LazyLock<Result<Project, String>> = LazyLock::new(make_demo);
    DEMO.clone()
}

fn make_demo() -> Result<Project, String> {
    let rig = knight::bones::rig();
    let mut project = Project::default();
    project.add_model(knight::model(&rig)?);
    project.add_model(knight::sword::model());
    project.add_model(foes::dummy::model());
    project.add_model(foes::goblin::model());
    project.add_model(foes::bat::model());
    project.levels = level::all()?.into_iter().map(Arc::new).collect();
    project.sounds = sounds::all().into_iter().map(Arc::new).collect();
    Ok(project)
}

/// A project as an archive, once it is valid.
pub fn archive(project: &Project) -> Result<Vec<u8>, String> {
    for model in &project.models {
        model.check().map_err(|reason| format!("model {}: {reason}", model.name))?;
    }
    keypose::wad::encode(project, &[]).map_err(|error| error.to_string())
}
