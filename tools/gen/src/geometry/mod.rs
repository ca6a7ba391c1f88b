//! Building with surfaces: shapes of points and polygons ([`shape`]), lofts through cross-sections ([`loft`]), painted
//! and bound parts ([`part`]), and the mesh that they become ([`finish`]). Knows nothing of knights.

pub mod finish;
pub mod loft;
pub mod part;
pub mod shade;
pub mod shape;
