use clap::{CommandFactory as _, FromArgMatches as _};

use super::*;
use crate::command::{Cli, Command};

fn parsed(file: &str, args: &[&str]) -> Result<crate::settings::ServeArgs, String> {
    let command = with_file_text(Cli::command(), file, FILE)?;
    let args = ["musette", "serve"].into_iter().chain(args.iter().copied());
    let matches = command.try_get_matches_from(args).map_err(|error| error.to_string())?;
    match Cli::from_arg_matches(&matches).map_err(|error| error.to_string())?.command {
        Command::Serve(args) => Ok(*args),
        _ => Err("not serve".into()),
    }
}

#[test]
fn the_command_line_overrides_the_file_and_the_file_the_default() {
    let file = "listen = '127.0.0.1:1'\ndrain_delay = 3\ndemo = true\nallowed_hosts = ['a', 'b']";
    let args = parsed(file, &["--listen", "127.0.0.1:2"]).expect("good settings");
    assert_eq!(args.listen, "127.0.0.1:2");
    assert_eq!((args.drain_delay, args.demo), (3, true));
    assert_eq!(args.allowed_hosts, ["a", "b"]);
    assert_eq!(parsed("", &[]).expect("good settings").listen, "127.0.0.1:8080");
}

#[test]
fn names_the_invalid_setting_of_the_file() {
    for (file, expected) in [
        ("listne = 'x'", "listne"),
        ("id = 'x'", "id"),
        ("listen = 1.5", "listen"),
        ("listen = ", "musette.toml"),
        ("drain_delay = 'soon'", "drain"),
        ("public_limits = '0,1'", "public-limits"),
        ("database = 'mysql://x'", "database"),
        ("public_url = 'https://a/b'", "public-url"),
        ("flag_key = 'musette_server_0a'", "flag-key"),
        ("trusted_proxies = ['10.0.0.0/99']", "trusted-proxies"),
    ] {
        let error = parsed(file, &[]).expect_err(file);
        assert!(error.contains(expected), "{file}: {error}");
    }
}

fn find(args: &[&str], variable: Option<&str>) -> SettingsFile {
    let args: Vec<OsString> = args.iter().map(OsString::from).collect();
    SettingsFile::find_file(&args, variable.map(OsString::from))
}

#[test]
fn the_argument_overrides_the_environment_and_that_the_directory() {
    let named = |path: &str| SettingsFile { path: path.into(), is_named: true };
    assert_eq!(find(&["musette", "serve", "--config", "a"], Some("b")), named("a"));
    assert_eq!(find(&["musette", "--config=a", "serve"], None), named("a"));
    assert_eq!(find(&["musette", "serve"], Some("b")), named("b"));
    let in_the_directory = SettingsFile { path: FILE.into(), is_named: false };
    assert_eq!(find(&["musette", "serve"], Some("")), in_the_directory);
    assert_eq!(find(&["musette", "x", "--", "--config", "a"], None), in_the_directory);
}
