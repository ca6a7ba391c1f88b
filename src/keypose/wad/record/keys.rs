//! The keyframes of an ANIM: checked when the lump is read, decoded lazily on first access. See docs/wad-format.md, "ANIM".

use std::borrow::Cow;
use std::ops::Range;

use glam::Vec4;

use crate::anim::bezier::{self, HERMITE};
use crate::anim::clip::{ClipError, Keyframe, KeyframeKind};
use crate::anim::key::{Channel, Ease, HandleKind, Key};
use crate::anim::keyframes::Packed;
use crate::anim::scalar::MAX_SCALARS;
use crate::anim::time::Time;
use crate::assets::bytes::Bytes;
use crate::wad::error::Fault;
use crate::wad::record::stored::{EASES, HANDLES, Invalid, KINDS, channel_number, number_in, transform_channel};
use crate::wad::sections::{Column, Parts, floats, split};

/// Channel, ease, tangent kind and 0 of a key. Of a scalar the first is 3 plus the upper half of its index, the last the lower
/// half.
pub type KeyModes = [u8; 4];

/// The number of keys of a keyframe and its kind are stored as one number, the kind in the upper two bits.
const KIND_SHIFT: u32 = 30;
/// The maximum number of keys of a keyframe.
const MAX_COUNT: u32 = (1 << KIND_SHIFT) - 1;

/// The bytes of a lump whose keyframes are known to be valid.
pub struct PackedKeyframes {
    lump: Bytes,
    count: usize,
    length: Time,
    has_scalars: bool,
}

impl PackedKeyframes {
    /// Checks the sections of keyframes and keys. `lump` returns the bytes of the whole lump.
    pub fn check(parts: &mut Parts<'_>, lump: impl FnOnce() -> Bytes) -> Result<PackedKeyframes, Fault> {
        let columns = Columns::read(parts)?;
        columns.check()?;
        let has_scalars = columns.modes.iter().any(|[channel, ..]| *channel >= FIRST_SCALAR);
        let length = columns.durations.iter().map(|&flicks| Time(flicks)).sum();
        Ok(PackedKeyframes { lump: lump(), count: columns.durations.len(), length, has_scalars })
    }
}

impl Packed for PackedKeyframes {
    fn count(&self) -> usize {
        self.count
    }

    fn length(&self) -> Time {
        self.length
    }

    fn bytes(&self) -> &[u8] {
        &self.lump
    }

    fn has_scalars(&self) -> bool {
        self.has_scalars
    }

    fn unpack(&self) -> Vec<Keyframe> {
        // These bytes were checked when they were read.
        let columns = split(&self.lump).and_then(|mut parts| Columns::read(&mut parts));
        columns.map_or_else(|_| Vec::new(), |columns| columns.keyframes())
    }
}

/// The sections of keyframes: durations, and the keys of each; then the lengths of their handles, unless all are a
/// third. [`with_delays`] puts the delays between.
///
/// # Errors
/// If a number is not finite.
pub fn write_keys<'a>(
    keyframes: impl Iterator<Item = (Time, KeyframeKind, &'a [Key])>,
) -> Result<Vec<Vec<u8>>, String> {
    let (mut durations, mut counts, mut keys) = (Vec::new(), Vec::new(), Vec::<&Key>::new());
    for (duration, kind, of) in keyframes {
        durations.push(duration.0);
        let count = u32::try_from(of.len()).ok().filter(|count| *count <= MAX_COUNT).ok_or("too many keys")?;
        counts.push(count | u32::from(number_in(&KINDS, &kind)) << KIND_SHIFT);
        keys.extend(of);
    }
    let column = |of: fn(&Key) -> Vec4| keys.iter().map(|key| of(key).to_array()).collect::<Vec<_>>();
    let has_tangents = keys.iter().any(|key| key.in_tangent != Vec4::ZERO || key.out_tangent != Vec4::ZERO);
    let tangents = |of| if has_tangents { column(of) } else { Vec::new() };
    let mut sections = vec![
        bytemuck::cast_slice(&durations).to_vec(),
        bytemuck::cast_slice(&counts).to_vec(),
        bytemuck::cast_slice(&keys.iter().map(|key| key.bone).collect::<Vec<u16>>()).to_vec(),
        keys.iter().flat_map(|key| modes_of(key)).collect(),
        floats(&column(|key| key.value), "keys")?,
        floats(&tangents(|key| key.in_tangent), "tangents")?,
        floats(&tangents(|key| key.out_tangent), "tangents")?,
    ];
    let lengths: Vec<[f32; 2]> = keys.iter().map(|key| [key.in_length, key.out_length]).collect();
    if lengths.iter().any(|lengths| *lengths != HERMITE) {
        sections.push(floats(&lengths, "handle lengths")?);
    }
    Ok(sections)
}

/// The number of sections that [`write_keys`] makes, without the lengths of handles.
const SECTIONS: usize = 7;

/// The sections of keyframes, and that of delays, if any.
pub fn with_delays<S: Default>(mut keys: Vec<S>, delays: Option<S>) -> Vec<S> {
    if keys.len() > SECTIONS {
        keys.insert(SECTIONS, delays.unwrap_or_default());
    } else {
        keys.extend(delays);
    }
    keys
}

/// The sections of keyframes in the bytes of a lump.
pub fn sections_of_keys(lump: &[u8]) -> Result<Vec<Cow<'_, [u8]>>, String> {
    let mut parts = split(lump).map_err(|fault| fault.reason)?;
    let mut section =
        || parts.section("keys").map(|section| Cow::Borrowed(section.bytes)).map_err(|fault| fault.reason);
    let mut sections = (0..SECTIONS).map(|_| section()).collect::<Result<Vec<_>, _>>()?;
    // Those of delays and of handles.
    if section().is_ok()
        && let Ok(lengths) = section()
    {
        sections.push(lengths);
    }
    Ok(sections)
}

/// The sections of keyframes and keys.
pub struct Columns<'a> {
    durations: Column<'a, i64>,
    /// The number of keys of each keyframe, and its kind.
    counts: Column<'a, u32>,
    bones: Column<'a, u16>,
    modes: Column<'a, KeyModes>,
    values: Column<'a, [f32; 4]>,
    /// In and out; both empty if all are zero.
    tangents: [Column<'a, [f32; 4]>; 2],
    /// Of the handles, in and out; `None` if all are a third.
    lengths: Option<Column<'a, [f32; 2]>>,
}

impl<'a> Columns<'a> {
    pub fn read(parts: &mut Parts<'a>) -> Result<Columns<'a>, Fault> {
        let columns = Columns {
            durations: parts.column("durations")?,
            counts: parts.column("key counts")?,
            bones: parts.column("bones")?,
            modes: parts.column("modes")?,
            values: parts.column("values")?,
            tangents: [parts.column("in-tangents")?, parts.column("out-tangents")?],
            lengths: None,
        };
        let mut behind = parts.clone();
        if behind.left() > 1 {
            behind.section("delays")?;
            return Ok(Columns { lengths: Some(behind.column("handle lengths")?), ..columns });
        }
        Ok(columns)
    }

    /// Checks all that [`Clip::check`](crate::anim::clip::Clip::check) requires of keyframes, and the lengths of the sections.
    fn check(&self) -> Result<(), Fault> {
        self.check_counts()?;
        self.check_durations()?;
        // Checking all values without an early exit is several times faster.
        if !self.modes.iter().fold(true, |good, &modes| good & are_known(modes)) {
            let at = self.modes.iter().position(|&modes| !are_known(modes)).unwrap_or_default();
            return Err(self.modes.fault(at, unknown(self.modes.get(at).copied().unwrap_or_default())));
        }
        let mut ranges = self.ranges().enumerate();
        ranges.try_for_each(|(number, keys)| self.check_order(number, keys))?;
        let keys = || self.values.iter().zip(self.modes.iter());
        let are_sound =
            are_finite(&self.values) & keys().fold(true, |good, (value, modes)| good & is_surely_unit(value, *modes));
        if !are_sound && let Some(at) = keys().position(|(value, modes)| !is_valid(value, *modes)) {
            return Err(self.values.fault(at, self.key_error(at)));
        }
        for tangents in &self.tangents {
            let is_finite = |tangent: &[f32; 4]| are_finite(std::slice::from_ref(tangent));
            if !are_finite(tangents)
                && let Some(at) = tangents.iter().position(|tangent| !is_finite(tangent))
            {
                return Err(tangents.fault(at, self.key_error(at)));
            }
        }
        let Some(lengths) = &self.lengths else { return Ok(()) };
        match lengths.iter().position(|both| !both.iter().all(|length| bezier::LENGTHS.contains(length))) {
            Some(at) => Err(lengths.fault(at, self.key_error(at))),
            None => Ok(()),
        }
    }

    /// The keyframes, whose numbers of keys are checked and nothing else.
    pub fn unchecked(&self) -> Result<Vec<Keyframe>, Fault> {
        self.check_counts()?;
        if let Some(at) = self.modes.iter().position(|&modes| !are_known(modes)) {
            return Err(self.modes.fault(at, unknown(self.modes.get(at).copied().unwrap_or_default())));
        }
        Ok(self.keyframes())
    }

    fn check_counts(&self) -> Result<(), Fault> {
        let keyframes = self.durations.len();
        if self.counts.len() != keyframes {
            let reason = format!("{keyframes} durations and {} key counts", self.counts.len());
            return Err(self.counts.fault(0, reason));
        }
        let count = self.bones.len();
        let others = |what: &str, length: usize| format!("{count} keys and {length} {what}");
        if self.modes.len() != count {
            return Err(self.modes.fault(0, others("modes", self.modes.len())));
        }
        if self.values.len() != count {
            return Err(self.values.fault(0, others("values", self.values.len())));
        }
        let has_none = self.tangents.iter().all(|tangents| tangents.is_empty());
        if let Some(tangents) = self.tangents.iter().find(|tangents| tangents.len() != count && !has_none) {
            return Err(tangents.fault(0, others("tangents", tangents.len())));
        }
        if let Some(lengths) = self.lengths.as_ref().filter(|lengths| lengths.len() != count) {
            return Err(lengths.fault(0, others("handle lengths", lengths.len())));
        }
        let mut left = count;
        for (number, &wanted) in self.counts.iter().enumerate() {
            if kind_in(wanted).is_none() {
                return Err(self.counts.fault(number, "unknown kind of keyframe".to_owned()));
            }
            let wanted = count_in(wanted);
            let reason = || self.counts.fault(number, format!("{left} keys left, {wanted} needed"));
            left = left.checked_sub(wanted).ok_or_else(reason)?;
        }
        match left {
            0 => Ok(()),
            _ => Err(self.bones.fault(count.saturating_sub(left), format!("{left} unexpected keys"))),
        }
    }

    fn check_durations(&self) -> Result<(), Fault> {
        let (mut length, last) = (Time::ZERO, self.durations.len().saturating_sub(1));
        for (keyframe, duration) in self.durations.iter().map(|&flicks| Time(flicks)).enumerate() {
            if duration < Time::ZERO || (duration == Time::ZERO && keyframe != last) {
                return Err(self.durations.fault(keyframe, ClipError::Duration { keyframe, duration }.to_string()));
            }
            length = [length, duration].into_iter().sum();
            if length > Time::LONGEST {
                return Err(self.durations.fault(keyframe, ClipError::TooLong { length }.to_string()));
            }
        }
        Ok(())
    }

    /// Checks that the keys of a keyframe are sorted by bone and channel.
    fn check_order(&self, keyframe: usize, keys: Range<usize>) -> Result<(), Fault> {
        let addresses = || {
            let (bones, modes) = (self.bones.get(keys.clone()), self.modes.get(keys.clone()));
            let both = bones.unwrap_or_default().iter().zip(modes.unwrap_or_default());
            both.map(|(&bone, &[channel, .., part])| {
                i64::from(u32::from_be_bytes([0, 0, channel, part]) | u32::from(bone) << 16)
            })
        };
        let (rises, _) = addresses().fold((true, -1_i64), |(rises, before), next| (rises & (next > before), next));
        if rises {
            return Ok(());
        }
        let at = addresses().zip(addresses().skip(1)).position(|(before, next)| next <= before).unwrap_or_default();
        let at = keys.start.saturating_add(at).saturating_add(1);
        Err(self.bones.fault(at, ClipError::KeyOrder { keyframe }.to_string()))
    }

    /// The error about the numbers of a key.
    fn key_error(&self, at: usize) -> String {
        let keyframe = self.ranges().position(|keys| keys.contains(&at)).unwrap_or_default();
        let channel =
            self.modes.get(at).and_then(|&modes| known(modes)).map_or(Channel::Translation, |(channel, ..)| channel);
        let bone = self.bones.get(at).copied().unwrap_or_default();
        ClipError::Key { keyframe, bone, channel }.to_string()
    }

    /// The range of the keys of each keyframe.
    fn ranges(&self) -> impl Iterator<Item = Range<usize>> {
        self.counts.iter().scan(0_usize, |next, &count| {
            let start = *next;
            *next = start.saturating_add(count_in(count));
            Some(start..*next)
        })
    }

    fn keyframes(&self) -> Vec<Keyframe> {
        let kinds = self.counts.iter().map(|&count| kind_in(count).unwrap_or_default());
        let all = self.durations.iter().zip(self.ranges()).zip(kinds);
        let keyframe =
            |((&flicks, keys), kind)| Keyframe { duration: Time(flicks), keys: self.keys(keys).into(), kind };
        all.map(keyframe).collect()
    }

    /// The keys of one keyframe.
    fn keys(&self, range: Range<usize>) -> Vec<Key> {
        let bones = self.bones.get(range.clone()).unwrap_or_default();
        let modes = self.modes.get(range.clone()).unwrap_or_default();
        let values = self.values.get(range.clone()).unwrap_or_default();
        let [ins, outs] = self.tangents.each_ref().map(|tangents| tangents.get(range.clone()).unwrap_or_default());
        let lengths = self.lengths.as_ref().and_then(|lengths| lengths.get(range)).unwrap_or_default();
        let mut keys = Vec::with_capacity(bones.len());
        for (at, ((bone, modes), value)) in bones.iter().zip(modes).zip(values).enumerate() {
            let tangent = |tangents: &[[f32; 4]]| tangents.get(at).copied().unwrap_or_default();
            let lengths = lengths.get(at).copied().unwrap_or(HERMITE);
            keys.extend(key_of(*bone, *modes, [*value, tangent(ins), tangent(outs)], lengths).ok());
        }
        keys
    }
}

/// The number of keys in a stored count.
fn count_in(stored: u32) -> usize {
    usize::try_from(stored & MAX_COUNT).unwrap_or(usize::MAX)
}

/// The kind in a stored count.
fn kind_in(stored: u32) -> Option<KeyframeKind> {
    KINDS.get(usize::try_from(stored >> KIND_SHIFT).ok()?).copied()
}

fn are_finite(numbers: &[[f32; 4]]) -> bool {
    numbers.as_flattened().iter().fold(true, |good, number| good & number.is_finite())
}

/// A faster, stricter form of [`is_valid`].
fn is_surely_unit([x, y, z, w]: &[f32; 4], [channel, ..]: KeyModes) -> bool {
    ((x * x + z * z + (y * y + w * w) - 1.0).abs() < 9e-4) | (channel != 1)
}

/// As [`Key::is_valid`], without the tangents.
fn is_valid(value: &[f32; 4], [channel, ..]: KeyModes) -> bool {
    let value = Vec4::from_array(*value);
    let is_unit = (value.length_squared() - 1.0).abs() < 1e-3;
    value.is_finite() & (is_unit | (channel != 1))
}

/// The stored modes of a key.
pub fn modes_of(key: &Key) -> KeyModes {
    let (ease, handles) = (number_in(&EASES, &key.ease), number_in(&HANDLES, &key.handles));
    let [channel, part] = match key.channel.scalar() {
        Some(scalar) => {
            let [upper, lower] = scalar.to_be_bytes();
            [FIRST_SCALAR.saturating_add(upper), lower]
        }
        None => [channel_number(key.channel).to_be_bytes()[1], 0],
    };
    [channel, ease, handles, part]
}

/// The number of the channel of the first 256 scalars.
const FIRST_SCALAR: u8 = 3;
/// The number of the channel of the last scalars that a skeleton can have.
#[allow(clippy::cast_possible_truncation)]
const LAST_SCALAR: u8 = FIRST_SCALAR + (MAX_SCALARS / 256) as u8 - 1;
#[allow(clippy::cast_possible_truncation)]
const KNOWN_EASES: u8 = EASES.len() as u8;
#[allow(clippy::cast_possible_truncation)]
const KNOWN_HANDLES: u8 = HANDLES.len() as u8;

fn are_known([channel, ease, tangents, part]: KeyModes) -> bool {
    (channel <= LAST_SCALAR)
        & (ease < KNOWN_EASES)
        & (tangents < KNOWN_HANDLES)
        & ((part == 0) | (channel >= FIRST_SCALAR))
}

fn known(modes: KeyModes) -> Option<(Channel, Ease, HandleKind)> {
    let [channel, ease, tangents, part] = modes;
    if !are_known(modes) {
        return None;
    }
    let channel = match channel.checked_sub(FIRST_SCALAR) {
        Some(upper) => Channel::Scalar(u16::from_be_bytes([upper, part])),
        None => transform_channel(channel).ok()?,
    };
    Some((channel, *EASES.get(usize::from(ease))?, *HANDLES.get(usize::from(tangents))?))
}

fn unknown([channel, ease, tangents, part]: KeyModes) -> String {
    format!("unknown key modes: channel {channel}, ease {ease}, tangent kind {tangents}, reserved {part}")
}

/// A key from its stored parts. `numbers` are value, in-tangent and out-tangent.
pub fn key_of(bone: u16, modes: KeyModes, numbers: [[f32; 4]; 3], lengths: [f32; 2]) -> Result<Key, Invalid> {
    let (channel, ease, handles) = known(modes).ok_or_else(|| Invalid::new(unknown(modes)))?;
    let [value, in_tangent, out_tangent] = numbers.map(Vec4::from_array);
    let [in_length, out_length] = lengths;
    Ok(Key { bone, channel, value, ease, in_tangent, out_tangent, in_length, out_length, handles })
}
