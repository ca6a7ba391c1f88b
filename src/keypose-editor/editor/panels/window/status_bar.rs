//! The status bar: mode, selection, current keys, the running job and statistics.

use crate::editor::gesture::slide::{Slid, SlideDrag};
use crate::editor::gesture::{Driver, Gesture};
use crate::editor::panels::ui::figures::{age, thousands};
use crate::editor::panels::ui::prelude::*;
use crate::editor::panels::view::start;
use crate::editor::panels::window::layout::{Panel, STATUS_BAR};
use crate::editor::session::machine::Picked as PickedInMachine;
use crate::editor::session::timing::TimeView;
use crate::editor::session::tool::Tool;
use crate::editor::session::volumes::Picked;
use crate::editor::view::level::outline;
use crate::editor::view::{bone_list, sockets};
use keypose::anim::machine::parts::TransitionSource;
use keypose::assets::level::thing::ThingKind;
use keypose::assets::machine::Graph;
use keypose::assets::model::Socket;
use keypose::assets::printable::printable;

use HintKey::{Fixed, Of};

/// The app's figures for the status bar.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figures {
    /// The running job, such as "saving…"; empty if there is none.
    pub busy: String,
    /// Progress of the job, 0..=1, if known.
    pub progress: Option<f32>,
    /// Whether it can be cancelled.
    pub can_cancel: bool,
    /// Seconds since the journal was written; `None` if nothing was written to it.
    pub unsaved_secs: Option<u64>,
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
    let line = Rect::at(top, [width, STATUS_BAR]).inset(12.0, 0.0);
    let graph = ui.model().and_then(|model| model.machine.graph.as_ref());
    let graph = graph.filter(|_| hovered == Some(Panel::Machine));
    let right = fitting(ui, right_parts(ui, figures, graph), width * MAX_RIGHT);
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
        put(&mut x, if graph.is_some() { "Machine" } else { mode(ui) }, ui.theme.accent, 12.0);
    }
    put(&mut x, &graph.map_or_else(|| selection(ui), |graph| picked(ui, graph)), ui.theme.text, 20.0);
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
        let place = line.inset(0.0, 3.0).right(66.0);
        if widgets::button_at(ui, place, "Cancel##cancel-job", Tone::Plain) {
            ui.send(FileAction::CancelJob);
        }
        right -= 74.0;
    }
    if let Some(progress) = figures.progress {
        let bar = Rect::around([right - BAR / 2.0, line.center()[1]], [BAR, 6.0]);
        ui.progress(bar, progress.max(0.05));
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
    if ui.session.transient.scene.level().is_some() {
        return "Level";
    }
    if ui.session.transient.scene.sprites().is_some() {
        return "Sprites";
    }
    if ui.session.transient.scene.rig().is_some() {
        return "Rig";
    }
    if start::is_shown(ui) {
        return "Welcome";
    }
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

/// The selected item of a state machine.
fn picked(ui: &Ui<'_>, graph: &Graph) -> String {
    match &ui.session.focus.machine {
        PickedInMachine::Nothing => "nothing selected".into(),
        PickedInMachine::Any => "any state".into(),
        PickedInMachine::State(name) | PickedInMachine::Layer(name) => printable(name).into_owned(),
        PickedInMachine::Transition(at) => graph.def.parts().transitions.get(*at).map_or_else(String::new, |way| {
            let from = match &way.from {
                TransitionSource::Any => "any state",
                TransitionSource::State(name) => name,
            };
            printable(&format!("{from} {} {}", icon(Icon::ArrowRight), way.to)).into_owned()
        }),
    }
}

fn selection(ui: &Ui<'_>) -> String {
    if let Some(desk) = ui.session.transient.scene.level() {
        return match desk.active {
            Some(at) if desk.picked.len() == 1 => at.to_string(),
            Some(_) => format!("{} things", desk.picked.len()),
            None => "nothing selected".into(),
        };
    }
    let Some(model) = ui.model() else { return String::new() };
    if ui.session.transient.scene.sprites().is_some() {
        return printable(&model.name).into_owned();
    }
    if let Some(volume) = Picked::of(model, &ui.session.focus).as_ref().and_then(Picked::volume) {
        return format!("volume {} on {}", printable(&volume.name), printable(&volume.bone));
    }
    if let Some((at, _)) = sockets::moved(ui.view, ui.session) {
        let Socket { name, bone, .. } = &model.sockets[at];
        return format!("socket {} on {}", printable(name), bone_name(&model.skeleton, *bone));
    }
    let bones = &ui.session.focus.selection.bones;
    match bones.last() {
        Some(&bone) if bones.len() == 1 => bone_name(&model.skeleton, bone).to_owned(),
        Some(&bone) => format!("{} and {} more", bone_name(&model.skeleton, bone), bones.len() - 1),
        None => "nothing selected".into(),
    }
}

/// The current keys and what they do.
fn keys(ui: &Ui<'_>, hovered: Option<Panel>) -> Vec<(String, &'static str)> {
    let gesture = ui.editor.gesture.as_ref();
    let is_reaching = gesture.and_then(Gesture::transform).is_some_and(|transform| transform.limbs.is_some());
    let hints = match gesture {
        Some(Gesture { driver: Driver::Level(_), .. }) => LEVEL_DRAG,
        _ if ui.session.transient.scene.level().is_some() => LEVEL,
        _ if ui.session.transient.scene.sprites().is_some() => SPRITES,
        Some(Gesture { driver: Driver::Rig(_) | Driver::Limit(_), .. }) => RIG_DRAG,
        Some(Gesture { driver: Driver::Paint(_), .. }) => PAINT,
        _ if ui.session.transient.scene.rig().is_some_and(|desk| desk.paint.is_on) => PAINT,
        _ if ui.session.transient.scene.rig().is_some() => RIG,
        _ if ui.model().is_none() => NO_MODEL,
        Some(gesture) if gesture.keys().is_some() => KEY_GESTURE,
        Some(Gesture { driver: Driver::Slide(SlideDrag { slid: Slid::Mix(_), .. }), .. }) => MIX,
        Some(Gesture { driver: Driver::Slide(_), .. }) => DELAY,
        Some(Gesture { driver: Driver::Path(_), .. }) => PATH,
        Some(Gesture { driver: Driver::Poses(_), .. }) => POSES,
        _ if ui.editor.typed().is_some() => TYPED,
        Some(gesture) if gesture.takes_keys() && is_reaching => REACH,
        Some(gesture) if gesture.takes_keys() => TRANSFORM,
        _ if ui.draft().is_some() => DRAFT,
        _ => match hovered {
            Some(Panel::Strip) if ui.session.focus.timing.view != TimeView::Strip => KEYS,
            Some(Panel::Strip) => STRIP,
            Some(Panel::Clips) => CLIPS,
            Some(Panel::Machine) if ui.model().is_some_and(|model| model.machine.graph.is_some()) => MACHINE,
            _ => POSING,
        },
    };
    let named = hints.iter().map(|(key, what)| match key {
        Of(command) => (ui.key_of(*command), *what),
        Fixed(key) => ((*key).to_owned(), *what),
        HintKey::Brackets => (ui.bracket_keys(), *what),
    });
    named.filter(|(key, _)| !key.is_empty()).collect()
}

/// A key that the bar shows.
enum HintKey {
    /// The first key of a command.
    Of(Command),
    /// A key that can't be changed.
    Fixed(&'static str),
    /// The keys of the brackets, as printed on the user's keyboard.
    Brackets,
}

/// A key and what it does.
type Hint = (HintKey, &'static str);

const NO_MODEL: &[Hint] = &[(Of(Command::Open), "open"), (Of(Command::FindCommand), "find command")];
const KEY_GESTURE: &[Hint] = &[
    (Fixed("0–9"), "frames or factor"),
    (Fixed("X"), "time only"),
    (Fixed("Y"), "value only"),
    (Fixed("Ctrl"), "toggle snap"),
    (Fixed("Shift"), "fine"),
    (Fixed("Click"), "confirm"),
    (Fixed("Esc"), "cancel"),
];
const MIX: &[Hint] = &[
    (Fixed("Mouse"), "amount"),
    (Fixed("0–9"), "percent"),
    (Fixed("Ctrl"), "snap"),
    (Fixed("Shift"), "fine"),
    (Fixed("Click"), "confirm"),
    (Fixed("Esc"), "cancel"),
];
const DELAY: &[Hint] = &[
    (Fixed("Mouse"), "delay"),
    (Fixed("0–9"), "frames"),
    (Fixed("Shift"), "fine"),
    (Fixed("Click"), "confirm"),
    (Fixed("Esc"), "cancel"),
];
const PATH: &[Hint] = &[(Fixed("Drag"), "draw"), (Fixed("Esc"), "cancel")];
const POSES: &[Hint] = &[(Fixed("0–9"), "poses"), (Fixed("Enter"), "apply"), (Fixed("Esc"), "cancel")];
const TYPED: &[Hint] =
    &[(Fixed("6"), "frames"), (Fixed("120ms  0.5s"), "time"), (Fixed("Enter"), "confirm"), (Fixed("Esc"), "cancel")];
const REACH: &[Hint] = &[
    (Fixed("X Y Z"), "axis"),
    (Fixed("0–9"), "amount"),
    (Fixed("Ctrl"), "snap"),
    (Fixed("Shift"), "fine"),
    (Fixed("Click"), "confirm"),
    (Fixed("Esc"), "cancel"),
    (HintKey::Brackets, "shorter, longer chain"),
];
/// Like [`REACH`], without a chain.
const TRANSFORM: &[Hint] = REACH.split_at(REACH.len() - 1).0;
const DRAFT: &[Hint] =
    &[(Of(Command::KeyPose), "key the pose"), (Of(Command::DiscardDraft), "discard"), (Of(Command::Undo), "undo")];
const KEYS: &[Hint] = &[
    (Of(Command::MoveKeys), "move"),
    (Of(Command::ScaleKeys), "scale"),
    (Of(Command::RippleKeys), "ripple"),
    (Of(Command::BoxSelectKeys), "box"),
    (Of(Command::DuplicateKeys), "duplicate"),
    (Of(Command::DeleteKeys), "delete"),
    (Of(Command::EaseMenu), "interpolation"),
    (Of(Command::HandlesMenu), "handles"),
    (Fixed("Alt+drag"), "ripple"),
];
const STRIP: &[Hint] = &[
    (Fixed("0–9"), "duration"),
    (Fixed("Drag"), "reorder, retime"),
    (Of(Command::HoldKeyframe), "hold"),
    (Of(Command::MergeKeyframes), "merge"),
    (Of(Command::PlayPause), "play"),
    (Of(Command::Duplicate), "duplicate"),
    (Of(Command::Delete), "delete"),
    (Fixed("Wheel"), "zoom"),
];
const CLIPS: &[Hint] = &[(Of(Command::NewClip), "new"), (Fixed("F2"), "rename"), (Of(Command::Delete), "delete")];
const MACHINE: &[Hint] = &[
    (Fixed("Drag a dot"), "new transition"),
    (Of(Command::AddMachineState), "add state"),
    (Of(Command::DeleteInMachine), "delete"),
    (Of(Command::PreviewMachine), "preview"),
    (Of(Command::ToggleFilled), "larger or smaller"),
];
const LEVEL: &[Hint] = &[
    (Fixed("0–9"), "draw"),
    (Of(Command::MoveThings), "move"),
    (Of(Command::Duplicate), "duplicate"),
    (Of(Command::Delete), "delete"),
    (Of(Command::PlayFromHere), "play from here"),
    (Fixed("Right drag"), "pan"),
    (Of(Command::LevelMode), "leave"),
];
const SPRITES: &[Hint] = &[(Fixed("Space"), "play"), (Of(Command::SpritesMode), "leave")];
const RIG: &[Hint] = &[
    (Fixed("Drag"), "move a joint"),
    (Of(Command::ExtrudeBone), "extrude"),
    (Of(Command::MirrorBones), "mirror"),
    (Of(Command::CenterJoints), "center in mesh"),
    (Of(Command::PaintWeights), "paint"),
    (Of(Command::DeleteBones), "delete"),
    (Of(Command::RigMode), "leave"),
];
const PAINT: &[Hint] = &[
    (Fixed("Drag"), "paint"),
    (Fixed("Ctrl"), "subtract"),
    (Fixed("Shift"), "smooth"),
    (Of(Command::BrushRadius), "radius"),
    (Of(Command::BrushStrength), "strength"),
    (Fixed("Ctrl+Shift+Click"), "select bone"),
    (Of(Command::PaintWeights), "end"),
];
const RIG_DRAG: &[Hint] = &[
    (Fixed("X Y Z"), "axis"),
    (Fixed("0–9"), "metres"),
    (Fixed("Ctrl"), "into the mesh"),
    (Fixed("Click"), "confirm"),
    (Fixed("Esc"), "cancel"),
];
const LEVEL_DRAG: &[Hint] = &[
    (Fixed("X Y"), "one axis"),
    (Fixed("0–9"), "metres"),
    (Fixed("Ctrl"), "off the grid"),
    (Fixed("Click"), "confirm"),
    (Fixed("Esc"), "cancel"),
];
const POSING: &[Hint] = &[
    (Of(Command::Move), "move"),
    (Of(Command::Rotate), "rotate"),
    (Of(Command::Scale), "scale"),
    (Of(Command::KeyPose), "key"),
    (Of(Command::PlayPause), "play"),
    (Fixed("Right drag"), "orbit"),
];

/// Maximum share of the figures at the right.
const MAX_RIGHT: f32 = 0.42;

/// The figures at the right, by importance.
fn right_parts(ui: &Ui<'_>, figures: &Figures, graph: Option<&Graph>) -> Vec<String> {
    let mut parts = Vec::new();
    parts.extend(figures.frames_per_sec.map(|frames| format!("{frames} fps, {} dropped", figures.dropped)));
    parts.extend(figures.followers.map(|games| match games {
        0 => "no game connected".to_owned(),
        games => format!("{} connected", counted(games, "game")),
    }));
    parts.extend(figures.unsaved_secs.map(|secs| format!("unsaved work stored {}", age(secs).0)));
    if let Some(parts_of) = graph.map(|graph| graph.def.parts()) {
        parts.push(counted(parts_of.transitions.len(), "transition"));
        parts.push(counted(parts_of.states.len(), "state"));
    } else if let Some(level) = ui.session.transient.scene.level().and_then(|desk| ui.document.levels.get(desk.level)) {
        let solid = level.things().filter(|(at, _)| at.kind != ThingKind::Decor);
        let width = solid.map(|(_, thing)| outline(&thing, level)).reduce(|a, b| a.union(&b));
        parts.push(format!("{:.0} m", width.map_or(0.0, |width| width.size().x)));
        parts.push(counted(level.things().count(), "thing"));
    } else if let Some(model) = ui.model() {
        parts.push(counted(bone_list::bone_count(model), "bone"));
        parts.push(format!("{} vertices", thousands(model.shown_vertices())));
    }
    parts
}

/// The first parts that fit, as one text with the first part at its end.
fn fitting(ui: &Ui<'_>, parts: Vec<String>, room: f32) -> String {
    let mut text = String::new();
    for part in parts {
        let longer = if text.is_empty() { part } else { format!("{part}    {text}") };
        if ui.calc_text_size(&longer)[0] > room && !text.is_empty() {
            break;
        }
        text = longer;
    }
    text
}
