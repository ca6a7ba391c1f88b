//! Building with surfaces: shapes of points and polygons ([`shape`]), lofts through cross-sections ([`loft`]), painted
//! and bound parts ([`part`]), the mesh that they become ([`finish`]), and a coarser one ([`coarse`]). Knows nothing of knights.

pub mod coarse;
pub mod finish;
pub mod loft;
pub mod part;
pub mod shade;
pub mod shape;
