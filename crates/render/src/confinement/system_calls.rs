//! The filter of system calls. It allows only those that rendering needs; others fail with EPERM.

use std::collections::BTreeMap;
use std::env::consts::ARCH;

use libc::{c_int, c_long};
use seccompiler::{
    BackendError, BpfProgram, Error, SeccompAction, SeccompCmpArgLen, SeccompCmpOp,
    SeccompCondition, SeccompFilter, SeccompRule, apply_filter,
};

const INPUT: u64 = 0;
const OUTPUT: u64 = 1;
const ERRORS: u64 = 2;

/// System calls for memory, threads and time. None of them opens a file or a socket, or starts a
/// program.
const ALLOWED: &[c_long] = &[
    libc::SYS_brk,
    libc::SYS_clock_getres,
    libc::SYS_clock_gettime,
    libc::SYS_clock_nanosleep,
    libc::SYS_close,
    libc::SYS_exit,
    libc::SYS_exit_group,
    libc::SYS_fstat,
    libc::SYS_futex,
    libc::SYS_getpid,
    libc::SYS_getrandom,
    libc::SYS_gettid,
    libc::SYS_gettimeofday,
    libc::SYS_madvise,
    libc::SYS_membarrier,
    libc::SYS_mremap,
    libc::SYS_munmap,
    libc::SYS_nanosleep,
    libc::SYS_ppoll,
    libc::SYS_restart_syscall,
    libc::SYS_rseq,
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_sched_getaffinity,
    libc::SYS_sched_yield,
    libc::SYS_set_robust_list,
    libc::SYS_set_tid_address,
    libc::SYS_sigaltstack,
    libc::SYS_sysinfo,
];

/// Installs two filters. The first argument of `clone` distinguishes a thread from a process.
/// `clone3` has its flags in memory, which a filter cannot read. Therefore it fails with ENOSYS,
/// and the C library uses `clone` instead.
pub(super) fn allow_few() -> Result<(), Error> {
    let no_clone3 = BTreeMap::from([(libc::SYS_clone3, Vec::new())]);
    let unsupported = SeccompAction::Errno(libc::ENOSYS.unsigned_abs());
    apply_filter(&program(no_clone3, SeccompAction::Allow, unsupported)?)?;

    let denied = SeccompAction::Errno(libc::EPERM.unsigned_abs());
    apply_filter(&program(allowed()?, denied, SeccompAction::Allow)?)
}

fn program(
    rules: BTreeMap<i64, Vec<SeccompRule>>,
    otherwise: SeccompAction,
    on_match: SeccompAction,
) -> Result<BpfProgram, BackendError> {
    SeccompFilter::new(rules, otherwise, on_match, ARCH.try_into()?)?.try_into()
}

fn allowed() -> Result<BTreeMap<i64, Vec<SeccompRule>>, BackendError> {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> =
        ALLOWED.iter().map(|&call| (call, Vec::new())).collect();
    // The first filter handles this call.
    rules.insert(libc::SYS_clone3, Vec::new());
    let thread = SeccompCmpOp::MaskedEq(bits(libc::CLONE_THREAD));
    rules.insert(libc::SYS_clone, vec![rule(0, thread, bits(libc::CLONE_THREAD))?]);
    // Data passes only through the three pipes.
    let of_pipe = |pipe: u64| rule(0, SeccompCmpOp::Eq, pipe);
    for call in [libc::SYS_read, libc::SYS_readv] {
        rules.insert(call, vec![of_pipe(INPUT)?]);
    }
    for call in [libc::SYS_write, libc::SYS_writev] {
        rules.insert(call, vec![of_pipe(OUTPUT)?, of_pipe(ERRORS)?]);
    }
    // Memory must never become executable.
    let executable = || SeccompCmpOp::MaskedEq(bits(libc::PROT_EXEC));
    rules.insert(libc::SYS_mmap, vec![rule(2, executable(), 0)?]);
    rules.insert(libc::SYS_mprotect, vec![rule(2, executable(), 0)?]);
    // Names of threads, and of the allocator's memory.
    let option = |option: c_int| rule(0, SeccompCmpOp::Eq, bits(option));
    rules.insert(libc::SYS_prctl, vec![option(libc::PR_SET_NAME)?, option(libc::PR_SET_VMA)?]);
    // A crash sends a signal to the process itself.
    let process = u64::from(std::process::id());
    rules.insert(libc::SYS_tgkill, vec![rule(0, SeccompCmpOp::Eq, process)?]);
    Ok(rules)
}

fn bits(flags: c_int) -> u64 {
    u64::from(flags.unsigned_abs())
}

fn rule(argument: u8, operator: SeccompCmpOp, value: u64) -> Result<SeccompRule, BackendError> {
    let condition = SeccompCondition::new(argument, SeccompCmpArgLen::Dword, operator, value)?;
    SeccompRule::new(vec![condition])
}
