//! The editor with its panels, as the program draws them, but without a window.

use std::hint::black_box;

use keypose::assets::project::Project;
use keypose_editor::editor::panels::sprites::SpriteInputs;
use keypose_editor::editor::panels::ui::Pictures;
use keypose_editor::editor::panels::ui::fonts::{Fonts, ICON_FONT, add_fonts};
use keypose_editor::editor::panels::ui::surface::Surface;
use keypose_editor::editor::panels::ui::theme::Theme;
use keypose_editor::editor::panels::view::toast::ToastTime;
use keypose_editor::editor::panels::window::browser::preview::FilePreview;
use keypose_editor::editor::panels::window::dock::{Dock, FrameInputs};
use keypose_editor::editor::panels::window::status_bar::Figures;
use keypose_editor::editor::session::selection::Pick;
use keypose_editor::editor::state::Editor;
use keypose_editor::editor::state::action::{Origin, SelectAction};
use keypose_editor::editor::view::scene;

/// The editor in Dear ImGui without a window.
pub struct Host {
    context: imgui::Context,
    fonts: Fonts,
    theme: Theme,
    pub editor: Editor,
    pub dock: Dock,
}

impl Host {
    pub fn new(project: Project) -> Host {
        let mut context = imgui::Context::create();
        context.set_ini_filename(None);
        context.io_mut().config_flags |= imgui::ConfigFlags::DOCKING_ENABLE;
        context.io_mut().display_size = [1600.0, 936.0];
        context.io_mut().delta_time = 1.0 / 60.0;
        let theme = Theme::dark();
        theme.apply(context.style_mut());
        let fonts = add_fonts(&mut context, 1.0, ICON_FONT, &Default::default());
        context.fonts().build_alpha8_texture();
        let editor = Editor::new(project, &Origin::New);
        let mut host = Host { context, fonts, theme, editor, dock: Dock::default() };
        host.editor.update(SelectAction::Bones { bones: vec![7, 8, 9], pick: Pick::Only });
        (0..6).for_each(|_| host.frame());
        host
    }

    /// Runs the panels, their actions, and the draw lists.
    pub fn frame(&mut self) {
        let view = self.editor.view();
        let ui = self.context.new_frame();
        let frame = Surface::new(ui, &self.fonts, &self.theme);
        let figures = Figures::default();
        let inputs = FrameInputs {
            pictures_of_view: [None, None],
            pixels: None,
            sprites: SpriteInputs::default(),
            thumbnail: &|_| None,
            pose_picture: &|_| None,
            pictures: Pictures { clip: &|_| None, model: &|_| None, image: &|_| None },
            file_preview: &|_| FilePreview::Waiting,
            strokes: &[],
            figures: &figures,
            toast: ToastTime(1.0),
            now_ms: 0,
        };
        let actions = self.dock.ui(&frame, &self.editor, &view, &inputs);
        black_box(self.context.render().total_vtx_count);
        for action in actions {
            self.editor.update(action);
        }
    }

    /// A frame with its viewport.
    pub fn whole_frame(&mut self) {
        self.frame();
        black_box(self.picture());
    }

    pub fn picture(&self) -> keypose_editor::render::frame::Frame {
        scene::frame(self.editor.source(), &self.editor.view())
    }
}
