//! The codec of keys, baked samples and meshes: packs each section of a lump without loss and so that unpacking is little slower
//! than reading. See docs/wad-format.md, "Packed numbers".
//!
//! A section is stored as it is, as an LZ4 block, or as [`columns`]: the differences of each number from the one before it in
//! time, their bytes sorted by significance, as an LZ4 block. [`order`] finds the key before each key in time.

use std::ops::Range;

use crate::wad::bytes::{Cursor, aligned};
use crate::wad::error::Fault;
use crate::wad::kind::Kind;
use crate::wad::numbers::columns::Shape;
use crate::wad::numbers::order::Order;
use crate::wad::record::bake;
use crate::wad::sections::{Section, split};

mod columns;
mod order;

/// How a section is stored.
const PLAIN: u8 = 0;
const LZ4: u8 = 1;
/// Columns whose rows follow each other in time.
const COLUMNS: u8 = 2;
/// Columns with a row for each key of a clip.
const COLUMNS_OF_KEYS: u8 = 3;

/// The sections of an ANIM that name the bone and the channel of each key.
const BONES: usize = 2;
const MODES: usize = 3;
/// The sections of an ANIM with four numbers for each key.
const KEYS: Range<usize> = 4..7;
/// The section of a BAKE with the times of samples, which are the rows of its last section.
const TIMES: usize = 1;

/// Packs a lump of a kind; `None` if it is not a record with sections.
pub fn pack(kind: Kind, raw: &[u8]) -> Option<Vec<u8>> {
    let mut parts = split(raw).ok()?;
    let sections: Vec<Section<'_>> = (0..parts.left()).map_while(|_| parts.section("numbers").ok()).collect();
    let head = raw.get(..head_bytes(sections.len(), parts.record.len())?)?;
    let bytes = |number: usize| sections.get(number).map(|section| section.bytes).unwrap_or_default();
    let order = if kind == Kind::CLIP { Order::of_keys(bytes(BONES), bytes(MODES)) } else { None };
    let sample_bytes = if kind == Kind::BAKED { bake::sample_bytes(parts.record) } else { None };
    let mut out = Vec::new();
    out.extend(u32::try_from(head.len()).ok()?.to_le_bytes());
    out.extend(head);
    for (number, section) in sections.iter().enumerate() {
        let columns = match kind {
            Kind::CLIP if KEYS.contains(&number) => {
                let of_keys = |order| Some((COLUMNS_OF_KEYS, Shape { word_bytes: 4, columns: 4 }, order));
                order.as_ref().filter(|_| !section.bytes.is_empty()).and_then(of_keys)
            }
            _ => None,
        };
        let of_samples = sample_bytes.and_then(|word_bytes| samples(word_bytes, number, &sections));
        let of_samples = of_samples.map(|(shape, order)| (COLUMNS, shape, order));
        let columns = columns.or(of_samples.as_ref().map(|(form, shape, order)| (*form, *shape, order)));
        pack_section(section.bytes, columns, &mut out)?;
    }
    Some(out)
}

/// The columns of the samples of a baked clip, which are its last section; `None` for other sections.
fn samples(word_bytes: usize, number: usize, sections: &[Section<'_>]) -> Option<(Shape, Order)> {
    if number.checked_add(1)? != sections.len() {
        return None;
    }
    let bytes = sections.get(number)?.bytes.len();
    let rows = sections.get(TIMES)?.bytes.as_chunks::<{ size_of::<i64>() }>().0.len();
    let columns = bytes.checked_div(rows.checked_mul(word_bytes)?)?;
    let shape = Shape { word_bytes, columns };
    (shape.rows(bytes)? == rows).then_some((shape, Order::of_rows(rows)?))
}

/// Appends a section in the form that takes the fewest bytes.
fn pack_section(bytes: &[u8], columns: Option<(u8, Shape, &Order)>, out: &mut Vec<u8>) -> Option<()> {
    let compressed = lz4_flex::block::compress(bytes);
    let sorted = columns.and_then(|(form, shape, order)| {
        Some((form, shape, lz4_flex::block::compress(&columns::sorted(bytes, shape, order)?)))
    });
    match sorted {
        Some((form, shape, sorted)) if sorted.len() < compressed.len().min(bytes.len()) => {
            out.push(form);
            out.push(u8::try_from(shape.word_bytes).ok()?);
            out.extend(u32::try_from(shape.columns).ok()?.to_le_bytes());
            append(&sorted, out)
        }
        _ if compressed.len() < bytes.len() => {
            out.push(LZ4);
            append(&compressed, out)
        }
        _ => {
            out.push(PLAIN);
            out.extend(bytes);
            Some(())
        }
    }
}

/// Appends an LZ4 block with its length.
fn append(block: &[u8], out: &mut Vec<u8>) -> Option<()> {
    out.extend(u32::try_from(block.len()).ok()?.to_le_bytes());
    out.extend(block);
    Some(())
}

/// The bytes of a lump before its sections.
fn head_bytes(sections: usize, record: usize) -> Option<usize> {
    sections.checked_mul(8)?.checked_add(8)?.checked_add(record)
}

/// Unpacks a lump to exactly `raw_bytes` bytes.
pub fn unpack(stored: &[u8], raw_bytes: usize) -> Result<Vec<u8>, Fault> {
    let mut cursor = Cursor::new(stored);
    let length = cursor.u32()?;
    let head = cursor.take(usize::try_from(length).unwrap_or(usize::MAX))?;
    let ranges = ranges(head)?;
    if ranges.last().map_or(head.len(), |range| range.end) != raw_bytes {
        return Err(Fault::new(4, "the sections don't have the length of the lump"));
    }
    let mut raw = vec![0; raw_bytes];
    raw.get_mut(..head.len()).unwrap_or_default().copy_from_slice(head);
    let mut scratch = Vec::new();
    for range in &ranges {
        let at = cursor.offset();
        let fault = || Fault::new(at, "can't unpack a section");
        let (before, section) = raw.split_at_mut_checked(range.start).ok_or_else(fault)?;
        let section = section.get_mut(..range.len()).ok_or_else(fault)?;
        let bytes = |number: usize| ranges.get(number).and_then(|range| before.get(range.clone())).unwrap_or_default();
        let order = || Order::of_keys(bytes(BONES), bytes(MODES));
        unpack_section(&mut cursor, section, order, &mut scratch)?.ok_or_else(fault)?;
    }
    match cursor.left() {
        0 => Ok(raw),
        _ => Err(Fault::new(cursor.offset(), "unexpected bytes behind the last section")),
    }
}

/// The ranges of the sections in the lump.
fn ranges(head: &[u8]) -> Result<Vec<Range<usize>>, Fault> {
    let mut cursor = Cursor::new(head);
    let (record, count) = (cursor.u32()?, cursor.u32()?);
    let [record, count] = [record, count].map(|number| usize::try_from(number).unwrap_or(usize::MAX));
    if head_bytes(count, record) != Some(head.len()) {
        return Err(Fault::new(0, "the length of the head doesn't match its record and sections"));
    }
    let mut end = head.len();
    let mut ranges = Vec::with_capacity(count);
    for _ in 0..count {
        let at = cursor.offset();
        let length = cursor.size()?;
        let range = aligned(end).and_then(|start| Some(start..start.checked_add(length)?));
        let range = range.ok_or_else(|| Fault::new(at, "the section is too long"))?;
        end = range.end;
        ranges.push(range);
    }
    Ok(ranges)
}

/// Unpacks the next section. The inner error is one of its content.
fn unpack_section(
    cursor: &mut Cursor<'_>,
    out: &mut [u8],
    of_keys: impl FnOnce() -> Option<Order>,
    scratch: &mut Vec<u8>,
) -> Result<Option<()>, Fault> {
    let [form] = cursor.array()?;
    let whole = |from: &[u8], to: &mut [u8]| {
        lz4_flex::block::decompress_into(from, to).ok().filter(|&length| length == to.len()).map(drop)
    };
    Ok(match form {
        PLAIN => {
            out.copy_from_slice(cursor.take(out.len())?);
            Some(())
        }
        LZ4 => whole(block(cursor)?, out),
        COLUMNS | COLUMNS_OF_KEYS => {
            let [word_bytes] = cursor.array()?;
            let columns = usize::try_from(cursor.u32()?).unwrap_or(usize::MAX);
            let shape = Shape { word_bytes: word_bytes.into(), columns };
            let Some(rows) = shape.rows(out.len()) else { return Ok(None) };
            let order = if form == COLUMNS { Order::of_rows(rows) } else { of_keys() };
            scratch.resize(out.len(), 0);
            let sorted = whole(block(cursor)?, scratch);
            sorted.and_then(|()| columns::unsorted(scratch, shape, &order?, out))
        }
        _ => None,
    })
}

/// The next LZ4 block.
fn block<'a>(cursor: &mut Cursor<'a>) -> Result<&'a [u8], Fault> {
    let length = cursor.u32()?;
    cursor.take(usize::try_from(length).unwrap_or(usize::MAX))
}

#[cfg(test)]
mod tests {
    use glam::{Quat, Vec3, Vec4};

    use super::*;
    use crate::anim::bake::{BakeOptions, BakeReport, SampleFormat, bake_with};
    use crate::anim::clip::{Clip, Keyframe};
    use crate::anim::key::{Ease, Key};
    use crate::anim::skeleton::{Bone, Skeleton};
    use crate::anim::time::Time;
    use crate::anim::transform::Transform;
    use crate::wad::damage::check_damage;
    use crate::wad::record::clip;
    use crate::wad::sections::join;

    const BONES_OF_CLIPS: u16 = 5;

    /// Bones that wave; `is_keyed` says which channels are keyed in which keyframe.
    fn waving(keyframes: u16, ease: Ease, is_keyed: impl Fn(u16, u16) -> bool) -> Clip {
        let keyframe = |number: u16| {
            let secs = f32::from(number) / 30.0;
            let keys = (0..BONES_OF_CLIPS).filter(|&bone| is_keyed(number, bone)).flat_map(|bone| {
                let wave = (secs * (2.0 + f32::from(bone))).sin();
                let turn = Key::rotation(bone, Quat::from_rotation_z(wave));
                [Key::translation(bone, Vec3::new(wave, 1.0, -wave)), Key { ease, in_tangent: Vec4::Y * wave, ..turn }]
            });
            Keyframe { duration: Time::from_millis(33.0), keys: keys.collect(), ..Keyframe::default() }
        };
        Clip { keyframes: (0..keyframes).map(keyframe).collect(), ..Clip::new("wave") }
    }

    fn clips() -> Vec<Clip> {
        let mut speaking = waving(20, Ease::Linear, |_, _| true);
        let talk =
            |number: usize| (0..90).map(move |scalar| Key::scalar(4, scalar * 3, number as f32 + f32::from(scalar)));
        for (number, keyframe) in speaking.keyframes.iter_mut().enumerate() {
            talk(number).for_each(|key| keyframe.keys.push(key));
        }
        vec![
            Clip::new("empty"),
            waving(1, Ease::Step, |_, _| true),
            waving(60, Ease::Linear, |_, _| true),
            waving(60, Ease::Cubic, |number, bone| (number + bone) % 3 == 0),
            waving(200, Ease::Linear, |number, bone| number == 0 || number == 199 || bone == 2),
            speaking,
        ]
    }

    fn bakes() -> Vec<(SampleFormat, Vec<u8>)> {
        let bone = |number: u16| Bone {
            name: number.to_string(),
            parent: number.checked_sub(1),
            rest: Transform::from_translation(Vec3::Y),
        };
        let skeleton = Skeleton::new((0..BONES_OF_CLIPS).map(bone).collect()).unwrap();
        let formats = [SampleFormat::F32, SampleFormat::Quantized, SampleFormat::Packed];
        let all = clips().into_iter().flat_map(|clip| formats.map(|format| (clip.clone(), format)));
        let lump = |(clip, format)| {
            let baked = bake_with(&clip, &skeleton, &BakeOptions { format, ..BakeOptions::default() });
            let (stored, report): (_, &BakeReport) = (baked.stored_form(&clip, &skeleton), baked.report());
            let origin = bake::Origin { clip: 1, skeleton: 2 };
            (format, bake::write(&stored, report, origin).unwrap())
        };
        all.map(lump).collect()
    }

    /// Lumps of every kind and form.
    fn lumps() -> Vec<(Kind, Vec<u8>)> {
        let of_clips = clips().into_iter().map(|clip| (Kind::CLIP, clip::write(&clip).unwrap()));
        let of_bakes = bakes().into_iter().map(|(_, lump)| (Kind::BAKED, lump));
        let others = [vec![], vec![vec![]], vec![vec![7; 1000], vec![], vec![1, 2, 3]], vec![(0..=255).collect(); 64]];
        let of_others = others.map(|sections| (Kind::MESH, join(b"record", &sections).unwrap()));
        // Sections of clips that are none: no whole words, and different numbers of keys.
        let odd = [[3, 3, 8, 8, 30, 32, 0], [0, 4, 8, 8, 64, 64, 64], [8, 4, 2, 8, 16, 0, 0]];
        let of_odd = odd.map(|lengths| (Kind::CLIP, join(b"", &lengths.map(|length| vec![0xfe; length])).unwrap()));
        of_clips.chain(of_bakes).chain(of_others).chain(of_odd).collect()
    }

    #[test]
    fn lumps_of_all_kinds_are_unpacked_to_the_same_bytes() {
        for (kind, raw) in lumps() {
            let packed = pack(kind, &raw).unwrap();
            assert!(unpack(&packed, raw.len()).unwrap() == raw, "{kind}, {} bytes", raw.len());
            assert!(packed.len() <= raw.len() + 64, "{kind}: {} of {} bytes", packed.len(), raw.len());
        }
    }

    #[test]
    fn keys_and_samples_become_small() {
        let smallest = |kind, lumps: Vec<Vec<u8>>| {
            let percents = lumps.iter().map(|raw| pack(kind, raw).unwrap().len() * 100 / raw.len());
            percents.min().unwrap()
        };
        let of = |format| bakes().into_iter().filter(|one| one.0 == format).map(|one| one.1).collect();
        let percents = [
            smallest(Kind::CLIP, clips().iter().map(|clip| clip::write(clip).unwrap()).collect()),
            smallest(Kind::BAKED, of(SampleFormat::F32)),
            smallest(Kind::BAKED, of(SampleFormat::Quantized)),
        ];
        assert!(percents.iter().all(|percent| *percent < 50), "{percents:?}");
    }

    #[test]
    fn keys_of_a_channel_follow_each_other() {
        let bones: Vec<u8> = [2_u16, 0, 2, 1, 0, 2].iter().flat_map(|bone| bone.to_le_bytes()).collect();
        let modes: Vec<u8> = [1_u8, 1, 4, 0, 1, 1].iter().flat_map(|&channel| [channel, 2, 1, 0]).collect();
        let order = Order::of_keys(&bones, &modes).unwrap();
        let rows = |places: Range<usize>| places.map(|place| order.row(place).unwrap()).collect();
        let series: Vec<Vec<usize>> = order.series().filter(|places| !places.is_empty()).map(rows).collect();
        assert_eq!(series, [&[3][..], &[1, 4], &[0, 5], &[2]]);
        assert!(Order::of_keys(&bones, &modes[4..]).is_none() && Order::of_keys(&bones[1..], &modes).is_none());
        assert!(Order::of_keys(&[0xff; 2], &[0xff; 4]).is_none(), "a table of all scalars of all bones");
    }

    #[test]
    fn other_lumps_are_not_packed() {
        assert!(pack(Kind::CLIP, &[]).is_none() && pack(Kind::MESH, &[9; 100]).is_none());
    }

    /// A lump with one section in that form, as it is stored.
    fn with_section(form: u8, length: u64, section: &[u8]) -> (Vec<u8>, usize) {
        let head = [&0_u32.to_le_bytes()[..], &1_u32.to_le_bytes(), &length.to_le_bytes()].concat();
        let stored = [&(head.len() as u32).to_le_bytes()[..], &head, &[form], section].concat();
        (stored, aligned(head.len()).unwrap() + length as usize)
    }

    #[test]
    fn an_empty_section_has_no_columns() {
        let columns = |count: u32| [&[2][..], &count.to_le_bytes(), &1_u32.to_le_bytes(), &[0]].concat();
        for count in [1, 7, u32::MAX] {
            let (stored, raw_bytes) = with_section(COLUMNS, 0, &columns(count));
            assert!(unpack(&stored, raw_bytes).is_err(), "{count}");
        }
        let (stored, raw_bytes) = with_section(PLAIN, 0, &[]);
        assert!(unpack(&stored, raw_bytes).is_ok());
    }

    #[test]
    fn damaged_lumps_are_refused_or_have_the_right_size() {
        for (kind, raw) in lumps().iter().filter(|(_, raw)| raw.len() < 20_000) {
            let packed = pack(*kind, raw).unwrap();
            for length in (0..packed.len().min(300)).chain((300..packed.len()).step_by(31)) {
                assert!(unpack(&packed[..length], raw.len()).is_err());
            }
            check_damage(unpack, &packed, raw.len());
        }
    }
}
