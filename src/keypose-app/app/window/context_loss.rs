//! Lost contexts: after a reset of the graphics card all GL objects are gone, and are made again. Also what the renderer reports.

use keypose_editor::editor::session::notice::NoticeKind;
use keypose_editor::editor::state::action::ProgramAction;

use crate::app::console;
use crate::app::previews::pixels::PixelTextures;
use crate::app::window::painter::Painter;
use crate::app::window::{AppWindow, FIRST_FRAMES};
use keypose_editor::image_previews::ImagePreviews;
use keypose_editor::thumbnails::{Subject, Thumbnails};

/// A loss that is simulated once after a number of frames (`--simulate-context-loss`).
pub(super) struct LossTest {
    frames_left: Option<u32>,
}

impl LossTest {
    pub(super) fn after(frames: Option<u32>) -> LossTest {
        LossTest { frames_left: frames }
    }

    /// Counts a frame. Returns true if the context is lost now.
    pub(super) fn is_due(&mut self) -> bool {
        self.frames_left = self.frames_left.and_then(|left| left.checked_sub(1));
        self.frames_left.take_if(|left| *left == 0).is_some()
    }
}

impl AppWindow {
    /// Makes a new context, and everything in it. The editor, the game and the panels stay as they are.
    pub(super) fn renew_context(&mut self) -> Result<(), String> {
        self.release_objects();
        self.window.renew()?;
        self.painter = Painter::new(&self.window)?;
        self.ui.renew(&self.window.gl)?;
        self.host.is_viewport_stale = true;
        self.redraw_soon();
        self.dirty_frames = FIRST_FRAMES;
        console::warn("keypose: the graphics driver lost its context; everything was drawn again");
        Ok(())
    }

    /// Drops all objects while their context is still the current one.
    fn release_objects(&mut self) {
        (self.views, self.screen) = Default::default();
        self.thumbnails = Subject::ALL.map(Thumbnails::of);
        self.images = ImagePreviews::default();
        self.pixels = PixelTextures::default();
        self.file_previews.release();
        self.painter.release();
        self.ui.release();
    }

    /// Loads shaders that changed on disk. The editor shows what is wrong with them.
    pub(super) fn reload_changed_shaders(&mut self) {
        match self.painter.reload_changed_shaders() {
            Ok(is_new) => self.host.is_viewport_stale |= is_new,
            Err(error) => self.host.update(ProgramAction::Notice(NoticeKind::Error, error)),
        }
    }

    /// Shows what the renderer had to draw otherwise than it is.
    pub(super) fn show_notices_of_renderer(&mut self) {
        for notice in self.painter.take_notices() {
            self.host.update(ProgramAction::Notice(NoticeKind::Warning, notice));
        }
    }
}
