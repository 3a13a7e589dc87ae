//! The process that reads documents has no rights: it computes and uses the three pipes that it
//! inherits.

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, Read as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use musette_render::{Limits, render_in_child_of};

use crate::store::{Engine, TestStore};
use crate::until::until;

const PROGRAM: &str = env!("CARGO_BIN_EXE_musette");

#[test]
fn a_renderer_opens_no_file_makes_no_socket_and_starts_no_program() {
    let probe = Command::new(PROGRAM).arg("probe-renderer").env_clear().output().expect("it runs");
    assert!(probe.status.success(), "{probe:?}");
    let text = String::from_utf8(probe.stdout).expect("UTF-8");
    let mut tried = 0;
    for line in text.lines() {
        let (what, result) = line.split_once(": ").expect("a name and a result");
        let expected = match what {
            "missing protections" => "",
            "variables" => "0",
            "start a thread" => "yes",
            _ => "PermissionDenied",
        };
        assert_eq!(result, expected, "{what}");
        tried += 1;
    }
    assert_eq!(tried, 14, "{text}");
}

/// Starts a renderer that waits for its document and returns its process with its mark. The process
/// ends with `Child`.
fn waiting(command: &mut Command) -> (std::process::Child, String) {
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
    let mut mark = [0; 8];
    let mut stdout = child.stdout.take().expect("a pipe");
    stdout.read_exact(&mut mark).expect("it is set up");
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).expect("it runs");
    (child, status)
}

#[test]
fn the_kernel_reports_a_confined_renderer() {
    let limits = serde_json::to_string(&Limits::default()).expect("JSON");
    let mut renderer = Command::new(PROGRAM);
    let (mut child, status) = waiting(renderer.args(["render-document", &limits]));
    child.kill().expect("ours");
    child.wait().expect("ours");
    let line = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        line.unwrap_or_default().trim().to_owned()
    };
    assert_eq!(line("NoNewPrivs:"), "1");
    assert_eq!(line("Seccomp:"), "2", "a filter");
}

/// Writes a program that stores everything it inherits from its parent into files next to itself.
fn curious(folder: &Path) -> std::path::PathBuf {
    let program = folder.join("curious");
    let text = "#!/bin/sh\nls -l /proc/$$/fd >\"$0.fd\"\ncat /proc/$$/environ >\"$0.environ\"\n";
    fs::write(&program, text).expect("a file");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o700)).expect("ours");
    program
}

#[tokio::test]
async fn a_renderer_inherits_neither_descriptors_nor_variables() {
    let store = TestStore::missing(Engine::Sqlite);
    let folder = store.path("");
    let secret = folder.join("secret");
    File::create(&secret).expect("a file");
    // Opens a descriptor without O_CLOEXEC, as a library might.
    let flags = rustix::fs::OFlags::RDONLY;
    let inherited = rustix::fs::open(&secret, flags, rustix::fs::Mode::empty()).expect("opens");
    let program = curious(&folder);
    let _no_renderer = render_in_child_of(&program, b"%PDF-", &Limits::default(), &|_| ()).await;
    drop(inherited);
    let open = fs::read_to_string(folder.join("curious.fd")).expect("it ran");
    assert!(open.contains(" 0 -> ") && !open.contains("secret"), "{open}");
    assert_eq!(fs::read(folder.join("curious.environ")).expect("it ran"), b"");
}

#[test]
fn a_renderer_ends_with_the_server_that_started_it() {
    let limits = serde_json::to_string(&Limits::default()).expect("JSON");
    // The shell takes the role of the server. The input of its child stays open, so that only the
    // signal can end it.
    let script = "exec 3<&0; \"$0\" render-document \"$1\" <&3 & echo $! >&2; wait";
    let mut shell = Command::new("sh");
    shell.args(["-c", script, PROGRAM, &limits]);
    shell.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut shell = shell.spawn().expect("a shell");
    let mut pid = String::new();
    let stderr = shell.stderr.take().expect("a pipe");
    BufReader::new(stderr).read_line(&mut pid).expect("a number");
    let process = format!("/proc/{}", pid.trim());
    let mut mark = [0; 8];
    let input = shell.stdin.take();
    let mut stdout = shell.stdout.take().expect("a pipe");
    stdout.read_exact(&mut mark).expect("it is set up");
    assert!(Path::new(&process).exists());
    shell.kill().expect("ours");
    shell.wait().expect("ours");
    let is_gone = || {
        let status = fs::read_to_string(format!("{process}/status")).unwrap_or_default();
        status.is_empty() || status.contains("Z (zombie)")
    };
    until("the renderer ends", is_gone);
    drop(input);
}
