//! All panels of a frame: the one function that the app and the tests call.

use imgui::{MouseButton, TextureId};

use crate::editor::panels::inspector::{InspectorLocal, inspector_ui};
use crate::editor::panels::machine::{MachineLocal, machine_ui};
use crate::editor::panels::model::animation_table::game_states_ui;
use crate::editor::panels::model::bones::{BonesLocal, bones_ui};
use crate::editor::panels::model::clip_check::{CheckLocal, clip_check_ui};
use crate::editor::panels::model::clips::{ClipsLocal, clips_ui};
use crate::editor::panels::model::materials::materials_ui;
use crate::editor::panels::model::poses::{PosesLocal, poses_ui};
use crate::editor::panels::timeline::panel::{TimeLocal, time_ui};
use crate::editor::panels::ui::actions::Out;
use crate::editor::panels::ui::canvas::Kit;
use crate::editor::panels::ui::seen::Seen;
use crate::editor::panels::ui::sys;
use crate::editor::panels::view::references::references_ui;
use crate::editor::panels::view::viewport::{ViewportLocal, viewport_ui};
use crate::editor::panels::window::finder::{FinderLocal, popups_ui};
use crate::editor::panels::window::history::{HistoryLocal, history_ui};
use crate::editor::panels::window::keyboard;
use crate::editor::panels::window::layout;
use crate::editor::panels::window::layout::Panel;
use crate::editor::panels::window::log::{LogLocal, log_ui};
use crate::editor::panels::window::prompts::{PathField, prompts_ui};
use crate::editor::panels::window::status_bar::{Figures, status_bar_ui};
use crate::editor::panels::window::top_bar::{TopBarTouch, top_bar_ui};
use crate::editor::session::Session;
use crate::editor::session::shortcuts::{KeyName, Stroke};
use crate::editor::session::transient::Request;
use crate::editor::state::action::{Action, DocumentAction, FileAction, ProgramAction};

/// What the panels keep for themselves between frames.
#[derive(Debug, Default)]
pub struct Desk {
    /// The picture's size and place.
    pub viewport: ViewportLocal,
    /// The path that is asked for.
    pub path: Option<PathField>,
    clips: ClipsLocal,
    poses: PosesLocal,
    bones: BonesLocal,
    inspector: InspectorLocal,
    time: TimeLocal,
    machine: MachineLocal,
    check: CheckLocal,
    log: LogLocal,
    history: HistoryLocal,
    finder: FinderLocal,
    hovered: Option<Panel>,
    to_front: Vec<Panel>,
}

impl Desk {
    /// True while something is open, or about to open, that is typed into: keys are text then, not commands.
    pub fn expects_text(&self, session: &Session) -> bool {
        let is_naming =
            self.clips.is_renaming() || self.poses.is_renaming() || self.bones.is_naming() || self.machine.is_naming();
        session.transient.popup.is_some()
            || session.transient.prompt.is_some()
            || session.transient.dropped.is_some()
            || self.path.is_some()
            || is_naming
    }

    /// What is dragged without a gesture is let go.
    pub fn let_go(&mut self) -> bool {
        self.time.let_go()
    }

    /// True while keys are text, or will be once a field that was asked for is there.
    pub fn awaits_text(&self, session: &Session) -> bool {
        self.expects_text(session) || self.time.awaits_text(session)
    }

    /// True while clips are left that the clip check, which shows, has not looked at: it goes on frame by frame.
    pub fn is_checking(&self) -> bool {
        self.check.is_busy
    }

    /// Brings a panel to the front of those that share its place.
    pub fn show(&mut self, panel: Panel) {
        self.to_front.push(panel);
    }
}

/// What the app brings to a frame.
pub struct Brought<'a> {
    /// The picture that was drawn for [`ViewportLocal::size`].
    pub picture: Option<TextureId>,
    /// The picture of a keyframe of the open clip.
    pub thumbnail: &'a dyn Fn(usize) -> Option<TextureId>,
    /// The picture of a pose of the library.
    pub pose_picture: &'a dyn Fn(usize) -> Option<TextureId>,
    /// The picture of a texture of the model.
    pub texture: &'a dyn Fn(usize) -> Option<TextureId>,
    /// Keys that were struck since the last frame.
    pub strokes: &'a [Stroke],
    /// For the status bar.
    pub figures: &'a Figures,
}

/// Draws all panels; what the user did comes back as actions.
pub fn desk_ui(kit: &Kit<'_>, seen: &Seen<'_>, desk: &mut Desk, brought: &Brought<'_>) -> Vec<Action> {
    let mut out = Out::default();
    if !seen.session.transient.requests.is_empty() {
        out.push(ProgramAction::RequestsHandled);
    }
    strokes(kit, seen, desk, brought.strokes, &mut out);
    cancel_drag(kit, seen, desk, &mut out);
    host(kit, seen, desk, brought, &mut out);
    let before = desk.hovered.take();
    desk.check.is_busy = false;
    for panel in Panel::ALL {
        let padding = if panel == Panel::Viewport { [0.0; 2] } else { [8.0, 6.0] };
        if layout::panel(kit, panel, padding, || panel_ui(kit, seen, desk, panel, brought, &mut out)) {
            desk.hovered = Some(panel);
        }
    }
    // While a button is held the panel where it went down keeps the keys.
    if kit.is_any_mouse_down() && desk.hovered.is_none() {
        desk.hovered = before;
    }
    popups_ui(kit, seen, &mut desk.finder, &mut out);
    prompts_ui(kit, seen, &mut desk.path, &mut out);
    bring_to_front(kit, desk);
    end_forgotten_gesture(kit, seen, &mut out);
    out.actions
}

fn host(kit: &Kit<'_>, seen: &Seen<'_>, desk: &mut Desk, brought: &Brought<'_>, out: &mut Out) {
    let (mut touch, mut is_cancelled) = (TopBarTouch::default(), false);
    let hovered = desk.hovered;
    layout::host(
        kit,
        seen.session.workspace.preferences.arrangement,
        seen.requested(Request::ArrangePanels),
        || touch = top_bar_ui(kit, seen, out),
        || is_cancelled = status_bar_ui(kit, seen, hovered, brought.figures),
    );
    if is_cancelled {
        out.push(FileAction::CancelJob);
    }
    desk.to_front.extend(touch.show);
    if seen.requested(Request::ShowClipCheck) {
        desk.to_front.push(Panel::Check);
    }
}

fn panel_ui(kit: &Kit<'_>, seen: &Seen<'_>, desk: &mut Desk, panel: Panel, brought: &Brought<'_>, out: &mut Out) {
    match panel {
        Panel::Clips => clips_ui(kit, seen, &mut desk.clips, out),
        Panel::Poses => poses_ui(kit, seen, &mut desk.poses, brought.pose_picture, out),
        Panel::Bones => bones_ui(kit, seen, &mut desk.bones, out),
        Panel::Viewport => viewport_ui(kit, seen, &mut desk.viewport, brought.picture, out),
        Panel::Inspector => inspector_ui(kit, seen, &mut desk.inspector, out),
        Panel::References => references_ui(kit, seen, out),
        Panel::Materials => materials_ui(kit, seen, brought.texture, out),
        Panel::Game => game_states_ui(kit, seen, &mut desk.to_front, out),
        Panel::Machine => machine_ui(kit, seen, &mut desk.machine, out),
        Panel::Strip => time_ui(kit, seen, &mut desk.time, brought.thumbnail, out),
        Panel::Check => clip_check_ui(kit, seen, &mut desk.check, out),
        Panel::History => history_ui(kit, seen, &mut desk.history, out),
        Panel::Log => log_ui(kit, seen, &mut desk.log),
    }
}

fn bring_to_front(kit: &Kit<'_>, desk: &mut Desk) {
    for panel in desk.to_front.drain(..) {
        sys::focus_window(kit.ui, panel.name());
    }
}

/// Keys act on the panel under the mouse, and never while a text field has the keyboard.
fn strokes(kit: &Kit<'_>, seen: &Seen<'_>, desk: &mut Desk, strokes: &[Stroke], out: &mut Out) {
    if desk.finder.preferences.is_listening() {
        return strokes.iter().for_each(|&stroke| desk.finder.preferences.hear(seen, stroke, out));
    }
    let is_popup_open = sys::is_any_popup_open(kit.ui);
    let is_asked =
        seen.session.transient.prompt.is_some() || seen.session.transient.dropped.is_some() || desk.path.is_some();
    if is_popup_open && !is_asked && strokes.contains(&Stroke::new(KeyName::Escape)) {
        sys::close_popups(kit.ui);
    }
    if sys::is_typing_now(kit.ui) || is_popup_open || desk.expects_text(seen.session) {
        return;
    }
    for &stroke in strokes {
        if stroke == Stroke::new(KeyName::Escape) && desk.time.let_go() && seen.editor.gesture.is_none() {
            out.push(DocumentAction::Cancel);
            continue;
        }
        if stroke == Stroke::new(KeyName::F(2)) {
            let slot = seen.editor.clip();
            if let Some(slot) = slot {
                desk.clips.rename(slot);
            }
            return;
        }
        if let Some(action) = keyboard::action_of(seen, desk.hovered, desk.time.hovered_keyframe(), stroke) {
            out.push(action);
        }
    }
}

/// The right button puts back what the left one drags. Before the panels: what they end by it is over then.
fn cancel_drag(kit: &Kit<'_>, seen: &Seen<'_>, desk: &mut Desk, out: &mut Out) {
    if !kit.is_mouse_clicked(MouseButton::Right) || !kit.is_mouse_down(MouseButton::Left) {
        return;
    }
    let is_dragging = seen.editor.gesture.as_ref().is_some_and(|gesture| !gesture.takes_keys());
    if desk.time.let_go() || is_dragging || seen.session.transient.pointer.press.is_some() {
        out.push(DocumentAction::Cancel);
    }
}

/// Dear ImGui never tells the end of a drag when its widget is not drawn that frame: a gesture that is open while no
/// widget is active and no transform runs is committed.
fn end_forgotten_gesture(kit: &Kit<'_>, seen: &Seen<'_>, out: &mut Out) {
    let is_open = seen.editor.gesture.as_ref().is_some_and(|gesture| !gesture.takes_keys());
    if is_open && !kit.is_any_item_active() && !kit.is_any_mouse_down() {
        out.push(DocumentAction::Commit);
    }
}
