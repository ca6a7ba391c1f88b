//! Lumps that a newer version of Keypose wrote: kept byte for byte, or the edit that would replace them is refused with a reason.

use keypose::assets::project::UnknownLump;
use keypose::wad;
use keypose::wad::archive::Archive;
use keypose::wad::journal::{Event, Place, delta, head, read, record, replay};
use keypose::wad::kind::Kind;
use keypose::wad::pack::pack;
use keypose_editor::editor::document::edit::{Edit, EditError, ModelEdit};
use keypose_editor::editor::script;
use keypose_editor::editor::state::Editor;
use keypose_editor::editor::state::action::Origin;

use crate::editor_kit::{self, opened};
use crate::root::root;

/// An archive with lumps of every kind, of which some have a newer version.
fn archive_with_newer(kind: Kind) -> (Vec<u8>, Vec<UnknownLump>) {
    let path = root().join("data/tests/versions/all-kinds-1.wad");
    let bytes = std::fs::read(path).unwrap();
    let mut lumps = Archive::open(&bytes).unwrap().to_lumps().unwrap();
    let mut newer = Vec::new();
    for lump in lumps.iter_mut().filter(|lump| lump.kind == kind) {
        let bytes = format!("newer {}", lump.name).into_bytes();
        (lump.version, lump.bytes) = (9, Some(bytes.clone()));
        newer.push(UnknownLump { kind: kind.0, name: lump.name.clone(), version: 9, bytes: bytes.into() });
    }
    assert!(!newer.is_empty(), "{kind}");
    (pack(lumps, None).unwrap(), newer)
}

/// All of these lumps are in the archive of a document, as they were.
fn check_kept(editor: &Editor, newer: &[UnknownLump]) {
    let bytes = wad::encode(editor.document.project(), &[]).unwrap();
    let archive = Archive::open(&bytes).unwrap();
    for lump in newer {
        let entry = archive.find(Kind(lump.kind), &lump.name).unwrap_or_else(|| panic!("{} is gone", lump.name));
        assert_eq!((entry.version, &*archive.lump(entry).unwrap()), (lump.version, &*lump.bytes), "{}", lump.name);
    }
}

#[test]
fn an_edit_that_would_replace_a_newer_lump_is_refused_with_a_reason() {
    let cases = [
        (Kind::DRAFTS, "clip walk; seek 1f; pose \"bone 2\" rotation 10 0 0", "unkeyed poses"),
        (Kind::RIG, "select \"bone 2\"; group g1", "bone groups"),
        (Kind::RIG, "mirror-pair \"bone 1\" \"bone 2\"", "mirror pairs"),
        (Kind::CLIP_NOTES, "clip walk; folder far/away", "folders"),
        (Kind::CLIP_NOTES, "clip walk; run reversed-clip", "derived clips"),
    ];
    for (kind, words, what) in cases {
        let (bytes, newer) = archive_with_newer(kind);
        let mut editor = opened(&bytes);
        let before = editor.document.clone();
        let error = script::run(&mut editor, words).err();
        let notice = editor.session.transient.notice.as_ref().map(|notice| notice.text.clone());
        let refusal = error.or(notice).unwrap_or_default();
        assert!(refusal.contains(what) && refusal.contains("newer version of Keypose"), "{words}: {refusal}");
        assert!(editor.document.is_equal(&before), "{words}");
        // Other edits work.
        script::run(&mut editor, "save-pose other").unwrap();
        assert!(!editor.document.is_equal(&before), "{words}");
        check_kept(&editor, &newer);
    }
}

#[test]
fn newer_reference_images_or_their_places_keep_the_other_lumps() {
    for (kind, other) in [(Kind::REFERENCES, Kind::REFERENCE_IMAGE), (Kind::REFERENCE_IMAGE, Kind::REFERENCES)] {
        let (bytes, mut newer) = archive_with_newer(kind);
        let (archive, count) = (Archive::open(&bytes).unwrap(), newer.len());
        for entry in archive.entries_of(other) {
            let bytes = archive.lump(entry).unwrap().to_vec().into();
            newer.push(UnknownLump { kind: entry.kind.0, name: entry.name.clone(), version: entry.version, bytes });
        }
        assert!(newer.len() > count, "{kind}");
        let editor = opened(&bytes);
        check_kept(&editor, &newer);
        let edit: Edit = ModelEdit::SetReferences { model: 0, references: editor_kit::model().references }.into();
        let refused = editor.document.with(&[edit]);
        assert!(matches!(refused, Err(EditError::Newer { .. })), "{kind}");
        check_kept(&opened(&wad::encode(editor.document.project(), &[]).unwrap()), &newer);
    }
}

#[test]
fn lumps_of_every_newer_kind_survive_edits_renaming_and_the_journal() {
    for kind in [Kind::DRAFTS, Kind::RIG, Kind::CLIP_NOTES, Kind::REFERENCES, Kind::SOURCE] {
        let (bytes, mut newer) = archive_with_newer(kind);
        let mut editor = opened(&bytes);
        let before = editor.document.clone();
        script::run(&mut editor, "clip walk; seek 0f; pose \"bone 2\" rotation 10 0 0; key I; save-pose other")
            .unwrap();
        check_kept(&editor, &newer);
        let rename: Edit = ModelEdit::RenameModel { model: 0, name: "squire".into() }.into();
        let owner = editor.document.models[0].name.clone();
        editor.document = editor.document.with(&[rename]).unwrap();
        newer.iter_mut().filter(|lump| lump.name == owner).for_each(|lump| lump.name = "squire".into());
        check_kept(&editor, &newer);
        let lumps = delta(&before, &editor.document).unwrap();
        let step = Event::Step { label: "all".into(), before: Place::default(), after: Place::default(), lumps };
        let journal = [head(), record(&step, 0, 0).unwrap()].concat();
        let replayed = replay(&bytes, read(&journal).unwrap()).unwrap();
        check_kept(&Editor::new(replayed.project().clone(), &Origin::New), &newer);
    }
}
