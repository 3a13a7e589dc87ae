import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../../../..");

test("schema.ts is what the generator makes of openapi.json: `npm run schema`", () => {
  const made = mkdtempSync(join(tmpdir(), "musette-schema-"));
  try {
    const file = join(made, "schema.ts");
    const folder = join(root, "tools/schema");
    // The very command of `npm run schema`, with another output.
    const { scripts } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const command = scripts.generate.replace(/--output \S+/, `--output ${file}`).split(" ");
    execFileSync("npx", ["--no", ...command], { cwd: folder, stdio: "pipe" });
    const kept = readFileSync(join(import.meta.dirname, "schema.ts"), "utf8");
    expect(kept).toBe(readFileSync(file, "utf8"));
  } finally {
    rmSync(made, { recursive: true });
  }
}, 60_000);
