//! The files in `data/` are those that the generator makes, byte for byte. After a change: `cargo run -p keypose-gen`.

use std::path::Path;

use keypose_gen::knight::clips::FOLDER;
use keypose_tools::clip_text::{self, ClipText};

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

/// `keypose clip export data/demo.wad -o data/src/knight` would change none of them.
#[test]
fn texts_of_the_knights_clips_are_those_that_the_archive_gives() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
    let project = keypose::wad::decode(&std::fs::read(data.join("demo.wad")).unwrap()).unwrap().project;
    let knight = &project.models[project.model_named("knight").unwrap()];
    let mut texts = std::collections::BTreeSet::new();
    for slot in &knight.clips {
        let notes = knight.clip_notes.get(&slot.id).cloned().unwrap_or_default();
        let (clip, lanes) = ((*slot.clip).clone(), knight.combat.lanes_of(slot.id));
        let text = ClipText { clip, lanes, folder: notes.folder, tags: notes.tags };
        let name = format!("{}.txt", slot.clip.name);
        let committed = std::fs::read_to_string(Path::new(FOLDER).join(&name)).unwrap();
        assert!(
            committed == clip_text::write(&text, &knight.skeleton),
            "data/src/knight/{name} differs from the archive"
        );
        texts.insert(name);
    }
    let files = Path::new(FOLDER).read_dir().unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert_eq!(files.collect::<std::collections::BTreeSet<_>>(), texts);
}
