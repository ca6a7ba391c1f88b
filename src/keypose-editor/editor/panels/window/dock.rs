//! The dock: all panels of a frame, and the state that they keep between frames.

use imgui::{MouseButton, TextureId};

use crate::editor::panels::inspector::InspectorPanel;
use crate::editor::panels::machine::MachinePanel;
use crate::editor::panels::model::animation_table::animation_table_ui;
use crate::editor::panels::model::bones::BonesPanel;
use crate::editor::panels::model::clip_check::ClipCheckPanel;
use crate::editor::panels::model::clips::ClipsPanel;
use crate::editor::panels::model::materials::materials_ui;
use crate::editor::panels::model::poses::PosesPanel;
use crate::editor::panels::model::sounds::SoundsPanel;
use crate::editor::panels::sprites::{SpriteInputs, SpritesPanel, frames_ui, sheet_ui};
use crate::editor::panels::timeline::panel::TimelinePanel;
use crate::editor::panels::ui::surface::Surface;
use crate::editor::panels::ui::{Kept, Pictures, Ui, sys};
use crate::editor::panels::view::palette::palette_ui;
use crate::editor::panels::view::pixels::PixelPicture;
use crate::editor::panels::view::references::references_ui;
use crate::editor::panels::view::start::{self, StartScreen};
use crate::editor::panels::view::toast::ToastTime;
use crate::editor::panels::view::viewport::ViewportPanel;
use crate::editor::panels::window::browser::preview::{FilePreview, FileVersion};
use crate::editor::panels::window::browser::{BrowserMemory, FileBrowser, browser_ui};
use crate::editor::panels::window::docking::LayoutState;
use crate::editor::panels::window::finder::Popups;
use crate::editor::panels::window::history::HistoryPanel;
use crate::editor::panels::window::input_order::Readiness;
use crate::editor::panels::window::key_focus::{KeyFocus, Mouse};
use crate::editor::panels::window::keyboard;
use crate::editor::panels::window::layout;
use crate::editor::panels::window::layout::Panel;
use crate::editor::panels::window::log::LogPanel;
use crate::editor::panels::window::manual::ManualWindow;
use crate::editor::panels::window::manual::pages::section_about;
use crate::editor::panels::window::prompts::prompts_ui;
use crate::editor::panels::window::status_bar::{Figures, status_bar_ui};
use crate::editor::panels::window::top_bar::top_bar_ui;
use crate::editor::session::command::Command;
use crate::editor::session::shortcuts::{KeyName, Stroke, TypedStroke};
use crate::editor::session::switch::Switch;
use crate::editor::session::transient::Request;
use crate::editor::session::{Question, Session};
use crate::editor::state::Editor;
use crate::editor::state::action::{Action, DocumentAction, ProgramAction};
use crate::editor::view::View;
use crate::editor::view::checks::{Checks, Wanted};
use keypose::assets::clip_event::Names;

#[derive(Debug, Default)]
pub struct Dock {
    pub viewport: ViewportPanel,
    /// The open file browser.
    pub browser: Option<FileBrowser>,
    browser_memory: BrowserMemory,
    clips: ClipsPanel,
    poses: PosesPanel,
    bones: BonesPanel,
    sounds: SoundsPanel,
    inspector: InspectorPanel,
    timeline: TimelinePanel,
    machine: MachinePanel,
    check: ClipCheckPanel,
    /// The clip check.
    pub checks: Checks,
    /// Whether clips were checked in this frame, or are left to check.
    is_checking: bool,
    log: LogPanel,
    history: HistoryPanel,
    sprites: SpritesPanel,
    popups: Popups,
    start: StartScreen,
    manual: ManualWindow,
    layout: LayoutState,
    /// The panels that get keys.
    focus: KeyFocus,
    /// Panels to bring to the front of their tabs.
    to_front: Vec<Panel>,
    /// The panel of the bottom area that fills the window, or did last.
    filled: Option<Panel>,
    /// Whether a panel got the focus.
    has_focused: bool,
    /// How the window was divided in the last frame.
    division: Option<Division>,
    kept: Kept,
}

/// How the window is divided between its bars.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Division {
    /// All panels are docked.
    Docked,
    /// The panels of the level mode have fixed places.
    Level,
    /// The panels of the sprites mode have fixed places.
    Sprites,
    /// One panel of the bottom area fills the window.
    Filled,
    /// The start screen takes the place of the panels.
    Start,
}

impl Division {
    fn of(ui: &Ui<'_>) -> Division {
        let scene = &ui.session.transient.scene;
        match (scene.level(), ui.session.is_on(Switch::Filled)) {
            (Some(_), _) => Division::Level,
            (None, _) if scene.sprites().is_some() && ui.model().is_some() => Division::Sprites,
            (None, _) if start::is_shown(ui) => Division::Start,
            (None, true) => Division::Filled,
            (None, false) => Division::Docked,
        }
    }
}

/// The app's part of a frame.
pub struct FrameInputs<'a> {
    /// The rendered viewport, of [`ViewportPanel::size`], and the view of [`ViewportPanel::beside`].
    pub pictures_of_view: [Option<TextureId>; 2],
    /// The pose on screen as a sprite, while the viewport shows pixels.
    pub pixels: Option<Result<PixelPicture, &'a str>>,
    /// The sprite sheet.
    pub sprites: SpriteInputs<'a>,
    /// The thumbnail of a keyframe of the active clip.
    pub thumbnail: &'a dyn Fn(usize) -> Option<TextureId>,
    /// The thumbnail of a pose of the library.
    pub pose_picture: &'a dyn Fn(usize) -> Option<TextureId>,
    pub pictures: Pictures<'a>,
    pub file_preview: &'a dyn Fn(&FileVersion) -> FilePreview,
    /// The key presses since the last frame.
    pub strokes: &'a [TypedStroke],
    /// The figures of the status bar.
    pub figures: &'a Figures,
    /// The time that is left to the notice.
    pub toast: ToastTime,
    /// The time, in milliseconds since 1970 in UTC.
    pub now_ms: u64,
}

impl Dock {
    /// A restored layout was made for a dock space of this size in points, and no panel was moved in it.
    pub fn follow_from(&mut self, size: Option<[f32; 2]>) {
        self.layout.follow_from(size);
    }

    /// The size of the dock space in points, if no panel was moved.
    pub fn untouched_size(&self) -> Option<[f32; 2]> {
        self.layout.untouched_size()
    }

    /// Draws all panels and returns the user's actions.
    pub fn ui(&mut self, surface: &Surface<'_>, editor: &Editor, view: &View, inputs: &FrameInputs<'_>) -> Vec<Action> {
        let kept = std::mem::take(&mut self.kept);
        kept.now_ms.set(inputs.now_ms);
        self.draw(&Ui::new(surface, editor, view, &kept, section_about, inputs.pictures), inputs);
        let actions = kept.actions.take();
        self.kept = kept;
        actions
    }

    fn draw(&mut self, ui: &Ui<'_>, inputs: &FrameInputs<'_>) {
        if !ui.session.transient.requests.is_empty() {
            ui.send(ProgramAction::RequestsHandled);
        }
        self.open_names(ui);
        self.strokes(ui, inputs.strokes);
        self.cancel_drag(ui);
        ui.kept.begin_panels();
        self.host(ui, inputs);
        let over = self.panels(ui, inputs);
        let is_pressed = MouseButton::VARIANTS.into_iter().any(|button| ui.is_mouse_clicked(button));
        self.focus.follow(Mouse { over, is_pressed, is_down: ui.is_any_mouse_down() }, ui.session);
        self.check_clips(ui);
        self.clips.enter_hidden_name(ui);
        self.poses.enter_hidden_name(ui);
        self.popups.ui(ui);
        self.manual.ui(ui);
        if !prompts_ui(ui) {
            browser_ui(ui, &mut self.browser, &mut self.browser_memory, inputs.file_preview);
        }
        let division = Division::of(ui);
        if division == Division::Docked {
            if self.division != Some(division) {
                // Else the last panel of all gets the focus of what took their place, and comes to the front of its tabs.
                self.to_front.push(Panel::Viewport);
            }
            self.focus_first(ui);
            for panel in self.to_front.drain(..) {
                sys::focus_window(ui, panel.name());
            }
        }
        self.division = Some(division);
        end_abandoned_gesture(ui);
    }

    /// Draws the panels, or the start screen. Returns the panel under the mouse.
    fn panels(&mut self, ui: &Ui<'_>, inputs: &FrameInputs<'_>) -> Option<Panel> {
        (self.check.is_shown, self.inspector.is_shown) = (false, false);
        match Division::of(ui) {
            Division::Docked => {
                let mut over = None;
                for panel in Panel::ALL {
                    if layout::panel(ui, panel, || self.panel(ui, panel, inputs)) {
                        over = Some(panel);
                    }
                }
                over
            }
            Division::Level => self.level_ui(ui, inputs),
            Division::Sprites => self.sprites_ui(ui, inputs),
            Division::Filled => self.filled_ui(ui, inputs),
            Division::Start => {
                let Dock { start, viewport, .. } = self;
                let messages = |area| _ = viewport.messages(ui, area, inputs.toast);
                let is_over = start.ui(ui, layout::middle(ui), inputs.file_preview, messages);
                is_over.then_some(Panel::Viewport)
            }
        }
    }

    /// Draws the level mode: a palette, the viewport and the inspector. Nothing else belongs to a level. Returns the panel under the mouse.
    fn level_ui(&mut self, ui: &Ui<'_>, inputs: &FrameInputs<'_>) -> Option<Panel> {
        let [palette, viewport, inspector] = layout::level_rects(ui);
        self.to_front.clear();
        let mut over = layout::placed(ui, Panel::Clips, palette, || palette_ui(ui)).then_some(Panel::Inspector);
        for (panel, rect) in [(Panel::Viewport, viewport), (Panel::Inspector, inspector)] {
            if layout::placed(ui, panel, rect, || self.panel(ui, panel, inputs)) {
                over = Some(panel);
            }
        }
        over
    }

    /// Draws the sprites mode: the sheet, the frames of a clip and the settings. Returns the panel under the mouse.
    fn sprites_ui(&mut self, ui: &Ui<'_>, inputs: &FrameInputs<'_>) -> Option<Panel> {
        let desk = ui.session.transient.scene.sprites()?;
        let [sheet, frames, settings] = layout::sprite_rects(ui);
        self.to_front.clear();
        let scale = ui.io().display_framebuffer_scale[0].max(0.5);
        let (Dock { sprites, viewport, .. }, inputs, toast) = (self, &inputs.sprites, inputs.toast);
        let draw_sheet = || {
            sheet_ui(ui, desk, inputs, scale);
            viewport.messages(ui, sheet, toast);
        };
        let is_over = [
            (Panel::Viewport, layout::placed(ui, Panel::Viewport, sheet, draw_sheet)),
            (Panel::Viewport, layout::placed(ui, Panel::Strip, frames, || frames_ui(ui, desk, inputs, scale))),
            (Panel::Inspector, layout::placed(ui, Panel::Inspector, settings, || sprites.settings_ui(ui, inputs))),
        ];
        is_over.into_iter().find(|(_, is_over)| *is_over).map(|(panel, _)| panel)
    }

    /// Draws the panel that fills the window: the one of the bottom area that was under the mouse, or else the visible one. A panel of
    /// another area that comes to the front ends it. Returns the panel under the mouse.
    fn filled_ui(&mut self, ui: &Ui<'_>, inputs: &FrameInputs<'_>) -> Option<Panel> {
        let is_below = |panel: &Panel| layout::below(ui).any(|below| below == *panel);
        if self.to_front.iter().any(|panel| !is_below(panel)) {
            ui.run(Command::ToggleFilled);
        }
        let visible = || layout::below(ui).find(|panel| sys::is_in_front(ui, panel.name()));
        let asked = self.to_front.drain(..).rfind(is_below);
        let hovered = self.focus.hovered().filter(is_below);
        let mut front = asked.or(self.filled).or(hovered).or_else(visible).unwrap_or(Panel::Strip);
        layout::tabs(ui, &mut front);
        self.filled = Some(front);
        layout::placed(ui, front, layout::filled_rect(ui), || self.panel(ui, front, inputs)).then_some(front)
    }

    /// Whether ages are shown, which grow.
    pub fn has_ages(&self, editor: &Editor) -> bool {
        editor.model().is_none()
            || self.browser.is_some()
            || editor.session.transient.question == Some(Question::UnsavedWork)
    }

    /// Gives the focus to a visible panel in the first frames. Closing a dialog gives it back; without one, the last panel of all
    /// would get it and come to the front of its tabs.
    fn focus_first(&mut self, ui: &Ui<'_>) {
        if !self.has_focused && !sys::is_any_popup_open(ui) {
            let visible = [Panel::Viewport].into_iter().chain(Panel::ALL);
            let first = visible.into_iter().find(|panel| sys::is_in_front(ui, panel.name()));
            self.has_focused = first.is_some();
            self.to_front.extend(first);
        }
    }

    /// Opens the file browser as it was left.
    pub fn browse(&mut self, mut browser: FileBrowser) {
        browser.recall(&self.browser_memory);
        self.browser = Some(browser);
    }

    /// Whether a text field is open or about to open, so that keys are text and not commands.
    fn expects_text(&self, session: &Session) -> bool {
        self.has_dialog(session) || self.kept.expects_text()
    }

    /// Whether a popup or a dialog of the program is open.
    fn has_dialog(&self, session: &Session) -> bool {
        session.transient.popup.is_some() || session.transient.question.is_some() || self.browser.is_some()
    }

    /// The state of the panels between two frames. A field that is about to lose the keyboard to another one takes no more letters.
    pub fn readiness(&self, context: &imgui::Context, session: &Session) -> Readiness {
        let is_moving = sys::is_focus_moving(context) || self.browser.as_ref().is_some_and(FileBrowser::moves_focus);
        Readiness {
            is_busy: sys::has_queued_input(context),
            is_typing: sys::is_typing(context) && !is_moving,
            expects_text: self.awaits_text(session) || is_moving,
        }
    }

    /// Whether keys are text, or will be when a requested field opens.
    fn awaits_text(&self, session: &Session) -> bool {
        let names = [Request::NameClip, Request::NameModel, Request::NamePose, Request::NameBone];
        let is_naming = names.iter().any(|name| session.transient.requests.contains(name));
        is_naming || self.expects_text(session) || self.timeline.awaits_text(session)
    }

    /// Opens the name of a clip or pose that was just added, or of the model.
    fn open_names(&mut self, ui: &Ui<'_>) {
        if ui.requested(Request::NameClip)
            && let Some(slot) = ui.editor.clip()
        {
            self.clips.name_new(ui, slot);
            self.to_front.push(Panel::Clips);
        }
        if ui.requested(Request::NamePose)
            && let Some(model) = ui.model()
        {
            self.poses.name_new(ui, model);
            self.to_front.push(Panel::Poses);
        }
        if ui.requested(Request::NameModel)
            && let Some(model) = ui.model()
        {
            self.clips.rename_model(ui, ui.session.focus.model, model);
            self.to_front.push(Panel::Clips);
        }
    }

    /// Cancels a drag that is not a gesture. Returns whether there was one.
    pub fn cancel(&mut self) -> bool {
        self.timeline.cancel()
    }

    /// Whether clips are left for the next frame to check, or results are left to show. A few are checked per frame.
    pub fn is_checking(&self) -> bool {
        self.is_checking
    }

    /// Checks what the visible panels show: all clips, or the open one. The last results stay during a drag.
    fn check_clips(&mut self, ui: &Ui<'_>) {
        let open = ui.session.focus.clip;
        let wanted = match (self.check.is_shown, self.inspector.is_shown) {
            (true, _) => Some(Wanted::All(open)),
            (false, true) => open.map(Wanted::One),
            (false, false) => None,
        };
        let wanted = if ui.editor.gesture.is_none() { wanted } else { None };
        let project = &ui.editor.document;
        let speeds = &ui.editor.caches.root_speeds;
        self.is_checking = ui.model().zip(wanted).is_some_and(|(model, wanted)| {
            let names = Names::of(model, &project.models, &project.sounds);
            self.checks.advance(model, names, wanted, speeds)
        });
    }

    /// Brings a panel to the front of its tabs.
    pub fn show(&mut self, panel: Panel) {
        self.to_front.push(panel);
    }

    fn host(&mut self, ui: &Ui<'_>, inputs: &FrameInputs<'_>) {
        let (hovered, about) = (self.focus.hovered(), ui.take_about());
        let to_front = &mut self.to_front;
        let top = || to_front.extend(top_bar_ui(ui));
        let is_requested = ui.requested(Request::ArrangePanels);
        let is_docked = Division::of(ui) == Division::Docked;
        let state = is_docked.then_some((&mut self.layout, is_requested));
        layout::host(ui, state, top, || status_bar_ui(ui, hovered, inputs.figures));
        if !ui.session.is_on(Switch::Filled) {
            self.filled = None;
        }
        if ui.requested(Request::ShowManual) {
            self.manual.show(ui, hovered, about);
        }
        if ui.requested(Request::ShowClipCheck) {
            self.to_front.push(Panel::Check);
        }
        if ui.requested(Request::ShowInspector) {
            self.to_front.push(Panel::Inspector);
        }
    }

    fn panel(&mut self, ui: &Ui<'_>, panel: Panel, inputs: &FrameInputs<'_>) {
        match panel {
            Panel::Clips => self.clips.ui(ui),
            Panel::Poses => self.poses.ui(ui, inputs.pose_picture),
            Panel::Bones => self.bones.ui(ui),
            Panel::Viewport => self.viewport.ui(ui, (inputs.pictures_of_view, inputs.pixels), inputs.toast),
            Panel::Inspector => self.inspector.ui(ui, &self.checks),
            Panel::References => references_ui(ui),
            Panel::Materials => materials_ui(ui),
            Panel::Game => animation_table_ui(ui, &mut self.to_front),
            Panel::Sounds => self.sounds.ui(ui),
            Panel::Machine => self.machine.ui(ui),
            Panel::Strip => self.timeline.ui(ui, inputs.thumbnail),
            Panel::Check => self.check.ui(ui, &self.checks),
            Panel::History => self.history.ui(ui),
            Panel::Log => self.log.ui(ui),
        }
    }

    /// Runs the commands of key presses, for the panel under the mouse, unless a text field has the keyboard.
    fn strokes(&mut self, ui: &Ui<'_>, strokes: &[TypedStroke]) {
        let preferences = &mut self.popups.preferences;
        if preferences.is_listening() {
            for pressed in strokes {
                preferences.hear(ui, pressed.stroke);
            }
            return;
        }
        let transient = &ui.session.transient;
        let is_popup_open = sys::is_any_popup_open(ui);
        let is_menu_open = is_popup_open && transient.question.is_none() && self.browser.is_none();
        keyboard::choose_in_menu(ui, is_menu_open, strokes);
        let is_escaped = is_menu_open && strokes.iter().any(|it| it.stroke == Stroke::new(KeyName::Escape));
        if is_escaped && !preferences.dismiss() {
            sys::close_popups(ui);
        }
        let expects_text = self.has_dialog(ui.session) || ui.kept.expects_text();
        if sys::is_typing_now(ui) || is_popup_open || expects_text {
            return;
        }
        for &pressed in strokes {
            let stroke = pressed.stroke;
            if stroke == Stroke::new(KeyName::Escape) && self.manual.dismiss() {
                continue;
            }
            let can_rename = self.focus.edits_model(ui.session) && ui.session.transient.scene.rig().is_none();
            if stroke == Stroke::new(KeyName::F(2)) && can_rename {
                if let Some(slot) = ui.editor.clip() {
                    self.clips.rename(ui, slot);
                    self.to_front.push(Panel::Clips);
                }
                return;
            }
            if stroke == Stroke::new(KeyName::Escape) && self.timeline.cancel() && ui.editor.gesture.is_none() {
                ui.send(DocumentAction::Cancel);
            } else {
                let action = keyboard::action_of(ui, self.focus, self.timeline.hovered_keyframes(), pressed);
                if let Some(action) = action {
                    ui.send(action);
                }
            }
        }
    }

    /// Cancels a drag of the left button when the right one is clicked. Runs before the panels, so that they see no drag
    /// to finish.
    fn cancel_drag(&mut self, ui: &Ui<'_>) {
        if !ui.is_mouse_clicked(MouseButton::Right) || !ui.is_mouse_down(MouseButton::Left) {
            return;
        }
        if self.timeline.cancel() || has_widget_gesture(ui) || ui.session.transient.pointer.press.is_some() {
            ui.send(DocumentAction::Cancel);
        }
    }
}

/// Whether a gesture is open that a widget drives.
fn has_widget_gesture(ui: &Ui<'_>) -> bool {
    ui.editor.gesture.is_some() && !ui.is_gesture_driven()
}

/// Commits a gesture whose widget is gone: Dear ImGui does not report the end of a drag if the widget is not drawn in
/// that frame.
fn end_abandoned_gesture(ui: &Ui<'_>) {
    if has_widget_gesture(ui) && !ui.is_any_item_active() && !ui.is_any_mouse_down() {
        ui.send(DocumentAction::Commit);
    }
}
