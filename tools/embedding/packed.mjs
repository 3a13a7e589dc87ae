// Packs the packages as npm would publish them, and installs the tarballs outside the workspace.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
const QUIET = ["--no-audit", "--no-fund", "--loglevel=error"];

export function run(cwd, command, args, env = {}) {
  // Remove the variables that npm sets for this workspace: the inner npm must not use them.
  const clean = Object.entries(process.env).filter(
    ([name]) => !/^npm_(config_(local_)?prefix|config_workspace|lifecycle|package)/.test(name),
  );
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    encoding: "utf8",
    env: { ...Object.fromEntries(clean), ...env },
  });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}\n${stdout}${stderr}`);
  return stdout;
}

const newest = (folder) =>
  Math.max(
    ...readdirSync(folder, { recursive: true }).map((name) => statSync(join(folder, name)).mtimeMs),
  );

function isBuilt(name) {
  const folder = join(root, "packages", name);
  const last = join(folder, "dist", name === "react" ? "consent" : "terms", "index.d.ts");
  return existsSync(last) && statSync(last).mtimeMs > newest(join(folder, "src"));
}

/** The host application in a folder outside this workspace, with both packages from their tarballs. */
export function installHost() {
  if (!["client", "react"].every(isBuilt)) run(root, "npm", ["run", "packages"]);
  const host = mkdtempSync(join(tmpdir(), "musette-host-"));
  cpSync(join(root, "tools/embedding/host"), host, { recursive: true });
  const pack = ["pack", "--json", "--pack-destination", host];
  const tarballs = ["client", "react"].map((name) => {
    const [packed] = JSON.parse(run(join(root, "packages", name), "npm", pack));
    return `./${packed.filename}`;
  });
  run(host, "npm", ["install", ...QUIET, ...tarballs]);
  return host;
}

export function changeToReact18(host) {
  const versions = [
    "react@18.3.1",
    "react-dom@18.3.1",
    "@types/react@18.3.31",
    "@types/react-dom@18.3.7",
  ];
  run(host, "npm", ["install", ...QUIET, ...versions]);
}
