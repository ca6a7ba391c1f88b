//! The keys of commands: the defaults of the table, unless the user changed them.

use crate::editor::commands::{CATALOGUE, Scope};
use crate::editor::session::command::Command;
use crate::editor::session::shortcuts::{Bindings, Stroke};
use crate::editor::state::Editor;

impl Bindings {
    /// The keys of a command.
    pub fn of(&self, command: Command) -> &[Stroke] {
        self.changed().get(&command).map_or(command.row().strokes, Vec::as_slice)
    }

    /// Sets the keys of a command; the defaults aren't stored as a change.
    pub fn set(&mut self, command: Command, strokes: Vec<Stroke>) {
        let is_default = strokes == command.row().strokes;
        self.change(command, (!is_default).then_some(strokes));
    }

    /// The command that a key runs over a panel: of those in the chain of its scope, the first one that can run now. If none can, the
    /// first one, which gives its reason.
    pub fn find(&self, stroke: Stroke, scope: Scope, editor: &Editor) -> Option<Command> {
        let ground = Scope::of_scene(&editor.session.transient.scene);
        let of_scope = |wanted: Scope| CATALOGUE.iter().filter(move |row| row.scope == wanted);
        let chain = scope.chain(ground).into_iter().flat_map(of_scope).map(|row| row.command);
        let found: Vec<Command> = chain.filter(|command| self.of(*command).contains(&stroke)).collect();
        found.iter().copied().find(|command| command.can_run(editor).is_ok()).or(found.first().copied())
    }

    /// The other commands that a key runs in the same place.
    pub fn others_on(&self, stroke: Stroke, command: Command) -> Vec<Command> {
        let scope = command.row().scope;
        let others = CATALOGUE.iter().filter(|row| row.scope.meets(scope) && row.command != command);
        others.map(|row| row.command).filter(|&other| self.of(other).contains(&stroke)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stroke_is_written_and_read_the_same() {
        for row in &CATALOGUE {
            for stroke in row.strokes {
                assert_eq!(stroke.to_string().parse::<Stroke>().as_ref(), Ok(stroke), "{stroke}");
            }
        }
        assert!("Ctrl+Nothing".parse::<Stroke>().is_err());
    }

    #[test]
    fn no_two_commands_share_a_stroke_in_a_scope() {
        for (at, a) in CATALOGUE.iter().enumerate() {
            for b in &CATALOGUE[at + 1..] {
                let shared = a.strokes.iter().find(|stroke| b.strokes.contains(stroke));
                assert!(!a.scope.meets(b.scope) || shared.is_none(), "{:?} and {:?}: {shared:?}", a.command, b.command);
            }
        }
    }
}
