//! The selected range of a lane: its ticks and what it holds, and the figures of the attack.

use std::sync::Arc;

use crate::anim::time::Time;
use crate::assets::combat::dummy;
use crate::assets::combat::{Cancel, CancelWhen, Hit, Hurt, LaneKind, Lanes, Range, Strike};
use crate::assets::id::ClipId;
use crate::assets::level::FoeKind;
use crate::assets::model::Model;
use crate::editor::document::edit::ClipEdit;
use crate::editor::ops::amount::Measure;
use crate::editor::panels::inspector::{GAP, MIX_LABEL, labelled_row, number_at, row_of_fields};
use crate::editor::panels::ui::Ui;
use crate::editor::panels::ui::fold::Folds;
use crate::editor::panels::ui::frame::Align;
use crate::editor::panels::ui::name_field::{NameButton, NameText};
use crate::editor::panels::ui::number_field::{Number, number_tip};
use crate::editor::panels::ui::rect::Rect;
use crate::editor::panels::ui::rows;
use crate::editor::panels::ui::widgets::{self, Tone, Touch};
use crate::editor::posing::change::Change;
use crate::editor::session::timing::TimeAction;
use crate::editor::view::frame_data::{dummy_ticks, frame_data};

/// A number of a hit: its label, tooltip, format and range, and how it is read and written.
struct Field {
    label: &'static str,
    tip: &'static str,
    how: Number,
    get: fn(&Hit) -> f32,
    set: fn(&mut Hit, f32),
}

const fn whole(max: f32) -> Number {
    Number { range: [0.0, max], ..Number::new("%.0f", 0.2) }
}

const fn real(format: &'static str, speed: f32, range: [f32; 2], unit: &'static str, measure: Measure) -> Number {
    Number { range, unit, measure, ..Number::new(format, speed) }
}

/// The numbers of a hit, in rows of two.
const FIELDS: [Field; 10] = [
    Field {
        label: "Damage",
        tip: "Points that a hit costs",
        how: whole(65535.0),
        get: |hit| f32::from(hit.strike.damage),
        set: |hit, value| hit.strike.damage = value as u16,
    },
    Field {
        label: "Priority",
        tip: "If two attacks meet, the one of higher priority wins; equal ones cancel each other",
        how: whole(255.0),
        get: |hit| f32::from(hit.strike.priority),
        set: |hit, value| hit.strike.priority = value as u8,
    },
    Field {
        label: "Angle",
        tip: "Direction of the knockback: 0° is forward, 90° up",
        how: real("%.0f", 0.5, [-180.0, 180.0], "°", Measure::Angle),
        get: |hit| hit.strike.angle,
        set: |hit, value| hit.strike.angle = value,
    },
    Field {
        label: "Knockback",
        tip: "Speed of the knockback in metres per second",
        how: real("%.1f", 0.05, [0.0, 100.0], "", Measure::Plain),
        get: |hit| hit.strike.knockback,
        set: |hit, value| hit.strike.knockback = value,
    },
    Field {
        label: "Growth",
        tip: "How much the knockback grows with each point of damage that the target has taken, in metres per second",
        how: real("%.3f", 0.001, [0.0, 10.0], "", Measure::Plain),
        get: |hit| hit.strike.growth,
        set: |hit, value| hit.strike.growth = value,
    },
    Field {
        label: "Hit stop",
        tip: "Ticks for which both stand still at the hit",
        how: whole(65535.0),
        get: |hit| f32::from(hit.strike.stop),
        set: |hit, value| hit.strike.stop = value as u16,
    },
    Field {
        label: "Hit stun",
        tip: "Ticks for which the target can't act",
        how: whole(65535.0),
        get: |hit| f32::from(hit.strike.stun),
        set: |hit, value| hit.strike.stun = value as u16,
    },
    Field {
        label: "Block stun",
        tip: "Ticks for which a target that blocks can't act",
        how: whole(65535.0),
        get: |hit| f32::from(hit.strike.block_stun),
        set: |hit, value| hit.strike.block_stun = value as u16,
    },
    Field {
        label: "Group",
        tip: "Hits of one group count once for each target",
        how: whole(255.0),
        get: |hit| f32::from(hit.group),
        set: |hit, value| hit.group = value as u8,
    },
    Field {
        label: "Hits again",
        tip: "Ticks after which the group can hit the same target again; 0 for never",
        how: whole(65535.0),
        get: |hit| f32::from(hit.again),
        set: |hit, value| hit.again = value as u16,
    },
];

/// The section.
#[derive(Debug, Default)]
pub(super) struct AttackSection {
    /// What a cancel leads to.
    into: NameButton<usize>,
}

/// A range and where it is.
struct Shown<'a> {
    clip: ClipId,
    length: Time,
    lanes: &'a Lanes,
    lane: LaneKind,
    at: usize,
}

impl Shown<'_> {
    /// Turns the touch of a field into a gesture that changes the lanes. The range stays selected, wherever it moves.
    fn gesture(&self, ui: &Ui<'_>, touch: Touch, label: &'static str, change: impl FnOnce(&mut Lanes)) {
        let mut lanes = self.lanes.clone();
        if touch.is_changed {
            change(&mut lanes);
        }
        let place = self.sorted(&mut lanes);
        let edit = ClipEdit::SetLanes { clip: self.clip, lanes: Box::new(lanes) };
        ui.gesture(touch, label, || Change::Edits(vec![edit.into()]));
        if touch.is_changed {
            ui.send(TimeAction::PickRange(place.map(|at| (self.lane, at))));
        }
    }

    /// Makes a change at once.
    fn edit(&self, ui: &Ui<'_>, label: &'static str, change: impl FnOnce(&mut Lanes)) {
        let mut lanes = self.lanes.clone();
        change(&mut lanes);
        let place = self.sorted(&mut lanes);
        ui.edit(label, vec![ClipEdit::SetLanes { clip: self.clip, lanes: Box::new(lanes) }.into()]);
        ui.send(TimeAction::PickRange(place.map(|at| (self.lane, at))));
    }

    /// Sorts changed lanes. Returns the new place of the range.
    fn sorted(&self, lanes: &mut Lanes) -> Option<usize> {
        let range = lanes.ranges(self.lane).get(self.at).copied()?;
        lanes.sort();
        // Among equal ranges the order stays.
        let before = self.lanes.ranges(self.lane);
        let is_moved = before.get(self.at) != Some(&range);
        if is_moved { lanes.ranges(self.lane).iter().position(|other| *other == range) } else { Some(self.at) }
    }
}

impl AttackSection {
    /// Draws the selected range of the open clip, if there is one.
    pub fn ui(&mut self, ui: &Ui<'_>, model: &Arc<Model>, folds: &mut Folds) {
        let (Some(clip), Some(id)) = (ui.clip(), ui.session.focus.clip) else { return };
        let Some((lane, at)) = ui.session.focus.selection.range else { return };
        let lanes = model.combat.lanes_of(id);
        let Some(range) = lanes.ranges(lane).get(at).copied() else { return };
        if !folds.section(ui, "range", title(lane)) {
            return;
        }
        let shown = Shown { clip: id, length: clip.length(), lanes: &lanes, lane, at };
        ticks_ui(ui, &shown, range);
        match lane {
            LaneKind::Hits => {
                if let Some(hit) = lanes.hits.get(at) {
                    fields_ui(ui, &shown, hit);
                    targets_ui(ui, &shown, hit);
                }
                figures_ui(ui, model, id);
            }
            LaneKind::Hurts => lanes.hurts.get(at).into_iter().for_each(|hurt| hurt_ui(ui, model, &shown, hurt)),
            LaneKind::Cancels => {
                lanes.cancels.get(at).into_iter().for_each(|cancel| self.cancel_ui(ui, &shown, cancel))
            }
            LaneKind::Invulnerable => {}
        }
    }

    fn cancel_ui(&mut self, ui: &Ui<'_>, shown: &Shown<'_>, cancel: &Cancel) {
        let all = CancelWhen::ALL.map(|when| (when, when.name(), "When the clip may be cancelled"));
        if let Some(when) = rows::choices(ui, "When", &all, cancel.when) {
            shown.edit(ui, "Set cancel", |lanes| lanes.cancels[shown.at].when = when);
        }
        let names = cancel.into.join(", ");
        rows::row(ui, "Into", widgets::FIELD, |field| {
            let tip = "Clips or actions that may interrupt the clip, separated by commas: attack, jump. Empty for any";
            let of = ("cancel-into", shown.at);
            if let Some(text) = self.into.ui(ui, of, NameText { text: &names, empty: "any action", tip }, field) {
                let names = text.split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned);
                let into: Vec<String> = names.collect();
                shown.edit(ui, "Set cancel", |lanes| lanes.cancels[shown.at].into = into);
            }
        });
    }
}

fn title(lane: LaneKind) -> &'static str {
    match lane {
        LaneKind::Hits => "Hit",
        LaneKind::Hurts => "Hurt volume in a range",
        LaneKind::Cancels => "Cancel",
        LaneKind::Invulnerable => "Invulnerable",
    }
}

/// Draws the first and the last tick of a range.
fn ticks_ui(ui: &Ui<'_>, shown: &Shown<'_>, range: Range) {
    let ticks = range.ticks();
    let last = (shown.length.0 / Time::TICK.0 - 1).max(0) as f32;
    labelled_row(ui, "Ticks", MIX_LABEL, |fields| {
        let how = Number { range: [0.0, last], ..Number::new("%.0f", 0.1) };
        let mut first = ticks.start as f32;
        let touch = number_at(ui, fields.column(0, 2, GAP), "range-first", &mut first, how);
        number_tip(ui, "First tick, from 0");
        shown.gesture(ui, touch, "Move range", |lanes| {
            let first = first.round() as i64;
            let end = first + (ticks.end - ticks.start).max(1);
            lanes.range_mut(shown.lane, shown.at).into_iter().for_each(|range| *range = Range::of_ticks(first, end));
        });
        let mut to = (ticks.end - 1).max(ticks.start) as f32;
        let how = Number { range: [ticks.start as f32, last.max(ticks.start as f32)], ..how };
        let touch = number_at(ui, fields.column(1, 2, GAP), "range-last", &mut to, how);
        number_tip(ui, "Last tick");
        shown.gesture(ui, touch, "Move range", |lanes| {
            let range = Range::of_ticks(ticks.start, to.round() as i64 + 1);
            lanes.range_mut(shown.lane, shown.at).into_iter().for_each(|place| *place = range);
        });
    });
}

/// Draws the numbers of a hit, two in a row.
fn fields_ui(ui: &Ui<'_>, shown: &Shown<'_>, hit: &Hit) {
    for pair in FIELDS.chunks(2) {
        let row = row_of_fields(ui);
        for (at, field) in pair.iter().enumerate() {
            let mut place = row.column(at, 2, GAP);
            ui.text_in(place.cut_left(MIX_LABEL, 0.0), Align::Left, ui.theme.quiet, field.label);
            let mut value = (field.get)(hit);
            let touch = number_at(ui, place, &format!("hit-{}", field.label), &mut value, field.how);
            number_tip(ui, field.tip);
            shown.gesture(ui, touch, "Set hit", |lanes| {
                lanes.hits.get_mut(shown.at).into_iter().for_each(|hit| (field.set)(hit, value));
            });
        }
        ui.end_at([row.min[0], row.max[1] + GAP]);
    }
}

/// The targets that the inspector names: their bits, words and tooltips.
const TARGETS: [(u32, &str, &str); 4] = [
    (Strike::ALL_TARGETS, "all", "All of the other side: foes and dummies for the player, the player for foes"),
    (FoeKind::PLAYER, "player", "Hits the player"),
    (FoeKind::FOE, "foes", "Hits foes, also those of a foe's own side"),
    (FoeKind::DUMMY, "dummy", "Hits training dummies"),
];

/// Draws what a hit can hit.
fn targets_ui(ui: &Ui<'_>, shown: &Shown<'_>, hit: &Hit) {
    let mask = hit.strike.mask;
    let is_on = |bits: u32| {
        if mask == Strike::ALL_TARGETS { bits == mask } else { mask & bits != 0 && bits != Strike::ALL_TARGETS }
    };
    rows::row(ui, "Hits", widgets::FIELD, |field| {
        for (at, (bits, word, tip)) in TARGETS.into_iter().enumerate() {
            let tone = if is_on(bits) { Tone::On } else { Tone::Plain };
            let place = field.column(at, TARGETS.len(), rows::GAP);
            if widgets::button_at(ui, place, &format!("{word}##targets-{word}"), tone) {
                let chosen = with_target(mask, bits);
                shown.edit(ui, "Set targets", |lanes| {
                    lanes.hits.get_mut(shown.at).into_iter().for_each(|hit| hit.strike.mask = chosen);
                });
            }
            ui.tip(tip, "");
        }
    });
}

/// A mask with a kind of target switched. One stays at least.
fn with_target(mask: u32, bits: u32) -> u32 {
    match mask {
        _ if bits == Strike::ALL_TARGETS => bits,
        Strike::ALL_TARGETS => bits,
        mask if mask ^ bits == 0 => mask,
        mask => mask ^ bits,
    }
}

/// Draws the figures of the attack, as `keypose frames` prints them.
fn figures_ui(ui: &Ui<'_>, model: &Arc<Model>, id: ClipId) {
    let Some(data) = frame_data(&ui.editor.caches, model, id) else { return };
    let signed = |ticks: Option<i64>| ticks.map_or("–".to_owned(), |ticks| format!("{ticks:+}"));
    let startup = data.startup.map_or("–".to_owned(), |ticks| ticks.to_string());
    let figures = [
        ("Start-up", startup, "Ticks before the first that hits"),
        ("Active", data.active.to_string(), "Ticks that hit"),
        ("Recovery", data.recovery.to_string(), "Ticks after the last that hits"),
        ("Total", data.total.to_string(), "Ticks of the clip"),
        (
            "Reach",
            data.reach.map_or("–".to_owned(), |reach| format!("{reach:.2} m")),
            "From between the feet, in the game",
        ),
        ("On hit", signed(data.on_hit), "Ticks that the attacker can act earlier than a target that is hit"),
        ("On block", signed(data.on_block), "Ticks that the attacker can act earlier than a target that blocks"),
        ("Damage", data.damage.to_string(), "Of all groups, each once"),
    ];
    for row_of in figures.chunks(4) {
        let row = Rect::at(ui.cursor_screen_pos(), [ui.content_region_avail()[0], 32.0]);
        for (at, (name, value, tip)) in row_of.iter().enumerate() {
            let mut place = row.column(at, 4, GAP);
            ui.set_cursor_screen_pos(place.min);
            ui.invisible_button(format!("##figure-{name}"), place.size());
            ui.tip(tip, "");
            ui.mark(|| format!("value: {name}: {value}"), place);
            ui.text_in(place.cut_top(16.0, 0.0), Align::Left, ui.theme.text, value);
            let _font = ui.with_font(ui.fonts.small);
            ui.text_in(place, Align::Left, ui.theme.quiet, name);
        }
        ui.end_at([row.min[0], row.max[1] + GAP]);
    }
    if let Some(ticks) = dummy_ticks(&ui.editor.caches, model, id) {
        let text = dummy::sentence(&ticks);
        ui.mark(|| format!("value: {text}"), Rect::at(ui.cursor_screen_pos(), [1.0, 1.0]));
        let _wrap = ui.push_text_wrap_pos();
        ui.text_colored(ui.theme.quiet, text);
    }
}

/// Draws which hurt volume differs in a range, and how.
fn hurt_ui(ui: &Ui<'_>, model: &Model, shown: &Shown<'_>, hurt: &Hurt) {
    rows::row(ui, "Volume", widgets::FIELD, |field| {
        ui.set_cursor_screen_pos(field.min);
        let Some(_list) = widgets::dropdown(ui, "hurt-name", &hurt.volume, ui.theme.text, field.width()) else {
            return;
        };
        for volume in &model.combat.hurt {
            if crate::editor::panels::ui::menu::choice(ui, &volume.name, volume.name == hurt.volume) {
                shown.edit(ui, "Set hurt volume", |lanes| {
                    let hurt = &mut lanes.hurts[shown.at];
                    hurt.volume.clone_from(&volume.name);
                    hurt.replaced = hurt.replaced.is_some().then(|| volume.clone());
                });
            }
        }
    });
    let all = [(false, "Off", "It can't be hit in this range"), (true, "Moved", "It is elsewhere in this range")];
    if let Some(is_moved) = rows::choices(ui, "State", &all, hurt.replaced.is_some()) {
        let own = model.combat.hurt_named(&hurt.volume).cloned();
        shown.edit(ui, "Set hurt volume", |lanes| lanes.hurts[shown.at].replaced = own.filter(|_| is_moved));
    }
}
