//! The line above the ruler: views, clip name, playback buttons, frame, frame rate, speed, how the clip
//! ends, whether the preview repeats, and the toggles.

use crate::editor::panels::model::clips::source_name;

use crate::editor::panels::ui::popover::SplitButton;
use crate::editor::panels::ui::prelude::*;
use crate::editor::session::keying::AutoKey;
use crate::editor::session::timing::TimeView;
use keypose::anim::clip::LoopMode;
use keypose::anim::time::FrameRate;

/// Height of the line.
pub const HEIGHT: f32 = 28.0;
/// Width of the playback buttons.
const PLAYBACK: f32 = 190.0;
/// Width of the playback buttons and all settings.
const SETTINGS: f32 = PLAYBACK + 358.0;
/// Width of the number of the frame.
const FRAME: f32 = 108.0;
/// Width of a toggle without its word.
const TOGGLE: f32 = 28.0;
/// Width of the part of the toggle of auto-key that opens its menu.
const OPENER: f32 = 20.0;
/// Width of the button of the preview.
const PREVIEW: f32 = 54.0;

/// Draws the line.
pub fn transport_ui(ui: &Ui<'_>) {
    let Some((clip, id)) = ui.clip().zip(ui.session.focus.clip) else { return };
    let line = Rect::at(ui.cursor_screen_pos(), [ui.content_region_avail()[0], HEIGHT]);
    let left = views(ui, line) + 10.0;
    let mut toggles = toggles_width(ui, Words::Shown);
    let mut words = Words::Shown;
    if left + SETTINGS + toggles > line.max[0] {
        (toggles, words) = (toggles_width(ui, Words::Hidden), Words::Hidden);
    }
    // In a narrow panel the buttons move left; settings without room are in a menu.
    let all = SETTINGS + toggles;
    let centred = line.min[0] + (line.width() / 2.0).floor() - 92.0;
    let middle = centred.min(line.max[0] - all).max(left);
    let name = line.with_x(left, (middle - 12.0).max(left));
    if name.width() > 40.0 {
        clip_name(ui, clip, id, name);
    }
    let mut controls = line.with_x(middle, line.max[0]);
    if left + all > line.max[0] {
        more(ui, clip, id, controls.cut_right(TOGGLE, 0.0).inset(0.0, 2.0).top(23.0));
    }
    buttons(ui, controls);
    let mut rest = controls.trim_left(PLAYBACK);
    let frame = rest.width().clamp(0.0, FRAME);
    settings(ui, clip, id, rest.cut_left((rest.width() - toggles).clamp(frame, SETTINGS - PLAYBACK), 0.0));
    toggles_ui(ui, words, rest);
    let right = line.right(190.0);
    if right.min[0] > middle + all + 4.0 {
        ui.text_in(right, Align::Right, ui.theme.quiet, &figures(clip));
    }
    ui.end_at([line.min[0], line.max[1] + 2.0]);
}

/// The number of keyframes and the duration.
fn figures(clip: &Clip) -> String {
    format!("{}   {:.2} s", counted(clip.keyframes.len(), "keyframe"), clip.length().secs())
}

/// Draws the clip's name; for a derived clip also its source and a button that makes its keys its own.
fn clip_name(ui: &Ui<'_>, clip: &Clip, id: ClipId, mut place: Rect) {
    let Some(derived) = ui.model().and_then(|model| model.derived(id)) else {
        return ui.text_in(place, Align::Left, ui.theme.quiet, &clip.name);
    };
    let source = source_name(ui, derived);
    let text = format!("{}  {} {source}", clip.name, icon(Icon::Link2));
    let width = ui.calc_text_size(&text)[0].min(place.width() - 82.0).max(20.0);
    ui.text_in(place.cut_left(width + 2.0, 6.0), Align::Left, ui.theme.quiet, &text);
    let (place, command) = (place.inset(0.0, 3.0).left(74.0), Command::UnlockClip);
    let tip = format!("Derived from {source}, {}. Make its keys its own to edit it", derived.how.name());
    widgets::command_button_about(ui, place, "Own keys##unlock-clip", Tone::Plain, command, &tip);
}

/// Draws the tabs of the views. Returns their right edge.
fn views(ui: &Ui<'_>, mut line: Rect) -> f32 {
    let commands = [Command::ShowStrip, Command::ShowSheet, Command::ShowCurves];
    for (view, command) in TimeView::ALL.into_iter().zip(commands) {
        let now = ui.session.focus.timing.view;
        // The curves are shown below the dope sheet.
        let is_shown = now == view || (now, view) == (TimeView::Curves, TimeView::Sheet);
        let tone = if is_shown { Tone::Clear } else { Tone::Bare };
        let tab = {
            let _font = is_shown.then(|| ui.with_font(ui.fonts.bold));
            let width = (ui.calc_text_size(view.name())[0] + 18.0).ceil();
            let tab = line.cut_left(width, 0.0).trim_top(1.0).top(25.0);
            if widgets::button_at(ui, tab, &format!("{}##view-{command:?}", view.name()), tone) {
                ui.run(command);
            }
            tab
        };
        let key = if view == TimeView::Strip { String::new() } else { ui.key_of(Command::NextTimeView) };
        ui.tip(command.label(), &key);
        if is_shown {
            let [left, right] = [tab.min[0] + 9.0, tab.max[0] - 9.0];
            ui.line([left, tab.max[1]], [right, tab.max[1]], ui.theme.accent, 2.0);
        }
    }
    line.min[0]
}

/// Draws the playback buttons.
fn buttons(ui: &Ui<'_>, mut line: Rect) {
    let is_playing = ui.session.focus.playhead.is_playing;
    let steps = [
        (Icon::SkipBack, Command::GoToStart),
        (Icon::StepBack, Command::PreviousKeyframe),
        (if is_playing { Icon::Pause } else { Icon::Play }, Command::PlayPause),
        (Icon::StepForward, Command::NextKeyframe),
        (Icon::SkipForward, Command::GoToEnd),
    ];
    let width = (line.width() / steps.len() as f32 - 3.0).clamp(16.0, 33.0);
    for (at, (sign, command)) in steps.into_iter().enumerate() {
        let rect = line.cut_left(width, 3.0).trim_top(2.0).top(23.0);
        let tone = if command == Command::PlayPause { Tone::On } else { Tone::Plain };
        widgets::command_button(ui, rect, &format!("{}##transport{at}", icon(sign)), tone, command);
    }
}

/// Draws the frame under the playhead and the menus that have room.
fn settings(ui: &Ui<'_>, clip: &Clip, id: ClipId, mut line: Rect) {
    let (rate, playhead) = (clip.frame_rate, &ui.session.focus.playhead);
    let (now, last) = (rate.frames_in(playhead.time), rate.frames_in(clip.length()));
    let word = if line.width() < FRAME { "" } else { "frame " };
    let text = format!("{word}{:.0} / {last:.0}", if playhead.is_playing { now.floor() } else { now });
    ui.text_in(line.cut_left(FRAME.min(line.width()) - 4.0, 4.0), Align::Left, ui.theme.text, &text);
    setting(ui, &mut line, 60.0, "rate", &rate_text(rate), "Frame rate of the clip", || rates(ui, clip, id));
    let speed = format!("{}×", playhead.speed);
    setting(ui, &mut line, 46.0, "speed", &speed, "Playback speed", || speeds(ui));
    let hint = "How the clip ends, here and in the game";
    setting(ui, &mut line, 84.0, "loop", end_name(clip.loop_mode), hint, || loop_modes(ui, clip, id));
    if PREVIEW <= line.width() {
        preview(ui, line.cut_left(PREVIEW, 0.0).inset(0.0, 2.0).top(23.0));
    }
}

/// A frame rate as text: "30 fps".
pub fn rate_text(rate: FrameRate) -> String {
    let fps = rate.fps();
    if fps.fract() < 0.005 { format!("{fps:.0} fps") } else { format!("{fps:.2} fps") }
}

/// How a clip ends, as panels name it.
pub fn end_name(mode: LoopMode) -> &'static str {
    match mode {
        LoopMode::Once => "Once",
        LoopMode::Loop => "Loop",
        LoopMode::PingPong => "Ping-pong",
    }
}

/// Draws the button of the preview: a click repeats it or lets it stop at the end; its popover has the rest.
fn preview(ui: &Ui<'_>, rect: Rect) {
    let (repeats, bounces) = (ui.session.is_on(Switch::Repeat), ui.session.is_on(Switch::PingPong));
    let sign = if bounces { Icon::ArrowLeftRight } else { Icon::Repeat };
    let tip = match (repeats, bounces) {
        (_, true) => "The preview plays forwards and backwards",
        (true, false) => "The preview repeats; the clip itself is unchanged",
        (false, false) => "The preview stops at the end of the clip",
    };
    let command = if bounces { Command::TogglePingPong } else { Command::ToggleRepeat };
    let (text, key) = (icon(sign), ui.key_of(command));
    let button = SplitButton { id: "preview-repeat", text: &text, is_on: repeats || bounces, tip, key };
    let is_pressed = button.draw(ui, rect, || {
        menu::commands(
            ui,
            &[&[Command::ToggleRepeat, Command::TogglePingPong, Command::SetLoopSection, Command::ClearLoopSection]],
        );
    });
    if is_pressed {
        ui.run(command);
    }
}

/// Draws the button that opens all settings and toggles, where some have no room.
fn more(ui: &Ui<'_>, clip: &Clip, id: ClipId, place: Rect) {
    let label = format!("{}##transport-more", icon(Icon::Ellipsis));
    menu::button(ui, place, &label, Tone::Bare, "More settings", "", || {
        menu::commands(ui, &[&TOGGLES.map(|(.., command, _)| command)]);
        menu::separator(ui);
        menu::commands(ui, &[&[Command::ToggleRepeat, Command::TogglePingPong]]);
        menu::separator(ui);
        let lists: [(&str, &dyn Fn()); 3] = [
            ("Frame rate", &|| rates(ui, clip, id)),
            ("Playback speed", &|| speeds(ui)),
            ("End of the clip", &|| loop_modes(ui, clip, id)),
        ];
        for (name, entries) in lists {
            if let Some(_list) = ui.begin_menu(name) {
                entries();
            }
        }
    });
}

/// Draws a button that opens a menu at the left of a line, if it has room there.
fn setting(ui: &Ui<'_>, line: &mut Rect, width: f32, name: &str, label: &str, tip: &str, entries: impl FnOnce()) {
    if width > line.width() {
        return;
    }
    let place = line.cut_left(width, 0.0).inset(0.0, 2.0).top(23.0);
    menu::button(ui, place, &format!("{label}##{name}"), Tone::Bare, tip, "", entries);
}

/// Whether toggles have their words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Words {
    Shown,
    Hidden,
}

/// The toggles: icon, word, command and what it does.
const TOGGLES: [(Icon, &str, Command, &str); 4] = [
    (Icon::FlipHorizontal2, "Live mirror", Command::ToggleLiveMirror, "Pose both sides at once"),
    (Icon::CircleDot, "Auto-key", Command::AutoKeyOnKeyframes, "Key what is posed"),
    (Icon::Magnet, "Snap", Command::ToggleSnapTime, "Snap to frames"),
    (Icon::Spline, "IK", Command::ToolReach, "Move bones with IK: the chain above follows"),
];

fn toggle_width(ui: &Ui<'_>, words: Words, (_, word, command, _): (Icon, &str, Command, &str)) -> f32 {
    let opener = if command == Command::AutoKeyOnKeyframes { OPENER } else { 0.0 };
    let word = if words == Words::Shown { ui.calc_text_size(word)[0] + 14.0 } else { 0.0 };
    TOGGLE + opener + word
}

fn toggles_width(ui: &Ui<'_>, words: Words) -> f32 {
    TOGGLES.into_iter().map(|toggle| toggle_width(ui, words, toggle) + 6.0).sum()
}

/// Draws the toggles.
fn toggles_ui(ui: &Ui<'_>, words: Words, mut line: Rect) {
    for toggle in TOGGLES {
        let width = toggle_width(ui, words, toggle);
        if width > line.width() {
            break;
        }
        let (sign, word, command, tip) = toggle;
        let mut place = line.cut_left(width, 6.0).inset(0.0, 2.0).top(23.0);
        let text = if words == Words::Shown { format!("{}  {word}", icon(sign)) } else { icon(sign) };
        if command == Command::AutoKeyOnKeyframes {
            let opener = place.cut_right(OPENER, 0.0);
            menu::button(
                ui,
                opener,
                &format!("{}##auto-key-menu", icon(Icon::ChevronDown)),
                Tone::Bare,
                AUTO_KEY,
                "",
                || auto_key_menu(ui),
            );
        }
        let (is_on, then) = toggled(ui, command);
        let tone = if is_on { Tone::Lit } else { Tone::Bare };
        if widgets::button_at(ui, place, &format!("{text}##toggle-{command:?}"), tone) {
            ui.run(then);
        }
        ui.tip(tip, &ui.key_of(command));
    }
}

/// Whether a toggle is on, and the command that switches it.
fn toggled(ui: &Ui<'_>, command: Command) -> (bool, Command) {
    match command {
        Command::AutoKeyOnKeyframes if ui.session.workspace.auto_key == AutoKey::Never => (false, command),
        Command::AutoKeyOnKeyframes => (true, Command::AutoKeyNever),
        Command::ToolReach if ui.is_on(command) => (true, Command::ToolSelect),
        _ => (ui.is_on(command), command),
    }
}

const AUTO_KEY: &str = "When posing sets keys, and on which channels";

/// The commands that say which channels are keyed.
const KEY_PARTS: [Command; 4] =
    [Command::ToggleKeyTranslations, Command::ToggleKeyRotations, Command::ToggleKeyScales, Command::ToggleKeyValues];

/// Draws the entries of auto-key.
fn auto_key_menu(ui: &Ui<'_>) {
    for choice in AutoKey::ALL {
        if menu::choice(ui, choice.name(), ui.session.workspace.auto_key == choice) {
            ui.send(ToolAction::SetAutoKey(choice));
        }
    }
    menu::separator(ui);
    menu::commands(ui, &[&KEY_PARTS]);
}

fn speeds(ui: &Ui<'_>) {
    let speed = ui.session.focus.playhead.speed;
    for offered in [0.1, 0.25, 0.5, 1.0, 2.0, 4.0] {
        if menu::choice(ui, &format!("{offered}×"), (speed - offered).abs() < 1e-6) {
            ui.send(PlaybackAction::SetSpeed(offered));
        }
    }
}

fn loop_modes(ui: &Ui<'_>, clip: &Clip, id: ClipId) {
    for mode in LoopMode::ALL {
        let is_current = clip.loop_mode == mode;
        let is_chosen = menu::choice(ui, end_name(mode), is_current);
        ui.item(&format!("end-{}", end_name(mode)));
        if is_chosen && !is_current {
            ui.edit("Set loop mode", vec![ClipEdit::SetLoopMode { clip: id, loop_mode: mode }.into()]);
        }
    }
}

/// Draws the choices of frame rates.
pub fn rates(ui: &Ui<'_>, clip: &Clip, id: ClipId) {
    for fps in [12, 15, 24, 25, 30, 48, 50, 60, 120] {
        let Some(rate) = FrameRate::new(fps, 1) else { continue };
        let is_chosen = menu::choice(ui, &format!("{fps} fps"), clip.frame_rate == rate);
        ui.item(&format!("rate-{fps}"));
        if is_chosen && clip.frame_rate != rate {
            ui.edit("Set frame rate", vec![ClipEdit::SetFrameRate { clip: id, frame_rate: rate }.into()]);
        }
    }
}
