//! Standard output and standard error of the commands. `println!` panics when a pipe is closed or a disk is full.

use std::fmt;
use std::io::{self, ErrorKind, Write as _};
use std::process;

use super::Failure;

/// Prints a line to standard output, as `println!` does. A command whose reader has gone ends quietly; any other error
/// ends it with one line and exit code 1.
macro_rules! out {
    ($($arg:tt)*) => { $crate::command::output::print(format_args!("{}\n", format_args!($($arg)*))) };
}

/// Prints a line to standard error. Errors are ignored, because there is nowhere to report them.
macro_rules! note {
    ($($arg:tt)*) => { $crate::command::output::note(format_args!("{}\n", format_args!($($arg)*))) };
}

/// Prints a text without a line break to standard output; ends the process if that fails.
pub fn print(text: fmt::Arguments<'_>) {
    match write(text) {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::BrokenPipe => process::exit(0),
        Err(error) => {
            note(format_args!("musette: standard output: {error}\n"));
            process::exit(1);
        }
    }
}

/// Prints a secret that is shown only once. The caller deletes what it belongs to if this fails.
pub fn print_once(secret: &str) -> Result<(), Failure> {
    write(format_args!("{secret}\n")).map_err(|error| {
        Failure::Refused(format!("standard output: {error}; the key was not shown and is revoked"))
    })
}

fn write(text: fmt::Arguments<'_>) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_fmt(text)?;
    stdout.flush()
}

pub fn note(text: fmt::Arguments<'_>) {
    let _ = io::stderr().lock().write_fmt(text);
}
