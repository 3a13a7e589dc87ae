// Tests the set-ups of docs/embedding.md ("Same origin or another origin") with the real program
// behind Vite's own proxy. A page reads the terms and a document through the client, as the consent
// screen does.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "@playwright/test";
import { createServer as createVite } from "vite";
import { Program } from "../program/program.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "musette-proxies-"));

const PAGE = `<!doctype html>
<title>A host</title>
<script type="module">
  import { createConsentReads } from "@musette/client/terms";

  window.load = async (baseUrl) => {
    try {
      const reads = createConsentReads(baseUrl && { baseUrl });
      const [{ content }] = await reads.fetchTerms({ termsType: "FREELANCER" });
      const manifest = await fetch(content.replace(/\\.pdf$/, "/manifest.json")).then(
        (answer) => answer.status,
        () => "blocked",
      );
      return { terms: 200, manifest, origin: new URL(content).origin };
    } catch (error) {
      return { terms: error.status ?? "blocked" };
    }
  };
</script>`;

async function freePort() {
  const server = createServer();
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

const [musettePort, sitePort] = [await freePort(), await freePort()];
const listen = `127.0.0.1:${musettePort}`;
const musette = `http://${listen}`;
// A browser resolves this name to this machine, and Musette does not know it.
const site = `http://app.localhost:${sitePort}`;
const loopback = `http://localhost:${sitePort}`;
const replaced = musette;
const unchanged = { target: musette, changeOrigin: false };

const setUps = [
  ["Host replaced", replaced, [], site],
  ["Host replaced, --public-url", replaced, ["--public-url", site], site],
  ["Host replaced, another --public-url", replaced, ["--public-url", "https://a.example"], site],
  ["Host kept, --public-url", unchanged, ["--public-url", site], site],
  ["Host kept, --allowed-hosts", unchanged, ["--allowed-hosts", new URL(site).host], site],
  ["Host kept, a loopback name", unchanged, [], loopback, loopback],
  ["Host kept, the name is unknown", unchanged, [], { terms: 421 }],
  ["another origin, --cors-origins", undefined, ["--cors-origins", site], musette],
  ["another origin, no --cors-origins", undefined, [], { terms: "blocked" }],
];

const program = new Program();
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
});
try {
  const file = join(root, "testdata/documents/english.pdf");
  program.run("terms", "publish", "--type", "FREELANCER", "--title", "Rules", file);
  writeFileSync(join(folder, "index.html"), PAGE);
  for (const [name, proxy, options, expected, seen = site] of setUps) {
    await program.serve({ listen, options });
    const vite = await createVite({
      root: folder,
      configFile: false,
      logLevel: "error",
      resolve: {
        alias: { "@musette/client/terms": join(root, "packages/client/src/terms/index.ts") },
      },
      server: {
        host: "127.0.0.1",
        port: sitePort,
        strictPort: true,
        watch: null,
        fs: { allow: [folder, root] },
        ...(proxy && { proxy: { "/api": proxy, "/documents": proxy } }),
      },
    });
    try {
      await vite.listen();
      const page = await browser.newPage();
      const output = [];
      page.on("console", (message) => output.push(message.text()));
      await page.goto(`${seen}/`);
      await page.waitForFunction(() => "load" in window);
      const works = { terms: 200, manifest: 200, origin: expected };
      const answer = typeof expected === "string" ? works : expected;
      const baseUrl = proxy ? undefined : `${musette}/api/rooster/v3`;
      assert.deepEqual(await page.evaluate((url) => window.load(url), baseUrl), answer, name);
      const explained = output.filter((line) => line.startsWith("Musette: "));
      assert.equal(explained.length, answer.terms === 421 ? 1 : 0, name);
      await page.close();
      console.log(`${name}: ${JSON.stringify(answer)}`);
    } finally {
      await vite.close();
      await program.stop();
    }
  }
} finally {
  await browser.close();
  await program.remove();
  rmSync(folder, { recursive: true, force: true });
}
