//! The files in `data/` are those that the generator makes, byte for byte. After a change: `cargo run -p keypose-gen`.

use std::path::Path;

#[test]
fn committed_data_is_what_the_generator_makes() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
    for (name, bytes) in keypose_gen::files().unwrap() {
        let committed = std::fs::read(data.join(name)).unwrap();
        assert!(committed == bytes, "data/{name} is out of date: run `cargo run -p keypose-gen`");
    }
}

#[test]
fn an_archive_reads_back_as_what_was_generated() {
    let project = keypose_gen::demo().unwrap();
    let read = keypose::wad::decode(&keypose_gen::archive(&project).unwrap()).unwrap().project;
    assert_eq!(read.models.len(), project.models.len());
    assert_eq!(read.levels, project.levels);
    for (read, made) in read.models.iter().zip(&project.models) {
        assert_eq!((&read.name, &read.skeleton, &read.meshes), (&made.name, &made.skeleton, &made.meshes));
        let clips =
            |model: &keypose::assets::model::Model| model.clips.iter().map(|s| s.clip.clone()).collect::<Vec<_>>();
        assert_eq!(clips(read), clips(made));
    }
}
