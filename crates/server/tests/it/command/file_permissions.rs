//! Other users of the machine can read neither the store nor the values of settings.

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use crate::app::{Start, TestApp};
use crate::store::{CommandResult, Engine, TestStore};
use crate::wire::{SUBMIT, accept, applicant};

on_both!(creates_private_files_with_any_umask);

/// Builds the command with umask 0, with which new files are readable by every user.
fn with_umask_0(store: &TestStore) -> Command {
    let program = store.program();
    let mut command = Command::new("sh");
    command.args(["-c", "umask 0; exec \"$0\" \"$@\""]).arg(program.get_program());
    command.current_dir(program.get_current_dir().expect("a directory"));
    for (name, value) in program.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command
}

/// Returns the path and everything below it.
fn tree(path: &Path) -> Vec<PathBuf> {
    let mut paths = vec![path.to_owned()];
    if path.is_dir() {
        let entries = fs::read_dir(path).expect("a folder");
        paths.extend(entries.flat_map(|entry| tree(&entry.expect("an entry").path())));
    }
    paths
}

#[track_caller]
fn assert_private(path: &Path) {
    for path in tree(path) {
        let metadata = fs::symlink_metadata(&path).expect("the path exists");
        let want = if metadata.is_dir() { 0o700 } else { 0o600 };
        assert_eq!(metadata.mode() & 0o7777, want, "{}: {:o}", path.display(), metadata.mode());
    }
}

fn creates_private_files_with_any_umask(engine: Engine) {
    let store = Arc::new(TestStore::missing(engine));
    let added = with_umask_0(&store).args(["user", "add", "--id", "r1"]).output();
    CommandResult::from(added.expect("it runs")).expect_success();
    let term = store.publish("FREELANCER", "A text", &[]);
    let app = TestApp::spawn(&store, Start::default(), with_umask_0(&store));
    app.post(SUBMIT).json(&applicant(&accept(&[term["id"].as_i64().expect("an id")]))).gives(201);
    let sha256 = term["sha256"].as_str().expect("a hash");
    app.get(&format!("/documents/{sha256}.pdf")).gives(200);
    app.get(&format!("/documents/{sha256}/manifest.json"))
        .header("accept-encoding", "gzip")
        .gives(200);
    store.command(&["key", "create", "--env", "production", "--kind", "client"]).expect_success();
    let saved = store.path("saved.backup");
    // An incomplete file of an earlier run gives no access either.
    fs::write(store.path("saved.backup.partial"), b"").expect("written");
    let backup = with_umask_0(&store).arg("backup").arg(&saved).output();
    CommandResult::from(backup.expect("it runs")).expect_success();
    assert_private(&saved);
    let names: Vec<String> =
        tree(&store.path("data")).iter().map(|path| path.display().to_string()).collect();
    for name in ["documents", "flags/served.json"] {
        assert!(names.iter().any(|path| path.contains(name)), "{name}: {names:?}");
    }
    assert_private(&store.path("data"));
    drop(app);
    assert_private(&store.path("data"));
}

#[test]
fn tightens_the_permissions_of_a_readable_store_at_the_start() {
    let store = Arc::new(TestStore::new(Engine::Sqlite));
    // The first run also creates the folders.
    drop(TestApp::serve_with(&store, Start::default()));
    for path in tree(&store.path("data")) {
        let mode = if path.is_dir() { 0o755 } else { 0o644 };
        fs::set_permissions(path, Permissions::from_mode(mode)).expect("ours");
    }
    let app = TestApp::serve_with(&store, Start::default());
    assert_private(&app.path("data"));
    let log = fs::read_to_string(app.path("serve.log")).expect("a log");
    assert!(log.contains("tightened file permissions"), "{log}");
}

#[test]
fn refuses_a_store_of_another_user_and_prints_the_fix() {
    if !rustix::process::geteuid().is_root() {
        // Only root can give files to other users.
        return;
    }
    let store = TestStore::new(Engine::Sqlite);
    fs::set_permissions(store.path(""), Permissions::from_mode(0o755)).expect("ours");
    for path in tree(&store.path("data")) {
        let mode = if path.is_dir() { 0o777 } else { 0o666 };
        fs::set_permissions(&path, Permissions::from_mode(mode)).expect("ours");
        chown(&path, Some(0), Some(0)).expect("root");
    }
    let program = store.program();
    // A copy of the program that another user may run.
    let copy = store.path("musette");
    fs::copy(program.get_program(), &copy).expect("copied");
    fs::set_permissions(&copy, Permissions::from_mode(0o755)).expect("ours");
    let mut command = Command::new("setpriv");
    command.args(["--reuid=65534", "--regid=65534", "--clear-groups"]).arg(&copy);
    command.current_dir(store.path("")).env("MUSETTE_DATA", store.path("data"));
    let output: CommandResult =
        command.args(["consents", "export"]).output().expect("setpriv runs").into();
    let data = store.path("data").display().to_string();
    let line = format!("run: sudo chown -RL 65534 {data} && sudo chmod -R go= {data}");
    output.failed(2, &line);
}

#[test]
fn refuses_a_directory_that_every_user_can_write() {
    let store = TestStore::missing(Engine::Sqlite);
    fs::create_dir(store.path("data")).expect("a folder");
    fs::set_permissions(store.path("data"), Permissions::from_mode(0o1777)).expect("ours");
    store.command(&["migrate"]).failed(2, "all users may write to this directory");
    assert_eq!(tree(&store.path("data")).len(), 1);
}

const SECRETS: [(&str, &str); 5] = [
    ("MUSETTE_DATABASE", "postgres://larkspur:hunter2@127.0.0.1:1/x?password=hunter2"),
    ("MUSETTE_CODE_DELIVERY", "smtps://larkspur:hunter2@mail.example"),
    ("MUSETTE_OIDC_CLIENT_SECRET", "hunter2"),
    ("MUSETTE_SECRETS_KEY_FILE", "/run/hunter2"),
    ("MUSETTE_OIDC_ISSUER", "https://hunter2.example"),
];

#[test]
fn help_shows_no_values_of_settings() {
    let store = TestStore::missing(Engine::Sqlite);
    let help = |command: &str| {
        let mut program = store.program();
        program.args(command.split_whitespace()).arg("--help").envs(SECRETS);
        CommandResult::from(program.output().expect("it runs")).expect_success()
    };
    let serve = help("serve");
    assert!(serve.contains("MUSETTE_DATABASE"), "{serve}");
    let all = [
        "",
        "serve",
        "migrate",
        "user",
        "user add",
        "user erase",
        "token issue",
        "terms publish",
        "consents export",
        "consents import",
        "log verify",
        "receipt verify",
        "flags import",
        "flags export",
        "flags diff",
        "flags types",
        "key create",
        "key revoke",
        "session rotate-keys",
        "backup",
        "restore",
        "secrets rotate",
        "secrets decrypt",
    ];
    for command in all {
        let output = help(command);
        assert!(!output.contains("hunter2"), "{command}: {output}");
    }
    // A value in the file becomes a default of the command line.
    store.file("musette.toml", b"database = \"postgres://larkspur:hunter2@127.0.0.1/x\"\n");
    let output = store.command(&["serve", "--help"]).expect_success();
    assert!(!output.contains("hunter2"), "{output}");
}

#[test]
fn errors_contain_no_password() {
    let store = TestStore::missing(Engine::Sqlite);
    for args in [
        ["--database", "postgre://larkspur:hunter2@127.0.0.1/x"],
        ["--database", "postgres://larkspur:hunter2@127.0.0.1:1/x"],
        ["--database", "postgres://larkspur:hunter2@127.0.0.1:port/x"],
        ["--code-delivery", "smpt://larkspur:hunter2@mail.example"],
        ["--code-delivery", "https:/hooks.example/hunter2"],
        ["--flag-key", "musette_server_hunter2"],
        ["--flag-key=musette_client_x", "postgres://larkspur:hunter2@127.0.0.1/x"],
    ] {
        let mut program = store.program();
        let output: CommandResult =
            program.arg("serve").args(args).output().expect("it ends").into();
        assert_eq!(
            (output.code, output.stderr.lines().count()),
            (Some(2), 1),
            "{args:?}: {output:?}"
        );
        assert!(!output.stderr.contains("hunter2"), "{args:?}: {output:?}");
    }
}
