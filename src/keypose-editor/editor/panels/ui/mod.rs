//! The context that panels draw with, [`Ui`], and the widgets that they share.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::ops::Deref;
use std::sync::Arc;

use imgui::TextureId;

use crate::editor::document::Document;
use crate::editor::document::edit::{Edit, Label, ModelEdit};
use crate::editor::ops::posed::Posed;
use crate::editor::panels::ui::number_typing::NumberTyping;
use crate::editor::panels::ui::surface::Surface;
use crate::editor::panels::ui::widgets::Touch;
use crate::editor::posing::change::Change;
use crate::editor::session::Session;
use crate::editor::session::command::Command;
use crate::editor::session::shortcuts::{KeyName, Stroke};
use crate::editor::session::transient::Request;
use crate::editor::state::Editor;
use crate::editor::state::action::{Action, DocumentAction, SelectAction};
use crate::editor::view::View;
use keypose::anim::clip::Clip;
use keypose::anim::skeleton::{BoneIndex, Skeleton};
use keypose::assets::bone_match::without_prefix;
use keypose::assets::draft::Draft;
use keypose::assets::model::Model;
use keypose::assets::rig_notes::RigNotes;
use keypose::assets::texture::Texture;

pub mod color_field;
pub mod double_click;
pub mod figures;
pub mod fold;
pub mod fonts;
pub mod form;
pub mod key_mark;
pub mod menu;
pub mod name_field;
pub mod number_field;
pub mod number_typing;
pub mod popover;
pub mod prelude;
pub mod rect;
pub mod search;
pub mod surface;
pub mod sys;
pub mod theme;
pub mod widgets;

/// A section of the manual: the file of a page, and the heading.
pub type Section = (&'static str, &'static str);

/// Finds the section of the manual about a control by its label.
pub type SectionAbout = fn(&str) -> Option<Section>;

/// The state that panels share and write while they draw.
#[derive(Debug, Default)]
pub struct Kept {
    /// The actions of the frame, in order.
    pub actions: RefCell<Vec<Action>>,
    /// The number field that is typed into.
    typing: RefCell<NumberTyping>,
    /// The section of the manual about the control whose tooltip is shown.
    about: Cell<Option<Section>>,
    /// Whether a text field is open or about to open.
    expects_text: Cell<bool>,
    /// The text that is searched in lists of more than ten entries, by their ids.
    pub searches: RefCell<BTreeMap<String, String>>,
    /// The time of the frame, in milliseconds since 1970 in UTC.
    pub now_ms: Cell<u64>,
}

/// The pictures in panels. Each is requested if it doesn't exist.
#[derive(Clone, Copy)]
pub struct Pictures<'a> {
    /// The picture of a clip's first pose, by the clip's index in the active model.
    pub clip: &'a dyn Fn(usize) -> Option<TextureId>,
    /// The picture of a model, by its index in the document.
    pub model: &'a dyn Fn(usize) -> Option<TextureId>,
    /// A small picture of an image.
    pub image: &'a dyn Fn(&Arc<Texture>) -> Option<TextureId>,
}

impl Kept {
    /// Whether a text field is open or about to open, so that keys are text and not commands.
    pub fn expects_text(&self) -> bool {
        self.expects_text.get() || self.typing.borrow().is_opening()
    }

    /// Begins to draw the panels. Fields that are still open report it again.
    pub fn begin_panels(&self) {
        self.typing.borrow_mut().begin_frame();
        self.expects_text.set(false);
    }
}

/// Everything that a panel needs in a frame: a frame to draw on, the editor as it was at the start of the frame, and a
/// place to send actions to. Dereferences to [`Surface`] and, through it, to Dear ImGui's own `Ui`.
#[derive(Clone, Copy)]
pub struct Ui<'a> {
    surface: &'a Surface<'a>,
    /// The state that the panels share.
    pub kept: &'a Kept,
    section_about: SectionAbout,
    pictures: Pictures<'a>,
    /// The whole editor.
    pub editor: &'a Editor,
    /// The saved part of the editor.
    pub document: &'a Document,
    /// The unsaved part: selection, tool, camera, playhead.
    pub session: &'a Session,
    /// The displayed pose and what belongs to it.
    pub view: &'a View,
}

impl<'a> Deref for Ui<'a> {
    type Target = Surface<'a>;

    fn deref(&self) -> &Surface<'a> {
        self.surface
    }
}

impl<'a> Ui<'a> {
    /// The context of a frame; `kept` gets its actions.
    pub fn new(
        surface: &'a Surface<'a>,
        editor: &'a Editor,
        view: &'a View,
        kept: &'a Kept,
        section_about: SectionAbout,
        pictures: Pictures<'a>,
    ) -> Ui<'a> {
        let (document, session) = (&editor.document, &editor.session);
        Ui { surface, kept, section_about, pictures, editor, document, session, view }
    }

    /// The picture of the first pose of a clip of the active model, by its name. Requests it if it doesn't exist.
    pub fn clip_picture(&self, name: &str) -> Option<TextureId> {
        let clips = &self.model()?.clips;
        (self.pictures.clip)(clips.iter().position(|slot| slot.clip.name == name)?)
    }

    /// The picture of a model, by its name; an empty name is the first one. Requests it if it doesn't exist.
    pub fn model_picture(&self, name: &str) -> Option<TextureId> {
        let models = &self.document.models;
        (self.pictures.model)(models.iter().position(|model| name.is_empty() || model.name == name)?)
    }

    /// A small picture of an image. Requests it if it doesn't exist.
    pub fn picture(&self, image: &Arc<Texture>) -> Option<TextureId> {
        (self.pictures.image)(image)
    }

    /// The active model.
    pub fn model(&self) -> Option<&'a Arc<Model>> {
        self.view.model.as_ref()
    }

    /// The active model without the preview of an open gesture: what a value that is dragged starts from.
    pub fn base_model(&self) -> Option<&'a Arc<Model>> {
        let document = self.editor.gesture.as_ref().map_or(self.document, |gesture| &gesture.base);
        document.models.get(self.session.focus.model)
    }

    /// The active clip.
    pub fn clip(&self) -> Option<&'a Arc<Clip>> {
        self.view.clip.as_ref()
    }

    /// The draft at the playhead.
    pub fn draft(&self) -> Option<&'a Draft> {
        self.view.draft.as_ref()
    }

    /// Whether a panel must do this in this frame.
    pub fn requested(&self, request: Request) -> bool {
        self.session.transient.requests.contains(&request)
    }

    /// Whether a command can run now.
    pub fn can_run(&self, command: Command) -> bool {
        command.can_run(self.editor).is_ok()
    }

    /// Whether the switch or choice of a command is on.
    pub fn is_on(&self, command: Command) -> bool {
        command.is_on(self.editor).unwrap_or(false)
    }

    /// The first key of a command, as text; empty if it has none.
    pub fn key_of(&self, command: Command) -> String {
        let key = self.session.workspace.bindings.of(command).first();
        key.map(|stroke| self.key_text(*stroke)).unwrap_or_default()
    }

    /// A key with its modifiers, as printed on the user's keyboard.
    pub fn key_text(&self, stroke: Stroke) -> String {
        self.session.workspace.preferences.printed_keys.text(stroke)
    }

    /// The keys that shorten and lengthen a chain, as printed on the user's keyboard.
    pub fn bracket_keys(&self) -> String {
        ['[', ']'].map(|bracket| self.key_text(Stroke::new(KeyName::Char(bracket)))).join(" ")
    }

    /// Whether a gesture runs that takes over keyboard and mouse, such as a transform or moving keys.
    pub fn is_gesture_driven(&self) -> bool {
        self.editor.gesture.as_ref().is_some_and(|gesture| gesture.takes_keys())
    }

    /// Shows a tooltip for the last item, with its key, after a delay; not while text is typed, nor without a text. If the manual has a section
    /// about a control of this text, F1 opens it.
    pub fn tip(&self, text: &str, key: &str) {
        self.tip_at(text, key, None);
    }

    /// As [`Ui::tip`], with its lower end at `y`: what is below stays visible.
    pub fn tip_above(&self, y: f32, text: &str, key: &str) {
        self.tip_at(text, key, Some(self.surface.tip_corner(y, text, key)));
    }

    fn tip_at(&self, text: &str, key: &str, bottom_left: Option<[f32; 2]>) {
        if text.is_empty() {
            return;
        }
        let section = if sys::is_hovered_for_a_while(self.imgui) { (self.section_about)(text) } else { None };
        let manual = self.key_of(Command::Manual);
        let below = if section.is_some() && !manual.is_empty() { format!("{manual}: manual") } else { String::new() };
        if self.surface.tip(text, key, &below, bottom_left) {
            self.kept.about.set(section);
        }
    }

    /// Takes the section of the manual about the control whose tooltip was shown in the last frame.
    pub fn take_about(&self) -> Option<Section> {
        self.kept.about.take()
    }

    /// Shows a tooltip for the last item: a command and its key.
    pub fn tip_command(&self, command: Command) {
        self.tip(command.label(), &self.key_of(command));
    }

    /// The time of the frame, in milliseconds since 1970 in UTC.
    pub fn now_ms(&self) -> u64 {
        self.kept.now_ms.get()
    }

    pub fn send(&self, action: impl Into<Action>) {
        self.kept.actions.borrow_mut().push(action.into());
    }

    /// Sends the bone under the mouse. Clears only the one that `sent` keeps, because the viewport hovers bones, too.
    pub fn send_hover(&self, sent: &mut Option<BoneIndex>, hovered: Option<BoneIndex>) {
        let current = self.session.transient.hover;
        if hovered != current && (hovered.is_some() || *sent == current) {
            self.send(SelectAction::Hover(hovered));
        }
        *sent = hovered;
    }

    /// Reports that a text field is open or about to open: keys are text then. Reported in each frame.
    pub fn expect_text(&self) {
        self.kept.expects_text.set(true);
    }

    /// The number of actions sent so far in this frame.
    pub fn sent(&self) -> usize {
        self.kept.actions.borrow().len()
    }

    pub fn run(&self, command: Command) {
        self.send(command);
    }

    /// Makes one undo step of some edits.
    pub fn edit(&self, label: impl Into<Label>, edits: Vec<Edit>) {
        self.send(DocumentAction::Edit { label: label.into(), change: Change::Edits(edits) });
    }

    /// Does what the touch of a field asks for: an undo step of some edits, or a gesture that previews them.
    pub fn change(&self, touch: Touch, step: &'static str, edits: impl FnOnce() -> Vec<Edit>) {
        if touch == Touch::AT_ONCE {
            self.edit(step, edits());
        } else {
            self.gesture(touch, step, || Change::Edits(edits()));
        }
    }

    /// Does what the touch of a field asks for, with new notes of the active model's rig.
    pub fn edit_rig(&self, touch: Touch, step: &'static str, rig: impl FnOnce() -> RigNotes) {
        let model = self.session.focus.model;
        self.change(touch, step, || vec![ModelEdit::SetRig { model, rig: rig().into() }.into()]);
    }

    /// Makes one undo step of a pose, by auto-key.
    pub fn pose(&self, label: &'static str, posed: Vec<Posed>) {
        self.send(DocumentAction::Edit { label: label.into(), change: Change::Pose(posed) });
    }

    /// Turns the touch of a dragged or typed value into a gesture: begins it, previews `change` (the whole change since
    /// the beginning), commits it.
    pub fn gesture(&self, touch: Touch, label: &'static str, change: impl FnOnce() -> Change) {
        if touch.is_begun {
            self.send(DocumentAction::Begin { label: label.into() });
        }
        if touch.is_cancelled {
            return self.send(DocumentAction::Cancel);
        }
        if touch.is_changed {
            self.send(DocumentAction::Preview(change()));
        }
        if touch.is_ended {
            self.send(DocumentAction::Commit);
        }
    }
}

/// The name of a bone as lists show it; empty if the skeleton has no such bone.
pub fn bone_name(skeleton: &Skeleton, bone: BoneIndex) -> &str {
    skeleton.get(bone).map_or("", |bone| without_prefix(&bone.name))
}
