//! `keypose frames`: prints the frame data of the clips that have hit, hurt, cancel or invulnerable ranges, as a table, CSV or
//! JSON.

use std::process::ExitCode;

use serde_json::{Value, json};

use keypose::assets::character::Character;
use keypose::assets::combat::frame_data::{COLUMNS, FrameData, of_model};
use keypose::assets::printable::printable;

use crate::app::commands::Source;
use crate::app::console;

/// Print the frame data of attacks: start-up, active, recovery, reach, advantage, in ticks of 1/60 s
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    source: Source,
    /// Name of the model; by default all models
    #[arg(long, value_name = "NAME")]
    model: Option<String>,
    /// Print comma-separated values with a header
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The figures of one clip, with the name of its model.
struct Line {
    model: String,
    clip: String,
    figures: FrameData,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitCode, String> {
    let opened = arguments.source.open()?;
    let models = arguments.source.models(&opened, arguments.model.as_deref())?;
    let lines: Vec<Line> = models.into_iter().flat_map(|at| lines(&opened.characters[at])).collect();
    match (arguments.json, arguments.csv) {
        (true, _) => console::print_json_text(&format!("{:#}\n", as_json(&lines))),
        (_, true) => console::print_lines(&as_csv(&lines)),
        _ => console::print_lines(&as_table(&lines)),
    }
    Ok(ExitCode::SUCCESS)
}

fn lines(character: &Character) -> Vec<Line> {
    let figures = of_model(&character.model, &character.clips).into_iter();
    figures.map(|(clip, figures)| Line { model: character.model.name.clone(), clip, figures }).collect()
}

fn as_json(lines: &[Line]) -> Value {
    let line = |Line { model, clip, figures }: &Line| {
        json!({
            "model": model,
            "clip": clip,
            "total": figures.total,
            "startup": figures.startup,
            "active": figures.active,
            "recovery": figures.recovery,
            "reach_m": figures.reach,
            "damage": figures.damage,
            "on_hit": figures.on_hit,
            "on_block": figures.on_block,
            "cancel": figures.cancel,
            "invulnerable": figures.invulnerable,
        })
    };
    json!({ "ticks_per_second": 60, "clips": lines.iter().map(line).collect::<Vec<_>>() })
}

/// A header and a line for each clip (RFC 4180).
fn as_csv(lines: &[Line]) -> String {
    let field = |text: &str| match printable(text) {
        text if text.contains(['"', ',']) => format!("\"{}\"", text.replace('"', "\"\"")),
        text => text.into_owned(),
    };
    let mut text = format!("model,{}\n", COLUMNS.join(","));
    for Line { model, clip, figures } in lines {
        let row = figures.row(clip);
        let fields = [model].into_iter().chain(&row).map(|part| field(part));
        text += &fields.collect::<Vec<_>>().join(",");
        text.push('\n');
    }
    text
}

fn as_table(lines: &[Line]) -> String {
    if lines.is_empty() {
        return "No clip has hit, hurt, cancel or invulnerable ranges.\n".to_owned();
    }
    let header = ["model"].into_iter().chain(COLUMNS).map(|name| name.replace("_m", " m").replace('_', " "));
    let mut rows: Vec<Vec<String>> = vec![header.collect()];
    for Line { model, clip, figures } in lines {
        let shown = |text: &str| if text.is_empty() { "–".to_owned() } else { printable(text).into_owned() };
        rows.push([shown(model)].into_iter().chain(figures.row(clip).iter().map(|part| shown(part))).collect());
    }
    let columns = rows[0].len();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for row in &rows {
        // Names to the left, figures to the right.
        let cell = |(at, part): (usize, &String)| match at {
            0 | 1 => format!("{part:<width$}", width = widths[at]),
            _ => format!("{part:>width$}", width = widths[at]),
        };
        text += row.iter().enumerate().map(cell).collect::<Vec<_>>().join("  ").trim_end();
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(clip: &str) -> Line {
        let figures = FrameData {
            total: 30,
            startup: Some(6),
            active: 3,
            recovery: 21,
            reach: Some(1.256),
            damage: 12,
            on_hit: Some(-3),
            ..FrameData::default()
        };
        Line { model: "knight".into(), clip: clip.into(), figures }
    }

    #[test]
    fn every_form_has_every_figure() {
        let lines = [line("stab, low \"x\""), line("jab")];
        assert_eq!(
            as_csv(&lines),
            "model,clip,total,startup,active,recovery,reach_m,damage,on_hit,on_block,cancel,invulnerable\n\
             knight,\"stab, low \"\"x\"\"\",30,6,3,21,1.26,12,-3,,,0\n\
             knight,jab,30,6,3,21,1.26,12,-3,,,0\n"
        );
        let value = as_json(&lines);
        assert_eq!((&value["clips"][1]["clip"], &value["clips"][0]["startup"]), (&json!("jab"), &json!(6)));
        assert_eq!(value["clips"][0]["cancel"], Value::Null);
        assert_eq!(
            as_table(&lines[1..]),
            "model   clip  total  startup  active  recovery  reach m  damage  on hit  on block  cancel  invulnerable\n\
             knight  jab      30        6       3        21     1.26      12      -3         –       –             0\n"
        );
        assert!(as_table(&[]).starts_with("No clip"));
    }
}
