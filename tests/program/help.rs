//! docs/command-line.md against the program: it names every command, and the variables of the environment that the program
//! reads. Commands and options that any document shows exist.

use std::collections::BTreeMap;

use crate::folder::Folder;
use crate::process::{keypose, ran};
use crate::root::root;

fn page() -> String {
    let root = root();
    std::fs::read_to_string(root.join("docs/command-line.md")).unwrap().replace('\r', "")
}

/// What `keypose COMMAND --help` prints. Spaces at the ends of lines are left out.
fn help(command: &str) -> String {
    printed(&[command, "--help"])
}

fn printed(arguments: &[&str]) -> String {
    let (_, printed, _) = ran(keypose(&Folder::new("help")).args(arguments));
    let text = printed.replace("keypose.exe", "keypose");
    text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_page_names_each_command() {
    let page = page();
    let all = printed(&["--help"]);
    let list = all.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let names: Vec<&str> = list.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next()).collect();
    assert!(names.len() > 15, "{names:?}");
    for name in names.into_iter().filter(|name| *name != "help" && !name.is_empty()) {
        let is_named = ["`", "`keypose "]
            .iter()
            .any(|start| [" ", "`", "\\"].iter().any(|end| page.contains(&format!("{start}{name}{end}"))));
        assert!(is_named, "docs/command-line.md lacks {name}");
    }
}

#[test]
fn the_page_names_the_variables_of_the_environment() {
    let page = page();
    let root = root();
    for file in ["src/keypose-app/app/window/shader_files.rs", "src/keypose-app/app/files/folders.rs"] {
        let source = std::fs::read_to_string(root.join(file)).unwrap();
        let is_name = |word: &&str| word.len() > 3 && word.chars().all(|it| it.is_ascii_uppercase() || it == '_');
        for name in source.split('"').filter(is_name) {
            assert!(page.contains(&format!("`{name}`")), "docs/command-line.md lacks {name}");
        }
    }
}

/// Every command that a document shows, as `keypose …` or as a line of a block, with what follows on the line.
fn shown_commands() -> Vec<(String, String)> {
    let root = root();
    let folders = ["docs", "docs/manual"].into_iter().map(|folder| std::fs::read_dir(root.join(folder)).unwrap());
    let docs = folders.flatten().map(|entry| entry.unwrap().path());
    let pages = docs.chain(["README.md", "CONTRIBUTING.md", "SECURITY.md"].map(|name| root.join(name)));
    let mut shown = Vec::new();
    for page in pages.filter(|path| path.extension().is_some_and(|ending| ending == "md")) {
        let name = page.file_name().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&page).unwrap();
        let spans = text.split('`').skip(1).step_by(2).filter(|span| !span.contains('\n'));
        let lines = text.lines().map(|line| line.split('#').next().unwrap());
        let commands = spans.chain(lines).filter_map(|text| text.trim().strip_prefix("keypose "));
        shown.extend(
            commands.filter(|rest| !rest.starts_with(['=', '[', '-'])).map(|rest| (name.clone(), rest.to_owned())),
        );
    }
    shown
}

#[test]
fn documents_show_commands_and_options_that_exist() {
    let all = printed(&["--help"]);
    let names: Vec<&str> = all.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next()).collect();
    let (mut tried, mut helps) = (0, BTreeMap::new());
    for (page, shown) in shown_commands() {
        let plain = shown.replace("\\|", "|").replace(['[', ']'], "");
        let mut words = plain.split_whitespace();
        for command in words.next().unwrap().split('|') {
            // A file, a word that stands for one, or the name of a protocol.
            if !names.contains(&command) {
                let is_file = command.contains('.') || command.chars().all(char::is_uppercase);
                assert!(is_file || page == "follow.md", "{page}: keypose {shown}");
                continue;
            }
            let own = helps.entry(command.to_owned()).or_insert_with(|| help(command)).clone();
            let nested = words.clone().next().filter(|word| own.contains(&format!("\n  {word} ")));
            let text = match nested {
                Some(nested) => own.clone() + &printed(&[command, nested, "--help"]),
                None => own,
            };
            for option in words.clone().filter(|word| word.starts_with('-') && word.len() > 1) {
                tried += 1;
                let is_there = [" ", ",", "["].iter().any(|end| text.contains(&format!("{option}{end}")));
                assert!(is_there || text.contains(&format!("{option}\n")), "{page}: keypose {shown}: {option}");
            }
        }
    }
    assert!(tried > 20, "{tried} options");
}
