//! docs/scripts.md against the scripts themselves: it names every fact, and its examples run and use every form.

use keypose::anim::clip::LoopMode;
use keypose::anim::key::{Channel, Ease};
use keypose_editor::editor::commands::{CATALOGUE, Row};
use keypose_editor::editor::script;
use keypose_editor::editor::session::keying::AutoKey;
use keypose_editor::editor::session::tool::Space;

use crate::editor_kit;
use crate::root::root;

fn page() -> String {
    std::fs::read_to_string(root().join("docs/scripts.md")).unwrap()
}

/// The contents of the fences that begin with "```text".
fn examples(page: &str) -> Vec<&str> {
    page.split("```text\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect()
}

#[test]
fn the_page_names_every_fact_and_choice() {
    let page = page();
    let facts = script::facts().into_iter().map(str::to_owned);
    let names = Channel::ALL.map(Channel::name).into_iter().chain(Ease::ALL.map(Ease::name));
    let names = names.chain(LoopMode::ALL.map(LoopMode::name)).chain(AutoKey::ALL.map(AutoKey::name));
    let names = names.chain(Space::ALL.map(Space::name)).map(|name| name.replace(' ', "-").to_lowercase());
    let missing: Vec<String> = facts.chain(names).filter(|text| !page.contains(&format!("`{text}`"))).collect();
    assert!(missing.is_empty(), "docs/scripts.md lacks {missing:?}");
}

#[test]
fn help_lists_every_form_fact_and_command() {
    let printed = script::run(&mut editor_kit::editor(), "help").unwrap().printed;
    let forms = [script::commands(), script::facts()].concat().into_iter().map(str::to_owned);
    let named = |row: &Row| format!("{} ({}: {})", script::name_of_command(row.command), row.menu.name(), row.label);
    let missing: Vec<String> =
        forms.chain(CATALOGUE.iter().map(named)).filter(|line| !printed.contains(&format!("  {line}"))).collect();
    assert!(missing.is_empty(), "help lacks {missing:?}");
}

#[test]
fn the_examples_of_the_page_run_and_expect_what_happens() {
    let page = page();
    let examples = examples(&page);
    assert!(examples.len() > 8, "{} examples", examples.len());
    for example in examples {
        let mut editor = editor_kit::editor();
        if let Err(reason) = script::run(&mut editor, example) {
            panic!("docs/scripts.md: {reason}\n{example}");
        }
    }
}

#[test]
fn every_form_of_a_command_has_an_example() {
    let page = page();
    let examples = examples(&page).concat();
    let commands: Vec<Vec<&str>> = examples
        .lines()
        .filter(|line| !line.starts_with('#'))
        .flat_map(|line| script::split_outside_quotes(script::split_expectation(line).0, ';'))
        .map(|command| command.split_whitespace().collect())
        .collect();
    let has_example = |form: &&str| commands.iter().any(|words| script::fits(form, words));
    let missing: Vec<_> = script::commands().into_iter().filter(|form| !has_example(form)).collect();
    assert!(missing.is_empty(), "no example in docs/scripts.md for {missing:?}");
}
