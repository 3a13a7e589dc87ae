import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../../../..");

test("schema.ts equals the output of `npm run schema` for openapi.json", () => {
  const temporaryFolder = mkdtempSync(join(tmpdir(), "musette-schema-"));
  try {
    const file = join(temporaryFolder, "schema.ts");
    const folder = join(root, "tools/schema");
    // Runs the command of `npm run schema` with another output file.
    const { scripts } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const command = scripts.generate.replace(/--output \S+/, `--output ${file}`).split(" ");
    execFileSync("npx", ["--no", ...command], { cwd: folder, stdio: "pipe" });
    const committed = readFileSync(join(import.meta.dirname, "schema.ts"), "utf8");
    expect(committed).toBe(readFileSync(file, "utf8"));
  } finally {
    rmSync(temporaryFolder, { recursive: true });
  }
}, 60_000);
