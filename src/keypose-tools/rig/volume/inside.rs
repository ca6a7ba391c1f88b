//! Which voxels are outside: those that a flood from the border reaches. A hole lets it in, so a voxel that the surface surrounds in all
//! but one of six directions is inside, too.

use crate::rig::volume::Volume;

/// Place of a voxel relative to the surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Not reached: inside.
    Unknown,
    /// The surface passes through it.
    Surface,
    /// Reached from the border.
    Outside,
}

/// Directions in which the surface has to be, of six.
const SURROUNDED: u8 = 5;

/// Marks the voxels outside.
pub fn fill(volume: &Volume, states: &mut [State]) {
    flood(volume, states);
    let counts = surrounding(volume, states);
    for (state, count) in states.iter_mut().zip(counts) {
        if *state == State::Outside && count >= SURROUNDED {
            *state = State::Unknown;
        }
    }
}

/// Floods from a corner, which is empty as the whole border is.
fn flood(volume: &Volume, states: &mut [State]) {
    let strides = volume.strides();
    let mut open = vec![0_usize];
    states[0] = State::Outside;
    while let Some(cell) = open.pop() {
        let at = [cell % strides[1], cell % strides[2] / strides[1], cell / strides[2]];
        for axis in 0..3 {
            let below = (at[axis] > 0).then(|| cell - strides[axis]);
            let above = (at[axis] + 1 < volume.dims[axis]).then(|| cell + strides[axis]);
            for next in [below, above].into_iter().flatten() {
                if states[next] == State::Unknown {
                    states[next] = State::Outside;
                    open.push(next);
                }
            }
        }
    }
}

/// In how many of the six directions of the axes each voxel has the surface.
fn surrounding(volume: &Volume, states: &[State]) -> Vec<u8> {
    let (strides, dims) = (volume.strides(), volume.dims);
    let mut counts = vec![0_u8; states.len()];
    for axis in 0..3 {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        for line in 0..dims[u] * dims[v] {
            let start = line % dims[u] * strides[u] + line / dims[u] * strides[v];
            let cell = |at: usize| start + at * strides[axis];
            let mut hit = false;
            for at in 0..dims[axis] {
                counts[cell(at)] += u8::from(hit);
                hit |= states[cell(at)] == State::Surface;
            }
            hit = false;
            for at in (0..dims[axis]).rev() {
                counts[cell(at)] += u8::from(hit);
                hit |= states[cell(at)] == State::Surface;
            }
        }
    }
    counts
}
