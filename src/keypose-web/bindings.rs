//! Writes the JavaScript and the smaller module of a player that was compiled: `web-bindings MODULE FOLDER NAME`. With a fourth argument,
//! the demo archive, also what the page of the editor carries: `demo.wad` and `icons.ttf`.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use keypose_editor::editor::panels::ui::fonts::{ICON_FONT, ICONS};
use wasm_bindgen_cli_support::Bindgen;

mod slim;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let written = match arguments.as_slice() {
        [module, folder, name] => bindings(module, folder, name),
        [module, folder, name, demo] => bindings(module, folder, name).and_then(|()| carried(demo, folder.as_ref())),
        _ => Err("usage: web-bindings MODULE FOLDER NAME [DEMO]".to_owned()),
    };
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn bindings(module: &str, folder: &str, name: &str) -> Result<(), String> {
    let mut bindgen = Bindgen::new();
    bindgen
        .input_path(module)
        .out_name(name)
        .typescript(false)
        .remove_name_section(true)
        .remove_producers_section(true);
    let made = bindgen.no_modules(true).and_then(|bindgen| bindgen.generate(folder));
    made.map_err(|error| format!("{module}: {error:#}"))
}

fn carried(demo: &str, folder: &Path) -> Result<(), String> {
    let archive = fs::read(demo).map_err(|error| format!("{demo}: {error}"))?;
    let write =
        |name: &str, bytes: Vec<u8>| fs::write(folder.join(name), bytes).map_err(|error| format!("{name}: {error}"));
    write("demo.wad", slim::authored_without_sounds(&archive)?)?;
    write("icons.ttf", slim::with_glyphs(ICON_FONT, ICONS.iter().map(|icon| char::from(*icon)))?)
}
