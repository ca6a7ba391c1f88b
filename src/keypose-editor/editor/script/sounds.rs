//! Script commands for sounds (`sound add PATH`), and the sounds as text.

use std::path::PathBuf;

use crate::assets::sound::{Sound, SoundRepeat};
use crate::editor::document::edit::SoundEdit;
use crate::editor::posing::change::Change;
use crate::editor::script::parse::number;
use crate::editor::session::sounds::SoundAction;
use crate::editor::state::Editor;
use crate::editor::state::action::{Action, DocumentAction};

/// The action of a `sound` command.
pub fn action(editor: &Editor, args: &[&str]) -> Result<Action, String> {
    let active = || editor.sound().map(|sound| sound.name.clone()).ok_or("there is no sound");
    Ok(Action::Sound(match args {
        ["add", path] => SoundAction::Add(vec![PathBuf::from(path)]),
        ["pick", name] => match editor.document.sound_named(name) {
            Some(sound) => SoundAction::Pick(sound.name.clone()),
            None => return Err(format!("there is no sound {name}")),
        },
        ["rename", name] => SoundAction::Rename((*name).to_owned()),
        ["remove"] => SoundAction::Remove,
        ["play"] => SoundAction::Play,
        ["repeat", "once"] => SoundAction::SetRepeat(SoundRepeat::Once),
        ["repeat", "loop"] => SoundAction::SetRepeat(SoundRepeat::Loop),
        ["volume", volume] => {
            let edit = SoundEdit::SetVolume { sound: active()?, volume: number(volume)? as f32 };
            let change = Change::Edits(vec![edit.into()]);
            return Ok(Action::Document(DocumentAction::Edit { label: "Set sound volume".into(), change }));
        }
        _ => return Err("unknown command or wrong arguments".into()),
    }))
}

/// "hit 0.16 s 0.8 once, music 17.78 s 0.35 loop".
pub fn sounds(editor: &Editor) -> String {
    let text = |sound: &Sound| {
        let repeat = if sound.repeat == SoundRepeat::Loop { "loop" } else { "once" };
        format!("{} {:.2} s {} {repeat}", sound.name, sound.secs(), sound.volume)
    };
    editor.document.sounds.iter().map(|sound| text(sound)).collect::<Vec<_>>().join(", ")
}
