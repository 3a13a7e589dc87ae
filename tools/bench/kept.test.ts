import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const run = (...command: readonly string[]) =>
  spawnSync("python3", command, {
    cwd: root,
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: "1" },
    encoding: "utf8",
  });

it("bench/README.md names the source of each stored result", { timeout: 60_000 }, () => {
  expect(run("bench/kept", "--check")).toMatchObject({ stderr: "", status: 0 });
});

// The test creates a repository with commits, which takes long on a busy machine.
it("results are stale by date, or after changes of what they measure", { timeout: 120_000 }, () => {
  const { stderr, status } = run(
    "-m",
    "unittest",
    "discover",
    "-s",
    "tools/bench",
    "-p",
    "*_test.py",
  );
  expect({ status, stderr }).toMatchObject({ status: 0, stderr: expect.stringMatching(/\bOK\b/) });
});
