import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";

it("docs/scale.md follows from the measurements in bench/results", () => {
  const root = join(import.meta.dirname, "../..");
  const environment = { ...process.env, PYTHONDONTWRITEBYTECODE: "1" };
  const { status, stderr } = spawnSync("python3", ["tools/scale/scale.py", "--check"], {
    cwd: root,
    env: environment,
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  expect(status).toBe(0);
});
