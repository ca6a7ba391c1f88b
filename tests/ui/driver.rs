//! Real Dear ImGui without a window or GL: the panels drawn on an editor, with mouse and key events.
#![allow(dead_code)]

use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use glam::{Quat, Vec3};
use imgui::{Key as UiKey, MouseButton, SharedFontAtlas, TextureId};
use keypose::anim::clip::{Clip, Keyframe};
use keypose::anim::key::Key;
use keypose::anim::skeleton::{Bone, Skeleton};
use keypose::anim::time::{FrameRate, Time};
use keypose::anim::transform::Transform;
use keypose::assets::model::{ClipSlot, Model};
use keypose::assets::project::Project;
use keypose::wad::archive::Archive;
use keypose::wad::decode_project;
use keypose_editor::editor::panels::sprites::SpriteInputs;
use keypose_editor::editor::panels::ui::Pictures;
use keypose_editor::editor::panels::ui::double_click;
use keypose_editor::editor::panels::ui::fonts::{ExtraFonts, Fonts, ICON_FONT, add_fonts};
use keypose_editor::editor::panels::ui::rect::Rect;
use keypose_editor::editor::panels::ui::surface::{Places, Surface};
use keypose_editor::editor::panels::ui::sys;
use keypose_editor::editor::panels::ui::theme::Theme;
use keypose_editor::editor::panels::view::toast::ToastTime;
use keypose_editor::editor::panels::window::browser::preview::FilePreview;
use keypose_editor::editor::panels::window::composition::{Composing, Composition};
use keypose_editor::editor::panels::window::dock::{Dock, FrameInputs};
use keypose_editor::editor::panels::window::input_order::{InputKind, InputQueue};
use keypose_editor::editor::panels::window::layout::Panel;
use keypose_editor::editor::panels::window::status_bar::Figures;
use keypose_editor::editor::session::shortcuts::{Stroke, TypedStroke};
use keypose_editor::editor::state::Editor;
use keypose_editor::editor::state::action::{Action, Origin};
use keypose_editor::editor::state::effect::Effect;
use keypose_editor::editor::view::sprite_sheet::SheetView;

use crate::root::root;

/// The fonts of all drivers. Only one context may be alive in a process: that of who has the lock.
static ONE_CONTEXT: Mutex<Option<SharedFonts>> = Mutex::new(None);

/// An atlas that is built, and its fonts.
struct SharedFonts(SharedFontAtlas, Fonts);

// SAFETY: only who has the lock uses the atlas and counts its references: a driver drops its context before its lock.
#[allow(unsafe_code)]
unsafe impl Send for SharedFonts {}

/// The usual size of the window, in points.
pub const SIZE: [f32; 2] = [1280.0, 800.0];

/// The panels on [`arm`] in a window of the usual size.
pub fn driver() -> Driver {
    Driver::new(arm(), SIZE)
}

/// The time of a frame at 30 frames per second.
pub fn frames(count: i64) -> Time {
    FrameRate::FPS_30.time_of(count)
}

/// A stroke whose key also goes to Dear ImGui, and what it writes there.
pub fn struck(stroke: &str, key: UiKey, letter: Option<char>) -> (Option<&str>, UiEvent) {
    (Some(stroke), UiEvent::Key(key, letter))
}

/// An event for Dear ImGui.
#[derive(Clone, Debug)]
pub enum UiEvent {
    /// The mouse is there.
    Mouse([f32; 2]),
    /// The left button goes down or up.
    Button(bool),
    /// A key goes down and writes this.
    Key(UiKey, Option<char>),
    /// A modifier goes down or up.
    Hold(UiKey, bool),
    /// An input method does this.
    Compose(Composing),
    /// A key of the editor alone.
    Nothing,
}

/// An editor with its panels.
pub struct Driver {
    context: imgui::Context,
    fonts: Fonts,
    theme: Theme,
    places: Places,
    strokes: Vec<TypedStroke>,
    composition: Composition,
    input: InputQueue<UiEvent>,
    /// What is driven.
    pub editor: Editor,
    /// What the panels keep.
    pub dock: Dock,
    /// The figures of the status bar.
    pub figures: Figures,
    /// The preview of every file.
    pub preview: FilePreview,
    /// The sprite sheet that the program made.
    pub sheet: Option<SheetView>,
    /// What was to happen outside.
    pub effects: Vec<Effect>,
    _lock: MutexGuard<'static, Option<SharedFonts>>,
}

impl Driver {
    /// On a project, in a window of that size, after the layout has settled.
    pub fn new(project: Project, size: [f32; 2]) -> Driver {
        let mut driver = Driver::fresh(project, size);
        driver.frames(6);
        driver
    }

    /// As [`Driver::new`], before the first frame.
    pub fn fresh(project: Project, size: [f32; 2]) -> Driver {
        let mut lock = ONE_CONTEXT.lock().unwrap_or_else(PoisonError::into_inner);
        let atlas = lock.as_ref().map_or_else(SharedFontAtlas::create, |shared| shared.0.clone());
        let mut context = imgui::Context::create_with_shared_font_atlas(atlas.clone());
        context.set_ini_filename(None);
        context.io_mut().config_flags |= imgui::ConfigFlags::DOCKING_ENABLE;
        context.io_mut().display_size = size;
        context.io_mut().delta_time = 1.0 / 60.0;
        let theme = Theme::dark();
        theme.apply(context.style_mut());
        let shared = lock.get_or_insert_with(|| {
            let fonts = add_fonts(&mut context, 1.0, ICON_FONT, &ExtraFonts::default());
            context.fonts().build_alpha8_texture();
            SharedFonts(atlas, fonts)
        });
        let fonts = shared.1;
        Driver {
            context,
            fonts,
            theme,
            places: Places::default(),
            strokes: Vec::new(),
            composition: Composition::default(),
            input: InputQueue::default(),
            editor: Editor::new(project, &Origin::New),
            dock: Dock::default(),
            figures: Figures::default(),
            preview: FilePreview::Waiting,
            sheet: None,
            effects: Vec::new(),
            _lock: lock,
        }
    }

    /// One frame: panels, then what the user did in them.
    pub fn frame(&mut self) {
        let view = self.editor.view();
        self.places.borrow_mut().clear();
        let strokes = std::mem::take(&mut self.strokes);
        let ui = self.context.new_frame();
        let mut frame = Surface::new(ui, &self.fonts, &self.theme);
        frame.places = Some(&self.places);
        let inputs = FrameInputs {
            pictures_of_view: [None, None],
            pixels: None,
            sprites: SpriteInputs {
                sheet: self.sheet.as_ref(),
                atlas: Some(TextureId::new(1)),
                ..SpriteInputs::default()
            },
            thumbnail: &|_| None,
            pose_picture: &|_| None,
            pictures: Pictures { clip: &|_| None, model: &|_| None, image: &|_| Some(TextureId::new(1)) },
            file_preview: &|_| self.preview.clone(),
            strokes: &strokes,
            figures: &self.figures,
            toast: ToastTime(1.0),
            now_ms: 0,
        };
        let actions = self.dock.ui(&frame, &self.editor, &view, &inputs);
        self.composition.draw(&frame);
        self.context.render();
        for action in actions {
            self.update(action);
        }
    }

    /// Frames in which the game is shown instead.
    pub fn frames_without_panels(&mut self, count: usize) {
        for _ in 0..count {
            self.context.new_frame();
            self.context.render();
        }
    }

    /// An action as the app would give it.
    pub fn update(&mut self, action: impl Into<Action>) {
        self.effects.extend(self.editor.update(action));
    }

    /// Some frames.
    pub fn frames(&mut self, count: usize) {
        (0..count).for_each(|_| self.frame());
    }

    /// The layout of the panels, and the size for which it is untouched.
    pub fn layout(&mut self) -> (String, Option<[f32; 2]>) {
        let mut ini = String::new();
        self.context.save_ini_settings(&mut ini);
        (ini, self.dock.untouched_size())
    }

    /// Restores a layout, before the first frame.
    pub fn restore(&mut self, (ini, untouched): &(String, Option<[f32; 2]>)) {
        self.context.load_ini_settings(ini);
        self.dock.follow_from(*untouched);
    }

    /// The window or its scale changes: it is now this large, in points.
    pub fn resize(&mut self, size: [f32; 2]) {
        self.context.io_mut().display_size = size;
        self.frames(6);
    }

    /// Where a widget stands.
    pub fn place(&self, id: &str) -> Rect {
        let places = self.places.borrow();
        let ids = || places.keys().filter(|id| !id.starts_with("text ")).collect::<Vec<_>>();
        *places.get(id).unwrap_or_else(|| panic!("there is no {id}; there are {:?}", ids()))
    }

    /// The ids of all that was drawn.
    pub fn ids(&self) -> Vec<String> {
        self.places.borrow().keys().cloned().collect()
    }

    /// Whether a widget is drawn.
    pub fn has(&self, id: &str) -> bool {
        self.places.borrow().contains_key(id)
    }

    /// Moves the mouse.
    pub fn point(&mut self, at: [f32; 2]) {
        self.context.io_mut().add_mouse_pos_event(at);
        self.frames(2);
    }

    /// The wheel turns, up if positive.
    pub fn wheel(&mut self, by: f32) {
        self.context.io_mut().add_mouse_wheel_event([0.0, by]);
        self.frames(2);
    }

    /// A button goes down or up.
    pub fn button(&mut self, button: MouseButton, is_down: bool) {
        self.context.io_mut().add_mouse_button_event(button, is_down);
        self.frames(2);
    }

    /// A button goes down or up, in one frame.
    pub fn button_now(&mut self, button: MouseButton, is_down: bool) {
        self.context.io_mut().add_mouse_button_event(button, is_down);
        self.frame();
    }

    /// Clicks the middle of a widget.
    pub fn click(&mut self, id: &str) {
        self.click_with(id, MouseButton::Left);
    }

    /// Clicks with a button.
    pub fn click_with(&mut self, id: &str, button: MouseButton) {
        self.hover(id);
        self.button(button, true);
        self.button(button, false);
    }

    /// Clicks at a place.
    pub fn click_at(&mut self, at: [f32; 2]) {
        self.point(at);
        self.button(MouseButton::Left, true);
        self.button(MouseButton::Left, false);
    }

    /// Clicks the middle of a widget while Shift, Ctrl or Alt is held.
    pub fn click_holding(&mut self, key: UiKey, id: &str) {
        self.hold(key, true);
        self.click(id);
        self.hold(key, false);
    }

    /// Chooses an entry of a list.
    pub fn choose(&mut self, list: &str, entry: &str) {
        self.click(list);
        self.frames(3);
        self.click(&format!("{list}-{entry}"));
        self.frames(3);
    }

    /// Chooses an entry of the menu that a click with the right button opens.
    pub fn choose_in_menu(&mut self, id: &str, entry: &str) {
        self.click_with(id, MouseButton::Right);
        self.frames(3);
        self.click(entry);
        self.frames(4);
    }

    /// From now on each frame takes this long.
    pub fn slow_down(&mut self, frame: std::time::Duration) {
        self.context.io_mut().delta_time = frame.as_secs_f32();
        self.context.io_mut().mouse_double_click_time = double_click::allowed_secs(frame.as_secs_f32());
    }

    /// Two clicks in quick succession.
    pub fn double_click(&mut self, id: &str) {
        self.hover(id);
        for is_down in [true, false, true, false] {
            self.context.io_mut().add_mouse_button_event(MouseButton::Left, is_down);
            self.frame();
        }
        self.frame();
    }

    /// Takes a widget by its middle and drags it by so much.
    pub fn drag(&mut self, id: &str, by: [f32; 2]) {
        self.pull(id, by);
        self.button(MouseButton::Left, false);
    }

    /// As [`Driver::drag`], but the button stays down.
    pub fn pull(&mut self, id: &str, by: [f32; 2]) {
        self.take(id);
        let [x, y] = self.place(id).center();
        self.point([x + by[0] / 2.0, y + by[1] / 2.0]);
        self.point([x + by[0], y + by[1]]);
    }

    /// Drags from one place to another.
    pub fn drag_between(&mut self, from: [f32; 2], to: [f32; 2]) {
        self.point(from);
        self.button(MouseButton::Left, true);
        self.point([(from[0] + to[0]) / 2.0, (from[1] + to[1]) / 2.0]);
        self.point(to);
        self.button(MouseButton::Left, false);
    }

    /// Presses on the middle of a widget and holds.
    pub fn take(&mut self, id: &str) {
        self.hover(id);
        self.button(MouseButton::Left, true);
    }

    /// Types text into what has the keyboard.
    pub fn text(&mut self, text: &str) {
        for letter in text.chars() {
            self.context.io_mut().add_input_character(letter);
        }
        self.frames(text.chars().count() + 1);
    }

    /// A key of Dear ImGui's own: Enter, Escape, arrows in text fields.
    pub fn key(&mut self, key: UiKey) {
        self.context.io_mut().add_key_event(key, true);
        self.frames(2);
        self.context.io_mut().add_key_event(key, false);
        self.frames(2);
    }

    /// Escape, as the window passes it on.
    pub fn escape(&mut self) {
        self.all_in_one_frame(&[struck("Esc", UiKey::Escape, None)]);
    }

    /// A key of Dear ImGui's own goes down or up: Shift, Ctrl, Alt.
    pub fn hold(&mut self, key: UiKey, is_down: bool) {
        self.context.io_mut().add_key_event(key, is_down);
        self.frames(2);
    }

    /// A stroke with the mouse where it is.
    pub fn strike(&mut self, stroke: &str) {
        self.strokes.push(stroke.parse::<Stroke>().unwrap().typing(None));
        self.frames(2);
    }

    /// All of this happens within one frame that took long; then frames until everything is taken, as the app does it.
    pub fn all_in_one_frame(&mut self, happened: &[(Option<&str>, UiEvent)]) {
        let mut input = std::mem::take(&mut self.input);
        for (stroke, event) in happened {
            let kind = match (stroke, event) {
                (Some(stroke), _) => InputKind::Stroke(stroke.parse::<Stroke>().unwrap().typing(None)),
                (None, UiEvent::Mouse(_)) => InputKind::Move,
                (None, UiEvent::Button(_)) => InputKind::Click,
                (None, UiEvent::Compose(change)) => InputKind::Composing(change.continues()),
                (None, _) => InputKind::Other,
            };
            input.push(kind, event.clone());
        }
        for _ in 0..100 {
            let taken = input.take(self.dock.readiness(&self.context, &self.editor.session));
            self.strokes.extend(taken.strokes);
            for event in taken.events {
                let io = self.context.io_mut();
                match event {
                    UiEvent::Mouse(at) => io.add_mouse_pos_event(at),
                    UiEvent::Button(is_down) => io.add_mouse_button_event(MouseButton::Left, is_down),
                    UiEvent::Key(key, letter) => {
                        io.add_key_event(key, true);
                        letter.into_iter().for_each(|letter| io.add_input_character(letter));
                        io.add_key_event(key, false);
                    }
                    UiEvent::Hold(key, is_down) => io.add_key_event(key, is_down),
                    UiEvent::Compose(change) => {
                        let typed = self.composition.follow(change).unwrap_or_default();
                        typed.chars().for_each(|letter| io.add_input_character(letter));
                    }
                    UiEvent::Nothing => {}
                }
            }
            self.frame();
            if input.is_empty() && !sys::has_queued_input(&self.context) {
                self.input = input;
                return self.frames(2);
            }
        }
        panic!("the input is never taken");
    }

    /// Moves the mouse over the middle of a widget.
    pub fn hover(&mut self, id: &str) {
        let at = self.place(id).center();
        self.point(at);
    }

    /// Brings a panel to the front of its tabs.
    pub fn show(&mut self, panel: Panel) {
        self.dock.show(panel);
        self.frames(3);
    }

    /// Types into the field that a double click opens, and presses Enter.
    pub fn enter(&mut self, id: &str, text: &str) {
        self.double_click(id);
        self.type_line(text);
    }

    /// Types into the field that was opened just now, and presses Enter.
    pub fn type_line(&mut self, text: &str) {
        self.frames(4);
        self.text(text);
        self.key(UiKey::Enter);
        self.frames(2);
    }

    /// Some strokes with the mouse where it is.
    pub fn strikes(&mut self, strokes: &[&str]) {
        strokes.iter().for_each(|stroke| self.strike(stroke));
    }

    /// The durations of the open clip's keyframes, in frames.
    pub fn durations(&self) -> Vec<i64> {
        self.clip().keyframes.iter().map(|keyframe| FrameRate::FPS_30.nearest_frame(keyframe.duration)).collect()
    }

    /// The selected keyframes.
    pub fn keyframes(&self) -> Vec<usize> {
        self.editor.session.focus.selection.keyframes.iter().copied().collect()
    }

    /// The text of the notice over the viewport; empty without one.
    pub fn notice(&self) -> String {
        self.editor.session.transient.notice.as_ref().map(|notice| notice.text.clone()).unwrap_or_default()
    }

    /// The open clip.
    pub fn clip(&self) -> &Clip {
        &self.editor.clip().unwrap().clip
    }

    /// The model.
    pub fn model(&self) -> &Model {
        self.editor.model().unwrap()
    }
}

/// The project of the built-in demo, decoded once.
pub fn demo() -> Project {
    static DEMO: LazyLock<Project> = LazyLock::new(|| {
        let bytes = std::fs::read(root().join("data/demo.wad")).unwrap();
        decode_project(&Archive::open(&bytes).unwrap()).unwrap()
    });
    DEMO.clone()
}

/// Three bones in a chain; "wave" has keyframes of 4, 6 and 10 frames, "rest" has none.
pub fn arm() -> Project {
    let bone = |name: &str, parent, x: f32| Bone {
        name: name.into(),
        parent,
        rest: Transform::from_translation(Vec3::new(x, 0.0, 0.0)),
    };
    let bones = vec![bone("root", None, 0.0), bone("upper", Some(0), 1.0), bone("lower", Some(1), 1.0)];
    let keyframe = |frames, degrees: f32| Keyframe {
        duration: FrameRate::FPS_30.time_of(frames),
        keys: vec![Key::rotation(1, Quat::from_rotation_z(degrees.to_radians()))].into(),
        ..Keyframe::default()
    };
    let keyframes = [keyframe(4, 0.0), keyframe(6, 40.0), keyframe(10, -20.0)].into();
    let clips = [Clip { keyframes, ..Clip::new("wave") }, Clip::new("rest")];
    let slots = clips.into_iter().map(|clip| ClipSlot { id: Default::default(), clip: clip.into() });
    let skeleton = Skeleton::new(bones).unwrap().into();
    let mut project = Project::default();
    project.add_model(Model { name: "arm".into(), skeleton, clips: slots.collect(), ..Model::default() });
    project
}

/// The arm; "wave" has this number of keyframes of a frame, the last one without a duration, as after an import.
pub fn dense(count: usize) -> Project {
    let mut project = arm();
    let keyframe = |at: usize| {
        let turn = |by: f32| Quat::from_rotation_z((at as f32 * 0.1).sin() * by);
        Keyframe {
            duration: if at + 1 < count { FrameRate::FPS_30.frame() } else { Time::ZERO },
            keys: vec![Key::rotation(1, turn(1.0)), Key::rotation(2, turn(-0.4))].into(),
            ..Keyframe::default()
        }
    };
    let model = Arc::make_mut(&mut project.models[0]);
    model.clips[0].clip = Clip { keyframes: (0..count).map(keyframe).collect(), ..Clip::new("wave") }.into();
    project
}
