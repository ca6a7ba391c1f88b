//! Pages for browsers: the player with an archive in it. `tools/web` makes the page without one, and the build script finds it.

use keypose::wad;

use crate::app::files::{Opened, base64};

/// The page without an archive; `None` if the program was built without it.
#[cfg(has_web_player)]
const PLAYER: Option<&str> = Some(include_str!(env!("KEYPOSE_WEB_PLAYER")));
#[cfg(not(has_web_player))]
const PLAYER: Option<&str> = None;

/// How a page of Keypose begins.
const GENERATOR: &str = "<meta name=\"generator\" content=\"Keypose ";

/// The first picture of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// The viewer, with the model of this name.
    Viewer(String),
    /// The title of the game.
    Game,
}

/// A page with an archive in it. The error is a sentence.
pub fn encode(opened: &Opened, title: &str, start: &Start) -> Result<Vec<u8>, String> {
    let player = PLAYER.ok_or("this build has no player for pages: run tools/web in the sources, then build again")?;
    let archive = wad::encode(&opened.project, &opened.characters).map_err(|error| error.to_string())?;
    let (mode, model) = match start {
        Start::Viewer(model) => ("viewer", model.as_str()),
        Start::Game => ("game", ""),
    };
    // What was filled in is not searched again.
    let (mut page, mut rest) = (String::with_capacity(player.len() + archive.len() * 3 / 2), player);
    let parts = [("{title}", escaped(title)), ("{mode}", mode.into()), ("{model}", escaped(model))];
    for (name, part) in parts.into_iter().chain([("{archive}", base64::encode(&archive))]) {
        let (before, after) = rest.split_once(name).ok_or_else(|| format!("the player for pages lacks {name}"))?;
        page.push_str(before);
        page.push_str(&part);
        rest = after;
    }
    page.push_str(rest);
    Ok(page.into_bytes())
}

/// Whether the first bytes of a file are those of a page of ours.
pub fn is_page(start: &str) -> bool {
    start.contains(GENERATOR)
}

/// A text as it is written in a page.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_texts_in_a_page() {
        assert_eq!(escaped("\"R&D\" </title>"), "&quot;R&amp;D&quot; &lt;/title>");
    }
}
