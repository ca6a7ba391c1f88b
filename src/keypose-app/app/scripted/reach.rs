//! The files that the commands of a script may read and write: any, or those of some folders. Links are resolved; hard links
//! and links that other programs make meanwhile are not noticed.

use std::fs;
use std::path::{Path, PathBuf};

use crate::app::files::own_files::folder_of;

/// Which files may be used.
#[derive(Clone, Debug)]
pub enum Reach {
    Anywhere,
    /// Only files in these folders and the folders below them. The paths are canonical.
    Within(Vec<PathBuf>),
}

impl Reach {
    /// The folders with these paths.
    ///
    /// # Errors
    /// The folder that doesn't exist or can't be read.
    pub fn within(folders: &[PathBuf]) -> Result<Reach, String> {
        let folder = |path: &PathBuf| match fs::canonicalize(path) {
            Ok(folder) if folder.is_dir() => Ok(folder),
            Ok(_) => Err(format!("{}: this is a file, not a folder", path.display())),
            Err(error) => Err(format!("{}: {error}", path.display())),
        };
        folders.iter().map(folder).collect::<Result<_, _>>().map(Reach::Within)
    }

    /// Checks that a file or a folder may be used: neither its path nor a link on the way leads outside.
    ///
    /// # Errors
    /// One sentence with the path and the folders. It doesn't reveal whether the file exists.
    pub fn check(&self, path: &Path) -> Result<(), String> {
        let Reach::Within(folders) = self else { return Ok(()) };
        let is_inside = |real: &Path| folders.iter().any(|folder| real.starts_with(folder));
        // A model may read files of the folder that its path names, whatever it is a link to.
        let is_named_inside =
            || path.is_dir() || fs::canonicalize(folder_of(path)).is_ok_and(|folder| is_inside(&folder));
        match real(path) {
            Some(real) if is_inside(&real) && is_named_inside() => Ok(()),
            _ => Err(format!("{}: not in a folder that may be used: {}", path.display(), self.names())),
        }
    }

    /// The folders, separated by commas.
    pub fn names(&self) -> String {
        match self {
            Reach::Anywhere => "any".to_owned(),
            Reach::Within(folders) => {
                folders.iter().map(|folder| folder.display().to_string()).collect::<Vec<_>>().join(", ")
            }
        }
    }
}

/// The file that a path leads to: an existing one, or a new one in an existing folder. `None` for a link to nothing, which a save would
/// follow.
fn real(path: &Path) -> Option<PathBuf> {
    match fs::canonicalize(path) {
        Ok(real) => Some(real),
        Err(_) if fs::symlink_metadata(path).is_ok() => None,
        Err(_) => Some(fs::canonicalize(folder_of(path)).ok()?.join(path.file_name()?)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn neither_paths_nor_links_lead_outside() {
        use std::os::unix::fs::symlink;
        let base = std::env::temp_dir().join(format!("keypose-reach-{}", std::process::id()));
        let _ = fs::remove_dir_all(&base);
        for folder in ["in/sub", "also", "out", "in-other"] {
            fs::create_dir_all(base.join(folder)).unwrap();
        }
        for file in ["in/a.wad", "in/sub/b.glb", "out/c.wad", "in-other/d.wad"] {
            fs::write(base.join(file), "").unwrap();
        }
        let links = [
            ("../out/c.wad", "in/file-out.wad"),
            ("../out", "in/folder-out"),
            ("../out/new.wad", "in/nothing.wad"),
            ("sub/b.glb", "in/link.glb"),
            ("../in/sub/b.glb", "out/link.glb"),
            ("../also", "in/other"),
        ];
        links.iter().for_each(|(target, link)| symlink(target, base.join(link)).unwrap());
        let reach = Reach::within(&[base.join("in"), base.join("also")]).unwrap();
        let allowed =
            ["in", "in/a.wad", "in/new.wad", "in/sub/../a.wad", "in/link.glb", "also/new.wad", "in/other/x.wad"];
        for path in allowed {
            assert_eq!(reach.check(&base.join(path)), Ok(()), "{path}");
        }
        let refused = [
            "",
            "out",
            "out/c.wad",
            "in/../out/c.wad",
            "in/..",
            "in/sub/../..",
            "in-other/d.wad",
            "in/file-out.wad",
            "in/folder-out",
            "in/folder-out/c.wad",
            "in/folder-out/new.wad",
            "in/nothing.wad",
            "out/link.glb",
            "none/a.wad",
        ];
        for path in refused {
            let reason = reach.check(&base.join(path)).unwrap_err();
            assert!(reason.contains("not in a folder that may be used"), "{path}: {reason}");
        }
        assert_eq!(Reach::Anywhere.check(&base.join("out/c.wad")), Ok(()));
        assert!(Reach::within(&[base.join("in/a.wad")]).unwrap_err().contains("not a folder"));
        fs::remove_dir_all(base).unwrap();
    }
}
