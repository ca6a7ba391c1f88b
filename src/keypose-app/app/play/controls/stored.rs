//! The controls in the preference file: only those that differ from the defaults.

use serde_json::{Map, Value, json};

use crate::app::play::controls::pad::PadButton;
use crate::app::play::controls::{Control, Controls, KEYS, Press, Slot, key_names};

/// The changed controls by name, each with its keys and its button.
pub fn value(controls: &Controls) -> Value {
    let default = Controls::default();
    let is_changed = |&control: &Control| {
        !controls.keys(control).eq(default.keys(control)) || controls.pad(control) != default.pad(control)
    };
    let of = |control: Control| {
        let keys: Vec<String> = controls.keys(control).map(key_names::stored).collect();
        (control.name().to_owned(), json!({ "keys": keys, "gamepad": controls.pad(control).map(PadButton::name) }))
    };
    Value::Object(Control::ALL.into_iter().filter(is_changed).map(of).collect::<Map<String, Value>>())
}

/// Reads [`value`]. Controls and keys of other versions are ignored; `None` if it has another form.
pub fn read(value: &Value) -> Option<Controls> {
    let mut controls = Controls::default();
    let stored = value.as_object()?;
    let named = stored.iter().filter_map(|(name, of)| Some((Control::named(name)?, of)));
    let named: Vec<(Control, &Value)> = named.collect();
    // First all are emptied: a key of one may be a default of another.
    for (control, _) in &named {
        (0..=KEYS).rev().for_each(|column| controls.clear(Slot { control: *control, column }));
    }
    for (control, of) in named {
        let keys = keypose_editor::editor::commands::stored::strings(of.get("keys")?)?;
        let keys = keys.iter().filter_map(|name| key_names::from_stored(name)).take(KEYS);
        for (column, code) in keys.enumerate() {
            controls.assign(Slot { control, column }, Press::Key(code));
        }
        let pad = of.get("gamepad").and_then(Value::as_str).and_then(PadButton::named);
        if let Some(button) = pad {
            controls.assign(Slot { control, column: KEYS }, Press::Pad(button));
        }
    }
    Some(controls)
}

#[cfg(test)]
mod tests {
    use winit::keyboard::KeyCode;

    use super::*;

    #[test]
    fn what_other_versions_wrote_is_ignored() {
        let other = json!({ "Fly": { "keys": ["KeyQ"] }, "Roll": { "keys": ["Turbo", "KeyQ"], "gamepad": 7 } });
        let controls = read(&other).unwrap();
        assert!(controls.keys(Control::Roll).eq([KeyCode::KeyQ]));
        assert_eq!(controls.pad(Control::Roll), None);
        assert_eq!((read(&json!([])), read(&json!({ "Roll": 3 }))), (None, None));
    }
}
