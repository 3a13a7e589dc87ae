//! Files that only the server may read: whoever has the store can sign tokens.

use std::fs::{self, DirBuilder, File, Metadata, Permissions};
use std::io::{self, Read as _};
use std::os::unix::fs::{
    DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _,
};
use std::path::Path;

use rustix::fs::Mode;
use rustix::process::{geteuid, umask};

use crate::random;

const DIRECTORY: u32 = 0o700;
const FILE: u32 = 0o600;
/// Anything that the group or others may do.
const OTHERS: u32 = 0o077;
/// A directory in which everybody may make files, such as `/tmp`.
const STICKY: u32 = 0o1000;

const DATABASE: [&str; 4] =
    ["musette.db", "musette.db-wal", "musette.db-shm", "musette.db-journal"];
const FOLDERS: [&str; 3] = ["flags", "documents", "web"];

/// From now on no file that this process or a child makes can be read by others, whatever the umask
/// was that it was started with.
pub fn from_the_start() {
    umask(Mode::from_bits_truncate(OTHERS));
}

/// Makes the directory of a store if it is not there.
pub fn make_directory(directory: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(DIRECTORY).create(directory)
}

/// A file that has no name, and is gone with the process.
pub fn unnamed_file(directory: &Path) -> io::Result<File> {
    make_directory(directory)?;
    let path = directory.join(format!(".{}", random::hex::<16>()));
    let mut options = File::options();
    let file = options.read(true).write(true).create_new(true).mode(FILE).open(&path)?;
    fs::remove_file(path)?;
    Ok(file)
}

/// Whether a file may be written to this path: nothing is there, or an older file of the same kind, which begins so. An
/// error is why not.
pub fn check_replaceable(path: &Path, begins_with: &[u8]) -> Result<(), String> {
    if path == Path::new("-") {
        return Err("a file must be named: this is not written to the standard output".into());
    }
    let Some(found) = found(path)? else { return Ok(()) };
    if found.is_dir() {
        return Err("it is a directory".into());
    }
    if found.is_file() && (found.len() == 0 || begins(path, begins_with)) {
        return Ok(());
    }
    Err("something else is there already, and is not overwritten".into())
}

fn begins(path: &Path, with: &[u8]) -> bool {
    let mut first = vec![0; with.len()];
    File::open(path).and_then(|mut file| file.read_exact(&mut first)).is_ok() && first == with
}

/// Refuses a file with a secret that other users can read. Its group may only where that is how this process reads it, as
/// in a mounted secret of Kubernetes.
pub fn check_secret(path: &Path) -> Result<(), String> {
    let metadata = fs::metadata(path).map_err(|error| error.to_string())?;
    let others = if metadata.uid() == geteuid().as_raw() { 0o077 } else { 0o037 };
    if metadata.is_file() && metadata.mode() & others != 0 {
        let mode = metadata.mode() & 0o777;
        return Err(format!(
            "other users can read it (mode {mode:04o}): chmod 0400 {}",
            path.display()
        ));
    }
    Ok(())
}

/// Tightens what an earlier version, or somebody's copy, has left open; an error is what to type.
pub fn tighten(directory: &Path) -> Result<(), String> {
    let Some(found) = found(directory)? else { return Ok(()) };
    if !found.is_dir() {
        return Err("it is no directory".into());
    }
    if found.mode() & STICKY != 0 {
        return Err("everybody may write there; give the store a directory of its own".into());
    }
    // A system's directory is not ours to close, only because a store was put into it.
    if !(geteuid().is_root() && holds_others(directory)) {
        restrict(directory, &found, DIRECTORY, directory)?;
    }
    for name in DATABASE {
        restrict_if_there(&directory.join(name), FILE, directory)?;
    }
    for name in FOLDERS {
        let folder = directory.join(name);
        restrict_if_there(&folder, DIRECTORY, directory)?;
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            restrict_if_there(&entry.path(), FILE, directory)?;
        }
    }
    Ok(())
}

fn found(path: &Path) -> Result<Option<Metadata>, String> {
    match fs::metadata(path) {
        Ok(found) => Ok(Some(found)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error.to_string()),
    }
}

fn holds_others(directory: &Path) -> bool {
    fs::read_dir(directory).into_iter().flatten().flatten().any(|entry| {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        !DATABASE.contains(&&*name) && !FOLDERS.contains(&&*name) && name != "lost+found"
    })
}

fn restrict_if_there(path: &Path, mode: u32, directory: &Path) -> Result<(), String> {
    match found(path)? {
        Some(found) => restrict(path, &found, mode, directory),
        None => Ok(()),
    }
}

fn restrict(path: &Path, found: &Metadata, mode: u32, directory: &Path) -> Result<(), String> {
    if found.mode() & OTHERS == 0 {
        return Ok(());
    }
    // Through a link it is somebody else's file that would change.
    let is_link = fs::symlink_metadata(path).is_ok_and(|it| it.is_symlink());
    if !is_link && fs::set_permissions(path, Permissions::from_mode(mode)).is_ok() {
        tracing::warn!(path = %path.display(), "others could read it; they cannot any more");
        return Ok(());
    }
    let (uid, directory) = (geteuid().as_raw(), directory.display());
    Err(format!(
        "others can read {}, and it is not ours to change; type: sudo chown -RL {uid} {directory} && sudo chmod -R go= {directory}",
        path.display()
    ))
}
