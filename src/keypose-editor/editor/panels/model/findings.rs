//! Findings of a clip as lines, grouped. A click on a line goes to the worst place and shows all of them.

use crate::editor::panels::ui::prelude::*;
use crate::editor::view::checks::Checked;
use keypose_tools::clip_check::{Finding, Group, Kind, Severity};

/// The lines, and which of them is open.
#[derive(Debug, Default)]
pub struct FindingLines {
    open: Option<(ClipId, Kind, Option<BoneIndex>)>,
}

impl FindingLines {
    /// Draws the groups of a clip. Tests find them by `id` and their number.
    pub fn ui(&mut self, ui: &Ui<'_>, id: &str, checked: &Checked, groups: &[&Group]) {
        for (at, group) in groups.iter().enumerate() {
            let key = (checked.id, group.kind, group.bone);
            let is_open = self.open == Some(key);
            if line(ui, &format!("{id}-{at}"), group, is_open) {
                go_to(ui, checked, &checked.findings[group.worst]);
                self.open = (!is_open).then_some(key);
            }
            if is_open {
                places(ui, &format!("{id}-{at}"), checked, group);
            }
        }
    }
}

/// Draws a group. Returns whether it was clicked.
fn line(ui: &Ui<'_>, id: &str, group: &Group, is_open: bool) -> bool {
    let touch = widgets::row(ui, id, is_open);
    let [x, y] = [touch.rect.min[0] + 8.0, touch.rect.center()[1]];
    ui.dot([x, y], 3.5, grade_color(ui, group.grade));
    ui.mark(|| format!("finding: {}", group.text), touch.rect);
    let fitted = inset(touch.rect, 18.0);
    text_in(ui, fitted, &group.text);
    if !is_open && ui.calc_text_size(&group.text)[0] > fitted.width() {
        ui.tip(&group.text, "");
    }
    touch.is_clicked
}

/// Draws the places of a group if there are several, and the advice.
fn places(ui: &Ui<'_>, id: &str, checked: &Checked, group: &Group) {
    let worst = &checked.findings[group.worst];
    if group.places.len() > 1 {
        for (at, finding) in group.places.iter().map(|&at| &checked.findings[at]).enumerate() {
            let touch = widgets::row(ui, &format!("{id}-{at}"), false);
            text_in(ui, inset(touch.rect, 30.0), &finding.text);
            if touch.is_clicked {
                go_to(ui, checked, finding);
            }
        }
    }
    let [x, y] = ui.cursor_screen_pos();
    let is_cut = ui.calc_text_size(&group.text)[0] > ui.content_region_avail()[0] - 22.0;
    let text = if is_cut { format!("{}.\n{}", group.text, worst.advice) } else { worst.advice.to_owned() };
    ui.set_cursor_screen_pos([x + 18.0, y + 1.0]);
    let _wrap = ui.push_text_wrap_pos();
    ui.text_colored(ui.theme.quiet, text);
    ui.dummy([0.0, 4.0]);
}

/// Draws text that names of bones make as long as they like, so it may be cut.
fn text_in(ui: &Ui<'_>, rect: Rect, text: &str) {
    let fitted = ui.fitted(text, rect.width());
    ui.text_in(rect, Align::Left, ui.theme.text, &fitted);
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
