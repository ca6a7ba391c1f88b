//! Updates from outside during the game: changed files, and the pose of an editor in follow mode.

use std::sync::Arc;
use std::time::Duration;

use keypose_editor::editor::session::command::Command;
use keypose_editor::game::reload::{NewData, level_after, reloaded};
use keypose_tools::chosen_clips;
use keypose_tools::sharing::changes;

use crate::app::files::Opened;
use crate::app::files::watch::Change;
use crate::app::follow::receiver::Followed;
use crate::app::play::PlayMode;

impl PlayMode {
    /// Updates the state of follow mode.
    pub fn follow(&mut self, followed: Followed) {
        self.followed = Some(followed);
        self.hold_pose();
    }

    pub(super) fn hold_pose(&mut self) {
        let pose = match &self.followed {
            Some(Followed::Pose(pose)) => Some(pose.clone()),
            _ => None,
        };
        self.is_posed = self.play.hold_pose(pose.as_deref());
    }

    /// A line about the state of follow mode.
    pub(super) fn following(&self) -> Option<String> {
        Some(match self.followed.as_ref()? {
            Followed::NoEditor => {
                format!("Waiting for an editor in follow mode (Game menu, {})", Command::ToggleFollow.label())
            }
            Followed::Error(reason) => format!("Can't follow the editor: {reason}"),
            Followed::Waiting => "Following the editor".to_owned(),
            Followed::Pose(pose) if !self.is_posed => {
                format!("The editor shows {}, which is not the player of this game", pose.model)
            }
            Followed::Pose(pose) if pose.clip.is_empty() => "Following the editor: rest pose".to_owned(),
            Followed::Pose(pose) => {
                format!("Following the editor: {} at {:.2} s", pose.clip, pose.time.secs())
            }
        })
    }

    /// A line about the clip that no state plays.
    pub(super) fn showing(&self) -> Option<String> {
        let clip = &self.unplayed.as_ref()?.clip;
        Some(format!("Showing \"{clip}\" while standing: no state plays it. Move to play the game"))
    }

    /// Reloads changed files between two ticks. If they can't be read, the game keeps its data. `next` was prepared
    /// from the change. Returns what the game plays now, or `None` if nothing changed.
    pub fn reload(&mut self, change: Change, next: Option<&NewData>) -> Option<Box<Opened>> {
        let age = change.written.and_then(|written| written.elapsed().ok());
        let (opened, next) = match (change.opened, next) {
            (Ok(opened), Some(next)) => (opened, next),
            (Ok(_), None) => return None,
            (Err(reason), _) => {
                self.messages.show_error(format!("{reason}. The game keeps its previous data"));
                return None;
            }
        };
        let mut what = changes(&opened.characters, &self.characters);
        let before = self.play.world().stage.clone();
        self.levels.clone_from(&opened.project.levels);
        let wanted = level_after(&before.level, &self.levels);
        self.level = self.levels.iter().position(|level| level.name == wanted.name).unwrap_or(0);
        // The other thread prepares the first level.
        let other = (next.stage.level.name != wanted.name).then(|| {
            NewData::new(&wanted, &chosen_clips::apply(&opened.characters, &wanted.player, &self.clips), &self.levels)
        });
        let next = other.as_ref().unwrap_or(next);
        self.play = reloaded(&self.play, next);
        self.start = reloaded(&self.start, next);
        self.counts &= !self.is_begun;
        self.characters.clone_from(&opened.characters);
        self.sounds.replace(&opened.project.sounds);
        self.find_problems();
        self.findings_since = self.play.world().tick;
        if !Arc::ptr_eq(&before, &self.play.world().stage) {
            what.push("the level".into());
        }
        let ended = self.recording.end().map(|ended| format!("; {ended}")).unwrap_or_default();
        self.messages.show(sentence(&what, age) + &ended);
        self.hold_pose();
        Some(opened)
    }
}

/// "Reloaded (knight: walk, knight: run, the level and 3 more), 0.14 s after saving".
fn sentence(what: &[String], age: Option<Duration>) -> String {
    const MAX: usize = 3;
    let named = what[..what.len().min(MAX)].join(", ");
    let what = match what.len().saturating_sub(MAX) {
        _ if what.is_empty() => "no visible changes".to_owned(),
        0 => named,
        more => format!("{named} and {more} more"),
    };
    // A file with an old time stamp may have been moved here.
    match age.filter(|age| *age < Duration::from_secs(10)) {
        Some(age) => format!("Reloaded ({what}), {:.2} s after saving", age.as_secs_f32()),
        None => format!("Reloaded ({what})"),
    }
}
