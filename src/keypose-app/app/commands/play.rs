//! `keypose play`: plays a game, or compares a recorded game with an archive without a window.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use keypose_editor::game::play::Play;
use keypose_editor::game::replay::Replay;
use keypose_tools::chosen_clips::{self, ChosenClip};

use super::Files;
use crate::app::files::Opening;
use crate::app::files::layers;
use crate::app::play::recording;
use crate::app::window::desktop::{self, Playing, Start, StartMode};
use crate::app::{console, files};

/// Play an archive or a model; saved changes are reloaded while playing
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    files: Files,
    /// Show the pose of an editor in follow mode (Game menu, Show pose in game)
    #[arg(long)]
    follow: bool,
    /// Record the input of every tick to this file
    #[arg(long, value_name = "GAME", conflicts_with = "replay")]
    record: Option<PathBuf>,
    /// Replay a recorded game, then continue with the keyboard
    #[arg(long, value_name = "GAME")]
    replay: Option<PathBuf>,
    /// With --replay: compare every tick with the recording without opening a window; exit code 1 if they differ
    #[arg(long, requires = "replay")]
    check: bool,
    /// Play a clip in a state of the player, such as attack=Punch; may be given several times
    #[arg(long, value_name = "STATE=CLIP", value_parser = chosen_clips::parse)]
    clip: Vec<ChosenClip>,
    #[command(flatten)]
    context: super::ContextTest,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitCode, String> {
    let files = arguments.files.all();
    let replay = arguments.replay.as_deref().map(|path| Ok::<_, String>((path, recording::open(path)?))).transpose()?;
    if let (Some((path, replay)), true) = (&replay, arguments.check) {
        return check(files, path, replay, (&arguments.clip, &arguments.files.any_files.opening()));
    }
    arguments.record.as_deref().map_or(Ok(()), recording::may_replace)?;
    let playing = Playing {
        follows: arguments.follow,
        record: arguments.record.clone(),
        replay: replay.map(|(_, replay)| replay),
        clips: arguments.clip.clone(),
    };
    // The window that could show this would be the editor.
    if let Some(missing) = files.iter().find(|path| !path.exists()) {
        return Err(format!("{}: no such file", missing.display()));
    }
    let start = Start::new(files, StartMode::Play(playing), arguments.files.any_files.model_files());
    desktop::run(Start { loses_context_after: arguments.context.simulate_context_loss, ..start })
}

/// Compares a recorded game with the archive without a window.
fn check(
    files: Vec<PathBuf>,
    path: &Path,
    replay: &Replay,
    (clips, opening): (&[ChosenClip], &Opening),
) -> Result<ExitCode, String> {
    let files = if files.is_empty() { vec![files::DEMO.into()] } else { files };
    let opened = layers::open(&files, opening)?;
    if opened.digest != replay.archive_hash {
        let shown = path.display();
        console::warn(format_args!("keypose: {shown}: recorded with another archive, or another version of this one"));
    }
    let level = opened.project.levels.first();
    let player = level.map_or("", |level| &level.player);
    let play = Play::new(&chosen_clips::apply(&opened.characters, player, clips), level, replay.seed);
    Ok(match replay.divergence(play.world().clone()) {
        None => {
            console::print(format_args!("{}: all {} ticks match the recording", path.display(), replay.buttons.len()));
            ExitCode::SUCCESS
        }
        Some(tick) => {
            let shown = path.display();
            console::print(format_args!("{shown}: the game differs from the recording from tick {tick} on"));
            ExitCode::FAILURE
        }
    })
}
