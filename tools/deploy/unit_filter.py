"""Applies the limits of deploy/systemd/musette.service without systemd: its filter of system calls (with libseccomp, which
systemd uses as well, and the groups that systemd-analyze lists), its limit of open files, and its missing privileges."""

import ctypes
import errno
import functools
import os
import re
import subprocess

import seccomp
from staging import DEPLOY

UNIT = DEPLOY / "systemd/musette.service"
# The flags of clone(2) that RestrictNamespaces= denies.
NAMESPACES = 0x00000080 | 0x00020000 | 0x02000000 | 0x04000000 | 0x08000000 | 0x10000000 | 0x20000000 | 0x40000000
PROT_WRITE, PROT_EXEC = 2, 4


def directives(name):
    """Returns the values of a directive, in the order of the file."""
    return re.findall(rf"^{name}=(.*)$", UNIT.read_text(), re.M)


def groups():
    """Returns a function that resolves a group of systemd to its system calls."""
    found, group = {}, None
    for line in subprocess.run(["systemd-analyze", "syscall-filter"], capture_output=True, text=True, check=True).stdout.splitlines():
        if line.startswith("@"):
            group = found.setdefault(line.strip(), [])
        elif line.startswith("    ") and group is not None and not line.strip().startswith("#"):
            group.append(line.strip())
        elif not line.strip():
            group = None

    def members(name):
        if not name.startswith("@"):
            return {name}
        return set().union(*(members(it) for it in found[name]))

    return members


@functools.cache
def allowed():
    """Returns the system calls that the unit allows: systemd.exec(5), SystemCallFilter=."""
    members = groups()
    calls = set()
    for index, line in enumerate(directives("SystemCallFilter")):
        denies = line.startswith("~")
        if index == 0:
            if denies:
                raise AssertionError("the unit has no list of allowed system calls")
            calls = members("@default")
        for name in line.lstrip("~").split():
            calls = calls - members(name) if denies else calls | members(name)
    return calls


def files():
    """Returns the soft and hard limits of open files."""
    return (int(directives("LimitNOFILE")[0]),) * 2


def install():
    """Installs the unit's restrictions in the current process, which must be new."""
    os.umask(0o077)
    denied = seccomp.ERRNO(getattr(errno, directives("SystemCallErrorNumber")[0]))
    rules = seccomp.SyscallFilter(denied)
    for name in sorted(allowed()):
        for conditions in CONDITIONS.get(name, [[]]):
            try:
                rules.add_rule(seccomp.ALLOW, name, *conditions)
            except (RuntimeError, ValueError):
                # This processor has no such system call.
                pass
    # The flags of clone3 are in memory, which no filter can read. With ENOSYS, the C library uses clone instead.
    if "clone3" in allowed():
        rules.add_rule(seccomp.ERRNO(errno.ENOSYS), "clone3")
    rules.load()


def only(argument, *values):
    return [[seccomp.Arg(argument, seccomp.EQ, value)] for value in values]


def masked(argument, mask, *values):
    return [[seccomp.Arg(argument, seccomp.MASKED_EQ, mask, value)] for value in values]


# RestrictAddressFamilies=, RestrictNamespaces=, MemoryDenyWriteExecute=. `clone3` has a separate rule above.
CONDITIONS = {
    "socket": only(0, *(int(getattr(__import__("socket"), family)) for family in directives("RestrictAddressFamilies")[0].split())),
    "clone": masked(0, NAMESPACES, 0),
    "unshare": masked(0, NAMESPACES, 0),
    "setns": [],
    "mmap": masked(2, PROT_WRITE | PROT_EXEC, 0, PROT_WRITE, PROT_EXEC),
    "mprotect": masked(2, PROT_EXEC, 0),
    "clone3": [],
}


def no_new_privileges():
    """prctl(PR_SET_NO_NEW_PRIVS)."""
    if ctypes.CDLL(None, use_errno=True).prctl(38, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl")
