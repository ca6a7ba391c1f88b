//! The tools that an assistant calls: their table, and what they do but draw.

use std::path::Path;

use serde_json::{Map, Value, json};

use keypose_editor::editor::script;
use keypose_editor::editor::session::browser::kinds::FileKind;
use keypose_editor::editor::session::{Answer, Question};
use keypose_editor::editor::state::action::FileAction;

use crate::app::files::listing;
use crate::app::mcp::arguments::Arguments;
use crate::app::mcp::picture;
use crate::app::scripted::runner::ScriptRunner;

/// The kind of an argument.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    Text,
    Choice(&'static [&'static str]),
    /// A whole number between two.
    Count(u64, u64),
    Switch,
}

/// An argument of a tool.
#[derive(Debug)]
pub struct Argument {
    pub name: &'static str,
    pub kind: Kind,
    /// The meaning, for the assistant.
    pub about: &'static str,
    pub is_required: bool,
}

/// Parts of the content of a result, or why there is none.
type Done = Result<Vec<Value>, String>;

/// An operation that an assistant can call.
#[derive(Debug)]
pub struct Tool {
    pub name: &'static str,
    /// The purpose, for the assistant.
    about: &'static str,
    /// Whether it changes neither the document nor a file.
    is_read_only: bool,
    pub arguments: &'static [Argument],
    pub run: fn(&mut ScriptRunner, &Arguments) -> Done,
}

const fn required(name: &'static str, kind: Kind, about: &'static str) -> Argument {
    Argument { name, kind, about, is_required: true }
}

const fn optional(name: &'static str, kind: Kind, about: &'static str) -> Argument {
    Argument { name, kind, about, is_required: false }
}

/// The answers to the question about unsaved changes.
const UNSAVED: &[&str] = &["save", "discard"];

const TOOLS: &[Tool] = &[
    Tool {
        name: "files",
        about: "Lists the archives, models, images, sounds and folders in a folder.",
        is_read_only: true,
        arguments: &[optional("folder", Kind::Text, "By default the first folder that may be used")],
        run: files,
    },
    Tool {
        name: "open",
        about: "Opens an archive (.wad) or a model (.glb, .gltf, .fbx, …) in place of the current document, with changes that were \
                not saved the last time. Returns its models, clips and bones.",
        is_read_only: false,
        arguments: &[
            required("path", Kind::Text, "The file, or \"demo\" for the built-in demo"),
            optional("unsaved", Kind::Choice(UNSAVED), "What to do with unsaved changes of the current document"),
        ],
        run: open,
    },
    Tool {
        name: "run",
        about: "Runs script commands, one or several (with ; between) on each line, and returns what they print. Examples: \
                \"clip walk; seek 6f; pose upper_arm.L rotation 0 0 40; run key-pose\", \"undo\", \"show keys\". A line that \
                fails ends the script; the commands before it stay done and can be undone.",
        is_read_only: false,
        arguments: &[required("script", Kind::Text, "The lines to run")],
        run,
    },
    Tool {
        name: "render",
        about: "Returns a picture of the active model: by default the pose on screen, with changes that are not keyed yet. With \
                clip, time or frames: of a clip as it is keyed.",
        is_read_only: true,
        arguments: &[
            optional("clip", Kind::Text, "A clip of the active model; by default the open one"),
            optional("time", Kind::Text, "A time in the clip: 6f (frames), 0.5s or 120ms"),
            optional("frames", Kind::Count(2, 36), "This many poses side by side, spread over the clip"),
            optional("camera", Kind::Choice(&picture::CAMERAS), "The direction of the camera; by default side"),
            optional("size", Kind::Text, "Width and height of a pose in pixels: 480x480"),
            optional("bones", Kind::Switch, "Whether the skeleton is drawn over the model"),
        ],
        run: picture::render,
    },
    Tool {
        name: "save",
        about: "Saves the document. The previous version of an archive is kept beside it.",
        is_read_only: false,
        arguments: &[optional("path", Kind::Text, "The archive (.wad); by default the one that was opened")],
        run: save,
    },
    Tool {
        name: "commands",
        about: "Returns the manual of script commands: without a topic all forms and the topics.",
        is_read_only: true,
        arguments: &[optional("topic", Kind::Text, "A heading of the manual")],
        run: commands,
    },
];

/// The tool of this name.
pub fn find(name: &str) -> Option<&'static Tool> {
    TOOLS.iter().find(|tool| tool.name == name)
}

/// The tools as the protocol lists them.
pub fn list() -> Vec<Value> {
    let tool = |tool: &Tool| {
        let properties: Map<String, Value> =
            tool.arguments.iter().map(|argument| (argument.name.to_owned(), schema(argument))).collect();
        let is_required = |argument: &&Argument| argument.is_required;
        let required: Vec<&str> = tool.arguments.iter().filter(is_required).map(|argument| argument.name).collect();
        json!({
            "name": tool.name,
            "description": tool.about,
            "inputSchema": {
                "type": "object", "properties": properties, "required": required, "additionalProperties": false,
            },
            "annotations": { "readOnlyHint": tool.is_read_only, "openWorldHint": false },
        })
    };
    TOOLS.iter().map(tool).collect()
}

fn schema(argument: &Argument) -> Value {
    let about = argument.about;
    match argument.kind {
        Kind::Text => json!({ "type": "string", "description": about }),
        Kind::Choice(names) => json!({ "type": "string", "enum": names, "description": about }),
        Kind::Count(min, max) => json!({ "type": "integer", "minimum": min, "maximum": max, "description": about }),
        Kind::Switch => json!({ "type": "boolean", "description": about }),
    }
}

/// Maximum length of a text in a result, in bytes: a larger one would fill the context of the assistant.
const MAX_TEXT_BYTES: usize = 100_000;

/// A text as content of a result. The end of a long one is cut off, and says so.
pub fn text(text: &str) -> Value {
    let mut shown = text.to_owned();
    if text.len() > MAX_TEXT_BYTES {
        shown.truncate(text.floor_char_boundary(MAX_TEXT_BYTES));
        shown += &format!("\n… cut after {} bytes", shown.len());
    }
    json!({ "type": "text", "text": shown })
}

fn files(runner: &mut ScriptRunner, arguments: &Arguments) -> Done {
    let folder = Path::new(arguments.text("folder").unwrap_or("."));
    runner.reach().check(folder)?;
    let mut listing = listing::list(folder);
    listing.entries.retain(|entry| !entry.is_hidden && !matches!(entry.kind, FileKind::Film | FileKind::Other));
    listing.entries.sort_by(|a, b| a.name.cmp(&b.name));
    let end = |is_folder| if is_folder { "/" } else { "" };
    let mut lines: Vec<String> =
        listing.entries.iter().map(|entry| format!("{}{}", entry.shown, end(entry.is_folder()))).collect();
    if lines.is_empty() && listing.fault.is_none() {
        lines.push("No archives, models, images, sounds or folders.".to_owned());
    }
    lines.extend(listing.fault);
    Ok(vec![text(&lines.join("\n"))])
}

fn open(runner: &mut ScriptRunner, arguments: &Arguments) -> Done {
    runner.act(match arguments.text("path").unwrap_or_default() {
        "demo" => FileAction::OpenDemo,
        path => FileAction::Open(Some(path.into())),
    })?;
    if matches!(runner.editor().session.transient.question, Some(Question::UnsavedChanges(_))) {
        let answer = match arguments.text("unsaved") {
            Some("save") => Answer::Save,
            Some(_) => Answer::Discard,
            None => Answer::Cancel,
        };
        if let Err(reason) = runner.act(FileAction::Answer(answer)) {
            // A later save opens nothing.
            runner.act(FileAction::Answer(Answer::Cancel))?;
            return Err(reason);
        }
        if answer == Answer::Cancel {
            return Err("the current document has unsaved changes: save it, or pass unsaved".to_owned());
        }
    }
    let facts = ["models", "clips", "clip", "strip", "bones"].map(|fact| {
        let value = script::show(runner.editor(), fact).unwrap_or_else(|reason| reason);
        format!("{fact} = {value}")
    });
    Ok(vec![text(&facts.join("\n"))])
}

fn run(runner: &mut ScriptRunner, arguments: &Arguments) -> Done {
    runner.run(arguments.text("script").unwrap_or_default())?;
    Ok(Vec::new())
}

fn save(runner: &mut ScriptRunner, arguments: &Arguments) -> Done {
    runner.act(match arguments.text("path") {
        Some(path) => FileAction::SaveAs(Some(path.into())),
        None => FileAction::Save,
    })?;
    Ok(Vec::new())
}

/// The manual: all forms and the topics, or the text of a topic.
fn commands(_: &mut ScriptRunner, arguments: &Arguments) -> Done {
    let topics = || script::MANUAL.split("\n## ").skip(1);
    let title = |topic: &str| topic.lines().next().unwrap_or_default().to_owned();
    let titles = || topics().map(title).collect::<Vec<_>>().join("; ");
    let shown = match arguments.text("topic") {
        None => format!("Topics: {}\n\n{}", titles(), script::help()),
        Some(name) => match topics().find(|topic| title(topic).eq_ignore_ascii_case(name.trim())) {
            Some(topic) => format!("## {topic}"),
            None => return Err(format!("unknown topic {name}: expected one of {}", titles())),
        },
    };
    Ok(vec![text(&shown)])
}
