//! Keyframes: converts channels with key times to keyframes with durations, and detects the frame rate.

use glam::Vec4;

use crate::anim::clip::{Clip, Keyframe, LoopMode};
use crate::anim::key::{Channel, Ease, Key};
use crate::anim::keys::Keys;
use crate::anim::skeleton::BoneIndex;
use crate::anim::time::{FrameRate, Time};
use crate::import::assembly::loops::{closes, is_loop};

/// A column whose values differ by no more than this is constant: positions in metres, components of rotations.
const CONSTANT: f32 = 1e-6;

/// The keys of one channel.
pub struct Column {
    pub bone: BoneIndex,
    pub channel: Channel,
    /// At least one. Times are strictly ascending and not negative.
    pub keys: Vec<(Time, Key)>,
}

/// Builds a clip from columns; of several of one channel of a bone, the first counts. If no key is at the start, an empty keyframe
/// precedes the first. Whether it loops is guessed, unless its loop mode and frame rate are known.
pub fn assemble(name: String, mut columns: Vec<Column>, known: Option<(LoopMode, FrameRate)>) -> Result<Clip, String> {
    columns.sort_by_key(|column| (column.bone, column.channel));
    columns.dedup_by_key(|column| (column.bone, column.channel));
    let mut clip = Clip::new(name);
    let times = || columns.iter().flat_map(|column| column.keys.iter().map(|(time, _)| *time));
    clip.frame_rate = known.map_or_else(|| frame_rate(times()), |(_, rate)| rate);
    columns.iter_mut().for_each(|column| column.undo_rounding(clip.frame_rate));
    let times = columns.iter().flat_map(|column| column.keys.iter().map(|(time, _)| *time));
    let Some(mut end) = times.max() else { return Ok(clip) };
    let start = if known.is_none() { first_start(&columns, clip.frame_rate) } else { Time::ZERO };
    let loops = match known {
        Some((mode, _)) => mode == LoopMode::Loop && end > Time::ZERO && closes(&columns),
        None => is_loop(&clip.name, &columns, [start, end]),
    };
    if loops {
        clip.loop_mode = LoopMode::Loop;
        // It would stand still until then.
        end = earlier(&mut columns, end, start);
        columns.iter_mut().for_each(|column| column.close(end));
    }
    let starts = starts(&columns);
    let keys = keys_at(&starts, &columns).ok_or("a key is outside of its clip")?;
    clip.keyframes = durations(&starts)
        .zip(keys)
        .map(|(duration, keys)| Keyframe { duration, keys, ..Keyframe::default() })
        .collect();
    clip.check().map_err(|error| error.to_string())?;
    Ok(clip)
}

/// Frame 1 if the first channel begins there, as in scenes of Blender; else 0.
fn first_start(columns: &[Column], rate: FrameRate) -> Time {
    let start = columns.iter().filter_map(|column| column.times().next()).min().unwrap_or_default();
    if rate.nearest_frame(start) == 1 { after_rounding(start, rate) } else { Time::ZERO }
}

/// Moves all keys, and returns the moved end.
#[allow(clippy::arithmetic_side_effects)] // Times saturate.
fn earlier(columns: &mut [Column], end: Time, by: Time) -> Time {
    columns.iter_mut().flat_map(|column| &mut column.keys).for_each(|(time, _)| *time = (*time - by).max(Time::ZERO));
    end - by
}

/// The times at which keyframes start: those of the keys, and 0.
fn starts(columns: &[Column]) -> Vec<Time> {
    let mut starts = vec![Time::ZERO];
    let mut before: Option<&Column> = None;
    for column in columns {
        // Most channels have the times of the one before.
        if before.is_none_or(|before| !column.times().eq(before.times())) {
            starts.extend(column.times());
        }
        before = Some(column);
    }
    starts.sort_unstable();
    starts.dedup();
    starts
}

/// The keys at each start, in the order of the columns; `None` if there is no start at the time of a key. Each list is made in one
/// piece: pushing keys column by column would jump from list to list in memory and leave unused room in each.
fn keys_at(starts: &[Time], columns: &[Column]) -> Option<Vec<Keys>> {
    let places = places(starts, columns)?;
    let mut ends = vec![0_usize; starts.len()];
    for &place in &places {
        let count = ends.get_mut(place)?;
        *count = count.checked_add(1)?;
    }
    let mut sum = 0_usize;
    for end in &mut ends {
        // The start of its keys, until they are sorted.
        sum = sum.checked_add(std::mem::replace(end, sum))?;
    }
    let keys = || columns.iter().flat_map(|column| column.keys.iter().map(|(_, key)| key));
    let mut sorted: Vec<&Key> = keys().collect();
    for (place, key) in places.into_iter().zip(keys()) {
        let end = ends.get_mut(place)?;
        *sorted.get_mut(*end)? = key;
        *end = end.checked_add(1)?;
    }
    let mut start = 0;
    let list = |end| Some(sorted.get(std::mem::replace(&mut start, end)..end)?.iter().copied().copied().collect());
    ends.into_iter().map(list).collect()
}

/// The index of the start at the time of each key, column by column.
fn places(starts: &[Time], columns: &[Column]) -> Option<Vec<usize>> {
    let mut places = Vec::with_capacity(columns.iter().map(|column| column.keys.len()).sum());
    for column in columns {
        let mut next = 0_usize;
        for (time, _) in &column.keys {
            let left = starts.get(next..)?;
            let ahead = if left.first() == Some(time) { 0 } else { left.binary_search(time).ok()? };
            let place = next.checked_add(ahead)?;
            places.push(place);
            next = place.checked_add(1)?;
        }
    }
    Some(places)
}

#[allow(clippy::arithmetic_side_effects)] // Times saturate.
fn durations(starts: &[Time]) -> impl Iterator<Item = Time> {
    let ends = starts.iter().skip(1).chain(starts.last());
    starts.iter().zip(ends).map(|(start, end)| *end - *start)
}

impl Column {
    /// The column with one key if it is constant; `None` if it has no keys, or is constant at the value `rest`.
    pub fn constant_as_one(mut self, rest: Option<Vec4>) -> Option<Column> {
        let first = self.keys.first()?.1.value;
        let is_first = |value: Vec4| self.channel.difference(value, first) <= CONSTANT;
        if self.keys.iter().all(|(_, key)| is_first(key.value)) {
            if rest.is_some_and(is_first) {
                return None;
            }
            self.keys.truncate(1);
        }
        Some(self)
    }

    fn times(&self) -> impl Iterator<Item = Time> {
        self.keys.iter().map(|(time, _)| *time)
    }

    /// Moves the keys to the frames that their times mean, unless two would be at one.
    fn undo_rounding(&mut self, rate: FrameRate) {
        let times: Vec<Time> = self.times().map(|time| before_rounding(time, rate)).collect();
        if times.is_sorted_by(|a, b| a < b) {
            self.keys.iter_mut().zip(times).for_each(|((time, _), meant)| *time = meant);
        }
    }

    /// The number of cubic segments that turn the long way around.
    pub fn long_ways(&self) -> usize {
        let is_long = |pair: &&[(Time, Key)]| match pair {
            [(_, from), (_, to)] => from.ease.has_tangents() && from.value.dot(to.value) < 0.0,
            _ => false,
        };
        if self.channel == Channel::Rotation { self.keys.windows(2).filter(is_long).count() } else { 0 }
    }

    /// Closes a channel of a looping clip. Our loops interpolate from the last key to the first; glTF holds both. Where
    /// these differ, keys at the start and at the end hold the values.
    fn close(&mut self, end: Time) {
        let (Some(&first), Some(&last)) = (self.keys.first(), self.keys.last()) else { return };
        // The value after the last key is constant, so its curve must not overshoot.
        if let Some((_, key)) = self.keys.last_mut().filter(|(_, key)| key.ease.has_tangents()) {
            key.ease = Ease::Linear;
        }
        if first.1.value == last.1.value {
            return;
        }
        let held = |key: Key| Key {
            ease: if key.ease.jumps() { Ease::Step } else { Ease::Linear },
            in_tangent: Vec4::ZERO,
            out_tangent: Vec4::ZERO,
            ..key
        };
        if first.0 > Time::ZERO {
            self.keys.insert(0, (Time::ZERO, held(first.1)));
        }
        if last.0 < end {
            self.keys.push((end, held(last.1)));
        }
    }
}

/// The frame, or else the tick of the game, that a time in seconds of 32 bits means, if it is earlier: a step a rounding error later would
/// not be seen there. Other times stay, so that no step is later than other programs see it.
#[allow(clippy::cast_possible_truncation)] // To round is the point.
pub fn before_rounding(time: Time, rate: FrameRate) -> Time {
    let is_meant = |other: &Time| *other < time && other.secs() as f32 == time.secs() as f32;
    [rate.snap(time), FrameRate::FPS_60.snap(time)].into_iter().find(is_meant).unwrap_or(time)
}

/// The frame that the start of a clip means, if it is a rounding error later.
#[allow(clippy::cast_possible_truncation)] // To round is the point.
fn after_rounding(time: Time, rate: FrameRate) -> Time {
    let frame = rate.snap(time);
    if frame > time && frame.secs() as f32 == time.secs() as f32 { frame } else { time }
}

/// Gives a clip the frame rate that its file states, if that is a common one whose frames match all of its keyframes.
#[allow(clippy::arithmetic_side_effects)] // Floating point only.
pub fn use_stated_rate(clip: &mut Clip, fps: f64) {
    let stated = common_rates().find(|rate| (rate.fps() - fps).abs() < 0.01);
    if let Some(rate) = stated.filter(|rate| fits(*rate, clip.starts())) {
        clip.frame_rate = rate;
    }
}

/// The first common rate whose frames match all key times, or 30 fps if none does.
fn frame_rate(times: impl Iterator<Item = Time> + Clone) -> FrameRate {
    common_rates().find(|rate| fits(*rate, times.clone())).unwrap_or_default()
}

fn common_rates() -> impl Iterator<Item = FrameRate> {
    let rates = [(30, 1), (24, 1), (60, 1), (25, 1), (50, 1), (48, 1), (120, 1), (30_000, 1001), (24_000, 1001)];
    // Blender's GLBs of scenes at 23.976 and 29.97 fps have these.
    let of_blender = [(3003, 125), (3003, 100)];
    let rates = rates.into_iter().chain(of_blender);
    rates.filter_map(|(frames, per_secs)| FrameRate::new(frames, per_secs))
}

/// Whether all times are frames of a rate to 0.1 ms.
fn fits(rate: FrameRate, mut times: impl Iterator<Item = Time>) -> bool {
    let tolerance = Time::from_millis(0.1);
    times.all(|time| apart(rate.snap(time), time) <= tolerance)
}

#[allow(clippy::arithmetic_side_effects)] // Times saturate.
fn apart(a: Time, b: Time) -> Time {
    if a > b { a - b } else { b - a }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anim::track::Track;
    use glam::{Quat, Vec3};

    fn column(bone: BoneIndex, ease: Ease, keys: &[(i64, f32)]) -> Column {
        let tangent = Vec4::new(3.0, -2.0, 1.0, 0.0);
        let key = |value: f32| Key {
            ease,
            in_tangent: tangent,
            out_tangent: tangent,
            ..Key::translation(bone, Vec3::splat(value))
        };
        let keys = keys.iter().map(|&(frame, value)| (FrameRate::FPS_30.time_of(frame), key(value))).collect();
        Column { bone, channel: Channel::Translation, keys }
    }

    #[test]
    fn a_constant_column_has_one_key_and_none_at_rest() {
        let count = |values: [f32; 2], rest| {
            let column = column(0, Ease::Linear, &[(0, values[0]), (1, values[1])]);
            column.constant_as_one(rest).map_or(0, |column| column.keys.len())
        };
        let rest = Some(Vec4::new(1.0, 1.0, 1.0, 0.0));
        assert_eq!((count([1.0, 2.0], rest), count([1.0; 2], rest)), (2, 0));
        assert_eq!((count([2.0; 2], rest), count([1.0; 2], None)), (1, 1));
    }

    #[test]
    fn a_loop_whose_keys_begin_at_frame_1_does_not_stand_still() {
        let length = |name: &str, keys: &[&[(i64, f32)]]| {
            let columns = (0..).zip(keys).map(|(bone, keys)| column(bone, Ease::Linear, keys)).collect();
            let clip = assemble(name.into(), columns, None).unwrap();
            (clip.length(), clip.keyframes.first().is_some_and(|keyframe| keyframe.keys.is_empty()))
        };
        let frames = |count| FrameRate::FPS_30.time_of(count);
        assert_eq!(length("walk", &[&[(1, 0.0), (13, 2.0), (25, 0.0)], &[(1, 5.0)]]), (frames(24), false), "moved");
        assert_eq!(
            length("walk", &[&[(1, 0.0), (13, 2.0), (25, 0.0)], &[(2, 5.0)]]),
            (frames(24), false),
            "another channel begins later"
        );
        let sway: &[(i64, f32)] = &[(1, 0.0), (7, 1.0), (13, 0.0), (19, -1.0), (25, 0.0)];
        assert_eq!(length("sway", &[sway]), (frames(24), false), "the name says nothing");
        let captured = [2, 3, 4, 5]
            .map(|at| (Time::from_secs(f64::from(at) * 0.01), column(0, Ease::Linear, &[(0, 0.0)]).keys[0].1));
        let captured = Column { bone: 0, channel: Channel::Translation, keys: captured.to_vec() };
        let clip = assemble("walk".into(), vec![captured], None).unwrap();
        assert_eq!((clip.length(), clip.keyframes.len()), (Time::from_secs(0.03), 4), "a rate that isn't known");
        assert_eq!(length("walk", &[&[(2, 0.0), (13, 2.0), (26, 0.0)]]), (frames(26), true), "a pause");
        assert_eq!(length("attack", &[&[(1, 0.0), (13, 2.0), (25, 0.0)]]), (frames(25), true), "no loop");
    }

    /// Files have times in seconds of 32 bits.
    #[test]
    #[allow(clippy::cast_possible_truncation)]
    fn a_clip_with_a_step_at_each_frame_shows_it_there() {
        for (rate, first, count) in
            [24, 30, 60].into_iter().flat_map(|fps| (5..90).flat_map(move |count| [(fps, 0, count), (fps, 1, count)]))
        {
            let rate = FrameRate::new(rate, 1).unwrap();
            let time = |frame: i64| Time::from_secs(f64::from(rate.time_of(frame).secs() as f32));
            let key = |frame: i64| Key { ease: Ease::Step, ..Key::translation(0, Vec3::splat(frame as f32)) };
            let keys = (first..=count).map(|frame| (time(frame), key(if frame == count { first } else { frame })));
            let column = Column { bone: 0, channel: Channel::Translation, keys: keys.collect() };
            let clip = assemble("walk".into(), vec![column], None).unwrap();
            let track = Track::of(&clip, 0, Channel::Translation).unwrap();
            for at in 0..count - first {
                let time = clip.length().part(at as usize, (count - first) as usize);
                assert_eq!(track.sample(time).x, (first + at) as f32, "{rate:?} {first} {count}");
            }
        }
    }

    /// The file's channel is constant before its first and after its last key.
    #[test]
    fn a_loop_keeps_the_shape_that_the_file_has() {
        let all = || {
            let keys: [&[(i64, f32)]; 5] = [
                &[(0, 1.0), (10, 2.0), (30, 1.0)],
                &[(5, 1.0), (10, 4.0), (20, 1.00005)],
                &[(0, 1.0), (20, 1.00005)],
                &[(5, 1.0), (30, 1.00005)],
                &[(7, 3.0)],
            ];
            let eased =
                [Ease::Linear, Ease::Step, Ease::Cubic].into_iter().flat_map(|ease| keys.map(|keys| (ease, keys)));
            (0..).zip(eased).map(|(bone, (ease, keys))| column(bone, ease, keys)).collect::<Vec<_>>()
        };
        let looped = assemble("test".into(), all(), None).unwrap();
        assert_eq!(looped.loop_mode, LoopMode::Loop);
        assert_eq!(looped.keyframes.last().unwrap().duration, Time::ZERO);
        let mut ends = all();
        ends.push(column(99, Ease::Linear, &[(0, 0.0), (30, 9.0)]));
        let once = assemble("test".into(), ends, None).unwrap();
        assert_eq!(once.loop_mode, LoopMode::Once);
        for bone in 0..15 {
            let track = |clip| Track::of(clip, bone, Channel::Translation).unwrap();
            let (looped, once) = (track(&looped), track(&once));
            for flicks in (0..=FrameRate::FPS_30.time_of(30).0).step_by(1_000_003) {
                let apart = (looped.sample(Time(flicks)) - once.sample(Time(flicks))).abs().max_element();
                assert!(apart < 1e-6, "bone {bone} at {flicks}: {apart}");
            }
        }
    }

    #[test]
    fn rotations_loop_up_to_sign() {
        let key = |frame, quat| (FrameRate::FPS_30.time_of(frame), Key::rotation(0, quat));
        let turned = Quat::from_rotation_x(0.5);
        let keys = vec![key(0, turned), key(5, Quat::IDENTITY), key(10, -turned)];
        let column = Column { bone: 0, channel: Channel::Rotation, keys };
        assert_eq!(assemble("test".into(), vec![column], None).unwrap().loop_mode, LoopMode::Loop);
    }

    #[test]
    fn a_late_clip_has_a_lead_in_and_a_constant_one_does_not_loop() {
        let clip = assemble("late".into(), vec![column(0, Ease::Linear, &[(6, 0.0), (9, 1.0)])], None).unwrap();
        assert_eq!(clip.keyframes.len(), 3);
        assert!(clip.keyframes[0].keys.is_empty());
        assert_eq!(clip.keyframes[0].duration, FrameRate::FPS_30.time_of(6));
        let still = assemble("still".into(), vec![column(0, Ease::Linear, &[(0, 5.0)])], None).unwrap();
        assert_eq!((still.loop_mode, still.length(), still.keyframes.len()), (LoopMode::Once, Time::ZERO, 1));
        assert!(assemble("empty".into(), vec![], None).unwrap().keyframes.is_empty());
    }

    #[test]
    fn the_rate_of_a_file_is_that_of_its_clips_if_their_keys_fit_it() {
        for (stated, fps) in [(24.0, 24), (60.0, 60), (25.0, 30), (1000.0, 30)] {
            let keys = [(0, 0.0), (15, 1.0), (30, 2.0)];
            let mut clip = assemble("test".into(), vec![column(0, Ease::Linear, &keys)], None).unwrap();
            use_stated_rate(&mut clip, stated);
            assert_eq!(Some(clip.frame_rate), FrameRate::new(fps, 1), "{stated}");
        }
    }

    #[test]
    fn the_grid_is_a_common_rate_on_which_all_keys_lie() {
        let rates: [(&[f64], f64); 7] = [
            (&[0.0, 0.5, 1.0], 30.0),
            (&[0.0, 1.0 / 24.0, 0.083_333], 24.0),
            (&[1.0 / 60.0, 0.1], 60.0),
            (&[0.04, 0.08, 0.12], 25.0),
            (&[1001.0 / 30_000.0, 10_010.0 / 30_000.0, 100_100.0 / 30_000.0], 30_000.0 / 1001.0),
            (&[1.0 / 24.024, 10.0 / 24.024, 240.0 / 24.024], 24.024),
            (&[0.1234, 0.777_71], 30.0),
        ];
        for (secs, fps) in rates {
            let times = secs.iter().map(|&secs| Time::from_secs(secs));
            assert!((frame_rate(times).fps() - fps).abs() < 1e-9, "{secs:?}");
        }
    }
}
