//! The capabilities of a graphics driver, as lines of text that a user can paste into a bug report.

use crate::render::gl::context::{Context, Interface};
use crate::render::pass::palette::tier::{Room, Tier};

/// The sizes of palettes for which the chosen tier is named.
const BONES: [usize; 4] = [30, 300, 1000, 5000];

/// Driver, limits, tiers of palettes, and what is missing.
pub fn lines(context: &Context) -> Vec<String> {
    let limits = context.limits();
    let room = Room::of(&limits);
    let mut lines = vec![
        format!("driver: {}", context.describe()),
        format!("shading language: {}", context.shading_language()),
        format!(
            "textures: up to {0} × {0} pixels; a vertex shader reads {1}",
            limits.texture_size, limits.vertex_textures
        ),
        format!("samples per pixel: up to {}", limits.samples),
        format!(
            "uniforms of a vertex shader: {} vectors; of a block: {} bytes",
            limits.uniform_vectors, limits.block_bytes
        ),
    ];
    let has_room = |tier: &Tier| room.bones(*tier) > 0;
    let tiers = Tier::ALL.into_iter().filter(has_room);
    let tiers: Vec<String> = tiers.map(|tier| format!("{} up to {} bones", tier.meaning(), room.bones(tier))).collect();
    lines.push(format!("room for palettes: {}", tiers.join(", ")));
    let meaning = |bones: usize| room.choose(3 * bones, None, 0).map_or("none", Tier::meaning);
    let chosen = BONES.map(|bones| format!("{bones} bones: {}", meaning(bones)));
    lines.push(format!("chosen palettes: {}", chosen.join(", ")));
    let missing = missing(context);
    lines.push(format!("missing: {}", if missing.is_empty() { "nothing".to_owned() } else { missing.join("; ") }));
    lines
}

/// Features that this driver lacks, and what happens instead.
fn missing(context: &Context) -> Vec<String> {
    let (interface, limits) = (context.interface(), context.limits());
    let mut missing = Vec::new();
    if interface == Interface::Es3 {
        missing.push("drawing of edges (wireframes are filled)".to_owned());
        missing.push("a window (only `keypose render`)".to_owned());
    }
    if limits.samples < 4 {
        missing.push("smooth edges (fewer than 4 samples per pixel)".to_owned());
    }
    if limits.texture_size < 4096 {
        missing.push(format!("textures of more than {} pixels", limits.texture_size));
    }
    missing
}
