//! What may be wrong with the clips, clip by clip: a click on a line goes to the clip, the bone and the time.

use lucide_icons::Icon;

use crate::assets::clip_check::{Finding, Severity};
use crate::assets::id::ClipId;
use crate::editor::panels::ui::actions::Out;
use crate::editor::panels::ui::canvas::{Align, Kit, Rect, icon};
use crate::editor::panels::ui::seen::Seen;
use crate::editor::panels::ui::theme::Color;
use crate::editor::panels::ui::widgets;
use crate::editor::panels::ui::widgets::{FIELD, ROW, Tone};
use crate::editor::panels::window::layout;
use crate::editor::session::command::Command;
use crate::editor::session::selection::Pick;
use crate::editor::state::action::{PlaybackAction, SelectAction};
use crate::editor::view::checks::{Checked, Checks};

/// What the panel keeps for itself.
#[derive(Debug, Default)]
pub struct CheckLocal {
    /// Clips are left to be looked at.
    pub is_busy: bool,
    checks: Checks,
    /// Hints are shown too.
    has_hints: bool,
    /// Only the open clip is shown.
    only_open: bool,
    /// The finding that was clicked: its advice shows.
    picked: Option<(ClipId, Finding)>,
}

/// The panel's contents.
pub fn clip_check_ui(kit: &Kit<'_>, seen: &Seen<'_>, local: &mut CheckLocal, out: &mut Out) {
    let Some(model) = seen.model() else {
        layout::title(kit, "Clip check", "");
        return widgets::empty(kit, "No model is open.", "What may be wrong with its clips stands here.");
    };
    // While something is dragged, what was found before stands.
    local.is_busy = seen.editor.gesture.is_none() && local.checks.advance(model);
    let due = local.checks.due();
    let counts = [Severity::Warning, Severity::Hint].map(|grade| count(local.checks.clips(), grade));
    layout::title(kit, "Clip check", &if due > 0 { format!("{due} to look at") } else { totals(counts) });
    if model.clips.is_empty() {
        let key = seen.key_of(Command::NewClip);
        return widgets::empty(kit, "No clips yet.", &format!("{key} makes one."));
    }
    filters(kit, local, counts[1]);
    let CheckLocal { checks, picked, .. } = local;
    let (has_hints, only_open) = (local.has_hints, local.only_open);
    layout::scrolled(kit, "##findings", 0.0, || {
        let mut has_shown = false;
        for checked in checks.clips().iter().filter(|it| !only_open || seen.session.focus.clip == Some(it.id)) {
            let shown: Vec<&Finding> =
                checked.findings.iter().filter(|it| it.grade == Severity::Warning || has_hints).collect();
            if !shown.is_empty() {
                has_shown = true;
                clip_rows(kit, seen, checked, &shown, picked, out);
            }
        }
        if !has_shown && due == 0 {
            all_is_well(kit, if only_open { 1 } else { checks.clips().len() });
        }
    });
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
    if parts.is_empty() { "all is well".to_owned() } else { parts.join(", ") }
}

/// All clips or the open one, with hints or without.
fn filters(kit: &Kit<'_>, local: &mut CheckLocal, hints: usize) {
    let third = (kit.content_region_avail()[0] - 8.0) / 3.0;
    let tone = |is_on: bool| if is_on { Tone::Plain } else { Tone::Bare };
    if widgets::button(kit, "All clips##check-all", [third, FIELD], tone(!local.only_open)) {
        local.only_open = false;
    }
    kit.same_line_with_spacing(0.0, 4.0);
    if widgets::button(kit, "Open clip##check-open", [third, FIELD], tone(local.only_open)) {
        local.only_open = true;
    }
    kit.same_line_with_spacing(0.0, 4.0);
    let sign = if local.has_hints { Icon::Eye } else { Icon::EyeOff };
    if widgets::button(kit, &format!("{} Hints##check-hints", icon(sign)), [third, FIELD], Tone::Bare) {
        local.has_hints = !local.has_hints;
    }
    kit.tip(&format!("Show what may well be meant: {hints}"), "");
    kit.dummy([0.0, 2.0]);
}

fn all_is_well(kit: &Kit<'_>, clips: usize) {
    let text =
        if clips == 1 { "Nothing to mend in this clip.".into() } else { format!("Nothing to mend in {clips} clips.") };
    kit.dummy([0.0, 6.0]);
    let rect = Rect::at(kit.cursor_screen_pos(), [kit.content_region_avail()[0], ROW]);
    kit.text_in(
        Rect { max: [rect.min[0] + 18.0, rect.max[1]], ..rect },
        Align::Center,
        kit.theme.keyed,
        &icon(Icon::Check),
    );
    kit.text_in(Rect { min: [rect.min[0] + 26.0, rect.min[1]], ..rect }, Align::Left, kit.theme.text, &text);
    kit.dummy([0.0, ROW + 2.0]);
    let _wrap = kit.push_text_wrap_pos();
    let looks_at = "Looked at: feet on the ground, seams of loops, stretched bones, keys for missing bones, equal \
                    keyframes, rotations, durations.";
    kit.text_colored(kit.theme.quiet, looks_at);
}

/// The clip's name, and a line for each finding; the picked one with what to do about it.
fn clip_rows(
    kit: &Kit<'_>,
    seen: &Seen<'_>,
    checked: &Checked,
    shown: &[&Finding],
    picked: &mut Option<(ClipId, Finding)>,
    out: &mut Out,
) {
    let head = widgets::row(kit, &format!("check-clip{}", checked.id.0), false);
    {
        let _font = kit.with_font(kit.fonts.small_bold);
        kit.text_in(inset(head.rect, 4.0), Align::Left, kit.theme.quiet, &checked.clip.name);
    }
    if head.is_clicked {
        out.push(SelectAction::Clip(Some(checked.id)));
    }
    for (at, finding) in shown.iter().enumerate() {
        let is_picked = picked.as_ref().is_some_and(|(clip, it)| *clip == checked.id && it == *finding);
        let touch = widgets::row(kit, &format!("finding{}-{at}", checked.id.0), is_picked);
        let [x, y] = [touch.rect.min[0] + 12.0, touch.rect.center()[1]];
        kit.draw().add_circle([x, y], 3.5, grade_color(kit, finding.grade)).filled(true).build();
        kit.text_in(inset(touch.rect, 24.0), Align::Left, kit.theme.text, &finding.text);
        if !is_picked {
            kit.tip(&format!("{}\n{}", finding.text, finding.advice), "");
        }
        if touch.is_clicked {
            go_to(seen, checked, finding, out);
            *picked = Some((checked.id, (*finding).clone()));
        }
        if is_picked {
            advice(kit, finding);
        }
    }
}

fn inset(rect: Rect, left: f32) -> Rect {
    Rect { min: [rect.min[0] + left, rect.min[1]], max: [rect.max[0] - 4.0, rect.max[1]] }
}

fn grade_color(kit: &Kit<'_>, grade: Severity) -> Color {
    match grade {
        Severity::Warning => kit.theme.hurt,
        Severity::Hint => kit.theme.dim,
    }
}

/// The whole text, where the line had no room for it, and what to do.
fn advice(kit: &Kit<'_>, finding: &Finding) {
    let [x, y] = kit.cursor_screen_pos();
    let wide = kit.content_region_avail()[0] - 30.0;
    let is_cut = kit.calc_text_size(&finding.text)[0] > wide;
    let text = if is_cut { format!("{}.\n{}", finding.text, finding.advice) } else { finding.advice.to_owned() };
    kit.set_cursor_screen_pos([x + 24.0, y + 1.0]);
    let _wrap = kit.push_text_wrap_pos();
    kit.text_colored(kit.theme.quiet, text);
    kit.dummy([0.0, 4.0]);
}

/// The clip, the bone and the time of a finding.
fn go_to(seen: &Seen<'_>, checked: &Checked, finding: &Finding, out: &mut Out) {
    out.push(PlaybackAction::SetPlaying(false));
    out.push(SelectAction::Clip(Some(checked.id)));
    let bones = seen.model().map_or(0, |model| model.skeleton.len());
    if let Some(bone) = finding.bone.filter(|bone| usize::from(*bone) < bones) {
        out.push(SelectAction::Bones { bones: vec![bone], pick: Pick::Only });
    }
    out.push(PlaybackAction::Seek(finding.time));
}
