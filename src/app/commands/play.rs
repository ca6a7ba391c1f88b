//! `keypose play`: opens the gameplay mode, or holds a recorded game against the archive without a window.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::Patches;
use crate::app::desktop::{self, Playing, Start, StartMode};
use crate::app::{files, input_recording, layers};
use crate::game::play::Play;
use crate::game::replay::Replay;

/// Play an archive or a glTF file in the gameplay mode; what is saved meanwhile is played at once
#[derive(clap::Args)]
pub struct Arguments {
    /// An archive (.wad) or a glTF file (.gltf, .glb)
    file: Option<PathBuf>,
    #[command(flatten)]
    patches: Patches,
    /// Show the pose of an editor that runs beside (its Game menu, Show this pose in a running game)
    #[arg(long)]
    follow: bool,
    /// Record every tick's buttons, and what they led to, in this file
    #[arg(long, value_name = "GAME", conflicts_with = "replay")]
    record: Option<PathBuf>,
    /// Play a recorded game; then the keyboard plays on
    #[arg(long, value_name = "GAME")]
    replay: Option<PathBuf>,
    /// With --replay: without a window, say whether every tick comes out as recorded (exit code 1 where not)
    #[arg(long, requires = "replay")]
    check: bool,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitCode, String> {
    let files = arguments.patches.over(arguments.file.as_ref());
    let replay =
        arguments.replay.as_deref().map(|path| Ok::<_, String>((path, input_recording::open(path)?))).transpose()?;
    if let (Some((path, replay)), true) = (&replay, arguments.check) {
        return check(files, path, replay);
    }
    let playing = Playing {
        follows: arguments.follow,
        record: arguments.record.clone(),
        replay: replay.map(|(_, replay)| replay),
    };
    desktop::run(Start::new(files, StartMode::Play(playing)))
}

/// Plays it without a window.
fn check(files: Vec<PathBuf>, path: &Path, replay: &Replay) -> Result<ExitCode, String> {
    let files = if files.is_empty() { vec![files::DEMO.into()] } else { files };
    let opened = layers::open(&files)?;
    if opened.digest != replay.archive_hash {
        eprintln!("keypose: {}: it was recorded with another archive, or another state of this one", path.display());
    }
    let play = Play::new(&opened.characters, opened.project.levels.first(), replay.seed);
    Ok(match replay.divergence(play.world().clone()) {
        None => {
            println!("{}: {} ticks, each as recorded", path.display(), replay.buttons.len());
            ExitCode::SUCCESS
        }
        Some(parting) => {
            println!("{}: from tick {} on the game is not the recorded one", path.display(), parting.tick);
            ExitCode::FAILURE
        }
    })
}
