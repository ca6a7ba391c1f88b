//! Script commands for sounds, and the sounds as text.

use crate::editor::document::edit::SoundEdit;
use crate::editor::script::args::Args;
use crate::editor::script::table::{Fact, Verb, act, edit};
use crate::editor::session::sounds::SoundAction;
use keypose::assets::sound::{Sound, SoundRepeat};

/// The commands: about the active sound unless they name one.
pub const VERBS: &[Verb] = &[
    ("sound add PATH", |a| act(SoundAction::Add(vec![a.path(0)]))),
    ("sound pick SOUND", |a| {
        a.among(0, "sound", a.editor.document.sounds.iter().map(|sound| sound.name.as_str()))?;
        act(SoundAction::Pick(a.text(0)))
    }),
    ("sound rename NAME", |a| act(SoundAction::Rename(a.text(0)))),
    ("sound remove", |_| act(SoundAction::Remove)),
    ("sound play", |_| act(SoundAction::Play)),
    ("sound repeat MODE", |a| {
        let (sound, repeat) = (active(a)?, a.named(0, &SoundRepeat::ALL, SoundRepeat::name)?);
        edit("Set sound repeat", SoundEdit::SetRepeat { sound, repeat })
    }),
    ("sound volume FACTOR", |a| {
        edit("Set sound volume", SoundEdit::SetVolume { sound: active(a)?, volume: a.float(0)? })
    }),
];

/// The name of the active sound.
fn active(a: &Args<'_>) -> Result<String, String> {
    Ok(a.editor.sound().ok_or("there is no sound")?.name.clone())
}

/// The sounds: "hit 0.16 s 0.8 once, music 17.78 s 0.35 loop".
pub const FACTS: &[Fact] = &[("sounds", |a| {
    let text = |sound: &Sound| format!("{} {:.2} s {} {}", sound.name, sound.secs(), sound.volume, sound.repeat.name());
    Ok(a.editor.document.sounds.iter().map(|sound| text(sound)).collect::<Vec<_>>().join(", "))
})];
