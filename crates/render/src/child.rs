//! The process that meets the document. It limits itself before it reads the first byte; the
//! parent holds the clock and believes only a whole answer.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read, Write};
use std::panic;
use std::path::Path;
use std::process::{ExitCode, ExitStatus, Stdio};
use std::time::Duration;

use rlimit::{Resource, getrlimit, setrlimit};
use tokio::io::{AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, Command};

use super::{Limits, RenderError, Rendered, confinement, document, wire};

/// The hidden subcommand; its one argument is the limits as JSON.
pub const CHILD_COMMAND: &str = "render-document";

/// It could not limit itself or not be heard; a crash has other numbers.
const SETUP_FAILED: u8 = 3;

/// The last words of a crashing process are few.
const MAX_COMPLAINT_BYTES: u64 = 16 * 1024;

/// Address space, beside the limit of memory: the program and its libraries, and what the allocator reserves
/// for each thread.
const ADDRESS_SPACE_BYTES: u64 = 1024 * 1024 * 1024;

/// How far a document is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Pages that are drawn, in whatever order.
    pub page: usize,
    /// All pages of the document.
    pub pages: usize,
}

/// Renders in a child process of this executable, which limits its memory and is killed after
/// [`Limits::time`]. `tell` hears of each page that is drawn. With a `spool` the images are appended to that file as they
/// come, and are not in memory.
///
/// # Errors
///
/// [`RenderError::Unavailable`] when the child cannot be started; else as [`crate::render`].
pub async fn render_in_child(
    pdf: &[u8],
    limits: &Limits,
    tell: &(dyn Fn(Progress) + Sync),
    spool: Option<&File>,
) -> Result<Rendered, RenderError> {
    let program = std::env::current_exe().map_err(|error| unavailable(&error))?;
    ask_twice(&program, pdf, limits, tell, spool).await
}

/// Renders like [`render_in_child`] in a child process of `program`, because a test is not the server.
///
/// # Errors
///
/// Those of [`render_in_child`].
pub async fn render_in_child_of(
    program: &Path,
    pdf: &[u8],
    limits: &Limits,
    tell: &(dyn Fn(Progress) + Sync),
) -> Result<Rendered, RenderError> {
    ask_twice(program, pdf, limits, tell, None).await
}

async fn ask_twice(
    program: &Path,
    pdf: &[u8],
    limits: &Limits,
    tell: &(dyn Fn(Progress) + Sync),
    spool: Option<&File>,
) -> Result<Rendered, RenderError> {
    let answer = ask(program, pdf, limits, tell, spool).await;
    if answer != Err(RenderError::OutOfMemory) || limits.threads == 1 {
        return answer;
    }
    // Pages that are drawn at once share the memory, and one alone may have room.
    ask(program, pdf, &Limits { threads: 1, ..*limits }, tell, spool).await
}

async fn ask(
    program: &Path,
    pdf: &[u8],
    limits: &Limits,
    tell: &(dyn Fn(Progress) + Sync),
    spool: Option<&File>,
) -> Result<Rendered, RenderError> {
    if pdf.len() > limits.input_bytes {
        return Err(RenderError::TooLarge { limit_bytes: limits.input_bytes });
    }
    let settings = serde_json::to_string(limits).map_err(|error| unavailable(&error.into()))?;
    confinement::inherit_no_descriptors();
    let mut child = Command::new(program)
        .args([OsStr::new(CHILD_COMMAND), OsStr::new(&settings)])
        // Settings and secrets of the server are none of its business.
        .env_clear()
        .current_dir("/")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .map_err(|error| unavailable(&error))?;
    match tokio::time::timeout(limits.time, converse(&mut child, pdf, limits, tell, spool)).await {
        Ok(said) => conclude(said.map_err(|error| unavailable(&error))?, limits),
        Err(_) => {
            child.kill().await.map_err(|error| unavailable(&error))?;
            Err(timed_out(limits))
        }
    }
}

struct ChildOutput {
    status: ExitStatus,
    /// None: it is not whole.
    answer: Option<Result<Rendered, RenderError>>,
    complaint: Vec<u8>,
}

async fn converse(
    child: &mut Child,
    pdf: &[u8],
    limits: &Limits,
    tell: &(dyn Fn(Progress) + Sync),
    spool: Option<&File>,
) -> io::Result<ChildOutput> {
    let missing = || io::Error::other("the pipes of the child are gone");
    let mut stdin = child.stdin.take().ok_or_else(missing)?;
    let stdout = child.stdout.take().ok_or_else(missing)?;
    let stderr = child.stderr.take().ok_or_else(missing)?;
    let feed = async move {
        // A child that has died early says more by its status than by a broken pipe.
        let _broken_pipe = stdin.write_all(pdf).await;
        drop(stdin);
    };
    let mut complaint = Vec::new();
    let mut stderr = stderr.take(MAX_COMPLAINT_BYTES);
    let hear = async move {
        // The rest of a flood is not read; the pipe, closed at the end, ends who still writes.
        wire::read(&mut BufReader::new(stdout), limits, tell, spool).await
    };
    let ((), answer, overheard) = tokio::join!(feed, hear, stderr.read_to_end(&mut complaint));
    overheard?;
    drop(stderr);
    Ok(ChildOutput { status: child.wait().await?, answer: answer?, complaint })
}

fn conclude(said: ChildOutput, limits: &Limits) -> Result<Rendered, RenderError> {
    if said.status.success() {
        return said.answer.unwrap_or(Err(RenderError::Crashed));
    }
    let complaint = String::from_utf8_lossy(&said.complaint);
    tracing::warn!(status = %said.status, stderr = %complaint.trim_end(), "the rendering process of a document ended abnormally");
    if said.status.code() == Some(SETUP_FAILED.into()) {
        return Err(RenderError::Unavailable { reason: complaint.trim_end().to_owned() });
    }
    Err(match death(said.status) {
        Death::ProcessorTime => timed_out(limits),
        // Rust aborts with this sentence when an allocation is refused, and so does a thread
        // that finds no room for its stack.
        _ if complaint.contains("memory allocation of") => RenderError::OutOfMemory,
        Death::Killed => RenderError::OutOfMemory,
        Death::Other => RenderError::Crashed,
    })
}

enum Death {
    ProcessorTime,
    /// Not by us, who would have said that the time is over: the kernel was short of memory.
    Killed,
    Other,
}

#[cfg(unix)]
fn death(status: ExitStatus) -> Death {
    use std::os::unix::process::ExitStatusExt;
    // Numbers from POSIX; SIGXCPU is 24 on Linux and macOS.
    match status.signal() {
        Some(24) => Death::ProcessorTime,
        Some(9) => Death::Killed,
        _ => Death::Other,
    }
}

fn timed_out(limits: &Limits) -> RenderError {
    RenderError::TimedOut { limit_s: limits.time.as_secs() }
}

fn unavailable(error: &io::Error) -> RenderError {
    RenderError::Unavailable { reason: error.to_string() }
}

/// Runs the hidden subcommand [`CHILD_COMMAND`]; call it before any runtime or thread exists.
/// `settings` is the argument of the subcommand.
pub fn child_main(settings: &str) -> ExitCode {
    match serve(settings) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // The parent reads it; if it cannot be told, the exit code has said enough.
            let _unheard = writeln!(io::stderr(), "{error}");
            ExitCode::from(SETUP_FAILED)
        }
    }
}

fn serve(settings: &str) -> io::Result<()> {
    let limits: Limits = serde_json::from_str(settings)?;
    limit(&limits)?;
    let missing = confinement::confine()?;
    wire::write_mark(&mut io::stdout(), &missing)?;
    let mut pdf = Vec::new();
    // One byte more than allowed, so that too much is seen and not cut.
    io::stdin().lock().take(limits.input_bytes as u64 + 1).read_to_end(&mut pdf)?;
    let give = |drawn: document::Drawn| {
        wire::write_page(&mut io::stdout().lock(), &drawn).map_err(unheard)
    };
    let answer = panic::catch_unwind(|| document::render_each(&pdf, &limits, &give))
        .unwrap_or(Err(RenderError::Crashed));
    wire::write_answer(&mut io::stdout().lock(), &answer)
}

/// Nobody listens any more.
fn unheard(error: io::Error) -> RenderError {
    unavailable(&error)
}

pub(super) fn limit(limits: &Limits) -> io::Result<()> {
    let set = |resource: Resource, value: u64| {
        // Whoever started the server may have set a lower one, which cannot be raised.
        let (_, highest) = getrlimit(resource)?;
        setrlimit(resource, value.min(highest), value.min(highest))
    };
    // What it may write to, which is what it may fill; where the kernel does not count that, the other limit
    // holds.
    set(Resource::DATA, limits.memory_bytes)?;
    set(Resource::AS, limits.memory_bytes + ADDRESS_SPACE_BYTES)?;
    // Each thread may use a second a second.
    let threads = limits.threads.max(1) as u64;
    set(Resource::CPU, (limits.time + Duration::from_secs(1)).as_secs() * threads)?;
    // It writes to pipes only.
    set(Resource::FSIZE, 0)?;
    set(Resource::CORE, 0)
}
