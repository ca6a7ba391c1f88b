//! The acts of a character in each state, prepared for the simulation: clip, hits, hurt volumes, and what
//! may interrupt it. Volumes whose bone is missing are left out and reported.

use std::ops::Range;
use std::sync::Arc;

use glam::{Vec2, Vec3};

use crate::game::rules::actor::SQUASH;
use crate::game::rules::combat::angle::direction;
use crate::game::rules::combat::timing::Timing;
use crate::game::world::units::grains;
use keypose::anim::bake::BakedClip;
use keypose::anim::clip::LoopMode;
use keypose::anim::machine::bound::MachineClip;
use keypose::anim::machine::parts::StateDef;
use keypose::anim::time::Time;
use keypose::assets::combat::capsule::Capsule;
use keypose::assets::combat::frame_data::ticks_of;
use keypose::assets::combat::placed::BoundVolume;
use keypose::assets::combat::{Cancel, Hit, Lanes, Strike, Volume};
use keypose::assets::default_machine::RUN_ATTACK;
use keypose::assets::fit::{Fit, STANDING_HEIGHT};
use keypose::assets::machine::State;
use keypose::assets::model::Model;
use keypose::assets::playable::PlayableCharacter;
use keypose::assets::root_way::root_way;

/// Ticks of an attack that has no clip.
const ATTACK_TICKS: u16 = 24;
/// An attack without hits of its own hits in these percents of its ticks.
const DEFAULT_HIT: Range<i64> = 35..60;
/// The maximum count of hurt volumes, and of volumes of a hit, that count in the game.
const MAX_VOLUMES: [usize; 2] = [32, 16];
/// Ticks of a roll that has no clip, and those in which nothing hits it.
const ROLL_TICKS: u16 = 26;
const ROLL_SAFE: Range<i64> = 2..16;
/// The minimum and maximum ticks of an attack.
const LENGTHS: [i64; 2] = [6, 600];

/// Where a volume is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bound {
    /// On a bone.
    Bone(BoundVolume),
    /// In the space of the character, in metres: forward is +z.
    Body(Capsule),
}

/// A range of ticks in which volumes hit.
#[derive(Clone, Debug)]
pub struct ActHit {
    /// When, counted from the start of the act.
    pub ticks: Range<i64>,
    /// Volumes that hit.
    pub volumes: Vec<Bound>,
    /// The group: hits of one group count once for each target.
    pub group: u8,
    /// Ticks after which the group can hit the same target again; 0 for never.
    pub again: u16,
    pub strike: Strike,
    /// The direction of the knockback: forward, up. Of length 1.
    pub push: Vec2,
}

/// A hurt volume, in one state.
#[derive(Clone, Debug)]
struct ActHurt {
    name: String,
    bound: Bound,
}

#[derive(Clone, Debug, Default)]
pub struct Act {
    /// The clip that shows it; `None` for the rest pose.
    pub clip: Option<Arc<BakedClip>>,
    /// The name of the clip. Empty for an attack without a clip of its own, whose body moves as a whole.
    pub name: String,
    /// Duration, at least 1.
    pub ticks: u16,
    pub hits: Vec<ActHit>,
    pub cancels: Vec<Cancel>,
    /// The ticks in which it can't be hit.
    pub safe: Vec<Range<i64>>,
    timing: Timing,
    /// How far the root is moved back at each tick so that the clip plays in place, in the model's units. Empty if it plays as keyed.
    pub root: Vec<Vec3>,
    /// The same forwards, in grains.
    way: Vec<i64>,
    changes: Vec<(Range<i64>, String, Option<Bound>)>,
}

/// All acts of a character.
#[derive(Clone, Debug)]
pub struct Moves {
    /// The model; `None` for a plain body.
    pub model: Option<Arc<Model>>,
    /// Size in the level, the same bits on every machine.
    pub fit: Fit,
    hurt: Vec<ActHurt>,
    acts: Vec<Act>,
    /// The attacks of the chain, at least one.
    pub chain: Vec<State>,
    /// The other attacks that it has.
    special: Vec<State>,
    /// Whether a clip of its own shows its crouch.
    has_crouch: bool,
    /// Whether a layer of its machine shows attacks while it runs.
    pub attacks_on_the_run: bool,
    /// Problems, one sentence each.
    pub findings: Vec<String>,
}

impl Default for Moves {
    /// A plain body with one attack.
    fn default() -> Moves {
        let mut acts = vec![Act { ticks: 1, ..Act::default() }; State::COUNT];
        let body = DefaultBody::of(&Fit::default(), 1.0);
        acts[State::Attack as usize] = body.attack();
        acts[State::Die as usize].ticks = 30;
        acts[State::Roll as usize] = Act::default_roll(Act::default());
        let hurt = vec![ActHurt { name: "body".into(), bound: Bound::Body(body.hurt) }];
        Moves {
            model: None,
            fit: Fit::default(),
            hurt,
            acts,
            chain: vec![State::Attack],
            special: Vec::new(),
            has_crouch: false,
            attacks_on_the_run: false,
            findings: Vec::new(),
        }
    }
}

impl Moves {
    /// The moves of a character, `size` times as large as a player.
    pub fn new(playable: &PlayableCharacter, size: f32) -> Moves {
        let model = &playable.character.model;
        let mut moves = Moves { model: Some(model.clone()), fit: playable.fit, ..Moves::default() };
        moves.fit.scale *= size;
        let body = DefaultBody::of(&playable.fit, size);
        moves.hurt[0].bound = Bound::Body(body.hurt);
        let bound = |volume: &Volume| Some(ActHurt { name: volume.name.clone(), bound: bound(volume, model)? });
        let own: Vec<ActHurt> = model.combat.hurt.iter().filter_map(bound).take(MAX_VOLUMES[0]).collect();
        if !own.is_empty() {
            moves.hurt = own;
        }
        for state in State::ALL {
            let choice = playable.clips.choice(state).clip;
            let slot = choice.and_then(|at| Some((model.clips.get(at)?, playable.character.clips.get(at)?)));
            if let Some((slot, baked)) = slot {
                let timing = Timing::of(playable.machine.def(), state);
                moves.acts[state as usize] = Act::new(model, baked, model.combat.lanes_of(slot.id), timing);
            }
        }
        if !playable.has_own_clip(State::Attack) {
            let attack = &mut moves.acts[State::Attack as usize];
            *attack = Act { clip: attack.clip.take(), ..body.attack() };
        }
        (moves.chain, moves.special) = (chain(playable), special(playable));
        moves.has_crouch = playable.has_own_clip(State::Crouch);
        moves.attacks_on_the_run = attacks_on_the_run(playable);
        let roll = &mut moves.acts[State::Roll as usize];
        if !(is_drawn(playable, State::Roll) && playable.has_own_clip(State::Roll)) {
            *roll = Act::default_roll(std::mem::take(roll));
        }
        for state in State::ALL {
            if let Some(shown) = playable.shown_clip(state) {
                moves.acts[state as usize].find_root(model, &shown, &moves.fit);
            }
        }
        for state in moves.chain.iter().chain(&moves.special).copied() {
            let act = &mut moves.acts[state as usize];
            act.ticks = i64::from(act.ticks).clamp(LENGTHS[0], LENGTHS[1]) as u16;
            if act.hits.is_empty() {
                act.hits = vec![body.hit(act.ticks)];
            }
        }
        moves.findings = missing_bones(model);
        moves.findings.extend(surplus(model));
        moves
    }

    /// The act of a state.
    pub fn act(&self, state: State) -> &Act {
        &self.acts[state as usize]
    }

    /// Whether there is an attack for a state outside the chain.
    pub fn has(&self, special: State) -> bool {
        self.special.contains(&special)
    }

    /// How high a volume is in a state, as a part of its height in the pose: a crouch without a clip lowers all volumes, and each crouch and roll
    /// those of a plain body.
    pub fn height_of(&self, state: State, volume: &Bound) -> f32 {
        let is_low = matches!(state, State::Crouch | State::CrouchWalk | State::Roll);
        let is_posed = self.has_crouch && matches!(volume, Bound::Bone(_));
        if is_low && !is_posed { SQUASH } else { 1.0 }
    }

    /// The volumes that can be hit in a state at a tick; none while invulnerable.
    pub fn hurt_at(&self, state: State, tick: u32) -> Vec<Bound> {
        let act = self.act(state);
        let tick = act.loop_tick(tick);
        if act.safe.iter().any(|range| range.contains(&tick)) {
            return Vec::new();
        }
        let now = |hurt: &ActHurt| {
            let changed = act.changes.iter().rev().find(|(range, name, _)| *name == hurt.name && range.contains(&tick));
            changed.map_or(Some(hurt.bound), |(_, _, instead)| *instead)
        };
        self.hurt.iter().filter_map(now).collect()
    }
}

/// Whether an authored machine has a state of its name.
fn is_drawn(playable: &PlayableCharacter, state: State) -> bool {
    let is_it = |def: &StateDef| State::from_word(&def.name) == Some(state);
    let graph = playable.character.model.machine.graph.as_ref();
    graph.is_none_or(|graph| graph.def.parts().states.iter().any(is_it))
}

/// Whether a layer waits for attacks on the run.
fn attacks_on_the_run(playable: &PlayableCharacter) -> bool {
    let layers = &playable.machine.def().parts().layers;
    layers.iter().flat_map(|layer| &layer.conditions).any(|condition| condition.parameter() == RUN_ATTACK)
}

/// The attacks other than those of the chain that can be shown.
fn special(playable: &PlayableCharacter) -> Vec<State> {
    let all = [State::Stab, State::AirAttack].into_iter();
    all.filter(|&state| is_drawn(playable, state) && playable.has_own_clip(state)).collect()
}

/// The attacks that have a clip of their own, each clip once. An authored machine must have a state for each.
fn chain(playable: &PlayableCharacter) -> Vec<State> {
    let mut chain = vec![State::Attack];
    for state in [State::Attack2, State::Attack3] {
        let clip = |state| playable.clips.choice(state).clip;
        if is_drawn(playable, state)
            && playable.has_own_clip(state)
            && chain.iter().all(|&before| clip(before) != clip(state))
        {
            chain.push(state);
        }
    }
    chain
}

impl Act {
    fn new(model: &Model, baked: &Arc<BakedClip>, mut lanes: Lanes, timing: Timing) -> Act {
        timing.retime(&mut lanes);
        let hit = |hit: &Hit| ActHit {
            ticks: hit.range.ticks(),
            volumes: hit.volumes.iter().filter_map(|volume| bound(volume, model)).take(MAX_VOLUMES[1]).collect(),
            group: hit.group,
            again: hit.again,
            strike: hit.strike,
            push: direction(hit.strike.angle),
        };
        Act {
            clip: Some(baked.clone()),
            name: baked.name.clone(),
            ticks: ticks_of(timing.action_time(baked.length)).clamp(1, i64::from(u16::MAX)) as u16,
            hits: lanes.hits.iter().map(hit).filter(|hit| !hit.volumes.is_empty()).collect(),
            cancels: lanes.cancels,
            safe: lanes.invulnerable.iter().map(|range| range.ticks()).collect(),
            timing,
            root: Vec::new(),
            way: Vec::new(),
            changes: lanes
                .hurts
                .iter()
                .filter_map(|hurt| {
                    let instead = match &hurt.replaced {
                        Some(volume) => Some(bound(volume, model)?),
                        None => None,
                    };
                    Some((hurt.range.ticks(), hurt.volume.clone(), instead))
                })
                .collect(),
        }
    }

    /// The time in the clip at a tick, which may be a fraction.
    pub fn clip_time(&self, tick: f32) -> Time {
        let length = self.clip.as_ref().map_or(Time::ZERO, |clip| clip.length);
        self.timing.clip_time(tick).clamp(Time::ZERO, length)
    }

    /// The tick within one loop at a tick of the state: a loop starts again, a ping-pong goes back, others hold their end.
    pub fn loop_tick(&self, tick: u32) -> i64 {
        let (tick, ticks) = (i64::from(tick), i64::from(self.ticks.max(1)));
        match self.clip.as_ref().map(|clip| clip.loop_mode) {
            Some(LoopMode::Loop) => tick % ticks,
            Some(LoopMode::PingPong) => ticks - (tick % (2 * ticks) - ticks).abs(),
            Some(LoopMode::Once) | None => tick.min(ticks),
        }
    }

    /// A roll without a clip of its own: it looks like another state.
    fn default_roll(shown: Act) -> Act {
        Act { ticks: ROLL_TICKS, safe: vec![ROLL_SAFE], hits: Vec::new(), cancels: Vec::new(), ..shown }
    }

    fn find_root(&mut self, model: &Model, shown: &MachineClip, fit: &Fit) {
        let times = (0..=self.ticks).map(|tick| self.clip_time(f32::from(tick)));
        self.root = root_way(model, shown, times);
        self.way = self.root.iter().map(|place| grains(place.z * fit.scale)).collect();
    }

    /// How far the root moves forwards in a tick, in grains. `None` without root motion.
    pub fn root_step(&self, tick: u16) -> Option<i64> {
        let at = |tick: usize| self.way.get(tick).or(self.way.last());
        Some(at(usize::from(tick))? - at(usize::from(tick.saturating_sub(1)))?)
    }

    /// How far the root is moved back at a time in ticks, in the model's units.
    pub fn root_at(&self, tick: f32) -> Vec3 {
        let at = |tick: f32| self.root.get(tick as usize).or(self.root.last()).copied().unwrap_or_default();
        at(tick.floor()).lerp(at(tick.ceil()), tick.fract())
    }

    /// The first tick that hits.
    pub fn first_hit(&self) -> Option<i64> {
        self.hits.iter().map(|hit| hit.ticks.start).min()
    }

    /// Whether an action may interrupt it at a tick. `None` if it has no ranges for this: the game decides.
    pub fn allows(&self, action: &str, tick: u16, has_hit: bool) -> Option<bool> {
        let time = Time::TICK * i64::from(tick);
        let any = self.cancels.iter().any(|cancel| cancel.allows(action, time, has_hit));
        (!self.cancels.is_empty()).then_some(any)
    }
}

fn bound(volume: &Volume, model: &Model) -> Option<Bound> {
    BoundVolume::new(volume, &model.skeleton).map(Bound::Bone)
}

/// The volumes of a model without any of its own, in metres: an upright body, or a lying one for an animal that is
/// longer than high.
struct DefaultBody {
    hurt: Capsule,
    strike: Capsule,
}

impl DefaultBody {
    /// Of a model `size` times as large as a player.
    fn of(fit: &Fit, size: f32) -> DefaultBody {
        let [high, long] = [fit.height, fit.length].map(|side| side * fit.scale * size);
        let sphere =
            |y: f32, z: f32| Capsule { from: Vec3::new(0.0, y, z), to: Vec3::new(0.0, y, z), radius: 0.45 * size };
        if long > high {
            let radius = 0.4 * high;
            let end = Vec3::new(0.0, 0.6 * high, 0.5 * long - radius);
            let hurt = Capsule { from: end * Vec3::new(1.0, 1.0, -1.0), to: end, radius };
            return DefaultBody { hurt, strike: sphere(0.6 * high, 0.5 * long) };
        }
        let (low, top) = (0.35 * size, (STANDING_HEIGHT - 0.35) * size);
        let hurt = Capsule { from: Vec3::Y * low, to: Vec3::Y * top, radius: 0.3 * size };
        DefaultBody { hurt, strike: sphere(size, 0.75 * size) }
    }

    /// An attack without a clip.
    fn attack(&self) -> Act {
        Act { ticks: ATTACK_TICKS, hits: vec![self.hit(ATTACK_TICKS)], ..Act::default() }
    }

    /// The hit of an attack of this many ticks.
    fn hit(&self, ticks: u16) -> ActHit {
        let part = |percent: i64| i64::from(ticks) * percent / 100;
        let strike = Strike::default();
        ActHit {
            ticks: part(DEFAULT_HIT.start)..part(DEFAULT_HIT.end).max(part(DEFAULT_HIT.start) + 1),
            volumes: vec![Bound::Body(self.strike)],
            group: 0,
            again: 0,
            push: direction(strike.angle),
            strike,
        }
    }
}

/// A sentence if there are more volumes than count in the game.
fn surplus(model: &Model) -> Option<String> {
    let [hurt, hit] = MAX_VOLUMES;
    let mut hits = model.combat.lanes.values().flat_map(|lanes| &lanes.hits);
    let is_over = model.combat.hurt.len() > hurt || hits.any(|it| it.volumes.len() > hit);
    let text = || format!("{}: only {hurt} hurt volumes and {hit} volumes of a hit count in the game", model.name);
    is_over.then(text)
}

/// One sentence with the bones of volumes that the skeleton lacks.
fn missing_bones(model: &Model) -> Vec<String> {
    let bones = model.combat.bones();
    let missing: Vec<&str> = bones.into_iter().filter(|bone| model.skeleton.find(bone).is_none()).collect();
    let name = &model.name;
    let sentence = format!("{name}: volumes on bones that don't exist are ignored: {}", missing.join(", "));
    (!missing.is_empty()).then_some(sentence).into_iter().collect()
}
