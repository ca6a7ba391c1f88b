//! `keypose mcp` as an assistant uses it: it poses, looks, undoes and saves, stays in its folders, and survives broken messages.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use keypose_editor::editor::script;
use serde_json::{Value, json};

use crate::folder::Folder;
use crate::needs;
use crate::process::{keeps_in, keypose};
use crate::root::root;

/// A folder of the test's own: `open` and `secret`, each with a copy of the demo.
fn desk(name: &str) -> Folder {
    let folder = Folder::new(&format!("mcp-{name}"));
    for part in ["open", "secret"] {
        fs::create_dir_all(folder.join(part)).unwrap();
        fs::copy(root().join("data/demo.wad"), folder.join(part).join("demo.wad")).unwrap();
    }
    folder
}

/// The server on the folder `open` of a desk.
fn command(desk: &Folder) -> Command {
    let mut command = keypose(desk);
    command.arg("mcp").arg("--folder").arg(desk.join("open"));
    command
}

struct Client {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    last_id: u64,
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Client {
    fn start(desk: &Folder) -> Client {
        let mut child = command(desk);
        let child = child.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = child.spawn().unwrap();
        let (input, output) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        let mut client = Client { child, input, output, last_id: 0 };
        let about = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } });
        let answer = client.request("initialize", about);
        assert_eq!(answer["result"]["protocolVersion"], "2025-06-18", "{answer}");
        client.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        client
    }

    fn send(&mut self, line: &str) {
        self.input.as_mut().unwrap().write_all(format!("{line}\n").as_bytes()).unwrap();
    }

    /// The next message, which is one line.
    fn read(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    }

    fn request(&mut self, method: &str, params: Value) -> Value {
        self.last_id += 1;
        let id = self.last_id;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string());
        let answer = self.read();
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    /// Calls a tool. Returns the content, or the text of the error.
    fn call(&mut self, tool: &str, arguments: Value) -> Result<Vec<Value>, String> {
        let answer = self.request("tools/call", json!({ "name": tool, "arguments": arguments }));
        let content = answer["result"]["content"].as_array().unwrap_or_else(|| panic!("{answer}")).clone();
        let text = || content[0]["text"].as_str().unwrap_or_default().to_owned();
        if answer["result"]["isError"] == true { Err(text()) } else { Ok(content) }
    }

    /// Runs a script. Returns what it printed.
    fn run(&mut self, script: &str) -> Result<String, String> {
        let content = self.call("run", json!({ "script": script }))?;
        Ok(content[0]["text"].as_str().unwrap().to_owned())
    }

    /// The picture of a pose, in base64; `None` if the driver is missing.
    fn render(&mut self, arguments: Value) -> Option<String> {
        match self.call("render", arguments) {
            Ok(content) => {
                assert_eq!(content[1]["mimeType"], "image/png");
                Some(content[1]["data"].as_str().unwrap().to_owned())
            }
            Err(reason) => {
                assert!(reason.contains("EGL"), "{reason}");
                needs::missing("gl", &reason);
                None
            }
        }
    }

    /// Closes the input and waits for the end.
    fn finish(mut self) {
        drop(self.input.take());
        assert!(self.child.wait().unwrap().success());
    }
}

#[test]
fn an_assistant_poses_looks_undoes_and_saves() {
    let desk = desk("pose");
    let archive = desk.join("open/demo.wad");
    let mut client = Client::start(&desk);
    let listed = client.request("tools/list", json!({}));
    let names: Vec<&str> =
        listed["result"]["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["files", "open", "run", "render", "save", "commands"]);
    assert_eq!(client.call("files", json!({})).unwrap()[0]["text"], "demo.wad");
    let opened = client.call("open", json!({ "path": "demo.wad" })).unwrap()[0]["text"].to_string();
    for fact in ["models = knight", "clips = idle", "forearm.L on upper_arm.L"] {
        assert!(opened.contains(fact), "{fact}: {opened}");
    }
    let before = client.render(json!({}));
    client.run("clip idle; pose upper_arm.L rotation 0 0 100").unwrap();
    let posed = client.render(json!({}));
    assert!(before != posed || before.is_none(), "the pose that isn't keyed yet is shown");
    let keyed = client.run("run key-pose; show dirty\nshow undo").unwrap();
    assert!(keyed.contains("dirty = yes\nundo = "), "{keyed}");
    let sheet =
        client.render(json!({ "clip": "walk", "frames": 4, "camera": "front", "size": "64x64", "bones": true }));
    assert!(sheet != posed || sheet.is_none());
    client.run("undo; undo").unwrap();
    assert!(client.render(json!({})) == before, "undo brings the old pose back");
    let old = fs::read(&archive).unwrap();
    client.run("redo; redo => dirty = yes").unwrap();
    assert_eq!(fs::read(&archive).unwrap(), old, "nothing is written before save");
    client.call("save", json!({})).unwrap();
    assert_ne!(fs::read(&archive).unwrap(), old);
    client.run("=> dirty = no").unwrap();
    client.finish();
}

#[test]
fn errors_name_the_line_and_what_was_printed_before_stays() {
    let desk = desk("errors");
    let mut client = Client::start(&desk);
    client.call("open", json!({ "path": "demo" })).unwrap();
    let reason = client.run("show clip\nselect tail\nshow time").unwrap_err();
    assert_eq!(reason, "clip = idle\nline 2: select tail: there is no bone tail");
    assert!(client.run("run save").unwrap_err().contains("a path is required"));
    let unknown = client.call("render", json!({ "clip": "fly" })).unwrap_err();
    assert_eq!(unknown, "there is no clip fly");
    // Unsaved changes are not lost by opening another file.
    client.run("clip idle; pose head rotation 0 20 0; run key-pose").unwrap();
    assert!(client.call("open", json!({ "path": "demo.wad" })).unwrap_err().contains("unsaved changes"));
    client.run("=> dirty = yes, prompt = no").unwrap();
    client.call("open", json!({ "path": "demo.wad", "unsaved": "discard" })).unwrap();
    client.run("=> dirty = no").unwrap();
    for topic in [json!({}), json!({ "topic": "attacks" })] {
        let manual = client.call("commands", topic).unwrap()[0]["text"].to_string();
        assert!(manual.contains("hurt-volume NAME BONE RADIUS"), "{manual}");
    }
}

#[test]
fn no_command_reads_or_writes_outside_the_folders() {
    let desk = desk("outside");
    let mut client = Client::start(&desk);
    client.call("open", json!({ "path": "demo.wad" })).unwrap();
    let material = client.run("show material").unwrap().split(' ').nth(2).unwrap().to_owned();
    let with_path = script::commands().into_iter().filter(|form| form.contains("PATH"));
    let forms: Vec<String> = with_path.map(|form| form.replace("MATERIAL", &material)).collect();
    assert!(forms.len() >= 8, "{forms:?}");
    let secret = desk.join("secret");
    let before = fs::read(secret.join("demo.wad")).unwrap();
    let paths = [secret.join("demo.wad"), PathBuf::from("link.wad")];
    #[cfg(unix)]
    std::os::unix::fs::symlink("../secret/demo.wad", desk.join("open/link.wad")).unwrap();
    for path in paths.iter().take(if cfg!(unix) { 2 } else { 1 }) {
        let path = path.display().to_string();
        for form in &forms {
            let command = form.replace("[PATH]", "PATH").replace("PATH", &format!("\"{path}\""));
            let reason = client.run(&command).unwrap_err();
            assert!(reason.contains("not in a folder that may be used"), "{form} {path}: {reason}");
        }
        for (tool, argument) in [("open", "path"), ("save", "path"), ("files", "folder")] {
            let reason = client.call(tool, json!({ argument: path })).unwrap_err();
            assert!(reason.contains("not in a folder that may be used"), "{tool} {path}: {reason}");
        }
    }
    assert_eq!(fs::read(secret.join("demo.wad")).unwrap(), before);
    client.call("save", json!({ "path": "copy.wad" })).unwrap();
    assert!(desk.join("open/copy.wad").exists());
}

#[cfg(unix)]
#[test]
fn a_search_for_textures_reads_no_image_through_a_link_that_leads_outside() {
    let desk = desk("textures");
    let picture = root().join("data/icon/keypose.png");
    let model = "newmtl m\nmap_Kd lost.png\n";
    fs::write(desk.join("open/a.mtl"), model).unwrap();
    let object = "mtllib a.mtl\nusemtl m\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\nf 1/1 2/2 3/3\n";
    fs::write(desk.join("open/a.obj"), object).unwrap();
    fs::copy(&picture, desk.join("secret/lost.png")).unwrap();
    fs::create_dir(desk.join("open/textures")).unwrap();
    std::os::unix::fs::symlink("../../secret/lost.png", desk.join("open/textures/lost.png")).unwrap();
    let mut client = Client::start(&desk);
    client.call("open", json!({ "path": "a.obj" })).unwrap();
    for outside in ["../secret", "textures/../../secret"] {
        let reason = client.run(&format!("find-textures {outside}")).unwrap_err();
        assert!(reason.contains("not in a folder that may be used"), "{reason}");
    }
    let found = client.run("find-textures textures").unwrap();
    assert!(found.contains("Found 0 of 1") && found.contains("not in a folder that may be used"), "{found}");
    fs::remove_file(desk.join("open/textures/lost.png")).unwrap();
    fs::copy(&picture, desk.join("open/textures/lost.png")).unwrap();
    assert!(client.run("find-textures textures").unwrap().contains("Found 1 of 1"));
}

#[test]
fn broken_messages_get_errors_and_the_server_lives_on() {
    let desk = desk("garbage");
    let mut client = Client::start(&desk);
    for garbage in [b"{\n".as_slice(), b"\xff\xfe\xc0\n"] {
        client.input.as_mut().unwrap().write_all(garbage).unwrap();
        assert_eq!(client.read()["error"]["code"], -32_700);
    }
    let missing = client.request("tools/call", json!({ "name": "open", "arguments": {} }));
    assert_eq!(missing["error"]["message"], "open: path is missing");
    assert_eq!(client.request("ping", json!({}))["result"], json!({}));
    client.call("open", json!({ "path": "demo" })).unwrap();
    client.finish();
}

#[test]
fn a_save_after_a_refused_open_opens_nothing() {
    let desk = desk("refused-open");
    let mut client = Client::start(&desk);
    client.call("open", json!({ "path": "demo" })).unwrap();
    client.run("rename-model hero").unwrap();
    let refused = client.call("open", json!({ "path": "demo.wad", "unsaved": "save" })).unwrap_err();
    assert!(refused.contains("a path is required"), "{refused}");
    client.call("save", json!({ "path": "new.wad" })).unwrap();
    assert!(client.run("show models").unwrap().contains("hero"));
    client.finish();
}

#[test]
fn unsaved_work_comes_back_after_a_kill_and_after_a_normal_end() {
    let desk = desk("kill");
    let mut client = Client::start(&desk);
    client.call("open", json!({ "path": "demo.wad" })).unwrap();
    client.run("save-pose bow").unwrap();
    client.child.kill().unwrap();
    client.child.wait().unwrap();
    for _ in 0..2 {
        let mut client = Client::start(&desk);
        let opened = client.call("open", json!({ "path": "demo.wad" })).unwrap()[0]["text"].to_string();
        assert!(opened.contains("Recovered 1 step of the last session"), "{opened}");
        assert!(client.run("show poses; show dirty").unwrap().contains("bow\ndirty = yes"));
        client.finish();
    }
}

#[test]
fn the_official_client_understands_the_server() {
    let root = root();
    if !root.join("target/node/node_modules/@modelcontextprotocol/sdk").is_dir() {
        return needs::missing("node", "the SDK of the Model Context Protocol is missing");
    }
    let desk = desk("official");
    let mut node = Command::new("node");
    node.arg(root.join("tools/mcp_client.mjs")).arg(env!("CARGO_BIN_EXE_keypose")).arg(desk.join("open"));
    let Ok(output) = node.envs(keeps_in(&desk.state)).output() else {
        return needs::missing("node", "node is missing");
    };
    let (text, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    if text.contains("EGL") {
        return needs::missing("gl", &text);
    }
    assert!(output.status.success(), "{text}{errors}");
    assert_eq!(
        text.replace('\r', ""),
        "keypose: 6 tools\nposed: another picture\nundone: the same picture\nrefused: true\n"
    );
}
