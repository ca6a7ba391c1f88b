//! Effects of hits, coins, the goal and feet: sparks, rings, numbers that rise, dust, a kick of the camera. They have random
//! numbers of their own, except the dust of jumps and landings.

use glam::{Vec2, Vec3};

use crate::game::world::news::News;
use crate::game::world::random::Random;
use crate::game::world::units::TICK_SECS;
use crate::render::frame::color::Color;
use crate::render::frame::overlay::{Layer, Overlay, Stroke};

/// Lifetimes in ticks.
const SPARK_TICKS: u8 = 18;
const RING_TICKS: u8 = 9;
/// Lifetime of a number in ticks.
pub const NUMBER_TICKS: u8 = 48;
/// Lifetime of a puff of dust in ticks.
pub const PUFF_TICKS: u8 = 26;
/// The maximum count of each, and of puffs.
const MAX: usize = 96;
const MAX_PUFFS: usize = 48;

/// A glowing splinter.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Spark {
    place: Vec2,
    velocity: Vec2,
    color: Color,
    age: u8,
}

/// A ring that grows.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Ring {
    place: Vec2,
    radius: f32,
    color: Color,
    age: u8,
}

/// Damage as a number that rises.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Number {
    /// Position in metres.
    pub place: Vec2,
    /// The damage of the hit, or all that a training dummy took in a row.
    pub damage: u32,
    /// Whether the player was hit.
    pub is_players: bool,
    /// In ticks.
    pub age: u8,
}

/// A puff of dust.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Puff {
    /// Position in metres.
    pub place: Vec2,
    /// Velocity in metres per second.
    pub velocity: Vec2,
    /// Position towards or away from the camera, in metres.
    pub depth: f32,
    /// Age in ticks.
    pub age: u8,
}

/// The effects in the air.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Effects {
    sparks: Vec<Spark>,
    rings: Vec<Ring>,
    /// The numbers in the air, oldest first.
    pub numbers: Vec<Number>,
    /// The dust in the air, oldest first.
    pub puffs: Vec<Puff>,
    /// The offset of the camera in metres.
    pub kick: Vec2,
    random: Random,
}

const WARM: Color = Color::hex(0xffd27a);
const COLD: Color = Color::hex(0xbfe2ff);
const GOLD: Color = Color::hex(0xffe066);
const WET: Color = Color::hex(0xd8ecff);
const RED: Color = Color::hex(0xff7a66);

impl Effects {
    /// Advances by one tick, with what happened in it. `random` has the random numbers of the world.
    pub fn step(&mut self, news: &[News], random: &mut Random) {
        self.age();
        for item in news {
            self.show(item, random);
        }
        trim(&mut self.sparks, MAX);
        trim(&mut self.rings, MAX);
        trim(&mut self.numbers, MAX);
        trim(&mut self.puffs, MAX_PUFFS);
        // Dust moves in the tick in which it rises, too.
        for puff in &mut self.puffs {
            puff.age += 1;
            puff.place += puff.velocity * TICK_SECS;
            puff.velocity *= 0.9;
        }
        self.puffs.retain(|puff| puff.age < PUFF_TICKS);
    }

    fn age(&mut self) {
        for spark in &mut self.sparks {
            spark.age += 1;
            spark.place += spark.velocity * TICK_SECS;
            spark.velocity = spark.velocity * 0.90 - Vec2::new(0.0, 0.28);
        }
        self.rings.iter_mut().for_each(|ring| ring.age += 1);
        for number in &mut self.numbers {
            number.age += 1;
            let left = 1.0 - f32::from(number.age) / f32::from(NUMBER_TICKS);
            number.place.y += 0.028 * left * left;
        }
        self.sparks.retain(|spark| spark.age < SPARK_TICKS);
        self.rings.retain(|ring| ring.age < RING_TICKS);
        self.numbers.retain(|number| number.age < NUMBER_TICKS);
        // It swings back, smaller each time.
        self.kick *= -0.72;
        if self.kick.length() < 0.004 {
            self.kick = Vec2::ZERO;
        }
    }

    fn show(&mut self, item: &News, random: &mut Random) {
        match *item {
            News::Hit { target, place, damage, facing } => {
                let is_players = target == 0;
                let color = if is_players { RED } else { WARM };
                let strength = (f32::from(damage) / 12.0).clamp(0.6, 2.0);
                self.burst(place, (7.0 * strength) as usize, 5.0 * strength, facing.sign(), color);
                self.rings.push(Ring { place, radius: 0.42 * strength, color, age: 0 });
                let above = place + Vec2::new(0.0, 0.35);
                self.numbers.push(Number { place: above, damage: u32::from(damage), is_players, age: 0 });
                self.kick += Vec2::new(facing.sign() * 0.055, -0.035) * strength;
            }
            News::Clash { place } => {
                self.burst(place, 14, 6.0, 0.0, COLD);
                self.rings.push(Ring { place, radius: 0.55, color: COLD, age: 0 });
                self.kick += Vec2::new(0.0, 0.07);
            }
            News::Death { target, place } => {
                self.burst(place, 16, 4.5, 0.0, if target == 0 { RED } else { WARM });
                self.kick += Vec2::new(0.0, -0.09);
            }
            News::Coin { place } => {
                self.burst(place, 8, 2.6, 0.0, GOLD);
                self.rings.push(Ring { place, radius: 0.35, color: GOLD, age: 0 });
            }
            News::Open { place } => {
                self.burst(place, 18, 4.0, 0.0, GOLD);
                self.kick += Vec2::new(0.0, 0.08);
            }
            News::Checkpoint { place } => self.burst(place + Vec2::new(0.0, 1.9), 14, 3.0, 0.0, GOLD),
            News::Splash { place } => {
                for (count, speed) in [(14, 2.6), (10, 4.2)] {
                    self.burst(place + Vec2::new(0.0, 0.15), count, speed, 0.0, WET);
                }
                for radius in [0.35, 0.7] {
                    self.rings.push(Ring { place, radius, color: WET, age: 0 });
                }
            }
            News::Jump { place } => rise(&mut self.puffs, place, 5, random),
            News::Land { place } => rise(&mut self.puffs, place, 9, random),
            News::Footstep { place } => rise(&mut self.puffs, place, 2, &mut self.random),
            News::Sound { .. } => {}
            News::Effect { ref name, place } => self.show_named(name, place),
            News::Goal { place } => {
                for step in 0..4 {
                    self.burst(place + Vec2::new(0.0, 0.6 * step as f32), 14, 5.0, 0.0, [GOLD, WARM, COLD, GOLD][step]);
                }
            }
        }
    }

    /// An effect that an event of a clip names, at feet.
    fn show_named(&mut self, name: &str, feet: Vec2) {
        let place = feet + Vec2::new(0.0, 0.9);
        match name {
            "dust" => rise(&mut self.puffs, feet, 7, &mut self.random),
            "sparks" => self.burst(place, 12, 4.0, 0.0, WARM),
            "ring" => self.rings.push(Ring { place, radius: 0.7, color: COLD, age: 0 }),
            "shake" => self.kick += Vec2::new(0.0, -0.09),
            _ => {}
        }
    }

    /// Splinters in all directions, more of them towards `side` (-1, 0 or 1).
    fn burst(&mut self, place: Vec2, count: usize, speed: f32, side: f32, color: Color) {
        for _ in 0..count {
            let way = Vec2::new(self.random.signed() + 0.7 * side, self.random.signed() * 0.8 + 0.35);
            let velocity = way * speed * (0.7 + 0.3 * self.random.signed());
            self.sparks.push(Spark { place, velocity, color, age: 0 });
        }
    }

    /// Adds sparks and rings at `alpha` between the last two ticks.
    pub fn draw(&self, alpha: f32, overlay: &mut Overlay) {
        let back = TICK_SECS * (1.0 - alpha);
        for spark in &self.sparks {
            let left = 1.0 - f32::from(spark.age) / f32::from(SPARK_TICKS);
            let head = (spark.place - spark.velocity * back).extend(0.5);
            let tail = head - (spark.velocity * 0.035 * left).extend(0.0);
            let stroke =
                Stroke { color: spark.color.with_alpha(left.sqrt()), width: 1.0 + 2.6 * left, layer: Layer::Scene };
            overlay.line(tail, head, stroke);
        }
        for ring in &self.rings {
            let age = ((f32::from(ring.age) + alpha) / f32::from(RING_TICKS)).min(1.0);
            let radius = ring.radius * (0.35 + 0.65 * age.sqrt());
            let color = ring.color.with_alpha((1.0 - age) * 0.85);
            let stroke = Stroke { color, width: 5.0 * (1.0 - age) + 0.5, layer: Layer::Scene };
            overlay.ring(ring.place.extend(0.45), Vec3::X * radius, Vec3::Y * radius, stroke);
        }
    }
}

/// Adds `count` puffs at a position of feet.
fn rise(puffs: &mut Vec<Puff>, feet: Vec2, count: usize, random: &mut Random) {
    for _ in 0..count {
        let (side, up) = (random.signed(), random.signed());
        let velocity = Vec2::new(side * 1.7, 0.5 + 0.4 * up);
        let place = feet + Vec2::new(side * 0.15, 0.05);
        puffs.push(Puff { place, velocity, depth: random.signed() * 0.3, age: 0 });
    }
}

fn trim<T>(list: &mut Vec<T>, most: usize) {
    let surplus = list.len().saturating_sub(most);
    list.drain(..surplus);
}
