//! Morph targets and their weights (glTF 2.0, sections 3.7.2.2 and 3.11). A sampler has the weights of all targets of a mesh at
//! each of its times, so keys are added where others have one. Values that are no weights are in `extras`.

use std::collections::{BTreeSet, HashMap};

use glam::{Vec3, Vec4};
use serde_json::{Value, json};

use crate::anim::clip::Clip;
use crate::anim::key::{Channel, Ease};
use crate::anim::morph::MorphTarget;
use crate::anim::scalar::{Scalar, ScalarIndex, ScalarKind, Sheet};
use crate::anim::skeleton::Skeleton;
use crate::anim::track::Track;
use crate::assets::mesh::Mesh;
use crate::assets::model::Model;
use crate::export::ExportError;
use crate::export::gltf::binary::{Binary, Component, bounded, floats};
use crate::export::gltf::curves::{Curve, Row};

/// The scalars that are the weights of a mesh, in the order of its targets.
pub fn weights_of(mesh: &Mesh) -> Vec<ScalarIndex> {
    mesh.morphs.iter().map(|target| target.scalar).collect()
}

/// Writes the targets of a primitive.
pub fn targets(mesh: &Mesh, binary: &mut Binary) -> Vec<Value> {
    let vertices = mesh.positions.len();
    let target = |target: &MorphTarget| {
        let mut json = json!({ "POSITION": differences(target, &target.positions, vertices, binary) });
        if !target.normals.is_empty() {
            json["NORMAL"] = differences(target, &target.normals, vertices, binary).into();
        }
        json
    };
    mesh.morphs.iter().map(target).collect()
}

/// Differences as an accessor: sparse if less than half of the vertices move.
fn differences(target: &MorphTarget, values: &[Vec3], vertices: usize, binary: &mut Binary) -> usize {
    let moved = target.vertices.len();
    let rest = if moved < vertices { Some(Vec3::ZERO) } else { None };
    let all = || values.iter().copied().chain(rest);
    let start = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    let (min, max) = all().fold(start, |(min, max), value| (min.min(value), max.max(value)));
    let ends = (&min.to_array()[..], &max.to_array()[..]);
    if moved * 2 < vertices {
        let accessor = sparse(target, values, vertices, binary);
        return binary.accessors.push(&bounded(accessor, ends));
    }
    let mut dense = vec![Vec3::ZERO; vertices];
    for (&vertex, value) in target.vertices.iter().zip(values) {
        dense[vertex as usize] = *value;
    }
    binary.add_bounded(None, floats(dense.iter().map(|value| value.to_array())), ends)
}

fn sparse(target: &MorphTarget, values: &[Vec3], vertices: usize, binary: &mut Binary) -> Value {
    let mut json = json!({ "componentType": Component::F32 as u32, "type": "VEC3", "count": vertices });
    // An accessor without numbers is zero; a sparse one needs at least one (glTF 2.0, section 5.2).
    if !target.vertices.is_empty() {
        let places: Vec<u8> = target.vertices.iter().flat_map(|vertex| vertex.to_le_bytes()).collect();
        let places = binary.view(None, &places);
        let numbers = binary.view(None, &floats(values.iter().map(|value| value.to_array())).1);
        json["sparse"] = json!({
            "count": target.vertices.len(),
            "indices": { "bufferView": places, "componentType": Component::U32 as u32 },
            "values": { "bufferView": numbers },
        });
    }
    json
}

/// Numbers that the weights of a file may need, whatever their keys are, and for each key.
const MIN_NUMBERS: usize = 1 << 20;
const NUMBERS_FOR_KEY: usize = 16;

/// Checks that the weights of all clips need no more numbers than their keys justify. `weights` are those of each node.
pub fn check(model: &Model, weights: &[(usize, Vec<ScalarIndex>)]) -> Result<(), ExportError> {
    let mut lists: HashMap<ScalarIndex, Vec<usize>> = HashMap::new();
    for (list, (_, scalars)) in weights.iter().enumerate() {
        scalars.iter().for_each(|scalar| lists.entry(*scalar).or_default().push(list));
    }
    let (mut numbers, mut keys) = (0_usize, 0_usize);
    for clip in model.clips.iter().map(|slot| &slot.clip) {
        for keyframe in clip.keyframes.iter() {
            let keyed = keyframe.keys.iter().filter_map(|key| lists.get(&key.channel.scalar()?));
            let of_keys: Vec<&Vec<usize>> = keyed.collect();
            keys = keys.saturating_add(of_keys.len());
            let touched: BTreeSet<usize> = of_keys.into_iter().flatten().copied().collect();
            let whole = touched.into_iter().map(|list| weights[list].1.len());
            numbers = whole.fold(numbers, usize::saturating_add);
        }
        let max = keys.saturating_mul(NUMBERS_FOR_KEY).saturating_add(MIN_NUMBERS);
        if numbers > max {
            return Err(ExportError::Weights { clip: clip.name.clone(), numbers, keys, max });
        }
    }
    Ok(())
}

/// The weights of a mesh in a clip with these tracks: one curve for each target, all with the same times and interpolation. `None` if the clip keys
/// none of them.
pub fn curves(tracks: &[Track], skeleton: &Skeleton, weights: &[ScalarIndex]) -> Option<Vec<Curve>> {
    let of: HashMap<ScalarIndex, &Track> =
        tracks.iter().filter_map(|track| Some((track.channel.scalar()?, track))).collect();
    let tracks: Vec<Option<&Track>> = weights.iter().map(|scalar| of.get(scalar).copied()).collect();
    let eases = tracks.iter().flatten().map(|track| Curve::of(track).interpolation);
    let interpolation = eases.max_by_key(|ease| Ease::ALL.iter().position(|of| of == ease))?;
    let written: Vec<Option<Curve>> =
        tracks.iter().map(|track| track.map(|track| Curve::with(track, interpolation))).collect();
    let mut times: Vec<f32> =
        written.iter().flatten().flat_map(|curve| curve.rows.iter().map(|row| row.time)).collect();
    times.sort_by(f32::total_cmp);
    times.dedup();
    let whole = |(curve, &scalar): (&Option<Curve>, &ScalarIndex)| {
        let own = skeleton.scalar(scalar);
        let (bone, default) = own.map_or((0, 0.0), |scalar| (scalar.bone, scalar.default));
        let row = |(place, &time): (usize, &f32)| match curve {
            Some(curve) => at(curve, time, [place == 0, place + 1 == times.len()]),
            None => Row { time, in_tangent: Vec4::ZERO, value: Vec4::X * default, out_tangent: Vec4::ZERO },
        };
        Curve {
            bone,
            channel: Channel::Scalar(scalar),
            interpolation,
            rows: times.iter().enumerate().map(row).collect(),
        }
    };
    Some(written.iter().zip(weights).map(whole).collect())
}

/// The row of a curve at a time: its own, or one that is added and leaves the curve as it is. `ends` is whether the time is the
/// first, and the last.
fn at(curve: &Curve, time: f32, ends: [bool; 2]) -> Row {
    let rows = &curve.rows;
    let added = |value, slope| Row { time, in_tangent: slope, value, out_tangent: slope };
    let after = rows.partition_point(|row| row.time <= time);
    let (Some(before), next) = (after.checked_sub(1).map(|at| rows[at]), rows.get(after)) else {
        return added(rows[0].value, Vec4::ZERO);
    };
    if before.time == time {
        // Beyond the ends the value is held, by rows that are added.
        let in_tangent = if after == 1 && !ends[0] { Vec4::ZERO } else { before.in_tangent };
        let out_tangent = if next.is_none() && !ends[1] { Vec4::ZERO } else { before.out_tangent };
        return Row { in_tangent, out_tangent, ..before };
    }
    let Some(next) = next else { return added(before.value, Vec4::ZERO) };
    let segment = curve.segment(&before, next);
    let part = (time - before.time) / segment.secs;
    added(segment.at(part), segment.tangent(part))
}

/// The numbers of a sampler with the weights of a mesh: at each time all of them, of cubic ones all tangents and values in turn.
pub fn numbers(curves: &[Curve]) -> Vec<f32> {
    let count = curves.first().map_or(0, |curve| curve.rows.len());
    let is_cubic = curves.first().is_some_and(|curve| curve.interpolation.has_tangents());
    let parts: &[fn(&Row) -> f32] = if is_cubic {
        &[|row| row.in_tangent.x, |row| row.value.x, |row| row.out_tangent.x]
    } else {
        &[|row| row.value.x]
    };
    let of_time = |at: usize| parts.iter().flat_map(move |part| curves.iter().map(move |curve| part(&curve.rows[at])));
    (0..count).flat_map(of_time).collect()
}

/// The scalars of a skeleton, for `extras`.
pub fn scalars(skeleton: &Skeleton) -> Value {
    let bone = |scalar: &Scalar| skeleton.get(scalar.bone).map(|bone| bone.name.as_str());
    skeleton.scalars().iter().map(|scalar| scalar_json(scalar, json!(bone(scalar)))).collect()
}

/// A scalar as an object. `bone` is the name of its bone, or the index.
pub fn scalar_json(scalar: &Scalar, bone: Value) -> Value {
    let (name, kind, default) = (&scalar.name, scalar.kind.name(), f64::from(scalar.default));
    let mut json = json!({ "name": name, "bone": bone, "kind": kind, "default": default });
    if let ScalarKind::Frame(Sheet { columns, rows }) = scalar.kind {
        json["sheet"] = json!([columns, rows]);
    }
    json
}

/// The keys of the scalars of a clip that are no weights of a mesh, for `extras`. `None` if there are none.
pub fn values(clip: &Clip, skeleton: &Skeleton, is_weight: impl Fn(ScalarIndex) -> bool) -> Option<Value> {
    let is_own = |scalar: ScalarIndex| skeleton.scalar(scalar).is_some() && !is_weight(scalar);
    let mut tracks = Track::all_of(clip);
    tracks.retain(|track| track.channel.scalar().is_some_and(is_own));
    let keys = |track: &Track| -> Value {
        let key = |(time, key): &(crate::anim::time::Time, crate::anim::key::Key)| {
            json!({
                "time": time.secs(),
                "value": f64::from(key.value.x),
                "ease": key.ease.name(),
                "handles": key.handles.name(),
                "in": f64::from(key.in_tangent.x),
                "out": f64::from(key.out_tangent.x),
                "inLength": f64::from(key.in_length),
                "outLength": f64::from(key.out_length),
            })
        };
        track.keys.iter().map(key).collect()
    };
    let value = |track: &Track| {
        let scalar = track.channel.scalar()?;
        let name = &skeleton.scalar(scalar)?.name;
        Some(json!({ "scalar": scalar, "name": name, "keys": keys(track) }))
    };
    let all: Vec<Value> = tracks.iter().filter_map(value).collect();
    (!all.is_empty()).then(|| all.into())
}
