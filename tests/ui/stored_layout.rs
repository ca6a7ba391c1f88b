//! Stored layouts of the panels: those that Dear ImGui writes are accepted; a changed one is refused, or drawn without harm.
//! A wrong decision here ends the test program, as it would end the editor.

use keypose_app::app::window::panel_layout::checked;
use keypose_editor::editor::panels::window::layout::Panel;
use keypose_editor::editor::session::preferences::{Arrangement, Prefer};

use crate::driver::{Driver, SIZE, arm};

/// Layouts of all arrangements, some with every panel shown once.
fn written() -> Vec<String> {
    let mut driver = Driver::new(arm(), SIZE);
    let mut layouts = vec![driver.layout().0];
    for arrangement in Arrangement::ALL {
        driver.update(Prefer::Arrange(arrangement));
        driver.frames(3);
        layouts.push(driver.layout().0);
    }
    for panel in Panel::ALL {
        driver.dock.show(panel);
        driver.frames(2);
    }
    layouts.push(driver.layout().0);
    layouts
}

/// Draws a layout. Dear ImGui aborts the program if it can't.
fn draw(layout: &str) -> String {
    let mut driver = Driver::fresh(arm(), SIZE);
    driver.restore(&(layout.to_owned(), None));
    driver.frames(4);
    driver.layout().0
}

#[test]
fn what_is_written_is_accepted_and_restored() {
    for layout in written() {
        let read = checked(&layout).expect("Dear ImGui wrote it");
        assert_eq!(checked(&read).as_deref(), Some(&*read), "it has one form");
        let tree = |layout: &str| checked(layout).unwrap().split_once("[Docking]").map(|(_, tree)| tree.to_owned());
        assert_eq!(tree(&draw(&read)), tree(&draw(&layout)), "nothing of it was lost");
    }
}

#[test]
fn hostile_layouts_are_refused() {
    let good = written().pop().unwrap();
    let each_line = |of: &dyn Fn(&str) -> String| good.lines().map(|line| of(line) + "\n").collect::<String>();
    let id = |line: &str| line.split("ID=").nth(1).map(|rest| rest[..10].to_owned());
    let parent = |line: &str| line.split("Parent=").nth(1).map(|rest| rest[..10].to_owned());
    let same_ids = each_line(&|line| match id(line) {
        Some(id) if line.contains("Dock") => line.replace(&format!(" ID={id}"), " ID=0x00000001"),
        _ => line.to_owned(),
    });
    let own_parents = each_line(&|line| match (id(line), parent(line)) {
        (Some(id), Some(parent)) => line.replace(&format!("Parent={parent}"), &format!("Parent={id}")),
        _ => line.to_owned(),
    });
    let mut splits = "[Docking][Data]\nDockSpace ID=0x1 Window=0x2 Pos=0,0 Size=10,10 Split=X\n".to_owned();
    for number in 1..2000 {
        let axis = ["X", "Y"][number % 2];
        splits += &format!("DockNode ID=0x{:X} Parent=0x{number:X} SizeRef=1,1 Split={axis}\n", number + 1);
    }
    let huge = good.replace("Size=", "Size=-2147483648,2147483647\nWas=");
    let space = good.lines().find(|line| line.starts_with("DockSpace")).and_then(id).unwrap();
    let docked_in_split = good.replace("Collapsed=0", &format!("Collapsed=0\nDockId={space},0"));
    let cases = [
        ("the same id", same_ids),
        ("its own parent", own_parents),
        ("a chain", splits),
        ("huge", huge),
        ("windows in a split node", docked_in_split),
        ("two windows of a name", "[Window][Log]\n[Window][Log]\n".into()),
        ("many windows", (0..1000).map(|number| format!("[Window][%s%n{number}]\nPos=1,1\n")).collect()),
        (
            "two spaces",
            "[Docking][Data]\nDockSpace ID=0x1 Pos=0,0 Size=9,9\nDockSpace ID=0x2 Pos=0,0 Size=9,9\n".into(),
        ),
        ("a space without its numbers", "[Docking][Data]\nDockSpace ID=0x1\n".into()),
    ];
    for (name, layout) in cases {
        assert_eq!(checked(&layout), None, "{name}");
    }
    let tables = "[Table][0xFFFFFFFF,64]\nRefScale=0\nColumn 63 Width=1e30 Sort=99v\n";
    assert_eq!(checked(tables).as_deref(), Some("\n"), "tables are left out");
}

#[test]
fn what_is_accepted_of_a_changed_layout_is_drawn() {
    let layouts = written();
    let mut state = 88_172_645_463_325_252_u64;
    let mut dice = |count: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % count as u64) as usize
    };
    let runs = std::env::var("KEYPOSE_FUZZ_RUNS").ok().and_then(|runs| runs.parse().ok()).unwrap_or(120);
    let (mut accepted, mut drawn) = (0, std::collections::BTreeSet::new());
    for _ in 0..runs {
        let mut lines: Vec<String> = layouts[dice(layouts.len())].lines().map(str::to_owned).collect();
        for _ in 0..=dice(3) {
            let (at, other) = (dice(lines.len()), dice(lines.len()));
            match dice(6) {
                0 => drop(lines.remove(at)),
                1 => lines.swap(at, other),
                2 => lines.insert(at, lines[other].clone()),
                3 => {
                    let words: Vec<&str> = lines[other].split(' ').collect();
                    let word = words[dice(words.len())].to_owned();
                    let mut words: Vec<String> = lines[at].split(' ').map(str::to_owned).collect();
                    let place = dice(words.len());
                    words[place] = word;
                    lines[at] = words.join(" ");
                }
                4 => {
                    let digits: String = (0..4).map(|_| char::from(b"0123456789-ABCDEF,"[dice(18)])).collect();
                    let from =
                        lines[at].char_indices().map(|(from, _)| from).nth(dice(lines[at].len().max(1))).unwrap_or(0);
                    lines[at].insert_str(from, &digits);
                }
                _ => {
                    let flag = [" CentralNode=1", " NoTabBar=1", " HiddenTabBar=1", " Split=Y", " NoResize=1"][dice(5)];
                    lines[at].push_str(flag);
                }
            }
            if lines.is_empty() {
                break;
            }
        }
        if let Some(layout) = checked(&(lines.join("\n") + "\n")) {
            accepted += 1;
            if drawn.insert(layout.clone()) {
                draw(&layout);
            }
        }
    }
    println!("{accepted} of {runs} accepted, {} different ones drawn", drawn.len());
    assert!(drawn.len() > 10);
}
