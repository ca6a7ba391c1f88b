//! The folders of the file browser: requests to the app, and its answers.

use crate::editor::session::browser::BrowserAction;
use crate::editor::state::Editor;
use crate::editor::state::effect::Effect;

/// Handles an action of the file browser.
pub fn act(editor: &mut Editor, action: BrowserAction) {
    let folders = &mut editor.session.transient.folders;
    match action {
        BrowserAction::List(folder) => {
            if folders.begin(&folder) {
                editor.effects.push(Effect::ListFolder(folder));
            }
        }
        BrowserAction::Listed(listing) => folders.add(listing),
        BrowserAction::MakeFolder(folder) => editor.effects.push(Effect::MakeFolder(folder)),
        BrowserAction::FolderMade(folder, done) => folders.made = Some((folder, done)),
        BrowserAction::FindPlaces => editor.effects.push(Effect::FindPlaces),
        BrowserAction::PlacesFound(places) => folders.places = places,
        BrowserAction::ShowSystemDialog(purpose, start) => {
            editor.effects.push(Effect::ShowSystemDialog(purpose, start))
        }
    }
}
