//! Effects of hits, coins and the goal: sparks, rings, numbers that rise, a kick of the camera. They have random
//! numbers of its own.

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
/// The maximum count of each.
const MAX: usize = 96;

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

/// The effects in the air.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Effects {
    sparks: Vec<Spark>,
    rings: Vec<Ring>,
    /// The numbers in the air, oldest first.
    pub numbers: Vec<Number>,
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
    /// Advances by one tick, with what happened in it.
    pub fn step(&mut self, news: &[News]) {
        self.age();
        for item in news {
            self.show(item);
        }
        trim(&mut self.sparks);
        trim(&mut self.rings);
        trim(&mut self.numbers);
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

    fn show(&mut self, item: &News) {
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
            News::Jump { .. } | News::Land { .. } | News::Footstep { .. } | News::Sound { .. } => {}
            News::Effect { ref name, place } => self.show_named(name, place + Vec2::new(0.0, 0.9)),
            News::Goal { place } => {
                for step in 0..4 {
                    self.burst(place + Vec2::new(0.0, 0.6 * step as f32), 14, 5.0, 0.0, [GOLD, WARM, COLD, GOLD][step]);
                }
            }
        }
    }

    /// An effect that an event of a clip names. Dust is not among these: [`Dust`](crate::game::look::dust::Dust) shows it.
    fn show_named(&mut self, name: &str, place: Vec2) {
        match name {
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

fn trim<T>(list: &mut Vec<T>) {
    let surplus = list.len().saturating_sub(MAX);
    list.drain(..surplus);
}
