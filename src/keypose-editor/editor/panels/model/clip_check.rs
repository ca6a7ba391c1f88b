//! The clip check: problems of each clip, the open one first. A click on a line goes to its clip, bone and time.

use crate::editor::panels::model::findings::FindingLines;
use crate::editor::panels::ui::prelude::*;
use crate::editor::view::checks::{Checked, Checks};
use keypose_tools::clip_check::{Group, Severity};

#[derive(Debug, Default)]
pub struct ClipCheckPanel {
    /// Whether it was drawn in this frame.
    pub is_shown: bool,
    /// Whether hints are shown too.
    has_hints: bool,
    /// Whether only the active clip is shown.
    only_open: bool,
    lines: FindingLines,
}

impl ClipCheckPanel {
    pub fn ui(&mut self, ui: &Ui<'_>, checks: &Checks) {
        self.is_shown = true;
        let Some(model) = ui.model() else {
            return widgets::empty(ui, "No model open.", "Clip check lists problems here.");
        };
        let due = checks.due();
        let counts = [Severity::Warning, Severity::Hint].map(|grade| count(checks.clips(), grade));
        widgets::title(ui, &if due > 0 { format!("Checking, {due} left") } else { totals(counts) }, "");
        if model.clips.is_empty() {
            let key = ui.key_of(Command::NewClip);
            return widgets::empty(ui, "No clips.", &format!("Press {key} for a new clip."));
        }
        self.filters(ui, counts[1]);
        let (has_hints, only_open) = (self.has_hints, self.only_open);
        let lines = &mut self.lines;
        widgets::scrolled(ui, "##findings", 0.0, || {
            let mut has_shown = false;
            for checked in open_first(ui, checks).filter(|it| !only_open || ui.session.focus.clip == Some(it.id)) {
                let is_shown = |group: &&Group| group.grade == Severity::Warning || has_hints;
                let shown: Vec<&Group> = checked.groups.iter().filter(is_shown).collect();
                if !shown.is_empty() {
                    has_shown = true;
                    clip_title(ui, checked);
                    lines.ui(ui, &format!("finding{}", checked.id.0), checked, &shown);
                }
            }
            if !has_shown && due == 0 {
                let count = if only_open { 1 } else { checks.clips().len() };
                no_problems(ui, count);
                let _wrap = ui.push_text_wrap_pos();
                ui.text_colored(ui.theme.quiet, CHECKED);
            }
        });
    }

    /// Draws the filters: all clips or the active one, with or without hints.
    fn filters(&mut self, ui: &Ui<'_>, hints: usize) {
        let (tip, sign) = (format!("Show hints: {hints}"), if self.has_hints { Icon::Eye } else { Icon::EyeOff });
        let show_hints = format!("{} Hints", icon(sign));
        let tone = |is_on: bool| if is_on { Tone::Plain } else { Tone::Bare };
        let buttons = [
            Button { tone: tone(!self.only_open), ..Button::new("All clips", "check-all", "") },
            Button { tone: tone(self.only_open), ..Button::new("Active clip", "check-open", "") },
            Button { tone: Tone::Bare, ..Button::new(&show_hints, "check-hints", &tip) },
        ];
        match Form::new(ui, "").buttons(&buttons) {
            Some(2) => self.has_hints = !self.has_hints,
            Some(at) => self.only_open = at == 1,
            None => {}
        }
    }
}

/// The checks that a clip passed.
const CHECKED: &str = "Checked: feet on the ground, loop seams, stretched bones, keys of missing bones, equal keyframes, rotations, durations.";

/// The clips, the open one first.
fn open_first<'a>(ui: &Ui<'_>, checks: &'a Checks) -> impl Iterator<Item = &'a Checked> {
    let open = ui.session.focus.clip;
    let is_open = move |checked: &&Checked| Some(checked.id) == open;
    let clips = checks.clips().iter();
    clips.clone().filter(is_open).chain(clips.filter(move |checked| !is_open(checked)))
}

fn clip_title(ui: &Ui<'_>, checked: &Checked) {
    let head = widgets::row(ui, &format!("check-clip{}", checked.id.0), false);
    let place = head.rect.inset(4.0, 0.0);
    ui.text_in_font(ui.fonts.small_bold, place, Align::Left, ui.theme.quiet, &checked.clip.name);
    if head.is_clicked {
        ui.send(SelectAction::Clip(Some(checked.id)));
    }
}

fn count(clips: &[Checked], grade: Severity) -> usize {
    clips.iter().flat_map(|clip| clip.groups.iter()).filter(|group| group.grade == grade).count()
}

fn totals([warnings, hints]: [usize; 2]) -> String {
    let counts = [(warnings, "warning"), (hints, "hint")].into_iter().filter(|(count, _)| *count > 0);
    let parts: Vec<String> = counts.map(|(count, what)| counted(count, what)).collect();
    if parts.is_empty() { "no problems".to_owned() } else { parts.join(", ") }
}

/// Says that some clips have no problems.
pub fn no_problems(ui: &Ui<'_>, clips: usize) {
    let text = if clips == 1 { "No problems found.".into() } else { format!("No problems found in {clips} clips.") };
    let rect = ui.take_line(ROW + 2.0);
    ui.text_in(rect.left(18.0), Align::Center, ui.theme.keyed, &icon(Icon::Check));
    ui.text_in(rect.trim_left(26.0), Align::Left, ui.theme.text, &text);
    ui.mark(|| "no-problems".into(), rect);
}
