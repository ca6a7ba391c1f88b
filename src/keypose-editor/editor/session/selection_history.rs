//! The history of bone selections, to go back and forward in.

use keypose::anim::skeleton::BoneIndex;

/// The maximum number of stored selections.
const MOST: usize = 100;

/// Previous selections, the current selection, and later selections after going back.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SelectionHistory {
    kept: Vec<Vec<BoneIndex>>,
    /// The current selection, or the last one that wasn't empty.
    at: usize,
}

impl SelectionHistory {
    /// Records the current selection. Ignores an empty one.
    pub fn note(&mut self, now: &[BoneIndex]) {
        if now.is_empty() || self.kept.get(self.at).is_some_and(|kept| kept == now) {
            return;
        }
        self.kept.truncate(self.at + 1);
        self.kept.push(now.to_vec());
        if self.kept.len() > MOST {
            self.kept.remove(0);
        }
        self.at = self.kept.len() - 1;
    }

    /// Brings the bones to another skeleton. Those that it lacks are dropped.
    pub fn follow(&mut self, found: impl Fn(&BoneIndex) -> Option<BoneIndex>) {
        let moved = |bones: &Vec<BoneIndex>| bones.iter().filter_map(&found).collect::<Vec<_>>();
        let all: Vec<_> = self.kept.iter().map(moved).collect();
        let lost = all.iter().take(self.at + 1).filter(|bones| bones.is_empty()).count();
        self.at = self.at.saturating_sub(lost);
        self.kept = all.into_iter().filter(|bones| !bones.is_empty()).collect();
    }

    /// The selection before `now`; the last one if nothing is selected.
    pub fn back(&mut self, now: &[BoneIndex]) -> Option<Vec<BoneIndex>> {
        if !now.is_empty() {
            self.at = self.at.checked_sub(1)?;
        }
        self.kept.get(self.at).cloned()
    }

    /// The selection that was left by going back.
    pub fn forward(&mut self) -> Option<Vec<BoneIndex>> {
        let next = self.kept.get(self.at + 1)?;
        self.at += 1;
        Some(next.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deleted_bones_and_the_oldest_selections_leave_the_history() {
        let mut trail = SelectionHistory::default();
        [1, 2, 7].iter().for_each(|bone| trail.note(&[*bone]));
        trail.follow(|bone| (*bone != 7).then_some(bone + 10));
        assert_eq!(trail.back(&[12]), Some(vec![11]), "bone 7 is gone");
        (0..500).for_each(|bone| trail.note(&[bone]));
        assert_eq!(trail.back(&[499]), Some(vec![498]));
    }
}
