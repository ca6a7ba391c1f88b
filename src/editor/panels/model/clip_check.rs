//! The clip check: problems of each clip. A click on a line goes to its clip, bone and time.

use crate::editor::panels::ui::Ui;
use lucide_icons::Icon;

use crate::assets::clip_check::{Finding, Severity};
use crate::assets::id::ClipId;
use crate::editor::panels::ui::frame::{Align, icon};
use crate::editor::panels::ui::rect::Rect;
use crate::editor::panels::ui::theme::Color;
use crate::editor::panels::ui::widgets;
use crate::editor::panels::ui::widgets::{FIELD, ROW, Tone};
use crate::editor::panels::window::layout;
use crate::editor::session::command::Command;
use crate::editor::session::selection::Pick;
use crate::editor::state::action::{PlaybackAction, SelectAction};
use crate::editor::view::checks::{Checked, Checks};

/// The panel.
#[derive(Debug, Default)]
pub struct ClipCheckPanel {
    /// Whether clips are left to check.
    pub is_busy: bool,
    checks: Checks,
    /// Whether hints are shown too.
    has_hints: bool,
    /// Whether only the active clip is shown.
    only_open: bool,
    /// The clicked finding, whose advice is shown.
    picked: Option<(ClipId, Finding)>,
}

impl ClipCheckPanel {
    /// Draws the panel.
    pub fn ui(&mut self, ui: &Ui<'_>) {
        let Some(model) = ui.model() else {
            return widgets::empty(ui, "No model open.", "Clip check lists problems here.");
        };
        // Keeps the last results during a drag.
        self.is_busy = ui.editor.gesture.is_none() && self.checks.advance(model);
        let due = self.checks.due();
        let counts = [Severity::Warning, Severity::Hint].map(|grade| count(self.checks.clips(), grade));
        layout::title(ui, &if due > 0 { format!("{due} left to check") } else { totals(counts) }, "");
        if model.clips.is_empty() {
            let key = ui.key_of(Command::NewClip);
            return widgets::empty(ui, "No clips.", &format!("Press {key} for a new clip."));
        }
        self.filters(ui, counts[1]);
        let ClipCheckPanel { checks, picked, .. } = self;
        let (has_hints, only_open) = (self.has_hints, self.only_open);
        layout::scrolled(ui, "##findings", 0.0, || {
            let mut has_shown = false;
            for checked in checks.clips().iter().filter(|it| !only_open || ui.session.focus.clip == Some(it.id)) {
                let shown: Vec<&Finding> =
                    checked.findings.iter().filter(|it| it.grade == Severity::Warning || has_hints).collect();
                if !shown.is_empty() {
                    has_shown = true;
                    clip_rows(ui, checked, &shown, picked);
                }
            }
            if !has_shown && due == 0 {
                all_is_well(ui, if only_open { 1 } else { checks.clips().len() });
            }
        });
    }
}

fn count(clips: &[Checked], grade: Severity) -> usize {
    clips.iter().flat_map(|clip| clip.findings.iter()).filter(|finding| finding.grade == grade).count()
}

fn totals([warnings, hints]: [usize; 2]) -> String {
    let some = |count: usize, what: &str| match count {
        0 => None,
        1 => Some(format!("1 {what}")),
        count => Some(format!("{count} {what}s")),
    };
    let parts: Vec<String> = some(warnings, "warning").into_iter().chain(some(hints, "hint")).collect();
    if parts.is_empty() { "no problems".to_owned() } else { parts.join(", ") }
}

impl ClipCheckPanel {
    /// Draws the filters: all clips or the active one, with or without hints.
    fn filters(&mut self, ui: &Ui<'_>, hints: usize) {
        let third = (ui.content_region_avail()[0] - 8.0) / 3.0;
        let tone = |is_on: bool| if is_on { Tone::Plain } else { Tone::Bare };
        if widgets::button(ui, "All clips##check-all", [third, FIELD], tone(!self.only_open)) {
            self.only_open = false;
        }
        ui.same_line_with_spacing(0.0, 4.0);
        if widgets::button(ui, "Active clip##check-open", [third, FIELD], tone(self.only_open)) {
            self.only_open = true;
        }
        ui.same_line_with_spacing(0.0, 4.0);
        let sign = if self.has_hints { Icon::Eye } else { Icon::EyeOff };
        if widgets::button(ui, &format!("{} Hints##check-hints", icon(sign)), [third, FIELD], Tone::Bare) {
            self.has_hints = !self.has_hints;
        }
        ui.tip(&format!("Show hints: {hints}"), "");
        ui.dummy([0.0, 2.0]);
    }
}

fn all_is_well(ui: &Ui<'_>, clips: usize) {
    let text = if clips == 1 { "No problems found.".into() } else { format!("No problems found in {clips} clips.") };
    ui.dummy([0.0, 6.0]);
    let rect = Rect::at(ui.cursor_screen_pos(), [ui.content_region_avail()[0], ROW]);
    ui.text_in(rect.left(18.0), Align::Center, ui.theme.keyed, &icon(Icon::Check));
    ui.text_in(rect.trim_left(26.0), Align::Left, ui.theme.text, &text);
    ui.dummy([0.0, ROW + 2.0]);
    let _wrap = ui.push_text_wrap_pos();
    let looks_at = "Checked: feet on the ground, loop seams, stretched bones, keys of missing bones, equal keyframes, rotations, durations.";
    ui.text_colored(ui.theme.quiet, looks_at);
}

/// Draws a clip's name and its findings, the picked one with its advice.
fn clip_rows(ui: &Ui<'_>, checked: &Checked, shown: &[&Finding], picked: &mut Option<(ClipId, Finding)>) {
    let head = widgets::row(ui, &format!("check-clip{}", checked.id.0), false);
    {
        let _font = ui.with_font(ui.fonts.small_bold);
        ui.text_in(inset(head.rect, 4.0), Align::Left, ui.theme.quiet, &checked.clip.name);
    }
    if head.is_clicked {
        ui.send(SelectAction::Clip(Some(checked.id)));
    }
    for (at, finding) in shown.iter().enumerate() {
        let is_picked = picked.as_ref().is_some_and(|(clip, it)| *clip == checked.id && it == *finding);
        let touch = widgets::row(ui, &format!("finding{}-{at}", checked.id.0), is_picked);
        let [x, y] = [touch.rect.min[0] + 12.0, touch.rect.center()[1]];
        ui.dot([x, y], 3.5, grade_color(ui, finding.grade));
        ui.text_in(inset(touch.rect, 24.0), Align::Left, ui.theme.text, &finding.text);
        if !is_picked {
            ui.tip(&format!("{}\n{}", finding.text, finding.advice), "");
        }
        if touch.is_clicked {
            go_to(ui, checked, finding);
            *picked = Some((checked.id, (*finding).clone()));
        }
        if is_picked {
            advice(ui, finding);
        }
    }
}

fn inset(rect: Rect, left: f32) -> Rect {
    rect.trim_left(left).trim_right(4.0)
}

fn grade_color(ui: &Ui<'_>, grade: Severity) -> Color {
    match grade {
        Severity::Warning => ui.theme.hurt,
        Severity::Hint => ui.theme.dim,
    }
}

/// Draws the advice, after the whole text if the line was cut.
fn advice(ui: &Ui<'_>, finding: &Finding) {
    let [x, y] = ui.cursor_screen_pos();
    let wide = ui.content_region_avail()[0] - 30.0;
    let is_cut = ui.calc_text_size(&finding.text)[0] > wide;
    let text = if is_cut { format!("{}.\n{}", finding.text, finding.advice) } else { finding.advice.to_owned() };
    ui.set_cursor_screen_pos([x + 24.0, y + 1.0]);
    let _wrap = ui.push_text_wrap_pos();
    ui.text_colored(ui.theme.quiet, text);
    ui.dummy([0.0, 4.0]);
}

/// Goes to the clip, the bone and the time of a finding.
fn go_to(ui: &Ui<'_>, checked: &Checked, finding: &Finding) {
    ui.send(PlaybackAction::SetPlaying(false));
    ui.send(SelectAction::Clip(Some(checked.id)));
    let bones = ui.model().map_or(0, |model| model.skeleton.len());
    if let Some(bone) = finding.bone.filter(|bone| usize::from(*bone) < bones) {
        ui.send(SelectAction::Bones { bones: vec![bone], pick: Pick::Only });
    }
    ui.send(PlaybackAction::Seek(finding.time));
}
