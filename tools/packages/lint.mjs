// Lints the packages as published: packed, resolved by Node and by bundlers.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
let failed = false;

function run(command, ...args) {
  const { status } = spawnSync("npx", [command, ...args], { cwd: root, stdio: "inherit" });
  failed ||= status !== 0;
}

for (const name of ["client", "react"]) {
  const folder = `packages/${name}`;
  // The exports use a wildcard, which attw does not expand by itself.
  const subjects = readdirSync(`${root}${folder}/dist`, { recursive: true })
    .map(String)
    .filter((file) => /^[^/]+\/index\.js$/.test(file))
    .map((file) => file.replace("/index.js", ""));
  if (subjects.length === 0) throw new Error(`${folder} is not built`);
  run("publint", folder, "--strict");
  run("attw", "--pack", folder, "--profile", "esm-only", "--entrypoints", ...subjects);
}

process.exit(failed ? 1 : 0);
