//! What every panel reads: the editor and the pose on screen, as they were at the start of the frame.

use std::sync::Arc;

use crate::anim::clip::Clip;
use crate::anim::skeleton::{BoneIndex, Skeleton};
use crate::assets::draft::Draft;
use crate::assets::model::Model;
use crate::editor::document::Document;
use crate::editor::session::Session;
use crate::editor::session::command::Command;
use crate::editor::session::transient::Request;
use crate::editor::state::Editor;
use crate::editor::view::View;

/// The editor as it is, to be read.
#[derive(Clone, Copy)]
pub struct Seen<'a> {
    /// All of it.
    pub editor: &'a Editor,
    /// What is saved.
    pub document: &'a Document,
    /// What is not.
    pub session: &'a Session,
    /// The pose on screen.
    pub view: &'a View,
}

impl<'a> Seen<'a> {
    /// The editor with its view of this frame.
    pub fn new(editor: &'a Editor, view: &'a View) -> Seen<'a> {
        Seen { editor, document: &editor.document, session: &editor.session, view }
    }

    /// What is edited.
    pub fn model(&self) -> Option<&'a Arc<Model>> {
        self.view.model.as_ref()
    }

    /// The open clip.
    pub fn clip(&self) -> Option<&'a Arc<Clip>> {
        self.view.clip.as_ref()
    }

    /// Whether panels are asked to do this in this frame.
    pub fn requested(&self, request: Request) -> bool {
        self.session.transient.requests.contains(&request)
    }

    /// The draft at the playhead.
    pub fn draft(&self) -> Option<&'a Draft> {
        self.view.draft.as_ref()
    }

    /// True where a command of the catalogue would do something now.
    pub fn can_run(&self, command: Command) -> bool {
        command.can_run(self.editor).is_ok()
    }

    /// The first key of a command, as text.
    pub fn key_of(&self, command: Command) -> String {
        self.session.workspace.bindings.text(command)
    }
}

/// A bone's name.
pub fn bone_name(skeleton: &Skeleton, bone: BoneIndex) -> &str {
    skeleton.get(bone).map_or("", |bone| &bone.name)
}
