//! The title over a level that was not started yet: its name, the best results, and what starts it.

use keypose::assets::printable::printable;
use keypose_editor::editor::panels::ui::fonts::in_title;
use keypose_editor::editor::panels::ui::surface::Surface;
use keypose_editor::game::world::World;
use keypose_editor::game::world::units::metres;

use crate::app::play::hud::{Plate, WHITE};
use crate::app::play::results::{Results, time};

/// The height of the player's health at the upper edge, in points.
const BELOW_HEALTH: f32 = 52.0;

/// A gate nearer to the start than this, in metres, is in the picture.
const NEAR_GATE: f32 = 8.0;

/// The values that the title of a level shows.
#[derive(Clone, Copy)]
pub struct Title<'a> {
    /// The number of the level and the count of all; `None` for the only one.
    pub number: Option<[usize; 2]>,
    /// The time to beat, in ticks.
    pub to_beat: Option<u64>,
    /// The name of the level.
    pub level: &'a str,
    /// The best results so far.
    pub best: Option<Results>,
    /// The coins of the level.
    pub coins: usize,
    /// The aim of the level; empty if it has none.
    pub aim: &'a str,
    /// The names of the keys that start the level.
    pub starts: &'a str,
    /// Ticks since it appeared: its last line pulses.
    pub ticks: u64,
}

/// Draws the title.
pub fn draw(frame: &Surface<'_>, title: &Title<'_>) {
    let Title { number, level, aim, starts, ticks, .. } = *title;
    let [width, height] = frame.io().display_size;
    let list = frame.get_background_draw_list();
    list.add_rect_filled_multicolor(
        [0.0, 0.0],
        [width, height * 0.62],
        [0.03, 0.04, 0.07, 0.86],
        [0.03, 0.04, 0.07, 0.86],
        [0.03, 0.04, 0.07, 0.0],
        [0.03, 0.04, 0.07, 0.0],
    );
    let centred = |text: &str, y: f32, color: [f32; 4]| {
        let wide = frame.calc_text_size(text)[0];
        let place = [((width - wide) / 2.0).round(), y.round()];
        list.add_text([place[0] + 2.0, place[1] + 2.0], [0.02, 0.02, 0.04, 0.75 * color[3]], text);
        list.add_text(place, color, text);
        wide
    };
    let name = capitalized(&printable(level));
    let wide = {
        let _font = frame.with_font(if name.chars().all(in_title) { frame.fonts.title } else { frame.fonts.bold });
        let name = frame.fitted(&name, width - 80.0);
        centred(&name, height * 0.2, WHITE)
    };
    if let Some([number, count]) = number {
        centred(&format!("Level {number} of {count}"), height * 0.2 - 26.0, WHITE);
    }
    let under = height * 0.2 + 56.0;
    let half = (wide * 0.5 + 30.0).clamp(90.0, width * 0.45);
    list.add_line([width * 0.5 - half, under], [width * 0.5 + half, under], [0.95, 0.8, 0.42, 0.9])
        .thickness(2.0)
        .build();
    centred(&figures(title), under + 14.0, [0.96, 0.86, 0.58, 1.0]);
    centred(aim, under + 40.0, WHITE);
    let pulse = 0.88 + 0.12 * (ticks as f32 * 0.07).cos();
    let _font = frame.with_font(frame.fonts.large);
    centred(starts, (height * 0.42).max(under + 72.0), [WHITE[0], WHITE[1], WHITE[2], pulse]);
}

/// The time to beat and the best results so far; empty for a level that can't be finished.
fn figures(title: &Title<'_>) -> String {
    let mut parts = Vec::new();
    parts.extend(title.to_beat.map(|ticks| format!("Time to beat {}", time(ticks))));
    match title.best {
        Some(best) => {
            parts.push(format!("Best time {}", time(best.ticks)));
            parts.push(format!("Fewest hits taken {}", best.hits));
            parts.extend((title.coins > 0).then(|| format!("Most coins {} of {}", best.coins, title.coins)));
        }
        None => parts.extend((title.coins > 0).then(|| format!("{} coins", title.coins))),
    }
    parts.join("     ")
}

/// Draws the screen while the file of a game is read.
pub fn draw_waiting(frame: &Surface<'_>) {
    let [width, height] = frame.io().display_size;
    let list = frame.get_background_draw_list();
    list.add_rect([0.0; 2], [width, height], [0.03, 0.04, 0.07, 1.0]).filled(true).build();
    let _font = frame.with_font(frame.fonts.title);
    let text = "Loading";
    let wide = frame.calc_text_size(text)[0];
    list.add_text([((width - wide) / 2.0).round(), (height * 0.2).round()], WHITE, text);
}

/// A name with its first letter in upper case.
fn capitalized(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// Returns the aim of a level as a sentence, with the direction; empty for one without a goal.
pub fn aim_of(world: &World) -> String {
    let Some(goal) = world.stage.goal else { return String::new() };
    let way = metres(goal.middle() - world.stage.spawn.x);
    let side = match way {
        _ if way.abs() < NEAR_GATE => "",
        _ if way > 0.0 => " on the right",
        _ => " on the left",
    };
    let guard = world.stage.guards.map(|kind| printable(&world.stage.kinds[kind].name));
    let first = guard.map_or("Reach".to_owned(), |guard| format!("Defeat the {guard} and go through"));
    format!("{first} the gate{side}")
}

/// Where the keys are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HelpPlace {
    /// At the lower edge, with the title.
    Bottom,
    /// Below the player's health, so that it covers sky while one plays, and no foe.
    Top,
}

/// Draws lines of keys and what they do, on a plate.
pub fn draw_help(frame: &Surface<'_>, rows: &[Vec<(String, &'static str)>; 2], place: HelpPlace) {
    let [width, height] = frame.io().display_size;
    let line = |keys: &Vec<(String, &str)>| {
        keys.iter().map(|(keys, does)| format!("{keys} {does}")).collect::<Vec<_>>().join("     ")
    };
    let lines: Vec<String> = rows.iter().filter(|row| !row.is_empty()).map(line).collect();
    let (y, pivot) = match place {
        HelpPlace::Bottom => (height - 14.0, 1.0),
        HelpPlace::Top => (BELOW_HEALTH, 0.0),
    };
    Plate { place: [width * 0.5, y], pivot: [0.5, pivot], color: WHITE }.draw(frame, "##keys", &lines);
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use keypose::assets::level::{FoeKind, FoePlace, Goal, Level, Rect};
    use keypose_editor::game::play::Play;

    #[test]
    fn a_level_says_what_is_to_be_done() {
        let at = |x: f32, after: &str| Some(Goal { rect: Rect::new(x, 0.0, x + 1.0, 2.0), after: after.into() });
        let goal = |after: &str| at(5.0, after);
        let kinds = vec![FoeKind { name: "chief".into(), health: 50, ..FoeKind::default() }];
        let foes = vec![FoePlace { kind: "chief".into(), place: glam::Vec2::X, faces_left: true }];
        let aim = |goal: Option<Goal>| {
            let level = Level { goal, kinds: kinds.clone(), foes: foes.clone(), ..Level::default() };
            aim_of(Play::new(&[], Some(&Arc::new(level)), 1).world())
        };
        assert_eq!(aim(None), "");
        assert_eq!(aim(goal("")), "Reach the gate");
        assert_eq!(aim(goal("chief")), "Defeat the chief and go through the gate");
        assert_eq!(aim(goal("no such foe")), "Reach the gate", "it is open");
        assert_eq!(aim(at(30.0, "chief")), "Defeat the chief and go through the gate on the right");
        assert_eq!(aim(at(-30.0, "")), "Reach the gate on the left");
    }
}
