//! `keypose check`: finds problems of a file's clips, and compares the editor's preview with the game.

use std::path::Path;
use std::process::ExitCode;

use serde_json::{Value, json};

use keypose::assets::clip_event::Names;
use keypose::assets::model::{ClipSlot, Model};
use keypose::assets::printable::printable;
use keypose_editor::editor::ops::sentence::counted;
use keypose_tools::clip_check::{Finding, Footing, Group, Severity, Subject, check, groups};

use crate::app::commands::Source;
use crate::app::commands::check::preview::PreviewDifference;
use crate::app::commands::wad::output::Output;
use crate::app::console::{self, path_text};
use crate::app::files::Opened;
use crate::app::files::progress::Progress;

mod preview;

/// The exit codes, for `--help`.
const EXIT_CODES: &str = "\
Exit codes:
  0  no warnings (hints are possible), and preview and game match
  1  warnings, or the preview and the game differ by more than 0.0001 of the model's size
  2  the file can't be read, or the arguments are invalid";

/// Maximum difference between preview and game, as a fraction of the model's size: the error bound of a bake.
const MAX_DIFFERENCE: f32 = 1e-4;

/// Check the clips of a file: characters that lie, float or sink, sliding feet, open loops, stretched bones, preview against game
#[derive(clap::Args)]
#[command(after_help = EXIT_CODES)]
pub struct Arguments {
    #[command(flatten)]
    source: Source,
    /// Name of the model; by default all models
    #[arg(long, value_name = "NAME")]
    model: Option<String>,
    /// Print hints as well, which may be intended
    #[arg(long)]
    hints: bool,
    /// Print JSON: every finding with its clip, bone, time and value
    #[arg(long)]
    json: bool,
}

/// The results of a clip.
struct ClipReport<'a> {
    slot: &'a ClipSlot,
    findings: Vec<Finding>,
    groups: Vec<Group>,
}

/// The results of a model.
struct ModelReport<'a> {
    model: &'a Model,
    clips: Vec<ClipReport<'a>>,
    difference: PreviewDifference,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitCode, String> {
    let out = Output::new(arguments.json);
    let checked = open(arguments).map(|(opened, models)| {
        let work = |progress: &Progress| checked_all(&opened, &models, progress);
        let checked = out.watched("checking", &arguments.source.file, work);
        report(arguments, &checked)
    });
    drop(out);
    let (text, code) = checked.unwrap_or_else(|reason| {
        console::warn(format_args!("keypose: {reason}"));
        let text = if arguments.json { format!("{:#}\n", json!({ "error": reason })) } else { String::new() };
        (text, ExitCode::from(2))
    });
    if arguments.json {
        console::print_json_text(&text);
    } else if !text.is_empty() {
        console::print_lines(&text);
    }
    Ok(code)
}

/// Opens the file and finds the indices of the models to check.
fn open(arguments: &Arguments) -> Result<(Opened, Vec<usize>), String> {
    let opened = arguments.source.open()?;
    let models = arguments.source.models(&opened, arguments.model.as_deref())?;
    Ok((opened, models))
}

/// Checks models and sets the part of the clips that is done: half of it are their findings.
fn checked_all<'a>(opened: &'a Opened, models: &[usize], progress: &Progress) -> Vec<ModelReport<'a>> {
    let clips = |at: &usize| opened.project.models[*at].clips.len();
    let all = 2 * models.iter().map(clips).sum::<usize>().max(1);
    let mut done = 0;
    let mut step = || {
        done += 1;
        progress.set(done as f32 / all as f32);
    };
    models.iter().map(|&at| checked(opened, at, &mut step)).collect()
}

fn report(arguments: &Arguments, checked: &[ModelReport<'_>]) -> (String, ExitCode) {
    let clips = || checked.iter().flat_map(|one| &one.clips);
    let grades = [Severity::Warning, Severity::Hint];
    let findings = grades.map(|grade| clips().flat_map(|clip| &clip.findings).filter(|it| it.grade == grade).count());
    let groups = grades.map(|grade| clips().flat_map(|clip| &clip.groups).filter(|it| it.grade == grade).count());
    let is_match = checked.iter().all(|one| one.difference.largest <= MAX_DIFFERENCE);
    let text = if arguments.json {
        format!("{:#}\n", as_json(&arguments.source.file, checked, findings))
    } else {
        as_text(checked, groups, arguments.hints)
    };
    (text, if findings[0] == 0 && is_match { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn checked<'a>(opened: &'a Opened, at: usize, step: &mut impl FnMut()) -> ModelReport<'a> {
    let model = &*opened.project.models[at];
    let subject = Subject::of(model).naming(Names::of(model, &opened.project.models, &opened.project.sounds));
    let of_clip = |slot| {
        step();
        checked_clip(&subject, model, slot)
    };
    let clips = model.clips.iter().map(of_clip).collect();
    ModelReport { model, clips, difference: PreviewDifference::of(&opened.project, &opened.characters[at], step) }
}

fn checked_clip<'a>(subject: &Subject, model: &Model, slot: &'a ClipSlot) -> ClipReport<'a> {
    let findings = check(subject, (&slot.clip, &model.combat.lanes_of(slot.id)), Footing::of(model, &slot.clip.name));
    ClipReport { slot, groups: groups(subject, &findings), findings }
}

fn as_text(checked: &[ModelReport<'_>], [warnings, hints]: [usize; 2], has_hints: bool) -> String {
    let mut lines = Vec::new();
    for ModelReport { model, clips, difference } in checked {
        lines.push(format!("{}: {}", model.name, counted(model.clips.len(), "clip")));
        let is_shown = |group: &&Group| has_hints || group.grade == Severity::Warning;
        for ClipReport { slot, findings, groups } in clips {
            for group in groups.iter().filter(is_shown) {
                let worst = &findings[group.worst];
                let at = slot.clip.frame_rate.frames_in(worst.time);
                let (clip, grade) = (&slot.clip.name, group.grade.word());
                lines.push(format!("  {grade}: {clip}, frame {at:.1}: {}", group.text));
                lines.push(format!("    {}", worst.advice));
            }
        }
        if difference.poses == 0 {
            continue;
        }
        lines.extend(difference.lines().into_iter().map(|line| format!("  {line}")));
    }
    let more = if hints > 0 && !has_hints { " (--hints prints them)" } else { "" };
    lines.push(format!("{}, {}{more}", counted(warnings, "warning"), counted(hints, "hint")));
    lines.iter().map(|line| format!("{}\n", printable(line))).collect()
}

fn as_json(file: &Path, checked: &[ModelReport<'_>], [warnings, hints]: [usize; 2]) -> Value {
    let models: Vec<Value> = checked.iter().map(model_json).collect();
    json!({ "file": path_text(file), "warnings": warnings, "hints": hints, "models": models })
}

fn model_json(ModelReport { model, clips, difference }: &ModelReport<'_>) -> Value {
    let finding = |(slot, finding): (&ClipSlot, &Finding)| {
        let bone = finding.bone.map(|bone| (bone, model.skeleton.get(bone).map(|bone| &bone.name)));
        json!({
            "clip": slot.clip.name,
            "kind": finding.kind.word(),
            "grade": finding.grade.word(),
            "bone": bone.and_then(|(_, name)| name),
            "bone_index": bone.map(|(index, _)| index),
            "time_secs": finding.time.secs(),
            "frame": slot.clip.frame_rate.frames_in(finding.time),
            "figure": finding.figure,
            "text": finding.text,
            "advice": finding.advice,
        })
    };
    let findings = clips.iter().flat_map(|clip| clip.findings.iter().map(|finding| (clip.slot, finding)));
    json!({
        "model": model.name,
        "clips": model.clips.len(),
        "findings": findings.map(finding).collect::<Vec<_>>(),
        "preview_and_game": difference.json(),
    })
}
