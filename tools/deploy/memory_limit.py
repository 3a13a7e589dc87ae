"""A memory limit for a process and its children, as a container engine sets it: a control group of either version. If a
control group cannot be created (not as root), the memory is measured instead, ten times a second."""

import os
import pathlib
import threading
import time

V1 = pathlib.Path("/sys/fs/cgroup/memory")
V2 = pathlib.Path("/sys/fs/cgroup")


class MemoryLimit:
    def __init__(self, limit):
        self.limit, self.folder, self.peak = limit, None, 0
        name = f"musette-deploy-{os.getpid()}"
        for folder, file in ((V1 / name, "memory.limit_in_bytes"), (V2 / name, "memory.max")):
            try:
                if folder.parent == V2 and "memory" not in (V2 / "cgroup.subtree_control").read_text():
                    continue
                folder.mkdir()
                (folder / file).write_text(str(limit))
                self.folder, self.is_v1 = folder, folder.parent == V1
                return
            except OSError:
                if folder.exists():
                    folder.rmdir()

    def enter(self):
        """Adds the calling process to the group."""
        if self.folder:
            (self.folder / "cgroup.procs").write_text("0")

    def watch(self, process):
        """Without a group, measures the process and its children until it ends."""
        if not self.folder:
            threading.Thread(target=self.measure, args=[process], daemon=True).start()

    def measure(self, process):
        while process.poll() is None:
            self.peak = max(self.peak, resident(process.pid))
            time.sleep(0.1)

    def check(self):
        """Returns the peak in bytes. Fails if the kernel ended a process because of the limit."""
        if not self.folder:
            if self.peak > self.limit:
                raise AssertionError(f"{self.peak} bytes exceed the limit of {self.limit}")
            return self.peak
        events = (self.folder / ("memory.oom_control" if self.is_v1 else "memory.events")).read_text()
        killed = [line for line in events.splitlines() if line.startswith("oom_kill ")]
        if killed and killed[0].split()[1] != "0":
            raise AssertionError(f"the kernel ended a process because of the memory limit: {events}")
        return int((self.folder / ("memory.max_usage_in_bytes" if self.is_v1 else "memory.peak")).read_text())

    def remove(self):
        if self.folder:
            self.folder.rmdir()

    def describe(self):
        return "in a control group" if self.folder else "measured, without a control group"


def resident(pid):
    """Returns the bytes of a process and of its children."""
    total, page = 0, os.sysconf("SC_PAGE_SIZE")
    for path in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            parent = int((path / "stat").read_text().rsplit(")", 1)[1].split()[1])
            if int(path.name) == pid or parent == pid:
                total += int((path / "statm").read_text().split()[1]) * page
        except (OSError, IndexError, ValueError):
            pass
    return total
