//! The status bar: mode, selection, current keys, the running job and statistics.

use crate::editor::gesture::{Driver, Gesture};
use crate::editor::panels::ui::Ui;
use crate::editor::panels::ui::bone_name;
use crate::editor::panels::ui::frame::Align;
use crate::editor::panels::ui::rect::Rect;
use crate::editor::panels::ui::widgets;
use crate::editor::panels::ui::widgets::Tone;
use crate::editor::panels::window::layout::{Panel, STATUS_BAR};
use crate::editor::session::command::Command;
use crate::editor::session::timing::TimeView;
use crate::editor::session::tool::Tool;
use crate::editor::state::action::FileAction;

/// What the app provides for the status bar.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figures {
    /// The running job, such as "saving…"; empty if there is none.
    pub busy: String,
    /// Its progress, 0..=1, if known.
    pub progress: Option<f32>,
    /// Whether it can be cancelled.
    pub can_cancel: bool,
    /// Frames per second while playing.
    pub frames_per_sec: Option<u32>,
    /// Dropped frames in the last second while playing.
    pub dropped: u32,
    /// The number of games that show the editor's pose; `None` if it is not sent.
    pub followers: Option<usize>,
}

/// Draws the bar. `hovered` is the panel under the mouse.
pub fn status_bar_ui(ui: &Ui<'_>, hovered: Option<Panel>, figures: &Figures) {
    let (top, width) = (ui.cursor_screen_pos(), ui.content_region_avail()[0]);
    let line = Rect { min: [top[0] + 12.0, top[1]], max: [top[0] + width - 12.0, top[1] + STATUS_BAR] };
    let right = right_text(ui, figures);
    let mut right_width = ui.calc_text_size(&right)[0];
    ui.text_in(line, Align::Right, ui.theme.quiet, &right);
    let busy_width = busy(ui, figures, line.with_x(line.min[0], line.max[0] - right_width - 16.0));
    right_width += busy_width;
    let mut x = line.min[0];
    let end = line.max[0] - right_width - 24.0;
    let put = |x: &mut f32, text: &str, color: [f32; 4], gap: f32| {
        let size = ui.calc_text_size(text)[0].min((end - *x).max(0.0));
        ui.text_in(line.with_x(*x, *x + size + 1.0), Align::Left, color, text);
        *x += size + gap;
    };
    {
        let _font = ui.with_font(ui.fonts.bold);
        put(&mut x, mode(ui), ui.theme.accent, 12.0);
    }
    put(&mut x, &selection(ui), ui.theme.text, 20.0);
    for (key, what) in keys(ui, hovered) {
        let width = ui.calc_text_size(&key)[0] + 6.0 + ui.calc_text_size(what)[0];
        if x + width > end {
            break;
        }
        put(&mut x, &key, ui.theme.text, 6.0);
        put(&mut x, what, ui.theme.quiet, 16.0);
    }
}

/// The running job at the right end of the line: its name, its progress and a button that cancels it. Returns its width.
fn busy(ui: &Ui<'_>, figures: &Figures, line: Rect) -> f32 {
    if figures.busy.is_empty() {
        return 0.0;
    }
    let mut right = line.max[0];
    if figures.can_cancel {
        ui.set_cursor_screen_pos([right - 66.0, line.min[1] + 3.0]);
        if widgets::button(ui, "Cancel##cancel-job", [66.0, STATUS_BAR - 6.0], Tone::Plain) {
            ui.send(FileAction::CancelJob);
        }
        right -= 74.0;
    }
    if let Some(progress) = figures.progress {
        let bar = Rect { min: [right - BAR, line.center()[1] - 3.0], max: [right, line.center()[1] + 3.0] };
        ui.fill(bar, ui.theme.field, 3.0);
        let done = bar.left(BAR * progress.clamp(0.05, 1.0));
        ui.fill(done, ui.theme.accent, 3.0);
        right -= BAR + 10.0;
    }
    let width = ui.calc_text_size(&figures.busy)[0].min(320.0);
    let text = line.with_x(right - width - 1.0, right);
    ui.text_in(text, Align::Right, ui.theme.text, &figures.busy);
    line.max[0] - text.min[0] + 16.0
}

/// Width of the progress bar.
const BAR: f32 = 110.0;

fn mode(ui: &Ui<'_>) -> &'static str {
    let transform = ui.editor.gesture.as_ref().is_some_and(|gesture| gesture.takes_keys());
    match (ui.session.focus.playhead.is_playing, transform, ui.session.workspace.tool) {
        (true, ..) => "Playing",
        (_, true, _) => "Posing",
        (.., Tool::Select) => "Select",
        (.., Tool::Move) => "Move",
        (.., Tool::Rotate) => "Rotate",
        (.., Tool::Scale) => "Scale",
        (.., Tool::Reach) => "IK",
    }
}

fn selection(ui: &Ui<'_>) -> String {
    let Some(model) = ui.model() else { return "no model open".into() };
    let bones = &ui.session.focus.selection.bones;
    match bones.last() {
        Some(&bone) if bones.len() == 1 => bone_name(&model.skeleton, bone).to_owned(),
        Some(&bone) => format!("{} and {} more", bone_name(&model.skeleton, bone), bones.len() - 1),
        None => "nothing selected".into(),
    }
}

/// The current keys and what they do.
fn keys(ui: &Ui<'_>, hovered: Option<Panel>) -> Vec<(String, &'static str)> {
    let of = |command: Command, what: &'static str| (ui.key_of(command), what);
    let fixed = |key: &str, what: &'static str| (key.to_owned(), what);
    let transform = ui.editor.gesture.as_ref().is_some_and(|gesture| gesture.takes_keys());
    let gesture = ui.editor.gesture.as_ref().and_then(Gesture::transform);
    let is_reaching = gesture.is_some_and(|transform| transform.limbs.is_some());
    let keys = if ui.model().is_none() {
        vec![of(Command::Open, "open"), of(Command::FindCommand, "find command")]
    } else if ui.editor.gesture.as_ref().is_some_and(|gesture| gesture.keys().is_some()) {
        vec![
            fixed("0–9", "frames or factor"),
            fixed("X", "time only"),
            fixed("Y", "value only"),
            fixed("Ctrl", "toggle snap"),
            fixed("Shift", "fine"),
            fixed("Click", "confirm"),
            fixed("Esc", "cancel"),
        ]
    } else if ui.editor.gesture.as_ref().is_some_and(|gesture| matches!(gesture.driver, Driver::Mix(_))) {
        vec![
            fixed("Mouse", "amount"),
            fixed("0–9", "percent"),
            fixed("Ctrl", "snap"),
            fixed("Shift", "fine"),
            fixed("Click", "confirm"),
            fixed("Esc", "cancel"),
        ]
    } else if ui.editor.typed().is_some() {
        vec![fixed("6", "frames"), fixed("120ms  0.5s", "time"), fixed("Enter", "confirm"), fixed("Esc", "cancel")]
    } else if transform {
        vec![
            fixed("X Y Z", "axis"),
            fixed("0–9", "amount"),
            fixed("Ctrl", "snap"),
            fixed("Shift", "fine"),
            fixed("Click", "confirm"),
            fixed("Esc", "cancel"),
            fixed(if is_reaching { "[ ]" } else { "" }, "shorter, longer chain"),
        ]
    } else if ui.draft().is_some() {
        vec![of(Command::KeyPose, "key the pose"), of(Command::DropDraft, "discard"), of(Command::Undo, "undo")]
    } else {
        match hovered {
            Some(Panel::Strip) if ui.session.focus.timing.view != TimeView::Strip => vec![
                of(Command::MoveKeys, "move"),
                of(Command::ScaleKeys, "scale"),
                of(Command::RippleKeys, "ripple"),
                of(Command::BoxSelectKeys, "box"),
                of(Command::DuplicateKeys, "duplicate"),
                of(Command::DeleteKeys, "delete"),
                of(Command::EaseMenu, "interpolation"),
                of(Command::TangentMenu, "tangents"),
                fixed("Alt+drag", "ripple"),
            ],
            Some(Panel::Strip) => vec![
                fixed("0–9", "duration"),
                fixed("Drag", "reorder, retime"),
                of(Command::HoldKeyframe, "hold"),
                of(Command::MergeKeyframes, "merge"),
                of(Command::PlayPause, "play"),
                of(Command::Duplicate, "duplicate"),
                of(Command::Delete, "delete"),
                fixed("Wheel", "zoom"),
            ],
            Some(Panel::Clips) => {
                vec![of(Command::NewClip, "new"), fixed("F2", "rename"), of(Command::Delete, "delete")]
            }
            _ => vec![
                of(Command::Move, "move"),
                of(Command::Rotate, "rotate"),
                of(Command::Scale, "scale"),
                of(Command::KeyPose, "key"),
                of(Command::PlayPause, "play"),
                fixed("Right drag", "orbit"),
            ],
        }
    };
    keys.into_iter().filter(|(key, _)| !key.is_empty()).collect()
}

fn right_text(ui: &Ui<'_>, figures: &Figures) -> String {
    let mut parts = Vec::new();
    parts.extend(figures.followers.map(|games| match games {
        0 => "no game connected".to_owned(),
        1 => "1 game connected".to_owned(),
        games => format!("{games} games connected"),
    }));
    if let Some(model) = ui.model() {
        let vertices: usize = model.meshes.iter().map(|slot| slot.mesh.positions.len()).sum();
        parts.push(format!("{} vertices", thousands(vertices)));
        parts.push(format!("{} bones", model.skeleton.len()));
    }
    parts.extend((figures.dropped > 0).then(|| format!("{} dropped", figures.dropped)));
    parts.extend(figures.frames_per_sec.map(|frames| format!("{frames} fps")));
    parts.join("    ")
}

/// "1,842".
pub fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::thousands;

    #[test]
    fn large_numbers_have_commas() {
        for (number, text) in [(0, "0"), (999, "999"), (1842, "1,842"), (1_000_000, "1,000,000")] {
            assert_eq!(thousands(number), text);
        }
    }
}
