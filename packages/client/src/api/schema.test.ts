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
    const generator = ["openapi-typescript", join(root, "openapi.json"), "--output", file];
    execFileSync("npx", ["--no", ...generator], { cwd: join(root, "tools/schema"), stdio: "pipe" });
    const kept = readFileSync(join(import.meta.dirname, "schema.ts"), "utf8");
    expect(kept).toBe(readFileSync(file, "utf8"));
  } finally {
    rmSync(made, { recursive: true });
  }
}, 60_000);
