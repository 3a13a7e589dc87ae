//! `musette.toml`: its settings become the defaults of the arguments with the same name, so that
//! the command line and the environment take precedence.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use crate::platform::text_file;

/// The default file in the working directory.
const FILE: &str = "musette.toml";
const OPTION: &str = "--config";
const VARIABLE: &str = "MUSETTE_CONFIG";

/// The file to read the settings from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingsFile {
    path: PathBuf,
    /// Whether the file was named explicitly, so that it must exist.
    is_named: bool,
}

impl SettingsFile {
    /// Finds the file: by `--config`, by the environment, or in the working directory. This happens
    /// before arguments are parsed, because the file contains their defaults.
    pub fn find() -> Self {
        Self::find_file(&std::env::args_os().collect::<Vec<_>>(), std::env::var_os(VARIABLE))
    }

    fn find_file(args: &[OsString], variable: Option<OsString>) -> Self {
        let named = argument(args).or(variable).filter(|path| !path.is_empty());
        let is_named = named.is_some();
        Self { path: named.map_or_else(|| FILE.into(), PathBuf::from), is_named }
    }

    /// Returns its path, if it exists.
    pub fn existing(&self) -> Option<&Path> {
        self.path.exists().then_some(&*self.path)
    }
}

fn argument(args: &[OsString]) -> Option<OsString> {
    let before = args.split(|arg| arg == "--").next().unwrap_or_default();
    before.iter().enumerate().find_map(|(index, arg)| {
        if arg == OPTION {
            return before.get(index + 1).cloned();
        }
        let text = arg.to_str()?.strip_prefix(OPTION)?.strip_prefix('=')?;
        Some(OsStr::new(text).to_owned())
    })
}

/// Sets the settings of the file as defaults of the command.
pub fn with_file(command: clap::Command, file: &SettingsFile) -> Result<clap::Command, String> {
    let name = file.path.display().to_string();
    let text = match text_file::read(&file.path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound && !file.is_named => {
            return Ok(command);
        }
        Err(error) => return Err(format!("{name} cannot be read: {error}")),
    };
    with_file_text(command, &text, &name)
}

fn with_file_text(
    mut command: clap::Command,
    text: &str,
    file: &str,
) -> Result<clap::Command, String> {
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| {
        format!("{file} is not TOML: {}", error.message().replace('\n', " "))
    })?;
    for (key, value) in table {
        let value = file_value(&key, value, file)?;
        let mut exists = false;
        let subcommands: Vec<String> =
            command.get_subcommands().map(|subcommand| subcommand.get_name().to_owned()).collect();
        for name in subcommands {
            command =
                command.mut_subcommand(name, |sub| set_default(sub, &key, &value, &mut exists));
        }
        if !exists {
            return Err(format!("{file}: the setting '{key}' does not exist"));
        }
    }
    Ok(command)
}

fn file_value(key: &str, value: toml::Value, file: &str) -> Result<String, String> {
    let text = |value: toml::Value| match value {
        toml::Value::String(text) => Some(text),
        toml::Value::Integer(number) => Some(number.to_string()),
        toml::Value::Boolean(flag) => Some(flag.to_string()),
        _ => None,
    };
    match value {
        toml::Value::Array(values) => {
            values.into_iter().map(text).collect::<Option<Vec<_>>>().map(|texts| texts.join(","))
        }
        value => text(value),
    }
    .ok_or_else(|| format!("{file}: the value of '{key}' has a type that no setting has"))
}

fn set_default(command: clap::Command, key: &str, value: &str, exists: &mut bool) -> clap::Command {
    // Only arguments with an environment variable are settings; the others are arguments of one
    // call.
    let is_setting = |arg: &clap::Arg| arg.get_id() == key && arg.get_env().is_some();
    let mut command = if command.get_arguments().any(is_setting) {
        *exists = true;
        let value = clap::builder::OsStr::from(value.to_owned());
        command.mut_arg(key, |arg| {
            // The value may be secret, and help would print it. A switch has no value.
            let has_value = arg.get_action().takes_values();
            let arg = arg.default_value(value);
            if has_value { arg.hide_default_value(true) } else { arg }
        })
    } else {
        command
    };
    let nested: Vec<String> =
        command.get_subcommands().map(|subcommand| subcommand.get_name().to_owned()).collect();
    for name in nested {
        command = command.mut_subcommand(name, |sub| set_default(sub, key, value, exists));
    }
    command
}

#[cfg(test)]
mod tests;
