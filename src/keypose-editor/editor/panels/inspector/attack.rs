//! The selected range of a lane: its ticks and what it holds, and the figures of the attack.

use std::sync::Arc;

use crate::editor::panels::ui::prelude::*;
use crate::editor::view::frame_data::{frame_data, ticks_hit};
use keypose::assets::combat::dummy;
use keypose::assets::combat::{Cancel, CancelWhen, Hit, Hurt, LaneKind, Lanes, Range, Strike};
use keypose::assets::level::FoeKind;

#[derive(Debug, Default)]
pub(super) struct AttackSection {
    /// The typed names of clips and actions that a cancel leads to.
    into: Naming<usize>,
}

/// A range and its place in the lanes of a clip.
#[derive(Clone, Copy)]
struct Shown<'a> {
    clip: ClipId,
    lanes: &'a Lanes,
    lane: LaneKind,
    at: usize,
}

impl Shown<'_> {
    /// Applies the touch of a field to the lanes. The range stays selected, wherever the change moves it.
    fn apply(&self, ui: &Ui<'_>, touch: Touch, step: &'static str, mut lanes: Lanes) {
        let place = lanes.sort_following(self.lane, self.at);
        ui.change(touch, step, || vec![ClipEdit::SetLanes { clip: self.clip, lanes: Box::new(lanes) }.into()]);
        if touch.is_changed {
            ui.send(TimeAction::PickRange(place.map(|at| (self.lane, at))));
        }
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
        let shown = Shown { clip: id, lanes: &lanes, lane, at };
        let apply = |touch, step, lanes| shown.apply(ui, touch, step, lanes);
        let form = Form::new(ui, "");
        let form = form.of(&lanes, "Move range", &apply);
        ticks_ui(&form, shown, range, clip.length());
        match lane {
            LaneKind::Hits => {
                if let Some(hit) = lanes.hits.get(at) {
                    hit_ui(ui, hit, shown);
                }
                figures_ui(ui, model, id);
            }
            LaneKind::Hurts => {
                if let Some(hurt) = lanes.hurts.get(at) {
                    hurt_ui(&form.step("Set hurt volume"), model, hurt, at);
                }
            }
            LaneKind::Cancels => {
                if let Some(cancel) = lanes.cancels.get(at) {
                    self.cancel_ui(&form.step("Set cancel"), cancel, at);
                }
            }
            LaneKind::Invulnerable => {}
            LaneKind::Contacts => {
                if let Some(contact) = lanes.contacts.get(at) {
                    form.form().value("Bone", &contact.bone, "It stands in this range");
                }
                widgets::command_buttons(ui, &[Command::CleanContacts, Command::ContactEvents]);
            }
        }
    }

    fn cancel_ui(&mut self, form: &FormOf<'_, Lanes>, cancel: &Cancel, at: usize) {
        let all = CancelWhen::ALL.map(|when| (when, when.name(), "When the clip can be cancelled"));
        form.choice("When", &all, |lanes| &mut lanes.cancels[at].when);
        let names = cancel.into.join(", ");
        let tip = "Clips or actions that can interrupt the clip, separated by commas: attack, jump. Empty for any";
        let text = NameText { text: &names, empty: "any action", tip };
        form.text("Into", text, &mut self.into, at, |lanes, text| {
            let names = text.split(',').map(str::trim).filter(|name| !name.is_empty());
            lanes.cancels[at].into = names.map(str::to_owned).collect();
        });
    }
}

fn title(lane: LaneKind) -> &'static str {
    match lane {
        LaneKind::Hits => "Hit",
        LaneKind::Hurts => "Hurt volume in a range",
        LaneKind::Cancels => "Cancel",
        LaneKind::Invulnerable => "Invulnerable",
        LaneKind::Contacts => "Contact",
    }
}

/// Draws the first and the last tick of a range. The first one moves the range.
fn ticks_ui(form: &FormOf<'_, Lanes>, shown: Shown<'_>, range: Range, length: Time) {
    let (ticks, last) = (range.ticks(), (length.0 / Time::TICK.0 - 1).max(0) as f32);
    let mut ends = [ticks.start as f32, (ticks.end - 1).max(ticks.start) as f32];
    form.field(|form, lanes| {
        let how = Number::new("%.0f", 0.1).within(0.0, last);
        let [first, end] = &mut ends;
        let touch = form.numbers("Ticks", ["First tick, from 0", "Last tick"], how, [first, end]);
        let [first, end] = ends.map(|tick| tick.round() as i64);
        if let Some(place) = lanes.range_mut(shown.lane, shown.at) {
            let count = (ticks.end - ticks.start).max(1);
            let latest = (last as i64 + 1 - count).max(ticks.start);
            *place = if first == ticks.start {
                Range::of_ticks(first, end.max(first) + 1)
            } else {
                Range::of_ticks(first.min(latest), first.min(latest) + count)
            };
        }
        touch
    });
}

/// Draws the numbers of a hit, two in a row, and its targets.
fn hit_ui(ui: &Ui<'_>, hit: &Hit, shown: Shown<'_>) {
    let apply = |touch, step, hit: Hit| {
        let mut lanes = shown.lanes.clone();
        lanes.hits[shown.at] = hit;
        shown.apply(ui, touch, step, lanes);
    };
    let form = Form::new(ui, "hit-");
    let pairs = form.in_columns(2);
    let two = pairs.of(hit, "Set hit", &apply);
    let ticks = Number::whole(65535.0);
    let tip = "If two attacks meet, the one of higher priority wins; equal ones cancel each other";
    let growth =
        "How much the knockback grows with each point of damage that the target has taken, in metres per second";
    let angle = Number { measure: Measure::Angle, ..Number::new("%.0f", 0.5).within(-180.0, 180.0).unit("°") };
    two.number("Damage", "Points of damage", ticks, |hit| &mut hit.strike.damage);
    two.number("Priority", tip, Number::whole(255.0), |hit| &mut hit.strike.priority);
    two.number("Angle", "Direction of the knockback: 0° is forward, 90° up", angle, |hit| &mut hit.strike.angle);
    let speed = Number::new("%.1f", 0.05).within(0.0, 100.0);
    two.number("Knockback", "Speed of the knockback in metres per second", speed, |hit| &mut hit.strike.knockback);
    two.number("Growth", growth, Number::new("%.3f", 0.001).within(0.0, 10.0), |hit| &mut hit.strike.growth);
    two.number("Hit stop", "Hit stop: ticks that both characters freeze", ticks, |hit| &mut hit.strike.stop);
    two.number("Hit stun", "Ticks for which the target can't act", ticks, |hit| &mut hit.strike.stun);
    let tip = "Ticks for which a target that blocks can't act";
    two.number("Block stun", tip, ticks, |hit| &mut hit.strike.block_stun);
    two.number("Group", "Hits of one group hit each target once", Number::whole(255.0), |hit| &mut hit.group);
    let tip = "Ticks after which the group can hit the same target again; 0 for never";
    two.number("Hits again", tip, ticks, |hit| &mut hit.again);
    targets_ui(&form, &form.of(hit, "Set targets", &apply), hit);
}

/// The targets that the inspector names: their bits, words and tooltips.
const TARGETS: [(u32, &str, &str); 4] = [
    (Strike::ALL_TARGETS, "all", "The opposing side: foes and dummies for the player, the player for foes"),
    (FoeKind::PLAYER, "player", "Hits the player"),
    (FoeKind::FOE, "foes", "Hits foes, including the attacker's own side"),
    (FoeKind::DUMMY, "dummy", "Hits training dummies"),
];

/// Draws what a hit can hit: switches of which one stays on.
fn targets_ui(rows: &Form<'_>, form: &FormOf<'_, Hit>, hit: &Hit) {
    let mask = hit.strike.mask;
    let is_on = |bits: u32| {
        if mask == Strike::ALL_TARGETS { bits == mask } else { mask & bits != 0 && bits != Strike::ALL_TARGETS }
    };
    if let Some(bits) = rows.switches("Targets", &TARGETS, is_on) {
        let mut with = hit.clone();
        with.strike.mask = with_target(mask, bits);
        form.set(with);
    }
}

/// A mask with a kind of target switched. One stays at least.
fn with_target(mask: u32, bits: u32) -> u32 {
    if bits == Strike::ALL_TARGETS || mask == Strike::ALL_TARGETS || mask == bits { bits } else { mask ^ bits }
}

/// Draws the figures of the attack, as `keypose frames` prints them.
fn figures_ui(ui: &Ui<'_>, model: &Arc<Model>, id: ClipId) {
    let Some(data) = frame_data(&ui.editor.caches, model, id) else { return };
    let signed = |ticks: Option<i64>| ticks.map_or("–".to_owned(), |ticks| format!("{ticks:+}"));
    let startup = data.startup.map_or("–".to_owned(), |ticks| ticks.to_string());
    let reach = data.reach.map_or("–".to_owned(), |reach| format!("{reach:.2} m"));
    let figures = [
        ("Start-up", startup, "Ticks before the first active one"),
        ("Active", data.active.to_string(), "Ticks that hit"),
        ("Recovery", data.recovery.to_string(), "Ticks after the last active one"),
        ("Total", data.total.to_string(), "Ticks of the clip"),
        ("Reach", reach, "Distance from the feet, in the game"),
        ("On hit", signed(data.on_hit), "Frame advantage on hit, in ticks"),
        ("On block", signed(data.on_block), "Frame advantage on block, in ticks"),
        ("Damage", data.damage.to_string(), "Sum of all groups, each counted once"),
    ];
    for row_of in figures.chunks(4) {
        let row = ui.here([ui.room(), 32.0]);
        for (at, (name, value, tip)) in row_of.iter().enumerate() {
            let mut place = row.column(at, 4, GAP);
            ui.button_in(&format!("value: {name}: {value}"), place);
            ui.tip(tip, "");
            ui.text_in(place.cut_top(16.0, 0.0), Align::Left, ui.theme.text, value);
            ui.text_in_font(ui.fonts.small, place, Align::Left, ui.theme.quiet, name);
        }
        ui.end_at([row.min[0], row.max[1] + GAP]);
    }
    if let Some((ticks, metres)) = ticks_hit(ui.editor.source(), model, id) {
        let text = dummy::sentence(&ticks, metres);
        ui.mark(|| format!("value: {text}"), ui.here([1.0; 2]));
        let _wrap = ui.push_text_wrap_pos();
        ui.text_colored(ui.theme.quiet, text);
    }
}

/// Draws which hurt volume differs in a range, and how.
fn hurt_ui(form: &FormOf<'_, Lanes>, model: &Model, hurt: &Hurt, at: usize) {
    let names = model.combat.hurt.iter().map(|volume| volume.name.as_str());
    form.field(|form, lanes| {
        let hurt = &mut lanes.hurts[at];
        let touch = form.name_of("Volume", None, names, &mut hurt.volume);
        hurt.replaced = hurt.replaced.take().and_then(|_| model.combat.hurt_named(&hurt.volume).cloned());
        touch
    });
    let own = model.combat.hurt_named(&hurt.volume).cloned();
    let all = [
        (false, "Off", "The volume can't be hit in this range"),
        (true, "Moved", "The volume is in another place in this range"),
    ];
    form.field(|form, lanes| {
        let mut is_moved = hurt.replaced.is_some();
        let touch = form.choice("State", &all, &mut is_moved);
        lanes.hurts[at].replaced = if is_moved { own } else { None };
        touch
    });
}
