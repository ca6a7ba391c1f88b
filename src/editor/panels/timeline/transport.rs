//! The line above the ruler: views, clip name, playback buttons, frame, frame rate, speed, loop mode and auto-key.

use crate::editor::panels::ui::Ui;
use lucide_icons::Icon;

use crate::anim::clip::{Clip, LoopMode};
use crate::anim::time::FrameRate;
use crate::assets::id::ClipId;
use crate::editor::document::edit::ClipEdit;
use crate::editor::panels::ui::frame::{Align, icon};
use crate::editor::panels::ui::menu;
use crate::editor::panels::ui::rect::Rect;
use crate::editor::panels::ui::widgets;
use crate::editor::panels::ui::widgets::Tone;
use crate::editor::session::command::Command;
use crate::editor::session::keying::AutoKey;
use crate::editor::session::switch::Switch;
use crate::editor::session::timing::TimeView;
use crate::editor::state::action::{PlaybackAction, ToolAction};

/// Height of the line.
pub const HEIGHT: f32 = 28.0;
/// Width of the playback buttons and all settings.
const ALL_BUTTONS: f32 = 606.0;

/// Draws the line.
pub fn transport_ui(ui: &Ui<'_>) {
    if ui.clip().is_none() {
        return;
    }
    let top = ui.cursor_screen_pos();
    let width = ui.content_region_avail()[0];
    let line = Rect::at(top, [width, HEIGHT]);
    if let Some((clip, id)) = ui.clip().zip(ui.session.focus.clip) {
        let left = views(ui, top) + 10.0;
        // In a narrow panel the buttons move left; what still has no room is only in the menus.
        let middle = (top[0] + (width / 2.0).floor() - 92.0).min(line.max[0] - ALL_BUTTONS).max(left);
        let name = Rect { min: [left, top[1]], max: [(middle - 12.0).max(left), line.max[1]] };
        if name.size()[0] > 40.0 {
            clip_name(ui, clip, id, name);
        }
        buttons(ui, [middle, top[1]]);
        settings(ui, clip, id, Rect { min: [middle + 190.0, top[1]], max: line.max });
        if middle + ALL_BUTTONS <= line.max[0] + 1.0 {
            auto_key(ui, [middle + 490.0, top[1]]);
        }
        let count = clip.keyframes.len();
        let figures =
            format!("{count} {}   {:.2} s", if count == 1 { "keyframe" } else { "keyframes" }, clip.length().secs());
        let right = line.right(190.0);
        if right.min[0] > middle + 610.0 {
            ui.text_in(right, Align::Right, ui.theme.quiet, &figures);
        }
    }
    ui.end_at([top[0], top[1] + HEIGHT + 2.0]);
}

/// Draws the clip's name; for a derived clip also its source and a button that unlocks it.
fn clip_name(ui: &Ui<'_>, clip: &Clip, id: ClipId, place: Rect) {
    let derived = ui.model().and_then(|model| Some((model, model.derived(id)?)));
    let Some((model, derived)) = derived else {
        return ui.text_in(place, Align::Left, ui.theme.quiet, &clip.name);
    };
    let source = model.clip(derived.source).map_or("", |clip| &clip.name);
    let text = format!("{}  {} {source}", clip.name, icon(Icon::Link2));
    let wide = ui.calc_text_size(&text)[0].min(place.size()[0] - 70.0).max(20.0);
    let room = place.left(wide + 2.0);
    ui.text_in(room, Align::Left, ui.theme.quiet, &text);
    ui.set_cursor_screen_pos([room.max[0] + 6.0, place.min[1] + 3.0]);
    if widgets::button(ui, "Unlock##unlock-clip", [60.0, 22.0], Tone::Plain) {
        ui.run(Command::UnlockClip);
    }
    ui.tip(&format!("Derived from {source}, {}. Unlock to edit it separately", derived.how.name()), "");
}

/// Draws the tabs of the views. Returns their right edge.
fn views(ui: &Ui<'_>, at: [f32; 2]) -> f32 {
    let mut x = at[0];
    let commands = [Command::ShowStrip, Command::ShowSheet, Command::ShowCurves];
    for (view, command) in TimeView::ALL.into_iter().zip(commands) {
        let is_shown = ui.session.focus.timing.view == view;
        let _font = is_shown.then(|| ui.with_font(ui.fonts.bold));
        let width = (ui.calc_text_size(view.name())[0] + 18.0).ceil();
        ui.set_cursor_screen_pos([x, at[1] + 1.0]);
        let tone = if is_shown { Tone::Clear } else { Tone::Bare };
        if widgets::button(ui, &format!("{}##view-{command:?}", view.name()), [width, 25.0], tone) {
            ui.run(command);
        }
        drop(_font);
        let key = if view == TimeView::Strip { String::new() } else { ui.key_of(Command::NextTimeView) };
        ui.tip(command.label(), &key);
        if is_shown {
            let y = at[1] + 26.0;
            ui.line([x + 9.0, y], [x + width - 9.0, y], ui.theme.accent, 2.0);
        }
        x += width;
    }
    x
}

fn buttons(ui: &Ui<'_>, at: [f32; 2]) {
    let is_playing = ui.session.focus.playhead.is_playing;
    let play = if is_playing { Icon::Pause } else { Icon::Play };
    let steps = [
        (Icon::SkipBack, Command::GoToStart),
        (Icon::StepBack, Command::PreviousKeyframe),
        (play, Command::PlayPause),
        (Icon::StepForward, Command::NextKeyframe),
        (Icon::SkipForward, Command::GoToEnd),
    ];
    for (place, (sign, command)) in steps.into_iter().enumerate() {
        ui.set_cursor_screen_pos([at[0] + place as f32 * 36.0, at[1] + 2.0]);
        let tone = if place == 2 { Tone::On } else { Tone::Plain };
        if widgets::icon_button(ui, &format!("transport{place}"), sign, [33.0, 23.0], tone) {
            ui.run(command);
        }
        ui.tip_command(command);
    }
}

fn settings(ui: &Ui<'_>, clip: &Clip, id: ClipId, room: Rect) {
    let at = room.min;
    let rate = clip.frame_rate;
    let (now, last) = (rate.frames_in(ui.session.focus.playhead.time), rate.frames_in(clip.length()));
    let text = format!("frame {:.0} / {last:.0}", if ui.session.focus.playhead.is_playing { now.floor() } else { now });
    ui.text_in(Rect::at(at, [104.0, HEIGHT]), Align::Left, ui.theme.text, &text);
    let _padding = menu::padding(ui);
    let mut x = at[0] + 108.0;
    let mut choice = |name: &str, label: String, width: f32, hint: &str| {
        if x + width > room.max[0] {
            return None;
        }
        ui.set_cursor_screen_pos([x, at[1] + 2.0]);
        x += width;
        if widgets::button(ui, &format!("{label}##{name}"), [width, 23.0], Tone::Bare) {
            ui.open_popup(format!("##{name}-menu"));
        }
        ui.tip(hint, "");
        ui.begin_popup(format!("##{name}-menu"))
    };
    let fps = rate.fps();
    let fps = if fps.fract() < 0.005 { format!("{fps:.0} fps") } else { format!("{fps:.2} fps") };
    if let Some(_popup) = choice("rate", fps, 60.0, "Frame rate of the clip") {
        rates(ui, clip, id);
    }
    let speed = ui.session.focus.playhead.speed;
    if let Some(_popup) = choice("speed", format!("{speed}×"), 46.0, "Playback speed") {
        for offered in [0.1, 0.25, 0.5, 1.0, 2.0, 4.0] {
            if menu::choice(ui, &format!("{offered}×"), (speed - offered).abs() < 1e-6) {
                ui.send(PlaybackAction::SetSpeed(offered));
            }
        }
    }
    if let Some(_popup) = choice("loop", loop_text(clip, ui), 84.0, "Loop mode of the clip, and of the preview") {
        for mode in LoopMode::ALL {
            let is_now = clip.loop_mode == mode;
            if menu::choice(ui, mode.name(), is_now) && !is_now {
                ui.edit("Set loop mode", vec![ClipEdit::SetLoopMode { clip: id, loop_mode: mode }.into()]);
            }
        }
        menu::separator(ui);
        for command in
            [Command::ToggleRepeat, Command::TogglePingPong, Command::SetLoopSection, Command::ClearLoopSection]
        {
            menu::command(ui, command);
        }
    }
}

/// Draws the auto-key setting.
fn auto_key(ui: &Ui<'_>, at: [f32; 2]) {
    let _padding = menu::padding(ui);
    ui.set_cursor_screen_pos([at[0], at[1] + 2.0]);
    let text = match ui.session.workspace.auto_key {
        AutoKey::OnKeyframes => "auto-key",
        AutoKey::Always => "auto-key always",
        AutoKey::Never => "auto-key off",
    };
    if widgets::button(ui, &format!("{text}##auto-key"), [116.0, 23.0], Tone::Bare) {
        ui.open_popup("##auto-key-menu");
    }
    ui.tip("Auto-key: whether posing sets keys on keyframes, always or never", "");
    let Some(_popup) = ui.begin_popup("##auto-key-menu") else { return };
    for choice in AutoKey::ALL {
        if menu::choice(ui, choice.name(), ui.session.workspace.auto_key == choice) {
            ui.send(ToolAction::SetAutoKey(choice));
        }
    }
}

fn rates(ui: &Ui<'_>, clip: &Clip, id: ClipId) {
    for fps in [12, 15, 24, 25, 30, 48, 50, 60, 120] {
        let Some(rate) = FrameRate::new(fps, 1) else { continue };
        if menu::choice(ui, &format!("{fps} fps"), clip.frame_rate == rate) && clip.frame_rate != rate {
            ui.edit("Set frame rate", vec![ClipEdit::SetFrameRate { clip: id, frame_rate: rate }.into()]);
        }
    }
}

/// The loop mode, with an arrow if the preview plays ping-pong instead.
fn loop_text(clip: &Clip, ui: &Ui<'_>) -> String {
    let text = match clip.loop_mode {
        LoopMode::Once => "loop off",
        LoopMode::Loop => "loop",
        LoopMode::PingPong => "ping-pong",
    };
    match ui.session.is_on(Switch::PingPong) && clip.loop_mode != LoopMode::PingPong {
        true => format!("{text} {}", icon(Icon::ArrowLeftRight)),
        false => text.to_owned(),
    }
}
