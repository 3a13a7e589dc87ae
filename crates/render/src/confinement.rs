//! Confines the process that reads a document: it can only compute and use its three pipes.
//!
//! The kernel removes the rights before the first byte of the document is read, and they cannot be
//! restored. If the kernel lacks a protection, the server logs it, and the other protections still
//! apply.

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

/// Lowers the priority below that of requests: see nice(2).
const NICENESS: i32 = 5;
/// The first descriptor after standard input, output and error.
const FIRST_DESCRIPTOR: i32 = 3;

/// Sets close-on-exec on all other descriptors of this process, so that programs it starts do not
/// inherit them. Rust does this for its own descriptors. This call is for those that a library or a
/// service manager left open.
pub(super) fn inherit_no_descriptors() {
    set_fds_cloexec(FIRST_DESCRIPTOR, &[]);
}

/// Gives up all rights that rendering does not need. Returns the protections that this machine
/// lacks, each with the reason.
///
/// # Errors
///
/// Returns an error if the priority cannot be lowered for another reason than missing permission.
pub(super) fn confine() -> io::Result<Vec<String>> {
    lower_priority()?;
    let mut missing = Vec::new();
    let mut require = |protection: &str, result: Result<(), String>| {
        missing.extend(result.err().map(|reason| format!("{protection}: {reason}")));
    };
    let signal = set_parent_process_death_signal(Some(Signal::KILL));
    require("PR_SET_PDEATHSIG", signal.map_err(text));
    require("PR_SET_NO_NEW_PRIVS", set_no_new_privs(true).map_err(text));
    require("Landlock", deny_files_and_network());
    require("seccomp", system_calls::allow_few().map_err(text));
    Ok(missing)
}

fn text(error: impl Display) -> String {
    error.to_string()
}

/// Lowers the priority. A filter of system calls may deny it, such as that of a systemd unit
/// (`~@resources`). The renderer then has the priority of the server.
fn lower_priority() -> io::Result<()> {
    match nice(NICENESS) {
        Ok(_) | Err(Errno::PERM | Errno::ACCESS) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Denies all access to files, TCP ports and abstract sockets, and signals to other processes.
/// There is no rule that allows anything.
fn deny_files_and_network() -> Result<(), String> {
    let restrict = || -> Result<RulesetStatus, RulesetError> {
        let rules = Ruleset::default()
            .handle_access(AccessFs::from_all(ABI::V6))?
            .handle_access(AccessNet::from_all(ABI::V6))?
            .scope(Scope::from_all(ABI::V6))?;
        Ok(rules.create()?.restrict_self()?.ruleset)
    };
    match restrict().map_err(text)? {
        RulesetStatus::NotEnforced => Err("the kernel does not support it".to_owned()),
        RulesetStatus::PartiallyEnforced | RulesetStatus::FullyEnforced => Ok(()),
    }
}
