//! Live reload: continues a game with new data after the archive was saved. A pure function of the game and the new
//! characters and levels; no files, no threads.
//!
//! The player keeps position, velocity, state and buttons; playing clips keep their phase. An attack in progress keeps
//! its duration. Clips, models and skeletons that are missing or different are handled as at a start, with a finding.
//! In a changed level the player stays if there is room, else it is moved up, else it starts again.

use std::sync::Arc;

use crate::game::play::Play;
use crate::game::rules::actor::{Actor, BODY_HALF_WIDTH, Footing, Hold};
use crate::game::rules::collide::is_free;
use crate::game::rules::marks::Progress;
use crate::game::world::World;
use crate::game::world::camera::Camera;
use crate::game::world::cast::Cast;
use crate::game::world::default_level::default_level;
use crate::game::world::stage::Stage;
use crate::game::world::units::grains;
use keypose::assets::character::Character;
use keypose::assets::level::Level;

/// Maximum distance in metres by which the player is moved up out of solids.
const MAX_LIFT: f32 = 4.0;

/// The level to continue in: the one with the same name, else the first, else the test level.
pub fn level_after(current: &Level, levels: &[Arc<Level>]) -> Arc<Level> {
    let same = levels.iter().find(|level| level.name == current.name);
    same.or(levels.first()).cloned().unwrap_or_else(|| Arc::new(default_level()))
}

/// The new data of a game. It is prepared in another thread, because measuring the steps of clips takes time.
#[derive(Clone, Debug)]
pub struct NewData {
    /// The level.
    pub stage: Arc<Stage>,
    /// The characters.
    pub cast: Arc<Cast>,
}

impl NewData {
    /// Prepares saved data for a game that plays this level.
    pub fn new(current: &Level, characters: &[Arc<Character>], levels: &[Arc<Level>]) -> NewData {
        let stage = Stage::new(level_after(current, levels));
        let cast = Cast::new(characters, &stage.level.player, &stage.kinds);
        NewData { stage: Arc::new(stage), cast: Arc::new(cast) }
    }
}

/// The game, continued with new data.
pub fn reloaded(play: &Play, next: &NewData) -> Play {
    let old = play.world();
    let is_same_level = next.stage.level == old.stage.level;
    let stage = if is_same_level { &old.stage } else { &next.stage }.clone();
    let cast = next.cast.clone();
    let mut out = play.clone();
    if let Some(player) = &cast.player {
        out.now.animator.adopt(player);
    }
    if !is_same_level {
        // Foes of another level start at their places.
        out.now.foes = World::new(stage.clone(), cast.clone(), 0).foes;
        out.now.progress = Progress::default();
        out.before.foes.clone_from(&out.now.foes);
    }
    for foe in &mut out.now.foes {
        cast.foe(foe.kind).into_iter().for_each(|performer| foe.animator.adopt(performer));
    }
    if !is_same_level && !settle(&mut out.now.player, &stage) {
        out.now.player = Actor::at(stage.spawn);
        out.now.camera = Camera::at(&out.now.player);
    }
    out.findings = stage.findings.texts.iter().chain(&cast.findings).cloned().collect();
    for world in [&mut out.before, &mut out.now] {
        (world.stage, world.cast) = (stage.clone(), cast.clone());
    }
    out
}

/// Moves the player to a valid position in another stage, as near as possible. Returns false if there is none.
fn settle(actor: &mut Actor, stage: &Stage) -> bool {
    if let Footing::Ladder(hold) = actor.footing {
        let found = stage.ladders.iter().position(|ladder| ladder.overlaps(&actor.body()));
        actor.footing = found.map_or(Footing::Air, |ladder| Footing::Ladder(Hold { ladder, ..hold }));
    }
    let half = grains(BODY_HALF_WIDTH);
    let (left, right) = (stage.bounds.min.x + half, stage.bounds.max.x - half);
    if !(left..=right).contains(&actor.feet.x) || actor.feet.y < stage.abyss {
        return false;
    }
    if is_free(stage, &actor.body()) {
        return true;
    }
    let lifted = stage.raised(actor.feet);
    let is_near = lifted.y - actor.feet.y <= grains(MAX_LIFT);
    actor.feet = lifted;
    is_near
}

#[cfg(test)]
mod tests {
    use glam::{Quat, Vec2, Vec3};

    use super::*;
    use crate::game::input::Buttons;
    use crate::game::world::units::metres_of;
    use keypose::anim::clip::{Clip, Keyframe, LoopMode};
    use keypose::anim::key::Key;
    use keypose::anim::skeleton::{Bone, Skeleton};
    use keypose::anim::time::Time;
    use keypose::anim::transform::Transform;
    use keypose::assets::id::ClipId;
    use keypose::assets::level::Rect;
    use keypose::assets::machine::State;
    use keypose::assets::model::{ClipSlot, Model};

    /// Continues a game with characters and levels.
    fn reloaded(play: &Play, characters: &[Arc<Character>], levels: &[Arc<Level>]) -> Play {
        super::reloaded(play, &NewData::new(&play.world().stage.level, characters, levels))
    }

    const GROUND: Rect = Rect::new(-20.0, -1.0, 20.0, 0.0);

    fn clip(name: &str, ticks: i64) -> Clip {
        let half = |angle: f32| {
            let key = Key::rotation(0, Quat::from_rotation_z(angle));
            Keyframe { duration: Time(Time::TICK.0 * ticks / 2), keys: vec![key].into(), ..Keyframe::default() }
        };
        Clip { loop_mode: LoopMode::Loop, keyframes: vec![half(0.0), half(1.0)].into(), ..Clip::new(name.to_owned()) }
    }

    /// A model with `bones` bones and clips of a duration in ticks.
    fn character(bones: usize, clips: &[(&str, i64)]) -> Vec<Arc<Character>> {
        let bone = |at: usize| Bone {
            name: format!("bone {at}"),
            parent: at.checked_sub(1).map(|parent| parent as u16),
            rest: Transform::from_translation(Vec3::Y),
        };
        let slot =
            |(id, (name, ticks)): (u32, &(&str, i64))| ClipSlot { id: ClipId(id), clip: Arc::new(clip(name, *ticks)) };
        let model = Model {
            name: "knight".into(),
            skeleton: Arc::new(Skeleton::new((0..bones).map(bone).collect()).unwrap()),
            clips: (1..).zip(clips).map(slot).collect(),
            ..Model::default()
        };
        vec![Arc::new(Character::bake(&Arc::new(model), None))]
    }

    fn level(solids: &[Rect]) -> Arc<Level> {
        Arc::new(Level { name: "one".into(), solids: solids.to_vec(), ..Level::default() })
    }

    fn hold(play: &mut Play, buttons: Buttons, ticks: usize) {
        (0..ticks).for_each(|_| play.tick(buttons));
    }

    fn feet(play: &Play) -> Vec2 {
        metres_of(play.world().player.feet)
    }

    /// The visible state, and the phase of its clip.
    fn shown(play: &Play) -> (String, f64) {
        let machine = play.world().animator.machine.as_ref().unwrap();
        (machine.state_name().to_owned(), machine.loops().fract())
    }

    #[test]
    fn the_player_keeps_its_position_and_speed() {
        let clips = [("idle", 60), ("walk", 40)];
        let mut play = Play::new(&character(2, &clips), Some(&level(&[GROUND])), 1);
        hold(&mut play, Buttons::RIGHT, 50);
        let before = play.world().clone();
        let longer = [("idle", 60), ("walk", 80)];
        let mut after = reloaded(&play, &character(2, &longer), &[level(&[GROUND])]);
        assert_eq!(after.world().player, before.player);
        assert_eq!((after.world().tick, after.world().buttons), (before.tick, before.buttons));
        assert_eq!(after.world().digest(), before.digest(), "the simulation is the same");
        assert_eq!(shown(&after), shown(&play), "the clip keeps its phase");
        assert!(Arc::ptr_eq(&after.world().stage, &before.stage), "an equal level is not rebuilt");
        let length = |play: &Play| play.world().cast.player.as_ref().unwrap().clip(State::Walk).unwrap().length;
        assert_eq!((length(&play), length(&after)), (Time(Time::TICK.0 * 40), Time(Time::TICK.0 * 80)));
        hold(&mut after, Buttons::RIGHT, 1);
        assert!(feet(&after).x > feet(&play).x);
    }

    #[test]
    fn a_clip_whose_length_changes_keeps_its_phase() {
        for new in [30, 60, 240] {
            let mut play = Play::new(&character(2, &[("idle", 60)]), Some(&level(&[GROUND])), 1);
            hold(&mut play, Buttons::NONE, 75);
            assert!((shown(&play).1 - 0.25).abs() < 0.05);
            let after = reloaded(&play, &character(2, &[("idle", new)]), &[level(&[GROUND])]);
            assert_eq!(shown(&after), shown(&play), "{new} ticks");
        }
    }

    #[test]
    fn an_attack_in_progress_keeps_its_duration_and_the_next_has_the_new_one() {
        let mut play = Play::new(&character(2, &[("attack", 40)]), Some(&level(&[GROUND])), 1);
        hold(&mut play, Buttons::NONE, 5);
        hold(&mut play, Buttons::ATTACK, 10);
        let mut after = reloaded(&play, &character(2, &[("attack", 20)]), &[level(&[GROUND])]);
        assert_eq!(after.world().player.action.unwrap().length, 40);
        assert_eq!(shown(&after), shown(&play));
        hold(&mut after, Buttons::NONE, 60);
        hold(&mut after, Buttons::ATTACK, 2);
        assert_eq!(after.world().player.action.unwrap().length, 20);
    }

    #[test]
    fn a_different_skeleton_unknown_clip_names_and_no_clips_give_a_finding() {
        let cases: [(&str, Vec<Arc<Character>>); 5] = [
            ("fewer bones", character(1, &[("idle", 60)])),
            ("more bones", character(9, &[("idle", 60)])),
            ("other names", character(3, &[("Stand_01", 60), ("Strut", 30)])),
            ("no clips", character(3, &[])),
            ("no model", Vec::new()),
        ];
        for (name, characters) in cases {
            let mut play = Play::new(&character(3, &[("idle", 60), ("walk", 40)]), Some(&level(&[GROUND])), 1);
            hold(&mut play, Buttons::RIGHT, 33);
            let mut after = reloaded(&play, &characters, &[level(&[GROUND])]);
            assert_eq!(feet(&after), feet(&play), "{name}");
            let _ = after.frame(0.5, 1.6);
            hold(&mut after, Buttons::RIGHT | Buttons::JUMP, 60);
            let _ = after.frame(0.5, 1.6);
            assert!(feet(&after).x > feet(&play).x, "{name}");
        }
        let play = Play::new(&character(3, &[("idle", 60)]), Some(&level(&[GROUND])), 1);
        let after = reloaded(&play, &[], &[level(&[GROUND])]);
        assert!(after.findings.iter().any(|finding| finding.contains("no model")), "{:?}", after.findings);
    }

    #[test]
    fn in_a_changed_level_the_player_stays_is_moved_up_falls_or_starts_again() {
        let start = |solids: &[Rect]| {
            let mut play = Play::new(&[], Some(&level(solids)), 1);
            hold(&mut play, Buttons::RIGHT, 120);
            play
        };
        let play = start(&[GROUND]);
        let at = feet(&play);
        let to = |solids: &[Rect]| reloaded(&play, &[], &[level(solids)]);
        let far = Rect::new(-20.0, -1.0, -18.0, 5.0);
        assert_eq!(feet(&to(&[GROUND, far])), at, "nothing near changed");
        let step = Rect::new(at.x - 2.0, 0.0, at.x + 2.0, 1.5);
        assert_eq!(feet(&to(&[GROUND, step])), Vec2::new(at.x, 1.5), "it stands on the solid that grew under it");
        let deep = Rect::new(-20.0, -6.0, 20.0, -5.0);
        let mut fell = to(&[deep]);
        assert_eq!(feet(&fell), at);
        hold(&mut fell, Buttons::NONE, 120);
        assert_eq!(feet(&fell).y, -5.0, "the ground is gone; it falls to the next");
        for (name, solids) in [
            ("buried", vec![GROUND, Rect::new(at.x - 2.0, 0.0, at.x + 2.0, 30.0)]),
            ("beyond the end", vec![Rect::new(-9.0, -1.0, at.x - 3.0, 0.0)]),
            ("below everything", vec![Rect::new(-20.0, 30.0, 20.0, 31.0)]),
        ] {
            let after = to(&solids);
            assert_eq!(after.world().player.feet, after.world().stage.spawn, "{name}");
            assert!(is_free(&after.world().stage, &after.world().player.body()), "{name}");
        }
    }

    #[test]
    fn the_player_keeps_its_ladder_and_falls_without_it() {
        let ladder = Rect::new(-0.4, 0.0, 0.4, 6.0);
        let with = |ladders: &[Rect]| {
            Arc::new(Level { name: "one".into(), solids: vec![GROUND], ladders: ladders.to_vec(), ..Level::default() })
        };
        let mut play = Play::new(&[], Some(&with(&[ladder])), 1);
        hold(&mut play, Buttons::UP, 60);
        assert_eq!(play.world().player.state(), State::Climb);
        let other = Rect::new(8.0, 0.0, 9.0, 3.0);
        let stays = reloaded(&play, &[], &[with(&[other, ladder])]);
        let Footing::Ladder(hold_on) = stays.world().player.footing else { panic!("it released the ladder") };
        assert_eq!(hold_on.ladder, 1, "the ladder is found at its new index");
        let mut falls = reloaded(&play, &[], &[with(&[other])]);
        hold(&mut falls, Buttons::NONE, 90);
        assert_eq!(feet(&falls).y, 0.0);
    }

    #[test]
    fn the_level_with_the_same_name_continues() {
        let named = |name: &str| Arc::new(Level { name: name.into(), ..Level::default() });
        let levels = [named("a"), named("b")];
        for (current, expected) in [("a", "a"), ("b", "b"), ("gone", "a")] {
            assert_eq!(level_after(&named(current), &levels).name, expected);
        }
        assert_eq!(level_after(&named("a"), &[]).name, default_level().name);
    }
}
