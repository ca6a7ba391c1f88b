//! Writes the JavaScript and the smaller module of a player that was compiled: `web-bindings MODULE FOLDER NAME`.

use std::process::ExitCode;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let [module, folder, name] = match std::env::args().skip(1).collect::<Vec<_>>().try_into() {
        Ok(both) => both,
        Err(_) => {
            eprintln!("usage: web-bindings MODULE FOLDER NAME");
            return ExitCode::FAILURE;
        }
    };
    let [module, folder, name]: [String; 3] = [module, folder, name];
    let mut bindgen = Bindgen::new();
    bindgen
        .input_path(&module)
        .out_name(&name)
        .typescript(false)
        .remove_name_section(true)
        .remove_producers_section(true);
    match bindgen.no_modules(true).and_then(|bindgen| bindgen.generate(&folder)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{module}: {error:#}");
            ExitCode::FAILURE
        }
    }
}
