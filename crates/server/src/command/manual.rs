//! Manual pages and completions, generated from the same arguments that the program parses.

use std::path::Path;

use clap::CommandFactory as _;
use clap_complete::Shell;

use super::{Cli, Failure, output};

const PROGRAM: &str = "musette";

/// Hides the values of environment variables in help texts, but not their names.
pub fn without_values(command: clap::Command) -> clap::Command {
    let nested: Vec<String> =
        command.get_subcommands().map(|subcommand| subcommand.get_name().to_owned()).collect();
    let command = command.mut_args(|arg| arg.hide_env_values(true));
    nested.into_iter().fold(command, |command, name| command.mut_subcommand(name, without_values))
}

/// Returns the command without values of a settings file or of the environment, which may be
/// secret.
fn command() -> clap::Command {
    without_values(Cli::command()).name(PROGRAM)
}

/// Prints the completions of a shell.
pub fn completions(shell: Shell) {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command(), PROGRAM, &mut script);
    output::print(format_args!("{}", String::from_utf8_lossy(&script)));
}

/// Writes `musette.1` and a page for each command.
pub fn write(directory: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(directory)?;
    Ok(clap_mangen::generate_to(command(), directory)?)
}
