//! Sources of settings, and errors about invalid values.

use std::process::Stdio;
use std::sync::Arc;

use crate::app::{Start, TestApp};
use crate::store::{CommandResult, Engine, TestStore};

/// Runs a `serve` that cannot start and returns its output.
fn serve(store: &TestStore, args: &[&str], env: &[(&str, &str)]) -> CommandResult {
    let mut command = store.program();
    command.arg("serve").args(args).envs(env.iter().copied());
    command.stdin(Stdio::null()).output().expect("it runs").into()
}

#[test]
fn an_invalid_setting_stops_the_start_with_one_line_that_names_it() {
    let store = TestStore::new(Engine::Sqlite);
    store.file("a-file", b"");
    for (args, named) in [
        (vec!["--listen", "nonsense"], "--listen"),
        (vec!["--listen", "127.0.0.1:99999"], "--listen"),
        (vec!["--listen", "192.0.2.1:0"], "--listen"),
        (vec!["--listen", "127.0.0.1:0", "--metrics-listen", "nonsense"], "--metrics-listen"),
        (
            vec!["--listen", "127.0.0.1:0", "--metrics-listen", "127.0.0.1:99999"],
            "--metrics-listen",
        ),
        (vec!["--data", "a-file/data"], "--data"),
        (vec!["--database", "mysql://x"], "--database"),
        (vec!["--database", "postgres://127.0.0.1:1/x"], "--database"),
        (vec!["--public-url", "terms.example.com"], "--public-url"),
        (vec!["--public-url", "https://terms.example.com/path"], "--public-url"),
        (vec!["--trusted-proxies", "10.0.0.0/33"], "--trusted-proxies"),
        (vec!["--trusted-proxies", "proxy.example"], "--trusted-proxies"),
        (vec!["--cors-origins", "*"], "--cors-origins"),
        (vec!["--public-limits", "0,5"], "--public-limits"),
        (vec!["--public-limits", "many"], "--public-limits"),
        (vec!["--drain-delay", "-1"], "-1"),
        (vec!["--drain-delay", "soon"], "--drain-delay"),
        (vec!["--log-format", "xml"], "--log-format"),
        (vec!["--unknown"], "--unknown"),
        (vec!["surplus"], "surplus"),
    ] {
        serve(&store, &args, &[]).failed(2, named);
    }
    for (name, value, named) in [
        ("MUSETTE_LISTEN", "nonsense", "--listen"),
        ("MUSETTE_DATABASE", "mysql://x", "--database"),
        ("MUSETTE_DRAIN_DELAY", "soon", "--drain-delay"),
        ("MUSETTE_DEMO", "perhaps", "--demo"),
        ("MUSETTE_CLOCK_OFFSET", "later", "MUSETTE_CLOCK_OFFSET"),
        ("MUSETTE_LIMITS", "on", "MUSETTE_LIMITS"),
    ] {
        serve(&store, &[], &[(name, value)]).failed(2, named);
    }
    let nothing = store.command(&[]);
    assert_eq!(nothing.code, Some(2));
    store.command(&["unknown"]).failed(2, "unknown");
}

#[test]
fn refuses_test_settings_outside_of_tests() {
    let store = TestStore::new(Engine::Sqlite).with_rider("r1");
    for (name, value) in [
        ("MUSETTE_CLOCK_OFFSET", "5"),
        ("MUSETTE_LIMITS", "off"),
        ("MUSETTE_SESSION_REUSE_WINDOW", "5"),
        ("MUSETTE_STORE_WITHIN", "5"),
    ] {
        for test in ["", "0", "true"] {
            let env = [(name, value), ("MUSETTE_TEST", test)];
            serve(&store, &[], &env).failed(2, name);
            let mut command = store.program();
            command.args(["token", "issue", "--user", "r1"]).envs(env);
            CommandResult::from(command.output().expect("it runs")).failed(2, name);
        }
    }
    let mut command = store.program();
    command.args(["token", "issue", "--header", "{}", "--claims", "{}"]).env("MUSETTE_TEST", "");
    CommandResult::from(command.output().expect("it runs")).failed(2, "--claims");
}

#[test]
fn names_an_address_that_is_in_use() {
    let app = TestApp::start(Engine::Sqlite);
    let other = TestStore::new(Engine::Sqlite);
    serve(&other, &["--listen", &app.address], &[]).failed(2, "--listen");
}

#[test]
fn reads_the_settings_file_and_names_an_invalid_one() {
    let store = TestStore::new(Engine::Sqlite);
    for (text, named) in [
        ("listne = 'x'", "listne"),
        ("listen = ", "musette.toml"),
        ("listen = 1.5", "listen"),
        ("[serve]\nlisten = 'x'", "serve"),
        ("listen = 'nonsense'", "--listen"),
        ("drain_delay = 'soon'", "drain"),
        ("public-url = 'https://a.example'", "public-url"),
        ("database = 'mysql://x'", "--database"),
        // Arguments of a single command are not settings.
        ("title = 'x'", "title"),
    ] {
        store.file("musette.toml", text.as_bytes());
        serve(&store, &[], &[]).failed(2, named);
    }
    store.file("musette.toml", b"\xff");
    serve(&store, &[], &[]).failed(2, "musette.toml");
}

/// Each source takes precedence over the next one. The values set here are visible from outside.
#[test]
fn arguments_override_the_environment_which_overrides_the_file() {
    let store = Arc::new(TestStore::new(Engine::Sqlite));
    store.term("FREELANCER", &[]);
    let file = "public_url = 'https://file.example'\ncors_origins = ['https://f.example']\n\
                public_limits = '7,8'\n";
    store.file("musette.toml", file.as_bytes());
    let link = |args: &[&str], env: &[(&str, &str)]| {
        let app = TestApp::serve_with(&store, Start { args, env, ..Start::default() });
        let origin = app.get("/healthz").header("origin", "https://f.example").gives(200);
        assert_eq!(origin.header("access-control-allow-origin"), "https://f.example");
        let terms = app.get("/api/rooster/v3/public/terms").gives(200).json();
        let link = terms[0]["content"].as_str().expect("a link").to_owned();
        link.split("/documents").next().expect("an origin").to_owned()
    };
    let env = [("MUSETTE_PUBLIC_URL", "https://env.example")];
    assert_eq!(link(&[], &[]), "https://file.example");
    assert_eq!(link(&[], &env), "https://env.example");
    assert_eq!(link(&["--public-url", "https://line.example"], &env), "https://line.example");
    assert_eq!(link(&["--public-url", "https://line.example"], &[]), "https://line.example");
}

/// `data` from the file applies to every command. A relative path is below the working directory.
#[test]
fn commands_read_the_same_file() {
    let store = TestStore::new(Engine::Sqlite);
    store.file("musette.toml", b"data = 'from-the-file'\n");
    let mut command = store.program();
    command.args(["user", "add", "--id", "r1"]).env_remove("MUSETTE_DATA");
    CommandResult::from(command.output().expect("it runs")).expect_success();
    assert!(store.path("from-the-file/musette.db").exists());
    store.command(&["user", "add", "--id", "r2"]).expect_success();
    assert!(store.path("data/musette.db").exists(), "the environment wins");
    store.command(&["user", "add", "--id", "r3", "--data", "line"]).expect_success();
    assert!(store.path("line/musette.db").exists(), "the command line wins");
}

/// A service starts with a file that is not in its working directory.
#[test]
fn a_named_file_replaces_the_one_in_the_directory() {
    let store = TestStore::new(Engine::Sqlite);
    store.file("musette.toml", b"data = 'from-the-directory'\n");
    let named = store.file("named.toml", b"data = 'from-the-named'\n");
    let user = |args: &[&str], env: &[(&str, &str)]| {
        let mut command = store.program();
        command.args(["user", "add", "--id", "r1"]).args(args).envs(env.iter().copied());
        CommandResult::from(command.env_remove("MUSETTE_DATA").output().expect("it runs"))
    };
    user(&["--config", &named], &[]).expect_success();
    assert!(store.path("from-the-named/musette.db").exists());
    user(&[], &[("MUSETTE_CONFIG", &named)]).expect_success();
    assert!(!store.path("from-the-directory").exists());
    // A file that is named explicitly must exist.
    user(&["--config", "nowhere.toml"], &[]).failed(2, "nowhere.toml");
    store.file("named.toml", b"listne = 'x'");
    user(&["--config", &named], &[]).failed(2, "named.toml");
}

#[test]
fn manual_pages_and_completions_name_settings_and_never_their_values() {
    let store = TestStore::new(Engine::Sqlite);
    store.file("musette.toml", b"oidc_client_secret = 'from-the-file'");
    let run = |args: &[&str]| {
        let mut command = store.program();
        command.args(args).env("MUSETTE_OIDC_CLIENT_SECRET", "from-the-environment");
        CommandResult::from(command.output().expect("it runs")).expect_success()
    };
    run(&["man", "pages"]);
    let page = |name| std::fs::read_to_string(store.path("pages").join(name)).expect("a page");
    assert!(page("musette.1").contains("musette\\-serve(1)"), "{}", page("musette.1"));
    let texts = ["bash", "zsh", "fish"].map(|shell| run(&["completions", shell]));
    for text in texts.iter().chain([&page("musette-serve.1")]) {
        assert!(text.contains("oidc") && text.contains("client"), "{text}");
        assert!(!text.contains("from-the-"), "{text}");
    }
}
