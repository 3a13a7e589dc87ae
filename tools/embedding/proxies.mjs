// Tests the set-ups of docs/embedding.md ("Same origin or another origin") with the real program behind
// Vite's own proxy: a page reads the terms and a document, as the consent screen does.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "@playwright/test";
import { createServer as createVite } from "vite";

const root = fileURLToPath(new URL("../../", import.meta.url));
const program = process.env.MUSETTE_BIN ?? join(root, "target/debug/musette");
const folder = mkdtempSync(join(tmpdir(), "musette-proxies-"));
const data = join(folder, "data");

async function freePort() {
  const server = createServer();
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

function run(...args) {
  const { status, stderr, error } = spawnSync(program, [...args, "--data", data], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")}: ${error?.message ?? stderr}`);
}

/** Starts the program, and resolves when it listens. */
async function start(port, options) {
  const address = `127.0.0.1:${port}`;
  const args = ["serve", "--data", data, "--listen", address, ...options];
  const child = spawn(program, args, { stdio: "ignore" });
  const exited = new Promise((done) => child.once("exit", done));
  for (let tries = 0; tries < 300; tries += 1) {
    const ready = await fetch(`http://${address}/readyz`).catch(() => undefined);
    if (ready?.ok) {
      const stop = () => {
        child.kill();
        return exited;
      };
      return { stop };
    }
    if (child.exitCode !== null) throw new Error(`musette ended with ${child.exitCode}`);
    await new Promise((done) => setTimeout(done, 200));
  }
  child.kill();
  throw new Error("musette did not become ready");
}

/** In the page: what became of the terms, and of the manifest of the first document. */
async function load(base) {
  try {
    const response = await fetch(`${base}/api/rooster/v3/public/terms?types=FREELANCER,MARKETING`);
    if (!response.ok) return { terms: response.status };
    const [{ content }] = await response.json();
    const manifest = await fetch(content.replace(/\.pdf$/, "/manifest.json")).then(
      (answer) => answer.status,
      () => "blocked",
    );
    return { terms: 200, manifest, origin: new URL(content).origin };
  } catch {
    return { terms: "blocked" };
  }
}

const [musettePort, sitePort] = [await freePort(), await freePort()];
const musette = `http://127.0.0.1:${musettePort}`;
const site = `http://127.0.0.1:${sitePort}`;
const replaced = musette;
const kept = { target: musette, changeOrigin: false };

const setUps = [
  ["Host replaced, --public-url", replaced, ["--public-url", site], site],
  ["Host kept, --public-url", kept, ["--public-url", site], site],
  ["Host kept, --allowed-hosts", kept, ["--allowed-hosts", new URL(site).host], site],
  ["Host kept, the name is unknown", kept, [], { terms: 421 }],
  [
    "Host replaced, no --public-url",
    replaced,
    [],
    { terms: 200, manifest: "blocked", origin: musette },
  ],
  ["another origin, --cors-origins", undefined, ["--cors-origins", site], musette],
  ["another origin, no --cors-origins", undefined, [], { terms: "blocked" }],
];

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
});
try {
  run("migrate");
  const file = join(root, "testdata/documents/english.pdf");
  run("terms", "publish", "--type", "FREELANCER", "--title", "Rules", file);
  writeFileSync(join(folder, "index.html"), "<!doctype html><title>A host</title>");
  for (const [name, proxy, options, expected] of setUps) {
    const running = await start(musettePort, options);
    const vite = await createVite({
      root: folder,
      configFile: false,
      logLevel: "error",
      server: {
        host: "127.0.0.1",
        port: sitePort,
        strictPort: true,
        watch: null,
        ...(proxy && { proxy: { "/api": proxy, "/documents": proxy } }),
      },
    });
    try {
      await vite.listen();
      const page = await browser.newPage();
      await page.goto(`${site}/`);
      const works = { terms: 200, manifest: 200, origin: expected };
      const wanted = typeof expected === "string" ? works : expected;
      assert.deepEqual(await page.evaluate(load, proxy ? "" : musette), wanted, name);
      await page.close();
      console.log(`${name}: ${JSON.stringify(wanted)}`);
    } finally {
      await vite.close();
      await running.stop();
    }
  }
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
