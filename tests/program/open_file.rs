//! Opening archives from the disk: what is made of a file stays whole whatever becomes of
//! the file's name, and what is cut off is refused.

use std::fs;
use std::path::{Path, PathBuf};

use keypose::assets::project::Project;
use keypose::wad;
use keypose_app::app::files::save::save_atomically;
use keypose_app::app::files::{self, DEMO, FileKind, Opened};

use crate::folder::Folder;
use crate::root::root;

fn demo() -> PathBuf {
    root().join("data/demo.wad")
}

/// Ids and all.
fn is_same(opened: &Opened, project: &Project) -> bool {
    opened.report.is_empty() && opened.project == *project
}

#[test]
fn a_file_opens_as_its_bytes_do() {
    let bytes = fs::read(demo()).unwrap();
    let decoded = wad::decode(&bytes).unwrap();
    let opened = files::open(&demo()).unwrap();
    assert!(is_same(&opened, &decoded.project) && opened.kind == FileKind::Archive);
    assert_eq!(opened.characters.len(), decoded.characters.len());
    assert!(opened.project.models.iter().any(|model| !model.textures.is_empty()), "there are pixels to share");
    let again = files::open(&demo()).unwrap();
    let clips = || again.project.models.iter().flat_map(|model| &model.clips);
    assert!(clips().all(|slot| slot.clip.keyframes.is_packed()), "keys are made when they are looked at");
    assert!(
        clips().zip(decoded.project.models.iter().flat_map(|model| &model.clips)).all(|(a, b)| a
            .clip
            .keyframes
            .iter()
            .eq(&b.clip.keyframes))
    );
    assert_eq!(*files::load(&demo()).unwrap().bytes, *bytes);
}

#[test]
fn the_demo_that_the_program_carries_opens() {
    let opened = files::open(Path::new(DEMO)).unwrap();
    assert!(is_same(&opened, &wad::decode(&fs::read(demo()).unwrap()).unwrap().project));
    assert_eq!(opened.kind, FileKind::Imported, "it is not saved over");
}

#[test]
fn a_file_that_is_cut_off_is_refused_with_its_name() {
    let folder = Folder::new("cut");
    let (file, bytes) = (folder.join("cut.wad"), fs::read(demo()).unwrap());
    for length in [1, 7, 63, 64, 100, 4096, bytes.len() / 2, bytes.len() - 33, bytes.len() - 1] {
        fs::write(&file, &bytes[..length]).unwrap();
        let refused = files::open(&file).unwrap_err();
        assert!(refused.contains("cut.wad: ") && !refused.contains('\n'), "{length}: {refused}");
    }
    fs::write(&file, b"").unwrap();
    assert!(files::open(&file).unwrap_err().contains("the file is empty"));
}

#[test]
fn what_was_opened_stays_whole_when_the_file_is_replaced_or_deleted() {
    let folder = Folder::new("read");
    let (file, bytes) = (folder.join("a.wad"), fs::read(demo()).unwrap());
    let (whole, other) = (wad::decode(&bytes).unwrap().project, wad::encode(&Project::default(), &[]).unwrap());
    let open = || files::open(&file).unwrap();
    fs::write(&file, &bytes).unwrap();
    let opened = open();
    for _ in 0..5 {
        // The last generation of the file that was opened is gone after these.
        save_atomically(&file, &other).unwrap();
        assert!(is_same(&opened, &whole));
        assert!(open().project.models.is_empty());
    }
    let again = open();
    fs::remove_dir_all(&*folder).unwrap();
    assert!(is_same(&opened, &whole) && again.project.models.is_empty());
    let characters = |opened: &Opened| opened.characters.iter().map(|character| character.clips.len()).sum::<usize>();
    assert!(characters(&opened) > 0);
}
