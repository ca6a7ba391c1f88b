//! Orders input over as many frames as it needs. Within a frame, keys are handled before the mouse, and each may
//! change what the next one means. So a key waits for earlier clicks, a click for earlier keys, and letters for the
//! field that a key opens.

use std::collections::VecDeque;

use crate::editor::session::shortcuts::{KeyName, Stroke, TypedStroke};

/// Maximum frames that letters wait for a field: a popup needs two, its field one more.
const PATIENCE: u32 = 6;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputKind {
    /// A key press.
    Stroke(TypedStroke),
    /// A mouse movement.
    Move,
    /// A press or release of a mouse button.
    Click,
    /// A change of an input method: whether it composes text now.
    Composing(bool),
    /// A key release, the wheel or text.
    Other,
}

/// An input event, and its form for Dear ImGui.
#[derive(Clone, Debug, PartialEq)]
struct Input<E> {
    kind: InputKind,
    event: E,
}

/// The state of the panels before a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Readiness {
    /// Whether Dear ImGui still has queued input.
    pub is_busy: bool,
    /// Whether a text field has the keyboard.
    pub is_typing: bool,
    /// Whether a text field is about to have the keyboard.
    pub expects_text: bool,
}

/// The input of a frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Taken<E> {
    /// For the editor.
    pub strokes: Vec<TypedStroke>,
    /// For Dear ImGui.
    pub events: Vec<E>,
}

/// The input that no frame has handled yet.
#[derive(Clone, Debug)]
pub struct InputQueue<E> {
    waiting: VecDeque<Input<E>>,
    waited: u32,
    is_composing: bool,
}

impl<E> Default for InputQueue<E> {
    fn default() -> InputQueue<E> {
        InputQueue { waiting: VecDeque::new(), waited: 0, is_composing: false }
    }
}

impl<E> InputQueue<E> {
    /// Whether an input method composes text: pressed keys are its own.
    pub fn is_composing(&self) -> bool {
        self.is_composing
    }

    /// Appends an event. Keys that an input method composes with are dropped.
    pub fn push(&mut self, kind: InputKind, event: E) {
        match kind {
            InputKind::Composing(is_composing) => self.is_composing = is_composing,
            InputKind::Stroke(_) if self.is_composing => return,
            InputKind::Stroke(_) | InputKind::Move | InputKind::Click | InputKind::Other => {}
        }
        self.waiting.push_back(Input { kind, event });
    }

    /// Whether the queue is empty.
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Takes all events, regardless of their order.
    pub fn take_all(&mut self) -> Vec<E> {
        self.waiting.drain(..).map(|input| input.event).collect()
    }

    /// Takes the input of the next frame.
    pub fn take(&mut self, ready: Readiness) -> Taken<E> {
        let mut taken = Taken { strokes: Vec::new(), events: Vec::new() };
        if ready.is_typing || !ready.expects_text {
            self.waited = 0;
        }
        let (Some(first), false) = (self.waiting.front(), ready.is_busy) else { return taken };
        match first.kind {
            InputKind::Stroke(_) if ready.is_typing => self.take_text(&mut taken),
            InputKind::Stroke(_) if ready.expects_text && self.waited < PATIENCE => self.waited += 1,
            InputKind::Stroke(_) if ready.expects_text => self.take_text(&mut taken),
            // A command, which Dear ImGui must not receive.
            InputKind::Stroke(stroke) => {
                self.waiting.pop_front();
                taken.strokes.push(stroke);
            }
            _ => self.take_mouse(&mut taken),
        }
        taken
    }

    /// Takes events up to the next key. A click waits for a frame after a movement, because only hovered items can be
    /// clicked if they overlap.
    fn take_mouse(&mut self, taken: &mut Taken<E>) {
        let mut has_moved = false;
        self.take_while(taken, |kind| {
            has_moved |= kind == InputKind::Move;
            match kind {
                InputKind::Stroke(_) => false,
                InputKind::Click => !has_moved,
                InputKind::Move | InputKind::Composing(_) | InputKind::Other => true,
            }
        });
    }

    /// Takes letters and key releases, up to a key that may end the typing.
    fn take_text(&mut self, taken: &mut Taken<E>) {
        let mut has_ended = false;
        self.take_while(taken, |kind| {
            let is_taken = !has_ended && !matches!(kind, InputKind::Move | InputKind::Click);
            has_ended |= matches!(kind, InputKind::Stroke(pressed) if !is_letter(pressed.stroke));
            is_taken
        });
    }

    fn take_while(&mut self, taken: &mut Taken<E>, mut is_wanted: impl FnMut(InputKind) -> bool) {
        while let Some(Input { kind, event }) = self.waiting.pop_front() {
            if !is_wanted(kind) {
                return self.waiting.push_front(Input { kind, event });
            }
            if let InputKind::Stroke(stroke) = kind {
                taken.strokes.push(stroke);
            }
            taken.events.push(event);
        }
    }
}

/// Whether a key only types or edits text.
fn is_letter(stroke: Stroke) -> bool {
    let writes = matches!(
        stroke.key,
        KeyName::Char(_) | KeyName::Pad(_) | KeyName::PadPoint | KeyName::Space | KeyName::Backspace | KeyName::Delete
    );
    writes && !stroke.held.ctrl && !stroke.held.alt
}

#[cfg(test)]
mod tests {
    use super::*;

    /// "G" is a key, ">" the mouse that moves, "(" and ")" its button, "'" a key that goes up.
    fn queue(events: &str) -> InputQueue<char> {
        let mut queue = InputQueue::default();
        for letter in events.chars() {
            let kind = match letter {
                '>' => InputKind::Move,
                '(' | ')' => InputKind::Click,
                '\'' => InputKind::Other,
                '⏎' => InputKind::Stroke(Stroke::new(KeyName::Enter).typing(None)),
                letter => InputKind::Stroke(Stroke::new(KeyName::Char(letter)).typing(None)),
            };
            queue.push(kind, letter);
        }
        queue
    }

    /// The events of each frame, strokes before a bar, until the queue is empty; each with the panels as they are then.
    fn frames(events: &str, ready: impl Fn(usize) -> Readiness) -> Vec<String> {
        let (mut queue, mut frames) = (queue(events), Vec::new());
        while !queue.is_empty() && frames.len() < 20 {
            let taken = queue.take(ready(frames.len()));
            let strokes: String = taken.strokes.iter().map(|it| it.stroke.to_string()).collect();
            frames.push(format!("{strokes}|{}", taken.events.iter().collect::<String>()));
        }
        frames
    }

    #[test]
    fn keys_and_clicks_take_turns() {
        assert_eq!(frames("G(X)Y", |_| Readiness::default()), ["G|", "|(", "X|", "|)", "Y|"]);
        assert_eq!(frames("()GG", |_| Readiness::default()), ["|()", "G|", "G|"]);
        assert_eq!(frames("G'>>(>)", |_| Readiness::default()), ["G|", "|'>>", "|(>", "|)"]);
    }

    #[test]
    fn all_wait_while_the_clicks_before_them_are_taken() {
        let busy = |frame: usize| Readiness { is_busy: frame == 1, ..Readiness::default() };
        assert_eq!(frames("()G", busy), ["|()", "|", "G|"]);
    }

    #[test]
    fn letters_wait_for_their_field_and_go_there_at_once() {
        let opens = |frame: usize| Readiness { expects_text: frame > 0, is_typing: frame > 2, is_busy: false };
        assert_eq!(frames("NA'B'C", opens), ["N|", "|", "|", "ABC|A'B'C"]);
    }

    #[test]
    fn what_ends_the_typing_parts_letters_from_commands() {
        let typed = |frame: usize| Readiness { is_typing: frame == 0, ..Readiness::default() };
        assert_eq!(frames("AB⏎'G", typed), ["ABEnter|AB⏎", "|'", "G|"]);
        assert_eq!(frames("A(G)", typed), ["A|A", "|(", "G|", "|)"]);
    }

    #[test]
    fn a_field_that_never_comes_does_not_hold_the_keys() {
        let expecting = |_| Readiness { expects_text: true, ..Readiness::default() };
        let frames = frames("A⏎B", expecting);
        assert_eq!(frames[..6], ["|"; 6]);
        assert_eq!(frames[6..], ["AEnter|A⏎", "B|B"]);
    }
}
