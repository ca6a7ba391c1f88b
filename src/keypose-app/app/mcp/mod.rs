//! A server of the Model Context Protocol: newline-delimited JSON-RPC 2.0 on standard input and output, one message at a time. Knows
//! the protocol; what tools do is in [`tools`]. Not by the official SDK, `rmcp`: it would bring 28 crates more, tokio among them.

use std::io::{self, BufRead, Read};
use std::path::PathBuf;
use std::process::ExitCode;

use serde_json::{Value, json};

use crate::app::console;
use crate::app::mcp::arguments::Arguments;
use crate::app::scripted::reach::Reach;
use crate::app::scripted::runner::ScriptRunner;

mod arguments;
mod picture;
mod tools;

/// The known versions of the protocol, the newest first.
const VERSIONS: [&str; 3] = ["2025-06-18", "2025-03-26", "2024-11-05"];
/// Maximum length of a message.
const MAX_MESSAGE_BYTES: u64 = 16 << 20;
/// Maximum count of messages that arrive as one array, as version 2025-03-26 allows.
const MAX_BATCH: usize = 100;

/// Codes of errors in JSON-RPC.
const PARSE_ERROR: i32 = -32700;
const INVALID_REQUEST: i32 = -32600;
const UNKNOWN_METHOD: i32 = -32601;
const INVALID_PARAMETERS: i32 = -32602;

/// Why a request fails: the code and a sentence.
type Fault = (i32, String);

/// Serves until the input ends. Unsaved changes are kept for the next run, as those of the window.
///
/// # Errors
/// A folder that doesn't exist, or unsaved changes that could not be recorded.
pub fn serve(folders: &[PathBuf]) -> Result<ExitCode, String> {
    let reach = Reach::within(folders)?;
    if let Some(first) = folders.first() {
        std::env::set_current_dir(first).map_err(|error| format!("{}: {error}", first.display()))?;
    }
    let mut server = Server { runner: ScriptRunner::within(reach) };
    let mut input = io::stdin().lock();
    while let Some(message) = next(&mut input).map_err(|error| format!("standard input: {error}"))? {
        let answer = match message {
            Ok(line) => server.answer(&line),
            Err(fault) => Some(response(Value::Null, Err(fault))),
        };
        if let Some(answer) = answer {
            console::print_json_text(&answer.to_string());
        }
    }
    server.runner.close()?;
    Ok(ExitCode::SUCCESS)
}

/// The next message that isn't empty; `None` at the end of the input. One that is too long is skipped.
fn next(input: &mut impl BufRead) -> io::Result<Option<Result<Vec<u8>, Fault>>> {
    loop {
        let mut line = Vec::new();
        if input.by_ref().take(MAX_MESSAGE_BYTES).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        if line.len() as u64 == MAX_MESSAGE_BYTES && line.last() != Some(&b'\n') {
            input.skip_until(b'\n')?;
            return Ok(Some(Err((INVALID_REQUEST, "the message is longer than 16 MiB".to_owned()))));
        }
        if !line.trim_ascii().is_empty() {
            return Ok(Some(Ok(line)));
        }
    }
}

fn response(id: Value, result: Result<Value, Fault>) -> Value {
    match result {
        Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
        Err((code, message)) => json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } }),
    }
}

/// The editor of a client.
struct Server {
    runner: ScriptRunner,
}

impl Server {
    /// The answer to a line; `None` if it needs none.
    fn answer(&mut self, line: &[u8]) -> Option<Value> {
        match serde_json::from_slice(line) {
            Err(error) => Some(response(Value::Null, Err((PARSE_ERROR, format!("not JSON: {error}"))))),
            Ok(Value::Array(messages)) if (1..=MAX_BATCH).contains(&messages.len()) => {
                let answers: Vec<Value> = messages.iter().filter_map(|message| self.answer_one(message)).collect();
                (!answers.is_empty()).then(|| answers.into())
            }
            Ok(message) => self.answer_one(&message),
        }
    }

    fn answer_one(&mut self, message: &Value) -> Option<Value> {
        let id = message.get("id").filter(|id| id.is_string() || id.is_number()).cloned();
        let is_ours = message.get("jsonrpc").is_some_and(|version| version == "2.0");
        match message.get("method").and_then(Value::as_str).filter(|_| is_ours) {
            Some(method) if id.is_some() => {
                let result = self.call(method, message.get("params").unwrap_or(&Value::Null));
                Some(response(id.unwrap_or_default(), result))
            }
            // A notification. Those of a client don't change anything here.
            Some(_) if message.get("id").is_none() => None,
            // An answer: the server asks nothing.
            None if is_ours && id.is_some() && (message.get("result").or(message.get("error"))).is_some() => None,
            Some(_) | None => {
                let reason = "expected a request of JSON-RPC 2.0: jsonrpc, id and method".to_owned();
                Some(response(id.unwrap_or_default(), Err((INVALID_REQUEST, reason))))
            }
        }
    }

    fn call(&mut self, method: &str, parameters: &Value) -> Result<Value, Fault> {
        match method {
            "initialize" => Ok(self.initialize(parameters)),
            "ping" => Ok(json!({})),
            "tools/list" => Ok(json!({ "tools": tools::list() })),
            "tools/call" => self.call_tool(parameters),
            _ => Err((UNKNOWN_METHOD, format!("unknown method {method}"))),
        }
    }

    fn initialize(&self, parameters: &Value) -> Value {
        let asked = parameters.get("protocolVersion").and_then(Value::as_str);
        let version = VERSIONS.into_iter().find(|&version| Some(version) == asked).unwrap_or(VERSIONS[0]);
        json!({
            "protocolVersion": version,
            "capabilities": { "tools": {} },
            "serverInfo": { "name": "keypose", "title": "Keypose", "version": env!("CARGO_PKG_VERSION") },
            "instructions": format!(
                "Keypose poses and animates rigged 3D models. Open a file, change it with script commands (the tool \
                 commands describes them), look at the result with render after each step, and save it. Undo with the \
                 command undo. Nothing is written before save. Files may be in: {}", self.runner.reach().names()
            ),
        })
    }

    /// Calls a tool. Errors of the tool are results that say so, because the assistant can act on them.
    fn call_tool(&mut self, parameters: &Value) -> Result<Value, Fault> {
        let name = parameters.get("name").and_then(Value::as_str).unwrap_or_default();
        let tool = tools::find(name).ok_or_else(|| (INVALID_PARAMETERS, format!("unknown tool \"{name}\"")))?;
        let arguments = Arguments::new(parameters.get("arguments"), tool).map_err(|why| (INVALID_PARAMETERS, why))?;
        let (mut content, error) = match (tool.run)(&mut self.runner, &arguments) {
            Ok(content) => (content, None),
            Err(reason) => (Vec::new(), Some(reason)),
        };
        let lines: Vec<String> = self.runner.output.take().into_iter().chain(error.clone()).collect();
        if !lines.is_empty() {
            content.insert(0, tools::text(&lines.join("\n")));
        } else if content.is_empty() {
            content.push(tools::text("Done."));
        }
        Ok(json!({ "content": content, "isError": error.is_some() }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server() -> Server {
        Server { runner: ScriptRunner::within(Reach::Within(Vec::new())) }
    }

    #[test]
    fn broken_messages_are_errors_and_notifications_need_no_answer() {
        let mut server = server();
        let deep = "[".repeat(100_000);
        let cases: [(&[u8], i32); 12] = [
            (b"{", PARSE_ERROR),
            (b"\xff\xfe", PARSE_ERROR),
            (deep.as_bytes(), PARSE_ERROR),
            (b"[]", INVALID_REQUEST),
            (b"7", INVALID_REQUEST),
            (b"{}", INVALID_REQUEST),
            (br#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, INVALID_REQUEST),
            (br#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, INVALID_REQUEST),
            (br#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, INVALID_REQUEST),
            (br#"{"jsonrpc":"2.0","id":1,"method":"fly"}"#, UNKNOWN_METHOD),
            (br#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#, INVALID_PARAMETERS),
            (
                br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"run","arguments":{"x":1}}}"#,
                INVALID_PARAMETERS,
            ),
        ];
        for (line, code) in cases {
            let answer = server.answer(line).unwrap();
            assert_eq!(answer["error"]["code"], code, "{answer}");
        }
        let silent = [
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
            r#"{"jsonrpc":"2.0","id":4,"result":{}}"#,
            r#"[{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}]"#,
        ];
        assert_eq!(silent.map(|line| server.answer(line.as_bytes())), [None, None, None]);
        let batch = br#"[{"jsonrpc":"2.0","id":"a","method":"ping"},{"jsonrpc":"2.0","method":"x"},3]"#;
        let answers = server.answer(batch).unwrap();
        assert_eq!((answers[0]["id"].as_str(), answers.as_array().unwrap().len()), (Some("a"), 2), "{answers}");
    }

    #[test]
    fn the_version_of_the_client_is_answered_if_it_is_known() {
        let version =
            |asked: &str| server().initialize(&json!({ "protocolVersion": asked }))["protocolVersion"].clone();
        assert_eq!(VERSIONS.map(version), VERSIONS);
        assert_eq!(version("2031-01-01"), VERSIONS[0]);
        assert_eq!(server().initialize(&Value::Null)["protocolVersion"], VERSIONS[0]);
    }

    #[test]
    fn a_message_that_is_too_long_is_skipped() {
        let long = vec![b'x'; MAX_MESSAGE_BYTES as usize + 5];
        let input = [b"\n  \r\nfirst\n".as_slice(), &long, b"\nsecond"].concat();
        let mut input = input.as_slice();
        let mut read = || next(&mut input).unwrap();
        assert_eq!(read(), Some(Ok(b"first\n".to_vec())));
        assert!(read().unwrap().unwrap_err().1.contains("16 MiB"));
        assert_eq!(read(), Some(Ok(b"second".to_vec())));
        assert_eq!(read(), None);
    }
}
