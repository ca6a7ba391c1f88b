//! Converts the window's keys to the editor's names.

use winit::event::{ElementState, KeyEvent};
use winit::keyboard::{Key, KeyLocation, ModifiersState, PhysicalKey};
use winit::platform::modifier_supplement::KeyEventExtModifierSupplement;

use keypose_editor::editor::session::key_layout::{self, Press};
use keypose_editor::editor::session::shortcuts::{Modifiers, TypedStroke};

/// The held modifiers. Command counts as Ctrl on macOS.
pub fn modifiers(state: ModifiersState) -> Modifiers {
    let ctrl = state.control_key() || (cfg!(target_os = "macos") && state.super_key());
    Modifiers { ctrl, shift: state.shift_key(), alt: state.alt_key() }
}

/// The stroke of a pressed key. `None` for releases, for modifiers alone, and for repeats of keys that don't repeat.
pub fn stroke(event: &KeyEvent, held: ModifiersState) -> Option<TypedStroke> {
    if event.state != ElementState::Pressed {
        return None;
    }
    let (place, alone) = (place(event), event.key_without_modifiers());
    let name = if let Key::Named(named) = &alone { Some(format!("{named:?}")) } else { None };
    let press = Press {
        place: place.as_deref(),
        name: name.as_deref(),
        base: character(&alone),
        typed: character(&event.logical_key),
        is_on_pad: event.location == KeyLocation::Numpad,
        is_repeat: event.repeat,
        held: modifiers(held),
    };
    press.stroke()
}

/// Returns the sign on a pressed letter or bracket, by its character on a US keyboard.
pub fn printed(event: &KeyEvent) -> Option<(char, char)> {
    if event.state != ElementState::Pressed {
        return None;
    }
    let base = match event.key_without_modifiers() {
        Key::Dead(sign) => sign,
        key => character(&key),
    };
    key_layout::printed(&place(event)?, base?)
}

/// The name of its place on the keyboard.
fn place(event: &KeyEvent) -> Option<String> {
    if let PhysicalKey::Code(code) = event.physical_key { Some(format!("{code:?}")) } else { None }
}

/// The first character that a key types.
fn character(key: &Key) -> Option<char> {
    if let Key::Character(text) = key { text.chars().next() } else { None }
}
