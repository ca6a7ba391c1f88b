//! docs/command-line.md against the program: it shows the help of every command as it is, and names the variables of
//! the environment that the program reads.

use std::path::Path;
use std::process::Command;

fn page() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(root.join("docs/command-line.md")).unwrap().replace('\r', "")
}

/// What `keypose COMMAND --help` prints. Spaces at the ends of lines are left out.
fn help(command: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_keypose")).args([command, "--help"]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap().replace("keypose.exe", "keypose");
    text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_page_shows_the_help_of_each_command() {
    let page = page();
    let commands = [
        "edit",
        "play",
        "import",
        "inspect",
        "check",
        "frames",
        "render",
        "doctor",
        "bench",
        "export",
        "reimport",
        "level",
        "wad",
        "thumbnail",
        "completions",
        "man-pages",
    ];
    for command in commands {
        let help = help(command);
        let shown = format!("## keypose {command}\n\n```text\n{}\n```\n", help.trim_end());
        assert!(page.contains(&shown), "docs/command-line.md needs this section:\n\n{shown}");
    }
}

#[test]
fn the_page_names_the_variables_of_the_environment() {
    let page = page();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for file in ["src/app/shader_files.rs", "src/app/folders.rs"] {
        let source = std::fs::read_to_string(root.join(file)).unwrap();
        let is_name = |word: &&str| word.len() > 3 && word.chars().all(|it| it.is_ascii_uppercase() || it == '_');
        for name in source.split('"').filter(is_name) {
            assert!(page.contains(&format!("`{name}`")), "docs/command-line.md lacks {name}");
        }
    }
}
