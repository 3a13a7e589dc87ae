//! Backups: written to a file, verified, and made on a schedule.

mod file;
mod schedule;

pub use file::{BackupError, check, write};
pub use schedule::{BackupSchedule, interval};
