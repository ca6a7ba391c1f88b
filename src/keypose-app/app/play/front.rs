//! Draws what is in front of the game: the title, a menu, or the texts at the edges.

use keypose_editor::editor::panels::ui::surface::Surface;
use keypose_editor::editor::panels::ui::theme::Theme;

use crate::app::play::controls::names::{Device, Extent, Names};
use crate::app::play::hud::{Plate, WHITE, letters_in, wrapped};
use crate::app::play::levels;
use crate::app::play::menu::draw::{self as draw_menu, MenuView};
use crate::app::play::menu::draw_table;
use crate::app::play::status;
use crate::app::play::title::{self, HelpPlace, Title};
use crate::app::play::{FINDINGS_TICKS, Front, HudView, PlayMode, PlayRequest};

impl PlayMode {
    /// Draws the title or a menu, or health and numbers; at first the keys at the lower edge, problems at the upper one, and
    /// values while stepping. Returns what the mouse requests.
    pub fn hud(&mut self, frame: &Surface<'_>, view: &HudView<'_>) -> PlayRequest {
        let controls = self.input.controls.clone();
        let (device, has_editor) = (self.input.device, !self.is_own_program);
        let names = Names { controls: &controls, printed: view.printed, device, has_editor };
        match self.front {
            Front::Title => self.title(frame, &names),
            Front::Menu(_) => {
                status::draw(frame, self.play.world(), view.camera);
                return self.menu(frame, view, names);
            }
            Front::Nothing => {
                status::draw(frame, self.play.world(), view.camera);
                if self.has_help() || self.is_stopped {
                    let is_asked_for = self.shows_help == Some(true) || self.is_stopped;
                    let extent = if is_asked_for { Extent::All } else { Extent::Needed };
                    title::draw_help(frame, &names.help(extent), HelpPlace::Top);
                }
            }
        }
        self.messages.ui(frame);
        self.lines(frame);
        PlayRequest::None
    }

    fn title(&mut self, frame: &Surface<'_>, names: &Names<'_>) {
        let world = self.play.world();
        let aim = title::aim_of(world);
        let count = self.levels.len();
        let title = Title {
            number: (count > 1).then_some([self.level + 1, count]),
            to_beat: levels::ticks_to_beat(&world.stage),
            level: &world.stage.level.name,
            best: self.best,
            coins: world.stage.coins.len(),
            aim: &aim,
            starts: if names.device == Device::Keyboard { "Press a key" } else { "Press a button" },
            ticks: world.tick,
        };
        title::draw(frame, &title);
        title::draw_help(frame, &names.help(Extent::Needed), HelpPlace::Bottom);
        if frame.is_mouse_clicked(imgui::MouseButton::Left) {
            self.begin();
        }
    }

    fn menu(&mut self, frame: &Surface<'_>, view: &HudView<'_>, names: Names<'_>) -> PlayRequest {
        let offers = self.offers();
        let Front::Menu(menu) = &mut self.front else { return PlayRequest::None };
        // Menus are dark over the picture, whatever the theme of the editor.
        let theme = Theme::dark();
        let frame = Surface { theme: &theme, ..*frame };
        if let Some(table) = &mut menu.table {
            if draw_table::draw(&frame, table, names, &mut self.input.controls) {
                menu.table = None;
            }
            return PlayRequest::None;
        }
        let menu_view = MenuView { offers, is_muted: view.is_muted, finish: self.finish.as_ref() };
        let chosen = draw_menu::draw(&frame, menu, &menu_view);
        chosen.map_or(PlayRequest::None, |choice| self.choose(choice))
    }

    /// Lines about follow mode, the stopped game and problems of the archive.
    fn lines(&self, frame: &Surface<'_>) {
        let [width, height] = frame.io().display_size;
        let plate = |place, pivot| Plate { place, pivot, color: WHITE };
        if let Some(line) = self.following().or_else(|| self.showing()) {
            plate([width * 0.5, height - 74.0], [0.5, 1.0]).draw(frame, "##following", &[line]);
        }
        if self.is_stopped {
            let lines = ["Stopped".to_owned(), self.play.status()];
            plate([width * 0.5, 14.0], [0.5, 0.0]).draw(frame, "##stopped", &lines);
        } else if self.shows_findings() {
            let shown = &self.findings[..self.findings.len().min(6)];
            let lines: Vec<String> = shown.iter().flat_map(|finding| wrapped(finding, letters_in(frame))).collect();
            // Below the keys.
            plate([14.0, 116.0], [0.0, 0.0]).draw(frame, "##missing", &lines);
        }
    }

    /// Whether problems of the archive are shown: for a while, and to authors only.
    fn shows_findings(&self) -> bool {
        let is_new = self.play.world().tick < self.findings_since + FINDINGS_TICKS;
        is_new && !self.is_own_program && !self.findings.is_empty()
    }
}
