//! KEYS: the difference between two states of a clip, in journals only. See docs/wad-format.md, "KEYS".

use crate::anim::clip::Clip;
use crate::anim::clip::Keyframe;
use crate::anim::key::Channel;
use crate::anim::skeleton::BoneIndex;
use crate::wad::error::Fault;
use crate::wad::journal::clip_change::{ChangedKeyframe, ClipChange, Span};
use crate::wad::record::clip::{ClipRecordV1, head_of, read_delays, record_of, write_delays};
use crate::wad::record::keys::{Columns, with_delays, write_keys};
use crate::wad::record::stored::{Invalid, Stored, channel_number};
use crate::wad::record::{Input, to_bytes};
use crate::wad::sections::{Parts, join};

pub fn write(change: &ClipChange) -> Result<Vec<u8>, String> {
    let record = record_of(&change.head).map_err(|error| error.to_string())?;
    let stored = |error: Invalid| error.to_string();
    let number = |count: &usize| count.to_record().map_err(stored);
    let mut spans: Vec<[u32; 2]> = Vec::new();
    for span in &change.spans {
        spans.push(match span {
            Span::Keep(count) => [0, number(count)?],
            Span::Remove(count) => [1, number(count)?],
            Span::Change(count) => [2, number(count)?],
            Span::Insert(count) => [3, number(count)?],
        });
    }
    let removed = change.keyframes.iter().map(|keyframe| number(&keyframe.removed.len()));
    let removed: Vec<u32> = removed.collect::<Result<_, String>>()?;
    let addresses = change.keyframes.iter().flat_map(|keyframe| &keyframe.removed);
    let addresses: Vec<[u16; 2]> = addresses.map(|&(bone, channel)| [bone, channel_number(channel)]).collect();
    let mut sections = vec![
        bytemuck::cast_slice(&spans).to_vec(),
        bytemuck::cast_slice(&removed).to_vec(),
        bytemuck::cast_slice(&addresses).to_vec(),
    ];
    let keyframes = change.keyframes.iter().map(|of| (of.duration, of.kind, of.set.as_slice()));
    sections.extend(with_delays(write_keys(keyframes)?, write_delays(&change.head)));
    join(&to_bytes(&record)?, &sections)
}

/// Checks the numbers and their counts, not the order of the keys. See [`ClipChange::apply`].
pub fn read(input: Input<'_>) -> Result<ClipChange, Fault> {
    let (record, mut parts) = input.split::<ClipRecordV1>()?;
    let spans = parts.values::<[u32; 2]>("spans")?.into_iter().map(span).collect::<Result<Vec<_>, _>>()?;
    let keyframes = changed_keyframes(&mut parts)?;
    let delays = read_delays(&mut parts)?;
    parts.end()?;
    Ok(ClipChange { head: Clip { delays, ..head_of(record)? }, spans, keyframes })
}

fn span([what, count]: [u32; 2]) -> Result<Span, Fault> {
    let count = index(count);
    Ok(match what {
        0 => Span::Keep(count),
        1 => Span::Remove(count),
        2 => Span::Change(count),
        3 => Span::Insert(count),
        _ => return Err(Fault::from(format!("unknown span {what}"))),
    })
}

fn changed_keyframes(parts: &mut Parts<'_>) -> Result<Vec<ChangedKeyframe>, Fault> {
    let counts = parts.values::<u32>("counts of removed keys")?;
    let addresses = parts.values::<[u16; 2]>("removed keys")?;
    let set = Columns::read(parts)?.unchecked()?;
    if set.len() != counts.len() {
        return Err(Fault::from(format!("{} keyframes and {} counts of removed keys", set.len(), counts.len())));
    }
    let mut left = addresses.into_iter();
    let mut out = Vec::with_capacity(set.len());
    for (Keyframe { duration, keys, kind }, count) in set.into_iter().zip(counts) {
        let removed: Vec<_> = left.by_ref().take(index(count)).map(address).collect::<Result<_, _>>()?;
        if removed.len() != index(count) {
            return Err(Fault::from(format!("{} removed keys left, {count} needed", removed.len())));
        }
        out.push(ChangedKeyframe { duration, kind, set: keys.to_vec(), removed });
    }
    match left.len() {
        0 => Ok(out),
        count => Err(Fault::from(format!("{count} unexpected removed keys"))),
    }
}

fn address([bone, channel]: [u16; 2]) -> Result<(BoneIndex, Channel), Fault> {
    Ok((bone, Stored::from_record(channel)?))
}

fn index(stored: u32) -> usize {
    usize::try_from(stored).unwrap_or(usize::MAX)
}
