//! What the process that reads a document may still do: compute, and use the three pipes that it was given.
//!
//! The kernel takes the rights away before the first byte of the document is read, and none can be taken back.
//! A kernel that lacks a protection is named in the log of the server: the others still hold.

use std::fmt::Display;
use std::io;

use close_fds::set_fds_cloexec;
use landlock::{
    ABI, Access, AccessFs, AccessNet, Ruleset, RulesetAttr, RulesetError, RulesetStatus, Scope,
};
use rustix::io::Errno;
use rustix::process::{Signal, nice, set_parent_process_death_signal};
use rustix::thread::set_no_new_privs;

mod system_calls;

/// Requests of riders come first: see nice(2).
const NICENESS: i32 = 5;
/// Beside standard input, output and error.
const FIRST_DESCRIPTOR: i32 = 3;

/// Closes every other descriptor of this process in the programs that it starts from now on. Rust opens each of its own
/// so; this is for one that a library or a service manager has left open.
pub(super) fn inherit_no_descriptors() {
    set_fds_cloexec(FIRST_DESCRIPTOR, &[]);
}

/// Gives up all rights that drawing does not need. Returns the protections that this machine lacks, each with the
/// reason.
///
/// # Errors
///
/// When the priority cannot be lowered, and not for want of a right.
pub(super) fn confine() -> io::Result<Vec<String>> {
    lower_priority()?;
    let mut missing = Vec::new();
    let mut need = |protection: &str, result: Result<(), String>| {
        missing.extend(result.err().map(|reason| format!("{protection}: {reason}")));
    };
    let signal = set_parent_process_death_signal(Some(Signal::KILL));
    need("PR_SET_PDEATHSIG", signal.map_err(text));
    need("PR_SET_NO_NEW_PRIVS", set_no_new_privs(true).map_err(text));
    need("Landlock", deny_files_and_network());
    need("seccomp", system_calls::allow_few().map_err(text));
    Ok(missing)
}

fn text(error: impl Display) -> String {
    error.to_string()
}

/// A filter of system calls may deny it, as that of a systemd unit does (`~@resources`): then the renderer has the
/// priority of the server.
fn lower_priority() -> io::Result<()> {
    match nice(NICENESS) {
        Ok(_) | Err(Errno::PERM | Errno::ACCESS) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// No rule allows anything: no file, directory, TCP port or abstract socket can be opened any more, and no signal sent
/// to another process.
fn deny_files_and_network() -> Result<(), String> {
    let restrict = || -> Result<RulesetStatus, RulesetError> {
        let rules = Ruleset::default()
            .handle_access(AccessFs::from_all(ABI::V6))?
            .handle_access(AccessNet::from_all(ABI::V6))?
            .scope(Scope::from_all(ABI::V6))?;
        Ok(rules.create()?.restrict_self()?.ruleset)
    };
    match restrict().map_err(text)? {
        RulesetStatus::NotEnforced => Err("the kernel does not have it".to_owned()),
        RulesetStatus::PartiallyEnforced | RulesetStatus::FullyEnforced => Ok(()),
    }
}
