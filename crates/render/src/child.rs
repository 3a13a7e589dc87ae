//! The child process that reads the document. It confines itself before it reads the first byte.
//! The parent enforces the time limit and accepts only a complete result.

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

/// The hidden subcommand. Its only argument is the limits as JSON.
pub const CHILD_COMMAND: &str = "render-document";

/// Exit code if the child could not confine itself or could not write. A crash has other codes.
const SETUP_FAILED: u8 = 3;

/// Maximum length of the error output. A crashing process writes little.
const MAX_STDERR_BYTES: u64 = 16 * 1024;

/// Address space in addition to the memory limit: for the program and its libraries, and for the
/// memory that the allocator reserves for each thread.
const ADDRESS_SPACE_BYTES: u64 = 1024 * 1024 * 1024;

/// The progress of rendering a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Number of pages that are drawn, in any order.
    pub page: usize,
    /// Number of pages of the document.
    pub pages: usize,
}

/// Renders in a child process of this executable. The child limits its memory and is killed after
/// [`Limits::time`]. `tell` is called for each page that is drawn. If there is a `spool`, the
/// images are appended to that file as they arrive, and are not kept in memory.
///
/// # Errors
///
/// Returns [`RenderError::Unavailable`] if the child cannot be started, otherwise the errors of
/// [`crate::render`].
pub async fn render_in_child(
    pdf: &[u8],
    limits: &Limits,
    tell: &(dyn Fn(Progress) + Sync),
    spool: Option<&File>,
) -> Result<Rendered, RenderError> {
    let program = std::env::current_exe().map_err(|error| unavailable(&error))?;
    render_with_retry(&program, pdf, limits, tell, spool).await
}

/// Renders like [`render_in_child`], in a child process of `program`. Tests need it because their
/// executable is not the server.
///
/// # Errors
///
/// Returns the errors of [`render_in_child`].
pub async fn render_in_child_of(
    program: &Path,
    pdf: &[u8],
    limits: &Limits,
    tell: &(dyn Fn(Progress) + Sync),
) -> Result<Rendered, RenderError> {
    render_with_retry(program, pdf, limits, tell, None).await
}

async fn render_with_retry(
    program: &Path,
    pdf: &[u8],
    limits: &Limits,
    tell: &(dyn Fn(Progress) + Sync),
    spool: Option<&File>,
) -> Result<Rendered, RenderError> {
    let result = run_child(program, pdf, limits, tell, spool).await;
    if result != Err(RenderError::OutOfMemory) || limits.threads == 1 {
        return result;
    }
    // Pages that are drawn at the same time share the memory. One page at a time may have enough.
    run_child(program, pdf, &Limits { threads: 1, ..*limits }, tell, spool).await
}

async fn run_child(
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
        // The child must not have the settings and secrets of the server.
        .env_clear()
        .current_dir("/")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .map_err(|error| unavailable(&error))?;
    match tokio::time::timeout(limits.time, exchange(&mut child, pdf, limits, tell, spool)).await {
        Ok(output) => conclude(output.map_err(|error| unavailable(&error))?, limits),
        Err(_) => {
            child.kill().await.map_err(|error| unavailable(&error))?;
            Err(timed_out(limits))
        }
    }
}

struct ChildOutput {
    status: ExitStatus,
    /// The result; `None` if it is not complete.
    result: Option<Result<Rendered, RenderError>>,
    stderr: Vec<u8>,
}

async fn exchange(
    child: &mut Child,
    pdf: &[u8],
    limits: &Limits,
    tell: &(dyn Fn(Progress) + Sync),
    spool: Option<&File>,
) -> io::Result<ChildOutput> {
    let missing = || io::Error::other("a pipe of the child process is missing");
    let mut stdin = child.stdin.take().ok_or_else(missing)?;
    let stdout = child.stdout.take().ok_or_else(missing)?;
    let stderr = child.stderr.take().ok_or_else(missing)?;
    let write_input = async move {
        // If the child died early, its exit status explains more than a broken pipe.
        let _broken_pipe = stdin.write_all(pdf).await;
        drop(stdin);
    };
    let mut stderr_bytes = Vec::new();
    let mut stderr = stderr.take(MAX_STDERR_BYTES);
    let read_result = async move {
        // A result over the limits is not read to its end. Closing the pipe then ends the child.
        wire::read(&mut BufReader::new(stdout), limits, tell, spool).await
    };
    let ((), result, stderr_read) =
        tokio::join!(write_input, read_result, stderr.read_to_end(&mut stderr_bytes));
    stderr_read?;
    drop(stderr);
    Ok(ChildOutput { status: child.wait().await?, result: result?, stderr: stderr_bytes })
}

fn conclude(output: ChildOutput, limits: &Limits) -> Result<Rendered, RenderError> {
    if output.status.success() {
        return output.result.unwrap_or(Err(RenderError::Crashed));
    }
    let stderr = String::from_utf8_lossy(&output.stderr);
    tracing::warn!(status = %output.status, stderr = %stderr.trim_end(), "the rendering process of a document ended abnormally");
    if output.status.code() == Some(SETUP_FAILED.into()) {
        return Err(RenderError::Unavailable { reason: stderr.trim_end().to_owned() });
    }
    Err(match cause_of_death(output.status) {
        Cause::ProcessorTime => timed_out(limits),
        // Rust aborts with this message if an allocation fails. So does a thread without enough
        // memory for its stack.
        _ if stderr.contains("memory allocation of") => RenderError::OutOfMemory,
        Cause::Killed => RenderError::OutOfMemory,
        Cause::Other => RenderError::Crashed,
    })
}

enum Cause {
    ProcessorTime,
    /// Killed, but not by the parent, which would have reported a timeout: the kernel was out of
    /// memory.
    Killed,
    Other,
}

#[cfg(unix)]
fn cause_of_death(status: ExitStatus) -> Cause {
    use std::os::unix::process::ExitStatusExt;
    // Signal numbers of POSIX. SIGXCPU is 24 on Linux and macOS.
    match status.signal() {
        Some(24) => Cause::ProcessorTime,
        Some(9) => Cause::Killed,
        _ => Cause::Other,
    }
}

fn timed_out(limits: &Limits) -> RenderError {
    RenderError::TimedOut { limit_s: limits.time.as_secs() }
}

fn unavailable(error: &io::Error) -> RenderError {
    RenderError::Unavailable { reason: error.to_string() }
}

/// Runs the hidden subcommand [`CHILD_COMMAND`]. It must be called before any runtime or thread
/// exists. `settings` is the argument of the subcommand.
pub fn child_main(settings: &str) -> ExitCode {
    match serve(settings) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // The parent reads this text. If it cannot be written, the exit code is enough.
            let _not_written = writeln!(io::stderr(), "{error}");
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
    // Reads one byte more than allowed, so that a document that is too large is detected.
    io::stdin().lock().take(limits.input_bytes as u64 + 1).read_to_end(&mut pdf)?;
    let send_page = |drawn: document::Drawn| {
        wire::write_page(&mut io::stdout().lock(), &drawn).map_err(parent_gone)
    };
    let result = panic::catch_unwind(|| document::render_each(&pdf, &limits, &send_page))
        .unwrap_or(Err(RenderError::Crashed));
    wire::write_answer(&mut io::stdout().lock(), &result)
}

/// Converts the error of writing to a parent that no longer reads.
fn parent_gone(error: io::Error) -> RenderError {
    unavailable(&error)
}

pub(super) fn limit(limits: &Limits) -> io::Result<()> {
    let set = |resource: Resource, value: u64| {
        // The limit of the server may be lower, and cannot be raised.
        let (_, highest) = getrlimit(resource)?;
        setrlimit(resource, value.min(highest), value.min(highest))
    };
    // Limits the writable memory. On kernels that do not count it, the other limit applies.
    set(Resource::DATA, limits.memory_bytes)?;
    set(Resource::AS, limits.memory_bytes + ADDRESS_SPACE_BYTES)?;
    // Each thread may use one second of processor time per second.
    let threads = limits.threads.max(1) as u64;
    set(Resource::CPU, (limits.time + Duration::from_secs(1)).as_secs() * threads)?;
    // The child writes only to pipes.
    set(Resource::FSIZE, 0)?;
    set(Resource::CORE, 0)
}
