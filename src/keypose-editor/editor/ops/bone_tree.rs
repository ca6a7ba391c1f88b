//! The bones of a skeleton in the order of its tree.

use keypose::anim::skeleton::{BoneIndex, Skeleton};

/// The shown bones, each after its parent, with the number of bones above it and whether it has shown children. Those of a bone that isn't
/// open are left out.
pub fn bone_tree(
    skeleton: &Skeleton,
    is_shown: impl Fn(BoneIndex) -> bool,
    is_open: impl Fn(BoneIndex) -> bool,
) -> Vec<(BoneIndex, usize, bool)> {
    let mut children: Vec<Vec<BoneIndex>> = vec![Vec::new(); skeleton.len()];
    let mut stack: Vec<(BoneIndex, usize)> = Vec::new();
    for bone in skeleton.indices().filter(|&bone| is_shown(bone)) {
        match skeleton.parent(bone) {
            Some(parent) => children[usize::from(parent)].push(bone),
            None => stack.push((bone, 0)),
        }
    }
    stack.reverse();
    let mut tree = Vec::with_capacity(skeleton.len());
    while let Some((bone, depth)) = stack.pop() {
        let below = &children[usize::from(bone)];
        tree.push((bone, depth, !below.is_empty()));
        if is_open(bone) {
            stack.extend(below.iter().rev().map(|&child| (child, depth + 1)));
        }
    }
    tree
}
