"""The limits of deploy/systemd/musette.service as this machine can apply them without systemd: its filter of system calls
(libseccomp, which systemd uses too, and the groups that systemd-analyze lists), its limit of open files, its user's lack of
rights."""

import ctypes
import errno
import functools
import os
import re
import subprocess

import seccomp
from staging import DEPLOY

UNIT = DEPLOY / "systemd/musette.service"
# Of clone(2): what RestrictNamespaces= denies.
NAMESPACES = 0x00000080 | 0x00020000 | 0x02000000 | 0x04000000 | 0x08000000 | 0x10000000 | 0x20000000 | 0x40000000
PROT_WRITE, PROT_EXEC = 2, 4


def directives(name):
    """The values of a directive, in the order of the file."""
    return re.findall(rf"^{name}=(.*)$", UNIT.read_text(), re.M)


def groups():
    """Each group of systemd with its system calls."""
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
    """The system calls that the unit allows: systemd.exec(5), SystemCallFilter=."""
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
    """The limits of open files, soft and hard."""
    return (int(directives("LimitNOFILE")[0]),) * 2


def install():
    """Gives up, in a new process, what the unit takes from it."""
    os.umask(0o077)
    denied = seccomp.ERRNO(getattr(errno, directives("SystemCallErrorNumber")[0]))
    rules = seccomp.SyscallFilter(denied)
    for name in sorted(allowed()):
        for conditions in CONDITIONS.get(name, [[]]):
            try:
                rules.add_rule(seccomp.ALLOW, name, *conditions)
            except (RuntimeError, ValueError):
                # Not a system call of this processor.
                pass
    # Its flags are in memory, which no filter can read: the C library falls back to clone.
    if "clone3" in allowed():
        rules.add_rule(seccomp.ERRNO(errno.ENOSYS), "clone3")
    rules.load()


def only(argument, *values):
    return [[seccomp.Arg(argument, seccomp.EQ, value)] for value in values]


def masked(argument, mask, *values):
    return [[seccomp.Arg(argument, seccomp.MASKED_EQ, mask, value)] for value in values]


# RestrictAddressFamilies=, RestrictNamespaces=, MemoryDenyWriteExecute=. `clone3` has a rule of its own.
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
