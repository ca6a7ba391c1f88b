//! `cargo run -p keypose-gen [FOLDER]`: writes what is generated into `data/`, or into the folder that is given.

use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data");
    let folder = std::env::args_os().nth(1).map_or_else(|| PathBuf::from(data), PathBuf::from);
    match write(&folder) {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("keypose-gen: {reason}");
            ExitCode::FAILURE
        }
    }
}

fn write(folder: &std::path::Path) -> Result<(), String> {
    for (name, bytes) in keypose_gen::files()? {
        let path = folder.join(name);
        let failed = |error: std::io::Error| format!("{}: {error}", path.display());
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).map_err(failed)?;
        }
        std::fs::write(&path, &bytes).map_err(failed)?;
        println!("data/{name}: {} bytes", bytes.len());
    }
    Ok(())
}
