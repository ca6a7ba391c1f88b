//! The Edit menu. Undo, the clipboard, the selection of bones, materials.

use crate::editor::commands::prelude::*;
use crate::editor::document::edit::ModelEdit;

/// The commands of the Edit menu, in order.
pub const ROWS: &[Row] = &[
    row(Command::Undo, 0, "Undo", |_| DocumentAction::Undo.into()).keys(&[key(Char('Z')).ctrl()]).needs(needs::undo),
    row(Command::Redo, 0, "Redo", |_| DocumentAction::Redo.into())
        .keys(&[key(Char('Z')).ctrl().shift(), key(Char('Y')).ctrl()])
        .needs(needs::redo),
    copy(Command::Copy, 1, "Copy", |editor| {
        in_scene(editor, LevelAction::Copy, ClipboardAction::Copy(Subject::Focused))
    })
    .needs(needs::thing_or_model),
    paste(Command::Paste, 1, "Paste", |editor| {
        in_scene(editor, LevelAction::Paste(None), pasting(Subject::Focused, Side::Same))
    })
    .needs(needs::level_or_model),
    paste_mirrored(Command::PasteMirrored, 1, "Paste mirrored", |_| pasting(Subject::Focused, Side::Mirrored)),
    edit(Command::Duplicate, 1, "Duplicate", needs::thing_or_model, |editor| {
        in_scene(editor, LevelAction::Duplicate, ClipboardAction::Duplicate)
    })
    .keys(&[key(Char('D')).shift(), key(Char('D')).ctrl()]),
    edit(Command::Delete, 1, "Delete", needs::thing_or_model, |editor| {
        in_scene(editor, LevelAction::Delete, ClipboardAction::Delete(Gap::Kept))
    })
    .keys(&[key(Delete), key(Char('X'))])
    .deletes(),
    row(Command::DeleteRipple, 1, "Ripple delete", |_| ClipboardAction::Delete(Gap::Closed).into())
        .keys(&[key(Delete).alt()])
        .edits()
        .deletes(),
    row(Command::SelectAll, 2, "Select all", |editor| in_scene(editor, LevelAction::PickAll, SelectAction::All))
        .keys(&[key(Char('A')), key(Char('A')).ctrl()]),
    row(Command::SelectListed, 2, "Select listed bones", |_| SelectAction::Listed.into())
        .keys(&[key(Char('A')), key(Char('A')).ctrl()])
        .over(Scope::Bones)
        .needs(needs::model),
    row(Command::SelectNone, 2, "Deselect all", |editor| in_scene(editor, LevelAction::PickNone, SelectAction::None))
        .keys(&[key(Char('A')).alt()]),
    row(Command::SelectParent, 2, "Select parent bone", |editor| {
        SelectAction::Bones { bones: targets::parents(editor), pick: Pick::Only }.into()
    })
    .keys(&[key(Char('['))])
    .needs(needs::bones),
    row(Command::SelectChild, 2, "Select child bone", |editor| {
        SelectAction::Bones { bones: targets::children(editor), pick: Pick::Only }.into()
    })
    .keys(&[key(Char(']'))])
    .needs(needs::bones),
    row(Command::ExtendParent, 2, "Add parent to selection", |editor| {
        SelectAction::Bones { bones: targets::parents(editor), pick: Pick::Add }.into()
    })
    .keys(&[key(Char('[')).shift()])
    .needs(needs::bones),
    row(Command::ExtendChild, 2, "Add child to selection", |editor| {
        SelectAction::Bones { bones: targets::children(editor), pick: Pick::Add }.into()
    })
    .keys(&[key(Char(']')).shift()])
    .needs(needs::bones),
    row(Command::SelectChain, 2, "Select bone chain", |editor| {
        SelectAction::Bones { bones: targets::chain(editor), pick: Pick::Add }.into()
    })
    .keys(&[key(Char('L'))])
    .needs(needs::bones),
    row(Command::SelectMirror, 2, "Select mirrored bones", |editor| {
        SelectAction::Bones { bones: targets::mirrored(editor), pick: Pick::Only }.into()
    })
    .keys(&[key(Char('M')).ctrl().shift()])
    .needs(needs::bones),
    row(Command::BoxSelect, 2, "Box select", |_| GestureAction::BoxSelect.into())
        .keys(&[key(Char('B'))])
        .over(Scope::Scene),
    row(Command::SelectBack, 2, "Previous selection", |_| SelectAction::Back.into()).keys(&[key(Char('[')).alt()]),
    row(Command::SelectForward, 2, "Next selection", |_| SelectAction::Forward.into()).keys(&[key(Char(']')).alt()]),
    row(Command::SelectColumn, 2, "Select key column", |_| SelectAction::Column.into())
        .keys(&[key(Char('K'))])
        .over(Scope::Timeline)
        .needs(needs::keyframes),
    row(Command::FindCommand, 3, "Find command…", |_| ProgramAction::ShowPopup(Some(Popup::Finder)).into())
        .keys(&[key(F(3)), key(Char('P')).ctrl()]),
    row(Command::ReplaceTexture, 4, "Replace texture image…", |_| MaterialAction::ReplaceTexture(None).into())
        .needs(needs::material),
    row(Command::FindTextures, 4, "Find textures…", |_| MaterialAction::FindTextures(None).into())
        .needs(needs::missing_texture),
    edit(Command::RemoveTexture, 4, "Remove texture", needs::texture, |_| MaterialAction::RemoveTexture.into()),
    row(Command::RenameModel, 5, "Rename model…", |_| ModelAction::RequestRename.into()).needs(needs::model),
    edit(Command::RemoveModel, 5, "Remove model", needs::model, |_| ModelAction::Remove.into()),
    edit(Command::NextSkinning, 5, "Next skinning method", needs::model, |editor| {
        let skinning = editor.model().map(|model| model.skinning.next()).unwrap_or_default();
        Action::edit("Set skinning", ModelEdit::SetSkinning { model: editor.session.focus.model, skinning })
    }),
    edit(Command::AddSocket, 6, "Add socket", needs::bones, |_| SocketAction::Add.into()),
    edit(Command::SocketToBone, 6, "Move socket to bone", needs::socket_and_bone, |_| SocketAction::ToBone.into()),
    edit(Command::RemoveSocket, 6, "Remove socket", needs::socket, |_| SocketAction::Remove.into()),
    row(Command::Preferences, 9, "Preferences…", |_| ProgramAction::ShowPopup(Some(Popup::Preferences)).into())
        .keys(&[key(Char(',')).ctrl()]),
];
