//! Actions on the sockets of the active model, and the edit that changes one.

use crate::editor::document::edit::{Edit, ModelEdit};
use keypose::assets::model::{Model, Socket};

/// An action on sockets: on the active socket unless it has a number.
#[derive(Clone, Debug, PartialEq)]
pub enum SocketAction {
    /// Makes a socket the active one.
    Pick(usize),
    /// Adds a socket on the active bone.
    Add,
    /// Renames the active one; a taken or empty name is refused.
    Rename(String),
    /// Moves it to the active bone. It keeps its transform there.
    ToBone,
    /// Attaches a model of the document by its name; empty for none.
    Attach(String),
    Remove,
}

/// The edit that changes a socket of a model. `index` is the place of the model in the document.
pub fn changed(index: usize, model: &Model, at: usize, change: impl FnOnce(&mut Socket)) -> Vec<Edit> {
    let mut sockets = model.sockets.clone();
    if let Some(socket) = sockets.get_mut(at) {
        change(socket);
    }
    vec![ModelEdit::SetSockets { model: index, sockets }.into()]
}
