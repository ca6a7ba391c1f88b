//! Handles keys, gamepads and menus in the game.

use winit::event::{ElementState, KeyEvent};
use winit::keyboard::{KeyCode, PhysicalKey};

use keypose_editor::game::input::{Buttons, Held};

use crate::app::play::controls::names::Device;
use crate::app::play::controls::pad::PadStyle;
use crate::app::play::controls::{Control, Press, key_names};
use crate::app::play::gamepad::PadEvent;
use crate::app::play::input::{MenuKey, PadPress, direction};
use crate::app::play::menu::table::ControlsTable;
use crate::app::play::menu::{Choice, Menu, Occasion, Offers};
use crate::app::play::{Front, PlayMode, PlayRequest};

impl PlayMode {
    /// Handles a key press or release.
    pub fn key(&mut self, event: &KeyEvent) -> PlayRequest {
        let PhysicalKey::Code(code) = event.physical_key else { return PlayRequest::None };
        let press = Press::Key(code);
        if event.state == ElementState::Released {
            self.input.note(press, Held::Up);
            return PlayRequest::None;
        }
        if event.repeat {
            return self.repeat(press);
        }
        self.input.note(press, Held::Down);
        self.input.device = Device::Keyboard;
        self.press(press)
    }

    /// A key that stays down repeats in menus and while stepping only.
    pub(super) fn repeat(&mut self, press: Press) -> PlayRequest {
        let is_step = self.input.controls.control_of(press) == Some(Control::StepTick);
        let moves = |key: MenuKey| matches!(key, MenuKey::Up | MenuKey::Down | MenuKey::Left | MenuKey::Right);
        match &self.front {
            Front::Nothing if is_step => self.press(press),
            Front::Menu(_) if self.input.menu_key(press).is_some_and(moves) => self.press(press),
            Front::Nothing | Front::Title | Front::Menu(_) => PlayRequest::None,
        }
    }

    /// Handles what happened to a gamepad with these buttons. Returns what is requested.
    pub fn pad(&mut self, event: PadEvent, style: PadStyle) -> Vec<PlayRequest> {
        let pressed = self.input.pad(event, style);
        let handle = |press| match press {
            PadPress::Button(press) => self.press(press),
            PadPress::Stick(side) => match (&self.front, direction(side)) {
                (Front::Menu(_), Some(key)) => self.menu_key(key),
                _ => PlayRequest::None,
            },
        };
        pressed.into_iter().map(handle).collect()
    }

    /// Handles a press by what is in front of the game.
    pub(super) fn press(&mut self, press: Press) -> PlayRequest {
        let control = self.input.controls.control_of(press);
        match &mut self.front {
            Front::Menu(Menu { table: Some(table), .. }) if table.is_listening() => {
                table.hear(press, &mut self.input.controls);
                self.input.take(press);
                PlayRequest::None
            }
            _ if press == Press::Key(KeyCode::F5) => PlayRequest::Leave,
            Front::Menu(_) => {
                let key = self.input.menu_key(press);
                self.input.take(press);
                key.map_or(PlayRequest::None, |key| self.menu_key(key))
            }
            Front::Title | Front::Nothing if press == Press::Key(KeyCode::Escape) => self.open_menu(),
            Front::Title if control == Some(Control::Sound) => PlayRequest::Mute,
            Front::Title => {
                if starts(press) {
                    self.begin();
                    // One that walks does so at once; a jump would be an accident.
                    let walks = Buttons::LEFT | Buttons::RIGHT | Buttons::RUN;
                    if !control.is_some_and(|control| walks.has(control.buttons())) {
                        self.input.take(press);
                    }
                }
                PlayRequest::None
            }
            Front::Nothing => control.map_or(PlayRequest::None, |control| self.control(control)),
        }
    }

    pub(super) fn control(&mut self, control: Control) -> PlayRequest {
        self.input.tap(control.buttons());
        match control {
            Control::Pause if self.is_stopped => self.is_stopped = false,
            Control::Pause => return self.open_menu(),
            Control::StepTick => {
                (self.is_stopped, self.counts) = (true, false);
                self.ticks_to_step += 1;
            }
            Control::Restart => self.restart(),
            Control::Volumes => self.shows_volumes = !self.shows_volumes,
            Control::Sound => return PlayRequest::Mute,
            Control::SlowMotion => (self.is_slow, self.counts) = (!self.is_slow, false),
            Control::Help => self.shows_help = Some(self.shows_help != Some(true)),
            Control::Left
            | Control::Right
            | Control::Up
            | Control::Down
            | Control::Jump
            | Control::Attack
            | Control::Roll
            | Control::Run => {}
        }
        PlayRequest::None
    }

    pub(super) fn open_menu(&mut self) -> PlayRequest {
        self.front = Front::Menu(Menu::new(Occasion::Pause));
        PlayRequest::None
    }

    pub(super) fn offers(&self) -> Offers {
        let world = self.play.world();
        let can_return = world.progress.finished.is_none() && world.player.vitals.is_alive();
        let has_checkpoint = can_return && world.progress.checkpoint.is_some();
        Offers { next: self.next_entry(), has_checkpoint, is_own_program: self.is_own_program }
    }

    pub(super) fn menu_key(&mut self, key: MenuKey) -> PlayRequest {
        let offers = self.offers();
        let Front::Menu(menu) = &mut self.front else { return PlayRequest::None };
        let chosen = match &mut menu.table {
            Some(table) => {
                if table.key(key, &mut self.input.controls) {
                    menu.table = None;
                }
                None
            }
            None => menu.key(key, offers),
        };
        chosen.map_or(PlayRequest::None, |choice| self.choose(choice))
    }

    pub(super) fn choose(&mut self, choice: Choice) -> PlayRequest {
        match choice {
            Choice::Continue => {
                self.front = if self.is_begun { Front::Nothing } else { Front::Title };
                self.is_stopped = false;
            }
            Choice::Checkpoint => {
                self.front = Front::Nothing;
                self.input.tap(Buttons::RETURN);
            }
            Choice::Next => {
                self.front = Front::Nothing;
                self.open_next();
            }
            Choice::Restart => {
                self.front = Front::Nothing;
                self.restart();
            }
            Choice::Controls => {
                if let Front::Menu(menu) = &mut self.front {
                    menu.table = Some(ControlsTable::default());
                }
            }
            Choice::Sound => return PlayRequest::Mute,
            Choice::Edit => return PlayRequest::Leave,
            Choice::Quit => return PlayRequest::Quit,
        }
        PlayRequest::None
    }
}

/// Whether a press starts the level: not one that belongs to the window manager.
fn starts(press: Press) -> bool {
    match press {
        Press::Key(KeyCode::AltLeft | KeyCode::AltRight) => false,
        Press::Key(code) => key_names::label(code).is_some(),
        Press::Pad(_) => true,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::app::play::controls::Controls;
    use crate::app::play::controls::pad::PadButton;
    use crate::app::play::recording::InputRecording;
    use crate::app::play::sound::Speaker;
    use crate::app::play::{Beginning, SEED};
    use keypose::assets::project::Project;

    fn game(is_own_program: bool) -> PlayMode {
        let (recording, controls, clips) = (InputRecording::None, Controls::default(), Vec::new());
        let beginning = Beginning { recording, seed: SEED, controls, clips, results: None, is_own_program };
        PlayMode::new(&Project::default(), &[], beginning)
    }

    fn type_key(game: &mut PlayMode, code: KeyCode) -> PlayRequest {
        game.input.note(Press::Key(code), Held::Down);
        game.press(Press::Key(code))
    }

    fn play(game: &mut PlayMode) {
        game.advance(Duration::from_millis(50), &mut Speaker::new(|_| ()));
    }

    #[test]
    fn a_level_begins_when_a_key_is_pressed_under_its_title() {
        let mut game = game(true);
        play(&mut game);
        assert!(game.play.world().tick > 0, "it moves behind the title");
        // The menu is there before the start, and leads back to the title.
        type_key(&mut game, KeyCode::Escape);
        type_key(&mut game, KeyCode::Enter);
        assert!(matches!(game.front, Front::Title));
        type_key(&mut game, KeyCode::KeyD);
        assert!(matches!(game.front, Front::Nothing) && game.play.world().tick == 0);
        play(&mut game);
        assert_eq!(game.play.world().buttons, Buttons::RIGHT, "it walks at once");
    }

    #[test]
    fn a_key_that_starts_or_chooses_is_no_jump() {
        let mut game = game(true);
        for _ in 0..2 {
            type_key(&mut game, KeyCode::Space);
            play(&mut game);
            assert_eq!(game.play.world().buttons, Buttons::NONE);
            game.open_menu();
        }
    }

    #[test]
    fn the_menu_stops_time_and_asks_the_window() {
        let mut game = game(false);
        assert!(matches!(game.front, Front::Nothing), "no title in the editor");
        game.pad(PadEvent::Button(PadButton::Start, Held::Down), PadStyle::Letters);
        let before = game.play.world().tick;
        play(&mut game);
        assert!(!game.is_moving() && game.play.world().tick == before);
        for _ in 0..3 {
            game.pad(PadEvent::Stick([0.0, -1.0]), PadStyle::Letters);
            game.pad(PadEvent::Stick([0.0, 0.0]), PadStyle::Letters);
        }
        let confirm = PadEvent::Button(PadButton::South, Held::Down);
        assert_eq!(game.pad(confirm, PadStyle::Letters), [PlayRequest::Mute]);
        type_key(&mut game, KeyCode::ArrowDown);
        assert_eq!(type_key(&mut game, KeyCode::Enter), PlayRequest::Leave);
    }

    #[test]
    fn a_gamepad_plays_from_the_title_until_it_is_unplugged() {
        let (down, up) = (|pad| PadEvent::Button(pad, Held::Down), |pad| PadEvent::Button(pad, Held::Up));
        let mut game = game(true);
        let mut next = |events: &[PadEvent]| {
            for event in events {
                game.pad(*event, PadStyle::Shapes);
            }
            game.input.next_tick()
        };
        assert_eq!(next(&[down(PadButton::South)]), Buttons::NONE, "it starts the level, and is no jump");
        assert_eq!(next(&[up(PadButton::South), PadEvent::Stick([0.9, 0.1])]), Buttons::RIGHT);
        assert_eq!(next(&[down(PadButton::South), up(PadButton::South)]), Buttons::RIGHT | Buttons::JUMP, "a tap");
        for (button, meaning) in [
            (PadButton::West, Buttons::ATTACK),
            (PadButton::East, Buttons::ROLL),
            (PadButton::RightTrigger, Buttons::RUN),
            (PadButton::DpadDown, Buttons::DOWN),
            (PadButton::North, Buttons::NONE),
        ] {
            assert_eq!(next(&[down(button)]), Buttons::RIGHT | meaning, "{button:?}");
            assert_eq!(next(&[]), Buttons::RIGHT | meaning, "{button:?} is held");
            assert_eq!(next(&[up(button)]), Buttons::RIGHT, "{button:?} was released");
        }
        assert_eq!(next(&[down(PadButton::DpadUp), PadEvent::Gone]), Buttons::UP, "pressed before it went");
        assert_eq!(next(&[]), Buttons::NONE);
        assert!(matches!(game.front, Front::Nothing));
    }

    #[test]
    fn a_key_changed_in_the_menu_plays() {
        let mut game = game(false);
        game.open_menu();
        game.choose(Choice::Controls);
        for code in [KeyCode::ArrowDown, KeyCode::Enter, KeyCode::KeyT, KeyCode::Escape, KeyCode::Escape] {
            type_key(&mut game, code);
        }
        assert!(matches!(game.front, Front::Nothing));
        type_key(&mut game, KeyCode::KeyT);
        play(&mut game);
        assert_eq!(game.play.world().buttons, Buttons::RIGHT);
        assert_eq!(type_key(&mut game, KeyCode::KeyD), PlayRequest::None);
    }

    #[test]
    fn stepped_and_slow_games_do_not_count() {
        for control in [Control::StepTick, Control::SlowMotion] {
            let mut game = game(false);
            assert!(game.counts);
            game.control(control);
            assert!(!game.counts);
            game.restart();
            assert!(game.counts);
        }
    }
}
