//! Creates and checks files that only the server may read, because anyone who can read the store
//! can sign tokens.

use std::fs::{self, DirBuilder, File, Metadata, Permissions};
use std::io::{self, Read as _};
use std::os::unix::fs::{
    DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _,
};
use std::path::Path;

use rustix::fs::Mode;
use rustix::process::{geteuid, umask};

use super::random;

const DIRECTORY: u32 = 0o700;
const FILE: u32 = 0o600;
/// All permissions of the group and of other users.
const GROUP_AND_OTHERS: u32 = 0o077;
/// The sticky bit of a directory in which all users may create files, such as `/tmp`.
const STICKY: u32 = 0o1000;

const DATABASE: [&str; 4] =
    ["musette.db", "musette.db-wal", "musette.db-shm", "musette.db-journal"];
const FOLDERS: [&str; 3] = ["flags", "documents", "web"];

/// Sets the umask, so that other users cannot read files that this process or a child creates.
pub fn restrict_umask() {
    umask(Mode::from_bits_truncate(GROUP_AND_OTHERS));
}

/// Creates the directory of a store if it does not exist.
pub fn make_directory(directory: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(DIRECTORY).create(directory)
}

/// Creates an unnamed file, which disappears with the process.
pub fn unnamed_file(directory: &Path) -> io::Result<File> {
    make_directory(directory)?;
    let path = directory.join(format!(".{}", random::hex::<16>()));
    let mut options = File::options();
    let file = options.read(true).write(true).create_new(true).mode(FILE).open(&path)?;
    fs::remove_file(path)?;
    Ok(file)
}

/// Checks that a file may be written to this path: the path is free, or contains an older file of
/// the same kind, which starts with `begins_with`. Otherwise returns the reason.
pub fn check_replaceable(path: &Path, begins_with: &[u8]) -> Result<(), String> {
    if path == Path::new("-") {
        return Err(
            "give the name of a file: the output cannot be written to standard output".into()
        );
    }
    let Some(metadata) = metadata_of(path)? else { return Ok(()) };
    if metadata.is_dir() {
        return Err("it is a directory".into());
    }
    if metadata.is_file() && (metadata.len() == 0 || file_starts_with(path, begins_with)) {
        return Ok(());
    }
    Err("the file exists and is of another kind: it is not overwritten".into())
}

fn file_starts_with(path: &Path, with: &[u8]) -> bool {
    let mut first = vec![0; with.len()];
    File::open(path).and_then(|mut file| file.read_exact(&mut first)).is_ok() && first == with
}

/// Rejects a file with a secret that other users can read. Its group may read it only if this
/// process reads it through its group, as with a mounted secret of Kubernetes.
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

/// Removes permissions of other users, which an earlier version or a manual copy may have left.
/// Otherwise returns the command to run.
pub fn tighten(directory: &Path) -> Result<(), String> {
    let Some(metadata) = metadata_of(directory)? else { return Ok(()) };
    if !metadata.is_dir() {
        return Err("this is not a directory".into());
    }
    if metadata.mode() & STICKY != 0 {
        return Err(
            "all users may write to this directory: use a separate directory for the store".into(),
        );
    }
    // A system directory that contains other files as well must remain accessible.
    if !(geteuid().is_root() && has_unrelated_files(directory)) {
        restrict(directory, &metadata, DIRECTORY, directory)?;
    }
    for name in DATABASE {
        restrict_existing(&directory.join(name), FILE, directory)?;
    }
    for name in FOLDERS {
        let folder = directory.join(name);
        restrict_existing(&folder, DIRECTORY, directory)?;
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            restrict_existing(&entry.path(), FILE, directory)?;
        }
    }
    Ok(())
}

fn metadata_of(path: &Path) -> Result<Option<Metadata>, String> {
    match fs::metadata(path) {
        Ok(metadata) => Ok(Some(metadata)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error.to_string()),
    }
}

fn has_unrelated_files(directory: &Path) -> bool {
    fs::read_dir(directory).into_iter().flatten().flatten().any(|entry| {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        !DATABASE.contains(&&*name) && !FOLDERS.contains(&&*name) && name != "lost+found"
    })
}

fn restrict_existing(path: &Path, mode: u32, directory: &Path) -> Result<(), String> {
    match metadata_of(path)? {
        Some(metadata) => restrict(path, &metadata, mode, directory),
        None => Ok(()),
    }
}

fn restrict(path: &Path, metadata: &Metadata, mode: u32, directory: &Path) -> Result<(), String> {
    if metadata.mode() & GROUP_AND_OTHERS == 0 {
        return Ok(());
    }
    // A symbolic link is not followed, because its target may belong to another program.
    let is_link = fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink());
    if !is_link && fs::set_permissions(path, Permissions::from_mode(mode)).is_ok() {
        tracing::warn!(path = %path.display(), "tightened file permissions: other users could read this file");
        return Ok(());
    }
    let (uid, directory) = (geteuid().as_raw(), directory.display());
    Err(format!(
        "other users can read {}, and this process may not change its permissions; run: sudo chown -RL {uid} {directory} && sudo chmod -R go= {directory}",
        path.display()
    ))
}
