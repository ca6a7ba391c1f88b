//! Reads a text line by line.

use std::collections::{BTreeMap, BTreeSet};

use crate::anim::clip::{Event, Keyframe, KeyframeKind, LoopMode};
use crate::anim::key::{Channel, Ease, Key};
use crate::anim::root_motion::RootMotion;
use crate::anim::skeleton::{BoneIndex, Skeleton};
use crate::anim::time::{FrameRate, Time};
use crate::assets::line_text::{TextError, whole};
use crate::clip_text::key_line::{MISSING, read_ease, read_key};
use crate::clip_text::lane_line::{self, Open};
use crate::clip_text::time_word::read_time;
use crate::clip_text::{ClipText, HEAD, VERSION, tangents};

/// State of the reader.
pub struct Reader<'a> {
    skeleton: &'a Skeleton,
    text: ClipText,
    /// The interpolation in the line of the last keyframe.
    ease: Ease,
    /// The keys of the last keyframe.
    keys: BTreeMap<(BoneIndex, Channel), Key>,
    /// The keys without tangents in their lines.
    computed: Vec<(usize, BoneIndex, Channel)>,
    /// Words that may begin only one line, and did.
    seen: BTreeSet<&'static str>,
    open: Open,
    /// A line with a time was read; the frame rate can't change any more.
    has_times: bool,
}

impl<'a> Reader<'a> {
    /// Nothing was read.
    pub fn new(skeleton: &'a Skeleton) -> Reader<'a> {
        Reader {
            skeleton,
            text: ClipText::default(),
            ease: Ease::Linear,
            keys: BTreeMap::new(),
            computed: Vec::new(),
            seen: BTreeSet::new(),
            open: Open::None,
            has_times: false,
        }
    }

    /// Reads a line. There is at least one word.
    pub fn line(&mut self, words: &[&str]) -> Result<(), String> {
        if !self.seen.contains(HEAD) && words.first() != Some(&HEAD) {
            return Err(format!("a clip begins with \"{HEAD} {VERSION}\""));
        }
        match words {
            [HEAD, VERSION] => self.once(HEAD),
            [HEAD, ..] => Err(format!("this version of Keypose reads \"{HEAD} {VERSION}\"")),
            ["name", name] => {
                self.text.clip.name = (*name).to_owned();
                self.once("name")
            }
            ["loop", mode] => {
                self.text.clip.loop_mode = read_loop_mode(mode)?;
                self.once("loop")
            }
            ["root", part] => {
                let found = RootMotion::named(part);
                let expected = || format!("unknown word {part}: expected none, ground, height or turn");
                self.text.clip.root_motion = found.ok_or_else(expected)?;
                self.once("root")
            }
            ["rate", rate] => self.rate(rate),
            ["folder", name] => {
                self.text.folder = (*name).to_owned();
                self.once("folder")
            }
            ["tag", tag] => self.tag(tag),
            ["name" | "loop" | "root" | "rate" | "folder" | "tag", ..] => {
                Err(format!("expected one word after {}", words[0]))
            }
            _ => {
                self.has_times = true;
                self.timed_line(words)
            }
        }
    }

    fn timed_line(&mut self, words: &[&str]) -> Result<(), String> {
        let rate = self.text.clip.frame_rate;
        match words {
            ["event", time, name] => {
                let time = read_time(time, rate)?;
                self.text.clip.events.push(Event { time, name: (*name).to_owned() });
                Ok(())
            }
            ["delay", MISSING, bone, time] => self.delay(whole(bone)?, read_time(time, rate)?),
            ["delay", bone, time] => {
                let found = self.skeleton.find(bone).ok_or_else(|| format!("the skeleton has no bone {bone}"))?;
                self.delay(found, read_time(time, rate)?)
            }
            ["keyframe", duration] => self.keyframe(read_time(duration, rate)?, Ease::Linear, KeyframeKind::Plain),
            ["keyframe", duration, ease] => {
                self.keyframe(read_time(duration, rate)?, read_ease(ease)?, KeyframeKind::Plain)
            }
            ["keyframe", duration, ease, kind] => {
                let unknown = || format!("unknown word {kind}: expected plain, extreme or breakdown");
                let kind = KeyframeKind::named(kind).ok_or_else(unknown)?;
                self.keyframe(read_time(duration, rate)?, read_ease(ease)?, kind)
            }
            ["key", rest @ ..] => self.key(rest),
            ["delay", ..] => Err("expected delay BONE TIME".into()),
            ["event", ..] => Err("expected event TIME NAME".into()),
            ["keyframe", ..] => Err("expected keyframe DURATION INTERPOLATION KIND".into()),
            _ => {
                if lane_line::read(words, rate, &mut self.text.lanes, &mut self.open)? {
                    Ok(())
                } else {
                    Err(format!(
                        "unknown word {}: expected name, loop, root, rate, folder, tag, event, delay, hit, hurt, cancel, invulnerable, \
                     contact, volume, into, keyframe or key",
                        words[0]
                    ))
                }
            }
        }
    }

    fn delay(&mut self, bone: BoneIndex, by: Time) -> Result<(), String> {
        if self.text.clip.delay_of(bone) != Time::ZERO {
            return Err("a second delay of this bone".into());
        }
        self.text.clip.set_delay(bone, by);
        Ok(())
    }

    fn keyframe(&mut self, duration: Time, ease: Ease, kind: KeyframeKind) -> Result<(), String> {
        self.end_keyframe();
        self.text.clip.keyframes.push(Keyframe { duration, kind, ..Keyframe::default() });
        (self.ease, self.open) = (ease, Open::None);
        Ok(())
    }

    fn key(&mut self, words: &[&str]) -> Result<(), String> {
        let (key, has_tangents) = read_key(words, self.ease, self.skeleton)?;
        let at = self.text.clip.keyframes.len().checked_sub(1);
        let at = at.ok_or("a key belongs to a keyframe; a line \"keyframe DURATION\" must come before it")?;
        if !has_tangents {
            self.computed.push((at, key.bone, key.channel));
        }
        match self.keys.insert(key.address(), key) {
            Some(_) => Err("a second key of this channel in one keyframe".into()),
            None => Ok(()),
        }
    }

    /// Gives the last keyframe its keys.
    fn end_keyframe(&mut self) {
        let keys: Vec<Key> = std::mem::take(&mut self.keys).into_values().collect();
        if let Some(keyframe) = self.text.clip.keyframes.last_mut() {
            keyframe.keys = keys.into();
        }
    }

    fn rate(&mut self, word: &str) -> Result<(), String> {
        if self.has_times {
            return Err("the rate must come before all times".into());
        }
        let (frames, per_secs) = word.split_once('/').unwrap_or((word, "1"));
        let rate = FrameRate::new(whole(frames)?, whole(per_secs)?);
        self.text.clip.frame_rate = rate.ok_or_else(|| format!("{word} is not a frame rate of 0.001 to 1000"))?;
        self.once("rate")
    }

    fn tag(&mut self, tag: &str) -> Result<(), String> {
        if tag.is_empty() || tag.contains(char::is_whitespace) {
            return Err("a tag is one word".into());
        }
        self.text.tags.push(tag.to_owned());
        Ok(())
    }

    fn once(&mut self, what: &'static str) -> Result<(), String> {
        if self.seen.insert(what) { Ok(()) } else { Err(format!("a second line \"{what} …\"")) }
    }

    /// Checks the whole, and computes tangents.
    pub fn finish(mut self) -> Result<ClipText, TextError> {
        for needed in [HEAD, "name"] {
            if !self.seen.contains(needed) {
                return Err(TextError::whole(format!("a line \"{needed} …\" is missing")));
            }
        }
        self.end_keyframe();
        let ClipText { clip, lanes, .. } = &mut self.text;
        if clip.name.trim().is_empty() {
            return Err(TextError::whole("the name of the clip is empty"));
        }
        clip.events.sort_by_key(|event| event.time);
        lanes.sort();
        clip.check().map_err(|reason| TextError::whole(reason.to_string()))?;
        lanes.check().map_err(TextError::whole)?;
        tangents::compute(clip, &self.computed);
        clip.check().map_err(|reason| TextError::whole(reason.to_string()))?;
        Ok(self.text)
    }
}

fn read_loop_mode(word: &str) -> Result<LoopMode, String> {
    let mode = LoopMode::named(word);
    mode.ok_or_else(|| format!("unknown word {word}: expected once, loop or ping-pong"))
}
