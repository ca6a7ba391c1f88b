//! The entries of a model's palette: one for each joint of its skins. Joints that have the same bone and inverse bind matrix in
//! several skins share an entry.

use std::collections::HashMap;
use std::sync::Arc;

use keypose::anim::skin::Skin;

/// The joints of all skins of a model.
#[derive(Debug, Default)]
pub struct PaletteLayout {
    /// The joints as if of one skin.
    pub joints: Skin,
    /// For each skin of the model, where its joints are.
    pub skins: Vec<SkinPlace>,
}

/// Where the joints of a skin are among those of the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkinPlace {
    /// The entry of its first joint, if its joints are in order.
    pub first: usize,
    /// The entry of each joint, if they are not in order.
    pub entries: Option<Arc<[u16]>>,
}

impl PaletteLayout {
    /// The layout for the skins of a model.
    pub fn of(skins: &[Arc<Skin>]) -> PaletteLayout {
        let mut layout = PaletteLayout::default();
        let mut known = HashMap::new();
        for skin in skins {
            let place = layout.add(skin, &mut known);
            layout.skins.push(place);
        }
        layout
    }

    fn add(&mut self, skin: &Skin, known: &mut HashMap<(u16, [u32; 16]), usize>) -> SkinPlace {
        let first = self.joints.joints.len();
        let mut entries = Vec::with_capacity(skin.joints.len());
        for (&joint, inverse) in skin.joints.iter().zip(&skin.inverse_binds) {
            let key = (joint, inverse.to_cols_array().map(f32::to_bits));
            let entry = *known.entry(key).or_insert(self.joints.joints.len());
            if entry == self.joints.joints.len() {
                self.joints.joints.push(joint);
                self.joints.inverse_binds.push(*inverse);
            }
            entries.push(entry);
        }
        if let Some(&start) = entries.first()
            && entries.iter().enumerate().all(|(at, &entry)| entry == start + at)
        {
            return SkinPlace { first: start, entries: None };
        }
        let narrow: Result<Vec<u16>, _> = entries.iter().map(|&entry| u16::try_from(entry)).collect();
        if let Ok(narrow) = narrow {
            return SkinPlace { first: 0, entries: Some(narrow.into()) };
        }
        // Too many for 16 bits: the skin gets entries of its own.
        self.joints.joints.truncate(first);
        self.joints.inverse_binds.truncate(first);
        known.retain(|_, entry| *entry < first);
        self.joints.joints.extend(&skin.joints);
        self.joints.inverse_binds.extend(&skin.inverse_binds);
        SkinPlace { first, entries: None }
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.joints.joints.len()
    }

    /// Returns true if there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

#[cfg(test)]
mod tests {
    use glam::{Mat4, Vec3};

    use super::*;

    fn skin(joints: &[u16], shift: f32) -> Arc<Skin> {
        let inverse = |joint: &u16| Mat4::from_translation(Vec3::X * (f32::from(*joint) + shift));
        let inverse_binds = joints.iter().map(inverse).collect();
        Arc::new(Skin { name: String::new(), joints: joints.to_vec(), inverse_binds })
    }

    #[test]
    fn skins_of_one_skeleton_share_entries() {
        let layout = PaletteLayout::of(&[skin(&[0, 1, 2, 3], 0.0), skin(&[3, 1, 4], 0.0), skin(&[1, 2], 0.0)]);
        assert_eq!(layout.joints.joints, [0, 1, 2, 3, 4]);
        assert_eq!(layout.skins[0], SkinPlace { first: 0, entries: None });
        assert_eq!(layout.skins[1].entries.as_deref(), Some(&[3, 1, 4][..]));
        assert_eq!(layout.skins[2], SkinPlace { first: 1, entries: None });
    }

    #[test]
    fn another_bind_pose_needs_another_entry() {
        let layout = PaletteLayout::of(&[skin(&[0, 1], 0.0), skin(&[0, 1], 0.5)]);
        assert_eq!((layout.len(), layout.skins[1].first), (4, 2));
        assert!(PaletteLayout::of(&[]).is_empty());
    }

    #[test]
    fn joints_beyond_16_bits_get_entries_of_their_own() {
        let many: Vec<Arc<Skin>> = (0..17).map(|at| skin(&(0..4096).collect::<Vec<_>>(), at as f32 * 0.1)).collect();
        let mixed = skin(&[4095, 3, 9], 1.6);
        let layout = PaletteLayout::of(&[many, vec![mixed]].concat());
        let last = layout.skins.last().unwrap();
        assert_eq!((last.first, layout.len()), (17 * 4096, 17 * 4096 + 3));
        assert_eq!(layout.joints.joints[last.first..], [4095, 3, 9]);
    }
}
