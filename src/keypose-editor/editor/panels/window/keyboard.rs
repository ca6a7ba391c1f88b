//! The actions of key presses: modal gestures have priority, then typed numbers, then the commands of the panel that has the keys.

use std::ops::Range;

use crate::editor::panels::ui::prelude::*;
use crate::editor::panels::window::key_focus::KeyFocus;
use crate::editor::panels::window::layout::Panel;
use crate::editor::session::display::ShownPose;
use crate::editor::session::level::{LevelAction, LevelTool};
use crate::editor::session::paint::PaintAction;
use crate::editor::session::pointer::{Axis, ModalKey};
use crate::editor::session::rig::RigAction;
use crate::editor::session::scene::Scene;
use crate::editor::session::shortcuts::{KeyName, Modifiers, Stroke, TypedStroke};
use crate::editor::session::sprites::SpriteAction;
use crate::editor::session::timing::TimeView;
use crate::editor::session::tool::TransformKind;
use crate::editor::update::blocks;

/// Lets the arrow keys move and Enter choose in an open menu or list.
pub fn choose_in_menu(ui: &Ui<'_>, is_menu_open: bool, strokes: &[TypedStroke]) {
    let can_choose = is_menu_open && !sys::is_typing_now(ui);
    sys::choose_with_arrows(ui, can_choose);
    if can_choose && strokes.iter().any(|it| it.stroke == Stroke::new(KeyName::Enter)) {
        sys::click_chosen(ui);
    }
}

/// The action of a key press with the mouse over keyframes of the strip, if it has one there.
pub fn action_of(ui: &Ui<'_>, focus: KeyFocus, keyframes: Range<usize>, pressed: TypedStroke) -> Option<Action> {
    let stroke = pressed.stroke;
    let is_transforming = ui.editor.gesture.as_ref().is_some_and(|gesture| gesture.takes_keys());
    if ui.editor.typed().is_some() {
        return text_key(pressed).map(|it| Action::Gesture(GestureAction::Modal(it)));
    }
    if ui.editor.gesture.as_ref().is_some_and(|gesture| gesture.poses().is_some()) {
        return reduction_key(ui, focus, pressed);
    }
    if is_transforming {
        return modal_key(pressed).map(|it| Action::Gesture(GestureAction::Modal(it)));
    }
    if stroke.key == KeyName::Escape
        && let Some(action) = leave(ui)
    {
        return Some(action);
    }
    if stroke == Stroke::new(KeyName::Space) && ui.session.transient.scene.sprites().is_some() {
        return Some(SpriteAction::Play.into());
    }
    if let (Some(digit), true) = (digit_of(pressed), focus.hovered() == Some(Panel::Strip))
        && ui.session.focus.timing.view == TimeView::Strip
    {
        let keyframes = blocks::typed_over(ui.editor, keyframes);
        if !keyframes.is_empty() {
            return Some(Action::Time(TimeAction::TypeDuration { keyframes, first: Some(digit) }));
        }
    }
    let is_set = focus.edits_model(ui.session) && !stroke.held.shift && !stroke.held.alt;
    if let (KeyName::Char(digit @ '0'..='9'), true) = (stroke.key, is_set) {
        let set = digit as u8 - b'0';
        return Some(if stroke.held.ctrl {
            Action::Bones(BoneAction::StoreSet(set))
        } else {
            Action::Bones(BoneAction::RecallSet(set))
        });
    }
    focus.action(ui.editor, stroke)
}

/// The action of Escape: it ends a gesture, a preview or a mode of the viewport.
fn leave(ui: &Ui<'_>) -> Option<Action> {
    let (pose, scene) = (&ui.session.transient.pose, &ui.session.transient.scene);
    Some(if ui.editor.gesture.is_some() || is_boxing(ui) {
        DocumentAction::Cancel.into()
    } else if pose.is_preview() {
        ViewAction::Leave.into()
    } else if scene.sprites().is_some() {
        SpriteAction::Toggle.into()
    } else if scene.level().is_some_and(|desk| desk.tool != LevelTool::Select) {
        LevelAction::Tool(LevelTool::Select).into()
    } else if scene.rig().is_some_and(|desk| desk.placing.is_some()) {
        RigAction::CancelTemplate.into()
    } else if scene.rig().is_some_and(|desk| desk.paint.adjusted.is_some()) {
        RigAction::Paint(PaintAction::CancelAdjust).into()
    } else if scene.rig().is_some_and(|desk| desk.paint.is_on) {
        RigAction::Paint(PaintAction::Toggle).into()
    } else if !matches!(scene, Scene::Model) || pose.shown() != ShownPose::Clip {
        ViewAction::Leave.into()
    } else {
        return None;
    })
}

/// The digit that a stroke types: of its key, or with Shift where the layout has it there.
fn digit_of(pressed: TypedStroke) -> Option<char> {
    let held = pressed.stroke.held;
    let is_typed = pressed.typed.is_some_and(|typed| typed.is_ascii_digit());
    if held.ctrl || held.alt || !(held == Modifiers::default() || is_typed) {
        return None;
    }
    pressed.character("").filter(char::is_ascii_digit)
}

/// Whether a selection box is being drawn, or is about to be.
fn is_boxing(ui: &Ui<'_>) -> bool {
    ui.session.transient.pointer.is_boxing
        || ui.session.transient.pointer.press.is_some()
        || ui.session.focus.timing.is_boxing
}

/// The signs of a typed duration.
const DURATION_SIGNS: &str = "+-*/().,";
/// The signs of a typed amount.
const AMOUNT_SIGNS: &str = ".,-";

/// The key of a stroke while a duration is typed.
fn text_key(pressed: TypedStroke) -> Option<ModalKey> {
    let Stroke { key, held } = pressed.stroke;
    match key {
        KeyName::Char(_) if !held.ctrl && !held.alt => pressed.character(DURATION_SIGNS).map(ModalKey::Char),
        KeyName::Enter | KeyName::Escape | KeyName::Backspace | KeyName::Pad(_) | KeyName::PadPoint => {
            modal_key(pressed)
        }
        _ => None,
    }
}

/// The digit or sign that a stroke adds to a typed amount.
fn amount_sign(pressed: TypedStroke) -> Option<char> {
    pressed.character(AMOUNT_SIGNS).filter(|sign| sign.is_ascii_digit() || AMOUNT_SIGNS.contains(*sign))
}

/// A key while clips are reduced to poses: digits are for the reduction, and keys that play, move the playhead or the
/// camera do as always, to look at the preview.
fn reduction_key(ui: &Ui<'_>, focus: KeyFocus, pressed: TypedStroke) -> Option<Action> {
    let command = focus.command(ui.editor, pressed.stroke);
    let looks = |command: &Command| matches!(command.action(ui.editor), Action::Playback(_) | Action::View(_));
    match (pressed.stroke.key, command.filter(looks)) {
        (KeyName::Enter | KeyName::Escape, _) | (_, None) => {
            text_key(pressed).map(GestureAction::Modal).map(Action::Gesture)
        }
        (KeyName::Char('0'..='9'), _) => text_key(pressed).map(GestureAction::Modal).map(Action::Gesture),
        (_, Some(command)) => Some(Action::Run(command)),
    }
}

fn modal_key(pressed: TypedStroke) -> Option<ModalKey> {
    let axis = |letter| match letter {
        'X' => Some(Axis::X),
        'Y' => Some(Axis::Y),
        'Z' => Some(Axis::Z),
        _ => None,
    };
    Some(match pressed.stroke.key {
        KeyName::Enter | KeyName::Space => ModalKey::Confirm,
        KeyName::Escape => ModalKey::Cancel,
        KeyName::Backspace => ModalKey::Backspace,
        KeyName::Pad(digit) => ModalKey::Char(char::from(b'0' + digit.min(9))),
        KeyName::PadPoint => ModalKey::Char('.'),
        KeyName::Char(_) if amount_sign(pressed).is_some() => ModalKey::Char(amount_sign(pressed)?),
        KeyName::Char('G') => ModalKey::Switch(TransformKind::Move),
        KeyName::Char('R') => ModalKey::Switch(TransformKind::Rotate),
        KeyName::Char('S') => ModalKey::Switch(TransformKind::Scale),
        KeyName::Char('E') => ModalKey::Switch(TransformKind::Reach),
        KeyName::Char(']') => ModalKey::AddJoint,
        KeyName::Char('[') => ModalKey::RemoveJoint,
        KeyName::Char(letter) if pressed.stroke.held.shift => ModalKey::Plane(axis(letter)?),
        KeyName::Char(letter) => ModalKey::Axis(axis(letter)?),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_takes_what_the_layout_types() {
        let cases = [
            // US.
            ('8', Some('*'), '*'),
            ('9', Some('('), '('),
            ('0', Some(')'), ')'),
            ('4', Some('$'), '4'),
            ('=', Some('+'), '+'),
            // AZERTY, with and without Shift.
            ('5', Some('5'), '5'),
            ('1', Some('&'), '1'),
            ('6', Some('-'), '-'),
            // No text, such as a dead key.
            ('7', None, '7'),
        ];
        for (key, typed, expected) in cases {
            let pressed = Stroke::new(KeyName::Char(key)).shift().typing(typed);
            assert_eq!(text_key(pressed), Some(ModalKey::Char(expected)), "{key} {typed:?}");
        }
        let typed_over = |key, typed| digit_of(Stroke::new(KeyName::Char(key)).typing(Some(typed)));
        assert_eq!(
            [('5', '('), ('7', '7'), ('G', 'g')].map(|(key, typed)| typed_over(key, typed)),
            [Some('5'), Some('7'), None]
        );
    }

    #[test]
    fn a_transform_takes_axes_amounts_and_its_end() {
        let cases = [
            (Stroke::new(KeyName::Char('X')).typing(None), Some(ModalKey::Axis(Axis::X))),
            (Stroke::new(KeyName::Char('Z')).shift().typing(None), Some(ModalKey::Plane(Axis::Z))),
            (Stroke::new(KeyName::Char('4')).typing(None), Some(ModalKey::Char('4'))),
            (Stroke::new(KeyName::Pad(5)).typing(None), Some(ModalKey::Char('5'))),
            (Stroke::new(KeyName::Enter).typing(None), Some(ModalKey::Confirm)),
            (Stroke::new(KeyName::Char('4')).shift().typing(Some('$')), Some(ModalKey::Char('4'))),
            (Stroke::new(KeyName::Char('1')).typing(Some('&')), Some(ModalKey::Char('1'))),
            (Stroke::new(KeyName::Char('1')).shift().typing(Some('1')), Some(ModalKey::Char('1'))),
            (Stroke::new(KeyName::Char('6')).typing(Some('-')), Some(ModalKey::Char('-'))),
            (Stroke::new(KeyName::Char('8')).shift().typing(Some('(')), Some(ModalKey::Char('8'))),
            (Stroke::new(KeyName::Char(',')).typing(Some(',')), Some(ModalKey::Char(','))),
            (Stroke::new(KeyName::Char('I')).typing(None), None),
        ];
        for (pressed, expected) in cases {
            assert_eq!(modal_key(pressed), expected, "{pressed:?}");
        }
    }
}
