//! The pages of the manual, as they are in docs/manual, and which of them is about what.

use crate::editor::panels::ui::Section;
use crate::editor::panels::window::layout::Panel;
use crate::editor::session::Session;

#[derive(Debug)]
pub struct Page {
    /// The name of its file, by which other pages link to it.
    pub file: &'static str,
    /// The text in Markdown. Begins with the title.
    pub text: &'static str,
}

macro_rules! pages {
    ($($file:literal)*) => {
        &[$(Page { file: $file, text: include_str!(concat!("../../../../manual/", $file)) },)*]
    };
}

/// All pages, in the order of the contents, which are the first.
pub const PAGES: &[Page] = pages! {
    "README.md"
    "install.md"
    "first-animation.md"
    "tutorial.md"
    "jump.md"
    "posing.md"
    "rigging.md"
    "time.md"
    "attacks.md"
    "seeing.md"
    "machine.md"
    "levels.md"
    "game.md"
    "sounds.md"
    "sprites.md"
    "files.md"
    "formats.md"
    "command-line.md"
    "runtime.md"
    "shortcuts.md"
};

impl Page {
    /// The heading at its top.
    pub fn title(&self) -> &'static str {
        self.text.lines().next().unwrap_or_default().trim_start_matches("# ")
    }
}

/// The number of the page with a file name.
pub fn page_of(file: &str) -> Option<usize> {
    PAGES.iter().position(|page| page.file == file)
}

/// The page about what is under the mouse, and the heading there; the contents if that is no panel.
pub fn page_about(panel: Option<Panel>, session: &Session) -> (&'static str, &'static str) {
    let transient = &session.transient;
    match panel {
        Some(Panel::Viewport | Panel::Inspector) if transient.scene.level().is_some() => ("levels.md", ""),
        Some(_) if transient.scene.sprites().is_some() => ("sprites.md", "In the editor"),
        Some(Panel::Viewport | Panel::Inspector) if transient.scene.rig().is_some() => ("rigging.md", ""),
        Some(Panel::Viewport) if transient.scene.bench().is_some() => ("seeing.md", "The bench"),
        Some(Panel::Viewport) if transient.scene.crowd().is_some() => ("seeing.md", "Crowds"),
        Some(Panel::Viewport | Panel::Bones | Panel::Inspector) => ("posing.md", ""),
        Some(Panel::Poses) => ("posing.md", "Copying, and the library"),
        Some(Panel::Strip) => ("time.md", ""),
        Some(Panel::Clips) => ("time.md", "Clips"),
        Some(Panel::Machine | Panel::Game) => ("machine.md", ""),
        Some(Panel::Check) => ("seeing.md", "The clip check"),
        Some(Panel::References | Panel::Materials) => ("seeing.md", "Materials and reference images"),
        Some(Panel::Sounds) => ("sounds.md", ""),
        Some(Panel::History | Panel::Log) => ("files.md", "Saving and recovery"),
        None => ("README.md", ""),
    }
}

/// Pages that lead through examples; others explain.
const EXAMPLES: [&str; 4] = ["README.md", "first-animation.md", "tutorial.md", "jump.md"];

/// The section about a control: the one that has its label as heading, otherwise the first one that has it as a label, in bold or italics or
/// behind its key. Pages that explain come before those that lead through examples.
pub fn section_about(label: &str) -> Option<Section> {
    let label = label.trim_end_matches('…');
    let titles = [label.to_lowercase(), format!("the {}", label.to_lowercase())];
    let titled = |page: &'static Page| {
        let mut headings =
            page.text.lines().filter(|line| line.starts_with('#')).map(|line| line.trim_matches(['#', ' ']));
        Some((page.file, headings.find(|heading| titles.contains(&heading.to_lowercase()))?))
    };
    let is_example = |page: &&Page| EXAMPLES.contains(&page.file);
    let (examples, others): (Vec<_>, Vec<_>) = PAGES.iter().partition(is_example);
    let forms = ["**{}**", "**{}…**", "*{}*", "*{}…*", "` ({})", "` ({}…)"].map(|form| form.replace("{}", label));
    let labelled = |page: &'static Page| {
        let at = forms.iter().filter_map(|form| page.text.find(form.as_str())).min()?;
        let is_heading = |line: &&str| line.starts_with('#');
        let heading = page.text[..at].lines().rev().find(is_heading).unwrap_or_default();
        Some((page.file, heading.trim_start_matches('#').trim()))
    };
    let found = PAGES.iter().find_map(titled).or_else(|| others.into_iter().chain(examples).find_map(labelled));
    if label.chars().count() > 1 { found } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editor::panels::window::manual::markdown::{Block, parse};

    #[test]
    fn each_panel_has_a_page_with_its_heading() {
        for panel in Panel::ALL.into_iter().map(Some).chain([None]) {
            let (file, heading) = page_about(panel, &Session::default());
            let page = &PAGES[page_of(file).unwrap_or_else(|| panic!("{panel:?}: {file}"))];
            let has_it = |block: &Block| matches!(block, Block::Heading(_, text) if text == heading);
            assert!(heading.is_empty() || parse(page.text).iter().any(has_it), "{file}: {heading}");
        }
    }

    #[test]
    fn a_label_leads_to_the_section_that_explains_it() {
        for (label, section) in [
            ("Add hit", ("attacks.md", "A new attack in a minute")),
            ("Dope sheet", ("time.md", "The dope sheet")),
            ("Reduce keys", ("time.md", "The dope sheet")),
            ("Reduce to poses…", ("time.md", "Clips")),
            ("Find command…", ("README.md", "Finding things")),
        ] {
            assert_eq!(section_about(label), Some(section));
        }
        assert_eq!(section_about("a label that no page has"), None);
        assert_eq!(section_about(""), None);
    }

    #[test]
    fn all_pages_are_here() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/manual");
        let count = folder.read_dir().unwrap().count();
        assert_eq!(count, PAGES.len());
        assert!(PAGES.iter().all(|page| !page.title().is_empty() && page.text.starts_with("# ")));
    }
}
