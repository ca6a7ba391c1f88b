//! The system's clipboard for text fields. Without one, text is kept inside of the program.

/// The clipboard, opened on first use.
#[derive(Default)]
pub struct Clipboard {
    system: Option<arboard::Clipboard>,
    own: String,
}

impl Clipboard {
    fn system(&mut self) -> Option<&mut arboard::Clipboard> {
        if self.system.is_none() {
            self.system = arboard::Clipboard::new().ok();
        }
        self.system.as_mut()
    }
}

impl imgui::ClipboardBackend for Clipboard {
    fn get(&mut self) -> Option<String> {
        let text = self.system().and_then(|system| system.get_text().ok());
        Some(text.unwrap_or_else(|| self.own.clone()))
    }

    fn set(&mut self, value: &str) {
        self.own = value.to_owned();
        if let Some(system) = self.system() {
            // On errors, the program's own copy still has the text.
            let _ = system.set_text(value);
        }
    }
}
