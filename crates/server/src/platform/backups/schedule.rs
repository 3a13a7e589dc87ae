//! Scheduled backups: the server makes them, and keeps the newest ones in a directory.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use musette_core::instant::Instant;
use musette_store::{AuditEvent, Store};

use super::file::{BackupError, PARTIAL, write};
use crate::platform::random;

const PREFIX: &str = "musette-";
const SUFFIX: &str = ".backup";
/// The actor of the audit event.
const SCHEDULE: &str = "schedule";
const UNIT_SECONDS: [(char, u64); 4] = [('s', 1), ('m', 60), ('h', 60 * 60), ('d', 24 * 60 * 60)];
/// A backup whose name is further in the future was made with a wrong clock, and is not the newest.
const CLOCK_TOLERANCE: Duration = Duration::from_secs(60);
/// An incomplete file that is older than this is left from a process that was killed.
const ABANDONED_AFTER: Duration = Duration::from_secs(24 * 60 * 60);

/// The interval and the directory of scheduled backups.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BackupSchedule {
    pub every: Duration,
    /// The number of backups that are kept.
    pub keep: usize,
    pub directory: PathBuf,
}

/// Parses an interval such as `90s`, `30m`, `6h` or `1d`.
pub fn interval(text: &str) -> Result<Duration, String> {
    let parsed = UNIT_SECONDS.iter().find_map(|(unit, seconds)| {
        let number: u64 = text.strip_suffix(*unit)?.parse().ok()?;
        number.checked_mul(*seconds)
    });
    match parsed {
        Some(seconds) if seconds > 0 => Ok(Duration::from_secs(seconds)),
        _ => Err("it must be a number with one of the units s, m, h, d, such as 6h".into()),
    }
}

impl BackupSchedule {
    /// Makes a backup if the newest one is older than the interval.
    pub async fn run(&self, store: &Store, now: Instant) -> Result<(), BackupError> {
        let named = |error| BackupError::File(self.directory.clone(), error);
        let newest = self.newest(now).map_err(named)?;
        if newest.is_some_and(|(at, _)| now.since(at) < self.every) {
            return Ok(());
        }
        remove_abandoned(&self.directory).map_err(named)?;
        let path = self.directory.join(file_name(now));
        let rows = write(store, &path, |_| ()).await?;
        tracing::info!(path = %path.display(), rows, "a backup was made and verified");
        for (_, old) in self.all().map_err(named)?.into_iter().rev().skip(self.keep) {
            std::fs::remove_file(&old).map_err(|error| BackupError::File(old, error))?;
        }
        let event = AuditEvent {
            id: random::uuid(),
            event: "backup_made",
            subject: None,
            sid: None,
            detail: None,
            actor: Some(SCHEDULE.to_owned()),
        };
        Ok(store.audit(&event, now).await?)
    }

    /// Returns the newest backup in the directory.
    pub fn newest(&self, now: Instant) -> io::Result<Option<(Instant, PathBuf)>> {
        let latest = now.plus(CLOCK_TOLERANCE);
        Ok(self.all()?.into_iter().rev().find(|(at, _)| *at <= latest))
    }

    /// Returns all backups, the oldest first. Ignores other files, which must be neither counted
    /// nor deleted.
    fn all(&self) -> io::Result<Vec<(Instant, PathBuf)>> {
        let mut backups = Vec::new();
        for entry in std::fs::read_dir(&self.directory)? {
            let entry = entry?;
            let name = entry.file_name();
            backups.extend(name.to_str().and_then(time_of_name).map(|at| (at, entry.path())));
        }
        backups.sort();
        Ok(backups)
    }
}

/// Returns a name such as `musette-20261123T001500Z.backup`.
fn file_name(now: Instant) -> String {
    let text = now.to_string();
    let seconds = text.split('.').next().unwrap_or_default();
    format!("{PREFIX}{}Z{SUFFIX}", seconds.replace(['-', ':'], ""))
}

fn time_of_name(name: &str) -> Option<Instant> {
    let time = name.strip_prefix(PREFIX)?.strip_suffix(SUFFIX)?;
    let part = |range: std::ops::Range<usize>| time.get(range);
    let (date, clock) = (part(0..8)?, part(9..15)?);
    let text = format!(
        "{}-{}-{}T{}:{}:{}Z",
        &date[..4],
        &date[4..6],
        &date[6..],
        &clock[..2],
        &clock[2..4],
        &clock[4..]
    );
    let at = Instant::parse_strict(&text).ok()?;
    (file_name(at) == name).then_some(at)
}

/// Removes abandoned files, which only exist on file systems without unnamed files.
fn remove_abandoned(directory: &Path) -> io::Result<()> {
    for entry in std::fs::read_dir(directory)? {
        let entry = entry?;
        let name = entry.file_name();
        let target = name.to_str().and_then(|name| name.strip_suffix(PARTIAL));
        if target.and_then(time_of_name).is_none() {
            continue;
        }
        let age = entry.metadata()?.modified()?.elapsed().unwrap_or_default();
        if age > ABANDONED_AFTER {
            std::fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_a_number_with_a_unit() {
        for (text, seconds) in [("90s", 90), ("30m", 1800), ("6h", 21_600), ("2d", 172_800)] {
            assert_eq!(interval(text), Ok(Duration::from_secs(seconds)));
        }
        for text in ["", "6", "h", "0h", "-1h", "1.5h", "6 h", "6H", "99999999999999999999d"] {
            assert!(interval(text).is_err(), "{text}");
        }
        assert!(interval("999999999999999999d").is_err(), "it does not overflow");
    }

    #[test]
    fn names_a_file_by_its_time() {
        let at = Instant::parse_strict("2026-11-23T00:15:07Z").expect("an instant");
        assert_eq!(file_name(at), "musette-20261123T001507Z.backup");
        assert_eq!(time_of_name(&file_name(at)), Some(at));
        for other in [
            "musette-.backup",
            "musette-20261123T001507Z.backup.partial",
            "musette-2026112éT001507Z.backup",
            "musette-20261323T001507Z.backup",
            "other-20261123T001507Z.backup",
        ] {
            assert_eq!(time_of_name(other), None, "{other}");
        }
    }

    /// Foreign files remain, and a file from the future neither counts nor stops the schedule.
    #[test]
    fn finds_the_newest_backup_among_other_files() {
        let directory = tempfile::tempdir().expect("a directory");
        let schedule = BackupSchedule {
            every: Duration::from_secs(3600),
            keep: 2,
            directory: directory.path().to_owned(),
        };
        let now = Instant::parse_strict("2026-11-23T00:00:00Z").expect("an instant");
        assert_eq!(schedule.newest(now).expect("it is read"), None);
        for name in [
            "musette-20361123T000000Z.backup",
            "musette-20261122T230000Z.backup",
            "musette-20261122T220000Z.backup",
            "notes.txt",
        ] {
            std::fs::write(directory.path().join(name), "").expect("a file");
        }
        let newest = schedule.newest(now).expect("it is read").expect("there is one");
        assert!(newest.1.ends_with("musette-20261122T230000Z.backup"), "{newest:?}");
        assert_eq!(schedule.all().expect("it is read").len(), 3);
    }
}
