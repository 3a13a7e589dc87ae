"""Tests which results bench/kept calls stale, in a temporary repository."""

import datetime
import importlib.machinery
import importlib.util
import pathlib
import subprocess
import tempfile
import unittest

PROGRAM = pathlib.Path(__file__).resolve().parents[2] / "bench/kept"
DAY = datetime.date(2026, 3, 1)


def loaded():
    loader = importlib.machinery.SourceFileLoader("kept", str(PROGRAM))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("kept", loader))
    loader.exec_module(module)
    return module


class Old(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.kept = loaded()
        self.kept.ROOT = self.root = pathlib.Path(folder.name)
        self.kept.MEASURED = {"part": ["measured"]}
        self.git("init", "--quiet")
        self.measured_at = self.commit("measured", "one")

    def git(self, *arguments):
        name = ["-c", "user.name=bench", "-c", "user.email=bench@example.org", "-c", "commit.gpgsign=false"]
        result = subprocess.run(["git", *name, *arguments], cwd=self.root, check=True, capture_output=True, text=True)
        return result.stdout.strip()

    def commit(self, path, text):
        (self.root / path).write_text(text)
        self.git("add", path)
        self.git("commit", "--quiet", "--message", text)
        return self.git("rev-parse", "--short=10", "HEAD")

    def why(self, date, commit=None):
        text = f"Machine: any\nCommit: {commit or self.measured_at}, {date}\nLoad average at the start: 0.10 0.20 0.30\n"
        return self.kept.old("part", self.kept.begun(text), DAY)

    def test_a_result_is_stale_after_thirty_days(self):
        self.assertIsNone(self.why("2026-01-30"))
        self.assertIn("31 days ago", self.why("2026-01-29"))

    def test_a_result_is_stale_after_a_change_of_the_measured_code_only(self):
        self.commit("other", "two")
        self.assertIsNone(self.why("2026-03-01"))
        self.commit("measured", "three")
        self.assertIn("1 commits since", self.why("2026-03-01"))

    def test_a_result_of_an_unknown_commit_is_stale(self):
        self.assertIn("not in this clone", self.why("2026-03-01", "0123456789"))
        self.assertIn("which commit", self.kept.old("part", self.kept.begun("Machine: any\n"), DAY))


if __name__ == "__main__":
    unittest.main()
