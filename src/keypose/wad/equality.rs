//! Whether two projects have the same content: all that an archive keeps of them.

use crate::assets::project::Project;
use crate::wad::encode::parts_of;
use crate::wad::part::Parts;

/// Whether two projects would be saved as the same archive. Ids of clips, which differ from one reading of a file to the next, don't
/// count; the order of lists does.
///
/// Work is deleted only where this holds. It compares the parts that are written, so nothing that is saved can be missing here, as
/// it can in the descriptions of [`diff`](crate::wad::diff::diff).
pub fn is_same_content(a: &Project, b: &Project) -> bool {
    are_same(&parts_of(a), &parts_of(b))
}

fn are_same(a: &Parts, b: &Parts) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.0 == b.0 && (a.1.is_same(b.1) || a.1 == b.1))
}
