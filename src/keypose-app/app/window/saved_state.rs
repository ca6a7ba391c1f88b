//! Saves preferences, window size and panel layout between sessions.

use keypose_editor::editor::panels::window::layout::Panel;
use keypose_editor::editor::session::notice::NoticeKind;
use keypose_editor::editor::state::action::ProgramAction;

use crate::app::files::views::{self, StoredView};
use crate::app::preferences::{Layout, SavedState};
use crate::app::window::{AppWindow, FIRST_FRAMES};

impl AppWindow {
    /// Saves the state if it changed.
    pub(super) fn save_changed_state(&mut self) {
        let session = &self.host.editor.session;
        let last = self.state_writer.last();
        let is_same = last.preferences == session.workspace.preferences && last.bindings == session.workspace.bindings;
        if !is_same
            || last.controls != self.controls
            || std::mem::take(&mut self.is_resized)
            || self.ui.has_new_layout()
        {
            self.save_state();
        }
        if let Some(error) = self.state_writer.take_error() {
            self.host.update(ProgramAction::Notice(NoticeKind::Warning, error));
        }
    }

    /// The window's size in points when it is not maximized, and whether it is maximized.
    fn window_size(&self) -> (Option<[f64; 2]>, bool) {
        let window = &self.window.window;
        if self.is_destroyed {
            return (self.state_writer.last().window, self.state_writer.last().is_maximized);
        }
        let size = self.window.size().to_logical::<f64>(window.scale_factor());
        if window.is_maximized() {
            (self.state_writer.last().window, true)
        } else {
            (Some([size.width, size.height]), false)
        }
    }

    /// Stores what was shown of files that were closed or saved.
    pub(super) fn store_left_files(&mut self) {
        for (file, view) in std::mem::take(&mut self.host.left) {
            views::store(&file, &StoredView { view, layout: Some(self.layout()) });
        }
    }

    /// Arranges the panels as they were when the file that was just opened was closed. Between two frames.
    pub(super) fn restore_layout_of_file(&mut self) {
        let layout = self.host.layout_before.take().filter(|layout| layout.panels == panel_names());
        if let Some(layout) = layout.filter(|layout| *layout != self.layout()) {
            self.ui.restore_layout(&layout.ini);
            self.host.dock.follow_from(layout.untouched.map(|size| size.map(|side| side as f32)));
            self.dirty_frames = FIRST_FRAMES;
        }
    }

    fn layout(&mut self) -> Layout {
        let untouched = self.host.dock.untouched_size().map(|size| size.map(f64::from));
        Layout { ini: self.ui.layout(), panels: panel_names(), untouched }
    }

    pub(super) fn save_state(&mut self) {
        let (window, is_maximized) = self.window_size();
        let layout = self.layout();
        let session = &self.host.editor.session;
        let (preferences, bindings) = (session.workspace.preferences.clone(), session.workspace.bindings.clone());
        let controls = self.controls.clone();
        self.state_writer.save(SavedState {
            preferences,
            bindings,
            controls,
            window,
            is_maximized,
            layout: Some(layout),
        });
    }
}

pub(super) fn panel_names() -> Vec<String> {
    Panel::ALL.iter().map(|panel| panel.name().to_owned()).collect()
}
